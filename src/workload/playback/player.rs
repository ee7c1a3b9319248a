//! The playback as a state machine: it is asked what to do next, and told what has been done.

use std::ops::Range;

use super::cache::{Cache, Run};
use super::disk::{Disk, Purpose};
use super::script::{Op, PAGE_BYTES, Script, Step};
use super::spec::{FileCacheSpec, PlaybackSpec};
use super::volume::{FileSystem, Page, Volume};
use super::writeback::{Log, Writeback};
use crate::units::{Extent, Instant, KIB, MIB, SECTOR_BYTES, Span};
use crate::workload::{Area, WorkloadError};

/// Regular requests before read-ahead starts.
const REGULAR: u32 = 3;
const PAGE_SECTORS: u64 = PAGE_BYTES / SECTOR_BYTES;

/// What the playback wants next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Playing {
    /// This disk request is to be issued; [`Player::done`] is to be told its tag when it is complete.
    Issue {
        /// What to transfer.
        extent: Extent,
        /// True for a write.
        write: bool,
        /// Names the request.
        tag: u32,
    },
    /// The program computes for so long; then [`Player::resumed`] is to be told.
    Work(Span),
    /// The program does nothing for so long; then [`Player::resumed`] is to be told.
    Think(Span),
    /// The cache manager wants to be asked again then.
    Wake(Instant),
    /// Nothing until something is complete.
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// The present step may be tried.
    Ready,
    /// The program works or thinks.
    Busy,
    /// The present step waits for a disk request.
    Waiting,
    /// No step is left.
    Over,
}

/// How a file has been read since it was opened.
#[derive(Clone, Copy, Default, Debug)]
struct History {
    end: u64,
    regular: u32,
}

/// A recording on its way through cache and file system.
#[derive(Clone, Debug)]
pub struct Player {
    script: Script,
    names: Vec<String>,
    volume: Volume,
    cache: Cache,
    disk: Disk,
    writeback: Writeback,
    log: Option<Log>,
    at: usize,
    state: State,
    /// The pause before the present step is over.
    thought: bool,
    /// The present step has been tried before.
    tried: bool,
    history: History,
    read_ahead: u64,
    dirty_max: u64,
    call: Span,
    copy_mb_s: f64,
    pages: Vec<Page>,
    runs: Vec<Run>,
    /// When the last flush of each application ended.
    ends: Vec<(u16, Instant)>,
    hits: u64,
    misses: u64,
}

impl Player {
    /// A playback on the `area` of an array of `capacity_sectors`.
    ///
    /// # Errors
    /// A recording that moves nothing, an area that does not exist, a volume its file system cannot have or that is
    /// too small for the files.
    pub fn new(
        spec: &PlaybackSpec,
        file_system: FileSystem,
        cache: &FileCacheSpec,
        area: Area,
        capacity_sectors: u64,
    ) -> Result<Player, WorkloadError> {
        let script = Script::record(spec);
        if script.bytes.iter().sum::<u64>() == 0 {
            return Err(WorkloadError::EmptyPlayback(spec.name.clone()));
        }
        let (start, end) = area.bytes(capacity_sectors)?;
        let place = (start / SECTOR_BYTES, end / SECTOR_BYTES);
        let volume = Volume::new(file_system, &spec.volume, place, &script)?;
        let pages = |mib: u64| mib * MIB / PAGE_BYTES;
        Ok(Player {
            names: spec.applications.iter().map(|application| application.name.clone()).collect(),
            cache: Cache::new(volume.nodes(), pages(cache.size_mib)),
            disk: Disk::default(),
            writeback: Writeback::new(cache),
            log: volume.log().map(|place| Log::new(place, &spec.volume.ntfs)),
            at: 0,
            state: State::Ready,
            thought: false,
            tried: false,
            history: History::default(),
            read_ahead: cache.read_ahead_kib * KIB,
            dirty_max: pages(cache.dirty_max_mib),
            call: Span::from_us(cache.call_us),
            copy_mb_s: cache.copy_mb_s,
            pages: Vec::new(),
            runs: Vec::new(),
            ends: Vec::new(),
            hits: 0,
            misses: 0,
            script,
            volume,
        })
    }

    /// What to do at `now`.
    pub fn next(&mut self, now: Instant) -> Playing {
        loop {
            if let Some((extent, write, tag)) = self.disk.next() {
                return Playing::Issue { extent, write, tag };
            }
            self.write_back(now);
            if self.disk.has_asked() {
                continue;
            }
            if self.state != State::Ready {
                let wake = if self.state == State::Over { None } else { self.wake() };
                return wake.map_or(Playing::Nothing, Playing::Wake);
            }
            let Some(&step) = self.script.steps.get(self.at) else {
                self.state = State::Over;
                continue;
            };
            if !step.think.is_zero() && !self.thought {
                (self.thought, self.state) = (true, State::Busy);
                return Playing::Think(step.think);
            }
            match self.try_step(step, now) {
                Some(work) => {
                    self.at += 1;
                    (self.thought, self.tried, self.state) = (false, false, State::Busy);
                    return Playing::Work(work);
                }
                None => (self.tried, self.state) = (true, State::Waiting),
            }
        }
    }

    /// The program's work or pause is over.
    pub fn resumed(&mut self) {
        self.state = State::Ready;
    }

    /// The cache manager has been woken.
    pub fn woken(&mut self) {
        self.writeback.armed = false;
    }

    /// A disk request is complete.
    pub fn done(&mut self, tag: u32) {
        match self.disk.done(tag) {
            Some(Purpose::Read(run)) => self.cache.finish_read(run),
            Some(Purpose::Write(run)) => {
                self.cache.finish_write(run);
                self.writeback.in_flight -= 1;
            }
            Some(Purpose::Log(bytes)) => {
                self.writeback.in_flight -= 1;
                if let Some(log) = &mut self.log {
                    log.flushed(bytes);
                }
            }
            Some(Purpose::Restart) => self.writeback.in_flight -= 1,
            None => return,
        }
        if self.state == State::Waiting {
            self.state = State::Ready;
        }
    }

    /// Whether everything has been played and nothing is under way.
    pub fn is_over(&self) -> bool {
        self.state == State::Over && !self.disk.has_asked() && !self.disk.under_way()
    }

    /// Bytes and time of each application that was flushed by itself; all together where they took turns.
    pub fn scores(&self) -> Vec<(String, u64, Span)> {
        if let [(_, end)] = self.ends[..] {
            return vec![(self.names.join("+"), self.script.bytes.iter().sum(), end.since(Instant::ZERO))];
        }
        let mut before = Instant::ZERO;
        let score = |&(application, end): &(u16, Instant)| {
            let index = usize::from(application);
            let span = end.since(before);
            before = end;
            (self.names[index].clone(), self.script.bytes[index], span)
        };
        self.ends.iter().map(score).collect()
    }

    /// Share of the pages read that were in memory or on their way, 0 to 1.
    pub fn hit_share(&self) -> f64 {
        self.hits as f64 / (self.hits + self.misses).max(1) as f64
    }

    /// Tries a step; the processor time that it takes if it could be done, nothing if it has to wait.
    fn try_step(&mut self, step: Step, now: Instant) -> Option<Span> {
        let node = self.volume.file(step.file);
        match step.op {
            Op::Open => {
                self.history = History::default();
                self.pages.clear();
                self.volume.lookup(step.file, &mut self.pages);
                if !self.have_pages() {
                    return None;
                }
                if self.script.files[step.file as usize].created {
                    self.pages.clear();
                    self.volume.attributes(step.file, &mut self.pages);
                    self.change();
                }
                Some(self.call)
            }
            Op::Read { offset, bytes } => self.try_read(node, step.file, offset, bytes),
            Op::Write { offset, bytes } => self.try_write(node, step.file, offset, bytes),
            Op::Close { written } => {
                self.pages.clear();
                if written {
                    self.volume.attributes(step.file, &mut self.pages);
                }
                if !self.have_pages() {
                    return None;
                }
                self.change();
                Some(self.call)
            }
            Op::End => {
                self.writeback.hurry(u64::MAX);
                let log_done = self.log.as_ref().is_none_or(Log::is_flushed);
                if self.cache.dirty_pages() > 0 || self.writeback.in_flight > 0 || !log_done {
                    return None;
                }
                self.writeback.calm();
                self.ends.push((step.application, now));
                Some(self.call)
            }
        }
    }

    fn try_read(&mut self, node: u32, file: u32, offset: u64, bytes: u64) -> Option<Span> {
        let wanted = pages_of(offset, bytes);
        if !self.tried {
            self.runs.clear();
            self.cache.start_read(node, wanted.clone(), &mut self.runs);
            let missing: u64 = self.runs.iter().map(|run| u64::from(run.pages)).sum();
            self.misses += missing;
            self.hits += wanted.end - wanted.start - missing;
            self.read_ahead(node, file, offset, bytes);
            self.ask_reads();
        }
        if !self.have(node, wanted.clone()) {
            return None;
        }
        self.cache.use_pages(node, wanted);
        Some(self.call + self.copy(bytes))
    }

    /// From the third regular request on, asks for what follows up to one unit behind the unit of this request's end.
    fn read_ahead(&mut self, node: u32, file: u32, offset: u64, bytes: u64) {
        let end = offset + bytes;
        let regular = if offset == self.history.end { self.history.regular + 1 } else { 1 };
        self.history = History { end, regular };
        let file_bytes = self.script.files[file as usize].bytes;
        let until = (end.next_multiple_of(self.read_ahead) + self.read_ahead).min(file_bytes);
        if regular >= REGULAR && until > end {
            self.cache.start_read(node, pages_of(end, until - end), &mut self.runs);
        }
    }

    fn try_write(&mut self, node: u32, file: u32, offset: u64, bytes: u64) -> Option<Span> {
        let wanted = pages_of(offset, bytes);
        let created = self.script.files[file as usize].created;
        self.pages.clear();
        if created {
            self.volume.allocation(file, offset, offset + bytes, &mut self.pages);
        } else {
            // Of a page that is overwritten in part the rest has to be known.
            let end = offset + bytes;
            if !offset.is_multiple_of(PAGE_BYTES) {
                self.pages.push(Page { node, page: wanted.start });
            }
            if !end.is_multiple_of(PAGE_BYTES) {
                self.pages.push(Page { node, page: wanted.end - 1 });
            }
        }
        if !self.have_pages() {
            return None;
        }
        let added = wanted.end - wanted.start;
        if self.cache.dirty_pages() > 0 && self.cache.dirty_pages() + added > self.dirty_max {
            self.writeback.hurry(added);
            return None;
        }
        if created {
            self.change();
        }
        self.cache.write(node, wanted, 0);
        Some(self.call + self.copy(bytes))
    }

    /// Whether all of `pages` are in memory; those that are not are asked for.
    fn have_pages(&mut self) -> bool {
        let pages = std::mem::take(&mut self.pages);
        let mut all = true;
        for &Page { node, page } in &pages {
            all &= self.have(node, page..page + 1);
        }
        self.pages = pages;
        all
    }

    fn have(&mut self, node: u32, pages: Range<u64>) -> bool {
        if self.cache.holds(node, pages.clone()) {
            return true;
        }
        self.runs.clear();
        self.cache.start_read(node, pages, &mut self.runs);
        self.ask_reads();
        false
    }

    /// Asks the disk for the runs that were started.
    fn ask_reads(&mut self) {
        for &run in &self.runs {
            let extent = self.extent(run);
            self.disk.ask(Purpose::Read(run), false, &[extent]);
        }
        self.runs.clear();
    }

    /// `pages` of the file system's own change; each change is logged before.
    fn change(&mut self) {
        for &Page { node, page } in &self.pages {
            let log_bytes = self.log.as_mut().map_or(0, Log::append);
            self.cache.write(node, page..page + 1, log_bytes);
        }
    }

    /// The sectors of a run; the last page of a node may be cut off.
    fn extent(&self, run: Run) -> Extent {
        let (node, pages) = self.cache.place(run);
        let whole = self.volume.node(node).extent;
        let lba = whole.lba + pages.start * PAGE_SECTORS;
        let sectors = (pages.end - pages.start) * PAGE_SECTORS;
        Extent::new(lba, sectors.min(whole.end() - lba))
    }

    fn copy(&self, bytes: u64) -> Span {
        Span::from_us(bytes as f64 / self.copy_mb_s)
    }

    /// What the lazy writer and the log do at `now`.
    fn write_back(&mut self, now: Instant) {
        if self.state == State::Over {
            return;
        }
        self.writeback.look(now, self.cache.dirty_pages());
        if let Some(log) = &mut self.log
            && log.checkpoint_is_due(now)
        {
            self.writeback.in_flight += 1;
            log.ask_restart(&mut self.disk);
            if log.ask_flush(&mut self.disk) {
                self.writeback.in_flight += 1;
            }
        }
        while self.writeback.may_write() {
            let flushed = self.log.as_ref().map_or(u64::MAX, Log::flushed_bytes);
            if let Some(run) = self.cache.start_write(self.writeback.cursor, flushed) {
                self.writeback.started(run);
                let extent = self.extent(run);
                let copy = self.volume.node(self.cache.place(run).0).copy;
                let second = copy.map(|distance| Extent::new(extent.lba + distance, extent.sectors));
                let both = [extent, second.unwrap_or(extent)];
                let extents = if second.is_some() { &both[..] } else { &both[..1] };
                self.disk.ask(Purpose::Write(run), true, extents);
            } else if let Some(log) = &mut self.log
                && (self.cache.waits_for_log(flushed) || self.writeback.flushes_all())
                && log.ask_flush(&mut self.disk)
            {
                self.writeback.in_flight += 1;
            } else {
                break;
            }
        }
    }

    /// When the cache manager wants to be woken, unless that has been said already.
    fn wake(&mut self) -> Option<Instant> {
        if self.writeback.armed {
            return None;
        }
        self.writeback.armed = true;
        let checkpoint = self.log.as_ref().map_or(Instant::NEVER, Log::next_checkpoint);
        Some(self.writeback.next_look().min(checkpoint))
    }
}

#[cfg(test)]
impl Player {
    /// The step that was done last, and where its file is.
    pub(super) fn finished_step(&self) -> (Step, Extent) {
        let step = self.script.steps[self.at - 1];
        (step, self.volume.node(self.volume.file(step.file)).extent)
    }
    pub(super) fn volume(&self) -> &Volume {
        &self.volume
    }
    /// When the last flush ended.
    pub(super) fn ends_at(&self) -> Instant {
        self.ends.last().map_or(Instant::ZERO, |(_, end)| *end)
    }
}

/// The pages that bytes lie in.
fn pages_of(offset: u64, bytes: u64) -> Range<u64> {
    offset / PAGE_BYTES..(offset + bytes).div_ceil(PAGE_BYTES)
}
