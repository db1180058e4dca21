//! The texture structure (wut `include/gx2/texture.h`, GX2Texture, which starts with `surface.h`, GX2Surface).

use crate::word::structure;
use crate::{SurfaceDim, SurfaceFormat, TileMode};

structure! {
    /// GX2Texture: a surface, the part of it that is seen, and its registers. Sizes and offsets in bytes, lengths in
    /// pixels.
    pub struct Texture: 0x00 .. 0x9C {
        /// Dimensions.
        0x00 dim: SurfaceDim,
        /// Width.
        0x04 width: u32,
        /// Height.
        0x08 height: u32,
        /// Depth, or number of slices.
        0x0C depth: u32,
        /// Number of mip levels, the image included.
        0x10 mip_levels: u32,
        /// Format of a pixel.
        0x14 format: SurfaceFormat,
        /// Antialiasing mode.
        0x18 aa: u32,
        /// What the surface may be used for; shares its word with the resource flags.
        0x1C usage: u32,
        /// Size of the image.
        0x20 image_size: u32,
        /// Address of the image at run time.
        0x24 image: u32,
        /// Size of the mip levels together.
        0x28 mipmap_size: u32,
        /// Address of the mip levels at run time.
        0x2C mipmaps: u32,
        /// Order of the pixels.
        0x30 tile_mode: TileMode,
        /// Pipe and bank swizzle.
        0x34 swizzle: u32,
        /// Alignment of the image in memory.
        0x38 alignment: u32,
        /// Pixels from one row to the next.
        0x3C pitch: u32,
        /// Offsets of the mip levels from level 1 on.
        0x40 mip_level_offset: [u32; 13],
        /// First mip level seen.
        0x74 view_first_mip: u32,
        /// Number of mip levels seen.
        0x78 view_num_mips: u32,
        /// First slice seen.
        0x7C view_first_slice: u32,
        /// Number of slices seen.
        0x80 view_num_slices: u32,
        /// Which channel each component comes from, a byte each.
        0x84 comp_map: u32,
        /// Resource registers.
        0x88 regs: [u32; 5],
    }
}

impl Texture {
    /// Size of the structure in bytes.
    pub const SIZE: usize = 0x9C;
}
