//! Faults of shape: pointer and offset of the value that does not fit, and a control that does.

use std::collections::BTreeMap;

use identity::{DeclaredSet, DecodeError, Digest, Finite, Limits, Rule, SafeInteger, decode};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is read")]
struct Body {
    n_rows: u64,
    #[serde(default)]
    part: Option<Part>,
    #[serde(default)]
    parts: Vec<Part>,
    #[serde(default)]
    by_name: BTreeMap<String, f64>,
    #[serde(default)]
    outside: Option<Outside>,
    #[serde(default)]
    inside: Option<Inside>,
    #[serde(default)]
    mean: Option<Finite>,
    #[serde(default)]
    count: Option<SafeInteger>,
    #[serde(default)]
    digest: Option<Digest>,
    #[serde(default)]
    names: DeclaredSet<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is read")]
struct Part {
    y: u8,
}

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "only its shape is read")]
enum Outside {
    Unit,
    New(Part),
    Tuple(u8, bool),
    #[serde(rename_all = "camelCase")]
    Fields {
        q: u8,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", deny_unknown_fields)]
#[expect(dead_code, reason = "only its shape is read")]
enum Inside {
    P { z: u8 },
    Q {},
}

fn decoded(text: &str) -> Result<(), DecodeError> {
    decode::<Body>(text.as_bytes(), &Limits::default()).map(|_| ())
}

/// Text, pointer, what begins at the offset, rule (for a shape, words of its message), control.
type Case<'a> = (&'a str, &'a str, &'a str, Rule, &'a str);

fn shape(words: &str) -> Rule {
    Rule::Shape(words.to_owned())
}

#[track_caller]
fn check(cases: &[Case<'_>]) {
    for (text, pointer, begins, rule, control) in cases {
        let refused = decoded(text).expect_err(text);
        assert_eq!(refused.pointer, *pointer, "{text}: {refused}");
        assert!(text[refused.offset..].starts_with(begins), "{text}: {refused}");
        match (&refused.rule, rule) {
            (Rule::Shape(message), Rule::Shape(words)) => assert!(message.contains(words), "{message}"),
            (found, expected) => assert_eq!(found, expected, "{text}"),
        }
        assert_eq!(decoded(control), Ok(()), "{control}");
    }
}

#[test]
fn members_that_the_schema_does_not_know() {
    let unknown = || Rule::UnknownMember;
    check(&[
        (
            r#"{"nRows":1,"n_rows":2}"#,
            "/n_rows",
            "\"n_rows\":2",
            unknown(),
            r#"{"nRows":1}"#,
        ),
        (
            "{\n \"nRows\": 1,\n \"part\": {\"y\": 1, \"k\" : 2}\n}",
            "/part/k",
            "\"k\" : 2",
            unknown(),
            "{\n \"nRows\": 1,\n \"part\": {\"y\": 1}\n}",
        ),
        (
            r#"{"nRows":1,"parts":[{"y":1},{"y":2,"a~/":3}]}"#,
            "/parts/1/a~0~1",
            "\"a~/\"",
            unknown(),
            r#"{"nRows":1,"parts":[{"y":1},{"y":2}]}"#,
        ),
        // Where the unknown member holds one of the same name, and where a wide number shifts what was read.
        (
            r#"{"nRows":1,"zz":{"zz":3}}"#,
            "/zz",
            "\"zz\":{",
            unknown(),
            r#"{"nRows":1}"#,
        ),
        (
            r#"{"nRows":1,"mean":10000000000000000,"zz":{"zz":3}}"#,
            "/zz",
            "\"zz\":{",
            unknown(),
            r#"{"nRows":1,"mean":10000000000000000}"#,
        ),
        (
            r#"{"nRows":1,"part":{"y":1,"part":1}}"#,
            "/part/part",
            "\"part\":1",
            unknown(),
            r#"{"nRows":1,"part":{"y":1}}"#,
        ),
        (
            r#"{"nRows":1,"part":{"\u0079":1,"\u007a":1}}"#,
            "/part/z",
            r#""\u007a":1"#,
            unknown(),
            r#"{"nRows":1,"part":{"\u0079":1}}"#,
        ),
        (
            r#"{"nRows":1,"outside":{"New":{"y":1,"z":2}}}"#,
            "/outside/New/z",
            "\"z\":2",
            unknown(),
            r#"{"nRows":1,"outside":{"New":{"y":1}}}"#,
        ),
        // The type buffers what is inside, so the path ends early; the name leads on.
        (
            r#"{"nRows":1,"inside":{"z":1,"kind":"P","w":2}}"#,
            "/inside/w",
            "\"w\":2",
            unknown(),
            r#"{"nRows":1,"inside":{"z":1,"kind":"P"}}"#,
        ),
        (
            r#"{"nRows":1,"inside":{"kind":"Q","inside":2}}"#,
            "/inside/inside",
            "\"inside\":2",
            unknown(),
            r#"{"nRows":1,"inside":{"kind":"Q"}}"#,
        ),
        // A name made to look like the message around it.
        (
            r#"{"nRows":1,"part":{"y":1,"a`, expected `b":1}}"#,
            "/part/a`, expected `b",
            "\"a`, expected",
            unknown(),
            r#"{"nRows":1,"part":{"y":1}}"#,
        ),
    ]);
}

#[test]
fn values_of_another_type() {
    check(&[
        (
            r#"{"nRows": "1"}"#,
            "/nRows",
            "\"1\"",
            shape("invalid type"),
            r#"{"nRows": 1}"#,
        ),
        (
            r#"{"nRows":-1}"#,
            "/nRows",
            "-1",
            shape("invalid value"),
            r#"{"nRows":1}"#,
        ),
        (
            r#"{"nRows":1.5}"#,
            "/nRows",
            "1.5",
            shape("invalid type"),
            r#"{"nRows":1}"#,
        ),
        (
            r#"{"nRows":1, "parts" : [ {"y":1}, {"y" : 300} ]}"#,
            "/parts/1/y",
            "300",
            shape("300"),
            r#"{"nRows":1, "parts" : [ {"y":1}, {"y" : 255} ]}"#,
        ),
        (
            r#"{"nRows":1,"byName":{"a,]}":[],"b":true}}"#,
            "/byName/a,]}",
            "[]",
            shape("invalid type"),
            r#"{"nRows":1,"byName":{"a,]}":0,"b":1}}"#,
        ),
        (
            r#"{"nRows":1,"byName":{"\"\\":1,"b":true}}"#,
            "/byName/b",
            "true",
            shape("invalid type"),
            r#"{"nRows":1,"byName":{"\"\\":1,"b":1}}"#,
        ),
        (
            r#"{"nRows":1,"outside":{"Tuple":[1,2]}}"#,
            "/outside/Tuple/1",
            "2",
            shape("bool"),
            r#"{"nRows":1,"outside":{"Tuple":[1,true]}}"#,
        ),
        (
            r#"{"nRows":1,"outside":{"Fields":{"q":"1"}}}"#,
            "/outside/Fields/q",
            "\"1\"",
            shape("u8"),
            r#"{"nRows":1,"outside":{"Fields":{"q":1}}}"#,
        ),
        (
            r#"{"nRows":1,"outside":"Units"}"#,
            "/outside",
            "\"Units\"",
            shape("unknown variant"),
            r#"{"nRows":1,"outside":"Unit"}"#,
        ),
        (
            r#"{"nRows":1,"inside":{"kind":"P","z":"1"}}"#,
            "/inside",
            "{\"kind\"",
            shape("u8"),
            r#"{"nRows":1,"inside":{"kind":"P","z":1}}"#,
        ),
        ("[]", "", "[]", shape("struct Body"), r#"{"nRows":1}"#),
        ("  null", "", "null", shape("struct Body"), r#"  {"nRows":1}"#),
    ]);
}

#[test]
fn members_that_are_missing() {
    check(&[
        (" {}", "", "{}", shape("missing field `nRows`"), r#" {"nRows":1}"#),
        (
            r#"{"nRows":1,"parts":[{"y":1},{}]}"#,
            "/parts/1",
            "{}",
            shape("missing field `y`"),
            r#"{"nRows":1,"parts":[{"y":1},{"y":0}]}"#,
        ),
    ]);
}

#[test]
fn a_struct_is_no_array_of_its_fields() {
    check(&[
        ("[1]", "", "[1]", shape("sequence"), r#"{"nRows":1}"#),
        (
            r#"{"nRows":1,"part":[1]}"#,
            "/part",
            "[1]",
            shape("sequence"),
            r#"{"nRows":1,"part":{"y":1}}"#,
        ),
        (
            r#"{"nRows":1,"parts":[[1]]}"#,
            "/parts/0",
            "[1]",
            shape("sequence"),
            r#"{"nRows":1,"parts":[]}"#,
        ),
        (
            r#"{"nRows":1,"outside":{"Fields":[1]}}"#,
            "/outside/Fields",
            "[1]",
            shape("sequence"),
            r#"{"nRows":1,"outside":{"Fields":{"q":1}}}"#,
        ),
        (
            r#"{"nRows":1,"outside":{"New":[1]}}"#,
            "/outside/New",
            "[1]",
            shape("sequence"),
            r#"{"nRows":1,"outside":{"New":{"y":1}}}"#,
        ),
    ]);
}

#[test]
fn values_that_their_type_refuses() {
    let digest = Digest::of(b"").to_string();
    let with = |digest: &str| format!(r#"{{"nRows":1,"digest":"{digest}"}}"#);
    check(&[
        (
            r#"{"nRows":9007199254740992}"#,
            "/nRows",
            "9007199254740992",
            Rule::UnsafeInteger,
            r#"{"nRows":9007199254740991}"#,
        ),
        (
            r#"{"nRows":1,"count":-9007199254740992}"#,
            "/count",
            "-9007199254740992",
            Rule::UnsafeInteger,
            r#"{"nRows":1,"count":-9007199254740991}"#,
        ),
        (
            r#"{"nRows":1,"count":1.5}"#,
            "/count",
            "1.5",
            shape("2^53"),
            r#"{"nRows":1,"count":1}"#,
        ),
        (
            r#"{"nRows":1,"mean":"1"}"#,
            "/mean",
            "\"1\"",
            shape("finite"),
            r#"{"nRows":1,"mean":1e300}"#,
        ),
        (
            r#"{"nRows":1,"names":["b","a"]}"#,
            "/names/1",
            "\"a\"",
            shape("`a` must stand before `b`"),
            r#"{"nRows":1,"names":["a","b"]}"#,
        ),
        (
            r#"{"nRows":1,"names":["a","a"]}"#,
            "/names/1",
            "\"a\"]",
            shape("`a` occurs twice"),
            r#"{"nRows":1,"names":["a","aa"]}"#,
        ),
        (
            &with(&digest.to_uppercase()),
            "/digest",
            "\"SHA",
            shape("expected an identity of kind `sha256`"),
            &with(&digest),
        ),
        (
            &with(&digest[..70]),
            "/digest",
            "\"sha",
            shape("64 lowercase"),
            &with(&digest),
        ),
    ]);
}
