//! What is wrong with a file, where, and what to do about it.

use std::fmt;
use std::io;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::scan::scan;
use super::source::{Source, floor_char_boundary};
use super::tree::{self, Step};

/// One fault of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The path as the user wrote it.
    pub file: String,
    /// Where in the text; none when the fault is of the file itself.
    pub place: Option<Place>,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
}

/// A place in a file's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The 1-based line.
    pub line: usize,
    /// The 1-based column, in characters.
    pub column: usize,
    /// The bytes of the text that are at fault.
    pub span: Range<usize>,
    /// The line as it stands in the file, for the caret to point at.
    excerpt: String,
    /// The bytes of `excerpt` that are at fault.
    marked: Range<usize>,
}

/// The faults of one or several files, sorted by place and without repetition.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

/// Longest line that is shown whole, in bytes.
const EXCERPT_MAX: usize = 240;

/// The part of a line around `start` that is worth showing.
fn window(source: &Source, line: Range<usize>, start: usize) -> Range<usize> {
    if line.len() <= EXCERPT_MAX {
        return line;
    }
    let from = floor_char_boundary(&source.text, start.saturating_sub(EXCERPT_MAX / 4)).max(line.start);
    from..floor_char_boundary(&source.text, from + EXCERPT_MAX).min(line.end).max(from)
}

impl Diagnostic {
    /// A fault of the bytes `span` of `source`; a span outside the text is clipped.
    pub fn at(source: &Source, span: Range<usize>, message: impl Into<String>) -> Self {
        let start = floor_char_boundary(&source.text, span.start);
        let end = floor_char_boundary(&source.text, span.end).max(start);
        let (line, column) = source.line_column(start);
        let line_range = window(source, source.line_range(start), start);
        let excerpt = source.text[line_range.clone()].to_owned();
        // A record may span many lines; the caret marks its first one only.
        let marked = start.min(line_range.end) - line_range.start..end.min(line_range.end) - line_range.start;
        let place = Some(Place { line, column, span: start..end, excerpt, marked });
        Diagnostic { file: source.name.clone(), place, message: message.into(), remedy: None }
    }

    /// A fault of the entry `key` of the map at field path `map`; none if the text has no such entry.
    pub fn at_key(source: &Source, map: &str, key: &str, message: impl Into<String>) -> Option<Self> {
        let root = scan(&source.text).root?;
        let span = tree::key_span(&root, &Step::parse(map), key)?;
        Some(Diagnostic::at(source, span, message))
    }

    /// A fault of the bytes `marked` of one line of a file that is read line by line, so that its whole text is
    /// never there; a range outside the line is clipped.
    pub fn at_line(
        file: impl Into<String>,
        line: u64,
        excerpt: &str,
        marked: Range<usize>,
        message: impl Into<String>,
    ) -> Self {
        let start = floor_char_boundary(excerpt, marked.start);
        let end = floor_char_boundary(excerpt, marked.end).max(start);
        let column = excerpt[..start].chars().count() + 1;
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        let place = Place { line, column, span: start..end, excerpt: excerpt.to_owned(), marked: start..end };
        Diagnostic { file: file.into(), place: Some(place), message: message.into(), remedy: None }
    }

    /// A fault of the file as a whole.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Diagnostic { file: file.into(), place: None, message: message.into(), remedy: None }
    }

    /// The fault behind an input or output error on `path`.
    pub fn for_io(path: impl Into<String>, error: &io::Error) -> Self {
        let (message, remedy) = match error.kind() {
            io::ErrorKind::NotFound => ("no such file or folder", "check the spelling of the path"),
            io::ErrorKind::PermissionDenied => {
                ("permission denied", "check who owns the file and its folder, or choose another path")
            }
            io::ErrorKind::IsADirectory => ("this is a folder, not a file", "name a file inside the folder"),
            io::ErrorKind::NotADirectory => {
                ("a part of the path is a file, not a folder", "check the spelling of the path")
            }
            io::ErrorKind::InvalidData => ("the file is not UTF-8 text", "save the file as UTF-8"),
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                ("no space left", "free some space or choose another folder")
            }
            io::ErrorKind::ReadOnlyFilesystem => {
                ("the file system is read-only", "choose a folder that can be written")
            }
            io::ErrorKind::InvalidFilename => {
                ("the file system refuses this name", "choose a shorter name without odd characters")
            }
            _ => {
                let remedy = "try again, copy the file to another disk, or name another one";
                return Diagnostic::of_file(path, error.to_string()).with_remedy(remedy);
            }
        };
        Diagnostic::of_file(path, message).with_remedy(remedy)
    }

    /// The same fault with a remedy; an empty remedy counts as none.
    pub fn with_remedy(mut self, remedy: impl Into<String>) -> Self {
        let remedy = remedy.into();
        self.remedy = (!remedy.is_empty()).then_some(remedy);
        self
    }

    fn key(&self) -> (&str, usize, &str) {
        (&self.file, self.place.as_ref().map_or(0, |place| place.span.start), &self.message)
    }
}

impl Diagnostics {
    /// No faults yet.
    pub fn new() -> Self {
        Diagnostics::default()
    }
    /// Adds a fault in its place; a repetition is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if let Err(index) = self.0.binary_search_by(|known| known.key().cmp(&diagnostic.key())) {
            self.0.insert(index, diagnostic);
        }
    }
    /// True if there is no fault.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// How many faults there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// The faults, by file and place.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }
    /// `value` if there is no fault.
    ///
    /// # Errors
    /// The faults, if there are any.
    pub fn unless_any<T>(self, value: T) -> Result<T, Diagnostics> {
        if self.is_empty() { Ok(value) } else { Err(self) }
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, faults: I) {
        faults.into_iter().for_each(|fault| self.push(fault));
    }
}
impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(faults: I) -> Self {
        let mut all = Diagnostics::new();
        all.extend(faults);
        all
    }
}
impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Self {
        Diagnostics(vec![diagnostic])
    }
}

impl Place {
    /// The source line with a caret under the marked part.
    fn drawing(&self) -> String {
        let annotation = AnnotationKind::Primary.span(self.marked.clone());
        let snippet = Snippet::source(self.excerpt.as_str()).line_start(self.line).annotation(annotation);
        Renderer::plain().render(&[Group::with_level(Level::ERROR).element(snippet)])
    }
}

/// `file:line:column: error: message`, the source line with a caret, `help: remedy`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if let Some(place) = &self.place {
            write!(f, "{}:{}:", place.line, place.column)?;
        }
        write!(f, " error: {}", self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n{}", place.drawing())?;
        }
        match &self.remedy {
            Some(remedy) => write!(f, "\nhelp: {remedy}"),
            None => Ok(()),
        }
    }
}

/// Every fault, with an empty line between two of them.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.iter().enumerate() {
            if index > 0 {
                f.write_str("\n\n")?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostic {}
impl std::error::Error for Diagnostics {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_shows_its_line_a_caret_and_a_remedy() {
        let source = Source::new("d.ron", "(\n  name: \"x\",\n  rpm: 72000,\n)\n");
        let at = source.text.find("72000").unwrap();
        let fault = Diagnostic::at(&source, at..at + 5, "too fast").with_remedy("slow down");
        assert_eq!(
            fault.to_string(),
            "d.ron:3:8: error: too fast\n  |\n3 |   rpm: 72000,\n  |        ^^^^^\nhelp: slow down"
        );
    }

    #[test]
    fn a_fault_of_a_lone_line_is_drawn_as_one_of_a_text() {
        let fault = Diagnostic::at_line("t.trace", 7, "R Hit x 4", 6..7, "no number");
        assert_eq!(fault.to_string(), "t.trace:7:7: error: no number\n  |\n7 | R Hit x 4\n  |       ^");
        for marked in [0..100, 50..60, 9..9] {
            assert!(Diagnostic::at_line("t", u64::MAX, "é x", marked, "m").to_string().contains("error: m"));
        }
    }

    #[test]
    fn faults_come_sorted_and_once() {
        let source = Source::new("d.ron", "(a: 1, b: 2)");
        let mut faults = Diagnostics::new();
        faults.push(Diagnostic::at(&source, 7..8, "b"));
        faults.push(Diagnostic::at(&source, 1..2, "a"));
        faults.push(Diagnostic::at(&source, 7..8, "b"));
        let messages: Vec<_> = faults.iter().map(|fault| fault.message.as_str()).collect();
        assert_eq!(messages, ["a", "b"]);
    }

    #[test]
    fn spans_outside_the_text_or_over_many_lines_still_draw() {
        let source = Source::new("d.ron", "(\n  é: 1,\n)");
        for span in [0..1000, 1000..2000, 5..6, 3..4, 2..2] {
            assert!(Diagnostic::at(&source, span, "x").to_string().contains("error: x\n"));
        }
        assert!(Diagnostic::at(&Source::new("e.ron", ""), 0..0, "empty").to_string().contains("e.ron:1:1"));
    }

    #[test]
    fn of_an_endless_line_only_the_part_at_fault_is_shown() {
        let source = Source::new("d.ron", "é".repeat(100_000));
        let text = Diagnostic::at(&source, 100_000..100_002, "x").to_string();
        assert!(text.starts_with("d.ron:1:50001: error: x\n") && text.contains('^'), "{text}");
        assert!(text.len() < 1000, "{} bytes", text.len());
    }

    #[test]
    fn system_errors_carry_a_remedy() {
        let fault = Diagnostic::for_io("x.ron", &io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(
            fault.to_string(),
            "x.ron: error: no such file or folder\nhelp: check the spelling of the path"
        );
        for kind in [io::ErrorKind::PermissionDenied, io::ErrorKind::IsADirectory, io::ErrorKind::StorageFull]
        {
            assert!(Diagnostic::for_io("x", &io::Error::from(kind)).remedy.is_some());
        }
    }
}
