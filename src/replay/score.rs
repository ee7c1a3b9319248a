//! Response times of a replay, and how far they are from those that the trace holds.

use serde::{Deserialize, Serialize};

use super::Outcome;
use crate::sim::Streams;
use crate::stats::{LatencyHistogram, Score, Scorer};
use crate::units::Span;

/// Takes in the outcomes of a replay, in bounded memory: all, reads and writes apart.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    classes: [Class; 3],
}

/// Response times of one class of requests.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Simulated response times of all of them.
    pub responses: LatencyHistogram,
    /// Simulated against measured ones, of the requests that have both.
    pub scorer: Scorer,
}

/// The classes by which a replay is judged: errors of reads and of writes can cancel in the figure of all.
pub const CLASSES: [&str; 3] = ["all", "reads", "writes"];

/// The [`Score`] of each class; none of classes without measured requests.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Scores {
    /// Of all requests.
    pub all: Option<Score>,
    /// Of reads.
    pub reads: Option<Score>,
    /// Of writes.
    pub writes: Option<Score>,
}

impl Outcome {
    /// From the issue to the completion.
    pub fn response(&self) -> Span {
        self.completed.since(self.issued)
    }
}

impl Scoreboard {
    /// Of nothing yet.
    pub fn new() -> Self {
        Scoreboard::default()
    }

    /// Takes an outcome in.
    pub fn record(&mut self, outcome: &Outcome) {
        let response = outcome.response();
        for index in [0, 1 + usize::from(outcome.request.write)] {
            let class = &mut self.classes[index];
            class.responses.record(response);
            if let Some(measured) = outcome.request.measured {
                class.scorer.record(measured, response);
            }
        }
    }

    /// The classes in the order of [`CLASSES`].
    pub fn classes(&self) -> &[Class; 3] {
        &self.classes
    }

    /// The scores; with the sampling floor of so many pairs of resamples each, drawn from `seed`, unless `pairs` is 0.
    pub fn scores(&self, seed: u64, pairs: usize) -> Scores {
        let streams = Streams::new(seed);
        let [all, reads, writes] = [0, 1, 2].map(|index| {
            let mut random = streams.stream(&format!("score/{}", CLASSES[index]), "bootstrap");
            self.classes[index].scorer.score_with_floor(pairs, &mut random)
        });
        Scores { all, reads, writes }
    }
}

impl Scores {
    /// The scores in the order of [`CLASSES`].
    pub fn classes(&self) -> [Option<Score>; 3] {
        [self.all, self.reads, self.writes]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Extent, Instant};
    use crate::workload::trace::TraceRequest;

    #[test]
    fn reads_and_writes_are_scored_apart() {
        let mut board = Scoreboard::new();
        for (write, measured, response) in
            [(false, Some(4.0), 5.0), (true, Some(6.0), 5.0), (true, None, 9.0)]
        {
            let request = TraceRequest {
                at: None,
                device: 0,
                write,
                extent: Extent::new(0, 1),
                measured: measured.map(Span::from_ms),
                think: None,
                line: 1,
            };
            let issued = Instant::from_ps(7);
            board.record(&Outcome { request, issued, completed: issued + Span::from_ms(response) });
        }
        let means = board.scores(1, 0).classes().map(|score| score.map(|score| score.mean_error_ms));
        assert_eq!(means, [Some(0.0), Some(1.0), Some(-1.0)], "errors cancel in the mean of all");
        let counts = [0, 1, 2].map(|index| board.classes()[index].responses.count());
        assert_eq!(counts, [3, 1, 2]);
        assert_eq!(Scoreboard::new().scores(1, 10), Scores::default());
    }
}
