//! Pages of files in memory.
//!
//! Pages are kept in blocks of 64 KiB, the unit in which the cache manager transfers; a block is of one node. What was
//! used longest ago and is clean goes first when room is needed.

use std::collections::BTreeSet;
use std::ops::Range;

use super::volume::Node;

/// Pages of a block: 64 KiB.
pub(super) const BLOCK_PAGES: u64 = 16;
const NONE: u32 = u32::MAX;

/// Pages of one block, side by side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub block: u32,
    pub first: u8,
    pub pages: u8,
}

#[derive(Clone, Debug)]
struct Block {
    node: u32,
    /// First page of the node that it holds.
    first_page: u64,
    resident: u16,
    dirty: u16,
    reading: u16,
    writing: u16,
    /// Log that must be on the disk before the block is written.
    log_bytes: u64,
    newer: u32,
    older: u32,
    listed: bool,
}

/// The cache.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    blocks: Vec<Block>,
    /// First block of each node.
    first_block: Vec<u32>,
    newest: u32,
    oldest: u32,
    capacity: u64,
    resident: u64,
    dirty: u64,
    dirty_blocks: BTreeSet<u32>,
}

impl Run {
    const fn mask(self) -> u16 {
        mask(self.first as u64, self.pages as u64)
    }
}

const fn mask(first: u64, pages: u64) -> u16 {
    (((1u32 << pages) - 1) << first) as u16
}

/// The lowest run of set bits.
fn lowest_run(bits: u16) -> Option<(u8, u8)> {
    (bits != 0).then(|| {
        let first = bits.trailing_zeros();
        (first as u8, (bits >> first).trailing_ones() as u8)
    })
}

impl Cache {
    /// An empty cache of so many pages over nodes.
    pub fn new(nodes: &[Node], capacity_pages: u64) -> Cache {
        let mut blocks = Vec::new();
        let mut first_block = Vec::with_capacity(nodes.len());
        for (node, place) in (0..).zip(nodes) {
            first_block.push(blocks.len() as u32);
            for block in 0..place.pages().div_ceil(BLOCK_PAGES) {
                blocks.push(Block {
                    node,
                    first_page: block * BLOCK_PAGES,
                    resident: 0,
                    dirty: 0,
                    reading: 0,
                    writing: 0,
                    log_bytes: 0,
                    newer: NONE,
                    older: NONE,
                    listed: false,
                });
            }
        }
        Cache {
            blocks,
            first_block,
            newest: NONE,
            oldest: NONE,
            capacity: capacity_pages,
            resident: 0,
            dirty: 0,
            dirty_blocks: BTreeSet::new(),
        }
    }

    /// Pages that wait to be written; those under way are not among them.
    pub fn dirty_pages(&self) -> u64 {
        self.dirty
    }

    /// The node of a run and its pages there.
    pub fn place(&self, run: Run) -> (u32, Range<u64>) {
        let block = &self.blocks[run.block as usize];
        let first = block.first_page + u64::from(run.first);
        (block.node, first..first + u64::from(run.pages))
    }

    /// The parts of some pages of a node that lie in one block each.
    fn runs(&self, node: u32, pages: Range<u64>) -> impl Iterator<Item = Run> + use<> {
        let first_block = self.first_block[node as usize];
        let mut page = pages.start;
        std::iter::from_fn(move || {
            (page < pages.end).then(|| {
                let first = page % BLOCK_PAGES;
                let length = (BLOCK_PAGES - first).min(pages.end - page);
                let block = first_block + (page / BLOCK_PAGES) as u32;
                page += length;
                Run { block, first: first as u8, pages: length as u8 }
            })
        })
    }

    /// Whether all these pages are in memory.
    pub fn holds(&self, node: u32, pages: Range<u64>) -> bool {
        self.runs(node, pages).all(|run| self.blocks[run.block as usize].resident & run.mask() == run.mask())
    }

    /// Starts to read those of the pages that are neither in memory nor on their way, as runs within blocks.
    pub fn start_read(&mut self, node: u32, pages: Range<u64>, out: &mut Vec<Run>) {
        for part in self.runs(node, pages) {
            let block = &mut self.blocks[part.block as usize];
            let mut missing = part.mask() & !block.resident & !block.reading;
            block.reading |= missing;
            while let Some((first, pages)) = lowest_run(missing) {
                let run = Run { block: part.block, first, pages };
                missing &= !run.mask();
                out.push(run);
            }
            self.touch(part.block);
        }
    }

    /// A read has arrived.
    pub fn finish_read(&mut self, run: Run) {
        let block = &mut self.blocks[run.block as usize];
        block.reading &= !run.mask();
        let new = run.mask() & !block.resident;
        block.resident |= new;
        self.resident += u64::from(new.count_ones());
        self.make_room();
    }

    /// Pages are used: they leave later.
    pub fn use_pages(&mut self, node: u32, pages: Range<u64>) {
        for run in self.runs(node, pages) {
            self.touch(run.block);
        }
    }

    /// Pages are written in memory; they may reach the disk once `log_bytes` of the log have.
    pub fn write(&mut self, node: u32, pages: Range<u64>, log_bytes: u64) {
        for run in self.runs(node, pages) {
            let block = &mut self.blocks[run.block as usize];
            let new = run.mask() & !block.resident;
            let dirtied = run.mask() & !block.dirty;
            block.resident |= run.mask();
            block.dirty |= run.mask();
            block.log_bytes = block.log_bytes.max(log_bytes);
            self.resident += u64::from(new.count_ones());
            self.dirty += u64::from(dirtied.count_ones());
            self.dirty_blocks.insert(run.block);
            self.touch(run.block);
        }
        self.make_room();
    }

    /// The next run to write at or behind block `from`, then from the first block on: dirty pages that are not being
    /// written already and whose log, `log_bytes` of it, is on the disk.
    pub fn start_write(&mut self, from: u32, log_bytes: u64) -> Option<Run> {
        let blocks = &self.blocks;
        let ready = |index: &&u32| {
            let block = &blocks[**index as usize];
            block.dirty & !block.writing != 0 && block.log_bytes <= log_bytes
        };
        let behind = self.dirty_blocks.range(from..).find(ready);
        let index = *behind.or_else(|| self.dirty_blocks.range(..from).find(ready))?;
        let block = &mut self.blocks[index as usize];
        let (first, pages) = lowest_run(block.dirty & !block.writing)?;
        let run = Run { block: index, first, pages };
        block.dirty &= !run.mask();
        block.writing |= run.mask();
        self.dirty -= u64::from(pages);
        if block.dirty == 0 {
            self.dirty_blocks.remove(&index);
        }
        Some(run)
    }

    /// Whether dirty pages wait for more of the log than `log_bytes`.
    pub fn waits_for_log(&self, log_bytes: u64) -> bool {
        self.dirty_blocks.iter().any(|&index| self.blocks[index as usize].log_bytes > log_bytes)
    }

    /// A write has reached the disk.
    pub fn finish_write(&mut self, run: Run) {
        self.blocks[run.block as usize].writing &= !run.mask();
        self.make_room();
    }

    /// Drops clean blocks, oldest first, until the pages fit; what is dirty or under way stays.
    fn make_room(&mut self) {
        let mut candidate = self.oldest;
        while self.resident > self.capacity && candidate != NONE {
            let block = &mut self.blocks[candidate as usize];
            let newer = block.newer;
            if block.dirty | block.reading | block.writing == 0 {
                self.resident -= u64::from(block.resident.count_ones());
                block.resident = 0;
                self.unlink(candidate);
            }
            candidate = newer;
        }
    }

    /// Puts a block at the newest end.
    fn touch(&mut self, index: u32) {
        if self.newest == index {
            return;
        }
        self.unlink(index);
        let before = self.newest;
        let block = &mut self.blocks[index as usize];
        (block.older, block.newer, block.listed) = (before, NONE, true);
        match before {
            NONE => self.oldest = index,
            before => self.blocks[before as usize].newer = index,
        }
        self.newest = index;
    }

    fn unlink(&mut self, index: u32) {
        let block = &mut self.blocks[index as usize];
        if !block.listed {
            return;
        }
        let (older, newer) = (block.older, block.newer);
        (block.older, block.newer, block.listed) = (NONE, NONE, false);
        match older {
            NONE => self.oldest = newer,
            older => self.blocks[older as usize].newer = newer,
        }
        match newer {
            NONE => self.newest = older,
            newer => self.blocks[newer as usize].older = older,
        }
    }

    /// Pages in memory.
    #[cfg(test)]
    pub fn resident_pages(&self) -> u64 {
        self.resident
    }
}
