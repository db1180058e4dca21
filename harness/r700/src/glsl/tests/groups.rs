use super::*;
use crate::cf::Kcache;
use crate::codes::{IndexMode, KcacheMode, Omod, PredSel};
use crate::glsl::Profile;

const X: Chan = Chan::X;
const Y: Chan = Chan::Y;

fn fast() -> Options<'static> {
    Options {
        profile: Profile::Fast,
        ..Options::default()
    }
}

#[test]
fn a_group_issues_at_once() {
    // Both instructions read what was there before the group: the channels are exchanged.
    let swap = [
        alu("MOV", (0, X), &[r(0, Y)]),
        alu("MOV", (0, Y), &[r(0, X)]),
    ];
    let translation = accepted(&groups(&[group(&swap, &[])]), &Options::default());
    expect_lines(
        &translation,
        &[
            "// 2 x: MOV R0.x = R0.y",
            "// 3 y: MOV R0.y = R0.x",
            "{",
            "float x = R0.y;",
            "float y = R0.x;",
            "PV.xy = vec2(x, y);",
            "R0.xy = vec2(x, y);",
            "}",
            "//@ 2 R0.xy PV.xy",
        ],
    );
}

#[test]
fn the_trans_unit_writes_ps_and_wins() {
    // The second instruction of a channel goes to the trans unit; PV keeps the vector unit's value.
    let both = [
        alu("MOV", (1, X), &[r(0, X)]),
        alu("MOV", (1, X), &[r(0, Y)]),
    ];
    let translation = accepted(&groups(&[group(&both, &[])]), &Options::default());
    expect_lines(
        &translation,
        &[
            "PV.x = x;",
            "PS = t;",
            "R1.x = t;",
            "}",
            "//@ 2 R1.x PV.x PS",
        ],
    );
}

#[test]
fn the_zero_rule_is_for_the_exact_profile() {
    let program = groups(&[group(&[alu("MUL", (0, X), &[r(0, X), r(0, Y)])], &[])]);
    let exact = accepted(&program, &Options::default());
    expect_lines(&exact, &["float x = mul(R0.x, R0.y);"]);
    expect_lines(&accepted(&program, &fast()), &["float x = R0.x * R0.y;"]);
    let ieee = groups(&[group(&[alu("MUL_IEEE", (0, X), &[r(0, X), r(0, Y)])], &[])]);
    expect_lines(
        &accepted(&ieee, &Options::default()),
        &["float x = R0.x * R0.y;"],
    );
}

#[test]
fn modifiers_in_order() {
    // abs, then neg; OMOD, then CLAMP.
    let add = alu(
        "ADD",
        (0, X),
        &[r(0, X).with_abs(true).with_neg(true), Source::literal(X)],
    )
    .with_omod(Omod::M2)
    .with_clamp(true);
    let program = groups(&[group(&[add], &[0.1_f32.to_bits()])]);
    expect_lines(
        &accepted(&program, &Options::default()),
        &["float x = clamp((-abs(R0.x) + 0.1) * 2.0, 0.0, 1.0);"],
    );
}

#[test]
fn literals_are_words() {
    let instructions = [
        alu("MOV", (0, X), &[Source::literal(X)]),
        alu("AND_INT", (0, Y), &[r(0, Y), Source::literal(X)]),
        // The sign of a copied NaN is exchanged: 0xff800001 becomes 0x7f800001.
        alu("MOV", (0, Chan::Z), &[Source::literal(X).with_neg(true)]),
    ];
    let program = groups(&[group(&instructions, &[0xff80_0001])]);
    expect_lines(
        &accepted(&program, &Options::default()),
        &[
            "float x = word(0xff800001u);",
            "float y = intBitsToFloat(floatBitsToInt(R0.y) & -8388607);",
            "float z = word(0x7f800001u);",
        ],
    );
}

#[test]
fn comparisons_are_careful_with_nan() {
    let program = groups(&[
        group(&[alu("SETNE", (0, X), &[r(0, X), r(0, Y)])], &[]),
        group(&[alu("SETNE_DX10", (0, X), &[r(0, X), r(0, Y)])], &[]),
        group(
            &[alu("CNDGE_INT", (0, X), &[r(0, X), r(0, Y), r(1, Y)])],
            &[],
        ),
    ]);
    let translation = accepted(&program, &Options::default());
    expect_lines(&translation, &["float x = !(R0.x == R0.y) ? 1.0 : 0.0;"]);
    expect_lines(
        &translation,
        &["float x = intBitsToFloat(!(R0.x == R0.y) ? -1 : 0);"],
    );
    expect_lines(
        &translation,
        &["float x = floatBitsToInt(R0.x) >= 0 ? R0.y : R1.y;"],
    );
}

#[test]
fn every_operation_translates_or_is_refused_by_name() {
    for (index, info) in crate::alu::ALU_OPS.iter().enumerate() {
        let Some(name) = info.name else { continue };
        let op = if index < 256 {
            AluOp::op2(index as u16)
        } else {
            AluOp::op3(index as u16 - 256)
        };
        let wide = info.flags.contains(crate::alu::flags::REDUCTION);
        let one = |chan| {
            let mut alu = Alu::new(op, CHIP)
                .with_dst(Dest::new(1, chan))
                .with_src1(r(0, Y));
            if index < 256 {
                alu = alu.with_write_mask(true);
            }
            // A direction of CUBE: a = zzxy, b = yxzz.
            if name == "CUBE" {
                let (a, b) = [(2, 1), (2, 0), (0, 2), (1, 2)][usize::from(chan.code())];
                let source = |chan| r(0, Chan::from_code(chan));
                alu = alu.with_src0(source(a)).with_src1(source(b));
            }
            alu
        };
        let instructions = match wide {
            true => [X, Y, Chan::Z, Chan::W].map(one).to_vec(),
            false => vec![one(X)],
        };
        let program = groups(&[group(&instructions, &[])]);
        for profile in [Profile::Exact, Profile::Fast] {
            let options = Options {
                profile,
                ..Options::default()
            };
            match translate(&program, &options) {
                Ok(_) => drop(accepted(&program, &options)),
                Err(refusal) => assert!(
                    name.contains("64") || name == "PRED_SET_POP" || name == "MOVA_GPR_INT",
                    "{name}: {refusal}"
                ),
            }
        }
    }
}

#[test]
fn locked_constants_count_from_their_line() {
    let lock = Kcache {
        bank: 3,
        mode: KcacheMode::LOCK_1,
        addr: 2,
    };
    let mov = |i| group(&[alu("MOV", (0, X), &[Source::kcache(0, i, Y)])], &[]);
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU).with_kcache0(lock), &[mov(5), mov(16)])
        .unwrap();
    asm.cf(export(0, 0, 0));
    let translation = accepted(&finished(&asm), &Options::default());
    // Entry 16 · 2 + 5; entry 16 is outside of a window of one line.
    expect_lines(&translation, &["float x = KC3[37].y;"]);
    expect_lines(&translation, &["float x = word(0x7fffffffu);"]);
    assert_eq!(translation.interface.blocks, [3]);
    let (slot, reason) = refusal(&groups(&[mov(0)]), &Options::default());
    assert_eq!(slot, 2);
    assert!(
        matches!(reason, Reason::Operand { operand: 0, .. }),
        "{reason}"
    );
}

#[test]
fn the_predicate_selects() {
    let set = alu("PRED_SETGT", (0, X), &[r(0, X), Source::literal(X)])
        .with_write_mask(false)
        .with_update_pred(true);
    let program = groups(&[
        group(&[set], &[1.0_f32.to_bits()]),
        group(
            &[alu("MOV", (0, Y), &[r(0, X)]).with_pred_sel(PredSel::ZERO)],
            &[],
        ),
    ]);
    let translation = accepted(&program, &Options::default());
    expect_lines(&translation, &["pred = true;"]);
    expect_lines(
        &translation,
        &[
            "bool p = R0.x > 1.0;",
            "float x = p ? 0.0 : 1.0;",
            "PV.x = x;",
            "pred = p;",
        ],
    );
    expect_lines(
        &translation,
        &[
            "float y = R0.x;",
            "if (!pred) {",
            "PV.y = y;",
            "R0.y = y;",
            "}",
        ],
    );
}

#[test]
fn registers_are_indexed_within_their_number() {
    let read = alu("MOV", (0, X), &[r(4, X).with_rel(true)]);
    let mut written = alu("MOV", (5, X), &[r(0, Y)]);
    written = written.with_dst(Dest::new(5, X).with_rel(true));
    let constant =
        alu("MOV", (0, Y), &[Source::cfile(9, Y).with_rel(true)]).with_index_mode(IndexMode::AR_Y);
    let mova = alu("MOVA_INT", (0, X), &[r(0, X)]).with_write_mask(false);
    let program = groups(&[
        group(&[mova], &[]),
        group(&[read], &[]),
        group(&[written], &[]),
        group(&[constant], &[]),
    ]);
    let options = Options {
        gprs: Some(8),
        ..Options::default()
    };
    let translation = accepted(&program, &options);
    expect_lines(&translation, &["float x = R[relative(4 + AR.x)].x;"]);
    expect_lines(
        &translation,
        &["if (5 + AR.x >= 0 && 5 + AR.x < 8) { R[5 + AR.x].x = x; }"],
    );
    expect_lines(&translation, &["float y = constant(9 + AR.y).y;"]);
    expect_lines(
        &translation,
        &[
            "int ax = address(float(floatBitsToInt(R[0].x)));",
            "AR.x = ax;",
        ],
    );
    assert!(translation.interface.register_array);
}

#[test]
fn what_is_not_settled_is_refused() {
    let refused =
        |instructions: &[Alu]| refusal(&groups(&[group(instructions, &[])]), &Options::default()).1;
    let pv = refused(&[alu(
        "MOV",
        (0, X),
        &[Source::new(crate::alu::SourceSel::PV, X)],
    )]);
    assert_eq!(
        pv.to_string(),
        "operand 0: no instruction of the group before gave PV.x a value"
    );
    let neg = refused(&[alu("ADD_INT", (0, X), &[r(0, X).with_neg(true), r(0, Y)])]);
    assert_eq!(neg, Reason::IntegerModifier("NEG", "operand"));
    let clamp = refused(&[alu("ADD_INT", (0, X), &[r(0, X), r(0, Y)]).with_clamp(true)]);
    assert_eq!(clamp, Reason::IntegerModifier("CLAMP", "result"));
    let one = refused(&[alu("DOT4", (0, X), &[r(0, X), r(0, Y)])]);
    assert!(matches!(one, Reason::Group(_)), "{one}");
}
