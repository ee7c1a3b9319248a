//! Random reads at a queue depth, measured on the simulated drive itself.
//!
//! Leaves out: host, card and cable; the bus is never slower than the drive.

use rand::RngExt;
use std::convert::Infallible;

use crate::cli::failure::Failure;
use crate::drive::DriveSpec;
use crate::replay::{self, Mode, Order, System};
use crate::sim::Streams;
use crate::units::Extent;
use crate::workload::trace::TraceRequest;

/// Sectors of a read: 8 KiB.
const SECTORS: u64 = 16;

/// Reads of 8 KiB a second with `outstanding` always under way, of which `order` picks those for a drive that takes one
/// at a time; the same seed gives the same reads.
///
/// # Errors
/// An internal fault, if the simulation stands still.
pub(super) fn reads_per_second(
    spec: &DriveSpec,
    outstanding: usize,
    order: Order,
    reads: u32,
    seed: u64,
) -> Result<f64, Failure> {
    let mut system = System::single(spec.clone());
    system.driver.order = order;
    let mut addresses = Streams::new(seed).stream("random reads", "addresses");
    let sectors = SECTORS.min(spec.capacity_sectors);
    let places = spec.capacity_sectors / sectors;
    let source = (1..=u64::from(reads)).map(|line| {
        let extent = Extent::new(addresses.random_range(0..places) * sectors, sectors);
        let request =
            TraceRequest { at: None, device: 0, write: false, extent, measured: None, think: None, line };
        Ok::<_, Infallible>(request)
    });
    let mode = Mode::AsFastAsPossible { outstanding };
    let totals = replay::run(&system, seed, source, mode, |_| {})
        .map_err(|stopped| Failure::Internal(stopped.cause.to_string()))?;
    Ok(totals.requests as f64 / totals.end.as_s())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::drive::summary::{DriveSummary, HOST_MS};
    use crate::scenario::{Library, ModelKind};

    #[test]
    fn one_at_a_time_is_the_closed_form_and_sorting_helps_many() {
        let source = Library::shipped().source(ModelKind::Drive, "maxtor-6l040j2").unwrap();
        let spec: DriveSpec = config::load(&source).unwrap();
        let rate = |outstanding, order| reads_per_second(&spec, outstanding, order, 2000, 1).unwrap();
        let single = rate(1, Order::Fcfs);
        let expected = 1e3 / (DriveSummary::new(&spec).random_8_kib.service_ms - HOST_MS);
        assert!((single / expected - 1.0).abs() < 0.03, "{single} against {expected}");
        // A drive without a queue of its own gains nothing from depth, unless the driver sorts.
        assert!((rate(16, Order::Fcfs) / single - 1.0).abs() < 0.03);
        assert!(rate(16, Order::CLook) > 1.3 * single);
    }
}
