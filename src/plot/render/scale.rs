//! Ends, ticks and number labels of an axis.

/// An axis of numbers laid out: its ends and its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    /// Lower end.
    pub(super) low: f64,
    /// Upper end.
    pub(super) high: f64,
    /// Positions of the ticks, ascending, within the ends.
    pub(super) values: Vec<f64>,
    /// Labels of the ticks, divided by ten to the `exponent`.
    pub(super) labels: Vec<String>,
    /// Power of ten common to all labels; 0 for plain numbers.
    pub(super) exponent: i32,
}

/// Ten to the `power`, correctly rounded on every machine (`powi` does not promise that).
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(1.0)
}

/// The largest power of ten not above `value`, which is positive.
fn magnitude(value: f64) -> i32 {
    let mut power = value.log10().floor() as i32;
    while ten_to(power) > value {
        power -= 1;
    }
    while ten_to(power + 1) <= value {
        power += 1;
    }
    power
}

/// A step of 1, 2, 2.5 or 5 times a power of ten: `digits` times ten to the `power`.
#[derive(Clone, Copy, Debug)]
struct Step {
    digits: i64,
    power: i32,
}

impl Step {
    /// The smallest step that divides `span` into at most `most` parts.
    fn nice(span: f64, most: usize) -> Step {
        let rough = span / most.max(1) as f64;
        let power = magnitude(rough);
        let candidates = [(1, power), (2, power), (25, power - 1), (5, power)];
        candidates
            .into_iter()
            .map(|(digits, power)| Step { digits, power })
            .find(|step| step.at(1) >= rough * (1.0 - 1e-12))
            .unwrap_or(Step { digits: 1, power: power + 1 })
    }

    /// `count` steps from zero, rounded once.
    fn at(self, count: i64) -> f64 {
        let digits = (count * self.digits) as f64;
        if self.power < 0 { digits / ten_to(-self.power) } else { digits * ten_to(self.power) }
    }
}

/// Decimals that a common power of ten may cost; beyond, the long numbers are easier to read.
const MOST_DECIMALS: i32 = 3;

/// An axis from `low` to `high` with at most `most` steps between ticks, or a few more if that left fewer
/// than two ticks.
pub(super) fn ticks(low: f64, high: f64, most: usize) -> Ticks {
    let (low, high) = opened(low, high);
    let slack = (high - low) * 1e-9;
    let mut step = Step::nice(high - low, most);
    let ends = |step: Step| {
        let first = ((low - slack) / step.at(1)).ceil() as i64;
        (first, ((high + slack) / step.at(1)).floor() as i64)
    };
    let (mut first, mut last) = ends(step);
    for more in 1..=most {
        if last > first {
            break;
        }
        step = Step::nice(high - low, most + more);
        (first, last) = ends(step);
    }
    let values: Vec<f64> = (first..=last).map(|count| step.at(count)).collect();
    let largest = low.abs().max(high.abs());
    let mut exponent = common_exponent(largest);
    if exponent > 0 && exponent - step.power > MOST_DECIMALS {
        exponent = 0;
    }
    let decimals = usize::try_from(exponent - step.power).unwrap_or(0);
    let labels = values.iter().map(|&value| thousands(scaled(value, exponent), decimals)).collect();
    Ticks { low, high, values, labels, exponent }
}

/// Widens ends that (almost) coincide, so that a span exists.
fn opened(low: f64, high: f64) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    if largest < 1e-60 {
        return (0.0, 1.0);
    }
    if high - low > largest * 1e-6 {
        return (low, high);
    }
    (low - largest * 0.1, high + largest * 0.1)
}

/// The power of ten to take out of labels that would be too long: a multiple of three.
fn common_exponent(largest: f64) -> i32 {
    if (1e-2..1e6).contains(&largest) {
        return 0;
    }
    magnitude(largest).div_euclid(3) * 3
}

fn scaled(value: f64, exponent: i32) -> f64 {
    if exponent < 0 { value * ten_to(-exponent) } else { value / ten_to(exponent) }
}

/// A number with `decimals` places and commas between thousands.
pub(super) fn thousands(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::new();
    if value < 0.0 && text.chars().any(|c| c.is_ascii_digit() && c != '0') {
        out.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// The labels of bars: three significant digits of the largest, all with the same number of decimals.
pub(super) fn value_labels(values: &[f64]) -> (Vec<String>, i32) {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest < 1e-60 {
        return (values.iter().map(|_| "0".to_owned()).collect(), 0);
    }
    let exponent = common_exponent(largest);
    let decimals = usize::try_from(2 - magnitude(largest) + exponent).unwrap_or(0);
    (values.iter().map(|&value| thousands(scaled(value, exponent), decimals)).collect(), exponent)
}

/// ` (×10⁶)` for the axis text, or nothing for plain labels.
pub(super) fn factor_text(exponent: i32) -> String {
    if exponent == 0 {
        return String::new();
    }
    let superscript = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    format!(" (×10{})", exponent.to_string().chars().map(superscript).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(low: f64, high: f64, expected: &str) {
        let ticks = ticks(low, high, 6);
        assert_eq!(ticks.labels.join(" ") + &factor_text(ticks.exponent), expected);
    }

    #[test]
    fn ticks_are_round_numbers_with_commas_and_equal_decimals() {
        check(0.0, 64.0, "0 20 40 60");
        check(0.0, 14.2, "0.0 2.5 5.0 7.5 10.0 12.5");
        check(0.0, 5800.0, "0 1,000 2,000 3,000 4,000 5,000");
        check(0.87, 1.42, "0.9 1.0 1.1 1.2 1.3 1.4");
        check(-3.0, 8.0, "−2 0 2 4 6 8");
    }

    #[test]
    fn long_numbers_lose_a_common_power_of_ten() {
        check(0.0, 3.2e9, "0 1 2 3 (×10⁹)");
        check(0.0, 4e-6, "0 1 2 3 4 (×10⁻⁶)");
        check(0.0, 2.6e7, "0 5 10 15 20 25 (×10⁶)");
    }

    #[test]
    fn a_single_value_and_zero_still_give_an_axis() {
        check(0.0, 0.0, "0.0 0.2 0.4 0.6 0.8 1.0");
        check(5.0, 5.0, "4.6 4.8 5.0 5.2 5.4");
    }

    #[test]
    fn bar_labels_share_decimals_and_show_three_digits_of_the_largest() {
        assert_eq!(value_labels(&[39.04, 5.5]).0, ["39.0", "5.5"]);
        assert_eq!(value_labels(&[12345.6, 0.0]).0, ["12,346", "0"]);
        assert_eq!(value_labels(&[0.0]).0, ["0"]);
    }

    proptest! {
        #[test]
        fn ticks_lie_within_the_ends_and_there_are_at_least_two(
            low in -1e9..1e9f64, span in 1e-9..1e12f64, most in 3usize..12,
        ) {
            let ticks = ticks(low, low + span, most);
            let slack = (ticks.high - ticks.low) * 1e-6;
            prop_assert!(ticks.values.len() >= 2 && ticks.values.len() <= most + 2);
            prop_assert!(ticks.values[0] >= ticks.low - slack);
            prop_assert!(ticks.values[ticks.values.len() - 1] <= ticks.high + slack);
            let mut labels = ticks.labels.clone();
            labels.dedup();
            prop_assert_eq!(labels, ticks.labels);
        }
    }
}
