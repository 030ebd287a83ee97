//! What the kernel writes down: requests, results, receipts.

pub mod v1;
