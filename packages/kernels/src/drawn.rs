//! Which columns of a leaf hold the values of a property: what a picture may draw of an analysis, row by row.
//!
//! The table is closed. It is read in both directions: a recipe asks where the values of a property stand, and whoever
//! checks a plan asks which property the columns of an element are the values of.

use crate::leaf::Columns;
use crate::wire::v1::Request;

/// Where the values of a property stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// One column, two for lower and upper ends, six for both ends of links: x, y, z of the first, then of the second.
    pub columns: Vec<String>,
    /// The column of categories and the category of the rows that are about it; all rows when there is none.
    pub rows: Option<(String, String)>,
    /// Whether they stand in the leaf of links instead of the first.
    pub in_links: bool,
}

/// One line of the table; `<x>` stands for the same text in all its parts.
struct Form {
    family: &'static str,
    producer: &'static str,
    path: &'static str,
    columns: &'static [&'static str],
    rows: Option<(&'static str, &'static str)>,
    in_links: bool,
}

const fn form(
    family: &'static str,
    producer: &'static str,
    path: &'static str,
    columns: &'static [&'static str],
) -> Form {
    Form {
        family,
        producer,
        path,
        columns,
        rows: None,
        in_links: false,
    }
}

const fn some(form: Form, column: &'static str, label: &'static str) -> Form {
    Form {
        rows: Some((column, label)),
        ..form
    }
}

const fn links(form: Form) -> Form {
    Form {
        in_links: true,
        ..form
    }
}

const ANY: &str = "<x>";
const OF_COLUMN: &str = "column:<x>";
const SHARES: &[&str] = &["shareLower", "shareUpper"];
const BOUNDS: &[&str] = &["lower", "upper"];
const VARIABLE: &str = "variable";

static FORMS: [Form; 31] = [
    form("rows", OF_COLUMN, "values", &[ANY]),
    form("temporal", OF_COLUMN, "values", &[ANY]),
    form("temporal", OF_COLUMN, "time", &[ANY]),
    form("cluster", OF_COLUMN, "values", &[ANY]),
    form("cluster", "clusters", "labels", &["cluster"]),
    form("density", "cells", "counts", &["count"]),
    form("density", "cells", "densities", &["density"]),
    form("density", "cells", "shareIntervals", SHARES),
    form("density", OF_COLUMN, "edges", &["<x>.lower", "<x>.upper"]),
    form("projection", "component:<x>", "scores", &["pc<x>"]),
    form("graph", "structure", "degree", &["degree"]),
    form("graph", "structure", "pageRank", &["pageRank"]),
    form("graph", "communities", "community", &["community"]),
    form("graph", "layout", "x", &["x"]),
    form("graph", "layout", "y", &["y"]),
    form("graph", "layout", "z", &["z"]),
    links(form(
        "graph",
        "structure",
        "linkEnds",
        &["x0", "y0", "z0", "x1", "y1", "z1"],
    )),
    some(
        form("distribution", OF_COLUMN, "histogram", &["count"]),
        VARIABLE,
        ANY,
    ),
    some(form("distribution", OF_COLUMN, "edges", BOUNDS), VARIABLE, ANY),
    some(
        form("distribution", OF_COLUMN, "levels", &["count"]),
        VARIABLE,
        ANY,
    ),
    some(
        form("distribution", OF_COLUMN, "levelNames", &["level"]),
        VARIABLE,
        ANY,
    ),
    some(
        form("distribution", OF_COLUMN, "shareIntervals", SHARES),
        VARIABLE,
        ANY,
    ),
    some(
        form("dependency", "pairs", "pearson", &["estimate"]),
        "claim",
        "pearson",
    ),
    some(
        form("dependency", "pairs", "pearsonIntervals", BOUNDS),
        "claim",
        "pearson",
    ),
    some(
        form("dependency", "pairs", "pearsonFirst", &["first"]),
        "claim",
        "pearson",
    ),
    some(
        form("dependency", "pairs", "pearsonSecond", &["second"]),
        "claim",
        "pearson",
    ),
    some(
        form("dependency", "groups:<x>", "groupMeans", &["estimate"]),
        "term",
        ANY,
    ),
    some(
        form("dependency", "groups:<x>", "groupMeanIntervals", BOUNDS),
        "term",
        ANY,
    ),
    some(
        form("dependency", "groups:<x>", "groupNames", &["second"]),
        "term",
        ANY,
    ),
    form("statistics", "estimates", "means", &["mean"]),
    form("statistics", "estimates", "meanIntervals", BOUNDS),
];

/// The `<x>` of a text that has the template's form.
fn unify<'a>(template: &str, text: &'a str) -> Option<&'a str> {
    match template.split_once(ANY) {
        Some((before, after)) => text.strip_prefix(before)?.strip_suffix(after),
        None => (template == text).then_some(""),
    }
}

fn put(template: &str, x: &str) -> String {
    template.replacen(ANY, x, 1)
}

impl Form {
    fn at(&self, x: &str) -> Drawn {
        Drawn {
            columns: self.columns.iter().map(|column| put(column, x)).collect(),
            rows: self
                .rows
                .map(|(column, label)| (column.to_owned(), put(label, x))),
            in_links: self.in_links,
        }
    }
}

/// Where the values of a property stand; nothing for a property whose values no leaf holds.
#[must_use]
pub fn drawn(family: &str, producer: &str, path: &str) -> Option<Drawn> {
    FORMS
        .iter()
        .filter(|form| form.family == family && form.path == path)
        .find_map(|form| Some(form.at(unify(form.producer, producer)?)))
}

/// The producers whose property of this path stands in these columns of these rows.
#[must_use]
pub fn producers(path: &str, drawn: &Drawn) -> Vec<String> {
    let fits = |form: &&Form| form.path == path && form.columns.len() == drawn.columns.len();
    let mut found: Vec<String> = FORMS
        .iter()
        .filter(fits)
        .filter_map(|form| {
            let (template, text) = match (form.columns.first(), &form.rows, &drawn.rows) {
                (Some(column), _, _) if column.contains(ANY) => (*column, drawn.columns.first()?.as_str()),
                (_, Some((_, label)), Some((_, text))) if label.contains(ANY) => (*label, text.as_str()),
                _ => ("", ""),
            };
            let x = unify(template, text)?;
            (form.at(x) == *drawn).then(|| put(form.producer, x))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// What a family is asked by itself when it is to be drawn: what no picture shows is not asked, because its caveats would
/// stand beside a picture that they are not about.
#[must_use]
pub fn settings_to_draw(family: &str, has_groups: bool) -> &'static [(&'static str, &'static str)] {
    match (family, has_groups) {
        ("distribution", _) => &[("parts", "histogram")],
        ("dependency", false) => &[("kind", "pearson")],
        ("dependency", true) => &[("kind", "anova")],
        _ => &[],
    }
}

/// The properties that stand in front when what an analysis found is to be seen: producer and path, in the order in which
/// a picture places them. Nothing for a family whose rows or numbers are asked for by column.
#[must_use]
pub fn in_front(request: &Request) -> Vec<(String, String)> {
    let of = |producer: &str, path: &str| (producer.to_owned(), path.to_owned());
    let column = |name: &String, path: &str| (crate::column_producer(name), path.to_owned());
    match request {
        Request::Rows { .. } | Request::Statistics { .. } => Vec::new(),
        Request::Density(asked) => {
            let edges = asked.columns.iter().map(|name| column(name, "edges"));
            edges
                .chain([of("cells", "counts"), of("cells", "shareIntervals")])
                .collect()
        }
        Request::Distribution(asked) => {
            let paths = ["histogram", "edges", "levels", "levelNames", "shareIntervals"];
            let all = asked
                .columns
                .iter()
                .flat_map(|name| paths.map(|path| column(name, path)));
            all.collect()
        }
        Request::Dependency(asked) => {
            let mut found: Vec<(String, String)> =
                ["pearson", "pearsonIntervals", "pearsonFirst", "pearsonSecond"]
                    .map(|path| of("pairs", path))
                    .to_vec();
            for response in asked.columns.iter().filter(|name| !asked.groups.contains(name)) {
                for group in &asked.groups {
                    let producer = format!("groups:{response}~{group}");
                    found.extend(
                        ["groupMeans", "groupMeanIntervals", "groupNames"]
                            .map(|path| (producer.clone(), path.to_owned())),
                    );
                }
            }
            found
        }
        Request::Cluster(asked) => {
            let values = asked.columns.iter().map(|name| column(name, "values"));
            values.chain([of("clusters", "labels")]).collect()
        }
        Request::Graph(_) => vec![
            of("layout", "x"),
            of("layout", "y"),
            of("layout", "z"),
            of("structure", "linkEnds"),
            of("communities", "community"),
        ],
        Request::Temporal(asked) => {
            let values = asked.series().into_iter().map(|name| column(name, "values"));
            [column(&asked.time, "time")].into_iter().chain(values).collect()
        }
        Request::Projection(asked) => (1..=asked.components.get())
            .map(|number| (format!("component:{number}"), "scores".to_owned()))
            .collect(),
    }
}

/// Whether the leaf has all of these columns.
#[must_use]
pub fn holds(leaf: &Columns, drawn: &Drawn) -> bool {
    let has = |name: &String| leaf.columns().iter().any(|column| column.name() == name);
    drawn.columns.iter().all(has) && drawn.rows.iter().all(|(column, _)| has(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_reads_alike_in_both_directions() {
        for form in &FORMS {
            let producer = put(form.producer, "a.b:c~d");
            let there = drawn(form.family, &producer, form.path);
            let there = there.expect("a line of the table answers for its own producer");
            assert!(
                producers(form.path, &there).contains(&producer),
                "{producer} {}",
                form.path
            );
            assert!(drawn(form.family, "another", form.path).is_none());
            let mut other = there.clone();
            other.columns[0].push('x');
            if !form.columns[0].ends_with(ANY) {
                assert!(!producers(form.path, &other).contains(&producer));
            }
        }
    }
}
