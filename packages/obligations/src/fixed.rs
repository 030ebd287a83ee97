//! Fixed obligations: what [`derive`](crate::derive) made, and nothing else did.

use std::collections::BTreeMap;
use std::fmt;

use identity::{Envelope, Identity};
use investigation::Context;
use snapshot::{NodeKind, Snapshot};

use crate::body::predicate_word;
use crate::derive::{derive, from_seal};
use crate::wire::v1::{Class, Obligation, ObligationSetBody, Predicate, SemanticRef};
use crate::{ObligationError, ObligationKind, ObligationSet, Policy, sentence};

/// Obligations that were derived in this run of the program from a snapshot, a context and a policy.
///
/// No other way leads here. Nobody writes one down:
///
/// ```compile_fail,E0451
/// fn forge(set: obligations::ObligationSet) -> obligations::FixedObligations {
///     obligations::FixedObligations { set, rules: Default::default(), outside: Default::default() }
/// }
/// ```
///
/// a checked set is not converted into one:
///
/// ```compile_fail,E0277
/// fn convert(set: obligations::ObligationSet) -> obligations::FixedObligations {
///     set.into()
/// }
/// ```
///
/// its constructor is not to be reached:
///
/// ```compile_fail,E0624
/// fn construct(set: obligations::ObligationSet) -> obligations::FixedObligations {
///     obligations::FixedObligations::new(set, Default::default(), Default::default())
/// }
/// ```
///
/// and no parser makes one:
///
/// ```compile_fail,E0277
/// fn parse(text: &str) -> obligations::FixedObligations {
///     serde_json::from_str(text).expect("fixed obligations")
/// }
/// ```
///
/// These two lead here:
///
/// ```
/// use obligations::{FixedObligations, ObligationError, ObligationSet, Policy};
/// # use {investigation::Context, snapshot::Snapshot};
///
/// fn derive(s: &Snapshot, c: &Context, p: &Policy) -> Result<FixedObligations, ObligationError> {
///     obligations::derive(s, c, p)
/// }
///
/// fn reopen(set: &ObligationSet, s: &Snapshot, c: &Context, p: &Policy) -> Result<FixedObligations, ObligationError> {
///     obligations::reopen(set, s, c, p)
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedObligations {
    set: ObligationSet,
    rules: BTreeMap<Identity<ObligationKind>, Origin>,
    outside: BTreeMap<Identity<NodeKind>, Origin>,
}

/// The rule of a policy that something comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Policy and rule: `nemosyne:policy/obligations@1 rows/quantitativeValues/foreground/ORDER`.
    pub rule: String,
    /// What the rule says, for people.
    pub sentence: String,
}

impl FixedObligations {
    pub(crate) const fn new(
        set: ObligationSet,
        rules: BTreeMap<Identity<ObligationKind>, Origin>,
        outside: BTreeMap<Identity<NodeKind>, Origin>,
    ) -> Self {
        Self { set, rules, outside }
    }

    /// The rule that an obligation comes from.
    #[must_use]
    pub fn rule(&self, id: Identity<ObligationKind>) -> Option<&Origin> {
        self.rules.get(&id)
    }

    /// The policy that the set was derived under, as `id@version`.
    #[must_use]
    pub fn policy(&self) -> String {
        let pinned = &self.set.body().policy_ref;
        format!("{}@{}", pinned.id, pinned.version)
    }

    /// For a meaning that the committed perspective does not name, why it stands outside the set: the rule that would
    /// bind it if it were named, or the policy's reason for silence. Nothing for what the perspective names.
    ///
    /// Who wants to show it needs a new context, in which its obligations are fixed before anything is proposed.
    #[must_use]
    pub fn outside(&self, node: Identity<NodeKind>) -> Option<&Origin> {
        self.outside.get(&node)
    }

    /// The set with its identity.
    #[must_use]
    pub const fn set(&self) -> &ObligationSet {
        &self.set
    }

    /// The identity of the set.
    #[must_use]
    pub const fn id(&self) -> Identity<ObligationSetBody> {
        self.set.id()
    }

    /// The obligations by id.
    #[must_use]
    pub fn obligations(&self) -> &[Obligation] {
        &self.set.body().obligations
    }

    /// One obligation.
    #[must_use]
    pub fn get(&self, id: Identity<ObligationKind>) -> Option<&Obligation> {
        let idx = self
            .obligations()
            .binary_search_by_key(&id, |obligation| obligation.id)
            .ok()?;
        self.obligations().get(idx)
    }

    /// The obligations of a class, by id.
    pub fn of_class(&self, class: Class) -> impl Iterator<Item = &Obligation> {
        self.obligations()
            .iter()
            .filter(move |obligation| obligation.class == class)
    }

    /// The obligations of a predicate, by id.
    pub fn of_predicate(&self, predicate: Predicate) -> impl Iterator<Item = &Obligation> {
        self.obligations()
            .iter()
            .filter(move |obligation| obligation.requirement_predicate_ref.predicate == predicate)
    }

    /// Every obligation as people read it, in the order of ids.
    #[must_use]
    pub fn sentences(&self, snapshot: &Snapshot) -> Vec<String> {
        self.obligations()
            .iter()
            .map(|obligation| sentence(obligation, snapshot))
            .collect()
    }

    /// The envelope that is written to a file.
    #[must_use]
    pub fn to_wire(&self) -> Envelope<ObligationSetBody> {
        self.set.to_wire()
    }
}

/// One way in which a claimed set departs from the fixed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// An obligation is not there.
    Dropped(Obligation),
    /// An obligation binds less than it must.
    Demoted {
        /// What is fixed.
        fixed: Obligation,
        /// What is claimed.
        claimed: Class,
    },
    /// An obligation has other evidence, limitations, route or a higher class.
    Altered(Obligation),
    /// An obligation that the policy does not derive.
    Added(Obligation),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, obligation) = match self {
            Self::Dropped(obligation) => ("dropped", obligation),
            Self::Demoted { fixed, .. } => ("demoted", fixed),
            Self::Altered(obligation) => ("altered", obligation),
            Self::Added(obligation) => ("added", obligation),
        };
        let predicate = predicate_word(obligation.requirement_predicate_ref.predicate);
        write!(
            f,
            "{predicate} of {} is {verb} ({})",
            obligation.property_or_relation,
            obligation.id.short()
        )
    }
}

/// How a claimed set departs from the fixed one; nothing when they are equal.
#[must_use]
pub fn compare(claimed: &[Obligation], fixed: &FixedObligations) -> Vec<Difference> {
    type Key<'a> = (&'a SemanticRef, &'a str, Predicate);
    fn key(obligation: &Obligation) -> Key<'_> {
        let predicate = obligation.requirement_predicate_ref.predicate;
        (
            &obligation.semantic_source_ref,
            &obligation.property_or_relation,
            predicate,
        )
    }
    let mut open: BTreeMap<Key<'_>, &Obligation> = claimed.iter().map(|claim| (key(claim), claim)).collect();
    let mut differences = Vec::new();
    for obligation in fixed.obligations() {
        match open.remove(&key(obligation)) {
            None => differences.push(Difference::Dropped(obligation.clone())),
            Some(claim) if claim.class > obligation.class => {
                differences.push(Difference::Demoted {
                    fixed: obligation.clone(),
                    claimed: claim.class,
                });
            }
            Some(claim) if claim != obligation => differences.push(Difference::Altered(obligation.clone())),
            Some(_) => {}
        }
    }
    differences.extend(open.into_values().cloned().map(Difference::Added));
    differences
}

/// Believes a stored set after deriving it anew and finding it equal.
///
/// # Errors
/// [`ObligationError::WrongSubject`] for a set about another snapshot or context,
/// [`ObligationError::AnotherPolicy`] for one under another policy, [`ObligationError::Weakened`] when it is not what the
/// policy demands, and whatever [`derive`](crate::derive) refuses.
pub fn reopen(
    claimed: &ObligationSet,
    snapshot: &Snapshot,
    context: &Context,
    policy: &Policy,
) -> Result<FixedObligations, ObligationError> {
    let body = claimed.body();
    let subjects = [
        (
            "snapshot",
            snapshot.id().to_string(),
            body.snapshot_id.to_string(),
        ),
        ("context", context.id().to_string(), body.context_id.to_string()),
    ];
    for (what, expected, found) in subjects {
        if expected != found {
            return Err(ObligationError::WrongSubject {
                what,
                expected,
                found,
            });
        }
    }
    if body.policy_ref != *policy.pinned() {
        let text = |pinned: &evidence::wire::v1::PinnedRef| {
            format!("{}@{} {}", pinned.id, pinned.version, pinned.digest)
        };
        return Err(ObligationError::AnotherPolicy {
            expected: text(policy.pinned()),
            found: text(&body.policy_ref),
        });
    }
    let fixed = derive(snapshot, context, policy)?;
    if fixed.id() == claimed.id() {
        return Ok(fixed);
    }
    let differences = compare(&body.obligations, &fixed)
        .iter()
        .map(Difference::to_string)
        .collect();
    Err(ObligationError::Weakened { differences })
}

impl FixedObligations {
    /// Opens the envelope of a stored set, then believes it as [`reopen`] does.
    ///
    /// # Errors
    /// [`ObligationError::Integrity`] or [`ObligationError::Malformed`] for a set that was altered, then as [`reopen`].
    pub fn from_wire(
        envelope: Envelope<ObligationSetBody>,
        snapshot: &Snapshot,
        context: &Context,
        policy: &Policy,
    ) -> Result<Self, ObligationError> {
        reopen(&envelope.open().map_err(from_seal)?, snapshot, context, policy)
    }
}
