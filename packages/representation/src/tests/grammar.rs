//! What a graph may say: each rule broken once, beside the graph that keeps it.

use evidence::wire::v1::PinnedRef;
use identity::{Body, Digest, Finite, Identity, identify};
use obligations::ObligationKind;
use obligations::wire::v1::{Activation, Predicate};
use snapshot::{NodeKind, SourceKind};

use crate::channel;
use crate::error::GraphError;
use crate::grammar::{self, PAIRS, allows};
use crate::wire::v2::{
    Binding, BindingRecord, Channel, Domain, Edge, Fidelity, GeneratedBy, GraphBody, Placement, Primitive,
    PrimitiveKind, Range, Relation, Semantic,
};
use crate::{TransformKind, bind};

fn pinned(kind: TransformKind) -> PinnedRef {
    PinnedRef {
        id: kind.id().to_owned(),
        version: kind.version().to_owned(),
        digest: Digest::of(kind.id().as_bytes()),
    }
}

fn primitive(id: &str, kind: PrimitiveKind, placement: Placement) -> Primitive {
    Primitive {
        id: id.to_owned(),
        kind,
        placement,
        form: None,
        routes: Vec::new(),
        limitations: Vec::new(),
    }
}

fn semantic(name: &str) -> Semantic {
    Semantic::Grounded {
        source_id: identify::<SourceKind, _>("rows").unwrap(),
        node_id: identify::<NodeKind, _>(name).unwrap(),
        property_path: "values".to_owned(),
        status: "OBSERVED".to_owned(),
    }
}

fn position(primitive: &str, channel: Channel, name: &str) -> BindingRecord {
    let finite = |value| Finite::new(value).unwrap();
    BindingRecord {
        primitive_id: primitive.to_owned(),
        semantic: semantic(name),
        evidence_uses: Vec::new(),
        channel,
        transform: pinned(TransformKind::Linear),
        domain: Domain::Interval {
            min: finite(0.0),
            max: finite(10.0),
        },
        range: Range::Meters {
            from: finite(-0.6),
            to: finite(0.6),
        },
        unit: Some("mm".to_owned()),
        order_constraint: "INCREASING".to_owned(),
        fidelity: Fidelity::Direct,
        carries: Vec::new(),
        limitations: Vec::new(),
        fallback_binding_ids: Vec::new(),
    }
}

fn hue(primitive: &str) -> BindingRecord {
    BindingRecord {
        channel: Channel::Hue,
        transform: pinned(TransformKind::Categorical),
        domain: Domain::Categories {
            labels: vec!["a".to_owned(), "b".to_owned()],
        },
        range: Range::Colors {
            values: vec!["#56b4e9".to_owned(), "#e69f00".to_owned()],
        },
        unit: None,
        order_constraint: "NONE".to_owned(),
        ..position(primitive, Channel::Hue, "species")
    }
}

fn shape(primitive: &str) -> BindingRecord {
    BindingRecord {
        channel: Channel::Shape,
        range: Range::Shapes {
            values: vec!["circle".to_owned(), "star".to_owned()],
        },
        ..hue(primitive)
    }
}

fn sealed(records: Vec<BindingRecord>) -> Vec<Binding> {
    let mut bindings: Vec<Binding> = records.into_iter().map(|record| bind(record).unwrap()).collect();
    bindings.sort_by_key(|binding| binding.binding_id);
    bindings
}

fn edge(from: &str, to: &str, relation: Relation) -> Edge {
    Edge {
        from: from.to_owned(),
        to: to.to_owned(),
        relation,
    }
}

fn good() -> GraphBody {
    GraphBody {
        snapshot_id: identify("snapshot").unwrap(),
        context_id: identify("context").unwrap(),
        obligation_set_id: identify("obligations").unwrap(),
        recipe_ref: None,
        primitives: vec![
            primitive("a", PrimitiveKind::PointIdentity, Placement::WallXy),
            primitive("b", PrimitiveKind::PointIdentity, Placement::WallXz),
            primitive("words", PrimitiveKind::Annotation, Placement::CaveatBoard),
        ],
        edges: vec![
            edge("a", "b", Relation::CoordinatesWith),
            edge("words", "a", Relation::CoordinatesWith),
        ],
        bindings: sealed(vec![
            position("a", Channel::PositionX, "mass"),
            position("a", Channel::PositionY, "length"),
            hue("a"),
            shape("a"),
        ]),
        generated_by: GeneratedBy {
            kind: "PERSON".to_owned(),
            name: "a test".to_owned(),
            version: "1".to_owned(),
        },
    }
}

fn with(change: impl FnOnce(&mut GraphBody)) -> Result<(), GraphError> {
    let mut graph = good();
    change(&mut graph);
    graph.check()
}

fn rebound(change: impl Fn(&mut BindingRecord)) -> Result<(), GraphError> {
    with(|graph| {
        let mut records: Vec<BindingRecord> =
            graph.bindings.drain(..).map(|binding| binding.record).collect();
        records.iter_mut().for_each(change);
        graph.bindings = sealed(records);
    })
}

#[test]
fn a_graph_that_keeps_every_rule_is_sealed() {
    assert_eq!(good().check(), Ok(()));
    assert!(identity::Sealed::seal(good()).is_ok());
}

#[test]
fn counts_are_bounded() {
    let many = |n: usize| {
        with(|graph| {
            let kind = PrimitiveKind::Annotation;
            graph
                .primitives
                .extend((0..n).map(|at| primitive(&format!("p{at}"), kind, Placement::Title)));
        })
    };
    assert_eq!(many(13), Ok(()));
    assert!(matches!(
        many(14),
        Err(GraphError::TooMany {
            what: "primitives",
            found: 17,
            most: 16
        })
    ));
    let edges = |n: usize| {
        with(|graph| {
            graph.primitives.extend(
                (0..8)
                    .map(|at| primitive(&format!("p{at}"), PrimitiveKind::PointIdentity, Placement::Volume)),
            );
            let mut all = Vec::new();
            for from in 0..8 {
                for to in (0..8).filter(|to| *to != from) {
                    all.push(edge(
                        &format!("p{from}"),
                        &format!("p{to}"),
                        Relation::CoordinatesWith,
                    ));
                }
            }
            all.sort();
            all.truncate(n);
            graph.edges = all;
        })
    };
    assert_eq!(edges(32), Ok(()));
    assert!(matches!(
        edges(33),
        Err(GraphError::TooMany { what: "edges", .. })
    ));
}

#[test]
fn names_are_unique_and_lead_somewhere() {
    assert!(matches!(
        with(|graph| graph.primitives[1].id = "a".to_owned()),
        Err(GraphError::Order {
            what: "primitives",
            ..
        })
    ));
    assert!(matches!(
        with(|graph| graph.edges[1].to = "nothing".to_owned()),
        Err(GraphError::Dangling { what: "an edge", .. })
    ));
    assert!(matches!(
        rebound(|record| record.primitive_id = "nothing".to_owned()),
        Err(GraphError::Dangling {
            what: "a binding",
            ..
        })
    ));
    assert!(matches!(
        with(|graph| graph.edges.reverse()),
        Err(GraphError::Order { what: "edges", .. })
    ));
    assert!(matches!(
        with(|graph| graph.bindings.reverse()),
        Err(GraphError::Order { what: "bindings", .. })
    ));
    assert!(matches!(
        with(|graph| graph.edges[0].to = "a".to_owned()),
        Err(GraphError::SelfEdge(_))
    ));
}

/// A detail of a detail of itself has no reading; marks that coordinate with each other do.
#[test]
fn directed_relations_end() {
    let round = |relation, kind| {
        with(|graph| {
            graph
                .primitives
                .push(primitive("m", PrimitiveKind::PointIdentity, Placement::Volume));
            graph.primitives.push(primitive("n", kind, Placement::Volume));
            graph.edges = vec![edge("m", "n", relation), edge("n", "m", relation)];
        })
    };
    assert!(matches!(
        round(Relation::DetailOf, PrimitiveKind::DetailExpansion),
        Err(GraphError::RelationCycle(_))
    ));
    assert!(matches!(
        round(Relation::Overlay, PrimitiveKind::Uncertainty),
        Err(GraphError::RelationCycle(_))
    ));
    assert_eq!(
        round(Relation::CoordinatesWith, PrimitiveKind::PointIdentity),
        Ok(())
    );
}

#[test]
fn only_relations_of_the_pair_table_pass() {
    let relations = [
        Relation::Overlay,
        Relation::Contains,
        Relation::DerivesFrom,
        Relation::CoordinatesWith,
        Relation::DetailOf,
        Relation::ComparesWith,
    ];
    for relation in relations {
        let found = with(|graph| graph.edges[0].relation = relation);
        let legal = allows(
            PrimitiveKind::PointIdentity,
            PrimitiveKind::PointIdentity,
            relation,
        );
        assert_eq!(found.is_ok(), legal, "{relation:?}");
        if !legal {
            let refusal = found.unwrap_err().refusal();
            assert_eq!(refusal.reason(), refusal::Reason::RelationUnsupported);
        }
    }
    assert!(PAIRS.iter().all(|(_, _, relations)| !relations.is_empty()));
    assert!(!allows(
        PrimitiveKind::PointIdentity,
        PrimitiveKind::Annotation,
        Relation::Contains
    ));
}

#[test]
fn bindings_keep_their_identity() {
    let found = with(|graph| graph.bindings[0].record.unit = Some("cm".to_owned()));
    assert!(matches!(found, Err(GraphError::BindingIdentity { .. })));
    assert_eq!(rebound(|record| record.unit = Some("cm".to_owned())), Ok(()));
}

#[test]
fn unknown_transforms_and_illegal_channels_are_refused() {
    assert!(matches!(
        rebound(|record| record.transform.id = "cubic".to_owned()),
        Err(GraphError::Transform { .. })
    ));
    assert!(matches!(
        rebound(|record| record.transform = pinned(TransformKind::Categorical)),
        Err(GraphError::Channel { .. } | GraphError::Transform { .. })
    ));
    let luminance = |record: &mut BindingRecord| {
        if record.channel == Channel::PositionX {
            record.channel = Channel::Luminance;
        }
    };
    assert!(matches!(
        rebound(luminance),
        Err(GraphError::Channel {
            channel: Channel::Luminance,
            ..
        })
    ));
    let flat = |record: &mut BindingRecord| {
        if let Range::Meters { from, to } = &mut record.range {
            *from = *to;
            record.order_constraint = "NONE".to_owned();
        }
    };
    assert!(matches!(rebound(flat), Err(GraphError::Transform { .. })));
}

#[test]
fn a_length_starts_at_zero() {
    let length = |min: f64, from: f64| {
        with(|graph| {
            let finite = |value| Finite::new(value).unwrap();
            let mut record = position("b", Channel::Length, "mass");
            record.domain = Domain::Interval {
                min: finite(min),
                max: finite(10.0),
            };
            record.range = Range::Meters {
                from: finite(from),
                to: finite(0.6),
            };
            graph.bindings = sealed(vec![record]);
        })
    };
    assert_eq!(length(0.0, 0.0), Ok(()));
    assert!(matches!(
        length(1.0, 0.0),
        Err(GraphError::Channel {
            channel: Channel::Length,
            ..
        })
    ));
    assert!(matches!(
        length(0.0, 0.1),
        Err(GraphError::Channel {
            channel: Channel::Length,
            ..
        })
    ));
}

#[test]
fn promises_of_order_are_held_against_the_transform() {
    let promise = |word: &'static str| {
        rebound(move |record| {
            if record.channel == Channel::PositionX {
                record.order_constraint = word.to_owned();
            }
        })
    };
    assert_eq!(promise("INCREASING"), Ok(()));
    assert!(matches!(promise("DECREASING"), Err(GraphError::Channel { .. })));
    assert!(matches!(promise("NONE"), Err(GraphError::Channel { .. })));
    assert!(matches!(promise("UPWARD"), Err(GraphError::Word { .. })));
}

#[test]
fn categories_look_different_and_hue_has_company() {
    let obligation: Identity<ObligationKind> = identify("membership").unwrap();
    let carrying = |channels: &'static [Channel]| {
        rebound(move |record| {
            if channels.contains(&record.channel) {
                record.carries = vec![obligation];
            }
        })
    };
    assert_eq!(carrying(&[Channel::Hue, Channel::Shape]), Ok(()));
    assert_eq!(carrying(&[Channel::Shape]), Ok(()));
    assert!(matches!(
        carrying(&[Channel::Hue]),
        Err(GraphError::Channel {
            channel: Channel::Hue,
            ..
        })
    ));
    let colored = |value: &'static str| {
        rebound(move |record| {
            if let Range::Colors { values } = &mut record.range {
                values[1] = value.to_owned();
            }
        })
    };
    assert_eq!(colored("#0072b2"), Ok(()));
    for bad in ["#56b4e9", "#0072B2", "blue", "#0072b", "#0072b2ff"] {
        assert!(matches!(colored(bad), Err(GraphError::Channel { .. })), "{bad}");
    }
}

#[test]
fn one_property_is_not_shown_twice_on_one_channel() {
    let again = |channel: Channel, name: &'static str| {
        with(|graph| {
            let mut records: Vec<BindingRecord> =
                graph.bindings.drain(..).map(|binding| binding.record).collect();
            let mut twice = position("a", channel, name);
            twice.unit = None;
            records.push(twice);
            graph.bindings = sealed(records);
        })
    };
    assert_eq!(again(Channel::PositionZ, "mass"), Ok(()));
    assert!(matches!(
        again(Channel::PositionX, "mass"),
        Err(GraphError::Twice { .. })
    ));
}

#[test]
fn fallbacks_stay_in_the_graph() {
    let to = |known: bool| {
        with(|graph| {
            let target = if known {
                graph.bindings[0].binding_id
            } else {
                identify("elsewhere").unwrap()
            };
            let mut record = position("b", Channel::PositionX, "mass");
            record.fallback_binding_ids = vec![target];
            let mut records: Vec<BindingRecord> =
                graph.bindings.drain(..).map(|binding| binding.record).collect();
            records.push(record);
            graph.bindings = sealed(records);
        })
    };
    assert_eq!(to(true), Ok(()));
    assert!(matches!(
        to(false),
        Err(GraphError::Dangling {
            what: "a fallback",
            ..
        })
    ));
}

#[test]
fn declared_sets_of_primitives_stand_in_order() {
    let route = |verb: &str| Activation {
        verb: verb.to_owned(),
        sentence: "Do it.".to_owned(),
    };
    assert_eq!(
        with(|graph| graph.primitives[0].routes = vec![route("EXPLAIN"), route("TRACE")]),
        Ok(())
    );
    assert!(matches!(
        with(|graph| graph.primitives[0].routes = vec![route("TRACE"), route("EXPLAIN")]),
        Err(GraphError::Order { what: "routes", .. })
    ));
    let codes = |codes: &[&str]| codes.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        with(|graph| graph.primitives[0].limitations = codes(&["A", "B"])),
        Ok(())
    );
    assert!(matches!(
        with(|graph| graph.primitives[0].limitations = codes(&["B", "B"])),
        Err(GraphError::Order {
            what: "limitations",
            ..
        })
    ));
    assert!(matches!(
        with(|graph| graph.generated_by.kind = "ORACLE".to_owned()),
        Err(GraphError::Word { .. })
    ));
}

#[test]
fn the_channel_table_is_whole_and_names_resolve() {
    for (at, row) in channel::TABLE.iter().enumerate() {
        assert_eq!(row.channel as usize, at);
        assert_eq!(channel::named(row.word), Some(row.channel));
        let wire = serde_json::to_value(row.channel).unwrap();
        assert_eq!(wire.as_str(), Some(row.word));
    }
    assert_eq!(channel::named("position"), None);
    assert!(channel::may_carry(Channel::PositionX, Predicate::Order));
    assert!(channel::may_carry(Channel::Length, Predicate::Ratio));
    for without_ratio in [Channel::Opacity, Channel::Area, Channel::Hue, Channel::PositionZ] {
        assert!(!channel::may_carry(without_ratio, Predicate::Ratio));
    }
    assert!(!channel::may_carry(Channel::Hue, Predicate::Order));
    assert!(channel::may_carry(Channel::Text, Predicate::Units));
}

#[test]
fn every_graph_error_refuses_with_a_way_out() {
    let broken = [
        with(|graph| graph.edges[0].to = "a".to_owned()),
        with(|graph| graph.edges[0].relation = Relation::Contains),
        with(|graph| graph.bindings[0].record.unit = Some("cm".to_owned())),
        rebound(|record| record.transform.id = "cubic".to_owned()),
    ];
    let codes: Vec<_> = broken
        .into_iter()
        .map(|found| found.unwrap_err().refusal())
        .collect();
    assert!(codes.iter().all(|refusal| refusal.retry().is_some()));
    assert_eq!(grammar::check(&good()), Ok(()));
}
