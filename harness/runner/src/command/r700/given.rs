//! The inputs that a run is given: a file, or random ones.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use corpora::execution::inputs;
use corpora::generate::Random;

use crate::command::{Failure, input};
use crate::execution::shader::Shader;
use crate::execution::trial::{self, Attempts, Translated};

/// Arguments that say what a program runs on.
#[derive(Debug, Args)]
pub(super) struct Given {
    /// Inputs as TOML: lanes with their registers, constants, textures; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "seed", "stream"])]
    inputs: Option<PathBuf>,
    /// That many random inputs: values at the edges among them
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    random: u64,
    /// The seed of random inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The stream of the seed: as a report's replay line says
    #[arg(long, value_name = "N", default_value_t = 0)]
    stream: u64,
}

impl Given {
    /// The inputs for a shader.
    pub(super) fn environments(
        &self,
        shader: &Shader,
        translated: Option<&Translated>,
    ) -> Result<Vec<Attempts>, Failure> {
        if let Some(path) = &self.inputs {
            let name = input::name(path);
            let text = String::from_utf8(input::read(path)?)
                .map_err(|error| Failure::usage(anyhow!("{name}: {error}")))?;
            let mut environment =
                inputs::parse(&text).map_err(|why| Failure::usage(anyhow!("{name}: {why}")))?;
            if environment.stage != shader.stage {
                let (wanted, found) = (shader.stage.name(), environment.stage.name());
                return Err(Failure::usage(anyhow!(
                    "{name}: inputs of a {found} shader for a {wanted} shader"
                )));
            }
            shader.surround(&mut environment);
            return Ok(vec![Attempts(vec![environment])]);
        }
        let Some(translated) = translated else {
            return Err(Failure::usage(anyhow!(
                "{}: its translation is refused, so which inputs it reads is not known; say --inputs FILE",
                shader.origin
            )));
        };
        let mut random = Random::new(self.seed, self.stream);
        Ok(trial::environments(
            shader,
            translated,
            self.random,
            &mut random,
        ))
    }

    /// One environment: what a trace is of.
    pub(super) fn first(
        &self,
        shader: &Shader,
        translated: Option<&Translated>,
    ) -> Result<Attempts, Failure> {
        let all = self.environments(shader, translated)?;
        all.into_iter()
            .next()
            .ok_or_else(|| Failure::usage(anyhow!("no inputs")))
    }
}
