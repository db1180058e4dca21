//! The order of a function's blocks.
//!
//! The machine always runs the first block, in this order, that a lane waits at. Lanes that part meet again where the
//! module says if every block of a construct comes before its merge block, and every block of a loop's body before the
//! continue target. Reverse postorder has that if merge blocks are searched before continue targets, and these before
//! branches. A block that only a merge instruction names is laid out too.

use std::collections::HashMap;

use spirv::Op;

use super::Error;
use super::source::BlockSource;
use super::words::Instruction;

/// Numbers of blocks in the order described above, the first block first.
pub(super) fn structured(
    blocks: &[BlockSource],
    list: &[Instruction<'_>],
) -> Result<Vec<usize>, Error> {
    let mut numbers = HashMap::new();
    for (number, block) in blocks.iter().enumerate() {
        if numbers.insert(block.label, number).is_some() {
            let message = format!("%{} is defined twice", block.label);
            return Err(Error::malformed(message).at(block.word));
        }
    }
    let number = |label: u32, word: u32| {
        let found = numbers.get(&label).copied().filter(|&number| number != 0);
        found.ok_or_else(|| {
            let message = format!("%{label} is not a block of the function after its first");
            Error::malformed(message).at(word)
        })
    };
    let mut successors = Vec::with_capacity(blocks.len());
    for block in blocks {
        let mut next = Vec::new();
        let end = &list[block.end];
        for label in [block.merge.0, block.merge.1].into_iter().flatten() {
            next.push(number(label, end.word)?);
        }
        for label in targets(end)? {
            next.push(number(label, end.word)?);
        }
        successors.push(next);
    }
    let mut finished = Vec::with_capacity(blocks.len());
    let mut seen = vec![false; blocks.len()];
    let mut stack = vec![(0, 0)];
    seen[0] = true;
    while let Some((block, at)) = stack.last_mut() {
        match successors[*block].get(*at) {
            Some(&next) => {
                *at += 1;
                if !seen[next] {
                    seen[next] = true;
                    stack.push((next, 0));
                }
            }
            None => {
                finished.push(*block);
                stack.pop();
            }
        }
    }
    finished.reverse();
    Ok(finished)
}

/// The labels that a block's last instruction names, the default of a switch first.
pub(super) fn targets(end: &Instruction<'_>) -> Result<Vec<u32>, Error> {
    match end.op {
        Op::Branch => Ok(vec![end.operand(0)?]),
        Op::BranchConditional => Ok(vec![end.operand(1)?, end.operand(2)?]),
        Op::Switch => {
            // A case is a literal of one word and a label; wider selectors are refused where types are known.
            let mut labels = vec![end.operand(1)?];
            for case in end.operands[2..].chunks(2) {
                labels.extend(case.get(1));
            }
            Ok(labels)
        }
        _ => Ok(Vec::new()),
    }
}
