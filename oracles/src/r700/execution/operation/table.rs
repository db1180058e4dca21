//! Every ALU operation of `oracles/spec/r700/opcodes.tsv`: what it reads, what it gives, and its rule.

use super::approximate::{Limit, SLOPE};
use super::compare::{
    different, different_int, equal, equal_int, greater, greater_int, greater_uint, kill, mask,
    not_less, not_less_int, not_less_uint, predicate, push, set,
};
use super::wide::Double;
use super::{
    Course, Function, Gives, Operation, Read, Rule, Undefined, address, approximate as near,
    arithmetic, compare, convert, cube, integer, reduction, select,
};
use crate::r700::execution::value::Value;

/// Smooth, or turning at zero only.
const SMOOTH: Course = Course::Pieces(&[]);
const STEPS: Course = Course::Steps(&[]);

const F: &[Read] = &[Read::Float];
const FF: &[Read] = &[Read::Float; 2];
const FFF: &[Read] = &[Read::Float; 3];
const FI: &[Read] = &[Read::Float, Read::Integer];
const I: &[Read] = &[Read::Integer];
const II: &[Read] = &[Read::Integer; 2];
const NONE: &[Read] = &[];
/// A condition and two words to choose from.
const FCC: &[Read] = &[Read::Float, Read::Copied, Read::Copied];
const ICC: &[Read] = &[Read::Integer; 3];

const fn row(name: &'static str, reads: &'static [Read], gives: Gives, rule: Rule) -> Operation {
    Operation {
        name,
        index: 0,
        rule,
        reads,
        gives,
    }
}

/// Float arithmetic.
const fn float(name: &'static str, reads: &'static [Read], function: Function) -> Operation {
    row(name, reads, Gives::Float, Rule::Words(function, SMOOTH))
}

/// Reads and writes a counter of branches.
const fn counter(name: &'static str, reads: &'static [Read], function: Function) -> Operation {
    row(name, reads, Gives::Float, Rule::Words(function, COUNTER))
}

/// Gives a float that is one of few: a comparison.
const fn test(name: &'static str, reads: &'static [Read], function: Function) -> Operation {
    row(name, reads, Gives::Float, Rule::Words(function, STEPS))
}

/// Gives an integer that is one of few: a comparison.
const fn test_int(name: &'static str, reads: &'static [Read], function: Function) -> Operation {
    row(name, reads, Gives::Integer, Rule::Words(function, STEPS))
}

/// Integer arithmetic.
const fn integer(name: &'static str, reads: &'static [Read], function: Function) -> Operation {
    row(
        name,
        reads,
        Gives::Integer,
        Rule::Words(function, Course::Wild),
    )
}

const fn approximation(name: &'static str, function: near::Function, limit: Limit) -> Operation {
    // Beyond an infinity that became zero nothing is monotone.
    let course = match limit {
        Limit::Zero => Course::Wild,
        Limit::Ieee | Limit::Clamped | Limit::ClampedBelow => SMOOTH,
    };
    let rule = Rule::Approximate(function, limit, course);
    row(name, F, Gives::Float, rule)
}

const fn circular(name: &'static str, function: near::Function) -> Operation {
    let rule = Rule::Approximate(function, Limit::Ieee, Course::Gentle(SLOPE));
    row(name, F, Gives::Float, rule)
}

const fn choice(
    name: &'static str,
    reads: &'static [Read],
    gives: Gives,
    function: fn(&[Value]) -> Value,
) -> Operation {
    row(name, reads, gives, Rule::Values(function))
}

const fn reduction(
    name: &'static str,
    reads: &'static [Read],
    function: fn(&[[Value; 2]; 4]) -> [Value; 4],
) -> Operation {
    row(name, reads, Gives::Float, Rule::Reduction(function))
}

const fn mova(name: &'static str, reads: &'static [Read], function: Function) -> Operation {
    row(name, reads, Gives::Integer, Rule::Address(function))
}

const fn double(name: &'static str, rule: Double) -> Operation {
    row(name, rule.reads(), rule.gives(), Rule::Wide(rule))
}

/// Operations in the order of their numbers, each with its place.
pub(super) static OPERATIONS: [Operation; COUNT] = numbered(ROWS);

const COUNT: usize = ROWS.len();

const fn numbered(mut rows: [Operation; COUNT]) -> [Operation; COUNT] {
    let mut at = 0;
    while at < COUNT {
        rows[at].index = at;
        at += 1;
    }
    rows
}

const ROWS: [Operation; 136] = [
    float("ADD", FF, arithmetic::add),
    float("MUL", FF, arithmetic::mul),
    float("MUL_IEEE", FF, arithmetic::mul_ieee),
    float("MAX", FF, arithmetic::max),
    float("MIN", FF, arithmetic::min),
    float("MAX_DX10", FF, arithmetic::max_dx10),
    float("MIN_DX10", FF, arithmetic::min_dx10),
    double("FREXP_64", Double::Frexp),
    test("SETE", FF, |words, out| set(equal(words), out)),
    test("SETGT", FF, |words, out| set(greater(words), out)),
    test("SETGE", FF, |words, out| set(not_less(words), out)),
    test("SETNE", FF, |words, out| set(different(words), out)),
    test_int("SETE_DX10", FF, |words, out| mask(equal(words), out)),
    test_int("SETGT_DX10", FF, |words, out| mask(greater(words), out)),
    test_int("SETGE_DX10", FF, |words, out| mask(not_less(words), out)),
    test_int("SETNE_DX10", FF, compare::setne_dx10),
    row(
        "FRACT",
        F,
        Gives::Float,
        Rule::Words(arithmetic::fract, Course::Fraction),
    ),
    float("TRUNC", F, arithmetic::trunc),
    float("CEIL", F, arithmetic::ceil),
    float("RNDNE", F, arithmetic::rndne),
    float("FLOOR", F, arithmetic::floor),
    mova("MOVA", F, address::mova),
    mova("MOVA_FLOOR", F, address::mova_floor),
    double("ADD_64", Double::Add),
    mova("MOVA_INT", I, address::mova_int),
    choice("MOV", &[Read::Copied], Gives::Float, select::mov),
    row("NOP", NONE, Gives::Integer, Rule::Nothing),
    double("MUL_64", Double::Mul),
    double("FLT64_TO_FLT32", Double::Narrow),
    double("FLT32_TO_FLT64", Double::Widen),
    // The unsigned forms, and the integer kills, are in RG's lists alone (p. 93-94): as their signed and float siblings.
    test("PRED_SETGT_UINT", II, |words, out| {
        predicate(greater_uint(words), out)
    }),
    test("PRED_SETGE_UINT", II, |words, out| {
        predicate(not_less_uint(words), out)
    }),
    test("PRED_SETE", FF, |words, out| predicate(equal(words), out)),
    test("PRED_SETGT", FF, |words, out| {
        predicate(greater(words), out)
    }),
    test("PRED_SETGE", FF, |words, out| {
        predicate(not_less(words), out)
    }),
    test("PRED_SETNE", FF, |words, out| {
        predicate(different(words), out)
    }),
    counter("PRED_SET_INV", F, compare::invert),
    counter("PRED_SET_POP", FF, compare::pop),
    float("PRED_SET_CLR", NONE, compare::clear),
    counter("PRED_SET_RESTORE", F, compare::restore),
    counter("PRED_SETE_PUSH", FF, |words, out| push(equal, words, out)),
    counter("PRED_SETGT_PUSH", FF, |words, out| {
        push(greater, words, out)
    }),
    counter("PRED_SETGE_PUSH", FF, |words, out| {
        push(not_less, words, out)
    }),
    counter("PRED_SETNE_PUSH", FF, |words, out| {
        push(different, words, out)
    }),
    test("KILLE", FF, |words, out| kill(equal(words), out)),
    test("KILLGT", FF, |words, out| kill(greater(words), out)),
    test("KILLGE", FF, |words, out| kill(not_less(words), out)),
    test("KILLNE", FF, |words, out| kill(different(words), out)),
    integer("AND_INT", II, |[a, b, _], out| out.word(a & b)),
    integer("OR_INT", II, |[a, b, _], out| out.word(a | b)),
    integer("XOR_INT", II, |[a, b, _], out| out.word(a ^ b)),
    integer("NOT_INT", I, |[a, ..], out| out.word(!a)),
    integer("ADD_INT", II, |[a, b, _], out| out.word(a.wrapping_add(*b))),
    // R6 p. 223 prints the operands in the other order (C12); Mesa and LLVM have a - b (S061), and Mesa negates with 0 - a.
    integer("SUB_INT", II, |[a, b, _], out| out.word(a.wrapping_sub(*b))),
    integer("MAX_INT", II, |words, out| {
        out.word(words[usize::from(!not_less_int(words))])
    }),
    integer("MIN_INT", II, |words, out| {
        out.word(words[usize::from(not_less_int(words))])
    }),
    integer("MAX_UINT", II, |[a, b, _], out| out.word(*a.max(b))),
    integer("MIN_UINT", II, |[a, b, _], out| out.word(*a.min(b))),
    test_int("SETE_INT", II, |words, out| mask(equal_int(words), out)),
    test_int("SETGT_INT", II, |words, out| mask(greater_int(words), out)),
    test_int("SETGE_INT", II, |words, out| mask(not_less_int(words), out)),
    test_int("SETNE_INT", II, |words, out| {
        mask(different_int(words), out)
    }),
    test_int("SETGT_UINT", II, |words, out| {
        mask(greater_uint(words), out)
    }),
    test_int("SETGE_UINT", II, |words, out| {
        mask(not_less_uint(words), out)
    }),
    test("KILLGT_UINT", II, |words, out| {
        kill(greater_uint(words), out)
    }),
    test("KILLGE_UINT", II, |words, out| {
        kill(not_less_uint(words), out)
    }),
    test("PRED_SETE_INT", II, |words, out| {
        predicate(equal_int(words), out)
    }),
    test("PRED_SETGT_INT", II, |words, out| {
        predicate(greater_int(words), out)
    }),
    test("PRED_SETGE_INT", II, |words, out| {
        predicate(not_less_int(words), out)
    }),
    test("PRED_SETNE_INT", II, |words, out| {
        predicate(different_int(words), out)
    }),
    test("KILLE_INT", II, |words, out| kill(equal_int(words), out)),
    test("KILLGT_INT", II, |words, out| kill(greater_int(words), out)),
    test("KILLGE_INT", II, |words, out| {
        kill(not_less_int(words), out)
    }),
    test("KILLNE_INT", II, |words, out| {
        kill(different_int(words), out)
    }),
    counter("PRED_SETE_PUSH_INT", FI, |words, out| {
        push(equal_int, words, out)
    }),
    counter("PRED_SETGT_PUSH_INT", FI, |words, out| {
        push(greater_int, words, out)
    }),
    counter("PRED_SETGE_PUSH_INT", FI, |words, out| {
        push(not_less_int, words, out)
    }),
    counter("PRED_SETNE_PUSH_INT", FI, |words, out| {
        push(different_int, words, out)
    }),
    counter("PRED_SETLT_PUSH_INT", FI, |words, out| {
        push(|w| !not_less_int(w), words, out)
    }),
    counter("PRED_SETLE_PUSH_INT", FI, |words, out| {
        push(|w| !greater_int(w), words, out)
    }),
    reduction("DOT4", FF, reduction::dot4),
    reduction("DOT4_IEEE", FF, reduction::dot4_ieee),
    reduction("CUBE", FF, cube::cube),
    reduction("MAX4", F, reduction::max4),
    approximation("EXP_IEEE", near::exp, Limit::Ieee),
    approximation("LOG_CLAMPED", near::log, Limit::ClampedBelow),
    approximation("LOG_IEEE", near::log, Limit::Ieee),
    approximation("RECIP_CLAMPED", near::recip, Limit::Clamped),
    approximation("RECIP_FF", near::recip, Limit::Zero),
    approximation("RECIP_IEEE", near::recip, Limit::Ieee),
    approximation("RECIPSQRT_CLAMPED", near::recipsqrt, Limit::Clamped),
    approximation("RECIPSQRT_FF", near::recipsqrt, Limit::Zero),
    approximation("RECIPSQRT_IEEE", near::recipsqrt, Limit::Ieee),
    approximation("SQRT_IEEE", near::sqrt, Limit::Ieee),
    row(
        "FLT_TO_INT",
        F,
        Gives::Integer,
        Rule::Words(convert::flt_to_int, Course::Wrapping),
    ),
    float("INT_TO_FLT", I, convert::int_to_flt),
    float("UINT_TO_FLT", I, convert::uint_to_flt),
    circular("SIN", near::sin),
    circular("COS", near::cos),
    integer("ASHR_INT", II, integer::ashr),
    integer("LSHR_INT", II, integer::lshr),
    integer("LSHL_INT", II, integer::lshl),
    integer("MULLO_INT", II, |[a, b, _], out| {
        out.word(a.wrapping_mul(*b))
    }),
    integer("MULHI_INT", II, integer::mulhi_int),
    integer("MULLO_UINT", II, |[a, b, _], out| {
        out.word(a.wrapping_mul(*b))
    }),
    integer("MULHI_UINT", II, integer::mulhi_uint),
    integer("RECIP_INT", I, integer::recip_int),
    integer("RECIP_UINT", I, integer::recip_uint),
    row(
        "FLT_TO_UINT",
        F,
        Gives::Integer,
        Rule::Words(convert::flt_to_uint, Course::Integers),
    ),
    double("LDEXP_64", Double::Ldexp),
    double("FRACT_64", Double::Fract),
    double("PRED_SETGT_64", Double::PredicateGreater),
    double("PRED_SETE_64", Double::PredicateEqual),
    double("PRED_SETGE_64", Double::PredicateNotLess),
    double("MULADD_64", Double::Muladd(0)),
    double("MULADD_64_M2", Double::Muladd(1)),
    double("MULADD_64_M4", Double::Muladd(2)),
    double("MULADD_64_D2", Double::Muladd(3)),
    row(
        "MUL_LIT",
        FFF,
        Gives::Float,
        Rule::Words(arithmetic::mul_lit::<0>, LIT),
    ),
    row(
        "MUL_LIT_M2",
        FFF,
        Gives::Float,
        Rule::Words(arithmetic::mul_lit::<1>, LIT),
    ),
    row(
        "MUL_LIT_M4",
        FFF,
        Gives::Float,
        Rule::Words(arithmetic::mul_lit::<2>, LIT),
    ),
    row(
        "MUL_LIT_D2",
        FFF,
        Gives::Float,
        Rule::Words(arithmetic::mul_lit::<3>, LIT),
    ),
    float("MULADD", FFF, arithmetic::muladd::<0>),
    float("MULADD_M2", FFF, arithmetic::muladd::<1>),
    float("MULADD_M4", FFF, arithmetic::muladd::<2>),
    float("MULADD_D2", FFF, arithmetic::muladd::<3>),
    float("MULADD_IEEE", FFF, arithmetic::muladd_ieee::<0>),
    float("MULADD_IEEE_M2", FFF, arithmetic::muladd_ieee::<1>),
    float("MULADD_IEEE_M4", FFF, arithmetic::muladd_ieee::<2>),
    float("MULADD_IEEE_D2", FFF, arithmetic::muladd_ieee::<3>),
    choice("CNDE", FCC, Gives::Float, select::cnde),
    choice("CNDGT", FCC, Gives::Float, select::cndgt),
    choice("CNDGE", FCC, Gives::Float, select::cndge),
    choice("CNDE_INT", ICC, Gives::Integer, select::cnde_int),
    choice("CNDGT_INT", ICC, Gives::Integer, select::cndgt_int),
    choice("CNDGE_INT", ICC, Gives::Integer, select::cndge_int),
];

/// A counter makes results jump at 0 and at 1, and passes on what lies about them.
const COUNTER: Course = Course::Pieces(&[
    -f32::from_bits(1),
    f32::from_bits(1),
    1.0f32.next_down(),
    1.0,
    1.0f32.next_up(),
]);

/// MUL_LIT jumps where a factor reaches -MAX_FLOAT, and where the third operand leaves zero.
const LIT: Course = Course::Pieces(&[-f32::MAX, (-f32::MAX).next_up(), f32::MIN_POSITIVE]);

/// Operations that exist, and that no source defines.
const UNSPECIFIED: [(&str, &str); 1] = [(
    "MOVA_GPR_INT",
    "RG p. 94 lists its number alone, and Mesa's table has it on early R600 chips, with the loop index",
)];

/// The operation of a name.
pub(super) fn find(name: &str) -> Result<&'static Operation, Undefined> {
    if let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == name) {
        return Ok(operation);
    }
    match UNSPECIFIED.iter().find(|(other, _)| *other == name) {
        Some((name, why)) => Err(Undefined::Unspecified { name, why }),
        None => Err(Undefined::Unknown(name.to_owned())),
    }
}
