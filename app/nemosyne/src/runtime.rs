//! This run of the program.

use std::sync::OnceLock;

/// A name no other run has: process and start time. It binds capabilities to this run and is hashed nowhere.
pub(crate) fn instance() -> &'static str {
    static INSTANCE: OnceLock<String> = OnceLock::new();
    INSTANCE.get_or_init(|| {
        let started = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .map_or(0, |elapsed| elapsed.as_nanos());
        format!("run-{}-{started}", std::process::id())
    })
}
