//! The little of NIR and TGSI that tells how a program is wired.

use std::collections::BTreeMap;

use super::glsl::pattern;

/// A component of a varying's or an attribute's place: Mesa's location, and 0 to 3.
pub type Place = (u32, usize);

/// Mesa's location of attribute 0.
pub const ATTRIBUTE: u32 = 15;

/// Mesa's location of varying 0.
pub const VARYING: u32 = 32;

/// A uniform in the order of the compiler: where it is, in vectors, or for a sampler its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its type, without the size of an array.
    pub ty: String,
    /// Its name.
    pub name: String,
    /// Vectors that are there; the compiler cuts arrays off behind the last element that it needs.
    pub vectors: u32,
    /// Its place.
    pub place: u32,
}

/// The uniforms that a shader declares.
pub fn uniforms(nir: &[String]) -> Result<Vec<Uniform>, String> {
    let shape = pattern(
        r"^decl_var uniform INTERP_MODE_NONE (\w+?)(?:\[(\d+)\])? (\w+) \(\d+, (\d+), \d+\)",
    )?;
    let declared = nir.iter().filter_map(|line| shape.captures(line));
    declared
        .map(|found| {
            let number = |at: usize| -> Option<u32> { found.get(at)?.as_str().parse().ok() };
            let columns = if &found[1] == "mat4" { 4 } else { 1 };
            Ok(Uniform {
                ty: found[1].to_owned(),
                name: found[3].to_owned(),
                vectors: columns * number(2).unwrap_or(1),
                place: number(4).ok_or_else(|| format!("{:?}: no place", &found[0]))?,
            })
        })
        .collect()
}

/// A read of an input: its number, and its location's components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Load {
    /// The input's number.
    pub input: u32,
    /// The location.
    pub location: u32,
    /// The first component.
    pub first: usize,
    /// How many.
    pub components: usize,
    /// What it is called.
    result: String,
}

/// The inputs that a shader reads.
pub fn loads(nir: &[String]) -> Result<Vec<Load>, String> {
    let shape = pattern(
        r"^vec(\d) 32 (ssa_\d+) = intrinsic load_(?:interpolated_)?input .*\(base=(\d+), component=(\d).*io location=(\d+)",
    )?;
    let found = nir.iter().filter_map(|line| shape.captures(line));
    found
        .map(|found| {
            let number = |at: usize| -> Result<u32, String> {
                found[at].parse().map_err(|_| format!("{:?}", &found[0]))
            };
            Ok(Load {
                input: number(3)?,
                location: number(5)?,
                first: number(4)? as usize,
                components: number(1)? as usize,
                result: found[2].to_owned(),
            })
        })
        .collect()
}

/// Which components of outputs a shader writes; with the component of an input, where it merely passes that on.
pub fn stores(nir: &[String]) -> Result<BTreeMap<Place, Option<Place>>, String> {
    let mut values: BTreeMap<String, Vec<Option<Place>>> = BTreeMap::new();
    for load in loads(nir)? {
        let places = (0..load.components).map(|at| Some((load.location, load.first + at)));
        values.insert(load.result, places.collect());
    }
    let collected = pattern(r"^vec\d 32 (ssa_\d+) = (?:vec\d|mov) (.*)$")?;
    let store = pattern(
        r"^intrinsic store_output \((ssa_\d+), .*wrmask=(\w+) .*component=(\d).*io location=(\d+)",
    )?;
    let mut stores = BTreeMap::new();
    for line in nir {
        if let Some(found) = collected.captures(line) {
            let component = |operand: &str| -> Option<Place> {
                let (name, channel) = operand.split_once('.').unwrap_or((operand, "x"));
                let channel = "xyzw".find(channel)?;
                *values.get(name)?.get(channel)?
            };
            let collected = found[2].split(", ").map(component).collect();
            values.insert(found[1].to_owned(), collected);
        } else if let Some(found) = store.captures(line) {
            let number = |at: usize| -> Result<u32, String> {
                found[at].parse().map_err(|_| format!("{line:?}"))
            };
            let (first, location) = (number(3)? as usize, number(4)?);
            for at in found[2].chars().filter_map(|channel| "xyzw".find(channel)) {
                let value = values.get(&found[1]).and_then(|value| *value.get(at)?);
                stores.insert((location, first + at), value);
            }
        }
    }
    Ok(stores)
}

/// An input of a TGSI shader: its number, and whether it is not interpolated.
pub fn tgsi_inputs(tgsi: &[String]) -> Result<Vec<(u32, bool)>, String> {
    let shape = pattern(r"^DCL IN\[(\d+)\](?:, GENERIC\[\d+\], (\w+))?")?;
    let found = tgsi.iter().filter_map(|line| shape.captures(line));
    found
        .map(|found| {
            let number = found[1].parse().map_err(|_| format!("{:?}", &found[0]))?;
            Ok((
                number,
                found.get(2).is_some_and(|how| how.as_str() == "CONSTANT"),
            ))
        })
        .collect()
}

/// How many vectors of constants a TGSI shader declares.
pub fn tgsi_constants(tgsi: &[String]) -> Result<u32, String> {
    let shape = pattern(r"^DCL CONST\[0\]\[(?:\d+\.\.)?(\d+)\]")?;
    let last = tgsi
        .iter()
        .filter_map(|line| shape.captures(line)?[1].parse().ok());
    Ok(last.max().map_or(0, |last: u32| last + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// The compiler packs `v0.xy` (attribute 1) and `v1.zw` (attribute 2) into one varying.
    #[test]
    fn packed_varyings_are_followed_to_attributes() {
        let nir = lines(
            "vec4 32 ssa_2 = intrinsic load_input (ssa_0) (base=1, component=0, dest_type=float32 /*160*/, io location=16 slots=1 /*144*/)
             vec4 32 ssa_3 = intrinsic load_input (ssa_0) (base=2, component=0, dest_type=float32 /*160*/, io location=17 slots=1 /*145*/)
             vec4 32 ssa_4 = vec4 ssa_2.x, ssa_2.y, ssa_3.z, ssa_9
             intrinsic store_output (ssa_4, ssa_0) (base=1, wrmask=xyzw /*15*/, component=0, src_type=float32 /*160*/, io location=32 slots=1 /*160*/)",
        );
        let expected = [
            ((32, 0), Some((16, 0))),
            ((32, 1), Some((16, 1))),
            ((32, 2), Some((17, 2))),
            ((32, 3), None),
        ];
        assert_eq!(stores(&nir), Ok(BTreeMap::from(expected)));
    }

    #[test]
    fn uniforms_are_placed() {
        let nir = lines(
            "decl_var ubo INTERP_MODE_NONE vec4[7] uniform_0 (0, 0, 0)
             decl_var uniform INTERP_MODE_NONE mat4 mvp (0, 0, 0)
             decl_var uniform INTERP_MODE_NONE vec4[3] k (1, 4, 0)",
        );
        let found = uniforms(&nir).expect("uniforms");
        let found: Vec<_> = found
            .iter()
            .map(|uniform| (uniform.name.as_str(), uniform.place, uniform.vectors))
            .collect();
        assert_eq!(found, [("mvp", 0, 4), ("k", 4, 3)]);
    }
}
