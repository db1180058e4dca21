//! A target with another decoder under test.

use std::path::Path;
use std::sync::Arc;

use corpora::{FieldId, Implementation, Options, Vocabulary};

use crate::report::model::SingleSource;
use crate::target::{Enumeration, Found, Generator, Law, Target, Unit};

/// Makes a decoder under test.
type Make = Box<dyn Fn() -> Box<dyn Implementation> + Send + Sync>;

/// A target whose decoder is replaced by one that somebody brings. Laws speak of the target's own library, so there are
/// none.
pub struct Substitute {
    target: Box<dyn Target>,
    make: Make,
}

impl Substitute {
    /// `target` with the decoders that `make` makes.
    pub fn new(
        target: Box<dyn Target>,
        make: impl Fn() -> Box<dyn Implementation> + Send + Sync + 'static,
    ) -> Self {
        Self {
            target,
            make: Box::new(make),
        }
    }
}

impl Target for Substitute {
    fn name(&self) -> &'static str {
        self.target.name()
    }

    fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.target.vocabulary()
    }

    fn subject(&self) -> Box<dyn Implementation> {
        (self.make)()
    }

    fn oracle(&self) -> Box<dyn Implementation> {
        self.target.oracle()
    }

    fn units(&self) -> Vec<Unit> {
        self.target.units()
    }

    fn enumerations(&self) -> Vec<Enumeration> {
        self.target.enumerations()
    }

    fn reads(&self, path: &Path) -> bool {
        self.target.reads(path)
    }

    fn inputs(&self, path: &Path, bytes: &[u8], origin: &str) -> Result<Found, String> {
        self.target.inputs(path, bytes, origin)
    }

    fn generators(&self) -> Vec<Generator> {
        self.target.generators()
    }

    fn laws(&self) -> Vec<Law> {
        Vec::new()
    }

    fn axes(&self) -> Vec<FieldId> {
        self.target.axes()
    }

    fn axis_names(&self, axis: FieldId) -> Vec<String> {
        self.target.axis_names(axis)
    }

    fn single_source_names(&self) -> Vec<SingleSource> {
        self.target.single_source_names()
    }

    fn expects_recorded_peer(&self) -> bool {
        self.target.expects_recorded_peer()
    }

    fn is_words(&self) -> bool {
        self.target.is_words()
    }

    fn grain(&self, options: &Options) -> usize {
        self.target.grain(options)
    }
}
