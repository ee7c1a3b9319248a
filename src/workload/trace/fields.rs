//! The fields of a line of a text: blank-separated, each a number or a word.

use std::ops::Range;

use super::{LBA_MAX, SECTORS_MAX, TIME_MAX};
use crate::config::Diagnostic;
use crate::units::{Extent, Span};

/// The most bytes of a line that a message quotes.
const QUOTED_MAX: usize = 200;

/// What is wrong with a line.
#[derive(Debug)]
pub(super) struct Fault {
    /// The bytes of the line that are at fault.
    marked: Range<usize>,
    message: String,
    remedy: &'static str,
}

impl Fault {
    pub(super) fn of(marked: Range<usize>, message: impl Into<String>, remedy: &'static str) -> Box<Self> {
        Box::new(Fault { marked, message: message.into(), remedy })
    }

    /// The fault with its place.
    #[cold]
    pub(super) fn in_line(&self, name: &str, number: u64, line: &[u8]) -> Box<Diagnostic> {
        let quoted = &line[..line.len().min(QUOTED_MAX)];
        // One character for each byte that is none, so that the caret stands right.
        let shown = |byte: &u8| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { ' ' };
        let text: String = quoted.iter().map(shown).collect();
        let fault = Diagnostic::at_line(name, number, &text, self.marked.clone(), self.message.as_str());
        Box::new(fault.with_remedy(self.remedy))
    }
}

/// Blanks between fields; a carriage return before the line end is one.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The fields of one line, from left to right.
pub(super) struct Fields<'a> {
    line: &'a [u8],
    /// The field that was read last.
    field: Range<usize>,
    /// What the line should look like.
    shape: &'static str,
}

impl<'a> Fields<'a> {
    pub(super) fn new(line: &'a [u8], shape: &'static str) -> Self {
        Fields { line, field: 0..0, shape }
    }

    /// The next field, which holds `what`.
    pub(super) fn word(&mut self, what: &str) -> Result<&'a [u8], Box<Fault>> {
        if self.advance() { Ok(&self.line[self.field.clone()]) } else { Err(self.missing(what)) }
    }

    /// Moves on to the next field; false if there is none.
    fn advance(&mut self) -> bool {
        let start = self.start();
        let mut end = start;
        while end < self.line.len() && !is_blank(self.line[end]) {
            end += 1;
        }
        self.field = start..end;
        end > start
    }

    /// Where the next field starts.
    fn start(&self) -> usize {
        let mut start = self.field.end;
        while start < self.line.len() && is_blank(self.line[start]) {
            start += 1;
        }
        start
    }

    /// The next field if it is digits, at most 18, with a point or without: the digits as one number, and how many stand
    /// behind the point. Otherwise nothing moves.
    fn plain(&mut self) -> Option<(u64, usize)> {
        let start = self.start();
        let (mut end, mut value, mut point) = (start, 0_u64, None);
        while end < self.line.len() && end - start <= 18 {
            let byte = self.line[end];
            if byte.is_ascii_digit() {
                value = value * 10 + u64::from(byte - b'0');
            } else if byte == b'.' && point.is_none() {
                point = Some(end);
            } else {
                break;
            }
            end += 1;
        }
        let is_whole = end == self.line.len() || is_blank(self.line[end]);
        let digits = end - start - usize::from(point.is_some());
        if !is_whole || !(1..=18).contains(&digits) {
            return None;
        }
        self.field = start..end;
        Some((value, point.map_or(0, |point| end - point - 1)))
    }

    /// The next field as a whole number, 0 to `max`.
    pub(super) fn whole(&mut self, what: &str, max: u64) -> Result<u64, Box<Fault>> {
        let before = self.field.clone();
        match self.plain() {
            Some((value, 0)) if value <= max && self.line[self.field.end - 1] != b'.' => Ok(value),
            _ => {
                self.field = before;
                self.odd_whole(what, max)
            }
        }
    }

    /// The same of a field that is no plain number, or too great.
    #[cold]
    fn odd_whole(&mut self, what: &str, max: u64) -> Result<u64, Box<Fault>> {
        let word = self.word(what)?;
        match digits(word) {
            Some(value) if value <= max => Ok(value),
            _ if word.iter().all(u8::is_ascii_digit) => Err(self.wrong(&format!("{what}, at most {max}"))),
            _ => Err(self.wrong(&format!("{what}, a whole number"))),
        }
    }

    /// The next field as a time in units of 10^`exponent` ps, to the nearest picosecond.
    pub(super) fn time(&mut self, what: &str, exponent: u32) -> Result<Span, Box<Fault>> {
        let before = self.field.clone();
        let plain = self.plain().and_then(|(value, behind)| {
            let scale = 10_u64.pow(exponent.checked_sub(behind as u32)?);
            value.checked_mul(scale).filter(|ps| *ps <= TIME_MAX.ps())
        });
        match plain {
            Some(ps) => Ok(Span::from_ps(ps)),
            None => {
                self.field = before;
                self.odd_time(what, exponent)
            }
        }
    }

    /// The same of a field that is no plain number, finer than a picosecond, or too great.
    #[cold]
    fn odd_time(&mut self, what: &str, exponent: u32) -> Result<Span, Box<Fault>> {
        let word = self.word(what)?;
        match decimal(word, exponent).or_else(|| scientific(word, exponent)) {
            Some(ps) if ps <= TIME_MAX.ps() => Ok(Span::from_ps(ps)),
            Some(_) => Err(self.wrong(&format!("{what}, at most 200 days"))),
            None => Err(self.wrong(&format!("{what}, a number that is not below 0"))),
        }
    }

    /// The next two fields as the first block and the number of blocks of a request.
    pub(super) fn extent(&mut self) -> Result<Extent, Box<Fault>> {
        let lba = self.whole("the first block", LBA_MAX)?;
        let sectors = self.whole("the number of blocks", SECTORS_MAX)?;
        if sectors == 0 {
            return Err(Fault::of(self.field.clone(), "a request of no blocks", self.shape));
        }
        Ok(Extent::new(lba, sectors))
    }

    /// Checks that the line ends here.
    pub(super) fn end(&mut self) -> Result<(), Box<Fault>> {
        if self.advance() {
            let rest = self.field.start..self.line.len();
            if self.line[..self.field.start].ends_with(b"\r") {
                let message = "the line ends with a carriage return alone: save the trace with the line ends of Unix \
                               or Windows";
                return Err(Fault::of(rest, message, self.shape));
            }
            return Err(Fault::of(rest, "the line should end before this", self.shape));
        }
        Ok(())
    }

    /// The fault of a field that is not what was `expected`.
    #[cold]
    pub(super) fn wrong(&self, expected: &str) -> Box<Fault> {
        let odd = self.line[self.field.clone()].iter().find(|byte| !(b' '..=b'~').contains(byte));
        let found = odd.map_or(String::new(), |byte| format!(", found a byte {byte:#04x}"));
        Fault::of(self.field.clone(), format!("expected {expected}{found}"), self.shape)
    }

    #[cold]
    fn missing(&self, what: &str) -> Box<Fault> {
        let end = self.line.len();
        Fault::of(end..end, format!("the line ends where {what} should stand"), self.shape)
    }
}

/// The whole number that a word of decimal digits is; none if it is no such word or has more than 19 digits.
fn digits(word: &[u8]) -> Option<u64> {
    // 19 digits stay below 2^64.
    if word.is_empty() || word.len() > 19 {
        return None;
    }
    word.iter().try_fold(0_u64, |value, byte| {
        let digit = byte.wrapping_sub(b'0');
        (digit < 10).then(|| value * 10 + u64::from(digit))
    })
}

/// A plain decimal number times 10^`exponent`, rounded half up; none if it is none or too great for 64 bits.
fn decimal(word: &[u8], exponent: u32) -> Option<u64> {
    let point = word.iter().position(|byte| *byte == b'.').unwrap_or(word.len());
    let (whole, fraction) = (&word[..point], word.get(point + 1..).unwrap_or(&[]));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole = if whole.is_empty() { 0 } else { digits(whole)? };
    let mut scaled = 0;
    let mut up = 0;
    let mut place = exponent;
    for (index, byte) in fraction.iter().enumerate() {
        let digit = u64::from(byte.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        if place > 0 {
            scaled = scaled * 10 + digit;
            place -= 1;
        } else if index == exponent as usize {
            up = u64::from(digit >= 5);
        }
    }
    let fraction = scaled * 10_u64.pow(place) + up;
    whole.checked_mul(10_u64.pow(exponent))?.checked_add(fraction)
}

/// A number as C's `%lf` also takes it, with a sign or an exponent, times 10^`exponent`; the greatest of 64 bits stands
/// for all that are greater. None if it is none, below 0 or not finite.
#[cold]
fn scientific(word: &[u8], exponent: u32) -> Option<u64> {
    let value: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    let scaled = (value * 10_f64.powi(exponent as i32)).round();
    (value.is_finite() && value >= 0.0).then_some(scaled as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decimals_are_exact_to_the_picosecond() {
        let ms = |text: &str| decimal(text.as_bytes(), 9);
        assert_eq!(ms("13.191135"), Some(13_191_135_000));
        assert_eq!(ms("0.0000000005"), Some(1));
        assert_eq!(ms("0.00000000049999"), Some(0));
        assert_eq!(
            (ms(".5"), ms("7."), ms("7")),
            (Some(500_000_000), Some(7_000_000_000), Some(7_000_000_000))
        );
        assert_eq!(
            (ms("."), ms(""), ms("1.2.3"), ms("-1"), ms("1e3"), ms("0x1")),
            (None, None, None, None, None, None)
        );
        assert_eq!((ms("99999999999999999999"), ms("18446744073709551")), (None, None));
        assert_eq!(scientific(b"1e3", 9), Some(1_000_000_000_000));
        assert_eq!(scientific(b"+2.5", 6), Some(2_500_000));
        assert_eq!(scientific(b"1e300", 9), Some(u64::MAX));
        for none in ["-1", "nan", "inf", "1e400", "x", ""] {
            assert_eq!(scientific(none.as_bytes(), 9), None, "{none}");
        }
    }

    proptest! {
        #[test]
        fn decimals_agree_with_the_standard_library(text in "[0-9]{0,6}(\\.[0-9]{0,12})?") {
            let reference = text.parse::<f64>().ok().map(|value| value * 1e6);
            match (decimal(text.as_bytes(), 6), reference) {
                (Some(found), Some(expected)) => prop_assert!((found as f64 - expected).abs() <= 0.5 + expected * 1e-15),
                (found, expected) => prop_assert_eq!(found.is_some(), expected.is_some(), "{}", text),
            }
        }

        #[test]
        fn the_quick_way_and_the_slow_one_agree(text in "[0-9.x]{0,24}", exponent in 0_u32..10) {
            let line = format!(" {text} z");
            let quick = Fields::new(line.as_bytes(), "").time("", exponent).map(Span::ps).ok();
            let slow = Fields::new(line.as_bytes(), "").odd_time("", exponent).map(Span::ps).ok();
            prop_assert_eq!(quick, slow);
            let quick = Fields::new(line.as_bytes(), "").whole("", u64::MAX >> 1).ok();
            let slow = Fields::new(line.as_bytes(), "").odd_whole("", u64::MAX >> 1).ok();
            prop_assert_eq!(quick, slow);
        }

        #[test]
        fn whole_numbers_agree_with_the_standard_library(text in "[0-9x+-]{0,20}") {
            let expected = text.parse::<u64>().ok().filter(|_| text.len() <= 19 && !text.starts_with('+'));
            prop_assert_eq!(digits(text.as_bytes()), expected);
        }
    }
}
