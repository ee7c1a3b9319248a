//! Paths into a serialised spec.

use serde_json::{Map, Value};

use super::{OverrideError, short};

/// One part of a path as the user wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Segment {
    /// A name, an index or the `id` of an element.
    Name(String),
    /// Every element.
    All,
}

/// The exact way to one place of the tree.
pub(super) type Pointer = Vec<Key>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Key {
    Name(String),
    Index(usize),
}

/// A place that a path picks.
#[derive(Debug)]
pub(super) struct Place {
    /// Where it is; for an absent field, every record that might know it, likeliest first. Never empty.
    pub pointers: Vec<Pointer>,
    pub present: bool,
    /// How many segments were still to go where the tree ended.
    left: usize,
    /// What to say if no record knows the absent field.
    pub otherwise: OverrideError,
}

/// The parts of `zones[3].spt`.
pub(super) fn parse(path: &str) -> Result<Vec<Segment>, OverrideError> {
    let wrong = |reason: &str| OverrideError::Syntax { path: path.to_owned(), reason: reason.to_owned() };
    let mut segments = Vec::new();
    let mut rest = path.trim();
    loop {
        if let Some(inside) = rest.strip_prefix('[') {
            let quoted = inside.strip_prefix('"').and_then(|text| text.split_once("\"]"));
            let (name, behind) =
                quoted.or_else(|| inside.split_once(']')).ok_or_else(|| wrong("a `[` is never closed"))?;
            segments.push(segment(name.trim(), &wrong)?);
            rest = behind;
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            segments.push(segment(rest[..end].trim(), &wrong)?);
            rest = &rest[end..];
        }
        if rest.is_empty() {
            return Ok(segments);
        }
        match rest.strip_prefix('.') {
            Some(behind) => rest = behind,
            None if rest.starts_with('[') => {}
            None => return Err(wrong("a `.` is missing behind a `]`")),
        }
    }
}

fn segment(name: &str, wrong: &dyn Fn(&str) -> OverrideError) -> Result<Segment, OverrideError> {
    match name {
        "" => Err(wrong("a name is missing")),
        "*" => Ok(Segment::All),
        _ => Ok(Segment::Name(name.to_owned())),
    }
}

/// A pointer as a path.
pub(super) fn text(pointer: &[Key]) -> String {
    let mut path = String::new();
    for key in pointer {
        match key {
            Key::Index(index) => path.push_str(&format!("[{index}]")),
            Key::Name(name) if name.contains(['.', '[', ']', '*']) => path.push_str(&format!("[\"{name}\"]")),
            Key::Name(name) => {
                path.push_str(if path.is_empty() { "" } else { "." });
                path.push_str(name);
            }
        }
    }
    path
}

/// The value at a pointer.
pub(super) fn look<'a>(tree: &'a Value, pointer: &[Key]) -> Option<&'a Value> {
    pointer.iter().try_fold(tree, |value, key| match key {
        Key::Name(name) => value.get(name),
        Key::Index(index) => value.get(index),
    })
}

/// The value at a pointer, to change.
pub(super) fn look_mut<'a>(tree: &'a mut Value, pointer: &[Key]) -> Option<&'a mut Value> {
    pointer.iter().try_fold(tree, |value, key| match key {
        Key::Name(name) => value.get_mut(name),
        Key::Index(index) => value.get_mut(index),
    })
}

/// Puts `new` at a pointer; records on the way that are null or absent come into being.
pub(super) fn put(tree: &mut Value, pointer: &[Key], new: Value) {
    let [key, rest @ ..] = pointer else {
        *tree = new;
        return;
    };
    if tree.is_null() {
        *tree = Value::Object(Map::new());
    }
    match (tree, key) {
        (Value::Object(fields), Key::Name(name)) => put(fields.entry(name).or_insert(Value::Null), rest, new),
        (Value::Array(items), Key::Index(index)) => {
            if let Some(item) = items.get_mut(*index) {
                put(item, rest, new);
            }
        }
        _ => {}
    }
}

/// The name of the enum variant that a map with one capitalised key stands for.
pub(super) fn variant(fields: &Map<String, Value>) -> Option<&String> {
    let name = fields.keys().next()?;
    (fields.len() == 1 && name.starts_with(char::is_uppercase)).then_some(name)
}

/// The places that a path picks; at least one.
pub(super) fn find(tree: &Value, segments: &[Segment]) -> Result<Vec<Place>, OverrideError> {
    descend(tree, &mut Vec::new(), segments).map_err(|miss| miss.error)
}

/// A dead end, and how many segments were still to go there.
struct Miss {
    left: usize,
    error: OverrideError,
}

type Found = Result<Vec<Place>, Miss>;

fn descend(value: &Value, here: &mut Pointer, segments: &[Segment]) -> Found {
    let Some((segment, rest)) = segments.split_first() else {
        let otherwise = OverrideError::NothingMatched { path: text(here) };
        return Ok(vec![Place { pointers: vec![here.clone()], present: true, left: 0, otherwise }]);
    };
    match (segment, value) {
        (Segment::All, Value::Object(fields)) => match variant(fields) {
            Some(name) => enter(value, Key::Name(name.clone()), here, segments),
            None => every(value, fields.keys().cloned().map(Key::Name), here, rest),
        },
        (Segment::All, Value::Array(items)) => every(value, (0..items.len()).map(Key::Index), here, rest),
        (Segment::All, _) => Err(nothing(here, segments)),
        (Segment::Name(name), Value::Array(items)) => match element(items, name) {
            Some(index) => enter(value, Key::Index(index), here, rest),
            None => Err(no_such(here, name, element_names(items), segments)),
        },
        (Segment::Name(name), Value::Object(fields)) if fields.contains_key(name) => {
            enter(value, Key::Name(name.clone()), here, rest)
        }
        (Segment::Name(name), Value::Object(fields)) => look_through(value, fields, name, here, segments),
        (Segment::Name(name), Value::Null) => inside_absent(here, name, segments),
        (Segment::Name(name), scalar) => {
            let (path, found, name) = (text(here), short(scalar), name.clone());
            Err(Miss { left: segments.len(), error: OverrideError::NoFields { path, found, name } })
        }
    }
}

/// Goes on in one part of `value`.
fn enter(value: &Value, key: Key, here: &mut Pointer, segments: &[Segment]) -> Found {
    here.push(key);
    let inside = look(value, &here[here.len() - 1..]).unwrap_or(&Value::Null);
    let found = descend(inside, here, segments);
    here.pop();
    found
}

/// Goes on in all these parts; those where the rest leads nowhere are left out unless it does so in all.
fn every(value: &Value, keys: impl Iterator<Item = Key>, here: &mut Pointer, rest: &[Segment]) -> Found {
    let mut places = Vec::new();
    let mut first_miss = None;
    for key in keys {
        match enter(value, key, here, rest) {
            Ok(found) => places.extend(found),
            Err(miss) => first_miss = first_miss.or(Some(miss)),
        }
    }
    match first_miss {
        Some(miss) if places.is_empty() => Err(miss),
        None if places.is_empty() => Err(nothing(here, rest)),
        _ => Ok(places),
    }
}

/// Looks for a name that a record lacks inside its variant, its `model` or, at the top, its `machine`.
fn look_through(
    value: &Value,
    fields: &Map<String, Value>,
    name: &str,
    here: &mut Pointer,
    segments: &[Segment],
) -> Found {
    let wrapper = variant(fields);
    let mut names: Vec<String> =
        if wrapper.is_some() { Vec::new() } else { fields.keys().cloned().collect() };
    let mut absent: Vec<Pointer> = Vec::new();
    if wrapper.is_none() && segments.len() == 1 {
        absent.push(here.iter().cloned().chain([Key::Name(name.to_owned())]).collect());
    }
    let machine = here.is_empty().then_some("machine");
    let mut deepest: Option<Miss> = None;
    for inner in wrapper.map(String::as_str).into_iter().chain(["model"]).chain(machine) {
        if !fields.get(inner).is_some_and(|part| part.is_object()) {
            continue;
        }
        match enter(value, Key::Name(inner.to_owned()), here, segments) {
            Ok(places) if places.iter().any(|place| place.left < segments.len()) => return Ok(places),
            Ok(places) => {
                for place in places {
                    absent.extend(
                        place
                            .pointers
                            .into_iter()
                            .filter(|pointer| !absent.contains(pointer))
                            .collect::<Vec<_>>(),
                    );
                    names.extend(names_of(&place.otherwise));
                }
            }
            Err(miss) if miss.left < segments.len() => deepest = deepest.or(Some(miss)),
            Err(miss) => names.extend(names_of(&miss.error)),
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    let miss = no_such(here, name, names, segments);
    match deepest {
        Some(deepest) => Err(deepest),
        None if absent.is_empty() => Err(miss),
        None => {
            Ok(vec![Place { pointers: absent, present: false, left: segments.len(), otherwise: miss.error }])
        }
    }
}

fn names_of(error: &OverrideError) -> Vec<String> {
    match error {
        OverrideError::NoSuchField { names, .. } => names.clone(),
        _ => Vec::new(),
    }
}

/// A path that goes on in an absent optional record: it may come into being.
fn inside_absent(here: &Pointer, name: &str, segments: &[Segment]) -> Found {
    let mut pointer = here.clone();
    for segment in segments {
        match segment {
            Segment::Name(name) => pointer.push(Key::Name(name.clone())),
            Segment::All => return Err(nothing(here, segments)),
        }
    }
    let otherwise =
        OverrideError::NoFields { path: text(here), found: "absent".to_owned(), name: name.to_owned() };
    Ok(vec![Place { pointers: vec![pointer], present: false, left: segments.len(), otherwise }])
}

fn element(items: &[Value], name: &str) -> Option<usize> {
    let called = items.iter().position(|item| element_name(item).as_deref() == Some(name));
    called.or_else(|| name.parse().ok().filter(|&index: &usize| index < items.len()))
}

/// What an element calls itself.
fn element_name(item: &Value) -> Option<String> {
    let fields = item.as_object()?;
    let fields = variant(fields).and_then(|name| fields[name].as_object()).unwrap_or(fields);
    match fields.get("id").or_else(|| fields.get("name"))? {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn element_names(items: &[Value]) -> Vec<String> {
    items.iter().enumerate().map(|(index, item)| element_name(item).unwrap_or(index.to_string())).collect()
}

fn no_such(here: &[Key], name: &str, names: Vec<String>, segments: &[Segment]) -> Miss {
    let error = OverrideError::NoSuchField { path: text(here), name: name.to_owned(), names };
    Miss { left: segments.len(), error }
}

fn nothing(here: &[Key], segments: &[Segment]) -> Miss {
    Miss { left: segments.len(), error: OverrideError::NothingMatched { path: text(here) } }
}
