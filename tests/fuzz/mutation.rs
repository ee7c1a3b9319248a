//! New inputs from known ones.

use ataraid::sim::{Stream, Streams};
use rand::Rng;

/// The most bytes of an input: what is worth testing shows in few.
const LENGTH_MAX: usize = 64 * 1024;

/// Numbers at the edges of what fits somewhere.
const NUMBERS: [&str; 14] = [
    "0",
    "-0",
    "1",
    "-1",
    "0.5",
    "1e308",
    "-1e-308",
    "nan",
    "inf",
    "4294967296",
    "281474976710657",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999999",
];

/// Draws inputs.
pub struct Mutator {
    random: Stream,
    words: &'static [&'static str],
}

impl Mutator {
    pub fn new(seed: u64, target: &str, words: &'static [&'static str]) -> Self {
        Mutator { random: Streams::new(seed).stream(target, "mutation"), words }
    }

    /// One of the pool, changed in a few places.
    pub fn mutated(&mut self, pool: &[Vec<u8>]) -> Vec<u8> {
        let mut input = pool[self.below(pool.len())].clone();
        for _ in 0..=self.below(6) {
            self.change(&mut input, pool);
        }
        input.truncate(LENGTH_MAX);
        input
    }

    /// A whole number below `limit`; 0 if that is 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.random.next_u64() % limit.max(1) as u64) as usize
    }

    /// A short range of `bytes`.
    fn range(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        let reach = if self.below(4) == 0 { bytes.len() } else { 12 };
        let length = self.below((bytes.len() - start).min(reach) + 1);
        start..start + length
    }

    fn change(&mut self, input: &mut Vec<u8>, pool: &[Vec<u8>]) {
        let range = self.range(input);
        match self.below(9) {
            0 => drop(input.drain(range)),
            1 => {
                if let Some(byte) = input.get_mut(range.start) {
                    *byte ^= 1 << self.below(8);
                }
            }
            2 => {
                let byte = self.random.next_u64() as u8;
                input.insert(range.start, byte);
            }
            3 => {
                let number = NUMBERS[self.below(NUMBERS.len())];
                input.splice(range, number.bytes());
            }
            4 if !self.words.is_empty() => {
                let word = self.words[self.below(self.words.len())];
                input.splice(range, word.bytes());
            }
            5 => {
                let other = &pool[self.below(pool.len())];
                let part = self.range(other);
                input.splice(range, other[part].iter().copied());
            }
            6 => {
                let piece = input[range.clone()].to_vec();
                let times = 1 + self.below(20);
                input.splice(range.end..range.end, piece.repeat(times));
            }
            7 => self.number(input),
            _ => input.truncate(range.start.max(1)),
        }
    }

    /// Puts another number in the place of one.
    fn number(&mut self, input: &mut Vec<u8>) {
        let from = self.below(input.len());
        let Some(start) = input[from..].iter().position(u8::is_ascii_digit) else { return };
        let start = from + start;
        let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = NUMBERS[self.below(NUMBERS.len())];
        input.splice(start..start + length, number.bytes());
    }
}
