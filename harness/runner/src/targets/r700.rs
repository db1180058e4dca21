//! The `r700` target: R600/R700 microcode.

mod corpus;
mod ids;
mod laws;
mod names;
mod peer;
#[cfg(test)]
mod planted;
mod subject;
mod unit;

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use corpora::generate::r700 as generate;
use corpora::{FieldId, Implementation, Options, Vocabulary};
use oracles::r700::{Chip, Oracle, Tables, Unit as Word};

use ids::Ids;
use names::{Aliases, Names};
use subject::{Shared, Subject};

use crate::report::model::SingleSource;
use crate::target::{Found, Generator, Law, Target, Unit, single_source};

/// The `r700` target.
pub struct R700 {
    tables: Tables,
    vocabulary: Arc<Vocabulary>,
    shared: Arc<Shared>,
    aliases: Aliases,
    oracle: Oracle,
}

impl R700 {
    /// The target with the specification's own tables.
    pub fn new() -> Result<Self> {
        Self::with_tables(Tables::embedded()?)
    }

    /// The target with other tables: a wrong oracle, to see whether it is noticed.
    pub fn with_tables(tables: Tables) -> Result<Self> {
        let mut vocabulary = oracles::r700::vocabulary(&tables)?;
        let aliases = Aliases::new(&tables.aliases);
        let names = Names::new(&mut vocabulary, &aliases);
        let shared = Arc::new(Shared {
            ids: Ids::new(&vocabulary)?,
            names,
        });
        let vocabulary = Arc::new(vocabulary);
        let oracle = Oracle::new(&tables, Arc::clone(&vocabulary))?;
        Ok(Self {
            tables,
            vocabulary,
            shared,
            aliases,
            oracle,
        })
    }
}

fn options(unit: &str, chip: &str) -> Options {
    Options::new().with("unit", unit).with("chip", chip)
}

impl Target for R700 {
    fn name(&self) -> &'static str {
        "r700"
    }

    fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    fn subject(&self) -> Box<dyn Implementation> {
        Box::new(Subject::new(Arc::clone(&self.shared)))
    }

    fn oracle(&self) -> Box<dyn Implementation> {
        Box::new(self.oracle.clone())
    }

    fn units(&self) -> Vec<Unit> {
        let mut units = Vec::new();
        let words = [
            (Word::Cf, 8),
            (Word::Alu, 8),
            (Word::Tex, 16),
            (Word::Vtx, 16),
            (Word::Mem, 16),
        ];
        for chip in [Chip::R700, Chip::R600] {
            for (word, bytes) in words {
                if (word, chip) != (Word::Mem, Chip::R600) {
                    let fields = self.oracle.sweep_fields(word, chip);
                    let options = options(word.name(), chip.name());
                    let main = chip == Chip::R700;
                    units.push(Unit {
                        options,
                        bytes,
                        main,
                        fields,
                    });
                }
            }
        }
        units
    }

    fn reads(&self, path: &Path) -> bool {
        corpus::reads(path)
    }

    fn inputs(&self, path: &Path, bytes: &[u8], origin: &str) -> Result<Found, String> {
        corpus::inputs(path, bytes, origin, &self.shared.ids, &self.aliases)
    }

    fn generators(&self) -> Vec<Generator> {
        let generator = |name, chip| Generator {
            name,
            options: options("program", chip),
            make: Box::new(|random, inputs, out| {
                if !inputs.is_empty() && random.one_in(3) {
                    let mut bytes = random.pick(inputs).bytes.to_vec();
                    corpora::generate::mutate::words(&mut bytes, random, &[], false);
                    out.extend(bytes);
                } else {
                    generate::program(random, out);
                }
            }),
            quick: 100_000,
            full: 5_000_000,
        };
        vec![
            generator("programs", "r700"),
            generator("r600 programs", "r600"),
        ]
    }

    fn laws(&self) -> Vec<Law> {
        laws::all()
    }

    fn axes(&self) -> Vec<FieldId> {
        let ids = &self.shared.ids;
        vec![ids.cf_op, ids.alu_op, ids.tex_op, ids.vtx_op, ids.mem_op]
    }

    fn axis_names(&self, axis: FieldId) -> Vec<String> {
        let (ids, names) = (&self.shared.ids, &self.shared.names);
        let lists: Vec<&[corpora::SymbolId]> = if axis == ids.cf_op {
            vec![&names.cf_op[1], &names.cf_alu_op]
        } else if axis == ids.alu_op {
            vec![&names.alu_op]
        } else if axis == ids.tex_op {
            vec![&names.tex_op[1]]
        } else if axis == ids.vtx_op {
            vec![&names.vtx_op]
        } else {
            vec![&names.mem_op]
        };
        let name = |&id: &corpora::SymbolId| self.vocabulary.symbol_name(id).to_owned();
        lists.into_iter().flatten().map(name).collect()
    }

    fn single_source_names(&self) -> Vec<SingleSource> {
        let opcodes = single_source("r700", &self.tables.opcodes, &["class", "value", "name"]);
        let enums = single_source("r700", &self.tables.enums, &["enum", "value", "name"]);
        opcodes.into_iter().chain(enums).collect()
    }

    fn expects_recorded_peer(&self) -> bool {
        true
    }

    fn is_words(&self) -> bool {
        true
    }

    fn grain(&self, options: &Options) -> usize {
        if options.get("unit").is_none_or(|unit| unit == "program") {
            8
        } else {
            0
        }
    }
}
