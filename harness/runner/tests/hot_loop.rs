//! The loop that judges words allocates nothing once its buffers have grown.

use assay::judge::{Pair, Verdict};
use assay::target::Target;
use assay::targets::r700::R700;
use corpora::generate::{Random, unit};

#[test]
fn judging_words_allocates_nothing() {
    let target = R700::new().expect("the target");
    for of in target.units() {
        let mut pair = Pair::new(target.subject(), target.oracle());
        pair.select(&of.options).expect("options of the target");
        let mut words = vec![0; of.bytes * 2000];
        unit::fill(&mut words, &mut Random::new(1, 1));
        let (first, rest) = words.split_at(of.bytes * 1000);
        let mut agree = |words: &[u8]| {
            words
                .chunks_exact(of.bytes)
                .filter(|word| pair.judge(word) == Verdict::Agree)
                .count()
        };
        assert_eq!(agree(first), 1000);
        let allocations = allocation_counter::measure(|| assert_eq!(agree(rest), 1000));
        assert_eq!(allocations.count_total, 0, "{}", of.options);
    }
}
