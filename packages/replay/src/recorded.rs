//! What the authorities answered when the decision was made, as the record has it.
//!
//! It is good for one thing: running the pinned compiler again and comparing. What comes out is dropped where it was
//! compared, so no answer of the past becomes a permission of the present.

use std::collections::BTreeMap;

use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::wire::v1::ResultBody;
use forma::{Answer, Authorities, DecisionStanding, StudyGrant, StudyStanding};
use knowledge::Table;
use study::Documents;

pub(crate) struct Recorded<'a> {
    dispositions: BTreeMap<&'a EvidenceUse, u64>,
    policies: Vec<PinnedRef>,
    /// Every decision that the record names, with the revision at which it stood.
    standing: BTreeMap<&'a str, u64>,
    study: Option<StudyGrant>,
}

impl<'a> Recorded<'a> {
    pub(crate) fn of(record: &'a ResultBody, table: &Table, study: Option<&Documents>) -> Self {
        let standing: BTreeMap<&str, u64> = record
            .perceptual_qualifications
            .iter()
            .filter_map(|entry| {
                let revision = u64::try_from(entry.decision_revision?.get()).ok()?;
                Some((entry.decision.as_deref()?, revision))
            })
            .collect();
        let mut policies = record.input_commitments.policy_refs.clone();
        policies.extend(standing.keys().filter_map(|decision| table.pin(decision)));
        let dispositions = record
            .evidence_dispositions
            .iter()
            .filter_map(|entry| Some((&entry.evidence_use, u64::try_from(entry.revision.get()).ok()?)))
            .collect();
        Self {
            dispositions,
            policies,
            standing,
            study: study.map(Documents::terms),
        }
    }
}

impl Dispositions for Recorded<'_> {
    fn disposition(&self, evidence_use: &EvidenceUse) -> Disposition {
        match self.dispositions.get(evidence_use) {
            Some(revision) => Disposition::Valid { revision: *revision },
            None => Disposition::Unknown {
                why: "the record does not say".to_owned(),
            },
        }
    }
}

impl Authorities for Recorded<'_> {
    fn policy(&self, id: &str) -> Answer<PinnedRef> {
        let known = self.policies.iter().find(|policy| policy.id == id);
        known.map_or(Answer::Absent, |policy| Answer::Known(policy.clone()))
    }

    /// A decision that the record names stood, at the revision it names; any other did not.
    fn decision(&self, decision: &str) -> Answer<DecisionStanding> {
        Answer::Known(match self.standing.get(decision) {
            Some(revision) => DecisionStanding::Stands { revision: *revision },
            None => DecisionStanding::Withdrawn { revision: 0 },
        })
    }

    /// What the study's documents say: they were in force when the decision was made, or it would not have been.
    fn study(&self, reference: &str) -> Answer<StudyStanding> {
        match &self.study {
            Some(terms) if terms.reference == reference => {
                Answer::Known(StudyStanding::Runs(Box::new(terms.clone())))
            }
            Some(_) | None => Answer::Absent,
        }
    }
}
