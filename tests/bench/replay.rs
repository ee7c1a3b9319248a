//! What a replay costs, in one table: `cargo bench --bench replay`.
//!
//! Processor time of this thread and peak memory of a process of its own where the system tells them (Linux). The load
//! is DiskSim's synthetic one (open, 25 ms a drive, 66 % reads, C-LOOK in the driver, 8 drives a bus); the targets are
//! twenty times its figures on the same load.

use ataraid::channel::ScsiBusSpec;
use ataraid::config::{self, Source};
use ataraid::drive::DriveSpec;
use ataraid::replay::synthetic::{Synthetic, SyntheticSpec};
use ataraid::replay::{Mode, Order, System, run};
use ataraid::sim::Streams;

/// A drive of the size and speed of a Quantum Atlas 10K, its zones evenly spaced.
fn drive() -> DriveSpec {
    let zones: Vec<String> =
        (0..24).map(|zone| format!("(cylinders: 418, spt: {})", 334 - zone * 105 / 23)).collect();
    let text = format!(
        r#"(
            name: "10000 rpm SCSI drive", capacity_sectors: 16900000, heads: 6, rpm: 10025, rpm_tolerance: 0.0,
            layout: Zigzag(restart: true), zones: [{}], skew: Time(head_ms: 0.9, cylinder_ms: 1.8),
            seek: ThreePoint(single_ms: 1.245, average_ms: 5.0, full_ms: 10.83),
            write_seek: Settle(0.487), write_settle_sequential_ms: 0.487, head_switch_ms: 0.176,
            overhead: (read_hit_ms: 0.184, read_miss_ms: 0.0, write_hit_ms: 0.186, write_miss_ms: 0.345),
            interface: Scsi(
                block_ms: 0.099, segments: (count: 10, blocks: 374), prefetch: NextTrack,
                fast_write: Sequential, free_blocks: true, zero_latency_read: true, zero_latency_write: true,
            ),
        )"#,
        zones.join(", ")
    );
    match config::load(&Source::new("the bench's drive", text)) {
        Ok(spec) => spec,
        Err(faults) => panic!("{faults}"),
    }
}

fn thread_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

/// Peak memory of this process in MB, where the system tells it.
fn peak_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib * 1024.0 / 1e6)
}

/// One run in a process of its own: prints requests a second, events a request, peak memory.
fn child(drives: u32, requests: u64) {
    let model = drive();
    let spec = SyntheticSpec {
        requests,
        devices: drives,
        capacity_blocks: model.capacity_sectors,
        interarrival_ms: 25.0,
        reads: 0.66,
        size_mean_blocks: 8.0,
        unit_blocks: 8,
    };
    let mut system = System::uniform(model, drives as usize, 8, ScsiBusSpec::default());
    system.driver.order = Order::CLook;
    let (wall, thread) = (std::time::Instant::now(), thread_seconds());
    let mut slowest = 0;
    let source = Synthetic::new(spec, Streams::new(1));
    let totals = run(&system, 1, source, Mode::Open, |outcome| {
        slowest = slowest.max((outcome.completed - outcome.issued).ps());
    });
    let totals = totals.unwrap_or_else(|stopped| panic!("{}", stopped.cause));
    let seconds = match (thread, thread_seconds()) {
        (Some(before), Some(after)) => after - before,
        _ => wall.elapsed().as_secs_f64(),
    };
    let per = |count: u64| count as f64 / requests as f64;
    println!("{} {} {}", requests as f64 / seconds, per(totals.events), peak_mb().unwrap_or(f64::NAN));
    assert!(slowest > 0 && totals.requests == requests);
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [kind, drives, requests] = words.as_slice()
        && kind == "child"
    {
        return child(drives.parse().unwrap_or(1), requests.parse().unwrap_or(1));
    }
    println!(
        "{:>6} {:>9} {:>12} {:>9} {:>9} {:>10}",
        "drives", "requests", "a second", "target", "events", "peak MB"
    );
    for (drives, target) in [(1_u32, 1_100_000.0), (4, 0.0), (16, 0.0), (64, 804_000.0)] {
        for requests in [10_000_u64, 1_000_000] {
            let figures = of(drives, requests);
            let [rate, events, peak] = figures[..] else { continue };
            let goal = if requests == 1_000_000 && target > 0.0 { target } else { 0.0 };
            let met = rate >= goal && (peak.is_nan() || peak <= 10.0 + 0.1 * f64::from(drives));
            let mark = if met { "" } else { "MISSED" };
            println!("{drives:>6} {requests:>9} {rate:>12.0} {goal:>9.0} {events:>9.2} {peak:>10.1} {mark}");
        }
    }
}

/// The figures of the best of three runs.
fn of(drives: u32, requests: u64) -> Vec<f64> {
    let run = || -> Option<Vec<f64>> {
        let program = std::env::current_exe().ok()?;
        let words = ["child".to_owned(), drives.to_string(), requests.to_string()];
        let output = std::process::Command::new(program).args(words).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        Some(text.split_whitespace().filter_map(|word| word.parse().ok()).collect())
    };
    let runs = (0..3).filter_map(|_| run());
    runs.max_by(|a, b| a.first().unwrap_or(&0.0).total_cmp(b.first().unwrap_or(&0.0))).unwrap_or_default()
}
