//! Think times.

use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::spec::ThinkTime;
use crate::units::Span;

/// Draws think times as whole picoseconds.
#[derive(Clone, Debug)]
pub enum Thinker {
    /// The same pause each time.
    Fixed(Span),
    /// Exponentially distributed pauses.
    Exponential {
        /// Mean pause in milliseconds.
        mean_ms: f64,
        /// The stream that the pauses are drawn from; never shared with the requests' generator.
        stream: Box<Xoshiro256PlusPlus>,
    },
}

impl Thinker {
    /// A source of the think times that `think` describes, drawn from `seed`.
    pub fn new(think: ThinkTime, seed: u64) -> Self {
        match think {
            ThinkTime::None => Thinker::Fixed(Span::ZERO),
            ThinkTime::FixedMs(ms) => Thinker::Fixed(Span::from_ms(ms)),
            ThinkTime::ExponentialMs(mean_ms) => {
                Thinker::Exponential { mean_ms, stream: Box::new(Xoshiro256PlusPlus::seed_from_u64(seed)) }
            }
        }
    }
    /// The next pause.
    pub fn draw(&mut self) -> Span {
        match self {
            Thinker::Fixed(span) => *span,
            Thinker::Exponential { mean_ms, stream } => {
                let units: f64 = Exp1.sample(stream.as_mut());
                Span::from_ms(units * *mean_ms)
            }
        }
    }
}
