//! The artifacts behind the references: contents of analyses, knowledge entries and policies, each read as what it is
//! needed as. Leaves are compared by digest alone: they may be large, and replay reads them.

use std::collections::BTreeMap;

use evidence::wire::v1::PinnedRef;
use forma::wire::v1::ResultBody;
use identity::{Digest, canonical};
use kernels::wire::v1::Content;
use knowledge::Table;
use obligations::Policy;
use refusal::Refusal;
use snapshot::wire::v1::Source;
use study::Documents;

use crate::contents::Bodies;
use crate::error::{PackageError, Problem};
use crate::limits::{Limits, weight};
use crate::links::active;
use crate::members::{FORMA, artifact_name};
use crate::open::first_difference;
use crate::references::same;

/// Gives the exact bytes of an artifact.
pub(crate) type Fetch<'a> = &'a mut dyn FnMut(&Digest) -> Result<Vec<u8>, PackageError>;

/// The knowledge and the policy of the active decision, resolved.
#[derive(Debug)]
pub(crate) struct Closure {
    pub(crate) table: Table,
    pub(crate) policy: Policy,
    /// The documents of the study that the active result rests on, when it rests on one.
    pub(crate) study: Option<Documents>,
}

/// Reads every artifact but the leaves. `working` is how much memory they may take, as [`weight`] estimates it.
pub(crate) fn close(
    contents: &Bodies,
    limits: &Limits,
    working: usize,
    fetch: Fetch<'_>,
) -> Result<Closure, PackageError> {
    // Each content is read once, however many sources name it.
    let mut named: BTreeMap<Digest, Vec<(String, &Source)>> = BTreeMap::new();
    for (snapshot_idx, snapshot) in contents.snapshots.iter().enumerate() {
        for (idx, source) in snapshot.body().sources.iter().enumerate() {
            if let Some(digest) = source.analytical_content_ref {
                let at = format!("/snapshots/{snapshot_idx}/body/sources/{idx}");
                named.entry(digest).or_default().push((at, source));
            }
        }
    }
    for (digest, sources) in named {
        let text = fetch(&digest)?;
        let content = read_content(&digest, &text, limits, working)?;
        for (at, source) in sources {
            agrees(source, &content, &at)?;
        }
    }
    let wanted = active(contents)?;
    let mut scopes: Vec<PinnedRef> = contents
        .history
        .contexts
        .iter()
        .map(|context| context.body().policy_scope_ref.clone())
        .collect();
    scopes.sort();
    scopes.dedup();
    let mut table = None;
    for (idx, manifest) in contents.manifests.iter().enumerate() {
        let is_active = manifest.id() == wanted.manifest.id();
        let scopes = if is_active { scopes.as_slice() } else { &[] };
        let mut held = 0_usize;
        let mut failed = None;
        let gathered = Table::gather(manifest, scopes, |digest| match fetch(digest) {
            Ok(bytes) => {
                // Held as bytes and as values.
                held = held.saturating_add(bytes.len()).saturating_add(weight(&bytes));
                if held > working {
                    failed = Some(too_large(digest, held, working));
                    return None;
                }
                Some(bytes)
            }
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        let gathered = match (gathered, failed) {
            (_, Some(error)) => return Err(error),
            (Ok(table), None) => table,
            (Err(error), None) => return Err(refused(format!("/manifests/{idx}"), error.refusal())),
        };
        if is_active {
            table = Some(gathered);
        }
    }
    let mut policy = None;
    for (idx, set) in contents.obligation_sets.iter().enumerate() {
        let at = format!("/obligationSets/{idx}/body/policyRef");
        let pinned = &set.body().policy_ref;
        let read = Policy::from_bytes(&fetch(&pinned.digest)?)
            .map_err(|error| refused(at.clone(), error.refusal()))?;
        if read.pinned() != pinned {
            let problem = Problem::disagrees("the policy's name", &read.pinned().id, &pinned.id);
            return Err(PackageError::reference(FORMA, at, problem));
        }
        if set.id() == wanted.obligations.id() {
            policy = Some(read);
        }
    }
    let mut study = None;
    for (idx, result) in contents.results.iter().enumerate() {
        let documents = studied(result.body(), &format!("/results/{idx}/body"), fetch)?;
        if result.id() == wanted.record.id() {
            study = documents;
        }
    }
    match (table, policy) {
        (Some(table), Some(policy)) => Ok(Closure { table, policy, study }),
        _ => Err(PackageError::reference(
            FORMA,
            "/activeResultId",
            Problem::Dangling("the decision's policy".to_owned()),
        )),
    }
}

/// The documents that a study-only result rests on: each is what its identity names, and the freeze names exactly what the
/// result was made from. Who signed for them is custody's to say.
fn studied(record: &ResultBody, at: &str, fetch: Fetch<'_>) -> Result<Option<Documents>, PackageError> {
    let Some(named) = &record.study else {
        return Ok(None);
    };
    let (protocol, freeze) = (fetch(&named.protocol_digest)?, fetch(&named.freeze_digest)?);
    let documents = Documents::read(&protocol, &freeze, &fetch(&named.authorization_digest)?)
        .map_err(|error| refused(format!("{at}/study"), error.refusal()))?;
    let agree = |pointer: &str, what, expected: String, found: String| {
        same(FORMA, format!("{at}/{pointer}"), what, &expected, &found)
    };
    let found = documents.to_ref();
    for (what, expected, found) in [
        (
            "the protocol",
            found.protocol_id.to_string(),
            named.protocol_id.to_string(),
        ),
        (
            "the freeze",
            found.freeze_id.to_string(),
            named.freeze_id.to_string(),
        ),
        (
            "the authorization",
            found.authorization_id.to_string(),
            named.authorization_id.to_string(),
        ),
    ] {
        agree("study", what, expected, found)?;
    }
    let reference = record.authorization_reference.clone().unwrap_or_default();
    let terms = documents.terms();
    agree(
        "authorizationReference",
        "the authorization's reference",
        terms.reference,
        reference,
    )?;
    agree(
        "knowledgeManifestId",
        "the study's knowledge",
        terms.knowledge.to_string(),
        record.knowledge_manifest_id.to_string(),
    )?;
    let inputs = &record.input_commitments;
    let frozen = documents.freeze().body().treatments.iter().find(|treatment| {
        treatment.graph_id == inputs.graph_id
            && treatment.snapshot_id == inputs.snapshot_id
            && treatment.context_id == inputs.context_id
            && treatment.obligation_set_id == inputs.obligation_set_id
    });
    if frozen.is_none() {
        let problem = Problem::Dangling(format!("a frozen treatment of graph {}", inputs.graph_id));
        return Err(PackageError::reference(
            FORMA,
            format!("{at}/inputCommitments/graphId"),
            problem,
        ));
    }
    Ok(Some(documents))
}

fn refused(pointer: String, refusal: Refusal) -> PackageError {
    PackageError::reference(FORMA, pointer, Problem::Refused(Box::new(refusal)))
}

fn too_large(digest: &Digest, needed: usize, limit: usize) -> PackageError {
    PackageError::TooLarge {
        member: artifact_name(digest),
        needed,
        limit,
        together: true,
    }
}

/// The content of an analysis, closed, bounded and canonical.
fn read_content(
    digest: &Digest,
    text: &[u8],
    limits: &Limits,
    working: usize,
) -> Result<Content, PackageError> {
    let member = artifact_name(digest);
    if weight(text) > working {
        return Err(too_large(digest, weight(text), working));
    }
    let content = identity::decode::<Content>(text, &limits.json.with_max_bytes(limits.max_decoded_bytes))
        .map_err(|error| PackageError::Decode {
            member: member.clone(),
            error,
        })?
        .into_inner();
    let spelled =
        canonical::to_vec_with_capacity(&content, text.len()).map_err(|error| PackageError::Body {
            member: member.clone(),
            pointer: error.pointer().to_owned(),
            why: error.to_string(),
        })?;
    match first_difference(&spelled, text) {
        None => Ok(content),
        Some(offset) => Err(PackageError::NotCanonical { member, offset }),
    }
}

/// The content is of the family, size and leaves that the source says.
fn agrees(source: &Source, content: &Content, at: &str) -> Result<(), PackageError> {
    let disagrees = |pointer: &str, what, expected: String, found: String| {
        let problem = Problem::disagrees(what, expected, found);
        Err(PackageError::reference(FORMA, format!("{at}/{pointer}"), problem))
    };
    let (family, leaf) = (content.family(), content.leaf());
    if let (Some((rows_used, total_rows)), Some(provenance)) = (content.support(), &source.provenance)
        && (provenance.total_rows != total_rows || provenance.rows_used != rows_used)
    {
        let rows = |used: i64, total: i64| format!("{used} of {total}");
        let expected = rows(rows_used.get(), total_rows.get());
        let found = rows(provenance.rows_used.get(), provenance.total_rows.get());
        return disagrees("provenance/rowsUsed", "the number of rows", expected, found);
    }
    if source.family != family {
        return disagrees("family", "the family", family.to_owned(), source.family.clone());
    }
    if source.leaf_ref != leaf {
        let text = |leaf: Option<Digest>| leaf.map_or_else(|| "no leaf".to_owned(), |leaf| leaf.to_string());
        return disagrees("leafRef", "the leaf", text(leaf), text(source.leaf_ref));
    }
    let further = content.further_leaves();
    if source.further_leaf_refs != further {
        let text = |leaves: &[Digest]| {
            let texts: Vec<String> = leaves.iter().map(Digest::to_string).collect();
            if texts.is_empty() {
                "none".to_owned()
            } else {
                texts.join(", ")
            }
        };
        let found = text(&source.further_leaf_refs);
        return disagrees("furtherLeafRefs", "the further leaves", text(&further), found);
    }
    Ok(())
}
