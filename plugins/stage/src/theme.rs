//! One table of colors: what an ink's name looks like.

use bevy::color::{LinearRgba, Srgba};
use bevy::prelude::*;

/// The inks a plan can name, in the order in which the shaders number them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum Ink {
    /// What everything stands on.
    Paper = 0,
    /// Titles, values.
    Ink = 1,
    /// Tick labels, names that step back.
    Muted = 2,
    /// What a reader must not overlook.
    Caveat = 3,
    /// Axis lines and tick marks.
    Axis = 4,
    /// Grid lines.
    Grid = 5,
    /// Edges of walls and boards.
    Frame = 6,
    /// Walls.
    Wall = 7,
    /// Boards behind text.
    Board = 8,
    /// What is supposed and not known: its words and its broken lines.
    Conjecture = 9,
}

/// How many inks a theme has room for.
pub(crate) const INKS: usize = 16;

/// The colors in force; a change shows in the next frame without an upload of marks.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Theme {
    inks: [Srgba; INKS],
}

impl Theme {
    /// Dark ink on warm paper; for screens in daylight, papers and slides.
    #[must_use]
    pub fn paper() -> Self {
        let mut inks = [Srgba::BLACK; INKS];
        for (ink, hex, alpha) in [
            (Ink::Paper, 0xF7_F6_F2, 1.0),
            (Ink::Ink, 0x1B_1F_24, 1.0),
            (Ink::Muted, 0x5C_62_6B, 1.0),
            (Ink::Caveat, 0x6F_47_1C, 1.0),
            (Ink::Axis, 0x6B_70_78, 1.0),
            (Ink::Grid, 0xDE_DC_D5, 1.0),
            (Ink::Frame, 0xB9_B7_AF, 1.0),
            (Ink::Wall, 0xFF_FF_FF, 0.72),
            (Ink::Board, 0xFF_FF_FF, 0.88),
            (Ink::Conjecture, 0x7A_3E_8E, 1.0),
        ] {
            inks[ink as usize] = srgb(hex, alpha);
        }
        Self { inks }
    }

    /// The color of an ink.
    #[must_use]
    pub fn color(&self, ink: Ink) -> Color {
        Color::Srgba(self.inks[ink as usize])
    }

    /// The same with another color for an ink.
    #[must_use]
    pub fn with(mut self, ink: Ink, color: Color) -> Self {
        self.inks[ink as usize] = color.to_srgba();
        self
    }

    /// Linear components for the shaders.
    pub(crate) fn linear(&self) -> [[f32; 4]; INKS] {
        self.inks.map(|ink| LinearRgba::from(ink).to_f32_array())
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::paper()
    }
}

fn srgb(hex: u32, alpha: f32) -> Srgba {
    let [_, r, g, b] = hex.to_be_bytes();
    Srgba::rgba_u8(r, g, b, 255).with_alpha(alpha)
}
