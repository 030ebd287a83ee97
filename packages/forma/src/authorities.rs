//! The outside world as one trait, handed in by the program.

use evidence::wire::v1::PinnedRef;
use identity::Identity;
use knowledge::wire::v1::{Arrangement, DeviceClass, ManifestBody, Mapping};
use obligations::predicate_word;
use obligations::wire::v1::Predicate;
use representation::wire::v2::GraphBody;

use crate::wire::v1::StudyRef;

/// What an authority says when asked; the three are different answers and stay different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// It knows.
    Known(T),
    /// It has nothing under that name.
    Absent,
    /// It has something under that name, and it is not what it should be.
    Tampered(String),
}

/// Whether a knowledge decision still stands, and since which revision of its feed. A decision that no feed ever spoke of
/// stands at revision 0. The ways of not standing are different answers: an expired decision was never taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionStanding {
    /// It stands.
    Stands {
        /// Last revision that speaks of it.
        revision: u64,
    },
    /// Its owner took it back.
    Withdrawn {
        /// The revision that took it back.
        revision: u64,
    },
    /// It was wrong.
    Retracted {
        /// The revision that said so.
        revision: u64,
    },
    /// Another took its place.
    Superseded {
        /// The revision that said so.
        revision: u64,
        /// What took its place, by `id@version`.
        by: String,
    },
    /// It was made for a time that is over.
    Expired {
        /// The revision that made it.
        revision: u64,
        /// Its last day, `YYYY-MM-DD`.
        on: String,
    },
}

impl DecisionStanding {
    /// How it came to stand no more, to follow its name in a sentence: `was withdrawn at revision 3`. None while it stands.
    #[must_use]
    pub fn lapse(&self) -> Option<String> {
        match self {
            Self::Stands { .. } => None,
            Self::Withdrawn { revision } => Some(format!("was withdrawn at revision {revision}")),
            Self::Retracted { revision } => Some(format!("was retracted at revision {revision}")),
            Self::Superseded { revision, by } => {
                Some(format!("was superseded by {by} at revision {revision}"))
            }
            Self::Expired { on, .. } => Some(format!("expired: {on} was its last day")),
        }
    }
}

/// What the study owner says of an authorization that it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyStanding {
    /// It stands, and the study runs.
    Runs(Box<StudyGrant>),
    /// It is held and permits nothing at present.
    Withheld(Withheld),
}

/// Why an authorization that is held permits nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withheld {
    /// The kind of reason.
    pub because: WithheldBecause,
    /// In a sentence.
    pub why: String,
}

/// The kinds of reason for which an authorization permits nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WithheldBecause {
    /// Its first day is still to come.
    NotYet,
    /// Its last day is over.
    Expired,
    /// A later statement ended it.
    Ended,
    /// What it must rest on is not there, or contradicts it: an acceptance by somebody else, the same freeze.
    Unfounded,
}

/// A running study: frozen treatments may be executed inside one protocol, within stated bounds.
///
/// The value means nothing by itself. It counts only as the answer of the [`Authorities`] that the program injected,
/// is asked for anew at every recheck, and is never read from a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyGrant {
    /// Reference by which it was asked for.
    pub reference: String,
    /// Protocol, freeze and authorization, each by identity and digest.
    pub documents: StudyRef,
    /// Exactly the graphs that are treatments.
    pub treatments: Vec<Identity<GraphBody>>,
    /// Exactly the mappings that may be executed without being qualified for what they carry.
    pub mappings: Vec<GrantedMapping>,
    /// Claims that no result of this study may be shown for in production; a mapping counts for these alone.
    pub withheld: Vec<Predicate>,
    /// Device classes on which treatments may run.
    pub devices: Vec<DeviceClass>,
    /// The policy scope that treatments are for.
    pub scope: PinnedRef,
    /// The knowledge under which the treatments were frozen.
    pub knowledge: Identity<ManifestBody>,
    /// The compiler with which the treatments were frozen.
    pub compiler: PinnedRef,
    /// How long and how often one participant may be exposed.
    pub exposure: Exposure,
}

/// A mapping that a study may execute for a claim although nobody qualified it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GrantedMapping {
    /// Channel and arrangement.
    pub mapping: Mapping,
    /// The claim it carries.
    pub claim: Predicate,
    /// The harm that is known and was accepted, by `id@version`; a contraindicated mapping needs it.
    pub contraindication: Option<String>,
}

impl GrantedMapping {
    /// `position_z:FREE_VOLUME:ORDER`, and `:id@version` of a known harm behind it: as a freeze names it.
    #[must_use]
    pub fn word(&self) -> String {
        let arrangement = match self.mapping.arrangement {
            Arrangement::AlignedCommonScale => "ALIGNED_COMMON_SCALE",
            Arrangement::FreeVolume => "FREE_VOLUME",
            Arrangement::PerMark => "PER_MARK",
            Arrangement::Board => "BOARD",
        };
        let channel = representation::channel::word(self.mapping.channel);
        let mut word = format!("{channel}:{arrangement}:{}", predicate_word(self.claim));
        if let Some(harm) = &self.contraindication {
            word.push(':');
            word.push_str(harm);
        }
        word
    }
}

/// Bounds of exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exposure {
    /// Longest exposure of one participant to one treatment, in seconds.
    pub max_seconds: u64,
    /// Most exposures of one participant.
    pub max_exposures: u64,
}

/// Everything outside: evidence standing, pinned policies, study owner.
pub trait Authorities: evidence::Dispositions {
    /// The pinned policy with this name; a policy the program does not pin is [`Answer::Absent`].
    fn policy(&self, id: &str) -> Answer<PinnedRef>;

    /// How a knowledge decision stands in the program's custody, by `id@version`.
    fn decision(&self, decision: &str) -> Answer<DecisionStanding>;

    /// The study owner's answer for an authorization reference.
    fn study(&self, reference: &str) -> Answer<StudyStanding>;

    /// The study that holds a graph as a frozen treatment, if one does, by the reference of its authorization. It gives
    /// nothing: it says why a picture that nobody qualified is known to be for study alone.
    fn treatment(&self, _graph: Identity<GraphBody>) -> Option<String> {
        None
    }
}
