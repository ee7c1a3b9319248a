//! Recursive descent from tokens to expressions, checking names and types on the way.

use super::ast::{Arithmetic, Binder, Domain, Expr, Quantifier, Reduction, Relation, Type};
use super::lexer::{Token, TokenKind, tokens};
use super::{CheckError, Vocabulary};

/// Nesting beyond this is refused, so that no text can exhaust the stack.
const DEPTH_MAX: usize = 60;

/// More arithmetic operators than this in one check are refused: each of a row of them nests what stands before it.
const OPERATORS_MAX: usize = 200;

/// A variable that is bound at the current place.
pub(super) struct Bound {
    pub name: String,
    pub kind: Type,
    pub domain: Domain,
}

pub(super) struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    operators: usize,
    pub(super) names: &'a Vocabulary,
    pub(super) scope: Vec<Bound>,
}

pub(super) type Typed = (Expr, Type);

/// Parses a whole check, which must be a condition.
pub(super) fn parse(text: &str, names: &Vocabulary) -> Result<Expr, CheckError> {
    let mut parser =
        Parser { tokens: tokens(text)?, at: 0, depth: 0, operators: 0, names, scope: Vec::new() };
    let root = parser.condition()?;
    if !parser.symbol_is_end() {
        return Err(parser.unexpected("an operator such as `and`, `>` or `+`, or the end"));
    }
    Ok(root)
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }
    pub(super) fn place(&self) -> std::ops::Range<usize> {
        self.tokens[self.at].place.clone()
    }
    /// Moves on; the last token is `End` and is never passed.
    pub(super) fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }
    fn symbol_is_end(&self) -> bool {
        *self.peek() == TokenKind::End
    }
    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Word(found) if found == word)
    }
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }
    pub(super) fn take_symbol(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Symbol(found) if *found == symbol);
        if found {
            self.advance();
        }
        found
    }
    pub(super) fn expect_symbol(&mut self, symbol: &str, why: &str) -> Result<(), CheckError> {
        if self.take_symbol(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}` {why}"))) }
    }
    pub(super) fn expect_word(&mut self, word: &str, why: &str) -> Result<(), CheckError> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}` {why}"))) }
    }
    pub(super) fn unexpected(&self, expected: &str) -> CheckError {
        CheckError {
            place: self.place(),
            message: format!("found {}, expected {expected}", self.peek().describe()),
            remedy: format!("put {expected} here"),
        }
    }
    fn mistyped(place: std::ops::Range<usize>, found: Type, expected: &str) -> CheckError {
        CheckError {
            place,
            message: format!("this is {}, expected {expected}", found.describe()),
            remedy: "the operator or function beside it works on that only".to_owned(),
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, CheckError>) -> Result<T, CheckError> {
        if self.depth == DEPTH_MAX {
            return Err(CheckError {
                place: self.place(),
                message: format!("the check is nested more than {DEPTH_MAX} deep"),
                remedy: "simplify it".to_owned(),
            });
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// An expression of any type.
    fn expression(&mut self) -> Result<Typed, CheckError> {
        self.nested(|parser| {
            parser.joined("or", Expr::Or, |parser| parser.joined("and", Expr::And, Self::negated))
        })
    }
    /// An expression that must be a condition; a fact may turn out to be one.
    pub(super) fn condition(&mut self) -> Result<Expr, CheckError> {
        self.typed(Self::expression, "a condition", |kind| matches!(kind, Type::Truth | Type::Fact))
    }
    pub(super) fn typed(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<Typed, CheckError>,
        expected: &str,
        allowed: impl FnOnce(Type) -> bool,
    ) -> Result<Expr, CheckError> {
        let start = self.place().start;
        let (expr, kind) = parse(self)?;
        if allowed(kind) {
            return Ok(expr);
        }
        let end = self.tokens[self.at.saturating_sub(1)].place.end;
        Err(Self::mistyped(start..end.max(start), kind, expected))
    }

    fn joined(
        &mut self,
        word: &str,
        join: fn(Vec<Expr>) -> Expr,
        mut part: impl FnMut(&mut Self) -> Result<Typed, CheckError>,
    ) -> Result<Typed, CheckError> {
        let start = self.place();
        let (first, kind) = part(self)?;
        if !self.is_word(word) {
            return Ok((first, kind));
        }
        let truth = |kind| matches!(kind, Type::Truth | Type::Fact);
        if !truth(kind) {
            return Err(Self::mistyped(start, kind, &format!("a condition before `{word}`")));
        }
        let mut parts = vec![first];
        while self.take_word(word) {
            parts.push(self.typed(&mut part, "a condition", truth)?);
        }
        Ok((join(parts), Type::Truth))
    }

    fn negated(&mut self) -> Result<Typed, CheckError> {
        if self.take_word("not") {
            let inner = self.nested(|parser| {
                parser.typed(Self::negated, "a condition", |kind| matches!(kind, Type::Truth | Type::Fact))
            })?;
            return Ok((Expr::Not(Box::new(inner)), Type::Truth));
        }
        match self.quantifier()? {
            Some(quantifier) => self.quantified(quantifier),
            None => self.comparison(),
        }
    }

    fn quantifier(&mut self) -> Result<Option<Quantifier>, CheckError> {
        if self.take_word("all") {
            return Ok(Some(Quantifier::All));
        }
        if self.take_word("some") {
            return Ok(Some(Quantifier::Some));
        }
        let bound: fn(usize) -> Quantifier = if self.take_word("exactly") {
            Quantifier::Exactly
        } else if self.take_word("at") {
            if self.take_word("least") {
                Quantifier::AtLeast
            } else {
                self.expect_word("most", "or `least` after `at`")?;
                Quantifier::AtMost
            }
        } else {
            return Ok(None);
        };
        let TokenKind::Number(count, _) = *self.peek() else {
            return Err(self.unexpected("how many"));
        };
        if count.fract() != 0.0 || !(0.0..=1e6).contains(&count) {
            return Err(self.unexpected("a whole number from 0 to 1000000"));
        }
        self.advance();
        self.expect_word("of", "after the number")?;
        Ok(Some(bound(count as usize)))
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Result<Typed, CheckError> {
        let outer = self.scope.len();
        let binders = self.binders()?;
        self.expect_symbol(":", "before the condition")?;
        let body = self.condition()?;
        self.close_scope(outer, &binders, &body)?;
        Ok((Expr::Quantified(quantifier, binders, Box::new(body)), Type::Truth))
    }

    fn close_scope(&mut self, outer: usize, binders: &[Binder], body: &Expr) -> Result<(), CheckError> {
        self.scope.truncate(outer);
        for binder in binders {
            if !matches!(binder.domain, Domain::Measured(..))
                || super::domain::is_sweep(&binder.variable, body)
            {
                continue;
            }
            return Err(CheckError {
                place: self.place(),
                message: format!("no metric before this place is taken over `{}`", binder.variable),
                remedy: format!(
                    "use `{0}` as a parameter of a metric, or give it values: `{0} in {{1, 16}}`",
                    binder.variable
                ),
            });
        }
        Ok(())
    }

    fn comparison(&mut self) -> Result<Typed, CheckError> {
        let start = self.place();
        let (first, kind) = self.sum()?;
        if self.take_word("within") {
            self.require_number(start, kind)?;
            let (low, high) = self.bounds()?;
            return Ok((Expr::Within { value: Box::new(first), low, high }, Type::Truth));
        }
        if self.take_word("in") {
            self.expect_symbol("{", "before the values")?;
            let mut values = vec![self.comparable(kind)?];
            while self.take_symbol(",") {
                values.push(self.comparable(kind)?);
            }
            self.expect_symbol("}", "after the values")?;
            return Ok((Expr::Member(Box::new(first), values), Type::Truth));
        }
        let mut rest = Vec::new();
        while let Some(relation) = self.relation() {
            if !matches!(relation, Relation::Equal | Relation::Unequal) {
                self.require_number(start.clone(), kind)?;
            }
            rest.push((relation, self.comparable(kind)?));
        }
        if rest.is_empty() {
            Ok((first, kind))
        } else {
            Ok((Expr::Chain(Box::new(first), rest), Type::Truth))
        }
    }

    /// `[low, high]`; where both are known already, in this order.
    fn bounds(&mut self) -> Result<(Box<Expr>, Box<Expr>), CheckError> {
        self.expect_symbol("[", "before the two bounds")?;
        let start = self.place().start;
        let low = self.number(Self::sum)?;
        self.expect_symbol(",", "between the two bounds")?;
        let high = self.number(Self::sum)?;
        let end = self.tokens[self.at.saturating_sub(1)].place.end;
        self.expect_symbol("]", "after the two bounds")?;
        if let (Some(least), Some(most)) = (low.constant(), high.constant())
            && least > most
        {
            return Err(CheckError {
                place: start..end.max(start),
                message: format!("nothing is within [{least}, {most}]"),
                remedy: "write the smaller bound first".to_owned(),
            });
        }
        Ok((Box::new(low), Box::new(high)))
    }

    fn relation(&mut self) -> Option<Relation> {
        let TokenKind::Symbol(found) = *self.peek() else { return None };
        let (_, relation) = Relation::ALL.iter().find(|(symbol, _)| *symbol == found)?;
        self.advance();
        Some(*relation)
    }
    fn require_number(&self, place: std::ops::Range<usize>, kind: Type) -> Result<(), CheckError> {
        if matches!(kind, Type::Number | Type::Fact) {
            return Ok(());
        }
        Err(Self::mistyped(place, kind, "a number"))
    }
    fn number(
        &mut self,
        parse: impl FnOnce(&mut Self) -> Result<Typed, CheckError>,
    ) -> Result<Expr, CheckError> {
        self.typed(parse, "a number", |kind| matches!(kind, Type::Number | Type::Fact))
    }
    fn comparable(&mut self, with: Type) -> Result<Expr, CheckError> {
        self.typed(Self::sum, with.describe(), |kind| {
            kind == with || kind == Type::Fact || with == Type::Fact
        })
    }

    pub(super) fn sum(&mut self) -> Result<Typed, CheckError> {
        self.arithmetic(&[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)], |parser| {
            let operators = [("*", Arithmetic::Multiply), ("/", Arithmetic::Divide)];
            parser.arithmetic(&operators, Self::unary)
        })
    }
    fn arithmetic(
        &mut self,
        operators: &[(&str, Arithmetic)],
        part: impl Fn(&mut Self) -> Result<Typed, CheckError>,
    ) -> Result<Typed, CheckError> {
        let start = self.place();
        let (mut left, mut kind) = part(self)?;
        while let Some(&(_, operator)) = operators.iter().find(|(symbol, _)| self.take_symbol(symbol)) {
            self.require_number(start.clone(), kind)?;
            self.operators += 1;
            if self.operators > OPERATORS_MAX {
                return Err(CheckError {
                    place: self.place(),
                    message: format!("the check has more than {OPERATORS_MAX} arithmetic operators"),
                    remedy: "reduce over a variable (`sum over w of`), or make several claims of it"
                        .to_owned(),
                });
            }
            let right = self.number(&part)?;
            left = Expr::Arithmetic(operator, Box::new(left), Box::new(right));
            kind = Type::Number;
        }
        Ok((left, kind))
    }
    fn unary(&mut self) -> Result<Typed, CheckError> {
        if self.take_symbol("-") {
            let inner = self.nested(|parser| parser.number(Self::unary))?;
            return Ok((Expr::Negative(Box::new(inner)), Type::Number));
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Typed, CheckError> {
        let expr = match self.peek().clone() {
            TokenKind::Number(number, unit) => (Expr::Number(number, unit), Type::Number),
            TokenKind::Text(text) => (Expr::Text(text), Type::Text),
            TokenKind::Symbol("(") => {
                self.advance();
                let inner = self.expression()?;
                self.expect_symbol(")", "to close the bracket")?;
                return Ok(inner);
            }
            TokenKind::Word(word) => return self.word(&word),
            TokenKind::Symbol(_) | TokenKind::End => {
                return Err(self.unexpected("a metric, a number, a fact or `(`"));
            }
        };
        self.advance();
        Ok(expr)
    }

    fn word(&mut self, word: &str) -> Result<Typed, CheckError> {
        let place = self.place();
        if let Some(&(_, reduction)) = Reduction::ALL.iter().find(|(name, _)| *name == word) {
            self.advance();
            if reduction != Reduction::Lowest {
                self.expect_word("over", "and the variable after the reduction")?;
            }
            return self.nested(|parser| parser.reduction(reduction, None));
        }
        if let Some((name, variable)) = word.split_once('_')
            && let Some(&(_, reduction)) = Reduction::ALL.iter().find(|(known, _)| *known == name)
        {
            self.advance();
            let binder = self.usual(variable, place)?;
            return self.nested(|parser| parser.reduction(reduction, Some(binder)));
        }
        self.advance();
        if self.take_symbol("(") {
            return self.nested(|parser| parser.call(word, place));
        }
        match word {
            "true" | "false" => Ok((Expr::Truth(word == "true"), Type::Truth)),
            _ => self.name(word, place),
        }
    }

    fn reduction(&mut self, reduction: Reduction, short: Option<Binder>) -> Result<Typed, CheckError> {
        let outer = self.scope.len();
        let place = self.place();
        let binders = match short {
            Some(binder) => {
                self.bind(&binder);
                vec![binder]
            }
            None => {
                let binders = self.binders()?;
                let before_body = if reduction == Reduction::Lowest { "where" } else { "of" };
                self.expect_word(before_body, "before what is reduced")?;
                binders
            }
        };
        if reduction.yields_variable() && binders.len() > 1 {
            return Err(CheckError {
                place,
                message: format!("`{}` goes over one variable only", reduction.name()),
                remedy: "fix the others with `all` around it".to_owned(),
            });
        }
        let body = if reduction.of_conditions() {
            self.typed(Self::unary, "a condition in brackets", |kind| {
                matches!(kind, Type::Truth | Type::Fact)
            })?
        } else {
            self.number(Self::unary)?
        };
        let yields = self.scope.get(outer).map_or(Type::Number, |bound| bound.kind);
        self.close_scope(outer, &binders, &body)?;
        let kind = if reduction.yields_variable() { yields } else { Type::Number };
        Ok((Expr::Reduce(reduction, binders, Box::new(body)), kind))
    }
}
