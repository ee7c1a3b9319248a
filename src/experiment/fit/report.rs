//! What a fit gave, as tables, as text to paste into models, and as files.

use serde::Serialize;

use super::super::claims::{ClaimOutcome, Report, Verdict};
use super::objective::Evaluation;
use super::{FitResults, Reach};
use crate::results::{Cell, Table, json, markdown};
use crate::scenario::{FitParameter, FitSpec, Lengths};

/// Digits of figures in the tables for people.
const DIGITS: usize = 6;

/// The JSON file.
#[derive(Serialize)]
struct File<'a> {
    program: &'static str,
    version: &'static str,
    name: &'a str,
    spec: &'a FitSpec,
    parameters: &'a [FitParameter],
    runs_per_evaluation: u64,
    evaluations: &'a [Evaluation],
    best_evaluation: usize,
    sensitivity: &'a [Reach],
    whole_ledger: Option<Whole<'a>>,
}

/// All claims: what changed.
#[derive(Serialize)]
struct Whole<'a> {
    before: String,
    found: String,
    lost: Vec<&'a str>,
    gained: Vec<&'a str>,
}

impl FitResults {
    /// The models as they are.
    pub fn start(&self) -> &Evaluation {
        &self.evaluations[0]
    }
    /// The best of the search.
    pub fn found(&self) -> &Evaluation {
        &self.evaluations[self.best]
    }

    /// Claims that were not chosen, held before and are missed with the found values; then those the other way round.
    /// None if they were not judged.
    pub fn changes(&self) -> Option<(Vec<&ClaimOutcome>, Vec<&ClaimOutcome>)> {
        let (before, found) = self.whole.as_ref()?;
        let turned = |from: Verdict, to: Verdict| -> Vec<&ClaimOutcome> {
            let pairs = before.outcomes.iter().zip(&found.outcomes);
            let turned = pairs.filter(|(before, found)| before.verdict == from && found.verdict == to);
            turned.map(|(_, found)| found).filter(|found| !self.fit.spec.claims.contains(&found.id)).collect()
        };
        Some((turned(Verdict::Held, Verdict::Missed), turned(Verdict::Missed, Verdict::Held)))
    }

    /// What to know before reading the tables, one sentence a line.
    pub fn notes(&self) -> Vec<String> {
        let fit = &self.fit;
        let searched = self.evaluations.iter().filter(|one| one.phase == super::Phase::Search).count();
        let (runs, seed) = (fit.runs_per_evaluation(), fit.spec.seed);
        let held =
            |one: &Evaluation| one.claims.iter().filter(|claim| claim.verdict == Verdict::Held).count();
        let of = fit.spec.claims.len();
        let mut notes = vec![
            format!(
                "{searched} evaluations of {runs} run{} each, seed {seed}; ataraid {}",
                if runs == 1 { "" } else { "s" },
                env!("CARGO_PKG_VERSION")
            ),
            format!(
                "held of the {of} chosen claims: {} before, {} found",
                held(self.start()),
                held(self.found())
            ),
        ];
        if self.best == 0 {
            notes.push("nothing better was found than the models as they are".to_owned());
        }
        match fit.spec.lengths {
            Lengths::Quick => {
                notes.push("QUICK LOOK: runs are short; judge what was found by runs of full length".into())
            }
            Lengths::Of(own) => notes.push(format!(
                "runs of {} s after {} s, {} a point; judge what was found by runs of full length",
                own.measure_s, own.ramp_s, own.replications
            )),
            Lengths::Full => {}
        }
        let refused = self.evaluations.iter().filter(|one| one.refused.is_some()).count();
        if let Some(why) = self.evaluations.iter().find_map(|one| one.refused.as_ref()) {
            notes.push(format!("{refused} evaluations gave no machine, the first because {why}"));
        }
        for (index, parameter) in fit.parameters.iter().enumerate() {
            notes.extend(self.notes_of(index, parameter));
        }
        notes
    }

    fn notes_of(&self, index: usize, parameter: &FitParameter) -> Vec<String> {
        let path = &parameter.path;
        let mut notes = Vec::new();
        let still: Vec<&str> = (self.fit.scenarios.iter().zip(&parameter.moves))
            .filter(|(_, moves)| !**moves)
            .map(|(scenario, _)| scenario.name.as_str())
            .collect();
        if !still.is_empty() {
            let list = still.join(", ");
            notes.push(format!("`{path}` stays in {list}, where the model or its value is another one"));
        }
        let mut ways = self.reaches.iter().filter(|reach| reach.parameter == index).peekable();
        if ways.peek().is_some() && ways.all(|reach| reach.flips_at.is_none()) {
            notes.push(format!(
                "no chosen claim flips at the ends of the range of `{path}`: they do not tell its value, so leave it"
            ));
        }
        notes
    }

    /// The tables for people, each under its heading.
    pub fn tables(&self) -> Vec<(&'static str, Table)> {
        let mut tables = vec![("Values", self.values()), ("Chosen claims", self.claims())];
        if !self.reaches.is_empty() {
            tables.push(("Each parameter moved alone", self.sensitivity()));
        }
        tables
    }

    fn values(&self) -> Table {
        let mut table = Table::new(&["parameter", "model", "before", "found", "from", "to"]);
        for (parameter, value) in self.fit.parameters.iter().zip(&self.found().values) {
            let axis = parameter.axis;
            let figures = [parameter.present, *value, axis.from, axis.to].map(Cell::Real);
            let names = [&parameter.path, &parameter.model].map(|name| Cell::Text(name.clone()));
            table.push(names.into_iter().chain(figures).collect());
        }
        table
    }

    fn claims(&self) -> Table {
        let mut table = Table::new(&[
            "claim",
            "before",
            "margin before",
            "found",
            "margin",
            "measured with the found values",
        ]);
        for (index, id) in self.fit.spec.claims.iter().enumerate() {
            let state = |one: &Evaluation| match one.claims.get(index) {
                Some(claim) => {
                    let noise = if claim.within_noise { ", within noise" } else { "" };
                    [format!("{}{noise}", claim.verdict.name()), format!("{:+.1} %", claim.margin * 100.0)]
                }
                None => ["no machine".to_owned(), String::new()],
            };
            let measured =
                self.found().claims.get(index).map_or(String::new(), |claim| claim.measured.clone());
            let cells = [
                [id.clone()].to_vec(),
                state(self.start()).to_vec(),
                state(self.found()).to_vec(),
                vec![measured],
            ];
            table.push(cells.concat().into_iter().map(Cell::Text).collect());
        }
        table
    }

    fn sensitivity(&self) -> Table {
        let mut table = Table::new(&["parameter", "found", "moved", "as found to", "flips at", "what flips"]);
        for reach in &self.reaches {
            let flips = reach.flips.iter().map(|(id, verdict)| format!("{id} {}", verdict.name()));
            let what: Vec<String> =
                flips.chain(reach.refused.iter().map(|why| format!("no machine: {why}"))).collect();
            let what = if what.is_empty() {
                "nothing up to the end of the range".to_owned()
            } else {
                what.join(", ")
            };
            table.push(vec![
                Cell::Text(self.fit.parameters[reach.parameter].path.clone()),
                Cell::Real(self.found().values[reach.parameter]),
                Cell::Text(if reach.up { "up" } else { "down" }.to_owned()),
                Cell::Real(reach.holds_to),
                reach.flips_at.map_or(Cell::Empty, Cell::Real),
                Cell::Text(what),
            ]);
        }
        table
    }

    /// What became of the claims that were not chosen, one sentence a line.
    pub fn ledger_notes(&self) -> Vec<String> {
        let (Some((lost, gained)), Some((before, found))) = (self.changes(), &self.whole) else {
            let runs = self.fit.runs_of_all();
            return vec![format!(
                "the claims that were not chosen were not judged, as that takes {runs} runs twice; \
                 `whole_ledger: Always` does it"
            )];
        };
        let counts = |report: &Report| report.counts().to_string();
        let mut notes = vec![
            format!("all claims before: {}", counts(before)),
            format!("all claims found: {}", counts(found)),
        ];
        for (what, claims) in [("LOST", lost), ("gained", gained)] {
            notes.extend(claims.iter().map(|claim| {
                let weak = if claim.weak { ", weak" } else { "" };
                format!("{what} {}{weak}: {} ({})", claim.id, claim.text, claim.evidence())
            }));
            if claims.is_empty() {
                notes.push(format!("{what}: none of the claims that were not chosen"));
            }
        }
        notes
    }

    /// Lines to paste into each model: the values, then where they come from. Parameters that stay are left out.
    pub fn provenance(&self) -> Vec<(String, String)> {
        let spec = &self.fit.spec;
        let lengths = match spec.lengths {
            Lengths::Quick => "quick runs",
            Lengths::Full => "full runs",
            Lengths::Of(_) => "runs of its own length",
        };
        let mut models: Vec<(String, String, String)> = Vec::new();
        for (parameter, value) in self.fit.parameters.iter().zip(&self.found().values) {
            if *value == parameter.present {
                continue;
            }
            let (text, axis) = (parameter.text(*value), parameter.axis);
            let leaf = parameter.field.rsplit('.').next().unwrap_or(&parameter.field);
            let source = format!(
                "    \"{}\": Fitted(\"{}: {text} out of {} to {}, best of {} evaluations of {lengths}, seed {}\"),\n",
                parameter.field,
                spec.claims.join(", "),
                axis.from,
                axis.to,
                spec.budget_evaluations,
                spec.seed
            );
            let at = models.iter().position(|(model, ..)| *model == parameter.model).unwrap_or_else(|| {
                models.push((parameter.model.clone(), String::new(), String::new()));
                models.len() - 1
            });
            let place =
                if leaf == parameter.field { String::new() } else { format!(" // {}", parameter.field) };
            models[at].1 += &format!("{leaf}: {text},{place}\n");
            models[at].2 += &source;
        }
        models
            .into_iter()
            .map(|(model, values, sources)| (model, format!("{values}sources: {{\n{sources}}}\n")))
            .collect()
    }

    /// The report for people.
    pub fn markdown(&self) -> String {
        let list = |lines: Vec<String>| lines.iter().map(|line| format!("- {line}\n")).collect::<String>();
        let mut text = format!("# {}\n\n{}", self.title(), list(self.notes()));
        for (heading, table) in self.tables() {
            text += &format!("\n## {heading}\n\n{}", markdown::table(&table, DIGITS));
        }
        text += &format!("\n## All other claims\n\n{}", list(self.ledger_notes()));
        text += "\n## To paste\n\n";
        let provenance = self.provenance();
        if provenance.is_empty() {
            text += "Nothing: no value changes.\n";
        } else {
            text += "No model has been changed. A figure that stays below must count as fitted, not as evidence.\n";
        }
        for (model, lines) in provenance {
            text += &format!("\nModel `{model}`:\n\n```ron\n{lines}```\n");
        }
        text
    }

    /// The heading of all reports.
    pub fn title(&self) -> String {
        match self.fit.spec.title.as_str() {
            "" => format!("Fit of {} of {}", self.fit.spec.claims.join(", "), self.fit.reproduction.name),
            title => title.to_owned(),
        }
    }

    /// One row an evaluation, in order: values, score, and the margin of each claim.
    pub fn table(&self) -> Table {
        let mut names = vec!["evaluation".to_owned(), "phase".to_owned()];
        names.extend(self.fit.parameters.iter().map(|parameter| parameter.path.clone()));
        names.extend(["missed", "distance", "least_margin"].map(str::to_owned));
        names.extend(self.fit.spec.claims.iter().flat_map(|id| [id.clone(), format!("{id}_margin")]));
        names.push("refused".to_owned());
        let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
        for (number, one) in self.evaluations.iter().enumerate() {
            let mut row = vec![Cell::Integer(number as i64 + 1), Cell::Text(one.phase.name().to_owned())];
            row.extend(one.values.iter().copied().map(Cell::Real));
            let score = one.score;
            // Of claims that hold; there may be none.
            let any_held = score.missed < one.claims.len();
            let least_margin = if any_held { Cell::Real(-score.tightness) } else { Cell::Empty };
            row.extend([Cell::Integer(score.missed as i64), Cell::Real(score.distance), least_margin]);
            for index in 0..self.fit.spec.claims.len() {
                row.extend(one.claims.get(index).map_or([Cell::Empty, Cell::Empty], |claim| {
                    [Cell::Text(claim.verdict.name().to_owned()), Cell::Real(claim.margin)]
                }));
            }
            row.push(one.refused.clone().map_or(Cell::Empty, Cell::Text));
            table.push(row);
        }
        table
    }

    /// Everything as JSON; evaluations are numbered from 1.
    ///
    /// # Errors
    /// None that is known: every key of these records is a text.
    pub fn json(&self) -> Result<Vec<u8>, serde_json::Error> {
        let ids =
            |claims: &[&'_ ClaimOutcome]| claims.iter().map(|claim| claim.id.clone()).collect::<Vec<_>>();
        let changes = self.changes().map(|(lost, gained)| (ids(&lost), ids(&gained)));
        let whole =
            changes.as_ref().zip(self.whole.as_ref()).map(|((lost, gained), (before, found))| Whole {
                before: before.counts().to_string(),
                found: found.counts().to_string(),
                lost: lost.iter().map(String::as_str).collect(),
                gained: gained.iter().map(String::as_str).collect(),
            });
        json::pretty(&File {
            program: env!("CARGO_PKG_NAME"),
            version: env!("CARGO_PKG_VERSION"),
            name: &self.fit.name,
            spec: &self.fit.spec,
            parameters: &self.fit.parameters,
            runs_per_evaluation: self.fit.runs_per_evaluation(),
            evaluations: &self.evaluations,
            best_evaluation: self.best + 1,
            sensitivity: &self.reaches,
            whole_ledger: whole,
        })
    }
}
