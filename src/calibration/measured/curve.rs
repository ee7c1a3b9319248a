//! A seek curve as a smooth correction of another one.
//!
//! Single requests only bound the time of a seek, and arms differ from seek to seek. So the correction is sought under
//! which the bounds are likeliest if a seek takes its time give or take a spread, with knots that are tied to their
//! neighbours by a penalty on bends. The stiffer the correction, the nearer it is to moving and tilting the whole curve,
//! which few bounds can tell; the softer, the nearer to a curve of its own. Which it is to be is decided by bounds that
//! it has not seen.

use super::arms::Arm;
use super::seeks::Bound;
use crate::drive::seek::interpolated;

/// How a correction is sought.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    /// Bounds behind each of its knots.
    per_knot: usize,
    /// How far seeks over one distance lie apart, in turns.
    spread: f64,
    /// The weight of a bend: at 1, one of as much as the spread costs as much as a broken bound.
    stiffness: f64,
}

impl Shape {
    /// Of many traces the best.
    pub const MIDDLING: Shape = Shape { per_knot: 30, spread: 0.01, stiffness: 0.5 };
}

/// The shapes that are tried.
fn shapes() -> impl Iterator<Item = Shape> {
    let of = |(spread, stiffness)| Shape { per_knot: 30, spread, stiffness };
    [(0.01, 0.05), (0.01, 0.5), (0.01, 5.0), (0.03, 0.05), (0.03, 0.5), (0.03, 5.0)].into_iter().map(of)
}

/// Bounds that are left out or taken in together when a correction is judged by those that it has not seen.
const BLOCK: usize = 8;
/// A correction must make the bounds that it has not seen so much likelier, as a logarithm.
const CLEARLY: f64 = 3.0;
/// The share of bounds that say nothing, as another mechanism made them.
const STRAY: f64 = 0.02;
/// The spreads from which on a correction is sought, as multiples of the last one: far from it, near bounds pull no more.
const SPREADS: [f64; 3] = [6.0, 2.5, 1.0];
/// A step that gains less is none.
const LEAST_GAIN: f64 = 1e-6;
/// Rounds over all knots at each spread.
const ROUNDS: usize = 6;
/// The steps that a knot tries, in spreads.
const STEPS: [f64; 5] = [2.0, 0.7, 0.25, 0.08, 0.02];

/// What must be added to a curve: knots of (distance, ms), straight between them.
pub(super) type Correction = Vec<(u32, f64)>;

/// What `arms` say of the seeks of reads or of writes, where the model has `curve` and everything else is as it has it; those
/// to another cylinder in the middle of a request come last.
pub(super) fn bounds(arms: &[Arm], write: bool, curve: impl Fn(u32) -> f64) -> Vec<Bound> {
    let of_curve = |arm: &Arm| arm.bound.after(arm.model_ms - curve(arm.bound.distance));
    let of_kind = || arms.iter().filter(|arm| arm.write == write);
    let in_middle = of_kind().filter_map(|arm| arm.crossing);
    let in_middle = in_middle.map(|(bound, model_ms)| bound.after(model_ms - curve(bound.distance)));
    of_kind().filter(|arm| arm.bound.distance > 0).map(of_curve).chain(in_middle).collect()
}

/// The correction of `curve` by `bounds`, of the shape that does best for those that it has not seen; none if these are
/// not clearly likelier than without one.
pub(super) fn better(bounds: &[Bound], curve: impl Fn(u32) -> f64 + Copy) -> Option<Correction> {
    let part = |odd: usize| -> Vec<Bound> {
        let mine = bounds.iter().enumerate().filter(|(index, _)| index / BLOCK % 2 == odd);
        mine.map(|(_, bound)| *bound).collect()
    };
    let (even, odd) = (part(0), part(1));
    // Each half of the bounds judges what the other one tells.
    let unseen = |shape| -> Option<f64> {
        let with = |from: &[Bound], on: &[Bound]| {
            let correction = correction(from, curve, shape)?;
            let ms = |distance| curve(distance) + interpolated(&correction, distance);
            Some(surprise(on, ms, shape))
        };
        Some(with(&even, &odd)? + with(&odd, &even)?)
    };
    let unchanged = shapes().map(|shape| surprise(bounds, curve, shape)).fold(f64::INFINITY, f64::min);
    let (unseen, shape) =
        shapes().filter_map(|shape| Some((unseen(shape)?, shape))).min_by(|a, b| a.0.total_cmp(&b.0))?;
    if unseen > unchanged - CLEARLY {
        return None;
    }
    correction(bounds, curve, shape)
}

/// How unlikely `bounds` are under `curve`: less is better. The unit is that of logarithms.
fn surprise(bounds: &[Bound], curve: impl Fn(u32) -> f64, shape: Shape) -> f64 {
    bounds.iter().map(|bound| surprise_of(bound, curve(bound.distance), shape.spread * bound.turn_ms)).sum()
}

fn surprise_of(bound: &Bound, ms: f64, spread_ms: f64) -> f64 {
    let up_to = |ms: f64| 1.0 / (1.0 + (-ms / spread_ms).exp());
    let within = up_to(bound.most_ms - ms) - up_to(bound.least_ms - ms);
    -(STRAY + (1.0 - STRAY) * within.max(0.0)).ln()
}

/// The correction of a curve that `bounds` tell; none of fewer bounds than two knots need.
fn correction(bounds: &[Bound], curve: impl Fn(u32) -> f64, shape: Shape) -> Option<Correction> {
    sought(bounds, curve, shape, &SPREADS)
}

/// The same of a curve that is nearly right.
pub(super) fn near(bounds: &[Bound], curve: impl Fn(u32) -> f64, shape: Shape) -> Option<Correction> {
    sought(bounds, curve, shape, &[1.0])
}

fn sought(bounds: &[Bound], curve: impl Fn(u32) -> f64, shape: Shape, spreads: &[f64]) -> Option<Correction> {
    let mut sorted: Vec<Bound> = bounds.iter().copied().filter(|bound| bound.distance > 0).collect();
    sorted.sort_by(|a, b| a.distance.cmp(&b.distance).then(a.most_ms.total_cmp(&b.most_ms)));
    let turn_ms = sorted.first()?.turn_ms;
    for bound in &mut sorted {
        *bound = bound.after(curve(bound.distance));
    }
    let mut knots = knots(&sorted, shape.per_knot)?;
    let placed: Vec<Placed> = sorted.iter().map(|bound| Placed::new(bound, &knots)).collect();
    for factor in spreads {
        let spread_ms = factor * shape.spread * turn_ms;
        let fit = Fit { bounds: &placed, spread_ms, stiffness: shape.stiffness };
        fit.shift(&mut knots);
        for _ in 0..ROUNDS {
            if !fit.round(&mut knots) {
                break;
            }
        }
    }
    Some(knots)
}

/// Knots at equal numbers of bounds from the first distance to the last, all 0.
fn knots(sorted: &[Bound], per_knot: usize) -> Option<Correction> {
    let count = (sorted.len() / per_knot.max(1)).max(1);
    let at = |index: usize| sorted[(index * (sorted.len() - 1)) / count].distance;
    let mut knots: Correction = (0..=count).map(|index| (at(index), 0.0)).collect();
    knots.dedup_by_key(|knot| knot.0);
    (sorted.len() >= per_knot && knots.len() >= 2).then_some(knots)
}

/// A bound between two knots.
struct Placed {
    bound: Bound,
    /// The first of the knots.
    knot: usize,
    /// The share of the second.
    share: f64,
}

impl Placed {
    fn new(bound: &Bound, knots: &Correction) -> Self {
        let after = knots.partition_point(|knot| knot.0 <= bound.distance).clamp(1, knots.len() - 1);
        let (from, to) = (knots[after - 1].0, knots[after].0);
        let share = f64::from(bound.distance.saturating_sub(from)) / f64::from(to - from);
        Placed { bound: *bound, knot: after - 1, share: share.min(1.0) }
    }
}

struct Fit<'a> {
    /// In the order of their distances.
    bounds: &'a [Placed],
    spread_ms: f64,
    stiffness: f64,
}

impl Fit<'_> {
    /// Moves all knots together to where the bounds are likeliest.
    fn shift(&self, knots: &mut Correction) {
        for step in STEPS {
            loop {
                let here = self.surprise(knots, self.bounds);
                let better = [step, -step].into_iter().find_map(|step| {
                    let moved: Correction =
                        knots.iter().map(|&(distance, ms)| (distance, ms + step * self.spread_ms)).collect();
                    (self.surprise(&moved, self.bounds) < here - LEAST_GAIN).then_some(moved)
                });
                let Some(moved) = better else { break };
                *knots = moved;
            }
        }
    }

    /// Moves each knot alone; false if none moves any more.
    fn round(&self, knots: &mut Correction) -> bool {
        let mut moved = false;
        for index in 0..knots.len() {
            let first = self.bounds.partition_point(|placed| placed.knot + 1 < index);
            let last = self.bounds.partition_point(|placed| placed.knot <= index);
            let near = &self.bounds[first..last];
            let mut here = self.local(knots, index, near);
            for step in STEPS {
                for step in [step * self.spread_ms, -step * self.spread_ms] {
                    let old = knots[index].1;
                    knots[index].1 = old + step;
                    let there = self.local(knots, index, near);
                    if there < here - LEAST_GAIN {
                        (here, moved) = (there, true);
                        break;
                    }
                    knots[index].1 = old;
                }
            }
        }
        moved
    }

    /// The part of the cost that the knot `index` has a share in.
    fn local(&self, knots: &Correction, index: usize, near: &[Placed]) -> f64 {
        let around = index.saturating_sub(1)..=(index + 1).min(knots.len() - 1);
        around.map(|index| self.bend(knots, index)).sum::<f64>() + self.surprise(knots, near)
    }

    fn surprise(&self, knots: &Correction, bounds: &[Placed]) -> f64 {
        let cost = |placed: &Placed| {
            let (from, to) = (knots[placed.knot].1, knots[placed.knot + 1].1);
            surprise_of(&placed.bound, from + (to - from) * placed.share, self.spread_ms)
        };
        bounds.iter().map(cost).sum()
    }

    /// What the bend at a knot costs.
    fn bend(&self, knots: &Correction, index: usize) -> f64 {
        let Some([a, b, c]) = index.checked_sub(1).and_then(|first| knots.get(first..first + 3)) else {
            return 0.0;
        };
        self.stiffness * ((a.1 - 2.0 * b.1 + c.1) / self.spread_ms).powi(2)
    }
}

/// A time as it is written down: to a ten-thousandth of a ms, and not below nothing.
pub(super) fn written(ms: f64) -> f64 {
    (ms * 1e4).round().max(0.0) / 1e4
}

/// `curve` with its correction, as knots up to the distance `longest`: those of the correction and so many more that the
/// curve between them is met.
pub(super) fn corrected(
    curve: impl Fn(u32) -> f64,
    correction: &Correction,
    longest: u32,
) -> Vec<(u32, f64)> {
    let mut distances: Vec<u32> = (1..=8).chain(correction.iter().map(|knot| knot.0)).collect();
    let mut next = 8.0_f64;
    while next < f64::from(longest) {
        distances.push(next as u32);
        next *= 1.12;
    }
    distances.push(longest);
    distances.retain(|distance| (1..=longest).contains(distance));
    distances.sort_unstable();
    distances.dedup();
    let ms = |distance| written(curve(distance) + interpolated(correction, distance));
    distances.into_iter().map(|distance| (distance, ms(distance))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;
    use rand::RngExt;

    /// Bounds of seeks that take `ms` give or take a little, from waits that are equally likely.
    fn bounds(count: usize, seed: u64, ms: impl Fn(u32) -> f64) -> Vec<Bound> {
        let mut random = Streams::new(seed).stream("curve", "bounds");
        let mut bound = || {
            let distance = random.random_range(1..3000);
            let took = ms(distance) + random.random_range(-0.1..0.1);
            Bound::of_pass(distance, took + random.random_range(0.0..8.0), 8.0)
        };
        (0..count).map(|_| bound()).collect()
    }

    fn start(distance: u32) -> f64 {
        0.5 + 0.15 * f64::from(distance).sqrt()
    }

    #[test]
    fn a_curve_that_was_moved_tilted_and_bent_is_found() {
        let truth = |distance: u32| {
            let x = f64::from(distance);
            start(distance) + 0.4 - 0.0001 * x + 0.3 * (x / 500.0).sin()
        };
        let shape = Shape { per_knot: 60, spread: 0.01, stiffness: 1.0 };
        let seen = bounds(3000, 1, truth);
        let found = correction(&seen, start, shape).unwrap();
        let knots = corrected(start, &found, 3000);
        for distance in [20, 200, 700, 1200, 1900, 2600, 2950] {
            let error = interpolated(&knots, distance) - truth(distance);
            assert!(error.abs() < 0.25, "{distance}: {error}");
        }
        let unseen = bounds(1000, 2, truth);
        let corrected = surprise(&unseen, |distance| interpolated(&knots, distance), shape);
        assert!(corrected < 0.9 * surprise(&unseen, start, shape));
    }

    #[test]
    fn a_right_curve_stays_and_too_few_bounds_tell_none() {
        let seen = bounds(2000, 3, start);
        let shape = Shape { per_knot: 60, spread: 0.01, stiffness: 10.0 };
        let found = correction(&seen, start, shape).unwrap();
        assert!(found.iter().all(|knot| knot.1.abs() < 0.15), "{found:?}");
        assert_eq!(correction(&seen[..20], start, shape), None);
    }
}
