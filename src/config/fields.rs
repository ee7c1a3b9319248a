//! A model as a list of fields with values and sources, for people.

use serde::Serialize;
use serde_json::Value;

use super::{Provenance, Sources, covers};

/// A field that holds a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Leaf {
    /// Field path without names of variants, as in error messages: `seek.single_ms`, `zones[3]`.
    pub path: String,
    /// The value as text.
    pub text: String,
    /// It holds a figure.
    pub numeric: bool,
}

/// Path of a field, its value as text, and where it comes from.
pub type Annotated = (String, String, Provenance);

/// Fields that say nothing about what is modelled.
const LABELS: [&str; 4] = ["name", "title", "format_version", "sources"];

/// Every field of `model` with its value and the source that covers it. A field that no source covers has the format's
/// default, which is an assumption. JSON objects lose the order of a record, so `order` gives that of the top level;
/// fields that it does not name come behind, by name.
pub fn annotated(model: &impl Serialize, sources: &Sources, order: &[&str]) -> Vec<Annotated> {
    let unsourced = || Provenance::Assumed("no source stated; the format's default unless set".to_owned());
    let rows = leaves(model, order).into_iter().map(|leaf| {
        let source = source_of(sources, &leaf.path).cloned().unwrap_or_else(unsourced);
        (leaf.path, leaf.text, source)
    });
    rows.collect()
}

/// The source with the longest path that is `path` or encloses it.
pub(crate) fn source_of<'a>(sources: &'a Sources, path: &str) -> Option<&'a Provenance> {
    let covering = sources.iter().filter(|(field, _)| covers(field, path));
    covering.max_by_key(|(field, _)| field.len()).map(|(_, source)| source)
}

/// The fields of `model` that hold a value; not its names, the version of the format and the sources.
pub(crate) fn leaves(model: &impl Serialize, order: &[&str]) -> Vec<Leaf> {
    let mut found = Vec::new();
    // A record of plain data always turns into JSON.
    if let Ok(Value::Object(fields)) = serde_json::to_value(model) {
        let mut fields: Vec<_> = fields.into_iter().collect();
        let rank = |name: &str| order.iter().position(|&known| known == name).unwrap_or(order.len());
        fields.sort_by_key(|(name, _)| rank(name));
        for (name, value) in &fields {
            if !LABELS.contains(&name.as_str()) {
                walk(name.clone(), value, &mut found);
            }
        }
    }
    found
}

fn walk(path: String, value: &Value, found: &mut Vec<Leaf>) {
    match value {
        Value::Object(fields) => match variant(value) {
            Some((name, Value::Object(inner))) => {
                found.push(Leaf { path: path.clone(), text: name.to_owned(), numeric: false });
                for (field, value) in inner {
                    walk(format!("{path}.{field}"), value, found);
                }
            }
            Some((name, inner)) => {
                found.push(Leaf {
                    path,
                    text: format!("{name}({})", text(inner)),
                    numeric: is_numeric(inner),
                });
            }
            None => {
                for (field, value) in fields {
                    walk(format!("{path}.{field}"), value, found);
                }
            }
        },
        Value::Array(items) if items.iter().any(Value::is_object) => {
            for (index, item) in items.iter().enumerate() {
                found.push(Leaf {
                    path: format!("{path}[{index}]"),
                    text: text(item),
                    numeric: is_numeric(item),
                });
            }
        }
        _ => found.push(Leaf { path, text: text(value), numeric: is_numeric(value) }),
    }
}

/// Name and content of an enum's variant, which serde writes as an object of one field; variants are the
/// only names that begin with a capital.
fn variant(value: &Value) -> Option<(&str, &Value)> {
    let (name, inner) = value.as_object()?.iter().next()?;
    name.starts_with(|first: char| first.is_ascii_uppercase()).then_some((name.as_str(), inner))
}

fn is_numeric(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::Array(items) => items.iter().any(is_numeric),
        Value::Object(fields) => fields.values().any(is_numeric),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

fn text(value: &Value) -> String {
    const SHOWN: usize = 4;
    match value {
        Value::Null => "not stated".to_owned(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => {
            let shown: Vec<String> = items.iter().take(SHOWN).map(text).collect();
            let rest = items.len().saturating_sub(SHOWN);
            let more = if rest > 0 { format!(", and {rest} more") } else { String::new() };
            format!("[{}{more}]", shown.join(", "))
        }
        Value::Object(fields) => {
            let shown: Vec<String> =
                fields.iter().map(|(name, value)| format!("{name} {}", text(value))).collect();
            shown.join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_enclosing_path_names_the_source() {
        let source = |text: &str| Provenance::Derived(text.to_owned());
        let sources: Sources =
            [("seek".to_owned(), source("all")), ("seek.single_ms".to_owned(), source("one"))].into();
        assert_eq!(source_of(&sources, "seek.single_ms"), Some(&source("one")));
        assert_eq!(source_of(&sources, "seek.full_ms"), Some(&source("all")));
        assert_eq!(source_of(&sources, "seek_jitter_ms"), None);
    }
}
