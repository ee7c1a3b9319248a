//! A drive model as a list of fields with values and sources, for people.

use serde_json::Value;

use super::DriveSpec;
use crate::config::{Provenance, Sources};

/// A field that holds a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    /// Field path without names of variants, as in error messages: `seek.single_ms`, `zones[3]`.
    pub path: String,
    /// The value as text.
    pub text: String,
    /// It holds a figure.
    pub numeric: bool,
}

/// The top level in the order of [`DriveSpec`], which JSON objects lose.
const ORDER: [&str; 32] = [
    "name",
    "capacity_sectors",
    "heads",
    "rpm",
    "rpm_tolerance",
    "spindle_phase",
    "layout",
    "zones",
    "skew",
    "defects",
    "spare_scheme",
    "seek",
    "quoted_average_ms",
    "write_seek",
    "write_settle_sequential_ms",
    "seek_jitter_ms",
    "head_switch_ms",
    "quiet_seek_factor",
    "overhead",
    "buffer",
    "write_cache",
    "queue",
    "interface",
    "buffer_rate_mb_s",
    "lba48",
    "flush_supported",
    "fua_supported",
    "write_verify",
    "errors",
    "thermal_recalibration",
    "spin_up_s",
    "power_fail",
];

/// Every field of `spec` with its value and the source that covers it, in the order of the record. A field
/// that no source covers has the format's default, which is an assumption.
pub fn annotated(spec: &DriveSpec) -> Vec<(String, String, Provenance)> {
    let unsourced = || Provenance::Assumed("no source stated; the format's default unless set".to_owned());
    let rows = leaves(spec).into_iter().map(|leaf| {
        let source = source_of(&spec.sources, &leaf.path).cloned().unwrap_or_else(unsourced);
        (leaf.path, leaf.text, source)
    });
    rows.collect()
}

/// The source with the longest path that is `path` or encloses it.
pub(super) fn source_of<'a>(sources: &'a Sources, path: &str) -> Option<&'a Provenance> {
    let covering = sources.iter().filter(|(field, _)| covers(field, path));
    covering.max_by_key(|(field, _)| field.len()).map(|(_, source)| source)
}

/// True if `field` is `path` or encloses it.
pub(super) fn covers(field: &str, path: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The fields of `spec` that hold a value; not the name, the version of the format and the sources.
pub(super) fn leaves(spec: &DriveSpec) -> Vec<Leaf> {
    let mut found = Vec::new();
    // A record of plain data always turns into JSON.
    if let Ok(Value::Object(fields)) = serde_json::to_value(spec) {
        let mut fields: Vec<_> = fields.into_iter().collect();
        let rank = |name: &str| ORDER.iter().position(|&known| known == name).unwrap_or(ORDER.len());
        fields.sort_by_key(|(name, _)| rank(name));
        for (name, value) in &fields {
            if !["name", "format_version", "sources"].contains(&name.as_str()) {
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
    use crate::drive::spec::sample;

    #[test]
    fn the_longest_enclosing_path_names_the_source() {
        let source = |text: &str| Provenance::Derived(text.to_owned());
        let sources: Sources =
            [("seek".to_owned(), source("all")), ("seek.single_ms".to_owned(), source("one"))].into();
        assert_eq!(source_of(&sources, "seek.single_ms"), Some(&source("one")));
        assert_eq!(source_of(&sources, "seek.full_ms"), Some(&source("all")));
        assert_eq!(source_of(&sources, "seek_jitter_ms"), None);
    }

    #[test]
    fn fields_come_in_the_order_of_the_record_without_variant_names() {
        let rows = annotated(&sample());
        let paths: Vec<&str> = rows.iter().map(|(path, _, _)| path.as_str()).collect();
        assert_eq!(paths[..3], ["capacity_sectors", "heads", "rpm"]);
        let find = |path: &str| rows.iter().find(|row| row.0 == path).map(|row| row.1.as_str());
        assert_eq!(find("seek"), Some("ThreePoint"));
        assert_eq!(find("seek.average_ms"), Some("8.5"));
        assert_eq!(find("write_seek"), Some("Settle(1.0)"));
        assert_eq!(find("zones[1]"), Some("cylinders 200, spares 0, spt 32"));
        assert_eq!(find("lba48"), Some("not stated"));
    }
}
