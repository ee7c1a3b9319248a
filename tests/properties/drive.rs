//! One drive under random commands, against a twin that knows only sets of sectors.

use std::collections::{BTreeSet, VecDeque};

use ataraid::drive::spec::{
    Destage, DestageStart, QueueSpec, ReadAhead, ReadAheadRefill, ReadAheadRestart, Segments,
};
use ataraid::drive::{CommandKind, Drive, DriveEvent, DriveSpec};
use ataraid::sim::{Phase, Streams};
use ataraid::units::{Extent, Span};
use proptest::prelude::*;

use crate::common::{self, rig::Rig, rig::RigEvent};

/// One command and the pause before it.
#[derive(Clone, Debug)]
struct Step {
    gap_us: u64,
    kind: u8,
    /// In one of four areas; or, from 4 on, `offset` before or after the end of the command before.
    area: u8,
    offset: u64,
    sectors: u64,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let gap = prop_oneof![4 => Just(0_u64), 3 => 1_u64..400, 2 => 400_u64..30_000];
    let step = (gap, 0_u8..20, 0_u8..7, 0_u64..120, prop_oneof![1_u64..8, 1_u64..100])
        .prop_map(|(gap_us, kind, area, offset, sectors)| Step { gap_us, kind, area, offset, sectors });
    prop::collection::vec(step, 1..60)
}

fn read_ahead() -> impl Strategy<Value = ReadAhead> {
    prop_oneof![
        Just(ReadAhead::Off),
        Just(ReadAhead::Track),
        Just(ReadAhead::Cylinder),
        Just(ReadAhead::Segment),
        (0_u32..32, 32_u32..256)
            .prop_map(|(minimum_kib, maximum_kib)| ReadAhead::Adaptive { minimum_kib, maximum_kib }),
    ]
}

fn segments() -> impl Strategy<Value = Segments> {
    prop_oneof![
        (1_u32..6, 4_u32..40).prop_map(|(count, size_kib)| Segments::Fixed { count, size_kib }),
        (2_u32..32, 1_u32..6)
            .prop_map(|(minimum_kib, maximum_count)| Segments::Adaptive { minimum_kib, maximum_count }),
    ]
}

fn start() -> impl Strategy<Value = DestageStart> {
    prop_oneof![
        3 => Just(DestageStart::Immediate),
        1 => (0.0_f64..30.0).prop_map(DestageStart::IdleMs),
        1 => (0.0_f64..60.0, 10.0_f64..40.0).prop_map(|(low_percent, span)| DestageStart::HighWater {
            high_percent: low_percent + span,
            low_percent
        }),
    ]
}

fn destage() -> impl Strategy<Value = Destage> {
    prop_oneof![Just(Destage::Fcfs), Just(Destage::Sstf), Just(Destage::CLook), Just(Destage::Sptf)]
}

prop_compose! {
    fn cache_of()(
        enabled in prop::bool::weighted(0.85), entries_max in 1_u32..9, size_kib in 4_u32..120, coalesce: bool,
        extent_kib in 1_u32..80, destage in destage(), start in start(), age_limit_ms in 5.0_f64..500.0,
        read_priority in prop::bool::weighted(0.8),
    ) -> ataraid::drive::spec::WriteCacheSpec {
        ataraid::drive::spec::WriteCacheSpec {
            enabled, entries_max, size_kib, coalesce, extent_kib, destage, start, age_limit_ms, read_priority,
        }
    }
}

prop_compose! {
    /// Any small drive.
    pub fn drive_of()(
        cache in cache_of(), read_ahead in read_ahead(), segments in segments(),
        restart_kib in prop::option::of(0_u32..32), batch: bool, zero_latency: bool,
        (free_block, zero_latency_write) in any::<(bool, bool)>(),
        queue in prop_oneof![2 => Just(1_u32), 1 => 2_u32..9],
        verify in prop::bool::weighted(0.1), jitter in prop::bool::weighted(0.2),
    ) -> DriveSpec {
        let mut drive = common::small_drive();
        drive.write_cache = cache;
        drive.buffer.read_ahead = read_ahead;
        drive.buffer.segments = segments;
        drive.buffer.zero_latency_read = zero_latency;
        drive.buffer.zero_latency_write = zero_latency_write;
        drive.buffer.free_block_read = free_block;
        drive.buffer.read_ahead_restart =
            restart_kib.map_or(ReadAheadRestart::WhenEmpty, ReadAheadRestart::AtKib);
        drive.buffer.read_ahead_refill =
            if batch { ReadAheadRefill::Batch } else { ReadAheadRefill::Continuous };
        if queue > 1 {
            drive.queue = QueueSpec::Tcq { depth: queue, age_weight: 1.0 };
        }
        drive.write_verify = verify;
        drive.seek_jitter_ms = if jitter { 0.3 } else { 0.0 };
        drive
    }
}

/// What must be in the cache, as sets of sectors.
#[derive(Default)]
struct Twin {
    dirty: BTreeSet<u64>,
    writing: BTreeSet<u64>,
    accepted: u64,
    superseded: u64,
    written: u64,
}

fn sectors(extent: Extent) -> impl Iterator<Item = u64> {
    extent.lba..extent.end()
}

impl Twin {
    fn accept(&mut self, extent: Extent) {
        for lba in sectors(extent) {
            self.accepted += 1;
            self.superseded += u64::from(!self.dirty.insert(lba));
        }
    }
    fn on_medium(&mut self) {
        self.written += self.writing.len() as u64;
        self.writing.clear();
    }
    fn take(&mut self, extent: Extent) {
        for lba in sectors(extent) {
            assert!(self.dirty.remove(&lba), "{lba} is written but was not dirty");
            self.writing.insert(lba);
        }
    }
}

/// Carries out the commands and checks the laws after every event.
struct Check {
    rig: Rig,
    spec: DriveSpec,
    twin: Twin,
    left: VecDeque<(Span, CommandKind, Extent)>,
}

impl Check {
    fn new(spec: &DriveSpec, steps: &[Step]) -> Self {
        let drive = Drive::new(spec, "drive/a", Streams::new(5));
        let capacity = drive.capacity();
        let mut before = 0;
        let left = steps.iter().map(|step| {
            let base = u64::from(step.area) * (capacity / 4) / 64 * 64;
            let lba = match step.area {
                0..=3 => base + step.offset,
                4 => before,
                5 => before + step.offset / 4,
                _ => before.saturating_sub(step.offset),
            };
            let lba = lba.min(capacity - 1);
            let extent = Extent::new(lba, step.sectors.min(capacity - lba));
            before = extent.end();
            let (kind, extent) = match step.kind {
                0 => (CommandKind::Flush, Extent::default()),
                1..=9 => (CommandKind::Write, extent),
                _ => (CommandKind::Read, extent),
            };
            (Span::from_ns(1000 * step.gap_us), kind, extent)
        });
        Check { rig: Rig::new(drive), spec: spec.clone(), twin: Twin::default(), left: left.collect() }
    }

    fn run(mut self) {
        let mut next_at = self.left.front().map(|first| self.rig.calendar.now() + first.0);
        if let Some(at) = next_at {
            self.rig.calendar.schedule(at, Phase::Arrival, RigEvent::Submit);
        }
        let depth = self.rig.drive.queue_depth();
        for events in 0.. {
            assert!(events < 100_000, "the drive never comes to rest");
            let writing = self.rig.drive.cache().writing();
            let destages = self.rig.drive.counters().destages;
            let Some((now, event)) = self.rig.step() else { break };
            self.follow(event, writing, destages);
            self.laws(event);
            if self.rig.outstanding() < depth
                && let Some(at) = next_at.filter(|&at| at <= now)
            {
                debug_assert!(at <= now);
                let (_, kind, extent) = self.left.pop_front().expect("it is due");
                let writing = self.rig.drive.cache().writing();
                let destages = self.rig.drive.counters().destages;
                self.rig.submit(kind, extent, Span::from_ns(5_000 * extent.sectors.max(1)));
                self.follow(RigEvent::Submit, writing, destages);
                self.laws(RigEvent::Submit);
                next_at = self.left.front().map(|next| now + next.0);
                if let Some(at) = next_at {
                    self.rig.calendar.schedule(at, Phase::Arrival, RigEvent::Submit);
                }
            }
        }
        assert_eq!(self.rig.outstanding(), 0, "every command completes");
        assert!(self.left.is_empty(), "every command was given");
        assert_eq!(self.rig.drive.cache().entries(), 0, "a drive left alone becomes clean");
        assert!(self.rig.drive.busy_until() <= self.rig.calendar.now());
        let Twin { accepted, superseded, written, .. } = self.twin;
        assert_eq!(accepted, superseded + written, "all that was accepted is on the medium");
        let counters = self.rig.drive.counters();
        assert_eq!(counters.commands, self.rig.commands.len() as u64);
        let reads = self.rig.commands.iter().filter(|c| c.kind == CommandKind::Read).count() as u64;
        assert_eq!(counters.read_hits + counters.read_partial_hits + counters.read_misses, reads);
    }

    /// Brings the twin up to date.
    fn follow(&mut self, event: RigEvent, writing: Option<Extent>, destages: u64) {
        let cached = self.spec.write_cache.enabled;
        if let RigEvent::Transferred(id) = event {
            let command = self.rig.commands[id.0 as usize];
            if command.kind == CommandKind::Write && cached {
                self.twin.accept(command.extent);
            }
        }
        let cache = self.rig.drive.cache();
        let finished = self.rig.drive.counters().destages - destages;
        assert!(finished <= 1);
        if finished == 1 {
            assert!(matches!(event, RigEvent::Drive(DriveEvent::MediaDone)), "{event:?} ended a destage");
            self.twin.on_medium();
        }
        if let Some(taken) = cache.writing().filter(|_| writing.is_none() || finished == 1) {
            self.twin.take(taken);
        }
    }

    fn laws(&mut self, event: RigEvent) {
        let now = self.rig.calendar.now();
        let cache = self.rig.drive.cache();
        let writing = cache.writing();
        let dirty: Vec<Extent> =
            cache.extents().take(cache.entries() - usize::from(writing.is_some())).collect();
        assert!(dirty.windows(2).all(|pair| pair[0].end() <= pair[1].lba), "overlap or disorder: {dirty:?}");
        assert!(dirty.iter().flat_map(|&d| sectors(d)).eq(self.twin.dirty.iter().copied()));
        assert!(writing.into_iter().flat_map(sectors).eq(self.twin.writing.iter().copied()));
        let held: u64 = cache.extents().map(|e| e.sectors).sum();
        assert_eq!(held, cache.sectors());
        let spec = &self.spec.write_cache;
        assert!(cache.entries() <= spec.entries_max as usize, "{} of {}", cache.entries(), spec.entries_max);
        assert!(
            held <= u64::from(spec.size_kib) * 2 || cache.entries() == 1,
            "{held} sectors in {} KiB",
            spec.size_kib
        );
        let buffered = self.rig.drive.buffer().held();
        assert!(buffered + held <= 2 * 256, "{buffered} sectors read and {held} dirty in 256 KiB");
        assert!(self.rig.drive.busy_until() <= now + Span::from_ms(250.0));
        if let RigEvent::Drive(DriveEvent::Complete(id)) = event {
            let times = self.rig.times[id.0 as usize];
            let command = self.rig.commands[id.0 as usize];
            if command.kind == CommandKind::Flush {
                // Without a queue nothing was accepted after the flush.
                assert!(self.rig.drive.queue_depth() > 1 || cache.entries() == 0, "flushed means clean");
            } else {
                let (ready, crossed) = (times.ready.expect("ready"), times.transferred.expect("crossed"));
                assert!(times.accepted.expect("accepted") + Span::from_ms(0.06) <= ready);
                assert!(ready + command.transfer <= crossed);
                assert!(crossed + Span::from_ms(0.03) <= now);
            }
        }
    }
}

/// Found at random: overwriting what is being read ahead made room only for what was left of that.
#[test]
fn room_is_made_beside_segments_that_nobody_fills() {
    let mut spec = common::small_drive();
    spec.buffer.segments = Segments::Fixed { count: 2, size_kib: 4 };
    spec.buffer.read_ahead = ReadAhead::Track;
    spec.buffer.free_block_read = true;
    spec.write_cache.size_kib = 4;
    spec.queue = QueueSpec::Tcq { depth: 4, age_weight: 1.0 };
    let step = |gap_us, kind, area, offset, sectors| Step { gap_us, kind, area, offset, sectors };
    let steps = [step(0, 10, 1, 0, 65), step(17_336, 1, 0, 0, 96), step(0, 10, 0, 1, 1)];
    Check::new(&spec, &steps).run();
}

proptest! {
    #![proptest_config(common::cases(400))]

    #[test]
    fn a_drive_serves_any_commands(spec in drive_of(), steps in steps()) {
        Check::new(&spec, &steps).run();
    }
}
