//! Dirt that must come out right in the picture.
//!
//! Attacked: a row that is left out and stretches an axis all the same; a zero that a logarithm takes in; values a millimeter
//! apart, or a millisecond, that fall onto one place because they are far from zero. Owner: the row projection for what
//! enters, the transform for its domain, the plan for places. Required: what is left out is counted and shown and moves no
//! axis; a zero on a logarithm refuses; neighbors stay apart in the precision of a display, and how far a mark may lie from
//! its value is told in the value's unit. Control: the same table with the row whole, with a linear axis, near zero.

use kernels::leaf::{Columns, LeafLimits};
use package::Limits;
use plan::element::Points;
use plan::wire::v1::ElementKind;

use crate::program::{json, nemosyne, with_table};
use crate::proposal;

const ASKING: [&str; 7] = [
    "table.csv",
    "--question",
    "Where?",
    "--foreground",
    "a,b,c",
    "--purpose",
    "claim-bearing",
];

fn admit(more: &[&'static str]) -> Vec<&'static str> {
    ["admit"]
        .into_iter()
        .chain(ASKING)
        .chain(more.iter().copied())
        .collect()
}

/// The ends of an axis, as the decision context states them.
fn ends(folder: &std::path::Path, variable: &str) -> (f64, f64) {
    let context = proposal::context(folder, &ASKING);
    let axes = context["foreground"].as_array().expect("axes");
    let axis = axes
        .iter()
        .find(|axis| axis["variable"] == variable)
        .expect("the axis");
    let end = |at: usize| axis["values"][at].as_f64().expect("a number");
    (end(0), end(1))
}

#[test]
fn a_row_that_is_left_out_stretches_no_axis_and_is_counted() {
    let table = |first: &str| format!("a,b,c\n{first},9999999,5\n1.5,2,3\n2.5,4,1\n3.5,1,5\n4.5,9,2\n");
    let folder = with_table("table.csv", table(""));
    assert_eq!(ends(folder.path(), "b"), (1.0, 9.0));
    let ran = nemosyne(folder.path(), &admit(&["--out", "one.nemosyne"])).done();
    assert!(ran.out.contains("ROWS_EXCLUDED_MISSING"), "{}", ran.out);
    let bytes = std::fs::read(folder.path().join("one.nemosyne")).expect("a package");
    let plans = crate::forge::Forge::of(&bytes).json("investigation/forma.json")["plans"].to_string();
    assert!(
        plans.contains("4 of 5 rows") && plans.contains("1 row"),
        "{plans}"
    );
    // Whole, the same row is drawn, and its axis reaches it.
    let whole = with_table("table.csv", table("0.5"));
    assert_eq!(ends(whole.path(), "b"), (1.0, 9_999_999.0));
}

#[test]
fn a_zero_on_a_logarithm_is_refused() {
    let submit = |zero: &str| {
        let folder = with_table(
            "table.csv",
            format!("a,b,c\n{zero},2,3\n1,4,1\n10,1,5\n100,9,2\n"),
        );
        let context = proposal::context(folder.path(), &ASKING);
        let pin = context["transforms"]
            .as_array()
            .expect("transforms")
            .iter()
            .find(|transform| transform["pinned"]["id"] == "log10" || transform["id"] == "log10")
            .expect("the logarithm");
        let pin = pin.get("pinned").unwrap_or(pin).clone();
        let mut graph = proposal::recipe_graph(folder.path(), &ASKING);
        for binding in graph["bindings"].as_array_mut().expect("bindings") {
            let record = &mut binding["record"];
            if record["channel"] == "position_x" && record["primitiveId"] != "marks.wall_zy" {
                record["transform"] = pin.clone();
                record["domain"]["min"] = if zero == "0" { 0.0.into() } else { 0.1.into() };
            }
        }
        proposal::stamp(&mut graph);
        let told = proposal::submit(folder.path(), &ASKING, &graph, &[]);
        std::fs::write(folder.path().join("graph.json"), graph.to_string()).expect("room");
        (told, json(folder.path(), &["check-graph", "graph.json"]))
    };
    let ((code, answer), (checked, grammar)) = submit("0");
    assert_eq!(code, 1, "{answer}");
    let all = answer.to_string();
    assert!(
        all.contains("logarithm") || all.contains("OUTSIDE_DOMAIN"),
        "{all}"
    );
    assert_eq!(checked, 1, "{grammar}");
    // A tenth has a logarithm: the same graph keeps the grammar.
    let (_, (checked, grammar)) = submit("0.1");
    assert_eq!(checked, 0, "{grammar}");
}

/// Places of the marks in the volume, as a display holds them.
fn places(folder: &std::path::Path) -> Vec<[f32; 3]> {
    let opened = package::open(&folder.join("one.nemosyne"), &Limits::DEFAULT).expect("it opens");
    let rows = opened.rows().expect("it has rows");
    let leaf = opened.artifact(&rows, 1 << 20).expect("they are there");
    let leaf = Columns::from_bytes(&leaf, &LeafLimits::DEFAULT).expect("they are sound");
    let variant = &opened.plan().body().variants[0];
    let element = variant
        .backend
        .elements
        .iter()
        .find(|element| element.primitive == ElementKind::Points && element.id == "marks.volume")
        .expect("a volume");
    let points = Points::read(element).expect("it is sound");
    let place = |row_idx| {
        points
            .place(&leaf, row_idx)
            .expect("a place")
            .map(|meters| meters as f32)
    };
    (0..leaf.n_rows()).map(place).collect()
}

/// Northings in meters and epoch milliseconds: millions of their least step away from zero.
#[test]
fn neighbors_far_from_zero_stay_apart() {
    let table = |north: f64, epoch: f64| {
        let mut text = "a,b,c\n".to_owned();
        for step in 0..1001_u32 {
            let (north, epoch) = (north + f64::from(step) / 1000.0, epoch + f64::from(step));
            text.push_str(&format!("{north:.3},{epoch},{}\n", step % 7));
        }
        text
    };
    let mut apart = Vec::new();
    for (north, epoch) in [(0.0, 0.0), (5_412_345.0, 1_577_134_800_018.0)] {
        let folder = with_table("table.csv", table(north, epoch));
        nemosyne(folder.path(), &admit(&["--out", "one.nemosyne"])).done();
        let places = places(folder.path());
        assert_eq!(places.len(), 1001);
        for axis in [0, 1] {
            let gaps: Vec<f32> = places
                .windows(2)
                .map(|pair| (pair[1][axis] - pair[0][axis]).abs())
                .collect();
            let (least, most) = gaps.iter().fold((f32::MAX, 0.0_f32), |(least, most), gap| {
                (least.min(*gap), most.max(*gap))
            });
            assert!(least > 0.0, "two neighbors share a place on axis {axis}");
            // Even steps look even: a thousandth of the axis, to a ten-thousandth of itself.
            assert!((most - least) / most < 1e-3, "{least} to {most} on axis {axis}");
        }
        let (code, explained) = json(
            folder.path(),
            &["explain", "one.nemosyne", "--property", "marks.volume/position_x"],
        );
        assert_eq!(code, 0, "{explained}");
        let residual = explained["chains"][0]["largestResidual"]
            .as_f64()
            .expect("a residual");
        assert!(residual > 0.0 && residual < 1e-6, "{residual} m of a millimeter");
        apart.push(places[1000][0] - places[0][0]);
        let told = nemosyne(folder.path(), &["explain", "one.nemosyne", "--row", "17"]).done();
        assert!(told.out.contains("drawn      to within"), "{}", told.out);
    }
    assert!((apart[0] - apart[1]).abs() < 1e-4, "{apart:?}");
}
