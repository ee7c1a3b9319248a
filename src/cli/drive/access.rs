//! Access times of a drive, measured on the simulated drive itself.
//!
//! Models: one-sector reads at random addresses, one after another, as WinBench's access-time test and HD Tune do;
//! the drive's own overheads, arm, rotation and the sector's way over the interface.
//! Leaves out: host, driver and card, which add about 0.1 ms.

use std::convert::Infallible;

use rand::RngExt;

use super::alone::alone;
use crate::cli::failure::Failure;
use crate::drive::DriveSpec;
use crate::replay::{self, Mode};
use crate::sim::Streams;
use crate::units::Extent;
use crate::workload::trace::TraceRequest;

/// One read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Access {
    /// Its address.
    pub lba: u64,
    /// From the command until its completion, in ms.
    pub ms: f64,
}

/// `reads` one-sector reads; the same seed gives the same reads.
///
/// # Errors
/// An internal fault, if the simulation stands still.
pub(super) fn measure(spec: &DriveSpec, reads: u32, seed: u64) -> Result<Vec<Access>, Failure> {
    let mut addresses = Streams::new(seed).stream("access test", "addresses");
    let source = (1..=u64::from(reads)).map(|line| {
        let extent = Extent::new(addresses.random_range(0..spec.capacity_sectors), 1);
        let request =
            TraceRequest { at: None, device: 0, write: false, extent, measured: None, think: None, line };
        Ok::<_, Infallible>(request)
    });
    let mut found = Vec::with_capacity(reads as usize);
    let mode = Mode::AsFastAsPossible { outstanding: 1 };
    replay::run(&alone(spec), seed, source, mode, |outcome| {
        found.push(Access { lba: outcome.request.extent.lba, ms: outcome.response().as_ms() });
    })
    .map_err(|stopped| Failure::Internal(stopped.cause.to_string()))?;
    Ok(found)
}

/// Mean of the access times, in ms; nothing for no reads.
pub(super) fn mean_ms(found: &[Access]) -> Option<f64> {
    (!found.is_empty()).then(|| found.iter().map(|access| access.ms).sum::<f64>() / found.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config;
    use crate::drive::summary::{DriveSummary, HOST_MS};
    use crate::scenario::{Library, ModelKind};

    fn spec(name: &str) -> DriveSpec {
        config::load(&Library::shipped().source(ModelKind::Drive, name).unwrap()).unwrap()
    }

    #[test]
    fn the_mean_access_is_what_the_figures_of_the_drive_amount_to() {
        for name in
            ["maxtor-6l080j4", "wd-740gd", "quantum-atlas-10k", "seagate-barracuda-st32171w", "hp-c3323a"]
        {
            let spec = spec(name);
            let expected = DriveSummary::new(&spec).random_512_b.service_ms - HOST_MS;
            let found = measure(&spec, 4000, 1).unwrap();
            let mean = mean_ms(&found).unwrap();
            assert_eq!(found.len(), 4000);
            assert!((mean - expected).abs() < 0.02 * expected, "{name}: {mean} against {expected}");
        }
    }

    #[test]
    fn a_seed_names_the_reads() {
        let spec = spec("wd-1200jb");
        let measure = |seed| measure(&spec, 20, seed).unwrap();
        assert_eq!(measure(7), measure(7));
        assert_ne!(measure(7), measure(8));
    }
}
