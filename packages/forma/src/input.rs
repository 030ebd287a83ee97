//! The input tuple of the decision, section 6.1, by reference.

use std::collections::BTreeMap;

use conjecture::Proposal;
use identity::Digest;
use investigation::Context;
use kernels::leaf::Columns;
use kernels::wire::v1::ReceiptBundle;
use knowledge::wire::v1::{CapabilityTable, DeviceClass};
use knowledge::{Manifest, Table};
use obligations::FixedObligations;
use representation::Graph;
use snapshot::Snapshot;

use crate::Authorities;

/// What the embodiment is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedUse {
    /// To be shown as a claim.
    Production,
    /// Inside a study; the reference names the authorization to ask the study owner for.
    Study {
        /// Reference, when one was given.
        authorization: Option<String>,
    },
}

/// Everything an admission may look at; there is no other input.
#[derive(Clone, Copy)]
#[allow(
    missing_debug_implementations,
    reason = "authorities are capabilities without a printable form"
)]
pub struct FormaInput<'a> {
    /// S: what is known.
    pub snapshot: &'a Snapshot,
    /// C: what is asked.
    pub context: &'a Context,
    /// O: what must be kept.
    pub obligations: &'a FixedObligations,
    /// G: what is proposed.
    pub graph: &'a Graph,
    /// G: what is supposed, for exploration alone; empty where nothing is.
    pub proposals: &'a [Proposal],
    /// K: the pinned manifest.
    pub manifest: &'a Manifest,
    /// K: the closed table that resolves it.
    pub table: &'a Table,
    /// B: what devices resolve.
    pub capability: &'a CapabilityTable,
    /// E: the receipts behind the evidence uses.
    pub receipts: &'a ReceiptBundle,
    /// Analytical leaves by digest.
    pub leaves: &'a BTreeMap<Digest, Columns>,
    /// B: the device asked for.
    pub device: DeviceClass,
    /// U: the use asked for.
    pub requested_use: &'a RequestedUse,
    /// E, U: everything outside.
    pub authorities: &'a dyn Authorities,
}
