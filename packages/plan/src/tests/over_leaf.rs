//! Cuboids, paths and links over a leaf: written, read back, placed; each parameter missing or wrong is named.

use identity::{Digest, Finite};
use kernels::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use representation::TransformKind;

use crate::PlanError;
use crate::element::{
    self, AxisPlace, Band, Boxes, Extent, Group, Groups, Links, Look, Paint, Path, Ramp, Rows, Scaled, Shape,
    Typed,
};
use crate::wire::v1::{Element, Scalar};

fn leaf() -> Columns {
    let numbers = |name: &str, values: &[f64]| LeafColumn::new(name, LeafValues::Numbers(values.to_vec()));
    let words = |name: &str, labels: &[&str], codes: &[u32]| {
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        let codes = codes.to_vec();
        LeafColumn::new(name, LeafValues::Categories { labels, codes })
    };
    let columns = vec![
        numbers("lower", &[0.0, 10.0, 20.0]),
        numbers("upper", &[10.0, 20.0, 30.0]),
        numbers("count", &[3.0, 0.0, 6.0]),
        words("variable", &["mass", "size"], &[0, 0, 1]),
        words("gap", &["no", "yes"], &[0, 1, 0]),
    ];
    Columns::new(RowKeys::Ordinals(vec![1, 2, 3]), columns).unwrap()
}

fn scaled(min: f64, max: f64) -> Scaled {
    Scaled::new(TransformKind::Linear, (min, max), (0.0, 1.2)).unwrap()
}

fn band() -> Band {
    Band {
        column: "variable".to_owned(),
        labels: vec!["size".to_owned(), "mass".to_owned()],
        from: -0.6,
        to: 0.6,
    }
}

fn bars() -> Boxes {
    Boxes {
        leaf: leaf().digest(),
        rows: None,
        extents: [
            Extent::Span {
                lower: "lower".to_owned(),
                upper: "upper".to_owned(),
                along: scaled(0.0, 30.0),
                inset: 0.01,
            },
            Extent::From {
                base: 0.0,
                column: "count".to_owned(),
                along: scaled(0.0, 6.0),
            },
            Extent::Band {
                band: band(),
                part: 0.5,
            },
        ],
        paint: Paint::Ramp(Ramp {
            column: "count".to_owned(),
            min: 0.0,
            max: 6.0,
            stops: vec!["#000000".to_owned(), "#808080".to_owned(), "#ffffff".to_owned()],
        }),
        opacity: 0.9,
    }
}

fn grouped() -> Boxes {
    let look = |color, shape| Look { color, shape };
    let group = |label: &str, look| Group {
        label: label.to_owned(),
        look,
    };
    Boxes {
        rows: Some(Rows {
            column: "variable".to_owned(),
            label: "mass".to_owned(),
        }),
        extents: [
            Extent::Fixed { low: 0.0, high: 0.5 },
            Extent::Around {
                column: "count".to_owned(),
                along: scaled(0.0, 6.0),
                thickness: 0.02,
            },
            Extent::Fixed { low: 0.0, high: 0.1 },
        ],
        paint: Paint::Groups(Groups::By {
            column: "gap".to_owned(),
            groups: vec![
                group("yes", look([1, 2, 3], Shape::Circle)),
                group("no", look([4, 5, 6], Shape::Square)),
            ],
        }),
        ..bars()
    }
}

fn path() -> Path {
    Path {
        leaf: leaf().digest(),
        rows: None,
        axes: [
            AxisPlace::Column {
                column: "lower".to_owned(),
                scale: scaled(0.0, 30.0).scale,
                from: 0.0,
                to: 1.2,
            },
            AxisPlace::Fixed(0.25),
            AxisPlace::Band(band()),
        ],
        breaks: Some(Rows {
            column: "gap".to_owned(),
            label: "yes".to_owned(),
        }),
        width: 0.01,
        color: [1, 2, 3],
        opacity: 1.0,
    }
}

fn links() -> Links {
    let columns = |name: &str| [name.to_owned(), name.to_owned(), "count".to_owned()];
    Links {
        leaf: leaf().digest(),
        from: columns("lower"),
        to: columns("upper"),
        axes: [scaled(0.0, 30.0); 3],
        width: 0.002,
        color: [9, 9, 9],
        opacity: 0.5,
    }
}

fn samples() -> Vec<Element> {
    vec![
        bars().write("bars", "bars").unwrap(),
        grouped().write("grouped", "bars").unwrap(),
        path().write("path", "path").unwrap(),
        links().write("links", "links").unwrap(),
    ]
}

#[test]
fn what_is_written_is_read_back() {
    let read: Vec<Typed> = samples()
        .iter()
        .map(|element| element::read(element).unwrap())
        .collect();
    let meant = [
        Typed::Boxes(Box::new(bars())),
        Typed::Boxes(Box::new(grouped())),
        Typed::Path(Box::new(path())),
        Typed::Links(Box::new(links())),
    ];
    assert_eq!(read, meant);
}

#[test]
fn every_parameter_is_needed_known_and_of_its_type() {
    let optional = ["rows.column", "breaks.column"];
    for element in samples() {
        assert!(element::read(&element).is_ok(), "{}", element.id);
        let mut more = element.clone();
        let glow = Scalar::Number(Finite::new(1.0).unwrap());
        more.parameters.insert("glow".to_owned(), glow);
        assert!(matches!(element::read(&more), Err(PlanError::Parameter { key, .. }) if key == "glow"));
        for key in element.parameters.keys() {
            let mut without = element.clone();
            without.parameters.remove(key);
            // Without its column, the label of the rows is a parameter of nothing.
            assert!(
                element::read(&without).is_err() || optional.contains(&key.as_str()),
                "{} without {key}",
                element.id
            );
            let mut flagged = element.clone();
            flagged.parameters.insert(key.clone(), Scalar::Flag(true));
            assert!(element::read(&flagged).is_err(), "{} {key}", element.id);
        }
    }
}

#[test]
fn impossible_parameters_are_refused() {
    let number = |value: f64| Scalar::Number(Finite::new(value).unwrap());
    let text = |text: &str| Scalar::Text(text.to_owned());
    let wrong = [
        ("bars", "x.inset", number(-0.1)),
        ("bars", "y.base", number(7.0)),
        ("bars", "z.part", number(1.5)),
        ("bars", "z.labels", text("[]")),
        ("bars", "z.labels", text("[\"a\",\"a\"]")),
        ("bars", "z.labels", text("[ \"size\" ]")),
        ("bars", "ramp.stops", text("[\"#000000\"]")),
        ("bars", "ramp.stops", text("[\"#000000\",\"red\"]")),
        ("bars", "ramp.domainMax", number(0.0)),
        ("bars", "opacity", number(0.0)),
        ("grouped", "x.high", number(-1.0)),
        ("grouped", "y.thickness", number(0.0)),
        ("path", "width", number(0.0)),
        ("links", "z.domainMax", number(0.0)),
    ];
    for (id, key, value) in wrong {
        let mut element = samples().into_iter().find(|element| element.id == id).unwrap();
        let there = element.parameters.insert(key.to_owned(), value.clone());
        assert!(there.is_some(), "{id} has {key}");
        assert!(element::read(&element).is_err(), "{id} {key} {value:?}");
    }
}

#[test]
fn cuboids_reach_as_their_extents_say() {
    let leaf = leaf();
    let (bars, grouped) = (bars(), grouped());
    let placer = bars.over(&leaf).unwrap();
    assert_eq!(placer.rows(), [0, 1, 2]);
    let (low, high) = placer.place(2).unwrap();
    let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(low, [0.81, 0.0, -0.45]), "{low:?}");
    assert!(near(high, [1.19, 1.2, -0.15]), "{high:?}");
    assert_eq!(placer.place(1).unwrap().1[1], 0.0, "a bar of zero has no height");
    assert_eq!(placer.color(0).unwrap(), [128, 128, 128]);
    assert_eq!(placer.color(2).unwrap(), [255, 255, 255]);
    assert!(placer.place(3).is_err());
    let placer = grouped.over(&leaf).unwrap();
    assert_eq!(
        placer.rows(),
        [0, 1],
        "only rows of the chosen category have a cuboid"
    );
    assert_eq!(placer.color(0).unwrap(), [4, 5, 6]);
    let (low, high) = placer.place(0).unwrap();
    assert!(near(low, [0.0, 0.59, 0.0]) && near(high, [0.5, 0.61, 0.1]));
}

#[test]
fn what_does_not_fit_its_scale_is_refused_and_not_clamped() {
    let leaf = leaf();
    let mut short = bars();
    short.extents[1] = Extent::From {
        base: 0.0,
        column: "count".to_owned(),
        along: scaled(0.0, 5.0),
    };
    let placer = short.over(&leaf).unwrap();
    assert!(placer.place(0).is_ok());
    assert!(matches!(placer.place(2), Err(PlanError::Transform { .. })));
    let mut pale = bars();
    pale.paint = Paint::Ramp(Ramp {
        column: "count".to_owned(),
        min: 0.0,
        max: 5.0,
        stops: vec!["#000000".to_owned(), "#ffffff".to_owned()],
    });
    assert!(pale.over(&leaf).unwrap().color(0).is_ok());
    assert!(pale.over(&leaf).unwrap().color(2).is_err());
    let mut other = bars();
    other.extents[2] = Extent::Band {
        band: Band {
            labels: vec!["mass".to_owned()],
            ..band()
        },
        part: 1.0,
    };
    let placer = other.over(&leaf).unwrap();
    assert!(placer.place(0).is_ok());
    assert!(matches!(placer.place(2), Err(PlanError::NoSuchGroup(_))));
    other.rows = Some(Rows {
        column: "count".to_owned(),
        label: "mass".to_owned(),
    });
    assert!(matches!(other.over(&leaf), Err(PlanError::NotInLeaf { .. })));
}

#[test]
fn a_path_is_broken_where_its_rows_say() {
    let leaf = leaf();
    let path = path();
    let placer = path.over(&leaf).unwrap();
    assert_eq!(placer.rows(), [0, 1, 2]);
    let broken: Vec<bool> = placer
        .rows()
        .iter()
        .map(|row| placer.is_broken_before(*row))
        .collect();
    assert_eq!(broken, [false, true, false]);
    let [x, y, z] = placer.place(1).unwrap();
    assert!((x - 0.4).abs() < 1e-12 && y == 0.25 && (z - 0.3).abs() < 1e-12);
}

#[test]
fn links_reach_from_one_place_to_another() {
    let leaf = leaf();
    let links = links();
    let placer = links.over(&leaf).unwrap();
    assert_eq!(placer.n_rows(), 3);
    let [from, to] = placer.ends(1).unwrap();
    assert!((from[0] - 0.4).abs() < 1e-12 && (to[0] - 0.8).abs() < 1e-12 && from[2] == to[2]);
    assert!(placer.ends(3).is_err());
    assert_ne!(Digest::of(b""), links.leaf);
}
