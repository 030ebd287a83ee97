//! What an element over a leaf shows: for each channel the columns it reads, and the rule from their values to what is
//! seen. Whoever explains a plan asks here, and whoever checks one.

use identity::Finite;
use kernels::InLeaf;
use representation::TransformKind;
use representation::wire::v2::{BindingRecord, Channel, Domain, Range};

use crate::element::{self, AxisPlace, Band, Extent, Groups, Look, Paint, Rows, Scaled, Typed};

const POSITIONS: [Channel; 3] = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];

/// One channel of an element over a leaf.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shows {
    pub(crate) channel: Channel,
    pub(crate) drawn: InLeaf,
    rule: Rule,
}

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    Along(Scaled),
    Bands(Vec<String>, f64, f64),
    Looks(Vec<(String, Look)>),
    Ramp(f64, f64, Vec<String>),
    Lines(f64),
}

/// Every channel of an element over a leaf; nothing for other elements.
pub(crate) fn of(typed: &Typed) -> Vec<Shows> {
    match typed {
        Typed::Points(points) => {
            let rows = points.rows.as_ref();
            let mut found = axes(&points.axes, rows);
            found.extend(looks(&points.groups, rows, &[Channel::Hue, Channel::Shape]));
            found
        }
        Typed::Path(path) => axes(&path.axes, path.rows.as_ref()),
        Typed::Boxes(boxes) => {
            let rows = boxes.rows.as_ref();
            let extents = POSITIONS.into_iter().zip(&boxes.extents);
            let mut found: Vec<Shows> = extents
                .filter_map(|(channel, extent)| reaches(channel, extent, rows))
                .collect();
            match &boxes.paint {
                Paint::Groups(groups) => found.extend(looks(groups, rows, &[Channel::Hue])),
                Paint::Ramp(ramp) => found.push(Shows {
                    channel: Channel::Luminance,
                    drawn: drawn(vec![ramp.column.clone()], rows),
                    rule: Rule::Ramp(ramp.min, ramp.max, ramp.stops.clone()),
                }),
            }
            found
        }
        Typed::Links(links) => {
            let columns = links.from.iter().chain(&links.to).cloned().collect();
            vec![Shows {
                channel: Channel::Connection,
                drawn: InLeaf {
                    in_links: true,
                    ..drawn(columns, None)
                },
                rule: Rule::Lines(links.width),
            }]
        }
        Typed::Label(_) | Typed::Glyph(_) | Typed::Surface(_) | Typed::Trajectory(_) => Vec::new(),
    }
}

fn drawn(columns: Vec<String>, rows: Option<&Rows>) -> InLeaf {
    InLeaf {
        columns,
        rows: rows.map(|rows| (rows.column.clone(), rows.label.clone())),
        in_links: false,
    }
}

fn axes(axes: &[AxisPlace; 3], rows: Option<&Rows>) -> Vec<Shows> {
    let shows = |(channel, axis): (Channel, &AxisPlace)| match axis {
        AxisPlace::Fixed(_) => None,
        AxisPlace::Band(band) => Some(in_bands(channel, band, rows)),
        AxisPlace::Column {
            column,
            scale,
            from,
            to,
        } => Some(Shows {
            channel,
            drawn: drawn(vec![column.clone()], rows),
            rule: Rule::Along(Scaled {
                scale: *scale,
                from: *from,
                to: *to,
            }),
        }),
    };
    POSITIONS.into_iter().zip(axes).filter_map(shows).collect()
}

fn in_bands(channel: Channel, band: &Band, rows: Option<&Rows>) -> Shows {
    Shows {
        channel,
        drawn: drawn(vec![band.column.clone()], rows),
        rule: Rule::Bands(band.labels.clone(), band.from, band.to),
    }
}

fn reaches(channel: Channel, extent: &Extent, rows: Option<&Rows>) -> Option<Shows> {
    let (columns, along) = match extent {
        Extent::Fixed { .. } => return None,
        Extent::Band { band, .. } => return Some(in_bands(channel, band, rows)),
        Extent::Span {
            lower, upper, along, ..
        } => (vec![lower.clone(), upper.clone()], along),
        Extent::From { column, along, .. } | Extent::Around { column, along, .. } => {
            (vec![column.clone()], along)
        }
    };
    Some(Shows {
        channel,
        drawn: drawn(columns, rows),
        rule: Rule::Along(*along),
    })
}

fn looks(groups: &Groups, rows: Option<&Rows>, channels: &[Channel]) -> Vec<Shows> {
    let Groups::By { column, groups } = groups else {
        return Vec::new();
    };
    let looks: Vec<(String, Look)> = groups
        .iter()
        .map(|group| (group.label.clone(), group.look))
        .collect();
    let shows = |channel: &Channel| Shows {
        channel: *channel,
        drawn: drawn(vec![column.clone()], rows),
        rule: Rule::Looks(looks.clone()),
    };
    channels.iter().map(shows).collect()
}

impl Shows {
    /// Whether the rule is that of the binding; the error says what differs.
    pub(crate) fn agrees(&self, record: &BindingRecord) -> Result<(), String> {
        let kind = TransformKind::of(&record.transform).map_err(|error| error.to_string())?;
        let (agrees, what) = match &self.rule {
            Rule::Along(along) => (
                kind == along.scale.kind()
                    && record.domain
                        == Domain::Interval {
                            min: finite(along.scale.min())?,
                            max: finite(along.scale.max())?,
                        }
                    && record.range == meters(along.from, along.to)?,
                "its scale is not that of its binding",
            ),
            Rule::Bands(labels, from, to) => (
                kind == TransformKind::Band
                    && record.domain
                        == Domain::Categories {
                            labels: labels.clone(),
                        }
                    && record.range == meters(*from, *to)?,
                "its bands are not those of its binding",
            ),
            Rule::Looks(groups) => {
                let labels = groups.iter().map(|(label, _)| label.clone()).collect();
                let mut looks = groups.iter().enumerate();
                (
                    record.domain == Domain::Categories { labels }
                        && looks.all(|(at, (_, look))| look_is(&record.range, at, *look)),
                    "its groups are not those of its binding",
                )
            }
            Rule::Ramp(min, max, stops) => (
                kind == TransformKind::Linear
                    && record.domain
                        == Domain::Interval {
                            min: finite(*min)?,
                            max: finite(*max)?,
                        }
                    && record.range
                        == Range::Colors {
                            values: stops.clone(),
                        },
                "its colors are not those of its binding",
            ),
            Rule::Lines(width) => (
                record.range
                    == Range::Lines {
                        width: finite(*width)?,
                    },
                "its lines are not those of its binding",
            ),
        };
        if agrees { Ok(()) } else { Err(what.to_owned()) }
    }
}

/// Whether a range's entry is the color, or the shape, of a look.
pub(crate) fn look_is(range: &Range, at: usize, look: Look) -> bool {
    match range {
        Range::Colors { values } => values.get(at).and_then(|text| element::rgb(text)) == Some(look.color),
        Range::Shapes { values } => values.get(at).is_some_and(|word| word == look.shape.word()),
        Range::Meters { .. } | Range::Text { .. } | Range::Lines { .. } => false,
    }
}

fn meters(from: f64, to: f64) -> Result<Range, String> {
    Ok(Range::Meters {
        from: finite(from)?,
        to: finite(to)?,
    })
}

fn finite(value: f64) -> Result<Finite, String> {
    Finite::new(value).map_err(|error| error.to_string())
}
