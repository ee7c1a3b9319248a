//! Evaluating a check on measurements and facts.

use std::collections::BTreeSet;

use super::super::{Argument, Fact, Facts, Measurements, Metric};
use super::ast::{Arithmetic, ArrayName, Expr, Relation};
use super::value::{Quantity, Truth, Unit, Value};
use super::{Needs, Outcome};
use crate::config::suggest;

/// The single drive, which crossing points are measured against.
const SINGLE: &str = "1d";

/// What a variable stands for at the moment.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    Number(f64),
    Name(String),
}

pub(super) struct Evaluator<'a> {
    pub measurements: &'a Measurements,
    facts: &'a Facts,
    pub bindings: Vec<(String, Binding)>,
    lacking: BTreeSet<String>,
    /// What was asked for, where that is what is wanted; then nothing is left out that another value would lead to.
    pub asked: Option<Needs>,
}

pub(super) fn evaluate(root: &Expr, measurements: &Measurements, facts: &Facts) -> Outcome {
    let mut evaluator =
        Evaluator { measurements, facts, bindings: Vec::new(), lacking: BTreeSet::new(), asked: None };
    let truth = evaluator.truth(root);
    Outcome {
        verdict: truth.verdict(),
        within_noise: truth.noisy,
        margin: truth.margin,
        measured: truth.note,
        lacking: evaluator.lacking.into_iter().collect(),
    }
}

pub(super) fn needs(root: &Expr, measurable: &Measurements, facts: &Facts) -> Needs {
    let asked = Some(Needs::default());
    let mut evaluator =
        Evaluator { measurements: measurable, facts, bindings: Vec::new(), lacking: BTreeSet::new(), asked };
    evaluator.truth(root);
    Needs { lacking: evaluator.lacking.into_iter().collect(), ..evaluator.asked.unwrap_or_default() }
}

impl Evaluator<'_> {
    /// Notes that a metric is asked for at a place.
    fn ask(&mut self, metric: Metric, arguments: &[Argument]) {
        if let Some(asked) = &mut self.asked {
            asked.places.insert((metric, arguments.to_vec()));
        }
    }

    /// Whether the figures are measured ones, and none that only stand in for those that will be.
    pub fn judges(&self) -> bool {
        self.asked.is_none()
    }

    pub fn lack(&mut self, what: String) -> Value {
        self.lacking.insert(what);
        Value::Lacking
    }

    /// `expr` as a condition.
    pub fn truth(&mut self, expr: &Expr) -> Truth {
        match self.value(expr) {
            Value::Truth(truth) => truth,
            Value::Lacking => Truth::unknown(),
            Value::Number(quantity) => {
                self.lack(format!("a yes or no instead of {}", quantity.text()));
                Truth::unknown()
            }
            Value::Name(name, fact) => {
                self.lack(format!("a yes or no instead of {} '{name}'", fact.unwrap_or_default()));
                Truth::unknown()
            }
        }
    }

    /// `expr` as a number, or nothing if something is lacking.
    pub fn quantity(&mut self, expr: &Expr) -> Option<Quantity> {
        match self.value(expr) {
            Value::Number(quantity) => Some(quantity),
            Value::Lacking => None,
            Value::Truth(truth) => {
                self.lack(format!("a number instead of {}", truth.note));
                None
            }
            Value::Name(name, fact) => {
                self.lack(format!("a number instead of {} '{name}'", fact.unwrap_or_default()));
                None
            }
        }
    }

    fn value(&mut self, expr: &Expr) -> Value {
        let number = |quantity: Option<Quantity>| quantity.map_or(Value::Lacking, Value::Number);
        match expr {
            Expr::Number(number, unit) => Value::Number(Quantity::literal(*number, *unit)),
            Expr::Truth(held) => Value::Truth(Truth::certain(*held, held.to_string())),
            Expr::Text(text) | Expr::Name(text) => Value::Name(text.clone(), None),
            Expr::Fact(name) => self.fact(name),
            Expr::Variable(name) => self.variable(name),
            Expr::Array { name, variant } => self.array(name, variant.as_deref()),
            Expr::Metric(metric, arguments) => self.metric(*metric, arguments),
            Expr::Crossing(depth, array) => number(self.crossing(depth, array)),
            Expr::Negative(inner) => number(
                self.quantity(inner)
                    .map(|quantity| Quantity::computed(-quantity.value, quantity.half_width, &[&quantity])),
            ),
            Expr::Arithmetic(operator, left, right) => {
                // Both sides are evaluated even if the first is lacking, so that all that lacks is named.
                let sides = (self.quantity(left), self.quantity(right));
                let (Some(left), Some(right)) = sides else { return Value::Lacking };
                self.arithmetic(*operator, &left, &right)
            }
            Expr::Not(inner) => Value::Truth(self.truth(inner).inverted()),
            Expr::And(parts) => Value::Truth(Truth::and(parts.iter().map(|part| self.truth(part)).collect())),
            Expr::Or(parts) => Value::Truth(Truth::or(parts.iter().map(|part| self.truth(part)).collect())),
            Expr::Chain(first, rest) => Value::Truth(self.chain(first, rest)),
            Expr::Within { value, low, high } => {
                let parts = (self.quantity(value), self.quantity(low), self.quantity(high));
                let (Some(value), Some(low), Some(high)) = parts else { return Value::Lacking };
                if low.value > high.value && self.judges() {
                    return self.lack(format!(
                        "bounds in order instead of {} and {}",
                        low.text(),
                        high.text()
                    ));
                }
                Value::Truth(within(&value, low.value, high.value))
            }
            Expr::Member(value, set) => {
                let value = self.value(value);
                let parts = set.iter().map(|member| {
                    let member = self.value(member);
                    self.compare(Relation::Equal, &value, &member)
                });
                Value::Truth(Truth::or(parts.collect()))
            }
            Expr::Reduce(reduction, binders, body) => self.reduce(*reduction, binders, body),
            Expr::Quantified(quantifier, binders, body) => {
                Value::Truth(self.quantified(*quantifier, binders, body))
            }
        }
    }

    /// What two numbers make, if that is a number: nothing follows from a division by nothing.
    fn arithmetic(&mut self, operator: Arithmetic, left: &Quantity, right: &Quantity) -> Value {
        let (a, b) = (left.value, right.value);
        let (da, db) = (left.half_width, right.half_width);
        let value = operator.of(a, b);
        if operator == Arithmetic::Divide && b == 0.0 && self.judges() {
            return self.lack(format!("a divisor other than {}", right.text()));
        }
        // What is infinite may stay so: a crossing that never comes is infinitely far, twice as well.
        if !value.is_finite() && a.is_finite() && b.is_finite() && self.judges() {
            return self.lack(format!("a number from {} and {}", left.text(), right.text()));
        }
        let half_width = match operator {
            Arithmetic::Add | Arithmetic::Subtract => da.hypot(db),
            Arithmetic::Multiply => (da * b).hypot(a * db),
            Arithmetic::Divide => (da / b).hypot(a * db / (b * b)),
        };
        Value::Number(Quantity::computed(value, half_width, &[left, right]))
    }

    fn fact(&mut self, name: &str) -> Value {
        if let Some(asked) = &mut self.asked {
            asked.facts = true;
        }
        match self.facts.get(name) {
            Some(Fact::Number(value)) => {
                let label = Some(name.to_owned());
                Value::Number(Quantity { label, ..Quantity::literal(*value, Unit::Plain) })
            }
            Some(Fact::Truth(held)) => Value::Truth(Truth::certain(*held, format!("{name} is {held}"))),
            Some(Fact::Text(text)) => Value::Name(text.clone(), Some(name.to_owned())),
            None => {
                let near = || suggest(name, self.facts.names()).map(|near| format!("did you mean {near}?"));
                let why = self.facts.withheld(name).map(str::to_owned).or_else(near);
                self.lack(format!("fact {name}{}", why.map(|why| format!(" ({why})")).unwrap_or_default()))
            }
        }
    }

    fn variable(&mut self, name: &str) -> Value {
        let bound = self.bindings.iter().rev().find(|(variable, _)| variable == name);
        match bound.map(|(_, binding)| binding.clone()) {
            Some(Binding::Number(value)) => {
                let unit = if name == "B" { Unit::Bytes } else { Unit::Plain };
                Value::Number(Quantity::literal(value, unit))
            }
            Some(Binding::Name(name)) => Value::Name(name, None),
            None => self.lack(format!("variable {name}")),
        }
    }

    fn array(&mut self, name: &ArrayName, variant: Option<&str>) -> Value {
        let base = match name {
            ArrayName::Named(name) => name.clone(),
            ArrayName::Variable(variable) | ArrayName::Template(_, variable) => match self.variable(variable)
            {
                Value::Name(name, _) => name,
                Value::Number(quantity) => match name {
                    ArrayName::Template(prefix, _) => format!("{prefix}{}", quantity.value),
                    _ => return self.lack(format!("an array for {variable}")),
                },
                Value::Truth(_) | Value::Lacking => return Value::Lacking,
            },
        };
        Value::Name(variant.map_or(base.clone(), |variant| format!("{base}@{variant}")), None)
    }

    fn metric(&mut self, metric: Metric, expressions: &[Expr]) -> Value {
        if let Some(asked) = &mut self.asked
            && expressions.iter().any(Expr::is_measured)
        {
            // Where it is asked for depends on what is measured elsewhere: it may be anywhere.
            asked.places.extend(self.measurements.places(metric).map(|place| (metric, place.clone())));
        }
        let mut arguments = Vec::new();
        let mut array = String::new();
        for expr in expressions {
            match self.value(expr) {
                Value::Name(name, _) => {
                    if matches!(expr, Expr::Array { .. }) {
                        array.clone_from(&name);
                    }
                    arguments.push(Argument::Name(name));
                }
                Value::Number(quantity) => {
                    // Sweeps are over whole numbers; anything else cannot have been measured.
                    let whole = quantity.value >= 0.0 && quantity.value.fract() == 0.0;
                    if !whole {
                        return self.lack(format!("{} at {}", metric.name(), quantity.value));
                    }
                    arguments.push(Argument::Whole(quantity.value as u64));
                }
                Value::Truth(_) | Value::Lacking => return Value::Lacking,
            }
        }
        self.ask(metric, &arguments);
        let Some(estimate) = self.measurements.estimate(metric, &arguments) else {
            let arguments: Vec<String> = arguments.iter().map(Argument::to_string).collect();
            return self.lack(format!("{}({})", metric.name(), arguments.join(", ")));
        };
        Value::Number(Quantity {
            value: estimate.mean,
            half_width: estimate.half_width,
            unit: Unit::Of(metric),
            label: Some(array),
            parts: Vec::new(),
        })
    }

    fn chain(&mut self, first: &Expr, rest: &[(Relation, Expr)]) -> Truth {
        let mut left = self.value(first);
        let mut links = Vec::new();
        for (relation, expr) in rest {
            let right = self.value(expr);
            links.push(self.compare(*relation, &left, &right));
            left = right;
        }
        Truth::and(links)
    }

    fn compare(&mut self, relation: Relation, left: &Value, right: &Value) -> Truth {
        let named = |value: &str, fact: &Option<String>| match fact {
            Some(fact) => format!("{fact} '{value}'"),
            None => value.to_owned(),
        };
        let (same, note) = match (left, right) {
            (Value::Number(left), Value::Number(right)) => return related(relation, left, right),
            (Value::Lacking, _) | (_, Value::Lacking) => return Truth::unknown(),
            (Value::Name(left, from), Value::Name(right, to)) => {
                (left == right, (named(left, from), named(right, to)))
            }
            (Value::Truth(left), Value::Truth(right)) => match (left.held, right.held) {
                (Some(a), Some(b)) => (a == b, (left.note.clone(), right.note.clone())),
                _ => return Truth::unknown(),
            },
            _ => {
                self.lack("two values of one kind to compare".to_owned());
                return Truth::unknown();
            }
        };
        let held = match relation {
            Relation::Equal => same,
            Relation::Unequal => !same,
            _ => {
                self.lack(format!("numbers to compare {} and {}", note.0, note.1));
                return Truth::unknown();
            }
        };
        Truth::certain(held, joined(&note.0, relation, held, &note.1))
    }

    /// The lowest share of writes at which `array` overtakes the single drive, between measured points by a line.
    /// Never overtaking is infinitely far.
    fn crossing(&mut self, depth: &Expr, array: &Expr) -> Option<Quantity> {
        let depth = self.quantity(depth)?.value;
        let Value::Name(array, _) = self.value(array) else { return None };
        let point = |name: &str, percent: u64| {
            vec![Argument::Name(name.to_owned()), Argument::Whole(depth as u64), Argument::Whole(percent)]
        };
        let mut previous: Option<(f64, f64, f64)> = None;
        let label = Some(format!("X({depth}, {array})"));
        let found = |value, half_width| Quantity {
            half_width,
            label: label.clone(),
            ..Quantity::literal(value, Unit::Plain)
        };
        let percents = self.measurements.measured_at(Metric::Mix, 2);
        for &percent in &percents {
            for name in [&array, SINGLE] {
                self.ask(Metric::Mix, &point(name, percent));
            }
            let of_array = self.measurements.estimate(Metric::Mix, &point(&array, percent));
            let of_single = self.measurements.estimate(Metric::Mix, &point(SINGLE, percent));
            let (Some(of_array), Some(of_single)) = (of_array, of_single) else {
                let lacking = if of_array.is_none() { &array } else { SINGLE };
                self.lack(format!("MX({lacking}, {depth}, {percent})"));
                return None;
            };
            let lead = of_array.mean - of_single.mean;
            let half_width = of_array.half_width.hypot(of_single.half_width);
            if lead > 0.0 && self.asked.is_none() {
                let Some((before, lag, lag_half_width)) = previous else {
                    return Some(found(percent as f64, 0.0));
                };
                let span = percent as f64 - before;
                let gain = lead - lag;
                let spread = (lead * lag_half_width).hypot(lag * half_width) / (gain * gain);
                return Some(found(before - span * lag / gain, span * spread));
            }
            previous = Some((percent as f64, lead, half_width));
        }
        if percents.len() < 2 {
            self.lack(format!("MX({array}, {depth}, w) over w"));
            return None;
        }
        Some(found(f64::INFINITY, 0.0))
    }
}

/// Compares two numbers; not-a-number satisfies nothing.
fn related(relation: Relation, left: &Quantity, right: &Quantity) -> Truth {
    let (a, b) = (left.value, right.value);
    let half_width = left.half_width.hypot(right.half_width);
    let tolerance = match relation {
        Relation::Near => 0.03 * b.abs(),
        Relation::Nearby => 0.08 * b.abs(),
        _ => 0.0,
    };
    let (held, clearance) = match relation {
        Relation::Above => (a > b, a - b),
        Relation::AtLeast => (a >= b, a - b),
        Relation::Below => (a < b, b - a),
        Relation::AtMost => (a <= b, b - a),
        Relation::Equal => (a == b, -(a - b).abs()),
        Relation::Unequal => (a != b && !(a - b).is_nan(), (a - b).abs()),
        Relation::Near | Relation::Nearby => ((a - b).abs() <= tolerance, tolerance - (a - b).abs()),
    };
    let note = joined(&left.text(), relation, held, &right.text());
    decided(held, clearance, half_width, a.abs().max(b.abs()), note)
}

fn within(value: &Quantity, low: f64, high: f64) -> Truth {
    let held = (low..=high).contains(&value.value);
    let clearance = (value.value - low).min(high - value.value);
    let scale = low.abs().max(high.abs());
    decided(held, clearance, value.half_width, scale, value.text())
}

/// A truth that holds by `clearance` (or misses, when that is negative), known to `half_width`.
fn decided(held: bool, clearance: f64, half_width: f64, scale: f64, note: String) -> Truth {
    let share = clearance / scale;
    let margin = match (share.is_finite(), held) {
        (true, _) => share,
        (false, true) => 1.0,
        (false, false) => -1.0,
    };
    Truth { held: Some(held), noisy: clearance.abs() < half_width, margin, note }
}

fn joined(left: &str, relation: Relation, held: bool, right: &str) -> String {
    let not = if held { "" } else { "not " };
    format!("{left} {not}{} {right}", relation.symbol())
}
