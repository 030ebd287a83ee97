//! Writing a package: what one admission produced, and everything it rests on.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use conjecture::Proposal;
use dataset::{Dataset, Recipe};
use evidence::EvidenceEnvelope;
use evidence::wire::v1::{PinnedRef, ReceiptEnvelope};
use forma::FormaRecord;
use identity::{DeclaredSet, Digest, DigestWriter, Identity, SafeInteger, canonical};
use investigation::{Context, Investigation};
use kernels::Analysis;
use knowledge::Manifest as KnowledgeManifest;
use obligations::ObligationSet;
use plan::Plan;
use representation::Graph;
use snapshot::Snapshot;

use crate::container::{Compression, Writer};
use crate::contents::{Bodies, Contents, History};
use crate::error::{PackageError, Problem};
use crate::limits::{Limits, weight};
use crate::members::{COMMANDS, DATASET, FORMA, GRAPH, IMPORT, MANIFEST, RECEIPTS, SESSION, artifact_name};
use crate::save::save_atomic;
use crate::wire::v4::{
    ArtifactRef, Derivation, Forma, GenerationRecord, Inspiration, InvestigationKind, ManifestKind, Origin,
    PromotedFrom, SOFTWARE, Software, StaticCapture,
};
use crate::{closure, events, links, manifest, references};

/// Everything that one admitted embodiment consists of, by reference.
///
/// What does not belong together is refused before a byte is written: the writer follows the same references as the
/// reader.
#[derive(Clone, Debug)]
pub struct Capture<'a> {
    /// The exact bytes that were imported.
    pub dataset_bytes: &'a [u8],
    /// How they were imported.
    pub recipe: &'a Recipe,
    /// The dataset they became.
    pub dataset: &'a Dataset,
    /// Every analysis of the snapshot, in the order in which they were run.
    pub analyses: &'a [Analysis],
    /// The receipts and their uses.
    pub receipts: &'a ReceiptEnvelope,
    /// The investigation; its active context is `context`.
    pub investigation: &'a Investigation,
    /// S.
    pub snapshot: &'a Snapshot,
    /// C.
    pub context: &'a Context,
    /// O.
    pub obligations: &'a ObligationSet,
    /// What is supposed, when something is.
    pub proposals: Vec<Proposal>,
    /// G.
    pub graph: &'a Graph,
    /// How G came to the door.
    pub origin: Origin,
    /// Judgments that moved the author of G to propose it, by id.
    pub inspired_by: Vec<Inspiration>,
    /// K.
    pub manifest: &'a KnowledgeManifest,
    /// Knowledge artifacts by digest, and the documents of the study where the result rests on one; those that nothing
    /// names are left out.
    pub knowledge_artifacts: Vec<(Digest, &'a [u8])>,
    /// Obligation policy, scopes, qualification policy, capability table; those nobody refers to are left out.
    pub policies: Vec<(PinnedRef, &'a [u8])>,
    /// The admitted result.
    pub record: &'a FormaRecord,
    /// Its plan.
    pub plan: &'a Plan,
    /// The variant of the plan that is shown.
    pub active_variant: &'a str,
    /// What the result was adapted from, when it was.
    pub derived_from: Option<Derivation>,
    /// The conjecture that the decision answers with evidence of its own, when it answers one.
    pub promoted_from: Option<PromotedFrom>,
}

/// A package that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The V4 digest of its content.
    pub investigation_digest: Identity<InvestigationKind>,
    /// The identity of its manifest.
    pub manifest_id: Identity<ManifestKind>,
    /// SHA-256 of the whole file.
    pub sha256: Digest,
    /// Length of the whole file, bytes.
    pub bytes: u64,
}

/// Exact bytes by digest, from every place they may come from.
type Pool<'a> = BTreeMap<Digest, &'a [u8]>;

impl Capture<'_> {
    /// Saves the package at `path`, atomically: a failure leaves what was there before.
    ///
    /// # Errors
    /// [`PackageError::Save`] when the disk refuses, [`PackageError::Reference`] and [`PackageError::Capture`] when
    /// the values don't belong together, [`PackageError::TooLarge`] when a reader could not hold them.
    pub fn write(&self, path: &Path) -> Result<Written, PackageError> {
        Ok(save_atomic(path, |out| self.write_to(out))?)
    }

    /// Writes the package to `out`. The same values give the same bytes.
    ///
    /// # Errors
    /// As [`Capture::write`]; [`PackageError::Container`] when `out` fails.
    pub fn write_to(&self, out: impl Write) -> Result<Written, PackageError> {
        let limits = Limits::DEFAULT;
        let pool = self.pool();
        let contents = self.contents(&pool)?;
        references::check(&contents)?;
        let mut lengths = BTreeMap::new();
        for artifact in &contents.links.artifacts {
            lengths.insert(artifact.digest, artifact.length);
        }
        links::check_artifacts(&contents, &lengths)?;

        let mut used = 0;
        let mut member = |name, copies: usize, text: Result<Vec<u8>, identity::CanonicalError>| {
            let text = text.map_err(|error| PackageError::Capture {
                why: format!("{name}: {error}"),
            })?;
            used += weight(&text).saturating_mul(copies);
            bounded(name, &text, used, &limits)?;
            Ok::<_, PackageError>(text)
        };
        let import = member(IMPORT, 1, self.recipe.to_canonical())?;
        let session = member(SESSION, 1, canonical::to_vec(&contents.session))?;
        let commands = member(COMMANDS, 2, canonical::to_vec(&contents.events))?;
        let receipts = member(RECEIPTS, 1, canonical::to_vec(self.receipts))?;
        let graph = member(GRAPH, 2, canonical::to_vec(&contents.history.to_lineage()))?;
        let forma = member(FORMA, 1, canonical::to_vec(&self.forma(&contents.links)))?;
        let working = limits.max_working_bytes.saturating_sub(used);
        closure::close(
            &contents,
            &limits,
            working,
            &mut |digest| match pool.get(digest) {
                Some(bytes) => Ok(bytes.to_vec()),
                None => Err(PackageError::reference(
                    FORMA,
                    "/artifacts",
                    Problem::ArtifactMissing(digest.to_string()),
                )),
            },
        )?;

        let mut writer = Writer::new(Counted {
            out,
            digest: DigestWriter::new(),
            bytes: 0,
        });
        for artifact in &contents.links.artifacts {
            let bytes = pool.get(&artifact.digest).copied().unwrap_or_default();
            writer.add(&artifact_name(&artifact.digest), bytes, Compression::Fitting)?;
        }
        writer.add(DATASET, self.dataset_bytes, Compression::Fitting)?;
        for (name, text) in [
            (IMPORT, import),
            (COMMANDS, commands),
            (RECEIPTS, receipts),
            (FORMA, forma),
            (GRAPH, graph),
            (SESSION, session),
        ] {
            writer.add(name, &text, Compression::Fitting)?;
        }
        let active = links::active(&contents)?;
        let manifest = manifest::make(
            writer.ledger().records().to_vec(),
            &contents.session,
            self.recipe.id(),
            links::identities(&active),
            self.software(),
        )?;
        let text = canonical::to_vec(&manifest).map_err(|error| PackageError::Capture {
            why: error.to_string(),
        })?;
        writer.add(MANIFEST, &text, Compression::Stored)?;
        let out = writer.finish()?;
        Ok(Written {
            investigation_digest: manifest.investigation_digest,
            manifest_id: manifest.manifest_id,
            sha256: out.digest.finish(),
            bytes: out.bytes,
        })
    }

    fn pool(&self) -> Pool<'_> {
        let mut pool: Pool<'_> = BTreeMap::new();
        for analysis in self.analyses {
            pool.insert(analysis.content_digest(), analysis.content_bytes());
            pool.extend(
                analysis
                    .leaves_with_bytes()
                    .map(|(leaf, bytes)| (leaf.digest(), bytes)),
            );
        }
        pool.extend(self.knowledge_artifacts.iter().copied());
        pool.extend(self.policies.iter().map(|(pin, bytes)| (pin.digest, *bytes)));
        pool
    }

    fn software(&self) -> Software {
        Software {
            name: SOFTWARE.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kernel_version: self.receipts.bundle.kernel_version.clone(),
            compiler: self.plan.body().compiler_ref.clone(),
        }
    }

    fn sorted_proposals(&self) -> Vec<Proposal> {
        let mut proposals = self.proposals.clone();
        proposals.sort_by_key(Proposal::id);
        proposals
    }

    /// What of the generation is not captured: what its generators say, and the scripts and models that they name.
    fn unavailable(&self) -> Vec<String> {
        let mut parts = Vec::new();
        for proposal in self.sorted_proposals() {
            let generator = &proposal.body().generator;
            parts.extend(generator.unavailable.iter().cloned());
            parts.extend(
                generator
                    .artifact_digest
                    .map(|digest| format!("{} {}, {digest}", generator.name, generator.version)),
            );
        }
        parts
    }

    /// Everything but the tables of `investigation/forma.json`.
    fn links(&self, bindings: Digest) -> Forma {
        Forma {
            envelope_version: SafeInteger::from(1),
            snapshots: Vec::new(),
            obligation_sets: Vec::new(),
            proposals: Vec::new(),
            graphs: Vec::new(),
            manifests: Vec::new(),
            results: Vec::new(),
            plans: Vec::new(),
            context_ref: self.context.id(),
            conjectural_proposal_refs: self
                .record
                .body()
                .input_commitments
                .conjectural_proposal_ids
                .clone(),
            epistemic_bindings_ref: bindings,
            generation_record_ref: GenerationRecord {
                generated_by: self.graph.body().generated_by.clone(),
                origin: self.origin.clone(),
                unavailable: self.unavailable(),
                promoted_from: self.promoted_from.clone(),
                inspired_by: self.inspired_by.clone(),
            },
            static_capture: StaticCapture::None {
                reason: "this program does not capture pictures; the plan is drawn again from the package"
                    .to_owned(),
            },
            active_result_id: self.record.id(),
            active_variant: self.active_variant.to_owned(),
            derived_from: self.derived_from.clone(),
            artifacts: DeclaredSet::empty(),
        }
    }

    fn forma(&self, links: &Forma) -> Forma {
        Forma {
            snapshots: vec![self.snapshot.to_wire()],
            obligation_sets: vec![self.obligations.to_wire()],
            proposals: self.sorted_proposals().iter().map(Proposal::to_wire).collect(),
            graphs: vec![self.graph.to_wire()],
            manifests: vec![self.manifest.to_wire()],
            results: vec![self.record.to_wire()],
            plans: vec![self.plan.to_wire()],
            ..links.clone()
        }
    }

    fn contents(&self, pool: &Pool<'_>) -> Result<Contents, PackageError> {
        let refuse = |why: String| PackageError::Capture { why };
        if self.dataset.fingerprint() != self.snapshot.body().analytical_dataset_fingerprint {
            return Err(refuse("the snapshot is of another dataset".to_owned()));
        }
        let lineage = self
            .investigation
            .to_lineage()
            .map_err(|error| refuse(error.to_string()))?;
        let receipts =
            EvidenceEnvelope::open(self.receipts.clone()).map_err(|error| refuse(error.to_string()))?;
        let bindings =
            canonical::digest(&self.plan.body().bindings).map_err(|error| refuse(error.to_string()))?;
        let links = self.links(bindings);
        let mut bodies = Bodies {
            recipe: self.recipe.clone(),
            receipts,
            history: History {
                investigation_id: lineage.investigation_id,
                contexts: self.investigation.contexts().to_vec(),
                edges: lineage.edges,
                active_node_id: lineage.active_node_id,
            },
            snapshots: vec![self.snapshot.clone()],
            obligation_sets: vec![self.obligations.clone()],
            proposals: self.sorted_proposals(),
            graphs: vec![self.graph.clone()],
            manifests: vec![self.manifest.clone()],
            results: vec![self.record.clone()],
            plans: vec![self.plan.clone()],
            links,
        };
        bodies.links.artifacts = artifacts(&bodies, pool)?;
        let run: Vec<(Digest, Digest)> = self
            .analyses
            .iter()
            .map(|analysis| (analysis.content_digest(), analysis.request_digest()))
            .collect();
        let events = events::write(&bodies, &run);
        let session = links::project(&bodies, &events, self.dataset.n_rows())?;
        Ok(Contents {
            bodies,
            events,
            session,
        })
    }
}

/// The artifacts that the contents need, with the lengths of their bytes, which are the ones their digests name.
fn artifacts(contents: &Bodies, pool: &Pool<'_>) -> Result<DeclaredSet<ArtifactRef>, PackageError> {
    let mut listed = Vec::new();
    for (digest, role) in references::artifacts(contents)? {
        let Some(bytes) = pool.get(&digest) else {
            let problem = Problem::ArtifactMissing(digest.to_string());
            return Err(PackageError::reference(FORMA, "/artifacts", problem));
        };
        if Digest::of(bytes) != digest {
            return Err(PackageError::Identity {
                member: artifact_name(&digest),
                pointer: String::new(),
                claimed: digest.to_string(),
                computed: Digest::of(bytes).to_string(),
            });
        }
        listed.push(ArtifactRef {
            digest,
            role,
            length: bytes.len() as u64,
        });
    }
    DeclaredSet::from_unsorted(listed).map_err(|error| PackageError::Capture {
        why: error.to_string(),
    })
}

fn bounded(name: &str, text: &[u8], used: usize, limits: &Limits) -> Result<(), PackageError> {
    let too_large = |needed, limit, together| {
        Err(PackageError::TooLarge {
            member: name.to_owned(),
            needed,
            limit,
            together,
        })
    };
    if text.len() > limits.max_decoded_bytes {
        return too_large(text.len(), limits.max_decoded_bytes, false);
    }
    if used > limits.max_working_bytes {
        return too_large(used, limits.max_working_bytes, true);
    }
    Ok(())
}

/// Counts and hashes what is written.
struct Counted<W> {
    out: W,
    digest: DigestWriter,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.out.write(bytes)?;
        self.digest.update(&bytes[..len]);
        self.bytes += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
