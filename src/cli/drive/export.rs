//! `drive export`: a drive model in the figures of another program.

use super::Choice;
use crate::calibration::{Compared, Preset, SEGMENTS_MAX, ZONES_MAX};
use crate::cli::failure::{Ended, Failure};
use crate::cli::output::say;
use crate::drive::spec::Segments;
use crate::drive::summary::DriveSummary;
use crate::drive::{DriveSpec, InterfaceSpec};
use crate::results::markdown::figure;
use crate::scenario::Library;

const EXAMPLES: &str = "\
Examples:
  ataraid drive export ibm-dtla-307030 --86box
  ataraid drive export my-drive.ron --86box > preset.txt

Prints the fields of a hard-disk speed preset, and as comments the zones that
86Box makes of them and the error against the full model.";

/// Print a drive model in the figures of another program, with the error that this makes
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    choice: Choice,
    /// As a speed preset of the emulator 86Box
    #[arg(long = "86box")]
    preset_86box: bool,
}

pub(super) fn run(args: &Args, library: &Library) -> Ended {
    if !args.preset_86box {
        return Err(Failure::input("the form of the export is not given", "add --86box"));
    }
    let (spec, _) = args.choice.spec(library)?;
    say(&preset(&spec))
}

fn preset(spec: &DriveSpec) -> String {
    let preset = Preset::new(spec);
    let f = |x: f64| figure(x, 4);
    // A quote or a backslash would end the text.
    let quoted = |text: &str| text.replace(['"', '\\'], "'");
    let mut text = format!(
        "{{\n    .name            = \"{}\",\n    .internal_name   = \"{}\",\n    .model           = \"{}\",\n",
        quoted(&preset.name),
        preset.internal_name,
        quoted(&preset.model)
    );
    for (field, value) in [
        ("zones", preset.zones.to_string()),
        ("avg_spt", preset.avg_spt.to_string()),
        ("heads", preset.heads.to_string()),
        ("rpm", preset.rpm.to_string()),
        ("full_stroke_ms", f(preset.full_stroke_ms)),
        ("track_seek_ms", f(preset.track_seek_ms)),
        ("rcache_num_seg", preset.rcache_num_seg.to_string()),
        ("rcache_seg_size", format!("{}, /* sectors */", preset.rcache_seg_size)),
        ("max_multiple", preset.max_multiple.to_string()),
    ] {
        let comma = if value.contains(',') { "" } else { "," };
        text += &format!("    .{field:<15} = {value}{comma}\n");
    }
    text += "}\n";
    text += &meanings(&preset, spec);
    text += &zones(&preset, spec);
    text += &errors(&preset, spec);
    text
}

/// What the two times of a seek mean to 86Box, and where they are from.
fn meanings(preset: &Preset, spec: &DriveSpec) -> String {
    let f = |x: f64| figure(x, 4);
    let full_ms = DriveSummary::new(spec).seek_full_ms;
    format!(
        "/* a seek takes .track_seek_ms + .full_stroke_ms * (its cylinders / all cylinders):\n \
         *   .track_seek_ms   {} ms: the mean time of a change of track, by the skews of the model; it is also spent at\n \
         *                    each end of a track in sequential access\n \
         *   .full_stroke_ms  {} ms: the {} ms of the model over the whole disk, less .track_seek_ms\n */\n",
        f(preset.track_seek_ms),
        f(preset.full_stroke_ms),
        f(full_ms)
    )
}

fn zones(preset: &Preset, spec: &DriveSpec) -> String {
    let f = |x: f64| figure(x, 4);
    let made = preset.zones_of(spec.capacity_sectors);
    let cylinders: u32 = made.iter().map(|zone| zone.cylinders).sum();
    let (merged, (rms, most)) = preset.merged(spec);
    let all: u64 = merged.iter().map(|run| run.cylinders).sum();
    let mut text = format!(
        "/* zones that 86Box makes of {} sectors, beside those of the model:\n",
        spec.capacity_sectors
    );
    text += " *   zone  cylinders %   spt   model cylinders %    spt  zones of the model\n";
    for (index, (zone, model)) in made.iter().zip(&merged).enumerate() {
        text += &format!(
            " *   {index:>4}  {:>11.2}  {:>4}  {:>18.2}  {:>5}  {:>18}\n",
            100.0 * f64::from(zone.cylinders) / f64::from(cylinders.max(1)),
            zone.spt,
            100.0 * model.cylinders as f64 / all.max(1) as f64,
            f(model.spt),
            model.zones
        );
    }
    let have: u32 = merged.iter().map(|run| run.zones).sum();
    if have as usize > merged.len() {
        text += &format!(
            " * 86Box holds {ZONES_MAX} zones: the {have} of the model are merged with their neighbours, whose rates are {} % off \
             by that\n * (root mean square; {} % at most).\n",
            figure(rms, 2),
            figure(most, 2)
        );
    }
    text + " */\n"
}

fn errors(preset: &Preset, spec: &DriveSpec) -> String {
    let f = |x: f64| figure(x, 4);
    let mut text = "/* the preset against the full model (closed form, nothing cached):\n".to_owned();
    for Compared { name, full, preset } in preset.compared(spec) {
        let off = Compared { name, full, preset }.off_percent();
        text += &format!(
            " *   {name:<31} {:>7} for {:>7}: {:+.4} ({off:+.1} %)\n",
            f(preset),
            f(full),
            preset - full
        );
    }
    text += &format!(
        " * its seek is a straight line; with .full_stroke_ms = {} the mean random seek would be the model's.\n",
        f(preset.full_stroke_for_random_ms(spec))
    );
    if let Some(segments) = left_out_segments(spec) {
        text += &format!(" * the model has {segments} cache segments, 86Box room for {SEGMENTS_MAX}.\n");
    }
    if DriveSummary::new(spec).is_connector_bound() {
        text += " * the model's connector carries less than its platters give; 86Box has no such limit.\n";
    }
    text + " * .max_multiple is not in the model: 16, as drives of 2001 announce.\n */\n"
}

/// Segments of a model's buffer, if they are more than a preset holds.
fn left_out_segments(spec: &DriveSpec) -> Option<u32> {
    let count = match (&spec.interface, spec.buffer.segments) {
        (InterfaceSpec::Scsi(scsi), _) => scsi.segments.count,
        (_, Segments::Fixed { count, .. }) => count,
        (_, Segments::Adaptive { maximum_count, .. }) => maximum_count,
    };
    (count > SEGMENTS_MAX).then_some(count)
}
