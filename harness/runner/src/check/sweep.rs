//! Sweeps: every value of a unit's fields, random words, and inputs that are counted off.

use corpora::generate::unit;

use super::Bench;
use crate::finding::Proof;
use crate::judge::Verdict;
use crate::plan::Values;
use crate::report::model::{Answer, Certificate, Difference};
use crate::target::{Enumeration, Stated};

/// One word in this many is counted for coverage: enough to see every bit of every field vary.
const COVERED: u64 = 16;

impl Bench<'_> {
    pub(super) fn field(
        &mut self,
        at: usize,
        field: usize,
        values: Values,
        stream: u64,
        others: u64,
    ) {
        let units = self.target.units();
        let unit = &units[at];
        let bits = unit.fields[field];
        let mut random = self.random(stream);
        self.select(&unit.options);
        let mut word = vec![0; unit.bytes];
        let taken: Box<dyn Iterator<Item = u64>> = match values {
            Values::Range(first, end) => Box::new(first..end),
            Values::Samples => Box::new(unit::values(bits.width, &mut random).into_iter()),
        };
        let mut count = 0;
        for value in taken {
            count += 1;
            for other in 0..others {
                unit::fill(&mut word, &mut random);
                unit::set(&mut word, bits, value);
                let origin = || {
                    format!(
                        "sweep of bits {}+{}, value {value}, stream {stream}",
                        bits.low, bits.width
                    )
                };
                self.judge(&word, &unit.options, origin);
                if other == 0 && value.is_multiple_of(COVERED) {
                    self.cover();
                }
            }
        }
        let high = bits.low + bits.width - 1;
        let what = if bits.width == 1 {
            format!("bit {}", bits.low)
        } else {
            format!("bits [{high}:{}]", bits.low)
        };
        self.certify(
            at,
            what,
            count,
            1_u64.checked_shl(bits.width.into()).unwrap_or(u64::MAX),
        );
    }

    pub(super) fn words(&mut self, at: usize, stream: u64, count: u64) {
        let units = self.target.units();
        let unit = &units[at];
        let mut random = self.random(stream);
        self.select(&unit.options);
        let mut word = vec![0; unit.bytes];
        for number in 0..count {
            unit::fill(&mut word, &mut random);
            let origin = || format!("random words, stream {stream}, number {number}");
            self.judge(&word, &unit.options, origin);
            if number.is_multiple_of(COVERED) {
                self.cover();
            }
        }
        self.certify(at, "random words".to_owned(), count, 0);
    }

    pub(super) fn enumerated(&mut self, at: usize, start: u64, end: u64) {
        let enumerations = self.target.enumerations();
        let enumeration = &enumerations[at];
        self.select(&enumeration.options);
        let mut input = Vec::new();
        let mut values = 0;
        for number in start..end {
            input.clear();
            values += (enumeration.make)(number, &mut input);
            let origin = || format!("{}, number {number}", enumeration.what);
            let verdict = self.judge(&input, &enumeration.options, origin);
            let said = (enumeration.stated)(number);
            if verdict == Some(Verdict::Agree) && !said.is(&self.pair.answer.status) {
                self.contradicted(enumeration, said, number, &input);
            }
            if number.is_multiple_of(COVERED) {
                self.cover();
            }
        }
        let options = enumeration.options.to_string();
        self.certificate(
            options,
            enumeration.what.to_owned(),
            values,
            enumeration.values,
        );
    }

    /// Decoder and oracle agree on what the sweep says is not so.
    fn contradicted(&mut self, of: &Enumeration, said: Stated, number: u64, input: &[u8]) {
        self.result.agree -= 1;
        self.result.disagree += 1;
        let answer = |who: &str, value: String| Answer {
            who: who.to_owned(),
            value,
        };
        let found = self.pair.answer.status.to_string();
        let difference = Difference {
            path: "status".to_owned(),
            answers: vec![
                answer("expected", said.to_string()),
                answer(self.pair.subject.name(), found.clone()),
                answer(self.pair.oracle.name(), found),
            ],
        };
        let bucket = self.bucket(&of.options, format!("{}: not {said}", of.what));
        self.result.finds.add(bucket, input, || {
            let origin = format!("{}, number {number}", of.what);
            (origin, Proof::Stated(vec![difference]))
        });
    }

    fn certify(&mut self, unit: usize, what: String, values: u64, of: u64) {
        let options = self.target.units()[unit].options.to_string();
        self.certificate(options, what, values, of);
    }

    fn certificate(&mut self, unit: String, what: String, values: u64, of: u64) {
        let agree = self.result.agree + self.result.poisoned;
        self.result.certificate = Some(Certificate {
            target: self.target.name().to_owned(),
            unit,
            what,
            values,
            of,
            inputs: agree + self.result.disagree,
            agree,
        });
    }
}
