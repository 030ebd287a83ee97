//! F06, device degradation.
//!
//! **Attack.** The device can't carry what must be kept: a table with more marks than the standalone headset's budget, a
//! variant that was refused there, a device that changes under a view in force, a graphics device whose largest buffer is
//! too small. The way out that must not be taken is a thinner picture that tells another story.
//!
//! **Owner.** Forma at admission, under the pinned capability table; `adoption` and the stage afterwards, on the device at
//! hand.
//!
//! **Required.** RESOURCE_UNSATISFIABLE, and nothing is written; a view in force stays as it was, with the same plan and
//! as many elements and marks, or the refused state stands where it was. No variant is thinned, and none stands in for
//! another device's.
//!
//! **Control.** The same table on the desktop is admitted, and its record names the headset's variant as refused; a table
//! within the budget is admitted on the headset through the same arguments; a view within the device's limits is adopted.

use std::fmt::Write as _;

use knowledge::wire::v1::DeviceClass;
use refusal::{Code, Reason};
use serde_json::Value;
use stage::headless::Headless;
use stage::{Embodiment, Graphics};

use crate::program::{json, with_table};
use crate::rig::{Rig, reasons};

/// Rows whose marks pass the headset's budget of 500,000: four elements draw each row.
const TOO_MANY: usize = 125_001;

fn table(n_rows: usize) -> String {
    let mut text = String::from("length_mm,mass_g,depth_mm\n");
    for row in 0..n_rows {
        writeln!(text, "{},{},{}", 100 + row % 61, 2000 + row % 97, 10 + row % 13)
            .expect("writing to a string does not fail");
    }
    text
}

fn admit(n_rows: usize, device: &str) -> (i32, Value, bool) {
    let folder = with_table("marks.csv", table(n_rows));
    let (code, answer) = json(
        folder.path(),
        &[
            "admit",
            "marks.csv",
            "--question",
            "How do they go together?",
            "--foreground",
            "length_mm,mass_g,depth_mm",
            "--purpose",
            "claim-bearing",
            "--recipe",
            "scatter_volume",
            "--device",
            device,
            "--out",
            "marks.nemosyne",
        ],
    );
    (code, answer, folder.path().join("marks.nemosyne").exists())
}

#[test]
fn more_marks_than_the_headset_carries_are_refused_and_never_thinned() {
    let (code, answer, written) = admit(TOO_MANY, "standalone");
    assert_eq!((code, written), (1, false), "{answer}");
    let refusal = &answer["refusal"];
    assert_eq!(
        (refusal["code"].as_str(), refusal["reason"].as_str()),
        (Some("RESOURCE_UNSATISFIABLE"), Some("OVER_BUDGET")),
        "{answer}"
    );
    assert!(answer.get("planId").is_none() && answer.get("resultId").is_none());

    let (code, answer, written) = admit(40, "standalone");
    assert_eq!(
        (code, written),
        (0, true),
        "within the budget it is admitted: {answer}"
    );
}

#[test]
fn the_desktop_carries_them_and_says_that_the_headset_does_not() {
    let folder = with_table("marks.csv", table(TOO_MANY));
    let (code, answer) = json(
        folder.path(),
        &[
            "admit",
            "marks.csv",
            "--question",
            "How do they go together?",
            "--foreground",
            "length_mm,mass_g,depth_mm",
            "--purpose",
            "claim-bearing",
            "--recipe",
            "scatter_volume",
            "--out",
            "marks.nemosyne",
        ],
    );
    assert_eq!(code, 0, "{answer}");
    let (code, told) = json(
        folder.path(),
        &[
            "render",
            "marks.nemosyne",
            "--out",
            "marks.png",
            "--size",
            "160x90",
            "--device",
            "standalone",
        ],
    );
    assert_eq!(code, 1, "{told}");
    assert_eq!(told["refusal"]["code"], "RESOURCE_UNSATISFIABLE", "{told}");
    assert!(
        !folder.path().join("marks.png").exists(),
        "no other picture instead"
    );
}

/// What is seen: result, root, elements and marks.
fn seen(rig: &mut Rig) -> (Option<String>, Option<bevy::prelude::Entity>, usize, usize) {
    let world = rig.app.world_mut();
    let mut embodiments = world.query::<&Embodiment>();
    let marks = embodiments.iter(world).map(Embodiment::mark_count).sum();
    (rig.in_force(), rig.roots().0, rig.elements(), marks)
}

#[test]
fn a_variant_that_was_refused_leaves_the_view_in_force_as_it_was() {
    let mut rig = Rig::new();
    rig.known
        .know(|shelf| shelf.device("STANDALONE_HEADSET", |it| it["maxMarks"] = 31.into()));
    rig.admission = rig.known.admitted();
    rig.tell(|_| ());
    rig.request();
    rig.settle();
    assert_eq!(
        reasons(&rig.told()),
        [("adopted", None)],
        "the desktop carries it"
    );
    let before = seen(&mut rig);
    let forma::Admission::Production(admitted) = &rig.admission else {
        panic!("production")
    };
    let refused = &admitted.record().body().refused_variants;
    assert_eq!(refused.len(), 1, "the record says so");
    assert_eq!(refused[0].variant, "standalone_headset");
    let moment = rig.moment();
    let refusal = adoption::mint(admitted, "standalone_headset", &moment.current()).expect_err("it has none");
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::ResourceUnsatisfiable, Reason::DeviceLacksChannel)
    );
    // Nor does the desktop's variant stand in for it.
    let headset = adoption_gate::Moment {
        device: DeviceClass::StandaloneHeadset,
        ..moment
    };
    let refusal =
        adoption::mint(admitted, "desktop", &headset.current()).expect_err("it is another device's");
    assert_eq!(refusal.code(), Code::ResourceUnsatisfiable);
    rig.frame();
    assert_eq!(seen(&mut rig), before);
    assert!(rig.told().is_empty() && rig.refused().is_none());
}

#[test]
fn a_device_that_changes_under_a_view_leaves_the_reason_and_no_other_picture() {
    let mut rig = Rig::new();
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    rig.change(|moment| moment.device = DeviceClass::StandaloneHeadset);
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("revoked", Some(Reason::DeviceLacksChannel))]
    );
    assert_eq!(seen(&mut rig), (None, None, 0, 0));
    assert_eq!(
        rig.refused().map(|refusal| refusal.code()),
        Some(Code::ResourceUnsatisfiable)
    );
}

/// Another capability table by the same name is another rule: what was admitted under the one before is over.
#[test]
fn a_capability_table_that_is_replaced_ends_the_view() {
    let mut rig = Rig::new();
    rig.request();
    rig.settle();
    assert_eq!(reasons(&rig.told()), [("adopted", None)]);
    rig.known
        .know(|shelf| shelf.device("DESKTOP_MONITOR", |it| it["maxMarks"] = 31.into()));
    rig.tell(|_| ());
    rig.frame();
    assert_eq!(
        reasons(&rig.told()),
        [("revoked", Some(Reason::UnauthorizedPolicy))]
    );
    let refused = rig.known.admit().expect_err("the device got smaller");
    assert_eq!(refused.primary().code(), Code::ResourceUnsatisfiable);
}

/// A graphics device whose buffers are too small shows nothing and says why; one whose buffers suffice shows it all.
#[test]
fn buffers_that_do_not_fit_leave_the_reason_and_no_picture() {
    let drawn = |limits: Option<wgpu::Limits>| {
        let graphics = Graphics::open_with(limits).expect("a driver answers");
        let home = plan::Camera::home(DeviceClass::DesktopMonitor);
        let mut headless = Headless::new(graphics, (160, 90), home).expect("the target is small");
        headless.app.add_plugins(adoption_gate::AdoptionGatePlugin);
        let mut rig = Rig::around(std::mem::take(&mut headless.app), harness::World::flowers());
        rig.request();
        headless.app = std::mem::take(&mut rig.app);
        let picture = headless.picture();
        let held = headless.held().expect("the device answers");
        rig.app = std::mem::take(&mut headless.app);
        (picture, held.embodiments, rig.roots().1, rig.refused())
    };
    let small = wgpu::Limits {
        max_storage_buffer_binding_size: 64,
        ..wgpu::Limits::default()
    };
    let (picture, held, roots, refused) = drawn(Some(small));
    assert!(picture.is_err());
    assert_eq!(
        (held, roots),
        (0, 0),
        "nothing was uploaded, no thinner view was made"
    );
    let refusal = refused.expect("the reason stands in its place");
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::ResourceUnsatisfiable, Reason::OverBudget)
    );
    let (picture, held, roots, refused) = drawn(None);
    assert!(picture.is_ok() && refused.is_none());
    assert_eq!((held, roots), (1, 1));
}
