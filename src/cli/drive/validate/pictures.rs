//! Pictures of the drives: distributions of response times and errors of single requests.

use super::case::Case;
use super::halves::Halves;
use crate::cli::failure::Ended;
use crate::cli::output::{Folder, safe_name};
use crate::cli::replay::figures;
use crate::plot::Point;
use crate::replay::{CLASSES, Scoreboard};
use crate::stats::Scorer;

/// Stem of the pictures of the second half, behind that of the drive.
const SECOND: &str = "second-half";

/// The names of the pictures of a drive, and of their points.
pub(super) fn files(name: &str) -> Vec<String> {
    let whole = safe_name(name);
    let stems = [whole.clone(), format!("{whole}-{SECOND}")].into_iter().flat_map(|stem| {
        let classes = CLASSES.map(|class| format!("{stem}-cdf-{class}"));
        classes.into_iter().chain([format!("{stem}-residuals")])
    });
    stems.flat_map(|stem| Folder::figure_files(&stem)).collect()
}

pub(super) fn draw(case: &Case, folder: &mut Folder) -> Ended {
    let subtitle = format!("{}, imported; closed, seed {}", case.model, case.seed);
    let stem = safe_name(&case.name);
    let models = [("imported", &case.board)];
    distributions(&stem, &case.name, &subtitle, &models, case.other.as_ref(), folder)?;
    let errors = figures::residuals(&case.board, &case.name, &subtitle, case.turn_ms);
    folder.figure(&format!("{stem}-residuals"), &errors)?;
    match &case.halves {
        Some(halves) => second_half(case, halves, folder),
        None => Ok(()),
    }
}

/// The half that the fit has not seen.
fn second_half(case: &Case, halves: &Halves, folder: &mut Folder) -> Ended {
    let stem = format!("{}-{SECOND}", safe_name(&case.name));
    let title = format!("{}, second half", case.name);
    let boards = &halves.boards;
    let subtitle = format!("{}; fitted to the first half; closed, seed {}", case.model, case.seed);
    let models = [("imported", &boards.imported), ("fitted", &boards.fitted)];
    distributions(&stem, &title, &subtitle, &models, halves.other.as_ref(), folder)?;
    let subtitle = format!("{}, fitted to the first half; at the measured times", case.model);
    let errors = figures::residuals(&boards.fitted_timed, &title, &subtitle, Some(boards.turn_ms));
    folder.figure(&format!("{stem}-residuals"), &errors)
}

/// The distributions of each class as measured, by these models, and by the other simulator.
fn distributions(
    stem: &str,
    title: &str,
    subtitle: &str,
    models: &[(&str, &Scoreboard)],
    other: Option<&[Scorer; 3]>,
    folder: &mut Folder,
) -> Ended {
    let Some((_, first)) = models.first() else { return Ok(()) };
    for (index, class) in CLASSES.into_iter().enumerate() {
        let scorer = |board: &Scoreboard| board.classes()[index].scorer.clone();
        let measured = scorer(first);
        if measured.requests() == 0 {
            continue;
        }
        let real = measured.kept().iter().map(|pair| pair.0).collect();
        let mut lines: Vec<(&str, Vec<Point>)> = vec![(figures::REAL, figures::steps(real))];
        lines.extend(
            models.iter().filter_map(|(name, board)| Some((*name, figures::simulated(&scorer(board))?))),
        );
        lines.extend(other.and_then(|other| Some(("DiskSim", figures::simulated(&other[index])?))));
        let title = format!("{title}: response times, {class}");
        folder.figure(
            &format!("{stem}-cdf-{class}"),
            &figures::distributions(&title, subtitle.to_owned(), lines),
        )?;
    }
    Ok(())
}
