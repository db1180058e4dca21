//! Pointers inside a shader header block: a tag in the top 12 bits, an offset in the low 20.

/// What a [`Pointer`] leads to (wut `gfd.h`, GFD_PATCH_DATA and GFD_PATCH_TEXT).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag(pub u16);

impl Tag {
    /// An offset into the structure and its arrays.
    pub const DATA: Tag = Tag(0xD06);
    /// An offset of a name.
    pub const TEXT: Tag = Tag(0xCA7);
}

impl std::fmt::Display for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Tag::DATA => f.pad("data"),
            Tag::TEXT => f.pad("text"),
            Tag(other) => write!(f, "Tag({other:#05x})"),
        }
    }
}

impl std::fmt::Debug for Tag {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A tagged offset as a file stores it. Offsets count from the start of the block's data, whatever the tag.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pointer(pub u32);

impl Pointer {
    /// The largest offset that a pointer can hold.
    pub const MAX_OFFSET: u32 = 0xF_FFFF;

    /// A pointer to `offset`, or nothing beyond [`Pointer::MAX_OFFSET`].
    pub fn new(tag: Tag, offset: usize) -> Option<Pointer> {
        let offset = u32::try_from(offset)
            .ok()
            .filter(|&o| o <= Pointer::MAX_OFFSET)?;
        Some(Pointer(u32::from(tag.0) << 20 | offset))
    }

    /// The top 12 bits.
    pub const fn tag(self) -> Tag {
        Tag((self.0 >> 20) as u16)
    }

    /// The low 20 bits.
    pub const fn offset(self) -> u32 {
        self.0 & Pointer::MAX_OFFSET
    }

    /// Whether the whole word is zero: no pointer at all.
    pub const fn is_null(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Display for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}+{:#x}", self.tag(), self.offset())
    }
}

impl std::fmt::Debug for Pointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pointer({:#010x})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_the_top_twelve_bits() {
        let pointer = Pointer(0xCA70_0154);
        assert_eq!((pointer.tag(), pointer.offset()), (Tag::TEXT, 0x154));
        assert_eq!(pointer.to_string(), "text+0x154");
        assert_eq!(
            Pointer::new(Tag::DATA, 0xF_FFFF),
            Some(Pointer(0xD06F_FFFF))
        );
        assert_eq!(Pointer::new(Tag::DATA, 0x10_0000), None);
        assert!(Pointer(0).is_null() && !Pointer(0xD060_0000).is_null());
    }
}
