//! A command's way through the machine.

use ataraid::bus::{BusTiming, Direction};
use ataraid::channel::{Cable, DeviceNumber, Link, TransferMode};
use ataraid::controller::{ChipSpec, ControllerSpec, DataPath, HptTimingTable};
use ataraid::drive::spec::QueueSpec;
use ataraid::drive::{CommandId, DriveEvent, DriveSpec, InterfaceSpec};
use ataraid::host::{InFlight, MemberPieces};
use ataraid::machine::{CableEvent, Event, HostEvent, MachineSpec};
use ataraid::raid::Level;
use ataraid::units::{Instant, Rate, Span};
use ataraid::workload::{Access, SequentialSpec, WorkloadSpec};

use crate::common::rig::exact_spec;
use crate::common::{self, array, length, placed, run_logged, single};

pub fn ns(ns: u64) -> Span {
    Span::from_ns(ns)
}

/// When the `nth` event that `wanted` accepts happened.
pub fn nth(log: &[(Instant, Event)], n: usize, wanted: impl Fn(&Event) -> bool) -> Instant {
    log.iter().filter(|(_, event)| wanted(event)).nth(n).expect("it happened").0
}

pub fn blocks(block_bytes: u64, write_percent: u8, step_bytes: u64, queue_depth: u32) -> WorkloadSpec {
    let access = Access::Sequential(SequentialSpec { block_bytes, write_percent, step_bytes });
    WorkloadSpec { queue_depth, ..WorkloadSpec::new(access) }
}

/// HPT372A timing with its register access of 540 ns.
pub fn hpt() -> ControllerSpec {
    ControllerSpec {
        chip: ChipSpec::Hpt37x(HptTimingTable {
            clock_period_ps: 15_000,
            udma: [0x1c829c62, 0x1c9a9c62, 0x1c929c62, 0x1c8e9c62, 0x1c8a9c62, 0x1cae9c62, 0x1c869c62],
            mwdma: [0x2c829d2e, 0x2c829c66, 0x2c829c62],
            pio: [0x0d029d5e, 0x0d029d26, 0x0c829ca6, 0x0c829c84, 0x0c829c62],
        }),
        ..common::card()
    }
}

pub fn exact(workload: WorkloadSpec) -> MachineSpec {
    MachineSpec {
        host: common::slow_host(),
        controller: hpt(),
        bus: common::pci_33(),
        ..single(&exact_spec(), workload)
    }
}

#[test]
fn every_part_of_a_read_takes_its_time() {
    // 4 KiB at cylinder 5, its first sector at 7.5 ms.
    let mut spec = exact(blocks(4096, 0, 0, 1));
    spec.workload.start_sector = 500;
    let (_, log) = run_logged(&spec, 1, length(0.0, 0.0095));
    let t0 = Instant::ZERO;
    // The call takes 25 us; dispatch 20 us, six accesses of 400 ns, eight register accesses of 540 ns.
    let issued = t0 + Span::from_us(25.0);
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Issued(_)))), issued);
    let accepted = issued + Span::from_us(20.0) + ns(6 * 400) + ns(8 * 540);
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Cable(0, CableEvent::Accepted(_)))), accepted);
    // Eight sectors from 7.5 ms on, the last checked at 8.4 ms. Sixteen bursts of 256 bytes: 1.92 us on the cable at
    // 15 ns a word, the drive's buffer is slower: 2.56 us; 500 ns overhead. On the bus 64 data phases, three clocks.
    // Then the last burst on the bus, and two clocks of arbitration.
    let transfer = (ns(2_560) + ns(500)) * 16 + ns(30 * 67) + ns(60);
    let ready = t0 + Span::from_ms(8.4) - Span::from_ps(transfer.ps() / 8 * 7);
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Drive(0, DriveEvent::Ready(_)))), ready);
    let across = ready + transfer;
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Cable(0, CableEvent::Transferred))), across);
    let interrupt = across + Span::from_us(30.0);
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Drive(0, DriveEvent::Complete(_)))), interrupt);
    // 15 us, seven accesses, three status reads; 26 us back to the program.
    let answered = interrupt + Span::from_us(15.0) + ns(7 * 400) + ns(3 * 540);
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Answered(_)))), answered);
    let returned = answered + Span::from_us(26.0);
    assert_eq!(nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Returned(_)))), returned);
    // And the program calls again at once.
    assert_eq!(
        nth(&log, 1, |e| matches!(e, Event::Host(HostEvent::Issued(_)))),
        returned + Span::from_us(25.0)
    );
}

#[test]
fn a_train_of_bursts_goes_at_the_pace_of_its_slower_side() {
    let bus = BusTiming::new(&common::pci_33());
    let fast = Rate::new(1_000_000, Span::from_us(1.0));
    let of = |card: &ControllerSpec, mode: u8| {
        DataPath::new(card, card.timing(TransferMode::Udma(mode)), fast, &bus)
    };
    // UDMA 6: 128 words of 15 ns and 500 ns: 2.42 us a burst on the cable. Bus, a read: 64 phases, address, wait,
    // turnaround; a sixteenth of a descriptor fetch (2 phases, 3 clocks, 10 of latency): 15 clocks.
    let card = hpt();
    let path = of(&card, 6);
    let fetch = bus.transaction(8, Direction::MemoryRead);
    assert_eq!(fetch, ns(30 * 15));
    let train = path.train(65_536, false);
    assert_eq!(train.burst, ns(67 * 30) + fetch.scale_up(256, 4096));
    assert_eq!(train.period, ns(2_420));
    assert_eq!(train.duration, ns(2_420) * 256 + ns(60) + ns(67 * 30));
    // A write waits for memory: address, turnaround, ten clocks of latency, 64 phases, turnaround: 77 clocks.
    let train = path.train(65_536, true);
    assert_eq!(train.burst, ns(77 * 30) + fetch.scale_up(256, 4096));
    assert_eq!(train.period, ns(2_420).max(train.burst));
    // Crossing between clocks is added to every burst of a read.
    let slow = ControllerSpec { clock_crossing_read_ns: 600, ..hpt() };
    assert_eq!(of(&slow, 6).train(65_536, false).period, ns(3_020));
    // UDMA 5 of the 66 MHz clock: 22.5 ns a word.
    assert_eq!(of(&card, 5).train(65_536, false).period, ns(2_880) + ns(500));
    // Part of a burst takes its part of the time.
    assert_eq!(path.train(512, false).duration, ns(2_420) * 2 + ns(60) + ns(67 * 30));
}

#[test]
fn a_burst_on_the_bus_takes_its_clocks() {
    let bus = BusTiming::new(&common::pci_33());
    assert_eq!(bus.transaction(256, Direction::MemoryWrite).ps(), 67 * 30_000);
    assert_eq!(bus.transaction(256, Direction::MemoryRead).ps(), 77 * 30_000);
    // The latency timer of 120 clocks leaves 118 phases: the 119th needs a transaction of its own.
    assert_eq!(bus.transaction(472, Direction::MemoryWrite).ps(), 121 * 30_000);
    assert_eq!(bus.transaction(473, Direction::MemoryWrite).ps(), 125 * 30_000);
    let wide = BusTiming::new(&common::pci_66());
    // 300 ns are 20 clocks of 15 ns.
    assert_eq!(wide.transaction(256, Direction::MemoryRead).ps(), (32 + 20 + 3) * 15_000);
}

#[test]
fn a_change_of_device_takes_two_accesses_and_400_ns_and_a_long_address_five() {
    let timing = hpt().timing(TransferMode::Udma(6));
    assert_eq!(timing.register, ns(540));
    let mut cable = Cable::<u32>::new();
    cable.attach(DeviceNumber(0), timing, false);
    cable.attach(DeviceNumber(1), timing, true);
    assert_eq!(cable.command(DeviceNumber(0)).processor, ns(8 * 540));
    assert_eq!(cable.command(DeviceNumber(1)).processor, ns(2 * 540 + 400) + ns(13 * 540));
    assert_eq!(cable.command(DeviceNumber(1)).processor, ns(13 * 540));
    assert_eq!(cable.command(DeviceNumber(0)).processor, ns(2 * 540 + 400) + ns(8 * 540));
}

#[test]
fn the_machine_pays_for_the_change_of_device_and_the_long_address() {
    // Two drives on one cable take turns, the second with 48-bit addresses.
    let long = DriveSpec { lba48: Some(true), ..exact_spec() };
    let drives = [placed("a", 0, 0, &exact_spec()), placed("b", 0, 1, &long)];
    let mut spec = array(Level::Raid0, 4, &drives, blocks(4096, 0, 0, 1));
    (spec.controller, spec.host) = (hpt(), common::slow_host());
    let (_, log) = run_logged(&spec, 1, length(0.0, 0.1));
    let gap = |n| {
        let issued = nth(&log, n, |e| matches!(e, Event::Host(HostEvent::Issued(_))));
        nth(&log, n, |e| matches!(e, Event::Cable(0, CableEvent::Accepted(_)))).since(issued)
    };
    let dispatch = Span::from_us(20.0) + ns(6 * 400);
    assert_eq!(gap(0), dispatch + ns(8 * 540));
    assert_eq!(gap(1), dispatch + ns(13 * 540 + 2 * 540 + 400));
    assert_eq!(gap(2), dispatch + ns(8 * 540 + 2 * 540 + 400));
}

/// Two channels, a mirror written by one request: both halves cross at once on a narrow bus.
#[test]
fn two_transfers_share_the_bus_from_the_moment_they_meet() {
    let drives = [placed("a", 0, 0, &exact_spec()), placed("b", 1, 0, &exact_spec())];
    let mut spec = array(Level::Raid1, 64, &drives, blocks(32_768, 100, 0, 1));
    spec.bus = common::pci_33();
    spec.driver.transfer_limit_kib = 64;
    spec.host = common::slow_host();
    let (_, log) = run_logged(&spec, 1, length(0.0, 0.004));
    let ready = |n| nth(&log, n, |e| matches!(e, Event::Drive(_, DriveEvent::Ready(_))));
    let done = |n| nth(&log, n, |e| matches!(e, Event::Cable(_, CableEvent::Transferred)));
    let bus = BusTiming::new(&spec.bus);
    let drive_rate = Rate::new(1_000_000, Span::from_us(1e4));
    let path =
        DataPath::new(&spec.controller, spec.controller.timing(TransferMode::Udma(6)), drive_rate, &bus);
    let train = path.train(32_768, true);
    // Alone a burst takes 3.06 us on the cable and 2.34 us on the bus, so two want 4.68 us of it: that is the round.
    let round = train.burst * 2;
    assert!(round > train.period, "{round} {}", train.period);
    // The processor starts them one after the other.
    let lead = ready(1).since(ready(0));
    assert_eq!(lead, Span::from_us(20.0) + ns(8 * 120));
    // The first runs alone for that long, then both in rounds; the rest of the first is stretched.
    let rest = (train.duration - lead).scale_up(round.ps(), train.period.ps());
    assert_eq!(done(0), ready(1) + rest);
    // The second was stretched as long as both ran, and ends alone.
    let whole = train.duration.scale_up(round.ps(), train.period.ps());
    let left = (ready(1) + whole).since(done(0)).scale_up(train.period.ps(), round.ps());
    assert_eq!(done(1), done(0) + left);
}

fn queueing(depth: u32) -> DriveSpec {
    DriveSpec { queue: QueueSpec::Tcq { depth, age_weight: 0.0 }, ..exact_spec() }
}

/// Most commands that a drive had at a time.
fn most_given(log: &[(Instant, Event)], drive_of: impl Fn(CommandId) -> bool) -> usize {
    let (mut given, mut most) = (0_usize, 0);
    for (_, event) in log {
        match event {
            Event::Cable(_, CableEvent::Accepted(id)) if drive_of(*id) => given += 1,
            Event::Drive(_, DriveEvent::Complete(_)) => given = given.saturating_sub(1),
            _ => {}
        }
        most = most.max(given);
    }
    most
}

#[test]
fn a_queueing_drive_gets_as_many_commands_as_it_takes_and_the_driver_gives() {
    let cases = [
        (InFlight::Drive, 4, 4),
        (InFlight::Drive, 1, 1),
        (InFlight::Array(16), 4, 4),
        (InFlight::Array(3), 4, 3),
        (InFlight::Channel, 4, 1),
    ];
    for (in_flight, depth, expected) in cases {
        let mut spec = single(&queueing(depth), common::line(4096, 0, 100, 16));
        spec.driver.in_flight = in_flight;
        let (_, log) = run_logged(&spec, 1, length(0.0, 0.5));
        assert_eq!(most_given(&log, |_| true), expected, "{in_flight:?}, {depth} tags");
    }
}

/// From the first `Ready` to the end of that transfer.
fn first_transfer(spec: &MachineSpec) -> Span {
    let (_, log) = run_logged(spec, 1, length(0.0, 0.05));
    let ready = nth(&log, 0, |e| matches!(e, Event::Drive(0, DriveEvent::Ready(_))));
    nth(&log, 0, |e| matches!(e, Event::Cable(0, CableEvent::Transferred))).since(ready)
}

/// 16 KiB from the drive that `udma` and `mwdma` describe, at most in `cap`, on HPT372A timing.
fn in_mode(udma: Option<u8>, mwdma: Option<u8>, cap: TransferMode) -> MachineSpec {
    let mut spec = exact(blocks(16_384, 0, 0, 1));
    spec.drives[0].model.interface =
        InterfaceSpec::Ata { udma_mode_max: udma, mwdma_mode_max: mwdma, pio_mode_max: 4 };
    spec.driver.transfer_mode_max = cap;
    spec
}

#[test]
fn the_fastest_mode_that_drive_card_and_driver_know_is_taken() {
    // Multiword DMA 2 on the 66 MHz clock: (2 + 1 + 6 + 1) clocks of 15 ns a word; 64 bursts of 128 words and 500 ns.
    let mwdma = (ns(150) * 128 + ns(500)) * 64 + ns(60) + ns(67 * 30);
    let any = TransferMode::Udma(6);
    assert_eq!(first_transfer(&in_mode(None, Some(2), any)), mwdma);
    assert_eq!(first_transfer(&in_mode(Some(6), Some(2), TransferMode::Mwdma(2))), mwdma);
    let mut old_card = in_mode(Some(6), Some(2), any);
    old_card.controller.udma_mode_max = None;
    assert_eq!(first_transfer(&old_card), mwdma);
    // UDMA 2 by the driver's limit: 60 ns a word.
    let udma2 = (ns(60) * 128 + ns(500)) * 64 + ns(60) + ns(67 * 30);
    assert_eq!(first_transfer(&in_mode(Some(6), Some(2), TransferMode::Udma(2))), udma2);
    let mut old_cable = in_mode(Some(6), Some(2), any);
    old_cable.controller.cables[0].conductors = 40;
    assert_eq!(first_transfer(&old_cable), udma2);
}

#[test]
fn the_processor_moves_the_data_of_programmed_io() {
    // PIO 4: 150 ns a word, 400 ns over the bus for two words. 32 sectors in blocks of 16: one interrupt more than the
    // command's own, 15 us, seven accesses to the card, three status reads.
    let interrupt = Span::from_us(15.0) + ns(7 * 400) + ns(3 * 540);
    let spec = in_mode(None, None, TransferMode::Udma(6));
    let data = (ns(400) + ns(300)) * 4096 + interrupt;
    assert_eq!(first_transfer(&spec), data);
    assert_eq!(first_transfer(&in_mode(Some(6), Some(2), TransferMode::Pio(4))), data);
    // The processor is busy with it all the time, a DMA transfer costs it nothing.
    let busy = |spec: &MachineSpec| common::run(spec, 1, length(0.0, 0.5)).cpu_utilisation;
    let dma = in_mode(Some(6), Some(2), TransferMode::Udma(6));
    assert!(busy(&spec) > busy(&dma) + 0.2, "{} {}", busy(&spec), busy(&dma));
}

/// Sectors of the commands given within the first request, by drive.
fn commands_of_first(spec: &MachineSpec) -> usize {
    let (_, log) = run_logged(spec, 1, length(0.0, 0.5));
    let returned = nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Returned(_))));
    let accepted =
        |(at, e): &&(Instant, Event)| *at < returned && matches!(e, Event::Cable(_, CableEvent::Accepted(_)));
    log.iter().filter(accepted).count()
}

#[test]
fn the_second_copy_of_a_mirror_goes_with_the_first_or_after_it() {
    let drives = [placed("a", 0, 0, &exact_spec()), placed("b", 1, 0, &exact_spec())];
    let mut spec = array(Level::Raid1, 64, &drives, blocks(4096, 100, 0, 1));
    let sent_before_an_answer = |spec: &MachineSpec| {
        let (_, log) = run_logged(spec, 1, length(0.0, 0.5));
        let answered = nth(&log, 0, |e| matches!(e, Event::Host(HostEvent::Answered(_))));
        let accepted = |(at, e): &&(Instant, Event)| {
            *at < answered && matches!(e, Event::Cable(_, CableEvent::Accepted(_)))
        };
        log.iter().filter(accepted).count()
    };
    assert_eq!((sent_before_an_answer(&spec), commands_of_first(&spec)), (2, 2));
    spec.driver.mirror_write = ataraid::host::MirrorWrite::InTurn;
    assert_eq!((sent_before_an_answer(&spec), commands_of_first(&spec)), (1, 2));
}

#[test]
fn pieces_that_follow_each_other_on_a_member_can_be_one_command() {
    // 64 KiB in stripes of 4 KiB over two drives: sixteen pieces, eight on each.
    let drives = [placed("a", 0, 0, &exact_spec()), placed("b", 1, 0, &exact_spec())];
    let mut spec = array(Level::Raid0, 4, &drives, blocks(65_536, 0, 0, 1));
    assert_eq!(commands_of_first(&spec), 16);
    spec.driver.member_pieces = MemberPieces::Joined;
    assert_eq!(commands_of_first(&spec), 2);
}

#[test]
fn a_command_moves_what_its_count_register_can_hold() {
    let mut spec = single(&exact_spec(), blocks(1 << 20, 0, 0, 1));
    spec.driver.transfer_limit_kib = 1024;
    assert_eq!(commands_of_first(&spec), 8, "256 sectors with a 28-bit address");
    spec.drives[0].model.lba48 = Some(true);
    assert_eq!(commands_of_first(&spec), 1, "65 536 with a 48-bit address");
}

#[test]
fn a_plain_drive_has_its_own_window_wherever_requests_are_sorted() {
    let order = |in_flight, single_window| {
        let mut spec = single(&common::small_drive(), common::line(4096, 0, 100, 16));
        spec.driver.in_flight = in_flight;
        spec.driver.sort = ataraid::host::Sort::OneWay;
        (spec.driver.window_array_requests, spec.driver.window_single_requests) = (1, single_window);
        common::run(&spec, 1, length(0.0, 4.0)).iops
    };
    for in_flight in [InFlight::Array(1), InFlight::Channel, InFlight::Drive] {
        assert!(order(in_flight, 64) > 1.1 * order(in_flight, 1), "{in_flight:?}");
    }
}

#[test]
fn sixty_thousand_requests_may_be_issued_at_one_instant() {
    let mut spec = single(&common::small_drive(), common::line(512, 0, 100, 1024));
    spec.workload.workers = 64;
    spec.workload.think = ataraid::workload::ThinkTime::FixedMs(50.0);
    let measured = common::run(&spec, 1, length(0.0, 0.1));
    assert!(measured.requests > 0);
}

#[test]
fn a_read_over_a_serial_link_takes_its_frames_and_one_burst_on_the_bus() {
    let card: ControllerSpec = common::model("controllers/sii3124.ron");
    let bus = BusTiming::new(&common::model("buses/pci-x-64-133.ron"));
    let link = Link::new(card.links().expect("serial links"), 1, false);
    let quick = DataPath::serial(&card, link, Rate::new(600, Span::from_us(1.0)), &bus);
    // 64 KiB: 16384 dwords, and 8 frames of 4 dwords around and 20 of handshake, at 80000/3 ps each. Then the last
    // kilobyte on the bus: two clocks of arbitration, 128 phases and twice 6 clocks beside them, at 7.5 ns.
    let frames = Span::from_ps(((16_384 + 8 * 24) * 80_000_u64).div_ceil(3));
    let bus_clocks = |n: u64| Span::from_ps(n * 7_500);
    assert_eq!(quick.train(65_536, false).duration, frames + bus_clocks(2 + 128 + 12));
    // A write waits for its first kilobyte: 300 ns, a request of 4 clocks and two completions with 4 beside their data;
    // and each of its frames is activated by one of 4 dwords and the handshake.
    let frames = Span::from_ps(((16_384 + 8 * 48) * 80_000_u64).div_ceil(3));
    let first = bus_clocks(2 + 4 + 128 + 8) + Span::from_ns(300);
    assert_eq!(quick.train(65_536, true).duration, frames + first);
    // Behind a bridge that carries 100 MB/s the frames are held, not slowed down: the bridge's time counts.
    let bridge = DataPath::serial(&card, link, Rate::new(100, Span::from_us(1.0)), &bus);
    assert_eq!(bridge.train(65_536, false).duration, Span::from_ns(655_360) + bus_clocks(142));
    // The bus is never the slower side: a burst takes a tenth of its period.
    assert!(bridge.train(65_536, false).burst.scale_up(9, 1) < bridge.train(65_536, false).period);
}

#[test]
fn programmed_io_on_several_channels_takes_turns_at_the_processor() {
    // The processor is the limit: a second drive on a channel of its own neither helps nor harms.
    let rate = |drives: u16, queue_depth| {
        let placed: Vec<_> = (0..drives)
            .map(|n| placed(&n.to_string(), n, 0, &common::with_read_ahead(exact_spec())))
            .collect();
        let level = if drives == 1 { Level::Single } else { Level::Raid0 };
        let mut spec = array(level, 64, &placed, blocks(65_536, 0, 65_536, queue_depth));
        (spec.host, spec.controller) = (common::slow_host(), hpt());
        spec.driver.transfer_mode_max = TransferMode::Pio(4);
        common::run(&spec, 1, length(0.5, 3.0)).mib_s
    };
    let one = rate(1, 1);
    for (drives, queue_depth) in [(1, 8), (2, 1), (2, 8)] {
        let ratio = rate(drives, queue_depth) / one;
        assert!((0.95..1.5).contains(&ratio), "{drives} drives, {queue_depth} in flight: {ratio}");
    }
}
