//! The acceptance: somebody read protocol and freeze, and accepts both.

use identity::{Body, Kind, Sealed};
use knowledge::Date;

use crate::freeze::check_under;
use crate::rules::{Rules, decode, sealing};
use crate::wire::v1::AcceptanceBody;
use crate::{Freeze, Protocol, StudyError};

const WHAT: &str = "protocol acceptance";
const IT: Rules = Rules(WHAT);

/// A checked acceptance, with the protocol and the freeze it holds.
#[derive(Clone, Debug)]
pub struct Acceptance {
    sealed: Sealed<AcceptanceBody>,
    protocol: Protocol,
    freeze: Freeze,
}

impl Acceptance {
    /// Reads the body of a signed statement.
    ///
    /// # Errors
    /// [`StudyError`] for text of another shape, a protocol or freeze that breaks a rule or was altered, or two that do not
    /// belong together.
    pub fn read(bytes: &[u8]) -> Result<Self, StudyError> {
        Self::seal(decode::<AcceptanceBody>(WHAT, bytes)?)
    }

    /// Checks what is to be signed.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn seal(body: AcceptanceBody) -> Result<Self, StudyError> {
        let protocol = body.protocol.clone().open().map_err(sealing("study protocol"))?;
        let freeze = body.freeze.clone().open().map_err(sealing("study freeze"))?;
        check_under(&freeze, &protocol)?;
        let sealed = Sealed::seal(body).map_err(sealing(WHAT))?;
        Ok(Self {
            sealed,
            protocol,
            freeze,
        })
    }

    /// What is signed.
    #[must_use]
    pub fn body(&self) -> &AcceptanceBody {
        self.sealed.body()
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

    /// The day of the acceptance, as it says.
    #[must_use]
    pub fn accepted_on(&self) -> Date {
        self.body().accepted_on
    }
}

impl Kind for AcceptanceBody {
    const TAG: &'static str = "study-acceptance-v1";
}

impl Body for AcceptanceBody {
    const ID_MEMBER: &'static str = "acceptanceId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = StudyError;

    fn check(&self) -> Result<(), StudyError> {
        IT.text("acceptedBy", &self.accepted_by)?;
        IT.text("ethicsApproval", &self.ethics_approval)
    }
}
