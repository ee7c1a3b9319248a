//! HP's SRT 1.3: the traces of Ruemmler and Wilkes ("UNIX disk access patterns", Winter USENIX 1993).
//!
//! A text header, ended by a form feed, describes the disks; then come records of big-endian 32-bit words: size in
//! bytes; version (high half) and type; arrival in s and us; start and stop in us since the arrival; bytes; sector;
//! device number (the disk in its second lowest byte); driver; cylinder; flags (bit 0 set is a read); information;
//! from version 4 on the queue length; of suspect records one word more.
//!
//! Sectors are in the unit that the header states for the disk, often 256 bytes; requests are widened to whole sectors
//! of 512 bytes. Records of type 4, suspect ones, are passed over, as DiskSim does. The response time is the stop.

mod header;

use std::io::{BufRead, ErrorKind};

use self::header::Header;
use super::{LBA_MAX, TIME_MAX, TraceRequest};
use crate::config::Diagnostic;
use crate::units::{Extent, Instant, SECTOR_BYTES, Span};

/// What the header starts with.
pub(super) const MAGIC: &[u8] = b"$$TR_IOREC";

const WORD_BYTES: usize = 4;
/// Words of every record.
const WORDS: usize = 13;
/// The most words of a record: with queue length and word of suspicion.
const WORDS_MAX: usize = WORDS + 2;
/// The version from which on records hold the queue length.
const VERSION_WITH_QUEUE: u32 = 4;
const PS_PER_US: u64 = 1_000_000;
/// Types of records.
const SHORT: u32 = 1;
const SUSPECT: u32 = 4;
/// The flag of a read.
const READ: u32 = 1;
/// The most bytes of a request; a greater number is no size.
const BYTES_MAX: u64 = 1 << 31;

/// The records of a trace behind its header.
pub(super) struct Records<R> {
    input: R,
    header: Header,
    /// Bytes read so far.
    offset: u64,
    /// Records read so far.
    count: u64,
}

impl<R: BufRead> Records<R> {
    /// Reads the header.
    pub(super) fn open(name: &str, mut input: R) -> Result<Self, Box<Diagnostic>> {
        let (header, offset) = header::read(name, &mut input)?;
        Ok(Records { input, header, offset, count: 0 })
    }

    /// The next request; none at the end of the trace.
    pub(super) fn read(&mut self, name: &str) -> Result<Option<TraceRequest>, Box<Diagnostic>> {
        loop {
            let start = self.offset;
            self.count += 1;
            let number = self.count;
            let fault = |message: String| {
                let message = format!("record {number} at byte {start}: {message}");
                let remedy = "a record of SRT 1.3 is 13 to 15 big-endian words of 32 bits; is the file cut or changed?";
                Box::new(Diagnostic::of_file(name, message).with_remedy(remedy))
            };
            let mut record = [0; WORDS_MAX * WORD_BYTES];
            let got = self.fill(&mut record[..WORD_BYTES]).map_err(|error| io_fault(name, &error))?;
            if got == 0 {
                return Ok(None);
            }
            let size = size_of(&record, got).map_err(fault)?;
            let rest = &mut record[WORD_BYTES..size];
            let wanted = rest.len();
            if self.fill(rest).map_err(|error| io_fault(name, &error))? < wanted {
                return Err(fault(format!("the file ends within its {size} bytes")));
            }
            if let Some(request) = self.header.request(&words(&record), size, number).map_err(fault)? {
                return Ok(Some(request));
            }
        }
    }

    /// Reads as many bytes as there are, up to all that fit; how many.
    fn fill(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let mut got = 0;
        while got < into.len() {
            match self.input.read(&mut into[got..]) {
                Ok(0) => break,
                Ok(more) => got += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.offset += got as u64;
        Ok(got)
    }
}

fn io_fault(name: &str, error: &std::io::Error) -> Box<Diagnostic> {
    Box::new(Diagnostic::for_io(name, error))
}

fn words(record: &[u8; WORDS_MAX * WORD_BYTES]) -> [u32; WORDS_MAX] {
    let mut words = [0; WORDS_MAX];
    for (word, bytes) in words.iter_mut().zip(record.as_chunks::<WORD_BYTES>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

/// The size of a record from its first word.
fn size_of(record: &[u8], got: usize) -> Result<usize, String> {
    if got < WORD_BYTES {
        return Err("the file ends within its first word".to_owned());
    }
    let size = u32::from_be_bytes([record[0], record[1], record[2], record[3]]) as usize;
    if size.is_multiple_of(WORD_BYTES) && (WORDS..=WORDS_MAX).contains(&(size / WORD_BYTES)) {
        Ok(size)
    } else {
        Err(format!("expected its size in bytes, 52, 56 or 60, found {size}"))
    }
}

impl Header {
    /// The request of a record; none of one that is passed over.
    fn request(
        &self,
        words: &[u32; WORDS_MAX],
        size: usize,
        number: u64,
    ) -> Result<Option<TraceRequest>, String> {
        let [_, id, s, us, _start, stop, bytes, sector, device, _driver, _cylinder, flags, ..] = *words;
        let (version, kind) = (id >> 16, id & 0xffff);
        if !(1..=VERSION_WITH_QUEUE).contains(&version) || !matches!(kind, SHORT | SUSPECT) {
            return Err(format!(
                "expected version 1 to 4 and type 1 or 4, found version {version} and type {kind}"
            ));
        }
        let expected = WORDS + usize::from(version == VERSION_WITH_QUEUE) + usize::from(kind == SUSPECT);
        if size != expected * WORD_BYTES {
            let expected = expected * WORD_BYTES;
            return Err(format!(
                "a record of version {version} and type {kind} has {expected} bytes, found {size}"
            ));
        }
        if kind == SUSPECT {
            return Ok(None);
        }
        // 2^33 s in us fit into 64 bits; in ps they would not.
        let arrival_us = u64::from(s) * 1_000_000 + u64::from(us);
        if arrival_us > TIME_MAX.ps() / PS_PER_US {
            return Err(format!("expected an arrival of at most 200 days, found {s} s"));
        }
        let device = (device >> 8) & 0xff;
        let extent = self.extent(device, u64::from(sector), u64::from(bytes))?;
        Ok(Some(TraceRequest {
            at: Some(Instant::from_ps(arrival_us * PS_PER_US)),
            device,
            write: flags & READ == 0,
            extent,
            measured: Some(Span::from_ps(u64::from(stop) * PS_PER_US)),
            think: None,
            line: number,
        }))
    }

    /// The whole sectors that hold `bytes` bytes from `sector` on, which is in the unit of the disk.
    fn extent(&self, disk: u32, sector: u64, bytes: u64) -> Result<Extent, String> {
        let Some(unit) = self.sector_bytes(disk) else {
            return Err(format!("the header states no sectorsize of disk {disk}"));
        };
        if bytes == 0 || bytes > BYTES_MAX {
            return Err(format!("expected a size of 1 to {BYTES_MAX} bytes, found {bytes}"));
        }
        // 32 bits of sectors of at most 64 KiB stay below 2^48.
        let start = sector * unit;
        let lba = start / SECTOR_BYTES;
        let sectors = (start + bytes).div_ceil(SECTOR_BYTES) - lba;
        debug_assert!(lba <= LBA_MAX);
        Ok(Extent::new(lba, sectors))
    }
}
