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
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 4] = [
        Self::Golden,
        Self::Property,
        Self::Differential,
        Self::Sweep,
    ];

    /// Its name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Golden => "golden",
            Self::Property => "property",
            Self::Differential => "differential",
            Self::Sweep => "sweep",
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
#[derive(Clone, Debug, Default)]
pub struct Finds(BTreeMap<Bucket, Find>);

/// Buckets beyond this number are one bucket: a thoroughly wrong decoder needs no thousand findings.
const MOST: usize = 200;

/// The cause of that bucket.
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
        let full = self.0.len() >= MOST;
        let bucket = if full && !self.0.contains_key(&bucket) {
            Bucket {
                cause: FURTHER.to_owned(),
                ..bucket
            }
        } else {
            bucket
        };
        if let Some(find) = self.0.get_mut(&bucket) {
            find.count += count;
            if smaller(bytes, &find.bytes) {
                let (origin, proof) = make();
                *find = Find {
                    origin,
                    bytes: bytes.to_vec(),
                    proof,
                    count: find.count,
                };
            }
        } else {
            let (origin, proof) = make();
            self.0.insert(
                bucket,
                Find {
                    origin,
                    bytes: bytes.to_vec(),
                    proof,
                    count,
                },
            );
        }
    }

    /// Adds what another has found.
    pub fn join(&mut self, other: Self) {
        for (bucket, find) in other.0 {
            let Find {
                origin,
                bytes,
                proof,
                count,
            } = find;
            self.add_counted(bucket, &bytes, count, || (origin, proof));
        }
    }

    /// All, in the order of their buckets.
    pub fn into_buckets(self) -> impl Iterator<Item = (Bucket, Find)> {
        self.0.into_iter()
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
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
