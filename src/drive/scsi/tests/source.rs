//! What the source of DiskSim 4.0 does in cases that the drives of the validation do not come to, calculated by hand.

use super::*;

fn small_segments(scsi: ScsiSpec) -> ScsiSpec {
    ScsiSpec {
        segments: SegmentSpec { blocks: 16, ..SegmentSpec::default() },
        prefetch: Prefetch::Off,
        ..scsi
    }
}

#[test]
fn a_read_that_fills_its_segment_loses_a_turn_where_the_bus_comes_too_late() {
    let extent = Extent::new(20_000, 24);
    let served = |water: f64| {
        let mut rig = Rig::new(small_segments(ScsiSpec { read_high_water: water, ..front_end() }));
        let (_, last) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Read);
        (rig.serve(Span::ZERO, false, extent), last, rig.turn())
    };
    // Block 16 begins when the segment is full and nothing has crossed; a turn later all has.
    let (full, last, turn) = served(1.0);
    assert_eq!(full.held.len(), 3);
    assert_eq!(full.done, last + turn + ms(0.16) + ms(0.02) + ms(0.05) * 8 + ms(0.03));
    // With half of it the bus is ahead of the heads.
    let (half, last, _) = served(0.5);
    assert!(half.done > last && half.done < last + ms(1.0));
}

#[test]
fn a_write_that_fills_its_segment_goes_on_as_there_is_room() {
    let extent = Extent::new(20_000, 24);
    let served = |water: f64| {
        let mut rig = Rig::new(small_segments(ScsiSpec { write_low_water: water, ..front_end() }));
        let (_, last) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Write);
        (rig.serve(Span::ZERO, true, extent), last, rig.turn())
    };
    // One block is left when it asks for the bus: the next one begins 0.208 ms later, and 0.23 ms are needed.
    let (late, last, turn) = served(0.0);
    assert_eq!(late.held.len(), 3);
    assert_eq!(late.done, last + turn + ms(0.16) + ms(0.04));
    let (early, last, _) = served(0.5);
    assert_eq!(early.done, last + ms(0.16) + ms(0.04));
}

#[test]
fn zero_latency_takes_what_passes_of_a_long_read_first() {
    let scsi = small_segments(ScsiSpec { read_high_water: 0.5, zero_latency_read: true, ..front_end() });
    let mut rig = Rig::new(scsi);
    let extent = Extent::new(20_000, 40);
    let served = rig.serve(Span::ZERO, false, extent);
    let (_, last) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Read);
    // A whole track: never later than in order, and with a segment of 16 blocks never in less than a turn.
    assert!(served.done <= last + rig.turn() + ms(1.0), "{:?} after {last:?}", served.done);
    assert!(served.done >= Instant::ZERO + rig.turn());
}

#[test]
fn the_segment_kept_for_writes_answers_no_read() {
    let segments = SegmentSpec { dedicated_write: true, ..SegmentSpec::default() };
    let mut rig = Rig::new(ScsiSpec { segments, ..front_end() });
    let pause = ms(30.0);
    rig.serve(pause, true, Extent::new(20_000, 8));
    assert!(rig.serve(pause, false, Extent::new(20_000, 8)).held.len() > 1);
    let mut rig = Rig::new(front_end());
    rig.serve(pause, true, Extent::new(20_000, 8));
    assert_eq!(rig.serve(pause, false, Extent::new(20_000, 8)).held.len(), 1);
}

#[test]
fn a_write_among_what_is_read_on_leaves_the_rest_of_it() {
    let segments = SegmentSpec { count: 3, ..SegmentSpec::default() };
    let mut rig = Rig::new(ScsiSpec { segments, ..front_end() });
    rig.serve(Span::ZERO, false, Extent::new(20_000, 4));
    // Some 14 blocks have been read when the write comes, which lies before the last of them.
    rig.serve(ms(2.5), true, Extent::new(20_004, 2));
    assert_eq!(rig.serve(ms(30.0), false, Extent::new(20_006, 4)).held.len(), 1);
}

#[test]
fn a_zero_latency_write_may_be_the_first_thing_a_drive_does() {
    let mut rig = Rig::new(ScsiSpec { zero_latency_write: true, block_ms: 0.2, ..front_end() });
    let extent = Extent::new(0, 8);
    let (_, last) = rig.passes(Place::default(), Instant::ZERO + ms(0.2), extent, Access::Write);
    assert_eq!(rig.serve(Span::ZERO, true, extent).done, last + ms(0.16) + ms(0.04));
}

#[test]
fn a_write_after_a_read_of_what_was_written_does_not_disconnect_once_more() {
    let extra = ExtraWriteDisconnect { command_ms: 0.6, pause_ms: 0.4, ..ExtraWriteDisconnect::default() };
    let segments = SegmentSpec { count: 1, ..SegmentSpec::default() };
    let scsi = ScsiSpec { extra_write_disconnect: Some(extra), segments, ..front_end() };
    let holds = |read: bool| {
        let mut rig = Rig::new(scsi);
        rig.serve(ms(30.0), true, Extent::new(20_000, 8));
        if read {
            assert_eq!(rig.serve(ms(30.0), false, Extent::new(20_000, 8)).held.len(), 1);
        }
        rig.serve(ms(30.0), true, Extent::new(24_000, 8)).held.len()
    };
    assert_eq!((holds(false), holds(true)), (3, 2));
}
