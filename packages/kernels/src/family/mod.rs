//! The closed table of families, and what each of them provides.
//!
//! A family is a module with `answer` (a request answered), `slots` (what the answer says, from the request alone) and
//! `request` (the request that columns and settings make). It enters the table with complete receipts or not at all.

pub(crate) mod cluster;
pub(crate) mod density;
pub(crate) mod dependency;
pub(crate) mod distribution;
pub(crate) mod graph;
pub(crate) mod projection;
pub(crate) mod rows;
pub(crate) mod seeded;
pub(crate) mod space;
pub(crate) mod statistics;
pub(crate) mod temporal;

use dataset::{Column, Dataset, Status};

use crate::analysis::Provenance;
use crate::error::KernelError;
use crate::leaf::Columns;
use crate::limitation::{Limitation, LimitationCode};
use crate::output::{Output, Slot};
use crate::settings::Settings;
use crate::watch::Watch;
use crate::wire::v1::{Content, Receipt, Request};

/// The family word of descriptive statistics.
pub const STATISTICS: &str = "statistics";
/// The family word of row projections.
pub const ROWS: &str = "rows";

/// The most columns in one request.
pub const MAX_COLUMNS: usize = 64;

/// One row of the table of families.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    /// The word of requests, contents and sources.
    pub word: &'static str,
    /// What it answers, in a phrase.
    pub answers: &'static str,
    /// The governed consumer of its receipts on the Forma path.
    pub consumer: &'static str,
    /// How its receipts are named.
    pub receipts: &'static str,
    /// Whether a request names columns at all.
    pub needs_columns: bool,
    /// Whether an answer has bulk values in a leaf.
    pub has_leaf: bool,
    /// How many leaves an answer may have beside it.
    pub further_leaves: usize,
    /// The closed producers of its properties, in UTF-16 order.
    pub producers: &'static [&'static str],
    /// The closed names of its properties, in UTF-16 order; `<…>` stands for a text of the request.
    pub paths: &'static [&'static str],
}

impl Family {
    /// Whether its requests may name CATEGORICAL columns beside NUMERIC ones.
    #[must_use]
    pub fn takes_categories(&self) -> bool {
        matches!(self.word, ROWS | "dependency" | "distribution")
    }
}

/// Every family, by word.
pub const FAMILIES: [&Family; 9] = [
    &cluster::FAMILY,
    &density::FAMILY,
    &dependency::FAMILY,
    &distribution::FAMILY,
    &graph::FAMILY,
    &projection::FAMILY,
    &rows::FAMILY,
    &statistics::FAMILY,
    &temporal::FAMILY,
];

/// The family of a request.
#[must_use]
pub fn family(request: &Request) -> &'static Family {
    match request {
        Request::Statistics { .. } => &statistics::FAMILY,
        Request::Rows { .. } => &rows::FAMILY,
        Request::Distribution(_) => &distribution::FAMILY,
        Request::Dependency(_) => &dependency::FAMILY,
        Request::Density(_) => &density::FAMILY,
        Request::Cluster(_) => &cluster::FAMILY,
        Request::Graph(_) => &graph::FAMILY,
        Request::Temporal(_) => &temporal::FAMILY,
        Request::Projection(_) => &projection::FAMILY,
    }
}

/// What an answered request says, in the order of the request; what it says follows from the request alone.
#[must_use]
pub fn slots(request: &Request) -> Vec<Slot> {
    match request {
        Request::Statistics {
            columns, quantiles, ..
        } => statistics::slots(columns, quantiles),
        Request::Rows { columns } => rows::slots(columns),
        Request::Distribution(request) => distribution::slots(request),
        Request::Dependency(request) => dependency::slots(request),
        Request::Density(request) => density::slots(request),
        Request::Cluster(request) => cluster::slots(request),
        Request::Graph(request) => graph::slots(request),
        Request::Temporal(request) => temporal::slots(request),
        Request::Projection(request) => projection::slots(request),
    }
}

/// The request that a family makes of columns and settings, with its defaults for what is not stated.
///
/// # Errors
/// [`KernelError::UnknownFamily`] and [`KernelError::Setting`], and what the family refuses without seeing data.
pub fn request(word: &str, columns: Vec<String>, stated: &[(&str, &str)]) -> Result<Request, KernelError> {
    let Some(family) = FAMILIES.iter().find(|family| family.word == word) else {
        return Err(KernelError::UnknownFamily {
            word: word.to_owned(),
        });
    };
    let mut settings = Settings::new(family.word, stated)?;
    let request = match family.word {
        STATISTICS => statistics::request(columns, &mut settings)?,
        ROWS => Request::Rows { columns },
        "distribution" => Request::Distribution(distribution::request(columns, &mut settings)?),
        "dependency" => Request::Dependency(dependency::request(columns, &mut settings)?),
        "density" => Request::Density(density::request(columns, &mut settings)?),
        "cluster" => Request::Cluster(cluster::request(columns, &mut settings)?),
        "graph" => Request::Graph(graph::request(columns, &mut settings)?),
        "temporal" => Request::Temporal(temporal::request(columns, &mut settings)?),
        "projection" => Request::Projection(projection::request(columns, &mut settings)?),
        _ => {
            return Err(KernelError::UnknownFamily {
                word: word.to_owned(),
            });
        }
    };
    settings.finish()?;
    Ok(request)
}

/// As [`request`], with the defaults that only the data show: in `dependency`, CATEGORICAL columns name groups; in
/// `temporal`, the only column of dates tells the time.
///
/// # Errors
/// As [`request`].
pub fn request_about(
    dataset: &Dataset,
    word: &str,
    columns: Vec<String>,
    stated: &[(&str, &str)],
) -> Result<Request, KernelError> {
    let is_stated = |name: &str| stated.iter().any(|(known, _)| *known == name);
    let mut stated_and_shown = stated.to_vec();
    let groups = dependency::grouped_by_kind(dataset, &columns);
    let named = columns.clone();
    let shown = match word {
        "dependency" => groups.as_deref().map(|groups| ("groups", groups)),
        "temporal" => temporal::time_by_kind(dataset, &named).map(|time| ("time", time)),
        _ => None,
    };
    if word == temporal::FAMILY.word && shown.is_none() && !is_stated("time") && columns.len() > 1 {
        return Err(temporal::no_time(dataset, &columns));
    }
    stated_and_shown.extend(shown.filter(|(name, _)| !is_stated(name)));
    request(word, columns, &stated_and_shown)
}

/// What a family makes of a request.
pub(crate) struct Parts {
    pub(crate) content: Content,
    pub(crate) leaf: Option<Columns>,
    pub(crate) further_leaves: Vec<Columns>,
    pub(crate) outputs: Vec<Output>,
    pub(crate) receipts: Vec<Receipt>,
    pub(crate) provenance: Provenance,
    pub(crate) limitations: Vec<Limitation>,
}

pub(crate) fn answer(
    dataset: &Dataset,
    asked: &Request,
    watch: &mut Watch<'_>,
) -> Result<Parts, KernelError> {
    check_names(asked)?;
    watch.tell("reading columns", 0, Some(dataset.n_rows()))?;
    match asked {
        Request::Statistics {
            columns,
            quantiles,
            confidence_level,
        } => statistics::answer(dataset, columns, quantiles, confidence_level.get()),
        Request::Rows { columns } => rows::answer(dataset, columns),
        Request::Distribution(request) => distribution::answer(dataset, request),
        Request::Dependency(request) => dependency::answer(dataset, request),
        Request::Density(request) => density::answer(dataset, request),
        Request::Cluster(request) => cluster::answer(dataset, request, watch),
        Request::Graph(request) => graph::answer(dataset, request, watch),
        Request::Temporal(request) => temporal::answer(dataset, request),
        Request::Projection(request) => projection::answer(dataset, request),
    }
}

fn check_names(request: &Request) -> Result<(), KernelError> {
    let columns = request.columns();
    if columns.is_empty() && family(request).needs_columns {
        return Err(KernelError::NoColumns);
    }
    if columns.len() > MAX_COLUMNS {
        return Err(KernelError::TooManyColumns {
            found: columns.len(),
            limit: MAX_COLUMNS,
        });
    }
    let repeated = columns
        .iter()
        .enumerate()
        .find(|(idx, name)| columns[..*idx].contains(name));
    match repeated {
        Some((_, name)) => Err(KernelError::RepeatedColumn { name: name.clone() }),
        None => Ok(()),
    }
}

pub(crate) fn resolve<'a>(dataset: &'a Dataset, names: &[String]) -> Result<Vec<&'a Column>, KernelError> {
    let column = |name: &String| {
        dataset.column(name).ok_or_else(|| KernelError::UnknownColumn {
            name: name.clone(),
            nearest: dataset.nearest_column_name(name).map(str::to_owned),
        })
    };
    names.iter().map(column).collect()
}

/// Says once which units were read off names.
pub(crate) fn unit_inferred(columns: &[&Column]) -> Option<Limitation> {
    // By unit, in the order in which each is first met.
    let mut inferred: Vec<(&str, Vec<&str>)> = Vec::new();
    for column in columns {
        let unit = column.model().unit();
        let Some(unit) = unit.filter(|unit| unit.status() == Status::Inferred) else {
            continue;
        };
        match inferred.iter_mut().find(|(known, _)| *known == unit.text()) {
            Some((_, names)) => names.push(column.name()),
            None => inferred.push((unit.text(), vec![column.name()])),
        }
    }
    if inferred.is_empty() {
        return None;
    }
    let inferred: Vec<String> = inferred
        .iter()
        .map(|(unit, names)| format!("{unit} of {}", names.join(", ")))
        .collect();
    let sentence = "as read off the name, not confirmed";
    Some(Limitation::new(LimitationCode::UnitInferred, sentence).about(inferred.join("; ")))
}

/// The name of a leaf's own column: `name`, or `<family>.<name>` where a column of the data is called `name` already.
pub(crate) fn own_name(
    family: &str,
    name: &str,
    mut columns: impl Iterator<Item = impl AsRef<str>>,
) -> String {
    if columns.any(|column| column.as_ref() == name) {
        format!("{family}.{name}")
    } else {
        name.to_owned()
    }
}

impl Request {
    /// The family word.
    #[must_use]
    pub fn family(&self) -> &'static str {
        family(self).word
    }

    /// The columns in the order asked for; none when the request is about links.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Statistics { columns, .. } | Self::Rows { columns } => columns,
            Self::Distribution(request) => &request.columns,
            Self::Dependency(request) => &request.columns,
            Self::Density(request) => &request.columns,
            Self::Cluster(request) => &request.columns,
            Self::Graph(request) => &request.columns,
            Self::Temporal(request) => &request.columns,
            Self::Projection(request) => &request.columns,
        }
    }
}

impl Content {
    /// The family word.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self {
            Self::Statistics { .. } => STATISTICS,
            Self::Rows { .. } => ROWS,
            Self::Distribution(_) => distribution::FAMILY.word,
            Self::Dependency(_) => dependency::FAMILY.word,
            Self::Density(_) => density::FAMILY.word,
            Self::Cluster(_) => cluster::FAMILY.word,
            Self::Graph(_) => graph::FAMILY.word,
            Self::Temporal(_) => temporal::FAMILY.word,
            Self::Projection(_) => projection::FAMILY.word,
        }
    }

    /// The leaf with the bulk values, if there is one.
    #[must_use]
    pub fn leaf(&self) -> Option<identity::Digest> {
        match self {
            Self::Rows { leaf, .. } => Some(*leaf),
            Self::Statistics { .. } => None,
            Self::Distribution(content) => Some(content.leaf),
            Self::Dependency(content) => Some(content.leaf),
            Self::Density(content) => Some(content.leaf),
            Self::Cluster(content) => Some(content.leaf),
            Self::Graph(content) => Some(content.leaf),
            Self::Temporal(content) => Some(content.leaf),
            Self::Projection(content) => Some(content.leaf),
        }
    }

    /// The leaves beside it, in their order: the links of a graph that has a layout.
    #[must_use]
    pub fn further_leaves(&self) -> Vec<identity::Digest> {
        match self {
            Self::Graph(content) => content.links_leaf.into_iter().collect(),
            Self::Statistics { .. }
            | Self::Rows { .. }
            | Self::Distribution(_)
            | Self::Dependency(_)
            | Self::Density(_)
            | Self::Cluster(_)
            | Self::Temporal(_)
            | Self::Projection(_) => Vec::new(),
        }
    }

    /// Rows used of rows in the dataset, where the content states them for all of it.
    #[must_use]
    pub fn support(&self) -> Option<(identity::SafeInteger, identity::SafeInteger)> {
        match self {
            Self::Rows {
                total_rows,
                rows_used,
                ..
            } => Some((*rows_used, *total_rows)),
            Self::Statistics { .. } => None,
            Self::Distribution(content) => Some((content.rows_used, content.total_rows)),
            Self::Dependency(content) => Some((content.rows_used, content.total_rows)),
            Self::Density(content) => Some((content.rows_used, content.total_rows)),
            Self::Cluster(content) => Some((content.rows_used, content.total_rows)),
            Self::Graph(content) => Some((content.rows_used, content.total_rows)),
            Self::Temporal(content) => Some((content.rows_used, content.total_rows)),
            Self::Projection(content) => Some((content.rows_used, content.total_rows)),
        }
    }
}
