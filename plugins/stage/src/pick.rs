//! Which mark a ray meets. The answer is a row key; an instance index never leaves this file.
//!
//! A ray meets what is drawn where it passes: the shape a mark has, turned as it is turned, no smaller than the smallest
//! that is drawn. Of several the one on top is met. What stands before the volume is on top, then the volume, then what
//! stands behind it; within the volume the nearer, on walls what is painted later. Of two at the same distance the one
//! that the plan lists later is met, which is painted over the other. Where nothing is hit, what is missed by the
//! smallest angle counts, up to the slack of the aim.

use std::cmp::Ordering;
use std::sync::OnceLock;

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

use crate::aim::{Aim, Passing};
use crate::brush::Brush;
use crate::bvh::Tree;
use crate::embodiment::Embodiment;
use crate::outline::{outline, reach};
use crate::scene::{Body, MarkSet, Scene};
use crate::solid::{self, room, through};
use crate::states::{HIDDEN, SetStates};

/// A mark that was met.
#[derive(Clone, Debug, PartialEq)]
pub struct Picked {
    /// Element of the plan.
    pub element_id: String,
    /// Primitive of the graph whose bindings say what the mark's place, color and shape mean.
    pub primitive_id: String,
    /// The row it stands for.
    pub row_key: String,
    /// Meters along the ray.
    pub distance: f32,
    /// Where it stands, meters in the stage frame.
    pub position: Vec3,
}

/// Asks what is under a ray.
#[derive(SystemParam)]
#[allow(
    missing_debug_implementations,
    reason = "a system parameter has no printable form"
)]
pub struct Picking<'w, 's> {
    embodiments: Query<'w, 's, &'static Embodiment>,
}

impl Picking<'_, '_> {
    /// The mark on top under the ray, of the view that is drawn; hidden views and hidden marks are not
    /// asked, and nothing is met while marks move from one view to the next.
    ///
    /// The cost does not grow with the number of marks in any way that a frame would notice. Only right after a large
    /// view was staged, the first answer waits until its index stands.
    #[must_use]
    pub fn pick(&self, aim: &Aim) -> Option<Picked> {
        let shown = self
            .embodiments
            .iter()
            .filter(|embodiment| embodiment.shown && embodiment.moving.is_none());
        shown
            .filter_map(|embodiment| {
                let states = embodiment.states.read();
                let met = embodiment.index.meet(&embodiment.scene, &states, aim)?;
                Some((embodiment, met))
            })
            .min_by(|one, other| one.1.before(&other.1))
            .map(|(embodiment, met)| picked(embodiment, &met))
    }
}

fn picked(embodiment: &Embodiment, met: &Met) -> Picked {
    let scene = &embodiment.scene;
    let element = scene.element_of(met.set);
    Picked {
        element_id: element.to_owned(),
        primitive_id: embodiment.primitives.get(element).cloned().unwrap_or_default(),
        row_key: scene.keys_of(met.set)[met.mark].to_string(),
        distance: met.distance,
        position: scene.bounds_of(met.set, met.mark).middle(),
    }
}

/// One mark met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Met {
    /// Beyond the mark's outline, meters for each meter of distance; 0 for a hit.
    pub(crate) miss: f32,
    pub(crate) layer: Layer,
    /// Meters along the ray.
    pub(crate) distance: f32,
    pub(crate) set: usize,
    pub(crate) mark: usize,
}

/// What is painted over what, topmost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Layer {
    InFront,
    Volume,
    /// What can be seen through, and is met where nothing solid is.
    Sheer,
    Behind,
}

impl Met {
    /// Less is preferred: hit before near miss, what is on top before what is under it.
    pub(crate) fn before(&self, other: &Self) -> Ordering {
        let depth = |met: &Self| match met.layer {
            Layer::Volume | Layer::Sheer => met.distance,
            Layer::InFront | Layer::Behind => 0.0,
        };
        self.miss
            .total_cmp(&other.miss)
            .then(self.layer.cmp(&other.layer))
            .then(depth(self).total_cmp(&depth(other)))
            .then(other.set.cmp(&self.set))
            .then(other.mark.cmp(&self.mark))
    }
}

/// What makes a scene quick to ask: a tree over the marks of each element that has rows.
#[derive(Debug, Default)]
pub(crate) struct Index {
    trees: OnceLock<Vec<Option<Grown>>>,
}

/// A tree with how far its marks reach.
#[derive(Debug)]
struct Grown {
    tree: Tree,
    /// Half of the largest diameter, meters.
    radius: f32,
    /// Of the shape that reaches farthest, radii.
    reach: f32,
}

impl Index {
    /// Builds it, once, on whatever thread this is.
    pub(crate) fn build(&self, scene: &Scene) {
        self.trees(scene);
    }

    /// Bytes in memory, once it is built.
    pub(crate) fn bytes(&self) -> Option<usize> {
        let trees = self.trees.get()?;
        Some(trees.iter().flatten().map(|grown| grown.tree.bytes()).sum())
    }

    fn trees(&self, scene: &Scene) -> &[Option<Grown>] {
        self.trees
            .get_or_init(|| (0..scene.n_sets()).map(|set| Grown::over(scene, set)).collect())
    }

    /// Marks of a set that a brush takes in, hidden or not.
    pub(crate) fn brushed(&self, scene: &Scene, set: usize, brush: &Brush, mut take: impl FnMut(usize)) {
        if let Some(Some(grown)) = self.trees(scene).get(set) {
            grown.tree.within(
                |bounds| brush.lies(bounds),
                |mark, is_inside| {
                    let mark = mark as usize;
                    if is_inside || brush.holds(scene.bounds_of(set, mark).middle()) {
                        take(mark);
                    }
                },
            );
        }
    }

    /// The mark on top of those that are not hidden.
    pub(crate) fn meet(&self, scene: &Scene, states: &[SetStates], aim: &Aim) -> Option<Met> {
        let slacks = [0.0, aim.slack];
        slacks[..if aim.slack > 0.0 { 2 } else { 1 }]
            .iter()
            .find_map(|slack| {
                let sets = self.trees(scene).iter().enumerate();
                sets.filter_map(|(set, grown)| {
                    let asked = Asked::of(scene, set, aim, *slack)?;
                    asked.meet(grown.as_ref()?, states.get(set))
                })
                .min_by(Met::before)
            })
    }

    /// The same by asking every mark: what the tree is held against.
    #[cfg(test)]
    pub(crate) fn meet_by_asking_all(scene: &Scene, states: &[SetStates], aim: &Aim) -> Option<Met> {
        (0..scene.n_sets())
            .filter(|set| !scene.element_of(*set).is_empty())
            .filter_map(|set| Asked::of(scene, set, aim, aim.slack))
            .flat_map(|asked| (0..scene.count_of(asked.set)).filter_map(move |mark| asked.one(mark)))
            .filter(|met| {
                states
                    .get(met.set)
                    .is_none_or(|set| set.get(met.mark) & HIDDEN == 0)
            })
            .min_by(Met::before)
    }
}

impl Grown {
    fn over(scene: &Scene, set: usize) -> Option<Self> {
        if scene.element_of(set).is_empty() {
            return None;
        }
        let count = u32::try_from(scene.count_of(set)).unwrap_or(u32::MAX);
        let tree = Tree::over(count, |mark| scene.bounds_of(set, mark as usize));
        if let Some(solids) = scene.solids_of(set) {
            let radius = solids
                .solids
                .iter()
                .map(|solid| 0.5 * solid.width)
                .fold(0.0, f32::max);
            return Some(Self {
                tree,
                radius,
                reach: 1.0,
            });
        }
        let set = &scene.sets[set];
        let most = |of: fn(&crate::scene::Mark) -> f32| set.marks.iter().map(of).fold(0.0, f32::max);
        Some(Self {
            tree,
            radius: most(|mark| 0.5 * mark.diameter),
            reach: most(|mark| reach(mark.look)),
        })
    }
}

/// One set, asked by one ray.
#[derive(Clone, Copy)]
struct Asked<'a> {
    scene: &'a Scene,
    set: usize,
    aim: &'a Aim,
    layer: Layer,
    passing: Passing,
    slack: f32,
}

impl<'a> Asked<'a> {
    fn of(scene: &'a Scene, set: usize, aim: &'a Aim, slack: f32) -> Option<Self> {
        let marks = scene.sets.get(set);
        Some(Self {
            scene,
            set,
            aim,
            layer: match scene.solids_of(set) {
                Some(solids) if solids.is_sheer() => Layer::Sheer,
                Some(_) => Layer::Volume,
                None => layer(scene, marks?, aim.eye.place),
            },
            passing: Passing::before(aim, marks.and_then(|marks| marks.plane))?,
            slack,
        })
    }

    fn meet(&self, grown: &Grown, states: Option<&SetStates>) -> Option<Met> {
        let mut best: Option<Met> = None;
        let boxes = self
            .scene
            .solids_of(self.set)
            .is_some_and(|solids| solids.body == Body::Boxes);
        let by_miss = self.slack > 0.0;
        let worth = |best: &Option<Met>| match best {
            None => f32::MAX,
            Some(met) if by_miss => met.miss,
            Some(met) if matches!(self.layer, Layer::Volume | Layer::Sheer) => met.distance,
            // On a wall nothing is nearer: whatever is hit is looked at.
            Some(_) => f32::MAX,
        };
        grown.tree.search(
            |bounds| {
                if boxes {
                    let (enter, _) = through(self.aim, bounds, room(self.aim, bounds, self.slack) + 1e-5)?;
                    return Some(if by_miss { 0.0 } else { enter });
                }
                let nearby = self.passing.pass_all(bounds.middle(), bounds.half())?;
                let room = nearby.beside - grown.reach * grown.radius.max(nearby.least);
                if room > self.slack * nearby.weight {
                    return None;
                }
                Some(if by_miss {
                    room.max(0.0) / nearby.weight
                } else {
                    nearby.distance
                })
            },
            f32::MAX,
            |mark| {
                let is_hidden = states.is_some_and(|states| states.get(mark as usize) & HIDDEN != 0);
                if !is_hidden
                    && let Some(met) = self.one(mark as usize)
                    && best.is_none_or(|best| met.before(&best) == Ordering::Less)
                {
                    best = Some(met);
                }
                worth(&best)
            },
        );
        best
    }

    fn one(&self, mark: usize) -> Option<Met> {
        if let Some(solids) = self.scene.solids_of(self.set) {
            let solid = &solids.solids[mark];
            let (miss, distance) = solid::meet(self.aim, &self.passing, solids.body, solid, self.slack)?;
            return Some(Met {
                miss,
                layer: self.layer,
                distance,
                set: self.set,
                mark,
            });
        }
        let at = &self.scene.sets[self.set].marks[mark];
        let passed = self.passing.pass(Vec3::from_array(at.position))?;
        let radius = (0.5 * at.diameter).max(passed.least);
        if passed.beside.length() > reach(at.look) * radius + self.slack * passed.weight {
            return None;
        }
        let beyond = if radius > 0.0 {
            outline(at.look, passed.beside / radius) * radius
        } else {
            // A point is nothing that can be hit, and can be missed by little.
            passed.beside.length()
        };
        let miss = (beyond / passed.weight).max(0.0);
        (miss <= self.slack).then_some(Met {
            miss,
            layer: self.layer,
            distance: passed.distance,
            set: self.set,
            mark,
        })
    }
}

/// When a set is painted: walls by whether the volume lies before or behind them, as where they are drawn.
fn layer(scene: &Scene, set: &MarkSet, eye: Vec3) -> Layer {
    if set.plane.is_none() {
        return Layer::Volume;
    }
    let Some((low, high)) = scene.volume else {
        return Layer::Behind;
    };
    let slack = Vec3::splat(1e-4);
    let below = set.high.cmple(low + slack) & eye.cmplt(low);
    let above = set.low.cmpge(high - slack) & eye.cmpgt(high);
    if (below | above).any() {
        Layer::InFront
    } else {
        Layer::Behind
    }
}
