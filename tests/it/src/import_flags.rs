//! How a table is read, stated at the command line.
//!
//! Attacked: a reading that nobody stated and nobody sees, a statement that is passed over, two verbs that read one table
//! in two ways, a machine's language that changes numbers. Owner: the importer; the program only passes on what is typed.
//! Required: what is detected is shown with the flag that says otherwise; what can't be detected is refused with the flag
//! that settles it, and that flag, typed as the refusal writes it, settles it; every verb that reads a table takes the
//! flags and gets the same dataset; a package takes none of them. Control: the same table read as it is.

use serde_json::Value;

use crate::program::{Ran, command, json, nemosyne, put, with_penguins, with_table};

const GERMAN: &str = "art;länge;masse;breite\nA;3,25;1.250,5;7\nB;0,5;2.000,25;8\nC;12;1.750,75;9\n";

/// The dataset's identity and the recipe's, as `import` prints them.
fn identities(folder: &std::path::Path, table: &str, flags: &[&str]) -> (Value, Value) {
    let mut all = vec!["import", table];
    all.extend(flags);
    let (code, answer) = json(folder, &all);
    assert_eq!(code, 0, "{answer}");
    (answer["dataset"].clone(), answer["recipe"].clone())
}

/// What a refusal says to do next.
fn next(ran: &Ran) -> &str {
    let mut lines = ran.err.lines();
    lines
        .find_map(|line| line.trim_start().strip_prefix("next     "))
        .unwrap_or_else(|| panic!("no next step: {ran:?}"))
}

#[test]
fn a_refusal_names_the_flag_that_settles_it() {
    for (table, says, flags, rows) in [
        (
            b"569,30,malignant,benign\n1.5,2.5\n3.5,4.5\n".as_slice(),
            "--skip-lines 1",
            &["--skip-lines", "1"][..],
            2,
        ),
        (b"1,2\n3,4\n5,6\n", "--header no", &["--header", "no"], 3),
        (b"1,2\n3,4\n5,6\n", "--header yes", &["--header", "yes"], 2),
        (
            b"name,x\ncaf\xe9,1\n",
            "--encoding windows-1252",
            &["--encoding", "windows-1252"],
            1,
        ),
        (
            br#"{"nodes": [{"id": "x"}], "links": [{"source": 0, "target": 0}], "directed": true}"#,
            "",
            &[],
            1,
        ),
        (
            br#"{"nodes": [{"id": "0"}], "links": [{"source": "0", "target": 7}], "directed": true}"#,
            "--ends COLUMN",
            &["--ends", "@position"],
            0,
        ),
    ] {
        let folder = with_table("table.txt", table);
        if !says.is_empty() {
            let refused = nemosyne(folder.path(), &["import", "table.txt"]).refused();
            assert!(next(&refused).contains(says), "{refused:?}");
        }
        let mut arguments = vec!["import", "table.txt"];
        arguments.extend(flags);
        if rows == 0 {
            nemosyne(folder.path(), &arguments).refused();
            continue;
        }
        let (code, answer) = json(folder.path(), &arguments);
        assert_eq!(
            (code, &answer["report"]["nRows"]),
            (0, &Value::from(rows)),
            "{answer}"
        );
    }
}

#[test]
fn every_verb_reads_a_table_alike() {
    let folder = with_table("t.csv", GERMAN);
    let flags = [
        "--thousands",
        ".",
        "--declare",
        "masse:ratio:kg",
        "--declare",
        "länge::cm",
        "--observations",
        "iid",
    ];
    let (dataset, recipe) = identities(folder.path(), "t.csv", &flags);
    assert_ne!(identities(folder.path(), "t.csv", &[]).0, dataset);

    let mut asked = vec![
        "context",
        "t.csv",
        "--question",
        "What goes with what?",
        "--foreground",
        "länge,masse,breite",
        "--purpose",
        "claim-bearing",
    ];
    asked.extend(flags);
    let (code, context) = json(folder.path(), &asked);
    assert_eq!(
        (code, &context["dataset"]["fingerprint"]),
        (0, &dataset),
        "{context}"
    );
    assert_eq!(context["foreground"][1]["unit"], "kg", "{context}");

    asked[0] = "admit";
    asked.extend(["--out", "t.nemosyne"]);
    nemosyne(folder.path(), &asked).done();
    nemosyne(folder.path(), &["verify", "t.nemosyne"]).done();
    nemosyne(folder.path(), &["replay", "t.nemosyne"]).done();
    let inspected = nemosyne(folder.path(), &["inspect", "t.nemosyne", "--json"]).done();
    let digits = dataset.as_str().expect("a text");
    assert!(inspected.out.contains(digits), "{}", inspected.out);
    assert!(
        recipe
            .as_str()
            .is_some_and(|recipe| recipe.starts_with("import-recipe-v1:"))
    );

    // How the table of a package is read was settled when it was admitted.
    for flag in [
        ["--thousands", ","],
        ["--declare", "masse:count"],
        ["--key", "art"],
        ["--skip-lines", "0"],
    ] {
        let mut again = vec!["admit", "t.nemosyne"];
        again.extend(flag);
        let refused = nemosyne(folder.path(), &again).refused();
        assert!(next(&refused).contains(flag[0]), "{refused:?}");
    }
}

#[test]
fn the_language_of_the_machine_does_not_matter() {
    let folder = with_table("t.csv", GERMAN);
    let mut said = Vec::new();
    for language in ["C", "de_DE.UTF-8", "en_US.UTF-8", "ar_EG.UTF-8"] {
        let output = command(folder.path())
            .args(["import", "t.csv", "--json"])
            .env("LC_ALL", language)
            .env("LANG", language)
            .output()
            .expect("the program was built");
        assert!(output.status.success());
        said.push(output.stdout);
    }
    assert!(said.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn what_is_detected_is_shown_with_its_flag() {
    let folder = with_table("t.csv", GERMAN);
    let report = nemosyne(folder.path(), &["import", "t.csv"]).done().out;
    for (what, flag) in [
        ("semicolon, detected", "--delimiter"),
        ("UTF-8, detected", "--encoding"),
        ("line 1, detected", "--header yes|no"),
        ("decimal comma, detected", "--decimal-mark"),
        ("row:1 to row:3", "--key"),
        ("in no cell", "--missing"),
        ("masse: 3 texts, such as `1.250,5`", "`--thousands .` reads them"),
    ] {
        let line = report.lines().find(|line| line.contains(what));
        assert!(line.is_some_and(|line| line.contains(flag)), "{what}\n{report}");
    }
    let stated = nemosyne(
        folder.path(),
        &[
            "import",
            "t.csv",
            "--delimiter",
            "semicolon",
            "--decimal-mark",
            ",",
        ],
    );
    let stated = stated.done().out;
    assert!(
        stated.contains("semicolon, stated") && stated.contains("decimal comma, stated"),
        "{stated}"
    );
}

#[test]
fn declarations_are_typed_as_the_report_writes_them() {
    let folder = with_table(
        "t.csv",
        "a:b,code,x\n1.5,1,9\n2.5,2,-999\n3.5,1,7\n4.5,2,8\n5.5,1,6\n6.5,2,5\n7.5,1,4\n8.5,2,3\n",
    );
    let (code, answer) = json(
        folder.path(),
        &[
            "import",
            "t.csv",
            "--declare",
            "\"a:b\":ratio:mm",
            "--declare",
            "code:CATEGORICAL",
            "--declare",
            "code:ordinal",
            "--confirm",
            "code",
            "--missing",
            "-999",
            "--observations",
            "x:grouped",
        ],
    );
    assert_eq!(code, 0, "{answer}");
    let columns = &answer["report"]["columns"];
    assert_eq!(columns[0]["measurement"]["unit"]["text"], "mm");
    assert_eq!(
        (
            &columns[1]["kind"],
            &columns[1]["measurement"]["scale"],
            &columns[1]["measurement"]["status"]
        ),
        (&"CATEGORICAL".into(), &"ordinal".into(), &"confirmed".into())
    );
    assert_eq!(
        columns[2]["missingTokens"],
        serde_json::json!([{"token": "", "count": 0}, {"token": "-999", "count": 1}])
    );
    assert_eq!(columns[2]["measurement"]["observationStructure"], "grouped");
    // What can't be understood is misuse; what the table contradicts is refused.
    for (flags, status) in [
        (["--declare", "code"], 2),
        (["--declare", "code:categorical"], 2),
        (["--observations", "IID"], 2),
        (["--encoding", "ebcdic"], 2),
        (["--delimiter", "ab"], 2),
        (["--declare", "nothing:NUMERIC"], 1),
        (["--confirm", "code"], 1),
        (["--thousands", "x"], 1),
        (["--ends", "@position"], 1),
    ] {
        let ran = nemosyne(folder.path(), &["import", "t.csv", flags[0], flags[1]]);
        assert_eq!(ran.code, status, "{flags:?}: {ran:?}");
    }
}

/// gzip without compression: one stored block (RFC 1951, 1952).
fn packed(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).expect("one block holds it");
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    let mut packed = b"\x1f\x8b\x08\0\0\0\0\0\0\xff\x01".to_vec();
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(bytes);
    packed.extend((!crc).to_le_bytes());
    packed.extend(u32::from(length).to_le_bytes());
    packed
}

#[test]
fn a_packed_table_is_the_table() {
    let folder = with_penguins();
    put(
        folder.path(),
        "penguins.csv.gz",
        &packed(harness::tables::PENGUINS),
    );
    let (plain, recipe) = identities(folder.path(), "penguins.csv", &[]);
    let (unpacked, other) = identities(folder.path(), "penguins.csv.gz", &[]);
    assert_eq!(plain, unpacked);
    assert_ne!(recipe, other);
}
