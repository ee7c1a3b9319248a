//! The types of block and the keys of each: what may stand in a description.

use super::keys::KINDS;
use super::tree::Value;

/// What kind of value a key takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A whole number.
    Integer,
    /// Any number.
    Real,
    /// A name.
    Word,
    /// A list.
    List,
    /// A block.
    Block,
}

/// A key, the value that it takes, and whether it must be there.
pub(super) struct Key {
    pub name: &'static str,
    pub form: Form,
    pub required: bool,
}

pub(super) const fn need(name: &'static str, form: Form) -> Key {
    Key { name, form, required: true }
}

pub(super) const fn may(name: &'static str, form: Form) -> Key {
    Key { name, form, required: false }
}

/// A type of block and its keys.
pub(super) struct Kind {
    pub name: &'static str,
    pub keys: &'static [Key],
}

impl Form {
    pub(super) fn noun(self) -> &'static str {
        match self {
            Form::Integer => "a whole number",
            Form::Real => "a number",
            Form::Word => "a name",
            Form::List => "a list",
            Form::Block => "a block",
        }
    }

    /// Whether `value` is of this kind. A name may look like a number, and may name a block.
    pub(super) fn fits(self, value: &Value) -> bool {
        match (self, value) {
            (Form::Integer | Form::Real | Form::Word, Value::Integer(_))
            | (Form::Real | Form::Word, Value::Real(_))
            | (Form::Word | Form::Block, Value::Word(_))
            | (Form::List, Value::List(_))
            | (Form::Block, Value::Block(_)) => true,
            // 5400.0 is a whole number to people.
            (Form::Integer, Value::Real(value)) => value.fract() == 0.0 && value.abs() < 9e15,
            _ => false,
        }
    }
}

/// The keys of a type of block, if that type is known.
pub(super) fn kind(name: &str) -> Option<&'static Kind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Types whose blocks are passed over unread: devices that this program does not model.
pub(super) const FOREIGN: [&str; 2] = ["memsmodel_mems", "ssdmodel_ssd"];

/// Ranges of entries around a drive, whether anything here depends on them or not: the `TEST`s of DiskSim's
/// `bus.modspec`, `ctlr.modspec`, `iodriver.modspec` and `ioqueue.modspec`. Old files hold negative times of blocks, and
/// times have the most that is believed of them.
const LIMITS: [(&str, &str, f64, f64); 16] = [
    ("disksim_bus", "type", 1.0, 2.0),
    ("disksim_bus", "Arbitration type", 1.0, 2.0),
    ("disksim_bus", "Arbitration time", 0.0, 10.0),
    ("disksim_bus", "Read block transfer time", -10.0, 10.0),
    ("disksim_bus", "Write block transfer time", -10.0, 10.0),
    ("disksim_ctlr", "type", 1.0, 3.0),
    ("disksim_ctlr", "Scale for delays", 0.0, 1e6),
    ("disksim_ctlr", "Bulk sector transfer time", -10.0, 10.0),
    ("disksim_ctlr", "Maximum queue length", 0.0, 1e9),
    ("disksim_iodriver", "type", 0.0, 1e9),
    ("disksim_iodriver", "Constant access time", -3.0, 1e6),
    ("disksim_iodriver", "Use queueing in subsystem", 0.0, 1.0),
    ("disksim_ioqueue", "Scheduling policy", 1.0, 28.0),
    ("disksim_ioqueue", "Cylinder mapping strategy", 0.0, 6.0),
    ("disksim_ioqueue", "Write initiation delay", 0.0, 1e6),
    ("disksim_ioqueue", "Read initiation delay", 0.0, 1e6),
];

/// The least and the most that an entry may be, if it is one that is judged wherever it stands.
pub(super) fn limits(kind: &str, key: &str) -> Option<(f64, f64)> {
    LIMITS.iter().find(|limit| (limit.0, limit.1) == (kind, key)).map(|limit| (limit.2, limit.3))
}
