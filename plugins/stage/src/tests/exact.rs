//! The index against asking every mark, and against the pixels: the same mark each time.

use std::sync::atomic::{AtomicUsize, Ordering};

use bevy::prelude::*;
use proptest::prelude::*;

use super::{marks, scene};
use crate::bvh::{Bounds, Lies, Tree};
use crate::embodiment::Embodiment;
use crate::headless::{Headless, Picture};
use crate::pick::{Index, Met};
use crate::scene::{Body, Mark, MarkSet, Plane, Scene, Solid, SolidSet};
use crate::{Aim, Eye, Graphics, OrbitCamera};

const WALLS: [Plane; 3] = [
    Plane {
        u: Vec3::X,
        v: Vec3::Y,
    },
    Plane {
        u: Vec3::Z,
        v: Vec3::Y,
    },
    Plane {
        u: Vec3::X,
        v: Vec3::Z,
    },
];

fn set(element: &str, plane: Option<Plane>, placed: Vec<Mark>) -> MarkSet {
    let keys: Vec<String> = (0..placed.len()).map(|row| format!("row:{row}")).collect();
    let at: Vec<(&str, [f32; 3], u32)> = keys
        .iter()
        .zip(&placed)
        .map(|(key, mark)| (key.as_str(), mark.position, mark.look))
        .collect();
    let mut set = marks(element, plane, &at);
    set.marks = placed;
    set
}

/// Marks of all shapes and sizes; many stand in the same few places, so that some are at one distance.
fn some_marks(most: usize) -> impl Strategy<Value = Vec<Mark>> {
    let coordinate = prop_oneof![-0.6_f32..0.6, (-3_i8..=3).prop_map(|step| f32::from(step) * 0.2)];
    let mark = (
        [coordinate.clone(), coordinate.clone(), coordinate],
        prop_oneof![Just(0.0_f32), 0.002_f32..0.02, 0.02_f32..0.2],
        0_u32..9,
    );
    proptest::collection::vec(mark, 0..most).prop_map(|all| {
        all.into_iter()
            .map(|(position, diameter, shape)| Mark {
                position,
                diameter,
                look: shape << 24,
            })
            .collect()
    })
}

fn on_wall(mut marks: Vec<Mark>, axis: usize, at: f32) -> Vec<Mark> {
    for mark in &mut marks {
        mark.position[axis] = at;
    }
    marks
}

/// Solids between the places of marks.
fn solids(element: &str, body: Body, opacity: f32, ends: &[Mark]) -> SolidSet {
    let solids: Vec<Solid> = ends
        .chunks_exact(2)
        .map(|two| {
            let (one, other) = (
                Vec3::from_array(two[0].position),
                Vec3::from_array(two[1].position),
            );
            // Near each other, and cuboids the right way around.
            let other = one + 0.3 * (other - one);
            let (a, b) = match body {
                Body::Boxes => (one.min(other), one.max(other)),
                Body::Stretches => (one, other),
            };
            Solid {
                a: a.to_array(),
                b: b.to_array(),
                width: 0.3 * two[0].diameter,
                look: two[0].look,
            }
        })
        .collect();
    SolidSet {
        element: element.to_owned(),
        body,
        keys: (0..solids.len()).map(|row| Box::from(row.to_string())).collect(),
        solids,
        opacity,
    }
}

fn some_scene() -> impl Strategy<Value = Scene> {
    let marks = (some_marks(300), some_marks(60), some_marks(60), some_marks(40));
    (marks, some_marks(120), some_marks(120), some_marks(40)).prop_map(|(marks, boxes, lines, sheer)| {
        let mut scene = some_sets(marks);
        scene.solids = vec![
            solids("boxes", Body::Boxes, 1.0, &boxes),
            solids("lines", Body::Stretches, 1.0, &lines),
            solids("sheer", Body::Boxes, 0.5, &sheer),
        ];
        scene
    })
}

fn some_sets((a, b, c, d): (Vec<Mark>, Vec<Mark>, Vec<Mark>, Vec<Mark>)) -> Scene {
    {
        scene(vec![
            set("volume", None, a),
            set("back", Some(WALLS[0]), on_wall(b, 2, -0.6)),
            set("more", None, d),
            set("side", Some(WALLS[1]), on_wall(c, 0, 0.6)),
        ])
    }
}

fn some_aim() -> impl Strategy<Value = Aim> {
    let unit = |axes: [f32; 3]| Dir3::new(Vec3::from_array(axes)).unwrap_or(Dir3::NEG_Z);
    let place = [-3.0_f32..3.0, -3.0_f32..3.0, -3.0_f32..3.0];
    let step = || (-3_i8..=3).prop_map(|step| f32::from(step) * 0.2 + 0.01);
    let through = [step(), step(), step()];
    let slack = prop_oneof![Just(0.0_f32), 0.0_f32..0.05];
    let eye = prop_oneof![
        Just(None),
        (
            [-0.2_f32..0.2, -0.2_f32..0.2, -0.2_f32..0.2],
            0.0_f32..0.01,
            any::<bool>()
        )
            .prop_map(Some)
    ];
    (place, through, slack, eye).prop_map(move |(place, through, slack, eye)| {
        let origin = Vec3::from_array(place);
        let direction = unit((Vec3::from_array(through) - origin).to_array());
        let mut aim = Aim::along(Ray3d::new(origin, direction), slack);
        if let Some((turned, least, is_parallel)) = eye {
            // Not every ray goes through the middle of the picture.
            let forward = unit((*direction + Vec3::from_array(turned)).to_array());
            let forward = if is_parallel { direction } else { forward };
            let up = forward.any_orthonormal_vector();
            aim.eye = Eye {
                place: origin - *direction * 0.02,
                right: unit(forward.cross(up).to_array()),
                up: unit(up.to_array()),
                least,
                is_parallel,
            };
        }
        aim
    })
}

/// Rays that met something in any case so far: a comparison of nothing with nothing proves nothing.
static MET: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_index_answers_what_asking_every_mark_answers(scene in some_scene(), aims in proptest::collection::vec(some_aim(), 12)) {
        let index = Index::default();
        for aim in &aims {
            let (quick, slow) = (index.meet(&scene, &[], aim), Index::meet_by_asking_all(&scene, &[], aim));
            prop_assert_eq!(quick, slow, "{:?}", aim);
            MET.fetch_add(usize::from(quick.is_some()), Ordering::Relaxed);
            ASKED.fetch_add(1, Ordering::Relaxed);
        }
        let (met, asked) = (MET.load(Ordering::Relaxed), ASKED.load(Ordering::Relaxed));
        prop_assert!(asked < 600 || (asked / 20 < met && met < asked), "{} of {}", met, asked);
    }

    #[test]
    fn a_tree_finds_everything_within_and_nothing_twice(placed in some_marks(200), low in [-0.5_f32..0.3, -0.5_f32..0.3, -0.5_f32..0.3], size in 0.0_f32..0.8) {
        let at = |thing: u32| Vec3::from_array(placed[thing as usize].position);
        let count = u32::try_from(placed.len()).unwrap();
        let tree = Tree::over(count, |thing| Bounds::at(at(thing)));
        let (low, high) = (Vec3::from_array(low), Vec3::from_array(low) + size);
        let holds = |place: Vec3| place.cmpge(low).all() && place.cmple(high).all();
        let mut found = Vec::new();
        tree.within(
            |bounds| {
                if bounds.low.cmpge(low).all() && bounds.high.cmple(high).all() {
                    Lies::Inside
                } else if bounds.high.cmplt(low).any() || bounds.low.cmpgt(high).any() {
                    Lies::Outside
                } else {
                    Lies::Across
                }
            },
            |thing, is_inside| {
                if is_inside || holds(at(thing)) {
                    found.push(thing);
                }
            },
        );
        found.sort_unstable();
        let expected: Vec<u32> = (0..count).filter(|thing| holds(at(*thing))).collect();
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn a_tree_stands_whatever_the_extent() {
    for size in [0.0, 1e-38, 1e-9, 1.0, 1e12, 3e38] {
        let at = |thing: u32| Vec3::splat((thing as f32 - 50.0) / 50.0 * size);
        let tree = Tree::over(101, |thing| Bounds::at(at(thing)));
        let mut found = 0;
        tree.within(|_| Lies::Across, |_, _| found += 1);
        assert_eq!(found, 101, "at {size}");
    }
    let mut found = 0;
    Tree::over(0, |_| Bounds::NOTHING).within(|_| Lies::Across, |_, _| found += 1);
    assert_eq!(found, 0);
}

#[test]
fn of_two_at_one_place_the_later_is_met_as_it_is_painted_over() {
    let both = || vec![set("volume", None, vec![disc([0.0; 3], 0); 40])];
    let aim = Aim::along(Ray3d::new(Vec3::Z, Dir3::NEG_Z), 0.0);
    let met = Index::default().meet(&scene(both()), &[], &aim);
    assert_eq!(met.map(|met: Met| met.mark), Some(39));
}

fn disc(position: [f32; 3], look: u32) -> Mark {
    Mark {
        position,
        diameter: 0.1,
        look,
    }
}

/// Numbers that look random, from 0 to 1.
fn scattered(seed: &mut u32) -> f32 {
    *seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    (*seed >> 8) as f32 / 16_777_216.0
}

/// Which part is strongest, where there is nearly nothing else: what is lit and dimmed keeps it, what is mixed does not.
fn hue(pixel: [u8; 3]) -> Option<usize> {
    let strongest = (0..3).max_by_key(|part| pixel[*part])?;
    let others = (0..3)
        .filter(|part| *part != strongest)
        .map(|part| pixel[part])
        .max()?;
    (pixel[strongest] > 60 && pixel[strongest] / 3 > others).then_some(strongest)
}

#[test]
fn what_is_picked_through_a_pixel_is_what_is_drawn_there() {
    const SIZE: (u32, u32) = (240, 160);
    let mut seed = 7;
    let mut placed = Vec::new();
    for row in 0..260_u32 {
        let position = [0; 3].map(|_| scattered(&mut seed) - 0.5);
        let diameter = 0.02 + 0.16 * scattered(&mut seed) * scattered(&mut seed);
        // Shapes with color all through; what is hollow shows what is behind it.
        let shape = [0, 1, 2, 3, 4, 5, 7][(row % 7) as usize];
        let color = 0xFF_u32 << (8 * (row % 3));
        placed.push(Mark {
            position,
            diameter,
            look: shape << 24 | color,
        });
    }
    let color = |row: usize| 0xFF_u32 << (8 * (row % 3));
    let ends: Vec<Mark> = (0..24)
        .map(|row| Mark {
            position: [0; 3].map(|_| scattered(&mut seed) - 0.5),
            diameter: 0.08,
            look: color(row / 2),
        })
        .collect();
    let mut all = scene(vec![set("volume", None, placed)]);
    all.solids = vec![
        solids("boxes", Body::Boxes, 1.0, &ends[..12]),
        solids("lines", Body::Stretches, 1.0, &ends[12..]),
    ];
    let look_of = |scene: &Scene, met: &Met| match scene.solids_of(met.set) {
        Some(solids) => solids.solids[met.mark].look,
        None => scene.sets[met.set].marks[met.mark].look,
    };
    let eye = plan::Camera {
        eye: [1.2, 0.8, 1.6],
        target: [0.0; 3],
        fov_y_deg: 40.0,
    };
    let mut headless = Headless::new(Graphics::open().unwrap(), SIZE, eye).unwrap();
    let mut embodiment = Embodiment::over(1, all);
    embodiment.shown = true;
    headless.app.world_mut().spawn(embodiment);
    let picture = headless.picture().unwrap();
    let world = headless.app.world_mut();
    let (camera, transform) = world
        .query_filtered::<(&Camera, &GlobalTransform), With<OrbitCamera>>()
        .single(world)
        .unwrap();
    let (camera, transform) = (camera.clone(), *transform);
    let embodiment = world.query::<&Embodiment>().single(world).unwrap();
    let (mut same, mut empty, mut unclear) = (0, 0, 0);
    let (mut sets, mut other) = ([0; 3], Vec::new());
    for y in 0..SIZE.1 {
        for x in 0..SIZE.0 {
            let cursor = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let mut aim = Aim::at_cursor(&camera, &transform, cursor).unwrap();
            aim.slack = 0.0;
            let met = embodiment.index.meet(&embodiment.scene, &[], &aim);
            let drawn = pixel(&picture, x, y);
            match (met, hue(drawn)) {
                (Some(met), Some(part)) => {
                    let is_same = look_of(&embodiment.scene, &met) >> (8 * part) & 0xFF == 0xFF;
                    sets[met.set] += 1;
                    if !is_same {
                        other.push((x, y, drawn, met));
                    }
                    same += 1;
                }
                (None, None) => empty += 1,
                // Edges are mixed with what is behind them.
                _ => unclear += 1,
            }
        }
    }
    assert!(
        sets.iter().all(|seen| *seen > 40),
        "marks, boxes and lines: {sets:?}"
    );
    assert!(same > 2_000, "{same} pixels of marks");
    assert!(empty > 10_000, "{empty} pixels of paper");
    assert!(unclear < same / 2, "{unclear} pixels are neither");
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = (y as usize * picture.width as usize + x as usize) * 3;
    [picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]]
}
