//! Which written plans are believed: the compiled one, and none of its alterations.

use identity::{Body, Finite, SafeInteger, Sealed, canonical};
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Activation;
use refusal::Reason;
use representation::wire::v2::Channel;

use super::fixture::penguins;
use super::scene::{Scene, scene};
use crate::element::Label;
use crate::wire::v1::{PlanBody, Scalar, Variant};
use crate::{PlanError, explain};

fn grouped() -> Scene {
    scene(&penguins().grouped("species"))
}

/// Keeps what is derived from the backend up to date, so that only the rule under test is broken.
fn redo(variant: &mut Variant) {
    variant.element_count = SafeInteger::try_from(variant.backend.elements.len()).unwrap();
    variant.backend_digest = canonical::digest(&variant.backend).unwrap();
}

fn altered(change: impl FnOnce(&mut PlanBody)) -> Result<(), PlanError> {
    let mut plan = grouped().plan();
    change(&mut plan);
    plan.check()
}

#[test]
fn the_compiled_plan_is_sealed_and_reopens() {
    let plan = Sealed::seal(grouped().plan()).unwrap();
    let text = plan.to_canonical().unwrap();
    let envelope = identity::decode::<identity::Envelope<PlanBody>>(&text, &identity::Limits::default());
    let envelope = envelope.unwrap().into_inner();
    assert_eq!(envelope.open().unwrap(), plan);
    assert_eq!(Sealed::seal(grouped().plan()).unwrap().id(), plan.id());
    assert!(altered(|_| ()).is_ok());
}

#[test]
fn variants_are_sorted_named_for_their_device_and_about_one_graph() {
    assert!(matches!(
        altered(|plan| plan.variants.reverse()),
        Err(PlanError::Order { what: "variants", .. })
    ));
    assert!(matches!(
        altered(|plan| plan.variants.clear()),
        Err(PlanError::Variant { .. })
    ));
    assert!(matches!(
        altered(|plan| plan.variants[0].device = DeviceClass::PcvrHeadset),
        Err(PlanError::Variant { .. })
    ));
    let other_graph = altered(|plan| {
        plan.variants[0].backend.graph_id = identity::identify("another").unwrap();
        redo(&mut plan.variants[0]);
    });
    assert!(matches!(other_graph, Err(PlanError::Variant { .. })));
    let other_version = altered(|plan| {
        plan.variants[0].backend.schema_version = SafeInteger::from(2);
        redo(&mut plan.variants[0]);
    });
    assert!(matches!(other_version, Err(PlanError::Variant { .. })));
}

#[test]
fn recorded_counts_and_digests_are_those_of_the_content() {
    let elements = altered(|plan| plan.variants[0].element_count = SafeInteger::from(3));
    assert!(matches!(
        elements,
        Err(PlanError::Recorded {
            what: "element count",
            ..
        })
    ));
    let memory = altered(|plan| plan.variants[0].memory_bytes = SafeInteger::from(32));
    assert!(matches!(
        &memory,
        Err(PlanError::Recorded {
            what: "memory in bytes",
            ..
        })
    ));
    assert_eq!(memory.unwrap_err().refusal().reason(), Reason::Integrity);
    let marks = altered(|plan| {
        plan.variants[0].mark_count = SafeInteger::from(1367);
        plan.variants[0].memory_bytes = SafeInteger::from(1367 * 32);
    });
    assert!(matches!(marks, Err(PlanError::Variant { .. })));
    let digest = altered(|plan| {
        let parameters = &mut plan.variants[0].backend.elements[0].parameters;
        parameters.insert("ox".to_owned(), Scalar::Number(Finite::new(-0.61).unwrap()));
    });
    assert!(matches!(
        digest,
        Err(PlanError::Recorded {
            what: "backend digest",
            ..
        })
    ));
}

#[test]
fn elements_are_bounded_unique_and_readable() {
    let twice = altered(|plan| {
        let element = plan.variants[0].backend.elements[0].clone();
        plan.variants[0].backend.elements.push(element);
        redo(&mut plan.variants[0]);
    });
    assert!(matches!(twice, Err(PlanError::Order { what: "elements", .. })));
    let filled = |most: usize| {
        altered(|plan| {
            let elements = &mut plan.variants[0].backend.elements;
            let wall = elements
                .iter()
                .find(|element| element.id == "wall.xy")
                .unwrap()
                .clone();
            for at in elements.len()..most {
                let mut more = wall.clone();
                more.id = format!("more.{at}");
                elements.push(more);
            }
            redo(&mut plan.variants[0]);
        })
    };
    assert_eq!(filled(1024), Ok(()));
    assert!(matches!(
        filled(1025),
        Err(PlanError::TooMany {
            what: "elements",
            found: 1025,
            most: 1024
        })
    ));
    let parameters = altered(|plan| {
        let element = &mut plan.variants[0].backend.elements[0];
        for at in 0..60 {
            element.parameters.insert(format!("p{at}"), Scalar::Flag(true));
        }
        redo(&mut plan.variants[0]);
    });
    assert!(matches!(
        parameters,
        Err(PlanError::TooMany {
            what: "parameters",
            most: 64,
            ..
        })
    ));
    let unreadable = altered(|plan| {
        plan.variants[0].backend.elements[0].parameters.remove("ink");
        redo(&mut plan.variants[0]);
    });
    assert!(matches!(unreadable, Err(PlanError::Parameter { .. })));
}

/// Total: no property that shows data is without an entry. Exact: no entry is without a property.
#[test]
fn the_explanation_index_is_total_and_exact() {
    let plan = grouped().plan();
    for nth in 0..plan.explanation_index.len() {
        let mut without = plan.clone();
        let entry = without.explanation_index.remove(nth);
        let missing = without.check().unwrap_err();
        assert!(
            matches!(&missing, PlanError::Unexplained { element, property }
                if *element == entry.element_id && *property == entry.property),
            "{missing}"
        );
    }
    let stray = altered(|plan| {
        let mut more = plan.explanation_index[0].clone();
        more.element_id = "nothing".to_owned();
        plan.explanation_index.push(more);
        plan.explanation_index
            .sort_by(|a, b| explain::key(a).cmp(&explain::key(b)));
    });
    assert!(matches!(stray, Err(PlanError::Misexplained { .. })));
    let twice = altered(|plan| {
        let again = plan.explanation_index[0].clone();
        plan.explanation_index.insert(0, again);
    });
    assert!(matches!(
        twice,
        Err(PlanError::Order {
            what: "the explanation index",
            ..
        })
    ));
}

#[test]
fn the_index_covers_marks_labels_and_glyphs() {
    let plan = grouped().plan();
    let properties = |element: &str| -> Vec<&str> {
        plan.explanation_index
            .iter()
            .filter(|entry| entry.variant == "desktop" && entry.element_id == element)
            .map(|entry| entry.property.as_str())
            .collect()
    };
    assert_eq!(
        properties("marks.volume"),
        ["hue", "position_x", "position_y", "position_z", "shape"]
    );
    assert_eq!(
        properties("marks.wall_xz"),
        ["hue", "position_x", "position_z", "shape"]
    );
    assert_eq!(properties("legend.0.glyph"), ["hue", "shape"]);
    assert_eq!(properties("caveats.0"), ["text"]);
    assert_eq!(properties("axis.y.tick.2"), ["text"]);
    assert!(properties("title").is_empty() && properties("wall.xy").is_empty());
}

#[test]
fn an_entry_says_what_its_binding_says() {
    let changed = |change: fn(&mut crate::wire::v1::Explanation)| {
        altered(|plan| {
            let entry = plan
                .explanation_index
                .iter_mut()
                .find(|entry| entry.element_id == "marks.wall_xy" && entry.property == "position_y")
                .unwrap();
            change(entry);
        })
    };
    assert_eq!(changed(|_| ()), Ok(()));
    for wrong in [
        changed(|entry| entry.carries.clear()),
        changed(|entry| entry.evidence_uses.clear()),
        changed(|entry| entry.primitive_id = "marks.wall_xz".to_owned()),
        changed(|entry| entry.node_id = identity::identify("another").unwrap()),
        changed(|entry| entry.binding_id = identity::identify("another").unwrap()),
    ] {
        assert!(matches!(wrong, Err(PlanError::Misexplained { .. })), "{wrong:?}");
    }
}

/// An element may not show anything else than its binding means: another column, scale, letters or look.
#[test]
fn elements_show_what_their_bindings_mean() {
    let set = |id: &'static str, key: &'static str, value: Scalar| {
        altered(|plan| {
            let variant = &mut plan.variants[0];
            let element = variant
                .backend
                .elements
                .iter_mut()
                .find(|element| element.id == id)
                .unwrap();
            assert!(
                element.parameters.insert(key.to_owned(), value).is_some(),
                "{key}"
            );
            redo(variant);
        })
    };
    let number = |value: f64| Scalar::Number(Finite::new(value).unwrap());
    let text = |text: &str| Scalar::Text(text.to_owned());
    assert_eq!(set("marks.wall_xy", "diameter", number(0.02)), Ok(()));
    for (id, key, value) in [
        ("marks.wall_xy", "y.column", text("bill_length_mm")),
        ("marks.wall_xy", "y.domainMax", number(7000.0)),
        ("marks.wall_xy", "y.to", number(0.6)),
        ("marks.wall_xy", "y.transform", text("sqrt")),
        ("marks.volume", "group.column", text("island")),
        ("marks.volume", "group.0.label", text("Emperor")),
        ("marks.volume", "group.0.color", text("#999999")),
        ("marks.volume", "group.0.shape", text("star")),
        ("legend.0.glyph", "color", text("#999999")),
        ("caveats.0", "capHeight", number(0.01)),
    ] {
        let found = set(id, key, value);
        assert!(
            matches!(found, Err(PlanError::Misexplained { .. })),
            "{id} {key}: {found:?}"
        );
    }
    let other_node = altered(|plan| {
        let variant = &mut plan.variants[0];
        let node = variant
            .backend
            .elements
            .iter()
            .find(|element| element.id == "caveats.1")
            .unwrap()
            .semantic_node_id;
        let first = variant
            .backend
            .elements
            .iter_mut()
            .find(|element| element.id == "caveats.0")
            .unwrap();
        first.semantic_node_id = node;
        redo(variant);
    });
    assert!(matches!(other_node, Err(PlanError::Misexplained { .. })));
}

#[test]
fn bindings_routes_and_channels_are_declared() {
    let record = altered(|plan| plan.bindings[0].record.limitations.push("LATER".to_owned()));
    assert!(matches!(record, Err(PlanError::Graph(_))));
    assert!(matches!(
        altered(|plan| plan.bindings.reverse()),
        Err(PlanError::Order { what: "bindings", .. })
    ));
    let routes = altered(|plan| {
        let route = |verb: &str| Activation {
            verb: verb.to_owned(),
            sentence: "Do it.".to_owned(),
        };
        plan.routes = vec![route("TRACE"), route("EXPLAIN")];
    });
    assert!(matches!(routes, Err(PlanError::Order { what: "routes", .. })));
    let undeclared = altered(|plan| {
        let channels = &mut plan.variants[0].channels;
        channels.retain(|channel| *channel != Channel::Hue);
    });
    assert!(matches!(undeclared, Err(PlanError::Variant { .. })));
    let unsorted = altered(|plan| plan.variants[0].channels.reverse());
    assert!(matches!(unsorted, Err(PlanError::Order { what: "channels", .. })));
}

/// A label that names a node without a binding behind it is not explained, whatever it says.
#[test]
fn nothing_shows_data_without_a_binding() {
    let scene = grouped();
    let mut backend = scene.desktop();
    let question = backend
        .elements
        .iter()
        .position(|element| element.id == "title")
        .unwrap();
    assert!(explain::index("desktop", &backend, &scene.graph).is_ok());
    let node = backend
        .elements
        .iter()
        .find_map(|element| element.semantic_node_id)
        .unwrap();
    assert!(Label::read(&backend.elements[question]).is_ok());
    backend.elements[question].semantic_node_id = Some(node);
    let unexplained = explain::index("desktop", &backend, &scene.graph).unwrap_err();
    assert!(matches!(&unexplained, PlanError::Unexplained { element, .. } if element == "title"));
    assert!(unexplained.refusal().retry().is_some());
}
