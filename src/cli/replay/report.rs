//! What a replay came to, for people and for programs.

use serde::Serialize;

use super::recorder::Unseen;
use super::{Args, Replayed, naming, verdict};
use crate::cli::failure::Failure;
use crate::cli::table::aligned;
use crate::replay::{CLASSES, Mode, Scoreboard, Scores, System};
use crate::results::{Cell, Table, json, markdown::figure};
use crate::stats::{LatencyHistogram, Score};
use crate::units::Span;
use crate::workload::trace::Format;

/// The page on standard output; floors of `pairs` pairs of resamples.
pub(super) fn page(args: &Args, system: &System, replayed: &Replayed, pairs: usize) -> String {
    let totals = &replayed.totals;
    let format = match replayed.format {
        None => "synthetic load",
        Some(Format::Validate) => "validate trace",
        Some(Format::Ascii) => "ASCII trace",
        Some(Format::Srt) => "SRT trace",
    };
    let mode = replayed.measured.clone().unwrap_or_else(|| naming::mode(replayed));
    let reads = totals.reads;
    let writes = totals.requests - reads;
    let head = format!(
        "{}\n{format}, {mode}: {} requests ({reads} reads, {writes} writes) in {} s\n",
        naming::subtitle(args, system),
        totals.requests,
        figure(totals.end.as_s(), 6)
    );
    let mut text = format!("{head}\n{}", aligned(&responses(&replayed.board)));
    let scores = replayed.board.scores(args.seed, pairs);
    if scores.all.is_some() {
        text += &format!("\nAgainst the measured response times\n{}", aligned(&score_table(&scores)));
        text += &format!("\n{}", verdict::sentence(&scores, pairs));
        if replayed.mode == Mode::Closed && replayed.measured.is_none() {
            text += PHASE;
        }
        text += &unseen(args, replayed, pairs);
    }
    text
}

/// What to keep in mind of single requests, where the pauses alone tell when they are issued.
const PHASE: &str = "RMS error and correlation of a closed replay are mostly the angle of the spindle, which the pauses do \
                     not tell: --at-measured-times compares request by request.\n";

/// The scores on what the model was not fitted to, if it was fitted to a part of this trace.
fn unseen(args: &Args, replayed: &Replayed, pairs: usize) -> String {
    let Some(Unseen { first, board }) = &replayed.unseen else { return String::new() };
    let all = replayed.totals.requests;
    let scores = board.scores(args.seed, pairs);
    if scores.all.is_none() {
        return "The model was fitted to all of this trace, so its scores tell nothing about other requests: `drive fit` \
                without --split 1 keeps a part that does.\n"
            .to_owned();
    }
    format!(
        "\nRequests {} to {all} alone, which the fit has not seen: what the model is worth elsewhere\n{}\n{}",
        first + 1,
        aligned(&score_table(&scores)),
        verdict::sentence(&scores, pairs)
    )
}

/// Response times of each class.
fn responses(board: &Scoreboard) -> Table {
    let mut table = Table::new(&[
        "",
        "requests",
        "mean ms",
        "50 % within ms",
        "95 % within ms",
        "99 % within ms",
        "longest ms",
    ]);
    for (name, class) in CLASSES.into_iter().zip(board.classes()) {
        let histogram = &class.responses;
        if histogram.count() == 0 {
            continue;
        }
        let ms = |span: Option<Span>| span.map_or(Cell::Empty, |span| Cell::Real(span.as_ms()));
        table.push(vec![
            Cell::Text(name.to_owned()),
            Cell::Integer(histogram.count() as i64),
            ms(histogram.mean()),
            ms(histogram.percentile(50.0)),
            ms(histogram.percentile(95.0)),
            ms(histogram.percentile(99.0)),
            ms(histogram.max()),
        ]);
    }
    table
}

/// The figures of each class.
fn score_table(scores: &Scores) -> Table {
    let mut table = Table::new(&[
        "",
        "requests",
        "measured mean ms",
        "simulated mean ms",
        "demerit ms",
        "% of mean",
        "floor ms",
        "95 % floor ms",
        "RMS error ms",
        "mean error ms",
        "correlation",
    ]);
    for (name, score) in CLASSES.into_iter().zip(scores.classes()) {
        let Some(score) = score else { continue };
        table.push(std::iter::once(Cell::Text(name.to_owned())).chain(cells(&score)).collect());
    }
    table
}

/// The figures of a score, in the order of the columns.
fn cells(score: &Score) -> [Cell; 10] {
    let real = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Real);
    [
        Cell::Integer(score.requests as i64),
        Cell::Real(score.real_mean_ms),
        Cell::Real(score.model_mean_ms),
        Cell::Real(score.demerit_ms),
        Cell::Real(score.demerit_percent()),
        real(score.floor.map(|floor| floor.mean)),
        real(score.floor.map(|floor| floor.p95)),
        Cell::Real(score.rms_error_ms),
        Cell::Real(score.mean_error_ms),
        real(score.correlation),
    ]
}

/// Everything about a replay but its single outcomes.
#[derive(Serialize)]
struct Summary<'a> {
    program: &'a str,
    version: &'a str,
    trace: String,
    mode: String,
    seed: u64,
    complete: bool,
    requests: u64,
    reads: u64,
    writes: u64,
    simulated_s: f64,
    responses: Vec<Responses<'a>>,
    scores: Scores,
    /// Of a model that was fitted to the first requests of this trace: how many those are, and the scores on the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    fitted_to_requests: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores_unseen: Option<Scores>,
    system: &'a System,
}

#[derive(Serialize)]
struct Responses<'a> {
    class: &'a str,
    requests: u64,
    mean_ms: Option<f64>,
    p50_ms: Option<f64>,
    p95_ms: Option<f64>,
    p99_ms: Option<f64>,
    max_ms: Option<f64>,
}

impl<'a> Responses<'a> {
    fn of(class: &'a str, histogram: &LatencyHistogram) -> Self {
        let ms = |span: Option<Span>| span.map(Span::as_ms);
        Responses {
            class,
            requests: histogram.count(),
            mean_ms: ms(histogram.mean()),
            p50_ms: ms(histogram.percentile(50.0)),
            p95_ms: ms(histogram.percentile(95.0)),
            p99_ms: ms(histogram.percentile(99.0)),
            max_ms: ms(histogram.max()),
        }
    }
}

/// The same for programs, with the whole system.
pub(super) fn json(args: &Args, system: &System, replayed: &Replayed) -> Result<Vec<u8>, Failure> {
    let classes = CLASSES.into_iter().zip(replayed.board.classes());
    let unseen = replayed.unseen.as_ref();
    let summary = Summary {
        program: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        trace: args.title(),
        mode: format!("{:?}", replayed.mode),
        seed: args.seed,
        complete: replayed.overload.is_none(),
        requests: replayed.totals.requests,
        reads: replayed.totals.reads,
        writes: replayed.totals.requests - replayed.totals.reads,
        simulated_s: replayed.totals.end.as_s(),
        responses: classes.map(|(name, class)| Responses::of(name, &class.responses)).collect(),
        scores: replayed.board.scores(args.seed, super::FLOOR_PAIRS),
        fitted_to_requests: unseen.map(|unseen| (unseen.first as u64).min(replayed.totals.requests)),
        scores_unseen: unseen.map(|unseen| unseen.board.scores(args.seed, super::FLOOR_PAIRS)),
        system,
    };
    json::pretty(&summary).map_err(|error| Failure::Internal(error.to_string()))
}
