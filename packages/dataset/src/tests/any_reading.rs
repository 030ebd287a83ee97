//! Properties of reading: whatever the bytes and whatever is stated about them, an import answers, and its recipe gives
//! the same dataset again; a number comes back from every style it can be written in.

use std::io::Write as _;

use proptest::prelude::*;

use crate::style::NumberStyle;
use crate::{Declaration, Encoding, Ends, Format, Header, ImportOptions, Word as _, import, reimport};

fn stated() -> impl Strategy<Value = ImportOptions> {
    let format = prop::option::weighted(0.4, prop::sample::select(Format::ALL));
    let encoding = prop::option::weighted(0.3, prop::sample::select(Encoding::ALL));
    let mark = || prop::option::weighted(0.3, prop::sample::select(vec![',', '.', ';', ' ', '\'']));
    let header = prop::option::of(prop::sample::select(Header::ALL));
    let ends = prop::option::weighted(
        0.2,
        prop::sample::select(vec![Ends::Position, Ends::Column("id".to_owned())]),
    );
    (format, encoding, mark(), mark(), mark(), header, 0_usize..3, ends).prop_map(
        |(format, encoding, delimiter, decimal_mark, thousands, header, skip_lines, ends)| ImportOptions {
            format,
            encoding,
            delimiter,
            decimal_mark,
            thousands,
            header,
            skip_lines,
            ends,
            ..ImportOptions::named("p")
        },
    )
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Pieces of tables and graphs, so that random texts come far.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "a",
            "1",
            "2.5",
            "3,5",
            "1.234,5",
            ";",
            ",",
            "\t",
            "\n",
            "\r\n",
            "\r",
            "\"",
            "NA",
            "é",
            "sep=;\n",
            "{\"nodes\":[",
            "{\"id\":1}",
            "],\"links\":[",
            "{\"source\":1,\"target\":1}",
            "]}",
            "{\"a\":1}",
            "[",
            "]",
            "{",
            "}",
            ":",
            "null",
            "true",
            "\"id\"",
            "2020-01-01",
            " ",
            "\u{feff}",
            "\0",
        ])
        .prop_map(str::to_owned),
        "[a-c0-9.,;\n]{0,4}",
    ];
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_reading_answers_and_repeats(text in pieces(), options in stated(), gzip in any::<bool>(), cut in 0_usize..4) {
        let mut bytes = if gzip { packed(text.as_bytes()) } else { text.into_bytes() };
        bytes.truncate(bytes.len().saturating_sub(cut));
        for options in [options, ImportOptions::named("p")] {
            match import(&bytes, &options) {
                Ok(import) => {
                    prop_assert_eq!(reimport(&bytes, &import.recipe).unwrap(), import.dataset);
                    prop_assert!(import.report.to_string().lines().count() > 4);
                }
                Err(error) => prop_assert!(error.refusal().retry().is_some()),
            }
        }
    }

    #[test]
    fn a_number_comes_back_from_every_style(value in any::<f64>().prop_filter("finite", |value| value.is_finite()), comma in any::<bool>(), mark in prop::sample::select(NumberStyle::SEPARATORS.to_vec())) {
        let style = NumberStyle { decimal: if comma { ',' } else { '.' }, thousands: Some(mark) };
        prop_assume!(style.fault().is_none());
        let plain = format!("{value}");
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let digits = whole.trim_start_matches('-');
        let mut written = whole[..whole.len() - digits.len()].to_owned();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                written.push(mark);
            }
            written.push(digit);
        }
        if !fraction.is_empty() {
            written.push(style.decimal);
            written.push_str(fraction);
        }
        let read = style.plain(&written);
        prop_assert_eq!(read.as_deref().map(str::parse::<f64>), Some(Ok(value)), "{}", written);
    }

    #[test]
    fn what_the_report_says_to_declare_declares(name in "[a-c:\" ']{1,8}") {
        let text = format!("{}:CATEGORICAL", crate::declare::declared_name(&name));
        prop_assert_eq!(Declaration::parse(&text).unwrap().column, name);
    }
}
