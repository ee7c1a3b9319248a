//! The drive.
