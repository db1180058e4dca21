//! A program in which the kinds of mistakes have a place that compilers and generators seldom give them.

use assay::execution::shader::Shader;
use corpora::execution::Stage;
use r700::Chip;
use r700::alu::{Alu, AluOp, Dest, Source};
use r700::asm::{AluGroup, Assembler};
use r700::cf::{CfAlu, CfAluOp, CfExport, CfOp, Kcache};
use r700::codes::{Chan, KcacheMode, Omod};
use r700::registers::{Gpr, Swizzle};

/// An output modifier with a clamp, abs with neg, and two constant buffers. All of it is exported.
pub(crate) fn program() -> Shader {
    let op = |name: &'static str, chan: Chan, sources: [Source; 2]| {
        Alu::new(AluOp::named(name), Chip::R700)
            .with_dst(Dest::new(3, chan))
            .with_src0(sources[0])
            .with_src1(sources[1])
            .with_write_mask(true)
    };
    let input = |chan| Source::gpr(0, chan);
    let group = AluGroup::new(
        [
            op("ADD", Chan::X, [input(Chan::X), input(Chan::Y)])
                .with_omod(Omod::M2)
                .with_clamp(true),
            op(
                "ADD",
                Chan::Y,
                [Source::kcache(0, 3, Chan::X), Source::kcache(1, 3, Chan::Y)],
            ),
            op(
                "SETGT",
                Chan::Z,
                [input(Chan::Z).with_abs(true).with_neg(true), input(Chan::W)],
            ),
        ],
        [],
    );
    let lock = |bank| Kcache {
        bank,
        mode: KcacheMode::LOCK_1,
        addr: 0,
    };
    let clause = CfAlu::new(CfAluOp::ALU, Chip::R700)
        .with_barrier(true)
        .with_kcache0(lock(0))
        .with_kcache1(lock(1));
    let done = CfOp::from_name("EXPORT_DONE").expect("an export");
    let export = CfExport::new(done, Chip::R700)
        .with_rw(Gpr::new(3))
        .with_elem_size(3)
        .with_sel(Swizzle::XYZW)
        .with_end_of_program(true)
        .with_barrier(true);
    let mut asm = Assembler::new(Chip::R700);
    asm.alu(clause, &[group]).expect("a clause");
    asm.cf(export);
    let bytes = asm.finish().expect("a program");
    Shader::new("program by hand", bytes, Stage::Pixel)
}
