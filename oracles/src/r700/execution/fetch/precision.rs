//! How exact a sampler is.

use crate::r700::execution::policy::{FloatPolicy, Liberty};

/// Bounds that no source states for this hardware. What is wider than the hardware only hides faults; what is narrower
/// makes right translations wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Precision {
    /// How far the place that is sampled may be off, in texels. Coordinates and weights have at least eight bits of
    /// fraction.
    pub texel: f64,
    /// The error of a filter in parts of the span of the texels that are mixed: the float policy's `sample_linear`. It
    /// includes what `texel` makes of each direction, and is of no effect where it is less.
    pub filter: f64,
    /// The error of a filter's arithmetic relative to the largest texel that goes in: three linear interpolations, one
    /// for each direction, and a fourth between levels, each with three roundings of 2^-24, and room.
    pub blend: f64,
    /// How far a level of detail that comes from derivatives may be off, besides which length of a gradient is meant. A
    /// logarithm that takes the mantissa for linear is off by 0.0861, and four bits of fraction by 0.03125.
    pub level: f64,
    /// The grid of levels of detail: one that is an operand is known to it.
    pub level_step: f64,
    /// How far a reference may move when it is converted to a depth format: the step of 16 bits.
    pub depth: f64,
    /// Whether a level that is an operand may be another lane's: a liberty of an engine.
    pub shares_levels: bool,
}

impl Precision {
    /// The bounds that the contract has, for a filter whose arithmetic is a float's.
    pub const CONTRACT: Self = Self {
        texel: 1.0 / 256.0,
        filter: 0.0,
        blend: 1.0 / 1_048_576.0,
        level: 0.125,
        level_step: 1.0 / 16.0,
        depth: 1.0 / 65535.0,
        shares_levels: false,
    };

    /// The contract's bounds, and the filter's error that a policy has.
    pub fn of(policy: &FloatPolicy) -> Self {
        // About the number zero a bound is its absolute part, but for the smallest float.
        let filter = policy
            .named("sample_linear")
            .map_or(0.0, |bound| f64::from(bound.around(0.0, 0.0).1));
        Self {
            filter,
            shares_levels: policy.takes(Liberty::SharesLevels),
            ..Self::CONTRACT
        }
    }
}

impl Default for Precision {
    fn default() -> Self {
        Self::CONTRACT
    }
}
