//! The mark over a picture that is no claim: words, and a border of signs, so that no color is needed to see it.

use bevy::math::Vec3;
use knowledge::wire::v1::DeviceClass;
use plan::element::{Look, Shape};

use crate::StageError;
use crate::read::look;
use crate::scene::{Mark, MarkSet, Scene};
use crate::text::{Align, Facing, Label, Typeface, VerticalAlign, Weight, letters};
use crate::theme::Ink;

/// Letters of a banner; what is longer is cut and ends in an ellipsis. Whoever draws says the whole in words.
const MOST_LETTERS: usize = 110;

/// Color of the signs: the ink of caveats.
const COLOR: [u8; 3] = [0x6F, 0x47, 0x1C];

/// Where a banner stands, in meters: before the viewer on a monitor, in the room before a headset.
struct Place {
    anchor: [f32; 3],
    cap_height: f32,
    wrap_width: f32,
    facing: Facing,
    /// Left, bottom, right, top and depth of the border.
    border: [f32; 5],
    spacing: f32,
    diameter: f32,
}

/// On a monitor: within the field of view of every named camera, under the title and above the legend.
const MONITOR: Place = Place {
    anchor: [0.45, 0.795, 3.2],
    cap_height: 0.028,
    wrap_width: 1.18,
    facing: Facing::Still,
    border: [-1.655, -0.922, 1.655, 0.922, 3.2],
    spacing: 0.055,
    diameter: 0.026,
};

/// In a headset nothing clings to the head: the words stand above the volume, and the border around it.
const HEADSET: Place = Place {
    anchor: [-0.1, 1.36, 0.0],
    cap_height: 0.034,
    wrap_width: 1.6,
    facing: Facing::Viewer,
    border: [-0.2, -0.12, 1.2, 1.28, 0.02],
    spacing: 0.06,
    diameter: 0.028,
};

/// A mark to put over a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Banner<'a> {
    words: &'a str,
    sign: Shape,
}

impl Banner<'static> {
    /// A view that is for a study alone.
    pub(crate) fn study() -> Self {
        Self {
            words: "STUDY ONLY: shown inside an authorized study, not for use as a claim",
            sign: Shape::Diamond,
        }
    }
}

impl<'a> Banner<'a> {
    /// A recorded picture, under the sentence of its inspection.
    pub(crate) fn history(words: &'a str) -> Self {
        Self {
            words,
            sign: Shape::Cross,
        }
    }

    /// Adds the words and the border to a scene.
    ///
    /// # Errors
    /// [`StageError::NoLetters`] when the typeface lacks a letter of the words.
    pub(crate) fn put_over(
        &self,
        scene: &mut Scene,
        device: DeviceClass,
        face: &mut Typeface,
    ) -> Result<(), StageError> {
        let place = match device {
            DeviceClass::DesktopMonitor => MONITOR,
            DeviceClass::PcvrHeadset | DeviceClass::StandaloneHeadset => HEADSET,
        };
        let text = plan::layout::words::elide(self.words, MOST_LETTERS);
        if !face.has_letters(Weight::SemiBold, &text) {
            return Err(StageError::NoLetters {
                element: "the mark over the picture".to_owned(),
                text,
            });
        }
        let label = Label {
            text: &text,
            anchor: place.anchor,
            cap_height: place.cap_height,
            align: Align::Start,
            valign: VerticalAlign::Top,
            facing: place.facing,
            along: None,
            ink: Ink::Caveat,
            weight: Weight::SemiBold,
            wrap_width: Some(place.wrap_width),
        };
        letters(&label, face, &mut scene.atlas, &mut scene.letters);
        scene.sets.push(self.border(&place));
        scene.banner = Some(self.words.to_owned());
        Ok(())
    }

    fn border(&self, place: &Place) -> MarkSet {
        let [left, bottom, right, top, depth] = place.border;
        let look = look(Look {
            color: COLOR,
            shape: self.sign,
        });
        let mark = |x, y| Mark {
            position: [x, y, depth],
            diameter: place.diameter,
            look,
        };
        let across = steps(left, right, place.spacing);
        let up = steps(bottom, top, place.spacing);
        let mut marks: Vec<Mark> = across
            .iter()
            .flat_map(|x| [mark(*x, bottom), mark(*x, top)])
            .collect();
        // The corners stand there already.
        let inner = up.get(1..up.len().saturating_sub(1)).unwrap_or_default();
        marks.extend(inner.iter().flat_map(|y| [mark(left, *y), mark(right, *y)]));
        MarkSet {
            element: String::new(),
            marks,
            keys: std::sync::Arc::from([]),
            plane: None,
            is_still: place.facing == Facing::Still,
            opacity: 1.0,
            low: Vec3::new(left, bottom, depth),
            high: Vec3::new(right, top, depth),
        }
    }
}

/// Evenly from one end to the other, both included, about so far apart.
fn steps(from: f32, to: f32, spacing: f32) -> Vec<f32> {
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few dozen steps along an edge of a few meters"
    )]
    let count = (((to - from) / spacing).round() as u16).max(1);
    (0..=count)
        .map(|step| from + (to - from) * f32::from(step) / f32::from(count))
        .collect()
}
