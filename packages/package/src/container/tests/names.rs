//! One test a hostile name, through the same door as an honest one.

use super::super::NameRule;
use super::forge::{Forged, Part};
use super::{Limits, Rule, judge, rule};

fn named(name: &[u8]) -> Result<(), super::ContainerError> {
    let mut forged = Forged::honest();
    forged.parts.truncate(1);
    forged.parts[0].rename(name);
    judge(&forged.bytes(), &Limits::PACKAGE)
}

macro_rules! refused_names {
    ($($test:ident: $name:expr => $rule:ident),+ $(,)?) => {
        $(#[test]
        fn $test() {
            named(b"data/plain.bin").expect("a plain name passes");
            let name = $name;
            assert_eq!(rule(named(name.as_ref())), Rule::Name(NameRule::$rule));
        })+
    };
}

refused_names! {
    empty: b"" => Empty,
    too_long: "a".repeat(241) => TooLong,
    not_utf8: b"data/\xff.bin" => NotUtf8,
    overlong_utf8: b"data/\xc0\xae\xc0\xae/x" => NotUtf8,
    nul: b"data/a\0.bin" => Nul,
    control: b"data/a\x1b[2J.bin" => Control,
    right_to_left_override: "data/\u{202e}nib.exe" => Control,
    zero_width: "data/a\u{200b}.bin" => Control,
    network_path: b"\\\\server\\share\\x" => Unc,
    network_path_with_slashes: b"//server/share/x" => Unc,
    backslash: b"data\\..\\x" => Backslash,
    absolute: b"/etc/passwd" => Absolute,
    drive: b"C:/x" => Drive,
    drive_relative: b"c:x" => Drive,
    empty_segment: b"data//x" => EmptySegment,
    dot_segment: b"data/./x" => DotSegment,
    leading_dot_segment: b"./x" => DotSegment,
    parent_segment: b"data/../../x" => ParentSegment,
    parent_alone: b".." => ParentSegment,
    trailing_dot: b"data./x" => TrailingDotOrSpace,
    trailing_space: b"data/x " => TrailingDotOrSpace,
    stream_name: b"data/x:hidden" => Reserved,
    percent: b"data/%2e%2e/x" => Reserved,
    wildcard: b"data/*.bin" => Reserved,
    device: b"data/NUL" => Device,
    device_with_extension: b"data/com1.json" => Device,
    not_normalized: "data/e\u{301}.bin" => NotNormalized,
}

#[test]
fn names_that_look_odd_and_are_fine() {
    for name in [
        "a",
        "data/com10",
        "data/console",
        "data/é.bin",
        "データ/行.json",
        "a.b.c/..d/e...f",
        &"a".repeat(240),
    ] {
        named(name.as_bytes()).unwrap_or_else(|error| panic!("{name:?}: {error}"));
    }
}

fn pair(first: &str, second: &str) -> Result<(), super::ContainerError> {
    let forged = Forged {
        parts: vec![Part::stored(first, b"1"), Part::stored(second, b"2")],
        ..Forged::honest()
    };
    judge(&forged.bytes(), &Limits::PACKAGE)
}

#[test]
fn the_same_name_twice() {
    pair("data/a", "data/b").unwrap();
    assert_eq!(rule(pair("data/a", "data/a")), Rule::Duplicate);
}

#[test]
fn names_that_meet_where_case_is_not_told_apart() {
    for (first, second) in [
        ("Data/a", "data/a"),
        ("STRASSE", "straße"),
        ("data/s", "data/ſ"),
        ("data/k", "data/\u{212a}"),
        ("data/É", "data/é"),
        ("data/Σ", "data/ς"),
    ] {
        let with = first.to_owned();
        assert_eq!(rule(pair(first, second)), Rule::Collides { with }, "{second:?}");
    }
    pair("data/É", "data/ê").unwrap();
}

#[test]
fn names_that_meet_under_normalization() {
    let with = "data/e\u{301}".to_owned();
    // The earlier spelling is not normalized, so it is refused before the later one can meet it.
    assert_eq!(rule(pair(&with, "data/é")), Rule::Name(NameRule::NotNormalized));
    // The other way round they meet.
    let with = "data/é".to_owned();
    assert_eq!(
        rule(pair(&with, "data/e\u{301}")),
        Rule::Collides { with: with.clone() }
    );
    let with = "data/가".to_owned();
    assert_eq!(
        rule(pair(&with, "data/\u{1100}\u{1161}")),
        Rule::Collides { with: with.clone() }
    );
}

#[test]
fn names_stand_in_utf16_order() {
    // U+FF5E is one code unit above the surrogates, so by UTF-16 it comes after U+1F600; by bytes it comes before.
    pair("\u{1f600}", "\u{ff5e}").unwrap();
    let after = "\u{ff5e}".to_owned();
    assert_eq!(rule(pair("\u{ff5e}", "\u{1f600}")), Rule::Order { after });
    let after = "b".to_owned();
    assert_eq!(rule(pair("b", "a")), Rule::Order { after });
}
