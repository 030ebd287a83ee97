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
    /// The soft shadow under the volume. No plan names it: it shows nothing, and is quiet.
    Shadow = 10,
}

/// How many inks a theme has room for.
pub(crate) const INKS: usize = 16;

/// How many colors of data a theme tells apart: the palette's, then those of conjecture, caveats,
/// intervals and links.
pub(crate) const CATEGORIES: usize = 16;

/// Colors that a plan names and a theme shows in its own lightness, in the order in which looks number them.
const NAMED: [u32; 12] = [
    0x56_B4_E9, 0xE6_9F_00, 0x00_9E_73, 0xCC_79_A7, 0xF0_E4_42, 0x00_72_B2, 0xD5_5E_00, 0x99_99_99,
    0x7A_3E_8E, 0x6F_47_1C, 0x1C_2B_36, 0x80_8A_93,
];

/// The number of a color that themes know, from 1; 0 for any other, which is shown as it is.
pub(crate) fn number_of([r, g, b]: [u8; 3]) -> u32 {
    let hex = u32::from_be_bytes([0, r, g, b]);
    NAMED
        .iter()
        .position(|named| *named == hex)
        .and_then(|at| u32::try_from(at + 1).ok())
        .unwrap_or(0)
}

/// The colors in force; a change shows in the next frame without an upload of marks. Which theme is a choice of the
/// viewer: no plan knows of it.
#[derive(Resource, Clone, Debug, PartialEq)]
pub struct Theme {
    inks: [Srgba; INKS],
    named: [Srgba; CATEGORIES],
}

/// One row of the table: an ink by its purpose, then color and opacity on light paper and on dark.
type Token = (Ink, [(u32, f32); 2]);

/// All inks. Words stand out from paper, walls and boards by 4.5 to 1 at least, lines that are read by 3 to 1; grid and
/// frame only lead the eye and are meant to be quieter.
const TOKENS: [Token; 11] = [
    (Ink::Paper, [(0xF7_F6_F2, 1.0), (0x15_18_1D, 1.0)]),
    (Ink::Ink, [(0x1B_1F_24, 1.0), (0xEC_EA_E4, 1.0)]),
    (Ink::Muted, [(0x5C_62_6B, 1.0), (0xA6_AB_B3, 1.0)]),
    (Ink::Caveat, [(0x6F_47_1C, 1.0), (0xE3_B5_76, 1.0)]),
    (Ink::Axis, [(0x6B_70_78, 1.0), (0x8E_94_9C, 1.0)]),
    (Ink::Grid, [(0xDE_DC_D5, 1.0), (0x2E_33_3B, 1.0)]),
    (Ink::Frame, [(0xB9_B7_AF, 1.0), (0x4C_52_5B, 1.0)]),
    (Ink::Wall, [(0xFF_FF_FF, 0.72), (0x1E_22_28, 0.72)]),
    (Ink::Board, [(0xFF_FF_FF, 0.88), (0x1E_22_28, 0.88)]),
    (Ink::Conjecture, [(0x7A_3E_8E, 1.0), (0xC9_98_DC, 1.0)]),
    (Ink::Shadow, [(0x1B_1F_24, 0.13), (0x00_00_00, 0.5)]),
];

/// The named colors on light paper and on dark. Okabe and Ito's hues, in a lightness that stands out from the paper by 3
/// to 1, chosen so that any two differ by 10 (CIEDE2000) for every eye that Machado et al. (2009) simulate; shape comes
/// on top.
const DATA: [[u32; 12]; 2] = [
    [
        0x2B_8E_D2, 0xBF_73_00, 0x00_85_5F, 0x9B_51_7B, 0x73_5E_02, 0x06_5B_B2, 0x74_39_2D, 0x57_54_52,
        0x7A_3E_8E, 0x6F_47_1C, 0x1C_2B_36, 0x80_8A_93,
    ],
    [
        0x6C_C0_F2, 0xED_A5_2C, 0x2F_AE_86, 0xD7_7C_B9, 0xD1_CF_85, 0x41_73_B7, 0xB7_6F_41, 0x62_6E_68,
        0xC9_98_DC, 0xE3_B5_76, 0xE4_E2_DA, 0x80_8A_93,
    ],
];

impl Theme {
    /// Dark ink on warm paper; for screens in daylight, papers and slides.
    #[must_use]
    pub fn light() -> Self {
        Self::of(0)
    }

    /// Light ink on dark paper; for dim rooms.
    #[must_use]
    pub fn dark() -> Self {
        Self::of(1)
    }

    /// The theme of this name: `light` or `dark`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "light" => Some(Self::light()),
            "dark" => Some(Self::dark()),
            _ => None,
        }
    }

    fn of(which: usize) -> Self {
        let mut theme = Self {
            inks: [Srgba::BLACK; INKS],
            named: [Srgba::BLACK; CATEGORIES],
        };
        for (ink, colors) in TOKENS {
            let (hex, alpha) = colors[which];
            theme.inks[ink as usize] = srgb(hex, alpha);
        }
        for (named, hex) in theme.named.iter_mut().zip(DATA[which]) {
            *named = srgb(hex, 1.0);
        }
        theme
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

    /// How a color that a plan names is shown: panels beside the stage show it alike.
    #[must_use]
    pub fn data(&self, color: [u8; 3]) -> Color {
        let [r, g, b] = color;
        match number_of(color).checked_sub(1) {
            Some(at) => Color::Srgba(self.named[at as usize]),
            None => Color::Srgba(Srgba::rgb_u8(r, g, b)),
        }
    }

    /// Linear components for the shaders: inks, then the named colors of data.
    pub(crate) fn linear(&self) -> ([[f32; 4]; INKS], [[f32; 4]; CATEGORIES]) {
        let linear = |color: Srgba| LinearRgba::from(color).to_f32_array();
        (self.inks.map(linear), self.named.map(linear))
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::light()
    }
}

fn srgb(hex: u32, alpha: f32) -> Srgba {
    let [_, r, g, b] = hex.to_be_bytes();
    Srgba::rgba_u8(r, g, b, 255).with_alpha(alpha)
}
