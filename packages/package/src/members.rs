//! The members of a package: seven with fixed names, the manifest, and artifacts named by their digest.

use identity::Digest;

use crate::container::Member;
use crate::error::{LayoutRule, PackageError};

/// The member that lists all others.
pub const MANIFEST: &str = "manifest.json";
/// The exact imported bytes.
pub const DATASET: &str = "data/dataset.raw";
/// The import recipe.
pub const IMPORT: &str = "data/import.json";
/// The ledger of what was done.
pub const COMMANDS: &str = "investigation/commands.log";
/// The receipts.
pub const RECEIPTS: &str = "investigation/evidence-receipts.json";
/// Snapshots, obligations, graphs, knowledge, results, plans.
pub const FORMA: &str = "investigation/forma.json";
/// Committed contexts and their lineage.
pub const GRAPH: &str = "investigation/graph.json";
/// The nested V3 projection.
pub const SESSION: &str = "investigation/session.json";

const ARTIFACTS: &str = "artifacts/";

/// Members that every package has, the manifest aside, in the order of the file.
pub const REQUIRED: [&str; 7] = [DATASET, IMPORT, COMMANDS, RECEIPTS, FORMA, GRAPH, SESSION];

/// The name of the member that holds an artifact.
#[must_use]
pub fn artifact_name(digest: &Digest) -> String {
    format!("{ARTIFACTS}{}", digest.hex())
}

/// The digest in an artifact's name; none when the name is another member's or no digest.
#[must_use]
pub fn artifact_digest(name: &str) -> Option<Digest> {
    let hex = name.strip_prefix(ARTIFACTS)?;
    Digest::parse(&format!("sha256:{hex}")).ok()
}

/// Whether the archive has every required member and no unknown one.
pub(crate) fn check_layout(members: &[Member]) -> Result<(), PackageError> {
    let fault = |member: &str, rule| PackageError::Layout {
        member: member.to_owned(),
        rule,
    };
    for name in REQUIRED {
        if !members.iter().any(|member| member.name() == name) {
            return Err(fault(name, LayoutRule::Missing));
        }
    }
    for member in members {
        let name = member.name();
        let known = name == MANIFEST || REQUIRED.contains(&name) || artifact_digest(name).is_some();
        if !known {
            return Err(fault(name, LayoutRule::Unknown));
        }
    }
    Ok(())
}
