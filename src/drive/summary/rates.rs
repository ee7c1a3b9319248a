//! Rates in closed form.

use super::{HOST_MS, RandomRate, THROUGHPUT_TEST_BYTES, ZoneSummary};
use crate::drive::geometry::{Occupied, SkewScheme};
use crate::drive::spec::{DriveSpec, InterfaceSpec, Layout, WaterMark};
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
        let platters_mb_s = track_bytes / (turn.as_us() + switch_us);
        found.push(ZoneSummary {
            zone: index as u32,
            first_lba,
            sectors,
            spt: zone.spt,
            media_mb_s: track_bytes / turn.as_us(),
            platters_mb_s,
            sustained_mb_s: platters_mb_s.min(connector_mb_s(spec)),
        });
        first_lba += sectors;
    }
    found
}

/// Most that a drive moves over its connector, in MB/s.
pub(super) fn connector_mb_s(spec: &DriveSpec) -> f64 {
    match spec.interface {
        InterfaceSpec::Scsi(_) => spec.interface.nominal_mb_s(),
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => {
            spec.interface.nominal_mb_s().min(spec.buffer_rate_mb_s)
        }
    }
}

/// What a read takes at least to get to its track, in ms.
pub(super) fn least_read_seek_ms(spec: &DriveSpec) -> f64 {
    match spec.interface {
        InterfaceSpec::Scsi(scsi) => scsi.minimum_read_seek_ms,
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => 0.0,
    }
}

/// Command overhead of a read that the buffer does not answer, before the arm moves, in ms.
fn before_seek_ms(spec: &DriveSpec) -> f64 {
    let command_ms = match spec.interface {
        InterfaceSpec::Scsi(scsi) => scsi.command_ms,
        InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => 0.0,
    };
    command_ms + spec.overhead.read_miss_ms
}

/// From the first sector under the head to the end of a read of `sectors`, of which the platters take `media_ms`: on a
/// SCSI-like bus the drive comes back to the bus at its water mark and moves what it has got.
fn to_the_end_ms(spec: &DriveSpec, sectors: u32, media_ms: f64) -> f64 {
    let InterfaceSpec::Scsi(scsi) = spec.interface else { return media_ms + spec.overhead.completion_ms };
    let (wanted, segment) = (f64::from(sectors), f64::from(scsi.segments.blocks));
    let mark = match scsi.water_mark {
        WaterMark::Request => (wanted.min(segment) * scsi.read_high_water).floor(),
        WaterMark::Segment => (segment * scsi.read_high_water).ceil(),
    };
    let mark = mark.clamp(1.0, wanted);
    let back_ms = scsi.reselect_first_ms + scsi.data_preparation_ms;
    let drained_ms = media_ms * mark / wanted + back_ms + wanted * scsi.block_ms;
    // Faster than the platters, it waits on the bus for the last block, or leaves the bus and comes back for it.
    let waits_ms = if scsi.disconnection.holds(false) { 0.0 } else { back_ms };
    let last_ms = if drained_ms >= media_ms { drained_ms } else { media_ms + waits_ms + scsi.block_ms };
    last_ms + scsi.read_completion_ms
}

/// Random reads of `sectors` sectors over all addresses at depth 1: host and command overhead, mean seek,
/// half a turn, and the sectors with the track borders among them.
pub(super) fn random_read(spec: &DriveSpec, zones: &[ZoneSummary], seek_ms: f64, sectors: u32) -> RandomRate {
    let turn_ms = spec.nominal_revolution().as_ms();
    let media_ms: f64 = zones
        .iter()
        .map(|zone| {
            let share = zone.sectors as f64 / spec.capacity_sectors as f64;
            let bytes = |count: u32| f64::from(count) * SECTOR_BYTES as f64;
            // The last sector ends at the media rate; each of the gaps before it may be a track border.
            let switch_ms = bytes(1) / (zone.platters_mb_s * 1e3) - bytes(1) / (zone.media_mb_s * 1e3);
            share * (bytes(sectors) / (zone.media_mb_s * 1e3) + f64::from(sectors - 1) * switch_ms)
        })
        .sum();
    let moved_ms = to_the_end_ms(spec, sectors, media_ms);
    let service_ms = HOST_MS + before_seek_ms(spec) + seek_ms + turn_ms / 2.0 + moved_ms;
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
        // The sector itself is counted apart.
        let block_ms = match spec.interface {
            InterfaceSpec::Scsi(scsi) => scsi.block_ms,
            InterfaceSpec::Ata { .. } | InterfaceSpec::Sata { .. } => 0.0,
        };
        let overhead_ms = before_seek_ms(spec) + to_the_end_ms(spec, 1, 0.0) - block_ms;
        DataSheet {
            access_ms: overhead_ms + average_seek_ms + spec.nominal_revolution().as_ms() / 2.0,
            bus_mb_s: connector_mb_s(spec),
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
