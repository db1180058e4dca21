//! A third opinion: what the source says.
//!
//! Where a corpus has the GLSL that its microcode was compiled from, and the compiler's log, the source itself runs on an
//! engine, and the microcode on the reference interpreter. Neither the translator nor its view of an instruction takes
//! part: what the two have in common is the meaning of the source, and a compiler that is nobody's here.
//!
//! - [`glsl`] makes of a source for OpenGL one for Vulkan.
//! - [`log`] finds a program in a log, [`nir`] reads what the log prints of it, and [`wiring`] concludes where the program
//!   has what the source names.
//! - [`inputs`] makes inputs, the same for both sides; [`agree`] says when two words are as good as each other.

use std::collections::BTreeMap;
use std::path::Path;

use corpora::execution::Stage;
use corpora::generate::Random;
use corpora::hex;
use r700::Chip;
use serde::Deserialize;

use self::agree::{Tally, Tolerance, Words};
use self::glsl::Source;
use self::inputs::Inputs;
use self::log::Entry;
use self::wiring::{Compiled, Wiring};
use super::shader::Shader;
use super::shaders::stage;
use super::trial::{NotTried, Reference};
use crate::engine::glsl::{Glslang, compile, compile_with_glslang};
use crate::engine::{self, Engine};

pub mod agree;
pub mod glsl;
pub mod inputs;
pub mod log;
pub mod nir;
pub mod wiring;

/// Runs of 64 lanes for each program.
pub const RUNS: u64 = 8;

/// What is said of a program.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// The program's id.
    pub id: String,
    /// The log that it is from: source, chip, back end.
    pub from: String,
    /// What came out.
    pub verdict: Verdict,
}

/// What came out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No lane differs. Where the interpreter leaves all lanes open, all agree in what it went on with.
    Agree(Tally),
    /// Lanes differ; this is the first one.
    Differs(Tally, Box<Difference>),
    /// There is nothing to compare, or no way to; for this reason.
    NotComparable(String),
}

/// A lane that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The run.
    pub run: u64,
    /// The lane.
    pub lane: usize,
    /// Its inputs by name.
    pub inputs: BTreeMap<String, [u32; 4]>,
    /// The first word that differs.
    pub words: Words,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Words {
            what,
            microcode,
            source,
        } = &self.words;
        let Self { run, lane, .. } = self;
        write!(
            f,
            "run {run}, lane {lane}: {what}: microcode {microcode}, source {source}; of"
        )?;
        for (name, words) in &self.inputs {
            write!(f, " {name} = {words:08x?}")?;
        }
        Ok(())
    }
}

/// A line of `programs.jsonl`.
#[derive(Deserialize)]
struct Line {
    id: String,
    from: String,
    words: Vec<String>,
    text: Vec<String>,
}

/// What pixel sources of the corpus were linked with.
const PASSED_ON: &str = "vs_passthru";

/// A corpus: programs, their sources, and logs.
pub struct Corpus {
    programs: Vec<Line>,
    sources: BTreeMap<String, Source>,
    logs: BTreeMap<String, Vec<Entry>>,
}

impl Corpus {
    /// Reads a directory with `programs.jsonl`, `src` and `dump`.
    ///
    /// # Errors
    ///
    /// If a file is missing, or is not what it should be.
    pub fn read(directory: &Path) -> Result<Self, String> {
        let read = |path: &Path| {
            std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let lines = read(&directory.join("programs.jsonl"))?;
        let programs: Result<Vec<Line>, _> = lines.lines().map(serde_json::from_str).collect();
        let mut corpus = Self {
            programs: programs.map_err(|error| format!("programs.jsonl: {error}"))?,
            sources: BTreeMap::new(),
            logs: BTreeMap::new(),
        };
        for entry in walkdir::WalkDir::new(directory.join("src")).sort_by_file_name() {
            let entry = entry.map_err(|error| error.to_string())?;
            let path = entry.path();
            let stage = match path.extension().and_then(|extension| extension.to_str()) {
                Some("vert") => Stage::Vertex,
                Some("frag") => Stage::Pixel,
                _ => continue,
            };
            let source = Source::parse(&read(path)?, stage)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            corpus.sources.insert(name.into_owned(), source);
        }
        for entry in walkdir::WalkDir::new(directory.join("dump")).sort_by_file_name() {
            let entry = entry.map_err(|error| error.to_string())?;
            if entry.file_type().is_file() {
                let name = entry
                    .path()
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy();
                corpus
                    .logs
                    .insert(name.into_owned(), log::entries(&read(entry.path())?));
            }
        }
        Ok(corpus)
    }

    /// What each program's source says, in the order of the list.
    pub fn opinions(&self, reference: &Reference, engine: &dyn Engine, seed: u64) -> Vec<Opinion> {
        let opinion = |program: &Line| Opinion {
            id: program.id.clone(),
            from: program.from.clone(),
            verdict: self
                .judge(program, reference, engine, seed)
                .unwrap_or_else(Verdict::NotComparable),
        };
        self.programs.iter().map(opinion).collect()
    }

    fn judge(
        &self,
        program: &Line,
        reference: &Reference,
        engine: &dyn Engine,
        seed: u64,
    ) -> Result<Verdict, String> {
        let bytes = hex::little_endian_words(&program.words.join(" "))
            .map_err(|error| error.to_string())?;
        let stage = stage(&bytes, Chip::R700).ok_or("a fetch shader has no source")?;
        let (source, wiring) = self.wired(program, stage)?;
        let spirv = compiled(source)?;
        let failed = |error: engine::Error| error.to_string();
        let prepared = engine.prepare(&spirv, stage).map_err(failed)?;
        let shader = Shader::new(&program.from, bytes, stage);
        let ready = reference
            .program(&shader)
            .map_err(|error| NotTried::from(error).to_string())?;
        let stream = u64::from_str_radix(&program.id, 16).unwrap_or_default();
        let mut random = Random::new(seed, stream);
        let tolerance = Tolerance::of(source);
        let mut tally = Tally::default();
        let mut first = None;
        for run in 0..RUNS {
            let inputs = Inputs::new(source, &wiring.zero, run, &mut random);
            let environment = inputs.environment(stage, &wiring);
            let outcome = reference
                .run(&ready, &environment, &mut ())
                .map_err(|error| NotTried::from(error).to_string())?;
            let returned = prepared.run(&[inputs.launch(source)]).map_err(failed)?;
            let returned = returned.first().ok_or("the engine returned nothing")?;
            let lanes = outcome.lanes.iter().zip(&returned.lanes);
            for (lane, (microcode, found)) in lanes.enumerate() {
                if let Err(words) = agree::lane(&mut tally, microcode, found, &wiring, tolerance)
                    && first.is_none()
                {
                    first = Some(Difference {
                        run,
                        lane,
                        inputs: inputs.lanes[lane].clone(),
                        words,
                    });
                }
            }
        }
        Ok(match first {
            Some(difference) => Verdict::Differs(tally, Box::new(difference)),
            None if tally.open == tally.lanes() && tally.nominal < tally.open => {
                Verdict::NotComparable("the interpreter leaves every lane open".to_owned())
            }
            None => Verdict::Agree(tally),
        })
    }

    /// A program's source, and how the program is wired.
    fn wired(&self, program: &Line, stage: Stage) -> Result<(&Source, Wiring), String> {
        let log = self
            .logs
            .get(&program.from)
            .ok_or("there is no log of it")?;
        let text: Vec<_> = program.text.iter().map(|line| line.trim()).collect();
        let entry = log
            .iter()
            .find(|entry| entry.listing == text)
            .ok_or("its log does not have it")?;
        if !entry.given {
            return Err("a shader of the driver's own".to_owned());
        }
        let (name, rest) = program.from.split_once('.').unwrap_or((&program.from, ""));
        let chip = rest.split('.').next().unwrap_or_default();
        let siblings = self
            .logs
            .get(&format!("{name}.{chip}.nir"))
            .ok_or("there is no log with its NIR")?;
        let named = self.sources.get(name).ok_or("there is no source of it")?;
        let passed_on = self.sources.get(PASSED_ON);
        let (source, other) = match (named.stage, stage) {
            (Stage::Pixel, Stage::Pixel) => (named, passed_on),
            (Stage::Pixel, Stage::Vertex) => {
                (passed_on.ok_or("there is no source of it")?, Some(named))
            }
            (Stage::Vertex, Stage::Vertex) => (named, None),
            (Stage::Vertex, Stage::Pixel) => {
                let lacks =
                    "the corpus lacks the pixel shader that vertex shaders were linked with";
                return Err(lacks.to_owned());
            }
        };
        let compiled = Compiled {
            source,
            entry,
            other,
            siblings,
        };
        Ok((source, compiled.wiring()?))
    }
}

/// SPIR-V of a source, by the built-in compiler, or by glslang where that refuses and glslang is there.
fn compiled(source: &Source) -> Result<Vec<u32>, String> {
    let text = source.for_vulkan()?;
    let built_in = if source.is_layered() {
        // naga takes the layer of an array for an integer, and cuts off its fraction; GLSL rounds it.
        Err("naga does not round the layer of an array".to_owned())
    } else {
        compile(&text, source.stage).map_err(|error| error.to_string())
    };
    built_in.or_else(|error| match compile_with_glslang(&text, source.stage) {
        Glslang::Compiled(spirv) => Ok(spirv),
        Glslang::NotInstalled => Err(format!("{error}, and glslang is not installed")),
        Glslang::Failed(other) => Err(format!("{error}; {other}")),
    })
}
