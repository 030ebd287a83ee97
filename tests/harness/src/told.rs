//! Authorities that say what a test tells them to, and what custody says otherwise.

use std::collections::BTreeMap;

use custody::Custody;
use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::{Answer, Authorities, StudyGrant};

/// The real custody, less what a test changed.
#[derive(Clone, Debug)]
pub struct Told {
    custody: Custody,
    dispositions: BTreeMap<String, Disposition>,
    policies: BTreeMap<String, Answer<PinnedRef>>,
    decisions: BTreeMap<String, Answer<bool>>,
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

    /// Whether a decision was withdrawn, from now on.
    pub fn decision_is(&mut self, decision: &str, withdrawn: Answer<bool>) {
        self.decisions.insert(decision.to_owned(), withdrawn);
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

    fn decision_withdrawn(&self, decision: &str) -> Answer<bool> {
        let told = self.decisions.get(decision);
        told.cloned()
            .unwrap_or_else(|| self.custody.decision_withdrawn(decision))
    }

    fn study(&self, reference: &str) -> Answer<StudyGrant> {
        self.studies.get(reference).cloned().unwrap_or(Answer::Absent)
    }
}
