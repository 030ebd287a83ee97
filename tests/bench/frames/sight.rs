//! Frames by camera, as the peers are asked for them (`tests/bench/peers/scene.py` has the scene and the protocol).

use std::io::BufRead as _;
use std::time::Instant;

use adoption_gate::AdoptionGatePlugin;
use anyhow::{Context as _, ensure};
use bench::report::{Number, say};
use bevy::ecs::system::RunSystemOnce as _;
use bevy::prelude::{Camera, GlobalTransform, Single, Vec2};
use knowledge::wire::v1::DeviceClass;
use stage::headless::{Cutout, Headless};
use stage::{Aim, Graphics, Picking};

use crate::view::{View, frame, marks, median, part};

const SIZE: (u32, u32) = (1280, 720);
const CAMERAS: [&str; 4] = ["near", "medium", "far", "away"];
const MIDDLE: [f64; 3] = [0.0, 0.6, 0.0];

struct Sight {
    headless: Headless,
    device: String,
    marks: usize,
}

impl Sight {
    fn of(n_marks: usize) -> anyhow::Result<Self> {
        let view = View::cloud(n_marks)?;
        let graphics = Graphics::open()?;
        let device = graphics.name().to_owned();
        let mut headless = Headless::new(graphics, SIZE, camera("medium", 0)?)?;
        headless.app.add_plugins(AdoptionGatePlugin);
        headless.app.insert_resource(view.moment.clone());
        view.request(&mut headless)?;
        headless.picture()?;
        let marks = marks(&mut headless);
        Ok(Self {
            headless,
            device,
            marks,
        })
    }

    fn draw(&mut self, name: &str, nth: usize) -> anyhow::Result<f64> {
        self.headless.look_from(camera(name, nth)?);
        frame(&mut self.headless)
    }

    /// Milliseconds of frames, at least five, until there are enough or the patience ends.
    fn times(&mut self, name: &str, asked: &Asked) -> anyhow::Result<Vec<f64>> {
        if name == "pick" {
            self.draw("medium", 0)?;
        }
        for nth in 0..asked.warm_up {
            self.work(name, nth)?;
        }
        let (mut times, began) = (Vec::new(), Instant::now());
        while times.len() < asked.frames
            && (times.len() < 5 || began.elapsed().as_secs_f64() < asked.patience)
        {
            times.push(self.work(name, asked.warm_up + times.len())? * 1e3);
        }
        Ok(times)
    }

    fn work(&mut self, name: &str, nth: usize) -> anyhow::Result<f64> {
        if name != "pick" {
            return self.draw(name, nth);
        }
        let start = Instant::now();
        let picked = self.headless.app.world_mut().run_system_once(middle);
        picked.ok().flatten();
        Ok(start.elapsed().as_secs_f64())
    }

    /// Pixels that two frames do not share.
    fn differ(&mut self, name: &str) -> anyhow::Result<usize> {
        let mut seen = |nth| -> anyhow::Result<Cutout> {
            self.headless.look_from(camera(name, nth)?);
            Ok(Cutout::from(&self.headless.picture()?))
        };
        let (one, other) = (seen(0)?, seen(9)?);
        Ok(one.apart(&other).context("pictures of one size")?.pixels)
    }

    fn answer(&mut self, name: &str, asked: &Asked) -> anyhow::Result<()> {
        let times = self.times(name, asked)?;
        let seen = if name == "pick" {
            String::new()
        } else {
            format!(", \"differ\": {}", self.differ(name)?)
        };
        say(&format!(
            "{{\"peer\": \"ours\", \"version\": \"{}\", \"device\": \"{}\", \"marks\": {}, \"camera\": \"{name}\", \
             \"median\": {:.3}, \"p90\": {:.3}, \"frames\": {}{seen}}}",
            env!("CARGO_PKG_VERSION"),
            self.device,
            self.marks,
            median(&times),
            part(&times, 0.9),
            times.len()
        ));
        Ok(())
    }
}

/// What is under the middle of the picture.
fn middle(picking: Picking<'_, '_>, camera: Single<'_, '_, (&Camera, &GlobalTransform)>) -> Option<String> {
    let (camera, transform) = *camera;
    let cursor = Vec2::new(SIZE.0 as f32 / 2.0, SIZE.1 as f32 / 2.0);
    let aim = Aim::at_cursor(camera, transform, cursor)?;
    picking.pick(&aim).map(|picked| picked.row_key)
}

struct Asked {
    frames: usize,
    warm_up: usize,
    patience: f64,
}

/// Answers the questions on standard input: `CAMERA FRAMES WARM_UP SECONDS`.
pub(crate) fn serve(n_marks: usize) -> anyhow::Result<()> {
    let mut sight = Sight::of(n_marks)?;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, frames, warm_up, patience] = words[..] else {
            anyhow::bail!("CAMERA FRAMES WARM_UP SECONDS, not {line:?}");
        };
        let asked = Asked {
            frames: frames.parse()?,
            warm_up: warm_up.parse()?,
            patience: patience.parse()?,
        };
        sight.answer(name, &asked)?;
    }
    Ok(())
}

/// All cameras once, 50 frames each.
pub(crate) fn tell(n_marks: usize) -> anyhow::Result<()> {
    let mut sight = Sight::of(n_marks)?;
    let asked = Asked {
        frames: 50,
        warm_up: 3,
        patience: 60.0,
    };
    CAMERAS
        .iter()
        .chain(&["pick"])
        .try_for_each(|name| sight.answer(name, &asked))
}

/// A still camera against a moving one.
pub(crate) fn still(whole: bool) -> anyhow::Result<Vec<Number>> {
    let mut sight = Sight::of(if whole { 100_000 } else { 60 })?;
    let frames = if whole { 20 } else { 2 };
    let mut times = |step: usize| -> anyhow::Result<Vec<f64>> {
        (0..frames).map(|nth| sight.draw("medium", nth * step)).collect()
    };
    let (still, moving) = (times(0)?, times(1)?);
    let differ = sight.differ("medium")?;
    ensure!(differ > 0, "a turn is seen");
    let ms = |times: &[f64]| format!("{:.1} ms", median(times) * 1e3);
    Ok(vec![
        Number::beside(
            &format!("frame of {} marks at 1280x720, still camera", sight.marks),
            ms(&still),
        ),
        Number::beside("  while it orbits", ms(&moving)),
    ])
}

/// As `camera` of `scene.py`.
fn camera(name: &str, nth: usize) -> anyhow::Result<plan::Camera> {
    let distance = match name {
        "near" => 1.1,
        "medium" | "away" => 3.2,
        "far" => 9.0,
        other => anyhow::bail!("no camera {other}"),
    };
    let (yaw, pitch) = ((3.0 * nth as f64).to_radians(), 20.0_f64.to_radians());
    let out = [yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos()];
    let eye = std::array::from_fn(|axis| MIDDLE[axis] + distance * out[axis]);
    let target = if name == "away" {
        std::array::from_fn(|axis| eye[axis] + out[axis])
    } else {
        MIDDLE
    };
    let home = plan::Camera::home(DeviceClass::DesktopMonitor);
    Ok(plan::Camera { eye, target, ..home })
}
