//! From one view to the next: marks of rows that both have move from the old place to the new, the others come and go.
//!
//! A picture in motion is no data. It says so, it has neither axes nor grid nor legend nor words of either view, and rays
//! meet nothing in it. The view that is in force is the new one from the swap on; the old one is gone from the app, and only
//! places of its marks are kept until the new ones stand. In each frame a single number is written, however many marks
//! there are. Marks have their new look from the start.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bevy::prelude::*;
use knowledge::wire::v1::DeviceClass;

use crate::banner::Banner;
use crate::embodiment::Embodiment;
use crate::plugin::Letters;
use crate::scene::{Mark, MarkSet, Scene};
use crate::states::HIDDEN;
use crate::text::{Align, Atlas, Facing, Label, Typeface, VerticalAlign, Weight, letters};
use crate::theme::Ink;

/// Whether views move into each other, and how long that takes. Without motion one picture follows the other at once.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// A cut: for who asked for reduced motion, and where nobody looks.
    #[default]
    Reduced,
    /// So long, from 300 to 800 milliseconds; what is outside is taken to the nearer end.
    Smooth(Duration),
}

/// How the last view came in place of the one before.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub enum Passage {
    /// No view has come in place of another yet.
    #[default]
    Unseen,
    /// At once, and why.
    Cut(WhyCut),
    /// In motion.
    Moved {
        /// Marks that moved from an old place.
        n_moved: usize,
        /// Marks that were not there before.
        n_entered: usize,
        /// Marks of the old view that went.
        n_left: usize,
        /// For so long.
        duration: Duration,
    },
}

/// Why there was no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyCut {
    /// Reduced motion is set.
    Reduced,
    /// One of the views has more marks than [`MOST_IN_MOTION`].
    Marks(usize),
    /// The device has no room for the places of both.
    Device,
}

/// Marks of a view, all elements together, up to which it moves.
pub const MOST_IN_MOTION: usize = 200_000;

const SHORTEST: Duration = Duration::from_millis(300);
const LONGEST: Duration = Duration::from_millis(800);

impl Motion {
    fn duration(self) -> Option<Duration> {
        match self {
            Self::Reduced => None,
            Self::Smooth(duration) => Some(duration.clamp(SHORTEST, LONGEST)),
        }
    }
}

/// Where marks of a view come from, and which go.
#[derive(Debug)]
pub(crate) struct Trails {
    /// For each set of the new view a place a mark: middle and diameter. A diameter of 0 where the mark enters.
    pub(crate) origins: Vec<Vec<[f32; 4]>>,
    /// What goes.
    pub(crate) leaving: Vec<MarkSet>,
    /// The words over a picture in motion.
    pub(crate) label: Scene,
    /// Set by the renderer when the device has no room for them.
    pub(crate) is_too_large: AtomicBool,
}

/// A view on its way.
#[derive(Clone, Debug)]
pub(crate) struct Moving {
    pub(crate) trails: Arc<Trails>,
    elapsed: Duration,
    duration: Duration,
}

impl Moving {
    /// From 0 to 1, slow at both ends.
    pub(crate) fn t(&self) -> f32 {
        ease((self.elapsed.as_secs_f32() / self.duration.as_secs_f32()).clamp(0.0, 1.0))
    }
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// Sets the new view in motion from the old one, or records why it cuts.
pub(crate) fn begin(world: &mut World, old: Entity, new: Entity, device: DeviceClass) {
    let motion = *world.get_resource_or_init::<Motion>();
    let (Some(from), Some(to)) = (world.get::<Embodiment>(old), world.get::<Embodiment>(new)) else {
        return;
    };
    let most = from.mark_count().max(to.mark_count());
    let Some(duration) = motion.duration() else {
        return world.insert_resource(Passage::Cut(WhyCut::Reduced));
    };
    if most > MOST_IN_MOTION {
        return world.insert_resource(Passage::Cut(WhyCut::Marks(most)));
    }
    let (origins, leaving, n_moved) = trails(from, to);
    let is_study = to.scene.banner.is_some();
    let n_marks = to.mark_count();
    let n_left = leaving.iter().map(|set| set.marks.len()).sum();
    let Some(mut face) = world.get_resource_mut::<Letters>() else {
        return;
    };
    let label = label(device, is_study, &mut face.0);
    let trails = Arc::new(Trails {
        origins,
        leaving,
        label,
        is_too_large: AtomicBool::new(false),
    });
    if let Some(mut to) = world.get_mut::<Embodiment>(new) {
        to.moving = Some(Moving {
            trails,
            elapsed: Duration::ZERO,
            duration,
        });
    }
    world.insert_resource(Passage::Moved {
        n_moved,
        n_entered: n_marks - n_moved,
        n_left,
        duration,
    });
}

/// A step of whatever is on its way; in the frame after the last it stands.
pub(crate) fn advance(
    time: Option<Res<Time<Real>>>,
    motion: Res<Motion>,
    mut embodiments: Query<&mut Embodiment>,
    mut commands: Commands,
) {
    let delta = time.map_or(Duration::ZERO, |time| time.delta());
    for mut embodiment in &mut embodiments {
        let Some(moving) = &embodiment.moving else {
            continue;
        };
        let is_too_large = moving.trails.is_too_large.load(Ordering::Relaxed);
        let elapsed = moving.elapsed + delta;
        if is_too_large || *motion == Motion::Reduced || elapsed >= moving.duration {
            embodiment.moving = None;
            if is_too_large {
                commands.insert_resource(Passage::Cut(WhyCut::Device));
            }
        } else if let Some(moving) = &mut embodiment.moving {
            moving.elapsed = elapsed;
        }
    }
}

/// Marks that two sets can hand over: of the same element, or those that fill space.
fn corresponds(old: &MarkSet, new: &MarkSet) -> bool {
    let fills = |set: &MarkSet| set.plane.is_none();
    old.plane == new.plane && (old.element == new.element || fills(old) && fills(new))
}

fn trails(from: &Embodiment, to: &Embodiment) -> (Vec<Vec<[f32; 4]>>, Vec<MarkSet>, usize) {
    let states = from.states.read();
    let is_row = |set: &&MarkSet| !set.element.is_empty();
    // Places by key of each old set; a mark that was hidden comes from nowhere and goes nowhere.
    let mut waiting: Vec<BTreeMap<&str, &Mark>> = Vec::new();
    for (set, states) in from.scene.sets.iter().zip(states.iter()) {
        let marks = set.keys.iter().zip(&set.marks).enumerate();
        waiting.push(
            marks
                .filter(|(at, _)| states.get(*at) & HIDDEN == 0)
                .map(|(_, (key, mark))| (&**key, mark))
                .collect(),
        );
    }
    let mut n_moved = 0;
    let mut origins = Vec::new();
    for set in &to.scene.sets {
        let sources: Vec<usize> = from
            .scene
            .sets
            .iter()
            .enumerate()
            .filter(|(_, old)| is_row(old) && is_row(&set) && corresponds(old, set))
            .map(|(at, _)| at)
            .collect();
        let place = |at: [f32; 3], diameter| [at[0], at[1], at[2], diameter];
        let of = |(row, mark): (usize, &Mark)| {
            let key = set.keys.get(row)?;
            let old = sources.iter().find_map(|at| waiting[*at].remove(&**key))?;
            n_moved += 1;
            Some(place(old.position, old.diameter)).filter(|_| mark.diameter > 0.0)
        };
        let mut of = of;
        let marks = set.marks.iter().enumerate();
        origins.push(
            marks
                .map(|(row, mark)| {
                    // Symbols of the legend are not drawn in motion, and stand still.
                    let still = if set.element.is_empty() {
                        mark.diameter
                    } else {
                        0.0
                    };
                    of((row, mark)).unwrap_or(place(mark.position, still))
                })
                .collect(),
        );
    }
    let leaving = from
        .scene
        .sets
        .iter()
        .zip(waiting)
        .filter(|(set, left)| is_row(set) && !left.is_empty())
        .map(|(set, left)| MarkSet {
            keys: left.keys().map(|key| Box::from(*key)).collect(),
            marks: left.into_values().copied().collect(),
            ..set.clone()
        })
        .collect();
    (origins, leaving, n_moved)
}

/// What stands over a picture in motion; on a monitor it stands still before the viewer.
fn label(device: DeviceClass, is_study: bool, face: &mut Typeface) -> Scene {
    let mut scene = Scene::empty();
    let (anchor, facing) = match device {
        DeviceClass::DesktopMonitor => ([0.0, -0.8, 3.2], Facing::Still),
        DeviceClass::PcvrHeadset | DeviceClass::StandaloneHeadset => ([0.5, 1.5, 0.0], Facing::Viewer),
    };
    let words = Label {
        text: "Marks are moving to another view: not data until they stand",
        anchor,
        cap_height: 0.03,
        align: Align::Center,
        valign: VerticalAlign::Middle,
        facing,
        along: None,
        ink: Ink::Caveat,
        weight: Weight::SemiBold,
        wrap_width: None,
    };
    letters(&words, face, &mut scene.atlas, &mut scene.letters);
    if is_study {
        // The bundled typeface has the letters of these words, so the border and the words are there.
        if let Err(error) = Banner::study().put_over(&mut scene, device, face) {
            error!("a view for a study alone is in motion without its mark: {error}");
        }
    }
    scene
}

impl Scene {
    /// A scene of nothing.
    pub(crate) fn empty() -> Self {
        Self {
            sets: Vec::new(),
            lines: Vec::new(),
            surfaces: Vec::new(),
            solids: Vec::new(),
            letters: Vec::new(),
            atlas: Atlas::new(),
            volume: None,
            banner: None,
        }
    }
}
