//! Admitted plans as inert data: variants, backend elements, explanation index.
//!
//! **Never** grants anything: a plan that says ADMITTED is text.
//!
//! [`layout::variant`] is the pure geometry that the compiler calls: a graph with its rows becomes [`element`]s with
//! places. [`explain`] says what stands behind each property that shows data, and a [`Plan`] is sealed only when that
//! index is total and exact. [`Camera`] names the places to look from.

mod camera;
mod check;
pub mod element;
mod error;
pub mod explain;
pub mod layout;
pub mod marking;
mod shows;
#[cfg(test)]
mod tests;
pub mod wire;

pub use camera::{Camera, Seen};
pub use check::MOST_VARIANTS;
pub use element::{BYTES_PER_MARK, MOST_ELEMENTS, MOST_PARAMETERS};
pub use error::PlanError;

use knowledge::wire::v1::DeviceClass;

/// A plan that holds together, under its identity.
pub type Plan = identity::Sealed<wire::v1::PlanBody>;

impl identity::Kind for wire::v1::PlanBody {
    const TAG: &'static str = "perceptual-plan-v1";
}

/// The name of a device class's variant.
#[must_use]
pub const fn variant_name(device: DeviceClass) -> &'static str {
    match device {
        DeviceClass::DesktopMonitor => "desktop",
        DeviceClass::PcvrHeadset => "stereo_headset",
        DeviceClass::StandaloneHeadset => "standalone_headset",
    }
}
