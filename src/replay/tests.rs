use super::*;
use crate::drive::DriveSpec;
use crate::drive::InterfaceSpec;
use crate::drive::spec::{FastWrite, ScsiSpec, sample};
use crate::units::{Extent, Instant, Span};
use crate::workload::trace::TraceRequest;
use proptest::prelude::*;
use std::convert::Infallible;

fn request(device: u32, write: bool, lba: u64, sectors: u64) -> TraceRequest {
    TraceRequest {
        at: None,
        device,
        write,
        extent: Extent::new(lba, sectors),
        measured: None,
        think: None,
        line: 1,
    }
}

fn replay(system: &System, mode: Mode, requests: &[TraceRequest]) -> Vec<Outcome> {
    let mut out = Vec::new();
    let source = requests.iter().copied().map(Ok::<_, Infallible>);
    let totals = run(system, 7, source, mode, |outcome| out.push(outcome)).expect("it runs to its end");
    assert_eq!(totals.requests as usize, out.len());
    out
}

fn drive() -> DriveSpec {
    sample()
}

/// The same mechanics behind a front end for the bus.
fn scsi(front_end: ScsiSpec) -> DriveSpec {
    DriveSpec { interface: InterfaceSpec::Scsi(front_end), ..sample() }
}

#[test]
fn a_drive_for_the_bus_serves_one_command_at_a_time_in_the_driver_s_order() {
    let mut system = System::single(scsi(ScsiSpec { block_ms: 0.05, ..ScsiSpec::default() }));
    system.driver.order = Order::CLook;
    let at = Some(Instant::ZERO);
    let requests: Vec<_> = [9_000, 30_000, 3_000, 20_000]
        .into_iter()
        .map(|lba| TraceRequest { at, ..request(0, false, lba, 8) })
        .collect();
    let order: Vec<u64> =
        replay(&system, Mode::Open, &requests).iter().map(|outcome| outcome.request.extent.lba).collect();
    assert_eq!(order, [9_000, 20_000, 30_000, 3_000]);
}

#[test]
fn commands_that_take_no_time_do_not_pile_up() {
    let mut drive = scsi(ScsiSpec::default());
    drive.overhead.read_hit_ms = 0.0;
    let requests: Vec<_> = (0..10_000).map(|_| request(0, false, 100, 1)).collect();
    for mode in [Mode::Closed, Mode::AsFastAsPossible { outstanding: 3 }] {
        assert_eq!(replay(&System::single(drive.clone()), mode, &requests).len(), requests.len());
    }
}

#[test]
fn a_closed_replay_keeps_the_pauses() {
    let think = Span::from_ms(3.7);
    let requests: Vec<_> =
        (0..20).map(|n| TraceRequest { think: Some(think), ..request(0, n % 3 == 0, n * 997, 8) }).collect();
    let out = replay(&System::single(drive()), Mode::Closed, &requests);
    assert_eq!(out[0].issued, Instant::ZERO);
    assert!(out.windows(2).all(|pair| pair[1].issued == pair[0].completed + think));
}

#[test]
fn an_open_replay_keeps_the_arrivals() {
    let at = |n: u64| Instant::ZERO + Span::from_ms(2.0) * n;
    let requests: Vec<_> =
        (0..20).map(|n| TraceRequest { at: Some(at(n)), ..request(0, false, n * 997, 8) }).collect();
    for outcome in replay(&System::single(drive()), Mode::Open, &requests) {
        assert_eq!(Some(outcome.issued), outcome.request.at);
    }
}

#[test]
fn as_fast_as_possible_keeps_so_many_outstanding() {
    let requests: Vec<_> = (0..50).map(|n| request(0, false, n * 797, 8)).collect();
    let mode = Mode::AsFastAsPossible { outstanding: 4 };
    let out = replay(&System::single(drive()), mode, &requests);
    for outcome in &out {
        let beside =
            out.iter().filter(|other| other.issued <= outcome.issued && other.completed > outcome.issued);
        assert!(beside.count() <= 4);
    }
}

#[test]
fn what_cannot_be_served_is_refused_with_its_line_and_what_was_issued_completes() {
    let capacity = drive().capacity_sectors;
    let line = |line, request| TraceRequest { line, at: Some(Instant::from_ps(line)), ..request };
    let seen = |mode, third: TraceRequest| {
        let requests = [line(1, request(0, false, 8, 8)), line(2, request(0, true, 0, 8)), third];
        let mut completed = 0;
        let source = requests.into_iter().map(Ok::<_, Infallible>);
        let stopped =
            run(&System::single(drive()), 1, source, mode, |_| completed += 1).expect_err("refused");
        assert_eq!((stopped.totals.requests, completed), (2, 2));
        stopped.cause
    };
    let beyond = line(3, request(0, false, capacity - 1, 2));
    assert!(matches!(seen(Mode::Closed, beyond), Cause::BeyondEnd { line: 3, .. }));
    assert!(matches!(seen(Mode::Open, line(3, request(0, false, u64::MAX, 2))), Cause::BeyondEnd { .. }));
    assert!(matches!(
        seen(Mode::Open, line(3, request(1, false, 0, 2))),
        Cause::NoSuchDevice { line: 3, .. }
    ));
    assert!(matches!(seen(Mode::Open, line(3, request(0, false, 0, 0))), Cause::Empty { line: 3 }));
    assert!(matches!(
        seen(Mode::Open, TraceRequest { line: 3, ..request(0, false, 0, 1) }),
        Cause::NoArrival { line: 3 }
    ));
    let early = TraceRequest { at: Some(Instant::ZERO), ..line(3, request(0, false, 0, 1)) };
    assert!(matches!(seen(Mode::Open, early), Cause::Unordered { line: 3, .. }));
}

#[test]
fn a_source_that_fails_ends_the_replay_with_its_error() {
    let source = [Ok(request(0, false, 0, 8)), Err("no more"), Ok(request(0, false, 0, 8))];
    let stopped = run(&System::single(drive()), 1, source, Mode::Closed, |_| {}).expect_err("it fails");
    assert_eq!((stopped.totals.requests, stopped.cause), (1, Cause::Source("no more")));
}

#[test]
fn overload_ends_with_what_was_issued() {
    let mut system = System::single(drive());
    system.driver.overload_limit = 10;
    let requests = (0..1000).map(|n| TraceRequest {
        at: Some(Instant::from_ps(n)),
        line: n + 1,
        ..request(0, false, n * 31 % 40_000, 8)
    });
    let mut completed = 0;
    let source = requests.map(Ok::<_, Infallible>);
    let stopped = run(&system, 1, source, Mode::Open, |_| completed += 1).expect_err("too many");
    assert!(matches!(stopped.cause, Cause::Overload { limit: 10, .. }));
    assert_eq!(stopped.totals.requests, completed);
    assert!((11..20).contains(&completed), "{completed}");
}

proptest! {
    #[test]
    fn every_request_completes_once_and_twice_the_same(
        raw in prop::collection::vec((0_u32..5, any::<bool>(), 0_u64..40_000, 1_u64..200, 0_u64..20), 1..80),
        order in prop::sample::select(vec![Order::Fcfs, Order::CLook, Order::Look, Order::Sstf]),
        kind in 0_usize..3,
    ) {
        let mut now = Instant::ZERO;
        let requests: Vec<_> = raw.into_iter().enumerate().map(|(n, (device, write, lba, sectors, gap))| {
            now += Span::from_ms(gap as f64);
            TraceRequest { at: Some(now), line: n as u64, ..request(device, write, lba, sectors) }
        }).collect();
        let bus = crate::channel::ScsiBusSpec { arbitration_ms: 0.01, read_block_ms: 0.05, write_block_ms: 0.06 };
        let model = [
            drive(),
            scsi(ScsiSpec::default()),
            scsi(ScsiSpec { fast_write: FastWrite::Sequential, zero_latency_write: true, ..ScsiSpec::default() }),
        ][kind].clone();
        let mut system = System::uniform(model, 5, 3, bus);
        system.driver.order = order;
        let out = replay(&system, Mode::Open, &requests);
        let mut lines: Vec<u64> = out.iter().map(|outcome| outcome.request.line).collect();
        lines.sort_unstable();
        prop_assert!(lines.into_iter().eq(0..requests.len() as u64));
        prop_assert!(out.iter().all(|outcome| outcome.completed > outcome.issued));
        prop_assert_eq!(out, replay(&system, Mode::Open, &requests));
    }
}
