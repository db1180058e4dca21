//! The sweep: the block of instructions that the firmware emits, as its emitter was read.
//!
//! What the words do is not known; only that they are these.

use crate::{Builder, EncodeError, Op};

/// SETENABS, and MEMBARintoENAB of one bit at 52: what stands before the steps.
pub const LEAD_IN: [u32; 2] = [0x100, 0x3a80_4834];

/// Steps that the emitter has.
pub const STEPS: u8 = 20;

/// Why there is no such sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum SweepError {
    /// Steps that the emitter does not have.
    #[error("{found} steps, 1 to 20 are allowed")]
    Steps { found: u8 },
    /// A source or destination that ends beyond the pixel's bits.
    #[error("{what} {found}: 20 bits from there end beyond 256, 0 to 236 is allowed")]
    Place { what: &'static str, found: u32 },
    /// The words of a step can't be said.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// The words of the first `steps` steps, four each, from bit `src` on to bit `dst`.
pub fn sweep(src: u32, dst: u32, steps: u8) -> Result<Vec<u32>, SweepError> {
    if !(1..=STEPS).contains(&steps) {
        return Err(SweepError::Steps { found: steps });
    }
    for (what, found) in [("source", src), ("destination", dst)] {
        if found > 236 {
            return Err(SweepError::Place { what, found });
        }
    }
    let mut words = Vec::with_capacity(4 * usize::from(steps));
    for k in 0..u32::from(steps) {
        let len = u32::from(STEPS) - k;
        let first = Builder::new(Op::Sweep121)
            .addr(dst)
            .len(len)
            .source(src + k);
        words.extend(first.build()?.words());
        let second = Builder::new(Op::Sweep125)
            .addr(dst)
            .len(0)
            .sweep(src + k, len);
        words.extend(second.build()?.words());
    }
    Ok(words)
}

/// Sixty-nine words: the lead-in, 16 steps, three zeros.
///
/// This form is chosen. The notes say that the block has 69 words, and nothing that they say of its parts adds up to
/// that (I008); whoever shows it should say so.
pub fn block69(src: u32, dst: u32) -> Result<Vec<u32>, SweepError> {
    let mut words = LEAD_IN.to_vec();
    words.extend(sweep(src, dst, 16)?);
    words.extend([0; 3]);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of docs/targets/igc.md for s = 33, d = 58.
    #[test]
    fn steps_are_the_emitters() {
        let words = sweep(33, 58, 20).unwrap();
        assert_eq!(words.len(), 80);
        assert_eq!(words[..4], [0x8401_213a, 0x21, 0xba01_253a, 0x0014_3a21]);
        assert_eq!(words[32..36], [0x8001_213a, 0x29, 0xba01_253a, 0x000c_3a29]);
        assert_eq!(words[36..40], [0xbf81_213a, 0x2a, 0xba01_253a, 0x000b_3a2a]);
        assert_eq!(words[76..], [0xba81_213a, 0x34, 0xba01_253a, 0x0001_3a34]);
        // And the emitter's expressions, elsewhere.
        let words = sweep(7, 236, 20).unwrap();
        for k in 0..20 {
            let n = 4 * k as usize;
            assert_eq!(words[n], 0x8001_2100 | 236 | ((136 - k) & 0x7f) << 23);
            assert_eq!(words[n + 1], 7 + k);
            assert_eq!(words[n + 2], 0x8001_2500 | 236 | 116 << 23);
            assert_eq!(words[n + 3], (7 + k) | 236 << 8 | (20 - k) << 16);
        }
    }

    #[test]
    fn the_block_has_69_words() {
        let words = block69(33, 58).unwrap();
        assert_eq!(words.len(), 69);
        assert_eq!(words[..3], [0x100, 0x3a80_4834, 0x8401_213a]);
        // Step 15: 136 − 15 = 121, 33 + 15 = 48, 20 − 15 = 5.
        assert_eq!(
            words[62..],
            [0xbc81_213a, 0x30, 0xba01_253a, 0x0005_3a30, 0, 0, 0]
        );
    }

    #[test]
    fn a_sweep_stays_within_the_pixel() {
        assert!(sweep(236, 236, 20).is_ok());
        assert!(matches!(
            sweep(237, 0, 1),
            Err(SweepError::Place { found: 237, .. })
        ));
        assert!(matches!(
            sweep(0, 237, 1),
            Err(SweepError::Place { found: 237, .. })
        ));
        assert_eq!(sweep(0, 0, 0), Err(SweepError::Steps { found: 0 }));
        assert_eq!(sweep(0, 0, 21), Err(SweepError::Steps { found: 21 }));
    }
}
