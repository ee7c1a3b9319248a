//! A model fitted to a trace.

use std::convert::Infallible;

use super::anchor::Surface;
use super::apply::{range_cylinders, with_skews, with_turn};
use super::arms::{Arm, arms};
use super::follow::{Followed, follow};
use super::observed::{Observed, Pause};
use super::seeks::{Bound, best_shift, broken, free_curve, monotone_curve};
use super::sight::{NoClock, Sight, sight};
use super::skews::skews;
use super::switches::SWITCHES;
use super::tune::{self, Figure};
use crate::config::Provenance;
use crate::drive::seek::interpolated;
use crate::drive::spec::{SeekCurve, WriteSeek};
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
    /// What the trace is called in the sources of the figures (`atlas10k.trace, first half`).
    pub trace: String,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, rounds: 4, trace: "a trace".to_owned() }
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
    /// The trace shows no platter.
    #[error(transparent)]
    NoClock(#[from] NoClock),
    /// The start model is made for another kind of interface.
    #[error(
        "the start model has no SCSI-like interface: its buffer has other figures than those that are fitted here"
    )]
    Interface,
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
    mut progress: impl FnMut(Stage),
) -> Result<Fit, FitError> {
    if requests.len() < REQUESTS_LEAST {
        return Err(FitError::TooShort { requests: requests.len() });
    }
    if !matches!(start.interface, InterfaceSpec::Scsi(_)) {
        return Err(FitError::Interface);
    }
    let surface = Surface::new(start);
    let mut seen = sight(requests, &surface, start.nominal_revolution().as_ms())?;
    let (spec, resultants) = angles(start, &surface, &mut seen);
    let mut work = Work {
        spec,
        observed: seen.observed,
        random: Streams::new(options.seed).stream("calibration", "bootstrap"),
        figures: Vec::new(),
        trace: options.trace.clone(),
    };
    let before = rms(&work.follow(start)?);
    let steps = options.rounds + SWITCHES.len();
    let mut done = 0;
    let mut tell = |work: &Work, done: &mut usize| -> Result<f64, FitError> {
        *done += 1;
        let error = rms(&work.follow(&work.spec)?);
        progress(Stage { done: *done, of: steps, rms_error_ms: error });
        Ok(error)
    };
    for round in 0..options.rounds {
        work.time(round + 1 == options.rounds)?;
        if round == 0 {
            for switch in &SWITCHES {
                work.choose(switch)?;
                tell(&work, &mut done)?;
            }
        }
        tell(&work, &mut done)?;
    }
    let after = rms(&work.follow(&work.spec)?);
    work.source("turn_ms", "from the completions of requests on one cylinder");
    work.source("skew", "from the angles between completions; published skews need not be true angles");
    Ok(Fit {
        spec: work.spec,
        pause: seen.pause,
        resultants,
        figures: work.figures,
        rms_error_ms: (before, after),
    })
}

/// The model with the true time of a turn and the true angles of its tracks.
fn angles(start: &DriveSpec, surface: &Surface, seen: &mut Sight) -> (DriveSpec, (f64, f64)) {
    let range = range_cylinders(start);
    let fits = skews(&seen.sightings(surface), start.zones.len(), seen.clock.turn_ms, range);
    let pairs: f64 = fits.iter().map(|fit| fit.pairs as f64).sum();
    let mean = |of: fn(&super::skews::ZoneSkewFit) -> f64| {
        fits.iter().map(|fit| of(fit) * fit.pairs as f64).sum::<f64>() / pairs.max(1.0)
    };
    let resultants = (mean(|fit| fit.resultant_before), mean(|fit| fit.resultant));
    let turned = with_skews(start, surface, &fits);
    let phase = seen.refine(&Surface::new(&turned));
    (with_turn(&turned, seen.clock.turn_ms, phase), resultants)
}

/// A fit under way.
struct Work {
    spec: DriveSpec,
    observed: Vec<Observed>,
    random: Stream,
    figures: Vec<Figure>,
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

    /// One round over all times.
    fn time(&mut self, last: bool) -> Result<(), FitError> {
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
        self.guarded(Work::overheads)?;
        self.guarded(|work, arms| work.seek(arms, false))?;
        self.guarded(|work, arms| work.seek(arms, true))
    }

    /// The overheads of answered requests, unless single requests come out worse.
    fn answered(&mut self, write: bool) -> Result<Vec<Figure>, FitError> {
        let followed = self.follow(&self.spec)?;
        let (before, spec) = (error(&followed, &self.spec), self.spec.clone());
        let figures = tune::answered(&mut self.spec, &followed, write, &mut self.random);
        if error(&self.follow(&self.spec)?, &self.spec) > before * NOISE {
            self.spec = spec;
            return Ok(Vec::new());
        }
        Ok(figures)
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
        for write in [false, true] {
            for after_write in [false, true] {
                let bounds: Vec<(Bound, f64)> = arms
                    .iter()
                    .filter(|arm| {
                        (arm.write, arm.after_write) == (write, after_write) && arm.bound.distance > 0
                    })
                    .map(|arm| (arm.bound, arm.model_ms))
                    .collect();
                if bounds.len() < ARMS_LEAST {
                    continue;
                }
                let shift = best_shift(&bounds);
                tune::overhead(&mut self.spec, write, false, after_write, shift);
                let field = match (write, after_write) {
                    (false, false) => "overhead.read_miss_ms",
                    (false, true) => "overhead.read_miss_after_write_ms",
                    (true, false) => "overhead.write_miss_ms",
                    (true, true) => "overhead.write_miss_after_write_ms",
                };
                self.source(field, "from the turns that requests took or did not take");
            }
        }
    }

    /// The least seek, from requests that stayed on their cylinder.
    fn least_seek(&mut self, arms: &[Arm]) {
        for write in [false, true] {
            let still: Vec<(Bound, f64)> = arms
                .iter()
                .filter(|arm| arm.write == write && arm.bound.distance == 0)
                .map(|arm| (arm.bound, self.spec.overhead.decode_ms(write, false, arm.after_write)))
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

    /// The seek curve of reads or of writes: that of the start, or one of the bounds if it breaks clearly fewer of the
    /// bounds that it has not seen.
    fn seek(&mut self, arms: &[Arm], write: bool) {
        let seeks: Vec<Bound> = arms
            .iter()
            .filter(|arm| arm.write == write && arm.bound.distance > 0)
            .map(|arm| {
                let decode = self.spec.overhead.decode_ms(write, false, arm.after_write);
                Bound { most_ms: arm.bound.most_ms - decode, ..arm.bound }
            })
            .collect();
        let part = |odd: usize| -> Vec<Bound> {
            let mine = seeks.iter().enumerate().filter(|(index, _)| index / BLOCK % 2 == odd);
            mine.map(|(_, bound)| *bound).collect()
        };
        let (even, odd) = (part(0), part(1));
        let old = SeekTable::new(&self.spec, self.spec.cylinders());
        let old_ms = |distance| if write { old.write(distance).as_ms() } else { old.read(distance).as_ms() };
        let mut best = (CLEARLY * broken(&seeks, old_ms) as f64, None);
        for per_knot in BOUNDS_A_KNOT {
            for curve in [monotone_curve, free_curve] {
                // Half of the bounds are left out, so half as many make a knot.
                let unseen = |from: &[Bound], on: &[Bound]| -> Option<usize> {
                    let knots = curve(from, per_knot / 2)?;
                    Some(broken(on, |distance| interpolated(&knots, distance)))
                };
                let (Some(one), Some(other)) = (unseen(&even, &odd), unseen(&odd, &even)) else { continue };
                if ((one + other) as f64) < best.0 {
                    best = ((one + other) as f64, curve(&seeks, per_knot));
                }
            }
        }
        let Some(mut knots) = best.1 else { return };
        let longest = self.spec.cylinders().saturating_sub(1);
        if let Some(&(distance, ms)) = knots.last().filter(|last| last.0 < longest) {
            knots.push((longest, ms.max(old_ms(longest) + ms - old_ms(distance))));
        }
        let field = if write { "write_seek" } else { "seek" };
        if write {
            self.spec.write_seek = WriteSeek::Own(SeekCurve::Measured(knots));
        } else {
            self.spec.seek = SeekCurve::Measured(knots);
            self.spec.quoted_average_ms = None;
        }
        let inner = format!("{field}.");
        self.spec.sources.retain(|path, _| path != field && !path.starts_with(&inner));
        self.source(field, "from the turns that requests took or did not take");
    }

    /// Takes a choice if single requests come out better.
    fn choose(&mut self, switch: &super::switches::Switch) -> Result<(), FitError> {
        let Some(changed) = switch.of(&self.spec) else { return Ok(()) };
        let (old, new) =
            (error(&self.follow(&self.spec)?, &self.spec), error(&self.follow(&changed)?, &changed));
        if new < CHOICE * old {
            self.spec = changed;
            self.source(
                switch.field,
                &format!("{}: single requests come out better than otherwise", switch.name),
            );
        }
        Ok(())
    }
}

/// Requests that an overhead or a least seek needs.
const ARMS_LEAST: usize = 30;
/// Bounds that are left out or taken in together when a curve is judged by those that it has not seen.
const BLOCK: usize = 8;
/// Bounds behind a knot of a seek curve that are tried.
const BOUNDS_A_KNOT: [usize; 3] = [24, 40, 80];
/// What an error may grow by chance: a turn more or less of single requests.
const NOISE: f64 = 1.001;
/// A new seek curve must break so few of what the old one breaks.
const CLEARLY: f64 = 0.9;
/// A choice must lower the error to so much of what it was.
const CHOICE: f64 = 0.985;

/// Root mean square error of single requests, in ms.
fn rms(followed: &[Followed]) -> f64 {
    let squares: f64 = followed.iter().map(|one| one.error_ms().powi(2)).sum();
    (squares / followed.len().max(1) as f64).sqrt()
}

/// The same with errors of more than a turn taken for a turn: what a mechanism decides are turns and hits.
fn error(followed: &[Followed], spec: &DriveSpec) -> f64 {
    let turn_ms = spec.nominal_revolution().as_ms();
    let squares: f64 = followed.iter().map(|one| one.error_ms().abs().min(turn_ms).powi(2)).sum();
    (squares / followed.len().max(1) as f64).sqrt()
}
