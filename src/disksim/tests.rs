//! Grammar, checks and faults.

use std::path::Path;

use super::*;
use crate::config::Diagnostic;
use crate::drive::spec::{FastWrite, InterfaceSpec, WriteSeek};

fn read(text: &str) -> Result<Document, String> {
    parse(text.as_bytes()).map_err(|faults| faults.to_string())
}

fn blocks(document: &Document) -> Vec<&Block> {
    let mut blocks = Vec::new();
    for statement in &document.statements {
        if let Statement::Block(block) = statement {
            blocks.push(block);
        }
    }
    blocks
}

/// A drive of three cylinders in files of their own.
pub(super) fn files(path: &Path) -> Result<Source, crate::config::Diagnostics> {
    let name = path.display().to_string();
    let text = match name.as_str() {
        "dir/front.diskspecs" => include_str!("../../tests/corpus/disksim/front.diskspecs"),
        "dir/small.model" => include_str!("../../tests/corpus/disksim/small.model"),
        "dir/small.seek" => include_str!("../../tests/corpus/disksim/small.seek"),
        _ => {
            let error = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(Diagnostic::for_io(name, &error).into());
        }
    };
    Ok(Source::new(name, text))
}

pub(super) const SYSTEM: &str = include_str!("../../tests/corpus/disksim/system.parv");

fn import(text: &str) -> Result<ImportedDrive, String> {
    let source = Source::new("dir/system.parv", text);
    import_drive(source, None, &mut |path: &Path| files(path)).map_err(|faults| faults.to_string())
}

/// The fault of the system with `from` in place of `to` in whichever of its files has it.
pub(super) fn changed(from: &str, to: &str) -> Result<ImportedDrive, String> {
    let source = Source::new("dir/system.parv", SYSTEM.replace(from, to));
    let mut read =
        |path: &Path| files(path).map(|source| Source::new(source.name, source.text.replace(from, to)));
    import_drive(source, None, &mut read).map_err(|faults| faults.to_string())
}

pub(super) fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
}

#[test]
fn all_forms_of_statement_and_value_are_read() {
    let document = read(
        "# a comment\ndisksim_bus BUS0 { type = 1, Print stats = -0x10, Arbitration time=2.5e-3 }\n\
         instantiate [ bus0, disk1 .. disk3 ] as BUS0 topology disksim_iodriver d [ disksim_bus b0 [], disksim_bus b1 [ disksim_disk x [] ] ]\n\
         KIND other { list = [ 1, [ 2.0 ], a b { c = d } ], [ one, two ] = 3, RMW vs. reconstruct = 0.5, }",
    )
    .unwrap();
    let all = blocks(&document);
    assert_eq!(all.len(), 2);
    assert!(matches!(all[0].param("Print stats").unwrap().item.value, Value::Integer(-16)));
    assert!(matches!(all[0].param("Arbitration time").unwrap().item.value, Value::Real(ms) if ms == 2.5e-3));
    assert!(matches!(all[1].param("two").unwrap().item.value, Value::Integer(3)));
    assert!(all[1].param("RMW vs. reconstruct").is_some());
    let Statement::Instantiate { names, model } = &document.statements[1] else { panic!("no instance") };
    let names: Vec<&str> = names.iter().map(|name| name.text.as_str()).collect();
    assert_eq!((names, model.text.as_str()), (vec!["bus0", "disk1", "disk2", "disk3"], "BUS0"));
    let Statement::Topology(node) = &document.statements[2] else { panic!("no topology") };
    assert_eq!((node.children.len(), node.children[1].children[0].name.text.as_str()), (2, "x"));
}

#[test]
fn every_fault_of_syntax_is_told_with_its_place() {
    let text = "disksim_bus A {\n type = 1\n Arbitration type = 1,\n Print stats 4,\n Arbitration time = ,\n}\n\
                disksim_ctlr { type = 1 }\ninstantiate [ a ] BUS\n";
    let faults = read(text).unwrap_err();
    has(
        &faults,
        &[
            "text:3:2: error: a comma is missing before `Arbitration`",
            "text:4:15: error: `=` behind `Print stats 4` was expected; found `,`",
            "text:5:21: error: a value was expected; found `,`",
            "text:7:13: error: this disksim_ctlr has no name",
            "text:8:19: error: `as` was expected; found `BUS`",
        ],
    );
    assert_eq!(faults.matches("error:").count(), 5, "{faults}");
}

#[test]
fn what_is_never_closed_is_told_where_it_was_opened() {
    has(&read("disksim_bus A {\n type = [ 1, 2").unwrap_err(), &["text:2:9", "never closed"]);
    has(&read("disksim_bus A {\n type = 1").unwrap_err(), &["text:1:15", "the block A is never closed"]);
    has(&read("disksim_bus A { type = [1} , x = 2 }").unwrap_err(), &["text:1:26", "close it with `]`"]);
}

#[test]
fn heaps_of_brackets_end_soon_and_in_one_fault() {
    for letters in ["[", "a{", "a b {x=", "topology a b [", "]", "}", "a b [", ",", "= ", "source ", "x "] {
        let text = format!("disksim_bus A {{ type = {}", letters.repeat(300_000));
        let faults = read(&text).unwrap_err();
        assert!(faults.len() < 30_000, "{letters}: {} bytes", faults.len());
        assert!(read(&letters.repeat(300_000)).is_err());
    }
}

#[test]
fn a_whole_system_becomes_a_drive() {
    let imported = import(SYSTEM).unwrap();
    let spec = &imported.spec;
    assert_eq!((spec.heads, spec.cylinders(), spec.rpm), (2, 61, 7200));
    // Cylinder 20 belongs to no zone; each range of 7 cylinders keeps 3 sectors, the last of 6 none.
    assert_eq!(spec.capacity_sectors, 20 * 2 * 20 - 5 - 2 * 3 + 40 * 2 * 16 - 5 * 3);
    assert_eq!(imported.warnings, Vec::<String>::new());
    let InterfaceSpec::Scsi(scsi) = spec.interface else { panic!("{:?}", spec.interface) };
    assert_eq!((scsi.block_ms, scsi.write_block_ms), (0.06, Some(0.07)), "the slower of bus and drive");
    assert_eq!((scsi.segments.count, scsi.fast_write), (2, FastWrite::Appending));
    assert_eq!(spec.write_seek, WriteSeek::Settle(-0.1));
    let text = ron(spec, "a drive");
    let again: crate::drive::DriveSpec = crate::config::load(&Source::new("x.ron", text)).unwrap();
    assert_eq!(&again, spec);
}

#[test]
fn misspelt_keys_and_wrong_values_are_told_with_file_line_and_nearest_name() {
    let fault = |from: &str, to: &str, parts: &[&str]| has(&changed(from, to).err().unwrap(), parts);
    fault(
        "Head switch time",
        "Haed switch time",
        &["dir/small.model:", "no key `Haed switch time`", "did you mean `Head switch time`?"],
    );
    fault("Head switch time = 0.4,", "", &["small.model", "lacks `Head switch time`"]);
    fault("Head switch time = 0.4", "Head switch time = fast", &["is a name and takes a number"]);
    fault(
        "Sparing scheme used = 8",
        "Sparing scheme used = 11",
        &["small.model", "is 11; allowed is 0 to 10"],
    );
    fault("Last cylinder number = 19", "Last cylinder number = 1099511627776", &["allowed is 0 to 1048575"]);
    fault(
        "First cylinder number = 21",
        "First cylinder number = 5",
        &["cylinders 5 to 60 do not follow cylinder 19"],
    );
    fault("slips = [ 30 ]", "slips = [ 30, x ]", &["`x` is no place of `slips`"]);
    fault("defects = [ 41, 223 ]", "defects = [ 41 ]", &["odd number"]);
    fault("small.seek", "none.seek", &["dir/small.model:", "`none.seek`: no such file"]);
    fault("source small.model", "source none.model", &["dir/front.diskspecs:", "`none.model`: no such file"]);
    fault("source front.diskspecs", "source system.parv", &["names itself"]);
    fault("3, 1.5", "3; 1.5", &["dir/small.seek:4:1", "no point of a seek curve"]);
    fault("Seek type = extracted", "Seek type = extraced", &["no type of seek"]);
    fault("dm_disk SMALL", "dm_dsk SMALL", &["`dm_dsk` is no type of block", "did you mean `dm_disk`?"]);
    fault("as DISK", "as DISKS", &["no block called `DISKS`", "did you mean `DISK`?"]);
    fault(
        "Scheduler = disksim_ioqueue",
        "Scheduler = QUEUE, Schedular = disksim_ioqueue",
        &["no block called `QUEUE`", "no key `Schedular`"],
    );
}

#[test]
fn a_circle_of_files_is_told() {
    let mut read = |path: &Path| Ok(Source::new(path.display().to_string(), "source b\n"));
    let faults = parse_source(Source::new("b", "source b\n"), &mut read).unwrap_err().to_string();
    has(&faults, &["b:1:8", "names itself"]);
    let mut number = 0;
    let mut read = |path: &Path| {
        number += 1;
        Ok(Source::new(path.display().to_string(), format!("source f{number} source g{number}")))
    };
    let faults = parse_source(Source::new("top", "source a"), &mut read).unwrap_err().to_string();
    has(&faults, &["32 deep"]);
}

#[test]
fn a_block_may_vary_an_earlier_one() {
    let imported = changed(
        "instantiate [ disk0 ] as DISK",
        "DISK FASTER { Read hit over. after read = 0.01 } instantiate [ disk0 ] as FASTER",
    );
    let spec = imported.unwrap().spec;
    assert_eq!(spec.overhead.read_hit_ms, 0.01);
    assert_eq!(spec.overhead.read_hit_after_write_ms, Some(0.2));
}

#[test]
fn among_several_drives_one_must_be_chosen() {
    let text = SYSTEM.replace(
        "instantiate [ disk0 ] as DISK",
        "DISK B { } instantiate [ disk0 ] as DISK instantiate [ disk1 ] as B",
    );
    has(&import(&text).unwrap_err(), &["this describes 2 drives", "--disk: `B`, `DISK`"]);
    let choose = |wanted: &str| {
        let source = Source::new("dir/system.parv", text.clone());
        import_drive(source, Some(wanted), &mut |path: &Path| files(path))
    };
    assert_eq!(choose("disk1").unwrap().spec.name, "B");
    assert_eq!(choose("DISK").unwrap().spec.name, "DISK");
    has(&choose("disk9").unwrap_err().to_string(), &["no drive called `disk9`"]);
}

#[test]
fn a_system_has_its_drives_on_their_buses() {
    let text = SYSTEM
        .replace("[ disk0 ] as DISK", "[ disk0 .. disk2 ] as DISK")
        .replace("disksim_disk disk0 []", "disksim_disk disk0 [], disksim_disk disk1 []")
        .replace(
            "Scheduling policy = 1,\n      Cylinder mapping strategy = 1",
            "Scheduling policy = 3,\n      Cylinder mapping strategy = 1",
        );
    let source = Source::new("dir/system.parv", text);
    let imported = import_system(source, &mut |path: &Path| files(path)).unwrap();
    let system = &imported.system;
    assert_eq!((system.models.len(), system.drives.len(), system.buses.len()), (1, 3, 2));
    assert_eq!(system.drives.iter().map(|drive| drive.bus).collect::<Vec<_>>(), [0, 0, 1]);
    assert_eq!((system.buses[0].read_block_ms, system.buses[0].write_block_ms), (0.06, 0.07));
    assert_eq!(system.driver.order, crate::replay::Order::CLook);
    has(&imported.warnings.join("\n"), &["disk2 hangs nowhere"]);
}

#[test]
fn what_disksim_passes_over_is_told_and_left_out() {
    let warned = |from: &str, to: &str, parts: &[&str]| {
        let imported = changed(from, to).unwrap();
        has(&imported.warnings.join("\n"), parts);
        imported.spec
    };
    let spec =
        warned("slips = [ 30 ]", "slips = [ 30, 900 ]", &["small.model:19: warning: `900` of `slips`"]);
    assert_eq!(spec.defects.slips, [30]);
    let spec = warned("defects = [ 41, 223 ]", "defects = [ 41, 50 ]", &["whose spare is in use"]);
    assert!(spec.defects.remaps.is_empty());
    let spec = warned("3, 1.5", "1, 1.5", &["dir/small.seek:4: warning: distances do not rise"]);
    assert_eq!(spec.seek, crate::drive::spec::SeekCurve::Measured(vec![(1, 1.0), (2, 0.9), (30, 4.0)]));
    warned(
        "Block count = 2054",
        "Block count = 2000",
        &["the zones hold 2054 sectors; that is taken, not 2000"],
    );
    warned(
        "Preseeking level = 0",
        "Preseeking level = 2",
        &["front.diskspecs:", "`Preseeking level = 2` has no counterpart"],
    );
}

#[test]
fn a_curve_file_that_is_cut_short_is_told() {
    let imported = changed("30, 4.0", "").unwrap();
    has(
        &imported.warnings.join("\n"),
        &["dir/small.seek:1: warning: 4 points are announced and 3 are there"],
    );
    let fault = changed("measured: 4", "measured: four").err().unwrap();
    has(&fault, &["dir/small.seek:1:1", "this counts no points"]);
}

#[test]
fn a_curve_that_no_drive_has_is_told_or_refused() {
    let curve = |points: &str| {
        let change = |source: Source| {
            let is_curve = source.name.ends_with(".seek");
            if is_curve { Source::new(source.name, points) } else { source }
        };
        let source = Source::new("dir/system.parv", SYSTEM);
        let read = &mut |path: &Path| files(path).map(change);
        import_drive(source, None, read)
            .map(|imported| imported.warnings.join("\n"))
            .map_err(|f| f.to_string())
    };
    assert_eq!(curve("1, 1.0\n2, 1.2\n60, 4.0\n").unwrap(), "");
    has(
        &curve("1, 1.0\n60, 4.").unwrap(),
        &["small.seek:2: warning: nothing ends the last line", "`60, 4.`"],
    );
    has(
        &curve("1, 1.0\n30, 3.0\n99999, 9.0\n").unwrap(),
        &["small.seek:3: warning: 99999 cylinders are farther than the longest seek of this drive, over 60"],
    );
    has(
        &curve("1, 1.0\n2, 5.0\n3, 2.0\n60, 6.0\n").unwrap(),
        &["small.seek:3: warning: the curve falls: 2 ms"],
    );
    has(&curve("1, 1.0\n2, 5.0\n60, 4.0\n").unwrap(), &["small.seek:3: warning:", "one over 2 5 ms"]);
    has(
        &curve("1, 4.0\n30, 2.0\n60, 1.0\n").unwrap_err(),
        &["dir/small.seek:3:1: error: the longest seek, over 60 cylinders, takes 1 ms", "help: "],
    );
    has(
        &curve("1, 1.0, 0.1, 2.0\n60, 4.0, 0.1, 0.5\n").unwrap(),
        &["small.seek:2: warning: the curve of writes"],
    );
    has(&curve("").unwrap_err(), &["no point in this seek curve", "help: "]);
}

#[test]
fn skews_of_more_than_a_turn_are_told() {
    let told = |from: &str, to: &str| changed(from, to).unwrap().warnings.join("\n");
    has(
        &told("Skew for track switch = 2", "Skew for track switch = 5002"),
        &["small.model:", "a turn or more, which is 20 sectors: it counts as 2 sectors"],
    );
    has(
        &told("Offset of first block = 0.25", "Offset of first block = 7.25"),
        &["small.model:", "which is 1 turns: it counts as 0.25 turns"],
    );
}

#[test]
fn numbers_of_any_length_are_shown_in_few_digits() {
    for long in [format!("1{}", "0".repeat(300)), "1e300".to_owned()] {
        for key in
            ["Head switch time = 0.4", "Block count = 2054", "Number of spares = 3", "Blocks per track = 20"]
        {
            let (name, _) = key.split_once(" = ").unwrap();
            let told = match changed(key, &format!("{name} = {long}")) {
                Ok(imported) => imported.warnings,
                Err(fault) => {
                    fault.lines().filter(|line| line.contains("error:")).map(str::to_owned).collect()
                }
            };
            assert!(!told.is_empty() && told.iter().all(|line| line.len() < 200), "{told:?}");
        }
    }
}

#[test]
fn negative_times_count_as_none_and_are_told() {
    let imported = changed("Read block transfer time = 0.06", "Read block transfer time = -0.06").unwrap();
    has(
        &imported.warnings.join("\n"),
        &["dir/system.parv:", "`Read block transfer time = -0.06` is negative"],
    );
}

#[test]
fn what_is_wrong_with_the_model_is_told_where_the_description_says_it() {
    let spares = "Number of spares = 3,\n            slips = [ 30 ]";
    let fault = changed(spares, &spares.replace("= 3", "= 300")).err().unwrap();
    has(
        &fault,
        &["dir/small.model:18:", "300 spare sectors in regions of 280", "`zones[0].spares` of the model"],
    );
    assert!(!fault.contains("as a model"), "{fault}");
}

#[test]
fn a_curve_whose_pieces_meet_with_a_step_down_keeps_its_points() {
    let imported = changed(
        "Seek type = extracted,\n      Full seek curve = small.seek",
        "Seek type = hpl, HPL seek equation values = [ 20, 1.0, 0.5, 1.0, 0.01, -1.0 ]",
    )
    .unwrap();
    has(&imported.warnings.join("\n"), &["small.model:", "do not rise at 20 cylinders"]);
    let crate::drive::spec::SeekCurve::Measured(points) = &imported.spec.seek else { panic!("measured") };
    assert_eq!((points[3], points[19], points.last()), ((4, 2.0), (20, 1.2), Some(&(60, 1.6))));
}

#[test]
fn slips_beyond_the_spares_of_their_zone_are_left_out() {
    let change = |source: Source| {
        let text = source.text.replace("Sparing scheme used = 8", "Sparing scheme used = 9");
        Source::new(source.name, text.replace("slips = [ 30 ]", "slips = [ 30, 40, 50, 60 ]"))
    };
    let source = Source::new("dir/system.parv", SYSTEM);
    let imported = import_drive(source, None, &mut |path: &Path| files(path).map(change)).unwrap();
    assert_eq!(imported.spec.defects.slips, [30, 40, 50]);
    has(
        &imported.warnings.join("\n"),
        &["small.model:19: warning: 4 slips are more than the zone's 3 spares"],
    );
}

#[test]
fn the_most_that_is_read_ahead_is_never_less_than_the_least() {
    let read_ahead = |least: &str, most: &str| {
        let change = |source: Source| {
            let text = source.text.replace("Minimum read-ahead (blks) = 0", least);
            Source::new(source.name, text.replace("Maximum read-ahead (blks) = 64", most))
        };
        let source = Source::new("dir/system.parv", SYSTEM);
        let imported = import_drive(source, None, &mut |path: &Path| files(path).map(change)).unwrap();
        let InterfaceSpec::Scsi(scsi) = imported.spec.interface else { panic!("SCSI") };
        (scsi.prefetch_minimum_blocks, scsi.prefetch_maximum_blocks)
    };
    let (least, most) = ("Minimum read-ahead (blks) = 20", "Maximum read-ahead (blks) = 0");
    assert_eq!(read_ahead(least, most), (20, 20));
    assert_eq!(read_ahead("Minimum read-ahead (blks) = 0", most), (0, 0));
}
