//! Text in space: shaping, line breaking and an atlas of signed distances.

mod atlas;
mod face;
mod field;
mod layout;

pub(crate) use atlas::Atlas;
pub(crate) use face::{Typeface, Weight};
#[cfg(test)]
pub(crate) use field::{Field, SPREAD};
pub(crate) use layout::{Align, Facing, Label, VerticalAlign, letters};
