//! Reading values from blocks, with what is wrong or has no counterpart gathered on the way.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use super::blocks::Blocks;
use super::lexer::{Lexer, Reader};
use super::tree::{Block, Item, Spot, Value};
use crate::config::{Diagnostic, Source};

/// Letters of a value that are shown of it.
const SHOWN_MAX: usize = 24;

/// What an import reads from and writes its findings to.
pub(super) struct Context<'d, 'r, 'f> {
    pub blocks: Blocks<'d>,
    pub faults: Vec<Diagnostic>,
    pub warnings: Vec<String>,
    /// Where fields of the model in hand come from: by the path of a field, or of a record of fields.
    pub places: Vec<(String, Spot)>,
    /// Path of the description's first file.
    pub root: PathBuf,
    pub read: &'r mut Reader<'f>,
}

impl<'d> Context<'d, '_, '_> {
    /// Something that has no counterpart here or is taken otherwise than it is written.
    pub(super) fn warn(&mut self, spot: Spot, message: impl AsRef<str>) {
        let line = self.blocks.files.line(spot);
        self.warnings.push(format!("{line}: warning: {}", message.as_ref()));
    }

    pub(super) fn fault(&mut self, spot: Spot, message: impl Into<String>, remedy: &str) {
        self.faults.push(self.blocks.files.fault(spot, message).with_remedy(remedy));
    }

    /// Notes that `field` of the model comes from `spot`.
    pub(super) fn place(&mut self, field: impl Into<String>, spot: Spot) {
        self.places.push((field.into(), spot));
    }

    /// Where `field` of the model comes from: the place noted of it, or of the nearest record around it.
    pub(super) fn place_of(&self, field: &str) -> Option<Spot> {
        let around = |known: &str| match field.strip_prefix(known) {
            Some(rest) => rest.is_empty() || rest.starts_with(['.', '[']),
            None => false,
        };
        let known = self.places.iter().filter(|(known, _)| around(known));
        known.max_by_key(|(known, _)| known.len()).map(|&(_, spot)| spot)
    }

    /// The item of an entry, if it is there.
    pub(super) fn item(&self, block: &'d Block, key: &str) -> Option<&'d Item> {
        self.blocks.param(block, key).map(|param| &param.item)
    }

    /// Where an entry stands; the block's type if it is not there.
    pub(super) fn spot(&self, block: &'d Block, key: &str) -> Spot {
        self.blocks.param(block, key).map_or(block.kind.spot, |param| param.key.spot.to(param.item.spot))
    }

    /// The value of an entry as it is written, shortened.
    pub(super) fn shown(&self, block: &'d Block, key: &str) -> String {
        let text = self.item(block, key).map_or("", |item| self.blocks.files.text(item.spot));
        clipped(text)
    }

    /// A number, or nothing if there is no such entry.
    pub(super) fn number(&self, block: &'d Block, key: &str) -> Option<f64> {
        self.item(block, key).and_then(|item| number(&item.value))
    }

    /// A number within `range`; 0 if there is no such entry.
    pub(super) fn real(&mut self, block: &'d Block, key: &str, range: RangeInclusive<f64>) -> f64 {
        let Some(value) = self.number(block, key) else { return 0.0 };
        if !range.contains(&value) {
            let found = self.shown(block, key);
            let (low, high) = (range.start(), range.end());
            let message = format!("`{key}` is {found}; allowed is {low} to {high}");
            self.fault(self.spot(block, key), message, &format!("write a number from {low} to {high}"));
        }
        value.clamp(*range.start(), *range.end())
    }

    /// A time in ms within `range`. A negative one counts as none, and is told: of the block times on the way DiskSim
    /// takes the largest, and other times that are negative it refuses (`TEST d >= 0.0` in its `disk.modspec`).
    pub(super) fn span_ms(&mut self, block: &'d Block, key: &str, range: RangeInclusive<f64>) -> f64 {
        let value = self.real(block, key, range);
        if value < 0.0 {
            let found = self.shown(block, key);
            self.warn(self.spot(block, key), format!("`{key} = {found}` is negative and counts as 0"));
        }
        value.max(0.0)
    }

    /// A whole number within `range`; the lowest one if there is no such entry.
    pub(super) fn integer(&mut self, block: &'d Block, key: &str, range: RangeInclusive<i64>) -> i64 {
        let (low, high) = (*range.start(), *range.end());
        let Some(item) = self.item(block, key) else { return low };
        let value = integer(&item.value);
        match value.filter(|value| range.contains(value)) {
            Some(value) => value,
            None => {
                let found = self.shown(block, key);
                let message = format!("`{key}` is {found}; allowed is {low} to {high}");
                self.fault(item.spot, message, &format!("write a whole number from {low} to {high}"));
                value.unwrap_or(low).clamp(low, high)
            }
        }
    }

    /// Whether an entry is not 0.
    pub(super) fn flag(&mut self, block: &'d Block, key: &str) -> bool {
        self.integer(block, key, 0..=1) == 1
    }

    /// A name, or nothing if there is no such entry.
    pub(super) fn word(&self, block: &'d Block, key: &str) -> Option<(&'d str, Spot)> {
        match self.item(block, key) {
            Some(Item { value: Value::Word(word), spot }) => Some((word, *spot)),
            Some(item) => Some((self.blocks.files.text(item.spot), item.spot)),
            None => None,
        }
    }

    /// The items of a list; none if there is no such entry.
    pub(super) fn list(&self, block: &'d Block, key: &str) -> &'d [Item] {
        match self.item(block, key).map(|item| &item.value) {
            Some(Value::List(items)) => items,
            _ => &[],
        }
    }

    /// The numbers of a list; whatever else stands in it is a fault.
    pub(super) fn numbers(&mut self, block: &'d Block, key: &str) -> Vec<(f64, Spot)> {
        let mut numbers = Vec::new();
        for item in self.list(block, key) {
            match number(&item.value) {
                Some(value) => numbers.push((value, item.spot)),
                None => self.fault(
                    item.spot,
                    format!("{} in the numbers of `{key}`", item.value.noun()),
                    "write a number",
                ),
            }
        }
        numbers
    }

    /// The places in a list. What is no whole number is a fault; what lies at or behind `limit` is told and left out, as
    /// DiskSim meets no such place either.
    pub(super) fn places(&mut self, block: &'d Block, key: &str, limit: u64) -> Vec<(u64, Spot)> {
        let mut places = Vec::new();
        for item in self.list(block, key) {
            let found = self.blocks.files.text(item.spot);
            match integer(&item.value).and_then(|value| u64::try_from(value).ok()) {
                Some(place) if place < limit => places.push((place, item.spot)),
                Some(_) => {
                    self.warn(
                        item.spot,
                        format!("`{found}` of `{key}` lies behind the zone's {limit} and is left out"),
                    );
                }
                None => self.fault(
                    item.spot,
                    format!("`{found}` is no place of `{key}`"),
                    "write whole numbers from 0 on",
                ),
            }
        }
        places
    }

    /// The block of an entry.
    pub(super) fn block(&self, block: &'d Block, key: &str) -> Option<&'d Block> {
        self.item(block, key).and_then(|item| self.blocks.block_of(item))
    }

    /// Warns of an entry that has no counterpart here, unless it has the value that means nothing.
    pub(super) fn without_counterpart(&mut self, block: &'d Block, key: &str, neutral: f64, meaning: &str) {
        if let Some(value) = self.number(block, key)
            && value != neutral
        {
            let found = self.shown(block, key);
            self.warn(self.spot(block, key), format!("`{key} = {found}` has no counterpart: {meaning}"));
        }
    }

    /// The text of a file named at `spot`.
    pub(super) fn other_file(&mut self, name: &str, spot: Spot) -> Option<Source> {
        match Lexer::other(self.blocks.files, self.read, &self.root, name, spot) {
            Ok(source) => Some(source),
            Err(fault) => {
                self.faults.push(*fault);
                None
            }
        }
    }
}

/// A value as it is written, shortened.
pub(super) fn clipped(text: &str) -> String {
    match text.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(value) => Some(*value as f64),
        Value::Real(value) => Some(*value),
        _ => None,
    }
}

fn integer(value: &Value) -> Option<i64> {
    match value {
        Value::Integer(value) => Some(*value),
        Value::Real(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(*value as i64),
        _ => None,
    }
}
