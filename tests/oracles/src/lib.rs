//! Numbers of the kernels recomputed by other people's libraries, for tests alone.
//!
//! **Never** supplies a value to the product: it only disagrees.
