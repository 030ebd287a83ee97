//! The manifest: it answers for itself, and it names everything else.

use identity::{DeclaredSet, Digest, Identity, SafeInteger, identify};
use serde::Serialize;

use crate::container::ledger::MemberRecord;
use crate::error::{LayoutRule, PackageError};
use crate::members::{MANIFEST, artifact_digest};
use crate::wire::v4::{
    Commitment, CommittedMember, DATASET_ALGORITHM, DIGEST_ALGORITHM, FORMAT_VERSION, Identities,
    InvestigationKind, Manifest, ManifestKind, Session, Software,
};

/// The manifest without its own identity: what the identity is computed from.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Unsigned<'a> {
    format_version: SafeInteger,
    digest_algorithm: &'a str,
    investigation_digest: Identity<InvestigationKind>,
    members: &'a DeclaredSet<MemberRecord>,
    identities: &'a Identities,
    software: &'a Software,
}

fn uncanonical(error: &identity::CanonicalError) -> PackageError {
    PackageError::Body {
        member: MANIFEST.to_owned(),
        pointer: error.pointer().to_owned(),
        why: error.to_string(),
    }
}

/// The identity that a manifest must state.
pub(crate) fn identity_of(manifest: &Manifest) -> Result<Identity<ManifestKind>, PackageError> {
    identify(&Unsigned {
        format_version: manifest.format_version,
        digest_algorithm: &manifest.digest_algorithm,
        investigation_digest: manifest.investigation_digest,
        members: &manifest.members,
        identities: &manifest.identities,
        software: &manifest.software,
    })
    .map_err(|error| uncanonical(&error))
}

/// Makes the manifest of a finished ledger.
pub(crate) fn make(
    records: Vec<MemberRecord>,
    session: &Session,
    import_recipe_id: Identity<dataset::wire::v1::RecipeBody>,
    identities: Identities,
    software: Software,
) -> Result<Manifest, PackageError> {
    let members = DeclaredSet::from_sorted(records).map_err(|error| PackageError::Capture {
        why: error.to_string(),
    })?;
    let investigation_digest = digest(&members, session, import_recipe_id, &identities, &software)?;
    let format_version = SafeInteger::from(FORMAT_VERSION);
    let unsigned = Unsigned {
        format_version,
        digest_algorithm: DIGEST_ALGORITHM,
        investigation_digest,
        members: &members,
        identities: &identities,
        software: &software,
    };
    let manifest_id = identify(&unsigned).map_err(|error| uncanonical(&error))?;
    Ok(Manifest {
        format_version,
        digest_algorithm: DIGEST_ALGORITHM.to_owned(),
        investigation_digest,
        members,
        identities,
        software,
        manifest_id,
    })
}

/// The V4 digest of this content.
pub(crate) fn digest(
    members: &DeclaredSet<MemberRecord>,
    session: &Session,
    import_recipe_id: Identity<dataset::wire::v1::RecipeBody>,
    identities: &Identities,
    software: &Software,
) -> Result<Identity<InvestigationKind>, PackageError> {
    let commitment = Commitment {
        schema_version: SafeInteger::from(FORMAT_VERSION),
        session,
        members: members
            .iter()
            .map(|record| CommittedMember {
                name: &record.name,
                bytes: record.bytes,
                sha256: record.sha256,
            })
            .collect(),
        import_recipe_id,
        identities,
        software,
    };
    identify::<InvestigationKind, _>(&commitment).map_err(|error| uncanonical(&error))
}

/// What a manifest says about itself holds, whatever the members are.
pub(crate) fn check(manifest: &Manifest) -> Result<(), PackageError> {
    let field = |field, expected: String, found: String| {
        if expected == found {
            Ok(())
        } else {
            Err(PackageError::Manifest {
                field,
                expected,
                found,
            })
        }
    };
    field(
        "formatVersion",
        FORMAT_VERSION.to_string(),
        manifest.format_version.get().to_string(),
    )?;
    field(
        "digestAlgorithm",
        DIGEST_ALGORITHM.to_owned(),
        manifest.digest_algorithm.clone(),
    )?;
    let algorithm = manifest.identities.dataset_identity_algorithm.clone();
    field(
        "identities.datasetIdentityAlgorithm",
        DATASET_ALGORITHM.to_owned(),
        algorithm,
    )?;
    let computed = identity_of(manifest)?.to_string();
    field("manifestId", computed, manifest.manifest_id.to_string())?;
    for record in &manifest.members {
        let named: Option<Digest> = artifact_digest(&record.name);
        if named.is_some_and(|digest| digest != record.sha256) {
            return Err(PackageError::Layout {
                member: record.name.clone(),
                rule: LayoutRule::Misnamed,
            });
        }
    }
    Ok(())
}
