//! Where a figure comes from.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// Where a model's figure comes from; the text names the document, the method or the reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Provenance {
    /// Printed by the maker.
    Datasheet(String),
    /// Measured on the hardware, by somebody.
    Measured(String),
    /// Stated by a description of the drive that somebody made for another program, out of measurements and manuals.
    Described(String),
    /// Computed from other sourced figures.
    Derived(String),
    /// Adjusted until a published result came out; not evidence for that result.
    Fitted(String),
    /// Believed likely, without a source.
    Assumed(String),
}

/// The source of each figure, by field path (`seek.average_ms`).
pub type Sources = BTreeMap<String, Provenance>;

impl Provenance {
    /// The kind in lower case (`datasheet`).
    pub fn kind(&self) -> &'static str {
        match self {
            Provenance::Datasheet(_) => "datasheet",
            Provenance::Measured(_) => "measured",
            Provenance::Described(_) => "described",
            Provenance::Derived(_) => "derived",
            Provenance::Fitted(_) => "fitted",
            Provenance::Assumed(_) => "assumed",
        }
    }
    /// The document, the method or the reason.
    pub fn text(&self) -> &str {
        let (Provenance::Datasheet(text)
        | Provenance::Measured(text)
        | Provenance::Described(text)
        | Provenance::Derived(text)
        | Provenance::Fitted(text)
        | Provenance::Assumed(text)) = self;
        text
    }
}

impl fmt::Display for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind(), self.text())
    }
}
