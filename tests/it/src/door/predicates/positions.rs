//! What a position carries: order, sequence, difference; and what it does not: a ratio.

use harness::{World, edit};
use identity::Identity;
use obligations::ObligationKind;
use obligations::wire::v1::Predicate;
use refusal::{Reason, Stage};
use representation::wire::v2::{BindingRecord, Channel, Domain, Range, Semantic};

use super::super::{each, found, not_carried as not_carried_for, refused};
use super::{X, finite, in_a_study, not_carried, pin, spoil_x};

/// Changes every place of x alike, so that the axis has one scale.
fn for_x(world: &mut World, change: impl Fn(&mut BindingRecord)) {
    world.regraph(|graph| {
        let records = graph.bindings.iter_mut().map(|binding| &mut binding.record);
        records
            .filter(|record| record.channel == Channel::PositionX)
            .for_each(change);
    });
}

/// Gives x another domain: every place of it, and the axis that names its values.
fn domain_x(world: &mut World, min: f64, max: f64) {
    let domain = Domain::Interval {
        min: finite(min),
        max: finite(max),
    };
    for_x(world, |record| record.domain = domain.clone());
    world.regraph(|graph| edit::record(graph, "axis.x", Channel::Text).domain = domain);
}

/// An axis from zero, or with twice the room that the values need, is as honest as the recipe's.
#[test]
fn an_axis_may_have_room() {
    for (min, max) in [(0.0, 40.0), (-20.0, 60.0), (0.0, 100.0)] {
        let mut world = World::flowers();
        domain_x(&mut world, min, max);
        if let Err(refused) = world.admit() {
            panic!("{min} to {max}: {}", super::super::told(&refused));
        }
    }
}

#[test]
fn order_needs_an_ordered_channel_over_an_extent() {
    each(
        World::flowers,
        &[
            not_carried(
                "on a channel whose order nobody sees",
                |world| spoil_x(world, Predicate::Order, |record| record.channel = Channel::Area),
                "channel Area has no order",
            ),
            not_carried(
                "through a transform of the wrong kind",
                |world| {
                    let identity = pin(world, "identity");
                    spoil_x(world, Predicate::Order, |record| {
                        record.transform = identity.clone();
                        record.domain = Domain::Interval {
                            min: finite(0.0),
                            max: finite(40.0),
                        };
                        record.range = Range::Meters {
                            from: finite(0.0),
                            to: finite(40.0),
                        };
                    });
                },
                "transform identity does not keep order",
            ),
            not_carried(
                "on an axis that is squashed to nothing",
                |world| {
                    for_x(world, |record| {
                        record.range = Range::Meters {
                            from: finite(-0.6),
                            to: finite(-0.599_99),
                        };
                    });
                },
                "of the volume's edge; their order needs",
            ),
            not_carried(
                "on an axis for values that do not occur",
                |world| domain_x(world, 0.0, 1e9),
                "of the volume's edge; their order needs",
            ),
            not_carried(
                "of another variable",
                |world| {
                    let other = world.node("rows", "column:mass_g", "values").clone();
                    spoil_x(world, Predicate::Order, |record| edit::point_at(record, &other));
                },
                "the obligation is about another property",
            ),
        ],
    );
}

/// What the door would refuse as a broken promise of order, the grammar refuses before: no such graph has a seal.
#[test]
fn a_graph_that_promises_an_order_it_has_not_is_no_graph() {
    let world = World::flowers();
    assert!(edit::try_reseal(world.graph.body().clone()).is_ok());
    for (change, says) in [
        (
            (|record| record.order_constraint = "NONE".to_owned()) as fn(&mut BindingRecord),
            "it promises NONE",
        ),
        (
            |record| record.order_constraint = "DECREASING".to_owned(),
            "it promises DECREASING",
        ),
        (
            |record| {
                if let Range::Meters { from, to } = &mut record.range {
                    *to = *from;
                }
            },
            "",
        ),
        (
            |record| {
                if let Domain::Interval { min, max } = &mut record.domain {
                    *max = *min;
                }
            },
            "",
        ),
    ] {
        let mut body = world.graph.body().clone();
        change(edit::record(&mut body, "marks.wall_xy", Channel::PositionX));
        let why = edit::try_reseal(body).expect_err("it has no seal");
        assert!(why.contains(says), "{why}");
    }
}

#[test]
fn a_binding_describes_its_node_as_the_snapshot_does() {
    each(
        World::flowers,
        &[
            not_carried(
                "a node the snapshot does not hold",
                |world| {
                    let none = snapshot::node_id(
                        world.node("rows", "column:height_cm", "values").source_id,
                        "column:no such",
                        "values",
                    )
                    .expect("it has an identity");
                    spoil_x(world, Predicate::Order, |record| {
                        if let Semantic::Grounded { node_id, .. } = &mut record.semantic {
                            *node_id = none;
                        }
                    });
                },
                "which the snapshot does not hold",
            ),
            not_carried(
                "another source than the snapshot says",
                |world| {
                    let other = world.node("statistics", "column:height_cm", "mean").source_id;
                    spoil_x(world, Predicate::Order, |record| {
                        if let Semantic::Grounded { source_id, .. } = &mut record.semantic {
                            *source_id = other;
                        }
                    });
                },
                "differently than the snapshot does",
            ),
            not_carried(
                "another status than the snapshot says",
                |world| {
                    spoil_x(world, Predicate::Order, |record| {
                        if let Semantic::Grounded { status, .. } = &mut record.semantic {
                            *status = "IMPUTED".to_owned();
                        }
                    });
                },
                "differently than the snapshot does",
            ),
            not_carried(
                "another path than the snapshot says",
                |world| {
                    spoil_x(world, Predicate::Order, |record| {
                        if let Semantic::Grounded { property_path, .. } = &mut record.semantic {
                            *property_path = "mean".to_owned();
                        }
                    });
                },
                "differently than the snapshot does",
            ),
        ],
    );
}

/// A world in a study whose foreground owes one predicate more, with the obligation about x. The same bindings carry the
/// order, so only an answer about this very obligation counts.
fn demanding(predicate: &str, owed: Predicate) -> (World, Identity<ObligationKind>) {
    let mut world = World::flowers();
    world.demand(predicate);
    let owed = world.owed(owed, X);
    let world = in_a_study(world);
    if let Err(refused) = world.admit() {
        panic!("the control is refused\n{}", super::super::told(&refused));
    }
    (world, owed)
}

#[test]
fn sequence_is_carried_as_order_is() {
    let (mut world, owed) = demanding("SEQUENCE", Predicate::Sequence);
    spoil_x(&mut world, Predicate::Sequence, |record| {
        record.channel = Channel::Area;
    });
    let refused = refused(&world);
    assert!(
        not_carried_for(&refused, owed, "channel Area has no order"),
        "{}",
        super::super::told(&refused)
    );
}

#[test]
fn differences_need_a_linear_scale() {
    let (mut world, owed) = demanding("DIFFERENCE", Predicate::Difference);
    let log = pin(&world, "log10");
    spoil_x(&mut world, Predicate::Difference, |record| {
        record.transform = log.clone();
    });
    let says = "transform log10 does not keep differences";
    let answer = refused(&world);
    assert!(
        not_carried_for(&answer, owed, says),
        "{}",
        super::super::told(&answer)
    );
    let (mut world, owed) = demanding("DIFFERENCE", Predicate::Difference);
    spoil_x(&mut world, Predicate::Difference, |record| {
        record.channel = Channel::Area;
    });
    let answer = refused(&world);
    assert!(
        not_carried_for(&answer, owed, "channel Area has no order"),
        "{}",
        super::super::told(&answer)
    );
    // An order survives the logarithm that differences do not.
    let mut world = World::flowers();
    let log = pin(&world, "log10");
    world.regraph(|graph| {
        for binding in &mut graph.bindings {
            if binding.record.channel == Channel::PositionX {
                binding.record.transform = log.clone();
            }
        }
    });
    if let Err(refused) = world.admit() {
        panic!("{}", super::super::told(&refused));
    }
}

/// No recipe of this program draws bars yet, so a ratio can't be shown at all: neither by a position, nor by a length that
/// a proposal claims and nothing draws.
#[test]
fn a_ratio_needs_a_length_from_zero_that_is_drawn() {
    let with_claim = |change: fn(&mut BindingRecord)| {
        let mut world = World::flowers();
        world.demand("RATIO");
        let ratios: Vec<(Identity<ObligationKind>, &str)> = harness::tables::FLOWER_AXES
            .iter()
            .map(|axis| (world.owed(Predicate::Ratio, Some(axis)), *axis))
            .collect();
        let nodes: Vec<_> = ratios
            .iter()
            .map(|(_, axis)| world.node("rows", &format!("column:{axis}"), "values").clone())
            .collect();
        world.regraph(|graph| {
            for ((ratio, _), node) in ratios.iter().zip(&nodes) {
                let channel = [Channel::PositionX, Channel::PositionY, Channel::PositionZ];
                let at = channel.into_iter().find(|channel| {
                    let record = edit::record(graph, "marks.volume", *channel);
                    matches!(&record.semantic, Semantic::Grounded { node_id, .. } if *node_id == node.node_id)
                });
                let mut record = edit::record(graph, "marks.volume", at.expect("each is an axis")).clone();
                edit::remove(graph, |other| {
                    other.primitive_id == "marks.volume" && *other == record
                });
                edit::claim(&mut record, *ratio);
                change(&mut record);
                if record.channel == Channel::Length {
                    let mut drawn = record.clone();
                    drawn.channel = at.expect("each is an axis");
                    drawn.carries.clear();
                    edit::add(graph, drawn);
                }
                edit::add(graph, record);
            }
        });
        refused(&in_a_study(world))
    };
    let position = with_claim(|_| {});
    let says = "a ratio needs a length that starts at zero";
    assert!(
        found(&position, Stage::BindingUse, Reason::NoLegalBinding, says).is_some(),
        "{}",
        super::super::told(&position)
    );
    let length = with_claim(|record| {
        record.channel = Channel::Length;
        record.domain = Domain::Interval {
            min: finite(0.0),
            max: finite(100.0),
        };
        record.range = Range::Meters {
            from: finite(0.0),
            to: finite(1.0),
        };
    });
    // The control: the form is right now. What is left against it is that nothing here draws bars.
    assert!(
        found(&length, Stage::BindingUse, Reason::NoLegalBinding, says).is_none(),
        "{}",
        super::super::told(&length)
    );
}
