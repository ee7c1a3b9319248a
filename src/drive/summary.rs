//! What the figures of a drive model amount to, for a person.
//!
//! Models: rates of the zones, mean seeks, slack of the skews, and expected rates in closed form at the
//! nominal speed.
//! Leaves out: anything that depends on caching or on a host; [`HOST_MS`] stands for the latter.

mod rates;
mod seeks;
#[cfg(test)]
mod tests;

use super::geometry::{SkewScheme, next_cylinder_head};
use super::seek::SeekTable;
use super::spec::DriveSpec;
use crate::results::{Cell, Table};
use crate::units::{MIB, SECTOR_BYTES, Span};

pub use super::spec::annotated;
pub use seeks::seek_curve;

/// Part of a command's time that host and driver take, in ms, in the expected rates (estimate; a measured
/// command overhead of 0.3 ms at depth 1 holds about this much outside the drive).
pub const HOST_MS: f64 = 0.10;

/// Bytes of the throughput test that makers print in their manuals (IBM 75GXP manual, p. 28).
pub const THROUGHPUT_TEST_BYTES: f64 = 16_777_216.0;

/// What a drive model amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveSummary {
    /// Maker and model.
    pub name: String,
    /// User-addressable sectors.
    pub capacity_sectors: u64,
    /// The same in 10^9 bytes.
    pub capacity_gb: f64,
    /// Sectors that the zones hold beyond the capacity.
    pub spare_sectors: u64,
    /// One turn at the nominal speed.
    pub revolution_ms: f64,
    /// Zones that hold addresses, from the outer edge inwards.
    pub zones: Vec<ZoneSummary>,
    /// Most that the drive moves over its connector, in MB/s: of a drive on a SCSI-like bus by the time of a block, of
    /// others by the mode and the way from the buffer.
    pub connector_mb_s: f64,
    /// Read seek over one cylinder.
    pub seek_single_ms: f64,
    /// Mean over all pairs of cylinders, as makers publish it.
    pub seek_average_cylinder_weighted_ms: f64,
    /// Mean over all pairs of addresses, what random requests see: less, as outer tracks hold more.
    pub seek_average_lba_weighted_ms: f64,
    /// Read seek from the first to the last cylinder.
    pub seek_full_ms: f64,
    /// Skew less switch time of a change of cylinder.
    pub cylinder_slack: Slack,
    /// The same of a change of head; none with one head.
    pub head_slack: Option<Slack>,
    /// Random reads of 512 bytes at depth 1.
    pub random_512_b: RandomRate,
    /// Random reads of 8 KiB at depth 1.
    pub random_8_kib: RandomRate,
    /// The makers' throughput test at the outer edge, in s.
    pub throughput_test_outer_s: f64,
    /// The same at the inner edge, in s.
    pub throughput_test_inner_s: f64,
    /// The makers' time of a random one-sector read, in ms: overhead, published mean seek, half a turn,
    /// one sector from the outer zone and over the bus.
    pub data_sheet_random_ms: f64,
}

/// One zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZoneSummary {
    /// Number of the zone.
    pub zone: u32,
    /// First address.
    pub first_lba: u64,
    /// Addresses.
    pub sectors: u64,
    /// Sectors a track.
    pub spt: u32,
    /// Rate on one track, in MB/s.
    pub media_mb_s: f64,
    /// Rate over many tracks, skews included, as the platters give it, in MB/s.
    pub platters_mb_s: f64,
    /// The same, but no more than the connector carries ([`DriveSummary::connector_mb_s`]).
    pub sustained_mb_s: f64,
}

impl ZoneSummary {
    /// Sustained rate in MiB/s.
    pub fn sustained_mib_s(&self) -> f64 {
        self.sustained_mb_s * 1e6 / MIB as f64
    }
    /// Rate on one track in MiB/s.
    pub fn media_mib_s(&self) -> f64 {
        self.media_mb_s * 1e6 / MIB as f64
    }
}

/// Skew less switch time: what a switch may be late before it costs a turn. The least of all zones, at the
/// nominal speed; negative if each switch costs a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slack {
    /// Of reads, in ms.
    pub read_ms: f64,
    /// Of reads, in sectors of that zone.
    pub read_sectors: f64,
    /// Of sequential writes, in ms.
    pub write_ms: f64,
    /// Of sequential writes, in sectors of that zone.
    pub write_sectors: f64,
}

/// Expected time and rate of random reads at depth 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomRate {
    /// Mean time of a request, in ms.
    pub service_ms: f64,
    /// Requests a second.
    pub per_s: f64,
}

impl DriveSummary {
    /// The summary of a validated spec.
    pub fn new(spec: &DriveSpec) -> Self {
        let seek = SeekTable::new(spec, spec.cylinders());
        let zones = rates::zones(spec);
        let average_ms = seek.average_cylinder_weighted().as_ms();
        let lba_weighted_ms = seeks::average_lba_weighted_ms(spec, &seek, &zones, 0.0);
        let least_ms = rates::least_read_seek_ms(spec);
        let positioning_ms = match least_ms > 0.0 {
            true => seeks::average_lba_weighted_ms(spec, &seek, &zones, least_ms),
            false => lba_weighted_ms,
        };
        let (cylinder_slack, head_slack) = slacks(spec, &seek);
        let random = |sectors| rates::random_read(spec, &zones, positioning_ms, sectors);
        let edge = |zone: Option<&ZoneSummary>| zone.map_or(f64::NAN, |zone| zone.sustained_mb_s);
        let sheet = rates::DataSheet::new(spec, average_ms);
        DriveSummary {
            name: spec.name.clone(),
            capacity_sectors: spec.capacity_sectors,
            capacity_gb: (spec.capacity_sectors * SECTOR_BYTES) as f64 / 1e9,
            spare_sectors: spec.physical_sectors().saturating_sub(spec.capacity_sectors),
            revolution_ms: spec.nominal_revolution().as_ms(),
            connector_mb_s: rates::connector_mb_s(spec),
            seek_single_ms: seek.read(1).as_ms(),
            seek_average_cylinder_weighted_ms: average_ms,
            seek_average_lba_weighted_ms: lba_weighted_ms,
            seek_full_ms: seek.full().as_ms(),
            cylinder_slack,
            head_slack,
            random_512_b: random(1),
            random_8_kib: random(16),
            throughput_test_outer_s: sheet.throughput_test_s(edge(zones.first())),
            throughput_test_inner_s: sheet.throughput_test_s(edge(zones.last())),
            data_sheet_random_ms: sheet.random_ms(edge(zones.first())),
            zones,
        }
    }

    /// Whether the connector carries less than the platters give in some zone.
    pub fn is_connector_bound(&self) -> bool {
        self.zones.iter().any(|zone| zone.sustained_mb_s < zone.platters_mb_s)
    }

    /// Sustained rate at the first address, in MB/s.
    pub fn outer_mb_s(&self) -> f64 {
        self.zones.first().map_or(f64::NAN, |zone| zone.sustained_mb_s)
    }
    /// Sustained rate at the last address, in MB/s.
    pub fn inner_mb_s(&self) -> f64 {
        self.zones.last().map_or(f64::NAN, |zone| zone.sustained_mb_s)
    }
    /// Sustained rate at the first address, in MiB/s.
    pub fn outer_mib_s(&self) -> f64 {
        self.zones.first().map_or(f64::NAN, ZoneSummary::sustained_mib_s)
    }
    /// Sustained rate at the last address, in MiB/s.
    pub fn inner_mib_s(&self) -> f64 {
        self.zones.last().map_or(f64::NAN, ZoneSummary::sustained_mib_s)
    }

    /// Rates over the addresses as a staircase: two rows a zone, at its begin and its end.
    pub fn zone_staircase(&self) -> Table {
        let columns =
            ["zone", "spt", "lba_gb", "media_mb_s", "platters_mb_s", "sustained_mb_s", "sustained_mib_s"];
        let mut table = Table::new(&columns);
        for zone in &self.zones {
            for lba in [zone.first_lba, zone.first_lba + zone.sectors] {
                table.push(vec![
                    Cell::Integer(i64::from(zone.zone)),
                    Cell::Integer(i64::from(zone.spt)),
                    Cell::Real((lba * SECTOR_BYTES) as f64 / 1e9),
                    Cell::Real(zone.media_mb_s),
                    Cell::Real(zone.platters_mb_s),
                    Cell::Real(zone.sustained_mb_s),
                    Cell::Real(zone.sustained_mib_s()),
                ]);
            }
        }
        table
    }
}

/// Slack of changes of cylinder and of head.
fn slacks(spec: &DriveSpec, seek: &SeekTable) -> (Slack, Option<Slack>) {
    let scheme = SkewScheme::new(spec);
    let turn = spec.nominal_revolution();
    let least = |to: (u32, u32), skew_of: &dyn Fn(usize) -> Span| {
        let of_zone = |(index, zone): (usize, &super::spec::ZoneSpec)| {
            let sector_ms = turn.as_ms() / f64::from(zone.spt);
            let slack = |write| skew_of(index).as_ms() - seek.position((0, 0), to, write, true).as_ms();
            let (read_ms, write_ms) = (slack(false), slack(true));
            Slack {
                read_ms,
                read_sectors: read_ms / sector_ms,
                write_ms,
                write_sectors: write_ms / sector_ms,
            }
        };
        let zones = spec.zones.iter().enumerate().map(of_zone);
        zones.min_by(|a, b| a.read_ms.total_cmp(&b.read_ms))
    };
    let none = Slack { read_ms: 0.0, read_sectors: 0.0, write_ms: 0.0, write_sectors: 0.0 };
    let cylinder = least((1, next_cylinder_head(spec)), &|zone| scheme.spans(zone, turn).cylinder);
    let head = least((0, 1), &|zone| scheme.spans(zone, turn).head);
    (cylinder.unwrap_or(none), head.filter(|_| spec.heads > 1))
}
