//! The pinned knowledge manifest over a closed local table, with the decisions it holds and how they are asked.
//!
//! **Never** fetches, learns or scores; never weakens a contraindication; a missing artifact refuses.
//!
//! A [`Table`] holds exact bytes by digest. A [`Manifest`] names what one decision used, by kind, id, version and
//! digest, and every name resolves in the table or refuses: absent and altered are different answers.
//! [`Table::qualification`] asks whether people are known to read a mapping correctly for a claim, a device and a
//! scope. Only decisions that the manifest lists can say yes; every contraindication of the table can say no, and no
//! wins. Source: the authority decision, sections 7 and 8.

mod arrangement;
mod artifact;
mod date;
mod decision;
mod error;
mod manifest;
mod policy;
mod qualification;
mod table;
#[cfg(test)]
mod tests;
pub mod wire;

pub use arrangement::arrangement_of;
pub use artifact::{Artifact, is_date, reference};
pub use date::{Date, NoDate};
pub use error::KnowledgeError;
pub use manifest::Manifest;
pub use qualification::{Qualification, Question};
pub use table::Table;

impl identity::Kind for wire::v1::ManifestBody {
    const TAG: &'static str = "forma-knowledge-manifest-v1";
}
