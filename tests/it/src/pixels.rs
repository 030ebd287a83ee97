//! A few pictures kept small in `tests/pixels`, and whether the program still draws them.
//!
//! Attacked: a look that changes without anyone having looked. Owner: the stage and what lays plans out. Required: on the
//! graphics driver on which a picture was kept it comes out the same, pixel for pixel; on another within
//! [`Apart::TOLERANCE`], by which two drivers round edges. Control: a picture with one mark more, one that is shifted by
//! a pixel, and the others are not within it.
//!
//! Whoever changes the look on purpose looks at the new pictures and keeps them: `NEMOSYNE_BLESS=1 ./x test pixels`.

use std::path::{Path, PathBuf};

use stage::Graphics;
use stage::headless::{Apart, Cutout, Kept};

use crate::program::nemosyne;

/// Key of the entry that names the driver on which a picture was kept.
const DRIVER: &str = "Driver";

/// The most bytes of a kept picture, and how many there may be.
const MOST_BYTES: usize = 40 * 1024;
const MOST_PICTURES: usize = 6;

/// Pixels of a row.
const WIDTH: usize = 256;

struct Case {
    name: &'static str,
    table: (&'static str, &'static str),
    asked: &'static [&'static str],
    drawn: &'static [&'static str],
}

const PENGUINS: (&str, &str) = ("penguins.csv", "assets/samples/penguins.csv");
const GAPMINDER: (&str, &str) = ("gapminder.json", "assets/samples/gapminder.json");
const AXES: &str = "flipper_length_mm,body_mass_g,bill_length_mm";

const CASES: [Case; 3] = [
    Case {
        name: "penguins-home",
        table: PENGUINS,
        asked: &[
            "--purpose",
            "claim-bearing",
            "--foreground",
            AXES,
            "--group",
            "species",
        ],
        drawn: &["--supersample", "2"],
    },
    Case {
        name: "penguins-side",
        table: PENGUINS,
        asked: &["--purpose", "claim-bearing", "--foreground", AXES],
        drawn: &["--camera", "side"],
    },
    Case {
        name: "gapminder-top",
        table: GAPMINDER,
        asked: &[
            "--purpose",
            "exploratory",
            "--foreground",
            "fertility,life_expect,pop",
        ],
        drawn: &["--camera", "top"],
    },
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn kept(name: &str) -> PathBuf {
    repository().join("tests/pixels").join(format!("{name}.png"))
}

fn read(path: &Path) -> Kept {
    let bytes = std::fs::read(path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; to keep it: NEMOSYNE_BLESS=1 ./x test pixels",
            path.display()
        )
    });
    assert!(
        bytes.len() <= MOST_BYTES,
        "{}: {} bytes",
        path.display(),
        bytes.len()
    );
    Kept::read(&bytes).expect("a picture of this program")
}

fn drawn(case: &Case) -> Kept {
    let folder = tempfile::tempdir().expect("a folder");
    let (name, source) = case.table;
    std::fs::copy(repository().join(source), folder.path().join(name)).expect("a sample");
    let asking = [
        "admit",
        name,
        "--question",
        "What goes with what?",
        "--out",
        "p.nemosyne",
    ];
    let asking: Vec<&str> = asking.iter().chain(case.asked).copied().collect();
    nemosyne(folder.path(), &asking).done();
    let drawing = ["render", "p.nemosyne", "--out", "p.png", "--size", "256x160"];
    let drawing: Vec<&str> = drawing.iter().chain(case.drawn).copied().collect();
    nemosyne(folder.path(), &drawing).done();
    Kept::read(&std::fs::read(folder.path().join("p.png")).expect("a picture")).expect("a picture")
}

/// What the driver is allowed: nothing on the one of old, little on another.
fn allowed(kept: &Kept, driver: &str) -> Apart {
    if kept.entries.get(DRIVER).is_some_and(|old| old == driver) {
        return Apart {
            pixels: 0,
            most: 0,
            mean: 0.0,
        };
    }
    Apart::TOLERANCE
}

fn keep(case: &Case, driver: &str) {
    let Kept { pixels, mut entries } = drawn(case);
    // What an identity of today says is not what is kept here.
    entries.retain(|key, _| ["Camera", "Theme", "Supersample", "Background"].contains(&key.as_str()));
    entries.insert(DRIVER.to_owned(), driver.to_owned());
    let entries: Vec<(&str, &str)> = entries
        .iter()
        .map(|(key, text)| (key.as_str(), text.as_str()))
        .collect();
    let is_opaque = pixels.rgba.chunks_exact(4).all(|pixel| pixel[3] == u8::MAX);
    let bytes = if is_opaque {
        pixels.to_opaque().to_png(&entries)
    } else {
        pixels.to_png(&entries)
    };
    std::fs::write(kept(case.name), bytes.expect("it is encoded")).expect("there is room");
}

#[test]
fn pictures_are_drawn_as_they_were_kept() {
    let driver = Graphics::open().expect("a device").name().to_owned();
    if std::env::var_os("NEMOSYNE_BLESS").is_some() {
        CASES.iter().for_each(|case| keep(case, &driver));
        return;
    }
    let mut far = Vec::new();
    for case in &CASES {
        let (old, new) = (read(&kept(case.name)), drawn(case));
        let apart = old.pixels.apart(&new.pixels).expect("one size");
        if !apart.is_within(&allowed(&old, &driver)) {
            far.push(format!("{}: {apart:?} on {driver}", case.name));
        }
    }
    assert!(far.is_empty(), "{}", far.join("\n"));
}

#[test]
fn a_picture_with_one_mark_more_a_shifted_one_and_another_are_not_within_the_tolerance() {
    let pictures: Vec<Cutout> = CASES.iter().map(|case| read(&kept(case.name)).pixels).collect();
    let is_near =
        |one: &Cutout, other: &Cutout| one.apart(other).expect("one size").is_within(&Apart::TOLERANCE);
    for (nth, picture) in pictures.iter().enumerate() {
        assert!(is_near(picture, picture));
        let mut more = picture.clone();
        for y in 100..103 {
            more.rgba[(y * WIDTH + 60) * 4..(y * WIDTH + 63) * 4]
                .copy_from_slice(&[230, 159, 0, 255].repeat(3));
        }
        assert!(!is_near(picture, &more), "{}", CASES[nth].name);
        let mut shifted = picture.clone();
        shifted.rgba.rotate_right(4);
        assert!(!is_near(picture, &shifted), "{}", CASES[nth].name);
        for other in &pictures[nth + 1..] {
            assert!(!is_near(picture, other), "{}", CASES[nth].name);
        }
    }
}

#[test]
fn pictures_are_few_and_each_is_of_a_case() {
    let folder = repository().join("tests/pixels");
    let mut there: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    there.sort();
    let mut named: Vec<String> = CASES.iter().map(|case| format!("{}.png", case.name)).collect();
    named.sort();
    assert_eq!(there, named);
    assert!(named.len() <= MOST_PICTURES);
}
