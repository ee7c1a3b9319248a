//! The seek curve, from the turns that single requests took or did not take.
//!
//! A request whose first sector is known to have come by at an instant bounds the time until its heads were there: that
//! is no later than the sector came by, and later than it came by a turn before.

/// What one request says about the time that its positioning took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Distance, in cylinders.
    pub distance: u32,
    /// The greatest time it can have taken, in ms.
    pub most_ms: f64,
    /// It took more than this, in ms: a turn less, unless the first sector may have been let pass for another reason.
    pub least_ms: f64,
    /// The time of a turn, in ms.
    pub turn_ms: f64,
}

impl Bound {
    /// Of a request whose first sector came by `most_ms` after the instant from which on the time is counted.
    pub(super) fn of_pass(distance: u32, most_ms: f64, turn_ms: f64) -> Self {
        Bound { distance, most_ms, least_ms: most_ms - turn_ms, turn_ms }
    }

    pub(super) fn holds(&self, ms: f64) -> bool {
        ms <= self.most_ms && ms > self.least_ms
    }

    /// The same of a time that is counted from `ms` later on.
    pub(super) fn after(&self, ms: f64) -> Self {
        Bound { most_ms: self.most_ms - ms, least_ms: self.least_ms - ms, ..*self }
    }
}

/// How many bounds the times of a model, each given beside its bound, break if `shift_ms` is added to them.
pub(super) fn broken_by(bounds: &[(Bound, f64)], shift_ms: f64) -> usize {
    bounds.iter().filter(|(bound, ms)| !bound.holds(ms + shift_ms)).count()
}

/// What must be added to the times of a model, each given beside its bound, so that the fewest bounds are broken.
pub(super) fn best_shift(bounds: &[(Bound, f64)]) -> f64 {
    let shifts: Vec<Bound> = bounds.iter().map(|(bound, ms)| bound.after(*ms)).collect();
    best_time(&shifts)
}

/// The least and the greatest shift that break at most `spare` bounds more than the best one.
pub(super) fn shifts_within(bounds: &[(Bound, f64)], spare: usize) -> (f64, f64) {
    let best = best_shift(bounds);
    let most = broken_by(bounds, best) + spare;
    let edges = bounds.iter().flat_map(|(bound, ms)| [bound.most_ms - ms, bound.least_ms - ms]);
    let good = edges.filter(|&shift| broken_by(bounds, shift) <= most);
    good.fold((best, best), |(low, high), shift| (low.min(shift), high.max(shift)))
}

/// The middle of the times that break the fewest bounds.
fn best_time(bounds: &[Bound]) -> f64 {
    let mut most: Vec<f64> = bounds.iter().map(|bound| bound.most_ms).collect();
    let mut least: Vec<f64> = bounds.iter().map(|bound| bound.least_ms).collect();
    let mut edges: Vec<f64> = most.iter().chain(&least).copied().collect();
    for sorted in [&mut most, &mut least, &mut edges] {
        sorted.sort_by(f64::total_cmp);
    }
    let mut best = (0, 0.0, 0.0);
    for pair in edges.windows(2) {
        let middle = (pair[0] + pair[1]) / 2.0;
        // A bound holds from its least on until its most.
        let begun = least.partition_point(|&edge| edge < middle);
        let kept = begun - most.partition_point(|&edge| edge < middle);
        if kept > best.0 || (kept == best.0 && pair[1] - pair[0] > best.2) {
            best = (kept, middle, pair[1] - pair[0]);
        }
    }
    best.1
}
