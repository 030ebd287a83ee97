//! The variables a perspective names, looked up in the snapshot and in the rows.

use investigation::wire::v2::Foreground;
use snapshot::wire::v1::{Node, Source, State};

use super::Inputs;
use super::draft::{self, Measured};
use crate::error::RecipeError;
use crate::palette;

#[derive(Clone)]
pub(super) struct Grouping<'a> {
    pub(super) node: &'a Node,
    pub(super) labels: Vec<String>,
}

pub(super) fn variable<'a>(inputs: &Inputs<'a>, asked: &Foreground) -> Result<Measured<'a>, RecipeError> {
    let (node, column) = column(inputs, asked)?;
    let wrong = |found: &str| RecipeError::WrongKind {
        variable: asked.variable.clone(),
        found: found.to_owned(),
        place: "an axis",
        needed: "a quantitative variable",
    };
    if asked.kind != "QUANTITATIVE" {
        return Err(wrong(&asked.kind.to_lowercase()));
    }
    let values = match (inputs.leaf.number(column), inputs.leaf.categories(column)) {
        (Some(values), _) => values,
        (None, Some(_)) => return Err(wrong("categorical")),
        (None, None) => return Err(RecipeError::NotInLeaf(column.to_owned())),
    };
    let (min, max) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
            (min.min(*value), max.max(*value))
        });
    draft::numbers(node, min, max)
}

pub(super) fn grouping<'a>(inputs: &Inputs<'a>, asked: &Foreground) -> Result<Grouping<'a>, RecipeError> {
    let (node, column) = column(inputs, asked)?;
    let wrong = |found: &str| RecipeError::WrongKind {
        variable: asked.variable.clone(),
        found: found.to_owned(),
        place: "the grouping",
        needed: "a categorical variable",
    };
    if asked.kind != "CATEGORICAL" {
        return Err(wrong(&asked.kind.to_lowercase()));
    }
    let labels = match (inputs.leaf.categories(column), inputs.leaf.number(column)) {
        (Some((labels, _)), _) => labels,
        (None, Some(_)) => return Err(wrong("quantitative")),
        (None, None) => return Err(RecipeError::NotInLeaf(column.to_owned())),
    };
    if labels.len() > palette::MOST {
        return Err(RecipeError::TooManyCategories {
            column: column.to_owned(),
            count: labels.len(),
            most: palette::MOST,
        });
    }
    Ok(Grouping {
        node,
        labels: labels.to_vec(),
    })
}

/// The available `values` node that the perspective names, and its column.
fn column<'a>(inputs: &Inputs<'a>, asked: &Foreground) -> Result<(&'a Node, &'a str), RecipeError> {
    let missing = || RecipeError::NotInSnapshot(asked.variable.clone());
    let node = inputs
        .snapshot
        .body()
        .nodes
        .iter()
        .find(|node| node.node_id == asked.node_id && matches!(node.state, State::Available {}))
        .ok_or_else(missing)?;
    let column = node
        .producer_semantic_id
        .strip_prefix("column:")
        .ok_or_else(missing)?;
    if node.property_path != "values" || source_of(inputs, node)?.leaf_ref.is_none() {
        return Err(missing());
    }
    Ok((node, column))
}

pub(super) fn source_of<'a>(inputs: &Inputs<'a>, node: &Node) -> Result<&'a Source, RecipeError> {
    let sources = &inputs.snapshot.body().sources;
    sources
        .iter()
        .find(|source| source.source_id == node.source_id)
        .ok_or_else(|| RecipeError::NotInSnapshot(node.descriptor.label.clone()))
}
