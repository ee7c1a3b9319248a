//! Which kind of record a text holds, told from the names of its fields.

use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor, value::Error};
use serde::forward_to_deserialize_any;

use super::Source;
use super::scan::scan;
use super::tree::{Body, Key, Node, Shape};

/// How many of the fields at the top of a text a `T` has; 0 of a text that is no record.
pub(crate) fn known_fields<T: DeserializeOwned>(source: &Source) -> usize {
    let mut fields: &[&str] = &[];
    // It refuses every type once it has seen the fields.
    drop(T::deserialize(Asked(&mut fields)));
    let Some(root) = root(source) else { return 0 };
    let is_known = |key: &Key| matches!(key, Key::Field(name, _) if fields.contains(&name.as_str()));
    root.items().iter().filter(|item| is_known(&item.key)).count()
}

/// The record that a text is; of brackets that stand around it by mistake the inside.
fn root(source: &Source) -> Option<Node> {
    let mut root = scan(&source.text.replace('\u{feff}', "   ")).root?;
    loop {
        root = match root.body {
            Body::Items(Shape::Tuple, items) if !items.is_empty() => items.into_iter().next()?.value,
            _ => return Some(root),
        };
    }
}

/// Whether the list `field` at the top of a text begins with a record.
pub(crate) fn lists_records(source: &Source, field: &str) -> bool {
    let Some(root) = root(source) else { return false };
    let is_it = |key: &Key| matches!(key, Key::Field(name, _) if name == field);
    let list = root.items().iter().find(|item| is_it(&item.key)).map(|item| &item.value);
    let first = list.and_then(|list| list.items().first());
    first.is_some_and(|item| matches!(item.value.shape(), Some(Shape::Record | Shape::Tuple)))
}

/// Keeps the names of the fields that a record asks for, and gives it nothing.
struct Asked<'a>(&'a mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only the names of its fields are asked for"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only the names count")]
    struct Record {
        one: u32,
        two: Vec<String>,
    }

    #[test]
    fn fields_count_whatever_they_hold() {
        let known = |text: &str| known_fields::<Record>(&Source::new("x", text));
        assert_eq!(known("(one: \"no number\", two: (), three: 3)"), 2);
        assert_eq!(known("(three: (one: 1, two: 2))"), 0);
        assert_eq!(known("not a record"), 0);
        let lists = |text: &str| lists_records(&Source::new("x", text), "two");
        assert!(lists("(one: 1, two: [(a: 1), 2])") && !lists("(two: [\"a\"])") && !lists("(one: [(a: 1)])"));
        // Also inside brackets that stand twice.
        assert_eq!(known("((one: 1, two: [])"), 2);
        // Up to where the text breaks off.
        assert_eq!(known("(one: 1, two: [\"x\""), 2);
    }
}
