//! The cable's side of a command: ownership, command, data, interrupt.

use super::event::{CableEvent, Event, HostEvent};
use super::{Command, DrivePort, Job, Machine, Mark, Probe, Transfer, TransferPlan, kind};
use crate::bus::UserId;
use crate::channel::Step;
use crate::controller::Train;
use crate::drive::{self, CommandId, DriveEvent};
use crate::host::{CableRule, DeviceChoice};
use crate::sim::Phase;
use crate::units::{Instant, Span};

impl<P: Probe> Machine<P> {
    pub(super) fn cable_event(&mut self, channel: u16, event: CableEvent) {
        match event {
            CableEvent::MateDone(command) => self.write_command(channel, command),
            CableEvent::Accepted(command) => self.accepted(channel, command),
            CableEvent::Serviced(command) => self.start_data(channel, command),
            CableEvent::Transferred => self.transferred(channel),
        }
    }

    pub(super) fn drive_event(&mut self, drive: u16, event: DriveEvent) {
        match event {
            DriveEvent::Ready(command) => self.ready(drive, command),
            DriveEvent::Complete(command) => self.interrupt(drive, command),
            DriveEvent::MediaDone | DriveEvent::DestageTimer => {
                self.mark_written(drive);
                let mut port = DrivePort { calendar: &mut self.calendar, drive };
                self.slots[usize::from(drive)].drive.handle(event, &mut port);
                self.mark_drive(drive);
            }
        }
    }

    /// Gives a free cable to whoever waits for it.
    pub(super) fn start_next(&mut self, channel: u16) {
        let state = &mut self.channels[usize::from(channel)];
        if state.cable.owner().is_some() {
            return;
        }
        if let Some(command) = state.service.pop_front() {
            self.select_for_data(channel, command);
            return;
        }
        let Some(command) = self.next_command(channel) else { return };
        let now = self.calendar.now();
        self.take_cable(channel, command);
        let mate_done = self.mate_busy_until(channel, command);
        if mate_done > now {
            let event = Event::Cable(channel, CableEvent::MateDone(command));
            self.schedule(mate_done, Phase::Grant, event);
        } else {
            self.write_command(channel, command);
        }
    }

    /// The waiting command that goes next: two devices take turns or the nearer is chosen, and a drive that is full is
    /// passed over. Where one queue serves both, its order holds, and it waits for a drive that is full.
    fn next_command(&mut self, channel: u16) -> Option<CommandId> {
        let state = &mut self.channels[usize::from(channel)];
        let queues = state.waiting.len();
        let mut queue = state.last;
        let slots = &self.slots;
        let on_channel = || state.devices.iter().flatten().map(|&drive| &slots[usize::from(drive)]);
        let limited = state.outstanding_max < usize::MAX;
        if limited && on_channel().map(|slot| slot.outstanding).sum::<usize>() >= state.outstanding_max {
            return None;
        }
        let full = |slot: &super::Slot| slot.outstanding >= slot.drive.queue_depth();
        let mut nearest: Option<(u64, usize)> = None;
        for _ in 0..queues {
            queue = if queue + 1 < queues { queue + 1 } else { 0 };
            let must_wait = if queues > 1 {
                state.devices[queue].is_none_or(|drive| full(&slots[usize::from(drive)]))
            } else {
                on_channel().any(full)
            };
            if must_wait {
                continue;
            }
            let waiting = &state.waiting[queue];
            let away = match self.device_choice {
                DeviceChoice::Alternate => (!waiting.is_empty()).then_some(0),
                DeviceChoice::Nearest => waiting.distance(),
            };
            let Some(away) = away else { continue };
            if nearest.is_none_or(|(least, _)| away < least) {
                nearest = Some((away, queue));
            }
            if self.device_choice == DeviceChoice::Alternate {
                break;
            }
        }
        let (_, queue) = nearest?;
        state.last = queue;
        state.waiting[queue].pop()
    }

    /// Until when the driver's rule makes this command wait for the other drive on its cable.
    fn mate_busy_until(&self, channel: u16, command: CommandId) -> Instant {
        let Command { drive, write, .. } = self.commands[command.0];
        let device = self.slots[usize::from(drive)].device;
        let change = self.channels[usize::from(channel)].cable.selected() != device;
        let waits = match self.cable_rule {
            CableRule::CableFree => false,
            CableRule::DeviceChangeWaits => change,
            CableRule::ReadsWaitForMate => !write,
            CableRule::ReadsAndDeviceChangesWait => !write || change,
            CableRule::AllWaitForMate => true,
        };
        if !waits {
            return Instant::ZERO;
        }
        let devices = self.channels[usize::from(channel)].devices;
        let mate = devices.into_iter().flatten().find(|&other| other != drive);
        mate.map_or(Instant::ZERO, |mate| self.slots[usize::from(mate)].drive.busy_until())
    }

    fn take_cable(&mut self, channel: u16, command: CommandId) {
        let state = &mut self.channels[usize::from(channel)];
        state.cable.grant(command);
        state.busy_since = self.calendar.now();
        self.mark(|_| Mark::Granted { command, channel });
    }

    pub(super) fn release_cable(&mut self, channel: u16, command: CommandId) {
        let now = self.calendar.now();
        let state = &mut self.channels[usize::from(channel)];
        if state.cable.owner() == Some(command) {
            state.cable.release(command);
            state.busy += now.since(state.busy_since.max(self.metrics.since()));
            self.mark(|_| Mark::Released { command, channel });
        }
    }

    /// The processor writes a command into the drive's registers.
    fn write_command(&mut self, channel: u16, id: CommandId) {
        let slot = &mut self.slots[usize::from(self.commands[id.0].drive)];
        slot.outstanding += 1;
        let Step { processor, wire } = self.channels[usize::from(channel)].cable.command(slot.device);
        let written = self.process(Job::Dispatch(id), self.costs.dispatch + processor) + wire;
        let event = Event::Cable(channel, CableEvent::Accepted(id));
        self.schedule(written, Phase::Grant, event);
    }

    fn accepted(&mut self, channel: u16, id: CommandId) {
        let Command { drive, extent, write, train, .. } = self.commands[id.0];
        let mut port = DrivePort { calendar: &mut self.calendar, drive };
        let slot = &mut self.slots[usize::from(drive)];
        let command = drive::Command { id, kind: kind(write), extent, transfer: train.duration };
        slot.drive.accept(command, &mut port);
        let queues = slot.drive.queue_depth() > 1;
        self.mark(|_| Mark::Accepted { command: id });
        self.mark_drive(drive);
        if queues {
            // A drive with a queue lets the cable go and asks for it again when its data is ready.
            self.release_cable(channel, id);
            self.start_next(channel);
        }
    }

    /// A drive is ready for a command's data.
    fn ready(&mut self, drive: u16, id: CommandId) {
        self.mark(|machine| {
            let service = machine.slots[usize::from(drive)].drive.service(id);
            Mark::Ready { command: id, service: service.unwrap_or_default() }
        });
        let channel = self.slots[usize::from(drive)].channel;
        let state = &mut self.channels[usize::from(channel)];
        match state.cable.owner() {
            Some(owner) if owner == id => self.start_data(channel, id),
            Some(_) => state.service.push_back(id),
            None => self.select_for_data(channel, id),
        }
    }

    /// The driver selects a drive that asked for service.
    fn select_for_data(&mut self, channel: u16, id: CommandId) {
        self.take_cable(channel, id);
        let device = self.slots[usize::from(self.commands[id.0].drive)].device;
        let Step { processor, wire } = self.channels[usize::from(channel)].cable.service(device);
        let now = self.calendar.now();
        let at = if processor.is_zero() { now } else { self.process(Job::Select(id), processor) } + wire;
        self.schedule(at, Phase::Grant, Event::Cable(channel, CableEvent::Serviced(id)));
    }

    fn start_data(&mut self, channel: u16, id: CommandId) {
        let now = self.calendar.now();
        let Command { drive, extent, write, train, .. } = self.commands[id.0];
        let programmed = self.slots[usize::from(drive)].path.is_programmed();
        if programmed && self.cpu.free_at() > now {
            // The processor moves it itself, and is at other work: nothing crosses until then.
            let event = Event::Cable(channel, CableEvent::Serviced(id));
            self.schedule(self.cpu.free_at(), Phase::Grant, event);
            return;
        }
        let period = self.join_bus(channel, train);
        let duration = match period == train.period {
            true => train.duration,
            false => train.duration.scale_up(period.ps(), train.period.ps()),
        };
        let end = if programmed { self.process(Job::Move(id), duration) } else { now + duration };
        let event = Event::Cable(channel, CableEvent::Transferred);
        let handle = self.schedule(end, Phase::Completion, event);
        let transfer = Transfer { command: id, period, end, handle, bus_left: train.on_bus, since: now };
        self.channels[usize::from(channel)].transfer = Some(transfer);
        self.mark(|machine| {
            let path = &machine.slots[usize::from(drive)].path;
            let plan = TransferPlan {
                write,
                arbitration: path.lead(write),
                on_bus: train.on_bus,
                paused: path.paused(extent.bytes(), write),
                alone: train.duration,
                burst: train.burst,
                bursts: extent.bytes().div_ceil(path.burst_bytes()),
            };
            Mark::Begun { command: id, channel, plan }
        });
        self.mark(|_| Mark::Paced { channel, period, end });
        if !self.bus_is_ample {
            self.retime();
        }
    }

    /// A train joins those on the bus; returns the time between bursts that it gets.
    fn join_bus(&mut self, channel: u16, train: Train) -> Span {
        if self.bus_is_ample {
            return train.period;
        }
        self.charge_competitors(self.calendar.now());
        self.share.join(UserId(u32::from(channel)), train.burst, train.period)
    }

    /// A train has ended; the others may go faster.
    fn leave_bus(&mut self, channel: u16) {
        if !self.bus_is_ample {
            self.charge_competitors(self.calendar.now());
            self.share.leave(UserId(u32::from(channel)));
            self.retime();
        }
    }

    /// Counts the bus time that the steady competitors have had since the last train joined or left.
    fn charge_competitors(&mut self, now: Instant) {
        let span = now.since(self.metrics.bus_since);
        self.metrics.bus_since = now;
        self.metrics.bus_busy += self.share.competing_time(span);
    }

    /// Counts the bus time that has been taken up to now.
    pub(super) fn settle_bus(&mut self, now: Instant) {
        self.charge_competitors(now);
        for channel in &mut self.channels {
            if let Some(transfer) = &mut channel.transfer {
                self.metrics.bus_busy += transfer.settle(now);
            }
        }
    }

    /// After a train has joined or left: those that go on get their new period.
    fn retime(&mut self) {
        let now = self.calendar.now();
        for (UserId(channel), period) in self.share.periods() {
            let Some(transfer) = &mut self.channels[channel as usize].transfer else { continue };
            if transfer.period == period {
                continue;
            }
            self.metrics.bus_busy += transfer.settle(now);
            let left = transfer.end.since(now);
            let rest = left.scale_up(period.ps(), transfer.period.ps());
            let drive = self.commands[transfer.command.0].drive;
            if self.slots[usize::from(drive)].path.is_programmed() {
                // The processor waits at its accesses. What it was told to wait is not taken back.
                self.cpu.run(now, rest.saturating_sub(left));
            }
            self.calendar.cancel(transfer.handle);
            transfer.period = period;
            transfer.end = now + rest;
            let event = Event::Cable(channel as u16, CableEvent::Transferred);
            transfer.handle = self.calendar.schedule(transfer.end, Phase::Completion, event.code());
            if P::ACTIVE {
                let paced = Mark::Paced { channel: channel as u16, period, end: transfer.end };
                self.probe.mark(now, &paced);
            }
        }
    }

    fn transferred(&mut self, channel: u16) {
        let Some(transfer) = self.channels[usize::from(channel)].transfer.take() else { return };
        self.metrics.bus_busy += transfer.bus_left;
        self.mark(|_| Mark::Transferred { command: transfer.command, channel });
        self.leave_bus(channel);
        let drive = self.commands[transfer.command.0].drive;
        let mut port = DrivePort { calendar: &mut self.calendar, drive };
        self.slots[usize::from(drive)].drive.data_transferred(transfer.command, &mut port);
        self.mark_drive(drive);
    }

    /// Tells what the mechanism of a drive is at.
    fn mark_drive(&mut self, drive: u16) {
        self.mark(|machine| {
            let activity = machine.slots[usize::from(drive)].drive.activity();
            Mark::Drive { drive, activity }
        });
    }

    /// Tells of a command whose data is through to the medium now.
    fn mark_written(&mut self, drive: u16) {
        if P::ACTIVE
            && let Some((command, service, end)) = self.slots[usize::from(drive)].drive.written_through()
            && end <= self.calendar.now()
        {
            self.mark(|_| Mark::Written { command, service });
        }
    }

    /// A drive has asserted its interrupt line.
    fn interrupt(&mut self, drive: u16, id: CommandId) {
        let slot = &self.slots[usize::from(drive)];
        let Step { processor, wire } = self.channels[usize::from(slot.channel)].cable.status(slot.device);
        self.mark(|_| Mark::Done { command: id });
        // A status frame comes before the interrupt. Counted behind it, it needs no event of its own, and the drive's
        // next command starts no sooner either way.
        let answered = self.process(Job::Interrupt(id), self.costs.interrupt + processor) + wire;
        self.schedule(answered, Phase::Completion, Event::Host(HostEvent::Answered(id)));
    }
}

impl Transfer {
    /// The bus time taken since it was last asked for, which is no longer left.
    fn settle(&mut self, now: Instant) -> Span {
        let taken = match self.end.since(self.since) {
            Span::ZERO => Span::ZERO,
            rest => self.bus_left.scale_down(now.min(self.end).since(self.since).ps(), rest.ps()),
        };
        self.bus_left -= taken;
        self.since = now;
        taken
    }
}
