//! Journeys through the real doors, and what must be refused there.
//!
//! Each module says at its top what is attacked, who owns the rule, what must happen, and which control goes through the
//! same door and passes, so that refusing everything is no way to be green.

mod adoption;
mod door;
