//! Reading configuration text: provenance of figures and the collection of semantic problems.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Where a figure of a model comes from; each kind carries a text that names the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Provenance {
    /// Read in the maker's data sheet or manual.
    Datasheet(String),
    /// Measured on real hardware by somebody.
    Measured(String),
    /// Computed from other sourced figures.
    Derived(String),
    /// Chosen so that a result fits a published one.
    Fitted(String),
    /// Assumed, recalled or estimated.
    Assumed(String),
}

/// Field path -> where the figure comes from; a path also covers the fields below it.
pub type Sources = BTreeMap<String, Provenance>;

/// The semantic problems of one file, each with a field path.
#[derive(Clone, Debug, Default)]
pub struct Issues {
    scope: String,
    found: Vec<(String, String, String)>,
}

impl Issues {
    /// No problems yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// Adds a problem of `field`, relative to the current scope.
    pub fn report(&mut self, field: &str, message: impl Into<String>, remedy: impl Into<String>) {
        self.found.push((self.path(field), message.into(), remedy.into()));
    }
    /// Runs `inner` with `field` pushed onto the path prefix.
    pub fn scoped<R>(&mut self, field: &str, inner: impl FnOnce(&mut Issues) -> R) -> R {
        let path = self.path(field);
        let outer = std::mem::replace(&mut self.scope, path);
        let result = inner(self);
        self.scope = outer;
        result
    }
    /// Reports `value` unless it lies in `allowed`; true if it does.
    pub fn range_f64(&mut self, field: &str, value: f64, allowed: RangeInclusive<f64>, unit: &str) -> bool {
        let ok = allowed.contains(&value);
        if !ok {
            let (low, high) = allowed.into_inner();
            self.report(
                field,
                format!("{value} {unit} is out of range"),
                format!("use {low} to {high} {unit}"),
            );
        }
        ok
    }
    /// Reports `value` unless it lies in `allowed`; true if it does.
    pub fn range_u64(&mut self, field: &str, value: u64, allowed: RangeInclusive<u64>, unit: &str) -> bool {
        let ok = allowed.contains(&value);
        if !ok {
            let (low, high) = allowed.into_inner();
            self.report(
                field,
                format!("{value} {unit} is out of range"),
                format!("use {low} to {high} {unit}"),
            );
        }
        ok
    }
    /// True if nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
    fn path(&self, field: &str) -> String {
        match (self.scope.is_empty(), field.is_empty()) {
            (true, _) => field.to_owned(),
            (_, true) => self.scope.clone(),
            _ => format!("{}.{field}", self.scope),
        }
    }
}

/// Semantic checks of a spec, beyond what its types say.
pub trait Validate {
    /// Reports every problem found.
    fn validate(&self, issues: &mut Issues);
}
