//! The authorization: the frozen study may run, within days, devices and bounds.

use forma::StudyAuthorizationKind;
use identity::{Body, Kind, Sealed};

use crate::StudyError;
use crate::freeze::check_exposure;
use crate::rules::{Rules, decode, sealing};
use crate::wire::v1::AuthorizationBody;

pub(crate) const WHAT: &str = "study authorization";
const IT: Rules = Rules(WHAT);

/// A checked authorization with its identity, `H(study-authorization-v1, body)`. It permits nothing by itself:
/// [`crate::grant`] asks who signed it and what was accepted.
pub type Authorization = Sealed<AuthorizationBody>;

impl Kind for AuthorizationBody {
    const TAG: &'static str = StudyAuthorizationKind::TAG;
}

impl Body for AuthorizationBody {
    const ID_MEMBER: &'static str = "authorizationId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = StudyError;

    fn check(&self) -> Result<(), StudyError> {
        IT.name("reference", &self.reference)?;
        IT.text("authorizedBy", &self.authorized_by)?;
        IT.name("scope/id", &self.scope.id)?;
        IT.increasing("devices", 1, &self.devices)?;
        check_exposure(IT, self.exposure)?;
        IT.holds(
            self.valid_from <= self.expires_on,
            "its last day is not before its first",
        )
    }
}

impl AuthorizationBody {
    /// Reads the body of a signed statement.
    ///
    /// # Errors
    /// [`StudyError::Decode`] for text of another shape, [`StudyError::Invalid`] when it breaks a rule.
    pub fn read(bytes: &[u8]) -> Result<Authorization, StudyError> {
        Sealed::seal(decode::<Self>(WHAT, bytes)?).map_err(sealing(WHAT))
    }
}
