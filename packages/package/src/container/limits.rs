//! Bounds on an archive, as a value that writer and reader check alike.

use super::error::Rule;
use super::layout::Method;

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

/// Bounds on one archive. Declared sizes are checked before anything is inflated, and the declared size then bounds
/// what the stream may give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most members.
    pub max_members: usize,
    /// Most bytes of one member's content.
    pub max_member_bytes: u64,
    /// Most bytes of all contents together. The file itself stays below 4 GiB − 1 byte: there is no ZIP64.
    pub max_total_bytes: u64,
    /// Most bytes of one member whose name ends in `.json` or `.log`.
    pub max_json_bytes: u64,
    /// Most bytes of content for each byte in the file, for a deflated member.
    pub max_ratio: u64,
}

impl Limits {
    /// 4,096 members, 2 GiB a member, 4 GiB in all, 64 MiB a JSON member, ratio 1,000.
    pub const PACKAGE: Self = Self {
        max_members: 4096,
        max_member_bytes: 2 * GIB,
        max_total_bytes: 4 * GIB,
        max_json_bytes: 64 * MIB,
        max_ratio: 1000,
    };

    /// Whether a member of this shape, coming after `before` bytes of other content, stays inside.
    pub(super) fn admit(
        &self,
        name: &str,
        method: Method,
        bytes: u64,
        stored: u64,
        before: u64,
    ) -> Result<(), Rule> {
        if bytes > self.max_member_bytes {
            return Err(Rule::MemberBytes {
                bytes,
                limit: self.max_member_bytes,
            });
        }
        if is_json(name) && bytes > self.max_json_bytes {
            return Err(Rule::JsonBytes {
                bytes,
                limit: self.max_json_bytes,
            });
        }
        if before.saturating_add(bytes) > self.max_total_bytes {
            return Err(Rule::TotalBytes {
                limit: self.max_total_bytes,
            });
        }
        if method == Method::Deflated && !self.admits_ratio(bytes, stored) {
            return Err(Rule::Ratio {
                limit: self.max_ratio,
            });
        }
        Ok(())
    }

    pub(super) fn admits_ratio(&self, bytes: u64, stored: u64) -> bool {
        bytes <= stored.saturating_mul(self.max_ratio)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::PACKAGE
    }
}

fn is_json(name: &str) -> bool {
    name.ends_with(".json") || name.ends_with(".log")
}
