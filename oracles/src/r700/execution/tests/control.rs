//! Control flow, exports and fetches of whole programs. What each instruction does to the stack is in `flow/tests.rs`.

use corpora::execution::{Buffer, LoopConstant, Outside, Stage};

use super::assembly::*;
use super::{ONE, environment, fault, first_words, observed, pixel, prepared, run_in};
use crate::r700::execution::Target;
use crate::r700::execution::value::Truth;

/// A PRED_SETGT of the lane's number and 1.0 that updates the masks: it holds in lanes 2 and 3.
fn lanes_two_and_three() -> Alu {
    two(op2::PRED_SETGT, (1, W), src(0, Y), ONE_FLOAT)
        .masked()
        .updating()
        .last()
}

/// R1.x + 1 as integers.
fn count() -> Alu {
    two(op2::ADD_INT, (1, X), src(1, X), ONE_INT).last()
}

fn clear() -> Alu {
    mov((1, X), ZERO).last()
}

#[test]
fn an_if_with_an_else_as_compilers_emit_it() {
    let lanes = run_in(
        &environment(4),
        &[
            alu(cf::ALU_PUSH_BEFORE, &[lanes_two_and_three()]),
            control(cf::JUMP, 3, 0),
            alu(cf::ALU, &[mov((1, X), ONE_INT).last()]),
            control(cf::ELSE, 5, 1),
            alu(cf::ALU_POP_AFTER, &[mov((1, X), HALF).last()]),
            out(1),
        ],
    );
    let half = 0x3f00_0000;
    assert_eq!(first_words(&lanes), [half, half, 1, 1].map(Some));
}

#[test]
fn else_after_a_clause() {
    let lanes = run_in(
        &environment(4),
        &[
            alu(cf::ALU, &[clear()]),
            alu(cf::ALU_PUSH_BEFORE, &[lanes_two_and_three()]),
            alu(cf::ALU_ELSE_AFTER, &[count()]),
            alu(cf::ALU_POP_AFTER, &[count(), count()]),
            out(1),
        ],
    );
    assert_eq!(first_words(&lanes), [2, 2, 1, 1].map(Some));
}

#[test]
fn an_execute_mask_without_a_push_lasts() {
    let lanes = run_in(
        &environment(4),
        &[alu(cf::ALU, &[lanes_two_and_three()]), out(0)],
    );
    assert_eq!(first_words(&lanes), [None, None, Some(2), Some(3)]);
    assert!(
        lanes
            .iter()
            .all(|lane| lane.killed == Truth::Settled(false))
    );
}

#[test]
fn a_counted_loop_runs_its_count() {
    let mut environment = environment(1);
    environment.loops[0] = LoopConstant::new(7, 0, 1);
    let lanes = run_in(
        &environment,
        &[
            alu(cf::ALU, &[clear()]),
            control(cf::LOOP_START, 4, 0),
            alu(cf::ALU, &[count()]),
            control(cf::LOOP_END, 2, 0),
            out(1),
        ],
    );
    assert_eq!(first_words(&lanes), [Some(7)]);
}

#[test]
fn lanes_break_out_one_after_the_other() {
    // while (true) { R1.x += 1; R2.x += 1.0; if (R2.x > lane) break; }: lane n goes round n + 1 times.
    let step = two(op2::ADD, (2, X), src(2, X), ONE_FLOAT).last();
    let test = two(op2::PRED_SETGT, (1, W), src(2, X), src(0, Y))
        .masked()
        .updating()
        .last();
    let loop_of = |body: Vec<Cf>| {
        let end = body.len() as u32 + 2;
        let mut instructions = vec![
            alu(cf::ALU, &[clear(), mov((2, X), ZERO).last()]),
            control(cf::LOOP_START_DX10, end + 1, 0),
        ];
        instructions.extend(body);
        instructions.push(control(cf::LOOP_END, 2, 0));
        instructions.push(out(1));
        first_words(&run_in(&environment(4), &instructions))
    };
    let expected = [1, 2, 3, 4].map(Some);
    // As Mesa compiles it.
    let with_a_branch = loop_of(vec![
        alu(cf::ALU, &[count(), step]),
        alu(cf::ALU_PUSH_BEFORE, &[test]),
        control(cf::JUMP, 6, 1),
        control(cf::LOOP_BREAK, 7, 0),
        control(cf::POP, 7, 1),
    ]);
    assert_eq!(with_a_branch, expected);
    // In one clause: the lanes that fail it break out, and those with lane >= R2.x go on.
    let stay = two(op2::PRED_SETGE, (1, W), src(0, Y), src(2, X))
        .masked()
        .updating()
        .last();
    assert_eq!(
        loop_of(vec![alu(cf::ALU_BREAK, &[count(), step, stay])]),
        expected
    );
}

#[test]
fn a_subroutine() {
    // 0 ALU, 1 CALL 4, 2 CALL 4, 3 export and end, 4 ALU, 5 RETURN. The JUMP over nothing keeps the section going
    // beyond the end of the program.
    let lanes = run_in(
        &environment(1),
        &[
            alu(cf::ALU, &[clear()]),
            control(cf::CALL, 4, 0).with(0, 1 << 13),
            control(cf::CALL, 4, 0).with(0, 1 << 13),
            out(1),
            alu(cf::ALU, &[count()]),
            control(cf::RETURN, 0, 0),
        ],
    );
    assert_eq!(first_words(&lanes), [Some(2)]);
}

#[test]
fn a_fetch_shader() {
    let mut environment = environment(2);
    environment.stage = Stage::Vertex;
    environment.buffers.insert(
        0,
        Buffer {
            stride: 16,
            bytes: (0..8_u32).flat_map(u32::to_le_bytes).collect(),
            format: None,
            outside: Outside::Zero,
        },
    );
    let main = [
        control(cf::CALL_FS, 0, 0),
        export(1, 60, 1, [0, 1, 2, 3]),
        control(cf::NOP, 0, 0).end(),
    ];
    // Without a fetch shader R1 is as the lanes have it.
    let lanes = run_in(&environment, &main);
    let position = |lane: usize, lanes: &[super::LaneOutcome]| {
        let sent = lanes[lane].exports[&Target::Position(60)].clone();
        sent.map(|value| value.filter(|one| one.is_settled()).map(|one| one.bits()))
    };
    assert_eq!(position(0, &lanes), [None; 4]);
    environment.fetch_shader = Some(program(&[vertex(0, 1), control(cf::RETURN, 0, 0)]));
    let lanes = run_in(&environment, &main);
    // Elements 0 and 1 of the buffer. The fetch copies the words, denormal as they are.
    assert_eq!(position(0, &lanes), [0, 1, 2, 3].map(Some));
    assert_eq!(position(1, &lanes), [4, 5, 6, 7].map(Some));
}

#[test]
fn a_burst_goes_to_consecutive_targets() {
    let lanes = run_in(
        &environment(1),
        &[
            alu(cf::ALU, &[mov((1, Y), HALF).last()]),
            export(2, 3, 0, [1, 7, 7, 2]).with(0, 1 << 17),
            control(cf::NOP, 0, 0).end(),
        ],
    );
    let targets: Vec<String> = lanes[0].exports.keys().map(Target::to_string).collect();
    assert_eq!(targets, ["param3", "param4"]);
    let second = &lanes[0].exports[&Target::Parameter(4)];
    let bits = |channel: usize| second[channel].as_ref().map(|value| value.bits());
    assert_eq!((bits(0), bits(1)), (Some(0x3f00_0000), None));
}

#[test]
fn helpers_export_nothing() {
    let mut environment = environment(2);
    environment.lanes[0].helper = true;
    let lanes = run_in(&environment, &[out(0)]);
    assert_eq!(first_words(&lanes), [None, Some(1)]);
    assert_eq!(lanes[0].killed, Truth::Settled(false));
}

#[test]
fn exports_add_up() {
    // x and y first, then y and z: the later y holds.
    let lanes = run_in(
        &environment(1),
        &[
            export(0, 0, 0, [4, 4, 7, 7]),
            export(0, 0, 0, [7, 5, 5, 7]).end(),
        ],
    );
    assert_eq!(pixel(&lanes[0]), [Some(0), Some(ONE), Some(ONE), None]);
}

#[test]
fn a_run_has_a_budget() {
    let endless = [
        control(cf::LOOP_START_DX10, 3, 0),
        alu(cf::ALU, &[clear()]),
        control(cf::LOOP_END, 1, 0),
        out(1),
    ];
    assert_eq!(
        fault(&endless),
        "CF slot 2: more than 1000 control-flow instructions"
    );
    let groups: Vec<Alu> = (0..100).map(|_| clear()).collect();
    let long = [
        control(cf::LOOP_START, 3, 0),
        alu(cf::ALU, &groups),
        control(cf::LOOP_END, 1, 0),
        out(1),
    ];
    assert_eq!(fault(&long), "CF slot 1: more than 1000 groups and fetches");
}

#[test]
fn what_is_unsupported_is_named_at_once_and_fails_when_reached() {
    let scratch = control(cf::MEM_SCRATCH, 0, 0);
    let reached = [scratch.clone(), out(0)];
    let program = prepared(&reached);
    let unsupported = &program.unsupported()[0];
    assert_eq!((unsupported.slot, &*unsupported.what), (0, "MEM_SCRATCH"));
    assert_eq!(
        fault(&reached),
        "CF slot 0: slot 0: MEM_SCRATCH is not supported"
    );
    // Behind the JUMP of no lane it does no harm.
    let skipped = [
        alu(
            cf::ALU,
            &[two(op2::PRED_SETGT, (1, W), ZERO, ZERO)
                .masked()
                .updating()
                .last()],
        ),
        control(cf::JUMP, 3, 0),
        scratch,
        out(0),
    ];
    run_in(&environment(1), &skipped);
    // Exports that the hardware has no target for.
    assert_eq!(
        fault(&[export(0, 9, 0, [0, 1, 2, 3]).end()]),
        "CF slot 0: slot 0: an export to PIXEL 9 to 9 is not supported"
    );
}

#[test]
fn faults_say_where() {
    let push = alu(cf::ALU_PUSH_BEFORE, &[clear()]);
    assert_eq!(
        fault(&[push, out(1)]),
        "CF slot 1: the program ends, but the stack is not empty"
    );
    assert_eq!(
        fault(&[control(cf::POP, 0, 1), out(0)]),
        "CF slot 0: a POP, but the stack is empty"
    );
    let none = environment(0);
    let error = observed(&[out(0)], &none, &mut ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "CF slot 0: 0 lanes, where a wavefront has 1 to 64"
    );
}
