//! `fit`: figures of models searched for claims, by the rules.

use std::path::{Path, PathBuf};

use super::failure::{Ended, Failure};
use super::options::{Wanted, full_name};
use super::output::{Folder, remark, safe_name, say};
use super::progress::Bar;
use super::run::run_failure;
use super::table::{aligned, wrapped};
use crate::experiment::fit::{Fit, FitResults};
use crate::scenario::Library;

const EXAMPLES: &str = "\
Examples:
  ataraid fit rocketraid133/fit-window       one that is shipped
  ataraid fit my-fit.ron --out output/try-1  one of your own
  ataraid check my-fit.ron                   only look for faults in it

A fit file names claims of a reproduction, figures of its models with the range
in which each may move, a seed and a budget. Writes fit.md (the report, with text
to paste), fit.json (everything) and fit.csv (every evaluation in order); it never
writes into a model. Exit code 0 also if claims stay missed.";

/// Search figures of models within their ranges for claims of a review, and how far they can move
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a fit (see `ataraid list fits`), or path of a file
    #[arg(value_name = "FILE")]
    name: String,
    /// Runs that go on at a time, 1 to 1024; the results do not depend on it [default: number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Folder for the files [default: output/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let fit = Fit::load(&full_name(&args.name, Wanted::Fit, library)?, library)?;
    let default = || Path::new("output").join(safe_name(&fit.name));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let results = {
        let bar = Bar::new(&fit.name);
        fit.run(args.jobs.map(usize::from), &bar).map_err(run_failure)?
    };
    folder.write("fit.md", results.markdown().as_bytes())?;
    let json = results.json().map_err(|error| Failure::Internal(error.to_string()))?;
    folder.write("fit.json", &json)?;
    folder.table("fit", &results.table())?;
    say(&page(&results))?;
    remark(&folder.listing());
    Ok(())
}

/// The report for the screen; what was measured is in the files.
fn page(results: &FitResults) -> String {
    let list = |lines: Vec<String>| lines.iter().map(|line| wrapped(line, "- ")).collect::<String>();
    let mut text = format!("{}\n{}", results.title(), list(results.notes()));
    for (heading, mut table) in results.tables() {
        if let Some(measured) = table.column("measured with the found values") {
            table.columns.remove(measured);
            table.rows.iter_mut().for_each(|row| drop(row.remove(measured)));
        }
        text += &format!("\n{heading}\n{}", aligned(&table));
    }
    text += &format!("\nAll other claims\n{}", list(results.ledger_notes()));
    for (model, lines) in results.provenance() {
        text += &format!("\nTo paste into the model `{model}`, which has not been changed\n{lines}");
    }
    text
}
