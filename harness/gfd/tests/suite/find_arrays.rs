//! Containers in C and C++ sources.

use std::fmt::Write;

use gfd::find::{self, ArrayPlace, InputKind, Place};

use crate::fixture::{smallest, vertex};

/// What a search of a source has found: identifier, line, element size, offset, and whether the bytes are right.
fn found(source: &str, bytes: &[u8]) -> Vec<(Option<String>, usize, usize, usize, bool)> {
    let findings = find::find(source.as_bytes(), Some("shader.c"));
    assert_eq!(findings.kind, InputKind::Text);
    findings
        .found
        .into_iter()
        .map(|found| {
            let Place::Array(place) = found.place else {
                panic!("{:?}", found.place)
            };
            let ArrayPlace {
                identifier,
                line,
                element_size,
                offset,
            } = *place;
            (identifier, line, element_size, offset, found.bytes == bytes)
        })
        .collect()
}

fn list(bytes: &[u8], form: impl Fn(usize, u8) -> String) -> String {
    bytes
        .iter()
        .enumerate()
        .fold(String::new(), |mut list, (i, &byte)| {
            let _ = write!(
                list,
                "{},{}",
                form(i, byte),
                if i % 12 == 11 { "\n    " } else { " " }
            );
            list
        })
}

#[test]
fn hexadecimal_decimal_octal_and_characters() {
    let bytes = vertex();
    let forms: [fn(usize, u8) -> String; 5] = [
        |_, byte| format!("0x{byte:02x}"),
        |_, byte| byte.to_string(),
        |_, byte| format!("0{byte:o}"),
        |i, byte| match byte {
            b'A'..=b'z' if byte != b'\\' => format!("'{}'", char::from(byte)),
            _ if i % 2 == 0 => format!("(unsigned char)0X{byte:X}u"),
            _ => format!("/* {i}, */ '\\x{byte:x}'"),
        },
        |_, byte| (byte as i8).to_string(),
    ];
    for form in forms {
        let list = list(&bytes, form);
        let source = format!(
            "#include <x.h>\n/* a {{ comment */\nstatic const unsigned char\nvertexShader[{}] = {{\n{list}}};\n",
            bytes.len()
        );
        assert_eq!(
            found(&source, &bytes),
            [(Some("vertexShader".into()), 4, 1, 0, true)],
            "{source}"
        );
    }
}

#[test]
fn words_of_two_and_four_bytes() {
    let bytes = vertex();
    let words = |size: usize| {
        bytes.chunks(size).fold(String::new(), |mut list, word| {
            let value = word
                .iter()
                .fold(0_u32, |value, &byte| value << 8 | u32::from(byte));
            let _ = write!(list, "{value:#x}, ");
            list
        })
    };
    for size in [2, 4] {
        // One element before the container.
        let source = format!("const u32 w[] ALIGNED(64) = {{ 7, {} }};", words(size));
        assert_eq!(
            found(&source, &bytes),
            [(Some("w".into()), 1, size, size, true)]
        );
    }
}

#[test]
fn several_arrays_structures_and_scopes() {
    let bytes = smallest();
    let list = list(&bytes, |_, byte| format!("0x{byte:x}"));
    let source = format!(
        r#"
extern "C" {{
namespace shaders {{
enum Kind {{ A = 0x47, B }};
int f(int a) {{ if (a) {{ return a[2] = 5; }} else {{ return 1'000; }} }}
const uint8_t first[] = {{ {list} }};
std::array<uint8_t, 64> second = {{{{ {list} }}}};
alignas(64) const uint8_t third[64] {{ {list} }};
const Shader both[2] = {{
    {{ .name = "a }}", .data = {{ {list} }}, .size = 64 }},
    {{ "b", {{ [0] = {list} }}, sizeof(x) }},
}};
}} }}
"#
    );
    let name = |name: &str| Some(name.to_owned());
    assert_eq!(
        found(&source, &bytes),
        [
            (name("first"), 6, 1, 0, true),
            // A list of 64 bytes, 12 a line, takes five lines more than are seen above.
            (name("second"), 7 + 5, 1, 0, true),
            (name("third"), 8 + 10, 1, 0, true),
            // Behind the three characters of its name; then 64 bytes, a size, and the next one's name.
            (name("both"), 9 + 15, 1, 3, true),
            (name("both"), 9 + 15, 1, 3 + 64 + 1 + 1, true),
        ]
    );
}

#[test]
fn string_literals() {
    let bytes = smallest();
    let escaped: Vec<String> = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
    let source = format!(
        "const char *s =\n\"{}\"\n  \"{}\";\nconst char t[] = \"Gfx2\";",
        escaped[..30].concat(),
        escaped[30..].concat()
    );
    assert_eq!(found(&source, &bytes), [(Some("s".into()), 1, 1, 0, true)]);
    let near = find::c_arrays(&source).near;
    assert_eq!(near.len(), 1);
    assert_eq!(near[0].error.class(), "truncated");
    let Place::Array(place) = &near[0].place else {
        panic!("{:?}", near[0].place)
    };
    assert_eq!((place.identifier.as_deref(), place.line), (Some("t"), 4));
}

#[test]
fn broken_arrays_are_near_misses() {
    let bytes = vertex();
    let list = list(&bytes[..bytes.len() - 1], |_, byte| byte.to_string());
    let findings = find::c_arrays(&format!("u8 cut[] = {{ {list} }};"));
    assert!(findings.found.is_empty());
    // The end block at 0x274 has one byte less than its 32.
    assert_eq!(findings.near.len(), 1);
    assert_eq!(
        (
            findings.near[0].error.class(),
            findings.near[0].error.offset()
        ),
        ("truncated", 0x274)
    );
}
