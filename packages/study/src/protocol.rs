//! The protocol: what is asked, of whom, and what will be done with the answers.

use forma::StudyProtocolKind;
use identity::{Body, Kind, Sealed};

use crate::StudyError;
use crate::rules::{Rules, decode, sealing};
use crate::wire::v1::{Arrangement, OutcomeRole, ProtocolBody};

const WHAT: &str = "study protocol";
const IT: Rules = Rules(WHAT);

/// A checked protocol with its identity, `H(study-protocol-v1, body)`.
pub type Protocol = Sealed<ProtocolBody>;

/// Most participants that a protocol may plan.
const MOST_PARTICIPANTS: i64 = 1_000_000;

/// Longest a task may take: a working day.
pub(crate) const MOST_SECONDS: i64 = 8 * 3_600;

/// Reads a protocol as a person writes it: the body alone, without an identity.
///
/// # Errors
/// [`StudyError::Decode`] for text of another shape, [`StudyError::Invalid`] for a protocol that breaks a rule.
pub fn read_protocol(bytes: &[u8]) -> Result<Protocol, StudyError> {
    Sealed::seal(decode::<ProtocolBody>(WHAT, bytes)?).map_err(sealing(WHAT))
}

impl Kind for ProtocolBody {
    const TAG: &'static str = StudyProtocolKind::TAG;
}

impl Body for ProtocolBody {
    const ID_MEMBER: &'static str = "protocolId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = StudyError;

    fn check(&self) -> Result<(), StudyError> {
        for (member, text) in [
            ("title", &self.title),
            ("question", &self.question),
            ("population", &self.population),
            ("stoppingRule", &self.stopping_rule),
            ("analysis", &self.analysis),
            ("ethicsReference", &self.ethics_reference),
            ("design/counterbalancing", &self.design.counterbalancing),
        ] {
            IT.text(member, text)?;
        }
        IT.names("hypotheses", 1, self.hypotheses.iter().map(|one| one.id.as_str()))?;
        for hypothesis in &self.hypotheses {
            IT.text("hypotheses/statement", &hypothesis.statement)?;
        }
        self.check_design()?;
        IT.names("tasks", 1, self.tasks.iter().map(|one| one.id.as_str()))?;
        for task in &self.tasks {
            IT.text("tasks/instruction", &task.instruction)?;
            IT.name("tasks/readingTask", &task.reading_task)?;
            IT.within("tasks/maxSeconds", task.max_seconds, MOST_SECONDS)?;
        }
        IT.count("exclusion", self.exclusion.len(), 0)?;
        for rule in &self.exclusion {
            IT.text("exclusion", rule)?;
        }
        let measures = &self.outcome_measures;
        IT.names("outcomeMeasures", 1, measures.iter().map(|one| one.id.as_str()))?;
        for measure in measures {
            IT.text("outcomeMeasures/statement", &measure.statement)?;
            if let Some(unit) = &measure.unit {
                IT.text("outcomeMeasures/unit", unit)?;
            }
        }
        IT.holds(
            measures
                .iter()
                .any(|measure| measure.role == OutcomeRole::Primary),
            "one outcome measure is PRIMARY",
        )?;
        IT.within("plannedN", self.planned_n, MOST_PARTICIPANTS)
    }
}

impl ProtocolBody {
    fn check_design(&self) -> Result<(), StudyError> {
        let conditions = &self.design.conditions;
        IT.names(
            "design/conditions",
            1,
            conditions.iter().map(|one| one.id.as_str()),
        )?;
        for condition in conditions {
            IT.text("design/conditions/statement", &condition.statement)?;
            IT.holds(
                !condition.id.contains('='),
                "the name of a condition holds no equals sign",
            )?;
        }
        let single = self.design.arrangement == Arrangement::SingleArm;
        IT.holds(
            single == (conditions.len() == 1),
            "a SINGLE_ARM design has one condition, every other has several",
        )
    }
}
