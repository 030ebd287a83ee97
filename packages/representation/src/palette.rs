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

/// Shape of marks that stand in no group.
pub const UNGROUPED_SHAPE: &str = "circle";

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
