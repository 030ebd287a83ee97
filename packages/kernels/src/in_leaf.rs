//! Which columns of a leaf hold the values of a property.
//!
//! The table is closed. It is read in both directions: whoever has a property asks where its values stand, and whoever has
//! columns asks which property they are the values of.

use crate::leaf::Columns;

/// Where the values of a property stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLeaf {
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

static FORMS: [Form; 29] = [
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
    fn at(&self, x: &str) -> InLeaf {
        InLeaf {
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
pub fn in_leaf(family: &str, producer: &str, path: &str) -> Option<InLeaf> {
    FORMS
        .iter()
        .filter(|form| form.family == family && form.path == path)
        .find_map(|form| Some(form.at(unify(form.producer, producer)?)))
}

/// The producers whose property of this path stands in these columns of these rows.
#[must_use]
pub fn producers(path: &str, drawn: &InLeaf) -> Vec<String> {
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

/// Whether the leaf has all of these columns.
#[must_use]
pub fn holds(leaf: &Columns, drawn: &InLeaf) -> bool {
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
            let there = in_leaf(form.family, &producer, form.path);
            let there = there.expect("a line of the table answers for its own producer");
            assert!(
                producers(form.path, &there).contains(&producer),
                "{producer} {}",
                form.path
            );
            assert!(in_leaf(form.family, "another", form.path).is_none());
            let mut other = there.clone();
            other.columns[0].push('x');
            if !form.columns[0].ends_with(ANY) {
                assert!(!producers(form.path, &other).contains(&producer));
            }
        }
    }
}
