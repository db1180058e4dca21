//! Mistakes in a translation are noticed: operands swapped, clamps and signs dropped, writes too early, PS for PV and the
//! like are planted in translations, one at a time, and judged as `assay r700 diff --translation` judges them.
//!
//! A mutant may have no effect, as where both operands are equal. That is not taken on trust: without a difference on the
//! usual inputs it has to give, bit for bit, the outputs of the original on many more; or only others which the
//! reference leaves open; or to be noticed there, if it shows seldom.
//!
//! `cargo test -p assay --test translation_mutants -- --nocapture` shows the counts, and with ASSAY_MUTANTS_LIST set the
//! mutants that the usual inputs do not show.

mod by_hand;
mod edits;
mod expression;
mod judge;
mod mutate;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assay::engines;
use assay::execution::flow;
use assay::execution::setup::Setup;
use assay::execution::shader::Shader;
use corpora::execution::Stage;
use corpora::generate::Random;
use rayon::prelude::*;

use judge::{Fate, Named, Original};
use mutate::{Kind, Mutant};

/// How many mutants are made of what.
struct Plan {
    /// Every how manieth shader of the files is taken.
    every: usize,
    /// Generated programs.
    generated: u64,
    /// Mutants of a kind, of one translation.
    most: usize,
    /// Whether every kind has to be among those that were noticed: a corpus need not have a place for each.
    every_kind: bool,
}

/// Counts of one kind.
#[derive(Clone, Debug, Default)]
struct Count {
    made: u64,
    noticed: u64,
    without_effect: u64,
    open: u64,
    seldom: u64,
    missed: u64,
    named: BTreeMap<&'static str, u64>,
}

/// Counts by kind, and what is wrong or worth reading.
#[derive(Clone, Debug, Default)]
struct Tally {
    counts: BTreeMap<Kind, Count>,
    translations: u64,
    not_glsl: u64,
    faults: Vec<String>,
    without_effect: Vec<String>,
    seldom: Vec<String>,
}

impl Tally {
    fn add(&mut self, mutant: &Mutant, fate: Fate, shown: impl Fn() -> String) {
        if fate == Fate::NotGlsl {
            self.not_glsl += 1;
            return;
        }
        let count = self.counts.entry(mutant.kind).or_default();
        count.made += 1;
        match fate {
            Fate::NotGlsl => {}
            Fate::WithoutEffect => {
                count.without_effect += 1;
                self.without_effect.push(shown());
            }
            Fate::Open => count.open += 1,
            Fate::Seldom(why) => {
                count.seldom += 1;
                self.seldom.push(format!("{}: {why}", shown()));
            }
            Fate::Missed(why) => {
                count.missed += 1;
                self.faults.push(format!("missed: {}: {why}", shown()));
            }
            Fate::Noticed(named) => {
                count.noticed += 1;
                let name = match &named {
                    Named::Error => "error",
                    Named::Right => "right",
                    Named::Later => "later",
                    Named::Elsewhere => "elsewhere",
                    Named::Nowhere => "nowhere",
                    Named::NoGroup => "no group",
                    Named::Wrong(why) => {
                        self.faults
                            .push(format!("named wrongly: {}: {why}", shown()));
                        "wrong"
                    }
                };
                *count.named.entry(name).or_default() += 1;
            }
        }
    }

    fn join(mut self, other: Self) -> Self {
        for (kind, other) in other.counts {
            let count = self.counts.entry(kind).or_default();
            count.made += other.made;
            count.noticed += other.noticed;
            count.without_effect += other.without_effect;
            count.open += other.open;
            count.seldom += other.seldom;
            count.missed += other.missed;
            for (name, number) in other.named {
                *count.named.entry(name).or_default() += number;
            }
        }
        self.translations += other.translations;
        self.not_glsl += other.not_glsl;
        self.faults.extend(other.faults);
        self.without_effect.extend(other.without_effect);
        self.seldom.extend(other.seldom);
        self
    }

    fn show(&self) -> String {
        let mut text = format!(
            "{} translations; {} mutants that GLSL does not allow\n{:24} {:>6} {:>7} {:>9} {:>6} {:>6} {:>6}  named\n",
            self.translations,
            self.not_glsl,
            "",
            "made",
            "noticed",
            "no effect",
            "open",
            "seldom",
            "missed"
        );
        for (kind, count) in &self.counts {
            let named: Vec<_> = count
                .named
                .iter()
                .map(|(name, number)| format!("{number} {name}"))
                .collect();
            text += &format!(
                "{:24} {:6} {:7} {:9} {:6} {:6} {:6}  {}\n",
                kind.name(),
                count.made,
                count.noticed,
                count.without_effect,
                count.open,
                count.seldom,
                count.missed,
                named.join(", ")
            );
        }
        text
    }
}

/// The mutants of one translation: of each kind a few, by chance.
fn of_shader(shader: &Shader, stream: u64, plan: &Plan) -> Tally {
    let mut tally = Tally::default();
    let reference = engines::reference("embedded").expect("the reference");
    let Some(mut original) = Original::new(&reference, shader) else {
        return tally;
    };
    tally.translations = 1;
    let source = original.source().to_owned();
    let mut by_kind: BTreeMap<Kind, Vec<Mutant>> = BTreeMap::new();
    for mutant in mutate::mutants(&source) {
        by_kind.entry(mutant.kind).or_default().push(mutant);
    }
    let mut random = Random::new(11, stream);
    for (_, mut mutants) in by_kind {
        for _ in 0..plan.most.min(mutants.len()) {
            let at = random.below(mutants.len() as u64) as usize;
            let mutant = mutants.swap_remove(at);
            let shown = || {
                let what = mutant.shown(&source);
                format!("{}: {}: {what}", shader.origin, mutant.kind.name())
            };
            match original.judge(&mutant) {
                Ok(fate) => tally.add(&mutant, fate, shown),
                Err(error) => tally.faults.push(format!("{}: {error}", shown())),
            }
        }
    }
    tally
}

fn shaders(root: &Path, plan: &Plan) -> Vec<Shader> {
    let mut setup = Setup::default();
    setup.add(root, None).expect("the files");
    let known = setup.expected.into_iter().map(|known| known.shader);
    let mut shaders: Vec<_> = setup.shaders.into_iter().chain(known).collect();
    let mut number = 0;
    shaders.retain(|_| {
        number += 1;
        number % plan.every == 0
    });
    shaders.push(by_hand::program());
    for number in 0..plan.generated {
        let bytes = flow::program(&mut Random::new(5, number)).expect("a program");
        shaders.push(Shader::new(
            format!("generated program {number}"),
            bytes,
            Stage::Pixel,
        ));
    }
    shaders
}

fn check(shaders: &[Shader], plan: &Plan) {
    let tally = shaders
        .par_iter()
        .enumerate()
        .map(|(number, shader)| of_shader(shader, number as u64, plan))
        .reduce(Tally::default, Tally::join);
    eprint!("{}", tally.show());
    if std::env::var_os("ASSAY_MUTANTS_LIST").is_some() {
        for line in &tally.without_effect {
            eprintln!("without effect: {line}");
        }
        for line in &tally.seldom {
            eprintln!("seldom: {line}");
        }
    }
    let shown = tally.faults.iter().take(40).cloned().collect::<Vec<_>>();
    assert!(
        tally.faults.is_empty(),
        "{} faults:\n{}",
        tally.faults.len(),
        shown.join("\n")
    );
    let noticed = |kind: &Kind| tally.counts.get(kind).map_or(0, |count| count.noticed);
    let mut missing = Kind::ALL.to_vec();
    missing.retain(|kind| plan.every_kind && noticed(kind) == 0);
    assert!(missing.is_empty(), "no mutant was noticed of: {missing:?}");
}

fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/r700/mesa")
}

#[test]
fn a_sample_is_noticed() {
    let plan = Plan {
        every: 20,
        generated: 6,
        most: 2,
        every_kind: true,
    };
    check(&shaders(&testdata(), &plan), &plan);
}

#[test]
#[ignore = "takes minutes"]
fn many_are_noticed() {
    let plan = Plan {
        every: 1,
        generated: 200,
        most: 8,
        every_kind: true,
    };
    check(&shaders(&testdata(), &plan), &plan);
}

#[test]
#[ignore = "needs a corpus: ASSAY_CORPUS names its directory; takes minutes"]
fn of_the_corpus_many_are_noticed() {
    let corpus = std::env::var_os("ASSAY_CORPUS").expect("ASSAY_CORPUS");
    let plan = Plan {
        every: 3,
        generated: 20,
        most: 3,
        every_kind: false,
    };
    check(&shaders(Path::new(&corpus), &plan), &plan);
}
