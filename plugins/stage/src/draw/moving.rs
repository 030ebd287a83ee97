//! Marks on their way, on the device: the pieces of the new view with the places they come from, and those that go.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bevy::prelude::*;
use bevy::render::render_resource::TextureViewDescriptor;

use super::upload::{Maker, Piece, Set, Uploaded, flatten};
use crate::motion::Trails;
use crate::scene::{Mark, MarkSet};

/// What is drawn in place of an embodiment while it moves.
pub(super) struct Moved {
    trails: Arc<Trails>,
    /// As the embodiment's own.
    pub(super) sets: Vec<Set>,
    pub(super) leaving: Vec<Set>,
    pub(super) label: Uploaded,
}

impl Moved {
    pub(super) fn is_of(&self, trails: &Arc<Trails>) -> bool {
        Arc::ptr_eq(&self.trails, trails)
    }

    /// Nothing when the device has no room.
    pub(super) fn make(
        maker: &Maker<'_>,
        there: &Uploaded,
        trails: &Arc<Trails>,
        smooth: &bevy::render::render_resource::Sampler,
        slots: &mut Vec<u32>,
    ) -> Option<Self> {
        let sets = maker.scene.sets.iter().zip(&there.sets).zip(&trails.origins);
        let sets = sets
            .map(|((set, there), origins)| maker.moving_set(set, there, origins))
            .collect();
        let leaving = trails.leaving.iter().map(|set| maker.leaving_set(set, slots));
        let label = Maker {
            scene: &trails.label,
            ..*maker
        };
        let made = leaving
            .collect::<Option<Vec<Set>>>()
            .zip(label.make(smooth, slots));
        let Some((leaving, label)) = made else {
            trails.is_too_large.store(true, Ordering::Relaxed);
            return None;
        };
        Some(Self {
            trails: Arc::clone(trails),
            sets,
            leaving,
            label,
        })
    }
}

impl Maker<'_> {
    fn moving_set(&self, set: &MarkSet, there: &Set, origins: &[[f32; 4]]) -> Set {
        let mut first = 0;
        let pieces = there.pieces.iter().map(|piece| {
            let marks = first..first + piece.count as usize;
            first = marks.end;
            let origins = &origins[marks];
            let [places, looks, states] = piece.textures.each_ref();
            let from = self.places(origins, piece.width);
            let views = [places, looks, states, &from]
                .map(|texture| texture.create_view(&TextureViewDescriptor::default()));
            let (low, high, most) = piece.extent;
            let extent = origins
                .iter()
                .fold((low, high, most), |(low, high, most), [x, y, z, diameter]| {
                    let at = Vec3::new(*x, *y, *z);
                    (low.min(at), high.max(at), diameter.max(most))
                });
            let (sides, accent) = self.groups(&views, |layer| {
                flatten(layer, set);
                (layer.slot, layer.width, layer.moves) = (piece.slot, piece.width, 1);
            });
            Piece {
                sides,
                accent,
                extent,
                textures: piece.textures.clone(),
                ..*piece
            }
        });
        Set {
            pieces: pieces.collect(),
        }
    }

    fn leaving_set(&self, set: &MarkSet, slots: &mut Vec<u32>) -> Option<Set> {
        let origins: Vec<[f32; 4]> = set
            .marks
            .iter()
            .map(
                |Mark {
                     position: [x, y, z],
                     diameter,
                     ..
                 }| [*x, *y, *z, *diameter],
            )
            .collect();
        let shrunk = MarkSet {
            marks: set
                .marks
                .iter()
                .map(|mark| Mark {
                    diameter: 0.0,
                    ..*mark
                })
                .collect(),
            ..set.clone()
        };
        let there = self.set(&shrunk, slots)?;
        Some(self.moving_set(&shrunk, &there, &origins))
    }
}
