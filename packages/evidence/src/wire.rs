//! How evidence is referred to.

/// Version 1.
pub mod v1 {
    use std::cmp::Ordering;

    use identity::{Digest, Fingerprint};
    use serde::{Deserialize, Serialize};

    /// One use of one receipt by one governed consumer: the ten members that pin it; digests commit exact content, names
    /// do not. Members are declared in the order of the canonical text, of which uses are a great part, so that writing
    /// it moves nothing; they are compared in another order.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct EvidenceUse {
        /// Digest of that policy.
        pub admission_policy_digest: Digest,
        /// Policy that admits claims.
        pub admission_policy_id: String,
        /// Digest of the whole bundle's canonical bytes.
        pub bundle_content_digest: Digest,
        /// Governed consumer.
        pub consumer_id: String,
        /// Dataset the receipt is about.
        pub dataset_fingerprint: Fingerprint,
        /// Kernel that issued it.
        pub kernel_version: String,
        /// Digest of the receipt's canonical bytes.
        pub receipt_content_digest: Digest,
        /// Name of the receipt in the bundle.
        pub receipt_id: String,
        /// Digest of that profile.
        pub requirement_profile_digest: Digest,
        /// Requirement profile the consumer asks for.
        pub requirement_profile_id: String,
    }

    impl EvidenceUse {
        /// Dataset, kernel, bundle, receipt, consumer, profile, policy: each name before its content.
        fn key(&self) -> impl Ord + '_ {
            (
                &self.dataset_fingerprint,
                &self.kernel_version,
                &self.bundle_content_digest,
                &self.receipt_id,
                &self.receipt_content_digest,
                &self.consumer_id,
                &self.requirement_profile_id,
                &self.requirement_profile_digest,
                &self.admission_policy_id,
                &self.admission_policy_digest,
            )
        }
    }

    impl Ord for EvidenceUse {
        fn cmp(&self, other: &Self) -> Ordering {
            self.key().cmp(&other.key())
        }
    }

    impl PartialOrd for EvidenceUse {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    /// A pinned thing by name, version and exact content.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct PinnedRef {
        /// Name.
        pub id: String,
        /// Version text.
        pub version: String,
        /// Digest of its bytes.
        pub digest: Digest,
    }

    /// The closed receipt envelope of a package: bundle and uses.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ReceiptEnvelope {
        /// The text `"1"`.
        pub schema_version: String,
        /// The bundle.
        pub bundle: kernels::wire::v1::ReceiptBundle,
        /// Uses in order, no triple twice.
        pub uses: Vec<ReceiptUse>,
    }

    /// A use in the receipt envelope.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct ReceiptUse {
        /// Consumer.
        pub consumer_id: String,
        /// Receipt.
        pub receipt_id: String,
        /// Profile.
        pub requirement_profile_id: String,
    }

    /// A requirement profile as it is hashed: what a consumer asks of a receipt.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct RequirementProfile {
        /// Name with version, such as `forma-descriptive-summary/v1`.
        pub profile_id: String,
        /// Axis words in the order of checking.
        pub required_axes: Vec<String>,
        /// Whether a violated assumption refuses.
        pub refuse_violated: bool,
        /// Whether an unchecked or untestable assumption refuses.
        pub refuse_unresolved: bool,
    }

    /// An admission policy as it is hashed: the governed consumers of one path.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct AdmissionPolicy {
        /// Name with version.
        pub policy_id: String,
        /// The path it governs, such as `forma/v1`.
        pub path: String,
        /// Governed consumers by id.
        pub consumers: Vec<GovernedConsumer>,
    }

    /// A consumer with the one profile it must ask for.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct GovernedConsumer {
        /// Consumer.
        pub consumer_id: String,
        /// Its profile.
        pub requirement_profile_id: String,
        /// Whether an envelope without any use of it refuses.
        pub required: bool,
    }
}
