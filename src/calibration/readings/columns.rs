//! What the columns of a table of measurements are.
//!
//! A unit that is not known, or that may be two things, is refused by its name: a rate in megabits that is read as
//! megabytes makes a model that looks right.

use super::units::{self, PositionUnit, RateUnit, TimeUnit};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// An address.
    Position,
    /// A rate.
    Rate,
    /// An access time.
    Access,
    /// A seek distance in cylinders.
    Distance,
    /// 0 for reads, in fio's logs.
    Direction,
}

/// A unit as a header has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said<T> {
    /// It has none.
    Nothing,
    /// This one.
    Unit(T),
    /// One that is not to be used; why.
    Refused(String),
}

impl<T: Copy> Said<T> {
    fn from(found: Option<Result<T, String>>) -> Self {
        match found {
            None => Said::Nothing,
            Some(Ok(unit)) => Said::Unit(unit),
            Some(Err(why)) => Said::Refused(why),
        }
    }
}

/// A column that matters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub index: usize,
    /// What the header calls it; empty without a header.
    pub name: String,
    pub quantity: Quantity,
    pub position: Said<PositionUnit>,
    pub rate: Said<RateUnit>,
    pub time: Said<TimeUnit>,
}

impl Column {
    fn of(index: usize, quantity: Quantity, name: &str) -> Self {
        Column {
            index,
            name: name.to_owned(),
            quantity,
            position: Said::Nothing,
            rate: Said::Nothing,
            time: Said::Nothing,
        }
    }

    /// Whether it says that it is of writing.
    pub(super) fn is_of_writes(&self) -> bool {
        words(&self.name)
            .iter()
            .any(|word| ["write", "writes", "writing", "written"].contains(&word.as_str()))
    }

    /// How much rather another column of the same quantity is read: reads before writes, means before extremes.
    pub(super) fn rank(&self) -> (bool, bool, bool) {
        let words = words(&self.name);
        let any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let is_extreme = any(&["min", "minimum", "max", "maximum", "burst", "peak", "lowest", "highest"]);
        (self.is_of_writes(), is_extreme, !any(&["read", "reads", "avg", "average", "mean"]))
    }

    /// Takes the units that a line below the header names for this column.
    pub(super) fn add_units(&mut self, field: &str) {
        let found = column(self.index, &format!("{} {field}", self.name));
        if let Some(found) = found.filter(|found| found.quantity == self.quantity) {
            (self.position, self.rate, self.time) = (found.position, found.rate, found.time);
        }
    }

    /// Column 2 `Read (MB/s)`.
    pub(super) fn told(&self) -> String {
        let number = self.index + 1;
        if self.name.is_empty() {
            format!("column {number}")
        } else {
            format!("column {number} `{}`", self.name)
        }
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '%')).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The columns that a header names; those it does not know are left out.
pub(super) fn header(fields: &[&str]) -> Vec<Column> {
    fields.iter().enumerate().filter_map(|(index, field)| column(index, field)).collect()
}

fn column(index: usize, field: &str) -> Option<Column> {
    let words = words(field);
    let any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    // A number is no name.
    if words.is_empty() || field.trim().parse::<f64>().is_ok() {
        return None;
    }
    let of = |quantity| Column::of(index, quantity, field);
    let rate = Said::from(units::rate(field));
    if rate != Said::Nothing || any(&["rate", "speed", "throughput", "bandwidth", "bw", "transfer"]) {
        return Some(Column { rate, ..of(Quantity::Rate) });
    }
    if any(&["distance"]) {
        return Some(of(Quantity::Distance));
    }
    let position = Said::from(units::position(field));
    let is_position = any(&[
        "position", "pos", "offset", "lba", "sector", "sectors", "block", "address", "location", "capacity",
    ]);
    // A unit alone, as `GB` or `%`.
    if is_position || (words.len() == 1 && position != Said::Nothing) {
        return Some(Column { position, ..of(Quantity::Position) });
    }
    let time = Said::from(units::time(field));
    let is_time = words.first().is_some_and(|word| word == "time") && words.len() == 2 || words.len() == 1;
    if any(&["access", "latency", "seek", "response"]) || (is_time && time != Said::Nothing) {
        return Some(Column { time, ..of(Quantity::Access) });
    }
    None
}

/// The columns of a text that has no header, by its first line of numbers: fio's log of bandwidth with offsets (time in
/// ms, KiB/s, direction, block size, offset in bytes); a position and a rate; a lone access time.
pub(super) fn without_header(fields: &[&str], wanted: &[Quantity]) -> Option<Vec<Column>> {
    let wants = |quantity| wanted.contains(&quantity);
    let of = |index, quantity| Column::of(index, quantity, "");
    let is_log = fields.len() >= 5 && matches!(fields[2].trim(), "0" | "1" | "2");
    if is_log && wants(Quantity::Rate) {
        return Some(vec![
            Column { position: Said::Unit(PositionUnit::Bytes), ..of(4, Quantity::Position) },
            Column { rate: Said::Unit(RateUnit::KibS), ..of(1, Quantity::Rate) },
            of(2, Quantity::Direction),
        ]);
    }
    match fields.len() {
        2 if wants(Quantity::Rate) => Some(vec![of(0, Quantity::Position), of(1, Quantity::Rate)]),
        1 if wants(Quantity::Access) => Some(vec![of(0, Quantity::Access)]),
        _ => None,
    }
}
