//! Where the time goes, on random machines.

use ataraid::experiment::explain::{Breakdown, Part, Stage};
use ataraid::experiment::explain::{Ideals, Totals};
use ataraid::machine::Machine;
use ataraid::units::Span;
use proptest::prelude::*;

use crate::common::{self, length, run};
use crate::machine::machine;

proptest! {
    #![proptest_config(common::cases(80))]

    /// In a build with debug assertions the breakdown checks each single request too.
    #[test]
    fn stages_sum_up_to_the_response_time_and_looking_changes_nothing(
        spec in machine(), seed: u64, ramp_ms in 0_u32..40,
    ) {
        let length = length(f64::from(ramp_ms) / 1e3, 0.15);
        let mut breakdown = Breakdown::default();
        let Ok(machine) = Machine::probed(&spec, seed, &mut breakdown) else { return Ok(()) };
        let measured = machine.run(&spec, length).unwrap_or_else(|fault| panic!("{fault}"));
        prop_assert_eq!(&measured, &run(&spec, seed, length));
        prop_assert_eq!(breakdown.requests(), measured.requests);
        prop_assert_eq!(breakdown.stages().total(), breakdown.response());
        let mean_ms = breakdown.response().as_ms() / measured.requests.max(1) as f64;
        prop_assert!((mean_ms - measured.response_ms).abs() <= 1e-9 * mean_ms);
        let mut totals = Totals::default();
        totals.add(&breakdown);
        let (response, stages) = totals.means(Span::from_ps(1));
        prop_assert_eq!(stages.iter().sum::<u64>(), response);
        // What the machine does not have takes no time.
        let none = |stage: Stage| breakdown.stages().of(stage).is_zero();
        if spec.drives.iter().all(|drive| drive.device == 0 && spec.controller.serial()) {
            prop_assert!(none(Stage::MateWait), "one drive a link");
        }
        if spec.drives.iter().all(|drive| !drive.model.write_cache.enabled) {
            prop_assert!(none(Stage::CacheWait), "without cache there is no room to wait for");
        }
        if spec.host == common::instant_host() && spec.controller.register_access_ns == 0 {
            prop_assert!(none(Stage::Host));
        }
    }

    #[test]
    fn any_machine_can_be_made_ideal_part_by_part(spec in machine(), seed: u64, part in 0_usize..11) {
        let part = Part::all().nth(part).expect("eleven parts");
        if Machine::new(&spec, seed).is_ok() {
            run(&Ideals::shipped().make(part, &spec), seed, length(0.0, 0.05));
        }
    }
}
