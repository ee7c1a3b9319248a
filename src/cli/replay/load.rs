//! Where the requests come from, and what their source may fail with.

use std::convert::Infallible;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use super::meter::Meter;
use super::recorder::Recorder;
use super::{Args, Replayed, measured};
use crate::cli::failure::Failure;
use crate::cli::options::whole;
use crate::config::{Diagnostic, Issues, Validate};
use crate::replay::synthetic::{Synthetic, SyntheticSpec};
use crate::replay::{self, Cause, Mode, Scoreboard, Stopped, System, Totals};
use crate::results::markdown::figure;
use crate::sim::Streams;
use crate::workload::trace::{Format, Options, Trace, TraceRequest};

/// Bytes of a trace that are held at a time.
pub(in crate::cli) const BUFFER_BYTES: usize = 64 * 1024;

/// Time between two requests to one drive in DiskSim's own synthetic tests, in ms.
const INTERARRIVAL_MS: f64 = 25.0;

/// A trace of a file, its form told from how it starts, and what to call it.
pub(in crate::cli) fn opened(path: &Path) -> Result<(String, Trace<BufReader<File>>), Failure> {
    let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
    let input = BufReader::with_capacity(BUFFER_BYTES, file);
    let name = path.display().to_string();
    let trace = Trace::open(&name, input, Options::default()).map_err(|fault| Failure::from(*fault))?;
    Ok((name, trace))
}

/// The requests of such a trace, all at once.
pub(in crate::cli) fn requests(path: &Path) -> Result<Vec<TraceRequest>, Failure> {
    let (_, trace) = opened(path)?;
    trace.collect::<Result<_, _>>().map_err(|fault| Failure::from(*fault))
}

/// A closed replay of all `requests`, so that the buffers are as full as the real ones were, scored from the one
/// numbered `cut` on.
pub(in crate::cli) fn scored_from(
    cut: usize,
    requests: &[TraceRequest],
    system: &System,
    seed: u64,
) -> Result<Scoreboard, Cause<Infallible>> {
    let mut board = Scoreboard::new();
    let mut seen = 0;
    let source = requests.iter().copied().map(Ok::<_, Infallible>);
    let ran = replay::run(system, seed, source, Mode::Closed, |outcome| {
        seen += 1;
        if seen > cut {
            board.record(&outcome);
        }
    });
    ran.map(|_| board).map_err(|stopped| stopped.cause)
}

/// Load in place of a trace.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Synthetic load")]
pub(super) struct SyntheticOptions {
    /// Random requests, open, in place of a trace: exponential times and sizes, places equally likely
    #[arg(long)]
    synthetic: bool,
    /// Requests in all
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "synthetic", conflicts_with = "trace",
        value_parser = |text: &str| whole::<u64>(text, 1, 1 << 40))]
    requests: u64,
    /// Mean time between two requests to one drive, ms [default: 25]
    #[arg(long, value_name = "MS", requires = "synthetic", conflicts_with = "trace")]
    interarrival_ms: Option<f64>,
    /// Share of reads, 0 to 1
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.66,
        requires = "synthetic",
        conflicts_with = "trace"
    )]
    reads: f64,
    /// Mean size before it is rounded up, blocks of 512 bytes
    #[arg(
        long,
        value_name = "BLOCKS",
        default_value_t = 8.0,
        requires = "synthetic",
        conflicts_with = "trace"
    )]
    mean_blocks: f64,
    /// Places and sizes are multiples of this, blocks of 512 bytes
    #[arg(long, value_name = "BLOCKS", default_value_t = 8, requires = "synthetic", conflicts_with = "trace",
        value_parser = |text: &str| whole::<u64>(text, 1, 65_536))]
    unit_blocks: u64,
}

impl SyntheticOptions {
    /// Whether times of arrival are asked for.
    pub(super) fn states_arrivals(&self) -> bool {
        self.interarrival_ms.is_some()
    }

    fn interarrival_ms(&self) -> f64 {
        self.interarrival_ms.unwrap_or(INTERARRIVAL_MS)
    }

    fn spec(&self, system: &System) -> Result<SyntheticSpec, Failure> {
        let capacity = |drive: &replay::Attachment| system.models[drive.model].capacity_sectors;
        let spec = SyntheticSpec {
            requests: self.requests,
            devices: system.drives.len() as u32,
            capacity_blocks: system.drives.iter().map(capacity).min().unwrap_or(0),
            interarrival_ms: self.interarrival_ms(),
            reads: self.reads,
            size_mean_blocks: self.mean_blocks,
            unit_blocks: self.unit_blocks,
        };
        let mut issues = Issues::new();
        spec.validate(&mut issues);
        issues.into_file_diagnostics("--synthetic").unless_any(spec).map_err(Failure::from)
    }
}

/// Replays synthetic load.
pub(super) fn synthetic(args: &Args, system: &System, recorder: &mut Recorder) -> Result<Replayed, Failure> {
    let spec = args.synthetic.spec(system)?;
    let source = Synthetic::new(spec, Streams::new(args.seed));
    let mode = args.mode(false);
    recorder.watch(Meter::of_requests("synthetic", args.synthetic.requests));
    let ran = replay::run(system, args.seed, source, mode, |outcome| recorder.take(&outcome));
    let fault = |line: u64, message: String| Diagnostic::of_file(format!("request {line}"), message);
    let relief = |totals: &Totals| slower(args.synthetic.interarrival_ms(), totals, system.drives.len());
    finished(ran, mode, (None, relief), recorder, |cause| match cause {
        Cause::Source(never) => match never {},
        cause => refusal(&cause, fault),
    })
}

/// Replays the trace in `input`.
pub(super) fn trace(
    args: &Args,
    name: &str,
    input: impl BufRead,
    system: &System,
    recorder: &mut Recorder,
) -> Result<Replayed, Failure> {
    let mut trace = Trace::open(name, input, args.options()).map_err(|fault| Failure::from(*fault))?;
    let first = trace.next();
    let Some(first) = first else {
        let remedy = match args.device {
            Some(device) => format!("no request is for device {device}; leave --device out to see them all"),
            None => "name a file with requests".to_owned(),
        };
        return Err(Diagnostic::of_file(name, "the trace holds no requests").with_remedy(remedy).into());
    };
    let holds_pauses = first.as_ref().is_ok_and(|request| request.think.is_some());
    if args.sort_window > 0 && first.as_ref().is_ok_and(|request| request.at.is_none()) {
        let message = format!("{name}: --sort-window has no effect: the trace holds no times of arrival");
        return Err(Failure::input(message, "leave it out"));
    }
    let mode = args.mode(holds_pauses);
    let is_chosen = args.device.is_some();
    let placed =
        |request: TraceRequest| if is_chosen { TraceRequest { device: 0, ..request } } else { request };
    let source = std::iter::once(first).chain(&mut trace).map(|request| request.map(placed));
    if args.at_measured_times {
        let requests: Result<Vec<TraceRequest>, _> = source.collect();
        let requests = requests.map_err(|fault| Failure::from(*fault))?;
        return measured::replay(&requests, &trace, system, recorder);
    }
    let ran = replay::run(system, args.seed, source, mode, |outcome| recorder.take(&outcome));
    let format = trace.format();
    let relief = |totals: &Totals| {
        let rate = figure(totals.requests as f64 / totals.end.as_s(), 3);
        format!(
            "the drives served about {rate} requests a second, and more arrive: use --mode closed or asap, more drives \
             with --drives, or a higher --overload-limit"
        )
    };
    finished(ran, mode, (format, relief), recorder, |cause| failure_of(cause, &trace))
}

/// What to do about synthetic load that `drives` drives cannot serve.
fn slower(interarrival_ms: f64, totals: &Totals, drives: usize) -> String {
    let served_ms = 1e3 * totals.end.as_s() * drives as f64 / totals.requests.max(1) as f64;
    if interarrival_ms >= served_ms {
        return "the drives keep up with this load on average: raise --overload-limit".to_owned();
    }
    format!(
        "beyond saturation: a request arrives at each drive every {} ms, and one was served every {} ms; use a longer \
         --interarrival-ms, --order c-look, or --mode asap for the most that the drives can do",
        figure(interarrival_ms, 3),
        figure(served_ms, 3)
    )
}

/// Why the replay of a trace stopped.
pub(in crate::cli) fn failure_of<R: BufRead>(cause: Cause<Box<Diagnostic>>, trace: &Trace<R>) -> Failure {
    match cause {
        Cause::Source(fault) => Failure::from(*fault),
        cause => refusal(&cause, |line, message| trace.fault_at(line, message)),
    }
}

/// What a replay came to; an overload leaves results, and what to do about it.
fn finished<E>(
    ran: Result<Totals, Stopped<E>>,
    mode: Mode,
    (format, relief): (Option<Format>, impl FnOnce(&Totals) -> String),
    recorder: &mut Recorder,
    failure: impl FnOnce(Cause<E>) -> Failure,
) -> Result<Replayed, Failure> {
    let (totals, overload) = match ran {
        Ok(totals) => (totals, None),
        Err(Stopped { totals, cause: Cause::Overload { limit, at } }) => {
            let message = format!(
                "overload: {limit} requests were outstanding {:.3} s after the start; the {} issued until then have \
                 been served, and the results are theirs\nhelp: {}",
                at.as_s(),
                totals.requests,
                relief(&totals)
            );
            (totals, Some(message))
        }
        Err(Stopped { cause, .. }) => return Err(failure(cause)),
    };
    let (board, unseen) = (recorder.take_board(), recorder.take_unseen());
    Ok(Replayed { totals, board, unseen, mode, format, measured: None, overload })
}

/// What to say of a request that the drives refuse; `fault` adds its place.
pub(super) fn refusal<E>(cause: &Cause<E>, fault: impl Fn(u64, String) -> Diagnostic) -> Failure {
    match cause {
        Cause::NoSuchDevice { line, device, drives } => {
            let message = format!("device {device} of {drives}; devices count from 0");
            fault(*line, message)
                .with_remedy("attach more with --drives, or replay the requests of one device with --device")
                .into()
        }
        Cause::BeyondEnd { line, device, extent, capacity } => {
            let last = extent.end().saturating_sub(1);
            let message = format!(
                "blocks {} to {last} are beyond the last block {} of drive {device}",
                extent.lba,
                capacity.saturating_sub(1)
            );
            fault(*line, message).with_remedy("is this the drive that the trace was recorded on?").into()
        }
        Cause::Empty { line } => fault(*line, "a request of no blocks".to_owned())
            .with_remedy("remove the request, or give it blocks")
            .into(),
        Cause::NoArrival { line } => {
            fault(*line, "no time of arrival, which an open replay needs".to_owned())
                .with_remedy("replay with --mode closed or --mode asap")
                .into()
        }
        Cause::Unordered { line, .. } => {
            fault(*line, "this request arrives before the one ahead of it".to_owned())
                .with_remedy("sort the requests by time, or give --sort-window N")
                .into()
        }
        Cause::System(message) => {
            Failure::input(message, "correct the model or the description of the system")
        }
        Cause::Fault { at, outstanding } => {
            Failure::Internal(format!("{outstanding} requests outstanding at {at:?} and no progress"))
        }
        Cause::Source(_) | Cause::Overload { .. } => {
            Failure::Internal("a cause without a request".to_owned())
        }
    }
}
