//! Clocks and transfer rates as exact ratios.

use super::time::Span;

/// A clock with an exact period of `numerator / denominator` picoseconds.
///
/// 33.33 MHz is 30 000 ps; 66.67 MHz is 15 000 ps; 133.33 MHz is 7 500 ps; a 7200 rpm
/// spindle is 25/3 ms. The ratio keeps long counts free of drift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    numerator_ps: u64,
    denominator: u64,
}

impl Clock {
    /// A clock of `numerator_ps / denominator` picoseconds a cycle. Both must be positive.
    pub const fn from_period(numerator_ps: u64, denominator: u64) -> Self {
        assert!(numerator_ps > 0 && denominator > 0);
        Clock { numerator_ps, denominator }
    }
    /// The span of `cycles` cycles, rounded up once to a whole picosecond.
    pub fn cycles(self, cycles: u64) -> Span {
        Span::from_ps(self.numerator_ps).scale_up(cycles, self.denominator)
    }
    /// The number of whole cycles needed to cover `span`, rounded up.
    pub fn cycles_to_cover(self, span: Span) -> u64 {
        let product = u128::from(span.ps()) * u128::from(self.denominator);
        product.div_ceil(u128::from(self.numerator_ps)) as u64
    }
    /// Frequency in MHz, for output only.
    pub fn as_mhz(self) -> f64 {
        1e6 * self.denominator as f64 / self.numerator_ps as f64
    }
}

/// A transfer rate as an exact ratio: `bytes` every `span`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    bytes: u64,
    span: Span,
}

impl Rate {
    /// `bytes` every `span`; both must be positive.
    pub const fn new(bytes: u64, span: Span) -> Self {
        assert!(bytes > 0 && span.ps() > 0);
        Rate { bytes, span }
    }
    /// The span that `bytes` bytes take, rounded up once.
    pub fn time_for(self, bytes: u64) -> Span {
        self.span.scale_up(bytes, self.bytes)
    }
    /// MB/s (10^6 bytes a second), for output only.
    pub fn as_mb_s(self) -> f64 {
        self.bytes as f64 / self.span.as_s() / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_of_a_nanosecond_does_not_drift() {
        let clock = Clock::from_period(100_000, 3);
        assert_eq!(clock.cycles(1).ps(), 33_334);
        assert_eq!(clock.cycles(3_000_000).ps(), 100_000_000_000);
        assert_eq!(clock.cycles_to_cover(Span::from_ps(100_001)), 4);
    }

    #[test]
    fn udma6_moves_a_word_every_15_ns() {
        let rate = Rate::new(2, Span::from_ns(15));
        assert_eq!(rate.time_for(65_536).ps(), 491_520_000);
        assert!((rate.as_mb_s() - 133.333).abs() < 0.001);
    }
}
