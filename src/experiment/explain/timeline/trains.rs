//! The bus lines of each channel's engine, burst by burst.
//!
//! The train model says how many bursts a transfer has, how long each is on the bus and how often one comes; it does
//! not say where in a round each engine's burst lies. Here an engine asks for the bus at the pace of its train, and who
//! asks first is served first. So the rates and the number of bursts are the model's, their order is a picture.

use crate::machine::TransferPlan;
use crate::units::{Instant, Span};

/// A burst as the lines show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Burst {
    pub channel: u16,
    /// REQ goes down.
    pub asked: Instant,
    /// GNT and FRAME go down, REQ goes up.
    pub granted: Instant,
    /// GNT and FRAME go up.
    pub ended: Instant,
}

#[derive(Clone, Copy, Debug)]
struct Engine {
    plan: TransferPlan,
    left: u64,
    /// When the pace of its train lets it ask next.
    next: Instant,
    /// When its last burst ended: it does not ask before.
    ended: Instant,
    /// None until it has a pace.
    period: Option<Span>,
    first: bool,
}

/// All engines of a card.
#[derive(Clone, Debug, Default)]
pub(super) struct Trains {
    /// By channel.
    engines: Vec<Option<Engine>>,
    free: Instant,
}

impl Trains {
    pub fn begin(&mut self, now: Instant, channel: u16, plan: TransferPlan) {
        let channel = usize::from(channel);
        if self.engines.len() <= channel {
            self.engines.resize(channel + 1, None);
        }
        let left = plan.bursts;
        self.engines[channel] = Some(Engine { plan, left, next: now, ended: now, period: None, first: true });
    }

    /// The train of a channel goes at this pace from now on; what is left of the present period is scaled, as the
    /// transfer is.
    pub fn pace(&mut self, now: Instant, channel: u16, period: Span) {
        let Some(Some(engine)) = self.engines.get_mut(usize::from(channel)) else { return };
        match engine.period {
            Some(before) if engine.next > now => {
                engine.next = now + (engine.next - now).scale_up(period.ps(), before.ps());
            }
            // A read must have filled half of the FIFO first.
            None if !engine.plan.write => engine.next = now + period,
            _ => {}
        }
        engine.period = Some(period);
    }

    pub fn end(&mut self, channel: u16) {
        if let Some(engine) = self.engines.get_mut(usize::from(channel)) {
            *engine = None;
        }
    }

    /// The next burst that is asked for before `now`.
    pub fn next(&mut self, now: Instant) -> Option<Burst> {
        let asking = self.engines.iter_mut().zip(0_u16..);
        let asking = asking.filter_map(|(engine, channel)| Some((engine.as_mut()?, channel)));
        let ready = asking.filter(|(engine, _)| engine.left > 0 && engine.next < now);
        let (engine, channel) = ready.min_by_key(|(engine, channel)| (engine.next, *channel))?;
        let asked = engine.next.max(engine.ended);
        let arbitration = if engine.first { engine.plan.arbitration } else { Span::ZERO };
        let granted = self.free.max(asked + arbitration);
        let ended = granted + engine.plan.burst;
        engine.first = false;
        engine.left -= 1;
        engine.next += engine.period.unwrap_or_default().max(engine.plan.burst);
        engine.ended = ended;
        self.free = ended;
        Some(Burst { channel, asked, granted, ended })
    }
}
