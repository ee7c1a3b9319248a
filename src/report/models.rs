//! The models that were used: every figure with its source, and what was fitted to what.

use super::claims::link;
use super::html::Html;
use crate::config::{Annotated, Provenance, covers, fields};
use crate::drive::summary::annotated as annotated_drive;
use crate::experiment::Results;
use crate::experiment::claims::Report;

/// More fields than this are counted, not listed, where a parameter stands for a whole list.
const LISTED: usize = 4;

/// A model with the scenarios that use it.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    /// Which part of a machine it is, as paths of `--set` begin.
    part: &'static str,
    name: String,
    rows: Vec<Annotated>,
    /// Path, value, and the scenario that has this value instead.
    changed: Vec<(String, String, String)>,
    used_in: Vec<String>,
}

/// All models of all scenarios, in order of first use. One that differs from an earlier one of its name is that one,
/// changed.
fn collect(results: &[Results]) -> Vec<Model> {
    let mut models: Vec<Model> = Vec::new();
    for scenario in results.iter().map(|results| &results.scenario) {
        let mut found: Vec<(&'static str, &str, Vec<Annotated>)> = vec![
            ("host", &scenario.host.name, fields::annotated(&scenario.host, &scenario.host.sources, &[])),
            (
                "driver",
                &scenario.driver.name,
                fields::annotated(&scenario.driver, &scenario.driver.sources, &[]),
            ),
            ("bus", &scenario.bus.name, fields::annotated(&scenario.bus, &scenario.bus.sources, &[])),
            (
                "controller",
                &scenario.controller.name,
                fields::annotated(&scenario.controller, &scenario.controller.sources, &[]),
            ),
        ];
        found.extend(
            scenario
                .drives
                .iter()
                .map(|drive| ("drive", drive.model.name.as_str(), annotated_drive(&drive.model))),
        );
        found.extend(scenario.patterns.values().map(|pattern| {
            ("pattern", pattern.title.as_str(), fields::annotated(pattern, &pattern.sources, &[]))
        }));
        found.extend(scenario.playbacks.values().map(|recording| {
            ("playback", recording.title.as_str(), fields::annotated(recording, &recording.sources, &[]))
        }));
        for (part, name, rows) in found {
            add(&mut models, part, name, rows, &scenario.name);
        }
    }
    models
}

fn add(models: &mut Vec<Model>, part: &'static str, name: &str, rows: Vec<Annotated>, scenario: &str) {
    let Some(model) = models.iter_mut().find(|model| model.part == part && model.name == name) else {
        let (name, used_in) = (name.to_owned(), vec![scenario.to_owned()]);
        models.push(Model { part, name, rows, changed: Vec::new(), used_in });
        return;
    };
    for (path, value, _) in &rows {
        let same = model.rows.iter().any(|(known, text, _)| known == path && text == value);
        let change = (path.clone(), value.clone(), scenario.to_owned());
        if !same && !model.changed.contains(&change) {
            model.changed.push(change);
        }
    }
    if !model.used_in.iter().any(|known| known == scenario) {
        model.used_in.push(scenario.to_owned());
    }
}

/// Whether one of the paths that were set leads to this field of the model, or encloses it.
fn is_set(overrides: &[(String, String)], model: &Model, field: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let parts = path.split(['.', '[', ']', '"']).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let field = parts(field);
    overrides.iter().any(|(path, _)| {
        let path = parts(path);
        let Some((first, rest)) = path.split_first() else { return false };
        // Drives and patterns stand in lists; a drive's fields may be named without `model`.
        let inside = match first.strip_suffix('s') {
            Some(list) if list == model.part => rest.get(1..).unwrap_or_default(),
            _ if first == model.part && !rest.is_empty() => rest,
            _ => return false,
        };
        let inside = inside.strip_prefix(&["model".to_owned()]).unwrap_or(inside);
        !inside.is_empty() && inside.iter().zip(&field).all(|(set, own)| set == own || set == "*")
    })
}

/// A folded table a model: field, value, kind of source, source.
pub(super) fn write(results: &[Results], html: &mut Html) {
    let none = Vec::new();
    let overrides = results.first().map_or(&none, |results| &results.scenario.overrides);
    html.nest("section", &[("id", "models")], |html| {
        html.element("h2", &[], "Models and where their figures come from");
        html.nest("dl", &[("class", "kinds")], |html| {
            for (kind, meaning) in [
                ("datasheet", "printed by the maker"),
                ("measured", "on the hardware, by somebody"),
                ("described", "stated by a description of the drive for another program"),
                ("derived", "computed from other sourced figures"),
                ("fitted", "adjusted until a published result came out; no evidence for that result"),
                ("assumed", "likely, without a source"),
                ("set", "changed for this report by a scenario or with --set"),
            ] {
                html.element("dt", &[], kind);
                html.element("dd", &[], meaning);
            }
        });
        for model in collect(results) {
            write_model(&model, overrides, html);
        }
    });
}

fn write_model(model: &Model, overrides: &[(String, String)], html: &mut Html) {
    html.nest("details", &[("class", "model")], |html| {
        html.nest("summary", &[], |html| {
            html.text(&format!("{}: ", model.part));
            html.element("b", &[], &model.name);
            html.text(&format!(" ({})", kinds(&model.rows)));
        });
        html.element("p", &[], &format!("Used in: {}.", model.used_in.join(", ")));
        if !model.changed.is_empty() {
            html.element("p", &[], "Changed in some scenarios:");
            html.nest("ul", &[], |html| {
                for (path, value, scenario) in &model.changed {
                    html.nest("li", &[], |html| {
                        html.element("code", &[], &format!("{path} = {value}"));
                        html.text(&format!(" in {scenario}"));
                    });
                }
            });
        }
        let row = |(path, value, source): &Annotated, html: &mut Html| {
            let set = is_set(overrides, model, path);
            let (kind, text) =
                if set { ("set", "by the scenario or with --set") } else { (source.kind(), source.text()) };
            html.nest("tr", &[], |html| {
                html.nest("th", &[("scope", "row")], |html| html.element("code", &[], path));
                html.element("td", &[("data-label", "Value")], value);
                html.element("td", &[("data-label", "Kind"), ("class", kind)], kind);
                html.element("td", &[("data-label", "Source")], text);
            });
        };
        rows(&["field", "value", "kind", "source"], html, |html| {
            model.rows.iter().for_each(|fields| row(fields, html));
        });
    });
}

/// How many figures are of which kind.
fn kinds(rows: &[Annotated]) -> String {
    let count = |kind: &str| rows.iter().filter(|(_, _, source)| source.kind() == kind).count();
    let kinds = ["datasheet", "measured", "described", "derived", "fitted", "assumed"];
    let counted = kinds.map(|kind| (kind, count(kind)));
    let shown = counted.iter().filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{count} {kind}"));
    shown.collect::<Vec<_>>().join(", ")
}

fn rows(heads: &[&str], html: &mut Html, body: impl FnOnce(&mut Html)) {
    html.nest("div", &[("class", "scroll"), ("tabindex", "0")], |html| {
        html.nest("table", &[("class", "stacked")], |html| {
            html.nest("thead", &[], |html| {
                html.nest("tr", &[], |html| {
                    heads.iter().for_each(|head| html.element("th", &[("scope", "col")], head));
                });
            });
            html.nest("tbody", &[], body);
        });
    });
}

/// The fitted parameters, each with its value, its source and the claims it was fitted to; then figures that a model
/// calls fitted and no claim names.
pub(super) fn write_fitted(results: &[Results], report: &Report, html: &mut Html) {
    let models = collect(results);
    let parameters = report.fitted_parameters();
    html.nest("section", &[("id", "fitted")], |html| {
        html.element("h2", &[], "Fitted parameters");
        let unnamed = unnamed(&models, &parameters);
        if parameters.is_empty() && unnamed.is_empty() {
            return html.element("p", &[], "None: no figure of these models was adjusted to the review.");
        }
        let text = "Whatever was adjusted until a claim of the review came out. A claim that is named here is no \
                    evidence for the models; all others are.";
        html.element("p", &[], text);
        rows(&["parameter", "value", "source", "claims it was fitted to"], html, |html| {
            for parameter in &parameters {
                let (value, source) = looked_up(&models, parameter);
                row(parameter, &value, &source, html, |html| {
                    for outcome in report.outcomes.iter().filter(|outcome| {
                        outcome.fitted_to.iter().any(|fitted| fitted == parameter)
                    }) {
                        link(outcome, html);
                    }
                });
            }
            for (name, value, source) in &unnamed {
                row(name, value, source, html, |html| html.text("none of these; see its source"));
            }
        });
    });
}

fn row(parameter: &str, value: &str, source: &str, html: &mut Html, claims: impl FnOnce(&mut Html)) {
    html.nest("tr", &[], |html| {
        html.nest("th", &[("scope", "row")], |html| html.element("code", &[], parameter));
        html.element("td", &[("data-label", "Value")], value);
        html.element("td", &[("data-label", "Source")], source);
        html.nest("td", &[("data-label", "Fitted to")], claims);
    });
}

/// Value and source of `drive.seek.average_ms`, in the first model of that part: the review's own.
fn looked_up(models: &[Model], parameter: &str) -> (String, String) {
    let found = parameter.split_once('.').and_then(|(part, field)| {
        let model = models.iter().find(|model| model.part == part)?;
        let rows: Vec<&Annotated> = model.rows.iter().filter(|(path, _, _)| covers(field, path)).collect();
        let first = rows.first()?;
        let value = match rows.len() {
            1 => first.1.clone(),
            n if n > LISTED => format!("{n} fields"),
            _ => {
                let pairs = rows.iter().map(|(path, value, _)| {
                    let inner = path.strip_prefix(field).unwrap_or(path).trim_start_matches('.');
                    if inner.is_empty() { value.clone() } else { format!("{inner} {value}") }
                });
                pairs.collect::<Vec<_>>().join(", ")
            }
        };
        Some((value, first.2.to_string()))
    });
    found.unwrap_or_else(|| ("not in these models".to_owned(), String::new()))
}

/// Figures that their model calls fitted and that no parameter of the claims covers.
fn unnamed(models: &[Model], parameters: &std::collections::BTreeSet<&str>) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for model in models {
        for (path, value, source) in &model.rows {
            let covered = parameters.iter().any(|parameter| {
                let (part, field) = parameter.split_once('.').unwrap_or((parameter, ""));
                part == model.part && covers(field, path)
            });
            if matches!(source, Provenance::Fitted(_)) && !covered {
                found.push((
                    format!("{}.{path} ({})", model.part, model.name),
                    value.clone(),
                    source.to_string(),
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(part: &'static str) -> Model {
        let (name, rows) =
            ("m".to_owned(), vec![("a".to_owned(), "1".to_owned(), Provenance::Assumed(String::new()))]);
        Model { part, name, rows, changed: Vec::new(), used_in: vec!["one".to_owned()] }
    }

    #[test]
    fn a_set_path_is_found_in_its_model_only() {
        let set =
            |path: &str, part, field: &str| is_set(&[(path.to_owned(), "1".to_owned())], &model(part), field);
        assert!(set("drives.*.seek.average_ms", "drive", "seek.average_ms"));
        assert!(set("drives[0].model.seek", "drive", "seek.average_ms"));
        assert!(set("host.issue_us", "host", "issue_us"));
        assert!(!set("host.issue_us", "driver", "issue_us"));
        assert!(!set("drives.*.seek.full_ms", "drive", "seek.average_ms"));
        // A model that was exchanged brings its own sources.
        assert!(!set("bus", "bus", "width_bits"));
    }

    #[test]
    fn a_changed_model_is_the_same_model_with_a_note() {
        let mut models = vec![model("bus")];
        let other = vec![("a".to_owned(), "2".to_owned(), Provenance::Assumed(String::new()))];
        add(&mut models, "bus", "m", other.clone(), "two");
        add(&mut models, "bus", "m", other, "two");
        assert_eq!(models.len(), 1);
        assert_eq!(models[0].changed, [("a".to_owned(), "2".to_owned(), "two".to_owned())]);
        assert_eq!(models[0].used_in, ["one", "two"]);
    }
}
