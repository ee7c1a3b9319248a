//! One drive: imported, replayed, scored.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::measured;
use crate::cli::cpu;
use crate::cli::drive::import;
use crate::cli::failure::Failure;
use crate::cli::replay::{BUFFER_BYTES, FLOOR_PAIRS, failure_of};
use crate::replay::{self, Mode, Scoreboard, Scores, System};
use crate::stats::{Score, Scorer};
use crate::workload::trace::{Options, Trace};

/// A drive with its scores.
pub(super) struct Case {
    /// Name of its files.
    pub name: String,
    /// What the model calls itself.
    pub model: String,
    pub seed: u64,
    /// Response times of the imported model.
    pub board: Scoreboard,
    pub scores: Scores,
    /// Response times of the other simulator, in the order of the classes.
    pub other: Option<[Scorer; 3]>,
    /// Requests per second of processor time.
    pub speed: Option<f64>,
}

impl Case {
    /// Imports the description, replays the trace beside it and scores the outcomes.
    pub(super) fn run(description: &Path, seed: u64) -> Result<Case, Failure> {
        let before = cpu::seconds();
        let system = import::system(description)?;
        let name = system.models.first().map_or_else(String::new, |model| model.name.clone());
        let board = replayed(&description.with_extension("trace"), system, seed)?;
        let requests = board.scores(seed, 0).all.map_or(0, |score| score.requests);
        let spent = before.zip(cpu::seconds()).map(|(before, after)| after - before);
        Ok(Case {
            name: description
                .file_stem()
                .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
            model: name,
            seed,
            scores: board.scores(seed, FLOOR_PAIRS),
            board,
            other: measured::other(&beside(description, "measured.csv"))?,
            speed: spent.filter(|spent| *spent > 0.0).map(|spent| requests as f64 / spent),
        })
    }

    /// The other simulator's scores, in the order of the classes.
    pub(super) fn other_scores(&self) -> [Option<Score>; 3] {
        let score = |index: usize| self.other.as_ref().and_then(|other| other[index].score());
        [0, 1, 2].map(score)
    }
}

/// `NAME.ENDING` beside `NAME.parv`.
fn beside(description: &Path, ending: &str) -> PathBuf {
    description.with_extension(ending)
}

fn replayed(path: &Path, system: System, seed: u64) -> Result<Scoreboard, Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    let input = BufReader::with_capacity(BUFFER_BYTES, file);
    let name = path.display().to_string();
    let mut trace = Trace::open(&name, input, Options::default()).map_err(|fault| Failure::from(*fault))?;
    let mut board = Scoreboard::new();
    let ran = replay::run(&system, seed, &mut trace, Mode::Closed, |outcome| board.record(&outcome));
    match ran {
        Err(stopped) => Err(failure_of(stopped.cause, &trace)),
        Ok(_) if board.classes()[0].scorer.requests() == 0 => {
            Err(Failure::input(format!("{name}: the trace holds no measured response times"), ""))
        }
        Ok(_) => Ok(board),
    }
}
