//! What a program reads, and what a lane that is lost may still do: both by the program's text.

use super::assembly::*;
use super::{ONE, environment, prepared, run_in};
use crate::r700::execution::value::{Doubt, Truth};
use crate::r700::execution::{Reads, Target};

fn reads(instructions: &[Cf]) -> Reads {
    prepared(instructions).reads(None).unwrap()
}

#[test]
fn registers_that_are_written_first_are_not_read() {
    // R1.x = R0.y; R2.x = R1.x + R1.y: of R1 only x is written before. R2 goes out with three components that nothing wrote.
    let found = reads(&[
        alu(
            cf::ALU,
            &[
                mov((1, X), src(0, Y)).last(),
                two(op2::ADD, (2, X), src(1, X), src(1, Y)).last(),
            ],
        ),
        out(2),
    ]);
    assert_eq!(found.registers, 0b111);
    let found = reads(&[alu(cf::ALU, &[mov((1, X), src(0, Y)).last()]), {
        export(0, 0, 1, [0, 4, 5, 7]).end()
    }]);
    assert_eq!(found.registers, 0b1);
}

#[test]
fn a_write_that_not_every_lane_makes_is_none() {
    let written = |op: u32, move_one: Alu| {
        let body = [
            alu(op, &[mov((1, X), src(0, X)).last()]),
            alu(cf::ALU, &[move_one.last()]),
            alu(cf::ALU_POP_AFTER, &[mov((4, X), ZERO).last()]),
            export(0, 0, 3, [0, 4, 4, 4]).end(),
        ];
        reads(&body).registers >> 3 & 1 == 0
    };
    let write = mov((3, X), src(1, X));
    assert!(written(cf::ALU, write));
    assert!(!written(cf::ALU, write.predicated(3)));
    assert!(!written(cf::ALU, write.masked()));
    // Behind a push lanes may be inactive.
    assert!(!written(cf::ALU_PUSH_BEFORE, write));
}

#[test]
fn an_index_may_mean_every_register_that_is_named() {
    let found = reads(&[
        alu(
            cf::ALU,
            &[
                two(op2::MOVA_INT, (0, X), src(0, X), src(0, X))
                    .masked()
                    .last(),
                mov((5, X), src(2, X).relative()).last(),
            ],
        ),
        out(5),
    ]);
    assert_eq!(found.registers, 0b11_1111);
}

#[test]
fn constants_literals_and_resources() {
    let literals = clause(
        cf::ALU,
        &[
            two(op2::ADD, (1, X), literal(X), HALF).last().into(),
            Slot::Literal(0x4216_0000, 0xdead_beef),
            // Entry 3 of window 0, and entry 9 of the constant file.
            two(op2::ADD, (1, Y), src(131, X), src(265, X))
                .last()
                .into(),
        ],
    );
    // LOCK_2 of bank 5 from line 7: entries 112 to 143.
    let found = reads(&[literals.kcache(2, 5, 7), vertex(0, 2), out(1)]);
    // A literal that no operand selects is none.
    assert_eq!(found.words, [0x3f00_0000, 0x4216_0000].into());
    assert_eq!(found.blocks, [(5, 144)].into());
    assert!(found.constants);
    assert_eq!(found.buffers, [0].into());
    assert_eq!((found.textures, found.samplers), Default::default());
}

/// R1.w = an unknown number over 0.0: a predicate that is open. R9 is never written.
fn open_predicate() -> Alu {
    two(op2::PRED_SETGT, (1, W), src(9, X), ZERO)
        .masked()
        .updating()
        .last()
}

/// R0.z, which is 1.0, to x of a colour buffer.
fn sends(buffer: u32) -> Cf {
    export(0, buffer, 0, [2, 7, 7, 7])
}

#[test]
fn what_a_lost_lane_has_sent_before_stands() {
    let lanes = run_in(
        &environment(1),
        &[
            sends(1),
            alu(cf::ALU_PUSH_BEFORE, &[open_predicate()]),
            alu(cf::ALU_POP_AFTER, &[mov((1, X), ONE_INT).last()]),
            out(0),
        ],
    );
    let lane = &lanes[0];
    assert!(lane.lost.is_some());
    // Nothing kills, so that it is not killed for certain.
    assert_eq!(lane.killed, Truth::Settled(false));
    let first = lane.exports[&Target::Pixel(1)][0].as_ref().unwrap();
    assert!(first.is_settled() && first.bits() == ONE);
    let last = lane.exports[&Target::Pixel(0)][0].as_ref().unwrap();
    assert_eq!(*last.doubt(), Doubt::Unknown);
}

#[test]
fn what_a_lost_lane_may_overwrite_does_not_stand() {
    let sent = |body: &[Cf]| {
        let mut all = vec![sends(1)];
        all.extend_from_slice(body);
        all.push(out(0));
        let lanes = run_in(&environment(1), &all);
        let value = lanes[0].exports[&Target::Pixel(1)][0].clone().unwrap();
        (value.is_settled(), lanes[0].killed.is_settled())
    };
    let push = || alu(cf::ALU_PUSH_BEFORE, &[open_predicate()]);
    // The other way, which the nominal one jumps over, sends the same component again; or another one.
    let skip = || control(cf::JUMP, 5, 1);
    let again = |cf: Cf| sent(&[push(), skip(), cf, control(cf::POP, 5, 1)]);
    assert_eq!(again(sends(1)), (false, true));
    assert_eq!(again(sends(2)), (true, true));
    assert_eq!(again(export(0, 1, 0, [7, 2, 7, 7])), (true, true));
    // A kill that may still come.
    let kill = two(op2::KILLGT, (1, X), src(0, X), src(0, X)).last();
    assert_eq!(
        sent(&[push(), alu(cf::ALU_POP_AFTER, &[kill])]),
        (true, false)
    );
}

#[test]
fn a_loop_leads_back_to_what_stands_before() {
    // The lane is lost in its loop's first iteration, behind the export that the next one makes again.
    let sent = |before: Cf, inside: Cf| {
        let mut environment = environment(1);
        environment.loops[0] = corpora::execution::LoopConstant::new(2, 0, 1);
        let lanes = run_in(
            &environment,
            &[
                before,
                control(cf::LOOP_START, 6, 0),
                inside,
                alu(cf::ALU_PUSH_BEFORE, &[open_predicate()]),
                alu(cf::ALU_POP_AFTER, &[mov((1, X), ONE_INT).last()]),
                control(cf::LOOP_END, 2, 0),
                out(0),
            ],
        );
        let value = lanes[0].exports[&Target::Pixel(1)][0].clone();
        value.unwrap().is_settled()
    };
    assert!(sent(sends(1), sends(2)));
    assert!(!sent(sends(2), sends(1)));
}
