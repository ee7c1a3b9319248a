//! When writes start on the medium: how far their data must be ahead of the heads.
//!
//! Where the bus is slower than the medium, a drive that starts too early must let a turn pass in the middle. So drives wait
//! until enough of the data is there, some for all of it. That shows as writes that start the later the longer they are,
//! which an overhead that is too long and seeks that are too short imitate. So each lead is tried with the overheads and the
//! shift of all seeks with which single requests break the fewest bounds.

use super::arms::Arm;
use super::refine::{bend, with_knots};
use super::seeks::{Bound, best_shift, broken_by};
use super::tune;
use crate::drive::spec::{FastWrite, ScsiSpec, WriteSeek};
use crate::drive::{DriveSpec, InterfaceSpec};

/// Leads that are tried, in blocks, beside all blocks of a write.
const LEADS: [u32; 10] = [2, 3, 4, 6, 8, 12, 16, 24, 32, 64];
/// Steps of a shift of all seeks that are tried either way, and their size in turns.
const STEPS: i32 = 10;
const STEP: f64 = 0.015;
/// The same of the lateness of data after a read.
const DATA_STEPS: i32 = 8;
const DATA_STEP: f64 = 0.03;
/// Bounds that this must keep more than without it.
const DATA_PRICE: usize = 4;
/// Fewer requests of a class tell no overhead.
const REQUESTS_LEAST: usize = 30;

/// True if the data of writes must be ahead of the heads in `spec`.
pub(super) fn leads_data(spec: &DriveSpec) -> bool {
    matches!(&spec.interface, InterfaceSpec::Scsi(scsi) if scsi.write_lead_blocks > 0)
}

/// `spec` with the times of writes that go best with the lead that it has.
pub(super) fn with_same_lead(spec: &DriveSpec, arms: &[Arm]) -> DriveSpec {
    match spec.interface {
        InterfaceSpec::Scsi(scsi) => with_times(spec, &scsi, arms),
        _ => spec.clone(),
    }
}

/// `spec` with other leads of the data before the heads, each with the times that go best with it.
pub(super) fn leads(spec: &DriveSpec, arms: &[Arm]) -> Vec<DriveSpec> {
    let InterfaceSpec::Scsi(scsi) = spec.interface else { return Vec::new() };
    if scsi.fast_write != FastWrite::Off {
        return Vec::new();
    }
    let all = scsi.segments.blocks;
    let mut candidates = Vec::new();
    for lead in LEADS.into_iter().filter(|&lead| lead < all).chain([all]) {
        // Writing from the middle on may have been taken for the sake of late starts.
        for zero_latency_write in [false, true] {
            let changed = ScsiSpec { write_lead_blocks: lead, zero_latency_write, ..scsi };
            if lead != scsi.write_lead_blocks && (scsi.zero_latency_write || !zero_latency_write) {
                candidates.push(with_times(spec, &changed, arms));
            }
        }
    }
    candidates
}

/// The classes of writes that have times of their own: after a read, after a write, and with one disconnection more.
const CLASSES: usize = 3;

/// `spec` with `scsi` and with the times of writes that go best with its lead.
fn with_times(spec: &DriveSpec, scsi: &ScsiSpec, arms: &[Arm]) -> DriveSpec {
    let lead = f64::from(scsi.write_lead_blocks);
    let turn_ms = spec.nominal_revolution().as_ms();
    // When the heads of each write are there and when its data is, and the bound of the later of both.
    let mut starts: [Vec<Start>; CLASSES] = Default::default();
    for arm in arms.iter().filter(|arm| arm.write) {
        let class = if arm.has_extra() { 2 } else { usize::from(arm.after_write) };
        starts[class].push(Start {
            bound: Bound::of_pass(arm.bound.distance, arm.bound.most_ms, turn_ms),
            arrived_ms: arm.model_ms,
            least_ms: arm.decode_ms + scsi.minimum_seek_ms,
            ready_ms: arm.data.map_or(0.0, |data| data.ready_with_lead_ms(lead)),
        });
    }
    let mut best: Option<(usize, f64, [Times; CLASSES])> = None;
    for step in outwards(STEPS) {
        let seek_ms = f64::from(step) * STEP * turn_ms;
        let [after_read, after_write, extra] = &starts;
        let times = [
            data_and_shift(after_read, seek_ms, scsi.write_after_read_data_ms, turn_ms),
            shift(after_write, seek_ms, 0.0),
            shift(extra, seek_ms, 0.0),
        ];
        let cost = times.iter().map(|times| times.cost).sum();
        if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
            best = Some((cost, seek_ms, times));
        }
    }
    let Some((_, seek_ms, [after_read, after_write, extra])) = best else { return spec.clone() };
    let mut changed = spec.clone();
    let mut scsi = *scsi;
    scsi.write_after_read_data_ms += after_read.data_ms;
    if scsi.write_after_read_data_ms == 0.0 {
        // What is not in the file has no source.
        changed.sources.remove("interface.write_after_read_data_ms");
    }
    if let Some(times) = &mut scsi.extra_write_disconnect {
        times.command_ms = (times.command_ms + extra.shift_ms).max(0.0);
    }
    changed.interface = InterfaceSpec::Scsi(scsi);
    tune::overhead(&mut changed, true, false, false, after_read.shift_ms);
    tune::overhead(&mut changed, true, false, true, after_write.shift_ms);
    match &changed.write_seek {
        WriteSeek::Settle(settle_ms) => changed.write_seek = WriteSeek::Settle(settle_ms + seek_ms),
        WriteSeek::Own(_) => {
            changed.write_seek = with_knots(&changed).write_seek;
            if let WriteSeek::Own(curve) = &mut changed.write_seek {
                bend(curve, |_| seek_ms);
            }
        }
    }
    changed
}

/// A write that waited for arm, data and platters, in ms from its issue.
struct Start {
    bound: Bound,
    arrived_ms: f64,
    /// Its arm is not there sooner, whatever the seek takes.
    least_ms: f64,
    ready_ms: f64,
}

/// What goes best with the writes of a class.
#[derive(Clone, Copy)]
struct Times {
    /// Bounds that are broken then, and what a time beside others costs.
    cost: usize,
    /// What its overhead is longer.
    shift_ms: f64,
    /// What its data comes later than that.
    data_ms: f64,
}

/// The overhead if seeks take `seek_ms` longer and data comes `data_ms` later.
fn shift(starts: &[Start], seek_ms: f64, data_ms: f64) -> Times {
    let later = |one: &Start| {
        let seek_ms = if one.bound.distance > 0 { seek_ms } else { 0.0 };
        (one.bound, (one.arrived_ms + seek_ms).max(one.least_ms).max(one.ready_ms + data_ms))
    };
    let bounds: Vec<(Bound, f64)> = starts.iter().map(later).collect();
    let shift_ms = if bounds.len() < REQUESTS_LEAST { 0.0 } else { best_shift(&bounds) };
    Times { cost: broken_by(&bounds, shift_ms), shift_ms, data_ms }
}

/// The same with the lateness of the data, of which `old_ms` are in the model, that goes best with it.
fn data_and_shift(starts: &[Start], seek_ms: f64, old_ms: f64, turn_ms: f64) -> Times {
    let ms = |step: i32| f64::from(step) * DATA_STEP * turn_ms;
    let lateness = outwards(DATA_STEPS).map(|step| ms(step) - old_ms).chain([0.0]);
    let costly = lateness.filter(|data_ms| (-10.0..=100.0).contains(&(old_ms + data_ms))).map(|data_ms| {
        let times = shift(starts, seek_ms, data_ms);
        // One time more has to explain some requests.
        let price = if old_ms + data_ms == 0.0 { 0 } else { DATA_PRICE };
        Times { cost: times.cost + price, ..times }
    });
    costly.reduce(|best, next| if next.cost < best.cost { next } else { best }).unwrap_or(Times {
        cost: starts.len(),
        shift_ms: 0.0,
        data_ms: 0.0,
    })
}

/// 0 and then steps to either side: of equals the least is taken.
fn outwards(steps: i32) -> impl Iterator<Item = i32> {
    (0..=steps).flat_map(|step| [step, -step])
}
