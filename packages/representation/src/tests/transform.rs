//! Each transform's rule, its refusals, and the value beside each refusal that is taken.

use identity::{Digest, Finite};

use crate::wire::v2::{Domain, Range};
use crate::{TransformError, TransformKind};

fn finite(value: f64) -> Finite {
    Finite::new(value).unwrap()
}

fn interval(min: f64, max: f64) -> Domain {
    Domain::Interval {
        min: finite(min),
        max: finite(max),
    }
}

fn meters(from: f64, to: f64) -> Range {
    Range::Meters {
        from: finite(from),
        to: finite(to),
    }
}

fn categories(labels: &[&str]) -> Domain {
    Domain::Categories {
        labels: labels.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn continuous_rules_give_their_values() {
    use TransformKind::{Identity, Linear, Log10, Rank, Sqrt, Symlog};
    let e = std::f64::consts::E;
    for (kind, min, max, value, expected) in [
        (Linear, 170.0, 240.0, 170.0, -0.6),
        (Linear, 170.0, 240.0, 240.0, 0.6),
        (Linear, 170.0, 240.0, 205.0, 0.0),
        (Log10, 1.0, 10_000.0, 100.0, 0.0),
        (Sqrt, 0.0, 100.0, 25.0, 0.0),
        (Symlog, -(e - 1.0), e - 1.0, 0.0, 0.0),
        (Symlog, 0.0, e - 1.0, libm::sqrt(e) - 1.0, 0.0),
        (Rank, 1.0, 3.0, 2.0, 0.0),
        (Rank, 1.0, 4.0, 2.5, 0.0),
    ] {
        let found = kind
            .apply(&interval(min, max), &meters(-0.6, 0.6), value)
            .unwrap();
        assert!((found - expected).abs() < 1e-15, "{kind:?} of {value}: {found}");
    }
    let found = Identity
        .apply(&interval(-0.6, 0.6), &meters(-0.6, 0.6), 0.25)
        .unwrap();
    assert!((found - 0.25).abs() < 1e-15);
}

#[test]
fn the_ends_of_a_range_are_met_exactly_and_never_passed() {
    for (min, max) in [(0.1, 0.3), (32.1, 59.6), (1e-300, 1e300), (-1e17, 3.0)] {
        let scale = TransformKind::Linear.scale(min, max, -0.6, 0.6).unwrap();
        assert_eq!((scale.apply(min), scale.apply(max)), (Ok(-0.6), Ok(0.6)));
    }
}

#[test]
fn greater_values_never_land_behind_smaller_ones() {
    use TransformKind::{Linear, Log10, Sqrt, Symlog};
    for kind in [Linear, Log10, Sqrt, Symlog] {
        let scale = kind.scale(0.5, 977.0, -0.6, 0.6).unwrap();
        let back = kind.scale(0.5, 977.0, 0.6, -0.6).unwrap();
        let mut last = (f64::NEG_INFINITY, f64::INFINITY);
        for step in 0..=20_000 {
            let value = 0.5 + 976.5 * f64::from(step) / 20_000.0;
            let now = (scale.apply(value).unwrap(), back.apply(value).unwrap());
            assert!(now.0 >= last.0 && now.1 <= last.1, "{kind:?} at {value}");
            last = now;
        }
        assert_eq!(last, (0.6, -0.6));
    }
}

#[test]
fn nothing_is_clamped() {
    use TransformError as E;
    let range = meters(0.0, 1.2);
    let linear = |value| TransformKind::Linear.apply(&interval(0.0, 10.0), &range, value);
    assert_eq!(linear(10.0), Ok(1.2));
    for outside in [10.000_000_000_000_002, -f64::MIN_POSITIVE, 1e300] {
        assert_eq!(
            linear(outside),
            Err(E::OutsideDomain {
                value: outside,
                min: 0.0,
                max: 10.0
            })
        );
    }
    assert!(matches!(linear(f64::NAN), Err(E::NotFinite(_))));
    assert!(matches!(linear(f64::INFINITY), Err(E::NotFinite(_))));
}

#[test]
fn logarithms_and_roots_of_what_has_none_are_refused() {
    use TransformError as E;
    let range = meters(0.0, 1.2);
    let log = |min, value| TransformKind::Log10.apply(&interval(min, 10.0), &range, value);
    assert_eq!(log(1.0, 10.0), Ok(1.2));
    assert_eq!(log(1.0, 0.0), Err(E::NoLogarithm(0.0)));
    assert_eq!(log(1.0, -3.0), Err(E::NoLogarithm(-3.0)));
    assert_eq!(log(0.0, 5.0), Err(E::NoLogarithm(0.0)));
    let root = |min, value| TransformKind::Sqrt.apply(&interval(min, 4.0), &range, value);
    assert_eq!(root(0.0, 1.0), Ok(0.6));
    assert_eq!(root(0.0, -1.0), Err(E::NoRoot(-1.0)));
    assert_eq!(root(-1.0, 1.0), Err(E::NoRoot(-1.0)));
    let rank = |value| TransformKind::Rank.apply(&interval(1.0, 9.0), &range, value);
    assert_eq!(rank(5.0), Ok(0.6));
    assert_eq!(rank(5.25), Err(E::NotARank(5.25)));
}

#[test]
fn domains_and_ranges_without_extent_are_refused() {
    use TransformError as E;
    let linear = TransformKind::Linear;
    assert!(linear.scale(1.0, 2.0, 0.0, 1.0).is_ok());
    assert!(matches!(
        linear.scale(2.0, 2.0, 0.0, 1.0),
        Err(E::EmptyDomain { .. })
    ));
    assert!(matches!(
        linear.scale(3.0, 2.0, 0.0, 1.0),
        Err(E::EmptyDomain { .. })
    ));
    assert!(matches!(
        linear.scale(-1e308, 1e308, 0.0, 1.0),
        Err(E::EmptyDomain { .. })
    ));
    assert!(matches!(
        linear.scale(1.0, 2.0, 0.5, 0.5),
        Err(E::FlatRange { .. })
    ));
    assert!(matches!(
        TransformKind::Identity.scale(0.0, 1.0, 0.0, 2.0),
        Err(E::Mismatch { .. })
    ));
    assert!(TransformKind::Identity.scale(0.0, 1.0, 0.0, 1.0).is_ok());
}

#[test]
fn categories_get_bands_colors_and_shapes() {
    use TransformError as E;
    let domain = categories(&["Adelie", "Chinstrap", "Gentoo"]);
    let band = |code| TransformKind::Band.apply(&domain, &meters(0.0, 1.2), code);
    for (code, expected) in [(0.0, 0.2), (1.0, 0.6), (2.0, 1.0)] {
        assert!((band(code).unwrap() - expected).abs() < 1e-15);
    }
    for code in [3.0, -1.0, 0.5, f64::NAN] {
        assert!(
            matches!(band(code), Err(E::NoCategory { count: 3, .. })),
            "{code}"
        );
    }
    let colors = Range::Colors {
        values: ["#56b4e9", "#e69f00", "#009e73"].map(str::to_owned).to_vec(),
    };
    assert_eq!(
        TransformKind::Categorical.pick(&domain, &colors, 1),
        Ok("#e69f00")
    );
    assert_eq!(TransformKind::Categorical.apply(&domain, &colors, 2.0), Ok(2.0));
    assert!(matches!(
        TransformKind::Categorical.pick(&domain, &colors, 3),
        Err(E::NoCategory { .. })
    ));
    assert!(matches!(
        TransformKind::Linear.pick(&domain, &colors, 1),
        Err(E::Mismatch { .. })
    ));
    let short = Range::Shapes {
        values: vec!["circle".to_owned()],
    };
    assert!(matches!(
        TransformKind::Categorical.fits(&domain, &short),
        Err(E::NoCategory { .. })
    ));
    assert!(TransformKind::Categorical.fits(&domain, &colors).is_ok());
    assert!(matches!(
        TransformKind::Linear.fits(&domain, &meters(0.0, 1.0)),
        Err(E::Mismatch { .. })
    ));
}

#[test]
fn unknown_names_and_versions_are_refused() {
    for kind in TransformKind::ALL {
        assert_eq!(TransformKind::find(kind.id(), kind.version()), Ok(kind));
        assert!(!kind.rules().is_empty());
    }
    for (id, version) in [
        ("linear", "1.0.1"),
        ("linear", "1"),
        ("Linear", "1.0.0"),
        ("ln", "1.0.0"),
        ("", ""),
    ] {
        assert!(
            matches!(
                TransformKind::find(id, version),
                Err(TransformError::Unknown { .. })
            ),
            "{id}@{version}"
        );
    }
    let pinned = evidence::wire::v1::PinnedRef {
        id: "sqrt".to_owned(),
        version: "1.0.0".to_owned(),
        digest: Digest::of(b"a definition"),
    };
    assert_eq!(TransformKind::of(&pinned), Ok(TransformKind::Sqrt));
}

/// The pinned definitions state the rules that are implemented here.
#[test]
fn the_shipped_definitions_state_these_rules() {
    for kind in TransformKind::ALL {
        let path = format!(
            "{}/../../assets/knowledge/transforms/{}.json",
            env!("CARGO_MANIFEST_DIR"),
            kind.id()
        );
        let definition: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let rules: Vec<&str> = definition["rules"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|rule| rule.as_str())
            .collect();
        assert_eq!(rules, kind.rules(), "{}", kind.id());
        assert_eq!(
            (definition["id"].as_str(), definition["version"].as_str()),
            (Some(kind.id()), Some(kind.version()))
        );
    }
}

#[test]
fn each_error_is_a_refusal_with_a_way_out() {
    use refusal::{Code, Reason};
    let unknown = TransformKind::named("cubic").unwrap_err().refusal();
    assert_eq!(
        (unknown.code(), unknown.reason()),
        (Code::BindingUnavailable, Reason::UnknownTransform)
    );
    let outside = TransformKind::Linear
        .apply(&interval(0.0, 1.0), &meters(0.0, 1.0), 2.0)
        .unwrap_err()
        .refusal();
    assert_eq!(
        (outside.code(), outside.reason()),
        (Code::BindingUnavailable, Reason::OutsideDomain)
    );
    assert!(outside.cause().text.contains("never clamped") && outside.retry().is_some());
}
