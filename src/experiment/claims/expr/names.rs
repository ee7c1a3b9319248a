//! Calls and names: metrics, arrays, patterns, variables and facts.

use std::ops::Range;

use super::super::Metric;
use super::super::measurements::Parameter;
use super::ast::{ArrayName, Binder, Domain, Expr, Reduction, Type};
use super::parser::{Parser, Typed};
use super::{CheckError, Vocabulary};
use crate::config::suggest;

impl Parser<'_> {
    /// The arguments of `function`, whose opening bracket is taken.
    pub(super) fn call(&mut self, function: &str, place: Range<usize>) -> Result<Typed, CheckError> {
        let metric = Metric::ALL.into_iter().find(|metric| metric.name() == function);
        let parameters: &[Parameter] = match (function, metric) {
            (_, Some(metric)) => metric.parameters(),
            ("X", _) => &[Parameter::QueueDepth, Parameter::Array],
            ("SRmax" | "SWmax", _) => &[Parameter::Array],
            _ => return Err(unknown_function(function, place)),
        };
        let mut arguments = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            if index > 0 {
                self.expect_symbol(
                    ",",
                    &format!("and {} as parameter {} of {function}", parameter.describe(), index + 1),
                )?;
            }
            let wanted = match parameter {
                Parameter::Array => Type::Array,
                Parameter::Pattern => Type::Pattern,
                Parameter::FileSystem => Type::FileSystem,
                Parameter::QueueDepth | Parameter::WritePercent | Parameter::BlockBytes => Type::Number,
            };
            arguments.push(self.typed(Self::sum, parameter.describe(), |kind| kind == wanted)?);
        }
        self.expect_symbol(")", &format!("after the {} parameter(s) of {function}", parameters.len()))?;
        let expr = match (metric, function) {
            (Some(metric), _) => Expr::Metric(metric, arguments),
            (None, "X") => {
                let array = arguments.pop().map(Box::new);
                let depth = arguments.pop().map(Box::new);
                match (depth, array) {
                    (Some(depth), Some(array)) => Expr::Crossing(depth, array),
                    _ => return Err(unknown_function(function, place)),
                }
            }
            (None, _) => {
                let metric =
                    if function == "SRmax" { Metric::SequentialRead } else { Metric::SequentialWrite };
                arguments.push(Expr::Variable("B".to_owned()));
                let all = Domain::Measured(0.0, f64::INFINITY);
                let binder = Binder { variable: "B".to_owned(), domain: all };
                Expr::Reduce(Reduction::Max, vec![binder], Box::new(Expr::Metric(metric, arguments)))
            }
        };
        Ok((expr, Type::Number))
    }

    /// A name that stands for itself: a variable, an array, a pattern, a file system or a fact.
    pub(super) fn name(&mut self, word: &str, place: Range<usize>) -> Result<Typed, CheckError> {
        let (base, variant) =
            word.split_once('@').map_or((word, None), |(base, variant)| (base, Some(variant)));
        if let Some(variant) = variant
            && !self.names.variants.iter().any(|known| known == variant)
        {
            let at = place.start + base.len() + 1;
            return Err(unknown("variant", variant, at..place.end, &self.names.variants));
        }
        let variant = variant.map(str::to_owned);
        if let Some(name) = self.array(base, &place)? {
            return Ok((Expr::Array { name, variant }, Type::Array));
        }
        if variant.is_some() {
            return Err(unknown("array", base, place.start..place.start + base.len(), &self.names.arrays));
        }
        if let Some(bound) = self.scope.iter().rev().find(|bound| bound.name == word) {
            return Ok((Expr::Variable(word.to_owned()), bound.kind));
        }
        let named = |names: &[String]| names.iter().any(|known| known == word);
        if named(&self.names.patterns) {
            return Ok((Expr::Name(word.to_owned()), Type::Pattern));
        }
        if named(&self.names.file_systems) {
            return Ok((Expr::Name(word.to_owned()), Type::FileSystem));
        }
        if word.contains('.') {
            return Ok((Expr::Fact(word.to_owned()), Type::Fact));
        }
        let Vocabulary { arrays, patterns, file_systems, .. } = self.names;
        let mut known: Vec<String> =
            [arrays, patterns, file_systems].into_iter().flatten().cloned().collect();
        known.extend(self.scope.iter().map(|bound| bound.name.clone()));
        Err(unknown("array, pattern, file system or variable", word, place, &known))
    }

    /// The array that `word` names, directly, through a variable or through a template.
    fn array(&self, word: &str, place: &Range<usize>) -> Result<Option<ArrayName>, CheckError> {
        let known = |name: &str| self.names.arrays.iter().any(|known| known == name);
        if known(word) {
            return Ok(Some(ArrayName::Named(word.to_owned())));
        }
        for bound in self.scope.iter().rev() {
            if bound.name == word && bound.kind == Type::Array {
                return Ok(Some(ArrayName::Variable(word.to_owned())));
            }
            let Some(prefix) = word.strip_suffix(bound.name.as_str()).filter(|prefix| !prefix.is_empty())
            else {
                continue;
            };
            let Domain::Numbers(numbers) = &bound.domain else { continue };
            // A template is meant when it gives at least one array; then it must always give one.
            let expansions: Vec<String> = numbers.iter().map(|number| format!("{prefix}{number}")).collect();
            if !expansions.iter().any(|name| known(name)) {
                continue;
            }
            if let Some(missing) = expansions.iter().find(|name| !known(name)) {
                let end = place.start + word.len();
                return Err(unknown("array", missing, place.start..end, &self.names.arrays));
            }
            return Ok(Some(ArrayName::Template(prefix.to_owned(), bound.name.clone())));
        }
        Ok(None)
    }
}

/// A name that is not among the known ones.
pub(super) fn unknown(what: &str, word: &str, place: Range<usize>, known: &[String]) -> CheckError {
    let remedy = match suggest(word, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "none is declared; declare it at the head of the file".to_owned(),
        None => format!("known: {}", known.join(", ")),
    };
    CheckError { place, message: format!("there is no {what} `{word}`"), remedy }
}

fn unknown_function(function: &str, place: Range<usize>) -> CheckError {
    let mut known: Vec<String> = Metric::ALL.iter().map(|metric| metric.name().to_owned()).collect();
    known.extend(["SRmax", "SWmax", "X"].map(str::to_owned));
    unknown("metric", function, place, &known)
}
