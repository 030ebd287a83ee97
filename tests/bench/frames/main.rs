//! Frames around a swap, and around a revocation: how long the longest is, and how many pass until the stage is empty.
//!
//! A target of the program's package, not of `bench`, which links no engine. A view of 100,000 marks is drawn at 640x360
//! without a window, on whatever graphics device there is; Mesa's software driver will do. Each frame ends when the device
//! has drawn it, so that nothing of it hides in the next. Then the same result is asked for again and again: recheck,
//! staging, upload, swap and release all fall into frames that are on the clock, beside as many frames in which nothing
//! happens. Under test the view is tiny and only the answers are checked; `cargo bench` gives the numbers:
//!
//! ```sh
//! cargo bench --profile dev --workspace --bench frames
//! ```

use std::sync::Arc;
use std::time::Instant;

use adoption::{Registration, Runtime};
use adoption_gate::{AdoptionGatePlugin, Gate, Moment};
use anyhow::{Context as _, anyhow, ensure};
use bench::report::{Number, Table, say};
use bench::synthetic;
use dataset::ImportOptions;
use forma::{Admission, RequestedUse};
use inquiry::{Prepared, Question};
use investigation::wire::v2::EpistemicPurpose;
use knowledge::wire::v1::DeviceClass;
use stage::headless::Headless;
use stage::{Embodiment, Graphics, RefusedState};

/// How much is drawn, and how often it is replaced.
struct Scale {
    rows: usize,
    swaps: usize,
    quiet: usize,
}

fn main() -> anyhow::Result<()> {
    let whole = std::env::args().any(|argument| argument == "--bench");
    let scale = if whole {
        // Four elements draw each row.
        Scale {
            rows: 25_000,
            swaps: 8,
            quiet: 8,
        }
    } else {
        Scale {
            rows: 40,
            swaps: 2,
            quiet: 2,
        }
    };
    let mut table = Table::default();
    table.extend(frames(&scale, whole)?);
    say(&table.to_string());
    ensure!(!whole || table.holds(), "a promise is missed");
    Ok(())
}

fn told(refusal: &refusal::Refusal) -> anyhow::Error {
    anyhow!(
        "{} / {}: {}",
        refusal.code(),
        refusal.reason(),
        refusal.cause().text
    )
}

/// Everything that a view of synthetic rows rests on.
struct View {
    prepared: Prepared,
    admission: Admission,
    moment: Moment,
}

impl View {
    fn of(rows: usize) -> anyhow::Result<Self> {
        let custody = custody::Shipped::open()?;
        let question = Question {
            text: "How do length, mass and depth go together?".to_owned(),
            purpose: Some(EpistemicPurpose::ClaimBearing),
            foreground: ["length_mm", "mass_g", "depth_mm"].map(str::to_owned).to_vec(),
            ..Question::default()
        };
        let options = ImportOptions::named("synthetic");
        let prepared = inquiry::prepare(synthetic::csv(rows, 0), &options, &question, &custody, "bench")
            .map_err(|refusal| told(&refusal))?;
        let (_, graph) = prepared
            .propose(&custody, Some("scatter_volume"))
            .map_err(|refusal| told(&refusal))?
            .pop()
            .context("the recipe proposes")?;
        let graph = graph.map_err(|refusal| told(&refusal))?;
        let device = DeviceClass::DesktopMonitor;
        let admission = prepared
            .admit(&graph, &custody, &custody, device, &RequestedUse::Production)
            .map_err(|refused| told(refused.primary()))?;
        let moment = Moment {
            runtime: Runtime::new("bench"),
            registration: Registration::new(prepared.dataset().fingerprint(), 1),
            activation: prepared.activation().clone(),
            device,
            authorities: Arc::new(custody),
        };
        Ok(Self {
            prepared,
            admission,
            moment,
        })
    }

    fn request(&self, headless: &mut Headless) -> anyhow::Result<()> {
        let Admission::Production(admitted) = &self.admission else {
            return Err(anyhow!("admitted for production"));
        };
        let authorization =
            adoption::mint(admitted, "desktop", &self.moment.current()).map_err(|refusal| told(&refusal))?;
        let leaves = Arc::new(self.prepared.leaves().clone());
        headless
            .app
            .world_mut()
            .resource_mut::<Gate>()
            .request(authorization, leaves);
        Ok(())
    }
}

/// One frame to its end on the device, in seconds.
fn frame(headless: &mut Headless) -> anyhow::Result<f64> {
    let start = Instant::now();
    headless.step();
    headless.finish()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Roots that are shown, and all roots.
fn roots(headless: &mut Headless) -> (usize, usize) {
    let world = headless.app.world_mut();
    let mut embodiments = world.query::<&Embodiment>();
    let shown = embodiments.iter(world).filter(|root| root.is_shown()).count();
    (shown, embodiments.iter(world).count())
}

fn frames(scale: &Scale, whole: bool) -> anyhow::Result<Vec<Number>> {
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

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
