//! Families of analyses, from the command line into a package and out again.
//!
//! Attacked: an analysis that is asked for and quietly left out; one that enters without receipts; a family, a column or a
//! setting that is guessed; a picture that lets people think it shows what it does not; a claim that calls itself
//! inference while an assumption is open; digits that a number does not have. Owner: the kernels for needs and numbers, the
//! evidence owner for profiles, the inquiry for the order. Required: each is in the coverage, the bundle and the package
//! with content and values, and survives verify, replay, inspect, explain and recompute; what is missing is said in words.
//! Control: the same commands without the family, or with what was missing.

use serde_json::{Value, json};

use crate::program::{MAIN_JOB, json, nemosyne, with_penguins, with_table};

const CLUSTER: [&str; 6] = [
    "--family",
    "cluster",
    "--set",
    "cluster.method=kmeans",
    "--set",
    "cluster.k=3",
];

fn main_job(more: &[&str]) -> Vec<&'static str> {
    let more: Vec<&'static str> = more
        .iter()
        .map(|text| &*String::leak((*text).to_owned()))
        .collect();
    MAIN_JOB.into_iter().chain(more).collect()
}

fn families(answer: &Value) -> Vec<(&str, &str)> {
    let coverage = answer["coverage"].as_array().expect("a coverage");
    coverage
        .iter()
        .map(|one| {
            (
                one["family"].as_str().expect("a word"),
                one["status"].as_str().expect("a word"),
            )
        })
        .collect()
}

#[test]
fn a_family_that_is_named_enters_the_package_and_comes_out_again() {
    let folder = with_penguins();
    let here = folder.path();
    let (code, alone) = json(here, &MAIN_JOB);
    assert_eq!(code, 0, "{alone}");
    assert_eq!(
        families(&alone),
        [("rows", "AVAILABLE"), ("statistics", "AVAILABLE")]
    );
    assert_eq!(alone["notDrawn"], json!([]));
    let (code, answer) = json(here, &main_job(&CLUSTER));
    assert_eq!(code, 0, "{answer}");
    assert_eq!(
        families(&answer),
        [
            ("cluster", "AVAILABLE"),
            ("rows", "AVAILABLE"),
            ("statistics", "AVAILABLE")
        ]
    );
    let receipt = answer["notDrawn"][0]["receipts"][0]
        .as_str()
        .expect("a receipt")
        .to_owned();
    assert!(receipt.starts_with("cluster:kmeans:"), "{receipt}");
    assert_ne!(answer["planId"], alone["planId"]);

    let (code, verified) = json(here, &["verify", "penguins.nemosyne"]);
    assert_eq!(code, 0, "{verified}");
    for fact in ["intact", "complete", "replayable", "executableNow"] {
        assert_eq!(verified[fact]["holds"], true, "{fact}: {verified}");
    }
    let replayed = nemosyne(here, &["replay", "penguins.nemosyne"]).done();
    assert!(replayed.out.contains("EXACT_HISTORICAL"), "{}", replayed.out);
    let inspected = nemosyne(here, &["inspect", "penguins.nemosyne"]).done();
    assert!(inspected.out.contains(&receipt), "{}", inspected.out);
    let (code, again) = json(here, &["recompute", "penguins.nemosyne", "--receipt", &receipt]);
    assert_eq!((code, &again["equal"]), (0, &json!(true)), "{again}");
    let (code, explained) = json(here, &["explain", "penguins.nemosyne", "--source", "cluster"]);
    assert_eq!(code, 0, "{explained}");
    let source = &explained["sources"][0];
    assert_eq!(source["receipts"][0]["receipt"]["receiptId"], receipt.as_str());
    assert!(
        source["properties"].as_array().expect("properties").len() > 3,
        "{source}"
    );
    let drawn = nemosyne(here, &["explain", "penguins.nemosyne", "--row", "17"]).done();
    assert!(drawn.out.contains("flipper_length_mm"), "{}", drawn.out);
    // The picture itself says what it does not show; without the family it has nothing to say.
    let says = |name: &str| {
        let bytes = std::fs::read(here.join(name)).expect("a package");
        let forma = crate::forge::Forge::of(&bytes).json("investigation/forma.json");
        forma["plans"]
            .to_string()
            .contains("analyzed too and not drawn: cluster")
    };
    assert!(says("penguins.nemosyne"));
    nemosyne(here, &MAIN_JOB).done();
    assert!(!says("penguins.nemosyne"));
}

/// Each family on a table that meets its needs: in the coverage, whole in the package, and computed again alike.
#[test]
fn every_family_is_reached() {
    let graph = r#"{"nodes": [
        {"id": "p", "a": 1, "b": 2, "c": 3}, {"id": "q", "a": 2, "b": 4, "c": 1}, {"id": "r", "a": 3, "b": 1, "c": 5},
        {"id": "s", "a": 4, "b": 9, "c": 2}, {"id": "t", "a": 5, "b": 3, "c": 4}
      ], "links": [
        {"source": "p", "target": "q"}, {"source": "q", "target": "r"}, {"source": "r", "target": "p"},
        {"source": "s", "target": "t"}
      ]}"#;
    let mut series = "day,a,b,c\n".to_owned();
    for day in 1..=28_u32 {
        series.push_str(&format!(
            "2026-02-{day:02},{},{},{}\n",
            day % 5,
            3 * day + day % 4,
            day % 7
        ));
    }
    let penguins = String::from_utf8(harness::tables::PENGUINS.to_vec()).expect("text");
    let in_front = "flipper_length_mm,body_mass_g,bill_length_mm";
    let pair = "density.columns=flipper_length_mm,body_mass_g";
    for (family, file, table, foreground, set) in [
        ("cluster", "t.csv", penguins.as_str(), in_front, None),
        ("density", "t.csv", &penguins, in_front, Some(pair)),
        ("dependency", "t.csv", &penguins, in_front, None),
        ("distribution", "t.csv", &penguins, in_front, None),
        ("graph", "t.json", graph, "a,b,c", None),
        ("projection", "t.csv", &penguins, in_front, None),
        (
            "temporal",
            "t.csv",
            &series,
            "a,b,c",
            Some("temporal.columns=day,b"),
        ),
    ] {
        let folder = with_table(file, table);
        let mut arguments = vec![
            "admit",
            file,
            "--question",
            "Which?",
            "--purpose",
            "claim-bearing",
        ];
        arguments.extend([
            "--foreground",
            foreground,
            "--out",
            "t.nemosyne",
            "--family",
            family,
        ]);
        arguments.extend(set.iter().flat_map(|set| ["--set", set]));
        let (code, answer) = json(folder.path(), &arguments);
        assert_eq!(code, 0, "{family}: {answer}");
        assert!(families(&answer).contains(&(family, "AVAILABLE")), "{answer}");
        let receipts = answer["notDrawn"][0]["receipts"].as_array().expect("receipts");
        assert!(!receipts.is_empty(), "{family}");
        let (code, again) = json(folder.path(), &["recompute", "t.nemosyne"]);
        assert_eq!((code, &again["equal"]), (0, &json!(true)), "{family}: {again}");
        let (code, verified) = json(folder.path(), &["verify", "t.nemosyne"]);
        assert_eq!(
            (code, &verified["replayable"]["holds"]),
            (0, &json!(true)),
            "{family}: {verified}"
        );
        let told = nemosyne(folder.path(), &["explain", "t.nemosyne", "--source", family]).done();
        assert!(
            told.out.contains("says ") && told.out.contains("as inference"),
            "{}",
            told.out
        );
    }
}

#[test]
fn columns_are_those_in_front_until_others_are_named() {
    let folder = with_penguins();
    let columns = |more: &[&str]| {
        let arguments: Vec<&str> = main_job(&CLUSTER)
            .into_iter()
            .chain(more.iter().copied())
            .collect();
        let (code, answer) = json(folder.path(), &arguments);
        assert_eq!(code, 0, "{answer}");
        let receipt = answer["notDrawn"][0]["receipts"][0].as_str().expect("a receipt");
        receipt.trim_start_matches("cluster:kmeans:").to_owned()
    };
    assert_eq!(columns(&[]), "bill_length_mm,flipper_length_mm,body_mass_g");
    assert_eq!(
        columns(&["--set", "cluster.columns=bill_depth_mm,body_mass_g"]),
        "bill_depth_mm,body_mass_g"
    );
}

#[test]
fn a_family_that_can_not_be_had_says_what_is_missing() {
    let folder = with_penguins();
    let refused = |more: &[&str]| {
        let (code, answer) = json(folder.path(), &main_job(more));
        assert_eq!(code, 1, "{answer}");
        let refusal = &answer["refusal"];
        let text = |member: &str| refusal[member].as_str().unwrap_or_default().to_owned();
        (
            format!("{}/{}", text("code"), text("reason")),
            format!("{} {}", refusal["cause"]["text"], refusal["retryCondition"]),
        )
    };
    let unsupported = "SEMANTICS_UNSUPPORTED/";
    let (code, said) = refused(&["--family", "clusters"]);
    assert_eq!(code, format!("{unsupported}FAMILY_UNSUPPORTED"));
    assert!(said.contains("cluster, density"), "{said}");
    let (code, said) = refused(&[
        "--family",
        "cluster",
        "--set",
        "cluster.columns=species,body_mass_g",
    ]);
    assert_eq!(code, format!("{unsupported}MEASUREMENT_UNSUPPORTED"));
    assert!(said.contains("`species`"), "{said}");
    for (arguments, says) in [
        (&["--family", "cluster,cluster"][..], "named twice"),
        (
            &["--family", "cluster", "--set", "density.bins=3"],
            "neither --family nor --draw names",
        ),
        (&["--family", "cluster", "--set", "k=3"], "FAMILY.NAME=VALUE"),
        (&["--family", "cluster", "--set", "cluster.colour=red"], "cluster"),
    ] {
        let (code, said) = refused(arguments);
        assert!(code.starts_with("INVALID_INPUT/"), "{code}");
        assert!(said.contains(says), "{said}");
    }
    let (code, answer) = json(folder.path(), &main_job(&CLUSTER));
    assert_eq!(code, 0, "{answer}");
}

/// A family is no column: what it found is put in front by drawing it, and nothing else is drawn in its name.
#[test]
fn a_foreground_of_findings_is_refused_in_words() {
    let folder = with_penguins();
    let ask = |foreground: &str| {
        let mut arguments = MAIN_JOB;
        arguments[5] = &*String::leak(foreground.to_owned());
        json(folder.path(), &arguments)
    };
    for foreground in [
        "cluster,body_mass_g,bill_length_mm",
        "flipper_length_mm,density:a,bill_length_mm",
    ] {
        let (code, answer) = ask(foreground);
        assert_eq!(code, 1, "{answer}");
        assert_eq!(answer["refusal"]["code"], "SEMANTICS_UNSUPPORTED");
        assert_eq!(answer["refusal"]["reason"], "FAMILY_UNSUPPORTED");
        let text = answer["refusal"].to_string();
        assert!(
            text.contains("no column of the table") && text.contains("--draw"),
            "{text}"
        );
    }
    assert_eq!(ask(MAIN_JOB[5]).0, 0);
    // A column that happens to be called so is a column.
    let table = with_table("penguins.csv", "cluster,b,c\n1,2,3\n2,4,1\n3,1,5\n4,9,2\n");
    let mut arguments = MAIN_JOB;
    arguments[5] = "cluster,b,c";
    let (code, answer) = json(table.path(), &arguments);
    assert_eq!(code, 0, "{answer}");
}

/// A package holds the analyses that it holds; a further one is made from the table, or looked at without a picture.
#[test]
fn a_package_is_not_asked_for_another_analysis() {
    let folder = with_penguins();
    nemosyne(folder.path(), &MAIN_JOB).done();
    let (code, answer) = json(
        folder.path(),
        &[
            "admit",
            "penguins.nemosyne",
            "--question",
            "Which?",
            "--family",
            "cluster",
        ],
    );
    assert_eq!(code, 1, "{answer}");
    assert_eq!(answer["refusal"]["code"], "CONTEXT_INCOMPATIBLE");
    let (code, answer) = json(
        folder.path(),
        &["admit", "penguins.nemosyne", "--question", "Which?"],
    );
    assert_eq!(code, 0, "{answer}");
    let analyze = [
        "analyze",
        "penguins.nemosyne",
        "--family",
        "statistics",
        "--columns",
        "body_mass_g",
    ];
    let (code, from_package) = json(folder.path(), &analyze);
    assert_eq!(code, 0, "{from_package}");
    let mut table = analyze;
    table[1] = "penguins.csv";
    let (code, from_table) = json(folder.path(), &table);
    assert_eq!(code, 0);
    assert_eq!(from_package["contentDigest"], from_table["contentDigest"]);
}

#[test]
fn people_are_told_the_digits_that_a_number_has_and_scripts_all() {
    let folder = with_penguins();
    let analyze = [
        "analyze",
        "penguins.csv",
        "--family",
        "statistics",
        "--columns",
        "body_mass_g",
    ];
    let ran = nemosyne(folder.path(), &analyze).done();
    for says in [
        "mean               4202 g",
        "4116 to 4287 g",
        "standard error 43",
        "342 of 344 rows",
    ] {
        assert!(ran.out.contains(says), "{says}: {}", ran.out);
    }
    assert!(!ran.out.contains("4201.75"), "{}", ran.out);
    let (_, answer) = json(folder.path(), &analyze);
    let mean = answer["content"]["columns"][0]["mean"].as_f64().expect("a mean");
    assert!((mean - 4_201.754_385_964_912).abs() < 1e-9, "{mean}");
}

#[test]
fn an_inferential_claim_needs_its_assumptions() {
    let folder = with_penguins();
    let required = |profile: &str, more: &[&str]| {
        let mut arguments = vec![
            "analyze",
            "penguins.csv",
            "--family",
            "statistics",
            "--columns",
            "body_mass_g",
            "--require",
            profile,
        ];
        arguments.extend(more);
        json(folder.path(), &arguments)
    };
    let require = |profile: &str| required(profile, &[]);
    let (code, open) = require("inferential-claim/v1");
    assert_eq!(code, 1, "{open}");
    assert_eq!(open["refusal"]["code"], "CLAIM_NOT_ADMISSIBLE");
    assert_eq!(open["refusal"]["reason"], "ASSUMPTION_UNMET");
    assert!(
        open["refusal"]["retryCondition"]
            .to_string()
            .contains("--observations iid"),
        "{open}"
    );
    let standing = &open["receipts"][0]["inferentialClaim"];
    assert_eq!(standing["satisfied"], false);
    let (code, summary) = require("forma-descriptive-summary/v1");
    assert_eq!(code, 0, "{summary}");
    let (code, unknown) = require("inferential-claim/v9");
    assert_eq!(code, 1);
    assert_eq!(unknown["refusal"]["reason"], "AMBIGUOUS_REFERENCE");

    // What the refusal asks for, stated: the same receipt satisfies the profile. Declared dependence leaves no interval.
    let measured = ["--declare", "body_mass_g:ratio:g"];
    let iid = [&measured[..], &["--observations", "iid"]].concat();
    let (code, satisfied) = required("inferential-claim/v1", &iid);
    assert_eq!(code, 0, "{satisfied}");
    assert_eq!(satisfied["receipts"][0]["inferentialClaim"]["satisfied"], true);
    let (code, _) = required("inferential-claim/v1", &measured);
    assert_eq!(code, 1);
    let (code, grouped) = required("inferential-claim/v1", &["--observations", "grouped"]);
    assert_eq!(code, 1, "{grouped}");
    assert_eq!(grouped["refusal"]["reason"], "REQUIRED_AXIS_MISSING");
    let question = main_job(&["--require", "inferential-claim/v1", "--observations", "iid"]);
    let (code, admitted) = json(folder.path(), &question);
    assert_eq!(code, 0, "{admitted}");

    let (code, refused) = json(folder.path(), &main_job(&["--require", "inferential-claim/v1"]));
    assert_eq!(code, 1, "{refused}");
    assert_eq!(refused["refusal"]["reason"], "ASSUMPTION_UNMET");
    let (code, admitted) = json(
        folder.path(),
        &main_job(&["--require", "forma-descriptive-summary/v1"]),
    );
    assert_eq!(code, 0, "{admitted}");
}
