//! A drive in the few figures of a speed preset of the emulator 86Box, and the error that these make.
//!
//! Models: what 86Box computes from a preset (`hdd.c`: zones of equal cylinders whose sectors a track follow one fixed
//! parabola over the radius; a seek that is the track seek plus the full stroke times the part of the cylinders; half a
//! turn instead of a rotation; the track seek at every change of track).
//! Leaves out: its cache, which adds no time to these figures, and the host.

mod zones;

use crate::drive::DriveSpec;
use crate::drive::geometry::SkewScheme;
use crate::drive::seek::SeekTable;
use crate::drive::spec::{InterfaceSpec, Layout, Segments};
use crate::drive::summary::{DriveSummary, HOST_MS};
use crate::units::SECTOR_BYTES;

pub use zones::MergedZone;

/// The fields of a preset.
#[derive(Clone, Debug, PartialEq)]
pub struct Preset {
    /// What a person chooses.
    pub name: String,
    /// What a configuration file holds.
    pub internal_name: String,
    /// What the drive calls itself.
    pub model: String,
    /// Zones of equal cylinders; at most [`ZONES_MAX`].
    pub zones: u32,
    /// Mean sectors a track.
    pub avg_spt: u32,
    /// Surfaces.
    pub heads: u32,
    /// Turns a minute.
    pub rpm: u32,
    /// What a seek over all cylinders takes beyond the track seek, in ms.
    pub full_stroke_ms: f64,
    /// Track to track, and every change of track in a sequential access, in ms.
    pub track_seek_ms: f64,
    /// Segments of the read cache; at most [`SEGMENTS_MAX`].
    pub rcache_num_seg: u32,
    /// Sectors of each.
    pub rcache_seg_size: u32,
    /// Most sectors of a READ MULTIPLE block.
    pub max_multiple: u32,
}

/// One zone as 86Box cuts it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PresetZone {
    /// Cylinders.
    pub cylinders: u32,
    /// Sectors a track.
    pub spt: u32,
}

/// A figure of the full model and of the preset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compared {
    /// What it is, with its unit.
    pub name: &'static str,
    /// By the full model.
    pub full: f64,
    /// By the preset.
    pub preset: f64,
}

impl Compared {
    /// The error of the preset, in percent.
    pub fn off_percent(&self) -> f64 {
        100.0 * (self.preset / self.full - 1.0)
    }
}

/// Zones that 86Box has room for (`HDD_MAX_ZONES` of its `hdd.h`).
pub const ZONES_MAX: usize = 16;
/// Segments that it has room for (`HDD_MAX_CACHE_SEG`).
pub const SEGMENTS_MAX: u32 = 16;
/// What drives of the time announce for READ MULTIPLE.
const MULTIPLE_USUAL: u32 = 16;
/// Overhead that 86Box puts on a command that needs no platter, in ms; none on others.
const MISS_OVERHEAD_MS: f64 = 0.0;

impl Preset {
    /// The preset of a validated spec: each field by its meaning, none fitted.
    pub fn new(spec: &DriveSpec) -> Self {
        let summary = DriveSummary::new(spec);
        let surface = spec.capacity_sectors.div_ceil(u64::from(spec.heads));
        let tracks = used_tracks(spec);
        let track_seek_ms = mean_switch_ms(spec);
        let (rcache_num_seg, rcache_seg_size) = match (&spec.interface, spec.buffer.segments) {
            // A front end on a SCSI-like bus has segments of its own.
            (InterfaceSpec::Scsi(scsi), _) => (scsi.segments.count, scsi.segments.blocks),
            (_, Segments::Fixed { count, size_kib }) => (count, size_kib * 2),
            (_, Segments::Adaptive { maximum_count, .. }) => {
                (maximum_count, spec.buffer.size_kib / maximum_count.max(1) * 2)
            }
        };
        Preset {
            name: format!("{} ({} rpm)", spec.name, spec.rpm),
            internal_name: internal_name(&spec.name),
            model: spec.name.clone(),
            zones: summary.zones.len().min(ZONES_MAX) as u32,
            avg_spt: ((surface as f64 / tracks).round() as u32).max(1),
            heads: spec.heads,
            rpm: spec.rpm,
            full_stroke_ms: (summary.seek_full_ms - track_seek_ms).max(0.0),
            track_seek_ms,
            rcache_num_seg: rcache_num_seg.min(SEGMENTS_MAX),
            rcache_seg_size,
            max_multiple: MULTIPLE_USUAL,
        }
    }

    /// Cylinders of a disk of this capacity.
    fn cylinders(&self, capacity_sectors: u64) -> u64 {
        capacity_sectors.div_ceil(u64::from(self.heads)).div_ceil(u64::from(self.avg_spt))
    }

    /// The zones that 86Box makes of a disk of this capacity, from the outer edge inwards.
    pub fn zones_of(&self, capacity_sectors: u64) -> Vec<PresetZone> {
        let each = (self.cylinders(capacity_sectors) / u64::from(self.zones)).max(1);
        let mut left = capacity_sectors;
        let mut zones = Vec::with_capacity(self.zones as usize);
        for index in 0..self.zones {
            let percent = 100.0 * f64::from(index) / f64::from(self.zones);
            let share = -0.003_416_84 * percent * percent - 0.175_811 * percent + 118.48;
            let room = each * u64::from(self.heads);
            // What is left goes to the last zone.
            let spt = match index + 1 == self.zones {
                true => left.div_ceil(room),
                false => (f64::from(self.avg_spt) * share / 100.0).ceil() as u64,
            };
            left = left.saturating_sub(spt * room);
            zones.push(PresetZone { cylinders: each as u32, spt: spt as u32 });
        }
        zones
    }

    /// The zones of the model that hold addresses, neighbours merged into as many as the preset has, and how far the rates
    /// of the model's zones are from them, in percent: root mean square by cylinders, and at most.
    pub fn merged(&self, spec: &DriveSpec) -> (Vec<MergedZone>, (f64, f64)) {
        let used = DriveSummary::new(spec).zones.last().map_or(0, |zone| zone.zone as usize + 1);
        let model = &spec.zones[..used.min(spec.zones.len())];
        let merged = zones::merged(model, self.zones as usize);
        let errors = zones::errors_percent(model, &merged);
        (merged, errors)
    }

    fn turn_ms(&self) -> f64 {
        60e3 / f64::from(self.rpm)
    }

    /// Rate over many tracks of a zone, in MB/s: one switch takes the place of one sector's time.
    pub fn sustained_mb_s(&self, zone: &PresetZone) -> f64 {
        let spt = f64::from(zone.spt);
        let track_ms = self.turn_ms() * (spt - 1.0) / spt + self.track_seek_ms;
        spt * SECTOR_BYTES as f64 / 1e3 / track_ms
    }

    /// Mean time of a seek between two random addresses of a disk of this capacity, in ms.
    pub fn mean_seek_ms(&self, capacity_sectors: u64) -> f64 {
        let zones = self.zones_of(capacity_sectors);
        let all: f64 = zones.iter().map(|zone| f64::from(zone.cylinders)).sum();
        let sectors: f64 = zones.iter().map(|zone| f64::from(zone.cylinders) * f64::from(zone.spt)).sum();
        let mut begin = 0.0;
        let mut bands = Vec::with_capacity(zones.len());
        for zone in &zones {
            let width = f64::from(zone.cylinders);
            bands.push((begin + width / 2.0, width, width * f64::from(zone.spt) / sectors));
            begin += width;
        }
        // Two places of one band are a third of its width apart on average, those of two bands as their middles.
        let apart = |one: &(f64, f64, f64), other: &(f64, f64, f64)| {
            if one == other { one.1 / 3.0 } else { (one.0 - other.0).abs() }
        };
        let pairs = bands.iter().flat_map(|one| bands.iter().map(move |other| (one, other)));
        let cylinders: f64 = pairs.map(|(one, other)| one.2 * other.2 * apart(one, other)).sum();
        self.track_seek_ms + self.full_stroke_ms * cylinders / all.max(1.0)
    }

    /// Mean time of a random read of `sectors` sectors, in ms.
    fn random_read_ms(&self, capacity_sectors: u64, sectors: u32) -> f64 {
        let turn_ms = self.turn_ms();
        let zones = self.zones_of(capacity_sectors);
        let held = |zone: &PresetZone| f64::from(zone.cylinders) * f64::from(zone.spt);
        let all: f64 = zones.iter().map(held).sum();
        // The first sector is within the half turn; each gap behind it is a sector, or a switch.
        let gap_ms = |zone: &PresetZone| {
            let spt = f64::from(zone.spt);
            turn_ms / spt * (spt - 1.0) / spt + self.track_seek_ms / spt
        };
        let transfer: f64 = zones.iter().map(|zone| held(zone) / all * gap_ms(zone)).sum();
        let transfer_ms = f64::from(sectors.saturating_sub(1)) * transfer;
        HOST_MS + MISS_OVERHEAD_MS + self.mean_seek_ms(capacity_sectors) + turn_ms / 2.0 + transfer_ms
    }

    /// Its figures against those of the full model.
    pub fn compared(&self, spec: &DriveSpec) -> Vec<Compared> {
        let summary = DriveSummary::new(spec);
        let capacity = spec.capacity_sectors;
        let zones = self.zones_of(capacity);
        let rate = |zone: Option<&PresetZone>| zone.map_or(f64::NAN, |zone| self.sustained_mb_s(zone));
        let compared = |name, full, preset| Compared { name, full, preset };
        vec![
            compared(
                "mean random read of 512 B, ms",
                summary.random_512_b.service_ms,
                self.random_read_ms(capacity, 1),
            ),
            compared(
                "mean random read of 8 KiB, ms",
                summary.random_8_kib.service_ms,
                self.random_read_ms(capacity, 16),
            ),
            compared("sequential read outside, MB/s", summary.outer_mb_s(), rate(zones.first())),
            compared("sequential read inside, MB/s", summary.inner_mb_s(), rate(zones.last())),
        ]
    }

    /// The full stroke with which its mean random seek would be that of the full model, in ms.
    pub fn full_stroke_for_random_ms(&self, spec: &DriveSpec) -> f64 {
        let wanted = DriveSummary::new(spec).seek_average_lba_weighted_ms;
        let ours = self.mean_seek_ms(spec.capacity_sectors);
        let share = (ours - self.track_seek_ms) / self.full_stroke_ms;
        ((wanted - self.track_seek_ms) / share).max(0.0)
    }
}

/// Tracks a surface that hold addresses.
fn used_tracks(spec: &DriveSpec) -> f64 {
    let mut left = spec.capacity_sectors as f64;
    let mut tracks = 0.0;
    for zone in &spec.zones {
        let of_cylinder = f64::from(zone.spt) * f64::from(spec.heads);
        let used = (left / of_cylinder).min(f64::from(zone.cylinders));
        tracks += used;
        left -= used * of_cylinder;
    }
    f64::max(tracks, 1.0)
}

/// What a change of track costs a sequential read on average, in ms.
fn mean_switch_ms(spec: &DriveSpec) -> f64 {
    let scheme = SkewScheme::new(spec);
    let turn = spec.nominal_revolution();
    let heads = f64::from(spec.heads);
    let single_ms = SeekTable::new(spec, spec.cylinders()).read(1).as_ms();
    let of_zone = |(index, zone): (usize, &crate::drive::spec::ZoneSpec)| {
        let skew = scheme.spans(index, turn);
        let changes = match spec.layout {
            Layout::SurfaceSerpentine => 0.0,
            _ => (heads - 1.0) / heads,
        };
        let switch_ms = changes * skew.head.as_ms() + (1.0 - changes) * skew.cylinder.as_ms();
        (switch_ms * f64::from(zone.cylinders), f64::from(zone.cylinders))
    };
    let (sum, cylinders) =
        spec.zones.iter().enumerate().map(of_zone).fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
    if cylinders > 0.0 { sum / cylinders } else { single_ms }
}

/// A name of lower-case letters, digits and underscores.
fn internal_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let text: String = name.chars().map(plain).collect();
    let words: Vec<&str> = text.split('_').filter(|word| !word.is_empty()).collect();
    if words.is_empty() { "drive".to_owned() } else { words.join("_") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drive::spec::{ZoneSpec, sample};

    #[test]
    fn the_zones_hold_the_disk_and_fall() {
        let spec = DriveSpec { capacity_sectors: 40_000, ..sample() };
        let preset = Preset::new(&spec);
        let zones = preset.zones_of(spec.capacity_sectors);
        let held: u64 = zones.iter().map(|zone| u64::from(zone.cylinders * zone.spt * preset.heads)).sum();
        assert!(held >= 40_000 && zones.len() == 3, "{zones:?}");
        assert!(zones[0].spt > zones[1].spt, "{zones:?}");
    }

    #[test]
    fn more_zones_than_there_is_room_for_are_merged() {
        let many: Vec<ZoneSpec> =
            (0..24).map(|at| ZoneSpec { cylinders: 30, spt: 60 - at, ..ZoneSpec::default() }).collect();
        let spec = DriveSpec { zones: many, capacity_sectors: 69_000, ..sample() };
        let preset = Preset::new(&spec);
        let (merged, (rms, most)) = preset.merged(&spec);
        assert_eq!((preset.zones, merged.len(), preset.zones_of(69_000).len()), (16, 16, 16));
        assert_eq!(merged.iter().map(|run| run.zones).sum::<u32>(), 24);
        assert!(rms > 0.0 && rms < most && most < 2.0, "{rms} {most}");
    }

    #[test]
    fn its_times_are_those_of_its_rules() {
        let preset = Preset {
            zones: 1,
            avg_spt: 100,
            heads: 1,
            rpm: 6000,
            full_stroke_ms: 9.0,
            track_seek_ms: 1.0,
            ..Preset::new(&sample())
        };
        // One zone of 1000 tracks of 100 sectors, all of the same chance: a third of the way on average.
        assert_eq!(preset.zones_of(100_000), [PresetZone { cylinders: 1000, spt: 100 }]);
        assert!((preset.mean_seek_ms(100_000) - 4.0).abs() < 1e-9);
        // 51200 bytes in 99 of 100 parts of a turn of 10 ms, and a switch.
        assert!((preset.sustained_mb_s(&PresetZone { cylinders: 1, spt: 100 }) - 51.2 / 10.9).abs() < 1e-9);
        assert!((preset.random_read_ms(100_000, 1) - (0.1 + 4.0 + 5.0)).abs() < 1e-9);
    }

    #[test]
    fn the_other_full_stroke_meets_the_mean() {
        let spec = sample();
        let preset = Preset::new(&spec);
        let met = Preset { full_stroke_ms: preset.full_stroke_for_random_ms(&spec), ..preset };
        let wanted = DriveSummary::new(&spec).seek_average_lba_weighted_ms;
        assert!((met.mean_seek_ms(spec.capacity_sectors) - wanted).abs() < 1e-6);
    }

    #[test]
    fn names_are_made_plain() {
        assert_eq!(internal_name("IBM DTLA-307030"), "ibm_dtla_307030");
        assert_eq!(internal_name("  \u{e9} "), "drive");
    }
}
