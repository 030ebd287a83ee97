//! Laws over generated values and texts.

use std::collections::BTreeMap;

use identity::{Limits, Rule, canonical, decode, scan, utf16_cmp};
use proptest::collection::vec;
use proptest::prelude::*;
use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::Value;

/// JSON whose members keep the order they were made in.
#[derive(Debug, Clone)]
enum Json {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(v) => serializer.serialize_bool(*v),
            Self::Int(v) => serializer.serialize_i64(*v),
            Self::Double(v) => serializer.serialize_f64(*v),
            Self::Text(v) => serializer.serialize_str(v),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(None)?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl Json {
    /// The same value with every object's members rotated and reversed.
    fn permuted(&self, by: usize) -> Self {
        match self {
            Self::Array(items) => Self::Array(items.iter().map(|item| item.permuted(by)).collect()),
            Self::Object(members) => {
                let mut members: Vec<_> = members
                    .iter()
                    .map(|(key, value)| (key.clone(), value.permuted(by)))
                    .collect();
                if !members.is_empty() {
                    let by = by % members.len();
                    members.rotate_left(by);
                    members[by..].reverse();
                }
                Self::Object(members)
            }
            same => same.clone(),
        }
    }

    /// Built by comparing UTF-16 code units one by one: the order as RFC 8785 words it.
    fn by_the_book(&self) -> String {
        match self {
            Self::Array(items) => {
                let items: Vec<_> = items.iter().map(Self::by_the_book).collect();
                format!("[{}]", items.join(","))
            }
            Self::Object(members) => {
                let sorted: BTreeMap<Vec<u16>, String> = members
                    .iter()
                    .map(|(key, value)| {
                        let text = Value::String(key.clone());
                        (
                            key.encode_utf16().collect(),
                            format!("{text}:{}", value.by_the_book()),
                        )
                    })
                    .collect();
                format!("{{{}}}", sorted.into_values().collect::<Vec<_>>().join(","))
            }
            Self::Double(v) => ryu_js::Buffer::new().format_finite(*v).to_owned(),
            scalar => serde_json::to_string(scalar).expect("a scalar"),
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    // Characters on both sides of every border that encoding, escaping or order cares about.
    let borders = proptest::sample::select(vec![
        '\0',
        '\u{8}',
        '\n',
        '\u{1f}',
        ' ',
        '"',
        '/',
        '\\',
        'a',
        'b',
        '\u{7f}',
        '\u{80}',
        'é',
        '\u{d7ff}',
        '\u{e000}',
        '\u{fb33}',
        '\u{ffff}',
        '\u{10000}',
        '😂',
        '\u{10ffff}',
    ]);
    vec(borders, 0..12).prop_map(|chars| chars.into_iter().collect())
}

fn json() -> impl Strategy<Value = Json> {
    const MAX: i64 = (1 << 53) - 1;
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-MAX..=MAX).prop_map(Json::Int),
        any::<u64>()
            .prop_map(f64::from_bits)
            .prop_filter("finite", |v| v.is_finite())
            .prop_map(Json::Double),
        (-1e22..1e22).prop_map(Json::Double),
        (-400..400).prop_map(|v| Json::Double(f64::from(v) / 8.0)),
        text().prop_map(Json::Text),
    ];
    scalar.prop_recursive(6, 64, 20, |inner| {
        let members = vec((text(), inner.clone()), 0..20).prop_map(|members| {
            let mut seen = std::collections::BTreeSet::new();
            Json::Object(
                members
                    .into_iter()
                    .filter(|(key, _)| seen.insert(key.clone()))
                    .collect(),
            )
        });
        prop_oneof![vec(inner, 0..8).prop_map(Json::Array), members]
    })
}

/// Text that is nearly JSON, so that both verdicts occur.
fn nearly_json() -> impl Strategy<Value = String> {
    let token = proptest::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\\ud800",
        "\\udc00",
        "1",
        "-",
        "0",
        ".5",
        "e3",
        "E+9",
        "true",
        "null",
        " ",
        "\n",
        "\u{feff}",
        "é",
        "\"\\n\"",
        "\\",
        "nul",
        "[1]",
        "{\"a\":1}",
    ]);
    let cut = (
        json(),
        any::<proptest::sample::Index>(),
        any::<proptest::sample::Index>(),
    )
        .prop_map(|(json, a, b)| {
            let text: Vec<char> = serde_json::to_string(&json).expect("a text").chars().collect();
            let (a, b) = (a.index(text.len()), b.index(text.len()));
            text[..a].iter().chain(&text[b..]).collect()
        });
    prop_oneof![vec(token, 0..8).prop_map(|tokens| tokens.concat()), cut]
}

fn canonical_text<T: Serialize>(value: &T) -> Vec<u8> {
    canonical::to_vec(value).expect("a canonical text")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn canonical_text_is_read_back_and_is_its_own(json in json()) {
        let text = canonical_text(&json);
        let read = decode::<Value>(&text, &Limits::default()).expect("what was written").into_inner();
        prop_assert_eq!(canonical_text(&read), text);
    }

    #[test]
    fn canonical_text_is_that_of_the_book(json in json()) {
        prop_assert_eq!(String::from_utf8(canonical_text(&json)).expect("UTF-8"), json.by_the_book());
    }

    #[test]
    fn the_order_of_members_does_not_show(json in json(), by in 0_usize..20) {
        prop_assert_eq!(canonical_text(&json), canonical_text(&json.permuted(by)));
    }

    #[test]
    fn other_writers_texts_give_the_same_canonical_text(json in json()) {
        for text in [serde_json::to_vec(&json), serde_json::to_vec_pretty(&json)] {
            let text = text.expect("a text");
            // `serde_json` writes 1e16 where RFC 8785 writes the digits out; both name one double.
            let read = decode::<Value>(&text, &Limits::default()).expect("JSON").into_inner();
            prop_assert_eq!(canonical_text(&read), canonical_text(&json));
        }
    }

    #[test]
    fn the_scan_accepts_no_text_that_serde_json_refuses(text in nearly_json()) {
        let theirs = serde_json::from_str::<Value>(&text);
        let ours = scan(text.as_bytes(), &Limits::default());
        match ours {
            Ok(()) => prop_assert!(theirs.is_ok(), "{:?}", theirs),
            // What the scan refuses beyond JSON, as `serde_json` has it; all else is refused by both.
            Err(refused) => match refused.rule {
                Rule::DuplicateMember | Rule::UnsafeInteger | Rule::Bom => {}
                _ => prop_assert!(theirs.is_err(), "{}", refused),
            },
        }
    }

    #[test]
    fn any_bytes_are_answered(bytes in vec(any::<u8>(), 0..64)) {
        match scan(&bytes, &Limits::default()) {
            Ok(()) => prop_assert!(serde_json::from_slice::<Value>(&bytes).is_ok()),
            Err(refused) => prop_assert!(refused.offset <= bytes.len()),
        }
    }

    #[test]
    fn a_repeated_member_is_found_wherever_it_stands(
        keys in vec(text(), 1..40), again in any::<proptest::sample::Index>(), escaped in any::<bool>()
    ) {
        let keys: Vec<_> = keys.into_iter().collect::<std::collections::BTreeSet<_>>().into_iter().rev().collect();
        let member = |key: &str| format!("{}:0", Value::String(key.to_owned()));
        let once: Vec<_> = keys.iter().map(|key| member(key)).collect();
        let once = format!("{{{}", once.join(","));
        let repeated = &keys[again.index(keys.len())];
        let spelled = if escaped {
            let units: String = repeated.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect();
            format!("\"{units}\":0")
        } else {
            member(repeated)
        };
        prop_assert_eq!(scan(format!("{once}}}").as_bytes(), &Limits::default()), Ok(()));
        let refused = scan(format!("{once},{spelled}}}").as_bytes(), &Limits::default()).expect_err("a member twice");
        prop_assert_eq!(refused.rule, Rule::DuplicateMember);
        prop_assert_eq!(refused.offset, once.len() + 1);
        prop_assert_eq!(refused.pointer, format!("/{}", repeated.replace('~', "~0").replace('/', "~1")));
    }

    #[test]
    fn utf16_order_is_that_of_the_units(a in text(), b in text()) {
        prop_assert_eq!(utf16_cmp(&a, &b), a.encode_utf16().cmp(b.encode_utf16()));
    }
}
