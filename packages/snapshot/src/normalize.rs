//! The projection of finished analyses into a snapshot.

use std::collections::BTreeMap;

use dataset::Dataset;
use evidence::wire::v1::EvidenceUse;
use identity::utf16_cmp;
use kernels::wire::v1::Request;
use kernels::{Analysis, Filled, Output, Slot};

use crate::Snapshot;
use crate::error::SnapshotError;
use crate::local::{Unnamed, node_id, relation_id, status};
use crate::vocabulary::{self, Path, ROW_ALIGNED};
use crate::wire::v1::{
    Coverage, Descriptor, Limitation, Node, Provenance, Relation, SnapshotBody, Source, State, Value,
};

/// Makes the snapshot of finished analyses of one dataset, with the evidence uses minted from their bundle, and of
/// requests that were not answered with their state.
///
/// # Errors
/// [`SnapshotError`] when an analysis is of another dataset, a receipt has no evidence use or the use pins another
/// receipt, a request occurs twice, or there is none.
pub fn normalize(
    dataset: &Dataset,
    analyses: &[Analysis],
    uses: &BTreeMap<String, EvidenceUse>,
    unavailable: &[(Request, State)],
) -> Result<Snapshot, SnapshotError> {
    if analyses.is_empty() && unavailable.is_empty() {
        return Err(SnapshotError::Nothing);
    }
    let mut body = SnapshotBody {
        analytical_dataset_fingerprint: dataset.fingerprint(),
        kernel_version: kernels::KERNEL_VERSION.to_owned(),
        semantic_vocabulary: vocabulary::vocabulary(),
        normalizer: vocabulary::normalizer(),
        coverage: Vec::new(),
        sources: Vec::new(),
        nodes: Vec::new(),
        relations: Vec::new(),
        limitations: Vec::new(),
    };
    for analysis in analyses {
        let source = source(dataset, analysis, uses)?;
        nodes(analysis, &source, &mut body)?;
        limitations(analysis, &source, &mut body);
        body.sources.push(source);
    }
    for (request, state) in unavailable {
        if *state == (State::Available {}) {
            return Err(SnapshotError::NotAnswered {
                family: request.family().to_owned(),
            });
        }
        let source = Unnamed {
            analytical_request_digest: identity::canonical::digest(request)?,
            request: request.clone(),
            provenance: None,
            analytical_content_ref: None,
            leaf_ref: None,
            further_leaf_refs: Vec::new(),
            evidence_uses: Vec::new(),
            state: state.clone(),
        };
        body.sources.push(source.named()?);
    }
    body.coverage = body.sources.iter().map(coverage).collect();
    sort(&mut body)?;
    Ok(Snapshot::seal(body)?)
}

fn sort(body: &mut SnapshotBody) -> Result<(), SnapshotError> {
    body.coverage.sort_by(|a, b| {
        let by_family = utf16_cmp(&a.family, &b.family);
        by_family.then_with(|| a.analytical_request_digest.cmp(&b.analytical_request_digest))
    });
    let same = |pair: &&[Coverage]| {
        pair[0].family == pair[1].family
            && pair[0].analytical_request_digest == pair[1].analytical_request_digest
    };
    if let Some(pair) = body.coverage.windows(2).find(same) {
        return Err(SnapshotError::RepeatedRequest {
            family: pair[0].family.clone(),
            digest: pair[0].analytical_request_digest.to_string(),
        });
    }
    body.sources.sort_by_key(|source| source.source_id);
    body.nodes.sort_by_key(|node| node.node_id);
    body.relations.sort_by_key(|relation| relation.relation_id);
    body.limitations
        .sort_by(|a, b| utf16_cmp(&a.code, &b.code).then_with(|| a.source_id.cmp(&b.source_id)));
    Ok(())
}

fn coverage(source: &Source) -> Coverage {
    Coverage {
        family: source.family.clone(),
        analytical_request_digest: source.analytical_request_digest,
        status: status(&source.state).to_owned(),
    }
}

fn source(
    dataset: &Dataset,
    analysis: &Analysis,
    uses: &BTreeMap<String, EvidenceUse>,
) -> Result<Source, SnapshotError> {
    if analysis.dataset_fingerprint() != dataset.fingerprint() {
        return Err(SnapshotError::WrongDataset {
            family: analysis.family().to_owned(),
            expected: dataset.fingerprint().to_string(),
            found: analysis.dataset_fingerprint().to_string(),
        });
    }
    let mut evidence_uses = Vec::with_capacity(analysis.receipts().len());
    for receipt in analysis.receipts() {
        let receipt_id = &receipt.receipt_id;
        let Some(evidence_use) = uses.get(receipt_id) else {
            return Err(SnapshotError::NoEvidence {
                receipt_id: receipt_id.clone(),
            });
        };
        let wrong = |what| {
            Err(SnapshotError::WrongEvidence {
                receipt_id: receipt_id.clone(),
                what,
            })
        };
        if evidence_use.receipt_id != *receipt_id {
            return wrong("receipt name");
        }
        if evidence_use.dataset_fingerprint != dataset.fingerprint() {
            return wrong("dataset");
        }
        if evidence_use.kernel_version != kernels::KERNEL_VERSION {
            return wrong("kernel");
        }
        if evidence_use.receipt_content_digest != identity::canonical::digest(receipt)? {
            return wrong("content");
        }
        evidence_uses.push(evidence_use.clone());
    }
    evidence_uses.sort_by(evidence::compare_uses);
    let made = analysis.provenance();
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let provenance = Provenance {
        method: made.method.to_owned(),
        method_version: made.method_version.to_owned(),
        parameters: made.parameters.clone(),
        seed: made.seed,
        normalization: made.normalization.to_owned(),
        missingness: made.missingness.to_owned(),
        sampling: made.sampling.to_owned(),
        approximation: made.approximation.to_owned(),
        total_rows: made.total_rows,
        rows_used: made.rows_used,
        excluded: made.excluded.clone(),
        preserves: owned(made.preserves),
        loses: owned(made.loses),
    };
    let source = Unnamed {
        request: analysis.request().clone(),
        analytical_request_digest: analysis.request_digest(),
        provenance: Some(provenance),
        analytical_content_ref: Some(analysis.content_digest()),
        leaf_ref: analysis.leaf().map(kernels::leaf::Columns::digest),
        further_leaf_refs: analysis
            .further_leaves()
            .map(kernels::leaf::Columns::digest)
            .collect(),
        evidence_uses,
        state: State::Available {},
    };
    Ok(source.named()?)
}

/// One node an output, in the analysis's own words.
fn nodes(analysis: &Analysis, source: &Source, body: &mut SnapshotBody) -> Result<(), SnapshotError> {
    let mut before = None;
    for output in analysis.outputs() {
        let node = node(source, output)?;
        if is_row_vector(source, &output.slot) {
            if let Some(before) = before {
                body.relations.push(row_aligned(source, before, node.node_id)?);
            }
            before = Some(node.node_id);
        }
        body.nodes.push(node);
    }
    Ok(())
}

/// The values of a column in a projection of rows: their i-th members belong to one row.
fn is_row_vector(source: &Source, slot: &Slot) -> bool {
    source.family == kernels::ROWS && slot.path == Path::Values.word()
}

fn node(source: &Source, output: &Output) -> Result<Node, SnapshotError> {
    let Output {
        slot,
        measure,
        filled,
    } = output;
    let value = match filled {
        Filled::Number(number) => Some(Value::Number(*number)),
        Filled::Interval(lower, upper) => Some(Value::Interval(*lower, *upper)),
        Filled::Text(text) => Some(Value::Text(text.clone())),
        Filled::InContent | Filled::InLeaf | Filled::Absent(_) => None,
    };
    let state = match filled {
        Filled::Absent(reason) => State::Unavailable {
            reason: (*reason).to_owned(),
        },
        Filled::Number(_) | Filled::Interval(..) | Filled::Text(_) | Filled::InContent | Filled::InLeaf => {
            State::Available {}
        }
    };
    let (unit, unit_status) = measure.unit.clone().unzip();
    Ok(Node {
        node_id: node_id(source.source_id, &slot.producer, &slot.path)?,
        source_id: source.source_id,
        producer_semantic_id: slot.producer.clone(),
        property_path: slot.path.clone(),
        descriptor: Descriptor {
            label: measure.label.clone(),
            value_type: slot.shape.word().to_owned(),
            unit,
            unit_status,
            scale: measure.scale.map(|scale| scale.word().to_owned()),
            frame: measure.frame.clone(),
        },
        value,
        epistemic_status: vocabulary::epistemic_status(slot.observed).to_owned(),
        state,
    })
}

fn row_aligned(
    source: &Source,
    from: identity::Identity<crate::NodeKind>,
    to: identity::Identity<crate::NodeKind>,
) -> Result<Relation, SnapshotError> {
    Ok(Relation {
        relation_id: relation_id(ROW_ALIGNED, from, to, source.source_id)?,
        relation_type: ROW_ALIGNED.to_owned(),
        source_node_id: from,
        target_node_id: to,
        source_id: source.source_id,
    })
}

/// One limitation a code: the kernel's sentences in order, each with all its subjects.
fn limitations(analysis: &Analysis, source: &Source, body: &mut SnapshotBody) {
    let mut by_code: BTreeMap<&str, Vec<(&str, Vec<&str>)>> = BTreeMap::new();
    for limitation in analysis.limitations() {
        let sentences = by_code.entry(limitation.code().word()).or_default();
        let subject = limitation.subject();
        match sentences
            .iter_mut()
            .find(|(sentence, _)| *sentence == limitation.sentence())
        {
            Some((_, subjects)) => subjects.extend(subject),
            None => sentences.push((limitation.sentence(), subject.into_iter().collect())),
        }
    }
    let text = |(sentence, subjects): (&str, Vec<&str>)| {
        if subjects.is_empty() {
            sentence.to_owned()
        } else {
            format!("{}: {sentence}", subjects.join(", "))
        }
    };
    body.limitations
        .extend(by_code.into_iter().map(|(code, sentences)| Limitation {
            code: code.to_owned(),
            source_id: source.source_id,
            description: sentences.into_iter().map(text).collect::<Vec<_>>().join("; "),
        }));
}
