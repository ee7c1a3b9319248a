//! The recording itself: file operations, drawn once.

use rand::Rng;
use rand_distr::{Distribution, Exp1};

use super::spec::{ApplicationSpec, Order, PlaybackSpec};
use crate::sim::{Stream, Streams};
use crate::units::{KIB, SECTOR_BYTES, Span};

/// Largest file, in multiples of an application's mean.
const SIZE_SPREAD_MAX: f64 = 8.0;
/// Sizes and places of files are whole pages.
pub(super) const PAGE_BYTES: u64 = 4 * KIB;

/// What is done to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Op {
    /// The file is looked up and opened.
    Open,
    /// Bytes are read from an offset on.
    Read { offset: u64, bytes: u64 },
    /// Bytes are written from an offset on.
    Write { offset: u64, bytes: u64 },
    /// The file is closed; true if it was written.
    Close { written: bool },
    /// Everything that was written so far is flushed to the disk, and the application is done.
    End,
}

/// One operation of an application.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub application: u16,
    pub file: u32,
    pub op: Op,
    /// Pause before it.
    pub think: Span,
}

/// A file of the recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileInfo {
    pub bytes: u64,
    /// Made by the recording: not there before.
    pub created: bool,
}

/// A recording.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Script {
    pub steps: Vec<Step>,
    /// Files that are there from the start, then those that are made, in the order in which that happens.
    pub files: Vec<FileInfo>,
    /// Bytes moved, by application.
    pub bytes: Vec<u64>,
}

/// Which file a session uses.
#[derive(Clone, Copy, Debug)]
enum Target {
    There(u32),
    New,
}

/// A run of requests on one file.
#[derive(Clone, Copy, Debug)]
struct Session {
    target: Target,
    write: bool,
    offset: u64,
    request: u64,
    bytes: u64,
}

impl Script {
    /// Draws the recording that a spec describes.
    pub fn record(spec: &PlaybackSpec) -> Script {
        let mut script = Script { bytes: vec![0; spec.applications.len()], ..Script::default() };
        let streams = Streams::new(spec.recording_seed);
        let mut sessions = Vec::new();
        for application in &spec.applications {
            let mut stream = streams.stream(&format!("playback/{}", application.name), "sessions");
            let first = script.files.len() as u32;
            for _ in 0..application.files {
                script.files.push(FileInfo { bytes: file_bytes(application, &mut stream), created: false });
            }
            let files = &script.files[first as usize..];
            sessions.push(record_application(application, first, files, &mut stream));
        }
        let end = Step { application: 0, file: 0, op: Op::End, think: Span::ZERO };
        match spec.order {
            Order::OneAfterAnother => {
                for (application, sessions) in (0..).zip(&sessions) {
                    for session in sessions {
                        script.play(application, session, spec);
                    }
                    script.steps.push(Step { application, ..end });
                }
            }
            Order::Switching(turn) => {
                let turn = turn.max(1) as usize;
                let longest = sessions.iter().map(Vec::len).max().unwrap_or(0);
                for start in (0..longest).step_by(turn) {
                    for (application, sessions) in (0..).zip(&sessions) {
                        for session in sessions.iter().skip(start).take(turn) {
                            script.play(application, session, spec);
                        }
                    }
                }
                let last = spec.applications.len().saturating_sub(1) as u16;
                script.steps.push(Step { application: last, ..end });
            }
        }
        script
    }

    /// Appends the operations of a session.
    fn play(&mut self, application: u16, session: &Session, spec: &PlaybackSpec) {
        let file = match session.target {
            Target::There(file) => file,
            Target::New => {
                self.files.push(FileInfo { bytes: session.bytes, created: true });
                (self.files.len() - 1) as u32
            }
        };
        let think = Span::from_ms(spec.applications[usize::from(application)].think_ms);
        let mut push = |op, think| self.steps.push(Step { application, file, op, think });
        push(Op::Open, Span::ZERO);
        let (mut offset, end) = (session.offset, session.offset + session.bytes);
        while offset < end {
            let bytes = session.request.min(end - offset);
            let op = if session.write { Op::Write { offset, bytes } } else { Op::Read { offset, bytes } };
            push(op, think);
            offset += bytes;
        }
        push(Op::Close { written: session.write }, Span::ZERO);
        self.bytes[usize::from(application)] += session.bytes;
    }
}

fn record_application(
    spec: &ApplicationSpec,
    first: u32,
    files: &[FileInfo],
    stream: &mut Stream,
) -> Vec<Session> {
    let mut sessions = Vec::new();
    let mut left = spec.total_kib * KIB;
    while left > 0 {
        let session = draw(spec, first, files, stream);
        left = left.saturating_sub(session.bytes);
        sessions.push(session);
    }
    sessions
}

fn draw(spec: &ApplicationSpec, first: u32, files: &[FileInfo], stream: &mut Stream) -> Session {
    let write = !percent(spec.read_percent, stream);
    let create = (write && percent(spec.create_percent, stream)) || files.is_empty();
    let request = size(spec, stream).max(SECTOR_BYTES);
    let mean = f64::from(spec.run_requests);
    let drawn: f64 = Exp1.sample(stream);
    let requests = ((drawn * mean).round() as u64).max(1);
    let index = below(files.len() as u64, stream);
    let from_start = percent(spec.from_start_percent, stream);
    let place = stream.next_u64();
    if create {
        return Session { target: Target::New, write, offset: 0, request, bytes: request * requests };
    }
    let file = files[index as usize];
    // Programs read and write at multiples of their buffer's size.
    let offset = if from_start { 0 } else { place % file.bytes / request * request };
    let bytes = (request * requests).min(file.bytes - offset);
    Session { target: Target::There(first + index as u32), write, offset, request, bytes }
}

/// Whole pages, at least one.
fn file_bytes(spec: &ApplicationSpec, stream: &mut Stream) -> u64 {
    let drawn: f64 = Exp1.sample(stream);
    let bytes = spec.file_kib as f64 * KIB as f64 * drawn.min(SIZE_SPREAD_MAX);
    (bytes as u64).div_ceil(PAGE_BYTES).max(1) * PAGE_BYTES
}

fn size(spec: &ApplicationSpec, stream: &mut Stream) -> u64 {
    let mut ticket = below(100, stream);
    for size in &spec.sizes {
        match ticket.checked_sub(size.share_percent.into()) {
            Some(rest) => ticket = rest,
            None => return size.bytes,
        }
    }
    PAGE_BYTES
}

fn below(limit: u64, stream: &mut Stream) -> u64 {
    stream.next_u64() % limit.max(1)
}

fn percent(share: u8, stream: &mut Stream) -> bool {
    below(100, stream) < u64::from(share)
}
