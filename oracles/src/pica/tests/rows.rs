//! The tables: regular as they are, and every row of them decides something.

use std::collections::BTreeSet;

use corpora::generate::Random;
use corpora::{Evidence, Kind};

use super::*;
use crate::pica::{libctru, versions};
use crate::table::Table;

#[test]
fn every_row_says_how_it_is_known() {
    let tables = Tables::embedded();
    let own = [&tables.limits, &tables.paths];
    for table in all(&tables).into_iter().chain(own) {
        for row in table.rows() {
            assert!(!row.text("source").is_empty(), "{row:?}");
            let sources = row.number("sources").unwrap();
            match Evidence::from_name(row.text("evidence")) {
                Some(Evidence::Consensus) => assert!(sources > 1, "{row:?}"),
                Some(Evidence::Hardware) => assert!(sources > 0, "{row:?}"),
                Some(Evidence::PinnedEnum | Evidence::Inferred) => {
                    assert_eq!(sources, 1, "{row:?}")
                }
                _ => panic!("{row:?}"),
            }
        }
    }
}

#[test]
fn the_vocabulary_has_the_paths_of_the_contract() {
    let vocabulary = vocabulary(&Tables::embedded()).unwrap();
    assert_eq!(vocabulary.target(), "pica");
    for path in [
        "enabled",
        "vertices",
        "vertex[4095].slot[15].x",
        "vertex[0].slot[0].w",
        "vertex[7].unset",
        "draw[0].at",
        "draw[4095].status",
        "draw[3].index.address",
        "draw[3].loader[11].size",
        "draw[3].attribute[0].source",
        "draw[3].attribute[11].written",
    ] {
        let (section, field, item) = vocabulary.resolve(path).unwrap();
        assert_eq!(vocabulary.render(section, field, item), path);
    }
    assert!(vocabulary.resolve("draw[0].loader[12].size").is_err());
    // 2 and 5 of requests; 9 of a draw, 12 loaders of 3, 12 attributes of 12.
    assert_eq!(vocabulary.fields().len(), 2 + 5 + 9 + 12 * 3 + 12 * 12);
    let field = |path: &str| vocabulary.field(vocabulary.id(path).unwrap()).clone();
    assert_eq!(field("draw[].attribute[3].x").kind, Kind::Float);
    // Attribute 9: bits 5:4 of 0x202. Loader 11: bits 23:16 of 0x226.
    let bits = |path| field(path).bits.map(|bits| (bits.low, bits.width));
    assert_eq!(
        bits("draw[].attribute[9].format"),
        Some((0x202 * 32 + 4, 2))
    );
    assert_eq!(bits("draw[].loader[11].stride"), Some((0x226 * 32 + 16, 8)));
    assert_eq!(bits("draw[].status"), None);
}

#[test]
fn numbers_of_libctru() {
    let constants = libctru();
    let names: BTreeSet<&str> = constants.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), constants.len());
    let value = |name: &str| {
        let constant = constants.iter().find(|it| it.name == name).unwrap();
        (constant.value, constant.file)
    };
    assert_eq!(value("GPU_BYTE"), (0, "gpu/enums.h"));
    assert_eq!(value("GPU_FLOAT"), (3, "gpu/enums.h"));
    assert_eq!(
        value("GPUREG_ATTRIBBUFFERS_LOC"),
        (0x200, "gpu/registers.h")
    );
    assert_eq!(
        value("GPUREG_ATTRIBBUFFERB_CONFIG2"),
        (0x226, "gpu/registers.h")
    );
    assert_eq!(
        value("GPUREG_VSH_ATTRIBUTES_PERMUTATION_HIGH"),
        (0x2BC, "gpu/registers.h")
    );
    let of_libctru = |read| {
        let found = versions()
            .into_iter()
            .filter(move |it| it.project == "libctru" && it.read == read);
        found.map(|it| it.commit).collect::<BTreeSet<_>>()
    };
    let read = "516e3a0c55607cf045045058f7c846136e2ace58".to_owned();
    assert_eq!(of_libctru(true), BTreeSet::from([read]));
    let named = "9b55eda44cf80b971503991e0c78f9bc8fe50425".to_owned();
    assert_eq!(of_libctru(false), BTreeSet::from([named]));
}

fn all(tables: &Tables) -> [&Table; 7] {
    [
        &tables.formats,
        &tables.registers,
        &tables.fields,
        &tables.packing,
        &tables.ids,
        &tables.request,
        &tables.symbols,
    ]
}

fn all_mut(tables: &mut Tables) -> [&mut Table; 8] {
    [
        &mut tables.formats,
        &mut tables.registers,
        &mut tables.fields,
        &mut tables.packing,
        &mut tables.ids,
        &mut tables.request,
        &mut tables.symbols,
        &mut tables.limits,
    ]
}

/// Requests around the limits, and of every format.
fn requests() -> Vec<Request> {
    let plain = Request {
        mode: 1,
        first: 1,
        count: 2,
        capacity: 2,
        zeros: 0x1_0000,
        attributes: vec![([0, 1, 1, 0], 0)],
        streams: vec![[0, 0x2000, 0, 1]],
        data: (1..=200).collect(),
        ..Request::default()
    };
    let mut requests = Vec::new();
    let mut change = |change: &dyn Fn(&mut Request)| {
        let mut request = plain.clone();
        change(&mut request);
        requests.push(request);
    };
    for number in 0..5 {
        change(&|it| it.indices = Some([number, 3, 5, 0x40]));
        for components in 0..6 {
            change(&|it| {
                it.attributes = vec![([0, number as u8, components, 3], 0)];
                it.streams = vec![[1, 0x100, 2, 20]];
            });
        }
    }
    // Numbers before others that are not zero.
    change(&|it| (it.capacity, it.zeros) = (1, 0x1_0001));
    change(&|it| {
        it.indices = Some([0, 3, 5, 0x40]);
        it.attributes[0].0[0] = 1;
        it.streams = vec![[0, 0x2000, 0, 1], [9, 0x1000, 0, 1]];
    });
    change(&|it| it.mode = 2);
    change(&|it| it.reserved = 1);
    change(&|it| it.zeros = 8_388_609);
    change(&|it| it.attributes = (0..13).map(|slot| ([0, 1, 1, slot], 0)).collect());
    change(&|it| it.streams = vec![[0, 0x2000, 0, 1]; 13]);
    change(&|it| (it.zeros, it.streams[0][1]) = (8_000_000, 4_194_305));
    change(&|it| it.streams[0][3] = 256);
    change(&|it| it.attributes[0].0[3] = 16);
    change(&|it| (it.count, it.capacity) = (4_097, 5_000));
    change(&|it| it.streams[0][2] = 0xFFFF_FFFC);
    change(&|it| it.attributes[0].1 = 1);
    requests
}

/// Lists of writes to every register, and lists around the limits.
fn lists() -> Vec<Vec<u8>> {
    let mut random = Random::new(5, 0);
    let mut lists = Vec::new();
    for _ in 0..60 {
        let mut list = Vec::new();
        for attribute in 0..12 {
            list.extend(write(0x232, attribute));
            for data in 0x233..0x236 {
                list.extend(write(data, random.word() as u32));
            }
        }
        for register in (0x200..0x22D).chain([0x2BB, 0x2BC]) {
            list.extend(write(register, random.word() as u32));
        }
        // Twelve attributes, half of them fixed; loaders of few components.
        list.extend(words(&[
            0xB000_0000 | (random.word() as u32 & 0xFFF_0000),
            0xC_0202,
        ]));
        for draw in [0x22E, 0x22F] {
            list.extend(write(draw, 1));
        }
        // And a command of several parameters, with a mask.
        list.extend(words(&[1, 0x802A_0201, 2, 3]));
        list.extend(write(0x22E, 1));
        lists.push(list);
    }
    let fixed = |bits: u32| {
        let words = [write(0x233, bits), write(0x234, bits), write(0x235, bits)];
        [words.concat(), write(0x202, 0xFFF_0000), write(0x22E, 1)].concat()
    };
    // Float of exponent 127, of 128 had it more bits, and small.
    lists.extend([fixed(0x7F7F_7F7F), fixed(0), fixed(0x0101_0101)]);
    lists.push(vec![0; 4_194_312]);
    lists.push(write(0x300, 1));
    lists.push(write(0x8000, 1));
    // 128 further parameters, and 255.
    for further in [128, 255] {
        lists.push(
            [
                words(&[0, further << 20 | 0xF_0228]),
                vec![1; 1024],
                write(0x22E, 1),
            ]
            .concat(),
        );
    }
    let many = [words(&[0, 0x0FFF_022E]), vec![0; 1024]]
        .concat()
        .repeat(16);
    lists.push([many, write(0x22E, 1)].concat());
    let status = |registers: &[(u32, u32)]| {
        let writes = registers
            .iter()
            .map(|&(register, word)| write(register, word));
        writes.chain([write(0x22E, 1)]).collect::<Vec<_>>().concat()
    };
    lists.push(status(&[(0x228, 4_097)]));
    lists.push(status(&[]));
    lists.push(status(&[(0x202, 0xF000_0000)]));
    lists.push(status(&[(0x202, 0x1003_0000)]));
    lists.push(status(&[(0x205, 0x1000_0000)]));
    lists.push(status(&[(0x201, 0xF), (0x205, 0x1001_0000)]));
    lists.push([write(0x232, 15), write(0x233, 1)].concat());
    for id in 0..16 {
        lists.push(status(&[
            (0x202, 0xB000_0000),
            (0x204, id << 4),
            (0x205, 0x3040_0000),
        ]));
    }
    lists
}

/// Cells to spoil: table, row, column, and what it becomes.
fn spoiled(tables: &Tables) -> Vec<(usize, usize, &'static str, String)> {
    let mut cells = Vec::new();
    let columns: [&[&'static str]; 7] = [
        &["number", "bytes"],
        &["number"],
        &["lo", "width"],
        &["word", "lo", "width", "shift"],
        &["bytes"],
        &["offset", "size"],
        &["number"],
    ];
    for (at, (table, columns)) in all(tables).into_iter().zip(columns).enumerate() {
        for (row, cells_of) in table.rows().enumerate() {
            for &column in columns {
                let unused = cells_of.text("part") == "-" || cells_of.text("member") == "(end)";
                if let (Ok(number), false) = (cells_of.number(column), unused) {
                    // One bit more of the base is a bit that the product loses.
                    let wrong = if column == "width" {
                        number - 1
                    } else {
                        number ^ 1
                    };
                    cells.push((at, row, column, wrong.to_string()));
                }
            }
        }
    }
    for (at, row) in tables.limits.rows().enumerate() {
        // The largest number of 32 bits, for which the request has one that is one less.
        let unit = if row.text("name") == "list_bytes_max" {
            8
        } else {
            1
        };
        let value = row.number("value").unwrap().checked_add(unit);
        cells.push((7, at, "value", value.unwrap_or(0xFFFF_FFFE).to_string()));
    }
    cells
}

#[test]
fn every_row_decides_something() {
    let tables = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let mut inputs: Vec<_> = requests()
        .iter()
        .map(|it| (it.unit(), it.bytes()))
        .collect();
    inputs.extend(lists().into_iter().map(|list| ("state", list)));
    let answer = |oracle: &mut Oracle, (unit, bytes): &(&str, Vec<u8>)| {
        oracle.select(&Options::new().with("unit", unit)).unwrap();
        let mut outcome = Outcome::default();
        oracle.answer(bytes, &mut outcome);
        (outcome.status, outcome.record)
    };
    let mut right = Oracle::new(&tables, Arc::clone(&vocabulary)).unwrap();
    let expected: Vec<_> = inputs
        .iter()
        .map(|input| answer(&mut right, input))
        .collect();
    let mut missed = Vec::new();
    for (table, row, column, value) in spoiled(&tables) {
        let mut wrong = tables.clone();
        let spoiled = &mut all_mut(&mut wrong)[table];
        spoiled.replace(row, column, &value).unwrap();
        let text = format!(
            "{column} as {value} in {:?}",
            spoiled.rows().nth(row).unwrap()
        );
        // A table that is refused is noticed.
        let Ok(mut wrong) = Oracle::new(&wrong, Arc::clone(&vocabulary)) else {
            continue;
        };
        let noticed = inputs
            .iter()
            .zip(&expected)
            .any(|(input, (status, record))| {
                let (found, fields) = answer(&mut wrong, input);
                found != *status || fields.entries() != record.entries()
            });
        if !noticed {
            missed.push(text);
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn wrong_tables_are_refused_or_answer() {
    let tables = Tables::embedded();
    let vocabulary = Arc::new(vocabulary(&tables).unwrap());
    let lists = lists();
    let mut random = Random::new(9, 0);
    for _ in 0..500 {
        let mut wrong = tables.clone();
        let at = random.below(7) as usize;
        let spoiled = &mut all_mut(&mut wrong)[at];
        let row = random.below(spoiled.len() as u64) as usize;
        for column in [
            "number", "bytes", "lo", "width", "shift", "word", "offset", "size", "index", "id",
        ] {
            let values = ["0", "1", "33", "64", "4294967295", "x", "-"];
            let value = values[random.below(values.len() as u64) as usize];
            if random.one_in(2) {
                spoiled.replace(row, column, value);
            }
        }
        let _ = super::vocabulary(&wrong);
        let Ok(mut wrong) = Oracle::new(&wrong, Arc::clone(&vocabulary)) else {
            continue;
        };
        for request in requests() {
            wrong
                .select(&Options::new().with("unit", request.unit()))
                .unwrap();
            wrong.answer(&request.bytes(), &mut Outcome::default());
        }
        wrong.select(&Options::new().with("unit", "state")).unwrap();
        wrong.answer(&lists[random.below(60) as usize], &mut Outcome::default());
    }
}

#[test]
fn options() {
    let mut oracle = oracle("state").0;
    assert!(oracle.select(&Options::new()).is_ok());
    for (name, value) in [("unit", "vertex"), ("unit", ""), ("chip", "decode")] {
        let error = oracle
            .select(&Options::new().with(name, value))
            .unwrap_err();
        assert_eq!((error.name.as_str(), error.value.as_str()), (name, value));
    }
    // The default is decode: a header of zeros is a request.
    let mut outcome = Outcome::default();
    oracle.select(&Options::new()).unwrap();
    oracle.answer(&[0; 20], &mut outcome);
    assert_eq!(outcome.status, Status::Accepted { consumed: 20 });
}
