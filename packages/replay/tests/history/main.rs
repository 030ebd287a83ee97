//! Replay through its public doors: recorded decisions repeated, judged, readmitted, adapted and looked at, and the same
//! for forgeries that are consistent in themselves.

#![expect(clippy::unwrap_used, reason = "a test stops where something fails")]

#[path = "../../../package/tests/content/forge.rs"]
#[expect(dead_code, reason = "the package's own tests use the rest")]
mod forge;
#[path = "../../../package/tests/content/road.rs"]
mod road;

mod forgeries;
mod honest;
