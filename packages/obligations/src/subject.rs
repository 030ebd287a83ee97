//! What a policy is asked about: every property, source and relation of a snapshot, with its role in the perspective.

use identity::Identity;
use investigation::VariableKind;
use investigation::wire::v2::{Foreground, Perspective};
use snapshot::wire::v1::{Node, SnapshotBody, Source, State};
use snapshot::{PROJECTION, SnapshotView as _, SourceKind, column_producer};

use crate::ObligationError;
use crate::policy::is_of_findings;
use crate::wire::policy::v1::{PropertyKind, RoleFilter};
use crate::wire::v1::SemanticRef;

/// One thing the policy must have an answer for.
pub(crate) struct Subject<'a> {
    pub(crate) source: &'a Source,
    pub(crate) node: Option<&'a Node>,
    pub(crate) kind: PropertyKind,
    pub(crate) role: RoleFilter,
    pub(crate) property: String,
}

impl Subject<'_> {
    pub(crate) fn reference(&self) -> SemanticRef {
        SemanticRef {
            source_id: self.source.source_id,
            node_id: self.node.map(|node| node.node_id),
        }
    }

    /// As a refusal names it.
    pub(crate) fn name(&self) -> String {
        match self.node {
            Some(node) => format!(
                "{} of {} ({})",
                node.property_path, node.producer_semantic_id, self.source.family
            ),
            None => format!("{} of {}", self.property, self.source.family),
        }
    }

    /// The column it is about, when it is about one.
    pub(crate) fn variable(&self) -> Option<&str> {
        self.node.and_then(variable_of)
    }
}

fn variable_of(node: &Node) -> Option<&str> {
    node.producer_semantic_id.strip_prefix("column:")
}

/// All subjects of a snapshot under a perspective.
///
/// # Errors
/// [`ObligationError::UnknownProperty`] for a property of a known family that is not in the table below, or for any
/// property of another family; [`ObligationError::Snapshot`] when a relation or a coverage record leads nowhere.
pub(crate) fn subjects<'a>(
    snapshot: &'a SnapshotBody,
    perspective: &Perspective,
) -> Result<Vec<Subject<'a>>, ObligationError> {
    let roles = Roles::new(snapshot, perspective);
    let mut subjects = Vec::new();
    for source in &snapshot.sources {
        if source.state != (State::Available {}) {
            let (kind, role) = (PropertyKind::Coverage, RoleFilter::Background);
            subjects.push(Subject {
                source,
                node: None,
                kind,
                role,
                property: "coverage".to_owned(),
            });
            continue;
        }
        let (kind, role) = (PropertyKind::Output, roles.of_source(source));
        subjects.push(Subject {
            source,
            node: None,
            kind,
            role,
            property: "output".to_owned(),
        });
        for node in snapshot
            .nodes
            .iter()
            .filter(|node| node.source_id == source.source_id)
        {
            let kind = kind_of(source, node, &roles)?;
            for role in roles.of_node(source, node, kind) {
                subjects.push(Subject {
                    source,
                    node: Some(node),
                    kind,
                    role,
                    property: node.property_path.clone(),
                });
            }
        }
    }
    for relation in &snapshot.relations {
        let source = snapshot
            .source(relation.source_id)
            .ok_or_else(|| ObligationError::Snapshot {
                why: format!("{} is referred to and not there", relation.source_id),
            })?;
        let ends = [relation.source_node_id, relation.target_node_id];
        let front = ends.iter().all(|end| {
            perspective
                .foreground
                .iter()
                .any(|variable| variable.node_id == *end)
        });
        let role = if front {
            RoleFilter::Foreground
        } else {
            RoleFilter::Background
        };
        let property = relation.relation_type.clone();
        subjects.push(Subject {
            source,
            node: None,
            kind: PropertyKind::Relation,
            role,
            property,
        });
    }
    for coverage in snapshot
        .coverage
        .iter()
        .filter(|coverage| coverage.status != "AVAILABLE")
    {
        let known = snapshot.sources.iter().any(|source| {
            source.state != (State::Available {})
                && source.family == coverage.family
                && source.analytical_request_digest == coverage.analytical_request_digest
        });
        if !known {
            let why = format!(
                "{} is {} and has no source that says why",
                coverage.family, coverage.status
            );
            return Err(ObligationError::Snapshot { why });
        }
    }
    Ok(subjects)
}

/// The closed table of property kinds.
fn kind_of(source: &Source, node: &Node, roles: &Roles<'_>) -> Result<PropertyKind, ObligationError> {
    if node.state != (State::Available {}) {
        return Ok(PropertyKind::AbsentProperty);
    }
    let path = node.property_path.as_str();
    let of_column = variable_of(node).is_some();
    let of_projection = node.producer_semantic_id == PROJECTION;
    let kind = match source.family.as_str() {
        "rows" => match path {
            "values" if of_column => Some(roles.kind_of_values(node)),
            "rowKeys" if of_projection => Some(PropertyKind::RowKeys),
            "rowsUsed" | "rowsExcluded" | "totalRows" if of_projection => Some(PropertyKind::RowCounts),
            _ => None,
        },
        "statistics" if of_column => match path {
            "mean" => Some(PropertyKind::Mean),
            "meanInterval" => Some(PropertyKind::MeanInterval),
            "standardDeviation" => Some(PropertyKind::StandardDeviation),
            "count" => Some(PropertyKind::Count),
            "missing" => Some(PropertyKind::Missing),
            "minimum" | "maximum" => Some(PropertyKind::Extreme),
            _ => path.starts_with("quantile:").then_some(PropertyKind::Quantile),
        },
        family if is_of_findings(family) => match node.descriptor.value_type.as_str() {
            "vector" if path == "rowKeys" => Some(PropertyKind::RowKeys),
            "number" if ["rowsUsed", "rowsExcluded", "totalRows"].contains(&path) => {
                Some(PropertyKind::RowCounts)
            }
            "interval" | "number" | "string" => Some(PropertyKind::Finding),
            "vector" => Some(kind_of_found(node)),
            _ => None,
        },
        _ => None,
    };
    kind.ok_or_else(|| ObligationError::UnknownProperty {
        family: source.family.clone(),
        property: format!("{} of {}", node.property_path, node.producer_semantic_id),
    })
}

/// What many values are, by their scale: places of a layout have none that means anything, and an interval is two values.
fn kind_of_found(node: &Node) -> PropertyKind {
    let scale = node.descriptor.scale.as_deref();
    let of_layout = node.descriptor.frame.as_deref() == Some("layout");
    if of_layout || node.property_path.ends_with("Intervals") {
        PropertyKind::FindingValues
    } else if VariableKind::Quantitative.supported_by(scale) {
        PropertyKind::FindingAmounts
    } else if VariableKind::Categorical.supported_by(scale) {
        PropertyKind::FindingGroups
    } else {
        PropertyKind::FindingValues
    }
}

struct Roles<'a> {
    perspective: &'a Perspective,
    foreground_sources: Vec<Identity<SourceKind>>,
}

impl<'a> Roles<'a> {
    fn new(snapshot: &SnapshotBody, perspective: &'a Perspective) -> Self {
        let in_front = |node: &&Node| {
            perspective
                .foreground
                .iter()
                .any(|variable| variable.node_id == node.node_id)
        };
        let foreground_sources = snapshot
            .nodes
            .iter()
            .filter(in_front)
            .map(|node| node.source_id)
            .collect();
        Self {
            perspective,
            foreground_sources,
        }
    }

    fn of_source(&self, source: &Source) -> RoleFilter {
        if self.foreground_sources.contains(&source.source_id) {
            RoleFilter::Foreground
        } else {
            RoleFilter::Background
        }
    }

    /// The roles of a property. A row-by-row property has a role by its node; a statistic has the role of its column,
    /// because it says something about the same variable; what belongs to a whole projection has its source's role. What
    /// another analysis found has a role by its node: to look at a variable is not to look at everything found about it.
    fn of_node(&self, source: &Source, node: &Node, kind: PropertyKind) -> Vec<RoleFilter> {
        let perspective = self.perspective;
        let by_column = source.family == "statistics";
        let is = |variable: &Foreground| {
            if by_column {
                column_producer(&variable.variable) == node.producer_semantic_id
            } else {
                variable.node_id == node.node_id
            }
        };
        let whole = matches!(kind, PropertyKind::RowKeys | PropertyKind::RowCounts);
        let front = perspective.foreground.iter().any(is)
            || whole && self.of_source(source) == RoleFilter::Foreground;
        let named = [
            (front, RoleFilter::Foreground),
            (
                perspective.grouping.as_ref().is_some_and(is),
                RoleFilter::Grouping,
            ),
            (
                perspective.held_constant.contains(&node.node_id),
                RoleFilter::HeldConstant,
            ),
            (
                perspective.comparison_frame == Some(node.node_id),
                RoleFilter::ComparisonFrame,
            ),
            (
                perspective.temporal_frame == Some(node.node_id),
                RoleFilter::TemporalFrame,
            ),
        ];
        let roles: Vec<RoleFilter> = named
            .into_iter()
            .filter_map(|(holds, role)| holds.then_some(role))
            .collect();
        if roles.is_empty() {
            vec![RoleFilter::Background]
        } else {
            roles
        }
    }

    /// What the perspective takes the values for; what it does not name is taken for what its scale says.
    fn kind_of_values(&self, node: &Node) -> PropertyKind {
        let named = self
            .perspective
            .foreground
            .iter()
            .chain(&self.perspective.grouping);
        let committed = named
            .filter(|variable| variable.node_id == node.node_id)
            .find_map(|variable| VariableKind::parse(&variable.kind));
        let scale = node.descriptor.scale.as_deref();
        match committed {
            Some(VariableKind::Quantitative) => PropertyKind::QuantitativeValues,
            Some(VariableKind::Categorical) => PropertyKind::CategoricalValues,
            None if VariableKind::Quantitative.supported_by(scale) => PropertyKind::QuantitativeValues,
            None => PropertyKind::CategoricalValues,
        }
    }
}
