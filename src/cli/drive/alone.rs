//! A drive by itself, and what it gives when it is read from front to back.
//!
//! Leaves out: host and card. The bus is never slower than the drive's own connector.

use std::convert::Infallible;

use crate::channel::ScsiBusSpec;
use crate::cli::failure::Failure;
use crate::drive::summary::DriveSummary;
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::replay::{self, Mode, System};
use crate::results::markdown::figure;
use crate::units::{Extent, Instant, SECTOR_BYTES};
use crate::workload::trace::TraceRequest;

/// Bytes of a sequential read: what an operating system of the time asks for at once.
const READ_SECTORS: u64 = 128;
/// Reads of one measurement, 16 MiB.
const READS: u64 = 256;
/// Reads ahead of them, in which the drive gets into its stride.
const AHEAD: u64 = 32;
/// Of the spindle's angle, on which a stream does not depend.
const SEED: u64 = 1;

/// A system of one such drive, whose data take the time of its connector.
pub(super) fn alone(spec: &DriveSpec) -> System {
    let mut system = System::single(spec.clone());
    // A drive on a SCSI-like bus brings the time of a block along.
    if !matches!(spec.interface, InterfaceSpec::Scsi(_)) {
        let rate_mb_s = spec.interface.nominal_mb_s().min(spec.buffer_rate_mb_s);
        let block_ms = SECTOR_BYTES as f64 / (rate_mb_s * 1e3);
        let bus = ScsiBusSpec { read_block_ms: block_ms, write_block_ms: block_ms, ..ScsiBusSpec::default() };
        system.buses.fill(bus);
    }
    system
}

/// Rates of reads of 64 KiB one after another from the first address on, and up to the last one, in MB/s.
///
/// # Errors
/// An internal fault, if the simulation stands still.
pub(super) fn sequential_mb_s(spec: &DriveSpec) -> Result<[f64; 2], Failure> {
    let wanted = (AHEAD + READS) * READ_SECTORS;
    let first = spec.capacity_sectors.saturating_sub(wanted);
    Ok([read_through(spec, 0)?, read_through(spec, first)?])
}

fn read_through(spec: &DriveSpec, first: u64) -> Result<f64, Failure> {
    let system = alone(spec);
    let held = spec.capacity_sectors - first;
    let size = READ_SECTORS.min(held);
    let reads = (held / size).min(AHEAD + READS);
    let ahead = AHEAD.min(reads / 2) as usize;
    let source = (0..reads).map(|index| {
        let extent = Extent::new(first + index * size, size);
        let line = index + 1;
        let request =
            TraceRequest { at: None, device: 0, write: false, extent, measured: None, think: None, line };
        Ok::<_, Infallible>(request)
    });
    let mut completed = Vec::with_capacity(reads as usize);
    let mode = Mode::AsFastAsPossible { outstanding: 1 };
    replay::run(&system, SEED, source, mode, |outcome| completed.push(outcome.completed))
        .map_err(|stopped| Failure::Internal(stopped.cause.to_string()))?;
    let begun = if ahead > 0 { completed[ahead - 1] } else { Instant::ZERO };
    let spent_s = completed.last().map_or(f64::NAN, |end| end.since(begun).as_s());
    Ok(((reads as usize - ahead) as u64 * size * SECTOR_BYTES) as f64 / 1e6 / spent_s)
}

/// What to keep in mind of a bus that limits a drive: of descriptions for DiskSim it is the bus of the validation.
pub(super) const BUS_NOTE: &str = "That is the bus of the machine where the drive was measured (interface.block_ms; of a \
                                   DiskSim description: its validation's), not what the drive could do";

/// Whether the bus of a drive on a SCSI-like bus lets less through than its platters give.
pub(super) fn is_bus_bound(spec: &DriveSpec, summary: &DriveSummary) -> bool {
    matches!(spec.interface, InterfaceSpec::Scsi(_)) && summary.is_connector_bound()
}

/// What limits the sustained rate, in words; empty where it is the platters everywhere.
pub(super) fn limit(summary: &DriveSummary) -> String {
    if !summary.is_connector_bound() {
        return String::new();
    }
    let outer = summary.zones.first().map_or(f64::NAN, |zone| zone.platters_mb_s);
    let inner = summary.zones.last().map_or(f64::NAN, |zone| zone.platters_mb_s);
    let f = |x| figure(x, 4);
    format!(
        "the connector's {} MB/s are the limit; platters alone {} to {}",
        f(summary.connector_mb_s),
        f(outer),
        f(inner)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::scenario::{Library, ModelKind};

    fn spec(name: &str) -> DriveSpec {
        config::load(&Library::shipped().source(ModelKind::Drive, name).unwrap()).unwrap()
    }

    #[test]
    fn a_stream_runs_at_the_sustained_rate() {
        for name in ["maxtor-6l040j2", "wd-740gd", "quantum-atlas-10k", "seagate-cheetah-4lp"] {
            let spec = spec(name);
            let summary = DriveSummary::new(&spec);
            let [outer, inner] = sequential_mb_s(&spec).unwrap();
            // A drive on a bus also needs some time for each command.
            for (found, expected) in [(outer, summary.outer_mb_s()), (inner, summary.inner_mb_s())] {
                assert!((0.92..1.02).contains(&(found / expected)), "{name}: {found} against {expected}");
            }
        }
    }

    #[test]
    fn a_slow_connector_is_the_limit() {
        let with_block = |block_ms: f64| {
            let mut spec = spec("quantum-atlas-10k");
            let InterfaceSpec::Scsi(scsi) = &mut spec.interface else { panic!("a drive on a bus") };
            scsi.block_ms = block_ms;
            (DriveSummary::new(&spec), spec)
        };
        let (free, _) = with_block(0.005);
        assert_eq!((limit(&free), free.outer_mb_s()), (String::new(), free.zones[0].platters_mb_s));
        let (bound, spec) = with_block(0.1024);
        assert!((bound.outer_mb_s() - 5.0).abs() < 1e-9, "{}", bound.outer_mb_s());
        assert_eq!(bound.zones[0].platters_mb_s, free.zones[0].platters_mb_s);
        assert!(limit(&bound).starts_with("the connector's 5 MB/s are the limit"), "{}", limit(&bound));
        let [outer, _] = sequential_mb_s(&spec).unwrap();
        assert!((4.5..=5.0).contains(&outer), "{outer}");
    }

    #[test]
    fn the_smallest_drive_has_a_rate_too() {
        let spec = DriveSpec { capacity_sectors: 1, ..spec("wd-740gd") };
        assert!(sequential_mb_s(&spec).unwrap().iter().all(|rate| rate.is_finite() && *rate > 0.0));
    }
}
