//! Setting single fields of a spec by path, as `--set drives.*.seek.average_ms=9` does.
//!
//! Models: a spec as its serialised tree; a path picks places in it, a RON text becomes their new value, and
//! the tree is read back as the spec type, so that every rule of the type applies to the new value too.
//! Leaves out: checks of meaning; the caller runs `Validate` on the result.

mod path;
mod refusal;
mod sources;
mod text;
mod undone;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::suggest;
use path::{Place, Pointer};
pub(crate) use undone::{first_undone, undone};

/// Why a field could not be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OverrideError {
    /// The path is malformed.
    #[error("`{path}` is not a field path: {reason}")]
    Syntax {
        /// The whole path.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A record, list or map has no part of this name.
    #[error("{} has no `{name}`; {}", shown(path), suggest::remedy(name, &borrowed(names)))]
    NoSuchField {
        /// The path of the record, as far as it led; empty for the whole.
        path: String,
        /// The name that is not there.
        name: String,
        /// The names that are there.
        names: Vec<String>,
    },
    /// The path goes on inside something without parts.
    #[error("{} is {found}, which has no `{name}`", shown(path))]
    NoFields {
        /// The path of the value.
        path: String,
        /// The value.
        found: String,
        /// The name that was looked for in it.
        name: String,
    },
    /// A `*` stands where there is nothing.
    #[error("{} has no elements for `*` to stand for", shown(path))]
    NothingMatched {
        /// The path up to the `*`.
        path: String,
    },
    /// The field exists but cannot take this value.
    #[error("{message}")]
    WrongValue {
        /// The path of the field that was to be set.
        path: String,
        /// What it must be, what was given instead and an example.
        message: String,
        /// The record does not know the field at all.
        unknown_field: bool,
    },
    /// The spec cannot be written as a tree at all.
    #[error("this cannot be overridden: {0}")]
    Unsupported(String),
}

/// `value` with the fields at `path` set to the RON value `text`, and the number of fields set.
///
/// A path is names and indices: `seek.average_ms`, `zones[3].spt` or `zones.3.spt`, `*` for every element of
/// a list or map, `["a.b"]` for a key with odd characters. An element with a field `id` or `name` may be
/// called by it (`drives.a.rpm`). A name that is not there is also looked for inside the enum variant, the
/// field `model` and, at the top, the field `machine`. `text` may leave out the quotes of a string.
///
/// # Errors
/// If the path leads nowhere, or the type refuses the value; `value` is then as before.
pub fn apply<T: Serialize + DeserializeOwned>(
    value: &T,
    path: &str,
    text: &str,
) -> Result<(T, usize), OverrideError> {
    let mut tree = tree_of(value)?;
    let places = path::find(&tree, &path::parse(path)?)?;
    if let (Some((inner, message, remedy)), Some(place)) = (text::flaw(text), places.first()) {
        let own = path::text(&place.pointers[0]);
        let point = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        let message = format!("`{own}{point}{inner}` {message}; {remedy}");
        return Err(OverrideError::WrongValue { path: own, message, unknown_field: false });
    }
    let candidates = text::candidates(text);
    let (present, absent): (Vec<Place>, Vec<Place>) = places.into_iter().partition(|place| place.present);
    let mut result: Option<T> = None;
    let mut changed = 0;
    let mut refusal = None;
    if !present.is_empty() {
        let pointers: Vec<&Pointer> = present.iter().map(|place| &place.pointers[0]).collect();
        let (read, new_tree) = set(&tree, &pointers, &candidates, text)?;
        (result, tree, changed) = (Some(read), new_tree, pointers.len());
    }
    for place in &absent {
        match set_absent(&tree, place, &candidates, text) {
            Ok((read, new_tree)) => (result, tree, changed) = (Some(read), new_tree, changed + 1),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match (result, refusal) {
        (Some(result), _) => Ok((result, changed)),
        (None, Some(error)) => Err(error),
        (None, None) => Err(OverrideError::NothingMatched { path: path.to_owned() }),
    }
}

/// The values at `path`, each with its full path; none if the path leads nowhere.
pub fn get<T: Serialize>(value: &T, path: &str) -> Vec<(String, Value)> {
    let found = || -> Result<Vec<(String, Value)>, OverrideError> {
        let tree = tree_of(value)?;
        let places = path::find(&tree, &path::parse(path)?)?;
        let pointers = places.iter().filter(|place| place.present).map(|place| &place.pointers[0]);
        let value_of = |pointer: &Pointer| Some((path::text(pointer), path::look(&tree, pointer)?.clone()));
        Ok(pointers.filter_map(value_of).collect())
    };
    found().unwrap_or_default()
}

fn tree_of<T: Serialize>(value: &T) -> Result<Value, OverrideError> {
    serde_json::to_value(value).map_err(|error| OverrideError::Unsupported(error.to_string()))
}

/// Sets all `pointers` to the first candidate that the type takes.
fn set<T: DeserializeOwned>(
    tree: &Value,
    pointers: &[&Pointer],
    candidates: &[Value],
    given: &str,
) -> Result<(T, Value), OverrideError> {
    let mut refusal = None;
    for candidate in candidates {
        let mut changed = tree.clone();
        for pointer in pointers {
            path::put(&mut changed, pointer, candidate.clone());
            sources::mark(&mut changed, pointer, given);
        }
        match serde_path_to_error::deserialize::<_, T>(changed.clone()) {
            Ok(read) => return Ok((read, changed)),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    let pointer = pointers.first().copied().cloned().unwrap_or_default();
    let own = path::text(&pointer);
    let (field, reason) = match refusal {
        Some(error) => (error.path().to_string(), error.inner().to_string()),
        None => (String::new(), "it is no value".to_owned()),
    };
    let inside = field.len() > own.len() && given.contains(['(', '[', '{']);
    let field = if inside { without_variants(&field) } else { without_variants(&own) };
    // One value where a list is wanted is often meant as a list of one.
    let wrapped = reason.ends_with("a sequence") && reads_as_list::<T>(tree, &pointer, candidates);
    let example = refusal::example(tree, &pointer, &field, wrapped.then_some(given));
    let refusal = refusal::Refusal { field: &field, reason: &reason, given, inside };
    let message = refusal::worded(&refusal, example);
    let unknown_field = reason.contains("unknown field");
    Err(OverrideError::WrongValue { path: own, message, unknown_field })
}

/// Whether a list of one of the candidates would do.
fn reads_as_list<T: DeserializeOwned>(tree: &Value, pointer: &Pointer, candidates: &[Value]) -> bool {
    candidates.iter().any(|candidate| {
        let mut changed = tree.clone();
        path::put(&mut changed, pointer, Value::Array(vec![candidate.clone()]));
        serde_json::from_value::<T>(changed).is_ok()
    })
}

/// A path without the names of variants, as everybody writes it.
fn without_variants(path: &str) -> String {
    let named = |part: &&str| !part.starts_with(|c: char| c.is_ascii_uppercase());
    path.split('.').filter(named).collect::<Vec<_>>().join(".")
}

/// Sets a field that the tree leaves out, in the first of its possible records that knows it.
fn set_absent<T: DeserializeOwned + Serialize>(
    tree: &Value,
    place: &Place,
    candidates: &[Value],
    given: &str,
) -> Result<(T, Value), OverrideError> {
    let mut refusal = None;
    for pointer in &place.pointers {
        match set::<T>(tree, &[pointer], candidates, given) {
            Ok((read, _)) => {
                // A type that ignores unknown fields takes anything; then nothing of it is left.
                let new_tree = tree_of(&read)?;
                if path::look(&new_tree, pointer).is_some() {
                    return Ok((read, new_tree));
                }
                if is_hidden::<T>(tree, pointer, candidates) {
                    // The value that it has already.
                    return Ok((from_tree(tree)?, tree.clone()));
                }
            }
            Err(OverrideError::WrongValue { unknown_field: true, .. }) => {}
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    Err(refusal.unwrap_or_else(|| place.otherwise.clone()))
}

/// Whether the type has a field there that its tree leaves out while it has its default: another value shows.
fn is_hidden<T: DeserializeOwned + Serialize>(tree: &Value, pointer: &Pointer, candidates: &[Value]) -> bool {
    let other = candidates.iter().find_map(|value| match value {
        Value::Bool(value) => Some(Value::from(!value)),
        Value::Number(number) => match number.as_u64() {
            Some(number) => Some(Value::from(number.wrapping_add(1))),
            None => number.as_f64().map(|number| Value::from(number + 1.0)),
        },
        _ => None,
    });
    let shows = |value: Value| {
        let mut changed = tree.clone();
        path::put(&mut changed, pointer, value);
        let read = serde_json::from_value::<T>(changed).ok()?;
        path::look(&tree_of(&read).ok()?, pointer).map(|_| ())
    };
    other.and_then(shows).is_some()
}

fn from_tree<T: DeserializeOwned>(tree: &Value) -> Result<T, OverrideError> {
    serde_json::from_value(tree.clone()).map_err(|error| OverrideError::Unsupported(error.to_string()))
}

/// A value in a few words.
fn short(value: &Value) -> String {
    match value {
        Value::Null => "absent".to_owned(),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(fields) => match path::variant(fields) {
            Some(name) => format!("`{name}(..)`"),
            None => "a record".to_owned(),
        },
        scalar => scalar.to_string(),
    }
}

fn shown(path: &str) -> String {
    if path.is_empty() { "the top level".to_owned() } else { format!("`{path}`") }
}

fn borrowed(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests;
