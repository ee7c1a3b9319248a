//! Reading configuration text: places, diagnostics, checks of meaning, overrides of single fields.
//!
//! Models: one RON text ([`Source`]) read as a spec type with every fault reported at once, each as
//! `file:line:column: error: message` with the source line, a caret and a remedy ([`Diagnostic`]).
//! Leaves out: files and folders (callers read them) and any knowledge of what the fields mean; a room's
//! specs say that through [`Validate`].
//! Invariants: no text makes this room panic; the same text gives the same diagnostics in the same order.

mod diagnostic;
mod explain;
pub mod fields;
mod issues;
pub mod overrides;
mod parse;
mod probe;
mod provenance;
mod scan;
mod shape;
mod source;
mod suggest;
mod tree;

#[cfg(test)]
mod tests;

use serde::de::DeserializeOwned;

pub use diagnostic::{Diagnostic, Diagnostics, Place};
pub use fields::Annotated;
pub(crate) use fields::Leaf;
pub(crate) use issues::covers;
pub use issues::{Issues, Validate};
pub use overrides::OverrideError;
pub use parse::parse;
pub(crate) use parse::parse_partly;
pub use provenance::{Provenance, Sources};
pub(crate) use shape::{known_fields, lists_records};
pub use source::Source;
pub use suggest::suggest;

/// Reads a RON text as a `T` and checks its meaning.
///
/// # Errors
/// Every fault of syntax and type, and every fault of meaning that can be told apart from these.
pub fn load<T: DeserializeOwned + Validate>(source: &Source) -> Result<T, Diagnostics> {
    let value: T = parse::parse_partly(source).map_err(|partly| partly.all_faults(source))?;
    let mut issues = Issues::new();
    value.validate(&mut issues);
    issues.into_diagnostics(source).unless_any(value)
}
