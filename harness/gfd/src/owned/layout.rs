//! Laying out a shader header from nothing: structure, arrays, names, patch table, trailer.

use super::{OwnedShader, PatchStyle, WriteError};
use crate::gx2::{Array, Element, Layout, Name};
use crate::pointer::{Pointer, Tag};
use crate::shader::{TRAILER_MAGIC, TRAILER_SIZE, Trailer};
use crate::word::{Field, put};

pub(super) fn lay_out(shader: &OwnedShader) -> Result<Vec<u8>, WriteError> {
    let layout = shader.structure.stage().layout();
    let mut header = Header {
        layout,
        data: vec![0; layout.size],
        arrays: Vec::with_capacity(layout.array_count),
        names: Vec::new(),
    };
    shader.structure.write(&mut header.data);
    header.array(Array::UniformBlocks, &shader.uniform_blocks)?;
    header.array(Array::UniformVars, &shader.uniform_vars)?;
    header.array(Array::InitialValues, &shader.initial_values)?;
    header.array(Array::LoopVars, &shader.loop_vars)?;
    header.array(Array::SamplerVars, &shader.sampler_vars)?;
    if layout.array_count > Array::AttribVars as usize {
        header.array(Array::AttribVars, &shader.attrib_vars)?;
    }
    header.finish(shader)
}

/// A shader header in the making. Places are those of pointers, in bytes from the data's start.
struct Header<'s> {
    layout: &'static Layout,
    data: Vec<u8>,
    /// The place of each array's pointer, and whether the array has elements.
    arrays: Vec<(usize, bool)>,
    /// The place of each name's pointer, and the name.
    names: Vec<(usize, Option<&'s [u8]>)>,
}

impl<'s> Header<'s> {
    fn array<'e: 's, T: Element<'e>>(
        &mut self,
        array: Array,
        elements: &'s [T],
    ) -> Result<(), WriteError> {
        let (count_at, pointer_at) = (
            self.layout.count_at(array as usize),
            self.layout.pointer_at(array as usize),
        );
        self.arrays.push((pointer_at, !elements.is_empty()));
        if elements.is_empty() {
            return Ok(());
        }
        let start = self.data.len();
        // More elements than 32 bits can count are out of a pointer's reach in any case.
        put(&mut self.data, count_at, elements.len() as u32);
        put(&mut self.data, pointer_at, pointer(Tag::DATA, start)?.0);
        for element in elements {
            let at = self.data.len();
            self.data.resize(at + T::SIZE, 0);
            element.write(&mut self.data[at..]);
            if T::NAMED {
                self.names.push((at, element.name().map(Name::as_bytes)));
            }
        }
        Ok(())
    }

    fn finish(mut self, shader: &OwnedShader) -> Result<Vec<u8>, WriteError> {
        let text = self.data.len();
        for &(place, name) in &self.names {
            let Some(name) = name else { continue };
            let start = self.data.len();
            put(&mut self.data, place, pointer(Tag::TEXT, start)?.0);
            self.data.extend_from_slice(name);
            self.data
                .resize((start + name.len() + 1).next_multiple_of(4), 0);
        }
        let size = self.data.len();

        let patches = self.patches(shader.patch_style)?;
        for entry in &patches {
            self.data.extend_from_slice(&entry.0.to_be_bytes());
        }
        if shader.patch_style == PatchStyle::DataTags {
            self.data.extend_from_slice(&[0; 8]);
        }

        let end = self.data.len();
        self.data.resize(end + TRAILER_SIZE, 0);
        put(&mut self.data, end, TRAILER_MAGIC);
        put(&mut self.data, end + 4, TRAILER_SIZE as u32);
        // A pointer reaches the patch table, so the sizes before it fit into 32 bits.
        let trailer = Trailer {
            reserved: shader.reserved,
            data_size: size as u32,
            data_offset: pointer(Tag::DATA, 0)?,
            text_size: (size - text) as u32,
            text_offset: pointer(Tag::DATA, text)?,
            patch_base: shader.patch_base,
            patch_count: patches.len() as u32,
            patch_offset: pointer(Tag::DATA, size)?,
        };
        trailer.write(&mut self.data, end);
        Ok(self.data)
    }

    /// The patch table: pointers to arrays in the structure's order, then pointers to names.
    fn patches(&self, style: PatchStyle) -> Result<Vec<Pointer>, WriteError> {
        let arrays = self
            .arrays
            .iter()
            .map(|&(place, leads)| (Tag::DATA, place, leads));
        let names = self
            .names
            .iter()
            .map(|&(place, name)| (Tag::TEXT, place, name.is_some()));
        let pointers = arrays.chain(names);
        match style {
            PatchStyle::OwnTags => pointers
                .filter(|&(_, _, leads)| leads)
                .map(|(tag, place, _)| pointer(tag, place))
                .collect(),
            PatchStyle::DataTags => {
                // The pointers that are zero in files have entries too: the program before, and two behind.
                let mut entries = vec![Pointer(0)];
                for (_, place, leads) in pointers {
                    entries.push(if leads {
                        pointer(Tag::DATA, place)?
                    } else {
                        Pointer(0)
                    });
                }
                entries.extend([Pointer(0); 2]);
                Ok(entries)
            }
        }
    }
}

fn pointer(tag: Tag, offset: usize) -> Result<Pointer, WriteError> {
    Pointer::new(tag, offset).ok_or(WriteError::OutOfReach { offset })
}
