//! What a texture operation says of a texture.

use corpora::execution::{Dimension, Texture};

use super::{Reason, Value, reading};

/// GET_TEXTURE_RESINFO: width, height, depth or layers, and the number of levels, as integers. The level is source X
/// (S104). What a size is that the texture lacks, or a cube's third, no source says.
pub(super) fn information(texture: &Texture, level: &Value) -> [Value; 4] {
    let levels = texture.levels.len() as u32;
    let Some(possible) = reading::words(level) else {
        return [0; 4].map(|word| Value::unknown(word, reading::reason(level)));
    };
    let found: Vec<[Value; 4]> = possible
        .iter()
        .map(|&level| {
            let [x, y, z] = sizes(texture, level);
            [x, y, z, Value::settled(levels)]
        })
        .collect();
    [0, 1, 2, 3].map(|component: usize| {
        let values: Vec<Value> = found.iter().map(|sizes| sizes[component].clone()).collect();
        Value::either(&values, reading::reason(level))
    })
}

/// GET_NUMBER_OF_SAMPLES: the sizes, and the number of samples in W (RG p. 100). An environment's textures have one.
pub(super) fn samples(texture: &Texture) -> [Value; 4] {
    let [x, y, z] = sizes(texture, 0);
    [x, y, z, Value::settled(1)]
}

fn sizes(texture: &Texture, level: u32) -> [Value; 3] {
    let size = texture.level_size(level);
    let known = match texture.dimension {
        Dimension::D1 => 1,
        Dimension::D2 | Dimension::Cube => 2,
        Dimension::D3 | Dimension::D2Array => 3,
    };
    let exists = (level as usize) < texture.levels.len();
    [0, 1, 2].map(|axis: usize| match (axis < known, exists) {
        (true, true) => Value::settled(size[axis]),
        (false, _) => Value::unknown(size[axis], Reason::UnstatedFetch),
        (true, false) => Value::unknown(0, Reason::Outside),
    })
}
