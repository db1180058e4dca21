//! Elements of a shader structure's arrays (wut `include/gx2/shaders.h`), and the names they point to.

use std::borrow::Cow;
use std::marker::PhantomData;

use crate::pointer::Pointer;
use crate::word::{Field, structure, word};
use crate::{SamplerVarType, ShaderVarType};

/// A name: bytes without a zero, text by convention.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name<'a>(Cow<'a, [u8]>);

impl<'a> Name<'a> {
    /// The name's bytes, without the zero that ends them in a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The name as text, invalid UTF-8 replaced.
    pub fn to_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Length of [`Name::to_text`] in bytes; never less than that of the name.
    pub fn text_length(&self) -> usize {
        let replacement = |invalid: &[u8]| match invalid {
            [] => 0,
            _ => char::REPLACEMENT_CHARACTER.len_utf8(),
        };
        self.0
            .utf8_chunks()
            .map(|chunk| chunk.valid().len() + replacement(chunk.invalid()))
            .sum()
    }

    /// The name with bytes of its own.
    pub fn into_owned(self) -> Name<'static> {
        Name(Cow::Owned(self.0.into_owned()))
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(name: &'a str) -> Name<'a> {
        Name(Cow::Borrowed(name.as_bytes()))
    }
}

impl<'a> From<&'a [u8]> for Name<'a> {
    fn from(name: &'a [u8]) -> Name<'a> {
        Name(Cow::Borrowed(name))
    }
}

impl From<String> for Name<'_> {
    fn from(name: String) -> Self {
        Name(Cow::Owned(name.into_bytes()))
    }
}

impl From<Vec<u8>> for Name<'_> {
    fn from(name: Vec<u8>) -> Self {
        Name(Cow::Owned(name))
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.to_text())
    }
}

impl std::fmt::Debug for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(&self.to_text(), f)
    }
}

/// The names of a shader header: its data up to where the text ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) until_end: &'a [u8],
}

impl<'a> Text<'a> {
    /// The name at a pointer that has been checked, or nothing for zero.
    fn name(self, pointer: Pointer) -> Option<Name<'a>> {
        if pointer.is_null() {
            return None;
        }
        let rest = self
            .until_end
            .get(pointer.offset() as usize..)
            .unwrap_or_default();
        let end = memchr::memchr(0, rest).unwrap_or(rest.len());
        Some(Name(Cow::Borrowed(&rest[..end])))
    }
}

/// An element of an array: its name's pointer first, if it has one, then its fields.
pub(crate) trait Element<'a>: Sized {
    /// Bytes it takes.
    const SIZE: usize;
    /// Whether its first word points to a name.
    const NAMED: bool;
    /// Reads it; `bytes` are [`Element::SIZE`].
    fn read(bytes: &'a [u8], text: Text<'a>) -> Self;
    /// Puts everything but the pointer to the name.
    fn write(&self, bytes: &mut [u8]);
    /// Its name.
    fn name(&self) -> Option<&Name<'a>>;
}

/// An element whose first word points to its name.
macro_rules! named_element {
    (
        $(#[$meta:meta])*
        pub struct $name:ident: $size:literal {
            $($(#[$doc:meta])* $offset:literal $field:ident: $type:ty,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name<'a> {
            /// Its name, unless the pointer is zero. (offset 0x00)
            pub name: Option<Name<'a>>,
            $(
                $(#[$doc])*
                #[doc = concat!(" (offset ", stringify!($offset), ")")]
                pub $field: $type,
            )*
        }

        impl $name<'_> {
            /// The element with a name of its own.
            pub fn into_owned(self) -> $name<'static> {
                $name { name: self.name.map(Name::into_owned), $($field: self.$field,)* }
            }
        }

        impl<'a> Element<'a> for $name<'a> {
            const SIZE: usize = $size;
            const NAMED: bool = true;

            fn read(bytes: &'a [u8], text: Text<'a>) -> Self {
                $name {
                    name: text.name(Pointer(word(bytes, 0))),
                    $($field: Field::read(bytes, $offset),)*
                }
            }

            fn write(&self, bytes: &mut [u8]) {
                $(Field::write(&self.$field, bytes, $offset);)*
            }

            fn name(&self) -> Option<&Name<'a>> {
                self.name.as_ref()
            }
        }

        const _: () = {
            let mut at = 4;
            $(
                assert!(at == $offset, "a hole or an overlap before this field");
                at += <$type as Field>::SIZE;
            )*
            assert!(at == $size, "the fields do not fill the element");
        };
    };
}

named_element! {
    /// GX2UniformBlock.
    pub struct UniformBlock: 0xC {
        /// Number of the block.
        0x4 offset: u32,
        /// Size of the block in bytes.
        0x8 size: u32,
    }
}

named_element! {
    /// GX2UniformVar.
    pub struct UniformVar: 0x14 {
        /// Type.
        0x04 ty: ShaderVarType,
        /// Number of array elements.
        0x08 count: u32,
        /// Place in the block or in the constant registers, as stored.
        0x0C offset: u32,
        /// Index of its block, as stored.
        0x10 block: u32,
    }
}

named_element! {
    /// GX2SamplerVar.
    pub struct SamplerVar: 0xC {
        /// Dimensions.
        0x4 ty: SamplerVarType,
        /// Sampler number.
        0x8 location: u32,
    }
}

named_element! {
    /// GX2AttribVar.
    pub struct AttribVar: 0x10 {
        /// Type.
        0x4 ty: ShaderVarType,
        /// Number of array elements.
        0x8 count: u32,
        /// Attribute number.
        0xC location: u32,
    }
}

structure! {
    /// GX2UniformInitialValue.
    pub struct InitialValue: 0x00 .. 0x14 {
        /// Four words, as stored.
        0x00 value: [u8; 16],
        /// Place in the constant registers, as stored.
        0x10 offset: u32,
    }
}

structure! {
    /// GX2LoopVar.
    pub struct LoopVar: 0x0 .. 0x8 {
        /// Place among the loop constants, as stored.
        0x0 offset: u32,
        /// Value of the loop constant.
        0x4 value: u32,
    }
}

/// An element without a name.
macro_rules! nameless_element {
    ($name:ident) => {
        impl<'a> Element<'a> for $name {
            const SIZE: usize = <$name as Field>::SIZE;
            const NAMED: bool = false;

            fn read(bytes: &'a [u8], _: Text<'a>) -> Self {
                Field::read(bytes, 0)
            }

            fn write(&self, bytes: &mut [u8]) {
                Field::write(self, bytes, 0);
            }

            fn name(&self) -> Option<&Name<'a>> {
                None
            }
        }
    };
}

nameless_element!(InitialValue);
nameless_element!(LoopVar);

/// The elements of one array, read as they are asked for.
#[derive(Clone, Debug)]
pub struct Elements<'a, T> {
    bytes: &'a [u8],
    text: Text<'a>,
    element: PhantomData<T>,
}

impl<'a, T> Elements<'a, T> {
    /// The elements in `bytes`, which are a multiple of the element's size.
    pub(crate) fn new(bytes: &'a [u8], text: Text<'a>) -> Elements<'a, T> {
        Elements {
            bytes,
            text,
            element: PhantomData,
        }
    }
}

#[allow(private_bounds, reason = "the six element types are the only ones")]
impl<'a, T: Element<'a>> Iterator for Elements<'a, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let (element, rest) = self.bytes.split_at_checked(T::SIZE)?;
        self.bytes = rest;
        Some(T::read(element, self.text))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.bytes.len() / T::SIZE;
        (left, Some(left))
    }
}

#[allow(private_bounds, reason = "the six element types are the only ones")]
impl<'a, T: Element<'a>> ExactSizeIterator for Elements<'a, T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_text_is_that_of_the_text() {
        // Text, a lone byte, three bytes of a sequence of four, and two that start none.
        for bytes in [
            &b"name"[..],
            b"",
            b"a\xFFb",
            b"\xF0\x9F\x92",
            b"\x80\x80",
            "ä€".as_bytes(),
        ] {
            let name = Name::from(bytes);
            assert_eq!(name.text_length(), name.to_text().len(), "{bytes:?}");
            assert!(name.text_length() >= bytes.len());
        }
    }
}
