//! Reading configuration text.
