//! What can go wrong on the way to something visible.

use refusal::{Reason, Refusal, Stage};

/// Why a view can't be staged, shown or captured.
#[derive(Debug, thiserror::Error)]
pub enum StageError {
    /// No graphics device answers: no driver, or none that draws. Install one; Mesa's software driver is enough.
    #[error("no graphics device answers: {0}")]
    NoGraphicsDevice(String),
    /// The view needs a buffer or texture larger than the device allows. Ask for a smaller variant.
    #[error("{what} needs {needed} {unit}, and this device allows {allowed}")]
    OverBudget {
        /// What is too large.
        what: String,
        /// Bytes or texels needed.
        needed: u64,
        /// Bytes or texels allowed.
        allowed: u64,
        /// `bytes` or `texels`.
        unit: &'static str,
    },
    /// An element's leaf was not handed in. Give the leaves that the plan names.
    #[error("element {element} draws leaf {leaf}, which was not given")]
    LeafMissing {
        /// Element.
        element: String,
        /// Digest of the leaf.
        leaf: String,
    },
    /// The plan can't be read as elements; an admitted plan always can, so this one was not made by this program.
    #[error("element {element} can't be drawn: {why}")]
    Element {
        /// Element.
        element: String,
        /// What about it.
        why: String,
    },
    /// The typeface has no letters for a text; drawn, it would be empty boxes that nobody can tell apart.
    #[error("the typeface has no letters for {text:?} in {element}")]
    NoLetters {
        /// Element.
        element: String,
        /// Its text.
        text: String,
    },
    /// What was staged and what was adopted are not the same variant.
    #[error("the adopted variant is {adopted}, and {staged} was staged")]
    OtherVariant {
        /// Digest of the staged backend plan.
        staged: String,
        /// Digest of the adopted backend plan.
        adopted: String,
    },
    /// The view is gone: it was released before.
    #[error("the view was released before")]
    Released,
    /// The inspection was permitted in another run of the program. Open the package again.
    #[error("the inspection belongs to another run of the program")]
    OtherRun,
    /// A view is in force, and history drawn over it could be taken for it. End the view first.
    #[error("a view is in force, and history is not drawn over it")]
    InForce,
    /// Nothing became visible: no request, or nothing that ever became ready.
    #[error("nothing was shown after {updates} updates")]
    NothingShown {
        /// Updates waited for.
        updates: u32,
    },
    /// The view was refused while a picture of it was to be taken.
    #[error("{}", .0.cause().text)]
    Refused(Box<Refusal>),
    /// The device gave up while drawing: lost, out of memory, or a shader it can't compile.
    #[error("the graphics device failed: {0}")]
    Device(String),
    /// The bundled font can't be opened; a broken build.
    #[error("the bundled font can't be opened: {0}")]
    Font(String),
    /// A file is no picture that this program could have written. Name another.
    #[error("it is no picture of this program: {0}")]
    NoPicture(String),
    /// The picture can't be encoded.
    #[error("the picture can't be encoded: {0}")]
    Png(String),
}

impl StageError {
    /// The refusal that a person or a script sees.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (reason, next) = match self {
            Self::Refused(refusal) => return (**refusal).clone(),
            Self::NoGraphicsDevice(_) => (
                Reason::NoGraphicsDevice,
                "Install a Vulkan driver (Mesa's software driver will do), or use the verbs that draw nothing.",
            ),
            Self::OverBudget { what, .. } if what == crate::headless::PICTURE => (
                Reason::OverBudget,
                "Ask for fewer pixels with --size or --supersample.",
            ),
            Self::OverBudget { .. } => (
                Reason::OverBudget,
                "Choose a variant for a smaller device; nothing is sampled in silence.",
            ),
            Self::LeafMissing { .. } => (Reason::Integrity, "Open the package that carries the leaf."),
            Self::Element { .. } => (
                Reason::Malformed,
                "Admit again; this plan was not made by this program.",
            ),
            Self::NoLetters { .. } => (
                Reason::AccessibilityUnmet,
                "Name columns and groups in Latin, Greek or Cyrillic letters; a typeface for others is not here yet.",
            ),
            Self::OtherVariant { .. } => (Reason::WrongSubject, "Stage the variant that is adopted."),
            Self::Released => (Reason::Stale, "Stage it again."),
            Self::OtherRun => (Reason::Stale, "Open the package again in this run."),
            Self::InForce => (Reason::AmbiguousReference, "End the view that is in force first."),
            Self::NothingShown { .. } => (Reason::NotStated, "Ask for a view before taking its picture."),
            Self::Device(_) => (Reason::NoGraphicsDevice, "Try again, or use another driver."),
            Self::NoPicture(_) => (Reason::Malformed, "Name a PNG that `nemosyne render` wrote."),
            Self::Font(_) | Self::Png(_) => (Reason::Integrity, "Report this: the program is damaged."),
        };
        let stage = match self {
            Self::OtherVariant { .. } | Self::Released | Self::OtherRun | Self::InForce => {
                Stage::AdoptionRecheck
            }
            Self::LeafMissing { .. }
            | Self::Element { .. }
            | Self::NoPicture(_)
            | Self::Font(_)
            | Self::Png(_) => Stage::DecodeIntegrity,
            _ => Stage::Budget,
        };
        let text = match self {
            Self::NoPicture(_) => format!("The picture can't be read: {self}."),
            _ => format!("Can't draw: {self}."),
        };
        Refusal::new(stage, reason, text).next(next)
    }
}
