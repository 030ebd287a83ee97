//! Looking at history.
//!
//! Attacked: the line between what was and what may be. A recorded picture is taken for a current view: it is drawn without
//! its mark, it counts as adopted, it takes the place of the view in force or stands beside it, or it is drawn in a run that
//! never opened it. Owner: `replay`, which permits the inspection, and the stage's door of history. Required: words and a
//! border of signs over it, the gate's view untouched, nothing in force through it; and both facts told together, that it
//! can be read and whether it may be used. Control: without history the same package is drawn without a mark.

use adoption::Runtime;
use package::Limits;
use refusal::Reason;
use replay::HistoricalInspection;
use stage::{Embodiment, StageError};

use crate::program::{json, main_job, package, put};
use crate::rig::{Rig, reasons};

fn inspection(runtime: &Runtime) -> HistoricalInspection {
    let folder = tempfile::tempdir().expect("a folder");
    let path = put(folder.path(), "penguins.nemosyne", package());
    let opened = package::open(&path, &Limits::DEFAULT).expect("it is sound");
    let custody = custody::Shipped::open().expect("it ships");
    replay::inspect(&opened, &custody, runtime).expect("production can be looked at")
}

/// Drawn as history, in force, and all roots.
fn counts(rig: &mut Rig) -> (usize, usize, usize) {
    let world = rig.app.world_mut();
    let mut embodiments = world.query::<&Embodiment>();
    let history = embodiments.iter(world).filter(|it| it.is_history()).count();
    let shown = embodiments.iter(world).filter(|it| it.is_shown()).count();
    (history, shown, embodiments.iter(world).count())
}

#[test]
fn history_is_never_in_force_and_never_beside_what_is() {
    let mut rig = Rig::new();
    let runtime = Runtime::new("this run");
    let history = inspection(&runtime);
    let drawn = stage::show_history(rig.app.world_mut(), &history, &runtime).expect("nothing is in force");
    let banner = rig
        .app
        .world()
        .get::<Embodiment>(drawn.root())
        .and_then(Embodiment::banner);
    assert_eq!(banner, Some(history.mark()));
    assert!(history.mark().starts_with("HISTORICAL"));
    rig.frame();
    assert_eq!(counts(&mut rig), (1, 0, 1));
    assert_eq!(rig.in_force(), None, "the gate knows nothing of it");
    assert!(rig.told().is_empty());

    // Drawn once more, the first goes.
    let again = stage::show_history(rig.app.world_mut(), &history, &runtime).expect("nothing is in force");
    assert_eq!(counts(&mut rig), (1, 0, 1));
    assert_ne!(again.root(), drawn.root());

    // A view comes into force: history goes, and the view carries no mark.
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    assert_eq!(counts(&mut rig), (0, 1, 1));
    let (root, _) = rig.roots();
    let root = root.expect("it is shown");
    let banner = rig
        .app
        .world()
        .get::<Embodiment>(root)
        .and_then(Embodiment::banner);
    assert_eq!(banner, None, "production carries no mark");

    // And while it is in force, history is not drawn over it.
    let before = (rig.in_force(), rig.roots(), rig.entities());
    let refused = stage::show_history(rig.app.world_mut(), &history, &runtime);
    assert!(matches!(refused, Err(StageError::InForce)), "{refused:?}");
    rig.frame();
    assert_eq!((rig.in_force(), rig.roots(), rig.entities()), before);
}

#[test]
fn an_inspection_draws_in_its_own_run_alone() {
    let mut rig = Rig::new();
    let history = inspection(&Runtime::new("this run"));
    for other in [
        Runtime::new("another run"),
        Runtime::new("this run").next_generation(),
    ] {
        let refused = stage::show_history(rig.app.world_mut(), &history, &other);
        let error = refused.expect_err("it was permitted elsewhere");
        assert_eq!(error.refusal().reason(), Reason::Stale, "{error}");
        assert_eq!(counts(&mut rig), (0, 0, 0));
    }
    let drawn = stage::show_history(rig.app.world_mut(), &history, &Runtime::new("this run"));
    let drawn = drawn.expect("it is this run");
    stage::release_history(rig.app.world_mut(), drawn);
    assert_eq!((counts(&mut rig), rig.elements()), ((0, 0, 0), 0));
}

#[test]
fn a_study_view_carries_its_mark() {
    let mut rig = Rig::study();
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    let root = rig.roots().0.expect("it is shown");
    let banner = rig
        .app
        .world()
        .get::<Embodiment>(root)
        .and_then(Embodiment::banner);
    assert!(
        banner.is_some_and(|words| words.starts_with("STUDY ONLY")),
        "{banner:?}"
    );
}

#[test]
fn a_picture_of_history_says_so_in_words_and_signs_and_beside_it_whether_it_may_be_used() {
    let folder = main_job();
    let draw = |more: &[&str], out: &str| {
        let mut arguments = vec!["render", "penguins.nemosyne", "--out", out, "--size", "640x360"];
        arguments.extend(more);
        let (code, answer) = json(folder.path(), &arguments);
        assert_eq!(code, 0, "{answer}");
        let file = std::fs::File::open(folder.path().join(out)).expect("it was written");
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .expect("it is a picture");
        let mut pixels = vec![0; reader.output_buffer_size().expect("it fits")];
        reader.next_frame(&mut pixels).expect("it is whole");
        (answer, pixels)
    };
    let (plain, without) = draw(&[], "now.png");
    let (history, with) = draw(&["--history"], "then.png");
    assert_eq!(plain["planId"], history["planId"], "the plan is the recorded one");
    assert_eq!(history["history"], true);
    assert!(plain.get("history").is_none() && plain.get("mark").is_none());
    let mark = history["mark"].as_str().expect("it has a mark");
    assert!(
        mark.starts_with("HISTORICAL: a recorded picture, not admitted for use now"),
        "{mark}"
    );
    assert_eq!(history["executableNow"]["holds"], true, "both facts: {history}");

    // The signs: a row of them along the upper edge, where without history there is paper.
    let dark = |pixels: &[u8]| {
        let band = &pixels[..12 * 640 * 3];
        band.chunks_exact(3)
            .filter(|pixel| pixel.iter().all(|part| *part < 0xA0))
            .count()
    };
    assert_eq!(dark(&without), 0, "no mark on what is current");
    assert!(dark(&with) > 200, "{} dark pixels along the edge", dark(&with));
}
