//! Declarations as a person writes them: `COLUMN:TYPE:UNIT`, and what a shell argument needs around them.
//!
//! TYPE is a kind (`NUMERIC`, `CATEGORICAL`, `TEMPORAL`, `TEXT`) or a scale (`ratio`, `ordinal`, `identifier` and so on),
//! spelled as the report spells it: case matters, because `TEMPORAL` is a kind and `temporal` a scale. TYPE may be empty,
//! and UNIT left out. A column whose name holds a colon or begins with a double quote stands in double quotes, a quote
//! inside doubled: `"a:b":NUMERIC:mm`. What stands behind the second colon is the unit, colons included.

use crate::column::ColumnKind;
use crate::error::{ImportError, excerpt};
use crate::measure::{ObservationStructure, Scale};
use crate::options::Declaration;
use crate::words::Word;

impl Declaration {
    /// Reads `COLUMN:TYPE:UNIT`.
    ///
    /// # Errors
    /// [`ImportError::Option`], which says what is wrong with the text and how to write it.
    pub fn parse(text: &str) -> Result<Self, ImportError> {
        let (column, rest) = column(text)?;
        let Some(rest) = rest else {
            return Err(ImportError::Option {
                what: format!(
                    "the declaration `{}` states nothing; write COLUMN:TYPE:UNIT, as in mass:ratio:kg",
                    excerpt(text)
                ),
            });
        };
        let (kind, unit) = match rest.split_once(':') {
            Some((kind, unit)) => (kind, Some(unit)),
            None => (rest, None),
        };
        let mut declaration = Self::of(column);
        match (ColumnKind::parse(kind), Scale::parse(kind)) {
            (Some(kind), _) => declaration.kind = Some(kind),
            (None, Some(scale)) => declaration.scale = Some(scale),
            (None, None) if kind.is_empty() && unit.is_some() => {}
            (None, None) => return Err(no_type(kind)),
        }
        declaration.unit = unit.filter(|unit| !unit.is_empty()).map(str::to_owned);
        if unit == Some("") && kind.is_empty() {
            return Err(no_type(kind));
        }
        Ok(declaration)
    }

    /// Reads `COLUMN:STRUCTURE`, or `STRUCTURE` alone, which is about every column and gives no column name.
    ///
    /// # Errors
    /// As [`Declaration::parse`].
    pub fn parse_observations(text: &str) -> Result<(Option<String>, ObservationStructure), ImportError> {
        if let Some(structure) = ObservationStructure::parse(text) {
            return Ok((None, structure));
        }
        let (column, rest) = column(text)?;
        match rest.and_then(ObservationStructure::parse) {
            Some(structure) => Ok((Some(column), structure)),
            None => Err(ImportError::Option {
                what: format!(
                    "`{}` is no observation structure; {} are, alone or as COLUMN:STRUCTURE",
                    excerpt(rest.unwrap_or(text)),
                    all::<ObservationStructure>()
                ),
            }),
        }
    }

    /// Joins what two declarations about one column state.
    ///
    /// # Errors
    /// [`ImportError::Option`] when both state the same thing.
    pub fn join(self, other: Self) -> Result<Self, ImportError> {
        let twice = (self.kind.is_some() && other.kind.is_some())
            || (self.scale.is_some() && other.scale.is_some())
            || (self.unit.is_some() && other.unit.is_some())
            || (self.observation_structure.is_some() && other.observation_structure.is_some());
        if twice {
            return Err(ImportError::Option {
                what: format!(
                    "the same is declared twice about the column `{}`",
                    excerpt(&self.column)
                ),
            });
        }
        Ok(Self {
            column: self.column,
            kind: self.kind.or(other.kind),
            scale: self.scale.or(other.scale),
            unit: self.unit.or(other.unit),
            observation_structure: self.observation_structure.or(other.observation_structure),
            confirmed: self.confirmed || other.confirmed,
        })
    }
}

/// The column at the beginning of a declaration, and what stands behind its colon.
fn column(text: &str) -> Result<(String, Option<&str>), ImportError> {
    let Some(quoted) = text.strip_prefix('"') else {
        return Ok(match text.split_once(':') {
            Some((column, rest)) => (column.to_owned(), Some(rest)),
            None => (text.to_owned(), None),
        });
    };
    let mut name = String::new();
    let mut rest = quoted;
    loop {
        let Some((before, after)) = rest.split_once('"') else {
            return Err(ImportError::Option {
                what: format!(
                    "the quote at the beginning of `{}` is never closed",
                    excerpt(text)
                ),
            });
        };
        name.push_str(before);
        match after.strip_prefix('"') {
            Some(more) => {
                name.push('"');
                rest = more;
            }
            None if after.is_empty() => return Ok((name, None)),
            None => {
                let Some(behind) = after.strip_prefix(':') else {
                    return Err(ImportError::Option {
                        what: format!("a colon follows the quoted column in `{}`", excerpt(text)),
                    });
                };
                return Ok((name, Some(behind)));
            }
        }
    }
}

fn no_type(found: &str) -> ImportError {
    let other_case = |word: &&str| word.eq_ignore_ascii_case(found);
    let kinds = ColumnKind::ALL.iter().map(|kind| kind.word());
    let near = kinds
        .chain(Scale::ALL.iter().map(|scale| scale.word()))
        .find(other_case);
    let what = match near {
        Some(near) => format!("`{}` is no type; did you mean `{near}`?", excerpt(found)),
        None => format!(
            "`{}` is no type; the kinds are {}, the scales {}",
            excerpt(found),
            all::<ColumnKind>(),
            all::<Scale>()
        ),
    };
    ImportError::Option { what }
}

/// Every word that can be stated, for messages.
fn all<W: Word>() -> String {
    let words = W::ALL.iter().map(|word| word.word());
    let words: Vec<&str> = words
        .filter(|word| !word.eq_ignore_ascii_case("unknown"))
        .collect();
    words.join(", ")
}

/// A column's name as a declaration takes it.
pub(crate) fn declared_name(name: &str) -> String {
    if name.contains(':') || name.starts_with('"') {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// A text as a shell takes it for one argument.
pub(crate) fn argument(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '+' | '@' | '%');
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_as_people_write_them() {
        let of = Declaration::of;
        for (text, expected) in [
            ("mass:ratio:kg", of("mass").scale(Scale::Ratio).unit("kg")),
            ("mass::kg", of("mass").unit("kg")),
            ("cluster:CATEGORICAL", of("cluster").kind(ColumnKind::Categorical)),
            ("when:temporal", of("when").scale(Scale::Temporal)),
            ("when:TEMPORAL", of("when").kind(ColumnKind::Temporal)),
            (
                "ratio:NUMERIC:a:b",
                of("ratio").kind(ColumnKind::Numeric).unit("a:b"),
            ),
            ("\"a:b\":NUMERIC", of("a:b").kind(ColumnKind::Numeric)),
            ("\"say \"\"x\"\"\":ordinal", of("say \"x\"").scale(Scale::Ordinal)),
            ("say \"x\":ordinal", of("say \"x\"").scale(Scale::Ordinal)),
        ] {
            assert_eq!(Declaration::parse(text).unwrap(), expected, "{text}");
        }
        for name in ["a", "a:b", "\"a\"", "a \"b\" c", ":", "\"", "say \"x\""] {
            let text = format!("{}:NUMERIC", declared_name(name));
            assert_eq!(Declaration::parse(&text).unwrap().column, name, "{text}");
        }
        for (text, part) in [
            ("mass", "states nothing"),
            ("mass:", "is no type"),
            ("mass::", "is no type"),
            ("mass:numeric", "did you mean `NUMERIC`"),
            ("mass:weight", "the kinds are"),
            ("\"a:NUMERIC", "never closed"),
            ("\"a\"b:NUMERIC", "a colon follows"),
        ] {
            let error = Declaration::parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn observations_are_about_a_column_or_all() {
        let parse = Declaration::parse_observations;
        assert_eq!(parse("iid").unwrap(), (None, ObservationStructure::Iid));
        assert_eq!(
            parse("x:repeatedMeasures").unwrap(),
            (Some("x".to_owned()), ObservationStructure::RepeatedMeasures)
        );
        assert_eq!(
            parse("\"iid\":grouped").unwrap(),
            (Some("iid".to_owned()), ObservationStructure::Grouped)
        );
        assert!(parse("x").is_err() && parse("x:IID").is_err());
    }

    #[test]
    fn two_declarations_join_unless_they_say_the_same() {
        let kind = Declaration::parse("x:NUMERIC").unwrap();
        let scale = Declaration::parse("x:ratio:m").unwrap();
        let both = kind.clone().join(scale.clone()).unwrap();
        assert_eq!(
            (both.kind, both.scale),
            (Some(ColumnKind::Numeric), Some(Scale::Ratio))
        );
        assert!(both.join(scale).is_err());
        assert!(kind.clone().join(kind).is_err());
    }

    #[test]
    fn arguments_survive_a_shell() {
        for (text, expected) in [
            ("mass", "mass"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("$x", "'$x'"),
            ("", "''"),
        ] {
            assert_eq!(argument(text), expected);
        }
    }
}
