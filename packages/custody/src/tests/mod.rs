//! What ships is what is pinned, and what is not there refuses.

mod composed;
mod feeds;
mod folders;
mod place;
mod private;
mod shipped;
mod studies;

use evidence::wire::v1::EvidenceUse;
use identity::{Digest, Fingerprint};

use crate::wire::v1::Subject;
use crate::{Custody, Shipped};

pub(super) const DAY: &str = "2026-12-02";

pub(super) fn custody() -> Custody {
    Shipped::open().unwrap()
}

/// A use of a receipt with these bytes by the row consumer, as this program's kernel and policy make it.
pub(super) fn row_use(receipt: &[u8]) -> EvidenceUse {
    let policy = evidence::admission_policy();
    let registry = evidence::ProfileRegistry::forma_v1();
    let profile = registry.get(evidence::FORMA_ROW_PROJECTION).unwrap();
    EvidenceUse {
        dataset_fingerprint: Fingerprint::from_bytes([7; 32]),
        kernel_version: kernels::KERNEL_VERSION.to_owned(),
        bundle_content_digest: Digest::of(b"bundle"),
        receipt_id: "rows:a,b,c".to_owned(),
        receipt_content_digest: Digest::of(receipt),
        consumer_id: kernels::ROWS_CONSUMER.to_owned(),
        requirement_profile_id: profile.id().to_owned(),
        requirement_profile_digest: profile.digest(),
        admission_policy_id: policy.id().to_owned(),
        admission_policy_digest: policy.digest(),
    }
}

pub(super) fn receipt(evidence_use: &EvidenceUse) -> Subject {
    Subject::Receipt {
        receipt_content_digest: evidence_use.receipt_content_digest,
    }
}
