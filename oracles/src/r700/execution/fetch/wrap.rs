//! Texels outside a texture.

use corpora::execution::Wrap;

/// The texel that a number along an axis of `size` texels means; none for the border.
pub(super) fn wrap(mode: Wrap, index: i64, size: u32) -> Option<u32> {
    let size = i64::from(size.max(1));
    let inside = match mode {
        Wrap::Repeat => index.rem_euclid(size),
        Wrap::Mirror => {
            // Forth and back is twice the size.
            let place = index.rem_euclid(2 * size);
            if place < size {
                place
            } else {
                2 * size - 1 - place
            }
        }
        Wrap::ClampToEdge => index.clamp(0, size - 1),
        Wrap::ClampToBorder => {
            if !(0..size).contains(&index) {
                return None;
            }
            index
        }
    };
    u32::try_from(inside).ok()
}
