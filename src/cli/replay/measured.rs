//! Replay at the times when requests were really issued.

use std::io::BufRead;

use super::Replayed;
use super::load::refusal;
use super::recorder::Recorder;
use crate::calibration::measured::{Pause, Surface, follow, sight, timed};
use crate::cli::failure::Failure;
use crate::replay::{Mode, System, Totals};
use crate::workload::trace::{Trace, TraceRequest};

/// Replays `requests` of `trace` on the one drive of `system`.
pub(super) fn replay<R: BufRead>(
    requests: &[TraceRequest],
    trace: &Trace<R>,
    system: &System,
    recorder: &mut Recorder,
) -> Result<Replayed, Failure> {
    let Some(model) = system.models.first() else {
        return Err(Failure::Internal("a system without a drive".to_owned()));
    };
    let seen = sight(requests, &Surface::new(model), model.nominal_revolution().as_ms());
    let (pause, note) = match seen {
        Ok(seen) => (seen.pause, String::new()),
        Err(fault) => (Pause::After, format!("; {fault}")),
    };
    let untimed = |fault: crate::calibration::measured::Untimed| {
        let fault = trace.fault_at(fault.line(), fault.lack());
        let remedy = "replay without --at-measured-times, or a trace with measured response times and with pauses or \
                      arrivals";
        Failure::from(fault.with_remedy(remedy))
    };
    let observed = timed(requests, pause).map_err(untimed)?;
    let followed = follow(system, &observed)
        .map_err(|stopped| refusal(&stopped.cause, |line, message| trace.fault_at(line, message)))?;
    let mut totals = Totals::default();
    for one in &followed {
        let outcome = one.outcome();
        totals.requests += 1;
        totals.reads += u64::from(!outcome.request.write);
        totals.end = totals.end.max(outcome.completed);
        recorder.take(&outcome);
    }
    let known = followed.iter().filter(|one| one.ahead.is_some()).count();
    let share = 100.0 * known as f64 / followed.len().max(1) as f64;
    let lie = match pause {
        Pause::After => "after",
        Pause::Before => "before",
    };
    let measured = format!(
        "at the measured times (pauses lie {lie} the request of their line; angle of the platters known at {share:.1} % of \
         the requests{note})"
    );
    Ok(Replayed {
        totals,
        board: recorder.take_board(),
        unseen: recorder.take_unseen(),
        mode: Mode::Open,
        format: trace.format(),
        measured: Some(measured),
        overload: None,
    })
}
