//! Judging a file whose kind is not told.

use std::cmp::Reverse;

use super::file::{ReproductionSpec, ScenarioFile};
use super::fit::{self, FitSpec};
use super::library::{Document, Home, Library, ModelKind, is_path};
use super::load::check_document;
use super::sets;
use crate::config::{self, Diagnostics, known_fields, lists_records};
use crate::experiment::claims::Ledger;

/// What a file turned out to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedKind {
    /// A scenario that can run.
    Scenario,
    /// A part of scenarios, for others to include.
    Fragment,
    /// A model.
    Model(ModelKind),
    /// The claims of a review.
    Ledger,
    /// A reproduction of a review.
    Reproduction,
    /// A fit with its reproduction.
    Fit,
}

/// Whether a scenario file lacks a load.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fragment(pub bool);

impl CheckedKind {
    /// The kind in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            CheckedKind::Scenario => "scenario",
            CheckedKind::Fragment => "part of scenarios",
            CheckedKind::Model(kind) => kind.name(),
            CheckedKind::Ledger => "claims",
            CheckedKind::Reproduction => "reproduction",
            CheckedKind::Fit => "fit",
        }
    }
}

/// Judges any file: a scenario, a model, claims, a reproduction or a fit, by name or path. Of a reproduction only its
/// own fields are judged; [`experiment::check`](crate::experiment::check) judges what it names as well.
///
/// A name is looked for among the scenarios first, then among the models. What a file is follows from its folder
/// (`drives/`, `hosts/`, ..) or from its fields.
///
/// # Errors
/// Everything that is wrong with the file and, for a scenario, with the files it names.
pub fn check(name_or_path: &str, library: &Library) -> Result<CheckedKind, Diagnostics> {
    if !is_path(name_or_path) {
        for kind in ModelKind::ALL {
            let known = library.names(kind).iter().any(|name| name == name_or_path);
            if known && library.scenario_source(name_or_path).is_err() {
                let source = library.source(kind, name_or_path)?;
                return sets::check_model(kind, &source).map(|()| CheckedKind::Model(kind));
            }
        }
    }
    let document = library.scenario(name_or_path)?;
    let folder = folder_of(&document.home);
    if let Some(kind) = ModelKind::ALL.into_iter().find(|kind| kind.folder() == folder) {
        return sets::check_model(kind, &document.source).map(|()| CheckedKind::Model(kind));
    }
    check_as(nearest(&document), document, library)
}

fn folder_of(home: &Home) -> String {
    match home {
        Home::Shipped(folder) => folder.rsplit('/').next().unwrap_or("").to_owned(),
        Home::Folder(folder) => {
            let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            whole.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        }
        Home::Nowhere => String::new(),
    }
}

fn check_as(kind: CheckedKind, document: Document, library: &Library) -> Result<CheckedKind, Diagnostics> {
    match kind {
        CheckedKind::Scenario | CheckedKind::Fragment => {
            let Fragment(fragment) = check_document(document, library)?;
            Ok(if fragment { CheckedKind::Fragment } else { CheckedKind::Scenario })
        }
        CheckedKind::Model(kind) => {
            sets::check_model(kind, &document.source).map(|()| CheckedKind::Model(kind))
        }
        CheckedKind::Ledger => Ledger::load(&document.source).map(|_| CheckedKind::Ledger),
        CheckedKind::Reproduction => {
            config::parse::<ReproductionSpec>(&document.source).map(|_| CheckedKind::Reproduction)
        }
        CheckedKind::Fit => fit::plan(document, library).map(|_| CheckedKind::Fit),
    }
}

/// The kind whose fields a text has, or that reads it without a fault.
///
/// Of several that read it without one it is the first; else the kind that knows most of its fields, and of equals the one
/// with the fewest faults. Faults alone would not do: a drive with more of them than it has fields looks like anything.
fn nearest(document: &Document) -> CheckedKind {
    let source = &document.source;
    let faults = |read: Result<(), Diagnostics>| read.err().map_or(0, |faults| faults.len());
    let mut found = vec![
        (
            CheckedKind::Scenario,
            faults(config::parse::<ScenarioFile>(source).map(drop)),
            known_fields::<ScenarioFile>(source),
        ),
        (
            CheckedKind::Reproduction,
            faults(config::parse::<ReproductionSpec>(source).map(drop)),
            known_fields::<ReproductionSpec>(source),
        ),
        (CheckedKind::Ledger, faults(Ledger::load(source).map(drop)), Ledger::known_fields(source)),
        (
            CheckedKind::Fit,
            faults(config::parse::<FitSpec>(source).map(drop)),
            known_fields::<FitSpec>(source),
        ),
    ];
    for kind in ModelKind::ALL {
        found.push((
            CheckedKind::Model(kind),
            faults(sets::check_model(kind, source)),
            sets::known_fields(kind, source),
        ));
    }
    // Both claims and fits list claims: themselves the ones, their names the others.
    let own_claims = lists_records(source, "claims");
    let order = |&(kind, faults, known): &(CheckedKind, usize, usize)| {
        let known = if faults == 0 { usize::MAX } else { known };
        let is_other = match kind {
            CheckedKind::Ledger => !own_claims,
            CheckedKind::Fit => own_claims,
            _ => false,
        };
        (Reverse(known), is_other, faults)
    };
    found.into_iter().min_by_key(order).map_or(CheckedKind::Scenario, |(kind, ..)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Source;

    #[test]
    fn claims_and_lists_of_their_names_are_told_apart() {
        let kind =
            |text: &str| nearest(&Document { source: Source::new("x.ron", text), home: Home::Nowhere });
        assert_eq!(kind("(claims: [(id: \"X1\", check: \"((\")])"), CheckedKind::Ledger);
        assert_eq!(kind("(claims: [\"C49\"])"), CheckedKind::Fit);
    }

    #[test]
    fn a_line_that_stands_twice_does_not_make_another_kind_of_a_file() {
        let library = Library::shipped();
        let mut files = vec![
            (CheckedKind::Scenario, library.scenario("single-drive").unwrap().source),
            (CheckedKind::Ledger, library.scenario("rocketraid133/claims").unwrap().source),
            (CheckedKind::Reproduction, library.scenario("rocketraid133/reproduction").unwrap().source),
            (CheckedKind::Fit, library.scenario("rocketraid133/fit-window").unwrap().source),
        ];
        for kind in ModelKind::ALL {
            let name = library.names(kind).into_iter().next().unwrap();
            files.push((CheckedKind::Model(kind), library.source(kind, &name).unwrap()));
        }
        for (kind, source) in files {
            let lines: Vec<&str> = source.text.lines().collect();
            for twice in 0..lines.len().min(12) {
                let mut text = lines.clone();
                text.insert(twice, lines[twice]);
                let source = Source::new("x.ron", text.join("\n"));
                let document = Document { source, home: Home::Nowhere };
                let found = nearest(&document);
                assert_eq!(found, kind, "{} with line {} twice", kind.name(), twice + 1);
            }
        }
    }
}
