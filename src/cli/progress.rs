//! A bar on stderr while runs go on; where stderr is no terminal, a plain line every ten seconds.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::output::remark;
use crate::experiment::Progress;

/// Time between two lines where there is no bar.
const LINE_EVERY_S: u64 = 10;

/// A bar that counts runs.
pub(super) struct Bar {
    bar: ProgressBar,
    what: String,
    /// Lines written so far.
    lines: AtomicU64,
}

impl Bar {
    /// A bar behind `what`; where stderr is no terminal, short runs are silent.
    pub fn new(what: &str) -> Self {
        let bar = ProgressBar::new(0);
        let shape = "{msg} [{bar:30}] {pos}/{len} runs, {per_sec:1}, {eta} left";
        // The template is fixed text; should it ever be wrong, the plain bar does as well.
        let style = ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar());
        let rate = |state: &indicatif::ProgressState, text: &mut dyn std::fmt::Write| {
            // A line that is lost is no fault.
            let _ = write!(text, "{:.1} a second", state.per_sec());
        };
        bar.set_style(style.with_key("per_sec", rate).progress_chars("=> "));
        bar.set_message(what.to_owned());
        Bar { bar, what: what.to_owned(), lines: AtomicU64::new(0) }
    }
}

impl Progress for Bar {
    fn total(&self, runs: u64) {
        self.bar.set_length(runs);
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }
    fn done(&self, runs: u64) {
        self.bar.inc(runs);
        let (elapsed_s, lines) = (self.bar.elapsed().as_secs(), self.lines.load(Ordering::Relaxed));
        let due = self.bar.is_hidden() && elapsed_s / LINE_EVERY_S > lines;
        // Of several threads that see it due, one writes.
        let mine =
            |now| self.lines.compare_exchange(lines, now, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if due && mine(elapsed_s / LINE_EVERY_S) {
            remark(&line(&self.what, self.bar.position(), self.bar.length().unwrap_or(0), elapsed_s));
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A bar over one long piece of work, by the share of it that is done; as [`Bar`], a line every ten seconds where stderr is
/// no terminal.
pub(super) struct Gauge {
    bar: ProgressBar,
    what: String,
    /// Lines written so far.
    lines: Cell<u64>,
}

/// Steps of a bar.
const PARTS: u64 = 1000;

impl Gauge {
    /// A bar behind `what`; without a bar, if it cannot be told how much is to be done.
    pub fn new(what: &str, has_end: bool) -> Self {
        let (bar, shape) = match has_end {
            true => (ProgressBar::new(PARTS), "{prefix} [{bar:30}] {percent} %, {msg}, {eta} left"),
            false => (ProgressBar::new_spinner(), "{prefix} {spinner} {msg}, {elapsed}"),
        };
        let style = ProgressStyle::with_template(shape).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        bar.set_prefix(what.to_owned());
        bar.set_message("begun");
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(250));
        }
        Gauge { bar, what: what.to_owned(), lines: Cell::new(0) }
    }

    /// So much of it is done, 0 to 1, if that is known, and `text` says what.
    pub fn at(&self, share: Option<f64>, text: &str) {
        let parts = share.map(|share| (share.clamp(0.0, 1.0) * PARTS as f64) as u64);
        if !self.bar.is_hidden() {
            if let Some(parts) = parts {
                self.bar.set_position(parts);
            }
            self.bar.set_message(text.to_owned());
            return;
        }
        let elapsed_s = self.bar.elapsed().as_secs();
        if elapsed_s / LINE_EVERY_S > self.lines.get() {
            self.lines.set(elapsed_s / LINE_EVERY_S);
            remark(&gauge_line(&self.what, parts, text, elapsed_s));
        }
    }
}

impl Drop for Gauge {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// `big: 48 %, 120000 requests in 31 s`.
fn gauge_line(what: &str, parts: Option<u64>, text: &str, elapsed_s: u64) -> String {
    let share = parts.map_or(String::new(), |parts| format!("{} %, ", parts * 100 / PARTS));
    format!("{what}: {share}{text} in {elapsed_s} s")
}

/// `mix: 12 of 48 runs (25 %) in 31 s`.
fn line(what: &str, done: u64, all: u64, elapsed_s: u64) -> String {
    format!("{what}: {done} of {all} runs ({} %) in {elapsed_s} s", done * 100 / all.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_the_runs_are() {
        assert_eq!(line("mix", 12, 48, 31), "mix: 12 of 48 runs (25 %) in 31 s");
        assert_eq!(line("mix", 0, 0, 10), "mix: 0 of 0 runs (0 %) in 10 s");
    }

    #[test]
    fn a_line_says_how_much_is_done_if_that_is_known() {
        assert_eq!(gauge_line("big", Some(480), "7 requests", 31), "big: 48 %, 7 requests in 31 s");
        assert_eq!(gauge_line("pipe", None, "7 requests", 31), "pipe: 7 requests in 31 s");
    }
}
