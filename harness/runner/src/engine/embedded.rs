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
        returned.map_err(|error| match (error.cause, error.word) {
            // The limit that is reached at an instruction, and not before the first, is that of steps.
            (spirv::Cause::Limit, Some(_)) => {
                Error::Endless(format!("{} instructions", self.engine.limits.steps))
            }
            _ => Error::Failed(error.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::glsl;

    #[test]
    fn a_loop_without_an_end_is_told_from_a_failure() {
        let source = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {\n    \
                      while (true) { c.x += 1.0; }\n}\n";
        let words = glsl::compile(source, Stage::Pixel).expect("it compiles");
        let mut launch = Launch::new(Stage::Pixel);
        launch.lanes.push(corpora::execution::Invocation::default());
        let engine = Embedded {
            engine: spirv::Engine {
                limits: spirv::Limits {
                    steps: 1000,
                    ..spirv::Limits::default()
                },
            },
        };
        let prepared = engine.prepare(&words, Stage::Pixel).expect("a module");
        assert_eq!(
            prepared.run(&[launch]),
            Err(Error::Endless("1000 instructions".to_owned()))
        );
    }
}
