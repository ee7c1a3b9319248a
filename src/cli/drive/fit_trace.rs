//! `drive fit`: a drive model fitted to a trace that was measured on the drive.

use std::path::{Path, PathBuf};

use super::import;
use crate::calibration::measured::{self, Fit, FitError, Pause, fit, follow, timed};
use crate::cli::failure::{Ended, Failure};
use crate::cli::list;
use crate::cli::options::whole;
use crate::cli::output::{remark, say};
use crate::cli::progress::Gauge;
use crate::cli::replay::{FLOOR_PAIRS, requests, scored_from};
use crate::cli::table::aligned;
use crate::drive::DriveSpec;
use crate::drive::spec::ron;
use crate::replay::{Scoreboard, Scores, System};
use crate::results::{Cell, Table, atomic};
use crate::scenario::Library;
use crate::workload::trace::TraceRequest;

/// A trace to fit to, and how.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Measured trace")]
pub(super) struct Options {
    /// Trace with measured response times, one request outstanding
    #[arg(long, value_name = "TRACE", requires = "start", conflicts_with_all = ["name", "heads", "rpm", "capacity_sectors",
        "capacity_gb", "seek_ms", "rate_mb_s", "staircase", "access", "interface", "write_average_ms", "head_switch_ms", "overhead_ms", "zones",
        "buffer_kib"])]
    pub(super) trace: Option<PathBuf>,
    /// Model to start from: its name, its path, or the path of a DiskSim description (.parv)
    #[arg(long, value_name = "DRIVE", requires = "trace")]
    start: Option<String>,
    /// Share of the trace that is fitted to, 0.1 to 1; the rest scores the fit
    #[arg(long, value_name = "SHARE", requires = "trace", conflicts_with = "name", default_value_t = 0.5, value_parser = share)]
    split: f64,
    /// Rounds over all timing figures, 1 to 20
    #[arg(long, value_name = "N", requires = "trace", conflicts_with = "name", default_value_t = measured::Options::default().rounds,
        value_parser = |text: &str| whole::<usize>(text, 1, 20))]
    rounds: usize,
    /// Seed of the resamples behind intervals and floors
    #[arg(long, value_name = "N", requires = "trace", conflicts_with = "name", default_value_t = 1, value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
}

impl Options {
    /// The file of the model to start from, if it is one.
    pub(super) fn start_file(&self) -> Option<&Path> {
        self.start.as_deref().map(Path::new)
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.1..=1.0).contains(&share) { Ok(share) } else { Err("use 0.1 to 1".to_owned()) }
}

pub(super) fn run(path: &Path, args: &Options, output: Option<&Path>, library: &Library) -> Ended {
    let start = args.start.as_deref().unwrap_or_default();
    let start = if start.ends_with(".parv") {
        import::drive(Path::new(start))?
    } else {
        list::drive(start, library)?.0
    };
    let requests = requests(path)?;
    let cut = ((requests.len() as f64 * args.split).round() as usize).min(requests.len());
    let file = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let options = measured::Options {
        seed: args.seed,
        rounds: args.rounds,
        trace: measured::part_name(&file, cut, requests.len()),
        ..Default::default()
    };
    let mut fitted = with_bar(&start, &requests[..cut], &options).map_err(|fault| refusal(fault, path))?;
    fitted.spec.name = fitted_name(&start.name);
    let text = ron(&fitted.spec, &format!("Fitted to the trace {}.", options.trace));
    let mut page = head(&fitted);
    if cut < requests.len() {
        page += &format!("\nOn requests {} to {}, which the fit has not seen\n", cut + 1, requests.len());
        page += &aligned(&scores(&start, &fitted, &requests, cut, args.seed)?);
    }
    let (before, after) = fitted.rms_error_ms;
    if after >= before {
        remark(
            "warning: the fitted model follows the requests no better than the start model: is this the drive that the \
             trace was recorded on?",
        );
    }
    match output {
        Some(output) => {
            let was_there = output.is_file();
            atomic::write(output, text.as_bytes()).map_err(|error| Failure::io(output, &error))?;
            say(&page)?;
            remark(&super::wrote(output, was_there));
            Ok(())
        }
        None => {
            remark(&page);
            say(&text)
        }
    }
}

/// What a model fitted from the one called `start` is called: two models of one drive are to be told apart.
fn fitted_name(start: &str) -> String {
    const FITTED: &str = " (fitted)";
    if start.ends_with(FITTED) { start.to_owned() } else { format!("{start}{FITTED}") }
}

/// A fit under a bar.
fn with_bar(
    start: &DriveSpec,
    requests: &[TraceRequest],
    options: &measured::Options,
) -> Result<Fit, FitError> {
    let gauge = Gauge::new("fit", true);
    fit(start, requests, options, |stage| {
        let text = format!("step {} of {}, RMS error {:.3} ms", stage.done, stage.of, stage.rms_error_ms);
        gauge.at(Some(stage.done as f64 / stage.of.max(1) as f64), &text);
    })
}

fn refusal(fault: FitError, trace: &Path) -> Failure {
    let remedy = match fault {
        FitError::TooShort { .. } | FitError::OneAddress { .. } | FitError::NoClock(_) => {
            "use a trace of random requests with their measured response times and pauses"
        }
        FitError::Replay(_) => "is this the drive that the trace was recorded on?",
    };
    Failure::input(format!("{}: {fault}", trace.display()), remedy)
}

/// What the fit found.
fn head(fitted: &Fit) -> String {
    let lie = match fitted.pause {
        Pause::After => "after",
        Pause::Before => "before",
    };
    let mut table = Table::new(&["fitted", "value ms", "from", "to (95 %)", "requests"]);
    for figure in &fitted.figures {
        table.push(vec![
            Cell::Text(match figure.cylinders {
                Some(cylinders) => format!("{} over {cylinders} cylinders", figure.field),
                None => figure.field.to_owned(),
            }),
            Cell::Real(figure.value),
            Cell::Real(figure.interval.0),
            Cell::Real(figure.interval.1),
            Cell::Integer(figure.requests as i64),
        ]);
    }
    let interval =
        fitted.turn_interval.map_or(String::new(), |(low, high)| format!(" ({low:.7} to {high:.7} at 95 %)"));
    let skews = skews(fitted);
    format!(
        "{}\nturn {:.7} ms{interval}; pauses lie {lie} the request of their line; completions agree with the angles of the tracks to \
         {:.2} (start model {:.2}; 1 is fully)\nRMS error at measured times on the part fitted to: {:.3} ms, start model \
         {:.3} ms\n\n{}{skews}",
        fitted.spec.name,
        fitted.spec.nominal_revolution().as_ms(),
        fitted.resultants.1,
        fitted.resultants.0,
        fitted.rms_error_ms.1,
        fitted.rms_error_ms.0,
        aligned(&table)
    )
}

/// The skews of the zones that the trace tells, with their intervals; empty if it tells none.
fn skews(fitted: &Fit) -> String {
    let mut table =
        Table::new(&["zone", "head skew ms", "± (95 %)", "cylinder skew ms", "± (95 %)", "pairs"]);
    for skew in &fitted.skews {
        let cells = [skew.head_ms, skew.cylinder_ms].into_iter().flat_map(|told| match told {
            Some((ms, half_ms)) => [Cell::Real(ms), Cell::Real(half_ms)],
            None => [Cell::Empty, Cell::Empty],
        });
        let first = Cell::Integer(skew.zone as i64 + 1);
        table.push(std::iter::once(first).chain(cells).chain([Cell::Integer(skew.pairs as i64)]).collect());
    }
    if table.rows.is_empty() {
        return String::new();
    }
    let zones = fitted.spec.zones.len();
    let rest = match zones - table.rows.len() {
        0 => String::new(),
        rest => format!("; {rest} of {zones} zones have too few for an interval"),
    };
    format!("\nSkews, from pairs of completions in each zone{rest}\n{}", aligned(&table))
}

/// The scores of the start model and of the fitted one on the requests from `cut` on. All are replayed, so that the
/// buffers are as full as the real ones were.
fn scores(
    start: &DriveSpec,
    fitted: &Fit,
    requests: &[TraceRequest],
    cut: usize,
    seed: u64,
) -> Result<Table, Failure> {
    let mut table =
        Table::new(&["model", "replay", "requests", "demerit ms", "floor ms", "RMS error ms", "correlation"]);
    for (name, spec) in [("start", start), ("fitted", &fitted.spec)] {
        let system = System::single(spec.clone());
        let closed = scored_from(cut, requests, &system, seed)
            .map_err(|cause| Failure::input(cause, "is this the drive that the trace was recorded on?"))?;
        rows(&mut table, name, "closed", &closed.scores(seed, FLOOR_PAIRS));
        let measured = at_measured_times(&system, requests, fitted.pause, cut)?;
        rows(&mut table, name, "at measured times", &measured.scores(seed, 0));
    }
    Ok(table)
}

/// Response times of the requests from `cut` on, each issued when it was really issued.
pub(super) fn at_measured_times(
    system: &System,
    requests: &[TraceRequest],
    pause: Pause,
    cut: usize,
) -> Result<Scoreboard, Failure> {
    const REMEDY: &str = "use a trace of this drive with measured response times and with pauses or arrivals";
    let observed = timed(requests, pause).map_err(|fault| Failure::input(fault, REMEDY))?;
    let followed = follow(system, &observed).map_err(|stopped| Failure::input(stopped.cause, REMEDY))?;
    let mut board = Scoreboard::new();
    followed[cut..].iter().for_each(|one| board.record(&one.outcome()));
    Ok(board)
}

fn rows(table: &mut Table, model: &str, replay: &str, scores: &Scores) {
    let names = ["all", "reads", "writes"];
    for (class, score) in names.into_iter().zip(scores.classes()) {
        let Some(score) = score else { continue };
        table.push(vec![
            Cell::Text(model.to_owned()),
            Cell::Text(format!("{replay}, {class}")),
            Cell::Integer(score.requests as i64),
            Cell::Real(score.demerit_ms),
            score.floor.map_or(Cell::Empty, |floor| Cell::Real(floor.mean)),
            Cell::Real(score.rms_error_ms),
            score.correlation.map_or(Cell::Empty, Cell::Real),
        ]);
    }
}
