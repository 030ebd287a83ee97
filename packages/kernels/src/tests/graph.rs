//! The parts of the graph family against networkx, brute force and what must hold for any graph.

use std::collections::BTreeMap;
use std::convert::Infallible;

use proptest::prelude::*;
use serde_json::Value;

use super::communities::{agreement, modularity, search};
use super::layout::{Distances, steps};
use super::links::{Graph, LinkSet, Nodes, Stated};
use super::structure::{self, Groups};
use super::{centrality, layout};
use crate::partial::Partial;

fn stated(links: &[(&str, &str, f64)]) -> Vec<Stated> {
    let one = |(source, target, weight): &(&str, &str, f64)| Stated {
        source: (*source).to_owned(),
        target: (*target).to_owned(),
        weight: *weight,
    };
    links.iter().map(one).collect()
}

fn graph(links: &[(&str, &str, f64)], directed: bool) -> Graph {
    Graph::new(LinkSet::of(&stated(links)), Nodes::Named, directed).unwrap()
}

fn vector(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/graph/");
    serde_json::from_slice(&std::fs::read(format!("{folder}{name}")).unwrap()).unwrap()
}

/// A graph of the vectors with the group of each node, by key.
fn known(name: &str, key: &str, group: &str, weight: Option<&str>) -> (Graph, BTreeMap<String, String>) {
    let file = vector(name);
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let nodes = file["nodes"].as_array().unwrap();
    let keys: Vec<String> = nodes.iter().map(|node| text(&node[key])).collect();
    let end = |value: &Value| keys[value.as_u64().unwrap() as usize].clone();
    let links = file["links"].as_array().unwrap().iter().map(|link| Stated {
        source: end(&link["source"]),
        target: end(&link["target"]),
        weight: weight.map_or(1.0, |weight| link[weight].as_f64().unwrap()),
    });
    let links: Vec<Stated> = links.collect();
    let graph = Graph::new(LinkSet::of(&links), Nodes::Named, false).unwrap();
    let groups = nodes.iter().map(|node| (text(&node[key]), text(&node[group])));
    (graph, groups.collect())
}

fn groups(graph: &Graph, of: &BTreeMap<String, String>) -> Groups {
    let mut names: Vec<&String> = of.values().collect();
    names.sort();
    names.dedup();
    let label = |key: &String| names.binary_search(&&of[key]).unwrap() as u32;
    Groups::numbered(&graph.keys.iter().map(label).collect::<Vec<_>>())
}

#[test]
fn modularity_of_a_given_grouping_is_that_of_networkx() {
    let recorded = vector("networkx.json");
    let cases = [
        ("karate.json", "id", "club", None, "/karate/modularityOfClubs"),
        (
            "karate.json",
            "id",
            "club",
            Some("weight"),
            "/karate/weightedModularityOfClubs",
        ),
        (
            "miserables.json",
            "name",
            "group",
            None,
            "/miserables/modularityOfGroups",
        ),
    ];
    for (file, key, group, weight, pointer) in cases {
        let (graph, of) = known(file, key, group, weight);
        let groups = groups(&graph, &of);
        for (resolution, expected) in recorded.pointer(pointer).unwrap().as_object().unwrap() {
            let found = modularity(&graph.neighbors, &groups, resolution.parse().unwrap());
            let expected = expected.as_f64().unwrap();
            assert!(
                (found - expected).abs() < 1e-14,
                "{pointer} at {resolution}: {found} for {expected}"
            );
        }
    }
}

#[test]
fn the_search_is_no_worse_than_a_hundred_starts_of_networkx() {
    let recorded = vector("networkx.json");
    for (file, key, group, name) in [
        ("karate.json", "id", "club", "karate"),
        ("miserables.json", "name", "group", "miserables"),
    ] {
        let (graph, _) = known(file, key, group, None);
        let found = search(&graph, 1.0, 0, 10);
        let expected = recorded[name]["bestLouvain"].as_f64().unwrap();
        assert!(
            found[0].modularity > expected - 2e-3,
            "{name}: {} for {expected}",
            found[0].modularity
        );
        assert!(
            found
                .windows(2)
                .all(|pair| pair[0].modularity >= pair[1].modularity)
        );
    }
}

#[test]
fn merged_links_do_not_depend_on_how_they_were_read() {
    let all = stated(&[
        ("b", "a", 0.1),
        ("a", "b", 0.7),
        ("a", "b", 0.2),
        ("c", "c", 1.0),
        ("b", "c", 3.0),
    ]);
    let whole = LinkSet::of(&all);
    let parts: Vec<LinkSet> = all.chunks(2).map(LinkSet::of).collect();
    let [one, two, three] = <[LinkSet; 3]>::try_from(parts).unwrap();
    let left = one.clone().merge(two.clone()).merge(three.clone());
    let right = one.clone().merge(two.clone().merge(three.clone()));
    let turned = three.merge(two).merge(one);
    for merged in [left, right, turned] {
        assert_eq!(merged, whole);
    }
    let undirected = graph(
        &[
            ("b", "a", 0.1),
            ("a", "b", 0.7),
            ("a", "b", 0.2),
            ("c", "c", 1.0),
            ("b", "c", 3.0),
        ],
        false,
    );
    assert_eq!(
        (
            undirected.n_self_loops,
            undirected.n_parallel,
            undirected.links.len()
        ),
        (1, 2, 2)
    );
    assert_eq!(undirected.links[0], (0, 1, 0.1 + 0.2 + 0.7));
    let directed = Graph::new(whole, Nodes::Named, true).unwrap();
    assert_eq!(
        (directed.n_self_loops, directed.n_parallel, directed.links.len()),
        (1, 1, 3)
    );
}

#[test]
fn agreement_is_one_for_equal_and_near_zero_for_crossing_groupings() {
    let of = |labels: &[u32]| Groups::numbered(labels);
    let a = of(&[0, 0, 0, 1, 1, 1]);
    assert_eq!(agreement(&a, &of(&[5, 5, 5, 2, 2, 2])), 1.0);
    // Hubert and Arabie's formula by hand: both 2, in_a 6, in_b 3, all 15: (2 − 6·3/15) / (4.5 − 6·3/15).
    let halves = agreement(&a, &of(&[0, 0, 1, 1, 2, 2]));
    assert!((halves - 0.8 / 3.3).abs() < 1e-15, "{halves}");
    assert!(agreement(&a, &of(&[0, 1, 0, 1, 0, 1])) < 0.0);
    assert_eq!(agreement(&of(&[0, 0]), &of(&[0, 0])), 1.0);
}

#[test]
fn groups_that_nothing_connects_are_cut() {
    // Two triangles far apart and a pair: no grouping may put nodes of different components together.
    let graph = graph(
        &[
            ("a", "b", 1.0),
            ("b", "c", 1.0),
            ("a", "c", 1.0),
            ("d", "e", 1.0),
            ("e", "f", 1.0),
            ("d", "f", 1.0),
            ("g", "h", 1.0),
        ],
        false,
    );
    for resolution in [0.01, 1.0] {
        let best = &search(&graph, resolution, 0, 3)[0];
        assert_eq!(
            best.groups,
            structure::connected(&graph.neighbors, None),
            "at {resolution}"
        );
    }
    let labels = [0, 0, 0, 0, 0, 0, 1, 1];
    assert_eq!(structure::connected(&graph.neighbors, Some(&labels)).n(), 3);
}

#[test]
fn every_community_hangs_together() {
    // Sparse graphs and a low resolution: the nodes that held a group together leave it often enough to need the cut.
    let mut state = 1_u64;
    let mut next = |n: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    for n_nodes in (20..80_u64).cycle().take(600) {
        let links: Vec<Stated> = (0..n_nodes * 5 / 4)
            .map(|_| Stated {
                source: next(n_nodes).to_string(),
                target: next(n_nodes).to_string(),
                weight: 1.0 + next(9) as f64,
            })
            .collect();
        let graph = Graph::new(LinkSet::of(&links), Nodes::Named, false).unwrap();
        for resolution in [0.3, 1.0] {
            for found in search(&graph, resolution, 0, 2) {
                let pieces = structure::connected(&graph.neighbors, Some(&found.groups.of_node));
                assert_eq!(pieces.n(), found.groups.n(), "{n_nodes} nodes at {resolution}");
            }
        }
    }
}

#[test]
fn stress_never_rises_and_a_path_lies_on_a_line() {
    let path = graph(
        &[("a", "b", 1.0), ("b", "c", 1.0), ("c", "d", 1.0), ("d", "e", 1.0)],
        false,
    );
    let distances = Distances::new(&path.neighbors);
    let told = |_: usize| Ok::<(), Infallible>(());
    let after: Vec<usize> = (1..=200).collect();
    let layouts = steps(&path, &distances, 0, &after, told).unwrap();
    assert!(
        layouts
            .windows(2)
            .all(|pair| pair[1].stress <= pair[0].stress + 1e-15)
    );
    let last = layouts.last().unwrap();
    assert!(last.stress < 1e-4, "{}", last.stress);
    let along: Vec<f64> = last.places.iter().map(|place| place[0]).collect();
    assert!(
        along
            .windows(2)
            .all(|pair| ((pair[1] - pair[0]).abs() - 1.0).abs() < 0.05),
        "{along:?}"
    );
    assert!(
        last.places
            .iter()
            .all(|place| place[1].abs() < 0.25 && place[2].abs() < 0.25)
    );
    assert_eq!(distances.apart, None);
    let apart = graph(&[("a", "b", 1.0), ("c", "d", 1.0), ("d", "e", 1.0)], false);
    assert_eq!(Distances::new(&apart.neighbors).apart, Some(3));
    assert_eq!(layout::MAX_LAYOUT_NODES, 1_000);
}

#[test]
fn page_rank_stops_when_nothing_moves_and_keeps_its_sum() {
    let graph = graph(
        &[("a", "b", 1.0), ("b", "c", 2.0), ("a", "c", 1.0), ("d", "a", 1.0)],
        true,
    );
    for damping in [0.0, 0.5, 0.85, 0.99] {
        let ranks = centrality::page_rank(&graph, damping);
        let sum: f64 = ranks.iter().sum();
        assert!((sum - 1.0).abs() < 1e-13, "{damping}: {sum}");
        // It is a fixed point: c has no way out, so what it holds is spread over all.
        let jump = (1.0 - damping + damping * ranks[2]) / 4.0;
        assert!((ranks[0] - (jump + damping * ranks[3])).abs() < 1e-14);
        assert!((ranks[3] - jump).abs() < 1e-14);
    }
    assert_eq!(centrality::n_steps(0.0), 1);
    assert!((215..230).contains(&centrality::n_steps(0.85)));
}

/// Small graphs with loops, repeated links and isolated ends.
fn any_links() -> impl Strategy<Value = Vec<(u8, u8)>> {
    prop::collection::vec((0_u8..9, 0_u8..9), 1..30)
}

fn reached(graph: &Graph, from: usize) -> Vec<bool> {
    let mut seen = vec![false; graph.n_nodes()];
    let mut waiting = vec![from];
    while let Some(node_idx) = waiting.pop() {
        if !std::mem::replace(&mut seen[node_idx], true) {
            waiting.extend(graph.out.of(node_idx).iter().map(|next| *next as usize));
        }
    }
    seen
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn small_graphs_agree_with_brute_force(links in any_links(), directed: bool) {
        let named: Vec<Stated> = links
            .iter()
            .map(|(source, target)| Stated { source: source.to_string(), target: target.to_string(), weight: 1.0 })
            .collect();
        let graph = Graph::new(LinkSet::of(&named), Nodes::Named, directed).unwrap();
        let n = graph.n_nodes();
        let reach: Vec<Vec<bool>> = (0..n).map(|idx| reached(&graph, idx)).collect();
        let mutual = |a: usize, b: usize| reach[a][b] && reach[b][a];
        let first = (0..n).filter(|a| (0..*a).all(|b| !mutual(*a, b))).count();
        prop_assert_eq!(structure::n_strong(&graph.out), first);
        if !directed {
            prop_assert_eq!(structure::connected(&graph.neighbors, None).n(), first);
        }
        let has = |a: usize, b: usize| graph.neighbors.has(a, b as u32);
        let (mut paths, mut closed) = (0, 0);
        for b in 0..n {
            for a in 0..n {
                for c in a + 1..n {
                    if a != b && b != c && has(a, b) && has(b, c) {
                        paths += 1;
                        closed += usize::from(has(a, c));
                    }
                }
            }
        }
        let expected = (paths > 0).then(|| f64::from(closed as u32) / f64::from(paths as u32));
        prop_assert_eq!(structure::closure(&graph.neighbors).transitivity, expected);

        let resolution = 1.0;
        let best = &search(&graph, resolution, 1, 2);
        if !graph.links.is_empty() {
            let again = modularity(&graph.neighbors, &best[0].groups, resolution);
            prop_assert_eq!(again, best[0].modularity);
            let whole = structure::connected(&graph.neighbors, None);
            let components = modularity(&graph.neighbors, &whole, resolution);
            prop_assert!(best[0].modularity >= components - 0.1);
            // Every community hangs together.
            prop_assert_eq!(structure::connected(&graph.neighbors, Some(&best[0].groups.of_node)).n(), best[0].groups.n());
        }
    }
}
