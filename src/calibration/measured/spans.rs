//! How sure the figures are that the turns of single requests tell: their intervals over resamples of stretches of the
//! trace, as requests that follow each other share what disturbs them.

use rand::RngExt;

use super::arms::Arm;
use super::curve::{self, Shape};
use super::seeks::{Bound, best_shift};
use super::tune::{Figure, reaching};
use crate::drive::seek::interpolated;
use crate::drive::{DriveSpec, InterfaceSpec, SeekTable};
use crate::sim::Stream;

/// Resamples.
const RESAMPLES: usize = 60;
/// Requests of a stretch.
const STRETCH: usize = 16;
/// Fewer requests tell no interval.
const REQUESTS_LEAST: usize = 30;
/// Where a seek curve's interval is told: shares of its seeks that are no longer.
const PLACES: [f64; 6] = [0.03, 0.2, 0.4, 0.6, 0.8, 0.97];

/// The overheads of requests that need the platters: whether of writes, whether after one.
pub(super) const MISSES: [(bool, bool, &str); 4] = [
    (false, false, "overhead.read_miss_ms"),
    (false, true, "overhead.read_miss_after_write_ms"),
    (true, false, "overhead.write_miss_ms"),
    (true, true, "overhead.write_miss_after_write_ms"),
];

/// What `arms` of one of these classes tell that moved, each with the model's time.
pub(super) fn misses(arms: &[Arm], write: bool, after_write: bool) -> Vec<(Bound, f64)> {
    arms.iter()
        .filter(|arm| (arm.write, arm.after_write) == (write, after_write) && arm.bound.distance > 0)
        .filter(|arm| !arm.has_extra())
        .map(|arm| (arm.bound, arm.model_ms))
        .collect()
}

/// The same of writes that disconnect once more before their data, which have times of their own.
pub(super) fn extra_misses(arms: &[Arm]) -> Vec<(Bound, f64)> {
    let extra = arms.iter().filter(|arm| arm.has_extra() && arm.bound.distance > 0);
    extra.map(|arm| (arm.bound, arm.model_ms)).collect()
}

/// The value of a figure in `spec`; none of a field that no interval is sought for.
fn value(spec: &DriveSpec, field: &str, cylinders: Option<u32>) -> Option<f64> {
    if let Some(&(write, after_write, _)) = MISSES.iter().find(|miss| miss.2 == field) {
        return Some(spec.overhead.decode_ms(write, false, after_write));
    }
    let table = |distance, write| {
        let table = SeekTable::new(spec, spec.cylinders());
        if write { table.write(distance).as_ms() } else { table.read(distance).as_ms() }
    };
    match (field, &spec.interface, cylinders) {
        ("seek", _, Some(distance)) => Some(table(distance, false)),
        ("write_seek", _, Some(distance)) => Some(table(distance, true)),
        ("interface.minimum_read_seek_ms", InterfaceSpec::Scsi(scsi), _) => Some(scsi.minimum_read_seek_ms),
        ("interface.minimum_seek_ms", InterfaceSpec::Scsi(scsi), _) => Some(scsi.minimum_seek_ms),
        _ => None,
    }
}

/// The figures of `spec` that `arms` tell, each with its interval.
pub(super) fn spans(spec: &DriveSpec, arms: &[Arm], random: &mut Stream) -> Vec<Figure> {
    let mut figures = Vec::new();
    for (write, after_write, field) in MISSES {
        figures.extend(shifted(spec, field, &misses(arms, write, after_write), random));
    }
    for (write, field) in [(false, "interface.minimum_read_seek_ms"), (true, "interface.minimum_seek_ms")] {
        let least_ms = value(spec, field, None).unwrap_or(0.0);
        let still: Vec<(Bound, f64)> = arms
            .iter()
            .filter(|arm| arm.write == write && arm.bound.distance == 0)
            .map(|arm| (arm.bound, arm.decode_ms + least_ms))
            .collect();
        figures.extend(shifted(spec, field, &still, random));
    }
    figures.extend(curves(spec, arms, false, random));
    figures.extend(curves(spec, arms, true, random));
    figures
}

/// A figure by which all of `bounds` are shifted.
fn shifted(
    spec: &DriveSpec,
    field: &'static str,
    bounds: &[(Bound, f64)],
    random: &mut Stream,
) -> Option<Figure> {
    let value = value(spec, field, None).filter(|_| bounds.len() >= REQUESTS_LEAST)?;
    let shifts = (0..RESAMPLES).map(|_| best_shift(&resampled(bounds, random))).collect();
    let (low, high) = middle(shifts);
    Some(figure(field, None, value, (value + low, value + high), bounds.len()))
}

/// Some places of a seek curve.
fn curves(spec: &DriveSpec, arms: &[Arm], write: bool, random: &mut Stream) -> Vec<Figure> {
    let field = if write { "write_seek" } else { "seek" };
    let table = SeekTable::new(spec, spec.cylinders());
    let ms = |distance| if write { table.write(distance).as_ms() } else { table.read(distance).as_ms() };
    let bounds = curve::bounds(arms, write, ms);
    if bounds.len() < REQUESTS_LEAST {
        return Vec::new();
    }
    let found: Vec<_> = (0..RESAMPLES)
        .filter_map(|_| curve::near(&resampled(&bounds, random), ms, Shape::MIDDLING))
        .collect();
    let mut distances: Vec<u32> = bounds.iter().map(|bound| bound.distance).collect();
    distances.sort_unstable();
    let mut places = PLACES.map(|share| distances[((distances.len() - 1) as f64 * share) as usize]).to_vec();
    places.dedup();
    let at = |distance: u32| {
        let (low, high) = middle(found.iter().map(|found| interpolated(found, distance)).collect());
        let value = ms(distance);
        figure(field, Some(distance), value, (value + low, value + high), bounds.len())
    };
    places.into_iter().map(at).collect()
}

fn figure(
    field: &'static str,
    cylinders: Option<u32>,
    value: f64,
    (low, high): (f64, f64),
    requests: usize,
) -> Figure {
    let interval = reaching(value, (low.max(0.0), high));
    Figure { field, cylinders, value, interval, requests }
}

/// The figures as `spec` has them now that a search has moved them: their intervals reach from what single requests tell
/// to where the distributions have moved it.
pub(super) fn moved(figures: &mut [Figure], spec: &DriveSpec) {
    for figure in figures {
        let Some(now) = value(spec, figure.field, figure.cylinders) else { continue };
        let by = now - figure.value;
        let (low, high) = figure.interval;
        figure.value = now;
        figure.interval = (low.min(low + by).max(0.0), high.max(high + by));
    }
}

/// As many of `values`, in stretches drawn with replacement.
fn resampled<T: Copy>(values: &[T], random: &mut Stream) -> Vec<T> {
    let stretch = STRETCH.min(values.len());
    let mut out = Vec::with_capacity(values.len() + stretch);
    while out.len() < values.len() {
        let from = random.random_range(0..=values.len() - stretch);
        out.extend_from_slice(&values[from..from + stretch]);
    }
    out.truncate(values.len());
    out
}

/// The 95 % in the middle.
fn middle(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        values.get(((values.len().max(1) - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
    };
    (at(0.025), at(0.975))
}
