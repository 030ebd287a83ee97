//! What the authorities answered when the decision was made, as the record has it.
//!
//! It is good for one thing: running the pinned compiler again and comparing. What comes out is dropped where it was
//! compared, so no answer of the past becomes a permission of the present.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::wire::v1::{ResultBody, StudyRef};
use forma::{Answer, Authorities, DecisionStanding, Exposure, GrantedMapping, StudyGrant, StudyStanding};
use identity::Identity;
use knowledge::Table;
use knowledge::wire::v1::{DeviceClass, ManifestBody};
use representation::wire::v2::GraphBody;

pub(crate) struct Recorded<'a> {
    dispositions: BTreeMap<&'a EvidenceUse, u64>,
    policies: Vec<PinnedRef>,
    standing: BTreeSet<&'a str>,
    study: Option<(&'a str, &'a StudyRef)>,
    compiler: PinnedRef,
    knowledge: Identity<ManifestBody>,
    mappings: Vec<GrantedMapping>,
    scope: Option<PinnedRef>,
    graph: Identity<GraphBody>,
}

impl<'a> Recorded<'a> {
    pub(crate) fn of(record: &'a ResultBody, table: &Table) -> Self {
        let standing: BTreeSet<&str> = record
            .perceptual_qualifications
            .iter()
            .filter(|entry| entry.qualification == "QUALIFIED")
            .filter_map(|entry| entry.decision.as_deref())
            .collect();
        let mut policies = record.input_commitments.policy_refs.clone();
        policies.extend(standing.iter().filter_map(|decision| table.pin(decision)));
        let dispositions = record
            .evidence_dispositions
            .iter()
            .filter_map(|entry| Some((&entry.evidence_use, u64::try_from(entry.revision.get()).ok()?)))
            .collect();
        Self {
            dispositions,
            policies,
            standing,
            study: record
                .authorization_reference
                .as_deref()
                .zip(record.study.as_ref()),
            compiler: forma::compiler_ref(),
            knowledge: record.knowledge_manifest_id,
            mappings: mappings(record),
            scope: scope(record, table),
            graph: record.input_commitments.graph_id,
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

    /// A decision that the record names as the ground of a qualification stood; any other did not.
    fn decision(&self, decision: &str) -> Answer<DecisionStanding> {
        Answer::Known(if self.standing.contains(decision) {
            DecisionStanding::Stands { revision: 0 }
        } else {
            DecisionStanding::Withdrawn { revision: 0 }
        })
    }

    /// What the record says of its study: nothing of it is more than that the study granted what was executed.
    fn study(&self, reference: &str) -> Answer<StudyStanding> {
        let (Some((known, documents)), Some(scope)) = (self.study, self.scope.clone()) else {
            return Answer::Absent;
        };
        if known != reference {
            return Answer::Absent;
        }
        let withheld = self.mappings.iter().map(|mapping| mapping.claim);
        Answer::Known(StudyStanding::Runs(Box::new(StudyGrant {
            reference: reference.to_owned(),
            documents: documents.clone(),
            treatments: vec![self.graph],
            withheld: withheld.collect(),
            mappings: self.mappings.clone(),
            devices: vec![
                DeviceClass::DesktopMonitor,
                DeviceClass::PcvrHeadset,
                DeviceClass::StandaloneHeadset,
            ],
            scope,
            knowledge: self.knowledge,
            compiler: self.compiler.clone(),
            exposure: Exposure {
                max_seconds: 0,
                max_exposures: 0,
            },
        })))
    }
}

/// What was executed without being qualified: the grant had named it.
fn mappings(record: &ResultBody) -> Vec<GrantedMapping> {
    let unqualified = record
        .perceptual_qualifications
        .iter()
        .filter(|entry| entry.qualification != "QUALIFIED");
    unqualified
        .filter_map(|entry| {
            Some(GrantedMapping {
                mapping: entry.mapping,
                claim: entry.claim?,
                contraindication: entry.decision.clone(),
            })
        })
        .collect()
}

/// The scope among the recorded policies.
fn scope(record: &ResultBody, table: &Table) -> Option<PinnedRef> {
    let policies = &record.input_commitments.policy_refs;
    policies
        .iter()
        .find(|policy| table.scope(policy).is_ok())
        .cloned()
}
