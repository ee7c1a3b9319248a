//! x
/// x
pub struct OverrideError;
/// x
pub fn apply() {}
/// x
pub fn get() {}
