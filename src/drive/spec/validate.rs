//! Checks of a drive model beyond its types: ranges, and figures that must agree with each other.

mod cross;
mod ranges;

use super::DriveSpec;
use crate::config::{Issues, Validate};

impl Validate for DriveSpec {
    fn validate(&self, issues: &mut Issues) {
        let ranges_hold = ranges::check(self, issues);
        // Figures out of range would only repeat themselves as disagreements.
        if ranges_hold {
            cross::check(self, issues);
        }
    }
}

#[cfg(test)]
pub(crate) fn parse_for_tests(text: &str) -> DriveSpec {
    use ron::extensions::Extensions;
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_VARIANT_NEWTYPES)
        .from_str(text)
        .unwrap()
}

#[cfg(test)]
mod tests;
