//! Numbers, sets and the texts of identities.

use std::cmp::Ordering;
use std::io::Write as _;

use identity::{
    DeclaredSet, Digest, DigestWriter, Fingerprint, Finite, Identity, IdentityError, Kind, NumberError,
    SafeInteger, SetError, canonical, identify, utf16_cmp,
};
use serde_json::json;

enum Snapshot {}

impl Kind for Snapshot {
    const TAG: &'static str = "semantic-snapshot-v1";
}

enum Plan {}

impl Kind for Plan {
    const TAG: &'static str = "perceptual-plan-v1";
}

/// SHA-256 of `{"body":{"a":[1.5,"é"],"b":1},"tag":"semantic-snapshot-v1"}` by another implementation.
const SNAPSHOT: &str =
    "semantic-snapshot-v1:5d6cc23f7371fe451d5d9420c82c8a98c4ba6e2aca70bbe21dc3eda55a06800a";
/// The same body under the tag of a plan.
const PLAN: &str = "perceptual-plan-v1:44b6fd050e3967ff2f81416cbd6465f5220aaf172f74535a3957b2f16e3124c5";

#[test]
fn h_is_the_hash_of_body_and_tag() {
    let body = json!({"b": 1, "a": [1.5, "é"]});
    let snapshot: Identity<Snapshot> = identify(&body).expect("an identity");
    let plan: Identity<Plan> = identify(&body).expect("an identity");
    assert_eq!(snapshot.to_string(), SNAPSHOT);
    assert_eq!(plan.to_string(), PLAN);
    assert!(identify::<Snapshot, _>(&json!({"a": f64::MAX})).is_ok());
    assert_eq!(
        identify::<Snapshot, _>(&[1.0, f64::NAN]),
        Err(canonical::CanonicalError::NonFinite {
            pointer: "/1".to_owned()
        })
    );
}

#[test]
fn an_identity_has_one_text() {
    let id = Identity::<Snapshot>::parse(SNAPSHOT).expect("its text");
    assert_eq!(id.to_string(), SNAPSHOT);
    assert_eq!(format!("{id:?}"), SNAPSHOT);
    assert_eq!(id.short(), SNAPSHOT[..SNAPSHOT.len() - 52]);
    assert_eq!(id.hex(), SNAPSHOT[SNAPSHOT.len() - 64..]);
    assert_eq!(
        serde_json::to_string(&id).expect("a text"),
        format!("\"{SNAPSHOT}\"")
    );
    assert_eq!(
        serde_json::from_str::<Identity<Snapshot>>(&format!("\"{SNAPSHOT}\"")).expect("a text"),
        id
    );

    let tag = |text: &str| matches!(Identity::<Snapshot>::parse(text), Err(IdentityError::Tag { .. }));
    let hex = |text: &str| matches!(Identity::<Snapshot>::parse(text), Err(IdentityError::Hex { .. }));
    assert!(tag(PLAN) && tag(&SNAPSHOT[1..]) && tag(&id.hex()) && tag("") && tag(&format!(" {SNAPSHOT}")));
    assert!(tag("semantic-snapshot-v10:00"));
    assert!(
        hex(&SNAPSHOT[..SNAPSHOT.len() - 1]) && hex(&format!("{SNAPSHOT}0")) && hex(&format!("{SNAPSHOT} "))
    );
    assert!(hex(&SNAPSHOT.replace(&id.hex(), &id.hex().to_uppercase())));
    assert!(hex(&SNAPSHOT.replace(&id.hex(), &"é".repeat(32))));
    let refused =
        serde_json::from_str::<Identity<Snapshot>>(&format!("\"{PLAN}\"")).expect_err("another kind");
    assert!(
        refused
            .to_string()
            .contains("expected an identity of kind `semantic-snapshot-v1`"),
        "{refused}"
    );
    assert!(serde_json::from_str::<Identity<Snapshot>>("1").is_err());
}

#[test]
fn digests_and_fingerprints_have_one_text() {
    // FIPS 180-4, the digest of "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let digest = Digest::of(b"abc");
    assert_eq!(digest.to_string(), format!("sha256:{ABC}"));
    assert_eq!(digest.hex(), ABC);
    assert_eq!(Digest::parse(&digest.to_string()), Ok(digest));
    assert_eq!(
        serde_json::to_value(digest).expect("a text"),
        json!(digest.to_string())
    );
    for wrong in [
        ABC,
        "sha256:",
        "SHA256:",
        &format!("sha256:{}", ABC.to_uppercase()),
        &format!("sha256:{ABC}0"),
    ] {
        assert!(Digest::parse(wrong).is_err(), "{wrong}");
    }

    let fingerprint = Fingerprint::from_bytes(*digest.as_bytes());
    assert_eq!(fingerprint.to_string(), ABC);
    assert_eq!(Fingerprint::parse(ABC), Ok(fingerprint));
    assert_eq!(
        serde_json::from_value::<Fingerprint>(json!(ABC)).expect("a text"),
        fingerprint
    );
    for wrong in ["", &ABC[1..], &digest.to_string(), &ABC.to_uppercase()] {
        assert!(Fingerprint::parse(wrong).is_err(), "{wrong}");
    }

    let mut writer = DigestWriter::new();
    for part in [&b"a"[..], b"", b"bc"] {
        writer.write_all(part).expect("no error from a hash");
    }
    assert_eq!(writer.n_bytes(), 3);
    assert_eq!(writer.finish(), digest);
    assert_ne!(DigestWriter::new().finish(), digest);
}

#[test]
fn finite_holds_no_hole_and_one_zero() {
    for hole in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(matches!(Finite::new(hole), Err(NumberError::NotFinite(_))));
    }
    let finite = |value| Finite::new(value).expect("a finite number");
    assert_eq!(finite(-0.0).get().to_bits(), 0);
    assert_eq!(finite(-0.0), Finite::ZERO);
    assert!(finite(-1.0) < Finite::ZERO && Finite::ZERO < finite(5e-324));
    assert_eq!(
        serde_json::from_str::<Finite>("-0.0")
            .expect("zero")
            .get()
            .to_bits(),
        0
    );
    assert_eq!(serde_json::from_str::<Finite>("3").expect("three"), finite(3.0));
    assert_eq!(
        serde_json::from_str::<Finite>("-10000000000000000").expect("exact"),
        finite(-1e16)
    );
    assert!(serde_json::from_str::<Finite>("10000000000000001").is_err());
    assert!(serde_json::from_str::<Finite>("18446744073709551615").is_err());
    assert!(serde_json::from_str::<Finite>("null").is_err());
    assert_eq!(canonical::to_vec(&finite(1e21)).expect("a text"), b"1e+21");
    assert_eq!(finite(1e21).to_string(), "1e+21");
}

#[test]
fn safe_integers_end_at_2_53_minus_1() {
    const MAX: i64 = (1 << 53) - 1;
    assert_eq!(SafeInteger::new(MAX), Ok(SafeInteger::MAX));
    assert_eq!(SafeInteger::new(-MAX), Ok(SafeInteger::MIN));
    assert_eq!(
        SafeInteger::new(MAX + 1),
        Err(NumberError::Unsafe(i128::from(MAX) + 1))
    );
    assert_eq!(
        SafeInteger::new(i64::MIN),
        Err(NumberError::Unsafe(i128::from(i64::MIN)))
    );
    assert_eq!(
        SafeInteger::try_from(u64::MAX),
        Err(NumberError::Unsafe(i128::from(u64::MAX)))
    );
    assert_eq!(
        SafeInteger::try_from(7_usize).map(SafeInteger::to_u64),
        Ok(Some(7))
    );
    assert_eq!(SafeInteger::from(-7).to_u64(), None);
    assert_eq!(
        serde_json::from_str::<SafeInteger>("9007199254740991").expect("safe"),
        SafeInteger::MAX
    );
    for wrong in [
        "9007199254740992",
        "-9007199254740992",
        "18446744073709551615",
        "1.0",
        "1e3",
        "\"1\"",
        "null",
    ] {
        assert!(serde_json::from_str::<SafeInteger>(wrong).is_err(), "{wrong}");
    }
    assert_eq!(
        serde_json::to_string(&SafeInteger::MIN).expect("a text"),
        "-9007199254740991"
    );
}

#[test]
fn declared_sets_have_one_order() {
    let strings = |items: &[&str]| items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>();
    // U+1F600 is a pair of surrogates, so it stands before U+FB33; by bytes it would stand behind.
    let set =
        DeclaredSet::from_unsorted(strings(&["\u{fb33}", "b", "\u{1f600}", "a", "", "ab"])).expect("a set");
    assert_eq!(set.as_slice(), ["", "a", "ab", "b", "\u{1f600}", "\u{fb33}"]);
    assert_eq!((set.len(), set.is_empty()), (6, false));
    assert_eq!(set.get("ab").map(String::as_str), Some("ab"));
    assert!(set.contains_key("\u{fb33}") && !set.contains_key("c"));
    assert_eq!(set.iter().count(), set.clone().into_vec().len());

    let wire = serde_json::to_string(&set).expect("a text");
    assert_eq!(
        serde_json::from_str::<DeclaredSet<String>>(&wire).expect("a set"),
        set
    );
    let wrong = r#"["\ufb33","\ud83d\ude00"]"#;
    assert!(serde_json::from_str::<DeclaredSet<String>>(wrong).is_err());
    assert!(serde_json::from_str::<DeclaredSet<String>>(r#"["\ud83d\ude00","\ufb33"]"#).is_ok());

    assert_eq!(
        DeclaredSet::from_unsorted(strings(&["b", "a", "b"])),
        Err(SetError::Duplicate("b".to_owned()))
    );
    let order = SetError::Order {
        key: "a".to_owned(),
        after: "b".to_owned(),
    };
    assert_eq!(DeclaredSet::from_sorted(strings(&["b", "a"])), Err(order));
    assert!(DeclaredSet::from_sorted(strings(&["a", "b"])).is_ok());
    assert!(DeclaredSet::<String>::default().is_empty());
}

#[test]
fn utf16_order_is_that_of_code_units() {
    let texts = [
        "",
        "a",
        "a\u{0}",
        "aa",
        "b",
        "\u{7f}",
        "é",
        "\u{7ff}",
        "\u{d7ff}",
        "\u{10000}",
        "\u{10ffff}",
        "\u{e000}",
        "\u{ffff}",
    ];
    for (idx, a) in texts.iter().enumerate() {
        for (other, b) in texts.iter().enumerate() {
            assert_eq!(utf16_cmp(a, b), idx.cmp(&other), "{a:?} {b:?}");
        }
    }
    assert_eq!(utf16_cmp("x\u{ffff}", "x\u{10000}"), Ordering::Greater);
    assert_eq!("x\u{ffff}".cmp("x\u{10000}"), Ordering::Less);
}
