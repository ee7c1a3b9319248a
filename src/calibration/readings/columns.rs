//! What the columns of a table of measurements are.

use crate::units::{MIB, SECTOR_BYTES};

/// Unit of a position on the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionUnit {
    /// Sectors of 512 bytes.
    Sectors,
    /// Bytes.
    Bytes,
    /// 10^6 bytes.
    Mb,
    /// 2^20 bytes.
    Mib,
    /// 10^9 bytes.
    Gb,
    /// 2^30 bytes.
    Gib,
    /// Hundredths of the capacity.
    Percent,
}

impl PositionUnit {
    /// A position as a number of sectors.
    pub(super) fn sectors(self, at: f64, capacity_sectors: u64) -> f64 {
        let sector = SECTOR_BYTES as f64;
        match self {
            PositionUnit::Sectors => at,
            PositionUnit::Bytes => at / sector,
            PositionUnit::Mb => at * 1e6 / sector,
            PositionUnit::Mib => at * MIB as f64 / sector,
            PositionUnit::Gb => at * 1e9 / sector,
            PositionUnit::Gib => at * 1024.0 * MIB as f64 / sector,
            PositionUnit::Percent => at / 100.0 * capacity_sectors as f64,
        }
    }
}

/// Unit of a rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RateUnit {
    /// 10^6 bytes a second.
    MbS,
    /// 2^20 bytes a second.
    MibS,
    /// 10^3 bytes a second.
    KbS,
    /// 2^10 bytes a second.
    KibS,
}

impl RateUnit {
    /// A rate in MB/s of 10^6 bytes.
    pub(super) fn mb_s(self, rate: f64) -> f64 {
        match self {
            RateUnit::MbS => rate,
            RateUnit::MibS => rate * MIB as f64 / 1e6,
            RateUnit::KbS => rate / 1e3,
            RateUnit::KibS => rate * 1024.0 / 1e6,
        }
    }
}

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

/// A column that matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Column {
    pub index: usize,
    pub quantity: Quantity,
    /// Unit of a position, if the header says it.
    pub position: Option<PositionUnit>,
    /// Unit of a rate, if the header says it.
    pub rate: Option<RateUnit>,
    /// Milliseconds of one unit of an access time.
    pub ms: f64,
}

impl Column {
    fn of(index: usize, quantity: Quantity) -> Self {
        Column { index, quantity, position: None, rate: None, ms: 1.0 }
    }
}

/// The columns that a header names; those it does not know are left out.
pub(super) fn header(fields: &[&str]) -> Vec<Column> {
    fields.iter().enumerate().filter_map(|(index, field)| column(index, field)).collect()
}

fn column(index: usize, field: &str) -> Option<Column> {
    let text = field.to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '%')).filter(|word| !word.is_empty()).collect();
    let any = |known: &[&str]| words.iter().any(|word| known.contains(word));
    // A number is no name.
    if words.is_empty() || field.trim().parse::<f64>().is_ok() {
        return None;
    }
    let rate = rate_unit(&words);
    if rate.is_some() || any(&["rate", "speed", "throughput", "bandwidth", "bw", "transfer"]) {
        return Some(Column { rate, ..Column::of(index, Quantity::Rate) });
    }
    if any(&["distance"]) {
        return Some(Column::of(index, Quantity::Distance));
    }
    if any(&[
        "position", "pos", "offset", "lba", "sector", "sectors", "block", "address", "location", "capacity",
    ]) {
        return Some(Column { position: position_unit(&words), ..Column::of(index, Quantity::Position) });
    }
    // A unit alone, as `GB` or `%`.
    if words.len() == 1 && position_unit(&words).is_some() {
        return Some(Column { position: position_unit(&words), ..Column::of(index, Quantity::Position) });
    }
    if any(&["access", "latency", "seek", "response"]) || words[..] == ["time", "ms"] || words[..] == ["ms"] {
        let ms = if any(&["us", "µs", "μs", "usec"]) { 1e-3 } else { 1.0 };
        return Some(Column { ms, ..Column::of(index, Quantity::Access) });
    }
    None
}

fn rate_unit(words: &[&str]) -> Option<RateUnit> {
    const UNITS: [(&str, RateUnit); 4] =
        [("mb", RateUnit::MbS), ("mib", RateUnit::MibS), ("kb", RateUnit::KbS), ("kib", RateUnit::KibS)];
    let pair = |pair: &[&str]| {
        let unit = UNITS.iter().find(|(name, _)| *name == pair[0])?;
        matches!(pair[1], "s" | "sec" | "second").then_some(unit.1)
    };
    let joined =
        |word: &&str| UNITS.iter().find(|(name, _)| **word == format!("{name}ps")).map(|unit| unit.1);
    words.windows(2).find_map(pair).or_else(|| words.iter().find_map(joined))
}

fn position_unit(words: &[&str]) -> Option<PositionUnit> {
    words.iter().find_map(|word| match *word {
        "lba" | "sector" | "sectors" | "block" | "blocks" => Some(PositionUnit::Sectors),
        "b" | "byte" | "bytes" => Some(PositionUnit::Bytes),
        "mb" => Some(PositionUnit::Mb),
        "mib" => Some(PositionUnit::Mib),
        "gb" => Some(PositionUnit::Gb),
        "gib" => Some(PositionUnit::Gib),
        "%" | "percent" => Some(PositionUnit::Percent),
        _ => None,
    })
}

/// The columns of a text that has no header, by its first line of numbers: fio's log of bandwidth with offsets (time in
/// ms, KiB/s, direction, block size, offset in bytes); a position and a rate; a lone access time.
pub(super) fn without_header(fields: &[&str], wanted: &[Quantity]) -> Option<Vec<Column>> {
    let wants = |quantity| wanted.contains(&quantity);
    let is_log = fields.len() >= 5 && matches!(fields[2].trim(), "0" | "1" | "2");
    if is_log && wants(Quantity::Rate) {
        return Some(vec![
            Column { position: Some(PositionUnit::Bytes), ..Column::of(4, Quantity::Position) },
            Column { rate: Some(RateUnit::KibS), ..Column::of(1, Quantity::Rate) },
            Column::of(2, Quantity::Direction),
        ]);
    }
    match fields.len() {
        2 if wants(Quantity::Rate) => {
            Some(vec![Column::of(0, Quantity::Position), Column::of(1, Quantity::Rate)])
        }
        1 if wants(Quantity::Access) => Some(vec![Column::of(0, Quantity::Access)]),
        _ => None,
    }
}
