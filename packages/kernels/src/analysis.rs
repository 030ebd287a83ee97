//! One request answered: content, bulk values, receipts and how they were made.

use dataset::Dataset;
use identity::{Digest, Fingerprint, SafeInteger};

use crate::error::KernelError;
use crate::family;
use crate::leaf::Columns;
use crate::limitation::Limitation;
use crate::output::Output;
use crate::port::unheard;
use crate::watch::{Listener, Watch};
use crate::wire::v1::{Content, Exclusion, Receipt, Request};

/// A finished analysis; only [`analyze`] makes one.
///
/// ```compile_fail,E0451
/// # fn forge(other: kernels::Analysis) -> kernels::Analysis {
/// kernels::Analysis { content_bytes: Vec::new(), ..other }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    request: Request,
    request_digest: Digest,
    dataset_fingerprint: Fingerprint,
    content: Content,
    content_bytes: Vec<u8>,
    leaf: Option<(Columns, Vec<u8>)>,
    further_leaves: Vec<(Columns, Vec<u8>)>,
    outputs: Vec<Output>,
    receipts: Vec<Receipt>,
    provenance: Provenance,
    limitations: Vec<Limitation>,
}

/// How an analysis was made and what it keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Provenance {
    /// Method name.
    pub method: &'static str,
    /// Method version.
    pub method_version: &'static str,
    /// Parameters in producer order.
    pub parameters: Vec<(String, String)>,
    /// Seed of a stochastic method.
    pub seed: Option<SafeInteger>,
    /// Normalization contract.
    pub normalization: &'static str,
    /// Missing value contract.
    pub missingness: &'static str,
    /// Sampling contract.
    pub sampling: &'static str,
    /// `EXACT`, `BINNED`, `SAMPLED`, `ESTIMATED` or `BOUNDED`.
    pub approximation: &'static str,
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows that entered: for statistics those with a value in at least one column; each column's own count is in the
    /// content.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason; adds up to the difference.
    pub excluded: Vec<Exclusion>,
    /// What the output keeps.
    pub preserves: &'static [&'static str],
    /// What it gives up.
    pub loses: &'static [&'static str],
}

/// Answers a request from a dataset. Deterministic: equal inputs give equal bytes on every machine, and statistics do
/// not depend on the order of rows. Takes time in proportion to rows times columns.
///
/// # Errors
/// [`KernelError`] when a column is unknown, named twice, or of a kind the family can't take, when the request itself is
/// malformed, and when a projection has no complete row.
pub fn analyze(dataset: &Dataset, request: &Request) -> Result<Analysis, KernelError> {
    analyze_with(dataset, request, &mut unheard)
}

/// As [`analyze`], telling `listener` how far it is. Who listens changes no byte of the answer.
///
/// # Errors
/// As [`analyze`], and [`KernelError::Canceled`] when the listener says so; nothing partial is left then.
pub fn analyze_with(
    dataset: &Dataset,
    request: &Request,
    listener: &mut Listener<'_>,
) -> Result<Analysis, KernelError> {
    let mut watch = Watch::new(listener);
    let request_digest = identity::canonical::digest(request)?;
    let parts = family::answer(dataset, request, &mut watch)?;
    let content_bytes = identity::canonical::to_vec(&parts.content)?;
    let with_bytes = |leaf: Columns| {
        let bytes = leaf.to_bytes();
        (leaf, bytes)
    };
    Ok(Analysis {
        request: request.clone(),
        request_digest,
        dataset_fingerprint: dataset.fingerprint(),
        content: parts.content,
        content_bytes,
        leaf: parts.leaf.map(with_bytes),
        further_leaves: parts.further_leaves.into_iter().map(with_bytes).collect(),
        outputs: parts.outputs,
        receipts: parts.receipts,
        provenance: parts.provenance,
        limitations: parts.limitations,
    })
}

impl Analysis {
    /// What was asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The digest of the request's canonical text, its identity.
    #[must_use]
    pub fn request_digest(&self) -> Digest {
        self.request_digest
    }

    /// The dataset that was analyzed.
    #[must_use]
    pub fn dataset_fingerprint(&self) -> Fingerprint {
        self.dataset_fingerprint
    }

    /// The family word: a word of [`crate::FAMILIES`].
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.request.family()
    }

    /// The answer.
    #[must_use]
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The answer's canonical text.
    #[must_use]
    pub fn content_bytes(&self) -> &[u8] {
        &self.content_bytes
    }

    /// The digest of [`Analysis::content_bytes`], the `analyticalContentRef` of a snapshot.
    #[must_use]
    pub fn content_digest(&self) -> Digest {
        Digest::of(&self.content_bytes)
    }

    /// The bulk values of a family that has them.
    #[must_use]
    pub fn leaf(&self) -> Option<&Columns> {
        self.leaf.as_ref().map(|(leaf, _)| leaf)
    }

    /// The bytes of the bulk values, whose digest the content names.
    #[must_use]
    pub fn leaf_bytes(&self) -> Option<&[u8]> {
        self.leaf.as_ref().map(|(_, bytes)| bytes.as_slice())
    }

    /// Bulk values beside the leaf, in the order of [`Content::further_leaves`]: the links of a graph that has a layout.
    pub fn further_leaves(&self) -> impl Iterator<Item = &Columns> {
        self.further_leaves.iter().map(|(leaf, _)| leaf)
    }

    /// All bulk values, the leaf first, each with its bytes, whose digest the content names.
    pub fn leaves_with_bytes(&self) -> impl Iterator<Item = (&Columns, &[u8])> {
        let all = self.leaf.iter().chain(&self.further_leaves);
        all.map(|(leaf, bytes)| (leaf, bytes.as_slice()))
    }

    /// What the answer says, property by property; the slots are those of [`crate::slots`].
    #[must_use]
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// The values of the rows themselves; only row projections have them.
    #[must_use]
    pub fn rows(&self) -> Option<&Columns> {
        self.leaf().filter(|_| self.family() == family::ROWS)
    }

    /// One receipt a claim, in order of issue.
    #[must_use]
    pub fn receipts(&self) -> &[Receipt] {
        &self.receipts
    }

    /// How it was made.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// What the answer can't say, as in the receipts but with codes.
    #[must_use]
    pub fn limitations(&self) -> &[Limitation] {
        &self.limitations
    }
}
