//! Documents, and the permission they give together.

mod documents;
mod grants;

use evidence::wire::v1::PinnedRef;
use identity::{Digest, SafeInteger, identify};
use knowledge::Date;
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Predicate;

use crate::rules::named;
use crate::wire::v1::{AcceptanceBody, AuthorizationBody, ExposureBound};
use crate::wire::v2::{FreezeBody, Treatment};
use crate::{Acceptance, Authorization, Freeze, Protocol, control, template};

/// A day.
fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

fn pin(id: &str) -> PinnedRef {
    PinnedRef {
        id: id.to_owned(),
        version: "1".to_owned(),
        digest: Digest::of(id.as_bytes()),
    }
}

fn exposure(max_seconds: u32, max_exposures: u32) -> ExposureBound {
    ExposureBound {
        max_seconds: SafeInteger::from(max_seconds),
        max_exposures: SafeInteger::from(max_exposures),
    }
}

fn protocol() -> Protocol {
    Protocol::seal(template()).expect("the template is whole")
}

fn treatment(condition: &str, graph: &str) -> Treatment {
    Treatment {
        condition: condition.to_owned(),
        graph_id: identify(graph).expect("a text"),
        snapshot_id: identify("snapshot").expect("a text"),
        context_id: identify("context").expect("a text"),
        obligation_set_id: identify("obligations").expect("a text"),
    }
}

fn freeze_body() -> FreezeBody {
    let mut treatments = vec![treatment("stereo", "one"), treatment("walls", "two")];
    treatments.sort_by_key(|treatment| treatment.graph_id);
    let mut control_mappings = vec![
        control("position_x:FREE_VOLUME:ORDER").expect("it is one"),
        control("position_z:FREE_VOLUME:ORDER:depth-monitor@1").expect("it is one"),
    ];
    control_mappings.sort();
    FreezeBody {
        protocol_id: named(&protocol()),
        treatments,
        control_mappings,
        accepted_contraindications: vec!["depth-monitor@1".to_owned()],
        withheld_claims: vec![Predicate::Order],
        exposure: exposure(600, 4),
        devices: vec![DeviceClass::DesktopMonitor, DeviceClass::PcvrHeadset],
        scope: pin("scope"),
        knowledge_manifest_id: identify("knowledge").expect("a text"),
        compiler_ref: pin("compiler"),
    }
}

fn freeze() -> Freeze {
    Freeze::seal(freeze_body()).expect("it is whole")
}

fn acceptance_body() -> AcceptanceBody {
    AcceptanceBody {
        protocol: protocol().to_wire(),
        freeze: freeze().to_wire(),
        accepted_by: "The review board".to_owned(),
        accepted_on: day("2026-11-20"),
        ethics_approval: "Vote 7 of 2026".to_owned(),
    }
}

fn acceptance() -> Acceptance {
    Acceptance::seal(acceptance_body()).expect("it is whole")
}

fn authorization_body() -> AuthorizationBody {
    AuthorizationBody {
        reference: "depth-1".to_owned(),
        protocol_id: named(&protocol()),
        freeze_id: named(&freeze()),
        authorized_by: "The head of the laboratory".to_owned(),
        scope: pin("scope"),
        devices: vec![DeviceClass::DesktopMonitor],
        exposure: exposure(300, 2),
        valid_from: day("2026-12-01"),
        expires_on: day("2027-02-28"),
    }
}

fn authorization() -> Authorization {
    Authorization::seal(authorization_body()).expect("it is whole")
}
