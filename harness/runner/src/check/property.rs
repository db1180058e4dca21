//! Laws: what holds for every input of a kind.

use corpora::Options;
use corpora::generate::unit;

use super::Bench;
use crate::finding::Proof;
use crate::guard;
use crate::target::{Broken, Held, Law};

/// Checks a law on one input; a panic breaks it.
pub fn holds(law: &Law, input: &[u8], options: &Options) -> Result<Held, Broken> {
    guard::catch(|| (law.check)(input, options)).unwrap_or_else(|text| {
        Err(Broken {
            expected: "an answer".to_owned(),
            found: format!("a panic: {text}"),
        })
    })
}

impl Bench<'_> {
    fn check_law(
        &mut self,
        law: &Law,
        input: &[u8],
        options: &Options,
        origin: impl FnOnce() -> String,
    ) {
        match holds(law, input, options) {
            Ok(Held::Holds) => self.result.agree += 1,
            // Such an input is no evidence for the law, and is not counted as if it were.
            Ok(Held::Silent) => self.result.skipped += 1,
            Err(_) => {
                self.result.disagree += 1;
                let bucket = self.bucket(options, format!("law {}", law.name));
                self.result
                    .finds
                    .add(bucket, input, || (origin(), Proof::Law(law.name)));
            }
        }
    }

    pub(super) fn law_on_inputs(&mut self, law: usize, start: usize, end: usize) {
        let laws = self.target.laws();
        let context = self.context;
        for input in &context.inputs[self.job.target][start..end] {
            if (laws[law].applies)(&input.options) {
                self.check_law(&laws[law], &input.bytes, &input.options, || {
                    input.origin.clone()
                });
            }
        }
    }

    pub(super) fn law_on_generated(
        &mut self,
        law: usize,
        generator: usize,
        stream: u64,
        count: u64,
    ) {
        let (laws, generators) = (self.target.laws(), self.target.generators());
        let (law, generator) = (&laws[law], &generators[generator]);
        let mut random = self.random(stream);
        let context = self.context;
        let mut input = Vec::new();
        for number in 0..count {
            input.clear();
            (generator.make)(&mut random, &context.short[self.job.target], &mut input);
            let origin = || {
                format!(
                    "generated {}, stream {stream}, number {number}",
                    generator.name
                )
            };
            self.check_law(law, &input, &generator.options, origin);
        }
    }

    pub(super) fn law_on_unit(&mut self, law: usize, unit: usize, stream: u64, count: u64) {
        let (laws, units) = (self.target.laws(), self.target.units());
        let (law, unit) = (&laws[law], &units[unit]);
        let mut random = self.random(stream);
        let mut word = vec![0; unit.bytes];
        for number in 0..count {
            unit::fill(&mut word, &mut random);
            let origin = || format!("random words, stream {stream}, number {number}");
            self.check_law(law, &word, &unit.options, origin);
        }
    }
}
