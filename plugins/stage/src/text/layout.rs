//! Labels into letters: lines, alignment and the size that the cap height asks for.

use super::face::Run;
use super::{Atlas, Typeface, Weight};
use crate::scene::Letter;
use crate::theme::Ink;

/// Baseline to baseline, in cap heights; the plan's layout reckons with it.
const LEADING: f32 = plan::element::LINE_PITCH as f32;

/// Where the anchor is, left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    Start,
    Center,
    End,
}

/// Where the anchor is, top to bottom; letters are measured from the baseline to the cap height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VerticalAlign {
    Top,
    Middle,
    Bottom,
}

/// Style bits above the ink: lies in a plane of constant z.
const FRONT: u32 = 1 << 8;
/// Style bits above that: 1, 2, 3 for a label that belongs to the x, y, z axis.
const ALONG: u32 = 9;
/// Style bit above that: stands still before the viewer.
const STILL: u32 = 1 << 11;

/// Which way a label faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facing {
    /// Parallel to the picture, turning about its anchor.
    Viewer,
    /// In a plane of constant z.
    Front,
    /// Before the viewer wherever the viewer goes; the anchor is meters right, up and ahead of the eye.
    Still,
}

/// One label as the plan states it.
#[derive(Clone, Debug)]
pub(crate) struct Label<'a> {
    pub(crate) text: &'a str,
    pub(crate) anchor: [f32; 3],
    /// Meters.
    pub(crate) cap_height: f32,
    pub(crate) align: Align,
    pub(crate) valign: VerticalAlign,
    pub(crate) facing: Facing,
    /// The axis it belongs to: it fades while the viewer looks along it.
    pub(crate) along: Option<u32>,
    pub(crate) ink: Ink,
    pub(crate) weight: Weight,
    /// Meters.
    pub(crate) wrap_width: Option<f32>,
}

/// Sets a label; adds its letters and returns left, bottom, right, top of the block around the anchor, in meters.
pub(crate) fn letters(
    label: &Label<'_>,
    face: &mut Typeface,
    atlas: &mut Atlas,
    out: &mut Vec<Letter>,
) -> [f32; 4] {
    let em = label.cap_height / face.cap_height(label.weight);
    let lines = lines(label, face, em);
    let line_step = LEADING * label.cap_height;
    let height = label.cap_height + line_step * (lines.len().saturating_sub(1)) as f32;
    let top = match label.valign {
        VerticalAlign::Top => 0.0,
        VerticalAlign::Middle => 0.5 * height,
        VerticalAlign::Bottom => height,
    };
    let style = label.ink as u32
        | match label.facing {
            Facing::Viewer => 0,
            Facing::Front => FRONT,
            Facing::Still => STILL,
        }
        | label.along.map_or(0, |axis| (axis + 1) << ALONG);
    let mut block = [f32::MAX, top - height, f32::MIN, top];
    for (index, run) in lines.iter().enumerate() {
        let width = run.width * em;
        let start = match label.align {
            Align::Start => 0.0,
            Align::Center => -0.5 * width,
            Align::End => -width,
        };
        block[0] = block[0].min(start);
        block[2] = block[2].max(start + width);
        let baseline = top - label.cap_height - line_step * index as f32;
        for placed in &run.glyphs {
            let Some(spot) = atlas.spot(face, label.weight, placed.glyph) else {
                continue;
            };
            let [left, bottom, right, upper] = spot.place;
            out.push(Letter {
                anchor: label.anchor,
                style,
                place: [
                    start + (placed.x + left) * em,
                    baseline + (placed.y + bottom) * em,
                    start + (placed.x + right) * em,
                    baseline + (placed.y + upper) * em,
                ],
                texels: spot.texels,
            });
        }
    }
    block
}

/// Breaks at spaces so that no line is wider than asked; a word that is wider itself is broken where it has to be.
fn lines(label: &Label<'_>, face: &Typeface, em: f32) -> Vec<Run> {
    let whole = face.shape(label.weight, label.text);
    let Some(limit) = label.wrap_width.filter(|limit| whole.width * em > *limit) else {
        return vec![whole];
    };
    let fits = |text: &str| face.shape(label.weight, text).width * em <= limit;
    let lines = plan::layout::words::broken(label.text, fits);
    lines.iter().map(|line| face.shape(label.weight, line)).collect()
}
