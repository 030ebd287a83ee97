//! From elements to numbers: positions as the plan says them, looks, headings, missing rows.

use std::collections::BTreeMap;

use identity::{Digest, Fingerprint, Identity, SafeInteger};
use kernels::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use plan::element::{
    Align, AxisPlace, Facing, Group, Groups, Label, LabelInk, LineInk, Look, Points, Shape, Surface,
    SurfaceInk, Trajectory, VAlign,
};
use plan::wire::v1::{Element, SpatialPlan};
use representation::TransformKind;

use crate::StageError;
use crate::read::scene;
use crate::scene::Scene;
use crate::text::Typeface;
use crate::theme::Ink;

fn leaf() -> Columns {
    let numbers = |name: &str, values: &[f64]| LeafColumn::new(name, LeafValues::Numbers(values.to_vec()));
    Columns::new(
        RowKeys::Ordinals(vec![2, 3, 7]),
        vec![
            numbers("height", &[10.0, 15.0, 20.0]),
            numbers("width", &[0.0, 4.0, 1.0]),
            numbers("mass", &[100.0, 300.0, 200.0]),
            LeafColumn::new(
                "kind",
                LeafValues::Categories {
                    labels: vec!["bell".to_owned(), "star".to_owned()],
                    codes: vec![1, 0, 1],
                },
            ),
        ],
    )
    .unwrap()
}

fn axis(column: &str, min: f64, max: f64) -> AxisPlace {
    let scale = TransformKind::named("linear")
        .unwrap()
        .scale(min, max, -0.6, 0.6)
        .unwrap();
    AxisPlace::Column {
        column: column.to_owned(),
        scale,
        from: -0.6,
        to: 0.6,
    }
}

fn points(z: AxisPlace) -> Points {
    let look = |color, shape| Look { color, shape };
    Points {
        leaf: leaf().digest(),
        rows: None,
        axes: [axis("height", 10.0, 20.0), axis("width", 0.0, 4.0), z],
        diameter: 0.02,
        opacity: 0.5,
        groups: Groups::By {
            column: "kind".to_owned(),
            groups: vec![
                Group {
                    label: "bell".to_owned(),
                    look: look([1, 2, 3], Shape::Circle),
                },
                Group {
                    label: "star".to_owned(),
                    look: look([4, 5, 6], Shape::Triangle),
                },
            ],
        },
    }
}

fn read(elements: Vec<Element>, leaves: &[Columns]) -> Result<Scene, StageError> {
    let backend = SpatialPlan {
        schema_version: SafeInteger::from(1),
        dataset_fingerprint: Fingerprint::parse(&"0".repeat(64)).unwrap(),
        graph_id: Identity::parse(&format!("representation-graph-v2:{}", "0".repeat(64))).unwrap(),
        elements,
    };
    let leaves: BTreeMap<Digest, Columns> = leaves.iter().map(|leaf| (leaf.digest(), leaf.clone())).collect();
    scene(&backend, &leaves, &mut Typeface::bundled().unwrap())
}

#[test]
fn marks_stand_where_the_plan_places_them_under_their_row_keys() {
    let points = points(axis("mass", 100.0, 300.0));
    let scene = read(vec![points.write("marks", "marks.volume").unwrap()], &[leaf()]).unwrap();
    let set = &scene.sets[0];
    assert_eq!(set.element, "marks");
    assert_eq!(
        set.keys.iter().map(|key| &**key).collect::<Vec<_>>(),
        ["row:2", "row:3", "row:7"]
    );
    for (row, mark) in set.marks.iter().enumerate() {
        let place = points.place(&leaf(), row).unwrap();
        for (drawn, placed) in mark.position.iter().zip(place) {
            assert!((f64::from(*drawn) - placed).abs() < 1e-6);
        }
    }
    let looks: Vec<[u8; 4]> = set.marks.iter().map(|mark| mark.look.to_le_bytes()).collect();
    assert_eq!(looks, [[4, 5, 6, 1], [1, 2, 3, 0], [4, 5, 6, 1]]);
    assert_eq!(scene.volume.map(|(low, high)| (low.x, high.z)), Some((-0.6, 0.6)));
    const { assert!(crate::BYTES_PER_MARK <= 24) };
}

#[test]
fn marks_with_a_fixed_coordinate_lie_on_its_wall_and_fill_no_space() {
    let wall = points(AxisPlace::Fixed(-0.6))
        .write("wall", "marks.wall_xy")
        .unwrap();
    let scene = read(vec![wall], &[leaf()]).unwrap();
    let plane = scene.sets[0].plane.unwrap();
    assert_eq!((plane.u.x, plane.v.y), (1.0, 1.0));
    assert!(scene.sets[0].marks.iter().all(|mark| mark.position[2] == -0.6));
    assert!(scene.volume.is_none());
}

#[test]
fn rows_that_were_not_given_are_an_error_that_names_element_and_leaf() {
    let element = || {
        points(axis("mass", 100.0, 300.0))
            .write("marks", "marks.volume")
            .unwrap()
    };
    match read(vec![element()], &[]) {
        Err(StageError::LeafMissing {
            element,
            leaf: missing,
        }) => {
            assert_eq!(
                (element.as_str(), missing),
                ("marks", leaf().digest().to_string())
            );
        }
        other => panic!("{other:?}"),
    }
    assert!(read(vec![element()], &[leaf()]).is_ok());
}

#[test]
fn a_parameter_that_is_not_there_is_an_error_that_names_it() {
    let mut element = points(axis("mass", 100.0, 300.0))
        .write("marks", "marks.volume")
        .unwrap();
    element.parameters.remove("diameter");
    let error = read(vec![element], &[leaf()]).unwrap_err();
    assert!(
        matches!(&error, StageError::Element { element, .. } if element == "marks"),
        "{error}"
    );
    assert!(error.to_string().contains("diameter"), "{error}");
}

#[test]
fn lines_walls_and_letters_keep_their_inks_and_the_tallest_text_is_the_heading() {
    let text = |text: &str, cap_height| Label {
        text: text.to_owned(),
        at: [0.0, 1.3, 0.0],
        cap_height,
        align: Align::Start,
        valign: VAlign::Bottom,
        facing: Facing::Viewer,
        ink: LabelInk::Caveat,
        wrap_width: None,
        along: None,
    };
    let line = Trajectory {
        from: [0.0; 3],
        to: [1.0, 0.0, 0.0],
        width: 0.002,
        ink: LineInk::Grid,
        level: None,
    };
    let wall = Surface {
        origin: [0.0; 3],
        u: [1.0, 0.0, 0.0],
        v: [0.0, 1.0, 0.0],
        ink: SurfaceInk::Wall,
    };
    let both = |title: f64| {
        read(
            vec![
                line.write("line", "axis").unwrap(),
                wall.write("wall", "axis").unwrap(),
                text("HI", title).write("title", "title").unwrap(),
                text("HI", 0.036).write("tick", "axis").unwrap(),
            ],
            &[],
        )
        .unwrap()
    };
    let scene = both(0.05);
    assert_eq!(
        (scene.lines[0].ink, scene.surfaces[0].ink),
        (Ink::Grid as u32, Ink::Wall as u32)
    );
    assert_eq!(scene.letters.len(), 4);
    assert!(
        scene
            .letters
            .iter()
            .all(|letter| letter.style == Ink::Caveat as u32)
    );
    assert_ne!(
        scene.letters[0].texels, scene.letters[2].texels,
        "another weight, another glyph"
    );
    let level = both(0.036);
    assert_eq!(
        level.letters[0].texels, level.letters[2].texels,
        "without smaller text there is no heading"
    );
}
