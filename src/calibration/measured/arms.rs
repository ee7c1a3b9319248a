//! How long positioning took, request by request.

use super::follow::{Followed, WAITED_TURNS};
use super::observed::Observed;
use super::seeks::Bound;
use super::tune::block_ms;
use crate::drive::spec::{ExtraWriteDisconnect, FastWrite};
use crate::drive::{Access, DriveSpec, InterfaceSpec, Mechanics, Piece, Place, Spindle};
use crate::stats::{median, wrapped};
use crate::units::{Instant, Span};

/// What one request says of the time from its issue until its first sector may be read or written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    /// A write.
    pub write: bool,
    /// The request before was a write.
    pub after_write: bool,
    /// The heads went towards the spindle.
    pub inward: bool,
    /// Bound of decoding and positioning together.
    pub bound: Bound,
    /// Both together as the model has them, in ms.
    pub model_ms: f64,
    /// From the issue until the arm may start as the model has it, in ms.
    pub decode_ms: f64,
    /// Of a write: when its data lets it begin.
    pub data: Option<DataTimes>,
    /// Of a write that waits for the medium: the bound of the seek to another cylinder that it made in its middle, and its
    /// time as the model has it, in ms.
    pub crossing: Option<(Bound, f64)>,
}

impl Arm {
    /// True of a write that disconnects once more before its data.
    pub fn has_extra(&self) -> bool {
        self.data.is_some_and(|data| data.extra.is_some())
    }
}

/// A request that waited.
struct Seen<'a> {
    request: &'a Followed,
    /// The request before.
    before: &'a Observed,
    /// Where that ended.
    from: Place,
    /// The pass of its first sector in the model.
    piece: Piece,
    /// From its issue to there, in ms.
    begun_ms: f64,
    /// From there until its last sector has passed if no turn is lost on the way, in ms.
    passing_ms: f64,
    /// From its issue until the arm may start, in ms.
    decode_ms: f64,
    data: Option<DataTimes>,
    /// The seek to another cylinder in its middle: its distance, the time that it may take and that which it takes in the
    /// model, in ms.
    crossing: Option<(u32, f64, f64)>,
}

/// The bounds that `followed` gives, of requests whose platter angle was known and that waited for it.
pub(super) fn arms(spec: &DriveSpec, followed: &[Followed]) -> Vec<Arm> {
    let turn_ms = spec.nominal_revolution().as_ms();
    let seen = seen(spec, followed);
    let mut arms = Vec::with_capacity(seen.len());
    for write in [false, true] {
        let of_kind: Vec<&Seen> = seen.iter().filter(|one| one.request.observed.write == write).collect();
        for (one, lost) in of_kind.iter().zip(lost_turns(spec, &of_kind, turn_ms)) {
            let Seen { request, from, ref piece, begun_ms, decode_ms, data, .. } = **one;
            // Where the drive lost a turn that it must not have lost it may have been in the middle.
            let Some(turns) = lost.filter(|&turns| turns <= 0.0 || one.crossing.is_none()) else { continue };
            let arrived_ms = piece.arrival.since(Instant::ZERO).as_ms() - request.observed.issued_ms;
            let distance = from.cylinder.abs_diff(piece.place.cylinder);
            let mut bound = Bound::of_pass(distance, begun_ms + turns * turn_ms, turn_ms);
            // What waited for its data says nothing of how early the heads were there.
            if data.is_some_and(|data| data.ready_ms() > bound.least_ms) {
                bound.least_ms -= turn_ms;
            }
            let crossing = one.crossing.map(|(distance, gap_ms, model_ms)| {
                let least_ms = gap_ms - 2.0 * turn_ms;
                (Bound { distance, most_ms: gap_ms, least_ms, turn_ms }, model_ms)
            });
            arms.push(Arm {
                write,
                after_write: one.before.write,
                inward: piece.place.cylinder > from.cylinder,
                bound,
                model_ms: arrived_ms,
                decode_ms,
                data,
                crossing,
            });
        }
    }
    arms
}

/// The requests that waited, with the angles of the platters as they were.
fn seen<'a>(spec: &DriveSpec, followed: &'a [Followed]) -> Vec<Seen<'a>> {
    let turn = spec.nominal_revolution();
    let turn_ms = turn.as_ms();
    let mut mechanics = Mechanics::with_spindle(spec, Spindle::exact(turn, Span::ZERO));
    let mut seen: Vec<Seen> = Vec::new();
    for pair in followed.windows(2) {
        let (before, request) = (&pair[0], &pair[1]);
        let one = &request.observed;
        let Some(ahead) = request.ahead else { continue };
        let block_ms = block_ms(spec, one.write) * one.extent.sectors as f64;
        let waited = |ms: f64| ms > WAITED_TURNS * turn_ms + block_ms;
        if !waited(request.predicted_ms) || !waited(one.response_ms()) {
            continue;
        }
        let phase = Span::from_ps((ahead.rem_euclid(1.0) * turn.ps() as f64) as u64);
        mechanics.spindle = Spindle::exact(turn, phase);
        let from = mechanics.place_of(before.observed.extent.end() - 1);
        let issued = Instant::ZERO + Span::from_ms(one.issued_ms);
        let data = data_times(spec, &mechanics, &before.observed, one);
        let decode_ms = match data.and_then(|data| data.extra) {
            Some(extra) => (extra.command_ms + extra.seek_ms).max(0.0),
            None => spec.overhead.decode_ms(one.write, false, before.observed.write),
        };
        let access = if one.write { Access::Write } else { Access::Read };
        let piece = mechanics.piece(from, issued + Span::from_ms(decode_ms), one.extent.lba, access, false);
        let begun_ms = piece.begin.since(issued).as_ms();
        let (end, crossing) = passed(&mechanics, &piece, one.extent.sectors, access);
        let crossing = crossing.filter(|_| data.is_some());
        seen.push(Seen {
            request,
            before: &before.observed,
            from,
            piece,
            begun_ms,
            passing_ms: end.since(piece.begin).as_ms(),
            decode_ms,
            data,
            crossing,
        });
    }
    seen
}

/// When `sectors` from `first` on have passed if no turn is lost on the way, and the first seek to another cylinder on that
/// way: its distance, the time that it may take and that which it takes in the model, in ms.
fn passed(
    mechanics: &Mechanics,
    first: &Piece,
    sectors: u64,
    access: Access,
) -> (Instant, Option<(u32, f64, f64)>) {
    let lba_end = first.lba + sectors;
    let mut end = mechanics.reached_at(first, lba_end.min(first.lba + u64::from(first.sectors)));
    let mut place = first.place;
    let mut lba = first.lba + u64::from(first.sectors);
    let mut crossing = None;
    while lba < lba_end {
        let span = mechanics.geometry.locate(lba);
        let next = Place { cylinder: span.cylinder, head: span.head };
        let gap = mechanics.spindle.wait(end, mechanics.angle_of(&span));
        let distance = place.cylinder.abs_diff(next.cylinder);
        if distance > 0 && crossing.is_none() {
            let model = mechanics.positioning(place, next, access, false);
            crossing = Some((distance, gap.as_ms(), model.as_ms()));
        }
        let blocks = u64::from(span.left).min(lba_end - lba);
        end = end + gap + mechanics.spindle.sectors(span.sector, blocks as u32, span.sectors_per_track);
        (place, lba) = (next, lba + blocks);
    }
    (end, crossing)
}

/// How many turns later than its first sector came by for the model's heads each request of `seen`, all reads or all writes,
/// really began; none of one that did not complete where the angles of its sectors ask for.
fn lost_turns(spec: &DriveSpec, seen: &[&Seen], turn_ms: f64) -> Vec<Option<f64>> {
    // Between the beginning of the first sector and the last of the data, in ms. Of what waits for the medium that is known
    // exactly; what crosses the interface meanwhile is taken as it goes on the mean track.
    let rests = seen.iter().map(|one| match one.data {
        Some(_) => one.passing_ms,
        None => one.request.observed.extent.sectors as f64 * mean_block_ms(spec, one.request.observed.write),
    });
    let left: Vec<f64> =
        seen.iter().zip(rests).map(|(one, rest)| one.request.predicted_ms - one.begun_ms - rest).collect();
    // What lies between that and the completion; the rest of it are turns that the model loses.
    let lag_ms = median(&left).unwrap_or(0.0);
    let lost = seen.iter().zip(left).map(|(one, left_ms)| {
        let late = -one.request.error_ms() / turn_ms;
        let left = (left_ms - lag_ms) / turn_ms;
        if one.data.is_none() {
            return (wrapped(left + late).abs() <= OUTLIER).then(|| (left + late).round());
        }
        let clear = wrapped(late).abs() <= OUTLIER && wrapped(left).abs() <= OUTLIER;
        clear.then(|| left.round() + late.round())
    });
    lost.collect()
}

/// Time of a sector across the interface or under the heads on the mean track, whichever is slower, in ms.
fn mean_block_ms(spec: &DriveSpec, write: bool) -> f64 {
    let sectors = spec.zones.iter().map(|zone| f64::from(zone.spt) * f64::from(zone.cylinders)).sum::<f64>();
    let cylinders = spec.zones.iter().map(|zone| f64::from(zone.cylinders)).sum::<f64>();
    let medium_ms = spec.nominal_revolution().as_ms() * cylinders / sectors;
    if write { medium_ms } else { medium_ms.max(block_ms(spec, false)) }
}

/// A completion this far from where the angles ask for is of something else, in turns.
const OUTLIER: f64 = 0.15;

/// When the data of a write that waits for the medium crosses, and what of it must be there.
#[derive(Clone, Copy, Debug)]
pub(super) struct DataTimes {
    /// It disconnects once more before its data ([`ScsiSpec::extra_write_disconnect`]).
    pub extra: Option<ExtraWriteDisconnect>,
    /// The first block crosses so long after the issue, in ms.
    start_ms: f64,
    /// Time of a block across the interface and under the heads, in ms.
    block_ms: f64,
    medium_ms: f64,
    sectors: f64,
    /// Blocks without which the model does not start.
    least: f64,
    /// The lead of data before heads as the model has it, in blocks.
    lead: f64,
}

impl DataTimes {
    /// When the first block may be written on account of the data, from the issue, in ms: then every block has the lead
    /// that it must have in the buffer when the heads come to it, if these go on without a pause.
    pub fn ready_ms(&self) -> f64 {
        let least_ms = self.start_ms + self.least.min(self.sectors) * self.block_ms;
        self.ready_with_lead_ms(self.lead).max(least_ms)
    }

    /// The same with a lead of `lead` blocks and nothing else to wait for.
    pub fn ready_with_lead_ms(&self, lead: f64) -> f64 {
        let lead = lead.clamp(1.0, self.sectors.max(1.0));
        let first_ms = lead * self.block_ms;
        let last_ms = self.sectors * self.block_ms - (self.sectors - lead) * self.medium_ms;
        self.start_ms + first_ms.max(last_ms)
    }
}

/// When the data of `one`, which followed `before`, crosses in the model; none of reads, and of writes that complete when
/// their data is in the buffer.
fn data_times(
    spec: &DriveSpec,
    mechanics: &Mechanics,
    before: &Observed,
    one: &Observed,
) -> Option<DataTimes> {
    let InterfaceSpec::Scsi(scsi) = &spec.interface else { return None };
    if !one.write || scsi.fast_write != FastWrite::Off {
        return None;
    }
    let continues = before.extent.end() == one.extent.lba;
    let extra = scsi.extra_write_disconnect.filter(|_| before.write && !continues);
    let start_ms = match extra {
        Some(extra) => extra.command_ms + extra.disconnect_ms + extra.pause_ms + scsi.reselect_first_ms,
        None if before.write => spec.overhead.decode_ms(true, false, true),
        None => spec.overhead.decode_ms(true, false, false) + scsi.write_after_read_data_ms,
    };
    let sectors_per_track = f64::from(mechanics.geometry.locate(one.extent.lba).sectors_per_track);
    Some(DataTimes {
        extra,
        start_ms: start_ms + scsi.data_preparation_ms,
        block_ms: block_ms(spec, true),
        medium_ms: spec.nominal_revolution().as_ms() / sectors_per_track,
        sectors: one.extent.sectors as f64,
        least: f64::from(scsi.write_start_blocks(one.extent.sectors)),
        lead: f64::from(scsi.write_lead_blocks),
    })
}
