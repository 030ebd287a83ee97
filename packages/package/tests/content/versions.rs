//! Versions and dialects: told apart by what the manifest says, and never tried as each other.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use package::{FormatVersion, Limits, PackageError, dispatch, open};
use refusal::{Code, Reason};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;

use crate::forge::{Forge, MANIFEST};
use crate::road::road;

fn save(folder: &Path, bytes: &[u8]) -> PathBuf {
    let path = folder.join("some.nemosyne");
    std::fs::write(&path, bytes).unwrap();
    path
}

/// An archive as another program writes it: other times, other order, other attributes.
fn foreign(folder: &Path, manifest: &Value) -> PathBuf {
    let path = folder.join("foreign.nemosyne");
    let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
    let options = SimpleFileOptions::default();
    for (name, text) in [
        (MANIFEST, serde_json::to_string_pretty(manifest).unwrap()),
        ("data/dataset.raw", "{\"rows\":[]}".to_owned()),
        ("investigation/commands.log", "[]".to_owned()),
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap();
    path
}

#[test]
fn earlier_versions_are_named_and_not_replayed() {
    let folder = tempfile::tempdir().unwrap();
    for (number, version) in [
        (1, FormatVersion::V1),
        (2, FormatVersion::V2),
        (3, FormatVersion::V3),
    ] {
        let manifest = json!({
            "formatVersion": number, "sessionId": "s", "createdAt": 1_700_000_000_000_i64, "datasetName": "d",
            "investigationDigestAlgorithm": "sha256-canonical-investigation-v3", "environment": {},
        });
        let path = foreign(folder.path(), &manifest);
        assert_eq!(dispatch(&path).unwrap(), version);
        let refusal = open(&path, &Limits::DEFAULT).unwrap_err().refusal();
        assert_eq!(
            (refusal.code(), refusal.reason()),
            (Code::ReplayUnsupported, Reason::VersionUnsupported)
        );
        assert!(
            refusal.cause().text.contains(&format!("format version {number}")),
            "{refusal}"
        );
    }
}

#[test]
fn relabeling_never_falls_back() {
    let folder = tempfile::tempdir().unwrap();
    let honest = Forge::of(&road().bytes());
    let path = save(folder.path(), &honest.stamped());
    assert_eq!(dispatch(&path).unwrap(), FormatVersion::V4);
    open(&path, &Limits::DEFAULT).unwrap();
    for (number, version) in [
        (3, FormatVersion::V3),
        (2, FormatVersion::V2),
        (1, FormatVersion::V1),
    ] {
        let path = save(
            folder.path(),
            &honest.stamped_with(|manifest| manifest["formatVersion"] = json!(number)),
        );
        assert_eq!(dispatch(&path).unwrap(), version);
        let error = open(&path, &Limits::DEFAULT).unwrap_err();
        assert!(
            matches!(error, PackageError::Version { found } if found == number),
            "{error}"
        );
        assert_eq!(error.refusal().code(), Code::ReplayUnsupported);
    }
    let path = save(
        folder.path(),
        &honest.stamped_with(|manifest| manifest["formatVersion"] = json!(5)),
    );
    assert!(matches!(dispatch(&path), Err(PackageError::Version { found: 5 })));
    assert!(matches!(
        open(&path, &Limits::DEFAULT),
        Err(PackageError::Version { found: 5 })
    ));
    for value in [json!("4"), json!(null), json!(4.5), json!([])] {
        let path = save(
            folder.path(),
            &honest.stamped_with(|manifest| manifest["formatVersion"] = value),
        );
        assert!(matches!(dispatch(&path), Err(PackageError::Decode { .. })));
        assert!(matches!(
            open(&path, &Limits::DEFAULT),
            Err(PackageError::Decode { .. })
        ));
    }
}

#[test]
fn version_4_with_the_v3_algorithm_is_another_dialect() {
    let folder = tempfile::tempdir().unwrap();
    let v3 = "sha256-canonical-investigation-v3";
    let ours = Forge::of(&road().bytes()).stamped_with(|manifest| manifest["digestAlgorithm"] = json!(v3));
    let theirs = json!({
        "formatVersion": 4, "sessionId": "s", "datasetName": "d", "investigationDigestAlgorithm": v3,
        "formaDigest": "0".repeat(64), "environment": {},
    });
    for path in [save(folder.path(), &ours), foreign(folder.path(), &theirs)] {
        for error in [
            dispatch(&path).unwrap_err(),
            open(&path, &Limits::DEFAULT).unwrap_err(),
        ] {
            let refusal = error.refusal();
            assert_eq!(
                (refusal.code(), refusal.reason()),
                (Code::ReplayUnsupported, Reason::Dialect),
                "{error}"
            );
            assert!(refusal.cause().text.contains(v3), "{refusal}");
        }
    }
}

#[test]
fn what_is_no_package_is_not_taken_for_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut damaged =
        Forge::of(&road().bytes()).stamped_with(|manifest| manifest["formatVersion"] = json!(3));
    // The manifest is stored: its text stands in the file as it is.
    let at = damaged.windows(4).rposition(|text| text == b"nemo").unwrap();
    damaged[at] ^= 1;
    let error = open(&save(folder.path(), &damaged), &Limits::DEFAULT).unwrap_err();
    assert!(matches!(error, PackageError::Container { .. }), "{error}");

    let error = open(
        &foreign(folder.path(), &json!({"name": "an archive of something"})),
        &Limits::DEFAULT,
    );
    assert!(matches!(error, Err(PackageError::Container { .. })));
    let error = open(
        &foreign(folder.path(), &json!({"formatVersion": 4})),
        &Limits::DEFAULT,
    );
    assert!(
        matches!(error, Err(PackageError::Container { .. })),
        "a version 4 in another container is refused as such"
    );
    let error = dispatch(&folder.path().join("nothing")).unwrap_err();
    assert!(error.refusal().cause().text.contains("no such file"));
    let error = dispatch(folder.path()).unwrap_err();
    assert!(error.refusal().cause().text.contains("folder"));
}
