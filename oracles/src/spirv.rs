//! An interpreter of SPIR-V modules: the vertex and pixel shaders that GLSL compilers make for Vulkan.
//!
//! [`Module::parse`] checks a module and compiles its entry points to a flat form; [`Engine::run`] executes one of them
//! for any number of invocations, called lanes here, in lockstep. Nothing that a module or a launch holds makes either
//! panic or go on without bounds: whatever is not supported or not valid is an [`Error`] of one line with the offset of
//! the instruction, at parse time wherever it can be known then.
//!
//! # What a run is
//!
//! * **Control flow.** Lanes part at branches and meet again at merge blocks. In a pixel shader each four lanes are a
//!   quad. A lane that executes `OpKill` or `OpTerminateInvocation` is `killed`; from then on it computes what the other
//!   lanes of its quad compute, so that derivatives find a value there. `OpDemoteToHelperInvocation` kills a lane that
//!   goes its own way. Helpers and killed lanes write to no buffer, and an atomic operation of theirs changes nothing.
//! * **Floats** are IEEE: nearest even, denormals kept. An operation that gives a NaN gives `0x7fc00000`; whatever only
//!   moves a value (loads, stores, selections, bit casts, phis, `OpFNegate`, `FAbs`) keeps its bits.
//!   Transcendental functions go through double precision and are rounded once. Sums of products run in the order of
//!   components, each step rounded.
//! * **Choices.** A conversion to an integer saturates, and a NaN gives 0. A division by zero gives 0. Shift counts are taken
//!   modulo the width. `FMin`, `FMax` and `FClamp` go by the formulas of GLSL. `OpDPdx` and `OpDPdy` are coarse:
//!   one value for a quad, as implicit levels of detail are. A lane of an incomplete quad has derivatives of 0.
//! * **Memory.** Variables that are not initialised are 0. A read outside a buffer or an array gives 0, a write is
//!   dropped. An input that the launch lacks is 0.
//! * **Built-in outputs** are returned if the module writes them anywhere; outputs with a Location always.
//! * **Images** are sampled after the equations of the Vulkan specification, with exact weights. Arrays of images, storage
//!   images and multisampled ones are not supported.
//!
//! Not supported, and refused by name: stages other than vertex and pixel, subgroup instructions, variable pointers, specialisation
//! (the defaults are taken; `OpSpecConstantOp` is refused), `PushConstant` and `Workgroup` memory, barriers.

mod code;
mod compile;
mod decorations;
mod error;
mod lanes;
mod layout;
mod machine;
mod number;
mod operations;
mod order;
mod sampling;
mod source;
#[cfg(test)]
mod tests;
mod types;
mod wide;
mod words;

use corpora::execution::{Launch, Returned, Stage};
use spirv::{ExecutionModel, MAGIC_NUMBER};

use code::Program;
pub use error::{Cause, Error};
use source::Source;

/// A module whose entry points are ready to run.
#[derive(Clone, Debug)]
pub struct Module {
    programs: Vec<Program>,
}

impl Module {
    /// Reads a module from its words, of either byte order.
    ///
    /// # Errors
    ///
    /// The module is malformed, or uses what is not supported in a vertex or pixel shader.
    pub fn parse(words: &[u32]) -> Result<Self, Error> {
        if words.first() == Some(&MAGIC_NUMBER.swap_bytes()) {
            let words: Vec<u32> = words.iter().map(|word| word.swap_bytes()).collect();
            return Self::compile(&words);
        }
        Self::compile(words)
    }

    /// Reads a module from its bytes, of either byte order.
    ///
    /// # Errors
    ///
    /// As [`Module::parse`], and if they are not a whole number of words.
    pub fn parse_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let (words, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() {
            let message = format!("{} bytes are not a whole number of words", bytes.len());
            return Err(Error::malformed(message));
        }
        let words: Vec<u32> = words.iter().map(|&word| u32::from_le_bytes(word)).collect();
        Self::parse(&words)
    }

    fn compile(words: &[u32]) -> Result<Self, Error> {
        let source = Source::read(words)?;
        let mut programs: Vec<Program> = Vec::new();
        for entry in &source.entries {
            if !matches!(
                entry.model,
                ExecutionModel::Vertex | ExecutionModel::Fragment
            ) {
                let message = format!(
                    "entry points of {:?} shaders are not supported",
                    entry.model
                );
                return Err(Error::unsupported(message).at(entry.word));
            }
            if programs.iter().any(|program| program.model == entry.model) {
                let message = format!("a second {:?} entry point; one is allowed", entry.model);
                return Err(Error::unsupported(message).at(entry.word));
            }
            programs.push(compile::program(&source, entry)?);
        }
        if programs.is_empty() {
            return Err(Error::malformed("no entry point"));
        }
        Ok(Self { programs })
    }

    /// The stages that the module has an entry point of.
    pub fn stages(&self) -> impl Iterator<Item = Stage> + '_ {
        self.programs.iter().map(|program| match program.model {
            ExecutionModel::Vertex => Stage::Vertex,
            _ => Stage::Pixel,
        })
    }
}

/// What a run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Steps: one for each instruction and each word of its result, whatever the number of lanes.
    pub steps: u64,
    /// Words of the register file: those of a lane times the lanes.
    pub words: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            steps: 1 << 24,
            words: 1 << 26,
        }
    }
}

/// Executes modules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Engine {
    /// What a run may take.
    pub limits: Limits,
}

impl Engine {
    /// Runs the entry point of the launch's stage.
    ///
    /// # Errors
    ///
    /// The module has no such entry point, the launch lacks a buffer, texture or sampler that the entry point uses or has it in another
    /// shape, a lane reaches `OpUnreachable`, or a limit is exceeded.
    pub fn run(&self, module: &Module, launch: &Launch) -> Result<Returned, Error> {
        let model = match launch.stage {
            Stage::Vertex => ExecutionModel::Vertex,
            Stage::Pixel => ExecutionModel::Fragment,
        };
        let program = module
            .programs
            .iter()
            .find(|program| program.model == model);
        let program = program.ok_or_else(|| {
            Error::launch(format!(
                "the module has no entry point of the {} stage",
                launch.stage.name()
            ))
        })?;
        machine::run(program, launch, &self.limits)
    }
}
