//! Probes in a translation: after each group it writes down what it has computed.
//!
//! The marker lines of the contract (`//@ 32 R1.xy PV.xyzw PS`) say where, and what. They are comments, so that a
//! translation without probes is what people read, and one that somebody has changed can still be looked into.

use std::fmt::Write;

use corpora::execution::Launch;

use super::bind;

/// The location of the input that says which lane an invocation is.
pub const LANE: u32 = 30;

/// Words that a lane can write down.
const ROOM: usize = 1 << 12;

/// What a marker lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// The slot of the group or fetch.
    pub slot: u32,
    /// What it wrote, in order.
    pub items: Vec<Item>,
}

/// A word that a group wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A channel of a register.
    Register(u8, u8),
    /// A channel of PV.
    Vector(u8),
    /// PS.
    Scalar,
}

/// A translation with probes.
#[derive(Clone, Debug)]
pub struct Instrumented {
    /// The source.
    pub source: String,
    /// Its markers, in the order of the text; a slot can have several.
    pub markers: Vec<Marker>,
}

/// The marker in a line.
fn marker(line: &str) -> Option<Marker> {
    let mut words = line.trim().strip_prefix("//@")?.split_whitespace();
    let slot = words.next()?.parse().ok()?;
    let mut items = Vec::new();
    for word in words {
        let (name, channels) = word.split_once('.').unwrap_or((word, ""));
        let channels = channels
            .chars()
            .map(|channel| "xyzw".find(channel).map(|channel| channel as u8));
        match name {
            "PS" => items.push(Item::Scalar),
            "PV" => {
                for channel in channels {
                    items.push(Item::Vector(channel?));
                }
            }
            _ => {
                let register = name
                    .strip_prefix('R')?
                    .parse()
                    .ok()
                    .filter(|number| *number < 128)?;
                for channel in channels {
                    items.push(Item::Register(register, channel?));
                }
            }
        }
    }
    Some(Marker { slot, items })
}

/// Puts probes behind the markers of a translation. None if it has no markers, or no version line.
pub fn instrument(source: &str) -> Option<Instrumented> {
    let array = source.lines().any(|line| {
        let line = line.trim_start();
        line.starts_with("vec4 R[") || line.contains(" vec4 R[")
    });
    let mut markers = Vec::new();
    let mut out = String::new();
    let mut declared = false;
    for line in source.lines() {
        let is_preamble = line.trim().is_empty() || line.trim_start().starts_with(['#', '/']);
        if !declared && !is_preamble {
            out.push_str(&declarations());
            declared = true;
        }
        let _ = writeln!(out, "{line}");
        if let Some(marker) = marker(line) {
            // The number of the marker tells records of one slot apart: a group can stand in a function and its caller.
            let _ = write!(out, "assay_probe({}u);", markers.len());
            for item in &marker.items {
                let channel = |channel: u8| "xyzw".as_bytes()[usize::from(channel)] as char;
                let word = match *item {
                    Item::Scalar => "PS".to_owned(),
                    Item::Vector(x) => format!("PV.{}", channel(x)),
                    Item::Register(number, x) if array => format!("R[{number}].{}", channel(x)),
                    Item::Register(number, x) => format!("R{number}.{}", channel(x)),
                };
                let _ = write!(out, " assay_probe(floatBitsToUint({word}));");
            }
            out.push('\n');
            markers.push(marker);
        }
    }
    (declared && !markers.is_empty()).then_some(Instrumented {
        source: out,
        markers,
    })
}

fn declarations() -> String {
    let bind::Slot { set, binding } = bind::PROBE;
    let most = ROOM - 1;
    format!(
        "layout(location = {LANE}) flat in uint assay_lane;\n\
         layout(std430, set = {set}, binding = {binding}) buffer AssayProbe {{ uint assay_log[]; }};\n\
         void assay_probe(uint word) {{\n    \
             uint first = assay_lane * {ROOM}u;\n    \
             uint count = assay_log[first];\n    \
             if (count < {most}u) {{\n        \
                 assay_log[first + 1u + count] = word;\n        \
                 assay_log[first] = count + 1u;\n    \
             }}\n\
         }}\n"
    )
}

/// Gives the lanes their numbers, and the probes room.
pub fn prepare(launch: &mut Launch) {
    for (number, lane) in launch.lanes.iter_mut().enumerate() {
        lane.inputs.insert(LANE, [number as u32, 0, 0, 0]);
    }
    let bytes = launch.lanes.len() * ROOM * 4;
    launch.storage.insert(bind::PROBE, vec![0; bytes]);
}

/// Whether a lane may have had more to write down than there was room for.
pub fn is_full(log: &[u8], lane: usize) -> bool {
    let count = log.chunks_exact(4).nth(lane * ROOM);
    count.is_some_and(|word| {
        u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize >= ROOM - 1
    })
}

/// What a lane wrote down: markers by number, and the words behind each.
pub fn records(log: &[u8], lane: usize, markers: &[Marker]) -> Vec<(usize, Vec<u32>)> {
    let words = log.chunks_exact(4).skip(lane * ROOM).take(ROOM);
    let mut words = words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let count = words.next().unwrap_or(0) as usize;
    let mut words = words.take(count);
    let mut records = Vec::new();
    while let Some(number) = words.next() {
        let number = number as usize;
        let Some(marker) = markers.get(number) else {
            break;
        };
        let values: Vec<_> = words.by_ref().take(marker.items.len()).collect();
        // The last record may be cut off.
        if values.len() < marker.items.len() {
            break;
        }
        records.push((number, values));
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read_and_other_comments_are_not() {
        let marker = marker("    //@ 32 R1.xw PV.z PS").expect("a marker");
        let items = [
            Item::Register(1, 0),
            Item::Register(1, 3),
            Item::Vector(2),
            Item::Scalar,
        ];
        assert_eq!((marker.slot, &marker.items[..]), (32, &items[..]));
        assert_eq!(super::marker("// 32 R1.x"), None);
        assert_eq!(super::marker("//@ 32 Q1.x"), None);
    }

    #[test]
    fn probes_follow_their_markers() {
        let source = "#version 450\nvec4 R1;\nvoid main() {\n    R1.x = 1.0;\n    //@ 2 R1.x\n}\n";
        let text = instrument(source).expect("markers").source;
        assert!(
            text.starts_with("#version 450\nlayout(location = 30)"),
            "{text}"
        );
        assert!(
            text.contains("//@ 2 R1.x\nassay_probe(0u); assay_probe(floatBitsToUint(R1.x));\n"),
            "{text}"
        );
        assert!(instrument("#version 450\nvoid main() {}\n").is_none());
    }

    #[test]
    fn records_are_split_by_their_markers() {
        let markers = [
            marker("//@ 2 R1.xy").expect("a marker"),
            marker("//@ 4 PS").expect("a marker"),
        ];
        let mut log = vec![0_u32; 2 * ROOM];
        log[ROOM..][..6].copy_from_slice(&[5, 0, 7, 8, 1, 9]);
        let bytes: Vec<u8> = log.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(
            records(&bytes, 1, &markers),
            [(0, vec![7, 8]), (1, vec![9])]
        );
        assert_eq!(records(&bytes, 0, &markers), []);
        assert!(!is_full(&bytes, 1));
        log[ROOM] = ROOM as u32 - 1;
        let bytes: Vec<u8> = log.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert!(is_full(&bytes, 1) && !is_full(&bytes, 0) && !is_full(&bytes, 2));
    }
}
