//! Another simulator's response times of the requests of a trace.

use std::fs::File;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::cli::failure::Failure;
use crate::config::Diagnostic;
use crate::stats::Scorer;
use crate::units::Span;

/// A row; other columns are passed over.
#[derive(Deserialize)]
struct Row {
    rw: Kind,
    real_ms: f64,
    disksim_ms: f64,
}

#[derive(Deserialize)]
enum Kind {
    R,
    W,
}

/// The longest time that is believed, in ms: a day.
const LONGEST_MS: f64 = 86_400_000.0;

/// Measured and simulated response times of all, reads and writes, of the rows from number `first` on; none if there is
/// no such file.
pub(super) fn other(path: &Path, first: usize) -> Result<Option<[Scorer; 3]>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::io(path, &error)),
    };
    read(file, &path.display().to_string(), first).map(Some).map_err(|fault| Failure::from(*fault))
}

fn read(input: impl io::Read, name: &str, first: usize) -> Result<[Scorer; 3], Box<Diagnostic>> {
    let fault = |line: u64, message: String| {
        let remedy = "the file needs the columns rw (R or W), real_ms and disksim_ms";
        Box::new(Diagnostic::of_file(format!("{name}:{line}"), message).with_remedy(remedy))
    };
    let mut scorers = [Scorer::new(), Scorer::new(), Scorer::new()];
    let mut reader = csv::Reader::from_reader(input);
    for (index, row) in reader.deserialize::<Row>().enumerate() {
        let row = row.map_err(|error| {
            let line = error.position().map_or(index as u64 + 2, csv::Position::line);
            fault(line, error.to_string())
        })?;
        if ![row.real_ms, row.disksim_ms].iter().all(|ms| (0.0..=LONGEST_MS).contains(ms)) {
            return Err(fault(index as u64 + 2, "expected times of 0 to 86400000 ms".to_owned()));
        }
        if index < first {
            continue;
        }
        let class = match row.rw {
            Kind::R => 1,
            Kind::W => 2,
        };
        for index in [0, class] {
            scorers[index].record(Span::from_ms(row.real_ms), Span::from_ms(row.disksim_ms));
        }
    }
    Ok(scorers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_are_told_apart_and_other_columns_passed_over() {
        let text = "n,rw,tag,real_ms,disksim_ms\n0,W,Hit,1.0,1.5\n1,R,Hit,2.0,2.0\n2,R,Hit,4.0,4.0\n";
        let scorers = read(text.as_bytes(), "m.csv", 0).unwrap();
        assert_eq!(scorers.each_ref().map(Scorer::requests), [3, 2, 1]);
        assert_eq!(scorers[2].kept(), [(1.0, 1.5)]);
        let later = read(text.as_bytes(), "m.csv", 1).unwrap();
        assert_eq!(later.each_ref().map(Scorer::requests), [2, 2, 0]);
    }

    #[test]
    fn faults_are_told_with_their_line() {
        for (text, expected) in [
            ("rw,real_ms,disksim_ms\nR,1,1\nX,1,1\n", "m.csv:3"),
            ("rw,real_ms,disksim_ms\nR,1,-1\n", "m.csv:2"),
            ("rw,real_ms,disksim_ms\nR,nan,1\n", "m.csv:2"),
            ("rw,real_ms\nR,1\n", "m.csv:2"),
            ("rw,real_ms,disksim_ms\nR,1\n", "m.csv:2"),
        ] {
            let message = read(text.as_bytes(), "m.csv", 0).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
