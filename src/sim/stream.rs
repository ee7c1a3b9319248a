//! Named random streams.

use rand::rand_core::TryRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The source of all random streams of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Streams {
    seed: u64,
}

/// One random stream (xoshiro256++), for one component and one purpose.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

impl Streams {
    /// The streams of the run with this seed.
    pub const fn new(seed: u64) -> Self {
        Streams { seed }
    }

    /// The stream of `component` (such as `drive/2`) for `purpose` (such as `spindle`).
    ///
    /// It depends on the seed and the two names only, never on which other streams were asked for.
    pub fn stream(self, component: &str, purpose: &str) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(self.number(component, purpose)))
    }

    /// A 64-bit number drawn for these names: for generators that bring their own arithmetic.
    pub fn number(self, component: &str, purpose: &str) -> u64 {
        let bytes = component.bytes().chain(std::iter::once(0xff)).chain(purpose.bytes());
        // FNV-1a over the names, then SplitMix64's finaliser to spread the seed over all bits.
        let name = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut x = name ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
}

impl TryRng for Stream {
    type Error = std::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.0.try_next_u32()
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0.try_next_u64()
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.0.try_fill_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn a_stream_depends_on_seed_and_names_only() {
        let streams = Streams::new(7);
        let first = streams.stream("drive/0", "spindle").next_u64();
        let _other = streams.stream("drive/1", "spindle");
        assert_eq!(streams.stream("drive/0", "spindle").next_u64(), first);
        assert_ne!(streams.stream("drive/1", "spindle").next_u64(), first);
        assert_ne!(Streams::new(8).stream("drive/0", "spindle").next_u64(), first);
    }

    #[test]
    fn the_first_draws_are_pinned() {
        let mut stream = Streams::new(1).stream("drive/0", "spindle");
        let draws: Vec<u64> = (0..2).map(|_| stream.next_u64()).collect();
        assert_eq!(draws, [5_197_652_041_936_867_789, 988_362_840_056_103_099]);
    }
}
