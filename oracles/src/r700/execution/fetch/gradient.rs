//! Derivatives: those that a program sets, and those that it asks for.

use super::reading::{self, Span};
use super::{Reason, Value};
use crate::r700::execution::value::{Outcomes, flushed};

/// What one SET_GRADIENTS_* set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gradient {
    /// The lanes of the quad.
    pub(super) lanes: [[Value; 4]; 4],
    /// COORD_TYPE of the instruction that set it.
    pub(super) normalized: [bool; 4],
}

/// What SET_GRADIENTS_H and SET_GRADIENTS_V set for one quad. A clause starts with none of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gradients {
    pub(super) horizontal: Option<Gradient>,
    pub(super) vertical: Option<Gradient>,
}

/// The difference of two lanes for each lane of a quad: of its own row (`across` is 1) or column (2); or of the other one,
/// as no source says that each has its own.
pub(super) fn derivatives(quad: &[[Value; 4]; 4], across: usize) -> [[Value; 4]; 4] {
    [0, 1, 2, 3].map(|lane: usize| {
        [0, 1, 2, 3].map(|component: usize| {
            let other = 3 - across;
            // The lane of the own row or column that is left or on top.
            let first = lane & other;
            let own = (&quad[first][component], &quad[first | across][component]);
            let first = first ^ other;
            let far = (&quad[first][component], &quad[first | across][component]);
            let mut outcomes = Outcomes::new(true);
            add(&mut outcomes, own);
            add(&mut outcomes, far);
            outcomes.finish()
        })
    })
}

fn add(outcomes: &mut Outcomes, (from, to): (&Value, &Value)) {
    if let (Some(from), Some(to)) = (from.possibilities(), to.possibilities()) {
        for &from in from {
            for &to in to {
                let difference = |from, to| f32::from_bits(to) - f32::from_bits(from);
                outcomes.also_float(difference(from, to), Reason::Derivative);
                for (from, to) in [
                    (flushed(from), to),
                    (from, flushed(to)),
                    (flushed(from), flushed(to)),
                ] {
                    outcomes.also_float(difference(from, to), Reason::Denormal);
                }
            }
        }
        return;
    }
    match (Span::of(from), Span::of(to)) {
        (Ok(low), Ok(high)) => {
            let difference = high.minus(low);
            let (least, most) = (difference.low as f32, difference.high as f32);
            if least.is_nan() || most.is_nan() {
                outcomes.nan();
                return;
            }
            let reason = from.reason().or(to.reason()).unwrap_or(Reason::Derivative);
            // Each bound rounded outwards, whichever way the conversion went.
            outcomes.within(
                difference.nominal as f32,
                least.next_down(),
                most.next_up(),
                reason,
            );
        }
        _ => {
            let open = if from.is_settled() { to } else { from };
            let nominal = to.number() - from.number();
            outcomes.unknown(nominal.to_bits(), reading::reason(open));
        }
    }
}
