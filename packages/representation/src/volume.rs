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

/// Length of each edge of the data volume.
pub const EDGE: f64 = X_MAX - X_MIN;

/// Cap height of all text that is bound to data, in meters: 11 px in the home view at 1280 x 720, and more than half a
/// degree at 3 m in a headset.
pub const TEXT_CAP: f64 = 0.037;

/// Cap height of the caveat board where it speaks of conjecture as well, or of what an analysis found, and has more to say: still 12 px in the home view,
/// and what every device needs.
pub const FULL_BOARD_CAP: f64 = 0.034;
