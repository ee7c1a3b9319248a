//! Overheads and the time of a block, from what is left between measured and modelled responses.
//!
//! A request that the buffer answers waits for no platter: what is left of it belongs to its overhead and its transfer.
//! What is left of the others tells their overhead only through the turns that they took or did not take
//! ([`arms`](super::arms)).

use rand::RngExt;

use super::follow::{Followed, WAITED_TURNS};
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::sim::Stream;
use crate::stats::median;

/// A figure of a model that a trace tells, and how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Its field (`overhead.read_hit_ms`).
    pub field: &'static str,
    /// Of a seek curve: the distance, in cylinders.
    pub cylinders: Option<u32>,
    /// Its value.
    pub value: f64,
    /// The 95 % interval of its bootstrap; of what a search has moved since, with the way that it was moved.
    pub interval: (f64, f64),
    /// Requests that tell it.
    pub requests: usize,
}

/// The figures of one step.
pub type Tuning = Vec<Figure>;

/// Fewer requests tell no figure.
const REQUESTS_LEAST: usize = 12;
/// Resamples of a bootstrap.
const RESAMPLES: usize = 100;

/// A class of requests that share an overhead: of writes or reads, after a write or a read.
const CLASSES: [(bool, bool, &str); 4] = [
    (false, false, "overhead.read_hit_ms"),
    (false, true, "overhead.read_hit_after_write_ms"),
    (true, false, "overhead.write_hit_ms"),
    (true, true, "overhead.write_hit_after_write_ms"),
];

/// A request that the buffer answered, in the model and on the drive.
#[derive(Clone, Copy)]
struct Answered {
    after_write: bool,
    sectors: f64,
    /// How much longer the drive took, in ms.
    left_ms: f64,
}

/// Corrects the overheads of answered reads or writes and their time of a block in `spec` by what `followed` leaves.
pub(super) fn answered(
    spec: &mut DriveSpec,
    followed: &[Followed],
    write: bool,
    random: &mut Stream,
) -> Tuning {
    let turn_ms = spec.nominal_revolution().as_ms();
    let mut requests: Vec<Answered> = Vec::new();
    for pair in followed.windows(2) {
        let (before, request) = (&pair[0].observed, &pair[1]);
        let sectors = request.observed.extent.sectors as f64;
        let longest = request.observed.response_ms().max(request.predicted_ms);
        let wanted = request.observed.write == write;
        if wanted && longest < WAITED_TURNS * turn_ms + block_ms(spec, request.observed.write) * sectors {
            requests.push(Answered { after_write: before.write, sectors, left_ms: -request.error_ms() });
        }
    }
    let mut tuning = Vec::new();
    let points: Vec<(f64, f64)> = requests.iter().map(|one| (one.sectors, one.left_ms)).collect();
    let has_block = matches!(spec.interface, InterfaceSpec::Scsi(_));
    if let Some(slope) = slope(&points).filter(|_| has_block) {
        let old = block_ms(spec, write);
        let new = (old + slope).max(0.0);
        set_block_ms(spec, write, new);
        for one in &mut requests {
            one.left_ms -= (new - old) * one.sectors;
        }
        let spread = interval(&points, random, |points| slope_of(points).unwrap_or(0.0));
        tuning.push(Figure {
            field: if write { "interface.write_block_ms" } else { "interface.block_ms" },
            cylinders: None,
            value: new,
            interval: reaching(new, (old + spread.0, old + spread.1)),
            requests: points.len(),
        });
    }
    for (_, after_write, field) in CLASSES.into_iter().filter(|class| class.0 == write) {
        let left: Vec<f64> =
            requests.iter().filter(|one| one.after_write == after_write).map(|one| one.left_ms).collect();
        if left.len() < REQUESTS_LEAST {
            continue;
        }
        let Some(by) = median(&left) else { continue };
        let old = spec.overhead.decode_ms(write, true, after_write);
        let value = overhead(spec, write, true, after_write, by);
        let spread = interval(&left, random, |left| median(left).unwrap_or(0.0));
        tuning.push(Figure {
            field,
            cylinders: None,
            value,
            interval: reaching(value, (old + spread.0, old + spread.1)),
            requests: left.len(),
        });
    }
    tuning
}

/// An interval as far as `value`, which stands beside what resamples tell where its range ends.
pub(super) fn reaching(value: f64, (low, high): (f64, f64)) -> (f64, f64) {
    (low.min(value), high.max(value))
}

/// Makes an overhead longer by `by_ms` and gives what it is then; never negative.
pub(super) fn overhead(spec: &mut DriveSpec, write: bool, hit: bool, after_write: bool, by_ms: f64) -> f64 {
    // What is unset follows its neighbour, which must not move it.
    let (plain, after) = [false, true].map(|after| spec.overhead.decode_ms(write, hit, after)).into();
    let times = &mut spec.overhead;
    let (plain_field, after_field) = match (write, hit) {
        (false, true) => (&mut times.read_hit_ms, &mut times.read_hit_after_write_ms),
        (false, false) => (&mut times.read_miss_ms, &mut times.read_miss_after_write_ms),
        (true, true) => (&mut times.write_hit_ms, &mut times.write_hit_after_write_ms),
        (true, false) => (&mut times.write_miss_ms, &mut times.write_miss_after_write_ms),
    };
    let new = (if after_write { after } else { plain } + by_ms).clamp(0.0, OVERHEAD_MS_MAX);
    *after_field = Some(if after_write { new } else { after });
    *plain_field = if after_write { plain } else { new };
    new
}

/// Longest overhead that a model may state.
const OVERHEAD_MS_MAX: f64 = 5.0;

/// Time of a block across the interface, in ms, as far as the drive states it.
pub(super) fn block_ms(spec: &DriveSpec, write: bool) -> f64 {
    match &spec.interface {
        InterfaceSpec::Scsi(scsi) if write => scsi.write_block_ms.unwrap_or(scsi.block_ms),
        InterfaceSpec::Scsi(scsi) => scsi.block_ms,
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => 0.0,
    }
}

pub(super) fn set_block_ms(spec: &mut DriveSpec, write: bool, ms: f64) {
    if let InterfaceSpec::Scsi(scsi) = &mut spec.interface {
        let other = scsi.write_block_ms.unwrap_or(scsi.block_ms);
        if write {
            scsi.write_block_ms = Some(ms);
        } else {
            (scsi.block_ms, scsi.write_block_ms) = (ms, Some(other));
        }
    }
}

/// The slope of `y` over `x`, robustly: that between the medians of the requests with the fewest sectors and each greater
/// number, weighted by how many there are.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    (points.len() >= 2 * REQUESTS_LEAST).then(|| slope_of(points)).flatten()
}

fn slope_of(points: &[(f64, f64)]) -> Option<f64> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let groups: Vec<(f64, f64, f64)> = sorted
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|group| group.len() >= 5)
        .map(|group| (group[0].0, group[group.len() / 2].1, group.len() as f64))
        .collect();
    let weight: f64 = groups.iter().map(|group| group.2).sum();
    let mean = |of: fn(&(f64, f64, f64)) -> f64| {
        groups.iter().map(|group| of(group) * group.2).sum::<f64>() / weight
    };
    let (x, y) = (mean(|group| group.0), mean(|group| group.1));
    let above: f64 = groups.iter().map(|group| group.2 * (group.0 - x) * (group.1 - y)).sum();
    let below: f64 = groups.iter().map(|group| group.2 * (group.0 - x) * (group.0 - x)).sum();
    (groups.len() >= 2 && below > 0.0).then(|| above / below)
}

/// The 95 % interval of a figure over resamples of its values.
pub(super) fn interval<T: Copy>(values: &[T], random: &mut Stream, of: impl Fn(&[T]) -> f64) -> (f64, f64) {
    let mut figures: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let resample: Vec<T> =
                (0..values.len()).map(|_| values[random.random_range(0..values.len())]).collect();
            of(&resample)
        })
        .collect();
    figures.sort_by(f64::total_cmp);
    let at = |share: f64| figures[((RESAMPLES - 1) as f64 * share).round() as usize];
    (at(0.025), at(0.975))
}
