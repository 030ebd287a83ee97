//! The outside world as one trait, handed in by the program.

use evidence::wire::v1::PinnedRef;
use identity::Identity;
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

/// A study owner's answer: one frozen treatment may be executed inside one protocol.
///
/// The value means nothing by itself. It counts only as the answer of the [`Authorities`] that the program injected,
/// is asked for anew at every recheck, and is never read from a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StudyGrant {
    /// Reference by which it was asked for.
    pub reference: String,
    /// Frozen protocol.
    pub protocol: String,
    /// Exactly the graphs that are treatments.
    pub treatments: Vec<Identity<GraphBody>>,
    /// Whether the study still runs.
    pub live: bool,
    /// Whether the grant is past its end.
    pub expired: bool,
}

/// Everything outside: evidence standing, pinned policies, study owner.
pub trait Authorities: evidence::Dispositions {
    /// The pinned policy with this name; a policy the program does not pin is [`Answer::Absent`].
    fn policy(&self, id: &str) -> Answer<PinnedRef>;

    /// Whether the program's custody withdrew a knowledge decision, by `id@version`; `Known(false)` when it stands.
    fn decision_withdrawn(&self, decision: &str) -> Answer<bool>;

    /// The study owner's answer for an authorization reference.
    fn study(&self, reference: &str) -> Answer<StudyGrant>;
}
