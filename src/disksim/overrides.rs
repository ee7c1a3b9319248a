//! Single entries of components given anew, as on DiskSim's command line: `COMPONENT KEY VALUE`.
//!
//! Models: what `lp_override_inst` of DiskSim's libparam does: a component by its name, as `disk0 .. disk3`, `disk*` or
//! `*`, and the entry of a block inside by `Scheduler:Scheduling policy`. Blocks that nothing is an instance of may be
//! named, too, and values may be lists and blocks, which DiskSim leaves out.
//! Invariant: a value is one value and a key is one key, whatever letters stand in them.

use std::ops::Range;
use std::rc::Rc;

use super::parser::value_in;
use super::tree::{Block, Document, Files, Item, Param, Spot, Statement, Value, Word};
use crate::config::{Diagnostic, Diagnostics, Source, suggest};

/// One entry of a component given anew.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Override {
    /// A component that is instantiated, several of them, or a block.
    pub component: String,
    /// The entry.
    pub key: String,
    /// Its value, as it would stand in a file.
    pub value: String,
}

/// The name under which overrides are told of.
pub const OVERRIDE: &str = "--override";

/// What an import gives, as far as overrides are judged by it.
pub(super) trait Imported {
    /// Whether nothing that is simulated differs.
    fn acts_like(&self, other: &Self) -> bool;
    /// What is told of it.
    fn warnings(&mut self) -> &mut Vec<String>;
}

/// What `import` makes of `document` with these entries given anew; entries that change nothing are told of.
///
/// # Errors
/// Components that are not there, values that are none, and all that `import` finds wrong.
pub(super) fn imported<T: Imported>(
    document: Document,
    overrides: &[Override],
    mut import: impl FnMut(&Document) -> Result<T, Diagnostics>,
) -> Result<T, Diagnostics> {
    let mut document = document;
    if overrides.is_empty() {
        return import(&document);
    }
    let lines = lines(&mut document.files, overrides)?;
    let entries = lines.into_iter().map(Entry::read).collect::<Result<Vec<Entry>, Diagnostics>>()?;
    let mut before = import(&document).ok();
    let mut idle = Vec::new();
    let mut last = None;
    for (index, entry) in entries.iter().enumerate() {
        let known = entry.apply(&mut document)?;
        let after = import(&document);
        let line = document.files.line(entry.line.component);
        let changed = match (&before, &after) {
            (Some(before), Ok(after)) => !before.acts_like(after),
            _ => true,
        };
        if !changed {
            let Override { component, key, value } = &overrides[index];
            let why = match known {
                true => format!("is {value} already"),
                false => "changes nothing that is modelled here".to_owned(),
            };
            idle.push((line, format!("`{key}` of {component} {why}; leave it out")));
        } else if entries[index + 1..].iter().any(|later| later.replaces(entry)) {
            let Override { component, key, .. } = &overrides[index];
            idle.push((line, format!("`{key}` of {component} is given anew once more, which counts")));
        }
        if index + 1 == entries.len() {
            last = Some(after?);
        } else {
            before = after.ok();
        }
    }
    let mut whole = match last {
        Some(whole) => whole,
        None => import(&document)?,
    };
    // An entry without a counterpart has been told of with its place.
    idle.retain(|(line, _)| {
        let told = format!("{line}: ");
        !whole.warnings().iter().any(|warning| warning.starts_with(&told))
    });
    let idle = idle.into_iter().map(|(line, message)| format!("{line}: warning: {message}"));
    whole.warnings().splice(0..0, idle);
    Ok(whole)
}

/// Where one of them stands in the text of all.
struct Line {
    text: Rc<str>,
    component: Spot,
    key: Spot,
    value: Range<usize>,
    file: usize,
    parts: [String; 3],
}

/// Writes the overrides into a file of a line each, as they would stand on a command line.
fn lines(files: &mut Files, overrides: &[Override]) -> Result<Vec<Line>, Diagnostics> {
    let file = files.len();
    let mut text = String::new();
    let mut spans = Vec::new();
    for Override { component, key, value } in overrides {
        let parts = [component, key, value];
        if let Some(part) = parts.iter().find(|part| part.contains(char::is_control)) {
            let message = format!("`{}` holds a line break or a control character", part.escape_debug());
            let fault = Diagnostic::of_file(OVERRIDE, message);
            return Err(fault.with_remedy("write component, key and value on one line").into());
        }
        spans.push(parts.map(|part| {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push(' ');
            }
            let quote = if part.is_empty() || part.contains(' ') { "'" } else { "" };
            let start = text.len() + quote.len();
            text += &format!("{quote}{part}{quote}");
            start..start + part.len()
        }));
        text.push('\n');
    }
    files.add(Source::new(OVERRIDE, text.clone()));
    let text: Rc<str> = text.into();
    let spot = |span: &Range<usize>| Spot::new(file, span.start, span.end);
    let lines = spans.into_iter().zip(overrides).map(|([component, key, value], entry)| Line {
        text: Rc::clone(&text),
        component: spot(&component),
        key: spot(&key),
        value,
        file,
        parts: [&entry.component, &entry.key, &entry.value].map(Clone::clone),
    });
    Ok(lines.collect())
}

/// One override, its value read.
struct Entry {
    line: Line,
    /// Keys from the outermost block inwards.
    path: Vec<Word>,
    item: Item,
}

impl Entry {
    fn read(line: Line) -> Result<Entry, Diagnostics> {
        let source = Source::new(OVERRIDE, &*line.text);
        let item = value_in(source, line.file, line.value.clone())?;
        let key =
            |text: &str| Word { text: text.split_whitespace().collect::<Vec<_>>().join(" "), spot: line.key };
        let path = line.parts[1].split(':').map(key).collect();
        Ok(Entry { path, item, line })
    }

    /// Whether it gives the same entry of the same components anew.
    fn replaces(&self, other: &Entry) -> bool {
        let texts = |path: &[Word]| path.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
        self.line.parts[0] == other.line.parts[0] && texts(&self.path) == texts(&other.path)
    }

    /// Gives the entry anew in `document`; true if all components had this very value.
    fn apply(&self, document: &mut Document) -> Result<bool, Diagnostics> {
        let wanted = self.line.parts[0].as_str();
        let components = components(document, wanted);
        let mut known = true;
        if components.is_empty() {
            if find(document, wanted).is_none() {
                return Err(self.unknown(document).into());
            }
            let instances: Vec<String> = instances(document)
                .filter(|(_, model)| varies(document, model, wanted))
                .map(|(_, model)| model.to_owned())
                .collect();
            // Blocks that were made of it for single components have entries of their own.
            let made = |model: &String| find(document, model).is_some_and(is_made);
            let mut blocks: Vec<String> = instances.into_iter().filter(made).collect();
            blocks.push(wanted.to_owned());
            blocks.dedup();
            for name in blocks {
                known &= self.set_in(document, &name)?;
            }
        }
        for component in components {
            let model = self.own_block(document, &component);
            known &= self.set_in(document, &model)?;
        }
        Ok(known)
    }

    /// The block that describes `component` alone.
    fn own_block(&self, document: &mut Document, component: &str) -> String {
        let model =
            instances(document).find(|(name, _)| *name == component).map(|(_, model)| model.to_owned());
        let model = model.unwrap_or_default();
        if find(document, &model).is_some_and(is_made) {
            return model;
        }
        let mut number = 1;
        let name = loop {
            let name = format!("{model}_override{number}");
            let taken = instances(document).any(|(component, _)| component == name);
            if !taken && find(document, &name).is_none() {
                break name;
            }
            number += 1;
        };
        // It stands where the block that it varies does.
        let spot = find(document, &model).map_or(self.line.component, |origin| origin.kind.spot);
        let word = |text: &str| Word { text: text.to_owned(), spot };
        let block = Block { kind: word(&model), name: Some(word(&name)), params: Vec::new() };
        document.statements.push(Statement::Block(block));
        split(document, component, &word(&name));
        name
    }

    /// Sets the entry in the block called `name`; true if it had this very value.
    fn set_in(&self, document: &mut Document, name: &str) -> Result<bool, Diagnostics> {
        let Some(mut block) = find(document, name).cloned() else { return Ok(false) };
        let known = self.set(document, &mut block, &self.path)?;
        if let Some(place) = find_mut(document, name) {
            *place = block;
        }
        Ok(known)
    }

    fn set(&self, document: &Document, block: &mut Block, path: &[Word]) -> Result<bool, Diagnostics> {
        let Some((key, inner)) = path.split_first() else { return Ok(false) };
        let before = effective(document, block, &key.text);
        let (item, known) = if inner.is_empty() {
            let known = before.is_some_and(|before| same(&before.value, &self.item.value));
            (self.item.clone(), known)
        } else {
            let mut nested = match before.map(|before| &before.value) {
                Some(Value::Block(nested)) => nameless(nested),
                Some(Value::Word(name)) if find(document, name).is_some() => Block {
                    kind: Word { text: name.clone(), spot: self.line.key },
                    name: None,
                    params: Vec::new(),
                },
                _ => {
                    let message = format!("`{}` is no block of {}", key.text, self.line.parts[0]);
                    let fault = document.files.fault(self.line.key, message);
                    return Err(fault
                        .with_remedy(
                            "before `:` goes the key of a block, as in `Scheduler:Scheduling policy`",
                        )
                        .into());
                }
            };
            let known = self.set(document, &mut nested, inner)?;
            (Item { value: Value::Block(Box::new(nested)), spot: self.line.key }, known)
        };
        let param = Param { key: key.clone(), item };
        match block.params.iter_mut().find(|known| known.key.text == key.text) {
            Some(known) => *known = param,
            None => block.params.push(param),
        }
        Ok(known)
    }

    fn unknown(&self, document: &Document) -> Diagnostic {
        let name = self.line.parts[0].as_str();
        let mut known: Vec<&str> = instances(document).map(|(component, _)| component).collect();
        known.extend(blocks(document).filter_map(|block| block.name.as_ref()).map(|name| name.text.as_str()));
        let remedy = match suggest(name, known.iter().copied()) {
            Some(likely) => format!("did you mean `{likely}`?"),
            None => format!("there are {}", known.join(", ")),
        };
        let message = format!("there is no component called `{name}`");
        document.files.fault(self.line.component, message).with_remedy(remedy)
    }
}

/// Whether a block was made for a component whose entries are given anew: no file can name one at such a place.
fn is_made(block: &Block) -> bool {
    block.name.as_ref().is_some_and(|name| name.spot == block.kind.spot)
}

/// What the description calls a block; one that was made for a component goes by the name of the block it varies.
pub(super) fn described_as(block: &Block) -> Option<&str> {
    let name = if is_made(block) { Some(&block.kind) } else { block.name.as_ref() };
    name.map(|name| name.text.as_str())
}

/// Components with their blocks, in order.
fn instances(document: &Document) -> impl Iterator<Item = (&str, &str)> {
    let statements = document.statements.iter().filter_map(|statement| match statement {
        Statement::Instantiate { names, model } => Some((names, model)),
        Statement::Block(_) | Statement::Topology(_) => None,
    });
    statements.flat_map(|(names, model)| names.iter().map(|name| (name.text.as_str(), model.text.as_str())))
}

/// The components that `wanted` stands for: one, `disk0 .. disk3`, `disk*` or `*`.
fn components(document: &Document, wanted: &str) -> Vec<String> {
    let split = |text: &str| -> Option<(String, u64)> {
        let stem = text.trim().trim_end_matches(|letter: char| letter.is_ascii_digit());
        Some((stem.to_owned(), text.trim()[stem.len()..].parse().ok()?))
    };
    let range = wanted.split_once("..").and_then(|(first, last)| Some((split(first)?, split(last)?)));
    let fits = |name: &str| match &range {
        _ if name == wanted => true,
        Some((first, last)) => split(name).is_some_and(|(stem, number)| {
            stem == first.0 && stem == last.0 && (first.1..=last.1).contains(&number)
        }),
        None => wanted.strip_suffix('*').is_some_and(|stem| {
            stem.is_empty() || name.trim_end_matches(|letter: char| letter.is_ascii_digit()) == stem
        }),
    };
    instances(document).map(|(name, _)| name).filter(|name| fits(name)).map(str::to_owned).collect()
}

/// Takes `component` out of the statement that instantiates it, where it stands, so that numbers of drives stay.
fn split(document: &mut Document, component: &str, model: &Word) {
    let statements = std::mem::take(&mut document.statements);
    for statement in statements {
        match statement {
            Statement::Instantiate { names, model: other }
                if names.iter().any(|name| name.text == component) =>
            {
                let (mut before, mut own, mut after) = (Vec::new(), Vec::new(), Vec::new());
                for name in names {
                    match (name.text == component, own.is_empty()) {
                        (true, _) => own.push(name),
                        (false, true) => before.push(name),
                        (false, false) => after.push(name),
                    }
                }
                for (names, model) in [(before, &other), (own, model), (after, &other)] {
                    if !names.is_empty() {
                        document.statements.push(Statement::Instantiate { names, model: model.clone() });
                    }
                }
            }
            other => document.statements.push(other),
        }
    }
}

/// Blocks that vary a block that varies a block.
const VARIED_MAX: usize = 32;

/// Whether the block called `name` is `origin` or varies it.
fn varies(document: &Document, name: &str, origin: &str) -> bool {
    let mut name = name;
    for _ in 0..VARIED_MAX {
        if name == origin {
            return true;
        }
        let Some(block) = find(document, name) else { return false };
        name = &block.kind.text;
    }
    false
}

/// The entry that counts of a block: its own, or that of the block that it varies.
fn effective<'d>(document: &'d Document, block: &'d Block, key: &str) -> Option<&'d Item> {
    let mut block = block;
    for _ in 0..VARIED_MAX {
        if let Some(param) = block.param(key) {
            return Some(&param.item);
        }
        block = find(document, &block.kind.text)?;
    }
    None
}

/// All blocks, those inside others behind them.
fn blocks(document: &Document) -> impl Iterator<Item = &Block> {
    let mut waiting: Vec<&Block> = document
        .statements
        .iter()
        .rev()
        .filter_map(|statement| match statement {
            Statement::Block(block) => Some(block),
            Statement::Instantiate { .. } | Statement::Topology(_) => None,
        })
        .collect();
    std::iter::from_fn(move || {
        let block = waiting.pop()?;
        let mut items: Vec<&Item> = block.params.iter().map(|param| &param.item).collect();
        while let Some(item) = items.pop() {
            match &item.value {
                Value::Block(inner) => waiting.push(inner),
                Value::List(inner) => items.extend(inner),
                _ => {}
            }
        }
        Some(block)
    })
}

fn is_called(block: &Block, name: &str) -> bool {
    block.name.as_ref().is_some_and(|known| known.text == name)
}

fn find<'d>(document: &'d Document, name: &str) -> Option<&'d Block> {
    blocks(document).find(|block| is_called(block, name))
}

fn find_mut<'d>(document: &'d mut Document, name: &str) -> Option<&'d mut Block> {
    document.statements.iter_mut().find_map(|statement| match statement {
        Statement::Block(block) => within(block, name),
        Statement::Instantiate { .. } | Statement::Topology(_) => None,
    })
}

fn within<'b>(block: &'b mut Block, name: &str) -> Option<&'b mut Block> {
    if is_called(block, name) {
        return Some(block);
    }
    block.params.iter_mut().find_map(|param| within_item(&mut param.item, name))
}

fn within_item<'b>(item: &'b mut Item, name: &str) -> Option<&'b mut Block> {
    match &mut item.value {
        Value::Block(block) => within(block, name),
        Value::List(items) => items.iter_mut().find_map(|item| within_item(item, name)),
        _ => None,
    }
}

/// A copy of a block in which nothing has a name, so that each name still stands for one block.
fn nameless(block: &Block) -> Block {
    fn strip(item: &mut Item) {
        match &mut item.value {
            Value::Block(block) => **block = nameless(block),
            Value::List(items) => items.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut copy = block.clone();
    copy.name = None;
    copy.params.iter_mut().for_each(|param| strip(&mut param.item));
    copy
}

fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => one == other,
        (Value::Real(one), Value::Real(other)) => one == other,
        (Value::Integer(whole), Value::Real(real)) | (Value::Real(real), Value::Integer(whole)) => {
            *whole as f64 == *real
        }
        (Value::Word(one), Value::Word(other)) => one == other,
        _ => false,
    }
}
