//! The angles at which tracks begin, read from pairs of requests.
//!
//! Published descriptions of drives were made to reproduce distributions of response times, which do not tell where the
//! tracks of far cylinders begin; many are wrong there. Two sightings some turns apart tell the difference of their
//! angles. Within a zone that difference is a sum of equal parts: changes of head, of cylinder and of the range of
//! cylinders that shares its spares. So for each zone the three parts are sought that make the pairs agree best, then the
//! angles between the zones.

use super::anchor::Anchor;
use crate::stats::{Directions, wrapped};

/// By how much the tracks of a zone begin later than the model says, in turns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ZoneSkewFit {
    /// The zone's first track.
    pub first: f64,
    /// Each change of head within a cylinder.
    pub head: f64,
    /// Each change of cylinder, from a cylinder's first track to the next one's.
    pub cylinder: f64,
    /// Each range of cylinders that shares its spares, from its first track to the next one's; 0 without ranges.
    pub range: f64,
    /// Pairs of sightings within the zone.
    pub pairs: usize,
    /// Mean resultant length of the pairs as the model has them.
    pub resultant_before: f64,
    /// The same with the fit.
    pub resultant: f64,
}

/// Sightings farther apart are not compared: the speed may have wandered. In ms.
const APART_MS: f64 = 1_500.0;
/// Fewer pairs tell nothing about a zone.
const PAIRS_LEAST: usize = 18;
/// The grid is searched with at most so many pairs, those with the shortest time between them.
const PAIRS_COARSE: usize = 500;
/// Places of the grid from which the search goes on.
const STARTS: usize = 12;
/// Less is not worth a change of the model.
const NOTICEABLE: f64 = 0.01;
/// Tries of a change of head, in turns: a wrong head skew is off by few sectors, as host and drive read over tracks.
const HEADS: [f64; 5] = [-0.02, -0.01, 0.0, 0.01, 0.02];
/// The best of a grid must agree so many standard deviations better than pairs that know nothing of each other, or the
/// model stays as it is: thousands of places are looked at, a few of them lie that far out.
const CHANCE: f64 = 4.5;

/// The corrections of all zones. `sightings` are those of each kind of request, in order of time; `turn_ms` is the
/// true time of a turn; `range` the cylinders that share their spares (1: all alike).
pub fn skews(sightings: &[Vec<Anchor>], zones: usize, turn_ms: f64, range: u32) -> Vec<ZoneSkewFit> {
    let fit = |zone| zone_fit(&zone_pairs(sightings, zone, turn_ms, range, f64::MAX), range);
    let mut fits: Vec<ZoneSkewFit> = (0..zones).map(fit).collect();
    spread(&mut fits);
    offsets(sightings, &mut fits, turn_ms, range);
    fits
}

/// The corrections within each zone from sightings at most `reach` cylinders apart, which whatever moves all later
/// tracks of a zone seldom comes between; zones are left where they are against each other.
pub(super) fn near_skews(
    sightings: &[Vec<Anchor>],
    zones: usize,
    turn_ms: f64,
    reach: f64,
) -> Vec<ZoneSkewFit> {
    let fit = |zone| zone_fit(&zone_pairs(sightings, zone, turn_ms, 1, reach), 1);
    let mut fits: Vec<ZoneSkewFit> = (0..zones).map(fit).collect();
    spread(&mut fits);
    fits
}

/// Mean resultant length of the pairs within the zones as the model has its angles.
pub(super) fn resultant(sightings: &[Vec<Anchor>], zones: usize, turn_ms: f64, range: u32) -> f64 {
    let each = (0..zones).map(|zone| zone_pairs(sightings, zone, turn_ms, range, f64::MAX));
    let sums = each.map(|pairs| (agreement(&pairs, [0.0; 3]) * pairs.len() as f64, pairs.len()));
    let (sum, pairs) = sums.fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    sum / (pairs as f64).max(1.0)
}

/// Two sightings in one zone: what the clock and the angles leave, and the changes between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub apart_ms: f64,
    pub left: f64,
    pub heads: f64,
    pub cylinders: f64,
    pub ranges: f64,
    /// Which sightings they are: their kind, and their numbers in it.
    pub kind: usize,
    pub first: usize,
    pub second: usize,
}

/// Ranges before that of a cylinder, and cylinders of its range before it.
fn steps(anchor: &Anchor, range: u32) -> (f64, f64) {
    if range <= 1 {
        return (0.0, f64::from(anchor.cylinder));
    }
    (f64::from(anchor.cylinder / range), f64::from(anchor.cylinder % range))
}

pub(super) fn zone_pairs(
    sightings: &[Vec<Anchor>],
    zone: usize,
    turn_ms: f64,
    range: u32,
    reach: f64,
) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (number, kind) in sightings.iter().enumerate() {
        let within: Vec<&Anchor> = kind.iter().filter(|anchor| anchor.zone == zone).collect();
        for (index, first) in within.iter().enumerate() {
            for (next, second) in within.iter().enumerate().skip(index + 1) {
                let apart_ms = second.at_ms - first.at_ms;
                if apart_ms > APART_MS {
                    break;
                }
                if f64::from(second.cylinder.abs_diff(first.cylinder)) > reach {
                    continue;
                }
                let ((r1, c1), (r2, c2)) = (steps(first, range), steps(second, range));
                pairs.push(Pair {
                    apart_ms,
                    left: wrapped(apart_ms / turn_ms - second.angle() + first.angle()),
                    heads: f64::from(second.order) - f64::from(first.order),
                    cylinders: c2 - c1,
                    ranges: r2 - r1,
                    kind: number,
                    first: index,
                    second: next,
                });
            }
        }
    }
    pairs.sort_by(|a, b| a.apart_ms.total_cmp(&b.apart_ms));
    pairs
}

/// How well the pairs agree with a correction.
pub(super) fn agreement(pairs: &[Pair], [range, cylinder, head]: [f64; 3]) -> f64 {
    let sum: Directions = pairs
        .iter()
        .map(|pair| pair.left - range * pair.ranges - cylinder * pair.cylinders - head * pair.heads)
        .collect();
    sum.along(0.0)
}

fn zone_fit(pairs: &[Pair], range: u32) -> ZoneSkewFit {
    let before = agreement(pairs, [0.0; 3]);
    let unchanged =
        ZoneSkewFit { pairs: pairs.len(), resultant_before: before, resultant: before, ..Default::default() };
    if pairs.len() < PAIRS_LEAST {
        return unchanged;
    }
    let coarse = &pairs[..pairs.len().min(PAIRS_COARSE)];
    let (mut starts, steps) = grid(coarse, range);
    starts.sort_by(|a, b| b.0.total_cmp(&a.0));
    starts.truncate(STARTS);
    starts.push((before, [0.0; 3]));
    let climbed = starts.into_iter().map(|(_, from)| climb(pairs, from, steps));
    let Some((resultant, best)) = climbed.reduce(|best, next| if next.0 > best.0 { next } else { best })
    else {
        return unchanged;
    };
    if !beyond_chance(resultant, pairs.len()) || resultant - before < NOTICEABLE {
        return unchanged;
    }
    let [range, cylinder, head] = best;
    ZoneSkewFit { head, cylinder: wrapped(cylinder), range: wrapped(range), resultant, ..unchanged }
}

/// Whether so many pairs agree better than chance makes the best of many places.
pub(super) fn beyond_chance(resultant: f64, pairs: usize) -> bool {
    pairs >= PAIRS_LEAST && resultant >= CHANCE / (2.0 * pairs as f64).sqrt()
}

type Start = (f64, [f64; 3]);

/// The agreement at every place of a grid fine enough that no peak lies between its places, and the grid's steps.
fn grid(pairs: &[Pair], range: u32) -> (Vec<Start>, [f64; 3]) {
    let most = |of: fn(&Pair) -> f64| pairs.iter().map(|pair| of(pair).abs()).fold(0.0, f64::max);
    let count = |most: f64| if most > 0.0 { (4.0 * most).max(20.0) as usize } else { 1 };
    let range_steps = count(most(|pair| pair.ranges));
    let cylinder_steps = if range > 1 { 4 * range as usize } else { count(most(|pair| pair.cylinders)) };
    let mut places = Vec::with_capacity(range_steps * cylinder_steps * HEADS.len());
    for x in 0..range_steps {
        for y in 0..cylinder_steps {
            for head in HEADS {
                let place = [x as f64 / range_steps as f64, y as f64 / cylinder_steps as f64, head];
                places.push((agreement(pairs, place), place));
            }
        }
    }
    (places, [0.5 / range_steps as f64, 0.5 / cylinder_steps as f64, 0.005])
}

/// Steps along each part as long as the agreement grows, then with half the step.
fn climb(pairs: &[Pair], from: [f64; 3], mut steps: [f64; 3]) -> Start {
    let (mut here, mut worth) = (from, agreement(pairs, from));
    for _ in 0..14 {
        let mut moved = true;
        let mut rounds = 0;
        while moved && rounds < 20 {
            moved = false;
            rounds += 1;
            for axis in 0..3 {
                for sign in [1.0, -1.0] {
                    let mut there = here;
                    there[axis] += sign * steps[axis];
                    let found = agreement(pairs, there);
                    if found > worth {
                        (here, worth, moved) = (there, found, true);
                    }
                }
            }
        }
        steps = steps.map(|step| step / 2.0);
    }
    (worth, here)
}

/// A zone that told nothing is taken to be wrong as its neighbour is.
fn spread(fits: &mut [ZoneSkewFit]) {
    let known: Vec<usize> = (0..fits.len()).filter(|&zone| fits[zone].pairs >= PAIRS_LEAST).collect();
    for zone in 0..fits.len() {
        if fits[zone].pairs >= PAIRS_LEAST {
            continue;
        }
        if let Some(&near) = known.iter().min_by_key(|&&other| other.abs_diff(zone)) {
            let ZoneSkewFit { head, cylinder, range, .. } = fits[near];
            fits[zone] = ZoneSkewFit { head, cylinder, range, ..fits[zone] };
        }
    }
}

/// What a sighting leaves of its angle after the corrections within its zone.
fn left(anchor: &Anchor, fit: &ZoneSkewFit, turn_ms: f64, range: u32) -> f64 {
    let (ranges, cylinders) = steps(anchor, range);
    let corrected =
        fit.first + fit.range * ranges + fit.cylinder * cylinders + fit.head * f64::from(anchor.order);
    anchor.at_ms / turn_ms - anchor.angle() - corrected
}

/// Turns the zones against each other until pairs across their borders agree.
fn offsets(sightings: &[Vec<Anchor>], fits: &mut [ZoneSkewFit], turn_ms: f64, range: u32) {
    let zones = fits.len();
    let mut between = vec![Directions::default(); zones * zones];
    for kind in sightings {
        let lefts: Vec<f64> =
            kind.iter().map(|anchor| left(anchor, &fits[anchor.zone], turn_ms, range)).collect();
        for (index, first) in kind.iter().enumerate() {
            for (second, next) in kind[index + 1..].iter().zip(&lefts[index + 1..]) {
                if second.at_ms - first.at_ms > APART_MS {
                    break;
                }
                let turns = next - lefts[index];
                between[first.zone * zones + second.zone].add(turns);
                between[second.zone * zones + first.zone].add(-turns);
            }
        }
    }
    let strength = |a: usize, b: usize| between[a * zones + b].resultant() * between[a * zones + b].weight();
    let mut first: Vec<Option<f64>> = vec![None; zones];
    let Some(root) = (0..zones).max_by(|&a, &b| strength(a, a).total_cmp(&strength(b, b))) else { return };
    first[root] = Some(0.0);
    // The zone that is tied most strongly to those already placed is placed next.
    while let Some((_, zone, turns)) = (0..zones)
        .filter(|&zone| first[zone].is_none())
        .flat_map(|zone| (0..zones).map(move |placed| (placed, zone)))
        .filter_map(|(placed, zone)| {
            let at = first[placed]? + between[placed * zones + zone].mean()?;
            Some((strength(placed, zone), zone, at))
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
    {
        first[zone] = Some(turns);
    }
    for _ in 0..30 {
        for zone in (0..zones).filter(|&zone| zone != root) {
            let mut sum = Directions::default();
            for placed in (0..zones).filter(|&placed| placed != zone) {
                let pair = &between[placed * zones + zone];
                if let (Some(at), Some(mean)) = (first[placed], pair.mean()) {
                    sum.add_weighted(at + mean, pair.resultant() * pair.weight());
                }
            }
            if let Some(mean) = sum.mean().filter(|_| first[zone].is_some()) {
                first[zone] = Some(mean);
            }
        }
    }
    for (fit, first) in fits.iter_mut().zip(first) {
        fit.first = wrapped(first.unwrap_or(0.0));
    }
}
