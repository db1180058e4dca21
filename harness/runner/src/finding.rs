//! Disagreements, put together by cause, and turned into findings for the report.

use std::collections::BTreeMap;

use corpora::{Options, hex};
use sha2::{Digest, Sha256};

use crate::report::model::Difference;

/// What findings are put together by: target, kind, options and cause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bucket {
    /// The target's name.
    pub target: &'static str,
    /// The kind of check.
    pub kind: Kind,
    /// Options of the input.
    pub options: Options,
    /// What differs, without places and values.
    pub cause: String,
}

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A stated expectation, held against decoder and oracle.
    Golden,
    /// A law.
    Property,
    /// Decoder against oracle, and peer where there is one.
    Differential,
    /// Every value of a unit's fields, and random words.
    Sweep,
    /// A translation on an engine against the reference interpreter.
    Execution,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Golden,
        Self::Property,
        Self::Differential,
        Self::Sweep,
        Self::Execution,
    ];

    /// Its name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Golden => "golden",
            Self::Property => "property",
            Self::Differential => "differential",
            Self::Sweep => "sweep",
            Self::Execution => "execution",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How a bucket's cause can be shown again, for reduction and for the report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Decoder and oracle differ.
    Pair,
    /// A case's expectation is not met. It is not reduced: the case is already small, and says what it says.
    Expectation {
        /// The case's id.
        case: String,
        /// Where it is not met.
        differences: Vec<Difference>,
        /// Where the expectation comes from.
        source: String,
    },
    /// Decoder and oracle agree on what a sweep states otherwise. It is not reduced: what is stated is of that input.
    Stated(Vec<Difference>),
    /// A law is broken.
    Law(&'static str),
    /// A peer says something else than decoder or oracle.
    Peer {
        /// Where.
        differences: Vec<Difference>,
        /// Who stands alone.
        odd_one_out: Option<String>,
    },
    /// An implementation panicked.
    Panic(String),
    /// A program computes something else than it should.
    Execution {
        /// Where, at the first group that differs if that is known.
        differences: Vec<Difference>,
        /// Where the expectation comes from; or the first group that differs, as a case.
        source: String,
        /// How to see it again.
        again: Again,
    },
}

/// How an execution is seen again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// By the id of its case.
    Case(String),
    /// By the program, with these arguments.
    Diff(String),
    /// By the whole run.
    Nothing,
}

/// The first case of a bucket, and how many there were.
#[derive(Clone, Debug)]
pub struct Find {
    /// Where the input came from.
    pub origin: String,
    /// The input.
    pub bytes: Vec<u8>,
    /// How to show it again.
    pub proof: Proof,
    /// How many cases fell into the bucket.
    pub count: u64,
}

/// Finds by bucket.
///
/// At most 200 causes are kept, the first ones in the order of their buckets; all others are put together. Which ones
/// those are does not depend on the order in which finds come, so jobs may end, and parts be joined, in any order.
#[derive(Clone, Debug, Default)]
pub struct Finds {
    kept: BTreeMap<Bucket, Find>,
    further: BTreeMap<Bucket, Find>,
}

/// Causes beyond this number are one cause: a thoroughly wrong decoder needs no thousand findings.
const MOST: usize = 200;

/// The cause of the rest.
pub const FURTHER: &str = "further causes";

impl Finds {
    /// Adds a disagreement. `make` is only called for the first of its bucket, and for a smaller input than the one that
    /// stands for the bucket so far.
    pub fn add(&mut self, bucket: Bucket, bytes: &[u8], make: impl FnOnce() -> (String, Proof)) {
        self.add_counted(bucket, bytes, 1, make);
    }

    fn add_counted(
        &mut self,
        bucket: Bucket,
        bytes: &[u8],
        count: u64,
        make: impl FnOnce() -> (String, Proof),
    ) {
        if bucket.cause == FURTHER {
            return merge(&mut self.further, bucket, bytes, count, make);
        }
        let beyond = self.kept.len() == MOST
            && !self.kept.contains_key(&bucket)
            && self
                .kept
                .last_key_value()
                .is_some_and(|(last, _)| *last < bucket);
        if beyond {
            return merge(&mut self.further, bucket.further(), bytes, count, make);
        }
        merge(&mut self.kept, bucket, bytes, count, make);
        if self.kept.len() > MOST
            && let Some((bucket, find)) = self.kept.pop_last()
        {
            let Find {
                origin,
                bytes,
                proof,
                count,
            } = find;
            let make = || (origin, proof);
            merge(&mut self.further, bucket.further(), &bytes, count, make);
        }
    }

    /// Adds what another has found.
    pub fn join(&mut self, other: Self) {
        for (bucket, find) in other.kept.into_iter().chain(other.further) {
            let Find {
                origin,
                bytes,
                proof,
                count,
            } = find;
            self.add_counted(bucket, &bytes, count, || (origin, proof));
        }
    }

    /// All, in the order of their buckets, the rest last.
    pub fn into_buckets(self) -> impl Iterator<Item = (Bucket, Find)> {
        self.kept.into_iter().chain(self.further)
    }
}

fn merge(
    finds: &mut BTreeMap<Bucket, Find>,
    bucket: Bucket,
    bytes: &[u8],
    count: u64,
    make: impl FnOnce() -> (String, Proof),
) {
    let Some(known) = finds.get_mut(&bucket) else {
        let (origin, proof) = make();
        let bytes = bytes.to_vec();
        let find = Find {
            origin,
            bytes,
            proof,
            count,
        };
        finds.insert(bucket, find);
        return;
    };
    known.count += count;
    if bytes == known.bytes {
        // The same input from two places: named by the first of the names.
        let (origin, proof) = make();
        if origin < known.origin {
            (known.origin, known.proof) = (origin, proof);
        }
    } else if smaller(bytes, &known.bytes) {
        (known.origin, known.proof) = make();
        known.bytes = bytes.to_vec();
    }
}

/// Longest input that is told apart from others by its own bytes.
const SHORT: usize = 64;

/// What an input is told apart by: its hex, or its SHA-256 if it is long.
pub fn original(input: &[u8]) -> String {
    if input.len() <= SHORT {
        hex::encode(input)
    } else {
        hex::encode(&Sha256::digest(input))
    }
}

/// The order by which an input stands for its bucket: shorter first, then by [`original`]. It does not depend on the order
/// in which cases ran, so a split run and a whole one choose the same.
fn smaller(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() || a.len() <= SHORT {
        return (a.len(), a) < (b.len(), b);
    }
    original(a) < original(b)
}

impl Bucket {
    /// The bucket of what is one cause too many.
    fn further(self) -> Self {
        Self {
            cause: FURTHER.to_owned(),
            ..self
        }
    }

    /// A stable name for anchors and fingerprints.
    pub fn id(&self) -> String {
        let text = format!(
            "{} {} {} {}",
            self.target,
            self.kind.name(),
            self.options,
            self.cause
        );
        let digest = Sha256::digest(text.as_bytes());
        format!(
            "{}-{}-{}",
            self.target,
            self.kind.name(),
            hex::encode(&digest[..4])
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(number: u32) -> Bucket {
        Bucket {
            target: "t",
            kind: Kind::Sweep,
            options: Options::new(),
            cause: format!("cause {number:03}"),
        }
    }

    fn finds(numbers: impl Iterator<Item = u32>) -> Finds {
        let mut finds = Finds::default();
        for number in numbers {
            let bytes = number.to_be_bytes();
            finds.add(bucket(number), &bytes, || {
                (format!("{number}"), Proof::Pair)
            });
        }
        finds
    }

    fn listed(finds: Finds) -> Vec<(String, u64, Vec<u8>)> {
        let list = finds.into_buckets();
        list.map(|(bucket, find)| (bucket.cause, find.count, find.bytes))
            .collect()
    }

    #[test]
    fn too_many_causes_are_put_together_in_whatever_order_they_come() {
        let forwards = listed(finds(0..300));
        assert_eq!(forwards.len(), MOST + 1);
        let (cause, count, bytes) = &forwards[MOST];
        assert_eq!((cause.as_str(), *count), (FURTHER, 100));
        assert_eq!(*bytes, 200_u32.to_be_bytes());
        assert_eq!(forwards, listed(finds((0..300).rev())));
        // 7 and 300 have no factor in common: all numbers, in another order.
        assert_eq!(
            forwards,
            listed(finds((0..300).map(|number| number * 7 % 300)))
        );
        let mut joined = finds(150..300);
        joined.join(finds(0..150));
        assert_eq!(forwards, listed(joined));
    }
}
