//! The freeze: exactly which pictures may be executed, and what of them nobody is known to read.

use std::collections::BTreeSet;

use forma::{StudyFreezeKind, StudyProtocolKind};
use identity::{Body, Envelope, Identity, Kind, Sealed};
use knowledge::wire::v1::{Arrangement, Mapping};
use obligations::predicate_word;
use obligations::wire::v1::Predicate;

use crate::protocol::MOST_SECONDS;
use crate::rules::{Rules, decode, named, sealing};
use crate::wire::v1::ExposureBound;
use crate::wire::v2::{ControlMapping, FreezeBody};
use crate::{Protocol, StudyError};

const WHAT: &str = "study freeze";
const IT: Rules = Rules(WHAT);

/// Most exposures of one participant that a freeze may allow.
const MOST_EXPOSURES: i64 = 1_000;

/// A checked freeze with its identity, `H(study-freeze-v2, body)`.
pub type Freeze = Sealed<FreezeBody>;

/// Reads a freeze from its envelope.
///
/// # Errors
/// [`StudyError::Decode`], [`StudyError::Version`], [`StudyError::Invalid`], [`StudyError::Altered`].
pub fn read_freeze(bytes: &[u8]) -> Result<Freeze, StudyError> {
    decode::<Envelope<FreezeBody>>(WHAT, bytes)?
        .open()
        .map_err(sealing(WHAT))
}

/// Pins what may be executed under a protocol.
///
/// # Errors
/// [`StudyError::Invalid`] for a freeze that breaks a rule or shows a treatment in no condition of the protocol,
/// [`StudyError::Another`] for one that is for another protocol.
pub fn freeze(body: FreezeBody, protocol: &Protocol) -> Result<Freeze, StudyError> {
    let freeze = Freeze::seal(body).map_err(sealing(WHAT))?;
    check_under(&freeze, protocol)?;
    Ok(freeze)
}

/// Reads a claim as it is typed: `ORDER`.
///
/// # Errors
/// [`StudyError::Invalid`] for a word that is none.
pub fn claim(text: &str) -> Result<Predicate, StudyError> {
    word(text).ok_or_else(|| StudyError::Invalid {
        what: WHAT,
        rule: format!("`{text}` is no claim; one is ORDER"),
    })
}

/// Reads a control mapping as it is typed: `CHANNEL:ARRANGEMENT:CLAIM`, and `:ID@VERSION` of the harm behind it where one is
/// known.
///
/// # Errors
/// [`StudyError::Invalid`] that lists the words of the part that is unknown.
pub fn control(text: &str) -> Result<ControlMapping, StudyError> {
    let invalid = |rule: String| StudyError::Invalid { what: WHAT, rule };
    let mut parts = text.splitn(4, ':');
    let (Some(channel), Some(arrangement), Some(claim)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(invalid(format!(
            "`{text}` is no control mapping: write CHANNEL:ARRANGEMENT:CLAIM, as in position_z:FREE_VOLUME:ORDER"
        )));
    };
    let channel = representation::channel::named(channel)
        .ok_or_else(|| invalid(format!("`{channel}` is no channel; one is position_z")))?;
    let arrangement = word::<Arrangement>(arrangement).ok_or_else(|| {
        invalid(format!(
            "`{arrangement}` is no arrangement; there are ALIGNED_COMMON_SCALE, FREE_VOLUME, PER_MARK, BOARD"
        ))
    })?;
    let claim =
        word::<Predicate>(claim).ok_or_else(|| invalid(format!("`{claim}` is no claim; one is ORDER")))?;
    Ok(ControlMapping {
        mapping: Mapping { channel, arrangement },
        claim,
        contraindication: parts.next().map(str::to_owned),
    })
}

/// The value that a word has on the wire.
fn word<T: serde::de::DeserializeOwned>(word: &str) -> Option<T> {
    decode(WHAT, format!("\"{word}\"").as_bytes()).ok()
}

impl Kind for FreezeBody {
    const TAG: &'static str = StudyFreezeKind::TAG;
}

impl Body for FreezeBody {
    const ID_MEMBER: &'static str = "freezeId";
    const SCHEMA_VERSION: u64 = 2;
    type Invalid = StudyError;

    fn check(&self) -> Result<(), StudyError> {
        IT.count("treatments", self.treatments.len(), 1)?;
        let sorted = self
            .treatments
            .windows(2)
            .all(|pair| pair[0].graph_id < pair[1].graph_id);
        IT.holds(sorted, "treatments stand in order of their graphs, each once")?;
        for treatment in &self.treatments {
            IT.name("treatments/condition", &treatment.condition)?;
        }
        IT.increasing("controlMappings", 0, &self.control_mappings)?;
        IT.names(
            "acceptedContraindications",
            0,
            self.accepted_contraindications.iter().map(String::as_str),
        )?;
        let named: BTreeSet<&str> = self
            .control_mappings
            .iter()
            .filter_map(|control| control.contraindication.as_deref())
            .collect();
        let accepted: BTreeSet<&str> = self
            .accepted_contraindications
            .iter()
            .map(String::as_str)
            .collect();
        IT.holds(
            named == accepted,
            "the accepted contraindications are exactly those that control mappings name",
        )?;
        IT.increasing("withheldClaims", 0, &self.withheld_claims)?;
        for control in &self.control_mappings {
            IT.holds(
                self.withheld_claims.contains(&control.claim),
                format!(
                    "{} is carried by a control mapping and not withheld from production",
                    predicate_word(control.claim)
                ),
            )?;
        }
        check_exposure(IT, self.exposure)?;
        IT.increasing("devices", 1, &self.devices)?;
        IT.name("scope/id", &self.scope.id)?;
        IT.name("compilerRef/id", &self.compiler_ref.id)
    }
}

pub(crate) fn check_exposure(it: Rules, exposure: ExposureBound) -> Result<(), StudyError> {
    it.within("exposure/maxSeconds", exposure.max_seconds, MOST_SECONDS)?;
    it.within("exposure/maxExposures", exposure.max_exposures, MOST_EXPOSURES)
}

/// The freeze is for the protocol, and every treatment is shown in one of its conditions.
pub(crate) fn check_under(freeze: &Freeze, protocol: &Protocol) -> Result<(), StudyError> {
    let expected: Identity<StudyProtocolKind> = named(protocol);
    let body = freeze.body();
    if body.protocol_id != expected {
        return Err(StudyError::Another {
            what: WHAT,
            member: "protocol",
            found: body.protocol_id.to_string(),
            expected: expected.to_string(),
        });
    }
    let conditions = &protocol.body().design.conditions;
    for treatment in &body.treatments {
        IT.holds(
            conditions.iter().any(|known| known.id == treatment.condition),
            format!("the protocol has no condition {}", treatment.condition),
        )?;
    }
    Ok(())
}
