//! The value that a RON text stands for when its type is not known yet.

use serde_json::{Map, Number, Value};

use super::super::scan::scan;
use super::super::tree::{Body, Item, Key, Node, Scalar, Shape};
use super::path::variant;

/// What `text` may mean, likeliest first: a value with named variants, the same with the names taken for
/// names of structs, and the text itself as a string.
pub(super) fn candidates(text: &str) -> Vec<Value> {
    let text = text.trim();
    let scan = scan(text);
    let root = scan.root.filter(|_| scan.problem.is_none());
    let mut found = Vec::new();
    if let Some(root) = &root {
        for variants in [true, false] {
            found.extend(Reader { text, variants }.value(root).filter(|value| !found.contains(value)));
        }
    }
    let plain = Value::String(text.to_owned());
    if !found.contains(&plain) {
        found.push(plain);
    }
    found
}

/// What no field can take inside a structured value, whatever its type: its path in the value, a message that goes on
/// behind that path, and a remedy.
pub(super) fn flaw(text: &str) -> Option<(String, String, &'static str)> {
    let text = text.trim();
    let scan = scan(text);
    let root = scan.root.filter(|_| scan.problem.is_none())?;
    match root.body {
        Body::Items(..) => flaw_of(text, &root, ""),
        Body::Scalar(_) | Body::Bare => None,
    }
}

fn flaw_of(text: &str, node: &Node, path: &str) -> Option<(String, String, &'static str)> {
    let given = &text[node.span.clone()];
    let infinite = match &node.body {
        Body::Bare => matches!(node.name.as_deref(), Some("inf" | "NaN")),
        Body::Scalar(Scalar::Number) => number(given).is_none(),
        Body::Scalar(_) | Body::Items(..) => false,
    };
    if infinite {
        return Some((path.to_owned(), format!("cannot be `{given}`"), "write a finite number"));
    }
    let Body::Items(shape, items) = &node.body else { return None };
    let name = |index: usize, key: &Key| match key {
        // A newtype looks like a tuple of one.
        Key::Position if *shape == Shape::Tuple && items.len() == 1 => path.to_owned(),
        Key::Position => format!("{path}[{index}]"),
        Key::Field(name, _) => within(path, name),
        Key::Value(key) => within(path, text[key.span.clone()].trim_matches('"')),
    };
    let names: Vec<String> = items.iter().enumerate().map(|(index, item)| name(index, &item.key)).collect();
    let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    if let Some((_, name)) = twice {
        return Some((name.clone(), "is given twice".to_owned(), "keep one of the two"));
    }
    items.iter().zip(&names).find_map(|(item, name)| flaw_of(text, &item.value, name))
}

fn within(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// A tree as RON text: the reverse of reading it.
pub(super) fn written(tree: &Value) -> String {
    let all = |items: Vec<String>| items.join(", ");
    match tree {
        Value::Null => "None".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(name) if is_variant(name) => name.clone(),
        Value::String(text) => format!("{text:?}"),
        Value::Array(items) => format!("[{}]", all(items.iter().map(written).collect())),
        Value::Object(fields) => match variant(fields) {
            Some(name) => match &fields[name] {
                inner @ (Value::Object(_) | Value::Null) => format!("{name}{}", written(inner)),
                Value::Array(items) if items.len() > 1 => {
                    format!("{name}({})", all(items.iter().map(written).collect()))
                }
                inner => format!("{name}({})", written(inner)),
            },
            None => {
                let field = |(name, value): (&String, &Value)| format!("{name}: {}", written(value));
                format!("({})", all(fields.iter().map(field).collect()))
            }
        },
    }
}

/// Names of variants are the only texts that begin with a capital and hold nothing but letters and digits.
fn is_variant(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric())
}

struct Reader<'a> {
    text: &'a str,
    /// Whether a name before parentheses is a variant's.
    variants: bool,
}

impl Reader<'_> {
    fn value(&self, node: &Node) -> Option<Value> {
        let text = &self.text[node.span.clone()];
        match (&node.body, &node.name) {
            (Body::Scalar(Scalar::Text), _) => ron::from_str::<String>(text).ok().map(Value::String),
            (Body::Scalar(Scalar::Character), _) => {
                ron::from_str::<char>(text).ok().map(|c| Value::String(c.to_string()))
            }
            (Body::Scalar(Scalar::Number), _) => number(text).map(Value::Number),
            (Body::Bare, Some(name)) => match name.as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                "None" => Some(Value::Null),
                "inf" | "NaN" => None,
                name => Some(Value::String(name.to_owned())),
            },
            (Body::Bare, None) => None,
            (Body::Items(shape, items), Some(name)) => {
                let inner = self.items(*shape, items)?;
                let variant = self.variants && name != "Some";
                Some(if variant { Value::Object(Map::from_iter([(name.clone(), inner)])) } else { inner })
            }
            (Body::Items(shape, items), None) => self.items(*shape, items),
        }
    }

    fn items(&self, shape: Shape, items: &[Item]) -> Option<Value> {
        match (shape, items) {
            // A newtype looks like a tuple of one.
            (Shape::Tuple, [item]) => self.value(&item.value),
            (Shape::Tuple | Shape::List, _) => {
                items.iter().map(|item| self.value(&item.value)).collect::<Option<_>>().map(Value::Array)
            }
            (Shape::Record | Shape::Map, _) => {
                let field = |item: &Item| Some((self.key(&item.key)?, self.value(&item.value)?));
                items.iter().map(field).collect::<Option<Map<_, _>>>().map(Value::Object)
            }
        }
    }

    fn key(&self, key: &Key) -> Option<String> {
        match key {
            Key::Position => None,
            Key::Field(name, _) => Some(name.clone()),
            Key::Value(node) => match self.value(node)? {
                Value::String(name) => Some(name),
                Value::Number(number) => Some(number.to_string()),
                Value::Bool(flag) => Some(flag.to_string()),
                _ => None,
            },
        }
    }
}

fn number(text: &str) -> Option<Number> {
    if let Ok(whole) = ron::from_str::<u64>(text) {
        return Some(whole.into());
    }
    if let Ok(whole) = ron::from_str::<i64>(text) {
        return Some(whole.into());
    }
    ron::from_str::<f64>(text).ok().and_then(Number::from_f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ron_becomes_the_tree_that_serde_writes() {
        let first = |text: &str| candidates(text).swap_remove(0);
        assert_eq!(first("12"), json!(12));
        assert_eq!(first("-1_000"), json!(-1000));
        assert_eq!(first("1.5e3"), json!(1500.0));
        assert_eq!(first("18446744073709551615"), json!(u64::MAX));
        assert_eq!(first("Fifo"), json!("Fifo"));
        assert_eq!(first("\"a\\nb\""), json!("a\nb"));
        assert_eq!(first("Stripe(size_kib: 64)"), json!({"Stripe": {"size_kib": 64}}));
        assert_eq!(first("Datasheet(\"p. 3\")"), json!({"Datasheet": "p. 3"}));
        assert_eq!(first("[(1, 2.5), (2, 3)]"), json!([[1, 2.5], [2, 3]]));
        assert_eq!(first("{\"a\": Some(1), 2: None}"), json!({"a": 1, "2": null}));
    }

    #[test]
    fn what_no_field_can_take_is_named_by_its_path() {
        let path = |text: &str| flaw(text).map(|(path, message, _)| format!("{path} {message}"));
        assert_eq!(path("(a: 1, b: [2, NaN])").as_deref(), Some("b[1] cannot be `NaN`"));
        assert_eq!(path("Table((seek_ms: 1e999))").as_deref(), Some("seek_ms cannot be `1e999`"));
        assert_eq!(path("(low: -inf)").as_deref(), Some("low cannot be `-inf`"));
        assert_eq!(path("{\"a\": 1, \"a\": 2}").as_deref(), Some("a is given twice"));
        assert_eq!(path("(a: (b: 1), b: \"NaN\", c: None, d: [1, 1])"), None);
        assert_eq!(path("NaN"), None);
    }

    #[test]
    fn text_that_is_no_value_is_a_string() {
        for text in ["maxtor-6l020j1", "models/a b.ron", "(a:", "", "NaN"] {
            assert!(candidates(text).contains(&json!(text)), "{text}");
        }
    }
}
