//! What the fuzz targets call: plain functions, so that stable tests run them too.
//!
//! Each takes any bytes, holds decoder and oracle against each other and checks the laws, and panics with what is wrong.

use std::cell::RefCell;

use corpora::Options;

use crate::check::law_holds;
use crate::judge::{Pair, Verdict};
use crate::target::{Law, Target};
use crate::targets::gfd::Gfd;
use crate::targets::igc::{self, Igc};
use crate::targets::pica::{self, Pica};
use crate::targets::r700::R700;

/// A target with its pair, made once a thread: a fuzzer calls millions of times.
struct Bench {
    target: Box<dyn Target>,
    pair: Pair,
    laws: Vec<Law>,
}

impl Bench {
    fn new(target: Box<dyn Target>) -> Self {
        let pair = Pair::new(target.subject(), target.oracle());
        Self {
            laws: target.laws(),
            target,
            pair,
        }
    }

    fn judge(&mut self, input: &[u8], options: &Options) {
        self.pair.select(options).expect("options of the target");
        if self.pair.judge(input) == Verdict::Disagree {
            let differences = self.pair.differences(self.target.vocabulary());
            panic!("decoder and oracle differ with {options}: {differences:#?}");
        }
        for law in self.laws.iter().filter(|law| (law.applies)(options)) {
            if let Err(broken) = law_holds(law, input, options) {
                panic!("{} is broken with {options}: {broken:?}", law.name);
            }
        }
    }
}

thread_local! {
    static CONTAINERS: RefCell<Bench> =
        RefCell::new(Bench::new(Box::new(Gfd::new().expect("the embedded tables"))));
    static MICROCODE: RefCell<Bench> =
        RefCell::new(Bench::new(Box::new(R700::new().expect("the embedded tables"))));
    static VERTICES: RefCell<Bench> =
        RefCell::new(Bench::new(Box::new(Pica::new().expect("the embedded tables"))));
    static STREAMS: RefCell<Bench> =
        RefCell::new(Bench::new(Box::new(Igc::new().expect("the embedded tables"))));
}

/// A GFD file.
pub fn gfd(input: &[u8]) {
    CONTAINERS.with_borrow_mut(|bench| bench.judge(input, &Options::new()));
}

/// An R700 program.
pub fn r700_program(input: &[u8]) {
    let options = Options::new().with("unit", "program").with("chip", "r700");
    MICROCODE.with_borrow_mut(|bench| bench.judge(input, &options));
}

/// One instruction; the first byte chooses unit and chip.
pub fn r700_words(input: &[u8]) {
    const UNITS: [&str; 5] = ["cf", "alu", "tex", "vtx", "mem"];
    let Some((&first, words)) = input.split_first() else {
        return;
    };
    let unit = UNITS[usize::from(first) % UNITS.len()];
    let chip = if first < 128 { "r700" } else { "r600" };
    let options = Options::new().with("unit", unit).with("chip", chip);
    MICROCODE.with_borrow_mut(|bench| bench.judge(words, &options));
}

/// A vertex fetch in sequence.
pub fn pica(input: &[u8]) {
    VERTICES.with_borrow_mut(|bench| bench.judge(input, &pica::unit(pica::DECODE)));
}

/// A vertex fetch through indices.
pub fn pica_indexed(input: &[u8]) {
    VERTICES.with_borrow_mut(|bench| bench.judge(input, &pica::unit(pica::INDEXED)));
}

/// A command list.
pub fn pica_state(input: &[u8]) {
    VERTICES.with_borrow_mut(|bench| bench.judge(input, &pica::unit(pica::STATE)));
}

/// A stream of the IGC, which is executed as well.
pub fn igc_stream(input: &[u8]) {
    STREAMS.with_borrow_mut(|bench| bench.judge(input, &igc::unit(igc::STREAM)));
}

/// A DMA list of the IGC.
pub fn igc_dma(input: &[u8]) {
    STREAMS.with_borrow_mut(|bench| bench.judge(input, &igc::unit(igc::DMA)));
}
