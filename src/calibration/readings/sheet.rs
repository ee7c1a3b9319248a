//! A text as lines of fields under a header.

use super::columns::{self, Column, Quantity, header};
use crate::config::{Diagnostic, Diagnostics, Source};

/// Most problems of one text that are told.
const TOLD_MAX: usize = 20;

/// A line of fields.
pub(super) struct Row<'a> {
    /// Bytes of the text at which the line begins.
    start: usize,
    pub fields: Vec<&'a str>,
    line: &'a str,
}

impl<'a> Row<'a> {
    /// Where a field stands in the whole text; the whole line if it has no such field.
    pub fn span(&self, index: usize) -> std::ops::Range<usize> {
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
pub(super) struct Sheet<'a> {
    pub source: &'a Source,
    /// Bytes of the text at which the header begins; of the first line if there is none.
    header: usize,
    /// How many fields the header has; none without one.
    width: Option<usize>,
    pub columns: Vec<Column>,
    pub rows: Vec<Row<'a>>,
    separator: char,
    pub decimal_comma: bool,
}

impl<'a> Sheet<'a> {
    pub(super) fn read(source: &'a Source, wanted: &[Quantity]) -> Result<Self, Diagnostics> {
        let text = source.text.strip_prefix('\u{feff}').unwrap_or(&source.text);
        let mut start = source.text.len() - text.len();
        let mut sheet = Sheet {
            source,
            header: start,
            width: None,
            columns: Vec::new(),
            rows: Vec::new(),
            separator: ',',
            decimal_comma: false,
        };
        for whole in text.split_inclusive('\n') {
            let (line, at) = (whole.trim_end(), start);
            start += whole.len();
            let trimmed = line.trim_start();
            if trimmed.is_empty() || trimmed.starts_with('#') || trimmed.starts_with("//") {
                continue;
            }
            if sheet.columns.is_empty() {
                sheet.begin(at, line, wanted)?;
            } else {
                sheet.rows.push(Row { start: at, fields: split(line, sheet.separator), line });
            }
        }
        if sheet.columns.is_empty() {
            return Err(sheet.headless(0, text.lines().next().unwrap_or("")).into());
        }
        sheet.take_line_of_units();
        sheet.check_lines()?;
        sheet.keep_reads();
        sheet.decimal_comma = sheet.commas()?;
        Ok(sheet)
    }

    /// Looks whether a line is the header, or the first of numbers.
    fn begin(&mut self, at: usize, line: &'a str, wanted: &[Quantity]) -> Result<(), Diagnostics> {
        let separator = separator_of(line);
        let fields = split(line, separator);
        let columns = header(&fields);
        // A lone heading may be of several words.
        if separator == ' ' && wanted == [Quantity::Access] {
            let whole = header(&[line.trim()]);
            let has_others = columns.iter().any(|column| column.quantity != Quantity::Access);
            if whole.iter().any(|column| column.quantity == Quantity::Access) && !has_others {
                (self.columns, self.header, self.separator) = (whole, at, separator);
                self.width = Some(1);
                return Ok(());
            }
        }
        let has = |quantity: &Quantity| columns.iter().any(|column| column.quantity == *quantity);
        if wanted.iter().all(has) {
            (self.columns, self.header, self.separator) = (columns, at, separator);
            self.width = Some(fields.len());
        } else if !fields.is_empty() && fields.iter().all(|field| number(field, separator == ';').is_some()) {
            self.columns = columns::without_header(&fields, wanted).ok_or_else(|| self.headless(at, line))?;
            (self.header, self.separator) = (at, separator);
            self.rows.push(Row { start: at, fields, line });
        }
        Ok(())
    }

    /// A line below the header that holds no number but units.
    fn take_line_of_units(&mut self) {
        let Some(first) = self.rows.first() else { return };
        let is_numberless = first.fields.iter().all(|field| number(field, true).is_none());
        if self.width.is_none() || !is_numberless {
            return;
        }
        let before = self.columns.clone();
        for column in &mut self.columns {
            if let Some(field) = first.fields.get(column.index) {
                column.add_units(field);
            }
        }
        if self.columns != before {
            self.rows.remove(0);
        }
    }

    /// Refuses a header in the middle, and lines with more fields than the header has.
    fn check_lines(&self) -> Result<(), Diagnostics> {
        let Some(width) = self.width else { return Ok(()) };
        let heading = self.source.text[self.header..].lines().next().unwrap_or("").trim();
        let at = |row: &Row, index, message: String, remedy: &str| {
            Diagnostics::from(Diagnostic::at(self.source, row.span(index), message).with_remedy(remedy))
        };
        if let Some(row) = self.rows.iter().find(|row| row.line.trim() == heading) {
            let message = "the header stands here again: these are two tables".to_owned();
            return Err(at(row, 0, message, "keep one of them in a file"));
        }
        let mut wide = self.rows.iter().filter(|row| row.fields.len() > width);
        let Some(row) = wide.next() else { return Ok(()) };
        let others = match wide.count() {
            0 => String::new(),
            1 => "; another line has too many".to_owned(),
            others => format!("; {others} more lines have too many"),
        };
        let message = format!("the line has {} fields and the header {width}{others}", row.fields.len());
        let remedy = match self.separator {
            ',' => "part the columns by semicolons or tabs if the numbers have decimal commas",
            _ => "name every column in the header, or remove what is too much",
        };
        Err(at(row, width, message, remedy))
    }

    /// Of fio's log, the reads.
    fn keep_reads(&mut self) {
        if let Some(column) = self.columns.iter().find(|column| column.quantity == Quantity::Direction) {
            let index = column.index;
            self.rows.retain(|row| row.fields.get(index).is_none_or(|field| field.trim() == "0"));
        }
    }

    /// Whether commas in the numbers are decimal.
    fn commas(&self) -> Result<bool, Diagnostics> {
        if self.separator == ',' {
            return Ok(false);
        }
        let (mut doubtful, mut dotted, mut certain) = (None, false, false);
        for row in &self.rows {
            for column in &self.columns {
                let Some(field) = row.fields.get(column.index) else { continue };
                let Some((whole, decimals)) = field.split_once(',') else {
                    dotted |= field.contains('.');
                    continue;
                };
                doubtful = doubtful.or(Some((row, column.index)));
                let is_thousands = decimals.contains([',', '.']);
                dotted |= is_thousands;
                // `1,024` may be a thousand and more; `40,5`, `0,125` and `12345,678` may not.
                let may_be_thousands = decimals.len() == 3 && !whole.starts_with('0') && whole.len() <= 3;
                certain |= !is_thousands && !may_be_thousands;
            }
        }
        match doubtful {
            None => Ok(false),
            Some(_) if certain && !dotted => Ok(true),
            Some((row, index)) => {
                let field = row.fields.get(index).copied().unwrap_or("");
                let message = format!("the comma in `{field}` may be decimal or part thousands");
                let fault = Diagnostic::at(self.source, row.span(index), message);
                Err(fault
                    .with_remedy("write all numbers with a decimal point and without other marks")
                    .into())
            }
        }
    }

    fn headless(&self, start: usize, line: &str) -> Diagnostic {
        let remedy = "begin with a header such as `position_gb,rate_mb_s` or `access_ms`, or take a log of fio with \
                      log_offset=1";
        let message = "no line says what the columns are";
        Diagnostic::at(self.source, start..start + line.len(), message).with_remedy(remedy)
    }

    /// The column of a quantity that is read, of several the likeliest; [`read`](Self::read) has seen to it that those
    /// wanted are there.
    pub(super) fn column(&self, quantity: Quantity) -> &Column {
        self.find(quantity).unwrap_or(&self.columns[0])
    }

    pub(super) fn find(&self, quantity: Quantity) -> Option<&Column> {
        let of_kind = self.columns.iter().filter(|column| column.quantity == quantity);
        of_kind.min_by_key(|column| column.rank())
    }

    /// The columns of these quantities that are not read.
    pub(super) fn passed_over(&self, quantities: &[Quantity]) -> String {
        let is_other = |column: &&Column| {
            quantities.contains(&column.quantity) && self.find(column.quantity) != Some(*column)
        };
        let others: Vec<String> = self.columns.iter().filter(is_other).map(Column::told).collect();
        if others.is_empty() { String::new() } else { format!("; passed over: {}", others.join(", ")) }
    }

    /// A diagnostic at the header.
    pub(super) fn fault(&self, message: String, remedy: String) -> Diagnostic {
        let line = self.source.text[self.header..].lines().next().unwrap_or("");
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

/// A field as it is shown: of very long ones the start.
pub(super) fn clipped(field: &str) -> String {
    match field.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &field[..end]),
        None => field.to_owned(),
    }
}

/// What is wrong with the lines of a text.
#[derive(Default)]
pub(super) struct Faults {
    told: Diagnostics,
    count: usize,
}

impl Faults {
    pub(super) fn number(&mut self, row: &Row, column: &Column, sheet: &Sheet) -> Option<f64> {
        let index = column.index;
        let found = row.fields.get(index).and_then(|field| number(field, sheet.decimal_comma));
        if found.is_none() {
            let message = match row.fields.get(index) {
                Some(field) => format!("`{}` is no number from 0 on", clipped(field)),
                None => format!("the line has no column {}", index + 1),
            };
            self.add(row, index, sheet.source, message, "correct or remove the line");
        }
        found
    }

    pub(super) fn add(&mut self, row: &Row, index: usize, source: &Source, message: String, remedy: &str) {
        self.count += 1;
        if self.count <= TOLD_MAX {
            self.told.push(Diagnostic::at(source, row.span(index), message).with_remedy(remedy));
        }
    }

    pub(super) fn none(mut self, source: &Source) -> Result<(), Diagnostics> {
        if self.count > TOLD_MAX {
            let message = format!("{} lines are wrong, of which {TOLD_MAX} are told", self.count);
            let remedy = "correct the lines, or remove those that are no measurements";
            self.told.push(Diagnostic::of_file(&source.name, message).with_remedy(remedy));
        }
        self.told.unless_any(())
    }
}
