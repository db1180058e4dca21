//! Makes an input smaller while it still shows the same.

/// Most tries that a reduction takes.
const TRIES: u64 = 20_000;

/// Most bytes that all tries together look at: a long input is tried less often.
const BYTES: u64 = 256 << 20;

/// The smallest input found that still `shows` what `input` shows. Takes away runs of `grain` bytes (none if 0), then
/// clears bytes and bits. The work is bounded, however long the input is.
pub fn reduce(input: &[u8], grain: usize, shows: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut reduction = Reduction {
        shows,
        tries: 0,
        bytes: 0,
    };
    let mut best = input.to_vec();
    if grain > 0 {
        reduction.take_away(&mut best, grain);
    }
    reduction.clear(&mut best);
    if grain > 0 {
        reduction.take_away(&mut best, grain);
    }
    best
}

struct Reduction<F> {
    shows: F,
    tries: u64,
    bytes: u64,
}

impl<F: FnMut(&[u8]) -> bool> Reduction<F> {
    /// Whether nothing more may be tried.
    fn is_spent(&self) -> bool {
        self.tries >= TRIES || self.bytes >= BYTES
    }

    fn attempt(&mut self, candidate: &[u8]) -> bool {
        if self.is_spent() {
            return false;
        }
        self.tries += 1;
        // A try also costs making the candidate, so an empty one is not free.
        self.bytes += candidate.len() as u64 + 64;
        (self.shows)(candidate)
    }

    /// Delta debugging: drops runs of halving length from the end backwards, as long as any helps.
    fn take_away(&mut self, best: &mut Vec<u8>, grain: usize) {
        let mut run = (best.len() / 2 / grain).max(1) * grain;
        while !self.is_spent() {
            let mut helped = false;
            let mut end = best.len();
            while end > 0 && !self.is_spent() {
                let start = end.saturating_sub(run);
                let mut candidate = best[..start].to_vec();
                candidate.extend_from_slice(&best[end..]);
                if self.attempt(&candidate) {
                    *best = candidate;
                    helped = true;
                }
                end = start;
            }
            if run > grain {
                run = (run / 2 / grain).max(1) * grain;
            } else if !helped {
                return;
            }
        }
    }

    /// Clears runs of bytes, then bytes, then bits.
    fn clear(&mut self, best: &mut [u8]) {
        for run in [64, 8, 1] {
            for start in (0..best.len()).step_by(run) {
                if self.is_spent() {
                    return;
                }
                let end = (start + run).min(best.len());
                if best[start..end].iter().all(|&byte| byte == 0) {
                    continue;
                }
                let kept = best[start..end].to_vec();
                best[start..end].fill(0);
                if !self.attempt(best) {
                    best[start..end].copy_from_slice(&kept);
                }
            }
        }
        for at in 0..best.len() {
            for bit in 0..8 {
                if self.is_spent() {
                    return;
                }
                if best[at] >> bit & 1 == 1 {
                    best[at] ^= 1 << bit;
                    if !self.attempt(best) {
                        best[at] ^= 1 << bit;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_stays_and_nothing_else() {
        let input: Vec<u8> = (0..=255).collect();
        let small = reduce(&input, 4, |bytes| {
            bytes.iter().any(|byte| byte & 0x81 == 0x81)
        });
        assert_eq!(small.len(), 4);
        assert_eq!(small.iter().map(|byte| byte.count_ones()).sum::<u32>(), 2);
    }

    #[test]
    fn a_unit_keeps_its_size() {
        let small = reduce(&[0xff; 8], 0, |bytes| {
            bytes.len() == 8 && bytes[3] & 0x10 != 0
        });
        assert_eq!(small, [0, 0, 0, 0x10, 0, 0, 0, 0]);
    }

    #[test]
    fn work_is_bounded() {
        let (mut calls, mut bytes) = (0, 0);
        reduce(&vec![0xff; 4_000_000], 4, |candidate| {
            calls += 1;
            bytes += candidate.len() as u64;
            false
        });
        assert!(calls <= TRIES && bytes <= BYTES + 4_000_000);
    }
}
