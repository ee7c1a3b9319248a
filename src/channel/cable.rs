//! Who owns the cable, and what handing it over costs.

use super::link::Link;
use super::mode::ModeTiming;
use crate::units::Span;

/// Device 0 (master) or device 1 (slave) of an ATA cable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DeviceNumber(pub u8);

/// Register writes of a command with a 28-bit address: features, count, three of address, device, command.
const REGISTERS_LBA28: u64 = 7;
/// With a 48-bit address: count and address twice, and features.
const REGISTERS_LBA48: u64 = 12;
/// Most sectors of one command with a 28-bit address: its count register has 8 bits, and 0 means 256.
pub const COMMAND_SECTORS_LBA28: u64 = 256;
/// With a 48-bit address: 16 bits.
pub const COMMAND_SECTORS_LBA48: u64 = 65_536;
/// Alternate-status read before a command is written.
const STATUS_READS_BEFORE: u64 = 1;
/// Two alternate-status reads and one status read after the interrupt.
const STATUS_READS_AFTER: u64 = 3;
/// Change of device: one write of the device register, one alternate-status read, and this wait (ATA: 400 ns).
const DEVICE_CHANGE_ACCESSES: u64 = 2;
const DEVICE_CHANGE_WAIT: Span = Span::from_ns(400);

/// What a step on the cable costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The processor's accesses to the drive's registers.
    pub processor: Span,
    /// Frames that the card sends or receives on its own.
    pub wire: Span,
}

/// One cable: its owner (a command of the machine's numbering), the selected device, the timing of each device.
#[derive(Clone, Debug)]
pub struct Cable<Owner> {
    owner: Option<Owner>,
    selected: DeviceNumber,
    /// Timing of device 0 and 1.
    timings: [Option<ModeTiming>; 2],
    lba48: [bool; 2],
    /// A serial link has one device and frames in place of registers.
    frames: Option<Frames>,
}

/// Times of a link's frames: the command, the turn to a queued one, the end.
#[derive(Clone, Copy, Debug)]
struct Frames {
    command: Span,
    setup: Span,
    status: Span,
}

impl<Owner: Copy + PartialEq> Default for Cable<Owner> {
    fn default() -> Self {
        Cable::new()
    }
}

impl<Owner: Copy + PartialEq> Cable<Owner> {
    /// A cable with nothing on it.
    pub fn new() -> Self {
        Cable { owner: None, selected: DeviceNumber(0), timings: [None; 2], lba48: [false; 2], frames: None }
    }

    /// Plugs a device in.
    pub fn attach(&mut self, device: DeviceNumber, timing: ModeTiming, lba48: bool) {
        self.timings[usize::from(device.0)] = Some(timing);
        self.lba48[usize::from(device.0)] = lba48;
    }

    /// Plugs a drive into the other end of a serial link.
    pub fn attach_serial(&mut self, link: Link) {
        let (command, setup, status) = (link.command_time(), link.setup_time(), link.status_time());
        self.frames = Some(Frames { command, setup, status });
    }

    /// The device that is selected.
    pub fn selected(&self) -> DeviceNumber {
        self.selected
    }

    /// The timing of an attached device.
    pub fn timing(&self, device: DeviceNumber) -> Option<ModeTiming> {
        self.timings[usize::from(device.0)]
    }

    /// Which command owns the cable.
    pub fn owner(&self) -> Option<Owner> {
        self.owner
    }

    /// Gives a free cable to a command. Checked in debug builds: there is one owner at a time.
    pub fn grant(&mut self, owner: Owner) {
        debug_assert!(self.owner.is_none(), "the cable already has an owner");
        self.owner = Some(owner);
    }

    /// Its owner gives the cable back.
    pub fn release(&mut self, owner: Owner) {
        debug_assert!(self.owner == Some(owner), "only the owner can give the cable back");
        self.owner = None;
    }

    /// Selecting `device` and giving it a command. Selects it.
    pub fn command(&mut self, device: DeviceNumber) -> Step {
        if let Some(frames) = self.frames {
            return Step { processor: Span::ZERO, wire: frames.command };
        }
        let register = self.register_time(device);
        let registers = if self.lba48[usize::from(device.0)] { REGISTERS_LBA48 } else { REGISTERS_LBA28 };
        let change = if self.selected == device {
            Span::ZERO
        } else {
            register * DEVICE_CHANGE_ACCESSES + DEVICE_CHANGE_WAIT
        };
        self.selected = device;
        Step { processor: change + register * (registers + STATUS_READS_BEFORE), wire: Span::ZERO }
    }

    /// Turning to a command of a queueing `device` whose data comes next: its status is read, or it says so itself.
    pub fn service(&self, device: DeviceNumber) -> Step {
        match self.frames {
            Some(frames) => Step { processor: Span::ZERO, wire: frames.setup },
            None => self.status(device),
        }
    }

    /// The end of a command: the status of `device` is read, or comes in a frame.
    pub fn status(&self, device: DeviceNumber) -> Step {
        match self.frames {
            Some(frames) => Step { processor: Span::ZERO, wire: frames.status },
            None => Step { processor: self.register_time(device) * STATUS_READS_AFTER, wire: Span::ZERO },
        }
    }

    fn register_time(&self, device: DeviceNumber) -> Span {
        self.timing(device).map_or(Span::ZERO, |timing| timing.register)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::TransferMode;

    fn cable(lba48: bool) -> Cable<u32> {
        let mut cable = Cable::new();
        let timing = ModeTiming { register: Span::from_ns(540), ..TransferMode::Udma(6).standard() };
        cable.attach(DeviceNumber(0), timing, lba48);
        cable.attach(DeviceNumber(1), timing, lba48);
        cable
    }

    #[test]
    fn a_change_of_device_costs_two_accesses_and_400_ns() {
        let mut cable = cable(false);
        let same = cable.command(DeviceNumber(0)).processor;
        assert_eq!(same.ps(), 8 * 540_000);
        let other = cable.command(DeviceNumber(1)).processor;
        assert_eq!((other - same).ps(), 2 * 540_000 + 400_000);
        assert_eq!(cable.command(DeviceNumber(1)).processor, same, "the device stays selected");
    }

    #[test]
    fn a_48_bit_command_writes_five_registers_more() {
        let extra =
            cable(true).command(DeviceNumber(0)).processor - cable(false).command(DeviceNumber(0)).processor;
        assert_eq!(extra.ps(), 5 * 540_000);
    }

    #[test]
    #[should_panic(expected = "already has an owner")]
    #[cfg(debug_assertions)]
    fn a_cable_has_one_owner() {
        let mut cable = cable(false);
        cable.grant(1);
        cable.grant(2);
    }
}
