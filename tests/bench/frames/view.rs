//! Views of made rows, admitted as any other, and frames of them.

use std::sync::Arc;
use std::time::Instant;

use adoption::{Registration, Runtime};
use adoption_gate::{Gate, Moment};
use anyhow::{Context as _, anyhow};
use bench::synthetic;
use dataset::ImportOptions;
use forma::{Admission, Authorities, RequestedUse};
use inquiry::{Prepared, Question};
use investigation::wire::v2::EpistemicPurpose;
use knowledge::wire::v1::DeviceClass;
use stage::Embodiment;
use stage::headless::Headless;

/// Authorization of the study in which marks stand in the volume alone.
const GRANT: &str = "study-bench";

const COLUMNS: [&str; 3] = ["length_mm", "mass_g", "depth_mm"];

/// Everything that a view of synthetic rows rests on.
pub(crate) struct View {
    prepared: Prepared,
    admission: Admission,
    pub(crate) moment: Moment,
}

impl View {
    /// For production: each row stands in the volume and on three walls.
    pub(crate) fn of(rows: usize) -> anyhow::Result<Self> {
        Self::admitted(synthetic::csv(rows, 0), "scatter_volume")
    }

    /// In a study: each row stands in the volume alone, as the marks of a point cloud do. Rows are evenly spread.
    pub(crate) fn cloud(marks: usize) -> anyhow::Result<Self> {
        use std::fmt::Write as _;
        let mut random = synthetic::Random::new();
        let mut csv = format!("{}\n", COLUMNS.join(","));
        for _ in 0..marks {
            let [a, b, c] = [(); 3].map(|()| random.below(1_000_000));
            writeln!(csv, "{a},{b},{c}")?;
        }
        Self::admitted(csv.into_bytes(), "scatter_stereo")
    }

    fn admitted(csv: Vec<u8>, recipe: &str) -> anyhow::Result<Self> {
        let custody = custody::Shipped::open()?;
        let question = Question {
            text: "How do length, mass and depth go together?".to_owned(),
            purpose: Some(EpistemicPurpose::ClaimBearing),
            foreground: COLUMNS.map(str::to_owned).to_vec(),
            ..Question::default()
        };
        let options = ImportOptions::named("synthetic");
        let prepared = inquiry::prepare(csv, &options, &question, &custody, "bench")
            .map_err(|refusal| told(&refusal))?;
        let (_, graph) = prepared
            .propose(&custody, Some(recipe))
            .map_err(|refusal| told(&refusal))?
            .pop()
            .context("the recipe proposes")?;
        let graph = graph.map_err(|refusal| told(&refusal))?;
        let device = DeviceClass::DesktopMonitor;
        let mut authorities = harness::Told::by(custody.clone());
        let requested = if recipe == "scatter_stereo" {
            authorities.study_runs(harness::grant(GRANT, &graph, &custody));
            let authorization = Some(GRANT.to_owned());
            RequestedUse::Study { authorization }
        } else {
            RequestedUse::Production
        };
        let admission = prepared
            .admit(&graph, &custody, &authorities, device, &requested)
            .map_err(|refused| told(refused.primary()))?;
        let authorities: Arc<dyn Authorities + Send + Sync> = Arc::new(authorities);
        let moment = Moment {
            runtime: Runtime::new("bench"),
            registration: Registration::new(prepared.dataset().fingerprint(), 1),
            activation: prepared.activation().clone(),
            device,
            authorities,
        };
        Ok(Self {
            prepared,
            admission,
            moment,
        })
    }

    pub(crate) fn request(&self, headless: &mut Headless) -> anyhow::Result<()> {
        let now = self.moment.current();
        let authorization = match &self.admission {
            Admission::Production(admitted) => adoption::mint(admitted, "desktop", &now),
            Admission::StudyOnly(admitted) => adoption::mint(admitted, "desktop", &now),
        }
        .map_err(|refusal| told(&refusal))?;
        let leaves = Arc::new(self.prepared.leaves().clone());
        let world = headless.app.world_mut();
        world.resource_mut::<Gate>().request(authorization, leaves);
        Ok(())
    }
}

fn told(refusal: &refusal::Refusal) -> anyhow::Error {
    anyhow!(
        "{} / {}: {}",
        refusal.code(),
        refusal.reason(),
        refusal.cause().text
    )
}

/// One frame to its end on the device, in seconds.
pub(crate) fn frame(headless: &mut Headless) -> anyhow::Result<f64> {
    let start = Instant::now();
    headless.step();
    headless.finish()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Roots that are shown, and all roots.
pub(crate) fn roots(headless: &mut Headless) -> (usize, usize) {
    let world = headless.app.world_mut();
    let mut embodiments = world.query::<&Embodiment>();
    let shown = embodiments.iter(world).filter(|root| root.is_shown()).count();
    (shown, embodiments.iter(world).count())
}

/// Marks that are shown.
pub(crate) fn marks(headless: &mut Headless) -> usize {
    let world = headless.app.world_mut();
    let mut embodiments = world.query::<&Embodiment>();
    embodiments.iter(world).map(Embodiment::mark_count).sum()
}

pub(crate) fn median(times: &[f64]) -> f64 {
    part(times, 0.5)
}

/// The time that this part of them stays below.
pub(crate) fn part(times: &[f64], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = (sorted.len() as f64 * share) as usize;
    sorted.get(at).copied().unwrap_or(f64::NAN)
}
