//! Seeks: the mean that random addresses see, and the curve as a table.

use super::ZoneSummary;
use crate::drive::seek::SeekTable;
use crate::drive::spec::{DriveSpec, Layout};
use crate::results::{Cell, Table};

/// A run of cylinders that random addresses hit equally often.
struct Band {
    first: u32,
    cylinders: u32,
    /// Probability of each cylinder.
    weight: f64,
}

/// Mean read seek over all pairs of addresses, each of `least_ms` at least, in ms.
///
/// The number of pairs of cylinders at a distance is, for two bands, a trapezoid; its second difference has
/// four spikes, so all bands together cost one pass over the distances.
pub(super) fn average_lba_weighted_ms(
    spec: &DriveSpec,
    seek: &SeekTable,
    zones: &[ZoneSummary],
    least_ms: f64,
) -> f64 {
    let bands = bands(spec, zones);
    let cylinders = spec.cylinders() as usize;
    // Signed distances -(N - 1)..=(N - 1), and room for the spikes after the last.
    let zero = cylinders;
    let mut second = vec![0.0; 2 * cylinders + 4];
    for from in &bands {
        for to in &bands {
            let weight = from.weight * to.weight;
            let lowest = zero + to.first as usize + 1 - (from.first + from.cylinders) as usize;
            let (a, b) = (from.cylinders as usize, to.cylinders as usize);
            second[lowest] += weight;
            second[lowest + a] -= weight;
            second[lowest + b] -= weight;
            second[lowest + a + b] += weight;
        }
    }
    let (mut slope, mut share, mut mean_ms) = (0.0, 0.0, 0.0);
    for (index, spike) in second.iter().enumerate() {
        slope += spike;
        share += slope;
        mean_ms += share * seek.read(index.abs_diff(zero) as u32).as_ms().max(least_ms);
    }
    mean_ms
}

fn bands(spec: &DriveSpec, zones: &[ZoneSummary]) -> Vec<Band> {
    let mut first = 0;
    let mut bands = Vec::with_capacity(zones.len());
    for (index, zone) in (0..).zip(&spec.zones) {
        first += zone.skipped_cylinders;
        if let Some(used) = zones.iter().find(|used| used.zone == index) {
            let per_cylinder = u64::from(zone.spt) * u64::from(spec.heads);
            // Only the last zone is cut short: by cylinders, or, surface by surface, evenly.
            let cylinders = match spec.layout {
                Layout::SurfaceSerpentine => zone.cylinders,
                Layout::CylinderFirst | Layout::Zigzag { .. } => used.sectors.div_ceil(per_cylinder) as u32,
            };
            let share = used.sectors as f64 / spec.capacity_sectors as f64;
            bands.push(Band { first, cylinders, weight: share / f64::from(cylinders) });
        }
        first += zone.cylinders;
    }
    bands
}

/// The seek curve at about 200 distances, close together where it is steep.
pub fn seek_curve(spec: &DriveSpec) -> Table {
    const POINTS: u32 = 200;
    let cylinders = spec.cylinders();
    let seek = SeekTable::new(spec, cylinders);
    let longest = cylinders.saturating_sub(1);
    let mut table = Table::new(&["distance_cylinders", "read_ms", "write_ms"]);
    let mut last = None;
    for point in 0..=POINTS {
        let part = f64::from(point) / f64::from(POINTS);
        // Squares follow a root law evenly; the first few distances come one by one.
        let distance = ((part * part * f64::from(longest)) as u32).max(point.min(10)).min(longest);
        if last != Some(distance) {
            table.push(vec![
                Cell::Integer(i64::from(distance)),
                Cell::Real(seek.read(distance).as_ms()),
                Cell::Real(seek.write(distance).as_ms()),
            ]);
        }
        last = Some(distance);
    }
    table
}
