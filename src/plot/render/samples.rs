//! Figures for tests and for the eye: the kinds the reviews need, with made-up numbers, and the odd cases.

use crate::plot::figure::{Axis, BarColours, Ceiling, Figure, Kind, Mark, Orientation, Point, Series, Side};
use crate::plot::theme;

/// A figure of lines over labelled steps: a row a series, a value a step.
pub(super) fn lines(title: &str, x: Axis, y: Axis, rows: &[(&str, Vec<f64>)]) -> Figure {
    let labels: Vec<&str> = rows.iter().map(|(label, _)| *label).collect();
    let series = rows
        .iter()
        .zip(theme::styles(&labels))
        .map(|((label, values), style)| {
            let point = |(index, &y): (usize, &f64)| Point::new(index as f64, y);
            Series::line(label, style, values.iter().enumerate().map(point).collect())
        })
        .collect();
    Figure {
        title: title.to_owned(),
        subtitle: "HPT372A, PCI 32 bit at 33 MHz, 4 outstanding requests, mean of 4 runs".to_owned(),
        caption: "ataraid 0.1.0, scenario rocketraid133/sequential-read, seed 1, model Maxtor 6L020J1"
            .to_owned(),
        kind: Kind::Curves,
        x,
        y,
        right: None,
        series,
        ceilings: Vec::new(),
    }
}

pub(super) fn stacks(orientation: Orientation) -> Figure {
    let rows = [
        ("host", vec![0.05, 0.05, 0.05]),
        ("seek", vec![0.0, 8.5, 6.1]),
        ("rotation", vec![0.0, 4.2, 4.2]),
        ("media", vec![1.6, 0.2, 0.2]),
        ("bus transfer", vec![0.9, 0.1, 0.0]),
    ];
    let x = Axis::categories("case", "", ["sequential, one drive", "random, one drive", "random, four"]);
    let mut figure = lines("Where the time goes", x, Axis::linear("response_ms", "ms", true), &rows);
    figure.kind = Kind::Stacks(orientation);
    figure
}

fn ceiling(label: &str, value: f64) -> Ceiling {
    Ceiling { label: label.to_owned(), value }
}

const SIZES: [&str; 12] = ["512", "1K", "2K", "4K", "8K", "16K", "32K", "64K", "128K", "256K", "512K", "1M"];

pub(super) fn sequential_read() -> Figure {
    let curve = |peak: f64, knee: f64, dent: f64| -> Vec<f64> {
        (0..12)
            .map(|step| {
                let size = 0.5 * f64::from(1 << step);
                let dent = if step == 3 || step == 4 { dent } else { 1.0 };
                peak * size / (size + knee) * dent
            })
            .collect()
    };
    let rows = [
        ("1d", curve(39.0, 1.1, 1.0)),
        ("R0x2", curve(55.4, 1.6, 1.0)),
        ("R0x2c1", curve(53.1, 1.7, 0.96)),
        ("R0x3", curve(56.0, 1.9, 1.0)),
        ("R0x4", curve(63.5, 2.2, 1.0)),
        ("R1c1", curve(38.4, 1.2, 1.0)),
        ("R1c2", curve(38.8, 1.15, 1.0)),
        ("R01", curve(44.0, 0.9, 0.7)),
    ];
    let x = Axis::categories("block_bytes", "block size, bytes (K = 1,024)", SIZES);
    let y = Axis::linear("rate_mib_per_s", "throughput, MiB/s", true);
    let mut figure = lines("Sequential read by block size", x, y, &rows);
    figure.ceilings = vec![ceiling("PCI 33 MHz, 92 MiB/s", 92.0), ceiling("two drives' media rate", 78.0)];
    figure
}

pub(super) fn queue_depth() -> Figure {
    let rows = [
        ("1d", vec![78.0, 92.0, 131.0, 151.0, 160.0]),
        ("R0x2", vec![80.0, 97.0, 139.0, 166.0, 181.0]),
        ("R0x3", vec![79.0, 95.0, 143.0, 178.0, 196.0]),
        ("R0x4", vec![77.0, 94.0, 141.0, 175.0, 191.0]),
        ("R01", vec![82.0, 101.0, 137.0, 158.0, 168.0]),
    ];
    let x = Axis::categories("queue_depth", "outstanding requests", ["1", "4", "16", "64", "256"]);
    lines("Database pattern by queue depth", x, Axis::linear("io_per_s", "I/O rate, I/O per s", true), &rows)
}

pub(super) fn write_share() -> Figure {
    let curve = |read: f64, write: f64| -> Vec<f64> {
        (0..11).map(|step| read + (write - read) * (f64::from(step) / 10.0).powi(2)).collect()
    };
    let rows = [
        ("1d", curve(122.0, 190.0)),
        ("R0x2", curve(118.0, 330.0)),
        ("R0x2c1", curve(110.0, 300.0)),
        ("R0x3", curve(112.0, 452.0)),
        ("R0x4", curve(105.0, 540.0)),
    ];
    let shares = (0..=10).map(|step| format!("{}/{}", 100 - 10 * step, 10 * step));
    let x = Axis::categories("write_percent", "reads/writes, %", shares);
    let y = Axis::linear("io_per_s", "I/O rate, I/O per s", true);
    let mut figure = lines("Random 8 KiB requests by write share, 16 outstanding", x, y, &rows);
    for point in figure.series.iter_mut().flat_map(|series| &mut series.points) {
        point.error = Some(point.y * 0.035);
    }
    figure
}

const ARRAYS: [&str; 9] = ["1d", "R0x2c1", "R0x2", "R0x3", "R0x4", "R1c1", "R1c2", "R01", "JBOD"];

/// Nine arrays by two marks.
pub(super) fn bars(orientation: Orientation) -> Figure {
    let business = [6120.0, 6010.0, 6260.0, 6240.0, 6250.0, 5480.0, 5790.0, 5710.0, 6100.0];
    let high_end = [13_900.0, 15_200.0, 17_400.0, 18_900.0, 18_700.0, 12_100.0, 13_300.0, 12_900.0, 13_850.0];
    let x = Axis::categories("array", "", ARRAYS);
    let y = Axis::linear("value", "Disk WinMark, thousand B/s", true);
    let rows = [("Business Disk WinMark", business.to_vec()), ("High-End Disk WinMark", high_end.to_vec())];
    let mut figure = lines("WinBench 99 1.2, FAT32", x, y, &rows);
    figure.kind = Kind::Bars { orientation, colours: BarColours::Series };
    figure
}

pub(super) fn bars_by_array() -> Figure {
    let x = Axis::categories("array", "", ARRAYS);
    let y = Axis::linear("rate_mib_per_s", "throughput, MiB/s", true);
    let rows = [("rate", vec![39.0, 53.1, 55.4, 56.0, 63.5, 38.4, 38.8, 44.0, 38.9])];
    let mut figure = lines("Highest sequential read rate", x, y, &rows);
    let colours = BarColours::Category(theme::styles(&ARRAYS));
    figure.kind = Kind::Bars { orientation: Orientation::Vertical, colours };
    for (index, point) in figure.series.iter_mut().flat_map(|series| &mut series.points).enumerate() {
        point.error = Some(0.4 + index as f64 * 0.2);
    }
    figure.ceilings = vec![ceiling("media rate", 41.0)];
    figure
}

/// A drive: media rate and access times.
pub(super) fn drive() -> Figure {
    let zones = 16;
    let rate = |zone: i32| 40.8 - 1.25 * f64::from(zone) - 0.02 * f64::from(zone * zone);
    let mut steps: Vec<Point> =
        (0..zones).map(|zone| Point::new(f64::from(zone) * 20.4 / f64::from(zones), rate(zone))).collect();
    steps.push(Point::new(20.4, rate(zones - 1)));
    let mut state: u32 = 12345;
    let mut draw = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 8) / f64::from(1 << 24)
    };
    let access: Vec<Point> = (0..400)
        .map(|_| {
            let at = draw();
            Point::new(at * 20.4, 1.2 + 12.0 * at.sqrt() + 8.33 * draw())
        })
        .collect();
    let styles = theme::styles(&["media rate", "access time"]);
    let mut rate = Series::line("media rate", styles[0], steps);
    rate.mark = Mark::Steps;
    let mut cloud = Series::line("access time", styles[1], access);
    cloud.mark = Mark::Points;
    cloud.side = Side::Right;
    Figure {
        title: "Maxtor 6L020J1: media rate and access time over the disk".to_owned(),
        subtitle: "single-sector reads from track 0 to a uniformly random place".to_owned(),
        caption: "ataraid 0.1.0, drive show maxtor-6l020j1, seed 1".to_owned(),
        kind: Kind::Curves,
        x: Axis::linear("position_gb", "position, GB (10⁹ bytes)", true),
        y: Axis::linear("rate_mb_per_s", "media rate, MB/s (10⁶ bytes/s)", true),
        right: Some(Axis::linear("access_ms", "access time, ms", true)),
        series: vec![cloud, rate],
        ceilings: Vec::new(),
    }
}

pub(super) fn ratio() -> Figure {
    let rows = [
        ("R0x2", vec![1.31, 1.24, 1.18, 1.12, 1.09, 1.07, 1.04, 1.02, 0.99, 0.96, 0.93]),
        ("R1c2", vec![1.18, 1.17, 1.15, 1.13, 1.12, 1.1, 1.08, 1.06, 1.04, 1.02, 1.01]),
    ];
    let shares = (0..=10).map(|step| format!("{}/{}", 100 - 10 * step, 10 * step));
    let x = Axis::categories("write_percent", "reads/writes, %", shares);
    let y = Axis::linear("ratio", "I/O rate, two channels / one channel", false);
    let mut figure = lines("Two channels against one, 256 outstanding requests", x, y, &rows);
    figure.ceilings = vec![ceiling("equal", 1.0)];
    figure
}

/// Cases that a layout can fail at.
pub(super) fn odd() -> Vec<(&'static str, Figure)> {
    let y = |from_zero| Axis::linear("io_per_s", "I/O rate, I/O per s", from_zero);
    let depth = || Axis::categories("queue_depth", "outstanding requests", ["1", "4", "16"]);
    let one = |value: f64| vec![value, value * 0.5, value * 0.75];
    let point = |value: f64| vec![("1d", vec![value])];
    let long = "RAID 0 of four drives, two on each channel, with write cache off and a stripe of 64 KiB";
    let mut long_labels = lines(
        &format!("{long}: {long}"),
        depth(),
        y(true),
        &[(long, one(5.0)), ("R0x2", one(7.0)), ("R1", one(3.0))],
    );
    long_labels.subtitle = long.repeat(4);
    long_labels.caption = long.repeat(6);
    long_labels.y.label = long.repeat(2);
    long_labels.ceilings =
        vec![ceiling("PCI", 6.9), ceiling("ATA channel", 7.0), ceiling("far above", 100.0)];
    let names: Vec<String> = (0..24).map(|n| format!("array {n}")).collect();
    let many: Vec<(&str, Vec<f64>)> =
        names.iter().enumerate().map(|(n, name)| (name.as_str(), one(10.0 + n as f64))).collect();
    let ladder: Vec<String> = (0..40).map(|n| format!("{}", 1000 * n)).collect();
    let dense = lines(
        "Forty steps",
        Axis::categories("size_bytes", "size, bytes", ladder.clone()),
        y(true),
        &[("R0x2c1", (0..40).map(f64::from).collect())],
    );
    let mut long_bars = bars(Orientation::Vertical);
    long_bars.x =
        Axis::categories("array", "array", ARRAYS.map(|array| format!("{array} with-a-rather-long-name")));
    let mut long_lying = bars(Orientation::Horizontal);
    long_lying.x = Axis::categories("array", "array", ARRAYS.map(|array| format!("{array}: {long}")));
    long_lying.ceilings =
        vec![ceiling("one drive", 13_900.0), ceiling("another drive", 14_100.0), ceiling("bus", 1e5)];
    let mut negative = bars(Orientation::Vertical);
    for point in negative.series.iter_mut().flat_map(|series| &mut series.points) {
        point.y = (point.y - 9000.0) / 100.0;
    }
    let mut cut = queue_depth();
    cut.y.scale = crate::plot::figure::Scale::Linear { from_zero: true, limits: Some((85.0, 165.0)) };
    cut.ceilings = vec![ceiling("out of sight", 20.0)];
    vec![
        ("one-series", lines("One series", depth(), y(true), &[("1d", one(180.0))])),
        ("zero", lines("All zero", depth(), y(true), &[("1d", one(0.0)), ("R0x2", one(0.0))])),
        ("one-point", lines("One point", Axis::categories("x", "step", ["16"]), y(true), &point(42.0))),
        ("one-point-free", lines("One point", Axis::categories("x", "step", ["16"]), y(false), &point(42.0))),
        ("huge", lines("Huge", depth(), y(true), &[("1d", one(7.1e11))])),
        ("tiny", lines("Tiny", depth(), y(true), &[("1d", one(3.3e-7))])),
        ("near", lines("Nearly equal", depth(), y(false), &[("1d", vec![1e6, 1e6 + 3.0, 1e6 + 9.0])])),
        ("negative", lines("Below zero", depth(), y(true), &[("1d", vec![-4.0, 8.0, 2.0])])),
        ("long-labels", long_labels),
        ("many-series", lines("Twenty-four series", depth(), y(true), &many)),
        ("dense", dense),
        ("long-bars", long_bars),
        ("long-lying", long_lying),
        ("negative-bars", negative),
        ("cut", cut),
    ]
}

/// The number of samples.
pub(super) const COUNT: usize = 25;

/// Every sample by name.
pub(super) fn all() -> Vec<(&'static str, Figure)> {
    let mut all = vec![
        ("sequential-read", sequential_read()),
        ("queue-depth", queue_depth()),
        ("write-share", write_share()),
        ("bars", bars(Orientation::Vertical)),
        ("lying-bars", bars(Orientation::Horizontal)),
        ("bars-by-array", bars_by_array()),
        ("drive", drive()),
        ("ratio", ratio()),
        ("stacks", stacks(Orientation::Vertical)),
        ("lying-stacks", stacks(Orientation::Horizontal)),
    ];
    all.extend(odd());
    all
}
