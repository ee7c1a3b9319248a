//! Settings that would have no effect, or not the one that is meant.

use super::tests::{SOUND, errors, options, read, short};
use super::*;

#[test]
fn nothing_that_is_set_is_lost_in_silence() {
    let refused = |sets: &[(&str, &str)]| read(SOUND, &options(sets)).unwrap_err().to_string();
    let clocks = ("bus.latency_timer_clocks", "8");
    assert_eq!(
        refused(&[clocks, ("bus", "pci-64-66")]),
        "--set bus.latency_timer_clocks=8: error: `bus.latency_timer_clocks` is lost: `bus` is set after it and replaces the \
         whole\nhelp: set `bus` first and `bus.latency_timer_clocks` behind it"
    );
    let mended = read(SOUND, &options(&[("bus", "pci-64-66"), clocks])).unwrap();
    assert_eq!((mended.bus.width_bits, mended.bus.latency_timer_clocks), (64, 8));
    let told = refused(&[("drives.*.rpm", "5400"), ("drives.0.model", "\"wd-1200jb\"")]);
    assert!(told.contains("`drives.*.rpm` is lost"), "{told}");
    let told = refused(&[("drives.*.rpm", "5400"), ("drives.*.rpm", "5401")]);
    assert!(told.contains("`drives.*.rpm` is set twice"), "{told}");
    let mut varied = options(&[clocks]);
    varied.vary("bus", &["pci-32-33", "pci-64-66"]);
    let told = read(SOUND, &varied).unwrap_err().to_string();
    assert!(told.starts_with("--set bus.latency_timer_clocks=8: error: "), "{told}");
    assert!(told.contains("`bus` is varied and replaces it"), "{told}");
}

#[test]
fn nothing_that_a_file_sets_or_varies_is_lost_in_silence() {
    let with = |lines: &str| SOUND.replace("    run: (", &format!("    {lines},\n    run: ("));
    let set = "set: {\"bus.latency_timer_clocks\": \"64\", \"bus\": \"pci-64-66\"}";
    assert!(short(&errors(&with(set))).starts_with("s.ron:18:11: error: `bus.latency_timer_clocks` is lost"));
    let set = "(id: \"c\", set: {\"seek.full_ms\": \"20\", \"seek.full_ms\": \"21\"},";
    let told = errors(&SOUND.replace("(id: \"c\",", set));
    assert!(told.contains(": error: `seek.full_ms` is set twice"), "{told}");
    let vary = |list: &str| SOUND.replace("[1, 4])", &format!("[1, 4], vary: [{list}])"));
    let clocks = "(path: \"bus.latency_timer_clocks\", values: [\"8\", \"16\"])";
    let bus = "(path: \"bus\", values: [\"pci-32-33\", \"pci-64-66\"])";
    let told = errors(&vary(&format!("{clocks}, {bus}")));
    assert!(told.contains("are both varied, and the second replaces the first"), "{told}");
    assert!(told.contains("put `bus` before `bus.latency_timer_clocks` in the list"), "{told}");
    let scenario = read(&vary(&format!("{bus}, {clocks}")), &LoadOptions::default()).unwrap();
    assert_eq!(machine_spec(&scenario, &points(&scenario)[0]).bus.latency_timer_clocks, 8);
    let both = vary(bus).replace("    run: (", "    set: {\"bus.latency_timer_clocks\": \"8\"},\n    run: (");
    assert!(errors(&both).contains("`bus.latency_timer_clocks` is set, but `bus` is varied"));
}

#[test]
fn lengths_of_a_quick_look_apply_to_one_and_to_nothing_else() {
    let quick = |sets: &[(&str, &str)]| read(SOUND, &LoadOptions { quick: true, ..options(sets) });
    let lengths = |scenario: &Scenario| (scenario.run.measure_s, scenario.run.replications);
    let sets = [("run.measure_s", "2.5"), ("run.quick.measure_s", "1.5"), ("run.quick.replications", "2")];
    assert_eq!(lengths(&quick(&sets[1..]).unwrap()), (1.5, 2));
    let told = quick(&sets).unwrap_err().to_string();
    assert!(told.contains("`run.quick.measure_s` has no effect beside `run.measure_s`"), "{told}");
    assert_eq!(
        read(SOUND, &options(&sets[1..2])).unwrap_err().to_string(),
        "--set run.quick.measure_s=1.5: error: `run.quick.measure_s` has no effect without `--quick`\n\
         help: add `--quick`, or set `run.measure_s`"
    );
    let told = quick(&[("run.quick.measure_s", "0")]).unwrap_err().to_string();
    assert!(told.starts_with("--set run.quick.measure_s=0: error: "), "{told}");
}

#[test]
fn an_option_and_a_setting_of_the_same_thing_are_refused() {
    let both = LoadOptions { seed: Some(3), ..options(&[("run.seed", "7")]) };
    assert_eq!(
        read(SOUND, &both).unwrap_err().to_string(),
        "--set run.seed=7: error: `run.seed` has no effect beside `--seed 3`\nhelp: leave one of the two out"
    );
    let both = LoadOptions { runs: Some(1), ..options(&[("run.replications", "0")]) };
    assert!(read(SOUND, &both).unwrap_err().to_string().contains("no effect beside `--runs 1`"));
}

#[test]
fn a_list_without_drives_is_told_what_a_setting_can_do() {
    let told = read(SOUND, &options(&[("drives", "[]")])).unwrap_err().to_string();
    assert!(told.contains("a setting can only change those that are listed"), "{told}");
}
