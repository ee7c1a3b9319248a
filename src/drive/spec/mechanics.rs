//! Platters, arm and surface: what a file says about the mechanics.

use serde::{Deserialize, Serialize};

/// Angle of the platters at power-on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SpindlePhase {
    /// Drawn from the run's seed; spindles of an array are not synchronised.
    #[default]
    Random,
    /// This part of a turn, 0 to 1.
    Turns(f64),
}

/// Order in which addresses visit heads and cylinders. With one head all three are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Layout {
    /// All heads of a cylinder from the first to the last, then the next cylinder (DiskSim mapping 0).
    #[default]
    CylinderFirst,
    /// As `CylinderFirst`, but every other cylinder runs its heads backwards, so that a change of cylinder
    /// keeps the head (DiskSim mappings 1 and 2).
    Zigzag {
        /// The zone's first cylinder runs forwards (mapping 1); otherwise even cylinders of the drive do.
        restart: bool,
    },
    /// A whole zone on one head, then back over it on the next head (usual from about 2001 on).
    SurfaceSerpentine,
}

/// A run of cylinders with the same number of sectors a track.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneSpec {
    /// Cylinders of the zone, at least 1.
    pub cylinders: u32,
    /// Sectors a track, 16 to 4096.
    pub spt: u32,
    /// Spares of each region of `spare_scheme` in this zone: sectors, or tracks where the scheme keeps tracks.
    #[serde(default)]
    pub spares: u64,
    /// Cylinders between the zone before and this one that hold neither addresses nor spares.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped_cylinders: u32,
    /// Good sectors at the front of the zone that hold no addresses: the drive keeps data of its own there.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reserved: u64,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

impl ZoneSpec {
    /// Sectors of the zone on `heads` surfaces, spares included.
    pub fn sectors(&self, heads: u32) -> u64 {
        u64::from(self.cylinders) * u64::from(heads) * u64::from(self.spt)
    }
}

/// Angle by which a track starts later than the one before it in address order.
///
/// It is carried over zone borders, which count as a change of cylinder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SkewSpec {
    /// Equally spaced servo wedges, so one pair serves all zones: track `(C, h)` starts at wedge
    /// `(C ((H - 1) head + cylinder) + h head) mod per_track` (Quantum D540X-4K manual, p. 60).
    Wedges {
        /// Wedges a turn, 32 to 512.
        per_track: u32,
        /// Wedges a change of head.
        head: u32,
        /// Wedges a change of cylinder.
        cylinder: u32,
    },
    /// Whole sectors: one pair for all zones, or one pair a zone.
    Sectors(Vec<SectorSkew>),
    /// Times at the nominal speed; written as an angle, so a faster drive has less time.
    Time {
        /// A change of head, in ms.
        head_ms: f64,
        /// A change of cylinder, in ms.
        cylinder_ms: f64,
    },
    /// Whole sectors of each zone that cover the switch of a read and of a sequential write, and 0.2 ms more.
    #[default]
    Auto,
    /// As measured zone by zone. Each zone begins at an angle of its own: nothing is carried over its border.
    Zones {
        /// The skew of every zone, in their order.
        each: Vec<ZoneSkew>,
        /// A slipped sector moves all later tracks of its zone (with spares by the track) or all later cylinders (with
        /// spares by the cylinder) on by a sector.
        #[serde(default)]
        slips_advance: bool,
    },
}

/// Skew of one zone whose first track need not begin at angle zero. A turn has the same zero on all tracks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ZoneSkew {
    /// In sectors of the zone.
    Sectors {
        /// Angle at which the zone's first track begins.
        offset: u32,
        /// Sectors a change of head.
        head: u32,
        /// Sectors a change of cylinder.
        cylinder: u32,
    },
    /// In turns, 0 to 1.
    Turns {
        /// Angle at which the zone's first track begins.
        offset: f64,
        /// Part of a turn a change of head.
        head: f64,
        /// Part of a turn a change of cylinder.
        cylinder: f64,
        /// Part of a turn that a change of the range of cylinders adds; only with `spare_scheme: EndOfRange`.
        #[serde(default, skip_serializing_if = "is_zero")]
        range: f64,
    },
}

/// Skew in sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectorSkew {
    /// Sectors a change of head.
    pub head: u32,
    /// Sectors a change of cylinder.
    pub cylinder: u32,
}

/// Sectors that cannot be used where they are.
///
/// Physical places are counted in address order over all zones, spares included, as if no sector were bad.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Defects {
    /// Bad physical places that all later addresses step over; strictly increasing. Where the scheme keeps whole
    /// tracks as spares, a place stands for the track that holds it.
    #[serde(default)]
    pub slips: Vec<u64>,
    /// Addresses kept in a spare; strictly increasing in `lba`.
    #[serde(default)]
    pub remaps: Vec<Remap>,
}

/// One reassigned sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Remap {
    /// The address.
    pub lba: u64,
    /// Physical place of the spare; not one that an address has.
    pub spare: u64,
}

/// Where spare sectors are kept, and so how far a slip pushes: to the end of its region, whose spares it uses up. In the
/// variants `ForRemaps` the spares stay free, and a slip pushes on to the end of the zone, whose last addresses are lost.
///
/// These are the sparing schemes 0 to 10 of DiskSim's layout G1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SpareScheme {
    /// Nowhere: no slips, no remaps (DiskSim 0).
    None,
    /// All that follows the capacity; slips push addresses on to the end (Maxtor's own designs; DiskSim 7).
    #[default]
    EndOfDisk,
    /// The last `spares` sectors of each zone; slips push addresses within their zone (DiskSim 9).
    EndOfZone,
    /// The same, for remaps only (DiskSim 10).
    EndOfZoneForRemaps,
    /// The last `spares` tracks of each zone, for slipped tracks (DiskSim 1).
    TracksOfZone,
    /// The last `spares` sectors of each cylinder (DiskSim 2).
    EndOfCylinder,
    /// The same, for remaps only (DiskSim 4).
    EndOfCylinderForRemaps,
    /// The first `spares` good sectors of each cylinder: slips push towards them (DiskSim 5).
    FrontOfCylinder,
    /// The same, for remaps only (DiskSim 6).
    FrontOfCylinderForRemaps,
    /// The last `spares` sectors of each track (DiskSim 3).
    EndOfTrack,
    /// The last `spares` sectors of each range of cylinders of a zone; a last range that is shorter has none (DiskSim 8).
    EndOfRange {
        /// Cylinders of a range, at least 1.
        cylinders: u32,
    },
}

/// Time of a seek over a distance in cylinders; no distance takes no time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SeekCurve {
    /// `a + b sqrt(d)` and then a line that continues its value and slope, through three published figures:
    /// one cylinder, the mean over all pairs of cylinders, all cylinders.
    ThreePoint {
        /// One cylinder, in ms.
        single_ms: f64,
        /// Mean over all pairs of cylinders, in ms.
        average_ms: f64,
        /// First to last cylinder, in ms.
        full_ms: f64,
    },
    /// `a + b sqrt(d)` below `split_cylinders`, `e + f d` from there (Ruemmler and Wilkes 1994).
    Hpl {
        /// Constant of the root law, in ms.
        a_ms: f64,
        /// Factor of the root, in ms.
        b_ms: f64,
        /// First distance of the line.
        split_cylinders: u32,
        /// Constant of the line, in ms.
        e_ms: f64,
        /// Slope of the line, in ms a cylinder.
        f_ms: f64,
        /// One cylinder, in ms, where it differs from the root law.
        #[serde(default)]
        single_ms: Option<f64>,
        /// One, two, three cylinders and so on, in ms, where short seeks follow no law.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        first_ms: Vec<f64>,
    },
    /// `a sqrt(d - 1) + b (d - 1) + single` through the three figures, with the mean met nearly (E. K. Lee 1993).
    Lee {
        /// One cylinder, in ms.
        single_ms: f64,
        /// Mean over all pairs of cylinders, in ms.
        average_ms: f64,
        /// First to last cylinder, in ms.
        full_ms: f64,
    },
    /// Knots (cylinders, ms), straight lines between them, flat outside them.
    Table(Vec<(u32, f64)>),
    /// Knots (cylinders, ms) as they were measured: times may fall, straight lines between them, flat before the first;
    /// behind the last one the last line goes on.
    Measured(Vec<(u32, f64)>),
    /// The time in ms of distance 1, 2, 3 and so on; flat after the last.
    PerCylinder(Vec<f64>),
}

/// What a write adds to a seek.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum WriteSeek {
    /// Milliseconds after any seek or head switch. Negative for some reference drives, whose published
    /// figures put part of the settling of a write into the seek.
    Settle(f64),
    /// A seek curve of its own. A head switch then adds what its one-cylinder seek adds to that of reads.
    Own(SeekCurve),
}

impl Default for WriteSeek {
    fn default() -> Self {
        WriteSeek::Settle(1.0)
    }
}
