//! Makes an input smaller while it still shows the same.

/// Most tries that a reduction takes.
const TRIES: usize = 20_000;

/// The smallest input found that still `shows` what `input` shows. Takes away runs of `grain` bytes (none if 0), then
/// clears bytes and bits. `shows` is called a bounded number of times.
pub fn reduce(input: &[u8], grain: usize, mut shows: impl FnMut(&[u8]) -> bool) -> Vec<u8> {
    let mut tries = 0;
    let mut best = input.to_vec();
    let mut attempt = |candidate: &[u8]| {
        tries += 1;
        tries <= TRIES && shows(candidate)
    };
    if grain > 0 {
        take_away(&mut best, grain, &mut attempt);
    }
    clear(&mut best, &mut attempt);
    if grain > 0 {
        take_away(&mut best, grain, &mut attempt);
    }
    best
}

/// Delta debugging: drops runs of halving length from the end backwards, as long as any helps.
fn take_away(best: &mut Vec<u8>, grain: usize, attempt: &mut impl FnMut(&[u8]) -> bool) {
    let mut run = (best.len() / 2 / grain).max(1) * grain;
    loop {
        let mut helped = false;
        let mut end = best.len();
        while end > 0 {
            let start = end.saturating_sub(run);
            let mut candidate = best[..start].to_vec();
            candidate.extend_from_slice(&best[end..]);
            if candidate.len() < best.len() && attempt(&candidate) {
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
fn clear(best: &mut [u8], attempt: &mut impl FnMut(&[u8]) -> bool) {
    for run in [64, 8, 1] {
        for start in (0..best.len()).step_by(run) {
            let end = (start + run).min(best.len());
            if best[start..end].iter().all(|&byte| byte == 0) {
                continue;
            }
            let kept = best[start..end].to_vec();
            best[start..end].fill(0);
            if !attempt(best) {
                best[start..end].copy_from_slice(&kept);
            }
        }
    }
    for at in 0..best.len() {
        for bit in 0..8 {
            if best[at] >> bit & 1 == 1 {
                best[at] ^= 1 << bit;
                if !attempt(best) {
                    best[at] ^= 1 << bit;
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
        let mut calls = 0;
        reduce(&vec![0xff; 100_000], 1, |_| {
            calls += 1;
            false
        });
        assert!(calls <= TRIES);
    }
}
