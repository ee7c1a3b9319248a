use super::*;
use crate::config::{Source, load};
use crate::drive::spec::ron;
use proptest::prelude::*;

fn printed(text: &str) -> Printed {
    text.parse().unwrap()
}

/// IBM's figures of the DTLA-307030.
pub(super) fn sheet() -> Known {
    let given = |text: &str| Provenance::Datasheet(text.to_owned());
    Known {
        name: "IBM DTLA-307030".to_owned(),
        capacity_sectors: Sourced { value: 60_036_480, source: given("60036480 sectors") },
        heads: 4,
        rpm: Sourced { value: 7200, source: given("7200 rpm") },
        rates: Rates::Edges { outer_mb_s: printed("37.76"), inner_mb_s: printed("18.81"), zones: Some(15) },
        seeks: Seeks::Printed([printed("1.2"), printed("8.5"), printed("14.7")]),
        write_average_ms: Some(printed("9.5")),
        head_switch_ms: None,
        overhead_ms: Some(printed("0.10")),
        buffer_kib: Some(1916),
        interface: None,
    }
}

fn refused(known: &Known) -> String {
    known.model().unwrap_err().to_string()
}

#[test]
fn a_model_has_the_figures_of_its_data_sheet() {
    let known = sheet();
    let spec = known.model().unwrap();
    let summary = DriveSummary::new(&spec);
    assert_eq!((spec.capacity_sectors, spec.heads, spec.rpm, spec.zones.len()), (60_036_480, 4, 7200, 15));
    // Half a sector of 709 is 0.03 MB/s.
    assert!((summary.outer_mb_s() - 37.76).abs() < 0.03, "{}", summary.outer_mb_s());
    assert!((summary.inner_mb_s() - 18.81).abs() < 0.03, "{}", summary.inner_mb_s());
    assert!((summary.seek_average_cylinder_weighted_ms - 8.5).abs() < 0.02);
    assert_eq!(spec.write_seek, WriteSeek::Settle(1.0));
    assert!(summary.cylinder_slack.write_ms > 0.19 && summary.head_slack.unwrap().write_ms > 0.19);
    let table = known.compared(&spec);
    assert_eq!(table.rows.len(), 6);
    assert!(table.rows.iter().all(|row| row[4].number().unwrap().abs() < 0.3), "{table:?}");
}

#[test]
fn every_figure_has_a_source_and_the_file_reads_back() {
    for known in [sheet(), Known { buffer_kib: Some(0), head_switch_ms: Some(printed("0.9")), ..sheet() }] {
        let spec = known.model().unwrap();
        assert_eq!(crate::drive::spec::unsourced_figures(&spec), Vec::<String>::new());
        let text = ron(&spec, "from its data sheet");
        assert_eq!(load::<DriveSpec>(&Source::new("x.ron", text)).unwrap(), spec);
    }
}

#[test]
fn figures_that_cannot_be_are_named() {
    let edges = |outer: &str, inner: &str, zones| Rates::Edges {
        outer_mb_s: printed(outer),
        inner_mb_s: printed(inner),
        zones,
    };
    let seeks = |a: &str, b: &str, c: &str| Seeks::Printed([printed(a), printed(b), printed(c)]);
    for (known, told) in [
        (Known { heads: 0, ..sheet() }, "`heads` is 0"),
        (Known { name: " ".to_owned(), ..sheet() }, "the name is empty"),
        (Known { rates: edges("18", "37", None), ..sheet() }, "give the outer rate first"),
        (Known { rates: edges("37", "18", Some(1)), ..sheet() }, "more zones"),
        (Known { rates: edges("37", "18", Some(65)), ..sheet() }, "`zones` is 65"),
        (Known { rates: edges("590", "18", None), ..sheet() }, "check rate and rpm"),
        (Known { seeks: seeks("8", "1", "9"), ..sheet() }, "do not rise"),
        (
            Known { seeks: seeks("1", "2.5", "20"), write_average_ms: None, ..sheet() },
            "cannot have this mean",
        ),
        (Known { seeks: seeks("0", "8.5", "9"), ..sheet() }, "`seek_ms single` is 0"),
        (Known { write_average_ms: Some(printed("20")), ..sheet() }, "write_average_ms"),
        (
            Known {
                capacity_sectors: Sourced { value: 5000, source: Provenance::Datasheet(String::new()) },
                ..sheet()
            },
            "fewer than 15 cylinders",
        ),
    ] {
        let text = refused(&known);
        assert!(text.contains(told), "{told}: {text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_sensible_sheet_makes_a_model_that_keeps_it(
        heads in 1_u32..9, rpm in prop::sample::select(vec![4500_u32, 5400, 7200, 10_000, 15_000]),
        outer in 8.0_f64..80.0, share in 0.4_f64..1.0, single in 0.4_f64..2.0, spread in 6.0_f64..16.0,
        at in 0.36_f64..0.52, sectors in 4_000_000_u64..300_000_000, zones in prop::option::of(2_u32..30),
    ) {
        let figure = |value: f64| printed(&format!("{value:.3}"));
        let known = Known {
            heads,
            rpm: Sourced { value: rpm, source: Provenance::Datasheet(String::new()) },
            capacity_sectors: Sourced { value: sectors, source: Provenance::Datasheet(String::new()) },
            rates: Rates::Edges { outer_mb_s: figure(outer), inner_mb_s: figure(outer * share), zones },
            seeks: Seeks::Printed([figure(single), figure(single + at * spread), figure(single + spread)]),
            write_average_ms: None,
            ..sheet()
        };
        let Ok(spec) = known.model() else {
            // More cylinders than there are, or fewer sectors a track than there may be.
            let text = refused(&known);
            prop_assert!(text.contains("sectors a track") || text.contains("cylinders"), "{}", text);
            return Ok(());
        };
        let summary = DriveSummary::new(&spec);
        let half_sector = |rate: f64, spt: u32| rate * 0.51 / f64::from(spt);
        let (first, last) = (spec.zones[0].spt, spec.zones[spec.zones.len() - 1].spt);
        prop_assert!((summary.outer_mb_s() - outer).abs() <= half_sector(outer, first) + 0.001);
        prop_assert!((summary.inner_mb_s() - outer * share).abs() <= half_sector(outer * share, last) + 0.001);
        prop_assert_eq!(summary.capacity_sectors, sectors);
    }
}
