//! Block types: the number a file stores, and what it means in the file's version.

use super::constants;
use crate::{Stage, Version};

constants! {
    /// A block's type as the file stores it (wut `gfd.h`, GFDBlockType); the names are those of version 7.
    ///
    /// What a number means depends on the file's version: [`BlockType::kind`].
    pub struct BlockType {
        1 END_OF_FILE,
        2 PADDING,
        3 VERTEX_SHADER_HEADER,
        5 VERTEX_SHADER_PROGRAM,
        6 PIXEL_SHADER_HEADER,
        7 PIXEL_SHADER_PROGRAM,
        8 GEOMETRY_SHADER_HEADER,
        9 GEOMETRY_SHADER_PROGRAM,
        10 GEOMETRY_SHADER_COPY_PROGRAM,
        11 TEXTURE_HEADER,
        12 TEXTURE_IMAGE,
        13 TEXTURE_MIPMAP,
        14 COMPUTE_SHADER_HEADER,
        15 COMPUTE_SHADER_PROGRAM,
    }
}

/// What a block holds, with the file's version taken into account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlockKind {
    /// The last block of a file; it has no data.
    EndOfFile,
    /// Filling, so that the next block's data comes to lie on a multiple of 0x100.
    Padding,
    /// A GX2 shader structure, its arrays and strings, and its relocations.
    ShaderHeader(Stage),
    /// The microcode of a shader.
    ShaderProgram(Stage),
    /// The microcode that copies a geometry shader's output (its vertex program).
    GeometryCopyProgram,
    /// A GX2 texture structure.
    TextureHeader,
    /// The image of a texture.
    TextureImage,
    /// The smaller images of a texture.
    TextureMipmap,
    /// A number without a meaning in this version.
    Unknown,
}

impl BlockType {
    /// What a block of this type holds in a file of the version.
    ///
    /// In version 6.0 the numbers 10, 11 and 12 are texture header, image and mipmap, and 13 to 15 are not assigned;
    /// from 6.1 on the numbers are those of version 7 (GTX-Extractor, as a description).
    pub fn kind(self, version: Version) -> BlockKind {
        let number = match self.0 {
            moved @ 10..=12 if version.is_6_0() => moved + 1,
            13..=15 if version.is_6_0() => return BlockKind::Unknown,
            number => number,
        };
        match BlockType(number) {
            BlockType::END_OF_FILE => BlockKind::EndOfFile,
            BlockType::PADDING => BlockKind::Padding,
            BlockType::VERTEX_SHADER_HEADER => BlockKind::ShaderHeader(Stage::Vertex),
            BlockType::VERTEX_SHADER_PROGRAM => BlockKind::ShaderProgram(Stage::Vertex),
            BlockType::PIXEL_SHADER_HEADER => BlockKind::ShaderHeader(Stage::Pixel),
            BlockType::PIXEL_SHADER_PROGRAM => BlockKind::ShaderProgram(Stage::Pixel),
            BlockType::GEOMETRY_SHADER_HEADER => BlockKind::ShaderHeader(Stage::Geometry),
            BlockType::GEOMETRY_SHADER_PROGRAM => BlockKind::ShaderProgram(Stage::Geometry),
            BlockType::GEOMETRY_SHADER_COPY_PROGRAM => BlockKind::GeometryCopyProgram,
            BlockType::TEXTURE_HEADER => BlockKind::TextureHeader,
            BlockType::TEXTURE_IMAGE => BlockKind::TextureImage,
            BlockType::TEXTURE_MIPMAP => BlockKind::TextureMipmap,
            BlockType::COMPUTE_SHADER_HEADER => BlockKind::ShaderHeader(Stage::Compute),
            BlockType::COMPUTE_SHADER_PROGRAM => BlockKind::ShaderProgram(Stage::Compute),
            _ => BlockKind::Unknown,
        }
    }
}

impl BlockKind {
    /// The number of version 7, or nothing for [`BlockKind::Unknown`].
    const fn number(self) -> Option<BlockType> {
        Some(match self {
            BlockKind::EndOfFile => BlockType::END_OF_FILE,
            BlockKind::Padding => BlockType::PADDING,
            BlockKind::ShaderHeader(Stage::Vertex) => BlockType::VERTEX_SHADER_HEADER,
            BlockKind::ShaderProgram(Stage::Vertex) => BlockType::VERTEX_SHADER_PROGRAM,
            BlockKind::ShaderHeader(Stage::Pixel) => BlockType::PIXEL_SHADER_HEADER,
            BlockKind::ShaderProgram(Stage::Pixel) => BlockType::PIXEL_SHADER_PROGRAM,
            BlockKind::ShaderHeader(Stage::Geometry) => BlockType::GEOMETRY_SHADER_HEADER,
            BlockKind::ShaderProgram(Stage::Geometry) => BlockType::GEOMETRY_SHADER_PROGRAM,
            BlockKind::GeometryCopyProgram => BlockType::GEOMETRY_SHADER_COPY_PROGRAM,
            BlockKind::TextureHeader => BlockType::TEXTURE_HEADER,
            BlockKind::TextureImage => BlockType::TEXTURE_IMAGE,
            BlockKind::TextureMipmap => BlockType::TEXTURE_MIPMAP,
            BlockKind::ShaderHeader(Stage::Compute) => BlockType::COMPUTE_SHADER_HEADER,
            BlockKind::ShaderProgram(Stage::Compute) => BlockType::COMPUTE_SHADER_PROGRAM,
            BlockKind::Unknown => return None,
        })
    }

    /// The kind's name in the source (`VERTEX_SHADER_HEADER`, …), the same in every version.
    pub const fn name(self) -> Option<&'static str> {
        match self.number() {
            Some(number) => number.name(),
            None => None,
        }
    }

    /// The number that stands for the kind in a file of the version, if it has one there.
    pub fn block_type(self, version: Version) -> Option<BlockType> {
        let number = self.number()?;
        let stored = match self {
            BlockKind::TextureHeader | BlockKind::TextureImage | BlockKind::TextureMipmap
                if version.is_6_0() =>
            {
                BlockType(number.0 - 1)
            }
            _ => number,
        };
        (stored.kind(version) == self).then_some(stored)
    }
}

impl std::fmt::Display for BlockKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name().unwrap_or("unknown"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V6_0: Version = Version { major: 6, minor: 0 };
    const V6_1: Version = Version { major: 6, minor: 1 };

    #[test]
    fn version_6_0_moves_the_textures() {
        let names = |version: Version| -> Vec<Option<&str>> {
            (9..=16)
                .map(|number| BlockType(number).kind(version).name())
                .collect()
        };
        assert_eq!(
            names(V6_0),
            [
                Some("GEOMETRY_SHADER_PROGRAM"),
                Some("TEXTURE_HEADER"),
                Some("TEXTURE_IMAGE"),
                Some("TEXTURE_MIPMAP"),
                None,
                None,
                None,
                None
            ]
        );
        let later = [
            Some("GEOMETRY_SHADER_PROGRAM"),
            Some("GEOMETRY_SHADER_COPY_PROGRAM"),
            Some("TEXTURE_HEADER"),
            Some("TEXTURE_IMAGE"),
            Some("TEXTURE_MIPMAP"),
            Some("COMPUTE_SHADER_HEADER"),
            Some("COMPUTE_SHADER_PROGRAM"),
            None,
        ];
        assert_eq!(names(V6_1), later);
        assert_eq!(names(Version::V7_1), later);
    }

    #[test]
    fn a_kind_knows_its_number() {
        assert_eq!(
            BlockKind::TextureImage.block_type(V6_0),
            Some(BlockType(11))
        );
        assert_eq!(
            BlockKind::TextureImage.block_type(V6_1),
            Some(BlockType(12))
        );
        assert_eq!(BlockKind::GeometryCopyProgram.block_type(V6_0), None);
        assert_eq!(
            BlockKind::ShaderHeader(Stage::Compute).block_type(V6_0),
            None
        );
        assert_eq!(BlockKind::Unknown.block_type(Version::V7_1), None);
    }
}
