//! What the sources of a corpus say on the embedded engine is what the reference interpreter makes of their microcode.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assay::engine::embedded::Embedded;
use assay::engines;
use assay::execution::source::agree::Tally;
use assay::execution::source::{Corpus, Opinion, RUNS, Verdict};

fn directory() -> PathBuf {
    let corpus = std::env::var_os("ASSAY_CORPUS").expect("ASSAY_CORPUS");
    PathBuf::from(corpus).join("r700-mesa")
}

fn opinions(directory: &Path) -> Vec<Opinion> {
    let corpus = Corpus::read(directory).expect("the corpus");
    let judge = engines::judge(Box::new(Embedded::default())).expect("the embedded engine");
    corpus.opinions(&judge.reference, judge.engine.as_ref(), 1)
}

/// Programs that no source says anything of: what the driver brings itself, and one pixel shader whose source is not in the
/// corpus.
const WITHOUT_SOURCE: [(&str, usize); 3] = [
    ("a fetch shader has no source", 8),
    ("a shader of the driver's own", 5),
    (
        "the corpus lacks the pixel shader that vertex shaders were linked with",
        1,
    ),
];

/// Programs of the corpus.
const PROGRAMS: usize = 266;

#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-mesa in it"]
fn sources_agree_with_their_microcode() {
    let opinions = opinions(&directory());
    let mut differences = Vec::new();
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    let mut agree = 0;
    let mut lanes = Tally::default();
    for Opinion { id, from, verdict } in &opinions {
        match verdict {
            Verdict::Agree(tally) => {
                assert_eq!(tally.lanes(), RUNS * 64, "{from} {id}");
                agree += 1;
                lanes.allowed += tally.allowed;
                lanes.near += tally.near;
                lanes.open += tally.open;
                lanes.nominal += tally.nominal;
                if tally.open > 0 {
                    eprintln!("{from} {id}: {tally:?}");
                }
            }
            Verdict::Differs(tally, difference) => {
                differences.push(format!("{from} {id}: {tally:?}: {difference}"));
            }
            Verdict::NotComparable(reason) => *reasons.entry(reason).or_default() += 1,
        }
    }
    eprintln!(
        "{} programs: {agree} agree, {} differ, {} not comparable; of {} lanes {} allowed, {} near, {} open (of \
         those {} agree nominally)",
        opinions.len(),
        differences.len(),
        reasons.values().sum::<usize>(),
        lanes.lanes(),
        lanes.allowed,
        lanes.near,
        lanes.open,
        lanes.nominal
    );
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert_eq!(reasons, BTreeMap::from(WITHOUT_SOURCE));
    assert_eq!(opinions.len(), PROGRAMS);
}

/// `o0 = v0 + v1`, with one ADD of its microcode made a MUL_IEEE (bit 8 of the second word): the source objects in every
/// lane where the sum is not the product.
#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names the directory with r700-mesa in it"]
fn a_changed_instruction_is_noticed() {
    let corpus = directory();
    let list = fs::read_to_string(corpus.join("programs.jsonl")).expect("the list");
    let line = list
        .lines()
        .find(|line| line.contains("183dd7c83f8f"))
        .expect("the program");
    let changed = line.replacen("\"00400010\"", "\"00400110\"", 1);
    assert_ne!(line, changed);
    let copy = tempfile::tempdir().expect("a directory");
    fs::write(copy.path().join("programs.jsonl"), changed).expect("written");
    for file in [
        "src/ps_b_add.frag",
        "src/vs_passthru.vert",
        "dump/ps_b_add.rv770.nir.txt",
    ] {
        let to = copy.path().join(file);
        fs::create_dir_all(to.parent().expect("a parent")).expect("a directory");
        fs::copy(corpus.join(file), to).expect("copied");
    }
    let opinions = opinions(copy.path());
    let [Opinion { verdict, .. }] = opinions.as_slice() else {
        panic!("{opinions:?}");
    };
    let Verdict::Differs(tally, difference) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(difference.words.what, "pixel0.x");
    assert!(tally.different > tally.lanes() * 9 / 10, "{tally:?}");
}
