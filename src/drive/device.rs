//! One drive: what it does with a command, and what it does on its own.
//!
//! A command is accepted, waits for the mechanism if it needs it, becomes ready for its data, and is done when its
//! data has crossed the interface (and, without write cache, is on the medium). On its own the drive reads ahead
//! and writes dirty data. Without a command queue it is given one command at a time.

use std::sync::Arc;

use super::buffer::{Buffer, SegmentId};
use super::mechanics::{Access, Mechanics, Place};
use super::read_ahead::Run;
use super::seek::SeekTable;
use super::spec::{
    DestageStart, DriveSpec, OverheadSpec, QueueSpec, ReadAhead, ReadAheadRefill, ReadAheadRestart,
};
use super::write_cache::WriteCache;
use crate::sim::{Handle, Phase, Schedule, Stream, Streams};
use crate::units::{Extent, Instant, SECTOR_BYTES, Span};
use rand_distr::{Distribution, Normal};

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DriveEvent {
    /// The data of a command can start to cross the interface.
    Ready(CommandId),
    /// A command is done: the drive asserts its interrupt.
    Complete(CommandId),
    /// The mechanism has finished what it was doing.
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

    /// Until when the mechanism is in an operation that it will not break off (reading ahead does not count).
    pub fn busy_until(&self) -> Instant {
        match self.mechanism {
            Mechanism::Idle => Instant::ZERO,
            Mechanism::Reading { busy, .. } => busy,
            Mechanism::Destaging { until } | Mechanism::WritingThrough { until } => until,
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
        self.commands.push(Active { command, accepted, step: Step::Waiting, after_write });
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
        for index in 0..self.commands.len() {
            if self.commands[index].step == Step::Waiting {
                self.serve_without_mechanism(index, cx);
            }
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

    // ---- commands that need no mechanical work of their own ----

    fn serve_without_mechanism(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        let Active { command, accepted, .. } = self.commands[index];
        match command.kind {
            CommandKind::Flush => self.draining |= !self.cache.is_clean(),
            CommandKind::Write if !self.write_cache_enabled => {
                self.ready(index, self.decoded(index, false), cx);
            }
            CommandKind::Write => {
                if self.cache.has_room(command.extent, self.promised()) {
                    self.ready(index, self.decoded(index, true), cx);
                } else if cx.now() == accepted {
                    self.counters.writes_stalled += 1;
                }
            }
            CommandKind::Read => {
                let ready = self.decoded(index, true).max(cx.now());
                self.serve_read_from_buffer(index, ready, cx);
            }
        }
    }

    /// Entries and sectors of the cache that writes will take whose data is still crossing.
    fn promised(&self) -> (usize, u64) {
        let crossing = self.commands.iter().filter(|a| a.step == Step::Ready);
        let writes = crossing.filter(|a| a.command.kind == CommandKind::Write);
        writes.fold((0, 0), |(entries, sectors), a| (entries + 1, sectors + a.command.extent.sectors))
    }

    /// When the drive's processor has understood the command.
    fn decoded(&self, index: usize, hit: bool) -> Instant {
        let active = &self.commands[index];
        let write = active.command.kind == CommandKind::Write;
        active.accepted + self.overheads.decode(write, hit, active.after_write)
    }

    fn ready(&mut self, index: usize, at: Instant, cx: &mut impl Schedule<DriveEvent>) {
        self.commands[index].step = Step::Ready;
        let id = self.commands[index].command.id;
        cx.at(at.max(cx.now()), Phase::Grant, DriveEvent::Ready(id));
    }

    /// Serves a read that the drive has decoded by `ready` from the cache, the buffer, or reading that is under way;
    /// says whether it could.
    fn serve_read_from_buffer(
        &mut self,
        index: usize,
        ready: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> bool {
        let extent = self.commands[index].command.extent;
        if self.cache.covers(extent) {
            self.counters.read_hits += 1;
            self.ready(index, ready, cx);
            return true;
        }
        self.sync_run(ready);
        let Some(segment) = self.buffer.find(extent.lba) else { return false };
        if extent.end() <= self.buffer.segment(segment).end {
            self.counters.read_hits += 1;
            self.buffer.touch(segment, extent);
            self.refill(segment, extent.end(), false, ready);
            self.ready(index, ready, cx);
            return true;
        }
        // The rest is still to come: if the mechanism is reading it, wait for it; if it had stopped, go on.
        let reading_it = matches!(self.mechanism, Mechanism::Reading { segment: s, .. } if s == segment);
        if reading_it {
            self.counters.read_partial_hits += 1;
            self.buffer.touch(segment, extent);
            self.refill(segment, extent.end(), true, ready);
            self.await_run(index, ready, cx);
        }
        reading_it
    }

    /// The command's last sector is part of the run under way: its data can start to cross the interface when
    /// the rest will keep up.
    fn await_run(&mut self, index: usize, earliest: Instant, cx: &mut impl Schedule<DriveEvent>) {
        let Mechanism::Reading { run, busy, segment } = &mut self.mechanism else { return };
        let Command { extent, transfer, .. } = self.commands[index].command;
        let held = self.buffer.segment(*segment).end;
        let (read, start) = run.feeds(&self.mechanics, extent, held, transfer);
        *busy = read.max(*busy);
        self.ready(index, earliest.max(start), cx);
        if self.queue_depth > 1 {
            cx.at(read.max(cx.now()), Phase::Completion, DriveEvent::MediaDone);
        }
    }

    // ---- reading ----

    /// Which waiting read the mechanism takes next: the one with the shortest positioning time, less what it
    /// has waited for, weighted (a drive without a queue has at most one).
    fn next_read(&self, now: Instant) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        // Where the heads are now, not where they were sent from.
        let place = match self.mechanism {
            Mechanism::Reading { mut run, .. } if self.queue_depth > 1 => {
                run.sync(&self.mechanics, now);
                run.place()
            }
            _ => self.place,
        };
        for (index, active) in self.commands.iter().enumerate() {
            if active.step != Step::Waiting || active.command.kind != CommandKind::Read {
                continue;
            }
            if self.queue_depth == 1 {
                return Some(index);
            }
            let leave = now.max(self.decoded(index, false));
            let piece = self.mechanics.piece(place, leave, active.command.extent.lba, Access::Read, false);
            let cost = piece.begin.since(now).as_ms() - self.age_weight * now.since(active.accepted).as_ms();
            if best.is_none_or(|(_, least)| cost < least) {
                best = Some((index, cost));
            }
        }
        best.map(|(index, _)| index)
    }

    fn read_from_medium(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        let extent = self.commands[index].command.extent;
        let begin = self.decoded(index, false).max(cx.now());
        // Reading ahead may have come to it while the command was decoded.
        if self.serve_read_from_buffer(index, begin, cx) {
            return;
        }
        self.stop_reading(begin);
        let joined = self.buffer.find(extent.lba);
        let (segment, from) = match joined {
            // What is held need not be read again; reading goes on where it had stopped.
            Some(segment) => {
                self.counters.read_partial_hits += 1;
                self.counters.read_ahead_restarts += 1;
                (segment, self.buffer.segment(segment).end)
            }
            None => {
                self.counters.read_misses += 1;
                (self.buffer.allocate(extent, self.cache.sectors()), extent.lba)
            }
        };
        if joined.is_some() {
            self.buffer.touch(segment, extent);
        }
        let limit = self.limit(segment, extent);
        let free = begin.max(self.free_at);
        let leave = free + self.jitter();
        let piece = if self.zero_latency_read {
            let wanted = Extent::new(from, extent.end() - from);
            self.mechanics.piece_zero_latency(self.place, leave, wanted, Access::Read, false)
        } else {
            self.mechanics.piece(self.place, leave, from, Access::Read, joined.is_some())
        };
        if self.free_block_read && joined.is_none() {
            self.buffer.keep_before(segment, u64::from(self.mechanics.passed_before(&piece)));
        }
        let run = Run::new(piece, limit);
        self.mechanism = Mechanism::Reading { run, segment, busy: begin };
        self.await_run(index, begin, cx);
        let busy = self.busy_until();
        self.counters.mechanism_busy += busy.since(free);
    }

    /// Where reading stops that serves `extent` and then reads ahead.
    fn limit(&self, segment: SegmentId, extent: Extent) -> u64 {
        let stream = self.buffer.segment(segment).stream;
        let whole_segment = extent.lba + self.buffer.segment_sectors(stream).max(extent.sectors);
        let limit = match self.read_ahead {
            ReadAhead::Off => extent.end(),
            ReadAhead::Track => {
                let span = self.mechanics.geometry.locate(extent.end() - 1);
                extent.end() - 1 + u64::from(span.left)
            }
            ReadAhead::Cylinder => self.cylinder_end(extent.end() - 1),
            ReadAhead::Segment => whole_segment,
            ReadAhead::Adaptive { minimum_kib, maximum_kib } => {
                let ahead = if stream { maximum_kib } else { minimum_kib };
                let ahead = extent.end() + u64::from(ahead) * 1024 / SECTOR_BYTES;
                if stream { ahead.min(whole_segment) } else { ahead.max(whole_segment) }
            }
        };
        let room = extent.lba + self.buffer.room(self.cache.sectors());
        limit.min(room).clamp(extent.end(), self.capacity())
    }

    fn cylinder_end(&self, lba: u64) -> u64 {
        let cylinder = self.mechanics.geometry.locate(lba).cylinder;
        let mut end = lba;
        while end < self.capacity() {
            let span = self.mechanics.geometry.locate(end);
            if span.cylinder != cylinder {
                break;
            }
            end += u64::from(span.left);
        }
        end
    }

    /// Tops up the reading ahead of a reader that has come to `reader`, at `now`.
    fn refill(&mut self, segment: SegmentId, reader: u64, wanted: bool, now: Instant) {
        let limit = self.limit(segment, Extent::new(reader - 1, 1));
        let held = self.buffer.segment(segment).end;
        match &mut self.mechanism {
            Mechanism::Reading { run, segment: s, .. } if *s == segment => {
                let low = match (self.refill, self.restart) {
                    (ReadAheadRefill::Continuous, _) => true,
                    (ReadAheadRefill::Batch, ReadAheadRestart::WhenEmpty) => run.limit() <= reader,
                    (ReadAheadRefill::Batch, ReadAheadRestart::AtKib(kib)) => {
                        run.limit() <= reader + u64::from(kib) * 1024 / SECTOR_BYTES
                    }
                };
                if !low && !wanted {
                    return;
                }
                let target = if low { limit } else { reader };
                if held < run.limit() {
                    run.extend(target);
                } else if target > held {
                    self.restart_run(segment, held, target, now);
                }
            }
            _ => {}
        }
    }

    /// Reading had stopped at `held`; the head is still there and waits for the next sector to come round.
    fn restart_run(&mut self, segment: SegmentId, held: u64, limit: u64, now: Instant) {
        let Mechanism::Reading { run, busy, .. } = self.mechanism else { return };
        self.counters.read_ahead_restarts += 1;
        let piece = self.mechanics.piece(run.place(), now, held, Access::Read, true);
        self.mechanism = Mechanism::Reading { run: Run::new(piece, limit), segment, busy };
    }

    /// Brings the buffer up to date with what the mechanism has read by `now`.
    fn sync_run(&mut self, now: Instant) {
        if let Mechanism::Reading { run, segment, .. } = &mut self.mechanism {
            let reached = run.sync(&self.mechanics, now);
            *segment = self.buffer.fill(*segment, reached, self.cache.sectors());
        }
    }

    /// Breaks reading off at the next sector boundary.
    fn stop_reading(&mut self, now: Instant) {
        self.sync_run(now);
        self.leave_run(now);
    }

    /// The heads may leave the run at the next sector boundary from `now` on.
    fn leave_run(&mut self, now: Instant) {
        if let Mechanism::Reading { mut run, .. } = self.mechanism {
            run.sync(&self.mechanics, now);
            self.place = run.place();
            self.free_at = run.leaves(&self.mechanics, now);
            self.mechanism = Mechanism::Idle;
        }
    }

    fn drop_stale(&mut self, extent: Extent, now: Instant) {
        self.sync_run(now);
        let filling = match self.mechanism {
            Mechanism::Reading { segment, .. } => Some(segment),
            _ => None,
        };
        let kept = self.buffer.invalidate(extent, filling);
        let kept = if kept.is_some() { self.buffer.make_room(self.cache.sectors(), kept) } else { None };
        match (&mut self.mechanism, kept) {
            (Mechanism::Reading { run, segment, .. }, Some(kept)) => {
                *segment = kept;
                run.shorten(self.buffer.segment(kept).next + self.buffer.room(self.cache.sectors()));
            }
            // A command that still waits for the run gets its sectors; nothing is read ahead.
            (Mechanism::Reading { busy, .. }, None) => {
                let end = now.max(*busy);
                self.leave_run(end);
            }
            _ => {}
        }
        if filling.is_none() {
            self.buffer.make_room(self.cache.sectors(), None);
        }
    }

    // ---- writing ----

    /// Starts to write an extent if the rules want that now; says whether it did.
    fn destage_if_due(&mut self, cx: &mut impl Schedule<DriveEvent>) -> bool {
        if self.cache.is_clean() {
            self.draining = false;
            return false;
        }
        let forced =
            self.commands.iter().any(|a| a.step == Step::Waiting && a.command.kind != CommandKind::Read)
                || self.cache.overdue(cx.now());
        let due = match self.start {
            DestageStart::Immediate => true,
            DestageStart::IdleMs(_) => self.draining && self.commands.is_empty(),
            DestageStart::HighWater { high_percent, low_percent } => {
                let fill = self.cache.fill_permille();
                let permille = |percent: f64| (percent * 10.0) as u64;
                self.draining &= fill > permille(low_percent);
                self.draining |= fill >= permille(high_percent);
                self.draining
            }
        };
        if due || forced {
            self.destage(cx);
        }
        due || forced
    }

    fn destage(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        self.stop_reading(cx.now());
        let begin = cx.now().max(self.free_at);
        let leave = begin + self.jitter();
        let Some((extent, sequential)) = self.cache.take(&self.mechanics, self.place, leave) else { return };
        let zero_latency = self.zero_latency_write;
        let (end, place) = self.mechanics.write(self.place, leave, extent, sequential, zero_latency);
        self.cache.ends_at(place);
        let until = end + self.verify_time();
        self.place = place;
        self.free_at = until;
        self.mechanism = Mechanism::Destaging { until };
        self.counters.mechanism_busy += until.since(begin);
        cx.at(until, Phase::Completion, DriveEvent::MediaDone);
    }

    fn write_through(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        self.commands[index].step = Step::OnMedia;
        let extent = self.commands[index].command.extent;
        self.stop_reading(cx.now());
        let begin = cx.now().max(self.free_at);
        // The arm was sent off when the command had been decoded, while the data crossed the interface.
        let leave = self.decoded(index, false).max(self.free_at) + self.jitter();
        let target = self.mechanics.place_of(extent.lba);
        let travel = self.mechanics.positioning(self.place, target, Access::Write, false);
        let arrival = (leave + travel).max(cx.now());
        let (end, place) = self.mechanics.write(target, arrival, extent, true, self.zero_latency_write);
        let until = end + self.verify_time();
        self.place = place;
        self.free_at = until;
        self.mechanism = Mechanism::WritingThrough { until };
        self.counters.mechanism_busy += until.since(begin);
        cx.at(until, Phase::Completion, DriveEvent::MediaDone);
    }

    /// A verifying drive reads what it wrote one turn later.
    fn verify_time(&self) -> Span {
        if self.write_verify { self.mechanics.spindle.revolution() } else { Span::ZERO }
    }

    fn jitter(&mut self) -> Span {
        match &mut self.jitter {
            None => Span::ZERO,
            Some((normal, stream)) => Span::from_ms(normal.sample(stream).abs()),
        }
    }

    /// Keeps one timer in the calendar for the earliest instant at which dirty data must go on its own.
    fn arm_timer(&mut self, cx: &mut impl Schedule<DriveEvent>) {
        let idle_start = match self.start {
            DestageStart::IdleMs(ms) if self.commands.is_empty() => Some(cx.now() + Span::from_ms(ms)),
            _ => None,
        };
        let wanted = if self.cache.is_clean() || matches!(self.mechanism, Mechanism::Destaging { .. }) {
            None
        } else {
            [idle_start, self.cache.due().filter(|&due| due > cx.now())].into_iter().flatten().min()
        };
        if self.timer.map(|(at, _)| at) == wanted {
            return;
        }
        if let Some((_, handle)) = self.timer.take() {
            cx.cancel(handle);
        }
        self.timer = wanted.map(|at| (at, cx.at(at, Phase::Arrival, DriveEvent::DestageTimer)));
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
