//! Blocks of type and pictures from the top of a page to its bottom, and on to the next.
//!
//! Lengths are in units of which the page is [`WIDTH`] wide.

use stage::headless::Picture;
use stage::page::{Page, Style, Type, Weight};
use stage::{Ink, StageError, Theme};

use super::{GUTTER, LEADING, MARGIN, SHAPE, SMALL, TEXT, TITLE, WIDTH, Words};
use crate::picture::{self, Sight};

/// Blocks from the top of a page to its bottom, and on to the next.
pub(super) struct Flow {
    pages: Vec<Page>,
    face: Type,
    theme: Theme,
    size: (u32, u32),
    /// Pixels a unit.
    unit: f32,
    /// Units from the top.
    down: f32,
}

impl Flow {
    pub(super) fn new(sight: &Sight) -> Result<Self, StageError> {
        let theme = picture::colors(sight.theme);
        Ok(Self {
            pages: vec![Page::new(sight.size, theme.color(Ink::Paper))],
            face: Type::bundled()?,
            theme,
            size: sight.size,
            unit: sight.size.0 as f32 / WIDTH,
            down: MARGIN,
        })
    }

    pub(super) fn has_letters(&self, words: &Words) -> Result<(), StageError> {
        let style = self.style(Weight::Regular, TEXT, Ink::Ink);
        match words.all().find(|text| !self.face.has_letters(&style, text)) {
            Some(text) => Err(StageError::NoLetters {
                element: "the sheet".to_owned(),
                text: text.to_owned(),
            }),
            None => Ok(()),
        }
    }

    fn style(&self, weight: Weight, size: f32, ink: Ink) -> Style {
        Style {
            weight,
            size: size * self.unit,
            color: self.theme.color(ink),
        }
    }

    fn bottom(&self) -> f32 {
        self.size.1 as f32 / self.unit - MARGIN
    }

    /// Begins another page when this much does not fit on this one.
    fn room(&mut self, height: f32) {
        if self.down + height > self.bottom() {
            self.pages
                .push(Page::new(self.size, self.theme.color(Ink::Paper)));
            self.down = MARGIN;
        }
    }

    fn page(&mut self) -> (&mut Page, &mut Type) {
        let last = self.pages.len() - 1;
        (&mut self.pages[last], &mut self.face)
    }

    /// Sets lines with the first one's capitals at the top; moves nothing.
    fn lines(&mut self, lines: &[String], style: &Style, left: f32, top: f32) {
        let unit = self.unit;
        let (page, face) = self.page();
        for (nth, line) in lines.iter().enumerate() {
            let baseline = top * unit + style.size * (0.73 + LEADING * nth as f32);
            page.set(face, style, line, left * unit, baseline.round());
        }
    }

    fn broken(&self, text: &str, style: &Style, width: f32) -> Vec<String> {
        self.face.lines(style, text, width * self.unit)
    }

    fn rule(&mut self, top: f32, ink: Ink) {
        let (unit, color) = (self.unit, self.theme.color(ink));
        let thick = unit.max(1.0).round();
        let at = [
            MARGIN * unit,
            (top * unit).round(),
            (WIDTH - 2.0 * MARGIN) * unit,
            thick,
        ];
        self.page().0.fill(at, color);
    }

    pub(super) fn head(&mut self, words: &Words) {
        let width = WIDTH - 2.0 * MARGIN;
        // A question of many lines steps back a little, so that it leaves room for what answers it.
        let size = [TITLE, 24.0, 20.0]
            .into_iter()
            .find(|size| {
                let style = self.style(Weight::SemiBold, *size, Ink::Ink);
                self.broken(&words.question, &style, width).len() <= 2
            })
            .unwrap_or(18.0);
        let style = self.style(Weight::SemiBold, size, Ink::Ink);
        for line in self.broken(&words.question, &style, width) {
            self.room(size * LEADING);
            self.lines(&[line], &style, MARGIN, self.down);
            self.down += size * LEADING;
        }
        self.down += 4.0;
        let ink = if words.study { Ink::Caveat } else { Ink::Muted };
        let style = self.style(Weight::Regular, SMALL, ink);
        self.lines(&[words.standing.clone()], &style, MARGIN, self.down);
        self.down += SMALL * LEADING + 10.0;
    }

    pub(super) fn views(&mut self, views: &[Picture], words: &Words) {
        let caption = self.style(Weight::Regular, SMALL, Ink::Muted);
        let column = (WIDTH - 2.0 * MARGIN - GUTTER) / 2.0;
        let height = column * SHAPE;
        for (pair, captions) in views.chunks(2).zip(words.captions.chunks(2)) {
            let captions: Vec<Vec<String>> = captions
                .iter()
                .map(|text| self.broken(text, &caption, column))
                .collect();
            let lines = captions.iter().map(Vec::len).max().unwrap_or(1) as f32;
            let below = SMALL * LEADING * lines;
            self.room(height + below + 8.0);
            for (nth, (view, lines)) in pair.iter().zip(&captions).enumerate() {
                let left = MARGIN + nth as f32 * (column + GUTTER);
                let (x, y) = (
                    (left * self.unit).round() as u32,
                    (self.down * self.unit).round() as u32,
                );
                self.page().0.lay(view, x, y);
                self.lines(lines, &caption, left, self.down + height + 6.0);
            }
            self.down += height + below + 16.0;
        }
    }

    pub(super) fn picture(&mut self, picture: &Picture) {
        let height = picture.height as f32 / self.unit;
        self.down += 10.0;
        self.room(height + 20.0);
        let (x, y) = (
            (MARGIN * self.unit).round() as u32,
            (self.down * self.unit).round() as u32,
        );
        self.page().0.lay(picture, x, y);
        self.down += height + 20.0;
    }

    fn heading(&mut self, heading: &str, first: f32) {
        self.room(SMALL * LEADING + 15.0 + first);
        self.rule(self.down, Ink::Frame);
        self.down += 11.0;
        let style = self.style(Weight::SemiBold, SMALL, Ink::Ink);
        self.lines(&[heading.to_owned()], &style, MARGIN, self.down);
        self.down += SMALL * LEADING + 4.0;
    }

    /// Sentences in two columns, read downward, the left one first; each page balances its own.
    pub(super) fn columns(&mut self, heading: &str, sentences: &[(String, Ink)]) {
        let column = (WIDTH - 2.0 * MARGIN - GUTTER) / 2.0;
        let set: Vec<(Vec<String>, Style, f32)> = sentences
            .iter()
            .map(|(text, ink)| {
                let style = self.style(Weight::Regular, TEXT, *ink);
                let lines = self.broken(text, &style, column);
                let height = lines.len() as f32 * TEXT * LEADING + 5.0;
                (lines, style, height)
            })
            .collect();
        let Some(first) = set.first() else { return };
        self.heading(heading, first.2);
        let mut rest = set.as_slice();
        while !rest.is_empty() {
            let room = self.bottom() - self.down;
            // The lowest columns that take all that is left; when the page does not hold them, as much as it holds.
            let fits = |most: f32| split(rest, most);
            let whole = (1..=2000).map(|units| units as f32).find(|most| {
                let (left, right) = fits(*most);
                *most <= room && left + right == rest.len()
            });
            let (left, right) = fits(whole.unwrap_or(room));
            let taken = (left + right).max(1);
            let mut lowest = self.down;
            for (nth, part) in [
                &rest[..left.max(1).min(taken)],
                &rest[left.max(1).min(taken)..taken],
            ]
            .into_iter()
            .enumerate()
            {
                let mut down = self.down;
                for (lines, style, height) in part {
                    self.lines(lines, style, MARGIN + nth as f32 * (column + GUTTER), down);
                    down += height;
                }
                lowest = lowest.max(down);
            }
            self.down = lowest + 12.0;
            rest = &rest[taken..];
            if !rest.is_empty() {
                self.room(f32::INFINITY);
            }
        }
    }

    pub(super) fn table(&mut self, heading: &str, rows: &[(&'static str, String)]) {
        let pitch = SMALL * 1.4;
        let (names, texts) = (
            self.style(Weight::Regular, SMALL, Ink::Muted),
            self.style(Weight::Regular, SMALL, Ink::Ink),
        );
        let beside = 96.0;
        let set: Vec<(&str, Vec<String>)> = rows
            .iter()
            .map(|(name, text)| (*name, self.broken(text, &texts, WIDTH - 2.0 * MARGIN - beside)))
            .collect();
        let lines: usize = set.iter().map(|(_, lines)| lines.len()).sum();
        // A table stays together.
        self.heading(heading, pitch * lines as f32);
        for (name, lines) in set {
            self.room(pitch * lines.len() as f32);
            self.lines(&[name.to_owned()], &names, MARGIN, self.down);
            self.lines(&lines, &texts, MARGIN + beside, self.down);
            self.down += pitch * lines.len() as f32;
        }
    }

    /// Puts a foot under every page.
    pub(super) fn finish(mut self, words: &Words) -> Vec<Picture> {
        let style = self.style(Weight::Regular, SMALL, Ink::Muted);
        let pages = self.pages.len();
        let top = self.bottom() + 28.0;
        let plan = words.identities.first().map_or("", |(_, text)| text);
        let short: String = plan.chars().take(plan.find(':').unwrap_or(0) + 13).collect();
        for (nth, page) in self.pages.iter_mut().enumerate() {
            let baseline = (top * self.unit + style.size * 0.73).round();
            page.set(&mut self.face, &style, &short, MARGIN * self.unit, baseline);
            let said = format!("{} of {pages}", nth + 1);
            let width = self.face.width(&style, &said);
            let right = (WIDTH - MARGIN) * self.unit - width;
            page.set(&mut self.face, &style, &said, right, baseline);
        }
        self.pages.iter().map(Page::to_picture).collect()
    }
}

/// How many of the sentences two columns of this height take, left and right.
fn split(set: &[(Vec<String>, Style, f32)], most: f32) -> (usize, usize) {
    let take = |set: &[(Vec<String>, Style, f32)]| {
        let mut height = 0.0;
        set.iter()
            .take_while(|(_, _, own)| {
                height += own;
                height <= most
            })
            .count()
    };
    let left = take(set);
    (left, take(&set[left..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli;
    use crate::picture::Background;

    fn flow() -> Flow {
        let sight = Sight {
            camera: cli::Camera::Named("home"),
            size: (620, 877),
            theme: cli::Theme::Light,
            supersample: 1,
            background: Background::Paper,
        };
        Flow::new(&sight).unwrap()
    }

    fn words(question: &str, caveats: usize) -> Words {
        let caveat =
            |nth| format!("Caveat {nth} says at some length what a reader must not overlook in this picture");
        Words {
            question: question.to_owned(),
            standing: "admitted for production".to_owned(),
            study: false,
            captions: ["From home", "From the front", "From above", "From the right"].map(str::to_owned),
            caveats: (0..caveats).map(|nth| (caveat(nth), Ink::Muted)).collect(),
            identities: vec![("plan", format!("perceptual-plan-v1:{}", "0".repeat(64)))],
        }
    }

    fn set(words: &Words) -> Vec<Picture> {
        let mut flow = flow();
        flow.head(words);
        let view = Picture {
            width: 259,
            height: 223,
            rgb: vec![128; 259 * 223 * 3],
        };
        flow.views(&vec![view; 4], words);
        flow.columns("Caveats", &words.caveats);
        flow.table("Identities", &words.identities);
        flow.finish(words)
    }

    /// Rows and columns of pixels at the edges that are all paper.
    fn margins(page: &Picture) -> [usize; 4] {
        let (width, height) = (page.width as usize, page.height as usize);
        let paper = page.rgb[..3].to_vec();
        let is_paper = |x: usize, y: usize| page.rgb[(y * width + x) * 3..][..3] == paper[..];
        let row = |y: &usize| (0..width).all(|x| is_paper(x, *y));
        let column = |x: &usize| (0..height).all(|y| is_paper(*x, y));
        [
            (0..width).take_while(column).count(),
            (0..height).take_while(row).count(),
            (0..width).rev().take_while(column).count(),
            (0..height).rev().take_while(row).count(),
        ]
    }

    #[test]
    fn what_does_not_fit_goes_to_further_pages_and_nothing_into_the_margins() {
        let long =
            "Which of the measured lengths, taken together with the mass, tells one species from another? "
                .repeat(8);
        for (question, caveats, least, most) in [
            ("Does flipper length separate the species?", 6, 1, 1),
            ("Does flipper length separate the species?", 20, 1, 2),
            ("Does flipper length separate the species?", 120, 2, 6),
            (long.as_str(), 20, 2, 3),
        ] {
            let pages = set(&words(question, caveats));
            assert!(
                (least..=most).contains(&pages.len()),
                "{caveats} caveats take {} pages",
                pages.len()
            );
            for page in &pages {
                let [left, top, right, bottom] = margins(page);
                let most = (MARGIN / 2.0) as usize;
                assert!(
                    left + 3 >= most && right + 3 >= most && top + 3 >= most,
                    "{:?}",
                    margins(page)
                );
                // The foot stands in the lower margin.
                assert!(bottom + 3 >= most / 2, "{:?}", margins(page));
            }
        }
    }

    #[test]
    fn two_columns_take_every_sentence_once_and_the_left_one_first() {
        let flow = flow();
        let style = flow.style(Weight::Regular, TEXT, Ink::Ink);
        let set: Vec<(Vec<String>, Style, f32)> = (0..7).map(|_| (Vec::new(), style, 10.0)).collect();
        assert_eq!(split(&set, 40.0), (4, 3));
        assert_eq!(split(&set, 30.0), (3, 3));
        assert_eq!(split(&set, 5.0), (0, 0));
    }
}
