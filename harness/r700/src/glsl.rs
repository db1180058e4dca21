//! Translation of programs to GLSL 450, as Vulkan has it.
//!
//! A transliteration: registers are `vec4` variables, slots are assignments to temporaries, and the writes of a group
//! happen together at its end. Each group stands below its disassembly and ends in a marker. What cannot be said in
//! GLSL, or what no source settles, is refused with the slot and the reason; nothing is guessed.
//!
//! ```
//! use r700::glsl::{self, Options};
//! use r700::{Chip, program};
//!
//! let words: [u32; 6] = [
//!     0x0000_0002, 0xa000_0000, // ALU: ADDR 2, COUNT 0, BARRIER
//!     0xc001_0000, 0x9420_0688, // EXPORT_DONE: R2.xyzw to PIXEL 0, END_OF_PROGRAM, BARRIER
//!     0x8180_2c00, 0x6040_0010, // ADD R2.w = R0.w, R1.w, LAST
//! ];
//! let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
//! let program = program::decode(&bytes, Chip::R700)?;
//! let translation = glsl::translate(&program, &Options::default())?;
//! assert!(translation.source.contains(
//!     "    // 2 w: ADD R2.w = R0.w, R1.w\n    \
//!          {\n        \
//!              float w = R0.w + R1.w;\n        \
//!              PV.w = w;\n        \
//!              R2.w = w;\n    \
//!          }\n    \
//!          //@ 2 R2.w PV.w\n"
//! ));
//! // R2.xyz is exported without being written: it is an input too.
//! let locations: Vec<u32> = translation.interface.inputs.iter().map(|input| input.location).collect();
//! assert_eq!(locations, [0, 1, 2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod declare;
mod element;
mod export;
mod flow;
mod group;
mod inputs;
mod interface;
mod jumps;
mod operand;
mod operation;
mod options;
mod prelude;
mod refusal;
mod registers;
mod texture;
mod tree;
mod value;
mod vertex;
mod writer;

#[cfg(test)]
mod tests;

pub use interface::{Buffer, Input, Interface, Output, Place, Sampler, Target, Texture};
pub use options::{
    Attributes, ElementFormat, Options, Profile, Stage, Texel, TextureKind, TextureShape,
};
pub use refusal::{Reason, Refusal};
pub use registers::{PixelInput, PixelRegisters, StageRegisters, VertexRegisters};

use crate::alu::SourceKind;
use crate::cf::Cf;
use crate::fetch::Fetch;
use crate::program::{ClauseBody, Program};
use inputs::{Channels, FetchShader};
use refusal::At;
use writer::Writer;

/// A program in GLSL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The source.
    pub source: String,
    /// What it reads and writes.
    pub interface: Interface,
}

/// Translates a program.
///
/// Time and memory are proportional to the program, but for checks of its jumps and for clauses that several
/// instructions run, which are written out for each.
///
/// # Errors
///
/// The first instruction that has no translation, and why.
pub fn translate(program: &Program, options: &Options<'_>) -> Result<Translation, Refusal> {
    let refuse = |reason| Err(Refusal::new(0, reason));
    match (options.stage, options.registers) {
        (Stage::Geometry, _) => return refuse(Reason::Stage("geometry")),
        (Stage::Compute, _) => return refuse(Reason::Stage("compute")),
        (Stage::Vertex, Some(StageRegisters::Pixel(_)))
        | (Stage::Pixel, Some(StageRegisters::Vertex(_))) => {
            return refuse(Reason::RegisterBlock);
        }
        _ => {}
    }
    let flow = flow::structure(program)?;
    let mut writer = Writer::new(program, options, indexes_registers(program));

    let mut functions = String::new();
    for (slot, body) in &flow.functions {
        writer.nodes(body, tree::Level::Branch, false)?;
        let body = std::mem::take(&mut writer.text);
        functions.push_str(&format!("\nvoid call{slot}() {{\n{body}}}\n"));
    }
    writer.nodes(&flow.main, tree::Level::Branch, true)?;
    let body = std::mem::take(&mut writer.text);
    if options.stage == Stage::Vertex && !writer.used.outputs.contains_key(&Target::Position(60)) {
        return refuse(Reason::NoPosition);
    }

    let (shader, attributes) = fetched(&writer)?;
    let read = inputs::inputs(program, &flow, shader, indexable(&writer));
    let start = declare::start(&mut writer, read, attributes)?;
    let (source, interface) = declare::assemble(writer, start, &functions, &body);
    Ok(Translation { source, interface })
}

/// What CALL_FS does, and the attributes that it takes: as channels of the registers that they arrive in.
fn fetched(writer: &Writer<'_>) -> Result<(FetchShader, Channels), Refusal> {
    let (mut shader, mut attributes) = (FetchShader::default(), Channels::default());
    for fetch in tree::fetches(writer.options.fetch_shader).at(0)? {
        let Fetch::Vtx(vtx) = &fetch.fetch else {
            continue;
        };
        let Some(dst) = writer.destination(vtx).at(0)? else {
            continue;
        };
        let takes_inputs = writer.options.attributes == Attributes::Inputs;
        if !takes_inputs {
            shader.read.insert(vtx.src().gpr(), vtx.src_sel_x().code());
        }
        for (chan, sel) in (0..4).zip(vtx.dst_sel().selects()) {
            if sel.code() < 6 {
                shader.written.insert(dst.gpr(), chan);
            }
            if sel.code() < 4 && takes_inputs {
                attributes.insert(dst.gpr(), sel.code());
            }
        }
    }
    Ok((shader, attributes))
}

/// Whether some instruction addresses registers relatively.
fn indexes_registers(program: &Program) -> bool {
    let exports = program
        .cf()
        .iter()
        .any(|slot| matches!(&slot.cf, Cf::Export(export) if export.rw().rel()));
    exports
        || program.clauses().iter().any(|clause| match &clause.body {
            ClauseBody::Alu(clause) => clause.instructions().iter().any(|slot| {
                let operands = usize::from(slot.alu.op().info().operands);
                let reads = slot.alu.sources().take(operands).any(|source| {
                    source.rel() && matches!(source.sel().kind(), SourceKind::Gpr(_))
                });
                reads || (slot.alu.writes_dst() && slot.alu.dst().rel())
            }),
            ClauseBody::Fetch(fetches) => fetches.iter().any(|slot| match &slot.fetch {
                Fetch::Tex(tex) => tex.src().rel() || tex.dst().rel(),
                Fetch::Vtx(vtx) => vtx.src().rel() || vtx.dst().is_some_and(|dst| dst.rel()),
                Fetch::Mem(_) => false,
            }),
        })
}

/// The registers, from 0, that an indexed read may find an input in: none above those that the program names, or that
/// are known to be set.
fn indexable(writer: &Writer<'_>) -> u8 {
    let [low, high] = writer.used.registers;
    let named = match (low, high) {
        (_, 1..) => 128 - high.leading_zeros(),
        _ => 64 - low.leading_zeros(),
    };
    let most = match writer.options.stage {
        Stage::Vertex => 33,
        _ => 32,
    };
    let inputs = writer.options.inputs.iter().flatten();
    let set = inputs.max().map_or(0, |last| last.saturating_add(1));
    (named as u8).max(set).min(writer.gprs).min(most)
}
