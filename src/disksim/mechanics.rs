//! `dm_mech_g1`: seeks, head switches, rotation.

use super::context::{Context, clipped};
use super::curve::{Curve, SEEK_MS_MAX};
use super::tree::{Block, Spot};
use crate::drive::DriveSpec;
use crate::drive::seek::curve_ms;
use crate::drive::spec::{SeekCurve, WriteSeek};

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
            format!("`{}` is no number of cylinders", clipped(context.blocks.files.text(at))),
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
    let curve = match Curve::read(source) {
        Ok(curve) => curve,
        Err(faults) => {
            context.faults.extend(faults);
            return;
        }
    };
    context.place("seek", at);
    context.warnings.extend(curve.doubts(spec.cylinders()));
    if curve.has_deviations() {
        context.warn(at, format!("standard deviations of seeks in {name} are not used, nor does DiskSim"));
    }
    spec.seek = SeekCurve::Measured(curve.reads_ms());
    let writes_ms = curve.writes_ms();
    if !writes_ms.is_empty() {
        context.place("write_seek", at);
        spec.write_seek = WriteSeek::Own(SeekCurve::Measured(writes_ms));
    }
}
