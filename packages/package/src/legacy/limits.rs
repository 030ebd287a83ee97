//! Bounds on a legacy package, as a value.

const MIB: u64 = 1 << 20;

/// What a legacy package may take. The first four are the format's own; the others bound this reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegacyLimits {
    /// Most bytes of the file.
    pub max_archive_bytes: u64,
    /// Most bytes of all contents together.
    pub max_total_bytes: u64,
    /// Most bytes of one content.
    pub max_entry_bytes: u64,
    /// Most entries.
    pub max_entries: usize,
    /// Most bytes of the directory.
    pub max_directory_bytes: usize,
    /// Most memory that one decoded member may take, estimated before it is decoded: its text, and 96 bytes for each
    /// JSON value and key in it.
    pub max_working_bytes: usize,
}

impl LegacyLimits {
    /// 100 MiB a file, 250 MiB in all, 100 MiB an entry, 1,000 entries; 4 MiB of directory, 768 MiB a decoded member.
    pub const DEFAULT: Self = Self {
        max_archive_bytes: 100 * MIB,
        max_total_bytes: 250 * MIB,
        max_entry_bytes: 100 * MIB,
        max_entries: 1000,
        max_directory_bytes: 4 << 20,
        max_working_bytes: 768 << 20,
    };
}

impl Default for LegacyLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
