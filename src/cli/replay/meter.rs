//! How far a replay is.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

use crate::cli::progress::Gauge;

/// Requests between two looks at the clock.
const EVERY: u64 = 1024;

/// Counts requests, and shows how far they are.
pub(super) struct Meter {
    gauge: Gauge,
    requests: u64,
    /// What is done and all there is, in bytes of a trace or in requests.
    done: Rc<Cell<u64>>,
    all: Option<u64>,
    /// Whether requests are what is counted.
    by_requests: bool,
}

impl Meter {
    /// Of so many requests.
    pub(super) fn of_requests(what: &str, all: u64) -> Self {
        let done = Rc::new(Cell::new(0));
        Meter { gauge: Gauge::new(what, true), requests: 0, done, all: Some(all), by_requests: true }
    }

    /// Of a trace of so many bytes, if their number is known, and the trace itself.
    pub(super) fn of_trace<R: BufRead>(what: &str, all: Option<u64>, input: R) -> (Self, Counted<R>) {
        let all = all.filter(|all| *all > 0);
        let done = Rc::new(Cell::new(0));
        let input = Counted { input, read: Rc::clone(&done) };
        (Meter { gauge: Gauge::new(what, all.is_some()), requests: 0, done, all, by_requests: false }, input)
    }

    /// One more request has completed.
    pub(super) fn step(&mut self) {
        self.requests += 1;
        if self.requests.is_multiple_of(EVERY) {
            self.gauge.at(self.share(), &format!("{} requests", self.requests));
        }
    }

    fn share(&self) -> Option<f64> {
        let done = if self.by_requests { self.requests } else { self.done.get() };
        self.all.map(|all| done as f64 / all as f64)
    }
}

/// A reader that counts what has been taken out of it.
pub(super) struct Counted<R> {
    input: R,
    read: Rc<Cell<u64>>,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.read.set(self.read.get() + count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }
    fn consume(&mut self, count: usize) {
        self.read.set(self.read.get() + count as u64);
        self.input.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_a_trace_is_that_of_its_bytes() {
        let text = "12345678\n".repeat(10);
        let (meter, mut input) = Meter::of_trace("t", Some(text.len() as u64), text.as_bytes());
        assert_eq!(meter.share(), Some(0.0));
        let mut line = String::new();
        input.read_line(&mut line).unwrap();
        assert_eq!(meter.share(), Some(0.1));
        let mut rest = Vec::new();
        input.read_to_end(&mut rest).unwrap();
        assert_eq!(meter.share(), Some(1.0));
        assert_eq!(Meter::of_trace("pipe", None, text.as_bytes()).0.share(), None);
    }

    #[test]
    fn the_share_of_synthetic_load_is_that_of_its_requests() {
        let mut meter = Meter::of_requests("synthetic", 8);
        (0..2).for_each(|_| meter.step());
        assert_eq!(meter.share(), Some(0.25));
    }
}
