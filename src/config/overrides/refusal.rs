//! A type's refusal of a value in the words of somebody who sets a field.

use serde_json::Value;

use super::super::suggest;
use super::{path, text};

/// Longest value that is worth showing as an example.
const EXAMPLE_MAX: usize = 60;

/// What a reader of serialised trees said, at a field.
pub(super) struct Refusal<'a> {
    /// The field that refuses.
    pub field: &'a str,
    /// The reader's words (`invalid type: string "x", expected u64`).
    pub reason: &'a str,
    /// The value given.
    pub given: &'a str,
    /// Only a part of the value given is at fault.
    pub inside: bool,
}

/// `must be a whole number, 0 or more, not ..`, with a remedy behind a semicolon if there is one.
pub(super) fn worded(refusal: &Refusal<'_>, example: Option<String>) -> String {
    let Refusal { field, reason, given, inside } = *refusal;
    let whose = if field.is_empty() { "the whole".to_owned() } else { format!("`{field}`") };
    let given = shortened(given);
    let example = || example.map_or(String::new(), |example| format!("; for example `{example}`"));
    let quoted = quoted(reason);
    if let Some((&found, allowed)) = quoted.split_first() {
        let (message, remedy) = if reason.starts_with("unknown variant ") {
            (format!("{whose} cannot be `{found}`"), suggest::remedy(found, allowed))
        } else if reason.starts_with("unknown field ") {
            // The reader had gone into the field already.
            let record = field.strip_suffix(found).map_or(field, |record| record.trim_end_matches('.'));
            (format!("`{record}` has no field `{found}` in `{given}`"), suggest::remedy(found, allowed))
        } else if reason.starts_with("missing field ") {
            return format!("{whose} lacks the field `{found}` in `{given}`{}", example());
        } else {
            (String::new(), String::new())
        };
        if !message.is_empty() {
            return if remedy.is_empty() { message } else { format!("{message}; {remedy}") };
        }
    }
    let Some((found, expected)) = reason.rsplit_once(", expected ") else {
        return format!("{whose} cannot become `{given}`: {reason}{}", example());
    };
    let wanted = match (found, expected) {
        (found, _) if found.ends_with("unit variant") => {
            "a name with its values behind it, `Name(..)`".into()
        }
        (_, "unit" | "unit variant") => {
            let remedy = name_of(&given).map_or_else(example, |name| format!("; write `{name}`"));
            return format!("{whose} must be a name without values behind it, not `{given}`{remedy}");
        }
        (found, expected) if is_single(expected) && found.ends_with("sequence") => {
            let remedy =
                name_of(&given).map_or_else(example, |name| format!("; write one value, `{name}(..)`"));
            return format!(
                "{whose} takes a single value, {}, not a list as in `{given}`{remedy}",
                in_words(expected)
            );
        }
        (found, expected) => match bounds(expected).filter(|_| found.starts_with("invalid value: integer")) {
            Some((low, high)) => format!("a whole number, and none outside {low} to {high} is possible"),
            None => in_words(expected),
        },
    };
    let is = if inside { "inside" } else { "not" };
    format!("{whose} must be {wanted}, {is} `{given}`{}", example())
}

/// The name before the parentheses of `Name(..)`.
fn name_of(given: &str) -> Option<&str> {
    let (name, values) = given.split_once('(')?;
    let alone = values.ends_with(')') && !values.contains(['(', '[', ':']);
    (alone && !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric())).then_some(name)
}

/// Whether a type is a number, a text or a flag.
fn is_single(expected: &str) -> bool {
    bounds(expected).is_some() || matches!(expected, "f32" | "f64" | "a boolean" | "a string" | "string")
}

/// What an integer type can hold at all; what a field may mean is narrower and known to its own rules only.
fn bounds(expected: &str) -> Option<(i64, u64)> {
    Some(match expected {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX),
        "i8" => (i8::MIN.into(), 127),
        "i16" => (i16::MIN.into(), 32_767),
        "i32" => (i32::MIN.into(), 2_147_483_647),
        _ => return None,
    })
}

/// The texts between backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// A type, as the reader calls it, in words.
fn in_words(expected: &str) -> String {
    let words = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" | "u128" => "a whole number, 0 or more",
        "i8" | "i16" | "i32" | "i64" | "isize" | "i128" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" => "`true` or `false`",
        "a string" | "string" | "a borrowed string" => "a text in double quotes",
        "a sequence" => "a list, `[.., ..]`",
        "a map" => "a map, `{..: ..}`",
        "string or map" | "variant identifier" => "a name",
        other if other.starts_with("enum ") => "a name",
        other if other.starts_with("struct ") => "a record, `(name: value, ..)`",
        other => {
            let count = other.rsplit(' ').next().and_then(|word| word.parse::<u32>().ok());
            return match count {
                Some(count) if other.contains("array") || other.contains("tuple") => {
                    format!("a list of {count} values")
                }
                _ => other.to_owned(),
            };
        }
    };
    words.to_owned()
}

/// A value that would be good: the given one as a list, if `wrapped` is, or what is there now.
pub(super) fn example(
    tree: &Value,
    pointer: &path::Pointer,
    field: &str,
    wrapped: Option<&str>,
) -> Option<String> {
    if let Some(given) = wrapped {
        return Some(format!("[{given}]")).filter(|list| list.len() <= EXAMPLE_MAX);
    }
    let whole = path::look(tree, pointer).map(text::written);
    let part = || {
        let inner = path::parse(field).ok()?;
        let place = path::find(tree, &inner).ok()?.into_iter().next().filter(|place| place.present)?;
        path::look(tree, &place.pointers[0]).map(text::written)
    };
    let known = whole.filter(|text| text.len() <= EXAMPLE_MAX).or_else(part);
    known.filter(|text| text.len() <= EXAMPLE_MAX && text != "None")
}

/// A value as given, cut if it is long.
pub(super) fn shortened(given: &str) -> String {
    let flat = given.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= EXAMPLE_MAX {
        return flat;
    }
    flat.chars().take(EXAMPLE_MAX - 3).chain("...".chars()).collect()
}
