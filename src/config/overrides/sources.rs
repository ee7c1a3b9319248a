//! What a field that is set does to the sources that its record states.
//!
//! A record with a field `sources` says there, by field path, where each figure comes from. The source of a figure
//! is none of the value that takes its place, and a part of a value that is replaced may not be there any more.

use serde_json::Value;

use super::super::{Provenance, covers};
use super::path::{self, Key, Pointer};
use super::refusal::shortened;

const FIELD: &str = "sources";

/// Takes out the sources of what stood at `pointer`, and says that it was set to `given`; nothing happens if no source
/// covered it.
pub(super) fn mark(tree: &mut Value, pointer: &Pointer, given: &str) {
    let own_sources = |depth: &usize| {
        path::look(tree, &pointer[..*depth]).and_then(|record| record.get(FIELD)).is_some_and(is_sources)
    };
    let Some(depth) = (0..pointer.len()).rev().find(own_sources) else { return };
    let (record, inside) = pointer.split_at(depth);
    if matches!(inside.first(), Some(Key::Name(name)) if name == FIELD) {
        return;
    }
    let Some(owner) = path::look(tree, record) else { return };
    let field = sourced(owner, inside);
    let source = Provenance::Assumed(format!("set to {} by an override", shortened(given)));
    let Ok(source) = serde_json::to_value(source) else { return };
    let mut of_sources = record.to_vec();
    of_sources.push(Key::Name(FIELD.to_owned()));
    let Some(Value::Object(known)) = path::look_mut(tree, &of_sources) else { return };
    if known.keys().any(|key| covers(key, &field) || covers(&field, key)) {
        known.retain(|key, _| !covers(&field, key));
        known.insert(field, source);
    }
}

/// Whether a field called `sources` holds sources.
fn is_sources(value: &Value) -> bool {
    serde_json::from_value::<super::super::Sources>(value.clone()).is_ok()
}

/// The path by which sources name a field: without names of variants; of lists of records down to the record, of other
/// lists as a whole.
fn sourced(owner: &Value, inside: &[Key]) -> String {
    let mut kept: Vec<Key> = Vec::new();
    for (depth, key) in inside.iter().enumerate() {
        match key {
            Key::Name(name) if name.starts_with(|c: char| c.is_ascii_uppercase()) => {}
            Key::Name(_) => kept.push(key.clone()),
            Key::Index(_) => {
                // Sources name no part of a record in a list.
                if path::look(owner, &inside[..=depth]).is_some_and(Value::is_object) {
                    kept.push(key.clone());
                }
                break;
            }
        }
    }
    path::text(&kept)
}
