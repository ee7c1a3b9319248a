//! Observers hang on the event loop and cost nothing when absent.

use std::hash::{Hash, Hasher};

use crate::units::Instant;

/// Sees every event just before it is carried out. `()` is the observer that does nothing.
pub trait Observer<E> {
    /// `event` happens at `now`.
    fn on_event(&mut self, now: Instant, event: &E);
}

impl<E> Observer<E> for () {
    #[inline]
    fn on_event(&mut self, _now: Instant, _event: &E) {}
}

impl<E, A: Observer<E>, B: Observer<E>> Observer<E> for (A, B) {
    fn on_event(&mut self, now: Instant, event: &E) {
        self.0.on_event(now, event);
        self.1.on_event(now, event);
    }
}

/// A 64-bit digest of a run: every event with its time, in order. Two runs with the same fingerprint did
/// the same thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// The digest so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

/// Mixes whole words, so that it does not depend on the machine's byte order.
impl Hasher for Fingerprint {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    #[inline]
    fn write_u8(&mut self, word: u8) {
        self.write_u64(u64::from(word));
    }
    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }
    #[inline]
    fn write_isize(&mut self, discriminant: isize) {
        self.write_u64(discriminant as u64);
    }
}

impl<E: Hash> Observer<E> for Fingerprint {
    #[inline]
    fn on_event(&mut self, now: Instant, event: &E) {
        self.write_u64(now.ps());
        event.hash(self);
    }
}
