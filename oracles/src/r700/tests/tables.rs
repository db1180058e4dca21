//! The tables' own form: every row sourced, no bit named twice, and what they leave unnamed is what AMD leaves out.

use std::collections::{BTreeMap, BTreeSet};

use corpora::{Evidence, Record};

use super::super::names::range;
use super::super::rows::{FieldRow, Role, field_rows, has_chip};
use super::super::word::{Compiled, words};
use super::*;
use crate::table::Table;
use Chip::{R600, R700};

#[test]
fn every_row_says_where_it_is_from() {
    let tables = Tables::embedded().unwrap();
    for table in [&tables.fields, &tables.opcodes, &tables.enums] {
        for row in table.rows() {
            assert!(!row.text("source").is_empty(), "{row:?}");
            assert!(
                Evidence::from_name(row.text("evidence")).is_some(),
                "{row:?}"
            );
            assert!((1..=5).contains(&row.number("sources").unwrap()), "{row:?}");
        }
    }
    for row in tables.opcodes.rows().filter(|row| row.text("unit") != "-") {
        assert!(row.text("unit_source").len() > 1, "{row:?}");
        assert!(
            Evidence::from_name(row.text("unit_evidence")).is_some(),
            "{row:?}"
        );
    }
    for row in tables.aliases.rows() {
        assert!(!row.text("source").is_empty(), "{row:?}");
    }
}

/// The rows of a unit, each with the layouts of its unit that it is in.
fn layouts<'a>(
    rows: &'a [FieldRow<'a>],
    chip: Chip,
) -> BTreeMap<(&'a str, &'a str), Vec<&'a FieldRow<'a>>> {
    let mut formats: BTreeSet<(&str, &str)> = BTreeSet::new();
    for row in rows {
        for format in row.row.text("format").split(',') {
            formats.insert((row.row.text("unit"), format));
        }
    }
    let with_star: Vec<_> = formats.iter().copied().collect();
    formats.retain(|&(unit, format)| {
        format != "-"
            && (format != "*" || with_star.iter().filter(|other| other.0 == unit).count() == 1)
    });
    formats
        .into_iter()
        .map(|(unit, format)| {
            let of_format = rows
                .iter()
                .filter(|row| row.row.text("unit") == unit && row.in_format(format))
                .filter(|row| has_chip(row.row.text("chip"), chip))
                .collect();
            ((unit, format), of_format)
        })
        .collect()
}

#[test]
fn no_layout_names_a_bit_twice() {
    let tables = Tables::embedded().unwrap();
    let rows = field_rows(&tables).unwrap();
    for chip in Chip::ALL {
        for ((unit, format), rows) in layouts(&rows, chip) {
            let mut named = [0_u32; 4];
            for row in rows.iter().filter(|row| row.role == Role::Field) {
                let place = row.place.unwrap();
                let word = &mut named[place.word as usize];
                assert_eq!(*word & place.mask(), 0, "{unit} {format}: {:?}", row.row);
                *word |= place.mask();
            }
        }
    }
}

#[test]
fn unnamed_bits_are_those_that_the_manuals_leave_out() {
    let ones = u32::MAX;
    let cf = |op: u32| [ones, (ones & !(0xff << 23)) | op << 23];
    for (chip, op, reserved) in [
        (R700, 0, 1 << 20),
        (R600, 0, 1 << 20 | 1 << 19),
        (R700, 39, 0x1_f000),
        (R600, 40, 0x1_f000),
        (R700, 32, 1 << 16),
        (R600, 38, 1 << 16),
    ] {
        let found = number(Unit::Cf, chip, &cf(op), "cf.reserved");
        assert_eq!(found, Some(reserved << 32), "{op} on {chip:?}");
    }
    // An opcode without a name leaves all but itself and the four flags: 23:29 and 21, 22, 30, 31 of word 1.
    assert_eq!(
        number(Unit::Cf, R700, &cf(25), "cf.reserved"),
        Some(0x1f_ffff_ffff_ffff)
    );
    assert_eq!(number(Unit::Cf, R700, &[ones, ones], "cf.reserved"), None);
    let all = [ones; 4];
    for (unit, chip, path, reserved) in [
        (Unit::Tex, R700, "tex.reserved0", 1 << 6 | 0x7f << 25),
        (Unit::Tex, R600, "tex.reserved0", 1 << 6 | 0xff << 24),
        (Unit::Tex, R700, "tex.reserved1", 1 << 8),
        (Unit::Vtx, R700, "vtx.reserved1", 0x1ff),
        (Unit::Vtx, R700, "vtx.reserved2", 0x7ff << 21),
        (Unit::Vtx, R600, "vtx.reserved2", 0xfff << 20),
    ] {
        assert_eq!(
            number(unit, chip, &all, path),
            Some(reserved),
            "{path} on {chip:?}"
        );
    }
    for op in [0, 1] {
        let fetch = [op | ones << 5, ones, ones, ones];
        assert_eq!(
            number(Unit::Vtx, R700, &fetch, "vtx.reserved1"),
            Some(1 << 8)
        );
    }
    let read = [2 | ones << 11, ones, ones, ones];
    assert_eq!(
        number(Unit::Mem, R700, &read, "mem.reserved0"),
        Some(1 << 15)
    );
    assert_eq!(
        number(Unit::Mem, R700, &read, "mem.reserved1"),
        Some(1 << 8 | 1 << 21)
    );
    assert_eq!(
        number(Unit::Mem, R700, &read, "mem.reserved2"),
        Some(7 << 13 | 3 << 18)
    );
}

#[test]
fn an_alu_word_has_no_unnamed_bit() {
    let oracle = oracle();
    for chip in Chip::ALL {
        let layout = oracle.core(chip).layout(Unit::Alu).unwrap();
        for format in &layout.formats {
            let mut named = [0_u32; 4];
            for part in format.iter().flat_map(Compiled::parts) {
                named[usize::from(part.word)] |= part.mask << part.lo;
            }
            // Only ENCODING's own bits can be missing: OP2's opcode has them, OP3's too.
            assert_eq!(named, [u32::MAX, u32::MAX, 0, 0]);
        }
    }
}

#[test]
fn a_number_has_one_name() {
    let tables = Tables::embedded().unwrap();
    for chip in Chip::ALL {
        let mut seen = BTreeSet::new();
        for row in tables
            .opcodes
            .rows()
            .filter(|row| has_chip(row.text("chips"), chip))
        {
            let key = (row.text("class"), row.number("value").unwrap());
            assert!(seen.insert(key), "{row:?}");
        }
        let mut seen = BTreeSet::new();
        for row in tables
            .enums
            .rows()
            .filter(|row| has_chip(row.text("chips"), chip))
        {
            let (first, last) = range(row).unwrap();
            assert!(first <= last, "{row:?}");
            for number in first..=last {
                assert!(seen.insert((row.text("enum"), number)), "{row:?}");
            }
        }
    }
}

#[test]
fn aliases_lead_to_names() {
    let tables = Tables::embedded().unwrap();
    let has = |table: &Table, column, class, name| {
        table.find(&[(column, class), ("name", name)]).is_some()
    };
    let known = |class, name| {
        has(&tables.opcodes, "class", class, name) || has(&tables.enums, "enum", class, name)
    };
    let mut seen = BTreeSet::new();
    for row in tables.aliases.rows() {
        let (class, alias, name) = (row.text("class"), row.text("alias"), row.text("name"));
        assert!(known(class, name), "{row:?}");
        // An alias that is a name itself would hide a wrong number.
        assert!(!known(class, alias), "{row:?}");
        assert!(seen.insert((class, alias)), "{row:?}");
    }
    assert_eq!(tables.canonical("cf", "RET"), Some("RETURN"));
    assert_eq!(tables.canonical("tex", "VFETCH"), Some("VTX_FETCH"));
    assert_eq!(tables.canonical("vtx", "VFETCH"), Some("FETCH"));
    assert_eq!(tables.canonical("op2", "ADD"), None);
}

#[test]
fn fields_are_in_the_order_of_the_contract() {
    let export = "array_base rw_gpr rw_rel index_gpr elem_size burst_count type sel.x sel.y sel.z sel.w array_size comp_mask";
    let operand = |names: &str, n: u32| -> String {
        names
            .split(' ')
            .map(|name| format!("src{n}.{name} "))
            .collect()
    };
    let operands = operand("sel rel neg chan abs", 0)
        + &operand("sel rel neg chan abs", 1)
        + &operand("sel rel neg chan", 2);
    let units = [
        (
            "cf.",
            "format op addr pop_count const call_count cond count kcache0.bank kcache0.mode kcache0.addr kcache1.bank \
             kcache1.mode kcache1.addr alt_const uses_waterfall",
        ),
        ("cf.export.", export),
        (
            "cf.",
            "end_of_program valid_pixel_mode whole_quad_mode barrier reserved",
        ),
        ("alu.", "encoding op"),
        ("alu.", &operands),
        (
            "alu.",
            "index_mode pred_sel bank_swizzle last clamp dst.gpr dst.rel dst.chan update_execute_mask update_pred \
             write_mask omod fog_merge",
        ),
        (
            "tex.",
            "op bc_frac_mode fetch_whole_quad resource_id src.gpr src.rel alt_const dst.gpr dst.rel dst.sel.x dst.sel.y \
             dst.sel.z dst.sel.w lod_bias coord_type.x coord_type.y coord_type.z coord_type.w offset.x offset.y offset.z \
             sampler_id src.sel.x src.sel.y src.sel.z src.sel.w reserved0 reserved1 word3",
        ),
        (
            "vtx.",
            "op fetch_type fetch_whole_quad buffer_id src.gpr src.rel src.sel.x mega_fetch_count dst.gpr dst.rel \
             semantic_id dst.sel.x dst.sel.y dst.sel.z dst.sel.w use_const_fields data_format num_format_all \
             format_comp_all srf_mode_all offset endian_swap const_buf_no_stride mega_fetch alt_const reserved1 reserved2 \
             word3",
        ),
        (
            "mem.",
            "inst op elem_size fetch_whole_quad uncached indexed src.sel.y src.sel.x src.gpr src.rel burst_count lds_req \
             coalesced_read dst.gpr dst.rel dst.sel.x dst.sel.y dst.sel.z dst.sel.w data_format num_format_all \
             format_comp_all srf_mode_all array_base endian_swap array_size reserved0 reserved1 reserved2 word3",
        ),
        ("", "kind clause alu.group alu.unit literal.x literal.y"),
    ];
    let expected: Vec<String> = units
        .iter()
        .flat_map(|(unit, paths)| {
            paths
                .split_whitespace()
                .map(move |path| format!("{unit}{path}"))
        })
        .collect();
    let oracle = oracle();
    let paths: Vec<&str> = oracle
        .vocabulary()
        .fields()
        .iter()
        .map(|field| field.path.as_str())
        .collect();
    assert_eq!(paths, expected);
}

#[test]
fn fields_are_written_in_order() {
    let oracle = oracle();
    for chip in Chip::ALL {
        for unit in [Unit::Cf, Unit::Alu, Unit::Tex, Unit::Vtx, Unit::Mem] {
            let layout = oracle.core(chip).layout(unit).unwrap();
            for first in 0..32_u32 {
                for second in [
                    0,
                    1 << 13,
                    40 << 23,
                    8 << 26,
                    25 << 23,
                    first << 23,
                    u32::MAX,
                ] {
                    let mut record = Record::new();
                    let bytes = bytes(&[first | first << 8, second, 0, 0]);
                    layout.write(&words(&bytes), &mut record);
                    assert!(record.entries().is_sorted_by_key(|entry| entry.field));
                }
            }
        }
    }
}

#[test]
fn bits_of_the_vocabulary() {
    let oracle = oracle();
    let bits = |path| {
        let vocabulary = oracle.vocabulary();
        let bits = vocabulary.field(vocabulary.id(path).unwrap()).bits;
        bits.map(|bits| (bits.low, bits.width))
    };
    assert_eq!(bits("alu.op"), None); // OP2 and OP3 differ
    assert_eq!(bits("alu.omod"), Some((37, 2))); // as on R7xx
    assert_eq!(bits("alu.fog_merge"), Some((37, 1))); // R6xx alone has it
    assert_eq!(bits("alu.src2.sel"), Some((32, 9)));
    assert_eq!(bits("cf.count"), None); // two pieces
    assert_eq!(bits("cf.barrier"), Some((63, 1)));
    assert_eq!(bits("tex.offset.z"), Some((74, 5)));
    assert_eq!(bits("vtx.word3"), Some((96, 32)));
    assert_eq!(bits("tex.reserved0"), None);
    assert_eq!(bits("clause"), None);
}

#[test]
fn places_for_sweeps() {
    let oracle = oracle();
    let places = |unit, chip| -> Vec<(u16, u16)> {
        let places = oracle.sweep_fields(unit, chip);
        places.iter().map(|bits| (bits.low, bits.width)).collect()
    };
    assert!(places(Unit::Program, R700).is_empty());
    assert!(places(Unit::Mem, R600).is_empty());
    let alu = places(Unit::Alu, R700);
    for place in [
        (0, 9),
        (31, 1),
        (39, 11),
        (45, 5),
        (32, 9),
        (32, 1),
        (37, 2),
        (50, 3),
    ] {
        assert!(alu.contains(&place), "{place:?}");
    }
    assert!(!alu.contains(&(40, 10)));
    assert!(places(Unit::Alu, R600).contains(&(40, 10)));
    // The two pieces of COUNT, the opcode of either size, and runs of unnamed bits.
    let cf = places(Unit::Cf, R700);
    for place in [
        (42, 3),
        (51, 1),
        (50, 7),
        (55, 7),
        (58, 4),
        (52, 1),
        (44, 5),
    ] {
        assert!(cf.contains(&place), "{place:?}");
    }
    assert!(places(Unit::Tex, R700).contains(&(25, 7)));
    assert!(places(Unit::Tex, R600).contains(&(24, 8)));
}

#[test]
fn a_vocabulary_may_know_more_names() {
    let tables = Tables::embedded().unwrap();
    let mut vocabulary = vocabulary(&tables).unwrap();
    let ret = vocabulary.intern("RET");
    let oracle = Oracle::new(&tables, Arc::new(vocabulary)).unwrap();
    assert_eq!(oracle.vocabulary().symbol_name(ret), "RET");
    let answer = oracle.core(R700).layout(Unit::Cf).unwrap().read(
        &[0, 20 << 23, 0, 0],
        oracle.vocabulary().id("cf.op").unwrap(),
    );
    let name = answer.unwrap().name;
    assert_eq!(oracle.vocabulary().symbol_name(name), "RETURN");
}

#[test]
fn planted_mistakes_show() {
    let tables = Tables::embedded().unwrap();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let answer = |tables: &Tables, unit, words: &[u32]| {
        let mut oracle = Oracle::new(tables, Arc::clone(&vocabulary)).unwrap();
        oracle.set(unit, R700);
        let mut outcome = Outcome::default();
        oracle.answer(&bytes(words), &mut outcome);
        (outcome.status.clone(), outcome.record.entries().to_vec())
    };
    let shows = |altered: &Tables, unit, words: &[u32]| {
        assert_ne!(answer(&tables, unit, words), answer(altered, unit, words));
    };
    // Two opcodes' names exchanged, a field one bit off, a count without its top bit, a jump that is none.
    let mut altered = tables.clone();
    let row = |table: &Table, cells: &[(&str, &str)]| table.find(cells).unwrap();
    let (add, mul) = (
        row(&tables.opcodes, &[("class", "op2"), ("name", "ADD")]),
        row(&tables.opcodes, &[("class", "op2"), ("name", "MUL")]),
    );
    assert!(altered.opcodes.swap(add, mul, "name"));
    shows(&altered, Unit::Alu, &[0, 0]);
    let mut altered = tables.clone();
    let omod = row(&tables.fields, &[("path", "alu.omod"), ("chip", "r700")]);
    altered.fields.replace(omod, "lo", "6");
    shows(&altered, Unit::Alu, &[0, 1 << 5]);
    let mut altered = tables.clone();
    let top = row(&tables.fields, &[("path", "cf.count"), ("shift", "3")]);
    altered.fields.replace(top, "chip", "r600");
    shows(&altered, Unit::Cf, &[0, 1 << 19]);
    let mut altered = tables.clone();
    let jump = row(&tables.opcodes, &[("class", "cf"), ("name", "JUMP")]);
    altered.opcodes.replace(jump, "walk", "-");
    shows(&altered, Unit::Program, &[9, 10 << 23, 0, 1 << 21]);
}
