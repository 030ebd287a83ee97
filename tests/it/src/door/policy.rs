//! Fixed policy: a proposal may point at obligations and evidence; it may not drop, demote, replace or narrow them.

use harness::{Spec, World, edit, tables};
use identity::Digest;
use knowledge::Table;
use obligations::wire::v1::Predicate;
use refusal::{Code, Reason, Stage};
use representation::wire::v2::{Channel, Edge, Range, Relation};

use super::{Case, each, found, refused, told};

fn weeds() -> World {
    World::of(&Spec::of("weeds", tables::WEEDS, tables::FLOWER_AXES, "kind"))
}

#[test]
fn what_was_fixed_is_not_weakened() {
    each(
        World::flowers,
        &[
            Case {
                name: "an obligation that was never fixed",
                spoil: |world| {
                    let foreign = weeds().owed(Predicate::Order, Some("height_cm"));
                    world.regraph(|graph| {
                        edit::claim(edit::record(graph, "marks.volume", Channel::PositionX), foreign);
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::ObligationWeakened,
                says: "claims an obligation that was never fixed",
            },
            Case {
                name: "an obligation that nothing carries any more",
                spoil: |world| {
                    let order = world.owed(Predicate::Order, Some("width_cm"));
                    world.regraph(|graph| {
                        edit::carriers(graph, order).for_each(|record| record.carries.clear());
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::ObligationUncovered,
                says: "Nothing in the picture carries what must be kept",
            },
            Case {
                name: "an axis is left out with the unit it states",
                spoil: |world| {
                    world.regraph(|graph| {
                        let gone = edit::remove(graph, |record| {
                            record.primitive_id == "axis.x" && record.channel == Channel::Text
                        });
                        assert_eq!(gone, 1);
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::ObligationUncovered,
                says: "unit",
            },
            Case {
                name: "evidence is dropped",
                spoil: |world| {
                    world.regraph(|graph| {
                        edit::record(graph, "marks.wall_xy", Channel::PositionX)
                            .evidence_uses
                            .clear();
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::EvidenceWeakened,
                says: "rests on other evidence than the rows analysis requires",
            },
            Case {
                name: "evidence is swapped for that of another analysis",
                spoil: |world| {
                    let mean = world.node("statistics", "column:mass_g", "mean").source_id;
                    let uses = snapshot::source(&world.snapshot, mean)
                        .expect("its source")
                        .evidence_uses
                        .clone();
                    world.regraph(|graph| {
                        edit::record(graph, "marks.wall_xy", Channel::PositionX).evidence_uses = uses;
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::EvidenceWeakened,
                says: "rests on other evidence than the rows analysis requires",
            },
            Case {
                name: "a caveat that must be shown is dropped",
                spoil: |world| {
                    world.regraph(|graph| {
                        for primitive in &mut graph.primitives {
                            primitive
                                .limitations
                                .retain(|code| code != "ROWS_EXCLUDED_MISSING");
                        }
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::ObligationWeakened,
                says: "ROWS_EXCLUDED_MISSING must be shown",
            },
        ],
    );
}

#[test]
fn a_binding_shows_what_the_snapshot_holds() {
    each(
        World::flowers,
        &[
            Case {
                name: "a source of another snapshot",
                spoil: |world| {
                    let foreign = weeds().node("rows", "column:height_cm", "values").clone();
                    world.regraph(|graph| {
                        edit::point_at(edit::record(graph, "marks.volume", Channel::PositionX), &foreign);
                    });
                },
                stage: Stage::ContextIdentity,
                reason: Reason::WrongSubject,
                says: "shows a source the snapshot does not hold",
            },
            Case {
                name: "another unit than the snapshot's, though nothing is claimed by it",
                spoil: |world| {
                    world.regraph(|graph| {
                        let record = edit::record(graph, "marks.volume", Channel::PositionX);
                        assert!(record.carries.is_empty());
                        record.unit = Some("inch".to_owned());
                    });
                },
                stage: Stage::ContextIdentity,
                reason: Reason::WrongSubject,
                says: "marks.volume describes what it shows otherwise",
            },
            Case {
                name: "a conjecture offered as a claim",
                spoil: |world| {
                    let draft = serde_json::from_str(tables::FLOWER_CONJECTURE).expect("it is JSON");
                    world.suppose(&draft).expect("it fits the flowers");
                },
                stage: Stage::EvidencePolicy,
                reason: Reason::ConjectureAsClaim,
                says: "shows what is only supposed",
            },
        ],
    );
}

/// Two things that share a receipt and not a unit are not compared, whatever an edge says.
#[test]
fn what_is_compared_shares_unit_frame_and_support() {
    let compare = |world: &mut World| {
        world.regraph(|graph| {
            graph.edges.push(Edge {
                from: "marks.wall_xy".to_owned(),
                to: "marks.wall_zy".to_owned(),
                relation: Relation::ComparesWith,
            });
            graph.edges.sort();
        });
    };
    let mut world = World::flowers();
    compare(&mut world);
    assert!(world.admit().is_ok(), "both walls show the same variable on y");
    let mass = world.node("rows", "column:mass_g", "values").clone();
    world.regraph(|graph| {
        edit::point_at(edit::record(graph, "marks.wall_zy", Channel::PositionY), &mass);
    });
    let refused = refused(&world);
    let found = found(
        &refused,
        Stage::EvidencePolicy,
        Reason::IncompatibleFrames,
        "cannot be compared with",
    );
    assert_eq!(
        found.map(refusal::Refusal::code),
        Some(Code::ClaimNotAdmissible),
        "{}",
        told(&refused)
    );
}

#[test]
fn a_proposal_follows_a_pinned_recipe_or_none() {
    each(
        World::flowers,
        &[
            Case {
                name: "the name of a pinned recipe with other content",
                spoil: |world| {
                    world.regraph(|graph| {
                        let recipe = graph.recipe_ref.as_mut().expect("a recipe proposed it");
                        recipe.digest = Digest::of(b"scatter_volume, but kinder");
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::UnauthorizedPolicy,
                says: "which is not the pinned recipe of that name",
            },
            Case {
                name: "a recipe that nobody pins",
                spoil: |world| {
                    world.regraph(|graph| {
                        graph.recipe_ref.as_mut().expect("a recipe proposed it").id =
                            "scatter_best".to_owned();
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::UnauthorizedPolicy,
                says: "follows scatter_best@",
            },
        ],
    );
    let mut free = World::flowers();
    free.regraph(|graph| {
        graph.recipe_ref = None;
        graph.generated_by.kind = "PERSON".to_owned();
    });
    assert!(
        free.admit().is_ok(),
        "a proposal without a recipe is judged like any other"
    );
}

/// A legend that is not the marks' own tells a reader the wrong group.
#[test]
fn a_group_looks_the_same_wherever_it_is_drawn() {
    each(
        World::flowers,
        &[
            Case {
                name: "the legend's colors are swapped",
                spoil: |world| {
                    world.regraph(|graph| {
                        if let Range::Colors { values } =
                            &mut edit::record(graph, "legend", Channel::Hue).range
                        {
                            values.reverse();
                        }
                    });
                },
                stage: Stage::BindingUse,
                reason: Reason::NoLegalBinding,
                says: "hue differs between primitives",
            },
            Case {
                name: "a wall's shapes are swapped",
                spoil: |world| {
                    world.regraph(|graph| {
                        let record = edit::record(graph, "marks.wall_xz", Channel::Shape);
                        if let Range::Shapes { values } = &mut record.range {
                            values.reverse();
                        }
                    });
                },
                stage: Stage::BindingUse,
                reason: Reason::NoLegalBinding,
                says: "shape differs between primitives",
            },
        ],
    );
}

#[test]
fn a_transform_is_one_of_the_pinned_table() {
    each(
        World::flowers,
        &[
            Case {
                name: "the name of a pinned transform with other content",
                spoil: |world| {
                    world.regraph(|graph| {
                        edit::record(graph, "marks.wall_xy", Channel::PositionX)
                            .transform
                            .digest = Digest::of(b"linear, but kinder");
                    });
                },
                stage: Stage::BindingUse,
                reason: Reason::UnknownTransform,
                says: "linear@1.0.0 has other content than the pinned one",
            },
            Case {
                name: "a transform that the manifest lacks",
                spoil: |world| world.know(|shelf| shelf.remove("linear@1.0.0")),
                stage: Stage::BindingUse,
                reason: Reason::UnknownTransform,
                says: "linear@1.0.0 is not in the pinned table",
            },
            Case {
                name: "a transform that the manifest names and the table lacks",
                spoil: |world| {
                    let linear = world.table.pin("linear@1.0.0").expect("it is there").digest;
                    let others: Vec<(Digest, Vec<u8>)> = world
                        .table
                        .bytes()
                        .filter(|(digest, _)| **digest != linear)
                        .map(|(digest, bytes)| (*digest, bytes.to_vec()))
                        .collect();
                    world.table = Table::from_artifacts(others).expect("the rest is a table");
                },
                stage: Stage::BindingUse,
                reason: Reason::UnknownTransform,
                says: "linear@1.0.0",
            },
        ],
    );
}

#[test]
fn a_deferred_detail_has_a_route_that_works() {
    each(
        World::flowers,
        &[
            Case {
                name: "no primitive offers the route",
                spoil: |world| {
                    world.regraph(|graph| {
                        graph
                            .primitives
                            .iter_mut()
                            .for_each(|primitive| primitive.routes.clear());
                    });
                },
                stage: Stage::FixedPolicy,
                reason: Reason::RouteMissing,
                says: "nothing in the picture leads to it",
            },
            Case {
                name: "every primitive offers a route that no handler serves",
                spoil: |world| {
                    world.govern(|file| {
                        for rule in file["rules"].as_array_mut().expect("rules are a list") {
                            if rule["activation"]["verb"] == "EXPLAIN" {
                                rule["activation"]["verb"] = "ZOOM".into();
                            }
                        }
                    });
                    let offers = |verb: &str| {
                        let mut routes = world.graph.body().primitives.iter().flat_map(|p| &p.routes);
                        routes.any(|route| route.verb == verb)
                    };
                    assert!(offers("ZOOM") && !offers("EXPLAIN"));
                },
                stage: Stage::FixedPolicy,
                reason: Reason::RouteMissing,
                says: "nothing in the picture leads to it",
            },
        ],
    );
    assert!(forma::supports_route("EXPLAIN") && !forma::supports_route("ZOOM"));
}
