//! Enumerations of the file format and of GX2, as newtypes: an unknown value stays representable.
//!
//! Names and values are those of wut (`libraries/libgfd/include/gfd.h`, `include/gx2/enum.h`).

mod block_type;
mod shader;
mod surface;

pub use block_type::{BlockKind, BlockType};
pub use shader::{SamplerVarType, ShaderMode, ShaderVarType};
pub use surface::{SurfaceDim, SurfaceFormat, TileMode};

/// Declares a newtype over `u32`, its values, their names, and a `Display` that falls back to the number.
macro_rules! constants {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($(#[$doc:meta])* $value:literal $constant:ident,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            $(
                $(#[$doc])*
                #[doc = concat!(" `", stringify!($constant), "`, ", stringify!($value), ".")]
                pub const $constant: $name = $name($value);
            )*

            /// Every value with a name, in the order of the source.
            pub const ALL: &'static [$name] = &[$($name::$constant),*];

            /// The value's name in the source, or nothing for an unknown value.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some(stringify!($constant)),)*
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self.name() {
                    Some(name) => f.pad(name),
                    None => write!(f, concat!(stringify!($name), "({:#x})"), self.0),
                }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl $crate::word::Field for $name {
            const SIZE: usize = 4;

            #[inline]
            fn read(bytes: &[u8], at: usize) -> $name {
                $name($crate::word::word(bytes, at))
            }

            #[inline]
            fn write(&self, bytes: &mut [u8], at: usize) {
                $crate::word::put(bytes, at, self.0);
            }
        }
    };
}
use constants;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_names_of_the_source() {
        assert_eq!(ShaderMode(2).name(), Some("GEOMETRY_SHADER"));
        assert_eq!(ShaderVarType(9).name(), Some("FLOAT2"));
        assert_eq!(ShaderVarType(38).name(), Some("DOUBLE4X4"));
        assert_eq!(SamplerVarType(4).name(), Some("SAMPLER_CUBE"));
        assert_eq!(SurfaceDim(7).name(), Some("TEXTURE_2D_MSAA_ARRAY"));
        assert_eq!(SurfaceFormat(0x41A).name(), Some("SRGB_R8_G8_B8_A8"));
        assert_eq!(SurfaceFormat(0x235).name(), Some("SNORM_BC5"));
        assert_eq!(TileMode(16).name(), Some("LINEAR_SPECIAL"));
        assert_eq!(BlockType(13).name(), Some("TEXTURE_MIPMAP"));
    }

    #[test]
    fn an_unknown_value_is_kept_and_shown_as_a_number() {
        assert_eq!(SamplerVarType(2).name(), None);
        assert_eq!(SamplerVarType(2).to_string(), "SamplerVarType(0x2)");
        assert_eq!(ShaderVarType(39).name(), None);
        assert_eq!(SurfaceFormat(3).name(), None);
        assert_eq!(TileMode(17).name(), None);
        assert_eq!(BlockType(4).name(), None);
    }

    #[test]
    fn every_value_of_the_sources_is_there() {
        let sizes = [
            BlockType::ALL.len(),
            ShaderMode::ALL.len(),
            ShaderVarType::ALL.len(),
            SamplerVarType::ALL.len(),
            SurfaceDim::ALL.len(),
            SurfaceFormat::ALL.len(),
            TileMode::ALL.len(),
        ];
        assert_eq!(sizes, [14, 4, 39, 4, 8, 66, 17]);
    }
}
