//! Boxes over many small things: a balanced tree in two flat arrays, built once, asked for a nearest thing or for all within.
//!
//! Things are put in the order of a Morton curve (Lauterbach et al., Fast BVH construction on GPUs, 2009) and cut into
//! leaves of equal size, so the tree has no pointers: node `i` has the children `2i + 1` and `2i + 2`. Building takes one
//! sort; a search takes boxes front to back and stops where no box can hold anything better.

use bevy::math::Vec3;

/// Things a leaf holds at most.
const LEAF: usize = 16;

/// Cells along one side of the Morton grid: 21 bits an axis in 64 bits.
const CELLS: f32 = 2_097_151.0;

/// A box along the axes, meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
}

impl Bounds {
    /// What has no place.
    pub(crate) const NOTHING: Self = Self {
        low: Vec3::MAX,
        high: Vec3::MIN,
    };

    pub(crate) fn at(place: Vec3) -> Self {
        Self {
            low: place,
            high: place,
        }
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    pub(crate) fn middle(self) -> Vec3 {
        0.5 * self.low + 0.5 * self.high
    }

    /// From the middle to a face, by axis.
    pub(crate) fn half(self) -> Vec3 {
        0.5 * self.high - 0.5 * self.low
    }
}

/// How a box lies to the room that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lies {
    Outside,
    Across,
    Inside,
}

/// The tree. Its answers are indices of things, in no order that means anything.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    /// Things in the order of the curve.
    order: Box<[u32]>,
    /// Inner nodes, then leaves.
    nodes: Box<[Bounds]>,
}

impl Tree {
    /// Over things 0 to `count`, each with its bounds.
    pub(crate) fn over(count: u32, bounds: impl Fn(u32) -> Bounds) -> Self {
        if count == 0 {
            return Self::default();
        }
        let all = (0..count).fold(Bounds::NOTHING, |all, thing| all.with(bounds(thing)));
        // Halves of the largest extent can't overflow where the extent itself could.
        let scale = CELLS * 0.5 / all.half().max(Vec3::splat(f32::MIN_POSITIVE * CELLS));
        let mut keyed: Vec<(u64, u32)> = (0..count)
            .map(|thing| {
                let cell = (bounds(thing).middle() - all.low) * scale;
                (morton(cell.to_array()), thing)
            })
            .collect();
        keyed.sort_unstable();
        let order: Box<[u32]> = keyed.into_iter().map(|(_, thing)| thing).collect();
        let leaves = order.len().div_ceil(LEAF).next_power_of_two();
        let mut nodes = vec![Bounds::NOTHING; 2 * leaves - 1].into_boxed_slice();
        for leaf in 0..leaves {
            let things = &order[share(order.len(), leaves, leaf)];
            nodes[leaves - 1 + leaf] = things
                .iter()
                .fold(Bounds::NOTHING, |all, thing| all.with(bounds(*thing)));
        }
        for node in (0..leaves - 1).rev() {
            nodes[node] = nodes[2 * node + 1].with(nodes[2 * node + 2]);
        }
        Self { order, nodes }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.order) + size_of_val(&*self.nodes)
    }

    /// Goes from box to box, the more promising first. `bound` says what the best thing in a box could be worth, smaller
    /// is better, or that nothing in it counts; `visit` is told a thing and answers what is best so far. Boxes that could
    /// hold something as good as the best are still visited, so that whoever visits breaks ties.
    pub(crate) fn search(
        &self,
        bound: impl Fn(&Bounds) -> Option<f32>,
        mut best: f32,
        mut visit: impl FnMut(u32) -> f32,
    ) {
        let inner = self.nodes.len() / 2;
        let Some(first) = self.nodes.first().and_then(&bound) else {
            return;
        };
        let mut waiting = vec![(0_usize, first)];
        while let Some((node, worth)) = waiting.pop() {
            if worth > best {
                continue;
            }
            if node >= inner {
                for thing in self.leaf(node - inner) {
                    best = visit(*thing);
                }
                continue;
            }
            let children = [2 * node + 1, 2 * node + 2].map(|child| (child, bound(&self.nodes[child])));
            let [one, other] = children;
            let is_one_better = one.1.unwrap_or(f32::MAX) <= other.1.unwrap_or(f32::MAX);
            for (child, worth) in if is_one_better { [other, one] } else { [one, other] } {
                if let Some(worth) = worth {
                    waiting.push((child, worth));
                }
            }
        }
    }

    /// Visits every thing whose box does not lie outside; `true` beside those whose box lies inside as a whole.
    pub(crate) fn within(&self, lies: impl Fn(&Bounds) -> Lies, mut visit: impl FnMut(u32, bool)) {
        let inner = self.nodes.len() / 2;
        let mut waiting = Vec::new();
        if !self.nodes.is_empty() {
            waiting.push((0_usize, false));
        }
        while let Some((node, is_inside)) = waiting.pop() {
            let lies = if is_inside {
                Lies::Inside
            } else {
                lies(&self.nodes[node])
            };
            if lies == Lies::Outside {
                continue;
            }
            if node >= inner {
                for thing in self.leaf(node - inner) {
                    visit(*thing, lies == Lies::Inside);
                }
            } else {
                waiting.push((2 * node + 2, lies == Lies::Inside));
                waiting.push((2 * node + 1, lies == Lies::Inside));
            }
        }
    }

    fn leaf(&self, leaf: usize) -> &[u32] {
        &self.order[share(self.order.len(), self.nodes.len() / 2 + 1, leaf)]
    }
}

/// What one of `parts` equal parts has of `count` things.
fn share(count: usize, parts: usize, part: usize) -> std::ops::Range<usize> {
    count * part / parts..count * (part + 1) / parts
}

/// Interleaved bits of three coordinates from 0 to [`CELLS`].
fn morton(cell: [f32; 3]) -> u64 {
    // A float that is no number becomes 0, one that is too large the largest.
    let [x, y, z] = cell.map(|at| spread(at.clamp(0.0, CELLS) as u64));
    x | y << 1 | z << 2
}

/// Puts two zeros after each of 21 bits.
fn spread(bits: u64) -> u64 {
    let mut bits = bits & 0x1F_FFFF;
    bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF;
    bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF;
    bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F;
    bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}
