//! Where links come from: the links of a dataset, or two columns that name their ends.

use std::collections::BTreeMap;

use dataset::{CellRef, Column, ColumnKind, Dataset};

use super::links::{Graph, LinkSet, Nodes, Stated};
use crate::cases::Cases;
use crate::error::KernelError;
use crate::family::resolve;
use crate::partial::{Partial, together};
use crate::wire::v1::graph::Direction;
use crate::wire::v1::{Exclusion, GraphRequest};

/// The most nodes.
pub(super) const MAX_NODES: usize = 200_000;
/// The most stated links.
pub(super) const MAX_LINKS: usize = 2_000_000;
/// Links that one worker reads at a time.
const CHUNK: usize = 16_384;

/// A graph with where it comes from.
pub(super) struct Read<'a> {
    pub(super) graph: Graph,
    /// The columns of a request, or the key column of the nodes.
    pub(super) columns: Vec<&'a Column>,
    /// Whether the nodes are rows of the dataset.
    pub(super) nodes_are_rows: bool,
    /// Whether it is known from the data or the request that links have a direction or have none.
    pub(super) direction_stated: bool,
    pub(super) weighted: bool,
    pub(super) n_rows: usize,
    pub(super) n_rows_used: usize,
    pub(super) excluded: Vec<Exclusion>,
    pub(super) n_stated: usize,
    pub(super) n_excluded: usize,
}

pub(super) fn read<'a>(dataset: &'a Dataset, request: &GraphRequest) -> Result<Read<'a>, KernelError> {
    let read = if request.columns.is_empty() {
        from_links(dataset, request)?
    } else {
        from_columns(dataset, request)?
    };
    let graph = &read.graph;
    if graph.links.is_empty() {
        return Err(KernelError::TooFew {
            family: super::FAMILY.word,
            what: "links between different nodes",
            found: 0,
            needed: 1,
            columns: subjects(dataset, request),
        });
    }
    within(graph.n_nodes(), "nodes", MAX_NODES)?;
    let total = (0..graph.n_nodes())
        .map(|idx| graph.neighbors.strength(idx))
        .fold(0.0, |sum, strength| sum + strength);
    if !total.is_finite() {
        return Err(KernelError::LinkUnusable {
            link: "of the whole graph".to_owned(),
            problem: "the weights add up beyond the range of doubles".to_owned(),
        });
    }
    Ok(read)
}

/// What a refusal is about.
fn subjects(dataset: &Dataset, request: &GraphRequest) -> Vec<String> {
    if request.columns.is_empty() {
        vec![format!("the links of {}", dataset.name())]
    } else {
        request.columns.clone()
    }
}

fn within(found: usize, what: &'static str, limit: usize) -> Result<(), KernelError> {
    if found > limit {
        return Err(KernelError::TooMany {
            method: super::METHOD,
            what,
            found,
            limit,
        });
    }
    Ok(())
}

/// Reads in chunks side by side; what comes together does not depend on who was first.
fn gathered(stated: &[Stated]) -> LinkSet {
    together(stated, CHUNK, LinkSet::of)
}

fn positive(weight: Option<f64>, link: impl Fn() -> String) -> Result<f64, KernelError> {
    match weight {
        Some(weight) if weight > 0.0 && weight.is_finite() => Ok(weight),
        _ => Err(KernelError::LinkUnusable {
            link: link(),
            problem: "a weight is a positive number".to_owned(),
        }),
    }
}

fn from_links<'a>(dataset: &'a Dataset, request: &GraphRequest) -> Result<Read<'a>, KernelError> {
    let Some(edges) = dataset.edges() else {
        return Err(KernelError::MeaningMissing {
            family: super::FAMILY.word,
            missing: "links: name the two columns that hold their ends, or import a file of nodes and links"
                .to_owned(),
        });
    };
    let n_rows = dataset.n_rows();
    within(n_rows, "nodes", MAX_NODES)?;
    within(edges.as_slice().len(), "links", MAX_LINKS)?;
    let mut keys: Vec<String> = (0..n_rows).map(|idx| dataset.row_key(idx).to_string()).collect();
    let mut stated = Vec::with_capacity(edges.as_slice().len());
    let mut n_excluded = 0;
    for (link_idx, members) in edges.as_slice().iter().enumerate() {
        let link = || (link_idx + 1).to_string();
        let end = |member: &str| -> Result<String, KernelError> {
            if let Some(rows) = edges.rows() {
                return Ok(keys[rows[link_idx][usize::from(member == "target")]].clone());
            }
            let stated = members.get(member);
            let end = End {
                text: stated.and_then(|end| end.as_str()),
                whole: stated.and_then(|end| end.as_i64()),
                told: stated.map_or_else(|| "nothing".to_owned(), ToString::to_string),
            };
            Ok(keys[row_of_end(dataset, &end, link)?].clone())
        };
        let (source, target) = (end("source")?, end("target")?);
        let weight = match &request.weight {
            None => 1.0,
            Some(member) => match members.get(member).filter(|value| !value.is_null()) {
                Some(value) => positive(value.as_f64(), link)?,
                None => {
                    n_excluded += 1;
                    continue;
                }
            },
        };
        stated.push(Stated {
            source,
            target,
            weight,
        });
    }
    if dataset.key_column().is_some() {
        keys.sort_unstable_by(|a, b| identity::utf16_cmp(a, b));
    }
    let (directed, direction_stated) = match request.direction {
        Direction::Directed => (true, true),
        Direction::Undirected => (false, true),
        Direction::AsStated => (edges.directed() == Some(true), edges.directed().is_some()),
    };
    Ok(Read {
        graph: Graph::new(gathered(&stated), Nodes::Known(keys), directed)?,
        columns: dataset.key_column().into_iter().collect(),
        nodes_are_rows: true,
        direction_stated,
        weighted: request.weight.is_some(),
        n_rows,
        n_rows_used: n_rows,
        excluded: Vec::new(),
        n_stated: edges.as_slice().len(),
        n_excluded,
    })
}

/// An end as a link states it.
struct End<'a> {
    text: Option<&'a str>,
    whole: Option<i64>,
    /// What a refusal quotes.
    told: String,
}

/// What an end names when no import resolved it: the key of a row. A number is a key when the key column holds numbers, and else a place from 0.
fn row_of_end(dataset: &Dataset, end: &End<'_>, link: impl Fn() -> String) -> Result<usize, KernelError> {
    let key_is_number = dataset
        .key_column()
        .is_some_and(|key| key.kind() == ColumnKind::Numeric);
    let found = match (end.text, end.whole) {
        (Some(key), _) => dataset.row_of_key(key),
        (None, Some(number)) if key_is_number => dataset.row_of_key(&number.to_string()),
        (None, Some(place)) => usize::try_from(place)
            .ok()
            .filter(|place| *place < dataset.n_rows()),
        (None, None) => None,
    };
    found.ok_or_else(|| KernelError::LinkUnusable {
        link: link(),
        problem: format!("it ends at {}, which is no row of the dataset", end.told),
    })
}

fn from_columns<'a>(dataset: &'a Dataset, request: &GraphRequest) -> Result<Read<'a>, KernelError> {
    let columns = resolve(dataset, &request.columns)?;
    for column in &columns[..2] {
        names_nodes(column)?;
    }
    if let Some(weight) = columns.get(2)
        && weight.kind() != ColumnKind::Numeric
    {
        return Err(KernelError::KindUnsupported {
            column: weight.name().to_owned(),
            kind: weight.kind(),
            family: super::FAMILY.word,
            needed: "a NUMERIC column of weights",
        });
    }
    let cases = Cases::at_least(dataset, &columns, super::FAMILY.word, 1)?;
    within(cases.rows.len(), "links", MAX_LINKS)?;
    let mut stated = Vec::with_capacity(cases.rows.len());
    for row_idx in &cases.rows {
        let weight = match columns.get(2) {
            None => 1.0,
            Some(column) => positive(column.number(*row_idx).known(), || {
                format!("of {}", dataset.row_key(*row_idx))
            })?,
        };
        stated.push(Stated {
            source: text(columns[0], *row_idx),
            target: text(columns[1], *row_idx),
            weight,
        });
    }
    let n_rows = dataset.n_rows();
    Ok(Read {
        graph: Graph::new(
            gathered(&stated),
            Nodes::Named,
            request.direction == Direction::Directed,
        )?,
        columns,
        nodes_are_rows: false,
        direction_stated: request.direction != Direction::AsStated,
        weighted: request.weight.is_some(),
        n_rows,
        n_rows_used: cases.rows.len(),
        excluded: cases.excluded,
        n_stated: n_rows,
        n_excluded: n_rows - cases.rows.len(),
    })
}

/// Texts and whole numbers name nodes; measurements and dates do not.
fn names_nodes(column: &Column) -> Result<(), KernelError> {
    let is_whole = || {
        (0..column.n_rows()).all(|row_idx| match column.cell(row_idx) {
            CellRef::Integer(_) | CellRef::Missing(_) | CellRef::Text(_) => true,
            CellRef::Number(value) => value.trunc() == value && value.abs() < 9e15,
        })
    };
    match column.kind() {
        ColumnKind::Categorical | ColumnKind::Text => Ok(()),
        ColumnKind::Numeric if is_whole() => Ok(()),
        kind @ (ColumnKind::Numeric | ColumnKind::Temporal | ColumnKind::Unknown) => {
            Err(KernelError::KindUnsupported {
                column: column.name().to_owned(),
                kind,
                family: super::FAMILY.word,
                needed: "columns that name nodes by text or by whole numbers",
            })
        }
    }
}

/// The name of a node: text as written, whole numbers as digits. Only called where there is a value.
fn text(column: &Column, row_idx: usize) -> String {
    match column.cell(row_idx) {
        CellRef::Text(text) => text.to_owned(),
        CellRef::Integer(value) => value.to_string(),
        CellRef::Number(value) => (value as i64).to_string(),
        CellRef::Missing(_) => String::new(),
    }
}

/// How many nodes have how many links, in order of degree.
pub(super) fn distribution(degrees: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
    let mut counted: BTreeMap<usize, usize> = BTreeMap::new();
    for degree in degrees {
        *counted.entry(degree).or_default() += 1;
    }
    counted.into_iter().collect()
}
