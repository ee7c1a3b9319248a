//! Address maps of arrays.
