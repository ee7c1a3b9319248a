//! What a simulation costs, in one table: `cargo bench --bench speed`.
//!
//! Processor time of this thread where the system tells it (Linux), else the clock on the wall. A part of the table
//! by name: `cargo bench --bench speed -- machine`.

#[path = "../common/mod.rs"]
mod common;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use ataraid::machine::{MachineSpec, Measured};
use ataraid::raid::Level;
use ataraid::sim::{Calendar, Phase};
use ataraid::units::Span;
use common::{array, length, line, maxtor, placed, run, single, stream, with_read_ahead};

/// A clock that runs while this thread does.
struct Clock {
    wall: std::time::Instant,
    thread: Option<Duration>,
}

fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

impl Clock {
    fn start() -> Self {
        Clock { wall: std::time::Instant::now(), thread: thread_time() }
    }
    fn seconds(&self) -> f64 {
        match (self.thread, thread_time()) {
            (Some(start), Some(now)) => (now - start).as_secs_f64(),
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// The least of three tries: the one least disturbed.
fn least(mut work: impl FnMut()) -> f64 {
    let tries = (0..3).map(|_| {
        let clock = Clock::start();
        work();
        clock.seconds()
    });
    tries.fold(f64::INFINITY, f64::min)
}

fn row(what: &str, figure: &str, target: &str, met: Option<bool>) {
    let mark = met.map_or("", |met| if met { "met" } else { "MISSED" });
    println!("{what:<58} {figure:>24}   {target:<22} {mark}");
}

/// Pops the earliest of `pending` events and schedules one a random time later, over and over.
fn hold(pending: usize) -> (f64, f64) {
    const STEPS: usize = 2_000_000;
    let mut word = 0x9e37_79b9_7f4a_7c15_u64;
    let delays: Vec<u64> = (0..4096)
        .map(|_| {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word % 1_000_000 + 1
        })
        .collect();
    let mut sum = 0_u64;
    let ours = least(|| {
        let mut calendar = Calendar::new();
        for (n, &delay) in delays.iter().take(pending).enumerate() {
            calendar.schedule(ataraid::units::Instant::from_ps(delay), Phase::Arrival, n as u64);
        }
        for step in 0..STEPS {
            let (now, event) = calendar.pop().expect("one is always pending");
            sum = sum.wrapping_add(event);
            calendar.schedule(now + Span::from_ps(delays[step % 4096]), Phase::Arrival, event);
        }
    });
    let mut twin_sum = 0_u64;
    let twin = least(|| {
        let mut heap = BinaryHeap::new();
        let mut sequence = 0_u64;
        for (n, &delay) in delays.iter().take(pending).enumerate() {
            sequence += 1;
            heap.push(Reverse((delay, 2_u8, sequence, n as u64)));
        }
        for step in 0..STEPS {
            let Reverse((now, _, _, event)) = heap.pop().expect("one is always pending");
            twin_sum = twin_sum.wrapping_add(event);
            sequence += 1;
            heap.push(Reverse((now + delays[step % 4096], 2, sequence, event)));
        }
    });
    assert_eq!(sum, twin_sum, "both do the same");
    (ours * 1e9 / STEPS as f64, twin * 1e9 / STEPS as f64)
}

fn calendar() {
    for pending in [16, 64, 256, 1000] {
        let (ours, twin) = hold(pending);
        let (ratio, what) = (twin / ours, format!("calendar, {pending} pending: pop and push"));
        let figure = format!("{ours:.1} ns, heap {twin:.1} ns");
        let met = (pending == 16).then_some(ratio >= 2.0);
        row(&what, &figure, if pending == 16 { "half the heap's" } else { "" }, met);
    }
}

fn random_reads() -> MachineSpec {
    single(&with_read_ahead(maxtor()), line(8192, 0, 100, 16))
}

fn machines() -> Vec<(&'static str, MachineSpec, f64, f64)> {
    let drive = with_read_ahead(maxtor());
    let placed_at = |n: u16| placed(&format!("d{n}"), n % 2, (n / 2) as u8, &drive);
    let drives = |count: u16| -> Vec<_> { (0..count).map(placed_at).collect() };
    let host = |mut spec: MachineSpec| {
        spec.host = common::slow_host();
        spec.controller = common::card();
        spec.bus = common::pci_33();
        spec
    };
    vec![
        ("random 8 KiB reads, one drive, depth 16", host(random_reads()), 2_000.0, 1e6),
        (
            "random 8 KiB, half writes, one drive, depth 16",
            host(single(&drive, line(8192, 50, 100, 16))),
            2_000.0,
            0.0,
        ),
        ("sequential 64 KiB reads, one drive", host(single(&drive, stream(65_536, 0, 1))), 200.0, 0.0),
        ("sequential 64 KiB writes, one drive", host(single(&drive, stream(65_536, 100, 1))), 200.0, 0.0),
        (
            "sequential 64 KiB reads, RAID 0 of two",
            host(array(Level::Raid0, 64, &drives(2), stream(65_536, 0, 1))),
            200.0,
            3e5,
        ),
        (
            "sequential 256 KiB reads, RAID 0 of two, depth 4",
            host(array(Level::Raid0, 64, &drives(2), stream(262_144, 0, 4))),
            200.0,
            0.0,
        ),
        (
            "random 8 KiB, half writes, RAID 0 of four, depth 16",
            host(array(Level::Raid0, 64, &drives(4), line(8192, 50, 100, 16))),
            1_000.0,
            0.0,
        ),
        (
            "random 8 KiB, a third writes, RAID 0+1, depth 256",
            host(array(Level::Raid01, 64, &drives(4), line(8192, 33, 100, 256))),
            1_000.0,
            0.0,
        ),
    ]
}

fn rates() {
    for (what, spec, seconds, target) in machines() {
        let mut measured: Option<Measured> = None;
        let cost = least(|| measured = Some(run(&spec, 1, length(0.0, seconds))));
        let measured = measured.expect("it ran");
        let rate = measured.requests_total as f64 / cost;
        let goal = if target > 0.0 { format!("{target:.0} a second") } else { String::new() };
        row(what, &format!("{rate:.0} a second"), &goal, (target > 0.0).then_some(rate >= target));
        let events = measured.events as f64 / measured.requests_total as f64;
        let each = format!("{events:.1}, {:.0} ns each", cost * 1e9 / measured.events as f64);
        // A request of 256 KiB is four commands.
        let commands = f64::from(if what.contains("256 KiB") { 4 } else { 1 });
        let most = format!("{:.0}", 20.0 * commands);
        row("  events a request", &each, &most, Some(events <= 20.0 * commands));
    }
}

/// Cost must grow with requests and drives, not with anything else.
fn growth() {
    let spec = random_reads();
    let per_request = |seconds: f64| {
        let mut requests = 0;
        let cost = least(|| requests = run(&spec, 1, length(0.0, seconds)).requests_total);
        cost * 1e9 / requests as f64
    };
    let (short, long) = (per_request(2_000.0), per_request(20_000.0));
    let figure = format!("{short:.0} ns, {long:.0} ns");
    row("a request in 2000 and in 20000 simulated seconds", &figure, "within 20 %", Some(long < short * 1.2));
    let drive = with_read_ahead(maxtor());
    let of = |count: u16| {
        let drives: Vec<_> =
            (0..count).map(|n| placed(&format!("d{n}"), n % 2, (n / 2) as u8, &drive)).collect();
        let spec = array(Level::Raid0, 64, &drives, line(8192, 0, 100, 16));
        let mut requests = 0;
        let cost = least(|| requests = run(&spec, 1, length(0.0, 1_000.0)).requests_total);
        cost * 1e9 / requests as f64
    };
    let (two, four) = (of(2), of(4));
    let figure = format!("{two:.0} ns, {four:.0} ns");
    row("a request on two and on four drives", &figure, "within 30 %", Some(four < two * 1.3));
    const BUILDS: u32 = 200;
    let build = least(|| (0..BUILDS).for_each(|_| drop(run(&spec, 1, length(0.0, 0.000_001)))));
    row("to build a machine of one drive", &format!("{:.2} ms", build * 1e3 / f64::from(BUILDS)), "", None);
}

/// Peak memory of this process in MiB, where the system tells it.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib / 1024.0)
}

/// Runs in a process of its own and prints its peak.
fn memory_child(seconds: f64) {
    run(&random_reads(), 1, length(0.0, seconds));
    println!("{}", peak_mib().unwrap_or(f64::NAN));
}

fn memory() {
    let of = |seconds: &str| -> Option<f64> {
        let program = std::env::current_exe().ok()?;
        let output = std::process::Command::new(program).args(["memory-child", seconds]).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    match (of("10"), of("600")) {
        (Some(short), Some(long)) => {
            let figure = format!("{short:.1} MiB, {long:.1} MiB");
            let met = long <= 64.0 && (long - short).abs() < 1.0;
            row("peak memory of 10 and of 600 simulated seconds", &figure, "64 MiB, the same", Some(met));
        }
        _ => row("peak memory", "not told by this system", "64 MiB", None),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if let [child, seconds] = words.as_slice()
        && child == "memory-child"
    {
        return memory_child(seconds.parse().unwrap_or(1.0));
    }
    let source = if thread_time().is_some() { "processor time" } else { "wall-clock time" };
    println!("Figures in {source}; the least of three tries.");
    let wanted = |part: &str| words.is_empty() || words.iter().any(|word| part.contains(word.as_str()));
    if wanted("calendar") {
        calendar();
    }
    if wanted("machine") {
        rates();
    }
    if wanted("growth") {
        growth();
    }
    if wanted("memory") {
        memory();
    }
}
