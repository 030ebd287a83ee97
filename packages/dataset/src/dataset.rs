//! The dataset: named columns of equal length, a key for each row, and an identity.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use identity::Fingerprint;

use crate::column::{CellRef, Column};
use crate::edges::Edges;
use crate::fingerprint;

/// What ordinal keys begin with.
const ORDINAL: &str = "row:";

/// The identity of a row inside its dataset: the text of the declared key column, or `row:N` where N is the row's
/// place in the import, from 1, the header not counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RowKey(String);

impl RowKey {
    /// The key's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RowKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for RowKey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// An immutable dataset; cloning shares it.
#[derive(Clone, PartialEq)]
pub struct Dataset(Arc<Inner>);

#[derive(PartialEq)]
struct Inner {
    name: String,
    columns: Vec<Column>,
    n_rows: usize,
    key: Option<KeyIndex>,
    edges: Option<Edges>,
    fingerprint: Fingerprint,
}

/// The key column and its rows in the order of their keys.
#[derive(PartialEq)]
struct KeyIndex {
    column_idx: usize,
    rows_by_key: Vec<usize>,
}

/// Two rows with the same key, or one without; row indices from 0.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum KeyFault {
    Missing {
        row_idx: usize,
    },
    Repeated {
        first_row_idx: usize,
        row_idx: usize,
        key: String,
    },
}

impl Dataset {
    /// Puts checked columns of equal length together. `key` is the index of the key column.
    pub(crate) fn assemble(
        name: String,
        columns: Vec<Column>,
        n_rows: usize,
        key: Option<usize>,
        edges: Option<Edges>,
    ) -> Result<Self, KeyFault> {
        debug_assert!(columns.iter().all(|column| column.n_rows() == n_rows));
        let key = match key {
            Some(column_idx) => Some(KeyIndex::new(&columns[column_idx], column_idx)?),
            None => None,
        };
        let fingerprint = fingerprint::fingerprint(&name, &columns, n_rows, edges.as_ref());
        Ok(Self(Arc::new(Inner {
            name,
            columns,
            n_rows,
            key,
            edges,
            fingerprint,
        })))
    }

    /// The dataset's name; part of its identity.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The columns in declared order.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.0.columns
    }

    /// The column with exactly this name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.0.columns.iter().find(|column| column.name() == name)
    }

    /// How many rows.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.0.n_rows
    }

    /// The declared key column; `None` when rows are known by their ordinal.
    #[must_use]
    pub fn key_column(&self) -> Option<&Column> {
        self.0.key.as_ref().map(|key| &self.0.columns[key.column_idx])
    }

    /// The key of a row, counted from 0.
    ///
    /// # Panics
    /// As a slice does, when `row_idx` is not below [`Dataset::n_rows`].
    #[must_use]
    pub fn row_key(&self, row_idx: usize) -> RowKey {
        assert!(row_idx < self.0.n_rows, "row {row_idx} of {}", self.0.n_rows);
        match &self.0.key {
            Some(key) => RowKey(key_text(&self.0.columns[key.column_idx], row_idx).unwrap_or_default()),
            None => RowKey(format!("{ORDINAL}{}", row_idx + 1)),
        }
    }

    /// The row with exactly this key, counted from 0. Takes O(log rows).
    #[must_use]
    pub fn row_of_key(&self, key: &str) -> Option<usize> {
        if let Some(index) = &self.0.key {
            let column = &self.0.columns[index.column_idx];
            let place = index
                .rows_by_key
                .binary_search_by(|&row_idx| compare_keys(key_text(column, row_idx).as_deref(), key));
            return place.ok().map(|place| index.rows_by_key[place]);
        }
        let digits = key.strip_prefix(ORDINAL)?;
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
        let ordinal: usize = if plain { digits.parse().ok()? } else { return None };
        let row_idx = ordinal.checked_sub(1)?;
        (row_idx < self.0.n_rows).then_some(row_idx)
    }

    /// The edge list, when the dataset is a graph.
    #[must_use]
    pub fn edges(&self) -> Option<&Edges> {
        self.0.edges.as_ref()
    }

    /// The same rows with an edge list; another identity, because edges are part of it.
    #[must_use]
    pub fn with_edges(&self, edges: Edges) -> Self {
        let key = self.0.key.as_ref().map(|key| key.column_idx);
        let (name, columns) = (self.0.name.clone(), self.0.columns.clone());
        Self::assemble(name, columns, self.0.n_rows, key, Some(edges))
            .expect("the same keys were unique before")
    }

    /// The identity `sha256-canonical-dataset-v1`; see the crate's documentation for what it covers.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.0.fingerprint
    }

    /// Writes the canonical text whose SHA-256 is the [`Dataset::fingerprint`], piece by piece in bounded memory.
    pub fn canonical_text(&self, mut out: impl FnMut(&[u8])) {
        let inner = &self.0;
        fingerprint::write(
            &inner.name,
            &inner.columns,
            inner.n_rows,
            inner.edges.as_ref(),
            &mut out,
        );
    }

    /// The column whose name is nearest to a mistyped one, if any is near: at most a third of the letters differ,
    /// upper and lower case, spaces, underscores and hyphens not counted.
    #[must_use]
    pub fn nearest_column_name(&self, name: &str) -> Option<&str> {
        nearest(name, self.0.columns.iter().map(Column::name))
    }
}

impl fmt::Debug for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns: Vec<&str> = self.0.columns.iter().map(Column::name).collect();
        f.debug_struct("Dataset")
            .field("name", &self.0.name)
            .field("columns", &columns)
            .field("n_rows", &self.0.n_rows)
            .field("fingerprint", &self.0.fingerprint)
            .finish_non_exhaustive()
    }
}

impl KeyIndex {
    fn new(column: &Column, column_idx: usize) -> Result<Self, KeyFault> {
        let mut keyed = Vec::with_capacity(column.n_rows());
        for row_idx in 0..column.n_rows() {
            match key_text(column, row_idx) {
                Some(key) => keyed.push((key, row_idx)),
                None => return Err(KeyFault::Missing { row_idx }),
            }
        }
        keyed.sort_unstable();
        let mut first_repeat: Option<(usize, usize, &str)> = None;
        for pair in keyed.windows(2) {
            let repeats_earlier = first_repeat.is_none_or(|(_, row_idx, _)| pair[1].1 < row_idx);
            if pair[0].0 == pair[1].0 && repeats_earlier {
                first_repeat = Some((pair[0].1, pair[1].1, &pair[0].0));
            }
        }
        if let Some((first_row_idx, row_idx, key)) = first_repeat {
            let key = key.to_owned();
            return Err(KeyFault::Repeated {
                first_row_idx,
                row_idx,
                key,
            });
        }
        let rows_by_key = keyed.into_iter().map(|(_, row_idx)| row_idx).collect();
        Ok(Self {
            column_idx,
            rows_by_key,
        })
    }
}

fn compare_keys(found: Option<&str>, wanted: &str) -> Ordering {
    found.unwrap_or_default().cmp(wanted)
}

/// The text of a key cell: text as it is, numbers as ECMAScript prints them.
fn key_text(column: &Column, row_idx: usize) -> Option<String> {
    match column.cell(row_idx) {
        CellRef::Text(text) => Some(text.to_owned()),
        CellRef::Integer(value) => Some(value.to_string()),
        CellRef::Number(value) => Some(ryu_js::Buffer::new().format_finite(value).to_owned()),
        CellRef::Missing(_) => None,
    }
}

/// The nearest of `names` to a mistyped one, if any is near; the earlier of two equally near ones.
pub(crate) fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(name);
    let allowed = (wanted.len() / 3).max(1);
    names
        .map(|candidate| (distance(&wanted, &folded(candidate)), candidate))
        .filter(|(far, _)| *far <= allowed)
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

fn folded(name: &str) -> Vec<char> {
    let kept = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-'));
    kept.flat_map(char::to_lowercase).collect()
}

/// Edit distance with swaps of neighbors (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = substituted.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before_last[j - 2] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
