//! One thing wrong at a time: refused by name, with member and place. The control of each is the fixture as it is.

use package::FormatVersion;
use package::legacy::LegacyError;
use refusal::{Code, Reason};
use serde_json::{Value, json};

use crate::{
    COMMANDS, DATASET, FIXTURES, MANIFEST, RECEIPTS, bytes, contents, edited, fixture, opened, packed,
};

/// Member, place and reason of a refusal.
fn refused(bytes: &[u8]) -> (Reason, Vec<String>, String) {
    let refusal = opened(bytes).unwrap_err().refusal();
    let place = refusal.cause().place.clone().unwrap_or_default();
    assert!(refusal.retry().is_some(), "{refusal}");
    (refusal.reason(), refusal.subjects().to_vec(), place)
}

#[track_caller]
fn refuses(bytes: &[u8], reason: Reason, member: &str, place: &str) {
    let found = refused(bytes);
    assert_eq!(
        (found.0, found.1.join(" "), found.2.as_str()),
        (reason, member.to_owned(), place)
    );
}

fn set(name: &str, pointer: &str, value: Value) -> Vec<u8> {
    edited(name, MANIFEST, |manifest| match pointer.rsplit_once('/') {
        Some((parent, field)) => manifest.pointer_mut(parent).unwrap()[field] = value,
        None => *manifest = value,
    })
}

/// The archive written anew by another encoder is the same package.
#[test]
fn the_fixtures_pass_through_the_forge() {
    for name in FIXTURES {
        let again = packed(&contents(&bytes(name)));
        assert_ne!(again, bytes(name));
        assert_eq!(opened(&again).unwrap(), fixture(name), "{name}");
        let same = edited(name, MANIFEST, |_| {});
        assert_eq!(opened(&same).unwrap().facts(), fixture(name).facts(), "{name}");
    }
}

#[test]
fn a_wrong_digest_is_refused() {
    for name in ["v1-decimal", "v2", "v2-unlabeled", "v3-governed"] {
        let wrong = set(name, "/investigationDigest", json!("0".repeat(64)));
        refuses(&wrong, Reason::Integrity, MANIFEST, "`/investigationDigest`");
    }
    let wrong = set("v3-governed", "/evidenceReceiptDigest", json!("0".repeat(64)));
    refuses(&wrong, Reason::Integrity, MANIFEST, "`/evidenceReceiptDigest`");
    let wrong = set("v2", "/datasetFingerprint", json!("0".repeat(64)));
    refuses(&wrong, Reason::Integrity, DATASET, "``");
    let wrong = set("v1-decimal", "/datasetFingerprint", json!("708768963"));
    refuses(&wrong, Reason::Integrity, DATASET, "``");
    let wrong = set("v2", "/analyticalDatasetFingerprint", json!("0".repeat(64)));
    refuses(
        &wrong,
        Reason::Integrity,
        MANIFEST,
        "`/analyticalDatasetFingerprint`",
    );
}

/// Any recorded thing that a digest commits, changed with the archive's checksums made good.
#[test]
fn what_a_digest_commits_cannot_change() {
    let field = |pointer: &'static str, value: Value| {
        move |log: &mut Value| *log.pointer_mut(pointer).unwrap() = value
    };
    for name in ["v2", "v3-governed"] {
        for (pointer, value) in [
            ("/1/command/label", json!("another label")),
            ("/1/command/parameters/timestamp", json!(8)),
            ("/1/result/metrics/kept", json!(3)),
            ("/1/result/provenance/kernelVersion", json!("1.0.0")),
            ("/1/result/dataset/rows/0/snails", json!(15)),
            (
                "/2/observationEntity/notes",
                json!("The warm pools hold many snails."),
            ),
            ("/8/findingEntity/confidence", json!("definitive")),
            ("/9/annotationEntity/text", json!("")),
            ("/10/structureSet/structures/0/at", json!(15)),
            ("/11/refusalEvent/reason", json!("none")),
        ] {
            let changed = edited(name, COMMANDS, field(pointer, value));
            let (reason, ..) = refused(&changed);
            assert_eq!(reason, Reason::Integrity, "{name} {pointer}");
        }
        for (member, pointer, value) in [
            (
                "investigation/representation.json",
                "/explanation",
                json!("because"),
            ),
            (
                "investigation/discoveries.json",
                "/episodes/0/conclusion",
                json!("yes"),
            ),
            (
                "investigation/nil-outcomes.json",
                "/outcomes/0/traces/0/passed",
                json!(true),
            ),
            (MANIFEST, "/researchContext/hypothesis", json!("They do not.")),
        ] {
            let changed = edited(name, member, |value_at| {
                let (parent, field) = pointer.rsplit_once('/').unwrap();
                value_at.pointer_mut(parent).unwrap()[field] = value;
            });
            refuses(&changed, Reason::Integrity, MANIFEST, "`/investigationDigest`");
        }
    }
    // Control: what the format leaves out of its digest, clocks and capture names, may differ.
    for (pointer, value) in [
        ("/1/timestamp", json!(1)),
        ("/1/eventId", json!("another")),
        ("/1/result/provenance/timestamp", json!(1)),
        ("/2/observationEntity/timestamp", json!(1)),
        ("/1/result/dataset/rowIds/0", json!("another")),
    ] {
        let changed = edited("v3-governed", COMMANDS, field(pointer, value));
        opened(&changed).unwrap_or_else(|error| panic!("{pointer}: {error}"));
    }
}

#[test]
fn a_receipt_with_other_content_or_spacing_is_refused() {
    let receipts = |change: &dyn Fn(&mut Value)| edited("v3-governed", RECEIPTS, change);
    let spaced = receipts(&|_| {});
    assert_ne!(
        crate::by_name(&spaced)[RECEIPTS],
        crate::by_name(&bytes("v3-governed"))[RECEIPTS]
    );
    refuses(&spaced, Reason::Integrity, MANIFEST, "`/evidenceReceiptDigest`");

    // With the member's digest made good, the investigation digest stands against it.
    let restamped = |change: &dyn Fn(&mut Value)| {
        let mut members = contents(&receipts(change));
        let member = members.iter().find(|(name, _)| name == RECEIPTS).unwrap();
        let digest = identity::Digest::of(&member.1).hex();
        let manifest = members.iter_mut().find(|(name, _)| name == MANIFEST).unwrap();
        let mut value: Value = serde_json::from_slice(&manifest.1).unwrap();
        value["evidenceReceiptDigest"] = json!(digest);
        manifest.1 = serde_json::to_vec(&value).unwrap();
        packed(&members)
    };
    let changed = restamped(&|envelope| envelope["bundle"]["receipts"][0]["estimand"] = json!("more"));
    refuses(&changed, Reason::Integrity, MANIFEST, "`/investigationDigest`");
    // The shape is closed.
    for (pointer, field) in [
        ("", "authority"),
        ("/bundle", "authority"),
        ("/bundle/receipts/0", "score"),
    ] {
        let changed = restamped(&|envelope| envelope.pointer_mut(pointer).unwrap()[field] = json!(true));
        let (reason, members, place) = refused(&changed);
        assert_eq!(members, [RECEIPTS]);
        assert!(place.contains("byte"), "{place} {reason}");
    }
    for (field, value) in [
        ("kernelVersion", json!("1.0.0")),
        ("datasetFingerprint", json!("0".repeat(64))),
    ] {
        let changed = restamped(&|envelope| {
            envelope["bundle"][field] = value.clone();
            for receipt in envelope["bundle"]["receipts"].as_array_mut().unwrap() {
                receipt["methodProvenance"][field] = value.clone();
            }
        });
        let (reason, members, place) = refused(&changed);
        assert_eq!((reason, members), (Reason::Integrity, vec![MANIFEST.to_owned()]));
        assert!(place.starts_with("`/analytical"), "{place}");
    }
    // A use that nobody governs is an outcome, and the digest still stands against the edit.
    let changed = restamped(&|envelope| envelope["uses"] = json!([]));
    refuses(&changed, Reason::Integrity, MANIFEST, "`/investigationDigest`");
}

#[test]
fn a_wrong_count_is_refused() {
    for (pointer, value) in [
        ("/commandCount", json!(11)),
        ("/discoveryCount", json!(2)),
        ("/nilOutcomeCount", json!(0)),
        ("/evidenceSummary/observationsCount", json!(2)),
        ("/evidenceSummary/findingsCount", json!(0)),
        ("/evidenceSummary/annotationsCount", json!(7)),
    ] {
        for name in ["v2", "v3-governed"] {
            let place = format!("`{pointer}`");
            refuses(
                &set(name, pointer, value.clone()),
                Reason::Integrity,
                MANIFEST,
                &place,
            );
        }
    }
    // Version 1 counted commands and not events.
    opened(&set("v1-decimal", "/commandCount", json!(3))).unwrap();
}

#[test]
fn a_manifest_is_held_to_the_rules_of_its_version() {
    for (name, field) in [
        ("v1-decimal", "sessionId"),
        ("v1-decimal", "kernelVersion"),
        ("v1-decimal", "createdAt"),
        ("v2", "datasetIdentityAlgorithm"),
        ("v2", "commandCount"),
        ("v2", "environment"),
        ("v3-governed", "analyticalDatasetFingerprint"),
        ("v3-governed", "analyticalKernelVersion"),
        ("v3-governed", "investigationDigest"),
        ("v3-governed", "evidenceReceiptDigest"),
    ] {
        let without = edited(name, MANIFEST, |manifest| {
            manifest.as_object_mut().unwrap().remove(field);
        });
        refuses(&without, Reason::UnknownShape, MANIFEST, &format!("`/{field}`"));
        let strange = set(name, &format!("/{field}"), json!([]));
        refuses(&strange, Reason::UnknownShape, MANIFEST, &format!("`/{field}`"));
    }
    let v2 = "sha256-canonical-investigation-v2";
    let v3 = "sha256-canonical-investigation-v3";
    for (name, algorithm) in [
        ("v1-decimal", json!(v2)),
        ("v2", json!(v3)),
        ("v3-governed", json!(v2)),
        ("v3-governed", json!("sha256-canonical-investigation-v4")),
        ("v3-governed", Value::Null),
    ] {
        let named = set(name, "/investigationDigestAlgorithm", algorithm);
        let place = "`/investigationDigestAlgorithm`";
        refuses(&named, Reason::Dialect, MANIFEST, place);
    }
}

/// A bad version 3 is not read as version 2, and the other way round: each relabeling meets that version's rules.
#[test]
fn no_version_is_tried_as_another() {
    for (name, number, place) in [
        ("v3-governed", 2, "`/investigationDigestAlgorithm`"),
        ("v3-governed", 1, "`/investigationDigestAlgorithm`"),
        ("v2", 3, "`/analyticalDatasetFingerprint`"),
        ("v2", 1, "`/investigationDigestAlgorithm`"),
        ("v2-plain", 3, "`/analyticalDatasetFingerprint`"),
        ("v1-decimal", 2, "`/datasetIdentityAlgorithm`"),
        ("v1-decimal", 3, "`/datasetIdentityAlgorithm`"),
    ] {
        let (_, members, found) = refused(&set(name, "/formatVersion", json!(number)));
        let is_v2_as_v3 = name.starts_with("v2") && number == 3;
        assert_eq!(members, [MANIFEST], "{name} as {number}");
        if is_v2_as_v3 {
            assert!(found.contains("igest") || found.contains("analytical"), "{found}");
        } else {
            assert_eq!(found, place, "{name} as {number}");
        }
    }
    for version in [json!(0), json!(4), json!(5), json!(2.5), json!(-1)] {
        let error = opened(&set("v3-governed", "/formatVersion", version)).unwrap_err();
        assert!(matches!(error, LegacyError::Version { .. }), "{error}");
        assert_eq!(error.refusal().code(), Code::ReplayUnsupported);
    }
    for version in [json!("3"), Value::Null, json!([3])] {
        let changed = set("v3-governed", "/formatVersion", version);
        refuses(&changed, Reason::UnknownShape, MANIFEST, "`/formatVersion`");
    }
    // Stated twice, the later version would win here and the earlier one elsewhere.
    let mut members = contents(&bytes("v3-governed"));
    let manifest = members.iter_mut().find(|(name, _)| name == MANIFEST).unwrap();
    let text = String::from_utf8(manifest.1.clone()).unwrap();
    manifest.1 = text.replacen('{', "{\"formatVersion\": 4,", 1).into_bytes();
    refuses(
        &packed(&members),
        Reason::UnknownShape,
        MANIFEST,
        "`/formatVersion`",
    );
    assert_eq!(fixture("v3-governed").version(), FormatVersion::V3);
}

#[test]
fn the_last_of_two_members_counts_and_unknown_ones_are_kept() {
    // `v2` states the dataset's name twice; its identity is the later one's.
    let text = String::from_utf8(crate::by_name(&bytes("v2"))[DATASET].clone()).unwrap();
    assert_eq!(text.matches("\"name\":\"").count(), 5, "{text}");
    assert_eq!(fixture("v2").dataset().name, "tide_pools");
    let mut members = contents(&bytes("v2"));
    let dataset = members.iter_mut().find(|(name, _)| name == DATASET).unwrap();
    dataset.1 = text
        .replacen(
            "{\"name\":\"a first draft\",\"name\":\"tide_pools\"",
            "{\"name\":\"tide_pools\",\"name\":\"a first draft\"",
            1,
        )
        .into_bytes();
    assert_ne!(dataset.1, text.into_bytes());
    refuses(&packed(&members), Reason::Integrity, DATASET, "``");
}

#[test]
fn what_is_no_text_or_no_json_is_refused_where_it_stands() {
    let with = |member: &str, content: &[u8]| {
        let mut members = contents(&bytes("v3-governed"));
        members.iter_mut().find(|(name, _)| name == member).unwrap().1 = content.to_vec();
        packed(&members)
    };
    for member in [MANIFEST, DATASET, COMMANDS] {
        refuses(
            &with(member, b"{\"a\": \xff}"),
            Reason::Malformed,
            member,
            "byte 6",
        );
        refuses(
            &with(member, b"[1,\n 2,,]"),
            Reason::Malformed,
            member,
            "line 2, column 4",
        );
        refuses(&with(member, b""), Reason::Malformed, member, "");
        let half = with(member, br#"{"a": "\ud800"}"#);
        assert_eq!(refused(&half).0, Reason::Malformed, "half of a surrogate pair");
        let deep = with(member, "[".repeat(100_000).as_bytes());
        assert_eq!(refused(&deep).1, [member]);
    }
    for member in [
        "investigation/representation.json",
        "investigation/discoveries.json",
        "investigation/nil-outcomes.json",
    ] {
        refuses(
            &with(member, b"[1,,]"),
            Reason::Malformed,
            member,
            "line 1, column 4",
        );
    }
    for (member, content, place) in [
        (
            DATASET,
            "{\"name\": \"tide_pools\", \"columns\": [], \"rows\": [1]}",
            "`/rows/0`",
        ),
        (
            DATASET,
            "{\"name\": \"x\", \"columns\": [{\"name\": 1}], \"rows\": []}",
            "`/columns/0/name`",
        ),
        (COMMANDS, "{}", "``"),
        (COMMANDS, "[7]", "`/0`"),
        (COMMANDS, "[{\"op\": \"filter\"}]", "`/0/kind`"),
        (COMMANDS, "[{\"kind\": \"teleport\"}]", "`/0/kind`"),
        (COMMANDS, "[{\"kind\": \"finding\"}]", "`/0/findingEntity`"),
    ] {
        let version = if member == COMMANDS { "v2" } else { "v3-governed" };
        let mut members = contents(&bytes(version));
        members.iter_mut().find(|(name, _)| name == member).unwrap().1 = content.as_bytes().to_vec();
        refuses(&packed(&members), Reason::UnknownShape, member, place);
    }
}

#[test]
fn a_member_that_must_be_there_is_missed_by_name() {
    for member in [
        MANIFEST,
        DATASET,
        COMMANDS,
        RECEIPTS,
        "investigation/representation.json",
        "investigation/discoveries.json",
        "investigation/nil-outcomes.json",
    ] {
        let mut members = contents(&bytes("v3-governed"));
        members.retain(|(name, _)| name != member);
        let error = opened(&packed(&members)).unwrap_err();
        assert!(
            matches!(error, LegacyError::Missing { member: missed, .. } if missed == member),
            "{error}"
        );
        let facts = package::legacy::Facts::refused(&error);
        assert!(!facts.complete.fact.holds() && !facts.intact.fact.holds());
        assert!(
            facts.complete.sentence.contains(member),
            "{}",
            facts.complete.sentence
        );
    }
}
