//! Products of vectors and matrices, spelled out in additions and multiplications that each round.
//!
//! Sums run in the order of components: ((a·x + b·y) + c·z) + d·w.

use spirv::Op;

use super::{Compiler, Error, Place};
use crate::spirv::operations::{Binary, Unary};
use crate::spirv::types::{Scalar, Type};
use crate::spirv::wide::Operation;
use crate::spirv::words::Instruction;

/// A matrix in slots, column by column.
#[derive(Clone, Copy)]
struct Matrix {
    slot: u32,
    scalar: Scalar,
    rows: u32,
    columns: u32,
}

impl Matrix {
    fn column(self, index: u32) -> u32 {
        self.slot + index * self.rows * self.scalar.slots()
    }

    fn element(self, column: u32, row: u32) -> u32 {
        self.column(column) + row * self.scalar.slots()
    }
}

impl Compiler<'_, '_> {
    /// Compiles a product or a transposition; false if it is none.
    pub(super) fn matrices(&mut self, instruction: &Instruction<'_>) -> Result<bool, Error> {
        let operand = |index| instruction.operand(index);
        let slot = match instruction.op {
            Op::VectorTimesScalar => {
                let (vector, scalar, count) = self.numeric(operand(0)?)?;
                let (factor, other, 1) = self.numeric(operand(1)?)? else {
                    return Err(Error::malformed("a factor that is not a scalar"));
                };
                self.same(scalar, other)?;
                self.scale(vector, factor, scalar, count)?
            }
            Op::MatrixTimesScalar => {
                let matrix = self.matrix(operand(0)?)?;
                let (factor, other, 1) = self.numeric(operand(1)?)? else {
                    return Err(Error::malformed("a factor that is not a scalar"));
                };
                self.same(matrix.scalar, other)?;
                self.scale(
                    matrix.slot,
                    factor,
                    matrix.scalar,
                    matrix.rows * matrix.columns,
                )?
            }
            Op::Dot => {
                let (a, scalar, count) = self.numeric(operand(0)?)?;
                let (b, other, other_count) = self.numeric(operand(1)?)?;
                self.same(scalar, other)?;
                if count != other_count {
                    return Err(Error::malformed("a product of vectors of different size"));
                }
                self.dot(a, b, scalar, count)?
            }
            Op::MatrixTimesVector => {
                let matrix = self.matrix(operand(0)?)?;
                let (vector, other, count) = self.numeric(operand(1)?)?;
                self.same(matrix.scalar, other)?;
                self.sizes(matrix.columns, count)?;
                self.combine(matrix, vector)?
            }
            Op::VectorTimesMatrix => {
                let (vector, other, count) = self.numeric(operand(0)?)?;
                let matrix = self.matrix(operand(1)?)?;
                self.same(matrix.scalar, other)?;
                self.sizes(matrix.rows, count)?;
                let mut parts = Vec::new();
                for column in 0..matrix.columns {
                    let dot = self.dot(vector, matrix.column(column), other, count)?;
                    parts.extend(dot..dot + other.slots());
                }
                self.gather(parts)?
            }
            Op::MatrixTimesMatrix => {
                let (a, b) = (self.matrix(operand(0)?)?, self.matrix(operand(1)?)?);
                self.same(a.scalar, b.scalar)?;
                self.sizes(a.columns, b.rows)?;
                let mut parts = Vec::new();
                for column in 0..b.columns {
                    let product = self.combine(a, b.column(column))?;
                    parts.extend(product..product + a.rows * a.scalar.slots());
                }
                self.gather(parts)?
            }
            Op::OuterProduct => {
                let (a, scalar, rows) = self.numeric(operand(0)?)?;
                let (b, other, columns) = self.numeric(operand(1)?)?;
                self.same(scalar, other)?;
                let mut parts = Vec::new();
                for column in 0..columns {
                    let scaled = self.scale(a, b + column * scalar.slots(), scalar, rows)?;
                    parts.extend(scaled..scaled + rows * scalar.slots());
                }
                self.gather(parts)?
            }
            Op::Transpose => {
                let matrix = self.matrix(operand(0)?)?;
                let mut parts = Vec::new();
                for row in 0..matrix.rows {
                    for column in 0..matrix.columns {
                        let element = matrix.element(column, row);
                        parts.extend(element..element + matrix.scalar.slots());
                    }
                }
                self.gather(parts)?
            }
            _ => return Ok(false),
        };
        let (of, id) = instruction.typed_result()?;
        self.result_size(instruction)?;
        self.define(id, of, Place::Slots(slot))?;
        Ok(true)
    }

    /// Checks that a result's type has the slots that the operands make.
    fn result_size(&self, instruction: &Instruction<'_>) -> Result<(), Error> {
        let (of, _) = instruction.typed_result()?;
        let size = |index: usize| -> Result<(u32, u32), Error> {
            let (of, _) = self.value(instruction.operand(index)?)?;
            match self.source.types.get(of)? {
                Type::Matrix { .. } => {
                    let (_, rows, columns) = self.source.types.matrix(of)?;
                    Ok((rows, columns))
                }
                _ => Ok((self.source.types.numeric(of)?.1, 1)),
            }
        };
        let shape = match instruction.op {
            Op::VectorTimesScalar | Op::MatrixTimesScalar => size(0)?,
            Op::Dot => (1, 1),
            Op::MatrixTimesVector => (size(0)?.0, 1),
            Op::VectorTimesMatrix => (size(1)?.1, 1),
            Op::MatrixTimesMatrix => (size(0)?.0, size(1)?.1),
            Op::OuterProduct => (size(0)?.0, size(1)?.0),
            _ => {
                let (rows, columns) = size(0)?;
                (columns, rows)
            }
        };
        let found = match self.source.types.get(of)? {
            Type::Matrix { .. } => {
                let (_, rows, columns) = self.source.types.matrix(of)?;
                (rows, columns)
            }
            _ => (self.source.types.numeric(of)?.1, 1),
        };
        let (first, _) = self.value(instruction.operand(0)?)?;
        let scalar = |of: u32| match self.source.types.get(of)? {
            Type::Matrix { column, .. } => Ok(self.source.types.numeric(*column)?.0),
            _ => Ok::<Scalar, Error>(self.source.types.numeric(of)?.0),
        };
        if shape != found || scalar(of)? != scalar(first)? {
            return Err(Error::malformed(
                "a product whose type is not that of its operands",
            ));
        }
        Ok(())
    }

    fn matrix(&self, id: u32) -> Result<Matrix, Error> {
        let (of, slot) = self.value(id)?;
        let (scalar, rows, columns) = self.source.types.matrix(of)?;
        Ok(Matrix {
            slot,
            scalar,
            rows,
            columns,
        })
    }

    fn same(&self, a: Scalar, b: Scalar) -> Result<(), Error> {
        match a {
            Scalar::Float { .. } if a == b => Ok(()),
            _ => Err(Error::malformed(
                "a product of what are not floats of one width",
            )),
        }
    }

    fn sizes(&self, a: u32, b: u32) -> Result<(), Error> {
        if a == b {
            Ok(())
        } else {
            Err(Error::malformed("a product of sizes that do not match"))
        }
    }

    /// Components times one factor.
    pub(super) fn scale(
        &mut self,
        vector: u32,
        factor: u32,
        scalar: Scalar,
        count: u32,
    ) -> Result<u32, Error> {
        let factors = self.splat(factor, scalar.slots(), count)?;
        self.float(Binary::FMul, vector, factors, scalar, count)
    }

    /// An operation on two vectors of floats.
    pub(super) fn float(
        &mut self,
        operation: Binary,
        a: u32,
        b: u32,
        scalar: Scalar,
        count: u32,
    ) -> Result<u32, Error> {
        self.apply(
            Operation::Binary(operation),
            &[(a, scalar), (b, scalar)],
            scalar,
            count,
        )
    }

    /// The scalar product.
    pub(super) fn dot(&mut self, a: u32, b: u32, scalar: Scalar, count: u32) -> Result<u32, Error> {
        let products = self.float(Binary::FMul, a, b, scalar, count)?;
        let mut sum = products;
        for index in 1..count {
            let next = products + index * scalar.slots();
            sum = self.float(Binary::FAdd, sum, next, scalar, 1)?;
        }
        Ok(sum)
    }

    /// A matrix times a column.
    fn combine(&mut self, matrix: Matrix, vector: u32) -> Result<u32, Error> {
        let Matrix {
            scalar,
            rows,
            columns,
            ..
        } = matrix;
        let mut sum = self.scale(matrix.column(0), vector, scalar, rows)?;
        for index in 1..columns {
            let factor = vector + index * scalar.slots();
            let product = self.scale(matrix.column(index), factor, scalar, rows)?;
            sum = self.float(Binary::FAdd, sum, product, scalar, rows)?;
        }
        Ok(sum)
    }

    /// The determinant, by the first row's minors, and if asked for the inverse: the adjugate over the determinant.
    pub(super) fn determinant(
        &mut self,
        id: u32,
        inverse: bool,
    ) -> Result<(u32, Scalar, u32), Error> {
        let matrix = self.matrix(id)?;
        let Matrix {
            scalar,
            rows,
            columns,
            ..
        } = matrix;
        self.sizes(rows, columns)?;
        let all: Vec<u32> = (0..rows).collect();
        if !inverse {
            let slot = self.minor(matrix, &all, &all)?;
            return Ok((slot, scalar, 1));
        }
        // Cofactor (row r, column c) is element (row c, column r) of the adjugate.
        let mut adjugate = Vec::new();
        for column in 0..columns {
            for row in 0..rows {
                let without = |gone: u32| all.iter().copied().filter(|&n| n != gone).collect();
                let (left, right): (Vec<u32>, Vec<u32>) = (without(column), without(row));
                let mut cofactor = self.minor(matrix, &left, &right)?;
                if (row + column) % 2 == 1 {
                    cofactor = self.negate(cofactor, scalar)?;
                }
                adjugate.extend(cofactor..cofactor + scalar.slots());
            }
        }
        let adjugate = self.gather(adjugate)?;
        let determinant = self.minor(matrix, &all, &all)?;
        let divisors = self.splat(determinant, scalar.slots(), rows * columns)?;
        let slot = self.float(Binary::FDiv, adjugate, divisors, scalar, rows * columns)?;
        Ok((slot, scalar, rows * columns))
    }

    fn negate(&mut self, slot: u32, scalar: Scalar) -> Result<u32, Error> {
        self.apply(
            Operation::Unary(Unary::FNegate),
            &[(slot, scalar)],
            scalar,
            1,
        )
    }

    /// The determinant of these rows and columns, along the first of the rows.
    fn minor(&mut self, matrix: Matrix, rows: &[u32], columns: &[u32]) -> Result<u32, Error> {
        let (&row, rest) = match rows.split_first() {
            Some(split) => split,
            None => return Err(Error::malformed("a matrix without rows")),
        };
        let scalar = matrix.scalar;
        let mut sum = None;
        for (index, &column) in columns.iter().enumerate() {
            let element = matrix.element(column, row);
            let term = if rest.is_empty() {
                element
            } else {
                let others: Vec<u32> = columns
                    .iter()
                    .copied()
                    .filter(|&other| other != column)
                    .collect();
                let minor = self.minor(matrix, rest, &others)?;
                self.float(Binary::FMul, element, minor, scalar, 1)?
            };
            sum = Some(match sum {
                None => term,
                Some(sum) if index % 2 == 1 => self.float(Binary::FSub, sum, term, scalar, 1)?,
                Some(sum) => self.float(Binary::FAdd, sum, term, scalar, 1)?,
            });
        }
        sum.ok_or_else(|| Error::malformed("a matrix without columns"))
    }
}
