//! A shader header that can be edited.

use super::{WriteError, in_place, layout};
use crate::gx2::{
    AttribVar, Element, InitialValue, LoopVar, SamplerVar, ShaderStruct, Stage, UniformBlock,
    UniformVar,
};
use crate::pointer::Tag;
use crate::shader::ShaderHeader;

/// How a patch table is written; two tools' styles are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PatchStyle {
    /// An entry has the tag of the pointer it names, and only pointers that lead somewhere have entries.
    #[default]
    OwnTags,
    /// Every entry has [`Tag::DATA`]; pointers to nothing have zero entries, and eight zero bytes follow the table.
    DataTags,
}

/// The data of a shader header block.
///
/// Equality is that of the contents; a remembered layout is no part of it.
#[derive(Clone, Debug)]
pub struct OwnedShader {
    /// The structure, less the counts and pointers of its arrays.
    pub structure: ShaderStruct,
    /// Uniform blocks.
    pub uniform_blocks: Vec<UniformBlock<'static>>,
    /// Uniform variables.
    pub uniform_vars: Vec<UniformVar<'static>>,
    /// Initial values of uniforms.
    pub initial_values: Vec<InitialValue>,
    /// Loop variables.
    pub loop_vars: Vec<LoopVar>,
    /// Sampler variables.
    pub sampler_vars: Vec<SamplerVar<'static>>,
    /// Attributes; only for a vertex shader.
    pub attrib_vars: Vec<AttribVar<'static>>,
    /// The reserved word of the relocation trailer.
    pub reserved: u32,
    /// The base of the patches.
    pub patch_base: u32,
    /// How the patch table is written.
    pub patch_style: PatchStyle,
    /// The stage and the data that the shader was read from.
    found: Option<(Stage, Vec<u8>)>,
}

impl PartialEq for OwnedShader {
    fn eq(&self, other: &OwnedShader) -> bool {
        self.structure == other.structure
            && self.uniform_blocks == other.uniform_blocks
            && self.uniform_vars == other.uniform_vars
            && self.initial_values == other.initial_values
            && self.loop_vars == other.loop_vars
            && self.sampler_vars == other.sampler_vars
            && self.attrib_vars == other.attrib_vars
            && self.reserved == other.reserved
            && self.patch_base == other.patch_base
            && self.patch_style == other.patch_style
    }
}

impl From<ShaderStruct> for OwnedShader {
    /// A shader without arrays.
    fn from(structure: ShaderStruct) -> OwnedShader {
        OwnedShader {
            structure,
            uniform_blocks: Vec::new(),
            uniform_vars: Vec::new(),
            initial_values: Vec::new(),
            loop_vars: Vec::new(),
            sampler_vars: Vec::new(),
            attrib_vars: Vec::new(),
            reserved: 0,
            patch_base: 0,
            patch_style: PatchStyle::default(),
            found: None,
        }
    }
}

/// The style of a patch table: what its entries' tags say, then whether it has zero entries.
fn patch_style(header: &ShaderHeader<'_>) -> PatchStyle {
    let patches = || header.relocation().patches();
    if patches().any(|entry| entry.tag() == Tag::TEXT) {
        return PatchStyle::OwnTags;
    }
    let has_names = header
        .uniform_blocks()
        .any(|element| element.name.is_some())
        || header.uniform_vars().any(|element| element.name.is_some())
        || header.sampler_vars().any(|element| element.name.is_some())
        || header.attrib_vars().any(|element| element.name.is_some());
    let has_entries = patches().any(|entry| !entry.is_null());
    if (has_names && has_entries) || patches().any(|entry| entry.is_null()) {
        PatchStyle::DataTags
    } else {
        PatchStyle::OwnTags
    }
}

impl OwnedShader {
    /// Copies a header. Names that share their bytes have bytes of their own then.
    pub(super) fn read(header: &ShaderHeader<'_>) -> OwnedShader {
        let relocation = header.relocation();
        OwnedShader {
            structure: header.structure(),
            uniform_blocks: header
                .uniform_blocks()
                .map(UniformBlock::into_owned)
                .collect(),
            uniform_vars: header.uniform_vars().map(UniformVar::into_owned).collect(),
            initial_values: header.initial_values().collect(),
            loop_vars: header.loop_vars().collect(),
            sampler_vars: header.sampler_vars().map(SamplerVar::into_owned).collect(),
            attrib_vars: header.attrib_vars().map(AttribVar::into_owned).collect(),
            reserved: relocation.reserved,
            patch_base: relocation.patch_base,
            patch_style: patch_style(header),
            found: Some((header.stage(), header.data().to_vec())),
        }
    }

    /// Forgets the layout that the shader was read with, so that [`OwnedShader::encode`] lays it out anew.
    pub fn forget_layout(&mut self) {
        self.found = None;
    }

    /// The data of the block.
    ///
    /// A shader that was read keeps its layout, its patch table and every byte that no field covers, if it still has
    /// its stage, its array lengths and its patch style, and each changed name fits where the old one was. Otherwise,
    /// and for a new shader, the arrays follow the structure in its order, then the names in the order of the arrays,
    /// each filled up to a multiple of four, then the patch table and the trailer.
    ///
    /// # Errors
    ///
    /// A name holds a zero byte, a shader that is no vertex shader has attributes, or a pointer cannot reach.
    pub fn encode(&self) -> Result<Vec<u8>, WriteError> {
        self.check()?;
        let kept = self
            .found
            .as_ref()
            .and_then(|(stage, found)| in_place::rewrite(self, ShaderHeader::new(*stage, found)));
        match kept {
            Some(data) => Ok(data),
            None => layout::lay_out(self),
        }
    }

    fn check(&self) -> Result<(), WriteError> {
        let stage = self.structure.stage();
        if stage != Stage::Vertex && !self.attrib_vars.is_empty() {
            return Err(WriteError::AttribsWithoutVertex { stage });
        }
        let zero = zero_in(&self.uniform_blocks)
            .or_else(|| zero_in(&self.uniform_vars))
            .or_else(|| zero_in(&self.sampler_vars))
            .or_else(|| zero_in(&self.attrib_vars));
        match zero {
            Some(at) => Err(WriteError::NameWithZero { at }),
            None => Ok(()),
        }
    }
}

/// Where the first zero byte in a name of the elements is, in bytes from the name's start.
fn zero_in<'e, T: Element<'e>>(elements: &[T]) -> Option<usize> {
    elements
        .iter()
        .find_map(|element| memchr::memchr(0, element.name()?.as_bytes()))
}
