//! Real files: the project's own always, and those below `gfd` of the corpus that `ASSAY_CORPUS` names, if it does.

use std::path::{Path, PathBuf};

use gfd::{OwnedBody, OwnedFile, find, parse};

/// The `.gsh` files that there are.
fn files() -> Vec<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/gfd/mesa");
    let corpus = std::env::var_os("ASSAY_CORPUS").map(|corpus| Path::new(&corpus).join("gfd"));
    let mut found = Vec::new();
    for folder in [Some(own), corpus].into_iter().flatten() {
        let before = found.len();
        gather(&folder, &mut found);
        assert!(found.len() > before, "no .gsh below {}", folder.display());
    }
    found
}

fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, found);
        } else if path.extension().is_some_and(|end| end == "gsh") {
            found.push(path);
        }
    }
}

#[test]
fn real_files_write_back_byte_for_byte() {
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let file = parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(file.consumed(), bytes.len(), "{}", path.display());
        assert_eq!(file.write(), bytes, "{}", path.display());
        assert_eq!(
            OwnedFile::try_from(&file).unwrap().write().unwrap(),
            bytes,
            "{}",
            path.display()
        );
    }
}

#[test]
fn real_headers_laid_out_anew_say_the_same() {
    for path in files() {
        let bytes = std::fs::read(&path).unwrap();
        let mut file = OwnedFile::try_from(&parse(&bytes).unwrap()).unwrap();
        for block in &mut file.blocks {
            if let OwnedBody::Shader(shader) = &mut block.body {
                shader.forget_layout();
            }
        }
        let written = file.write().unwrap();
        let again = OwnedFile::try_from(&parse(&written).unwrap()).unwrap();
        assert_eq!(again, file, "{}", path.display());
        // Our layout is theirs, but for files whose string table is not filled up to a multiple of four.
        let is_unfilled = bytes.len() % 4 != 0;
        assert!(written == bytes || is_unfilled, "{}", path.display());
    }
}

#[test]
fn real_files_are_found_between_other_bytes() {
    let mut bytes = b"Gfx2 and so on".to_vec();
    let mut expected = Vec::new();
    for path in files() {
        let file = std::fs::read(&path).unwrap();
        expected.push((bytes.len(), file.len()));
        bytes.extend_from_slice(&file);
        bytes.extend_from_slice(&[0; 3]);
    }
    let found: Vec<(usize, usize)> = find::blobs(&bytes)
        .filter_map(|hit| match hit {
            find::Hit::Found { offset, length } => Some((offset, length)),
            find::Hit::Near { .. } => None,
        })
        .collect();
    assert_eq!(found, expected);
}
