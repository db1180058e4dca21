//! The programs in a file of any kind.

use std::path::PathBuf;

use anyhow::anyhow;

use crate::command::{Failure, input};
use crate::targets::gfd::containers;

/// A program and what to call it.
pub(super) struct Program {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

const ELF: &[u8] = b"\x7fELF";

/// Largest raw program: far above any shader, and small enough to list.
const MOST: usize = 4 << 20;

/// Reads the programs of all files. A container or an executable gives those in it, anything else is a raw program.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    for path in files {
        let (name, bytes) = (input::name(path), input::read(path)?);
        if !bytes.starts_with(b"Gfx2") && !bytes.starts_with(ELF) {
            if bytes.len() > MOST {
                let size = bytes.len();
                let error = anyhow!("{name}: {size} bytes; a program of at most {MOST} is taken");
                return Err(Failure::usage(error));
            }
            programs.push(Program { name, bytes });
            continue;
        }
        let before = programs.len();
        for (place, container) in containers(&bytes, &name).found {
            let file = gfd::parse(&container)
                .map_err(|error| Failure::usage(anyhow!("{place}: {error}")))?;
            for (number, block) in file.blocks().iter().enumerate() {
                if crate::targets::gfd::is_program(block.kind()) {
                    let name = format!("{place}: block {number}, {}", block.kind());
                    programs.push(Program {
                        name,
                        bytes: block.data().to_vec(),
                    });
                }
            }
        }
        if programs.len() == before {
            return Err(Failure::usage(anyhow!("{name}: no shader program in it")));
        }
    }
    Ok(programs)
}
