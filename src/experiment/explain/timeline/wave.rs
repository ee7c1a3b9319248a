//! A Value Change Dump of picoseconds. PCI's lines are low while they are asserted.

use std::collections::BTreeMap;
use std::io::{self, Write};

use vcd::{IdCode, TimescaleUnit, VarType};

use super::signals::{RequestSlice, Signal, Sink, Value};
use super::{Names, Window};
use crate::units::Instant;

/// Bits of a counter.
const COUNTER_BITS: u32 = 16;

pub(super) struct Wave<'a> {
    writer: vcd::Writer<&'a mut dyn Write>,
    ids: BTreeMap<Signal, IdCode>,
    at: Option<Instant>,
}

/// A name without what would end it.
fn plain(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '_' };
    name.chars().map(plain).collect()
}

impl<'a> Wave<'a> {
    pub fn new(names: &Names, window: Window, out: &'a mut dyn Write) -> io::Result<Self> {
        let mut writer = vcd::Writer::new(out);
        let (from, until) = (window.from.as_s(), window.until.as_s());
        // A `$` could end the text.
        let title = names.title.replace('$', "_");
        writer
            .comment(&format!("{title}, {from} s to {until} s; lines ending in _n are low while asserted"))?;
        writer.version(concat!("ataraid ", env!("CARGO_PKG_VERSION")))?;
        writer.timescale(1, TimescaleUnit::PS)?;
        let mut ids = BTreeMap::new();
        let mut add = |writer: &mut vcd::Writer<_>, signal, kind, width, name: &str| {
            writer.add_var(kind, width, name, None).map(|id| {
                ids.insert(signal, id);
            })
        };
        writer.add_module("host")?;
        add(&mut writer, Signal::Processor, VarType::String, 1, "processor")?;
        for (signal, name) in [
            (Signal::Requests, "requests_in_flight"),
            (Signal::Waiting, "driver_queue"),
            (Signal::UnderWay, "in_array"),
        ] {
            add(&mut writer, signal, VarType::Wire, COUNTER_BITS, name)?;
        }
        writer.upscope()?;
        for channel in 0..names.channels {
            writer.add_module(&format!("channel{channel}"))?;
            add(&mut writer, Signal::Req(channel), VarType::Wire, 1, "req_n")?;
            add(&mut writer, Signal::Gnt(channel), VarType::Wire, 1, "gnt_n")?;
            add(&mut writer, Signal::Frame(channel), VarType::Wire, 1, "frame_n")?;
            add(&mut writer, Signal::Data(channel), VarType::String, 1, "data")?;
            add(&mut writer, Signal::Cable(channel), VarType::String, 1, "cable_owner")?;
            writer.upscope()?;
        }
        writer.add_module("drives")?;
        for (drive, name) in (0..).zip(&names.drives) {
            add(
                &mut writer,
                Signal::Mechanism(drive),
                VarType::String,
                1,
                &format!("{}_mechanism", plain(name)),
            )?;
        }
        writer.upscope()?;
        writer.enddefinitions()?;
        Ok(Wave { writer, ids, at: None })
    }

    fn at(&mut self, at: Instant) -> io::Result<()> {
        if self.at.replace(at) == Some(at) {
            return Ok(());
        }
        self.writer.timestamp(at.ps())
    }

    /// Says where the window ends.
    pub fn end(mut self, window: Window) -> io::Result<()> {
        self.at(window.until)?;
        self.writer.flush()
    }
}

impl Sink for Wave<'_> {
    const LINES: bool = true;

    fn change(&mut self, at: Instant, signal: Signal, value: &Value) -> io::Result<()> {
        let Some(&id) = self.ids.get(&signal) else { return Ok(()) };
        self.at(at)?;
        match value {
            // A text of a dump has no blanks.
            Value::Words(words) if words.is_empty() => self.writer.change_string(id, "idle"),
            Value::Words(words) => self.writer.change_string(id, &words.replace(' ', "_")),
            Value::Number(number) => {
                let bits = (0..COUNTER_BITS).rev().map(|bit| (number >> bit & 1 == 1).into());
                self.writer.change_vector(id, bits)
            }
            Value::Line(asserted) => self.writer.change_scalar(id, !*asserted),
        }
    }

    fn request(&mut self, _: &RequestSlice) -> io::Result<()> {
        Ok(())
    }
}
