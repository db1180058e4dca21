//! LD: a texel by its numbers.

use corpora::execution::{Dimension, Texture};

use super::level::axes;
use super::reading;
use super::texture::TextureFetch;
use super::{Reason, Value};

/// The most texels that a doubtful LD can mean.
const MOST_TEXELS: usize = 64;

/// LD: X, Y, Z and the level in W are integers (R6 p. 298). A whole texel of offset is added. Outside the texture nobody
/// says what it gives.
pub(super) fn load(fetch: &TextureFetch, texture: &Texture, lane: &[Value; 4]) -> [Value; 4] {
    let open = |reason| [0; 4].map(|word| Value::unknown(word, reason));
    let used = match texture.dimension {
        Dimension::D1 => 1,
        Dimension::D2 => 2,
        Dimension::D3 | Dimension::Cube | Dimension::D2Array => 3,
    };
    let mut numbers: [&[u32]; 4] = [&[0]; 4];
    for component in (0..used).chain([3]) {
        match reading::words(&lane[component]) {
            Some(words) => numbers[component] = words,
            None => return open(reading::reason(&lane[component])),
        }
    }
    let offset = fetch.offset.map(i64::from);
    if offset[..axes(texture.dimension)]
        .iter()
        .any(|halves| halves % 2 != 0)
    {
        return open(Reason::UnstatedFetch);
    }
    if numbers.iter().map(|words| words.len()).product::<usize>() > MOST_TEXELS {
        return open(Reason::UnstatedFetch);
    }
    let mut found = Vec::new();
    for &level in numbers[3] {
        for &x in numbers[0] {
            for &y in numbers[1] {
                for &z in numbers[2] {
                    let mut place = [x, y, z].map(|number| i64::from(number as i32));
                    for axis in 0..axes(texture.dimension) {
                        place[axis] += offset[axis] / 2;
                    }
                    found.push(texel(texture, level, place));
                }
            }
        }
    }
    let reason = lane
        .iter()
        .find_map(Value::reason)
        .unwrap_or(Reason::UnstatedFetch);
    [0, 1, 2, 3].map(|component: usize| {
        let values: Vec<Value> = found.iter().map(|texel| texel[component].clone()).collect();
        Value::either(&values, reason)
    })
}

fn texel(texture: &Texture, level: u32, place: [i64; 3]) -> [Value; 4] {
    let place = place.map(u32::try_from);
    let texel = match place {
        [Ok(x), Ok(y), Ok(z)] => texture.texel(level, [x, y, z]),
        _ => None,
    };
    match texel {
        Some(words) => words.map(Value::settled),
        None => [0; 4].map(|word| Value::unknown(word, Reason::Outside)),
    }
}
