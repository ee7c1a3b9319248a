//! What changes over time, and putting changes that are known ahead into order.

use std::collections::BTreeMap;
use std::io;

use super::Window;
use crate::experiment::explain::stage::Stretch;
use crate::units::{Extent, Instant};

/// Something that has a value at every instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Signal {
    /// What the processor does.
    Processor,
    /// Requests of the program under way.
    Requests,
    /// Pieces in the driver's queue.
    Waiting,
    /// Pieces in the array.
    UnderWay,
    /// Whose command owns the cable, by channel.
    Cable(u16),
    /// What crosses cable and bus, by channel.
    Data(u16),
    /// The engine of a channel wants the bus.
    Req(u16),
    /// It has been granted the bus.
    Gnt(u16),
    /// It is on the bus.
    Frame(u16),
    /// What a drive's mechanism does.
    Mechanism(u16),
}

/// The value of a signal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// In words; none while it is idle.
    Words(String),
    /// A count.
    Number(u64),
    /// Asserted or not.
    Line(bool),
}

impl Value {
    pub fn words(text: &str) -> Value {
        Value::Words(text.to_owned())
    }
}

/// A request as a slice.
#[derive(Clone, Debug)]
pub(super) struct RequestSlice<'a> {
    pub worker: u16,
    /// Which of the worker's requests in flight, from 0.
    pub slot: u32,
    pub extent: Extent,
    pub write: bool,
    pub from: Instant,
    pub until: Instant,
    /// It is still under way at `until`.
    pub open: bool,
    pub stages: &'a [Stretch],
}

/// Where a timeline goes: changes come in order of time and within the window, the first of each signal at its start.
pub(super) trait Sink {
    /// Whether it wants to know of the bus lines, burst by burst.
    const LINES: bool;
    /// A signal has a new value.
    fn change(&mut self, at: Instant, signal: Signal, value: &Value) -> io::Result<()>;
    /// A request that lies in the window, or a part of it.
    fn request(&mut self, slice: &RequestSlice) -> io::Result<()>;
}

/// Changes on their way to a sink.
#[derive(Debug)]
pub(super) struct Changes {
    window: Window,
    /// Known ahead, not passed on yet.
    ahead: BTreeMap<(Instant, Signal), Value>,
    /// Values as passed on, or before the window.
    present: BTreeMap<Signal, Value>,
    started: bool,
}

impl Changes {
    pub fn new(window: Window) -> Self {
        Changes { window, ahead: BTreeMap::new(), present: BTreeMap::new(), started: false }
    }

    /// `signal` has `value` from `at` on; the last word on an instant holds.
    pub fn set(&mut self, at: Instant, signal: Signal, value: Value) {
        self.ahead.insert((at, signal), value);
    }

    /// What was known ahead of `signal` from `at` on does not come.
    pub fn retract(&mut self, at: Instant, signal: Signal) {
        self.ahead.retain(|&(when, of), _| of != signal || when < at);
    }

    /// Passes on all that lies before `now`.
    pub fn pass(&mut self, now: Instant, sink: &mut impl Sink) -> io::Result<()> {
        while let Some(entry) = self.ahead.first_entry() {
            let (at, signal) = *entry.key();
            if at >= now {
                break;
            }
            let value = entry.remove();
            if at >= self.window.until || self.present.get(&signal) == Some(&value) {
                continue;
            }
            if at > self.window.from {
                self.start(sink)?;
                sink.change(at, signal, &value)?;
            }
            self.present.insert(signal, value);
        }
        Ok(())
    }

    /// Passes on the values at the window's start, once.
    fn start(&mut self, sink: &mut impl Sink) -> io::Result<()> {
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        self.present.iter().try_for_each(|(&signal, value)| sink.change(self.window.from, signal, value))
    }

    /// Passes on the rest.
    pub fn finish(&mut self, sink: &mut impl Sink) -> io::Result<()> {
        self.pass(Instant::NEVER, sink)?;
        self.start(sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Log(Vec<(u64, Signal, Value)>);

    impl Sink for Log {
        const LINES: bool = true;
        fn change(&mut self, at: Instant, signal: Signal, value: &Value) -> io::Result<()> {
            self.0.push((at.ps(), signal, value.clone()));
            Ok(())
        }
        fn request(&mut self, _: &RequestSlice) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn changes_come_in_order_clipped_to_the_window_and_only_if_they_are_any() {
        let at = Instant::from_ps;
        let mut log = Log::default();
        let mut changes = Changes::new(Window { from: at(10), until: at(30) });
        let number = |n| Value::Number(n);
        changes.set(at(5), Signal::Waiting, number(1));
        changes.set(at(25), Signal::UnderWay, number(7));
        changes.set(at(28), Signal::UnderWay, number(8));
        changes.set(at(12), Signal::Waiting, number(1));
        changes.set(at(14), Signal::Waiting, number(2));
        changes.retract(at(26), Signal::UnderWay);
        changes.pass(at(20), &mut log).unwrap();
        assert_eq!(log.0, [(10, Signal::Waiting, number(1)), (14, Signal::Waiting, number(2))]);
        changes.set(at(30), Signal::Waiting, number(3));
        changes.finish(&mut log).unwrap();
        assert_eq!(log.0[2..], [(25, Signal::UnderWay, number(7))]);
    }
}
