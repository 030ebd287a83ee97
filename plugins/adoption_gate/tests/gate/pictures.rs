//! Pictures of what the gate lets through, on whatever graphics device there is; Mesa's software driver will do.

use adoption_gate::AdoptionGatePlugin;
use bevy::prelude::*;
use harness::World as Known;
use knowledge::wire::v1::DeviceClass;
use plan::Camera as Viewpoint;
use refusal::{Code, Reason};
use stage::headless::{Headless, Picture};
use stage::{Emphasis, Graphics, StageError};

use crate::rig::Rig;

const SIZE: (u32, u32) = (480, 270);

fn headless(graphics: Graphics) -> Headless {
    let mut headless = Headless::new(graphics, SIZE, Viewpoint::home(DeviceClass::DesktopMonitor))
        .expect("the target is small");
    headless.app.add_plugins(AdoptionGatePlugin);
    headless
}

/// The picture of a request, or why there is none.
fn picture(graphics: Graphics, change: impl FnOnce(&mut Rig)) -> Result<Picture, StageError> {
    let mut headless = headless(graphics);
    let mut rig = Rig::around(std::mem::take(&mut headless.app), Known::flowers());
    let authorization = rig.mint();
    rig.request_with(authorization, rig.known.leaves.clone());
    change(&mut rig);
    headless.app = rig.app;
    headless.picture()
}

fn count(picture: &Picture, is: impl Fn([u8; 3]) -> bool) -> usize {
    picture
        .rgb
        .chunks_exact(3)
        .filter(|pixel| is([pixel[0], pixel[1], pixel[2]]))
        .count()
}

const PAPER: [u8; 3] = [0xF7, 0xF6, 0xF2];

#[test]
fn a_picture_shows_paper_ink_and_the_colors_of_the_groups_and_is_the_same_each_time() {
    let graphics = Graphics::open().unwrap();
    let one = picture(graphics.clone(), |_| ()).unwrap();
    assert_eq!((one.width, one.height, one.rgb.len()), (480, 270, 480 * 270 * 3));
    assert!(count(&one, |pixel| pixel == PAPER) > 480 * 270 / 4, "paper");
    assert!(
        count(&one, |pixel| pixel.iter().all(|part| *part < 0x90)) > 50,
        "letters"
    );
    let colorful = |pixel: [u8; 3]| pixel.iter().max().unwrap() - pixel.iter().min().unwrap() > 0x50;
    assert!(count(&one, colorful) > 50, "marks");
    let other = picture(graphics, |_| ()).unwrap();
    assert_eq!(one.rgb, other.rgb);
    assert_eq!(
        one.to_png(&[("Plan", "x")]).unwrap(),
        other.to_png(&[("Plan", "x")]).unwrap()
    );
}

#[test]
fn the_emphasized_row_and_nothing_else_changes_the_picture() {
    let graphics = Graphics::open().unwrap();
    let plain = picture(graphics.clone(), |_| ()).unwrap();
    let with = |key: &'static str| {
        picture(graphics.clone(), move |rig| {
            rig.app.insert_resource(Emphasis(Some(key.to_owned())));
        })
        .unwrap()
    };
    assert_ne!(plain.rgb, with("row:1").rgb);
    assert_ne!(with("row:1").rgb, with("row:2").rgb);
    assert_eq!(plain.rgb, with("row:4").rgb, "the excluded row has no mark");
}

#[test]
fn a_refused_request_gives_its_refusal_instead_of_a_picture() {
    let graphics = Graphics::open().unwrap();
    match picture(graphics, Rig::activate_again) {
        Err(StageError::Refused(refusal)) => assert_eq!(refusal.reason(), Reason::Stale),
        other => panic!("{:?}", other.map(|picture| picture.width)),
    }
}

#[test]
fn without_a_request_there_is_nothing_to_take_a_picture_of() {
    let error = headless(Graphics::open().unwrap()).picture().unwrap_err();
    assert!(matches!(error, StageError::NothingShown { .. }), "{error}");
}

#[test]
fn a_device_with_small_limits_refuses_before_anything_is_uploaded() {
    let limits = wgpu::Limits {
        max_storage_buffer_binding_size: 64,
        ..wgpu::Limits::default()
    };
    match picture(Graphics::open_with(Some(limits)).unwrap(), |_| ()) {
        Err(StageError::Refused(refusal)) => {
            assert_eq!(
                (refusal.code(), refusal.reason()),
                (Code::ResourceUnsatisfiable, Reason::OverBudget)
            );
        }
        other => panic!("{:?}", other.map(|picture| picture.width)),
    }
}

#[test]
fn no_driver_is_an_answer() {
    let Err(error) = Graphics::open_on(wgpu::Backends::empty(), None) else {
        panic!("opened nothing")
    };
    assert_eq!(error.refusal().reason(), Reason::NoGraphicsDevice);
}
