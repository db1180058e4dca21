//! What an ALU operation computes, as GLSL expressions.

use super::prelude::{Helper, Helpers};
use super::refusal::Reason;
use super::value::{Read, Value};
use crate::alu::{Alu, flags};
use crate::chip::Chip;
use crate::codes::{Chan, Omod};

/// What an instruction gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing, and its unit has no result.
    Nothing,
    /// An expression of type `float`.
    Value(String),
    /// A new predicate, of type `bool`, and the result: which may name the predicate `p`.
    Predicate { holds: String, result: String },
    /// A condition under which the lane is killed. The result is 1.0 then, else 0.0.
    Kill(String),
    /// A channel of the address register, of type `int`.
    Address(String),
}

/// An operation with its operands.
pub(crate) struct Operation<'a> {
    pub(crate) alu: &'a Alu,
    pub(crate) operands: [Value; 3],
    pub(crate) exact: bool,
    pub(crate) helpers: &'a mut Helpers,
}

/// The largest float.
const MAX_FLOAT: &str = "3.4028235e38";

impl Operation<'_> {
    fn read(&mut self, operand: usize, read: Read) -> Result<String, Reason> {
        let source = match operand {
            0 => self.alu.src0(),
            1 => self.alu.src1(),
            _ => self.alu.src2().unwrap_or_default(),
        };
        let value = &self.operands[operand];
        let text = value.read(read, source.abs(), source.neg(), self.helpers);
        text.ok_or(Reason::IntegerModifier(
            if source.abs() { "ABS" } else { "NEG" },
            "operand",
        ))
    }

    fn pair(&mut self, read: Read) -> Result<(String, String), Reason> {
        Ok((self.read(0, read)?, self.read(1, read)?))
    }

    /// Operands 0 and 1 as floats.
    pub(crate) fn pair_of_floats(&mut self) -> Result<(String, String), Reason> {
        self.pair(Read::Float)
    }

    fn call(&mut self, helper: Helper) {
        self.helpers.insert(helper);
    }

    /// One call of a function: in the exact profile of `helper` by its name, else of what GLSL has.
    fn function(&mut self, helper: Helper, exact: &str, fast: &str) -> Result<String, Reason> {
        let a = self.read(0, Read::Float)?;
        Ok(if self.exact {
            self.call(helper);
            format!("{exact}({a})")
        } else {
            format!("{fast}({a})")
        })
    }

    /// The product of operands 0 and 1 by the rule that zero times anything is zero, or by IEEE.
    pub(crate) fn product(&mut self, ieee: bool) -> Result<String, Reason> {
        let (a, b) = self.pair(Read::Float)?;
        Ok(if ieee || !self.exact {
            format!("{a} * {b}")
        } else {
            self.call(Helper::Mul);
            format!("mul({a}, {b})")
        })
    }

    fn comparison(&mut self, operator: &str, read: Read) -> Result<String, Reason> {
        let (a, b) = self.pair(read)?;
        Ok(comparison(
            &a,
            operator,
            &b,
            read == Read::Float && self.exact,
        ))
    }

    /// The comparison and the operands of a name such as `SETGT_INT`, without its prefix.
    fn compared(&mut self, name: &str) -> Result<String, Reason> {
        let (operator, rest) = operator(name);
        let read = match rest {
            "_INT" => Read::Int,
            "_UINT" => Read::Uint,
            _ => Read::Float,
        };
        self.comparison(operator, read)
    }

    /// What the operation gives, before output modifiers.
    pub(crate) fn outcome(&mut self) -> Result<Outcome, Reason> {
        let name = self.alu.op().name().unwrap_or("");
        if let Some(rest) = name.strip_prefix("PRED_SET") {
            return self.predicate(rest);
        }
        if let Some(rest) = name.strip_prefix("KILL") {
            return Ok(Outcome::Kill(self.compared(rest)?));
        }
        if let Some(rest) = name.strip_prefix("SET") {
            let holds = self.compared(rest)?;
            return Ok(Outcome::Value(if rest.len() == 1 || rest.len() == 2 {
                format!("{holds} ? 1.0 : 0.0")
            } else {
                format!("intBitsToFloat({holds} ? -1 : 0)")
            }));
        }
        if let Some(rest) = name.strip_prefix("CND") {
            let (operator, rest) = operator(rest);
            let (read, zero) = if rest == "_INT" {
                (Read::Int, "0")
            } else {
                (Read::Float, "0.0")
            };
            let test = self.read(0, read)?;
            let (b, c) = (self.read(1, Read::Bits)?, self.read(2, Read::Bits)?);
            return Ok(Outcome::Value(format!(
                "{test} {operator} {zero} ? {b} : {c}"
            )));
        }
        if name.starts_with("MOVA") {
            return self.address(name);
        }
        if self.alu.op().info().flags.contains(flags::FLOAT64) {
            return Err(Reason::Operation(
                self.alu.op(),
                "GLSL for Vulkan has no such doubles",
            ));
        }
        match self.float(name)? {
            Some(value) => Ok(Outcome::Value(value)),
            None if name == "NOP" => Ok(Outcome::Nothing),
            None => match self.integer(name)? {
                Some(value) => Ok(Outcome::Value(value)),
                None => Err(Reason::Operation(self.alu.op(), "the opcode is reserved")),
            },
        }
    }

    /// The operations on floats but comparisons.
    fn float(&mut self, name: &str) -> Result<Option<String>, Reason> {
        let exact = self.exact;
        Ok(Some(match name {
            "ADD" => {
                let (a, b) = self.pair(Read::Float)?;
                format!("{a} + {b}")
            }
            "MUL" => self.product(false)?,
            "MUL_IEEE" => self.product(true)?,
            "MAX" | "MAX_DX10" | "MIN" | "MIN_DX10" => {
                let (a, b) = self.pair(Read::Float)?;
                let (helper, called) = match (name.starts_with("MAX"), exact) {
                    (true, true) => (Helper::Larger, "larger"),
                    (false, true) => (Helper::Smaller, "smaller"),
                    (true, false) => (Helper::Larger, "max"),
                    (false, false) => (Helper::Smaller, "min"),
                };
                if exact {
                    self.call(helper);
                }
                format!("{called}({a}, {b})")
            }
            "MULADD" | "MULADD_M2" | "MULADD_M4" | "MULADD_D2" => self.multiply_add(false, name)?,
            "MULADD_IEEE" | "MULADD_IEEE_M2" | "MULADD_IEEE_M4" | "MULADD_IEEE_D2" => {
                self.multiply_add(true, name)?
            }
            "MUL_LIT" | "MUL_LIT_M2" | "MUL_LIT_M4" | "MUL_LIT_D2" => {
                let (a, b) = self.pair(Read::Float)?;
                let c = self.read(2, Read::Float)?;
                self.call(Helper::MulLit);
                scaled(format!("mul_lit({a}, {b}, {c})"), name)
            }
            "FRACT" => format!("fract({})", self.read(0, Read::Float)?),
            "TRUNC" => format!("trunc({})", self.read(0, Read::Float)?),
            "CEIL" => format!("ceil({})", self.read(0, Read::Float)?),
            "RNDNE" => format!("roundEven({})", self.read(0, Read::Float)?),
            "FLOOR" => format!("floor({})", self.read(0, Read::Float)?),
            "MOV" => self.read(0, Read::Bits)?,
            "EXP_IEEE" => self.function(Helper::Exp2, "exp2_of", "exp2")?,
            "LOG_IEEE" => self.function(Helper::Log2, "log2_of", "log2")?,
            "LOG_CLAMPED" => {
                let value = self.function(Helper::Log2, "log2_of", "log2")?;
                // Minus infinity only.
                self.call(Helper::RaisedInfinity);
                format!("raised_infinity({value})")
            }
            "RECIP_IEEE" | "RECIP_CLAMPED" | "RECIP_FF" => {
                let value = if exact {
                    self.function(Helper::Recip, "recip", "")?
                } else {
                    format!("1.0 / {}", self.read(0, Read::Float)?)
                };
                self.limited(value, name)
            }
            "RECIPSQRT_IEEE" | "RECIPSQRT_CLAMPED" | "RECIPSQRT_FF" => {
                let value = self.function(Helper::RecipSqrt, "recip_sqrt", "inversesqrt")?;
                self.limited(value, name)
            }
            "SQRT_IEEE" => self.function(Helper::Sqrt, "sqrt_of", "sqrt")?,
            "SIN" | "COS" => {
                let called = if name == "SIN" { "sin" } else { "cos" };
                let a = self.read(0, Read::Float)?;
                match (self.alu.chip(), exact) {
                    (Chip::R600, _) => format!("{called}({a})"),
                    (Chip::R700, true) => format!("{called}(6.2831855 * ({a} - roundEven({a})))"),
                    (Chip::R700, false) => format!("{called}(6.2831855 * {a})"),
                }
            }
            "INT_TO_FLT" => format!("float({})", self.read(0, Read::Int)?),
            "UINT_TO_FLT" => format!("float({})", self.read(0, Read::Uint)?),
            _ => return Ok(None),
        }))
    }

    /// What becomes of infinity in the forms _CLAMPED and _FF.
    fn limited(&mut self, value: String, name: &str) -> String {
        if name.ends_with("_CLAMPED") {
            self.call(Helper::ClampedInfinity);
            format!("clamped_infinity({value})")
        } else if name.ends_with("_FF") {
            self.call(Helper::ZeroedInfinity);
            format!("zeroed_infinity({value})")
        } else {
            value
        }
    }

    fn multiply_add(&mut self, ieee: bool, name: &str) -> Result<String, Reason> {
        let product = self.product(ieee)?;
        let c = self.read(2, Read::Float)?;
        Ok(scaled(format!("{product} + {c}"), name))
    }

    /// The operations that give integers but comparisons.
    fn integer(&mut self, name: &str) -> Result<Option<String>, Reason> {
        let exact = self.exact;
        let infix = match name {
            "AND_INT" => Some("&"),
            "OR_INT" => Some("|"),
            "XOR_INT" => Some("^"),
            "ADD_INT" => Some("+"),
            "SUB_INT" => Some("-"),
            "MULLO_INT" => Some("*"),
            _ => None,
        };
        if let Some(infix) = infix {
            let (a, b) = self.pair(Read::Int)?;
            return Ok(Some(format!("intBitsToFloat({a} {infix} {b})")));
        }
        Ok(Some(match name {
            "NOT_INT" => format!("intBitsToFloat(~{})", self.read(0, Read::Int)?),
            "MAX_INT" | "MIN_INT" => {
                let (a, b) = self.pair(Read::Int)?;
                format!(
                    "intBitsToFloat({}({a}, {b}))",
                    if name == "MAX_INT" { "max" } else { "min" }
                )
            }
            "MAX_UINT" | "MIN_UINT" => {
                let (a, b) = self.pair(Read::Uint)?;
                format!(
                    "uintBitsToFloat({}({a}, {b}))",
                    if name == "MAX_UINT" { "max" } else { "min" }
                )
            }
            "MULLO_UINT" => {
                let (a, b) = self.pair(Read::Uint)?;
                format!("uintBitsToFloat({a} * {b})")
            }
            "MULHI_UINT" => {
                let (a, b) = self.pair(Read::Uint)?;
                self.call(Helper::MulHigh);
                format!("uintBitsToFloat(mul_high({a}, {b}))")
            }
            "MULHI_INT" => {
                let (a, b) = self.pair(Read::Int)?;
                self.call(Helper::MulHighSigned);
                format!("intBitsToFloat(mul_high_signed({a}, {b}))")
            }
            "LSHL_INT" | "ASHR_INT" | "LSHR_INT" => {
                let (helper, called, infix, kind) = match name {
                    "LSHL_INT" => (Helper::ShiftLeft, "shift_left", "<<", Read::Int),
                    "ASHR_INT" => (Helper::ShiftSigned, "shift_signed", ">>", Read::Int),
                    _ => (Helper::ShiftRight, "shift_right", ">>", Read::Uint),
                };
                let (a, n) = (self.read(0, kind)?, self.read(1, Read::Uint)?);
                let cast = if kind == Read::Int {
                    "intBitsToFloat"
                } else {
                    "uintBitsToFloat"
                };
                if exact {
                    self.call(helper);
                    format!("{cast}({called}({a}, {n}))")
                } else {
                    // Front ends refuse constant counts that have no meaning in GLSL.
                    format!("{cast}({a} {infix} ({n} & 31u))")
                }
            }
            "RECIP_UINT" => {
                let a = self.read(0, Read::Uint)?;
                self.call(Helper::RecipUint);
                format!("uintBitsToFloat(recip_uint({a}))")
            }
            "RECIP_INT" => {
                let a = self.read(0, Read::Int)?;
                self.call(Helper::RecipInt);
                format!("intBitsToFloat(recip_int({a}))")
            }
            "FLT_TO_INT" => format!(
                "intBitsToFloat({})",
                self.function(Helper::ToInt, "to_int", "int")?
            ),
            "FLT_TO_UINT" => format!(
                "uintBitsToFloat({})",
                self.function(Helper::ToUint, "to_uint", "uint")?
            ),
            _ => return Ok(None),
        }))
    }

    /// PRED_SET operations; `name` is what follows that.
    fn predicate(&mut self, name: &str) -> Result<Outcome, Reason> {
        let exact = self.exact;
        let (holds, result) = match name {
            "_INV" => {
                let a = self.read(0, Read::Float)?;
                (
                    format!("{a} == 1.0"),
                    format!("p ? 0.0 : ({a} == 0.0 ? 1.0 : {a})"),
                )
            }
            "_RESTORE" => {
                let a = self.read(0, Read::Float)?;
                (format!("{a} == 0.0"), format!("p ? 0.0 : {a}"))
            }
            "_CLR" => ("false".into(), MAX_FLOAT.into()),
            "_POP" => {
                return Err(Reason::Operation(
                    self.alu.op(),
                    "no source says its result",
                ));
            }
            _ => {
                let (operator, rest) = operator(name);
                match rest {
                    "_PUSH" | "_PUSH_INT" => {
                        let (read, zero) = if rest == "_PUSH" {
                            (Read::Float, "0.0")
                        } else {
                            (Read::Int, "0")
                        };
                        let (a, b) = (self.read(0, Read::Float)?, self.read(1, read)?);
                        let test = comparison(&b, operator, zero, read == Read::Float && exact);
                        (
                            format!("{test} && {a} == 0.0"),
                            format!("p ? 0.0 : {a} + 1.0"),
                        )
                    }
                    "" | "_INT" | "_UINT" => (self.compared(name)?, "p ? 0.0 : 1.0".into()),
                    _ => {
                        return Err(Reason::Operation(
                            self.alu.op(),
                            "GLSL for Vulkan has no such doubles",
                        ));
                    }
                }
            }
        };
        Ok(Outcome::Predicate { holds, result })
    }

    fn address(&mut self, name: &str) -> Result<Outcome, Reason> {
        let value = match name {
            "MOVA_INT" => {
                // Numbers of this size are exact as floats, and others stay outside.
                format!("float({})", self.read(0, Read::Int)?)
            }
            "MOVA_FLOOR" => format!("floor({})", self.read(0, Read::Float)?),
            "MOVA" => format!("floor({} + 0.5)", self.read(0, Read::Float)?),
            _ => {
                return Err(Reason::Operation(
                    self.alu.op(),
                    "no source says what it does",
                ));
            }
        };
        self.call(Helper::Address);
        Ok(Outcome::Address(format!("address({value})")))
    }

    /// The result behind the output modifiers OMOD and CLAMP.
    pub(crate) fn modified(&self, value: String) -> Result<String, Reason> {
        let value = match self.alu.omod() {
            Omod::M2 => format!("({value}) * 2.0"),
            Omod::M4 => format!("({value}) * 4.0"),
            Omod::D2 => format!("({value}) * 0.5"),
            _ => value,
        };
        let integer = flags::DST_INT;
        let flags = self.alu.op().info().flags;
        let is_integer = flags.contains(integer) || flags.contains(flags::DST_UINT);
        let modifier = match (self.alu.omod() != Omod::OFF, self.alu.clamp()) {
            (false, false) => return Ok(value),
            (true, _) => "OMOD",
            (false, true) => "CLAMP",
        };
        if is_integer {
            return Err(Reason::IntegerModifier(modifier, "result"));
        }
        Ok(if self.alu.clamp() {
            format!("clamp({value}, 0.0, 1.0)")
        } else {
            value
        })
    }
}

/// Operands of CUBE: the direction that the four slots spell, if they do.
pub(crate) fn cube_direction(alus: [&Alu; 4]) -> Option<[(usize, Chan); 3]> {
    let [x, y, z, w] = alus;
    let (rx, ry, rz) = (z.src0(), w.src0(), x.src0());
    let spelled = [
        (x.src1(), ry),
        (y.src0(), rz),
        (y.src1(), rx),
        (z.src1(), rz),
        (w.src1(), rz),
    ];
    let agrees = spelled.iter().all(|(found, wanted)| found == wanted);
    agrees.then_some([(2, rx.chan()), (3, ry.chan()), (0, rz.chan())])
}

/// The operator that a name such as `GT_INT` begins with, and the rest.
fn operator(name: &str) -> (&'static str, &str) {
    for (prefix, operator) in [
        ("GT", ">"),
        ("GE", ">="),
        ("NE", "!="),
        ("LT", "<"),
        ("LE", "<="),
        ("E", "=="),
    ] {
        if let Some(rest) = name.strip_prefix(prefix) {
            return (operator, rest);
        }
    }
    ("==", name)
}

/// A comparison. Compilers differ in what `!=` is on a NaN, so it is written as what it must not be.
fn comparison(a: &str, operator: &str, b: &str, careful: bool) -> String {
    if operator == "!=" && careful {
        format!("!({a} == {b})")
    } else {
        format!("{a} {operator} {b}")
    }
}

/// The result of a name that ends with _M2, _M4 or _D2.
fn scaled(value: String, name: &str) -> String {
    match name.rsplit('_').next() {
        Some("M2") => format!("({value}) * 2.0"),
        Some("M4") => format!("({value}) * 4.0"),
        Some("D2") => format!("({value}) * 0.5"),
        _ => value,
    }
}
