//! A plain SCSI-like bus: one pair at a time owns it, a drive lets go of it while it has nothing to transfer.
//!
//! Models: who owns the bus, arbitration, the time of a block in each direction.
//! Leaves out: message and status phases, priorities by address (waiters are served in the order in which they asked),
//! synchronous negotiation, parity errors.
//! Invariant: the bus has one owner.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::config::{Issues, Validate};
use crate::units::Span;

/// What a file says of one bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScsiBusSpec {
    /// Time from a free bus to a connection, 0 to 10 ms.
    pub arbitration_ms: f64,
    /// Time of one block of 512 bytes from a drive, 0 to 10 ms; the slower of bus and drive decides.
    pub read_block_ms: f64,
    /// The same to a drive.
    pub write_block_ms: f64,
}

impl Validate for ScsiBusSpec {
    fn validate(&self, issues: &mut Issues) {
        issues.range_f64("arbitration_ms", self.arbitration_ms, 0.0..=10.0, "ms");
        issues.range_f64("read_block_ms", self.read_block_ms, 0.0..=10.0, "ms");
        issues.range_f64("write_block_ms", self.write_block_ms, 0.0..=10.0, "ms");
    }
}

/// One bus: its owner and those who wait for it.
#[derive(Clone, Debug)]
pub struct ScsiBus<Owner> {
    owner: Option<Owner>,
    waiting: VecDeque<Owner>,
    arbitration: Span,
    /// Time of a block, of reads and of writes.
    block: [Span; 2],
}

impl<Owner: Copy> ScsiBus<Owner> {
    /// A free bus.
    pub fn new(spec: &ScsiBusSpec) -> Self {
        ScsiBus {
            owner: None,
            waiting: VecDeque::new(),
            arbitration: Span::from_ms(spec.arbitration_ms),
            block: [Span::from_ms(spec.read_block_ms), Span::from_ms(spec.write_block_ms)],
        }
    }

    /// Time from a free bus to a connection.
    pub fn arbitration(&self) -> Span {
        self.arbitration
    }

    /// Time in which the bus moves one block, to a drive (`write`) or from it.
    pub fn block_time(&self, write: bool) -> Span {
        self.block[usize::from(write)]
    }

    /// Who owns it.
    pub fn owner(&self) -> Option<Owner> {
        self.owner
    }

    /// `who` wants the bus; true if it is theirs at once, else they wait.
    pub fn request(&mut self, who: Owner) -> bool {
        let free = self.owner.is_none();
        if free {
            self.owner = Some(who);
        } else {
            self.waiting.push_back(who);
        }
        free
    }

    /// The owner lets go; the bus belongs to who has waited longest, who is returned.
    pub fn release(&mut self) -> Option<Owner> {
        debug_assert!(self.owner.is_some(), "nobody owns the bus");
        self.owner = self.waiting.pop_front();
        self.owner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiters_get_the_bus_in_the_order_in_which_they_asked() {
        let mut bus = ScsiBus::new(&ScsiBusSpec::default());
        assert!(bus.request('a'));
        assert!(!bus.request('b') && !bus.request('c'));
        assert_eq!(bus.owner(), Some('a'));
        assert_eq!([bus.release(), bus.release(), bus.release()], [Some('b'), Some('c'), None]);
        assert!(bus.request('d'));
    }
}
