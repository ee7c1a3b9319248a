//! Rules of the source text that no other tool checks: which room may use which, lengths, fences.

#![allow(clippy::unwrap_used, reason = "a test may give up")]

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, lowest first: a room uses only rooms above it in this list.
///
/// Claims are judged by a room of their own inside `experiment`: scenario files may name them, and experiments run
/// scenarios.
const ROOMS: [&str; 22] = [
    "units",
    "sim",
    "stats",
    "config",
    "results",
    "raid",
    "drive",
    "channel",
    "bus",
    "controller",
    "workload",
    "host",
    "machine",
    "replay",
    "disksim",
    "calibration",
    "plot",
    "experiment::claims",
    "scenario",
    "experiment",
    "report",
    "cli",
];

/// Rooms that never use each other: they meet in the machine.
const STRANGERS: [&str; 3] = ["drive", "channel", "bus"];

const FILE_LINES_MAX: usize = 500;
const FUNCTION_LINES_MAX: usize = 70;

/// Files that are longer for now, with the most they may have.
const LONG_FILES: [(&str, usize); 0] = [];

/// What may stand only in some files, and where; `cli` may do all of it.
const FENCES: [(&str, &[&str]); 6] = [
    ("std::fs", &["src/results/atomic.rs", "src/scenario/files.rs"]),
    ("std::net", &[]),
    ("std::thread", &["src/experiment/pool.rs"]),
    ("rayon", &["src/experiment/pool.rs"]),
    ("std::time", &[]),
    ("HashMap", &[]),
];

/// What must not stand outside tests (`expect` may, with the reason why it cannot fail).
const BANNED: [&str; 4] = [".unwrap()", "todo!", "unimplemented!", "dbg!"];

/// A source file: its path from the package's root, and its text with comments and the insides of texts blanked out.
struct File {
    path: String,
    text: String,
    /// The text without tests.
    code: String,
}

fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("src"), &mut paths);
    paths.sort();
    let read = |path: PathBuf| -> File {
        let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        let text = blanked(&fs::read_to_string(&path).unwrap());
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let is_test = stem == "tests" || stem.ends_with("_tests") || name.contains("/tests/");
        let code = if is_test { String::new() } else { without_tests(&text) };
        File { path: name, text, code }
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

impl File {
    fn code(&self) -> &str {
        &self.code
    }
    fn room(&self) -> &str {
        let inside = self.path.trim_start_matches("src/");
        if inside.starts_with("experiment/claims/") {
            return "experiment::claims";
        }
        inside.split(['/', '.']).next().unwrap_or("")
    }
}

/// The text without the items that are compiled for tests only.
fn without_tests(text: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        out += &rest[..at];
        let item = &rest[at + MARK.len()..];
        rest = &item[end_of_item(item)..];
    }
    out + rest
}

/// Where an item ends: behind its body, or behind the semicolon of one without.
fn end_of_item(item: &str) -> usize {
    let mut depth = 0;
    for (index, letter) in item.char_indices() {
        match letter {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(letter, '}' | ';') {
            return index + 1;
        }
    }
    item.len()
}

/// The text with comments, texts and characters replaced by blanks; line ends stay.
fn blanked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let length = token_length(rest);
        if length > letter.len_utf8() {
            let token = &rest[..length];
            // The quotes stay, so that lines that hold nothing but a text are no empty lines.
            out.extend(token.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        } else {
            out.push(letter);
        }
        rest = &rest[length..];
    }
    out
}

/// The length of the comment, text or character that `rest` starts with; of one letter if there is none.
fn token_length(rest: &str) -> usize {
    let letter = rest.chars().next().map_or(0, char::len_utf8);
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |at| at + 2);
    }
    let raw = rest.strip_prefix("r").or_else(|| rest.strip_prefix("br"));
    if let Some(behind) = raw {
        let hashes = behind.len() - behind.trim_start_matches('#').len();
        if behind[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = rest.len() - behind.len() + hashes + 1;
            return rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len());
        }
    }
    if rest.starts_with('"') {
        return quoted_length(rest, '"');
    }
    // A lifetime has no second quote two letters on.
    let mut letters = rest.chars();
    if letters.next() == Some('\'') {
        let (second, third) = (letters.next(), letters.next());
        if second == Some('\\') || third == Some('\'') {
            return quoted_length(rest, '\'');
        }
    }
    letter
}

fn quoted_length(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            letter if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    rest.len()
}

/// The rooms that a text names: `crate::a`, `crate::{b::c, d}`.
fn rooms_used(text: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, _) in text.match_indices("crate::") {
        let behind = &text[at + "crate::".len()..];
        let Some(group) = behind.strip_prefix('{') else {
            used.push(room_of(behind));
            continue;
        };
        let mut depth = 0;
        let mut start = 0;
        for (index, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' | ',' if depth == 0 => {
                    used.push(room_of(group[start..index].trim()));
                    start = index + 1;
                    if letter == '}' {
                        break;
                    }
                }
                '}' => depth -= 1,
                _ => {}
            }
        }
    }
    used.retain(|room| !room.is_empty());
    used
}

fn room_of(path: &str) -> String {
    if path.starts_with("experiment::claims") {
        return "experiment::claims".to_owned();
    }
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned()
}

#[test]
fn rooms_use_only_rooms_below_them() {
    let place = |room: &str| ROOMS.iter().position(|known| *known == room);
    let mut faults = Vec::new();
    for file in files() {
        let own = file.room().to_owned();
        if matches!(own.as_str(), "lib" | "main") {
            continue;
        }
        let Some(own_place) = place(&own) else {
            faults.push(format!("{}: `{own}` is no room of the table", file.path));
            continue;
        };
        for used in rooms_used(file.code()) {
            let Some(used_place) = place(&used) else {
                faults.push(format!("{}: uses `{used}`, which is no room of the table", file.path));
                continue;
            };
            let strangers = STRANGERS.contains(&own.as_str()) && STRANGERS.contains(&used.as_str());
            if used != own && (used_place > own_place || strangers) {
                faults.push(format!("{}: `{own}` uses `{used}`", file.path));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn files_and_functions_are_short() {
    let mut faults = Vec::new();
    for file in files() {
        let lines = file.text.lines().count();
        let allowed =
            LONG_FILES.iter().find(|(path, _)| *path == file.path).map_or(FILE_LINES_MAX, |(_, n)| *n);
        if lines > allowed {
            faults.push(format!("{}: {lines} lines, at most {allowed}", file.path));
        }
        for (name, lines) in functions(file.code()) {
            if lines > FUNCTION_LINES_MAX {
                faults.push(format!(
                    "{}: fn {name} has {lines} lines, at most {FUNCTION_LINES_MAX}",
                    file.path
                ));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Name and number of lines of each function with a body.
fn functions(text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("fn ") {
        let is_word = at == 0 || !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let behind = &text[at + 3..];
        let name: String = behind.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        if is_word && !name.is_empty() {
            let whole = &behind[..end_of_item(behind)];
            found.push((name, whole.matches('\n').count() + 1));
        }
    }
    found
}

#[test]
fn files_clocks_threads_and_hashes_stay_behind_their_fences() {
    let mut faults = Vec::new();
    for file in files().iter().filter(|file| !matches!(file.room(), "cli" | "main")) {
        for (word, places) in FENCES {
            if file.code().contains(word) && !places.contains(&file.path.as_str()) {
                faults.push(format!("{}: `{word}`", file.path));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn nothing_gives_up_outside_tests() {
    let mut faults = Vec::new();
    for file in files() {
        for word in BANNED.iter().filter(|word| file.code().contains(**word)) {
            faults.push(format!("{}: `{word}`", file.path));
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_rules_see_what_they_are_for() {
    let code = "use crate::{a::{b, c}, d};\n// crate::no\nlet x = \"crate::no\"; crate::experiment::claims::f(); 'c'; &'a str";
    assert_eq!(rooms_used(&blanked(code)), ["a", "d", "experiment::claims"]);
    let long = format!("fn f(x: [u8; 2]) {{\n{}}}\nfn g();", "x;\n".repeat(80));
    assert_eq!(functions(&long), [("f".to_owned(), 82), ("g".to_owned(), 1)]);
    assert_eq!(without_tests("a #[cfg(test)]\nmod tests;\nb #[cfg(test)] fn f() { x; }\nc"), "a \nb \nc");
    assert_eq!(blanked("r#\"a\"b\"# '\\'' 'x' \"\\\"\""), " ".repeat(22));
}
