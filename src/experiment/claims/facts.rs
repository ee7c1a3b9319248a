//! Named facts of a configuration, for claims about set-up rules.

use std::collections::BTreeMap;

/// What a fact says.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A count or a figure; the unit is the last word of the fact's name.
    Number(f64),
    /// Whether something is so.
    Truth(bool),
    /// A name, such as a model number or a driver version.
    Text(String),
}

/// Facts by dotted name, such as `pci.width_bits` or `rejects.five_drives`.
///
/// The program fills the set from the resolved scenario and from attempts it really made (a fifth drive that the
/// controller refused); a fact nobody supplied makes the claims that need it not checkable, never held.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    named: BTreeMap<String, Fact>,
    /// Why a fact that there could be is not there.
    withheld: BTreeMap<String, String>,
}

impl Facts {
    /// An empty set.
    pub fn new() -> Self {
        Facts::default()
    }
    /// Supplies a figure; a later one of the same name replaces it.
    pub fn number(&mut self, name: &str, value: f64) -> &mut Self {
        self.insert(name, Fact::Number(value))
    }
    /// Supplies a yes or no.
    pub fn truth(&mut self, name: &str, value: bool) -> &mut Self {
        self.insert(name, Fact::Truth(value))
    }
    /// Supplies a name.
    pub fn text(&mut self, name: &str, value: &str) -> &mut Self {
        self.insert(name, Fact::Text(value.to_owned()))
    }
    /// Supplies a fact of any type.
    pub fn insert(&mut self, name: &str, fact: Fact) -> &mut Self {
        self.named.insert(name.to_owned(), fact);
        self
    }
    /// Says why there is no fact of this name.
    pub fn withhold(&mut self, name: &str, reason: &str) -> &mut Self {
        self.withheld.insert(name.to_owned(), reason.to_owned());
        self
    }
    /// Why there is no fact of this name, if somebody said so.
    pub fn withheld(&self, name: &str) -> Option<&str> {
        self.withheld.get(name).map(String::as_str)
    }
    /// The fact of this name, if it was supplied.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        self.named.get(name)
    }
    /// The names of all supplied facts, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }
}
