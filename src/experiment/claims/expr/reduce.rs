//! Quantifiers and reductions: one body evaluated at many places.

use super::ast::{Binder, Domain, Expr, Quantifier, Reduction};
use super::domain;
use super::eval::{Binding, Evaluator};
use super::value::{Quantity, Truth, Unit, Value, number, size};

/// The places a body is evaluated at: what each variable stands for.
type Places = Vec<Vec<(String, Binding)>>;

impl Evaluator<'_> {
    /// All combinations of the binders' values, or nothing when a range holds no measured value.
    fn places(&mut self, binders: &[Binder], body: &Expr) -> Option<Places> {
        let mut places: Places = vec![Vec::new()];
        for binder in binders {
            let bindings: Vec<Binding> = match &binder.domain {
                Domain::Numbers(numbers) => numbers.iter().map(|&value| Binding::Number(value)).collect(),
                Domain::Names(names) => names.iter().cloned().map(Binding::Name).collect(),
                Domain::Measured(low, high) => {
                    let values = domain::measured(&binder.variable, (*low, *high), body, self.measurements);
                    values.into_iter().map(Binding::Number).collect()
                }
            };
            if bindings.is_empty() {
                self.lack(format!("any measured value of {}", binder.variable));
                return None;
            }
            let extend = |place: &Vec<(String, Binding)>| {
                let with = |binding: &Binding| {
                    let mut longer = place.clone();
                    longer.push((binder.variable.clone(), binding.clone()));
                    longer
                };
                bindings.iter().map(with).collect::<Places>()
            };
            places = places.iter().flat_map(extend).collect();
        }
        Some(places)
    }

    fn at<T>(&mut self, place: &[(String, Binding)], evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.bindings.len();
        self.bindings.extend_from_slice(place);
        let result = evaluate(self);
        self.bindings.truncate(outer);
        result
    }

    pub fn quantified(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Expr) -> Truth {
        let Some(places) = self.places(binders, body) else { return Truth::unknown() };
        let outcomes: Vec<(String, Truth)> = places
            .iter()
            .map(|place| (describe(place), self.at(place, |evaluator| evaluator.truth(body))))
            .collect();
        match quantifier {
            Quantifier::All => every(outcomes, false),
            Quantifier::Some => every(outcomes, true),
            Quantifier::AtLeast(_) | Quantifier::AtMost(_) | Quantifier::Exactly(_) => {
                counted(&outcomes, quantifier)
            }
        }
    }

    pub fn reduce(&mut self, reduction: Reduction, binders: &[Binder], body: &Expr) -> Value {
        let Some(places) = self.places(binders, body) else { return Value::Lacking };
        match reduction {
            Reduction::Count => self.count(&places, body),
            Reduction::Lowest => self.lowest(&places, body),
            _ => {
                let mut values = Vec::new();
                for place in &places {
                    // All places are evaluated even after one is lacking, so that all that lacks is named.
                    values.push(self.at(place, |evaluator| evaluator.quantity(body)));
                }
                let values: Option<Vec<Quantity>> = values.into_iter().collect();
                let from_nothing = |values: &Vec<Quantity>| {
                    reduction == Reduction::Spread && values.iter().any(|quantity| quantity.value == 0.0)
                };
                if self.judges() && values.as_ref().is_some_and(from_nothing) {
                    return self.lack("a spread over values other than 0".to_owned());
                }
                values.map_or(Value::Lacking, |values| reduced(reduction, &places, &values))
            }
        }
    }

    fn count(&mut self, places: &Places, body: &Expr) -> Value {
        let mut count = 0;
        for place in places {
            match self.at(place, |evaluator| evaluator.truth(body)).held {
                Some(held) => count += u32::from(held),
                None => return Value::Lacking,
            }
        }
        let label = Some(format!("of {}:", places.len()));
        Value::Number(Quantity { label, ..Quantity::literal(f64::from(count), Unit::Plain) })
    }

    fn lowest(&mut self, places: &Places, body: &Expr) -> Value {
        for place in places {
            match self.at(place, |evaluator| evaluator.truth(body)).held {
                // Another measured value may lead on to the places behind.
                Some(true) if self.asked.is_none() => return binding_value(place, "lowest"),
                Some(_) => {}
                None => return Value::Lacking,
            }
        }
        Value::Number(Quantity::literal(f64::INFINITY, Unit::Plain))
    }
}

/// The value of a place's only variable.
fn binding_value(place: &[(String, Binding)], label: &str) -> Value {
    match place.first() {
        Some((variable, Binding::Number(value))) => {
            let unit = if variable == "B" { Unit::Bytes } else { Unit::Plain };
            let label = Some(format!("{label} {variable}"));
            Value::Number(Quantity { label, ..Quantity::literal(*value, unit) })
        }
        Some((_, Binding::Name(name))) => Value::Name(name.clone(), None),
        None => Value::Lacking,
    }
}

fn reduced(reduction: Reduction, places: &Places, values: &[Quantity]) -> Value {
    let extreme = |wanted: std::cmp::Ordering| {
        let mut best = 0;
        for (index, quantity) in values.iter().enumerate() {
            // The first of equals wins, so that ties are stable.
            if quantity.value.total_cmp(&values[best].value) == wanted {
                best = index;
            }
        }
        best
    };
    let (largest, smallest) = (extreme(std::cmp::Ordering::Greater), extreme(std::cmp::Ordering::Less));
    let place = |index: usize| {
        let label =
            values[index].label.as_ref().map(|label| format!("{label} ({})", describe(&places[index])));
        Value::Number(Quantity { label, ..values[index].clone() })
    };
    let all: Vec<&Quantity> = values.iter().collect();
    let sum: f64 = values.iter().map(|quantity| quantity.value).sum();
    let sum_half_width = values.iter().fold(0.0, |sum: f64, quantity| sum.hypot(quantity.half_width));
    let labelled = |value: f64, half_width: f64| {
        let first = &values[0];
        let same = values.iter().all(|quantity| quantity.label == first.label && quantity.label.is_some());
        if !same {
            return Value::Number(Quantity::computed(value, half_width, &all));
        }
        let label = first.label.as_ref().map(|label| format!("{label} {}", reduction.name()));
        Value::Number(Quantity { value, half_width, unit: first.unit, label, parts: Vec::new() })
    };
    match reduction {
        Reduction::Max => place(largest),
        Reduction::Min => place(smallest),
        Reduction::ArgMax => binding_value(&places[largest], "argmax"),
        Reduction::ArgMin => binding_value(&places[smallest], "argmin"),
        Reduction::Spread => {
            let (high, low) = (&values[largest], &values[smallest]);
            let ratio = high.value / low.value;
            let half_width = ratio * (high.half_width / high.value).hypot(low.half_width / low.value);
            Value::Number(Quantity::computed(ratio - 1.0, half_width, &all))
        }
        Reduction::Mean => labelled(sum / values.len() as f64, sum_half_width / values.len() as f64),
        Reduction::Sum | Reduction::Count | Reduction::Lowest => labelled(sum, sum_half_width),
    }
}

/// `all` (`decisive` false: a miss decides) or `some` (`decisive` true: a hold decides), with the telling place.
fn every(outcomes: Vec<(String, Truth)>, decisive: bool) -> Truth {
    let count = outcomes.len();
    let held = outcomes.iter().filter(|(_, truth)| truth.held == Some(true)).count();
    // The place nearest to turning the verdict over, or furthest on the wrong side.
    let known = outcomes.iter().filter(|(_, truth)| truth.held.is_some());
    let by_margin = |a: &&(String, Truth), b: &&(String, Truth)| a.1.margin.total_cmp(&b.1.margin);
    let telling = if decisive { known.max_by(by_margin) } else { known.min_by(by_margin) };
    let note = telling.map_or(String::new(), |(place, truth)| {
        let what = match (decisive, truth.held == Some(true)) {
            (false, true) => "tightest",
            (false, false) => "worst",
            (true, true) => "clearest",
            (true, false) => "nearest",
        };
        format!("{held} of {count}, {what} at {place}: {}", truth.note)
    });
    let parts = outcomes.into_iter().map(|(_, truth)| truth).collect();
    let truth = if decisive { Truth::or(parts) } else { Truth::and(parts) };
    Truth { note: if truth.held.is_some() { note } else { String::new() }, ..truth }
}

/// A condition on how many places hold.
fn counted(outcomes: &[(String, Truth)], quantifier: Quantifier) -> Truth {
    let condition = |count: usize| match quantifier {
        Quantifier::All => count == outcomes.len(),
        Quantifier::Some => count > 0,
        Quantifier::AtLeast(least) => count >= least,
        Quantifier::AtMost(most) => count <= most,
        Quantifier::Exactly(exact) => count == exact,
    };
    let count = |wanted: fn(&Truth) -> bool| outcomes.iter().filter(|(_, truth)| wanted(truth)).count();
    let held = count(|truth| truth.held == Some(true));
    let unknown = count(|truth| truth.held.is_none());
    let verdict = condition(held);
    if (held..=held + unknown).any(|possible| condition(possible) != verdict) {
        return Truth::unknown();
    }
    let doubtful_held = count(|truth| truth.held == Some(true) && truth.noisy);
    let doubtful_missed = count(|truth| truth.held == Some(false) && truth.noisy);
    let noisy =
        (held - doubtful_held..=held + doubtful_missed).any(|possible| condition(possible) != verdict);
    let missed: Vec<&str> = outcomes
        .iter()
        .filter(|(_, truth)| truth.held == Some(false))
        .map(|(place, _)| place.as_str())
        .collect();
    let not_at = if missed.is_empty() || missed.len() > 6 {
        String::new()
    } else {
        format!(", not at {}", missed.join("; "))
    };
    let note = format!("{held} of {}{not_at}", outcomes.len());
    let margin = counted_margin(outcomes, quantifier);
    let margin = if verdict { margin.max(0.0) } else { margin.min(0.0) };
    Truth { noisy, margin, ..Truth::certain(verdict, note) }
}

/// How clearly so many places hold: by the place that would turn the count over first.
fn counted_margin(outcomes: &[(String, Truth)], quantifier: Quantifier) -> f64 {
    let mut margins: Vec<f64> = outcomes.iter().map(|(_, truth)| truth.margin).collect();
    margins.sort_by(|a, b| b.total_cmp(a));
    // The clearest places hold first: so many hold if the last of them does.
    let at_least = |count: usize| match count.checked_sub(1) {
        None => 1.0,
        Some(last) => margins.get(last).copied().unwrap_or(-1.0),
    };
    match quantifier {
        Quantifier::All => at_least(margins.len()),
        Quantifier::Some => at_least(1),
        Quantifier::AtLeast(least) => at_least(least),
        Quantifier::AtMost(most) => -at_least(most.saturating_add(1)),
        Quantifier::Exactly(exact) => at_least(exact).min(-at_least(exact.saturating_add(1))),
    }
}

/// `w=30, N=2`
fn describe(place: &[(String, Binding)]) -> String {
    let parts: Vec<String> = place
        .iter()
        .map(|(variable, binding)| match binding {
            Binding::Number(value) if variable == "B" => format!("B={}", size(*value)),
            Binding::Number(value) => format!("{variable}={}", number(*value)),
            Binding::Name(name) => name.clone(),
        })
        .collect();
    parts.join(", ")
}
