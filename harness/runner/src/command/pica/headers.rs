//! `assay pica headers`: somebody's copy of libctru against the numbers that are pinned here.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use oracles::pica::{Constant, libctru, versions};
use regex::Regex;
use serde_json::json;

use crate::command::{Exit, Failure, Outcome, input, output};

/// Arguments of `assay pica headers`.
#[derive(Debug, Args)]
pub(in crate::command) struct Headers {
    /// A copy of libctru, or of its include directory
    dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Where the headers are below the directory that is named: a checkout, an include directory, or `3ds` itself.
const BELOW: [&str; 5] = ["libctru/include/3ds", "include/3ds", "3ds", "", ".."];

/// Most bytes of a header that are read: the real ones have some tens of thousands.
const MOST: u64 = 16 << 20;

/// What a header says of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// This number.
    Number(u32),
    /// Something that is no number.
    Other(String),
    /// Nothing.
    Nothing,
}

impl Headers {
    pub(super) fn run(self) -> Outcome {
        let home = home(&self.dir)?;
        let mut texts: Vec<(&str, String)> = Vec::new();
        let mut rows = Vec::new();
        for constant in libctru() {
            if !texts.iter().any(|(file, _)| *file == constant.file) {
                texts.push((constant.file, read(&home.join(constant.file))?));
            }
            let text = texts.iter().find(|(file, _)| *file == constant.file);
            let said = text.map_or(Said::Nothing, |(_, text)| find(text, &constant.name));
            rows.push((constant, said));
        }
        let differing: Vec<_> = rows
            .iter()
            .filter(|(constant, said)| *said != Said::Number(constant.value))
            .collect();
        if self.json {
            let difference = |(constant, said): &&(Constant, Said)| {
                json!({
                    "name": constant.name,
                    "file": constant.file,
                    "pinned": constant.value,
                    "found": match said {
                        Said::Number(number) => json!(number),
                        Said::Other(text) => json!(text),
                        Said::Nothing => json!(null),
                    },
                })
            };
            output::print_json(&json!({
                "directory": home.display().to_string(),
                "pinned": revision(),
                "compared": rows.len(),
                "differences": differing.iter().map(difference).collect::<Vec<_>>(),
            }))?;
        } else {
            let mut text: String = differing.iter().map(|(c, said)| line(c, said)).collect();
            text += &format!(
                "{} of {} names are as in libctru {}\n",
                rows.len() - differing.len(),
                rows.len(),
                revision()
            );
            output::print(&text)?;
        }
        Ok(if differing.is_empty() {
            Exit::Agree
        } else {
            Exit::Findings
        })
    }
}

/// The revision that the numbers were read from.
fn revision() -> String {
    let versions = versions();
    let read = versions
        .iter()
        .find(|version| version.project == "libctru" && version.read);
    read.map_or_else(String::new, |version| version.commit.clone())
}

fn line(constant: &Constant, said: &Said) -> String {
    let Constant { name, value, file } = constant;
    let found = match said {
        Said::Number(number) => format!("is {number:#x}"),
        Said::Other(text) => format!("is {:?}, which is no number", output::printable(text)),
        Said::Nothing => "is not there".to_owned(),
    };
    format!("{file}: {name} {found}; pinned is {value:#x}\n")
}

fn home(dir: &Path) -> Result<PathBuf, Failure> {
    let found = BELOW.iter().map(|below| dir.join(below)).find(|home| {
        libctru()
            .iter()
            .all(|constant| home.join(constant.file).is_file())
    });
    found.ok_or_else(|| {
        Failure::usage(anyhow!(
            "{}: no gpu/enums.h and gpu/registers.h in it, in 3ds, in include/3ds or in libctru/include/3ds",
            dir.display()
        ))
    })
}

/// A header's text without its comments, which may name what they like.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = input::read_up_to(MOST, path).map_err(Failure::usage)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(without_comments(&text))
}

fn without_comments(text: &str) -> String {
    let comment = Regex::new(r"(?s)/\*.*?\*/|//[^\n]*").expect("a fixed expression");
    comment.replace_all(text, " ").into_owned()
}

/// The value of a macro or an enumerator.
fn find(text: &str, name: &str) -> Said {
    let name = regex::escape(name);
    let pattern =
        format!(r"(?m)(?:^[ \t]*#[ \t]*define[ \t]+{name}[ \t]+|\b{name}\s*=\s*)([^,}}\r\n]+)");
    let expression = Regex::new(&pattern).expect("an escaped name");
    let Some(found) = expression.captures(text) else {
        return Said::Nothing;
    };
    let value = found[1].trim();
    let digits = value.trim_start_matches('(').trim_end_matches(')').trim();
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    number.map_or_else(|_| Said::Other(value.to_owned()), Said::Number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_enumerators_are_found_and_comments_are_not() {
        let text = without_comments(
            "/* #define GPUREG_A 0x1 */\n#define GPUREG_A 0x0228 // 0x9\n#define GPUREG_AB 7\n\
             typedef enum { GPU_BYTE = 0, ///< signed\n GPU_SHORT = (2u) } F;\n#define GPUREG_C (X+1)\n",
        );
        assert_eq!(find(&text, "GPUREG_A"), Said::Number(0x228));
        assert_eq!(find(&text, "GPUREG_AB"), Said::Number(7));
        assert_eq!(find(&text, "GPU_BYTE"), Said::Number(0));
        assert_eq!(find(&text, "GPU_SHORT"), Said::Number(2));
        assert_eq!(find(&text, "GPUREG_C"), Said::Other("(X+1)".to_owned()));
        assert_eq!(find(&text, "GPUREG_B"), Said::Nothing);
        assert_eq!(find(&text, "GPU"), Said::Nothing);
    }
}
