//! Edits of form: texts that are not canonical or not closed, artifacts and members that are not the format's, manifests
//! that do not answer for themselves.

use package::{Fact, Limits, PackageError, Step, examine};
use refusal::{Code, Reason};
use serde_json::json;

use crate::attacks::{Edit, forge, refused};
use crate::forge::{FORMA, JSON_MEMBERS, MANIFEST};

#[test]
fn json_that_is_not_canonical_is_named_with_its_place() {
    for member in JSON_MEMBERS {
        let mut forged = forge();
        let text = forged.members[member].clone();
        let at = text.iter().position(|byte| *byte == b':').unwrap() + 1;
        let mut spaced = text.clone();
        spaced.insert(at, b' ');
        forged.members.insert(member.to_owned(), spaced);
        let error = refused(forged.stamped());
        match &error {
            PackageError::NotCanonical {
                member: named,
                offset,
            } => assert_eq!((named.as_str(), *offset), (member, at)),
            other => panic!("{member}: {other}"),
        }
        assert_eq!(error.refusal().reason(), Reason::Malformed);

        let mut ended = text;
        ended.push(b'\n');
        forged.members.insert(member.to_owned(), ended);
        assert_eq!(refused(forged.stamped()).step(), Step::ClosedDecode);
    }
}

#[test]
fn unknown_and_repeated_members_are_refused_with_pointer_and_offset() {
    for member in JSON_MEMBERS {
        let mut forged = forge();
        let mut value = forged.json(member);
        let object = if value.is_array() {
            &mut value[0]
        } else {
            &mut value
        };
        object["zzz"] = json!(1);
        forged.put(member, &value);
        match refused(forged.stamped()) {
            PackageError::Decode { member: named, error } => {
                assert_eq!(named, member);
                assert_eq!(error.rule, ::identity::Rule::UnknownMember, "{member}");
                assert!(error.pointer.ends_with("/zzz") && error.offset > 0, "{error}");
            }
            other => panic!("{member}: {other}"),
        }
    }
    let mut forged = forge();
    let text = String::from_utf8(forged.members[FORMA].clone()).unwrap();
    let twice = text.replacen('{', r#"{"activeVariant":"desktop","#, 1);
    forged.members.insert(FORMA.to_owned(), twice.into_bytes());
    match refused(forged.stamped()) {
        PackageError::Decode { error, .. } => assert_eq!(error.rule, ::identity::Rule::DuplicateMember),
        other => panic!("{other}"),
    }
}

#[test]
fn artifacts_are_named_by_their_content_and_each_is_needed() {
    let honest = forge();
    let names = honest.artifacts();
    let (a, b) = (&names[0], &names[1]);

    let mut swapped = honest.clone();
    let (of_a, of_b) = (honest.members[a].clone(), honest.members[b].clone());
    swapped.members.insert(a.clone(), of_b);
    swapped.members.insert(b.clone(), of_a);
    let error = refused(swapped.bytes());
    assert_eq!(error.step(), Step::MemberDigests, "{error}");
    let error = refused(swapped.stamped());
    assert!(
        error
            .to_string()
            .contains("is not named by the digest of its content"),
        "{error}"
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forged.nemosyne");
    let facts = |bytes: Vec<u8>| {
        std::fs::write(&path, bytes).unwrap();
        let (verdict, opened) = examine(&path, &Limits::DEFAULT);
        assert!(opened.is_none());
        verdict
    };
    let mut missing = honest.clone();
    missing.members.remove(a);
    let verdict = facts(missing.stamped());
    assert_eq!(verdict.intact, Fact::Holds, "what is missing was never damaged");
    let refusal = verdict.complete.refusal().unwrap();
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::ReplayUnsupported, Reason::ArtifactMissing)
    );

    let mut spare = honest.clone();
    let name = format!("artifacts/{}", ::identity::Digest::of(b"spare").hex());
    spare.members.insert(name.clone(), b"spare".to_vec());
    let verdict = facts(spare.stamped());
    assert_eq!(verdict.intact, Fact::Holds);
    assert_eq!(verdict.complete.refusal().unwrap().subjects(), [name]);

    // Damaged and unreferenced at once: neither fact hides the other.
    let mut both = spare;
    both.edit(FORMA, |forma| {
        forma["results"][0]["body"]["limitations"] = json!([]);
    });
    let verdict = facts(both.stamped());
    assert_eq!(verdict.intact.refusal().unwrap().reason(), Reason::Integrity);
    assert!(!verdict.complete.holds());
}

#[test]
fn members_are_the_ones_of_the_format() {
    for name in JSON_MEMBERS.into_iter().chain(["data/dataset.raw"]) {
        let mut forged = forge();
        forged.members.remove(name);
        for bytes in [forged.bytes(), forged.stamped()] {
            let error = refused(bytes);
            assert!(matches!(error, PackageError::Layout { .. }), "{name}: {error}");
            assert!(error.to_string().contains(name));
        }
    }
    for name in [
        "extras/note.txt",
        "artifacts/readme",
        "investigation/discoveries.json",
        "artifacts/ABCD",
    ] {
        let mut forged = forge();
        forged.members.insert(name.to_owned(), b"{}".to_vec());
        let error = refused(forged.stamped());
        assert!(matches!(error, PackageError::Layout { .. }), "{name}: {error}");
        assert_eq!(error.refusal().reason(), Reason::UnknownShape);
    }
}

#[test]
fn the_manifest_answers_for_itself() {
    let honest = forge();
    let zeros = "0".repeat(64);
    let v4 = format!("sha256-canonical-investigation-v4:{zeros}");
    let error = refused(honest.stamped_with(|manifest| manifest["investigationDigest"] = json!(v4)));
    assert_eq!(error.step(), Step::Digest, "{error}");

    let mut edited = honest.clone();
    edited.edit(MANIFEST, |manifest| {
        manifest["manifestId"] = json!(format!("package-manifest-v4:{zeros}"));
    });
    let error = refused(edited.bytes());
    assert!(error.to_string().contains("manifestId"), "{error}");

    let edits: [(Edit, &str); 6] = [
        (
            |manifest| {
                manifest["identities"]["planId"] = json!(format!("perceptual-plan-v1:{}", "0".repeat(64)));
            },
            "/identities/planId",
        ),
        (
            |manifest| manifest["identities"]["datasetFingerprint"] = json!("0".repeat(64)),
            "/identities/datasetFingerprint",
        ),
        (
            |manifest| manifest["software"]["name"] = json!("another"),
            "/software/name",
        ),
        (
            |manifest| manifest["software"]["kernelVersion"] = json!("another"),
            "/software/kernelVersion",
        ),
        (
            |manifest| manifest["software"]["compiler"]["version"] = json!("9"),
            "/software/compiler",
        ),
        (
            |manifest| manifest["identities"]["datasetIdentityAlgorithm"] = json!("md5"),
            "datasetIdentityAlgorithm",
        ),
    ];
    for (edit, place) in edits {
        let mut forged = honest.clone();
        forged.edit(MANIFEST, edit);
        let error = refused(forged.stamped());
        assert!(error.to_string().contains(place), "{place}: {error}");
    }
    let mut spaced = honest.clone();
    let mut text = spaced.members[MANIFEST].clone();
    text.insert(1, b' ');
    spaced.members.insert(MANIFEST.to_owned(), text);
    assert!(matches!(
        refused(spaced.bytes()),
        PackageError::NotCanonical { offset: 1, .. }
    ));
}
