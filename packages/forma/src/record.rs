//! What an admission record must satisfy to be one, whoever wrote it down.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use identity::Body;

use crate::wire::v1::{PermittedUse, ResultBody};

/// A written record that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// A list that is a declared set is out of order or repeats an element; write it sorted.
    #[error("{list} is not sorted and unique")]
    Order {
        /// The list.
        list: &'static str,
    },
    /// An evidence use without standing, or one that does not stand; an admitted record has none.
    #[error("receipt {receipt} stands {disposition}, {analytical}; an admitted result needs VALID, ELIGIBLE")]
    Standing {
        /// Receipt.
        receipt: String,
        /// Disposition as written.
        disposition: String,
        /// Claim standing as written.
        analytical: String,
    },
    /// Production with a required mapping that is not qualified.
    #[error("production rests on a mapping that is {qualification} on {variant}")]
    Unqualified {
        /// Variant.
        variant: String,
        /// As written.
        qualification: String,
    },
    /// A decision without the revision at which it stood, or a revision of no decision. A qualified mapping names both.
    #[error(
        "a mapping that is {qualification} on {variant} names {found}; a decision goes with its revision"
    )]
    Decision {
        /// Variant.
        variant: String,
        /// As written.
        qualification: String,
        /// What is there.
        found: &'static str,
    },
    /// Two places name different things.
    #[error("{what} differ inside the record")]
    Disagreement {
        /// What.
        what: &'static str,
    },
    /// A study result without its authorization, or a production result with one.
    #[error("{0}")]
    Authorization(&'static str),
}

impl Body for ResultBody {
    const ID_MEMBER: &'static str = "resultId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = RecordError;

    fn check(&self) -> Result<(), RecordError> {
        let in_order = self.evidence_dispositions.windows(2).all(|pair| {
            evidence::compare_uses(&pair[0].evidence_use, &pair[1].evidence_use) == Ordering::Less
        });
        if !in_order {
            return Err(RecordError::Order {
                list: "evidenceDispositions",
            });
        }
        sorted("perceptualQualifications", &self.perceptual_qualifications)?;
        sorted("coverage", &self.coverage)?;
        sorted("omissions", &self.omissions)?;
        sorted("resolvedBindingIds", &self.resolved_binding_ids)?;
        sorted("backendPlanDigests", &self.backend_plan_digests)?;
        sorted("explanationIndex", &self.explanation_index)?;
        sorted("limitations", &self.limitations)?;
        for standing in &self.evidence_dispositions {
            if standing.disposition != "VALID" || standing.analytical_disposition != "ELIGIBLE" {
                return Err(RecordError::Standing {
                    receipt: standing.evidence_use.receipt_id.clone(),
                    disposition: standing.disposition.clone(),
                    analytical: standing.analytical_disposition.clone(),
                });
            }
        }
        self.decided()?;
        self.qualified()?;
        if self.fixed_obligation_set_id != self.input_commitments.obligation_set_id {
            return Err(RecordError::Disagreement {
                what: "obligation sets",
            });
        }
        if self.knowledge_manifest_id != self.input_commitments.knowledge_manifest_id {
            return Err(RecordError::Disagreement {
                what: "knowledge manifests",
            });
        }
        if self.authorization_reference.is_some() != self.study.is_some() {
            return Err(RecordError::Authorization(
                "a study authorization is named without its documents, or documents without the authorization",
            ));
        }
        match (self.permitted_use, &self.authorization_reference) {
            (PermittedUse::Production, Some(_)) => Err(RecordError::Authorization(
                "a production result names a study authorization",
            )),
            (PermittedUse::StudyOnly, None) => Err(RecordError::Authorization(
                "a study result names no authorization",
            )),
            _ if self.permitted_use != self.input_commitments.requested_use => {
                Err(RecordError::Disagreement {
                    what: "requested and permitted use",
                })
            }
            _ => Ok(()),
        }
    }
}

impl ResultBody {
    /// What was decided is bound to the revision at which it stood: a decision that is stated anew is another one.
    fn decided(&self) -> Result<(), RecordError> {
        let mut revisions = BTreeMap::new();
        for entry in &self.perceptual_qualifications {
            if let (Some(decision), Some(revision)) = (&entry.decision, entry.decision_revision)
                && *revisions.entry(decision).or_insert(revision) != revision
            {
                return Err(RecordError::Disagreement {
                    what: "revisions of one decision",
                });
            }
            let found = match (&entry.decision, entry.decision_revision) {
                (None, Some(_)) => "a revision of no decision",
                (Some(_), None) if entry.qualification == "QUALIFIED" => "a decision without its revision",
                (None, None) if entry.qualification == "QUALIFIED" => "no decision",
                (_, Some(revision)) if revision.get() < 0 => "a revision below zero",
                _ => continue,
            };
            return Err(RecordError::Decision {
                variant: entry.variant.clone(),
                qualification: entry.qualification.clone(),
                found,
            });
        }
        Ok(())
    }

    /// In production each required claim has a mapping on each variant that is qualified for that very claim.
    fn qualified(&self) -> Result<(), RecordError> {
        if self.permitted_use != PermittedUse::Production {
            return Ok(());
        }
        let qualified: BTreeSet<_> = self
            .perceptual_qualifications
            .iter()
            .filter(|entry| entry.qualification == "QUALIFIED")
            .map(|entry| (entry.variant.as_str(), entry.binding_id, entry.claim))
            .collect();
        for coverage in &self.coverage {
            if coverage.class == obligations::wire::v1::Class::MustPreserve
                && !coverage
                    .binding_ids
                    .iter()
                    .any(|id| qualified.contains(&(coverage.variant.as_str(), *id, Some(coverage.predicate))))
            {
                return Err(RecordError::Unqualified {
                    variant: coverage.variant.clone(),
                    qualification: format!("without a qualified carrier for: {}", coverage.sentence),
                });
            }
        }
        Ok(())
    }
}

fn sorted<T: Ord>(list: &'static str, items: &[T]) -> Result<(), RecordError> {
    if items.windows(2).all(|pair| pair[0] < pair[1]) {
        Ok(())
    } else {
        Err(RecordError::Order { list })
    }
}
