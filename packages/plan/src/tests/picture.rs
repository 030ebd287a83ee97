//! The home view at 1280 x 720, reckoned: every label is large enough, inside the picture, off the data, off every other.

use knowledge::wire::v1::DeviceClass;
use representation::volume;

use super::fixture::{ask, penguins};
use super::scene::{Scene, labels, scene, scene_by, typed};
use crate::element::{Align, Facing, Label, Shape, Typed, VAlign};
use crate::layout::words;
use crate::wire::v1::SpatialPlan;
use crate::{Camera, Seen};

const SIZE: (f64, f64) = (1280.0, 720.0);
/// Room below the last baseline, in cap heights: descenders.
const DESCENT: f64 = 0.32;
/// Least cap height in pixels: a 15 px font.
const LEAST: f64 = 10.5;

/// A convex outline in pixels, in order.
#[derive(Clone, Debug)]
struct Outline {
    name: String,
    points: Vec<(f64, f64)>,
    cap: f64,
}

fn outline(name: &str, label: &Label, camera: Camera) -> Outline {
    let wrap = label.wrap_width.unwrap_or(f64::INFINITY);
    let lines = words::lines(&label.text, label.cap_height, wrap);
    let wide = lines
        .iter()
        .map(|line| words::width(line, label.cap_height))
        .fold(0.0, f64::max);
    let high = words::height(lines.len(), label.cap_height);
    let left = match label.align {
        Align::Start => 0.0,
        Align::Center => -wide / 2.0,
        Align::End => -wide,
    };
    let top = match label.valign {
        VAlign::Top => 0.0,
        VAlign::Middle => high / 2.0,
        VAlign::Bottom => high,
    };
    let bottom = top - high - DESCENT * label.cap_height;
    let corners = [
        (left, top),
        (left + wide, top),
        (left + wide, bottom),
        (left, bottom),
    ];
    let see = |point| camera.project(point, SIZE.0, SIZE.1).unwrap();
    let [x, y, z] = label.at;
    match label.facing {
        Facing::Viewer | Facing::Still => {
            let seen = match label.facing {
                Facing::Still => still(&camera, label.at),
                Facing::Viewer | Facing::Front => see(label.at),
            };
            let scale = seen.pixels_per_meter;
            let points = corners
                .map(|(a, b)| (seen.x + a * scale, seen.y - b * scale))
                .to_vec();
            Outline {
                name: name.to_owned(),
                points,
                cap: label.cap_height * scale,
            }
        }
        Facing::Front => {
            let points: Vec<(f64, f64)> = corners
                .iter()
                .map(|(a, b)| {
                    let seen = see([x + a, y + b, z]);
                    (seen.x, seen.y)
                })
                .collect();
            let cap = corners
                .iter()
                .map(|(a, b)| see([x + a, y + b, z]).y - see([x + a, y + b + label.cap_height, z]).y)
                .fold(f64::INFINITY, f64::min);
            Outline {
                name: name.to_owned(),
                points,
                cap,
            }
        }
    }
}

/// Where a point of the viewer's frame stands in the picture.
fn still(camera: &Camera, [right, above, ahead]: [f64; 3]) -> Seen {
    let half = libm::tan(camera.fov_for(SIZE.0 / SIZE.1).to_radians() / 2.0);
    let pixels_per_meter = SIZE.1 / 2.0 / half / ahead;
    Seen {
        x: SIZE.0 / 2.0 + right * pixels_per_meter,
        y: SIZE.1 / 2.0 - above * pixels_per_meter,
        pixels_per_meter,
    }
}

/// Whether two convex outlines share area: no edge of either separates them.
fn overlap(a: &Outline, b: &Outline) -> bool {
    let separates = |outline: &Outline, other: &Outline| {
        (0..outline.points.len()).any(|at| {
            let (p, q) = (
                outline.points[at],
                outline.points[(at + 1) % outline.points.len()],
            );
            let normal = (q.1 - p.1, p.0 - q.0);
            let along = |point: &(f64, f64)| point.0 * normal.0 + point.1 * normal.1;
            let range = |outline: &Outline| {
                outline
                    .points
                    .iter()
                    .map(along)
                    .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                        (low.min(value), high.max(value))
                    })
            };
            let ((low_a, high_a), (low_b, high_b)) = (range(outline), range(other));
            high_a <= low_b || high_b <= low_a
        })
    };
    !(separates(a, b) || separates(b, a))
}

/// The silhouette of the data volume: the convex hull of its eight corners.
fn silhouette(camera: Camera) -> Outline {
    let mut corners = Vec::new();
    for x in [volume::X_MIN, volume::X_MAX] {
        for y in [volume::Y_MIN, volume::Y_MAX] {
            for z in [volume::Z_MIN, volume::Z_MAX] {
                let seen = camera.project([x, y, z], SIZE.0, SIZE.1).unwrap();
                corners.push((seen.x, seen.y));
            }
        }
    }
    corners.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let turn =
        |o: (f64, f64), a: (f64, f64), b: (f64, f64)| (a.0 - o.0) * (b.1 - o.1) - (a.1 - o.1) * (b.0 - o.0);
    let half = |points: Vec<(f64, f64)>| {
        let mut hull: Vec<(f64, f64)> = Vec::new();
        for point in points {
            while hull.len() >= 2 && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0 {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        hull
    };
    let mut points = half(corners.clone());
    points.extend(half(corners.into_iter().rev().collect()));
    Outline {
        name: "the volume".to_owned(),
        points,
        cap: 0.0,
    }
}

/// Everything that is wrong with the home view.
pub(super) fn faults(plan: &SpatialPlan) -> Vec<String> {
    let camera = Camera::home(DeviceClass::DesktopMonitor);
    let mut outlines: Vec<Outline> = labels(plan)
        .iter()
        .map(|(name, label)| outline(name, label, camera))
        .collect();
    let mut faults = Vec::new();
    for outline in &outlines {
        if outline.cap < LEAST {
            faults.push(format!("{} has letters of {:.1} px", outline.name, outline.cap));
        }
        let inside = |(x, y): &(f64, f64)| *x >= 4.0 && *y >= 4.0 && *x <= SIZE.0 - 4.0 && *y <= SIZE.1 - 4.0;
        if !outline.points.iter().all(inside) {
            faults.push(format!(
                "{} leaves the picture: {:.0?}",
                outline.name, outline.points
            ));
        }
    }
    for (id, element) in typed(plan) {
        // What is supposed stands among the data; its words do not.
        if let Typed::Glyph(glyph) = element
            && glyph.shape != Shape::CrossedDiamond
        {
            let seen = match glyph.facing {
                Facing::Still => still(&camera, glyph.at),
                Facing::Viewer | Facing::Front => camera.project(glyph.at, SIZE.0, SIZE.1).unwrap(),
            };
            let r = glyph.diameter / 2.0 * seen.pixels_per_meter;
            let points = [(-r, -r), (r, -r), (r, r), (-r, r)]
                .map(|(a, b)| (seen.x + a, seen.y + b))
                .to_vec();
            outlines.push(Outline {
                name: id,
                points,
                cap: LEAST,
            });
        }
    }
    outlines.push(silhouette(camera));
    for (at, one) in outlines.iter().enumerate() {
        for other in &outlines[at + 1..] {
            if overlap(one, other) {
                faults.push(format!(
                    "{} lies on {}: {:.0?} {:.0?}",
                    one.name, other.name, one.points, other.points
                ));
            }
        }
    }
    faults
}

fn readable(scene: &Scene) {
    let found = faults(&scene.desktop());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn penguins_are_readable() {
    readable(&scene(&penguins()));
}

#[test]
fn penguins_by_species_are_readable() {
    readable(&scene(&penguins().grouped("species")));
}

#[test]
fn the_study_treatment_is_readable() {
    readable(&scene_by(
        &representation::ScatterStereo,
        &penguins().grouped("species"),
    ));
}

/// Names of any length wrap or lose their middle; nothing else gives way.
#[test]
fn long_names_are_readable() {
    let names = [
        "mean_annual_precipitation_over_the_growing_season_in_the_catchment_mm",
        "sum of all nitrogen deposited on the plot, corrected for altitude and slope",
        "x".repeat(120).as_str(),
    ]
    .map(str::to_owned);
    let rows: Vec<String> = (0..30)
        .map(|row| format!("{},{},{},{}", row * 41, row * row, 97 - row, row % 8))
        .collect();
    let kinds = "the kind of vegetation that was found on the plot at the first visit";
    let header = format!("{},\"{}\",{},{kinds}", names[0], names[1], names[2]);
    let csv = format!("{header}\n{}\n", rows.join("\n"));
    for turn in 0..3 {
        let at = |place: usize| names[(place + turn) % 3].as_str();
        let mut asked = ask(&csv, [at(0), at(1), at(2)]);
        asked.question = "Is it the rain, the nitrogen or something else that explains which plants grow on a plot, \
                          and does the answer hold for every kind of vegetation that was found at the first visit?"
            .to_owned();
        readable(&scene(&asked));
        let mut grouped = asked.grouped(kinds);
        grouped.declarations = vec![dataset::Declaration::of(kinds).kind(dataset::ColumnKind::Categorical)];
        readable(&scene(&grouped));
    }
}

/// Wide numbers, eight groups with long names: fewer tick labels, more lines of legend, nothing dropped.
#[test]
fn wide_numbers_and_eight_groups_are_readable() {
    let rows: Vec<String> = (0..80)
        .map(|row: i32| {
            let group = [
                "alpha",
                "beta",
                "gamma",
                "a group with a rather long name",
                "e",
                "zeta",
                "eta",
                "theta",
            ];
            format!(
                "{},{:.4},{},{}",
                -999_999 + row * 25_000,
                f64::from(row) / 1e5,
                row * 1000,
                group[row as usize % 8]
            )
        })
        .collect();
    let csv = format!("population,rate,distance_km,family\n{}\n", rows.join("\n"));
    let mut asked = ask(&csv, ["population", "rate", "distance_km"]).grouped("family");
    asked.declarations = vec![dataset::Declaration::of("family").kind(dataset::ColumnKind::Categorical)];
    readable(&scene(&asked));
}

/// The check itself notices what it must: letters too small, a label outside, two labels on one place.
#[test]
fn the_check_notices_faults() {
    let scene = scene(&penguins());
    let plan = scene.desktop();
    assert_eq!(faults(&plan), Vec::<String>::new());
    let broken = |change: fn(&mut Label)| {
        let mut plan = plan.clone();
        for element in plan
            .elements
            .iter_mut()
            .filter(|element| element.id == "axis.x.title")
        {
            let mut label = Label::read(element).unwrap();
            change(&mut label);
            element.parameters = label.write("axis.x.title", "axis.x").unwrap().parameters;
        }
        faults(&plan)
    };
    assert_eq!(broken(|_| ()), Vec::<String>::new());
    assert!(
        broken(|label| label.cap_height = 0.02)
            .iter()
            .any(|fault| fault.contains("letters"))
    );
    assert!(
        broken(|label| label.at = [-1.6, 0.5, 0.6])
            .iter()
            .any(|fault| fault.contains("leaves"))
    );
    assert!(
        broken(|label| label.at[1] = -0.05)
            .iter()
            .any(|fault| fault.contains("lies on axis.x.title"))
    );
    assert!(
        broken(|label| label.at = [0.0, 0.6, 0.6])
            .iter()
            .any(|fault| fault.contains("the volume"))
    );
}
