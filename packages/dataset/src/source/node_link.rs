//! JSON graphs as d3 and networkx write them: an object with `nodes` and `links` (or `edges`), and perhaps `directed`,
//! `multigraph` and `graph`.
//!
//! Nodes are the rows, links the edge list with all their members. A link's `source` and `target` name nodes by the value
//! of a member (`id`, as both write it) or by place in the list, from 0 (as d3 reads them when nothing else is said).
//! Which it is, is stated (a column, the key column, or the place), or else decided so: the first of `id`, `name`, `key`
//! and `label` that every node has with a value of its own and that every end names; else the place, when every end is
//! one; else the import is refused at the first end that names nothing. The number 1 and the text "1" are different.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::json_rows::{Layout, names, rows};
use super::json_scan::{Event, Scanner};
use super::text::Decoded;
use super::{RawCell, RowPlace, RowSink, Source, Structure, check_counts, escape_pointer};
use crate::decide::plural;
use crate::edges::Edges;
use crate::error::{ImportError, Place, excerpt};
use crate::limits::Limits;
use crate::literal::{self, Literal};
use crate::options::{Ends, Format, ImportOptions};
use crate::report::{Note, NoteCode};
use crate::wire::v1::LinkStructure;

/// Members of nodes that links usually name, in the order in which they are tried.
const USUAL: [&str; 4] = ["id", "name", "key", "label"];

/// A graph whose nodes are known by name and whose links are resolved.
pub(crate) struct NodeLink<'a> {
    decoded: Decoded<'a>,
    nodes: Layout,
    names: Vec<String>,
    ends: Ends,
    edges: Edges,
}

impl<'a> NodeLink<'a> {
    /// Opens by what was stated; what ends name is looked at.
    pub(crate) fn open(
        decoded: Decoded<'a>,
        options: &ImportOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Self, ImportError> {
        let stated = options.ends.clone();
        let stated = stated.or_else(|| options.key.clone().map(Ends::Column));
        Self::read(decoded, stated, &options.limits, notes)
    }

    /// Opens by the structure a recipe holds.
    pub(crate) fn reopen(
        decoded: Decoded<'a>,
        structure: Option<&LinkStructure>,
        limits: &Limits,
    ) -> Result<Self, ImportError> {
        // A sealed recipe of a graph has a link structure; see `RecipeBody::check`.
        let structure = structure.ok_or_else(|| ImportError::Recipe {
            cause: "it has no link structure".to_owned(),
        })?;
        let ends = structure.ends.clone().map_or(Ends::Position, Ends::Column);
        Self::read(decoded, Some(ends), limits, &mut Vec::new())
    }

    fn read(
        decoded: Decoded<'a>,
        stated: Option<Ends>,
        limits: &Limits,
        notes: &mut Vec<Note>,
    ) -> Result<Self, ImportError> {
        let parts = parts(&decoded, limits, notes)?;
        let nodes = Layout::Inside("/nodes", parts.nodes_at);
        let source = decoded.source();
        let names = names(source, nodes, limits)?;
        let links = links(&decoded, &parts, limits)?;
        let edges = Edges::new(links.members).map_err(|fault| ImportError::Link {
            place: Place::Pointer {
                pointer: format!("{}/{}", parts.within, fault.edge() - 1),
                offset: links.offsets[fault.edge() - 1],
            },
            fault,
        })?;
        let mut index = NodeIndex::new(&names, stated.as_ref());
        rows(source, nodes, &names, limits, &mut index)?;
        let resolver = Resolver {
            within: parts.within,
            offsets: &links.offsets,
            edges: &edges,
            index: &index,
        };
        let (ends, rows) = match stated {
            Some(ends) => {
                let rows = resolver.rows(&ends)?;
                (ends, rows)
            }
            None => resolver.detect(notes)?,
        };
        let edges = edges.resolved(rows, parts.directed, parts.multigraph);
        tell(&edges, notes);
        Ok(Self {
            decoded,
            nodes,
            names,
            ends,
            edges,
        })
    }
}

impl Source for NodeLink<'_> {
    fn structure(&self) -> Structure {
        let ends = match &self.ends {
            Ends::Column(column) => Some(column.clone()),
            Ends::Position => None,
        };
        Structure {
            links: Some(LinkStructure { ends }),
            ..Structure::of(Format::NodeLink, self.decoded.encoding)
        }
    }

    fn names(&self) -> &[String] {
        &self.names
    }

    fn rows(
        &self,
        limits: &Limits,
        sink: &mut dyn RowSink,
        _notes: &mut Vec<Note>,
    ) -> Result<usize, ImportError> {
        rows(self.decoded.source(), self.nodes, &self.names, limits, sink)
    }

    fn edges(&self) -> Option<&Edges> {
        Some(&self.edges)
    }
}

/// Where the parts of a graph stand.
struct Parts {
    nodes_at: usize,
    links_at: usize,
    /// `/links` or `/edges`.
    within: &'static str,
    directed: Option<bool>,
    multigraph: Option<bool>,
}

fn parts(decoded: &Decoded<'_>, limits: &Limits, notes: &mut Vec<Note>) -> Result<Parts, ImportError> {
    let mut scanner = Scanner::new(decoded.source(), 0, "", limits);
    scanner.skip_space();
    scanner.take(b'{', "an object with `nodes` and `links`")?;
    scanner.skip_space();
    let (mut nodes_at, mut links_at) = (None, None);
    let (mut directed, mut multigraph) = (None, None);
    let mut seen: Vec<String> = Vec::new();
    let mut attributes: Vec<String> = Vec::new();
    scanner.members(&mut |scanner, name, offset| {
        let at_member = |what: String| ImportError::Graph {
            place: Place::Pointer {
                pointer: format!("/{}", escape_pointer(name)),
                offset,
            },
            what,
        };
        if seen.iter().any(|known| known == name) {
            return Err(at_member(format!("`{}` appears twice", excerpt(name))));
        }
        seen.push(name.to_owned());
        match name {
            "nodes" => {
                nodes_at = Some(scanner.at);
                scanner.skip_value()
            }
            "links" | "edges" => {
                if links_at.is_some() {
                    return Err(at_member("a graph has `links` or `edges`, not both".to_owned()));
                }
                links_at = Some((scanner.at, if name == "links" { "/links" } else { "/edges" }));
                scanner.skip_value()
            }
            "directed" | "multigraph" => {
                let Some(truth) = scanner.truth() else {
                    return Err(at_member(format!("`{name}` is true or false")));
                };
                if name == "directed" {
                    directed = Some(truth);
                } else {
                    multigraph = Some(truth);
                }
                Ok(())
            }
            "graph" if scanner.took(b'{') => {
                scanner.skip_space();
                scanner.members(&mut |scanner, name, _| {
                    attributes.push(format!("`{}`", excerpt(name)));
                    scanner.skip_value()
                })
            }
            "graph" => scanner.skip_value(),
            other => Err(at_member(format!(
                "`{}` is no member of a graph; nodes, links or edges, directed, multigraph and graph are",
                excerpt(other)
            ))),
        }
    })?;
    scanner.end("the end of the file after the graph")?;
    if !attributes.is_empty() {
        let text = format!(
            "the graph's own attributes are not read: {}; they stay in the file",
            attributes.join(", ")
        );
        notes.push(Note::new(NoteCode::Links, text));
    }
    let lacks = |what: &str| ImportError::Graph {
        place: Place::Pointer {
            pointer: String::new(),
            offset: decoded.source().n_before(),
        },
        what: format!("the graph has no {what}"),
    };
    let nodes_at = nodes_at.ok_or_else(|| lacks("`nodes`"))?;
    let (links_at, within) = links_at.ok_or_else(|| lacks("`links` or `edges`"))?;
    Ok(Parts {
        nodes_at,
        links_at,
        within,
        directed,
        multigraph,
    })
}

struct Links {
    members: Vec<Map<String, Value>>,
    offsets: Vec<usize>,
}

fn links(decoded: &Decoded<'_>, parts: &Parts, limits: &Limits) -> Result<Links, ImportError> {
    let mut links = Links {
        members: Vec::new(),
        offsets: Vec::new(),
    };
    let mut n_members: usize = 0;
    let mut scanner = Scanner::new(decoded.source(), parts.links_at, parts.within, limits);
    scanner.rows(&mut |event| {
        match event {
            Event::Row { row, offset } => {
                let place = Place::Pointer {
                    pointer: format!("{}/{}", parts.within, row - 1),
                    offset,
                };
                check_counts(row, 1 + n_members / row, limits, place)?;
                links.members.push(Map::new());
                links.offsets.push(offset);
            }
            Event::Member {
                row,
                key,
                offset,
                cell,
            } => {
                n_members += 1;
                let place = || Place::Pointer {
                    pointer: format!("{}/{}/{}", parts.within, row - 1, escape_pointer(&key)),
                    offset,
                };
                let value = value(&cell).ok_or_else(|| ImportError::Graph {
                    place: place(),
                    what: "the number lies beyond the range of double precision".to_owned(),
                })?;
                let members = links.members.last_mut().expect("a row begins before its members");
                if members.insert(key.to_string(), value).is_some() {
                    return Err(ImportError::DuplicateMember { place: place() });
                }
            }
            Event::RowEnd => {}
        }
        Ok(())
    })?;
    Ok(links)
}

fn value(cell: &RawCell<'_>) -> Option<Value> {
    match cell {
        RawCell::Number(text) => serde_json::from_str(text).ok(),
        RawCell::Bool(value) => Some(Value::Bool(*value)),
        RawCell::Null | RawCell::Absent => Some(Value::Null),
        text => text.text().map(|text| Value::String(text.to_owned())),
    }
}

/// What an end says, so that the number 1 and the text "1" differ and 1 and 1.0 do not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Text(String),
    Number(String),
}

impl Name {
    fn of_cell(cell: &RawCell<'_>) -> Option<Self> {
        match cell {
            RawCell::String(text) => Some(Self::Text(text.to_string())),
            RawCell::Number(text) => Some(Self::of_number(text)),
            _ => None,
        }
    }

    fn of_value(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.clone())),
            Value::Number(number) => Some(Self::of_number(&number.to_string())),
            _ => None,
        }
    }

    /// Integers that a double does not hold exactly keep their digits.
    fn of_number(text: &str) -> Self {
        match (literal::classify(text), literal::to_double(text)) {
            (Literal::UnsafeInteger, _) | (_, None) => Self::Number(text.to_owned()),
            (_, Some(value)) => Self::Number(ryu_js::Buffer::new().format_finite(value).to_owned()),
        }
    }

    fn told(&self) -> String {
        match self {
            Self::Text(text) => format!("\"{}\"", excerpt(text)),
            Self::Number(text) => excerpt(text),
        }
    }
}

/// The nodes by the values of each member that ends may name.
struct NodeIndex {
    n_nodes: usize,
    columns: Vec<IndexedColumn>,
}

struct IndexedColumn {
    name: String,
    column_idx: usize,
    /// Whether every node has a value of its own.
    names_all: bool,
    rows: BTreeMap<Name, usize>,
}

impl NodeIndex {
    fn new(names: &[String], stated: Option<&Ends>) -> Self {
        let wanted: Vec<&str> = match stated {
            Some(Ends::Column(column)) => vec![column],
            Some(Ends::Position) => Vec::new(),
            None => USUAL.to_vec(),
        };
        let columns = wanted.iter().filter_map(|wanted| {
            let column_idx = names.iter().position(|name| name == wanted)?;
            Some(IndexedColumn {
                name: (*wanted).to_owned(),
                column_idx,
                names_all: true,
                rows: BTreeMap::new(),
            })
        });
        Self {
            n_nodes: 0,
            columns: columns.collect(),
        }
    }
}

impl RowSink for NodeIndex {
    fn row(&mut self, _place: RowPlace, cells: &[RawCell<'_>]) -> Result<(), ImportError> {
        for column in &mut self.columns {
            let name = Name::of_cell(&cells[column.column_idx]);
            let new = name.is_some_and(|name| column.rows.insert(name, self.n_nodes).is_none());
            column.names_all &= new;
        }
        self.n_nodes += 1;
        Ok(())
    }
}

/// Finds the rows that ends name.
struct Resolver<'a> {
    within: &'static str,
    offsets: &'a [usize],
    edges: &'a Edges,
    index: &'a NodeIndex,
}

impl Resolver<'_> {
    fn rows(&self, ends: &Ends) -> Result<Vec<[usize; 2]>, ImportError> {
        let column = match ends {
            Ends::Position => None,
            Ends::Column(name) => {
                let column = self.index.columns.iter().find(|column| column.name == *name);
                let column = column.ok_or_else(|| ImportError::UnknownColumn {
                    name: name.clone(),
                    purpose: "name the ends of links",
                    nearest: None,
                })?;
                if !column.names_all {
                    return Err(ImportError::Option {
                        what: format!(
                            "not every node has a value of its own in `{name}`, so ends can't name nodes by it"
                        ),
                    });
                }
                Some(column)
            }
        };
        let find = |name: &Name| match column {
            Some(column) => column.rows.get(name).copied(),
            None => match name {
                Name::Number(text) => text.parse().ok().filter(|place| *place < self.index.n_nodes),
                Name::Text(_) => None,
            },
        };
        let mut rows = Vec::with_capacity(self.edges.as_slice().len());
        for (edge_idx, members) in self.edges.as_slice().iter().enumerate() {
            let mut row = [0, 0];
            for (found, member) in row.iter_mut().zip(["source", "target"]) {
                let name = members.get(member).and_then(Name::of_value);
                *found = name
                    .as_ref()
                    .and_then(find)
                    .ok_or_else(|| ImportError::UnknownEnd {
                        place: Place::Pointer {
                            pointer: format!("{}/{edge_idx}/{member}", self.within),
                            offset: self.offsets[edge_idx],
                        },
                        end: name.as_ref().map_or_else(String::new, Name::told),
                        by: match column {
                            Some(column) => format!("`{}`", column.name),
                            None => format!("its place from 0 to {}", self.index.n_nodes.saturating_sub(1)),
                        },
                    })?;
            }
            rows.push(row);
        }
        Ok(rows)
    }

    fn detect(&self, notes: &mut Vec<Note>) -> Result<(Ends, Vec<[usize; 2]>), ImportError> {
        let by_place = self.rows(&Ends::Position);
        let mut first_fault = None;
        for column in self.index.columns.iter().filter(|column| column.names_all) {
            let ends = Ends::Column(column.name.clone());
            match self.rows(&ends) {
                Ok(rows) => {
                    if by_place.as_ref().is_ok_and(|by_place| *by_place != rows) {
                        let text = format!(
                            "ends of links could be places in the list too; they are read as `{}`, and `--ends \
                             @position` reads them as places",
                            column.name
                        );
                        notes.push(Note::new(NoteCode::Links, text));
                    }
                    return Ok((ends, rows));
                }
                Err(fault) => first_fault = first_fault.or(Some(fault)),
            }
        }
        match (by_place, first_fault) {
            (Ok(rows), _) => Ok((Ends::Position, rows)),
            (Err(_), Some(fault)) => Err(fault),
            (Err(fault), None) => Err(fault),
        }
    }
}

/// Counts what a reader of the graph should know: links that repeat, links of a node with itself.
fn tell(edges: &Edges, notes: &mut Vec<Note>) {
    let rows = edges.rows().unwrap_or_default();
    let n_loops = rows.iter().filter(|[source, target]| source == target).count();
    let mut pairs: Vec<[usize; 2]> = rows
        .iter()
        .map(|[source, target]| match edges.directed() {
            Some(false) => [*source.min(target), *source.max(target)],
            Some(true) | None => [*source, *target],
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let n_repeated = rows.len() - pairs.len();
    if n_loops > 0 {
        let text = format!(
            "{} a node with itself",
            plural_verb(n_loops, "link joins", "links join")
        );
        notes.push(Note::new(NoteCode::Links, text));
    }
    if n_repeated > 0 {
        let mut text = format!(
            "{} two nodes that an earlier one joins; all are kept",
            plural_verb(n_repeated, "link joins", "links join")
        );
        if edges.multigraph() == Some(false) {
            text.push_str(", though the file says that it is no multigraph");
        }
        notes.push(Note::new(NoteCode::Links, text));
    }
    if edges.directed().is_none() {
        let text = format!(
            "the file does not say whether its {} a direction",
            if rows.len() == 1 {
                "link has".to_owned()
            } else {
                format!("{} have", plural(rows.len(), "link"))
            }
        );
        notes.push(Note::new(NoteCode::Links, text));
    }
}

fn plural_verb(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
