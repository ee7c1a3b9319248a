//! When written pages go to the disk: the lazy writer, and the log of NTFS.

use super::cache::Run;
use super::disk::{Disk, Purpose};
use super::script::PAGE_BYTES;
use super::spec::{FileCacheSpec, NtfsSpec};
use super::volume::LogPlace;
use crate::units::{Extent, Instant, KIB, SECTOR_BYTES, Span};

/// Longest write of the log.
const LOG_WRITE_SECTORS: u64 = 64 * KIB / SECTOR_BYTES;

/// The lazy writer.
#[derive(Clone, Debug)]
pub(super) struct Writeback {
    period: Span,
    share: u64,
    most: u64,
    next: Instant,
    /// Pages that may still be written before the next look.
    quota: u64,
    /// Writes under way, those of the log among them.
    pub in_flight: u64,
    /// The block that was written last.
    pub cursor: u32,
    /// A wake-up has been asked for.
    pub armed: bool,
}

impl Writeback {
    pub fn new(spec: &FileCacheSpec) -> Self {
        let period = Span::from_s(spec.lazy_period_s);
        Writeback {
            period,
            share: spec.lazy_share,
            most: spec.writes_in_flight,
            next: Instant::ZERO + period,
            quota: 0,
            in_flight: 0,
            cursor: 0,
            armed: false,
        }
    }

    /// Once a period: one in so many of the dirty pages is to be written.
    pub fn look(&mut self, now: Instant, dirty: u64) {
        if now >= self.next {
            self.quota = self.quota.max(dirty.div_ceil(self.share));
            self.next = now + self.period;
        }
    }
    pub fn next_look(&self) -> Instant {
        self.next
    }
    /// At least so many pages are to be written now; [`u64::MAX`] means all.
    pub fn hurry(&mut self, pages: u64) {
        self.quota = self.quota.max(pages);
    }
    /// All has been written.
    pub fn calm(&mut self) {
        self.quota = 0;
    }
    pub fn flushes_all(&self) -> bool {
        self.quota == u64::MAX
    }
    pub fn may_write(&self) -> bool {
        self.quota > 0 && self.in_flight < self.most
    }
    /// A run is on its way.
    pub fn started(&mut self, run: Run) {
        self.in_flight += 1;
        self.cursor = run.block;
        if !self.flushes_all() {
            self.quota = self.quota.saturating_sub(run.pages.into());
        }
    }
}

/// The log of NTFS: what is appended in memory, and how much of it is on the disk.
#[derive(Clone, Debug)]
pub(super) struct Log {
    place: LogPlace,
    record_bytes: u64,
    appended: u64,
    on_disk: u64,
    writing: bool,
    checkpoints: u64,
    period: Span,
    next: Instant,
}

impl Log {
    pub fn new(place: LogPlace, spec: &NtfsSpec) -> Self {
        let period = Span::from_s(spec.checkpoint_s);
        Log {
            place,
            record_bytes: spec.log_record_bytes,
            appended: 0,
            on_disk: 0,
            writing: false,
            checkpoints: 0,
            period,
            next: Instant::ZERO + period,
        }
    }

    /// A change is logged; how much log there is then.
    pub fn append(&mut self) -> u64 {
        self.appended += self.record_bytes;
        self.appended
    }
    /// Log up to so many bytes is on the disk.
    pub fn flushed(&mut self, bytes: u64) {
        self.on_disk = bytes;
        self.writing = false;
    }
    pub fn flushed_bytes(&self) -> u64 {
        self.on_disk
    }
    pub fn is_flushed(&self) -> bool {
        self.on_disk == self.appended
    }
    pub fn next_checkpoint(&self) -> Instant {
        self.next
    }

    /// Whether it is time for a checkpoint; the next one is then due a period later.
    pub fn checkpoint_is_due(&mut self, now: Instant) -> bool {
        let due = now >= self.next;
        if due {
            self.next = now + self.period;
        }
        due
    }

    /// Writes a restart area.
    pub fn ask_restart(&mut self, disk: &mut Disk) {
        disk.ask(Purpose::Restart, true, &[self.place.restart(self.checkpoints)]);
        self.checkpoints += 1;
    }

    /// Writes what is not on the disk, the page that is partly there again; says whether there is anything to write.
    pub fn ask_flush(&mut self, disk: &mut Disk) -> bool {
        if self.writing || self.is_flushed() {
            return false;
        }
        let mut extents: Vec<Extent> = Vec::new();
        for page in self.on_disk / PAGE_BYTES..self.appended.div_ceil(PAGE_BYTES) {
            let next = self.place.page(page);
            match extents.last_mut() {
                Some(last) if last.end() == next.lba && last.sectors < LOG_WRITE_SECTORS => {
                    last.sectors += next.sectors;
                }
                _ => extents.push(next),
            }
        }
        disk.ask(Purpose::Log(self.appended), true, &extents);
        self.writing = true;
        true
    }
}
