//! The glyphs of one embodiment packed into one texture.

use std::collections::BTreeMap;

use super::Typeface;
use super::face::Weight;

/// Side of the atlas; a glyph takes about 60 x 70 texels, so a row holds 17.
const WIDTH: usize = 1024;
const GAP: usize = 1;

/// Where a glyph lies: in the texture and around its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    /// Left, bottom, right, top in texels; y grows downward in the texture, so bottom is the larger number.
    pub(crate) texels: [f32; 4],
    /// Left, bottom, right, top from the origin, in ems.
    pub(crate) place: [f32; 4],
}

/// One byte a texel, rows from the top; at least one texel, so that it can always be bound.
#[derive(Clone, Debug)]
pub(crate) struct Atlas {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) texels: Vec<u8>,
    spots: BTreeMap<(Weight, u32), Option<Spot>>,
    cursor: (usize, usize),
    shelf: usize,
}

impl Atlas {
    /// An empty one.
    pub(crate) fn new() -> Self {
        Self {
            width: WIDTH,
            height: 1,
            texels: vec![0; WIDTH],
            spots: BTreeMap::new(),
            cursor: (0, 0),
            shelf: 0,
        }
    }

    /// Where the glyph lies; packs it at its first use. `None` for blanks.
    pub(crate) fn spot(&mut self, face: &mut Typeface, weight: Weight, glyph: u32) -> Option<Spot> {
        if let Some(known) = self.spots.get(&(weight, glyph)) {
            return *known;
        }
        let spot = face.field(weight, glyph).map(|field| {
            if self.cursor.0 + field.width > WIDTH {
                self.cursor = (0, self.cursor.1 + self.shelf + GAP);
                self.shelf = 0;
            }
            let (x, y) = self.cursor;
            self.cursor.0 += field.width + GAP;
            self.shelf = self.shelf.max(field.height);
            let needed = y + field.height;
            if needed > self.height {
                self.height = needed;
                self.texels.resize(WIDTH * needed, 0);
            }
            for row in 0..field.height {
                let from = row * field.width;
                let to = (y + row) * WIDTH + x;
                self.texels[to..to + field.width].copy_from_slice(&field.texels[from..from + field.width]);
            }
            let (left, top) = (x as f32, y as f32);
            Spot {
                texels: [left, top + field.height as f32, left + field.width as f32, top],
                place: field.place,
            }
        });
        self.spots.insert((weight, glyph), spot);
        spot
    }
}
