//! Single entries given anew.

use std::path::Path;

use super::tests::{SYSTEM, files, has};
use super::*;
use crate::drive::spec::{FastWrite, InterfaceSpec, ScsiSpec};
use crate::replay::Order;

fn over(component: &str, key: &str, value: &str) -> Override {
    Override { component: component.to_owned(), key: key.to_owned(), value: value.to_owned() }
}

fn drive(text: &str, overrides: &[Override]) -> Result<ImportedDrive, String> {
    let source = Source::new("dir/system.parv", text);
    import_drive_with(source, overrides, None, &mut |path: &Path| files(path))
        .map_err(|faults| faults.to_string())
}

fn system(text: &str, overrides: &[Override]) -> Result<ImportedSystem, String> {
    let source = Source::new("dir/system.parv", text);
    import_system_with(source, overrides, &mut |path: &Path| files(path)).map_err(|faults| faults.to_string())
}

fn scsi(spec: &crate::drive::DriveSpec) -> ScsiSpec {
    let InterfaceSpec::Scsi(scsi) = spec.interface else { panic!("SCSI") };
    scsi
}

#[test]
fn entries_are_given_anew_as_on_disksims_command_line() {
    let overrides = [
        over("disk0", "Fast write level", "0"),
        over("disk0", "Segment size (in blks)", "96"),
        over("bus1", "Read  block transfer time", "0.5"),
    ];
    let imported = drive(SYSTEM, &overrides).unwrap();
    let front = scsi(&imported.spec);
    assert_eq!((front.fast_write, front.segments.blocks, front.block_ms), (FastWrite::Off, 96, 0.5));
    assert_eq!(imported.warnings, Vec::<String>::new());
    // By the name of a block all its instances, behind what was said of one of them.
    let overrides = [over("disk0", "Segment size (in blks)", "96"), over("DISK", "Fast write level", "0")];
    let imported = drive(SYSTEM, &overrides).unwrap();
    let front = scsi(&imported.spec);
    assert_eq!((front.fast_write, front.segments.blocks), (FastWrite::Off, 96));
    // A drive without a system goes by the name of its block, and so does a block inside.
    let text = include_str!("../../tests/corpus/disksim/front.diskspecs");
    let spec = drive(text, &[over("DISK", "Fast write level", "2")]).unwrap().spec;
    assert_eq!((scsi(&spec).fast_write, spec.name.as_str()), (FastWrite::Sequential, "DISK"));
    let spec = drive(SYSTEM, &[over("SMALL", "Number of data surfaces", "1")]).unwrap().spec;
    assert_eq!(spec.heads, 1);
}

#[test]
fn several_components_and_blocks_inside_can_be_named() {
    let text = SYSTEM.replace("[ disk0 ] as DISK", "[ disk0 .. disk3 ] as DISK");
    let levels = |component: &str| -> Vec<FastWrite> {
        let imported = system(&text, &[over(component, "Fast write level", "0")]).unwrap();
        assert_eq!(imported.names, ["disk0", "disk1", "disk2", "disk3"], "numbers of drives stay");
        let models = &imported.system.models;
        imported.system.drives.iter().map(|drive| scsi(&models[drive.model]).fast_write).collect()
    };
    use FastWrite::{Appending, Off};
    assert_eq!(levels("disk1"), [Appending, Off, Appending, Appending]);
    assert_eq!(levels("disk1 .. disk2"), [Appending, Off, Off, Appending]);
    assert_eq!(levels("disk*"), [Off; 4]);
    let policy = |value: &str| system(SYSTEM, &[over("driver0", "Scheduler:Scheduling policy", value)]);
    assert_eq!(policy("3").unwrap().system.driver.order, Order::CLook);
    has(
        &policy("99").unwrap_err(),
        &["--override:1:", "`Scheduling policy` is 99; allowed is 1 to 28", "help: "],
    );
    let fault = system(SYSTEM, &[over("driver0", "type:Scheduling policy", "3")]).unwrap_err();
    has(&fault, &["--override:1:10: error: `type` is no block of driver0", "help: "]);
}

#[test]
fn what_is_no_key_and_no_value_is_refused_where_it_stands() {
    let refused = |component: &str, key: &str, value: &str, parts: &[&str]| {
        for fault in [
            drive(SYSTEM, &[over(component, key, value)]).err().unwrap(),
            system(SYSTEM, &[over(component, key, value)]).err().unwrap(),
        ] {
            has(&fault, parts);
            has(&fault, &["--override", "help: "]);
        }
    };
    let level = "Fast write level";
    refused("disk0", level, "0 # c", &["--override:1:29: error: a comment within a value"]);
    refused("disk0", level, "0 , Segment size (in blks) = 1", &["--override:1:29", "found `,`"]);
    refused("disk0", level, "0 } disksim_bus X {", &["found `}`"]);
    refused("disk0", level, "source small.model", &["no file can be named here"]);
    refused("disk0", level, "", &["a value was expected"]);
    refused("disk0", level, "0\n1", &["a line break"]);
    refused("disk0", level, "fast", &["is a name and takes a whole number"]);
    refused("disk0", level, "9", &["`Fast write level` is 9; allowed is 0 to 2"]);
    refused("disk0", "Fast write level = 0 #", "1", &["no key `Fast write level = 0 #`"]);
    refused("disk0", "Fast write levle", "1", &["did you mean `Fast write level`?"]);
    let parts = ["--override:1:1: error: there is no component called `disk9`", "did you mean `disk0`?"];
    refused("disk9", level, "1", &parts);
}

#[test]
fn what_stands_around_a_drive_is_judged_as_in_a_file() {
    for (component, block, key, value) in [
        ("bus0", "BUS0", "type", "99"),
        ("bus0", "BUS0", "Arbitration type", "99"),
        ("bus0", "BUS0", "Read block transfer time", "1e300"),
        ("bus1", "BUS0", "Arbitration time", "-1"),
        ("ctlr0", "CTLR0", "type", "99"),
        ("ctlr0", "CTLR0", "Scale for delays", "-1.0"),
        ("driver0", "DRIVER0", "Constant access time", "-9.0"),
        ("driver0", "DRIVER0", "Use queueing in subsystem", "7"),
    ] {
        let told = drive(SYSTEM, &[over(component, key, value)]).err().unwrap();
        has(&told, &["--override:1:", &format!("`{key}` is {value}; allowed is"), "help: write "]);
        let told = system(SYSTEM, &[over(component, key, value)]).err().unwrap();
        has(&told, &["--override:1:", &format!("`{key}` is {value}; allowed is"), "help: write "]);
        // The same value in the file itself.
        let start = SYSTEM.find(&format!(" {block} {{")).unwrap();
        let at = start + SYSTEM[start..].find(&format!("{key} = ")).unwrap() + key.len() + 3;
        let end = at + SYSTEM[at..].find(['\n', ',']).unwrap();
        let text = format!("{}{value}{}", &SYSTEM[..at], &SYSTEM[end..]);
        has(
            &drive(&text, &[]).err().unwrap(),
            &["dir/system.parv:", &format!("`{key}` is {value}; allowed is")],
        );
    }
}

#[test]
fn an_override_without_effect_says_so() {
    let told = |overrides: &[Override]| system(SYSTEM, overrides).unwrap().warnings.join("\n");
    has(
        &told(&[over("disk0", "Fast write level", "0"), over("disk0", "Print stats", "0")]),
        &["--override:2: warning: `Print stats` of disk0 changes nothing"],
    );
    has(&told(&[over("disk0", "Fast write level", "1")]), &["--override:1: warning:", "is 1 already"]);
    let both = [over("disk0", "Fast write level", "0"), over("disk0", "Fast write level", "2")];
    has(&told(&both), &["--override:1: warning:", "given anew once more"]);
    assert!(!told(&both).contains("--override:2"));
    // What has no counterpart has been told of at its place.
    let told = told(&[over("ctlr0", "type", "3")]);
    has(&told, &["--override:1: warning: `type = 3` has no counterpart"]);
    assert_eq!(told.matches("--override").count(), 1, "{told}");
    // Of a drive alone the driver is no part.
    let alone = drive(SYSTEM, &[over("driver0", "Scheduler:Scheduling policy", "3")]).unwrap();
    has(&alone.warnings.join("\n"), &["--override:1: warning:", "changes nothing"]);
}

#[test]
fn names_that_the_description_uses_are_left_to_it() {
    let text = SYSTEM.replace(
        "instantiate [ disk0 ] as DISK",
        "DISK DISK_override1 { Fast write level = 2 } instantiate [ disk1 ] as DISK_override1 instantiate [ disk0 ] as DISK",
    );
    let imported = system(&text, &[over("disk0", "Fast write level", "0")]).unwrap();
    let models = &imported.system.models;
    let levels: Vec<_> =
        imported.system.drives.iter().map(|drive| scsi(&models[drive.model]).fast_write).collect();
    assert_eq!(
        (levels, imported.names),
        (vec![FastWrite::Sequential, FastWrite::Off], vec!["disk1".to_owned(), "disk0".to_owned()])
    );
}
