//! How much room words take before any font is known.

use crate::element::LINE_PITCH;

/// Width that most characters are granted, in em. Proportional fonts need less on average.
pub const CHAR_EM: f64 = 0.6;

/// Width that spaces, dots and the thinnest letters are granted, in em.
pub const THIN_EM: f64 = 0.34;

/// Width that narrow letters and brackets are granted, in em.
pub const NARROW_EM: f64 = 0.44;

/// Width that capitals, `m`, `w`, `@`, `%` and `&` are granted, in em.
pub const WIDE_EM: f64 = 0.72;

/// Cap height in em that room is reckoned with.
pub const CAP_EM: f64 = 0.7;

/// Room that text is granted in meters: [`CHAR_EM`] or [`WIDE_EM`] a character, one em in scripts of wide characters.
#[must_use]
pub fn width(text: &str, cap_height: f64) -> f64 {
    let em = cap_height / CAP_EM;
    let of = |c: char| match c {
        ' ' | 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => THIN_EM,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => NARROW_EM,
        'm' | 'w' | '@' | '%' | '&' => WIDE_EM,
        c if u32::from(c) >= 0x1100 => 1.0,
        c if c.is_uppercase() => WIDE_EM,
        _ => CHAR_EM,
    };
    text.chars().map(of).sum::<f64>() * em
}

/// Lines that text is granted when no line may be wider than `wrap` meters. A font that is narrower than granted needs
/// no more: breaking greedily is never worse with narrower words.
#[must_use]
pub fn lines(text: &str, cap_height: f64, wrap: f64) -> Vec<String> {
    broken(text, |line| width(line, cap_height) <= wrap)
}

/// Breaks at spaces so that every line fits, each as long as it can be; a word that does not fit by itself is broken where
/// it has to be. There is always a line. Whoever sets a label breaks it by this function, with its own measure.
#[must_use]
pub fn broken(text: &str, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let longer = if line.is_empty() {
            word.to_owned()
        } else {
            format!("{line} {word}")
        };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
    }
    lines.push(line);
    lines
}

/// Height of so many lines in meters, from the first cap height to the last baseline.
#[must_use]
pub fn height(n_lines: usize, cap_height: f64) -> f64 {
    cap_height * (1.0 + LINE_PITCH * n_lines.saturating_sub(1) as f64)
}
