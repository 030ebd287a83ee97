//! Which of the implementations that a record names are part of this program.

use std::collections::BTreeMap;

use custody::Custody;
use evidence::wire::v1::PinnedRef;
use evidence::{AdmissionPolicy, ProfileRegistry};
use package::Opened;

use crate::ReplayError;

/// An implementation that a record needs and this program does not have. There is no nearest one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// Kind: kernel, normalizer, profile, admission policy, compiler, transform.
    pub what: &'static str,
    /// The one that the record names.
    pub recorded: String,
    /// The one that is here, or that there is none.
    pub here: String,
}

impl Missing {
    fn unless_same(what: &'static str, recorded: String, here: Option<String>) -> Option<Self> {
        let here = here.unwrap_or_else(|| "none of that name".to_owned());
        (recorded != here).then_some(Self { what, recorded, here })
    }

    pub(crate) fn error(&self) -> ReplayError {
        ReplayError::ImplementationMissing {
            what: self.what,
            recorded: self.recorded.clone(),
            here: self.here.clone(),
        }
    }
}

/// Id, version and digest.
pub(crate) fn pinned(pin: &PinnedRef) -> String {
    format!("{}@{} {}", pin.id, pin.version, pin.digest)
}

/// Every missing one, in the order in which they are needed.
pub(crate) fn missing(opened: &Opened, custody: &Custody) -> Vec<Missing> {
    let mut found = facts(opened);
    found.extend(compiling(opened, custody));
    found
}

/// What computing the facts needs: kernel, normalizer, the evidence path.
pub(crate) fn facts(opened: &Opened) -> Vec<Missing> {
    let snapshot = opened.snapshot().body();
    let mut found: Vec<Missing> = [
        Missing::unless_same(
            "kernel",
            snapshot.kernel_version.clone(),
            Some(kernels::KERNEL_VERSION.to_owned()),
        ),
        Missing::unless_same(
            "normalizer",
            pinned(&snapshot.normalizer),
            Some(pinned(&snapshot::normalizer())),
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    let (registry, policy) = (ProfileRegistry::forma_v1(), AdmissionPolicy::forma_v1());
    let mut profiles = BTreeMap::new();
    let mut policies = BTreeMap::new();
    for entry in &opened.record().body().evidence_dispositions {
        let used = &entry.evidence_use;
        profiles.insert(&used.requirement_profile_id, used.requirement_profile_digest);
        policies.insert(&used.admission_policy_id, used.admission_policy_digest);
    }
    found.extend(profiles.into_iter().filter_map(|(id, digest)| {
        let here = registry
            .get(id)
            .map(|profile| format!("{id} {}", profile.digest()));
        Missing::unless_same("profile", format!("{id} {digest}"), here)
    }));
    found.extend(policies.into_iter().filter_map(|(id, digest)| {
        let here = format!("{} {}", policy.id(), policy.digest());
        Missing::unless_same("admission policy", format!("{id} {digest}"), Some(here))
    }));
    found
}

/// What compiling needs: the compiler, and every transform by its exact definition.
pub(crate) fn compiling(opened: &Opened, custody: &Custody) -> Vec<Missing> {
    let compiler = &opened.plan().body().compiler_ref;
    let mut found: Vec<Missing> =
        Missing::unless_same("compiler", pinned(compiler), Some(pinned(&forma::compiler_ref())))
            .into_iter()
            .collect();
    let refs = &opened.record().body().compiler_and_transform_refs;
    for transform in refs.iter().filter(|pin| *pin != compiler) {
        let here = custody
            .table()
            .pin(&format!("{}@{}", transform.id, transform.version));
        found.extend(Missing::unless_same(
            "transform",
            pinned(transform),
            here.as_ref().map(pinned),
        ));
    }
    found
}
