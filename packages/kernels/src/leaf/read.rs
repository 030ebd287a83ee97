//! Reading a leaf: header first, then every length, then the values; nothing is repaired.

use super::{
    Columns, Header, HeaderColumn, HeaderKeyKind, HeaderKeys, HeaderKind, LeafColumn, LeafError, LeafLimits,
    LeafValues, MAGIC, RowKeys, structure,
};

pub(super) fn from_bytes(bytes: &[u8], limits: &LeafLimits) -> Result<Columns, LeafError> {
    at_most("bytes", bytes.len(), limits.max_bytes)?;
    let after_magic = bytes.strip_prefix(MAGIC).ok_or(LeafError::Magic)?;
    let (header, mut rest) = header(after_magic, limits)?;
    let expected = sizes(&header)?;
    let header_bytes = bytes.len() - rest.len();
    if rest.len() != expected {
        return Err(LeafError::Length {
            found: bytes.len(),
            expected: header_bytes.saturating_add(expected),
        });
    }
    let mut columns = Vec::with_capacity(header.columns.len());
    for HeaderColumn {
        bytes, labels, name, ..
    } in header.columns
    {
        let section = take(&mut rest, bytes);
        let values = match labels {
            None => {
                let values = section
                    .chunks_exact(8)
                    .map(|chunk| f64::from_le_bytes(array(chunk)));
                LeafValues::Numbers(values.collect())
            }
            Some(labels) => LeafValues::Categories {
                labels,
                codes: words(section),
            },
        };
        columns.push(LeafColumn { name, values });
    }
    let section = take(&mut rest, header.row_keys.bytes);
    let row_keys = match header.row_keys.kind {
        HeaderKeyKind::Ordinal => RowKeys::Ordinals(words(section)),
        HeaderKeyKind::Key => RowKeys::Keys(keys(section, header.n_rows)?),
    };
    Columns::new(row_keys, columns)
}

/// The header, which must be its own canonical line, and what follows it.
fn header<'a>(after_magic: &'a [u8], limits: &LeafLimits) -> Result<(Header, &'a [u8]), LeafError> {
    let wrong = |offset, problem: String| LeafError::Header {
        offset: MAGIC.len() + offset,
        problem,
    };
    let searched = &after_magic[..after_magic.len().min(limits.max_header_bytes)];
    let Some(end) = searched.iter().position(|byte| *byte == b'\n') else {
        return Err(wrong(
            0,
            format!("the line does not end within {} bytes", searched.len()),
        ));
    };
    let (line, rest) = (&after_magic[..end], &after_magic[end + 1..]);
    let decoded = identity::decode::<Header>(
        line,
        &identity::Limits::new().with_max_bytes(limits.max_header_bytes),
    );
    let header = match decoded {
        Ok(header) => header.into_inner(),
        Err(error) => return Err(wrong(error.offset, error.to_string())),
    };
    let canonical = identity::canonical::to_vec(&header).map_err(|error| wrong(0, error.to_string()))?;
    if canonical != line {
        let offset = canonical
            .iter()
            .zip(line)
            .position(|(a, b)| a != b)
            .unwrap_or(canonical.len().min(line.len()));
        return Err(wrong(offset, "the line is not in canonical form".to_owned()));
    }
    at_most("columns", header.columns.len(), limits.max_columns)?;
    at_most("rows", header.n_rows, limits.max_rows)?;
    Ok((header, rest))
}

/// How many bytes all sections take together, when each has the size that its rows need.
fn sizes(header: &Header) -> Result<usize, LeafError> {
    let mut total: usize = 0;
    for HeaderColumn {
        bytes,
        kind,
        labels,
        name,
    } in &header.columns
    {
        if labels.is_some() != (*kind == HeaderKind::Categorical) {
            return Err(structure(format!(
                "column `{name}` must have labels exactly when it is CATEGORICAL"
            )));
        }
        let width = if labels.is_some() { 4 } else { 8 };
        if Some(*bytes) != header.n_rows.checked_mul(width) {
            return Err(structure(format!(
                "column `{name}` takes {bytes} bytes for {} rows",
                header.n_rows
            )));
        }
        total = total.saturating_add(*bytes);
    }
    let HeaderKeys { bytes, kind } = &header.row_keys;
    let fits = match kind {
        HeaderKeyKind::Ordinal => Some(*bytes) == header.n_rows.checked_mul(4),
        HeaderKeyKind::Key => header.n_rows.checked_mul(4).is_some_and(|least| *bytes >= least),
    };
    if !fits {
        return Err(structure(format!(
            "the row keys take {bytes} bytes for {} rows",
            header.n_rows
        )));
    }
    Ok(total.saturating_add(*bytes))
}

fn keys(section: &[u8], n_rows: usize) -> Result<Vec<String>, LeafError> {
    let wrong = |row_idx: usize, problem| LeafError::Value {
        place: format!("row key {}", row_idx + 1),
        problem,
    };
    let mut rest = section;
    let mut keys = Vec::with_capacity(n_rows);
    for row_idx in 0..n_rows {
        if rest.len() < 4 {
            return Err(wrong(row_idx, "the section ends before it"));
        }
        let len = u32::from_le_bytes(array(take(&mut rest, 4))) as usize;
        if rest.len() < len {
            return Err(wrong(row_idx, "it is longer than the section"));
        }
        match std::str::from_utf8(take(&mut rest, len)) {
            Ok(key) => keys.push(key.to_owned()),
            Err(_) => return Err(wrong(row_idx, "it is not UTF-8")),
        }
    }
    if rest.is_empty() {
        Ok(keys)
    } else {
        Err(wrong(n_rows, "bytes follow the last key"))
    }
}

fn words(section: &[u8]) -> Vec<u32> {
    section
        .chunks_exact(4)
        .map(|chunk| u32::from_le_bytes(array(chunk)))
        .collect()
}

/// The first `n` bytes, which the caller has counted.
fn take<'a>(rest: &mut &'a [u8], n: usize) -> &'a [u8] {
    let (taken, left) = rest.split_at(n);
    *rest = left;
    taken
}

fn array<const N: usize>(chunk: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(chunk);
    bytes
}

fn at_most(what: &'static str, found: usize, limit: usize) -> Result<(), LeafError> {
    if found <= limit {
        Ok(())
    } else {
        Err(LeafError::Limit { what, found, limit })
    }
}
