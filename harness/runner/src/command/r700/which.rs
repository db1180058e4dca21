//! Which of several shaders is meant.

use std::convert::Infallible;
use std::str::FromStr;

use anyhow::anyhow;
use corpora::hex;
use sha2::{Digest, Sha256};

use crate::execution::shader::Shader;

/// A number, the end of a name, or the start of a hash, as an option has it.
#[derive(Clone, Debug)]
pub(super) struct Which(String);

impl FromStr for Which {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

/// The fewest digits that stand for a hash.
const DIGITS: usize = 6;

/// How many shaders an error lists.
const LISTED: usize = 20;

/// Shaders by number and name, some of them.
pub(super) fn listed(shaders: &[Shader]) -> String {
    let all = shaders.iter().zip(1..);
    let mut names: Vec<_> = all
        .take(LISTED)
        .map(|(shader, number)| format!("{number} {}", shader.origin))
        .collect();
    if shaders.len() > LISTED {
        names.push(format!("{} more", shaders.len() - LISTED));
    }
    names.join(", ")
}

impl Which {
    /// The index of the one that is meant. A program that is there several times, wired alike, is one.
    pub(super) fn choose(&self, shaders: &[Shader]) -> anyhow::Result<usize> {
        let wanted = self.0.as_str();
        let number = wanted.parse::<usize>().ok();
        if let Some(number) = number.filter(|number| (1..=shaders.len()).contains(number)) {
            return Ok(number - 1);
        }
        let is_named = |shader: &Shader| {
            let rest = shader.origin.strip_suffix(wanted);
            !wanted.is_empty()
                && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with([':', '/']))
        };
        let is_hash =
            wanted.len() >= DIGITS && wanted.bytes().all(|digit| digit.is_ascii_hexdigit());
        let start = wanted.to_ascii_lowercase();
        let has_hash = |shader: &Shader| {
            is_hash && hex::encode(&Sha256::digest(&shader.bytes)).starts_with(&start)
        };
        let all = shaders.iter().enumerate();
        let mut meant = all.filter(|(_, shader)| is_named(shader) || has_hash(shader));
        let Some((chosen, first)) = meant.next() else {
            return Err(anyhow!(
                "no shader {wanted:?}; there are {}",
                listed(shaders)
            ));
        };
        let is_same = |other: &Shader| {
            (&other.bytes, other.stage) == (&first.bytes, first.stage)
                && (&other.registers, &other.textures) == (&first.registers, &first.textures)
        };
        let others = meant
            .map(|(_, other)| other)
            .filter(|other| !is_same(other));
        let others: Vec<_> = others
            .map(|other| other.origin.as_str())
            .take(LISTED)
            .collect();
        if others.is_empty() {
            return Ok(chosen);
        }
        let (first, others) = (&first.origin, others.join(", "));
        Err(anyhow!("several shaders are {wanted:?}: {first}, {others}"))
    }
}

#[cfg(test)]
mod tests {
    use corpora::execution::Stage;

    use super::*;

    fn choose(which: &str) -> Result<usize, String> {
        let shader = |name: &str, byte: u8| Shader::new(name, vec![byte; 8], Stage::Pixel);
        let shaders = [
            shader("a/x.gsh:block3", 1),
            shader("a/x.gsh:block5", 2),
            shader("a/y.gsh:block3", 2),
            shader("programs.jsonl:block35", 3),
        ];
        let which: Which = which.parse().expect("any text");
        which.choose(&shaders).map_err(|error| error.to_string())
    }

    #[test]
    fn a_shader_is_named_by_number_name_or_hash() {
        assert_eq!(choose("2"), Ok(1));
        assert_eq!(choose("block5"), Ok(1));
        assert_eq!(choose("y.gsh:block3"), Ok(2));
        assert_eq!(choose("programs.jsonl:block35"), Ok(3));
        // printf '\3\3\3\3\3\3\3\3' | sha256sum
        assert_eq!(choose("D155D4"), Ok(3));
        // Two files hold the same program.
        assert_eq!(choose("10ae0fdb"), Ok(1));
    }

    #[test]
    fn what_is_none_or_several_is_refused() {
        let none = "no shader \"5\"; there are 1 a/x.gsh:block3, 2 a/x.gsh:block5, 3 a/y.gsh:block3, \
                    4 programs.jsonl:block35";
        assert_eq!(choose("5"), Err(none.to_owned()));
        assert!(choose("lock5").is_err());
        assert_eq!(
            choose("block3"),
            Err("several shaders are \"block3\": a/x.gsh:block3, a/y.gsh:block3".to_owned())
        );
    }
}
