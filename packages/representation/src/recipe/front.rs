//! What an analysis found, as a recipe sees it: the properties in front, with their values in the leaf.

use kernels::InLeaf;
use snapshot::wire::v1::{Node, Source, State};

use super::Inputs;
use super::draft::{self, Measured};
use super::variables::{Grouping, source_of};
use crate::error::RecipeError;
use crate::palette;
use crate::wire::v2::Domain;

/// Most categories along an axis: more labels do not fit beside each other.
pub(super) const MOST_BANDS: usize = 16;

/// The properties of one analysis that stand in front.
pub(super) struct Front<'a> {
    inputs: &'a Inputs<'a>,
    recipe: &'static str,
    pub(super) source: &'a Source,
    nodes: Vec<&'a Node>,
}

impl<'a> Front<'a> {
    /// What the perspective names, if it is of the family.
    pub(super) fn of(
        recipe: &'static str,
        family: &'static str,
        inputs: &'a Inputs<'a>,
    ) -> Result<Self, RecipeError> {
        let perspective = inputs.context.body().perspective.as_ref();
        let asked = &perspective.ok_or(RecipeError::NoPerspective)?.foreground;
        let body = inputs.snapshot.body();
        let node = |asked: &investigation::wire::v2::Foreground| {
            let mut nodes = body.nodes.iter();
            let found =
                nodes.find(|node| node.node_id == asked.node_id && node.state == (State::Available {}));
            found.ok_or_else(|| RecipeError::NotInSnapshot(asked.variable.clone()))
        };
        let nodes = asked.iter().map(node).collect::<Result<Vec<&Node>, _>>()?;
        let first = nodes.first().ok_or(RecipeError::NoPerspective)?;
        let source = source_of(inputs, first)?;
        if source.family != family {
            return Err(RecipeError::OtherFamily {
                recipe,
                needed: family,
                found: source.family.clone(),
            });
        }
        if inputs.leaf.n_rows() == 0 {
            return Err(RecipeError::NoRows);
        }
        Ok(Self {
            inputs,
            recipe,
            source,
            nodes,
        })
    }

    /// The recipe does not fit, and why.
    pub(super) fn unfit(&self, why: impl Into<String>, next: &'static str) -> RecipeError {
        RecipeError::Unfit {
            recipe: self.recipe,
            why: why.into(),
            next,
        }
    }

    /// The properties of a path, in the order of the perspective.
    pub(super) fn all(&self, path: &str) -> Vec<&'a Node> {
        let nodes = self.nodes.iter().copied();
        nodes.filter(|node| node.property_path == path).collect()
    }

    /// The one property of a path.
    pub(super) fn one(&self, path: &str) -> Result<&'a Node, RecipeError> {
        match self.all(path).as_slice() {
            [node] => Ok(node),
            found => Err(self.unfit(
                format!("{} properties `{path}` stand in front, it draws one", found.len()),
                "Ask the analysis about fewer columns.",
            )),
        }
    }

    fn drawn(&self, node: &Node) -> Result<InLeaf, RecipeError> {
        let drawn = kernels::in_leaf(
            &self.source.family,
            &node.producer_semantic_id,
            &node.property_path,
        );
        let missing = || RecipeError::NotInLeaf(node.descriptor.label.clone());
        let drawn = drawn.ok_or_else(missing)?;
        if kernels::holds(self.inputs.leaf, &drawn) || drawn.in_links {
            Ok(drawn)
        } else {
            Err(missing())
        }
    }

    /// Whether a row is among those that a property is about.
    fn is_about(&self, drawn: &InLeaf) -> Result<Vec<bool>, RecipeError> {
        let leaf = self.inputs.leaf;
        let Some((column, label)) = &drawn.rows else {
            return Ok(vec![true; leaf.n_rows()]);
        };
        let (labels, codes) = leaf
            .categories(column)
            .ok_or_else(|| RecipeError::NotInLeaf(column.clone()))?;
        let wanted = labels.iter().position(|known| known == label);
        let is_it = |code: &u32| usize::try_from(*code).ok() == wanted;
        Ok(codes.iter().map(is_it).collect())
    }

    /// The least and the greatest value of a property.
    pub(super) fn span(&self, node: &Node) -> Result<(f64, f64), RecipeError> {
        let drawn = self.drawn(node)?;
        let about = self.is_about(&drawn)?;
        let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
        for column in &drawn.columns {
            let values = self.inputs.leaf.number(column);
            let values = values.ok_or_else(|| RecipeError::NotInLeaf(column.clone()))?;
            for (value, _) in values.iter().zip(&about).filter(|(_, about)| **about) {
                ends = (ends.0.min(*value), ends.1.max(*value));
            }
        }
        if ends.0 > ends.1 {
            return Err(RecipeError::NoRows);
        }
        Ok(ends)
    }

    /// The sum of a property's values.
    pub(super) fn sum(&self, node: &Node) -> Result<f64, RecipeError> {
        let drawn = self.drawn(node)?;
        let about = self.is_about(&drawn)?;
        let values = drawn
            .columns
            .first()
            .and_then(|column| self.inputs.leaf.number(column));
        let values = values.ok_or_else(|| RecipeError::NotInLeaf(node.descriptor.label.clone()))?;
        let counted = values.iter().zip(&about).filter(|(_, about)| **about);
        Ok(counted.map(|(value, _)| value).sum())
    }

    /// An axis over the values of a property.
    pub(super) fn numbers(&self, node: &'a Node) -> Result<Measured<'a>, RecipeError> {
        let (min, max) = self.span(node)?;
        draft::numbers(node, min, max)
    }

    /// An axis from zero over the values of a property, and up to `least` where they end below.
    pub(super) fn standing_on_zero(&self, node: &'a Node, least: f64) -> Result<Measured<'a>, RecipeError> {
        let (min, max) = self.span(node)?;
        draft::numbers(node, min.min(0.0), max.max(least))
    }

    /// The categories of a property that occur in its rows, in the order of the leaf.
    pub(super) fn labels(&self, node: &Node) -> Result<Vec<String>, RecipeError> {
        let drawn = self.drawn(node)?;
        let about = self.is_about(&drawn)?;
        let categories = drawn
            .columns
            .first()
            .and_then(|column| self.inputs.leaf.categories(column));
        let (labels, codes) =
            categories.ok_or_else(|| RecipeError::NotInLeaf(node.descriptor.label.clone()))?;
        let mut occurs = vec![false; labels.len()];
        for (code, _) in codes.iter().zip(&about).filter(|(_, about)| **about) {
            if let Some(occurs) = usize::try_from(*code).ok().and_then(|code| occurs.get_mut(code)) {
                *occurs = true;
            }
        }
        let named = labels.iter().zip(occurs).filter(|(_, occurs)| *occurs);
        Ok(named.map(|(label, _)| label.clone()).collect())
    }

    /// An axis of bands, one a category.
    pub(super) fn bands(&self, node: &'a Node) -> Result<Measured<'a>, RecipeError> {
        let labels = self.labels(node)?;
        if labels.len() > MOST_BANDS {
            return Err(RecipeError::TooManyCategories {
                column: node.descriptor.label.clone(),
                count: labels.len(),
                most: MOST_BANDS,
            });
        }
        Ok(Measured {
            node,
            domain: Domain::Categories { labels },
            limitation: None,
            has_words: true,
        })
    }

    /// A grouping by a property.
    pub(super) fn groups(&self, node: &'a Node) -> Result<Grouping<'a>, RecipeError> {
        let labels = self.labels(node)?;
        if labels.len() > palette::MOST {
            return Err(RecipeError::TooManyCategories {
                column: node.descriptor.label.clone(),
                count: labels.len(),
                most: palette::MOST,
            });
        }
        Ok(Grouping { node, labels })
    }
}
