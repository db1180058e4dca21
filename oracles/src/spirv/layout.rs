//! How values lie in buffers: the bytes that each of their slots is made of.

use super::Error;
use super::types::{MatrixLayout, Type, Types};

/// A word or less of a value in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    /// Bytes from the value's start.
    pub(super) offset: u32,
    /// 1, 2 or 4.
    pub(super) bytes: u32,
}

/// How the parts of what a pointer points at are spread, where its type alone does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Spread {
    /// As the type says.
    Plain,
    /// A matrix, or an array of such.
    Matrix(MatrixLayout),
    /// A column of a row-major matrix: bytes from one component to the next.
    Strided(u32),
}

impl Types {
    /// Appends the pieces of a value in a buffer, one for each of its slots.
    pub(super) fn pieces(
        &self,
        id: u32,
        spread: Spread,
        base: u32,
        list: &mut Vec<Piece>,
    ) -> Result<(), Error> {
        let far = || Error::malformed("an offset in a buffer above 4 GiB");
        let at = |stride: u32, index: u32| {
            stride
                .checked_mul(index)
                .and_then(|step| step.checked_add(base))
                .ok_or_else(far)
        };
        match self.get(id)? {
            Type::Int { width, .. } | Type::Float { width } => {
                let bytes = (width / 8).min(4);
                list.push(Piece {
                    offset: base,
                    bytes,
                });
                if *width == 64 {
                    list.push(Piece {
                        offset: base.checked_add(4).ok_or_else(far)?,
                        bytes,
                    });
                }
            }
            Type::Vector { of, count } => {
                let size = self.numeric(*of)?.0.width() / 8;
                let stride = if let Spread::Strided(stride) = spread {
                    stride
                } else {
                    size
                };
                for index in 0..*count {
                    self.pieces(*of, Spread::Plain, at(stride, index)?, list)?;
                }
            }
            Type::Matrix { column, count } => {
                for index in 0..*count {
                    let (step, spread) = self.column(*column, spread)?;
                    self.pieces(*column, spread, at(step, index)?, list)?;
                }
            }
            Type::Array { of, length, stride } => {
                if self.slots(id)? == 0 {
                    return Ok(());
                }
                let stride =
                    stride.ok_or_else(|| Error::malformed("an array without ArrayStride"))?;
                for index in 0..*length {
                    self.pieces(*of, spread, at(stride, index)?, list)?;
                }
            }
            Type::Struct { members } => {
                self.slots(id)?;
                for member in members {
                    let offset = member
                        .offset
                        .ok_or_else(|| Error::malformed("a member without Offset"))?;
                    let spread = member.matrix.map_or(Spread::Plain, Spread::Matrix);
                    self.pieces(member.of, spread, at(offset, 1)?, list)?;
                }
            }
            _ => {
                return Err(Error::unsupported(format!("type %{id} in a buffer")));
            }
        }
        Ok(())
    }

    /// Bytes from one column of a matrix to the next, and the spread of a column.
    pub(super) fn column(&self, column: u32, spread: Spread) -> Result<(u32, Spread), Error> {
        let size = self.numeric(column)?.0.width() / 8;
        match spread {
            Spread::Matrix(MatrixLayout {
                stride,
                row_major: false,
            }) => Ok((stride, Spread::Plain)),
            Spread::Matrix(MatrixLayout {
                stride,
                row_major: true,
            }) => Ok((size, Spread::Strided(stride))),
            _ => Err(Error::malformed(
                "a matrix in a buffer without MatrixStride",
            )),
        }
    }
}
