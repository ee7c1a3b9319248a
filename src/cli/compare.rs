//! `compare`: two scenarios, two values of a field or two arrays, point by point.

use std::path::{Path, PathBuf};

use super::failure::{Ended, Failure};
use super::options::{OutputOptions, RunOptions, Variation, Wanted, full_name, variation};
use super::output::{Folder, remark, safe_name, say};
use super::progress::Bar;
use super::reading;
use super::run::{notes, run_failure, write};
use super::selection::Selection;
use super::table::{self, Format, aligned};
use crate::config::Diagnostics;
use crate::experiment::{self, Results, caption, sign, small_print};
use crate::plot::Scale;
use crate::results::{Cell, Table, markdown as md};
use crate::scenario::{Library, LoadOptions, Scenario, load};

const EXAMPLES: &str = "\
Examples:
  ataraid compare rocketraid133/mix --arrays R0x2,R0x2c1 --depths 1,16,256
  ataraid compare rocketraid133/mix --vary bus=pci-32-33,pci-64-66 --arrays R0x4
  ataraid compare my-scenario.ron other.ron --set 'sweep.queue_depths=[4]'
  ataraid compare rocketraid133/mix --vary 'drives.*.write_cache.enabled=true,false' --quick

B against A at every point that both have: the ratio of I/O a second (of
playbacks: of their score, WinMark) with its 95 % interval over pairs of runs,
and a verdict (less than 0.1 % is no difference). Of several values, or of
several arrays without B and --vary, the first is A. Writes compare.csv, the
ratios as figures, and the results of both sides. Exit code 0 whether they
differ or not.";

/// Compare two scenarios, values of a field, or arrays: ratios with intervals and verdicts
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Name of a scenario, or path of a file
    #[arg(value_name = "A")]
    a: String,
    /// Another one
    #[arg(value_name = "B", conflicts_with = "vary")]
    b: Option<String>,
    /// Vary a field instead: every value against the first
    #[arg(long, value_name = "PATH=A,B", value_parser = variation)]
    vary: Option<Variation>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    options: RunOptions,
    /// Folder for the files [default: output/compare-A or output/compare-A-B]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    output: OutputOptions,
}

/// Two sides with what tells them apart.
struct Pair {
    a: (String, Results),
    b: (String, Results),
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    if args.b.is_none() && args.vary.is_none() && args.selection.arrays.len() < 2 {
        let remedy = "name a second scenario, or give --vary PATH=A,B or --arrays A,B";
        return Err(Failure::input("there is nothing to compare with", remedy));
    }
    let options = load_options(args);
    let mut scenarios = Vec::new();
    for name in std::iter::once(&args.a).chain(&args.b) {
        let name = full_name(name, Wanted::Scenario, library)?;
        let scenario = load(&name, library, &options).map_err(|faults| as_given(args, faults))?;
        notes(&scenario);
        scenarios.push(scenario);
    }
    let name = scenarios.iter().map(|scenario| safe_name(&scenario.name)).collect::<Vec<_>>().join("-");
    let default = || Path::new("output").join(format!("compare-{name}"));
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(default))?;
    let results = run_all(&scenarios, args)?;
    let prefixes: &[&str] = if results.len() == 2 { &["a-", "b-"] } else { &[""] };
    for (results, prefix) in results.iter().zip(prefixes) {
        write(results, &mut folder, prefix, false)?;
    }
    let small_print = results.iter().map(caption).collect::<Vec<_>>();
    let pairs = pairs(args, results)?;
    let table = joined(&pairs)?;
    folder.table("compare", &table)?;
    if !args.output.no_plots {
        draw(&pairs, &mut folder)?;
    }
    say(&shown(&table, &small_print, args.output.format)?)?;
    remark(&folder.listing());
    Ok(())
}

/// The options of the scenario, with the restrictions as settings of its sweep.
fn load_options(args: &Args) -> LoadOptions {
    let mut options = args.options.load_options();
    args.selection.add_to(&mut options);
    if let Some(vary) = &args.vary {
        options.vary(&vary.path, &vary.values.iter().map(String::as_str).collect::<Vec<_>>());
    }
    options
}

/// Faults of settings that stand for an option, under the name of the option.
fn as_given(args: &Args, faults: Diagnostics) -> Failure {
    args.selection.as_given(faults, |field| {
        let vary = args.vary.as_ref().filter(|_| field == "sweep.vary")?;
        Some(format!("--vary {}={}", vary.path, vary.values.join(",")))
    })
}

fn run_all(scenarios: &[Scenario], args: &Args) -> Result<Vec<Results>, Failure> {
    let bar = Bar::new("compare");
    experiment::run_all(scenarios, args.options.jobs(), &bar).map_err(run_failure)
}

/// The sides to compare.
fn pairs(args: &Args, mut results: Vec<Results>) -> Result<Vec<Pair>, Failure> {
    if results.len() == 2 {
        let names = distinct_names(args, &results);
        let (b, a) = (results.pop(), results.pop());
        let sides = a.zip(b).map(|(a, b)| Pair { a: (names.0, a), b: (names.1, b) });
        return Ok(sides.into_iter().collect());
    }
    let Some(results) = results.pop() else { return Ok(Vec::new()) };
    if let Some(vary) = &args.vary {
        let parts = experiment::split(&results, &vary.path).map_err(|error| {
            Failure::input(
                error,
                "vary one field of a model, as in --vary driver.window_array_requests=16,64",
            )
        })?;
        let named = parts.into_iter().map(|(value, part)| (format!("{}={value}", vary.path), part));
        return Ok(against_first(named.collect()));
    }
    let side = |array: &String| (array.clone(), of_array(&results, array));
    Ok(against_first(args.selection.arrays.iter().map(side).collect()))
}

/// What to call two scenarios; their names may be the same.
fn distinct_names(args: &Args, results: &[Results]) -> (String, String) {
    let name = |at: usize| results.get(at).map_or(String::new(), |results| results.scenario.name.clone());
    let (a, b) = (name(0), name(1));
    if a == b { (args.a.clone(), args.b.clone().unwrap_or_default()) } else { (a, b) }
}

fn against_first(mut sides: Vec<(String, Results)>) -> Vec<Pair> {
    if sides.is_empty() {
        return Vec::new();
    }
    let first = sides.remove(0);
    sides.into_iter().map(|side| Pair { a: first.clone(), b: side }).collect()
}

/// The runs of one array, under a name that all arrays share, so that points meet.
fn of_array(results: &Results, array: &str) -> Results {
    let mut part = results.clone();
    if let Some(column) = part.runs.column("array") {
        part.runs.rows.retain(|row| row[column].label() == array);
        for row in &mut part.runs.rows {
            row[column] = Cell::Text("both".to_owned());
        }
    }
    part
}

/// The tables of all pairs below each other, with the names of the sides in front.
fn joined(pairs: &[Pair]) -> Result<Table, Failure> {
    let mut joined = Table::default();
    for Pair { a, b } in pairs {
        let part = experiment::compare(&a.1, &b.1);
        if part.rows.is_empty() {
            return Err(Failure::input(
                format!("`{}` and `{}` have no point in common", a.0, b.0),
                "give both the same arrays, patterns, depths, shares of writes and request sizes",
            ));
        }
        if joined.columns.is_empty() {
            let names = ["a", "b"].into_iter().chain(part.columns.iter().map(|column| column.name.as_str()));
            joined = Table::new(&names.collect::<Vec<_>>());
        }
        let sides = [&a.0, &b.0].map(|name| Cell::Text(name.clone()));
        for row in part.rows {
            joined.push(sides.iter().cloned().chain(row).collect());
        }
    }
    Ok(joined)
}

fn draw(pairs: &[Pair], folder: &mut Folder) -> Ended {
    let tables: Vec<Table> = pairs.iter().map(|Pair { a, b }| experiment::compare(&a.1, &b.1)).collect();
    let reach = reach(&tables);
    for (number, (Pair { a, b }, table)) in pairs.iter().zip(&tables).enumerate() {
        let stem = if pairs.len() == 1 { "ratio".to_owned() } else { format!("ratio-{}", number + 1) };
        match experiment::compare_figure(table, &a.0, &b.0) {
            Ok((plot, mut figure)) => {
                // A bare number in the legend says nothing.
                let unit = match plot.series.as_deref() {
                    Some("queue_depth") => " in flight",
                    Some("write_percent") => " % writes",
                    Some("block_bytes") => " bytes",
                    _ => "",
                };
                for series in &mut figure.series {
                    match plot.series {
                        Some(_) => series.label += unit,
                        None => series.label = format!("{} / {}", b.0, a.0),
                    }
                }
                if let Scale::Linear { from_zero, limits } = &mut figure.y.scale {
                    *limits = reach.map(|(low, high)| if *from_zero { (0.0, high) } else { (low, high) });
                }
                let mut sides = vec![&a.1.scenario];
                // The arrays or values of one scenario share its small print.
                if small_print(&b.1.scenario) != small_print(&a.1.scenario) {
                    sides.push(&b.1.scenario);
                }
                sign(&mut figure, &sides);
                folder.figure(&stem, &figure)?;
            }
            Err(error) => remark(&format!("not drawn: {error}")),
        }
    }
    Ok(())
}

/// The ends of the value axis that all figures of one comparison share, so that they can be laid beside each other; none
/// if there is one figure, which chooses its own.
fn reach(tables: &[Table]) -> Option<(f64, f64)> {
    const MARGIN: f64 = 0.05;
    if tables.len() < 2 {
        return None;
    }
    let (mut low, mut high) = (1.0_f64, 1.0_f64);
    for table in tables {
        let measure = experiment::measure(table);
        let column = |ending: &str| table.column(&format!("{measure}_{ending}"));
        let (ratio, half) = (column("ratio")?, column("ratio_half_width")?);
        for row in &table.rows {
            let Some(value) = row[ratio].number() else { continue };
            let half = row[half].number().unwrap_or(0.0);
            (low, high) = (low.min(value - half), high.max(value + half));
        }
    }
    let margin = MARGIN * (high - low).max(MARGIN);
    Some(((low - margin).max(0.0), high + margin))
}

fn shown(table: &Table, small_print: &[String], format: Format) -> Result<String, Failure> {
    if matches!(format, Format::Csv | Format::Json) {
        return table::show(table, format);
    }
    let runs = table.column("runs").unwrap_or(0);
    let mut parameters: Vec<&str> = table.columns[..runs].iter().map(|column| column.name.as_str()).collect();
    let array = table.column("array");
    if array.is_some_and(|array| table.rows.iter().all(|row| row[array].label() == "both")) {
        parameters.retain(|name| *name != "array");
    }
    let measure = experiment::measure(table);
    let figures =
        [format!("a_{measure}"), format!("b_{measure}"), format!("{measure}_ratio"), "verdict".to_owned()];
    let (same, narrow) = reading::narrowed(table, &parameters, &figures.each_ref().map(String::as_str));
    let counts = counts(table) + hint(table);
    Ok(match format {
        Format::Markdown => format!("{same}\n\n{}\n{counts}\n", md::table(&narrow, 4)),
        _ => format!("{same}\n{}\n\n{}\n{counts}\n", small_print.join("\n"), aligned(&narrow)),
    })
}

/// What to do for intervals, where there is one run a point.
fn hint(table: &Table) -> &'static str {
    let single = |row: &Vec<Cell>, runs: usize| row[runs].label() == "1";
    match table.column("runs") {
        Some(runs) if table.rows.iter().any(|row| single(row, runs)) => {
            "\none run a point: no intervals, so a difference may be chance; more with --runs N"
        }
        Some(_) => "\n± is half of a 95 % interval of the ratio, over pairs of runs",
        None => "",
    }
}

/// How often each verdict fell.
fn counts(table: &Table) -> String {
    let verdicts: Vec<String> = table
        .column("verdict")
        .map(|column| table.rows.iter().map(|row| row[column].label()).collect())
        .unwrap_or_default();
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for verdict in &verdicts {
        match kinds.iter_mut().find(|(known, _)| known == verdict) {
            Some((_, count)) => *count += 1,
            None => kinds.push((verdict, 1)),
        }
    }
    let points =
        if verdicts.len() == 1 { "1 point".to_owned() } else { format!("{} points", verdicts.len()) };
    let parts: Vec<String> = kinds.iter().map(|(verdict, count)| format!("{verdict} at {count}")).collect();
    format!("{points}: {}", parts.join(", "))
}
