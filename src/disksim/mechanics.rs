//! `dm_mech_g1`: seeks, head switches, rotation.

use super::context::Context;
use super::tree::{Block, Files, Spot};
use crate::config::Diagnostic;
use crate::drive::DriveSpec;
use crate::drive::seek::curve_ms;
use crate::drive::spec::{SeekCurve, WriteSeek};

/// Longest seek that is believed.
const SEEK_MS_MAX: f64 = 60.0;

/// Reads the mechanics into `spec`, whose layout is known.
pub(super) fn read<'d>(context: &mut Context<'d, '_, '_>, mechanics: &'d Block, spec: &mut DriveSpec) {
    spec.rpm = context.integer(mechanics, "Rotation speed (in rpms)", 3000..=20_000) as u32;
    let percent = context.real(mechanics, "Percent error in rpms", 0.0..=100.0);
    spec.rpm_tolerance = (percent / 100.0).min(0.01);
    if percent > 1.0 {
        let spot = context.spot(mechanics, "Percent error in rpms");
        context.warn(spot, "a drive's speed may differ by 1 % at most, which is taken");
    }
    spec.head_switch_ms = context.real(mechanics, "Head switch time", 0.0..=5.0);
    let settle_ms = context.real(mechanics, "Add. write settling delay", -5.0..=5.0);
    spec.write_seek = WriteSeek::Settle(settle_ms);
    // A switch within a write settles as any other.
    spec.write_settle_sequential_ms = settle_ms;
    if let Some((access, spot)) = context.word(mechanics, "Access time type") {
        match access {
            "trackSwitchPlusRotation" => {}
            "averageRotation" | "constant" => {
                let message = format!(
                    "`{access}` has no counterpart: seeks and rotation are modelled, as DiskSim 4.0 does too"
                );
                context.warn(spot, message);
            }
            _ => context.fault(
                spot,
                format!("`{access}` is no type of access time"),
                "write `trackSwitchPlusRotation`, `averageRotation` or `constant`",
            ),
        }
    }
    for (field, key) in [
        ("rpm", "Rotation speed (in rpms)"),
        ("rpm_tolerance", "Percent error in rpms"),
        ("head_switch_ms", "Head switch time"),
        ("write_seek", "Add. write settling delay"),
        ("write_settle_sequential_ms", "Add. write settling delay"),
        ("seek", "Seek type"),
    ] {
        let spot = context.spot(mechanics, key);
        context.place(field, spot);
    }
    seek(context, mechanics, spec);
}

fn seek<'d>(context: &mut Context<'d, '_, '_>, mechanics: &'d Block, spec: &mut DriveSpec) {
    let Some((kind, spot)) = context.word(mechanics, "Seek type") else { return };
    let figures = |context: &mut Context<'d, '_, '_>| {
        ["Single cylinder seek time", "Average seek time", "Full strobe seek time"].map(|key| {
            if context.item(mechanics, key).is_none() {
                context.fault(spot, format!("this type of seek needs `{key}`"), "add it");
            }
            context.real(mechanics, key, 0.0..=SEEK_MS_MAX)
        })
    };
    match kind {
        "constant" => {
            let ms = context.real(mechanics, "Constant seek time", 0.0..=SEEK_MS_MAX);
            spec.seek = SeekCurve::Table(vec![(1, ms)]);
        }
        "linear" => {
            let [single_ms, average_ms, full_ms] = figures(context);
            let last = spec.cylinders().saturating_sub(1).max(3);
            let third = (spec.cylinders() / 3).clamp(2, last - 1);
            spec.seek = SeekCurve::Table(vec![(1, single_ms), (third, average_ms), (last, full_ms)]);
        }
        "curve" => {
            let [single_ms, average_ms, full_ms] = figures(context);
            spec.seek = SeekCurve::Lee { single_ms, average_ms, full_ms };
        }
        "hpl" => hpl(context, mechanics, spot, Vec::new(), spec),
        "hplplus10" => {
            let listed = context.numbers(mechanics, "First ten seek times");
            if listed.len() != 10 {
                let message = format!("{} seek times; this type of seek needs ten", listed.len());
                let spot = context.spot(mechanics, "First ten seek times");
                context.fault(spot, message, "list the times of 1 to 10 cylinders as `First ten seek times`");
            }
            hpl(context, mechanics, spot, listed.into_iter().map(|(ms, _)| ms).collect(), spec);
        }
        "extracted" => extracted(context, mechanics, spot, spec),
        _ => context.fault(
            spot,
            format!("`{kind}` is no type of seek"),
            "write `constant`, `linear`, `curve`, `hpl`, `hplplus10` or `extracted`",
        ),
    }
}

/// Six values: first distance of the line, constant and factor of the root, constant and slope of the line, the time of
/// one cylinder or -1.
fn hpl<'d>(
    context: &mut Context<'d, '_, '_>,
    mechanics: &'d Block,
    spot: Spot,
    first_ms: Vec<f64>,
    spec: &mut DriveSpec,
) {
    const KEY: &str = "HPL seek equation values";
    let values = context.numbers(mechanics, KEY);
    let [(split, at), (a, _), (b, _), (e, _), (f, _), (single, _)] = values[..] else {
        let message = format!("{} values of `{KEY}`; this type of seek needs six", values.len());
        let place = if values.is_empty() { spot } else { context.spot(mechanics, KEY) };
        context.fault(place, message, "list V1 to V6");
        return;
    };
    if split.fract() != 0.0 || !(0.0..=1e6).contains(&split) {
        context.fault(
            at,
            format!("{split} is no number of cylinders"),
            "V1 is the first distance of the line",
        );
        return;
    }
    let single_ms = (single != -1.0 && first_ms.is_empty()).then_some(single);
    // Short seeks that are listed one by one follow no law.
    let listed = if first_ms.is_empty() { 0 } else { first_ms.len() + 1 };
    let split_cylinders = (split as u32).max(1);
    let place = context.spot(mechanics, KEY);
    context.place("seek", place);
    spec.seek = SeekCurve::Hpl { a_ms: a, b_ms: b, split_cylinders, e_ms: e, f_ms: f, single_ms, first_ms };
    // Fitted pieces may meet with a step down, which a law here has not got and measured points may have.
    let cylinders = spec.cylinders().max(2);
    let ms = curve_ms(&spec.seek, cylinders);
    let falls = ms.windows(2).skip(listed).position(|pair| pair[1] < pair[0] - 0.001);
    if let Some(step) = falls.map(|step| step + listed + 1) {
        let message =
            format!("the pieces of this curve do not rise at {step} cylinders; its points are kept");
        context.warn(place, message);
        let bend = (split_cylinders + 1).max(12).min(cylinders - 1);
        let distances = (1..=bend).chain((bend < cylinders - 1).then_some(cylinders - 1));
        let points = distances.map(|distance| (distance, ms[distance as usize]));
        spec.seek = SeekCurve::Measured(points.collect());
    }
}

/// A curve in a file of its own.
fn extracted<'d>(context: &mut Context<'d, '_, '_>, mechanics: &'d Block, spot: Spot, spec: &mut DriveSpec) {
    const KEY: &str = "Full seek curve";
    let Some((name, at)) = context.word(mechanics, KEY) else {
        context.fault(spot, format!("this type of seek needs `{KEY}`"), "name the file of the curve");
        return;
    };
    let Some(source) = context.other_file(name, at) else { return };
    let mut files = Files::default();
    files.add(source);
    let curve = match Curve::read(&files) {
        Ok(curve) => curve,
        Err(faults) => {
            context.faults.extend(faults);
            return;
        }
    };
    context.place("seek", at);
    if !curve.write_ms.is_empty() {
        context.place("write_seek", at);
    }
    if let Some((line, stated)) = &curve.stated
        && *stated != curve.lines
    {
        let found = curve.lines;
        context.warnings.push(format!(
            "{line}: warning: {stated} points are announced and {found} are there, which count; is the file whole?"
        ));
    }
    if let Some(line) = &curve.unordered {
        context.warnings.push(format!(
            "{line}: warning: distances do not rise; they are sorted, the first of equals counts"
        ));
    }
    if curve.deviations {
        context.warn(at, format!("standard deviations of seeks in {name} are not used, nor does DiskSim"));
    }
    spec.seek = SeekCurve::Measured(curve.read_ms);
    if !curve.write_ms.is_empty() {
        spec.write_seek = WriteSeek::Own(SeekCurve::Measured(curve.write_ms));
    }
}

/// What stands before the number of points in the first line of a curve file.
const COUNT: &str = "Seek distances measured:";
const COUNT_FORM: &str =
    "write `Seek distances measured: N` with the number of points, or leave the line out";

/// The points of a curve file.
struct Curve {
    read_ms: Vec<(u32, f64)>,
    write_ms: Vec<(u32, f64)>,
    deviations: bool,
    /// The first line whose distance does not follow those before it.
    unordered: Option<String>,
    /// The line that counts the points, and its number.
    stated: Option<(String, usize)>,
    /// Points in the file.
    lines: usize,
}

impl Curve {
    /// Reads lines of `distance, ms` with, in some files, a standard deviation and the time of writes behind them; the
    /// first line may count the points.
    fn read(files: &Files) -> Result<Curve, Vec<Diagnostic>> {
        let mut curve = Curve {
            read_ms: Vec::new(),
            write_ms: Vec::new(),
            deviations: false,
            unordered: None,
            stated: None,
            lines: 0,
        };
        let mut faults = Vec::new();
        let text = files.get(0).text.as_str();
        let mut at = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let start = at;
            at += line.len();
            let content = line.trim();
            let spot = Spot::new(0, start, start + line.trim_end().len());
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if index == 0 && content.starts_with("Seek distances") {
                let count = content.strip_prefix(COUNT).and_then(|count| count.trim().parse().ok());
                match count {
                    Some(count) => curve.stated = Some((files.line(spot), count)),
                    None => faults.push(files.fault(spot, "this counts no points").with_remedy(COUNT_FORM)),
                }
                continue;
            }
            match point(content) {
                Some((distance, read_ms, deviation, write_ms)) => {
                    if curve.read_ms.last().is_some_and(|&(last, _)| last >= distance) {
                        curve.unordered.get_or_insert_with(|| files.line(spot));
                    }
                    curve.read_ms.push((distance, read_ms));
                    curve.lines += 1;
                    curve.deviations |= deviation.is_some_and(|ms| ms != 0.0);
                    curve.write_ms.extend(write_ms.map(|ms| (distance, ms)));
                }
                None if faults.len() < 20 => {
                    let fault = files.fault(spot, "this is no point of a seek curve");
                    faults.push(fault.with_remedy("write `cylinders, milliseconds`"));
                }
                None => break,
            }
        }
        if curve.read_ms.is_empty() && faults.is_empty() {
            faults.push(files.fault(Spot::new(0, 0, 0), "there is no point in this seek curve"));
        }
        for knots in [&mut curve.read_ms, &mut curve.write_ms] {
            knots.sort_by_key(|&(distance, _)| distance);
            knots.dedup_by_key(|&mut (distance, _)| distance);
        }
        if faults.is_empty() { Ok(curve) } else { Err(faults) }
    }
}

fn point(line: &str) -> Option<(u32, f64, Option<f64>, Option<f64>)> {
    let mut parts = line.split(',').map(str::trim);
    let distance = parts.next()?.parse().ok().filter(|&distance| distance >= 1)?;
    let mut number = || -> Option<Option<f64>> {
        match parts.next() {
            None => Some(None),
            Some(text) => text.parse().ok().filter(|ms: &f64| (0.0..=SEEK_MS_MAX).contains(ms)).map(Some),
        }
    };
    let (read_ms, deviation, write_ms) = (number()??, number()?, number()?);
    Some((distance, read_ms, deviation, write_ms))
}
