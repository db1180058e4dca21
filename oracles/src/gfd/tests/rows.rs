//! The tables: regular as they are, and every row of them decides something.

use std::collections::BTreeMap;
use std::sync::Arc;

use corpora::generate::Random;
use corpora::{Evidence, Implementation, Outcome};

use super::files::*;
use crate::gfd::{Oracle, Tables, vocabulary};
use crate::table::Table;

#[test]
fn structures_are_covered_from_their_start_to_their_end() {
    let tables = Tables::embedded();
    let mut next: BTreeMap<&str, u32> = BTreeMap::new();
    for row in tables.structs.rows() {
        let (name, offset) = (row.text("struct"), row.number("offset").unwrap());
        let reached = next.entry(name).or_default();
        assert_eq!(*reached, offset, "{row:?}");
        *reached += row.number("size").unwrap();
    }
    // The sizes, typed here once more.
    let sizes = [
        ("GFDBlockHeader", 0x20),
        ("GFDHeader", 0x20),
        ("GFDRelocationHeader", 0x28),
        ("GX2AttribVar", 16),
        ("GX2ComputeShader", 0x84),
        ("GX2GeometryShader", 0xB0),
        ("GX2LoopVar", 8),
        ("GX2PixelShader", 0xE8),
        ("GX2RBuffer", 16),
        ("GX2SamplerVar", 12),
        ("GX2Surface", 0x74),
        ("GX2Texture", 0x9C),
        ("GX2UniformBlock", 12),
        ("GX2UniformInitialValue", 20),
        ("GX2UniformVar", 20),
        ("GX2VertexShader", 0x134),
        ("OpaqueData", 0),
        ("PatchEntry", 4),
    ];
    assert_eq!(next.into_iter().collect::<Vec<_>>(), sizes);
}

#[test]
fn every_row_says_how_it_is_known() {
    let tables = Tables::embedded();
    for table in all(&tables) {
        for row in table.rows() {
            assert!(
                Evidence::from_name(row.text("evidence")).is_some(),
                "{row:?}"
            );
            assert!(!row.text("source").is_empty(), "{row:?}");
            let alone = row.text("evidence") != "consensus";
            assert_eq!(row.number("sources") == Ok(1), alone, "{row:?}");
        }
    }
}

#[test]
fn the_vocabulary_has_the_paths_of_the_contract() {
    let vocabulary = vocabulary(&Tables::embedded()).unwrap();
    assert_eq!(vocabulary.target(), "gfd");
    assert_eq!(vocabulary.section_word(), "block");
    for path in [
        "header.version.major",
        "block[3].offset",
        "block[3].data",
        "block[3].shader.r_buffer.elem_count",
        "block[3].regs.spi_vs_out_id[9]",
        "block[3].regs.word[11]",
        "block[3].uniform_block[7].name",
        "block[3].initial_value[7].value",
        "block[3].reloc.patch[7]",
        "block[3].texture.mip_level_offset[12]",
        "block[3].texture.regs[4]",
    ] {
        let (section, field, item) = vocabulary.resolve(path).unwrap();
        assert_eq!(vocabulary.render(section, field, item), path);
    }
}

fn all(tables: &Tables) -> [&Table; 5] {
    [
        &tables.structs,
        &tables.arrays,
        &tables.blocks,
        &tables.enums,
        &tables.constants,
    ]
}

fn all_mut(tables: &mut Tables) -> [&mut Table; 5] {
    [
        &mut tables.structs,
        &mut tables.arrays,
        &mut tables.blocks,
        &mut tables.enums,
        &mut tables.constants,
    ]
}

/// Files that between them use every row, the slowest last.
fn gallery() -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for stage in &STAGES {
        // Nothing behind the structure, so that its size is the least there can be.
        files.push(file(&[block(stage.kind, &full_data(stage, 0, 0))]));
        // Counts that differ from array to array.
        let mut data = full_data(stage, 0, 7);
        for (fewer, &(count, ..)) in stage.arrays.iter().enumerate() {
            data = with(&data, count, 7 - fewer as u32);
        }
        files.push(file(&[block(stage.kind, &data)]));
    }
    for mode in 0..5 {
        for stage in &STAGES {
            files.push(file(&[block(stage.kind, &full_data(stage, mode, 40))]));
        }
    }
    // Every number of every enumeration, and its neighbour.
    let mut textures = Vec::new();
    for (enumeration, place) in [
        ("GX2SurfaceDim", 0),
        ("GX2SurfaceFormat", 0x14),
        ("GX2TileMode", 0x30),
    ] {
        for row in Tables::embedded().enums.rows() {
            if row.text("enum") == enumeration
                && let Ok(number) = row.number("number")
            {
                for number in [number, number + 1] {
                    textures.push(block(11, &with(&texture_data(), place, number)));
                }
            }
        }
    }
    files.push(file(&textures));
    // Every block type in every numbering, and 16, which has no name.
    for (major, minor) in [(7, 1), (6, 1), (6, 0)] {
        for kind in 1..=16 {
            let data = match (kind, minor) {
                (3 | 6 | 8, _) | (14, 1) => {
                    let stage = STAGES.iter().find(|stage| stage.kind == kind);
                    full_data(stage.unwrap(), 0, 1)
                }
                (11, 1) | (10, 0) => texture_data(),
                (1, _) => Vec::new(),
                _ => b"data and more".to_vec(),
            };
            for align in 0..3 {
                let blocks = [block(kind, &data), block(1, &[])].concat();
                files.push([header(major, minor, align), blocks].concat());
            }
        }
    }
    // Every word of the headers another.
    let mut distinct = file(&[block(2, b"data and more")]);
    for at in [0xC, 0x10, 0x18, 0x1C, 0x28, 0x2C, 0x38, 0x3C] {
        distinct = with(&distinct, at, at as u32);
    }
    files.push(distinct);
    files.push([header(7, 1, 0), block(2, &[]).repeat(65_535), block(1, &[])].concat());
    files
}

/// The cells to spoil of a row, with what they become.
fn spoiled(tables: &Tables) -> Vec<(usize, usize, &'static str, String)> {
    let mut cells = Vec::new();
    for (at, row) in tables.structs.rows().enumerate() {
        let offset = row.number("offset").unwrap();
        cells.push((0, at, "offset", (offset + 4).to_string()));
    }
    for (at, row) in tables.arrays.rows().enumerate() {
        for column in ["count", "pointer"] {
            let other = if row.text("count") == "num_loop_vars" {
                "num_uniform_vars"
            } else {
                "num_loop_vars"
            };
            cells.push((1, at, column, other.to_owned()));
        }
        let other = if row.text("element") == "GX2LoopVar" {
            "PatchEntry"
        } else {
            "GX2LoopVar"
        };
        cells.push((1, at, "element", other.to_owned()));
    }
    for (table, numbered) in [(2, &tables.blocks), (3, &tables.enums)] {
        for (at, row) in numbered.rows().enumerate() {
            cells.push((table, at, "name", "WRONG".to_owned()));
            if let Ok(number) = row.number("number") {
                cells.push((table, at, "number", (number + 1).to_string()));
            }
        }
    }
    for (at, row) in tables.blocks.rows().enumerate() {
        let other = if row.text("form") == "end" {
            "opaque"
        } else {
            "end"
        };
        cells.push((2, at, "form", other.to_owned()));
    }
    for (at, row) in tables.constants.rows().enumerate() {
        let value = match row.text("name") {
            "name_bytes_max" => 0,
            _ => row.number("value").unwrap() + 1,
        };
        cells.push((4, at, "value", value.to_string()));
    }
    cells
}

#[test]
fn every_row_decides_something() {
    let tables = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let files = gallery();
    let answer = |oracle: &mut Oracle, bytes: &[u8]| {
        let mut outcome = Outcome::default();
        oracle.answer(bytes, &mut outcome);
        (outcome.status, outcome.record)
    };
    let mut right = Oracle::new(&tables, Arc::clone(&vocabulary)).unwrap();
    let expected: Vec<_> = files
        .iter()
        .map(|bytes| answer(&mut right, bytes))
        .collect();

    for (table, row, column, value) in spoiled(&tables) {
        let mut wrong = tables.clone();
        let spoiled = &mut all_mut(&mut wrong)[table];
        spoiled.replace(row, column, &value).unwrap();
        let mut wrong = Oracle::new(&wrong, Arc::clone(&vocabulary)).unwrap();
        let noticed = files
            .iter()
            .zip(&expected)
            .any(|(bytes, (status, record))| {
                let (found, fields) = answer(&mut wrong, bytes);
                found != *status
                    || fields.entries() != record.entries()
                    || fields.store() != record.store()
            });
        let table = all(&tables)[table];
        let row = table.rows().nth(row).unwrap();
        assert!(noticed, "{column} as {value} in {row:?}");
    }
}

#[test]
fn wrong_tables_are_refused_or_answer() {
    const COLUMNS: [&[&str]; 5] = [
        &[
            "struct", "member", "offset", "size", "count", "path", "kind", "of",
        ],
        &["struct", "count", "pointer", "element"],
        &["version", "number", "name", "form", "struct"],
        &["enum", "number", "name"],
        &["name", "value"],
    ];
    let right = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&right).unwrap());
    let files: Vec<_> = STAGES
        .iter()
        .map(|stage| {
            let shader = block(stage.kind, &full_data(stage, 0, 2));
            file(&[shader, block(11, &texture_data())])
        })
        .collect();
    let mut random = Random::new(4, 0);
    for _ in 0..400 {
        let mut wrong = right.clone();
        for _ in 0..=random.below(2) {
            let at = random.below(5) as usize;
            let table = &mut all_mut(&mut wrong)[at];
            let column = *random.pick(COLUMNS[at]);
            let (row, other) = (
                random.below(table.len() as u64) as usize,
                random.below(table.len() as u64) as usize,
            );
            let numbers = ["0", "1", "3", "32", "65536", "4294967295", "*"];
            if random.one_in(2) {
                assert!(table.swap(row, other, column));
            } else {
                let number: &str = random.pick::<&str>(&numbers);
                table.replace(row, column, number).unwrap();
            }
        }
        if let Ok(mut oracle) = Oracle::new(&wrong, Arc::clone(&vocabulary)) {
            for bytes in &files {
                oracle.answer(bytes, &mut Outcome::default());
            }
        }
    }
}

#[test]
fn tables_that_make_no_sense_are_refused() {
    let right = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&right).unwrap());
    let refused = |table: fn(&mut Tables) -> &mut Table, row: &[(&str, &str)], column, value| {
        let mut wrong = right.clone();
        let table = table(&mut wrong);
        let row = table.find(row).unwrap();
        table.replace(row, column, value).unwrap();
        Oracle::new(&wrong, Arc::clone(&vocabulary))
            .unwrap_err()
            .why
    };
    let structs = |row, column, value| refused(|tables| &mut tables.structs, row, column, value);
    let var = [("struct", "GX2UniformVar"), ("member", "(end)")];
    assert_eq!(
        structs(&var, "offset", "0"),
        "no row for the size of GX2UniformVar"
    );
    let path = [("path", "shader.size")];
    assert!(structs(&path, "path", "shader.sise").contains("no field"));
    assert!(structs(&path, "path", "shader.mode").contains("is not Unsigned"));
    assert_eq!(structs(&path, "count", "0"), "4 bytes of 0 elements");
    assert_eq!(structs(&path, "size", "9"), "a number of 9 bytes");
    assert_eq!(structs(&path, "kind", "signed"), "no kind \"signed\"");
    let nested = [("of", "GX2Surface")];
    assert_eq!(
        structs(&nested, "of", "GX2Surfaces"),
        "no row for GX2Surfaces"
    );
    let blocks = |row, column, value| refused(|tables| &mut tables.blocks, row, column, value);
    assert_eq!(
        blocks(&[("number", "5")], "version", "seven"),
        "no version \"seven\""
    );
    assert_eq!(
        blocks(&[("number", "*")], "number", "0"),
        "no row for * of *"
    );
}
