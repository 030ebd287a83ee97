//! F11: legacy downgrade, and unchanged archives of version 3.
//!
//! **Attack.** Somebody wants a capability out of a version that never had one, or wants an old archive to fall because
//! the world around it grew. A version 4 is relabeled 3, or loses `investigation/forma.json`, or names the digest
//! algorithm of version 3. A version 3 is given a `forma.json` that says ADMITTED, or is relabeled 2 so that its receipts
//! are not asked about. A consumer of the Forma path is put where the archives of version 3 look for theirs. Bytes are
//! flipped, digests and counts edited, names disguised, bombs packed.
//!
//! **Owner.** Version dispatch (`package::dispatch`) and the readers behind it: `package::open` for version 4,
//! `package::legacy` for versions 1 to 3, the registry of version 3 in `evidence`.
//!
//! **Required.** A file is judged as the version it states and as no other. What fails is refused by name, with member and
//! place, and gives no capability: not replayed, not drawn, not executable. An archive of version 3 keeps its digest, its
//! facts and the outcome of its receipts, whatever the Forma path governs. Its re-execution is REPLAY_UNSUPPORTED beside
//! what can be inspected.
//!
//! **Control.** The unmodified archives of every version through the same verbs: versions 1 to 3 intact under their frozen
//! digests and readable, version 4 intact, replayable and executable.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evidence::{AdmissionPolicy, ProfileRegistry, UseOutcome};
use package::container::{Compression, Writer};
use package::legacy::LegacyLimits;
use serde_json::{Value, json};

use crate::forge::{FORMA, Forge, MANIFEST};
use crate::program::{json, nemosyne, package, put};

/// Fixture, version, recorded digest, and whether the receipts are governed. Minted by another program, frozen here.
type Frozen = (&'static str, i64, Option<&'static str>, Option<bool>);

const FROZEN: [Frozen; 8] = [
    (
        "v1-decimal",
        1,
        Some("702dcc7e16705cd7bb14f64171c6d47b1ddafc18f3464728604093e7c23fd5cf"),
        None,
    ),
    ("v1-requests", 1, None, None),
    (
        "v2",
        2,
        Some("b895c58d705b7b5d36bd752a3d23aeab054fb1971bb7beba14f428976bc5b031"),
        None,
    ),
    (
        "v2-unlabeled",
        2,
        Some("cad3607613e0f66c4205efbe0e915fee8c2573a4746aa1b3beab7859cee3ac3e"),
        None,
    ),
    ("v2-plain", 2, None, None),
    (
        "v3-governed",
        3,
        Some("76addaa650e337522ec5adb603e5ce59c3e569aa8bcaa8385dc041c523b82bd9"),
        Some(true),
    ),
    (
        "v3-no-uses",
        3,
        Some("ddc71b8ef314314d79af36ce2565a22696eb23f512b2fad37dfa3038831383e0"),
        Some(false),
    ),
    (
        "v3-supplementary",
        3,
        Some("e82164724272c5044151818122dbd84c92d990008a5e3d4f5c91939aedf7c1b5"),
        Some(true),
    ),
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../tests/vectors/legacy/{name}.nemosyne"))
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).expect("the fixture is there")
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("there is room for a folder")
}

/// The verbs that could turn a file into something shown.
fn nothing_runs(folder: &Path, name: &str) {
    for arguments in [
        ["replay", name].as_slice(),
        &["explain", name],
        &["render", name, "--out", "none.png"],
        &["replay", name, "--adapt", "desktop"],
    ] {
        nemosyne(folder, arguments).refused();
    }
    assert!(!folder.join("none.png").exists());
}

/// What `verify` says, with the refusal's code, reason, first subject and place.
fn refused(folder: &Path, bytes: &[u8]) -> (Value, [String; 4]) {
    put(folder, "some.nemosyne", bytes);
    let (code, answer) = json(folder, &["verify", "some.nemosyne"]);
    assert_eq!(code, 1, "{answer}");
    assert_eq!(answer["executableNow"]["holds"], json!(false), "{answer}");
    assert_eq!(answer["replayable"]["holds"], json!(false), "{answer}");
    let refusal = &answer["refusal"];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let told = [
        text(&refusal["code"]),
        text(&refusal["reason"]),
        text(&refusal["subjectRefs"][0]),
        text(&refusal["cause"]["place"]),
    ];
    (answer, told)
}

#[test]
fn the_unmodified_archives_keep_their_digests_and_can_be_read() {
    let folder = folder();
    for (name, version, digest, governed) in FROZEN {
        put(folder.path(), "some.nemosyne", &bytes(name));
        let (code, answer) = json(folder.path(), &["verify", "some.nemosyne"]);
        assert_eq!(code, 0, "{name}: {answer}");
        assert_eq!(answer["formatVersion"], json!(version), "{name}");
        for (fact, holds) in [
            ("intact", true),
            ("complete", true),
            ("replayable", false),
            ("executableNow", false),
            ("trustedBy", false),
        ] {
            assert_eq!(answer[fact]["holds"], json!(holds), "{name} {fact}");
        }
        assert_eq!(
            answer["replayable"]["refusal"]["code"],
            json!("REPLAY_UNSUPPORTED"),
            "{name}"
        );
        assert_eq!(answer["evidence"]["holds"].as_bool(), governed, "{name}");

        let (code, answer) = json(folder.path(), &["inspect", "some.nemosyne"]);
        assert_eq!(code, 0, "{name}: {answer}");
        assert_eq!(answer["investigationDigest"]["digest"].as_str(), digest, "{name}");
        assert!(
            answer["dataset"]["rows"].as_u64().is_some_and(|rows| rows > 0),
            "{name}"
        );
        assert_eq!(answer["executable"], json!(false), "{name}");

        let (code, answer) = json(folder.path(), &["replay", "some.nemosyne"]);
        assert_eq!(
            (code, &answer["outcome"]),
            (1, &json!("UNSUPPORTED_HISTORICAL")),
            "{name}"
        );
        assert_eq!(answer["refusal"]["code"], json!("REPLAY_UNSUPPORTED"), "{name}");
        assert!(
            !answer["inspectable"].as_array().expect("both facts").is_empty(),
            "{name}"
        );
        nothing_runs(folder.path(), "some.nemosyne");
    }
    // Version 4 through the same verbs: intact, replayed, executable, readable.
    put(folder.path(), "some.nemosyne", package());
    let (code, answer) = json(folder.path(), &["verify", "some.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    for fact in ["intact", "complete", "replayable", "executableNow", "trustedBy"] {
        assert_eq!(answer[fact]["holds"], json!(true), "{fact}");
    }
    let (code, answer) = json(folder.path(), &["inspect", "some.nemosyne"]);
    assert_eq!((code, &answer["formatVersion"]), (0, &json!(4)), "{answer}");
    assert_eq!(
        answer["question"]["researchQuestion"],
        json!(crate::program::QUESTION)
    );
}

#[test]
fn what_people_wrote_is_told_to_a_reader() {
    let folder = folder();
    put(folder.path(), "some.nemosyne", &bytes("v3-governed"));
    let ran = nemosyne(folder.path(), &["inspect", "some.nemosyne"]).done();
    for text in [
        "format version 3",
        "2023-11-14",
        "tide_pools",
        "Do warm pools hold fewer snails?",
        "The warm pools hold few snails.",
        "Fewer snails where it is warm",
        "descriptive:temperature_c",
        "RESOLVED",
        "DISTRIBUTION_FIELD",
        "five rows are too few for density",
        "fewer rows than clusters",
        "inspected and not executed",
    ] {
        assert!(ran.out.contains(text), "{text}: {}", ran.out);
    }
    let ran = nemosyne(folder.path(), &["replay", "some.nemosyne"]).refused();
    assert!(ran.err.contains("UNSUPPORTED_HISTORICAL"), "{}", ran.err);
    assert!(
        ran.err.contains("inspectable") && ran.err.contains("findings: 1"),
        "{}",
        ran.err
    );
}

#[test]
fn a_version_4_relabeled_or_stripped_gives_no_capability() {
    let folder = folder();
    let honest = Forge::of(package());
    for version in [1, 2, 3] {
        let relabeled = honest.stamped_with(|manifest| manifest["formatVersion"] = json!(version));
        let (_, told) = refused(folder.path(), &relabeled);
        assert_eq!(told[0], "INVALID_INPUT", "{told:?}");
        assert_eq!(told[2], MANIFEST, "{told:?}");
        assert!(told[3].starts_with("`/"), "{told:?}");
        nothing_runs(folder.path(), "some.nemosyne");
        nemosyne(folder.path(), &["inspect", "some.nemosyne"]).refused();
    }
    let mut stripped = honest.clone();
    stripped.members.remove(FORMA);
    let (_, told) = refused(folder.path(), &stripped.stamped());
    assert_eq!(
        (told[0].as_str(), told[2].as_str()),
        ("INVALID_INPUT", FORMA),
        "{told:?}"
    );
    nothing_runs(folder.path(), "some.nemosyne");
    // Stripped and relabeled: what is left is no version 3 either.
    let both = stripped.stamped_with(|manifest| manifest["formatVersion"] = json!(3));
    let (_, told) = refused(folder.path(), &both);
    assert_eq!(told[2], MANIFEST, "{told:?}");
    nothing_runs(folder.path(), "some.nemosyne");
    for (version, reason) in [(4, "DIALECT"), (5, "VERSION_UNSUPPORTED")] {
        let foreign = honest.stamped_with(|manifest| {
            manifest["formatVersion"] = json!(version);
            manifest["digestAlgorithm"] = json!("sha256-canonical-investigation-v3");
        });
        let (_, told) = refused(folder.path(), &foreign);
        assert_eq!(
            (told[0].as_str(), told[1].as_str()),
            ("REPLAY_UNSUPPORTED", reason),
            "{told:?}"
        );
        nothing_runs(folder.path(), "some.nemosyne");
    }
    put(folder.path(), "some.nemosyne", &honest.stamped());
    nemosyne(folder.path(), &["verify", "some.nemosyne"]).done();
    nemosyne(folder.path(), &["replay", "some.nemosyne"]).done();
}

/// The fixture holds a `forma.json` that says ADMITTED for PRODUCTION.
#[test]
fn a_version_3_with_a_later_member_stays_what_it_is() {
    let folder = folder();
    put(folder.path(), "some.nemosyne", &bytes("v3-with-forma"));
    let (code, answer) = json(folder.path(), &["verify", "some.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(answer["formatVersion"], json!(3));
    assert_eq!(answer["executableNow"]["holds"], json!(false));
    nothing_runs(folder.path(), "some.nemosyne");
    let (_, with) = json(folder.path(), &["inspect", "some.nemosyne"]);
    put(folder.path(), "some.nemosyne", &bytes("v3-governed"));
    let (_, without) = json(folder.path(), &["inspect", "some.nemosyne"]);
    for member in [
        "investigationDigest",
        "receipts",
        "decision",
        "ledger",
        "strength",
    ] {
        assert_eq!(with[member], without[member], "{member}");
    }
    let unread: Vec<&Value> = with["members"]
        .as_array()
        .expect("they are listed")
        .iter()
        .filter(|member| member["read"] == json!(false))
        .collect();
    assert_eq!(unread.len(), 1);
    assert_eq!(unread[0]["name"], json!(FORMA));
}

/// The hazard that the decision found: one table for all paths would take old archives down with every new consumer.
#[test]
fn a_consumer_of_the_forma_path_leaves_version_3_as_it_was() {
    let package =
        package::legacy::open(&fixture("v3-governed"), &LegacyLimits::DEFAULT).expect("it is intact");
    let receipts = package.receipts().expect("version 3 has receipts");
    // Whatever the Forma path governs, the archive was asked about by the table of version 3.
    assert!(!AdmissionPolicy::forma_v1().consumers().is_empty());
    assert!(receipts.binding.is_package_v3());
    assert!(
        receipts
            .binding
            .uses()
            .iter()
            .all(|one| one.outcome == UseOutcome::Resolved)
    );
    assert_eq!(receipts.binding.uses().len(), receipts.envelope.uses().len());
    let governed: Vec<String> = AdmissionPolicy::package_v3()
        .consumers()
        .iter()
        .map(|consumer| consumer.consumer_id.clone())
        .collect();
    assert_eq!(governed, ["nemosyne:consumer/descriptive-statistics/v1"]);
    // Control: the outcome is the table's. Under the Forma path's the archive would fall.
    let elsewhere = receipts
        .envelope
        .bind_on(&ProfileRegistry::forma_v1(), &AdmissionPolicy::forma_v1());
    let classed = elsewhere.first_refused().map(|(_, classed)| classed.word());
    assert_eq!(classed, Some("CONSUMER_NOT_GOVERNED"));

    // The same at the command line, beside an archive whose uses were never minted.
    let folder = folder();
    for (name, refused) in [
        ("v3-governed", Value::Null),
        ("v3-no-uses", json!("CONSUMER_NOT_GOVERNED")),
    ] {
        put(folder.path(), "some.nemosyne", &bytes(name));
        let (code, answer) = json(folder.path(), &["inspect", "some.nemosyne"]);
        assert_eq!(code, 0, "{answer}");
        assert_eq!(answer["receipts"]["refused"], refused, "{name}");
        assert_eq!(
            answer["receipts"]["policy"],
            json!("nemosyne:policy/package-v3-consumers/v1")
        );
    }
}

/// A local header's content: name and range, in an archive without data descriptors.
fn members(bytes: &[u8]) -> Vec<(String, std::ops::Range<usize>)> {
    let number = |at: usize, width: usize| {
        let digits = bytes[at..at + width].iter().rev();
        digits.fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let start = at + 30 + number(at + 26, 2) + number(at + 28, 2);
        let name = bytes[at + 30..at + 30 + number(at + 26, 2)].to_vec();
        let end = start + number(at + 18, 4);
        found.push((String::from_utf8(name).expect("names are text"), start..end));
        at = end;
    }
    found
}

/// The version 3 fixture, which stores its members as they are, with one member's JSON edited and all checksums true.
fn edited(member: &str, edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let whole = bytes("v3-governed");
    let mut contents: BTreeMap<String, Vec<u8>> = members(&whole)
        .into_iter()
        .map(|(name, range)| (name, whole[range].to_vec()))
        .collect();
    let content = contents.get_mut(member).expect("it is a member");
    let mut value: Value = serde_json::from_slice(content).expect("it is JSON");
    edit(&mut value);
    *content = serde_json::to_vec_pretty(&value).expect("it is JSON");
    let mut writer = Writer::new(Vec::new());
    for (name, content) in &contents {
        writer
            .add(name, content.as_slice(), Compression::Fitting)
            .expect("names are plain");
    }
    writer.finish().expect("memory takes every byte")
}

#[test]
fn an_edited_version_3_is_refused_however_true_its_checksums_are() {
    let folder = folder();
    let manifest = |field: &'static str, value: Value| edited(MANIFEST, |manifest| manifest[field] = value);
    for (what, forged, member, place) in [
        (
            "another digest",
            manifest("investigationDigest", json!("0".repeat(64))),
            MANIFEST,
            "`/investigationDigest`",
        ),
        (
            "another digest of the receipts",
            manifest("evidenceReceiptDigest", json!("0".repeat(64))),
            MANIFEST,
            "`/evidenceReceiptDigest`",
        ),
        (
            "another count",
            manifest("commandCount", json!(11)),
            MANIFEST,
            "`/commandCount`",
        ),
        (
            "another kernel",
            manifest("analyticalKernelVersion", json!("1.0.0")),
            MANIFEST,
            "`/analyticalKernelVersion`",
        ),
        (
            "as version 2",
            manifest("formatVersion", json!(2)),
            MANIFEST,
            "`/investigationDigestAlgorithm`",
        ),
        (
            "as version 1",
            manifest("formatVersion", json!(1)),
            MANIFEST,
            "`/investigationDigestAlgorithm`",
        ),
        (
            "another finding",
            edited("investigation/commands.log", |log| {
                log[8]["findingEntity"]["confidence"] = json!("definitive")
            }),
            MANIFEST,
            "`/investigationDigest`",
        ),
        (
            "another cell",
            edited("data/dataset.raw", |dataset| {
                dataset["rows"][0]["snails"] = json!(15)
            }),
            "data/dataset.raw",
            "``",
        ),
        (
            "no uses",
            edited("investigation/evidence-receipts.json", |receipts| {
                receipts["uses"] = json!([])
            }),
            MANIFEST,
            "`/evidenceReceiptDigest`",
        ),
    ] {
        let (answer, told) = refused(folder.path(), &forged);
        assert_eq!(
            (told[2].as_str(), told[3].as_str()),
            (member, place),
            "{what}: {answer}"
        );
        assert_eq!(answer["intact"]["holds"], json!(false), "{what}: {answer}");
        nemosyne(folder.path(), &["inspect", "some.nemosyne"]).refused();
    }
    // Version 4 as the format version meets version 4's reader, and that alone.
    let (_, told) = refused(folder.path(), &manifest("formatVersion", json!(4)));
    assert_eq!(
        (told[0].as_str(), told[1].as_str()),
        ("REPLAY_UNSUPPORTED", "DIALECT"),
        "{told:?}"
    );
    // Control: written anew and unedited it is the same package.
    put(folder.path(), "some.nemosyne", &edited(MANIFEST, |_| {}));
    let (code, answer) = json(folder.path(), &["verify", "some.nemosyne"]);
    assert_eq!((code, &answer["strength"]), (0, &json!("DIGEST")), "{answer}");
}

#[test]
fn a_damaged_version_3_is_refused_with_member_and_place() {
    let folder = folder();
    let whole = bytes("v3-governed");
    let members = members(&whole);
    assert_eq!(members.len(), 7);
    for (name, range) in members {
        let mut damaged = whole.clone();
        damaged[range.start + range.len() / 2] ^= 0x10;
        let (answer, told) = refused(folder.path(), &damaged);
        assert_eq!(told[0], "INVALID_INPUT", "{answer}");
        assert_eq!(told[2], name, "{answer}");
        assert!(!told[3].is_empty(), "{answer}");
        assert_eq!(answer["intact"]["holds"], json!(false), "{answer}");
        nemosyne(folder.path(), &["inspect", "some.nemosyne"]).refused();
        nothing_runs(folder.path(), "some.nemosyne");
    }
    for (what, damaged) in [
        ("cut", whole[..whole.len() - 1].to_vec()),
        ("grown", [whole.as_slice(), &[0]].concat()),
    ] {
        let (_, told) = refused(folder.path(), &damaged);
        assert_eq!(told[0], "INVALID_INPUT", "{what}");
    }
    put(folder.path(), "some.nemosyne", &whole);
    nemosyne(folder.path(), &["verify", "some.nemosyne"]).done();
}
