//! The three documents that a result of a study rests on, as a package carries them.

use forma::wire::v1::StudyRef;
use forma::{
    Exposure, GrantedMapping, StudyAuthorizationKind, StudyFreezeKind, StudyGrant, StudyProtocolKind,
};
use identity::{Body, Digest, Envelope, Identity, SafeInteger, Sealed};

use crate::freeze::check_under;
use crate::rules::{decode, named, sealing};
use crate::wire::v1::{AuthorizationBody, ProtocolBody};
use crate::wire::v2::FreezeBody;
use crate::{Acceptance, Authorization, Freeze, Protocol, StudyError, authorization};

/// Protocol, freeze and authorization that belong together. That somebody may sign for them, and did, is not said here.
#[derive(Clone, Debug)]
pub struct Documents {
    protocol: Protocol,
    freeze: Freeze,
    authorization: Authorization,
    texts: [Vec<u8>; 3],
}

impl Documents {
    /// The documents of an acceptance and an authorization.
    ///
    /// # Errors
    /// [`StudyError::Another`] when they are not for the same protocol and freeze.
    pub fn of(acceptance: &Acceptance, authorization: &Authorization) -> Result<Self, StudyError> {
        Self::join(
            acceptance.protocol().clone(),
            acceptance.freeze().clone(),
            authorization.clone(),
        )
    }

    /// Reads the texts that a package carries.
    ///
    /// # Errors
    /// [`StudyError`] for text of another shape, an altered document, or documents that do not belong together.
    pub fn read(protocol: &[u8], freeze: &[u8], authorization: &[u8]) -> Result<Self, StudyError> {
        let protocol = opened::<ProtocolBody>("study protocol", protocol)?;
        let freeze = opened::<FreezeBody>("study freeze", freeze)?;
        let authorization = opened::<AuthorizationBody>(authorization::WHAT, authorization)?;
        Self::join(protocol, freeze, authorization)
    }

    fn join(protocol: Protocol, freeze: Freeze, authorization: Authorization) -> Result<Self, StudyError> {
        check_under(&freeze, &protocol)?;
        let body = authorization.body();
        let (for_protocol, for_freeze): (Identity<StudyProtocolKind>, Identity<StudyFreezeKind>) =
            (named(&protocol), named(&freeze));
        let another = |member, found: String, expected: String| StudyError::Another {
            what: authorization::WHAT,
            member,
            found,
            expected,
        };
        if body.protocol_id != for_protocol {
            return Err(another(
                "protocol",
                body.protocol_id.to_string(),
                for_protocol.to_string(),
            ));
        }
        if body.freeze_id != for_freeze {
            return Err(another(
                "freeze",
                body.freeze_id.to_string(),
                for_freeze.to_string(),
            ));
        }
        let texts = [
            text("study protocol", &protocol)?,
            text("study freeze", &freeze)?,
            text(authorization::WHAT, &authorization)?,
        ];
        Ok(Self {
            protocol,
            freeze,
            authorization,
            texts,
        })
    }

    /// The protocol.
    #[must_use]
    pub fn protocol(&self) -> &Protocol {
        &self.protocol
    }

    /// The freeze.
    #[must_use]
    pub fn freeze(&self) -> &Freeze {
        &self.freeze
    }

    /// The authorization.
    #[must_use]
    pub fn authorization(&self) -> &Authorization {
        &self.authorization
    }

    /// The canonical texts: protocol, freeze, authorization.
    #[must_use]
    pub fn texts(&self) -> &[Vec<u8>; 3] {
        &self.texts
    }

    /// How a result names them.
    #[must_use]
    pub fn to_ref(&self) -> StudyRef {
        let authorization_id: Identity<StudyAuthorizationKind> = named(&self.authorization);
        let [protocol, freeze, authorization] = &self.texts;
        StudyRef {
            authorization_id,
            authorization_digest: Digest::of(authorization),
            freeze_id: named(&self.freeze),
            freeze_digest: Digest::of(freeze),
            protocol_id: named(&self.protocol),
            protocol_digest: Digest::of(protocol),
        }
    }

    /// What the documents say, whoever signed them and whatever day it is. It is good for running a recorded decision again
    /// and comparing; what may be executed now is for [`crate::grant`] to say.
    #[must_use]
    pub fn terms(&self) -> StudyGrant {
        let (freeze, authorization) = (self.freeze.body(), self.authorization.body());
        let number = |number: SafeInteger| number.to_u64().unwrap_or(0);
        StudyGrant {
            reference: authorization.reference.clone(),
            documents: self.to_ref(),
            treatments: freeze
                .treatments
                .iter()
                .map(|treatment| treatment.graph_id)
                .collect(),
            mappings: freeze
                .control_mappings
                .iter()
                .map(|control| GrantedMapping {
                    mapping: control.mapping,
                    claim: control.claim,
                    contraindication: control.contraindication.clone(),
                })
                .collect(),
            withheld: freeze.withheld_claims.clone(),
            devices: authorization.devices.clone(),
            scope: authorization.scope.clone(),
            knowledge: freeze.knowledge_manifest_id,
            compiler: freeze.compiler_ref.clone(),
            exposure: Exposure {
                max_seconds: number(authorization.exposure.max_seconds),
                max_exposures: number(authorization.exposure.max_exposures),
            },
        }
    }
}

fn opened<B: Body<Invalid = StudyError>>(what: &'static str, bytes: &[u8]) -> Result<Sealed<B>, StudyError> {
    decode::<Envelope<B>>(what, bytes)?.open().map_err(sealing(what))
}

fn text<B: Body>(what: &'static str, document: &Sealed<B>) -> Result<Vec<u8>, StudyError> {
    document.to_canonical().map_err(|error| StudyError::Invalid {
        what,
        rule: error.to_string(),
    })
}
