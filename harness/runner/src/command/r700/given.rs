//! The inputs that a run is given: a file, or random ones.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use corpora::execution::{MAX_LANES, inputs};
use corpora::generate::Random;
use oracles::r700::execution::Reads;

use crate::command::{Failure, input};
use crate::engines;
use crate::execution::shader::Shader;
use crate::execution::trial::{self, Attempts};
use crate::execution::vectors::{self, Temper};

/// Arguments that say what a program runs on.
#[derive(Debug, Args)]
pub(super) struct Given {
    /// Inputs as TOML: lanes with their registers, constants, textures; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random", "seed", "stream"])]
    inputs: Option<PathBuf>,
    /// That many random inputs, values at the edges among them; each is a lane of some wavefront
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    random: u64,
    /// The seed of random inputs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Which stream of the seed they are drawn from, as the replay line of a report says
    #[arg(long, value_name = "N", default_value_t = 0)]
    stream: u64,
    /// The text of the inputs: standard input can be read once.
    #[arg(skip)]
    text: OnceCell<String>,
}

impl Given {
    /// The inputs for a shader.
    pub(super) fn environments(&self, shader: &Shader) -> Result<Vec<Attempts>, Failure> {
        if let Some(path) = &self.inputs {
            let name = input::name(path);
            let text = self.text(path)?;
            let mut environment =
                inputs::parse(text).map_err(|why| Failure::usage(anyhow!("{name}: {why}")))?;
            if environment.stage != shader.stage {
                let (wanted, found) = (shader.stage.name(), environment.stage.name());
                return Err(Failure::usage(anyhow!(
                    "{name}: inputs of a {found} shader for a {wanted} shader"
                )));
            }
            shader.surround(&mut environment);
            return Ok(vec![Attempts(vec![environment])]);
        }
        let mut random = Random::new(self.seed, self.stream);
        let reads = reads(shader)?;
        Ok(trial::environments(
            shader,
            &reads,
            self.random,
            &mut random,
        ))
    }

    /// Where the inputs are read from.
    pub(super) fn path(&self) -> Option<&Path> {
        self.inputs.as_deref()
    }

    fn text(&self, path: &Path) -> Result<&str, Failure> {
        if let Some(text) = self.text.get() {
            return Ok(text);
        }
        let name = input::name(path);
        let text = String::from_utf8(input::read(path)?)
            .map_err(|error| Failure::usage(anyhow!("{name}: {error}")))?;
        Ok(self.text.get_or_init(|| text))
    }

    /// Inputs of one wavefront: what a trace is of.
    pub(super) fn wavefront(&self, shader: &Shader) -> Result<Attempts, Failure> {
        if self.inputs.is_some() {
            let all = self.environments(shader)?;
            return all
                .into_iter()
                .next()
                .ok_or_else(|| Failure::usage(anyhow!("no inputs")));
        }
        let lanes = usize::try_from(self.random).unwrap_or(usize::MAX);
        if lanes > MAX_LANES {
            return Err(Failure::usage(anyhow!(
                "--random {lanes}: a trace is of one wavefront, which has 1 to {MAX_LANES} lanes"
            )));
        }
        let reads = reads(shader)?;
        let mut random = Random::new(self.seed, self.stream);
        // Tamer ones, if the run does not end on the first.
        let made = [Temper::Few, Temper::Short]
            .map(|temper| vectors::environment(shader, &reads, lanes, temper, &mut random));
        Ok(Attempts(made.into()))
    }
}

/// What a program reads, which its inputs have to hold.
fn reads(shader: &Shader) -> Result<Reads, Failure> {
    let reference = engines::reference("embedded").map_err(|why| anyhow!(why))?;
    reference.reads(shader).map_err(Failure::usage)
}
