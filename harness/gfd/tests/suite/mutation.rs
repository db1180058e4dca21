//! Bytes that somebody has broken: an error within the bytes, or a file that can be read to its last field.

use gfd::{Body, OwnedFile, find, parse};
use proptest::prelude::*;

use crate::find_executable::rpx;
use crate::fixture::{set, texture, vertex};

/// Parses, and reads every field of what was accepted.
fn read_everything(bytes: &[u8]) -> Result<(), TestCaseError> {
    match parse(bytes) {
        Err(error) => {
            prop_assert!(error.offset() <= bytes.len(), "{error}");
            prop_assert!(!error.class().is_empty());
        }
        Ok(file) => {
            prop_assert_eq!(file.consumed() + file.trailing().len(), bytes.len());
            prop_assert_eq!(file.write(), bytes);
            for block in file.blocks() {
                match block.body() {
                    Body::Shader(header) => drop(format!("{header:?}")),
                    Body::Texture(header) => drop(format!("{header:?} {:?}", header.rest())),
                    _ => {}
                }
            }
            prop_assert_eq!(OwnedFile::try_from(&file).unwrap().write().unwrap(), bytes);
        }
    }
    Ok(())
}

/// Words that are likely to matter: small numbers, tagged offsets, magic numbers.
fn word() -> impl Strategy<Value = u32> {
    prop_oneof![
        any::<u32>(),
        0_u32..0x20,
        (0_u32..0x240).prop_map(|offset| 0xD060_0000 + offset),
        (0_u32..0x240).prop_map(|offset| 0xCA70_0000 + offset),
        Just(0x4766_7832),
        Just(0x424C_4B7B),
        Just(0x7D42_4C4B),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn replaced_words(
        is_texture in any::<bool>(),
        edits in proptest::collection::vec((0_usize..0x290, word()), 1..4),
    ) {
        let mut bytes = if is_texture { texture(7, 1, [11, 12, 13]) } else { vertex() };
        for (at, word) in edits {
            let at = (at % (bytes.len() - 3)) & !3;
            set(&mut bytes, at, word);
        }
        read_everything(&bytes)?;
    }

    #[test]
    fn replaced_bytes_and_lengths(
        edits in proptest::collection::vec((0_usize..0x294, any::<u8>()), 0..8),
        length in 0_usize..0x294,
    ) {
        let mut bytes = vertex();
        for (at, byte) in edits {
            bytes[at] = byte;
        }
        read_everything(&bytes)?;
        bytes.truncate(length);
        read_everything(&bytes)?;
    }

    #[test]
    fn searches_take_anything(
        mut bytes in proptest::collection::vec(any::<u8>(), 0..200),
        at in any::<prop::sample::Index>(),
        name in proptest::option::of("[a-z]{0,3}\\.(rpx|c|bin)"),
    ) {
        let at = at.index(bytes.len() + 1);
        bytes.splice(at..at, vertex());
        let findings = find::find(&bytes, name.as_deref());
        prop_assert_eq!(findings.found.len(), 1);
        prop_assert_eq!(&findings.found[0].bytes[..], &vertex()[..]);
    }

    #[test]
    fn executables_take_anything(
        is_deflated in any::<bool>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), word()), 1..4),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = rpx(is_deflated);
        for (at, word) in edits {
            let at = at.index(bytes.len() - 3) & !3;
            set(&mut bytes, at, word);
        }
        bytes.truncate(length.index(bytes.len() + 1));
        let findings = find::find(&bytes, Some("a.rpx"));
        for problem in findings.problems {
            prop_assert!(!problem.class().is_empty());
        }
    }

    #[test]
    fn sources_take_anything(text in "[a-z0-9x{}\\[\\]()=,;'\"\\\\/*#\n -]{0,200}") {
        find::c_arrays(&text);
    }
}
