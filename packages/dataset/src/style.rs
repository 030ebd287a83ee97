//! How a delimited file writes numbers: its decimal mark, and what stands between groups of three digits.
//!
//! A style is a property of the file, not of the machine: no locale is ever asked. A decimal comma is detected when
//! nothing speaks against it (`source::csv_dialect` says how); separators between digits are read only when they are
//! declared, because `5,412` is five thousand to one author and five to another.

use std::borrow::Cow;

use crate::literal::{self, Literal};

/// The decimal mark and the thousands separator of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberStyle {
    pub(crate) decimal: char,
    pub(crate) thousands: Option<char>,
}

/// What a text that is no number would be in another style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherStyle {
    /// Groups of three digits with this separator, and perhaps a decimal mark.
    Grouped(char),
    /// A decimal comma.
    Comma,
    /// One comma and three digits: either.
    Either,
}

impl NumberStyle {
    /// Decimal point, nothing between digits: what programs read.
    pub(crate) const PLAIN: Self = Self {
        decimal: '.',
        thousands: None,
    };

    /// Characters that may stand between groups of digits.
    pub(crate) const SEPARATORS: [char; 8] = [',', '.', ' ', '\'', '_', '\u{a0}', '\u{202f}', '\u{2019}'];

    /// What is wrong with the pair, if anything is.
    pub(crate) fn fault(self) -> Option<String> {
        if !matches!(self.decimal, '.' | ',') {
            return Some(format!(
                "the decimal mark is a point or a comma, not `{}`",
                self.decimal
            ));
        }
        match self.thousands {
            Some(mark) if mark == self.decimal => Some(format!(
                "`{mark}` can't be decimal mark and thousands separator at once; state the other one too"
            )),
            Some(mark) if !Self::SEPARATORS.contains(&mark) => Some(format!(
                "`{mark}` does not separate thousands; comma, point, space, apostrophe and underscore do"
            )),
            _ => None,
        }
    }

    /// The number that `text` (free of surrounding spaces) is in this style, as programs write it; `None` when it is none.
    pub(crate) fn plain(self, text: &str) -> Option<Cow<'_, str>> {
        if self == Self::PLAIN {
            return (literal::classify(text) != Literal::Other).then_some(Cow::Borrowed(text));
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let mut plain = String::with_capacity(text.len());
        plain.push_str(&text[..text.len() - unsigned.len()]);
        let mut rest = unsigned;
        // Digits since the last separator, and how many separators there were.
        let (mut n_digits, mut n_groups) = (0, 0);
        while let Some(c) = rest.chars().next() {
            if c.is_ascii_digit() {
                n_digits += 1;
                plain.push(c);
            } else if self.thousands == Some(c) {
                let whole = if n_groups == 0 {
                    (1..=3).contains(&n_digits)
                } else {
                    n_digits == 3
                };
                if !whole {
                    return None;
                }
                n_groups += 1;
                n_digits = 0;
            } else {
                break;
            }
            rest = &rest[c.len_utf8()..];
        }
        if n_groups > 0 && n_digits != 3 {
            return None;
        }
        if let Some(fraction) = rest.strip_prefix(self.decimal) {
            plain.push('.');
            rest = fraction;
        }
        // What is left is a fraction and an exponent, in which only digits, `e` and a sign stand.
        if rest.contains(['.', ',']) {
            return None;
        }
        plain.push_str(rest);
        (literal::classify(&plain) != Literal::Other).then_some(Cow::Owned(plain))
    }
}

/// What a text that is no plain number would be if it were written in another style.
pub(crate) fn other_style(text: &str) -> Option<OtherStyle> {
    let begins = text
        .bytes()
        .next()
        .is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b','));
    if !begins || text.len() > 64 || !text.contains(|c: char| NumberStyle::SEPARATORS.contains(&c)) {
        return None;
    }
    let comma = NumberStyle {
        decimal: ',',
        thousands: None,
    };
    let as_comma = text.contains(',') && comma.plain(text).is_some();
    let as_grouped = NumberStyle::SEPARATORS.into_iter().find(|&mark| {
        let decimal = if mark == '.' { ',' } else { '.' };
        let style = NumberStyle {
            decimal,
            thousands: Some(mark),
        };
        text.contains(mark) && style.plain(text).is_some()
    });
    match (as_comma, as_grouped) {
        (true, Some(_)) => Some(OtherStyle::Either),
        (true, None) => Some(OtherStyle::Comma),
        (false, Some(mark)) => Some(OtherStyle::Grouped(mark)),
        (false, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(decimal: char, thousands: Option<char>, text: &str) -> Option<String> {
        NumberStyle { decimal, thousands }
            .plain(text)
            .map(Cow::into_owned)
    }

    #[test]
    fn numbers_as_files_write_them() {
        for (decimal, thousands, text, expected) in [
            (',', None, "3,14", Some("3.14")),
            (',', None, "-0,5e-3", Some("-0.5e-3")),
            (',', None, "42", Some("42")),
            (',', None, ",5", Some(".5")),
            (',', None, "1.234", None),
            (',', None, "1.234,56", None),
            (',', Some('.'), "1.234,56", Some("1234.56")),
            (',', Some('.'), "1.234", Some("1234")),
            (',', Some('.'), "1.23", None),
            (',', Some('.'), "1234.567", None),
            (',', Some('.'), "3,141.592", None),
            ('.', Some(','), "5,412,345.678", Some("5412345.678")),
            ('.', Some(','), "5412345.678", Some("5412345.678")),
            ('.', Some(','), "54,12", None),
            ('.', Some(','), ",412", None),
            ('.', Some('\''), "1'000", Some("1000")),
            ('.', Some('\u{202f}'), "+12\u{202f}345", Some("+12345")),
            ('.', None, "1,5", None),
            ('.', None, "1.5", Some("1.5")),
            (',', None, "NaN", None),
            (',', None, "1,2,3", None),
        ] {
            assert_eq!(plain(decimal, thousands, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_another_style_would_read() {
        for (text, expected) in [
            ("5,412,345.678", Some(OtherStyle::Grouped(','))),
            ("1.234,56", Some(OtherStyle::Grouped('.'))),
            ("1 234", Some(OtherStyle::Grouped(' '))),
            ("3,14", Some(OtherStyle::Comma)),
            ("1,234", Some(OtherStyle::Either)),
            ("1.5", None),
            ("a,b", None),
            ("10 Downing St", None),
        ] {
            assert_eq!(other_style(text), expected, "{text}");
        }
    }

    #[test]
    fn a_style_is_a_point_or_a_comma_and_another_separator() {
        let fault = |decimal, thousands| NumberStyle { decimal, thousands }.fault();
        assert_eq!(fault('.', Some(',')), None);
        assert_eq!(fault(',', None), None);
        assert!(fault(',', Some(',')).is_some());
        assert!(fault('x', None).is_some());
        assert!(fault('.', Some('x')).is_some());
    }
}
