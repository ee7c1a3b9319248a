//! Why a verb ended early, and the exit code that says so.

use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use super::output::remark;
use crate::config::{Diagnostic, Diagnostics};

/// How a verb ends when it does not end well.
#[derive(Debug)]
pub(super) enum Failure {
    /// A claim that was expected to hold was missed; the report is already on the screen. Exit code 1.
    Claims,
    /// A run that could not be finished; what it came to is on the screen and in files. The message. Exit code 1.
    Incomplete(String),
    /// Something the user gave cannot be used; the whole message. Exit code 2.
    Input(String),
    /// The program is at fault; the message with the state that caused it. Exit code 3.
    Internal(String),
    /// Whoever read our output has gone; nothing is wrong. Exit code 0.
    ReaderGone,
}

/// Result of a verb.
pub(super) type Ended = Result<(), Failure>;

impl Failure {
    /// Bad input in one sentence, and what to do about it, which is never empty.
    pub fn input(message: impl Display, remedy: impl Display) -> Self {
        let remedy = remedy.to_string();
        debug_assert!(!remedy.is_empty(), "no remedy for `{message}`");
        Failure::Input(format!("error: {message}\nhelp: {remedy}"))
    }

    /// A file or folder that the system refuses.
    pub fn io(path: &Path, error: &io::Error) -> Self {
        Diagnostic::for_io(path.display().to_string(), error).into()
    }

    /// Prints the message to stderr and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::ReaderGone => ExitCode::SUCCESS,
            Failure::Claims => ExitCode::from(1),
            Failure::Incomplete(text) => {
                remark(&format!("error: {text}"));
                ExitCode::from(1)
            }
            Failure::Input(text) => {
                remark(text);
                ExitCode::from(2)
            }
            Failure::Internal(text) => {
                remark(&format!(
                    "internal fault: {text}\n\
                     help: this is a bug of ataraid {}; please report it with the command line, the files and this text",
                    env!("CARGO_PKG_VERSION")
                ));
                ExitCode::from(3)
            }
        }
    }
}

impl From<Diagnostic> for Failure {
    fn from(fault: Diagnostic) -> Self {
        Failure::Input(fault.to_string())
    }
}

impl From<Diagnostics> for Failure {
    fn from(faults: Diagnostics) -> Self {
        Failure::Input(faults.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(failure: Failure) -> String {
        match failure {
            Failure::Input(text) | Failure::Internal(text) | Failure::Incomplete(text) => text,
            Failure::Claims | Failure::ReaderGone => String::new(),
        }
    }

    #[test]
    fn bad_input_says_what_to_do() {
        assert_eq!(text(Failure::input("no", "say yes")), "error: no\nhelp: say yes");
        let strange = io::Error::other("the disk is on fire");
        let told = text(Failure::io(Path::new("a"), &strange));
        assert!(told.starts_with("a: error: the disk is on fire\nhelp: "), "{told}");
    }
}
