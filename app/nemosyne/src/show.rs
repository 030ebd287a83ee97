//! From a package that is looked at to a request at the adoption gate: the same way for a picture and for the window.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use adoption::{ExecutionAuthorization, Registration, Runtime};
use adoption_gate::{AdoptionGatePlugin, Authority, Gate, Moment, Watch};
use bevy::prelude::*;
use custody::Folder;
use forma::Admission;
use identity::Digest;
use investigation::Investigation;
use refusal::Refusal;

use crate::runtime;
use crate::viewed::{Inspected, Viewed};

/// Restores the investigation, registers the dataset, mints an authorization and asks the gate for the view.
///
/// # Errors
/// The refusal of the lineage, or of the mint.
pub(crate) fn request(app: &mut App, viewed: &Viewed) -> Result<(), Refusal> {
    let moment = moment(viewed)?;
    let authorization = mint(viewed, &moment)?;
    app.add_plugins(AdoptionGatePlugin);
    app.insert_resource(moment);
    if let Some(folder) = runtime::custody_folder() {
        app.insert_resource(watch(folder));
    }
    let leaves = Arc::new(viewed.readmitted.leaves().clone());
    app.world_mut()
        .resource_mut::<Gate>()
        .request(authorization, leaves);
    Ok(())
}

/// What is drawn as history; kept as long as the app runs.
#[derive(Resource)]
struct Past {
    _drawn: stage::Historical,
}

/// Draws what was recorded, under its mark, past the gate: nothing comes into force.
///
/// # Errors
/// The refusal of the stage.
pub(crate) fn history(app: &mut App, inspected: &Inspected) -> Result<(), Refusal> {
    let drawn = stage::show_history(app.world_mut(), &inspected.history, &inspected.runtime)
        .map_err(|error| error.refusal())?;
    app.insert_resource(Past { _drawn: drawn });
    Ok(())
}

/// Looks at the custody folder once a second, and opens it anew when it or the day changed: what was withdrawn ends in
/// the frame in which that is noticed.
fn watch(folder: PathBuf) -> Watch {
    // Nothing has this digest, so the first look opens the folder again: a change since it was opened counts, too.
    let unseen = Digest::of(b"not looked at yet");
    let look = move || {
        let said = |refusal: Refusal| refusal.cause().text.clone();
        let there = Folder::fingerprint(&folder).map_err(|error| said(error.refusal()))?;
        let today = runtime::today().map_err(said)?;
        Ok::<_, String>(Digest::of(format!("{there} {today}").as_bytes()))
    };
    let open = || runtime::custody().map(|custody| Arc::new(custody) as Authority);
    Watch::new(unseen, Duration::from_secs(1), look, open)
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
