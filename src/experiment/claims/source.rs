//! Problems of a claims file, each at its place in the text.

use std::collections::BTreeMap;
use std::fmt;

/// One problem of a claims file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: String,
    /// The line of the file that holds the problem.
    pub source_line: String,
}

/// Everything that is wrong with one claims file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LedgerError {
    /// The file's name as the caller gave it.
    pub file: String,
    /// The problems, in the order of the file; never empty.
    pub problems: Vec<Problem>,
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            let Problem { line, column, message, remedy, source_line } = problem;
            writeln!(f, "{}:{line}:{column}: {message}", self.file)?;
            writeln!(f, "  {source_line}")?;
            writeln!(f, "  {}^", " ".repeat(column.saturating_sub(1)))?;
            write!(f, "  {remedy}")?;
        }
        Ok(())
    }
}

impl Problem {
    /// A problem at a byte offset of `text`.
    pub(super) fn at(text: &str, offset: usize, message: String, remedy: String) -> Self {
        let before = text.get(..offset.min(text.len())).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[line_start..].chars().count() + 1;
        let source_line = text[line_start..].lines().next().unwrap_or("").to_owned();
        Problem { line, column, message, remedy, source_line }
    }
}

/// A string value in RON text.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringPlace {
    /// Byte offset of the first character of the content.
    pub content: usize,
    /// Whether the string is raw, so that its content has no escapes.
    raw: bool,
}

impl StringPlace {
    /// The byte offset in `text` of byte `inner` of the decoded string.
    pub fn offset(self, text: &str, inner: usize) -> usize {
        if self.raw {
            return self.content + inner;
        }
        let mut decoded = 0;
        let mut rest = text[self.content..].char_indices();
        while let Some((position, character)) = rest.next() {
            if decoded >= inner || character == '"' {
                return self.content + position;
            }
            // Escapes that stand for more than one source character are never needed inside a check; one that is
            // there all the same only shifts the caret.
            decoded += if character == '\\' { rest.next().map_or(0, |_| 1) } else { character.len_utf8() };
        }
        text.len()
    }
}

/// The places of all string values of a RON text, by field name and in order.
pub(super) fn string_fields(text: &str) -> BTreeMap<String, Vec<StringPlace>> {
    let mut fields: BTreeMap<String, Vec<StringPlace>> = BTreeMap::new();
    let mut field: Option<String> = None;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += block_comment(rest);
        } else if let Some((open, close)) = string_at(rest) {
            if let Some(name) = field.take() {
                fields
                    .entry(name)
                    .or_default()
                    .push(StringPlace { content: at + open, raw: character == 'r' });
            }
            at += close;
        } else if character.is_alphabetic() || character == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let follows = rest[length..].trim_start();
            field = follows.starts_with(':').then(|| rest[..length].to_owned());
            at += length;
        } else {
            if !character.is_whitespace() && character != ':' {
                field = None;
            }
            at += character.len_utf8();
        }
    }
    fields
}

/// Length of the block comment that `rest` starts with; RON nests them.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    at
}

/// If `rest` starts with a string: where its content starts and where the whole of it ends.
fn string_at(rest: &str) -> Option<(usize, usize)> {
    if let Some(after) = rest.strip_prefix('r') {
        let hashes = after.len() - after.trim_start_matches('#').len();
        let content = after[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let open = hashes + 2;
        let length = content.find(&close).map_or(content.len(), |end| end + close.len());
        return Some((open, open + length));
    }
    let content = rest.strip_prefix('"')?;
    let mut escaped = false;
    for (position, character) in content.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((1, position + 2)),
            _ => {}
        }
    }
    Some((1, rest.len()))
}

/// The allowed name nearest to a wrong one, if any is near enough to be meant.
pub(super) fn suggest<'a>(wrong: &str, allowed: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wrong.chars().count() / 3).clamp(1, 3);
    allowed
        .into_iter()
        .map(|name| (edits(&wrong.to_lowercase(), &name.to_lowercase()), name))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Number of single-character edits between two words (Levenshtein).
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}
