//! The text of a translation in the making, and what it turns out to use.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::interface::{Place, Target};
use super::options::{Options, Profile, TextureKind};
use super::prelude::{Helper, Helpers};
use crate::codes::Chan;
use crate::program::Program;

/// What the text uses of what has to be declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used {
    pub(crate) helpers: Helpers,
    pub(crate) constants: bool,
    pub(crate) loop_constants: u32,
    pub(crate) booleans: u32,
    pub(crate) blocks: BTreeSet<u8>,
    pub(crate) textures: BTreeMap<u8, TextureKind>,
    /// Samplers by id: whether one is used without and with comparison.
    pub(crate) samplers: BTreeMap<u8, [bool; 2]>,
    pub(crate) buffers: BTreeSet<u8>,
    pub(crate) outputs: BTreeMap<Target, Exported>,
    pub(crate) address: bool,
    pub(crate) loop_index: bool,
    pub(crate) predicate: bool,
    pub(crate) previous: bool,
    pub(crate) kills: bool,
    pub(crate) gradients: bool,
    /// Functions on textures without a sampler.
    pub(crate) samplerless: bool,
    pub(crate) relative_read: bool,
    pub(crate) constant_index: bool,
    pub(crate) registers: [u64; 2],
}

/// An output that exports go to.
#[derive(Clone, Debug)]
pub(crate) struct Exported {
    pub(crate) name: String,
    pub(crate) place: Place,
    pub(crate) components: u8,
    /// Whether some export writes all of it on every path.
    pub(crate) certain: bool,
}

/// The text and what it uses.
pub(crate) struct Writer<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options<'a>,
    pub(crate) exact: bool,
    /// Whether the registers are an array.
    pub(crate) array: bool,
    pub(crate) gprs: u8,
    pub(crate) text: String,
    pub(crate) used: Used,
    indent: usize,
}

/// The letters of the channels.
pub(crate) const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// The letter of a channel.
pub(crate) const fn letter(chan: Chan) -> char {
    LETTERS[chan.code() as usize]
}

impl<'a> Writer<'a> {
    pub(crate) fn new(program: &'a Program, options: &'a Options<'a>, array: bool) -> Self {
        Self {
            program,
            options,
            exact: options.profile == Profile::Exact,
            array,
            gprs: options.gpr_count(),
            // About what an instruction and its share of a group take.
            text: String::with_capacity(192 * program.slots()),
            used: Used::default(),
            indent: 1,
        }
    }

    /// A line of its own, at the indentation that holds now.
    pub(crate) fn line(&mut self, line: std::fmt::Arguments<'_>) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        // Writing to a string cannot fail.
        let _ = self.text.write_fmt(line);
        self.text.push('\n');
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, line: std::fmt::Arguments<'_>) {
        self.line(line);
        self.indent += 1;
    }

    /// The line that ends a block.
    pub(crate) fn close(&mut self) {
        self.indent -= 1;
        self.line(format_args!("}}"));
    }

    /// The line between two blocks.
    pub(crate) fn between(&mut self, line: std::fmt::Arguments<'_>) {
        self.indent -= 1;
        self.open(line);
    }

    /// The name of a register.
    pub(crate) fn register(&mut self, gpr: u8) -> String {
        self.used.registers[usize::from(gpr >> 6)] |= 1 << (gpr & 63);
        if self.array {
            format!("R[{gpr}]")
        } else {
            format!("R{gpr}")
        }
    }

    /// A register of which the loop index moves the number, to be read.
    pub(crate) fn relative(&mut self, gpr: u8, index: &str) -> String {
        self.used.relative_read = true;
        format!("R[relative({gpr} + {index})]")
    }

    pub(crate) fn call(&mut self, helper: Helper) {
        self.used.helpers.insert(helper);
    }

    /// Assigns channels of a variable: `R1.xz = vec2(a, b);`. Channels are in ascending order.
    pub(crate) fn assign(&mut self, place: &str, channels: &[(u8, &str)]) {
        match channels {
            [] => {}
            [(chan, value)] => {
                self.line(format_args!(
                    "{place}.{} = {value};",
                    LETTERS[usize::from(*chan)]
                ));
            }
            _ => {
                let mut swizzle = String::new();
                let mut values = String::new();
                for (chan, value) in channels {
                    swizzle.push(LETTERS[usize::from(*chan)]);
                    if !values.is_empty() {
                        values.push_str(", ");
                    }
                    values.push_str(value);
                }
                let count = channels.len();
                match count {
                    4 => self.line(format_args!("{place} = vec4({values});")),
                    _ => self.line(format_args!("{place}.{swizzle} = vec{count}({values});")),
                }
            }
        }
    }
}
