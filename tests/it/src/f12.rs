//! F12, hash collisions by canonicalization.
//!
//! **Attack.** Two different things are given one identity, or one thing two, by what happens to a text before it is hashed.
//! A number that is not finite becomes null, and null is a missing value that an analysis may count. The last of two members
//! wins in one reader and the first in another. An integer past 2^53 rounds onto its neighbor. Half of a surrogate pair
//! becomes a replacement character. A composed and a decomposed letter are folded into one, or members are sorted by code
//! point where the contract sorts by UTF-16 code unit. A member nobody knows is dropped in silence and takes its condition
//! with it. The same is done to the members of a package, with every digest made true again afterwards. And from the other
//! side: what only a decision is about (its question, its recipe, its device, where it was saved) is hashed into the truth,
//! so that two views of one state seem to rest on two.
//!
//! **Owner.** The closed decoder and the canonical writer of `identity`; the importer for tables; the package reader for
//! members; the normalizer for what may enter the snapshot.
//!
//! **Required.** A text that has no single meaning is refused as INVALID_INPUT before anything is hashed, with the rule it
//! broke and the place. What is no number never counts as one and never as missing. Different values have different
//! identities, whatever they look like; equal values have one, however they are written. A snapshot keeps its identity when
//! only the decision changes.
//!
//! **Control.** Beside each refused text stands the same text without the fault, through the same command, and it is
//! answered; the package whose members are untouched and whose digests were made again verifies; and a cell that changes
//! does change the snapshot.

use identity::{Digest, Rule};
use refusal::Code;
use serde_json::{Value, json};

use crate::forge::{COMMANDS, FORMA, Forge, MANIFEST, SESSION};
use crate::program::{self, MAIN_JOB, nemosyne, package, put, with_penguins, with_table};

/// What `import` says of a table of JSON rows.
fn import(text: &str) -> (i32, Value) {
    let folder = with_table("t.json", text);
    program::json(folder.path(), &["import", "t.json"])
}

fn fingerprint(text: &str) -> String {
    let (code, answer) = import(text);
    assert_eq!(code, 0, "{text}: {answer}");
    answer["dataset"].as_str().expect("an identity").to_owned()
}

#[test]
fn a_table_without_one_meaning_is_refused_before_it_is_hashed() {
    let deep = format!("[{{\"a\":{}1{}}}]", "[".repeat(100_000), "]".repeat(100_000));
    for (name, text, says) in [
        ("NaN", "[{\"a\":NaN},{\"a\":2}]", "/0/a"),
        ("Infinity", "[{\"a\":Infinity},{\"a\":2}]", "/0/a"),
        ("minus Infinity", "[{\"a\":1},{\"a\":-Infinity}]", "/1/a"),
        ("undefined", "[{\"a\":undefined},{\"a\":2}]", "/0/a"),
        ("a sparse array", "[{\"a\":1},,{\"a\":2}]", "byte 9"),
        ("a member twice", "[{\"a\":1,\"a\":2},{\"a\":2}]", "/0/a"),
        (
            "a member twice, once escaped",
            "[{\"a\":1,\"\\u0061\":2},{\"a\":2}]",
            "/0/a",
        ),
        (
            "half a surrogate pair",
            "[{\"a\":\"\\ud800\"},{\"a\":\"x\"}]",
            "surrogate",
        ),
        (
            "the other half",
            "[{\"a\":\"\\udc00x\"},{\"a\":\"x\"}]",
            "surrogate",
        ),
        (
            "two first halves",
            "[{\"a\":\"\\ud800\\ud800\"},{\"a\":\"x\"}]",
            "surrogate",
        ),
        ("nesting", "[{\"a\":[1]},{\"a\":2}]", "/0/a"),
        ("nesting without end", &deep, "/0/a"),
        ("a leading zero", "[{\"a\":01},{\"a\":2}]", "/0/a"),
        (
            "something after the array",
            "[{\"a\":1},{\"a\":2}] []",
            "after the array",
        ),
    ] {
        let (code, answer) = import(text);
        let refusal = &answer["refusal"];
        assert_eq!(
            (code, &refusal["code"]),
            (1, &json!("INVALID_INPUT")),
            "{name}: {answer}"
        );
        assert!(answer["dataset"].is_null(), "{name}: {answer}");
        let told = refusal.to_string();
        assert!(told.contains(says), "{name}: `{says}` is not said: {told}");
    }
    for text in [
        "[{\"a\":1},{\"a\":2}]",
        "[{\"a\":\"\\ud83d\\ude00\"},{\"a\":\"x\"}]",
        "[{\"\u{e9}\":1,\"e\":2}]",
    ] {
        assert_eq!(import(text).0, 0, "{text}");
    }
    // A composed and a decomposed letter are two names with two identities, and whoever reads is told.
    let (code, answer) = import("[{\"\u{e9}\":1,\"e\u{301}\":2}]");
    let report = &answer["report"];
    assert_eq!(
        (code, &report["columns"][0]["name"], &report["columns"][1]["name"]),
        (0, &json!("\u{e9}"), &json!("e\u{301}")),
        "{answer}"
    );
    assert_eq!(report["notes"][0]["code"], "NEAR_NAMES", "{answer}");
    assert_ne!(fingerprint("[{\"\u{e9}\":1}]"), fingerprint("[{\"e\u{301}\":1}]"));
}

/// What is no number is text: no analysis counts it, and nothing takes it for a missing value.
#[test]
fn what_is_no_number_is_neither_a_number_nor_missing() {
    for odd in [
        "1e400",
        "-1e999",
        "9007199254740993",
        "123456789012345678901234567890",
    ] {
        let text = format!("[{{\"a\":{odd}}},{{\"a\":2}}]");
        let (code, answer) = import(&text);
        let column = &answer["report"]["columns"][0];
        assert_eq!(code, 0, "{answer}");
        assert_ne!(column["kind"], "NUMERIC", "{odd}: {column}");
        assert_eq!(
            (&column["nValues"], &column["nMissing"]),
            (&json!(2), &json!(0)),
            "{odd}: {column}"
        );
        let null = "[{\"a\":null},{\"a\":2}]";
        assert_ne!(fingerprint(&text), fingerprint(null), "{odd}");
    }
    for odd in ["Infinity", "-inf", "undefined"] {
        let folder = with_table("t.csv", format!("a,b\n{odd},1\n2,1\n"));
        let (code, answer) = program::json(folder.path(), &["import", "t.csv"]);
        let column = &answer["report"]["columns"][0];
        assert_eq!((code, &column["nMissing"]), (0, &json!(0)), "{odd}: {column}");
        assert_ne!(column["kind"], "NUMERIC", "{odd}: {column}");
    }
    let (_, answer) = import("[{\"a\":1},{\"a\":null},{\"b\":1}]");
    let column = &answer["report"]["columns"][0];
    assert_eq!(
        (&column["kind"], &column["nNull"], &column["nAbsent"]),
        (&json!("NUMERIC"), &json!(1), &json!(1)),
        "{column}"
    );
}

#[test]
fn different_values_have_different_identities_and_equal_ones_have_one() {
    let of = |cell: &str| fingerprint(&format!("[{{\"a\":{cell}}},{{\"a\":7}}]"));
    let texts = |cell: &str| fingerprint(&format!("[{{\"a\":\"{cell}\"}},{{\"a\":\"z\"}}]"));
    for (one, other) in [
        ("9007199254740992", "9007199254740993"),
        ("0.1", "0.10000000000000002"),
        ("1", "\"1\""),
        ("0", "null"),
    ] {
        assert_ne!(of(one), of(other), "{one} and {other}");
    }
    for (one, other) in [
        ("0", "-0"),
        ("0", "-0.0"),
        ("1", "1.0"),
        ("100", "1e2"),
        ("0.5", "5e-1"),
    ] {
        assert_eq!(of(one), of(other), "{one} and {other}");
    }
    // Composed, decomposed, with a mark that nobody sees, and in another script.
    for (one, other) in [("\u{e9}", "e\u{301}"), ("x", "x\u{200b}"), ("a", "\u{430}")] {
        assert_ne!(texts(one), texts(other), "{one} and {other}");
    }
    for (one, other) in [
        ("\u{e9}", "\\u00e9"),
        ("\u{1f600}", "\\ud83d\\ude00"),
        ("/", "\\/"),
    ] {
        assert_eq!(texts(one), texts(other), "{one} and {other}");
    }
    assert_eq!(
        fingerprint("[{\"a\":1,\"b\":2},{\"b\":4,\"a\":3}]"),
        fingerprint(" [ {\"a\":1, \"b\":2} ,\n{\"a\":3,\"b\":4} ] ")
    );
}

/// The canonical text of a table whose names sort differently by code point and by UTF-16 code unit, written out by hand.
#[test]
fn members_are_sorted_by_utf16_code_units() {
    let (private, supplementary) = ("\u{e000}", "\u{10000}");
    let canonical = format!(
        "{{\"columns\":[{{\"name\":\"{private}\",\"type\":\"NUMERIC\"}},{{\"name\":\"{supplementary}\",\"type\":\"NUMERIC\"}}],\
         \"name\":\"t\",\"rows\":[{{\"{supplementary}\":2,\"{private}\":1}},{{\"{supplementary}\":3,\"{private}\":5}}]}}"
    );
    let text =
        format!("[{{\"{private}\":1,\"{supplementary}\":2}},{{\"{private}\":5,\"{supplementary}\":3}}]");
    assert_eq!(fingerprint(&text), Digest::of(canonical.as_bytes()).hex());
}

/// A change of a member's text, and the rule that it breaks.
struct Edit {
    name: &'static str,
    member: &'static str,
    from: &'static str,
    to: String,
    says: String,
}

fn edits() -> Vec<Edit> {
    let edit = |name, member, from, to: &str, says: &dyn ToString| Edit {
        name,
        member,
        from,
        to: to.to_owned(),
        says: says.to_string(),
    };
    let (version, variant) = ("\"envelopeVersion\":1", "\"activeVariant\":\"desktop\"");
    let spelled = &"canonical";
    let deep = format!("\"activeVariant\":{}1{}", "[".repeat(200), "]".repeat(200));
    vec![
        edit("NaN", FORMA, version, "\"envelopeVersion\":NaN", &Rule::NonFinite),
        edit(
            "Infinity",
            FORMA,
            version,
            "\"envelopeVersion\":-Infinity",
            &Rule::NonFinite,
        ),
        edit(
            "a number past all doubles",
            FORMA,
            version,
            "\"envelopeVersion\":1e400",
            &Rule::NonFinite,
        ),
        edit(
            "an integer past 2^53",
            FORMA,
            version,
            "\"envelopeVersion\":9007199254740993",
            &Rule::UnsafeInteger,
        ),
        edit(
            "a member twice",
            FORMA,
            version,
            "\"envelopeVersion\":2,\"envelopeVersion\":1",
            &Rule::DuplicateMember,
        ),
        edit(
            "a member twice, once escaped",
            FORMA,
            variant,
            "\"activeVariant\":\"desktop\",\"\\u0061ctiveVariant\":\"stereo_headset\"",
            &Rule::DuplicateMember,
        ),
        edit(
            "a member nobody knows",
            FORMA,
            version,
            "\"envelopeVersion\":1,\"waiver\":true",
            &Rule::UnknownMember,
        ),
        edit(
            "half a surrogate pair",
            FORMA,
            variant,
            "\"activeVariant\":\"\\ud800\"",
            &Rule::LoneSurrogate,
        ),
        edit("nesting without end", FORMA, variant, &deep, &Rule::Depth),
        edit(
            "null for a number",
            FORMA,
            version,
            "\"envelopeVersion\":null",
            &"another shape",
        ),
        edit(
            "the same number spelled otherwise",
            FORMA,
            version,
            "\"envelopeVersion\":1 ",
            spelled,
        ),
        edit(
            "the same text spelled otherwise",
            FORMA,
            variant,
            "\"activeVariant\":\"d\\u0065sktop\"",
            spelled,
        ),
        edit("the same list with a space", COMMANDS, "[{", "[ {", spelled),
        edit(
            "minus zero",
            SESSION,
            "\"datasetVersion\":1",
            "\"datasetVersion\":-0",
            &"another shape",
        ),
        edit(
            "a number that rounds onto its neighbor",
            FORMA,
            "\"capHeight\":0.037",
            "\"capHeight\":9007199254740993",
            &Rule::UnsafeInteger,
        ),
        edit("a byte order mark", COMMANDS, "[{", "\u{feff}[{", &Rule::Bom),
    ]
}

/// Members whose text has another meaning to another reader, with every digest made true again.
#[test]
fn a_member_is_one_text_for_one_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let honest = Forge::of(package());
    put(folder.path(), "p.nemosyne", &honest.stamped());
    nemosyne(folder.path(), &["verify", "p.nemosyne"]).done();
    for edit in edits() {
        let mut forged = honest.clone();
        let text = String::from_utf8(forged.members[edit.member].clone()).expect("it is text");
        assert!(
            text.contains(edit.from),
            "{}: {} holds no {}",
            edit.name,
            edit.member,
            edit.from
        );
        let text = text.replacen(edit.from, &edit.to, 1);
        forged.members.insert(edit.member.to_owned(), text.into_bytes());
        put(folder.path(), "p.nemosyne", &forged.stamped());
        let (code, answer) = program::json(folder.path(), &["verify", "p.nemosyne"]);
        let intact = &answer["intact"];
        assert_eq!(
            (code, &intact["holds"]),
            (1, &json!(false)),
            "{}: {answer}",
            edit.name
        );
        assert_eq!(answer["executableNow"]["holds"], false, "{}: {answer}", edit.name);
        let refusal = &intact["refusal"];
        assert_eq!(
            refusal["code"],
            Code::InvalidInput.word(),
            "{}: {refusal}",
            edit.name
        );
        let told = refusal.to_string();
        for part in [edit.says.as_str(), edit.member] {
            assert!(told.contains(part), "{}: `{part}` is not said: {told}", edit.name);
        }
    }
}

/// The manifest answers for itself: it is the one member that no digest covers.
#[test]
fn the_manifest_is_one_text_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let stamped = Forge::of(package()).stamped();
    for (name, from, to) in [
        ("a member twice", "{\"", "{\"formatVersion\":4,\""),
        ("a member nobody knows", "{\"", "{\"aWaiver\":true,\""),
        (
            "the version as another number",
            "\"formatVersion\":4",
            "\"formatVersion\":4.0",
        ),
        ("a space", "{\"", "{ \""),
    ] {
        let mut forged = Forge::of(&stamped);
        let text = String::from_utf8(forged.members[MANIFEST].clone()).expect("it is text");
        assert!(text.contains(from), "{name}");
        let text = text.replacen(from, to, 1);
        forged.members.insert(MANIFEST.to_owned(), text.into_bytes());
        put(folder.path(), "p.nemosyne", &forged.bytes());
        let (code, answer) = program::json(folder.path(), &["verify", "p.nemosyne"]);
        assert_eq!(
            (code, &answer["intact"]["holds"]),
            (1, &json!(false)),
            "{name}: {answer}"
        );
    }
    put(folder.path(), "p.nemosyne", &Forge::of(&stamped).bytes());
    nemosyne(folder.path(), &["verify", "p.nemosyne"]).done();
}

/// The digests of the manifest are computed again: of each member, and of the whole.
#[test]
fn what_the_manifest_records_is_what_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let honest = Forge::of(package());
    let mut raw = honest.clone();
    let table = raw
        .members
        .get_mut("data/dataset.raw")
        .expect("the table is there");
    let digit = table
        .iter_mut()
        .find(|byte| **byte == b'1')
        .expect("it holds numbers");
    *digit = b'2';
    let whole = honest.stamped_with(|manifest| {
        let other = format!("sha256-canonical-investigation-v4:{}", "0".repeat(64));
        manifest["investigationDigest"] = Value::from(other);
    });
    for (name, bytes, says) in [
        ("a digit of the table", raw.bytes(), "data/dataset.raw"),
        (
            "the digest of the whole",
            whole,
            "sha256-canonical-investigation-v4",
        ),
    ] {
        put(folder.path(), "p.nemosyne", &bytes);
        let (code, answer) = program::json(folder.path(), &["verify", "p.nemosyne"]);
        assert_eq!(
            (code, &answer["intact"]["holds"]),
            (1, &json!(false)),
            "{name}: {answer}"
        );
        let told = answer["intact"]["refusal"].to_string();
        assert!(told.contains(says), "{name}: `{says}` is not said: {told}");
    }
    put(folder.path(), "p.nemosyne", &honest.bytes());
    nemosyne(folder.path(), &["verify", "p.nemosyne"]).done();
}

/// The main job with some of its arguments changed.
fn asked(change: &[(&'static str, &'static str)]) -> Value {
    let folder = with_penguins();
    let mut arguments = MAIN_JOB.to_vec();
    for (flag, value) in change {
        match arguments.iter().position(|known| known == flag) {
            Some(at) => arguments[at + 1] = value,
            None => arguments.extend([*flag, *value]),
        }
    }
    let (code, answer) = program::json(folder.path(), &arguments);
    assert_eq!(code, 0, "{change:?}: {answer}");
    answer
}

#[test]
fn what_only_the_decision_is_about_is_not_hashed_into_the_truth() {
    let plain = asked(&[]);
    for (change, differs) in [
        (&[("--out", "elsewhere.nemosyne")][..], None),
        (&[("--recipe", "scatter_volume")], None),
        (&[("--device", "pcvr")], Some("resultId")),
        (&[("--question", "What else?")], Some("contextId")),
        (&[("--purpose", "exploratory")], Some("contextId")),
    ] {
        let other = asked(change);
        assert_eq!(other["snapshotId"], plain["snapshotId"], "{change:?}");
        if let Some(member) = differs {
            assert_ne!(other[member], plain[member], "{change:?}");
        }
    }
    let table = String::from_utf8_lossy(harness::tables::PENGUINS).replacen("39.1", "39.2", 1);
    let folder = with_table("penguins.csv", table);
    let (_, changed) = program::json(folder.path(), &MAIN_JOB);
    assert_ne!(changed["snapshotId"], plain["snapshotId"], "a cell changed");
}
