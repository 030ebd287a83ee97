//! An app without a renderer around an admitted world. The falsifiers of the journeys use it, too.

#![allow(dead_code, reason = "each of its two users needs a part of it")]

use std::collections::BTreeMap;
use std::sync::Arc;

use adoption::{ExecutionAuthorization, Registration, Runtime};
use adoption_gate::{AdoptionGatePlugin, Gate, Moment, Outcome, RefusedState};
use bevy::prelude::*;
use evidence::Disposition;
use forma::{Admission, Answer, DecisionStanding};
use harness::{Spec, Told, World as Known};
use identity::Digest;
use kernels::leaf::Columns;
use knowledge::wire::v1::DeviceClass;
use refusal::{Reason, Refusal};
use stage::{EmbodiedElement, Embodiment, StagePlugin};

pub(crate) struct Rig {
    pub(crate) app: App,
    pub(crate) known: Known,
    pub(crate) admission: Admission,
    told: Vec<Outcome>,
}

/// The study's authorization in [`Rig::study`].
pub(crate) const GRANT: &str = "study-7";

impl Rig {
    /// An app without a renderer over a world of flowers that was admitted.
    pub(crate) fn new() -> Self {
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin));
        app.add_plugins((
            StagePlugin::new().expect("the font is bundled"),
            AdoptionGatePlugin,
        ));
        Self::around(app, Known::flowers())
    }

    /// The same over a world that was admitted for a study.
    pub(crate) fn study() -> Self {
        let Self { mut app, .. } = Self::new();
        app.insert_resource(Gate::default());
        let mut known = Known::of(&Spec {
            recipe: "scatter_stereo",
            ..Spec::flowers()
        });
        known.grant_study(GRANT);
        Self::around(app, known)
    }

    /// The same facts in an app that is there already.
    pub(crate) fn around(mut app: App, known: Known) -> Self {
        app.insert_resource(moment(&known));
        let admission = known.admitted();
        Self {
            app,
            known,
            admission,
            told: Vec::new(),
        }
    }

    /// An authorization for the desktop variant, as things stand.
    pub(crate) fn mint(&self) -> ExecutionAuthorization {
        self.try_mint().unwrap_or_else(|refusal| panic!("{refusal}"))
    }

    pub(crate) fn try_mint(&self) -> Result<ExecutionAuthorization, Refusal> {
        self.mint_from(&self.admission)
    }

    /// The same from any admission.
    pub(crate) fn mint_from(&self, admission: &Admission) -> Result<ExecutionAuthorization, Refusal> {
        let moment = self.moment();
        match admission {
            Admission::Production(admitted) => adoption::mint(admitted, "desktop", &moment.current()),
            Admission::StudyOnly(admitted) => adoption::mint(admitted, "desktop", &moment.current()),
        }
    }

    pub(crate) fn moment(&self) -> Moment {
        self.app.world().resource::<Moment>().clone()
    }

    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Moment)) {
        change(&mut self.app.world_mut().resource_mut::<Moment>());
    }

    /// Changes what the outside says, as when its owner spoke.
    pub(crate) fn tell(&mut self, change: impl FnOnce(&mut Told)) {
        change(&mut self.known.told);
        let authorities = Arc::new(self.known.told.clone());
        self.change(|moment| moment.authorities = authorities);
    }

    /// How every receipt stands from now on.
    pub(crate) fn receipts_stand(&mut self, standing: &Disposition) {
        let ids: Vec<String> = self
            .known
            .receipts
            .receipts
            .iter()
            .map(|receipt| receipt.receipt_id.clone())
            .collect();
        self.tell(|told| {
            for id in &ids {
                told.receipt(id, standing.clone());
            }
        });
    }

    /// A decision that the desktop variant rests on.
    pub(crate) fn decision(&self) -> String {
        let body = self.admission.record().body();
        body.perceptual_qualifications
            .iter()
            .filter(|entry| entry.variant == "desktop" && entry.required)
            .filter_map(|entry| entry.decision.clone())
            .find(|decision| decision.contains("qualification"))
            .expect("production rests on a decision")
    }

    pub(crate) fn decision_stands(&mut self, decision: &str, standing: DecisionStanding) {
        self.tell(|told| told.decision_is(decision, Answer::Known(standing)));
    }

    /// Every entity there is.
    pub(crate) fn entities(&mut self) -> usize {
        let world = self.app.world_mut();
        world.query::<Entity>().iter(world).count()
    }

    /// What is in force, by result.
    pub(crate) fn in_force(&self) -> Option<String> {
        let gate = self.app.world().resource::<Gate>();
        gate.in_force().map(|adopted| adopted.record().id().to_string())
    }

    /// What stands in the view's place.
    pub(crate) fn refused(&self) -> Option<Refusal> {
        let state = self.app.world().get_resource::<RefusedState>();
        state.map(|state| state.refusal.clone())
    }

    pub(crate) fn request(&mut self) {
        let authorization = self.mint();
        self.request_with(authorization, self.known.leaves.clone());
    }

    pub(crate) fn request_with(
        &mut self,
        authorization: ExecutionAuthorization,
        leaves: BTreeMap<Digest, Columns>,
    ) {
        self.app
            .world_mut()
            .resource_mut::<Gate>()
            .request(authorization, Arc::new(leaves));
    }

    /// One frame; keeps what was told in it.
    pub(crate) fn frame(&mut self) {
        self.app.update();
        self.told
            .extend(self.app.world_mut().resource_mut::<Messages<Outcome>>().drain());
    }

    /// Frames until no request waits.
    pub(crate) fn settle(&mut self) {
        for _ in 0..16 {
            self.frame();
            if self.app.world().resource::<Gate>().is_idle() {
                return;
            }
        }
        panic!("a request is still waiting after 16 frames");
    }

    /// What was told since this was asked last.
    pub(crate) fn told(&mut self) -> Vec<Outcome> {
        std::mem::take(&mut self.told)
    }

    /// The shown root, and how many roots there are.
    pub(crate) fn roots(&mut self) -> (Option<Entity>, usize) {
        let world = self.app.world_mut();
        let mut roots = world.query::<(Entity, &Embodiment)>();
        let shown: Vec<Entity> = roots
            .iter(world)
            .filter(|(_, root)| root.is_shown())
            .map(|(entity, _)| entity)
            .collect();
        assert!(shown.len() <= 1, "two views are shown");
        (shown.first().copied(), roots.iter(world).count())
    }

    pub(crate) fn elements(&mut self) -> usize {
        let world = self.app.world_mut();
        world.query::<&EmbodiedElement>().iter(world).count()
    }

    /// Elements of the admitted desktop variant.
    pub(crate) fn planned_elements(&self) -> usize {
        let variants = &self.admission.plan().body().variants;
        variants
            .iter()
            .find(|variant| variant.name == "desktop")
            .expect("it has one")
            .backend
            .elements
            .len()
    }

    /// Activates the same question again: what was minted before is stale.
    pub(crate) fn activate_again(&mut self) {
        let node = self.known.context.body().node_id.clone();
        let activation = self
            .known
            .investigation
            .activate(&node)
            .expect("the node was committed");
        self.app.world_mut().resource_mut::<Moment>().activation = activation;
    }

    /// The owner withdraws every receipt.
    pub(crate) fn withdraw_evidence(&mut self) {
        self.receipts_stand(&Disposition::Withdrawn { revision: 9 });
    }
}

/// What was told, by kind and reason.
pub(crate) fn reasons(told: &[Outcome]) -> Vec<(&'static str, Option<Reason>)> {
    let reason = |refusal: &Refusal| Some(refusal.reason());
    told.iter()
        .map(|outcome| match outcome {
            Outcome::Adopted { .. } => ("adopted", None),
            Outcome::Refused(refusal) => ("refused", reason(refusal)),
            Outcome::Revoked(refusal) => ("revoked", reason(refusal)),
        })
        .collect()
}

pub(crate) fn moment(known: &Known) -> Moment {
    Moment {
        runtime: Runtime::new("this run"),
        registration: Registration::new(known.dataset.fingerprint(), 1),
        activation: known.activation.clone(),
        device: DeviceClass::DesktopMonitor,
        authorities: Arc::new(known.told.clone()),
    }
}
