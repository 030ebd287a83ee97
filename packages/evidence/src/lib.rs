//! Receipts resolved: requirement profiles, governed consumers, dispositions.
//!
//! **Never** computes a number from data, and never decides what may be shown.
//!
//! # From receipt to claim
//! The kernel attests which consumer may use which receipt; [`uses`] turns that into the ten-member tuples that pin each
//! use by digest. [`resolve`] answers whether a tuple still finds its receipt under its profile, [`Dispositions`] whether
//! the receipt still stands, and [`claim_standing`] whether the claim holds up. Each refuses in its own words, and
//! silence is never a yes. A stricter profile than the governed one, such as [`INFERENTIAL_CLAIM`], is asked for by name:
//! [`standing`] says what a receipt lacks under it and what would establish that.
//!
//! # Paths
//! Profiles and consumers are closed tables of one path and version: what the Forma path governs does not change what an
//! older archive was held to. [`ProfileRegistry::forma_v1`] and [`AdmissionPolicy::forma_v1`] are the path of admission;
//! [`ProfileRegistry::package_v3`] and [`AdmissionPolicy::package_v3`] are what packages of format version 3 were held
//! to, frozen, and only [`HistoricEnvelope`] asks them.

mod bundle;
mod claim;
mod disposition;
mod envelope;
mod error;
mod package_v3;
mod policy;
mod profile;
mod resolve;
mod standing;
mod uses;
pub mod wire;

pub use bundle::check_bundle;
pub use claim::{Claim, claim_standing};
pub use disposition::{Disposition, Dispositions};
pub use envelope::EvidenceEnvelope;
pub use error::EvidenceError;
pub use package_v3::{Binding, BindingRefusal, BoundUse, HistoricEnvelope, UseOutcome};
pub use policy::{
    AdmissionPolicy, DESCRIPTIVE_STATISTICS, FORMA_ADMISSION_POLICY, FORMA_PATH, PACKAGE_V3_PATH,
    PACKAGE_V3_POLICY, admission_policy,
};
pub use profile::{
    Axis, DESCRIPTIVE_SUMMARY, FORMA_CLUSTER, FORMA_DENSITY, FORMA_DEPENDENCY, FORMA_DESCRIPTIVE_SUMMARY,
    FORMA_DISTRIBUTION, FORMA_GRAPH, FORMA_PROJECTION, FORMA_ROW_PROJECTION, FORMA_TEMPORAL,
    INFERENTIAL_CLAIM, Profile, ProfileRegistry,
};
pub use resolve::{Resolution, Resolved, Resolver, resolve, resolve_on};
pub use standing::{Lacking, Standing, standing};
pub use uses::{compare_uses, uses};
