//! Custody's answers to those who ask: the admission door, adoption, and recipes.

use evidence::wire::v1::{EvidenceUse, PinnedRef};
use evidence::{Disposition, Dispositions};
use forma::{Answer, Authorities, DecisionStanding, StudyStanding};
use identity::Identity;
use knowledge::wire::v1::EntryKind;
use representation::wire::v2::GraphBody;

use crate::feed::Spoken;
use crate::wire::v1::Subject;
use crate::{Custody, Standing};

impl Dispositions for Custody {
    /// The word of the feeds. They agree on a subject or are not believed on it: two that speak of one subject and differ
    /// give [`Disposition::Unknown`]. A receipt falls under three subjects (its issuance, its dataset, itself), and the
    /// gravest word on any of them holds. The silence of all is no permission, that a dataset stands is none either, and a
    /// source past its age vouches for nothing.
    fn disposition(&self, evidence_use: &EvidenceUse) -> Disposition {
        let spoken: Vec<(&str, Spoken)> = self
            .feeds()
            .iter()
            .map(|feed| (feed.id(), feed.evidence(evidence_use)))
            .collect();
        let of = |subject: fn(&Spoken) -> &Standing| agreed(spoken.iter().map(|(id, it)| (*id, subject(it))));
        let subjects = [of(|it| &it.issuance), of(|it| &it.dataset), of(|it| &it.receipt)];
        let [issuance, dataset, receipt] = match subjects {
            [Ok(issuance), Ok(dataset), Ok(receipt)] => [issuance, dataset, receipt],
            [Err(why), _, _] | [_, Err(why), _] | [_, _, Err(why)] => return Disposition::Unknown { why },
        };
        let vouched = issuance.is_some() || receipt.is_some();
        let gravest = [issuance, dataset, receipt]
            .into_iter()
            .flatten()
            .max_by_key(|standing| standing.gravity());
        match gravest {
            Some(Standing::Superseded { revision, by }) => Disposition::Superseded {
                revision: *revision,
                by: by.clone(),
            },
            Some(Standing::Withdrawn { revision }) => Disposition::Withdrawn { revision: *revision },
            Some(Standing::Retracted { revision }) => Disposition::Retracted { revision: *revision },
            Some(Standing::Valid { revision }) if vouched => match self
                .stale()
                .or_else(|| self.doubt(|subject| concerns(subject, evidence_use)))
            {
                Some(why) => Disposition::Unknown { why: why.to_owned() },
                None => Disposition::Valid { revision: *revision },
            },
            Some(Standing::Valid { .. } | Standing::Silent) | None => Disposition::Unknown {
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

/// Whether a subject is one of those that a receipt falls under.
fn concerns(subject: &Subject, evidence_use: &EvidenceUse) -> bool {
    match subject {
        Subject::Issuance {
            kernel_version,
            consumer_id,
            requirement_profile_id,
        } => {
            *kernel_version == evidence_use.kernel_version
                && *consumer_id == evidence_use.consumer_id
                && *requirement_profile_id == evidence_use.requirement_profile_id
        }
        Subject::Dataset { dataset_fingerprint } => *dataset_fingerprint == evidence_use.dataset_fingerprint,
        Subject::Receipt {
            receipt_content_digest,
        } => *receipt_content_digest == evidence_use.receipt_content_digest,
        Subject::Decision { .. } | Subject::Statement { .. } => false,
    }
}

/// The one word on a subject; none when all are silent, and both words when two feeds differ.
fn agreed<'a>(spoken: impl Iterator<Item = (&'a str, &'a Standing)>) -> Result<Option<&'a Standing>, String> {
    let mut heard: Option<(&str, &Standing)> = None;
    for (id, standing) in spoken.filter(|(_, standing)| **standing != Standing::Silent) {
        match heard {
            None => heard = Some((id, standing)),
            Some((_, first)) if first.word() == standing.word() => {}
            Some((first_id, first)) => {
                return Err(format!(
                    "{first_id} says {} and {id} says {}",
                    first.word(),
                    standing.word()
                ));
            }
        }
    }
    Ok(heard.map(|(_, standing)| standing))
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
            self.freshness().pinned(),
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

    /// A decision of the table stands until a feed takes it back, or until its folder says that it lapsed; one that
    /// custody never held is absent.
    fn decision(&self, decision: &str) -> Answer<DecisionStanding> {
        if let Some(lapsed) = self.lapsed(decision) {
            return Answer::Known(lapsed.standing.clone());
        }
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
        let taken_back = |subject: &Subject| matches!(subject, Subject::Decision { id, version, .. } if *id == pin.id && *version == pin.version);
        if self.doubt(taken_back).is_some() {
            return Answer::Absent;
        }
        let mut revision = self.decided_at(decision);
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

    /// What the folder says of an authorization on its day; without a folder there is no study owner.
    fn study(&self, reference: &str) -> Answer<StudyStanding> {
        self.studies().answer(reference)
    }

    fn treatment(&self, graph: Identity<GraphBody>) -> Option<String> {
        self.studies().treatment(graph)
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
