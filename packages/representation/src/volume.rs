//! The stage frame: meters, right-handed, y up, z towards the home viewer; the data volume is a cube of 1.2 m.

/// Left, and the plane of the side wall.
pub const X_MIN: f64 = -0.6;
/// Right.
pub const X_MAX: f64 = 0.6;
/// The floor.
pub const Y_MIN: f64 = 0.0;
/// The top.
pub const Y_MAX: f64 = 1.2;
/// Back, and the plane of the back wall.
pub const Z_MIN: f64 = -0.6;
/// Front.
pub const Z_MAX: f64 = 0.6;

/// Cap height of tick labels, legend and caveats in meters: 11 px and more in the home view at 1280 x 720, and half a
/// degree at 4 m in a headset.
pub const TEXT_CAP: f64 = 0.036;

/// Cap height of axis titles in meters.
pub const AXIS_CAP: f64 = 0.042;
