//! Requests, the staged view, the view in force.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use adoption::{Adopted, ExecutionAuthorization};
use bevy::prelude::*;
use identity::Digest;
use kernels::leaf::Columns;
use refusal::{Reason, Refusal, Stage};
use stage::{DeviceLost, Shown, Staged};

use crate::Moment;

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
    authorization: ExecutionAuthorization,
    leaves: Arc<BTreeMap<Digest, Columns>>,
}

/// The one place where views are adopted. At most one is in force, at most one is staged.
#[derive(Resource, Default)]
#[allow(missing_debug_implementations, reason = "requests hold whole leaves")]
pub struct Gate {
    requests: VecDeque<Request>,
    staged: Option<(Staged, ExecutionAuthorization)>,
    in_force: Option<(Shown, Adopted)>,
}

impl Gate {
    /// Asks for an authorized view with the rows it draws. Requests are taken one after the other; what became of each
    /// is told by an [`Outcome`].
    pub fn request(&mut self, authorization: ExecutionAuthorization, leaves: Arc<BTreeMap<Digest, Columns>>) {
        self.requests.push_back(Request {
            authorization,
            leaves,
        });
    }

    /// The view in force.
    #[must_use]
    pub fn in_force(&self) -> Option<&Adopted> {
        self.in_force.as_ref().map(|(_, adopted)| adopted)
    }

    /// Whether no request is waiting or staged.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.requests.is_empty() && self.staged.is_none()
    }

    fn pass(&mut self, world: &mut World, moment: Option<&Moment>) {
        self.recheck(world, moment);
        self.swap(world, moment);
        self.stage_next(world);
    }

    fn recheck(&mut self, world: &mut World, moment: Option<&Moment>) {
        let Some((shown, adopted)) = self.in_force.take() else {
            return;
        };
        let standing = match (world.get_resource::<DeviceLost>(), moment) {
            (Some(lost), _) => Err(device_lost(lost)),
            (None, None) => Err(nobody_says()),
            (None, Some(moment)) => adopted.recheck(&moment.current()),
        };
        match standing {
            Ok(()) => self.in_force = Some((shown, adopted)),
            Err(refusal) => {
                let revoked = adopted.revoke(refusal);
                stage::refuse(world, Some(shown), revoked.refusal.clone());
                world.write_message(Outcome::Revoked(Box::new(revoked.refusal)));
            }
        }
    }

    fn swap(&mut self, world: &mut World, moment: Option<&Moment>) {
        let Some((staged, authorization)) = self.staged.take() else {
            return;
        };
        match stage::is_ready(world, &staged) {
            Ok(true) => {}
            Ok(false) => {
                self.staged = Some((staged, authorization));
                return;
            }
            Err(error) => {
                stage::release_staged(world, staged);
                self.refuse(world, error.refusal().during(Stage::AdoptionRecheck));
                return;
            }
        }
        let adoption = match moment {
            Some(moment) => authorization.adopt(&moment.current()),
            None => Err(nobody_says()),
        };
        let adopted = match adoption {
            Ok(adopted) => adopted,
            Err(refusal) => {
                stage::release_staged(world, staged);
                self.refuse(world, refusal);
                return;
            }
        };
        let (old_shown, old_adopted) = self.in_force.take().unzip();
        match stage::show(world, staged, &adopted, old_shown) {
            Ok(shown) => {
                world.write_message(Outcome::Adopted {
                    record: adopted.record().id().to_string(),
                    variant: adopted.variant().name.clone(),
                });
                self.in_force = Some((shown, adopted));
            }
            Err((error, old_shown)) => {
                self.in_force = old_shown.zip(old_adopted);
                self.refuse(world, error.refusal());
            }
        }
    }

    fn stage_next(&mut self, world: &mut World) {
        if self.staged.is_some() {
            return;
        }
        let Some(Request {
            authorization,
            leaves,
        }) = self.requests.pop_front()
        else {
            return;
        };
        match stage::stage(world, &authorization, &leaves) {
            Ok(staged) => self.staged = Some((staged, authorization)),
            Err(error) => self.refuse(world, error.refusal()),
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

/// One pass a frame.
pub(crate) fn pass(world: &mut World) {
    // Both are put back after the pass, so that the gate can borrow the world.
    let Some(mut gate) = world.remove_resource::<Gate>() else {
        return;
    };
    let moment = world.get_resource::<Moment>().cloned();
    gate.pass(world, moment.as_ref());
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
