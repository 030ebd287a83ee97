//! What a picture draws one mark a row of: each family's leaf says what its content says, by keys that name the mark.

use dataset::{Declaration, ImportOptions, ObservationStructure};
use kernels::leaf::{Columns, LeafLimits};
use kernels::wire::v1::Content;
use kernels::{Analysis, Filled, KernelError, analyze, request_about};

use crate::{answer, family_answer, names, penguins, table, table_with};

fn keys(leaf: &Columns) -> Vec<String> {
    (0..leaf.n_rows()).map(|row_idx| leaf.row_key(row_idx)).collect()
}

fn words<'a>(leaf: &'a Columns, column: &str) -> Vec<&'a str> {
    let (labels, codes) = leaf.categories(column).unwrap();
    codes.iter().map(|code| labels[*code as usize].as_str()).collect()
}

fn filled<'a>(analysis: &'a Analysis, producer: &str, path: &str) -> &'a Filled {
    let output = analysis
        .outputs()
        .iter()
        .find(|output| output.slot.producer == producer && output.slot.path == path);
    &output.unwrap().filled
}

/// Every leaf of an answer has its one form, and the content names it.
fn leaf_of(analysis: &Analysis) -> &Columns {
    for (leaf, bytes) in analysis.leaves_with_bytes() {
        assert_eq!(&Columns::from_bytes(bytes, &LeafLimits::DEFAULT).unwrap(), leaf);
    }
    let leaf = analysis.leaf().unwrap();
    assert_eq!(analysis.content().leaf(), Some(leaf.digest()));
    let further: Vec<_> = analysis.further_leaves().map(Columns::digest).collect();
    assert_eq!(analysis.content().further_leaves(), further);
    leaf
}

#[test]
fn a_cell_has_the_edges_of_its_axes() {
    let csv = "x,y\n0.5,0.5\n0.6,0.6\n1.5,0.5\n2.5,2.5\n";
    let analysis = family_answer(&table(csv), "density", &["x", "y"], &[("bins", "2")]);
    let leaf = leaf_of(&analysis);
    assert_eq!(leaf.number("x.lower").unwrap(), [0.5, 1.5, 1.5]);
    assert_eq!(leaf.number("x.upper").unwrap(), [1.5, 2.5, 2.5]);
    assert_eq!(leaf.number("y.lower").unwrap(), [0.5, 0.5, 1.5]);
    assert_eq!(leaf.number("y.upper").unwrap(), [1.5, 1.5, 2.5]);
    let three = family_answer(
        &penguins(),
        "density",
        &["bill_length_mm", "bill_depth_mm", "body_mass_g"],
        &[],
    );
    let leaf = leaf_of(&three);
    for axis in ["bill_length_mm", "bill_depth_mm", "body_mass_g"] {
        let of = |name: String| leaf.number(&name).unwrap();
        let (low, mid, high) = (
            of(format!("{axis}.lower")),
            of(format!("center:{axis}")),
            of(format!("{axis}.upper")),
        );
        assert!((0..leaf.n_rows()).all(|row| low[row] < mid[row] && mid[row] < high[row]));
    }
}

#[test]
fn two_columns_of_one_name_in_a_leaf_are_refused() {
    let ask = |csv: &str, second: &str| {
        let dataset = table(csv);
        let request = kernels::request("density", names(&["center:x", second]), &[]).unwrap();
        analyze(&dataset, &request)
    };
    let named = "center:x,x.lower\n1,2\n2,3\n";
    assert!(matches!(ask(named, "x.lower"), Err(KernelError::Leaf(_))));
    assert!(ask("center:x,z\n1,2\n2,3\n", "z").is_ok());
}

#[test]
fn a_bin_and_a_level_are_a_row_each() {
    let csv = "x,c\n1,a\n2,b\n2,\"b,\"\n3,b\n,a\n";
    let settings = [("parts", "histogram"), ("bins", "2")];
    let analysis = family_answer(&table(csv), "distribution", &["x", "c"], &settings);
    let leaf = leaf_of(&analysis);
    assert_eq!(
        keys(leaf),
        ["bin:x,0", "bin:x,1", "level:c,a", "level:c,b", "level:c,b\\,"]
    );
    assert_eq!(words(leaf, "variable"), ["x", "x", "c", "c", "c"]);
    assert_eq!(words(leaf, "kind"), ["bin", "bin", "level", "level", "level"]);
    assert_eq!(words(leaf, "level"), ["[1, 3)", "[3, 5]", "a", "b", "b,"]);
    assert_eq!(leaf.number("lower").unwrap(), [1.0, 3.0, 0.0, 1.0, 2.0]);
    assert_eq!(leaf.number("upper").unwrap(), [3.0, 5.0, 1.0, 2.0, 3.0]);
    assert_eq!(leaf.number("count").unwrap(), [3.0, 1.0, 2.0, 2.0, 1.0]);
    assert_eq!(leaf.number("share").unwrap(), [0.75, 0.25, 0.4, 0.4, 0.2]);
    let (low, high) = (
        leaf.number("shareLower").unwrap(),
        leaf.number("shareUpper").unwrap(),
    );
    // Wilson's formula for 1 of 4, by hand.
    assert!((low[1] - 0.045_587_260_8).abs() < 1e-9, "{}", low[1]);
    assert!((high[1] - 0.699_358_157_4).abs() < 1e-9, "{}", high[1]);
    assert_eq!(words(leaf, "interval"), ["given"; 5]);
    assert!(matches!(
        filled(&analysis, "column:x", "histogram"),
        Filled::InLeaf
    ));
    assert!(matches!(filled(&analysis, "column:c", "levels"), Filled::InLeaf));
    assert!(matches!(
        filled(&analysis, "column:x", "shareIntervals"),
        Filled::InLeaf
    ));
    assert_eq!(
        analysis.receipts()[0].uncertainty.as_ref().unwrap().method,
        "wilson-score"
    );

    let none = family_answer(
        &table(csv),
        "distribution",
        &["x"],
        &[("parts", "distributionFunction")],
    );
    assert_eq!(leaf_of(&none).n_rows(), 0, "no histogram was asked");
    assert!(matches!(
        filled(&none, "column:x", "shareIntervals"),
        Filled::Absent(_)
    ));
}

#[test]
fn rows_that_depend_on_each_other_have_shares_without_interval() {
    let csv = "x,c\n1,a\n2,b\n2,b\n3,b\n";
    let mut options = ImportOptions::named("table");
    for name in ["x", "c"] {
        let mut declared = Declaration::of(name);
        declared.observation_structure = Some(ObservationStructure::Spatial);
        options.declarations.push(declared);
    }
    let settings = [("parts", "histogram"), ("bins", "2")];
    let analysis = family_answer(&table_with(csv, &options), "distribution", &["x", "c"], &settings);
    let leaf = leaf_of(&analysis);
    assert_eq!(words(leaf, "interval"), ["none"; 4]);
    assert_eq!(leaf.number("shareLower"), leaf.number("share"));
    assert_eq!(leaf.number("shareUpper"), leaf.number("share"));
    assert!(matches!(
        filled(&analysis, "column:x", "shareIntervals"),
        Filled::Absent(_)
    ));
    assert!(analysis.receipts()[0].uncertainty.is_none());
}

#[test]
fn a_claim_with_an_estimate_is_a_row() {
    let dataset = penguins();
    let columns = names(&["bill_length_mm", "body_mass_g", "species"]);
    let kind = ("kind", "pearson,regression,anova");
    let request = request_about(&dataset, "dependency", columns, &[kind]).unwrap();
    let analysis = answer(&dataset, &request);
    let leaf = leaf_of(&analysis);
    assert_eq!(
        keys(leaf),
        [
            "pearson:bill_length_mm,body_mass_g",
            "slope:body_mass_g,bill_length_mm",
            "groupMean:bill_length_mm,species,Adelie",
            "groupMean:bill_length_mm,species,Chinstrap",
            "groupMean:bill_length_mm,species,Gentoo",
            "groupMean:body_mass_g,species,Adelie",
            "groupMean:body_mass_g,species,Chinstrap",
            "groupMean:body_mass_g,species,Gentoo",
        ]
    );
    assert_eq!(words(leaf, "second")[2..5], ["Adelie", "Chinstrap", "Gentoo"]);
    assert_eq!(words(leaf, "first")[5..], ["body_mass_g"; 3]);
    assert_eq!(
        words(leaf, "term")[..3],
        ["none", "none", "bill_length_mm~species"]
    );
    let Content::Dependency(content) = analysis.content() else {
        panic!("not dependency")
    };
    let pearson = &content.correlations[0];
    let estimate = leaf.number("estimate").unwrap();
    let interval = pearson.interval.as_ref().unwrap();
    assert_eq!(estimate[0], pearson.coefficient.unwrap().get());
    assert_eq!(leaf.number("lower").unwrap()[0], interval.lower.get());
    assert_eq!(leaf.number("upper").unwrap()[0], interval.upper.get());
    assert_eq!(estimate[4], content.variances[0].groups[2].mean.get());
    assert_eq!(leaf.number("count").unwrap()[2], 151.0);
    for path in ["pearson", "pearsonIntervals", "pearsonFirst", "pearsonSecond"] {
        assert!(matches!(filled(&analysis, "pairs", path), Filled::InLeaf));
    }
    let groups = "groups:bill_length_mm~species";
    for path in ["groupMeans", "groupMeanIntervals", "groupNames"] {
        assert!(matches!(filled(&analysis, groups, path), Filled::InLeaf));
    }
}

#[test]
fn a_claim_without_an_estimate_has_no_row() {
    let csv = "x,y,z\n1,5,1\n2,5,4\n3,5,2\n4,5,3\n";
    let analysis = family_answer(
        &table(csv),
        "dependency",
        &["x", "y", "z"],
        &[("kind", "pearson")],
    );
    assert_eq!(keys(leaf_of(&analysis)), ["pearson:x,z"]);
    let alone = family_answer(&table(csv), "dependency", &["x", "y"], &[("kind", "pearson")]);
    assert_eq!(leaf_of(&alone).n_rows(), 0);
    assert!(matches!(filled(&alone, "pairs", "pearson"), Filled::Absent(_)));
}

#[test]
fn a_group_keeps_the_recorded_values_of_its_rows() {
    let columns = ["bill_length_mm", "body_mass_g"];
    let dataset = penguins();
    let analysis = family_answer(&dataset, "cluster", &columns, &[]);
    let leaf = leaf_of(&analysis);
    let rows = family_answer(&dataset, "rows", &columns, &[]);
    for column in columns {
        let producer = format!("column:{column}");
        assert_eq!(leaf.number(column), rows.leaf().unwrap().number(column));
        assert!(matches!(filled(&analysis, &producer, "values"), Filled::InLeaf));
    }
}

#[test]
fn the_leafs_own_columns_step_aside_for_the_datas() {
    let mut csv = "distance,y,cluster\n".to_owned();
    for idx in 0..40 {
        csv.push_str(&format!("{},{},{idx}\n", 100 * (idx / 20) + idx, idx % 7));
    }
    let settings = [("method", "kmeans"), ("k", "2")];
    let analysis = family_answer(&table(&csv), "cluster", &["distance", "y"], &settings);
    let leaf = leaf_of(&analysis);
    assert_eq!(leaf.number("distance").unwrap()[39], 139.0);
    assert!(
        leaf.number("cluster.distance").unwrap()[39] < 100.0,
        "to the center"
    );
    let of_y = family_answer(&table(&csv), "cluster", &["y"], &settings);
    assert!(leaf_of(&of_y).number("distance").is_some());
    let labels = kernels::request("cluster", names(&["cluster", "y"]), &settings);
    assert!(matches!(labels, Err(KernelError::NameTaken { .. })));
}

#[test]
fn the_row_behind_a_gap_says_so() {
    let csv = "t,y\n1,1\n2,2\n3,3\n9,4\n10,5\n";
    let ask = |csv: &str| family_answer(&table(csv), "temporal", &["t", "y"], &[("unit", "d")]);
    let analysis = ask(csv);
    let leaf = leaf_of(&analysis);
    assert_eq!(words(leaf, "gap"), ["no", "no", "no", "yes", "no"]);
    let even = ask("t,y\n1,1\n2,2\n3,3\n");
    assert!(leaf_of(&even).categories("gap").is_none());
    let named = "t,gap\n1,1\n2,2\n3,3\n9,4\n10,5\n";
    let analysis = family_answer(&table(named), "temporal", &["t", "gap"], &[("unit", "d")]);
    assert_eq!(
        leaf_of(&analysis).number("gap").unwrap(),
        [1.0, 2.0, 3.0, 4.0, 5.0]
    );
    assert_eq!(words(leaf_of(&analysis), "temporal.gap")[3], "yes");
}

#[test]
fn a_link_is_a_row_with_the_places_of_its_ends() {
    let csv = "from,to,w\na,b,2\nb,a,3\nb,c,1\nc,c,9\n";
    let analysis = family_answer(
        &table(csv),
        "graph",
        &["from", "to", "w"],
        &[("directed", "false")],
    );
    let nodes = leaf_of(&analysis);
    let links = analysis.further_leaves().next().unwrap();
    assert_eq!(keys(nodes), ["node:a", "node:b", "node:c"]);
    // Parallel links are one with the sum of their weights; a link of a node with itself is none.
    assert_eq!(keys(links), ["link:a,b", "link:b,c"]);
    assert_eq!(links.number("weight").unwrap(), [5.0, 1.0]);
    assert_eq!(links.number("from").unwrap(), [0.0, 1.0]);
    assert_eq!(links.number("to").unwrap(), [1.0, 2.0]);
    for (end, ends) in [("from", ["x0", "y0", "z0"]), ("to", ["x1", "y1", "z1"])] {
        for (name, axis) in ends.into_iter().zip(["x", "y", "z"]) {
            for link in 0..2 {
                let node = links.number(end).unwrap()[link] as usize;
                assert_eq!(
                    links.number(name).unwrap()[link],
                    nodes.number(axis).unwrap()[node]
                );
            }
        }
    }
    assert!(matches!(
        filled(&analysis, "structure", "linkEnds"),
        Filled::InLeaf
    ));
}

/// What the table says is drawn is there: every property in a leaf that has a line in it stands in columns that exist.
#[test]
fn the_columns_that_are_drawn_exist() {
    let penguins = penguins();
    let columns = ["bill_length_mm", "bill_depth_mm", "species"];
    let mut n_drawn = 0;
    for (family, columns) in [
        ("rows", &columns[..]),
        ("distribution", &columns[..]),
        ("dependency", &columns[..]),
        ("density", &columns[..2]),
        ("cluster", &columns[..2]),
        ("projection", &columns[..2]),
    ] {
        let request = request_about(&penguins, family, names(columns), &[]).unwrap();
        n_drawn += drawn_of(&answer(&penguins, &request));
    }
    let csv = "from,to,t,y\na,b,1,2\nb,c,2,3\nc,a,9,1\nb,d,3,1\n";
    n_drawn += drawn_of(&family_answer(&table(csv), "graph", &["from", "to"], &[]));
    n_drawn += drawn_of(&family_answer(
        &table(csv),
        "temporal",
        &["t", "y"],
        &[("unit", "d")],
    ));
    assert_eq!(n_drawn, 41);
}

fn drawn_of(analysis: &Analysis) -> usize {
    let mut n_drawn = 0;
    for output in analysis
        .outputs()
        .iter()
        .filter(|output| output.filled == Filled::InLeaf)
    {
        let slot = &output.slot;
        let Some(drawn) = kernels::in_leaf(analysis.family(), &slot.producer, &slot.path) else {
            continue;
        };
        let leaf = if drawn.in_links {
            analysis.further_leaves().next().unwrap()
        } else {
            leaf_of(analysis)
        };
        assert!(kernels::holds(leaf, &drawn), "{slot:?} {drawn:?}");
        if let Some((column, label)) = &drawn.rows {
            assert!(words(leaf, column).contains(&label.as_str()), "{slot:?}");
        }
        n_drawn += 1;
    }
    n_drawn
}
