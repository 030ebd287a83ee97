//! Writing a leaf.

use super::{
    Header, HeaderColumn, HeaderKeyKind, HeaderKeys, HeaderKind, LeafColumn, LeafValues, MAGIC, RowKeys,
};

pub(super) fn to_bytes(row_keys: &RowKeys, columns: &[LeafColumn], n_rows: usize) -> Vec<u8> {
    let header = header(row_keys, columns, n_rows);
    let line = identity::canonical::to_vec(&header)
        .expect("a header holds texts and sizes of values in memory, which are safe integers");
    let n_bytes: usize = header.columns.iter().map(|column| column.bytes).sum();
    let mut bytes = Vec::with_capacity(MAGIC.len() + line.len() + 1 + n_bytes + header.row_keys.bytes);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&line);
    bytes.push(b'\n');
    for column in columns {
        match &column.values {
            LeafValues::Numbers(values) => bytes.extend(values.iter().flat_map(|value| value.to_le_bytes())),
            LeafValues::Categories { codes, .. } => words(&mut bytes, codes),
        }
    }
    match row_keys {
        RowKeys::Ordinals(ordinals) => words(&mut bytes, ordinals),
        RowKeys::Keys(keys) => {
            for key in keys {
                bytes.extend_from_slice(&(key.len() as u32).to_le_bytes());
                bytes.extend_from_slice(key.as_bytes());
            }
        }
    }
    bytes
}

fn words(bytes: &mut Vec<u8>, words: &[u32]) {
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn header(row_keys: &RowKeys, columns: &[LeafColumn], n_rows: usize) -> Header {
    let columns = columns.iter().map(|column| match &column.values {
        LeafValues::Numbers(values) => HeaderColumn {
            bytes: 8 * values.len(),
            kind: HeaderKind::Numeric,
            labels: None,
            name: column.name.clone(),
        },
        LeafValues::Categories { labels, codes } => HeaderColumn {
            bytes: 4 * codes.len(),
            kind: HeaderKind::Categorical,
            labels: Some(labels.clone()),
            name: column.name.clone(),
        },
    });
    let row_keys = match row_keys {
        RowKeys::Ordinals(ordinals) => HeaderKeys {
            bytes: 4 * ordinals.len(),
            kind: HeaderKeyKind::Ordinal,
        },
        RowKeys::Keys(keys) => HeaderKeys {
            bytes: keys.iter().map(|key| 4 + key.len()).sum(),
            kind: HeaderKeyKind::Key,
        },
    };
    Header {
        columns: columns.collect(),
        n_rows,
        row_keys,
    }
}
