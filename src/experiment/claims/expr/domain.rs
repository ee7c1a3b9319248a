//! Variables and the values they go over.

use super::super::Measurements;
use super::CheckError;
use super::ast::{Binder, Domain, Expr, Type};
use super::lexer::TokenKind;
use super::names::unknown;
use super::parser::{Bound, Parser};

/// Ranges that would give more values than this are refused.
const VALUES_MAX: f64 = 10_000.0;

impl Parser<'_> {
    /// `w in 0..100 step 10, N in {2, 4}, all B`: binds the variables and returns their ranges.
    pub(super) fn binders(&mut self) -> Result<Vec<Binder>, CheckError> {
        let mut binders: Vec<Binder> = Vec::new();
        loop {
            // `all w, all N: ...` reads better than `all w, N: ...` to some.
            if !binders.is_empty() {
                self.take_word("all");
            }
            let place = self.place();
            let TokenKind::Word(variable) = self.peek().clone() else {
                return Err(self.unexpected("a variable such as `w`, `N`, `q` or `B`"));
            };
            if self.scope.iter().any(|bound| bound.name == variable) {
                return Err(CheckError {
                    place,
                    message: format!("`{variable}` is bound already"),
                    remedy: "use another name".to_owned(),
                });
            }
            self.advance();
            let binder =
                if self.take_word("in") { self.range(&variable)? } else { self.usual(&variable, place)? };
            self.bind(&binder);
            binders.push(binder);
            if !self.take_symbol(",") {
                return Ok(binders);
            }
        }
    }

    pub(super) fn bind(&mut self, binder: &Binder) {
        let Binder { variable, domain } = binder;
        let kind = match domain {
            Domain::Numbers(_) | Domain::Measured(..) => Type::Number,
            Domain::Names(names) => {
                let among = |known: &[String]| names.first().is_some_and(|name| known.contains(name));
                if among(&self.names.patterns) {
                    Type::Pattern
                } else if among(&self.names.file_systems) {
                    Type::FileSystem
                } else {
                    Type::Array
                }
            }
        };
        self.scope.push(Bound { name: variable.clone(), kind, domain: domain.clone() });
    }

    /// The values a variable goes over when no range is written.
    pub(super) fn usual(&self, variable: &str, place: std::ops::Range<usize>) -> Result<Binder, CheckError> {
        let domain = match variable {
            "w" => Domain::Numbers((0..=10).map(|step| f64::from(step) * 10.0).collect()),
            "N" => Domain::Numbers(vec![2.0, 3.0, 4.0]),
            "q" | "B" => Domain::Measured(0.0, f64::INFINITY),
            _ => {
                return Err(CheckError {
                    place,
                    message: format!("`{variable}` has no usual range"),
                    remedy: format!("give it one, such as `{variable} in {{1, 2}}`; w, N, q and B have one"),
                });
            }
        };
        Ok(Binder { variable: variable.to_owned(), domain })
    }

    /// What follows `in`: `{ ... }` or `low..high` with or without a step.
    fn range(&mut self, variable: &str) -> Result<Binder, CheckError> {
        let domain = if self.take_symbol("{") { self.set()? } else { self.interval(variable)? };
        Ok(Binder { variable: variable.to_owned(), domain })
    }

    fn set(&mut self) -> Result<Domain, CheckError> {
        let mut numbers = Vec::new();
        let mut names: Vec<String> = Vec::new();
        loop {
            let place = self.place();
            match self.peek().clone() {
                TokenKind::Number(number, _) if names.is_empty() => numbers.push(number),
                TokenKind::Word(word) if numbers.is_empty() => {
                    self.check_name(&word, place, names.first())?;
                    names.push(word);
                }
                _ => return Err(self.unexpected("another value of the same kind")),
            }
            self.advance();
            if self.take_symbol("}") {
                break;
            }
            self.expect_symbol(",", "or `}` after a value")?;
        }
        Ok(if names.is_empty() { Domain::Numbers(numbers) } else { Domain::Names(names) })
    }

    /// A name in a set must be known and of the same kind as the first.
    fn check_name(
        &self,
        word: &str,
        place: std::ops::Range<usize>,
        first: Option<&String>,
    ) -> Result<(), CheckError> {
        let kinds = [
            ("array", &self.names.arrays),
            ("pattern", &self.names.patterns),
            ("file system", &self.names.file_systems),
        ];
        for (what, known) in kinds {
            if first.is_some_and(|first| known.contains(first))
                || (first.is_none() && known.iter().any(|k| k == word))
            {
                let found = known.iter().any(|name| name == word);
                return if found { Ok(()) } else { Err(unknown(what, word, place, known)) };
            }
        }
        let known: Vec<String> = kinds.iter().flat_map(|(_, known)| known.iter().cloned()).collect();
        Err(unknown("array, pattern or file system", word, place, &known))
    }

    fn interval(&mut self, variable: &str) -> Result<Domain, CheckError> {
        let place = self.place();
        let low = self.constant("a number or `{`")?;
        self.expect_symbol("..", "between the two ends of the range")?;
        let high = self.constant("the end of the range")?;
        let wrong = |message: &str, remedy: &str| CheckError {
            place: place.clone(),
            message: message.to_owned(),
            remedy: remedy.to_owned(),
        };
        if low > high {
            return Err(wrong("the range ends before it starts", "write the smaller end first"));
        }
        let step = if self.take_word("step") {
            self.constant("the step")?
        } else if matches!(variable, "q" | "B") {
            return Ok(Domain::Measured(low, high));
        } else if variable == "w" {
            10.0
        } else {
            1.0
        };
        if step <= 0.0 || (high - low) / step > VALUES_MAX {
            return Err(wrong(
                "the step gives no end of values",
                "write a step above 0 that gives few values",
            ));
        }
        let count = ((high - low) / step).floor() as u32;
        Ok(Domain::Numbers((0..=count).map(|index| low + f64::from(index) * step).collect()))
    }

    fn constant(&mut self, expected: &str) -> Result<f64, CheckError> {
        let TokenKind::Number(number, _) = *self.peek() else { return Err(self.unexpected(expected)) };
        self.advance();
        Ok(number)
    }
}

/// Whether a metric in `body` takes `variable` as a parameter, so that its measured values are a range.
pub(super) fn is_sweep(variable: &str, body: &Expr) -> bool {
    let mut found = false;
    body.sweeps(variable, &mut |_, _| found = true);
    found
}

/// The values between two bounds at which the metrics of `body` that take `variable` were measured.
pub(super) fn measured(
    variable: &str,
    bounds: (f64, f64),
    body: &Expr,
    measurements: &Measurements,
) -> Vec<f64> {
    let mut values = std::collections::BTreeSet::new();
    body.sweeps(variable, &mut |metric, index| values.extend(measurements.measured_at(metric, index)));
    let values = values.into_iter().map(|value| value as f64);
    values.filter(|value| (bounds.0..=bounds.1).contains(value)).collect()
}
