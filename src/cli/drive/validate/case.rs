//! One drive: imported, replayed, scored.

use std::path::{Path, PathBuf};

use super::halves::Halves;
use super::{Args, measured};
use crate::calibration::measured::Stage;
use crate::cli::cpu;
use crate::cli::drive::import::Description;
use crate::cli::failure::Failure;
use crate::cli::replay::{FLOOR_PAIRS, failure_of, opened};
use crate::config::Diagnostic;
use crate::replay::{self, Mode, Scoreboard, Scores, System};
use crate::stats::{Score, Scorer};

/// A drive with its scores.
pub(super) struct Case {
    /// Name of its files.
    pub name: String,
    /// What the model calls itself.
    pub model: String,
    /// A turn of it, in ms.
    pub turn_ms: Option<f64>,
    pub seed: u64,
    /// Response times of the imported model.
    pub board: Scoreboard,
    pub scores: Scores,
    /// Response times of the other simulator, in the order of the classes.
    pub other: Option<[Scorer; 3]>,
    /// Requests per second of processor time.
    pub speed: Option<f64>,
    /// The second half, with a model fitted to the first.
    pub halves: Option<Halves>,
}

/// Share of the time of a case that goes by before its fit.
const REPLAY_SHARE: f64 = 0.02;

impl Case {
    /// Imports the description, replays the trace beside it and scores the outcomes.
    pub(super) fn run(
        description: &Path,
        args: &Args,
        mut progress: impl FnMut(f64, &str),
    ) -> Result<Case, Failure> {
        let (seed, before) = (args.seed, cpu::seconds());
        let mut read = Description::new(description);
        let system = read.system()?;
        // A drive by itself has the times of its bus and controller in its connector; in a system they are the bus's.
        let start = args.fit.then(|| read.drive(None)).transpose()?;
        read.tell(args.warnings, "--warnings");
        let trace = description.with_extension("trace");
        let name = system.models.first().map_or_else(String::new, |model| model.name.clone());
        let turn_ms = system.models.first().map(|model| model.nominal_revolution().as_ms());
        progress(0.0, "replay");
        let board = replayed(&trace, system, seed)?;
        let requests = board.scores(seed, 0).all.map_or(0, |score| score.requests);
        let spent = before.zip(cpu::seconds()).map(|(before, after)| after - before);
        let measured = beside(description, "measured.csv");
        let halves = match start {
            None => None,
            Some(start) => {
                progress(REPLAY_SHARE, "fit");
                let stage = |stage: Stage| {
                    let done = stage.done as f64 / stage.of.max(1) as f64;
                    let text = format!("fit, step {} of {}", stage.done, stage.of);
                    progress(REPLAY_SHARE + (1.0 - REPLAY_SHARE) * done, &text);
                };
                Some(Halves::run(&start, &trace, &measured, seed, stage)?)
            }
        };
        Ok(Case {
            name: description
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
            model: name,
            turn_ms,
            seed,
            scores: board.scores(seed, FLOOR_PAIRS),
            board,
            other: measured::other(&measured, &trace, 0)?,
            halves,
            speed: spent.filter(|spent| *spent > 0.0).map(|spent| requests as f64 / spent),
        })
    }

    /// The other simulator's scores, in the order of the classes.
    pub(super) fn other_scores(&self) -> [Option<Score>; 3] {
        scores_of(self.other.as_ref())
    }
}

/// The scores of the other simulator, in the order of the classes.
pub(super) fn scores_of(other: Option<&[Scorer; 3]>) -> [Option<Score>; 3] {
    [0, 1, 2].map(|index| other.and_then(|other| other[index].score()))
}

/// `NAME.ENDING` beside `NAME.parv`.
fn beside(description: &Path, ending: &str) -> PathBuf {
    description.with_extension(ending)
}

fn replayed(path: &Path, system: System, seed: u64) -> Result<Scoreboard, Failure> {
    let (name, mut trace) = opened(path)?;
    let mut board = Scoreboard::new();
    let ran = replay::run(&system, seed, &mut trace, Mode::Closed, |outcome| board.record(&outcome));
    match ran {
        Err(stopped) => Err(failure_of(stopped.cause, &trace)),
        Ok(_) if board.classes()[0].scorer.requests() == 0 => {
            let fault = Diagnostic::of_file(name, "the trace holds no measured response times");
            Err(fault.with_remedy("validate drives against traces of DiskSim's validate form").into())
        }
        Ok(_) => Ok(board),
    }
}
