//! A review's claims as a file.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::source::{LedgerError, Problem, StringPlace, string_fields, suggest};
use super::{Check, Vocabulary};

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
    file: String,
    text: String,
    scenario: String,
    names: Vocabulary,
    variants: BTreeMap<String, String>,
    claims: Vec<(Claim, Check)>,
}

impl Ledger {
    /// Reads a ledger from RON text; `file` is its name in messages.
    ///
    /// # Errors
    /// Text that is not a ledger; or all duplicate ids and all checks that are not in the language or name an
    /// array, pattern, file system, variant or metric that does not exist, each at its place.
    pub fn load(file: &str, text: &str) -> Result<Self, LedgerError> {
        let fail = |problems| LedgerError { file: file.to_owned(), problems };
        let extensions =
            ron::extensions::Extensions::IMPLICIT_SOME | ron::extensions::Extensions::UNWRAP_VARIANT_NEWTYPES;
        let options = ron::Options::default().with_default_extension(extensions);
        let read: LedgerFile = options.from_str(text).map_err(|error| {
            let start = error.span.start;
            let line_start: usize =
                text.split_inclusive('\n').take(start.line.saturating_sub(1)).map(str::len).sum();
            let in_line = text[line_start..].char_indices().nth(start.col.saturating_sub(1));
            let offset = line_start + in_line.map_or(0, |(position, _)| position);
            let remedy = "see the shipped ledgers in scenarios/claims for the form".to_owned();
            fail(vec![Problem::at(text, offset, error.code.to_string(), remedy)])
        })?;
        let names = Vocabulary {
            arrays: read.arrays,
            patterns: read.patterns,
            file_systems: read.file_systems,
            variants: read.variants.keys().cloned().collect(),
        };
        let places = string_fields(text);
        let (claims, problems) = parse_claims(text, read.claims, &names, &places);
        if !problems.is_empty() {
            return Err(fail(problems));
        }
        let LedgerFile { scenario, variants, .. } = LedgerFile {
            arrays: Vec::new(),
            patterns: Vec::new(),
            file_systems: Vec::new(),
            claims: Vec::new(),
            ..read
        };
        Ok(Ledger { file: file.to_owned(), text: text.to_owned(), scenario, names, variants, claims })
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
    /// The claims with their parsed checks.
    pub(super) fn checks(&self) -> impl Iterator<Item = (&Claim, &Check)> {
        self.claims.iter().map(|(claim, check)| (claim, check))
    }

    /// Checks the file's own names against what a scenario offers.
    ///
    /// # Errors
    /// Every declared array, pattern, file system or variant, or the scenario, that `offered` does not have.
    pub fn verify(&self, scenario: &str, offered: &Vocabulary) -> Result<(), LedgerError> {
        let mut problems = Vec::new();
        let mut problem = |what: &str, name: &str, known: &[String]| {
            let offset = self.text.find(&format!("\"{name}\"")).map_or(0, |quote| quote + 1);
            let remedy = match suggest(name, known.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known: {}", known.join(", ")),
            };
            problems.push(Problem::at(&self.text, offset, format!("there is no {what} `{name}`"), remedy));
        };
        if self.scenario != scenario {
            problem("such scenario here as", &self.scenario, &[scenario.to_owned()]);
        }
        let pairs = [
            ("array", &self.names.arrays, &offered.arrays),
            ("pattern", &self.names.patterns, &offered.patterns),
            ("file system", &self.names.file_systems, &offered.file_systems),
            ("variant", &self.names.variants, &offered.variants),
        ];
        for (what, declared, known) in pairs {
            for name in declared.iter().filter(|name| !known.contains(name)) {
                problem(what, name, known);
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(LedgerError { file: self.file.clone(), problems }) }
    }
}

fn parse_claims(
    text: &str,
    claims: Vec<Claim>,
    names: &Vocabulary,
    places: &BTreeMap<String, Vec<StringPlace>>,
) -> (Vec<(Claim, Check)>, Vec<Problem>) {
    let mut parsed = Vec::new();
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    let place = |field: &str, index: usize| places.get(field).and_then(|places| places.get(index));
    for (index, claim) in claims.into_iter().enumerate() {
        if !seen.insert(claim.id.clone()) {
            let offset = place("id", index).map_or(0, |place| place.content);
            let message = format!("there are two claims `{}`", claim.id);
            problems.push(Problem::at(text, offset, message, "give each claim its own id".to_owned()));
        }
        match Check::parse(&claim.check, names) {
            Ok(check) => parsed.push((claim, check)),
            Err(error) => {
                let offset = place("check", index).map_or(0, |place| place.offset(text, error.place.start));
                let message = format!("check of {}: {}", claim.id, error.message);
                problems.push(Problem::at(text, offset, message, error.remedy));
            }
        }
    }
    (parsed, problems)
}
