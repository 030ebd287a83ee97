//! Frames around a swap, and around a revocation: how long the longest is, and how many pass until the stage is empty.
//!
//! Each frame ends when the device has drawn it, so that nothing of it hides in the next. Then the same result is asked for
//! again and again: recheck, staging, upload, swap and release all fall into frames that are on the clock, beside as many
//! frames in which nothing happens.

use std::time::Instant;

use adoption_gate::{AdoptionGatePlugin, Gate, Moment};
use anyhow::ensure;
use bench::report::Number;
use knowledge::wire::v1::DeviceClass;
use stage::headless::Headless;
use stage::{Embodiment, Graphics, RefusedState};

use crate::view::{View, frame, median, roots};

/// How much is drawn, and how often it is replaced.
struct Scale {
    rows: usize,
    swaps: usize,
    quiet: usize,
}

impl Scale {
    /// Whole, four elements draw each row.
    fn of(whole: bool) -> Self {
        let (rows, swaps, quiet) = if whole { (25_000, 8, 8) } else { (40, 2, 2) };
        Self { rows, swaps, quiet }
    }
}

pub(crate) fn frames(whole: bool) -> anyhow::Result<Vec<Number>> {
    let scale = Scale::of(whole);
    let view = View::of(scale.rows)?;
    let home = plan::Camera::home(DeviceClass::DesktopMonitor);
    let graphics = Graphics::open()?;
    let device = graphics.name().to_owned();
    let mut headless = Headless::new(graphics, (640, 360), home)?;
    headless.app.add_plugins(AdoptionGatePlugin);
    headless.app.insert_resource(view.moment.clone());
    view.request(&mut headless)?;
    headless.picture()?;
    let marks: usize = {
        let world = headless.app.world_mut();
        let mut embodiments = world.query::<&Embodiment>();
        embodiments.iter(world).map(Embodiment::mark_count).sum()
    };

    let (mut quiet, mut around) = (Vec::new(), Vec::new());
    for _ in 0..scale.swaps {
        for _ in 0..scale.quiet {
            quiet.push(frame(&mut headless)?);
        }
        view.request(&mut headless)?;
        let mut waited = 0;
        loop {
            around.push(frame(&mut headless)?);
            waited += 1;
            if headless.app.world().resource::<Gate>().is_idle() {
                break;
            }
            ensure!(waited < 1000, "it is never adopted");
        }
        // The first frame of the new view, in which the old one's buffers go.
        around.push(frame(&mut headless)?);
        ensure!(
            roots(&mut headless) == (1, 1),
            "one view is shown, and no other is left"
        );
    }
    let all: Vec<f64> = quiet.iter().chain(&around).copied().collect();
    let (median, longest) = (median(&all), all.iter().copied().fold(0.0, f64::max));
    let longest_around = around.iter().copied().fold(0.0, f64::max);

    let fell = Moment {
        runtime: view.moment.runtime.next_generation(),
        ..view.moment.clone()
    };
    headless.app.insert_resource(fell);
    let start = Instant::now();
    let mut until_empty = 0;
    while roots(&mut headless) != (0, 0) {
        headless.step();
        until_empty += 1;
        ensure!(until_empty < 100, "it is never revoked");
    }
    headless.finish()?;
    let secs = start.elapsed().as_secs_f64();
    ensure!(
        headless.app.world().contains_resource::<RefusedState>(),
        "the refused state stands in its place"
    );
    ensure!(until_empty == 1, "{until_empty} frames until the stage is empty");

    let ms = |secs: f64| format!("{:.1} ms", secs * 1e3);
    Ok(vec![
        Number::promised(
            &format!("longest frame around recheck and swap, {marks} marks at 640x360"),
            format!("{:.2} of the median", longest / median),
            "at most 2",
            !whole || longest <= 2.0 * median,
        ),
        Number::beside("  median frame", ms(median)),
        Number::beside("  longest frame", ms(longest)),
        Number::beside(
            "  longest frame in which something was asked, staged or swapped",
            ms(longest_around),
        ),
        Number::beside(
            "  frames from a request to its view, with the one after",
            format!("{:.1}", around.len() as f64 / scale.swaps as f64),
        ),
        Number::beside("  frames on the clock", all.len().to_string()),
        Number::beside("  device", device),
        Number::promised(
            "revocation to an empty stage",
            format!("{until_empty} frame, {}", ms(secs)),
            "at most 1 frame",
            until_empty <= 1,
        ),
    ])
}
