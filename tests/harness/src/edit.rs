//! Changes to a proposal, each followed by new seals: what is tampered with here is tampered with competently.

use identity::{Identity, Sealed};
use obligations::ObligationKind;
use representation::Graph;
use representation::wire::v2::{Binding, BindingRecord, Channel, GraphBody, Primitive, Semantic};
use snapshot::wire::v1::Node;

/// Binds every record again, puts the bindings in order and seals the graph.
///
/// # Panics
/// When the grammar refuses the graph; [`try_reseal`] tells why.
#[must_use]
pub fn reseal(body: GraphBody) -> Graph {
    try_reseal(body).unwrap_or_else(|why| panic!("{why}"))
}

/// As [`reseal`].
///
/// # Errors
/// What the grammar says against the graph.
pub fn try_reseal(mut body: GraphBody) -> Result<Graph, String> {
    body.bindings = body
        .bindings
        .into_iter()
        .map(|binding| representation::bind(binding.record).map_err(|error| error.to_string()))
        .collect::<Result<_, _>>()?;
    body.bindings.sort_by_key(|binding| binding.binding_id);
    Sealed::seal(body).map_err(|error| error.to_string())
}

/// The record of a primitive's channel.
///
/// # Panics
/// When there is none.
pub fn record<'a>(body: &'a mut GraphBody, primitive: &str, channel: Channel) -> &'a mut BindingRecord {
    let found = body.bindings.iter_mut().map(|binding| &mut binding.record);
    found
        .into_iter()
        .find(|record| record.primitive_id == primitive && record.channel == channel)
        .unwrap_or_else(|| panic!("{primitive} has no {channel:?}"))
}

/// The record of a primitive that shows a property path, in words.
///
/// # Panics
/// When there is none.
pub fn says<'a>(body: &'a mut GraphBody, primitive: &str, path: &str) -> &'a mut BindingRecord {
    let shows = |record: &BindingRecord| match &record.semantic {
        Semantic::Grounded { property_path, .. } => property_path == path,
        Semantic::Conjectural { .. } => false,
    };
    let found = body.bindings.iter_mut().map(|binding| &mut binding.record);
    found
        .into_iter()
        .find(|record| record.primitive_id == primitive && record.channel == Channel::Text && shows(record))
        .unwrap_or_else(|| panic!("{primitive} does not say {path}"))
}

/// Every record that carries an obligation.
pub fn carriers(
    body: &mut GraphBody,
    carried: Identity<ObligationKind>,
) -> impl Iterator<Item = &mut BindingRecord> {
    let records = body.bindings.iter_mut().map(|binding| &mut binding.record);
    records.filter(move |record| record.carries.contains(&carried))
}

/// A primitive.
///
/// # Panics
/// When there is none of that name.
pub fn primitive<'a>(body: &'a mut GraphBody, id: &str) -> &'a mut Primitive {
    let found = body.primitives.iter_mut().find(|primitive| primitive.id == id);
    found.unwrap_or_else(|| panic!("no primitive {id}"))
}

/// Adds a record; the next seal binds it.
pub fn add(body: &mut GraphBody, record: BindingRecord) {
    body.bindings
        .push(representation::bind(record).expect("a record has canonical text"));
}

/// Removes the records that a question is true of; returns how many.
pub fn remove(body: &mut GraphBody, gone: impl Fn(&BindingRecord) -> bool) -> usize {
    let before = body.bindings.len();
    body.bindings.retain(|binding: &Binding| !gone(&binding.record));
    before - body.bindings.len()
}

/// Makes a record claim an obligation as well.
pub fn claim(record: &mut BindingRecord, carried: Identity<ObligationKind>) {
    if !record.carries.contains(&carried) {
        record.carries.push(carried);
        record.carries.sort_unstable();
    }
}

/// Points a record at another node of the snapshot, described as the snapshot does.
pub fn point_at(record: &mut BindingRecord, node: &Node) {
    record.semantic = Semantic::Grounded {
        source_id: node.source_id,
        node_id: node.node_id,
        property_path: node.property_path.clone(),
        status: node.epistemic_status.clone(),
    };
    record.unit.clone_from(&node.descriptor.unit);
}
