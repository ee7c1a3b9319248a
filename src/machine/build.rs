//! From specs to components. Everything that can be wrong with a configuration is found here.

use std::collections::VecDeque;

use super::metrics::Metrics;
use super::slab::Slab;
use super::spec::{DrivePlacement, MachineSpec};
use super::tables::SeekTables;
use super::{Channel, Costs, Machine, Probe, Slot, load::Load};
use crate::bus::{BusTiming, Share};
use crate::channel::{
    COMMAND_SECTORS_LBA28, COMMAND_SECTORS_LBA48, Cable, DeviceNumber, Link, ModeTiming, TransferMode,
    udma_max,
};
use crate::controller::{ControllerSpec, DataPath, Queueing, RaidLevelName};
use crate::drive::CommandId;
use crate::drive::spec::QueueSpec;
use crate::drive::{Drive, InterfaceSpec, Mechanics};
use crate::host::{Cpu, Driver, InFlight, MemberPieces, Sort, Window};
use crate::raid::{ArrayMap, Level, RaidError};
use crate::sim::{Calendar, Streams};
use crate::units::{KIB, Rate, SECTOR_BYTES, Span};
use crate::workload::WorkloadError;

/// What cannot be built, with the remedy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// More drives than the card takes.
    #[error("{given} drives are plugged in, but {card} takes {max}; remove {} or choose a card with more channels", given - max)]
    TooManyDrives {
        /// Drives given.
        given: u64,
        /// Drives the card takes.
        max: u64,
        /// The card.
        card: String,
    },
    /// A channel or device number that the card does not have.
    #[error(
        "drive `{id}` is on channel {channel}, device {device}; {card} has channels 0 to {channel_last} with devices 0 to {device_last}"
    )]
    NoSuchPosition {
        /// The drive.
        id: String,
        /// Its channel.
        channel: u16,
        /// Its device number.
        device: u8,
        /// The card.
        card: String,
        /// Highest channel.
        channel_last: u64,
        /// Highest device number.
        device_last: u64,
    },
    /// Two drives at one position.
    #[error(
        "drives `{first}` and `{second}` are both on channel {channel}, device {device}; give each its own position"
    )]
    SamePosition {
        /// One drive.
        first: String,
        /// The other.
        second: String,
        /// Their channel.
        channel: u16,
        /// Their device number.
        device: u8,
    },
    /// Two drives with one name.
    #[error("two drives are called `{id}`; give each its own id")]
    SameId {
        /// The name.
        id: String,
    },
    /// An array member that is not plugged in.
    #[error("array `{array}` has the member `{member}`, but the drives are {known}")]
    UnknownMember {
        /// The array.
        array: String,
        /// The name that is not known.
        member: String,
        /// Names that are.
        known: String,
    },
    /// A member listed twice.
    #[error("array `{array}` lists `{member}` twice; a drive can be a member once")]
    MemberTwice {
        /// The array.
        array: String,
        /// The drive.
        member: String,
    },
    /// A level that the card does not offer.
    #[error("{card} does not offer {level}; it offers {offered}")]
    LevelNotOffered {
        /// The card.
        card: String,
        /// The level.
        level: &'static str,
        /// What it offers.
        offered: String,
    },
    /// A drive whose connector does not fit.
    #[error("drive `{id}` is a {drive} drive and does not fit {card}; use a {card_kind} drive or card")]
    WrongConnector {
        /// The drive.
        id: String,
        /// Its connector.
        drive: &'static str,
        /// The card.
        card: String,
        /// The card's connectors.
        card_kind: &'static str,
    },
    /// The array cannot be laid out.
    #[error("array `{array}`: {error}")]
    Raid {
        /// The array.
        array: String,
        /// Why.
        error: RaidError,
    },
    /// The load cannot run on the array.
    #[error("workload: {0}")]
    Workload(#[from] WorkloadError),
}

impl Machine {
    /// Builds the machine for one run.
    ///
    /// # Errors
    /// Whatever is wrong with the combination of parts; each spec has been validated on its own.
    pub fn new(spec: &MachineSpec, seed: u64) -> Result<Machine, BuildError> {
        Machine::probed(spec, seed, ())
    }
}

impl<P: Probe> Machine<P> {
    /// The same with a probe in it.
    ///
    /// # Errors
    /// As [`new`](Machine::new).
    pub fn probed(spec: &MachineSpec, seed: u64, probe: P) -> Result<Machine<P>, BuildError> {
        Machine::sharing(spec, seed, probe, &SeekTables::default())
    }

    /// The same with the seek tables of other machines where models agree.
    ///
    /// # Errors
    /// As [`new`](Machine::new).
    pub fn sharing(
        spec: &MachineSpec,
        seed: u64,
        probe: P,
        tables: &SeekTables,
    ) -> Result<Machine<P>, BuildError> {
        check_positions(&spec.drives, &spec.controller)?;
        check_level(spec)?;
        let streams = Streams::new(seed);
        let members = members(spec)?;
        let bus = BusTiming::new(&spec.bus);
        let mut slots = Vec::with_capacity(spec.drives.len());
        let mut channels: Vec<Channel> =
            (0..spec.controller.channels).map(|number| channel(spec, number)).collect();
        for (index, placement) in spec.drives.iter().enumerate() {
            let mode = transfer_mode(spec, placement)?;
            let channel = &mut channels[usize::from(placement.channel)];
            channel.devices[usize::from(placement.device)] = Some(index as u16);
            let (device, timing) = (DeviceNumber(placement.device), spec.controller.timing(mode));
            channel.cable.attach(device, timing, placement.model.uses_lba48());
            if let Some(link) = link(placement, &spec.controller) {
                channel.cable.attach_serial(link);
            }
            let path = data_path(spec, placement, &bus, &channel.cable, (mode, timing));
            slots.push(slot(spec, placement, streams, tables, path));
        }
        let capacities: Vec<u64> = members.iter().map(|&m| slots[usize::from(m)].drive.capacity()).collect();
        let map = ArrayMap::new(&spec.array.raid, &capacities)
            .map_err(|error| BuildError::Raid { array: spec.array.id.clone(), error })?;
        let load = Load::new(spec, map.capacity(), streams)?;
        Ok(Machine {
            calendar: Calendar::new(),
            cpu: Cpu::default(),
            costs: costs(spec),
            driver: Driver::new(&spec.driver, members.len()),
            parts: spec.driver.parts,
            mirror_write: spec.driver.mirror_write,
            cable_rule: spec.driver.cable_rule,
            device_choice: spec.driver.device_choice,
            per_device_queues: spec.driver.in_flight == InFlight::Drive,
            transfer_limit: spec.driver.transfer_limit_kib * KIB / SECTOR_BYTES,
            command_limit: command_limit(spec),
            join_pieces: spec.driver.member_pieces == MemberPieces::Joined,
            map,
            members,
            channels,
            bus_is_ample: bus_is_ample(spec, &slots),
            share: Share::new(&bus, &spec.bus.competing_masters),
            slots,
            requests: Slab::default(),
            srbs: Slab::default(),
            commands: Slab::default(),
            load,
            metrics: Metrics::default(),
            probe,
        })
    }
}

/// Whether a round of bursts, one a channel, is over before the fastest train wants its next: then nobody is ever held
/// up. Steady competitors are not counted with, so with them it is not.
fn bus_is_ample(spec: &MachineSpec, slots: &[Slot]) -> bool {
    let trains = |slot: &Slot| slot.trains.map(|(_, train)| train);
    let burst = |channel: u64| {
        let on_it = slots.iter().filter(|slot| u64::from(slot.channel) == channel).flat_map(trains);
        on_it.map(|train| train.burst).max().unwrap_or(Span::ZERO)
    };
    let round: Span = (0..spec.controller.channels).map(burst).sum();
    spec.bus.competing_masters.iter().all(|master| master.rate_mb_s <= 0.0)
        && slots.iter().flat_map(trains).all(|train| round <= train.period)
}

fn costs(spec: &MachineSpec) -> Costs {
    let access = Span::from_ns(spec.controller.register_access_ns);
    Costs {
        issue: Span::from_us(spec.host.issue_us),
        dispatch: Span::from_us(spec.host.dispatch_us) + access * spec.controller.accesses_before,
        interrupt: Span::from_us(spec.host.interrupt_us) + access * spec.controller.accesses_after,
        complete: Span::from_us(spec.host.complete_us),
    }
}

fn channel(spec: &MachineSpec, number: u64) -> Channel {
    let sort = match spec.driver.in_flight {
        // The array's queue has sorted already.
        InFlight::Array(_) => Sort::Fifo,
        InFlight::Channel | InFlight::Drive => spec.driver.sort,
    };
    let on_it = spec.drives.iter().filter(|drive| u64::from(drive.channel) == number);
    let devices = on_it.map(|drive| usize::from(drive.device) + 1).max().unwrap_or(1);
    let queues = if spec.driver.in_flight == InFlight::Drive { devices } else { 1 };
    let visible = spec.driver.window(spec.array.members.len());
    Channel {
        cable: Cable::new(),
        waiting: (0..queues).map(|_| Window::new(sort, visible)).collect(),
        last: 0,
        outstanding_max: if spec.driver.in_flight == InFlight::Channel { 1 } else { usize::MAX },
        service: VecDeque::new(),
        devices: [None; 2],
        transfer: None,
        busy: Span::ZERO,
        busy_since: crate::units::Instant::ZERO,
    }
}

fn slot(
    spec: &MachineSpec,
    placement: &DrivePlacement,
    streams: Streams,
    tables: &SeekTables,
    path: DataPath,
) -> Slot {
    let name = format!("drive/{}", placement.id);
    let mut model = placement.model.clone();
    // Queued commands are DMA commands.
    model.queue =
        if path.is_programmed() { QueueSpec::None } else { usable_queue(model.queue, &spec.controller) };
    let mechanics = Mechanics::new(&model, &name, streams, tables.of(&placement.model));
    Slot {
        drive: Drive::with_mechanics(&model, mechanics, &name, streams),
        channel: placement.channel,
        device: DeviceNumber(placement.device),
        path,
        trains: [false, true].map(|write| (SECTOR_BYTES, path.train(SECTOR_BYTES, write))),
        outstanding: 0,
    }
}

/// The way of a drive's data, moved by the card's engine or, in programmed I/O, by the processor.
fn data_path(
    spec: &MachineSpec,
    placement: &DrivePlacement,
    bus: &BusTiming,
    cable: &Cable<CommandId>,
    (mode, timing): (TransferMode, ModeTiming),
) -> DataPath {
    if let TransferMode::Pio(_) = mode {
        let block = costs(spec).interrupt + cable.status(DeviceNumber(placement.device)).processor;
        return DataPath::programmed(&spec.controller, timing, spec.driver.pio_block_sectors, block);
    }
    let drive_rate = Rate::new(1_000_000, Span::from_s(1.0 / placement.model.buffer_rate_mb_s));
    match link(placement, &spec.controller) {
        Some(link) => DataPath::serial(&spec.controller, link, drive_rate, bus),
        None => DataPath::new(&spec.controller, timing, drive_rate, bus),
    }
}

/// Sectors that one command can move, by the size of the count register: the least of all drives, since a request
/// may come to any of them.
fn command_limit(spec: &MachineSpec) -> u64 {
    let lba48 = spec.drives.iter().all(|drive| drive.model.uses_lba48());
    if lba48 { COMMAND_SECTORS_LBA48 } else { COMMAND_SECTORS_LBA28 }
}

/// A drive's queue is of use only if card and driver know its kind, and a native one no deeper than the card's slots.
fn usable_queue(queue: QueueSpec, card: &ControllerSpec) -> QueueSpec {
    match (queue, card.queueing) {
        (QueueSpec::Tcq { .. }, Queueing::Tcq) => queue,
        (QueueSpec::Ncq { depth, age_weight }, Queueing::Ncq) => {
            QueueSpec::Ncq { depth: depth.min(card.command_slots as u32), age_weight }
        }
        _ => QueueSpec::None,
    }
}

/// The serial link between drive and card, where the card has links.
fn link(placement: &DrivePlacement, card: &ControllerSpec) -> Option<Link> {
    let generation = match placement.model.interface {
        InterfaceSpec::Sata { generation } => generation,
        InterfaceSpec::Ata { .. } | InterfaceSpec::Scsi(_) => return None,
    };
    let queued = matches!(usable_queue(placement.model.queue, card), QueueSpec::Ncq { .. });
    card.links().map(|links| Link::new(links, generation, queued))
}

/// The fastest mode that drive, card, cable and driver all know.
fn transfer_mode(spec: &MachineSpec, placement: &DrivePlacement) -> Result<TransferMode, BuildError> {
    let card = &spec.controller;
    match (placement.model.interface, card.serial()) {
        (InterfaceSpec::Ata { udma_mode_max, mwdma_mode_max, pio_mode_max }, false) => {
            let conductors =
                card.cables.get(usize::from(placement.channel)).map_or(80, |cable| cable.conductors);
            let (cap, of_cable) = (spec.driver.transfer_mode_max, udma_max(conductors));
            let udma =
                udma_mode_max.zip(card.udma_mode_max).map(|(drive, card)| drive.min(card).min(of_cable));
            let mwdma = mwdma_mode_max.zip(card.mwdma_mode_max).map(|(drive, card)| drive.min(card));
            let pio = pio_mode_max.min(card.pio_mode_max);
            Ok(match (cap, udma, mwdma) {
                (TransferMode::Udma(most), Some(mode), _) => TransferMode::Udma(mode.min(most)),
                (TransferMode::Mwdma(most), _, Some(mode)) => TransferMode::Mwdma(mode.min(most)),
                (TransferMode::Udma(_), None, Some(mode)) => TransferMode::Mwdma(mode),
                (TransferMode::Pio(most), _, _) => TransferMode::Pio(pio.min(most)),
                (_, _, None) => TransferMode::Pio(pio),
            })
        }
        (InterfaceSpec::Sata { .. }, true) => Ok(TransferMode::Udma(6)),
        (interface, serial) => {
            let drive = match interface {
                InterfaceSpec::Ata { .. } => "parallel ATA",
                InterfaceSpec::Sata { .. } => "SATA",
                InterfaceSpec::Scsi(_) => "SCSI",
            };
            Err(BuildError::WrongConnector {
                id: placement.id.clone(),
                drive,
                card: card.name.clone(),
                card_kind: if serial { "SATA" } else { "parallel ATA" },
            })
        }
    }
}

fn check_positions(drives: &[DrivePlacement], card: &ControllerSpec) -> Result<(), BuildError> {
    let given = drives.len() as u64;
    if given > card.drives_max() {
        return Err(BuildError::TooManyDrives { given, max: card.drives_max(), card: card.name.clone() });
    }
    for (index, drive) in drives.iter().enumerate() {
        if u64::from(drive.channel) >= card.channels || u64::from(drive.device) >= card.devices_per_channel {
            return Err(BuildError::NoSuchPosition {
                id: drive.id.clone(),
                channel: drive.channel,
                device: drive.device,
                card: card.name.clone(),
                channel_last: card.channels - 1,
                device_last: card.devices_per_channel - 1,
            });
        }
        for other in &drives[..index] {
            if other.id == drive.id {
                return Err(BuildError::SameId { id: drive.id.clone() });
            }
            if (other.channel, other.device) == (drive.channel, drive.device) {
                return Err(BuildError::SamePosition {
                    first: other.id.clone(),
                    second: drive.id.clone(),
                    channel: drive.channel,
                    device: drive.device,
                });
            }
        }
    }
    Ok(())
}

fn check_level(spec: &MachineSpec) -> Result<(), BuildError> {
    let array = &spec.array;
    let level = match array.raid.level {
        Level::Single => None,
        Level::Raid0 => Some(RaidLevelName::Raid0),
        Level::Raid1 => Some(RaidLevelName::Raid1),
        Level::Raid01 => Some(RaidLevelName::Raid01),
        Level::Raid10 => Some(RaidLevelName::Raid10),
        Level::Jbod => Some(RaidLevelName::Jbod),
    };
    let offered = &spec.controller.raid_levels;
    if level.is_some_and(|level| !offered.contains(&level)) {
        let names: Vec<String> = offered.iter().map(|level| format!("{level:?}")).collect();
        return Err(BuildError::LevelNotOffered {
            card: spec.controller.name.clone(),
            level: array.raid.level.title(),
            offered: if names.is_empty() { "single drives only".to_owned() } else { names.join(", ") },
        });
    }
    array
        .raid
        .check_members(array.members.len(), spec.controller.stripe_members_max as usize)
        .map_err(|error| BuildError::Raid { array: array.id.clone(), error })
}

fn members(spec: &MachineSpec) -> Result<Vec<u16>, BuildError> {
    let array = &spec.array;
    let mut members: Vec<u16> = Vec::with_capacity(array.members.len());
    for name in &array.members {
        let Some(index) = spec.drives.iter().position(|drive| &drive.id == name) else {
            let known: Vec<&str> = spec.drives.iter().map(|drive| drive.id.as_str()).collect();
            return Err(BuildError::UnknownMember {
                array: array.id.clone(),
                member: name.clone(),
                known: known.join(", "),
            });
        };
        if members.contains(&(index as u16)) {
            return Err(BuildError::MemberTwice { array: array.id.clone(), member: name.clone() });
        }
        members.push(index as u16);
    }
    Ok(members)
}
