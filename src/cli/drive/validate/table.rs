//! The table of drives.

use super::case::Case;
use crate::replay::CLASSES;
use crate::results::{Cell, Table};
use crate::stats::Score;

fn real(value: Option<f64>) -> Cell {
    value.filter(|value| value.is_finite()).map_or(Cell::Empty, Cell::Real)
}

fn floor(score: &Score) -> Option<f64> {
    score.floor.map(|floor| floor.mean)
}

/// What a person compares: demerit in ms of all, reads and writes, of the model and of the other simulator, and the
/// floors.
pub(super) fn short(cases: &[Case]) -> Table {
    let mut table = Table::new(&[
        "drive",
        "requests",
        "mean ms",
        "imported",
        "reads",
        "writes",
        "DiskSim",
        "reads",
        "writes",
        "floor",
        "reads",
        "writes",
        "RMS error",
        "DiskSim",
        "requests/s",
    ]);
    for case in cases {
        let (scores, others) = (case.scores.classes(), case.other_scores());
        let mut row = vec![
            Cell::Text(case.name.clone()),
            Cell::Integer(scores[0].map_or(0, |score| score.requests as i64)),
            real(scores[0].map(|score| score.real_mean_ms)),
        ];
        row.extend(scores.map(|score| real(score.map(|score| score.demerit_ms))));
        row.extend(others.map(|score| real(score.map(|score| score.demerit_ms))));
        row.extend(scores.map(|score| real(score.as_ref().and_then(floor))));
        row.extend([scores[0], others[0]].map(|score| real(score.map(|score| score.rms_error_ms))));
        row.push(case.speed.map_or(Cell::Empty, |speed| Cell::Integer(speed.round() as i64)));
        table.push(row);
    }
    table
}

/// Every figure that does not depend on the machine: a row a drive, a class and a simulator.
pub(super) fn full(cases: &[Case]) -> Table {
    let mut table = Table::new(&[
        "drive",
        "model",
        "class",
        "simulator",
        "requests",
        "real_mean_ms",
        "simulated_mean_ms",
        "demerit_ms",
        "demerit_percent",
        "floor_ms",
        "floor_p95_ms",
        "rms_error_ms",
        "mean_error_ms",
        "correlation",
    ]);
    for case in cases {
        let simulators = [("imported", case.scores.classes()), ("DiskSim", case.other_scores())];
        for (simulator, scores) in simulators {
            for (class, score) in CLASSES.into_iter().zip(scores) {
                let Some(score) = score else { continue };
                let text = |text: &str| Cell::Text(text.to_owned());
                table.push(vec![
                    text(&case.name),
                    text(&case.model),
                    text(class),
                    text(simulator),
                    Cell::Integer(score.requests as i64),
                    Cell::Real(score.real_mean_ms),
                    Cell::Real(score.model_mean_ms),
                    Cell::Real(score.demerit_ms),
                    real(Some(score.demerit_percent())),
                    real(floor(&score)),
                    real(score.floor.map(|floor| floor.p95)),
                    Cell::Real(score.rms_error_ms),
                    Cell::Real(score.mean_error_ms),
                    real(score.correlation),
                ]);
            }
        }
    }
    table
}
