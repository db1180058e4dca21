//! The decoder's names as symbols of the vocabulary, looked up once.
//!
//! Decoder and oracle spell some names differently, each as its source does. The alias table of the specification says
//! which spellings mean the same, and where each is from; everything else must be the same to the letter.

use std::collections::HashMap;

use corpora::{SymbolId, Vocabulary};
use oracles::table::Table;
use r700::Chip;
use r700::alu::{self, SourceSel};
use r700::cf::{self, CfFormat};
use r700::codes;
use r700::fetch::{TexOp, VtxOp};

/// Symbols by code, for every field of the decoder that has names.
pub(super) struct Names {
    pub(super) cf_format: Vec<SymbolId>,
    pub(super) cf_op: [Vec<SymbolId>; 2],
    pub(super) cf_alu_op: Vec<SymbolId>,
    pub(super) cond: Vec<SymbolId>,
    pub(super) kcache_mode: Vec<SymbolId>,
    /// By name, since the code's name depends on opcode and chip.
    pub(super) export_type: HashMap<&'static str, SymbolId>,
    pub(super) sel: Vec<SymbolId>,
    pub(super) encoding: Vec<SymbolId>,
    /// By the decoder's index of an opcode.
    pub(super) alu_op: Vec<SymbolId>,
    pub(super) source: Vec<SymbolId>,
    pub(super) chan: Vec<SymbolId>,
    pub(super) index_mode: [Vec<SymbolId>; 2],
    pub(super) pred_sel: Vec<SymbolId>,
    pub(super) bank_swizzle: Vec<SymbolId>,
    pub(super) omod: Vec<SymbolId>,
    pub(super) tex_op: [Vec<SymbolId>; 2],
    pub(super) coord_type: Vec<SymbolId>,
    pub(super) vtx_op: Vec<SymbolId>,
    pub(super) fetch_type: Vec<SymbolId>,
    pub(super) num_format: Vec<SymbolId>,
    pub(super) format_comp: Vec<SymbolId>,
    pub(super) srf_mode: Vec<SymbolId>,
    pub(super) endian_swap: Vec<SymbolId>,
    pub(super) mem_op: Vec<SymbolId>,
    pub(super) kind: Vec<SymbolId>,
    pub(super) unit: Vec<SymbolId>,
}

/// Formats in the order of their numbers.
const CF_FORMATS: [CfFormat; 5] = [
    CfFormat::Cf,
    CfFormat::Alu,
    CfFormat::ExportSwiz,
    CfFormat::ExportBuf,
    CfFormat::Reserved,
];

/// Index of a chip in the tables that differ by chip.
pub(super) fn chip_index(chip: Chip) -> usize {
    match chip {
        Chip::R600 => 0,
        Chip::R700 => 1,
    }
}

/// Every name that the decoder gives to the type of an export or memory write, whatever opcode and chip.
fn export_types() -> impl Iterator<Item = &'static str> {
    let chips = [Chip::R600, Chip::R700].into_iter();
    let exports = chips.flat_map(|chip| {
        let ops = (32..64).map(cf::CfOp::from_code);
        let is_export =
            move |op: &cf::CfOp| matches!(op.kind(chip), cf::CfKind::Export | cf::CfKind::MemWrite);
        ops.filter(is_export)
            .map(move |op| cf::CfExport::new(op, chip))
    });
    let typed = exports.flat_map(|export| (0..4).map(move |code| export.with_export_type(code)));
    typed.filter_map(|export| export.export_type().name())
}

/// Spellings and what they mean, by class.
pub(super) struct Aliases(HashMap<(String, String), String>);

impl Aliases {
    /// Reads the alias table.
    pub(super) fn new(table: &Table) -> Self {
        let own = |text: &str| text.to_owned();
        let rows = table.rows().map(|row| {
            (
                (own(row.text("class")), own(row.text("alias"))),
                own(row.text("name")),
            )
        });
        Self(rows.collect())
    }

    /// The canonical spelling of a name.
    pub(super) fn canonical<'a>(&'a self, class: &str, name: &'a str) -> &'a str {
        self.0
            .get(&(class.to_owned(), name.to_owned()))
            .map_or(name, String::as_str)
    }
}

impl Names {
    /// Looks all names up, and adds those that the vocabulary does not know: they then differ from everything.
    pub(super) fn new(vocabulary: &mut Vocabulary, aliases: &Aliases) -> Self {
        let mut all = |count: u16, class: &str, name: &dyn Fn(u16) -> Option<&'static str>| {
            (0..count)
                .map(|code| match name(code) {
                    Some(name) => vocabulary.intern(aliases.canonical(class, name)),
                    None => SymbolId::RESERVED,
                })
                .collect::<Vec<_>>()
        };
        let chips = [Chip::R600, Chip::R700];
        let cf_class = |code: u16| if code < 32 { "cf" } else { "cf_export" };
        Self {
            cf_format: CF_FORMATS
                .map(|format| all(1, "cf_format", &|_| Some(format.name()))[0])
                .to_vec(),
            cf_op: chips.map(|chip| {
                // A seven-bit opcode of 64 and up would be an ALU instruction.
                (0..64)
                    .map(|code| {
                        let name = |_| cf::CfOp::from_code(code as u8).name(chip);
                        all(1, cf_class(code), &name)[0]
                    })
                    .collect()
            }),
            cf_alu_op: all(16, "cf_alu", &|code| {
                // Below 8 the word would have another format.
                (code >= 8)
                    .then(|| cf::CfAluOp::from_code(code as u8).name())
                    .flatten()
            }),
            cond: all(4, "cond", &|code| codes::Cond::from_code(code as u8).name()),
            kcache_mode: all(4, "kcache_mode", &|code| {
                codes::KcacheMode::from_code(code as u8).name()
            }),
            export_type: export_types()
                .map(|name| (name, all(1, "export_type", &|_| Some(name))[0]))
                .collect(),
            sel: all(8, "dst_sel", &|code| {
                codes::Sel::from_code(code as u8).name()
            }),
            encoding: [alu::Encoding::Op2, alu::Encoding::Op3]
                .map(|encoding| all(1, "alu_encoding", &|_| Some(encoding.name()))[0])
                .to_vec(),
            alu_op: alu::ALU_OPS
                .iter()
                .enumerate()
                .map(|(at, info)| {
                    let class = if at < 256 { "op2" } else { "op3" };
                    all(1, class, &|_| info.name)[0]
                })
                .collect(),
            source: all(512, "alu_src", &|code| SourceSel::from_code(code).name()),
            chan: all(4, "chan", &|code| codes::Chan::from_code(code as u8).name()),
            index_mode: chips.map(|chip| {
                all(8, "index_mode", &|code| {
                    codes::IndexMode::from_code(code as u8).name(chip)
                })
            }),
            pred_sel: all(4, "pred_sel", &|code| {
                codes::PredSel::from_code(code as u8).name()
            }),
            bank_swizzle: all(8, "bank_swizzle", &|code| {
                codes::BankSwizzle::from_code(code as u8).name()
            }),
            omod: all(4, "omod", &|code| codes::Omod::from_code(code as u8).name()),
            tex_op: chips
                .map(|chip| all(32, "tex", &|code| TexOp::from_code(code as u8).name(chip))),
            coord_type: all(2, "coord_type", &|code| {
                codes::CoordType::from_code(code as u8).name()
            }),
            vtx_op: all(32, "vtx", &|code| VtxOp::from_code(code as u8).name()),
            fetch_type: all(4, "fetch_type", &|code| {
                codes::FetchType::from_code(code as u8).name()
            }),
            num_format: all(4, "num_format", &|code| {
                codes::NumFormat::from_code(code as u8).name()
            }),
            format_comp: all(2, "format_comp", &|code| {
                codes::FormatComp::from_code(code as u8).name()
            }),
            srf_mode: all(2, "srf_mode", &|code| {
                codes::SrfMode::from_code(code as u8).name()
            }),
            endian_swap: all(4, "endian", &|code| {
                codes::EndianSwap::from_code(code as u8).name()
            }),
            mem_op: all(8, "mem", &|code| codes::MemOp::from_code(code as u8).name()),
            kind: ["cf", "alu", "literal", "tex", "vtx", "mem"]
                .map(|name| all(1, "kind", &|_| Some(name))[0])
                .to_vec(),
            unit: [
                alu::Unit::X,
                alu::Unit::Y,
                alu::Unit::Z,
                alu::Unit::W,
                alu::Unit::T,
            ]
            .map(|unit| all(1, "alu_unit", &|_| Some(unit.name()))[0])
            .to_vec(),
        }
    }
}
