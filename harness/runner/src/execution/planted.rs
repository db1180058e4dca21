//! Faults planted in translations: inputs and comparison find them.

use corpora::execution::Stage;
use corpora::generate::Random;
use r700::Chip;
use r700::alu::{Alu, AluOp, Dest, Source, SourceSel};
use r700::asm::{AluGroup, Assembler};
use r700::cf::{CfAlu, CfAluOp, CfExport, CfOp, CfPlain, Kcache};
use r700::codes::{Chan, KcacheMode};
use r700::glsl::Profile;
use r700::registers::{Gpr, Swizzle};

use super::compare::Comparison;
use super::divergence::Divergence;
use super::open;
use super::shader::Shader;
use super::trial::{self, Reference, Translated};
use crate::engine::embedded::Embedded;
use crate::engine::{Engine, glsl};
use crate::engines;

const CHIP: Chip = Chip::R700;

/// As many inputs as a full run gives each program.
const FULL: u64 = 1024;

fn alu(name: &str, to: (u8, Chan), sources: &[Source]) -> Alu {
    let alu = Alu::new(AluOp::named(name), CHIP)
        .with_dst(Dest::new(to.0, to.1))
        .with_write_mask(true);
    match *sources {
        [a] => alu.with_src0(a),
        [a, b] => alu.with_src0(a).with_src1(b),
        _ => alu,
    }
}

/// A group of one instruction without literals.
fn group(alu: Alu) -> AluGroup {
    AluGroup::new([alu], [])
}

fn export(last: bool, number: u16, gpr: u8) -> CfExport {
    let name = if last { "EXPORT_DONE" } else { "EXPORT" };
    CfExport::new(CfOp::from_name(name).expect("an export"), CHIP)
        .with_array_base(number)
        .with_rw(Gpr::new(gpr))
        .with_elem_size(3)
        .with_sel(Swizzle::XYZW)
        .with_end_of_program(last)
        .with_barrier(true)
}

fn clause(op: CfAluOp) -> CfAlu {
    let lock = Kcache {
        bank: 1,
        mode: KcacheMode::LOCK_1,
        addr: 0,
    };
    CfAlu::new(op, CHIP).with_kcache0(lock).with_barrier(true)
}

fn finished(asm: Assembler) -> Shader {
    let bytes = asm.finish().expect("a program");
    Shader::new("planted", bytes, Stage::Pixel)
}

/// Groups, then R3 to pixel 0. Bank 1 is locked from line 0.
fn shader(groups: &[AluGroup]) -> Shader {
    let mut asm = Assembler::new(CHIP);
    asm.alu(clause(CfAluOp::ALU), groups).expect("a clause");
    asm.cf(export(true, 0, 3));
    finished(asm)
}

fn own(shader: &Shader) -> Translated {
    Translated::own(shader, Profile::Exact).expect("a translation")
}

/// A translation with another text in place of one that stands in it once.
fn planted(own: &Translated, from: &str, to: &str) -> Translated {
    let source = own.source.as_deref().expect("a text");
    assert_eq!(source.matches(from).count(), 1, "{from:?} in\n{source}");
    let source = source.replace(from, to);
    Translated {
        spirv: glsl::compile(&source, Stage::Pixel).expect("GLSL"),
        source: Some(source),
        interface: own.interface.clone(),
    }
}

fn reference() -> Reference {
    engines::reference("embedded").expect("the reference")
}

/// Runs both sides on inputs that are made from the microcode, and compares; also what hides behind open results.
fn judge(shader: &Shader, translated: &Translated, seed: u64) -> (Comparison, Option<Divergence>) {
    let (reference, engine) = (reference(), Embedded::default());
    let program = reference.program(shader).expect("a program");
    let reads = reference.reads(shader).expect("a program");
    let prepared = engine
        .prepare(&translated.spirv, shader.stage)
        .expect("SPIR-V");
    let mut total = Comparison::default();
    let mut runs = Vec::new();
    for attempts in trial::environments(shader, &reads, FULL, &mut Random::new(seed, 0)) {
        let run = |environment: &_| reference.run(&program, environment, &mut ());
        let (environment, outcome) = attempts.settle(run).expect("inputs").expect("a run");
        let launch = translated.launch(&environment);
        let returned = prepared.run(&[launch]).expect("a run").remove(0);
        total.add(trial::compare(
            &outcome,
            &returned,
            translated,
            &environment,
        ));
        runs.push((environment, outcome, returned));
    }
    let runs: Vec<open::Run<'_>> = runs.iter().map(|(a, b, c)| (a, b, c)).collect();
    let hidden = open::hidden(&runs, shader, translated, &reference, &program, &engine);
    let hidden = hidden.expect("a run");
    (total, hidden.map(|hidden| hidden.divergence))
}

/// How many lanes differ; none may without the fault.
fn differences(shader: &Shader, translated: &Translated, seed: u64) -> usize {
    let (comparison, _) = judge(shader, &own(shader), seed);
    assert_eq!(comparison.differences, []);
    let (comparison, _) = judge(shader, translated, seed);
    comparison.differences.len()
}

#[test]
fn a_comparison_with_a_literal_is_met_at_its_edge() {
    // R3.x = R0.x > 37.5, R3.y = R0.y > 1000 as integers, R3.z = R1.x >= 0.5; R3.w = R0.w.
    let literal = Source::literal;
    let half = Source::new(SourceSel::HALF, Chan::X);
    let compares = AluGroup::new(
        [
            alu(
                "SETGT",
                (3, Chan::X),
                &[Source::gpr(0, Chan::X), literal(Chan::X)],
            ),
            alu(
                "SETGT_INT",
                (3, Chan::Y),
                &[Source::gpr(0, Chan::Y), literal(Chan::Y)],
            ),
            alu("SETGE", (3, Chan::Z), &[Source::gpr(1, Chan::X), half]),
            alu("MOV", (3, Chan::W), &[Source::gpr(0, Chan::W)]),
        ],
        [37.5_f32.to_bits(), 1000],
    );
    let shader = shader(&[compares]);
    let own = own(&shader);
    for (from, to) in [
        ("R0.x > 37.5", "R0.x >= 37.5"),
        // One unit in the last place more, and less.
        ("R0.x > 37.5", "R0.x > 37.500004"),
        ("R0.x > 37.5", "R0.x > 37.499996"),
        (
            "floatBitsToInt(R0.y) > 1000",
            "floatBitsToInt(R0.y) >= 1000",
        ),
        ("floatBitsToInt(R0.y) > 1000", "floatBitsToInt(R0.y) > 999"),
        ("R1.x >= 0.5", "R1.x > 0.5"),
        ("R1.x >= 0.5", "R1.x >= 0.50000006"),
    ] {
        let wrong = planted(&own, from, to);
        for seed in 1..=8 {
            assert!(differences(&shader, &wrong, seed) > 0, "{from} {to} {seed}");
        }
    }
}

#[test]
fn what_a_translation_forgets_to_read_is_there() {
    // R3.x = R0.x + R1.y, R3.y = R0.y + entry 5 of bank 1, R3.z = R0.z + entry 7 of the constant file; R3.w = R0.w.
    let plus = |to: Chan, other: Source| {
        let chan = |chan: Chan| Source::gpr(0, chan);
        group(alu("ADD", (3, to), &[chan(to), other]))
    };
    let shader = shader(&[
        plus(Chan::X, Source::gpr(1, Chan::Y)),
        plus(Chan::Y, Source::kcache(0, 5, Chan::Z)),
        plus(Chan::Z, Source::cfile(7, Chan::W)),
        group(alu("MOV", (3, Chan::W), &[Source::gpr(0, Chan::W)])),
    ]);
    let own = own(&shader);
    let mut without = planted(&own, "    R1 = in_1;\n", "    R1 = vec4(0.0);\n");
    without.interface.inputs.retain(|input| input.gpr != 1);
    let mut no_block = planted(&own, "KC1[5].z", "0.0");
    no_block.interface.blocks.clear();
    let mut no_file = planted(&own, "C[7].w", "0.0");
    no_file.interface.uniform_registers = false;
    for wrong in [without, no_block, no_file] {
        let (comparison, _) = judge(&shader, &wrong, 1);
        // Some inputs are zeros, NaNs, or too small to matter.
        let lanes = comparison.lanes();
        let differ = comparison.differences.len() as u64;
        assert!(differ > lanes / 2, "{differ} of {lanes}");
    }
}

#[test]
fn a_fault_behind_an_open_result_is_found_in_its_group() {
    // R3.x = 1 / (R0.x, clamped, + 2), which is known within some units in the last place.
    let clamped = alu("MOV", (2, Chan::X), &[Source::gpr(0, Chan::X)]).with_clamp(true);
    let sources = [Source::gpr(2, Chan::X), Source::literal(Chan::X)];
    let sum = alu("ADD", (2, Chan::Y), &sources);
    let near = [
        group(clamped),
        AluGroup::new([sum], [2.0_f32.to_bits()]),
        group(alu("RECIP_IEEE", (3, Chan::X), &[Source::gpr(2, Chan::Y)])),
    ];
    // -|R0.x| - 1 as an unsigned integer: no source says what that is.
    let one = Source::new(SourceSel::ONE, Chan::X);
    let below = Source::gpr(0, Chan::X).with_abs(true).with_neg(true);
    let unknown = [
        group(alu("ADD", (2, Chan::X), &[below, one.with_neg(true)])),
        group(alu("FLT_TO_UINT", (3, Chan::X), &[Source::gpr(2, Chan::X)])),
    ];
    let next = "uintBitsToFloat(floatBitsToUint(R2.x + 2.0) + 1u)";
    for (groups, from, to, wrong) in [
        (&near[..], "R2.x + 2.0", next, 1),
        (&unknown[..], "+ -1.0", "+ -2.0", 0),
    ] {
        let shader = shader(groups);
        let own = own(&shader);
        let (comparison, hidden) = judge(&shader, &own, 1);
        assert_eq!(comparison.differences, []);
        assert!(hidden.is_none(), "{hidden:?}");
        let (comparison, hidden) = judge(&shader, &planted(&own, from, to), 1);
        assert_eq!(comparison.differences, []);
        match hidden {
            Some(Divergence::Value {
                at,
                operation: Some(0),
                ..
            }) => assert_eq!(at, wrong),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_a_lane_sends_before_it_is_lost_is_compared() {
    let mut asm = Assembler::new(CHIP);
    asm.cf(export(false, 1, 0));
    let unknown = alu("FLT_TO_UINT", (2, Chan::X), &[Source::gpr(1, Chan::X)]);
    let zero = Source::new(SourceSel::ZERO, Chan::X);
    let test = alu(
        "PRED_SETNE_INT",
        (2, Chan::Y),
        &[Source::gpr(2, Chan::X), zero],
    )
    .with_write_mask(false)
    .with_update_execute_mask(true)
    .with_update_pred(true);
    let push = clause(CfAluOp::ALU_PUSH_BEFORE);
    asm.alu(push, &[group(unknown), group(test)])
        .expect("a clause");
    let jump = CfPlain::new(CfOp::from_name("JUMP").expect("a jump"), CHIP);
    let jump = asm.cf(jump.with_pop_count(1).with_barrier(true));
    let then = group(alu("MOV", (3, Chan::X), &[zero]));
    asm.alu(clause(CfAluOp::ALU_POP_AFTER), &[then])
        .expect("a clause");
    let last = asm.cf(export(true, 0, 3));
    asm.set_target(jump, last).expect("a jump");
    let shader = finished(asm);
    let own = own(&shader);
    let (comparison, hidden) = judge(&shader, &own, 1);
    assert_eq!(comparison.differences, []);
    assert!(hidden.is_none(), "{hidden:?}");
    let wrong = planted(&own, "out_1 = R0;", "out_1 = R0.xyzz;");
    let (comparison, _) = judge(&shader, &wrong, 1);
    let lost = comparison
        .differences
        .iter()
        .filter(|one| one.what == "pixel1.w");
    assert!(lost.count() as u64 > comparison.lanes() / 2);
}
