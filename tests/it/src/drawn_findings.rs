//! What analyses found, drawn: each recipe on real tables, from the command line into a picture and out again.
//!
//! Attacked: a picture of findings that shows what nobody named, that lacks the caveats of its method, that draws
//! something else where a recipe does not fit, or whose marks lead nowhere. Owner: the recipes for what they propose,
//! Forma for what may be shown, the kernels for what a leaf's columns mean. Required: admitted with the named recipe first,
//! every row of the leaf a mark, verified and replayed to the same bytes, explained by the key of a mark; or refused with
//! a reason and a way out. Control: the same commands over columns that fit.

use std::path::Path;

use serde_json::Value;

use crate::program::{json, nemosyne, with_penguins, with_table};

fn admit(here: &Path, table: &str, more: &[&str]) -> (i32, Value) {
    let mut arguments = vec![
        "admit",
        table,
        "--question",
        "What does it look like?",
        "--purpose",
        "claim-bearing",
        "--use",
        "production",
        "--out",
        "found.nemosyne",
    ];
    arguments.extend(more);
    json(here, &arguments)
}

fn first(answer: &Value) -> &str {
    answer["candidates"][0]["proposer"].as_str().unwrap_or_default()
}

const PENGUINS: [(&str, &[&str]); 5] = [
    (
        "histogram_wall",
        &["--draw", "distribution", "--foreground", "bill_length_mm"],
    ),
    (
        "bar_field",
        &["--draw", "distribution", "--foreground", "species"],
    ),
    (
        "density_terrain",
        &["--draw", "density", "--foreground", "bill_length_mm,body_mass_g"],
    ),
    (
        "cluster_islands",
        &[
            "--draw",
            "cluster",
            "--foreground",
            "bill_length_mm,bill_depth_mm",
        ],
    ),
    (
        "interval_field",
        &[
            "--draw",
            "dependency",
            "--foreground",
            "body_mass_g",
            "--group",
            "species",
        ],
    ),
];

/// Marks by their keys.
const KEYS: [(&str, &str); 4] = [
    ("histogram_wall", "bin:bill_length_mm,0"),
    ("bar_field", "level:species,Gentoo"),
    ("cluster_islands", "row:1"),
    ("interval_field", "groupMean:body_mass_g,species,Gentoo"),
];

#[test]
fn what_is_found_in_the_penguins_is_drawn_verified_and_replayed() {
    let folder = with_penguins();
    let here = folder.path();
    for (recipe, question) in PENGUINS {
        let (code, answer) = admit(here, "penguins.csv", question);
        assert_eq!(code, 0, "{recipe}: {answer}");
        assert_eq!(first(&answer), recipe, "{answer}");
        assert_eq!(answer["notDrawn"], serde_json::json!([]), "{recipe}");
        nemosyne(here, &["verify", "found.nemosyne"]).done();
        for key in KEYS.iter().filter(|(of, _)| *of == recipe).map(|(_, key)| *key) {
            let (code, told) = json(here, &["explain", "found.nemosyne", "--row", key]);
            assert_eq!(code, 0, "{recipe} {key}: {told}");
        }
        let (code, _) = json(here, &["explain", "found.nemosyne", "--row", "nobody"]);
        assert_eq!(code, 1, "{recipe}");
        nemosyne(here, &["replay", "found.nemosyne"]).done();
    }
}

#[test]
fn correlations_are_drawn_pair_by_pair() {
    let folder = with_penguins();
    let question = [
        "--draw",
        "dependency",
        "--foreground",
        "bill_length_mm,bill_depth_mm,flipper_length_mm",
    ];
    let (code, answer) = admit(folder.path(), "penguins.csv", &question);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(first(&answer), "correlation_plane");
}

#[test]
fn a_series_is_drawn_through_time() {
    let rows: String = (0..40)
        .map(|year| format!("{},{}\n", 1980 + year, (year * 7) % 11))
        .collect();
    let folder = with_table("flow.csv", &format!("year,flow\n{rows}"));
    let question = [
        "--draw",
        "temporal",
        "--foreground",
        "year,flow",
        "--set",
        "temporal.time=year",
        "--set",
        "temporal.unit=a",
    ];
    let (code, answer) = admit(folder.path(), "flow.csv", &question);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(first(&answer), "time_ribbon");
}

/// A recipe that does not fit says why and what to do; no other is drawn in its place.
#[test]
fn what_does_not_fit_is_refused_with_a_way_out() {
    let folder = with_penguins();
    let here = folder.path();
    let refused = |question: &[&str]| {
        let (code, answer) = admit(here, "penguins.csv", question);
        assert_eq!(code, 1, "{answer}");
        answer.to_string()
    };
    let said = refused(&[
        "--draw",
        "density",
        "--foreground",
        "bill_length_mm,bill_depth_mm,body_mass_g",
    ]);
    assert!(said.contains("cells of 3 columns stand in front"), "{said}");
    let said = refused(&["--draw", "statistics", "--foreground", "bill_length_mm"]);
    assert!(said.contains("statistics"), "{said}");
    let said = refused(&["--draw", "tea-leaves", "--foreground", "bill_length_mm"]);
    assert!(said.contains("tea-leaves"), "{said}");
    let said = refused(&["--draw", "graph", "--foreground", "bill_length_mm"]);
    assert!(said.contains("graph"), "{said}");
    let (code, answer) = admit(here, "penguins.csv", PENGUINS[2].1);
    assert_eq!(code, 0, "{answer}");
}
