//! Constants and relative addressing.

use corpora::execution::LoopConstant;

use super::assembly::*;
use super::{environment, first_words, pixel, run_in, sent};
use crate::r700::execution::value::{Reason, Value};

/// What an out-of-range constant reads as (R6 p. 45).
const OUTSIDE: u32 = 0x7fff_ffff;

/// INDEX_MODE of the loop index.
const LOOP: u32 = 4;

/// AR.x is set to the lane's number, then an instruction runs; R1.x of four lanes.
fn by_lane(instruction: Alu) -> Vec<Option<u32>> {
    let set = two(op2::MOVA_INT, (0, X), src(0, X), ZERO).masked().last();
    let lanes = run_in(
        &environment(4),
        &[alu(cf::ALU, &[set, instruction.last()]), out(1)],
    );
    first_words(&lanes)
}

#[test]
fn the_constant_file() {
    // C2.y, then C1.z plus the lane's number, then across its end.
    assert_eq!(by_lane(mov((1, X), src(258, Y))), [Some(201); 4]);
    assert_eq!(
        by_lane(mov((1, X), src(257, Z).relative())),
        [102, 202, 302, 402].map(Some)
    );
    // C254 and C255 are within the file and not in the environment.
    assert_eq!(
        by_lane(mov((1, X), src(510, X).relative())),
        [None, None, Some(OUTSIDE), Some(OUTSIDE)]
    );
}

#[test]
fn the_constant_file_takes_the_component_of_the_mode() {
    // MOVA_INT in unit Y sets AR.y, which mode 1 names; nothing has set AR.x.
    let set = two(op2::MOVA_INT, (0, Y), src(0, X), ZERO).masked().last();
    let lanes = run_in(
        &environment(2),
        &[
            alu(
                cf::ALU,
                &[
                    set,
                    mov((1, X), src(256, X).relative()).index(1).last(),
                    mov((1, Y), src(256, X).relative()).index(0).last(),
                ],
            ),
            out(1),
        ],
    );
    assert_eq!(first_words(&lanes), [Some(0), Some(100)]);
    assert_eq!(sent(&lanes[1], 1).reason(), Some(Reason::Unset));
}

#[test]
fn relative_registers_read() {
    let mut small = environment(4);
    small.gprs = 3;
    for (lane, start) in small.lanes.iter_mut().enumerate() {
        start.registers.insert(2, [20 + lane as u32; 4]);
    }
    let set = two(op2::MOVA_INT, (0, X), src(0, X), ZERO).masked().last();
    // Mode 3 names AR.w, but a register's index is AR.x all the same. Lane 0: R1.x (unset), lane 1: R2; lanes 2 and 3
    // are beyond R2 and read R0.x, the lane's number.
    let relative = mov((1, X), src(1, X).relative()).index(3).last();
    let lanes = run_in(&small, &[alu(cf::ALU, &[set, relative]), out(1)]);
    assert_eq!(first_words(&lanes), [None, Some(21), Some(2), Some(3)]);
}

#[test]
fn relative_registers_written() {
    let mut small = environment(4);
    small.gprs = 3;
    let set = two(op2::MOVA_INT, (0, X), src(0, X), ZERO).masked().last();
    let clear = [mov((1, X), ZERO), mov((1, Y), ZERO).last()];
    let relative = mov((1, X), ONE_INT).relative().last();
    let copy = mov((1, Y), src(2, X)).last();
    let clear_second = mov((2, X), ZERO).last();
    let lanes = run_in(
        &small,
        &[
            alu(
                cf::ALU,
                &[set, clear[0], clear[1], clear_second, relative, copy],
            ),
            out(1),
        ],
    );
    // Lane 0 writes R1.x, lane 1 R2.x, the others beyond the registers: nothing.
    let found: Vec<_> = lanes.iter().map(|lane| pixel(lane)[..2].to_vec()).collect();
    let expected = [[1, 0], [0, 1], [0, 0], [0, 0]].map(|words| words.map(Some).to_vec());
    assert_eq!(found, expected);
}

#[test]
fn ar_does_not_outlive_its_clause() {
    let set = two(op2::MOVA_INT, (0, X), src(0, X), ZERO).masked().last();
    let clear = mov((1, X), ZERO).last();
    let write = mov((1, X), ONE_INT).relative().last();
    let lanes = run_in(
        &environment(1),
        &[
            alu(cf::ALU, &[set, clear]),
            alu(cf::ALU, &[mov((1, Y), src(0, X).relative()).last()]),
            out(1),
        ],
    );
    // A read is unknown, but the lane goes on.
    assert_eq!(sent(&lanes[0], 1).reason(), Some(Reason::Unset));
    assert_eq!(lanes[0].lost, None);
    // A write may have hit anything.
    let lanes = run_in(
        &environment(1),
        &[alu(cf::ALU, &[clear]), alu(cf::ALU, &[write]), out(1)],
    );
    assert_eq!(lanes[0].lost, Some(Reason::Unset));
}

#[test]
fn an_open_address_reads_all_that_it_may_mean() {
    // MOVA_INT of 300 is -256 or 255 (C15). As an index from C1 these are outside of the file and C256, outside as well.
    let mut environment = environment(1);
    environment.lanes[0].registers.insert(0, [300, 0, 0, 0]);
    let set = two(op2::MOVA_INT, (0, X), src(0, X), ZERO).masked().last();
    let read = mov((1, X), src(257, X).relative()).last();
    let lanes = run_in(&environment, &[alu(cf::ALU, &[set, read]), out(1)]);
    assert_eq!(pixel(&lanes[0])[0], Some(OUTSIDE));
}

#[test]
fn the_constant_cache() {
    let read = |mode, line, entry: u32| {
        let clause = alu(cf::ALU, &[mov((1, X), src(128 + entry, W)).last()]);
        let lanes = run_in(&environment(1), &[clause.kcache(mode, 1, line), out(1)]);
        sent(&lanes[0], 0).clone()
    };
    // Line 1 starts at entry 16: entry 16 + 3 of the buffer. LOCK_1 has 16 entries, LOCK_2 has 32.
    assert_eq!(read(1, 1, 3), Value::settled(1903));
    assert_eq!(read(1, 1, 16), Value::settled(OUTSIDE));
    assert_eq!(read(2, 1, 31), Value::settled(4703));
    // Entry 48 of the buffer is not in the environment; mode 0 locks nothing.
    assert_eq!(read(2, 2, 16).reason(), Some(Reason::Unset));
    assert_eq!(read(0, 1, 3).reason(), Some(Reason::NotLocked));
}

#[test]
fn the_constant_cache_takes_the_loop_index() {
    // A loop from 14 in steps of 1, of which the last iteration counts: aL is 15.
    let mut environment = environment(1);
    environment.loops[0] = LoopConstant::new(2, 14, 1);
    let looped = |body: Cf| {
        let lanes = run_in(
            &environment,
            &[
                control(cf::LOOP_START, 3, 0),
                body,
                control(cf::LOOP_END, 1, 0),
                out(1),
            ],
        );
        pixel(&lanes[0])[0]
    };
    let read = |entry: u32| {
        let read = mov((1, X), src(128 + entry, X).relative());
        alu(cf::ALU, &[read.index(LOOP).last()])
    };
    assert_eq!(looped(read(0).kcache(1, 1, 0)), Some(1500));
    // Entry 1 + 15 is outside of one line, and inside of two.
    assert_eq!(looped(read(1).kcache(1, 1, 0)), Some(OUTSIDE));
    assert_eq!(looped(read(1).kcache(2, 1, 0)), Some(1600));
}

#[test]
fn lock_loop_index_moves_the_window() {
    // aL is 17 in the one iteration: one line further.
    let mut environment = environment(1);
    environment.loops[0] = LoopConstant::new(1, 17, 0);
    let read = alu(cf::ALU, &[mov((1, X), src(128 + 2, X)).last()]);
    let lanes = run_in(
        &environment,
        &[
            control(cf::LOOP_START, 3, 0),
            read.kcache(3, 1, 1),
            control(cf::LOOP_END, 1, 0),
            out(1),
        ],
    );
    // Line 1 + 1, entry 2: entry 34 of the buffer.
    assert_eq!(pixel(&lanes[0])[0], Some(3400));
}

#[test]
fn exports_take_the_loop_index() {
    let mut environment = environment(1);
    environment.loops[0] = LoopConstant::new(1, 1, 0);
    environment.lanes[0].registers.insert(3, [30, 31, 32, 33]);
    // R2 with RW_REL is R3; w, 0.0, 1.0, masked.
    let relative = export(0, 0, 2, [3, 4, 5, 7]).with(1 << 22, 0);
    let lanes = run_in(
        &environment,
        &[
            control(cf::LOOP_START, 3, 0),
            relative,
            control(cf::LOOP_END, 1, 0),
            control(cf::NOP, 0, 0).end(),
        ],
    );
    assert_eq!(
        pixel(&lanes[0]),
        [Some(33), Some(0), Some(0x3f80_0000), None]
    );
}
