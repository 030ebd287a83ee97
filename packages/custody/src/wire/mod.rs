//! What custody reads as it is written down: the disposition feed that ships, and a custody folder.

/// Version 1.
pub mod v1;
