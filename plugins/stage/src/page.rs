//! A page: pictures, type and rules on paper, in pixels from its upper left corner. Type is set in the bundled typeface from
//! its outlines, by the exact area of each pixel that they cover.

use bevy::color::{Color, ColorToComponents, LinearRgba};

use crate::StageError;
use crate::picture::{Light, Picture, linear_of};
use crate::text::{Typeface, Weight as Face};

/// Weight of a line of type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// For reading.
    Regular,
    /// For headings.
    SemiBold,
}

/// How a line is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Weight.
    pub weight: Weight,
    /// Pixels an em.
    pub size: f32,
    /// Color.
    pub color: Color,
}

/// The typeface, to measure and to break lines with.
#[allow(missing_debug_implementations, reason = "a typeface has no printable form")]
pub struct Type(Typeface);

impl Type {
    /// The bundled typeface.
    ///
    /// # Errors
    /// [`StageError::Font`], which only a damaged build gives.
    pub fn bundled() -> Result<Self, StageError> {
        Typeface::bundled().map(Self)
    }

    /// Pixels that a line takes.
    #[must_use]
    pub fn width(&self, style: &Style, text: &str) -> f32 {
        self.0.shape(face(style.weight), text).width * style.size
    }

    /// Whether every letter of a text can be set.
    #[must_use]
    pub fn has_letters(&self, style: &Style, text: &str) -> bool {
        self.0.has_letters(face(style.weight), text)
    }

    /// Breaks at spaces so that no line is wider than asked, and within a word where it has to be.
    #[must_use]
    pub fn lines(&self, style: &Style, text: &str, width: f32) -> Vec<String> {
        let text: Vec<&str> = text.split_whitespace().collect();
        plan::layout::words::broken(&text.join(" "), |line| self.width(style, line) <= width)
    }
}

fn face(weight: Weight) -> Face {
    match weight {
        Weight::Regular => Face::Regular,
        Weight::SemiBold => Face::SemiBold,
    }
}

/// A page in linear light.
#[allow(missing_debug_implementations, reason = "a page is looked at")]
pub struct Page {
    width: u32,
    height: u32,
    rgb: Vec<f32>,
}

impl Page {
    /// An empty one.
    #[must_use]
    pub fn new(size: (u32, u32), paper: Color) -> Self {
        let paper = rgb(paper);
        let pixels = size.0 as usize * size.1 as usize;
        Self {
            width: size.0,
            height: size.1,
            rgb: paper.iter().copied().cycle().take(pixels * 3).collect(),
        }
    }

    /// Lays a picture on it; what would lie beyond the page is left out.
    pub fn lay(&mut self, picture: &Picture, left: u32, top: u32) {
        let across = self.width.saturating_sub(left).min(picture.width) as usize;
        for row in 0..self.height.saturating_sub(top).min(picture.height) {
            let from = row as usize * picture.width as usize * 3;
            let to = ((top + row) as usize * self.width as usize + left as usize) * 3;
            let bytes = &picture.rgb[from..from + across * 3];
            for (light, byte) in self.rgb[to..].iter_mut().zip(bytes) {
                *light = linear_of(*byte);
            }
        }
    }

    /// Fills a rectangle; edges between pixels cover them in part.
    pub fn fill(&mut self, [left, top, width, height]: [f32; 4], color: Color) {
        let color = rgb(color);
        let cover = |from: f32, length: f32, pixel: u32| {
            let (low, high) = (from.max(pixel as f32), (from + length).min(pixel as f32 + 1.0));
            (high - low).clamp(0.0, 1.0)
        };
        let within = |from: f32, length: f32, most: u32| {
            let low = from.floor().max(0.0) as u32;
            low..((from + length).ceil().max(0.0) as u32).min(most)
        };
        for y in within(top, height, self.height) {
            for x in within(left, width, self.width) {
                let share = cover(left, width, x) * cover(top, height, y);
                self.blend(x as usize, y as usize, share, color);
            }
        }
    }

    /// Sets a line from `left` on its baseline; returns its width.
    pub fn set(&mut self, face_of: &mut Type, style: &Style, text: &str, left: f32, baseline: f32) -> f32 {
        let weight = face(style.weight);
        let run = face_of.0.shape(weight, text);
        let color = rgb(style.color);
        for placed in &run.glyphs {
            let outline = face_of.0.outline(weight, placed.glyph, style.size);
            let at = [left + placed.x * style.size, baseline - placed.y * style.size];
            self.ink(&outline, at, color);
        }
        run.width * style.size
    }

    /// The page as a picture.
    #[must_use]
    pub fn to_picture(&self) -> Picture {
        Light::from_parts(self.width, self.height, self.rgb.clone()).to_picture()
    }

    /// Covers what an outline encloses. Segments have y up from `at`; holes run the other way.
    fn ink(&mut self, outline: &[[f32; 4]], at: [f32; 2], color: [f32; 3]) {
        let ends = outline
            .iter()
            .flat_map(|[ax, ay, bx, by]| [[*ax, *ay], [*bx, *by]]);
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        for [x, y] in ends {
            let point = [at[0] + x, at[1] - y];
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        if low[0] > high[0] {
            return;
        }
        let origin = low.map(f32::floor);
        let [width, height] = [0, 1].map(|axis| (high[axis].ceil() - origin[axis]) as usize + 1);
        let mut area = Area::new(width, height);
        for [ax, ay, bx, by] in outline {
            let point = |x: f32, y: f32| [at[0] + x - origin[0], at[1] - y - origin[1]];
            area.edge(point(*ax, *ay), point(*bx, *by));
        }
        for (y, row) in area.rows().enumerate() {
            for (x, share) in row.iter().enumerate() {
                let (x, y) = (origin[0] + x as f32, origin[1] + y as f32);
                if *share > 0.0 && x >= 0.0 && y >= 0.0 {
                    self.blend(x as usize, y as usize, *share, color);
                }
            }
        }
    }

    fn blend(&mut self, x: usize, y: usize, share: f32, color: [f32; 3]) {
        if x >= self.width as usize || y >= self.height as usize {
            return;
        }
        let at = (y * self.width as usize + x) * 3;
        // Dark on light loses weight when mixed in linear light, so thin strokes are strengthened, as on the stage.
        let share = share.clamp(0.0, 1.0).powf(0.75);
        for (light, ink) in self.rgb[at..at + 3].iter_mut().zip(color) {
            *light += (ink - *light) * share;
        }
    }
}

fn rgb(color: Color) -> [f32; 3] {
    let [r, g, b, _] = LinearRgba::from(color).to_f32_array();
    [r, g, b]
}

/// Signed area of the pixels to the right of edges: summed along a row it is how much of each pixel is inside (Levien's
/// font-rs).
struct Area {
    width: usize,
    cells: Vec<f32>,
}

impl Area {
    fn new(width: usize, height: usize) -> Self {
        Self {
            width: width + 1,
            cells: vec![0.0; (width + 1) * height],
        }
    }

    fn edge(&mut self, a: [f32; 2], b: [f32; 2]) {
        if a[1] == b[1] {
            return;
        }
        let (turn, top, bottom) = if a[1] < b[1] { (1.0, a, b) } else { (-1.0, b, a) };
        let slope = (bottom[0] - top[0]) / (bottom[1] - top[1]);
        let mut x = top[0];
        for y in top[1].floor() as usize..bottom[1].ceil() as usize {
            let (from, to) = (top[1].max(y as f32), bottom[1].min(y as f32 + 1.0));
            let next = x + slope * (to - from);
            let rise = turn * (to - from);
            let (left, right) = if x < next { (x, next) } else { (next, x) };
            x = next;
            let (first, last) = (left.floor(), right.ceil());
            let start = y * self.width + first as usize;
            if last <= first + 1.0 {
                // Within one pixel: a trapezoid.
                let middle = 0.5 * (left + right) - first;
                self.add(start, rise * (1.0 - middle));
                self.add(start + 1, rise * middle);
                continue;
            }
            let steep = 1.0 / (right - left);
            let mut before = 0.0;
            for (nth, pixel) in (first as usize..last as usize).enumerate() {
                // Share of the edge's rise up to the pixel's right side, and the area beyond it there.
                let until = ((pixel as f32 + 1.0).min(right) - left) * steep;
                let enters = (pixel as f32).max(left);
                let leaves = (pixel as f32 + 1.0).min(right);
                let part = (leaves - enters) * steep;
                let middle = 0.5 * (enters + leaves) - pixel as f32;
                self.add(start + nth, rise * part * (1.0 - middle));
                self.add(start + nth + 1, rise * part * middle);
                before = until;
            }
            debug_assert!((before - 1.0).abs() < 1e-3, "the whole rise is shared out");
        }
    }

    fn add(&mut self, at: usize, area: f32) {
        if let Some(cell) = self.cells.get_mut(at) {
            *cell += area;
        }
    }

    /// How much of each pixel is inside.
    fn rows(&self) -> impl Iterator<Item = Vec<f32>> {
        self.cells.chunks_exact(self.width).map(|row| {
            let mut sum = 0.0;
            row.iter()
                .map(|cell| {
                    sum += cell;
                    sum.abs().min(1.0)
                })
                .collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dark(page: &Page, x: u32, y: u32) -> f32 {
        1.0 - page.rgb[(y * page.width + x) as usize * 3]
    }

    #[test]
    fn an_outline_covers_each_pixel_by_its_area() {
        let mut area = Area::new(4, 3);
        // A triangle with corners (0.5, 0), (3.5, 0), (0.5, 3): half of 3 x 3.
        area.edge([0.5, 0.0], [0.5, 3.0]);
        area.edge([0.5, 3.0], [3.5, 0.0]);
        let rows: Vec<Vec<f32>> = area.rows().collect();
        let sum: f32 = rows.iter().flat_map(|row| &row[..4]).sum();
        assert!((sum - 4.5).abs() < 1e-4, "{rows:?}");
        assert!((rows[0][0] - 0.5).abs() < 1e-4, "{rows:?}");
        assert!((rows[0][1] - 1.0).abs() < 1e-4, "{rows:?}");
        assert!((rows[2][0] - 0.375).abs() < 1e-4, "{rows:?}");
    }

    #[test]
    fn a_rule_covers_what_it_is_wide_and_a_letter_stands_on_its_line() {
        let mut page = Page::new((40, 40), Color::WHITE);
        page.fill([10.0, 20.0, 5.0, 1.0], Color::BLACK);
        assert!(dark(&page, 12, 20) > 0.99);
        assert_eq!(dark(&page, 12, 21), 0.0);
        assert_eq!(dark(&page, 15, 20), 0.0);
        let mut page = Page::new((40, 40), Color::WHITE);
        let mut face = Type::bundled().unwrap();
        let style = Style {
            weight: Weight::SemiBold,
            size: 30.0,
            color: Color::BLACK,
        };
        let width = page.set(&mut face, &style, "I", 10.0, 30.0);
        assert!(width > 5.0 && width < 15.0, "{width}");
        let column = (10.0 + width / 2.0) as u32;
        assert!(dark(&page, column, 20) > 0.99, "its stem");
        assert_eq!(dark(&page, column, 31), 0.0, "nothing is below the line");
        assert_eq!(dark(&page, column, 6), 0.0, "nothing is above the capitals");
        // A hole is open.
        let mut page = Page::new((60, 60), Color::WHITE);
        let width = page.set(&mut face, &Style { size: 50.0, ..style }, "O", 5.0, 50.0);
        assert_eq!(dark(&page, (5.0 + width / 2.0) as u32, 32), 0.0);
    }

    #[test]
    fn lines_are_no_wider_than_asked_and_lose_no_letter() {
        let face = Type::bundled().unwrap();
        let style = Style {
            weight: Weight::Regular,
            size: 16.0,
            color: Color::BLACK,
        };
        for text in [
            "Does flipper length separate the species, and if so, which?",
            "averyveryverylongwordthatnobodybreaksbutthepage in two",
        ] {
            let lines = face.lines(&style, text, 120.0);
            assert!(lines.len() > 1);
            assert!(
                lines.iter().all(|line| face.width(&style, line) <= 120.0),
                "{lines:?}"
            );
            let letters = |text: &str| text.chars().filter(|letter| *letter != ' ').collect::<String>();
            assert_eq!(letters(&lines.concat()), letters(text));
        }
    }
}
