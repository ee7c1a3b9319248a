//! Iometer's random numbers.

/// The 64-bit linear congruential generator of Iometer's workers and targets.
///
/// The state itself is the number drawn, so its low bits have short periods: the lowest two repeat every
/// four draws. Iometer takes it modulo 100, and 100 is a multiple of 4: with an even number of draws
/// between two direction draws a share of 67 % becomes 68 or 66 %.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IometerRandom(u64);

impl IometerRandom {
    /// The generator with this seed.
    pub const fn new(seed: u64) -> Self {
        IometerRandom(seed)
    }
    /// The next 64-bit number.
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(136_204_069).wrapping_add(28_500_701_229);
        self.0
    }
    /// The next number modulo `limit`, which must be positive.
    pub const fn below(&mut self, limit: u64) -> u64 {
        self.draw() % limit
    }
}
