//! Groups: what is read, what is written, what is decided.

use super::assembly::*;
use super::{ONE, environment, fault, first_words, pixel, run_in, sent};
use crate::r700::execution::value::{Reason, Truth};

/// 2.0
const TWO: u32 = 0x4000_0000;

/// One lane through some groups; what R1 is then.
fn r1(instructions: &[Alu]) -> [Option<u32>; 4] {
    let lanes = run_in(&environment(1), &[alu(cf::ALU, instructions), out(1)]);
    pixel(&lanes[0])
}

#[test]
fn everything_is_read_before_anything_is_written() {
    // x and y change places in one group.
    let swapped = r1(&[
        mov((1, X), ONE_INT),
        mov((1, Y), ZERO).last(),
        mov((1, X), src(1, Y)),
        mov((1, Y), src(1, X)).last(),
    ]);
    assert_eq!(swapped[..2], [Some(0), Some(1)]);
}

#[test]
fn pv_is_by_channel_and_ps_is_not() {
    let forwarded = r1(&[
        mov((1, X), ONE_INT),
        mov((1, Y), HALF),
        // The reciprocal of 1.0 is exactly 1.0 (R6 p. 200), in the trans unit.
        two(op2::RECIP_IEEE, (1, Z), ONE_FLOAT, ZERO).last(),
        mov((1, X), pv(Y)),
        mov((1, Y), pv(X)),
        mov((1, W), PS).last(),
    ]);
    assert_eq!(
        forwarded,
        [Some(0x3f00_0000), Some(1), Some(ONE), Some(ONE)]
    );
}

#[test]
fn a_masked_write_still_reaches_pv() {
    let words = r1(&[
        mov((1, X), ZERO).last(),
        mov((1, X), ONE_INT).masked().last(),
        mov((1, Y), pv(X)).last(),
    ]);
    assert_eq!(words[..2], [Some(0), Some(1)]);
}

#[test]
fn op3_always_writes() {
    // 0 == 0, so it is the second operand.
    let words = r1(&[three(op3::CNDE, (1, X), [ZERO, ONE_INT, HALF]).last()]);
    assert_eq!(words[0], Some(1));
}

#[test]
fn pv_of_an_idle_unit_is_unknown() {
    let idle = |second: &[Alu]| {
        let mut groups = vec![mov((1, X), ONE_INT).last()];
        groups.extend(second);
        groups.push(mov((1, Y), pv(X)).last());
        let lanes = run_in(&environment(1), &[alu(cf::ALU, &groups), out(1)]);
        sent(&lanes[0], 1).reason()
    };
    // Unit X has no instruction in the group between; or a NOP; or it has one that keeps its value.
    assert_eq!(
        idle(&[mov((2, Y), ZERO).last()]),
        Some(Reason::NoPreviousResult)
    );
    assert_eq!(
        idle(&[two(op2::NOP, (0, X), ZERO, ZERO).last()]),
        Some(Reason::NoPreviousResult)
    );
    assert_eq!(idle(&[mov((0, X), pv(X)).masked().last()]), None);
}

#[test]
fn pv_does_not_outlive_its_clause() {
    let lanes = run_in(
        &environment(1),
        &[
            alu(cf::ALU, &[mov((1, X), ONE_INT).last()]),
            alu(cf::ALU, &[mov((1, Y), pv(X)).last()]),
            out(1),
        ],
    );
    assert_eq!(sent(&lanes[0], 1).reason(), Some(Reason::NoPreviousResult));
    assert_eq!(pixel(&lanes[0])[0], Some(1));
}

#[test]
fn trans_beats_a_vector_unit_on_one_element() {
    // The second instruction finds unit X taken and goes to T.
    let words = r1(&[
        mov((1, X), ONE_INT),
        mov((1, X), HALF).last(),
        mov((1, Y), pv(X)),
        mov((1, Z), PS).last(),
    ]);
    assert_eq!(words[..3], [Some(0x3f00_0000), Some(1), Some(0x3f00_0000)]);
}

#[test]
fn a_destination_that_does_not_exist_is_not_written() {
    let mut small = environment(1);
    (small.gprs, small.clause_temporaries) = (2, 1);
    let lanes = run_in(
        &small,
        &[
            alu(
                cf::ALU,
                &[
                    // R2 and R126 are neither; R127 is the clause temporary.
                    mov((2, X), ONE_INT),
                    mov((126, Y), ONE_INT),
                    mov((127, Z), ONE_INT).last(),
                    mov((1, X), pv(X)),
                    mov((1, Y), src(126, Y)),
                    mov((1, Z), src(127, Z)).last(),
                ],
            ),
            alu(cf::ALU, &[mov((1, W), src(127, Z)).last()]),
            out(1),
        ],
    );
    // The temporary does not outlive its clause.
    assert_eq!(pixel(&lanes[0]), [Some(1), None, Some(1), None]);
    assert_eq!(sent(&lanes[0], 1).reason(), Some(Reason::Unset));
}

#[test]
fn modifiers_of_operands_and_results() {
    // R0.w is -2.0: -|-2| = -2, times 4 is -8; clamped it is 0; (1 + 1) by two clamped is 1; -|0.5| + 1.0 = 0.5.
    let words = r1(&[
        mov((1, X), src(0, W).absolute().negative()).omod(2),
        mov((1, Y), src(0, W)).clamped(),
        two(op2::ADD, (1, Z), ONE_FLOAT, ONE_FLOAT)
            .omod(3)
            .clamped(),
        two(op2::ADD, (1, W), HALF.absolute().negative(), ONE_FLOAT).last(),
    ]);
    assert_eq!(
        words,
        [Some(0xc100_0000), Some(0), Some(ONE), Some(0x3f00_0000)]
    );
}

#[test]
fn modifiers_of_integers_are_unknown() {
    let lanes = run_in(
        &environment(1),
        &[
            alu(
                cf::ALU,
                &[
                    two(op2::ADD_INT, (1, X), ONE_INT.negative(), ZERO),
                    two(op2::ADD_INT, (1, Y), ONE_INT, ZERO).clamped().last(),
                ],
            ),
            out(1),
        ],
    );
    for channel in [0, 1] {
        assert_eq!(
            sent(&lanes[0], channel).reason(),
            Some(Reason::IntegerModifier)
        );
    }
}

#[test]
fn literals_are_by_channel() {
    let lanes = run_in(
        &environment(1),
        &[
            clause(
                cf::ALU,
                &[
                    mov((1, X), literal(Z)).into(),
                    mov((1, Y), literal(X).negative()).last().into(),
                    Slot::Literal(ONE, 11),
                    Slot::Literal(12, 13),
                ],
            ),
            out(1),
        ],
    );
    assert_eq!(pixel(&lanes[0])[..2], [Some(12), Some(0xbf80_0000)]);
}

#[test]
fn a_dot_product_is_in_every_slot() {
    // R0 is (denormal or zero, 0.0, 1.0, -2.0) in lane 0; with itself: 0 + 0 + 1 + 4 = 5.
    let slot = |channel| two(op2::DOT4, (1, channel), src(0, channel), src(0, channel));
    let lanes = run_in(
        &environment(1),
        &[
            alu(
                cf::ALU,
                &[
                    slot(X),
                    slot(Y).masked(),
                    slot(Z).masked(),
                    slot(W).last(),
                    mov((1, Y), pv(X)),
                    mov((1, Z), pv(W)).last(),
                ],
            ),
            out(1),
        ],
    );
    let five = 5_f32.to_bits();
    assert_eq!(pixel(&lanes[0]), [Some(five); 4]);
}

#[test]
fn a_reduction_needs_its_four_slots() {
    let slot = |channel| two(op2::DOT4, (1, channel), ONE_FLOAT, ONE_FLOAT);
    let text = fault(&[alu(cf::ALU, &[slot(X), slot(Y).last()]), out(1)]);
    assert_eq!(
        text,
        "CF slot 0: slot 2: DOT4 in 2 of 4 units is not supported"
    );
}

#[test]
fn predicated_lanes_keep_everything() {
    // In lanes 2 and 3 the lane's number is greater than 1.0. PV keeps what it had where the MOV does not run, and the
    // predicate is seen by the group after.
    let lanes = run_in(
        &environment(4),
        &[
            alu(
                cf::ALU,
                &[
                    mov((1, X), ZERO),
                    mov((1, Y), HALF),
                    two(op2::PRED_SETGT, (1, Z), src(0, Y), ONE_FLOAT)
                        .updating_predicate()
                        .last(),
                    mov((1, X), ONE_INT).predicated(3),
                    mov((1, Y), ONE_FLOAT).predicated(2).last(),
                    mov((1, W), pv(Y)).last(),
                ],
            ),
            out(1),
        ],
    );
    let half = 0x3f00_0000;
    assert_eq!(first_words(&lanes), [0, 0, 1, 1].map(Some));
    let all: Vec<_> = lanes.iter().map(pixel).collect();
    // The result of PRED_SET is 1.0 where it fails, 0.0 where it holds (S070).
    assert_eq!(all[1], [Some(0), Some(ONE), Some(ONE), Some(ONE)]);
    assert_eq!(all[2], [Some(1), Some(half), Some(0), Some(half)]);
}

#[test]
fn at_its_start_the_predicate_of_a_clause_is_the_active_mask() {
    let words = r1(&[
        mov((1, X), ZERO),
        mov((1, Y), ZERO).last(),
        mov((1, X), ONE_INT).predicated(2),
        mov((1, Y), ONE_INT).predicated(3).last(),
    ]);
    assert_eq!(words[..2], [Some(0), Some(1)]);
}

#[test]
fn a_kill_ends_the_exports_of_a_lane() {
    let lanes = run_in(
        &environment(4),
        &[
            alu(
                cf::ALU,
                &[two(op2::KILLGT, (0, X), src(0, Y), ONE_FLOAT)
                    .masked()
                    .last()],
            ),
            out(0),
        ],
    );
    let killed: Vec<_> = lanes.iter().map(|lane| lane.killed).collect();
    assert_eq!(killed, [false, false, true, true].map(Truth::Settled));
    assert_eq!(first_words(&lanes), [Some(0), Some(1), None, None]);
}

#[test]
fn several_kills_count_if_they_agree() {
    // Lane n: n > 1 and n > 2 (that is 1.0 + 1.0, in R1.y). They agree in lanes 0, 1 and 3.
    let lanes = run_in(
        &environment(4),
        &[
            alu(
                cf::ALU,
                &[
                    two(op2::ADD, (1, Y), ONE_FLOAT, ONE_FLOAT).last(),
                    two(op2::KILLGT, (0, X), src(0, Y), ONE_FLOAT).masked(),
                    two(op2::KILLGT, (0, Y), src(0, Y), src(1, Y))
                        .masked()
                        .last(),
                ],
            ),
            out(0),
        ],
    );
    let killed: Vec<_> = lanes.iter().map(|lane| lane.killed).collect();
    let torn = Truth::Unsettled {
        nominal: true,
        reason: Reason::SeveralKills,
    };
    let settled = Truth::Settled;
    assert_eq!(
        killed,
        [settled(false), settled(false), torn, settled(true)]
    );
    assert_eq!(lanes[2].lost, Some(Reason::SeveralKills));
    assert_eq!(lanes[0].lost, None);
}

#[test]
fn an_unsettled_predicate_loses_the_lane() {
    // R5 is not set, so that what it is compared with does not matter.
    let lanes = run_in(
        &environment(2),
        &[
            alu(
                cf::ALU_PUSH_BEFORE,
                &[two(op2::PRED_SETGT, (1, X), src(5, X), ONE_FLOAT)
                    .masked()
                    .updating()
                    .last()],
            ),
            control(cf::POP, 0, 1),
            out(0),
        ],
    );
    assert_eq!(lanes[1].lost, Some(Reason::Unset));
    // It goes on with the nominal way, and what it exports is unknown.
    assert_eq!(sent(&lanes[1], 0).bits(), 1);
    assert_eq!(sent(&lanes[1], 0).reason(), Some(Reason::Unset));
    // Whichever way it goes, nothing kills it.
    assert_eq!(lanes[1].killed, Truth::Settled(false));
}

#[test]
fn kills_are_for_pixels() {
    let mut vertex = environment(1);
    vertex.stage = corpora::execution::Stage::Vertex;
    let instructions = [
        alu(
            cf::ALU,
            &[two(op2::KILLGT, (0, X), ZERO, ZERO).masked().last()],
        ),
        out(0),
    ];
    let error = super::observed(&instructions, &vertex, &mut ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "CF slot 0: slot 2: a kill in a vertex shader is not supported"
    );
}

#[test]
fn multiplication_by_two_is_settled() {
    let words = r1(&[two(op2::MUL_IEEE, (1, X), ONE_FLOAT, ONE_FLOAT)
        .omod(1)
        .last()]);
    assert_eq!(words[0], Some(TWO));
}
