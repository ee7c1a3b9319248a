//! A drive on a SCSI-like bus: it leaves the bus while its heads work, and comes back for its data.
//!
//! Models: decoding, disconnection and reselection, water marks; segments that reads and writes share, reading on after
//! a read, hits in whole and in part, blocks that pass before the wanted ones, zero-latency access; writes that complete
//! when their data is in the buffer.
//! Leaves out: a command queue (one command at a time; what a driver queues waits there), messages, errors.
//!
//! Everything that the heads will do for a command is known once its data may cross, and is computed then: a command
//! costs one event for each time that the drive takes the bus or leaves it.
//!
//! Invariants: a drive has at most one command; blocks cross in order, a read's not before they have been read; a block
//! is written after it has crossed; a command that was accepted completes once.

mod long;
mod pass;
mod reading;
mod segments;
mod sweep;
#[cfg(test)]
mod tests;
mod writing;

use std::collections::VecDeque;

use super::device::{CommandId, DriveEvent};
use super::mechanics::{Mechanics, Place};
use super::spec::{
    Disconnection, DriveSpec, FastWrite, Prefetch, PrefetchRoom, PrefetchStop, ScsiSpec, WaterMark,
};
use super::spindle::Spindle;
use crate::sim::{Phase, Schedule};
use crate::units::{Extent, Instant, Span};
use long::Long;
use segments::{HitRules, Segment, Segments, State};
use sweep::{Landing, Sweep};

/// A command as the drive sees it.
#[derive(Clone, Copy, Debug)]
pub struct ScsiCommand {
    /// The driver's name for it.
    pub id: CommandId,
    /// A write; else a read.
    pub write: bool,
    /// Its blocks, at least one, all on the drive.
    pub extent: Extent,
    /// Time in which the bus moves one block; the drive may be slower.
    pub block: Span,
}

/// What a drive that is connected does with the bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BusStep {
    /// It keeps it until then, and is to be asked again.
    Hold(Instant),
    /// It lets go of it, and says [`DriveEvent::Ready`] when it wants it back.
    Release,
    /// It lets go of it, and the command is done.
    Complete,
}

/// What follows when the drive has held the bus for as long as it said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Then {
    Decode,
    /// Take more blocks of a write.
    Take,
    Release,
    Complete,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    command: ScsiCommand,
    /// From then on the heads may start.
    decoded: Instant,
    /// Where its blocks are, once it has a segment.
    segment: Option<usize>,
    /// Segment of a write, chosen when it came, and the one that the heads then read into, which takes its data too.
    chosen: Option<(usize, Option<usize>)>,
    /// Next block to cross.
    next: u64,
    /// It disconnected once more than others do, and has not yet, or has reconnected.
    extra: Extra,
    then: Then,
}

/// The extra disconnection of a write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extra {
    None,
    Disconnected,
    Reconnected,
}

/// What the heads are at.
#[derive(Clone, Copy, Debug)]
enum Heads {
    /// Nothing; they are at the drive's `place`.
    Idle,
    /// Reading into a segment.
    Reading { sweep: Sweep, segment: usize },
    /// Writing from segments; `place` is where that ends.
    Writing { end: Instant },
}

/// Times in picoseconds; fitted ones may be negative.
#[derive(Clone, Copy, Debug)]
struct Times {
    /// By write, hit, and whether the command before was a write.
    decode: [[[i64; 2]; 2]; 2],
    command: Span,
    /// Of reads and of writes.
    completion: [i64; 2],
    preparation: i64,
    reselect_first: i64,
    reselect_other: i64,
    /// By whether the command before was a write.
    disconnect_read: [i64; 2],
    disconnect_write: i64,
    /// By whether the command before was a write.
    write_data: [i64; 2],
    minimum_seek: Span,
    minimum_read_seek: Span,
    read_abort: Span,
    /// Of reads and of writes.
    block: [Span; 2],
}

/// One drive on a SCSI-like bus.
#[derive(Clone, Debug)]
pub struct ScsiDrive {
    mechanics: Mechanics,
    spec: ScsiSpec,
    times: Times,
    segments: Segments,
    place: Place,
    heads: Heads,
    /// When each write that is not on the medium yet will be, and the block that it ends before.
    unwritten: VecDeque<(Instant, u64)>,
    active: Option<Active>,
    /// The command, if it is longer than a segment.
    long: Option<Box<Long>>,
    last_was_write: bool,
}

impl ScsiDrive {
    /// From now on the platters turn as `spindle` says, in the same time a turn: for replays of measured requests, which
    /// show how the real ones turned. What the heads are at keeps its times.
    pub fn align(&mut self, spindle: Spindle) {
        debug_assert_eq!(spindle.revolution(), self.mechanics.spindle.revolution());
        self.mechanics.spindle = spindle;
    }

    /// A drive with these mechanics, just powered on; both specs are one, and have been validated.
    pub fn new(spec: &DriveSpec, front_end: &ScsiSpec, mechanics: Mechanics) -> Self {
        ScsiDrive {
            mechanics,
            spec: *front_end,
            times: Times::new(spec, front_end),
            segments: Segments::new(&front_end.segments, front_end.writes_renew),
            place: Place::default(),
            heads: Heads::Idle,
            unwritten: VecDeque::new(),
            active: None,
            long: None,
            last_was_write: false,
        }
    }

    /// Blocks it offers.
    pub fn capacity(&self) -> u64 {
        self.mechanics.geometry.capacity()
    }

    /// Its mechanics, for checks.
    pub fn mechanics(&self) -> &Mechanics {
        &self.mechanics
    }

    /// Gives it a command, over the bus.
    pub fn accept(&mut self, command: ScsiCommand, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        debug_assert!(self.active.is_none(), "one command at a time");
        let command =
            ScsiCommand { block: command.block.max(self.times.block[usize::from(command.write)]), ..command };
        self.active = Some(Active {
            command,
            decoded: cx.now(),
            segment: None,
            chosen: None,
            next: command.extent.lba,
            extra: Extra::None,
            then: Then::Decode,
        });
        if self.times.command.is_zero() {
            self.decode(cx)
        } else {
            BusStep::Hold(cx.now() + self.times.command)
        }
    }

    /// It has the bus that it asked for with [`DriveEvent::Ready`].
    pub fn reconnected(&mut self, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        let Some(active) = self.active else { return BusStep::Release };
        if active.command.write { self.reconnect_write(active, cx) } else { self.reconnect_read(active, cx) }
    }

    /// It has held the bus for as long as it said.
    pub fn held(&mut self, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        let Some(active) = self.active else { return BusStep::Release };
        match active.then {
            Then::Decode => self.decode(cx),
            Then::Take => self.take(active, cx.now(), cx),
            Then::Release => BusStep::Release,
            Then::Complete => {
                self.complete(active, cx.now());
                BusStep::Complete
            }
        }
    }

    fn decode(&mut self, cx: &mut impl Schedule<DriveEvent>) -> BusStep {
        let Some(active) = self.active else { return BusStep::Release };
        self.settle(cx.now());
        if active.command.write { self.begin_write(active, cx) } else { self.begin_read(active, cx) }
    }

    fn complete(&mut self, active: Active, now: Instant) {
        self.settle(now);
        self.last_was_write = active.command.write;
        if let (false, Some(index)) = (active.command.write, active.segment) {
            self.read_completed(index, active.next);
        }
        self.active = None;
    }

    /// Keeps the bus until `until` and then does what is to follow.
    fn hold(&mut self, active: Active, until: Instant, then: Then) -> BusStep {
        self.active = Some(Active { then, ..active });
        BusStep::Hold(until)
    }

    /// Says at `at`, or at once, that it wants the bus.
    fn ask(active: &Active, at: Instant, cx: &mut impl Schedule<DriveEvent>) {
        cx.at(at.max(cx.now()), Phase::Grant, DriveEvent::Ready(active.command.id));
    }

    /// Brings the segments to `now`, and ends what has come to its end.
    fn settle(&mut self, now: Instant) {
        match &mut self.heads {
            Heads::Idle => {}
            Heads::Reading { sweep, segment } => {
                let end = sweep.sync(&self.mechanics, now);
                self.segments.fill(*segment, end);
                if end >= sweep.limit() {
                    self.place = sweep.place();
                    self.segments.at(*segment).state = State::Clean;
                    self.heads = Heads::Idle;
                }
            }
            Heads::Writing { end } => {
                if *end <= now {
                    self.writes_done();
                }
            }
        }
    }

    /// Breaks reading on off at `now`; returns when the heads may leave. Only after `settle`, and not while they write.
    fn stop(&mut self, now: Instant) -> Instant {
        let Heads::Reading { sweep, segment } = self.heads else { return now };
        let at_once = self.spec.prefetch_stop == PrefetchStop::AtOnce;
        self.place = sweep.place();
        self.segments.at(segment).state = State::Clean;
        self.heads = Heads::Idle;
        sweep.leaves(&self.mechanics, now, at_once)
    }

    /// Until when the heads will not be called off, for a command that is no hit in what they are at. Reading on, for
    /// which a command now waits, goes no farther than it must.
    fn busy_until(&mut self) -> Option<Instant> {
        match &mut self.heads {
            Heads::Idle => None,
            Heads::Reading { sweep, segment } => {
                let Segment { end, least, .. } = *self.segments.at(*segment);
                let least = least.min(sweep.limit());
                (end < least).then(|| {
                    sweep.shorten(least);
                    let mut ahead = *sweep;
                    ahead.reaches(&self.mechanics, least)
                })
            }
            Heads::Writing { end } => Some(*end),
        }
    }

    /// How many blocks make a water mark of `part` for a request of `sectors`.
    fn mark(&self, part: f64, sectors: u64) -> u64 {
        let segment = self.segments.blocks();
        match self.spec.water_mark {
            WaterMark::Request => ((sectors.min(segment) as f64 * part) as u64).max(1),
            WaterMark::Segment => (segment as f64 * part).ceil() as u64,
        }
    }

    fn never_disconnects(&self) -> bool {
        self.spec.disconnection == Disconnection::Never
    }
}

/// `at` and a time that may be negative.
fn after(at: Instant, ps: i64) -> Instant {
    Instant::from_ps(at.ps().saturating_add_signed(ps))
}

impl Times {
    fn new(drive: &DriveSpec, spec: &ScsiSpec) -> Self {
        const PS_PER_MS: f64 = 1e9;
        let ps = |ms: f64| (ms * PS_PER_MS).round() as i64;
        let flags = [false, true];
        let decode = flags
            .map(|write| flags.map(|hit| flags.map(|after| ps(drive.overhead.decode_ms(write, hit, after)))));
        let after_write_ms = spec.disconnect_read_after_write_ms.unwrap_or(spec.disconnect_read_ms);
        Times {
            decode,
            command: Span::from_ms(spec.command_ms),
            completion: [ps(spec.read_completion_ms), ps(spec.write_completion_ms)],
            preparation: ps(spec.data_preparation_ms),
            reselect_first: ps(spec.reselect_first_ms),
            reselect_other: ps(spec.reselect_other_ms),
            disconnect_read: [ps(spec.disconnect_read_ms), ps(after_write_ms)],
            disconnect_write: ps(spec.disconnect_write_ms),
            write_data: [ps(spec.write_after_read_data_ms), 0],
            minimum_seek: Span::from_ms(spec.minimum_seek_ms),
            minimum_read_seek: Span::from_ms(spec.minimum_read_seek_ms),
            read_abort: Span::from_ms(spec.read_abort_ms),
            block: [spec.block_ms, spec.write_block_ms.unwrap_or(spec.block_ms)].map(Span::from_ms),
        }
    }

    fn decode(&self, write: bool, hit: bool, after_write: bool) -> i64 {
        self.decode[usize::from(write)][usize::from(hit)][usize::from(after_write)]
    }
}
