//! Tokens of DiskSim's parameter files, with files that name other files put in their place.

use std::path::{Path, PathBuf};

use super::parser::FAULTS_MAX;
use super::tree::{Files, Spot};
use crate::config::{Diagnostic, Diagnostics, Source};

/// Gives the text of the file at a path.
pub type Reader<'r> = dyn FnMut(&Path) -> Result<Source, Diagnostics> + 'r;

/// Files inside files inside files; DiskSim's own limit.
const FILES_DEEP_MAX: usize = 32;
/// Files in all, so that files which name each other twice cannot multiply without end.
const FILES_MAX: usize = 1000;
/// Bytes of all files together.
const BYTES_MAX: usize = 256 << 20;

/// What a token is; its text is at its spot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    Word,
    Integer(i64),
    Real(f64),
    OpenBlock,
    CloseBlock,
    OpenList,
    CloseList,
    Comma,
    Equals,
    /// `..`
    Range,
    /// `;`, `:`, `?` and the like, which no rule uses.
    Stray,
    /// A file that could not be read; the fault has been told.
    Absent,
    End,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub spot: Spot,
}

/// Cuts text into tokens.
pub(super) struct Lexer<'r, 'f> {
    pub files: Files,
    read: &'r mut Reader<'f>,
    stack: Vec<Frame>,
    bytes: usize,
    pub faults: Vec<Diagnostic>,
    /// The first comment that was passed over.
    pub comment: Option<Spot>,
}

struct Frame {
    file: usize,
    at: usize,
    end: usize,
    path: PathBuf,
}

impl<'r, 'f> Lexer<'r, 'f> {
    /// The tokens of `source`, which was read from `path`.
    pub(super) fn new(source: Source, path: &Path, read: &'r mut Reader<'f>) -> Self {
        let mut files = Files::default();
        let bytes = source.text.len();
        let file = files.add(source);
        Lexer::of(files, Frame { file, at: 0, end: bytes, path: path.to_owned() }, read)
    }

    /// The tokens of the bytes `range` of `source`, whose places are those of file number `file`.
    pub(super) fn piece(
        source: Source,
        file: usize,
        range: std::ops::Range<usize>,
        read: &'r mut Reader<'f>,
    ) -> Self {
        let mut files = Files::default();
        (0..file).for_each(|_| {
            files.add(Source::new("", ""));
        });
        let path = PathBuf::from(&source.name);
        files.add(source);
        Lexer::of(files, Frame { file, at: range.start, end: range.end, path }, read)
    }

    fn of(files: Files, frame: Frame, read: &'r mut Reader<'f>) -> Self {
        let bytes = frame.end - frame.at;
        Lexer { files, read, stack: vec![frame], bytes, faults: Vec::new(), comment: None }
    }

    /// The next token; `End` for ever once all files are read.
    pub(super) fn next(&mut self) -> Token {
        if self.faults.len() >= FAULTS_MAX {
            self.stack.clear();
        }
        loop {
            let Some(frame) = self.stack.last_mut() else {
                let end = self.files.get(0).text.len();
                return Token { kind: Kind::End, spot: Spot::new(0, end, end) };
            };
            let file = frame.file;
            let text = &self.files.get(file).text[..frame.end];
            let blank = blank_length(&text[frame.at..]);
            if let Some(at) = text[frame.at..frame.at + blank].find('#') {
                self.comment.get_or_insert(Spot::new(file, frame.at + at, frame.at + blank));
            }
            frame.at += blank;
            let rest = &text[frame.at..];
            if rest.is_empty() {
                if self.stack.len() == 1 {
                    let end = text.len();
                    return Token { kind: Kind::End, spot: Spot::new(file, end, end) };
                }
                self.stack.pop();
                continue;
            }
            let (kind, length) = token(rest);
            let start = frame.at;
            frame.at += length;
            let token = Token { kind, spot: Spot::new(file, start, start + length) };
            if kind == Kind::Word && &rest[..length] == "source" {
                if self.enter(token.spot) {
                    continue;
                }
                return Token { kind: Kind::Absent, ..token };
            }
            return token;
        }
    }

    /// Reads the name behind `source` and goes on in the file of that name; false if there is none.
    fn enter(&mut self, keyword: Spot) -> bool {
        let Some(frame) = self.stack.last_mut() else { return false };
        let text = &self.files.get(frame.file).text[..frame.end];
        frame.at += blank_length(&text[frame.at..]);
        let length = word_length(&text[frame.at..]);
        let spot = Spot::new(frame.file, frame.at, frame.at + length);
        let name = text[frame.at..frame.at + length].to_owned();
        frame.at += length;
        if name.is_empty() {
            let fault = self.files.fault(keyword, "`source` without a file name");
            self.faults.push(fault.with_remedy("write `source FILE`"));
            return false;
        }
        match self.open(&name, spot) {
            Ok((source, path)) => {
                let end = source.text.len();
                self.bytes += end;
                let file = self.files.add(source);
                self.stack.push(Frame { file, at: 0, end, path });
                true
            }
            Err(fault) => {
                self.faults.push(*fault);
                false
            }
        }
    }

    fn open(&mut self, name: &str, spot: Spot) -> Result<(Source, PathBuf), Box<Diagnostic>> {
        let fault =
            |message: String, remedy: &str| Box::new(self.files.fault(spot, message).with_remedy(remedy));
        if self.stack.len() >= FILES_DEEP_MAX {
            return Err(fault(
                format!("files name each other {FILES_DEEP_MAX} deep"),
                "put the text in one file",
            ));
        }
        if self.files.len() >= FILES_MAX || self.bytes > BYTES_MAX {
            return Err(fault("too many files are named in all".to_owned(), "name each file once"));
        }
        let path = beside(&self.stack[self.stack.len() - 1].path, name);
        if self.stack.iter().any(|frame| frame.path == path) {
            return Err(fault(format!("`{name}` names itself, in the end"), "break the circle of files"));
        }
        let top = beside(&self.stack[0].path, name);
        let source = (self.read)(&path).or_else(|faults| match top == path {
            true => Err(faults),
            // DiskSim looks beside the parameter file too.
            false => (self.read)(&top).map_err(|_| faults),
        });
        source
            .map(|source| (source, path))
            .map_err(|faults| Box::new(told_at(&self.files, spot, name, &faults)))
    }

    /// The text of another file, named at `spot`, that is not part of the grammar (a seek curve).
    pub(super) fn other(
        files: &Files,
        read: &mut Reader,
        root: &Path,
        name: &str,
        spot: Spot,
    ) -> Result<Source, Box<Diagnostic>> {
        let path = beside(Path::new(files.name(spot)), name);
        let top = beside(root, name);
        let source = read(&path).or_else(|faults| match top == path {
            true => Err(faults),
            false => read(&top).map_err(|_| faults),
        });
        source.map_err(|faults| Box::new(told_at(files, spot, name, &faults)))
    }
}

/// The fault of reading a file, told at the place that names it.
fn told_at(files: &Files, spot: Spot, name: &str, faults: &Diagnostics) -> Diagnostic {
    let Some(first) = faults.iter().next() else {
        return files.fault(spot, format!("`{name}` cannot be read"));
    };
    let fault = files.fault(spot, format!("`{name}`: {} ({})", first.message, first.file));
    fault.with_remedy(first.remedy.clone().unwrap_or_default())
}

/// The file called `name` in the folder of the file at `path`.
fn beside(path: &Path, name: &str) -> PathBuf {
    path.parent().map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}

/// Bytes of white space and comments at the start of `text`.
fn blank_length(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at += text[at..].find('\n').unwrap_or(text.len() - at);
    }
}

/// Bytes of the word at the start of `text`.
fn word_length(text: &str) -> usize {
    let ends = |letter: char| {
        letter.is_whitespace() || matches!(letter, ';' | '{' | '}' | ',' | '[' | ']' | ':' | '?' | '=')
    };
    text.find(ends).unwrap_or(text.len())
}

/// The token at the start of `text`, which is not empty, and its length.
fn token(text: &str) -> (Kind, usize) {
    let sign = match text.as_bytes()[0] {
        b'{' => Kind::OpenBlock,
        b'}' => Kind::CloseBlock,
        b'[' => Kind::OpenList,
        b']' => Kind::CloseList,
        b',' => Kind::Comma,
        b'=' => Kind::Equals,
        b';' | b':' | b'?' => Kind::Stray,
        _ => {
            let word = &text[..word_length(text)];
            // A range may stand without blanks: `disk0..disk3`; a path may lead upwards.
            return match word.find("..").filter(|_| !word.contains('/')) {
                Some(0) => (Kind::Range, 2),
                Some(at) => (number(&word[..at]).unwrap_or(Kind::Word), at),
                None => (number(word).unwrap_or(Kind::Word), word.len()),
            };
        }
    };
    (sign, 1)
}

/// The number that `word` is, if it is one.
fn number(word: &str) -> Option<Kind> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    if let Some(hex) = digits.strip_prefix("0x") {
        let value = i64::from_str_radix(hex, 16).ok()?;
        return Some(Kind::Integer(if word.starts_with('-') { -value } else { value }));
    }
    if !digits.starts_with(|letter: char| letter.is_ascii_digit()) {
        return None;
    }
    if digits.bytes().all(|digit| digit.is_ascii_digit()) {
        // What no integer can hold still is a number, and too large for whatever it is for.
        return Some(
            word.parse().map_or_else(|_| Kind::Real(word.parse().unwrap_or(f64::MAX)), Kind::Integer),
        );
    }
    word.parse().ok().filter(|value: &f64| value.is_finite()).map(Kind::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut read = |_: &Path| Err(Diagnostics::new());
        let mut lexer = Lexer::new(Source::new("a", text), Path::new("a"), &mut read);
        std::iter::from_fn(|| Some(lexer.next().kind).filter(|kind| *kind != Kind::End)).collect()
    }

    #[test]
    fn numbers_words_and_ranges_are_told_apart() {
        use Kind::{Integer, Range, Real, Word};
        assert_eq!(
            kinds("12 -3 0x1F 2.5 -0.25 1.5e-3 2nd over. time/weight (in # 5\n 7"),
            [
                Integer(12),
                Integer(-3),
                Integer(31),
                Real(2.5),
                Real(-0.25),
                Real(1.5e-3),
                Word,
                Word,
                Word,
                Word,
                Integer(7)
            ]
        );
        assert_eq!(kinds("disk0 .. disk3 a..b"), [Word, Range, Word, Word, Range, Word]);
        assert_eq!(kinds("99999999999999999999 1e999"), [Real(1e20), Word]);
    }
}
