//! Containers in executables: a small one is put together here, section by section.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};
use gfd::find::{
    self, ExecutableError, INFLATE_LIMIT, InputKind, Place, SectionPlace, SizeSymbol, SourceName,
    SourceOrigin,
};

use crate::fixture::{Bytes, set, smallest, texture, vertex};

const DEFLATED: u32 = 0x0800_0000;
const PROGBITS: u32 = 1;
const SYMTAB: u32 = 2;
const STRTAB: u32 = 3;

struct Section {
    name: u32,
    kind: u32,
    address: u32,
    link: u32,
    data: Vec<u8>,
    is_deflated: bool,
}

/// A section's bytes as the Wii U's linker deflates them: the size, then a zlib stream.
fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(
        (data.len() as u32).to_be_bytes().to_vec(),
        Compression::best(),
    );
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A 32-bit big-endian ELF file: header, sections, section headers. Section 1 has the section names.
fn elf(sections: &[Section]) -> Vec<u8> {
    let mut file = Bytes(Vec::new());
    file.raw(&[
        0x7F, b'E', b'L', b'F', 1, 2, 1, 0xCA, 0xFE, 0, 0, 0, 0, 0, 0, 0,
    ]); // 32 bits, big-endian
    file.words(&[
        0xFE01_0014,                           // 10 type of a Wii U executable, PowerPC
        1,                                     // 14 version
        0x0200_0000,                           // 18 entry
        0,                                     // 1C program headers
        0,                                     // 20 section headers, set below
        0,                                     // 24 flags
        0x0034_0000,                           // 28 header size, program header size
        0x0000_0028,                           // 2C program headers, section header size
        (sections.len() as u32 + 1) << 16 | 1, // 30 section headers, index of the names
    ]);
    let mut headers = Bytes(vec![0; 0x28]);
    for section in sections {
        let data = match section.is_deflated {
            true => deflate(&section.data),
            false => section.data.clone(),
        };
        let flags = 2 | if section.is_deflated { DEFLATED } else { 0 };
        headers.words(&[
            section.name,
            section.kind,
            flags,
            section.address,
            file.0.len() as u32,
            data.len() as u32,
            section.link,
            0,    // information
            0x20, // alignment
            0,    // entry size
        ]);
        file.raw(&data);
    }
    let table = file.0.len() as u32;
    set(&mut file.0, 0x20, table);
    file.raw(&headers.0);
    file.0
}

fn symbol(table: &mut Bytes, name: u32, value: u32, info: u32, section: u32) {
    table.words(&[name, value, 0, info << 24 | section]);
}

const LOCAL_OBJECT: u32 = 0x01;
const LOCAL_FILE: u32 = 0x04;
const GLOBAL_OBJECT: u32 = 0x11;

/// Where the read-only data is at run time.
const RODATA: u32 = 0x1000_0000;

/// The read-only data: two containers, their sizes, and the name of a source.
///
/// | offset | what |
/// |---|---|
/// | 0x00 | the word 7 |
/// | 0x04 | the vertex container, 0x294 bytes |
/// | 0x298 | its size |
/// | 0x29C | "gfx/pixel.c", a zero |
/// | 0x2A8 | the texture container, 0x154 bytes |
/// | 0x3FC | the magic number alone, and four bytes |
fn rodata() -> Vec<u8> {
    let mut data = Bytes(Vec::new());
    data.words(&[7]).raw(&vertex()).words(&[0x294]);
    data.raw(b"gfx/pixel.c\0").raw(&texture(7, 1, [11, 12, 13]));
    data.raw(b"Gfx2").words(&[1]);
    assert_eq!(data.0.len(), 0x404);
    data.0
}

/// An executable with [`rodata`] in section 2, its symbols in section 3 and their names in section 4.
pub(crate) fn rpx(is_deflated: bool) -> Vec<u8> {
    let mut symbols = Bytes(vec![0; 0x10]);
    symbol(&mut symbols, 1, 0, LOCAL_FILE, 0xFFF1); // gfx/vertex.c
    symbol(&mut symbols, 14, RODATA + 4, LOCAL_OBJECT, 2); // x
    symbol(&mut symbols, 16, RODATA + 0x298, LOCAL_OBJECT, 2); // x_size
    symbol(&mut symbols, 23, 0, LOCAL_FILE, 0xFFF1); // other.c
    symbol(&mut symbols, 31, RODATA + 0x2A8, GLOBAL_OBJECT, 2); // tex
    symbol(&mut symbols, 35, RODATA, GLOBAL_OBJECT, 2); // tex_size, which is 7
    let section = |name, kind, address, link, data: &[u8]| Section {
        name,
        kind,
        address,
        link,
        data: data.to_vec(),
        is_deflated,
    };
    elf(&[
        section(1, STRTAB, 0, 0, b"\0.shstrtab\0.rodata\0.symtab\0.strtab\0"),
        section(11, PROGBITS, RODATA, 0, &rodata()),
        section(19, SYMTAB, 0, 4, &symbols.0),
        section(
            27,
            STRTAB,
            0,
            0,
            b"\0gfx/vertex.c\0x\0x_size\0other.c\0tex\0tex_size\0",
        ),
    ])
}

#[test]
fn sections_symbols_and_sources() {
    for is_deflated in [false, true] {
        let file = rpx(is_deflated);
        let findings = find::find(&file, None);
        assert_eq!(findings.kind, InputKind::Executable);
        assert_eq!(findings.problems, []);
        let places: Vec<&Place> = findings.found.iter().map(|found| &found.place).collect();
        let x = SectionPlace {
            section: ".rodata".into(),
            index: 2,
            offset: 4,
            address: 0x1000_0004,
            symbol: Some("x".into()),
            size_symbol: Some(SizeSymbol {
                name: "x_size".into(),
                value: 0x294,
                agrees: true,
            }),
            source: Some(SourceName {
                path: "gfx/vertex.c".into(),
                origin: SourceOrigin::FileSymbol,
            }),
        };
        // A global symbol has no file symbol if there are several; the string lies right before the container.
        let tex = SectionPlace {
            section: ".rodata".into(),
            index: 2,
            offset: 0x2A8,
            address: 0x1000_02A8,
            symbol: Some("tex".into()),
            size_symbol: Some(SizeSymbol {
                name: "tex_size".into(),
                value: 7,
                agrees: false,
            }),
            source: Some(SourceName {
                path: "gfx/pixel.c".into(),
                origin: SourceOrigin::NearbyString { distance: 0 },
            }),
        };
        assert_eq!(
            places,
            [&Place::Section(Box::new(x)), &Place::Section(Box::new(tex))]
        );
        assert_eq!(findings.found[0].bytes, vertex());
        assert_eq!(findings.found[1].bytes, texture(7, 1, [11, 12, 13]));

        assert_eq!(findings.near.len(), 1);
        assert_eq!(findings.near[0].error.class(), "truncated");
        let Place::Section(place) = &findings.near[0].place else {
            panic!("a section")
        };
        assert_eq!(
            (place.offset, place.address, place.symbol.as_deref()),
            (0x3FC, 0x1000_03FC, None)
        );
    }
}

#[test]
fn bytes_outside_of_the_sections_are_searched_too() {
    let mut file = rpx(true);
    let end = file.len();
    file.extend_from_slice(&smallest());
    let findings = find::executable(&file).unwrap();
    assert_eq!(findings.found.len(), 3);
    assert_eq!(findings.found[2].place, Place::Offset(end));
}

/// The place of a section header's word in a file.
fn header_word(file: &[u8], section: usize, word: usize) -> usize {
    crate::fixture::get(file, 0x20) as usize + 0x28 * section + 4 * word
}

#[test]
fn absurd_sizes_are_refused_before_they_are_inflated() {
    let mut file = rpx(true);
    let offset = crate::fixture::get(&file, header_word(&file, 2, 4)) as usize;
    let size = crate::fixture::get(&file, header_word(&file, 2, 5)) as usize;
    // A deflated byte cannot stand for more than 1032; nor may all sections together have more than 256 MiB.
    set(&mut file, offset, 0xFFFF_FFFF);
    let findings = find::find(&file, None);
    let allowed = (size - 4) * 1032;
    let problem = ExecutableError::InflateLimit {
        offset,
        section: 2,
        declared: 0xFFFF_FFFF,
        allowed,
    };
    assert_eq!(findings.problems, [problem]);
    assert_eq!(problem.class(), "limit");
    assert_eq!(
        (findings.kind, findings.found.len()),
        (InputKind::Executable, 0)
    );

    // A section of 512 KiB, which might hold 512 MiB.
    let section = |data: Vec<u8>| Section {
        name: 0,
        kind: PROGBITS,
        address: 0,
        link: 0,
        data,
        is_deflated: false,
    };
    let mut large = vec![0; 512 << 10];
    set(&mut large, 0, 256 << 20 | 1);
    let mut file = elf(&[section(vec![0]), section(large)]);
    let flags = header_word(&file, 2, 2);
    set(&mut file, flags, DEFLATED);
    let problems = find::find(&file, None).problems;
    assert!(
        matches!(
            problems[..],
            [ExecutableError::InflateLimit {
                section: 2,
                declared: 0x1000_0001,
                allowed: INFLATE_LIMIT,
                ..
            }]
        ),
        "{problems:?}"
    );
}

#[test]
fn a_stream_of_another_length_than_declared_is_refused() {
    for change in [-1, 1] {
        let mut file = rpx(true);
        let offset = crate::fixture::get(&file, header_word(&file, 2, 4)) as usize;
        let declared = rodata().len().wrapping_add_signed(change);
        set(&mut file, offset, declared as u32);
        let findings = find::find(&file, None);
        let problem = ExecutableError::BadDeflate {
            offset,
            section: 2,
            declared,
        };
        assert_eq!(findings.problems, [problem]);
    }
}

#[test]
fn sections_that_cover_the_file_again_and_again_are_refused() {
    let sections: Vec<Section> = (0..100)
        .map(|_| Section {
            name: 0,
            kind: PROGBITS,
            address: 0,
            link: 0,
            data: vec![0; 8],
            is_deflated: false,
        })
        .collect();
    let mut file = elf(&sections);
    let length = file.len() as u32;
    for section in 1..=100 {
        let offset = header_word(&file, section, 4);
        set(&mut file, offset, 0);
        set(&mut file, offset + 4, length);
    }
    let problems = find::find(&file, None).problems;
    // Four times the file's length is allowed: the fifth section is one too many.
    assert_eq!(problems.len(), 96);
    let allowed = 4 * length as usize;
    assert_eq!(
        problems[0],
        ExecutableError::OverlapLimit {
            offset: 0,
            section: 5,
            allowed
        }
    );
}

#[test]
fn a_broken_executable_is_one_error_and_searched_as_raw_bytes() {
    let mut file = rpx(false);
    let length = file.len();
    set(&mut file, 0x20, 0x00FF_FFFF);
    let findings = find::find(&file, None);
    let problem = ExecutableError::BadSectionTable {
        offset: 0x00FF_FFFF,
        length,
    };
    assert_eq!(findings.problems, [problem]);
    assert_eq!(
        findings.kind.to_string(),
        "broken executable, searched as raw bytes"
    );
    // The read-only data follows the file header of 0x34 bytes and the names of 35.
    let places: Vec<&Place> = findings.found.iter().map(|found| &found.place).collect();
    assert_eq!(
        places,
        [
            &Place::Offset(0x34 + 35 + 4),
            &Place::Offset(0x34 + 35 + 0x2A8)
        ]
    );

    set(&mut file, 0x20, 0);
    assert_eq!(
        find::find(&file, None).problems,
        [ExecutableError::NoSections { offset: 0x20 }]
    );
    file[5] = 1; // little-endian
    assert_eq!(
        find::find(&file, None).problems,
        [ExecutableError::NotBigEndian32 { offset: 0 }]
    );
    let findings = find::find(&file[4..], Some("game.RPX"));
    assert_eq!(findings.problems, [ExecutableError::NotElf { offset: 0 }]);
    assert_eq!(findings.found.len(), 2);
    // A name alone makes no executable of a container.
    assert_eq!(find::find(&smallest(), Some("a.rpx")).kind, InputKind::Gfd);
}

#[test]
fn a_section_beyond_the_file_is_a_problem_of_its_own() {
    let mut file = rpx(false);
    let (length, at) = (file.len(), header_word(&file, 4, 5));
    let offset = crate::fixture::get(&file, header_word(&file, 4, 4)) as usize;
    set(&mut file, at, 0x7FFF_FFFF);
    let findings = find::find(&file, None);
    let problem = ExecutableError::BadSection {
        offset,
        section: 4,
        size: 0x7FFF_FFFF,
        length,
    };
    assert_eq!(findings.problems, [problem]);
    // Without their strings, symbols have no names, and the containers are found all the same.
    assert_eq!(findings.found.len(), 2);
    let Place::Section(place) = &findings.found[0].place else {
        panic!("a section")
    };
    assert_eq!((place.section.as_str(), &place.symbol), (".rodata", &None));
}

#[test]
fn a_file_of_several_containers_gives_them_all() {
    let mut file = vertex();
    file.extend_from_slice(&smallest());
    file.extend_from_slice(b"..");
    file.extend_from_slice(&texture(7, 1, [11, 12, 13]));
    let findings = find::find(&file, None);
    assert_eq!(findings.kind, InputKind::Gfd);
    let places: Vec<&Place> = findings.found.iter().map(|found| &found.place).collect();
    assert_eq!(
        places,
        [
            &Place::Offset(0),
            &Place::Offset(0x294),
            &Place::Offset(0x2D6)
        ]
    );
}
