//! Which part of a trace a model was fitted to: how its sources say it, and how it is read from them.

use crate::config::Provenance;
use crate::drive::DriveSpec;

/// The words before the last request of a part.
const UP_TO: &str = ", requests 1 to ";

/// What the sources of a model call the first `cut` of the `all` requests of the trace in `file`.
pub fn part_name(file: &str, cut: usize, all: usize) -> String {
    if cut >= all { file.to_owned() } else { format!("{file}{UP_TO}{cut}") }
}

/// The number of requests at the start of the trace in `file` that `spec` was fitted to, by its sources; `usize::MAX` for
/// all of them, none if it was not fitted to this trace.
pub fn fitted_part(spec: &DriveSpec, file: &str) -> Option<usize> {
    let fitted = spec.sources.values().filter_map(|source| match source {
        Provenance::Fitted(text) => Some(text.as_str()),
        _ => None,
    });
    fitted.filter_map(|text| part_of(text, file)).max()
}

/// The part that a source names at its end, in brackets.
fn part_of(text: &str, file: &str) -> Option<usize> {
    let inside = text.strip_suffix(')')?;
    if inside.ends_with(&format!("({file}")) {
        return Some(usize::MAX);
    }
    let (before, last) = inside.rsplit_once(UP_TO)?;
    if before.ends_with(&format!("({file}")) { last.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_read_as_it_is_written() {
        let read = |name: &str, file: &str| part_of(&format!("from turns (2 of them) ({name})"), file);
        assert_eq!(read(&part_name("a (b).trace", 50, 100), "a (b).trace"), Some(50));
        assert_eq!(read(&part_name("a.trace", 100, 100), "a.trace"), Some(usize::MAX));
        assert_eq!(read(&part_name("a.trace", 50, 100), "b.trace"), None);
        assert_eq!(read(&part_name("xa.trace", 50, 100), "a.trace"), None);
        assert_eq!(read("a.trace, requests 1 to many", "a.trace"), None);
        assert_eq!(part_of("6.0 ms, as given", "a.trace"), None);
    }
}
