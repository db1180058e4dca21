//! The source file that a blob in an executable came from.

/// The name of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceName {
    /// The name, with its folders if they were there.
    pub path: String,
    /// Where it was found.
    pub origin: SourceOrigin,
}

/// Where the name of a source file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceOrigin {
    /// A file symbol of the symbol table.
    FileSymbol,
    /// A string in the blob's section.
    NearbyString {
        /// Bytes between the string and the blob.
        distance: usize,
    },
}

/// Bytes on either side of a blob in which a string counts as close.
const REACH: usize = 4096;

/// Endings of the files that shaders are written in or turned into.
const ENDINGS: [&str; 16] = [
    ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".inc", ".s", ".gsh", ".vsh", ".psh", ".ps", ".vs",
    ".vert", ".frag", ".glsl",
];

/// The closest string beside `blob` that reads like the path of a source file.
pub(super) fn nearby(section: &[u8], start: usize, end: usize) -> Option<SourceName> {
    let from = start.saturating_sub(REACH);
    let to = section.len().min(end + REACH);
    let before = paths(&section[from..start]).last().map(|(at, path)| {
        let string_end = from + at + path.len() + 1;
        (start - string_end.min(start), path)
    });
    let after = paths(&section[end..to]).next();
    let (distance, path) = match (before, after) {
        (Some(before), Some(after)) if after.0 < before.0 => after,
        (before, after) => before.or(after)?,
    };
    let origin = SourceOrigin::NearbyString { distance };
    Some(SourceName {
        path: path.to_owned(),
        origin,
    })
}

/// Strings that read like paths of source files, with their places.
fn paths(bytes: &[u8]) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    bytes.split(|&byte| byte == 0).filter_map(move |string| {
        let start = at;
        at += string.len() + 1;
        // Bytes of something else may stand right before a string.
        let skip = string
            .iter()
            .rposition(|&byte| !is_path(byte))
            .map_or(0, |last| last + 1);
        let path = std::str::from_utf8(&string[skip..]).ok()?;
        let name = path.rsplit(['/', '\\']).next()?;
        ENDINGS
            .iter()
            .any(|ending| name.len() > ending.len() && name.ends_with(ending))
            .then_some((start + skip, path))
    })
}

fn is_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+.:/\\ ".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_path_wins() {
        //                     0         10         20        30
        let section = b"far/a.c\0\0\0\x01gfx/b.c\0BLOBBLOB\0\0c.vsh\0.c\0word\0";
        let start = section
            .windows(4)
            .position(|window| window == b"BLOB")
            .unwrap();
        let name = |distance, path: &str| {
            let origin = SourceOrigin::NearbyString { distance };
            Some(SourceName {
                path: path.to_owned(),
                origin,
            })
        };
        // gfx/b.c ends right before the blob; c.vsh starts two bytes behind it.
        assert_eq!(nearby(section, start, start + 8), name(0, "gfx/b.c"));
        // A blob in the place of BLOBBLO and what is before it: c.vsh is three bytes off, far/a.c four.
        assert_eq!(nearby(section, 12, start + 7), name(3, "c.vsh"));
        assert_eq!(nearby(b"BLOB\0.c\0word\0a.cd\0", 0, 4), None);
    }
}
