//! `drive export`: a drive model in the figures of another program.

use super::Choice;
use crate::calibration::{Compared, Preset};
use crate::cli::failure::{Ended, Failure};
use crate::cli::output::say;
use crate::drive::DriveSpec;
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
    text += &zones(&preset, spec);
    text += &errors(&preset, spec);
    text
}

fn zones(preset: &Preset, spec: &DriveSpec) -> String {
    let made = preset.zones_of(spec.capacity_sectors);
    let cylinders: u32 = made.iter().map(|zone| zone.cylinders).sum();
    let all = f64::from(spec.cylinders());
    let mut text = format!(
        "/* zones that 86Box makes of {} sectors, beside those of the model:\n",
        spec.capacity_sectors
    );
    text += " *   zone  cylinders %   spt   model cylinders %   spt\n";
    for (index, (zone, model)) in made.iter().zip(&spec.zones).enumerate() {
        text += &format!(
            " *   {index:>4}  {:>11.2}  {:>4}  {:>18.2}  {:>4}\n",
            100.0 * f64::from(zone.cylinders) / f64::from(cylinders.max(1)),
            zone.spt,
            100.0 * f64::from(model.cylinders) / all,
            model.spt
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
    text + " * .max_multiple is not in the model: 16, as drives of 2001 announce.\n */\n"
}
