//! What a compiler's log says of the programs in it.
//!
//! Mesa's r600 driver prints for each shader what it got (NIR, or TGSI where that back end is chosen), the microcode, and
//! the tables that it gives the state tracker, in this order.

use std::collections::BTreeMap;

/// A program in a log.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The listing, a line for each instruction, without spaces around.
    pub listing: Vec<String>,
    /// What the back end got: NIR or TGSI, line by line.
    pub intermediate: Vec<String>,
    /// The GPR of each input.
    pub inputs: BTreeMap<u32, u8>,
    /// Whether it comes from a source given to the compiler, rather than from the driver itself.
    pub given: bool,
}

/// What the log prints before it comes to the sources.
const RENDERER: &str = "R: ";

/// All programs of a log, in order.
pub fn entries(log: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let (mut nir, mut tgsi) = (Vec::new(), Vec::new());
    // The programs whose table has not been read yet start here.
    let mut without_table = 0;
    let mut in_table = false;
    let mut sources = false;
    // The TGSI of a stage that comes first behind RENDERER is the source's.
    let mut first: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with(RENDERER) {
            sources = true;
        } else if line.starts_with("-- NIR --") {
            nir = until(&mut lines, |line| line.starts_with("-- END --"));
        } else if line.starts_with("--TGSI--") {
            tgsi = until(&mut lines, |line| {
                line.is_empty() || line.starts_with("----")
            });
            if let (true, Some(stage)) = (sources, tgsi.first()) {
                first.entry(stage.clone()).or_insert_with(|| tgsi.clone());
            }
        } else if line.starts_with("bytecode ") {
            let mut listing = until(&mut lines, |line| line.starts_with("----"));
            // The first line has the shader's number.
            listing.drain(..listing.len().min(1));
            entries.push(Entry {
                listing,
                given: nir.iter().any(|line| line.starts_with("name: GLSL")),
                intermediate: nir.clone(),
                ..Entry::default()
            });
        } else if line.starts_with("===== SHADER #") {
            let mut listing = until(&mut lines, |line| line.starts_with("===== SHADER_END"));
            listing.drain(..listing.len().min(1));
            let fetch = line.contains("FETCH/");
            entries.push(Entry {
                listing,
                given: !fetch
                    && tgsi
                        .first()
                        .is_some_and(|stage| first.get(stage) == Some(&tgsi)),
                intermediate: if fetch { Vec::new() } else { tgsi.clone() },
                ..Entry::default()
            });
        } else if line.starts_with("void shader_") {
            in_table = true;
        } else if line == "}" && in_table {
            in_table = false;
            without_table = entries.len();
        } else if in_table && let Some((input, gpr)) = input(line) {
            for entry in &mut entries[without_table..] {
                let register = entry.inputs.entry(input).or_default();
                if let Some(gpr) = gpr {
                    *register = gpr;
                }
            }
        }
    }
    entries
}

/// The lines up to one that ends them, trimmed; empty ones are left out.
fn until<'a>(lines: &mut impl Iterator<Item = &'a str>, end: impl Fn(&str) -> bool) -> Vec<String> {
    let lines = lines.take_while(|line| !end(line)).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

/// The number of the input that a line of a table is about, and its GPR if it gives that. What is 0 is not printed.
fn input(line: &str) -> Option<(u32, Option<u8>)> {
    let (number, rest) = line
        .trim()
        .strip_prefix("shader->input[")?
        .split_once("].")?;
    let gpr = rest
        .strip_prefix("gpr =")
        .and_then(|gpr| gpr.trim_end_matches(';').trim().parse().ok());
    Some((number.parse().ok()?, gpr))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two programs of one TGSI shader, before and after optimisation, share the table behind them; input 0 is in GPR 0, which
    /// the table leaves out; what comes before the renderer's line is the driver's own.
    #[test]
    fn programs_get_what_is_printed_around_them() {
        let log = "--TGSI----\nFRAG\n  0: END\n\n===== SHADER #1 === PS/RV770/R700 =====\n\
                   ===== 2 dw =====\n0000 a\n===== SHADER_END ===\n\
                   R: RV770\n--TGSI----\nFRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n\n\
                   ===== SHADER #2 === PS/RV770/R700 =====\n===== 2 dw =====\n0000 b \n===== SHADER_END ===\n\n\
                   ===== SHADER #2 OPT === PS/RV770/R700 =====\n===== 2 dw =====\n0000 c\n===== SHADER_END ===\n\
                   void shader_1_fill_data(struct r600_shader *shader)\n{\n  shader->input[0].name =5;\n\
                   \x20 shader->input[1].gpr =1;\n}\n";
        let entries = entries(log);
        let listings: Vec<_> = entries
            .iter()
            .map(|entry| entry.listing.join(","))
            .collect();
        assert_eq!(listings, ["0000 a", "0000 b", "0000 c"]);
        let given: Vec<_> = entries.iter().map(|entry| entry.given).collect();
        assert_eq!(given, [false, true, true]);
        assert_eq!(entries[1].inputs, BTreeMap::from([(0, 0), (1, 1)]));
        assert_eq!(entries[2].inputs, entries[1].inputs);
    }
}
