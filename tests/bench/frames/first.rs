//! From an admitted plan to its first frame, and from a hand that moves to what the eye sees of it.

use std::time::Instant;

use adoption_gate::AdoptionGatePlugin;
use anyhow::ensure;
use bench::report::Number;
use bevy::input::ButtonInput;
use bevy::input::mouse::{MouseButton, MouseMotion};
use bevy::prelude::Vec2;
use knowledge::wire::v1::DeviceClass;
use stage::Graphics;
use stage::headless::Headless;

use crate::view::{View, frame, marks};

fn app(view: &View) -> anyhow::Result<Headless> {
    let home = plan::Camera::home(DeviceClass::DesktopMonitor);
    let mut headless = Headless::new(Graphics::open()?, (1280, 720), home)?;
    headless.app.add_plugins(AdoptionGatePlugin);
    headless.app.insert_resource(view.moment.clone());
    Ok(headless)
}

/// The app runs, the plan is admitted, nothing is shown: from the request to the first frame with the view in it.
pub(crate) fn picture(whole: bool) -> anyhow::Result<Vec<Number>> {
    let view = View::of(if whole { 50_000 } else { 40 })?;
    let mut headless = app(&view)?;
    for _ in 0..3 {
        frame(&mut headless)?;
    }
    let start = Instant::now();
    view.request(&mut headless)?;
    headless.picture()?;
    let secs = start.elapsed().as_secs_f64();
    Ok(vec![Number::promised(
        &format!("plan to first frame, {} marks at 1280x720", marks(&mut headless)),
        format!("{secs:.2} s"),
        "under 2 s",
        !whole || secs < 2.0,
    )])
}

/// A hand drags for 100 ms: how many frames each motion takes until it is seen.
pub(crate) fn answer(whole: bool) -> anyhow::Result<Vec<Number>> {
    let view = View::of(if whole { 5_000 } else { 40 })?;
    let mut headless = app(&view)?;
    view.request(&mut headless)?;
    headless.picture()?;
    let mut most = 0;
    let (mut before, start) = (headless.seen()?, Instant::now());
    let mut motions = 0;
    while motions < 2 || start.elapsed().as_millis() < 100 {
        let world = headless.app.world_mut();
        world
            .resource_mut::<ButtonInput<MouseButton>>()
            .press(MouseButton::Left);
        world.write_message(MouseMotion {
            delta: Vec2::new(12.0, 3.0),
        });
        let mut waited = 0;
        loop {
            headless.step();
            waited += 1;
            let now = headless.seen()?;
            if now != before {
                before = now;
                break;
            }
            ensure!(waited < 10, "a motion is never seen");
        }
        most = most.max(waited);
        motions += 1;
    }
    Ok(vec![Number::promised(
        "a drag of 100 ms, frames until each motion is seen",
        format!("{most}"),
        "at most 1",
        most <= 1,
    )])
}
