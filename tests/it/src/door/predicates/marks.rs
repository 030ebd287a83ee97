//! What marks carry: which row, which group, which relation.

use harness::world::rule;
use harness::{World, edit};
use obligations::wire::v1::Predicate;
use representation::wire::v2::{Channel, PrimitiveKind};

use super::super::each;
use super::{in_a_study, not_carried};

#[test]
fn identity_is_one_mark_a_row() {
    each(
        || {
            let mut world = World::flowers();
            world.govern(|file| {
                let rules = file["rules"].as_array_mut().expect("rules are a list");
                rules.retain(|rule| rule["predicate"] != "IDENTITY");
                rules.push(rule("rowKeys", "foreground", "IDENTITY"));
            });
            let owed = world.owed(Predicate::Identity, None);
            world.regraph(|graph| edit::claim(edit::record(graph, "marks.volume", Channel::PositionX), owed));
            in_a_study(world)
        },
        &[
            not_carried(
                "by an axis",
                |world| {
                    let owed = world.owed(Predicate::Identity, None);
                    world.regraph(|graph| {
                        edit::carriers(graph, owed)
                            .for_each(|record| record.carries.retain(|id| *id != owed));
                        edit::claim(edit::record(graph, "axis.x", Channel::Text), owed);
                    });
                },
                "it does not draw one mark a row",
            ),
            not_carried(
                "by an axis that calls itself marks",
                |world| {
                    let owed = world.owed(Predicate::Identity, None);
                    world.regraph(|graph| {
                        edit::carriers(graph, owed)
                            .for_each(|record| record.carries.retain(|id| *id != owed));
                        edit::claim(edit::record(graph, "axis.x", Channel::Text), owed);
                        edit::primitive(graph, "axis.x").kind = PrimitiveKind::PointIdentity;
                    });
                },
                "it does not draw one mark a row",
            ),
            not_carried(
                "by marks that call themselves words",
                |world| {
                    world.regraph(|graph| {
                        graph.edges.clear();
                        edit::primitive(graph, "marks.volume").kind = PrimitiveKind::Annotation;
                    });
                },
                "it does not draw one mark a row",
            ),
        ],
    );
}

/// Marks that claim to tell the groups apart, by hue and shape together as the grammar wants it.
fn grouped() -> World {
    let mut world = World::flowers();
    world.govern(|file| {
        for rule in file["rules"].as_array_mut().expect("rules are a list") {
            if rule["predicate"] == "MEMBERSHIP" {
                rule["class"] = "MUST_PRESERVE".into();
                rule["activation"] = serde_json::Value::Null;
            }
        }
    });
    let owed = world.owed(Predicate::Membership, Some("kind"));
    world.regraph(|graph| {
        for channel in [Channel::Hue, Channel::Shape] {
            edit::claim(edit::record(graph, "marks.volume", channel), owed);
        }
    });
    in_a_study(world)
}

#[test]
fn membership_is_told_by_marks_or_words() {
    each(
        grouped,
        &[
            not_carried(
                "by a position",
                |world| {
                    let owed = world.owed(Predicate::Membership, Some("kind"));
                    let kind = world.node("rows", "column:kind", "values").clone();
                    world.regraph(|graph| {
                        edit::carriers(graph, owed).for_each(|record| record.carries.clear());
                        let mut record = edit::record(graph, "marks.volume", Channel::PositionX).clone();
                        edit::point_at(&mut record, &kind);
                        record.unit = None;
                        edit::claim(&mut record, owed);
                        edit::add(graph, record);
                    });
                },
                "it does not tell groups apart",
            ),
            not_carried(
                "of another variable",
                |world| {
                    let owed = world.owed(Predicate::Membership, Some("kind"));
                    world.regraph(|graph| {
                        edit::carriers(graph, owed).for_each(|record| record.carries.clear());
                        edit::claim(edit::record(graph, "axis.x", Channel::Text), owed);
                    });
                },
                "the obligation is about another property",
            ),
            not_carried(
                "by the look of the legend alone",
                |world| {
                    let owed = world.owed(Predicate::Membership, Some("kind"));
                    world.regraph(|graph| {
                        edit::carriers(graph, owed).for_each(|record| record.carries.clear());
                        for channel in [Channel::Hue, Channel::Shape] {
                            edit::claim(edit::record(graph, "legend", channel), owed);
                        }
                    });
                },
                "it does not draw one mark a row",
            ),
        ],
    );
    let mut words = grouped();
    let owed = words.owed(Predicate::Membership, Some("kind"));
    words.regraph(|graph| {
        edit::carriers(graph, owed).for_each(|record| record.carries.clear());
        edit::claim(edit::record(graph, "legend", Channel::Text), owed);
    });
    words.grant_study("study-7");
    assert!(words.admit().is_ok(), "the legend's words tell the groups");
}

#[test]
fn a_relation_is_carried_by_marks_of_its_rows() {
    each(
        || {
            let mut world = World::flowers();
            world.govern(|file| {
                for silence in file["silences"].as_array_mut().expect("silences are a list") {
                    if silence["family"] == "rows" && silence["role"] == "foreground" {
                        let kinds = silence["propertyKinds"].as_array_mut().expect("kinds are a list");
                        kinds.retain(|kind| kind != "relation");
                    }
                }
                let rules = file["rules"].as_array_mut().expect("rules are a list");
                rules.push(rule("relation", "foreground", "RELATION"));
            });
            let owed: Vec<_> = world
                .obligations
                .of_predicate(Predicate::Relation)
                .map(|it| it.id)
                .collect();
            world.regraph(|graph| {
                let record = edit::record(graph, "marks.volume", Channel::PositionX);
                owed.iter().for_each(|id| edit::claim(record, *id));
            });
            in_a_study(world)
        },
        &[not_carried(
            "by an axis",
            |world| {
                let owed = world.owed(Predicate::Relation, None);
                world.regraph(|graph| {
                    edit::carriers(graph, owed).for_each(|record| record.carries.retain(|id| *id != owed));
                    edit::claim(edit::record(graph, "axis.x", Channel::Text), owed);
                });
            },
            "it does not draw one mark a row",
        )],
    );
}
