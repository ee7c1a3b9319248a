//! An Iometer worker thread and its target.

use super::access::{Line, check_lines};
use super::random::IometerRandom;
use crate::units::{Extent, SECTOR_BYTES, Span};
use crate::workload::worker::{Area, Draw, WorkloadError};

/// A line made ready for drawing.
#[derive(Clone, Debug)]
struct ReadyLine {
    size: u64,
    read_percent: u64,
    random_percent: u64,
    delay: Span,
    burst: u32,
    align: Align,
    /// Where a request of this line starts after a wrap, in bytes.
    wrap: u64,
}

/// How addresses are rounded up, in bytes.
#[derive(Clone, Copy, Debug)]
enum Align {
    PowerOfTwo(u64),
    Other(u64),
}

impl Align {
    fn new(bytes: u64) -> Self {
        if bytes.is_power_of_two() { Align::PowerOfTwo(bytes) } else { Align::Other(bytes) }
    }
    fn up(self, offset: u64) -> u64 {
        match self {
            Align::PowerOfTwo(bytes) => (offset + bytes - 1) & !(bytes - 1),
            Align::Other(bytes) => offset.next_multiple_of(bytes),
        }
    }
    /// Where the pointer goes after a wrap to `start`. Iometer rounds with the sector's mask here, not
    /// the alignment's, so a start off a power-of-two alignment moves by one whole alignment and stays off.
    fn wrap(self, start: u64) -> u64 {
        match self {
            Align::PowerOfTwo(bytes) if !start.is_multiple_of(bytes) => start + bytes,
            _ => self.up(start),
        }
    }
}

/// A worker with one target.
///
/// One pointer serves reads and writes, random and sequential: a sequential request starts where the last
/// request issued ended, whatever that was. The pointer starts at the start of the area, so workers that
/// share a target run over the same addresses.
#[derive(Clone, Debug)]
pub struct IometerWorker {
    /// Index into `lines` of each of the 100 cells that a line draw hits.
    cells: [u8; 100],
    lines: Vec<ReadyLine>,
    /// Draws lines. Iometer seeds it with the seed of the worker's first target.
    worker: IometerRandom,
    /// Draws directions and addresses.
    target: IometerRandom,
    /// The line of the current burst and the requests left in it.
    line: u8,
    burst_left: u32,
    /// Address and size of the last request, in bytes.
    offset: u64,
    previous: u64,
    start: u64,
    area: u64,
    end: u64,
}

impl IometerWorker {
    /// A worker that draws `lines` over `area` of a target of `capacity_sectors`.
    ///
    /// # Errors
    /// The first rule that the lines break, or an area that cannot hold one of the requests.
    pub fn new(lines: &[Line], area: Area, capacity_sectors: u64, seed: u64) -> Result<Self, WorkloadError> {
        let mut problem = None;
        check_lines(lines, &mut |field, message, remedy| {
            let (field, remedy) = (field.to_owned(), remedy.to_owned());
            problem.get_or_insert(WorkloadError::Line { field, message, remedy });
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        let (start, end) = area.bytes(capacity_sectors)?;
        let ready: Vec<ReadyLine> = lines.iter().map(|line| ready_line(line, start)).collect();
        for line in
            lines.iter().zip(&ready).filter(|(line, _)| line.share_percent > 0).map(|(_, ready)| ready)
        {
            if line.wrap + line.size > end {
                let room_sectors = end.saturating_sub(line.wrap) / SECTOR_BYTES;
                return Err(WorkloadError::AreaTooSmall { size_bytes: line.size, room_sectors });
            }
        }
        let shares = lines.iter().enumerate();
        let owners = shares.flat_map(|(n, line)| std::iter::repeat_n(n as u8, line.share_percent.into()));
        let mut cells = [0; 100];
        cells.iter_mut().zip(owners).for_each(|(cell, owner)| *cell = owner);
        Ok(IometerWorker {
            cells,
            lines: ready,
            worker: IometerRandom::new(seed),
            target: IometerRandom::new(seed),
            line: 0,
            burst_left: 0,
            offset: start,
            previous: 0,
            start,
            area: end - start,
            end,
        })
    }

    /// The next request.
    pub fn draw(&mut self) -> Draw {
        let mut delay = Span::ZERO;
        if self.burst_left == 0 {
            self.line = self.cells[self.worker.below(100) as usize];
            let line = &self.lines[usize::from(self.line)];
            self.burst_left = line.burst;
            delay = line.delay;
        }
        self.burst_left -= 1;
        let line = &self.lines[usize::from(self.line)];
        // Both draws are made even where the share is 0 or 100: the order of draws is Iometer's.
        let write = self.target.below(100) >= line.read_percent;
        let random = self.target.below(100) < line.random_percent;
        let offset =
            if random { self.start + self.target.below(self.area) } else { self.offset + self.previous };
        let aligned = line.align.up(offset);
        self.offset = if aligned + line.size > self.end { line.wrap } else { aligned };
        self.previous = line.size;
        let extent = Extent::new(self.offset / SECTOR_BYTES, line.size / SECTOR_BYTES);
        Draw { extent, write, delay, think: Span::ZERO }
    }
}

fn ready_line(line: &Line, start: u64) -> ReadyLine {
    let align = Align::new(line.alignment_bytes());
    ReadyLine {
        size: line.size_bytes,
        read_percent: line.read_percent.into(),
        random_percent: line.random_percent.into(),
        delay: Span::from_ns(u64::from(line.delay_ms) * 1_000_000),
        burst: line.burst,
        align,
        wrap: align.wrap(start),
    }
}
