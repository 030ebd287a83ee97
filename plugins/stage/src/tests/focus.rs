//! What is in focus, told by row key: in every element, in any order of marks, across views.

use std::collections::BTreeSet;

use bevy::prelude::*;
use proptest::prelude::*;

use super::{marks, scene};
use crate::embodiment::Embodiment;
use crate::scene::{MarkSet, Plane, Scene};
use crate::states::{HIDDEN, HOVERED, SELECTED};
use crate::{Aim, Brush, Emphasis, Focus, How, OrbitCamera, Picking, Selection, StagePlugin};

const WALL: Plane = Plane {
    u: Vec3::X,
    v: Vec3::Y,
};

/// An app without a renderer that shows a view.
fn app(sets: Vec<MarkSet>) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin));
    app.add_plugins(StagePlugin::new().unwrap());
    swap(&mut app, 1, sets);
    app.update();
    app
}

/// Shows another view in place of the one that is shown.
fn swap(app: &mut App, number: u64, sets: Vec<MarkSet>) {
    let world = app.world_mut();
    let old: Vec<Entity> = world
        .query_filtered::<Entity, With<Embodiment>>()
        .iter(world)
        .collect();
    for root in old {
        world.despawn(root);
    }
    let mut embodiment = Embodiment::over(number, scene(sets));
    embodiment.shown = true;
    world.spawn(embodiment);
}

fn ask(app: &mut App, focus: impl IntoIterator<Item = Focus>) {
    for focus in focus {
        app.world_mut().write_message(focus);
    }
    app.update();
}

fn select(row_key: &str, how: How) -> Focus {
    Focus::Select {
        row_key: row_key.to_owned(),
        how,
    }
}

fn shown(app: &mut App) -> &Embodiment {
    let world = app.world_mut();
    world.query::<&Embodiment>().single(world).unwrap()
}

/// How the marks of a key stand, by element.
fn states(app: &mut App, key: &str) -> Vec<(String, u8)> {
    let embodiment = shown(app);
    let states = embodiment.states.read();
    let mut found = Vec::new();
    for (set, states) in embodiment.scene.sets.iter().zip(states.iter()) {
        for (mark, known) in set.keys.iter().enumerate() {
            if &**known == key {
                found.push((set.element.clone(), states.get(mark)));
            }
        }
    }
    found.sort();
    found
}

fn state(app: &mut App, key: &str) -> u8 {
    let states = states(app, key);
    assert!(
        states.windows(2).all(|pair| pair[0].1 == pair[1].1),
        "linked: {states:?}"
    );
    states.first().unwrap_or_else(|| panic!("{key} is in the view")).1
}

fn selection(app: &App) -> Vec<&str> {
    app.world().resource::<Selection>().row_keys().collect()
}

fn at(x: f32) -> [f32; 3] {
    [x, 0.0, 0.0]
}

/// A volume and a wall that share most rows, in different orders.
fn linked() -> Vec<MarkSet> {
    vec![
        marks(
            "volume",
            None,
            &[("a", at(-0.3), 0), ("b", at(0.0), 0), ("c", at(0.3), 0)],
        ),
        marks(
            "wall",
            Some(WALL),
            &[
                ("c", [0.3, 0.0, -0.6], 0),
                ("b", [0.0, 0.0, -0.6], 0),
                ("d", [-0.4, 0.0, -0.6], 0),
            ],
        ),
    ]
}

#[test]
fn a_row_is_hovered_and_selected_in_every_element_that_shows_it() {
    let mut app = app(linked());
    ask(
        &mut app,
        [Focus::Hover(Some("b".to_owned())), select("c", How::Only)],
    );
    let both = |state| vec![("volume".to_owned(), state), ("wall".to_owned(), state)];
    assert_eq!(states(&mut app, "b"), both(HOVERED));
    assert_eq!(states(&mut app, "c"), both(SELECTED));
    assert_eq!(states(&mut app, "a"), [("volume".to_owned(), 0)]);
    ask(&mut app, [Focus::Hover(Some("c".to_owned()))]);
    assert_eq!(states(&mut app, "b"), both(0), "the pointer left it");
    assert_eq!(states(&mut app, "c"), both(SELECTED | HOVERED));
    ask(&mut app, [Focus::Hover(None), select("c", How::Toggle)]);
    assert_eq!(states(&mut app, "c"), both(0));
}

#[test]
fn a_solid_is_linked_met_brushed_and_hidden_as_a_mark_is() {
    use crate::scene::{Body, Solid, SolidSet};
    let mut app = app(linked());
    let mut with_bar = scene(linked());
    with_bar.solids.push(SolidSet {
        element: "bars".to_owned(),
        body: Body::Boxes,
        solids: vec![Solid {
            a: [0.9, 0.9, -0.1],
            b: [1.1, 1.1, 0.1],
            width: 0.0,
            look: 0,
        }],
        keys: [Box::from("c")].into(),
        opacity: 1.0,
    });
    let mut embodiment = Embodiment::over(9, with_bar);
    embodiment.shown = true;
    let world = app.world_mut();
    let old = world
        .query_filtered::<Entity, With<Embodiment>>()
        .single(world)
        .unwrap();
    world.despawn(old);
    world.spawn(embodiment);
    let bar = |app: &mut App| shown(app).states.read()[2].get(0);
    let met = |app: &mut App| {
        let aim = Aim::along(Ray3d::new(Vec3::new(1.0, 1.0, 3.0), Dir3::NEG_Z), 0.0);
        let shown = shown(app);
        let met = shown.index.meet(&shown.scene, &shown.states.read(), &aim)?;
        Some(shown.scene.keys_of(met.set)[met.mark].to_string())
    };
    ask(&mut app, [select("c", How::Only)]);
    assert_eq!((bar(&mut app), state(&mut app, "c")), (SELECTED, SELECTED));
    assert_eq!(met(&mut app).as_deref(), Some("c"));
    ask(&mut app, [select("a", How::Only), Focus::Isolate]);
    assert_eq!((bar(&mut app), met(&mut app)), (HIDDEN, None));
    let brush = Brush::sphere(Vec3::new(1.0, 1.0, 0.0), 0.2);
    let how = How::Only;
    ask(&mut app, [Focus::ShowAll, Focus::Release]);
    ask(&mut app, [Focus::Brush { brush, how }]);
    assert_eq!(selection(&app), ["c"]);
}

#[test]
fn what_joins_takes_out_toggles_and_replaces() {
    let mut app = app(linked());
    ask(&mut app, [select("c", How::Only), select("a", How::Add)]);
    assert_eq!(selection(&app), ["a", "c"]);
    ask(&mut app, [select("a", How::Toggle), select("d", How::Toggle)]);
    assert_eq!(selection(&app), ["c", "d"]);
    ask(&mut app, [select("c", How::Remove), select("b", How::Remove)]);
    assert_eq!(selection(&app), ["d"]);
    ask(&mut app, [select("b", How::Only)]);
    assert_eq!(selection(&app), ["b"]);
    ask(&mut app, [Focus::Release]);
    assert!(selection(&app).is_empty());
    assert_eq!(state(&mut app, "b"), 0);
}

#[test]
fn isolating_hides_what_is_not_selected_and_hidden_marks_are_not_met() {
    let picked = |app: &mut App, x: f32| {
        use bevy::ecs::system::RunSystemOnce;
        let aim = Aim::along(Ray3d::new(Vec3::new(x, 0.0, 2.0), Dir3::NEG_Z), 0.0);
        let met = app
            .world_mut()
            .run_system_once(move |picking: Picking| picking.pick(&aim));
        met.unwrap()
            .map(|picked| format!("{}/{}", picked.element_id, picked.row_key))
    };
    let mut app = app(linked());
    ask(&mut app, [Focus::Isolate]);
    assert_eq!(
        state(&mut app, "b"),
        0,
        "with nothing selected, nothing is hidden"
    );
    assert_eq!(picked(&mut app, 0.3).as_deref(), Some("volume/c"));
    ask(&mut app, [select("b", How::Only), Focus::Isolate]);
    assert_eq!((state(&mut app, "b"), state(&mut app, "c")), (SELECTED, HIDDEN));
    assert_eq!(
        picked(&mut app, 0.3),
        None,
        "neither in the volume nor on the wall"
    );
    assert_eq!(picked(&mut app, 0.0).as_deref(), Some("volume/b"));
    // Whoever is selected afterwards comes back, and whoever leaves goes.
    ask(&mut app, [select("c", How::Only)]);
    assert_eq!((state(&mut app, "b"), state(&mut app, "c")), (HIDDEN, SELECTED));
    ask(&mut app, [Focus::ShowAll]);
    assert_eq!((state(&mut app, "b"), state(&mut app, "c")), (0, SELECTED));
    ask(&mut app, [Focus::Isolate, select("c", How::Remove)]);
    assert!(!app.world().resource::<Selection>().is_isolated());
    assert_eq!(state(&mut app, "b"), 0, "an empty view says nothing");
}

#[test]
fn a_selection_outlives_the_view_and_counts_what_the_next_lacks() {
    let mut app = app(linked());
    ask(
        &mut app,
        [
            select("a", How::Only),
            select("c", How::Add),
            select("nobody", How::Add),
            Focus::Isolate,
        ],
    );
    let told = |app: &App| {
        let selection = app.world().resource::<Selection>();
        (selection.len(), selection.n_lacking())
    };
    assert_eq!(told(&app), (3, 1));
    // Another order, other instances, one row less, one more.
    swap(
        &mut app,
        2,
        vec![marks(
            "other",
            None,
            &[("e", at(0.1), 0), ("c", at(0.2), 0), ("nobody", at(0.3), 0)],
        )],
    );
    app.update();
    assert_eq!(told(&app), (3, 1));
    assert!(app.world().resource::<Selection>().contains("a"), "kept");
    assert_eq!(
        (
            state(&mut app, "c"),
            state(&mut app, "nobody"),
            state(&mut app, "e")
        ),
        (SELECTED, SELECTED, HIDDEN)
    );
    swap(&mut app, 3, vec![marks("none", None, &[("z", at(0.1), 0)])]);
    app.update();
    assert_eq!(told(&app), (3, 3));
    assert_eq!(
        state(&mut app, "z"),
        0,
        "what would hide everything hides nothing"
    );
    swap(&mut app, 4, linked());
    app.update();
    assert_eq!(told(&app), (3, 1));
    assert_eq!((state(&mut app, "a"), state(&mut app, "b")), (SELECTED, 0));
}

#[test]
fn a_ball_takes_in_the_volume_and_a_wall_only_when_it_is_named() {
    let mut app = app(linked());
    let ball = |x: f32, z: f32| Brush::sphere(Vec3::new(x, 0.0, z), 0.35);
    let brush = |brush, how| Focus::Brush { brush, how };
    ask(&mut app, [brush(ball(0.2, -0.3), How::Only)]);
    assert_eq!(selection(&app), ["c"], "the wall's marks are not meant");
    let named = ball(-0.4, -0.6).of_element("wall");
    ask(&mut app, [brush(named, How::Add)]);
    assert_eq!(selection(&app), ["c", "d"]);
    ask(&mut app, [brush(ball(0.15, 0.0), How::Toggle)]);
    assert_eq!(selection(&app), ["b", "d"]);
    ask(&mut app, [brush(Brush::sphere(Vec3::splat(9.0), 0.1), How::Only)]);
    assert!(selection(&app).is_empty(), "nothing is there");
    let nothing = Brush::sphere(Vec3::ZERO, f32::NAN);
    ask(&mut app, [brush(nothing, How::Add)]);
    assert!(selection(&app).is_empty());
    // What is hidden is not there for a brush.
    ask(&mut app, [select("a", How::Only), Focus::Isolate]);
    ask(&mut app, [brush(Brush::sphere(Vec3::ZERO, 2.0), How::Add)]);
    assert_eq!(selection(&app), ["a"]);
}

#[test]
fn only_what_changed_is_handed_to_the_device() {
    let keys: Vec<String> = (0..1000).map(|row| format!("row:{row}")).collect();
    let many: Vec<(&str, [f32; 3], u32)> = keys.iter().map(|key| (key.as_str(), at(0.0), 0)).collect();
    let mut app = app(vec![marks("volume", None, &many)]);
    let pending = |app: &mut App| {
        let mut told = Vec::new();
        shown(app)
            .states
            .take_pending(|set, offset, bytes| told.push((set, offset, bytes.to_vec())));
        told
    };
    assert!(pending(&mut app).is_empty(), "nothing is in focus");
    ask(&mut app, [Focus::Hover(Some("row:501".to_owned()))]);
    let version = shown(&mut app).states.version();
    assert_eq!(pending(&mut app), [(0, 500, vec![0, HOVERED, 0, 0])]);
    app.update();
    ask(&mut app, [Focus::Hover(Some("row:501".to_owned()))]);
    assert!(pending(&mut app).is_empty(), "the same row again is no change");
    assert_eq!(shown(&mut app).states.version(), version);
    ask(&mut app, [select("row:999", How::Add)]);
    assert_eq!(pending(&mut app), [(0, 996, vec![0, 0, 0, SELECTED])]);
}

#[test]
fn the_row_under_discussion_is_found_by_its_key() {
    let mut app = app(linked());
    app.insert_resource(Emphasis(Some("c".to_owned())));
    app.update();
    assert_eq!(shown(&mut app).emphasis, [Some(2), Some(0)]);
    app.insert_resource(Emphasis(Some("nobody".to_owned())));
    app.update();
    assert_eq!(shown(&mut app).emphasis, [None, None]);
}

/// Steps of a model: what happens to the focus.
#[derive(Clone, Debug)]
enum Step {
    Select(Vec<u8>, How),
    Swap(Vec<u8>),
}

fn some_step() -> impl Strategy<Value = Step> {
    let how = prop_oneof![
        Just(How::Only),
        Just(How::Add),
        Just(How::Remove),
        Just(How::Toggle)
    ];
    let keys = || proptest::collection::vec(0_u8..80, 0..30);
    prop_oneof![
        3 => (keys(), how).prop_map(|(keys, how)| Step::Select(keys, how)),
        1 => keys().prop_map(Step::Swap),
    ]
}

fn view(keys: &[u8]) -> Scene {
    let mut keys: Vec<String> = keys.iter().map(u8::to_string).collect();
    keys.sort();
    keys.dedup();
    let set = |keys: &[String]| {
        let at: Vec<_> = keys.iter().map(|key| (key.as_str(), at(0.0), 0)).collect();
        marks("x", None, &at)
    };
    let half: Vec<String> = keys.iter().rev().step_by(2).cloned().collect();
    scene(vec![set(&half), set(&keys)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_selection_is_a_set_of_keys_whatever_view_is_shown(steps in proptest::collection::vec(some_step(), 1..12)) {
        let mut selection = Selection::default();
        let mut model: BTreeSet<String> = BTreeSet::new();
        let mut known: BTreeSet<String> = BTreeSet::new();
        for step in steps {
            match step {
                Step::Select(keys, how) => {
                    let keys: BTreeSet<String> = keys.iter().map(u8::to_string).collect();
                    selection.select(keys.iter().map(String::as_str), how);
                    match how {
                        How::Only => model = keys,
                        How::Add => model.extend(keys),
                        How::Remove => model.retain(|key| !keys.contains(key)),
                        How::Toggle => model = model.symmetric_difference(&keys).cloned().collect(),
                    }
                }
                Step::Swap(keys) => {
                    let embodiment = Embodiment::over(1, view(&keys));
                    selection.count_by(&embodiment.roll());
                    known = keys.iter().map(u8::to_string).collect();
                }
            }
            let told: BTreeSet<String> = selection.row_keys().map(str::to_owned).collect();
            prop_assert_eq!(&told, &model);
            prop_assert_eq!(selection.len(), model.len());
            prop_assert_eq!(selection.n_lacking(), model.difference(&known).count());
        }
    }
}

#[test]
fn a_rectangle_takes_in_what_is_seen_in_it() {
    use crate::Graphics;
    use crate::headless::Headless;
    let eye = plan::Camera {
        eye: [0.7, 0.5, 2.0],
        target: [0.0; 3],
        fov_y_deg: 40.0,
    };
    let mut headless = Headless::new(Graphics::open().unwrap(), (200, 150), eye).unwrap();
    headless.step();
    headless.step();
    let world = headless.app.world_mut();
    let (camera, transform) = world
        .query_filtered::<(&Camera, &GlobalTransform), With<OrbitCamera>>()
        .single(world)
        .unwrap();
    let keys: Vec<String> = (0..1000).map(|row| format!("row:{row}")).collect();
    let spread = |row: usize, step: usize| ((row * step) % 997) as f32 / 997.0 * 4.0 - 2.0;
    let placed: Vec<(&str, [f32; 3], u32)> = keys
        .iter()
        .enumerate()
        .map(|(row, key)| {
            (
                key.as_str(),
                [spread(row, 31), spread(row, 101), spread(row, 307)],
                0,
            )
        })
        .collect();
    let embodiment = Embodiment::over(1, scene(vec![marks("volume", None, &placed)]));
    let (low, high) = (Vec2::new(60.0, 20.0), Vec2::new(150.0, 110.0));
    let brush = Brush::rectangle(camera, transform, high, low).unwrap();
    let told: Vec<usize> = embodiment
        .brushed(&brush)
        .iter()
        .map(|number| *number as usize)
        .collect();
    let seen: Vec<usize> = (0..1000)
        .filter(|row| {
            let place = camera.world_to_viewport(transform, Vec3::from_array(placed[*row].1));
            place.is_ok_and(|place| place.cmpgt(low).all() && place.cmplt(high).all())
        })
        .collect();
    assert_eq!(told, seen);
    assert!(seen.len() > 50 && seen.len() < 900, "{}", seen.len());
    let line = Brush::rectangle(camera, transform, low, Vec2::new(low.x, high.y)).unwrap();
    assert!(embodiment.brushed(&line).is_empty());
}

mod pixels {
    //! Each state as it is seen.

    use super::*;
    use crate::Graphics;
    use crate::headless::{Headless, Picture};

    const SIZE: (u32, u32) = (160, 90);

    fn stage(sets: Vec<MarkSet>) -> Headless {
        let eye = plan::Camera {
            eye: [0.0, 0.0, 3.0],
            target: [0.0; 3],
            fov_y_deg: 20.0,
        };
        let mut headless = Headless::new(Graphics::open().unwrap(), SIZE, eye).unwrap();
        let mut embodiment = Embodiment::over(1, scene(sets));
        embodiment.shown = true;
        headless.app.world_mut().spawn(embodiment);
        headless
    }

    fn after(headless: &mut Headless, focus: impl IntoIterator<Item = Focus>) -> Picture {
        for focus in focus {
            headless.app.world_mut().write_message(focus);
        }
        headless.picture().unwrap()
    }

    /// Columns of the picture in which two differ.
    fn differ(one: &Picture, other: &Picture) -> Vec<usize> {
        let width = one.width as usize;
        let mut columns: Vec<usize> = (0..one.rgb.len() / 3)
            .filter(|pixel| one.rgb[3 * pixel..3 * pixel + 3] != other.rgb[3 * pixel..3 * pixel + 3])
            .map(|pixel| pixel % width)
            .collect();
        columns.sort_unstable();
        columns.dedup();
        columns
    }

    fn sets() -> Vec<MarkSet> {
        const RED: u32 = 0x00_00_00_FF;
        vec![
            marks(
                "volume",
                None,
                &[("left", at(-0.3), RED), ("right", at(0.3), RED)],
            ),
            marks(
                "wall",
                Some(WALL),
                &[
                    ("right", [0.3, 0.25, -0.6], RED),
                    ("left", [-0.3, 0.25, -0.6], RED),
                ],
            ),
        ]
    }

    #[test]
    fn hovering_selecting_and_isolating_change_the_pixels_of_their_marks_alone() {
        let mut headless = stage(sets());
        let plain = after(&mut headless, []);
        let hovered = after(&mut headless, [Focus::Hover(Some("left".to_owned()))]);
        let changed = differ(&plain, &hovered);
        assert!(
            !changed.is_empty() && changed.iter().all(|column| *column < 80),
            "{changed:?}"
        );
        let selected = after(&mut headless, [Focus::Hover(None), select("right", How::Only)]);
        let changed = differ(&plain, &selected);
        assert!(
            !changed.is_empty() && changed.iter().all(|column| *column > 80),
            "{changed:?}"
        );
        let isolated = after(&mut headless, [Focus::Isolate]);
        let paper = |picture: &Picture| {
            let reds = picture.rgb.chunks_exact(3).enumerate();
            reds.filter(|(at, pixel)| at % 160 < 80 && u16::from(pixel[0]) > u16::from(pixel[2]) + 40)
                .count()
        };
        assert!(paper(&plain) > 8, "two marks on the left");
        assert_eq!(paper(&isolated), 0, "neither in the volume nor on the wall");
        assert!(
            differ(&selected, &isolated).iter().all(|column| *column < 80),
            "whoever is selected stays"
        );
        let released = after(&mut headless, [Focus::Release]);
        assert_eq!(plain.rgb, released.rgb);
    }

    #[test]
    fn a_change_of_focus_writes_its_bytes_and_nothing_else_and_none_are_written_without() {
        let keys: Vec<String> = (0..40_000).map(|row| format!("row:{row}")).collect();
        let many: Vec<(&str, [f32; 3], u32)> = keys.iter().map(|key| (key.as_str(), at(0.0), 0)).collect();
        let mut headless = stage(vec![marks("volume", None, &many)]);
        after(&mut headless, []);
        let written = |headless: &mut Headless, focus: Vec<Focus>| {
            let before = crate::draw::written(&headless.app);
            after(headless, focus);
            crate::draw::written(&headless.app) - before
        };
        assert_eq!(written(&mut headless, vec![]), 0);
        assert_eq!(
            written(&mut headless, vec![Focus::Hover(Some("row:39999".to_owned()))]),
            4
        );
        assert_eq!(
            written(&mut headless, vec![Focus::Hover(Some("row:39999".to_owned()))]),
            0
        );
        let both = written(&mut headless, vec![Focus::Hover(Some("row:39990".to_owned()))]);
        assert_eq!(both, 12, "from the one to the other, by fours");
        let all = written(&mut headless, vec![select("row:3", How::Only), Focus::Isolate]);
        assert!((40_000..60_000).contains(&all), "a byte a mark: {all}");
    }
}
