//! The true time of a turn, from pairs of requests on one cylinder.
//!
//! Two sightings on one cylinder are apart by a whole number of turns and the difference of their angles, whatever the
//! skew from cylinder to cylinder. Pairs that follow soon on each other tell the time of a turn coarsely and without
//! doubt; pairs farther apart then tell it finely.

use super::anchor::Anchor;
use crate::stats::Directions;

/// What is found about the time of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// One turn, in ms on the clock of the trace.
    pub turn_ms: f64,
    /// Mean resultant length of the pairs at that time: 1 if all agree, 0 if they know nothing of each other.
    pub resultant: f64,
    /// Pairs that were compared.
    pub pairs: usize,
}

/// How far the time of a turn may be from the nominal one, as a share: the speed of a drive is held to 0.1 % to 0.5 %, and
/// the clock of the host may be off as well.
const REACH: f64 = 0.01;
/// Pairs no farther apart than this tell the time coarsely, in ms.
const APART_FIRST_MS: f64 = 250.0;
/// Pairs farther apart than this tell nothing more: the speed may wander. In ms.
pub const APART_LAST_MS: f64 = 16_000.0;
/// By how much a step of the search may turn the pairs farthest apart, in turns.
const STEP_TURNS: f64 = 0.06;
/// Fewer pairs tell nothing.
const PAIRS_LEAST: usize = 12;

/// The time of a turn that makes pairs of `anchors` on one cylinder agree, sought around `nominal_ms`; none if there are
/// too few pairs.
///
/// `anchors` are of one kind of request and in order of time; pairs up to `apart_last_ms` apart are compared.
pub fn revolution(anchors: &[Anchor], nominal_ms: f64, apart_last_ms: f64) -> Option<Clock> {
    let pairs = pairs(anchors, apart_last_ms);
    let mut clock = Clock { turn_ms: nominal_ms, resultant: 0.0, pairs: 0 };
    let mut reach = REACH;
    let mut apart_ms = APART_FIRST_MS;
    while apart_ms <= apart_last_ms {
        let near: Vec<(f64, f64)> = pairs.iter().copied().filter(|pair| pair.0 <= apart_ms).collect();
        let step = STEP_TURNS * nominal_ms / apart_ms;
        if near.len() >= PAIRS_LEAST {
            let centre = clock.turn_ms;
            let steps = (reach / step).ceil() as i32;
            let of = |index: i32| centre * (1.0 + f64::from(index) * step);
            let found = (-steps..=steps)
                .map(|index| Clock {
                    turn_ms: of(index),
                    resultant: agreement(&near, of(index)),
                    pairs: near.len(),
                })
                .reduce(|best, next| if next.resultant > best.resultant { next } else { best })?;
            // Pairs so far apart that the speed has wandered between them tell nothing more.
            if found.resultant < 0.8 * clock.resultant {
                break;
            }
            clock = found;
            reach = 3.0 * step;
        }
        apart_ms *= 2.0;
    }
    (clock.pairs > 0).then_some(clock)
}

/// Time and angle between all sightings on one cylinder that are at most `apart_ms` apart.
fn pairs(anchors: &[Anchor], apart_ms: f64) -> Vec<(f64, f64)> {
    let mut order: Vec<&Anchor> = anchors.iter().collect();
    order.sort_by(|a, b| (a.zone, a.cylinder).cmp(&(b.zone, b.cylinder)).then(a.at_ms.total_cmp(&b.at_ms)));
    let mut pairs = Vec::new();
    for (index, first) in order.iter().enumerate() {
        let same = |next: &&&Anchor| (next.zone, next.cylinder) == (first.zone, first.cylinder);
        for second in order[index + 1..].iter().take_while(same) {
            let apart = second.at_ms - first.at_ms;
            if apart > apart_ms {
                break;
            }
            pairs.push((apart, second.angle() - first.angle()));
        }
    }
    pairs
}

/// How well the pairs agree if a turn takes `turn_ms`. A common difference counts against it: pairs have none.
fn agreement(pairs: &[(f64, f64)], turn_ms: f64) -> f64 {
    let differences: Directions = pairs.iter().map(|(apart, angle)| apart / turn_ms - angle).collect();
    differences.along(0.0)
}
