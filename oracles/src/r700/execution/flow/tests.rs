//! Each rule by the states of four lanes, written as masks: lane 0 is the lowest bit.

use corpora::execution::LoopConstant;

use super::{Constants, Flow, Next, Place, States};
use crate::r700::execution::code::{Branch, BranchOp, Condition, Scope};
use crate::r700::execution::error::Fault;

const LOOPS: [LoopConstant; 32] = {
    let mut loops = [LoopConstant::MESA; 32];
    loops[1] = LoopConstant::new(2, 5, -1);
    loops[2] = LoopConstant::new(0, 0, 1);
    loops
};

/// Booleans: 0 is clear, 1 is set.
const CONSTANTS: Constants<'static> = Constants {
    booleans: 2,
    loops: &LOOPS,
};

fn flow() -> Flow {
    Flow::new(0xf, 0xf, 100)
}

fn instruction(op: BranchOp, target: u32, pops: u32) -> Branch {
    Branch {
        op,
        condition: Condition::Active,
        target,
        pops,
        constant: 0,
        calls: 0,
    }
}

#[track_caller]
fn run(flow: &mut Flow, branch: Branch) -> Next {
    let here = Place { code: 0, slot: 7 };
    flow.branch(&branch, Scope::default(), CONSTANTS, here)
        .unwrap()
}

/// What a clause with a PRED_SET does to the active mask.
fn clause(flow: &mut Flow, passing: u64) {
    flow.keep(passing);
}

#[test]
fn an_if_with_an_else() {
    let mut flow = flow();
    flow.push().unwrap();
    clause(&mut flow, 0b0011);
    // Some lanes pass: JUMP goes on and pops nothing (C7, S076).
    assert_eq!(run(&mut flow, instruction(BranchOp::Jump, 20, 0)), Next::On);
    assert_eq!(flow.states.active, 0b0011);
    // ELSE: the other two of the four that were active at the PUSH.
    assert_eq!(run(&mut flow, instruction(BranchOp::Else, 30, 1)), Next::On);
    assert_eq!(flow.states.active, 0b1100);
    assert_eq!(run(&mut flow, instruction(BranchOp::Pop, 0, 1)), Next::On);
    assert_eq!(flow.states.active, 0b1111);
    assert!(flow.is_balanced());
}

#[test]
fn a_jump_pops_when_it_jumps() {
    let mut flow = flow();
    flow.push().unwrap();
    clause(&mut flow, 0);
    let next = run(&mut flow, instruction(BranchOp::Jump, 20, 1));
    assert_eq!(next, Next::Jump(20));
    assert_eq!(flow.states.active, 0b1111);
    assert!(flow.is_balanced());
}

#[test]
fn a_jump_to_an_else_pops_nothing() {
    let mut flow = flow();
    flow.push().unwrap();
    clause(&mut flow, 0);
    // POP_COUNT 0 and the ELSE as target, as compilers emit it (S077).
    let next = run(&mut flow, instruction(BranchOp::Jump, 20, 0));
    assert_eq!(next, Next::Jump(20));
    assert_eq!(flow.states.active, 0);
    assert_eq!(run(&mut flow, instruction(BranchOp::Else, 30, 1)), Next::On);
    assert_eq!(flow.states.active, 0b1111);
}

#[test]
fn an_else_without_lanes_pops_and_jumps() {
    let mut flow = flow();
    flow.push().unwrap();
    // Every lane passes, so that none is left for the ELSE (S078).
    let next = run(&mut flow, instruction(BranchOp::Else, 30, 1));
    assert_eq!(next, Next::Jump(30));
    assert_eq!(flow.states.active, 0b1111);
    assert!(flow.is_balanced());
}

#[test]
fn an_inner_else_leaves_the_outer_lanes_alone() {
    let mut flow = flow();
    flow.push().unwrap();
    clause(&mut flow, 0b0111);
    flow.push().unwrap();
    clause(&mut flow, 0b0001);
    // Lane 3 was not active at the inner PUSH.
    run(&mut flow, instruction(BranchOp::Else, 30, 1));
    assert_eq!(flow.states.active, 0b0110);
    run(&mut flow, instruction(BranchOp::Pop, 0, 2));
    assert_eq!(flow.states.active, 0b1111);
}

#[test]
fn conditions() {
    let mut push = instruction(BranchOp::Push, 20, 0);
    push.condition = Condition::Boolean;
    let mut flow = flow();
    // Boolean 0 is clear: no lane passes, nothing is pushed.
    assert_eq!(run(&mut flow, push), Next::Jump(20));
    assert!(flow.is_balanced());
    assert_eq!(flow.states.active, 0xf);
    push.constant = 1;
    assert_eq!(run(&mut flow, push), Next::On);
    assert!(!flow.is_balanced());
    push.condition = Condition::NotBoolean;
    assert_eq!(run(&mut flow, push), Next::Jump(20));
    push.condition = Condition::False;
    assert_eq!(run(&mut flow, push), Next::Jump(20));
}

#[test]
fn push_else_always_pushes() {
    let mut push = instruction(BranchOp::PushElse, 20, 0);
    push.condition = Condition::False;
    let mut flow = flow();
    assert_eq!(run(&mut flow, push), Next::Jump(20));
    assert_eq!(flow.states.active, 0);
    // The ELSE that it jumps to finds its entry.
    assert_eq!(run(&mut flow, instruction(BranchOp::Else, 30, 1)), Next::On);
    assert_eq!(flow.states.active, 0xf);
    // POP_PUSH_ELSE pops first: the entry is replaced.
    push.op = BranchOp::PopPushElse;
    push.pops = 1;
    push.condition = Condition::Active;
    assert_eq!(run(&mut flow, push), Next::On);
    run(&mut flow, instruction(BranchOp::Pop, 0, 1));
    assert!(flow.is_balanced());
}

#[test]
fn pop_jump_tests_what_it_popped() {
    let mut flow = flow();
    flow.push().unwrap();
    clause(&mut flow, 0);
    // Without lanes before, with four after: no jump.
    let next = run(&mut flow, instruction(BranchOp::PopJump, 20, 1));
    assert_eq!(next, Next::On);
    assert_eq!(flow.states.active, 0xf);
}

#[test]
fn pop_never_jumps() {
    let mut flow = flow();
    clause(&mut flow, 0);
    flow.push().unwrap();
    assert_eq!(run(&mut flow, instruction(BranchOp::Pop, 20, 1)), Next::On);
    assert_eq!(flow.states.active, 0);
}

#[test]
fn valid_pixel_mode_switches_killed_lanes_off() {
    let mut flow = flow();
    flow.push().unwrap();
    flow.valid = 0b0111;
    let here = Place::default();
    let scope = Scope {
        valid: true,
        whole_quad: false,
    };
    let pop = instruction(BranchOp::Pop, 0, 1);
    flow.branch(&pop, scope, CONSTANTS, here).unwrap();
    assert_eq!(flow.states.active, 0b0111);
}

#[test]
fn whole_quad_mode_counts_whole_quads() {
    let mut flow = Flow::new(0x3ff, 0x3ff, 100);
    clause(&mut flow, 0b10_0000_0100);
    let scope = Scope {
        valid: false,
        whole_quad: true,
    };
    // Lane 2 brings lanes 0 to 3, lane 9 brings lane 8 (there are ten lanes).
    assert_eq!(flow.in_scope(scope), 0b11_0000_1111);
}

#[test]
fn a_counted_loop() {
    let mut flow = flow();
    let mut start = instruction(BranchOp::LoopStart, 20, 0);
    start.constant = 1;
    assert_eq!(run(&mut flow, start), Next::On);
    // Constant 1: twice, from 5 in steps of -1.
    assert_eq!(flow.loop_index, Some(5));
    let end = instruction(BranchOp::LoopEnd, 8, 0);
    assert_eq!(run(&mut flow, end), Next::Jump(8));
    assert_eq!(flow.loop_index, Some(4));
    assert_eq!(run(&mut flow, end), Next::On);
    assert_eq!(flow.loop_index, None);
    assert!(flow.is_balanced());
}

#[test]
fn nested_loops_restore_the_outer_index() {
    let mut flow = flow();
    let mut start = instruction(BranchOp::LoopStart, 20, 0);
    start.constant = 1;
    run(&mut flow, start);
    start.constant = 0;
    run(&mut flow, start);
    assert_eq!(flow.loop_index, Some(0));
    // A loop without an index leaves it alone.
    start.op = BranchOp::LoopStartNoAl;
    start.constant = 1;
    run(&mut flow, start);
    let end = instruction(BranchOp::LoopEnd, 8, 0);
    assert_eq!(run(&mut flow, end), Next::Jump(8));
    assert_eq!(run(&mut flow, end), Next::On);
    assert_eq!(flow.loop_index, Some(0));
    assert_eq!(run(&mut flow, end), Next::Jump(8));
    assert_eq!(flow.loop_index, Some(1));
}

#[test]
fn a_count_of_zero_skips_the_loop() {
    let mut flow = flow();
    let mut start = instruction(BranchOp::LoopStart, 20, 0);
    start.constant = 2;
    assert_eq!(run(&mut flow, start), Next::Jump(20));
    // The DX10 form reads no constant.
    start.op = BranchOp::LoopStartDx10;
    assert_eq!(run(&mut flow, start), Next::On);
}

#[test]
fn breaks_inside_of_a_branch() {
    let mut flow = flow();
    run(&mut flow, instruction(BranchOp::LoopStartDx10, 20, 0));
    let breaks = instruction(BranchOp::LoopBreak, 15, 0);
    // if (lanes 0, 1) break;
    flow.push().unwrap();
    clause(&mut flow, 0b0011);
    // Lanes 2 and 3 have the rest of the body to run.
    assert_eq!(run(&mut flow, breaks), Next::On);
    assert_eq!(flow.states.active, 0);
    run(&mut flow, instruction(BranchOp::Pop, 0, 1));
    // POP wakes no lane that broke out.
    assert_eq!(flow.states.active, 0b1100);
    let end = instruction(BranchOp::LoopEnd, 8, 0);
    assert_eq!(run(&mut flow, end), Next::Jump(8));
    assert_eq!(flow.states.active, 0b1100);
    // if (lanes 2, 3) break; nobody is left, so it jumps to the LOOP_END, and the PUSH is dropped.
    flow.push().unwrap();
    assert_eq!(run(&mut flow, breaks), Next::Jump(15));
    assert_eq!(run(&mut flow, end), Next::On);
    assert_eq!(flow.states.active, 0b1111);
    assert!(flow.is_balanced());
}

#[test]
fn continued_lanes_wake_at_the_end_of_the_iteration() {
    let mut flow = flow();
    run(&mut flow, instruction(BranchOp::LoopStartDx10, 20, 0));
    flow.push().unwrap();
    clause(&mut flow, 0b0001);
    run(&mut flow, instruction(BranchOp::LoopContinue, 15, 0));
    run(&mut flow, instruction(BranchOp::Pop, 0, 1));
    assert_eq!(flow.states.active, 0b1110);
    run(&mut flow, instruction(BranchOp::LoopEnd, 8, 0));
    assert_eq!(flow.states.active, 0b1111);
}

#[test]
fn an_inner_loop_does_not_wake_the_outer_loops_lanes() {
    let mut flow = flow();
    run(&mut flow, instruction(BranchOp::LoopStartDx10, 20, 0));
    flow.push().unwrap();
    clause(&mut flow, 0b0001);
    run(&mut flow, instruction(BranchOp::LoopContinue, 15, 0));
    run(&mut flow, instruction(BranchOp::Pop, 0, 1));
    // The inner loop, with three lanes; all break at once.
    run(&mut flow, instruction(BranchOp::LoopStartDx10, 14, 0));
    assert_eq!(
        run(&mut flow, instruction(BranchOp::LoopBreak, 13, 0)),
        Next::Jump(13)
    );
    assert_eq!(
        run(&mut flow, instruction(BranchOp::LoopEnd, 12, 0)),
        Next::On
    );
    assert_eq!(
        flow.states,
        States {
            active: 0b1110,
            continued: 0b0001,
            broken: 0
        }
    );
}

#[test]
fn clauses_that_break_and_continue() {
    let mut flow = flow();
    run(&mut flow, instruction(BranchOp::LoopStartDx10, 20, 0));
    // The lanes that fail the clause break out, those that it leaves active go on.
    clause(&mut flow, 0b0110);
    flow.leave_after_clause(0b1111, true).unwrap();
    assert_eq!(flow.states.active, 0b0110);
    assert_eq!(flow.states.broken, 0b1001);
    clause(&mut flow, 0b0010);
    flow.leave_after_clause(0b0110, false).unwrap();
    assert_eq!(flow.states.active, 0b0010);
    assert_eq!(flow.states.continued, 0b0100);
}

#[test]
fn calls() {
    let mut flow = flow();
    let mut call = instruction(BranchOp::Call, 40, 0);
    call.calls = 20;
    assert_eq!(run(&mut flow, call), Next::Jump(40));
    // 40 would be deeper than 32: skipped.
    assert_eq!(run(&mut flow, call), Next::On);
    call.calls = 12;
    assert_eq!(run(&mut flow, call), Next::Jump(40));
    let back = instruction(BranchOp::Return, 0, 0);
    let behind = Next::Return(Place { code: 0, slot: 8 });
    assert_eq!(run(&mut flow, back), behind);
    assert_eq!(run(&mut flow, back), behind);
    assert!(flow.is_balanced());
    // No lane passes: no call.
    call.condition = Condition::False;
    assert_eq!(run(&mut flow, call), Next::On);
}

#[test]
fn a_kill_clears_the_valid_bit_and_nothing_else() {
    let mut flow = flow();
    clause(&mut flow, 0b0011);
    run(&mut flow, instruction(BranchOp::Kill, 0, 0));
    assert_eq!(flow.valid, 0b1100);
    assert_eq!(flow.states.active, 0b0011);
}

#[test]
fn faults() {
    let fault = |flow: &mut Flow, op| {
        let branch = instruction(op, 0, 1);
        flow.branch(&branch, Scope::default(), CONSTANTS, Place::default())
            .unwrap_err()
            .to_string()
    };
    let mut flow = Flow::new(0xf, 0xf, 1);
    assert_eq!(
        fault(&mut flow, BranchOp::Pop),
        "a POP, but the stack is empty"
    );
    assert_eq!(
        fault(&mut flow, BranchOp::Else),
        "an ELSE, but the stack is empty"
    );
    assert_eq!(
        fault(&mut flow, BranchOp::LoopBreak),
        "a break or continue outside of a loop"
    );
    flow.push().unwrap();
    assert_eq!(
        fault(&mut flow, BranchOp::LoopEnd),
        "a LOOP_END, but the stack has a PUSH on top"
    );
    assert_eq!(
        fault(&mut flow, BranchOp::Return),
        "a RETURN, but the stack has a PUSH on top"
    );
    assert_eq!(flow.push(), Err(Fault::StackOverflow { room: 1 }));
}
