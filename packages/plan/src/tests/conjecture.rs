//! What is supposed, drawn: looks like no data, stands where its values say, and is never without its mark.

use identity::Body as _;
use knowledge::wire::v1::DeviceClass;
use refusal::Reason;
use representation::{Recipe, ScatterStereo, ScatterVolume};
use serde_json::{Value, json};

use super::fixture::penguins;
use super::picture::faults;
use super::scene::{DEVICES, Scene, capability, find, labels, supposing, typed};
use crate::element::{self, Glyph, Label, LabelInk, LineInk, Shape, Trajectory, Typed};
use crate::wire::v1::PlanBody;
use crate::{PlanError, marking};

const DRAFT: &str = include_str!("../../../../assets/samples/penguins-conjecture.json");

fn scene_by(recipe: &dyn Recipe) -> Scene {
    supposing(recipe, &penguins().grouped("species"), DRAFT).unwrap()
}

fn scene() -> Scene {
    scene_by(&ScatterVolume)
}

fn draft() -> Value {
    serde_json::from_str(DRAFT).unwrap()
}

fn drawn(draft: &Value) -> Result<Scene, String> {
    supposing(&ScatterVolume, &penguins().grouped("species"), &draft.to_string())
}

#[test]
fn a_supposed_row_stands_where_its_values_say_and_a_level_crosses_its_walls() {
    let plan = scene().desktop();
    let at = |id: &str| Glyph::read(find(&plan, id)).unwrap();
    let volume = at("conjecture.well-fed.volume");
    let expected = [
        -0.6 + 1.2 * (192.0 - 170.0) / 70.0,
        1.2 * (5600.0 - 2500.0) / 4000.0,
        -0.6 + 1.2 * (39.0 - 30.0) / 30.0,
    ];
    for (axis, expected) in expected.iter().enumerate() {
        assert!((volume.at[axis] - expected).abs() < 1e-12, "{axis}");
    }
    for (wall, flat) in [("wall_zy", 0), ("wall_xz", 1), ("wall_xy", 2)] {
        let on_wall = at(&format!("conjecture.well-fed.{wall}"));
        assert_eq!(on_wall.shape, Shape::CrossedDiamond);
        for axis in (0..3).filter(|axis| *axis != flat) {
            assert_eq!(on_wall.at[axis], volume.at[axis], "{wall}");
        }
    }
    let lines: Vec<Trajectory> = ["wall_xz", "wall_xy"]
        .map(|wall| Trajectory::read(find(&plan, &format!("conjecture.divide.{wall}"))).unwrap())
        .to_vec();
    let x = -0.6 + 1.2 * (206.0 - 170.0) / 70.0;
    for line in lines {
        assert_eq!(line.ink, LineInk::Conjecture);
        assert!((line.from[0] - x).abs() < 1e-12 && line.from[0] == line.to[0]);
    }
    assert!(
        plan.elements
            .iter()
            .all(|one| one.id != "conjecture.divide.wall_zy"),
        "that wall has no x"
    );
}

#[test]
fn every_device_marks_it_by_shape_words_and_board() {
    for recipe in [&ScatterVolume as &dyn Recipe, &ScatterStereo] {
        let scene = scene_by(recipe);
        for device in DEVICES {
            let plan = scene.lay(&capability(device)).unwrap();
            marking::check(&plan, &scene.graph.body().bindings).unwrap();
            let texts = labels(&plan);
            assert_eq!(
                texts["conjecture.well-fed.label"].text,
                "Conjecture: counterfactual, a well-fed Adelie"
            );
            let board: Vec<&Label> = texts
                .values()
                .filter(|label| label.text.starts_with("Conjecture, not evidence: "))
                .collect();
            assert_eq!(board.len(), 2, "{device:?}");
            assert!(board.iter().all(|label| label.ink == LabelInk::Conjecture));
            assert!(
                board
                    .iter()
                    .any(|label| label.text.ends_with("divide, assuming both sexes agree"))
            );
        }
    }
}

/// The words stand off the data, off each other and off all other words.
#[test]
fn its_words_are_readable() {
    for recipe in [&ScatterVolume as &dyn Recipe, &ScatterStereo] {
        assert_eq!(
            faults(&scene_by(recipe).desktop()),
            Vec::<String>::new(),
            "{}",
            recipe.id()
        );
    }
    let mut relation = draft();
    relation["elements"][1]["payload"] =
        json!({ "kind": "RELATION", "fromRow": "row:1", "toRow": "row:300" });
    relation["elements"][1]["uncertainty"] = json!({ "kind": "UNAVAILABLE", "reason": "not asked" });
    let scene = drawn(&relation).unwrap();
    assert_eq!(faults(&scene.desktop()), Vec::<String>::new());
    let plan = scene.desktop();
    let line = Trajectory::read(find(&plan, "conjecture.divide.volume")).unwrap();
    let points = super::scene::points(&plan, "marks.volume");
    let (_, leaf) = scene.road.leaf();
    let place = |key: &str| points.place(leaf, leaf.row_of_key(key).unwrap()).unwrap();
    assert_eq!((line.from, line.to), (place("row:1"), place("row:300")));
}

/// As many as a proposal holds, with the longest labels: placed without fault, or refused with the reason; never dropped.
#[test]
fn what_finds_no_room_is_refused_and_not_dropped() {
    let mut many = draft();
    let one = many["elements"][1].clone();
    let elements: Vec<Value> = (0..8)
        .map(|nth| {
            let mut element = one.clone();
            element["elementId"] = json!(format!("level-{nth}"));
            element["label"] = json!(format!("a level with a rather long label {nth}"));
            element["payload"]["value"]["value"] = json!(180 + 6 * nth);
            element["uncertainty"] = json!({ "kind": "UNAVAILABLE", "reason": "not asked" });
            element
        })
        .collect();
    many["elements"] = json!(elements);
    let scene = drawn(&many).unwrap();
    for device in DEVICES {
        match scene.lay(&capability(device)) {
            Ok(plan) => marking::check(&plan, &scene.graph.body().bindings).unwrap(),
            Err(error @ (PlanError::BoardFull { .. } | PlanError::NoPlace { .. })) => {
                assert_eq!(error.refusal().reason(), Reason::AccessibilityUnmet, "{error}");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn conjecture_moves_no_axis() {
    let mut far = draft();
    far["elements"][1]["payload"]["value"]["value"] = json!(260);
    far["elements"][1]["uncertainty"] = json!({ "kind": "UNAVAILABLE", "reason": "not asked" });
    let error = drawn(&far).map(|_| ()).unwrap_err();
    assert!(error.contains("whose axis goes from 170 to 240"), "{error}");
    let with = scene().desktop();
    let without = super::scene::scene(&penguins().grouped("species")).desktop();
    let points = |plan| super::scene::points(plan, "marks.volume");
    assert_eq!(points(&with), points(&without));
}

/// A plan that says everything it must, with one thing changed in every variant.
fn spoiled(change: impl Fn(&mut Vec<crate::wire::v1::Element>)) -> Result<(), PlanError> {
    let mut plan = scene().plan();
    for variant in &mut plan.variants {
        change(&mut variant.backend.elements);
        let count = variant.backend.elements.len();
        variant.element_count = identity::SafeInteger::try_from(count).unwrap();
        variant.backend_digest = identity::canonical::digest(&variant.backend).unwrap();
        let drawn: Vec<&str> = variant
            .backend
            .elements
            .iter()
            .map(|one| one.id.as_str())
            .collect();
        let name = &variant.name;
        plan.conjecture_index
            .retain(|entry| entry.variant != *name || drawn.contains(&entry.element_id.as_str()));
    }
    plan.check()
}

#[test]
fn a_plan_without_the_mark_is_no_plan() {
    assert!(spoiled(|_| ()).is_ok(), "the control");
    let gone = |id: &'static str| spoiled(move |elements| elements.retain(|one| one.id != id));
    let error = gone("conjecture.divide.label").unwrap_err();
    assert!(error.to_string().contains("words beside it"), "{error}");
    assert_eq!(error.refusal().reason(), Reason::ObligationWeakened);
    assert_eq!(error.refusal().policy(), Some(marking::RULE));
    let board = spoiled(|elements| {
        elements.retain(|one| {
            Label::read(one).map_or(true, |label| {
                !label.text.starts_with("Conjecture, not evidence: a Gentoo")
            })
        });
    });
    assert!(
        board
            .unwrap_err()
            .to_string()
            .contains("a line on the caveat board")
    );
    let shape = spoiled(|elements| elements.retain(|one| !one.id.starts_with("conjecture.divide.wall")));
    assert!(shape.unwrap_err().to_string().contains("a shape of its own"));
    let said = |from: &'static str, to: &'static str| {
        spoiled(move |elements| {
            for element in elements
                .iter_mut()
                .filter(|one| one.id == "conjecture.divide.label")
            {
                let mut label = Label::read(element).unwrap();
                label.text = label.text.replace(from, to);
                element.parameters = label.write("x", "x").unwrap().parameters;
            }
        })
    };
    assert!(
        said("divide", "border").is_ok(),
        "the words after the mark are the author's"
    );
    assert!(said("Conjecture:", "Finding:").is_err());
    assert!(said("hypothesized", "imputed").is_err());
    assert!(said("hypothesized", "hypothesizedly").is_err());
}

#[test]
fn conjecture_looks_like_no_data_and_data_like_no_conjecture() {
    let plan = scene().desktop();
    let mut marked = find(&plan, "conjecture.well-fed.volume").clone();
    assert!(element::read(&marked).is_ok());
    marked.supposed = None;
    assert!(
        element::read(&marked).is_err(),
        "its shape, and it supposes nothing"
    );
    let mut posing = find(&plan, "conjecture.well-fed.volume").clone();
    posing.parameters.insert(
        "shape".to_owned(),
        crate::wire::v1::Scalar::Text("circle".to_owned()),
    );
    assert!(
        element::read(&posing).is_err(),
        "a row's shape, and it is supposed"
    );
    let mut data = find(&plan, "legend.0.glyph").clone();
    data.parameters.insert(
        "shape".to_owned(),
        crate::wire::v1::Scalar::Text("crossed_diamond".to_owned()),
    );
    assert!(element::read(&data).is_err());
    let mut rows = find(&plan, "marks.volume").clone();
    rows.parameters.insert(
        "group.0.shape".to_owned(),
        crate::wire::v1::Scalar::Text("crossed_diamond".to_owned()),
    );
    assert!(element::read(&rows).is_err());
    let mut both = find(&plan, "conjecture.well-fed.volume").clone();
    both.semantic_node_id = find(&plan, "marks.volume").semantic_node_id;
    assert!(element::read(&both).is_err(), "data and conjecture at once");
    let mut line = find(&plan, "axis.x.line").clone();
    line.parameters.insert(
        "ink".to_owned(),
        crate::wire::v1::Scalar::Text("conjecture".to_owned()),
    );
    assert!(element::read(&line).is_err());
}

#[test]
fn the_index_of_conjecture_is_total_and_exact() {
    let check = |change: fn(&mut PlanBody)| {
        let mut plan = scene().plan();
        change(&mut plan);
        plan.check()
    };
    assert!(check(|_| ()).is_ok(), "the control");
    assert!(matches!(
        check(|plan| {
            plan.conjecture_index.pop();
        }),
        Err(PlanError::Unexplained { .. })
    ));
    assert!(matches!(
        check(|plan| plan.conjecture_index[0].property_path = "label".to_owned()),
        Err(PlanError::Misexplained { .. })
    ));
    assert!(matches!(
        check(|plan| {
            let mut stray = plan.conjecture_index[0].clone();
            stray.property = "area".to_owned();
            plan.conjecture_index.push(stray);
            plan.conjecture_index.sort();
        }),
        Err(PlanError::Misexplained { .. })
    ));
    let plan = scene().plan();
    assert!(
        plan.explanation_index
            .iter()
            .all(|entry| !entry.element_id.starts_with("conjecture"))
    );
    let desktop = &plan
        .variants
        .iter()
        .find(|one| one.device == DeviceClass::DesktopMonitor)
        .unwrap()
        .backend;
    let supposed = typed(desktop)
        .into_iter()
        .filter(|(id, _)| id.starts_with("conjecture."));
    let shown: Vec<String> = supposed
        .filter(|(_, typed)| !matches!(typed, Typed::Trajectory(line) if line.ink == LineInk::Axis))
        .map(|(id, _)| id)
        .collect();
    assert!(
        shown
            .iter()
            .all(|id| plan.conjecture_index.iter().any(|entry| entry.element_id == *id))
    );
}
