//! The parsed form of a check.

use super::super::Metric;
use super::value::Unit;

/// The type of an expression; facts can be anything until they are supplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Number,
    Truth,
    Text,
    Fact,
    Array,
    Pattern,
    FileSystem,
}

impl Type {
    pub fn describe(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Truth => "a condition",
            Type::Text => "a text",
            Type::Fact => "a fact",
            Type::Array => "an array",
            Type::Pattern => "a pattern",
            Type::FileSystem => "a file system",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Above,
    Below,
    AtLeast,
    AtMost,
    Equal,
    Unequal,
    /// Within 3 %.
    Near,
    /// Within 8 %.
    Nearby,
}

impl Relation {
    pub const ALL: [(&'static str, Relation); 8] = [
        (">", Relation::Above),
        ("<", Relation::Below),
        (">=", Relation::AtLeast),
        ("<=", Relation::AtMost),
        ("==", Relation::Equal),
        ("!=", Relation::Unequal),
        ("~", Relation::Near),
        ("~~", Relation::Nearby),
    ];
    pub fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|(_, relation)| *relation == self).map_or("?", |(symbol, _)| symbol)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

impl Arithmetic {
    pub fn of(self, a: f64, b: f64) -> f64 {
        match self {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reduction {
    Max,
    Min,
    Mean,
    Sum,
    /// Largest over smallest, less 1.
    Spread,
    ArgMax,
    ArgMin,
    Count,
    /// The first value, in the order of the range, whose condition holds.
    Lowest,
}

impl Reduction {
    pub const ALL: [(&'static str, Reduction); 9] = [
        ("max", Reduction::Max),
        ("min", Reduction::Min),
        ("mean", Reduction::Mean),
        ("sum", Reduction::Sum),
        ("spread", Reduction::Spread),
        ("argmax", Reduction::ArgMax),
        ("argmin", Reduction::ArgMin),
        ("count", Reduction::Count),
        ("lowest", Reduction::Lowest),
    ];
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, reduction)| *reduction == self).map_or("?", |(name, _)| name)
    }
    /// Whether its body is a condition rather than a number.
    pub fn of_conditions(self) -> bool {
        matches!(self, Reduction::Count | Reduction::Lowest)
    }
    /// Whether it yields a value of its variable, which must then be the only one.
    pub fn yields_variable(self) -> bool {
        matches!(self, Reduction::ArgMax | Reduction::ArgMin | Reduction::Lowest)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    All,
    Some,
    AtLeast(usize),
    AtMost(usize),
    Exactly(usize),
}

/// Where an array's name comes from.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ArrayName {
    Named(String),
    /// A bound variable that goes over arrays.
    Variable(String),
    /// A prefix completed by a numeric variable: `R0x` and `N`.
    Template(String, String),
}

/// The values a variable goes over.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Domain {
    Numbers(Vec<f64>),
    Names(Vec<String>),
    /// Whatever the metrics of the body were measured at, between two bounds.
    Measured(f64, f64),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Binder {
    pub variable: String,
    pub domain: Domain,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    Number(f64, Unit),
    Truth(bool),
    Text(String),
    Fact(String),
    /// A pattern or a file system.
    Name(String),
    Variable(String),
    Array {
        name: ArrayName,
        variant: Option<String>,
    },
    Metric(Metric, Vec<Expr>),
    /// `X(q, array)`.
    Crossing(Box<Expr>, Box<Expr>),
    Negative(Box<Expr>),
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    Not(Box<Expr>),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Chain(Box<Expr>, Vec<(Relation, Expr)>),
    Within {
        value: Box<Expr>,
        low: Box<Expr>,
        high: Box<Expr>,
    },
    Member(Box<Expr>, Vec<Expr>),
    Reduce(Reduction, Vec<Binder>, Box<Expr>),
    Quantified(Quantifier, Vec<Binder>, Box<Expr>),
}

impl Expr {
    /// Whether its value depends on what was measured, other than by the places of a range.
    pub fn is_measured(&self) -> bool {
        match self {
            Expr::Metric(..) | Expr::Crossing(..) | Expr::Reduce(..) => true,
            Expr::Negative(inner) => inner.is_measured(),
            Expr::Arithmetic(_, left, right) => left.is_measured() || right.is_measured(),
            // The others are no numbers, names or variables, so they are no argument of a metric.
            _ => false,
        }
    }

    /// The number that this is wherever it stands, if nothing in it is measured or supplied.
    pub fn constant(&self) -> Option<f64> {
        match self {
            Expr::Number(number, _) => Some(*number),
            Expr::Negative(inner) => inner.constant().map(|number| -number),
            Expr::Arithmetic(operator, left, right) => Some(operator.of(left.constant()?, right.constant()?)),
            _ => None,
        }
    }

    /// Calls `visit` with every metric inside that takes `variable` as a parameter, and the parameter's number.
    /// Inner expressions that bind the same name to something else are passed over.
    pub fn sweeps(&self, variable: &str, visit: &mut impl FnMut(Metric, usize)) {
        let mut inside = |expr: &Expr| expr.sweeps(variable, visit);
        match self {
            Expr::Metric(metric, arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    if matches!(argument, Expr::Variable(name) if name == variable) {
                        visit(*metric, index);
                    }
                }
            }
            Expr::Negative(inner) | Expr::Not(inner) => inside(inner),
            Expr::Reduce(_, binders, body) | Expr::Quantified(_, binders, body) => {
                if binders.iter().all(|binder| binder.variable != variable) {
                    inside(body);
                }
            }
            Expr::Arithmetic(_, left, right) => [left, right].into_iter().for_each(|expr| inside(expr)),
            Expr::And(parts) | Expr::Or(parts) => parts.iter().for_each(inside),
            Expr::Chain(first, rest) => {
                inside(first);
                rest.iter().for_each(|(_, expr)| inside(expr));
            }
            Expr::Within { value, low, high } => [value, low, high].into_iter().for_each(|expr| inside(expr)),
            Expr::Member(value, _) => inside(value),
            Expr::Number(..)
            | Expr::Truth(_)
            | Expr::Text(_)
            | Expr::Fact(_)
            | Expr::Name(_)
            | Expr::Variable(_)
            | Expr::Array { .. }
            | Expr::Crossing(..) => {}
        }
    }
}
