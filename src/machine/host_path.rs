//! The host's side of a request: from the program to the cables, and back.

use super::event::{Event, HostEvent, RequestId, SrbId};
use super::load::Next;
use super::{Command, Job, Machine, Mark, Part, Probe, Request};
use crate::drive::CommandId;
use crate::host::{Driver, MirrorWrite, Parts};
use crate::raid::Location;
use crate::sim::Phase;
use crate::units::{Extent, Span};

impl<P: Probe> Machine<P> {
    pub(super) fn host_event(&mut self, event: HostEvent) {
        match event {
            HostEvent::Called(request) => self.call(request),
            HostEvent::Issued(request) => self.issued(request),
            HostEvent::Answered(command) => self.answered(command),
            HostEvent::Returned(request) => self.returned(request),
            HostEvent::Worked(who) if self.cpu.program_until() > self.calendar.now() => self.await_work(who),
            HostEvent::Resumed(who) | HostEvent::Worked(who) => {
                self.load.resumed(who);
                self.pump(who);
            }
        }
    }

    /// Lets a part of the load do whatever it can.
    pub(super) fn pump(&mut self, who: u32) {
        let now = self.calendar.now();
        loop {
            match self.load.next(who, now) {
                Next::Nothing => return,
                Next::Resume { who, at } => {
                    self.schedule(at, Phase::Arrival, Event::Host(HostEvent::Resumed(who)));
                }
                Next::Work { who, span } => {
                    self.cpu.run_program(now, span);
                    self.await_work(who);
                }
                Next::Issue { extent, write, think, tag } => {
                    let recorded = self.metrics.issue(now);
                    let request = Request { extent, write, called: now, recorded, tag, srbs_left: 0 };
                    let id = RequestId(self.requests.insert(request));
                    if think > Span::ZERO {
                        let event = Event::Host(HostEvent::Called(id));
                        self.schedule(now + think, Phase::Arrival, event);
                    } else {
                        self.call(id);
                    }
                }
            }
        }
    }

    /// The program goes on when its work is done; interrupts may put that off.
    fn await_work(&mut self, who: u32) {
        let event = Event::Host(HostEvent::Worked(who));
        self.schedule(self.cpu.program_until(), Phase::Arrival, event);
    }

    fn call(&mut self, id: RequestId) {
        let request = &mut self.requests[id.0];
        request.called = self.calendar.now();
        let Request { tag, extent, write, .. } = *request;
        let worker = self.load.worker(tag);
        self.mark(|_| Mark::Called { request: id, worker, extent, write });
        let issued = self.process(Job::Issue(id), self.costs.issue);
        self.schedule(issued, Phase::Arrival, Event::Host(HostEvent::Issued(id)));
    }

    /// The port driver cuts a request at its transfer limit and queues the pieces.
    fn issued(&mut self, id: RequestId) {
        let Request { extent, write, .. } = self.requests[id.0];
        let mut lba = extent.lba;
        while lba < extent.end() {
            let sectors = self.transfer_limit.min(extent.end() - lba);
            let index = self.srbs.reuse();
            let srb = &mut self.srbs[index];
            srb.request = id;
            srb.extent = Extent::new(lba, sectors);
            srb.write = write;
            self.driver.submit(lba, SrbId(index));
            self.mark(|_| Mark::Queued { srb: SrbId(index), request: id });
            self.requests[id.0].srbs_left += 1;
            lba += sectors;
        }
        self.dispatch();
    }

    /// Lets as many requests into the array as the driver's policy allows.
    pub(super) fn dispatch(&mut self) {
        while let Some(srb) = self.driver.take() {
            self.mark(|_| Mark::Taken { srb });
            let independent = self.split(srb);
            self.send_parts(srb, independent);
        }
        let queue = |machine: &Self| (machine.driver.waiting(), machine.driver.under_way());
        self.mark(|machine| {
            let (waiting, under_way) = queue(machine);
            Mark::Queue { waiting, under_way }
        });
    }

    /// Fills in the commands that a request block becomes; returns how many of the first need not wait for the rest.
    fn split(&mut self, id: SrbId) -> usize {
        let srb = &mut self.srbs[id.0];
        let (extent, write) = (srb.extent, srb.write);
        srb.parts.clear();
        (srb.sent, srb.done) = (0, 0);
        let mut splitter = Splitter {
            parts: &mut srb.parts,
            driver: &mut self.driver,
            join: self.join_pieces,
            sectors_max: self.command_limit,
        };
        let in_turn = self.mirror_write == MirrorWrite::InTurn;
        self.map.each_piece(extent, |piece| {
            if !write {
                let copy = splitter.driver.copy_to_read(&piece);
                splitter.add(copy, piece.sectors);
            } else if in_turn {
                splitter.add(piece.primary, piece.sectors);
            } else {
                piece.copies().for_each(|copy| splitter.add(copy, piece.sectors));
            }
        });
        let independent = splitter.parts.len();
        if write && in_turn {
            self.map.each_piece(extent, |piece| {
                if let Some(copy) = piece.mirror {
                    splitter.add(copy, piece.sectors);
                }
            });
        }
        independent
    }

    /// Hands the next parts of a piece, up to number `end`, to their cables, as many at a time as the driver does.
    fn send_parts(&mut self, id: SrbId, end: usize) {
        let at_once = match self.parts {
            Parts::Parallel => end - self.srbs[id.0].sent,
            Parts::Serial => 1,
        };
        for _ in 0..at_once {
            self.send_part(id);
        }
    }

    /// Hands the next part of a piece to its cable.
    fn send_part(&mut self, id: SrbId) {
        let srb = &mut self.srbs[id.0];
        let Some(&Part { member, extent }) = srb.parts.get(srb.sent) else { return };
        srb.sent += 1;
        let write = srb.write;
        let drive = self.members[usize::from(member)];
        let slot = &mut self.slots[usize::from(drive)];
        let train = slot.train(extent.bytes(), write);
        let channel = slot.channel;
        let queue = if self.per_device_queues { usize::from(slot.device.0) } else { 0 };
        let command = Command { srb: id, member, drive, extent, write, train };
        let command = CommandId(self.commands.insert(command));
        self.mark(|_| Mark::Sent { command, srb: id, drive, channel, extent, write });
        self.channels[usize::from(channel)].waiting[queue].push(extent.lba, command);
        self.start_next(channel);
    }

    /// The driver has answered a command's interrupt: its part is done, its cable is free.
    fn answered(&mut self, id: CommandId) {
        let Command { srb, member, drive, .. } = self.commands[id.0];
        self.commands.remove(id.0);
        let slot = &mut self.slots[usize::from(drive)];
        slot.outstanding -= 1;
        let channel = slot.channel;
        self.driver.done(member);
        self.release_cable(channel, id);
        let state = &mut self.srbs[srb.0];
        state.done += 1;
        let awaited = state.done == state.sent;
        self.mark(|_| Mark::Answered { command: id, awaited });
        let parts = self.srbs[srb.0].parts.len();
        if self.srbs[srb.0].done == parts {
            self.finish(srb);
        } else if awaited {
            self.send_parts(srb, parts);
        }
        self.start_next(channel);
    }

    /// All parts of a piece are done.
    fn finish(&mut self, id: SrbId) {
        let request = self.srbs[id.0].request;
        self.srbs.remove(id.0);
        self.driver.finished();
        let last = self.requests[request.0].srbs_left == 1;
        self.mark(|_| Mark::Finished { srb: id, last });
        self.dispatch();
        self.requests[request.0].srbs_left -= 1;
        if last {
            let returned = self.process(Job::Complete(request), self.costs.complete);
            self.schedule(returned, Phase::Completion, Event::Host(HostEvent::Returned(request)));
        }
    }

    /// The program has its request back, and may issue the next.
    fn returned(&mut self, id: RequestId) {
        let now = self.calendar.now();
        let request = self.requests[id.0];
        self.requests.remove(id.0);
        self.metrics.complete(now, request.called, request.extent.bytes(), request.write, request.recorded);
        self.mark(|machine| {
            let counted = request.recorded && machine.metrics.started();
            Mark::Returned { request: id, counted }
        });
        self.load.done(request.tag);
        self.pump(request.tag);
    }
}

/// Makes commands of what the address map says.
struct Splitter<'a> {
    parts: &'a mut Vec<Part>,
    driver: &'a mut Driver<SrbId>,
    join: bool,
    sectors_max: u64,
}

impl Splitter<'_> {
    /// `sectors` sectors at `copy` are wanted: they lengthen the member's last command or become commands of their own.
    fn add(&mut self, copy: Location, sectors: u64) {
        let mut left = Extent::new(copy.lba, sectors);
        self.driver.moves_to(copy.member, left.end());
        if self.join
            && let Some(last) = self.parts.iter_mut().rev().find(|part| part.member == copy.member)
            && last.extent.end() == left.lba
        {
            let joined = left.sectors.min(self.sectors_max.saturating_sub(last.extent.sectors));
            last.extent.sectors += joined;
            left = Extent::new(left.lba + joined, left.sectors - joined);
        }
        while left.sectors > 0 {
            let extent = Extent::new(left.lba, left.sectors.min(self.sectors_max));
            self.parts.push(Part { member: copy.member, extent });
            self.driver.sent(copy.member);
            left = Extent::new(extent.end(), left.sectors - extent.sectors);
        }
    }
}
