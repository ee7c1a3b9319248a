//! Rates in closed form.

use super::{HOST_MS, RandomRate, THROUGHPUT_TEST_BYTES, ZoneSummary};
use crate::drive::geometry::{Occupied, SkewScheme};
use crate::drive::spec::{DriveSpec, Layout};
use crate::units::SECTOR_BYTES;

/// The zones that hold addresses.
pub(super) fn zones(spec: &DriveSpec) -> Vec<ZoneSummary> {
    let scheme = SkewScheme::new(spec);
    let turn = spec.nominal_revolution();
    let addresses = Occupied::new(spec).zone_addresses();
    let mut first_lba = 0;
    let mut found = Vec::new();
    for (index, zone) in spec.zones.iter().enumerate() {
        let sectors = addresses.get(index).copied().unwrap_or(0);
        if sectors == 0 {
            continue;
        }
        let skew = scheme.spans(index, turn);
        let (heads, cylinders) = (f64::from(spec.heads), f64::from(zone.cylinders));
        let track_bytes = f64::from(zone.spt) * SECTOR_BYTES as f64;
        // Switches of each kind for every track of the zone.
        let head_switches = match spec.layout {
            Layout::SurfaceSerpentine => (heads - 1.0) / (heads * cylinders),
            Layout::CylinderFirst | Layout::Zigzag { .. } => (heads - 1.0) / heads,
        };
        let switch_us = head_switches * skew.head.as_us() + (1.0 - head_switches) * skew.cylinder.as_us();
        found.push(ZoneSummary {
            zone: index as u32,
            first_lba,
            sectors,
            spt: zone.spt,
            media_mb_s: track_bytes / turn.as_us(),
            sustained_mb_s: track_bytes / (turn.as_us() + switch_us),
        });
        first_lba += sectors;
    }
    found
}

/// Random reads of `sectors` sectors over all addresses at depth 1: host and command overhead, mean seek,
/// half a turn, and the sectors with the track borders among them.
pub(super) fn random_read(spec: &DriveSpec, zones: &[ZoneSummary], seek_ms: f64, sectors: u32) -> RandomRate {
    let turn_ms = spec.nominal_revolution().as_ms();
    let transfer_ms: f64 = zones
        .iter()
        .map(|zone| {
            let share = zone.sectors as f64 / spec.capacity_sectors as f64;
            let bytes = |count: u32| f64::from(count) * SECTOR_BYTES as f64;
            // The last sector ends at the media rate; each of the gaps before it may be a track border.
            let switch_ms = bytes(1) / (zone.sustained_mb_s * 1e3) - bytes(1) / (zone.media_mb_s * 1e3);
            share * (bytes(sectors) / (zone.media_mb_s * 1e3) + f64::from(sectors - 1) * switch_ms)
        })
        .sum();
    let overhead_ms = HOST_MS + spec.overhead.read_miss_ms + spec.overhead.completion_ms;
    let service_ms = overhead_ms + seek_ms + turn_ms / 2.0 + transfer_ms;
    RandomRate { service_ms, per_s: 1e3 / service_ms }
}

/// The makers' way to print throughput (IBM 75GXP manual, p. 28).
pub(super) struct DataSheet {
    /// Overhead, published mean seek and half a turn.
    access_ms: f64,
    bus_mb_s: f64,
}

impl DataSheet {
    pub(super) fn new(spec: &DriveSpec, average_seek_ms: f64) -> Self {
        let overhead_ms = spec.overhead.read_miss_ms + spec.overhead.completion_ms;
        DataSheet {
            access_ms: overhead_ms + average_seek_ms + spec.nominal_revolution().as_ms() / 2.0,
            bus_mb_s: spec.buffer_rate_mb_s.min(spec.interface.nominal_mb_s()),
        }
    }

    /// One access, 16.78 MB at the sustained rate, and the last sector over the bus; in s.
    pub(super) fn throughput_test_s(&self, sustained_mb_s: f64) -> f64 {
        let media_s = THROUGHPUT_TEST_BYTES / (sustained_mb_s * 1e6);
        self.access_ms / 1e3 + media_s + SECTOR_BYTES as f64 / (self.bus_mb_s * 1e6)
    }

    /// One access and one sector; in ms.
    pub(super) fn random_ms(&self, sustained_mb_s: f64) -> f64 {
        let sector_ms = |mb_s: f64| SECTOR_BYTES as f64 / (mb_s * 1e3);
        self.access_ms + sector_ms(sustained_mb_s) + sector_ms(self.bus_mb_s)
    }
}
