//! `replay`: a trace, or synthetic load, on simulated drives.

pub(super) mod figures;
mod load;
mod measured;
mod meter;
mod naming;
mod recorder;
mod report;
mod system;
pub(super) mod verdict;

use std::fs::{File, Metadata};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::cpu;
use super::drive::validate::measured::other as measured_beside;
use super::failure::{Ended, Failure};
use super::options::{Setting, setting, whole};
use super::output::{Folder, remark, say};
use crate::calibration::measured::fitted_part;
use crate::replay::{CLASSES, Mode, Scoreboard, System, Totals};
use crate::scenario::Library;
use crate::stats::Scorer;
use crate::workload::trace::{Format, Options};
use load::BUFFER_BYTES;
pub(super) use load::{failure_of, opened, requests, scored_from};
use meter::Meter;
use recorder::{Recorder, Unseen};

const EXAMPLES: &str = "\
Examples:
  ataraid replay atlas10k.trace --drive atlas10k.parv          DiskSim's description, imported
  ataraid replay atlas10k.trace --drive my-drive.ron --no-output
  ataraid replay atlas10k.trace --drive my-drive.ron --other-simulator atlas10k.measured.csv
  ataraid replay week.srt --device 1 --drive wd-740gd          arrivals kept, one disk of several
  ataraid replay web.trace --drives 32 --drive wd-740gd --order c-look
  zcat big.trace.gz | ataraid replay - --drive wd-740gd --mode asap --outstanding 8
  ataraid replay --synthetic --requests 1000000 --drives 64 --interarrival-ms 25 \\
      --reads 0.66 --mean-blocks 8 --unit-blocks 8 --order c-look --drive atlas10k.parv

Forms of traces, told apart by how they start, or stated with --format:
  validate   DiskSim's, a line a request: R|W tag first-block blocks response-us pause-us
  ascii      DiskSim's, a line a request: time-ms device first-block blocks flags-hex
             (bit 0 is a read)
  srt        HP's SRT 1.3, binary; sectors in the unit of its header; the disk is the device;
             records that HP marked as suspect are passed over
In texts, empty lines and lines that start with # are passed over. A line or record that is at
fault ends the replay with exit code 2. So does an arrival before its predecessor's, unless
--sort-window N puts it in its place among N requests. A trace is read once, from front to back,
and never held in memory.

Modes:
  closed     one request outstanding; the pause after each is kept (default for validate)
  open       arrival times are kept (default for ascii, srt and --synthetic)
  asap       as fast as possible: --outstanding requests are kept outstanding

The score, where the trace holds measured response times: demerit is the root mean square distance
of the two distributions (Ruemmler and Wilkes 1994), floor what chance alone makes of it between
two resamples of the measured times (mean, and what 95 % do not exceed), RMS error the root mean
square difference request by request. Up to the 95 % floor the model is `within sampling noise`;
beyond, the last line says how many times the floor it is off.

Writes outcomes.csv (a row a request, in the order of completions), replay.json (figures, trace,
the whole system) and the figures cdf-all, cdf-reads, cdf-writes and residuals as PNG, SVG and CSV.
The folder is called after trace, drive and what else tells the replay from others; a second replay
of the same kind replaces the files of the first, and says so. A model that was fitted to a part of
the trace is scored on the rest apart.
Files of these names that an earlier replay left in the folder and this one does not write are
removed.
Exit code 1: the drives were overloaded, and the results are those until then.";

/// Replay a trace of requests on simulated drives, and score them against measured response times
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES, arg_required_else_help = true)]
pub(super) struct Args {
    /// Trace to replay; `-` is standard input
    #[arg(value_name = "TRACE", required_unless_present = "synthetic", conflicts_with = "synthetic")]
    trace: Option<PathBuf>,
    /// Name of a drive model, path of one, or path of a DiskSim description (.parv)
    #[arg(long, value_name = "DRIVE")]
    drive: String,
    /// Set a field of the drive model first, such as rpm=7200; repeatable
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = setting)]
    settings: Vec<Setting>,
    /// When requests are issued [default: closed if the trace holds pauses, open if it holds arrivals]
    #[arg(long, value_enum)]
    mode: Option<ModeName>,
    /// Issue each request when it was really issued, as the pauses and measured times say, and keep the platters where
    /// completed requests have shown them: single requests are then compared, not only distributions. The whole trace
    /// is held in memory
    #[arg(long, conflicts_with_all = ["mode", "synthetic", "drives", "drives_per_bus", "order", "overload_limit", "outstanding"])]
    at_measured_times: bool,
    /// Requests that are kept outstanding with `--mode asap`, 1 to 10000 [default: 1]
    #[arg(long, value_name = "N", requires = "mode", value_parser = |text: &str| whole::<usize>(text, 1, 10_000))]
    outstanding: Option<usize>,
    /// Form of the trace [default: told from how it starts]
    #[arg(long, value_enum, conflicts_with = "synthetic")]
    format: Option<FormatName>,
    /// Replay the requests of this device alone, on drive 0
    #[arg(long, value_name = "N", conflicts_with = "synthetic",
        value_parser = |text: &str| whole::<u32>(text, 0, u64::from(u32::MAX)))]
    device: Option<u32>,
    /// Requests to look ahead to put arrivals in order, 0 to 1000000
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "synthetic",
        value_parser = |text: &str| whole::<usize>(text, 0, 1_000_000))]
    sort_window: usize,
    /// Another simulator's response times of the requests of the trace: the verdict sets the model beside it. A CSV file
    /// with a row a request, in their order, in the columns rw (R or W), real_ms and disksim_ms
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["synthetic", "device", "no_output"])]
    other_simulator: Option<PathBuf>,
    #[command(flatten)]
    system: system::SystemOptions,
    #[command(flatten)]
    synthetic: load::SyntheticOptions,
    /// Seed of all random numbers: angles of spindles, synthetic load, resamples
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = |text: &str| whole::<u64>(text, 0, u64::MAX))]
    seed: u64,
    /// Folder for the files [default: output/replays/TRACE-on-DRIVE, and whatever else was asked for]
    #[arg(long, value_name = "DIR", conflicts_with = "no_output")]
    out: Option<PathBuf>,
    /// Draw no figures
    #[arg(long)]
    no_plots: bool,
    /// Write no files and draw no resamples: only the figures on standard output, as fast as possible
    #[arg(long)]
    no_output: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ModeName {
    /// One request outstanding, pauses kept
    Closed,
    /// Arrival times kept
    Open,
    /// As fast as possible
    Asap,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum FormatName {
    /// DiskSim's validate form
    Validate,
    /// DiskSim's ASCII form
    Ascii,
    /// HP's SRT 1.3
    Srt,
}

/// Pairs of resamples behind a sampling floor.
pub(in crate::cli) const FLOOR_PAIRS: usize = 200;

/// What a replay came to.
struct Replayed {
    totals: Totals,
    board: Scoreboard,
    /// What the model was not fitted to, if it was fitted to the requests before.
    unseen: Option<Unseen>,
    mode: Mode,
    format: Option<Format>,
    /// What it came to at the measured times.
    measured: Option<String>,
    /// Why it ended early, though what was done before counts.
    overload: Option<String>,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    args.check()?;
    let other = args.other()?;
    let system = args.system.build(&args.drive, &args.settings, library)?;
    let fitted = args.fitted_part(&system);
    if let Some(last) = fitted {
        remark(&already_seen(last));
    }
    if args.no_output {
        let replayed = replay(args, &system, &mut Recorder::scoring(fitted))?;
        say(&report::page(args, &system, &replayed, 0))?;
        return ended(replayed);
    }
    let mut folder = Folder::prepare(&args.out.clone().unwrap_or_else(|| naming::folder(args)))?;
    let stems = CLASSES.map(|class| format!("cdf-{class}")).into_iter().chain(["residuals".to_owned()]);
    let figures: Vec<String> = stems.flat_map(|stem| Folder::figure_files(&stem)).collect();
    let names = ["outcomes.csv", "replay.json"].map(str::to_owned).into_iter().chain(figures.clone());
    folder.spares(&names.collect::<Vec<_>>(), &args.inputs())?;
    let replayed = folder.stream("outcomes.csv", |file| {
        let mut recorder = Recorder::writing(file, fitted);
        let replayed = replay(args, &system, &mut recorder)?;
        recorder.finish().map_err(|error| Failure::io(Path::new("outcomes.csv"), &error))?;
        Ok(replayed)
    })?;
    folder.write("replay.json", &report::json(args, &system, &replayed)?)?;
    if !args.no_plots {
        let subtitle = format!("{}, {}", naming::subtitle(args, &system), naming::mode(&replayed));
        let turn_ms = match &system.models[..] {
            [model] => Some(model.nominal_revolution().as_ms()),
            _ => None,
        };
        let (title, other) = (&args.title(), other.as_ref());
        let pictures =
            figures::Pictures { board: &replayed.board, other, title, subtitle: &subtitle, turn_ms };
        for (stem, figure) in pictures.all() {
            folder.figure(&stem, &figure)?;
        }
    }
    folder.remove_others(figures)?;
    say(&report::page(args, &system, &replayed, FLOOR_PAIRS))?;
    if let Some(other) = other {
        let scores = replayed.board.scores(args.seed, FLOOR_PAIRS);
        say(&verdict::beside(&scores, [0, 1, 2].map(|class: usize| other[class].score())))?;
    }
    remark(&folder.listing());
    ended(replayed)
}

fn ended(replayed: Replayed) -> Ended {
    if let Some(seconds) = cpu::seconds().filter(|seconds| *seconds > 0.0) {
        let rate = replayed.totals.requests as f64 / seconds;
        remark(&format!("{seconds:.4} s of processor time: {rate:.0} requests a second, start-up included"));
    }
    match replayed.overload {
        Some(message) => Err(Failure::Incomplete(message)),
        None => Ok(()),
    }
}

/// What to say of a model that was fitted to requests 1 to `last` of the trace.
fn already_seen(last: usize) -> String {
    let part = if last == usize::MAX { "all".to_owned() } else { format!("requests 1 to {last}") };
    format!(
        "warning: the model was fitted to {part} of a trace of this name (its sources say so): what it does on these tells \
         nothing about others"
    )
}

impl Args {
    /// How many requests at the start of the trace the drive was fitted to, by the name of the trace.
    fn fitted_part(&self, system: &System) -> Option<usize> {
        let file = self.trace.as_ref()?.file_name()?.to_string_lossy().into_owned();
        system.models.iter().filter_map(|model| fitted_part(model, &file)).max()
    }

    /// Refuses options that would have no effect.
    /// The files that it reads.
    fn inputs(&self) -> Vec<&Path> {
        let drive = Path::new(&self.drive);
        let others = [self.trace.as_deref(), self.other_simulator.as_deref()];
        others.into_iter().flatten().chain([drive]).collect()
    }

    fn check(&self) -> Ended {
        if self.outstanding.is_some() && self.mode != Some(ModeName::Asap) {
            return Err(Failure::input(
                "--outstanding has no effect in this mode",
                "add --mode asap: only there a number of requests is kept outstanding",
            ));
        }
        if self.synthetic.states_arrivals() && matches!(self.mode, Some(ModeName::Asap | ModeName::Closed)) {
            return Err(Failure::input(
                "--interarrival-ms has no effect in this mode",
                "leave --mode out: only an open replay keeps the times of arrival",
            ));
        }
        Ok(())
    }

    /// The other simulator's times, held against the trace before anything runs.
    fn other(&self) -> Result<Option<[Scorer; 3]>, Failure> {
        let (Some(other), Some(trace)) = (&self.other_simulator, &self.trace) else { return Ok(None) };
        if trace.as_os_str() == "-" {
            let message = "--other-simulator needs a trace that can be read twice";
            return Err(Failure::input(message, "name a file instead of standard input"));
        }
        let found = measured_beside(other, trace, 0)?;
        let absent = || Failure::io(other, &io::ErrorKind::NotFound.into());
        found.ok_or_else(absent).map(Some)
    }

    /// The trace, by the name of its file.
    fn title(&self) -> String {
        match &self.trace {
            None => "synthetic".to_owned(),
            Some(path) if path.as_os_str() == "-" => "standard-input".to_owned(),
            Some(path) => path.file_stem().map_or("trace".into(), |stem| stem.to_string_lossy()).into_owned(),
        }
    }

    fn options(&self) -> Options {
        let format = self.format.map(|format| match format {
            FormatName::Validate => Format::Validate,
            FormatName::Ascii => Format::Ascii,
            FormatName::Srt => Format::Srt,
        });
        Options { format, device: self.device, sort_window: self.sort_window }
    }

    /// The mode, given whether the trace holds pauses.
    fn mode(&self, holds_pauses: bool) -> Mode {
        match self.mode {
            Some(ModeName::Asap) => Mode::AsFastAsPossible { outstanding: self.outstanding.unwrap_or(1) },
            Some(ModeName::Closed) => Mode::Closed,
            Some(ModeName::Open) => Mode::Open,
            None if holds_pauses => Mode::Closed,
            None => Mode::Open,
        }
    }
}

fn replay(args: &Args, system: &System, recorder: &mut Recorder) -> Result<Replayed, Failure> {
    match &args.trace {
        None => load::synthetic(args, system, recorder),
        Some(path) if path.as_os_str() == "-" => {
            let (meter, input) = Meter::of_trace(&args.title(), None, io::stdin().lock());
            recorder.watch(meter);
            load::trace(args, "standard input", input, system, recorder)
        }
        Some(path) => {
            let file = File::open(path).map_err(|error| Failure::io(path, &error))?;
            let bytes = file.metadata().ok().filter(Metadata::is_file).map(|data| data.len());
            let input = BufReader::with_capacity(BUFFER_BYTES, file);
            let (meter, input) = Meter::of_trace(&args.title(), bytes, input);
            recorder.watch(meter);
            load::trace(args, &path.display().to_string(), input, system, recorder)
        }
    }
}
