//! The outside world as one trait, handed in by the program.

use evidence::wire::v1::PinnedRef;
use identity::Identity;
use knowledge::wire::v1::{DeviceClass, Mapping};
use obligations::wire::v1::Predicate;
use representation::wire::v2::GraphBody;

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

/// A study owner's answer: frozen treatments may be executed inside one protocol, within stated bounds.
///
/// The value means nothing by itself. It counts only as the answer of the [`Authorities`] that the program injected,
/// is asked for anew at every recheck, and is never read from a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyGrant {
    /// Reference by which it was asked for.
    pub reference: String,
    /// Frozen protocol, by identity.
    pub protocol: String,
    /// The freeze that names protocol, treatments and mappings, by identity.
    pub freeze: String,
    /// Exactly the graphs that are treatments.
    pub treatments: Vec<Identity<GraphBody>>,
    /// Exactly the mappings that may be executed without being qualified for what they carry.
    pub mappings: Vec<GrantedMapping>,
    /// Claims that no result of this study may be shown for in production.
    pub withheld: Vec<Predicate>,
    /// Device classes on which treatments may run.
    pub devices: Vec<DeviceClass>,
    /// The policy scope that treatments are for.
    pub scope: PinnedRef,
    /// How long and how often one participant may be exposed.
    pub exposure: Exposure,
    /// Whether the study still runs.
    pub live: bool,
    /// Whether the grant is past its end.
    pub expired: bool,
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
    fn study(&self, reference: &str) -> Answer<StudyGrant>;
}
