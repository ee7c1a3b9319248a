//! Disk requests of the cache manager: asked for, under way, done.

use std::collections::VecDeque;

use super::cache::Run;
use crate::units::Extent;

/// What a disk request is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    Read(Run),
    Write(Run),
    /// Log up to so many bytes.
    Log(u64),
    Restart,
}

/// Requests that are done together.
#[derive(Clone, Copy, Debug)]
struct Transfer {
    purpose: Purpose,
    left: u32,
}

/// The disk requests under way, and those to be issued.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    asked: VecDeque<(Extent, bool, u32)>,
    transfers: Vec<Transfer>,
    free: Vec<u32>,
}

impl Disk {
    /// Asks for requests that are done together.
    pub fn ask(&mut self, purpose: Purpose, write: bool, extents: &[Extent]) {
        let transfer = Transfer { purpose, left: extents.len() as u32 };
        let tag = match self.free.pop() {
            Some(tag) => {
                self.transfers[tag as usize] = transfer;
                tag
            }
            None => {
                self.transfers.push(transfer);
                (self.transfers.len() - 1) as u32
            }
        };
        self.asked.extend(extents.iter().map(|&extent| (extent, write, tag)));
    }

    /// A request is complete; what it was part of, if that is now complete too.
    pub fn done(&mut self, tag: u32) -> Option<Purpose> {
        let transfer = &mut self.transfers[tag as usize];
        transfer.left -= 1;
        (transfer.left == 0).then(|| {
            self.free.push(tag);
            transfer.purpose
        })
    }

    /// The next request to be issued: where, whether it writes, and its tag.
    pub fn next(&mut self) -> Option<(Extent, bool, u32)> {
        self.asked.pop_front()
    }

    pub fn has_asked(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Whether anything has been asked for that is not complete.
    pub fn under_way(&self) -> bool {
        self.free.len() < self.transfers.len()
    }
}
