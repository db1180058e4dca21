//! What each executed instruction does to one pixel.

use super::pixel::Pixel;
use super::refusal::Place;
use crate::igc::Tables;
use crate::table::TableError;

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    EnableSet,
    EnableClear,
    EnableLoad,
    EnableLoadBar,
    EnableAnd,
    EnableAndBar,
    EnableXor,
    EnableStore,
    EnableOrInto,
    EnableAndInto,
    CarryStore,
    TreeLessThanZero,
    TreeAtLeastZero,
    FieldLessThanTree,
    TreeStore,
    ScalarStore,
    Copy,
    Add,
}

/// Effects by their names in `instructions.tsv`. Both stores of the tree are one: the instruction loads it, or does not.
const EFFECTS: [(&str, Effect); 20] = [
    ("nothing", Effect::Nothing),
    ("enable_set", Effect::EnableSet),
    ("enable_clear", Effect::EnableClear),
    ("enable_load", Effect::EnableLoad),
    ("enable_load_bar", Effect::EnableLoadBar),
    ("enable_and", Effect::EnableAnd),
    ("enable_and_bar", Effect::EnableAndBar),
    ("enable_xor", Effect::EnableXor),
    ("enable_store", Effect::EnableStore),
    ("enable_or_into", Effect::EnableOrInto),
    ("enable_and_into", Effect::EnableAndInto),
    ("carry_store", Effect::CarryStore),
    ("tree_lt_zero", Effect::TreeLessThanZero),
    ("tree_ge_zero", Effect::TreeAtLeastZero),
    ("field_lt_tree", Effect::FieldLessThanTree),
    ("tree_load_store", Effect::TreeStore),
    ("tree_store", Effect::TreeStore),
    ("scalar_store", Effect::ScalarStore),
    ("copy", Effect::Copy),
    ("add", Effect::Add),
];

/// The effects that the table names; an error at a row with another.
pub(super) fn read(tables: &Tables) -> Result<Vec<(String, Effect)>, TableError> {
    let mut effects = Vec::new();
    for row in tables.instructions.rows() {
        let name = row.text("execution");
        let effect = EFFECTS.iter().find(|effect| effect.0 == name);
        match effect {
            Some(&(_, effect)) => effects.push((name.to_owned(), effect)),
            None if name == "-" => {}
            None => return Err(row.fault(format!("no execution {name:?}"))),
        }
    }
    Ok(effects)
}

/// The value of the tree at a pixel: ((A x) + (B y)) + C in f64, cut towards zero and saturated.
pub(super) fn tree_value([a, b, c]: [f32; 3], x: f64, y: f64) -> i64 {
    let (along, down) = (f64::from(a) * x, f64::from(b) * y);
    // A cast to an integer cuts towards zero and saturates.
    ((along + down) + f64::from(c)) as i64
}

/// Bit n of a number in two's complement, as wide as it need be.
fn signed_bit(value: i64, n: u32) -> bool {
    value >> n.min(i64::BITS - 1) & 1 == 1
}

/// Whether the unsigned field is below the value.
fn below(field: &[bool], value: i64) -> bool {
    if value < 0 {
        return false;
    }
    let width = field.len().max(i64::BITS as usize);
    for n in (0..width).rev() {
        let bit = field.get(n).copied().unwrap_or(false);
        let other = signed_bit(value, n as u32);
        if bit != other {
            return other;
        }
    }
    false
}

/// The sum of two fields, as wide as the first, and the carry out of its highest bit.
fn sum(field: &[bool], source: &[bool]) -> (Vec<bool>, bool) {
    let mut carry = false;
    let mut bits = Vec::new();
    for (n, &a) in field.iter().enumerate() {
        let b = source.get(n).copied().unwrap_or(false);
        bits.push(a ^ b ^ carry);
        carry = (a && b) || (carry && (a || b));
    }
    (bits, carry)
}

/// Does it to one pixel, whose tree value is `tree`.
pub(super) fn apply(effect: Effect, pixel: &mut Pixel, place: &Place, tree: i64) {
    let Place { addr, len, .. } = *place;
    let bit = pixel.bit(addr);
    match effect {
        Effect::Nothing => {}
        Effect::EnableSet => pixel.enable = true,
        Effect::EnableClear => pixel.enable = false,
        Effect::EnableLoad => pixel.enable = bit,
        Effect::EnableLoadBar => pixel.enable = !bit,
        Effect::EnableAnd => pixel.enable &= bit,
        Effect::EnableAndBar => pixel.enable &= !bit,
        Effect::EnableXor => pixel.enable ^= bit,
        Effect::EnableStore => pixel.set(addr, pixel.enable),
        Effect::EnableOrInto => pixel.set(addr, bit || pixel.enable),
        Effect::EnableAndInto => pixel.set(addr, bit && pixel.enable),
        Effect::TreeLessThanZero => pixel.enable &= tree < 0,
        Effect::TreeAtLeastZero => pixel.enable &= tree >= 0,
        Effect::FieldLessThanTree => pixel.enable &= below(&pixel.read(addr, len), tree),
        Effect::CarryStore
        | Effect::TreeStore
        | Effect::ScalarStore
        | Effect::Copy
        | Effect::Add => {
            if pixel.enable {
                store(effect, pixel, place, tree);
            }
        }
    }
}

/// The instructions that write memory under enable.
fn store(effect: Effect, pixel: &mut Pixel, place: &Place, tree: i64) {
    let Place { addr, len, .. } = *place;
    match effect {
        Effect::CarryStore => pixel.set(addr, pixel.carry),
        Effect::TreeStore => pixel.write(addr, (0..len).map(|n| signed_bit(tree, n))),
        Effect::ScalarStore => {
            let scalar = i64::from(place.scalar);
            pixel.write(addr, (0..len).map(|n| signed_bit(scalar, n)));
        }
        Effect::Copy => {
            let bits = pixel.read(place.source, len);
            pixel.write(addr, bits);
        }
        Effect::Add => {
            let source = pixel.read(place.source, place.second_len);
            let (bits, carry) = sum(&pixel.read(addr, len), &source);
            pixel.write(addr, bits);
            pixel.carry = carry;
        }
        _ => {}
    }
}
