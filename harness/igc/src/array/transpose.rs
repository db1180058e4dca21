//! Sixty-four numbers to planes of bits, and back.

/// Transposes: afterwards bit `i` of number `b` is bit `b` of what number `i` was. Only the first `needed` numbers of the result
/// are of use.
///
/// In each of six steps the numbers trade blocks of bits with those `half` further on. Where the result of those is not
/// needed, half of a step and all of what follows from it are left out.
pub(super) fn transpose(numbers: &mut [u64; 64], needed: usize) {
    let mut rows = 64;
    let mut half = 32;
    let mut low = u64::MAX >> 32;
    while half > 0 {
        if needed <= half {
            let (kept, given) = numbers[..rows].split_at_mut(half);
            for (kept, given) in kept.iter_mut().zip(given) {
                *kept = *kept & low | (*given & low) << half;
            }
            rows = half;
        } else {
            for block in numbers[..rows].chunks_exact_mut(2 * half) {
                let (first, second) = block.split_at_mut(half);
                for (first, second) in first.iter_mut().zip(second) {
                    let trade = (*first >> half ^ *second) & low;
                    *first ^= trade << half;
                    *second ^= trade;
                }
            }
        }
        half /= 2;
        low ^= low << half;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns() {
        // A generator of bits without a pattern (xorshift).
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let numbers: [u64; 64] = std::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        });
        for needed in [1, 2, 3, 4, 5, 8, 9, 16, 20, 32, 33, 64] {
            let mut planes = numbers;
            transpose(&mut planes, needed);
            for (bit, plane) in planes.iter().enumerate().take(needed) {
                for (pixel, number) in numbers.iter().enumerate() {
                    assert_eq!(
                        plane >> pixel & 1,
                        number >> bit & 1,
                        "{needed} {bit} {pixel}"
                    );
                }
            }
        }
    }
}
