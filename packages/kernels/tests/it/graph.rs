//! Graphs through the public door: against networkx, in any order, on any number of threads, and what is refused.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use dataset::{Dataset, Edges, Ends, ImportOptions};
use kernels::wire::v1::{Content, GraphContent, Request};
use kernels::{Analysis, Filled, KernelError, Progress, analyze, analyze_with};
use proptest::prelude::*;
use refusal::Code;
use serde_json::{Value, json};

use crate::{answer, codes, table};

const MISERABLES: &[u8] = include_bytes!("../../../../tests/vectors/graph/miserables.json");
const KARATE: &[u8] = include_bytes!("../../../../tests/vectors/graph/karate.json");
const RECORDED: &[u8] = include_bytes!("../../../../tests/vectors/graph/networkx.json");

fn asked(columns: &[&str], settings: &[(&str, &str)]) -> Request {
    kernels::request("graph", crate::names(columns), settings).unwrap()
}

fn imported(bytes: &[u8], key: &str) -> Dataset {
    let mut options = ImportOptions::named("graph");
    options.key = Some(key.to_owned());
    dataset::import(bytes, &options).unwrap().dataset
}

/// Its links name nodes by their place.
fn miserables() -> Dataset {
    let mut options = ImportOptions::named("miserables");
    (options.key, options.ends) = (Some("name".to_owned()), Some(Ends::Position));
    dataset::import(MISERABLES, &options).unwrap().dataset
}

fn content(analysis: &Analysis) -> &GraphContent {
    match analysis.content() {
        Content::Graph(content) => content,
        content => panic!("not a graph: {content:?}"),
    }
}

/// The value of a node by its key.
fn of_node(analysis: &Analysis, column: &str, key: &str) -> f64 {
    let leaf = analysis.leaf().unwrap();
    leaf.number(column).unwrap()[leaf.row_of_key(key).unwrap()]
}

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-13, "{what}: {found} for {expected}");
}

fn agrees(analysis: &Analysis, recorded: &Value) {
    let (found, leaf) = (content(analysis), analysis.leaf().unwrap());
    let count = |name: &str| recorded[name].as_i64().unwrap();
    assert_eq!(found.counts.nodes.get(), count("nodes"));
    assert_eq!(found.counts.links.get(), count("links"));
    assert_eq!(found.counts.components.get(), count("components"));
    assert_eq!(leaf.n_rows() as i64, count("nodes"));
    let structure = &found.structure;
    close(structure.density.get(), &recorded["density"], "density");
    close(
        structure.transitivity.unwrap().get(),
        &recorded["transitivity"],
        "transitivity",
    );
    close(
        structure.mean_clustering.unwrap().get(),
        &recorded["meanClustering"],
        "clustering",
    );
    let assortativity = structure.degree_assortativity.unwrap().get();
    close(assortativity, &recorded["degreeAssortativity"], "assortativity");
    let mut columns = vec!["degree", "betweenness", "pageRank"];
    if found.directed {
        columns.extend(["inDegree", "outDegree"]);
        assert_eq!(
            found.counts.strong_components.unwrap().get(),
            count("strongComponents")
        );
        close(
            structure.reciprocity.unwrap().get(),
            &recorded["reciprocity"],
            "reciprocity",
        );
    }
    for column in columns {
        for (key, expected) in recorded[column].as_object().unwrap() {
            close(
                of_node(analysis, column, key),
                expected,
                &format!("{column} of {key}"),
            );
        }
    }
}

#[test]
fn two_known_graphs_are_those_of_networkx() {
    let recorded: Value = serde_json::from_slice(RECORDED).unwrap();
    let miserables = miserables();
    agrees(&answer(&miserables, &asked(&[], &[])), &recorded["miserables"]);
    agrees(
        &answer(&miserables, &asked(&[], &[("directed", "true")])),
        &recorded["miserablesDirected"],
    );
    let karate = imported(KARATE, "id");
    let analysis = answer(&karate, &asked(&[], &[]));
    agrees(&analysis, &recorded["karate"]);
    let weighted = answer(&karate, &asked(&[], &[("weight", "weight")]));
    for (key, expected) in recorded["karateWeighted"]["pageRank"].as_object().unwrap() {
        close(of_node(&weighted, "pageRank", key), expected, key);
    }
    assert!(!codes(&analysis).contains(&"FREE_PARAMETER") || !content(&analysis).directed);
}

#[test]
fn what_is_said_follows_from_the_request() {
    let miserables = miserables();
    for settings in [
        &[][..],
        &[("directed", "true")],
        &[("weight", "value"), ("starts", "1")],
    ] {
        let request = asked(&[], settings);
        let analysis = answer(&miserables, &request);
        let slots: Vec<kernels::Slot> = analysis
            .outputs()
            .iter()
            .map(|output| output.slot.clone())
            .collect();
        assert_eq!(slots, kernels::slots(&request), "{settings:?}");
        let ids: Vec<&str> = analysis
            .receipts()
            .iter()
            .map(|receipt| &*receipt.receipt_id)
            .collect();
        assert_eq!(ids, ["graph:structure", "graph:communities", "graph:layout"]);
        let family = kernels::family(&request);
        for slot in &slots {
            assert!(family.producers.contains(&&*slot.producer), "{}", slot.producer);
            assert!(family.paths.contains(&&*slot.path), "{}", slot.path);
        }
        let leaf = analysis.leaf().unwrap();
        for output in analysis.outputs() {
            let name = output.slot.path.as_str();
            let in_leaf = leaf.number(name).is_some()
                || leaf.categories(name).is_some()
                || ["nodeKeys", "rowKeys"].contains(&name);
            let in_links = name == "linkEnds" && analysis.further_leaves().count() == 1;
            assert_eq!(
                output.filled == Filled::InLeaf,
                in_leaf || in_links,
                "{name} with {settings:?}"
            );
        }
    }
    let family = kernels::family(&asked(&[], &[]));
    assert!(
        family
            .paths
            .windows(2)
            .all(|pair| identity::utf16_cmp(pair[0], pair[1]).is_lt())
    );
    assert_eq!(family.paths.len(), kernels::slots(&asked(&[], &[])).len());
}

#[test]
fn receipts_tell_how_firm_each_claim_is() {
    let analysis = answer(&miserables(), &asked(&[], &[]));
    let [structure, communities, layout] = analysis.receipts() else {
        panic!("three claims");
    };
    assert!(
        structure.estimand.contains("77 nodes and 254 links"),
        "{}",
        structure.estimand
    );
    let factors = |receipt: &kernels::wire::v1::Receipt| -> Vec<String> {
        let first = |factor: &str| factor.split(' ').next().unwrap().to_owned();
        receipt.sensitivity.iter().map(|one| first(&one.factor)).collect()
    };
    assert_eq!(factors(structure), ["damping"]);
    assert_eq!(factors(communities), ["resolution", "starts", "seed"]);
    assert_eq!(factors(layout), ["layoutSteps", "seed"]);
    assert!(
        communities.sensitivity[0].materially_changed,
        "half and twice the resolution"
    );
    assert_eq!(communities.sensitivity[0].tested_values, ["0.5", "2"]);
    let stability = communities.stability.as_ref().unwrap();
    assert_eq!(stability.repetitions.get(), 9);
    assert!((0.5..=1.0).contains(&stability.score.get()));
    assert!(layout.estimand.contains("measure nothing"));
    assert!(layout.geometry.is_some() && layout.uncertainty.is_none());
    assert!(layout.limitations.iter().any(|text| text.contains("is layout")));
    for receipt in analysis.receipts() {
        assert!(receipt.assumptions.iter().all(|one| one.status != "violated"));
        assert_eq!(receipt.sample_support.total_rows.get(), 77);
        assert_eq!(
            receipt.method_provenance.parameters,
            analysis.provenance().parameters
        );
    }
    for code in [
        "INTERVAL_NOT_GIVEN",
        "LAYOUT_NOT_DATA",
        "LOCAL_OPTIMUM",
        "SEED_DEPENDENT",
        "FREE_PARAMETER",
    ] {
        assert!(codes(&analysis).contains(&code), "{code}");
    }
    let frames: Vec<_> = analysis
        .outputs()
        .iter()
        .filter_map(|output| Some((output.slot.path.as_str(), output.measure.frame.as_deref()?)))
        .collect();
    assert_eq!(frames, [("x", "layout"), ("y", "layout"), ("z", "layout")]);
}

#[test]
fn loops_and_repeated_links_are_counted_and_merged() {
    let csv = "from,to,weight\na,b,1\nb,a,2\na,a,5\nb,c,4\nc,,1\nc,d,\n";
    let table = table(csv);
    let analysis = answer(&table, &asked(&["from", "to"], &[]));
    let counts = &content(&analysis).counts;
    assert_eq!(
        (counts.nodes.get(), counts.links.get(), counts.stated_links.get()),
        (4, 3, 6)
    );
    assert_eq!(
        (
            counts.self_loops.get(),
            counts.parallel_links.get(),
            counts.links_excluded.get()
        ),
        (1, 1, 1)
    );
    assert_eq!(analysis.leaf().unwrap().row_key(0), "node:a");
    assert!(
        codes(&analysis).contains(&"LINKS_MERGED") && codes(&analysis).contains(&"ROWS_EXCLUDED_MISSING")
    );

    let weighted = answer(
        &table,
        &asked(&[], &[("source", "from"), ("target", "to"), ("weight", "weight")]),
    );
    assert_eq!(weighted.request().columns(), ["from", "to", "weight"]);
    let counts = &content(&weighted).counts;
    assert_eq!(
        (
            counts.nodes.get(),
            counts.links.get(),
            counts.links_excluded.get()
        ),
        (3, 2, 2)
    );
    assert_eq!(of_node(&weighted, "strength", "node:b"), 7.0);
    let links = content(&weighted).links.as_ref().unwrap();
    assert_eq!((&*links[0].source, &*links[0].target), ("a", "b"));
    assert_eq!(links[0].weight.unwrap().get(), 3.0);

    let directed = answer(&table, &asked(&["from", "to"], &[("directed", "true")]));
    assert_eq!(content(&directed).counts.links.get(), 4);
    assert_eq!(content(&directed).structure.reciprocity.unwrap().get(), 0.5);
    let clean = answer(&crate::table("from,to\na,b\nb,c\n"), &asked(&["from", "to"], &[]));
    assert!(!codes(&clean).contains(&"LINKS_MERGED") && !codes(&clean).contains(&"ROWS_EXCLUDED_MISSING"));
}

#[test]
fn the_direction_is_what_the_file_says() {
    let file = |directed: &str| {
        format!(
            r#"{{{directed}"nodes":[{{"id":"b"}},{{"id":"a"}},{{"id":"c"}}],"links":[{{"source":"a","target":"b"}}]}}"#
        )
    };
    let of = |directed: &str, settings: &[(&str, &str)]| {
        answer(&imported(file(directed).as_bytes(), "id"), &asked(&[], settings))
    };
    assert!(content(&of(r#""directed":true,"#, &[])).directed);
    assert!(!content(&of(r#""directed":true,"#, &[("directed", "false")])).directed);
    let unstated = of("", &[]);
    assert!(!content(&unstated).directed && codes(&unstated).contains(&"FREE_PARAMETER"));
    assert_eq!(content(&unstated).counts.isolated_nodes.get(), 1);
    assert_eq!(unstated.leaf().unwrap().row_key(0), "a");
    assert!(codes(&unstated).contains(&"DISCONNECTED"));
    let said = |analysis: &Analysis| {
        analysis
            .limitations()
            .iter()
            .any(|limitation| limitation.subject() == Some("direction"))
    };
    assert!(said(&unstated));
    assert!(!said(&of(r#""directed":false,"#, &[])));
}

#[test]
fn links_need_nodes_weights_and_places_that_exist() {
    let rows = br#"[{"id":"a"},{"id":"b"}]"#;
    let nodes = imported(rows, "id");
    let with = |links: Value| {
        let links: Vec<serde_json::Map<String, Value>> = serde_json::from_value(links).unwrap();
        nodes.with_edges(Edges::new(links).unwrap())
    };
    let refused = |dataset: &Dataset, request: &Request| analyze(dataset, request).unwrap_err();
    let plain = asked(&[], &[]);
    assert!(matches!(
        refused(&nodes, &plain),
        KernelError::MeaningMissing { .. }
    ));
    let unknown = refused(&with(json!([{"source": "a", "target": "x"}])), &plain);
    let text = "the link 1 can't be used: it ends at \"x\", which is no row of the dataset";
    assert_eq!(unknown.to_string(), text);
    assert_eq!(unknown.refusal().code(), Code::ClaimNotAdmissible);
    let far = refused(&with(json!([{"source": 0, "target": 2}])), &plain);
    assert!(matches!(far, KernelError::LinkUnusable { .. }), "{far}");
    let loops = refused(&with(json!([{"source": "a", "target": "a"}])), &plain);
    assert!(matches!(loops, KernelError::TooFew { .. }), "{loops}");
    let weight = asked(&[], &[("weight", "value")]);
    for value in [json!(0), json!(-1), json!("heavy")] {
        let error = refused(
            &with(json!([{"source": "a", "target": "b", "value": value}])),
            &weight,
        );
        assert!(error.to_string().contains("positive number"), "{error}");
    }
    answer(&with(json!([{"source": 0, "target": 1}])), &plain);
    let partly = with(json!([{"source": "a", "target": "b", "value": 2}, {"source": "a", "target": "b"}]));
    assert_eq!(content(&answer(&partly, &weight)).counts.links_excluded.get(), 1);
    assert_eq!(of_node(&answer(&partly, &weight), "strength", "a"), 2.0);

    let lengths = table("from,to\n1.5,2\n2,3\n");
    let error = refused(&lengths, &asked(&["from", "to"], &[]));
    assert!(matches!(error, KernelError::KindUnsupported { .. }), "{error}");
    answer(&table("from,to\n1,2\n2,3\n"), &asked(&["from", "to"], &[]));
    let huge = table("from,to,w\na,b,1e308\nb,c,1e308\n");
    let error = refused(&huge, &asked(&["from", "to", "w"], &[]));
    assert!(error.to_string().contains("beyond the range"), "{error}");
    answer(&huge, &asked(&["from", "to"], &[]));
}

#[test]
fn settings_are_bounded_and_named() {
    let wrong = |columns: &[&str], settings: &[(&str, &str)]| {
        kernels::request("graph", crate::names(columns), settings).unwrap_err()
    };
    for (name, value) in [
        ("damping", "1"),
        ("damping", "-0.1"),
        ("resolution", "0"),
        ("starts", "0"),
        ("starts", "101"),
        ("steps", "0"),
        ("steps", "1001"),
        ("directed", "maybe"),
        ("source", "a"),
        ("target", "a"),
        ("k", "3"),
    ] {
        let error = wrong(&[], &[(name, value)]);
        assert!(
            matches!(&error, KernelError::Setting { setting, .. } if setting == name),
            "{name}={value}: {error}"
        );
    }
    assert!(matches!(
        wrong(&["a"], &[]),
        KernelError::ColumnCount { found: 1, .. }
    ));
    assert!(matches!(
        wrong(&["a", "b", "c", "d"], &[]),
        KernelError::ColumnCount { found: 4, .. }
    ));
    assert!(matches!(
        wrong(&["a", "b", "c"], &[("weight", "d")]),
        KernelError::Setting { .. }
    ));
    assert!(matches!(
        wrong(&["a", "b"], &[("source", "a"), ("target", "b")]),
        KernelError::Setting { .. }
    ));
    asked(
        &["a", "b", "c"],
        &[
            ("weight", "c"),
            ("damping", "0.99"),
            ("starts", "100"),
            ("steps", "1000"),
        ],
    );
    // A request that was written down is checked as one that was asked for.
    let Request::Graph(mut request) = asked(&["from", "to"], &[]) else {
        panic!("a graph request");
    };
    let table = table("from,to\na,b\n");
    answer(&table, &Request::Graph(request.clone()));
    request.starts = identity::SafeInteger::from(0_u32);
    assert!(analyze(&table, &Request::Graph(request)).is_err());
}

#[test]
fn large_graphs_have_no_layout_and_say_so() {
    let chain = |n: usize| {
        let mut csv = "from,to\n".to_owned();
        for idx in 1..n {
            csv.push_str(&format!("n{},n{idx}\n", idx - 1));
        }
        table(&csv)
    };
    let small = [("starts", "1"), ("steps", "1")];
    let placed = answer(&chain(1_000), &asked(&["from", "to"], &small));
    assert!(placed.leaf().unwrap().number("x").is_some() && content(&placed).layout.is_some());
    let above = answer(&chain(1_001), &asked(&["from", "to"], &small));
    assert!(above.leaf().unwrap().number("x").is_none() && content(&above).layout.is_none());
    let absent = above
        .outputs()
        .iter()
        .find(|output| output.slot.path == "x")
        .unwrap();
    assert_eq!(
        absent.filled,
        Filled::Absent("more than 1,000 nodes are not placed")
    );
    assert!(above.leaf().unwrap().number("betweenness").is_some());
}

#[test]
fn an_analysis_tells_how_far_it_is_and_stops_when_told() {
    let miserables = miserables();
    let request = asked(&[], &[]);
    let mut heard: Vec<Progress> = Vec::new();
    let told = analyze_with(&miserables, &request, &mut |progress| {
        heard.push(progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(told, answer(&miserables, &request), "who listens changes nothing");
    let mut phases: Vec<&str> = heard.iter().map(|progress| progress.phase).collect();
    phases.dedup();
    assert!(phases.len() >= 5, "{phases:?}");
    for pair in heard.windows(2) {
        assert!(pair[0].phase != pair[1].phase || pair[0].done <= pair[1].done);
    }
    for phase in phases {
        let stopped = analyze_with(&miserables, &request, &mut |progress| {
            if progress.phase == phase {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        assert_eq!(stopped.unwrap_err(), KernelError::Canceled { doing: phase });
    }
}

#[test]
fn threads_do_not_show() {
    let miserables = miserables();
    let request = asked(&[], &[("weight", "value")]);
    let expected = answer(&miserables, &request);
    for n_threads in 1..=3 {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build()
            .unwrap();
        let found = pool.install(|| answer(&miserables, &request));
        assert_eq!(found.content_bytes(), expected.content_bytes());
        assert_eq!(found.receipts(), expected.receipts());
        assert_eq!(found.leaf_bytes(), expected.leaf_bytes());
        assert!(found.leaves_with_bytes().eq(expected.leaves_with_bytes()));
    }
}

/// Links between few nodes, so that loops, repeated links and components occur; weights with rounding errors.
fn any_links() -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    prop::collection::vec((0_u8..12, 0_u8..12, 1_u8..9), 2..40)
        .prop_filter("one link between two nodes", |links| {
            links.iter().any(|(a, b, _)| a != b)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_order_of_nodes_and_links_does_not_show(
        (links, turned) in any_links().prop_flat_map(|links| (Just(links.clone()), Just(links).prop_shuffle())),
        nodes in Just((0_u8..12).collect::<Vec<_>>()).prop_shuffle(),
        swap: bool,
        directed: bool,
    ) {
        let name = |node: &u8| format!("é{}", char::from(b'a' + node));
        let dataset = |nodes: &[u8], links: &[(u8, u8, u8)], swap: bool| {
            let rows: Vec<Value> = nodes.iter().map(|node| json!({"id": name(node)})).collect();
            let edges = links.iter().map(|(source, target, weight)| {
                let (source, target) = if swap { (target, source) } else { (source, target) };
                let link = json!({"source": name(source), "target": name(target), "w": f64::from(*weight) / 10.0});
                link.as_object().unwrap().clone()
            });
            let rows = imported(Value::from(rows).to_string().as_bytes(), "id");
            rows.with_edges(Edges::new(edges.collect()).unwrap())
        };
        let text = if directed { "true" } else { "false" };
        let request = asked(&[], &[("directed", text), ("weight", "w"), ("starts", "2"), ("steps", "5")]);
        let plain: Vec<u8> = (0..12).collect();
        let expected = answer(&dataset(&plain, &links, false), &request);
        // Without direction, which end is the source does not show either.
        let found = answer(&dataset(&nodes, &turned, swap && !directed), &request);
        prop_assert_eq!(found.content_bytes(), expected.content_bytes());
        prop_assert_eq!(found.leaf_bytes(), expected.leaf_bytes());
        prop_assert!(found.leaves_with_bytes().eq(expected.leaves_with_bytes()));

        // The same links in a table, where nodes are those that links name.
        let csv = |links: &[(u8, u8, u8)]| {
            let mut csv = "from,to,w\n".to_owned();
            for (source, target, weight) in links {
                csv.push_str(&format!("{},{},0.{weight}\n", name(source), name(target)));
            }
            table(&csv)
        };
        let request = asked(&["from", "to", "w"], &[("starts", "2"), ("steps", "5")]);
        let (expected, found) = (answer(&csv(&links), &request), answer(&csv(&turned), &request));
        prop_assert_eq!(found.content_bytes(), expected.content_bytes());
        prop_assert_eq!(found.leaf_bytes(), expected.leaf_bytes());
        prop_assert!(found.leaves_with_bytes().eq(expected.leaves_with_bytes()));
        prop_assert!(found.limitations() == expected.limitations());
    }
}

#[test]
fn numbered_rows_are_nodes_too() {
    let rows = dataset::import(br#"[{"v":1},{"v":2},{"v":3}]"#, &ImportOptions::named("t"))
        .unwrap()
        .dataset;
    let links: Vec<serde_json::Map<String, Value>> =
        serde_json::from_value(json!([{"source": 2, "target": 0}])).unwrap();
    let dataset = rows.with_edges(Edges::new(links).unwrap());
    let analysis = answer(&dataset, &asked(&[], &[]));
    assert_eq!(of_node(&analysis, "degree", "row:3"), 1.0);
    assert_eq!(of_node(&analysis, "degree", "row:2"), 0.0);
    let by_degree: BTreeMap<i64, i64> = content(&analysis)
        .degrees
        .iter()
        .map(|one| (one.degree.get(), one.nodes.get()))
        .collect();
    assert_eq!(by_degree, BTreeMap::from([(0, 1), (1, 2)]));
}
