//! Content of packages, through the public door: written from a real admission, opened, and attacked.

#![expect(clippy::unwrap_used, reason = "a test stops where something fails")]

mod attacks;
mod damage;
mod forge;
mod road;
mod round_trip;
mod shape;
mod versions;
