//! A search for the best place in a box.
//!
//! For functions of a few parameters that take seconds to evaluate, have no slopes and, in part, no digits behind the
//! point: tens of evaluations is all there is. Method: the start, a Latin hypercube (McKay, Beckman and Conover,
//! Technometrics 21, 1979) over the whole box, then the pattern search of Hooke and Jeeves (Journal of the ACM 8,
//! 1961) from the best place, and again from fresh random places until the budget is spent.
//!
//! No crate of the registry does this: `cobyla` models the function by planes and knows no whole numbers, so that it
//! stands still on the flat steps of a count of missed claims; `cmaes` takes a population of evaluations for each step
//! and brings a linear algebra library; the solvers of `argmin` that use no slopes either know no bounds or draw
//! populations, and whole numbers, bounds and an exact budget would have to be written around it all the same.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::sim::Stream;

/// First step of the pattern search, as a share of each axis.
const STEP_FIRST: f64 = 0.25;
/// The pattern search ends below this step.
const STEP_LEAST: f64 = 1.0 / 512.0;
/// Values of a real axis are rounded to about this share of it, so that they can be written down.
const RESOLUTION: f64 = 1e-3;
/// Rounds in which nothing new was found after which a box counts as searched through.
const STALE_ROUNDS: u32 = 20;

/// How an axis is divided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Equal differences are equal steps.
    #[default]
    Linear,
    /// Equal ratios are equal steps; for ranges above 0.
    Log,
}

/// The range of one parameter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Axis {
    /// Least value.
    pub from: f64,
    /// Greatest value, above `from`.
    pub to: f64,
    /// How it is divided.
    pub scale: Scale,
    /// Whether only whole numbers are tried; `from` and `to` are then whole.
    pub whole: bool,
}

impl Axis {
    /// The value at a share of the axis, 0 to 1, rounded to a thousandth of the axis or to a whole number.
    pub fn value(&self, share: f64) -> f64 {
        let share = share.clamp(0.0, 1.0);
        let raw = match self.scale {
            Scale::Linear => self.from + share * (self.to - self.from),
            Scale::Log => self.from * (self.to / self.from).powf(share),
        };
        self.rounded(raw).clamp(self.from, self.to)
    }

    /// The share of the axis at which a value stands; values outside stand at its ends.
    pub fn share(&self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear => (value - self.from) / (self.to - self.from),
            Scale::Log => (value.max(self.from) / self.from).ln() / (self.to / self.from).ln(),
        };
        share.clamp(0.0, 1.0)
    }

    /// The value half way between two, or nothing if there is none between them.
    pub fn between(&self, one: f64, other: f64) -> Option<f64> {
        let middle = self.value((self.share(one) + self.share(other)) / 2.0);
        (one.min(other) < middle && middle < one.max(other)).then_some(middle)
    }

    fn rounded(&self, raw: f64) -> f64 {
        if self.whole {
            return raw.round();
        }
        let size = match self.scale {
            Scale::Linear => self.to - self.from,
            Scale::Log => raw.abs(),
        };
        let exponent = (size * RESOLUTION).log10().floor() as i32;
        let factor = 10_f64.powi(exponent.abs());
        if exponent < 0 { (raw * factor).round() / factor } else { (raw / factor).round() * factor }
    }

    /// The value a step away, at least one whole number away if only these are tried.
    fn stepped(&self, value: f64, step: f64) -> f64 {
        let next = self.value(self.share(value) + step);
        if next != value || !self.whole {
            return next;
        }
        (value + step.signum()).clamp(self.from, self.to)
    }

    /// How many values there are, if that can be counted.
    fn count(&self) -> f64 {
        if self.whole { self.to - self.from + 1.0 } else { f64::INFINITY }
    }
}

/// One evaluation: the place and what it is worth; less is better.
pub type Trial<S> = (Vec<f64>, S);

/// Evaluates at most `budget` places of the box that `axes` span, none of them twice, and returns them in order; the
/// first is `start`, moved into the box. Fewer only if the box has no more places.
///
/// # Errors
/// The first that `evaluate` returns.
pub fn search<S: PartialOrd + Copy, E>(
    axes: &[Axis],
    start: &[f64],
    budget: usize,
    random: &mut Stream,
    evaluate: impl FnMut(&[f64]) -> Result<S, E>,
) -> Result<Vec<Trial<S>>, E> {
    let mut trials = Trials { axes, budget, seen: Vec::new(), evaluate };
    let inside: Vec<f64> = axes.iter().zip(start).map(|(axis, &at)| axis.value(axis.share(at))).collect();
    trials.at(&inside)?;
    for place in latin_hypercube(axes, budget / 3, random) {
        trials.at(&place)?;
    }
    let mut first = 0;
    let mut stale = 0;
    while !trials.is_done() && stale < STALE_ROUNDS {
        let before = trials.seen.len();
        // From the best of all at first, then from the best of each fresh draw.
        if let Some(best) = best(&trials.seen[first..]) {
            let from = trials.seen[first + best].clone();
            trials.descend(from, random)?;
        }
        first = trials.seen.len();
        for place in latin_hypercube(axes, axes.len() + 1, random) {
            trials.at(&place)?;
        }
        stale = if trials.seen.len() == before { stale + 1 } else { 0 };
    }
    Ok(trials.seen)
}

/// The number of the best trial; the first of equals.
fn best<S: PartialOrd>(trials: &[Trial<S>]) -> Option<usize> {
    (0..trials.len()).reduce(|best, next| if trials[next].1 < trials[best].1 { next } else { best })
}

/// `count` places, of which each axis has one in each of `count` equal parts.
fn latin_hypercube(axes: &[Axis], count: usize, random: &mut Stream) -> Vec<Vec<f64>> {
    let mut places = vec![Vec::with_capacity(axes.len()); count];
    for axis in axes {
        let parts = shuffled(count, random);
        for (place, part) in places.iter_mut().zip(parts) {
            place.push(axis.value((part as f64 + random.random_range(0.0..1.0)) / count as f64));
        }
    }
    places
}

/// The numbers below `count` in a random order.
fn shuffled(count: usize, random: &mut Stream) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.random_range(0..=last));
    }
    order
}

struct Trials<'a, S, F> {
    axes: &'a [Axis],
    budget: usize,
    seen: Vec<Trial<S>>,
    evaluate: F,
}

impl<S: PartialOrd + Copy, E, F: FnMut(&[f64]) -> Result<S, E>> Trials<'_, S, F> {
    fn is_done(&self) -> bool {
        let places: f64 = self.axes.iter().map(Axis::count).product();
        self.seen.len() >= self.budget || self.seen.len() as f64 >= places
    }

    /// What a place is worth; nothing if that is not known and the budget is spent.
    fn at(&mut self, place: &[f64]) -> Result<Option<S>, E> {
        if let Some((_, known)) = self.seen.iter().find(|(seen, _)| seen == place) {
            return Ok(Some(*known));
        }
        if self.seen.len() >= self.budget {
            return Ok(None);
        }
        let worth = (self.evaluate)(place)?;
        self.seen.push((place.to_vec(), worth));
        Ok(Some(worth))
    }

    /// The pattern search of Hooke and Jeeves: steps along each axis, after a success the same way once more, after
    /// none smaller steps.
    fn descend(&mut self, from: Trial<S>, random: &mut Stream) -> Result<(), E> {
        let (mut here, mut worth) = from;
        let mut step = STEP_FIRST;
        while step >= STEP_LEAST && !self.is_done() {
            let base = here.clone();
            for index in shuffled(self.axes.len(), random) {
                for step in [step, -step] {
                    let mut there = here.clone();
                    there[index] = self.axes[index].stepped(here[index], step);
                    if let Some(found) = self.at(&there)?.filter(|found| *found < worth) {
                        (here, worth) = (there, found);
                        break;
                    }
                }
            }
            if here == base {
                step /= 2.0;
                continue;
            }
            let further = |(axis, (base, here)): (&Axis, (&f64, &f64))| {
                axis.value(2.0 * axis.share(*here) - axis.share(*base))
            };
            let there: Vec<f64> = self.axes.iter().zip(base.iter().zip(&here)).map(further).collect();
            if let Some(found) = self.at(&there)?.filter(|found| *found < worth) {
                (here, worth) = (there, found);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    const WHOLE: Axis = Axis { from: 1.0, to: 1024.0, scale: Scale::Log, whole: true };
    const REAL: Axis = Axis { from: -2.0, to: 6.0, scale: Scale::Linear, whole: false };

    fn searched(
        axes: &[Axis],
        start: &[f64],
        budget: usize,
        seed: u64,
        f: fn(&[f64]) -> f64,
    ) -> Vec<Trial<f64>> {
        let mut random = Streams::new(seed).stream("search", "test");
        search(axes, start, budget, &mut random, |place| Ok::<_, ()>(f(place))).unwrap()
    }

    /// Least at 37 and 1.5, with flat steps over the whole axis.
    fn bowl(place: &[f64]) -> f64 {
        let octaves = (place[0] / 37.0).log2();
        (octaves.abs() * 4.0).floor() + octaves.abs() / 100.0 + (place[1] - 1.5).powi(2)
    }

    #[test]
    fn a_known_optimum_is_found() {
        for seed in 1..=5 {
            let trials = searched(&[WHOLE, REAL], &[900.0, 5.0], 120, seed, bowl);
            let (place, _) = &trials[best(&trials).unwrap()];
            assert!(
                (place[0] - 37.0).abs() <= 1.0 && (place[1] - 1.5).abs() < 0.05,
                "seed {seed}: {place:?}"
            );
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_places_and_another_seed_others() {
        let places = |seed| searched(&[WHOLE, REAL], &[10.0, 0.0], 30, seed, bowl);
        assert_eq!(places(3), places(3));
        assert_ne!(places(3), places(4));
    }

    #[test]
    fn the_budget_is_kept_exactly_and_no_place_is_evaluated_twice() {
        for budget in [1, 2, 7, 40] {
            let trials = searched(&[WHOLE, REAL], &[10.0, 0.0], budget, 1, bowl);
            assert_eq!(trials.len(), budget);
            assert_eq!(trials[0].0, [10.0, 0.0]);
            for (index, (place, _)) in trials.iter().enumerate() {
                assert!(trials[..index].iter().all(|(other, _)| other != place), "{place:?}");
                assert!((1.0..=1024.0).contains(&place[0]) && (-2.0..=6.0).contains(&place[1]));
                assert_eq!(place[0].fract(), 0.0);
            }
        }
    }

    #[test]
    fn a_box_with_few_places_is_searched_through() {
        let few = Axis { from: 3.0, to: 9.0, scale: Scale::Linear, whole: true };
        let mut trials = searched(&[few], &[100.0], 50, 1, |place| (place[0] - 4.0).abs());
        assert_eq!(trials[0].0, [9.0], "a start outside is moved to the end");
        trials.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
        assert_eq!(
            trials.iter().map(|(place, _)| place[0]).collect::<Vec<_>>(),
            [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]
        );
    }

    #[test]
    fn values_can_be_written_down_and_stand_where_their_share_says() {
        assert_eq!(REAL.value(1.0 / 3.0), 0.667);
        assert_eq!(Axis { from: 0.1, to: 100.0, scale: Scale::Log, whole: false }.value(0.5), 3.162);
        assert_eq!(WHOLE.value(0.5), 32.0);
        for value in [1.0, 2.0, 512.0, 1024.0] {
            assert_eq!(WHOLE.value(WHOLE.share(value)), value);
        }
        assert_eq!((WHOLE.between(4.0, 5.0), WHOLE.between(64.0, 16.0)), (None, Some(32.0)));
    }
}
