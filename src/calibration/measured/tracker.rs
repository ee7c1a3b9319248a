//! The phase of a spindle, followed from completion to completion.

use std::collections::VecDeque;

use crate::stats::{Directions, wrapped};

/// Sightings that are kept.
const WINDOW: usize = 48;
/// Of these, the ones nearest to the end that tell the phase; all tell how fast it drifts.
const RECENT: usize = 16;
/// Sightings farther from the mean than this are of something else, in turns.
const OUTLIER: f64 = 0.12;
/// With a mean resultant length below this the phase is not known.
const AGREEMENT: f64 = 0.6;
/// Fewer sightings tell no phase.
const SIGHTINGS: usize = 4;
/// The greatest drift that is believed, in turns a ms: 1 in 10^4 of the speed of a 15,000 rpm drive.
const DRIFT_MAX: f64 = 2.5e-5;

/// Follows how far the platter is ahead of a clock that turns it in a constant time.
///
/// It only knows what has been told to it before, so that predictions stay honest. Sightings that disagree with the
/// rest, such as those of a request that the buffer answered, are left out.
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    sightings: VecDeque<(f64, f64)>,
}

impl Tracker {
    /// The platter was `ahead` turns before the clock at `at_ms`; whole turns do not count.
    pub fn saw(&mut self, at_ms: f64, ahead: f64) {
        if self.sightings.len() == WINDOW {
            self.sightings.pop_front();
        }
        self.sightings.push_back((at_ms, wrapped(ahead)));
    }

    /// How many turns the platter is ahead of the clock at `at_ms`, -0.5 to 0.5; none while that is not known.
    pub fn ahead(&self, at_ms: f64) -> Option<f64> {
        let recent = || self.sightings.iter().rev().take(RECENT);
        if recent().count() < SIGHTINGS {
            return None;
        }
        let rough: Directions = recent().map(|sighting| sighting.1).collect();
        let centre = mode(recent().map(|sighting| sighting.1), rough.mean()?);
        let near = |sighting: &&(f64, f64)| wrapped(sighting.1 - centre).abs() < OUTLIER;
        let good = recent().filter(near).count();
        if good < SIGHTINGS || (good as f64) < AGREEMENT * recent().count() as f64 {
            return None;
        }
        let kept: Vec<(f64, f64)> =
            self.sightings.iter().filter(near).map(|(at, ahead)| (*at, wrapped(ahead - centre))).collect();
        let drift = slope(&kept).clamp(-DRIFT_MAX, DRIFT_MAX);
        let recent_kept: Vec<&(f64, f64)> = kept.iter().rev().take(good).collect();
        let level: f64 = recent_kept.iter().map(|(at, ahead)| ahead + drift * (at_ms - at)).sum::<f64>()
            / recent_kept.len() as f64;
        Some(wrapped(centre + level))
    }
}

/// The sighting that most others lie near, or `rough` if none has more than itself.
fn mode(sightings: impl Iterator<Item = f64> + Clone, rough: f64) -> f64 {
    let near = |at: f64| sightings.clone().filter(move |other| wrapped(other - at).abs() < OUTLIER / 2.0);
    let best = sightings.clone().map(|at| (near(at).count(), at)).max_by_key(|(count, _)| *count);
    match best {
        Some((count, at)) if count > 1 => {
            let mean: Directions = near(at).collect();
            mean.mean().unwrap_or(at)
        }
        _ => rough,
    }
}

/// The slope of the least squares line, in turns a ms; 0 of fewer than `RECENT` sightings, which would tell mostly noise.
fn slope(points: &[(f64, f64)]) -> f64 {
    if points.len() < RECENT {
        return 0.0;
    }
    let n = points.len() as f64;
    let (sum_t, sum_a) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0, sum.1 + point.1));
    let (mean_t, mean_a) = (sum_t / n, sum_a / n);
    let (above, below) = points.iter().fold((0.0, 0.0), |sum, (t, a)| {
        (sum.0 + (t - mean_t) * (a - mean_a), sum.1 + (t - mean_t) * (t - mean_t))
    });
    if below > 0.0 { above / below } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_known_phase_and_its_drift_are_found_among_outliers(
            phase in -0.5_f64..0.5, drift in -1e-5_f64..1e-5, seed in any::<u64>(),
        ) {
            use rand::{RngExt, SeedableRng};
            let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut tracker = Tracker::default();
            let mut at = 0.0;
            for index in 0..200 {
                at += random.random_range(10.0..60.0);
                let noise = random.random_range(-0.02..0.02);
                let seen = if index % 7 == 3 { random.random_range(0.0..1.0) } else { phase + drift * at + noise };
                tracker.saw(at, seen);
            }
            let error = wrapped(tracker.ahead(at + 40.0).unwrap() - phase - drift * (at + 40.0));
            // The noise of a sighting and what a line through the last ones makes of it; an outlier would be off by far more.
            prop_assert!(error.abs() < 0.05, "{error}");
        }
    }

    #[test]
    fn sightings_that_know_nothing_of_each_other_give_no_phase() {
        let mut tracker = Tracker::default();
        assert_eq!(tracker.ahead(0.0), None);
        for index in 0..40 {
            tracker.saw(f64::from(index) * 30.0, f64::from(index * 7 % 40) / 40.0);
        }
        assert_eq!(tracker.ahead(1200.0), None);
    }
}
