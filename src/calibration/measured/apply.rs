//! A model with what was read out of a trace put into it.

use super::anchor::Surface;
use super::skews::ZoneSkewFit;
use crate::drive::DriveSpec;
use crate::drive::spec::{SkewSpec, SpareScheme, SpindlePhase, ZoneSkew};

/// Cylinders that share their spares, and whose change moves the tracks on; 1 where there are no ranges.
pub fn range_cylinders(spec: &DriveSpec) -> u32 {
    match spec.spare_scheme {
        SpareScheme::EndOfRange { cylinders } => cylinders.max(1),
        _ => 1,
    }
}

/// `spec` with the angles of its tracks corrected by `fits`.
pub fn with_skews(spec: &DriveSpec, surface: &Surface, fits: &[ZoneSkewFit]) -> DriveSpec {
    let range = range_cylinders(spec);
    let heads = f64::from(spec.heads) - 1.0;
    let each = fits.iter().enumerate().map(|(zone, fit)| {
        let old = surface.zone_angles(zone, range);
        let head = old.head + fit.head;
        let cylinder = old.cylinder + fit.cylinder;
        let whole_range = old.range + fit.range;
        let part = |turns: f64| turns.rem_euclid(1.0);
        ZoneSkew::Turns {
            offset: part(old.first + fit.first),
            head: part(head),
            // From the last track of a cylinder to the first of the next.
            cylinder: part(cylinder - heads * head),
            range: if range > 1 { part(whole_range - f64::from(range) * cylinder) } else { 0.0 },
        }
    });
    let each = each.collect();
    let slips_advance = matches!(spec.skew, SkewSpec::Zones { slips_advance: true, .. });
    DriveSpec { skew: SkewSpec::Zones { each, slips_advance }, ..spec.clone() }
}

/// `spec` with one source for each of the fields that a fit puts something of another kind into: sources of what was in
/// them would then name what is not there.
pub(super) fn with_whole_sources(spec: &DriveSpec) -> DriveSpec {
    let mut out = spec.clone();
    for field in ["seek", "write_seek", "skew"] {
        let inner = format!("{field}.");
        let first =
            out.sources.iter().find(|(path, _)| path.starts_with(&inner)).map(|(_, source)| source.clone());
        out.sources.retain(|path, _| !path.starts_with(&inner));
        if let Some(source) = first {
            out.sources.entry(field.to_owned()).or_insert(source);
        }
    }
    out
}

/// `spec` with a turn of `turn_ms` and the platters at `phase` turns at the start.
pub fn with_turn(spec: &DriveSpec, turn_ms: f64, phase: Option<f64>) -> DriveSpec {
    let rpm = (60_000.0 / turn_ms).round() as u32;
    let spindle_phase = phase.map_or(spec.spindle_phase, SpindlePhase::Turns);
    DriveSpec { rpm, turn_ms: Some(turn_ms), rpm_tolerance: 0.0, spindle_phase, ..spec.clone() }
}
