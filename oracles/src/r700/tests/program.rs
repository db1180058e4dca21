//! Whole programs: rules 1 to 4 of the contract kept and broken, on programs small enough to be read.

use super::*;
use Chip::{R600, R700};
use RejectClass::{BadLength, Misaligned, OutOfRange, Overlap, Truncated};

/// A slot of two words.
pub(super) type Slot = [u32; 2];

pub(super) const NOP: Slot = [0, 0];
/// NOP with END_OF_PROGRAM (21).
pub(super) const END: Slot = [0, 1 << 21];
/// CF_INST 20.
const RETURN: Slot = [0, 20 << 23];

/// A CF instruction with CF_INST (29:23) and ADDR.
pub(super) fn cf(op: u32, addr: u32) -> Slot {
    [addr, op << 23]
}

pub(super) fn ending(slot: Slot) -> Slot {
    [slot[0], slot[1] | 1 << 21]
}

/// CF_INST 8 (29:26), COUNT (24:18).
pub(super) fn alu(addr: u32, size: u32) -> Slot {
    [addr, 8 << 26 | (size - 1) << 18]
}

/// CF_INST 1, COUNT (12:10).
pub(super) fn tex(addr: u32, size: u32) -> Slot {
    [addr, 1 << 23 | (size - 1) << 10]
}

/// CF_INST 2.
pub(super) fn vtx(addr: u32, size: u32) -> Slot {
    [addr, 2 << 23 | (size - 1) << 10]
}

/// ADD to a channel (30:29), R7xx, with WRITE_MASK.
pub(super) fn add(channel: u32) -> Slot {
    [0, 1 << 4 | channel << 29]
}

/// With LAST (31).
pub(super) fn last(slot: Slot) -> Slot {
    [slot[0] | 1 << 31, slot[1]]
}

pub(super) fn program(slots: &[Slot]) -> Vec<u8> {
    bytes(slots.as_flattened())
}

#[track_caller]
pub(super) fn accepted(slots: &[Slot], expected: &str) {
    check_some(Unit::Program, R700, slots.as_flattened(), expected);
}

#[track_caller]
pub(super) fn rejected(slots: &[Slot], class: RejectClass, slot: u64) {
    check_rejected(Unit::Program, R700, &program(slots), class, 8 * slot);
}

/// The slots that are reported, with their kinds.
pub(super) fn kinds(slots: &[Slot]) -> Vec<String> {
    fields(Unit::Program, R700, slots.as_flattened())
        .into_iter()
        .filter_map(|field| {
            let (slot, kind) = field.strip_prefix("slot[")?.split_once("].kind=")?;
            Some(format!("{slot} {}", kind.split_once('/')?.0))
        })
        .collect()
}

#[test]
fn rule_1_length() {
    let odd = |length: usize| program(&[END, END, END])[..length].to_vec();
    check_rejected(Unit::Program, R700, &odd(0), Truncated, 0);
    check_rejected(Unit::Program, R700, &odd(7), BadLength, 0);
    check_rejected(Unit::Program, R700, &odd(8 + 4), BadLength, 8);
    check_rejected(Unit::Program, R700, &odd(23), BadLength, 16);
}

#[test]
fn rule_2_the_section_ends_after_end_of_program_or_return() {
    assert_eq!(kinds(&[END]), ["0 cf"]);
    assert_eq!(kinds(&[NOP, RETURN, NOP]), ["0 cf", "1 cf"]);
    assert_eq!(kinds(&[NOP, END, END]), ["0 cf", "1 cf"]);
    // An export can end it, and an opcode without a name.
    assert_eq!(kinds(&[ending(cf(40, 0)), NOP]), ["0 cf"]);
    assert_eq!(kinds(&[ending(cf(25, 0)), NOP]), ["0 cf"]);
    // CF_ALU has no END_OF_PROGRAM: bit 21 of its word 1 is part of COUNT.
    let counted = [3, 8 << 26 | 1 << 21];
    rejected(&[counted, END], OutOfRange, 0);
}

#[test]
fn rule_2_the_section_goes_on_to_what_was_jumped_to() {
    // JUMP to slot 3: neither the end in slot 1 nor the one in slot 2 is the last.
    assert_eq!(
        kinds(&[cf(10, 3), END, RETURN, END, NOP]),
        ["0 cf", "1 cf", "2 cf", "3 cf"]
    );
    // To itself or backwards: nothing to go on to.
    assert_eq!(kinds(&[NOP, ending(cf(5, 1)), NOP]), ["0 cf", "1 cf"]);
    assert_eq!(kinds(&[NOP, ending(cf(5, 0)), NOP]), ["0 cf", "1 cf"]);
    // The ending instruction's own jump counts.
    assert_eq!(kinds(&[ending(cf(18, 1)), RETURN, NOP]), ["0 cf", "1 cf"]);
    // POP does not use ADDR.
    assert_eq!(kinds(&[cf(14, 2), END, END]), ["0 cf", "1 cf"]);
}

#[test]
fn rule_2_the_section_ends_before_the_first_clause() {
    // No END_OF_PROGRAM: the clause in slot 2 is the wall, also for what a jump names beyond it.
    let slots = [alu(2, 1), cf(10, 3), last(add(0)), NOP];
    assert_eq!(kinds(&slots), ["0 cf", "1 cf", "2 alu"]);
    // The lowest of two.
    let slots = [alu(4, 1), alu(3, 1), NOP, last(add(0)), last(add(1))];
    assert_eq!(kinds(&slots), ["0 cf", "1 cf", "2 cf", "3 alu", "4 alu"]);
}

#[test]
fn rule_2_the_program_ends_first() {
    rejected(&[NOP], Truncated, 1);
    rejected(&[NOP, NOP, NOP], Truncated, 3);
    rejected(&[cf(10, 2), END, NOP], Truncated, 3);
}

#[test]
fn rule_3_targets() {
    let jumping = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18];
    for op in 0..=29 {
        if matches!(op, 1..=3 | 27..=29) {
            continue; // clauses
        }
        let slots = [NOP, cf(op, 3), END];
        if jumping.contains(&op) {
            rejected(&slots, OutOfRange, 1);
            rejected(&[NOP, cf(op, u32::MAX), END], OutOfRange, 1);
            accepted(&[NOP, cf(op, 2), END], "slot[2].kind=cf/0");
        } else {
            accepted(&slots, "slot[1].kind=cf/0");
        }
    }
}

#[test]
fn rule_3_clauses() {
    // ADDR + size is one slot too much; ADDR alone is.
    rejected(&[NOP, alu(2, 2), last(add(0))], OutOfRange, 1);
    rejected(&[END, NOP, NOP].map(|_| alu(3, 1)), OutOfRange, 0);
    rejected(&[ending(tex(2, 2)), NOP, NOP, NOP, NOP], OutOfRange, 0);
    rejected(&[ending(tex(u32::MAX - 1, 1)), NOP], OutOfRange, 0);
    // A fetch clause starts on an even slot, and that is looked at first.
    rejected(&[NOP, ending(tex(3, 1)), NOP, NOP, NOP], Misaligned, 1);
    rejected(&[NOP, ending(vtx(0xffff_ffff, 1))], Misaligned, 1);
    accepted(&[alu(1, 1), last(add(0))], "slot[1].kind=alu/1");
    // VTX_TC, and the ACK forms.
    for op in [3, 27, 28, 29] {
        rejected(&[NOP, ending(cf(op, 3)), NOP, NOP, NOP], Misaligned, 1);
    }
    // Which R6xx lacks: it does not use ADDR there.
    for op in [27, 28, 29] {
        let slots = [ending(cf(op, 3)), NOP];
        check_some(
            Unit::Program,
            R600,
            slots.as_flattened(),
            "slot[0].cf.format=RESERVED/4",
        );
    }
    // Every ALU clause; not the unused opcode.
    for op in 8..=15 {
        let slots = [[2, op << 26], END];
        match op {
            12 => assert_eq!(kinds(&slots), ["0 cf", "1 cf"]),
            _ => rejected(&slots, OutOfRange, 0),
        }
    }
}

#[test]
fn rule_3_counts() {
    // COUNT_3 (19) makes 9 fetches; without it one, of which the clause's 18 slots are known.
    let nine = [2, 1 << 23 | 1 << 19 | 1 << 21];
    let mut slots = vec![nine, NOP];
    slots.extend([[16, 0], NOP].repeat(9));
    assert_eq!(kinds(&slots).len(), 1 + 9);
    slots.pop();
    rejected(&slots, OutOfRange, 0);
    let (oracle, outcome) = ask(Unit::Program, R600, &program(&slots));
    let kind = oracle.vocabulary().id("kind").unwrap();
    let kinds = outcome
        .record
        .entries()
        .iter()
        .filter(|entry| entry.field == kind);
    assert_eq!(kinds.count(), 1 + 1);
}

#[test]
fn rule_4_a_clause_is_decoded_once() {
    // Named by slots 0 and 1, by different ALU opcodes.
    let again = [3, 9 << 26];
    let slots = [alu(3, 1), again, END, last(add(0))];
    assert_eq!(kinds(&slots), ["0 cf", "1 cf", "2 cf", "3 alu"]);
    accepted(&slots, "slot[3].clause=0 slot[3].alu.group=0");
    let fetch = [tex(4, 1), tex(4, 1), END, NOP, [16, 0], NOP];
    accepted(&fetch, "slot[4].clause=0 slot[4].kind=tex/3");
}

#[test]
fn rule_4_overlaps() {
    // Another size, another start, ALU against fetch, TEX against VTX.
    let body = [last(add(0)), last(add(0)), last(add(0)), last(add(0))];
    let with = |first: Slot, second: Slot| {
        let mut slots = vec![first, second, END, NOP];
        slots.extend(body);
        slots
    };
    rejected(&with(alu(4, 2), alu(4, 1)), Overlap, 1);
    rejected(&with(alu(4, 2), alu(5, 1)), Overlap, 1);
    rejected(&with(alu(5, 1), alu(4, 2)), Overlap, 1);
    rejected(&with(alu(4, 2), tex(4, 1)), Overlap, 1);
    rejected(&with(tex(4, 1), vtx(4, 1)), Overlap, 1);
    rejected(&with(vtx(4, 1), cf(3, 4)), Overlap, 1);
    accepted(
        &with(alu(6, 2), tex(4, 1)),
        "slot[4].kind=vtx/4 slot[6].kind=alu/1",
    );
    // With the section of control flow: itself, and an earlier slot.
    rejected(&[alu(0, 1), END], Overlap, 0);
    rejected(&[NOP, NOP, alu(1, 1), END], Overlap, 2);
    // Control flow that jumps over its wall stops there.
    rejected(
        &[alu(3, 1), cf(10, 4), alu(2, 1), last(add(0)), END],
        Overlap,
        2,
    );
}

#[test]
fn rules_4_and_5_clause_by_clause() {
    // The first clause is decoded before the second is looked at: its group has no LAST.
    let slots = [alu(3, 1), alu(0, 1), END, add(0)];
    rejected(&slots, Truncated, 3);
    // In the order of the instructions that name them, not of their places.
    let slots = [alu(4, 1), alu(3, 1), END, add(0), add(0)];
    rejected(&slots, Truncated, 4);
}
