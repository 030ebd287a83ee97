//! The documents of a study that reads order off free positions in a volume, and the grant they give.

use custody::Custody;
use forma::StudyGrant;
use identity::{Identity, SafeInteger};
use knowledge::Date;
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Predicate;
use representation::Graph;
use study::wire::v1::{AcceptanceBody, AuthorizationBody, ExposureBound};
use study::wire::v2::{FreezeBody, Treatment};
use study::{Acceptance, Authorization, Documents, Freeze, Protocol, control, template};

/// A running study's grant for one treatment, in the general scope.
#[must_use]
pub fn grant(reference: &str, treatment: &Graph, custody: &Custody) -> StudyGrant {
    documents(reference, treatment, custody).terms()
}

/// Protocol, freeze and authorization of that study; for a package to carry.
///
/// # Panics
/// Never: what is made here is whole.
#[must_use]
pub fn documents(reference: &str, treatment: &Graph, custody: &Custody) -> Documents {
    let protocol = Protocol::seal(template()).expect("the template is whole");
    let protocol_id = Identity::parse(&protocol.id().to_string()).expect("one tag");
    let mut control_mappings = Vec::new();
    for channel in ["position_x", "position_y", "position_z"] {
        for harm in ["", ":depth-monitor@1"] {
            let named = control(&format!("{channel}:FREE_VOLUME:ORDER{harm}"));
            control_mappings.push(named.expect("these are words"));
        }
    }
    control_mappings.sort();
    let graph = treatment.body();
    let exposure = ExposureBound {
        max_seconds: SafeInteger::from(600),
        max_exposures: SafeInteger::from(4),
    };
    let devices = vec![
        DeviceClass::DesktopMonitor,
        DeviceClass::PcvrHeadset,
        DeviceClass::StandaloneHeadset,
    ];
    let freeze = Freeze::seal(FreezeBody {
        protocol_id,
        treatments: vec![Treatment {
            condition: "stereo".to_owned(),
            graph_id: treatment.id(),
            snapshot_id: graph.snapshot_id,
            context_id: graph.context_id,
            obligation_set_id: graph.obligation_set_id,
        }],
        control_mappings,
        accepted_contraindications: vec!["depth-monitor@1".to_owned()],
        withheld_claims: vec![Predicate::Order],
        exposure,
        devices: devices.clone(),
        scope: custody.pins().scope.clone(),
        knowledge_manifest_id: custody.manifest().id(),
        compiler_ref: custody.pins().compiler.clone(),
    })
    .expect("it is whole");
    let acceptance = Acceptance::seal(AcceptanceBody {
        protocol: protocol.to_wire(),
        freeze: freeze.to_wire(),
        accepted_by: "The review board".to_owned(),
        accepted_on: day("2026-11-20"),
        ethics_approval: "Vote 7 of 2026".to_owned(),
    })
    .expect("it is whole");
    let authorization = Authorization::seal(AuthorizationBody {
        reference: reference.to_owned(),
        protocol_id,
        freeze_id: Identity::parse(&freeze.id().to_string()).expect("one tag"),
        authorized_by: "The head of the laboratory".to_owned(),
        scope: custody.pins().scope.clone(),
        devices,
        exposure,
        valid_from: day("2026-12-01"),
        expires_on: day("2027-02-28"),
    })
    .expect("it is whole");
    Documents::of(&acceptance, &authorization).expect("they belong together")
}

fn day(text: &str) -> Date {
    text.parse().expect("a day")
}
