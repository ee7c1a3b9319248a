use std::collections::{BTreeMap, BTreeSet};

use rand::{Rng, RngExt};

use super::cache::{Cache, Run};
use super::player::{Player, Playing};
use super::script::{FileInfo, Op, PAGE_BYTES, Script};
use super::spec::{ApplicationSpec, FileCacheSpec, NtfsSpec, Order, PlaybackSpec, SizeShare, VolumeSpec};
use super::volume::{FileSystem, Node, Volume, cluster_bytes};
use crate::config::{Issues, Validate};
use crate::sim::{Stream, Streams};
use crate::units::{Extent, Instant, KIB, MIB, SECTOR_BYTES, Span};
use crate::workload::{Area, WorkloadError};

const GIB: u64 = 1024 * MIB;
const BOTH: [FileSystem; 2] = [FileSystem::Fat32, FileSystem::Ntfs];
const PAGE_SECTORS: u64 = PAGE_BYTES / SECTOR_BYTES;

fn volume_spec() -> VolumeSpec {
    VolumeSpec {
        partition_start_sectors: 63,
        directory_files: 50,
        fat_entry_bytes: 96,
        ntfs: NtfsSpec {
            mft_cluster: 4,
            mft_zone_percent: 12.5,
            log_start_percent: 50.0,
            log_kib: 4096,
            log_record_bytes: 200,
            checkpoint_s: 5.0,
            index_entry_bytes: 170,
        },
    }
}

fn application(name: &str) -> ApplicationSpec {
    ApplicationSpec {
        name: name.to_owned(),
        total_kib: 3000,
        files: 60,
        file_kib: 100,
        read_percent: 50,
        create_percent: 40,
        from_start_percent: 50,
        sizes: vec![
            SizeShare { bytes: 1536, share_percent: 30 },
            SizeShare { bytes: 4096, share_percent: 40 },
            SizeShare { bytes: 65536, share_percent: 30 },
        ],
        run_requests: 6,
        think_ms: 0.0,
    }
}

fn recording(order: Order) -> PlaybackSpec {
    PlaybackSpec {
        name: "test".to_owned(),
        title: "Test".to_owned(),
        order,
        recording_seed: 5,
        volume: volume_spec(),
        applications: vec![application("a"), application("b")],
        sources: Default::default(),
    }
}

/// One request of one page on a file that is there.
fn tiny() -> PlaybackSpec {
    let mut spec = recording(Order::OneAfterAnother);
    let one = ApplicationSpec {
        total_kib: 1,
        files: 1,
        file_kib: 4,
        read_percent: 100,
        from_start_percent: 100,
        sizes: vec![SizeShare { bytes: 4096, share_percent: 100 }],
        run_requests: 1,
        ..application("a")
    };
    spec.applications = vec![one];
    spec
}

fn sectors(bytes: u64) -> u64 {
    bytes / SECTOR_BYTES
}

#[test]
fn clusters_grow_with_the_volume() {
    let kib = |file_system, bytes| cluster_bytes(file_system, bytes) as f64 / 1024.0;
    let fat = [
        (200 * MIB, 0.5),
        (8 * GIB, 4.0),
        (8 * GIB + 1, 8.0),
        (16 * GIB, 8.0),
        (19 * GIB, 16.0),
        (32 * GIB, 16.0),
        (37 * GIB, 32.0),
    ];
    for (bytes, expected) in fat {
        assert_eq!(kib(FileSystem::Fat32, bytes), expected, "FAT32 of {bytes} bytes");
    }
    for (bytes, expected) in
        [(512 * MIB, 0.5), (GIB, 1.0), (2 * GIB, 2.0), (2 * GIB + 1, 4.0), (75 * GIB, 4.0)]
    {
        assert_eq!(kib(FileSystem::Ntfs, bytes), expected, "NTFS of {bytes} bytes");
    }
}

#[test]
fn the_tables_of_a_fat32_volume_are_as_long_as_microsofts_formula_says() {
    // The review's single drive: 40132503 sectors, 16 KiB clusters.
    let script = Script::record(&recording(Order::OneAfterAnother));
    let volume = Volume::new(FileSystem::Fat32, &volume_spec(), (0, 40_132_503), &script).unwrap();
    let table = volume.nodes()[0];
    // (40132440 - 32) sectors over (256 * 32 + 2) / 2 entries' worth, rounded up: 9795.6.
    assert_eq!(table.extent, Extent::new(63 + 32, 9796));
    assert_eq!(table.copy, Some(9796), "the second copy stands behind the first");
    // Directory and first file follow the tables, in clusters of 32 sectors.
    let data = 63 + 32 + 2 * 9796;
    assert_eq!(volume.nodes()[1].extent, Extent::new(data, 32));
    assert_eq!(volume.node(volume.file(0)).extent.lba, data + 32);
}

#[test]
fn files_and_structures_lie_in_the_volume_and_never_overlap() {
    let script = Script::record(&recording(Order::Switching(3)));
    for file_system in BOTH {
        for size in [600 * MIB, 3 * GIB, 19 * GIB, 75 * GIB] {
            let (start, end) = (1000, 1000 + sectors(size));
            let volume = Volume::new(file_system, &volume_spec(), (start, end), &script).unwrap();
            let copies = |node: &Node| {
                let second =
                    node.copy.map(|distance| Extent::new(node.extent.lba + distance, node.extent.sectors));
                [Some(node.extent), second]
            };
            let mut all: Vec<Extent> = volume.nodes().iter().flat_map(copies).flatten().collect();
            all.extend(volume.log().map(|log| log.extent));
            all.sort();
            assert!(all[0].lba >= start + 63 && all[all.len() - 1].end() <= end, "{file_system} of {size}");
            for pair in all.windows(2) {
                assert!(!pair[0].overlaps(pair[1]), "{file_system} of {size}: {pair:?}");
            }
            for (file, info) in (0..).zip(&script.files) {
                let node = volume.node(volume.file(file));
                assert!(node.extent.bytes() >= info.bytes && !node.structure);
                let mut pages = Vec::new();
                volume.lookup(file, &mut pages);
                volume.allocation(file, 0, info.bytes, &mut pages);
                volume.attributes(file, &mut pages);
                for page in pages {
                    let node = volume.node(page.node);
                    assert!(
                        node.structure && page.page < node.pages(),
                        "{file_system}: {page:?} of {node:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn volumes_that_cannot_be_are_refused_with_a_remedy() {
    let script = Script::record(&recording(Order::OneAfterAnother));
    let made = |file_system, bytes| {
        Volume::new(file_system, &volume_spec(), (0, sectors(bytes)), &script).unwrap_err()
    };
    assert!(matches!(made(FileSystem::Ntfs, 5 * MIB), WorkloadError::VolumeTooSmall { given_mib: 5, .. }));
    assert!(matches!(made(FileSystem::Fat32, 20 * MIB), WorkloadError::Fat32TooSmall { .. }));
    let large = made(FileSystem::Fat32, 128 * GIB);
    assert!(matches!(large, WorkloadError::Fat32TooLarge { most: 4_177_918, .. }));
    assert!(Volume::new(FileSystem::Fat32, &volume_spec(), (0, sectors(127 * GIB)), &script).is_ok());
    let mut empty = tiny();
    empty.applications[0].total_kib = 0;
    let cache = FileCacheSpec::default();
    let nothing = Player::new(&empty, FileSystem::Ntfs, &cache, Area::default(), sectors(GIB)).unwrap_err();
    assert_eq!(nothing, WorkloadError::EmptyPlayback("test".to_owned()));
    for error in [made(FileSystem::Ntfs, 5 * MIB), made(FileSystem::Fat32, 20 * MIB), large, nothing] {
        assert!(error.to_string().contains("; "), "a remedy: {error}");
    }
}

#[test]
fn specs_that_mean_nothing_are_reported_field_by_field() {
    let faults = |change: &dyn Fn(&mut PlaybackSpec)| {
        let mut spec = recording(Order::Switching(2));
        change(&mut spec);
        let mut issues = Issues::new();
        spec.validate(&mut issues);
        issues.iter().map(|(path, ..)| path.to_owned()).collect::<Vec<_>>()
    };
    assert!(faults(&|_| {}).is_empty());
    assert_eq!(faults(&|spec| spec.applications.clear()), ["applications"]);
    assert_eq!(faults(&|spec| spec.order = Order::Switching(0)), ["order"]);
    assert_eq!(faults(&|spec| spec.applications[1].total_kib = 0), ["applications[1].total_kib"]);
    assert_eq!(faults(&|spec| spec.applications[1].name = "a".into()), ["applications[1].name"]);
    assert_eq!(faults(&|spec| spec.applications[0].sizes[0].share_percent = 31), ["applications[0].sizes"]);
    assert_eq!(faults(&|spec| spec.applications[0].sizes[0].bytes = 700), ["applications[0].sizes[0].bytes"]);
    assert_eq!(faults(&|spec| spec.volume.ntfs.checkpoint_s = f64::NAN), ["volume.ntfs.checkpoint_s"]);
}

#[test]
fn a_recording_is_what_its_spec_says_and_depends_on_its_own_seed_only() {
    let spec = recording(Order::OneAfterAnother);
    let script = Script::record(&spec);
    assert_eq!(script, Script::record(&spec));
    assert_ne!(script, Script::record(&PlaybackSpec { recording_seed: 6, ..spec.clone() }));
    let mut moved = vec![0; 2];
    for step in &script.steps {
        if let Op::Read { offset, bytes } | Op::Write { offset, bytes } = step.op {
            moved[usize::from(step.application)] += bytes;
            assert!(offset + bytes <= script.files[step.file as usize].bytes, "inside its file");
        }
    }
    assert_eq!(moved, script.bytes);
    assert!(script.bytes.iter().all(|&bytes| bytes >= 3000 * KIB));
    let ends = script.steps.iter().filter(|step| step.op == Op::End).count();
    assert_eq!(ends, 2, "each application is flushed");
    // Taking turns moves the same bytes.
    let switching = Script::record(&recording(Order::Switching(3)));
    assert_eq!(switching.bytes, script.bytes);
    assert_eq!(switching.steps.len(), script.steps.len() - 1, "only the last is flushed");
}

/// What the cache should do, page by page, with no notion of blocks.
#[derive(Default)]
struct Twin {
    resident: BTreeSet<(u32, u64)>,
    dirty: BTreeSet<(u32, u64)>,
    reading: BTreeSet<(u32, u64)>,
    writing: BTreeSet<(u32, u64)>,
}

fn pages_of(cache: &Cache, run: Run) -> Vec<(u32, u64)> {
    let (node, pages) = cache.place(run);
    pages.map(|page| (node, page)).collect()
}

#[test]
fn the_cache_agrees_with_a_twin_that_keeps_sets_of_pages() {
    let node = |lba, sectors| Node { extent: Extent::new(lba, sectors), copy: None, structure: false };
    let nodes = [node(0, 8 * 3), node(1000, 8 * 40), node(2000, 8 * 100)];
    let mut stream = Streams::new(3).stream("test", "cache");
    // Room for everything, so that the twin need not know what leaves.
    let mut cache = Cache::new(&nodes, 1000);
    let mut twin = Twin::default();
    let (mut reads, mut writes): (Vec<Run>, Vec<Run>) = (Vec::new(), Vec::new());
    for _ in 0..20_000 {
        let index = stream.random_range(0..3_u32);
        let length = nodes[index as usize].pages();
        let first = stream.random_range(0..length);
        let range = first..(first + stream.random_range(1..30)).min(length);
        match stream.random_range(0..6) {
            0 => {
                let mut runs = Vec::new();
                cache.start_read(index, range.clone(), &mut runs);
                let asked: Vec<(u32, u64)> = runs.iter().flat_map(|&run| pages_of(&cache, run)).collect();
                let wanted = range.map(|page| (index, page));
                let missing: Vec<(u32, u64)> = wanted
                    .filter(|page| !twin.resident.contains(page) && !twin.reading.contains(page))
                    .collect();
                assert_eq!(asked, missing, "what is missing is asked for, once and in order");
                twin.reading.extend(missing);
                reads.extend(runs);
            }
            1 if !reads.is_empty() => {
                let run = reads.swap_remove(stream.random_range(0..reads.len()));
                for page in pages_of(&cache, run) {
                    assert!(twin.reading.remove(&page));
                    twin.resident.insert(page);
                }
                cache.finish_read(run);
            }
            2 => {
                cache.write(index, range.clone(), 0);
                let pages = range.map(|page| (index, page));
                twin.resident.extend(pages.clone());
                twin.dirty.extend(pages);
            }
            3 => {
                let run = cache.start_write(stream.random_range(0..12), 0);
                let free = twin.dirty.difference(&twin.writing).next().is_some();
                assert_eq!(run.is_some(), free, "something is written whenever something can be");
                for page in run.iter().flat_map(|&run| pages_of(&cache, run)) {
                    assert!(
                        twin.dirty.remove(&page) && twin.writing.insert(page),
                        "dirty, and written once at a time"
                    );
                }
                writes.extend(run);
            }
            4 if !writes.is_empty() => {
                let run = writes.swap_remove(stream.random_range(0..writes.len()));
                for page in pages_of(&cache, run) {
                    assert!(twin.writing.remove(&page));
                }
                cache.finish_write(run);
            }
            _ => {
                let all = range.clone().all(|page| twin.resident.contains(&(index, page)));
                assert_eq!(cache.holds(index, range), all);
            }
        }
        assert_eq!(cache.dirty_pages(), twin.dirty.len() as u64);
        assert_eq!(cache.resident_pages(), twin.resident.len() as u64);
    }
}

#[test]
fn clean_pages_leave_oldest_first_and_dirty_ones_stay() {
    let nodes = [Node { extent: Extent::new(0, 8 * 16 * 4), copy: None, structure: false }];
    let mut cache = Cache::new(&nodes, 32);
    let mut runs = Vec::new();
    let mut read = |cache: &mut Cache, block: u64| {
        cache.start_read(0, block * 16..block * 16 + 16, &mut runs);
        runs.drain(..).for_each(|run| cache.finish_read(run));
    };
    read(&mut cache, 0);
    read(&mut cache, 1);
    cache.use_pages(0, 0..1);
    read(&mut cache, 2);
    assert!(
        cache.holds(0, 0..16) && !cache.holds(0, 16..17) && cache.holds(0, 32..48),
        "block 1 was the oldest"
    );
    cache.write(0, 0..1, 0);
    read(&mut cache, 3);
    read(&mut cache, 1);
    assert!(cache.holds(0, 0..16), "what is dirty stays");
    assert_eq!(cache.resident_pages(), 32);
}

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

#[test]
fn a_created_file_has_the_size_of_its_session() {
    let script = Script::record(&recording(Order::OneAfterAnother));
    let created: Vec<&FileInfo> = script.files.iter().filter(|file| file.created).collect();
    assert!(created.len() > 5 && script.files.len() == 120 + created.len());
    assert!(script.files[..120].iter().all(|file| !file.created && file.bytes.is_multiple_of(PAGE_BYTES)));
}
