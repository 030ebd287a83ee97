//! Parquet and Arrow: the same content has the same identity as in CSV and JSON, whoever wrote it and however it is
//! compressed; and the fast road over whole columns decides what the slow one over cells would.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, PrimitiveDictionaryBuilder, StringBuilder, StringDictionaryBuilder};
use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, Date64Array, Decimal128Array, DurationMillisecondArray,
    Float32Array, Float64Array, Int64Array, LargeStringArray, NullArray, RecordBatch, StringViewArray,
    Time64MicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, UInt64Array,
};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;

use super::column;
use crate::build::Builder;
use crate::source;
use crate::survey::{Surveyor, candidates};
use crate::{
    CellRef, ColumnKind, Dataset, Format, ImportError, ImportOptions, Imported, Measured, Missing, NoteCode,
    import, reimport,
};

pub(super) fn vector(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/columnar");
    std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

pub(super) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let columns = columns.into_iter().map(|(name, array)| (name, array, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

pub(super) fn parquet_of(batch: &RecordBatch) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(5))
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

pub(super) fn arrow_file_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = arrow_ipc::writer::FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

pub(super) fn arrow_stream_of(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

pub(super) fn every_form(batch: &RecordBatch) -> [Vec<u8>; 3] {
    [parquet_of(batch), arrow_file_of(batch), arrow_stream_of(batch)]
}

fn read(bytes: &[u8]) -> Imported {
    import(bytes, &ImportOptions::named("t")).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(batch: &RecordBatch) -> ImportError {
    let [parquet, file, stream] =
        every_form(batch).map(|bytes| import(&bytes, &ImportOptions::named("t")).unwrap_err());
    assert_eq!(file, stream);
    assert_eq!(
        parquet.to_string().replace("Parquet", "Arrow IPC"),
        file.to_string()
    );
    parquet
}

/// The import by the slow road, cell by cell, through the same decisions.
pub(super) fn slowly(bytes: &[u8], options: &ImportOptions) -> Imported {
    let fast = import(bytes, options).unwrap();
    let source = source::open(bytes, options, &mut Vec::new()).unwrap();
    let candidates = candidates(options.missing_tokens.as_deref());
    let mut surveyor = Surveyor::new(source.names(), &candidates);
    source
        .rows(&options.limits, &mut surveyor, &mut Vec::new())
        .unwrap();
    let held = source
        .columns(&options.limits, &mut |_| ControlFlow::Continue(()))
        .unwrap()
        .expect("these formats hold columns");
    let surveys = crate::held::survey_columns(&held, &candidates).unwrap();
    for (slow, fast) in surveyor.surveys.iter().zip(&surveys) {
        let without_length = |survey: &crate::survey::Survey| {
            // How long a real prints is bounded and not measured on the fast road.
            let text = format!("{survey:?}");
            let from = text.find("longest").unwrap();
            let to = from + text[from..].find(',').unwrap();
            format!("{}{}", &text[..from], &text[to..])
        };
        assert_eq!(without_length(slow), without_length(fast));
        assert!(slow.longest <= fast.longest);
    }
    let body = fast.recipe.body();
    let mut builder = Builder::new(&body.columns, 0);
    let n_rows = source
        .rows(&options.limits, &mut builder, &mut Vec::new())
        .unwrap();
    let dataset = Dataset::assemble(body.name.clone(), builder.finish(), n_rows, None, None).unwrap();
    Imported { dataset, ..fast }
}

#[test]
fn every_writer_and_compression_gives_the_identity_of_the_csv() {
    let csv = read(&vector("stations.csv")).dataset;
    assert_eq!(
        csv.fingerprint(),
        read(&vector("stations.json")).dataset.fingerprint()
    );
    for name in [
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
    ] {
        let bytes = vector(name);
        let imported = read(&bytes);
        assert_eq!(imported.dataset.fingerprint(), csv.fingerprint(), "{name}");
        let kinds = |dataset: &Dataset| {
            dataset
                .columns()
                .iter()
                .map(crate::Column::kind)
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(&imported.dataset), kinds(&csv), "{name}");
        assert_eq!(
            reimport(&bytes, &imported.recipe).unwrap(),
            imported.dataset,
            "{name}"
        );
        assert_eq!(
            slowly(&bytes, &ImportOptions::named("t")).dataset,
            imported.dataset,
            "{name}"
        );
        let format = if name.ends_with("parquet") {
            Format::Parquet
        } else {
            Format::Arrow
        };
        assert_eq!(imported.recipe.body().format, format);
        let report = imported.report.to_string();
        let told = format!("{}, detected", format.called());
        assert!(report.contains(&told), "{report}");
        assert!(!report.contains("encoding"), "{report}");
    }
    // What a dataset is called is part of its identity, so the equality above is no accident of a constant.
    let other = import(&vector("stations-none.parquet"), &ImportOptions::named("u")).unwrap();
    assert_ne!(other.dataset.fingerprint(), csv.fingerprint());
}

#[test]
fn gaps_stay_what_they_are() {
    let dataset = read(&vector("stations-none.parquet")).dataset;
    let station = column(&dataset, "station");
    assert_eq!(station.cell(2), CellRef::Missing(Missing::Null));
    assert_eq!(station.cell(3), CellRef::Missing(Missing::Token));
    assert_eq!(station.missing_token(3), Some("NA"));
    assert_eq!(station.levels().unwrap().len(), 2);
    let count = column(&dataset, "count");
    assert_eq!(count.cell(4), CellRef::Integer(0));
    assert_eq!(count.cell(3), CellRef::Missing(Missing::Null));
    assert_eq!((count.n_null(), count.n_absent(), count.n_missing()), (1, 0, 1));
}

#[test]
fn types_are_read_as_they_mean() {
    let when = [Some(978_307_260_000), None, Some(1_500)];
    let batch = batch(vec![
        (
            "single",
            Arc::new(Float32Array::from(vec![Some(0.1), None, Some(-0.0)])),
        ),
        (
            "wide",
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(7), None])),
        ),
        (
            "exact",
            Arc::new(Int64Array::from(vec![
                Some(1_577_134_800_018_226_901),
                None,
                Some(2),
            ])),
        ),
        ("plain", Arc::new(TimestampMillisecondArray::from(when.to_vec()))),
        (
            "zoned",
            Arc::new(TimestampMillisecondArray::from(when.to_vec()).with_timezone("Europe/Berlin")),
        ),
        (
            "nanos",
            Arc::new(TimestampNanosecondArray::from(vec![
                1_577_134_800_018_226_901,
                0,
                1,
            ])),
        ),
        (
            "day",
            Arc::new(Date32Array::from(vec![Some(0), Some(11_016), None])),
        ),
        (
            "day64",
            Arc::new(Date64Array::from(vec![Some(86_400_000), Some(0), None])),
        ),
        (
            "clock",
            Arc::new(Time64MicrosecondArray::from(vec![
                34_215_000_000,
                0,
                86_399_999_999,
            ])),
        ),
        (
            "price",
            Arc::new(
                Decimal128Array::from(vec![1_250, -5, 0])
                    .with_precision_and_scale(9, 2)
                    .unwrap(),
            ),
        ),
        (
            "lasts",
            Arc::new(DurationMillisecondArray::from(vec![1_500, 0, -1])),
        ),
        (
            "open",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ),
        ("nothing", Arc::new(NullArray::new(3))),
        (
            "zip",
            Arc::new(LargeStringArray::from(vec!["01234", "00001", "99999"])),
        ),
    ]);
    for bytes in [arrow_file_of(&batch), arrow_stream_of(&batch), parquet_of(&batch)] {
        let imported = read(&bytes);
        let dataset = &imported.dataset;
        let number = |name: &str, row_idx| column(dataset, name).number(row_idx);
        let text = |name: &str, row_idx: usize| match column(dataset, name).cell(row_idx) {
            CellRef::Text(text) => text.to_owned(),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(number("single", 0), Measured::Known(f64::from(0.1_f32)));
        assert!(number("single", 2).known().unwrap().is_sign_positive());
        assert_eq!(text("wide", 0), "18446744073709551615");
        assert_eq!(text("wide", 1), "7");
        assert_eq!(text("exact", 0), "1577134800018226901");
        assert_eq!(column(dataset, "exact").missing(1), Some(Missing::Null));
        assert_eq!(column(dataset, "exact").kind(), ColumnKind::Text);
        assert_eq!(
            (text("plain", 0), text("plain", 2)),
            ("2001-01-01T00:01:00".into(), "1970-01-01T00:00:01.5".into())
        );
        assert_eq!(text("zoned", 0), "2001-01-01T00:01:00Z");
        assert_eq!(text("nanos", 0), "2019-12-23T21:00:00.018226901");
        assert_eq!(
            (text("day", 1), text("day64", 0)),
            ("2000-02-29".into(), "1970-01-02".into())
        );
        for name in ["plain", "zoned", "nanos", "day", "day64"] {
            assert_eq!(column(dataset, name).kind(), ColumnKind::Temporal, "{name}");
        }
        assert_eq!(
            (text("clock", 0), text("clock", 2)),
            ("09:30:15".into(), "23:59:59.999999".into())
        );
        assert_eq!(number("price", 0), Measured::Known(12.5));
        assert_eq!(number("price", 1), Measured::Known(-0.05));
        assert_eq!(number("lasts", 2), Measured::Known(-1.0));
        assert_eq!(column(dataset, "open").kind(), ColumnKind::Categorical);
        assert_eq!(column(dataset, "nothing").kind(), ColumnKind::Unknown);
        assert_eq!(text("zip", 1), "00001");
        let noted = |name: &str, code: NoteCode| {
            imported
                .report
                .notes()
                .any(|(about, note)| about == Some(name) && note.code == code)
        };
        assert!(noted("single", NoteCode::SinglePrecision));
        assert!(noted("zoned", NoteCode::TimeZone));
        assert!(noted("lasts", NoteCode::Duration));
        assert!(noted("zip", NoteCode::QuotedNumbers));
        assert!(!noted("plain", NoteCode::TimeZone));
        assert_eq!(
            slowly(&bytes, &ImportOptions::named("t")).dataset,
            imported.dataset
        );
    }
}

#[test]
fn not_a_number_is_missing_and_an_infinity_is_refused_unless_declared() {
    let with = |value: f64| batch(vec![("x", Arc::new(Float64Array::from(vec![1.5, value, 0.0])))]);
    for bytes in every_form(&with(f64::NAN)) {
        let x = read(&bytes).dataset.columns()[0].clone();
        assert_eq!(x.missing_token(1), Some("NaN"));
        assert_eq!(x.number(2), Measured::Known(0.0));
        // Who declares what stands for "no value" declares all of it.
        let declared = ImportOptions {
            missing_tokens: Some(vec!["-999".into()]),
            ..ImportOptions::named("t")
        };
        let error = import(&bytes, &declared).unwrap_err();
        assert!(
            matches!(error, ImportError::NotFinite { value: "NaN", .. }),
            "{error}"
        );
        assert_eq!(error.place().unwrap().to_string(), "row 2");
    }
    let error = refused(&with(f64::INFINITY));
    assert_eq!(
        error.to_string(),
        "column `x` holds inf at row 2, which is no number"
    );
    assert_eq!(error.refusal().cause().place.as_deref(), Some("row 2"));
    let declared = ImportOptions {
        missing_tokens: Some(vec!["inf".into(), "1.50".into()]),
        ..ImportOptions::named("t")
    };
    for bytes in every_form(&with(f64::INFINITY)) {
        let imported = import(&bytes, &declared).unwrap();
        let x = column(&imported.dataset, "x");
        // A number stands for "no value" however the declaration writes it.
        assert_eq!(
            (x.missing_token(0), x.missing_token(1)),
            (Some("1.50"), Some("inf"))
        );
        assert_eq!(x.as_decimals(), None);
        assert_eq!(x.numbers_known().collect::<Vec<_>>(), [0.0]);
        assert_eq!(reimport(&bytes, &imported.recipe).unwrap(), imported.dataset);
    }
}

#[test]
fn declared_tokens_hide_whole_numbers_too() {
    let batch = batch(vec![(
        "n",
        Arc::new(Int64Array::from(vec![Some(-999), Some(5), None, Some(i64::MIN)])),
    )]);
    let options = ImportOptions {
        missing_tokens: Some(vec!["-999".into(), i64::MIN.to_string()]),
        ..ImportOptions::named("t")
    };
    for bytes in every_form(&batch) {
        let imported = import(&bytes, &options).unwrap();
        let n = column(&imported.dataset, "n");
        assert_eq!(n.kind(), ColumnKind::Numeric);
        assert_eq!(n.missing_token(0), Some("-999"));
        assert_eq!((n.n_null(), n.n_missing()), (1, 3));
        assert_eq!(slowly(&bytes, &options).dataset, imported.dataset);
        // Without the declaration the same column identifies: -2^63 is not exact as a number.
        assert_eq!(read(&bytes).dataset.columns()[0].kind(), ColumnKind::Text);
    }
}

#[test]
fn what_is_no_cell_is_refused_by_the_name_of_its_column() {
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.append_value([Some("a"), Some("b")]);
    let mut numbers = PrimitiveDictionaryBuilder::<Int8Type, Int32Type>::new();
    numbers.append_value(5);
    for (array, found) in [
        (Arc::new(lists.finish()) as ArrayRef, "lists"),
        (
            Arc::new(BinaryArray::from(vec![b"\xff\x00".as_slice()])),
            "binary data",
        ),
    ] {
        let batch = batch(vec![
            ("good", Arc::new(Int64Array::from(vec![1]))),
            ("bad", array),
        ]);
        let error = refused(&batch);
        let ImportError::UnsupportedColumn { column, found: what } = &error else {
            panic!("{error}");
        };
        assert_eq!((column.as_str(), what.as_str()), ("bad", found));
        assert_eq!(error.refusal().subjects(), ["bad"]);
    }
    let numbers = batch(vec![("bad", Arc::new(numbers.finish()))]);
    let error = import(&arrow_file_of(&numbers), &ImportOptions::named("t")).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a dictionary of something other than texts"),
        "{error}"
    );
    let far = batch(vec![("d", Arc::new(Date32Array::from(vec![0, i32::MAX])))]);
    assert!(matches!(refused(&far), ImportError::BeyondCalendar { .. }));
    let none = batch(vec![("d", Arc::new(Date32Array::from(Vec::<i32>::new())))]);
    assert_eq!(refused(&none), ImportError::NoRows);
    let twice = RecordBatch::try_from_iter_with_nullable([
        ("a", Arc::new(Int64Array::from(vec![1])) as ArrayRef, true),
        ("a", Arc::new(Int64Array::from(vec![1])), true),
    ]);
    assert!(matches!(
        refused(&twice.unwrap()),
        ImportError::DuplicateColumn { .. }
    ));
}

#[test]
fn variants_that_are_not_read_are_named() {
    for (name, says) in [
        ("refused-brotli.parquet", "a Parquet file compressed with brotli"),
        ("refused-version-1.feather", "a Feather file of version 1"),
        ("refused-nested.parquet", "column `lists` holds lists"),
        ("refused-nested.feather", "column `lists` holds lists"),
    ] {
        let error = import(&vector(name), &ImportOptions::named("t")).unwrap_err();
        assert!(error.to_string().contains(says), "{name}: {error}");
        assert_eq!(error.refusal().reason(), refusal::Reason::UnknownShape);
    }
}

#[test]
fn a_stated_format_is_believed_and_checked() {
    let parquet = vector("stations-none.parquet");
    let stated = |format| ImportOptions {
        format: Some(format),
        ..ImportOptions::named("t")
    };
    assert!(import(&parquet, &stated(Format::Parquet)).is_ok());
    for format in [Format::Arrow, Format::Csv, Format::JsonRows] {
        assert!(import(&parquet, &stated(format)).is_err(), "{format}");
    }
    assert!(matches!(
        import(b"a,b\n1,2\n", &stated(Format::Parquet)),
        Err(ImportError::Damaged { .. })
    ));
}

#[test]
fn dictionaries_that_change_between_batches_are_followed() {
    let of = |texts: &[Option<&str>]| {
        let mut keys = StringDictionaryBuilder::<Int32Type>::new();
        texts.iter().for_each(|text| keys.append_option(*text));
        batch(vec![("g", Arc::new(keys.finish()) as ArrayRef)])
    };
    let batches = [
        of(&[Some("b"), None, Some("a")]),
        of(&[Some("a"), Some("c"), Some("b")]),
    ];
    let mut writer = arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &batches[0].schema()).unwrap();
    for batch in &batches {
        writer.write(batch).unwrap();
    }
    let bytes = writer.into_inner().unwrap();
    let dataset = read(&bytes).dataset;
    let csv = read("g\nb\n\"\"\na\na\nc\nb\n".as_bytes()).dataset;
    assert_eq!(dataset.fingerprint(), csv.fingerprint());
    assert_eq!(
        dataset.columns()[0].levels().unwrap(),
        csv.columns()[0].levels().unwrap()
    );
    assert_eq!(dataset.columns()[0].n_null(), 1);
}

#[test]
fn views_are_texts() {
    let views = StringViewArray::from(vec![
        Some("short"),
        None,
        Some("a text that is longer than twelve bytes"),
    ]);
    let batch = batch(vec![("v", Arc::new(views))]);
    let csv = read("v\nshort\n\"\"\na text that is longer than twelve bytes\n".as_bytes()).dataset;
    for bytes in every_form(&batch) {
        assert_eq!(read(&bytes).dataset.fingerprint(), csv.fingerprint());
    }
}
