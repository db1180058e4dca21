//! Programs by hand: what is expected follows from the fields of the instructions, as the comments say.

mod control;
mod fetches;
mod groups;
mod interface;

use glsl_lang::ast::TranslationUnit;
use glsl_lang::parse::{DefaultParse as _, ParseOptions};

use super::{Options, Reason, Stage, Translation, translate};
use crate::alu::{Alu, AluOp, Dest, Source};
use crate::asm::{AluGroup, Assembler};
use crate::cf::{CfAlu, CfAluOp, CfExport, CfOp, CfPlain};
use crate::codes::Chan;
use crate::registers::{Gpr, Swizzle};
use crate::{Chip, Program, program};

pub(super) const CHIP: Chip = Chip::R700;

pub(super) fn plain(name: &str) -> CfPlain {
    CfPlain::new(CfOp::from_name(name).unwrap(), CHIP).with_barrier(true)
}

pub(super) fn clause(op: CfAluOp) -> CfAlu {
    CfAlu::new(op, CHIP).with_barrier(true)
}

/// An instruction that writes its destination.
pub(super) fn alu(op: &'static str, dst: (u8, Chan), sources: &[Source]) -> Alu {
    let mut alu = Alu::new(AluOp::from_name(op).unwrap(), CHIP).with_dst(Dest::new(dst.0, dst.1));
    for (i, source) in sources.iter().enumerate() {
        alu = match i {
            0 => alu.with_src0(*source),
            1 => alu.with_src1(*source),
            _ => alu.with_src2(*source),
        };
    }
    match alu.encoding() {
        crate::alu::Encoding::Op2 => alu.with_write_mask(true),
        crate::alu::Encoding::Op3 => alu,
    }
}

pub(super) fn r(gpr: u8, chan: Chan) -> Source {
    Source::gpr(gpr, chan)
}

/// EXPORT_DONE of all of a register, with END_OF_PROGRAM.
pub(super) fn export(kind: u8, base: u16, gpr: u8) -> CfExport {
    CfExport::new(CfOp::from_name("EXPORT_DONE").unwrap(), CHIP)
        .with_export_type(kind)
        .with_array_base(base)
        .with_rw(Gpr::new(gpr))
        .with_sel(Swizzle::XYZW)
        .with_elem_size(3)
        .with_barrier(true)
        .with_end_of_program(true)
}

pub(super) fn finished(asm: &Assembler) -> Program {
    program::decode(&asm.clone().finish().unwrap(), CHIP).unwrap()
}

/// One ALU clause of these groups, then an export of R0 to a colour.
pub(super) fn groups(groups: &[AluGroup]) -> Program {
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU), groups).unwrap();
    asm.cf(export(0, 0, 0));
    finished(&asm)
}

pub(super) fn group(instructions: &[Alu], literals: &[u32]) -> AluGroup {
    AluGroup::new(instructions, literals)
}

/// The translation, which the front ends that are crates take.
pub(super) fn accepted(program: &Program, options: &Options<'_>) -> Translation {
    let translation = translate(program, options).unwrap_or_else(|refusal| panic!("{refusal}"));
    let source = &translation.source;
    let stage = match options.stage {
        Stage::Vertex => naga::ShaderStage::Vertex,
        _ => naga::ShaderStage::Fragment,
    };
    let module = naga::front::glsl::Frontend::default()
        .parse(&naga::front::glsl::Options::from(stage), source)
        .unwrap_or_else(|error| panic!("{}\n{source}", error.emit_to_string(source)));
    let mut validator = naga::valid::Validator::new(
        naga::valid::ValidationFlags::all(),
        naga::valid::Capabilities::all(),
    );
    if let Err(error) = validator.validate(&module) {
        panic!("{}\n{source}", error.emit_to_string(source));
    }
    let vulkan = ParseOptions {
        target_vulkan: true,
        ..ParseOptions::new()
    };
    if let Err(error) = TranslationUnit::parse_with_options(source, &vulkan) {
        panic!("{error}\n{source}");
    }
    translation
}

/// Lines without indentation, from the one after `after` on.
#[track_caller]
pub(super) fn expect_lines(translation: &Translation, lines: &[&str]) {
    let source: Vec<&str> = translation.source.lines().map(str::trim).collect();
    let found = source.windows(lines.len()).any(|window| window == lines);
    assert!(found, "{lines:#?}\nis not in\n{}", translation.source);
}

#[track_caller]
pub(super) fn refusal(program: &Program, options: &Options<'_>) -> (usize, Reason) {
    let refusal = translate(program, options).expect_err("refused");
    assert_eq!(refusal.offset, 8 * refusal.slot);
    (refusal.slot, refusal.reason)
}
