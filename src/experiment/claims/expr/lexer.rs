//! Cutting a check into words.

use std::ops::Range;

use super::CheckError;
use super::value::Unit;

/// What a piece of a check is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(f64, Unit),
    /// A keyword, a name or a dotted fact.
    Word(String),
    /// Text in single quotes.
    Text(String),
    Symbol(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub place: Range<usize>,
}

impl TokenKind {
    /// The token as a message names it.
    pub fn describe(&self) -> String {
        match self {
            TokenKind::Number(number, _) => format!("`{number}`"),
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Text(text) => format!("'{text}'"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::End => "the end of the check".to_owned(),
        }
    }
}

/// Longest first, so that `>=` is not read as `>`.
const SYMBOLS: [&str; 23] = [
    ">=", "<=", "==", "!=", "~~", "..", "(", ")", "[", "]", "{", "}", ",", ":", "+", "-", "*", "/", ">", "<",
    "~", "%", "=",
];

/// The tokens of a check, ended by `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, CheckError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        if character.is_whitespace() {
            at += character.len_utf8();
            continue;
        }
        let (kind, length) = if character.is_ascii_alphanumeric() {
            let length = word_length(rest);
            let place = at..at + length;
            (word_or_number(&rest[..length], place)?, length)
        } else if let Some(quoted) = rest.strip_prefix('\'') {
            let end = quoted.find('\'').ok_or_else(|| CheckError {
                place: at..text.len(),
                message: "the text that starts here has no closing `'`".to_owned(),
                remedy: "close it with `'`".to_owned(),
            })?;
            (TokenKind::Text(quoted[..end].to_owned()), end + 2)
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (TokenKind::Symbol(symbol), symbol.len())
        } else {
            return Err(CheckError {
                place: at..at + character.len_utf8(),
                message: format!("`{character}` means nothing in a check"),
                remedy: "remove it; text is written in single quotes".to_owned(),
            });
        };
        tokens.push(Token { kind, place: at..at + length });
        at += length;
    }
    tokens.push(Token { kind: TokenKind::End, place: text.len()..text.len() });
    Ok(tokens)
}

/// Length of the word at the start of `rest`; a single dot belongs to it, two dots are a range.
fn word_length(rest: &str) -> usize {
    let mut characters = rest.char_indices().peekable();
    while let Some((position, character)) = characters.next() {
        let dot =
            character == '.' && characters.peek().is_some_and(|&(_, next)| next.is_ascii_alphanumeric());
        if !(character.is_ascii_alphanumeric() || character == '_' || character == '@' || dot) {
            return position;
        }
    }
    rest.len()
}

/// `64KB` and `1.133` are numbers, `1d` is a name.
fn word_or_number(word: &str, place: Range<usize>) -> Result<TokenKind, CheckError> {
    if !word.starts_with(|first: char| first.is_ascii_digit()) {
        return Ok(TokenKind::Word(word.to_owned()));
    }
    if let Ok(number) = word.parse::<f64>() {
        return finite(number, Unit::Plain, place);
    }
    // The reviews' KB of block sizes is 1024 bytes.
    for (suffix, bytes) in [("KiB", 1024.0), ("KB", 1024.0), ("MiB", 1_048_576.0), ("B", 1.0)] {
        if let Some(number) = word.strip_suffix(suffix).and_then(|digits| digits.parse::<f64>().ok()) {
            return finite(number * bytes, Unit::Bytes, place);
        }
    }
    Ok(TokenKind::Word(word.to_owned()))
}

fn finite(number: f64, unit: Unit, place: Range<usize>) -> Result<TokenKind, CheckError> {
    if number.is_finite() {
        return Ok(TokenKind::Number(number, unit));
    }
    Err(CheckError {
        place,
        message: "this number is too large".to_owned(),
        remedy: "write a number below 1e308".to_owned(),
    })
}
