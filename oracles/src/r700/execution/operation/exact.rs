//! A sum of doubles, rounded once.

/// The exact sum of four finite doubles, rounded to a float once. They have to be products of floats, or zero, so that
/// nothing overflows or gets lost below.
pub(super) fn sum(terms: [f64; 4]) -> f32 {
    // An expansion: numbers of growing size whose exact sum is that of the terms (Shewchuk's grow-expansion).
    let mut parts = [0.0f64; 4];
    for (count, term) in terms.into_iter().enumerate() {
        let mut carried = term;
        for part in &mut parts[..count] {
            (carried, *part) = two_sum(carried, *part);
        }
        parts[count] = carried;
    }
    // Once more from the top, so that all but the largest are less than half a unit of it.
    let mut top = parts[3];
    let mut rest = [0.0f64; 3];
    for (at, part) in parts[..3].iter().enumerate().rev() {
        (top, rest[at]) = two_sum(top, *part);
    }
    // The rest's sign is that of its largest part.
    let mut below = 0.0;
    for part in rest {
        if part != 0.0 {
            below = two_sum(part, below).0;
        }
    }
    round_by_odd(top, below)
}

/// A sum as a double, and what it is off by, exactly.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// A double and something small beside it, to a float. The double is first rounded to odd, which keeps the second rounding
/// honest: it has more than two bits more than a float.
fn round_by_odd(top: f64, below: f64) -> f32 {
    let bits = top.to_bits();
    if below == 0.0 || bits & 1 == 1 {
        return top as f32;
    }
    let outward = (below > 0.0) == (top > 0.0);
    let odd = if outward { bits + 1 } else { bits - 1 };
    f64::from_bits(odd) as f32
}
