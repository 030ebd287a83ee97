//! Admission policies: which consumers a path governs, and the one profile each must ask for.

use identity::Digest;
use kernels::Family;

use crate::profile::{
    DESCRIPTIVE_SUMMARY, FORMA_CLUSTER, FORMA_DENSITY, FORMA_DEPENDENCY, FORMA_DESCRIPTIVE_SUMMARY,
    FORMA_DISTRIBUTION, FORMA_GRAPH, FORMA_PROJECTION, FORMA_ROW_PROJECTION, FORMA_TEMPORAL,
};
use crate::wire::v1::{self, GovernedConsumer};

/// The path from a snapshot to an admitted embodiment, version 1.
pub const FORMA_PATH: &str = "forma/v1";
/// The admission policy of that path.
pub const FORMA_ADMISSION_POLICY: &str = "nemosyne:policy/forma-evidence-admission/v1";

/// The path of packages of format version 3.
pub const PACKAGE_V3_PATH: &str = "package/v3";
/// The consumer policy of that path.
pub const PACKAGE_V3_POLICY: &str = "nemosyne:policy/package-v3-consumers/v1";
/// The one consumer that path governs.
pub const DESCRIPTIVE_STATISTICS: &str = "nemosyne:consumer/descriptive-statistics/v1";

/// A closed table of governed consumers with the digest of its canonical text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdmissionPolicy {
    body: v1::AdmissionPolicy,
    digest: Digest,
}

/// The one profile that a family's receipts are held to on the Forma path.
fn profile_of(family: &Family) -> &'static str {
    match family.word {
        kernels::ROWS => FORMA_ROW_PROJECTION,
        kernels::STATISTICS => FORMA_DESCRIPTIVE_SUMMARY,
        "cluster" => FORMA_CLUSTER,
        "density" => FORMA_DENSITY,
        "dependency" => FORMA_DEPENDENCY,
        "distribution" => FORMA_DISTRIBUTION,
        "graph" => FORMA_GRAPH,
        "projection" => FORMA_PROJECTION,
        "temporal" => FORMA_TEMPORAL,
        other => unreachable!("family {other} enters the table with its profile"),
    }
}

/// The admission policy of the Forma path, version 1.
#[must_use]
pub fn admission_policy() -> AdmissionPolicy {
    AdmissionPolicy::forma_v1()
}

impl AdmissionPolicy {
    /// The policy of the Forma path, version 1. No consumer is required: a snapshot without statistics is whole.
    #[must_use]
    pub fn forma_v1() -> Self {
        let consumer = |consumer_id: &str, profile_id: &str| GovernedConsumer {
            consumer_id: consumer_id.to_owned(),
            requirement_profile_id: profile_id.to_owned(),
            required: false,
        };
        let body = v1::AdmissionPolicy {
            policy_id: FORMA_ADMISSION_POLICY.to_owned(),
            path: FORMA_PATH.to_owned(),
            consumers: kernels::FAMILIES
                .iter()
                .map(|family| consumer(family.consumer, profile_of(family)))
                .collect(),
        };
        Self::of(body)
    }

    /// The consumers of packages of format version 3: one, required, and frozen. Consumers of later paths are never
    /// added here.
    #[must_use]
    pub fn package_v3() -> Self {
        Self::of(v1::AdmissionPolicy {
            policy_id: PACKAGE_V3_POLICY.to_owned(),
            path: PACKAGE_V3_PATH.to_owned(),
            consumers: vec![GovernedConsumer {
                consumer_id: DESCRIPTIVE_STATISTICS.to_owned(),
                requirement_profile_id: DESCRIPTIVE_SUMMARY.to_owned(),
                required: true,
            }],
        })
    }

    fn of(body: v1::AdmissionPolicy) -> Self {
        let digest = identity::canonical::digest(&body).expect("a policy holds only texts and flags");
        Self { body, digest }
    }

    /// Name with version.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.body.policy_id
    }

    /// The digest of the policy's canonical text.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The path it governs.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.body.path
    }

    /// The consumer with exactly this name, if it is governed.
    #[must_use]
    pub fn consumer(&self, consumer_id: &str) -> Option<&GovernedConsumer> {
        self.body
            .consumers
            .iter()
            .find(|consumer| consumer.consumer_id == consumer_id)
    }

    /// Every governed consumer, by id.
    #[must_use]
    pub fn consumers(&self) -> &[GovernedConsumer] {
        &self.body.consumers
    }

    /// What is hashed.
    #[must_use]
    pub fn body(&self) -> &v1::AdmissionPolicy {
        &self.body
    }
}
