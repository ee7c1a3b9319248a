//! The calendar: what happens next.
//!
//! A sorted list as long as few events are pending, which in a machine of a few drives is most of the time: an event
//! causes one that comes soon, so that it finds its place near the front. Else a tournament tree over slots. Each event
//! in the tree has a slot; a leaf holds the event's key and every inner node the smaller key of its two children, so
//! the root is the next event. A simulated controller has up to a few hundred events pending, so the tree is four to
//! nine levels of branch-free minima on one or two cache lines: measured against `std::collections::BinaryHeap` by
//! `cargo bench --bench speed`.

use crate::units::Instant;

/// Order of events that fall on the same picosecond: what ends, then what is granted, then what arrives.
///
/// A resource that is freed at an instant can thus be granted at that instant, and a newcomer of that
/// instant queues behind those who already waited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// Something ends: a transfer, a media operation, a command, a request.
    Completion = 0,
    /// Something that waited may start.
    Grant = 1,
    /// Something new arrives.
    Arrival = 2,
}

/// Names one pending event, to cancel it, by its sequence number: a handle whose event has happened names nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle {
    key: Key,
}

/// When an event happens, and which it is: time, then phase (2 bits), sequence (42) and, in the tree, slot (20) in one
/// word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    time: u64,
    rest: u64,
}

/// More events than this at one instant, and [`STALL_LIMIT_PER_SLOT`] more for every event that was ever pending beside
/// others, mean that time stands still: the run stops and reports its state.
pub const STALL_LIMIT: u32 = 100_000;
/// Many thousand requests may be issued at one instant, each with a few events of its own.
pub const STALL_LIMIT_PER_SLOT: usize = 64;

/// Key of a slot without an event; greater than any real key.
const EMPTY: Key = Key { time: u64::MAX, rest: u64::MAX };
const SLOT_BITS: u32 = 20;
const SEQUENCE_BITS: u32 = 42;
const SLOT_MASK: u64 = (1 << SLOT_BITS) - 1;
/// So many pending events make a list; one more, and all go into the tree.
const LIST_MAX: usize = 16;
/// When no more than so many are left in the tree, they make a list again.
const LIST_AGAIN: usize = 12;

/// The pending events, and the present instant.
///
/// `E` is the payload: small and `Copy`. Its default fills places of the list that are not in use.
#[derive(Clone, Debug)]
pub struct Calendar<E> {
    /// The pending events while they are few. Of this and the tree one is empty.
    list: List<E>,
    in_tree: bool,
    /// `tree[1]` is the root, `tree[slots..]` the leaves.
    /// Times are here and the rest of the keys in `rest`: words, because a processor stalls when a pair that was stored
    /// as two words is loaded as one.
    tree: Vec<u64>,
    rest: Vec<u64>,
    slots: usize,
    /// The events in the tree, by slot.
    events: Vec<E>,
    free: Vec<u32>,
    /// The slot of the event that happens now, if it came from the tree: its leaf is cleared only if no new event takes
    /// it over, which halves the work of the usual "one event causes one event".
    hole: Option<u32>,
    sequence: u64,
    now: Instant,
    at_this_instant: u32,
    happened: u64,
}

impl Key {
    fn slot(self) -> u32 {
        (self.rest & SLOT_MASK) as u32
    }

    fn in_slot(self, slot: u32) -> Key {
        Key { time: self.time, rest: self.rest & !SLOT_MASK | u64::from(slot) }
    }

    /// Phase and sequence: the same event, in whatever slot.
    fn names(self, rest: u64) -> bool {
        self.rest >> SLOT_BITS == rest >> SLOT_BITS
    }
}

/// Up to [`LIST_MAX`] events, the next one last.
#[derive(Clone, Debug)]
struct List<E> {
    times: [u64; LIST_MAX],
    rests: [u64; LIST_MAX],
    events: [E; LIST_MAX],
    len: usize,
}

impl<E: Copy + Default> List<E> {
    fn new() -> Self {
        List { times: [0; LIST_MAX], rests: [0; LIST_MAX], events: [E::default(); LIST_MAX], len: 0 }
    }

    #[inline(always)]
    fn pop(&mut self) -> Option<(Key, E)> {
        let last = self.len.checked_sub(1)?;
        self.len = last;
        // The mask tells the compiler what `len` never exceeds.
        let last = last & (LIST_MAX - 1);
        Some((Key { time: self.times[last], rest: self.rests[last] }, self.events[last]))
    }

    /// Puts an event in its place; false if the list is full.
    #[inline(always)]
    fn insert(&mut self, key: Key, event: E) -> bool {
        let mut place = self.len;
        if place >= LIST_MAX {
            return false;
        }
        self.len += 1;
        while place > 0 {
            let (time, rest) = (self.times[place - 1], self.rests[place - 1]);
            if (Key { time, rest }) > key {
                break;
            }
            (self.times[place], self.rests[place], self.events[place]) = (time, rest, self.events[place - 1]);
            place -= 1;
        }
        (self.times[place], self.rests[place], self.events[place]) = (key.time, key.rest, event);
        true
    }

    /// Takes the event of `key` out; false if it is not there.
    fn remove(&mut self, key: Key) -> bool {
        let Some(place) = (0..self.len).find(|&i| key.names(self.rests[i])) else { return false };
        self.times.copy_within(place + 1..self.len, place);
        self.rests.copy_within(place + 1..self.len, place);
        self.events.copy_within(place + 1..self.len, place);
        self.len -= 1;
        true
    }
}

impl<E: Copy + Default> Default for Calendar<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Copy + Default> Calendar<E> {
    /// An empty calendar at power-on.
    pub fn new() -> Self {
        let slots = 16;
        Calendar {
            list: List::new(),
            in_tree: false,
            tree: vec![u64::MAX; 2 * slots],
            rest: vec![u64::MAX; 2 * slots],
            slots,
            events: Vec::new(),
            free: Vec::new(),
            hole: None,
            sequence: 0,
            now: Instant::ZERO,
            at_this_instant: 0,
            happened: 0,
        }
    }

    /// The present instant: the time of the event that happened last.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Number of events that have happened.
    pub fn happened(&self) -> u64 {
        self.happened
    }

    /// True when time stands still: more events in a row at one instant than [`STALL_LIMIT`] and
    /// [`STALL_LIMIT_PER_SLOT`] explain.
    pub fn stalled(&self) -> bool {
        self.at_this_instant as usize > STALL_LIMIT as usize + STALL_LIMIT_PER_SLOT * self.slots
    }

    /// Number of events pending.
    pub fn pending(&self) -> usize {
        self.list.len + self.events.len() - self.free.len() - usize::from(self.hole.is_some())
    }

    /// Puts `event` into the calendar. `at` must not be earlier than now (checked in debug builds).
    // Handed over in memory, an event is stored in parts by the caller and loaded as a whole here, and a processor waits
    // until the parts have left its store buffer: half the time of this function. Inlined, it is stored once.
    #[inline(always)]
    pub fn schedule(&mut self, at: Instant, phase: Phase, event: E) -> Handle {
        debug_assert!(at >= self.now, "an event at {at:?} was scheduled at {:?}", self.now);
        self.sequence += 1;
        let phase = (phase as u64) << (SEQUENCE_BITS + SLOT_BITS);
        let key = Key { time: at.ps(), rest: phase | (self.sequence << SLOT_BITS) };
        if !self.in_tree && self.list.insert(key, event) {
            return Handle { key };
        }
        Handle { key: self.schedule_in_tree(key, event) }
    }

    /// Takes a pending event back. False if it has already happened or been cancelled.
    pub fn cancel(&mut self, handle: Handle) -> bool {
        if !self.in_tree {
            return self.list.remove(handle.key);
        }
        let named =
            |slot: u32| self.hole != Some(slot) && handle.key.names(self.rest[self.slots + slot as usize]);
        // An event that came into the tree from the list is not in the slot that its handle tells.
        let told = handle.key.slot();
        let slot =
            if named(told) { Some(told) } else { (0..self.events.len() as u32).find(|&slot| named(slot)) };
        if let Some(slot) = slot {
            self.set_leaf(slot, EMPTY);
            self.free.push(slot);
        }
        slot.is_some()
    }

    /// The time of the next event.
    pub fn peek(&mut self) -> Option<Instant> {
        self.close_hole();
        let time = match self.in_tree {
            true => Some(self.key(1)).filter(|&root| root != EMPTY)?.time,
            false => self.list.times[self.list.len.checked_sub(1)?],
        };
        Some(Instant::from_ps(time))
    }

    /// Takes the next event and makes its time the present. None when nothing is pending.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<(Instant, E)> {
        let (key, event) = if self.in_tree { self.pop_from_tree()? } else { self.list.pop()? };
        let at = Instant::from_ps(key.time);
        self.at_this_instant = if at == self.now { self.at_this_instant + 1 } else { 0 };
        self.now = at;
        self.happened += 1;
        Some((at, event))
    }

    #[inline]
    fn pop_from_tree(&mut self) -> Option<(Key, E)> {
        self.close_hole();
        if self.pending() <= LIST_AGAIN {
            self.leave_tree();
            return self.list.pop();
        }
        let key = self.key(1);
        self.hole = Some(key.slot());
        Some((key, self.events[key.slot() as usize]))
    }

    /// Returns the key with the slot that the event got.
    #[inline(never)]
    fn schedule_in_tree(&mut self, key: Key, event: E) -> Key {
        if !self.in_tree {
            self.in_tree = true;
            while let Some((key, event)) = self.list.pop() {
                self.schedule_in_tree(key, event);
            }
        }
        let slot = match self.hole.take().or_else(|| self.free.pop()) {
            Some(slot) => {
                self.events[slot as usize] = event;
                slot
            }
            None => self.new_slot(event),
        };
        let key = key.in_slot(slot);
        self.set_leaf(slot, key);
        key
    }

    #[inline]
    fn close_hole(&mut self) {
        if let Some(slot) = self.hole.take() {
            self.set_leaf(slot, EMPTY);
            self.free.push(slot);
        }
    }

    #[cold]
    fn leave_tree(&mut self) {
        self.in_tree = false;
        while self.key(1) != EMPTY {
            let key = self.key(1);
            self.list.insert(key, self.events[key.slot() as usize]);
            self.set_leaf(key.slot(), EMPTY);
        }
        self.events.clear();
        self.free.clear();
    }

    #[inline]
    fn set_leaf(&mut self, slot: u32, key: Key) {
        let mut node = self.slots + slot as usize;
        let Key { mut time, mut rest } = key;
        let nodes = self.tree.len();
        let (times, rests) = (&mut self.tree[..nodes], &mut self.rest[..nodes]);
        times[node] = time;
        rests[node] = rest;
        while node > 1 {
            let (other_time, other_rest) = (times[node ^ 1], rests[node ^ 1]);
            let before = (other_time < time) | ((other_time == time) & (other_rest < rest));
            // Which of two events comes first is as good as random: a branch would be mispredicted.
            time = std::hint::select_unpredictable(before, other_time, time);
            rest = std::hint::select_unpredictable(before, other_rest, rest);
            node >>= 1;
            times[node] = time;
            rests[node] = rest;
        }
    }

    #[inline]
    fn key(&self, node: usize) -> Key {
        Key { time: self.tree[node], rest: self.rest[node] }
    }

    #[cold]
    fn new_slot(&mut self, event: E) -> u32 {
        if self.events.len() == self.slots {
            self.grow();
        }
        assert!(self.events.len() < 1 << SLOT_BITS, "at most a million events are pending in a machine");
        let slot = self.events.len() as u32;
        self.events.push(event);
        slot
    }

    fn grow(&mut self) {
        let leaves: Vec<Key> = (self.slots..2 * self.slots).map(|node| self.key(node)).collect();
        self.slots *= 2;
        self.tree = vec![u64::MAX; 2 * self.slots];
        self.rest = vec![u64::MAX; 2 * self.slots];
        for (slot, key) in leaves.into_iter().enumerate() {
            self.set_leaf(slot as u32, key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(ps: u64) -> Instant {
        Instant::from_ps(ps)
    }

    #[test]
    fn ties_are_broken_by_phase_and_then_by_order_of_scheduling() {
        let mut calendar = Calendar::new();
        calendar.schedule(at(5), Phase::Arrival, "arrival");
        calendar.schedule(at(5), Phase::Grant, "first grant");
        calendar.schedule(at(5), Phase::Grant, "second grant");
        calendar.schedule(at(5), Phase::Completion, "completion");
        let order: Vec<_> = std::iter::from_fn(|| calendar.pop()).map(|(_, event)| event).collect();
        assert_eq!(order, ["completion", "first grant", "second grant", "arrival"]);
    }

    #[test]
    fn a_handle_cancels_its_own_event_and_no_later_one_in_the_same_slot() {
        let mut calendar = Calendar::new();
        let first = calendar.schedule(at(1), Phase::Grant, 1);
        assert!(calendar.cancel(first));
        let second = calendar.schedule(at(2), Phase::Grant, 2);
        assert!(!calendar.cancel(first));
        assert_eq!(calendar.pop(), Some((at(2), 2)));
        assert!(!calendar.cancel(second), "it has happened");
        assert_eq!(calendar.pop(), None);
    }

    #[test]
    fn a_hundred_thousand_events_can_be_pending() {
        let mut calendar = Calendar::new();
        for n in (0..100_000).rev() {
            calendar.schedule(at(n), Phase::Grant, n);
        }
        let order: Vec<u64> = std::iter::from_fn(|| calendar.pop()).map(|(_, event)| event).collect();
        assert!(order.iter().copied().eq(0..100_000));
    }

    #[test]
    fn time_that_stands_still_is_noticed() {
        let mut calendar = Calendar::new();
        calendar.schedule(at(7), Phase::Grant, ());
        for _ in 0..=STALL_LIMIT as usize + STALL_LIMIT_PER_SLOT * 16 + 1 {
            calendar.pop();
            calendar.schedule(at(7), Phase::Grant, ());
        }
        assert!(calendar.stalled());
    }

    #[test]
    fn waves_of_events_leave_in_order_from_list_and_tree() {
        let mut calendar = Calendar::new();
        for wave in 1..4 * LIST_MAX as u64 {
            let start = calendar.now().ps();
            let handles: Vec<Handle> =
                (0..2 * wave).map(|n| calendar.schedule(at(start + (n * 7) % 31), Phase::Grant, n)).collect();
            for handle in handles.iter().step_by(2) {
                assert!(calendar.cancel(*handle));
            }
            let left: Vec<u64> = std::iter::from_fn(|| calendar.pop()).map(|(at, _)| at.ps()).collect();
            assert!(left.len() as u64 == wave && left.is_sorted());
            assert!(handles.iter().all(|handle| !calendar.cancel(*handle)));
        }
    }

    proptest! {
        /// The slow, obvious twin: a vector that is searched for its smallest (time, phase, sequence).
        #[test]
        fn agrees_with_a_sorted_list(steps in prop::collection::vec((0u8..8, 0u64..40, 0u8..3), 1..400)) {
            let mut calendar = Calendar::new();
            let mut twin: Vec<(u64, u8, usize, Handle)> = Vec::new();
            for (number, (action, delay, phase)) in steps.into_iter().enumerate() {
                match action {
                    0..=3 => {
                        let time = calendar.now().ps() + delay;
                        let p = [Phase::Completion, Phase::Grant, Phase::Arrival][usize::from(phase)];
                        let handle = calendar.schedule(at(time), p, number);
                        twin.push((time, phase, number, handle));
                    }
                    4 if !twin.is_empty() => {
                        let (.., handle) = twin.swap_remove(delay as usize % twin.len());
                        prop_assert!(calendar.cancel(handle));
                    }
                    _ => {
                        let best = (0..twin.len()).min_by_key(|&i| (twin[i].0, twin[i].1, twin[i].2));
                        let expected = best.map(|i| twin.swap_remove(i)).map(|(time, _, n, _)| (at(time), n));
                        prop_assert_eq!(calendar.pop(), expected);
                    }
                }
                prop_assert_eq!(calendar.pending(), twin.len());
            }
        }
    }
}
