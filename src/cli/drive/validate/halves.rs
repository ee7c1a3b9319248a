//! The second half of a trace, on the imported model and on one that has been fitted to the first half.

use std::path::Path;

use super::measured::other;
use crate::calibration::measured::{Options, Stage, fit, part_name};
use crate::cli::drive::fit_trace::at_measured_times;
use crate::cli::failure::Failure;
use crate::cli::replay::{FLOOR_PAIRS, requests, scored_from};
use crate::drive::DriveSpec;
use crate::replay::{Scoreboard, Scores, System};
use crate::stats::Scorer;
use crate::workload::trace::TraceRequest;

/// Scores on the half that the fit has not seen.
pub(super) struct Halves {
    pub imported: Scores,
    pub fitted: Scores,
    /// The same with each request issued when it was really issued.
    pub imported_timed: Scores,
    pub fitted_timed: Scores,
    /// Response times of the other simulator, in the order of the classes.
    pub other: Option<[Scorer; 3]>,
    /// Response times of the two models in closed replay, and of the fitted one at the measured times, for the figures.
    pub boards: Boards,
}

/// Single response times on the second half.
pub(super) struct Boards {
    pub imported: Scoreboard,
    pub fitted: Scoreboard,
    pub fitted_timed: Scoreboard,
    /// A turn of the fitted model, in ms.
    pub turn_ms: f64,
}

impl Halves {
    /// Fits `imported` to the first half of the trace and replays all of it on both models, so that the buffers are as
    /// full as the real ones were.
    pub(super) fn run(
        imported: &DriveSpec,
        trace: &Path,
        measured: &Path,
        seed: u64,
        progress: impl FnMut(Stage),
    ) -> Result<Halves, Failure> {
        let requests = requests(trace)?;
        let cut = requests.len() / 2;
        let name = trace.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let options = Options { seed, trace: part_name(&name, cut, requests.len()), ..Options::default() };
        let fitted = fit(imported, &requests[..cut], &options, progress)
            .map_err(|fault| Failure::input(format!("{}: {fault}", trace.display()), "leave --fit out"))?;
        let closed = |spec: &DriveSpec| second_half(spec, &requests, cut, seed, trace);
        let timed =
            |spec: &DriveSpec| at_measured_times(&System::single(spec.clone()), &requests, fitted.pause, cut);
        let boards = Boards {
            imported: closed(imported)?,
            fitted: closed(&fitted.spec)?,
            fitted_timed: timed(&fitted.spec)?,
            turn_ms: fitted.spec.nominal_revolution().as_ms(),
        };
        Ok(Halves {
            imported: boards.imported.scores(seed, FLOOR_PAIRS),
            fitted: boards.fitted.scores(seed, FLOOR_PAIRS),
            imported_timed: timed(imported)?.scores(seed, 0),
            fitted_timed: boards.fitted_timed.scores(seed, 0),
            other: other(measured, trace, cut)?,
            boards,
        })
    }
}

fn second_half(
    spec: &DriveSpec,
    requests: &[TraceRequest],
    cut: usize,
    seed: u64,
    trace: &Path,
) -> Result<Scoreboard, Failure> {
    scored_from(cut, requests, &System::single(spec.clone()), seed).map_err(|cause| {
        let remedy = "is this the drive that the trace was recorded on?";
        Failure::input(format!("{}: {cause}", trace.display()), remedy)
    })
}
