//! What a DiskSim parameter file says, as a tree in which everything knows its place.

use crate::config::{Diagnostic, Source};

/// Where a piece of text stands: a file and its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spot {
    file: u32,
    start: u32,
    end: u32,
}

/// The files that a description was read from, the first one first.
#[derive(Clone, Debug, Default)]
pub struct Files(Vec<Source>);

/// All statements of a description, in the order in which they were read.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// The files behind it.
    pub files: Files,
    /// Blocks, instances and topologies.
    pub statements: Vec<Statement>,
}

/// One statement.
#[derive(Clone, Debug)]
pub enum Statement {
    /// `type name { key = value, ... }`.
    Block(Block),
    /// `instantiate [names] as model`.
    Instantiate {
        /// The components that come into being; ranges have been written out.
        names: Vec<Word>,
        /// The block that describes them.
        model: Word,
    },
    /// `topology type name [ children ]`.
    Topology(Node),
}

/// A name or other text, and where it stands.
#[derive(Clone, Debug)]
pub struct Word {
    /// The text.
    pub text: String,
    /// Its place.
    pub spot: Spot,
}

/// `type { key = value, ... }`, with a name where it is defined for later use.
#[derive(Clone, Debug)]
pub struct Block {
    /// What it describes: `dm_disk`, or the name of an earlier block that it varies.
    pub kind: Word,
    /// What it is called.
    pub name: Option<Word>,
    /// Its entries in order.
    pub params: Vec<Param>,
}

/// `key = value`.
#[derive(Clone, Debug)]
pub struct Param {
    /// The key, with one blank between its words.
    pub key: Word,
    /// The value.
    pub item: Item,
}

/// A value and where it stands.
#[derive(Clone, Debug)]
pub struct Item {
    /// The value.
    pub value: Value,
    /// Its place; of a list or block: of its first token.
    pub spot: Spot,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number with a decimal point.
    Real(f64),
    /// A name.
    Word(String),
    /// `[a, b, c]`; ranges have been written out.
    List(Vec<Item>),
    /// A block.
    Block(Box<Block>),
    /// A part of a topology.
    Node(Box<Node>),
}

/// A component and what hangs on it.
#[derive(Clone, Debug)]
pub struct Node {
    /// Kind of component (`disksim_bus`).
    pub kind: Word,
    /// Its name.
    pub name: Word,
    /// The components below it.
    pub children: Vec<Node>,
}

impl Spot {
    /// The bytes `start..end` of the file number `file`.
    pub(super) fn new(file: usize, start: usize, end: usize) -> Self {
        let small = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Spot { file: small(file), start: small(start), end: small(end) }
    }
    /// From the start of this spot to the end of `other`; this spot alone if that is in another file.
    pub(super) fn to(self, other: Spot) -> Self {
        if self.file == other.file { Spot { end: other.end, ..self } } else { self }
    }
    /// The end of this spot, without length.
    pub(super) fn behind(self) -> Self {
        Spot { start: self.end, ..self }
    }
    pub(super) fn file(self) -> usize {
        self.file as usize
    }
}

impl Files {
    pub(super) fn add(&mut self, source: Source) -> usize {
        self.0.push(source);
        self.0.len() - 1
    }
    pub(super) fn get(&self, file: usize) -> &Source {
        &self.0[file]
    }
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
    /// The text at `spot`.
    pub fn text(&self, spot: Spot) -> &str {
        let source = self.0.get(spot.file()).map_or("", |source| source.text.as_str());
        source.get(spot.start as usize..spot.end as usize).unwrap_or("")
    }
    /// The name of the file that holds `spot`.
    pub fn name(&self, spot: Spot) -> &str {
        self.0.get(spot.file()).map_or("", |source| source.name.as_str())
    }
    /// A fault at `spot`.
    pub fn fault(&self, spot: Spot, message: impl Into<String>) -> Diagnostic {
        match self.0.get(spot.file()) {
            Some(source) => Diagnostic::at(source, spot.start as usize..spot.end as usize, message),
            None => Diagnostic::of_file("", message),
        }
    }
    /// `file:line` of `spot`.
    pub fn line(&self, spot: Spot) -> String {
        self.0.get(spot.file()).map_or_else(String::new, |source| {
            format!("{}:{}", source.name, source.line_column(spot.start as usize).0)
        })
    }
}

impl Block {
    /// The entry called `key`.
    pub fn param(&self, key: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.key.text == key)
    }
}

impl Value {
    /// What kind of value this is, for messages.
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Value::Integer(_) => "a whole number",
            Value::Real(_) => "a number with a decimal point",
            Value::Word(_) => "a name",
            Value::List(_) => "a list",
            Value::Block(_) => "a block",
            Value::Node(_) => "a part of a topology",
        }
    }
}
