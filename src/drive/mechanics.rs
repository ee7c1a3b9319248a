//! Head, arm and platter together: when a run of sectors passes under the head.

use std::sync::Arc;

use super::geometry::{Geometry, TrackSpan};
use super::seek::SeekTable;
use super::spec::DriveSpec;
use super::spindle::Spindle;
use crate::sim::Streams;
use crate::units::{Extent, Instant, Span};

/// Where the heads are: over a cylinder, with one head selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// Cylinder under the arm.
    pub cylinder: u32,
    /// Head selected.
    pub head: u32,
}

/// What the mechanism does with the sectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Reading.
    Read,
    /// Writing: the head must settle longer.
    Write,
}

/// The part of a run that lies on one track.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Address of its first sector.
    pub lba: u64,
    /// Number of sectors.
    pub sectors: u32,
    /// When the heads were over its track.
    pub arrival: Instant,
    /// When its first sector begins to pass.
    pub begin: Instant,
    /// When its last sector has passed.
    pub end: Instant,
    /// Where the heads are during it.
    pub place: Place,
    sector: u32,
    sectors_per_track: u32,
    /// Read from the middle on (zero-latency access): nothing of it is complete before `end`.
    whole: bool,
}

/// The passing of all sectors of an extent under the heads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    /// When the heads were over the first track.
    pub arrived: Instant,
    /// When the first sector began to pass.
    pub begun: Instant,
    /// When the last sector had passed.
    pub end: Instant,
    /// Where the heads then are.
    pub place: Place,
}

/// Geometry, arm and spindle of one drive. Pure: every answer depends on its arguments only.
#[derive(Clone, Debug)]
pub struct Mechanics {
    /// Layout of the sectors.
    pub geometry: Geometry,
    /// Positioning times; drives of one model share the table.
    pub seeks: Arc<SeekTable>,
    /// Rotation.
    pub spindle: Spindle,
}

impl Mechanics {
    /// The mechanics of the drive called `name`; phase and speed of its spindle are drawn from its own stream.
    pub fn new(spec: &DriveSpec, name: &str, streams: Streams, seeks: Arc<SeekTable>) -> Self {
        let spindle = Spindle::new(spec, &mut streams.stream(name, "spindle"));
        Mechanics { geometry: Geometry::new(spec, spindle.revolution()), seeks, spindle }
    }

    /// The mechanics with a given spindle.
    pub fn with_spindle(spec: &DriveSpec, spindle: Spindle) -> Self {
        let geometry = Geometry::new(spec, spindle.revolution());
        let seeks = Arc::new(SeekTable::new(spec, geometry.cylinders()));
        Mechanics { geometry, seeks, spindle }
    }

    /// Where `lba` is.
    pub fn place_of(&self, lba: u64) -> Place {
        place(&self.geometry.locate(lba))
    }

    /// The angle at which `lba` begins, as a span after the index mark.
    pub fn angle_of(&self, span: &TrackSpan) -> Span {
        self.spindle.sector_offset(span.skew, span.sector, span.sectors_per_track)
    }

    /// Time that the check of a sector of `piece` takes once it has been read: that of one sector.
    pub fn check_time(&self, piece: &Piece) -> Span {
        self.spindle.revolution() / u64::from(piece.sectors_per_track)
    }

    /// The first piece of the run that starts at `lba`, for a mechanism that may leave `from` at `at`.
    ///
    /// `sequential` says that the run goes on where the last one ended: a write then settles only briefly.
    pub fn piece(&self, from: Place, at: Instant, lba: u64, access: Access, sequential: bool) -> Piece {
        let span = self.geometry.locate(lba);
        let target = place(&span);
        let arrival = at + self.positioning(from, target, access, sequential);
        let begin = arrival + self.spindle.wait(arrival, self.angle_of(&span));
        self.piece_at(lba, &span, arrival, begin)
    }

    fn piece_at(&self, lba: u64, span: &TrackSpan, arrival: Instant, begin: Instant) -> Piece {
        let passing = self.spindle.sectors(span.sector, span.left, span.sectors_per_track);
        Piece {
            lba,
            sectors: span.left,
            arrival,
            begin,
            end: begin + passing,
            place: place(span),
            sector: span.sector,
            sectors_per_track: span.sectors_per_track,
            whole: false,
        }
    }

    /// The piece that follows `piece` when the run goes on.
    pub fn following(&self, piece: &Piece, access: Access) -> Piece {
        let lba = piece.lba + u64::from(piece.sectors);
        self.piece(piece.place, piece.end, lba, access, true)
    }

    /// Like [`piece`](Self::piece) for a drive with zero-latency access: a head that arrives in the middle of the
    /// `wanted` sectors takes the rest first and what it missed one turn later.
    pub fn piece_zero_latency(
        &self,
        from: Place,
        at: Instant,
        wanted: Extent,
        access: Access,
        sequential: bool,
    ) -> Piece {
        let lba = wanted.lba;
        let span = self.geometry.locate(lba);
        let wanted = wanted.sectors.min(u64::from(span.left)) as u32;
        let arrival = at + self.positioning(from, place(&span), access, sequential);
        let turn = self.spindle.revolution();
        let wait = self.spindle.wait(arrival, self.angle_of(&span));
        let passing = self.spindle.sectors(span.sector, wanted, span.sectors_per_track);
        // Time since the first wanted sector last came by: inside the wanted run if shorter than its passing.
        let missed = turn - wait;
        if wait.is_zero() || missed >= passing {
            return self.piece_at(lba, &span, arrival, arrival + wait);
        }
        let passed = self.spindle.sectors_within(span.sector, missed, span.sectors_per_track);
        let at_boundary = self.spindle.sectors(span.sector, passed, span.sectors_per_track) == missed;
        let boundary = if at_boundary { passed } else { passed + 1 };
        let to_boundary = self.spindle.sectors(span.sector, boundary, span.sectors_per_track) - missed;
        let mut piece = self.piece_at(lba, &span, arrival, arrival);
        piece.sectors = wanted;
        piece.whole = true;
        // A whole turn from the first sector boundary; if that boundary is the run's end, nothing was gained.
        piece.end = if boundary >= wanted { arrival + wait + passing } else { arrival + to_boundary + turn };
        piece
    }

    /// The writing of `extent` by a mechanism that may leave `from` at `at`.
    pub fn write(
        &self,
        from: Place,
        at: Instant,
        extent: Extent,
        sequential: bool,
        zero_latency: bool,
    ) -> Pass {
        let mut piece = if zero_latency {
            self.piece_zero_latency(from, at, extent, Access::Write, sequential)
        } else {
            self.piece(from, at, extent.lba, Access::Write, sequential)
        };
        let (arrived, begun) = (piece.arrival, piece.begin);
        while piece.lba + u64::from(piece.sectors) < extent.end() {
            piece = self.following(&piece, Access::Write);
        }
        Pass { arrived, begun, end: self.reached_at(&piece, extent.end()), place: piece.place }
    }

    /// When the sector before `lba_end` of this piece has passed.
    pub fn reached_at(&self, piece: &Piece, lba_end: u64) -> Instant {
        let sectors = (lba_end - piece.lba) as u32;
        if piece.whole || sectors >= piece.sectors {
            return piece.end;
        }
        piece.begin + self.spindle.sectors(piece.sector, sectors, piece.sectors_per_track)
    }

    /// How many sectors of this piece have passed by `now`.
    pub fn passed(&self, piece: &Piece, now: Instant) -> u32 {
        if now >= piece.end {
            return piece.sectors;
        }
        if piece.whole || now <= piece.begin {
            return 0;
        }
        self.spindle
            .sectors_within(piece.sector, now - piece.begin, piece.sectors_per_track)
            .min(piece.sectors)
    }

    /// How many whole sectors of the track passed under the waiting head just before this piece began.
    pub fn passed_before(&self, piece: &Piece) -> u32 {
        let waited = piece.begin - piece.arrival;
        let turn = self.spindle.revolution();
        let sectors = waited.ps() * u64::from(piece.sectors_per_track) / turn.ps();
        (sectors as u32).min(piece.sector)
    }

    /// Time from one place to another: the longer of seek and head switch, and a write's settling.
    pub fn positioning(&self, from: Place, to: Place, access: Access, sequential: bool) -> Span {
        self.seeks.position(
            (from.cylinder, from.head),
            (to.cylinder, to.head),
            access == Access::Write,
            sequential,
        )
    }
}

fn place(span: &TrackSpan) -> Place {
    Place { cylinder: span.cylinder, head: span.head }
}
