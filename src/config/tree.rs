//! The tree of places behind a text, and field paths into it.

use std::ops::Range;

/// One value of the text.
#[derive(Debug)]
pub(super) struct Node {
    /// Its bytes, with its name and brackets.
    pub span: Range<usize>,
    /// The name of a record, a variant or a bare word; for a scalar map key, its text.
    pub name: Option<String>,
    pub body: Body,
}

#[derive(Debug)]
pub(super) enum Body {
    Scalar(Scalar),
    /// A name alone: a variant, `true`, `None`.
    Bare,
    Items(Shape, Vec<Item>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Scalar {
    Text,
    Character,
    Number,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// `(name: value)`, also `()`.
    Record,
    /// `(value, value)`.
    Tuple,
    /// `[value, value]`.
    List,
    /// `{key: value}`.
    Map,
}

/// A part of a value.
#[derive(Debug)]
pub(super) struct Item {
    /// The bytes of key, value and the comma behind.
    pub span: Range<usize>,
    pub key: Key,
    pub value: Node,
}

#[derive(Debug)]
pub(super) enum Key {
    Position,
    Field(String, Range<usize>),
    Value(Node),
}

/// One step of a field path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A field, a map key or the name of a variant.
    Name(String),
    /// An element, from 0.
    Index(usize),
}

/// A node on the way from the root to a place, with the item of its parent that holds it.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pub node: &'a Node,
    pub item: Option<&'a Item>,
    /// Its place among the parts of its parent.
    pub index: usize,
}

impl Step {
    /// The steps of `zones[3].cylinders`.
    pub fn parse(path: &str) -> Vec<Step> {
        let names = path.split(['.', '[', ']']).filter(|name| !name.is_empty());
        names.map(|name| name.parse().map_or_else(|_| Step::Name(name.to_owned()), Step::Index)).collect()
    }
}

impl Node {
    pub fn items(&self) -> &[Item] {
        match &self.body {
            Body::Items(_, items) => items,
            Body::Scalar(_) | Body::Bare => &[],
        }
    }
    pub fn shape(&self) -> Option<Shape> {
        match self.body {
            Body::Items(shape, _) => Some(shape),
            Body::Scalar(_) | Body::Bare => None,
        }
    }
    /// The bytes that stand for the whole value in a message: all of a scalar, the opening of a container.
    pub fn opening(&self) -> Range<usize> {
        match self.body {
            Body::Scalar(_) | Body::Bare => self.span.clone(),
            Body::Items(..) => {
                let name = self.name.as_ref().map_or(0, String::len);
                self.span.start..(self.span.start + name.max(1)).min(self.span.end)
            }
        }
    }
    /// The one part of a wrapper such as `Variant((a: 1))` or `Some([1])`.
    fn wrapped(&self) -> Option<Link<'_>> {
        match (self.shape(), self.items()) {
            (Some(Shape::Tuple), [item]) => Some(Link { node: &item.value, item: Some(item), index: 0 }),
            _ => None,
        }
    }
    fn child(&self, step: &Step) -> Option<Link<'_>> {
        let found = self.items().iter().enumerate().find(|(index, item)| match (&item.key, step) {
            (Key::Position, Step::Index(wanted)) => index == wanted,
            (Key::Field(name, _), Step::Name(wanted)) => name == wanted,
            (Key::Value(key), Step::Name(wanted)) => key.name.as_ref() == Some(wanted),
            (Key::Value(key), Step::Index(wanted)) => key.name.as_ref() == Some(&wanted.to_string()),
            _ => false,
        });
        found.map(|(index, item)| Link { node: &item.value, item: Some(item), index })
    }
}

/// Follows `steps` as far as the text goes; says whether it went all the way.
///
/// Names of structs and variants are passed through, as are wrappers with one part.
pub(super) fn follow<'a>(root: &'a Node, steps: &[Step]) -> (Vec<Link<'a>>, bool) {
    let mut chain = vec![Link { node: root, item: None, index: 0 }];
    for step in steps {
        loop {
            let node = chain[chain.len() - 1].node;
            let inner_list = node.wrapped().filter(|link| link.node.shape().is_some());
            if matches!(step, Step::Index(_))
                && let Some(link) = inner_list
            {
                chain.push(link);
            } else if let Some(link) = node.child(step) {
                chain.push(link);
                break;
            } else if matches!(step, Step::Name(name) if node.name.as_ref() == Some(name)) {
                break;
            } else if let Some(link) = node.wrapped() {
                chain.push(link);
            } else {
                return (chain, false);
            }
        }
    }
    (chain, true)
}

/// The nodes around a byte, outermost first; a byte behind a value counts as its own.
pub(super) fn around(root: &Node, offset: usize) -> Vec<Link<'_>> {
    let mut chain = vec![Link { node: root, item: None, index: 0 }];
    loop {
        let node = chain[chain.len() - 1].node;
        let holds = |span: &Range<usize>| span.start <= offset && offset <= span.end;
        let inside = node.items().iter().enumerate().find_map(|(index, item)| match &item.key {
            Key::Value(key) if holds(&key.span) => Some(Link { node: key, item: Some(item), index }),
            _ if holds(&item.value.span) => Some(Link { node: &item.value, item: Some(item), index }),
            _ => None,
        });
        match inside {
            Some(link) => chain.push(link),
            None => return chain,
        }
    }
}

/// The nodes that hold all of `span`, outermost first.
pub(super) fn holding<'a>(root: &'a Node, span: &Range<usize>) -> Vec<Link<'a>> {
    let mut chain = vec![Link { node: root, item: None, index: 0 }];
    loop {
        let node = chain[chain.len() - 1].node;
        let holds = |item: &Item| item.value.span.start <= span.start && span.end <= item.value.span.end;
        match node.items().iter().enumerate().find(|(_, item)| holds(item)) {
            Some((index, item)) => chain.push(Link { node: &item.value, item: Some(item), index }),
            None => return chain,
        }
    }
}

/// Where to point for a field path: its value, or the opening of the nearest record around it.
pub(super) fn span_of(root: &Node, steps: &[Step]) -> Range<usize> {
    let (chain, _) = follow(root, steps);
    chain[chain.len() - 1].node.opening()
}

/// The last entry `key` of the map at a field path.
pub(super) fn key_span(root: &Node, map: &[Step], key: &str) -> Option<Range<usize>> {
    let (chain, complete) = follow(root, map);
    let items = chain[chain.len() - 1].node.items().iter().rev();
    let mut keys = items.filter_map(|item| match &item.key {
        Key::Value(node) if node.name.as_deref() == Some(key) => Some(node.span.clone()),
        _ => None,
    });
    keys.next().filter(|_| complete)
}

/// The path of the last link in words (`zones[3].cylinders`); empty for the root.
pub(super) fn path_text(text: &str, chain: &[Link<'_>]) -> String {
    let mut path = String::new();
    for link in chain {
        match link.item.map(|item| &item.key) {
            Some(Key::Field(name, _)) => push_name(&mut path, name),
            Some(Key::Value(key)) => push_name(&mut path, text[key.span.clone()].trim_matches('"')),
            Some(Key::Position) => path.push_str(&format!("[{}]", link.index)),
            None => {}
        }
    }
    path
}

fn push_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

#[cfg(test)]
mod tests {
    use super::super::scan::scan;
    use super::*;

    const TEXT: &str = "Drive(seek: Curve(average_ms: 8.5, points: [(1, 0.8), (9, 2.0)]),
        layout: Stripe((size_kib: 64)), zones: [(spt: 1), (spt: 2)], map: {\"a\": (x: 5)}, list: V([7, 8]))";

    fn shown(path: &str) -> &'static str {
        let root = scan(TEXT).root.unwrap();
        &TEXT[span_of(&root, &Step::parse(path))]
    }

    #[test]
    fn paths_lead_to_values_through_names_and_wrappers() {
        assert_eq!(shown("seek.average_ms"), "8.5");
        assert_eq!(shown("seek.points[1][1]"), "2.0");
        assert_eq!(shown("layout.size_kib"), "64");
        assert_eq!(shown("layout.Stripe.size_kib"), "64");
        assert_eq!(shown("zones.1.spt"), "2");
        assert_eq!(shown("map.a.x"), "5");
        assert_eq!(shown("list[1]"), "8");
    }

    #[test]
    fn absent_fields_point_at_the_record_around() {
        assert_eq!(shown("seek.settle_ms"), "Curve");
        assert_eq!(shown("zones[7].spt"), "[");
        assert_eq!(shown("spindle.rpm"), "Drive");
        assert_eq!(shown(""), "Drive");
    }
}
