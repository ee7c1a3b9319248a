//! What a trace shows of the platters: which of its times are the real ones, what its completions are tied to, and how
//! long a turn takes.

use super::anchor::{Anchor, Landmark, Surface};
use super::observed::{Observed, Pause, Untimed, timed};
use super::revolution::{APART_LAST_MS, Clock, revolution};
use crate::stats::{Directions, median, wrapped};
use crate::workload::trace::TraceRequest;

/// The clock of a trace and the sightings of angles that it holds.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Where its pauses lie.
    pub pause: Pause,
    /// All requests at their real times.
    pub observed: Vec<Observed>,
    /// What completions are tied to, of reads and of writes; none where they tell no angle.
    pub landmarks: [Option<Landmark>; 2],
    /// The time of a turn.
    pub clock: Clock,
    /// Its 95 % interval, in ms, once it has been corrected with all sightings ([`refine`](Sight::refine)); none where
    /// there are too few.
    pub turn_interval: Option<(f64, f64)>,
}

/// A trace that shows no platter.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum NoClock {
    /// Its requests have no times.
    #[error(transparent)]
    Untimed(#[from] Untimed),
    /// Too few requests waited for the platters twice on one cylinder.
    #[error(
        "{waited} of {requests} requests waited for the platters, and too few of them lie on one cylinder: no time of a \
         turn can be read from them"
    )]
    TooFew {
        /// Requests of the trace.
        requests: usize,
        /// Those with a response long enough.
        waited: usize,
    },
    /// Nothing fits any time of a turn.
    #[error(
        "the completions agree with no time of a turn (mean resultant length {resultant:.2}, {} wanted): the trace is of \
         another drive, or its times are not the real ones",
        AGREEMENT
    )]
    Unclear {
        /// The best agreement.
        resultant: f64,
    },
}

/// Responses shorter than this part of a turn, besides their transfer, waited for no platter.
const WAITED_TURNS: f64 = 0.3;
/// The mean resultant length below which completions tell no angle.
const AGREEMENT: f64 = 0.5;
/// Pairs so far apart decide which landmark and which pause are the right ones, in ms.
const APART_MS: f64 = 2_000.0;
/// Steps of the time of a sector across the interface that are tried, in ms: 0.32 ms is 1.6 MB/s.
const SECTOR_STEP_MS: f64 = 0.02;
const SECTOR_STEPS: u32 = 16;

/// Reads the clock of `requests` from a drive whose tracks lie about as on `surface` and whose turn takes about
/// `nominal_ms`.
///
/// # Errors
/// The requests have no times, or these show no platter.
pub fn sight(requests: &[TraceRequest], surface: &Surface, nominal_ms: f64) -> Result<Sight, NoClock> {
    let mut best: Option<(Sight, f64)> = None;
    for pause in [Pause::After, Pause::Before] {
        let observed = timed(requests, pause)?;
        let landmarks = [false, true].map(|write| best_landmark(&observed, write, surface, nominal_ms));
        let of = |found: Option<(Landmark, Clock)>| found.map_or(0.0, |(_, clock)| weight(&clock));
        let sum = landmarks.iter().copied().map(of).sum::<f64>();
        let Some((_, clock)) =
            landmarks.iter().copied().flatten().max_by(|a, b| weight(&a.1).total_cmp(&weight(&b.1)))
        else {
            continue;
        };
        let clear = landmarks
            .map(|found| found.filter(|(_, clock)| clock.resultant >= AGREEMENT).map(|(mark, _)| mark));
        if best.as_ref().is_none_or(|(_, before)| sum > *before) {
            best = Some((Sight { pause, observed, landmarks: clear, clock, turn_interval: None }, sum));
        }
    }
    let Some((mut sight, _)) = best else {
        let observed = timed(requests, Pause::After)?;
        let waited = observed.iter().filter(|one| has_waited(one, nominal_ms, 0.0)).count();
        return Err(NoClock::TooFew { requests: requests.len(), waited });
    };
    if sight.landmarks == [None; 2] {
        return Err(NoClock::Unclear { resultant: sight.clock.resultant });
    }
    let finest =
        sight.sightings(surface).into_iter().filter_map(|kind| revolution(&kind, nominal_ms, APART_LAST_MS));
    if let Some(clock) = finest.max_by(|a, b| weight(a).total_cmp(&weight(b))) {
        sight.clock = clock;
    }
    Ok(sight)
}

/// How sure a clock is: its resultant in units of what chance gives.
fn weight(clock: &Clock) -> f64 {
    clock.resultant * (clock.pairs as f64).sqrt()
}

fn has_waited(observed: &Observed, turn_ms: f64, sector_ms: f64) -> bool {
    observed.response_ms() > WAITED_TURNS * turn_ms + observed.extent.sectors as f64 * sector_ms
}

impl Sight {
    /// The sightings of the kinds of request that tell angles, in order of time.
    pub fn sightings(&self, surface: &Surface) -> Vec<Vec<Anchor>> {
        let kinds = [false, true].into_iter().zip(self.landmarks);
        kinds
            .filter_map(|(write, landmark)| {
                Some(anchors(&self.observed, write, landmark?, surface, self.clock.turn_ms))
            })
            .collect()
    }

    /// Corrects the time of a turn with all sightings, once the angles of `surface` are right, and gives the angle of the
    /// platters at the issue of the first request, in turns.
    ///
    /// Phases of short windows are unwrapped and laid on a line.
    pub fn refine(&mut self, surface: &Surface) -> Option<f64> {
        let sightings = self.sightings(surface);
        let kind = sightings.iter().max_by_key(|kind| kind.len())?;
        let turn_ms = self.clock.turn_ms;
        let mut windows: Vec<(f64, f64)> = Vec::new();
        let mut turns = 0.0;
        for window in kind.chunks(WINDOW) {
            let phase: Directions =
                window.iter().map(|anchor| anchor.at_ms / turn_ms - anchor.angle()).collect();
            if phase.resultant() < AGREEMENT {
                continue;
            }
            let mean = phase.mean()?;
            turns = windows.last().map_or(mean, |_| turns + wrapped(mean - turns));
            let middle = window.iter().map(|anchor| anchor.at_ms).sum::<f64>() / window.len() as f64;
            windows.push((middle, turns));
        }
        let Line { slope, level, slopes } = median_line(&windows)?;
        // The platters fall behind the clock by `slope` turns a ms.
        let turn_of = |slope: f64| turn_ms / (1.0 - slope * turn_ms);
        self.clock.turn_ms = turn_of(slope);
        self.turn_interval = median_interval(slopes).map(|(low, high)| (turn_of(low), turn_of(high)));
        Some((-level).rem_euclid(1.0))
    }
}

/// Sightings of a window.
const WINDOW: usize = 24;

/// A line through points.
struct Line {
    slope: f64,
    /// Its level at 0.
    level: f64,
    /// The slopes that its own is the median of, each between two points that no other one has.
    slopes: Vec<f64>,
}

/// The line whose slope is the median of those between points far apart (Theil and Sen).
fn median_line(points: &[(f64, f64)]) -> Option<Line> {
    let half = points.len() / 2;
    let slopes: Vec<f64> = (0..half)
        .map(|index| (points[index], points[index + half]))
        .map(|(a, b)| (b.1 - a.1) / (b.0 - a.0))
        .collect();
    let slope = median(&slopes)?;
    let levels: Vec<f64> = points.iter().map(|point| point.1 - slope * point.0).collect();
    Some(Line { slope, level: median(&levels)?, slopes })
}

/// The 95 % interval of a median: between the values as far from the middle, by rank, as chance puts it (sign test, with
/// the normal distribution in place of the binomial one); none of fewer than six values.
fn median_interval(mut values: Vec<f64>) -> Option<(f64, f64)> {
    const LEAST: usize = 6;
    const NORMAL: f64 = 1.96;
    if values.len() < LEAST {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let count = values.len() as f64;
    let rank = (count / 2.0 - NORMAL * count.sqrt() / 2.0).floor().max(0.0) as usize;
    Some((values[rank], values[values.len() - 1 - rank]))
}

fn anchors(
    observed: &[Observed],
    write: bool,
    landmark: Landmark,
    surface: &Surface,
    turn_ms: f64,
) -> Vec<Anchor> {
    let sector_ms = landmark.sector_ms();
    observed
        .iter()
        .filter(|one| one.write == write && has_waited(one, turn_ms, sector_ms))
        .map(|one| surface.anchor(one, landmark))
        .collect()
}

/// The landmark of reads or writes that makes their sightings agree best.
fn best_landmark(
    observed: &[Observed],
    write: bool,
    surface: &Surface,
    nominal_ms: f64,
) -> Option<(Landmark, Clock)> {
    let times = || (0..=SECTOR_STEPS).map(|step| f64::from(step) * SECTOR_STEP_MS);
    let ends = times().map(|sector_ms| Landmark::End { sector_ms });
    let begins = times().map(|sector_ms| Landmark::Begin { sector_ms });
    ends.chain(begins)
        .filter_map(|landmark| {
            let anchors = anchors(observed, write, landmark, surface, nominal_ms);
            Some((landmark, revolution(&anchors, nominal_ms, APART_MS)?))
        })
        .reduce(|best, next| if next.1.resultant > best.1.resultant { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_median_lies_between_ranks() {
        let values = |count: usize| (0..count).map(|value| value as f64).collect::<Vec<_>>();
        assert_eq!(median_interval(values(5)), None);
        assert_eq!(median_interval(values(6)), Some((0.0, 5.0)));
        assert_eq!(median_interval(values(100)), Some((40.0, 59.0)));
    }
}
