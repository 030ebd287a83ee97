//! The vectors of RFC 8785 and of its reference implementation.

use std::fs;
use std::path::PathBuf;

use identity::{Finite, Limits, canonical, decode};
use serde_json::Value;

fn vectors() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/rfc8785")
}

const FILES: [&str; 8] = [
    "arrays",
    "french",
    "section_3_2_2",
    "section_3_2_3",
    "structures",
    "unicode",
    "values",
    "weird",
];

#[test]
fn files_become_their_canonical_text() {
    for name in FILES {
        let read = |folder: &str| fs::read(vectors().join(folder).join(format!("{name}.json"))).expect(name);
        let (input, output) = (read("input"), read("output"));
        let value = decode::<Value>(&input, &Limits::default())
            .expect(name)
            .into_inner();
        let text = canonical::to_vec(&value).expect(name);
        assert_eq!(
            String::from_utf8_lossy(&text),
            String::from_utf8_lossy(&output),
            "{name}"
        );

        // Canonical text is its own canonical text, and the input was not that already.
        let again = decode::<Value>(&text, &Limits::default())
            .expect(name)
            .into_inner();
        assert_eq!(canonical::to_vec(&again).expect(name), output, "{name}");
        assert_ne!(input, output, "{name}");
    }
}

#[test]
fn no_vector_file_is_left_out() {
    for folder in ["input", "output"] {
        let entries = fs::read_dir(vectors().join(folder)).expect(folder);
        let mut names: Vec<_> = entries
            .map(|e| e.expect(folder).file_name().into_string().expect(folder))
            .collect();
        names.sort();
        assert_eq!(names, FILES.map(|name| format!("{name}.json")), "{folder}");
    }
}

#[test]
fn appendix_b_numbers_have_their_text() {
    let table = fs::read_to_string(vectors().join("appendix-b.tsv")).expect("the table");
    let (mut n_written, mut n_refused) = (0, 0);
    for row in table.lines() {
        let mut columns = row.split('\t');
        let bits = u64::from_str_radix(columns.next().expect(row), 16).expect(row);
        let text = columns.next().expect(row);
        let number = f64::from_bits(bits);
        if text == "refused" {
            n_refused += 1;
            assert!(canonical::to_vec(&number).is_err(), "{row}");
            assert!(Finite::new(number).is_err(), "{row}");
            continue;
        }
        n_written += 1;
        assert_eq!(canonical::to_vec(&number).expect(row), text.as_bytes(), "{row}");
        assert_eq!(Finite::new(number).expect(row).to_string(), text, "{row}");
        // What was written can be read, and is the same double except for the sign of zero.
        let back = decode::<f64>(text.as_bytes(), &Limits::default())
            .expect(row)
            .into_inner();
        assert_eq!(back.to_bits(), if number == 0.0 { 0 } else { bits }, "{row}");
    }
    assert_eq!((n_written, n_refused), (24, 2));
}
