//! `run`: one scenario, a table on the screen and files in a folder.

use std::path::{Path, PathBuf};

use super::failure::{Ended, Failure};
use super::options::{OutputOptions, RunOptions, Wanted, full_name};
use super::output::{Folder, remark, safe_name, say};
use super::progress::Bar;
use super::reading;
use super::table::{self, Format};
use crate::controller::Queueing;
use crate::drive::spec::QueueSpec;
use crate::experiment::{self, Results, RunError};
use crate::scenario::{Library, Scenario, load};

const EXAMPLES: &str = "\
Examples:
  ataraid run examples/single-drive
  ataraid run rocketraid133/mix --quick --set bus=pci-64-66
  ataraid run my-scenario.ron --set 'drives.*.write_cache.enabled=false'
  ataraid run rocketraid133/mix --set 'sweep.queue_depths=[1,16]' --set 'sweep.arrays=[\"R0x2\"]'
  ataraid run rocketraid133/mix --format csv --no-plots > summary.csv

Writes runs.csv (a row a run), summary.csv (a row a point: means and half widths
of 95 % intervals), results.json (both, with the whole scenario and all its
models) and each figure as PNG, SVG and CSV. The same scenario and seed give the
same bytes, whatever --jobs is.";

/// Run a scenario: print its summary, write tables, results and figures
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a scenario (see `ataraid list scenarios`), or path of a file
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    #[command(flatten)]
    options: RunOptions,
    /// Folder for the files [default: output/SCENARIO]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputOptions,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let name = full_name(&args.scenario, Wanted::Scenario, library)?;
    let scenario = load(&name, library, &args.options.load_options())?;
    notes(&scenario);
    let default = || Path::new("output").join(safe_name(&scenario.name));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let results = {
        let bar = Bar::new(&scenario.name);
        experiment::run(&scenario, args.options.jobs(), &bar).map_err(run_failure)?
    };
    write(&results, &mut folder, "", !args.output.no_plots)?;
    let text = match args.output.format {
        Format::Text => reading::page(&results),
        Format::Markdown => reading::markdown(&results),
        other => table::show(&results.summary, other)?,
    };
    say(&text)?;
    remark(&folder.listing());
    Ok(())
}

/// Writes tables, results and figures of a scenario, their names after `prefix`.
///
/// # Errors
/// If the folder takes a file no more.
pub(super) fn write(results: &Results, folder: &mut Folder, prefix: &str, plots: bool) -> Ended {
    if let Some(note) = idle_note(results) {
        remark(&note);
    }
    folder.table(&format!("{prefix}runs"), &results.runs)?;
    folder.table(&format!("{prefix}summary"), &results.summary)?;
    let json = results.json().map_err(|error| Failure::Internal(error.to_string()))?;
    folder.write(&format!("{prefix}results.json"), &json)?;
    if plots {
        for (plot, figure) in experiment::try_figures(results) {
            match figure {
                Ok(figure) => folder.figure(&plot.file, &figure)?,
                Err(error) => remark(&format!("not drawn: {error}")),
            }
        }
    }
    Ok(())
}

/// What to say if some runs answer no request at all: their zeros are no measurement.
fn idle_note(results: &Results) -> Option<String> {
    let column = results.runs.column("requests")?;
    let idle = results.runs.rows.iter().filter(|row| row[column].number() == Some(0.0)).count();
    let (all, name) = (results.runs.rows.len(), &results.scenario.name);
    let length = results.scenario.run.measure_s;
    (idle > 0).then(|| {
        format!(
            "note: no request was completed within the {length} s of {idle} of the {all} runs of `{name}`, so its figures \
             are zeros; set a longer `run.measure_s`"
        )
    })
}

/// What a user may not expect of a scenario that is sound.
pub(super) fn notes(scenario: &Scenario) {
    let card = &scenario.controller;
    for drive in &scenario.drives {
        let (kind, used) = match drive.model.queue {
            QueueSpec::None => continue,
            QueueSpec::Tcq { .. } => ("TCQ", card.queueing == Queueing::Tcq),
            QueueSpec::Ncq { .. } => ("NCQ", card.queueing == Queueing::Ncq),
        };
        if !used {
            let (id, card) = (&drive.id, &card.name);
            remark(&format!("note: drive `{id}` has a command queue ({kind}) that `{card}` does not use"));
        }
    }
}

/// Runs that could not be finished.
pub(super) fn run_failure(error: RunError) -> Failure {
    match error {
        RunError::Threads(_) => Failure::input(error, "ask for fewer threads with --jobs"),
        RunError::Build { .. } | RunError::Fault { .. } => Failure::Internal(error.to_string()),
    }
}
