//! A bar on stderr while runs go on; where stderr is no terminal, a plain line every ten seconds.

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
}
