//! Semantic faults: text that parses but means something impossible.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::scan::scan;
use super::tree::{self, Step};
use super::{Diagnostic, Diagnostics, Source};

/// Checks the meaning of a spec after it has been read.
pub trait Validate {
    /// Reports everything that is wrong to `issues`, by field path from this value.
    fn validate(&self, issues: &mut Issues);
}

/// The semantic faults of one file, each with the path of its field.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Issues {
    scope: String,
    found: Vec<Issue>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Issue {
    path: String,
    /// Whether the printed message starts with the path.
    names_field: bool,
    message: String,
    remedy: String,
}

impl Issues {
    /// No faults yet.
    pub fn new() -> Self {
        Issues::default()
    }

    /// Reports a fault of `field`, a path from the present scope (`seek.average_ms`, `zones[3].cylinders`;
    /// empty for the scope itself). An empty `remedy` prints no help.
    pub fn report(&mut self, field: &str, message: impl Into<String>, remedy: impl Into<String>) {
        self.add(field, false, message.into(), remedy.into());
    }

    /// Runs `inner` with `field` as the scope of its reports.
    pub fn scoped<R>(&mut self, field: &str, inner: impl FnOnce(&mut Issues) -> R) -> R {
        let outer = self.scope.clone();
        self.scope = join(&outer, field);
        let result = inner(self);
        self.scope = outer;
        result
    }

    /// Checks that `value` is finite and within `allowed`; says whether it is.
    pub fn range_f64(&mut self, field: &str, value: f64, allowed: RangeInclusive<f64>, unit: &str) -> bool {
        let good = value.is_finite() && allowed.contains(&value);
        if !good {
            let limits = (short_number(*allowed.start()), short_number(*allowed.end()));
            self.out_of_range(field, short_number(value), limits, unit);
        }
        good
    }

    /// Checks that `value` is within `allowed`; says whether it is.
    pub fn range_u64(&mut self, field: &str, value: u64, allowed: RangeInclusive<u64>, unit: &str) -> bool {
        let good = allowed.contains(&value);
        if !good {
            self.out_of_range(field, value, (allowed.start(), allowed.end()), unit);
        }
        good
    }

    /// Checks that `value` is one of `allowed`; says whether it is.
    pub fn choice_u64(&mut self, field: &str, value: u64, allowed: &[u64]) -> bool {
        let good = allowed.contains(&value);
        if !good {
            let list = allowed.iter().map(u64::to_string).collect::<Vec<_>>().join(" or ");
            self.add(field, true, format!("is {value}; allowed is {list}"), String::new());
        }
        good
    }

    /// True if nothing has been reported.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many faults have been reported.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Takes over the faults of a part that stands at `prefix`, a path from the present scope.
    pub fn absorb(&mut self, prefix: &str, part: Issues) {
        let base = join(&self.scope, prefix);
        let moved = part.found.into_iter().map(|issue| Issue { path: join(&base, &issue.path), ..issue });
        self.found.extend(moved);
    }

    /// Keeps faults of single figures outside of `lost` and outside of what holds a part of it: all others may only be
    /// there because of what stands in for the lost parts.
    pub(super) fn keep_ranges_apart_from(&mut self, lost: &[String]) {
        let apart = |path: &str| lost.iter().all(|lost| !covers(lost, path) && !covers(path, lost));
        self.found.retain(|issue| issue.names_field && apart(&issue.path));
    }

    /// Keeps faults that `other` has as well.
    pub(super) fn keep_shared_with(&mut self, other: &Issues) {
        self.found.retain(|issue| other.found.contains(issue));
    }

    /// Whether this fault is among them.
    pub(crate) fn holds(&self, path: &str, message: &str) -> bool {
        self.found.iter().any(|issue| issue.path == path && issue.text() == message)
    }

    /// Each fault as path, message, remedy, in the order of reporting.
    pub fn iter(&self) -> impl Iterator<Item = (&str, String, &str)> {
        self.found.iter().map(|issue| (issue.path.as_str(), issue.text(), issue.remedy.as_str()))
    }

    /// The faults as places in the text they were read from. A fault of a field that the text leaves out
    /// points at the nearest record around it.
    pub fn into_diagnostics(self, source: &Source) -> Diagnostics {
        let root = scan(&source.text).root;
        let place = |issue: Issue| {
            let span = root.as_ref().map_or(0..0, |root| tree::span_of(root, &Step::parse(&issue.path)));
            Diagnostic::at(source, span, issue.text()).with_remedy(issue.remedy)
        };
        self.found.into_iter().map(place).collect()
    }

    /// The faults of a value that has no text of its own (command line overrides), named by `file`.
    pub fn into_file_diagnostics(self, file: &str) -> Diagnostics {
        let whole = |issue: Issue| Diagnostic::of_file(file, issue.text()).with_remedy(issue.remedy);
        self.found.into_iter().map(whole).collect()
    }

    fn out_of_range(
        &mut self,
        field: &str,
        value: impl Display,
        (low, high): (impl Display, impl Display),
        unit: &str,
    ) {
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let message = format!("is {value}{unit}; allowed is {low} to {high}{unit}");
        self.add(field, true, message, String::new());
    }

    fn add(&mut self, field: &str, names_field: bool, message: String, remedy: String) {
        let path = join(&self.scope, field);
        self.found.push(Issue { path, names_field, message, remedy });
    }
}

impl Issue {
    fn text(&self) -> String {
        if self.names_field && !self.path.is_empty() {
            format!("`{}` {}", self.path, self.message)
        } else {
            self.message.clone()
        }
    }
}

/// A number in few digits: very large and very small ones with an exponent.
fn short_number(value: f64) -> String {
    let plain = value == 0.0 || !value.is_finite() || (1e-6..1e15).contains(&value.abs());
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// Whether `field` is `path` or encloses it.
pub(crate) fn covers(field: &str, path: &str) -> bool {
    path.strip_prefix(field)
        .is_some_and(|rest| field.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']))
}

/// `outer.inner`; an index (`[3]`) follows without a point.
fn join(outer: &str, inner: &str) -> String {
    let point = if outer.is_empty() || inner.is_empty() || inner.starts_with('[') { "" } else { "." };
    format!("{outer}{point}{inner}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_name_the_field_the_value_and_the_limits() {
        let mut issues = Issues::new();
        issues.scoped("seek", |issues| {
            assert!(!issues.range_f64("average_ms", 120.0, 0.05..=60.0, "ms"));
            assert!(issues.range_f64("average_ms", 0.05, 0.05..=60.0, "ms"));
        });
        assert!(!issues.range_u64("heads", 0, 1..=20, ""));
        let texts: Vec<_> = issues.iter().map(|(_, text, _)| text).collect();
        assert_eq!(
            texts,
            ["`seek.average_ms` is 120 ms; allowed is 0.05 to 60 ms", "`heads` is 0; allowed is 1 to 20"]
        );
    }

    #[test]
    fn numbers_are_printed_in_few_digits() {
        let mut issues = Issues::new();
        for value in [1e300, -2.5e-9, 70.5] {
            issues.range_f64("x", value, 0.0..=60.0, "ms");
        }
        let texts: Vec<_> = issues.iter().map(|(_, text, _)| text).collect();
        assert_eq!(
            texts,
            [
                "`x` is 1e300 ms; allowed is 0 to 60 ms",
                "`x` is -2.5e-9 ms; allowed is 0 to 60 ms",
                "`x` is 70.5 ms; allowed is 0 to 60 ms"
            ]
        );
    }

    #[test]
    fn figures_that_are_no_numbers_are_refused() {
        let mut issues = Issues::new();
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(!issues.range_f64("x", value, f64::NEG_INFINITY..=f64::INFINITY, "ms"));
        }
        assert_eq!(issues.len(), 3);
    }

    #[test]
    fn scopes_and_absorbed_parts_prefix_the_path() {
        let mut part = Issues::new();
        part.range_u64("[2].rpm", 1, 2..=3, "rpm");
        part.report("", "empty", "");
        let mut issues = Issues::new();
        issues.scoped("machine", |issues| issues.absorb("drives", part));
        let found: Vec<_> = issues.iter().map(|(path, text, _)| (path.to_owned(), text)).collect();
        assert_eq!(found[0].0, "machine.drives[2].rpm");
        assert_eq!(found[0].1, "`machine.drives[2].rpm` is 1 rpm; allowed is 2 to 3 rpm");
        assert_eq!(found[1].0, "machine.drives");
    }
}
