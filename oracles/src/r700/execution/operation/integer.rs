//! Integers: bits, shifts, products and reciprocals. All wrap at 32 bits (S061).

use super::{Outcomes, Reason};

/// ASHR_INT: a >> b with the sign. A count above 31 leaves the sign alone (R6 p. 114), or counts modulo 32 (R076).
pub(super) fn ashr(words: &[u32; 3], out: &mut Outcomes) {
    let [a, count, _] = *words;
    let shifted = |count: u32| ((a as i32) >> count) as u32;
    out.word(shifted(count.min(31)));
    out.also(shifted(count % 32), Reason::ShiftCount);
}

/// LSHR_INT: a >> b; one page shows a left shift (C14). Above 31 it is 0 (R6 p. 138), or counts modulo 32.
pub(super) fn lshr(words: &[u32; 3], out: &mut Outcomes) {
    let [a, count, _] = *words;
    out.word(a.checked_shr(count).unwrap_or(0));
    out.also(a >> (count % 32), Reason::ShiftCount);
}

/// LSHL_INT: a << b. Above 31 it is 0 (R6 p. 137), or counts modulo 32.
pub(super) fn lshl(words: &[u32; 3], out: &mut Outcomes) {
    let [a, count, _] = *words;
    out.word(a.checked_shl(count).unwrap_or(0));
    out.also(a << (count % 32), Reason::ShiftCount);
}

/// MULHI_INT: the high half of the signed product (R6 p. 167).
pub(super) fn mulhi_int(words: &[u32; 3], out: &mut Outcomes) {
    let product = i64::from(words[0] as i32) * i64::from(words[1] as i32);
    out.word((product >> 32) as u32);
}

/// MULHI_UINT: the high half of the unsigned product (R6 p. 168).
pub(super) fn mulhi_uint(words: &[u32; 3], out: &mut Outcomes) {
    let product = u64::from(words[0]) * u64::from(words[1]);
    out.word((product >> 32) as u32);
}

/// RECIP_UINT: 2^32 / a, within 1; of zero undefined (R6 p. 202, S063).
pub(super) fn recip_uint(words: &[u32; 3], out: &mut Outcomes) {
    reciprocal(i64::from(words[0]), i64::from(u32::MAX), out);
}

/// RECIP_INT: 2^32 / a of a signed number, within 1 (R6 p. 201, S063). Of 1 and -1 the quotient has no place in a word.
pub(super) fn recip_int(words: &[u32; 3], out: &mut Outcomes) {
    let divisor = i64::from(words[0] as i32);
    if divisor.abs() == 1 {
        out.unknown(0, Reason::IntegerReciprocal);
    } else {
        reciprocal(divisor, i64::from(u32::MAX), out);
    }
}

fn reciprocal(divisor: i64, most: i64, out: &mut Outcomes) {
    if divisor == 0 {
        out.unknown(u32::MAX, Reason::IntegerReciprocal);
        return;
    }
    let dividend = 1i64 << 32;
    // The floor, also of a negative quotient.
    let inexact = i64::from(divisor < 0 && dividend % divisor != 0);
    let quotient = (dividend / divisor - inexact).min(most);
    out.word(quotient as u32);
    for near in [quotient - 1, quotient + 1] {
        out.also(near as u32, Reason::IntegerReciprocal);
    }
}
