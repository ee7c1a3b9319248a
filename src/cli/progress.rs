//! A bar on stderr while runs go on; silent when stderr is no terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::experiment::Progress;

/// A bar that counts runs.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar behind `what`; draws nothing unless stderr is a terminal.
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
        Bar(bar)
    }
}

impl Progress for Bar {
    fn total(&self, runs: u64) {
        self.0.set_length(runs);
        self.0.enable_steady_tick(Duration::from_millis(250));
    }
    fn done(&self, runs: u64) {
        self.0.inc(runs);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
