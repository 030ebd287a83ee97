//! Requests, the staged view, the view in force.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use adoption::{Adopted, ExecutionAuthorization};
use bevy::prelude::*;
use identity::Digest;
use kernels::leaf::Columns;
use refusal::{Reason, Refusal, Stage};
use stage::{DeviceLost, Shown, Staged};

use crate::{AuthorityLost, Moment};

/// What became of a request, or of the view in force.
#[derive(Message, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The request's view is in force now.
    Adopted {
        /// Identity of the result it rests on.
        record: String,
        /// Variant.
        variant: String,
    },
    /// The request was refused; what was in force stays.
    Refused(Box<Refusal>),
    /// The view in force went, and nothing took its place.
    Revoked(Box<Refusal>),
}

struct Request {
    /// For one variant or several, of which one is to be shown.
    authorizations: Vec<ExecutionAuthorization>,
    leaves: Arc<BTreeMap<Digest, Columns>>,
}

/// A view in force, with the app's time when it came into force.
struct InForce {
    shown: Shown,
    adopted: Adopted,
    since: Duration,
}

/// The one place where views are adopted. At most one is in force, at most one is staged.
#[derive(Resource, Default)]
#[allow(missing_debug_implementations, reason = "requests hold whole leaves")]
pub struct Gate {
    requests: VecDeque<Request>,
    staged: Option<(Staged, ExecutionAuthorization)>,
    in_force: Option<InForce>,
}

impl Gate {
    /// Asks for an authorized view with the rows it draws. Requests are taken one after the other; what became of each
    /// is told by an [`Outcome`].
    pub fn request(&mut self, authorization: ExecutionAuthorization, leaves: Arc<BTreeMap<Digest, Columns>>) {
        self.request_best(vec![authorization], leaves);
    }

    /// Asks for one of several authorized variants: the one with the most marks that the device can carry, see
    /// [`stage::stage_best`]. Those that could no longer be adopted are left out. An empty list asks for nothing.
    pub fn request_best(
        &mut self,
        authorizations: Vec<ExecutionAuthorization>,
        leaves: Arc<BTreeMap<Digest, Columns>>,
    ) {
        if !authorizations.is_empty() {
            self.requests.push_back(Request {
                authorizations,
                leaves,
            });
        }
    }

    /// The view in force.
    #[must_use]
    pub fn in_force(&self) -> Option<&Adopted> {
        self.in_force.as_ref().map(|in_force| &in_force.adopted)
    }

    /// Whether no request is waiting or staged.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.requests.is_empty() && self.staged.is_none()
    }

    fn pass(&mut self, world: &mut World, now: &Now) {
        self.recheck(world, now);
        self.swap(world, now);
        self.stage_next(world, now);
    }

    fn recheck(&mut self, world: &mut World, now: &Now) {
        let Some(in_force) = self.in_force.take() else {
            return;
        };
        let seconds = now.elapsed.saturating_sub(in_force.since).as_secs();
        let standing = now
            .moment()
            .and_then(|moment| in_force.adopted.recheck(&moment.current()))
            .and_then(|()| in_force.adopted.exposed_for(seconds));
        match standing {
            Ok(()) => self.in_force = Some(in_force),
            Err(refusal) => {
                let revoked = in_force.adopted.revoke(refusal);
                stage::refuse(world, Some(in_force.shown), revoked.refusal.clone());
                world.write_message(Outcome::Revoked(Box::new(revoked.refusal)));
            }
        }
    }

    /// Adopts what is staged when it is ready; releases it as soon as it can no longer be adopted.
    fn swap(&mut self, world: &mut World, now: &Now) {
        let Some((staged, authorization)) = self.staged.take() else {
            return;
        };
        match stage::is_ready(world, &staged) {
            Ok(true) => {}
            Ok(false) => {
                let standing = now
                    .moment()
                    .and_then(|moment| authorization.recheck(&moment.current()));
                match standing {
                    Ok(()) => self.staged = Some((staged, authorization)),
                    Err(refusal) => {
                        stage::release_staged(world, staged);
                        self.refuse(world, refusal);
                    }
                }
                return;
            }
            Err(error) => {
                stage::release_staged(world, staged);
                self.refuse(world, error.refusal().during(Stage::AdoptionRecheck));
                return;
            }
        }
        let adoption = now
            .moment()
            .and_then(|moment| authorization.adopt(&moment.current()));
        let adopted = match adoption {
            Ok(adopted) => adopted,
            Err(refusal) => {
                stage::release_staged(world, staged);
                self.refuse(world, refusal);
                return;
            }
        };
        let (old_shown, old) = match self.in_force.take() {
            Some(InForce {
                shown,
                adopted,
                since,
            }) => (Some(shown), Some((adopted, since))),
            None => (None, None),
        };
        match stage::show(world, staged, &adopted, old_shown) {
            Ok(shown) => {
                world.write_message(Outcome::Adopted {
                    record: adopted.record().id().to_string(),
                    variant: adopted.variant().name.clone(),
                });
                let since = now.elapsed;
                self.in_force = Some(InForce {
                    shown,
                    adopted,
                    since,
                });
            }
            Err((error, old_shown)) => {
                self.in_force = old_shown.zip(old).map(|(shown, (adopted, since))| InForce {
                    shown,
                    adopted,
                    since,
                });
                self.refuse(world, error.refusal());
            }
        }
    }

    /// Stages the next request that could be adopted as things stand; the others are refused before anything is built.
    fn stage_next(&mut self, world: &mut World, now: &Now) {
        while self.staged.is_none() {
            let Some(Request {
                authorizations,
                leaves,
            }) = self.requests.pop_front()
            else {
                return;
            };
            let staged = now
                .moment()
                .and_then(|moment| still_stand(authorizations, moment))
                .and_then(|standing| stage::stage_best(world, standing, &leaves));
            match staged {
                Ok(staged) => self.staged = Some(staged),
                Err(refusal) => self.refuse(world, refusal),
            }
        }
    }

    /// Tells of a refused request; where nothing is in force, its reason stands in the view's place.
    fn refuse(&self, world: &mut World, refusal: Refusal) {
        if self.in_force.is_none() {
            stage::refuse(world, None, refusal.clone());
        }
        world.write_message(Outcome::Refused(Box::new(refusal)));
    }
}

/// Those that could be adopted as things stand; when none could, why the first could not.
fn still_stand(
    authorizations: Vec<ExecutionAuthorization>,
    moment: &Moment,
) -> Result<Vec<ExecutionAuthorization>, Refusal> {
    let (mut standing, mut first) = (Vec::new(), None);
    for authorization in authorizations {
        match authorization.recheck(&moment.current()) {
            Ok(()) => standing.push(authorization),
            Err(refusal) => first = first.or(Some(refusal)),
        }
    }
    match first {
        Some(refusal) if standing.is_empty() => Err(refusal),
        _ => Ok(standing),
    }
}

/// What one pass judges by: the moment, or why there is none to judge by.
struct Now {
    moment: Option<Moment>,
    lost: Option<Refusal>,
    elapsed: Duration,
}

impl Now {
    fn of(world: &World) -> Self {
        let device = world.get_resource::<DeviceLost>().map(device_lost);
        let authority = world.get_resource::<AuthorityLost>();
        Self {
            moment: world.get_resource::<Moment>().cloned(),
            lost: device.or_else(|| authority.map(|lost| lost.refusal.clone())),
            elapsed: world
                .get_resource::<Time<Real>>()
                .map_or(Duration::ZERO, Time::elapsed),
        }
    }

    fn moment(&self) -> Result<&Moment, Refusal> {
        match (&self.lost, &self.moment) {
            (Some(lost), _) => Err(lost.clone()),
            (None, None) => Err(nobody_says()),
            (None, Some(moment)) => Ok(moment),
        }
    }
}

/// One pass a frame.
pub(crate) fn pass(world: &mut World) {
    // It is put back after the pass, so that the gate can borrow the world.
    let Some(mut gate) = world.remove_resource::<Gate>() else {
        return;
    };
    let now = Now::of(world);
    gate.pass(world, &now);
    world.insert_resource(gate);
}

fn nobody_says() -> Refusal {
    Refusal::new(
        Stage::AdoptionRecheck,
        Reason::DispositionUnknown,
        "Nobody says what is so right now: no dataset is registered, no question is active.",
    )
    .next("Register the dataset and activate the question, then ask again.")
}

fn device_lost(lost: &DeviceLost) -> Refusal {
    Refusal::new(
        Stage::AdoptionRecheck,
        Reason::NoGraphicsDevice,
        format!("The graphics device was lost: {}.", lost.why),
    )
    .next("Start the program again; the package is unchanged.")
}
