//! The one obvious loop.

use super::event::Event;
use super::metrics::{DriveFigures, Measured, PlaybackFigures};
use super::{Machine, MachineSpec, Probe};
use crate::sim::{Fingerprint, Observer};
use crate::units::{Instant, Span};
use crate::workload::playback::Player;

/// How long a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunLength {
    /// Time before recording may start; it starts when the requests issued before have all completed.
    pub ramp: Span,
    /// Length of the recording.
    pub measure: Span,
}

/// Length of a run that ends when all has been played: without ramp-up, and so long that it is never reached.
const PLAYED: RunLength = RunLength { ramp: Span::ZERO, measure: Span::from_ps(u64::MAX / 2) };

/// A run that could not go on: a fault of the program, not of its input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Requests are in flight but nothing is left to happen.
    #[error("nothing is left to happen at {at:?} while requests are in flight:\n{state}")]
    Deadlock {
        /// When.
        at: Instant,
        /// State of every component.
        state: String,
    },
    /// Time stands still.
    #[error("time stands still at {at:?}:\n{state}")]
    Stall {
        /// When.
        at: Instant,
        /// State of every component.
        state: String,
    },
}

/// Result of a run.
pub type Outcome = Result<Measured, Fault>;

impl<P: Probe> Machine<P> {
    /// Runs the machine from power-on through ramp-up and recording. A playback is recorded from its first operation to
    /// the last, whatever `length` says.
    ///
    /// # Errors
    /// A [`Fault`] with the state of the machine, which is a fault of the program.
    pub fn run(self, spec: &MachineSpec, length: RunLength) -> Outcome {
        self.run_observed(spec, length, &mut ())
    }

    /// The same with an observer on the loop.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_observed(
        mut self,
        spec: &MachineSpec,
        length: RunLength,
        observer: &mut impl Observer<Event>,
    ) -> Outcome {
        let mut fingerprint = Fingerprint::default();
        let length = if self.load.playback().is_some() { PLAYED } else { length };
        self.metrics.ramp(length.ramp);
        for who in 0..self.load.parts() {
            self.pump(who);
        }
        let mut end = if self.metrics.started() { Instant::ZERO + length.measure } else { Instant::NEVER };
        let mut before = Busy::of(&self, Instant::ZERO);
        let plays = self.load.playback().is_some();
        loop {
            let Some((now, code)) = self.calendar.pop() else {
                return Err(Fault::Deadlock { at: self.calendar.now(), state: self.state() });
            };
            if now > end {
                break;
            }
            if self.calendar.stalled() {
                return Err(Fault::Stall { at: now, state: self.state() });
            }
            let event = code.event();
            fingerprint.on_event(now, &code);
            observer.on_event(now, &event);
            match event {
                Event::Host(event) => self.host_event(event),
                Event::Cable(channel, event) => self.cable_event(channel, event),
                Event::Drive(drive, event) => self.drive_event(drive, event),
            }
            if end == Instant::NEVER && self.metrics.started() {
                end = now + length.measure;
                before = self.start_recording(now);
            }
            if plays && self.load.playback().is_some_and(Player::is_over) {
                end = now;
                break;
            }
        }
        self.settle_bus(end);
        let span = if plays { end.since(Instant::ZERO) } else { length.measure };
        Ok(self.measured(spec, end, span, &before, fingerprint))
    }

    /// Resets the busy times, so that they cover the recording only.
    fn start_recording(&mut self, now: Instant) -> Busy {
        for channel in &mut self.channels {
            channel.busy = Span::ZERO;
            channel.busy_since = channel.busy_since.max(now);
        }
        self.settle_bus(now);
        Busy::of(self, now)
    }

    fn measured(
        &self,
        spec: &MachineSpec,
        end: Instant,
        span: Span,
        before: &Busy,
        fingerprint: Fingerprint,
    ) -> Measured {
        let metrics = &self.metrics;
        let (read_iops, write_iops, mib_s) = metrics.rates(span);
        let [reads, writes] = metrics.counted;
        let mean = |sum: Span, n: u64| if n == 0 { 0.0 } else { sum.as_ms() / n as f64 };
        let share = |busy: Span| busy.ps() as f64 / span.ps() as f64;
        let busy = Busy::of(self, end);
        let percentile = |p: f64| metrics.histogram.percentile(p).map_or(0.0, Span::as_ms);
        let cable = |channel: &super::Channel| {
            let open = channel.cable.owner().map_or(Span::ZERO, |_| end.since(channel.busy_since));
            share(channel.busy + open)
        };
        let mechanisms = busy.mechanisms.iter().zip(&before.mechanisms).map(|(&busy, &before)| busy - before);
        let drives = spec.drives.iter().zip(&self.slots).zip(mechanisms);
        let drives = drives.map(|((placement, slot), busy)| DriveFigures {
            id: placement.id.clone(),
            mechanism_utilisation: share(busy),
            counters: slot.drive.counters(),
        });
        Measured {
            measured_s: span.as_s(),
            requests: reads + writes,
            iops: read_iops + write_iops,
            read_iops,
            write_iops,
            mib_s,
            response_ms: mean(metrics.response[0] + metrics.response[1], reads + writes),
            read_response_ms: mean(metrics.response[0], reads),
            write_response_ms: mean(metrics.response[1], writes),
            response_max_ms: metrics.histogram.max().map_or(0.0, Span::as_ms),
            response_p50_ms: percentile(50.0),
            response_p95_ms: percentile(95.0),
            response_p99_ms: percentile(99.0),
            cpu_utilisation: share(busy.cpu - before.cpu),
            bus_utilisation: share(busy.bus - before.bus),
            cable_utilisation: self.channels.iter().map(cable).collect(),
            drives: drives.collect(),
            events: self.calendar.happened(),
            requests_total: metrics.total,
            fingerprint: fingerprint.value(),
            playback: self.load.playback().map(PlaybackFigures::of),
        }
    }

    /// The state of every component, for a fault's report.
    fn state(&self) -> String {
        use std::fmt::Write;
        let mut text = format!(
            "requests in flight {}, pieces {}, commands {}, driver: {} waiting, {} under way\n",
            self.requests.len(),
            self.srbs.len(),
            self.commands.len(),
            self.driver.waiting(),
            self.driver.under_way(),
        );
        for (index, channel) in self.channels.iter().enumerate() {
            let waiting: usize = channel.waiting.iter().map(|queue| queue.len()).sum();
            let owner = channel.cable.owner();
            let _ = writeln!(text, "channel {index}: owner {owner:?}, {waiting} waiting");
        }
        for (index, slot) in self.slots.iter().enumerate() {
            let busy = slot.drive.busy_until();
            let (entries, outstanding) = (slot.drive.cache().entries(), slot.outstanding);
            let _ = writeln!(
                text,
                "drive {index}: {outstanding} commands, {entries} dirty extents, busy until {busy:?}"
            );
        }
        text
    }
}

/// Busy times from power-on to an instant.
struct Busy {
    cpu: Span,
    bus: Span,
    mechanisms: Vec<Span>,
}

impl Busy {
    fn of<P>(machine: &Machine<P>, now: Instant) -> Busy {
        Busy {
            cpu: machine.cpu.busy_until(now),
            bus: machine.metrics.bus_busy,
            mechanisms: machine.slots.iter().map(|slot| slot.drive.mechanism_busy(now)).collect(),
        }
    }
}
