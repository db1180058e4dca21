/// Most attributes of a call.
pub const MAX_ATTRIBUTES: usize = 12;
/// Most streams of a call.
pub const MAX_STREAMS: usize = 12;
/// Most vertices of a call.
pub const MAX_VERTICES: u32 = 4096;
/// Most bytes of a stream's or the indices' span: 4 MiB.
pub const MAX_SPAN: usize = 4 << 20;

/// Where an attribute is in a vertex, and where it goes. Numbers are the caller's; a call judges them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Attribute {
    /// Index of its stream.
    pub stream: u8,
    /// 0: s8, 1: u8, 2: s16, 3: f32 (little-endian; libctru `GPU_FORMATS`).
    pub format: u8,
    /// 1 to 4. Missing ones come from (0, 0, 0, 1).
    pub components: u8,
    /// 0 to 15, of no other attribute.
    pub slot: u8,
    /// Bytes from the start of a vertex; the attribute has to end within the stride.
    pub offset: u32,
}

/// Vertices at a constant distance in a span of bytes, of any alignment.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// The span, up to [`MAX_SPAN`] bytes.
    pub bytes: &'a [u8],
    /// Byte of vertex 0 in the span.
    pub offset: u32,
    /// Bytes from a vertex to the next: 1 to 255.
    pub stride: u32,
}

/// Vertex numbers to gather. There is no restart index.
#[derive(Clone, Copy, Debug)]
pub struct Indices<'a> {
    /// 0: u8, 1: u16 (little-endian).
    pub format: u32,
    /// The span, up to [`MAX_SPAN`] bytes.
    pub bytes: &'a [u8],
    /// Byte of index 0 in the span.
    pub offset: u32,
}

/// The sixteen input registers of a vertex shader.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Vertex {
    /// x, y, z, w of each slot.
    pub slots: [[f32; 4]; 16],
}

impl Vertex {
    /// A vertex that no attribute gives anything: (0, 0, 0, 1) everywhere.
    pub const DEFAULT: Self = Self {
        slots: [[0.0, 0.0, 0.0, 1.0]; 16],
    };
}
