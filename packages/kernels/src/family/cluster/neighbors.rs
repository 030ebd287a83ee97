//! A k-d tree: near points without looking at all pairs.
//!
//! J. L. Bentley, Multidimensional binary search trees used for associative searching, Communications of the ACM 18
//! (1975) 509. A node's box bounds each distance from below in the same arithmetic as the distance itself (rounding is
//! monotone, and the squares are added in the same order), so pruning never changes an answer. Build O(n log² n), memory
//! O(n); a query takes O(log n) where the points are spread out, O(n) at worst.

use rayon::prelude::*;

use crate::family::space::Points;

/// Points in a node that is not divided further.
const LEAF_SIZE: usize = 12;

pub(super) struct Tree<'p> {
    pub(super) points: &'p Points,
    /// Places, node by node.
    order: Vec<u32>,
    /// Children stand after their parents.
    pub(super) nodes: Vec<Node>,
    /// Least and greatest coordinate of each node by dimension.
    boxes: Vec<f64>,
}

#[derive(Clone, Copy)]
pub(super) struct Node {
    from: u32,
    to: u32,
    /// Both children; none for a leaf.
    pub(super) children: Option<(u32, u32)>,
}

impl<'p> Tree<'p> {
    pub(super) fn of(points: &'p Points) -> Self {
        let n = points.n();
        let mut tree = Self {
            points,
            order: (0..n as u32).collect(),
            nodes: Vec::with_capacity(2 * n / LEAF_SIZE + 1),
            boxes: Vec::new(),
        };
        tree.divide(0, n);
        tree
    }

    fn divide(&mut self, from: usize, to: usize) -> u32 {
        let points = self.points;
        let node_idx = self.nodes.len();
        self.nodes.push(Node {
            from: from as u32,
            to: to as u32,
            children: None,
        });
        let (mut widest, mut width) = (0, -1.0);
        for dim in 0..points.n_dims {
            let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
            for place in &self.order[from..to] {
                let x = points.point(*place as usize)[dim];
                (least, greatest) = (x.min(least), x.max(greatest));
            }
            self.boxes.extend([least, greatest]);
            if greatest - least > width {
                (widest, width) = (dim, greatest - least);
            }
        }
        if to - from > LEAF_SIZE {
            let middle = (to - from) / 2;
            self.order[from..to].select_nth_unstable_by(middle, |a, b| {
                let along = |place: &u32| points.point(*place as usize)[widest];
                along(a).total_cmp(&along(b)).then(a.cmp(b))
            });
            let left = self.divide(from, from + middle);
            let right = self.divide(from + middle, to);
            self.nodes[node_idx].children = Some((left, right));
        }
        node_idx as u32
    }

    /// The places of a node.
    pub(super) fn members(&self, node: &Node) -> &[u32] {
        &self.order[node.from as usize..node.to as usize]
    }

    /// No point of the node is nearer to `point`, squared.
    pub(super) fn at_least(&self, node_idx: u32, point: &[f64]) -> f64 {
        let width = 2 * point.len();
        let bounds = &self.boxes[node_idx as usize * width..][..width];
        let gap = |(dim, x): (usize, &f64)| {
            let (least, greatest) = (bounds[2 * dim], bounds[2 * dim + 1]);
            let gap = if *x < least {
                least - x
            } else if *x > greatest {
                x - greatest
            } else {
                0.0
            };
            gap * gap
        };
        point.iter().enumerate().map(gap).sum()
    }

    /// The squared distance from each point to its `k`-th nearest, itself the first.
    pub(super) fn kth_squared(&self, k: usize) -> Vec<f64> {
        let one = |place: usize| {
            let mut nearest = Vec::with_capacity(k + 1);
            self.gather(0, self.points.point(place), k, &mut nearest);
            nearest.last().copied().unwrap_or(0.0)
        };
        (0..self.points.n()).into_par_iter().map(one).collect()
    }

    fn gather(&self, node_idx: u32, point: &[f64], k: usize, nearest: &mut Vec<f64>) {
        let node = self.nodes[node_idx as usize];
        if let Some((left, right)) = node.children {
            let (to_left, to_right) = (self.at_least(left, point), self.at_least(right, point));
            let mut both = [(to_left, left), (to_right, right)];
            if to_right < to_left {
                both.swap(0, 1);
            }
            for (bound, child) in both {
                if nearest.len() < k || nearest.last().is_some_and(|farthest| bound < *farthest) {
                    self.gather(child, point, k, nearest);
                }
            }
            return;
        }
        for place in self.members(&node) {
            let squared = crate::family::space::distance_squared(point, self.points.point(*place as usize));
            if nearest.len() < k || nearest.last().is_some_and(|farthest| squared < *farthest) {
                let at = nearest.partition_point(|other| *other <= squared);
                nearest.insert(at, squared);
                nearest.truncate(k);
            }
        }
    }

    /// Every place no farther from `point` than `radius`, with its squared distance, in the order of the tree.
    pub(super) fn within(&self, point: &[f64], radius: f64, visit: &mut impl FnMut(usize, f64)) {
        let mut stack = vec![0_u32];
        while let Some(node_idx) = stack.pop() {
            // The root is rounded once and monotone, so this excludes nothing that is near enough.
            if self.at_least(node_idx, point).sqrt() > radius {
                continue;
            }
            let node = self.nodes[node_idx as usize];
            if let Some((left, right)) = node.children {
                stack.extend([right, left]);
                continue;
            }
            for place in self.members(&node) {
                let other = self.points.point(*place as usize);
                let squared = crate::family::space::distance_squared(point, other);
                if squared.sqrt() <= radius {
                    visit(*place as usize, squared);
                }
            }
        }
    }
}
