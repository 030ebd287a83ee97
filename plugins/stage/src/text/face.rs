//! The bundled typeface: shaping through its own kerning and ligatures, outlines as polylines.

use std::collections::BTreeMap;

use harfrust::{ShapeOptions, ShaperData, UnicodeBuffer};
use skrifa::instance::{LocationRef, Size};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider};

use super::field::Field;
use crate::StageError;

static REGULAR: &[u8] = include_bytes!("../../../../assets/fonts/Inter-Regular.otf");
static SEMI_BOLD: &[u8] = include_bytes!("../../../../assets/fonts/Inter-SemiBold.otf");

/// Texels an em in the atlas: a capital is 47 texels high, more than any label on a 1280 x 720 screen needs.
const TEXELS_PER_EM: f32 = 64.0;

/// Weight of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    Regular,
    SemiBold,
}

/// One shaped glyph: where its origin stands, in ems from the start of the line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) glyph: u32,
    pub(crate) x: f32,
    pub(crate) y: f32,
}

/// A shaped line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
    pub(crate) glyphs: Vec<Placed>,
    /// Ems.
    pub(crate) width: f32,
}

struct Face {
    font: FontRef<'static>,
    shaper: ShaperData,
    units: f32,
    cap: f32,
}

/// Both weights with the distance fields made so far; kept while the program runs, so that a glyph is drawn once.
pub(crate) struct Typeface {
    faces: BTreeMap<Weight, Face>,
    fields: BTreeMap<(Weight, u32), Field>,
}

impl Typeface {
    /// Opens the bundled fonts.
    pub(crate) fn bundled() -> Result<Self, StageError> {
        let mut faces = BTreeMap::new();
        for (weight, bytes) in [(Weight::Regular, REGULAR), (Weight::SemiBold, SEMI_BOLD)] {
            let font = FontRef::new(bytes).map_err(|error| StageError::Font(error.to_string()))?;
            let metrics = font.metrics(Size::unscaled(), LocationRef::default());
            let units = f32::from(metrics.units_per_em);
            let cap = metrics
                .cap_height
                .ok_or_else(|| StageError::Font("no cap height".to_owned()))?;
            let shaper = ShaperData::new(&font);
            faces.insert(
                weight,
                Face {
                    font,
                    shaper,
                    units,
                    cap: cap / units,
                },
            );
        }
        Ok(Self {
            faces,
            fields: BTreeMap::new(),
        })
    }

    /// Height of a capital, in ems.
    pub(crate) fn cap_height(&self, weight: Weight) -> f32 {
        self.faces[&weight].cap
    }

    /// Shapes one line.
    pub(crate) fn shape(&self, weight: Weight, text: &str) -> Run {
        let face = &self.faces[&weight];
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        let shaped = face
            .shaper
            .shaper(&face.font)
            .build()
            .shape(buffer, ShapeOptions::new());
        let mut run = Run::default();
        for (glyph, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            run.glyphs.push(Placed {
                glyph: glyph.glyph_id,
                x: run.width + position.x_offset as f32 / face.units,
                y: position.y_offset as f32 / face.units,
            });
            run.width += position.x_advance as f32 / face.units;
        }
        run
    }

    /// Whether every letter of a text can be drawn.
    pub(crate) fn has_letters(&self, weight: Weight, text: &str) -> bool {
        self.shape(weight, text)
            .glyphs
            .iter()
            .all(|placed| placed.glyph != 0)
    }

    /// The outline of a glyph as segments `[x0, y0, x1, y1]` from its origin, y up, at this many pixels an em.
    pub(crate) fn outline(&self, weight: Weight, glyph: u32, size: f32) -> Vec<[f32; 4]> {
        let mut pen = Polyline::default();
        if let Some(outline) = self.faces[&weight].font.outline_glyphs().get(GlyphId::new(glyph)) {
            let settings = DrawSettings::unhinted(Size::new(size), LocationRef::default());
            // A glyph that can't be drawn is left blank; the bundled font has none.
            if outline.draw(settings, &mut pen).is_err() {
                pen.segments.clear();
            }
        }
        pen.segments
    }

    /// The distance field of a glyph; `None` for blanks.
    pub(crate) fn field(&mut self, weight: Weight, glyph: u32) -> Option<&Field> {
        if !self.fields.contains_key(&(weight, glyph)) {
            let segments = self.outline(weight, glyph, TEXELS_PER_EM);
            self.fields
                .insert((weight, glyph), Field::of(&segments, TEXELS_PER_EM));
        }
        self.fields
            .get(&(weight, glyph))
            .filter(|field| !field.is_blank())
    }
}

/// Collects an outline as straight pieces short enough that the eye can't tell.
#[derive(Default)]
struct Polyline {
    segments: Vec<[f32; 4]>,
    start: [f32; 2],
    at: [f32; 2],
}

const PIECES: u8 = 8;

impl OutlinePen for Polyline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.start = [x, y];
        self.at = [x, y];
    }

    fn line_to(&mut self, x: f32, y: f32) {
        if self.at != [x, y] {
            self.segments.push([self.at[0], self.at[1], x, y]);
        }
        self.at = [x, y];
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        let [sx, sy] = self.at;
        for piece in 1..=PIECES {
            let t = f32::from(piece) / f32::from(PIECES);
            let s = 1.0 - t;
            self.line_to(
                s * s * sx + 2.0 * s * t * cx + t * t * x,
                s * s * sy + 2.0 * s * t * cy + t * t * y,
            );
        }
    }

    fn curve_to(&mut self, ax: f32, ay: f32, bx: f32, by: f32, x: f32, y: f32) {
        let [sx, sy] = self.at;
        for piece in 1..=PIECES {
            let t = f32::from(piece) / f32::from(PIECES);
            let s = 1.0 - t;
            let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
            self.line_to(
                weights[0] * sx + weights[1] * ax + weights[2] * bx + weights[3] * x,
                weights[0] * sy + weights[1] * ay + weights[2] * by + weights[3] * y,
            );
        }
    }

    fn close(&mut self) {
        let [x, y] = self.start;
        self.line_to(x, y);
    }
}
