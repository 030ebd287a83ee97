//! Edits that an artifact or a manifest may not carry; `refused` runs the unedited bytes as the control.

use serde_json::{Value, json};

use super::{manifest, refused, table};
use crate::KnowledgeError;
use crate::artifact::is_date;
use crate::wire::v1::EntryKind;

type Edit = fn(&mut Value);

#[test]
fn artifacts_keep_the_rules_of_their_kind() {
    let monitor = "qualifications/position-order-monitor.json";
    let harm = "contraindications/depth-monitor.json";
    let capability = "policies/capability-v1.json";
    let policy = "policies/qualification-v1.json";
    let scope = "policies/scope-v1.json";
    let cases: &[(&str, Edit, &str)] = &[
        (
            monitor,
            |v| v["claims"] = json!([]),
            "names its claims, tasks and devices",
        ),
        (
            monitor,
            |v| v["devices"] = json!([]),
            "names its claims, tasks and devices",
        ),
        (
            monitor,
            |v| v["tasks"] = json!([]),
            "names its claims, tasks and devices",
        ),
        (monitor, |v| v["mappings"] = json!([]), "at least one mapping"),
        (monitor, |v| v["limitations"] = json!([]), "states its limits"),
        (monitor, |v| v["evidence"] = json!([]), "cites what it rests on"),
        (
            monitor,
            |v| v["evidence"] = json!(["forma-result-v1:0123", " study-freeze-v2:4567"]),
            "evidence about people",
        ),
        (
            monitor,
            |v| v["permittedUse"] = json!("STUDY_ONLY"),
            "permits PRODUCTION",
        ),
        (monitor, |v| v["decidedOn"] = json!("2026-02-30"), "is a date"),
        (monitor, |v| v["revision"] = json!(0), "count from 1"),
        (
            monitor,
            |v| v["supersedes"] = json!("position-order-monitor@1"),
            "does not replace itself",
        ),
        (monitor, |v| v["kind"] = json!("RECIPE"), "does not know"),
        (monitor, |v| v["confidence"] = json!(0.9), "does not know"),
        (monitor, |v| v["id"] = json!("two words"), "ASCII without spaces"),
        (
            harm,
            |v| v["permittedUse"] = json!("PRODUCTION"),
            "permits STUDY_ONLY",
        ),
        (harm, |v| v["accessibility"] = json!(["B", "A"]), "in order"),
        (
            capability,
            |v| v["devices"] = json!([]),
            "each device class has one record",
        ),
        (
            capability,
            |v| v["devices"][0]["maxElements"] = json!(1025),
            "between 1 and 1024",
        ),
        (
            capability,
            |v| v["devices"][1]["minCapHeight"] = json!(0),
            "are positive",
        ),
        (
            capability,
            |v| v["devices"][1]["basis"] = json!([]),
            "where its figures come from",
        ),
        (
            policy,
            |v| v["permittedUses"][1]["uses"] = json!(["PRODUCTION"]),
            "only what is QUALIFIED",
        ),
        (
            policy,
            |v| v["legibleText"]["mapping"]["channel"] = json!("hue"),
            "text on a board",
        ),
        (policy, |v| v["permittedUses"] = json!([]), "three standings"),
        (
            scope,
            |v| v["readingTasks"] = json!([]),
            "at least one task of each kind",
        ),
        (scope, |v| v["kind"] = json!("GRANT"), "another shape"),
    ];
    for (file, edit, expected) in cases {
        let error = refused(|path, value| {
            if path.ends_with(file) {
                edit(value);
            }
        });
        assert!(error.to_string().contains(expected), "{file}: {error}");
    }
}

#[test]
fn manifests_keep_their_rules() {
    let table = table();
    let full = manifest(&table).into_body();
    let seal = |edit: &dyn Fn(&mut crate::wire::v1::ManifestBody)| {
        let mut body = full.clone();
        edit(&mut body);
        identity::Sealed::seal(body).map(|_| ())
    };
    assert!(seal(&|_| ()).is_ok());
    let says = |edit: &dyn Fn(&mut crate::wire::v1::ManifestBody)| seal(edit).unwrap_err().to_string();
    assert!(says(&|body| body.entries.reverse()).contains("stand by kind, id and version"));
    assert!(says(&|body| body.entries.insert(0, body.entries[0].clone())).contains("each once"));
    assert!(
        says(&|body| body.entries[0].contraindication_refs = vec!["nobody@1".to_owned()])
            .contains("nobody@1")
    );
    assert!(
        says(&|body| body.entries[0].qualification_ref = Some("depth-monitor@1".to_owned()))
            .contains("no QUALIFICATION")
    );
    assert!(says(&|body| body.entries[0].evidence_basis = "POPULAR".to_owned()).contains("closed words"));
    assert!(says(&|body| body.capability_table_ref.id = String::new()).contains("ASCII"));
    let renamed = says(&|body| {
        let twin = body
            .entries
            .iter()
            .find(|entry| entry.kind == EntryKind::Channel)
            .unwrap()
            .clone();
        body.entries.retain(|entry| entry.kind == EntryKind::Channel);
        body.entries
            .iter_mut()
            .for_each(|entry| entry.contraindication_refs.clear());
        body.entries.push(crate::wire::v1::Entry {
            kind: EntryKind::Recipe,
            contraindication_refs: vec![],
            ..twin
        });
    });
    assert!(renamed.contains("names two artifacts"), "{renamed}");
}

#[test]
fn a_manifest_has_a_bound() {
    let table = table();
    let mut body = manifest(&table).into_body();
    let template = body
        .entries
        .iter()
        .find(|entry| entry.kind == EntryKind::Transform)
        .unwrap()
        .clone();
    let fill = |body: &mut crate::wire::v1::ManifestBody, n: usize| {
        body.entries = (0..n)
            .map(|i| crate::wire::v1::Entry {
                id: format!("t{i:04}"),
                ..template.clone()
            })
            .collect();
    };
    fill(&mut body, 256);
    assert!(identity::Body::check(&body).is_ok());
    fill(&mut body, 257);
    assert!(matches!(
        identity::Body::check(&body),
        Err(KnowledgeError::Bounds { found: 257, .. })
    ));
}

#[test]
fn dates_are_days_that_exist() {
    for good in ["2026-12-01", "2024-02-29", "2000-02-29"] {
        assert!(is_date(good), "{good}");
    }
    for bad in [
        "2026-02-29",
        "1900-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-1-1",
        "20261201",
        "2026-12-01-",
        "+026-12-01",
    ] {
        assert!(!is_date(bad), "{bad}");
    }
}

/// The cap heights are what the capability table says they are: 0.6 degrees at the reading distance.
#[test]
fn cap_heights_subtend_their_angle() {
    let table = table();
    let capability = table
        .capability(&super::pin(&table, "nemosyne:policy/capability@1"))
        .unwrap();
    for record in &capability.devices {
        let least = 2.0 * record.reading_distance.get() * tangent(0.3);
        let stated = record.min_cap_height.get();
        assert!(
            (0.0..1e-4).contains(&(stated - least)),
            "{:?}: {stated} for {least}",
            record.device
        );
        assert!(
            record.is_legible(stated) && !record.is_legible(stated - 1e-4) && !record.is_legible(f64::NAN)
        );
    }
}

/// Tangent of a small angle in degrees by its series; enough digits for a tenth of a millimeter.
fn tangent(degrees: f64) -> f64 {
    let x = degrees * core::f64::consts::PI / 180.0;
    x + x * x * x / 3.0
}
