//! Outside programs that give a third opinion.
//!
//! No installable tool disassembles R600 microcode (LLVM's back end for it only writes) or parses GFD, so the peers of
//! these targets are recorded: a compiler printed its own code, and the print stands beside the words.

use std::collections::BTreeMap;

use crate::report::model::{NotRun, Peer};
use crate::target::{Input, Target};

/// Whether peers are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Policy {
    /// Those that are there.
    Auto,
    /// None.
    None,
    /// All; one that is missing ends the run with exit code 4.
    Require,
}

/// What is known of peers before a run.
#[derive(Debug, Default)]
pub struct Peers {
    /// For the report.
    pub listed: Vec<Peer>,
    /// What is missing, and why.
    pub missing: Vec<NotRun>,
}

/// Looks for the peers of the targets. Recorded answers come with the inputs.
pub fn look(policy: Policy, targets: &[Box<dyn Target>], inputs: &mut [Vec<Input>]) -> Peers {
    let mut peers = Peers::default();
    if policy == Policy::None {
        for input in inputs.iter_mut().flatten() {
            input.peer = None;
        }
        peers.missing.push(NotRun {
            what: "peers".to_owned(),
            reason: "switched off by --peers none".to_owned(),
        });
        return peers;
    }
    for (target, inputs) in targets.iter().zip(inputs.iter()) {
        let mut recorded: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for peer in inputs.iter().filter_map(|input| input.peer.as_ref()) {
            let (inputs, names) = recorded.entry(&peer.name).or_default();
            *inputs += 1;
            *names += peer.names.len();
        }
        for (name, (inputs, names)) in &recorded {
            let target = target.name();
            peers.listed.push(Peer {
                name: (*name).to_owned(),
                state: "used".to_owned(),
                note: format!("{names} names in the recorded text of {inputs} {target} inputs"),
            });
        }
        if target.expects_recorded_peer() && recorded.is_empty() {
            peers.missing.push(NotRun {
                what: format!("{} peer", target.name()),
                reason:
                    "no input with a compiler's own disassembly; testdata/r700/mesa brings some"
                        .to_owned(),
            });
        }
    }
    peers
}
