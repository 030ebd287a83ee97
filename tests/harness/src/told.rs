//! Authorities that say what a test tells them to, and what custody says otherwise.

use std::collections::BTreeMap;

use custody::Custody;
use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::{Answer, Authorities, DecisionStanding, StudyGrant, StudyStanding, Withheld, WithheldBecause};
use identity::Identity;
use representation::wire::v2::GraphBody;

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
