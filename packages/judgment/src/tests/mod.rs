//! Judgments about a real decision, and about anything but.

mod confirmations;
mod drafts;
mod targets;

use forma::Admission;
use harness::{Spec, World};
use knowledge::Date;

use crate::wire::v1::{
    Agreement, Aspect, Author, Confidence, CritiqueBody, Effect, IdentifiedBy, Instrument, MeaningBody, Part,
    Severity, Target,
};
use crate::{Draft, Ground};

/// A decision to speak of.
pub(crate) struct Decision {
    pub(crate) world: World,
    pub(crate) admission: Admission,
}

impl Decision {
    pub(crate) fn flowers() -> Self {
        Self::of(&Spec::flowers())
    }

    pub(crate) fn of(spec: &Spec) -> Self {
        let world = World::of(spec);
        let admission = world
            .admit()
            .unwrap_or_else(|refused| panic!("{}", refused.primary()));
        Self { world, admission }
    }

    pub(crate) fn ground(&self) -> Ground<'_> {
        Ground {
            record: self.admission.record(),
            plan: self.admission.plan(),
            obligations: self.world.obligations.set(),
            context: &self.world.context,
            snapshot: &self.world.snapshot,
        }
    }

    /// A binding that the desktop shows.
    pub(crate) fn binding(&self) -> Part {
        let shown = &self.admission.plan().body().explanation_index;
        let entry = shown.iter().find(|entry| entry.variant == "desktop");
        Part::Binding {
            binding_id: entry.expect("the desktop shows something").binding_id,
        }
    }

    pub(crate) fn obligation(&self) -> Part {
        Part::Obligation {
            obligation_id: self.world.obligations.set().body().obligations[0].id,
        }
    }

    pub(crate) fn target(&self) -> Target {
        self.ground()
            .target("desktop", self.binding())
            .expect("it is there")
    }
}

pub(crate) fn author() -> Author {
    Author {
        name: "Ada Example".to_owned(),
        identified_by: IdentifiedBy::SelfStated,
    }
}

pub(crate) fn critique_of(target: Target) -> CritiqueBody {
    CritiqueBody {
        target,
        aspect: Aspect::Color,
        effect: Effect::Misleads {
            severity: Severity::Serious,
        },
        says: "The two darker kinds look alike.".to_owned(),
        suggests: Some("Give them another shape.".to_owned()),
        author: author(),
        instrument: Instrument::Desk {},
        said_on: Date::parse("2026-03-01").expect("it is a day"),
    }
}

pub(crate) fn meaning_of(target: Target) -> MeaningBody {
    MeaningBody {
        target,
        asked: "Which kind is heaviest?".to_owned(),
        answered: "The second one.".to_owned(),
        confidence: Confidence::Stated {
            words: "7 of 10".to_owned(),
        },
        agreement: Agreement::Misunderstood,
        author: author(),
        instrument: Instrument::Headset {},
        said_on: Date::parse("2026-03-01").expect("it is a day"),
    }
}

pub(crate) fn draft(target: Target) -> Draft {
    Draft::critique(critique_of(target)).unwrap()
}
