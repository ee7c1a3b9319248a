//! The drive alone.

use ataraid::drive::spec::{Destage, DestageStart, Layout, QueueSpec, ReadAhead, Remap, ZoneSpec};
use ataraid::drive::{CommandKind, DriveSpec};
use ataraid::units::{Extent, Instant, Span};

use crate::common::rig::{Rig, at, exact_rig, exact_spec};

const READ: CommandKind = CommandKind::Read;
const WRITE: CommandKind = CommandKind::Write;

fn us(us: f64) -> Span {
    Span::from_us(us)
}

fn spec(change: impl FnOnce(&mut DriveSpec)) -> DriveSpec {
    let mut spec = exact_spec();
    change(&mut spec);
    spec
}

fn reading_ahead() -> DriveSpec {
    spec(|s| s.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 0, maximum_kib: 256 })
}

/// Performs a read of `sectors` sectors that cross in 10 us each.
fn read(rig: &mut Rig, lba: u64, sectors: u64) -> crate::common::rig::Times {
    rig.perform(READ, Extent::new(lba, sectors), us(10.0 * sectors as f64))
}

fn write(rig: &mut Rig, lba: u64, sectors: u64) -> crate::common::rig::Times {
    rig.perform(WRITE, Extent::new(lba, sectors), us(10.0 * sectors as f64))
}

#[test]
fn a_random_read_is_ready_when_the_rest_will_keep_up() {
    let mut rig = exact_rig(&exact_spec());
    // Decoded at 0.2 ms, at cylinder 5 at 2.2; its first sector is 75 sectors behind the index: 7.5 ms. Ten sectors
    // end at 8.5 and are checked at 8.6; the last then takes 10 us across, and nine cross before.
    let id = rig.submit(READ, Extent::new(500, 10), us(100.0));
    let ready = at(8.6) - us(90.0);
    rig.wait_until(Instant::from_ps(ready.ps() - 1));
    assert_eq!(rig.times[id.0 as usize].ready, None, "a picosecond early");
    rig.wait_until(ready);
    assert_eq!(rig.times[id.0 as usize].ready, Some(ready));
    rig.wait_until(at(9.0));
    assert_eq!(rig.times[id.0 as usize].complete, Some(at(8.6) + us(10.0) + us(30.0)));
}

#[test]
fn no_sector_crosses_before_it_has_been_read_and_checked() {
    // A slow cable: each sector crosses in 0.4 ms, the head reads one in 0.1. The first is checked at 7.7 ms.
    let mut rig = exact_rig(&exact_spec());
    let times = rig.perform(READ, Extent::new(500, 10), us(4_000.0));
    assert_eq!(times.ready, Some(at(7.7)));
    assert_eq!(times.transferred, Some(at(11.7)));
}

#[test]
fn a_slow_cable_waits_again_after_a_change_of_track() {
    // Four sectors of one track, read from 7.1 to 7.5 ms, and one of the next, read 1.5 ms later and checked at 9.2;
    // each crosses in 0.2 ms. The fifth must not be called for before 9.2.
    let mut rig = exact_rig(&exact_spec());
    let times = rig.perform(READ, Extent::new(596, 5), us(1_000.0));
    assert_eq!(times.ready, Some(at(9.2) - us(800.0)));
}

#[test]
fn a_zero_latency_read_takes_one_turn_from_the_next_sector_on() {
    let mut rig = exact_rig(&spec(|s| s.buffer.zero_latency_read = true));
    // Arrives at 2.2 ms, at the start of sector 47 of cylinder 5, and wants all 100: one turn, and the check.
    let times = read(&mut rig, 500, 100);
    assert_eq!(times.ready, Some(at(12.2 + 0.1)));
    let mut rig = exact_rig(&spec(|s| {
        s.buffer.zero_latency_read = true;
        s.overhead.read_miss_ms = 0.25;
    }));
    // Half way through sector 47 it begins with 48.
    assert_eq!(read(&mut rig, 500, 100).ready, Some(at(12.3 + 0.1)));
}

#[test]
fn a_read_that_the_read_ahead_reaches_while_it_is_decoded_joins_it() {
    // Read-ahead runs on from 7.5 ms at 10 sectors a millisecond. A command for 520 to 527 comes at 9.35 ms: the head
    // is at 519 at hit decode (60 us later), within 520 at miss decode (200 us later), and simply goes on.
    let mut rig = exact_rig(&reading_ahead());
    read(&mut rig, 500, 10);
    rig.wait_until(at(9.35));
    assert_eq!(read(&mut rig, 520, 8).ready, Some(at(10.3 + 0.1) - us(70.0)), "no turn is lost");
    // The same for one sector that has passed by miss decode.
    let mut rig = exact_rig(&reading_ahead());
    read(&mut rig, 500, 10);
    rig.wait_until(at(9.435));
    assert_eq!(read(&mut rig, 520, 1).ready, Some(at(9.635)));
}

#[test]
fn sequential_reads_of_a_stream_lose_no_turn() {
    let mut rig = exact_rig(&reading_ahead());
    let mut end = Instant::ZERO;
    for command in 0..40 {
        end = read(&mut rig, 500 + 10 * command, 10).transferred.expect("done");
    }
    // 400 sectors in four tracks: 40 ms and three changes of 1.5 ms after the first sector at 7.5 ms.
    assert_eq!(end, at(7.5 + 40.0 + 4.5 + 0.1) + us(10.0));
}

#[test]
fn sequential_writes_lose_no_turn() {
    let mut rig = exact_rig(&exact_spec());
    for command in 0..40 {
        write(&mut rig, 500 + 10 * command, 10);
    }
    // The first is taken alone: decoded at 0.06, across at 0.16 ms, seek and settling 3 ms, at cylinder 5 long before
    // 7.5 ms. All follow on: four tracks and three switches.
    while rig.drive.cache().entries() > 0 {
        rig.step();
    }
    assert_eq!(rig.calendar.now(), at(7.5 + 40.0 + 4.5));
    assert_eq!(rig.drive.counters().destages, 2);
}

#[test]
fn a_write_settles_briefly_only_if_the_heads_are_where_the_last_one_ended() {
    // A read far away comes between two writes that follow each other: the second settles in full, at any phase.
    for step in 0..40 {
        let mut rig = exact_rig(&exact_spec());
        write(&mut rig, 500, 10);
        rig.wait_until(at(9.0));
        read(&mut rig, 90_000, 1);
        rig.wait_until(rig.calendar.now() + Span::from_ms(0.25 * f64::from(step)));
        let arrival = write(&mut rig, 510, 10).transferred.expect("done") + Span::from_ms(3.0);
        let wait = rig.drive.mechanics().spindle.wait(arrival, Span::from_ms(8.5));
        while rig.drive.cache().entries() > 0 {
            rig.step();
        }
        assert_eq!(rig.calendar.now(), arrival + wait + Span::from_ms(1.0), "step {step}");
    }
}

#[test]
fn a_write_without_cache_is_done_when_it_is_on_the_medium() {
    let mut rig = exact_rig(&spec(|s| s.write_cache.enabled = false));
    // Decoded at 0.2 ms, the arm leaves; data crosses until 0.3; at cylinder 5 at 3.2 ms; 7.5 to 8.5 ms; done.
    let times = write(&mut rig, 500, 10);
    assert_eq!((times.ready, times.transferred), (Some(at(0.2)), Some(at(0.3))));
    assert_eq!(times.complete, Some(at(8.53)));
}

#[test]
fn a_verifying_drive_needs_a_turn_more() {
    let mut rig = exact_rig(&spec(|s| {
        s.write_cache.enabled = false;
        s.write_verify = true;
    }));
    assert_eq!(write(&mut rig, 500, 10).complete, Some(at(18.53)));
}

#[test]
fn a_queueing_drive_without_write_cache_writes_one_after_the_other() {
    let mut rig = exact_rig(&spec(|s| {
        s.write_cache.enabled = false;
        s.queue = QueueSpec::Tcq { depth: 4, age_weight: 0.0 };
    }));
    rig.submit(WRITE, Extent::new(500, 10), us(100.0));
    rig.submit(WRITE, Extent::new(600, 10), us(100.0));
    rig.wait_until(at(1.0));
    rig.submit(READ, Extent::new(700, 10), us(100.0));
    rig.wait_until(at(200.0));
    // The first ends at 8.5 ms; 600 begins at 90 sectors: 19 ms (a seek of one and settling of one do not fit before
    // 9.0 ms); 700 begins at 5 sectors behind the index, 30.5 ms.
    let complete: Vec<_> = rig.times.iter().map(|t| t.complete).collect();
    assert_eq!(complete[..2], [Some(at(8.53)), Some(at(20.03))]);
    assert_eq!(complete[2], Some(at(31.6) + us(40.0)));
}

#[test]
fn a_queue_is_served_from_where_the_heads_are() {
    // The heads are at cylinder 900 after the first read. Of the two that wait, cylinder 901 is next to them and comes
    // 1.5 ms after it; cylinder 1 is far. From where the heads were before (cylinder 0) it would look the other way.
    let queue = QueueSpec::Tcq { depth: 4, age_weight: 0.0 };
    let mut rig = exact_rig(&spec(|s| s.queue = queue));
    rig.submit(READ, Extent::new(90_000, 100), us(100.0));
    rig.wait_until(at(1.0));
    rig.submit(READ, Extent::new(100, 1), us(10.0));
    rig.submit(READ, Extent::new(90_101, 1), us(10.0));
    rig.wait_until(at(100.0));
    assert!(rig.times[2].complete < rig.times[1].complete, "{:?}", rig.times);
}

#[test]
fn a_read_is_served_though_dirty_data_may_not_be_written_yet() {
    // Destaging goes first (no read priority), but waits for an idle second: the read must not wait for it.
    let mut rig = exact_rig(&spec(|s| {
        s.write_cache.read_priority = false;
        s.write_cache.start = DestageStart::IdleMs(1_000.0);
    }));
    write(&mut rig, 500, 10);
    let start = rig.calendar.now();
    let times = read(&mut rig, 90_000, 1);
    assert!(times.complete.expect("done").since(start) < Span::from_ms(13.0));
}

#[test]
fn sectors_read_before_they_were_overwritten_are_not_found_in_the_buffer() {
    let mut rig = exact_rig(&reading_ahead());
    read(&mut rig, 500, 10);
    // The head is at sector 530 when 515 to 519, which it has passed, are overwritten.
    rig.wait_until(at(7.5 + 3.0));
    write(&mut rig, 515, 5);
    while rig.drive.cache().entries() > 0 {
        rig.step();
    }
    let misses = rig.drive.counters().read_misses;
    read(&mut rig, 515, 5);
    assert_eq!(rig.drive.counters().read_misses, misses + 1);
}

#[test]
fn a_destage_is_not_ended_by_the_end_of_a_read_that_was_broken_off() {
    let mut rig = exact_rig(&spec(|s| {
        s.buffer.read_ahead = ReadAhead::Segment;
        s.queue = QueueSpec::Tcq { depth: 4, age_weight: 0.0 };
        s.write_cache.destage = Destage::Fcfs;
    }));
    // The read needs the heads until 8.5 ms; the write crosses meanwhile and overwrites what is read.
    rig.submit(READ, Extent::new(500, 10), us(100.0));
    rig.wait_until(at(7.6));
    rig.submit(WRITE, Extent::new(500, 5), us(50.0));
    rig.wait_until(at(8.6));
    let writing = rig.drive.cache().entries();
    assert_eq!((writing, rig.drive.counters().destages), (1, 0), "it is written at 17.5 to 18.0 ms");
    rig.wait_until(at(18.1));
    assert_eq!(rig.drive.counters().destages, 1);
}

#[test]
fn destaging_starts_after_the_idle_time() {
    let mut rig = exact_rig(&spec(|s| s.write_cache.start = DestageStart::IdleMs(20.0)));
    let done = write(&mut rig, 500, 10).transferred.expect("done");
    rig.wait_until(Instant::from_ps((done + Span::from_ms(20.0)).ps() - 1));
    assert_eq!(rig.drive.busy_until(), Instant::ZERO);
    rig.wait_until(done + Span::from_ms(20.0));
    assert!(rig.drive.busy_until() > rig.calendar.now());
}

#[test]
fn an_idle_time_that_a_command_broke_starts_again() {
    let mut rig = exact_rig(&spec(|s| s.write_cache.start = DestageStart::IdleMs(20.0)));
    write(&mut rig, 500, 10);
    write(&mut rig, 50_000, 10);
    // The first of the two is under way when a read comes.
    rig.wait_until(at(21.0));
    let done = read(&mut rig, 90_000, 1).transferred.expect("done");
    rig.wait_until(done + Span::from_ms(19.9));
    assert_eq!(rig.drive.counters().destages, 1, "the second waits for a new idle time");
    rig.wait_until(done + Span::from_ms(60.0));
    assert_eq!(rig.drive.counters().destages, 2);
}

#[test]
fn a_small_read_can_be_repeated_from_the_buffer_for_ever() {
    let mut rig = exact_rig(&reading_ahead());
    for _ in 0..20 {
        read(&mut rig, 500, 16);
    }
    let counters = rig.drive.counters();
    assert_eq!((counters.read_misses, counters.read_hits), (1, 19), "{counters:?}");
}

#[test]
fn the_least_read_ahead_is_finished_before_a_waiting_command_gets_the_heads() {
    // 8 KiB, 16 sectors, are read on after the command's: until 7.5 + 2.6 ms. A command for cylinder 850 that comes
    // meanwhile leaves then, 2 ms of seek, and waits for its sector, which begins at half a turn.
    let mut least = reading_ahead();
    least.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 8, maximum_kib: 256 };
    for (spec, ready) in [(reading_ahead(), 15.0), (least, 15.0)] {
        let mut rig = exact_rig(&spec);
        read(&mut rig, 500, 10);
        assert_eq!(read(&mut rig, 85_000, 1).ready, Some(at(ready + 0.2)));
    }
    // At sector 15 of its track it would be caught at 11.5 ms without, and is missed by a turn with the least.
    let mut least = reading_ahead();
    least.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 8, maximum_kib: 256 };
    for (spec, ready) in [(reading_ahead(), 11.5), (least, 21.5)] {
        let mut rig = exact_rig(&spec);
        read(&mut rig, 500, 10);
        assert_eq!(read(&mut rig, 80_015, 1).ready, Some(at(ready + 0.2)));
    }
}

#[test]
fn a_command_after_a_write_takes_its_own_overhead() {
    let mut rig = exact_rig(&spec(|s| {
        s.overhead.write_hit_after_write_ms = Some(0.5);
        s.overhead.read_hit_after_write_ms = Some(0.7);
    }));
    let took =
        |times: crate::common::rig::Times| times.ready.expect("ready").since(times.accepted.expect("given"));
    assert_eq!(took(write(&mut rig, 500, 10)), us(60.0), "the first follows nothing");
    assert_eq!(took(write(&mut rig, 500, 10)), us(500.0));
    assert_eq!(took(read(&mut rig, 500, 10)), us(700.0), "from the cache, after a write");
    assert_eq!(took(read(&mut rig, 500, 10)), us(60.0), "after a read");
}

#[test]
fn waiting_long_outweighs_being_near() {
    // As in the queue above, cylinder 901 is near and cylinder 1 far; but the far one was given 5 ms earlier. With a
    // weight of 3 those count for 15 ms of way, more than any positioning differs.
    for (age_weight, far_first) in [(0.0, false), (3.0, true)] {
        let mut rig = exact_rig(&spec(|s| s.queue = QueueSpec::Tcq { depth: 4, age_weight }));
        rig.submit(READ, Extent::new(90_000, 100), us(100.0));
        rig.submit(READ, Extent::new(100, 1), us(10.0));
        rig.wait_until(at(5.0));
        rig.submit(READ, Extent::new(90_101, 1), us(10.0));
        rig.wait_until(at(100.0));
        assert_eq!(
            rig.times[1].complete < rig.times[2].complete,
            far_first,
            "weight {age_weight}: {:?}",
            rig.times
        );
    }
}

/// The exact drive with one sector reassigned to its last cylinder.
fn remapped(lba: u64) -> DriveSpec {
    spec(|s| {
        s.capacity_sectors = 99_900;
        s.defects.remaps = vec![Remap { lba, spare: 99_950 }];
    })
}

#[test]
fn a_reassigned_sector_costs_the_way_to_its_spare_and_back() {
    // Sectors 500 to 504 begin at 7.5 ms, 505 lies at cylinder 999, 2 ms away: from 8.0 ms on, there at 10.0 ms. Its
    // place begins at 999 x 15 + 50 = 15,035 sectors, 35 behind the index: 13.5 ms, read by 13.6 ms. Back at 15.6 ms;
    // 506 is 81 behind the index: 18.1 ms, and 509 ends at 18.5, checked at 18.6 ms.
    let mut rig = exact_rig(&remapped(505));
    let times = rig.perform(READ, Extent::new(500, 10), us(100.0));
    assert_eq!(times.ready, Some(at(18.6) - us(90.0)));
    // Without the reassigned one nothing changes.
    let mut rig = exact_rig(&remapped(600));
    assert_eq!(rig.perform(READ, Extent::new(500, 10), us(100.0)).ready, Some(at(8.6) - us(90.0)));
}

/// A drive of two heads with the exact drive's turn and skews: a head switch takes 1 ms.
fn two_heads(layout: Layout) -> DriveSpec {
    spec(|s| {
        s.heads = 2;
        s.layout = layout;
        s.zones = vec![ZoneSpec { cylinders: 500, spt: 100, ..ZoneSpec::default() }];
        s.head_switch_ms = 1.0;
        s.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 0, maximum_kib: 256 };
    })
}

#[test]
fn a_stream_loses_no_turn_in_any_layout_and_the_arm_goes_where_the_layout_says() {
    let layouts = [
        (Layout::CylinderFirst, [(0, 0), (0, 1), (1, 0), (1, 1)]),
        (Layout::Zigzag { restart: false }, [(0, 0), (0, 1), (1, 1), (1, 0)]),
        (Layout::SurfaceSerpentine, [(0, 0), (1, 0), (2, 0), (3, 0)]),
    ];
    for (layout, tracks) in layouts {
        let mut rig = exact_rig(&two_heads(layout));
        let mut end = Instant::ZERO;
        for command in 0..40 {
            end = read(&mut rig, 10 * command, 10).transferred.expect("done");
        }
        // Decoded at 0.2 ms, so the first sector begins a turn later, at 10 ms. Four tracks and three skews of 1.5 ms.
        assert_eq!(end, at(10.0 + 40.0 + 4.5 + 0.1) + us(10.0), "{layout:?}");
        for (track, &(cylinder, head)) in tracks.iter().enumerate() {
            let place = rig.drive.mechanics().place_of(100 * track as u64);
            assert_eq!((place.cylinder, place.head), (cylinder, head), "{layout:?}, track {track}");
        }
    }
    // The last track of the first surface and the first of the second lie on one cylinder: only the head changes.
    let mut rig = exact_rig(&two_heads(Layout::SurfaceSerpentine));
    let edge = 100 * 500;
    let times = [read(&mut rig, edge - 10, 10), read(&mut rig, edge, 10)];
    let across = |times: &crate::common::rig::Times| times.transferred.expect("done");
    assert_eq!(across(&times[1]).since(across(&times[0])), Span::from_ms(1.0 + 1.5));
}

#[test]
fn an_idle_start_that_waits_for_the_mechanism_waits_for_it_and_not_for_the_clock() {
    // Dirty data may be written at once, but the least read-ahead still has the heads.
    let mut rig = exact_rig(&spec(|s| {
        s.write_cache.start = DestageStart::IdleMs(0.0);
        s.buffer.read_ahead = ReadAhead::Adaptive { minimum_kib: 64, maximum_kib: 64 };
    }));
    write(&mut rig, 50_000, 10);
    read(&mut rig, 500, 10);
    for _ in 0..1_000 {
        if rig.step().is_none() {
            assert_eq!(rig.drive.cache().entries(), 0);
            return;
        }
    }
    panic!("time stands still at {:?}", rig.calendar.now());
}
