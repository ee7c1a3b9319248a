//! `drive validate`: imported drives against the measurements beside their descriptions.

mod case;
mod halves;
pub(in crate::cli) mod measured;
mod pictures;
mod table;

use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::failure::{Ended, Failure};
use crate::cli::options::whole;
use crate::cli::output::{Folder, remark, safe_name, say};
use crate::cli::progress::Gauge;
use crate::cli::table::{Format, show, wrapped};
use crate::scenario::read_file;
use case::Case;

const EXAMPLES: &str = "\
Examples:
  ataraid drive validate disksim/valid
  ataraid drive validate set-a set-b --out output/both
  ataraid drive validate set-a --format markdown --no-plots
  ataraid drive validate disksim/valid --fit

Each folder is searched for NAME.parv, a drive's description for DiskSim, with
NAME.trace beside it: requests of one at a time, measured on the real drive. The
description is imported as it is, the trace replayed closed, and the response
times are compared: demerit (root mean square distance of the distributions, ms)
of all requests, of reads and of writes; its floor, which chance alone makes
between two resamples of the measured times; the root mean square error request
by request. Up to what 95 % of such pairs of resamples do not exceed, a model is
`within sampling noise`. NAME.measured.csv, if there is one, holds another
simulator's response times of the same requests, a row each in the order of the
trace, in the columns rw, real_ms and disksim_ms, which are scored the same way.
Requests/s are those of processor time: import, reading, replay and score.

Writes validation.csv (all figures) and of each drive the distributions and the
errors as PNG, SVG and CSV; with --fit those of the second half, on which the
fitted model stands beside the others, too. Pictures of drives that only an
earlier validation.csv in the folder names are removed.";

/// Score imported drives against measurements: a table of all NAME.parv with NAME.trace in folders
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Folders to search
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Seed of the angle of spindles and of resamples
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
    /// Folder for the files
    #[arg(long, value_name = "DIR", default_value = "output/validation")]
    out: PathBuf,
    /// Fit each model to the first half of its trace as well, and score it on the second half
    #[arg(long)]
    fit: bool,
    /// Print every warning about a description, not only their number
    #[arg(long)]
    warnings: bool,
    /// Form of the tables
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Draw no figures
    #[arg(long)]
    no_plots: bool,
}

/// File of the table of all figures.
const TABLE: &str = "validation.csv";

pub(super) fn run(args: &Args) -> Ended {
    let mut found = Vec::new();
    for folder in &args.folders {
        found.extend(descriptions(folder)?);
    }
    if found.is_empty() {
        let folders: Vec<String> = args.folders.iter().map(|folder| folder.display().to_string()).collect();
        let message = format!("{}: no NAME.parv with a NAME.trace beside it", folders.join(", "));
        return Err(Failure::input(message, "name a folder that holds descriptions and traces of one name"));
    }
    unlike_names(&found)?;
    let mut folder = Folder::prepare(&args.out)?;
    let mut cases = Vec::new();
    let mut faults: Vec<String> = Vec::new();
    let gauge = Gauge::new("drive validate", true);
    for (index, description) in found.iter().enumerate() {
        let name =
            description.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        let place = format!("{name} ({} of {})", index + 1, found.len());
        let progress = |share: f64, what: &str| {
            gauge.at(Some((index as f64 + share) / found.len() as f64), &format!("{place}, {what}"));
        };
        match Case::run(description, args, progress) {
            Ok(case) => cases.push(case),
            // One drive at fault does not hide the figures of the others.
            Err(Failure::Input(text)) => {
                remark(&text);
                faults.push(description.display().to_string());
            }
            Err(failure) => return Err(failure),
        }
    }
    drop(gauge);
    if cases.is_empty() {
        return Err(unscored(&faults, found.len()));
    }
    let earlier = earlier(&args.out);
    folder.table("validation", &table::full(&cases))?;
    if !args.no_plots {
        cases.iter().try_for_each(|case| pictures::draw(case, &mut folder))?;
    }
    folder.remove_others(earlier.iter().flat_map(|name| pictures::files(name)))?;
    match args.format {
        // Headings that only a reader can tell apart are none for a program.
        Format::Csv | Format::Json => say(&show(&table::full(&cases), args.format)?)?,
        Format::Text | Format::Markdown => say_for_reader(&cases, args.format)?,
    }
    remark(&folder.listing());
    if faults.is_empty() { Ok(()) } else { Err(unscored(&faults, found.len())) }
}

/// These of so many drives could not be scored, for reasons that have been told.
fn unscored(faults: &[String], all: usize) -> Failure {
    let message = format!("{} of {all} drives could not be scored: {}", faults.len(), faults.join(", "));
    Failure::input(message, "correct what is told of each above, or move its files to another folder")
}

/// Refuses descriptions whose pictures would have one name.
fn unlike_names(found: &[PathBuf]) -> Ended {
    let name =
        |path: &PathBuf| path.file_stem().map_or_else(String::new, |stem| safe_name(&stem.to_string_lossy()));
    for (index, path) in found.iter().enumerate() {
        if let Some(before) = found[..index].iter().find(|before| name(before) == name(path)) {
            let message = format!("{} and {} have one name", before.display(), path.display());
            return Err(Failure::input(message, "validate them one by one, each with an --out of its own"));
        }
    }
    Ok(())
}

/// The drives of which there are pictures in the folder, as the table of an earlier run names them.
fn earlier(folder: &Path) -> Vec<String> {
    let Ok(table) = read_file(&folder.join(TABLE)) else { return Vec::new() };
    let mut reader = csv::Reader::from_reader(table.text.as_bytes());
    let is_ours = reader.headers().is_ok_and(|headers| headers.iter().take(3).eq(["drive", "model", "part"]));
    let mut names: Vec<String> = Vec::new();
    for row in reader.records().map_while(Result::ok).filter(|_| is_ours) {
        if let Some(name) = row.get(0).filter(|name| names.last().is_none_or(|last| last != name)) {
            names.push(name.to_owned());
        }
    }
    names
}

fn say_for_reader(cases: &[Case], format: Format) -> Ended {
    say(&wrapped(
        "Demerit of all requests, of reads (R) and of writes (W), all in ms, on the whole trace, replayed closed; floor: \
         what chance alone makes of it; RMS: error request by request, mostly the angle of the spindle, which the pauses \
         of a closed replay do not tell; requests/s: of processor time",
        "",
    ))?;
    say(&show(&table::short(cases), format)?)?;
    say(&format!("\nAgainst the drive, by the demerit\n{}", show(&table::verdicts(cases), format)?))?;
    let Some(halves) = table::halves(cases) else { return Ok(()) };
    let heading = "The same of the second half of each trace, fitted to the first half; RMS: at the measured times, of \
                   DiskSim in its own run";
    say(&format!("\n{}", wrapped(heading, "")))?;
    say(&show(&halves, format)?)
}

/// The descriptions in a folder that have a trace beside them, by name.
fn descriptions(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let io = |error: std::io::Error| Failure::io(folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_none_or(|extension| extension != "parv") {
            continue;
        }
        if path.with_extension("trace").is_file() {
            found.push(path);
        } else {
            remark(&format!("note: {}: no trace of this name beside it", path.display()));
        }
    }
    found.sort();
    Ok(found)
}
