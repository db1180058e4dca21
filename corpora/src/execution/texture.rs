//! Textures and samplers: what both the hardware's and SPIR-V's image instructions read.

use super::Vec4;

/// The shape of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// A row.
    D1,
    /// A plane.
    D2,
    /// A volume.
    D3,
    /// Six faces, in Direct3D's order +X, -X, +Y, -Y, +Z, -Z.
    Cube,
    /// Planes by layer.
    D2Array,
}

/// A texture: every texel of every level.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    /// The shape.
    pub dimension: Dimension,
    /// Texels of level 0 in X, Y and Z. Z is the depth of a volume, the number of layers of an array, 6 for a cube,
    /// else 1. Each level halves what is not a layer or a face, down to 1.
    pub size: [u32; 3],
    /// The texels level by level: X fastest, then Y, then Z. A depth texture has its depth in X.
    pub levels: Vec<Vec<Vec4>>,
    /// Whether the texels are integers (read as they are, never filtered) rather than floats.
    pub integer: bool,
}

impl Texture {
    /// The most texels in one direction: resources hold sizes less one in 13 bits (RG, SQ_TEX_RESOURCE_WORD0 and WORD1).
    pub const MAX_SIZE: u32 = 1 << 13;

    /// The texels of a level in X, Y, Z.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        let halved = |size: u32| (size >> level.min(31)).max(1);
        let [x, y, z] = self.size;
        match self.dimension {
            Dimension::D1 => [halved(x), 1, 1],
            Dimension::D2 => [halved(x), halved(y), 1],
            Dimension::D3 => [halved(x), halved(y), halved(z)],
            Dimension::Cube | Dimension::D2Array => [halved(x), halved(y), z],
        }
    }

    /// One texel; none outside.
    pub fn texel(&self, level: u32, [x, y, z]: [u32; 3]) -> Option<Vec4> {
        let [width, height, depth] = self.level_size(level);
        if x >= width || y >= height || z >= depth {
            return None;
        }
        let row = u64::from(z) * u64::from(height) + u64::from(y);
        let index = row.checked_mul(width.into())?.checked_add(x.into())?;
        let texels = self.levels.get(level as usize)?;
        texels.get(usize::try_from(index).ok()?).copied()
    }
}

/// How texels are picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// The nearest one.
    #[default]
    Point,
    /// The weighted mean of the neighbours.
    Linear,
}

/// What coordinates outside 0 to 1 mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// It repeats, every other time mirrored.
    Mirror,
    /// The texel at the edge.
    ClampToEdge,
    /// The border's value.
    ClampToBorder,
}

/// The comparison of a shadow sampler: *reference OP texel*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Always false.
    Never,
    /// `<`
    Less,
    /// `==`
    Equal,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterEqual,
    /// Always true.
    Always,
}

/// A sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// Where the texture is larger than the pixels.
    pub mag: Filter,
    /// Where it is smaller.
    pub min: Filter,
    /// Between levels; none: level 0 alone.
    pub mip: Option<Filter>,
    /// Along X, Y, Z.
    pub wrap: [Wrap; 3],
    /// The border's value.
    pub border: Vec4,
    /// The comparison, for a shadow sampler.
    pub compare: Option<Compare>,
    /// The least level of detail.
    pub min_lod: f32,
    /// The greatest.
    pub max_lod: f32,
    /// What is added to it.
    pub lod_bias: f32,
}

impl Default for Sampler {
    fn default() -> Self {
        Self {
            mag: Filter::Point,
            min: Filter::Point,
            mip: None,
            wrap: [Wrap::Repeat; 3],
            border: [0; 4],
            compare: None,
            min_lod: 0.0,
            max_lod: 15.0,
            lod_bias: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texel_is_found_by_its_place_and_none_is_where_there_is_none() {
        let mut volume = Texture {
            dimension: Dimension::D3,
            size: [2, 3, 2],
            levels: vec![(0..12).map(|number| [number; 4]).collect()],
            integer: true,
        };
        // X fastest, then Y, then Z: 1 + 2·(2 + 3·1).
        assert_eq!(volume.texel(0, [1, 2, 1]), Some([11; 4]));
        assert_eq!(volume.texel(0, [2, 0, 0]), None);
        assert_eq!(volume.texel(1, [0, 0, 0]), None);
        // The number of a texel of such a size has more than 64 bits.
        volume.size = [u32::MAX; 3];
        assert_eq!(volume.texel(0, [u32::MAX - 1; 3]), None);
        assert_eq!(volume.texel(0, [3, 0, 0]), Some([3; 4]));
    }
}
