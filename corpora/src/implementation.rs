//! What a decoder under test and an oracle have in common.

use thiserror::Error;

use crate::{Options, Outcome};

/// An option that a target does not have, or a value that it does not take.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("option {name}={value:?} is not one of: {allowed}")]
pub struct OptionError {
    /// The option's name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What would have been taken.
    pub allowed: String,
}

/// Something that turns bytes into an outcome: a decoder under test, or an oracle.
///
/// Options are selected once and then hold for any number of inputs, so that a loop over words parses no text.
pub trait Implementation: Send {
    /// What it is called in reports.
    fn name(&self) -> &str;

    /// Takes the options for the inputs that follow. An option that is not given has its default.
    fn select(&mut self, options: &Options) -> Result<(), OptionError>;

    /// Answers for one input. `outcome` was cleared; whatever the input, this neither panics nor runs unbounded.
    fn answer(&mut self, input: &[u8], outcome: &mut Outcome);
}
