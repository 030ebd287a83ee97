//! Every rule of the strict scan: a text that breaks it, with pointer and offset, and one beside it that does not.

use identity::{DecodeError, Limits, Rule, decode, scan};
use serde_json::Value;

const LIMITS: Limits = Limits {
    max_bytes: 4096,
    max_depth: 64,
    max_string: 64,
    max_items: 20,
    max_members: 40,
};

/// Text, pointer, offset, rule, and the control that is accepted.
type Case<'a> = (&'a [u8], &'a str, usize, Rule, &'a [u8]);

#[track_caller]
fn check(cases: &[Case<'_>]) {
    for (text, pointer, offset, rule, control) in cases {
        let shown = String::from_utf8_lossy(text);
        let expected = DecodeError {
            pointer: (*pointer).to_owned(),
            offset: *offset,
            rule: rule.clone(),
        };
        assert_eq!(scan(text, &LIMITS), Err(expected.clone()), "{shown}");
        assert_eq!(decode::<Value>(text, &LIMITS), Err(expected), "{shown}");
        let shown = String::from_utf8_lossy(control);
        assert!(decode::<Value>(control, &LIMITS).is_ok(), "{shown}");
    }
}

#[test]
fn byte_order_marks() {
    check(&[
        (b"\xEF\xBB\xBF{}", "", 0, Rule::Bom, b"{}"),
        (b"\xFF\xFE{\0}\0", "", 0, Rule::Bom, b"{}"),
        (b"\xFE\xFF\0{\0}", "", 0, Rule::Bom, b"{}"),
        // Inside a string the mark is a character.
        (
            b"\"\"\xEF\xBB\xBF",
            "",
            2,
            Rule::TrailingBytes,
            b"\"\xEF\xBB\xBF\"",
        ),
    ]);
}

#[test]
fn bytes_that_are_not_utf8() {
    check(&[
        (
            b"{\"a\":[1,\"x\xFFy\"]}",
            "/a/1",
            10,
            Rule::Utf8,
            b"{\"a\":[1,\"xy\"]}",
        ),
        (b"{\"k\xC3\x28\":1}", "", 3, Rule::Utf8, b"{\"k\xC3\xA9\":1}"),
        // A surrogate encoded as if it were a character, an overlong slash, beyond U+10FFFF, cut short.
        (b"[\"\xED\xA0\x80\"]", "/0", 2, Rule::Utf8, b"[\"\xED\x9F\xBF\"]"),
        (b"[\"\xC0\xAF\"]", "/0", 2, Rule::Utf8, b"[\"/\"]"),
        (
            b"[\"\xF4\x90\x80\x80\"]",
            "/0",
            2,
            Rule::Utf8,
            b"[\"\xF4\x8F\xBF\xBF\"]",
        ),
        (b"[\"\xE2\x82", "/0", 2, Rule::Utf8, b"[\"\xE2\x82\xAC\"]"),
        (b"[1]\xFF", "", 3, Rule::Utf8, b"[1]"),
        (b"[12\xFF]", "", 3, Rule::Utf8, b"[12]"),
        (b"[tr\xFF]", "/0", 3, Rule::Utf8, b"[true]"),
        (b"\xFF", "", 0, Rule::Utf8, b"0"),
        // A fault before it comes first.
        (
            b"[01,\"\xFF\"]",
            "/0",
            1,
            Rule::Syntax("a number with a leading zero"),
            b"[1]",
        ),
    ]);
}

#[test]
fn members_that_occur_twice() {
    let many = |last: &str| {
        let members: Vec<_> = (0..30).rev().map(|n| format!("\"k{n:02}\":{n}")).collect();
        format!("{{{},\"{last}\":1}}", members.join(","))
    };
    let (twice, once) = (many("k07"), many("k30"));
    check(&[
        (
            br#"{"a":1,"a":2}"#,
            "/a",
            7,
            Rule::DuplicateMember,
            br#"{"a":1,"b":2}"#,
        ),
        (
            br#"{"a":1,"\u0061":2}"#,
            "/a",
            7,
            Rule::DuplicateMember,
            br#"{"a":1,"\u0062":2}"#,
        ),
        (
            br#"{"\u00E9":1, "\u00e9" :2}"#,
            "/é",
            13,
            Rule::DuplicateMember,
            br#"{"\u00E9":1, "e\u0301" :2}"#,
        ),
        (
            "{\"\\ud83d\\ude02\":1,\"😂\":1}".as_bytes(),
            "/😂",
            18,
            Rule::DuplicateMember,
            "{\"\\ud83d\\ude02\":1,\"😀\":1}".as_bytes(),
        ),
        // Not beside the first, and behind members that descend.
        (
            br#"{"c":1,"b":2,"a":3,"c":4}"#,
            "/c",
            19,
            Rule::DuplicateMember,
            br#"{"c":1,"b":2,"a":3,"d":4}"#,
        ),
        (
            twice.as_bytes(),
            "/k07",
            261,
            Rule::DuplicateMember,
            once.as_bytes(),
        ),
        // In an object inside, with a name that must be escaped in the pointer.
        (
            br#"{"x":[{},{"a/b~":{"":1,"":2}}]}"#,
            "/x/1/a~1b~0/",
            23,
            Rule::DuplicateMember,
            br#"{"x":[{"":1},{"":1}]}"#,
        ),
        // The same name in an object around it is another member.
        (
            br#"{"a":{"a":{"a":1}},"a":1}"#,
            "/a",
            19,
            Rule::DuplicateMember,
            br#"{"a":{"a":{"a":1}},"b":{"a":1}}"#,
        ),
    ]);
}

#[test]
fn numbers_that_are_not_finite() {
    check(&[
        (b"[1,NaN]", "/1", 3, Rule::NonFinite, b"[1,null]"),
        (
            b"{\"a\": Infinity}",
            "/a",
            6,
            Rule::NonFinite,
            b"{\"a\": \"Infinity\"}",
        ),
        (b"-Infinity", "", 0, Rule::NonFinite, b"-1"),
        (b"[-NaN]", "/0", 1, Rule::NonFinite, b"[-0]"),
        (b"[1e309]", "/0", 1, Rule::NonFinite, b"[1e308]"),
        (
            b"[[],[-1.8e308]]",
            "/1/0",
            5,
            Rule::NonFinite,
            b"[[],[-1.7976931348623157e308]]",
        ),
        (
            b"1E+99999999999999999999",
            "",
            0,
            Rule::NonFinite,
            b"1E-99999999999999999999",
        ),
        (b"0.1e400", "", 0, Rule::NonFinite, b"0e400"),
    ]);
    let long = |n: usize| format!("[{}]", "9".repeat(n)).into_bytes();
    check(&[
        (&long(309), "/0", 1, Rule::NonFinite, b"[1.7976931348623157e+308]"),
        (&long(308), "/0", 1, Rule::UnsafeInteger, b"[9e307]"),
    ]);
}

#[test]
fn integers_beyond_2_53_minus_1() {
    check(&[
        (
            b"9007199254740993",
            "",
            0,
            Rule::UnsafeInteger,
            b"9007199254740991",
        ),
        (
            b"[0,-9007199254740993]",
            "/1",
            3,
            Rule::UnsafeInteger,
            b"[0,-9007199254740991]",
        ),
        (
            b"{\"id\":18446744073709551615}",
            "/id",
            6,
            Rule::UnsafeInteger,
            b"{\"id\":\"18446744073709551615\"}",
        ),
        (
            b"[18446744073709551616]",
            "/0",
            1,
            Rule::UnsafeInteger,
            b"[18446744073709552000]",
        ),
        (
            b"[100000000000000000001]",
            "/0",
            1,
            Rule::UnsafeInteger,
            b"[100000000000000000000]",
        ),
        // From 1e21 on a double has an exponent, so no integer literal is its text.
        (
            b"[1000000000000000000000]",
            "/0",
            1,
            Rule::UnsafeInteger,
            b"[1e+21]",
        ),
    ]);
}

#[test]
fn an_integer_that_only_a_double_holds_is_a_double() {
    let wide = b" [ 9007199254740992 , [-10000000000000000]]";
    let doubles = decode::<(f64, [f64; 1])>(wide, &LIMITS)
        .expect("doubles")
        .into_inner();
    assert_eq!(doubles, (9007199254740992.0, [-1e16]));
    let value = decode::<Value>(wide, &LIMITS).expect("a value").into_inner();
    assert_eq!(
        identity::canonical::to_vec(&value).expect("text"),
        b"[9007199254740992,[-10000000000000000]]"
    );

    let refused = |pointer: &str, offset| DecodeError {
        pointer: pointer.into(),
        offset,
        rule: Rule::UnsafeInteger,
    };
    assert_eq!(decode::<(u64, [f64; 1])>(wide, &LIMITS), Err(refused("/0", 3)));
    assert_eq!(decode::<(f64, [i64; 1])>(wide, &LIMITS), Err(refused("/1/0", 23)));
    assert_eq!(
        decode::<(identity::Finite, [identity::SafeInteger; 1])>(wide, &LIMITS),
        Err(refused("/1/0", 23))
    );
    assert!(decode::<(u64, [i64; 1])>(b"[9007199254740991, [-9007199254740991]]", &LIMITS).is_ok());
}

#[test]
fn lone_surrogates() {
    check(&[
        (
            br#"["\ud800"]"#,
            "/0",
            2,
            Rule::LoneSurrogate,
            br#"["\ud800\udc00"]"#,
        ),
        (
            br#"["xx\uDFFF"]"#,
            "/0",
            4,
            Rule::LoneSurrogate,
            br#"["xx\uD7FF\uE000"]"#,
        ),
        (
            br#"["\udc00\ud800"]"#,
            "/0",
            2,
            Rule::LoneSurrogate,
            br#"["\udbff\udfff"]"#,
        ),
        (
            br#"["\ud800\ud800\udc00"]"#,
            "/0",
            2,
            Rule::LoneSurrogate,
            br#"["\ud800\udc00\ud800\udc00"]"#,
        ),
        (br#"["\ud800\n"]"#, "/0", 2, Rule::LoneSurrogate, br#"["\n"]"#),
        (br#"["\ud800x\udc00"]"#, "/0", 2, Rule::LoneSurrogate, br#"["x"]"#),
        (
            br#"["\ud800\u0041"]"#,
            "/0",
            2,
            Rule::LoneSurrogate,
            br#"["\u0041"]"#,
        ),
        (
            br#"{"k":{"\ud800":1}}"#,
            "/k",
            7,
            Rule::LoneSurrogate,
            br#"{"k":{"\\ud800":1}}"#,
        ),
    ]);
}

#[test]
fn bytes_after_the_value() {
    check(&[
        (b"{} {}", "", 3, Rule::TrailingBytes, b"{} \t\r\n"),
        (b"1 2", "", 2, Rule::TrailingBytes, b" 1 "),
        (b"[1]]", "", 3, Rule::TrailingBytes, b"[[1]]"),
        (b"{\"a\":1},", "", 7, Rule::TrailingBytes, b"{\"a\":1}"),
        (b"null\0", "", 4, Rule::TrailingBytes, b"null"),
        (b"0x10", "", 1, Rule::TrailingBytes, b"0"),
        (b"truely", "", 4, Rule::TrailingBytes, b"true"),
    ]);
}

#[test]
fn depth_bombs() {
    let arrays = |n: usize| [vec![b'['; n], vec![b']'; n]].concat();
    let objects = |n: usize| [b"{\"a\":".repeat(n), b"1".to_vec(), vec![b'}'; n]].concat();
    let open = vec![b'['; 4096];
    check(&[
        (&arrays(65), &"/0".repeat(64), 64, Rule::Depth, &arrays(64)),
        (&objects(65), &"/a".repeat(64), 320, Rule::Depth, &objects(64)),
        (&open, &"/0".repeat(64), 64, Rule::Depth, &arrays(64)),
        // Depth is what is open at once, not how many brackets there are.
        (
            &arrays(65),
            &"/0".repeat(64),
            64,
            Rule::Depth,
            b"[[[]],[[]],[[],[[]]]]",
        ),
    ]);
    // The scan does not recurse, and answers a bomb of 64 MiB at its 65th bracket.
    let bomb = vec![b'['; 64 << 20];
    let refused = scan(&bomb, &Limits::default()).expect_err("a bomb");
    assert_eq!((refused.offset, refused.rule), (64, Rule::Depth));
    // No limit lets a text reach the recursion of the typed decode.
    let deep = Limits {
        max_depth: usize::MAX,
        ..LIMITS
    };
    assert_eq!(
        decode::<Value>(&arrays(128), &deep).map_err(|e| (e.offset, e.rule)),
        Err((127, Rule::Depth))
    );
    assert!(decode::<Value>(&arrays(127), &deep).is_ok());
}

#[test]
fn limits_on_size() {
    let bytes = |n: usize| [b"[1".to_vec(), vec![b' '; n - 3], b"]".to_vec()].concat();
    let string = |n: usize| format!("[0, \"{}\"]", "x".repeat(n)).into_bytes();
    let key = |n: usize| format!("{{\"{}\":1}}", "x".repeat(n)).into_bytes();
    let escaped = |n: usize| format!("[0, \"{}\"]", "\\u00e9".repeat(n)).into_bytes();
    let pairs = |n: usize| format!("[\"{}\"]", "\\ud83d\\ude02".repeat(n)).into_bytes();
    let items = |n: usize| format!("[[{}]]", vec!["1"; n].join(",")).into_bytes();
    let members = |n: usize| {
        let members: Vec<_> = (0..n).map(|n| format!("\"{n:02}\":0")).collect();
        format!("[{{{}}}]", members.join(",")).into_bytes()
    };
    check(&[
        (&bytes(4097), "", 4096, Rule::Bytes, &bytes(4096)),
        (&string(65), "/1", 4, Rule::StringLength, &string(64)),
        (&key(65), "", 1, Rule::StringLength, &key(64)),
        // The limit counts the text, not its escapes.
        (&escaped(33), "/1", 4, Rule::StringLength, &escaped(32)),
        (&pairs(17), "/0", 1, Rule::StringLength, &pairs(16)),
        (&items(21), "/0/20", 42, Rule::Items, &items(20)),
        (&members(41), "/0/40", 282, Rule::Members, &members(40)),
    ]);
}

#[test]
fn no_json() {
    let early = Rule::Syntax("the text ends too early");
    let value = Rule::Syntax("expected a value");
    let name = Rule::Syntax("expected a member's name");
    let digit = Rule::Syntax("expected a digit");
    let control = Rule::Syntax("a control character in a string");
    let hex = Rule::Syntax("expected four hexadecimal digits");
    let zero = Rule::Syntax("a number with a leading zero");
    check(&[
        (b"", "", 0, early.clone(), b"0"),
        (b" \n", "", 2, early.clone(), b" \n1"),
        (b"[1", "", 2, early.clone(), b"[1]"),
        (b"[1,", "/1", 3, early.clone(), b"[1,2]"),
        (b"{", "", 1, early.clone(), b"{}"),
        (b"{\"a", "", 3, early.clone(), b"{\"a\":1}"),
        (b"{\"a\"", "/a", 4, early.clone(), b"{\"a\":1}"),
        (b"{\"a\":", "/a", 5, early.clone(), b"{\"a\":1}"),
        (b"\"\\", "", 2, early.clone(), b"\"\\\\\""),
        (b"\"\\u00", "", 5, early.clone(), b"\"\\u0000\""),
        (b"\"\\ud800", "", 7, early.clone(), b"\"\\ud800\\udc00\""),
        (b"\"\\ud800\\", "", 8, early.clone(), b"\"\\ud800\\udc00\""),
        (b"-", "", 1, early.clone(), b"-1"),
        (b"fals", "", 4, early, b"false"),
        (b"[1,]", "/1", 3, value.clone(), b"[1]"),
        (b"[,1]", "/0", 1, value.clone(), b"[1]"),
        (b"{\"a\":}", "/a", 5, value.clone(), b"{\"a\":{}}"),
        (b"[True]", "/0", 1, value.clone(), b"[true]"),
        (b"[nul]", "/0", 1, value.clone(), b"[null]"),
        (b"['a']", "/0", 1, value.clone(), b"[\"a\"]"),
        (b"[+1]", "/0", 1, value.clone(), b"[1]"),
        (b"[.5]", "/0", 1, value.clone(), b"[0.5]"),
        (b"/**/1", "", 0, value.clone(), b"1"),
        (b"\x0c1", "", 0, value.clone(), b"\t1"),
        (b"]", "", 0, value, b"[]"),
        (b"{\"a\":1,}", "", 7, name.clone(), b"{\"a\":1}"),
        (b"{a:1}", "", 1, name.clone(), b"{\"a\":1}"),
        (b"{1:1}", "", 1, name, b"{\"1\":1}"),
        (b"[1 2]", "", 3, Rule::Syntax("expected `,` or `]`"), b"[1,2]"),
        (b"[1}", "", 2, Rule::Syntax("expected `,` or `]`"), b"[1]"),
        (
            b"{\"a\":1]",
            "",
            6,
            Rule::Syntax("expected `,` or `}`"),
            b"{\"a\":1}",
        ),
        (b"{\"a\" 1}", "/a", 5, Rule::Syntax("expected `:`"), b"{\"a\": 1}"),
        (b"[1.]", "/0", 3, digit.clone(), b"[1.0]"),
        (b"[1e]", "/0", 3, digit.clone(), b"[1e0]"),
        (b"[1e+]", "/0", 4, digit.clone(), b"[1e+0]"),
        (b"[-]", "/0", 2, digit.clone(), b"[-1]"),
        (b"[-.5]", "/0", 2, digit, b"[-0.5]"),
        (b"[01]", "/0", 1, zero.clone(), b"[0]"),
        (b"[-00]", "/0", 2, zero, b"[-0]"),
        (b"[\"a\nb\"]", "/0", 3, control.clone(), b"[\"a\\nb\"]"),
        (b"[\"\0\"]", "/0", 2, control.clone(), b"[\"\\u0000\"]"),
        (b"[\"12345678\x1f\"]", "/0", 10, control, b"[\"12345678\x7f\"]"),
        (
            b"[\"\\x\"]",
            "/0",
            2,
            Rule::Syntax("an unknown escape"),
            b"[\"\\/\"]",
        ),
        (b"[\"\\u12g4\"]", "/0", 6, hex.clone(), b"[\"\\u12F4\"]"),
        (b"[\"\\u+123\"]", "/0", 4, hex, b"[\"\\u0123\"]"),
    ]);
}

#[test]
fn an_error_says_where_and_which_rule() {
    let refused = decode::<Value>(br#"{"a":[1,1e999]}"#, &LIMITS).expect_err("an overflow");
    assert_eq!(
        refused.to_string(),
        "a number that is not finite at byte 8, `/a/1`"
    );
    assert_eq!(refused.rule.name(), "NON_FINITE");
}
