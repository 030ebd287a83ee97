//! What words carry: units, counts, limits, absence, uncertainty.

use harness::world::rule;
use harness::{Spec, World, edit};
use investigation::EpistemicPurpose;
use obligations::wire::v1::Predicate;
use refusal::{Reason, Stage};
use representation::wire::v2::{Channel, Range};
use snapshot::wire::v1::State;

use super::super::{each, found, refused};
use super::{X, all, finite, not_carried, spoil_x};

#[test]
fn a_unit_is_stated_in_legible_words() {
    each(
        World::flowers,
        &[
            not_carried(
                "another unit than the data has",
                |world| {
                    spoil_x(world, Predicate::Units, |record| {
                        record.unit = Some("inch".to_owned());
                    });
                },
                "it states the unit",
            ),
            not_carried(
                "no unit where the data has one",
                |world| spoil_x(world, Predicate::Units, |record| record.unit = None),
                "it states the unit",
            ),
            not_carried(
                "letters too small for the device",
                |world| {
                    spoil_x(world, Predicate::Units, |record| {
                        record.range = Range::Text {
                            cap_height: finite(0.001),
                        };
                    });
                },
                "its letters are 0.001 m high",
            ),
            not_carried(
                "words that nothing draws",
                |world| {
                    world.regraph(|graph| {
                        let mut record = edit::record(graph, "axis.x", Channel::Text).clone();
                        edit::remove(graph, |other| *other == record);
                        record.primitive_id = "title".to_owned();
                        edit::add(graph, record);
                    });
                },
                "title: nothing in the compiled picture shows it",
            ),
            not_carried(
                "a position instead of words",
                |world| {
                    let units = world.owed(Predicate::Units, X);
                    world.regraph(|graph| {
                        edit::carriers(graph, units)
                            .for_each(|record| record.carries.retain(|id| *id != units));
                        edit::claim(edit::record(graph, "marks.volume", Channel::PositionX), units);
                    });
                },
                "it is not text",
            ),
        ],
    );
}

#[test]
fn support_and_missingness_are_said_by_what_counts_them() {
    let says_other = |predicate: Predicate, path: &'static str, says: &'static str| {
        let mut world = World::flowers();
        assert!(world.admit().is_ok());
        let owed: Vec<_> = world
            .obligations
            .of_predicate(predicate)
            .map(|obligation| obligation.id)
            .collect();
        assert!(!owed.is_empty());
        world.regraph(|graph| {
            for id in &owed {
                edit::carriers(graph, *id).for_each(|record| record.carries.retain(|other| other != id));
            }
            let record = edit::says(graph, "caveats", path);
            owed.iter().for_each(|id| edit::claim(record, *id));
        });
        let refused = refused(&world);
        assert!(
            found(&refused, Stage::BindingUse, Reason::NoLegalBinding, says).is_some(),
            "{}",
            super::super::told(&refused)
        );
    };
    says_other(
        Predicate::Support,
        "rowsExcluded",
        "it states rowsExcluded, not rowsUsed",
    );
    says_other(
        Predicate::Missingness,
        "rowsUsed",
        "it states rowsUsed, not rowsExcluded",
    );
    each(
        World::flowers,
        &[not_carried(
            "the count of another analysis",
            |world| {
                let mean = world.node("statistics", "column:height_cm", "mean").clone();
                let uses = snapshot::source(&world.snapshot, mean.source_id)
                    .expect("a source")
                    .evidence_uses
                    .clone();
                let owed = world.owed(Predicate::Support, X);
                all(world, owed, |record| {
                    edit::point_at(record, &mean);
                    record.evidence_uses.clone_from(&uses);
                });
            },
            "of another analysis",
        )],
    );
}

/// What the board says of the rows as a whole, predicate by predicate.
#[test]
fn what_a_source_owes_is_said_of_that_source_in_words() {
    for (predicate, purpose) in [
        (Predicate::Approximation, EpistemicPurpose::ClaimBearing),
        (Predicate::Limitation, EpistemicPurpose::ClaimBearing),
        (Predicate::EpistemicStatus, EpistemicPurpose::ExploratoryAbduction),
    ] {
        let sound = World::of(&Spec {
            purpose,
            ..Spec::flowers()
        });
        assert!(sound.admit().is_ok(), "{predicate:?}");
        let mut of_another = World::of(&Spec {
            purpose,
            ..Spec::flowers()
        });
        let mean = of_another.node("statistics", "column:height_cm", "mean").clone();
        let source = snapshot::source(&of_another.snapshot, mean.source_id).expect("a source");
        let uses = source.evidence_uses.clone();
        let owed = of_another.owed(predicate, None);
        all(&mut of_another, owed, |record| {
            edit::point_at(record, &mean);
            record.evidence_uses.clone_from(&uses);
        });
        let mut in_no_words = World::of(&Spec {
            purpose,
            ..Spec::flowers()
        });
        in_no_words.regraph(|graph| {
            edit::carriers(graph, owed).for_each(|record| record.carries.retain(|id| *id != owed));
            edit::claim(edit::record(graph, "marks.volume", Channel::PositionX), owed);
        });
        for (world, says) in [
            (of_another, "of another analysis"),
            (in_no_words, "it is not text"),
        ] {
            let refused = refused(&world);
            assert!(
                found(&refused, Stage::BindingUse, Reason::NoLegalBinding, says).is_some(),
                "{predicate:?}: {}",
                super::super::told(&refused)
            );
        }
    }
}

#[test]
fn that_more_can_be_asked_for_is_said_in_words() {
    each(
        || {
            let mut world = World::flowers();
            world.govern(|file| {
                let rules = file["rules"].as_array_mut().expect("rules are a list");
                rules.push(rule("output", "foreground", "DETAIL_AVAILABLE"));
            });
            let owed = world.owed(Predicate::DetailAvailable, None);
            world.regraph(|graph| edit::claim(edit::says(graph, "caveats", "rowKeys"), owed));
            world
        },
        &[not_carried(
            "by a position",
            |world| {
                let owed = world.owed(Predicate::DetailAvailable, None);
                world.regraph(|graph| {
                    edit::carriers(graph, owed).for_each(|record| record.carries.retain(|id| *id != owed));
                    edit::claim(edit::record(graph, "marks.volume", Channel::PositionX), owed);
                });
            },
            "it is not text",
        )],
    );
}

#[test]
fn what_is_not_there_is_said_to_be_not_there() {
    each(
        || {
            let state = State::Unavailable {
                reason: "the kernel has no such family here".to_owned(),
            };
            World::of(&Spec {
                unavailable: vec![(Spec::statistics(&["kind"]), state)],
                ..Spec::flowers()
            })
        },
        &[
            not_carried(
                "by another sentence of the board",
                |world| {
                    let owed = world.owed(Predicate::Unavailability, None);
                    world.regraph(|graph| {
                        edit::carriers(graph, owed)
                            .for_each(|record| record.carries.retain(|id| *id != owed));
                        edit::claim(edit::says(graph, "caveats", "rowsUsed"), owed);
                    });
                },
                "only the caveat board says what is not there",
            ),
            not_carried(
                "by an axis",
                |world| {
                    let owed = world.owed(Predicate::Unavailability, None);
                    world.regraph(|graph| {
                        edit::carriers(graph, owed)
                            .for_each(|record| record.carries.retain(|id| *id != owed));
                        edit::claim(edit::record(graph, "axis.x", Channel::Text), owed);
                    });
                },
                "only the caveat board says what is not there",
            ),
        ],
    );
}

/// Statistics have no place in the pictures of this version. Shown, an uncertainty is said by an interval and nothing less;
/// not shown, it is recorded as left out.
#[test]
fn an_uncertainty_is_an_interval_or_left_out_by_name() {
    let claim = |path: &'static str| {
        let mut world = World::flowers();
        let owed = world.owed(Predicate::Uncertainty, X);
        let node = world.node("statistics", "column:height_cm", path).clone();
        let uses = snapshot::source(&world.snapshot, node.source_id)
            .expect("a source")
            .evidence_uses
            .clone();
        world.regraph(|graph| {
            let mut record = edit::says(graph, "caveats", "rowsUsed").clone();
            record.primitive_id = "title".to_owned();
            edit::point_at(&mut record, &node);
            record.evidence_uses = uses;
            record.carries = vec![owed];
            record.limitations.clear();
            edit::add(graph, record);
        });
        (world, owed)
    };
    let (world, owed) = claim("mean");
    let left_out = world.admitted();
    let body = left_out.record().body();
    let omission = body
        .omissions
        .iter()
        .find(|it| it.variant == "desktop" && it.obligation_id == owed);
    let reason = &omission.expect("it is left out by name").reason;
    assert!(reason.contains("it states mean, not meanInterval"), "{reason}");
    let (world, owed) = claim("meanInterval");
    let admission = world.admitted();
    let body = admission.record().body();
    let omission = body
        .omissions
        .iter()
        .find(|it| it.variant == "desktop" && it.obligation_id == owed);
    let reason = &omission.expect("it is left out by name").reason;
    assert_eq!(
        reason, "title: nothing in the compiled picture shows it",
        "the form is right"
    );
}
