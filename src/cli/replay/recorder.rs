//! What is kept of each outcome.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use super::meter::Meter;
use crate::replay::{Outcome, Scoreboard};
use crate::units::Instant;

/// Takes outcomes in: scores them, and writes a row of a table each where there is a file for it.
pub(super) struct Recorder<'a> {
    board: Scoreboard,
    /// Scores of the requests from a number on, counted from 0.
    unseen: Option<(usize, Scoreboard)>,
    taken: usize,
    rows: Option<BufWriter<&'a mut File>>,
    meter: Option<Meter>,
    /// The first row that could not be written.
    failed: Option<io::Error>,
}

/// The requests that the model of the drive was not fitted to.
pub(super) struct Unseen {
    /// How many came before, all of which it was fitted to.
    pub first: usize,
    /// Their scores.
    pub board: Scoreboard,
}

const COLUMNS: &str = "request,device,kind,lba,blocks,issued_ms,response_ms,measured_ms,error_ms\n";

impl<'a> Recorder<'a> {
    /// Only scores; those of the outcomes from number `first` on, counted from 0, apart, too.
    pub(super) fn scoring(first: Option<usize>) -> Self {
        let unseen = first.map(|first| (first, Scoreboard::new()));
        Recorder { board: Scoreboard::new(), unseen, taken: 0, rows: None, meter: None, failed: None }
    }

    /// Writes rows to `file`, too.
    pub(super) fn writing(file: &'a mut File, first: Option<usize>) -> Self {
        let mut recorder = Recorder { rows: Some(BufWriter::new(file)), ..Recorder::scoring(first) };
        recorder.write(COLUMNS.as_bytes());
        recorder
    }

    /// Shows on `meter` how far it is.
    pub(super) fn watch(&mut self, meter: Meter) {
        self.meter = Some(meter);
    }

    /// Takes an outcome in.
    pub(super) fn take(&mut self, outcome: &Outcome) {
        self.board.record(outcome);
        if let Some((first, board)) = &mut self.unseen
            && self.taken >= *first
        {
            board.record(outcome);
        }
        self.taken += 1;
        if let Some(meter) = &mut self.meter {
            meter.step();
        }
        if self.rows.is_some() {
            self.write(row(outcome).as_bytes());
        }
    }

    /// The scores so far.
    pub(super) fn take_board(&mut self) -> Scoreboard {
        self.meter = None;
        std::mem::take(&mut self.board)
    }

    /// The scores so far of the part that is scored apart.
    pub(super) fn take_unseen(&mut self) -> Option<Unseen> {
        self.unseen.take().map(|(first, board)| Unseen { first, board })
    }

    /// Everything is written.
    pub(super) fn finish(self) -> io::Result<()> {
        match (self.failed, self.rows) {
            (Some(error), _) => Err(error),
            (None, Some(mut rows)) => rows.flush(),
            (None, None) => Ok(()),
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        // A row that cannot be written is reported at the end: the replay itself cannot fail for it.
        if let (Some(rows), None) = (&mut self.rows, &self.failed) {
            self.failed = rows.write_all(bytes).err();
        }
    }
}

fn row(outcome: &Outcome) -> String {
    let request = &outcome.request;
    let response = outcome.response();
    let kind = if request.write { "write" } else { "read" };
    let measured = request.measured.map_or(",".to_owned(), |measured| {
        let error = match response.ps().checked_sub(measured.ps()) {
            Some(later) => ms(later),
            None => format!("-{}", ms(measured.ps() - response.ps())),
        };
        format!("{},{error}", ms(measured.ps()))
    });
    format!(
        "{},{},{kind},{},{},{},{},{measured}\n",
        request.line,
        request.device,
        request.extent.lba,
        request.extent.sectors,
        ms(outcome.issued.since(Instant::ZERO).ps()),
        ms(response.ps())
    )
}

/// Picoseconds as ms, to the nanosecond.
fn ms(ps: u64) -> String {
    let ns = (ps + 500) / 1_000;
    format!("{}.{:06}", ns / 1_000_000, ns % 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::{Extent, Span};
    use crate::workload::trace::TraceRequest;

    #[test]
    fn a_row_holds_the_times_in_ms_to_the_nanosecond() {
        let request = TraceRequest {
            at: None,
            device: 2,
            write: true,
            extent: Extent::new(7, 8),
            measured: Some(Span::from_ms(1.25)),
            think: None,
            line: 9,
        };
        let issued = Instant::from_ps(1_000_000_499);
        let outcome = Outcome { request, issued, completed: issued + Span::from_us(250.5) };
        assert_eq!(row(&outcome), "9,2,write,7,8,1.000000,0.250500,1.250000,-0.999500\n");
        let unmeasured = Outcome { request: TraceRequest { measured: None, ..request }, ..outcome };
        assert!(row(&unmeasured).ends_with(",0.250500,,\n"));
        assert_eq!(row(&outcome).matches(',').count(), COLUMNS.matches(',').count());
    }
}
