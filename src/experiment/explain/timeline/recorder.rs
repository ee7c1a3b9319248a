//! From the marks of a machine to signals and request slices.

use std::io;

use super::signals::{Changes, RequestSlice, Signal, Sink, Value};
use super::trains::Trains;
use super::{Names, Window};
use crate::drive::{Activity, Work};
use crate::experiment::explain::path::Paths;
use crate::experiment::explain::stage::Stretches;
use crate::machine::{Job, Mark, Probe, RequestId};
use crate::units::{Extent, Instant};

/// A request under way.
#[derive(Clone, Copy, Debug)]
struct Open {
    request: RequestId,
    worker: u16,
    slot: u32,
}

/// Writes what a machine tells into a sink.
pub(super) struct Recorder<S> {
    window: Window,
    sink: S,
    /// The first error of the sink; nothing more is written after it.
    fault: Option<io::Error>,
    changes: Changes,
    paths: Paths<Stretches>,
    open: Vec<Open>,
    /// What each command is for, in words.
    commands: Vec<String>,
    drives: Vec<String>,
    trains: Trains,
}

impl<S: Sink> Recorder<S> {
    pub fn new(window: Window, sink: S, names: &Names) -> Self {
        let mut changes = Changes::new(window);
        let mut idle = |signal, value| changes.set(Instant::ZERO, signal, value);
        idle(Signal::Processor, Value::words(""));
        for counter in [Signal::Requests, Signal::Waiting, Signal::UnderWay] {
            idle(counter, Value::Number(0));
        }
        for channel in 0..names.channels {
            idle(Signal::Cable(channel), Value::words(""));
            idle(Signal::Data(channel), Value::words(""));
            for line in [Signal::Req, Signal::Gnt, Signal::Frame] {
                idle(line(channel), Value::Line(false));
            }
        }
        for drive in 0..names.drives.len() as u16 {
            idle(Signal::Mechanism(drive), Value::words(""));
        }
        Recorder {
            window,
            sink,
            fault: None,
            changes,
            paths: Paths::default(),
            open: Vec::new(),
            commands: Vec::new(),
            drives: names.drives.clone(),
            trains: Trains::default(),
        }
    }

    /// Writes what is left, requests that are still under way included.
    ///
    /// # Errors
    /// The first error of the sink.
    pub fn finish(mut self) -> io::Result<S> {
        for open in std::mem::take(&mut self.open) {
            self.write_request(self.window.until, open, true);
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.changes.finish(&mut self.sink)?;
        Ok(self.sink)
    }

    fn keep(&mut self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.fault.get_or_insert(error);
        }
    }

    fn called(&mut self, now: Instant, request: RequestId, worker: u16) {
        let taken = |slot: u32| self.open.iter().any(|open| open.worker == worker && open.slot == slot);
        let slot = (0..).find(|&slot| !taken(slot)).unwrap_or_default();
        self.open.push(Open { request, worker, slot });
        self.changes.set(now, Signal::Requests, Value::Number(self.open.len() as u64));
    }

    fn returned(&mut self, now: Instant, request: RequestId) {
        let Some(place) = self.open.iter().position(|open| open.request == request) else { return };
        let open = self.open.remove(place);
        self.changes.set(now, Signal::Requests, Value::Number(self.open.len() as u64));
        self.write_request(now, open, false);
    }

    fn write_request(&mut self, until: Instant, open: Open, unfinished: bool) {
        let call = self.paths.call(open.request);
        if self.fault.is_some() || until <= self.window.from || call.called >= self.window.until {
            return;
        }
        let (_, stages) = self.paths.path(open.request);
        let slice = RequestSlice {
            worker: open.worker,
            slot: open.slot,
            extent: call.extent,
            write: call.write,
            from: call.called,
            until,
            open: unfinished,
            stages: &stages.0,
        };
        let outcome = self.sink.request(&slice);
        self.keep(outcome);
    }

    fn sent(&mut self, command: u32, drive: u16, extent: Extent, write: bool) {
        let index = command as usize;
        if self.commands.len() <= index {
            self.commands.resize(index + 1, String::new());
        }
        let name = self.drives.get(usize::from(drive)).map_or("", String::as_str);
        self.commands[index] = format!("{name} {}", in_words(write, extent));
    }

    fn words(&self, command: crate::drive::CommandId) -> Value {
        Value::Words(self.commands.get(command.0 as usize).cloned().unwrap_or_default())
    }

    /// Lays the bursts out that are asked for before `now`.
    fn lay_bursts(&mut self, now: Instant) {
        while let Some(burst) = self.trains.next(now) {
            if burst.ended <= self.window.from || burst.asked >= self.window.until {
                continue;
            }
            let mut set = |at, signal, value| self.changes.set(at, signal, Value::Line(value));
            // Granted at once, it keeps asking while it is served.
            let asks_until = if burst.granted == burst.asked { burst.ended } else { burst.granted };
            set(burst.asked, Signal::Req(burst.channel), true);
            set(asks_until, Signal::Req(burst.channel), false);
            for line in [Signal::Gnt, Signal::Frame] {
                set(burst.granted, line(burst.channel), true);
                set(burst.ended, line(burst.channel), false);
            }
        }
    }

    fn mechanism(&mut self, now: Instant, drive: u16, activity: &Activity) {
        let signal = Signal::Mechanism(drive);
        let Activity { work, operation, busy, end } = *activity;
        let at = match work {
            Work::Reading => "read",
            Work::Destaging => "destage",
            Work::WritingThrough => "write",
            Work::Idle => "",
        };
        let plan = [
            (operation.start, "seek"),
            (operation.arrived, "rotation"),
            (operation.begun, at),
            (busy, "read ahead"),
            (end, ""),
        ];
        let plan = if work == Work::Idle { &plan[4..] } else { &plan[..] };
        // Until the operation starts the mechanism is at what it was before.
        let from = plan[0].0.max(now);
        self.changes.retract(from, signal);
        for &(at, words) in plan {
            self.changes.set(at.max(from), signal, Value::words(words));
        }
    }
}

impl<S: Sink> Probe for Recorder<S> {
    fn mark(&mut self, now: Instant, mark: &Mark) {
        self.paths.mark(now, mark);
        if S::LINES {
            self.lay_bursts(now);
        }
        match *mark {
            Mark::Called { request, worker, .. } => self.called(now, request, worker),
            Mark::Processor { job, from, until } => {
                self.changes.set(from, Signal::Processor, Value::words(job_in_words(job)));
                self.changes.set(until, Signal::Processor, Value::words(""));
            }
            Mark::Queue { waiting, under_way } => {
                self.changes.set(now, Signal::Waiting, Value::Number(waiting as u64));
                self.changes.set(now, Signal::UnderWay, Value::Number(under_way));
            }
            Mark::Sent { command, drive, extent, write, .. } => self.sent(command.0, drive, extent, write),
            Mark::Granted { command, channel } => {
                self.changes.set(now, Signal::Cable(channel), self.words(command));
            }
            Mark::Released { channel, .. } => {
                self.changes.set(now, Signal::Cable(channel), Value::words(""));
            }
            Mark::Begun { command, channel, plan } => {
                self.changes.set(now, Signal::Data(channel), self.words(command));
                self.trains.begin(now, channel, plan);
            }
            Mark::Paced { channel, period, .. } => self.trains.pace(now, channel, period),
            Mark::Transferred { channel, .. } => {
                self.changes.set(now, Signal::Data(channel), Value::words(""));
                self.trains.end(channel);
            }
            Mark::Drive { drive, activity } => self.mechanism(now, drive, &activity),
            Mark::Returned { request, .. } => self.returned(now, request),
            _ => {}
        }
        if self.fault.is_none() {
            let outcome = self.changes.pass(now, &mut self.sink);
            self.keep(outcome);
        }
    }
}

pub(super) fn in_words(write: bool, extent: Extent) -> String {
    format!("{} {} sectors at {}", if write { "write" } else { "read" }, extent.sectors, extent.lba)
}

fn job_in_words(job: Job) -> &'static str {
    match job {
        Job::Issue(_) => "issue",
        Job::Dispatch(_) => "dispatch",
        Job::Select(_) => "select",
        Job::Move(_) => "move data",
        Job::Interrupt(_) => "interrupt",
        Job::Complete(_) => "complete",
    }
}
