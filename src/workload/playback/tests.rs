use std::collections::BTreeSet;

use rand::RngExt;

use super::cache::{Cache, Run};
use super::player::Player;
use super::script::{FileInfo, Op, PAGE_BYTES, Script};
use super::spec::{ApplicationSpec, FileCacheSpec, NtfsSpec, Order, PlaybackSpec, SizeShare, VolumeSpec};
use super::volume::{FileSystem, Node, Volume, cluster_bytes};
use crate::config::{Issues, Validate};
use crate::sim::Streams;
use crate::units::{Extent, KIB, MIB, SECTOR_BYTES};
use crate::workload::{Area, WorkloadError};

pub(super) const GIB: u64 = 1024 * MIB;
const BOTH: [FileSystem; 2] = [FileSystem::Fat32, FileSystem::Ntfs];

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

pub(super) fn application(name: &str) -> ApplicationSpec {
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

pub(super) fn recording(order: Order) -> PlaybackSpec {
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
pub(super) fn tiny() -> PlaybackSpec {
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

pub(super) fn sectors(bytes: u64) -> u64 {
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

#[test]
fn a_created_file_has_the_size_of_its_session() {
    let script = Script::record(&recording(Order::OneAfterAnother));
    let created: Vec<&FileInfo> = script.files.iter().filter(|file| file.created).collect();
    assert!(created.len() > 5 && script.files.len() == 120 + created.len());
    assert!(script.files[..120].iter().all(|file| !file.created && file.bytes.is_multiple_of(PAGE_BYTES)));
}
