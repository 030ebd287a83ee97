//! Elements are read strictly: each parameter missing, unknown, mistyped or out of bounds is named.

use identity::Finite;

use super::fixture::penguins;
use super::scene::scene;
use crate::PlanError;
use crate::element::{self, Typed};
use crate::wire::v1::{Element, ElementKind, Scalar};

fn number(value: f64) -> Scalar {
    Scalar::Number(Finite::new(value).unwrap())
}

fn elements() -> Vec<Element> {
    scene(&penguins().grouped("species")).desktop().elements
}

/// One element of each kind, grouped and ungrouped points included.
fn samples() -> Vec<Element> {
    let all = elements();
    let mut samples: Vec<Element> = [
        "wall.xy",
        "grid.xy.x.0",
        "marks.volume",
        "legend.0.glyph",
        "axis.x.title",
        "caveats.0",
    ]
    .iter()
    .map(|id| all.iter().find(|element| element.id == *id).unwrap().clone())
    .collect();
    samples.extend(
        scene(&penguins())
            .desktop()
            .elements
            .into_iter()
            .find(|element| element.id == "marks.wall_zy"),
    );
    samples
}

#[test]
fn what_is_written_is_read_back() {
    for element in elements() {
        let written = match element::read(&element).unwrap() {
            Typed::Points(points) => points.write(&element.id, &element.representation_primitive_id),
            Typed::Boxes(_) | Typed::Path(_) | Typed::Links(_) => continue,
            Typed::Surface(surface) => surface.write(&element.id, &element.representation_primitive_id),
            Typed::Trajectory(line) => line.write(&element.id, &element.representation_primitive_id),
            Typed::Glyph(glyph) => glyph.write(&element.id, &element.representation_primitive_id),
            Typed::Label(label) => label.write(&element.id, &element.representation_primitive_id),
        };
        assert_eq!(written.unwrap().parameters, element.parameters);
    }
}

#[test]
fn every_parameter_is_needed_unless_it_is_optional() {
    for element in samples() {
        assert!(element::read(&element).is_ok(), "{}", element.id);
        for key in element.parameters.keys() {
            let mut without = element.clone();
            without.parameters.remove(key);
            let read = element::read(&without);
            let optional = ["wrapWidth", "along"].contains(&key.as_str());
            assert_eq!(read.is_ok(), optional, "{} without {key}", element.id);
        }
    }
}

#[test]
fn unknown_mistyped_and_impossible_parameters_are_named() {
    for element in samples() {
        let mut more = element.clone();
        more.parameters.insert("glow".to_owned(), number(1.0));
        assert!(matches!(element::read(&more), Err(PlanError::Parameter { key, .. }) if key == "glow"));
        for key in element.parameters.keys() {
            let mut flagged = element.clone();
            flagged.parameters.insert(key.clone(), Scalar::Flag(true));
            assert!(
                matches!(element::read(&flagged), Err(PlanError::Parameter { .. })),
                "{} {key}",
                element.id
            );
        }
    }
    let wrong: &[(&str, &str, Scalar)] = &[
        ("marks.volume", "diameter", number(0.0)),
        ("marks.volume", "opacity", number(1.5)),
        ("marks.volume", "x.domainMax", number(-1e6)),
        ("marks.volume", "x.transform", Scalar::Text("cubic".to_owned())),
        ("marks.volume", "leaf", Scalar::Text("sha256:00".to_owned())),
        ("marks.volume", "group.count", number(9.0)),
        ("marks.volume", "group.count", number(2.5)),
        ("marks.volume", "group.1.shape", Scalar::Text("circle".to_owned())),
        ("marks.volume", "group.1.label", Scalar::Text("Adelie".to_owned())),
        (
            "marks.volume",
            "group.0.color",
            Scalar::Text("#GG0000".to_owned()),
        ),
        ("grid.xy.x.0", "width", number(-0.1)),
        ("grid.xy.x.0", "ink", Scalar::Text("wall".to_owned())),
        ("wall.xy", "ink", Scalar::Text("glass".to_owned())),
        ("legend.0.glyph", "shape", Scalar::Text("heart".to_owned())),
        ("axis.x.title", "capHeight", number(0.0)),
        ("axis.x.title", "facing", Scalar::Text("up".to_owned())),
        ("axis.x.title", "text", Scalar::Text("two\nlines".to_owned())),
        ("axis.x.title", "text", Scalar::Text(String::new())),
    ];
    for (id, key, value) in wrong {
        let mut element = samples().into_iter().find(|element| element.id == *id).unwrap();
        element.parameters.insert((*key).to_owned(), value.clone());
        assert!(
            matches!(element::read(&element), Err(PlanError::Parameter { .. })),
            "{id} {key} {value:?}"
        );
    }
}

#[test]
fn a_kind_is_read_by_its_own_reader_only() {
    for element in samples() {
        let label = element::Label::read(&element);
        assert_eq!(
            label.is_ok(),
            element.primitive == ElementKind::Label,
            "{}",
            element.id
        );
        let points = element::Points::read(&element);
        assert_eq!(
            points.is_ok(),
            element.primitive == ElementKind::Points,
            "{}",
            element.id
        );
    }
}
