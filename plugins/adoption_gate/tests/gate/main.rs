//! The gate from outside: requests go in, and what is in force, what is told and which entities exist come out.

mod failures;
mod governed;
mod pictures;
mod rig;
mod views;
mod watched;
