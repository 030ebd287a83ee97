//! Which written plans are plans: counts, digests, readable elements, an index that is total and exact.

use std::collections::{BTreeMap, BTreeSet};

use identity::{Body, Digest, Identity, SafeInteger, canonical};
use representation::wire::v2::{Binding, BindingRecord, Channel, Domain, Range, Semantic};
use representation::{BindingKind, channel};

use crate::PlanError;
use crate::element::{self, BYTES_PER_MARK, MOST_ELEMENTS, MOST_PARAMETERS, Typed};
use crate::explain::{self, key};
use crate::shows;
use crate::variant_name;
use crate::wire::v1::{Element, Explanation, PlanBody, SpatialPlan, Supposition, Variant};

/// Most variants of a plan: one a device class.
pub const MOST_VARIANTS: usize = 3;

impl Body for PlanBody {
    const ID_MEMBER: &'static str = "planId";
    const SCHEMA_VERSION: u64 = 1;
    type Invalid = PlanError;

    fn check(&self) -> Result<(), PlanError> {
        let bindings = bindings(&self.bindings)?;
        most("variants", self.variants.len(), MOST_VARIANTS)?;
        if self.variants.is_empty() {
            return Err(PlanError::Variant {
                variant: "none".to_owned(),
                why: "a plan has at least one".to_owned(),
            });
        }
        sorted(
            "variants",
            self.variants.iter().map(|variant| variant.name.as_str()),
        )?;
        sorted(
            "routes",
            self.routes.iter().map(|route| (&route.verb, &route.sentence)),
        )?;
        sorted("the explanation index", self.explanation_index.iter().map(key))?;
        let mut entries: BTreeMap<(&str, &str, &str), &Explanation> = self
            .explanation_index
            .iter()
            .map(|entry| (key(entry), entry))
            .collect();
        sorted("the index of conjecture", self.conjecture_index.iter())?;
        let mut supposed: Suppositions<'_> = self
            .conjecture_index
            .iter()
            .map(|entry| {
                let named = (entry.variant.as_str(), entry.element_id.as_str());
                ((named.0, named.1, entry.property.as_str()), entry)
            })
            .collect();
        if supposed.len() != self.conjecture_index.len() {
            return Err(PlanError::Order {
                what: "the index of conjecture",
                key: "a property".to_owned(),
            });
        }
        let dataset = self
            .variants
            .first()
            .map(|variant| variant.backend.dataset_fingerprint);
        let mut hashed: Vec<(&SpatialPlan, Digest)> = Vec::new();
        let mut columns = Columns::new();
        for variant in &self.variants {
            // Devices that differ in nothing drawn share a backend plan, which is hashed once.
            let twin = hashed.iter().find(|(backend, _)| **backend == variant.backend);
            let digest = match twin {
                Some((_, digest)) => *digest,
                None => canonical::digest(&variant.backend)?,
            };
            hashed.push((&variant.backend, digest));
            self.variant(
                variant,
                digest,
                &bindings,
                (&mut entries, &mut supposed),
                &mut columns,
            )?;
            crate::marking::check(&variant.backend, &self.bindings)?;
            if Some(variant.backend.dataset_fingerprint) != dataset {
                return Err(PlanError::Variant {
                    variant: variant.name.clone(),
                    why: "it is about another dataset".to_owned(),
                });
            }
        }
        if let Some(stray) = supposed.into_values().next() {
            return Err(PlanError::Misexplained {
                element: stray.element_id.clone(),
                property: stray.property.clone(),
                why: "nothing there shows conjecture by it".to_owned(),
            });
        }
        match entries.into_values().next() {
            Some(stray) => Err(misexplained(stray, "nothing there shows data by it")),
            None => Ok(()),
        }
    }
}

type Entries<'a, 'b> = BTreeMap<(&'a str, &'a str, &'a str), &'b Explanation>;

type Suppositions<'a> = BTreeMap<(&'a str, &'a str, &'a str), &'a Supposition>;

type Bindings<'a> = BTreeMap<Identity<BindingKind>, &'a BindingRecord>;

/// Columns that bindings are known to mean: each is asked about once, not once a mark element and variant.
type Columns = Vec<(Identity<BindingKind>, kernels::InLeaf)>;

fn bindings(list: &[Binding]) -> Result<Bindings<'_>, PlanError> {
    sorted("bindings", list.iter().map(|binding| binding.binding_id))?;
    for binding in list {
        let computed = identity::identify::<BindingKind, _>(&binding.record)?;
        if computed != binding.binding_id {
            return Err(PlanError::Graph(representation::GraphError::BindingIdentity {
                claimed: binding.binding_id.to_string(),
                computed: computed.to_string(),
            }));
        }
    }
    Ok(list
        .iter()
        .map(|binding| (binding.binding_id, &binding.record))
        .collect())
}

impl PlanBody {
    fn variant<'a>(
        &self,
        variant: &'a Variant,
        digest: Digest,
        bindings: &Bindings<'_>,
        (entries, supposed): (&mut Entries<'a, '_>, &mut Suppositions<'a>),
        columns: &mut Columns,
    ) -> Result<(), PlanError> {
        let name = variant.name.as_str();
        let wrong = |why: &str| PlanError::Variant {
            variant: name.to_owned(),
            why: why.to_owned(),
        };
        if variant_name(variant.device) != name {
            return Err(wrong("its name belongs to another device"));
        }
        if variant.backend.schema_version.get() != 1 {
            return Err(wrong("its backend plan is of another version"));
        }
        if variant.backend.graph_id != self.graph_id {
            return Err(wrong("its backend plan belongs to another graph"));
        }
        let elements = &variant.backend.elements;
        most("elements", elements.len(), MOST_ELEMENTS)?;
        recorded(name, "element count", variant.element_count, Some(elements.len()))?;
        if digest != variant.backend_digest {
            return Err(PlanError::Recorded {
                variant: name.to_owned(),
                what: "backend digest",
                recorded: variant.backend_digest.to_string(),
                computed: digest.to_string(),
            });
        }
        let marks = variant
            .mark_count
            .to_u64()
            .and_then(|marks| usize::try_from(marks).ok());
        recorded(
            name,
            "memory in bytes",
            variant.memory_bytes,
            marks.and_then(|marks| marks.checked_mul(BYTES_PER_MARK)),
        )?;
        sorted("channels", variant.channels.iter())?;
        let mut ids = BTreeSet::new();
        let (mut points, mut parts) = (0, BTreeSet::new());
        for element in elements {
            if element.id.is_empty() || !ids.insert(element.id.as_str()) {
                return Err(PlanError::Order {
                    what: "elements",
                    key: element.id.clone(),
                });
            }
            most("parameters", element.parameters.len(), MOST_PARAMETERS)?;
            let typed = element::read(element)?;
            if let Some(leaf) = typed.leaf() {
                points += 1;
                parts.insert((leaf, typed.rows().cloned()));
            }
            for shown in explain::shown(element, &typed) {
                let property = channel::word(shown);
                let unexplained = || PlanError::Unexplained {
                    element: element.id.clone(),
                    property: property.to_owned(),
                };
                if element.supposed.is_some() {
                    let entry = supposed
                        .remove(&(name, element.id.as_str(), property))
                        .ok_or_else(unexplained)?;
                    if !variant.channels.contains(&shown) {
                        return Err(wrong(&format!("it shows {property} and does not list it")));
                    }
                    crate::marking::exact(element, &typed, shown, entry, bindings.get(&entry.binding_id))?;
                    continue;
                }
                let entry = entries
                    .remove(&(name, element.id.as_str(), property))
                    .ok_or_else(unexplained)?;
                if !variant.channels.contains(&shown) {
                    return Err(wrong(&format!("it shows {property} and does not list it")));
                }
                let record = bindings
                    .get(&entry.binding_id)
                    .ok_or_else(|| misexplained(entry, "its binding is not in the plan"))?;
                exact(element, &typed, shown, entry, record, columns)
                    .map_err(|why| misexplained(entry, &why))?;
            }
        }
        match (marks, points) {
            (Some(0), 0) => Ok(()),
            // How many rows another leaf has, or another part of it, is not in the plan.
            (Some(marks), points) if points > 0 && (parts.len() > 1 || marks.is_multiple_of(points)) => {
                Ok(())
            }
            _ => Err(wrong(
                "its marks are not the same rows in every element over a leaf",
            )),
        }
    }
}

/// Whether an entry says what its binding says and the element shows what the binding means.
fn exact(
    element: &Element,
    typed: &Typed,
    shown: Channel,
    entry: &Explanation,
    record: &BindingRecord,
    columns: &mut Columns,
) -> Result<(), String> {
    let Semantic::Grounded {
        source_id,
        node_id,
        property_path,
        ..
    } = &record.semantic
    else {
        return Err("a conjecture explains nothing".to_owned());
    };
    let same = record.channel == shown
        && record.primitive_id == entry.primitive_id
        && element.representation_primitive_id == entry.primitive_id
        && *source_id == entry.source_id
        && *node_id == entry.node_id
        && record.evidence_uses == entry.evidence_uses
        && record.carries == entry.carries;
    if !same {
        return Err("it differs from its binding".to_owned());
    }
    if !element.primitive.draws_rows() && element.semantic_node_id != Some(entry.node_id) {
        return Err("the element shows another node".to_owned());
    }
    match typed {
        Typed::Points(_) | Typed::Boxes(_) | Typed::Path(_) | Typed::Links(_) => {
            let mut channels = shows::of(typed).into_iter();
            let Some(channel) = channels.find(|channel| channel.channel == shown) else {
                return Err("the element shows nothing by it".to_owned());
            };
            let meant = (entry.binding_id, channel.drawn.clone());
            if !columns.contains(&meant) {
                let is_meant = |producer: &String| {
                    let computed = snapshot::node_id(*source_id, producer, property_path);
                    computed.is_ok_and(|computed| computed == *node_id)
                };
                if !kernels::producers(property_path, &channel.drawn)
                    .iter()
                    .any(is_meant)
                {
                    let names = channel.drawn.columns.join("`, `");
                    return Err(format!("`{names}` is not what its binding means"));
                }
                columns.push(meant);
            }
            channel.agrees(record)
        }
        Typed::Label(label) => match &record.range {
            Range::Text { cap_height } if cap_height.get() == label.cap_height => Ok(()),
            _ => Err("its letters have another height than its binding's".to_owned()),
        },
        Typed::Glyph(glyph) => {
            let look = element::Look {
                color: glyph.color,
                shape: glyph.shape,
            };
            let Domain::Categories { labels } = &record.domain else {
                return Err("its binding has no categories".to_owned());
            };
            if (0..labels.len()).any(|at| shows::look_is(&record.range, at, look)) {
                Ok(())
            } else {
                Err("its look is none of its binding's".to_owned())
            }
        }
        Typed::Surface(_) | Typed::Trajectory(_) => Err("the element shows no data".to_owned()),
    }
}

fn misexplained(entry: &Explanation, why: &str) -> PlanError {
    PlanError::Misexplained {
        element: entry.element_id.clone(),
        property: entry.property.clone(),
        why: why.to_owned(),
    }
}

fn recorded(
    variant: &str,
    what: &'static str,
    recorded: SafeInteger,
    computed: Option<usize>,
) -> Result<(), PlanError> {
    let same = computed.and_then(|computed| SafeInteger::try_from(computed).ok()) == Some(recorded);
    if same {
        return Ok(());
    }
    Err(PlanError::Recorded {
        variant: variant.to_owned(),
        what,
        recorded: recorded.to_string(),
        computed: computed.map_or_else(|| "no count".to_owned(), |computed| computed.to_string()),
    })
}

fn most(what: &'static str, found: usize, most: usize) -> Result<(), PlanError> {
    if found > most {
        Err(PlanError::TooMany { what, found, most })
    } else {
        Ok(())
    }
}

fn sorted<T: Ord + core::fmt::Debug>(
    what: &'static str,
    list: impl Iterator<Item = T>,
) -> Result<(), PlanError> {
    let mut last: Option<T> = None;
    for item in list {
        if last.as_ref().is_some_and(|last| *last >= item) {
            return Err(PlanError::Order {
                what,
                key: format!("{item:?}"),
            });
        }
        last = Some(item);
    }
    Ok(())
}
