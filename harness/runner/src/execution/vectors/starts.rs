//! What the registers of a lane start with, by the stage and by the registers that wire it.

use corpora::execution::Stage;
use r700::glsl::{PixelInput, StageRegisters};

use crate::execution::shader::Shader;

/// What a register starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The index of a vertex and of an instance.
    Index,
    /// A parameter or an attribute, by its location.
    Parameter(u8),
    /// The position in the window.
    Position,
    /// Nothing.
    Unset,
}

/// The locations of the interface.
const LOCATIONS: u8 = 32;

/// What a register starts with.
pub(super) fn start(shader: &Shader, gpr: u8) -> Start {
    let is_set = |gpr: &u8| shader.inputs.as_ref().is_none_or(|set| set.contains(gpr));
    let start = match (&shader.registers, shader.stage) {
        (_, Stage::Vertex) if gpr == 0 => Start::Index,
        (_, Stage::Vertex) if is_set(&gpr) => Start::Parameter(gpr - 1),
        (Some(StageRegisters::Pixel(registers)), Stage::Pixel) => match registers.input(gpr) {
            PixelInput::Parameter { semantic, .. } => Start::Parameter(semantic),
            PixelInput::Position => Start::Position,
            PixelInput::FrontFace | PixelInput::Unset => Start::Unset,
        },
        (_, Stage::Pixel) if is_set(&gpr) => Start::Parameter(gpr),
        _ => Start::Unset,
    };
    match start {
        // The interface has no place for it.
        Start::Parameter(LOCATIONS..) => Start::Unset,
        start => start,
    }
}
