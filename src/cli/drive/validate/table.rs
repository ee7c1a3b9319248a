//! The table of drives.

use super::case::{Case, scores_of};
use crate::cli::replay::verdict::verdict;
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
        "R",
        "W",
        "DiskSim",
        "R",
        "W",
        "floor",
        "R",
        "W",
        "RMS, imported",
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

/// How far each model is from its drive, against chance, and the other simulator beside it: a row a drive, a part of its
/// trace and a simulator.
pub(super) fn verdicts(cases: &[Case]) -> Table {
    let mut table = Table::new(&["drive", "simulator", "all", "reads", "writes"]);
    let told = |score: Option<Score>| score.as_ref().and_then(verdict).map_or(Cell::Empty, Cell::Text);
    for case in cases {
        let whole = case.scores.classes();
        let mut rows = vec![("imported", whole)];
        rows.extend(case.other.as_ref().map(|other| ("DiskSim", with_floors(scores_of(Some(other)), whole))));
        if let Some(halves) = &case.halves {
            let imported = halves.imported.classes();
            rows.push(("fitted, second half", halves.fitted.classes()));
            rows.push(("imported, second half", imported));
            let other = halves.other.as_ref();
            rows.extend(
                other.map(|other| ("DiskSim, second half", with_floors(scores_of(Some(other)), imported))),
            );
        }
        for (simulator, scores) in rows {
            let mut row = vec![Cell::Text(case.name.clone()), Cell::Text(simulator.to_owned())];
            row.extend(scores.map(told));
            table.push(row);
        }
    }
    table
}

/// Scores with the floors of others: a floor is that of the measured times, which are the same.
fn with_floors(scores: [Option<Score>; 3], others: [Option<Score>; 3]) -> [Option<Score>; 3] {
    [0, 1, 2].map(|class: usize| {
        let floor = others[class].and_then(|other| other.floor);
        scores[class].map(|score| Score { floor, ..score })
    })
}

/// The same of the second halves, with models fitted to the first; nothing if nothing was fitted.
pub(super) fn halves(cases: &[Case]) -> Option<Table> {
    let mut table = Table::new(&[
        "drive",
        "requests",
        "mean ms",
        "fitted",
        "R",
        "W",
        "imported",
        "R",
        "W",
        "DiskSim",
        "R",
        "W",
        "floor",
        "R",
        "W",
        "RMS, fitted",
        "imported",
        "DiskSim",
    ]);
    for case in cases {
        let Some(halves) = &case.halves else { continue };
        let (imported, others) = (halves.imported.classes(), scores_of(halves.other.as_ref()));
        let mut row = vec![
            Cell::Text(case.name.clone()),
            Cell::Integer(imported[0].map_or(0, |score| score.requests as i64)),
            real(imported[0].map(|score| score.real_mean_ms)),
        ];
        for scores in [halves.fitted.classes(), imported, others] {
            row.extend(scores.map(|score| real(score.map(|score| score.demerit_ms))));
        }
        row.extend(imported.map(|score| real(score.as_ref().and_then(floor))));
        let timed = [&halves.fitted_timed, &halves.imported_timed].map(|scores| scores.classes()[0]);
        row.extend(timed.into_iter().chain([others[0]]).map(|score| real(score.map(|s| s.rms_error_ms))));
        table.push(row);
    }
    (!table.rows.is_empty()).then_some(table)
}

/// Every figure that does not depend on the machine: a row a drive, a part of its trace, a simulator and a class.
pub(super) fn full(cases: &[Case]) -> Table {
    let mut table = Table::new(&[
        "drive",
        "model",
        "part",
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
        let mut parts =
            vec![("whole", "imported", case.scores.classes()), ("whole", "DiskSim", case.other_scores())];
        if let Some(halves) = &case.halves {
            parts.push(("second half", "imported", halves.imported.classes()));
            parts.push(("second half", "fitted", halves.fitted.classes()));
            parts.push(("second half", "DiskSim", scores_of(halves.other.as_ref())));
            let timed = "second half at measured times";
            parts.push((timed, "imported", halves.imported_timed.classes()));
            parts.push((timed, "fitted", halves.fitted_timed.classes()));
        }
        for (part, simulator, scores) in parts {
            for (class, score) in CLASSES.into_iter().zip(scores) {
                let Some(score) = score else { continue };
                table.push(row(case, [part, class, simulator], &score));
            }
        }
    }
    table
}

fn row(case: &Case, names: [&str; 3], score: &Score) -> Vec<Cell> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let mut row = vec![text(&case.name), text(&case.model)];
    row.extend(names.map(text));
    row.extend([
        Cell::Integer(score.requests as i64),
        Cell::Real(score.real_mean_ms),
        Cell::Real(score.model_mean_ms),
        Cell::Real(score.demerit_ms),
        real(Some(score.demerit_percent())),
        real(floor(score)),
        real(score.floor.map(|floor| floor.p95)),
        Cell::Real(score.rms_error_ms),
        Cell::Real(score.mean_error_ms),
        real(score.correlation),
    ]);
    row
}
