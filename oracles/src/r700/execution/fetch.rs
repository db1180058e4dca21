//! What vertex and texture fetches deliver.
//!
//! Pure functions: an instruction, the operands of its lanes and the environment's resources give the words that reach the
//! destination, each with its doubt. A value that no source settles is never picked silently.
//!
//! - [`vertex`] reads an element of a buffer, for one lane.
//! - [`texture`] does all texture operations, for the four lanes of a quad, as derivatives are over a quad.
//!
//! **What W, Z and the gradients are to a SAMPLE** no manual says. It is read off what Mesa 22.3.6 compiles for programs
//! whose GLSL is known, and off what Mesa's R600 back end says of it (`sfn_instr_tex.cpp`): the level of `SAMPLE_L` and the
//! bias of `SAMPLE_LB` are in W; the reference of a comparison is in W (AMD says so, R6 p. 241), except that `SAMPLE_C_L`
//! and `SAMPLE_C_LB` have the level or bias in W and the reference in Z. Gradients are those that `SET_GRADIENTS_H` and
//! `SET_GRADIENTS_V` set earlier in the clause (S103). What the `_G_L`, `_G_LB` and `_G_LZ` forms do with both is nowhere
//! said.
//!
//! **A cube map** is read with the face's number in Z and with coordinates in X and Y that run from 1 to 2 over a face: what
//! compilers make of CUBE's result, `s / 2·ma + 1.5` (S058). **An array's** layer is Z, a number and not a fraction.
//!
//! How exact a sampler is, is in [`Precision`]. Coordinates are known to 1/256 texel: a filtered result is all that the
//! filter gives within that distance, which is the spread of the texels times 2^-8 for each direction, widened to what the
//! float policy has for `sample_linear` and by a bit more for the arithmetic; a point sample is one of the texels within
//! that distance.

mod coordinate;
mod cube;
mod format;
mod gradient;
mod level;
mod load;
mod lod;
mod mip;
mod number;
mod operation;
mod precision;
mod query;
mod reading;
mod sample;
#[cfg(test)]
mod tests;
mod texture;
mod vertex;
mod wrap;

use super::value::{Reason, Value};

pub use gradient::Gradients;
pub use operation::{LevelSource, Sample, TextureOperation};
pub use precision::Precision;
pub use texture::{TextureFetch, texture};
pub use vertex::{FetchType, VertexFetch, VertexOperation, vertex};

/// A destination's or source's select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Select {
    /// Component X.
    X,
    /// Component Y.
    Y,
    /// Component Z.
    Z,
    /// Component W.
    W,
    /// Zero.
    Zero,
    /// One.
    One,
    /// Nothing is written.
    Mask,
}

impl Select {
    /// The meaning of the field's number; none for 6, which is reserved.
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::X),
            1 => Some(Self::Y),
            2 => Some(Self::Z),
            3 => Some(Self::W),
            4 => Some(Self::Zero),
            5 => Some(Self::One),
            7 => Some(Self::Mask),
            _ => None,
        }
    }
}

/// Why a fetch gives nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The environment lacks a resource.
    #[error("{what} {number} is not in the environment")]
    Missing {
        /// The kind of resource.
        what: &'static str,
        /// Its number.
        number: u8,
    },
    /// The interpreter does not do it.
    #[error("{what} is not supported by the interpreter: {why}")]
    Unsupported {
        /// The operation, and what of it.
        what: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// A DATA_FORMAT that no source describes for buffers.
    #[error(
        "DATA_FORMAT {number} ({name}) of a vertex fetch is not supported: no source says what a buffer of it holds"
    )]
    Format {
        /// Its number.
        number: u8,
        /// Its name.
        name: &'static str,
    },
    /// A reserved number.
    #[error("{field} is {value}, which is reserved; {allowed} have a meaning")]
    Reserved {
        /// The field.
        field: &'static str,
        /// Its number.
        value: u8,
        /// What has a meaning.
        allowed: &'static str,
    },
    /// A texture without texels of level 0.
    #[error("texture {number} has no texels")]
    Empty {
        /// Its RESOURCE_ID.
        number: u8,
    },
}

impl FetchError {
    fn unsupported(what: &'static str, why: &'static str) -> Self {
        Self::Unsupported { what, why }
    }
}

/// What reaches the destination of the components of a result. `integer` says that these are integers.
fn select_all(selects: &[Select; 4], components: &[Value; 4], integer: bool) -> [Option<Value>; 4] {
    selects.map(|select| match select {
        Select::X => Some(components[0].clone()),
        Select::Y => Some(components[1].clone()),
        Select::Z => Some(components[2].clone()),
        Select::W => Some(components[3].clone()),
        Select::Zero => Some(Value::settled(0)),
        // Sources have "1.0"; of integers nobody says which one it is.
        Select::One if integer => Some(Value::one_of(1.0_f32.to_bits(), &[1], Reason::FetchedOne)),
        Select::One => Some(Value::float(1.0)),
        Select::Mask => None,
    })
}
