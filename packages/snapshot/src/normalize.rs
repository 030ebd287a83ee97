//! The projection of finished analyses into a snapshot.

use std::collections::BTreeMap;

use dataset::{Column, Dataset, Scale};
use evidence::wire::v1::EvidenceUse;
use identity::utf16_cmp;
use kernels::Analysis;
use kernels::wire::v1::{ColumnStatistics, Content, Request};

use crate::Snapshot;
use crate::error::SnapshotError;
use crate::local::{Unnamed, node_id, relation_id, status};
use crate::vocabulary::{self, PROJECTION, Path, ROW_ALIGNED, Slot, column_producer};
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
        nodes(dataset, analysis, &source, &mut body)?;
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
        evidence_uses,
        state: State::Available {},
    };
    Ok(source.named()?)
}

fn nodes(
    dataset: &Dataset,
    analysis: &Analysis,
    source: &Source,
    body: &mut SnapshotBody,
) -> Result<(), SnapshotError> {
    match analysis.content() {
        Content::Rows {
            columns,
            total_rows,
            rows_used,
            ..
        } => {
            let mut before = None;
            for projected in columns {
                let column = column(dataset, &projected.name)?;
                let slot = Slot::new(column_producer(column.name()), Path::Values);
                let node = node(
                    source,
                    slot,
                    measured(column, Path::Values.value_type()),
                    Filled::InLeaf,
                )?;
                if let Some(before) = before {
                    body.relations.push(row_aligned(source, before, node.node_id)?);
                }
                before = Some(node.node_id);
                body.nodes.push(node);
            }
            let excluded = identity::SafeInteger::new(total_rows.get() - rows_used.get());
            for path in Path::OF_PROJECTION {
                let (label, filled) = match path {
                    Path::RowKeys => ("row keys", Filled::InLeaf),
                    Path::RowsUsed => ("rows used", Filled::Value(Value::Number((*rows_used).into()))),
                    Path::TotalRows => (
                        "rows in the dataset",
                        Filled::Value(Value::Number((*total_rows).into())),
                    ),
                    _ => (
                        "rows excluded",
                        match excluded {
                            Ok(excluded) => Filled::Value(Value::Number(excluded.into())),
                            Err(_) => Filled::Absent("the rows can't be counted"),
                        },
                    ),
                };
                let scale = if path == Path::RowKeys {
                    Scale::Identifier
                } else {
                    Scale::Count
                };
                let slot = Slot::new(PROJECTION.to_owned(), path);
                body.nodes.push(node(
                    source,
                    slot,
                    counted(label, path.value_type(), scale),
                    filled,
                )?);
            }
        }
        Content::Statistics { columns } => {
            for record in columns {
                let column = column(dataset, &record.column)?;
                for slot in vocabulary::slots(analysis.request()) {
                    if slot.producer != column_producer(&record.column) {
                        continue;
                    }
                    let is_count = [Path::Count, Path::Missing]
                        .iter()
                        .any(|path| path.word() == slot.path);
                    let descriptor = if is_count {
                        counted(column.name(), slot.value_type, Scale::Count)
                    } else {
                        measured(column, slot.value_type)
                    };
                    let filled = statistic(record, &slot);
                    body.nodes.push(node(source, slot, descriptor, filled)?);
                }
            }
        }
    }
    Ok(())
}

fn column<'a>(dataset: &'a Dataset, name: &str) -> Result<&'a Column, SnapshotError> {
    dataset.column(name).ok_or_else(|| SnapshotError::UnknownColumn {
        column: name.to_owned(),
    })
}

/// What stands in a node.
enum Filled {
    Value(Value),
    InLeaf,
    Absent(&'static str),
}

fn node(source: &Source, slot: Slot, descriptor: Descriptor, filled: Filled) -> Result<Node, SnapshotError> {
    let (value, state) = match filled {
        Filled::Value(value) => (Some(value), State::Available {}),
        Filled::InLeaf => (None, State::Available {}),
        Filled::Absent(reason) => (
            None,
            State::Unavailable {
                reason: reason.to_owned(),
            },
        ),
    };
    Ok(Node {
        node_id: node_id(source.source_id, &slot.producer, &slot.path)?,
        source_id: source.source_id,
        producer_semantic_id: slot.producer,
        property_path: slot.path,
        descriptor,
        value,
        epistemic_status: slot.epistemic_status.to_owned(),
        state,
    })
}

/// The descriptor of something in a column's unit.
fn measured(column: &Column, value_type: &str) -> Descriptor {
    let unit = column.model().unit();
    Descriptor {
        label: column.name().to_owned(),
        value_type: value_type.to_owned(),
        unit: unit.map(|unit| unit.text().to_owned()),
        unit_status: unit.map(|unit| unit.status().word().to_owned()),
        scale: Some(column.model().scale().word().to_owned()),
        frame: None,
    }
}

/// The descriptor of something without a unit.
fn counted(label: &str, value_type: &str, scale: Scale) -> Descriptor {
    Descriptor {
        label: label.to_owned(),
        value_type: value_type.to_owned(),
        unit: None,
        unit_status: None,
        scale: Some(scale.word().to_owned()),
        frame: None,
    }
}

fn statistic(record: &ColumnStatistics, slot: &Slot) -> Filled {
    let path = slot.path.as_str();
    let number = match path {
        "count" => Some(record.count.into()),
        "missing" => Some(record.missing.into()),
        "mean" => record.mean,
        "standardDeviation" => record.standard_deviation,
        "minimum" => record.minimum,
        "maximum" => record.maximum,
        _ => {
            let quantile = |one: &&kernels::wire::v1::Quantile| crate::quantile_path(one.probability) == path;
            record
                .quantiles
                .iter()
                .find(quantile)
                .map(|quantile| quantile.value)
        }
    };
    if let Some(number) = number {
        return Filled::Value(Value::Number(number));
    }
    if let (Some(interval), true) = (&record.mean_interval, slot.path == Path::MeanInterval.word()) {
        return Filled::Value(Value::Interval(interval.lower, interval.upper));
    }
    Filled::Absent(match record.count.get() {
        0 => "the column has no value",
        1 if record.mean.is_some() => "one value has no spread",
        _ if record.mean.is_none() => "it has no meaning on the column's scale",
        _ => "it is not given; the limitations say why",
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
