//! Where the platter was when a request completed.

use super::observed::Observed;
use crate::drive::geometry::Geometry;
use crate::drive::{DriveSpec, spec::Layout};

/// The instant of a request that a fixed angle of the platter belongs to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Landmark {
    /// Its last sector had passed so many ms a sector, and a constant time, before its completion: what is read crosses
    /// the interface once all of it has been read.
    End {
        /// Time of a sector across the interface, in ms; 0 where sectors cross while others pass.
        sector_ms: f64,
    },
    /// Its first sector began to pass so many ms a sector, and a constant time, before its completion: the interface is
    /// slower than the medium.
    Begin {
        /// Time of a sector across the interface, in ms.
        sector_ms: f64,
    },
}

impl Landmark {
    /// Time of a sector across the interface, in ms.
    pub(super) fn sector_ms(self) -> f64 {
        match self {
            Landmark::End { sector_ms } | Landmark::Begin { sector_ms } => sector_ms,
        }
    }
}

/// One sighting of a known angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// When, in ms.
    pub at_ms: f64,
    /// Zone of the track.
    pub zone: usize,
    /// Cylinder, counted from the first of the zone.
    pub cylinder: u32,
    /// Change of head by which the track lies behind the first of its cylinder.
    pub order: u32,
    /// Angle after the start of its track, in turns.
    pub within: f64,
    /// Angle at which the model has its track begin, in turns.
    pub skew: f64,
}

impl Anchor {
    /// The angle as the model has it, in turns.
    pub fn angle(&self) -> f64 {
        self.skew + self.within
    }
}

/// The angles of the tracks of a zone, in turns.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZoneAngles {
    /// Where the first track begins.
    pub first: f64,
    /// From there to the next track.
    pub head: f64,
    /// From there to the first track of the next cylinder.
    pub cylinder: f64,
    /// From there to the first track of the next range.
    pub range: f64,
}

/// The tracks of a drive as its model has them.
#[derive(Clone, Debug)]
pub struct Surface {
    geometry: Geometry,
    layout: Layout,
    heads: u32,
    turn_ps: f64,
    zone_cylinders: Vec<u32>,
}

impl Surface {
    /// The tracks of a drive like `spec`, which has been validated.
    pub fn new(spec: &DriveSpec) -> Self {
        let turn = spec.nominal_revolution();
        let mut first = 0;
        let zone_cylinders = spec
            .zones
            .iter()
            .map(|zone| {
                first += zone.skipped_cylinders + zone.cylinders;
                first - zone.cylinders
            })
            .collect();
        Surface {
            geometry: Geometry::new(spec, turn),
            layout: spec.layout,
            heads: spec.heads,
            turn_ps: turn.ps() as f64,
            zone_cylinders,
        }
    }

    /// Where the sectors are.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The angles of a zone's tracks as the model has them; ranges have `range` cylinders.
    pub(super) fn zone_angles(&self, zone: usize, range: u32) -> ZoneAngles {
        let angle =
            |cylinder, order| self.geometry.track_angle(zone, cylinder, order).ps() as f64 / self.turn_ps;
        let first = angle(0, 0);
        ZoneAngles {
            first,
            head: angle(0, 1) - first,
            cylinder: angle(1, 0) - first,
            range: angle(range, 0) - first,
        }
    }

    /// The sighting that `landmark` makes of `observed`.
    pub fn anchor(&self, observed: &Observed, landmark: Landmark) -> Anchor {
        let extent = observed.extent;
        let (lba, behind, before_ms) = match landmark {
            Landmark::End { sector_ms } => (extent.end() - 1, 1.0, extent.sectors as f64 * sector_ms),
            Landmark::Begin { sector_ms } => (extent.lba, 0.0, extent.sectors as f64 * sector_ms),
        };
        let span = self.geometry.locate(lba.min(self.geometry.capacity() - 1));
        let zone = span.zone as usize;
        let cylinder = span.cylinder - self.zone_cylinders[zone];
        let backwards = match self.layout {
            Layout::Zigzag { restart: true } => cylinder % 2 == 1,
            Layout::Zigzag { restart: false } => span.cylinder % 2 == 1,
            Layout::CylinderFirst | Layout::SurfaceSerpentine => false,
        };
        Anchor {
            at_ms: observed.completed_ms - before_ms,
            zone,
            cylinder,
            order: if backwards { self.heads - 1 - span.head } else { span.head },
            within: (f64::from(span.sector) + behind) / f64::from(span.sectors_per_track),
            skew: span.skew.ps() as f64 / self.turn_ps,
        }
    }
}
