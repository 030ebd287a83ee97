//! An app without a renderer around an admitted world.

use std::collections::BTreeMap;
use std::sync::Arc;

use adoption::{ExecutionAuthorization, Registration, Runtime};
use adoption_gate::{AdoptionGatePlugin, Gate, Moment, Outcome};
use bevy::prelude::*;
use evidence::Disposition;
use forma::Admission;
use harness::World as Known;
use identity::Digest;
use kernels::leaf::Columns;
use knowledge::wire::v1::DeviceClass;
use stage::{EmbodiedElement, Embodiment, StagePlugin};

pub(crate) struct Rig {
    pub(crate) app: App,
    pub(crate) known: Known,
    pub(crate) admission: Admission,
    told: Vec<Outcome>,
}

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
        let moment = self.app.world().resource::<Moment>().clone();
        let Admission::Production(admitted) = &self.admission else {
            panic!("admitted for production")
        };
        adoption::mint(admitted, "desktop", &moment.current()).unwrap_or_else(|refusal| panic!("{refusal}"))
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
        let Admission::Production(admitted) = &self.admission else {
            panic!("admitted for production")
        };
        let variants = &admitted.plan().body().variants;
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
        for receipt in self.known.receipts.receipts.clone() {
            self.known
                .told
                .receipt(&receipt.receipt_id, Disposition::Withdrawn { revision: 9 });
        }
        let authorities = Arc::new(self.known.told.clone());
        self.app.world_mut().resource_mut::<Moment>().authorities = authorities;
    }
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
