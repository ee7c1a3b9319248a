//! What a drive file says.
//!
//! Models: the figures of one drive model, each with its unit as the last word of its name and its source in
//! [`DriveSpec::sources`].
//! Leaves out: anything that runs; [`Geometry`](super::geometry::Geometry),
//! [`SeekTable`](super::seek::SeekTable) and [`Spindle`](super::spindle::Spindle) are built from this.
//! Invariant: after [`Validate`](crate::config::Validate) found nothing, building them cannot fail.

mod electronics;
mod fields;
mod mechanics;
mod reserved;
mod scsi;
mod text;
mod validate;

pub use electronics::{
    BufferSpec, Destage, DestageStart, InterfaceSpec, OverheadSpec, QueueSpec, ReadAhead, ReadAheadRefill,
    ReadAheadRestart, Segments, WriteCacheSpec,
};
pub use fields::annotated;
pub use mechanics::{
    Defects, Layout, Remap, SectorSkew, SeekCurve, SkewSpec, SpareScheme, SpindlePhase, WriteSeek, ZoneSkew,
    ZoneSpec,
};
pub use reserved::{ErrorSpec, PowerFail, ThermalRecalibration};
pub use scsi::{
    Disconnection, ExtraWriteDisconnect, FastWrite, Prefetch, PrefetchRoom, PrefetchStop, ScsiSpec,
    SegmentSpec, WaterMark,
};
pub use text::ron;

use serde::{Deserialize, Serialize};

use crate::config::Sources;
use crate::units::Span;

/// A drive model: the record that a file under `models/drives/` holds.
///
/// Defaults are those of a 7200 rpm desktop ATA drive of 2001; what has no sensible default must be stated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriveSpec {
    /// Maker and model, as a person would write it.
    pub name: String,
    /// Version of this record; 1.
    #[serde(default = "default_format_version")]
    pub format_version: u32,
    /// User-addressable sectors, 1 to 2^48; at most what the zones hold less spares and slips.
    pub capacity_sectors: u64,
    /// Surfaces with a head, 1 to 32.
    pub heads: u32,
    /// Nominal spindle speed in turns a minute, 3000 to 20000.
    pub rpm: u32,
    /// Time of a turn that was measured, in ms, within 5 % of what `rpm` says; unset: exactly that. A spindle whose angle
    /// is to be known over thousands of turns needs more digits than a data sheet has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<f64>,
    /// Largest deviation of one drive's speed from `rpm`, as a fraction, 0 to 0.01; drawn once a drive so
    /// that the members of an array do not run in lock-step.
    #[serde(default = "default_rpm_tolerance")]
    pub rpm_tolerance: f64,
    /// Angle of the platters at power-on.
    #[serde(default)]
    pub spindle_phase: SpindlePhase,
    /// Order in which addresses visit heads and cylinders.
    #[serde(default)]
    pub layout: Layout,
    /// Zones from the outer edge inwards, 1 to 4096.
    pub zones: Vec<ZoneSpec>,
    /// Angle by which each track starts later than the one before it.
    #[serde(default)]
    pub skew: SkewSpec,
    /// Sectors that cannot be used where they are.
    #[serde(default)]
    pub defects: Defects,
    /// Where spare sectors are kept.
    #[serde(default)]
    pub spare_scheme: SpareScheme,
    /// Time of a read seek over a distance in cylinders.
    pub seek: SeekCurve,
    /// By how much a seek towards the spindle takes longer than one as far outwards, -5 to 5 ms; the curves are the mean
    /// of both. Cables, air and the servo's offset pull arms one way.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub inward_seek_extra_ms: f64,
    /// Mean seek that the maker publishes, in ms; checked against the curve to 2 %.
    #[serde(default)]
    pub quoted_average_ms: Option<f64>,
    /// What a write adds to a seek.
    #[serde(default)]
    pub write_seek: WriteSeek,
    /// What a track or cylinder switch within a sequential write adds, -5 to 5 ms.
    #[serde(default = "default_write_settle_sequential_ms")]
    pub write_settle_sequential_ms: f64,
    /// Standard deviation of a seek, 0 to 1 ms.
    #[serde(default)]
    pub seek_jitter_ms: f64,
    /// Time to follow a track with another head, 0 to 5 ms.
    #[serde(default = "default_head_switch_ms")]
    pub head_switch_ms: f64,
    /// Factor on every seek in the quiet (acoustic) mode, 1 to 3; 1 is the fast mode.
    #[serde(default = "default_quiet_seek_factor")]
    pub quiet_seek_factor: f64,
    /// Time the controller of the drive spends on a command.
    #[serde(default)]
    pub overhead: OverheadSpec,
    /// The buffer and its read-ahead.
    #[serde(default)]
    pub buffer: BufferSpec,
    /// The write-back cache.
    #[serde(default)]
    pub write_cache: WriteCacheSpec,
    /// Command queue inside the drive.
    #[serde(default)]
    pub queue: QueueSpec,
    /// The connector.
    pub interface: InterfaceSpec,
    /// What the path between buffer and interface sustains, 1 to 600 MB/s.
    #[serde(default = "default_buffer_rate_mb_s")]
    pub buffer_rate_mb_s: f64,
    /// 48-bit addresses; unset means: when the capacity needs them.
    #[serde(default)]
    pub lba48: Option<bool>,
    /// FLUSH CACHE is understood.
    #[serde(default = "yes")]
    pub flush_supported: bool,
    /// Forced unit access is understood.
    #[serde(default)]
    pub fua_supported: bool,
    /// Every destaged run is read back one turn later.
    #[serde(default)]
    pub write_verify: bool,
    /// Read errors. Parsed and validated; not simulated yet.
    #[serde(default)]
    pub errors: ErrorSpec,
    /// Thermal recalibration. Parsed and validated; not simulated yet.
    #[serde(default)]
    pub thermal_recalibration: ThermalRecalibration,
    /// Time from standstill to ready, 0 to 60 s. Parsed and validated; not simulated yet.
    #[serde(default = "default_spin_up_s")]
    pub spin_up_s: f64,
    /// What a power cut leaves of the sector under the head. Parsed and validated; not simulated yet.
    #[serde(default)]
    pub power_fail: PowerFail,
    /// Where each figure comes from.
    #[serde(default)]
    pub sources: Sources,
}

/// Most sectors that 28-bit addresses reach.
pub const LBA28_SECTORS: u64 = 1 << 28;

impl DriveSpec {
    /// Cylinders of all zones, and those between them.
    pub fn cylinders(&self) -> u32 {
        let of = |zone: &ZoneSpec| zone.cylinders.saturating_add(zone.skipped_cylinders);
        self.zones.iter().fold(0, |sum: u32, zone| sum.saturating_add(of(zone)))
    }
    /// Sectors of all zones, spares and defects included.
    pub fn physical_sectors(&self) -> u64 {
        self.zones.iter().fold(0, |sum: u64, zone| sum.saturating_add(zone.sectors(self.heads)))
    }
    /// One turn at the nominal speed, or as it was measured, rounded once to the nearest picosecond.
    pub fn nominal_revolution(&self) -> Span {
        if let Some(turn_ms) = self.turn_ms {
            return Span::from_ms(turn_ms);
        }
        const PS_PER_MINUTE: u64 = 60_000_000_000_000;
        let rpm = u64::from(self.rpm.max(1));
        Span::from_ps((PS_PER_MINUTE + rpm / 2) / rpm)
    }
    /// One turn of the fastest drive that `rpm_tolerance` allows.
    pub fn shortest_revolution(&self) -> Span {
        self.nominal_revolution().saturating_sub(self.revolution_tolerance())
    }
    /// Largest deviation of a turn from the nominal one.
    pub fn revolution_tolerance(&self) -> Span {
        Span::from_ms(self.nominal_revolution().as_ms() * self.rpm_tolerance)
    }
    /// True if commands carry 48-bit addresses.
    pub fn uses_lba48(&self) -> bool {
        self.lba48.unwrap_or(self.capacity_sectors > LBA28_SECTORS)
    }
}

fn default_format_version() -> u32 {
    1
}
fn default_rpm_tolerance() -> f64 {
    0.001
}
fn default_write_settle_sequential_ms() -> f64 {
    0.25
}
fn default_head_switch_ms() -> f64 {
    1.2
}
fn default_quiet_seek_factor() -> f64 {
    1.0
}
fn default_buffer_rate_mb_s() -> f64 {
    100.0
}
fn default_spin_up_s() -> f64 {
    5.5
}
fn is_zero(ms: &f64) -> bool {
    *ms == 0.0
}
fn yes() -> bool {
    true
}

/// A small drive for tests: two heads, three zones, 7200 rpm.
#[cfg(test)]
pub(crate) fn sample() -> DriveSpec {
    let text = r#"(
        name: "sample", capacity_sectors: 45000, heads: 2, rpm: 7200,
        zones: [(cylinders: 300, spt: 40), (cylinders: 200, spt: 32), (cylinders: 200, spt: 25)],
        skew: Wedges(per_track: 200, head: 45, cylinder: 36),
        seek: ThreePoint(single_ms: 1.2, average_ms: 8.5, full_ms: 17.0),
        interface: Ata(udma_mode_max: 6, mwdma_mode_max: 2, pio_mode_max: 4),
    )"#;
    parse_for_tests(text)
}

#[cfg(test)]
pub(crate) use validate::parse_for_tests;

/// Paths of the figures of `spec` that no source covers.
#[cfg(test)]
pub(crate) fn unsourced_figures(spec: &DriveSpec) -> Vec<String> {
    let figures = fields::leaves(spec).into_iter().filter(|leaf| leaf.numeric);
    let unsourced =
        figures.filter(|leaf| crate::config::fields::source_of(&spec.sources, &leaf.path).is_none());
    unsourced.map(|leaf| leaf.path).collect()
}
