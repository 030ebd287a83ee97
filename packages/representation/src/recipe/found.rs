//! Recipes that draw what an analysis found: bins, levels, cells, groups of rows, linked nodes, series, pairs, estimates.
//!
//! Where marks stand in the volume, walls beside them carry the order; where one quantity stands against bins or groups,
//! the back wall does alone. Uncertainty that the analysis gives lies over the marks it belongs to.

use identity::Finite;
use snapshot::wire::v1::Node;

use super::draft::{Joined, Measured, On, Picture, Shown};
use super::front::Front;
use super::scatter::{DEPTH_CLAIMS_NOTHING, volume_and_walls};
use super::{Inputs, Recipe};
use crate::error::RecipeError;
use crate::graph::Graph;
use crate::palette;
use crate::wire::v2::{Domain, Form, Placement, PrimitiveKind};

/// Limitation code: places come from a layout; near and far mean nothing.
pub const LAYOUT_MEASURES_NOTHING: &str = "LAYOUT_MEASURES_NOTHING";

/// Limitation code: there are more groups than hue and shape tell apart, so all marks look the same.
pub const GROUPS_NOT_TOLD_APART: &str = "GROUPS_NOT_TOLD_APART";

/// Limitation code: the line between two marks says only that one follows the other.
pub const LINE_IS_ORDER_ONLY: &str = "LINE_IS_ORDER_ONLY";

/// Width of links in meters.
const LINK_WIDTH: f64 = 0.002;

const ANALYZED: &str = "Ask the analysis about fewer columns, with --foreground or --set.";

/// A recipe that draws what one family found.
pub(super) struct Found {
    id: &'static str,
    family: &'static str,
    statement: &'static str,
    decide: for<'a> fn(&Front<'a>, Blank<'a>) -> Result<Picture<'a>, RecipeError>,
}

/// A picture of nothing, with what every picture of the analysis has.
type Blank<'a> = Picture<'a>;

impl Recipe for Found {
    fn id(&self) -> &'static str {
        self.id
    }

    fn version(&self) -> &'static str {
        "1.0.0"
    }

    fn statement(&self) -> &'static str {
        self.statement
    }

    fn propose(&self, inputs: &Inputs<'_>) -> Result<Graph, RecipeError> {
        let front = Front::of(self.id, self.family, inputs)?;
        let blank = Picture {
            recipe: (self.id, self.version()),
            source: front.source,
            axes: [None, None, None],
            grouping: None,
            shown: Vec::new(),
            joined: None,
            is_full: true,
            readings: Vec::new(),
        };
        (self.decide)(&front, blank)?.graph(inputs)
    }
}

pub(super) static HISTOGRAM_WALL: Found = Found {
    id: "histogram_wall",
    family: "distribution",
    statement: "the bins of one column of numbers as bars on the back wall, with the interval of each bin's share",
    decide: histogram_wall,
};

pub(super) static BAR_FIELD: Found = Found {
    id: "bar_field",
    family: "distribution",
    statement: "the levels of one column of labels as bars on the back wall, with the interval of each level's share",
    decide: bar_field,
};

pub(super) static DENSITY_TERRAIN: Found = Found {
    id: "density_terrain",
    family: "density",
    statement: "the cells of two columns of numbers as terraces as high as their counts, with both profiles on the walls",
    decide: density_terrain,
};

pub(super) static CLUSTER_ISLANDS: Found = Found {
    id: "cluster_islands",
    family: "cluster",
    statement: "rows in a space of two or three columns, told apart by the groups that a cluster analysis found",
    decide: cluster_islands,
};

pub(super) static NODE_LINK_SPACE: Found = Found {
    id: "node_link_space",
    family: "graph",
    statement: "nodes at the places of a layout, with their links and communities",
    decide: node_link_space,
};

pub(super) static TIME_RIBBON: Found = Found {
    id: "time_ribbon",
    family: "temporal",
    statement: "one or two series through time, joined in the order of their rows and broken at gaps",
    decide: time_ribbon,
};

pub(super) static CORRELATION_PLANE: Found = Found {
    id: "correlation_plane",
    family: "dependency",
    statement: "the correlation of every pair of columns as a bar from zero, with its interval",
    decide: correlation_plane,
};

pub(super) static INTERVAL_FIELD: Found = Found {
    id: "interval_field",
    family: "dependency",
    statement: "the mean of each group with its interval, on one scale",
    decide: interval_field,
};

const ACROSS_AND_UP: [bool; 3] = [true, true, false];

fn marks<'a>(id: &'static str, placement: Placement, form: Option<Form>, on: [bool; 3]) -> Shown<'a> {
    Shown {
        id,
        kind: PrimitiveKind::PointIdentity,
        placement,
        form,
        on: on.map(|on| on.then_some(On::Axis)),
        carries: false,
        is_grouped: false,
        ramp: None,
        limitations: Vec::new(),
    }
}

impl<'a> Shown<'a> {
    fn carrying(self) -> Self {
        Self {
            carries: true,
            ..self
        }
    }

    /// The same axes with an interval in the place of the height.
    fn interval(
        id: &'static str,
        placement: Placement,
        on: [bool; 3],
        node: &'a Node,
        height: Domain,
    ) -> Self {
        let mut shown = marks(id, placement, Some(Form::Spans), on);
        shown.kind = PrimitiveKind::Uncertainty;
        shown.on[1] = Some(On::Other(node, height));
        shown
    }
}

/// The ends of an axis of numbers.
fn ends(measured: &Measured<'_>) -> (f64, f64) {
    match &measured.domain {
        Domain::Interval { min, max } => (min.get(), max.get()),
        Domain::Categories { .. } | Domain::Statement {} => (0.0, 0.0),
    }
}

fn interval((min, max): (f64, f64)) -> Result<Domain, RecipeError> {
    let finite = |value| Finite::new(value).map_err(|_| RecipeError::Unbindable("an interval".to_owned()));
    Ok(Domain::Interval {
        min: finite(min)?,
        max: finite(max)?,
    })
}

/// Counts with the intervals of their shares: the wall's height stands for both.
fn counted<'a>(
    front: &Front<'a>,
    picture: Picture<'a>,
    across: Measured<'a>,
    counts: &'a Node,
    inset: Form,
) -> Result<Picture<'a>, RecipeError> {
    let n = front.sum(counts)?;
    let shares = front.one("shareIntervals");
    let widest = match &shares {
        Ok(shares) => front.span(shares)?.1 * n,
        Err(_) => 0.0,
    };
    let up = front.standing_on_zero(counts, widest)?;
    let mut shown = vec![marks("marks.bars", Placement::WallXy, Some(inset), ACROSS_AND_UP).carrying()];
    if let Ok(shares) = shares {
        let (min, max) = ends(&up);
        let height = interval((min / n, max / n))?;
        shown.push(Shown::interval(
            "marks.intervals",
            Placement::WallXy,
            ACROSS_AND_UP,
            shares,
            height,
        ));
    }
    Ok(Picture {
        axes: [Some(across), Some(up), None],
        shown,
        ..picture
    })
}

fn histogram_wall<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    if !front.all("levels").is_empty() {
        let why = "a column of labels stands in front, and it draws bins of numbers";
        return Err(front.unfit(why, "Draw the bars of labels, or name one column of numbers."));
    }
    let across = front.numbers(front.one("edges")?)?;
    counted(front, blank, across, front.one("histogram")?, Form::Bars)
}

fn bar_field<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    if !front.all("histogram").is_empty() {
        let why = "a column of numbers stands in front, and it draws levels of labels";
        return Err(front.unfit(why, "Draw its histogram, or name one column of labels."));
    }
    let across = front.bands(front.one("levelNames")?)?;
    counted(front, blank, across, front.one("levels")?, Form::Bars)
}

fn density_terrain<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    let edges = front.all("edges");
    let [x, z] = edges.as_slice() else {
        let why = format!(
            "cells of {} columns stand in front, and terraces have two",
            edges.len()
        );
        return Err(front.unfit(why, ANALYZED));
    };
    let counts = front.one("counts")?;
    let mut terraces = marks("marks.volume", Placement::Volume, Some(Form::Bars), [true; 3]);
    terraces.ramp = Some(1);
    terraces.limitations = vec![DEPTH_CLAIMS_NOTHING];
    let profile = |id, placement, on| marks(id, placement, Some(Form::Dashes), on).carrying();
    Ok(Picture {
        axes: [
            Some(front.numbers(x)?),
            Some(front.standing_on_zero(counts, 0.0)?),
            Some(front.numbers(z)?),
        ],
        shown: vec![
            terraces,
            profile("marks.wall_xy", Placement::WallXy, ACROSS_AND_UP),
            profile("marks.wall_zy", Placement::WallZy, [false, true, true]),
        ],
        readings: vec![DEPTH_CLAIMS_NOTHING],
        ..blank
    })
}

fn cluster_islands<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    let grouping = Some(front.groups(front.one("labels")?)?);
    let values = front.all("values");
    let (axes, shown, readings) = match values.as_slice() {
        [x, y] => {
            let mut wall = marks("marks.wall_xy", Placement::WallXy, None, ACROSS_AND_UP).carrying();
            wall.is_grouped = true;
            let axes = [Some(front.numbers(x)?), Some(front.numbers(y)?), None];
            (axes, vec![wall], Vec::new())
        }
        [x, y, z] => {
            let axes = [
                Some(front.numbers(x)?),
                Some(front.numbers(y)?),
                Some(front.numbers(z)?),
            ];
            (axes, volume_and_walls(true), vec![DEPTH_CLAIMS_NOTHING])
        }
        other => {
            let why = format!(
                "the groups stand in a space of {} columns, and it draws two or three",
                other.len()
            );
            return Err(front.unfit(why, ANALYZED));
        }
    };
    Ok(Picture {
        axes,
        grouping,
        shown,
        readings,
        ..blank
    })
}

fn node_link_space<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    let axis = |path| -> Result<Measured<'a>, RecipeError> {
        Ok(Measured {
            has_words: false,
            ..front.numbers(front.one(path)?)?
        })
    };
    let communities = front.one("community")?;
    let mut readings = vec![LAYOUT_MEASURES_NOTHING];
    let grouping = if front.labels(communities)?.len() <= palette::MOST {
        Some(front.groups(communities)?)
    } else {
        readings.push(GROUPS_NOT_TOLD_APART);
        None
    };
    let mut nodes = marks("marks.volume", Placement::Volume, None, [true; 3]);
    nodes.is_grouped = true;
    nodes.limitations = vec![LAYOUT_MEASURES_NOTHING];
    Ok(Picture {
        axes: [Some(axis("x")?), Some(axis("y")?), Some(axis("z")?)],
        grouping,
        shown: vec![nodes],
        joined: Some(Joined {
            node: front.one("linkEnds")?,
            width: LINK_WIDTH,
        }),
        readings,
        ..blank
    })
}

fn time_ribbon<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    let time = front.numbers(front.one("time")?)?;
    let series = front.all("values");
    let line = |placement, on| {
        let mut line = marks("marks.line", placement, Some(Form::Line), on);
        line.limitations = vec![LINE_IS_ORDER_ONLY];
        line
    };
    let wall = |id, placement, on| marks(id, placement, None, on).carrying();
    let xy = wall("marks.wall_xy", Placement::WallXy, ACROSS_AND_UP);
    let (deep, shown, mut readings) = match series.as_slice() {
        [_] => {
            let shown = vec![xy, line(Placement::WallXy, ACROSS_AND_UP)];
            (None, shown, Vec::new())
        }
        [_, deep] => {
            let mut volume = marks("marks.volume", Placement::Volume, None, [true; 3]);
            volume.limitations = vec![DEPTH_CLAIMS_NOTHING];
            let shown = vec![
                volume,
                line(Placement::Volume, [true; 3]),
                xy,
                wall("marks.wall_xz", Placement::WallXz, [true, false, true]),
            ];
            (Some(front.numbers(deep)?), shown, vec![DEPTH_CLAIMS_NOTHING])
        }
        other => {
            let why = format!("{} series stand in front, and it draws one or two", other.len());
            return Err(front.unfit(why, ANALYZED));
        }
    };
    readings.push(LINE_IS_ORDER_ONLY);
    Ok(Picture {
        axes: [Some(time), Some(front.numbers(series[0])?), deep],
        shown,
        readings,
        ..blank
    })
}

fn correlation_plane<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    if front.all("pearson").is_empty() {
        let why = "no correlations stand in front";
        return Err(front.unfit(
            why,
            "Ask for them: --set dependency.claims=pearson, over two or more columns of numbers.",
        ));
    }
    let up = super::draft::numbers(front.one("pearson")?, -1.0, 1.0)?;
    let mut bars = marks("marks.volume", Placement::Volume, Some(Form::Bars), [true; 3]);
    bars.ramp = Some(1);
    bars.limitations = vec![DEPTH_CLAIMS_NOTHING];
    let profile = |id, placement, on| marks(id, placement, Some(Form::Dashes), on).carrying();
    let mut shown = vec![
        bars,
        profile("marks.wall_xy", Placement::WallXy, ACROSS_AND_UP),
        profile("marks.wall_zy", Placement::WallZy, [false, true, true]),
    ];
    if let Ok(intervals) = front.one("pearsonIntervals") {
        let height = up.domain.clone();
        shown.push(Shown::interval(
            "marks.intervals",
            Placement::Volume,
            [true; 3],
            intervals,
            height,
        ));
    }
    Ok(Picture {
        axes: [
            Some(front.bands(front.one("pearsonFirst")?)?),
            Some(up),
            Some(front.bands(front.one("pearsonSecond")?)?),
        ],
        shown,
        readings: vec![DEPTH_CLAIMS_NOTHING],
        ..blank
    })
}

fn interval_field<'a>(front: &Front<'a>, blank: Blank<'a>) -> Result<Picture<'a>, RecipeError> {
    if front.all("groupMeans").is_empty() {
        let why = "no means of groups stand in front";
        return Err(front.unfit(why, "Name a column of numbers and one of labels: --foreground NUMBER --group-by LABEL, and draw dependency."));
    }
    let means = front.one("groupMeans")?;
    let (mut min, mut max) = front.span(means)?;
    let intervals = front.one("groupMeanIntervals");
    if let Ok(intervals) = &intervals {
        let (lower, upper) = front.span(intervals)?;
        (min, max) = (min.min(lower), max.max(upper));
    }
    let up = super::draft::numbers(means, min, max)?;
    let mut shown = vec![marks("marks.wall_xy", Placement::WallXy, None, ACROSS_AND_UP).carrying()];
    if let Ok(intervals) = intervals {
        let height = up.domain.clone();
        shown.push(Shown::interval(
            "marks.intervals",
            Placement::WallXy,
            ACROSS_AND_UP,
            intervals,
            height,
        ));
    }
    Ok(Picture {
        axes: [Some(front.bands(front.one("groupNames")?)?), Some(up), None],
        shown,
        ..blank
    })
}
