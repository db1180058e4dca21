//! GLSL to SPIR-V.
//!
//! [`compile`] is built in (naga). The peers [`compile_with_glslang`] and [`spirv_val`] are asked when they are installed, and
//! [`parses_in_glsl_lang`] is a second parser that is always there.

mod beyond_naga;
mod glslang;
mod validate;

use corpora::execution::Stage;
use glsl_lang::parse::DefaultParse;
use naga::back::spv;
use naga::valid::{Capabilities, ValidationFlags, Validator};

pub use glslang::{Glslang, compile_with_glslang};
pub use validate::{Validity, spirv_val};

use crate::guard;

/// Where and why GLSL does not compile, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.in_words())]
pub struct CompileError {
    /// Which compiler says so.
    pub compiler: &'static str,
    /// What is wrong.
    pub message: String,
    /// Line and column from 1, where known.
    pub at: Option<(u32, u32)>,
    /// The line, without the spaces around it.
    pub line: String,
}

impl CompileError {
    /// An error somewhere in a source.
    fn new(
        compiler: &'static str,
        message: impl Into<String>,
        source: &str,
        at: Option<(u32, u32)>,
    ) -> Self {
        let line = at
            .and_then(|(line, _)| source.lines().nth((line as usize).checked_sub(1)?))
            .unwrap_or_default();
        let message: String = message.into();
        // Compilers break their messages into lines where they quote.
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        Self {
            compiler,
            message,
            at,
            line: line.trim().chars().take(160).collect(),
        }
    }

    fn in_words(&self) -> String {
        let Self {
            compiler,
            message,
            at,
            line,
        } = self;
        match at {
            Some((row, column)) => format!("{compiler}: {row}:{column}: {message}: `{line}`"),
            None => format!("{compiler}: {message}"),
        }
    }
}

/// Why there is no SPIR-V of a source.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCompiled {
    /// It is wrong.
    #[error(transparent)]
    Wrong(#[from] CompileError),
    /// It needs a compiler that is not installed.
    #[error("{0}, and glslangValidator is not installed (package glslang-tools)")]
    NoCompiler(&'static str),
}

/// Compiles a shader: with naga, or with glslang what naga has no words for or takes for something else.
pub fn to_spirv(source: &str, stage: Stage) -> Result<Vec<u32>, NotCompiled> {
    let Some(reason) = beyond_naga::reason(source) else {
        return Ok(compile(source, stage)?);
    };
    match compile_with_glslang(source, stage) {
        Glslang::Compiled(words) => Ok(words),
        Glslang::Failed(error) => Err(error.into()),
        Glslang::NotInstalled => Err(NotCompiled::NoCompiler(reason)),
    }
}

/// The name of naga in errors.
const NAGA: &str = "naga";

/// Compiles a shader to SPIR-V 1.3 with naga.
///
/// Everything that naga adds to a shader for the sake of WebGPU is switched off: bounds checks, loop bounds, checks
/// of divisors, the flip of Y, the clamp of the depth, a point size. What remains, because it has no switch, is that
/// float to integer conversions clamp.
pub fn compile(source: &str, stage: Stage) -> Result<Vec<u32>, CompileError> {
    guard::catch(|| compile_unguarded(source, stage)).unwrap_or_else(|panic| {
        Err(CompileError::new(
            NAGA,
            format!("the compiler panicked: {panic}"),
            source,
            None,
        ))
    })
}

fn compile_unguarded(source: &str, stage: Stage) -> Result<Vec<u32>, CompileError> {
    let stage = match stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        Stage::Pixel => naga::ShaderStage::Fragment,
    };
    let at = |span: naga::Span| {
        span.is_defined().then(|| {
            let location = span.location(source);
            (location.line_number, location.line_position)
        })
    };
    let module = naga::front::glsl::Frontend::default()
        .parse(&naga::front::glsl::Options::from(stage), source)
        .map_err(|errors| match errors.errors.first() {
            Some(error) => CompileError::new(NAGA, error.kind.to_string(), source, at(error.meta)),
            None => CompileError::new(NAGA, "an error without a message", source, None),
        })?;
    let info = Validator::new(ValidationFlags::all(), CAPABILITIES)
        .validate(&module)
        .map_err(|error| {
            let span = error
                .spans()
                .map(|(span, _)| *span)
                .find(naga::Span::is_defined);
            CompileError::new(NAGA, causes(error.as_inner()), source, span.and_then(at))
        })?;
    spv::write_vec(&module, &info, &options(), None)
        .map_err(|error| CompileError::new(NAGA, causes(&error), source, None))
}

/// What a shader may use.
const CAPABILITIES: Capabilities = Capabilities::CLIP_DISTANCES
    .union(Capabilities::CULL_DISTANCE)
    .union(Capabilities::EARLY_DEPTH_TEST)
    .union(Capabilities::SHADER_FLOAT16_IN_FLOAT32);

fn options() -> spv::Options<'static> {
    let unchecked = naga::proc::BoundsCheckPolicy::Unchecked;
    spv::Options {
        lang_version: (1, 3),
        flags: spv::WriterFlags::DEBUG | spv::WriterFlags::LABEL_VARYINGS,
        // The only way to keep the bindings of the source without listing them.
        fake_missing_bindings: true,
        bounds_check_policies: naga::proc::BoundsCheckPolicies {
            index: unchecked,
            buffer: unchecked,
            image_load: unchecked,
            binding_array: unchecked,
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        force_loop_bounding: false,
        emit_int_div_checks: false,
        ..spv::Options::default()
    }
}

/// An error with what caused it.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

/// Whether glsl-lang parses a source. It knows the grammar, and nothing of types.
pub fn parses_in_glsl_lang(source: &str) -> Result<(), CompileError> {
    const NAME: &str = "glsl-lang";
    let parsed = guard::catch(|| {
        glsl_lang::ast::TranslationUnit::parse(source)
            .map(drop)
            .map_err(|error| {
                (
                    (error.line() + 1, error.col() + 1),
                    error.inner().to_string(),
                )
            })
    });
    match parsed {
        Ok(Ok(())) => Ok(()),
        Ok(Err((at, message))) => Err(CompileError::new(NAME, message, source, Some(at))),
        Err(panic) => Err(CompileError::new(
            NAME,
            format!("the parser panicked: {panic}"),
            source,
            None,
        )),
    }
}

#[cfg(test)]
mod tests;
