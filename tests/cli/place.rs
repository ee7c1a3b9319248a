//! A folder to run the program in, and what a command leaves behind.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use tempfile::TempDir;

/// The program in an empty folder of its own.
pub struct Place(TempDir);

/// What a command left behind.
pub struct Left {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Place {
    pub fn new() -> Self {
        Place(tempfile::tempdir().unwrap())
    }
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    pub fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
    pub fn run(&self, arguments: &[&str]) -> Left {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ataraid"));
        let output = command.current_dir(self.0.path()).args(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Left { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }
    pub fn good(&self, arguments: &[&str]) -> Left {
        let left = self.run(arguments);
        assert_eq!(left.code, 0, "{arguments:?}: {}", left.err);
        left
    }
    /// Bad input: exit code 2, something on stderr, nothing on stdout, no panic.
    pub fn bad(&self, arguments: &[&str]) -> String {
        let left = self.run(arguments);
        assert_eq!(left.code, 2, "{arguments:?}: {}{}", left.out, left.err);
        assert!(!left.err.contains("panicked") && !left.err.contains("internal fault"), "{}", left.err);
        assert_eq!(left.out, "", "{arguments:?}");
        left.err
    }
    /// The names of everything in a folder, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Checks that all `parts` are in `text`.
pub fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}
