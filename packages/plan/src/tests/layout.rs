//! What a variant holds over real rows: marks where their values say, words that say what must be said, budgets kept.

use std::collections::BTreeSet;

use dataset::{ColumnKind, Declaration};
use identity::{Finite, SafeInteger};
use investigation::EpistemicPurpose;
use knowledge::wire::v1::DeviceClass;
use refusal::Reason;
use representation::wire::v2::{Channel, Domain, Range};
use representation::{ScatterStereo, volume};
use snapshot::wire::v1::State;

use super::fixture::{ask, penguins};
use super::scene::{DEVICES, capability, elsewhere, find, labels, points, scene, scene_by, typed};
use crate::element::{AxisPlace, Groups, Typed};
use crate::layout::words;
use crate::wire::v1::{ElementKind, Scalar};
use crate::{Camera, PlanError, layout};

#[test]
fn every_used_row_is_a_mark_at_the_place_its_values_say() {
    let scene = scene(&penguins());
    let plan = scene.desktop();
    let (_, leaf) = scene.road.leaf();
    let volume_marks = points(&plan, "marks.volume");
    let placer = volume_marks.over(leaf).unwrap();
    assert_eq!(placer.n_rows(), 342);
    let columns = ["flipper_length_mm", "body_mass_g", "bill_length_mm"];
    let values = columns.map(|column| leaf.number(column).unwrap());
    let ends = [
        (170.0, 240.0, -0.6, 0.6),
        (2500.0, 6500.0, 0.0, 1.2),
        (30.0, 60.0, -0.6, 0.6),
    ];
    let [xs, ys, zs] = values;
    for (row, ((x, y), z)) in xs.iter().zip(ys).zip(zs).enumerate() {
        let values = [x, y, z];
        let place = placer.place(row).unwrap();
        assert_eq!(place, volume_marks.place(leaf, row).unwrap());
        for (axis, (min, max, from, to)) in ends.into_iter().enumerate() {
            let expected = from + (to - from) * (values[axis] - min) / (max - min);
            assert!((place[axis] - expected).abs() < 1e-12, "row {row}");
        }
        let back = points(&plan, "marks.wall_xy").place(leaf, row).unwrap();
        let floor = points(&plan, "marks.wall_xz").place(leaf, row).unwrap();
        let side = points(&plan, "marks.wall_zy").place(leaf, row).unwrap();
        assert_eq!((back[0], back[1]), (place[0], place[1]));
        assert_eq!((floor[0], floor[2]), (place[0], place[2]));
        assert_eq!((side[1], side[2]), (place[1], place[2]));
        assert!(back[2] > volume::Z_MIN && back[2] < volume::Z_MIN + 0.01);
        assert!(floor[1] > volume::Y_MIN && side[0] > volume::X_MIN);
    }
    assert!(matches!(
        placer.place(342),
        Err(PlanError::NoSuchRow {
            row_idx: 342,
            n_rows: 342
        })
    ));
}

#[test]
fn groups_look_the_same_in_the_volume_on_the_walls_and_in_the_legend() {
    let scene = scene(&penguins().grouped("species"));
    let plan = scene.desktop();
    let (_, leaf) = scene.road.leaf();
    let (names, codes) = leaf.categories("species").unwrap();
    let marks = points(&plan, "marks.volume");
    let Groups::By { groups, .. } = &marks.groups else {
        panic!("no groups")
    };
    for wall in ["marks.wall_xy", "marks.wall_xz", "marks.wall_zy"] {
        assert_eq!(points(&plan, wall).groups, marks.groups);
    }
    let placer = marks.over(leaf).unwrap();
    for row in 0..leaf.n_rows() {
        assert_eq!(
            groups[placer.group(row).unwrap()].label,
            names[codes[row] as usize]
        );
    }
    assert!(placer.group(342).is_err());
    let texts = labels(&plan);
    for (at, group) in groups.iter().enumerate() {
        let Some(Typed::Glyph(glyph)) = typed(&plan)
            .into_iter()
            .find(|(id, _)| *id == format!("legend.{at}.glyph"))
            .map(|(_, typed)| typed)
        else {
            panic!("no glyph")
        };
        assert_eq!((glyph.color, glyph.shape), (group.look.color, group.look.shape));
        assert_eq!(texts[&format!("legend.{at}.label")].text, group.label);
        assert_eq!(marks.look(at), Some(group.look));
    }
    assert_eq!(marks.look(3), None);
    let shapes: BTreeSet<_> = groups.iter().map(|group| group.look.shape).collect();
    assert_eq!(shapes.len(), 3);
}

#[test]
fn axes_name_their_variable_unit_and_round_values() {
    let plan = scene(&penguins()).desktop();
    let texts = labels(&plan);
    assert_eq!(texts["axis.x.title"].text, "flipper_length (mm)");
    assert_eq!(texts["axis.y.title"].text, "body_mass (g)");
    assert_eq!(texts["axis.z.title"].text, "bill_length (mm)");
    for (axis, expected) in [
        ("x", vec!["170", "180", "190", "200", "210", "220", "230", "240"]),
        (
            "y",
            vec![
                "2500", "3000", "3500", "4000", "4500", "5000", "5500", "6000", "6500",
            ],
        ),
        ("z", vec!["30", "35", "40", "45", "50", "55", "60"]),
    ] {
        let prefix = format!("axis.{axis}.tick.");
        let mut found: Vec<(f64, &str)> = texts
            .iter()
            .filter(|(id, _)| id.starts_with(&prefix))
            .map(|(_, label)| (label.at["xyz".find(axis).unwrap()], label.text.as_str()))
            .collect();
        found.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
        let said: Vec<&str> = found.iter().map(|(_, text)| *text).collect();
        assert_eq!(said, expected);
    }
    assert_eq!(texts["title"].text, "Does flipper length separate the species?");
}

/// A tick label stands where a mark of that value stands.
#[test]
fn tick_labels_grid_lines_and_marks_share_one_scale() {
    let plan = scene(&penguins()).desktop();
    let marks = points(&plan, "marks.volume");
    let texts = labels(&plan);
    let lines = typed(&plan);
    for (at, name) in ["x", "y", "z"].iter().enumerate() {
        let AxisPlace::Column { scale, .. } = &marks.axes[at] else {
            panic!("{name}")
        };
        for (id, label) in texts
            .iter()
            .filter(|(id, _)| id.starts_with(&format!("axis.{name}.tick.")))
        {
            let value: f64 = label.text.parse().unwrap();
            let place = scale.apply(value).unwrap();
            assert!((label.at[at] - place).abs() < 0.02, "{id}");
            let drawn = lines.iter().any(|(line_id, line)| match line {
                Typed::Trajectory(line) => {
                    line_id.starts_with("grid.") && (line.from[at] - place).abs() < 1e-12
                }
                _ => false,
            });
            assert!(drawn, "{id} has no grid line");
        }
    }
}

#[test]
fn the_board_says_support_missing_rows_exactness_limits_and_how_to_read() {
    let scene = scene(&penguins());
    let texts = labels(&scene.desktop());
    let said: Vec<&str> = texts
        .iter()
        .filter(|(id, _)| id.starts_with("caveats."))
        .map(|(_, label)| label.text.as_str())
        .collect();
    assert_eq!(said[0], "342 of 344 rows shown");
    assert!(said[1].starts_with("2 rows excluded: missing "), "{}", said[1]);
    for column in ["flipper_length_mm", "body_mass_g", "bill_length_mm"] {
        assert!(said[1].contains(column));
    }
    assert!(said[2].starts_with("every used row is drawn, nothing is sampled"));
    assert!(
        said.iter()
            .any(|text| text.contains("mm of flipper_length_mm") && text.contains("not confirmed"))
    );
    assert!(said.contains(&"on a monitor read values on the walls; depth in the volume makes no claim"));
    assert!(said.contains(&"select a mark to read its row (EXPLAIN)"));
    for limitation in &scene.road.snapshot.body().limitations {
        let rows = scene.road.leaf().0;
        let source = snapshot::source(&scene.road.snapshot, limitation.source_id).unwrap();
        if source.leaf_ref == Some(rows) {
            assert!(
                said.iter().any(|text| text.contains(&limitation.description)),
                "{}",
                limitation.code
            );
        }
    }
}

#[test]
fn boards_of_other_devices_purposes_and_recipes_say_what_is_true_there() {
    let board = |plan: &crate::wire::v1::SpatialPlan| {
        let said: Vec<String> = labels(plan).into_values().map(|label| label.text).collect();
        said.join("\n")
    };
    let depth = "on a monitor";
    let asked = scene(&penguins());
    assert!(board(&asked.desktop()).contains(depth));
    let headset = asked.lay(&capability(DeviceClass::PcvrHeadset)).unwrap();
    assert!(!board(&headset).contains(depth));
    assert!(board(&headset).contains("the volume itself makes no claim"));
    let mut exploring = penguins();
    exploring.purpose = EpistemicPurpose::ExploratoryAbduction;
    let exploring = board(&scene(&exploring).desktop());
    assert!(exploring.contains("exploratory") && !board(&asked.desktop()).contains("exploratory"));
    let study = board(&scene_by(&ScatterStereo, &penguins()).desktop());
    assert!(study.contains("read in depth here") && !study.contains(depth));
    let mut absent = penguins();
    let request = kernels::wire::v1::Request::Rows {
        columns: vec!["year".to_owned()],
    };
    absent.absent = vec![(
        request,
        State::Unavailable {
            reason: "nobody ran it".to_owned(),
        },
    )];
    assert!(board(&scene(&absent).desktop()).contains("rows of year asked for, not there: nobody ran it"));
}

#[test]
fn constant_columns_and_tables_without_gaps_are_told() {
    let rows: Vec<String> = (0..10).map(|row| format!("{row},7.5,{}", row * row)).collect();
    let plan = scene(&ask(&format!("a,b,c\n{}\n", rows.join("\n")), ["a", "b", "c"])).desktop();
    let texts = labels(&plan);
    assert!(
        texts
            .values()
            .any(|label| label.text.starts_with("b: every row has the same value"))
    );
    assert!(
        texts
            .values()
            .any(|label| label.text == "0 rows excluded: no value is missing")
    );
    assert_eq!(texts["axis.y.title"].text, "b (no unit stated)");
    let marks = points(&plan, "marks.volume");
    assert!(matches!(marks.axes[1], AxisPlace::Column { .. }));
    let control = labels(&scene(&penguins()).desktop());
    assert!(control.values().all(|label| !label.text.contains("same value")));
}

/// Without walls there is nothing to read against but the frame: all twelve edges, no grid.
#[test]
fn the_study_treatment_has_no_walls() {
    let plan = scene_by(&ScatterStereo, &penguins()).desktop();
    let ids: Vec<&str> = plan.elements.iter().map(|element| element.id.as_str()).collect();
    assert!(
        ids.iter()
            .all(|id| !id.starts_with("wall.") && !id.starts_with("grid.") && !id.starts_with("marks.wall"))
    );
    assert_eq!(ids.iter().filter(|id| id.starts_with("frame.")).count(), 12);
    let walled = scene(&penguins()).desktop();
    let count = |prefix: &str| {
        walled
            .elements
            .iter()
            .filter(|element| element.id.starts_with(prefix))
            .count()
    };
    assert_eq!((count("frame."), count("wall.")), (9, 3));
}

#[test]
fn the_same_inputs_give_the_same_elements_and_devices_differ_only_in_words() {
    let scene = scene(&penguins().grouped("species"));
    for device in DEVICES {
        let (one, two) = (
            scene.lay(&capability(device)).unwrap(),
            scene.lay(&capability(device)).unwrap(),
        );
        assert_eq!(
            identity::canonical::to_vec(&one).unwrap(),
            identity::canonical::to_vec(&two).unwrap()
        );
        assert_eq!(
            points(&one, "marks.volume"),
            points(&scene.desktop(), "marks.volume")
        );
        let ids: BTreeSet<&str> = one.elements.iter().map(|element| element.id.as_str()).collect();
        assert_eq!(ids.len(), one.elements.len());
        assert!(
            one.elements
                .iter()
                .all(|element| element.parameters.len() <= crate::MOST_PARAMETERS)
        );
    }
}

#[test]
fn budgets_channels_and_letters_of_the_device_are_kept() {
    let scene = scene(&penguins());
    let with = |change: fn(&mut knowledge::wire::v1::DeviceCapability)| {
        let mut device = capability(DeviceClass::DesktopMonitor);
        change(&mut device);
        scene.lay(&device)
    };
    assert!(with(|_| ()).is_ok());
    let marks = with(|device| device.max_marks = SafeInteger::from(4 * 342 - 1)).unwrap_err();
    assert!(matches!(
        marks,
        PlanError::OverBudget {
            what: "marks",
            needed: 1368,
            most: 1367,
            ..
        }
    ));
    assert_eq!(marks.refusal().reason(), Reason::OverBudget);
    assert!(with(|device| device.max_marks = SafeInteger::from(4 * 342)).is_ok());
    let bytes = with(|device| device.max_bytes = SafeInteger::from(4 * 342 * 32 - 1)).unwrap_err();
    assert!(matches!(
        bytes,
        PlanError::OverBudget {
            what: "bytes of marks",
            ..
        }
    ));
    let elements = with(|device| device.max_elements = SafeInteger::from(40)).unwrap_err();
    assert!(matches!(elements, PlanError::OverBudget { what: "elements", .. }));
    let channel =
        with(|device| device.channels.retain(|channel| *channel != Channel::PositionZ)).unwrap_err();
    assert!(matches!(
        channel,
        PlanError::DeviceLacksChannel {
            channel: Channel::PositionZ,
            ..
        }
    ));
    assert_eq!(channel.refusal().reason(), Reason::DeviceLacksChannel);
    let small = with(|device| device.min_cap_height = Finite::new(0.05).unwrap()).unwrap_err();
    assert!(matches!(small, PlanError::TooSmall { .. }));
    assert_eq!(small.refusal().reason(), Reason::AccessibilityUnmet);
}

/// A value outside the domain of a binding is refused; it is never moved to the edge.
#[test]
fn values_outside_a_domain_are_refused() {
    let scene = scene(&penguins());
    let narrowed = |max: f64| {
        let graph = scene.regraph(|body| {
            for binding in &mut body.bindings {
                if let Domain::Interval { max: end, .. } = &mut binding.record.domain
                    && binding.record.unit.as_deref() == Some("g")
                {
                    *end = Finite::new(max).unwrap();
                }
            }
        });
        scene.lay_graph(&graph, &capability(DeviceClass::DesktopMonitor))
    };
    assert!(narrowed(6300.0).is_ok());
    let refused = narrowed(6299.0).unwrap_err();
    assert!(matches!(&refused, PlanError::Transform { column, .. } if column == "body_mass_g"));
    assert_eq!(refused.refusal().reason(), Reason::OutsideDomain);
}

#[test]
fn one_axis_has_one_scale() {
    let scene = scene(&penguins());
    let changed = |primitive: &'static str, max: f64| {
        let graph = scene.regraph(|body| {
            for binding in &mut body.bindings {
                if let Domain::Interval { max: end, .. } = &mut binding.record.domain
                    && binding.record.primitive_id == primitive
                    && binding.record.unit.as_deref() == Some("g")
                {
                    *end = Finite::new(max).unwrap();
                }
            }
        });
        scene.lay_graph(&graph, &capability(DeviceClass::DesktopMonitor))
    };
    assert!(changed("marks.wall_xy", 6500.0).is_ok());
    assert!(matches!(
        changed("marks.wall_xy", 7000.0),
        Err(PlanError::AxesDisagree { axis: "y" })
    ));
    assert!(matches!(
        changed("axis.y", 7000.0),
        Err(PlanError::AxesDisagree { axis: "y" })
    ));
}

#[test]
fn an_axis_stays_in_the_volume_and_a_wall_is_flat() {
    let scene = scene(&penguins());
    let graph = scene.regraph(|body| {
        for binding in &mut body.bindings {
            if let Range::Meters { to, .. } = &mut binding.record.range
                && binding.record.channel == Channel::PositionX
            {
                *to = Finite::new(0.9).unwrap();
            }
        }
    });
    let device = capability(DeviceClass::DesktopMonitor);
    assert!(matches!(
        scene.lay_graph(&graph, &device),
        Err(PlanError::Unsupported { .. })
    ));
    let unbound = scene.regraph(|body| {
        body.bindings.retain(|binding| {
            binding.record.primitive_id != "marks.volume" || binding.record.channel != Channel::PositionZ
        });
    });
    assert!(matches!(
        scene.lay_graph(&unbound, &device),
        Err(PlanError::Unbound {
            channel: Channel::PositionZ,
            ..
        })
    ));
    let same = scene.regraph(|_| ());
    assert_eq!(scene.lay_graph(&same, &device).unwrap(), scene.desktop());
}

/// What must be said never shrinks to fit: a board that cannot hold it refuses the variant.
#[test]
fn a_board_that_cannot_hold_its_caveats_refuses() {
    let scene = scene(&penguins());
    let lettered = |cap: f64| {
        let graph = scene.regraph(|body| {
            for binding in &mut body.bindings {
                if let Range::Text { cap_height } = &mut binding.record.range {
                    *cap_height = Finite::new(cap).unwrap();
                }
            }
        });
        scene.lay_graph(&graph, &capability(DeviceClass::DesktopMonitor))
    };
    assert!(lettered(0.04).is_ok());
    let full = lettered(0.08).unwrap_err();
    assert!(
        matches!(full, PlanError::BoardFull { needed, most } if needed > most),
        "{full}"
    );
    assert_eq!(full.refusal().reason(), Reason::AccessibilityUnmet);
}

#[test]
fn rows_of_another_digest_are_not_the_graphs_rows() {
    let scene = scene(&penguins());
    let (leaf_digest, leaf) = scene.road.leaf();
    let device = capability(DeviceClass::DesktopMonitor);
    let inputs = |leaf_digest| layout::Inputs {
        graph: &scene.graph,
        snapshot: &scene.road.snapshot,
        context: &scene.road.context,
        leaf_digest,
        leaf,
        links: None,
        proposals: &[],
        device: &device,
    };
    assert!(layout::variant(&inputs(leaf_digest)).is_ok());
    assert!(matches!(
        layout::variant(&inputs(elsewhere())),
        Err(PlanError::NotInSnapshot(_))
    ));
}

#[test]
fn many_rows_make_smaller_marks_and_every_row_is_still_drawn() {
    let rows: Vec<String> = (0..2000)
        .map(|row| format!("{row},{},{}", row * 7 % 1999, row % 97))
        .collect();
    let scene = scene(&ask(&format!("a,b,c\n{}\n", rows.join("\n")), ["a", "b", "c"]));
    let marks = points(&scene.desktop(), "marks.volume");
    assert_eq!(marks.over(scene.road.leaf().1).unwrap().n_rows(), 2000);
    let few = points(&super::scene::scene(&penguins()).desktop(), "marks.volume");
    assert!(marks.diameter < few.diameter);
    assert!(points(&scene.desktop(), "marks.wall_xz").diameter < marks.diameter);
}

#[test]
fn names_are_elided_in_the_middle_and_units_move_into_parentheses() {
    assert_eq!(words::elide("short", 48), "short");
    let long = format!("{}{}", "a".repeat(40), "z".repeat(40));
    let elided = words::elide(&long, 48);
    assert_eq!(elided.chars().count(), 48);
    assert!(elided.starts_with("aaa") && elided.ends_with("zzz") && elided.contains('…'));
    for (label, unit, expected) in [
        ("flipper_length_mm", Some("mm"), "flipper_length (mm)"),
        ("Body Mass (g)", Some("g"), "Body Mass (g)"),
        ("mass [kg]", Some("kg"), "mass (kg)"),
        ("mass", Some("kg"), "mass (kg)"),
        ("mm", Some("mm"), "mm (mm)"),
        ("_mm", Some("mm"), "_mm (mm)"),
        ("fertility", None, "fertility (no unit stated)"),
    ] {
        assert_eq!(words::axis_title(label, unit), expected);
    }
    assert_eq!(words::cut("one two three four", 10), "one two…");
    assert_eq!(words::cut("one two", 10), "one two");
}

#[test]
fn room_is_reckoned_in_lines_that_fit() {
    let cap = 0.037;
    let wrap = 0.5;
    for text in [
        "a few words that take several lines of a narrow board",
        &"x".repeat(70),
        "short",
        "ひらがな ばかり の とても ながい ぶんしょう です",
    ] {
        let lines = words::lines(text, cap, wrap);
        assert!(
            lines.iter().all(|line| words::width(line, cap) <= wrap),
            "{lines:?}"
        );
        let joined: String = lines.concat().chars().filter(|c| *c != ' ').collect();
        let plain: String = text.chars().filter(|c| *c != ' ').collect();
        assert_eq!(joined, plain);
    }
    assert!(words::lines("a few words that take several lines", cap, wrap).len() > 1);
    assert_eq!(words::lines("short", cap, wrap).len(), 1);
}

#[test]
fn cameras_see_what_they_are_named_for() {
    let mid = |camera: Camera, point| camera.project(point, 1280.0, 720.0).unwrap();
    for device in DEVICES {
        let home = Camera::home(device);
        let target = mid(home, home.target);
        assert!((target.x - 640.0).abs() < 1e-6 && (target.y - 360.0).abs() < 1e-6);
        assert!(home.project([2.0, 2.0, 9.0], 1280.0, 720.0).is_none());
        assert_eq!(Camera::named("home", device), Some(home));
    }
    let (low, high) = (
        mid(Camera::front(), [-0.5, 0.1, -0.6]),
        mid(Camera::front(), [0.5, 1.0, -0.6]),
    );
    assert!(low.x < high.x && low.y > high.y);
    let (near, far) = (
        mid(Camera::top(), [0.0, 0.0, 0.5]),
        mid(Camera::top(), [0.0, 0.0, -0.5]),
    );
    assert!(near.y > far.y && (near.x - far.x).abs() < 1.0);
    let (front, back) = (
        mid(Camera::side(), [-0.6, 0.5, 0.5]),
        mid(Camera::side(), [-0.6, 0.5, -0.5]),
    );
    assert!(front.x < back.x && (front.y - back.y).abs() < 1.0);
    assert!(Camera::side().angle_to_axis(0) < 1.0 && Camera::home(DEVICES[0]).angle_to_axis(0) > 20.0);
    let narrow = Camera::front().fov_for(1.0);
    assert!(narrow > Camera::front().fov_y_deg && Camera::front().fov_for(2.5) == Camera::front().fov_y_deg);
    assert_eq!(Camera::named("below", DEVICES[0]), None);
}

/// Data-bearing labels name the node they are about; decoration names none.
#[test]
fn labels_name_what_they_are_about() {
    let scene = scene(&penguins().grouped("species"));
    let plan = scene.desktop();
    for id in [
        "axis.x.title",
        "axis.y.tick.0",
        "caveats.0",
        "legend.heading",
        "legend.0.label",
        "legend.0.glyph",
    ] {
        assert!(find(&plan, id).semantic_node_id.is_some(), "{id}");
    }
    for id in ["title", "wall.xy", "frame.0", "axis.x.line"] {
        assert!(find(&plan, id).semantic_node_id.is_none(), "{id}");
    }
    let node = find(&plan, "caveats.1").semantic_node_id.unwrap();
    assert_eq!(
        snapshot::node(&scene.road.snapshot, node).unwrap().property_path,
        "rowsExcluded"
    );
    assert!(
        plan.elements
            .iter()
            .all(|element| element.primitive != ElementKind::Points
                || matches!(element.parameters.get("leaf"), Some(Scalar::Text(_))))
    );
    let declared = Declaration::of("species").kind(ColumnKind::Categorical);
    let mut again = penguins().grouped("species");
    again.declarations = vec![declared];
    assert!(labels(&super::scene::scene(&again).desktop()).contains_key("legend.2.label"));
}
