//! What a failure of `ron` means in the words of somebody who writes a model.

use std::ops::Range;

use ron::error::Error as Code;

use super::parse::Failure;
use super::suggest;
use super::tree::{Body, Item, Key, Link, Node, Scalar, Shape};

/// A failure and the nodes around its cause.
pub(super) struct Subject<'a> {
    pub text: &'a str,
    pub chain: &'a [Link<'a>],
    /// The path of the innermost of them.
    pub path: String,
    pub failure: &'a Failure,
}

/// The wording of one fault.
pub(super) struct Fault {
    pub span: Range<usize>,
    pub message: String,
    pub remedy: String,
}

/// Whether a failure can mean that brackets, commas or quotes are wrong.
pub(super) fn is_structural(code: &Code) -> bool {
    !matches!(
        code,
        Code::ExpectedArray
            | Code::ExpectedBoolean
            | Code::ExpectedChar
            | Code::ExpectedFloat
            | Code::ExpectedInteger
            | Code::ExpectedMap
            | Code::ExpectedString
            | Code::ExpectedUnit
            | Code::ExpectedStructLike
            | Code::ExpectedNamedStructLike(_)
            | Code::ExpectedDifferentStructName { .. }
            | Code::ExpectedDifferentLength { .. }
            | Code::IntegerOutOfBounds
            | Code::InvalidValueForType { .. }
            | Code::Message(_)
            | Code::NoSuchEnumVariant { .. }
            | Code::NoSuchStructField { .. }
            | Code::MissingStructField { .. }
            | Code::DuplicateStructField { .. }
            | Code::SuggestRawIdentifier(_)
    )
}

/// A failure of syntax that the scanner did not see, in ron's words.
pub(super) fn plain(code: &Code) -> String {
    let text = code.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

/// The message and the remedy for a field that the record at `path` lacks.
pub(super) fn missing(path: &str, field: &str) -> (String, String) {
    let place = if path.is_empty() { String::new() } else { format!(" in `{path}`") };
    (format!("the field `{field}` is missing{place}"), format!("add `{field}: ..` to this record"))
}

/// Words a failure.
pub(super) fn explain(subject: &Subject<'_>) -> Fault {
    let link = subject.chain[subject.chain.len() - 1];
    let path = subject.path.as_str();
    let fault = |span, message: String, remedy: String| Fault { span, message, remedy };
    let key_span = match link.item.map(|item| &item.key) {
        Some(Key::Field(_, span)) => span.clone(),
        _ => link.node.opening(),
    };
    match &subject.failure.code {
        Code::NoSuchStructField { expected, found, .. } => {
            let remedy = suggest::remedy(found, expected);
            let remedy = if expected.is_empty() { "no fields are allowed here".to_owned() } else { remedy };
            fault(key_span, format!("unknown field `{found}`"), remedy)
        }
        Code::DuplicateStructField { field, .. } => fault(
            key_span,
            format!("the field `{field}` stands here a second time"),
            "keep one of the two".into(),
        ),
        Code::MissingStructField { field, .. } => {
            let (message, remedy) = missing(path, field);
            fault(link.node.opening(), message, remedy)
        }
        Code::NoSuchEnumVariant { expected, found, .. } => fault(
            link.node.opening(),
            format!("{} cannot be `{found}`", name(path)),
            suggest::remedy(found, expected),
        ),
        Code::ExpectedDifferentStructName { expected, found } => {
            let remedy = format!("write `{expected}(..)` or leave the name out");
            fault(link.node.opening(), format!("{} is a `{expected}`, not a `{found}`", name(path)), remedy)
        }
        Code::IntegerOutOfBounds => {
            let message =
                format!("{} is {}, out of range", name(path), &subject.text[link.node.span.clone()]);
            fault(link.node.span.clone(), message, String::new())
        }
        Code::InvalidValueForType { expected, found } => fault(
            link.node.opening(),
            format!("{} must be {expected}, not {found}", name(path)),
            String::new(),
        ),
        Code::ExpectedDifferentLength { expected, found } => fault(
            link.node.opening(),
            format!("{} must be {expected}, but has {found}", name(path)),
            String::new(),
        ),
        Code::Message(text) => {
            let message = if path.is_empty() { text.clone() } else { format!("`{path}`: {text}") };
            fault(link.node.opening(), message, String::new())
        }
        code => mismatch(subject, code, link),
    }
}

/// Words a value of the wrong kind.
fn mismatch(subject: &Subject<'_>, code: &Code, link: Link<'_>) -> Fault {
    let node = link.node;
    let whose = match link.item.map(|item| &item.key) {
        Some(Key::Value(key)) if key.span == node.span => format!("a key of {}", name(&subject.path)),
        _ => name(&subject.path),
    };
    let text = &subject.text[node.span.clone()];
    let found = kind(subject.text, node);
    let number = matches!(node.body, Body::Scalar(Scalar::Number));
    let remedy = match (code, &node.body) {
        (Code::ExpectedString, Body::Bare | Body::Scalar(Scalar::Character)) => {
            format!("put it in double quotes: \"{}\"", text.trim_matches('\''))
        }
        (Code::ExpectedBoolean, _) => match text.to_lowercase().as_str() {
            word @ ("true" | "false") => format!("write `{word}`"),
            _ => String::new(),
        },
        (Code::ExpectedFloat | Code::ExpectedInteger, Body::Scalar(Scalar::Text)) => {
            "numbers stand without quotes".to_owned()
        }
        (Code::ExpectedIdentifier, Body::Scalar(Scalar::Text)) => "names stand without quotes".to_owned(),
        (Code::ExpectedIdentifier, Body::Items(Shape::Tuple, _)) if node.name.as_deref() == Some("Some") => {
            "leave `Some(..)` out".to_owned()
        }
        (Code::ExpectedNamedStructLike(_), Body::Items(Shape::Map, _)) => "records stand in `( )`".to_owned(),
        (Code::ExpectedStructLike, Body::Bare) => format!("write `{text}(..)` with its values"),
        (Code::InvalidEscape(_), _) => "write a backslash as `\\\\`".to_owned(),
        _ if number && text.parse::<f64>().is_err() => {
            "write the bare number; its unit is the last word of the field's name".to_owned()
        }
        _ => String::new(),
    };
    if let (Some(variant), Body::Items(Shape::Tuple, items)) = (&node.name, &node.body)
        && let [Item { value, .. }] = &items[..]
        && variant != "Some"
        && value.name.is_none()
        && value.shape() == Some(Shape::Record)
    {
        let remedy = format!("write `{variant}{}`", &subject.text[value.span.clone()]);
        let message = format!("{whose} stands in parentheses twice");
        return Fault { span: node.opening(), message, remedy };
    }
    let wanted = match code {
        Code::ExpectedBoolean => "`true` or `false`",
        Code::ExpectedFloat => "a number",
        Code::ExpectedInteger => "a whole number",
        Code::ExpectedString => "a text",
        Code::ExpectedChar => "a single character",
        Code::ExpectedArray => "a list `[..]`",
        Code::ExpectedMap => "a map `{..}`",
        Code::ExpectedUnit => "`()`",
        Code::ExpectedStructLike | Code::ExpectedNamedStructLike(_) => "a record `(..)`",
        Code::ExpectedIdentifier | Code::SuggestRawIdentifier(_) if node.shape() == Some(Shape::Tuple) => {
            "a record `(name: value, ..)`"
        }
        Code::ExpectedIdentifier | Code::SuggestRawIdentifier(_) => "a name",
        // ron reads `5.5` as the integer 5 and stumbles over the rest.
        _ if number && text.parse::<f64>().is_ok() => "a whole number",
        _ if number => "a number",
        Code::ExpectedComma if node.name.is_some() => "a name without values behind it",
        Code::ExpectedStructLikeEnd if node.shape() == Some(Shape::Tuple) => {
            return Fault { span: node.opening(), message: format!("{whose} has too many values"), remedy };
        }
        _ => return Fault { span: subject.failure.span.clone(), message: plain(code), remedy },
    };
    let message = format!("{whose} must be {wanted}, not {found}");
    Fault { span: node.opening(), message, remedy }
}

fn name(path: &str) -> String {
    if path.is_empty() { "the file's value".to_owned() } else { format!("`{path}`") }
}

/// What a value is, for `must be .., not ..`.
fn kind(text: &str, node: &Node) -> String {
    let whole = text[node.span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = if whole.chars().count() > 40 {
        whole.chars().take(37).chain("...".chars()).collect()
    } else {
        whole
    };
    match (&node.body, &node.name) {
        (Body::Scalar(Scalar::Text), _) => format!("the text {short}"),
        (Body::Scalar(Scalar::Character), _) => format!("the character {short}"),
        (Body::Scalar(Scalar::Number), _) | (Body::Bare, _) => format!("`{short}`"),
        (Body::Items(..), Some(name)) => format!("`{name}(..)`"),
        (Body::Items(Shape::Record, _), None) => "a record `(..)`".to_owned(),
        (Body::Items(Shape::Tuple, _), None) => "a tuple `(..)`".to_owned(),
        (Body::Items(Shape::List, _), None) => "a list `[..]`".to_owned(),
        (Body::Items(Shape::Map, _), None) => "a map `{..}`".to_owned(),
    }
}
