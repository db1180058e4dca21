//! Sets of lanes: one bit each, lane 0 in the lowest.

/// The lanes of a set, ascending.
pub(super) fn each(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if lanes == 0 {
            return None;
        }
        let lane = lanes.trailing_zeros() as usize;
        lanes &= lanes - 1;
        Some(lane)
    })
}

/// All of a number of lanes, 64 at most.
pub(super) fn all(count: usize) -> u64 {
    match count {
        0 => 0,
        _ => u64::MAX >> (64 - count.min(64)),
    }
}

/// The set of one lane.
pub(super) fn one(lane: usize) -> u64 {
    1 << (lane & 63)
}
