//! Reading a whole file and finding all its faults at once.
//!
//! The `ron` crate stops at the first fault. Here the item at fault is blanked out (spaces keep every offset)
//! and the text is read again, until nothing new turns up. What a blanked item causes is not reported.

use std::ops::Range;

use ron::error::Error as Code;
use ron::extensions::Extensions;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;

use super::explain;
use super::probe;
use super::scan::scan;
use super::suggest::suggest;
use super::tree::{self, Item, Key, Link, Node, Shape, Step};
use super::{Diagnostic, Diagnostics, Issues, Source, Validate};

/// More faults than this are not looked for.
const ROUNDS: usize = 50;

/// Reads a RON text as a `T`; `Some(..)` and double parentheses of variants are not needed in it.
///
/// # Errors
/// Every fault of syntax and type in the text, with place and remedy.
pub fn parse<T: DeserializeOwned>(source: &Source) -> Result<T, Diagnostics> {
    parse_partly(source).map_err(|partly| partly.faults)
}

/// What can be read of a text with faults of type.
#[derive(Debug)]
pub(crate) struct Partly<T> {
    /// The faults; at least one.
    pub faults: Diagnostics,
    /// The text as a value, in which something else stands for each part at fault: first one thing, then, where there
    /// is a choice, another. Empty if the text cannot be read at all.
    pub readings: Vec<T>,
    /// The paths of the parts at fault, as the user wrote the file.
    pub lost: Vec<String>,
}

/// Reads a text as [`parse`] does; one with faults is read as far as it goes.
///
/// # Errors
/// The faults, and what could be read in spite of them.
pub(crate) fn parse_partly<T: DeserializeOwned>(source: &Source) -> Result<T, Partly<T>> {
    let text = source.text.replace('\u{feff}', "   ");
    let whole = scan(&text).root;
    let mut search =
        Search { source, whole, text, blanked: Vec::new(), filled: Vec::new(), found: Diagnostics::new() };
    let mut first = None;
    search.report_double_keys();
    for _ in 0..ROUNDS {
        match read::<T>(&search.text) {
            Ok(value) if search.found.is_empty() => return Ok(value),
            Ok(value) => {
                first = Some(value);
                break;
            }
            Err(failure) => {
                if !search.digest::<T>(&failure) {
                    break;
                }
            }
        }
    }
    if search.found.is_empty() {
        let remedy = "start from a file that is shipped: `ataraid list` names them";
        search
            .found
            .push(Diagnostic::of_file(&source.name, "the file could not be read").with_remedy(remedy));
    }
    let second = first.as_ref().and_then(|_| read::<T>(&search.with_other_stand_ins::<T>()).ok());
    let readings = first.into_iter().chain(second).collect();
    Err(Partly { readings, lost: search.lost(), faults: search.found })
}

impl<T: Validate> Partly<T> {
    /// The faults of type, and those of meaning that do not depend on what stands in for the parts at fault.
    pub fn all_faults(self, source: &Source) -> Diagnostics {
        let mut issues = Issues::new();
        let mut readings = self.readings.iter();
        if let Some(first) = readings.next() {
            first.validate(&mut issues);
            issues.keep_ranges_apart_from(&self.lost);
        }
        for other in readings {
            let mut again = Issues::new();
            other.validate(&mut again);
            issues.keep_shared_with(&again);
        }
        let mut faults = self.faults;
        faults.extend(issues.into_diagnostics(source));
        faults
    }
}

/// Why `ron` stopped.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Failure {
    pub code: Code,
    /// The field that was being read.
    pub steps: Vec<Step>,
    /// Whether `steps` are complete.
    pub located: bool,
    /// The bytes that ron points at.
    pub span: Range<usize>,
}

/// One reading by `ron`, up to its first fault.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Failure> {
    let extensions = Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES;
    let options = ron::Options::default().with_default_extension(extensions);
    let unplaced = |error: ron::error::SpannedError| Failure {
        span: byte_range(text, &error.span),
        code: error.code,
        steps: Vec::new(),
        located: false,
    };
    let mut reader = ron::Deserializer::from_str_with_options(text, &options).map_err(unplaced)?;
    match serde_path_to_error::deserialize(&mut reader) {
        Ok(value) => match reader.end() {
            Ok(()) => Ok(value),
            Err(code) => Err(unplaced(reader.span_error(code))),
        },
        Err(error) => {
            let (steps, located) = steps(error.path());
            Err(Failure { steps, located, ..unplaced(reader.span_error(error.into_inner())) })
        }
    }
}

fn steps(path: &serde_path_to_error::Path) -> (Vec<Step>, bool) {
    let mut steps = Vec::new();
    for segment in path {
        steps.push(match segment {
            Segment::Seq { index } => Step::Index(*index),
            Segment::Map { key } => Step::Name(key.clone()),
            Segment::Enum { variant } => Step::Name(variant.clone()),
            Segment::Unknown => return (steps, false),
        });
    }
    (steps, true)
}

fn byte_range(text: &str, span: &ron::error::Span) -> Range<usize> {
    let offset = |place: &ron::error::Position| {
        let before: usize = text.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
        let columns = text[before..].char_indices().nth(place.col - 1);
        columns.map_or(text.len(), |(at, _)| before + at)
    };
    let start = offset(&span.start);
    let end = offset(&span.end).max(start);
    // ron counts the blanks before a value in.
    let blanks = text[start..end].len() - text[start..end].trim_start().len();
    if start + blanks < end { start + blanks..end } else { start..end }
}

struct Search<'a> {
    source: &'a Source,
    /// The tree of the whole text, for the paths in messages: a blanked element must not shift the others.
    whole: Option<Node>,
    /// The source's text with the faults found so far blanked out.
    text: String,
    blanked: Vec<Blank>,
    /// Blanked fields that their record cannot do without, in whose place a stand-in was written.
    filled: Vec<Blank>,
    found: Diagnostics,
}

/// A blanked item, and the field it stood for.
#[derive(Clone)]
struct Blank {
    span: Range<usize>,
    field: Option<String>,
    /// Its path in the text as the user wrote it.
    path: String,
}

impl Search<'_> {
    /// Reports a failure and blanks its cause; says whether another reading can find more.
    fn digest<T: DeserializeOwned>(&mut self, failure: &Failure) -> bool {
        let scan = scan(&self.text);
        let before_problem = |end: usize| scan.problem.as_ref().is_none_or(|problem| end <= problem.seen_at);
        let of_type = !explain::is_structural(&failure.code);
        let Some(root) = scan
            .root
            .as_ref()
            .filter(|_| of_type && before_problem(failure.span.start) || scan.problem.is_none())
        else {
            self.report_structure(scan.problem.as_ref(), failure);
            return false;
        };
        let chain = locate(root, failure);
        let node = chain[chain.len() - 1].node;
        if self.fill::<T>(&failure.code, node) {
            return true;
        }
        if !self.follows_from_blank(&failure.code, node) {
            let path = self.path(node);
            let fault =
                explain::explain(&explain::Subject { text: &self.text, chain: &chain, path, failure });
            let remedy = probe::better_remedy::<T>(&self.text, node, failure).unwrap_or(fault.remedy);
            self.report(fault.span, fault.message + &probe::limits::<T>(&self.text, node, failure), remedy);
        }
        if let Code::MissingStructField { .. } = failure.code {
            for field in probe::more_missing::<T>(&self.text, node, failure) {
                if !self.blanked_within(node).any(|blank| blank.field.as_deref() == Some(&field)) {
                    let (message, remedy) = explain::missing(&self.path(node), &field);
                    self.report(node.opening(), message, remedy);
                }
            }
        }
        let target = removable(&chain).map(|item| {
            let field = match &item.key {
                Key::Field(name, _) => Some(meant_field(&failure.code, name)),
                Key::Position | Key::Value(_) => None,
            };
            let mut path = self.path(&item.value);
            if let (Key::Field(name, _), Some(meant)) = (&item.key, &field) {
                path.truncate(path.len() - name.len().min(path.len()));
                path.push_str(meant);
            }
            Blank { span: item.span.clone(), field, path }
        });
        match target {
            Some(blank) if before_problem(blank.span.end) => {
                self.blank(blank);
                true
            }
            _ => {
                if scan.problem.is_some() {
                    self.report_structure(scan.problem.as_ref(), failure);
                }
                false
            }
        }
    }

    /// The path of a node in the text as the user wrote it.
    fn path(&self, node: &Node) -> String {
        let path = |root| tree::path_text(&self.source.text, &tree::holding(root, &node.span));
        self.whole.as_ref().map_or(String::new(), path)
    }

    fn report(&mut self, span: Range<usize>, message: String, remedy: String) {
        self.found.push(Diagnostic::at(self.source, span, message).with_remedy(remedy));
    }

    /// Reports keys that stand in one map twice: the reader would take the last one and forget the others.
    fn report_double_keys(&mut self) {
        let mut maps: Vec<&Node> = self.whole.iter().collect();
        let mut double: Vec<(Range<usize>, String)> = Vec::new();
        while let Some(node) = maps.pop() {
            let mut keys: Vec<&str> = Vec::new();
            for item in node.items() {
                maps.push(&item.value);
                let Key::Value(key) = &item.key else { continue };
                let text = &self.text[key.span.clone()];
                if keys.contains(&text) {
                    double.push((key.span.clone(), text.to_owned()));
                }
                keys.push(text);
            }
        }
        double.sort_by_key(|(span, _)| span.start);
        for (span, key) in double {
            let message = format!("the key {key} stands here a second time");
            self.report(span, message, "keep one of the two".to_owned());
        }
    }

    fn report_structure(&mut self, problem: Option<&super::scan::Problem>, failure: &Failure) {
        match problem {
            Some(problem) => {
                self.report(problem.span.clone(), problem.message.clone(), problem.remedy.clone())
            }
            None if self.whole.is_none() => {
                self.report(
                    0..0,
                    "the file holds no value".into(),
                    "write a record: `(name: value, ..)`".into(),
                );
            }
            None => self.report(failure.span.clone(), explain::plain(&failure.code), String::new()),
        }
    }

    /// Whether a failure of `node` is only there because something inside it has been blanked.
    fn follows_from_blank(&self, code: &Code, node: &Node) -> bool {
        self.blanked_within(node).any(|blank| match code {
            Code::MissingStructField { field, .. } => blank.field.as_deref() == Some(field),
            Code::ExpectedDifferentLength { .. } | Code::InvalidValueForType { .. } | Code::Message(_) => {
                true
            }
            _ => false,
        })
    }

    /// The blanked direct parts of `node`.
    fn blanked_within<'s>(&'s self, node: &'s Node) -> impl Iterator<Item = &'s Blank> {
        self.blanked.iter().filter(move |blank| {
            let inside = |span: &Range<usize>| span.start <= blank.span.start && blank.span.end <= span.end;
            inside(&node.span) && !node.items().iter().any(|item| inside(&item.value.span))
        })
    }

    /// Writes a stand-in for a blanked field that `node` cannot do without; says whether one was found.
    fn fill<T: DeserializeOwned>(&mut self, code: &Code, node: &Node) -> bool {
        let Code::MissingStructField { field, .. } = code else { return false };
        let known = |blank: &&Blank| blank.field.as_deref() == Some(*field);
        let Some(blank) = self.blanked_within(node).find(known).cloned() else { return false };
        if self.filled.iter().any(|filled| filled.span == blank.span) {
            return false;
        }
        let Some(filled) = probe::stand_ins::<T>(&self.text, &blank.span, field).into_iter().next() else {
            return false;
        };
        self.text = filled;
        self.filled.push(blank);
        true
    }

    /// The text with the second choice of each stand-in that has one.
    fn with_other_stand_ins<T: DeserializeOwned>(&self) -> String {
        let mut text = self.text.clone();
        for blank in &self.filled {
            let Some(field) = &blank.field else { continue };
            let spaces = " ".repeat(blank.span.len());
            text.replace_range(blank.span.clone(), &spaces);
            let mut choices = probe::stand_ins::<T>(&text, &blank.span, field).into_iter();
            let first = choices.next();
            text = choices.next().or(first).unwrap_or(text);
        }
        text
    }

    /// The paths of all that has been blanked.
    fn lost(&self) -> Vec<String> {
        self.blanked.iter().map(|blank| blank.path.clone()).collect()
    }

    fn blank(&mut self, blank: Blank) {
        let spaces: String = self.text[blank.span.clone()]
            .bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
            .collect();
        self.text.replace_range(blank.span.clone(), &spaces);
        let outside = |old: &Blank| !(blank.span.start <= old.span.start && old.span.end <= blank.span.end);
        self.blanked.retain(outside);
        self.filled.retain(outside);
        self.blanked.push(blank);
    }
}

/// The field that a wrong field name stands for.
fn meant_field(code: &Code, name: &str) -> String {
    let meant = match code {
        Code::NoSuchStructField { expected, .. } => suggest(name, expected.iter().copied()),
        _ => None,
    };
    meant.unwrap_or(name).to_owned()
}

/// The nodes around the cause of a failure, outermost first.
fn locate<'a>(root: &'a Node, failure: &Failure) -> Vec<Link<'a>> {
    if failure.located {
        let (mut chain, complete) = tree::follow(root, &failure.steps);
        if let Code::DuplicateStructField { field, .. } = &failure.code {
            let node = chain[chain.len() - 1].node;
            let second = node
                .items()
                .iter()
                .enumerate()
                .filter(|(_, item)| matches!(&item.key, Key::Field(name, _) if name == field))
                .nth(1);
            chain.extend(second.map(|(index, item)| Link { node: &item.value, item: Some(item), index }));
        }
        if complete {
            return chain;
        }
    }
    let mut chain = tree::around(root, failure.span.start);
    // Where a field's name is expected and a value stands, the record around is what is wrong.
    if let [.., parent, _] = chain[..]
        && matches!(failure.code, Code::ExpectedIdentifier | Code::SuggestRawIdentifier(_))
        && parent.node.shape() == Some(Shape::Tuple)
    {
        chain.pop();
    }
    chain
}

/// The innermost part that can be left out without moving its neighbours: a field, a list element, a map entry.
fn removable<'a>(chain: &[Link<'a>]) -> Option<&'a Item> {
    let pairs = chain.windows(2).rev();
    pairs.filter(|pair| pair[0].node.shape() != Some(Shape::Tuple)).find_map(|pair| pair[1].item)
}
