//! Authorities that say what a test tells them to, and what custody says otherwise.

use std::collections::BTreeMap;

use custody::Custody;
use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::wire::v1::StudyRef;
use forma::{
    Answer, Authorities, DecisionStanding, Exposure, GrantedMapping, StudyGrant, StudyStanding, Withheld,
    WithheldBecause,
};
use identity::{Digest, Identity, identify};
use knowledge::wire::v1::{Arrangement, DeviceClass, Mapping};
use obligations::wire::v1::Predicate;
use representation::wire::v2::{Channel, GraphBody};

/// The real custody, less what a test changed.
#[derive(Clone, Debug)]
pub struct Told {
    custody: Custody,
    dispositions: BTreeMap<String, Disposition>,
    policies: BTreeMap<String, Answer<PinnedRef>>,
    decisions: BTreeMap<String, Answer<DecisionStanding>>,
    studies: BTreeMap<String, Answer<StudyStanding>>,
}

impl Told {
    /// Nothing changed yet.
    #[must_use]
    pub fn by(custody: Custody) -> Self {
        Self {
            custody,
            dispositions: BTreeMap::new(),
            policies: BTreeMap::new(),
            decisions: BTreeMap::new(),
            studies: BTreeMap::new(),
        }
    }

    /// How every use of a receipt stands from now on.
    pub fn receipt(&mut self, receipt_id: &str, disposition: Disposition) {
        self.dispositions.insert(receipt_id.to_owned(), disposition);
    }

    /// What is pinned under a policy's name from now on.
    pub fn policy_is(&mut self, id: &str, answer: Answer<PinnedRef>) {
        self.policies.insert(id.to_owned(), answer);
    }

    /// Pins a policy under its own name.
    pub fn pin(&mut self, pin: &PinnedRef) {
        self.policy_is(&pin.id, Answer::Known(pin.clone()));
    }

    /// How a decision stands from now on.
    pub fn decision_is(&mut self, decision: &str, standing: Answer<DecisionStanding>) {
        self.decisions.insert(decision.to_owned(), standing);
    }

    /// What the study owner says of an authorization from now on.
    pub fn study_is(&mut self, reference: &str, answer: Answer<StudyStanding>) {
        self.studies.insert(reference.to_owned(), answer);
    }

    /// Lets a study run from now on.
    pub fn study_runs(&mut self, grant: StudyGrant) {
        let reference = grant.reference.clone();
        self.study_is(&reference, Answer::Known(StudyStanding::Runs(Box::new(grant))));
    }

    /// Withholds a study's authorization from now on.
    pub fn withhold_study(&mut self, reference: &str, because: WithheldBecause) {
        let why = "as a test demands".to_owned();
        let withheld = StudyStanding::Withheld(Withheld { because, why });
        self.study_is(reference, Answer::Known(withheld));
    }

    /// Changes a grant that was given.
    ///
    /// # Panics
    /// When none was.
    pub fn change_grant(&mut self, reference: &str, change: impl FnOnce(&mut StudyGrant)) {
        match self.studies.get_mut(reference) {
            Some(Answer::Known(StudyStanding::Runs(grant))) => change(grant),
            other => panic!("no grant {reference}: {other:?}"),
        }
    }
}

impl Dispositions for Told {
    fn disposition(&self, evidence_use: &EvidenceUse) -> Disposition {
        let told = self.dispositions.get(&evidence_use.receipt_id);
        told.cloned()
            .unwrap_or_else(|| self.custody.disposition(evidence_use))
    }
}

impl Authorities for Told {
    fn policy(&self, id: &str) -> Answer<PinnedRef> {
        let told = self.policies.get(id);
        told.cloned().unwrap_or_else(|| self.custody.policy(id))
    }

    fn decision(&self, decision: &str) -> Answer<DecisionStanding> {
        let told = self.decisions.get(decision);
        told.cloned().unwrap_or_else(|| self.custody.decision(decision))
    }

    fn study(&self, reference: &str) -> Answer<StudyStanding> {
        self.studies.get(reference).cloned().unwrap_or(Answer::Absent)
    }

    fn treatment(&self, graph: Identity<GraphBody>) -> Option<String> {
        self.studies.values().find_map(|answer| match answer {
            Answer::Known(StudyStanding::Runs(grant)) if grant.treatments.contains(&graph) => {
                Some(grant.reference.clone())
            }
            _ => None,
        })
    }
}

/// A running study's grant for one treatment that reads order off free positions in a volume, in the general scope.
#[must_use]
pub fn grant(reference: &str, treatment: Identity<GraphBody>, custody: &Custody) -> StudyGrant {
    let mut mappings = Vec::new();
    for channel in [Channel::PositionX, Channel::PositionY, Channel::PositionZ] {
        for contraindication in [None, Some("depth-monitor@1".to_owned())] {
            mappings.push(GrantedMapping {
                mapping: Mapping {
                    channel,
                    arrangement: Arrangement::FreeVolume,
                },
                claim: Predicate::Order,
                contraindication,
            });
        }
    }
    StudyGrant {
        reference: reference.to_owned(),
        documents: documents(reference),
        treatments: vec![treatment],
        mappings,
        withheld: vec![Predicate::Order],
        devices: vec![
            DeviceClass::DesktopMonitor,
            DeviceClass::PcvrHeadset,
            DeviceClass::StandaloneHeadset,
        ],
        scope: custody.pins().scope.clone(),
        exposure: Exposure {
            max_seconds: 600,
            max_exposures: 4,
        },
        knowledge: custody.manifest().id(),
        compiler: custody.pins().compiler.clone(),
    }
}

/// The names of documents that are nowhere: enough for the door, not for a package.
fn documents(reference: &str) -> StudyRef {
    let digest = |what: &str| Digest::of(format!("{what} of {reference}").as_bytes());
    StudyRef {
        authorization_id: identify(&(reference, "authorization")).expect("texts are canonical"),
        authorization_digest: digest("authorization"),
        freeze_id: identify(&(reference, "freeze")).expect("texts are canonical"),
        freeze_digest: digest("freeze"),
        protocol_id: identify(&(reference, "protocol")).expect("texts are canonical"),
        protocol_digest: digest("protocol"),
    }
}
