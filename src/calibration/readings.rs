//! Measurements in a text: rates over the addresses, access times.
//!
//! What benchmarks leave: columns parted by commas, semicolons (numbers may then have decimal commas), tabs or blanks,
//! under a header that names quantities and units; or fio's bandwidth log. Lines above the header, empty lines and
//! comments (`#`, `//`) are passed over.

mod columns;
#[cfg(test)]
mod tests;

use crate::config::{Diagnostic, Diagnostics, Source};
use columns::{Column, Quantity, header};

pub use columns::{PositionUnit, RateUnit};

/// One measured rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateReading {
    /// Address at which the reading began.
    pub lba: f64,
    /// Rate, in MB/s of 10^6 bytes.
    pub mb_s: f64,
}

/// One measured access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccessReading {
    /// Access time, in ms.
    pub ms: f64,
    /// Where it went, if that is known.
    pub place: Place,
}

/// Where an access went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// Not known.
    Unknown,
    /// To this address, from that of the reading before.
    Lba(f64),
    /// So many cylinders away.
    Cylinders(f64),
}

/// Fewest readings from which anything is fitted.
pub const READINGS_MIN: usize = 8;
/// Most problems of one text that are told.
const TOLD_MAX: usize = 20;

/// The rates in `source`, by address; units that the header does not say may be given.
///
/// # Errors
/// Every line that is wrong, with its place; no header; no unit; fewer than [`READINGS_MIN`] readings.
pub fn rates(
    source: &Source,
    (position, rate): (Option<PositionUnit>, Option<RateUnit>),
    capacity_sectors: u64,
) -> Result<Vec<RateReading>, Diagnostics> {
    let sheet = Sheet::read(source, &[Quantity::Position, Quantity::Rate])?;
    let (places, speeds) = (sheet.column(Quantity::Position), sheet.column(Quantity::Rate));
    let position = position.or(places.position).ok_or_else(|| {
        sheet.unitless(places, "the position", "--position-unit lba, bytes, mb, mib, gb, gib or percent")
    })?;
    let rate = rate
        .or(speeds.rate)
        .ok_or_else(|| sheet.unitless(speeds, "the rate", "--rate-unit mb/s, mib/s, kb/s or kib/s"))?;
    let mut faults = Faults::default();
    let mut found = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        let (at, speed) = (faults.number(row, places, &sheet), faults.number(row, speeds, &sheet));
        let (Some(at), Some(speed)) = (at, speed) else { continue };
        let lba = position.sectors(at, capacity_sectors);
        if lba > capacity_sectors as f64 {
            let message = format!("this is sector {lba:.0}, the drive has {capacity_sectors}");
            faults.add(row, places, source, message, "check capacity and unit of the position");
        } else if speed <= 0.0 {
            faults.add(row, speeds, source, "a rate of 0".to_owned(), "remove the line");
        } else {
            found.push(RateReading { lba, mb_s: rate.mb_s(speed) });
        }
    }
    faults.none(source)?;
    found.sort_by(|a, b| a.lba.total_cmp(&b.lba));
    enough(found, source, "rates")
}

/// The access times in `source`, in their order.
///
/// # Errors
/// As [`rates`].
pub fn accesses(
    source: &Source,
    position: Option<PositionUnit>,
    capacity_sectors: u64,
) -> Result<Vec<AccessReading>, Diagnostics> {
    let sheet = Sheet::read(source, &[Quantity::Access])?;
    let time = sheet.column(Quantity::Access);
    let distance = sheet.columns.iter().find(|column| column.quantity == Quantity::Distance);
    let place = sheet.columns.iter().find(|column| column.quantity == Quantity::Position);
    let unit = place.and_then(|column| position.or(column.position));
    let mut faults = Faults::default();
    let mut found = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        let Some(value) = faults.number(row, time, &sheet) else { continue };
        let place = match (distance, place.zip(unit)) {
            (Some(column), _) => faults.number(row, column, &sheet).map(Place::Cylinders),
            (None, Some((column, unit))) => {
                let lba = faults.number(row, column, &sheet).map(|at| unit.sectors(at, capacity_sectors));
                if lba.is_some_and(|lba| lba > capacity_sectors as f64) {
                    let message = format!("beyond the last of {capacity_sectors} sectors");
                    faults.add(row, column, source, message, "check capacity and unit of the position");
                }
                lba.map(Place::Lba)
            }
            (None, None) => Some(Place::Unknown),
        };
        found.extend(place.map(|place| AccessReading { ms: value * time.ms, place }));
    }
    faults.none(source)?;
    enough(found, source, "access times")
}

fn enough<T>(found: Vec<T>, source: &Source, what: &str) -> Result<Vec<T>, Diagnostics> {
    if found.len() >= READINGS_MIN {
        return Ok(found);
    }
    let message = format!("{} {what}; at least {READINGS_MIN} are needed", found.len());
    Err(Diagnostic::of_file(&source.name, message).with_remedy("measure at more places").into())
}

/// A line of fields.
struct Row<'a> {
    /// Bytes of the text at which the line begins.
    start: usize,
    fields: Vec<&'a str>,
    line: &'a str,
}

impl<'a> Row<'a> {
    /// Where a field stands in the whole text; the whole line if it has no such field.
    fn span(&self, index: usize) -> std::ops::Range<usize> {
        match self.fields.get(index) {
            Some(field) => {
                let offset = field.as_ptr() as usize - self.line.as_ptr() as usize;
                self.start + offset..self.start + offset + field.len().max(1)
            }
            None => self.start..self.start + self.line.len(),
        }
    }
}

/// The lines of numbers of a text and what their columns mean.
struct Sheet<'a> {
    source: &'a Source,
    /// Bytes of the text at which the header begins; of the first line if there is none.
    header: usize,
    columns: Vec<Column>,
    rows: Vec<Row<'a>>,
    decimal_comma: bool,
}

impl<'a> Sheet<'a> {
    fn read(source: &'a Source, wanted: &[Quantity]) -> Result<Self, Diagnostics> {
        let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
        let mut start = source.text.len() - text.len();
        let mut sheet =
            Sheet { source, header: start, columns: Vec::new(), rows: Vec::new(), decimal_comma: false };
        let mut separator = None;
        for whole in text.split_inclusive('\n') {
            let (line, at) = (whole.trim_end(), start);
            start += whole.len();
            if line.trim().is_empty()
                || line.trim_start().starts_with('#')
                || line.trim_start().starts_with("//")
            {
                continue;
            }
            let by = *separator.get_or_insert_with(|| separator_of(line));
            let fields = split(line, by);
            if sheet.columns.is_empty() {
                let candidate = separator_of(line);
                let fields = split(line, candidate);
                let columns = header(&fields);
                let has = |quantity: &Quantity| columns.iter().any(|column| column.quantity == *quantity);
                if wanted.iter().all(has) {
                    (sheet.columns, sheet.header, separator) = (columns, at, Some(candidate));
                    sheet.decimal_comma = candidate == ';';
                    continue;
                }
                separator = None;
                if !fields.is_empty() && fields.iter().all(|field| number(field, candidate == ';').is_some())
                {
                    sheet.columns =
                        columns::without_header(&fields, wanted).ok_or_else(|| sheet.headless(at, line))?;
                    (sheet.header, separator) = (at, Some(candidate));
                    sheet.decimal_comma = candidate == ';';
                    sheet.rows.push(Row { start: at, fields, line });
                }
                continue;
            }
            sheet.rows.push(Row { start: at, fields, line });
        }
        if sheet.columns.is_empty() {
            return Err(sheet.headless(0, text.lines().next().unwrap_or("")).into());
        }
        sheet.keep_reads();
        Ok(sheet)
    }

    /// Of fio's log, the reads.
    fn keep_reads(&mut self) {
        if let Some(column) = self.columns.iter().find(|column| column.quantity == Quantity::Direction) {
            let index = column.index;
            self.rows.retain(|row| row.fields.get(index).is_none_or(|field| field.trim() == "0"));
        }
    }

    fn headless(&self, start: usize, line: &str) -> Diagnostic {
        let remedy = "begin with a header such as `position_gb,rate_mb_s` or `access_ms`, or take a log of fio with \
                      log_offset=1";
        let message = "no line says what the columns are";
        Diagnostic::at(self.source, start..start + line.len(), message).with_remedy(remedy)
    }

    /// The first column of a quantity; [`read`](Self::read) has seen to it that those wanted are there.
    fn column(&self, quantity: Quantity) -> &Column {
        let found = self.columns.iter().find(|column| column.quantity == quantity);
        found.unwrap_or(&self.columns[0])
    }

    fn unitless(&self, column: &Column, what: &str, option: &str) -> Diagnostic {
        let line = self.source.text[self.header..].lines().next().unwrap_or("");
        let message = format!("column {} has no unit for {what}", column.index + 1);
        let remedy = format!("write it into the header, such as `position_gb,rate_mb_s`, or give {option}");
        Diagnostic::at(self.source, self.header..self.header + line.len(), message).with_remedy(remedy)
    }
}

fn separator_of(line: &str) -> char {
    [';', '\t', ','].into_iter().find(|separator| line.contains(*separator)).unwrap_or(' ')
}

fn split(line: &str, separator: char) -> Vec<&str> {
    let trimmed = |field: &'_ str| -> (usize, usize) {
        let start = field.len() - field.trim_start_matches([' ', '"']).len();
        (start, field.trim_end_matches([' ', '"']).len().max(start))
    };
    let fields: Vec<&str> =
        if separator == ' ' { line.split_whitespace().collect() } else { line.split(separator).collect() };
    let mut fields: Vec<&str> = fields
        .into_iter()
        .map(|field| {
            let (start, end) = trimmed(field);
            &field[start..end]
        })
        .collect();
    // A separator at the end of the line parts nothing.
    while fields.len() > 1 && fields.last().is_some_and(|field| field.is_empty()) {
        fields.pop();
    }
    fields
}

/// A field as a number that is finite and not below 0; a percent sign behind it is passed over.
fn number(field: &str, decimal_comma: bool) -> Option<f64> {
    let field = field.trim().trim_end_matches('%').trim_end();
    let value: f64 = if decimal_comma { field.replace(',', ".").parse() } else { field.parse() }.ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// What is wrong with the lines of a text.
#[derive(Default)]
struct Faults {
    told: Diagnostics,
    count: usize,
}

impl Faults {
    fn number(&mut self, row: &Row, column: &Column, sheet: &Sheet) -> Option<f64> {
        let found = row.fields.get(column.index).and_then(|field| number(field, sheet.decimal_comma));
        if found.is_none() {
            let message = match row.fields.get(column.index) {
                Some(field) => format!("`{field}` is no number from 0 on"),
                None => format!("the line has no column {}", column.index + 1),
            };
            self.add(row, column, sheet.source, message, "correct or remove the line");
        }
        found
    }

    fn add(&mut self, row: &Row, column: &Column, source: &Source, message: String, remedy: &str) {
        self.count += 1;
        if self.count <= TOLD_MAX {
            self.told.push(Diagnostic::at(source, row.span(column.index), message).with_remedy(remedy));
        }
    }

    fn none(mut self, source: &Source) -> Result<(), Diagnostics> {
        if self.count > TOLD_MAX {
            let message = format!("{} more lines are wrong", self.count - TOLD_MAX);
            self.told.push(Diagnostic::of_file(&source.name, message));
        }
        self.told.unless_any(())
    }
}
