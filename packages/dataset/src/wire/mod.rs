//! The forms in which recipes and reports are written down.

pub mod v1;
