//! The embedded interpreter of SPIR-V as an engine: exact, and always there.

use corpora::execution::{Launch, Returned, Stage};
use oracles::spirv;

use super::{Engine, Error, Program};

/// The embedded interpreter.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded {
    engine: spirv::Engine,
}

/// A module that it has read.
struct Ready {
    engine: spirv::Engine,
    module: spirv::Module,
}

impl Engine for Embedded {
    fn name(&self) -> &str {
        "embedded"
    }

    fn version(&self) -> String {
        format!(
            "embedded SPIR-V interpreter of assay {}",
            env!("CARGO_PKG_VERSION")
        )
    }

    fn prepare(&self, words: &[u32], stage: Stage) -> Result<Box<dyn Program>, Error> {
        let module =
            spirv::Module::parse(words).map_err(|error| Error::Invalid(error.to_string()))?;
        if !module.stages().any(|there| there == stage) {
            let message = format!("no entry point of the {} stage", stage.name());
            return Err(Error::Invalid(message));
        }
        Ok(Box::new(Ready {
            engine: self.engine,
            module,
        }))
    }
}

impl Program for Ready {
    fn run(&self, launches: &[Launch]) -> Result<Vec<Returned>, Error> {
        let run = |launch| self.engine.run(&self.module, launch);
        let returned = launches.iter().map(run).collect::<Result<_, _>>();
        returned.map_err(|error| Error::Failed(error.to_string()))
    }
}
