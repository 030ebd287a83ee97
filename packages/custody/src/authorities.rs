//! Custody's answers to those who ask: the admission door, adoption, and recipes.

use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::{Answer, Authorities, DecisionStanding, StudyGrant};
use knowledge::wire::v1::EntryKind;

use crate::{Custody, Standing};

impl Dispositions for Custody {
    /// The word of the feeds. One feed's silence is no disagreement, but the silence of all is no permission; feeds
    /// that speak and differ give [`Disposition::Unknown`].
    fn disposition(&self, evidence_use: &EvidenceUse) -> Disposition {
        let mut heard: Option<(&str, Standing)> = None;
        for feed in self.feeds() {
            let standing = feed.evidence(evidence_use);
            if standing == Standing::Silent {
                continue;
            }
            match &heard {
                None => heard = Some((feed.id(), standing)),
                Some((_, first)) if first.word() == standing.word() => {}
                Some((first_id, first)) => {
                    return Disposition::Unknown {
                        why: format!(
                            "{first_id} says {} and {} says {}",
                            first.word(),
                            feed.id(),
                            standing.word()
                        ),
                    };
                }
            }
        }
        match heard {
            Some((_, Standing::Valid { revision })) => Disposition::Valid { revision },
            Some((_, Standing::Superseded { revision, by })) => Disposition::Superseded { revision, by },
            Some((_, Standing::Withdrawn { revision })) => Disposition::Withdrawn { revision },
            Some((_, Standing::Retracted { revision })) => Disposition::Retracted { revision },
            Some((_, Standing::Silent)) | None => Disposition::Unknown {
                why: format!(
                    "no disposition feed speaks of {} receipts under {} by {}",
                    evidence_use.consumer_id,
                    evidence_use.requirement_profile_id,
                    evidence_use.kernel_version
                ),
            },
        }
    }
}

impl Authorities for Custody {
    /// A policy, the compiler, or a knowledge decision that no other replaces, by name. Asking for a decision tells
    /// whether a table that came from elsewhere holds it with the content that custody does.
    fn policy(&self, id: &str) -> Answer<PinnedRef> {
        let pins = self.pins();
        let policies = [
            &pins.obligation_policy,
            &pins.capability,
            &pins.qualification_policy,
            &pins.compiler,
        ]
        .into_iter()
        .chain(self.scopes().iter().map(|scope| scope.pinned()))
        .find(|pin| pin.id == id)
        .cloned();
        let decision = || {
            [EntryKind::Qualification, EntryKind::Contraindication]
                .into_iter()
                .flat_map(|kind| self.table().decisions(kind))
                .find(|(_, decision)| decision.id == id)
                .and_then(|(name, _)| self.table().pin(name))
        };
        policies.or_else(decision).map_or(Answer::Absent, Answer::Known)
    }

    /// A decision of the table stands until a feed takes it back; one that the table does not hold is absent.
    fn decision(&self, decision: &str) -> Answer<DecisionStanding> {
        let Some(pin) = self.table().pin(decision) else {
            return Answer::Absent;
        };
        for feed in self.feeds() {
            if let Some(other) = feed.other_content(&pin.id, &pin.version, &pin.digest) {
                return Answer::Tampered(format!(
                    "{} speaks of {decision} with content {other}, this program holds {}",
                    feed.id(),
                    pin.digest
                ));
            }
        }
        let mut revision = 0;
        for (_, standing) in self.standings(&pin) {
            match standing {
                Standing::Silent => {}
                Standing::Valid { revision: spoken } => revision = revision.max(spoken),
                Standing::Superseded { revision, by } => {
                    return Answer::Known(DecisionStanding::Superseded { revision, by });
                }
                Standing::Withdrawn { revision } => {
                    return Answer::Known(DecisionStanding::Withdrawn { revision });
                }
                Standing::Retracted { revision } => {
                    return Answer::Known(DecisionStanding::Retracted { revision });
                }
            }
        }
        Answer::Known(DecisionStanding::Stands { revision })
    }

    /// There is no study owner yet, so no authorization exists.
    fn study(&self, _reference: &str) -> Answer<StudyGrant> {
        Answer::Absent
    }
}

impl representation::Pins for Custody {
    fn transform(&self, id: &str) -> Option<PinnedRef> {
        self.pins().transforms.get(id).cloned()
    }

    fn recipe(&self, id: &str) -> Option<PinnedRef> {
        self.pins().recipes.get(id).cloned()
    }
}
