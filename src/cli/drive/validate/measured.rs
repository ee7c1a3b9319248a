//! Another simulator's response times of the requests of a trace.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::replay::opened;
use crate::config::Diagnostic;
use crate::stats::Scorer;
use crate::units::Span;
use crate::workload::trace::TraceRequest;

/// A row; other columns are passed over.
struct Row {
    rw: Kind,
    /// First block, where the file states it.
    lba: Option<u64>,
    real_ms: f64,
    disksim_ms: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    R,
    W,
}

/// The longest time that is believed, in ms: a day.
const LONGEST_MS: f64 = 86_400_000.0;
/// How far a measured time may be from the trace's, in ms: tables are rounded to the microsecond at worst.
const ROUNDING_MS: f64 = 0.0015;
/// The longest line that is read, in bytes.
const LINE_MAX: usize = 64 * 1024;

/// Measured and simulated response times of all, reads and writes, of the rows from number `first` on; none if there is
/// no such file.
///
/// The rows are held against the requests of `trace`: another simulator's times of other requests would score anything.
pub(in crate::cli) fn other(path: &Path, trace: &Path, first: usize) -> Result<Option<[Scorer; 3]>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::io(path, &error)),
    };
    let (_, mut requests) = opened(trace)?;
    let name = path.display().to_string();
    match read(file, &name, &mut requests, first) {
        Ok(scorers) => Ok(Some(scorers)),
        Err(fault) => Err(Failure::from(*fault)),
    }
}

type Requests<'a> = &'a mut dyn Iterator<Item = Result<TraceRequest, Box<Diagnostic>>>;

fn read(
    input: impl io::Read,
    name: &str,
    requests: Requests<'_>,
    first: usize,
) -> Result<[Scorer; 3], Box<Diagnostic>> {
    let fault = |line: u64, message: String, remedy: &str| {
        Box::new(Diagnostic::of_file(format!("{name}:{line}"), message).with_remedy(remedy))
    };
    const COLUMNS: &str = "the file needs the columns rw (R or W), real_ms and disksim_ms";
    const ORDER: &str =
        "the file needs a row for each request of the trace beside it, in its order; the last may be missing";
    let mut scorers = [Scorer::new(), Scorer::new(), Scorer::new()];
    let mut reader = csv::Reader::from_reader(Lines { input, length: 0 });
    let mut rows = 0;
    // Rows of a header that cannot be read would be taken by place, not by name.
    if let Err(error) = reader.headers() {
        return Err(fault(1, told(&error), COLUMNS));
    }
    let columns = Columns::of(reader.headers().unwrap_or(&csv::StringRecord::new()));
    let columns = columns.map_err(|message| fault(1, message, COLUMNS))?;
    for (index, row) in reader.records().enumerate() {
        let row = row.map_err(|error| {
            // Lines that end with a carriage return alone are not counted.
            let line = error.position().map_or(0, csv::Position::line).max(index as u64 + 2);
            fault(line, told(&error), COLUMNS)
        })?;
        let line = index as u64 + 2;
        let row = columns.row(&row).map_err(|message| fault(line, message, COLUMNS))?;
        if ![row.real_ms, row.disksim_ms].iter().all(|ms| (0.0..=LONGEST_MS).contains(ms)) {
            return Err(fault(line, "expected times of 0 to 86400000 ms".to_owned(), COLUMNS));
        }
        let Some(request) = requests.next().transpose()? else {
            return Err(fault(line, format!("the trace has only {index} requests"), ORDER));
        };
        if let Some(message) = unlike(&row, &request, index) {
            return Err(fault(line, message, ORDER));
        }
        rows += 1;
        if index < first {
            continue;
        }
        let class = 1 + usize::from(row.rw == Kind::W);
        for index in [0, class] {
            scorers[index].record(Span::from_ms(row.real_ms), Span::from_ms(row.disksim_ms));
        }
    }
    let mut missing = 0_u64;
    for request in requests {
        request?;
        missing += 1;
    }
    if missing > 1 {
        let all = rows + missing;
        let message = format!("{rows} rows for the {all} requests of the trace");
        return Err(Box::new(Diagnostic::of_file(name, message).with_remedy(ORDER)));
    }
    Ok(scorers)
}

/// Where the columns are.
struct Columns {
    rw: usize,
    lba: Option<usize>,
    real_ms: usize,
    disksim_ms: usize,
}

impl Columns {
    fn of(header: &csv::StringRecord) -> Result<Self, String> {
        let find = |name: &str| header.iter().position(|known| known.trim() == name);
        let needed = |name: &str| find(name).ok_or_else(|| format!("there is no column `{name}`"));
        let (rw, real_ms, disksim_ms) = (needed("rw")?, needed("real_ms")?, needed("disksim_ms")?);
        Ok(Columns { rw, lba: find("lba"), real_ms, disksim_ms })
    }

    fn row(&self, record: &csv::StringRecord) -> Result<Row, String> {
        let field = |index: usize| record.get(index).unwrap_or("").trim();
        let number = |name: &str, index: usize| -> Result<f64, String> {
            field(index).parse().map_err(|_| format!("`{name}` is no number"))
        };
        let rw = match field(self.rw) {
            "R" => Kind::R,
            "W" => Kind::W,
            _ => return Err("`rw` is neither R nor W".to_owned()),
        };
        let lba = match self.lba.map(field).filter(|text| !text.is_empty()) {
            Some(text) => Some(text.parse().map_err(|_| "`lba` is no whole number".to_owned())?),
            None => None,
        };
        let (real_ms, disksim_ms) =
            (number("real_ms", self.real_ms)?, number("disksim_ms", self.disksim_ms)?);
        Ok(Row { rw, lba, real_ms, disksim_ms })
    }
}

/// What is wrong with the text of a row, in words of this program.
fn told(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields in this row and {expected_len} in the header")
        }
        csv::ErrorKind::Utf8 { .. } => "this row is not UTF-8 text".to_owned(),
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => "this row cannot be read".to_owned(),
    }
}

/// What of a row is not that of its request.
fn unlike(row: &Row, request: &TraceRequest, index: usize) -> Option<String> {
    let kind = if request.write { Kind::W } else { Kind::R };
    let letter = |kind: Kind| if kind == Kind::W { "W" } else { "R" };
    let number = index + 1;
    if row.rw != kind {
        return Some(format!("{}, but request {number} of the trace is {}", letter(row.rw), letter(kind)));
    }
    if let Some(lba) = row.lba.filter(|lba| *lba != request.extent.lba) {
        return Some(format!(
            "block {lba}, but request {number} of the trace starts at {}",
            request.extent.lba
        ));
    }
    let measured = request.measured.map(Span::as_ms)?;
    let apart = (row.real_ms - measured).abs();
    (apart > ROUNDING_MS).then(|| {
        format!("{} ms were measured, but {measured} ms of request {number} of the trace", row.real_ms)
    })
}

/// A text whose lines have an end.
struct Lines<R> {
    input: R,
    /// Bytes since the last line end.
    length: usize,
}

impl<R: io::Read> io::Read for Lines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        for byte in &buffer[..count] {
            self.length = if matches!(*byte, b'\n' | b'\r') { 0 } else { self.length + 1 };
            if self.length > LINE_MAX {
                return Err(io::Error::other(format!("a line of more than {LINE_MAX} bytes")));
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Extent;

    /// The requests of a trace by kind and measured time, one block further each.
    fn trace(requests: &[(char, f64)]) -> Vec<Result<TraceRequest, Box<Diagnostic>>> {
        let of = |(at, &(kind, ms)): (usize, &(char, f64))| {
            Ok(TraceRequest {
                at: None,
                device: 0,
                write: kind == 'W',
                extent: Extent::new(at as u64, 1),
                measured: Some(Span::from_ms(ms)),
                think: None,
                line: at as u64 + 1,
            })
        };
        requests.iter().enumerate().map(of).collect()
    }

    fn scored(text: &str, requests: &[(char, f64)], first: usize) -> Result<[Scorer; 3], String> {
        let mut requests = trace(requests).into_iter();
        read(text.as_bytes(), "m.csv", &mut requests, first).map_err(|fault| fault.to_string())
    }

    const THREE: [(char, f64); 3] = [('W', 1.0), ('R', 2.0), ('R', 4.0)];

    #[test]
    fn reads_and_writes_are_told_apart_and_other_columns_passed_over() {
        let text = "n,rw,tag,real_ms,disksim_ms\n0,W,Hit,1.0,1.5\n1,R,Hit,2.0,2.0\n2,R,Hit,4.0,4.0\n";
        let scorers = scored(text, &THREE, 0).unwrap();
        assert_eq!(scorers.each_ref().map(Scorer::requests), [3, 2, 1]);
        assert_eq!(scorers[2].kept(), [(1.0, 1.5)]);
        let later = scored(text, &THREE, 1).unwrap();
        assert_eq!(later.each_ref().map(Scorer::requests), [2, 2, 0]);
    }

    #[test]
    fn rows_of_other_requests_are_refused() {
        let head = "rw,lba,real_ms,disksim_ms\n";
        let refused = |rows: &str, place: &str, part: &str| {
            let message = scored(&format!("{head}{rows}"), &THREE, 0).map(|_| ()).unwrap_err();
            assert!(message.starts_with(place) && message.contains(part), "{message}");
        };
        refused("W,0,1,1\nW,1,2,2\n", "m.csv:3", "W, but request 2 of the trace is R");
        refused("W,0,1,1\nR,7,2,2\n", "m.csv:3", "block 7, but request 2 of the trace starts at 1");
        refused("W,0,1,1\nR,1,4,2\n", "m.csv:3", "4 ms were measured, but 2 ms of request 2");
        refused("W,0,1,1\n", "m.csv: error: 1 rows for the 3 requests", "the last may be missing");
        refused("W,0,1,1\nR,1,2,2\nR,2,4,4\nR,3,4,4\n", "m.csv:5", "the trace has only 3 requests");
        // The last one may be missing, and microseconds be rounded.
        assert!(scored(&format!("{head}W,0,1.0004,1\nR,1,2,2\n"), &THREE, 0).is_ok());
    }

    #[test]
    fn a_line_without_an_end_is_refused() {
        let text = format!("rw,real_ms,disksim_ms\nW,1,{}", "1".repeat(LINE_MAX));
        let message = scored(&text, &THREE, 0).map(|_| ()).unwrap_err();
        assert!(message.contains("a line of more than 65536 bytes"), "{message}");
    }

    #[test]
    fn a_header_that_cannot_be_read_is_told_and_not_passed_over() {
        let latin = b"rw,real_ms,gr\xf6\xdfe,disksim_ms\nW,1,2,3\n";
        let fault = read(&latin[..], "m.csv", &mut trace(&[('W', 1.0)]).into_iter(), 0).map(|_| ());
        assert!(fault.unwrap_err().to_string().starts_with("m.csv:1"));
        let long = format!("rw,real_ms,disksim_ms,{}", "x".repeat(LINE_MAX));
        assert!(scored(&long, &[('W', 1.0)], 0).map(|_| ()).unwrap_err().contains("65536 bytes"));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        for (text, expected) in [
            ("rw,real_ms,disksim_ms\nW,1,1\nX,1,1\n", "m.csv:3"),
            ("rw,real_ms,disksim_ms\nW,1,-1\n", "m.csv:2"),
            ("rw,real_ms,disksim_ms\nW,nan,1\n", "m.csv:2"),
            ("rw,real_ms\nW,1\n", "m.csv:1: error: there is no column `disksim_ms`"),
            ("rw,real_ms,disksim_ms\nW,1\n", "m.csv:2: error: 2 fields in this row and 3 in the header"),
            ("rw,real_ms,disksim_ms\nW,x,1\n", "m.csv:2: error: `real_ms` is no number"),
            ("rw,real_ms,disksim_ms\rW,1,1\rX,1,1\r", "m.csv:3: error: `rw` is neither R nor W"),
        ] {
            let message = scored(text, &THREE, 0).map(|_| ()).unwrap_err();
            assert!(message.starts_with(expected) && message.contains("help: "), "{message}");
            assert!(!message.contains("CSV"), "{message}");
        }
    }
}
