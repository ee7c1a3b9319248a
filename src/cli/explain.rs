//! `explain`: where the time of a scenario's requests goes, and which part is to blame.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{Ended, Failure};
use super::options::{OutputOptions, RunOptions, Wanted, full_name};
use super::output::{Folder, remark, safe_name, say};
use super::progress::Bar;
use super::run::{notes, run_failure};
use super::selection::Selection;
use super::table::{self, Format, aligned, wrapped};
use crate::experiment::explain::timeline::{self, TimelineError, Window};
use crate::experiment::explain::{Explanation, Part, Wanted as Contents, explain};
use crate::experiment::{POINTS_MAX, Point, points, small_print};
use crate::results::{Table, atomic, json, markdown};
use crate::scenario::{Library, Scenario, load};

/// Length of a timeline when none is given, s.
const TIMELINE_S: f64 = 0.05;

const EXAMPLES: &str = "\
Examples:
  ataraid explain examples/single-drive
  ataraid explain rocketraid133/sequential-read --arrays 1d,R0x2,R0x3,R0x4 --blocks 65536
  ataraid explain rocketraid133/mix --arrays R0x2,R0x4 --depths 16 --writes 0 --no-blame
  ataraid explain rocketraid133/mix --arrays R0x4 --depths 16 --writes 0 --timeline mix.json
  ataraid explain rocketraid133/mix --arrays R0x4 --depths 16 --writes 0 --timeline mix.vcd \\
      --from 10 --to 10.1

Prints for each point the mean response time stage by stage along the critical
path of each request (the stages sum up to it exactly), how busy each resource
is, and what throughput would be with one part at a time made ideal. Writes
stages.csv (whole picoseconds), resources.csv, blame.csv, explanation.json and
.md, and figures as PNG, SVG and CSV.

A timeline shows one point's first run: as .json slices for ui.perfetto.dev or
chrome://tracing, as .vcd a waveform for GTKWave or Surfer.";

/// Say where the time of each request goes and which part is to blame; or write a timeline
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a scenario (see `ataraid list scenarios`), or path of a file
    #[arg(value_name = "SCENARIO")]
    scenario: String,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    options: RunOptions,
    /// Folder for the files [default: output/explain-SCENARIO]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Leave out the runs with ideal parts, eleven in twelve of all
    #[arg(long)]
    no_blame: bool,
    #[command(flatten)]
    output: OutputOptions,
    /// Write a timeline of one point's first run instead, .json or .vcd
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "format", "no_blame", "no_plots"])]
    timeline: Option<PathBuf>,
    /// Start of the timeline in seconds since power-on [default: end of the ramp-up]
    #[arg(long, value_name = "SECONDS", requires = "timeline", allow_negative_numbers = true)]
    from: Option<f64>,
    /// End of the timeline in seconds since power-on [default: 0.05 s after its start]
    #[arg(long, value_name = "SECONDS", requires = "timeline", allow_negative_numbers = true)]
    to: Option<f64>,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let name = full_name(&args.scenario, Wanted::Scenario, library)?;
    let mut options = args.options.load_options();
    args.selection.add_to(&mut options);
    let scenario =
        load(&name, library, &options).map_err(|faults| args.selection.as_given(faults, |_| None))?;
    notes(&scenario);
    let points = points(&scenario);
    match &args.timeline {
        Some(file) => write_timeline(args, file, &scenario, &points),
        None if points.len() > POINTS_MAX => Err(Failure::input(
            format!("{} points are too many to explain at once; at most {POINTS_MAX} are", points.len()),
            "choose some with --arrays, --patterns, --depths, --writes or --blocks",
        )),
        None => write_explanation(args, &scenario),
    }
}

fn write_explanation(args: &Args, scenario: &Scenario) -> Ended {
    let default = || Path::new("output").join(format!("explain-{}", safe_name(&scenario.name)));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let contents = Contents { blame: !args.no_blame };
    let explanation = explained(scenario, contents, args.options.jobs(), "explain")?;
    let page = as_markdown(&explanation);
    let json = json::pretty(&explanation.file()).map_err(|error| Failure::Internal(error.to_string()))?;
    folder.table("stages", &explanation.stages)?;
    folder.table("resources", &explanation.resources)?;
    if !args.no_blame {
        folder.table("blame", &explanation.blame)?;
    }
    folder.text("explanation.md", &page)?;
    folder.write("explanation.json", &json)?;
    if !args.output.no_plots {
        folder.figure("stages-figure", &explanation.stages_figure())?;
        if let Some(figure) = explanation.blame_figure() {
            folder.figure("blame-figure", &figure)?;
        }
    }
    match args.output.format {
        Format::Text => say(&as_text(&explanation))?,
        Format::Markdown => say(&page)?,
        Format::Json => say(&String::from_utf8_lossy(&json))?,
        Format::Csv => say(&table::show(&explanation.stages, Format::Csv)?)?,
    }
    remark(&folder.listing());
    Ok(())
}

/// Explains `scenario` with up to `jobs` runs at a time under a bar called `title`.
pub(super) fn explained(
    scenario: &Scenario,
    contents: Contents,
    jobs: Option<usize>,
    title: &str,
) -> Result<Explanation, Failure> {
    let explanation = explain(scenario, contents, jobs, &Bar::new(title)).map_err(run_failure)?;
    if explanation.has_requests() {
        return Ok(explanation);
    }
    Err(Failure::input(
        format!(
            "{}: no request was issued and completed in the {} s that were measured, so there is nothing to explain",
            scenario.name, scenario.run.measure_s
        ),
        "measure for longer: --set run.measure_s=10, or a longer at_most in the question of a reproduction",
    ))
}

/// The tables for a reader, each kind with its heading.
pub(super) fn sections(explanation: &Explanation) -> Vec<(&'static str, Vec<Table>)> {
    let all = [
        ("Where the time goes: mean response time by stage", explanation.stages_for_reader()),
        ("How busy each resource is", explanation.resources_for_reader()),
        ("Throughput with one part made ideal, in ratio to that as it is", explanation.blame_for_reader()),
    ];
    all.into_iter().filter(|(_, tables)| !tables.is_empty()).collect()
}

fn as_text(explanation: &Explanation) -> String {
    let scenario = &explanation.scenario;
    let mut text = format!("{}\n{}\n", scenario.title, small_print(scenario));
    let same = explanation.subtitle();
    if !same.is_empty() {
        text += &format!("{same}\n");
    }
    for (heading, tables) in sections(explanation) {
        text += &format!("\n{heading}\n");
        text += &tables.iter().map(aligned).collect::<Vec<_>>().join("\n");
    }
    for paragraph in explanation.notes().into_iter().chain(explanation.paragraphs()) {
        text += &format!("\n{}", wrapped(&paragraph, ""));
    }
    if scenario.run.replications == 1 {
        text += "\none run a point: no intervals; more with --runs N\n";
    }
    text
}

fn as_markdown(explanation: &Explanation) -> String {
    let scenario = &explanation.scenario;
    let mut text = format!("# {}\n\n{}\n", scenario.title, small_print(scenario));
    let same = explanation.subtitle();
    if !same.is_empty() {
        text += &format!("\n{same}\n");
    }
    for (heading, tables) in sections(explanation) {
        let tables: Vec<String> = tables.iter().map(|table| markdown::table(table, 4)).collect();
        text += &format!("\n## {heading}\n\n{}", tables.join("\n"));
    }
    for note in explanation.notes() {
        text += &format!("\n{note}\n");
    }
    let paragraphs = explanation.paragraphs();
    if !paragraphs.is_empty() {
        text += &format!("\n## Who is to blame\n\n{}\n\nIdeal means:\n\n", paragraphs.join("\n\n"));
        text += &Part::all().map(|part| format!("- {}: {}\n", part.name(), part.ideal())).collect::<String>();
    }
    text
}

fn write_timeline(args: &Args, file: &Path, scenario: &Scenario, points: &[Point]) -> Ended {
    let [point] = points else {
        return Err(Failure::input(
            format!("a timeline shows one point, and {} are chosen", points.len()),
            "choose one with --arrays, --patterns, --depths, --writes and --blocks",
        ));
    };
    let extension = file.extension().map(|extension| extension.to_string_lossy().into_owned());
    let Some(format) = extension.as_deref().and_then(timeline::Format::of_extension) else {
        return Err(Failure::input(
            format!("--timeline {}: the form is chosen by the extension", file.display()),
            "write .json (Chrome, Perfetto) or .vcd (GTKWave, Surfer)",
        ));
    };
    let from_s = args.from.unwrap_or(scenario.run.ramp_s);
    let run_s = scenario.run.ramp_s + scenario.run.measure_s;
    let to_s = args.to.unwrap_or_else(|| (from_s + TIMELINE_S).min(run_s));
    let window = Window::new(from_s, to_s, &scenario.run).map_err(|error| {
        let text = error.to_string();
        let (message, remedy) = text.split_once("; ").unwrap_or((&text, ""));
        Failure::input(format!("--from {from_s} --to {to_s}: {message}"), remedy)
    })?;
    let mut failed = None;
    let written = atomic::write_with(file, |out| {
        let mut out = io::BufWriter::new(out);
        match timeline::timeline(scenario, point, window, format, &mut out) {
            Ok(()) => out.flush(),
            Err(TimelineError::Write(error)) => Err(error),
            Err(TimelineError::Run(error)) => {
                failed = Some(error);
                Err(io::Error::other("the run failed"))
            }
        }
    });
    if let Some(error) = failed {
        return Err(run_failure(error));
    }
    written.map_err(|error| Failure::input(error, "name another file with --timeline"))?;
    remark(&format!("wrote {}: {from_s} s to {to_s} s of array {}", file.display(), point.array));
    Ok(())
}
