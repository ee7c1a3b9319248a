//! A trace served at the times when its requests were really issued.
//!
//! The platters are kept at the angle of the real ones as far as completed requests have shown it ([`Tracker`]), so
//! that single requests can be compared and not only distributions.

use std::convert::Infallible;

use super::observed::Observed;
use super::tracker::Tracker;
use crate::drive::Spindle;
use crate::replay::{Mode, Outcome, Stopped, System, Witness, run_watched};
use crate::units::{Instant, Span};
use crate::workload::trace::TraceRequest;

/// A request as it was served at its real time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed {
    /// What was measured.
    pub observed: Observed,
    /// The response time of the model, in ms. Without what the model was still at because it had served the request
    /// before too slowly.
    pub predicted_ms: f64,
    /// How far the platters were ahead of a constant clock when it was issued, in turns; none while not known.
    pub ahead: Option<f64>,
}

impl Followed {
    /// How much longer the model took than the drive, in ms.
    pub fn error_ms(&self) -> f64 {
        self.predicted_ms - self.observed.response_ms()
    }
}

impl Followed {
    /// The request as one that was served, for a score.
    pub fn outcome(&self) -> Outcome {
        let Observed { line, write, extent, issued_ms, .. } = self.observed;
        let request = TraceRequest {
            at: Some(at(issued_ms)),
            device: 0,
            write,
            extent,
            measured: Some(Span::from_ms(self.observed.response_ms())),
            think: None,
            line,
        };
        Outcome {
            request,
            issued: at(issued_ms),
            completed: at(issued_ms) + Span::from_ms(self.predicted_ms),
        }
    }
}

fn at(ms: f64) -> Instant {
    Instant::ZERO + Span::from_ms(ms)
}

/// Responses below this part of a turn are of requests that waited for no platter: they say nothing about its angle.
pub(super) const WAITED_TURNS: f64 = 0.3;

/// Serves `observed` on the drive of `system`, each request at the time when it was issued.
///
/// # Errors
/// The system is impossible or a request cannot be served by its drive.
pub fn follow(system: &System, observed: &[Observed]) -> Result<Vec<Followed>, Stopped<Infallible>> {
    let turn = system.models.first().map_or(Span::ZERO, |model| model.nominal_revolution());
    let mut out = Vec::with_capacity(observed.len());
    let source = observed.iter().map(|observed| {
        Ok(TraceRequest {
            at: Some(at(observed.issued_ms)),
            device: 0,
            write: observed.write,
            extent: observed.extent,
            measured: None,
            think: None,
            line: observed.line,
        })
    });
    let witness = Follower {
        observed,
        turn,
        tracker: Tracker::default(),
        ahead: Vec::with_capacity(observed.len()),
        last_completed: Instant::ZERO,
        seen: 0,
        out: &mut out,
    };
    run_watched(system, 0, source, Mode::Open, witness)?;
    Ok(out)
}

struct Follower<'a> {
    observed: &'a [Observed],
    turn: Span,
    tracker: Tracker,
    /// What was taken for each request that has been issued.
    ahead: Vec<Option<f64>>,
    last_completed: Instant,
    /// Completed requests that the tracker has been told of.
    seen: usize,
    out: &'a mut Vec<Followed>,
}

impl Witness for Follower<'_> {
    fn served(&mut self, outcome: Outcome) {
        let index = self.out.len();
        let observed = self.observed[index];
        let from = outcome.issued.max(self.last_completed);
        let predicted_ms = outcome.completed.since(from).as_ms();
        self.last_completed = outcome.completed;
        self.out.push(Followed { observed, predicted_ms, ahead: self.ahead[index] });
    }

    fn spindle(&mut self, _: &TraceRequest, now: Instant) -> Option<Spindle> {
        let now_ms = now.as_s() * 1e3;
        let turn_ms = self.turn.as_ms();
        // What completed before this request was issued, in the model and on the drive, may be known.
        while let Some(done) = self.out.get(self.seen).filter(|done| done.observed.completed_ms <= now_ms) {
            let waited = done.predicted_ms.min(done.observed.response_ms()) > WAITED_TURNS * turn_ms;
            if waited {
                let ahead = done.ahead.unwrap_or(0.0) + done.error_ms() / turn_ms;
                self.tracker.saw(done.observed.completed_ms, ahead);
            }
            self.seen += 1;
        }
        let ahead = self.tracker.ahead(now_ms);
        self.ahead.push(ahead);
        let turns = ahead.unwrap_or(0.0).rem_euclid(1.0);
        Some(Spindle::exact(self.turn, Span::from_ps((turns * self.turn.ps() as f64) as u64)))
    }
}
