//! A review's claims as a file.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Check, Vocabulary};
use crate::config::{Diagnostic, Diagnostics, Issues, Source, known_fields, parse, suggest};

/// What kind of statement a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ClaimType {
    /// A figure, with the tolerance the check states.
    Number,
    /// One thing above another.
    Ordering,
    /// The form of a curve.
    Shape,
    /// What causes what.
    Mechanism,
    /// A rule of the set-up that the program must keep.
    Rule,
    /// Nothing the text says could be checked without figures that are lost.
    NotCheckable,
}

impl ClaimType {
    /// The type as reports print it.
    pub fn name(self) -> &'static str {
        match self {
            ClaimType::Number => "number",
            ClaimType::Ordering => "ordering",
            ClaimType::Shape => "shape",
            ClaimType::Mechanism => "mechanism",
            ClaimType::Rule => "rule",
            ClaimType::NotCheckable => "not checkable",
        }
    }
}

/// One statement of a review and how to check it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its number in the ledger, such as `C49`.
    pub id: String,
    /// The review it comes from: `S0` or `S3`.
    pub source: String,
    /// The part of the review.
    pub part: String,
    /// What is claimed, in our words.
    pub text: String,
    /// The condition that must hold; see [`Check`].
    pub check: String,
    /// What kind of statement it is.
    #[serde(rename = "type")]
    pub kind: ClaimType,
    /// Whether it contradicts what simple physics suggests.
    #[serde(default)]
    pub odd: bool,
    /// Whether nothing must be tuned for it: it may be noise or rests on unknown traces.
    #[serde(default)]
    pub weak: bool,
    /// Whether it is expected to hold with the present models; a miss is then a failure.
    #[serde(default)]
    pub expected: bool,
    /// What produces it, as far as known.
    #[serde(default)]
    pub mechanism: String,
    /// The model parameters whose value was chosen to make this claim hold.
    #[serde(default)]
    pub fitted_to: Vec<String>,
}

/// The file as written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LedgerFile {
    scenario: String,
    arrays: Vec<String>,
    #[serde(default)]
    patterns: Vec<String>,
    #[serde(default)]
    file_systems: Vec<String>,
    /// Name and what is different.
    #[serde(default)]
    variants: BTreeMap<String, String>,
    claims: Vec<Claim>,
}

/// All claims about one scenario, with their checks parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    source: Source,
    scenario: String,
    names: Vocabulary,
    variants: BTreeMap<String, String>,
    claims: Vec<(Claim, Check)>,
}

impl Ledger {
    /// How many of the fields at the top of a text are a ledger's.
    pub(crate) fn known_fields(source: &Source) -> usize {
        known_fields::<LedgerFile>(source)
    }

    /// Reads a ledger from RON text.
    ///
    /// # Errors
    /// All faults of the text; or all duplicate ids and all checks that are not in the language or name an array,
    /// pattern, file system, variant or metric that does not exist, each at its place inside the check.
    pub fn load(source: &Source) -> Result<Self, Diagnostics> {
        let file: LedgerFile = parse(source)?;
        let names = Vocabulary {
            arrays: file.arrays,
            patterns: file.patterns,
            file_systems: file.file_systems,
            variants: file.variants.keys().cloned().collect(),
        };
        let mut claims = Vec::new();
        let mut faults = Diagnostics::new();
        let mut seen = BTreeSet::new();
        for (index, claim) in file.claims.into_iter().enumerate() {
            if !seen.insert(claim.id.clone()) {
                let span = span_of(source, &format!("claims[{index}].id"));
                let message = format!("there are two claims `{}`", claim.id);
                faults.push(Diagnostic::at(source, span, message).with_remedy("give each claim its own id"));
            }
            match Check::parse(&claim.check, &names) {
                Ok(check) => claims.push((claim, check)),
                Err(error) => {
                    let literal = span_of(source, &format!("claims[{index}].check"));
                    let place = |inner| literal.start + inside_literal(&source.text[literal.clone()], inner);
                    let span = place(error.place.start)..place(error.place.end);
                    let message = format!("check of {}: {}", claim.id, error.message);
                    faults.push(Diagnostic::at(source, span, message).with_remedy(error.remedy));
                }
            }
        }
        let (scenario, variants) = (file.scenario, file.variants);
        faults.unless_any(Ledger { source: source.clone(), scenario, names, variants, claims })
    }

    /// The scenario whose measurements the claims are about.
    pub fn scenario(&self) -> &str {
        &self.scenario
    }
    /// The names the checks use.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.names
    }
    /// The changed set-ups the checks need measurements under, with what is different in each.
    pub fn variants(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variants.iter().map(|(name, meaning)| (name.as_str(), meaning.as_str()))
    }
    /// The claims in the order of the file.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().map(|(claim, _)| claim)
    }
    /// The claim of this id, with its parsed check.
    pub fn find(&self, id: &str) -> Option<(&Claim, &Check)> {
        self.checks().find(|(claim, _)| claim.id == id)
    }
    /// The claims with their parsed checks.
    pub(super) fn checks(&self) -> impl Iterator<Item = (&Claim, &Check)> {
        self.claims.iter().map(|(claim, check)| (claim, check))
    }

    /// The same claims, none of them expected to hold: for another set-up than the one they were made about.
    pub fn without_expectations(mut self) -> Self {
        for (claim, _) in &mut self.claims {
            claim.expected = false;
        }
        self
    }

    /// Checks the names the file declares against what a scenario offers.
    ///
    /// # Errors
    /// Every declared array, pattern, file system or variant, or the scenario, that is not offered.
    pub fn verify(&self, scenario: &str, offered: &Vocabulary) -> Result<(), Diagnostics> {
        let mut issues = Issues::new();
        let mut refuse = |field: &str, what: &str, name: &str, known: &[String]| {
            let remedy = match suggest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("offered: {}", known.join(", ")),
            };
            issues.report(field, format!("the scenario has no {what} `{name}`"), remedy);
        };
        if self.scenario != scenario {
            refuse("scenario", "name", &self.scenario, &[scenario.to_owned()]);
        }
        let lists = [
            ("arrays", "array", &self.names.arrays, &offered.arrays),
            ("patterns", "pattern", &self.names.patterns, &offered.patterns),
            ("file_systems", "file system", &self.names.file_systems, &offered.file_systems),
            ("variants", "variant", &self.names.variants, &offered.variants),
        ];
        for (field, what, declared, known) in lists {
            for (index, name) in declared.iter().enumerate().filter(|(_, name)| !known.contains(name)) {
                let place =
                    if field == "variants" { format!("{field}.{name}") } else { format!("{field}[{index}]") };
                refuse(&place, what, name, known);
            }
        }
        issues.into_diagnostics(&self.source).unless_any(())
    }
}

/// The bytes of the value at a field path.
fn span_of(source: &Source, path: &str) -> Range<usize> {
    let mut issues = Issues::new();
    issues.report(path, "", "");
    let found = issues.into_diagnostics(source);
    let place = found.iter().next().and_then(|diagnostic| diagnostic.place.clone());
    place.map_or(0..0, |place| place.span)
}

/// Where byte `inner` of a string's content stands in its RON literal.
fn inside_literal(literal: &str, inner: usize) -> usize {
    if let Some(raw) = literal.strip_prefix('r') {
        let opening = raw.find('"').map_or(0, |quote| quote + 2);
        return opening + inner;
    }
    let mut decoded = 0;
    let mut rest = literal.char_indices().skip(1);
    while let Some((position, character)) = rest.next() {
        if decoded >= inner {
            return position;
        }
        // Escapes written with more than two characters are never needed in a check; one that is there all the
        // same only shifts the mark.
        decoded += if character == '\\' { rest.next().map_or(0, |_| 1) } else { character.len_utf8() };
    }
    literal.len()
}
