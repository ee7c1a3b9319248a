//! Reading configuration text.
//!
//! Models: the vocabulary that spec types share: where a figure comes from, and the collection of the
//! semantic problems of one file.
//! Leaves out: reading and locating text.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Where a figure of a model comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Provenance {
    /// Printed by the maker.
    Datasheet(String),
    /// Measured on the real thing.
    Measured(String),
    /// Computed from other figures.
    Derived(String),
    /// Chosen so that a result matches.
    Fitted(String),
    /// Nobody knows; a plausible value.
    Assumed(String),
}

/// Field path to provenance.
pub type Sources = BTreeMap<String, Provenance>;

/// The semantic problems of one file.
#[derive(Debug, Default)]
pub struct Issues {
    path: Vec<String>,
    found: Vec<(String, String, String)>,
}

impl Issues {
    /// No problems.
    pub fn new() -> Self {
        Issues::default()
    }
    /// Adds a problem of `field`, relative to the current scope.
    pub fn report(&mut self, field: &str, message: impl Into<String>, remedy: impl Into<String>) {
        let mut path = self.path.join(".");
        if !path.is_empty() && !field.is_empty() && !field.starts_with('[') {
            path.push('.');
        }
        path.push_str(field);
        self.found.push((path, message.into(), remedy.into()));
    }
    /// Runs `inner` with `field` added to the path.
    pub fn scoped<R>(&mut self, field: &str, inner: impl FnOnce(&mut Issues) -> R) -> R {
        self.path.push(field.to_owned());
        let result = inner(self);
        self.path.pop();
        result
    }
    /// True if `value` is in `allowed`; else a problem is added.
    pub fn range_f64(&mut self, field: &str, value: f64, allowed: RangeInclusive<f64>, unit: &str) -> bool {
        let fits = allowed.contains(&value);
        if !fits {
            let (low, high) = (allowed.start(), allowed.end());
            self.report(
                field,
                format!("{value} {unit} is out of range"),
                format!("use {low} to {high} {unit}"),
            );
        }
        fits
    }
    /// True if `value` is in `allowed`; else a problem is added.
    pub fn range_u64(&mut self, field: &str, value: u64, allowed: RangeInclusive<u64>, unit: &str) -> bool {
        let fits = allowed.contains(&value);
        if !fits {
            let (low, high) = (allowed.start(), allowed.end());
            self.report(
                field,
                format!("{value} {unit} is out of range"),
                format!("use {low} to {high} {unit}"),
            );
        }
        fits
    }
    /// True if there are no problems.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

/// A spec that can check itself.
pub trait Validate {
    /// Adds every problem of this spec to `issues`.
    fn validate(&self, issues: &mut Issues);
}
