//! The stairs of a zone: where its angles jump because tracks were slipped.

use std::rc::Rc;

use crate::drive::DriveSpec;
use crate::stats::wrapped;

/// The tracks of a zone and their angles.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    /// Angle of the first track, and what a cylinder and a change of head add, in turns.
    pub angles: [f64; 3],
    heads: u32,
    /// Tracks that are not slipped, as far as listed.
    good: Rc<[u32]>,
    listed: usize,
}

/// The angle at which a track was seen to begin, in turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Its number among the tracks that are not slipped.
    pub track: usize,
    /// The angle.
    pub angle: f64,
}

/// A slipped track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stair {
    /// The first track that moved on, by its number among the tracks that are not slipped.
    pub track: usize,
    /// The first and the last track that may be that: sightings on both sides bound it.
    pub between: (usize, usize),
}

/// Standard deviation of a sighting, in turns.
const SIGMA: f64 = 0.02;
/// What a sighting costs at most: beyond that it is of something else.
const COST_MOST: f64 = 6.0;
/// What a stair costs: it must explain several sightings that nothing else does.
const COST_STAIR: f64 = 14.0;
/// Steps of a cylinder's angle that are tried either way, and their size in turns.
const SLOPES: i32 = 5;
const SLOPE: f64 = 0.0004;
/// The same of a change of head.
const HEADS: i32 = 1;
const HEAD: f64 = 0.008;
/// Whole sectors that a described skew may be wrong, of a cylinder and of a change of head.
const CYLINDER_SECTORS: i32 = 8;
const HEAD_SECTORS: i32 = 2;
/// Sightings from the front that say where the first track begins.
const FIRSTS: usize = 8;
/// Most slips before the first sighting: those of a cylinder of most drives.
const AHEAD: usize = 8;
/// Rounds of stairs and angles.
const ROUNDS: usize = 4;

impl Tracks {
    pub(super) fn new(spec: &DriveSpec, zone: usize, angles: [f64; 3]) -> Self {
        let start: u64 = spec.zones[..zone].iter().map(|zone| zone.sectors(spec.heads)).sum();
        let this = &spec.zones[zone];
        let slips = &spec.defects.slips;
        let slipped = |track: u32| {
            let first = start + u64::from(track) * u64::from(this.spt);
            let at = slips.partition_point(|&slip| slip < first);
            slips.get(at).is_some_and(|&slip| slip < first + u64::from(this.spt))
        };
        let all = this.cylinders * spec.heads;
        let good: Rc<[u32]> = (0..all).filter(|&track| !slipped(track)).collect();
        let listed = all as usize - good.len();
        Tracks { angles, heads: spec.heads, good, listed }
    }

    /// How many tracks are listed as slipped.
    pub(super) fn slipped(&self) -> usize {
        self.listed
    }

    /// The number of a track among those that are not slipped.
    pub(super) fn among_good(&self, physical: u32) -> usize {
        self.good.partition_point(|&good| good < physical)
    }

    /// The track with that number.
    pub(super) fn physical(&self, track: usize) -> u32 {
        self.good.get(track).or(self.good.last()).copied().unwrap_or(0)
    }

    /// Cylinder and change of head of a track.
    fn place(&self, track: usize) -> (f64, f64) {
        let physical = self.physical(track);
        (f64::from(physical / self.heads), f64::from(physical % self.heads))
    }

    /// Angle at which a track begins, in turns.
    pub(super) fn angle(&self, track: usize) -> f64 {
        let (cylinder, head) = self.place(track);
        let [first, per_cylinder, per_head] = self.angles;
        first + cylinder * per_cylinder + head * per_head
    }

    /// What a sighting leaves if `slips` tracks were slipped before it, in turns.
    fn left(&self, seen: &Seen, slips: usize) -> f64 {
        wrapped(seen.angle - self.angle(seen.track + slips))
    }
}

/// The angles that a zone may have: near those of `near`, which pairs of sightings on neighbouring cylinders tell and slips
/// between these make wrong, and whole sectors beside those of `described`.
pub(super) fn candidates(near: [f64; 3], described: [f64; 3], spt: u32) -> Vec<[f64; 3]> {
    let grid = |from: [f64; 3], (cylinders, cylinder): (i32, f64), (heads, head): (i32, f64)| {
        (-cylinders..=cylinders).flat_map(move |c| {
            (-heads..=heads)
                .map(move |h| [from[0], from[1] + f64::from(c) * cylinder, from[2] + f64::from(h) * head])
        })
    };
    let sector = 1.0 / f64::from(spt);
    let mut all: Vec<[f64; 3]> = grid(near, (SLOPES, SLOPE), (HEADS, HEAD)).collect();
    all.extend(grid(described, (CYLINDER_SECTORS, sector), (HEAD_SECTORS, sector)));
    all
}

/// The tracks with those of the `candidates` that the cheapest stairs, `most` at most, go with, and the slips before the
/// first sighting. `seen` is in the order of tracks.
///
/// Slips before all sightings turn the whole zone, but not by one angle: a change of cylinder is another than one of head.
pub(super) fn chosen(
    tracks: &Tracks,
    candidates: &[[f64; 3]],
    seen: &[Seen],
    most: usize,
) -> (Tracks, usize) {
    let mut best = (f64::INFINITY, tracks.clone(), 0);
    for &angles in candidates {
        try_firsts(tracks, angles, seen, (0, most), &mut best);
    }
    let angles = best.1.angles;
    for ahead in 1..=most.min(AHEAD) {
        try_firsts(tracks, angles, seen, (ahead, most), &mut best);
    }
    (best.1, best.2)
}

/// Tries `angles` with `ahead` slips before the first sighting and every angle of the first track that one of the first
/// sightings asks for.
fn try_firsts(
    tracks: &Tracks,
    [_, cylinder, head]: [f64; 3],
    seen: &[Seen],
    (ahead, most): (usize, usize),
    best: &mut (f64, Tracks, usize),
) {
    let mut tried = tracks.clone();
    tried.angles = [0.0, cylinder, head];
    let firsts: Vec<f64> = seen.iter().take(FIRSTS).map(|one| tried.left(one, ahead)).collect();
    for first in firsts {
        tried.angles[0] = first;
        let cost = path(&tried, seen, ahead, most).0;
        if cost < best.0 {
            *best = (cost, tried.clone(), ahead);
        }
    }
}

/// The stairs of least cost, `most` at most, of which `ahead` lie before the first sighting, and the angles that go with
/// them.
pub(super) fn climbed(tracks: &Tracks, seen: &[Seen], ahead: usize, most: usize) -> (Tracks, Vec<Stair>) {
    let mut here = tracks.clone();
    let (mut cost, mut slips) = path(&here, seen, ahead, most);
    for _ in 0..ROUNDS {
        let fitted = refitted(&here, seen, &slips);
        let (there, found) = path(&fitted, seen, ahead, most);
        if there >= cost {
            break;
        }
        (here, cost, slips) = (fitted, there, found);
    }
    let stairs = stairs(seen, &slips);
    (here, stairs)
}

/// The cost of the cheapest path that begins with `ahead` slips, and the slips before each sighting on it.
fn path(tracks: &Tracks, seen: &[Seen], ahead: usize, most: usize) -> (f64, Vec<usize>) {
    let mut costs = vec![f64::INFINITY; most + 1];
    costs[ahead] = ahead as f64 * COST_STAIR;
    let mut from: Vec<Vec<u8>> = Vec::with_capacity(seen.len());
    for one in seen {
        let mut came: Vec<u8> = (0..=most).map(|slips| slips as u8).collect();
        for slips in 1..=most {
            if costs[slips - 1] + COST_STAIR < costs[slips] {
                costs[slips] = costs[slips - 1] + COST_STAIR;
                came[slips] = came[slips - 1];
            }
        }
        for (slips, cost) in costs.iter_mut().enumerate() {
            let left = tracks.left(one, slips) / SIGMA;
            *cost += (0.5 * left * left).min(COST_MOST);
        }
        from.push(came);
    }
    let Some((mut slips, &cost)) = costs.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)) else {
        return (0.0, Vec::new());
    };
    let mut path = vec![0; seen.len()];
    for index in (0..seen.len()).rev() {
        path[index] = slips;
        slips = usize::from(from[index][slips]);
    }
    (cost, path)
}

/// The angles that fit best to the sightings that are no strays, by least squares.
fn refitted(tracks: &Tracks, seen: &[Seen], slips: &[usize]) -> Tracks {
    let mut normal = [[0.0; 4]; 3];
    for (one, &slips) in seen.iter().zip(slips) {
        let left = tracks.left(one, slips);
        if left.abs() > 4.0 * SIGMA {
            continue;
        }
        let (cylinder, head) = tracks.place(one.track + slips);
        let row = [1.0, cylinder, head, left];
        for (i, equation) in normal.iter_mut().enumerate() {
            for (j, cell) in equation.iter_mut().enumerate() {
                *cell += row[i] * row[j];
            }
        }
    }
    let mut better = tracks.clone();
    if let Some(by) = solved(normal) {
        for (angle, by) in better.angles.iter_mut().zip(by) {
            *angle += by;
        }
    }
    better
}

/// Three linear equations, by elimination; none if they do not tell all three.
fn solved(mut equations: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for pivot in 0..3 {
        let scale = equations[pivot][pivot];
        if scale < 1e-6 {
            return None;
        }
        for row in (0..3).filter(|&row| row != pivot) {
            let factor = equations[row][pivot] / scale;
            let above = equations[pivot];
            for (cell, above) in equations[row].iter_mut().zip(above) {
                *cell -= factor * above;
            }
        }
    }
    Some([0, 1, 2].map(|row| equations[row][3] / equations[row][row]))
}

/// Where the number of slips grows.
fn stairs(seen: &[Seen], slips: &[usize]) -> Vec<Stair> {
    let mut stairs = Vec::new();
    // The first track that may be behind a slip, and the slips so far.
    let (mut from, mut count) = (0, 0);
    for (one, &slips) in seen.iter().zip(slips) {
        let more = slips - count;
        for number in 0..more {
            let track = from + (number + 1) * one.track.saturating_sub(from) / (more + 1);
            stairs.push(Stair { track, between: (from.min(one.track), one.track) });
        }
        (from, count) = (one.track + 1, slips);
    }
    stairs
}
