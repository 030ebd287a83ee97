//! How marks of a primitive are made: symbols, cuboids, a line, links.

use kernels::InLeaf;
use representation::wire::v2::{BindingRecord, Channel, Domain, Form, Placement, Primitive, Range};
use representation::{palette, volume};

use super::Inputs;
use super::marks::{self, Made};
use crate::PlanError;
use crate::element::{AxisPlace, Band, Boxes, Extent, Links, Paint, Path, Points, Ramp, Rows, Scaled};

/// How far marks of a wall stand in front of it, in meters.
const OFF_WALL: f64 = 0.004;

const POSITIONS: [Channel; 3] = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];

/// Depth in meters of cuboids that lie on a wall; it means nothing. Intervals stand before the bars they belong to, and behind
/// symbols.
const DEPTH: f64 = 0.05;
const DEPTH_OF_DASHES: f64 = 0.008;
const BEFORE_BARS: (f64, f64) = (0.051, 0.055);
const BEHIND_SYMBOLS: (f64, f64) = (0.0016, 0.003);

/// Thickness in meters of a dash, and of an interval across.
const DASH: f64 = 0.01;
/// Meters between neighbors, each its half; part of a band that is filled.
const APART: f64 = 0.004;
const PART: f64 = 0.7;
const PART_OF_SPANS: f64 = 0.04;
const PART_BEHIND_SYMBOLS: f64 = 0.12;
/// Opacity of intervals that symbols stand on.
const SHEER: f64 = 0.35;

const LINE_WIDTH: f64 = 0.008;
const LINE_OPACITY: f64 = 1.0;
const LINK_OPACITY: f64 = 0.55;

/// The column that says before which rows a line is broken, and its word.
const GAP: (&str, &str) = ("gap", "yes");

pub(super) fn made(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Made, PlanError> {
    match primitive.form {
        None => points(inputs, primitive).map(Made::Points),
        Some(Form::Line) => path(inputs, primitive).map(Made::Path),
        Some(Form::Links) => links(inputs, primitive).map(Made::Links),
        Some(form @ (Form::Bars | Form::Dashes | Form::Spans)) => {
            boxes(inputs, primitive, form).map(Made::Boxes)
        }
    }
}

/// The axis in which a wall is flat, and where it stands.
fn flat(inputs: &Inputs<'_>, primitive: &Primitive) -> Option<(usize, f64)> {
    match primitive.placement {
        Placement::WallXy => Some((2, super::back(inputs))),
        Placement::WallXz => Some((1, volume::Y_MIN)),
        Placement::WallZy => Some((0, volume::X_MIN)),
        _ => None,
    }
}

/// What stands on an axis of a primitive.
enum On<'a> {
    Record(&'a BindingRecord, InLeaf),
    /// The plane of the wall.
    Wall(f64),
}

fn on<'a>(inputs: &Inputs<'a>, primitive: &Primitive, axis: usize) -> Result<On<'a>, PlanError> {
    let record = marks::record(inputs, primitive, POSITIONS[axis])?;
    match (flat(inputs, primitive).filter(|(at, _)| *at == axis), record) {
        (Some((_, plane)), None) => Ok(On::Wall(plane)),
        (Some(_), Some(_)) => Err(PlanError::Unsupported {
            primitive: primitive.id.clone(),
            why: "a wall has no depth to show a variable on".to_owned(),
        }),
        (None, Some(record)) => Ok(On::Record(record, marks::drawn(inputs, record)?.1)),
        (None, None) => Err(PlanError::Unbound {
            primitive: primitive.id.clone(),
            channel: POSITIONS[axis],
        }),
    }
}

/// The rows that all channels of a primitive are about.
fn rows(primitive: &Primitive, on: &[On<'_>; 3]) -> Result<Option<Rows>, PlanError> {
    let mut found = on.iter().filter_map(|on| match on {
        On::Record(_, drawn) => Some(&drawn.rows),
        On::Wall(_) => None,
    });
    let Some(first) = found.next() else {
        return Ok(None);
    };
    if found.any(|other| other != first) {
        return Err(PlanError::Unsupported {
            primitive: primitive.id.clone(),
            why: "its channels are about different rows".to_owned(),
        });
    }
    Ok(first.clone().map(|(column, label)| Rows { column, label }))
}

fn all_on<'a>(inputs: &Inputs<'a>, primitive: &Primitive) -> Result<[On<'a>; 3], PlanError> {
    Ok([
        on(inputs, primitive, 0)?,
        on(inputs, primitive, 1)?,
        on(inputs, primitive, 2)?,
    ])
}

fn one_column(primitive: &Primitive, drawn: &InLeaf) -> Result<String, PlanError> {
    match drawn.columns.as_slice() {
        [column] => Ok(column.clone()),
        several => Err(PlanError::Unsupported {
            primitive: primitive.id.clone(),
            why: format!("{} columns where one is drawn", several.len()),
        }),
    }
}

fn band(record: &BindingRecord, column: &str) -> Option<Band> {
    let (Domain::Categories { labels }, Range::Meters { from, to }) = (&record.domain, &record.range) else {
        return None;
    };
    Some(Band {
        column: column.to_owned(),
        labels: labels.clone(),
        from: from.get(),
        to: to.get(),
    })
}

fn place(primitive: &Primitive, on: &On<'_>) -> Result<AxisPlace, PlanError> {
    match on {
        On::Wall(plane) => Ok(AxisPlace::Fixed(plane + OFF_WALL)),
        On::Record(record, drawn) => {
            let column = one_column(primitive, drawn)?;
            if let Some(band) = band(record, &column) {
                return Ok(AxisPlace::Band(band));
            }
            let Scaled { scale, from, to } = marks::along(&column, record)?;
            Ok(AxisPlace::Column {
                column,
                scale,
                from,
                to,
            })
        }
    }
}

fn places(primitive: &Primitive, on: &[On<'_>; 3]) -> Result<[AxisPlace; 3], PlanError> {
    let [x, y, z] = on;
    Ok([place(primitive, x)?, place(primitive, y)?, place(primitive, z)?])
}

fn points(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Points, PlanError> {
    let on = all_on(inputs, primitive)?;
    let (diameter, opacity) = marks::size(inputs.leaf.n_rows(), primitive.placement == Placement::Volume);
    Ok(Points {
        leaf: inputs.leaf_digest,
        rows: rows(primitive, &on)?,
        axes: places(primitive, &on)?,
        diameter,
        opacity,
        groups: marks::groups(inputs, primitive)?,
    })
}

fn color(primitive: &Primitive, text: &str) -> Result<[u8; 3], PlanError> {
    crate::element::rgb(text).ok_or_else(|| marks::vocabulary(primitive))
}

fn path(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Path, PlanError> {
    let on = all_on(inputs, primitive)?;
    let has_gaps = inputs.leaf.categories(GAP.0).is_some();
    Ok(Path {
        leaf: inputs.leaf_digest,
        rows: rows(primitive, &on)?,
        axes: places(primitive, &on)?,
        breaks: has_gaps.then(|| Rows {
            column: GAP.0.to_owned(),
            label: GAP.1.to_owned(),
        }),
        width: LINE_WIDTH,
        color: color(primitive, palette::UNGROUPED_COLOR)?,
        opacity: LINE_OPACITY,
    })
}

fn links(inputs: &Inputs<'_>, primitive: &Primitive) -> Result<Links, PlanError> {
    let (digest, _) = inputs.links.ok_or_else(|| marks::no_links(primitive))?;
    let record = marks::record(inputs, primitive, Channel::Connection)?;
    let record = record.ok_or_else(|| PlanError::Unbound {
        primitive: primitive.id.clone(),
        channel: Channel::Connection,
    })?;
    let (_, drawn) = marks::drawn(inputs, record)?;
    let (Range::Lines { width }, [x0, y0, z0, x1, y1, z1]) = (&record.range, drawn.columns.as_slice()) else {
        return Err(marks::no_links(primitive));
    };
    // Links reach from mark to mark: along the scales of the marks.
    let marks_of = |axis: usize| -> Result<Scaled, PlanError> {
        let mut records = inputs.graph.body().bindings.iter().map(|binding| &binding.record);
        let record = records.find(|record| record.channel == POSITIONS[axis] && super::is_grounded(record));
        let record = record.ok_or_else(|| PlanError::Unbound {
            primitive: primitive.id.clone(),
            channel: POSITIONS[axis],
        })?;
        marks::along(&marks::column(inputs, record)?.1, record)
    };
    Ok(Links {
        leaf: digest,
        from: [x0.clone(), y0.clone(), z0.clone()],
        to: [x1.clone(), y1.clone(), z1.clone()],
        axes: [marks_of(0)?, marks_of(1)?, marks_of(2)?],
        width: width.get(),
        color: color(primitive, palette::LINK_COLOR)?,
        opacity: LINK_OPACITY,
    })
}

fn boxes(inputs: &Inputs<'_>, primitive: &Primitive, form: Form) -> Result<Boxes, PlanError> {
    let on = all_on(inputs, primitive)?;
    let [x, y, z] = &on;
    let ramp = marks::record(inputs, primitive, Channel::Luminance)?;
    let paint = match ramp {
        None => Paint::Groups(marks::groups(inputs, primitive)?),
        Some(record) => {
            let (_, column) = marks::column(inputs, record)?;
            let (Domain::Interval { min, max }, Range::Colors { values }) = (&record.domain, &record.range)
            else {
                return Err(marks::vocabulary(primitive));
            };
            Paint::Ramp(Ramp {
                column,
                min: min.get(),
                max: max.get(),
                stops: values.clone(),
            })
        }
    };
    let paint = match (form, paint) {
        // An interval is told from what it belongs to.
        (Form::Spans, Paint::Groups(crate::element::Groups::One(look))) => {
            let color = color(primitive, palette::INTERVAL_COLOR)?;
            Paint::Groups(crate::element::Groups::One(crate::element::Look {
                color,
                ..look
            }))
        }
        (_, paint) => paint,
    };
    let all = &inputs.graph.body().primitives;
    let stands_on_bars = all.iter().any(|other| other.form == Some(Form::Bars));
    Ok(Boxes {
        leaf: inputs.leaf_digest,
        rows: rows(primitive, &on)?,
        extents: [
            extent(primitive, (form, stands_on_bars), 0, x)?,
            extent(primitive, (form, stands_on_bars), 1, y)?,
            extent(primitive, (form, stands_on_bars), 2, z)?,
        ],
        paint,
        opacity: if form == Form::Spans && !stands_on_bars {
            SHEER
        } else {
            1.0
        },
    })
}

fn extent(
    primitive: &Primitive,
    (form, stands_on_bars): (Form, bool),
    axis: usize,
    on: &On<'_>,
) -> Result<Extent, PlanError> {
    let is_up = axis == 1;
    let (record, drawn) = match on {
        On::Record(record, drawn) => (record, drawn),
        On::Wall(plane) => {
            let (low, high) = match form {
                Form::Spans if stands_on_bars => BEFORE_BARS,
                Form::Spans => BEHIND_SYMBOLS,
                Form::Dashes => (OFF_WALL, DEPTH_OF_DASHES),
                Form::Bars | Form::Line | Form::Links => (OFF_WALL, DEPTH),
            };
            return Ok(Extent::Fixed {
                low: plane + low,
                high: plane + high,
            });
        }
    };
    if let [lower, upper] = drawn.columns.as_slice() {
        let inset = match form {
            Form::Spans if is_up => 0.0,
            Form::Spans => volume::EDGE,
            _ => APART / 2.0,
        };
        return Ok(Extent::Span {
            lower: lower.clone(),
            upper: upper.clone(),
            along: marks::along(lower, record)?,
            inset,
        });
    }
    let column = one_column(primitive, drawn)?;
    if let Some(band) = band(record, &column) {
        let part = match form {
            Form::Spans if stands_on_bars => PART_OF_SPANS,
            Form::Spans => PART_BEHIND_SYMBOLS,
            _ => PART,
        };
        return Ok(Extent::Band { band, part });
    }
    let along = marks::along(&column, record)?;
    if is_up && form == Form::Bars {
        let base = 0.0;
        return Ok(Extent::From { base, column, along });
    }
    Ok(Extent::Around {
        column,
        along,
        thickness: DASH,
    })
}
