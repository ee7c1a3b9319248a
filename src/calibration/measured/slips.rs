//! Tracks that were slipped and that no description lists.
//!
//! A drive that keeps whole tracks as spares steps over a bad one: from there to the end of the zone every address lies a
//! track farther on, and so at another angle. Seen over the addresses, the angles of completions then are a staircase
//! that only climbs. First the clock of the spindle is found whatever the stairs are: runs of neighbouring sightings are
//! turned against each other until pairs of them agree (Singer, "Angular synchronization by eigenvectors and semidefinite
//! programming", 2011). Then the stairs of each zone are the path of least cost (dynamic programming), a stair costing
//! what only several sightings can pay; both again, with the angles that came out.

use super::anchor::{Anchor, Surface};
use super::skews::near_skews;
use super::stairs::{Seen, Stair, Tracks, candidates, chosen, climbed};
use crate::drive::DriveSpec;
use crate::drive::spec::{Layout, SkewSpec, SpareScheme, ZoneSkew};
use crate::stats::{Directions, median, wrapped};

/// A model with the slipped tracks that a trace shows.
#[derive(Clone, Debug)]
pub struct Slipped {
    /// The model with the slips, and with the angles that go with them.
    pub spec: DriveSpec,
    /// Of each slip that was found the first places of the tracks between which it lies, as [`Defects`](crate::drive::spec::Defects) counts places.
    pub between: Vec<(u64, u64)>,
    /// Tracks among which a slip is, the median of all slips.
    pub within_tracks: f64,
}

/// Sightings farther apart are not compared: the speed may have wandered. In ms.
const APART_MS: f64 = 1_500.0;
/// Sightings of a run.
const RUN: usize = 24;
/// Cylinders between which few slips lie.
const NEAR_CYLINDERS: f64 = 12.0;
/// Fewer sightings in a zone tell no slips.
const SIGHTINGS_LEAST: usize = 48;
/// A clock whose sightings agree less is not known there.
const AGREEMENT: f64 = 0.6;
/// Most slips of a zone.
const SLIPS_MOST: u64 = 60;
/// Rounds of clock and stairs.
const ROUNDS: usize = 3;

/// A sighting with what is made of it.
struct Point<'a> {
    anchor: &'a Anchor,
    /// Reads and writes have clocks of their own.
    kind: usize,
    /// Number of its track among those of its zone that are not slipped.
    track: usize,
    run: usize,
    /// Angle at which the track is taken to begin.
    angle: f64,
}

/// The slipped tracks that `sightings` show on a drive like `spec`, whose turn takes `turn_ms`; none if it keeps no
/// whole tracks as spares or no slip shows.
pub fn slipped(
    spec: &DriveSpec,
    surface: &Surface,
    sightings: &[Vec<Anchor>],
    turn_ms: f64,
) -> Option<Slipped> {
    if spec.spare_scheme != SpareScheme::TracksOfZone || spec.layout == Layout::SurfaceSerpentine {
        return None;
    }
    let fits = near_skews(sightings, spec.zones.len(), turn_ms, NEAR_CYLINDERS);
    let mut zones: Vec<Tracks> = (fits.iter().enumerate())
        .map(|(zone, fit)| {
            let old = surface.zone_angles(zone, 1);
            let (head, cylinder) = (old.head + fit.head, old.cylinder + fit.cylinder);
            Tracks::new(spec, zone, [old.first, cylinder, head])
        })
        .collect();
    let mut points = points(spec, sightings, &zones);
    place_runs(&mut points, turn_ms);
    let mut stairs = vec![Vec::new(); zones.len()];
    let mut ahead = vec![0; zones.len()];
    for round in 0..ROUNDS {
        let clock = clock(&points, turn_ms);
        for (zone, tracks) in zones.iter_mut().enumerate() {
            let mine: Vec<usize> =
                (0..points.len()).filter(|&index| points[index].anchor.zone == zone).collect();
            let known = mine.iter().filter_map(|&index| {
                let point = &points[index];
                Some(Seen { track: point.track, angle: clock[index]? - point.anchor.within })
            });
            let mut seen: Vec<Seen> = known.collect();
            seen.sort_by_key(|one| one.track);
            if seen.len() < SIGHTINGS_LEAST {
                continue;
            }
            let room = spec.zones[zone].spares.saturating_sub(tracks.slipped() as u64);
            let most = room.min(SLIPS_MOST) as usize;
            if round == 0 {
                let old = surface.zone_angles(zone, 1);
                let described = [old.first, old.cylinder, old.head];
                let candidates = candidates(tracks.angles, described, spec.zones[zone].spt);
                (*tracks, ahead[zone]) = chosen(tracks, &candidates, &seen, most);
            }
            let (better, found) = climbed(tracks, &seen, ahead[zone], most);
            (*tracks, stairs[zone]) = (better, found);
            for index in mine {
                let steps = stairs[zone].iter().filter(|stair| stair.track <= points[index].track).count();
                points[index].angle = tracks.angle(points[index].track + steps);
            }
        }
    }
    with_stairs(spec, &zones, &stairs)
}

/// `spec` with the slips and the angles.
fn with_stairs(spec: &DriveSpec, zones: &[Tracks], stairs: &[Vec<Stair>]) -> Option<Slipped> {
    let width = |stair: &Stair| (stair.between.1 - stair.between.0 + 1) as f64;
    let within_tracks = median(&stairs.iter().flatten().map(width).collect::<Vec<f64>>())?;
    let mut spec = spec.clone();
    let (mut start, mut between) = (0, Vec::new());
    for ((tracks, found), zone) in zones.iter().zip(stairs).zip(&spec.zones) {
        let place = |track: usize| start + u64::from(tracks.physical(track)) * u64::from(zone.spt);
        for (before, stair) in found.iter().enumerate() {
            spec.defects.slips.push(place(stair.track + before));
            between.push((place(stair.between.0 + before), place(stair.between.1 + before)));
        }
        start += zone.sectors(spec.heads);
    }
    spec.defects.slips.sort_unstable();
    spec.defects.slips.dedup();
    let heads = f64::from(spec.heads) - 1.0;
    let each = zones.iter().map(|tracks| {
        let [first, cylinder, head] = tracks.angles;
        let part = |turns: f64| turns.rem_euclid(1.0);
        ZoneSkew::Turns {
            offset: part(first),
            head: part(head),
            // From the last track of a cylinder to the first of the next.
            cylinder: part(cylinder - heads * head),
            range: 0.0,
        }
    });
    spec.skew = SkewSpec::Zones { each: each.collect(), slips_advance: false };
    Some(Slipped { spec, between, within_tracks })
}

/// All sightings in order of time, each in a run of neighbours of its zone.
fn points<'a>(spec: &DriveSpec, sightings: &'a [Vec<Anchor>], zones: &[Tracks]) -> Vec<Point<'a>> {
    let mut points: Vec<Point> = Vec::new();
    for (kind, anchors) in sightings.iter().enumerate() {
        for anchor in anchors {
            let physical = anchor.cylinder * spec.heads + anchor.order;
            let tracks = &zones[anchor.zone];
            let track = tracks.among_good(physical);
            points.push(Point { anchor, kind, track, run: 0, angle: tracks.angle(track) });
        }
    }
    points.sort_by(|a, b| a.anchor.at_ms.total_cmp(&b.anchor.at_ms));
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by_key(|&index| (points[index].anchor.zone, points[index].track));
    let (mut run, mut held, mut zone) = (0, 0, points.first().map_or(0, |_| points[order[0]].anchor.zone));
    for index in order {
        if held == RUN || points[index].anchor.zone != zone {
            (run, held, zone) = (run + 1, 0, points[index].anchor.zone);
        }
        points[index].run = run;
        held += 1;
    }
    points
}

/// Calls `each` with all pairs of one kind that are near in time.
fn pairs(points: &[Point], mut each: impl FnMut(&Point, &Point)) {
    for (index, first) in points.iter().enumerate() {
        for second in &points[index + 1..] {
            if second.anchor.at_ms - first.anchor.at_ms > APART_MS {
                break;
            }
            if first.kind == second.kind {
                each(first, second);
            }
        }
    }
}

/// What a sighting leaves of the clock, in turns.
fn left(point: &Point, turn_ms: f64) -> f64 {
    point.anchor.at_ms / turn_ms - point.angle - point.anchor.within
}

/// Moves the angles of whole runs so that pairs of sightings agree.
fn place_runs(points: &mut [Point], turn_ms: f64) {
    let runs = points.iter().map(|point| point.run + 1).max().unwrap_or(0);
    let mut between = vec![Directions::default(); runs * runs];
    pairs(points, |first, second| {
        let turns = left(second, turn_ms) - left(first, turn_ms);
        between[first.run * runs + second.run].add(turns);
        between[second.run * runs + first.run].add(-turns);
    });
    let strength = |a: usize, b: usize| between[a * runs + b].resultant() * between[a * runs + b].weight();
    let mut moved: Vec<Option<f64>> = vec![None; runs];
    let mut tie: Vec<(f64, usize)> = vec![(0.0, 0); runs];
    // The run that is tied most strongly to one already placed is placed next.
    for _ in 0..runs {
        let open = (0..runs).filter(|&run| moved[run].is_none());
        let Some(run) = open.max_by(|&a, &b| tie[a].0.total_cmp(&tie[b].0)) else { break };
        let by = between[tie[run].1 * runs + run].mean().filter(|_| tie[run].0 > 0.0);
        moved[run] = Some(moved[tie[run].1].unwrap_or(0.0) + by.unwrap_or(0.0));
        for (other, tie) in tie.iter_mut().enumerate() {
            if strength(run, other) > tie.0 {
                *tie = (strength(run, other), run);
            }
        }
    }
    for _ in 0..SWEEPS {
        for run in 0..runs {
            let mut sum = Directions::default();
            for other in (0..runs).filter(|&other| other != run) {
                if let Some(mean) = between[other * runs + run].mean() {
                    sum.add_weighted(moved[other].unwrap_or(0.0) + mean, strength(other, run));
                }
            }
            moved[run] = sum.mean().or(moved[run]);
        }
    }
    for point in points.iter_mut() {
        point.angle += moved[point.run].unwrap_or(0.0);
    }
}

/// Rounds in which every run is turned to where the others want it.
const SWEEPS: usize = 60;

/// The angle of the platter that each sighting saw, as the other sightings of its kind around it have the clock.
fn clock(points: &[Point], turn_ms: f64) -> Vec<Option<f64>> {
    let lefts: Vec<f64> = points.iter().map(|point| wrapped(left(point, turn_ms))).collect();
    let near = |index: usize, other: usize| {
        let apart_ms = points[other].anchor.at_ms - points[index].anchor.at_ms;
        apart_ms.abs() <= APART_MS
    };
    (0..points.len())
        .map(|index| {
            let before = (0..index).rev().take_while(|&other| near(index, other));
            let behind = (index + 1..points.len()).take_while(|&other| near(index, other));
            let same = before.chain(behind).filter(|&other| points[other].kind == points[index].kind);
            let sum: Directions = same.map(|other| lefts[other]).collect();
            let mean = sum.mean().filter(|_| sum.resultant() > AGREEMENT)?;
            Some(points[index].anchor.at_ms / turn_ms - mean)
        })
        .collect()
}
