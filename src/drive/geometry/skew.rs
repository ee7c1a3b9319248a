//! The angle at which a track starts.

use crate::drive::seek::SeekTable;
use crate::drive::spec::{DriveSpec, Layout, SkewSpec, SpareScheme, ZoneSkew};
use crate::units::Span;

/// Switches between two tracks along the order of addresses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    pub heads: u32,
    pub cylinders: u32,
}

/// Skew of one zone, in the unit of its scheme.
#[derive(Clone, Copy, Debug)]
struct UnitSkew {
    /// Skew of the zone's first track, in units.
    base_units: u64,
    /// The same where a zone's units are its own: as a part of a turn.
    base_ps: u64,
    head: u64,
    cylinder: u64,
    /// Units at each change of the range that shares its spares, and the cylinders of a range.
    range: u64,
    range_cylinders: u32,
    units_per_turn: u64,
}

#[derive(Clone, Debug)]
pub(super) struct TrackSkew {
    revolution_ps: u64,
    zones: Vec<UnitSkew>,
    /// Angle of each wedge; empty when units are sectors or picoseconds.
    wedges: Vec<u64>,
}

impl TrackSkew {
    pub(super) fn new(spec: &DriveSpec, revolution: Span) -> Self {
        let turn = revolution.ps();
        let wedges = match spec.skew {
            SkewSpec::Wedges { per_track, .. } => {
                (0..u64::from(per_track)).map(|wedge| turn * wedge / u64::from(per_track)).collect()
            }
            _ => Vec::new(),
        };
        let scheme = SkewScheme::new(spec);
        let mut skew = TrackSkew { revolution_ps: turn, zones: Vec::with_capacity(spec.zones.len()), wedges };
        let (mut base_units, mut base_ps) = (0, 0);
        for (index, zone) in spec.zones.iter().enumerate() {
            let units = scheme.units(index, turn);
            if let Some(offset) = units.offset {
                (base_units, base_ps) = (offset, 0);
            }
            skew.zones.push(UnitSkew {
                base_units,
                base_ps,
                head: units.head,
                cylinder: units.cylinder,
                range: units.range,
                range_cylinders: range_cylinders(spec),
                units_per_turn: units.per_turn,
            });
            let head_switches = match spec.layout {
                Layout::SurfaceSerpentine => spec.heads - 1,
                Layout::CylinderFirst | Layout::Zigzag { .. } => zone.cylinders * (spec.heads - 1),
            };
            // The border is a change of cylinder, so all the zone's tracks are left by a switch.
            let steps =
                Steps { heads: head_switches, cylinders: zone.cylinders * spec.heads - head_switches };
            if units.per_zone {
                base_ps = skew.of(index, steps).ps();
            } else {
                base_units = skew.zones[index].units(steps);
            }
        }
        skew
    }

    /// Skew of the track of `zone` that lies `steps` behind the zone's first one; shorter than a turn.
    pub(super) fn of(&self, zone: usize, steps: Steps) -> Span {
        let zone = &self.zones[zone];
        let units = zone.units(steps);
        let angle = if !self.wedges.is_empty() {
            self.wedges[units as usize]
        } else if zone.units_per_turn == self.revolution_ps {
            units
        } else {
            self.revolution_ps * units / zone.units_per_turn
        };
        let sum = zone.base_ps + angle;
        Span::from_ps(if sum >= self.revolution_ps { sum - self.revolution_ps } else { sum })
    }

    /// `skew` and `sectors` sectors more on a track of `spt`.
    pub(super) fn moved_on(&self, skew: Span, sectors: u64, spt: u32) -> Span {
        let spt = u64::from(spt);
        Span::from_ps((skew.ps() + self.revolution_ps * (sectors % spt) / spt) % self.revolution_ps)
    }
}

/// Slips that move the tracks behind them on.
#[derive(Clone, Debug)]
pub(super) struct SlipAdvance {
    slips: Vec<u64>,
    /// Slips of earlier tracks count, not of earlier cylinders only.
    by_track: bool,
}

impl SlipAdvance {
    /// Nothing where slips do not move tracks.
    pub(super) fn new(spec: &DriveSpec) -> Option<Self> {
        let wanted = matches!(spec.skew, SkewSpec::Zones { slips_advance: true, .. });
        (wanted && !spec.defects.slips.is_empty()).then(|| SlipAdvance {
            slips: spec.defects.slips.clone(),
            by_track: spec.spare_scheme == SpareScheme::EndOfTrack,
        })
    }

    /// Slips of the zone that begins at `start`, before the track that lies `tracks` and, by the track, `head` behind its
    /// first one.
    pub(super) fn slips(&self, start: u64, tracks: u64, head: u64, spt: u64) -> u64 {
        let tracks = if self.by_track { tracks + head } else { tracks };
        let until = |place: u64| self.slips.partition_point(|&slip| slip < place);
        (until(start + tracks * spt) - until(start)) as u64
    }
}

impl UnitSkew {
    fn units(&self, steps: Steps) -> u64 {
        let ranges = u64::from(steps.cylinders / self.range_cylinders);
        let moved = u64::from(steps.heads) * self.head
            + u64::from(steps.cylinders) * self.cylinder
            + ranges * self.range;
        (self.base_units + moved) % self.units_per_turn
    }
}

/// The skew of a drive, ready to be asked zone by zone.
pub struct SkewScheme<'a> {
    spec: &'a DriveSpec,
    /// Switches that `Auto` must cover.
    switches: Option<(Span, Span)>,
}

/// Skew of one zone as times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SkewSpans {
    /// From the end of a track to the start of the next one on another head. Rounding may make a single
    /// border a picosecond longer, never shorter.
    pub head: Span,
    /// The same for a track on another cylinder.
    pub cylinder: Span,
}

impl<'a> SkewScheme<'a> {
    /// The skew that `spec` describes.
    pub fn new(spec: &'a DriveSpec) -> Self {
        let switches = (spec.skew == SkewSpec::Auto).then(|| switch_times(spec));
        SkewScheme { spec, switches }
    }

    /// The skew of `zone` on a drive that turns once in `revolution`.
    pub fn spans(&self, zone: usize, revolution: Span) -> SkewSpans {
        let turn = revolution.ps();
        let units = self.units(zone, turn);
        let span = |steps: u64| {
            let scaled = u128::from(steps) * u128::from(turn) / u128::from(units.per_turn.max(1));
            Span::from_ps(scaled as u64)
        };
        SkewSpans { head: span(units.head), cylinder: span(units.cylinder) }
    }

    fn units(&self, zone: usize, turn: u64) -> Units {
        let nominal = self.spec.nominal_revolution().ps();
        let spt = self.spec.zones.get(zone).map_or(1, |zone| u64::from(zone.spt));
        let sectors =
            |head, cylinder| Units { head, cylinder, per_turn: spt, per_zone: true, offset: None, range: 0 };
        match &self.spec.skew {
            SkewSpec::Wedges { per_track, head, cylinder } => Units {
                head: u64::from(*head),
                cylinder: u64::from(*cylinder),
                per_turn: u64::from(*per_track),
                per_zone: false,
                offset: None,
                range: 0,
            },
            SkewSpec::Time { head_ms, cylinder_ms } => {
                let scale = |ms: f64| {
                    let written = u128::from(Span::from_ms(ms).ps());
                    (written * u128::from(turn) / u128::from(nominal) % u128::from(turn)) as u64
                };
                Units {
                    head: scale(*head_ms),
                    cylinder: scale(*cylinder_ms),
                    per_turn: turn,
                    per_zone: false,
                    offset: None,
                    range: 0,
                }
            }
            SkewSpec::Sectors(pairs) => {
                let pair = pairs.get(zone).or(pairs.first());
                pair.map_or(sectors(0, 0), |pair| sectors(u64::from(pair.head), u64::from(pair.cylinder)))
            }
            SkewSpec::Zones { each, .. } => match each.get(zone) {
                Some(&ZoneSkew::Sectors { offset, head, cylinder }) => {
                    Units { offset: Some(u64::from(offset)), ..sectors(u64::from(head), u64::from(cylinder)) }
                }
                Some(&ZoneSkew::Turns { offset, head, cylinder, range }) => {
                    let part = |turns: f64| (turns * turn as f64).round() as u64 % turn;
                    Units {
                        head: part(head),
                        cylinder: part(cylinder),
                        per_turn: turn,
                        per_zone: true,
                        offset: Some(part(offset)),
                        range: part(range),
                    }
                }
                None => Units { offset: Some(0), ..sectors(0, 0) },
            },
            SkewSpec::Auto => {
                let (head, cylinder) = self.switches.unwrap_or_default();
                let cover = |switch: Span| (switch + AUTO_MARGIN).ps().saturating_mul(spt).div_ceil(nominal);
                sectors(cover(head), cover(cylinder))
            }
        }
    }
}

struct Units {
    head: u64,
    cylinder: u64,
    per_turn: u64,
    /// The unit differs from zone to zone.
    per_zone: bool,
    /// Skew of the zone's first track, where it does not follow from the zone before.
    offset: Option<u64>,
    /// Units at each change of the range that shares its spares.
    range: u64,
}

/// Cylinders of a range that shares its spares; without ranges more than there are.
fn range_cylinders(spec: &DriveSpec) -> u32 {
    match spec.spare_scheme {
        SpareScheme::EndOfRange { cylinders } => cylinders.max(1),
        _ => u32::MAX,
    }
}

/// What `Auto` leaves between the end of a switch and the first sector, at the nominal speed.
const AUTO_MARGIN: Span = Span::from_ns(200_000);

/// The slower of a read's and a sequential write's change of head and of cylinder.
fn switch_times(spec: &DriveSpec) -> (Span, Span) {
    let seek = SeekTable::new(spec, spec.cylinders());
    let slower = |to| {
        let time = |write| seek.position((0, 0), to, write, true);
        time(false).max(time(true))
    };
    (slower((0, 1)), slower((1, next_cylinder_head(spec))))
}

/// The head, counted from the one before, that a change to the next cylinder leads to: cylinders that all
/// begin with the first head also switch heads.
pub fn next_cylinder_head(spec: &DriveSpec) -> u32 {
    u32::from(spec.layout == Layout::CylinderFirst && spec.heads > 1)
}
