//! One drive: what it does with a command, and what it does on its own.
//!
//! A command is accepted, waits for the mechanism if it needs it, becomes ready for its data, and is done when its
//! data has crossed the interface (and, without write cache, is on the medium). On its own the drive reads ahead
//! and writes dirty data. Without a command queue it is given one command at a time.

mod destaging;
mod reading;
mod serving;
mod times;

pub use times::{Activity, Operation, Service, Work};

use std::sync::Arc;

use super::buffer::{Buffer, SegmentId};
use super::mechanics::{Mechanics, Place};
use super::read_ahead::Run;
use super::seek::SeekTable;
use super::spec::{
    DestageStart, DriveSpec, OverheadSpec, QueueSpec, ReadAhead, ReadAheadRefill, ReadAheadRestart,
};
use super::spindle::Spindle;
use super::write_cache::WriteCache;
use crate::sim::{Handle, Phase, Schedule, Stream, Streams};
use crate::units::{Extent, Instant, KIB, SECTOR_BYTES, Span};
use rand_distr::Normal;

/// Names a command given to a drive; the machine's numbering.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CommandId(pub u32);

/// What a command asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandKind {
    /// READ DMA and its kin.
    Read,
    /// WRITE DMA and its kin.
    Write,
    /// FLUSH CACHE: done when nothing is dirty.
    Flush,
}

/// A command as the drive sees it.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// The machine's name for it.
    pub id: CommandId,
    /// What is asked for.
    pub kind: CommandKind,
    /// Which sectors; empty for a flush.
    pub extent: Extent,
    /// How long its data takes across the interface if nothing holds it up: a read need not start sooner than
    /// it can go on without pause.
    pub transfer: Span,
}

/// What happens in a drive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DriveEvent {
    /// The data of a command can start to cross the interface.
    Ready(CommandId),
    /// A command is done: the drive asserts its interrupt.
    Complete(CommandId),
    /// The mechanism has finished what it was doing.
    #[default]
    MediaDone,
    /// Dirty data has waited long enough.
    DestageTimer,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// Needs the mechanism, or room in the cache.
    Waiting,
    /// Its data may cross the interface at a time that is in the calendar.
    Ready,
    /// Its data is in the buffer and waits for the mechanism (no write cache).
    Buffered,
    /// Its data is being written to the medium (no write cache).
    OnMedia,
}

#[derive(Clone, Copy, Debug)]
struct Active {
    command: Command,
    accepted: Instant,
    step: Step,
    /// The command before it was a write.
    after_write: bool,
    service: Service,
}

#[derive(Clone, Copy, Debug)]
enum Mechanism {
    Idle,
    /// Reading: a command's sectors until `busy`, then ahead.
    Reading {
        run: Run,
        segment: SegmentId,
        busy: Instant,
    },
    /// Writing dirty data.
    Destaging {
        until: Instant,
    },
    /// Writing a command's data through.
    WritingThrough {
        until: Instant,
    },
}

/// Times the drive's processor takes for a command, by what the command turns out to be.
#[derive(Clone, Copy, Debug)]
struct Overheads {
    /// By write, hit, and whether the command before was a write.
    decode: [[[Span; 2]; 2]; 2],
    completion: Span,
}

/// Counts of one drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DriveCounters {
    /// Commands completed.
    pub commands: u64,
    /// Reads served from buffer or cache without waiting for the mechanism.
    pub read_hits: u64,
    /// Reads that joined reading that was under way or had just stopped.
    pub read_partial_hits: u64,
    /// Reads that had to seek.
    pub read_misses: u64,
    /// Read-aheads that had stopped and were taken up again.
    pub read_ahead_restarts: u64,
    /// Extents written from the cache to the medium.
    pub destages: u64,
    /// Writes that had to wait for room in the cache.
    pub writes_stalled: u64,
    /// Time the mechanism worked for commands or destaging.
    #[serde(rename = "mechanism_busy_ps")]
    pub mechanism_busy: Span,
}

/// One drive.
#[derive(Clone, Debug)]
pub struct Drive {
    mechanics: Mechanics,
    buffer: Buffer,
    cache: WriteCache,
    overheads: Overheads,
    write_cache_enabled: bool,
    read_priority: bool,
    start: DestageStart,
    read_ahead: ReadAhead,
    /// Sectors that are read ahead even when a command waits for the heads.
    read_ahead_least: u64,
    restart: ReadAheadRestart,
    refill: ReadAheadRefill,
    free_block_read: bool,
    zero_latency_read: bool,
    zero_latency_write: bool,
    write_verify: bool,
    queue_depth: usize,
    age_weight: f64,
    jitter: Option<(Normal<f64>, Stream)>,
    place: Place,
    free_at: Instant,
    mechanism: Mechanism,
    /// The last stretch that is counted as work of the mechanism; it may be still to come.
    busy_from: Instant,
    busy_to: Instant,
    /// The times of what the mechanism does, or did last.
    operation: Operation,
    draining: bool,
    commands: Vec<Active>,
    last_was_write: bool,
    timer: Option<(Instant, Handle)>,
    counters: DriveCounters,
}

impl Drive {
    /// The drive called `name` (such as `drive/2`), just powered on; `spec` has been validated.
    pub fn new(spec: &DriveSpec, name: &str, streams: Streams) -> Self {
        let seeks = Arc::new(SeekTable::new(spec, spec.cylinders()));
        Self::with_mechanics(spec, Mechanics::new(spec, name, streams, seeks), name, streams)
    }

    /// A drive with given mechanics, made from the same spec.
    pub fn with_mechanics(spec: &DriveSpec, mechanics: Mechanics, name: &str, streams: Streams) -> Self {
        let (queue_depth, age_weight) = match spec.queue {
            QueueSpec::None => (1, 0.0),
            QueueSpec::Tcq { depth, age_weight } | QueueSpec::Ncq { depth, age_weight } => {
                (depth as usize, age_weight)
            }
        };
        let jitter = Normal::new(0.0, spec.seek_jitter_ms)
            .ok()
            .filter(|_| spec.seek_jitter_ms > 0.0)
            .map(|normal| (normal, streams.stream(name, "seek jitter")));
        Drive {
            mechanics,
            buffer: Buffer::new(&spec.buffer),
            cache: WriteCache::new(&spec.write_cache),
            overheads: Overheads::new(&spec.overhead),
            write_cache_enabled: spec.write_cache.enabled,
            read_priority: spec.write_cache.read_priority,
            start: spec.write_cache.start,
            read_ahead: spec.buffer.read_ahead,
            read_ahead_least: match spec.buffer.read_ahead {
                ReadAhead::Adaptive { minimum_kib, .. } => u64::from(minimum_kib) * KIB / SECTOR_BYTES,
                _ => 0,
            },
            restart: spec.buffer.read_ahead_restart,
            refill: spec.buffer.read_ahead_refill,
            free_block_read: spec.buffer.free_block_read,
            zero_latency_read: spec.buffer.zero_latency_read,
            zero_latency_write: spec.buffer.zero_latency_write,
            write_verify: spec.write_verify,
            queue_depth,
            age_weight,
            jitter,
            place: Place::default(),
            free_at: Instant::ZERO,
            mechanism: Mechanism::Idle,
            busy_from: Instant::ZERO,
            busy_to: Instant::ZERO,
            operation: Operation::default(),
            draining: false,
            commands: Vec::with_capacity(queue_depth),
            last_was_write: false,
            timer: None,
            counters: DriveCounters::default(),
        }
    }

    /// Sectors it offers.
    pub fn capacity(&self) -> u64 {
        self.mechanics.geometry.capacity()
    }
    /// Commands it takes at a time; more than one only with a command queue.
    pub fn queue_depth(&self) -> usize {
        self.queue_depth
    }
    /// Its counts so far.
    pub fn counters(&self) -> DriveCounters {
        self.counters
    }
    /// Its write cache, for checks.
    pub fn cache(&self) -> &WriteCache {
        &self.cache
    }
    /// Its buffer, for checks.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
    /// Its mechanics, for checks.
    pub fn mechanics(&self) -> &Mechanics {
        &self.mechanics
    }

    /// From now on the platters turn as `spindle` says, in the same time a turn: for replays of measured requests, which
    /// show how the real ones turned. What the mechanism is at keeps its times.
    pub fn align(&mut self, spindle: Spindle) {
        debug_assert_eq!(spindle.revolution(), self.mechanics.spindle.revolution());
        self.mechanics.spindle = spindle;
    }

    /// Until when the mechanism is in an operation that it will not break off (reading ahead does not count).
    pub fn busy_until(&self) -> Instant {
        match self.mechanism {
            Mechanism::Idle => Instant::ZERO,
            Mechanism::Reading { busy, .. } => busy,
            Mechanism::Destaging { until } | Mechanism::WritingThrough { until } => until,
        }
    }

    /// Time up to `now` that the mechanism has worked for commands or destaging.
    pub fn mechanism_busy(&self, now: Instant) -> Span {
        self.counters.mechanism_busy - self.busy_to.since(now.max(self.busy_from))
    }

    /// The mechanism works from `begin`, or when it has done what it was counted for, until `end`.
    fn count_busy(&mut self, begin: Instant, end: Instant) {
        let begin = begin.max(self.busy_to);
        if end > begin {
            self.busy_from = if begin > self.busy_to { begin } else { self.busy_from };
            self.busy_to = end;
            self.counters.mechanism_busy += end.since(begin);
        }
    }

    /// A command has been written to the drive's registers.
    pub fn accept(&mut self, command: Command, cx: &mut impl Schedule<DriveEvent>) {
        debug_assert!(
            self.commands.len() < self.queue_depth,
            "the drive takes {} commands",
            self.queue_depth
        );
        let (accepted, after_write) = (cx.now(), self.last_was_write);
        self.last_was_write = command.kind == CommandKind::Write;
        self.draining &= !matches!(self.start, DestageStart::IdleMs(_));
        self.commands.push(Active {
            command,
            accepted,
            step: Step::Waiting,
            after_write,
            service: Service::default(),
        });
        self.advance(cx);
    }

    /// All data of a command has crossed the interface.
    pub fn data_transferred(&mut self, id: CommandId, cx: &mut impl Schedule<DriveEvent>) {
        let index = self.index_of(id);
        let command = self.commands[index].command;
        if command.kind == CommandKind::Write && !self.write_cache_enabled {
            self.commands[index].step = Step::Buffered;
            self.drop_stale(command.extent, cx.now());
            self.advance(cx);
            return;
        }
        if command.kind == CommandKind::Write {
            self.cache.insert(command.extent, cx.now(), &self.mechanics);
            self.drop_stale(command.extent, cx.now());
        }
        self.complete(index, cx);
        self.advance(cx);
    }

    /// One of the drive's own events; `Ready` and `Complete` are for the machine.
    pub fn handle(&mut self, event: DriveEvent, cx: &mut impl Schedule<DriveEvent>) {
        match event {
            DriveEvent::MediaDone => self.media_done(cx),
            DriveEvent::DestageTimer => {
                self.timer = None;
                self.draining |= matches!(self.start, DestageStart::IdleMs(_)) && self.commands.is_empty();
                self.advance(cx);
            }
            DriveEvent::Ready(_) | DriveEvent::Complete(_) => {}
        }
    }

    fn complete(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        let id = self.commands.remove(index).command.id;
        self.counters.commands += 1;
        cx.at(cx.now() + self.overheads.completion, Phase::Completion, DriveEvent::Complete(id));
    }

    fn media_done(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        // The end of a read that was broken off may still be in the calendar: it ends nothing else.
        match self.mechanism {
            Mechanism::Destaging { until } if until <= cx.now() => {
                self.cache.written();
                self.counters.destages += 1;
                self.mechanism = Mechanism::Idle;
            }
            Mechanism::WritingThrough { until } if until <= cx.now() => {
                self.mechanism = Mechanism::Idle;
                if let Some(index) = self.commands.iter().position(|a| a.step == Step::OnMedia) {
                    self.complete(index, cx);
                }
            }
            _ => {}
        }
        self.advance(cx);
    }

    /// Starts whatever can start now.
    fn advance(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        // The usual end of a read: nothing waits to be served and nothing to be written.
        if self.commands.is_empty() && self.has_nothing_to_write() {
            return;
        }
        for index in 0..self.commands.len() {
            if self.commands[index].step == Step::Waiting {
                self.serve_without_mechanism(index, cx);
            }
        }
        // The usual end of a hit: no command is left for the mechanism, and nothing to be written.
        if self.has_nothing_to_write() && self.commands.iter().all(|active| active.step == Step::Ready) {
            return;
        }
        let mut index = 0;
        while index < self.commands.len() {
            let Active { command, step, .. } = self.commands[index];
            if step == Step::Waiting && command.kind == CommandKind::Flush && self.cache.entries() == 0 {
                self.complete(index, cx);
            } else {
                index += 1;
            }
        }
        if self.mechanism_free(cx.now()) {
            self.use_mechanism(cx);
        }
        self.arm_timer(cx);
    }

    fn has_nothing_to_write(&self) -> bool {
        self.cache.is_clean() && !self.draining && self.timer.is_none()
    }

    fn use_mechanism(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        if let Some(index) = self.commands.iter().position(|a| a.step == Step::Buffered) {
            return self.write_through(index, cx);
        }
        let urgent = !self.cache.is_clean() && (!self.read_priority || self.cache.overdue(cx.now()));
        if urgent && self.destage_if_due(cx) {
            return;
        }
        match self.next_read(cx.now()) {
            Some(index) => self.read_from_medium(index, cx),
            None if !urgent => {
                self.destage_if_due(cx);
            }
            None => {}
        }
    }

    fn mechanism_free(&self, now: Instant) -> bool {
        match self.mechanism {
            Mechanism::Idle => true,
            Mechanism::Reading { busy, .. } => now >= busy,
            Mechanism::Destaging { .. } | Mechanism::WritingThrough { .. } => false,
        }
    }

    fn index_of(&self, id: CommandId) -> usize {
        self.commands
            .iter()
            .position(|a| a.command.id == id)
            .expect("the command was accepted and is not done")
    }
}

impl Overheads {
    fn new(spec: &OverheadSpec) -> Self {
        let flags = [false, true];
        let decode = flags.map(|write| {
            flags.map(|hit| flags.map(|after| Span::from_ms(spec.decode_ms(write, hit, after))))
        });
        Overheads { decode, completion: Span::from_ms(spec.completion_ms) }
    }

    fn decode(&self, write: bool, hit: bool, after_write: bool) -> Span {
        self.decode[usize::from(write)][usize::from(hit)][usize::from(after_write)]
    }
}
