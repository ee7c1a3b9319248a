//! Seeks that take longer towards the spindle than away from it.
//!
//! An arm that is pushed one way by its flexible cable or by the air takes longer one way than the other. The turns that
//! requests took or did not take tell each way's time by itself; the difference is taken if it is more than chance, and if
//! it breaks clearly fewer of the bounds that it was not read from.

use super::arms::Arm;
use super::seeks::{Bound, best_shift, broken_by, shifts_within};
use super::tune::interval;
use crate::sim::Stream;

/// By how much seeks inwards take longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inward {
    /// The difference, in ms; negative where seeks outwards take longer.
    pub extra_ms: f64,
    /// The 95 % interval of its bootstrap, and what breaks as few bounds but for [`SPARE`].
    pub interval: (f64, f64),
    /// Seeks that tell it.
    pub requests: usize,
}

/// Seeks each way without which nothing is told.
const SEEKS_LEAST: usize = 60;
/// Seeks that are left out or taken in together when a difference is judged by those that it was not read from.
const BLOCK: usize = 8;
/// A time that breaks so many bounds more than the best one may still be the true one, each way.
const SPARE: usize = 2;
/// Less is not worth a change of the model, in ms.
const NOTICEABLE_MS: f64 = 0.15;
/// The difference must break so few of what one time for both ways breaks.
const CLEARLY: f64 = 0.9;

type Seek = (Bound, f64);

/// The difference between the ways that `arms` tell; none if it could be chance.
pub(super) fn inward(arms: &[Arm], random: &mut Stream) -> Option<Inward> {
    let seeks: Vec<(bool, Seek)> = arms
        .iter()
        .filter(|arm| arm.bound.distance > 0)
        .map(|arm| (arm.inward, (arm.bound, arm.model_ms)))
        .collect();
    let count = |way: bool| seeks.iter().filter(|seek| seek.0 == way).count();
    if count(true).min(count(false)) < SEEKS_LEAST {
        return None;
    }
    let extra_ms = difference(&seeks)?;
    let resampled = interval(&seeks, random, |seeks| difference(seeks).unwrap_or(0.0));
    let [(in_low, in_high), (out_low, out_high)] =
        [true, false].map(|way| shifts_within(&of_way(&seeks, way), SPARE));
    let interval = (resampled.0.min(in_low - out_high), resampled.1.max(in_high - out_low));
    if (interval.0 <= 0.0 && interval.1 >= 0.0) || extra_ms.abs() < NOTICEABLE_MS {
        return None;
    }
    let half = |odd: usize| -> Vec<(bool, Seek)> {
        seeks
            .iter()
            .enumerate()
            .filter(|(index, _)| index / BLOCK % 2 == odd)
            .map(|(_, seek)| *seek)
            .collect()
    };
    let (even, odd) = (half(0), half(1));
    let unseen = |from: &[(bool, Seek)], on: &[(bool, Seek)]| -> [usize; 2] {
        let ways = [true, false].map(|way| best_shift(&of_way(from, way)));
        let apart =
            [true, false].into_iter().zip(ways).map(|(way, ms)| broken_by(&of_way(on, way), ms)).sum();
        let all = |seeks: &[(bool, Seek)]| seeks.iter().map(|seek| seek.1).collect::<Vec<Seek>>();
        [apart, broken_by(&all(on), best_shift(&all(from)))]
    };
    let ([a, b], [c, d]) = (unseen(&even, &odd), unseen(&odd, &even));
    let better = ((a + c) as f64) < CLEARLY * (b + d) as f64;
    better.then_some(Inward { extra_ms, interval, requests: seeks.len() })
}

fn of_way(seeks: &[(bool, Seek)], way: bool) -> Vec<Seek> {
    seeks.iter().filter(|seek| seek.0 == way).map(|seek| seek.1).collect()
}

/// How much longer the seeks inwards took than those outwards; none if one way has none.
fn difference(seeks: &[(bool, Seek)]) -> Option<f64> {
    let ways = [true, false].map(|way| of_way(seeks, way));
    let [inwards, outwards] = &ways;
    (!inwards.is_empty() && !outwards.is_empty()).then(|| best_shift(inwards) - best_shift(outwards))
}
