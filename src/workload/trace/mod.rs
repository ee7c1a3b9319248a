//! Traces: requests that were recorded on a real system, read one by one.
//!
//! Models: DiskSim's `validate` and ASCII forms and HP's SRT 1.3 ([`Format`]), told apart by their first bytes; the
//! choice of one device of several; slightly unordered arrivals put in order within a window.
//! Leaves out: files (callers hand over any [`BufRead`]) and what is done with the requests.
//! Invariants: memory does not grow with the trace; no bytes make this room panic; after a fault nothing more comes.
//!
//! A further format is one file with a reader, one variant of [`Format`] and one arm in [`Trace`].

mod ascii;
mod fields;
mod lines;
mod order;
mod srt;
mod validate;

#[cfg(test)]
mod tests;

use std::io::BufRead;

use crate::config::Diagnostic;
use crate::units::{Extent, Instant, Span};
use fields::Fault;
use lines::{LineError, Lines};
use order::Order;

/// One request of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceRequest {
    /// When it arrived, since the start of the trace; none where the format keeps no arrivals.
    pub at: Option<Instant>,
    /// The device it is for.
    pub device: u32,
    /// True for a write, false for a read.
    pub write: bool,
    /// The sectors of 512 bytes it is for. Requests in other units are widened to whole sectors.
    pub extent: Extent,
    /// The response time that was measured, from the arrival to the completion; none where there is none.
    pub measured: Option<Span>,
    /// The pause from the completion of this request to the issue of the next; none where the format keeps none.
    pub think: Option<Span>,
    /// Where it stands: the 1-based line of a text, the 1-based record of a binary trace.
    pub line: u64,
}

/// The form of a trace file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// DiskSim's `validate`: `R|W tag first-block blocks response-us pause-us`.
    Validate,
    /// DiskSim's ASCII: `time-ms device first-block blocks flags-hex`; flag bit 0 set is a read.
    Ascii,
    /// HP's SRT 1.3: a text header, then big-endian records.
    Srt,
}

/// How a trace is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The form; told from the content if none.
    pub format: Option<Format>,
    /// The device whose requests are wanted; all if none.
    pub device: Option<u32>,
    /// How many requests are looked at ahead to put arrivals in order. 0: an arrival before its predecessor's is a
    /// fault.
    pub sort_window: usize,
}

/// The latest arrival, and the most that the pauses of a trace may sum to: simulated time ends after 213 days.
const TIME_MAX: Span = Span::from_ps(200 * 86_400 * 1_000_000_000_000);
/// The greatest block address: 48 bits, as ATA has; no drive comes near.
const LBA_MAX: u64 = 1 << 48;
/// The most sectors of one request: 32 bits, as SCSI has.
const SECTORS_MAX: u64 = u32::MAX as u64;

/// The requests of a trace, in order of their arrival. It ends after the first fault.
pub struct Trace<R> {
    name: String,
    source: Source<R>,
    device: Option<u32>,
    order: Order,
    pauses: Span,
    is_over: bool,
}

/// What the requests come out of.
enum Source<R> {
    Text { lines: Lines<R>, format: Option<Format> },
    Srt(srt::Records<R>),
}

impl<R: BufRead> Trace<R> {
    /// The trace in `input`, called `name` in messages.
    ///
    /// # Errors
    /// `input` cannot be read, or the header of a binary trace is at fault.
    pub fn open(name: impl Into<String>, input: R, options: Options) -> Result<Self, Box<Diagnostic>> {
        let name = name.into();
        let mut input = input;
        let first = lines::filled(&mut input).map_err(|error| Diagnostic::for_io(&name, &error))?.first();
        let is_srt = options.format.map_or(first == Some(&srt::MAGIC[0]), |format| format == Format::Srt);
        let source = if is_srt {
            Source::Srt(srt::Records::open(&name, input)?)
        } else {
            Source::Text { lines: Lines::new(input), format: options.format }
        };
        let order = Order::new(options.sort_window);
        Ok(Trace { name, source, device: options.device, order, pauses: Span::ZERO, is_over: false })
    }

    /// The form of the trace; none before the first line of a text that says it.
    pub fn format(&self) -> Option<Format> {
        match &self.source {
            Source::Text { format, .. } => *format,
            Source::Srt(_) => Some(Format::Srt),
        }
    }

    /// The fault `message` of the request that stands at `line`.
    pub fn fault_at(&self, line: u64, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        match &self.source {
            Source::Text { .. } => Diagnostic::of_file(format!("{}:{line}", self.name), message),
            Source::Srt(_) => Diagnostic::of_file(&self.name, format!("record {line}: {message}")),
        }
    }

    /// The next request as it stands in the file.
    fn read(&mut self) -> Result<Option<TraceRequest>, Box<Diagnostic>> {
        match &mut self.source {
            Source::Srt(records) => records.read(&self.name),
            Source::Text { lines, format } => read_line(&self.name, lines, format),
        }
    }

    /// The next request in order, of the wanted device.
    fn next_in_order(&mut self) -> Result<Option<TraceRequest>, Box<Diagnostic>> {
        loop {
            if let Some(request) = self.order.ready() {
                return self.order.take(request).map(Some).map_err(|late| Box::new(self.late(late)));
            }
            match self.read()? {
                Some(request) if self.device.is_some_and(|device| device != request.device) => {}
                Some(request) => {
                    self.check_time(&request)?;
                    if self.order.is_direct() {
                        return self.order.take(request).map(Some).map_err(|late| Box::new(self.late(late)));
                    }
                    self.order.push(request);
                }
                None if self.order.is_empty() => return Ok(None),
                None => self.order.drain(),
            }
        }
    }

    fn check_time(&mut self, request: &TraceRequest) -> Result<(), Box<Diagnostic>> {
        // Each pause is at most `TIME_MAX`, so the sum fits.
        self.pauses += request.think.unwrap_or(Span::ZERO);
        if self.pauses > TIME_MAX {
            let fault = self.fault_at(request.line, "the pauses of the trace sum to more than 200 days");
            return Err(Box::new(fault.with_remedy("split the trace: simulated time ends after 213 days")));
        }
        Ok(())
    }

    fn late(&self, late: order::Late) -> Diagnostic {
        let ms = |at: Instant| at.since(Instant::ZERO).as_ms();
        let message = format!(
            "this request arrives at {:.6} ms, before one that has been passed on already, of {:.6} ms",
            ms(late.at),
            ms(late.before)
        );
        let remedy = "sort the trace by time, or look further ahead with a greater sort window";
        self.fault_at(late.line, message).with_remedy(remedy)
    }
}

impl<R: BufRead> Iterator for Trace<R> {
    type Item = Result<TraceRequest, Box<Diagnostic>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let next = self.next_in_order().transpose();
        self.is_over = !matches!(next, Some(Ok(_)));
        next
    }
}

/// The next request of a text; empty lines and lines that start with `#` are passed over.
fn read_line<R: BufRead>(
    name: &str,
    lines: &mut Lines<R>,
    format: &mut Option<Format>,
) -> Result<Option<TraceRequest>, Box<Diagnostic>> {
    loop {
        let read = lines.next(|line, number| {
            if is_passed_over(line) {
                return Ok(None);
            }
            parse_line(line, number, format).map(Some).map_err(|fault| fault.in_line(name, number, line))
        });
        match read {
            Ok(None) => return Ok(None),
            Ok(Some(Ok(None))) => {}
            Ok(Some(Ok(Some(request)))) => return Ok(Some(request)),
            Ok(Some(Err(fault))) => return Err(fault),
            Err(LineError::Io(error)) => return Err(Box::new(Diagnostic::for_io(name, &error))),
            Err(LineError::TooLong(number)) => {
                let message = format!("the line is longer than {} bytes", lines::LINE_MAX);
                let fault = Diagnostic::of_file(format!("{name}:{number}"), message);
                return Err(Box::new(
                    fault.with_remedy("this is no trace in text form, or its line ends are lost"),
                ));
            }
        }
    }
}

fn is_passed_over(line: &[u8]) -> bool {
    match line.iter().find(|byte| !fields::is_blank(**byte)) {
        Some(first) => *first == b'#',
        None => true,
    }
}

fn parse_line(line: &[u8], number: u64, format: &mut Option<Format>) -> Result<TraceRequest, Box<Fault>> {
    let format = match *format {
        Some(known) => known,
        None => *format.insert(told_from(line)?),
    };
    match format {
        Format::Validate => validate::parse(line, number),
        Format::Ascii | Format::Srt => ascii::parse(line, number),
    }
}

/// The form of a text, from its first line.
fn told_from(line: &[u8]) -> Result<Format, Box<Fault>> {
    match line.iter().find(|byte| !fields::is_blank(**byte)) {
        Some(b'R' | b'W') => Ok(Format::Validate),
        Some(b'0'..=b'9' | b'.' | b'+' | b'-') => Ok(Format::Ascii),
        _ => Err(Fault::of(
            0..line.len(),
            "this is the first line of no trace that is known here",
            "known are DiskSim's validate (starts with R or W) and ASCII (starts with a time in ms) and HP's SRT \
             (starts with $$TR_IOREC)",
        )),
    }
}
