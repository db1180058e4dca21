//! Turns finds into findings: reduces the input and renders what differs.

use std::collections::BTreeMap;

use corpora::{Options, hex};

use crate::check::law_holds;
use crate::context::Context;
use crate::finding::{Again, Bucket, FURTHER, Find, Finds, Proof};
use crate::guard;
use crate::judge::{Pair, Verdict};
use crate::reduce::reduce;
use crate::report::model::{Answer, Difference, Finding};
use crate::target::Target;

/// Longest input that a replay line spells out; a longer one is named by where it came from.
const SPELLED: usize = 128;

/// Most differences shown of one finding.
const SHOWN: usize = 40;

/// Findings in the order of their buckets.
pub fn findings(finds: Finds, context: &Context) -> Vec<Finding> {
    finds
        .into_buckets()
        .filter_map(|(bucket, find)| {
            let target = context
                .targets
                .iter()
                .find(|target| target.name() == bucket.target)?;
            Some(finding(&**target, &bucket, &find))
        })
        .collect()
}

fn finding(target: &dyn Target, bucket: &Bucket, find: &Find) -> Finding {
    let (input, mut differences, odd_one_out) = match &find.proof {
        Proof::Pair => {
            let (input, differences) = pair(target, bucket, &find.bytes);
            (input, differences, None)
        }
        Proof::Panic(text) => {
            let input = reduce_pair(target, bucket, &find.bytes);
            (
                input,
                vec![said("status", "an answer", &format!("a panic: {text}"))],
                None,
            )
        }
        Proof::Law(name) => {
            let (input, differences) = law(target, bucket, name, &find.bytes);
            (input, differences, None)
        }
        Proof::Stated(differences) | Proof::Expectation { differences, .. } => {
            (find.bytes.clone(), differences.clone(), None)
        }
        Proof::Peer {
            differences,
            odd_one_out,
        } => (find.bytes.clone(), differences.clone(), odd_one_out.clone()),
        // Cut to one group already, where it can be.
        Proof::Execution { differences, .. } => (find.bytes.clone(), differences.clone(), None),
    };
    let citations = citations(target, &differences, &find.proof);
    differences.truncate(SHOWN);
    Finding {
        id: bucket.id(),
        target: bucket.target.to_owned(),
        kind: bucket.kind.name().to_owned(),
        cause: bucket.cause.clone(),
        count: find.count,
        origin: find.origin.clone(),
        options: options(&bucket.options),
        hex: hex::encode(&input),
        words: if target.is_words() {
            words(&input)
        } else {
            Vec::new()
        },
        original_bytes: find.bytes.len() as u64,
        original: crate::finding::original(&find.bytes),
        differences,
        odd_one_out,
        citations,
        replay: replay(bucket, find, &input),
    }
}

fn said(path: &str, expected: &str, found: &str) -> Difference {
    let answer = |who: &str, value: &str| Answer {
        who: who.to_owned(),
        value: value.to_owned(),
    };
    Difference {
        path: path.to_owned(),
        answers: vec![answer("expected", expected), answer("found", found)],
    }
}

/// Whether an input shows the bucket's cause.
fn shows(target: &dyn Target, pair: &mut Pair, bucket: &Bucket, input: &[u8]) -> bool {
    match guard::catch(|| pair.judge(input)) {
        Ok(Verdict::Disagree) => {
            bucket.cause == FURTHER || pair.cause(target.vocabulary()) == bucket.cause
        }
        Ok(_) => false,
        Err(_) => {
            *pair = Pair::new(target.subject(), target.oracle());
            let _ = pair.select(&bucket.options);
            bucket.cause.starts_with("panic")
        }
    }
}

fn reduce_pair(target: &dyn Target, bucket: &Bucket, input: &[u8]) -> Vec<u8> {
    let mut pair = Pair::new(target.subject(), target.oracle());
    if pair.select(&bucket.options).is_err() {
        return input.to_vec();
    }
    reduce(input, target.grain(&bucket.options), |candidate| {
        shows(target, &mut pair, bucket, candidate)
    })
}

fn pair(target: &dyn Target, bucket: &Bucket, input: &[u8]) -> (Vec<u8>, Vec<Difference>) {
    let input = reduce_pair(target, bucket, input);
    let mut pair = Pair::new(target.subject(), target.oracle());
    let _ = pair.select(&bucket.options);
    pair.judge(&input);
    let differences = pair.differences(target.vocabulary());
    (input, differences)
}

fn law(
    target: &dyn Target,
    bucket: &Bucket,
    name: &str,
    input: &[u8],
) -> (Vec<u8>, Vec<Difference>) {
    let laws = target.laws();
    let Some(law) = laws.iter().find(|law| law.name == name) else {
        return (input.to_vec(), Vec::new());
    };
    let options = &bucket.options;
    let input = reduce(input, target.grain(options), |bytes| {
        law_holds(law, bytes, options).is_err()
    });
    let differences = match law_holds(law, &input, options) {
        Err(broken) => vec![said("law", &broken.expected, &broken.found)],
        Ok(_) => Vec::new(),
    };
    (input, differences)
}

fn citations(target: &dyn Target, differences: &[Difference], proof: &Proof) -> Vec<String> {
    let mut citations: Vec<String> = Vec::new();
    if let Proof::Expectation { source, .. } | Proof::Execution { source, .. } = proof
        && !source.is_empty()
    {
        citations.push(source.clone());
    }
    let vocabulary = target.vocabulary();
    for difference in differences.iter().take(SHOWN) {
        let Ok((_, field, _)) = vocabulary.resolve(&difference.path) else {
            continue;
        };
        let field = vocabulary.field(field);
        let citation = format!("{}: {} ({})", field.path, field.source, field.evidence);
        if !citations.contains(&citation) && citations.len() < 6 {
            citations.push(citation);
        }
    }
    citations
}

fn options(options: &Options) -> BTreeMap<String, String> {
    options
        .iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Bytes as 32-bit little-endian words; a rest shorter than a word is left to the hex.
pub fn words(input: &[u8]) -> Vec<String> {
    input
        .chunks_exact(4)
        .map(|word| {
            format!(
                "{:08x}",
                u32::from_le_bytes([word[0], word[1], word[2], word[3]])
            )
        })
        .collect()
}

fn replay(bucket: &Bucket, find: &Find, input: &[u8]) -> String {
    if let Proof::Expectation { case, .. } = &find.proof {
        let target = bucket.target;
        return format!("assay verify --target {target} --case {case} --out reports/replay");
    }
    if let Proof::Execution { again, .. } = &find.proof {
        let target = bucket.target;
        return match again {
            Again::Case(case) => format!(
                "assay verify --target {target} --kind execution --case {case} --out reports/replay"
            ),
            Again::Diff(arguments) => {
                format!(
                    "assay {target} diff {arguments} findings/{}.bin",
                    bucket.id()
                )
            }
            Again::Nothing => {
                format!("assay verify --target {target} --kind execution --out reports/replay")
            }
        };
    }
    if let Proof::Peer { .. } = &find.proof {
        // Decoder and oracle may well agree; only a run on the corpus hears the peer.
        let target = bucket.target;
        return format!("assay verify --target {target} --kind differential --out reports/replay");
    }
    let mut line = format!("assay replay {}", bucket.target);
    if !bucket.options.is_empty() {
        line.push_str(&format!(" --options {}", bucket.options));
    }
    if let Proof::Law(law) = &find.proof {
        line.push_str(&format!(" --law {law}"));
    }
    if input.len() <= SPELLED {
        line.push_str(&format!(" --hex {}", hex::encode(input)));
    } else {
        line.push_str(&format!(" findings/{}.bin", bucket.id()));
    }
    line
}
