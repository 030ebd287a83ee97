//! From a graph with its rows to elements with places: the pure geometry of a variant.
//!
//! The data volume is the cube of [`representation::volume`]. Behind it stand the walls with their projections; x is
//! read along the front of the floor, z along its right side, y up the left front edge. To the right, in the plane of the
//! back wall, stands one board with the legend above and the caveats below, grown from the top by what it must say. The
//! question stands over all. Places are chosen for [`Camera::home`](crate::Camera::home); the tests project every label
//! there and prove that none overlaps, leaves the picture or is too small.
//!
//! Room is reckoned before any font is known ([`words`]): 0.6 em a character, more for wide ones. What must be said is never dropped, cut or
//! shrunk: when it does not fit the board, the variant is refused.

mod axes;
mod board;
mod conjecture;
mod made;
mod marks;
mod room;
mod widths;
pub mod words;

pub use words::{Statement, statements};

use identity::{Digest, Finite, SafeInteger};
use investigation::Context;
use kernels::leaf::Columns;
use knowledge::wire::v1::DeviceCapability;
use representation::wire::v2::{BindingRecord, Channel, Placement, PrimitiveKind, Range, Semantic};
use representation::{Graph, volume};
use snapshot::Snapshot;

use crate::element::{BYTES_PER_MARK, MOST_ELEMENTS};
use crate::wire::v1::{Element, SpatialPlan};
use crate::{PlanError, variant_name};

/// Everything a variant is made from.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// What is drawn.
    pub graph: &'a Graph,
    /// What is known: names, units, counts, limitations.
    pub snapshot: &'a Snapshot,
    /// What is asked: the title.
    pub context: &'a Context,
    /// Digest of the rows.
    pub leaf_digest: Digest,
    /// The rows.
    pub leaf: &'a Columns,
    /// The links between the rows, by digest, where an analysis left any.
    pub links: Option<(Digest, &'a Columns)>,
    /// What is supposed: the values behind conjectural bindings.
    pub proposals: &'a [::conjecture::Proposal],
    /// The device, with its budget and its smallest legible letters.
    pub device: &'a DeviceCapability,
}

/// The elements of one variant.
///
/// # Errors
/// [`PlanError`]: the graph uses a channel or text size that the device does not resolve, needs more than its budget,
/// has no form here, or values do not fit their scales. Nothing is dropped to make it fit.
pub fn variant(inputs: &Inputs<'_>) -> Result<SpatialPlan, PlanError> {
    device_resolves(inputs)?;
    let axes = axes::Axes::read(inputs)?;
    one_look(inputs)?;
    let marks = marks::read(inputs)?;
    let n_marks = marks
        .iter()
        .map(|mark| mark.n_rows(inputs))
        .fold(0, usize::saturating_add);
    budget(inputs, "marks", n_marks, inputs.device.max_marks)?;
    let bytes = n_marks.saturating_mul(BYTES_PER_MARK);
    budget(inputs, "bytes of marks", bytes, inputs.device.max_bytes)?;
    marks::fit(&marks, inputs)?;
    let mut elements = Vec::new();
    axes.walls(inputs, &mut elements)?;
    axes.lines(inputs, &mut elements)?;
    for mark in &marks {
        elements.push(mark.element(inputs)?);
    }
    axes.labels(inputs, &mut elements)?;
    board::draw(inputs, &mut elements)?;
    conjecture::draw(inputs, &axes, &marks, &mut elements)?;
    budget(inputs, "elements", elements.len(), inputs.device.max_elements)?;
    if elements.len() > MOST_ELEMENTS {
        return Err(PlanError::TooMany {
            what: "elements",
            found: elements.len(),
            most: MOST_ELEMENTS,
        });
    }
    Ok(SpatialPlan {
        schema_version: SafeInteger::from(1),
        dataset_fingerprint: inputs.snapshot.body().analytical_dataset_fingerprint,
        graph_id: inputs.graph.id(),
        elements,
    })
}

fn device_resolves(inputs: &Inputs<'_>) -> Result<(), PlanError> {
    let graph = inputs.graph.body();
    for primitive in &graph.primitives {
        let drawn = match primitive.placement {
            Placement::Volume | Placement::WallXy | Placement::WallXz | Placement::WallZy => {
                matches!(
                    primitive.kind,
                    PrimitiveKind::PointIdentity | PrimitiveKind::Uncertainty
                ) || (primitive.kind == PrimitiveKind::Conjecture && primitive.placement == Placement::Volume)
            }
            Placement::AxisX
            | Placement::AxisY
            | Placement::AxisZ
            | Placement::Legend
            | Placement::CaveatBoard
            | Placement::Title => primitive.kind == PrimitiveKind::Annotation,
        };
        if !drawn {
            let why = format!("{:?} has no form at {:?}", primitive.kind, primitive.placement);
            return Err(PlanError::Unsupported {
                primitive: primitive.id.clone(),
                why,
            });
        }
    }
    for binding in &graph.bindings {
        let record = &binding.record;
        if !inputs.device.channels.contains(&record.channel) {
            return Err(PlanError::DeviceLacksChannel {
                device: inputs.device.device,
                channel: record.channel,
            });
        }
        if let Range::Text { cap_height } = &record.range
            && *cap_height < inputs.device.min_cap_height
        {
            return Err(PlanError::TooSmall {
                primitive: record.primitive_id.clone(),
                cap_height: cap_height.get(),
                least: inputs.device.min_cap_height.get(),
                device: inputs.device.device,
            });
        }
    }
    Ok(())
}

/// Where the back wall stands: at the back of the volume, or, when nothing stands in depth, nearer, where it is read best.
fn back(inputs: &Inputs<'_>) -> f64 {
    let mut records = inputs.graph.body().bindings.iter().map(|binding| &binding.record);
    if records.any(|record| record.channel == Channel::PositionZ) {
        volume::Z_MIN
    } else {
        NEARER
    }
}

/// The back wall of a picture without depth, in meters.
const NEARER: f64 = 0.3;

fn is_grounded(record: &BindingRecord) -> bool {
    matches!(record.semantic, Semantic::Grounded { .. })
}

/// A group looks the same wherever it is drawn: on the marks, on every wall, in the legend.
fn one_look(inputs: &Inputs<'_>) -> Result<(), PlanError> {
    let bindings = &inputs.graph.body().bindings;
    for channel in [Channel::Hue, Channel::Shape] {
        let mut records = bindings
            .iter()
            .map(|binding| &binding.record)
            .filter(|record| record.channel == channel && is_grounded(record));
        let Some(first) = records.next() else { continue };
        if records.any(|record| record.domain != first.domain || record.range != first.range) {
            return Err(PlanError::LooksDisagree { channel });
        }
    }
    Ok(())
}

fn budget(
    inputs: &Inputs<'_>,
    what: &'static str,
    needed: usize,
    most: SafeInteger,
) -> Result<(), PlanError> {
    let most = most
        .to_u64()
        .and_then(|most| usize::try_from(most).ok())
        .unwrap_or(0);
    if needed <= most {
        return Ok(());
    }
    Err(PlanError::OverBudget {
        device: inputs.device.device,
        what,
        needed,
        most,
    })
}

/// The primitives at a placement.
fn at<'a>(
    inputs: &Inputs<'a>,
    placement: Placement,
) -> impl Iterator<Item = &'a representation::wire::v2::Primitive> + use<'a> {
    inputs
        .graph
        .body()
        .primitives
        .iter()
        .filter(move |primitive| primitive.placement == placement)
}

/// Cap height of text that shows no data, in meters: never below what the device needs.
fn plain_cap(inputs: &Inputs<'_>, wish: f64) -> f64 {
    Finite::new(wish).map_or(wish, |wish| wish.max(inputs.device.min_cap_height).get())
}

/// Elements of one primitive share its name as prefix.
fn put(elements: &mut Vec<Element>, element: Element, node: Option<identity::Identity<snapshot::NodeKind>>) {
    elements.push(match node {
        Some(node) => element.showing(node),
        None => element,
    });
}

/// The variant's name, for messages.
#[must_use]
pub const fn name(inputs: &Inputs<'_>) -> &'static str {
    variant_name(inputs.device.device)
}
