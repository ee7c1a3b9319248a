//! Measurements in a text: rates over the addresses, access times.
//!
//! What benchmarks leave: columns parted by commas, semicolons (numbers may then have decimal commas), tabs or blanks,
//! under a header that names quantities and units; or fio's bandwidth log. Lines above the header, empty lines and
//! comments (`#`, `//`) are passed over. Units may stand in a line of their own below the header.

mod columns;
mod sheet;
#[cfg(test)]
mod tests;
mod units;

use crate::config::{Diagnostic, Diagnostics, Source};
use columns::{Column, Quantity, Said};
use sheet::{Faults, Sheet};

pub use units::{PositionUnit, RateUnit, TimeUnit};

/// No drive of a model has more cylinders.
const DISTANCE_MAX: f64 = 1_048_576.0;

/// What was read of a text.
#[derive(Clone, PartialEq, Debug)]
pub struct Readings<T> {
    /// The readings.
    pub values: Vec<T>,
    /// Which columns they are from, in which units, and which others were passed over, in words.
    pub columns: String,
}

/// Units where a header does not say them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Units {
    /// Of positions.
    pub position: Option<PositionUnit>,
    /// Of rates.
    pub rate: Option<RateUnit>,
    /// Of access times.
    pub time: Option<TimeUnit>,
}

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

/// The rates in `source`, by address; units that the header does not say may be given.
///
/// # Errors
/// Every line that is wrong, with its place; no header; no unit, or one that may be two; fewer than [`READINGS_MIN`]
/// places.
pub fn rates(
    source: &Source,
    units: Units,
    capacity_sectors: u64,
) -> Result<Readings<RateReading>, Diagnostics> {
    let sheet = Sheet::read(source, &[Quantity::Position, Quantity::Rate])?;
    let (places, speeds) = (sheet.column(Quantity::Position), sheet.column(Quantity::Rate));
    let position = unit(&sheet, places, (units.position, &places.position), POSITION)?;
    let rate = unit(&sheet, speeds, (units.rate, &speeds.rate), RATE)?;
    let mut faults = Faults::default();
    let mut found = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        let (at, speed) = (faults.number(row, places, &sheet), faults.number(row, speeds, &sheet));
        let (Some(at), Some(speed)) = (at, speed) else { continue };
        let lba = position.sectors(at, capacity_sectors);
        if lba > capacity_sectors as f64 {
            let place = if lba < 1e15 { format!("{lba:.0}") } else { format!("{lba:.1e}") };
            let message = format!("this is sector {place}, the drive has {capacity_sectors}");
            faults.add(row, places.index, source, message, "check capacity and unit of the position");
        } else if speed <= 0.0 {
            faults.add(row, speeds.index, source, "a rate of 0".to_owned(), "remove the line");
        } else {
            found.push(RateReading { lba, mb_s: rate.mb_s(speed) });
        }
    }
    faults.none(source)?;
    found.sort_by(|a, b| a.lba.total_cmp(&b.lba));
    let places_apart = 1 + found.windows(2).filter(|pair| pair[0].lba != pair[1].lba).count();
    if found.len() >= READINGS_MIN && places_apart < READINGS_MIN {
        let (count, at) =
            (found.len(), if places_apart == 1 { "1 place" } else { &format!("{places_apart} places") });
        let message = format!("{count} rates at {at}; at least {READINGS_MIN} places are needed");
        let remedy = format!("measure over the whole disk; positions were read from {}", places.told());
        return Err(Diagnostic::of_file(&source.name, message).with_remedy(remedy).into());
    }
    let writes = if speeds.is_of_writes() { ": rates of writing, taken for those of reading" } else { "" };
    let columns = format!(
        "rates from {} in {}{writes}; positions from {} in {}{}",
        speeds.told(),
        rate.told(),
        places.told(),
        position.told(),
        sheet.passed_over(&[Quantity::Position, Quantity::Rate])
    );
    enough(found, source, "rates").map(|values| Readings { values, columns })
}

/// The access times in `source`, in their order.
///
/// # Errors
/// As [`rates`].
pub fn accesses(
    source: &Source,
    units: Units,
    capacity_sectors: u64,
) -> Result<Readings<AccessReading>, Diagnostics> {
    let sheet = Sheet::read(source, &[Quantity::Access])?;
    let time = sheet.column(Quantity::Access);
    let time_unit = unit(&sheet, time, (units.time, &time.time), TIME)?;
    let distance = sheet.find(Quantity::Distance);
    let place = match distance {
        Some(_) => None,
        None => sheet.find(Quantity::Position),
    };
    let place = match place {
        Some(column) => Some((column, unit(&sheet, column, (units.position, &column.position), POSITION)?)),
        None => None,
    };
    let mut faults = Faults::default();
    let mut found = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        let Some(value) = faults.number(row, time, &sheet) else { continue };
        let at = match (distance, place) {
            (Some(column), _) => {
                let distance = faults.number(row, column, &sheet);
                if distance.is_some_and(|distance| distance > DISTANCE_MAX) {
                    let message = format!("no drive has more than {DISTANCE_MAX} cylinders");
                    faults.add(row, column.index, source, message, "check that the column holds cylinders");
                }
                distance.map(Place::Cylinders)
            }
            (None, Some((column, unit))) => {
                let lba = faults.number(row, column, &sheet).map(|at| unit.sectors(at, capacity_sectors));
                if lba.is_some_and(|lba| lba > capacity_sectors as f64) {
                    let message = format!("beyond the last of {capacity_sectors} sectors");
                    faults.add(row, column.index, source, message, "check capacity and unit of the position");
                }
                lba.map(Place::Lba)
            }
            (None, None) => Some(Place::Unknown),
        };
        found.extend(at.map(|place| AccessReading { ms: time_unit.ms(value), place }));
    }
    faults.none(source)?;
    let writes = if time.is_of_writes() { ": times of writing, taken for those of reading" } else { "" };
    let places = match (distance, place) {
        (Some(column), _) => format!("; distances in cylinders from {}", column.told()),
        (None, Some((column, unit))) => format!("; positions from {} in {}", column.told(), unit.told()),
        (None, None) => "; no positions".to_owned(),
    };
    let columns = format!(
        "times from {} in {}{writes}{places}{}",
        time.told(),
        time_unit.told(),
        sheet.passed_over(&[Quantity::Access])
    );
    enough(found, source, "access times").map(|values| Readings { values, columns })
}

/// What a unit is of, an example of a header with it, and the option that gives it.
type Needed = (&'static str, &'static str, &'static str);
const POSITION: Needed =
    ("the position", "position_gb,rate_mb_s", "--position-unit lba, bytes, mb, mib, gb, gib or percent");
const RATE: Needed = (
    "the rate",
    "position_gb,rate_mb_s",
    "--rate-unit b/s, kb/s, kib/s, mb/s, mib/s, gb/s, gib/s, kbit/s or mbit/s",
);
const TIME: Needed = ("the access time", "access_ms", "--time-unit s, ms, us or ns");

/// The unit that was given, or that the header says.
fn unit<T: Copy + PartialEq>(
    sheet: &Sheet,
    column: &Column,
    (given, said): (Option<T>, &Said<T>),
    (what, example, option): Needed,
) -> Result<T, Diagnostics> {
    let remedy = format!("write it into the header, such as `{example}`, or give {option}");
    match (given, said) {
        (Some(unit), Said::Unit(said)) if unit != *said => {
            let message = format!(
                "the header gives column {} another unit for {what} than the option",
                column.index + 1
            );
            Err(sheet.fault(message, "leave the option out, or correct the header".to_owned()).into())
        }
        (Some(unit), _) => Ok(unit),
        (None, Said::Unit(unit)) => Ok(*unit),
        (None, Said::Nothing) => {
            Err(sheet.fault(format!("column {} has no unit for {what}", column.index + 1), remedy).into())
        }
        (None, Said::Refused(why)) => {
            Err(sheet.fault(format!("column {}: {why}", column.index + 1), remedy).into())
        }
    }
}

fn enough<T>(found: Vec<T>, source: &Source, what: &str) -> Result<Vec<T>, Diagnostics> {
    if found.len() >= READINGS_MIN {
        return Ok(found);
    }
    let message = format!("{} {what}; at least {READINGS_MIN} are needed", found.len());
    Err(Diagnostic::of_file(&source.name, message).with_remedy("measure at more places").into())
}
