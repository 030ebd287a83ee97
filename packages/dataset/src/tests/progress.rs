//! Progress and cancel: the listener hears every phase in order, changes nothing, and may stop the import anywhere.

use std::ops::ControlFlow;

use crate::{ImportError, ImportOptions, Phase, Progress, import, import_with};

fn table() -> String {
    let mut text = String::from("n,g\n");
    for row in 0..40_000 {
        text.push_str(&format!("{row},{}\n", ["a", "b"][row % 2]));
    }
    text
}

#[test]
fn the_listener_hears_every_phase_in_order_and_changes_nothing() {
    let text = table();
    let options = ImportOptions::named("t");
    let mut heard: Vec<Progress> = Vec::new();
    let listened = import_with(text.as_bytes(), &options, &mut |progress| {
        heard.push(progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    let alone = import(text.as_bytes(), &options).unwrap();
    assert_eq!(listened.dataset, alone.dataset);
    assert_eq!(listened.recipe, alone.recipe);
    assert_eq!(listened.report, alone.report);

    for pair in heard.windows(2) {
        let (before, after) = (pair[0], pair[1]);
        assert!(
            before.phase < after.phase || (before.phase == after.phase && before.done <= after.done),
            "{before:?} then {after:?}"
        );
    }
    for phase in [
        Phase::Opening,
        Phase::Surveying,
        Phase::Building,
        Phase::Fingerprinting,
    ] {
        assert!(heard.iter().any(|progress| progress.phase == phase), "{phase:?}");
    }
    let building = heard.iter().filter(|progress| progress.phase == Phase::Building);
    assert!(building.clone().count() > 2);
    assert!(
        building
            .clone()
            .all(|progress| progress.of == Some(40_000) && progress.done <= 40_000)
    );
}

#[test]
fn an_import_can_be_stopped_at_every_word() {
    let text = table();
    let options = ImportOptions::named("t");
    let mut n_words = 0;
    import_with(text.as_bytes(), &options, &mut |_| {
        n_words += 1;
        ControlFlow::Continue(())
    })
    .unwrap();
    for stop_at in 0..n_words {
        let mut n_heard = 0;
        let mut last = None;
        let stopped = import_with(text.as_bytes(), &options, &mut |progress| {
            last = Some(progress.phase);
            n_heard += 1;
            if n_heard > stop_at {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let Err(ImportError::Canceled { phase }) = stopped else {
            panic!("not stopped at word {stop_at}");
        };
        assert_eq!(Some(phase), last);
        assert_eq!(n_heard, stop_at + 1, "it went on after it was told to stop");
    }
}
