//! From a package that is looked at to a request at the adoption gate: the same way for a picture and for the window.

use std::sync::Arc;

use adoption::{ExecutionAuthorization, Registration, Runtime};
use adoption_gate::{AdoptionGatePlugin, Gate, Moment};
use bevy::prelude::*;
use forma::Admission;
use investigation::Investigation;
use refusal::Refusal;

use crate::runtime;
use crate::viewed::Viewed;

/// Restores the investigation, registers the dataset, mints an authorization and asks the gate for the view.
///
/// # Errors
/// The refusal of the lineage, or of the mint.
pub(crate) fn request(app: &mut App, viewed: &Viewed) -> Result<(), Refusal> {
    let moment = moment(viewed)?;
    let authorization = mint(viewed, &moment)?;
    app.add_plugins(AdoptionGatePlugin);
    app.insert_resource(moment);
    let leaves = Arc::new(viewed.readmitted.leaves().clone());
    app.world_mut()
        .resource_mut::<Gate>()
        .request(authorization, leaves);
    Ok(())
}

/// What is so right now: this run, the dataset of the package, its active question, its device, the program's custody.
fn moment(viewed: &Viewed) -> Result<Moment, Refusal> {
    let history = viewed.opened.history();
    let mut investigation = Investigation::from_lineage(history.to_lineage(), runtime::instance())
        .map_err(|error| error.refusal())?;
    let activation = investigation
        .activate(history.active_node_id())
        .map_err(|error| error.refusal())?;
    let fingerprint = viewed.opened.snapshot().body().analytical_dataset_fingerprint;
    Ok(Moment {
        runtime: Runtime::new(runtime::instance()),
        registration: Registration::new(fingerprint, 1),
        activation,
        device: viewed.device,
        authorities: Arc::new(viewed.custody.clone()),
    })
}

fn mint(viewed: &Viewed, moment: &Moment) -> Result<ExecutionAuthorization, Refusal> {
    let variant = &viewed.variant()?.name;
    match &viewed.readmitted.admission {
        Admission::Production(admitted) => adoption::mint(admitted, variant, &moment.current()),
        Admission::StudyOnly(admitted) => adoption::mint(admitted, variant, &moment.current()),
    }
}
