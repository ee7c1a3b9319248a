//! The verdicts on all claims of a ledger.

use std::collections::BTreeSet;
use std::fmt;

use super::{ClaimType, Facts, Ledger, Measurements, Verdict};
use crate::results::{Cell, Table};

/// How one claim came out.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimOutcome {
    /// The claim's number.
    pub id: String,
    /// The review it comes from.
    pub source: String,
    /// The part of the review.
    pub part: String,
    /// What is claimed.
    pub text: String,
    /// The condition.
    pub check: String,
    /// What kind of statement it is.
    pub kind: ClaimType,
    /// Whether it contradicts simple physics.
    pub odd: bool,
    /// Whether nothing must be tuned for it.
    pub weak: bool,
    /// Whether a miss is a failure.
    pub expected: bool,
    /// What produces it.
    pub mechanism: String,
    /// The parameters fitted to it.
    pub fitted_to: Vec<String>,
    /// How it came out.
    pub verdict: Verdict,
    /// Whether a difference smaller than its 95 % interval could have decided it.
    pub within_noise: bool,
    /// The measured values, as short text.
    pub measured: String,
    /// The metrics and facts that are lacking.
    pub lacking: Vec<String>,
}

/// How many claims came out how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Claims that held.
    pub held: usize,
    /// Claims that were missed.
    pub missed: usize,
    /// Claims that cannot be checked yet.
    pub not_checkable: usize,
}

impl Counts {
    /// All claims counted.
    pub fn total(self) -> usize {
        self.held + self.missed + self.not_checkable
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { held, missed, not_checkable } = self;
        write!(f, "{held} held, {missed} missed, {not_checkable} not checkable yet")
    }
}

/// The verdicts on all claims of a ledger, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// One outcome a claim.
    pub outcomes: Vec<ClaimOutcome>,
}

/// Judges every claim of `ledger`.
pub fn check_all(ledger: &Ledger, measurements: &Measurements, facts: &Facts) -> Report {
    let outcomes = ledger.checks().map(|(claim, check)| {
        let outcome = check.evaluate(measurements, facts);
        ClaimOutcome {
            id: claim.id.clone(),
            source: claim.source.clone(),
            part: claim.part.clone(),
            text: claim.text.clone(),
            check: claim.check.clone(),
            kind: claim.kind,
            odd: claim.odd,
            weak: claim.weak,
            expected: claim.expected,
            mechanism: claim.mechanism.clone(),
            fitted_to: claim.fitted_to.clone(),
            verdict: outcome.verdict,
            within_noise: outcome.within_noise,
            measured: outcome.measured,
            lacking: outcome.lacking,
        }
    });
    Report { outcomes: outcomes.collect() }
}

impl ClaimOutcome {
    /// The verdict with what qualifies it: `held, within noise`.
    pub fn verdict_text(&self) -> String {
        let noise = if self.within_noise { ", within noise" } else { "" };
        format!("{}{noise}", self.verdict.name())
    }
    /// What was measured, or what is lacking.
    pub fn evidence(&self) -> String {
        if self.verdict != Verdict::NotCheckable {
            return self.measured.clone();
        }
        let shown: Vec<&str> = self.lacking.iter().take(3).map(String::as_str).collect();
        let more = self.lacking.len().saturating_sub(shown.len());
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("lacks {}{rest}", shown.join(", "))
    }
    /// Missed although it was expected to hold.
    pub fn failed(&self) -> bool {
        self.expected && self.verdict == Verdict::Missed
    }
}

impl Report {
    /// Counts of the claims that `choose` picks.
    pub fn counts_of(&self, choose: impl Fn(&ClaimOutcome) -> bool) -> Counts {
        let mut counts = Counts::default();
        for outcome in self.outcomes.iter().filter(|outcome| choose(outcome)) {
            match outcome.verdict {
                Verdict::Held => counts.held += 1,
                Verdict::Missed => counts.missed += 1,
                Verdict::NotCheckable => counts.not_checkable += 1,
            }
        }
        counts
    }
    /// Counts of all claims.
    pub fn counts(&self) -> Counts {
        self.counts_of(|_| true)
    }
    /// Counts of the claims that state a number.
    pub fn number_counts(&self) -> Counts {
        self.counts_of(|outcome| outcome.kind == ClaimType::Number)
    }
    /// Counts of the weak claims.
    pub fn weak_counts(&self) -> Counts {
        self.counts_of(|outcome| outcome.weak)
    }
    /// Counts of the physically odd claims.
    pub fn odd_counts(&self) -> Counts {
        self.counts_of(|outcome| outcome.odd)
    }
    /// Counts of the claims that no parameter was fitted to and that are no set-up rules: the evidence.
    pub fn unfitted_counts(&self) -> Counts {
        self.counts_of(|outcome| outcome.fitted_to.is_empty() && outcome.kind != ClaimType::Rule)
    }
    /// The parameters that were fitted to any claim.
    pub fn fitted_parameters(&self) -> BTreeSet<&str> {
        self.outcomes.iter().flat_map(|outcome| outcome.fitted_to.iter().map(String::as_str)).collect()
    }
    /// Counts of the claims that a difference smaller than its 95 % interval decided: other seeds may turn them.
    pub fn noise_counts(&self) -> Counts {
        self.counts_of(|outcome| outcome.within_noise)
    }
    /// Whether a claim that was expected to hold was missed.
    pub fn failed_expected(&self) -> bool {
        self.outcomes.iter().any(ClaimOutcome::failed)
    }

    /// The counts as lines of text.
    pub fn summary(&self) -> String {
        let failed = self.outcomes.iter().filter(|outcome| outcome.failed()).count();
        let lines = [
            format!("{} claims: {}", self.outcomes.len(), self.counts()),
            format!("{} with a number: {}", self.number_counts().total(), self.number_counts()),
            format!("{} physically odd: {}", self.odd_counts().total(), self.odd_counts()),
            format!("{} weak (never tuned for): {}", self.weak_counts().total(), self.weak_counts()),
            format!(
                "{} that nothing was fitted to, rules aside: {}; {} parameters fitted to the others",
                self.unfitted_counts().total(),
                self.unfitted_counts(),
                self.fitted_parameters().len()
            ),
            format!(
                "{} within noise, so that other seeds may turn them: {}",
                self.noise_counts().total(),
                self.noise_counts()
            ),
            format!("{failed} expected to hold but missed"),
        ];
        lines.join("\n")
    }

    /// One row a claim.
    pub fn to_table(&self) -> Table {
        let columns = [
            "id",
            "source",
            "part",
            "type",
            "odd",
            "weak",
            "expected",
            "verdict",
            "within_noise",
            "measured",
            "lacking",
            "check",
            "text",
            "mechanism",
            "fitted_to",
        ];
        let mut table = Table::new(&columns);
        for outcome in &self.outcomes {
            let text = |text: &str| Cell::Text(text.to_owned());
            let flag = |flag: bool| Cell::Text(if flag { "yes" } else { "no" }.to_owned());
            table.push(vec![
                text(&outcome.id),
                text(&outcome.source),
                text(&outcome.part),
                text(outcome.kind.name()),
                flag(outcome.odd),
                flag(outcome.weak),
                flag(outcome.expected),
                text(outcome.verdict.name()),
                flag(outcome.within_noise),
                text(&outcome.measured),
                text(&outcome.lacking.join("; ")),
                text(&outcome.check),
                text(&outcome.text),
                text(&outcome.mechanism),
                text(&outcome.fitted_to.join(", ")),
            ]);
        }
        table
    }

    /// A Markdown table, then the counts.
    pub fn to_markdown(&self) -> String {
        let mut text =
            "| Claim | Verdict | Measured | Check | What the review says |\n|---|---|---|---|---|\n"
                .to_owned();
        for outcome in &self.outcomes {
            let escape = |text: &str| text.replace('|', "\\|").replace('~', "\\~");
            let mut marks = String::new();
            for (mark, set) in
                [(" odd", outcome.odd), (" weak", outcome.weak), (" **failure**", outcome.failed())]
            {
                marks += if set { mark } else { "" };
            }
            let ClaimOutcome { id, check, .. } = outcome;
            let check = check.split_whitespace().collect::<Vec<_>>().join(" ");
            text += &format!(
                "| {id}{marks} | {} | {} | `{check}` | {} |\n",
                outcome.verdict_text(),
                escape(&outcome.evidence()),
                escape(&outcome.text)
            );
        }
        for line in self.summary().lines() {
            text += &format!("\n- {line}");
        }
        text + "\n"
    }
}

impl fmt::Display for Report {
    /// Aligned columns: id, verdict, measured, check; then the counts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.outcomes.iter().map(|outcome| {
            let check = outcome.check.split_whitespace().collect::<Vec<_>>().join(" ");
            let mark = if outcome.failed() { "!" } else { "" };
            [format!("{}{mark}", outcome.id), outcome.verdict_text(), outcome.evidence(), check]
        });
        let head = ["id", "verdict", "measured", "check"].map(str::to_owned);
        let rows: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        // One long line of evidence must not push the checks of all others off the screen.
        let widths = [width(0), width(1), width(2).min(60)];
        for [id, verdict, measured, check] in &rows {
            let [a, b, c] = widths;
            writeln!(f, "{}", format!("{id:a$}  {verdict:b$}  {measured:c$}  {check}").trim_end())?;
        }
        write!(f, "\n{}", self.summary())
    }
}
