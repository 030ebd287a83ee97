//! The minimum spanning tree of mutual reachability distances, without looking at all pairs.
//!
//! The mutual reachability distance of two points is the greatest of their distance and both core distances (Campello,
//! Moulavi, Sander 2013). Borůvka's algorithm (O. Borůvka, Práce Moravské přírodovědecké společnosti 3 (1926) 37) joins
//! each component to its nearest other one, found in a k-d tree whose nodes inside one component are passed over. A row
//! has its core distance to every row that is nearer than that, so mutual reachability ties by construction; of tied
//! pairs the nearer one comes first. Where both tie, several trees are minimum; all of them join the same points at the
//! same distances, and only that is read off. About O(n log² n) where the points are spread out; memory O(n).

use super::neighbors::Tree;

/// An edge of the tree: both places, their mutual reachability distance and, squared, their own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edge {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) distance: f64,
    pub(super) apart: f64,
}

/// Mutual reachability and distance, both squared; the lesser comes first.
type Reach = (f64, f64);

/// Sets that are joined.
pub(super) struct Sets {
    parents: Vec<u32>,
}

impl Sets {
    pub(super) fn new(n: usize) -> Self {
        Self {
            parents: (0..n as u32).collect(),
        }
    }

    pub(super) fn root(&mut self, mut place: u32) -> u32 {
        while self.parents[place as usize] != place {
            let above = self.parents[self.parents[place as usize] as usize];
            self.parents[place as usize] = above;
            place = above;
        }
        place
    }

    /// Joins both sets under the lesser root; tells whether they were two.
    pub(super) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }
}

/// More than one component.
const MIXED: u32 = u32::MAX;

struct Search<'t, 'p> {
    tree: &'t Tree<'p>,
    core: &'t [f64],
    /// The least squared core distance in each node.
    least_core: Vec<f64>,
    /// The component of each point and of each node.
    of_point: Vec<u32>,
    of_node: Vec<u32>,
    /// The nearest other point that was found for each component: from, to.
    best: Vec<(Reach, u32, u32)>,
}

/// The edges of a minimum spanning tree; `core` are squared core distances.
pub(super) fn minimum_tree(tree: &Tree<'_>, core: &[f64]) -> Vec<Edge> {
    let n = core.len();
    let mut least_core = vec![f64::INFINITY; tree.nodes.len()];
    for (idx, node) in tree.nodes.iter().enumerate().rev() {
        least_core[idx] = match node.children {
            Some((left, right)) => least_core[left as usize].min(least_core[right as usize]),
            None => {
                let cores = tree.members(node).iter().map(|place| core[*place as usize]);
                cores.fold(f64::INFINITY, f64::min)
            }
        };
    }
    let mut search = Search {
        tree,
        core,
        least_core,
        of_point: (0..n as u32).collect(),
        of_node: vec![MIXED; tree.nodes.len()],
        best: Vec::new(),
    };
    let mut sets = Sets::new(n);
    let mut edges = Vec::with_capacity(n.saturating_sub(1));
    while edges.len() + 1 < n {
        search.look(n);
        let n_before = edges.len();
        for component in 0..n as u32 {
            let ((reach, apart), from, to) = search.best[component as usize];
            if reach.is_finite() && sets.join(from, to) {
                edges.push(Edge {
                    a: from.min(to),
                    b: from.max(to),
                    distance: reach.sqrt(),
                    apart,
                });
            }
        }
        // Every component has a nearest other one as long as distances are finite, which the space sees to.
        if edges.len() == n_before {
            break;
        }
        for place in 0..n as u32 {
            search.of_point[place as usize] = sets.root(place);
        }
    }
    edges
}

impl Search<'_, '_> {
    /// Finds the nearest other point for every component.
    fn look(&mut self, n: usize) {
        for (idx, node) in self.tree.nodes.iter().enumerate().rev() {
            self.of_node[idx] = match node.children {
                Some((left, right)) => {
                    let (left, right) = (self.of_node[left as usize], self.of_node[right as usize]);
                    if left == right { left } else { MIXED }
                }
                None => {
                    let members = self.tree.members(node);
                    let first = self.of_point[members[0] as usize];
                    let all = members
                        .iter()
                        .all(|place| self.of_point[*place as usize] == first);
                    if all { first } else { MIXED }
                }
            };
        }
        self.best = vec![((f64::INFINITY, f64::INFINITY), 0, 0); n];
        for place in 0..n as u32 {
            let component = self.of_point[place as usize];
            if self.core[place as usize] <= self.best[component as usize].0.0 {
                self.descend(0, place, component);
            }
        }
    }

    fn descend(&mut self, node_idx: u32, place: u32, component: u32) {
        if self.of_node[node_idx as usize] == component {
            return;
        }
        let tree = self.tree;
        let point = tree.points.point(place as usize);
        let node = tree.nodes[node_idx as usize];
        if let Some((left, right)) = node.children {
            let (to_left, to_right) = (tree.at_least(left, point), tree.at_least(right, point));
            let mut both = [(to_left, left), (to_right, right)];
            if to_right < to_left {
                both.swap(0, 1);
            }
            for (bound, child) in both {
                let reach = bound
                    .max(self.least_core[child as usize])
                    .max(self.core[place as usize]);
                if (reach, bound) < self.best[component as usize].0 {
                    self.descend(child, place, component);
                }
            }
            return;
        }
        for other in tree.members(&node) {
            if self.of_point[*other as usize] == component {
                continue;
            }
            let apart = tree.points.distance_squared(place as usize, *other as usize);
            let cores = self.core[place as usize].max(self.core[*other as usize]);
            let reach = (cores.max(apart), apart);
            if reach < self.best[component as usize].0 {
                self.best[component as usize] = (reach, place, *other);
            }
        }
    }
}
