//! `scatter_volume` and `scatter_stereo`: three quantitative variables on x, y, z, an optional grouping on hue with shape.

use std::collections::BTreeSet;

use investigation::wire::v2::Foreground;

use super::Inputs;
use super::draft::{On, Picture, Shown};
use super::variables::{grouping, source_of, variable};
use crate::error::RecipeError;
use crate::graph::Graph;
use crate::wire::v2::{Placement, PrimitiveKind};

/// Limitation code: positions in the volume carry nothing; the walls do.
pub const DEPTH_CLAIMS_NOTHING: &str = "DEPTH_CLAIMS_NOTHING";

/// Limitation code: positions in the volume claim order, which no study has yet shown for this display.
pub const STEREO_POSITION_UNVALIDATED: &str = "STEREO_POSITION_UNVALIDATED";

const WALLS: [(&str, Placement, [bool; 3]); 3] = [
    ("marks.wall_xy", Placement::WallXy, [true, true, false]),
    ("marks.wall_xz", Placement::WallXz, [true, false, true]),
    ("marks.wall_zy", Placement::WallZy, [false, true, true]),
];

pub(super) fn propose(
    id: &'static str,
    version: &'static str,
    walls: bool,
    inputs: &Inputs<'_>,
) -> Result<Graph, RecipeError> {
    let perspective = inputs
        .context
        .body()
        .perspective
        .as_ref()
        .ok_or(RecipeError::NoPerspective)?;
    let asked = &perspective.foreground;
    if let Some(family) = family_in_front(inputs, asked)
        && family != kernels::ROWS
    {
        return Err(RecipeError::OtherFamily {
            recipe: id,
            needed: kernels::ROWS,
            found: family.to_owned(),
        });
    }
    let mut seen = BTreeSet::new();
    if let Some(twice) = asked.iter().find(|variable| !seen.insert(variable.node_id)) {
        return Err(RecipeError::Duplicate(twice.variable.clone()));
    }
    let [x, y, z] = asked.as_slice() else {
        return Err(RecipeError::Foreground {
            recipe: id,
            needed: 3,
            found: asked.len(),
        });
    };
    if inputs.leaf.n_rows() == 0 {
        return Err(RecipeError::NoRows);
    }
    let (x, y, z) = (variable(inputs, x)?, variable(inputs, y)?, variable(inputs, z)?);
    let grouping = perspective
        .grouping
        .as_ref()
        .map(|asked| grouping(inputs, asked))
        .transpose()?;
    for other in [y.node, z.node]
        .into_iter()
        .chain(grouping.as_ref().map(|grouping| grouping.node))
    {
        if other.source_id != x.node.source_id {
            return Err(RecipeError::NotAligned {
                first: x.node.descriptor.label.clone(),
                second: other.descriptor.label.clone(),
            });
        }
    }
    Picture {
        recipe: (id, version),
        source: source_of(inputs, x.node)?,
        axes: [Some(x), Some(y), Some(z)],
        grouping,
        shown: volume_and_walls(walls),
        joined: None,
        is_full: false,
        readings: vec![reading(walls)],
    }
    .graph(inputs)
}

/// The family of the first thing in front.
fn family_in_front<'a>(inputs: &Inputs<'a>, asked: &[Foreground]) -> Option<&'a str> {
    let body = inputs.snapshot.body();
    let first = asked.first()?;
    let node = body.nodes.iter().find(|node| node.node_id == first.node_id)?;
    Some(&source_of(inputs, node).ok()?.family)
}

/// How positions in the volume are read.
fn reading(walls: bool) -> &'static str {
    if walls {
        DEPTH_CLAIMS_NOTHING
    } else {
        STEREO_POSITION_UNVALIDATED
    }
}

/// Symbols in the volume, and where there are walls, their projections, which carry the order in its place.
pub(super) fn volume_and_walls<'a>(walls: bool) -> Vec<Shown<'a>> {
    let symbols = |id, placement, on: [bool; 3], carries, limitations| Shown {
        id,
        kind: PrimitiveKind::PointIdentity,
        placement,
        form: None,
        on: on.map(|on| on.then_some(On::Axis)),
        carries,
        is_grouped: true,
        ramp: None,
        limitations,
    };
    let mut shown = vec![symbols(
        "marks.volume",
        Placement::Volume,
        [true; 3],
        !walls,
        vec![reading(walls)],
    )];
    if walls {
        shown.extend(WALLS.map(|(id, placement, on)| symbols(id, placement, on, true, Vec::new())));
    }
    shown
}
