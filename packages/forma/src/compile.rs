//! Compilation: a graph that may be shown becomes elements with numbers, one variant a device class.

use std::collections::{BTreeMap, BTreeSet};

use evidence::wire::v1::PinnedRef;
use identity::{Digest, SafeInteger, canonical};
use kernels::leaf::Columns;
use knowledge::wire::v1::{DeviceCapability, DeviceClass};
use plan::PlanError;
use plan::wire::v1::{Explanation, SpatialPlan, Supposition, Variant};
use refusal::{Reason, Refusal, Stage};
use representation::wire::v2::{Binding, Channel, Semantic};

use crate::FormaInput;
use crate::said::Said;

/// Name of this compiler.
pub const COMPILER_ID: &str = "nemosyne:compiler/forma-static";

/// Version of this compiler. Whatever changes a plan's bytes for the same input raises it; the test
/// `the_compiler_still_writes_the_plan_of_its_version` fails otherwise.
pub const COMPILER_VERSION: &str = "1.3.0";

/// What the version stands for; its digest pins the rules, not the wording of the sources.
const SPECIFICATION: &str = "forma-static 1.3.0: stage frame in meters, y up, cube of 1.2; transforms of the manifest applied in f64 without \
clamping; one element a mark primitive over its leaf: symbols, cuboids, lines or links by the form of the primitive; walls at \
the back, left and bottom, the back wall nearer where nothing stands in depth; 32 bytes a mark; explanation index total \
over data-bearing properties";

/// The compiler, pinned.
#[must_use]
pub fn compiler_ref() -> PinnedRef {
    PinnedRef {
        id: COMPILER_ID.to_owned(),
        version: COMPILER_VERSION.to_owned(),
        digest: Digest::of(SPECIFICATION.as_bytes()),
    }
}

/// The name of a device class's variant.
pub(crate) const fn variant_name(device: DeviceClass) -> &'static str {
    match device {
        DeviceClass::DesktopMonitor => "desktop",
        DeviceClass::PcvrHeadset => "stereo_headset",
        DeviceClass::StandaloneHeadset => "standalone_headset",
    }
}

/// A variant laid out and explained, but not hashed: most of what a refused candidate would cost is not spent.
pub(crate) struct Drafted {
    name: &'static str,
    device: DeviceClass,
    element_count: SafeInteger,
    mark_count: SafeInteger,
    memory_bytes: SafeInteger,
    channels: Vec<Channel>,
    backend: SpatialPlan,
    explanations: Vec<Explanation>,
    suppositions: Vec<Supposition>,
}

/// A compiled variant with its part of the explanation index.
pub(crate) struct Compiled {
    pub(crate) variant: Variant,
    pub(crate) explanations: Vec<Explanation>,
    /// Its part of the index of conjecture.
    pub(crate) suppositions: Vec<Supposition>,
}

impl Drafted {
    /// What the picture shows and says.
    pub(crate) fn said(&self) -> Said<'_> {
        Said::of(&self.backend.elements, &self.explanations)
    }

    /// Hashes the backend plan, unless one of `others` has the same: headsets often do.
    pub(crate) fn compile(self, others: &[Compiled]) -> Result<Compiled, Box<Refusal>> {
        let twin = others.iter().find(|other| other.variant.backend == self.backend);
        let backend_digest = match twin {
            Some(twin) => twin.variant.backend_digest,
            None => canonical::digest(&self.backend).map_err(|error| Box::new(not_canonical(&error)))?,
        };
        Ok(Compiled {
            variant: Variant {
                name: self.name.to_owned(),
                device: self.device,
                element_count: self.element_count,
                mark_count: self.mark_count,
                channels: self.channels,
                memory_bytes: self.memory_bytes,
                backend_digest,
                backend: self.backend,
            },
            explanations: self.explanations,
            suppositions: self.suppositions,
        })
    }
}

/// The rows leaf that the marks draw.
pub(crate) fn rows_leaf<'a>(input: &FormaInput<'a>) -> Option<(Digest, &'a Columns)> {
    let sources = &input.snapshot.body().sources;
    input.graph.body().bindings.iter().find_map(|binding| {
        let Semantic::Grounded { source_id, .. } = &binding.record.semantic else {
            return None;
        };
        let source = sources.iter().find(|source| &source.source_id == source_id)?;
        let digest = source.leaf_ref?;
        Some((digest, input.leaves.get(&digest)?))
    })
}

/// The links between the rows, where the graph draws any.
fn links<'a>(input: &FormaInput<'a>) -> Option<(Digest, &'a Columns)> {
    let sources = &input.snapshot.body().sources;
    let joins = |binding: &&Binding| binding.record.channel == Channel::Connection;
    let binding = input.graph.body().bindings.iter().find(joins)?;
    let Semantic::Grounded { source_id, .. } = &binding.record.semantic else {
        return None;
    };
    let source = sources.iter().find(|source| &source.source_id == source_id)?;
    let digest = *source.further_leaf_refs.first()?;
    Some((digest, input.leaves.get(&digest)?))
}

/// Drafts one variant. Whether it fits the device's budget is asked where its elements are laid out, before they are.
pub(crate) fn variant(
    input: &FormaInput<'_>,
    leaf: (Digest, &Columns),
    device: &DeviceCapability,
) -> Result<Drafted, Box<Refusal>> {
    let name = variant_name(device.device);
    let backend = plan::layout::variant(&plan::layout::Inputs {
        graph: input.graph,
        snapshot: input.snapshot,
        context: input.context,
        leaf_digest: leaf.0,
        leaf: leaf.1,
        links: links(input),
        proposals: input.proposals,
        device,
    })
    .map_err(|error| Box::new(error.refusal()))?;
    plan::marking::check(&backend, &input.graph.body().bindings)
        .map_err(|error| Box::new(error.refusal()))?;
    let marks = mark_count(&backend, input.leaves).map_err(|error| Box::new(error.refusal()))?;
    let bytes = marks.saturating_mul(plan::BYTES_PER_MARK);
    let channels: BTreeSet<Channel> = input
        .graph
        .body()
        .bindings
        .iter()
        .map(|binding| binding.record.channel)
        .filter(|channel| device.channels.contains(channel))
        .collect();
    let explanations =
        plan::explain::index(name, &backend, input.graph).map_err(|error| Box::new(error.refusal()))?;
    let suppositions = plan::explain::suppositions(name, &backend, input.graph)
        .map_err(|error| Box::new(error.refusal()))?;
    Ok(Drafted {
        name,
        device: device.device,
        element_count: count(backend.elements.len())?,
        mark_count: count(marks)?,
        memory_bytes: count(bytes)?,
        channels: channels.into_iter().collect(),
        backend,
        explanations,
        suppositions,
    })
}

/// Marks of all elements over leaves: one a row that is drawn. A path counts its rows.
fn mark_count(backend: &SpatialPlan, leaves: &BTreeMap<Digest, Columns>) -> Result<usize, PlanError> {
    let mut marks = 0_usize;
    for element in backend
        .elements
        .iter()
        .filter(|element| element.primitive.draws_rows())
    {
        let typed = plan::element::read(element)?;
        let Some(leaf) = typed.leaf().and_then(|leaf| leaves.get(&leaf)) else {
            continue;
        };
        let rows = match typed.rows() {
            None => leaf.n_rows(),
            some => plan::element::Rows::places(some, leaf)?.len(),
        };
        marks = marks.saturating_add(rows);
    }
    Ok(marks)
}

fn count(value: usize) -> Result<SafeInteger, Box<Refusal>> {
    i64::try_from(value)
        .ok()
        .and_then(|value| SafeInteger::new(value).ok())
        .ok_or_else(|| {
            Box::new(Refusal::new(
                Stage::Budget,
                Reason::OverBudget,
                format!("{value} is too many to count exactly."),
            ))
        })
}

pub(crate) fn not_canonical(error: &identity::CanonicalError) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Malformed,
        format!("A value has no canonical form: {error}"),
    )
    .next("Report this: a compiled value must always have one.")
}
