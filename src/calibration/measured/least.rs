//! The least seek of a read, as single requests tell it.

use super::fit::FitError;
use crate::drive::spec::ScsiSpec;
use crate::drive::{DriveSpec, InterfaceSpec};

/// Steps of a least seek that are tried either way, and their size.
const STEPS: i32 = 4;
const STEP_MS: f64 = 0.15;

/// `spec` with another least seek of reads, if `error` is less with it. Bounds alone tell it badly where the buffer answers
/// many requests on the cylinder of the one before.
pub(super) fn least_seek_beside(
    spec: &DriveSpec,
    mut error: impl FnMut(&DriveSpec) -> Result<f64, FitError>,
) -> Result<Option<DriveSpec>, FitError> {
    let InterfaceSpec::Scsi(scsi) = spec.interface else { return Ok(None) };
    let mut best = (error(spec)?, None);
    for step in (-STEPS..=STEPS).filter(|&step| step != 0) {
        let minimum_read_seek_ms = scsi.minimum_read_seek_ms + f64::from(step) * STEP_MS;
        if minimum_read_seek_ms < 0.0 {
            continue;
        }
        let interface = InterfaceSpec::Scsi(ScsiSpec { minimum_read_seek_ms, ..scsi });
        let tried = DriveSpec { interface, ..spec.clone() };
        let worth = error(&tried)?;
        if worth < best.0 {
            best = (worth, Some(tried));
        }
    }
    Ok(best.1)
}
