//! Checks that say nothing, or too much.

use super::tests::{assert_verdict, judge, measurements, vocabulary};
use super::*;

#[test]
fn what_is_divided_by_nothing_is_not_checkable() {
    for check in [
        "SR(R0x2, 64KB) / 0 > 1",
        "not SR(R0x2, 64KB) / 0 < 1",
        "SR(R0x2, 64KB) / (pci.width_bits - 32) >= 0",
        "0 / 0 != 1",
        "false or 0 / 0 == 0",
        "-1 / (1 - 1) < 0",
        "spread over w in 0..20 step 10 of (w) > 1",
        "SR(R0x2, 64KB) within [pci.width_bits, 1]",
    ] {
        let outcome = judge(check);
        assert_eq!(outcome.verdict, Verdict::NotCheckable, "{check}: {outcome:?}");
        assert!(!outcome.lacking.is_empty(), "{check}");
    }
    assert_eq!(
        judge("1 / (pci.width_bits - 32) > 1").lacking,
        ["a divisor other than 0 (pci.width_bits 32)"]
    );
    // The crossing that never comes stays later than any share of writes.
    assert_verdict("X(16, R0x3) * 2 > 100", Verdict::Held);
    assert_verdict("X(16, R0x3) - X(16, R0x3) != 0", Verdict::Missed);
}

#[test]
fn bounds_in_the_wrong_order_are_refused() {
    for (check, bounds) in
        [("SRmax(1d) within [64, 32]", "64, 32"), ("SRmax(1d) within [1 + 1, -2 * 3]", "1 + 1, -2 * 3")]
    {
        let error = Check::parse(check, &vocabulary()).unwrap_err();
        assert_eq!(&check[error.place.clone()], bounds);
        assert_eq!(error.remedy, "write the smaller bound first");
    }
    assert!(Check::parse("SRmax(1d) within [32, 32]", &vocabulary()).is_ok());
}

#[test]
fn no_length_of_a_check_exhausts_the_stack() {
    let row = |operator: &str, terms: usize| format!("{} > 0", vec!["1"; terms].join(operator));
    for operator in [" + ", " * ", " - ", " / ", " + 2 * "] {
        let error = Check::parse(&row(operator, 10_000), &vocabulary()).unwrap_err();
        assert!(error.message.contains("more than 200 arithmetic operators"), "{}", error.message);
    }
    assert_verdict(&row(" + ", 201), Verdict::Held);
    // The deepest that is let in: all operators in the innermost of all brackets.
    let deepest = format!("{}{}{} > 0", "(".repeat(58), vec!["1"; 201].join(" + "), ")".repeat(58));
    assert_verdict(&deepest, Verdict::Held);
}

#[test]
fn what_a_check_needs_does_not_hang_on_the_figures_that_stand_in() {
    let check = Check::parse("SR(1d, 64KB) / (SR(1d, 64KB) - SR(1d, 64KB)) > 1", &vocabulary()).unwrap();
    assert!(check.needs(&measurements(), &Facts::new()).lacking.is_empty());
    assert_verdict("SR(1d, 64KB) / (SR(1d, 64KB) - SR(1d, 64KB)) > 1", Verdict::NotCheckable);
}
