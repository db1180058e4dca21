//! Writing an edited shader header into the layout it was read with.

use super::OwnedShader;
use crate::gx2::{Array, Element};
use crate::pointer::Pointer;
use crate::shader::{self, ShaderHeader, TRAILER_SIZE, Trailer};
use crate::word::{Field, put, word};

/// The data of `old` with the fields of `new`, or nothing if they do not fit into its layout.
///
/// Names may share bytes with one another, so whether the result says what it should is decided by reading it.
pub(super) fn rewrite(new: &OwnedShader, old: ShaderHeader<'_>) -> Option<Vec<u8>> {
    let stage = old.stage();
    if new.structure.stage() != stage {
        return None;
    }
    let mut edit = Edit {
        old,
        data: old.data().to_vec(),
    };
    new.structure.write(&mut edit.data);
    edit.elements(Array::UniformBlocks, &new.uniform_blocks)?;
    edit.elements(Array::UniformVars, &new.uniform_vars)?;
    edit.elements(Array::InitialValues, &new.initial_values)?;
    edit.elements(Array::LoopVars, &new.loop_vars)?;
    edit.elements(Array::SamplerVars, &new.sampler_vars)?;
    edit.elements(Array::AttribVars, &new.attrib_vars)?;

    let mut data = edit.data;
    let end = data.len() - TRAILER_SIZE;
    let (reserved, patch_base) = (new.reserved, new.patch_base);
    Trailer {
        reserved,
        patch_base,
        ..Trailer::read(&data, end)
    }
    .write(&mut data, end);

    shader::check(stage, &data, 0).ok()?;
    (OwnedShader::read(&ShaderHeader::new(stage, &data)) == *new).then_some(data)
}

struct Edit<'a> {
    old: ShaderHeader<'a>,
    data: Vec<u8>,
}

impl Edit<'_> {
    fn elements<'e, T: Element<'e>>(&mut self, array: Array, elements: &[T]) -> Option<()> {
        let (start, count) = self.old.array(array);
        if elements.len() != count {
            return None;
        }
        for (i, element) in elements.iter().enumerate() {
            let at = start + i * T::SIZE;
            element.write(&mut self.data[at..at + T::SIZE]);
            if T::NAMED {
                self.name(at, element.name().map(|name| name.as_bytes()))?;
            }
        }
        Some(())
    }

    /// Puts a name where the old one was, if it is another one and has the room.
    fn name(&mut self, pointer_at: usize, name: Option<&[u8]>) -> Option<()> {
        let pointer = Pointer(word(self.old.data(), pointer_at));
        let Some(name) = name else {
            put(&mut self.data, pointer_at, 0);
            return Some(());
        };
        if pointer.is_null() {
            return None;
        }
        let start = pointer.offset() as usize;
        let old = &self.old.data()[start..];
        let length = memchr::memchr(0, old)?;
        if name == &old[..length] {
            return Some(());
        }

        // Behind the zero that ends the old name, the zeros that fill it up to a multiple of four are free too.
        let relocation = self.old.relocation();
        let text_end = (relocation.text_offset + relocation.text_size) as usize;
        let mut end = start + length + 1;
        while !end.is_multiple_of(4) && end < text_end && self.old.data()[end] == 0 {
            end += 1;
        }
        let room = &mut self.data[start..end];
        if name.len() >= room.len() {
            return None;
        }
        room.fill(0);
        room[..name.len()].copy_from_slice(name);
        Some(())
    }
}
