//! What a failure does not say, found by reading the text again with one value exchanged.
//!
//! `ron` knows the types only while it reads: which variants a name may be, how large an integer may get and
//! which fields are missing after the first come out of trials. A trial costs one reading of a small text.

use std::collections::VecDeque;
use std::ops::Range;

use ron::error::Error as Code;
use serde::de::DeserializeOwned;

use super::parse::{Failure, read};
use super::suggest;
use super::tree::{Body, Node, Scalar, Shape};

/// More missing fields than this are not looked for in one record.
const MISSING: usize = 20;

/// What may stand for a value of any type, shortest first.
const STAND_INS: [&str; 9] = ["0", "1", "\"\"", "\"a\"", "[]", "{}", "false", "true", "x"];

/// The first failure with `node` replaced by `trial`.
fn exchange<T: DeserializeOwned>(text: &str, node: &Node, trial: &str) -> Option<Failure> {
    let mut text = text.to_owned();
    text.replace_range(node.span.clone(), trial);
    read::<T>(&text).err()
}

/// The allowed names where a name is expected and something else stands.
pub(super) fn better_remedy<T: DeserializeOwned>(
    text: &str,
    node: &Node,
    failure: &Failure,
) -> Option<String> {
    let name_expected = matches!(failure.code, Code::ExpectedIdentifier | Code::SuggestRawIdentifier(_));
    if !name_expected || node.shape() == Some(Shape::Tuple) {
        return None;
    }
    match exchange::<T>(text, node, "no_such_name")?.code {
        Code::NoSuchEnumVariant { expected, .. } => {
            let found = text[node.span.clone()].trim_matches('"');
            let quoted = matches!(node.body, Body::Scalar(Scalar::Text));
            Some(match suggest::suggest(found, expected.iter().copied()) {
                Some(name) if quoted && name == found => format!("names stand without quotes: {name}"),
                _ => suggest::remedy(found, expected),
            })
        }
        _ => None,
    }
}

/// `; no value outside 0 to 255 is possible` for an integer that does not fit its type: what the field may mean is known
/// only once there is a value.
pub(super) fn limits<T: DeserializeOwned>(text: &str, node: &Node, failure: &Failure) -> String {
    if failure.code != Code::IntegerOutOfBounds {
        return String::new();
    }
    let refused = |trial: i128| {
        let outcome = exchange::<T>(text, node, &trial.to_string());
        outcome.is_some_and(|other| other.code == Code::IntegerOutOfBounds && other.steps == failure.steps)
    };
    let signed = !refused(-1);
    let bits = [8, 16, 32].into_iter().find(|bits| refused(1 << (bits - u32::from(signed)))).unwrap_or(64);
    let (low, high) = if signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    };
    format!("; no value outside {low} to {high} is possible")
}

/// The fields of the record `node` that are missing besides the one that `failure` names.
pub(super) fn more_missing<T: DeserializeOwned>(text: &str, node: &Node, failure: &Failure) -> Vec<String> {
    let mut found = Vec::new();
    let Some(open) = text[node.span.clone()].find('(').map(|at| node.span.start + at + 1) else {
        return found;
    };
    let mut text = text.to_owned();
    let mut failure = failure.clone();
    while let Code::MissingStructField { field, .. } = failure.code.clone()
        && found.len() < MISSING
    {
        let Some((filled, next)) = fill::<T>(&text, open, field, &failure) else { break };
        if let Code::MissingStructField { field, .. } = &next.code {
            found.push((*field).to_owned());
        }
        (text, failure) = (filled, next);
    }
    found
}

/// The texts in which a value stands for `field` in the blank `span` of its record, at most two; a value is good if
/// the reading does not stumble over it.
pub(super) fn stand_ins<T: DeserializeOwned>(text: &str, span: &Range<usize>, field: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut choices: VecDeque<String> = STAND_INS.iter().map(|&value| value.to_owned()).collect();
    while let Some(value) = choices.pop_front()
        && found.len() < 2
    {
        // The last field of a record may do without a comma.
        let last = text[span.end..].trim_start().starts_with(')');
        let entry = format!("{field}:{value}{}", if last { "" } else { "," });
        if entry.len() > span.len() {
            continue;
        }
        let mut filled = text.to_owned();
        filled.replace_range(span.start..span.start + entry.len(), &entry);
        match read::<T>(&filled).err() {
            Some(Failure { code: Code::NoSuchEnumVariant { expected, .. }, span: at, .. })
                if span.contains(&at.start) =>
            {
                choices.extend(expected.iter().map(|name| (*name).to_owned()));
            }
            Some(next) if span.contains(&next.span.start) => {}
            _ => found.push(filled),
        }
    }
    found
}

/// The text with some value for `field`, and the failure that comes then if it is another missing field.
fn fill<T: DeserializeOwned>(
    text: &str,
    open: usize,
    field: &str,
    failure: &Failure,
) -> Option<(String, Failure)> {
    let try_value = |value: &str| {
        let mut filled = text.to_owned();
        filled.insert_str(open, &format!("{field}: {value}, "));
        let next = read::<T>(&filled).err()?;
        Some((filled, next))
    };
    let progress = |next: &Failure| {
        let same_record = next.steps == failure.steps && next.located;
        same_record && next.code != failure.code && matches!(next.code, Code::MissingStructField { .. })
    };
    for value in ["0", "1", "\"\"", "[]", "{}", "false", "()", "no_such_name"] {
        let Some((filled, next)) = try_value(value) else { continue };
        if progress(&next) {
            return Some((filled, next));
        }
        if let Code::NoSuchEnumVariant { expected, .. } = next.code {
            let variants = expected.iter().filter_map(|name| try_value(name));
            return variants.into_iter().find(|(_, next)| progress(next));
        }
    }
    None
}
