//! Scenarios that claim to be an experiment of a review, and lack a part of it.

use super::tests::{SOUND, options, playing, read, short};
use super::*;

#[test]
fn an_experiment_needs_what_its_claims_ask_for() {
    let of = |experiment: &str, text: &str| {
        let text = text.replace("name: \"s\",", &format!("name: \"s\", experiment: {experiment},"));
        read(&text, &LoadOptions::default()).map_err(|faults| short(&faults.to_string()))
    };
    let unnamed = SOUND.replace(
        "Pattern(\"database\")",
        "Lines([(size_bytes: 512, read_percent: 100, random_percent: 100)])",
    );
    let playback = playing("access: Playback(\"business\")", "arrays: [\"one\"]");
    let lacks = [
        ("Mix", SOUND, "write_percents"),
        ("Mix", &playback, "queue_depths"),
        ("SequentialRead", SOUND, "block_bytes"),
        ("SequentialWrite", SOUND, "block_bytes"),
        ("Pattern", &unnamed, "patterns"),
        ("HighEndWinMark", SOUND, "winmark"),
    ];
    for (experiment, text, field) in lacks {
        let found = of(experiment, text).unwrap_err();
        assert!(found.starts_with("s.ron:2:28: error: "), "{found}");
        assert!(
            found.contains(&format!("experiment {experiment} needs `")) && found.contains(field),
            "{found}"
        );
    }
    let mix = SOUND.replace("queue_depths: [1, 4]", "queue_depths: [1, 4], write_percents: [0, 50]");
    for (experiment, text) in [("Pattern", SOUND), ("BusinessWinMark", &playback), ("Mix", &mix)] {
        assert!(of(experiment, text).is_ok(), "{experiment}");
    }
    // A field that a point has without a sweep is there all the same; one that a user takes away is the user's fault.
    let sets = options(&[("sweep.write_percents", "[]"), ("workload.write_percent", "Some(30)")]);
    let mix = mix.replace("name: \"s\",", "name: \"s\", experiment: Mix,");
    assert!(read(&mix, &sets).is_ok());
    let emptied = read(&mix, &options(&[("sweep.write_percents", "[]")])).unwrap_err().to_string();
    assert!(emptied.starts_with("--set sweep.write_percents=[]: error: experiment Mix needs"), "{emptied}");
    assert!(read(&mix, &options(&[("sweep.write_percents", "[]"), ("experiment", "None")])).is_ok());
}
