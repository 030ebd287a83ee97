//! What the table says when asked.

use obligations::wire::v1::Predicate;
use representation::wire::v2::{Channel, Placement};

use super::{edited, manifest, on, pin, table};
use crate::wire::v1::{Arrangement, DeviceClass, Entry, EntryKind, Mapping};
use crate::{Manifest, Qualification, Question, Table, arrangement_of};

use Arrangement::{AlignedCommonScale as Aligned, Board, FreeVolume as Free, PerMark};
use Channel::{Area, Connection, Hue, Length, Opacity, PositionX, PositionY, PositionZ, Shape, Text};
use DeviceClass::{DesktopMonitor as Monitor, PcvrHeadset as Pcvr, StandaloneHeadset as Standalone};
use Predicate::{Difference, Limitation, Membership, Order, Ratio, Relation, Sequence, Units};

const GENERAL: &str = "nemosyne:scope/general@1";
const COLOR_VISION: &str = "nemosyne:scope/general-color-vision@1";

fn ask(
    table: &Table,
    manifest: &Manifest,
    mapping: Mapping,
    claim: Predicate,
    on: DeviceClass,
    scope: &str,
) -> Qualification {
    table.qualification(manifest, mapping, claim, on, &pin(table, scope))
}

/// Mapping, claim, device, scope, and the answer: its word and, where one decides, the decision.
#[test]
fn each_shipped_decision_covers_exactly_its_scope() {
    let table = table();
    let manifest = manifest(&table);
    let monitor = "position-order-monitor@1";
    let headset = "position-order-headset@1";
    let policy = "nemosyne:policy/qualification@1";
    let cases = [
        (
            on(PositionX, Aligned),
            Order,
            Monitor,
            GENERAL,
            "QUALIFIED",
            monitor,
        ),
        (
            on(PositionY, Aligned),
            Order,
            Monitor,
            GENERAL,
            "QUALIFIED",
            monitor,
        ),
        (
            on(PositionZ, Aligned),
            Order,
            Monitor,
            GENERAL,
            "QUALIFIED",
            monitor,
        ),
        (
            on(PositionZ, Aligned),
            Order,
            Monitor,
            COLOR_VISION,
            "QUALIFIED",
            monitor,
        ),
        (on(PositionZ, Aligned), Order, Pcvr, GENERAL, "QUALIFIED", headset),
        (
            on(Length, Aligned),
            Order,
            Standalone,
            GENERAL,
            "QUALIFIED",
            headset,
        ),
        (on(Length, Aligned), Order, Monitor, GENERAL, "UNVALIDATED", ""),
        (
            on(PositionX, Aligned),
            Difference,
            Monitor,
            GENERAL,
            "UNVALIDATED",
            "",
        ),
        (
            on(PositionX, Aligned),
            Sequence,
            Monitor,
            GENERAL,
            "UNVALIDATED",
            "",
        ),
        (on(PositionX, Free), Order, Monitor, GENERAL, "UNVALIDATED", ""),
        (on(PositionX, Free), Order, Pcvr, GENERAL, "UNVALIDATED", ""),
        (on(PositionZ, Free), Order, Standalone, GENERAL, "UNVALIDATED", ""),
        (
            on(PositionZ, Free),
            Order,
            Monitor,
            GENERAL,
            "CONTRAINDICATED",
            "depth-monitor@1",
        ),
        (
            on(PositionZ, Free),
            Units,
            Monitor,
            GENERAL,
            "CONTRAINDICATED",
            "depth-monitor@1",
        ),
        (
            on(PositionY, Aligned),
            Ratio,
            Pcvr,
            GENERAL,
            "CONTRAINDICATED",
            "absolute-height-headset@1",
        ),
        (
            on(PositionY, Free),
            Difference,
            Standalone,
            GENERAL,
            "CONTRAINDICATED",
            "absolute-height-headset@1",
        ),
        (on(PositionY, Aligned), Ratio, Monitor, GENERAL, "UNVALIDATED", ""),
        (
            on(Area, PerMark),
            Ratio,
            Monitor,
            GENERAL,
            "CONTRAINDICATED",
            "area-ratio@1",
        ),
        (on(Area, PerMark), Order, Monitor, GENERAL, "UNVALIDATED", ""),
        (
            on(Opacity, PerMark),
            Ratio,
            Pcvr,
            GENERAL,
            "CONTRAINDICATED",
            "opacity-ratio@1",
        ),
        (
            on(Hue, PerMark),
            Membership,
            Monitor,
            COLOR_VISION,
            "CONTRAINDICATED",
            "hue-color-vision@1",
        ),
        (on(Hue, PerMark), Membership, Monitor, GENERAL, "UNVALIDATED", ""),
        (
            on(Shape, PerMark),
            Membership,
            Monitor,
            COLOR_VISION,
            "UNVALIDATED",
            "",
        ),
        (on(Text, Board), Units, Monitor, GENERAL, "QUALIFIED", policy),
        (
            on(Text, Board),
            Limitation,
            Standalone,
            COLOR_VISION,
            "QUALIFIED",
            policy,
        ),
        (on(Text, Board), Order, Monitor, GENERAL, "UNVALIDATED", ""),
        (on(PositionX, Board), Units, Monitor, GENERAL, "UNVALIDATED", ""),
    ];
    for (mapping, claim, device, scope, word, decision) in cases {
        let answer = ask(&table, &manifest, mapping, claim, device, scope);
        assert_eq!(
            answer.word(),
            word,
            "{mapping:?} {claim:?} {device:?} {scope}: {answer:?}"
        );
        match answer {
            Qualification::Qualified { decision: found }
            | Qualification::Contraindicated { decision: found, .. } => {
                assert_eq!(found, decision);
            }
            Qualification::Unvalidated { text } => {
                assert!(text.starts_with("no decision qualifies"), "{text}");
            }
        }
    }
}

#[test]
fn the_missing_qualification_is_named_with_the_closest_one() {
    let table = table();
    let manifest = manifest(&table);
    let text = |mapping, claim, device, scope| match ask(&table, &manifest, mapping, claim, device, scope) {
        Qualification::Unvalidated { text } => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        text(on(PositionZ, Free), Order, Pcvr, GENERAL),
        "no decision qualifies position_z in a free volume for ORDER on a PC headset; closest: \
         position-order-headset@1, which covers it on an aligned common scale only"
    );
    assert_eq!(
        text(on(Length, Aligned), Order, Monitor, COLOR_VISION),
        "no decision qualifies length on an aligned common scale for ORDER on a monitor under COLOR_VISION; closest: \
         position-order-headset@1, which covers a PC headset and a standalone headset only"
    );
    assert_eq!(
        text(on(Shape, PerMark), Membership, Monitor, GENERAL),
        "no decision qualifies shape per mark for MEMBERSHIP on a monitor; closest: none, no decision is about shape"
    );
}

#[test]
fn a_claim_read_in_a_task_outside_the_scope_is_not_qualified() {
    let table = table();
    let manifest = manifest(&table);
    let answer = ask(&table, &manifest, on(Connection, Free), Relation, Pcvr, GENERAL);
    let Qualification::Unvalidated { text } = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(
        text,
        "RELATION is read in TRACE_PATH, and the scope nemosyne:scope/general@1 covers COMPARE_RELATIVE, READ_VALUE"
    );
}

/// The bound of the path-tracing decision, under a scope that asks for it.
#[test]
fn a_bounded_decision_covers_no_more_marks_and_no_unknown_number() {
    let artifacts = edited(|path, value| {
        if path == "policies/scope-v1.json" {
            value["readingTasks"] = serde_json::json!(["TRACE_PATH"]);
        }
    });
    let table = Table::from_artifacts(artifacts).unwrap();
    let manifest = manifest(&table);
    let scope = pin(&table, GENERAL);
    let word = |n_marks, device| {
        let mapping = on(Connection, Free);
        let question = Question {
            mapping,
            predicate: Relation,
            device,
            scope: &scope,
            n_marks,
        };
        table.answer(&manifest, &question).word()
    };
    assert_eq!(word(Some(333), Pcvr), "QUALIFIED");
    assert_eq!(word(Some(334), Pcvr), "UNVALIDATED");
    assert_eq!(word(None, Pcvr), "UNVALIDATED");
    assert_eq!(word(Some(10), Monitor), "UNVALIDATED");
}

#[test]
fn a_contraindication_wins_over_a_qualification_of_the_same_thing() {
    let widened = |path: &str, value: &mut serde_json::Value| {
        if path.ends_with("position-order-monitor.json") {
            value["mappings"] = serde_json::json!([{"channel": "position_z", "arrangement": "FREE_VOLUME"}]);
        }
    };
    let table = Table::from_artifacts(edited(widened)).unwrap();
    let manifest = manifest(&table);
    let asked =
        |table: &Table, manifest| ask(table, manifest, on(PositionZ, Free), Order, Monitor, GENERAL).word();
    assert_eq!(asked(&table, &manifest), "CONTRAINDICATED");

    // The control: without the harm in the table, the widened decision would qualify.
    let kept = edited(widened);
    let harmless = kept
        .into_iter()
        .zip(super::SHIPPED)
        .filter(|(_, (path, _))| !path.ends_with("depth-monitor.json"));
    let table = Table::from_artifacts(harmless.map(|(artifact, _)| artifact)).unwrap();
    assert_eq!(asked(&table, &super::manifest(&table)), "QUALIFIED");
}

#[test]
fn a_manifest_that_leaves_a_decision_out_loses_the_permission_and_keeps_the_harm() {
    let table = table();
    let full = manifest(&table);
    let without = |kinds: &[EntryKind]| {
        let mut body = full.body().clone();
        body.entries.retain(|entry| !kinds.contains(&entry.kind));
        body.entries
            .iter_mut()
            .for_each(|entry: &mut Entry| entry.contraindication_refs.clear());
        identity::Sealed::seal(body).unwrap()
    };
    let (order, depth) = (on(PositionX, Aligned), on(PositionZ, Free));
    let word = |manifest: &Manifest, mapping| ask(&table, manifest, mapping, Order, Monitor, GENERAL).word();
    let no_permission = without(&[EntryKind::Qualification]);
    assert_eq!(
        (word(&full, order), word(&no_permission, order)),
        ("QUALIFIED", "UNVALIDATED")
    );
    let no_harm = without(&[EntryKind::Contraindication]);
    assert_eq!(
        (word(&full, depth), word(&no_harm, depth)),
        ("CONTRAINDICATED", "CONTRAINDICATED")
    );
}

#[test]
fn a_decision_that_another_replaces_no_longer_decides() {
    let replaced = edited(|path, value| {
        if path.ends_with("position-order-headset.json") {
            value["supersedes"] = serde_json::json!("position-order-monitor@1");
        }
    });
    let table = Table::from_artifacts(replaced).unwrap();
    let word = |device| {
        ask(
            &table,
            &manifest(&table),
            on(PositionX, Aligned),
            Order,
            device,
            GENERAL,
        )
        .word()
    };
    assert_eq!((word(Monitor), word(Pcvr)), ("UNVALIDATED", "QUALIFIED"));

    // A qualification retires no harm, whatever it says.
    let bold = edited(|path, value| {
        if path.ends_with("position-order-headset.json") {
            value["supersedes"] = serde_json::json!("depth-monitor@1");
        }
    });
    let table = Table::from_artifacts(bold).unwrap();
    let answer = ask(
        &table,
        &manifest(&table),
        on(PositionZ, Free),
        Order,
        Monitor,
        GENERAL,
    );
    assert_eq!(answer.word(), "CONTRAINDICATED");
}

#[test]
fn an_unknown_scope_answers_nothing() {
    let table = table();
    let manifest = manifest(&table);
    let mut scope = pin(&table, GENERAL);
    let word = |scope: &_| {
        table
            .qualification(&manifest, on(PositionX, Aligned), Order, Monitor, scope)
            .word()
    };
    assert_eq!(word(&scope), "QUALIFIED");
    scope.version = "2".to_owned();
    assert_eq!(word(&scope), "UNVALIDATED");
}

#[test]
fn walls_and_axes_give_a_scale_only_within_their_plane() {
    let cases = [
        (Placement::WallXy, [Aligned, Aligned, Free]),
        (Placement::WallXz, [Aligned, Free, Aligned]),
        (Placement::WallZy, [Free, Aligned, Aligned]),
        (Placement::AxisX, [Aligned, Free, Free]),
        (Placement::AxisY, [Free, Aligned, Free]),
        (Placement::AxisZ, [Free, Free, Aligned]),
        (Placement::Volume, [Free, Free, Free]),
        (Placement::Legend, [Free, Free, Free]),
    ];
    for (placement, expected) in cases {
        let found = [PositionX, PositionY, PositionZ].map(|channel| arrangement_of(placement, channel));
        assert_eq!(found, expected, "{placement:?}");
        assert_eq!(arrangement_of(placement, Text), Board);
        assert_eq!(arrangement_of(placement, Hue), PerMark);
    }
}
