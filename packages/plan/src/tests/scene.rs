//! Variants over real rows, for the tests beside.

use std::collections::BTreeMap;

use evidence::wire::v1::PinnedRef;
use identity::{Digest, SafeInteger, canonical};
use knowledge::wire::v1::{CapabilityTable, DeviceCapability, DeviceClass};
use representation::wire::v2::{Channel, GraphBody};
use representation::{Graph, Pins, Recipe, ScatterVolume};

use super::fixture::{Ask, NamedPins, Road};
use crate::element::{self, Label, Points, Typed};
use crate::wire::v1::{Element, ElementKind, PlanBody, SpatialPlan, Variant};
use crate::{BYTES_PER_MARK, PlanError, explain, layout, variant_name};

impl Pins for NamedPins {
    fn transform(&self, id: &str) -> Option<PinnedRef> {
        self.pinned(id)
    }

    fn recipe(&self, id: &str) -> Option<PinnedRef> {
        self.pinned(id)
    }
}

pub(super) const DEVICES: [DeviceClass; 3] = [
    DeviceClass::DesktopMonitor,
    DeviceClass::PcvrHeadset,
    DeviceClass::StandaloneHeadset,
];

/// The shipped capability of a device.
pub(super) fn capability(device: DeviceClass) -> DeviceCapability {
    let bytes = include_bytes!("../../../../assets/policies/capability-v1.json");
    let table: CapabilityTable = serde_json::from_slice(bytes).unwrap();
    table
        .devices
        .into_iter()
        .find(|capability| capability.device == device)
        .unwrap()
}

pub(super) struct Scene {
    pub(super) road: Road,
    pub(super) graph: Graph,
    pub(super) proposals: Vec<conjecture::Proposal>,
}

/// A scene in which somebody supposes what a draft says.
pub(super) fn supposing(recipe: &dyn Recipe, ask: &Ask, draft: &str) -> Result<Scene, String> {
    let mut ask = ask.clone();
    ask.purpose = investigation::EpistemicPurpose::ExploratoryAbduction;
    let road = ask.road();
    let proposal = conjecture::read(draft.as_bytes(), &road.snapshot, &road.context);
    let proposals = vec![proposal.map_err(|error| error.to_string())?];
    let graph = propose(recipe, &road, &proposals).map_err(|error| error.to_string())?;
    Ok(Scene {
        road,
        graph,
        proposals,
    })
}

fn propose(
    recipe: &dyn Recipe,
    road: &Road,
    proposals: &[conjecture::Proposal],
) -> Result<Graph, representation::RecipeError> {
    let leaf = road.leaf().1;
    recipe.propose(&representation::Inputs {
        snapshot: &road.snapshot,
        context: &road.context,
        obligations: &road.obligations,
        leaf,
        proposals,
        pins: &NamedPins(None),
    })
}

pub(super) fn scene(ask: &Ask) -> Scene {
    scene_by(&ScatterVolume, ask)
}

pub(super) fn scene_by(recipe: &dyn Recipe, ask: &Ask) -> Scene {
    let road = ask.road();
    let graph = propose(recipe, &road, &[]).unwrap();
    Scene {
        road,
        graph,
        proposals: Vec::new(),
    }
}

impl Scene {
    pub(super) fn lay(&self, device: &DeviceCapability) -> Result<SpatialPlan, PlanError> {
        self.lay_graph(&self.graph, device)
    }

    pub(super) fn lay_graph(
        &self,
        graph: &Graph,
        device: &DeviceCapability,
    ) -> Result<SpatialPlan, PlanError> {
        let (leaf_digest, leaf) = self.road.leaf();
        layout::variant(&layout::Inputs {
            graph,
            snapshot: &self.road.snapshot,
            context: &self.road.context,
            leaf_digest,
            leaf,
            links: None,
            proposals: &self.proposals,
            device,
        })
    }

    pub(super) fn desktop(&self) -> SpatialPlan {
        self.lay(&capability(DeviceClass::DesktopMonitor)).unwrap()
    }

    /// The same graph with something changed in its body.
    pub(super) fn regraph(&self, change: impl FnOnce(&mut GraphBody)) -> Graph {
        let mut body = self.graph.body().clone();
        change(&mut body);
        body.bindings = body
            .bindings
            .into_iter()
            .map(|binding| representation::bind(binding.record).unwrap())
            .collect();
        body.bindings.sort_by_key(|binding| binding.binding_id);
        identity::Sealed::seal(body).unwrap()
    }

    /// The whole plan, all devices.
    pub(super) fn plan(&self) -> PlanBody {
        let mut variants = Vec::new();
        let mut explanation_index = Vec::new();
        let mut conjecture_index = Vec::new();
        for device in DEVICES {
            let backend = self.lay(&capability(device)).unwrap();
            let name = variant_name(device);
            explanation_index.extend(explain::index(name, &backend, &self.graph).unwrap());
            conjecture_index.extend(explain::suppositions(name, &backend, &self.graph).unwrap());
            variants.push(self.record(device, backend));
        }
        variants.sort_by(|a, b| a.name.cmp(&b.name));
        explanation_index.sort_by(|a, b| explain::key(a).cmp(&explain::key(b)));
        conjecture_index.sort();
        let graph = self.graph.body();
        let pinned = |id: &str| NamedPins(None).pinned(id).unwrap();
        PlanBody {
            snapshot_id: graph.snapshot_id,
            context_id: graph.context_id,
            obligation_set_id: graph.obligation_set_id,
            graph_id: self.graph.id(),
            knowledge_manifest_id: identity::identify("a manifest").unwrap(),
            compiler_ref: pinned("compiler"),
            bindings: graph.bindings.clone(),
            variants,
            explanation_index,
            conjecture_index,
            routes: graph.primitives[0].routes.clone(),
        }
    }

    pub(super) fn record(&self, device: DeviceClass, backend: SpatialPlan) -> Variant {
        let points = backend
            .elements
            .iter()
            .filter(|element| element.primitive == ElementKind::Points)
            .count();
        let marks = points * self.road.leaf().1.n_rows();
        let mut channels: Vec<Channel> = self
            .graph
            .body()
            .bindings
            .iter()
            .map(|binding| binding.record.channel)
            .collect();
        channels.sort();
        channels.dedup();
        let count = |count: usize| SafeInteger::try_from(count).unwrap();
        Variant {
            name: variant_name(device).to_owned(),
            device,
            element_count: count(backend.elements.len()),
            mark_count: count(marks),
            channels,
            memory_bytes: count(marks * BYTES_PER_MARK),
            backend_digest: canonical::digest(&backend).unwrap(),
            backend,
        }
    }
}

pub(super) fn labels(plan: &SpatialPlan) -> BTreeMap<String, Label> {
    let labels = plan
        .elements
        .iter()
        .filter(|element| element.primitive == ElementKind::Label);
    labels
        .map(|element| (element.id.clone(), Label::read(element).unwrap()))
        .collect()
}

pub(super) fn points(plan: &SpatialPlan, id: &str) -> Points {
    Points::read(find(plan, id)).unwrap()
}

pub(super) fn find<'a>(plan: &'a SpatialPlan, id: &str) -> &'a Element {
    plan.elements
        .iter()
        .find(|element| element.id == id)
        .unwrap_or_else(|| panic!("no element {id}"))
}

pub(super) fn typed(plan: &SpatialPlan) -> Vec<(String, Typed)> {
    plan.elements
        .iter()
        .map(|element| (element.id.clone(), element::read(element).unwrap()))
        .collect()
}

/// A digest that names nothing here.
pub(super) fn elsewhere() -> Digest {
    Digest::of(b"elsewhere")
}
