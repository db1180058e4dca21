//! What runs a translation: SPIR-V in, values out.
//!
//! Two engines fit the front of this module: [`vulkan`] asks a driver, and the embedded interpreter needs nothing
//! installed. Both take a module and the launches of `corpora::execution`, and both give the same kind of answer, so that a
//! runner can hold one against the other. [`glsl`] makes the SPIR-V.

use corpora::execution::{Launch, Returned, Stage};

pub mod embedded;
pub mod glsl;
pub mod patch;
pub mod vulkan;

/// Runs SPIR-V modules.
pub trait Engine: Send + Sync {
    /// A short name for reports and options.
    fn name(&self) -> &str;

    /// What runs, with versions, in one line.
    fn version(&self) -> String;

    /// Gets a module's entry point of a stage ready to run.
    fn prepare(&self, spirv: &[u32], stage: Stage) -> Result<Box<dyn Program>, Error>;
}

/// A module that is ready to run.
pub trait Program: Send {
    /// Runs it once for each launch, all of which are of its stage. One answer for each, in order.
    fn run(&self, launches: &[Launch]) -> Result<Vec<Returned>, Error>;
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The module is not SPIR-V, or breaks its rules.
    #[error("invalid SPIR-V: {0}")]
    Invalid(String),
    /// The module needs what the engine does not do.
    #[error("unsupported: {0}")]
    Unsupported(String),
    /// The launch and the module do not go together.
    #[error("launch: {0}")]
    Launch(String),
    /// A run was stopped, since it went on and on.
    #[error("the translation did not end within {0}")]
    Endless(String),
    /// The engine failed.
    #[error("engine: {0}")]
    Failed(String),
}
