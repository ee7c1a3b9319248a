//! JSON in Chrome's trace event format: complete events, counters and names of tracks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Arguments;
use std::io::{self, Write};

use super::recorder::in_words;
use super::signals::{RequestSlice, Signal, Sink, Value};
use super::{Names, Window};
use crate::units::Instant;

/// Groups of tracks, as Chrome's processes.
const REQUESTS: u32 = 1;
const HOST: u32 = 2;
const CHANNELS: u32 = 3;
const DRIVES: u32 = 4;
/// Most requests that a worker has in flight, for numbering its tracks.
const SLOTS: u32 = 1024;

pub(super) struct Chrome<'a> {
    names: Names,
    window: Window,
    out: &'a mut dyn Write,
    first: bool,
    named: BTreeSet<(u32, u32)>,
    /// What each signal of words has been since when.
    open: BTreeMap<Signal, (Instant, String)>,
}

/// Microseconds with six places: whole picoseconds.
fn us(ps: u64) -> String {
    format!("{}.{:06}", ps / 1_000_000, ps % 1_000_000)
}

/// A text as JSON.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl<'a> Chrome<'a> {
    pub fn new(names: Names, window: Window, out: &'a mut dyn Write) -> io::Result<Self> {
        write!(out, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"run\":{}}},", quoted(&names.title))?;
        write!(out, "\"traceEvents\":[")?;
        let (named, open) = (BTreeSet::new(), BTreeMap::new());
        let mut chrome = Chrome { names, window, out, first: true, named, open };
        for (group, name) in
            [(REQUESTS, "requests"), (HOST, "host"), (CHANNELS, "channels"), (DRIVES, "drives")]
        {
            chrome.event(format_args!(
                "{{\"ph\":\"M\",\"pid\":{group},\"name\":\"process_name\",\"args\":{{\"name\":\"{name}\"}}}}"
            ))?;
            chrome.event(format_args!(
                "{{\"ph\":\"M\",\"pid\":{group},\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{group}}}}}"
            ))?;
        }
        Ok(chrome)
    }

    fn event(&mut self, event: Arguments) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.first) { "\n" } else { ",\n" };
        write!(self.out, "{comma}{event}")
    }

    /// Names a track when it is first used.
    fn name(&mut self, group: u32, track: u32, name: &str) -> io::Result<()> {
        if !self.named.insert((group, track)) {
            return Ok(());
        }
        let name = quoted(name);
        self.event(format_args!(
            "{{\"ph\":\"M\",\"pid\":{group},\"tid\":{track},\"name\":\"thread_name\",\"args\":{{\"name\":{name}}}}}"
        ))?;
        self.event(format_args!(
            "{{\"ph\":\"M\",\"pid\":{group},\"tid\":{track},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{track}}}}}"
        ))
    }

    /// A slice, cut to the window; one of no length is left out.
    fn slice(
        &mut self,
        (group, track): (u32, u32),
        (from, until): (Instant, Instant),
        name: &str,
        arguments: &str,
    ) -> io::Result<()> {
        let (from, until) = (from.max(self.window.from), until.min(self.window.until));
        if from >= until {
            return Ok(());
        }
        let (ts, dur) = (us(from.ps()), us(until.since(from).ps()));
        let name = quoted(name);
        self.event(format_args!(
            "{{\"ph\":\"X\",\"pid\":{group},\"tid\":{track},\"ts\":{ts},\"dur\":{dur},\"name\":{name}{arguments}}}"
        ))
    }

    fn track(&self, signal: Signal) -> Option<(u32, u32, String)> {
        let track = |group, track, name: &str| Some((group, track, name.to_owned()));
        match signal {
            Signal::Processor => track(HOST, 1, "processor"),
            Signal::Cable(channel) => {
                track(CHANNELS, 2 * u32::from(channel) + 1, &format!("cable {channel}, owner"))
            }
            Signal::Data(channel) => {
                track(CHANNELS, 2 * u32::from(channel) + 2, &format!("bus engine {channel}, data"))
            }
            Signal::Mechanism(drive) => {
                let name = self.names.drives.get(usize::from(drive)).map_or("", String::as_str);
                track(DRIVES, u32::from(drive) + 1, &format!("{name}, mechanism"))
            }
            _ => None,
        }
    }

    fn close(&mut self, signal: Signal, until: Instant) -> io::Result<()> {
        let Some((from, words)) = self.open.remove(&signal) else { return Ok(()) };
        let Some((group, track, name)) = self.track(signal) else { return Ok(()) };
        self.name(group, track, &name)?;
        self.slice((group, track), (from, until), &words, "")
    }

    /// Closes what is open, and the text.
    pub fn end(mut self) -> io::Result<()> {
        for signal in self.open.keys().copied().collect::<Vec<_>>() {
            self.close(signal, self.window.until)?;
        }
        writeln!(self.out, "\n]}}")?;
        self.out.flush()
    }
}

impl Sink for Chrome<'_> {
    const LINES: bool = false;

    fn change(&mut self, at: Instant, signal: Signal, value: &Value) -> io::Result<()> {
        match value {
            Value::Words(words) => {
                self.close(signal, at)?;
                if !words.is_empty() {
                    self.open.insert(signal, (at, words.clone()));
                }
                Ok(())
            }
            Value::Number(number) => {
                let name = match signal {
                    Signal::Requests => "requests in flight",
                    Signal::Waiting => "driver queue",
                    _ => "in the array",
                };
                let ts = us(at.ps());
                self.event(format_args!(
                    "{{\"ph\":\"C\",\"pid\":{HOST},\"ts\":{ts},\"name\":\"{name}\",\"args\":{{\"n\":{number}}}}}"
                ))
            }
            Value::Line(_) => Ok(()),
        }
    }

    fn request(&mut self, slice: &RequestSlice) -> io::Result<()> {
        let track = u32::from(slice.worker) * SLOTS + slice.slot + 1;
        self.name(REQUESTS, track, &format!("worker {}, request {}", slice.worker, slice.slot))?;
        let arguments = format!(
            ",\"args\":{{\"response_us\":{},\"sectors\":{},\"lba\":{}}}",
            if slice.open { "null".to_owned() } else { us(slice.until.since(slice.from).ps()) },
            slice.extent.sectors,
            slice.extent.lba
        );
        let words = in_words(slice.write, slice.extent);
        self.slice((REQUESTS, track), (slice.from, slice.until), &words, &arguments)?;
        for stretch in slice.stages {
            self.slice((REQUESTS, track), (stretch.from, stretch.until), stretch.stage.name(), "")?;
        }
        Ok(())
    }
}
