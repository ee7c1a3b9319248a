//! A model fitted to a trace.

mod choices;

use std::convert::Infallible;

use super::anchor::Surface;
use super::angles::{Angles, angles};
use super::apply::{range_cylinders, with_whole_sources};
use super::arms::{Arm, arms};
use super::curve;
use super::direction::inward;
use super::follow::{Followed, follow};
use super::least::least_seek_beside;
use super::observed::{Observed, Pause};
use super::refine::{FOLDS, Trace, refined};
use super::seeks::{Bound, best_shift};
use super::sight::{NoClock, sight};
use super::skews::resultant;
use super::spans::{MISSES, extra_misses, misses, moved, spans};
use super::starts::{leads_data, with_same_lead};
use super::sureness::SkewFigure;
use super::switches::SWITCHES;
use super::tune::{self, Figure};
use crate::config::Provenance;
use crate::drive::spec::{FastWrite, SeekCurve, WriteSeek};
use crate::drive::{DriveSpec, InterfaceSpec, SeekTable};
use crate::replay::{Stopped, System};
use crate::sim::{Stream, Streams};
use crate::workload::trace::TraceRequest;

/// How a fit is made.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of its resamples.
    pub seed: u64,
    /// Rounds over all timing figures, each of which follows the trace some times.
    pub rounds: usize,
    /// Evaluations of each of the searches at the end; each serves the trace once. At most some hundred.
    pub evaluations: usize,
    /// What the trace is called in the sources of the figures (`atlas10k.trace, first half`).
    pub trace: String,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, rounds: 4, evaluations: 140, trace: "a trace".to_owned() }
    }
}

/// Where a fit is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stage {
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub of: usize,
    /// Error of single requests at the measured times, in ms, so far.
    pub rms_error_ms: f64,
}

/// A fitted model and what it was fitted from.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The model; each figure that was fitted says so in its sources.
    pub spec: DriveSpec,
    /// Where the pauses of the trace lie.
    pub pause: Pause,
    /// Mean resultant length of pairs of completions within a zone, by the model that was the start and by the fit:
    /// 1 when the platters are where the model has them.
    pub resultants: (f64, f64),
    /// The 95 % interval of the time of a turn, in ms; none where the trace is too short for one.
    pub turn_interval: Option<(f64, f64)>,
    /// The skews of each zone that completions tell, with their intervals.
    pub skews: Vec<SkewFigure>,
    /// The figures, with their intervals.
    pub figures: Vec<Figure>,
    /// Root mean square error of single requests at the measured times, in ms, before and after.
    pub rms_error_ms: (f64, f64),
}

/// Why there is no fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The trace is too short.
    #[error("{requests} requests are too few to fit a model to: use at least {REQUESTS_LEAST}")]
    TooShort {
        /// Requests that there are.
        requests: usize,
    },
    /// The trace knows one place only.
    #[error("all requests begin at block {lba}: they tell nothing of seeks")]
    OneAddress {
        /// The block.
        lba: u64,
    },
    /// The trace shows no platter.
    #[error(transparent)]
    NoClock(#[from] NoClock),
    /// The trace cannot be served by the start model.
    #[error("the start model cannot serve the trace: {}", .0.cause)]
    Replay(Stopped<Infallible>),
}

/// Requests without which no fit is tried.
const REQUESTS_LEAST: usize = 200;

/// Fits `start` to `requests`, which were measured on one drive with one request outstanding.
///
/// # Errors
/// There are too few requests, they show no platter, or the model cannot serve them.
pub fn fit(
    start: &DriveSpec,
    requests: &[TraceRequest],
    options: &Options,
    progress: impl FnMut(Stage),
) -> Result<Fit, FitError> {
    if requests.len() < REQUESTS_LEAST {
        return Err(FitError::TooShort { requests: requests.len() });
    }
    let lba = requests[0].extent.lba;
    if requests.iter().all(|request| request.extent.lba == lba) {
        return Err(FitError::OneAddress { lba });
    }
    let start = &with_whole_sources(start);
    let surface = Surface::new(start);
    let seen = sight(requests, &surface, start.nominal_revolution().as_ms())?;
    let resultant_before =
        resultant(&seen.sightings(&surface), start.zones.len(), seen.clock.turn_ms, range_cylinders(start));
    let (plain, with_slips) = angles(start, &surface, &seen);
    let mut work = Work {
        spec: plain.spec,
        observed: seen.observed,
        random: Streams::new(options.seed).stream("calibration", "bootstrap"),
        figures: Vec::new(),
        inward: None,
        trace: options.trace.clone(),
    };
    let trace = Trace::new(requests, seen.pause);
    let before = rms(&work.follow(start)?);
    let found = match with_slips {
        Some(found) if work.takes_slips(&found)? => found.sure,
        _ => plain.sure,
    };
    let steps = 2 * options.rounds + options.rounds.min(CHOICE_ROUNDS) * SWITCHES.len() + 1 + FOLDS;
    let mut steps = Steps::new(steps, before, progress);
    for round in 0..options.rounds {
        work.time(round, round + 1 == options.rounds)?;
        work.lead()?;
        steps.one();
        if round < CHOICE_ROUNDS {
            for switches in SWITCHES.chunk_by(|a, b| a.fields == b.fields) {
                work.choose(switches, || steps.one())?;
            }
        }
        steps.done(&work)?;
    }
    let mut spans = work.spans()?;
    steps.done(&work)?;
    let is_refined = work.refine(&trace, options.evaluations, || steps.one())?;
    work.state(&mut spans, is_refined);
    let after = rms(&work.follow(&work.spec)?);
    let inward_ms = work.spec.inward_seek_extra_ms;
    work.figures.extend(work.inward.take().filter(|figure| figure.value == inward_ms));
    work.source("turn_ms", &found.turn_in_words());
    work.source("rpm", "as turn_ms, to a whole number");
    work.source("skew", &found.skews_in_words());
    Ok(Fit {
        spec: work.spec,
        pause: seen.pause,
        resultants: (resultant_before, found.resultant),
        turn_interval: found.turn_interval,
        skews: found.skews,
        figures: work.figures,
        rms_error_ms: (before, after),
    })
}

/// How far a fit is, for whoever waits.
struct Steps<F> {
    stage: Stage,
    progress: F,
}

impl<F: FnMut(Stage)> Steps<F> {
    fn new(of: usize, rms_error_ms: f64, mut progress: F) -> Self {
        let stage = Stage { done: 0, of, rms_error_ms };
        progress(stage);
        Steps { stage, progress }
    }

    /// One more.
    fn one(&mut self) {
        self.stage.done += 1;
        (self.progress)(self.stage);
    }

    /// One more, after which the model may err less.
    fn done(&mut self, work: &Work) -> Result<(), FitError> {
        self.stage.rms_error_ms = rms(&work.follow(&work.spec)?);
        self.one();
        Ok(())
    }
}

/// A fit under way.
struct Work {
    spec: DriveSpec,
    observed: Vec<Observed>,
    random: Stream,
    figures: Vec<Figure>,
    /// The last difference of the ways of a seek that was tried.
    inward: Option<Figure>,
    trace: String,
}

impl Work {
    fn follow(&self, spec: &DriveSpec) -> Result<Vec<Followed>, FitError> {
        follow(&System::single(spec.clone()), &self.observed).map_err(FitError::Replay)
    }

    fn source(&mut self, field: &str, how: &str) {
        let text = format!("{how} ({})", self.trace);
        self.spec.sources.insert(field.to_owned(), Provenance::Fitted(text));
    }

    /// Takes slipped tracks if single requests come out better.
    fn takes_slips(&mut self, found: &Angles) -> Result<bool, FitError> {
        let Some((tracks, within)) = found.slips else { return Ok(false) };
        // More slips than the drive has room for cannot be served.
        let Ok(followed) = self.follow(&found.spec) else { return Ok(false) };
        let old = error(&self.follow(&self.spec)?, &self.spec);
        if error(&followed, &found.spec) >= CHOICE * old {
            return Ok(false);
        }
        self.spec = found.spec.clone();
        self.spec.sources.retain(|path, _| !path.starts_with("defects."));
        let how = format!(
            "{tracks} slipped tracks beside those listed, from the angles behind them; half of their places known to \
             within {within:.0} tracks"
        );
        self.source("defects", &how);
        Ok(true)
    }

    /// One round over all times.
    fn time(&mut self, round: usize, last: bool) -> Result<(), FitError> {
        let mut figures = Vec::new();
        for write in [false, true] {
            figures.extend(self.answered(write)?);
        }
        if last {
            for figure in &figures {
                let (low, high) = figure.interval;
                let how = format!("{low:.4} to {high:.4} ms at 95 % from {} requests", figure.requests);
                self.source(figure.field, &how);
            }
            self.figures = figures;
        }
        self.guarded(Work::least_seek)?;
        let better = least_seek_beside(&self.spec, |tried| Ok(error(&self.follow(tried)?, tried)))?;
        if let Some(better) = better {
            self.spec = better;
            self.source("interface.minimum_read_seek_ms", "single requests come out best with it");
        }
        self.guarded(Work::overheads)?;
        if leads_data(&self.spec) {
            self.guarded(|work, arms| work.spec = with_same_lead(&work.spec, arms))?;
        }
        self.guarded(Work::direction)?;
        if round < SEEK_ROUNDS {
            self.guarded(|work, arms| work.seek(arms, false))?;
            self.guarded(|work, arms| work.seek(arms, true))?;
        }
        Ok(())
    }

    /// The overheads of answered requests, unless single requests come out worse.
    fn answered(&mut self, write: bool) -> Result<Vec<Figure>, FitError> {
        // Where every write waits for the medium none is answered before.
        let waits = |spec: &InterfaceSpec| match spec {
            InterfaceSpec::Scsi(scsi) => scsi.fast_write == FastWrite::Off,
            _ => false,
        };
        if write && waits(&self.spec.interface) {
            return Ok(Vec::new());
        }
        let followed = self.follow(&self.spec)?;
        let (before, spec) = (small_error(&followed, &self.spec), self.spec.clone());
        let figures = tune::answered(&mut self.spec, &followed, write, &mut self.random);
        if small_error(&self.follow(&self.spec)?, &self.spec) > before * NOISE {
            self.spec = spec;
            return Ok(Vec::new());
        }
        Ok(figures)
    }

    /// The figures that the turns of single requests tell, with their intervals.
    fn spans(&mut self) -> Result<Vec<Figure>, FitError> {
        let followed = self.follow(&self.spec)?;
        Ok(spans(&self.spec, &arms(&self.spec, &followed), &mut self.random))
    }

    /// States `figures`, whose values may have moved, in the sources of those that were fitted.
    fn state(&mut self, figures: &mut Vec<Figure>, is_refined: bool) {
        moved(figures, &self.spec);
        let how = match is_refined {
            true => {
                "from the turns that requests took or did not take and the distribution of response times"
            }
            false => "from the turns that requests took or did not take",
        };
        for figure in figures.iter().filter(|figure| figure.cylinders.is_none()) {
            let (low, high) = figure.interval;
            let text = format!("{low:.4} to {high:.4} ms at 95 %, {how}; {} requests", figure.requests);
            self.source_if_fitted(figure.field, &text);
        }
        for field in ["seek", "write_seek"] {
            let places = figures.iter().filter(|figure| figure.field == field).filter_map(|figure| {
                let (low, high) = figure.interval;
                Some(format!("{low:.3} to {high:.3} ms over {} cylinders", figure.cylinders?))
            });
            let places = places.collect::<Vec<_>>().join(", ");
            if !places.is_empty() {
                self.source_if_fitted(field, &format!("{how}; at 95 %: {places}"));
            }
        }
        self.figures.append(figures);
    }

    /// The same as [`source`](Self::source), of a field that this fit has found.
    fn source_if_fitted(&mut self, field: &str, how: &str) {
        if matches!(self.spec.sources.get(field), Some(Provenance::Fitted(_))) {
            self.source(field, how);
        }
    }

    /// Moves a few figures together by the distributions of response times; false if that helps nothing.
    fn refine(&mut self, trace: &Trace, evaluations: usize, tell: impl FnMut()) -> Result<bool, FitError> {
        let mut random = self.random.clone();
        let followed_ms = |spec: &DriveSpec| Ok(rms(&self.follow(spec)?));
        let refined = refined(&self.spec, trace, evaluations, &mut random, followed_ms, tell)?;
        self.random = random;
        let Some(refined) = refined else { return Ok(false) };
        self.spec = refined.spec;
        for field in refined.fields {
            self.source(field, "moved to where response times are distributed as the measured ones");
        }
        Ok(true)
    }

    /// Takes a step, and takes it back if single requests come out worse.
    fn guarded(&mut self, step: impl FnOnce(&mut Work, &[Arm])) -> Result<(), FitError> {
        let followed = self.follow(&self.spec)?;
        let (before, spec) = (error(&followed, &self.spec), self.spec.clone());
        step(self, &arms(&spec, &followed));
        if self.spec != spec && error(&self.follow(&self.spec)?, &self.spec) > before {
            self.spec = spec;
        }
        Ok(())
    }

    /// The overheads of requests that need the platters, each class apart.
    fn overheads(&mut self, arms: &[Arm]) {
        let leads = leads_data(&self.spec);
        for (write, after_write, field) in MISSES {
            let bounds = misses(arms, write, after_write);
            // Where writes wait for their data, seeks alone do not tell.
            if (!write || !leads) && bounds.len() >= ARMS_LEAST {
                tune::overhead(&mut self.spec, write, false, after_write, best_shift(&bounds));
                self.source(field, "from the turns that requests took or did not take");
            }
        }
        let bounds = extra_misses(arms);
        if let InterfaceSpec::Scsi(scsi) = &mut self.spec.interface
            && let Some(extra) = scsi.extra_write_disconnect.as_mut().filter(|_| bounds.len() >= ARMS_LEAST)
        {
            extra.seek_ms = (extra.seek_ms + best_shift(&bounds)).max(-extra.command_ms);
            let field = "interface.extra_write_disconnect.seek_ms";
            self.source(field, "from the turns that requests took or did not take");
        }
    }

    /// How much longer seeks towards the spindle take.
    fn direction(&mut self, arms: &[Arm]) {
        let Some(found) = inward(arms, &mut self.random) else { return };
        let old_ms = self.spec.inward_seek_extra_ms;
        let extra_ms = (old_ms + found.extra_ms).clamp(-INWARD_MS_MAX, INWARD_MS_MAX);
        self.spec.inward_seek_extra_ms = extra_ms;
        let how = format!(
            "{:.2} to {:.2} ms at 95 % from the turns that {} seeks each way took or did not take",
            old_ms + found.interval.0,
            old_ms + found.interval.1,
            found.requests
        );
        self.source("inward_seek_extra_ms", &how);
        self.inward = Some(Figure {
            field: "inward_seek_extra_ms",
            value: extra_ms,
            interval: (old_ms + found.interval.0, old_ms + found.interval.1),
            requests: found.requests,
            cylinders: None,
        });
    }

    /// The least seek, from requests that stayed on their cylinder.
    fn least_seek(&mut self, arms: &[Arm]) {
        for write in [false, true] {
            let still: Vec<(Bound, f64)> = arms
                .iter()
                .filter(|arm| arm.write == write && arm.bound.distance == 0)
                .map(|arm| (arm.bound, arm.decode_ms))
                .collect();
            if still.len() < ARMS_LEAST {
                continue;
            }
            let least_ms = best_shift(&still).max(0.0);
            let InterfaceSpec::Scsi(scsi) = &mut self.spec.interface else { return };
            let (to, field) = match write {
                false => (&mut scsi.minimum_read_seek_ms, "interface.minimum_read_seek_ms"),
                true => (&mut scsi.minimum_seek_ms, "interface.minimum_seek_ms"),
            };
            *to = least_ms;
            self.source(field, "from requests on the cylinder of the one before");
        }
    }

    /// The seek curve of reads or of writes, corrected if that holds for bounds that it was not read from.
    fn seek(&mut self, arms: &[Arm], write: bool) {
        let old = SeekTable::new(&self.spec, self.spec.cylinders());
        let old_ms = |distance| if write { old.write(distance).as_ms() } else { old.read(distance).as_ms() };
        let seeks = curve::bounds(arms, write, old_ms);
        let Some(correction) = curve::better(&seeks, old_ms) else { return };
        let longest = self.spec.cylinders().saturating_sub(1);
        let knots = curve::corrected(old_ms, &correction, longest);
        let field = if write { "write_seek" } else { "seek" };
        if write {
            self.spec.write_seek = WriteSeek::Own(SeekCurve::Measured(knots));
        } else {
            self.spec.seek = SeekCurve::Measured(knots);
            self.spec.quoted_average_ms = None;
        }
        self.source(field, "from the turns that requests took or did not take");
    }
}

/// Greatest difference of the ways of a seek that a model may state.
const INWARD_MS_MAX: f64 = 5.0;
/// Requests that an overhead or a least seek needs.
const ARMS_LEAST: usize = 30;
/// Rounds in which seek curves are corrected: later ones find no more.
const SEEK_ROUNDS: usize = 2;
/// What an error may grow by chance: a turn more or less of single requests.
const NOISE: f64 = 1.001;
/// Rounds in which the choices are looked at: the second time with times that are about right.
const CHOICE_ROUNDS: usize = 2;
/// A choice must lower the error to so much of what it was.
const CHOICE: f64 = 0.985;

/// Root mean square error of single requests, in ms.
fn rms(followed: &[Followed]) -> f64 {
    let squares: f64 = followed.iter().map(|one| one.error_ms().powi(2)).sum();
    (squares / followed.len().max(1) as f64).sqrt()
}

/// Mean error of single requests, in ms, with errors of more than a tenth of a turn taken for that: what an overhead
/// decides, which a turn more or less of a few requests must not hide.
fn small_error(followed: &[Followed], spec: &DriveSpec) -> f64 {
    let most_ms = 0.1 * spec.nominal_revolution().as_ms();
    let sum: f64 = followed.iter().map(|one| one.error_ms().abs().min(most_ms)).sum();
    sum / followed.len().max(1) as f64
}

/// The root mean square with errors of more than a turn taken for a turn: what a mechanism decides are turns and hits.
fn error(followed: &[Followed], spec: &DriveSpec) -> f64 {
    let turn_ms = spec.nominal_revolution().as_ms();
    let squares: f64 = followed.iter().map(|one| one.error_ms().abs().min(turn_ms).powi(2)).sum();
    (squares / followed.len().max(1) as f64).sqrt()
}
