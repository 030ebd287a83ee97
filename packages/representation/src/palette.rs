//! Colors and shapes of categories: always both together, so that no group rests on hue alone.
//!
//! Colors: Okabe & Ito, Color Universal Design, 2008 (Wong, Points of view: Color blindness, Nature Methods 8, 2011),
//! ordered so that neighbors differ in lightness. Their black is a gray here: black is what words are written in.

/// Most categories that hue with shape tells apart.
pub const MOST: usize = 8;

/// sRGB, one a category, in order.
pub const COLORS: [&str; MOST] = [
    "#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999",
];

/// Shape names, one a category, in order.
pub const SHAPES: [&str; MOST] = [
    "circle", "triangle", "square", "diamond", "cross", "plus", "ring", "star",
];

/// Shapes of conjecture alone, after those of data: a hollow diamond with a cross in it, and a broken line.
pub const CONJECTURE_SHAPES: [&str; 2] = [CONJECTURE_MARK, CONJECTURE_LINE];

/// The shape of a supposed row.
pub const CONJECTURE_MARK: &str = "crossed_diamond";

/// The shape of a supposed level or relation.
pub const CONJECTURE_LINE: &str = "dashed_line";

/// Color of conjecture: none of the categories', and never the only cue.
pub const CONJECTURE_COLOR: &str = "#7a3e8e";

/// Color of marks that stand in no group.
pub const UNGROUPED_COLOR: &str = "#0072b2";

/// Color of links between marks: quiet.
pub const LINK_COLOR: &str = "#808a93";

/// Color of intervals, over the marks they belong to.
pub const INTERVAL_COLOR: &str = "#1c2b36";

/// Shape of marks that stand in no group.
pub const UNGROUPED_SHAPE: &str = "circle";

/// Numbers from least to greatest, as colors of rising lightness that stay even for every color vision: viridis
/// (Smith & van der Walt, 2015), at nine equal steps.
pub const SEQUENTIAL: [&str; 9] = [
    "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
];

/// Numbers about zero, as two hues that darken away from a light middle: purple and orange (ColorBrewer PuOr, Harrower &
/// Brewer, 2003), told apart by every color vision.
pub const DIVERGING: [&str; 9] = [
    "#542788", "#8073ac", "#b2abd2", "#d8daeb", "#f7f7f7", "#fee0b6", "#fdb863", "#e08214", "#b35806",
];

/// Whether the text is `#` and six lowercase hexadecimal digits.
#[must_use]
pub fn is_color(text: &str) -> bool {
    text.len() == 7
        && text.starts_with('#')
        && text
            .bytes()
            .skip(1)
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Whether the text names a shape that conjecture alone has.
#[must_use]
pub fn is_conjecture_shape(text: &str) -> bool {
    CONJECTURE_SHAPES.contains(&text)
}

/// Whether the text names a shape of the table.
#[must_use]
pub fn is_shape(text: &str) -> bool {
    SHAPES.contains(&text)
}
