//! The dataset of a legacy package, and the two identities it may have.

use identity::{CanonicalError, DigestWriter, canonical, utf16_cmp};
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

use super::error::LegacyError;
use super::json::{At, Js};

const NULL: Value = Value::Null;

/// One declared column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegacyColumn {
    /// Name.
    pub name: String,
    /// `NUMERIC`, `CATEGORICAL`, `TEMPORAL`, `TEXT`, `UNKNOWN`, or what else its writer wrote.
    pub kind: String,
}

/// A dataset as its member states it: rows are inert values, and nothing is imported.
#[derive(Clone, Debug, PartialEq)]
pub struct LegacyDataset {
    /// Name; part of the identity.
    pub name: String,
    /// Columns in declared order.
    pub columns: Vec<LegacyColumn>,
    /// Number of edges, when the dataset has an edge list.
    pub n_edges: Option<usize>,
    rows: Vec<Value>,
    fingerprint: String,
}

impl LegacyDataset {
    pub(super) fn read(at: &At<'_>) -> Result<Self, LegacyError> {
        let name = at.need("name")?.text()?.to_owned();
        let mut columns = Vec::new();
        for column in at.need("columns")?.items()? {
            columns.push(LegacyColumn {
                name: column.need("name")?.text()?.to_owned(),
                kind: column.need("type")?.text()?.to_owned(),
            });
        }
        let rows = at.need("rows")?.items()?;
        for row in &rows {
            row.object()?;
        }
        let edges = at.get("edges").map(|edges| edges.items()).transpose()?;
        for edge in edges.iter().flatten() {
            edge.object()?;
        }
        let rows = rows.into_iter().map(|row| row.value.clone()).collect();
        let edges: Option<Vec<&Value>> =
            edges.map(|edges| edges.into_iter().map(|edge| edge.value).collect());
        let mut dataset = Self {
            name,
            columns,
            n_edges: edges.as_ref().map(Vec::len),
            rows,
            fingerprint: String::new(),
        };
        dataset.fingerprint = dataset
            .identity(edges.as_deref())
            .map_err(|error| at.uncanonical(&error))?;
        Ok(dataset)
    }

    /// Number of rows.
    #[must_use]
    pub fn n_rows(&self) -> usize {
        self.rows.len()
    }

    /// `sha256-canonical-dataset-v1`: 64 digits over declared columns, edges, name and rows. A cell that is not there is
    /// `null`, and members of a row that no column declares take no part.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// The decimal hash of early version 1: 31-fold over the UTF-16 units of `name:rows:columns`, wrapped to 32 bits,
    /// without its sign. No value takes part in it.
    #[must_use]
    pub fn seed_hash(&self) -> String {
        let text = format!("{}:{}:{}", self.name, self.rows.len(), self.columns.len());
        let hash = text.encode_utf16().fold(0_i32, |hash, unit| {
            hash.wrapping_mul(31).wrapping_add(i32::from(unit))
        });
        hash.unsigned_abs().to_string()
    }

    /// A cell as JSON text; `null` when it is missing.
    #[must_use]
    pub fn cell(&self, row_idx: usize, column: &str) -> String {
        let value = self.rows.get(row_idx).and_then(|row| row.get(column));
        value.unwrap_or(&NULL).to_string()
    }

    /// How many cells of a column hold nothing.
    #[must_use]
    pub fn n_missing(&self, column: &str) -> usize {
        let missing = |row: &&Value| row.get(column).is_none_or(Value::is_null);
        self.rows.iter().filter(missing).count()
    }

    fn identity(&self, edges: Option<&[&Value]>) -> Result<String, CanonicalError> {
        let mut names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        names.sort_by(|a, b| utf16_cmp(a, b));
        names.dedup();
        let columns: Vec<Column<'_>> = self.columns.iter().map(Column).collect();
        let mut digest = DigestWriter::new();
        digest.update(b"{\"columns\":");
        digest.update(&canonical::to_vec(&columns)?);
        if let Some(edges) = edges {
            digest.update(b",\"edges\":[");
            for (idx, edge) in edges.iter().enumerate() {
                if idx > 0 {
                    digest.update(b",");
                }
                digest.update(&canonical::to_vec(&Js(edge))?);
            }
            digest.update(b"]");
        }
        digest.update(b",\"name\":");
        digest.update(&canonical::to_vec(&self.name)?);
        digest.update(b",\"rows\":[");
        for (idx, row) in self.rows.iter().enumerate() {
            if idx > 0 {
                digest.update(b",");
            }
            let names = &names;
            digest.update(&canonical::to_vec(&Row { names, row })?);
        }
        digest.update(b"]}");
        Ok(digest.finish().hex())
    }
}

struct Column<'a>(&'a LegacyColumn);

impl Serialize for Column<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("name", &self.0.name)?;
        map.serialize_entry("type", &self.0.kind)?;
        map.end()
    }
}

struct Row<'a> {
    names: &'a [&'a str],
    row: &'a Value,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.names.len()))?;
        for name in self.names {
            map.serialize_entry(name, &Js(self.row.get(*name).unwrap_or(&NULL)))?;
        }
        map.end()
    }
}
