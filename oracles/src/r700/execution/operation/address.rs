//! MOVA*: what goes to the address register.

use super::arithmetic::floats;
use super::{Outcomes, Reason};

/// MOVA: floor(a + 0.5) (R6 p. 149, S042). Whether that sum is a float's is not said: it rounds up to 1 for the float
/// just below a half.
pub(super) fn mova(words: &[u32; 3], out: &mut Outcomes) {
    let [a, ..] = floats(words);
    let exact = libm::floor(f64::from(a) + 0.5);
    let rounded = libm::floorf(a + 0.5);
    address(exact, out);
    if f64::from(rounded) != exact {
        out.because(Reason::AddressRounding);
        address(f64::from(rounded), out);
    }
}

/// MOVA_FLOOR: floor(a) (R6 p. 151, S042).
pub(super) fn mova_floor(words: &[u32; 3], out: &mut Outcomes) {
    let [a, ..] = floats(words);
    address(f64::from(libm::floorf(a)), out);
}

/// MOVA_INT: a (R6 p. 152, S042).
pub(super) fn mova_int(words: &[u32; 3], out: &mut Outcomes) {
    address(f64::from(words[0] as i32), out);
}

/// A signed 9-bit number: -256 for what is below; above 255 the code says -256 and the prose 255 (C15).
fn address(number: f64, out: &mut Outcomes) {
    if number.is_nan() {
        out.unknown(0, Reason::AddressNan);
    } else if number > 255.0 {
        out.word(-256i32 as u32);
        out.also(255, Reason::AddressRange);
    } else {
        out.word(number.max(-256.0) as i32 as u32);
    }
}
