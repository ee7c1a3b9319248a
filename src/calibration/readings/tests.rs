use super::*;
use proptest::prelude::*;

const CAPACITY: u64 = 2_000_000;
const PLAIN: Units = Units { position: None, rate: None, time: None };

/// Eight lines of these positions and rates.
fn lines(header: &str, line: impl Fn(u32) -> String) -> Source {
    let body: Vec<String> = (0..8).map(line).collect();
    Source::new("stairs.csv", format!("{header}{}\n", body.join("\n")))
}

fn first_two(source: &Source, units: Units) -> [(f64, f64); 2] {
    let found = rates(source, units, CAPACITY).unwrap_or_else(|faults| panic!("{faults}")).values;
    assert_eq!(found.len(), 8);
    [0, 1].map(|at: usize| (found[at].lba, found[at].mb_s))
}

#[test]
fn headers_name_columns_and_units() {
    for (header, line, expected) in [
        ("lba,rate_mb_s\n", "1000,40.5", (1000.0, 40.5)),
        ("Position (MB);Transfer rate (MB/s)\n", "1,024;40,5", (2000.0, 40.5)),
        ("Position (MB)\tTransfer rate (MB/s)\n", "1,024\t40,5", (2000.0, 40.5)),
        ("Position;Rate\n(MB);(Mb/s)\n", "1,024;324,0", (2000.0, 40.5)),
        ("# HD Tune\nDrive: x\n\nPosition [%]\tSpeed [MiB/s]\n", "1%\t40", (20_000.0, 41.943_04)),
        ("GB,MB/s\n", "0.1024,40", (200_000.0, 40.0)),
        ("\"offset bytes\" , \"throughput KiB/s\"\n", "\"1024\" , \"40000\"", (2.0, 40.96)),
        ("position_gb,series,rate_kb_s,\n", "0.1024,x,40000,", (200_000.0, 40.0)),
    ] {
        // At as many places as needed, and the one that is looked for is the first.
        let shown =
            |at: u32| if at == 0 { line.to_owned() } else { line.replacen('1', &format!("1{at}"), 1) };
        let found = first_two(&lines(header, shown), PLAIN);
        let close = (found[0].0 - expected.0).abs() < 1e-3 && (found[0].1 - expected.1).abs() < 1e-9;
        assert!(close, "{header}: {found:?}");
    }
}

#[test]
fn options_say_what_a_header_does_not() {
    let bare = lines("", |at| format!("{} {}", at, 40 - at));
    let told = rates(&bare, PLAIN, CAPACITY).unwrap_err().to_string();
    assert!(told.contains("stairs.csv:1:1:") && told.contains("--position-unit"), "{told}");
    let units = Units { position: Some(PositionUnit::Percent), rate: Some(RateUnit::MbS), time: None };
    assert_eq!(first_two(&bare, units)[1], (20_000.0, 39.0));
    let no_rate = lines("lba,speed\n", |at| format!("{at},1"));
    let told = rates(&no_rate, PLAIN, CAPACITY).unwrap_err().to_string();
    assert!(told.contains("stairs.csv:1:1:") && told.contains("--rate-unit"), "{told}");
}

#[test]
fn of_fios_log_the_reads_count() {
    let log =
        lines("", |at| format!("{}, {}, 0, 65536, {}, 0\n9, 1, 1, 65536, 0, 0", at, 1000 + at, at * 1024));
    assert_eq!(first_two(&log, PLAIN)[1], (2.0, 1001.0 * 1024.0 / 1e6));
    // Without offsets.
    let log = lines("", |at| format!("{at}, 1000, 0, 65536"));
    assert!(rates(&log, PLAIN, CAPACITY).unwrap_err().to_string().contains("log_offset=1"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let refused = |line: &str, told: &[&str]| {
        let wrong = line.to_owned();
        let source = lines("lba,rate_mb_s\n", |at| if at == 3 { wrong.clone() } else { format!("{at},40") });
        let text = rates(&source, PLAIN, CAPACITY).unwrap_err().to_string();
        for part in told {
            assert!(text.contains(part), "{line}: {part}: {text}");
        }
    };
    refused("5,NaN", &["stairs.csv:5:3: error: `NaN` is no number", "help: correct or remove the line"]);
    refused("5,inf", &["stairs.csv:5:3:"]);
    refused("-5,40", &["stairs.csv:5:1:"]);
    refused("5,0", &["stairs.csv:5:3: error: a rate of 0"]);
    refused("5", &["stairs.csv:5:1: error: the line has no column 2"]);
    refused("2000001,40", &["stairs.csv:5:1: error: this is sector 2000001, the drive has 2000000", "unit"]);
    let few = Source::new("few.csv", "lba,rate_mb_s\n1,2\n");
    let told = rates(&few, PLAIN, CAPACITY).unwrap_err().to_string();
    assert_eq!(told, "few.csv: error: 1 rates; at least 8 are needed\nhelp: measure at more places");
    let many = Source::new("many.csv", format!("lba,rate_mb_s\n{}", "x,y\n".repeat(100)));
    assert!(
        rates(&many, PLAIN, CAPACITY)
            .unwrap_err()
            .to_string()
            .contains("200 lines are wrong, of which 20 are told")
    );
}

#[test]
fn access_times_may_have_places() {
    let read = |source: &Source| accesses(source, PLAIN, CAPACITY).unwrap().values;
    let times = lines("", |at| format!("{at}.5"));
    let ms = Units { time: Some(TimeUnit::Ms), ..PLAIN };
    let told = accesses(&times, PLAIN, CAPACITY).unwrap_err().to_string();
    assert!(told.contains("no unit for the access time") && told.contains("--time-unit"), "{told}");
    assert_eq!(
        accesses(&times, ms, CAPACITY).unwrap().values[2],
        AccessReading { ms: 2.5, place: Place::Unknown }
    );
    let times = lines("Position (%),Access time (us)\n", |at| format!("{at},{at}500"));
    assert_eq!(read(&times)[2], AccessReading { ms: 2.5, place: Place::Lba(40_000.0) });
    let times = lines("distance_cylinders,access_ms\n", |at| format!("{at},2.5"));
    assert_eq!(read(&times)[2], AccessReading { ms: 2.5, place: Place::Cylinders(2.0) });
    let times =
        lines("distance_cylinders,access_ms\n", |at| format!("{at}{},2.5", "0".repeat(30 * at as usize)));
    let told = accesses(&times, PLAIN, CAPACITY).unwrap_err().to_string();
    assert!(told.contains("no drive has more than 1048576 cylinders") && told.contains(":3:1"), "{told}");
}

#[test]
fn the_columns_that_are_read_are_told_and_reads_come_before_writes() {
    let header = "LBA,Write MB/s,Max read MB/s,Read MB/s\n";
    let found = rates(&lines(header, |at| format!("{at},10,50,40")), PLAIN, CAPACITY).unwrap();
    assert_eq!(found.values[0].mb_s, 40.0);
    assert_eq!(
        found.columns,
        "rates from column 4 `Read MB/s` in MB/s of 10^6 bytes; positions from column 1 `LBA` in sectors of 512 bytes; \
         passed over: column 2 `Write MB/s`, column 3 `Max read MB/s`"
    );
    let found = rates(&lines("LBA,Write MB/s\n", |at| format!("{at},10")), PLAIN, CAPACITY).unwrap();
    assert!(found.columns.contains("rates of writing, taken for those of reading"), "{}", found.columns);
    let found = accesses(&lines("Access time (s)\n", |at| format!("0.00{at}1")), PLAIN, CAPACITY).unwrap();
    assert!((found.values[3].ms - 3.1).abs() < 1e-9);
    assert_eq!(found.columns, "times from column 1 `Access time (s)` in seconds; no positions");
}

#[test]
fn what_may_be_read_in_two_ways_is_refused_by_its_name() {
    let refused = |header: &str, line: &str, parts: &[&str]| {
        let shown = line.to_owned();
        let told = rates(&lines(header, |_| shown.clone()), PLAIN, CAPACITY).unwrap_err().to_string();
        for part in parts {
            assert!(told.contains(part), "{part}: {told}");
        }
    };
    refused(
        "lba,mbps\n",
        "1,2",
        &["stairs.csv:1:1:", "column 2: `mbps` may be bits or bytes a second", "--rate-unit"],
    );
    refused("lba,speed (sectors/s)\n", "1,2", &["`sectors/s` is no unit of rates"]);
    refused("offset (Gb),MB/s\n", "1,2", &["column 1: `Gb` may be bits or bytes"]);
    refused(
        "lba;MB/s\n",
        "1,024;41,943",
        &["stairs.csv:2:1:", "the comma in `1,024` may be decimal or part thousands"],
    );
    refused("lba;MB/s\n", "1,024;40.5", &["`1,024` may be decimal"]);
    refused("lba,MB/s\n", "1,5,40,5", &["the line has 4 fields and the header 2", "semicolons"]);
    refused("lba,MB/s\n", "7,40", &["8 rates at 1 place; at least 8 places", "column 1 `lba`"]);
    let both = lines("lba,MB/s\n", |at| format!("{at},40"));
    let told = rates(&both, Units { rate: Some(RateUnit::MibS), ..PLAIN }, CAPACITY).unwrap_err().to_string();
    assert!(told.contains("column 2 another unit for the rate than the option"), "{told}");
    assert!(rates(&both, Units { rate: Some(RateUnit::MbS), ..PLAIN }, CAPACITY).is_ok());
    let twice = Source::new("twice.csv", "lba,MB/s\n1,2\nlba,MB/s\n3,4\n");
    let told = rates(&twice, PLAIN, CAPACITY).unwrap_err().to_string();
    assert!(told.contains("twice.csv:3:1: error: the header stands here again"), "{told}");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "([a-z0-9,;.\t\n %/\"éNaN-]{0,20}|lba,rate_mb_s\n){0,9}") {
        let source = Source::new("x", text);
        for faults in [rates(&source, PLAIN, CAPACITY).err(), accesses(&source, PLAIN, CAPACITY).err()] {
            prop_assert!(faults.is_none_or(|faults| !faults.to_string().is_empty()));
        }
    }
}
