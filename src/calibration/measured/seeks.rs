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
    /// The time of a turn, in ms: the least is that much less.
    pub turn_ms: f64,
}

impl Bound {
    pub(super) fn holds(&self, ms: f64) -> bool {
        ms <= self.most_ms && ms > self.most_ms - self.turn_ms
    }
}

/// Knots (distance, ms) of a curve that never falls and breaks as few of `bounds` as it can; of the times that break
/// equally few, the middle. Each knot is that of `per_knot` bounds; fewer than two knots give no curve.
pub fn monotone_curve(bounds: &[Bound], per_knot: usize) -> Option<Vec<(u32, f64)>> {
    Some(never_falling(best_knots(bounds, per_knot)?))
}

/// The same for a curve that may fall: arms settle worse after some distances than after others.
pub fn free_curve(bounds: &[Bound], per_knot: usize) -> Option<Vec<(u32, f64)>> {
    Some(best_knots(bounds, per_knot)?.into_iter().map(|(distance, ms, _)| (distance, ms)).collect())
}

/// Distance, best time and weight of groups of neighbouring distances.
fn best_knots(bounds: &[Bound], per_knot: usize) -> Option<Vec<(u32, f64, f64)>> {
    let mut sorted: Vec<Bound> = bounds.iter().copied().filter(|bound| bound.distance > 0).collect();
    sorted.sort_by(|a, b| a.distance.cmp(&b.distance).then(a.most_ms.total_cmp(&b.most_ms)));
    let mut knots: Vec<(u32, f64, f64)> = Vec::new();
    for group in sorted.chunks(per_knot.max(1)) {
        if group.len() * 2 < per_knot && !knots.is_empty() {
            break;
        }
        let mean = group.iter().map(|bound| f64::from(bound.distance)).sum::<f64>() / group.len() as f64;
        let knot = (mean.round() as u32, best_time(group).max(0.0), group.len() as f64);
        match knots.last_mut() {
            // Many seeks of few distances make several groups of the same mean.
            Some(last) if last.0 >= knot.0 => {
                let weight = last.2 + knot.2;
                *last = (last.0, (last.1 * last.2 + knot.1 * knot.2) / weight, weight);
            }
            _ => knots.push(knot),
        }
    }
    (knots.len() >= 2).then_some(knots)
}

/// How many bounds a curve breaks.
pub(super) fn broken(bounds: &[Bound], curve: impl Fn(u32) -> f64) -> usize {
    bounds.iter().filter(|bound| !bound.holds(curve(bound.distance))).count()
}

/// What must be added to the times of a model, each given beside its bound, so that the fewest bounds are broken.
pub(super) fn best_shift(bounds: &[(Bound, f64)]) -> f64 {
    let shifts: Vec<Bound> =
        bounds.iter().map(|(bound, ms)| Bound { most_ms: bound.most_ms - ms, ..*bound }).collect();
    best_time(&shifts)
}

/// The middle of the times that break the fewest bounds.
fn best_time(bounds: &[Bound]) -> f64 {
    let mut edges: Vec<f64> =
        bounds.iter().flat_map(|bound| [bound.most_ms, bound.most_ms - bound.turn_ms]).collect();
    edges.sort_by(f64::total_cmp);
    let mut best = (0, 0.0, 0.0);
    for pair in edges.windows(2) {
        let middle = (pair[0] + pair[1]) / 2.0;
        let kept = bounds.iter().filter(|bound| bound.holds(middle)).count();
        if kept > best.0 || (kept == best.0 && pair[1] - pair[0] > best.2) {
            best = (kept, middle, pair[1] - pair[0]);
        }
    }
    best.1
}

/// Pools neighbours that fall (Ayer and others, Annals of Mathematical Statistics 26, 1955).
fn never_falling(knots: Vec<(u32, f64, f64)>) -> Vec<(u32, f64)> {
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for &(_, ms, weight) in &knots {
        pools.push((ms, weight, 1));
        while let [.., before, last] = pools[..] {
            if before.0 <= last.0 {
                break;
            }
            let weight = before.1 + last.1;
            let pooled = ((before.0 * before.1 + last.0 * last.1) / weight, weight, before.2 + last.2);
            pools.truncate(pools.len() - 2);
            pools.push(pooled);
        }
    }
    let times = pools.iter().flat_map(|&(ms, _, count)| std::iter::repeat_n(ms, count));
    knots.iter().map(|knot| knot.0).zip(times).collect()
}
