//! The parts of the methods, each against what looks at all pairs.

use super::agreement::Table;
use super::neighbors::Tree;
use super::spanning::{Edge, minimum_tree};
use super::{dbscan, hierarchy, kmeans};
use crate::family::seeded::Seeded;
use crate::family::space::Points;

/// Points on a grid of `n_steps` a side: the fewer steps, the more ties and equal points.
fn points(n: usize, n_dims: usize, n_steps: usize, seed: u64) -> Points {
    let mut seeded = Seeded::new(seed, 9);
    let mut at: Vec<Vec<f64>> = (0..n)
        .map(|_| (0..n_dims).map(|_| seeded.below(n_steps) as f64 / 4.0).collect())
        .collect();
    at.sort_by(|a, b| a.partial_cmp(b).unwrap());
    Points {
        n_dims,
        at: at.concat(),
    }
}

fn cores(points: &Points, k: usize) -> Vec<f64> {
    let one = |place: usize| {
        let mut all: Vec<f64> = (0..points.n())
            .map(|other| points.distance_squared(place, other))
            .collect();
        all.sort_by(f64::total_cmp);
        all[k - 1]
    };
    (0..points.n()).map(one).collect()
}

/// Prim's algorithm over all pairs: the reaches of a minimum tree, rising.
fn reaches(points: &Points, core: &[f64]) -> Vec<(f64, f64)> {
    let n = points.n();
    let mut near = vec![(f64::INFINITY, f64::INFINITY); n];
    let mut is_in = vec![false; n];
    let (mut at, mut reaches) = (0, Vec::new());
    for _ in 1..n {
        is_in[at] = true;
        for other in (0..n).filter(|other| !is_in[*other]) {
            let apart = points.distance_squared(at, other);
            let reach = (apart.max(core[at]).max(core[other]), apart);
            if reach < near[other] {
                near[other] = reach;
            }
        }
        let next = (0..n).filter(|other| !is_in[*other]);
        at = next
            .min_by(|a, b| near[*a].partial_cmp(&near[*b]).unwrap())
            .unwrap();
        reaches.push((near[at].0.sqrt(), near[at].1));
    }
    reaches.sort_by(|a, b| a.partial_cmp(b).unwrap());
    reaches
}

#[test]
fn the_tree_finds_what_all_pairs_find() {
    for (n_steps, seed) in [(3, 1), (9, 2), (1000, 3), (1000, 4)] {
        for n_dims in [1, 2, 4] {
            let points = points(150, n_dims, n_steps, seed);
            let tree = Tree::of(&points);
            for k in [1, 4, 30] {
                let core = tree.kth_squared(k);
                assert_eq!(core, cores(&points, k), "{n_steps} {n_dims} {k}");
                let edges = minimum_tree(&tree, &core);
                let mut found: Vec<(f64, f64)> =
                    edges.iter().map(|edge| (edge.distance, edge.apart)).collect();
                found.sort_by(|a, b| a.partial_cmp(b).unwrap());
                assert_eq!(found, reaches(&points, &core), "{n_steps} {n_dims} {k}");
            }
            let mut within = Vec::new();
            tree.within(points.point(7), 0.75, &mut |place, _| within.push(place));
            within.sort_unstable();
            let near = |place: &usize| points.distance_squared(7, *place).sqrt() <= 0.75;
            assert_eq!(within, (0..150).filter(near).collect::<Vec<_>>());
        }
    }
}

fn edge(a: u32, b: u32, distance: f64) -> Edge {
    Edge {
        a,
        b,
        distance,
        apart: distance * distance,
    }
}

#[test]
fn three_groups_that_join_at_once_stay_three() {
    // Three chains of four at distance 1, joined at 10 by two ties: binary trees would make a group of two chains.
    let chain = |from: u32| (from..from + 3).map(|a| edge(a, a + 1, 1.0));
    let mut edges: Vec<Edge> = chain(0).chain(chain(4)).chain(chain(8)).collect();
    edges.extend([edge(3, 4, 10.0), edge(7, 8, 10.0)]);
    let selected = hierarchy::select(12, edges, 4);
    assert_eq!(selected.masses.len(), 3);
    let group = |place: usize| selected.groups[place].unwrap();
    assert!(group(0) == group(3) && group(4) == group(7) && group(0) != group(4) && group(4) != group(8));
    // Each point leaves at λ = 1 a group that arose at λ = 0.1.
    assert!(selected.masses.iter().all(|mass| (mass - 3.6).abs() < 1e-15));
    assert_eq!(selected.strengths, [1.0; 12]);
}

#[test]
fn a_row_as_far_from_two_groups_is_in_neither() {
    let chain = |from: u32| (from..from + 3).map(|a| edge(a, a + 1, 1.0));
    let mut edges: Vec<Edge> = chain(0).chain(chain(4)).collect();
    edges.extend([edge(3, 8, 10.0), edge(4, 8, 10.0)]);
    let selected = hierarchy::select(9, edges.clone(), 4);
    assert_eq!((selected.masses.len(), selected.groups[8]), (2, None));
    // Nearer to one, it is in that one, wherever the rows stand.
    for (nearer, member) in [(6, 0), (7, 4)] {
        let mut edges = edges.clone();
        edges[nearer].apart = 90.0;
        let selected = hierarchy::select(9, edges, 4);
        let of_member = selected.groups[member];
        assert_eq!((selected.masses.len(), selected.groups[8]), (2, of_member));
    }
}

#[test]
fn what_arises_and_parts_at_one_distance_is_no_group() {
    let reach = |a: u32, apart: f64| Edge {
        apart,
        ..edge(a, a + 1, 10.0)
    };
    let chain = |from: u32| (from..from + 3).map(|a| reach(a, 4.0));
    let edges: Vec<Edge> = chain(0).chain(chain(4)).chain([reach(3, 100.0)]).collect();
    let selected = hierarchy::select(8, edges, 4);
    assert_eq!((selected.masses.len(), selected.groups), (0, vec![None; 8]));
}

#[test]
fn the_outer_group_is_kept_where_it_has_more_mass() {
    // Two pairs of chains; the chains of the first pair part late, those of the second early.
    let mut edges = Vec::new();
    for from in [0, 4, 8, 12] {
        edges.extend((from..from + 3).map(|a| edge(a, a + 1, 1.0)));
    }
    edges.extend([edge(3, 4, 1.2), edge(11, 12, 5.0), edge(7, 8, 10.0)]);
    let selected = hierarchy::select(16, edges, 4);
    assert_eq!(selected.masses.len(), 3);
    assert_eq!(selected.groups[0], selected.groups[7]);
    assert_ne!(selected.groups[8], selected.groups[15]);
}

#[test]
fn a_border_row_goes_to_its_nearest_core() {
    // Cores left and right, and a row between them that is none: nearer to the right, then nearer to the left.
    let rows = |between: f64| {
        let at = vec![-0.4, -0.3, -0.2, -0.1, 0.0, between, 1.7, 1.8, 1.9, 2.0, 2.1];
        dbscan::run(&Points { n_dims: 1, at }, 0.9, 5)
    };
    let found = rows(0.86);
    assert_eq!(found.standings.as_ref().unwrap()[5], super::Standing::Border);
    assert_eq!((found.n_groups, found.groups[5]), (2, found.groups[6]));
    let found = rows(0.84);
    assert_eq!((found.n_groups, found.groups[5]), (2, found.groups[4]));
}

#[test]
fn the_knee_is_where_distances_turn_upward() {
    let at: Vec<f64> = (0..20)
        .map(|idx| f64::from(idx) / 10.0)
        .chain([5.0, 9.0])
        .collect();
    let knee = dbscan::knee(&Points { n_dims: 1, at }, 3).unwrap();
    assert!(
        (knee - 0.2).abs() < 1e-12,
        "the ends of the row of points, before the two far ones: {knee}"
    );
    assert_eq!(
        dbscan::knee(
            &Points {
                n_dims: 1,
                at: vec![1.0; 9]
            },
            3
        ),
        None
    );
}

#[test]
fn agreement_is_that_of_its_definition() {
    let of = |ours: &[i32], theirs: &[i32]| {
        let groups = |labels: &[i32]| -> Vec<Option<u32>> {
            labels.iter().map(|label| u32::try_from(*label).ok()).collect()
        };
        let n_groups = |labels: &[i32]| labels.iter().map(|label| label + 1).max().unwrap() as usize;
        Table::of(&groups(ours), n_groups(ours), &groups(theirs), n_groups(theirs))
    };
    // sklearn.metrics.adjusted_rand_score.
    let table = of(&[0, 0, 1, 1], &[0, 0, 1, 2]);
    assert!((table.adjusted_rand() - 4.0 / 7.0).abs() < 1e-15);
    assert_eq!(of(&[0, 0, 1, 1, -1], &[1, 1, 0, 0, -1]).adjusted_rand(), 1.0);
    assert!((of(&[0, 0, 1, 1], &[0, 1, 0, 1]).adjusted_rand() + 0.5).abs() < 1e-15);
    assert_eq!(of(&[-1, -1], &[-1, -1]).adjusted_rand(), 1.0);
    assert_eq!(table.jaccard(), [Some(1.0), Some(0.5)]);
    assert_eq!(of(&[0, 0, 0, -1], &[0, -1, -1, 0]).jaccard(), [Some(0.25)]);
}

#[test]
fn an_empty_center_moves_to_the_farthest_point() {
    // Both seeds on the left pair leave one center empty once the other has everything.
    let points = Points {
        n_dims: 1,
        at: vec![0.0, 0.0, 4.0, 5.0, 9.0],
    };
    let means = kmeans::means(&points, &[(0, 0.0), (0, 0.0), (0, 16.0), (0, 25.0), (0, 81.0)], 2);
    assert_eq!(means, [18.0 / 5.0, 9.0]);
}

#[test]
fn a_point_as_near_to_two_centers_belongs_to_the_first() {
    let points = Points {
        n_dims: 1,
        at: vec![0.0, 1.0, 2.0],
    };
    let nearest: Vec<u32> = kmeans::assign(&points, &[0.0, 2.0])
        .into_iter()
        .map(|(center, _)| center)
        .collect();
    assert_eq!(nearest, [0, 0, 1]);
}
