//! Whether the claims and parameters of a fit are what a ledger and models have.

use serde_json::Value;

use super::fit::{FitParameter, FitSpec, NumberKind, ParameterSpec};
use super::library::{Home, Library, Trouble};
use super::sets;
use super::spec::Scenario;
use super::structure;
use crate::config::{Issues, overrides, suggest};
use crate::experiment::claims::{ClaimType, Ledger};
use crate::stats::Axis;

/// Reports claims that are not there, that nothing may be tuned for, or that stand twice.
pub(super) fn claims(spec: &FitSpec, ledger: &Ledger, issues: &mut Issues) {
    for (index, id) in spec.claims.iter().enumerate() {
        let field = format!("claims[{index}]");
        match ledger.find(id) {
            None => {
                let ids: Vec<&str> = ledger.claims().map(|claim| claim.id.as_str()).collect();
                let remedy = match (suggest(id, ids.iter().copied()), ids.as_slice()) {
                    (Some(near), _) => format!("did you mean `{near}`?"),
                    (None, [first, .., last]) => {
                        format!("the ledger has {} claims, {first} to {last}", ids.len())
                    }
                    (None, _) => format!("there are: {}", ids.join(", ")),
                };
                issues.report(&field, format!("the ledger has no claim `{id}`"), remedy);
            }
            Some((claim, _)) if claim.weak => {
                let message = format!("claim `{id}` is weak: nothing may be tuned for it");
                issues.report(&field, message, "take it out; weak claims are judged and never fitted to");
            }
            Some((claim, _)) if claim.kind == ClaimType::NotCheckable => {
                let message = format!("claim `{id}` states nothing that can be checked");
                issues.report(&field, message, "take it out");
            }
            Some(_) if spec.claims[..index].contains(id) => {
                issues.report(
                    &field,
                    format!("claim `{id}` is named twice"),
                    "name it once; all weigh the same",
                );
            }
            Some(_) => {}
        }
    }
}

/// The parts of a machine whose models a fit may change.
const PARTS: [&str; 5] = ["host", "driver", "bus", "controller", "drives"];

/// A parameter as it stands in the scenarios' models; what is wrong with it is reported.
pub(super) fn parameter(
    spec: &ParameterSpec,
    scenarios: &[Scenario],
    library: &Library,
    issues: &mut Issues,
) -> Option<FitParameter> {
    let path = spec.path.trim();
    let holder = scenarios.iter().find(|scenario| !overrides::get(*scenario, path).is_empty());
    let Some(holder) = holder else {
        absent(path, scenarios.first()?, library, issues);
        return None;
    };
    let found = overrides::get(holder, path);
    let Some((model, field)) = of_model(holder, &found[0].0) else {
        let message = format!("`{path}` is no figure of a model");
        let remedy = format!("give a figure of {}, such as driver.window_array_requests", PARTS.join(", "));
        issues.report("path", message, remedy);
        return None;
    };
    let numbers: Vec<&serde_json::Number> = found.iter().filter_map(|(_, value)| value.as_number()).collect();
    let (Some(present), true) =
        (numbers.first().and_then(|number| number.as_f64()), numbers.len() == found.len())
    else {
        let value =
            found.iter().find(|(_, value)| !value.is_number()).map_or("", |(_, value)| described(value));
        issues.report("path", format!("`{path}` is {value} and no number"), "a fit moves numbers only");
        return None;
    };
    if let Some(other) = numbers.iter().find(|number| number.as_f64() != Some(present)) {
        let message = format!("`{path}` has different values in its places: {present} and {other}");
        issues.report("path", message, "name one place, such as drives.d0");
        return None;
    }
    let holds_whole = !numbers[0].is_f64();
    if holds_whole && spec.kind == Some(NumberKind::Real) {
        issues.report(
            "kind",
            format!("`{path}` holds whole numbers only"),
            "use `kind: Whole`, or leave it out",
        );
        return None;
    }
    let whole = holds_whole || spec.kind == Some(NumberKind::Whole);
    let axis = Axis { from: spec.from, to: spec.to, scale: spec.scale, whole };
    let moves = scenarios.iter().map(|scenario| same_place(holder, scenario, path)).collect();
    let parameter = FitParameter { path: path.to_owned(), model, field, present, axis, moves };
    for (end, value) in [("from", spec.from), ("to", spec.to)] {
        if holds_whole && value.fract() != 0.0 {
            issues.report(end, format!("`{path}` holds whole numbers, not {value}"), "give a whole number");
        } else {
            allowed(&parameter, &found[0].0, (end, value), holder, library, issues);
        }
    }
    Some(parameter)
}

/// Reports why a path leads to no value.
fn absent(path: &str, scenario: &Scenario, library: &Library, issues: &mut Issues) {
    let (message, remedy) = match sets::assign(scenario, path, "1", library, &Home::Nowhere) {
        Err(Trouble::Here { message, remedy }) => (message, remedy),
        Ok(_) | Err(Trouble::There(_)) => {
            let message = format!("`{path}` has no value in the models");
            (message, "give it one in its model first: a fit starts from there".to_owned())
        }
    };
    issues.report("path", message, remedy);
}

/// The name of the model that holds the value at a full path, and the path inside of it as sources name it.
fn of_model(scenario: &Scenario, full: &str) -> Option<(String, String)> {
    let part = full.split(['.', '[']).next().unwrap_or("");
    let (model, field) = match part {
        "drives" => {
            let at = full.find(".model.")? + ".model".len();
            (&full[..at], &full[at + 1..])
        }
        part if PARTS.contains(&part) => full.split_once('.')?,
        _ => return None,
    };
    let names = overrides::get(scenario, &format!("{model}.name"));
    let name = names.first().and_then(|(_, name)| name.as_str())?.to_owned();
    Some((name, without_variants(field)))
}

/// A path without the names of variants, as sources and messages have it.
fn without_variants(path: &str) -> String {
    let named = |part: &&str| !part.starts_with(|c: char| c.is_ascii_uppercase());
    path.split('.').filter(named).collect::<Vec<_>>().join(".")
}

/// Whether two scenarios have models of the same names there, with the same values.
fn same_place(one: &Scenario, other: &Scenario, path: &str) -> bool {
    let places = |scenario: &Scenario| -> Vec<_> {
        let found = overrides::get(scenario, path).into_iter();
        found.map(|(full, value)| (of_model(scenario, &full), full, value)).collect()
    };
    places(one) == places(other)
}

/// Reports an end of a range that the field itself refuses. Rules that tie several fields are left to the search, as
/// other parameters may move too.
fn allowed(
    parameter: &FitParameter,
    full: &str,
    (end, value): (&str, f64),
    scenario: &Scenario,
    library: &Library,
    issues: &mut Issues,
) {
    let text = parameter.text(value);
    match sets::assign(scenario, &parameter.path, &text, library, &Home::Nowhere) {
        Err(Trouble::Here { message, remedy }) => issues.report(end, message, remedy),
        Err(Trouble::There(_)) => {}
        Ok(changed) => {
            let mut found = Issues::new();
            structure::models(&changed, &mut found);
            let own = without_variants(full);
            let refused =
                found.iter().find(|(path, message, _)| *path == own && message.contains("; allowed is "));
            if let Some((_, message, _)) = refused {
                issues.report(end, message, "narrow the range to what the field allows");
            }
        }
    }
}

fn described(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "true or false",
        Value::String(_) => "a name",
        Value::Array(_) => "a list",
        Value::Object(_) => "a record",
        Value::Null | Value::Number(_) => "nothing",
    }
}
