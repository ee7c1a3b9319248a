//! Statements from tokens; goes on after a fault, so that all faults of a description are told at once.

mod values;

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use super::lexer::{Kind, Lexer, Reader, Token};
use super::tree::{Block, Document, Item, Node, Param, Spot, Statement, Value, Word};
use crate::config::{Diagnostic, Diagnostics, Source};

pub(super) use values::value_in;

/// Blocks and lists inside each other; real files have six.
const DEPTH_MAX: usize = 64;
/// Words of a key; the longest real one has nine.
const KEY_WORDS_MAX: usize = 32;
/// Faults after which a text is taken for something else than a description.
pub(super) const FAULTS_MAX: usize = 50;
/// Components that one range may name.
const RANGE_MAX: u64 = 4096;

/// Reads a description whose first file is `source`, found at `path`; `read` gives the files that it names.
///
/// # Errors
/// Every fault of syntax in all files, each with its place.
pub(super) fn parse(source: Source, path: &Path, read: &mut Reader) -> Result<Document, Diagnostics> {
    let mut parser = Parser {
        lexer: Lexer::new(source, path, read),
        ahead: VecDeque::new(),
        faults: Vec::new(),
        depth: 0,
        over: false,
    };
    let mut statements = parser.statements();
    keep_last_instances(&mut statements);
    let Parser { lexer, mut faults, .. } = parser;
    faults.extend(lexer.faults);
    faults.into_iter().collect::<Diagnostics>().unless_any(Document { files: lexer.files, statements })
}

/// A component that is instantiated again is what it is made into last.
fn keep_last_instances(statements: &mut Vec<Statement>) {
    let mut seen = BTreeSet::new();
    for statement in statements.iter_mut().rev() {
        if let Statement::Instantiate { names, .. } = statement {
            names.retain(|name| !seen.contains(&name.text));
            seen.extend(names.iter().map(|name| name.text.clone()));
        }
    }
    statements
        .retain(|statement| !matches!(statement, Statement::Instantiate { names, .. } if names.is_empty()));
}

struct Parser<'r, 'f> {
    lexer: Lexer<'r, 'f>,
    ahead: VecDeque<Token>,
    faults: Vec<Diagnostic>,
    depth: usize,
    /// The rest of the text is not looked at any more.
    over: bool,
}

impl Parser<'_, '_> {
    fn peek(&mut self, distance: usize) -> Token {
        while self.ahead.len() <= distance {
            let token = self.lexer.next();
            self.ahead.push_back(token);
        }
        if self.over { Token { kind: Kind::End, ..self.ahead[distance] } } else { self.ahead[distance] }
    }

    fn next(&mut self) -> Token {
        let token = self.peek(0);
        if token.kind != Kind::End {
            self.ahead.pop_front();
        }
        token
    }

    fn at(&mut self, kind: Kind) -> bool {
        self.peek(0).kind == kind
    }

    /// Takes the next token if it is of this kind.
    fn eat(&mut self, kind: Kind) -> bool {
        let there = self.at(kind);
        if there {
            self.next();
        }
        there
    }

    fn text(&self, token: Token) -> &str {
        self.lexer.files.text(token.spot)
    }

    fn word(&self, token: Token) -> Word {
        Word { text: self.text(token).to_owned(), spot: token.spot }
    }

    fn fault(&mut self, spot: Spot, message: impl Into<String>, remedy: &str) {
        if self.over {
            return;
        }
        self.faults.push(self.lexer.files.fault(spot, message).with_remedy(remedy));
        if self.faults.len() + self.lexer.faults.len() >= FAULTS_MAX {
            self.faults.push(
                self.lexer
                    .files
                    .fault(spot.behind(), format!("after {FAULTS_MAX} faults the rest was not looked at"))
                    .with_remedy("is this a DiskSim parameter file?"),
            );
            self.over = true;
        }
    }

    /// A fault because of the next token.
    fn unexpected(&mut self, wanted: &str, remedy: &str) {
        let token = self.peek(0);
        let found = match token.kind {
            Kind::End => "the text ends".to_owned(),
            _ => format!("`{}`", clipped(self.text(token))),
        };
        self.fault(token.spot, format!("{wanted} was expected; found {found}"), remedy);
    }

    fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        loop {
            let token = self.peek(0);
            let statement = match (token.kind, self.text(token)) {
                (Kind::End, _) => return statements,
                (Kind::Absent, _) => {
                    self.next();
                    continue;
                }
                (Kind::Word, "instantiate") => self.instantiate(),
                (Kind::Word, "topology") => {
                    self.next();
                    self.node().map(Statement::Topology)
                }
                (Kind::Word, _) => self.top_block(),
                _ => {
                    self.unexpected(
                        "a block, `instantiate` or `topology`",
                        "start it with its type: `disksim_disk NAME {`",
                    );
                    None
                }
            };
            match statement {
                Some(statement) => statements.push(statement),
                None => self.skip_statement(),
            }
        }
    }

    /// Skips to behind the next closing bracket that leaves none open, or to the next keyword.
    fn skip_statement(&mut self) {
        let mut open = 0_usize;
        loop {
            let token = self.peek(0);
            match token.kind {
                Kind::End => return,
                Kind::OpenBlock | Kind::OpenList => open += 1,
                Kind::CloseBlock | Kind::CloseList if open <= 1 => {
                    self.next();
                    return;
                }
                Kind::CloseBlock | Kind::CloseList => open -= 1,
                Kind::Word if open == 0 && matches!(self.text(token), "instantiate" | "topology") => return,
                _ => {}
            }
            self.next();
        }
    }

    fn top_block(&mut self) -> Option<Statement> {
        let kind = self.next();
        let kind = self.word(kind);
        if self.at(Kind::OpenBlock) {
            let message = format!("this {} has no name", kind.text);
            self.fault(kind.spot.behind(), message, &format!("write `{} NAME {{`", kind.text));
            return self.block(kind, None).map(Statement::Block);
        }
        if !self.at(Kind::Word) {
            self.unexpected(
                &format!("the name of this {}", kind.text),
                &format!("write `{} NAME {{`", kind.text),
            );
            return None;
        }
        let name = self.next();
        let name = self.word(name);
        if !self.at(Kind::OpenBlock) {
            self.unexpected(&format!("`{{` of {}", name.text), "open the block with `{`");
            return None;
        }
        self.block(kind, Some(name)).map(Statement::Block)
    }

    /// `instantiate [ names ] as model`.
    fn instantiate(&mut self) -> Option<Statement> {
        const FORM: &str = "write `instantiate [ disk0 .. disk3 ] as MODEL`";
        self.next();
        if !self.at(Kind::OpenList) {
            self.unexpected("`[`", FORM);
            return None;
        }
        let mut names = Vec::new();
        for item in self.list()? {
            match item.value {
                Value::Word(text) => names.push(Word { text, spot: item.spot }),
                other => self.fault(item.spot, format!("{} is no name of a component", other.noun()), FORM),
            }
        }
        let keyword = self.peek(0);
        if keyword.kind != Kind::Word || self.text(keyword) != "as" {
            self.unexpected("`as`", FORM);
            return None;
        }
        self.next();
        if !self.at(Kind::Word) {
            self.unexpected("the name of a block", FORM);
            return None;
        }
        let model = self.next();
        Some(Statement::Instantiate { names, model: self.word(model) })
    }

    /// `type name [ children ]`.
    fn node(&mut self) -> Option<Node> {
        const FORM: &str = "write `disksim_bus bus0 [ ... ]`, with `[]` where nothing hangs on it";
        for wanted in ["the type of a component", "the name of a component"].iter().enumerate() {
            if self.peek(wanted.0).kind != Kind::Word {
                self.unexpected(wanted.1, FORM);
                return None;
            }
        }
        let (kind, name) = (self.next(), self.next());
        let (kind, name) = (self.word(kind), self.word(name));
        if !self.at(Kind::OpenList) {
            self.unexpected(&format!("`[` of {}", name.text), FORM);
            return None;
        }
        let mut children = Vec::new();
        for item in self.list()? {
            match item.value {
                Value::Node(node) => children.push(*node),
                other => self.fault(item.spot, format!("{} in a topology", other.noun()), FORM),
            }
        }
        Some(Node { kind, name, children })
    }

    /// Enters a bracket; none, and the end of everything, if there are too many already.
    fn enter(&mut self) -> Option<Spot> {
        let opening = self.next().spot;
        if self.depth == DEPTH_MAX {
            self.fault(opening, format!("brackets stand more than {DEPTH_MAX} deep"), "close some of them");
            self.over = true;
            return None;
        }
        self.depth += 1;
        Some(opening)
    }

    /// `{ key = value, ... }` of a block of this type and name.
    fn block(&mut self, kind: Word, name: Option<Word>) -> Option<Block> {
        let opening = self.enter()?;
        let mut params = Vec::new();
        loop {
            match self.peek(0).kind {
                Kind::CloseBlock => break,
                Kind::End => {
                    let called = name.as_ref().map_or(&kind.text, |name| &name.text);
                    self.fault(opening, format!("the block {called} is never closed"), "add its `}`");
                    self.over = true;
                    return None;
                }
                Kind::Comma => {
                    self.unexpected("a key", "remove this comma");
                    self.next();
                    continue;
                }
                _ => {}
            }
            match self.entry() {
                Some(entries) => params.extend(entries),
                None => self.skip_entry(),
            }
            self.separator(Kind::CloseBlock);
        }
        self.next();
        self.depth -= 1;
        Some(Block { kind, name, params })
    }

    /// Takes the comma behind an entry; tells if it is missing.
    fn separator(&mut self, closing: Kind) {
        let token = self.peek(0);
        if self.eat(Kind::Comma) || token.kind == closing || token.kind == Kind::End {
            return;
        }
        let text = clipped(self.text(token)).to_owned();
        if matches!(token.kind, Kind::CloseBlock | Kind::CloseList) {
            let right = if closing == Kind::CloseBlock { "}" } else { "]" };
            self.fault(
                token.spot,
                format!("`{text}` closes what `{text}` did not open"),
                &format!("close it with `{right}`"),
            );
            self.next();
            return;
        }
        self.fault(
            token.spot,
            format!("a comma is missing before `{text}`"),
            "write a comma behind the entry before it",
        );
        if matches!(token.kind, Kind::Stray | Kind::Equals | Kind::Range) {
            self.next();
        }
    }

    /// Skips the rest of an entry that could not be read.
    fn skip_entry(&mut self) {
        let mut open = 0_usize;
        loop {
            match self.peek(0).kind {
                Kind::End => return,
                Kind::Comma | Kind::CloseBlock | Kind::CloseList if open == 0 => return,
                Kind::OpenBlock | Kind::OpenList => open += 1,
                Kind::CloseBlock | Kind::CloseList => open -= 1,
                _ => {}
            }
            self.next();
        }
    }

    /// `key = value`, or `[ key, key ] = value` for several keys.
    fn entry(&mut self) -> Option<Vec<Param>> {
        let mut keys = Vec::new();
        if self.at(Kind::OpenList) {
            for item in self.list()? {
                match item.value {
                    Value::Word(text) => keys.push(Word { text, spot: item.spot }),
                    other => {
                        self.fault(item.spot, format!("{} is no key", other.noun()), "name keys in this list")
                    }
                }
            }
        } else {
            keys.push(self.key()?);
        }
        if !self.eat(Kind::Equals) {
            let key = keys.first().map_or("", |key| key.text.as_str());
            self.unexpected(&format!("`=` behind `{}`", clipped(key)), "write `key = value`");
            return None;
        }
        let item = self.item()?;
        Some(keys.into_iter().map(|key| Param { key, item: item.clone() }).collect())
    }

    /// A key of one or more words.
    fn key(&mut self) -> Option<Word> {
        let mut words: Vec<Token> = Vec::new();
        while words.len() < KEY_WORDS_MAX {
            let token = self.peek(0);
            if !matches!(token.kind, Kind::Word | Kind::Integer(_) | Kind::Real(_)) {
                break;
            }
            words.push(self.next());
        }
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            self.unexpected("a key", "write `key = value`");
            return None;
        };
        let spot = first.spot.to(last.spot);
        let text = words.iter().map(|&word| self.text(word)).collect::<Vec<_>>().join(" ");
        Some(Word { text, spot })
    }

    /// `[ item, item, first .. last ]`, written out.
    fn list(&mut self) -> Option<Vec<Item>> {
        let opening = self.enter()?;
        let mut items: Vec<Item> = Vec::new();
        loop {
            match self.peek(0).kind {
                Kind::CloseList => break,
                Kind::End => {
                    self.fault(opening, "this list is never closed", "add its `]`");
                    self.over = true;
                    return None;
                }
                Kind::Comma => {
                    self.unexpected("a value", "remove this comma");
                    self.next();
                    continue;
                }
                _ => {}
            }
            match self.item() {
                Some(first) if self.at(Kind::Range) => {
                    self.next();
                    self.range(&first, &mut items);
                }
                Some(item) => items.push(item),
                None => self.skip_entry(),
            }
            self.separator(Kind::CloseList);
        }
        self.next();
        self.depth -= 1;
        Some(items)
    }
}

/// The text, shortened for a message.
fn clipped(text: &str) -> &str {
    match text.char_indices().nth(40) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
