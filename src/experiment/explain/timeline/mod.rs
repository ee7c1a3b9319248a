//! A window of one run as slices for Chrome and Perfetto, or as a waveform for GTKWave and Surfer.
//!
//! Models: what every request, the processor, each cable and bus engine and each drive's mechanism are at, in order of
//! time, written while the run goes on.
//! Leaves out: where in its round a burst lies, which the train model does not fix; bursts are laid out in order of
//! request, see `trains.rs`.
//! Invariant: slices of one track nest or follow each other, they never overlap otherwise; one engine at a time has
//! FRAME.

mod chrome;
mod recorder;
mod signals;
mod trains;
mod wave;

use std::io::{self, Write};

use super::super::pool::{RunError, replication_seed, run_probed};
use crate::machine::{MachineSpec, SeekTables};
use crate::scenario::{Point, RunSpec, Scenario, machine_spec};
use crate::units::{Instant, Span};
use recorder::Recorder;

/// The form of a timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// JSON in Chrome's trace event format, which Perfetto reads too: requests with their stages, and a track a resource.
    Chrome,
    /// A Value Change Dump: processor, driver, REQ, GNT and FRAME of each engine, cables, mechanisms.
    Wave,
}

impl Format {
    /// The form that a file of this extension has.
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "json" => Some(Format::Chrome),
            "vcd" => Some(Format::Wave),
            _ => None,
        }
    }
}

/// A part of a run, in time since power-on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its start.
    pub from: Instant,
    /// Its end, which does not belong to it.
    pub until: Instant,
}

/// Why a window cannot be shown.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum WindowError {
    /// An end that is no time.
    #[error(
        "a window from {from_s} s to {to_s} s is no span of time; both are seconds since power-on, 0 or more"
    )]
    NoTime {
        /// Start, s.
        from_s: f64,
        /// End, s.
        to_s: f64,
    },
    /// Nothing lies in it.
    #[error(
        "the window from {from_s} s to {to_s} s is empty; let it end at least a nanosecond after its start"
    )]
    Empty {
        /// Start, s.
        from_s: f64,
        /// End, s.
        to_s: f64,
    },
    /// It ends after the run.
    #[error(
        "the window ends at {to_s} s, but the run ends at {run_s} s ({ramp_s} s of ramp-up and {measure_s} s of recording); \
         let it end by then, or record longer: --set run.measure_s={}", longer(*to_s, *ramp_s)
    )]
    BeyondRun {
        /// End, s.
        to_s: f64,
        /// End of the run, s.
        run_s: f64,
        /// Ramp-up, s.
        ramp_s: f64,
        /// Recording, s.
        measure_s: f64,
    },
}

/// A recording long enough for a window that ends at `to_s`.
fn longer(to_s: f64, ramp_s: f64) -> f64 {
    (to_s - ramp_s).ceil().max(1.0)
}

impl Window {
    /// The window from `from_s` to `to_s` seconds after power-on of a run of this length.
    ///
    /// # Errors
    /// A window that is not a span of time, is shorter than a nanosecond, or does not end with the run.
    pub fn new(from_s: f64, to_s: f64, run: &RunSpec) -> Result<Window, WindowError> {
        if !(from_s.is_finite() && to_s.is_finite() && from_s >= 0.0 && to_s >= 0.0) {
            return Err(WindowError::NoTime { from_s, to_s });
        }
        let (ramp_s, measure_s) = (run.ramp_s, run.measure_s);
        let run_s = ramp_s + measure_s;
        if to_s > run_s {
            return Err(WindowError::BeyondRun { to_s, run_s, ramp_s, measure_s });
        }
        let at = |s: f64| Instant::ZERO + Span::from_s(s);
        let window = Window { from: at(from_s), until: at(to_s) };
        if window.until.since(window.from) < Span::from_ns(1) {
            return Err(WindowError::Empty { from_s, to_s });
        }
        Ok(window)
    }
}

/// Why a timeline could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TimelineError {
    /// The run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The file.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// What the tracks of a machine are called.
#[derive(Clone, Debug)]
struct Names {
    title: String,
    /// By index.
    drives: Vec<String>,
    channels: u16,
}

impl Names {
    fn of(scenario: &Scenario, point: &Point, spec: &MachineSpec) -> Names {
        Names {
            title: format!("{}, array {}", scenario.name, point.array),
            drives: spec.drives.iter().map(|drive| drive.id.clone()).collect(),
            channels: spec.controller.channels as u16,
        }
    }
}

/// Runs the first replication of a point and writes a window of it to `out`, while it runs.
///
/// # Errors
/// A run that could not be finished, or the first error of `out`.
pub fn timeline(
    scenario: &Scenario,
    point: &Point,
    window: Window,
    format: Format,
    out: &mut dyn Write,
) -> Result<(), TimelineError> {
    let spec = machine_spec(scenario, point);
    let seed = replication_seed(scenario.run.seed, 0);
    let names = Names::of(scenario, point, &spec);
    match format {
        Format::Chrome => {
            let mut recorder =
                Recorder::new(window, chrome::Chrome::new(names.clone(), window, out)?, &names);
            run_probed(scenario, point, &spec, seed, &mut recorder, &SeekTables::default())?;
            recorder.finish()?.end()?;
        }
        Format::Wave => {
            let mut recorder = Recorder::new(window, wave::Wave::new(&names, window, out)?, &names);
            run_probed(scenario, point, &spec, seed, &mut recorder, &SeekTables::default())?;
            recorder.finish()?.end(window)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
