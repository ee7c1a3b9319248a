//! The text of one file.

use std::ops::Range;

use super::{Diagnostic, Diagnostics};

/// The text of one file, with the name to quote in messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Source {
    /// The path as the user wrote it.
    pub name: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// A source called `name`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Source { name: name.into(), text: text.into() }
    }

    /// A source from the bytes of a file.
    ///
    /// # Errors
    /// A diagnostic with the line and column of the first byte that is not UTF-8; lines that end with CR alone.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, Diagnostics> {
        let name = name.into();
        if bytes.contains(&b'\r') && !bytes.contains(&b'\n') {
            // To all else this would be one line, in which the first comment ends the text.
            let fault = Diagnostic::of_file(name, "the lines of this file end with a carriage return alone");
            return Err(fault.with_remedy("save the file with the line ends of Unix or Windows").into());
        }
        String::from_utf8(bytes).map(|text| Source::new(name.clone(), text)).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            // The undecodable bytes become replacement characters, so the offset stays right.
            let lossy = Source::new(name, String::from_utf8_lossy(error.as_bytes()));
            let fault = Diagnostic::at(&lossy, valid..valid + 3, "the file is not UTF-8 text");
            fault.with_remedy("save the file as UTF-8").into()
        })
    }

    /// The 1-based line and the 1-based column, in characters, of a byte offset.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let before = &self.text[..floor_char_boundary(&self.text, offset)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |tail| tail.chars().count()) + 1;
        (line, column)
    }

    /// The bytes of the line that holds `offset`, without its line end.
    pub(super) fn line_range(&self, offset: usize) -> Range<usize> {
        let offset = floor_char_boundary(&self.text, offset);
        let start = self.text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[offset..].find('\n').map_or(self.text.len(), |at| offset + at);
        let end = if self.text[start..end].ends_with('\r') { end - 1 } else { end };
        start..end
    }
}

/// The greatest character boundary of `text` that is not above `offset`.
pub(super) fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_not_bytes() {
        let source = Source::new("a.ron", "(\n  é: x)");
        assert_eq!(source.line_column(0), (1, 1));
        assert_eq!(source.line_column(source.text.find('x').unwrap()), (2, 6));
        assert_eq!(source.line_column(1000), (2, 8));
    }

    #[test]
    fn lines_that_end_with_a_carriage_return_alone_are_refused() {
        let error = Source::from_bytes("a.csv", b"access_ms\r1.0\r2.0\r".to_vec()).unwrap_err().to_string();
        assert!(error.starts_with("a.csv: error: ") && error.contains("help: save the file"), "{error}");
        assert!(Source::from_bytes("a.csv", b"access_ms\r\n1.0\r\n".to_vec()).is_ok());
    }

    #[test]
    fn bytes_that_are_not_utf8_are_located() {
        let error = Source::from_bytes("a.ron", b"(\n  name: \"\xff\")".to_vec()).unwrap_err();
        assert!(error.to_string().starts_with("a.ron:2:10: error: the file is not UTF-8 text"), "{error}");
    }
}
