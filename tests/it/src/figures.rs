//! Pictures for scripts and papers: `render` writes the same bytes twice, a PNG says whose it is, and `verify` holds it
//! against the package, pixel for pixel.
//!
//! Attacked: a picture that differs from run to run, that is passed off as another plan's, that was painted over, that has
//! the halo of a paper it no longer lies on, or that asks more of a device than it has. Owner: `render` and `verify`.
//! Required: equal bytes from two processes; what a PNG says stands in it and in the package; a painted or borrowed picture
//! is refused; without paper, laid on that paper, it is the picture. Control: the picture itself, through the same verbs.

use std::path::Path;

use stage::headless::{Cutout, Kept};

use crate::program::{json, main_job, nemosyne};

const PKG: &str = "penguins.nemosyne";
const SMALL: [&str; 2] = ["--size", "320x180"];

fn render(folder: &Path, out: &str, more: &[&str]) -> Vec<u8> {
    let mut arguments = vec!["render", PKG, "--out", out];
    arguments.extend(more);
    nemosyne(folder, &arguments).done();
    std::fs::read(folder.join(out)).expect("a picture")
}

fn kept(bytes: &[u8]) -> Kept {
    Kept::read(bytes).expect("a picture of this program")
}

#[test]
fn two_processes_write_the_same_bytes_and_another_view_others() {
    let folder = main_job();
    for more in [
        &["--size", "320x180"][..],
        &["--size", "160x90", "--supersample", "2", "--transparent"],
    ] {
        let (one, two) = (
            render(folder.path(), "1.png", more),
            render(folder.path(), "2.png", more),
        );
        assert!(one == two, "{more:?}");
    }
    let home = render(folder.path(), "1.png", &SMALL);
    let turned = [SMALL[0], SMALL[1], "--camera", "40,20,3.5"];
    assert!(home != render(folder.path(), "2.png", &turned));
}

#[test]
fn a_picture_says_what_it_shows_and_how_it_was_taken() {
    let folder = main_job();
    let camera = "-30,15.5,4";
    let more = [
        "--size",
        "160x90",
        "--camera",
        camera,
        "--supersample",
        "2",
        "--json",
    ];
    let arguments: Vec<&str> = ["render", PKG, "--out", "p.png"]
        .into_iter()
        .chain(more)
        .collect();
    let told = nemosyne(folder.path(), &arguments).done().json();
    let picture = kept(&std::fs::read(folder.path().join("p.png")).expect("a picture"));
    for (key, member) in [
        ("Plan", "planId"),
        ("Result", "resultId"),
        ("Snapshot", "snapshotId"),
        ("Dataset", "datasetFingerprint"),
        ("Variant", "variant"),
        ("Compiler", "compiler"),
        ("Camera", "camera"),
        ("Theme", "theme"),
        ("Software", "software"),
    ] {
        assert_eq!(told[member], picture.entries[key], "{key}: {told}");
    }
    assert_eq!(picture.entries["Camera"], camera);
    assert_eq!(picture.entries["Supersample"], "2");
    assert_eq!(picture.entries["Background"], "paper");
    assert_eq!(picture.entries["Title"], crate::program::QUESTION);
    assert_eq!((picture.pixels.width, picture.pixels.height), (160, 90));
    assert_eq!((&told["width"], &told["height"]), (&160.into(), &90.into()));
}

#[test]
fn a_picture_belongs_to_its_package_alone() {
    let folder = main_job();
    let mut other = crate::program::MAIN_JOB.to_vec();
    (other[3], other[11]) = ("What else?", "other.nemosyne");
    nemosyne(folder.path(), &other).done();
    for more in [
        &[][..],
        &["--transparent"],
        &["--supersample", "2"],
        &["--camera", "top"],
    ] {
        let more: Vec<&str> = SMALL.iter().chain(more).copied().collect();
        render(folder.path(), "p.png", &more);
        let (code, told) = json(folder.path(), &["verify", "p.png", "--package", PKG]);
        assert_eq!(code, 0, "{told}");
        assert_eq!(told["ofPackage"]["holds"], true, "{told}");
        assert_eq!(told["pixels"]["holds"], true, "{told}");
    }
    let (code, told) = json(folder.path(), &["verify", "p.png", "--package", "other.nemosyne"]);
    assert_eq!((code, &told["ofPackage"]["holds"]), (1, &false.into()), "{told}");
    assert_eq!(told["refusal"]["reason"], "WRONG_SUBJECT", "{told}");
    // Without a package nothing is claimed.
    let (code, told) = json(folder.path(), &["verify", "p.png"]);
    assert_eq!(code, 0);
    assert!(
        told["entries"]["Plan"].is_string() && told.get("ofPackage").is_none(),
        "{told}"
    );
}

#[test]
fn a_painted_picture_is_not_drawn_by_the_package() {
    let folder = main_job();
    let Kept { mut pixels, entries } = kept(&render(folder.path(), "p.png", &SMALL));
    let entries: Vec<(&str, &str)> = entries
        .iter()
        .map(|(key, text)| (key.as_str(), text.as_str()))
        .collect();
    let put = |name: &str, pixels: &Cutout, entries: &[(&str, &str)]| {
        let bytes = pixels.to_opaque().to_png(entries).expect("it is encoded");
        std::fs::write(folder.path().join(name), bytes).expect("there is room");
    };
    put("copy.png", &pixels, &entries);
    let (code, told) = json(folder.path(), &["verify", "copy.png", "--package", PKG]);
    assert_eq!((code, &told["pixels"]["holds"]), (0, &true.into()), "{told}");
    // One mark more.
    for y in 80..84 {
        for x in 100..104 {
            pixels.rgba[(y * 320 + x) * 4..][..3].copy_from_slice(&[200, 30, 30]);
        }
    }
    put("painted.png", &pixels, &entries);
    let (code, told) = json(folder.path(), &["verify", "painted.png", "--package", PKG]);
    assert_eq!((code, &told["ofPackage"]["holds"]), (1, &true.into()), "{told}");
    assert_eq!(told["pixels"]["holds"], false, "{told}");
    // No words, no picture, no second package.
    put("mute.png", &pixels, &[("Title", "A picture")]);
    let (code, told) = json(folder.path(), &["verify", "mute.png", "--package", PKG]);
    assert_eq!(
        (code, &told["refusal"]["reason"]),
        (1, &"NOT_STATED".into()),
        "{told}"
    );
    let bytes = std::fs::read(folder.path().join("copy.png")).expect("a picture");
    std::fs::write(folder.path().join("cut.png"), &bytes[..bytes.len() / 2]).expect("there is room");
    let (code, told) = json(folder.path(), &["verify", "cut.png", "--package", PKG]);
    assert_eq!(
        (code, &told["refusal"]["reason"]),
        (1, &"MALFORMED".into()),
        "{told}"
    );
    assert_eq!(
        nemosyne(folder.path(), &["verify", PKG, "--package", PKG]).code,
        2
    );
}

#[test]
fn cut_out_and_laid_on_its_paper_it_is_the_picture() {
    let folder = main_job();
    let whole = kept(&render(folder.path(), "p.png", &SMALL)).pixels;
    let cut = kept(&render(
        folder.path(),
        "c.png",
        &[SMALL[0], SMALL[1], "--transparent"],
    ))
    .pixels;
    let paper = &whole.rgba[..3];
    let linear = |byte: u8| {
        let c = f64::from(byte) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    let byte = |light: f64| {
        let c = if light <= 0.003_130_8 {
            light * 12.92
        } else {
            1.055 * light.powf(1.0 / 2.4) - 0.055
        };
        (c * 255.0).round()
    };
    let mut clear = 0;
    for (cut, whole) in cut.rgba.chunks_exact(4).zip(whole.rgba.chunks_exact(4)) {
        let opacity = f64::from(cut[3]) / 255.0;
        clear += usize::from(cut[3] == 0);
        for channel in 0..3 {
            let laid = byte(linear(cut[channel]) * opacity + linear(paper[channel]) * (1.0 - opacity));
            assert!(
                (laid - f64::from(whole[channel])).abs() <= 4.0,
                "{laid} for {}",
                whole[channel]
            );
        }
    }
    // What is paper is gone: the corners and most of the rest.
    assert_eq!(cut.rgba[..4], [0; 4]);
    assert!(
        clear * 3 > cut.rgba.len() / 4,
        "{clear} of {}",
        cut.rgba.len() / 4
    );
}

#[test]
fn more_than_a_device_has_is_refused_and_leaves_nothing() {
    let folder = main_job();
    for more in [
        &["--size", "65536x16"][..],
        &["--size", "16000x16", "--supersample", "8"],
    ] {
        let arguments: Vec<&str> = ["render", PKG, "--out", "p.png"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        let (code, told) = json(folder.path(), &arguments);
        assert_eq!(
            (code, &told["refusal"]["reason"]),
            (1, &"OVER_BUDGET".into()),
            "{told}"
        );
        assert_eq!(told["refusal"]["code"], "RESOURCE_UNSATISFIABLE");
        assert!(!folder.path().join("p.png").exists());
    }
    for more in [
        ["--size", "8x8"],
        ["--supersample", "9"],
        ["--camera", "1,2"],
        ["--camera", "0,90,3"],
        ["--camera", "0,0,nan"],
        ["--theme", "loud"],
    ] {
        let arguments: Vec<&str> = ["render", PKG, "--out", "p.png"]
            .iter()
            .chain(&more)
            .copied()
            .collect();
        assert_eq!(nemosyne(folder.path(), &arguments).code, 2, "{more:?}");
    }
    render(folder.path(), "p.png", &["--size", "64x36", "--supersample", "8"]);
}

#[test]
fn a_sheet_is_a_page_that_says_whose_it_is_and_is_drawn_again() {
    let folder = main_job();
    let arguments = [
        "render",
        PKG,
        "--sheet",
        "--out",
        "s.png",
        "--size",
        "420x594",
        "--supersample",
        "1",
    ];
    let (code, told) = json(folder.path(), &arguments);
    assert_eq!(code, 0, "{told}");
    let pages = told["pages"].as_array().expect("pages");
    for (nth, page) in pages.iter().enumerate() {
        let name = page["picture"].as_str().expect("a name");
        let bytes = std::fs::read(folder.path().join(name)).expect("a page");
        let page = kept(&bytes);
        assert_eq!(page.entries["Page"], format!("{} of {}", nth + 1, pages.len()));
        assert_eq!(page.entries["Plan"], told["planId"]);
        assert_eq!((page.pixels.width, page.pixels.height), (420, 594));
        let (code, told) = json(folder.path(), &["verify", name, "--package", PKG]);
        assert_eq!(code, 0, "{told}");
        assert_eq!(told["pixels"]["holds"], true, "{told}");
    }
    for more in [
        &["--size", "594x420"][..],
        &["--transparent"],
        &["--camera", "top"],
        &["--history"],
    ] {
        let arguments: Vec<&str> = ["render", PKG, "--sheet", "--out", "t.png"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        assert_eq!(nemosyne(folder.path(), &arguments).code, 2, "{more:?}");
        assert!(!folder.path().join("t.png").exists());
    }
}
