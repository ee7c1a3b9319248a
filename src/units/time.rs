//! Simulated time in whole picoseconds.

use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Rem, Sub, SubAssign};

/// A point of simulated time: whole picoseconds since power-on (0 to 213 days).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Instant(u64);

/// A length of simulated time in whole picoseconds; never negative.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct Span(u64);

const PS_PER_NS: u64 = 1_000;
const PS_PER_US: u64 = 1_000_000;
const PS_PER_MS: u64 = 1_000_000_000;
const PS_PER_S: u64 = 1_000_000_000_000;

impl Instant {
    /// Power-on.
    pub const ZERO: Instant = Instant(0);
    /// Later than anything a run reaches.
    pub const NEVER: Instant = Instant(u64::MAX);

    /// The instant `ps` picoseconds after power-on.
    pub const fn from_ps(ps: u64) -> Self {
        Instant(ps)
    }
    /// Picoseconds since power-on.
    pub const fn ps(self) -> u64 {
        self.0
    }
    /// Seconds since power-on, for statistics and output only.
    pub fn as_s(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }
    /// The span from `earlier` to here; zero if `earlier` is later than this.
    pub const fn since(self, earlier: Instant) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }
}

impl Span {
    /// No time.
    pub const ZERO: Span = Span(0);

    /// A span of whole picoseconds.
    pub const fn from_ps(ps: u64) -> Self {
        Span(ps)
    }
    /// A span of whole nanoseconds.
    pub const fn from_ns(ns: u64) -> Self {
        Span(ns * PS_PER_NS)
    }
    /// A span of `us` microseconds, rounded to the nearest picosecond; negative and NaN give zero.
    pub fn from_us(us: f64) -> Self {
        Span((us * PS_PER_US as f64).round() as u64)
    }
    /// A span of `ms` milliseconds, rounded to the nearest picosecond; negative and NaN give zero.
    pub fn from_ms(ms: f64) -> Self {
        Span((ms * PS_PER_MS as f64).round() as u64)
    }
    /// A span of `s` seconds, rounded to the nearest picosecond; negative and NaN give zero.
    pub fn from_s(s: f64) -> Self {
        Span((s * PS_PER_S as f64).round() as u64)
    }
    /// Whole picoseconds.
    pub const fn ps(self) -> u64 {
        self.0
    }
    /// Nanoseconds, for tables and output only.
    pub fn as_ns(self) -> f64 {
        self.0 as f64 / PS_PER_NS as f64
    }
    /// Microseconds, for statistics and output only.
    pub fn as_us(self) -> f64 {
        self.0 as f64 / PS_PER_US as f64
    }
    /// Milliseconds, for statistics and output only.
    pub fn as_ms(self) -> f64 {
        self.0 as f64 / PS_PER_MS as f64
    }
    /// Seconds, for statistics and output only.
    pub fn as_s(self) -> f64 {
        self.0 as f64 / PS_PER_S as f64
    }
    /// True for a span of no time.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
    /// `self - other`, or zero if `other` is longer.
    pub const fn saturating_sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }
    /// `self * numerator / denominator`, rounded up, without overflow in between.
    pub fn scale_up(self, numerator: u64, denominator: u64) -> Span {
        // Most products fit a word, and words divide several times as fast.
        if let Some(product) = self.0.checked_mul(numerator) {
            return Span(product.div_ceil(denominator));
        }
        let product = u128::from(self.0) * u128::from(numerator);
        Span(product.div_ceil(u128::from(denominator)) as u64)
    }

    /// This span times `numerator / denominator`, rounded down: shares of it never sum to more than the whole.
    pub fn scale_down(self, numerator: u64, denominator: u64) -> Span {
        if let Some(product) = self.0.checked_mul(numerator) {
            return Span(product / denominator);
        }
        Span((u128::from(self.0) * u128::from(numerator) / u128::from(denominator)) as u64)
    }
}

impl Add<Span> for Instant {
    type Output = Instant;
    fn add(self, span: Span) -> Instant {
        Instant(self.0 + span.0)
    }
}
impl AddAssign<Span> for Instant {
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}
impl Sub<Span> for Instant {
    type Output = Instant;
    fn sub(self, span: Span) -> Instant {
        Instant(self.0 - span.0)
    }
}
/// The span between two instants; the right one must not be later (checked in debug builds).
impl Sub for Instant {
    type Output = Span;
    fn sub(self, earlier: Instant) -> Span {
        Span(self.0 - earlier.0)
    }
}
impl Add for Span {
    type Output = Span;
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}
impl AddAssign for Span {
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}
impl Sub for Span {
    type Output = Span;
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}
impl SubAssign for Span {
    fn sub_assign(&mut self, other: Span) {
        self.0 -= other.0;
    }
}
impl Mul<u64> for Span {
    type Output = Span;
    fn mul(self, n: u64) -> Span {
        Span(self.0 * n)
    }
}
impl Div<u64> for Span {
    type Output = Span;
    fn div(self, n: u64) -> Span {
        Span(self.0 / n)
    }
}
impl Rem for Span {
    type Output = Span;
    fn rem(self, period: Span) -> Span {
        Span(self.0 % period.0)
    }
}
impl std::iter::Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t={:.6}ms", self.0 as f64 / PS_PER_MS as f64)
    }
}
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ps if ps >= PS_PER_S => write!(f, "{:.6} s", self.as_s()),
            ps if ps >= PS_PER_MS => write!(f, "{:.6} ms", self.as_ms()),
            ps if ps >= PS_PER_US => write!(f, "{:.6} us", self.as_us()),
            ps if ps >= PS_PER_NS => write!(f, "{:.3} ns", self.as_ns()),
            ps => write!(f, "{ps} ps"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_round_to_the_nearest_picosecond() {
        assert_eq!(Span::from_ms(8.5).ps(), 8_500_000_000);
        assert_eq!(Span::from_us(0.0000004).ps(), 0);
        assert_eq!(Span::from_us(0.0000006).ps(), 1);
        assert_eq!(Span::from_ms(f64::NAN), Span::ZERO);
        assert_eq!(Span::from_s(-1.0), Span::ZERO);
    }

    #[test]
    fn scaling_rounds_up_and_does_not_overflow() {
        let day = Span::from_s(86_400.0);
        assert_eq!(day.scale_up(2, 3), Span::from_s(57_600.0));
        assert_eq!(day.scale_down(3, 2), Span::from_s(129_600.0));
        assert_eq!(Span::from_ps(10).scale_up(1, 3).ps(), 4);
        assert_eq!(Span::from_ps(10).scale_down(1, 3).ps(), 3);
    }

    #[test]
    fn display_carries_its_unit() {
        assert_eq!(Span::from_ms(8.5).to_string(), "8.500000 ms");
        assert_eq!(Span::from_ps(999).to_string(), "999 ps");
    }
}
