//! A checked shader header block: structure, arrays, names and relocations, read as they are asked for.

mod check;
mod places;
mod relocation;

pub(crate) use check::check;
pub use relocation::{PatchEntries, Relocation};
pub(crate) use relocation::{TRAILER_MAGIC, TRAILER_SIZE, Trailer};

use crate::gx2::{
    Array, AttribVar, Element, Elements, InitialValue, LoopVar, Name, SamplerVar, ShaderStruct,
    Stage, Text, UniformBlock, UniformVar,
};
use crate::pointer::Pointer;
use crate::word::{Field, word};

/// The data of a shader header block that [`parse`](crate::parse) has accepted.
#[derive(Clone, Copy)]
pub struct ShaderHeader<'a> {
    stage: Stage,
    data: &'a [u8],
}

impl<'a> ShaderHeader<'a> {
    /// Wraps data that [`check`] has accepted for the stage.
    pub(crate) fn new(stage: Stage, data: &'a [u8]) -> ShaderHeader<'a> {
        ShaderHeader { stage, data }
    }

    /// The stage.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The block's whole data, the trailer included.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// The structure at the start of the data.
    pub fn structure(&self) -> ShaderStruct {
        ShaderStruct::read(self.stage, self.data)
    }

    /// The relocation trailer at the end of the data, and the patch table before it.
    pub fn relocation(&self) -> Relocation<'a> {
        Relocation::new(self.data)
    }

    /// Uniform blocks.
    pub fn uniform_blocks(&self) -> Elements<'a, UniformBlock<'a>> {
        self.elements(Array::UniformBlocks)
    }

    /// Uniform variables.
    pub fn uniform_vars(&self) -> Elements<'a, UniformVar<'a>> {
        self.elements(Array::UniformVars)
    }

    /// Initial values of uniforms.
    pub fn initial_values(&self) -> Elements<'a, InitialValue> {
        self.elements(Array::InitialValues)
    }

    /// Loop variables.
    pub fn loop_vars(&self) -> Elements<'a, LoopVar> {
        self.elements(Array::LoopVars)
    }

    /// Sampler variables.
    pub fn sampler_vars(&self) -> Elements<'a, SamplerVar<'a>> {
        self.elements(Array::SamplerVars)
    }

    /// Attributes; only a vertex shader has any.
    pub fn attrib_vars(&self) -> Elements<'a, AttribVar<'a>> {
        self.elements(Array::AttribVars)
    }

    /// Every name of the header in the order of its elements, once for each element that points to it.
    pub fn names(&self) -> impl Iterator<Item = Name<'a>> + use<'a> {
        let blocks = self.uniform_blocks().filter_map(|element| element.name);
        let vars = self.uniform_vars().filter_map(|element| element.name);
        let samplers = self.sampler_vars().filter_map(|element| element.name);
        let attribs = self.attrib_vars().filter_map(|element| element.name);
        blocks.chain(vars).chain(samplers).chain(attribs)
    }

    /// Where an array lies in the data: its start and its number of elements, (0, 0) for none.
    pub(crate) fn array(&self, array: Array) -> (usize, usize) {
        let (layout, array) = (self.stage.layout(), array as usize);
        if array >= layout.array_count {
            return (0, 0);
        }
        match word(self.data, layout.count_at(array)) {
            0 => (0, 0),
            count => {
                let pointer = Pointer(word(self.data, layout.pointer_at(array)));
                (pointer.offset() as usize, count as usize)
            }
        }
    }

    fn elements<T: Element<'a>>(&self, array: Array) -> Elements<'a, T> {
        let (start, count) = self.array(array);
        Elements::new(&self.data[start..start + count * T::SIZE], self.text())
    }

    fn text(&self) -> Text<'a> {
        let trailer = Trailer::read(self.data, self.data.len() - TRAILER_SIZE);
        let end = trailer.text_offset.offset() as usize + trailer.text_size as usize;
        Text {
            until_end: &self.data[..end],
        }
    }
}

impl std::fmt::Debug for ShaderHeader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShaderHeader")
            .field("structure", &self.structure())
            .field("uniform_blocks", &self.uniform_blocks().collect::<Vec<_>>())
            .field("uniform_vars", &self.uniform_vars().collect::<Vec<_>>())
            .field("initial_values", &self.initial_values().collect::<Vec<_>>())
            .field("loop_vars", &self.loop_vars().collect::<Vec<_>>())
            .field("sampler_vars", &self.sampler_vars().collect::<Vec<_>>())
            .field("attrib_vars", &self.attrib_vars().collect::<Vec<_>>())
            .field("relocation", &self.relocation())
            .finish()
    }
}
