//! `reproduce`: all of a review, its graphs and the verdicts on what it claims.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::explain::{explained, sections};
use super::failure::{Ended, Failure};
use super::options::{RunOptions, Setting, Wanted, full_name};
use super::output::{Folder, remark, safe_name, say};
use super::progress::Bar;
use super::run::{run_failure, write};
use super::table::{self, Format, wrapped};
use crate::experiment::claims::{Report, Verdict};
use crate::experiment::explain::Wanted as Contents;
use crate::experiment::{Question, Reproduction, ReproductionResults, caption};
use crate::report::{Page, Section};
use crate::results::markdown;
use crate::scenario::Library;

const EXAMPLES: &str = "\
Examples:
  ataraid reproduce rocketraid133            everything, as long as the review
  ataraid reproduce rocketraid133 --quick    the same with short runs
  ataraid reproduce rocketraid133 --set driver=ideal --out output/ideal

Writes report.html, one page with everything to read in a browser; claims.txt,
.md, .csv and .json, the review's tables as tables.md and one
CSV each, every figure as PNG, SVG and CSV, and tables and results of each
scenario. Prints the verdict on every claim; `!` marks one that was expected to
hold and was missed. Exit code 1 if there is any. With --quick or --set a miss
proves nothing, so the exit code is then 1 only with --strict.";

/// Replay a review: all its graphs and tables, and every claim of it checked
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a reproduction (see `ataraid list reproductions`), or path of a file
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    options: RunOptions,
    /// Exit with code 1 on an expected claim that was missed, even with --quick or --set
    #[arg(long)]
    strict: bool,
    /// Folder for the files [default: output/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw no figures
    #[arg(long)]
    no_plots: bool,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    let name = full_name(&args.name, Wanted::Reproduction, library)?;
    let reproduction = Reproduction::load(&name, library, &args.options.load_options())?;
    let default = || Path::new("output").join(safe_name(&reproduction.spec.name));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let started = Instant::now();
    let results = {
        let bar = Bar::new(&reproduction.spec.name);
        reproduction.run(args.options.jobs(), &bar).map_err(run_failure)?
    };
    // To the terminal only: files of equal runs are equal.
    let took = format!("{} runs in {:.1} s", reproduction.runs(), started.elapsed().as_secs_f64());
    let report = results.report().map_err(|error| Failure::Internal(error.to_string()))?;
    let (head, foot) = (head(args, &results), foot(args, &report));
    write_claims(&report, &head, &foot, &mut folder)?;
    write_tables(&results, &head, &mut folder)?;
    let answers = answers(&reproduction, args, &mut folder)?;
    write_page(args, &results, &report, &answers, &mut folder)?;
    for part in &results.results {
        write(part, &mut folder, &format!("{}-", safe_name(&part.scenario.name)), !args.no_plots)?;
    }
    let answered = answers.iter().map(|answer| {
        let paragraphs: Vec<String> = answer.paragraphs.iter().map(|text| wrapped(text, "")).collect();
        format!("\n{}\n{}", answer.title, paragraphs.join("\n"))
    });
    let answered: String = answered.collect();
    say(&format!("{head}\n{}\n{}\n{foot}{answered}", verdicts(&report), report.summary()))?;
    remark(&format!("{took}\n{}", folder.listing()));
    let proves = args.strict || !is_altered(args);
    if report.failed_expected() && proves { Err(Failure::Claims) } else { Ok(()) }
}

/// Whether the runs are not those that the claims are meant for.
fn is_altered(args: &Args) -> bool {
    args.options.quick || !args.options.settings.is_empty()
}

/// Heading of all reports: what was run and what to keep in mind.
fn head(args: &Args, results: &ReproductionResults) -> String {
    let mut text = format!("{}\n", results.spec.title);
    for part in &results.results {
        text += &format!("{}\n", caption(part));
    }
    for note in notes(args) {
        text += &format!("{note}\n");
    }
    text
}

/// What makes this run another than the review's.
fn notes(args: &Args) -> Vec<String> {
    let quick = "QUICK LOOK: runs are short and intervals wide or missing; a verdict proves little";
    let set = |setting: &Setting| format!("SET: {} = {}", setting.path, setting.value);
    let quick = args.options.quick.then(|| quick.to_owned());
    quick.into_iter().chain(args.options.settings.iter().map(set)).collect()
}

/// The command line that gives the same figures; what does not change them is left out.
fn command(args: &Args) -> String {
    let RunOptions { settings, seed, runs, quick, .. } = &args.options;
    let mut text = format!("ataraid reproduce {}", quoted(&args.name));
    if *quick {
        text += " --quick";
    }
    text += &seed.map_or(String::new(), |seed| format!(" --seed {seed}"));
    text += &runs.map_or(String::new(), |runs| format!(" --runs {runs}"));
    for Setting { path, value } in settings {
        text += &format!(" --set {}", quoted(&format!("{path}={value}")));
    }
    if args.no_plots {
        text += " --no-plots";
    }
    text
}

/// A text as a shell takes it.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
    if text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Answers the questions of the reproduction, writes their files, and returns what the report says about them.
fn answers(reproduction: &Reproduction, args: &Args, folder: &mut Folder) -> Result<Vec<Section>, Failure> {
    let mut answers = Vec::new();
    for (place, Question { title, scenario }) in reproduction.questions.iter().enumerate() {
        let before = &reproduction.questions[..place];
        let twins = before.iter().filter(|question| question.scenario.name == scenario.name).count();
        let number = if twins == 0 { String::new() } else { format!("-{}", twins + 1) };
        let bar = format!("explain {}", scenario.name);
        let explanation = explained(scenario, Contents { blame: true }, args.options.jobs(), &bar)?;
        let stem = format!("explain-{}{number}", safe_name(&scenario.name));
        let stages = Some((format!("{stem}-stages"), explanation.stages_figure()));
        let blame = explanation.blame_figure().map(|figure| (format!("{stem}-blame"), figure));
        let figures: Vec<_> = stages.into_iter().chain(blame).collect();
        for (stem, figure) in figures.iter().filter(|_| !args.no_plots) {
            folder.figure(stem, figure)?;
        }
        folder.table(&stem, &explanation.stages)?;
        folder.table(&format!("{stem}-resources"), &explanation.resources)?;
        folder.table(&format!("{stem}-parts"), &explanation.blame)?;
        let tables = sections(&explanation)
            .into_iter()
            .flat_map(|(heading, tables)| tables.into_iter().map(move |table| (heading.to_owned(), table)));
        answers.push(Section {
            title: title.clone(),
            paragraphs: explanation.paragraphs().into_iter().chain(explanation.notes()).collect(),
            figures: if args.no_plots { Vec::new() } else { figures },
            tables: tables.collect(),
        });
    }
    Ok(answers)
}

fn write_page(
    args: &Args,
    results: &ReproductionResults,
    report: &Report,
    answers: &[Section],
    folder: &mut Folder,
) -> Ended {
    let page = Page {
        results,
        claims: report,
        command: &command(args),
        notes: &notes(args),
        extra: answers,
        figures: !args.no_plots,
    };
    let html = page.html().map_err(|error| Failure::Internal(error.to_string()))?;
    folder.write("report.html", html.as_bytes())
}

/// What stands under the counts: the fitted parameters, and what a miss means here.
fn foot(args: &Args, report: &Report) -> String {
    let fitted = report.fitted_parameters();
    let mut text = match fitted.len() {
        0 => "no parameter was fitted to any claim\n".to_owned(),
        _ => format!("fitted parameters: {}\n", fitted.into_iter().collect::<Vec<_>>().join(", ")),
    };
    let missed = report.outcomes.iter().filter(|outcome| outcome.failed());
    let missed: Vec<&str> = missed.map(|outcome| outcome.id.as_str()).collect();
    if !missed.is_empty() {
        text += &format!("missed although expected to hold: {}\n", missed.join(", "));
        if is_altered(args) && !args.strict {
            text += "the exit code is 0 all the same, as this is no full run of the review's set-up\n";
        }
    }
    text
}

/// The claims with their verdicts, and why those that did not hold did not; checks in full are in the files.
fn verdicts(report: &Report) -> String {
    let mut text = String::new();
    for outcome in &report.outcomes {
        let id = format!("{}{}", outcome.id, if outcome.failed() { "!" } else { "" });
        text += &wrapped(&outcome.text, &format!("{id:5} {:17} ", outcome.verdict.name()));
        if outcome.verdict != Verdict::Held {
            text += &wrapped(&outcome.evidence(), &format!("{:24}- ", ""));
        }
    }
    text
}

fn write_tables(results: &ReproductionResults, head: &str, folder: &mut Folder) -> Ended {
    let tables = results.tables();
    if tables.is_empty() {
        return Ok(());
    }
    let mut page = as_markdown(head);
    let mut stems: Vec<String> = Vec::new();
    for (title, table) in &tables {
        page += &format!("\n## {title}\n\n{}", markdown::table(table, 4));
        let stem = format!("table-{}", file_stem(title));
        let twins = stems.iter().filter(|known| **known == stem).count();
        let number = if twins == 0 { String::new() } else { format!("-{}", twins + 1) };
        folder.table(&format!("{stem}{number}"), table)?;
        stems.push(stem);
    }
    folder.text("tables.md", &page)
}

/// `Sequential read, MiB/s` as `sequential-read`.
fn file_stem(title: &str) -> String {
    let quantity = title.split(',').next().unwrap_or(title);
    let letters: String = quantity.chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words: Vec<String> = letters.split_whitespace().map(str::to_lowercase).collect();
    safe_name(&words.join("-"))
}

fn write_claims(report: &Report, head: &str, foot: &str, folder: &mut Folder) -> Ended {
    let table = report.to_table();
    let json = table::show(&table, Format::Json)?;
    folder.text("claims.txt", &format!("{head}\n{report}\n{foot}"))?;
    let counts: String = foot.lines().map(|line| format!("- {line}\n")).collect();
    folder.text("claims.md", &format!("{}\n{}{counts}", as_markdown(head), report.to_markdown()))?;
    folder.table("claims", &table)?;
    folder.write("claims.json", json.as_bytes())
}

/// Lines of text as Markdown: the first of several is a heading, the others are a list.
fn as_markdown(lines: &str) -> String {
    lines
        .lines()
        .enumerate()
        .map(|(at, line)| format!("{}{line}\n", if at == 0 { "# " } else { "- " }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_file_names() {
        assert_eq!(file_stem("Sequential read, MiB/s"), "sequential-read");
        assert_eq!(file_stem("../.."), "unnamed");
    }

    #[test]
    fn a_shell_takes_what_is_quoted_back() {
        assert_eq!(quoted("bus.width_bits=64"), "bus.width_bits=64");
        assert_eq!(quoted("drives.*.x=\"it's\""), "'drives.*.x=\"it'\\''s\"'");
    }
}
