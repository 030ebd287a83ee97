//! Authorities that say what a test tells them to, and what custody says otherwise.

use std::collections::BTreeMap;

use custody::Custody;
use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::{Answer, Authorities, DecisionStanding, Exposure, GrantedMapping, StudyGrant};
use identity::Identity;
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
    studies: BTreeMap<String, Answer<StudyGrant>>,
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
    pub fn study_is(&mut self, reference: &str, answer: Answer<StudyGrant>) {
        self.studies.insert(reference.to_owned(), answer);
    }

    /// Changes a grant that was given.
    ///
    /// # Panics
    /// When none was.
    pub fn change_grant(&mut self, reference: &str, change: impl FnOnce(&mut StudyGrant)) {
        match self.studies.get_mut(reference) {
            Some(Answer::Known(grant)) => change(grant),
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

    fn study(&self, reference: &str) -> Answer<StudyGrant> {
        self.studies.get(reference).cloned().unwrap_or(Answer::Absent)
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
        protocol: "depth on a monitor, frozen".to_owned(),
        freeze: "the freeze of that protocol".to_owned(),
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
        live: true,
        expired: false,
    }
}
