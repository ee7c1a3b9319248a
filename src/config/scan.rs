//! A tolerant scanner of RON text.
//!
//! Models: which bytes hold which value, so that a field path can be turned into a place.
//! Leaves out: types and the inside of scalars; the `ron` crate decides what is valid.
//! Invariant: never fails; what it understood before the first structural fault is in the tree.

use std::ops::Range;

use super::tree::{Body, Item, Key, Node, Scalar, Shape};

/// What the scanner made of a text.
#[derive(Debug)]
pub(super) struct Scan {
    /// The value of the file; none if the text holds none.
    pub root: Option<Node>,
    /// The first structural fault.
    pub problem: Option<Problem>,
}

/// A structural fault: unclosed brackets, missing commas and the like.
#[derive(Debug)]
pub(super) struct Problem {
    /// The bytes to show.
    pub span: Range<usize>,
    /// Where the scanner stood when it noticed; everything before has been understood.
    pub seen_at: usize,
    pub message: String,
    pub remedy: String,
}

/// Deeper nesting than this is not followed; ron itself stops at 128 levels of its own counting.
const DEPTH: usize = 100;

/// Scans a whole file.
pub(super) fn scan(text: &str) -> Scan {
    let mut scanner = Scanner { text, at: 0, depth: 0, problem: None };
    scanner.space();
    scanner.header();
    if scanner.rest().is_empty() || scanner.problem.is_some() {
        return Scan { root: None, problem: scanner.problem };
    }
    let root = scanner.value();
    scanner.space();
    if !scanner.rest().is_empty() {
        let span = scanner.at..text.len();
        scanner.fail(span, "the file goes on after its value ended", "remove the rest or check the brackets");
    }
    Scan { root: Some(root), problem: scanner.problem }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    problem: Option<Problem>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }
    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }
    fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }
    fn eat_while(&mut self, accept: impl Fn(char) -> bool) {
        self.at += self.rest().find(|c| !accept(c)).unwrap_or(self.rest().len());
    }
    fn fail(&mut self, span: Range<usize>, message: impl Into<String>, remedy: &str) {
        if self.problem.is_none() {
            let (seen_at, message, remedy) = (self.at, message.into(), remedy.to_owned());
            self.problem = Some(Problem { span, seen_at, message, remedy });
        }
    }
    /// The next character or word, for a message.
    fn here(&self) -> Range<usize> {
        let word = self.rest().find(|c| !is_word(c)).unwrap_or(self.rest().len());
        let length = if word > 0 { word } else { self.peek().map_or(0, char::len_utf8) };
        self.at..self.at + length
    }

    /// Skips blanks and comments.
    fn space(&mut self) {
        loop {
            self.eat_while(|c| c.is_whitespace() || c == '\u{feff}');
            if self.rest().starts_with("//") {
                self.eat_while(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                if !self.block_comment() {
                    return;
                }
            } else {
                return;
            }
        }
    }
    fn block_comment(&mut self) -> bool {
        let start = self.at;
        let mut depth = 0;
        while !self.rest().is_empty() {
            if self.eat("/*") {
                depth += 1;
            } else if self.eat("*/") {
                depth -= 1;
                if depth == 0 {
                    return true;
                }
            } else {
                self.at += self.peek().map_or(1, char::len_utf8);
            }
        }
        let message = "this comment is never closed";
        self.problem = self.problem.take().or(Some(Problem {
            span: start..start + 2,
            seen_at: start,
            message: message.to_owned(),
            remedy: "close it with `*/`".to_owned(),
        }));
        false
    }
    /// Skips `#![enable(...)]` lines.
    fn header(&mut self) {
        while self.rest().starts_with("#!") {
            match self.rest().find(']') {
                Some(end) => self.at += end + 1,
                None => {
                    return self.fail(self.here(), "this attribute is never closed", "close it with `)]`");
                }
            }
            self.space();
        }
    }

    fn value(&mut self) -> Node {
        let start = self.at;
        let (name, body) = match self.peek() {
            Some('"') => (None, self.string(1)),
            Some('\'') => (None, self.character()),
            Some('[') => (None, self.nested(']', Shape::List)),
            Some('{') => (None, self.nested('}', Shape::Map)),
            Some('(') => (None, self.parentheses()),
            Some(c) if c.is_ascii_digit() || matches!(c, '+' | '-' | '.') => (None, self.number()),
            Some('b') if self.rest().starts_with("b\"") => (None, self.string(2)),
            Some('b') if self.rest().starts_with("b'") => {
                self.at += 1;
                (None, self.character())
            }
            Some('r' | 'b') if raw_hashes(self.rest()).is_some() => (None, self.raw_string()),
            Some(c) if is_word(c) => self.named(),
            Some(_) => {
                let found = &self.text[self.here()];
                self.fail(self.here(), format!("expected a value, found `{found}`"), "");
                (None, Body::Scalar(Scalar::Number))
            }
            None => {
                self.fail(self.at..self.at, "the file ends where a value should stand", "");
                (None, Body::Scalar(Scalar::Number))
            }
        };
        Node { span: start..self.at, name, body }
    }

    fn named(&mut self) -> (Option<String>, Body) {
        let name = self.identifier();
        let end = self.at;
        self.space();
        if self.rest().starts_with('(') {
            return (Some(name), self.parentheses());
        }
        self.at = end;
        (Some(name), Body::Bare)
    }
    fn identifier(&mut self) -> String {
        let raw = self.eat("r#");
        let start = self.at;
        self.eat_while(|c| is_word(c) || raw && matches!(c, '.' | '+' | '-'));
        self.text[start..self.at].to_owned()
    }
    /// A number with whatever is glued to it (`7ms` is one wrong number, not two values), or a range.
    fn number(&mut self) -> Body {
        let start = self.at;
        while let Some(c) = self.peek() {
            let last = self.text[start..self.at].chars().next_back();
            let hex = self.text[start..].trim_start_matches(['+', '-']).starts_with("0x");
            let sign = match last {
                None | Some('.' | '=') => true,
                Some('e' | 'E') => !hex,
                Some(_) => false,
            };
            let good =
                is_word(c) || c == '.' || matches!(c, '+' | '-') && sign || c == '=' && last == Some('.');
            if !good {
                break;
            }
            self.at += c.len_utf8();
        }
        Body::Scalar(Scalar::Number)
    }
    /// A string whose opening quote takes `prefix` bytes.
    fn string(&mut self, prefix: usize) -> Body {
        let start = self.at;
        self.at += prefix;
        loop {
            self.eat_while(|c| c != '"' && c != '\\');
            if self.eat("\"") {
                return Body::Scalar(Scalar::Text);
            } else if self.eat("\\") {
                self.at += self.peek().map_or(0, char::len_utf8);
            } else {
                self.at = start;
                self.fail(start..start + prefix, "this text is never closed", "close it with a double quote");
                self.at = self.text.len();
                return Body::Scalar(Scalar::Text);
            }
        }
    }
    fn raw_string(&mut self) -> Body {
        let start = self.at;
        let (prefix, hashes) = raw_hashes(self.rest()).unwrap_or((1, 0));
        self.at += prefix;
        let close = format!("\"{}", "#".repeat(hashes));
        match self.rest().find(&close) {
            Some(end) => self.at += end + close.len(),
            None => {
                self.at = start;
                self.fail(
                    start..start + prefix,
                    "this text is never closed",
                    &format!("close it with `{close}`"),
                );
                self.at = self.text.len();
            }
        }
        Body::Scalar(Scalar::Text)
    }
    fn character(&mut self) -> Body {
        let start = self.at;
        self.at += 1;
        if self.eat("\\") {
            let braced = self.rest().starts_with("u{");
            self.at += self.peek().map_or(0, char::len_utf8);
            self.eat_while(|c| c != '\'' && (braced || is_word(c)));
        } else {
            self.at += self.peek().map_or(0, char::len_utf8);
        }
        if !self.eat("'") {
            let remedy = "text stands in double quotes, single characters in single ones";
            self.fail(start..start + 1, "this character is never closed", remedy);
        }
        Body::Scalar(Scalar::Character)
    }

    fn parentheses(&mut self) -> Body {
        let start = self.at;
        self.at += 1;
        self.space();
        let empty = self.rest().starts_with(')');
        let shape = if empty || self.field_follows() { Shape::Record } else { Shape::Tuple };
        self.at = start;
        self.nested(')', shape)
    }
    /// Whether a name and a colon come next.
    fn field_follows(&mut self) -> bool {
        let start = self.at;
        let problem = self.problem.is_some();
        self.identifier();
        let named = self.at > start && !self.text[start..].starts_with(|c: char| c.is_ascii_digit());
        self.space();
        let found = named && (self.rest().starts_with(':') || self.rest().starts_with('='));
        self.at = start;
        if !problem {
            self.problem = None;
        }
        found
    }

    fn nested(&mut self, close: char, shape: Shape) -> Body {
        let open = self.at;
        self.at += 1;
        let mut items = Vec::new();
        if self.depth == DEPTH {
            self.fail(open..open + 1, format!("nested more than {DEPTH} levels deep"), "");
            return Body::Items(shape, items);
        }
        self.depth += 1;
        while self.problem.is_none() {
            self.space();
            if self.problem.is_some() || self.closed(open, close) {
                break;
            }
            let Some(mut item) = self.item(shape) else { break };
            let end = self.at;
            self.space();
            if self.eat(",") {
                item.span.end = self.at;
            } else if self.problem.is_none()
                && !self.rest().starts_with([close, ')', ']', '}'])
                && !self.rest().is_empty()
            {
                self.at = end;
                self.fail(end..end, "a comma is missing here", "separate values with `,`");
            }
            items.push(item);
        }
        self.depth -= 1;
        Body::Items(shape, items)
    }
    /// Consumes the closing bracket, or finds that another one or nothing is there.
    fn closed(&mut self, open: usize, close: char) -> bool {
        match self.peek() {
            Some(c) if c == close => {
                self.at += 1;
                true
            }
            Some(')' | ']' | '}') => {
                let found = &self.text[self.here()];
                let opened = &self.text[open..open + 1];
                self.fail(
                    self.here(),
                    format!("`{found}` does not close the `{opened}` before it"),
                    &format!("close it with `{close}`"),
                );
                true
            }
            None => {
                let opened = &self.text[open..open + 1];
                self.fail(
                    open..open + 1,
                    format!("this `{opened}` is never closed"),
                    &format!("close it with `{close}`"),
                );
                true
            }
            Some(_) => false,
        }
    }
    fn item(&mut self, shape: Shape) -> Option<Item> {
        let start = self.at;
        let key = match shape {
            Shape::List | Shape::Tuple => Key::Position,
            Shape::Record if !self.peek().is_some_and(is_word) => {
                let found = &self.text[self.here()];
                let remedy = if found == "\"" { "field names stand without quotes" } else { "" };
                self.fail(self.here(), format!("expected a field name, found `{found}`"), remedy);
                return None;
            }
            Shape::Record => {
                let name = self.identifier();
                Key::Field(name, start..self.at)
            }
            Shape::Map => {
                let mut key = self.value();
                if let Body::Scalar(_) = key.body {
                    key.name = Some(self.text[key.span.clone()].trim_matches('"').to_owned());
                }
                Key::Value(key)
            }
        };
        if !matches!(key, Key::Position) {
            self.space();
            if !self.eat(":") {
                self.fail(self.here(), "a colon is missing here", "write `name: value`");
                let value = Node { span: self.at..self.at, name: None, body: Body::Bare };
                // Reaching past the fault, the item cannot be blanked out.
                return Some(Item { span: start..self.text.len(), key, value });
            }
            self.space();
        }
        let value = self.value();
        Some(Item { span: start..self.at, key, value })
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The length of the opening of a raw string and the number of its hashes.
fn raw_hashes(text: &str) -> Option<(usize, usize)> {
    let body = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let hashes = body.find(|c| c != '#')?;
    body[hashes..].starts_with('"').then_some((text.len() - body.len() + hashes + 1, hashes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn problem(text: &str) -> (usize, String) {
        let problem = scan(text).problem.unwrap();
        (problem.span.start, problem.message)
    }

    #[test]
    fn structural_faults_are_shown_where_they_began() {
        assert_eq!(problem("(a: [1, 2)"), (9, "`)` does not close the `[` before it".into()));
        assert_eq!(problem("(a: [1, 2]"), (0, "this `(` is never closed".into()));
        assert_eq!(problem("(a: \"x, b: 2)"), (4, "this text is never closed".into()));
        assert_eq!(problem("(a: 1 b: 2)"), (5, "a comma is missing here".into()));
        assert_eq!(problem("(a: 1, b = 2)"), (9, "a colon is missing here".into()));
        assert_eq!(problem("(a: 1, /* b: 2)"), (7, "this comment is never closed".into()));
        assert_eq!(problem("(a: 1) x"), (7, "the file goes on after its value ended".into()));
        assert_eq!(problem("(a: 1, \"b\": 2)"), (7, "expected a field name, found `\"`".into()));
        assert_eq!(problem("(a: )"), (4, "expected a value, found `)`".into()));
    }

    #[test]
    fn bottomless_nesting_is_not_followed() {
        assert!(scan(&"[".repeat(100_000)).problem.is_some());
        assert!(scan(&"a(".repeat(100_000)).problem.is_some());
    }

    #[test]
    fn every_form_of_value_is_understood() {
        let text = r###"#![enable(implicit_some)]
        /* a /* nested */ comment */ Top( // name
            a: -1.5e-3, b: 0x1F, c: "q\"\\", d: r#"raw "x" "#, e: b"by", f: 'c', g: '\'', h: '\u{41}', i: b'x',
            j: [1, 2,], k: {"a": 1, 2: (), 'c': None}, l: (1, (2)), m: Variant, n: V(1), o: V(x: true), p: (),
            q: inf, r: -inf, s: 1_000, t: br##"z"##, u: r#type, v: Some(3), w: 1..5, x: 1..=-5, y: Unit ( ), z: +1,
        )"###;
        let scan = scan(text);
        assert!(scan.problem.is_none(), "{:?}", scan.problem);
        let Body::Items(Shape::Record, items) = scan.root.unwrap().body else { panic!() };
        assert_eq!(items.len(), 26);
        assert_eq!(&text[items[0].value.span.clone()], "-1.5e-3");
        assert_eq!(&text[items[0].span.clone()], "a: -1.5e-3,");
    }

    fn ron_text() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(|n| n.to_string()),
            any::<f64>().prop_map(|x| format!("{x:?}")),
            ".*".prop_map(|s: String| format!("{s:?}")),
            Just("true".to_owned()),
            Just("Unit".to_owned()),
            Just("()".to_owned()),
            Just("'\\''".to_owned()),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let many = prop::collection::vec(inner, 1..4);
            prop_oneof![
                many.clone().prop_map(|v| format!("[{}]", v.join(", "))),
                many.clone().prop_map(|v| format!("({},)", v.join(" /* , */ ,\n"))),
                many.clone().prop_map(|v| format!("{{ {} : 1 }}", v.join(": 2, "))),
                many.prop_map(|v| format!("Rec(a: {})", v.join(", b: "))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_ron_reads_the_scanner_understands(text in ron_text()) {
            if ron::from_str::<ron::Value>(&text).is_ok() {
                prop_assert!(scan(&text).problem.is_none(), "{:?} {}", scan(&text).problem, text);
            }
        }
        #[test]
        fn any_text_is_survived(text in ".*", soup in r#"[\[\](){}"'a1,:=/*\\#r. -]{0,30}"#) {
            scan(&text);
            scan(&soup);
        }
    }
}
