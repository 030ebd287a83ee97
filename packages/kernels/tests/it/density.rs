//! Cells of two and three axes.

use dataset::{ColumnKind, Declaration, ImportOptions, ObservationStructure, Scale};
use kernels::wire::v1::{Content, DensityContent};
use kernels::{Analysis, Filled, analyze};
use proptest::prelude::*;
use refusal::Reason;

use crate::{codes, family_answer, names, on_any_threads, penguins, table, table_with};

const WORD: &str = "density";

fn content(analysis: &Analysis) -> &DensityContent {
    match analysis.content() {
        Content::Density(content) => content,
        content => panic!("not a density: {content:?}"),
    }
}

fn of_xy(csv: &str, settings: &[(&str, &str)]) -> Analysis {
    family_answer(&table(csv), WORD, &["x", "y"], settings)
}

#[test]
fn cells_hold_their_rows() {
    let analysis = of_xy("x,y\n0.5,0.5\n0.6,0.6\n1.5,0.5\n2.5,2.5\n", &[("bins", "2")]);
    let found = content(&analysis);
    let edges: Vec<f64> = found.axes[0].edges.iter().map(|edge| edge.get()).collect();
    assert_eq!(edges, [0.5, 1.5, 2.5]);
    let leaf = analysis.leaf().unwrap();
    let keys: Vec<String> = (0..leaf.n_rows()).map(|row_idx| leaf.row_key(row_idx)).collect();
    assert_eq!(keys, ["cell:0,0", "cell:1,0", "cell:1,1"]);
    assert_eq!(leaf.number("count").unwrap(), [2.0, 1.0, 1.0]);
    assert_eq!(leaf.number("center:x").unwrap(), [1.0, 2.0, 2.0]);
    // Half of the rows on a cell of 1 × 1.
    assert_eq!(leaf.number("density").unwrap()[0], 0.5);
    let (lower, upper) = (
        leaf.number("shareLower").unwrap(),
        leaf.number("shareUpper").unwrap(),
    );
    assert!(lower[0] > 0.0 && lower[0] < 0.5 && upper[0] > 0.5 && upper[0] < 1.0);
    assert_eq!(found.fullest_cell, "cell:0,0");
    assert_eq!(found.occupied_cells.get(), 3);
    let marginal: Vec<i64> = found.axes[1].counts.iter().map(|n| n.get()).collect();
    assert_eq!(marginal, [3, 1]);
    assert_eq!(found.leaf, leaf.digest());
}

#[test]
fn penguins_fill_cells_of_three_axes() {
    let columns = ["bill_length_mm", "bill_depth_mm", "body_mass_g"];
    let analysis = family_answer(&penguins(), WORD, &columns, &[]);
    let found = content(&analysis);
    assert_eq!((found.total_rows.get(), found.rows_used.get()), (344, 342));
    assert_eq!(found.excluded[0].row_count.get(), 2);
    let leaf = analysis.leaf().unwrap();
    assert_eq!(leaf.number("count").unwrap().iter().sum::<f64>(), 342.0);
    for axis in &found.axes {
        assert_eq!(axis.counts.iter().map(|n| n.get()).sum::<i64>(), 342);
        assert_eq!(axis.rule, "scott");
    }
    let receipt = &analysis.receipts()[0];
    assert_eq!(
        receipt.receipt_id,
        "density:bill_length_mm,bill_depth_mm,body_mass_g"
    );
    assert_eq!(receipt.sensitivity.len(), 1);
    assert_eq!(receipt.sensitivity[0].tested_values.len(), 2);
    assert_eq!(receipt.uncertainty.as_ref().unwrap().method, "wilson-score");
    assert_eq!(
        codes(&analysis),
        [
            "BINNED_RESOLUTION",
            "INDEPENDENCE_UNTESTED",
            "MANY_COMPARISONS",
            "ROWS_EXCLUDED_MISSING",
            "UNIT_INFERRED"
        ]
    );
}

#[test]
fn an_excluded_row_stretches_no_axis() {
    let analysis = of_xy("x,y\n1.5,2.5\n2.5,3.5\n,9999999\n3.5,1.5\n", &[]);
    let found = content(&analysis);
    let last = |idx: usize| found.axes[idx].edges.last().unwrap().get();
    assert_eq!((last(0), last(1)), (3.5, 3.5));
    assert_eq!((found.rows_used.get(), found.excluded[0].row_count.get()), (3, 1));
    assert_eq!(found.excluded[0].columns, ["x"]);
    // With a value beside it, the same number does.
    let analysis = of_xy("x,y\n1.5,2.5\n2.5,3.5\n1.5,9999999\n3.5,1.5\n", &[]);
    assert_eq!(
        content(&analysis).axes[1].edges.last().unwrap().get(),
        9_999_999.0
    );
}

#[test]
fn the_fullest_cell_may_move_with_the_bins() {
    let changed =
        |csv: &str, bins: &str| of_xy(csv, &[("bins", bins)]).receipts()[0].sensitivity[0].materially_changed;
    let tight = "x,y\n0.1,0.1\n0.11,0.12\n0.12,0.1\n9.5,9.5\n5.5,5.5\n";
    assert!(!changed(tight, "4"));
    // Two bins: four spread rows on the left against three that lie close on the right; four bins: the close ones win.
    let split = "x,y\n0.1,0.5\n1.2,0.5\n2.6,0.5\n2.7,0.5\n9.1,0.5\n9.2,0.5\n9.3,0.5\n10.0,7.5\n";
    assert!(changed(split, "2"));
}

#[test]
fn what_a_density_cannot_take_is_refused() {
    let csv = "x,y,z,w,g\n1,2,3,4,a\n2,3,4,5,b\n3,1,2,3,a\n";
    let dataset = table(csv);
    let ask = |columns: &[&str], settings: &[(&str, &str)]| {
        let request = kernels::request(WORD, names(columns), settings)?;
        analyze(&dataset, &request)
    };
    assert!(ask(&["x"], &[]).is_err() && ask(&["x", "y", "z", "w"], &[]).is_err());
    assert!(ask(&["x", "y"], &[]).is_ok() && ask(&["x", "y", "z"], &[]).is_ok());
    let error = ask(&["x", "g"], &[]).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::MeasurementUnsupported);
    assert!(ask(&["x", "y"], &[("bins", "2,3,4")]).is_err());
    assert!(ask(&["x", "y"], &[("bins", "2,3")]).is_ok());
    assert!(ask(&["x", "y"], &[("bins", "1025")]).is_err());
    assert!(ask(&["x", "y"], &[("bins", "1024")]).is_ok());
    assert!(ask(&["x", "y", "z"], &[("bins", "101")]).is_err());
    assert!(ask(&["x", "y"], &[("level", "0")]).is_err());
    let options = ImportOptions::named("t").declare(Declaration::of("x").scale(Scale::Nominal));
    let request = kernels::request(WORD, names(&["x", "y"]), &[]).unwrap();
    let error = analyze(&table_with(csv, &options), &request).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::MeasurementUnsupported);
    let error = analyze(&table("x,y\n1,\n,2\n3,\n4,\n"), &request).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::ClaimInvalid);
}

#[test]
fn dependent_rows_get_counts_and_no_intervals() {
    let declaration = Declaration {
        observation_structure: Some(ObservationStructure::Spatial),
        ..Declaration::of("x")
    };
    let dataset = table_with("x,y\n1,2\n2,3\n", &ImportOptions::named("t").declare(declaration));
    let analysis = family_answer(&dataset, WORD, &["x", "y"], &[]);
    assert_eq!(analysis.leaf().unwrap().number("shareLower"), None);
    assert!(analysis.receipts()[0].uncertainty.is_none());
    let intervals = |analysis: &Analysis| {
        let mut outputs = analysis.outputs().iter();
        outputs
            .find(|output| output.slot.path == "shareIntervals")
            .unwrap()
            .filled
            .clone()
    };
    assert!(matches!(intervals(&analysis), Filled::Absent(_)));
    let free = of_xy("x,y\n1,2\n2,3\n", &[]);
    assert_eq!(intervals(&free), Filled::InLeaf);
    assert!(free.leaf().unwrap().number("shareLower").is_some());
}

#[test]
fn extremes_do_not_panic() {
    for csv in [
        "x,y\n1.7e308,5e-324\n-1.7e308,1e-323\n0,0\n",
        "x,y\n1,1\n1,1\n",
        "x,y\n0.1,0.1\n",
        "x,y\n1e300,1e300\n1.1e300,-1e300\n",
    ] {
        let analysis = of_xy(csv, &[]);
        let total: f64 = analysis.leaf().unwrap().number("count").unwrap().iter().sum();
        assert_eq!(total as i64, content(&analysis).rows_used.get());
    }
    assert!(codes(&of_xy("x,y\n5e-324,5e-324\n1e-323,1e-323\n", &[])).contains(&"OUT_OF_RANGE"));
}

#[test]
fn threads_do_not_show() {
    let csv: String = (0..5000_u64)
        .map(|x| format!("{},{}.5\n", x * 7919 % 1009, x * x % 8191))
        .collect();
    let dataset = table(&format!("x,y\n{csv}"));
    on_any_threads(
        &dataset,
        &kernels::request(WORD, names(&["x", "y"]), &[]).unwrap(),
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_rows_does_not_show(
        cells in prop::collection::vec((0_usize..6, -9_i32..9, -9_i32..9), 3..40),
        turn in 1_usize..1000,
    ) {
        let line = |(kind, x, y): &(usize, i32, i32)| match kind {
            0 => format!(",{y}.5"),
            1 => format!("{x}.25,"),
            _ => format!("{x}.25,{y}"),
        };
        let lines: Vec<String> = cells.iter().map(line).collect();
        prop_assume!(cells.iter().any(|(kind, ..)| *kind > 1));
        let mut moved = lines.clone();
        let n = moved.len();
        for idx in 0..n {
            moved.swap(idx, (idx * 7 + turn) % n);
        }
        let options = || {
            let numeric = |name: &str| Declaration::of(name).kind(ColumnKind::Numeric);
            ImportOptions::named("t").declare(numeric("x")).declare(numeric("y"))
        };
        let of = |lines: &[String]| {
            let dataset = table_with(&format!("x,y\n{}\n", lines.join("\n")), &options());
            family_answer(&dataset, WORD, &["x", "y"], &[])
        };
        let (a, b) = (of(&lines), of(&moved));
        prop_assert_eq!(a.content_bytes(), b.content_bytes());
        prop_assert_eq!(a.leaf_bytes(), b.leaf_bytes());
        prop_assert_eq!(&a.receipts()[0].sensitivity, &b.receipts()[0].sensitivity);
    }
}
