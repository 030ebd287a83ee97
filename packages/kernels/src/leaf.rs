//! The bulk values of an analysis, as bytes that have exactly one form: rows that a picture draws as one mark each.
//!
//! # Layout
//! ```text
//! NEMOLEAF1\n
//! {"columns":[{"bytes":2736,"kind":"NUMERIC","name":"body_mass_g"},
//!             {"bytes":1368,"kind":"CATEGORICAL","labels":["Adelie","Gentoo"],"name":"species"}],
//!  "nRows":342,"rowKeys":{"bytes":1368,"kind":"ORDINAL"}}\n          (one line of canonical JSON, RFC 8785)
//! one section a column in that order: f64 values, or u32 indices into the labels
//! one section of row keys: u32 ordinals from 1, or for each key a u32 length and that many bytes of UTF-8
//! ```
//! Numbers are little-endian. Doubles are finite and never −0; ordinals increase strictly; keys are unique; every label
//! is used and labels are sorted by UTF-16 code units. Nothing stands between the sections or after the last. A reader
//! refuses anything else, so equal values have equal bytes and the digest names the values.

mod read;
mod write;

use std::collections::BTreeSet;

use identity::Digest;
use refusal::{Reason, Refusal, Stage};
use serde::{Deserialize, Serialize};

pub(crate) const MAGIC: &[u8] = b"NEMOLEAF1\n";

/// How rows are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RowKeys {
    /// By their place in the import, from 1, strictly increasing; the key text is `row:N`.
    Ordinals(Vec<u32>),
    /// By the text in the declared key column, each once.
    Keys(Vec<String>),
}

/// What ordinal keys begin with, as in the dataset.
const ORDINAL: &str = "row:";

/// One column of complete cases.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafColumn {
    name: String,
    values: LeafValues,
}

/// The values of a column, one a row.
#[derive(Clone, Debug, PartialEq)]
pub enum LeafValues {
    /// Finite doubles in the column's unit.
    Numbers(Vec<f64>),
    /// Indices into labels.
    Categories {
        /// Labels, sorted by UTF-16 code units, each used.
        labels: Vec<String>,
        /// One index a row.
        codes: Vec<u32>,
    },
}

impl LeafValues {
    /// Words as categories: labels sorted and each used, one code a word.
    pub(crate) fn of_words(words: &[String]) -> Self {
        let mut labels = words.to_vec();
        labels.sort_unstable_by(|a, b| identity::utf16_cmp(a, b));
        labels.dedup();
        let code = |word: &String| {
            let at = labels.binary_search_by(|label| identity::utf16_cmp(label, word));
            at.map_or(0, |at| at as u32)
        };
        Self::Categories {
            codes: words.iter().map(code).collect(),
            labels,
        }
    }
}

impl LeafColumn {
    /// A column, unchecked until it enters [`Columns::new`].
    #[must_use]
    pub fn new(name: impl Into<String>, values: LeafValues) -> Self {
        Self {
            name: name.into(),
            values,
        }
    }

    /// The column's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    #[must_use]
    pub fn values(&self) -> &LeafValues {
        &self.values
    }

    fn n_rows(&self) -> usize {
        match &self.values {
            LeafValues::Numbers(values) => values.len(),
            LeafValues::Categories { codes, .. } => codes.len(),
        }
    }
}

/// Rows by columns, checked: equal lengths, unique names and keys, finite numbers, codes within labels.
#[derive(Clone, Debug, PartialEq)]
pub struct Columns {
    row_keys: RowKeys,
    columns: Vec<LeafColumn>,
    n_rows: usize,
    /// Rows in the order of their keys; empty for ordinals, which are sorted already.
    rows_by_key: Vec<u32>,
    digest: Digest,
}

/// Bounds on a leaf that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafLimits {
    /// Bytes of the whole leaf.
    pub max_bytes: usize,
    /// Bytes of the header line.
    pub max_header_bytes: usize,
    /// Columns.
    pub max_columns: usize,
    /// Rows.
    pub max_rows: usize,
}

impl LeafLimits {
    /// 2 GiB, 16 MiB of header, 256 columns, 100 million rows.
    pub const DEFAULT: Self = Self {
        max_bytes: 2 << 30,
        max_header_bytes: 16 << 20,
        max_columns: 256,
        max_rows: 100_000_000,
    };
}

impl Default for LeafLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Why values or bytes are no leaf.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LeafError {
    /// The bytes do not begin as a leaf does. Way out: pass the artifact that the content names.
    #[error("the bytes are not a leaf: they do not begin with NEMOLEAF1")]
    Magic,
    /// A bound was passed. Way out: project fewer rows or columns, or raise the bound.
    #[error("the leaf has {found} {what}; the most is {limit}")]
    Limit {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many may be.
        limit: usize,
    },
    /// The header is not the one canonical line. Way out: fetch the leaf again from its owner.
    #[error("the leaf's header is wrong at byte {offset}: {problem}")]
    Header {
        /// Offset from the start of the leaf.
        offset: usize,
        /// What is wrong.
        problem: String,
    },
    /// The leaf is shorter or longer than its header says. Way out: fetch it again.
    #[error("the leaf has {found} bytes, its header says {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
    /// A value that no leaf may hold. Way out: the values were altered or wrongly made; project them again.
    #[error("{place}: {problem}")]
    Value {
        /// Which column or key, and which row.
        place: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Columns that do not fit together. Way out: as for [`Self::Value`].
    #[error("the columns do not fit together: {problem}")]
    Structure {
        /// What does not fit.
        problem: String,
    },
}

impl LeafError {
    /// The refusal every surface shows: INVALID_INPUT at DECODE_INTEGRITY.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let reason = match self {
            Self::Limit { .. } => Reason::Bounds,
            Self::Length { .. } => Reason::Integrity,
            Self::Magic | Self::Header { .. } | Self::Value { .. } | Self::Structure { .. } => {
                Reason::Malformed
            }
        };
        let next = match self {
            Self::Limit { .. } => "project fewer rows or columns",
            Self::Magic
            | Self::Length { .. }
            | Self::Header { .. }
            | Self::Value { .. }
            | Self::Structure { .. } => "run the row projection again, or fetch the package again",
        };
        let refusal = Refusal::new(Stage::DecodeIntegrity, reason, self.to_string()).next(next);
        match self {
            Self::Header { offset, .. } => refusal.at(format!("byte {offset}")),
            Self::Value { place, .. } => refusal.at(place),
            Self::Magic | Self::Limit { .. } | Self::Length { .. } | Self::Structure { .. } => refusal,
        }
    }
}

/// The header line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Header {
    columns: Vec<HeaderColumn>,
    n_rows: usize,
    row_keys: HeaderKeys,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HeaderColumn {
    bytes: usize,
    kind: HeaderKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<String>>,
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum HeaderKind {
    Numeric,
    Categorical,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct HeaderKeys {
    bytes: usize,
    kind: HeaderKeyKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum HeaderKeyKind {
    Ordinal,
    Key,
}

impl Columns {
    /// Puts checked columns together.
    ///
    /// # Errors
    /// [`LeafError::Structure`] and [`LeafError::Value`] for the first rule that is broken.
    pub fn new(row_keys: RowKeys, columns: Vec<LeafColumn>) -> Result<Self, LeafError> {
        let n_rows = match &row_keys {
            RowKeys::Ordinals(ordinals) => ordinals.len(),
            RowKeys::Keys(keys) => keys.len(),
        };
        let mut names = BTreeSet::new();
        for column in &columns {
            if !names.insert(column.name.as_str()) {
                return Err(structure(format!("two columns are named `{}`", column.name)));
            }
            if column.n_rows() != n_rows {
                let found = column.n_rows();
                return Err(structure(format!(
                    "column `{}` has {found} values for {n_rows} rows",
                    column.name
                )));
            }
            check_values(column)?;
        }
        let rows_by_key = check_keys(&row_keys)?;
        let digest = Digest::of(&write::to_bytes(&row_keys, &columns, n_rows));
        Ok(Self {
            row_keys,
            columns,
            n_rows,
            rows_by_key,
            digest,
        })
    }

    /// The one form of these values as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        write::to_bytes(&self.row_keys, &self.columns, self.n_rows)
    }

    /// Reads a leaf, refusing everything that [`Columns::to_bytes`] does not write.
    ///
    /// # Errors
    /// [`LeafError`], with the place.
    pub fn from_bytes(bytes: &[u8], limits: &LeafLimits) -> Result<Self, LeafError> {
        read::from_bytes(bytes, limits)
    }

    /// The digest of [`Columns::to_bytes`].
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How many rows.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The columns in order.
    #[must_use]
    pub fn columns(&self) -> &[LeafColumn] {
        &self.columns
    }

    /// How rows are known.
    #[must_use]
    pub fn row_keys(&self) -> &RowKeys {
        &self.row_keys
    }

    /// The key of a row, counted from 0 in the leaf.
    ///
    /// # Panics
    /// As a slice does, when `row_idx` is not below [`Columns::n_rows`].
    #[must_use]
    pub fn row_key(&self, row_idx: usize) -> String {
        match &self.row_keys {
            RowKeys::Ordinals(ordinals) => format!("{ORDINAL}{}", ordinals[row_idx]),
            RowKeys::Keys(keys) => keys[row_idx].clone(),
        }
    }

    /// The row of the leaf with exactly this key. Takes O(log rows).
    #[must_use]
    pub fn row_of_key(&self, key: &str) -> Option<usize> {
        match &self.row_keys {
            RowKeys::Ordinals(ordinals) => {
                let digits = key.strip_prefix(ORDINAL)?;
                let ordinal: u32 = digits.parse().ok()?;
                // `row:07` and `row:+7` are not keys.
                (ordinal.to_string() == digits).then_some(())?;
                ordinals.binary_search(&ordinal).ok()
            }
            RowKeys::Keys(keys) => {
                let found = self
                    .rows_by_key
                    .binary_search_by(|row| keys[*row as usize].as_str().cmp(key))
                    .ok()?;
                Some(self.rows_by_key[found] as usize)
            }
        }
    }

    /// The numbers of a numeric column; `None` for other columns and unknown names.
    #[must_use]
    pub fn number(&self, column: &str) -> Option<&[f64]> {
        match self.column(column)?.values() {
            LeafValues::Numbers(values) => Some(values),
            LeafValues::Categories { .. } => None,
        }
    }

    /// The labels and codes of a categorical column; `None` for other columns and unknown names.
    #[must_use]
    pub fn categories(&self, column: &str) -> Option<(&[String], &[u32])> {
        match self.column(column)?.values() {
            LeafValues::Categories { labels, codes } => Some((labels, codes)),
            LeafValues::Numbers(_) => None,
        }
    }

    fn column(&self, name: &str) -> Option<&LeafColumn> {
        self.columns.iter().find(|column| column.name == name)
    }
}

fn structure(problem: String) -> LeafError {
    LeafError::Structure { problem }
}

fn value(column: &str, row_idx: usize, problem: &'static str) -> LeafError {
    LeafError::Value {
        place: format!("column `{column}`, row {}", row_idx + 1),
        problem,
    }
}

fn check_values(column: &LeafColumn) -> Result<(), LeafError> {
    match &column.values {
        LeafValues::Numbers(values) => {
            let bad = |x: &f64| !x.is_finite() || (*x == 0.0 && x.is_sign_negative());
            match values.iter().position(bad) {
                Some(row_idx) => Err(value(&column.name, row_idx, "a number must be finite and not −0")),
                None => Ok(()),
            }
        }
        LeafValues::Categories { labels, codes } => {
            let sorted = |pair: &[String]| identity::utf16_cmp(&pair[0], &pair[1]).is_lt();
            if !labels.windows(2).all(sorted) {
                return Err(structure(format!(
                    "the labels of `{}` are not sorted or repeat",
                    column.name
                )));
            }
            let mut used = vec![false; labels.len()];
            for (row_idx, code) in codes.iter().enumerate() {
                match used.get_mut(*code as usize) {
                    Some(used) => *used = true,
                    None => return Err(value(&column.name, row_idx, "there is no such label")),
                }
            }
            match used.iter().position(|used| !used) {
                Some(idx) => Err(structure(format!(
                    "no row of `{}` has the label `{}`",
                    column.name, labels[idx]
                ))),
                None => Ok(()),
            }
        }
    }
}

/// Checks that keys tell rows apart and gives the rows in the order of their keys.
fn check_keys(row_keys: &RowKeys) -> Result<Vec<u32>, LeafError> {
    let wrong = |row_idx: usize, problem| LeafError::Value {
        place: format!("row key {}", row_idx + 1),
        problem,
    };
    match row_keys {
        RowKeys::Ordinals(ordinals) => {
            if ordinals.first() == Some(&0) {
                return Err(wrong(0, "ordinals count from 1"));
            }
            match ordinals.windows(2).position(|pair| pair[0] >= pair[1]) {
                Some(row_idx) => Err(wrong(row_idx + 1, "ordinals must increase strictly")),
                None => Ok(Vec::new()),
            }
        }
        RowKeys::Keys(keys) => {
            let n_rows = u32::try_from(keys.len()).map_err(|_| LeafError::Limit {
                what: "rows",
                found: keys.len(),
                limit: u32::MAX as usize,
            })?;
            let mut rows: Vec<u32> = (0..n_rows).collect();
            rows.sort_unstable_by(|a, b| keys[*a as usize].cmp(&keys[*b as usize]));
            match rows
                .windows(2)
                .find(|pair| keys[pair[0] as usize] == keys[pair[1] as usize])
            {
                Some(pair) => Err(wrong(pair[0].max(pair[1]) as usize, "the key occurs twice")),
                None => Ok(rows),
            }
        }
    }
}
