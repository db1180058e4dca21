//! R600/R700 programs: control flow with clauses, groups and literals laid out as compilers do, and sometimes not.
//!
//! The few bit positions that are needed to build a program are typed here from the register guide's microcode chapter
//! (RG p. 82–104), once more and apart from decoder and oracle. Everything else in a word is random.

use super::{Random, mutate};

const ALU: u32 = 8;
const TEX: u32 = 1;
const VTX: u32 = 2;
const VTX_TC: u32 = 3;
const EXPORT_DONE: u32 = 40;
const RETURN: u32 = 20;
/// NOP, LOOP_START … POP_PUSH_ELSE, CALL, CALL_FS, EMIT_VERTEX, KILL, and a few without a name.
const PLAIN: [u32; 22] = [
    0, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 24, 25, 26, 31,
];
const EXPORTS: [u32; 12] = [32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 58, 63];

/// A clause that is planned: its kind as a CF opcode, and its words.
struct Clause {
    opcode: u32,
    words: Vec<u32>,
    /// Slots or fetches, as counted in the CF instruction.
    count: u32,
}

/// Appends a program. About one in four is then damaged.
pub fn program(random: &mut Random, out: &mut Vec<u8>) {
    let clauses: Vec<Clause> = (0..random.below(4)).map(|_| clause(random)).collect();
    let plain = random.below(5) as usize;
    let cf_slots = clauses.len() + plain + 1;
    let mut at = cf_slots + random.below(3) as usize;
    let mut control = Vec::new();
    let mut body: Vec<(usize, &[u32])> = Vec::new();
    for clause in &clauses {
        if clause.opcode != ALU {
            at += at % 2;
        }
        control.push(clause_instruction(clause, at as u32, random));
        body.push((at, &clause.words));
        at += clause.words.len() / 2;
    }
    for _ in 0..plain {
        let place = random.below(control.len() as u64 + 1) as usize;
        control.insert(place, plain_instruction(random, cf_slots as u32));
    }
    control.push(last_instruction(random));
    let mut words = vec![0; at * 2];
    for (slot, instruction) in control.iter().enumerate() {
        words[slot * 2..slot * 2 + 2].copy_from_slice(instruction);
    }
    for (slot, clause) in body {
        words[slot * 2..slot * 2 + clause.len()].copy_from_slice(clause);
    }
    let start = out.len();
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    if random.one_in(4) {
        let mut damaged = out.split_off(start);
        mutate::words(
            &mut damaged,
            random,
            &[0, 0x0020_0000, 0x8000_0000, u32::MAX],
            false,
        );
        if random.below(4) != 0 {
            damaged.truncate(damaged.len() / 8 * 8);
        }
        out.extend(damaged);
    }
}

fn clause(random: &mut Random) -> Clause {
    if random.below(3) > 0 {
        let mut words = Vec::new();
        for _ in 0..=random.below(6) {
            group(random, &mut words);
        }
        let count = (words.len() / 2) as u32;
        return Clause {
            opcode: ALU,
            words,
            count,
        };
    }
    let opcode = *random.pick(&[TEX, TEX, VTX, VTX_TC, 27, 28, 29]);
    let count = random.below(6) as u32 + 1;
    let mut words = Vec::new();
    for _ in 0..count {
        let word = random.word();
        let instruction = if random.one_in(3) {
            random.below(3) as u32
        } else {
            word as u32 & 31
        };
        words.push((word as u32 & !31) | instruction);
        words.push((word >> 32) as u32);
        words.push(random.word() as u32);
        words.push(if random.one_in(4) {
            random.word() as u32
        } else {
            0
        });
    }
    Clause {
        opcode,
        words,
        count,
    }
}

/// One group: up to five instructions with LAST on the last, and the literal slots that its operands ask for.
fn group(random: &mut Random, words: &mut Vec<u32>) {
    let first_channel = random.below(4) as u32;
    let length = random.below(5) as u32 + 1;
    let mut literals = 0;
    for place in 0..length {
        let channel = if random.one_in(8) {
            random.below(4) as u32
        } else {
            (first_channel + place).min(3)
        };
        let three = random.one_in(3);
        let sources = [source(random), source(random), source(random)];
        for source in &sources[..if three { 3 } else { 2 }] {
            if source & 0x1ff == 253 {
                literals = literals.max(1 + (source >> 11 & 1));
            }
        }
        let control = random.word() as u32 & 0x7c00_0000;
        let last = u32::from(place == length - 1) << 31;
        words.push(sources[0] | sources[1] << 13 | control | last);
        let random_bits = random.word() as u32;
        let operation = if three {
            sources[2] | (random.below(24) as u32 + 8) << 13
        } else {
            (random_bits & 0x7f) | (random.below(128) as u32) << 7
        };
        words.push(operation | (random_bits & 0x9ffc_0000) | channel << 29);
    }
    for _ in 0..literals * 2 {
        words.push(random.word() as u32);
    }
}

/// A 13-bit operand: select, relative, channel, negate.
fn source(random: &mut Random) -> u32 {
    let select = match random.below(8) {
        0 => 253,
        1 => 248 + random.below(8) as u32,
        2 => 256 + random.below(256) as u32,
        3 => 128 + random.below(64) as u32,
        4 => random.below(512) as u32,
        _ => random.below(128) as u32,
    };
    select | (random.below(16) as u32) << 9
}

fn clause_instruction(clause: &Clause, at: u32, random: &mut Random) -> [u32; 2] {
    let bits = random.word();
    let stored = clause.count - 1;
    if clause.opcode == ALU {
        let opcode = *random.pick(&[8, 8, 8, 9, 10, 11, 13, 14, 15]);
        let w0 = (bits as u32 & 0xffc0_0000) | at;
        let w1 = ((bits >> 32) as u32 & 0xc203_ffff) | stored << 18 | opcode << 26;
        return [w0, w1];
    }
    let w1 = (bits as u32 & 0xc050_e3ff) | (stored & 7) << 10 | (stored >> 3) << 19;
    [at, w1 | clause.opcode << 23]
}

fn plain_instruction(random: &mut Random, slots: u32) -> [u32; 2] {
    let bits = random.word();
    if random.one_in(4) {
        let opcode = *random.pick(&EXPORTS);
        return [
            random.word() as u32,
            (bits as u32 & 0xc05f_ffff) | opcode << 23,
        ];
    }
    let target = random.below(u64::from(slots)) as u32;
    [
        target,
        (bits as u32 & 0xc057_ffff) | random.pick(&PLAIN) << 23,
    ]
}

fn last_instruction(random: &mut Random) -> [u32; 2] {
    let bits = random.word();
    if random.one_in(8) {
        return [0, RETURN << 23];
    }
    [
        random.word() as u32,
        (bits as u32 & 0xc05f_ffff) | EXPORT_DONE << 23 | 1 << 21,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_programs_are_whole_slots_and_end() {
        let mut random = Random::new(1, 1);
        let mut ends = 0;
        for _ in 0..200 {
            let mut bytes = Vec::new();
            program(&mut random, &mut bytes);
            let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let whole = bytes.len() % 8 == 0 && !bytes.is_empty();
            let ended = |w1: u32| w1 >> 29 & 1 == 0 && (w1 >> 21 & 1 == 1 || w1 >> 23 & 0x7f == 20);
            ends += usize::from(whole && (4..bytes.len()).step_by(8).any(|at| ended(word(at))));
        }
        assert!(ends > 150, "{ends}");
    }
}
