//! Lines of a text of any size, one at a time, in bounded memory.

use std::io::{self, BufRead, ErrorKind};

/// The most bytes of a line; DiskSim reads 200.
pub(super) const LINE_MAX: usize = 4_096;

/// Why there is no next line.
pub(super) enum LineError {
    /// The text cannot be read.
    Io(io::Error),
    /// The line of this number does not end within [`LINE_MAX`] bytes.
    TooLong(u64),
}

/// The lines of a text.
///
/// A line that lies within the buffer of the input is handed on from there; only one that crosses its end is copied.
pub(super) struct Lines<R> {
    input: R,
    /// The start of a line whose end has not been seen.
    started: Vec<u8>,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Lines { input, started: Vec::new(), number: 0 }
    }

    /// Hands the next line without its end, and its 1-based number, to `read`; none at the end of the text.
    pub(super) fn next<T>(&mut self, read: impl FnOnce(&[u8], u64) -> T) -> Result<Option<T>, LineError> {
        self.started.clear();
        loop {
            let number = self.number + 1;
            let chunk = filled(&mut self.input).map_err(LineError::Io)?;
            if chunk.is_empty() && self.started.is_empty() {
                return Ok(None);
            }
            let end = memchr::memchr(b'\n', chunk);
            let taken = end.unwrap_or(chunk.len());
            if self.started.len() + taken > LINE_MAX {
                return Err(LineError::TooLong(number));
            }
            let is_whole = end.is_some() || chunk.is_empty();
            if is_whole && self.started.is_empty() {
                let out = read(&chunk[..taken], number);
                self.input.consume(taken + 1);
                self.number = number;
                return Ok(Some(out));
            }
            self.started.extend_from_slice(&chunk[..taken]);
            self.input.consume(taken + usize::from(end.is_some()));
            if is_whole {
                self.number = number;
                return Ok(Some(read(&self.started, number)));
            }
        }
    }
}

/// The next bytes of the input; empty at its end.
pub(super) fn filled<R: BufRead>(input: &mut R) -> io::Result<&[u8]> {
    // The buffer is asked for again after the loop: a borrow that is returned from inside would last for all of it.
    loop {
        match input.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    input.fill_buf()
}
