//! The leaf's bytes have one form, and a reader takes no other.

use dataset::ImportOptions;
use identity::Digest;
use kernels::leaf::{Columns, LeafColumn, LeafError, LeafLimits, LeafValues, RowKeys};
use refusal::{Code, Reason};

use crate::{answer, rows, table_with};

fn numbers(name: &str, values: &[f64]) -> LeafColumn {
    LeafColumn::new(name, LeafValues::Numbers(values.to_vec()))
}

fn categories(name: &str, labels: &[&str], codes: &[u32]) -> LeafColumn {
    LeafColumn::new(
        name,
        LeafValues::Categories {
            labels: crate::names(labels),
            codes: codes.to_vec(),
        },
    )
}

fn keys(keys: &[&str]) -> RowKeys {
    RowKeys::Keys(crate::names(keys))
}

fn small() -> Columns {
    let columns = vec![numbers("x", &[1.5, -2.0]), categories("g", &["a", "b"], &[1, 0])];
    Columns::new(RowKeys::Ordinals(vec![1, 3]), columns).unwrap()
}

fn read(bytes: &[u8]) -> Result<Columns, LeafError> {
    Columns::from_bytes(bytes, &LeafLimits::DEFAULT)
}

#[test]
fn the_layout_is_the_documented_one() {
    let mut expected = b"NEMOLEAF1\n".to_vec();
    expected.extend_from_slice(
        br#"{"columns":[{"bytes":16,"kind":"NUMERIC","name":"x"},{"bytes":8,"kind":"CATEGORICAL","labels":["a","b"],"name":"g"}],"nRows":2,"rowKeys":{"bytes":8,"kind":"ORDINAL"}}"#,
    );
    expected.push(b'\n');
    expected.extend_from_slice(&1.5_f64.to_le_bytes());
    expected.extend_from_slice(&(-2.0_f64).to_le_bytes());
    for word in [1_u32, 0, 1, 3] {
        expected.extend_from_slice(&word.to_le_bytes());
    }
    assert_eq!(small().to_bytes(), expected);
    assert_eq!(small().digest(), Digest::of(&expected));
    assert_eq!(read(&expected).unwrap(), small());
}

#[test]
fn keyed_rows_are_found_by_their_text() {
    let options = ImportOptions::named("t").with_key("id");
    let dataset = table_with("id,x\nbeta,1\nalpha,2\ngamma,\n\"é, ü\",4\n", &options);
    let analysis = answer(&dataset, &rows(&["x"]));
    let leaf = read(analysis.leaf_bytes().unwrap()).unwrap();
    assert_eq!(&leaf, analysis.leaf().unwrap());
    assert_eq!(
        (0..3).map(|row| leaf.row_key(row)).collect::<Vec<_>>(),
        ["beta", "alpha", "é, ü"]
    );
    assert_eq!(leaf.row_of_key("alpha"), Some(1));
    assert_eq!(leaf.row_of_key("é, ü"), Some(2));
    assert_eq!((leaf.row_of_key("gamma"), leaf.row_of_key("row:1")), (None, None));
    assert_eq!(leaf.number("x"), Some(&[1.0, 2.0, 4.0][..]));
    assert_eq!((leaf.number("id"), leaf.categories("x")), (None, None));
}

#[test]
fn ordinals_are_found_by_their_one_spelling() {
    let leaf = small();
    assert_eq!(
        (leaf.row_of_key("row:1"), leaf.row_of_key("row:3")),
        (Some(0), Some(1))
    );
    for not_a_key in [
        "row:2",
        "row:03",
        "row:+3",
        "row: 3",
        "3",
        "row:",
        "row:4294967299",
        "Row:3",
    ] {
        assert_eq!(leaf.row_of_key(not_a_key), None, "{not_a_key}");
    }
}

#[test]
fn no_changed_byte_passes_for_the_same_values() {
    let keyed = Columns::new(keys(&["k", "ö"]), vec![numbers("x", &[0.1, 7.0])]).unwrap();
    for leaf in [small(), keyed] {
        let bytes = leaf.to_bytes();
        assert_eq!(read(&bytes).unwrap(), leaf);
        for idx in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[idx] ^= 1 << bit;
                match read(&changed) {
                    Ok(other) => {
                        assert_ne!(other, leaf, "byte {idx}, bit {bit}");
                        assert_eq!(other.to_bytes(), changed, "what is read has one form");
                    }
                    Err(error) => assert_eq!(error.refusal().code(), Code::InvalidInput),
                }
            }
        }
        for len in 0..bytes.len() {
            assert!(read(&bytes[..len]).is_err(), "the first {len} bytes");
        }
        let longer = [bytes.as_slice(), b"\0"].concat();
        let expected = LeafError::Length {
            found: bytes.len() + 1,
            expected: bytes.len(),
        };
        assert_eq!(read(&longer).unwrap_err(), expected);
    }
}

/// A leaf with this header line before the payload of [`small`].
fn with_header(line: &str) -> Vec<u8> {
    let bytes = small().to_bytes();
    let payload = &bytes[bytes.len() - 32..];
    [b"NEMOLEAF1\n", line.as_bytes(), b"\n", payload].concat()
}

#[test]
fn the_header_is_canonical_and_closed() {
    let line = r#"{"columns":[{"bytes":16,"kind":"NUMERIC","name":"x"},{"bytes":8,"kind":"CATEGORICAL","labels":["a","b"],"name":"g"}],"nRows":2,"rowKeys":{"bytes":8,"kind":"ORDINAL"}}"#;
    assert_eq!(read(&with_header(line)).unwrap(), small());
    let wrong = [
        line.replacen("\"nRows\":2", "\"nRows\": 2", 1),
        line.replacen("\"nRows\":2", "\"nRows\":2.0", 1),
        line.replacen("\"nRows\":2", "\"nRows\":2,\"note\":1", 1),
        line.replacen("\"nRows\":2,", "", 1),
        line.replacen("\"nRows\":2", "\"nRows\":3", 1),
        line.replacen("\"nRows\":2", "\"nRows\":-2", 1),
        line.replacen("\"nRows\":2", "\"nRows\":9007199254740991", 1),
        line.replacen("\"bytes\":16", "\"bytes\":24", 1),
        line.replacen("\"labels\":[\"a\",\"b\"],", "", 1),
        line.replacen("[\"a\",\"b\"]", "[\"b\",\"a\"]", 1),
        line.replacen("[\"a\",\"b\"]", "[\"a\",\"a\"]", 1),
        line.replacen("[\"a\",\"b\"]", "[\"a\"]", 1),
        line.replacen("[\"a\",\"b\"]", "[\"a\",\"b\",\"c\"]", 1),
        line.replacen("\"name\":\"g\"", "\"name\":\"x\"", 1),
        line.replacen("NUMERIC", "TEXT", 1),
        line.replacen("ORDINAL", "KEY", 1),
    ];
    for line in wrong {
        let error = read(&with_header(&line)).unwrap_err();
        assert_eq!(error.refusal().code(), Code::InvalidInput, "{line}");
    }
}

#[test]
fn values_that_no_leaf_holds_are_refused_where_they_stand() {
    let two = || RowKeys::Ordinals(vec![1, 2]);
    let refused = |row_keys, columns| Columns::new(row_keys, columns).unwrap_err();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
        let expected = LeafError::Value {
            place: "column `x`, row 2".to_owned(),
            problem: "a number must be finite and not −0",
        };
        assert_eq!(refused(two(), vec![numbers("x", &[0.0, bad])]), expected);
        let mut bytes = Columns::new(two(), vec![numbers("x", &[0.0, 1.0])])
            .unwrap()
            .to_bytes();
        let at = bytes.len() - 16;
        bytes[at..at + 8].copy_from_slice(&bad.to_le_bytes());
        assert_eq!(read(&bytes).unwrap_err(), expected);
    }
    refused(two(), vec![numbers("x", &[0.0])]);
    refused(two(), vec![categories("g", &["a"], &[0, 1])]);
    refused(two(), vec![categories("g", &["a", "b"], &[0, 0])]);
    refused(two(), vec![categories("g", &["\u{e000}", "\u{10000}"], &[0, 1])]);
    refused(RowKeys::Ordinals(vec![2, 2]), Vec::new());
    refused(RowKeys::Ordinals(vec![2, 1]), Vec::new());
    refused(RowKeys::Ordinals(vec![0, 1]), Vec::new());
    refused(keys(&["a", "a"]), Vec::new());
    Columns::new(two(), vec![categories("g", &["\u{10000}", "\u{e000}"], &[0, 1])]).unwrap();
    Columns::new(keys(&["", "a"]), vec![numbers("x", &[f64::MAX, 5e-324])]).unwrap();
}

#[test]
fn limits_hold_before_values_are_read() {
    let bytes = small().to_bytes();
    let tight = |limits: LeafLimits| Columns::from_bytes(&bytes, &limits).unwrap_err();
    let over = |what, found, limit| LeafError::Limit { what, found, limit };
    let n = bytes.len();
    let limits = LeafLimits::DEFAULT;
    assert_eq!(
        tight(LeafLimits {
            max_bytes: n - 1,
            ..limits
        }),
        over("bytes", n, n - 1)
    );
    assert_eq!(
        tight(LeafLimits {
            max_columns: 1,
            ..limits
        }),
        over("columns", 2, 1)
    );
    assert_eq!(
        tight(LeafLimits {
            max_rows: 1,
            ..limits
        }),
        over("rows", 2, 1)
    );
    assert_eq!(
        tight(LeafLimits {
            max_rows: 1,
            ..limits
        })
        .refusal()
        .reason(),
        Reason::Bounds
    );
    assert!(matches!(
        tight(LeafLimits {
            max_header_bytes: 20,
            ..limits
        }),
        LeafError::Header { .. }
    ));
    let just = LeafLimits {
        max_bytes: n,
        max_columns: 2,
        max_rows: 2,
        ..limits
    };
    Columns::from_bytes(&bytes, &just).unwrap();
}
