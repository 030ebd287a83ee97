//! The perspective: what stands in front, from where, compared with what. It never says which rows count.
//!
//! Whatever would narrow the population is refused by name, because a part of the rows is a new analysis with its own
//! receipts and its own snapshot, not a point of view.

use identity::{Identity, Limits, Rule, SafeInteger};
use snapshot::wire::v1::{Node, SnapshotBody, Source, State};
use snapshot::{NodeKind, SnapshotView as _, column_producer};

use crate::InvestigationError;
use crate::finding;
use crate::nearest::nearest;
use crate::wire::v2::{Foreground, Perspective};

/// The version of the perspective's shape.
pub const SCHEMA_VERSION: i64 = 1;

/// The most foreground variables and the most held-constant nodes.
pub const MAX_VARIABLES: usize = 64;

/// The family whose `values` nodes a foreground variable names.
pub const ROWS_FAMILY: &str = kernels::ROWS;

/// The property of a column that a foreground variable names.
pub const VALUES_PATH: &str = snapshot::Path::Values.word();

/// What the viewer does there, in the widest sense.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Viewpoint {
    /// Compare rows with each other; taken when nothing else is said, because that is what a foreground variable is
    /// obliged to allow.
    #[default]
    Compare,
    /// Find where something lies.
    Locate,
    /// See the whole.
    Overview,
    /// Look at one row.
    Inspect,
}

impl Viewpoint {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Compare, Self::Locate, Self::Overview, Self::Inspect];

    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Compare => "COMPARE",
            Self::Locate => "LOCATE",
            Self::Overview => "OVERVIEW",
            Self::Inspect => "INSPECT",
        }
    }

    /// The viewpoint purpose with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|viewpoint| viewpoint.word() == word)
    }
}

/// What a variable is in front as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableKind {
    /// Numbers whose distances mean something.
    Quantitative,
    /// Names of groups.
    Categorical,
}

impl VariableKind {
    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Quantitative => "QUANTITATIVE",
            Self::Categorical => "CATEGORICAL",
        }
    }

    /// The kind with this word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Quantitative, Self::Categorical]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// Whether a scale of measurement supports this kind.
    ///
    /// A scale that nobody stated supports none: import states one for every column of numbers or labels. Circular
    /// numbers are not quantitative here, because "greater" has no meaning where values wrap around; ordinal ones are
    /// neither, because their distances mean nothing.
    #[must_use]
    pub fn supported_by(self, scale: Option<&str>) -> bool {
        let Some(scale) = scale else { return false };
        match self {
            Self::Quantitative => matches!(
                scale,
                "interval"
                    | "ratio"
                    | "count"
                    | "proportion"
                    | "compositional"
                    | "temporal"
                    | "spatialCoordinate"
            ),
            Self::Categorical => matches!(scale, "nominal" | "ordinal"),
        }
    }
}

/// Member names, in lowercase without separators, that would narrow the population.
const NARROWING: [&str; 34] = [
    "cutoff",
    "daterange",
    "exclude",
    "excluded",
    "filter",
    "filters",
    "first",
    "head",
    "include",
    "included",
    "last",
    "limit",
    "only",
    "predicate",
    "quantile",
    "query",
    "range",
    "rowlimit",
    "rows",
    "sample",
    "samplesize",
    "score",
    "selection",
    "slice",
    "subset",
    "tail",
    "threshold",
    "timerange",
    "top",
    "topk",
    "topn",
    "weight",
    "where",
    "window",
];

/// Members of the perspective and of its foreground variables.
const MEMBERS: [&str; 10] = [
    "schemaVersion",
    "foreground",
    "grouping",
    "viewpointPurpose",
    "heldConstant",
    "comparisonFrame",
    "temporalFrame",
    "nodeId",
    "variable",
    "kind",
];

/// Checks the name of a member that someone wants in a perspective.
///
/// # Errors
/// [`InvestigationError::NarrowsPopulation`] for a name that would choose rows, in any spelling (`topN`, `top_n`),
/// [`InvestigationError::UnknownMember`] for any other name that a perspective does not have.
pub fn check_member(name: &str) -> Result<(), InvestigationError> {
    if MEMBERS.contains(&name) {
        return Ok(());
    }
    let folded: String = name
        .chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    if NARROWING.contains(&folded.as_str()) || folded == "bincount" {
        return Err(InvestigationError::NarrowsPopulation {
            member: name.to_owned(),
        });
    }
    Err(InvestigationError::UnknownMember {
        member: name.to_owned(),
        nearest: nearest(name, MEMBERS),
    })
}

/// Reads a perspective from JSON, closed. It still has to be resolved against a snapshot, by
/// [`Draft::commit`](crate::Draft::commit).
///
/// # Errors
/// [`InvestigationError::NarrowsPopulation`] and [`InvestigationError::UnknownMember`] for a member that does not
/// belong, [`InvestigationError::Decode`] for any other fault of the text, then whatever the rules of a perspective
/// refuse.
pub fn from_json(bytes: &[u8]) -> Result<Perspective, InvestigationError> {
    let decoded = identity::decode::<Perspective>(bytes, &Limits::default());
    let perspective = match decoded {
        Ok(perspective) => perspective.into_inner(),
        Err(error) => {
            if error.rule == Rule::UnknownMember {
                let last = error.pointer.rsplit('/').next().unwrap_or_default();
                check_member(&last.replace("~1", "/").replace("~0", "~"))?;
            }
            return Err(error.into());
        }
    };
    check(&perspective)?;
    Ok(perspective)
}

/// The rules that need no snapshot.
pub(crate) fn check(perspective: &Perspective) -> Result<(), InvestigationError> {
    if i64::from(perspective.schema_version) != SCHEMA_VERSION {
        let found = perspective.schema_version.into();
        return Err(InvestigationError::Version {
            what: "perspective",
            found,
        });
    }
    if perspective.foreground.is_empty() {
        return Err(InvestigationError::NothingForeground);
    }
    for (what, found) in [
        ("foreground variables", perspective.foreground.len()),
        ("held-constant nodes", perspective.held_constant.len()),
    ] {
        if found > MAX_VARIABLES {
            return Err(InvestigationError::Bounds {
                what,
                found,
                limit: MAX_VARIABLES,
            });
        }
    }
    if Viewpoint::parse(&perspective.viewpoint_purpose).is_none() {
        return Err(InvestigationError::UnknownWord {
            field: "viewpointPurpose",
            found: perspective.viewpoint_purpose.clone(),
            allowed: Viewpoint::ALL.map(Viewpoint::word).join(", "),
        });
    }
    let mut seen: Vec<&Foreground> = Vec::new();
    for variable in perspective.foreground.iter().chain(&perspective.grouping) {
        kind_of(variable)?;
        if seen
            .iter()
            .any(|other| other.node_id == variable.node_id || other.variable == variable.variable)
        {
            return Err(InvestigationError::NamedTwice {
                variable: variable.variable.clone(),
            });
        }
        seen.push(variable);
    }
    if let Some(grouping) = &perspective.grouping
        && kind_of(grouping)? != VariableKind::Categorical
    {
        return Err(InvestigationError::UnknownWord {
            field: "grouping/kind",
            found: grouping.kind.clone(),
            allowed: VariableKind::Categorical.word().to_owned(),
        });
    }
    if perspective
        .held_constant
        .windows(2)
        .any(|pair| pair[0] >= pair[1])
    {
        return Err(InvestigationError::HeldConstantOrder);
    }
    Ok(())
}

/// The kind of a foreground variable.
///
/// # Errors
/// [`InvestigationError::UnknownWord`] for a word outside the two.
pub fn kind_of(variable: &Foreground) -> Result<VariableKind, InvestigationError> {
    VariableKind::parse(&variable.kind).ok_or_else(|| InvestigationError::UnknownWord {
        field: "kind",
        found: variable.kind.clone(),
        allowed: [VariableKind::Quantitative, VariableKind::Categorical]
            .map(VariableKind::word)
            .join(", "),
    })
}

/// A variable that someone wants in front: by name, and by node when the name alone is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) variable: String,
    pub(crate) kind: VariableKind,
    pub(crate) node_id: Option<Identity<NodeKind>>,
}

/// A perspective by names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AskedPerspective {
    pub(crate) foreground: Vec<Asked>,
    pub(crate) grouping: Option<Asked>,
    pub(crate) viewpoint: Viewpoint,
    pub(crate) held_constant: Vec<Identity<NodeKind>>,
    pub(crate) comparison_frame: Option<Identity<NodeKind>>,
    pub(crate) temporal_frame: Option<Identity<NodeKind>>,
}

impl AskedPerspective {
    pub(crate) fn from_wire(perspective: &Perspective) -> Result<Self, InvestigationError> {
        check(perspective)?;
        let asked = |variable: &Foreground| {
            let (name, node_id) = (variable.variable.clone(), Some(variable.node_id));
            kind_of(variable).map(|kind| Asked {
                variable: name,
                kind,
                node_id,
            })
        };
        Ok(Self {
            foreground: perspective
                .foreground
                .iter()
                .map(asked)
                .collect::<Result<_, _>>()?,
            grouping: perspective.grouping.as_ref().map(asked).transpose()?,
            viewpoint: Viewpoint::parse(&perspective.viewpoint_purpose).unwrap_or_default(),
            held_constant: perspective.held_constant.clone(),
            comparison_frame: perspective.comparison_frame,
            temporal_frame: perspective.temporal_frame,
        })
    }

    fn variables(&self) -> impl Iterator<Item = &Asked> {
        self.foreground.iter().chain(&self.grouping)
    }

    /// Resolves every name and every reference against a snapshot.
    pub(crate) fn resolve(&self, snapshot: &SnapshotBody) -> Result<Perspective, InvestigationError> {
        if self.foreground.is_empty() {
            return Err(InvestigationError::NothingForeground);
        }
        let asked: Vec<&Asked> = self.variables().collect();
        let nodes = match finding::found(&asked, snapshot)? {
            Some(nodes) => nodes,
            None => self.of_rows(snapshot)?,
        };
        let mut named = asked.iter().zip(&nodes).map(|(asked, node)| Foreground {
            node_id: node.node_id,
            variable: asked.variable.clone(),
            kind: asked.kind.word().to_owned(),
        });
        let foreground = named.by_ref().take(self.foreground.len()).collect();
        let grouping = named.next();
        let mut held_constant = self.held_constant.clone();
        held_constant.sort();
        let perspective = Perspective {
            schema_version: SafeInteger::from(1),
            foreground,
            grouping,
            viewpoint_purpose: self.viewpoint.word().to_owned(),
            held_constant,
            comparison_frame: self.comparison_frame,
            temporal_frame: self.temporal_frame,
        };
        check(&perspective)?;
        check_references(&perspective, snapshot)?;
        Ok(perspective)
    }

    /// The values nodes of columns, in the order of the variables.
    fn of_rows<'a>(&self, snapshot: &'a SnapshotBody) -> Result<Vec<&'a Node>, InvestigationError> {
        for asked in self.variables() {
            check_known(asked, snapshot)?;
        }
        let source = self.source(snapshot)?;
        let node = |asked: &Asked| {
            let node = values_of(snapshot, source, &asked.variable).ok_or_else(|| {
                InvestigationError::NotTogether {
                    variables: vec![asked.variable.clone()],
                }
            })?;
            check_node(&asked.variable, asked.kind, node)?;
            Ok(node)
        };
        self.variables().map(node).collect()
    }

    /// The one row projection that holds all variables: the rows of a mark must belong together. Of several, the one
    /// with the fewest columns keeps the most rows.
    fn source<'a>(&self, snapshot: &'a SnapshotBody) -> Result<&'a Source, InvestigationError> {
        let holds = |source: &Source| {
            self.variables().all(|asked| {
                let node = values_of(snapshot, source, &asked.variable);
                node.is_some_and(|node| asked.node_id.is_none_or(|node_id| node_id == node.node_id))
            })
        };
        let mut holding: Vec<(usize, &Source)> = row_projections(snapshot)
            .filter(|source| holds(source))
            .map(|source| {
                (
                    snapshot
                        .nodes_of(source.source_id)
                        .filter(|node| node.property_path == VALUES_PATH)
                        .count(),
                    source,
                )
            })
            .collect();
        holding.sort_by_key(|(n_columns, source)| (*n_columns, source.source_id));
        match holding.as_slice() {
            [] => Err(InvestigationError::NotTogether {
                variables: self.variables().map(|asked| asked.variable.clone()).collect(),
            }),
            [(first, _), (second, _), ..] if first == second => Err(InvestigationError::Ambiguous {
                variables: self.variables().map(|asked| asked.variable.clone()).collect(),
                sources: holding
                    .iter()
                    .map(|(_, source)| source.source_id.to_string())
                    .collect(),
            }),
            [(_, source), ..] => Ok(source),
        }
    }
}

/// Whether a committed perspective still means the same in this snapshot.
pub(crate) fn check_resolved(
    committed: &Perspective,
    snapshot: &SnapshotBody,
) -> Result<(), InvestigationError> {
    let resolved = AskedPerspective::from_wire(committed)?.resolve(snapshot)?;
    if resolved == *committed {
        Ok(())
    } else {
        Err(InvestigationError::Unresolved {
            reference: "perspective".to_owned(),
            why: "this snapshot resolves it to other nodes".to_owned(),
        })
    }
}

fn row_projections(snapshot: &SnapshotBody) -> impl Iterator<Item = &Source> {
    snapshot
        .sources
        .iter()
        .filter(|source| source.family == ROWS_FAMILY)
}

fn values_of<'a>(snapshot: &'a SnapshotBody, source: &Source, variable: &str) -> Option<&'a Node> {
    snapshot.find_in(source.source_id, &column_producer(variable), VALUES_PATH)
}

/// Says precisely why a name has no values node, when it has none.
fn check_known(asked: &Asked, snapshot: &SnapshotBody) -> Result<(), InvestigationError> {
    let variable = &asked.variable;
    let projected = row_projections(snapshot).filter_map(|source| values_of(snapshot, source, variable));
    let found: Vec<Identity<NodeKind>> = projected.map(|node| node.node_id).collect();
    if !found.is_empty() {
        return match asked.node_id {
            Some(node_id) if !found.contains(&node_id) => Err(InvestigationError::Unresolved {
                reference: node_id.to_string(),
                why: format!("it is not the values of `{variable}` in this snapshot"),
            }),
            _ => Ok(()),
        };
    }
    let asked_for = |source: &&Source| source.request.columns().contains(variable);
    if let Some(why) = row_projections(snapshot)
        .find(asked_for)
        .and_then(|source| why_not(&source.state))
    {
        return Err(InvestigationError::Unavailable {
            variable: variable.clone(),
            why,
        });
    }
    let producer = column_producer(variable);
    if let Some(node) = snapshot
        .nodes
        .iter()
        .find(|node| node.producer_semantic_id == producer)
    {
        return Err(InvestigationError::Unresolved {
            reference: variable.clone(),
            why: format!(
                "the snapshot holds `{}` of it but not its rows",
                node.property_path
            ),
        });
    }
    let mut known: Vec<String> = row_projections(snapshot)
        .flat_map(|source| snapshot.nodes_of(source.source_id))
        .filter(|node| node.property_path == VALUES_PATH)
        .filter_map(|node| {
            node.producer_semantic_id
                .strip_prefix("column:")
                .map(str::to_owned)
        })
        .collect();
    known.sort_by(|a, b| identity::utf16_cmp(a, b));
    known.dedup();
    let nearest = nearest(variable, known.iter().map(String::as_str));
    Err(InvestigationError::UnknownVariable {
        variable: variable.clone(),
        nearest,
        known,
    })
}

fn why_not(state: &State) -> Option<String> {
    match state {
        State::Available {} => None,
        State::Unavailable { reason } => Some(reason.clone()),
        State::Refused { owning_reason } => Some(owning_reason.clone()),
    }
}

fn check_node(variable: &str, kind: VariableKind, node: &Node) -> Result<(), InvestigationError> {
    if let Some(why) = why_not(&node.state) {
        return Err(InvestigationError::Unavailable {
            variable: variable.to_owned(),
            why,
        });
    }
    let scale = node.descriptor.scale.as_deref();
    if kind.supported_by(scale) {
        return Ok(());
    }
    Err(InvestigationError::Measurement {
        variable: variable.to_owned(),
        scale: scale.unwrap_or("unknown").to_owned(),
        asked: kind,
    })
}

fn check_references(perspective: &Perspective, snapshot: &SnapshotBody) -> Result<(), InvestigationError> {
    let held = perspective
        .held_constant
        .iter()
        .map(|node_id| ("held constant", node_id));
    let comparison = perspective
        .comparison_frame
        .iter()
        .map(|node_id| ("comparison frame", node_id));
    let temporal = perspective
        .temporal_frame
        .iter()
        .map(|node_id| ("temporal frame", node_id));
    for (role, node_id) in held.chain(comparison).chain(temporal) {
        let node = snapshot.node(*node_id);
        let why = match node {
            None => Some("the snapshot has no such node".to_owned()),
            Some(node) => why_not(&node.state),
        };
        if let Some(why) = why {
            return Err(InvestigationError::Unresolved {
                reference: format!("{role} {node_id}"),
                why,
            });
        }
    }
    Ok(())
}
