//! Means and rates that a formula gives, against the simulation.

mod common;

#[path = "closed_form/random.rs"]
mod random;
#[path = "closed_form/rates.rs"]
mod rates;
#[path = "closed_form/reorder.rs"]
mod reorder;
