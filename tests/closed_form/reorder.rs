//! The table of reordering gains: I/O per second of random 8 KiB on the 6L020J1, over how many requests the mechanism
//! can choose from, by a Monte-Carlo of the mechanics alone with 0.30 ms overhead a request.

use ataraid::drive::DriveSpec;
use ataraid::drive::spec::{Destage, QueueSpec};
use ataraid::host::{DeviceChoice, InFlight, Sort};
use ataraid::raid::Level;

use crate::common::{array, length, line, maxtor, placed, run, single};

/// (choice from, FCFS, SSTF, C-LOOK, SPTF): reads and writes a second.
type Row = (u32, [[f64; 2]; 4]);
const TABLE: [Row; 4] = [
    (4, [[77.0, 71.0], [99.0, 90.0], [93.0, 84.0], [107.0, 98.0]]),
    (16, [[77.0, 71.0], [124.0, 109.0], [122.0, 107.0], [149.0, 127.0]]),
    (32, [[77.0, 71.0], [134.0, 119.0], [133.0, 118.0], [171.0, 145.0]]),
    (64, [[77.0, 71.0], [144.0, 126.0], [143.0, 126.0], [203.0, 166.0]]),
];
const OVERHEAD_S: f64 = 0.000_30;
/// The table is good to 2 %; so many requests leave 0.7 % here.
const SECONDS: f64 = 60.0;

/// The rate with the table's overhead, from one where the drive's overhead is hidden behind the mechanism.
fn with_overhead(iops: f64) -> f64 {
    1.0 / (1.0 / iops + OVERHEAD_S)
}

fn near(ours: f64, table: f64, what: &str) {
    let off = ours / table - 1.0;
    assert!(off.abs() <= 0.03, "{what}: {ours:.3} for {table}, {:+.1} %", 100.0 * off);
}

/// Cached random writes: the destage order chooses from as many extents as the cache holds, the one being written
/// apart.
fn destage(order: Destage, choice: u32) -> f64 {
    let mut drive = maxtor();
    drive.write_cache.destage = order;
    drive.write_cache.entries_max = choice + 1;
    // Never because of its age, and no two become one.
    drive.write_cache.age_limit_ms = 100_000.0;
    drive.write_cache.coalesce = false;
    with_overhead(run(&single(&drive, line(8192, 100, 100, 1)), 11, length(10.0, SECONDS)).iops)
}

/// Reads that the host's driver sorts: it decides when the last one is done, before the program asks again.
fn sorted(sort: Sort, choice: u32) -> f64 {
    let mut spec = single(&maxtor(), line(8192, 0, 100, choice + 1));
    spec.driver.sort = sort;
    spec.driver.in_flight = InFlight::Drive;
    // 0.20 ms to decode and 0.03 to complete are the drive's.
    spec.host.dispatch_us = 70.0;
    run(&spec, 11, length(1.0, SECONDS)).iops
}

/// Reads in a drive that queues: it decides while the data of the last one crosses.
fn queued(choice: u32) -> f64 {
    let queue = QueueSpec::Tcq { depth: choice + 1, age_weight: 0.0 };
    let drive = DriveSpec { queue, ..maxtor() };
    with_overhead(run(&single(&drive, line(8192, 0, 100, choice + 1)), 11, length(1.0, SECONDS)).iops)
}

#[test]
fn writes_in_the_order_of_the_cache_gain_as_the_table_says() {
    for (choice, rates) in TABLE {
        let orders = [Destage::Fcfs, Destage::Sstf, Destage::CLook, Destage::Sptf];
        for (order, [_, write]) in orders.into_iter().zip(rates) {
            near(destage(order, choice), write, &format!("{order:?} writes, {choice}"));
        }
    }
}

#[test]
fn reads_that_the_host_sorts_gain_as_the_table_says() {
    for (choice, [[fcfs, _], [sstf, _], [c_look, _], _]) in TABLE {
        near(sorted(Sort::Fifo, choice), fcfs, &format!("reads in order of arrival, {choice}"));
        near(sorted(Sort::Nearest, choice), sstf, &format!("SSTF reads, {choice}"));
        near(sorted(Sort::OneWay, choice), c_look, &format!("C-LOOK reads, {choice}"));
    }
}

/// (choice from, the rate of two drives on a cable in ratio to one drive that sorts as many, and in ratio to two that
/// take turns): shortest seek first over both, by a Monte-Carlo of seeks, half a turn and the overhead alone.
const SHARED_CABLE: [(u32, f64, f64); 3] = [(4, 0.923, 1.042), (16, 0.918, 1.068), (32, 0.933, 1.079)];

#[test]
fn the_shortest_seek_of_a_cable_makes_its_two_drives_nearly_one_drive() {
    let mut spec = array(
        Level::Jbod,
        64,
        &[placed("a", 0, 0, &maxtor()), placed("b", 0, 1, &maxtor())],
        line(8192, 0, 100, 1),
    );
    (spec.driver.sort, spec.driver.in_flight) = (Sort::Nearest, InFlight::Drive);
    spec.host.dispatch_us = 70.0;
    for (choice, to_one, to_turns) in SHARED_CABLE {
        spec.workload.queue_depth = choice + 1;
        let mut rate = |device_choice| {
            spec.driver.device_choice = device_choice;
            run(&spec, 11, length(1.0, SECONDS)).iops
        };
        let (nearest, turns) = (rate(DeviceChoice::Nearest), rate(DeviceChoice::Alternate));
        near(nearest / sorted(Sort::Nearest, choice), to_one, &format!("two drives to one, {choice}"));
        near(nearest / turns, to_turns, &format!("the shortest seek to turns, {choice}"));
    }
}

#[test]
fn reads_in_a_queueing_drive_gain_as_the_table_says() {
    for (choice, [_, _, _, [sptf, _]]) in TABLE {
        near(queued(choice), sptf, &format!("SPTF reads, {choice}"));
    }
}

#[test]
fn without_a_queue_in_drive_or_driver_depth_gains_nothing() {
    let one = sorted(Sort::Fifo, 0);
    for choice in [3, 255] {
        let deep = sorted(Sort::Fifo, choice);
        assert!((deep / one - 1.0).abs() < 0.03, "{deep} at depth {} for {one}", choice + 1);
    }
}
