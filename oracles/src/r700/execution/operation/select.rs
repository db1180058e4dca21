//! Copies, and choices by a condition. They keep what they choose, bit for bit and doubt for doubt.

use super::{Read, evaluate};
use crate::r700::execution::value::{Truth, Value};

/// MOV: a bit copy (R6 p. 148).
pub(super) fn mov(sources: &[Value]) -> Value {
    sources[0].clone()
}

/// CNDE: a = 0 ? b : c (R6 p. 116, as CMOVE; S050).
pub(super) fn cnde(sources: &[Value]) -> Value {
    choose(|a| f32::from_bits(a) == 0.0, Read::Float, sources)
}

/// CNDGT: a > 0 ? b : c (R6 p. 120, S050).
pub(super) fn cndgt(sources: &[Value]) -> Value {
    choose(|a| f32::from_bits(a) > 0.0, Read::Float, sources)
}

/// CNDGE: a ≥ 0 ? b : c (R6 p. 118, S050).
pub(super) fn cndge(sources: &[Value]) -> Value {
    choose(|a| f32::from_bits(a) >= 0.0, Read::Float, sources)
}

/// CNDE_INT: a = 0 ? b : c (R6 p. 117, S050).
pub(super) fn cnde_int(sources: &[Value]) -> Value {
    choose(|a| a == 0, Read::Integer, sources)
}

/// CNDGT_INT: a > 0 ? b : c, signed (R6 p. 121, S050).
pub(super) fn cndgt_int(sources: &[Value]) -> Value {
    choose(|a| a as i32 > 0, Read::Integer, sources)
}

/// CNDGE_INT: a ≥ 0 ? b : c, signed (R6 p. 119, S050).
pub(super) fn cndge_int(sources: &[Value]) -> Value {
    choose(|a| a as i32 >= 0, Read::Integer, sources)
}

/// The second of three operands if the test holds for the first, else the third.
fn choose(test: fn(u32) -> bool, read: Read, sources: &[Value]) -> Value {
    let [condition, yes, no] = sources else {
        return sources[0].clone();
    };
    match evaluate::truth(test, condition, read) {
        Truth::Settled(true) => yes.clone(),
        Truth::Settled(false) => no.clone(),
        Truth::Unsettled { nominal, reason } => {
            let (first, second) = if nominal { (yes, no) } else { (no, yes) };
            Value::either(&[first.clone(), second.clone()], reason)
        }
    }
}
