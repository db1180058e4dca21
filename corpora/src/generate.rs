//! Inputs from a seed: the same seed gives the same inputs, on every machine and in every version.

pub mod gfd;
pub mod igc;
pub mod mutate;
pub mod pica;
pub mod r700;
mod random;
pub mod unit;

pub use random::Random;
