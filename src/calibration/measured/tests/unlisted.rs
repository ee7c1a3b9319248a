//! What a drive does and its description does not say.

use super::*;
use crate::drive::spec::{Defects, SpareScheme};

/// Two rounds: these tests are about what is found, not how well it is timed.
fn quick() -> Options {
    Options { rounds: 2, evaluations: 6, ..Options::default() }
}

#[test]
fn seeks_that_take_longer_inwards_are_found() {
    for (extra_ms, seed) in [(1.1, 21), (-0.8, 25)] {
        let truth = DriveSpec { inward_seek_extra_ms: extra_ms, ..served() };
        let requests = trace(&truth, 4000, seed);
        let fitted = fit(&served(), &requests, &quick(), |_| {}).unwrap();
        let figure = fitted.figures.iter().find(|figure| figure.field == "inward_seek_extra_ms").unwrap();
        let (low, high) = figure.interval;
        // What is found leans towards no difference: the curve that it is read beside was read from both ways.
        assert!(low - 0.05 <= extra_ms && extra_ms <= high + 0.05, "{figure:?}");
        assert!((figure.value - extra_ms).abs() < 0.15, "{figure:?}");
        assert!((fitted.spec.inward_seek_extra_ms - extra_ms).abs() < 0.15);
    }
}

/// A drive with whole tracks as spares, of which some have been used for the tracks at `slips`.
fn with_slips(slips: &[u64]) -> DriveSpec {
    let mut model = served();
    for zone in &mut model.zones {
        zone.spares = 12;
    }
    model.spare_scheme = SpareScheme::TracksOfZone;
    model.capacity_sectors = (400 * 3 - 12) * (120 + 100);
    model.defects = Defects { slips: slips.to_vec(), ..Defects::default() };
    model
}

#[test]
fn slipped_tracks_that_are_not_listed_are_found() {
    let zone = 400 * 3 * 120;
    let known = [250 * 120];
    let unlisted = [90 * 120, 500 * 120, 530 * 120, 1000 * 120, zone + 400 * 100, zone + 900 * 100];
    let mut all: Vec<u64> = known.into_iter().chain(unlisted).collect();
    all.sort_unstable();
    let requests = trace(&with_slips(&all), 3000, 22);
    let start = with_slips(&known);
    let surface = Surface::new(&start);
    let seen = sight(&requests, &surface, start.nominal_revolution().as_ms()).unwrap();
    let found = slipped(&start, &surface, &seen.sightings(&surface), seen.clock.turn_ms).unwrap();
    assert_eq!(found.between.len(), unlisted.len(), "{:?}", found.between);
    for (&(low, high), place) in found.between.iter().zip(unlisted) {
        assert!((low..=high).contains(&place), "{place}: {low} to {high}");
    }
    let fitted = fit(&start, &requests, &quick(), |_| {}).unwrap();
    assert_eq!(fitted.spec.defects, found.spec.defects);
    assert!(fitted.resultants.0 < 0.9 && fitted.resultants.1 > 0.97, "{:?}", fitted.resultants);
}

#[test]
fn nothing_is_found_where_nothing_is() {
    for seed in [23, 24] {
        let truth = with_slips(&[250 * 120]);
        let fitted = fit(&truth, &trace(&truth, 2400, seed), &quick(), |_| {}).unwrap();
        assert_eq!(fitted.spec.defects, truth.defects);
        assert_eq!(fitted.spec.inward_seek_extra_ms, 0.0, "{:?}", fitted.figures);
    }
}

#[test]
fn no_lead_of_data_is_found_where_writes_start_as_it_comes() {
    // A bus that is slower than the medium, and writes that wait for it.
    let scsi = spec::ScsiSpec { block_ms: 0.15, write_block_ms: Some(0.15), ..Default::default() };
    let truth = DriveSpec { interface: spec::InterfaceSpec::Scsi(scsi), ..served() };
    let fitted = fit(&truth, &trace(&truth, 2400, 26), &quick(), |_| {}).unwrap();
    let spec::InterfaceSpec::Scsi(found) = fitted.spec.interface else { panic!("another front end") };
    assert_eq!((found.write_lead_blocks, found.write_after_read_data_ms), (0, 0.0));
    let overhead_ms = fitted.spec.overhead.decode_ms(true, false, false);
    assert!((overhead_ms - 0.5).abs() < 0.2, "{overhead_ms}");
}
