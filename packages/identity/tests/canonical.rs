//! What has a canonical text, and what is refused with which pointer.

use std::collections::BTreeMap;

use identity::{CanonicalError, canonical};
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};
use serde_json::json;

fn text<T: Serialize + ?Sized>(value: &T) -> String {
    String::from_utf8(canonical::to_vec(value).expect("a canonical text")).expect("UTF-8")
}

fn refusal<T: Serialize + ?Sized>(value: &T) -> CanonicalError {
    canonical::to_vec(value).expect_err("a refusal")
}

#[derive(Serialize)]
struct Unit;

#[derive(Serialize)]
struct New<T>(T);

#[derive(Serialize)]
struct Pair<T>(u8, T);

#[derive(Serialize)]
struct Fields<T> {
    z: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<u8>,
    none: Option<u8>,
    a: u8,
}

impl<T> Fields<T> {
    fn of(z: T) -> Self {
        Self {
            z,
            absent: None,
            none: None,
            a: 1,
        }
    }
}

#[derive(Serialize)]
enum Variant<T> {
    Unit,
    New(T),
    Tuple(u8, T),
    Fields { z: T, a: u8 },
}

struct Bytes(&'static [u8]);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

#[test]
fn the_data_model_takes_the_form_of_serde_json() {
    assert_eq!(text(&Unit), "null");
    assert_eq!(text(&()), "null");
    assert_eq!(text(&None::<u8>), "null");
    assert_eq!(text(&Some(3)), "3");
    assert_eq!(text(&[true, false]), "[true,false]");
    assert_eq!(text(&New("x")), r#""x""#);
    assert_eq!(text(&Pair(1, "x")), r#"[1,"x"]"#);
    assert_eq!(text(&Fields::of("x")), r#"{"a":1,"none":null,"z":"x"}"#);
    assert_eq!(text(&Variant::<u8>::Unit), r#""Unit""#);
    assert_eq!(text(&Variant::New(2)), r#"{"New":2}"#);
    assert_eq!(text(&Variant::Tuple(1, [2])), r#"{"Tuple":[1,[2]]}"#);
    assert_eq!(
        text(&Variant::Fields { z: 2, a: 1 }),
        r#"{"Fields":{"a":1,"z":2}}"#
    );
    assert_eq!(text(&'"'), r#""\"""#);
    assert_eq!(text(&Bytes(&[0, 255])), "[0,255]");
    assert_eq!(text(&Vec::<u8>::new()), "[]");
    assert_eq!(text(&BTreeMap::<String, u8>::new()), "{}");
    assert_eq!(text(&BTreeMap::from([('b', 1), ('a', 2)])), r#"{"a":2,"b":1}"#);
    assert_eq!(
        text(&BTreeMap::from([(New("k"), 1)].map(|(k, v)| (k.0, v)))),
        r#"{"k":1}"#
    );
}

#[test]
fn members_stand_in_utf16_order_at_every_depth() {
    let value =
        json!({"\u{fb33}": {"b": [{"d": 1, "c": {}}], "a": 2}, "\u{1f600}": 1, "ö": 2, "": 3, "é\u{301}": 4});
    assert_eq!(
        text(&value),
        "{\"\":3,\"é\u{301}\":4,\"ö\":2,\"\u{1f600}\":1,\"\u{fb33}\":{\"a\":2,\"b\":[{\"c\":{},\"d\":1}]}}"
    );
}

#[test]
fn strings_escape_only_what_they_must() {
    let all: String = (0..0x20)
        .map(char::from)
        .chain("\"\\/\u{7f}\u{2028}é😂".chars())
        .collect();
    let expected = concat!(
        r#""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#,
        r"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f",
        "\\\"\\\\/\u{7f}\u{2028}é😂\""
    );
    assert_eq!(text(&all), expected);
    // An escape at every place of a word of eight bytes, and none.
    for len in 0..20 {
        for at in 0..len {
            let mut raw = vec![b'x'; len];
            raw[at] = b'"';
            let raw = String::from_utf8(raw).expect("ASCII");
            assert_eq!(text(&raw), format!("\"{}\"", raw.replace('"', "\\\"")));
        }
    }
}

#[test]
fn integers_end_at_2_53_minus_1() {
    const MAX: i64 = (1 << 53) - 1;
    assert_eq!(
        text(&[MAX, -MAX, 0, 10]),
        "[9007199254740991,-9007199254740991,0,10]"
    );
    assert_eq!(
        text(&(MAX as u64, MAX as i128, -MAX as i128, MAX as u128))
            .matches("9007199254740991")
            .count(),
        4
    );
    let unsafe_at = |pointer: &str, value: &str| CanonicalError::UnsafeInteger {
        pointer: pointer.to_owned(),
        value: value.to_owned(),
    };
    assert_eq!(refusal(&[0, MAX + 1]), unsafe_at("/1", "9007199254740992"));
    assert_eq!(refusal(&(-MAX - 1)), unsafe_at("", "-9007199254740992"));
    assert_eq!(
        refusal(&json!({"a": u64::MAX})),
        unsafe_at("/a", "18446744073709551615")
    );
    assert_eq!(
        refusal(&Fields::of(i64::MIN)),
        unsafe_at("/z", "-9223372036854775808")
    );
    assert_eq!(refusal(&New(u128::MAX)), unsafe_at("", &u128::MAX.to_string()));
    assert_eq!(
        refusal(&Variant::New(i128::MIN)),
        unsafe_at("/New", &i128::MIN.to_string())
    );
}

#[test]
fn doubles_have_the_text_of_ecmascript() {
    assert_eq!(
        text(&[0.0, -0.0, 1.0, -1.5, 1e15, 123456.0]),
        "[0,0,1,-1.5,1000000000000000,123456]"
    );
    // Exact for the double, although no integer of this size is safe.
    assert_eq!(
        text(&[9007199254740992.0, -1e20, 1e21]),
        "[9007199254740992,-100000000000000000000,1e+21]"
    );
    assert_eq!(
        text(&[1e-6, 1e-7, 0.1 + 0.2]),
        "[0.000001,1e-7,0.30000000000000004]"
    );
}

#[test]
fn non_finite_is_refused_at_any_depth() {
    for hole in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN] {
        let at = |pointer: &str| CanonicalError::NonFinite {
            pointer: pointer.to_owned(),
        };
        assert_eq!(refusal(&hole), at(""));
        assert_eq!(refusal(&[Some(1.0), None, Some(hole)]), at("/2"));
        assert_eq!(refusal(&Fields::of(hole)), at("/z"));
        assert_eq!(
            refusal(&Variant::Fields {
                z: Pair(1, New(hole)),
                a: 2
            }),
            at("/Fields/z/1")
        );
        assert_eq!(
            refusal(&Variant::Tuple(1, BTreeMap::from([("a/b~", vec![1.0, hole])]))),
            at("/Tuple/1/a~1b~0/1")
        );
        // A later sibling does not move the pointer, an earlier closed one neither.
        assert_eq!(
            refusal(&(json!({"k": {"l": [1]}}), [Fields::of([hole])], 3)),
            at("/1/0/z/0")
        );
    }
    assert_eq!(
        text(&Variant::Tuple(1, BTreeMap::from([("a/b~", vec![1.0, 2.0])]))),
        r#"{"Tuple":[1,{"a/b~":[1,2]}]}"#
    );
}

#[test]
fn single_precision_is_refused() {
    assert_eq!(
        refusal(&Fields::of(1.5_f32)),
        CanonicalError::SinglePrecision {
            pointer: "/z".to_owned()
        }
    );
    assert_eq!(text(&Fields::of(1.5_f64)), r#"{"a":1,"none":null,"z":1.5}"#);
}

#[test]
fn keys_are_strings() {
    let at = |pointer: &str| CanonicalError::KeyNotString {
        pointer: pointer.to_owned(),
    };
    assert_eq!(refusal(&BTreeMap::from([(1, 2)])), at(""));
    assert_eq!(refusal(&[BTreeMap::from([(true, 2)])]), at("/0"));
    assert_eq!(refusal(&BTreeMap::from([(Some("k"), 2)])), at(""));
    assert_eq!(refusal(&BTreeMap::from([(vec![1], 2)])), at(""));
    assert_eq!(refusal(&BTreeMap::from([((), 2)])), at(""));
    assert_eq!(text(&[BTreeMap::from([("true", 2)])]), r#"[{"true":2}]"#);
}

#[derive(Serialize)]
struct Flattened {
    m: u8,
    a: u8,
    #[serde(flatten)]
    rest: BTreeMap<&'static str, u8>,
}

#[test]
fn a_key_that_occurs_twice_is_refused() {
    let flattened = |key| Flattened {
        m: 1,
        a: 2,
        rest: BTreeMap::from([("b", 3), (key, 4)]),
    };
    let at = |pointer: &str| CanonicalError::DuplicateKey {
        pointer: pointer.to_owned(),
    };
    // Not beside the first one, so only the sort brings them together.
    assert_eq!(refusal(&[flattened("m")]), at("/0/m"));
    assert_eq!(refusal(&flattened("a")), at("/a"));
    assert_eq!(text(&flattened("n")), r#"{"a":2,"b":3,"m":1,"n":4}"#);

    struct Twice(&'static str);
    impl Serialize for Twice {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map([("x", 1), (self.0, 2)])
        }
    }
    assert_eq!(refusal(&Twice("x")), at("/x"));
    assert_eq!(text(&Twice("y")), r#"{"x":1,"y":2}"#);
}

#[derive(Serialize)]
struct Nested(Vec<Nested>);

fn nested(depth: usize) -> Nested {
    (1..depth).fold(Nested(Vec::new()), |inner, _| Nested(vec![inner]))
}

#[test]
fn depth_is_bounded() {
    let deepest = nested(canonical::MAX_DEPTH);
    assert_eq!(text(&deepest), format!("{}{}", "[".repeat(128), "]".repeat(128)));
    assert_eq!(
        refusal(&Nested(vec![deepest])),
        CanonicalError::Depth {
            pointer: "/0".repeat(128)
        }
    );
}

#[test]
fn raw_text_of_serde_json_is_refused() {
    #[derive(Serialize)]
    #[serde(rename = "$serde_json::private::RawValue")]
    struct Raw {
        text: &'static str,
    }
    assert!(matches!(
        refusal(&[Raw { text: "NaN" }]),
        CanonicalError::Unwritable { pointer, .. } if pointer == "/0"
    ));
}

#[test]
fn a_swallowed_refusal_still_refuses() {
    struct Swallows(f64);
    impl Serialize for Swallows {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut seq = serializer.serialize_seq(None)?;
            let _swallowed = seq.serialize_element(&self.0).is_err();
            seq.end()
        }
    }
    assert!(matches!(
        refusal(&Swallows(f64::NAN)),
        CanonicalError::Unwritable { .. }
    ));
    assert_eq!(text(&Swallows(1.0)), "[1]");
}

#[test]
fn a_body_may_refuse_itself() {
    struct Refuses;
    impl Serialize for Refuses {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("not today"))
        }
    }
    let refused = CanonicalError::Unwritable {
        pointer: "/a".to_owned(),
        message: "not today".to_owned(),
    };
    assert_eq!(refusal(&BTreeMap::from([("a", Refuses)])), refused);
    assert_eq!(refused.pointer(), "/a");
}

#[test]
fn a_digest_is_that_of_the_text() {
    // From another implementation of SHA-256, over the text written by hand.
    let expected = "sha256:b3aa7c2c75e6eda68896ca65edd78b023f766c052f625885b86d88bfa1f1a585";
    let digest = canonical::digest(&json!({"b": 1, "a": [1.5, "é"]})).expect("a canonical text");
    assert_eq!(digest.to_string(), expected);
    assert_ne!(
        canonical::digest(&json!({"b": 1, "a": [1.5, "e"]})).expect("a canonical text"),
        digest
    );
}
