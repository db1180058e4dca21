//! New files from parts.

use crate::gx2::{ShaderStruct, Stage, Texture};
use crate::header::{FileHeader, HEADER_SIZE, Version};
use crate::owned::{OwnedBlock, OwnedBody, OwnedFile, OwnedShader, OwnedTexture, WriteError};
use crate::{BlockKind, BlockType};

/// What block headers have as their ids; tools differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockIds {
    /// 0 everywhere.
    #[default]
    Zero,
    /// 0, 1, 2, … in file order, padding and end block included.
    Running,
}

/// Data of programs and images starts at multiples of this in alignment mode 1.
const ALIGNMENT: usize = 0x100;

/// Puts a new file together.
///
/// ```
/// use gfd::{Builder, OwnedShader, PixelShader, SamplerVar, SamplerVarType, ShaderStruct, Version};
///
/// let mut shader = OwnedShader::from(ShaderStruct::Pixel(PixelShader::default()));
/// shader.sampler_vars.push(SamplerVar {
///     name: Some("tex0".into()),
///     ty: SamplerVarType::SAMPLER_2D,
///     location: 0,
/// });
/// let bytes = Builder::new(Version::V7_1).shader(shader, vec![0; 64]).write()?;
///
/// let file = gfd::parse(&bytes).unwrap();
/// assert_eq!(file.blocks().len(), 3);
/// assert_eq!(file.write(), bytes);
/// # Ok::<(), gfd::WriteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    header: FileHeader,
    ids: BlockIds,
    parts: Vec<(Type, OwnedBody)>,
}

/// The type of a block that is to be written.
#[derive(Clone, Copy, Debug)]
enum Type {
    /// A number as it stands.
    Number(BlockType),
    /// The number that the file's version has for a kind.
    Kind(BlockKind),
}

impl Builder {
    /// A file of the version, for graphics processor 2, in alignment mode 0, with ids of 0.
    pub fn new(version: Version) -> Builder {
        let header = FileHeader {
            version,
            gpu_version: 2,
            ..FileHeader::default()
        };
        Builder {
            header,
            ids: BlockIds::default(),
            parts: Vec::new(),
        }
    }

    /// Sets the alignment mode. With 1, a padding block comes before every program, image and mipmap block, of the
    /// smallest size above 0 that brings the block's data to a multiple of 0x100. Version 6.0 has no such mode.
    pub fn align(mut self, mode: u32) -> Builder {
        self.header.align = mode;
        self
    }

    /// Sets the version of the graphics processor.
    pub fn gpu_version(mut self, version: u32) -> Builder {
        self.header.gpu_version = version;
        self
    }

    /// Sets what the blocks' ids are.
    pub fn ids(mut self, ids: BlockIds) -> Builder {
        self.ids = ids;
        self
    }

    /// Adds a shader: a header block, whose program size becomes that of `program`, and a program block.
    pub fn shader(self, mut shader: OwnedShader, program: Vec<u8>) -> Builder {
        let stage = shader.structure.stage();
        *shader.structure.size_mut() = size_word(&program);
        self.part(
            BlockKind::ShaderHeader(stage),
            OwnedBody::Shader(Box::new(shader)),
        )
        .part(BlockKind::ShaderProgram(stage), OwnedBody::Data(program))
    }

    /// Adds a geometry shader with its copy program, and sets both sizes. A structure of another stage than geometry
    /// has no copy program, and leads to a file with one all the same.
    pub fn geometry_shader(
        self,
        mut shader: OwnedShader,
        program: Vec<u8>,
        copy_program: Vec<u8>,
    ) -> Builder {
        if let ShaderStruct::Geometry(structure) = &mut shader.structure {
            structure.vertex_program_size = size_word(&copy_program);
        }
        self.shader(shader, program).part(
            BlockKind::GeometryCopyProgram,
            OwnedBody::Data(copy_program),
        )
    }

    /// Adds a texture: a header block, whose sizes become those of the images, an image block, and a mipmap block if
    /// there are mip levels.
    pub fn texture(
        self,
        mut texture: Texture,
        image: Vec<u8>,
        mipmaps: Option<Vec<u8>>,
    ) -> Builder {
        texture.image_size = size_word(&image);
        texture.mipmap_size = mipmaps.as_deref().map_or(0, size_word);
        let header = OwnedTexture {
            texture,
            rest: Vec::new(),
        };
        let builder = self
            .part(
                BlockKind::TextureHeader,
                OwnedBody::Texture(Box::new(header)),
            )
            .part(BlockKind::TextureImage, OwnedBody::Data(image));
        match mipmaps {
            Some(mipmaps) => builder.part(BlockKind::TextureMipmap, OwnedBody::Data(mipmaps)),
            None => builder,
        }
    }

    /// Adds a header block without a program, with its sizes as they are.
    pub fn shader_header(self, shader: OwnedShader) -> Builder {
        let kind = BlockKind::ShaderHeader(shader.structure.stage());
        self.part(kind, OwnedBody::Shader(Box::new(shader)))
    }

    /// Adds a program block without a header.
    pub fn program(self, stage: Stage, code: Vec<u8>) -> Builder {
        self.part(BlockKind::ShaderProgram(stage), OwnedBody::Data(code))
    }

    /// Adds a block of any number.
    pub fn block(mut self, block_type: BlockType, data: Vec<u8>) -> Builder {
        self.parts
            .push((Type::Number(block_type), OwnedBody::Data(data)));
        self
    }

    fn part(mut self, kind: BlockKind, body: OwnedBody) -> Builder {
        self.parts.push((Type::Kind(kind), body));
        self
    }

    /// The file, with padding and the end block.
    ///
    /// # Errors
    ///
    /// The version has no number for a block, or a shader header cannot be written.
    pub fn build(self) -> Result<OwnedFile, WriteError> {
        let version = self.header.version;
        let mut file = OwnedFile {
            header: self.header,
            blocks: Vec::new(),
            trailing: Vec::new(),
        };
        let mut position = HEADER_SIZE;
        let end = (
            Type::Kind(BlockKind::EndOfFile),
            OwnedBody::Data(Vec::new()),
        );
        for (block_type, body) in self.parts.into_iter().chain([end]) {
            let (kind, block_type) = match block_type {
                Type::Number(number) => (number.kind(version), number),
                Type::Kind(kind) => {
                    let missing = WriteError::NotInVersion { kind, version };
                    (kind, kind.block_type(version).ok_or(missing)?)
                }
            };
            if self.header.align == 1 && !version.is_6_0() && is_aligned(kind) {
                let size = padding(position);
                position += HEADER_SIZE + size;
                let body = OwnedBody::Data(vec![0; size]);
                file.blocks.push(OwnedBlock::new(BlockType::PADDING, body));
            }
            position += HEADER_SIZE + body.encode()?.len();
            file.blocks.push(OwnedBlock::new(block_type, body));
        }
        if self.ids == BlockIds::Running {
            for (id, block) in (0..).zip(&mut file.blocks) {
                block.id = id;
            }
        }
        Ok(file)
    }

    /// The file's bytes.
    ///
    /// # Errors
    ///
    /// As [`Builder::build`] and [`OwnedFile::write`].
    pub fn write(self) -> Result<Vec<u8>, WriteError> {
        self.build()?.write()
    }
}

/// The size of data as a structure's field; data beyond 32 bits cannot be written in any case.
fn size_word(data: impl AsRef<[u8]>) -> u32 {
    u32::try_from(data.as_ref().len()).unwrap_or(u32::MAX)
}

/// Whether alignment mode 1 holds for the data of such a block.
fn is_aligned(kind: BlockKind) -> bool {
    matches!(
        kind,
        BlockKind::ShaderProgram(_)
            | BlockKind::GeometryCopyProgram
            | BlockKind::TextureImage
            | BlockKind::TextureMipmap
    )
}

/// The size of a padding block at `position`, behind which comes another header: the observed
/// −(position + 0x40) mod 0x100, and a whole 0x100 in place of 0, since no padding block is empty.
fn padding(position: usize) -> usize {
    ALIGNMENT - (position + 2 * HEADER_SIZE) % ALIGNMENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_reaches_the_next_multiple_and_is_never_empty() {
        // Position of the padding block, its size, and where the data behind the next header then is.
        for (position, size, data) in [
            (0x20, 0xA0, 0x100),
            (0x1E8, 0xD8, 0x300),
            (0xBF, 0x01, 0x100),
            (0xC0, 0x100, 0x200),
        ] {
            assert_eq!(padding(position), size);
            assert_eq!(position + 0x20 + size + 0x20, data);
        }
    }
}
