//! Names that resolve exactly, and those that do not.

use identity::{Digest, Limits};
use refusal::{Code, Reason};

use super::{SHIPPED, edited, manifest, pin, table};
use crate::wire::v1::{EntryKind, ManifestBody};
use crate::{Artifact, KnowledgeError, Manifest, Table};

#[test]
fn every_entry_resolves_to_its_artifact() {
    let table = table();
    let manifest = manifest(&table);
    table.closes(&manifest).unwrap();
    assert_eq!(manifest.body().entries.len(), SHIPPED.len() - 4);
    for entry in &manifest.body().entries {
        let artifact = table.resolve(entry).unwrap();
        assert_eq!(
            (artifact.id(), artifact.entry_kind()),
            (entry.id.as_str(), Some(entry.kind))
        );
    }
}

#[test]
fn absent_and_tampered_are_different_answers() {
    let table = table();
    let digest = pin(&table, "linear@1.0.0").digest;
    assert!(matches!(
        table.find("linear", "1.0.0", &digest),
        Ok(Artifact::Definition(_))
    ));
    let absent = table.find("linear", "2.0.0", &digest).unwrap_err();
    assert!(matches!(absent, KnowledgeError::Absent { .. }));
    let tampered = table.find("linear", "1.0.0", &Digest::of(b"other")).unwrap_err();
    assert!(matches!(tampered, KnowledgeError::Tampered { .. }));
    assert_eq!(tampered.refusal().code(), Code::InvalidInput);

    let full = manifest(&table);
    let mut entry = full
        .body()
        .entries
        .iter()
        .find(|entry| entry.id == "linear")
        .unwrap()
        .clone();
    entry.version = "2.0.0".to_owned();
    let absent = table.resolve(&entry).unwrap_err();
    assert_eq!(absent.refusal().reason(), Reason::UnknownTransform);
}

#[test]
fn a_flipped_byte_is_found_in_every_artifact() {
    for (place, (path, bytes)) in SHIPPED.iter().enumerate() {
        for at in [0, bytes.len() / 2, bytes.len() - 1] {
            let artifacts = SHIPPED.iter().enumerate().map(|(i, (_, bytes))| {
                let mut held = bytes.to_vec();
                if i == place {
                    held[at] ^= 1;
                }
                (Digest::of(bytes), held)
            });
            let error = Table::from_artifacts(artifacts).unwrap_err();
            assert!(
                matches!(error, KnowledgeError::Tampered { .. }),
                "{path} at {at}: {error}"
            );
        }
    }
}

#[test]
fn a_manifest_that_says_more_than_its_artifact_disagrees() {
    let table = table();
    let full = manifest(&table);
    let altered = |edit: fn(&mut crate::wire::v1::Entry)| {
        let mut body = full.body().clone();
        let entry = body
            .entries
            .iter_mut()
            .find(|entry| entry.id == "position-order-monitor")
            .unwrap();
        edit(entry);
        let manifest: Manifest = identity::Sealed::seal(body).unwrap();
        table.closes(&manifest)
    };
    assert!(altered(|_| ()).is_ok());
    let member = |error| match error {
        KnowledgeError::Disagrees { member, .. } => member,
        other => panic!("{other}"),
    };
    assert_eq!(
        member(altered(|entry| entry.limitations.clear()).unwrap_err()),
        "limitations"
    );
    assert_eq!(
        member(altered(|entry| entry.evidence_basis = "CONTROLLED_STUDY".to_owned()).unwrap_err()),
        "evidenceBasis"
    );
    assert_eq!(
        member(altered(|entry| entry.authority_ref = "someone".to_owned()).unwrap_err()),
        "authorityRef"
    );
}

#[test]
fn a_package_gathers_its_own_closure_or_refuses() {
    let full = table();
    let manifest = manifest(&full);
    let scope = pin(&full, "nemosyne:scope/general@1");
    let held = |digest: &Digest| {
        full.bytes()
            .find(|(own, _)| *own == digest)
            .map(|(_, bytes)| bytes.to_vec())
    };
    let gathered = Table::gather(&manifest, std::slice::from_ref(&scope), held).unwrap();
    assert_eq!(gathered.len(), full.len() - 1);

    for entry in &manifest.body().entries {
        let error = Table::gather(&manifest, &[], |digest| {
            if digest == &entry.content_digest {
                None
            } else {
                held(digest)
            }
        });
        let Err(KnowledgeError::Absent { reference, kind }) = error else {
            panic!("{error:?}")
        };
        assert_eq!(
            (reference, kind),
            (format!("{}@{}", entry.id, entry.version), Some(entry.kind))
        );
    }
    let swapped = Table::gather(&manifest, &[], |_| Some(SHIPPED[0].1.to_vec())).unwrap_err();
    assert!(matches!(swapped, KnowledgeError::Tampered { .. }));
}

#[test]
fn a_manifest_keeps_its_identity_on_the_wire() {
    let table = table();
    let manifest = manifest(&table);
    let text = manifest.to_canonical().unwrap();
    let read = |text: &[u8]| {
        let envelope = identity::decode::<identity::Envelope<ManifestBody>>(text, &Limits::default());
        envelope.unwrap().into_inner().open()
    };
    assert_eq!(read(&text).unwrap(), manifest);
    let altered = String::from_utf8(text)
        .unwrap()
        .replacen("READ_VALUE", "READ_VALUF", 1);
    assert!(matches!(
        read(altered.as_bytes()),
        Err(identity::SealError::IdentityMismatch { .. })
    ));
}

#[test]
fn harms_are_linked_from_what_they_touch() {
    let table = table();
    let manifest = manifest(&table);
    let refs = |id: &str| {
        let entry = manifest
            .body()
            .entries
            .iter()
            .find(|entry| entry.id == id)
            .unwrap();
        (
            entry.contraindication_refs.clone(),
            entry.qualification_ref.clone(),
        )
    };
    let harm = |name: &str| vec![name.to_owned()];
    assert_eq!(refs("position_z"), (harm("depth-monitor@1"), None));
    assert_eq!(
        refs("position-order-headset"),
        (
            harm("absolute-height-headset@1"),
            Some("position-order-headset@1".to_owned())
        )
    );
    assert_eq!(
        refs("position-order-monitor"),
        (vec![], Some("position-order-monitor@1".to_owned()))
    );
}

#[test]
fn two_artifacts_of_one_name_are_ambiguous() {
    let mut artifacts = edited(|_, _| ());
    let twice = artifacts[0].clone();
    artifacts.push(twice);
    assert_eq!(
        Table::from_artifacts(artifacts.clone()).unwrap().len(),
        SHIPPED.len()
    );
    let other = edited(|path, value| {
        if path.ends_with("linear.json") {
            value["statement"] = "Another linear.".into();
        }
    });
    artifacts.push(other[0].clone());
    let error = Table::from_artifacts(artifacts).unwrap_err();
    assert_eq!(
        error,
        KnowledgeError::Ambiguous {
            reference: "linear@1.0.0".to_owned()
        }
    );
    assert_eq!(error.refusal().reason(), Reason::AmbiguousReference);
}

#[test]
fn definitions_are_listed_by_kind() {
    let table = table();
    let names = |kind| table.definitions(kind).map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names(EntryKind::Transform), ["linear@1.0.0"]);
    assert_eq!(names(EntryKind::Channel), ["position_z@1", "text@1"]);
    assert_eq!(names(EntryKind::Qualification), [""; 0]);
}
