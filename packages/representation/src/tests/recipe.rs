//! The recipes over real rows: what they propose, what they claim, what they refuse.

use std::collections::{BTreeMap, BTreeSet};

use dataset::{ColumnKind, Declaration};
use evidence::wire::v1::PinnedRef;
use investigation::EpistemicPurpose;
use obligations::wire::v1::{Class, Predicate};
use refusal::{Code, Reason};
use snapshot::wire::v1::State;

use super::fixture::{Ask, NamedPins, Road, ask, penguins};
use crate::error::{GraphError, RecipeError};
use crate::limitation::{CONSTANT_DOMAIN, DEPTH_CLAIMS_NOTHING, STEREO_POSITION_UNVALIDATED};
use crate::wire::v2::{Binding, Channel, Domain, Edge, GraphBody, Range, Relation};
use crate::{Graph, Inputs, Pins, Recipe, ScatterStereo, ScatterVolume, bind, channel, grammar, recipes};

impl Pins for NamedPins {
    fn transform(&self, id: &str) -> Option<PinnedRef> {
        self.pinned(id)
    }

    fn recipe(&self, id: &str) -> Option<PinnedRef> {
        self.pinned(id)
    }
}

fn propose(recipe: &dyn Recipe, road: &Road) -> Result<Graph, RecipeError> {
    propose_with(recipe, road, &NamedPins(None))
}

fn propose_with(recipe: &dyn Recipe, road: &Road, pins: &dyn Pins) -> Result<Graph, RecipeError> {
    let Road {
        snapshot,
        context,
        obligations,
        ..
    } = road;
    recipe.propose(&Inputs {
        snapshot,
        context,
        obligations,
        leaf: road.leaf().1,
        proposals: &[],
        pins,
    })
}

fn volume(ask: &Ask) -> Result<Graph, RecipeError> {
    propose(&ScatterVolume, &ask.road())
}

fn on<'a>(graph: &'a GraphBody, primitive: &str) -> Vec<&'a Binding> {
    graph
        .bindings
        .iter()
        .filter(|binding| binding.record.primitive_id == primitive)
        .collect()
}

fn predicates(road: &Road, graph: &GraphBody) -> BTreeMap<String, BTreeSet<Predicate>> {
    let mut carried: BTreeMap<String, BTreeSet<Predicate>> = BTreeMap::new();
    for binding in &graph.bindings {
        for id in &binding.record.carries {
            let predicate = road
                .obligations
                .get(*id)
                .unwrap()
                .requirement_predicate_ref
                .predicate;
            carried
                .entry(binding.record.primitive_id.clone())
                .or_default()
                .insert(predicate);
        }
    }
    carried
}

#[test]
fn the_volume_is_proposed_with_its_walls_axes_and_boards() {
    let road = penguins().road();
    let graph = propose(&ScatterVolume, &road).unwrap();
    let body = graph.body();
    let ids: Vec<&str> = body
        .primitives
        .iter()
        .map(|primitive| primitive.id.as_str())
        .collect();
    assert_eq!(
        ids,
        [
            "marks.volume",
            "marks.wall_xy",
            "marks.wall_xz",
            "marks.wall_zy",
            "axis.x",
            "axis.y",
            "axis.z",
            "caveats",
            "title"
        ]
    );
    assert_eq!(on(body, "marks.volume").len(), 3);
    assert_eq!(on(body, "marks.wall_zy").len(), 2);
    assert_eq!(grammar::check(body), Ok(()));
    assert_eq!(
        grammar::check_against(body, road.snapshot.id(), road.snapshot.body()),
        Ok(())
    );
    let x = on(body, "marks.wall_xy")
        .into_iter()
        .find(|binding| binding.record.channel == Channel::PositionX)
        .unwrap();
    let Domain::Interval { min, max } = &x.record.domain else {
        panic!("{:?}", x.record.domain)
    };
    assert_eq!((min.get(), max.get()), (170.0, 240.0));
    assert_eq!(x.record.unit.as_deref(), Some("mm"));
}

/// Walls carry order, axes units, the board the rest; the volume carries nothing and says so.
#[test]
fn every_mandatory_obligation_is_carried_and_the_volume_carries_nothing() {
    for ask in [penguins(), penguins().grouped("species")] {
        let road = ask.road();
        let graph = propose(&ScatterVolume, &road).unwrap();
        let body = graph.body();
        let carried: BTreeSet<_> = body
            .bindings
            .iter()
            .flat_map(|binding| &binding.record.carries)
            .collect();
        for obligation in road.obligations.of_class(Class::MustPreserve) {
            let sentence = obligations::sentence(obligation, &road.snapshot);
            assert!(carried.contains(&obligation.id), "{sentence}");
        }
        let by_primitive = predicates(&road, body);
        assert_eq!(by_primitive.get("marks.volume"), None);
        for wall in ["marks.wall_xy", "marks.wall_xz", "marks.wall_zy"] {
            assert_eq!(by_primitive[wall], BTreeSet::from([Predicate::Order]), "{wall}");
        }
        assert_eq!(by_primitive["axis.y"], BTreeSet::from([Predicate::Units]));
        assert!(by_primitive["caveats"].is_superset(&BTreeSet::from([
            Predicate::Support,
            Predicate::Missingness,
            Predicate::Approximation,
            Predicate::Limitation,
        ])));
        assert!(
            body.primitives[0]
                .limitations
                .contains(&DEPTH_CLAIMS_NOTHING.to_owned())
        );
        for obligation in road.obligations.obligations() {
            for code in obligation
                .limitations_to_expose
                .iter()
                .filter(|_| obligation.class != Class::Optional)
            {
                let stated = body
                    .primitives
                    .iter()
                    .any(|primitive| primitive.limitations.contains(code));
                assert!(stated, "{code}");
            }
        }
        for obligation in road.obligations.of_class(Class::Progressive) {
            let verb = &obligation.activation.as_ref().unwrap().verb;
            assert!(body.primitives[0].routes.iter().any(|route| &route.verb == verb));
        }
    }
}

/// What carries an obligation has the form that the predicate needs.
#[test]
fn carriers_have_the_form_of_what_they_carry() {
    let road = penguins().grouped("species").road();
    let of_rows: [&dyn Recipe; 2] = [&ScatterVolume, &ScatterStereo];
    for recipe in of_rows {
        let graph = propose(recipe, &road).unwrap();
        for binding in &graph.body().bindings {
            for id in &binding.record.carries {
                let predicate = road
                    .obligations
                    .get(*id)
                    .unwrap()
                    .requirement_predicate_ref
                    .predicate;
                assert!(
                    channel::may_carry(binding.record.channel, predicate),
                    "{predicate:?}"
                );
            }
        }
    }
}

#[test]
fn a_grouping_is_drawn_by_hue_and_shape_that_claim_nothing() {
    let road = penguins().grouped("species").road();
    let graph = propose(&ScatterVolume, &road).unwrap();
    for primitive in [
        "marks.volume",
        "marks.wall_xy",
        "marks.wall_xz",
        "marks.wall_zy",
        "legend",
    ] {
        for channel in [Channel::Hue, Channel::Shape] {
            let found = on(graph.body(), primitive);
            let binding = found
                .iter()
                .find(|binding| binding.record.channel == channel)
                .unwrap();
            assert!(binding.record.carries.is_empty());
            let Domain::Categories { labels } = &binding.record.domain else {
                panic!("{channel:?}")
            };
            assert_eq!(labels, &["Adelie", "Chinstrap", "Gentoo"]);
        }
    }
    let hue = on(graph.body(), "legend")
        .into_iter()
        .find(|binding| binding.record.channel == Channel::Hue)
        .unwrap();
    assert!(matches!(&hue.record.range, Range::Colors { values } if values.len() == 3));
    assert!(graph.body().edges.len() <= grammar::MOST_EDGES);
}

/// The study treatment: no walls, and the volume claims the order itself.
#[test]
fn the_stereo_recipe_claims_order_in_the_volume() {
    let road = penguins().road();
    let graph = propose(&ScatterStereo, &road).unwrap();
    let body = graph.body();
    assert!(
        body.primitives
            .iter()
            .all(|primitive| !primitive.id.starts_with("marks.wall"))
    );
    assert_eq!(
        predicates(&road, body)["marks.volume"],
        BTreeSet::from([Predicate::Order])
    );
    assert!(
        body.primitives[0]
            .limitations
            .contains(&STEREO_POSITION_UNVALIDATED.to_owned())
    );
    assert_ne!(graph.id(), propose(&ScatterVolume, &road).unwrap().id());
}

#[test]
fn the_same_inputs_give_the_same_graph() {
    let (one, other) = (volume(&penguins()).unwrap(), volume(&penguins()).unwrap());
    assert_eq!(one.to_canonical().unwrap(), other.to_canonical().unwrap());
    let grouped = volume(&penguins().grouped("species")).unwrap();
    assert_ne!(one.id(), grouped.id());
}

#[test]
fn exploratory_purpose_keeps_what_it_must_keep_too() {
    let mut ask = penguins();
    ask.purpose = EpistemicPurpose::ExploratoryAbduction;
    let road = ask.road();
    let graph = propose(&ScatterVolume, &road).unwrap();
    let carried: BTreeSet<_> = graph
        .body()
        .bindings
        .iter()
        .flat_map(|binding| &binding.record.carries)
        .collect();
    assert!(
        road.obligations
            .of_class(Class::MustPreserve)
            .all(|obligation| carried.contains(&obligation.id))
    );
    assert!(road.obligations.of_predicate(Predicate::EpistemicStatus).count() > 0);
}

#[test]
fn three_different_quantitative_variables_are_needed() {
    let refused = |change: fn(&mut Ask)| {
        let mut ask = penguins();
        change(&mut ask);
        volume(&ask).unwrap_err()
    };
    let two = refused(|ask| ask.foreground.truncate(2));
    assert!(matches!(
        two,
        RecipeError::Foreground {
            needed: 3,
            found: 2,
            ..
        }
    ));
    assert_eq!(
        (two.refusal().code(), two.refusal().reason()),
        (Code::BindingUnavailable, Reason::NoLegalBinding)
    );
    let four = refused(|ask| ask.foreground.push("bill_depth_mm".to_owned()));
    assert!(matches!(four, RecipeError::Foreground { found: 4, .. }));
    assert!(volume(&penguins()).is_ok());
}

#[test]
fn more_categories_than_can_be_told_apart_are_refused_with_a_way_out() {
    let table = |groups: usize| {
        let rows: Vec<String> = (0..40)
            .map(|row| format!("{row},{row},{row},g{}", row % groups))
            .collect();
        let mut ask = ask(&format!("a,b,c,g\n{}\n", rows.join("\n")), ["a", "b", "c"]).grouped("g");
        ask.declarations = vec![Declaration::of("g").kind(ColumnKind::Categorical)];
        ask
    };
    assert!(volume(&table(8)).is_ok());
    let refused = volume(&table(9)).unwrap_err();
    assert!(matches!(
        refused,
        RecipeError::TooManyCategories {
            count: 9,
            most: 8,
            ..
        }
    ));
    let refusal = refused.refusal();
    assert_eq!(refusal.subjects(), ["g"]);
    assert!(refusal.retry().unwrap().contains("EXPLAIN"));
}

#[test]
fn constant_columns_get_room_and_say_so() {
    let rows: Vec<String> = (0..10).map(|row| format!("{row},7.5,{}", row * row)).collect();
    let graph = volume(&ask(&format!("a,b,c\n{}\n", rows.join("\n")), ["a", "b", "c"])).unwrap();
    let y = on(graph.body(), "marks.wall_xy")
        .into_iter()
        .find(|binding| binding.record.channel == Channel::PositionY)
        .unwrap();
    let Domain::Interval { min, max } = &y.record.domain else {
        panic!()
    };
    assert_eq!((min.get(), max.get()), (7.0, 8.0));
    assert_eq!(y.record.limitations, [CONSTANT_DOMAIN]);
    let caveats = graph
        .body()
        .primitives
        .iter()
        .find(|primitive| primitive.id == "caveats")
        .unwrap();
    assert!(caveats.limitations.contains(&CONSTANT_DOMAIN.to_owned()));
    let control = volume(&penguins()).unwrap();
    assert!(
        control
            .body()
            .primitives
            .iter()
            .all(|primitive| !primitive.limitations.contains(&CONSTANT_DOMAIN.to_owned()))
    );
}

#[test]
fn unpinned_knowledge_refuses() {
    let road = penguins().road();
    for missing in ["scatter_volume", "linear", "identity"] {
        let refused = propose_with(&ScatterVolume, &road, &NamedPins(Some(missing))).unwrap_err();
        assert!(
            matches!(&refused, RecipeError::Unpinned { id, .. } if id == missing),
            "{refused}"
        );
    }
    assert!(propose_with(&ScatterVolume, &road, &NamedPins(Some("categorical"))).is_ok());
    let grouped = penguins().grouped("species").road();
    assert!(propose_with(&ScatterVolume, &grouped, &NamedPins(Some("categorical"))).is_err());
}

#[test]
fn another_leaf_than_the_named_one_is_noticed() {
    let road = penguins().road();
    let other = ask("a,b,c\n1,2,3\n2,3,4\n3,4,9\n", ["a", "b", "c"]).road();
    let Road {
        snapshot,
        context,
        obligations,
        ..
    } = &road;
    let inputs = |leaf| Inputs {
        snapshot,
        context,
        obligations,
        leaf,
        proposals: &[],
        pins: &NamedPins(None),
    };
    assert!(matches!(
        ScatterVolume.propose(&inputs(other.leaf().1)),
        Err(RecipeError::NotInLeaf(_))
    ));
    assert!(ScatterVolume.propose(&inputs(road.leaf().1)).is_ok());
}

/// A request that was not answered is told on the board, bound to the rows that are there.
#[test]
fn what_is_not_there_is_carried_too() {
    let mut ask = penguins();
    let absent = kernels::wire::v1::Request::Rows {
        columns: vec!["year".to_owned()],
    };
    ask.absent = vec![(
        absent,
        State::Unavailable {
            reason: "not asked of this kernel".to_owned(),
        },
    )];
    let road = ask.road();
    let owed: Vec<_> = road.obligations.of_predicate(Predicate::Unavailability).collect();
    assert_eq!(owed.len(), 1);
    let graph = propose(&ScatterVolume, &road).unwrap();
    let carriers: Vec<_> = graph
        .body()
        .bindings
        .iter()
        .filter(|binding| binding.record.carries.contains(&owed[0].id))
        .collect();
    assert_eq!(carriers.len(), 1);
    assert_eq!(carriers[0].record.primitive_id, "caveats");
}

/// Compared marks share unit, frame and support; one shared receipt is not enough.
#[test]
fn comparisons_need_equal_units_frames_and_support() {
    let road = penguins().road();
    let graph = propose(&ScatterVolume, &road).unwrap();
    let (id, snapshot) = (road.snapshot.id(), road.snapshot.body());
    let compared = |from: &str, to: &str| {
        let mut body = graph.body().clone();
        let relation = Relation::ComparesWith;
        body.edges.push(Edge {
            from: from.to_owned(),
            to: to.to_owned(),
            relation,
        });
        body.edges.sort();
        grammar::check(&body).unwrap();
        grammar::check_against(&body, id, snapshot)
    };
    assert_eq!(compared("marks.wall_xy", "marks.volume"), Ok(()));
    let mixed = {
        let mut body = graph.body().clone();
        let mut records: Vec<_> = body.bindings.drain(..).map(|binding| binding.record).collect();
        let mass = records
            .iter()
            .find(|record| record.primitive_id == "marks.wall_xy" && record.channel == Channel::PositionY)
            .cloned()
            .unwrap();
        let x = records
            .iter_mut()
            .find(|record| record.primitive_id == "marks.wall_xz" && record.channel == Channel::PositionX)
            .unwrap();
        (x.semantic, x.unit, x.carries, x.domain) = (mass.semantic, mass.unit, Vec::new(), mass.domain);
        body.bindings = records.into_iter().map(|record| bind(record).unwrap()).collect();
        body.bindings.sort_by_key(|binding| binding.binding_id);
        let relation = Relation::ComparesWith;
        body.edges.push(Edge {
            from: "marks.wall_xz".to_owned(),
            to: "marks.wall_xy".to_owned(),
            relation,
        });
        body.edges.sort();
        grammar::check(&body).unwrap();
        grammar::check_against(&body, id, snapshot)
    };
    let error = mixed.unwrap_err();
    assert!(matches!(error, GraphError::Incomparable { .. }), "{error}");
    assert_eq!(error.refusal().code(), Code::ClaimNotAdmissible);
    let nothing = compared("marks.wall_xz", "marks.wall_zy");
    assert_eq!(nothing, Ok(()));
}

/// A graph of one snapshot is not believed about another, nor one that changes what a node is.
#[test]
fn graphs_describe_the_snapshot_at_hand() {
    let road = penguins().road();
    let other = penguins().grouped("species").road();
    let graph = propose(&ScatterVolume, &road).unwrap();
    let against = |body: &GraphBody, road: &Road| {
        grammar::check_against(body, road.snapshot.id(), road.snapshot.body())
    };
    assert_eq!(against(graph.body(), &road), Ok(()));
    assert!(matches!(
        against(graph.body(), &other),
        Err(GraphError::OtherSnapshot { .. })
    ));
    let changed = |change: fn(&mut crate::wire::v2::BindingRecord)| {
        let mut body = graph.body().clone();
        let mut records: Vec<_> = body.bindings.drain(..).map(|binding| binding.record).collect();
        records.iter_mut().for_each(change);
        body.bindings = records.into_iter().map(|record| bind(record).unwrap()).collect();
        against(&body, &road)
    };
    assert_eq!(changed(|_| ()), Ok(()));
    assert!(matches!(
        changed(|record| record.evidence_uses.clear()),
        Err(GraphError::Snapshot { .. })
    ));
    assert!(matches!(
        changed(|record| record.unit = Some("furlong".to_owned())),
        Err(GraphError::Snapshot { .. })
    ));
    let imputed = |record: &mut crate::wire::v2::BindingRecord| {
        if let crate::wire::v2::Semantic::Grounded { status, .. } = &mut record.semantic {
            *status = "IMPUTED".to_owned();
        }
    };
    assert!(matches!(changed(imputed), Err(GraphError::Snapshot { .. })));
}

#[test]
fn recipes_are_found_by_name() {
    for recipe in recipes::all() {
        assert_eq!(recipes::named(recipe.id()).map(Recipe::id), Some(recipe.id()));
        assert!(!recipe.statement().is_empty());
    }
    assert!(recipes::named("pie_chart").is_none());
}
