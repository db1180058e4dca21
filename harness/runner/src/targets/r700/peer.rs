//! A compiler's own disassembly, as the peer that it is: each line's address and mnemonic.

use corpora::{FieldId, Section};
use serde::Deserialize;

use super::ids::Ids;
use super::names::Aliases;
use crate::target::PeerAnswers;

/// One line of `programs.jsonl`. Other keys say how the program came to be and are not needed here.
#[derive(Deserialize)]
pub(super) struct Program {
    /// Its name: `id` in one corpus, `name` in another.
    #[serde(alias = "name")]
    pub(super) id: String,
    /// The back end, where a name is used for several programs.
    pub(super) backend: Option<String>,
    /// Which disassembler wrote `text`.
    pub(super) disassembler: Option<String>,
    /// General registers that it uses. Lists of programs of other families do not say so, and are not ours to judge.
    pub(super) gprs: Option<u32>,
    /// The program as 32-bit words in hex.
    pub(super) words: Vec<String>,
    /// The disassembly, a line an element.
    #[serde(default)]
    pub(super) text: Vec<String>,
}

/// The names that the text gives, in canonical spelling. A line that is neither an instruction nor a literal is an error:
/// what is not understood is not skipped.
pub(super) fn answers(
    program: &Program,
    ids: &Ids,
    aliases: &Aliases,
) -> Result<Option<PeerAnswers>, String> {
    let Some(disassembler) = &program.disassembler else {
        return Ok(None);
    };
    if program.text.is_empty() {
        return Err(format!(
            "{disassembler} is named, and there is no text of it"
        ));
    }
    let mut names = Vec::new();
    for line in &program.text {
        let Some(found) = instruction(line).map_err(|why| format!("{why}: {line:?}"))? else {
            continue;
        };
        let (field, classes) = found.field(ids);
        let section = Section::part(found.dword / 2);
        // `_sat` is how the compiler writes CLAMP.
        let name = found
            .mnemonic
            .strip_suffix("_sat")
            .unwrap_or(found.mnemonic);
        let canonical = classes.iter().map(|class| aliases.canonical(class, name));
        let spelling = canonical
            .into_iter()
            .find(|spelling| *spelling != name)
            .unwrap_or(name);
        names.push((section, field, spelling.to_owned()));
    }
    let name = disassembler.split(':').next().unwrap_or(disassembler);
    Ok(Some(PeerAnswers {
        name: format!("mesa {name}"),
        names,
    }))
}

#[derive(Debug, PartialEq, Eq)]
enum Unit {
    Cf,
    Alu,
    Fetch,
}

#[derive(Debug, PartialEq, Eq)]
struct Found<'a> {
    dword: u32,
    unit: Unit,
    mnemonic: &'a str,
}

impl Found<'_> {
    /// The field that the mnemonic is a name of, and the classes of opcodes that it may be spelled otherwise in.
    fn field(&self, ids: &Ids) -> (FieldId, &'static [&'static str]) {
        match self.unit {
            Unit::Cf => (ids.cf_op, &["cf", "cf_alu", "cf_export"]),
            Unit::Alu => (ids.alu_op, &["op2", "op3"]),
            Unit::Fetch if matches!(self.mnemonic, "VFETCH" | "SEMFETCH") => (ids.vtx_op, &["vtx"]),
            Unit::Fetch => (ids.tex_op, &["tex"]),
        }
    }
}

/// Reads a line: `ADDRESS WORD WORD [WORD] …`. Control flow starts in the first column, instructions of a clause one blank
/// in, and a literal has a single word.
fn instruction(line: &str) -> Result<Option<Found<'_>>, &'static str> {
    let control = !line.starts_with(' ');
    let mut rest = line.trim_start();
    let mut word = || {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (first, behind) = rest.split_at(end);
        rest = behind.trim_start();
        first
    };
    let dword = word().parse().map_err(|_| "no address")?;
    let is_word = |text: &str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_word(word()) {
        return Err("no word behind the address");
    }
    let second = word();
    if !is_word(second) {
        // A literal: its value as a float, or nothing.
        return Ok(None);
    }
    let third = word();
    if control {
        return Ok(Some(Found {
            dword,
            unit: Unit::Cf,
            mnemonic: third,
        }));
    }
    if is_word(third) {
        return Ok(Some(Found {
            dword,
            unit: Unit::Fetch,
            mnemonic: word(),
        }));
    }
    // Group number and flags stand before the unit's letter, the mnemonic behind it.
    let (_, behind) = line.split_once(':').ok_or("no unit letter")?;
    let mut parts = behind.split_whitespace();
    let first = parts.next().unwrap_or("");
    let mnemonic = if matches!(first, "M" | "P" | "MP") {
        parts.next().unwrap_or("")
    } else {
        first
    };
    if mnemonic.is_empty() {
        return Err("no mnemonic");
    }
    Ok(Some(Found {
        dword,
        unit: Unit::Alu,
        mnemonic,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Option<(u32, Unit, &str)> {
        instruction(line)
            .unwrap()
            .map(|found| (found.dword, found.unit, found.mnemonic))
    }

    #[test]
    fn the_lines_of_both_disassemblers() {
        for (line, expected) in [
            (
                "0000 00000002 A00C0000  ALU 4 @4 ",
                Some((0, Unit::Cf, "ALU")),
            ),
            (
                " 0068 801F0CFE 2FE02284     3 y:M    PRED_SETNE_INT         __.y,  PV.w, 0",
                Some((68, Unit::Alu, "PRED_SETNE_INT")),
            ),
            (
                " 0070  801f00fe 01a0229c     5 MP   x: PRED_SETNE_INT     R13.x,  PV.x, 0",
                Some((70, Unit::Alu, "PRED_SETNE_INT")),
            ),
            (
                " 0006 00802400 20400010       y:     ADD                    R2.y,  R0.y, R1.y",
                Some((6, Unit::Alu, "ADD")),
            ),
            (
                " 0084 00021210 F00D1001 FC800000   SAMPLE         R1.xyzw, R2.xy__,  RID:18, SID:0  CT:NNNN ",
                Some((84, Unit::Fetch, "SAMPLE")),
            ),
            (
                " 0012 40500000                           3.250000 (1078984704)",
                None,
            ),
            (" 0012  40500000 ", None),
        ] {
            assert_eq!(found(line), expected, "{line}");
        }
    }

    #[test]
    fn other_lines_are_no_instruction() {
        assert!(instruction("bytecode 12 dw").is_err());
        assert!(instruction("0000 zz").is_err());
    }
}
