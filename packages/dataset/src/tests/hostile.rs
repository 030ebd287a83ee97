//! Files of columns that lie: cut short, changed byte by byte, or promising more than they hold. Each is refused with a
//! typed error and its place, or read as what it then says; none panics, and none makes room for what it only promises.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;

use super::columnar::{arrow_file_of, arrow_stream_of, batch, every_form, parquet_of, vector};
use crate::{Bound, Format, ImportError, ImportOptions, Limits, import, reimport};

/// Every vector of the folder that is read.
const READ: [&str; 13] = [
    "stations-none.parquet",
    "stations-snappy.parquet",
    "stations-gzip.parquet",
    "stations-zstd.parquet",
    "stations-lz4.parquet",
    "stations-v2.parquet",
    "stations-dictionary.parquet",
    "stations-polars.parquet",
    "stations-uncompressed.feather",
    "stations-lz4.feather",
    "stations-zstd.feather",
    "stations-dictionary.arrows",
    "stations-polars.arrow",
];

fn within(limits: Limits) -> ImportOptions {
    ImportOptions {
        limits,
        ..ImportOptions::named("t")
    }
}

/// Bounds that a changed byte can easily pass.
fn tight() -> ImportOptions {
    within(Limits {
        max_bytes: 1 << 20,
        max_rows: 10_000,
        max_columns: 64,
        max_cells: 100_000,
        max_cell_bytes: 4_096,
    })
}

#[test]
fn a_file_cut_short_is_refused() {
    for name in READ {
        let bytes = vector(name);
        assert!(import(&bytes, &tight()).is_ok(), "{name}");
        let format = if name.ends_with("parquet") {
            Format::Parquet
        } else {
            Format::Arrow
        };
        // A stream says where it ends; a cut between its messages leaves a whole, shorter stream.
        let stream = name.ends_with("arrows");
        for n in (0..bytes.len()).step_by(7) {
            let cut = import(
                &bytes[..n],
                &ImportOptions {
                    format: Some(format),
                    ..tight()
                },
            );
            assert!(cut.is_err() || stream, "{name} cut at {n}");
        }
    }
}

#[test]
fn a_changed_byte_never_panics_and_what_is_read_is_read_again() {
    let mut n_read = 0;
    for name in [
        "stations-none.parquet",
        "stations-v2.parquet",
        "stations-uncompressed.feather",
        "stations-dictionary.arrows",
    ] {
        let bytes = vector(name);
        // Every fifth byte, so that each of the three changes meets each place of a number.
        for at in (0..bytes.len()).step_by(5) {
            let mut changed = bytes.clone();
            changed[at] ^= [0x01, 0x80, 0xff][at % 3];
            if let Ok(imported) = import(&changed, &tight()) {
                n_read += 1;
                let again = reimport(&changed, &imported.recipe).unwrap();
                assert_eq!(
                    again.fingerprint(),
                    imported.dataset.fingerprint(),
                    "{name} at {at}"
                );
            }
        }
    }
    // Some bytes are values, names or padding: a file with another value is another file, and no damage.
    assert!(n_read > 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn bytes_written_over_never_make_it_panic(
        name in prop::sample::select(&READ[..]),
        patches in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 1..9)), 1..6),
    ) {
        let mut bytes = vector(name);
        for (at, patch) in patches {
            let at = at.index(bytes.len());
            for (offset, byte) in patch.into_iter().enumerate() {
                if let Some(place) = bytes.get_mut(at + offset) {
                    *place = byte;
                }
            }
        }
        let format = if name.ends_with("parquet") { Format::Parquet } else { Format::Arrow };
        let options = ImportOptions { format: Some(format), ..tight() };
        if let Ok(imported) = import(&bytes, &options) {
            prop_assert_eq!(reimport(&bytes, &imported.recipe).unwrap(), imported.dataset);
        }
    }

    #[test]
    fn nothing_behind_a_magic_number_makes_it_panic(
        magic in prop::sample::select(vec![b"PAR1".as_slice(), b"ARROW1\0\0", b"\xff\xff\xff\xff", b"FEA1"]),
        middle in prop::collection::vec(any::<u8>(), 0..200),
        ended in any::<bool>(),
    ) {
        let mut bytes = [magic, &middle].concat();
        if ended {
            bytes.extend_from_slice(magic.trim_ascii_end());
        }
        prop_assert!(import(&bytes, &tight()).is_err() || magic.starts_with(b"\xff"));
    }
}

fn repeated(n_rows: usize, codec: Compression) -> Vec<u8> {
    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; n_rows]));
    let batch = batch(vec![("zeros", zeros)]);
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_dictionary_enabled(false)
        .set_encoding(parquet::basic::Encoding::PLAIN)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn what_decompresses_beyond_the_limit_is_refused_before_it_does() {
    let bomb = repeated(200_000, Compression::ZSTD(Default::default()));
    assert!(bomb.len() < 10_000, "{}", bomb.len());
    let limits = Limits {
        max_bytes: 1_000_000,
        ..Limits::DEFAULT
    };
    let error = import(&bomb, &within(limits)).unwrap_err();
    let ImportError::Limit { bound, limit, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((bound, limit), (Bound::Decompressed, 1_000_000));
    assert_eq!(
        import(&bomb, &within(Limits::DEFAULT)).unwrap().dataset.n_rows(),
        200_000
    );

    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; 200_000]));
    let zeros = batch(vec![("zeros", zeros)]);
    let options = arrow_ipc::writer::IpcWriteOptions::default()
        .try_with_compression(Some(arrow_ipc::CompressionType::ZSTD))
        .unwrap();
    let mut writer =
        arrow_ipc::writer::FileWriter::try_new_with_options(Vec::new(), &zeros.schema(), options).unwrap();
    writer.write(&zeros).unwrap();
    let bomb = writer.into_inner().unwrap();
    assert!(bomb.len() < 10_000, "{}", bomb.len());
    let error = import(&bomb, &within(limits)).unwrap_err();
    assert!(
        matches!(
            error,
            ImportError::Limit {
                bound: Bound::Decompressed,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(
        import(&bomb, &within(Limits::DEFAULT)).unwrap().dataset.n_rows(),
        200_000
    );
}

#[test]
fn a_dictionary_page_that_claims_gigabytes_is_refused_by_its_header() {
    // One page header of a real file, its decompressed size raised: 2^31 − 1 as a zigzag number.
    let bytes = vector("stations-snappy.parquet");
    let page = [0x15, 0x04, 0x15];
    let at = bytes
        .windows(3)
        .position(|window| window == page)
        .expect("a dictionary page");
    let from = at + 3;
    let size = bytes[from..].iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
    let mut changed = bytes[..from].to_vec();
    changed.extend_from_slice(&[0xfe, 0xff, 0xff, 0xff, 0x0f]);
    changed.extend_from_slice(&bytes[from + size..]);
    // The file is longer now; its own offsets no longer hold, which is noticed as well. What matters: no panic, and
    // no gigabytes.
    assert!(import(&changed, &tight()).is_err());
}

#[test]
fn rows_columns_and_cells_are_bounded_by_what_the_file_promises() {
    let columns: Vec<(String, ArrayRef)> = (0..6)
        .map(|n| {
            (
                format!("c{n}"),
                Arc::new(Float64Array::from(vec![0.5; 50])) as ArrayRef,
            )
        })
        .collect();
    let table = batch(
        columns
            .iter()
            .map(|(name, array)| (name.as_str(), Arc::clone(array)))
            .collect(),
    );
    for bytes in every_form(&table) {
        for (limits, expected) in [
            (
                Limits {
                    max_rows: 49,
                    ..Limits::DEFAULT
                },
                Bound::Rows,
            ),
            (
                Limits {
                    max_columns: 5,
                    ..Limits::DEFAULT
                },
                Bound::Columns,
            ),
            (
                Limits {
                    max_cells: 299,
                    ..Limits::DEFAULT
                },
                Bound::Cells,
            ),
            (
                Limits {
                    max_bytes: bytes.len() - 1,
                    ..Limits::DEFAULT
                },
                Bound::Bytes,
            ),
        ] {
            match import(&bytes, &within(limits)).unwrap_err() {
                ImportError::Limit { bound, .. } => assert_eq!(bound, expected),
                other => panic!("{other}"),
            }
        }
        let exact = Limits {
            max_rows: 50,
            max_columns: 6,
            max_cells: 300,
            ..Limits::DEFAULT
        };
        assert_eq!(import(&bytes, &within(exact)).unwrap().dataset.n_rows(), 50);
    }
}

#[test]
fn long_texts_are_bounded_with_their_place() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["short".to_owned(), "x".repeat(101)]));
    let table = batch(vec![("t", texts)]);
    for bytes in [parquet_of(&table), arrow_file_of(&table), arrow_stream_of(&table)] {
        let limits = |max_cell_bytes| Limits {
            max_cell_bytes,
            ..Limits::DEFAULT
        };
        let error = import(&bytes, &within(limits(100))).unwrap_err();
        assert_eq!(error.to_string(), "more than 100 bytes in one cell, at row 2");
        assert!(import(&bytes, &within(limits(101))).is_ok());
    }
}
