//! Everything that is fixed before a candidate exists, said to whoever wants to propose one.

use std::collections::BTreeSet;

use custody::Custody;
use evidence::wire::v1::PinnedRef;
use forma::{Answer, Authorities, DecisionStanding};
use identity::{Finite, SafeInteger};
use investigation::Scope;
use investigation::wire::v2::Foreground;
use knowledge::wire::v1::{Arrangement, EntryKind, Mapping};
use knowledge::{Qualification, Question};
use obligations::wire::v1::{Activation, Class, Predicate};
use refusal::{Reason, Refusal, Stage};
use representation::wire::v2::{Channel, GeneratedBy, GraphBody};
use representation::{TransformKind, channel, grammar, palette, ticks, volume};
use snapshot::wire::v1::{Node, Source};

use crate::Prepared;
use crate::submitted::MAX_GRAPH_BYTES;
use crate::vocabulary::{DOMAINS, FIDELITIES, ORDERS, PLACEMENTS, PRIMITIVE_KINDS, PROPOSERS, RANGES};
use crate::wire::v1::{
    AxisRow, Bounds, ChannelRow, ClosedWords, DecisionContext, GroupingRow, IdentityRow, MappingRow, Owed,
    PairRow, Palette, PinnedPolicy, PlacementRow, Table, TransformRow, Volume,
};

/// How identities are computed, in the order in which a proposer needs them.
const IDENTITIES: [IdentityRow; 2] = [
    IdentityRow {
        member: "bindingId",
        tag: "perceptual-binding-v1",
        rule: "tag, colon, lowercase hexadecimal SHA-256 of the RFC 8785 text of {\"body\": record, \"tag\": tag}; \
            bindings stand in the order of their ids",
    },
    IdentityRow {
        member: "graphId",
        tag: "representation-graph-v2",
        rule: "as bindingId, over the graph's body; needed only for the envelope {\"schemaVersion\": 2, \"graphId\", \
            \"body\"}, the body alone is enough",
    },
];

/// The fixed decision context of a prepared inquiry, enough to write a graph that the door can admit.
///
/// # Errors
/// A [`Refusal`] when the rows of a foreground variable are not there or can't span an axis.
pub fn disclose(prepared: &Prepared, custody: &Custody) -> Result<DecisionContext, Refusal> {
    let context = prepared.context();
    let perspective = context.body().perspective.as_ref();
    let foreground = perspective.map_or(&[][..], |perspective| perspective.foreground.as_slice());
    let channels = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];
    let axes = foreground.iter().zip(channels);
    let grouping = perspective.and_then(|perspective| perspective.grouping.as_ref());
    let set = prepared.obligations().set();
    let routes: BTreeSet<Activation> = set
        .body()
        .obligations
        .iter()
        .filter_map(|owed| owed.activation.clone())
        .collect();
    let dataset = prepared.dataset();
    Ok(DecisionContext {
        schema_version: SafeInteger::from(1),
        dataset: Table {
            name: dataset.name().to_owned(),
            fingerprint: dataset.fingerprint(),
            rows: u64::try_from(dataset.n_rows()).unwrap_or(u64::MAX),
            columns: dataset
                .columns()
                .iter()
                .map(|column| column.name().to_owned())
                .collect(),
        },
        snapshot: prepared.snapshot().to_wire(),
        context: context.to_wire(),
        obligation_set: set.to_wire(),
        obligations: owed(prepared),
        policies: policies(prepared, custody),
        knowledge_manifest: custody.manifest().to_wire(),
        devices: custody.capability().devices.clone(),
        channels: channel_rows(custody),
        transforms: transform_rows(custody),
        recipes: custody.pins().recipes.values().cloned().collect(),
        mappings: mapping_rows(prepared, custody)?,
        primitive_kinds: PRIMITIVE_KINDS.to_vec(),
        placements: placement_rows(),
        relations: grammar::PAIRS
            .iter()
            .map(|(from, to, relations)| PairRow {
                from: *from,
                to: *to,
                relations: relations.to_vec(),
            })
            .collect(),
        words: ClosedWords {
            generated_by: PROPOSERS.to_vec(),
            fidelity: FIDELITIES.to_vec(),
            order_constraint: ORDERS.to_vec(),
            domain: DOMAINS.to_vec(),
            range: RANGES.to_vec(),
        },
        volume: Volume {
            x: [finite(volume::X_MIN)?, finite(volume::X_MAX)?],
            y: [finite(volume::Y_MIN)?, finite(volume::Y_MAX)?],
            z: [finite(volume::Z_MIN)?, finite(volume::Z_MAX)?],
            cap_height: finite(volume::TEXT_CAP)?,
        },
        palette: Palette {
            colors: palette::COLORS.to_vec(),
            shapes: palette::SHAPES.to_vec(),
        },
        foreground: axes
            .map(|(asked, channel)| axis_row(prepared, asked, channel))
            .collect::<Result<_, _>>()?,
        grouping: grouping.map(|asked| grouping_row(prepared, asked)).transpose()?,
        routes: routes.into_iter().collect(),
        bounds: Bounds {
            bytes: MAX_GRAPH_BYTES,
            primitives: grammar::MOST_PRIMITIVES,
            edges: grammar::MOST_EDGES,
            bindings: grammar::MOST_BINDINGS,
            name_characters: grammar::MOST_NAME,
            categories: palette::MOST,
        },
        identities: IDENTITIES.to_vec(),
        graph: skeleton(prepared),
    })
}

/// An empty graph under the exact identities.
fn skeleton(prepared: &Prepared) -> GraphBody {
    GraphBody {
        bindings: Vec::new(),
        context_id: prepared.context().id(),
        edges: Vec::new(),
        generated_by: GeneratedBy {
            kind: "SCRIPT".to_owned(),
            name: String::new(),
            version: String::new(),
        },
        obligation_set_id: prepared.obligations().set().id(),
        primitives: Vec::new(),
        recipe_ref: None,
        snapshot_id: prepared.snapshot().id(),
    }
}

fn owed(prepared: &Prepared) -> Vec<Owed> {
    let fixed = prepared.obligations();
    let of = |obligation: &obligations::wire::v1::Obligation| {
        let predicate = obligation.requirement_predicate_ref.predicate;
        let rule = fixed.rule(obligation.id);
        let demand = forma::demand(predicate);
        Owed {
            obligation_id: obligation.id,
            class: obligation.class,
            predicate,
            sentence: obligations::sentence(obligation, prepared.snapshot()),
            rule: rule.map_or_else(|| fixed.policy(), |rule| rule.rule.clone()),
            rule_sentence: rule.map_or_else(String::new, |rule| rule.sentence.clone()),
            source_id: obligation.semantic_source_ref.source_id,
            node_id: obligation.semantic_source_ref.node_id,
            limitations_to_expose: obligation.limitations_to_expose.clone(),
            channels: channel::TABLE
                .iter()
                .filter(|row| row.carries.contains(&predicate))
                .map(|row| row.word)
                .collect(),
            paths: demand.paths.to_vec(),
            demand: demand.sentence,
        }
    };
    fixed.obligations().iter().map(of).collect()
}

fn policies(prepared: &Prepared, custody: &Custody) -> Vec<PinnedPolicy> {
    let pins = custody.pins();
    let scope = &prepared.context().body().policy_scope_ref;
    let scope_says = custody
        .scopes()
        .iter()
        .find(|known| known.pinned() == scope)
        .map_or("", Scope::statement);
    let row = |decides, pinned: &PinnedRef, statement: &str| PinnedPolicy {
        decides,
        pinned: pinned.clone(),
        statement: statement.to_owned(),
    };
    vec![
        row(
            "which meaning becomes which obligation",
            &pins.obligation_policy,
            custody.obligation_policy().statement(),
        ),
        row("for which tasks, domain and needs", scope, scope_says),
        row(
            "which uses a qualification permits",
            &pins.qualification_policy,
            "Production needs every required claim qualified in scope; legible words need legibility alone.",
        ),
        row(
            "what each device class resolves",
            &pins.capability,
            "Channels, budgets and the smallest legible letters of each device class.",
        ),
    ]
}

fn channel_rows(custody: &Custody) -> Vec<ChannelRow> {
    let entries = &custody.manifest().body().entries;
    let row = |rule: &channel::ChannelRule| ChannelRow {
        channel: rule.channel,
        statement: rule.statement,
        digest: entries
            .iter()
            .find(|entry| entry.kind == EntryKind::Channel && entry.id == rule.word)
            .map(|entry| entry.content_digest),
        transforms: rule.transforms.iter().map(|kind| kind.id()).collect(),
        carries: rule.carries.to_vec(),
    };
    channel::TABLE.iter().map(row).collect()
}

fn transform_rows(custody: &Custody) -> Vec<TransformRow> {
    let statement = |pinned: &PinnedRef| {
        let mut definitions = custody.table().definitions(EntryKind::Transform);
        definitions
            .find(|(_, definition)| definition.id == pinned.id && definition.version == pinned.version)
            .map_or_else(String::new, |(_, definition)| definition.statement.clone())
    };
    let row = |kind: TransformKind| {
        let pinned = custody.pins().transforms.get(kind.id())?.clone();
        Some(TransformRow {
            keeps_order: kind.keeps_order(),
            statement: statement(&pinned),
            pinned,
        })
    };
    TransformKind::ALL.into_iter().filter_map(row).collect()
}

/// What the table answers for what must be kept, less the decisions that custody no longer lets stand.
fn mapping_rows(prepared: &Prepared, custody: &Custody) -> Result<Vec<MappingRow>, Refusal> {
    let predicates: BTreeSet<Predicate> = prepared
        .obligations()
        .of_class(Class::MustPreserve)
        .map(|owed| owed.requirement_predicate_ref.predicate)
        .collect();
    let n_marks = u64::try_from(prepared.rows()?.n_rows()).ok();
    let scope = &prepared.context().body().policy_scope_ref;
    let mut rows = Vec::new();
    for capability in &custody.capability().devices {
        for channel in &capability.channels {
            for arrangement in [
                Arrangement::AlignedCommonScale,
                Arrangement::FreeVolume,
                Arrangement::PerMark,
                Arrangement::Board,
            ] {
                for predicate in &predicates {
                    let mapping = Mapping {
                        channel: *channel,
                        arrangement,
                    };
                    let question = Question {
                        mapping,
                        predicate: *predicate,
                        device: capability.device,
                        scope,
                        n_marks,
                    };
                    let (standing, decision) = match custody.table().answer(custody.manifest(), &question) {
                        Qualification::Qualified { decision } if stands(custody, &decision) => {
                            ("QUALIFIED", decision)
                        }
                        Qualification::Contraindicated { decision, .. } => ("CONTRAINDICATED", decision),
                        Qualification::Qualified { .. } | Qualification::Unvalidated { .. } => continue,
                    };
                    rows.push(MappingRow {
                        device: capability.device,
                        channel: *channel,
                        arrangement,
                        predicate: *predicate,
                        standing,
                        decision,
                    });
                }
            }
        }
    }
    Ok(rows)
}

fn stands(custody: &Custody, decision: &str) -> bool {
    matches!(
        custody.decision(decision),
        Answer::Known(DecisionStanding::Stands { .. })
    )
}

fn placement_rows() -> Vec<PlacementRow> {
    let kind = |placement: &str| {
        if placement == "VOLUME" || placement.starts_with("WALL") {
            "POINT_IDENTITY"
        } else {
            "ANNOTATION"
        }
    };
    let row = |placement: &&'static str| PlacementRow {
        placement,
        kind: kind(placement),
    };
    PLACEMENTS.iter().map(row).collect()
}

fn axis_row(prepared: &Prepared, asked: &Foreground, along: Channel) -> Result<AxisRow, Refusal> {
    let (node, source) = meant(prepared, asked)?;
    let values = prepared.rows()?.number(&asked.variable).unwrap_or_default();
    let (min, max) = values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), value| {
            (min.min(*value), max.max(*value))
        });
    let (ticks, limitation) = ticks::domain(min, max, ticks::TARGET).map_err(|error| {
        Refusal::new(
            Stage::BindingUse,
            Reason::OutsideDomain,
            format!("`{}` can't span an axis: {error}.", asked.variable),
        )
        .about(asked.variable.clone())
        .next("Rescale the column, or choose another variable.")
    })?;
    Ok(AxisRow {
        channel: channel::word(along),
        variable: asked.variable.clone(),
        unit: node.descriptor.unit.clone(),
        node_id: node.node_id,
        source_id: node.source_id,
        property_path: node.property_path.clone(),
        status: node.epistemic_status.clone(),
        evidence_uses: source.evidence_uses.clone(),
        values: [finite(min)?, finite(max)?],
        domain: [finite(ticks.min)?, finite(ticks.max)?],
        limitation,
    })
}

fn grouping_row(prepared: &Prepared, asked: &Foreground) -> Result<GroupingRow, Refusal> {
    let (node, source) = meant(prepared, asked)?;
    let labels = prepared.rows()?.categories(&asked.variable);
    Ok(GroupingRow {
        variable: asked.variable.clone(),
        node_id: node.node_id,
        source_id: node.source_id,
        property_path: node.property_path.clone(),
        status: node.epistemic_status.clone(),
        evidence_uses: source.evidence_uses.clone(),
        labels: labels.map(|(labels, _)| labels.to_vec()).unwrap_or_default(),
    })
}

/// The node that the perspective names, with its source.
fn meant<'a>(prepared: &'a Prepared, asked: &Foreground) -> Result<(&'a Node, &'a Source), Refusal> {
    let node = snapshot::node(prepared.snapshot(), asked.node_id);
    let source = node.and_then(|node| snapshot::source(prepared.snapshot(), node.source_id));
    node.zip(source).ok_or_else(|| {
        Refusal::new(
            Stage::ContextIdentity,
            Reason::UnresolvedPerspective,
            format!("The snapshot does not hold the values of `{}`.", asked.variable),
        )
        .about(asked.variable.clone())
        .next("Ask the table itself with `nemosyne admit FILE`.")
    })
}

fn finite(value: f64) -> Result<Finite, Refusal> {
    Finite::new(value).map_err(|error| {
        Refusal::new(
            Stage::BindingUse,
            Reason::OutsideDomain,
            format!("A place can't be said: {error}."),
        )
        .next("Choose variables that some row has values of.")
    })
}
