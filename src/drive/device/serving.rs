//! Commands that need no mechanical work of their own: hits, cached writes, flushes.

use super::{Active, Command, CommandKind, Drive, DriveEvent, Mechanism, Operation, Step};
use crate::sim::{Phase, Schedule};
use crate::units::Instant;

impl Drive {
    pub(super) fn serve_without_mechanism(&mut self, index: usize, cx: &mut impl Schedule<DriveEvent>) {
        let Active { command, accepted, .. } = self.commands[index];
        match command.kind {
            CommandKind::Flush => self.draining |= !self.cache.is_clean(),
            CommandKind::Write if !self.write_cache_enabled => {
                let decoded = self.decode(index, false);
                self.ready(index, decoded, cx);
            }
            CommandKind::Write => {
                if self.cache.has_room(command.extent, self.promised()) {
                    let decoded = self.decode(index, true);
                    self.ready(index, decoded, cx);
                } else if cx.now() == accepted {
                    self.counters.writes_stalled += 1;
                }
            }
            CommandKind::Read => {
                let ready = self.decode(index, true).max(cx.now());
                self.serve_read_from_buffer(index, ready, cx);
            }
        }
    }

    /// Entries and sectors of the cache that writes will take whose data is still crossing.
    pub(super) fn promised(&self) -> (usize, u64) {
        let crossing = self.commands.iter().filter(|a| a.step == Step::Ready);
        let writes = crossing.filter(|a| a.command.kind == CommandKind::Write);
        writes.fold((0, 0), |(entries, sectors), a| (entries + 1, sectors + a.command.extent.sectors))
    }

    /// When the drive's processor has understood the command.
    pub(super) fn decoded(&self, index: usize, hit: bool) -> Instant {
        let active = &self.commands[index];
        let write = active.command.kind == CommandKind::Write;
        active.accepted + self.overheads.decode(write, hit, active.after_write)
    }

    /// The same, noted as what this command takes.
    pub(super) fn decode(&mut self, index: usize, hit: bool) -> Instant {
        let decoded = self.decoded(index, hit);
        self.commands[index].service.decoded = decoded;
        decoded
    }

    /// The data of a command may cross from `at` on, without any work of the mechanism.
    pub(super) fn ready(&mut self, index: usize, at: Instant, cx: &mut impl Schedule<DriveEvent>) {
        let at = at.max(cx.now());
        self.ready_after(index, Operation::none(at), at, cx);
    }

    /// The same after an operation of the mechanism.
    fn ready_after(
        &mut self,
        index: usize,
        operation: Operation,
        at: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) {
        let active = &mut self.commands[index];
        active.step = Step::Ready;
        active.service.operation = operation;
        cx.at(at.max(cx.now()), Phase::Grant, DriveEvent::Ready(active.command.id));
    }

    /// Serves a read that the drive has decoded by `ready` from the cache, the buffer, or reading that is under way;
    /// says whether it could.
    pub(super) fn serve_read_from_buffer(
        &mut self,
        index: usize,
        ready: Instant,
        cx: &mut impl Schedule<DriveEvent>,
    ) -> bool {
        let extent = self.commands[index].command.extent;
        if self.cache.covers(extent) {
            self.counters.read_hits += 1;
            self.ready(index, ready, cx);
            return true;
        }
        self.sync_run(ready);
        let Some(segment) = self.buffer.find(extent.lba) else { return false };
        if extent.end() <= self.buffer.segment(segment).end {
            self.counters.read_hits += 1;
            self.buffer.touch(segment, extent);
            self.refill(segment, extent.end(), false, ready);
            self.ready(index, ready, cx);
            return true;
        }
        // The rest is still to come: if the mechanism is reading it, wait for it; if it had stopped, go on.
        let reading_it = matches!(self.mechanism, Mechanism::Reading { segment: s, .. } if s == segment);
        if reading_it {
            self.counters.read_partial_hits += 1;
            self.buffer.touch(segment, extent);
            self.refill(segment, extent.end(), true, ready);
            self.await_run(index, ready, cx);
        }
        reading_it
    }

    /// The command's last sector is part of the run under way: its data can start to cross the interface when
    /// the rest will keep up.
    pub(super) fn await_run(&mut self, index: usize, earliest: Instant, cx: &mut impl Schedule<DriveEvent>) {
        let Mechanism::Reading { run, busy, segment } = &mut self.mechanism else { return };
        let Command { extent, transfer, .. } = self.commands[index].command;
        let held = self.buffer.segment(*segment).end;
        let (read, start) = run.feeds(&self.mechanics, extent, held, transfer);
        // So far it reads on even if the next command waits for the heads.
        let committed = (extent.end() + self.read_ahead_least).min(run.limit());
        let until = if committed > extent.end() { run.reads_to(&self.mechanics, committed) } else { read };
        let before = *busy;
        *busy = until.max(before);
        self.count_busy(before.max(cx.now()), until);
        let operation = self.operation;
        self.ready_after(index, operation, earliest.max(start), cx);
        if self.queue_depth > 1 || until > read {
            cx.at(until.max(cx.now()), Phase::Completion, DriveEvent::MediaDone);
        }
    }
}
