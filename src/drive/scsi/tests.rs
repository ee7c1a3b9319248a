use super::pass::{Data, WritePass};
use super::*;
use crate::drive::spec::{ExtraWriteDisconnect, InterfaceSpec, SegmentSpec, sample};
use crate::drive::{Spindle, mechanics::Access};
use crate::sim::{Calendar, Handle};
use proptest::prelude::*;

mod source;

/// A drive alone on a bus that is always free.
struct Rig {
    drive: ScsiDrive,
    calendar: Calendar<DriveEvent>,
    commands: u32,
}

struct Port<'a>(&'a mut Calendar<DriveEvent>);

impl Schedule<DriveEvent> for Port<'_> {
    fn now(&self) -> Instant {
        self.0.now()
    }
    fn at(&mut self, at: Instant, phase: Phase, event: DriveEvent) -> Handle {
        self.0.schedule(at, phase, event)
    }
    fn cancel(&mut self, handle: Handle) -> bool {
        self.0.cancel(handle)
    }
}

/// How a command went: when the bus was held, and when it was done.
struct Served {
    held: Vec<(Instant, Instant)>,
    done: Instant,
}

/// Stands for the end of a hold, or the issue of a command, in the rig's calendar.
const MARK: DriveEvent = DriveEvent::DestageTimer;

impl Rig {
    fn new(scsi: ScsiSpec) -> Self {
        let mut spec = sample();
        spec.interface = InterfaceSpec::Scsi(scsi);
        spec.overhead.read_miss_after_write_ms = Some(0.7);
        let spindle = Spindle::exact(spec.nominal_revolution(), Span::ZERO);
        let mechanics = Mechanics::with_spindle(&spec, spindle);
        Rig { drive: ScsiDrive::new(&spec, &scsi, mechanics), calendar: Calendar::new(), commands: 0 }
    }

    fn turn(&self) -> Span {
        self.drive.mechanics.spindle.revolution()
    }

    /// Runs the calendar to its next event, which must be of the kind that is due.
    fn wait_for(&mut self, due: DriveEvent) {
        assert_eq!(self.calendar.pop().map(|(_, event)| event), Some(due));
    }

    /// Serves a command that is given `pause` after the last one was done.
    fn serve(&mut self, pause: Span, write: bool, extent: Extent) -> Served {
        self.calendar.schedule(self.calendar.now() + pause, Phase::Arrival, MARK);
        self.wait_for(MARK);
        self.commands += 1;
        let id = CommandId(self.commands);
        let command = ScsiCommand { id, write, extent, block: Span::from_ms(0.05) };
        let mut held = Vec::new();
        let mut since = self.calendar.now();
        let mut step = self.drive.accept(command, &mut Port(&mut self.calendar));
        loop {
            let now = self.calendar.now();
            match step {
                BusStep::Hold(until) => {
                    self.calendar.schedule(until, Phase::Completion, MARK);
                    self.wait_for(MARK);
                    step = self.drive.held(&mut Port(&mut self.calendar));
                }
                BusStep::Release => {
                    held.push((since, now));
                    self.wait_for(DriveEvent::Ready(id));
                    since = self.calendar.now();
                    step = self.drive.reconnected(&mut Port(&mut self.calendar));
                }
                BusStep::Complete => {
                    held.push((since, now));
                    assert_eq!(self.calendar.pending(), 0, "a command that is done asks for nothing");
                    return Served { held, done: now };
                }
            }
        }
    }

    /// When a head that may leave `place` at `start` has passed the first and the last sector of `extent`, all of which
    /// is on one track.
    fn passes(&self, place: Place, start: Instant, extent: Extent, access: Access) -> (Instant, Instant) {
        let mechanics = &self.drive.mechanics;
        let piece = mechanics.piece(place, start, extent.lba, access, false);
        assert!(u64::from(piece.sectors) >= extent.sectors, "one track");
        (mechanics.reached_at(&piece, extent.lba + 1), mechanics.reached_at(&piece, extent.end()))
    }
}

fn ms(ms: f64) -> Span {
    Span::from_ms(ms)
}

fn front_end() -> ScsiSpec {
    ScsiSpec {
        read_completion_ms: 0.03,
        write_completion_ms: 0.04,
        data_preparation_ms: 0.02,
        reselect_first_ms: 0.16,
        disconnect_read_ms: 0.05,
        disconnect_write_ms: 0.06,
        prefetch_maximum_blocks: 64,
        ..ScsiSpec::default()
    }
}

#[test]
fn a_read_is_overhead_seek_rotation_first_sector_reselection_and_the_bus_to_the_picosecond() {
    // Slower than the medium, so the drive never waits for it once the first block is there.
    let mut rig = Rig::new(ScsiSpec { block_ms: 0.5, ..front_end() });
    let extent = Extent::new(20_000, 8);
    let (first, _) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Read);
    let served = rig.serve(Span::ZERO, false, extent);
    let free = Instant::ZERO + ms(0.2) + ms(0.05);
    let done = first + ms(0.16) + ms(0.02) + ms(0.5) * 8 + ms(0.03);
    assert_eq!(served.held, [(Instant::ZERO, free), (first, done)]);
    assert_eq!(served.done, done);
}

#[test]
fn a_read_that_waits_for_its_last_sector_ends_with_it() {
    // All of the request is the water mark: one reconnection, and everything is there.
    let mut rig = Rig::new(ScsiSpec { read_high_water: 1.0, ..front_end() });
    let extent = Extent::new(20_000, 8);
    let (_, last) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Read);
    let served = rig.serve(Span::ZERO, false, extent);
    assert_eq!(served.held.len(), 2);
    assert_eq!(served.done, last + ms(0.16) + ms(0.02) + ms(0.05) * 8 + ms(0.03));
}

#[test]
fn a_drive_that_keeps_the_bus_within_reads_follows_the_medium() {
    let scsi = ScsiSpec { disconnection: Disconnection::NotWithinReads, ..front_end() };
    let mut rig = Rig::new(scsi);
    let extent = Extent::new(20_000, 8);
    let (_, last) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Read);
    let served = rig.serve(Span::ZERO, false, extent);
    assert_eq!(served.held.len(), 2);
    // A sector of 8.33 / 32 ms takes longer than its way over the bus.
    assert_eq!(served.done, last + ms(0.05) + ms(0.03));
}

#[test]
fn a_sequential_read_is_answered_from_what_was_read_on() {
    let mut rig = Rig::new(front_end());
    rig.serve(Span::ZERO, false, Extent::new(20_000, 8));
    // Two more turns would be needed to come to the end of what it reads on: it is still at it.
    let pause = ms(3.0);
    let begun = rig.calendar.now() + pause;
    let served = rig.serve(pause, false, Extent::new(20_008, 8));
    assert_eq!(served.held, [(begun, served.done)]);
    assert_eq!(served.done, begun + ms(0.06) + ms(0.02) + ms(0.05) * 8 + ms(0.03));
    // It goes on to 64 blocks behind the second request; what lies farther is not there.
    let pause = ms(30.0);
    assert_eq!(rig.serve(pause, false, Extent::new(20_079, 1)).held.len(), 1);
    assert!(rig.serve(pause, false, Extent::new(20_300, 1)).held.len() > 1);
}

#[test]
fn a_read_that_breaks_off_reading_on_waits_longer() {
    let turn = Rig::new(front_end()).turn();
    let slow = ScsiSpec { read_abort_ms: turn.as_ms(), ..front_end() };
    for (pause_ms, write, waits) in [(1.0, false, true), (500.0, false, false), (1.0, true, false)] {
        let done = [front_end(), slow].map(|scsi| {
            let mut rig = Rig::new(scsi);
            rig.serve(ms(1.0), false, Extent::new(0, 4));
            rig.serve(ms(pause_ms), write, Extent::new(30_000, 4)).done
        });
        let longer = if waits { turn } else { Span::ZERO };
        assert_eq!(done[1].since(done[0]), longer, "after {pause_ms} ms");
    }
}

#[test]
fn a_write_waits_for_the_medium_or_completes_before_it() {
    let extent = Extent::new(20_000, 8);
    let mut slow = Rig::new(front_end());
    let (_, last) = slow.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Write);
    let served = slow.serve(Span::ZERO, true, extent);
    let crossed = Instant::ZERO + ms(0.2) + ms(0.02) + ms(0.05) * 8;
    assert_eq!(served.held[0], (Instant::ZERO, crossed + ms(0.06)));
    assert_eq!(served.done, last + ms(0.16) + ms(0.04));

    let mut fast = Rig::new(ScsiSpec { fast_write: FastWrite::Sequential, ..front_end() });
    let (_, last) = fast.passes(Place::default(), Instant::ZERO + ms(0.06), extent, Access::Write);
    let served = fast.serve(Span::ZERO, true, extent);
    assert_eq!(served.done, Instant::ZERO + ms(0.06) + ms(0.02) + ms(0.05) * 8 + ms(0.04));
    // A write elsewhere may not send its data before the first one is on the medium.
    let second = fast.serve(Span::ZERO, true, Extent::new(30_000, 8));
    assert_eq!(second.held[1].0, last);
    assert_eq!(second.done, last + ms(0.16) + ms(0.02) + ms(0.05) * 8 + ms(0.04));
    // Nor may the arm leave before.
    let place = fast.drive.mechanics.place_of(20_000);
    let (_, end) = fast.passes(place, last, Extent::new(30_000, 8), Access::Write);
    assert!(matches!(fast.drive.heads, Heads::Writing { end: written } if written == end));
}

#[test]
fn a_write_that_continues_another_one_needs_no_turn() {
    let scsi = ScsiSpec { fast_write: FastWrite::Appending, ..front_end() };
    let mut rig = Rig::new(scsi);
    let (_, last) =
        rig.passes(Place::default(), Instant::ZERO + ms(0.06), Extent::new(20_000, 16), Access::Write);
    rig.serve(Span::ZERO, true, Extent::new(20_000, 8));
    let joined = rig.serve(Span::ZERO, true, Extent::new(20_008, 8));
    assert_eq!(joined.held.len(), 1);
    let Heads::Writing { end } = rig.drive.heads else { panic!("it writes") };
    assert_eq!(end, last, "as if it had been one write");
}

#[test]
fn a_write_after_a_write_may_disconnect_once_more() {
    let extra = ExtraWriteDisconnect {
        command_ms: 0.6,
        disconnect_ms: 0.05,
        pause_ms: 0.4,
        second_disconnect_ms: 0.13,
        seek_ms: 0.25,
        start_blocks: 10,
        start_blocks_large: 15,
        large_blocks: 45,
    };
    let segments = SegmentSpec { dedicated_write: true, ..SegmentSpec::default() };
    let scsi =
        ScsiSpec { extra_write_disconnect: Some(extra), reselect_other_ms: 0.11, segments, ..front_end() };
    let mut rig = Rig::new(scsi);
    assert_eq!(rig.serve(Span::ZERO, true, Extent::new(20_000, 8)).held.len(), 2);
    let start = rig.calendar.now();
    let place = rig.drive.place;
    let extent = Extent::new(24_000, 8);
    let (_, last) = rig.passes(place, start + ms(0.6) + ms(0.25), extent, Access::Write);
    let served = rig.serve(Span::ZERO, true, extent);
    assert_eq!(served.held[0], (start, start + ms(0.65)));
    let data = start + ms(1.05) + ms(0.16) + ms(0.02) + ms(0.05) * 8;
    assert_eq!(served.held[1], (start + ms(1.05), data + ms(0.13)));
    assert_eq!(served.done, last + ms(0.11) + ms(0.04));
    // What continues the last write does not.
    assert_eq!(rig.serve(Span::ZERO, true, Extent::new(24_008, 8)).held.len(), 2);
}

#[test]
fn what_was_overwritten_is_not_read_from_the_buffer() {
    let mut rig = Rig::new(ScsiSpec { hits_on_written: false, ..front_end() });
    let pause = ms(30.0);
    rig.serve(pause, false, Extent::new(20_000, 8));
    rig.serve(pause, true, Extent::new(20_030, 8));
    assert!(rig.serve(pause, false, Extent::new(20_032, 4)).held.len() > 1);
}

#[test]
fn a_write_within_what_was_read_takes_it_away_or_renews_it() {
    let pause = ms(30.0);
    for renews in [false, true] {
        let mut rig = Rig::new(ScsiSpec { writes_renew: renews, ..front_end() });
        rig.serve(pause, false, Extent::new(20_000, 8));
        rig.serve(pause, true, Extent::new(20_030, 8));
        let mut is_held = |lba, blocks| rig.serve(pause, false, Extent::new(lba, blocks)).held.len() == 1;
        assert_eq!(is_held(20_010, 4), renews, "before what was written");
        if renews {
            assert!(is_held(20_028, 12), "with what was written");
            assert!(is_held(20_040, 4), "behind it");
        }
    }
}

/// The slow, obvious twin of a sweep over one track: sector after sector, remembering every block that was read.
fn twin(rig: &Rig, place: Place, start: Instant, (lba, end): (u64, u64), landing: Landing) -> Instant {
    let mechanics = &rig.drive.mechanics;
    let span = mechanics.geometry.locate(lba);
    let target = Place { cylinder: span.cylinder, head: span.head };
    let arrival = start + mechanics.positioning(place, target, Access::Read, false);
    let spt = span.sectors_per_track;
    let zero = mechanics.spindle.sector_offset(span.skew, 0, spt);
    let index = arrival + mechanics.spindle.wait(arrival, zero) - rig.turn();
    let mut missing: Vec<u64> = (lba..end).collect();
    for turn in 0.. {
        for sector in 0..spt {
            let begins = index + rig.turn() * turn + mechanics.spindle.sectors(0, sector, spt);
            let block = lba + u64::from(sector) - u64::from(span.sector);
            let wanted = if landing.zero_latency { missing.contains(&block) } else { missing[0] == block };
            if begins < arrival || !wanted {
                continue;
            }
            missing.retain(|&other| other != block);
            if missing.is_empty() {
                return index + rig.turn() * turn + mechanics.spindle.sectors(0, sector + 1, spt);
            }
        }
    }
    unreachable!("every block passes")
}

proptest! {
    #[test]
    fn a_sweep_reads_a_request_when_its_twin_does(
        lba in 0_u64..40_000, sectors in 1_u64..40, start in 0_u64..60_000_000_000, cylinder in 0_u32..700,
        zero_latency: bool, free_blocks: bool,
    ) {
        let rig = Rig::new(front_end());
        let mechanics = &rig.drive.mechanics;
        let landing = Landing { zero_latency, free_blocks };
        let place = Place { cylinder, head: 0 };
        let end = lba + sectors.min(u64::from(mechanics.geometry.locate(lba).left));
        let start = Instant::from_ps(start + 100_000_000_000);
        let mut sweep = Sweep::new(mechanics, (place, start), lba, (end, end + 100), landing);
        let at = sweep.reaches(mechanics, end);
        prop_assert_eq!(at, twin(&rig, place, start, (lba, end), landing));
        prop_assert!(sweep.sync(mechanics, at) >= end);
        let mut before = Sweep::new(mechanics, (place, start), lba, (end, end + 100), landing);
        prop_assert!(before.sync(mechanics, at - Span::from_ps(1)) < end);
        prop_assert!(before.leaves(mechanics, at - Span::from_ps(1), false) >= at - Span::from_ps(1));
    }

    /// With all data at hand a write is as long as a read would be; with data that comes late it is never shorter than
    /// the data, and never ends elsewhere than at the end of a sector.
    #[test]
    fn a_write_follows_its_data(
        lba in 0_u64..40_000, sectors in 1_u64..30, start in 0_u64..60_000_000_000, late in 0_u64..30_000_000_000,
        zero_latency: bool,
    ) {
        let rig = Rig::new(front_end());
        let mechanics = &rig.drive.mechanics;
        let sectors = sectors.min(u64::from(mechanics.geometry.locate(lba).left));
        let extent = Extent::new(lba, sectors);
        let place = rig.drive.mechanics.place_of(lba);
        let start = Instant::from_ps(start + 100_000_000_000);
        let landing = Landing { zero_latency, free_blocks: false };
        let written = |data: Data| {
            let mut pass = WritePass { place, at: start, zero_latency, least_seek: Span::ZERO };
            pass.write(mechanics, extent, &data);
            pass.at
        };
        let block = Span::from_ms(0.05);
        let early = Data { first: lba, start: Instant::ZERO, block, least: 0, lead: 1, blocks: sectors };
        let at_hand = written(early);
        prop_assert_eq!(at_hand, twin(&rig, place, start, (lba, extent.end()), landing));
        let late = start + Span::from_ps(late);
        let end = written(Data { start: late, ..early });
        prop_assert!(end >= at_hand && end > late + block * sectors);
        // Data that must all be there first is written as if it had been there when the last of it came.
        let whole = written(Data { start: late, lead: sectors, ..early });
        let few = written(Data { start: late, lead: 2, ..early });
        if !zero_latency {
            prop_assert!(end <= few && few <= whole);
            let turns = (whole - at_hand).ps() / rig.turn().ps();
            let passing = rig.drive.mechanics.spindle.sectors(
                mechanics.geometry.locate(lba).sector,
                sectors as u32,
                mechanics.geometry.locate(lba).sectors_per_track,
            );
            let there = late + block * sectors;
            prop_assert!(whole - passing >= there);
            prop_assert!(turns == 0 || whole - passing - rig.turn() < there);
        }
        // The last block written ends a sector, so the delay is a matter of sectors and turns.
        prop_assert!(end <= late + block * sectors + rig.turn() * 2 + (at_hand - start));
        if !zero_latency {
            prop_assert_eq!((end - at_hand) % rig.turn(), Span::ZERO);
        }
    }

    #[test]
    fn any_front_end_serves_any_commands(
        raw in prop::collection::vec((any::<bool>(), 0_u64..44_000, 1_u64..400, 0_u32..30), 1..60),
        kind in (0_u8..5, 0_u8..5, 0_u8..3, 0_u8..3, 1_u32..5, 8_u32..300),
        marks in (0.0_f64..1.0, 0.0_f64..1.0),
        flags in any::<[bool; 12]>(),
        least in 0_u32..100,
    ) {
        let scsi = any_front_end(kind, marks, flags, least);
        let mut rig = Rig::new(scsi);
        let mut last = 0_u64;
        for (n, (write, lba, sectors, pause)) in raw.into_iter().enumerate() {
            // Every third command continues the one before.
            let lba = if n % 3 == 2 { last } else { lba };
            let extent = Extent::new(lba.min(44_500), sectors);
            last = extent.end();
            let begun = rig.calendar.now() + ms(f64::from(pause));
            let served = rig.serve(ms(f64::from(pause)), write, extent);
            let held: Span = served.held.iter().map(|&(since, until)| until - since).sum();
            prop_assert!(held >= ms(0.05) * sectors, "every block crossed");
            prop_assert!(served.done >= begun + held);
            prop_assert!(served.held.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        }
    }
}

fn any_front_end(
    (disconnection, prefetch, fast, room, count, blocks): (u8, u8, u8, u8, u32, u32),
    (high, low): (f64, f64),
    flags: [bool; 12],
    least: u32,
) -> ScsiSpec {
    let pick = |index: u8, max: u8| usize::from(index.min(max));
    ScsiSpec {
        disconnection: [
            Disconnection::WhenIdle,
            Disconnection::NotWithinReads,
            Disconnection::NotWithinWrites,
            Disconnection::NotWithinTransfers,
            Disconnection::Never,
        ][pick(disconnection, 4)],
        prefetch: [
            Prefetch::Off,
            Prefetch::Track,
            Prefetch::Cylinder,
            Prefetch::Segment,
            Prefetch::NextTrack,
        ][pick(prefetch, 4)],
        fast_write: [FastWrite::Off, FastWrite::Appending, FastWrite::Sequential][pick(fast, 2)],
        prefetch_room: [PrefetchRoom::Overwrites, PrefetchRoom::Beside, PrefetchRoom::Drops][pick(room, 2)],
        segments: SegmentSpec {
            count: count + 1,
            blocks,
            write_count: 1 + count / 2,
            dedicated_write: flags[0],
        },
        read_high_water: high,
        write_low_water: low,
        water_mark: if flags[1] { WaterMark::Segment } else { WaterMark::Request },
        caching: flags[2],
        prefetch_on_hit: flags[3],
        prefetch_stop: if flags[4] { PrefetchStop::AtOnce } else { PrefetchStop::SectorEnd },
        free_blocks: flags[5],
        zero_latency_read: flags[6],
        zero_latency_write: flags[7],
        almost_hits: flags[8],
        hits_on_written: flags[9],
        writes_renew: flags[8],
        hits_while_busy: flags[10],
        partial_hits_while_busy: flags[10],
        partial_hits_at_once: flags[11],
        write_prebuffering: flags[11],
        prefetch_minimum_blocks: least,
        prefetch_maximum_blocks: least,
        ..front_end()
    }
}
