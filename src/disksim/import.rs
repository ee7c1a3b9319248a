//! A drive out of a description.

use std::path::PathBuf;

use super::blocks::{Blocks, heading};
use super::context::Context;
use super::lexer::Reader;
use super::overrides::{Imported, OVERRIDE, Override, described_as, imported};
use super::topology::{PathTimes, Topology};
use super::tree::{Block, Document, Spot, Statement};
use super::{electronics, layout, mechanics, system};
use crate::config::{self, Diagnostics, Issues, Provenance, Source, Validate, suggest};
use crate::drive::DriveSpec;
use crate::drive::spec::SpindlePhase;

/// A drive model and what could not be taken over.
#[derive(Clone, Debug)]
pub struct ImportedDrive {
    /// The model.
    pub spec: DriveSpec,
    /// What has no counterpart or is taken otherwise than it is written: `file:line: warning: ...`.
    pub warnings: Vec<String>,
}

/// The drive that a description describes: the only one, or that whose block or component is called `wanted`.
///
/// A description may be a whole system, a drive with its electronics, or layout and mechanics alone.
///
/// # Errors
/// Every fault of syntax; if there is none, every fault of meaning; several drives and no choice among them.
pub fn import_drive(
    source: Source,
    wanted: Option<&str>,
    read: &mut Reader,
) -> Result<ImportedDrive, Diagnostics> {
    import_drive_with(source, &[], wanted, read)
}

/// Like [`import_drive`], with single entries given anew.
///
/// # Errors
/// Those of [`import_drive`]; components that are not there, values that are none or out of range.
pub fn import_drive_with(
    source: Source,
    overrides: &[Override],
    wanted: Option<&str>,
    read: &mut Reader,
) -> Result<ImportedDrive, Diagnostics> {
    let root = source.name.clone();
    let document = super::parse_source(source, read)?;
    imported(document, overrides, |document| {
        if !overrides.is_empty() {
            // A drive alone does not ask for all that stands around it, which is to be right all the same.
            let faults = system::read(document, &root, read).err().unwrap_or_default();
            let theirs = faults.into_iter().filter(|fault| fault.file == OVERRIDE);
            theirs.collect::<Diagnostics>().unless_any(())?;
        }
        drive_of(document, &root, wanted, read)
    })
}

impl Imported for ImportedDrive {
    fn acts_like(&self, other: &Self) -> bool {
        alike(&self.spec, &other.spec)
    }
    fn warnings(&mut self) -> &mut Vec<String> {
        &mut self.warnings
    }
}

/// Whether two models differ in their names alone.
pub(super) fn alike(one: &DriveSpec, other: &DriveSpec) -> bool {
    DriveSpec { name: other.name.clone(), ..one.clone() } == *other
}

fn drive_of(
    document: &Document,
    root: &str,
    wanted: Option<&str>,
    read: &mut Reader,
) -> Result<ImportedDrive, Diagnostics> {
    let mut context = begin(document, root, read)?;
    let drive = choose(&mut context, document, wanted)?;
    let topology = Topology::new(document);
    let component = component_of(document, drive);
    // What stands between this drive and the driver goes with it, so that the model can be used alone.
    let path = component.map(|component| topology.times(&mut context, component));
    let spec = drive_model(&mut context, drive, path);
    let Context { faults, mut warnings, .. } = context;
    warnings.dedup();
    faults.into_iter().collect::<Diagnostics>().unless_any(ImportedDrive { spec, warnings })
}

/// The blocks of a description whose first file is at `root`.
///
/// # Errors
/// Everything that is wrong with keys and kinds of values.
pub(super) fn begin<'d, 'r, 'f>(
    document: &'d Document,
    root: &str,
    read: &'r mut Reader<'f>,
) -> Result<Context<'d, 'r, 'f>, Diagnostics> {
    let mut faults = Vec::new();
    let blocks = Blocks::new(document, &mut faults);
    faults.into_iter().collect::<Diagnostics>().unless_any(())?;
    Ok(Context {
        blocks,
        faults: Vec::new(),
        warnings: Vec::new(),
        places: Vec::new(),
        root: PathBuf::from(root),
        read,
    })
}

/// Tells what is wrong with a model as a whole where the figures in question stand in the description.
fn judge(context: &mut Context, spec: &DriveSpec, otherwise: Spot) {
    let mut issues = Issues::new();
    spec.validate(&mut issues);
    for (field, message, remedy) in issues.iter() {
        let spot = context.place_of(field).unwrap_or(otherwise);
        context.fault(spot, format!("{message} (`{field}` of the model)"), remedy);
    }
}

/// The block of the drive that is meant.
fn choose<'d>(
    context: &mut Context<'d, '_, '_>,
    document: &'d Document,
    wanted: Option<&str>,
) -> Result<&'d Block, Diagnostics> {
    let of_kind = |kind: &str| -> Vec<&'d Block> { context.blocks.of_kind(kind).collect() };
    let mut found = of_kind("disksim_disk");
    if found.is_empty() {
        found = of_kind("dm_disk");
    }
    let instances = document.statements.iter().filter_map(|statement| match statement {
        Statement::Instantiate { names, model } => Some((names, model)),
        _ => None,
    });
    let name_of = |block: &'d Block| block.name.as_ref().map_or("", |name| name.text.as_str());
    if let Some(wanted) = wanted {
        let mut instances = instances;
        let model = instances
            .find(|(names, _)| names.iter().any(|name| name.text == wanted))
            .map_or(wanted, |(_, model)| model.text.as_str());
        return found.iter().copied().find(|block| name_of(block) == model).ok_or_else(|| {
            let likely = suggest(wanted, found.iter().map(|block| name_of(block)));
            let remedy = likely.map_or_else(|| names(&found), |likely| format!("did you mean `{likely}`?"));
            let fault =
                context.blocks.files.fault(Spot::default(), format!("there is no drive called `{wanted}`"));
            fault.with_remedy(remedy).into()
        });
    }
    let used: Vec<&str> = instances.map(|(_, model)| model.text.as_str()).collect();
    let in_use: Vec<&'d Block> =
        found.iter().copied().filter(|block| used.contains(&name_of(block))).collect();
    let candidates = if in_use.is_empty() { found } else { in_use };
    match candidates[..] {
        [drive] => Ok(drive),
        [] => {
            let fault = context.blocks.files.fault(Spot::default(), "this describes no drive");
            Err(fault.with_remedy("name a file with a disksim_disk or dm_disk block").into())
        }
        [_, second, ..] => {
            let message = format!("this describes {} drives", candidates.len());
            let fault = context.blocks.files.fault(heading(second), message);
            Err(fault.with_remedy(format!("choose one with --disk: {}", names(&candidates))).into())
        }
    }
}

/// The first component that is one of these drives.
fn component_of<'d>(document: &'d Document, drive: &Block) -> Option<&'d str> {
    let wanted = &drive.name.as_ref()?.text;
    document.statements.iter().find_map(|statement| match statement {
        Statement::Instantiate { names, model } if model.text == *wanted => {
            names.first().map(|name| name.text.as_str())
        }
        _ => None,
    })
}

fn names(blocks: &[&Block]) -> String {
    let name =
        |block: &&Block| block.name.as_ref().map_or_else(String::new, |name| format!("`{}`", name.text));
    blocks.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// What a model must state; everything else is set from the description or has the format's default.
const BLANK: &str = r#"(
    name: "", capacity_sectors: 0, heads: 1, rpm: 3000, zones: [], seek: Table([]),
    interface: Scsi(),
)"#;

/// The model of a `disksim_disk` or a `dm_disk`, checked as its file will be when it is read.
pub(super) fn drive_model<'d>(
    context: &mut Context<'d, '_, '_>,
    drive: &'d Block,
    path: Option<PathTimes>,
) -> DriveSpec {
    context.places.clear();
    let faults = context.faults.len();
    let spec = unchecked(context, drive, path);
    // A model with gaps would only be found to have them.
    if context.faults.len() == faults {
        judge(context, &spec, heading(drive));
    }
    spec
}

fn unchecked<'d>(context: &mut Context<'d, '_, '_>, drive: &'d Block, path: Option<PathTimes>) -> DriveSpec {
    let mut spec: DriveSpec =
        config::parse(&Source::new("blank", BLANK)).expect("the constant text is a drive; a test reads it");
    spec.name = described_as(drive).unwrap_or("disk").to_owned();
    spec.rpm_tolerance = 0.0;
    spec.spindle_phase = SpindlePhase::Turns(0.0);
    let file = context.blocks.files.name(drive.kind.spot).to_owned();
    let electronics = context.blocks.kind(drive).is_some_and(|kind| kind.name == "disksim_disk");
    let disk = if electronics { context.block(drive, "Model") } else { Some(drive) };
    let Some(disk) = disk else { return spec };
    if context.blocks.kind(disk).is_none_or(|kind| kind.name != "dm_disk") {
        context.fault(
            disk.kind.spot,
            format!("`{}` is no model of a disk", disk.kind.text),
            "write `dm_disk NAME { ... }`",
        );
        return spec;
    }
    let model_file = context.blocks.files.name(disk.kind.spot).to_owned();
    platters(context, disk, &mut spec);
    if electronics {
        electronics::read(context, drive, path, &mut spec);
    } else {
        context.warn(
            heading(drive),
            "no disksim_disk: overheads, buffer and caches are this program's defaults",
        );
    }
    sources(&mut spec, &file, &model_file, electronics);
    spec
}

fn platters<'d>(context: &mut Context<'d, '_, '_>, disk: &'d Block, spec: &mut DriveSpec) {
    spec.heads = context.integer(disk, "Number of data surfaces", 1..=32) as u32;
    for (field, key) in [("heads", "Number of data surfaces"), ("capacity_sectors", "Block count")] {
        let spot = context.spot(disk, key);
        context.place(field, spot);
    }
    let part = |context: &mut Context<'d, '_, '_>, key: &str, kind: &str| -> Option<&'d Block> {
        let Some(block) = context.block(disk, key) else {
            context.fault(
                heading(disk),
                format!("this disk has no `{key}`"),
                &format!("add `{key} = {kind} {{ ... }}`"),
            );
            return None;
        };
        if context.blocks.kind(block).is_some_and(|found| found.name == kind) {
            return Some(block);
        }
        let message = format!("`{}` cannot be read as a `{key}` yet", block.kind.text);
        context.fault(block.kind.spot, message, &format!("use `{kind}`"));
        None
    };
    if let Some(block) = part(context, "Layout Model", "dm_layout_g1") {
        layout::read(context, block, spec);
        layout::compare_count(context, disk, spec);
    }
    if let Some(block) = part(context, "Mechanical Model", "dm_mech_g1") {
        mechanics::read(context, block, spec);
    }
}

/// Where the figures come from: the description, which was extracted from a real drive as a rule.
fn sources(spec: &mut DriveSpec, file: &str, model_file: &str, electronics: bool) {
    let base = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
    let model = format!("DiskSim parameter file {}", base(model_file));
    let front = format!("DiskSim parameter file {}", base(file));
    let described = |text: &str| Provenance::Described(text.to_owned());
    let default = || Provenance::Assumed("default of this format; DiskSim states none".to_owned());
    let mut add = |field: &str, source: Provenance| {
        spec.sources.insert(field.to_owned(), source);
    };
    for field in [
        "heads",
        "rpm",
        "rpm_tolerance",
        "layout",
        "zones",
        "skew",
        "spare_scheme",
        "seek",
        "write_seek",
        "head_switch_ms",
    ] {
        add(field, described(&model));
    }
    add(
        "capacity_sectors",
        Provenance::Derived(format!("what the zones hold without spares and slips; {model}")),
    );
    add("spindle_phase", Provenance::Assumed("DiskSim starts all platters at angle zero".to_owned()));
    add("write_settle_sequential_ms", Provenance::Derived(format!("as after any other switch; {model}")));
    for field in ["overhead", "interface"] {
        add(field, if electronics { described(&front) } else { default() });
    }
    for field in [
        "seek_jitter_ms",
        "quiet_seek_factor",
        "buffer",
        "write_cache",
        "buffer_rate_mb_s",
        "queue",
        "errors",
        "spin_up_s",
    ] {
        add(field, default());
    }
    if !(spec.defects.slips.is_empty() && spec.defects.remaps.is_empty()) {
        spec.sources.insert("defects".to_owned(), described(&model));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blank_drive_can_be_read() {
        assert!(config::parse::<DriveSpec>(&Source::new("blank", BLANK)).is_ok());
    }
}
