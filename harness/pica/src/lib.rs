//! 3DS PICA200 vertex fetch: attributes of array-backed vertices to floats, in order or through indices.
//!
//! Every call judges all of its input before it writes; an error leaves the output as it was. Nothing allocates.
//!
//! ```
//! use pica::{Attribute, Stream, Vertex};
//! let bytes = [0xff, 2, 3]; // One vertex: three signed bytes.
//! let stream = Stream { bytes: &bytes, offset: 0, stride: 3 };
//! let attribute = Attribute { stream: 0, format: 0, components: 3, slot: 5, offset: 0 };
//! let mut output = [Vertex::DEFAULT; 1];
//! let enabled = pica::decode(&[attribute], &[stream], 0, 1, &mut output)?;
//! assert_eq!((enabled, output[0].slots[5]), (1 << 5, [-1.0, 2.0, 3.0, 1.0]));
//! # Ok::<(), pica::Error>(())
//! ```

#[cfg(any(feature = "capi", test))]
pub mod capi;
mod check;
mod convert;
mod decode;
mod error;
mod input;
pub mod state;

pub use decode::{decode, decode_indexed, validate, validate_indexed};
pub use error::Error;
pub use input::{
    Attribute, Indices, MAX_ATTRIBUTES, MAX_SPAN, MAX_STREAMS, MAX_VERTICES, Stream, Vertex,
};
