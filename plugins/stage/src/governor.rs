//! Which of several admitted variants this device can carry: decided by what was measured, recorded with its reason.
//!
//! It never makes a variant, and never draws fewer marks than one has: it takes authorizations, each for a variant that
//! was admitted, and stages the one with the most marks that fits. What fits is what the device has buffers for, what
//! the [`Budget`] has bytes for, and what was not measured to be too slow in this run. A variant that was never shown is
//! not guessed at. Where nothing fits, that is the answer, and what was shown stays.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::time::Duration;

use adoption::ExecutionAuthorization;
use bevy::prelude::*;
use bevy::render::renderer::RenderDevice;
use identity::Digest;
use kernels::leaf::Columns;
use refusal::{Reason, Refusal, Stage};

use crate::StageError;
use crate::embodiment::Embodiment;
use crate::staging::{Staged, release_staged, stage};

/// What a view may cost. Without a bound, only the device's own limits count.
#[derive(Resource, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Bytes on the device for what one view draws.
    pub view_bytes: Option<u64>,
    /// Time from frame to frame, the median of [`Measured::frames`].
    pub frame: Option<Duration>,
}

/// What was measured of the view that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    /// Marks it draws.
    pub n_marks: usize,
    /// Bytes of its buffers and textures.
    pub view_bytes: usize,
    /// Bytes that everything on the device takes, where the driver's allocator counts them.
    pub device_bytes: Option<u64>,
    /// Frames in the window.
    pub frames: usize,
    /// Median time from frame to frame, once the window is full: with a display that is waited for, its pace at best.
    pub frame: Option<Duration>,
}

/// A variant that was not taken, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// Its name in the plan.
    pub variant: String,
    /// Marks it draws.
    pub n_marks: u64,
    /// Why.
    pub why: WhyNot,
}

/// Why a variant was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The device has no buffers for it, in the words of the stage.
    Device(String),
    /// It needs more bytes than the budget has.
    Bytes {
        /// As built.
        needed: u64,
        /// By the budget.
        allowed: u64,
    },
    /// It was measured to be too slow in this run, or one with no more marks was.
    Slow {
        /// Median time from frame to frame.
        measured: Duration,
        /// By the budget.
        allowed: Duration,
    },
}

/// What was decided, for whoever shows it.
#[derive(Resource, Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Name of the variant that was staged; none when nothing fits.
    pub variant: Option<String>,
    /// Marks it draws.
    pub n_marks: u64,
    /// Bytes of its buffers and textures, as built.
    pub view_bytes: u64,
    /// Larger ones, or all when nothing fits, in the order in which they were considered.
    pub passed_over: Vec<PassedOver>,
    /// What was known when it was decided.
    pub measured: Measured,
    /// The budget it was decided by.
    pub budget: Budget,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(why) => write!(f, "{why}"),
            Self::Bytes { needed, allowed } => {
                write!(
                    f,
                    "it needs {needed} bytes on the device, and {allowed} are allowed"
                )
            }
            Self::Slow { measured, allowed } => write!(
                f,
                "a frame took {:.1} ms at the median, and {:.1} ms are allowed",
                measured.as_secs_f64() * 1e3,
                allowed.as_secs_f64() * 1e3
            ),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.variant {
            Some(variant) => write!(
                f,
                "Variant {variant} is shown: {} marks in {} bytes on the device",
                self.n_marks, self.view_bytes
            )?,
            None => write!(f, "No variant fits")?,
        }
        for passed in &self.passed_over {
            let PassedOver {
                variant,
                n_marks,
                why,
            } = passed;
            write!(f, "; {variant} with {n_marks} marks was passed over: {why}")?;
        }
        write!(f, ".")
    }
}

/// Frames whose median counts.
pub(crate) const WINDOW: usize = 31;

/// Frames after a swap that do not count: buffers are filled in them.
const SETTLING: u32 = 3;

/// Watches what views cost.
#[derive(Resource, Debug, Default)]
pub struct Governor {
    watched: Option<Watched>,
    /// Views that were too slow, by the digest of their backend plan: marks, and the median.
    slow: BTreeMap<Digest, (u64, Duration)>,
}

#[derive(Debug)]
struct Watched {
    number: u64,
    settling: u32,
    frames: VecDeque<Duration>,
    measured: Measured,
}

impl Governor {
    /// What was measured of the view that is shown; nothing when none is.
    #[must_use]
    pub fn measured(&self) -> Option<Measured> {
        self.watched.as_ref().map(|watched| watched.measured)
    }

    /// Takes in one frame of a view.
    fn frame(&mut self, shown: &Embodiment, took: Duration, budget: &Budget) {
        let watched = match &mut self.watched {
            Some(watched) if watched.number == shown.number => watched,
            other => other.insert(Watched {
                number: shown.number,
                settling: SETTLING,
                frames: VecDeque::new(),
                measured: Measured {
                    n_marks: shown.mark_count(),
                    view_bytes: shown.device_bytes(),
                    ..Measured::default()
                },
            }),
        };
        if watched.settling > 0 {
            watched.settling -= 1;
            return;
        }
        if watched.frames.len() == WINDOW {
            watched.frames.pop_front();
        }
        watched.frames.push_back(took);
        watched.measured.frames = watched.frames.len();
        if watched.frames.len() < WINDOW {
            return;
        }
        let median = median(&watched.frames);
        watched.measured.frame = Some(median);
        if let (Some(backend), Some(allowed)) = (shown.backend, budget.frame)
            && median > allowed
        {
            self.slow.insert(backend, (shown.mark_count() as u64, median));
        }
    }

    /// Why a variant is too slow, as far as that was measured.
    fn too_slow(&self, backend: Digest, n_marks: u64, budget: &Budget) -> Option<WhyNot> {
        let allowed = budget.frame?;
        let itself = self.slow.get(&backend).map(|(_, measured)| *measured);
        // Whoever draws at least as many marks is not expected to be faster.
        let smaller = || {
            self.slow
                .values()
                .find(|(marks, _)| *marks <= n_marks)
                .map(|(_, measured)| *measured)
        };
        let measured = itself.or_else(smaller).filter(|measured| *measured > allowed)?;
        Some(WhyNot::Slow { measured, allowed })
    }
}

fn median(frames: &VecDeque<Duration>) -> Duration {
    let mut sorted: Vec<Duration> = frames.iter().copied().collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Measures the frame that ends now.
pub(crate) fn watch(
    mut governor: ResMut<Governor>,
    budget: Res<Budget>,
    time: Option<Res<Time<Real>>>,
    embodiments: Query<&Embodiment>,
    device: Option<Res<RenderDevice>>,
) {
    let Some(shown) = embodiments.iter().find(|embodiment| embodiment.is_shown()) else {
        governor.watched = None;
        return;
    };
    let took = time.map_or(Duration::ZERO, |time| time.delta());
    governor.frame(shown, took, &budget);
    // The allocator's report is a walk over all it holds: once a window is enough.
    if let (Some(watched), Some(device)) = (&mut governor.watched, device)
        && watched.measured.frames == WINDOW
        && watched.measured.device_bytes.is_none()
    {
        let report = device.wgpu_device().generate_allocator_report();
        watched.measured.device_bytes = report.map(|report| report.total_allocated_bytes);
    }
}

/// What is known of a variant before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) variant: String,
    pub(crate) n_marks: u64,
    pub(crate) backend: Digest,
}

impl Governor {
    /// Goes from the most marks to the fewest, of as many in the order given, and takes the first that fits. `build`
    /// makes one and says its bytes, or why the device can't; `drop` takes back what was built and is too large.
    pub(crate) fn choose<B, E>(
        &self,
        candidates: &[Candidate],
        budget: Budget,
        mut build: impl FnMut(usize) -> Result<Result<(B, u64), String>, E>,
        mut drop: impl FnMut(B),
    ) -> Result<(Option<(usize, B)>, Choice), E> {
        let mut choice = Choice {
            variant: None,
            n_marks: 0,
            view_bytes: 0,
            passed_over: Vec::new(),
            measured: self.measured().unwrap_or_default(),
            budget,
        };
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(candidates[*at].n_marks));
        for at in order {
            let Candidate {
                variant,
                n_marks,
                backend,
            } = candidates[at].clone();
            let why = match self.too_slow(backend, n_marks, &budget) {
                Some(slow) => slow,
                None => match build(at)? {
                    Err(why) => WhyNot::Device(why),
                    Ok((built, needed)) => match budget.view_bytes.filter(|allowed| needed > *allowed) {
                        Some(allowed) => {
                            drop(built);
                            WhyNot::Bytes { needed, allowed }
                        }
                        None => {
                            (choice.variant, choice.n_marks, choice.view_bytes) =
                                (Some(variant), n_marks, needed);
                            return Ok((Some((at, built)), choice));
                        }
                    },
                },
            };
            choice.passed_over.push(PassedOver {
                variant,
                n_marks,
                why,
            });
        }
        Ok((None, choice))
    }
}

/// Stages the variant with the most marks that fits; of several with as many, the one that is named first. What was
/// decided is recorded as the app's [`Choice`].
///
/// # Errors
/// A [`Refusal`] with `RESOURCE_UNSATISFIABLE` when nothing fits, and the stage's own when one can't be staged for another
/// reason than its size. Nothing is left staged then, and what is shown stays.
pub fn stage_best(
    world: &mut World,
    mut authorizations: Vec<ExecutionAuthorization>,
    leaves: &BTreeMap<Digest, Columns>,
) -> Result<(Staged, ExecutionAuthorization), Refusal> {
    let budget = *world.get_resource_or_init::<Budget>();
    // It is put back below, so that building can borrow the world.
    let governor = world.remove_resource::<Governor>().unwrap_or_default();
    let candidates: Vec<Candidate> = authorizations
        .iter()
        .map(|authorization| {
            let variant = authorization.variant();
            Candidate {
                variant: variant.name.clone(),
                n_marks: u64::try_from(variant.mark_count.get()).unwrap_or(0),
                backend: variant.backend_digest,
            }
        })
        .collect();
    let mut too_large = Vec::new();
    let chosen = governor.choose(
        &candidates,
        budget,
        |at| match stage(world, &authorizations[at], leaves) {
            Ok(staged) => {
                let bytes = staged.bytes(world);
                Ok(Ok((staged, bytes)))
            }
            Err(error @ StageError::OverBudget { .. }) => Ok(Err(error.to_string())),
            Err(error) => Err(error.refusal()),
        },
        |staged| too_large.push(staged),
    );
    world.insert_resource(governor);
    for staged in too_large {
        release_staged(world, staged);
    }
    let (chosen, choice) = chosen?;
    let told = choice.to_string();
    world.insert_resource(choice);
    match chosen {
        Some((at, staged)) => Ok((staged, authorizations.swap_remove(at))),
        None => Err(
            Refusal::new(Stage::Budget, Reason::OverBudget, format!("Can't draw: {told}")).next(
                "Choose a variant for a smaller device, or ask about less; nothing is sampled in silence.",
            ),
        ),
    }
}
