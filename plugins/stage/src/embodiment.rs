//! The entities of an embodiment: one root with one child an element. Only this crate makes them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use identity::Digest;

use crate::brush::Brush;
use crate::draw::Progress;
use crate::motion::Moving;
use crate::pick::Index;
use crate::roll::Roll;
use crate::scene::Scene;
use crate::states::{HIDDEN, States};

/// The root of a staged or shown view. It can be found and asked, never made, outside this crate.
#[derive(Component, Debug)]
pub struct Embodiment {
    pub(crate) number: u64,
    pub(crate) scene: Arc<Scene>,
    pub(crate) index: Arc<Index>,
    pub(crate) roll: Arc<OnceLock<Arc<Roll>>>,
    pub(crate) states: Arc<States>,
    /// Digest of the backend plan it was read from.
    pub(crate) backend: Option<Digest>,
    /// Primitive of the graph, by element of the plan.
    pub(crate) primitives: BTreeMap<String, String>,
    pub(crate) progress: Arc<Progress>,
    pub(crate) shown: bool,
    /// Set while its marks come from another view.
    pub(crate) moving: Option<Moving>,
    /// Whether it is drawn as history; then nothing is in force under it.
    pub(crate) is_history: bool,
    pub(crate) emphasis: Vec<Option<u32>>,
}

/// Marks from which on an index is built on another thread, before anybody asks.
const MANY: usize = 20_000;

impl Embodiment {
    /// Over a scene that is not drawn yet.
    pub(crate) fn over(number: u64, scene: Scene) -> Self {
        let emphasis = vec![None; scene.sets.len()];
        let scene = Arc::new(scene);
        let (index, roll) = (Arc::new(Index::default()), Arc::new(OnceLock::new()));
        let states = Arc::new(States::of(&scene));
        let count: usize = (0..scene.n_sets()).map(|set| scene.count_of(set)).sum();
        if count > MANY
            && let Some(pool) = AsyncComputeTaskPool::try_get()
        {
            let (scene, index, roll) = (Arc::clone(&scene), Arc::clone(&index), Arc::clone(&roll));
            pool.spawn(async move {
                index.build(&scene);
                roll.get_or_init(|| Arc::new(Roll::of(&scene)));
            })
            .detach();
        }
        Self {
            number,
            scene,
            index,
            roll,
            states,
            backend: None,
            primitives: BTreeMap::new(),
            progress: Arc::default(),
            shown: false,
            moving: None,
            is_history: false,
            emphasis,
        }
    }

    /// Whether it is in force and drawn; a staged view is neither, and history is only drawn.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.shown && !self.is_history
    }

    /// Whether it is drawn as history, under its mark.
    #[must_use]
    pub fn is_history(&self) -> bool {
        self.is_history
    }

    /// The words of the mark that stands over it; none over what is a claim.
    #[must_use]
    pub fn banner(&self) -> Option<&str> {
        self.scene.banner.as_deref()
    }

    /// Whether it was drawn completely at least once.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.shown && self.progress.is_drawn()
    }

    /// Whether its marks are on their way from the view before: then the picture is no data, and nothing is met in it.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.moving.is_some()
    }

    /// Marks that stand for rows, all elements together.
    #[must_use]
    pub fn mark_count(&self) -> usize {
        self.scene
            .sets
            .iter()
            .filter(|set| !set.element.is_empty())
            .map(|set| set.marks.len())
            .sum()
    }

    /// Bytes on the device.
    #[must_use]
    pub fn device_bytes(&self) -> usize {
        self.scene.bytes()
    }

    /// Bytes of the index that answers rays, in memory and not on the device; none while it is not built.
    #[must_use]
    pub fn index_bytes(&self) -> Option<usize> {
        self.index.bytes()
    }

    /// Its row keys, each under a number.
    pub(crate) fn roll(&self) -> Arc<Roll> {
        Arc::clone(self.roll.get_or_init(|| Arc::new(Roll::of(&self.scene))))
    }

    /// Numbers of the rows that a brush takes in, each once and rising.
    pub(crate) fn brushed(&self, brush: &Brush) -> Vec<u32> {
        if self.is_moving() {
            return Vec::new();
        }
        let roll = self.roll();
        let states = self.states.read();
        let is_asked = |set: &usize| match &brush.element_id {
            Some(element) => self.scene.element_of(*set) == element,
            None => !self.scene.element_of(*set).is_empty(),
        };
        let asked: Vec<usize> = (0..self.scene.n_sets()).filter(is_asked).collect();
        let fills_space = |set: &usize| self.scene.sets.get(*set).is_none_or(|set| set.plane.is_none());
        let some_fill = brush.element_id.is_none() && asked.iter().any(fills_space);
        let mut numbers = Vec::new();
        for set in asked.into_iter().filter(|set| !some_fill || fills_space(set)) {
            let known = roll.numbers(set).unwrap_or_default();
            self.index.brushed(&self.scene, set, brush, |mark| {
                let is_hidden = states
                    .get(set)
                    .is_some_and(|states| states.get(mark) & HIDDEN != 0);
                if !is_hidden {
                    numbers.push(known[mark]);
                }
            });
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Emphasizes one row in every element that shows it; `None` ends that. Costs no upload.
    pub(crate) fn emphasize(&mut self, row_key: Option<&str>) {
        let roll = row_key.map(|_| self.roll());
        let number = row_key
            .zip(roll.as_ref())
            .and_then(|(key, roll)| roll.number(key));
        let at = |set| {
            let mark = roll.as_ref()?.marks(set, number?).next()?;
            u32::try_from(mark).ok()
        };
        self.emphasis = (0..self.scene.sets.len()).map(at).collect();
    }
}

/// One element of the plan, as a child of its [`Embodiment`].
#[derive(Component, Clone, Debug, PartialEq, Eq)]
pub struct EmbodiedElement {
    pub(crate) id: String,
    pub(crate) primitive: String,
}

impl EmbodiedElement {
    /// Element id in the plan.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Primitive of the graph that it belongs to.
    #[must_use]
    pub fn primitive(&self) -> &str {
        &self.primitive
    }
}

/// The row under discussion, by its key; its mark is set off in every view of the shown embodiment.
#[derive(Resource, Clone, Debug, Default, PartialEq, Eq)]
pub struct Emphasis(pub Option<String>);

/// Passes the emphasis on when it, or what is shown, changed.
pub(crate) fn emphasize(
    emphasis: Res<Emphasis>,
    mut embodiments: Query<&mut Embodiment>,
    mut known: Local<BTreeMap<u64, Option<String>>>,
) {
    known.retain(|number, _| embodiments.iter().any(|embodiment| embodiment.number == *number));
    for mut embodiment in &mut embodiments {
        if known.get(&embodiment.number) != Some(&emphasis.0) {
            embodiment.emphasize(emphasis.0.as_deref());
            known.insert(embodiment.number, emphasis.0.clone());
        }
    }
}
