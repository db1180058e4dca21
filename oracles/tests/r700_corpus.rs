//! The interpreter against programs of a real compiler, in the corpus that `ASSAY_CORPUS` names.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use corpora::execution::{
    Buffer, Compare, Dimension, Environment, Lane, Outside, Sampler, Stage, Texture,
};
use oracles::r700::execution::policy::FloatPolicy;
use oracles::r700::execution::value::{Acceptance, Reason, Value};
use oracles::r700::execution::{LaneOutcome, Limits, Program, Target, run};
use oracles::r700::{Chip, Oracle, Tables, vocabulary};
use serde_json::Value as Json;

fn oracle() -> Oracle {
    let tables = Tables::embedded().expect("tables");
    let vocabulary = vocabulary(&tables).expect("vocabulary");
    Oracle::new(&tables, Arc::new(vocabulary)).expect("oracle")
}

fn read(name: &str) -> String {
    let corpus = std::env::var_os("ASSAY_CORPUS").expect("ASSAY_CORPUS");
    fs::read_to_string(PathBuf::from(corpus).join(name)).expect("the list is readable")
}

fn programs(name: &str) -> Vec<Json> {
    let text = read(name);
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn word(text: &str) -> u32 {
    u32::from_str_radix(text, 16).expect("a hexadecimal word")
}

fn bytes(program: &Json) -> Vec<u8> {
    let words = program["words"].as_array().expect("words");
    words
        .iter()
        .flat_map(|text| word(text.as_str().expect("text")).to_le_bytes())
        .collect()
}

/// A row of `expect.tsv`.
struct Row {
    v0: [u32; 4],
    v1: [u32; 4],
    iv: [u32; 4],
    /// `k[0]` to `k[7]`, then `ik`: constant buffer 1.
    block: Vec<[u32; 4]>,
    /// None where the shader discards.
    o0: Option<[u32; 4]>,
}

impl Row {
    fn parse(line: &str) -> (String, Self) {
        let cells: Vec<&str> = line.split('\t').collect();
        let vectors = |cell: usize| -> Vec<[u32; 4]> {
            let words: Vec<u32> = cells[cell].split_whitespace().map(word).collect();
            words
                .chunks_exact(4)
                .map(|four| [four[0], four[1], four[2], four[3]])
                .collect()
        };
        let mut block = vectors(4);
        block.extend(vectors(5));
        let row = Self {
            v0: vectors(1)[0],
            v1: vectors(2)[0],
            iv: vectors(3)[0],
            block,
            o0: (cells[6] != "killed").then(|| vectors(6)[0]),
        };
        (cells[0].to_owned(), row)
    }

    /// The registers that a lane starts with.
    fn lane(&self, inputs: &Json) -> Lane {
        let varyings = [("v0", self.v0), ("v1", self.v1), ("iv", self.iv)];
        let mut lane = Lane::default();
        for (name, words) in varyings {
            if let Some(register) = inputs[name].as_u64() {
                lane.registers.insert(register as u8, words);
            }
        }
        lane
    }
}

/// What is wrong with a lane, if something is; -0 and +0 are the same to `expect.tsv`. Of a lane that is lost the nominal
/// words are held against it, all others have to be possible.
fn wrong(lane: &LaneOutcome, row: &Row) -> Option<String> {
    let certain = lane.lost.is_some() || lane.killed.is_settled();
    if !certain || lane.killed.nominal() != row.o0.is_none() {
        return Some(format!("{:?}, expected {:08x?}", lane.killed, row.o0));
    }
    let expected = row.o0?;
    let Some(found) = lane.exports.get(&Target::Pixel(0)) else {
        return Some("no export".to_owned());
    };
    let accepted = |(found, expected): (&Option<Value>, u32)| {
        let Some(value) = found else {
            return false;
        };
        let zeros = (value.bits() | expected) & 0x7fff_ffff == 0;
        zeros
            || match value.accepts(expected) {
                Acceptance::Agree | Acceptance::Within(_) => true,
                Acceptance::Poisoned(_) => lane.lost.is_some() && value.bits() == expected,
                Acceptance::Disagree => false,
            }
    };
    let agrees = found.iter().zip(expected).all(accepted);
    (!agrees).then(|| format!("{found:x?}, expected {expected:08x?}"))
}

/// Programs that differ from `expect.tsv` by no fault of the interpreter, and the rows that do.
///
/// In r0238 Mesa's TGSI back end keeps two variables in R3.z at once: slot 418 writes `t2.x` there, slot 791 `t0.z`, and
/// slots 803 and 809 read it as either. Row 13 is the one that comes by there and shows it; with 2.625 for `t2.x`, what
/// slot 418 computed, it would be as expected.
const EXCUSED: [(&str, &[usize]); 1] = [("r0238 tgsisb", &[13])];

/// Rows whose lane is lost: Mesa converts a fraction with a bare FLT_TO_INT, and branches on the result.
const LOST: usize = 12;

#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-random in it"]
fn random_shaders() {
    let oracle = oracle();
    let policy = FloatPolicy::embedded().expect("policy");
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in read("r700-random/expect.tsv").lines().skip(1) {
        let (name, row) = Row::parse(line);
        rows.entry(name).or_default().push(row);
    }
    let programs = programs("r700-random/programs.jsonl");
    let mut wrongs = Vec::new();
    let mut lost = 0;
    for json in &programs {
        let name = json["name"].as_str().expect("name");
        let backend = json["backend"].as_str().expect("backend");
        let program = Program::new(&oracle, &bytes(json), Chip::R700).expect(name);
        let rows = &rows[name];
        assert_eq!(rows.len(), 16, "{name}");
        // Each row has constants of its own. All rows are lanes of each run nevertheless, so that lanes part ways, and
        // the one whose constants they are is judged.
        for (number, row) in rows.iter().enumerate() {
            let mut environment = Environment::new(Stage::Pixel);
            environment.lanes = rows.iter().map(|row| row.lane(&json["inputs"])).collect();
            environment.blocks.insert(1, row.block.clone());
            let excused = EXCUSED
                .iter()
                .any(|(of, rows)| *of == format!("{name} {backend}") && rows.contains(&number));
            let found = run(&program, &environment, &policy, &Limits::default(), &mut ());
            let difference = match found {
                Ok(outcome) => {
                    let lane = &outcome.lanes[number];
                    if let Some(reason) = lane.lost {
                        assert_eq!(reason, Reason::ConvertedFraction, "{name} {backend}");
                        lost += 1;
                    }
                    wrong(lane, row)
                }
                Err(error) => Some(error.to_string()),
            };
            match difference {
                Some(text) if !excused => {
                    wrongs.push(format!("{name} {backend} row {number}: {text}"));
                }
                None if excused => wrongs.push(format!("{name} {backend} row {number} agrees")),
                _ => {}
            }
        }
    }
    assert_eq!((programs.len(), lost), (592, LOST));
    assert!(
        wrongs.is_empty(),
        "{} rows differ:\n{}",
        wrongs.len(),
        wrongs.join("\n")
    );
}

/// Every program runs to its end, whatever the textures are. There is nothing that its results are held against.
#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-mesa in it"]
fn handwritten_shaders() {
    let oracle = oracle();
    let policy = FloatPolicy::embedded().expect("policy");
    let mut faults = Vec::new();
    let programs = programs("r700-mesa/programs.jsonl");
    // CALL_FS, and the end: what runs a fetch shader.
    let caller = [0, 19 << 23 | 1 << 31, 0, 1 << 21 | 1 << 31];
    let caller: Vec<u8> = caller.into_iter().flat_map(u32::to_le_bytes).collect();
    for json in &programs {
        let name = format!("{} {}", json["id"], json["from"]);
        let text = json["text"].to_string();
        let stage = if ["POS ", "RET ", "CALL_FS"]
            .iter()
            .any(|part| text.contains(part))
        {
            Stage::Vertex
        } else {
            Stage::Pixel
        };
        let mut bytes = bytes(json);
        let mut fetch_shader = None;
        if text.contains(" RET ") {
            fetch_shader = Some(std::mem::replace(&mut bytes, caller.clone()));
        }
        let program = Program::new(&oracle, &bytes, Chip::R700).expect(&name);
        assert_eq!(program.unsupported(), [], "{name}");
        for dimension in DIMENSIONS {
            let mut environment = furnished(stage, dimension);
            environment.fetch_shader.clone_from(&fetch_shader);
            let limits = Limits {
                groups: 20_000,
                ..Limits::default()
            };
            if let Err(error) = run(&program, &environment, &policy, &limits, &mut ()) {
                faults.push(format!("{name} {dimension:?}: {error}"));
            }
        }
    }
    assert_eq!(programs.len(), 266);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const DIMENSIONS: [Dimension; 5] = [
    Dimension::D1,
    Dimension::D2,
    Dimension::D3,
    Dimension::Cube,
    Dimension::D2Array,
];

/// Eight lanes with some number in every register, every resource that a program can name, and constants that are small
/// as integers: loops count up to them.
fn furnished(stage: Stage, dimension: Dimension) -> Environment {
    let mut environment = Environment::new(stage);
    for lane in 0..8_u8 {
        let vector = |register: u8| {
            [0, 1, 2, 3].map(|channel: u8| {
                let number = f32::from(register) + f32::from(channel) * 0.25 - f32::from(lane);
                (number / 8.0).to_bits()
            })
        };
        environment.lanes.push(Lane {
            registers: (0..32)
                .map(|register| (register, vector(register)))
                .collect(),
            helper: false,
        });
    }
    for bank in 0..16 {
        environment.blocks.insert(bank, vec![[3, 1, 2, 3]; 256]);
    }
    let size = match dimension {
        Dimension::D1 => [4, 1, 1],
        Dimension::D2 => [4, 4, 1],
        Dimension::Cube => [4, 4, 6],
        Dimension::D3 | Dimension::D2Array => [4, 4, 4],
    };
    let texels = size.iter().product::<u32>() as usize;
    for number in 0..=u8::MAX {
        environment.buffers.insert(
            number,
            Buffer {
                stride: 16,
                bytes: 1_f32.to_le_bytes().repeat(256),
                format: None,
                outside: Outside::Zero,
            },
        );
        environment.textures.insert(
            number,
            Texture {
                dimension,
                size,
                levels: vec![vec![[0.5_f32.to_bits(); 4]; texels]],
                integer: false,
            },
        );
    }
    for number in 0..18 {
        let sampler = Sampler {
            compare: Some(Compare::Less),
            ..Sampler::default()
        };
        environment.samplers.insert(number, sampler);
    }
    environment
}
