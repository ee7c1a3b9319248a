//! A whole description: its drives on their buses, and its driver.

use std::collections::BTreeMap;

use super::context::Context;
use super::import::{alike, begin, drive_model};
use super::lexer::Reader;
use super::overrides::{Imported, Override, imported};
use super::topology::Topology;
use super::tree::{Block, Document, Node, Spot, Statement, Word};
use crate::channel::ScsiBusSpec;
use crate::config::{Diagnostics, Source};
use crate::replay::{Attachment, DriverSpec, Order, System};

/// A description as a system that can be replayed.
#[derive(Clone, Debug)]
pub struct ImportedSystem {
    /// Drives in the order in which the description instantiates them, which is that of their numbers.
    pub system: System,
    /// The names of the drives.
    pub names: Vec<String>,
    /// What has no counterpart or is taken otherwise than it is written: `file:line: warning: ...`.
    pub warnings: Vec<String>,
}

/// The system that a description describes; `read` gives the files that it names.
///
/// # Errors
/// Every fault of syntax; if there is none, every fault of meaning; a description without a drive.
pub fn import_system(source: Source, read: &mut Reader) -> Result<ImportedSystem, Diagnostics> {
    import_system_with(source, &[], read)
}

/// Like [`import_system`], with single entries given anew.
///
/// # Errors
/// Those of [`import_system`]; components that are not there, values that are none or out of range.
pub fn import_system_with(
    source: Source,
    overrides: &[Override],
    read: &mut Reader,
) -> Result<ImportedSystem, Diagnostics> {
    let root = source.name.clone();
    let document = super::parse_source(source, read)?;
    imported(document, overrides, |document| self::read(document, &root, read))
}

impl Imported for ImportedSystem {
    fn acts_like(&self, other: &Self) -> bool {
        let (one, two) = (&self.system, &other.system);
        let models = |system: &System, drive: &Attachment| system.models.get(drive.model).cloned();
        let drives = |(one_drive, two_drive): (&Attachment, &Attachment)| {
            let pair = models(one, one_drive).zip(models(two, two_drive));
            one_drive.bus == two_drive.bus && pair.is_some_and(|(one, two)| alike(&one, &two))
        };
        one.drives.len() == two.drives.len()
            && one.drives.iter().zip(&two.drives).all(drives)
            && (&one.buses, &one.driver, &self.names) == (&two.buses, &two.driver, &other.names)
    }
    fn warnings(&mut self) -> &mut Vec<String> {
        &mut self.warnings
    }
}

/// The system of a description whose first file is at `root`.
pub(super) fn read(
    document: &Document,
    root: &str,
    read: &mut Reader,
) -> Result<ImportedSystem, Diagnostics> {
    let mut context = begin(document, root, read)?;
    let topology = Topology::new(document);
    let mut parts = Parts::default();
    for name in instances(document) {
        let Some(model) = topology.model_of(&context.blocks, &name.text) else { continue };
        match context.blocks.kind(model).map(|kind| kind.name) {
            Some("disksim_disk") => parts.attach(&mut context, &topology, name, model),
            Some("disksim_simpledisk") => {
                context.warn(
                    name.spot,
                    format!("the simple disk {} has no counterpart and is left out", name.text),
                );
            }
            None => {
                let message =
                    format!("{} is a `{}`, which is not modelled and left out", name.text, model.kind.text);
                context.warn(name.spot, message);
            }
            Some("disksim_ctlr") => controller(&mut context, model),
            Some(_) => {}
        }
    }
    if parts.drives.is_empty() {
        let fault = context.blocks.files.fault(Spot::default(), "this instantiates no drive");
        context.faults.push(fault.with_remedy("add `instantiate [ disk0 ] as MODEL` for a disksim_disk"));
    }
    let driver = driver(&mut context, document, &topology);
    left_out(&mut context);
    let Context { faults, mut warnings, .. } = context;
    warnings.dedup();
    let system = System { models: parts.models, drives: parts.drives, buses: parts.buses, driver };
    let imported = ImportedSystem { system, names: parts.names, warnings };
    faults.into_iter().collect::<Diagnostics>().unless_any(imported)
}

fn instances(document: &Document) -> impl Iterator<Item = &Word> {
    document.statements.iter().flat_map(|statement| match statement {
        Statement::Instantiate { names, .. } => names.as_slice(),
        Statement::Block(_) | Statement::Topology(_) => &[],
    })
}

/// What has been put together so far.
#[derive(Default)]
struct Parts<'d> {
    models: Vec<crate::drive::DriveSpec>,
    model_numbers: BTreeMap<&'d str, usize>,
    drives: Vec<Attachment>,
    names: Vec<String>,
    buses: Vec<ScsiBusSpec>,
    bus_numbers: BTreeMap<&'d str, usize>,
}

impl<'d> Parts<'d> {
    fn attach(
        &mut self,
        context: &mut Context<'d, '_, '_>,
        topology: &Topology<'d>,
        name: &'d Word,
        block: &'d Block,
    ) {
        let key = block.name.as_ref().map_or("", |name| name.text.as_str());
        let model = match self.model_numbers.get(key) {
            Some(&model) => model,
            None => {
                self.models.push(drive_model(context, block, None));
                self.model_numbers.insert(key, self.models.len() - 1);
                self.models.len() - 1
            }
        };
        let path = topology.path(&name.text);
        if path.is_empty() {
            context.warn(
                name.spot,
                format!("{} hangs nowhere in the topology; it has a bus of its own", name.text),
            );
        }
        let is_bus = |node: &&&'d Node| {
            let model = topology.model_of(&context.blocks, &node.name.text);
            model.and_then(|model| context.blocks.kind(model)).is_some_and(|kind| kind.name == "disksim_bus")
        };
        let node = path.iter().rev().find(is_bus).copied();
        let bus = node.and_then(|node| self.bus_numbers.get(node.name.text.as_str()).copied());
        if let (Some(_), Some(node)) = (bus, node) {
            shared(context, topology, node);
        }
        let bus = bus.unwrap_or_else(|| {
            let times = topology.times(context, &name.text);
            let arbitration_ms = node.map_or(0.0, |node| arbitration(context, topology, node));
            self.buses.push(ScsiBusSpec {
                arbitration_ms,
                read_block_ms: times.read_block_ms,
                write_block_ms: times.write_block_ms,
            });
            let number = self.buses.len() - 1;
            if let Some(node) = node {
                self.bus_numbers.insert(&node.name.text, number);
            }
            number
        });
        self.drives.push(Attachment { model, bus });
        self.names.push(name.text.clone());
    }
}

/// A controller counts for the time of a block alone.
fn controller<'d>(context: &mut Context<'d, '_, '_>, block: &'d Block) {
    context.without_counterpart(block, "type", 1.0, "requests pass it at once, as with type 1");
    context.without_counterpart(block, "Scale for delays", 0.0, "it adds no time of its own");
    if context.item(block, "Cache").is_some() {
        context.warn(
            context.spot(block, "Cache"),
            "caches of controllers are not modelled: requests go to the drives",
        );
    }
}

/// Tells how the drives of one bus come to have it, if the description says it otherwise.
fn shared<'d>(context: &mut Context<'d, '_, '_>, topology: &Topology<'d>, node: &Node) {
    let Some(bus) = topology.model_of(&context.blocks, &node.name.text) else { return };
    let told = context.warnings.len();
    let meaning = "whoever asked first has the bus first, whatever its slot";
    context.without_counterpart(bus, "Arbitration type", 2.0, meaning);
    if context.warnings[..told].contains(context.warnings.last().unwrap_or(&String::new())) {
        context.warnings.truncate(told);
    }
}

fn arbitration<'d>(context: &mut Context<'d, '_, '_>, topology: &Topology<'d>, node: &Node) -> f64 {
    let Some(bus) = topology.model_of(&context.blocks, &node.name.text) else { return 0.0 };
    if context.integer(bus, "type", 1..=2) == 2 {
        context
            .warn(context.spot(bus, "type"), "transfers do not interleave: one drive has the bus at a time");
    }
    context.real(bus, "Arbitration time", 0.0..=10.0)
}

fn driver<'d>(
    context: &mut Context<'d, '_, '_>,
    document: &'d Document,
    topology: &Topology<'d>,
) -> DriverSpec {
    let is_driver =
        |block: &&Block| context.blocks.kind(block).is_some_and(|kind| kind.name == "disksim_iodriver");
    let mut models = instances(document).filter_map(|name| topology.model_of(&context.blocks, &name.text));
    let block = models.find(is_driver).or_else(|| context.blocks.of_kind("disksim_iodriver").next());
    let Some(block) = block else { return DriverSpec::default() };
    context.without_counterpart(block, "Constant access time", 0.0, "all accesses are simulated");
    let Some(queue) = context.block(block, "Scheduler") else { return DriverSpec::default() };
    let policy = context.integer(queue, "Scheduling policy", 1..=28);
    let order = match policy {
        1 | 28 => Order::Fcfs,
        2 | 5 => Order::Look,
        3 | 6 => Order::CLook,
        _ => Order::Sstf,
    };
    if !(1..=4).contains(&policy) {
        let spot = context.spot(queue, "Scheduling policy");
        context.warn(spot, format!("scheduling policy {policy} is taken as {order:?}, by address"));
    }
    for (key, meaning) in [
        ("Write initiation delay", "the driver issues requests at once"),
        ("Read initiation delay", "the driver issues requests at once"),
        ("Overlapping request scheme", "requests that overlap are served as they are"),
        ("Scheduling timeout scheme", "requests that have waited long have no precedence"),
        ("Scheduling priority scheme", "requests have no priorities"),
    ] {
        context.without_counterpart(queue, key, 0.0, meaning);
    }
    context.without_counterpart(queue, "Sequential stream scheme", 0.0, "requests are not joined");
    DriverSpec { order, ..DriverSpec::default() }
}

/// Tells of blocks that have no counterpart.
fn left_out(context: &mut Context) {
    let found: Vec<Spot> = context.blocks.of_kind("disksim_syncset").map(|block| block.kind.spot).collect();
    for spot in found {
        context.warn(spot, "platters are not kept in step: this set is left out");
    }
    let generators: Vec<Spot> =
        context.blocks.of_kind("disksim_synthio").map(|block| block.kind.spot).collect();
    for spot in generators {
        context.warn(spot, "the load of this generator is left out: state it with `replay --synthetic`");
    }
    let loads: Vec<&Block> = context.blocks.of_kind("disksim_iosim").collect();
    for block in loads {
        context.without_counterpart(block, "I/O Trace Time Scale", 1.0, "a trace's times are kept");
        if !context.list(block, "I/O Mappings").is_empty() {
            let spot = context.spot(block, "I/O Mappings");
            context.warn(spot, "devices and addresses of a trace are kept as they are");
        }
    }
    let arrays: Vec<(Spot, bool)> = context
        .blocks
        .of_kind("disksim_logorg")
        .map(|block| {
            let plain =
                |key: &str, plain: &str| context.word(block, key).is_none_or(|(word, _)| word == plain);
            (block.kind.spot, plain("Distribution scheme", "Asis") && plain("Redundancy scheme", "Noredun"))
        })
        .collect();
    for (spot, plain) in arrays {
        if !plain {
            context.warn(spot, "arrays have no counterpart in a replay: requests go to the drives they name");
        }
    }
}
