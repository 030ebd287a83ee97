//! A snapshot of a few columns, made by hand so that each part can be left out or put wrong.

use evidence::wire::v1::{EvidenceUse, PinnedRef};
use identity::{Digest, Fingerprint, Finite, SafeInteger, Sealed, canonical};
use kernels::wire::v1::{Exclusion, Request};
use snapshot::wire::v1::{
    Coverage, Descriptor, Limitation, Node, Provenance, Relation, SnapshotBody, Source, State, Value,
};
use snapshot::{Snapshot, node_id, relation_id, source_id, status};

pub(crate) const ROW_PROFILE: &str = "forma-row-projection/v1";
pub(crate) const STATISTICS_PROFILE: &str = "forma-descriptive-summary/v1";

/// Shorthand for a safe integer.
pub(crate) fn int(value: i32) -> SafeInteger {
    SafeInteger::from(value)
}

/// A column as the snapshot describes it.
#[derive(Clone)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) scale: Option<&'static str>,
    pub(crate) unit: Option<(&'static str, &'static str)>,
    pub(crate) epistemic_status: &'static str,
}

pub(crate) fn column(name: &str, scale: &'static str, unit: Option<(&'static str, &'static str)>) -> Column {
    Column {
        name: name.to_owned(),
        scale: Some(scale),
        unit,
        epistemic_status: "OBSERVED",
    }
}

/// Three measures and the species, as in the bundled penguins.
pub(crate) fn penguin_columns() -> Vec<Column> {
    vec![
        column("flipper_length_mm", "ratio", Some(("mm", "inferred"))),
        column("body_mass_g", "ratio", Some(("g", "confirmed"))),
        column("bill_length_mm", "ratio", None),
        column("species", "nominal", None),
    ]
}

/// What the snapshot will hold.
#[derive(Clone)]
pub(crate) struct Build {
    pub(crate) fingerprint: u8,
    pub(crate) projections: Vec<Vec<Column>>,
    pub(crate) statistics: Vec<Column>,
    pub(crate) absent: Vec<(Request, State)>,
    pub(crate) limitations: Vec<&'static str>,
    pub(crate) row_profile: &'static str,
    pub(crate) excluded: i32,
    pub(crate) extra_property: Option<&'static str>,
}

pub(crate) fn penguins() -> Build {
    Build {
        fingerprint: 7,
        projections: vec![penguin_columns()],
        statistics: vec![column("body_mass_g", "ratio", Some(("g", "confirmed")))],
        absent: Vec::new(),
        limitations: vec!["ROWS_EXCLUDED_MISSING", "UNIT_INFERRED"],
        row_profile: ROW_PROFILE,
        excluded: 2,
        extra_property: None,
    }
}

impl Build {
    pub(crate) fn seal(&self) -> Snapshot {
        Sealed::seal(self.body()).expect("the fixture is a snapshot")
    }

    pub(crate) fn body(&self) -> SnapshotBody {
        let fingerprint = Fingerprint::from_bytes([self.fingerprint; 32]);
        let (mut sources, mut nodes, mut relations, mut limitations) = (vec![], vec![], vec![], vec![]);
        for columns in &self.projections {
            let source = self.projection(fingerprint, columns);
            self.row_nodes(&source, columns, &mut nodes, &mut relations);
            limitations.extend(self.limitations.iter().map(|code| Limitation {
                code: (*code).to_owned(),
                source_id: source.source_id,
                description: format!("{code} in a sentence"),
            }));
            sources.push(source);
        }
        if !self.statistics.is_empty() {
            let source = self.summary(fingerprint);
            for column in &self.statistics {
                statistic_nodes(&source, column, &mut nodes);
            }
            limitations.push(Limitation {
                code: "INDEPENDENCE_UNTESTED".to_owned(),
                source_id: source.source_id,
                description: "Rows are taken to be independent".to_owned(),
            });
            sources.push(source);
        }
        sources.extend(
            self.absent
                .iter()
                .map(|(request, state)| source(request, state.clone(), None, Vec::new())),
        );
        let mut coverage: Vec<Coverage> = sources
            .iter()
            .map(|source| Coverage {
                family: source.family.clone(),
                analytical_request_digest: source.analytical_request_digest,
                status: status(&source.state).to_owned(),
            })
            .collect();
        coverage.sort_by_key(|entry| (entry.family.clone(), entry.analytical_request_digest));
        sources.sort_by_key(|source| source.source_id);
        nodes.sort_by_key(|node: &Node| node.node_id);
        relations.sort_by_key(|relation: &Relation| relation.relation_id);
        limitations.sort_by_key(|limitation| (limitation.code.clone(), limitation.source_id));
        SnapshotBody {
            analytical_dataset_fingerprint: fingerprint,
            kernel_version: "kernel/1".to_owned(),
            semantic_vocabulary: pinned("vocabulary"),
            normalizer: pinned("normalizer"),
            coverage,
            sources,
            nodes,
            relations,
            limitations,
        }
    }

    fn projection(&self, fingerprint: Fingerprint, columns: &[Column]) -> Source {
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let receipt = format!("rows:{}", names.join(","));
        let uses = vec![evidence_use(fingerprint, &receipt, self.row_profile)];
        let excluded = vec![Exclusion {
            reason: "missing".to_owned(),
            columns: names.clone(),
            row_count: int(self.excluded),
        }];
        let excluded = if self.excluded == 0 { Vec::new() } else { excluded };
        let provenance = provenance(344 - self.excluded, excluded);
        source(
            &Request::Rows { columns: names },
            State::Available,
            Some(provenance),
            uses,
        )
    }

    fn summary(&self, fingerprint: Fingerprint) -> Source {
        let names: Vec<String> = self.statistics.iter().map(|column| column.name.clone()).collect();
        let receipts = names.iter().map(|name| format!("descriptive:{name}"));
        let mut uses: Vec<EvidenceUse> = receipts
            .map(|receipt| evidence_use(fingerprint, &receipt, STATISTICS_PROFILE))
            .collect();
        uses.sort();
        let confidence_level = Finite::new(0.95).expect("finite");
        let request = Request::Statistics {
            columns: names,
            quantiles: Vec::new(),
            confidence_level,
        };
        source(
            &request,
            State::Available,
            Some(provenance(342, Vec::new())),
            uses,
        )
    }

    fn row_nodes(
        &self,
        source: &Source,
        columns: &[Column],
        nodes: &mut Vec<Node>,
        relations: &mut Vec<Relation>,
    ) {
        let mut last = None;
        for column in columns {
            let mut values = node(
                source,
                &format!("column:{}", column.name),
                "values",
                "vector",
                column,
            );
            values.epistemic_status = column.epistemic_status.to_owned();
            if let Some(last) = last {
                relations.push(Relation {
                    relation_id: relation_id("ROW_ALIGNED", last, values.node_id, source.source_id)
                        .expect("an identity"),
                    relation_type: "ROW_ALIGNED".to_owned(),
                    source_node_id: last,
                    target_node_id: values.node_id,
                    source_id: source.source_id,
                });
            }
            last = Some(values.node_id);
            nodes.push(values);
        }
        let plain = |label: &str| Column {
            name: label.to_owned(),
            scale: None,
            unit: None,
            epistemic_status: "DERIVED",
        };
        nodes.push(node(source, "projection", "rowKeys", "vector", &plain("row")));
        for path in ["rowsUsed", "rowsExcluded", "totalRows"]
            .into_iter()
            .chain(self.extra_property)
        {
            let mut count = node(source, "projection", path, "number", &plain(path));
            count.value = Some(Value::Number(Finite::ONE));
            nodes.push(count);
        }
    }
}

fn statistic_nodes(source: &Source, column: &Column, nodes: &mut Vec<Node>) {
    for path in [
        "count",
        "missing",
        "mean",
        "standardDeviation",
        "minimum",
        "maximum",
        "quantile:0.5",
    ] {
        let mut statistic = node(source, &format!("column:{}", column.name), path, "number", column);
        statistic.value = Some(Value::Number(Finite::ONE));
        nodes.push(statistic);
    }
    let mut interval = node(
        source,
        &format!("column:{}", column.name),
        "meanInterval",
        "interval",
        column,
    );
    interval.state = State::Unavailable {
        reason: "too few values".to_owned(),
    };
    nodes.push(interval);
}

fn node(source: &Source, producer: &str, path: &str, value_type: &str, column: &Column) -> Node {
    Node {
        node_id: node_id(source.source_id, producer, path).expect("an identity"),
        source_id: source.source_id,
        producer_semantic_id: producer.to_owned(),
        property_path: path.to_owned(),
        descriptor: Descriptor {
            label: column.name.clone(),
            value_type: value_type.to_owned(),
            unit: column.unit.map(|(unit, _)| unit.to_owned()),
            unit_status: column.unit.map(|(_, status)| status.to_owned()),
            scale: column.scale.map(str::to_owned),
            frame: None,
        },
        value: None,
        epistemic_status: "DERIVED".to_owned(),
        state: State::Available,
    }
}

fn source(request: &Request, state: State, provenance: Option<Provenance>, uses: Vec<EvidenceUse>) -> Source {
    let family = match request {
        Request::Rows { .. } => "rows",
        Request::Statistics { .. } => "statistics",
    };
    let request_digest = canonical::digest(request).expect("a digest");
    let mut source = Source {
        source_id: identity::Identity::parse(&format!("semantic-source-v1:{}", "0".repeat(64)))
            .expect("a placeholder"),
        family: family.to_owned(),
        request: request.clone(),
        analytical_request_digest: request_digest,
        analytical_content_ref: provenance.as_ref().map(|_| Digest::of(b"content")),
        leaf_ref: None,
        provenance,
        evidence_uses: uses,
        state,
    };
    source.source_id = source_id(&source).expect("an identity");
    source
}

fn provenance(rows_used: i32, excluded: Vec<Exclusion>) -> Provenance {
    let word = |text: &str| text.to_owned();
    Provenance {
        method: word("method"),
        method_version: word("1"),
        parameters: Vec::new(),
        seed: None,
        normalization: word("none"),
        missingness: word("completeCase"),
        sampling: word("none"),
        approximation: word("EXACT"),
        total_rows: int(344),
        rows_used: int(rows_used),
        excluded,
        preserves: Vec::new(),
        loses: Vec::new(),
    }
}

fn evidence_use(fingerprint: Fingerprint, receipt: &str, profile: &str) -> EvidenceUse {
    EvidenceUse {
        dataset_fingerprint: fingerprint,
        kernel_version: "kernel/1".to_owned(),
        bundle_content_digest: Digest::of(b"bundle"),
        receipt_id: receipt.to_owned(),
        receipt_content_digest: Digest::of(receipt.as_bytes()),
        consumer_id: "consumer".to_owned(),
        requirement_profile_id: profile.to_owned(),
        requirement_profile_digest: Digest::of(profile.as_bytes()),
        admission_policy_id: "admission".to_owned(),
        admission_policy_digest: Digest::of(b"admission"),
    }
}

pub(crate) fn pinned(id: &str) -> PinnedRef {
    PinnedRef {
        id: id.to_owned(),
        version: "1".to_owned(),
        digest: Digest::of(id.as_bytes()),
    }
}
