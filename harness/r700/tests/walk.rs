//! The rules of the walk, one by one: what is accepted, and what is rejected where.

use r700::cf::CfOp;
use r700::fetch::FetchFormat;
use r700::program::{self, ClauseBody, Program};
use r700::{Chip, Error, ErrorClass};

type Slot = [u32; 2];

const BARRIER: u32 = 1 << 31;
const END: u32 = 1 << 21;

/// A seven-bit opcode with ADDR, and further bits of word 1.
fn cf(name: &str, addr: u32, bits: u32) -> Slot {
    let op = CfOp::from_name(name).expect(name);
    [addr, u32::from(op.code()) << 23 | bits | BARRIER]
}

/// An ALU clause instruction: opcode 8 to 15, ADDR, slots of the clause.
fn alu(op: u32, addr: u32, slots: u32) -> Slot {
    [addr, (slots - 1) << 18 | op << 26 | BARRIER]
}

/// A fetch clause instruction: ADDR, fetches of the clause.
fn fetches(name: &str, addr: u32, count: u32) -> Slot {
    cf(name, addr, (count - 1) << 10)
}

const NOP: Slot = [0, BARRIER];
const NOP_END: Slot = [0, END | BARRIER];
/// MOV R0.x = R0.x with WRITE_MASK and LAST.
const MOV: Slot = [1 << 31, 0x19 << 7 | 1 << 4];
/// The same without LAST.
const MOV_OPEN: Slot = [0, MOV[1]];

fn bytes(slots: &[Slot]) -> Vec<u8> {
    slots
        .iter()
        .flatten()
        .flat_map(|word| word.to_le_bytes())
        .collect()
}

fn decode_for(slots: &[Slot], chip: Chip) -> Result<Program, Error> {
    let bytes = bytes(slots);
    let program = program::decode(&bytes, chip)?;
    assert_eq!(program.encode(), bytes);
    Ok(program)
}

fn decode(slots: &[Slot]) -> Result<Program, Error> {
    decode_for(slots, Chip::R700)
}

/// Class and offset of the rejection.
fn rejected(slots: &[Slot]) -> (ErrorClass, usize) {
    let error = decode(slots).expect_err("the program breaks a rule");
    (error.class(), error.offset())
}

fn cf_len(slots: &[Slot]) -> usize {
    decode(slots).unwrap().cf().len()
}

#[test]
fn lengths_are_multiples_of_a_slot() {
    let reject = |bytes: &[u8]| {
        let error = program::decode(bytes, Chip::R700).unwrap_err();
        (error.class().as_str(), error.offset())
    };
    assert_eq!(reject(&[]), ("truncated", 0));
    assert_eq!(reject(&[0; 7]), ("bad-length", 0));
    assert_eq!(reject(&[0; 23]), ("bad-length", 16));
}

#[test]
fn the_section_ends_with_the_program_or_a_return() {
    assert_eq!(cf_len(&[NOP, NOP_END, NOP]), 2);
    assert_eq!(cf_len(&[cf("RETURN", 0, 0), NOP]), 1);
    // An opcode without a name has END_OF_PROGRAM too: CF_INST 25.
    assert_eq!(cf_len(&[[0, 25 << 23 | END], NOP]), 1);
}

#[test]
fn a_section_without_an_end_is_truncated() {
    assert_eq!(rejected(&[NOP, NOP]), (ErrorClass::Truncated, 16));
}

#[test]
fn the_section_goes_on_as_far_as_jumps_reach() {
    assert_eq!(cf_len(&[cf("JUMP", 2, 0), NOP_END, NOP_END, NOP]), 3);
    // The jump leads to the end itself.
    assert_eq!(cf_len(&[cf("JUMP", 1, 0), NOP_END, NOP_END]), 2);
    // An ending instruction that jumps ahead does not end the section.
    assert_eq!(cf_len(&[cf("JUMP", 1, END), NOP_END, NOP_END]), 2);
    assert_eq!(
        rejected(&[cf("JUMP", 2, 0), NOP_END, NOP]),
        (ErrorClass::Truncated, 24)
    );
    assert_eq!(
        cf_len(&[cf("CALL", 2, 0), NOP_END, cf("RETURN", 0, 0), NOP]),
        3
    );
}

#[test]
fn the_section_ends_before_the_first_clause() {
    assert_eq!(cf_len(&[alu(8, 2, 1), NOP, MOV]), 2);
    // The lowest start counts, not the first.
    assert_eq!(cf_len(&[alu(8, 3, 1), alu(8, 2, 1), MOV, MOV]), 2);
}

#[test]
fn jumps_lead_into_the_program() {
    let jumping = [
        "JUMP",
        "PUSH",
        "PUSH_ELSE",
        "ELSE",
        "POP_JUMP",
        "POP_PUSH",
        "POP_PUSH_ELSE",
        "LOOP_START",
        "LOOP_START_DX10",
        "LOOP_START_NO_AL",
        "LOOP_END",
        "LOOP_CONTINUE",
        "LOOP_BREAK",
        "CALL",
    ];
    for name in jumping {
        assert_eq!(
            rejected(&[NOP, cf(name, 3, 0), NOP_END]),
            (ErrorClass::OutOfRange, 8),
            "{name}"
        );
        assert_eq!(cf_len(&[cf(name, 1, 0), NOP_END]), 2, "{name}");
    }
    for name in ["NOP", "POP", "CALL_FS", "EMIT_VERTEX", "KILL", "WAIT_ACK"] {
        assert_eq!(cf_len(&[cf(name, u32::MAX, END)]), 1, "{name}");
    }
    assert_eq!(
        rejected(&[cf("CALL", u32::MAX, 0), NOP_END]),
        (ErrorClass::OutOfRange, 0)
    );
}

#[test]
fn clauses_lie_in_the_program() {
    assert_eq!(rejected(&[alu(8, 1, 2), MOV]), (ErrorClass::OutOfRange, 0));
    assert_eq!(
        rejected(&[NOP, fetches("TEX", 2, 2), NOP, NOP]),
        (ErrorClass::OutOfRange, 8)
    );
    let beyond = cf("VTX", u32::MAX - 1, 0);
    assert_eq!(rejected(&[beyond, NOP_END]), (ErrorClass::OutOfRange, 0));
}

#[test]
fn fetch_clauses_are_even() {
    assert_eq!(
        rejected(&[NOP, fetches("VTX_TC", 3, 1), NOP, NOP, NOP]),
        (ErrorClass::Misaligned, 8)
    );
    // Alignment is asked for before the range.
    assert_eq!(
        rejected(&[fetches("TEX", 1001, 1), NOP_END]),
        (ErrorClass::Misaligned, 0)
    );
    // ALU clauses have none.
    assert_eq!(cf_len(&[alu(8, 1, 1), MOV]), 1);
}

#[test]
fn only_named_opcodes_have_clauses() {
    // The unused ALU opcode, and what R600 has no name for.
    assert_eq!(cf_len(&[alu(12, 100, 1), NOP_END]), 2);
    let acknowledged = fetches("TEX_ACK", 1001, 1);
    assert_eq!(
        rejected(&[acknowledged, NOP_END]),
        (ErrorClass::Misaligned, 0)
    );
    let program = decode_for(&[acknowledged, NOP_END], Chip::R600).unwrap();
    assert_eq!((program.cf().len(), program.clauses().len()), (2, 0));
}

#[test]
fn a_clause_can_be_shared() {
    let slots = [alu(8, 3, 1), alu(9, 3, 1), NOP_END, MOV];
    let program = decode(&slots).unwrap();
    assert_eq!(program.clauses().len(), 1);
    assert_eq!(program.clauses()[0].cf_slot, 0);
    let clauses: Vec<_> = program.cf().iter().map(|cf| cf.clause).collect();
    assert_eq!(clauses, [Some(0), Some(0), None]);

    let slots = [
        fetches("TEX", 4, 1),
        fetches("TEX", 4, 1),
        NOP_END,
        NOP,
        NOP,
        NOP,
    ];
    assert_eq!(decode(&slots).unwrap().clauses().len(), 1);
}

#[test]
fn different_clauses_do_not_overlap() {
    // Another size, another start, another type.
    assert_eq!(
        rejected(&[alu(8, 3, 2), alu(8, 3, 1), NOP_END, MOV, MOV]),
        (ErrorClass::Overlap, 8)
    );
    assert_eq!(
        rejected(&[alu(8, 3, 2), alu(8, 4, 1), NOP_END, MOV, MOV]),
        (ErrorClass::Overlap, 8)
    );
    let pad = [NOP_END, NOP, NOP, NOP];
    let two = |first, second| [&[first, second][..], &pad].concat();
    let tex = fetches("TEX", 4, 1);
    assert_eq!(
        rejected(&two(tex, fetches("TEX_ACK", 4, 1))),
        (ErrorClass::Overlap, 8)
    );
    assert_eq!(
        rejected(&two(tex, fetches("VTX", 4, 1))),
        (ErrorClass::Overlap, 8)
    );
    assert_eq!(rejected(&two(tex, alu(8, 4, 2))), (ErrorClass::Overlap, 8));
}

#[test]
fn clauses_do_not_overlap_the_control_flow() {
    assert_eq!(
        rejected(&[NOP, alu(8, 0, 1), NOP_END]),
        (ErrorClass::Overlap, 8)
    );
    // The clause names its own instruction.
    assert_eq!(rejected(&[alu(8, 0, 1)]), (ErrorClass::Overlap, 0));
    let error = decode(&[alu(8, 1, 2), NOP_END, MOV]);
    assert_eq!(
        error.map(|program| program.cf().len()),
        Ok(1),
        "the section ends before slot 1"
    );
}

#[test]
fn rules_are_applied_in_order() {
    let open_group = [MOV_OPEN, MOV_OPEN];
    // An address further on in the section comes before any clause.
    let slots = [
        alu(8, 4, 2),
        cf("JUMP", 99, 0),
        NOP_END,
        NOP,
        open_group[0],
        open_group[1],
    ];
    assert_eq!(rejected(&slots), (ErrorClass::OutOfRange, 8));
    // The groups of one clause come before the place of the next.
    let slots = [
        alu(8, 4, 2),
        alu(8, 5, 1),
        NOP_END,
        NOP,
        open_group[0],
        open_group[1],
    ];
    assert_eq!(rejected(&slots), (ErrorClass::Truncated, 32));
    // And that place before its groups.
    let slots = [alu(8, 4, 1), alu(8, 4, 2), NOP_END, NOP, MOV, MOV_OPEN];
    assert_eq!(rejected(&slots), (ErrorClass::Overlap, 8));
}

#[test]
fn groups_end_in_their_clause() {
    assert_eq!(
        rejected(&[alu(8, 1, 2), MOV, MOV_OPEN]),
        (ErrorClass::Truncated, 16)
    );
    // SRC0 is LITERAL (253), and its slot would be behind the clause.
    let literal = [1 << 31 | 253, MOV[1]];
    assert_eq!(
        rejected(&[alu(8, 1, 1), literal, NOP]),
        (ErrorClass::Truncated, 8)
    );
}

#[test]
fn units_hold_one_instruction() {
    // Three to channel X: the units X and T, and none for the third.
    let slots = [alu(8, 1, 3), MOV_OPEN, MOV_OPEN, MOV];
    assert_eq!(rejected(&slots), (ErrorClass::Overlap, 24));
}

#[test]
fn fetches_have_the_formats_of_their_clauses() {
    let formats = |name: &str, chip| {
        let fetch = |op: u32| [[op, 0], [0, 0]];
        let mut slots = vec![fetches(name, 2, 4), NOP];
        slots.extend([fetch(0), fetch(1), fetch(2), fetch(16)].concat());
        let program = decode_for(&slots, chip).unwrap();
        let ClauseBody::Fetch(fetches) = &program.clauses()[0].body else {
            panic!()
        };
        assert_eq!(fetches[3].slot, 8);
        fetches
            .iter()
            .map(|slot| slot.fetch.format())
            .collect::<Vec<_>>()
    };
    use FetchFormat::{Mem, Tex, Vtx};
    assert_eq!(formats("TEX", Chip::R700), [Vtx, Vtx, Mem, Tex]);
    assert_eq!(formats("TEX_ACK", Chip::R700), [Vtx, Vtx, Mem, Tex]);
    assert_eq!(formats("TEX", Chip::R600), [Vtx, Vtx, Tex, Tex]);
    assert_eq!(formats("VTX_TC", Chip::R700), [Vtx, Vtx, Mem, Vtx]);
    assert_eq!(formats("VTX", Chip::R600), [Vtx, Vtx, Vtx, Vtx]);
}

#[test]
fn what_nothing_names_is_kept_as_gaps() {
    let slots = [alu(8, 3, 1), NOP_END, [1, 2], MOV, [3, 4], [5, 6]];
    let program = decode(&slots).unwrap();
    let gaps: Vec<_> = program
        .gaps()
        .iter()
        .map(|gap| (gap.start, gap.words.len()))
        .collect();
    assert_eq!(gaps, [(2, 1), (4, 2)]);
    let sections: Vec<_> = program.sections().iter().map(ToString::to_string).collect();
    assert_eq!(
        sections,
        [
            "0x0000..0x0010 control flow",
            "0x0010..0x0018 gap",
            "0x0018..0x0020 ALU clause of 0",
            "0x0020..0x0030 gap",
        ]
    );
}

#[test]
fn many_instructions_of_one_clause_cost_little() {
    // 20 000 instructions run the longest clause there is.
    let count = 20_000;
    let mut slots = vec![alu(8, count, 128); count as usize];
    slots.extend([MOV; 128]);
    let program = decode(&slots).unwrap();
    assert_eq!((program.cf().len(), program.clauses().len()), (20_000, 1));
}
