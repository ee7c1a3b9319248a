//! What expressions evaluate to, and how that is printed.

use super::super::Metric;
use super::Verdict;

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Plain,
    /// Printed as B, KB or MB, 1024 at each step as the reviews do.
    Bytes,
    Of(Metric),
}

/// A number with its uncertainty and what to call it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    pub value: f64,
    /// Half of the 95 % interval; 0 when nothing is known of it.
    pub half_width: f64,
    pub unit: Unit,
    /// What it is the value of; nothing for literals and computed numbers.
    pub label: Option<String>,
    /// The labelled numbers it was computed from.
    pub parts: Vec<String>,
}

impl Quantity {
    pub fn literal(value: f64, unit: Unit) -> Self {
        Quantity { value, half_width: 0.0, unit, label: None, parts: Vec::new() }
    }
    /// A number computed from others, which it keeps as its parts.
    pub fn computed(value: f64, half_width: f64, from: &[&Quantity]) -> Self {
        let mut parts: Vec<String> = Vec::new();
        for quantity in from {
            let found = match quantity.label {
                Some(_) => vec![quantity.short()],
                None => quantity.parts.clone(),
            };
            for part in found {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        Quantity { value, half_width, unit: Unit::Plain, label: None, parts }
    }
    fn short(&self) -> String {
        let label = self.label.as_ref().map_or(String::new(), |label| format!("{label} "));
        format!("{label}{}", self.figure())
    }
    fn figure(&self) -> String {
        match self.unit {
            Unit::Plain => number(self.value),
            Unit::Bytes => size(self.value),
            Unit::Of(metric) if metric.unit().is_empty() => number(self.value),
            Unit::Of(metric) => format!("{} {}", number(self.value), metric.unit()),
        }
    }
    /// `R0x2 55.3 MB/s [55.1, 55.5]`, or the figure and what it was computed from.
    pub fn text(&self) -> String {
        let mut text = self.short();
        if self.half_width > 0.0 {
            let (low, high) = (self.value - self.half_width, self.value + self.half_width);
            text += &format!(" [{}, {}]", number(low), number(high));
        }
        // More parts than this tell nobody anything.
        if !self.parts.is_empty() && self.parts.len() <= 4 {
            text += &format!(" ({})", self.parts.join(", "));
        }
        text
    }
}

/// A condition's outcome.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Truth {
    /// Whether it holds; nothing when a metric or fact is lacking.
    pub held: Option<bool>,
    /// Whether differences within their intervals could turn it over.
    pub noisy: bool,
    /// How clearly it holds (above 0) or is missed (below), as a share of the compared values.
    pub margin: f64,
    /// The measured values behind it.
    pub note: String,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(Quantity),
    /// An array, a pattern, a file system or a text, and where it came from if that was a fact.
    Name(String, Option<String>),
    Truth(Truth),
    /// Something was not measured or not supplied.
    Lacking,
}

impl Truth {
    pub fn unknown() -> Self {
        Truth { held: None, noisy: false, margin: 0.0, note: String::new() }
    }
    pub fn certain(held: bool, note: String) -> Self {
        Truth { held: Some(held), noisy: false, margin: if held { 1.0 } else { -1.0 }, note }
    }
    pub fn verdict(&self) -> Verdict {
        match self.held {
            Some(true) => Verdict::Held,
            Some(false) => Verdict::Missed,
            None => Verdict::NotCheckable,
        }
    }
    pub fn inverted(self) -> Self {
        Truth { held: self.held.map(|held| !held), margin: -self.margin, ..self }
    }
    /// All of `parts`; one that is missed decides.
    pub fn and(parts: Vec<Truth>) -> Self {
        Self::decided_by(parts, false)
    }
    /// Any of `parts`; one that holds decides.
    pub fn or(parts: Vec<Truth>) -> Self {
        Self::decided_by(parts, true)
    }
    fn decided_by(parts: Vec<Truth>, decisive: bool) -> Self {
        let deciding: Vec<&Truth> = parts.iter().filter(|part| part.held == Some(decisive)).collect();
        let margins = |all: &[&Truth]| {
            let margins = all.iter().map(|part| part.margin);
            if decisive {
                margins.fold(f64::NEG_INFINITY, f64::max)
            } else {
                margins.fold(f64::INFINITY, f64::min)
            }
        };
        if !deciding.is_empty() {
            let noisy = deciding.iter().all(|part| part.noisy);
            return Truth { held: Some(decisive), noisy, margin: margins(&deciding), note: notes(&deciding) };
        }
        if parts.iter().any(|part| part.held.is_none()) {
            return Truth::unknown();
        }
        let all: Vec<&Truth> = parts.iter().collect();
        let noisy = parts.iter().any(|part| part.noisy);
        Truth { held: Some(!decisive), noisy, margin: margins(&all), note: notes(&all) }
    }
}

fn notes(parts: &[&Truth]) -> String {
    let notes: Vec<&str> =
        parts.iter().map(|part| part.note.as_str()).filter(|note| !note.is_empty()).collect();
    notes.join("; ")
}

/// A number with about three significant digits.
pub(super) fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        "none".to_owned()
    } else if value.fract() == 0.0 || size >= 1000.0 {
        format!("{value:.0}")
    } else if size >= 10.0 {
        format!("{value:.1}")
    } else if size >= 0.1 {
        format!("{value:.2}")
    } else {
        format!("{value:.3}")
    }
}

/// A block size as the reviews write it.
pub(super) fn size(bytes: f64) -> String {
    if !bytes.is_finite() {
        "none".to_owned()
    } else if bytes >= 1_048_576.0 {
        format!("{} MB", bytes / 1_048_576.0)
    } else if bytes >= 1024.0 {
        format!("{} KB", bytes / 1024.0)
    } else {
        format!("{bytes} B")
    }
}
