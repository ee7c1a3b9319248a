//! Values: numbers, names, lists, blocks, parts of a topology.

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;

use super::{Parser, RANGE_MAX};
use crate::config::{Diagnostic, Diagnostics, Source};
use crate::disksim::lexer::{Kind, Lexer};
use crate::disksim::tree::{Item, Spot, Value};

/// The one value that the bytes `range` of `source` are, with places in file number `file`.
///
/// # Errors
/// Every fault of syntax; a comment or anything else beside the value.
pub(in crate::disksim) fn value_in(
    source: Source,
    file: usize,
    range: Range<usize>,
) -> Result<Item, Diagnostics> {
    let whole = Spot::new(file, range.start, range.end);
    let mut read = |path: &Path| {
        let fault = Diagnostic::of_file(path.display().to_string(), "no file can be named here");
        Err(Diagnostics::from(fault.with_remedy("write the value itself")))
    };
    let mut parser = Parser {
        lexer: Lexer::piece(source, file, range, &mut read),
        ahead: VecDeque::new(),
        faults: Vec::new(),
        depth: 0,
        over: false,
    };
    const FORM: &str = "write one value: a number, a name, `[ ... ]` or `type { ... }`";
    let item = parser.item();
    if item.is_some() && parser.faults.is_empty() && !parser.at(Kind::End) {
        parser.unexpected("the end of the value", FORM);
    }
    let Parser { lexer, mut faults, .. } = parser;
    faults.extend(lexer.faults);
    if let Some(comment) = lexer.comment {
        faults.push(lexer.files.fault(comment, "a comment within a value").with_remedy(FORM));
    }
    match item {
        Some(item) => faults.into_iter().collect::<Diagnostics>().unless_any(item),
        None if faults.is_empty() => Err(lexer.files.fault(whole, "no value").with_remedy(FORM).into()),
        None => Err(faults.into_iter().collect()),
    }
}

impl Parser<'_, '_> {
    /// `first .. last`: names that end in numbers.
    pub(super) fn range(&mut self, first: &Item, items: &mut Vec<Item>) {
        const FORM: &str = "write `disk0 .. disk3`";
        let last = self.peek(0);
        let split = |text: &str| -> Option<(String, u64)> {
            let stem = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
            Some((stem.to_owned(), text[stem.len()..].parse().ok()?))
        };
        let from = match &first.value {
            Value::Word(text) => split(text),
            _ => None,
        };
        let to = (last.kind == Kind::Word).then(|| split(self.text(last))).flatten();
        match (from, to) {
            (Some((stem, from)), Some((other, to)))
                if stem == other && from <= to && to - from < RANGE_MAX =>
            {
                items.extend((from..=to).map(|number| Item {
                    value: Value::Word(format!("{stem}{number}")),
                    spot: first.spot.to(last.spot),
                }));
            }
            _ => {
                let message = format!("this is no range of at most {RANGE_MAX} names");
                self.fault(first.spot.to(last.spot), message, FORM);
            }
        }
        if matches!(last.kind, Kind::Word | Kind::Integer(_) | Kind::Real(_)) {
            self.next();
        }
    }

    pub(super) fn item(&mut self) -> Option<Item> {
        let token = self.peek(0);
        let spot = token.spot;
        let value = match token.kind {
            Kind::Integer(value) => {
                self.next();
                Value::Integer(value)
            }
            Kind::Real(value) => {
                self.next();
                Value::Real(value)
            }
            Kind::OpenList => Value::List(self.list()?),
            Kind::Word => self.named()?,
            Kind::Absent => {
                self.next();
                Value::Word(String::new())
            }
            _ => {
                self.unexpected("a value", "write a number, a name, `[ ... ]` or `type { ... }`");
                return None;
            }
        };
        Some(Item { value, spot })
    }

    /// A value that begins with a word: a name, a block with or without a name, or a part of a topology.
    fn named(&mut self) -> Option<Value> {
        let (second, third) = (self.peek(1).kind, self.peek(2).kind);
        match (second, third) {
            (Kind::Word, Kind::OpenList) => self.node().map(|node| Value::Node(Box::new(node))),
            (Kind::OpenBlock, _) | (Kind::Word, Kind::OpenBlock) => {
                let kind = self.next();
                let kind = self.word(kind);
                let name = (second == Kind::Word).then(|| self.next());
                let name = name.map(|token| self.word(token));
                self.block(kind, name).map(|block| Value::Block(Box::new(block)))
            }
            _ => {
                let token = self.next();
                Some(Value::Word(self.text(token).to_owned()))
            }
        }
    }
}
