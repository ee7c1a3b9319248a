//! How long positioning took, request by request.

use super::follow::{Followed, WAITED_TURNS};
use super::seeks::Bound;
use super::tune::block_ms;
use crate::drive::{Access, DriveSpec, Mechanics, Piece, Place, Spindle};
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
}

/// A request that waited, whether the one before was a write, where that ended, the pass of its first sector in the model,
/// and the time from its issue to there in ms.
type Seen<'a> = (&'a Followed, bool, Place, Piece, f64);

/// The bounds that `followed` gives, of requests whose platter angle was known and that waited for it.
pub(super) fn arms(spec: &DriveSpec, followed: &[Followed]) -> Vec<Arm> {
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
        let decode_ms = spec.overhead.decode_ms(one.write, false, before.observed.write);
        let access = if one.write { Access::Write } else { Access::Read };
        let piece = mechanics.piece(from, issued + Span::from_ms(decode_ms), one.extent.lba, access, false);
        let begun_ms = piece.begin.since(issued).as_ms();
        seen.push((request, before.observed.write, from, piece, begun_ms));
    }
    let mut arms = Vec::with_capacity(seen.len());
    for write in [false, true] {
        let of_kind = || seen.iter().filter(|(request, ..)| request.observed.write == write);
        let rest = |request: &Followed| request.observed.extent.sectors as f64 * rest_block_ms(spec, write);
        // What lies between the beginning of the first sector and the completion.
        let lags: Vec<f64> = of_kind()
            .map(|(request, _, _, _, begun_ms)| request.predicted_ms - begun_ms - rest(request))
            .collect();
        let Some(lag_ms) = median(&lags) else { continue };
        for &(request, after_write, from, ref piece, begun_ms) in of_kind() {
            let measured_ms = request.observed.response_ms() - rest(request) - lag_ms;
            // The pass of the first sector that is nearest to that.
            let turns = ((measured_ms - begun_ms) / turn_ms).round();
            if wrapped((measured_ms - begun_ms) / turn_ms).abs() > 0.15 {
                continue;
            }
            let arrived_ms = piece.arrival.since(Instant::ZERO).as_ms() - request.observed.issued_ms;
            let distance = from.cylinder.abs_diff(piece.place.cylinder);
            let inward = piece.place.cylinder > from.cylinder;
            let bound = Bound { distance, most_ms: begun_ms + turns * turn_ms, turn_ms };
            arms.push(Arm { write, after_write, inward, bound, model_ms: arrived_ms });
        }
    }
    arms
}

/// Time of a sector between the first one's beginning and the completion: the slower of interface and medium.
fn rest_block_ms(spec: &DriveSpec, write: bool) -> f64 {
    let sectors = spec.zones.iter().map(|zone| f64::from(zone.spt) * f64::from(zone.cylinders)).sum::<f64>();
    let cylinders = spec.zones.iter().map(|zone| f64::from(zone.cylinders)).sum::<f64>();
    let medium_ms = spec.nominal_revolution().as_ms() * cylinders / sectors;
    if write { medium_ms } else { medium_ms.max(block_ms(spec, false)) }
}
