//! Recordings played against a slow disk that keeps a protocol.

use std::collections::{BTreeMap, BTreeSet};

use rand::Rng;

use super::player::{Player, Playing};
use super::script::{Op, PAGE_BYTES, Script};
use super::spec::{ApplicationSpec, FileCacheSpec, Order, PlaybackSpec, SizeShare};
use super::tests::{GIB, recording, sectors, tiny};
use super::volume::FileSystem;
use crate::sim::{Stream, Streams};
use crate::units::{Extent, Instant, KIB, SECTOR_BYTES, Span};
use crate::workload::Area;

const PAGE_SECTORS: u64 = PAGE_BYTES / SECTOR_BYTES;

/// A disk that serves requests one at a time in some order, 5 ms each, and keeps a protocol.
struct Rig {
    player: Player,
    now: Instant,
    stream: Stream,
    /// First in, first out instead of in random order.
    fifo: bool,
    under_way: Vec<(Extent, bool, u32)>,
    events: Vec<(Instant, What)>,
    issued: Vec<(Instant, Extent, bool)>,
    /// Position in the order of events at which each sector was last written to the disk.
    written: BTreeMap<u64, usize>,
    read: BTreeSet<u64>,
    clock: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    Program,
    CacheManager,
    Disk(u32, Extent, bool),
}

impl Rig {
    fn new(spec: &PlaybackSpec, file_system: FileSystem, cache: &FileCacheSpec, seed: u64) -> Self {
        Rig {
            player: Player::new(spec, file_system, cache, Area::default(), sectors(3 * GIB)).unwrap(),
            now: Instant::ZERO,
            stream: Streams::new(seed).stream("test", "disk"),
            fifo: seed == 0,
            under_way: Vec::new(),
            events: Vec::new(),
            issued: Vec::new(),
            written: BTreeMap::new(),
            read: BTreeSet::new(),
            clock: 0,
        }
    }

    /// Plays to the end; `seen` is told whenever the program starts to work, that is when a step is done.
    fn play(&mut self, mut seen: impl FnMut(&mut Rig)) {
        while !self.player.is_over() {
            loop {
                self.clock += 1;
                match self.player.next(self.now) {
                    Playing::Issue { extent, write, tag } => {
                        self.issued.push((self.now, extent, write));
                        if write {
                            let clock = self.clock;
                            self.written.extend((extent.lba..extent.end()).map(|sector| (sector, clock)));
                        }
                        self.under_way.push((extent, write, tag));
                    }
                    Playing::Work(span) | Playing::Think(span) => {
                        self.events.push((self.now + span, What::Program));
                        seen(self);
                    }
                    Playing::Wake(at) => self.events.push((at, What::CacheManager)),
                    Playing::Nothing => break,
                }
            }
            self.serve();
            let Some(next) = (0..self.events.len()).min_by_key(|&index| self.events[index].0) else { break };
            let (at, what) = self.events.remove(next);
            self.now = self.now.max(at);
            match what {
                What::Program => self.player.resumed(),
                What::CacheManager => self.player.woken(),
                What::Disk(tag, extent, write) => {
                    if !write {
                        self.read.extend(extent.lba..extent.end());
                    }
                    self.player.done(tag);
                }
            }
        }
        assert!(self.player.is_over() && self.under_way.is_empty(), "all that was issued is complete");
    }

    /// The disk takes a request if it is idle.
    fn serve(&mut self) {
        let busy = self.events.iter().any(|(_, what)| matches!(what, What::Disk(..)));
        if busy || self.under_way.is_empty() {
            return;
        }
        let index =
            if self.fifo { 0 } else { (self.stream.next_u64() % self.under_way.len() as u64) as usize };
        let (extent, write, tag) = self.under_way.remove(index);
        self.events.push((self.now + Span::from_ms(5.0), What::Disk(tag, extent, write)));
    }
}

fn small_cache() -> FileCacheSpec {
    FileCacheSpec { size_mib: 4, dirty_max_mib: 1, ..FileCacheSpec::default() }
}

#[test]
fn every_byte_read_came_from_the_disk_or_a_write_and_every_byte_written_reaches_it() {
    for (file_system, order, seed) in [
        (FileSystem::Fat32, Order::OneAfterAnother, 0),
        (FileSystem::Ntfs, Order::Switching(2), 1),
        (FileSystem::Ntfs, Order::OneAfterAnother, 2),
    ] {
        let spec = recording(order);
        let mut rig = Rig::new(&spec, file_system, &small_cache(), seed);
        // When the program last wrote each sector, by the order of events.
        let mut changed: BTreeMap<u64, usize> = BTreeMap::new();
        let mut done = 0;
        rig.play(|rig| {
            let (step, file) = rig.player.finished_step();
            done += 1;
            let place = |offset: u64, bytes: u64| {
                let first = file.lba + offset / PAGE_BYTES * PAGE_SECTORS;
                first..(file.lba + (offset + bytes).div_ceil(PAGE_BYTES) * PAGE_SECTORS).min(file.end())
            };
            match step.op {
                Op::Read { offset, bytes } => {
                    let known = |sector| rig.read.contains(&sector) || changed.contains_key(&sector);
                    assert!(
                        place(offset, bytes).all(known),
                        "{file_system}: {step:?} saw what nobody had read"
                    );
                }
                Op::Write { offset, bytes } => {
                    changed.extend(place(offset, bytes).map(|sector| (sector, rig.clock)));
                }
                _ => {}
            }
        });
        assert_eq!(done, Script::record(&spec).steps.len(), "every step is done once");
        assert!(changed.len() > 1000);
        for (sector, at) in changed {
            let written = rig.written.get(&sector);
            assert!(written.is_some_and(|&written| written > at), "{file_system}: sector {sector} was lost");
        }
    }
}

#[test]
fn the_log_is_on_the_disk_before_what_it_describes() {
    let spec = recording(Order::OneAfterAnother);
    let mut rig = Rig::new(&spec, FileSystem::Ntfs, &small_cache(), 4);
    rig.play(|_| {});
    let log = rig.player.volume().log().unwrap().extent;
    let structures: Vec<Extent> =
        rig.player.volume().nodes().iter().filter(|node| node.structure).map(|node| node.extent).collect();
    let writes = || rig.issued.iter().filter(|(_, _, write)| *write);
    let is_structure = |extent: &Extent| structures.iter().any(|structure| structure.contains(*extent));
    let first = |of: &dyn Fn(&Extent) -> bool| writes().position(|(_, extent, _)| of(extent)).unwrap();
    let first_log = first(&|extent| log.contains(*extent) && extent.lba >= log.lba + 4 * PAGE_SECTORS);
    assert!(first_log < first(&|extent| is_structure(extent)));
    // A write of a structure never shares its instant of issue with the log that it waits for.
    for (at, extent, _) in writes().filter(|(_, extent, _)| is_structure(extent)) {
        let before = writes().any(|(earlier, other, _)| log.contains(*other) && earlier < at);
        assert!(before, "{extent:?} at {at:?}");
    }
    let restarts = writes()
        .filter(|(_, extent, _)| extent.lba < log.lba + 2 * PAGE_SECTORS && log.contains(*extent))
        .count();
    assert_eq!(restarts as u64, rig.now.ps() / Span::from_s(5.0).ps(), "a checkpoint every five seconds");
}

#[test]
fn both_tables_of_a_fat32_volume_are_written_alike() {
    let mut rig = Rig::new(&recording(Order::Switching(4)), FileSystem::Fat32, &small_cache(), 0);
    rig.play(|_| {});
    let table = rig.player.volume().nodes()[0];
    let second = Extent::new(table.extent.lba + table.copy.unwrap(), table.extent.sectors);
    let of = |place: Extent| -> Vec<u64> {
        let inside = rig.issued.iter().filter(|(_, extent, write)| *write && place.contains(*extent));
        inside.map(|(_, extent, _)| extent.lba - place.lba).collect()
    };
    assert!(!of(table.extent).is_empty());
    assert_eq!(of(table.extent), of(second));
}

#[test]
fn read_ahead_starts_with_the_third_regular_request_and_stays_one_unit_ahead() {
    let mut spec = tiny();
    spec.applications[0] = ApplicationSpec {
        total_kib: 100,
        file_kib: 4096,
        sizes: vec![SizeShare { bytes: 16384, share_percent: 100 }],
        run_requests: 10_000,
        ..spec.applications[0].clone()
    };
    let mut rig = Rig::new(&spec, FileSystem::Ntfs, &FileCacheSpec::default(), 0);
    let mut after: Vec<Vec<(u64, u64)>> = Vec::new();
    let mut known = 0;
    rig.play(|rig| {
        let (step, file) = rig.player.finished_step();
        let new = rig.issued[known..].iter().filter(|(_, extent, _)| file.contains(*extent));
        let kib =
            |(_, extent, _): &(Instant, Extent, bool)| ((extent.lba - file.lba) / 2, extent.bytes() / KIB);
        let new: Vec<(u64, u64)> = new.map(kib).collect();
        known = rig.issued.len();
        if matches!(step.op, Op::Read { .. }) {
            after.push(new);
        }
    });
    assert_eq!(after[0], [(0, 16)], "the first request only");
    assert_eq!(after[1], [(16, 16)]);
    // The third also asks for the rest of its unit of 64 KiB and for the next.
    assert_eq!(after[2], [(32, 16), (48, 16), (64, 64)]);
    assert!(after[3].is_empty(), "ends on an edge, and the unit behind it is on its way");
    assert_eq!(after[4], [(128, 64)], "the first request of a unit asks for the next one");
    assert!(after[5].is_empty());
}

#[test]
fn the_lazy_writer_writes_an_eighth_once_a_second() {
    let mut spec = tiny();
    spec.applications[0] = ApplicationSpec {
        total_kib: 200 * 64,
        read_percent: 0,
        create_percent: 100,
        sizes: vec![SizeShare { bytes: 65536, share_percent: 100 }],
        think_ms: 40.0,
        ..spec.applications[0].clone()
    };
    let mut rig = Rig::new(&spec, FileSystem::Fat32, &FileCacheSpec::default(), 0);
    rig.play(|_| {});
    let writes = |from: f64, to: f64| -> u64 {
        let inside = |at: Instant| (from..to).contains(&at.as_s());
        let data =
            rig.issued.iter().filter(|(at, extent, write)| *write && inside(*at) && extent.sectors == 128);
        data.count() as u64
    };
    assert_eq!(writes(0.0, 1.0), 0, "nothing before the first look");
    // A request each 40 ms: some 24 units of 64 KiB are dirty after a second, and an eighth of them goes.
    assert_eq!(writes(1.0, 1.9), 3);
}

#[test]
fn a_score_is_bytes_over_time() {
    // One page of one file. Open: directory and table are read, one after the other, 10 ms, then 15 us. Read: 5 ms, then
    // 15 us and 4096 bytes at 200 MB/s. Close: 15 us. Nothing is to be flushed.
    let mut rig = Rig::new(&tiny(), FileSystem::Fat32, &FileCacheSpec::default(), 0);
    rig.play(|_| {});
    let expected = Span::from_ms(15.0) + Span::from_us(15.0 * 3.0 + 4096.0 / 200.0);
    assert_eq!(rig.player.scores(), [("a".to_owned(), 4096, expected)]);
    assert_eq!(rig.player.hit_share(), 0.0);
}

#[test]
fn each_application_has_its_own_time_unless_they_take_turns() {
    let mut rig = Rig::new(&recording(Order::OneAfterAnother), FileSystem::Ntfs, &small_cache(), 0);
    rig.play(|_| {});
    let scores = rig.player.scores();
    let names: Vec<&str> = scores.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["a", "b"]);
    let sum = scores.iter().fold(Span::ZERO, |sum, (.., span)| sum + *span);
    let all = rig.player.ends_at();
    assert_eq!(Instant::ZERO + sum, all, "no time is counted twice or lost");
    let mut rig = Rig::new(&recording(Order::Switching(2)), FileSystem::Ntfs, &small_cache(), 0);
    rig.play(|_| {});
    let scores = rig.player.scores();
    assert_eq!((scores.len(), scores[0].0.as_str()), (1, "a+b"));
}

#[test]
fn two_players_do_the_same() {
    let issued = |seed| {
        let mut rig = Rig::new(&recording(Order::Switching(2)), FileSystem::Ntfs, &small_cache(), seed);
        rig.play(|_| {});
        rig.issued
    };
    assert_eq!(issued(3), issued(3));
    assert_ne!(issued(3), issued(4), "the order in which the disk serves matters");
}
