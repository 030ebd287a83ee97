//! The record: a written admission that contradicts itself is none, whoever wrote it and whatever it hashes to.

use forma::wire::v1::{PerceptualQualification, PermittedUse, ResultBody};
use forma::{FormaRecord, RecordError};
use harness::{Spec, World};
use identity::{SafeInteger, SealError, Sealed};
use obligations::wire::v1::Predicate;

/// What spoils a record.
type Spoil = fn(&mut ResultBody);

fn body() -> ResultBody {
    World::flowers().admitted().record().body().clone()
}

fn broken(spoil: impl FnOnce(&mut ResultBody)) -> RecordError {
    let mut body = body();
    spoil(&mut body);
    match Sealed::seal(body) {
        Err(SealError::Invalid(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is taken for a record"),
    }
}

#[test]
fn an_admitted_record_is_one() {
    let admission = World::flowers().admitted();
    let again: FormaRecord = Sealed::seal(admission.record().body().clone()).expect("nothing was changed");
    assert_eq!(again.id(), admission.record().id());
}

#[test]
fn every_declared_set_is_sorted_and_unique() {
    let lists: [(&str, Spoil); 7] = [
        ("evidenceDispositions", |body| {
            body.evidence_dispositions.reverse();
        }),
        ("perceptualQualifications", |body| {
            body.perceptual_qualifications.reverse();
        }),
        ("coverage", |body| body.coverage.reverse()),
        ("resolvedBindingIds", |body| body.resolved_binding_ids.reverse()),
        ("backendPlanDigests", |body| body.backend_plan_digests.reverse()),
        ("explanationIndex", |body| body.explanation_index.reverse()),
        ("limitations", |body| body.limitations.reverse()),
    ];
    for (list, spoil) in lists {
        assert_eq!(broken(spoil), RecordError::Order { list });
    }
    let twice = broken(|body| {
        let first = body.omissions.first().expect("the means are left out").clone();
        body.omissions.insert(0, first);
    });
    assert_eq!(twice, RecordError::Order { list: "omissions" });
}

#[test]
fn evidence_in_a_record_stood_and_was_eligible() {
    let withdrawn = broken(|body| body.evidence_dispositions[0].disposition = "WITHDRAWN".to_owned());
    assert!(matches!(withdrawn, RecordError::Standing { disposition, .. } if disposition == "WITHDRAWN"));
    let abstained =
        broken(|body| body.evidence_dispositions[0].analytical_disposition = "ABSTAIN".to_owned());
    assert!(matches!(abstained, RecordError::Standing { analytical, .. } if analytical == "ABSTAIN"));
}

#[test]
fn a_production_record_has_a_qualified_carrier_for_each_mandatory_claim() {
    let error = broken(|body| {
        for entry in &mut body.perceptual_qualifications {
            entry.qualification = "UNVALIDATED".to_owned();
        }
        body.perceptual_qualifications.sort();
        body.perceptual_qualifications.dedup();
    });
    assert!(matches!(error, RecordError::Unqualified { .. }), "{error}");
    let for_another_claim = broken(|body| {
        let carries_two: Vec<_> = body
            .perceptual_qualifications
            .iter()
            .filter(|entry| entry.claim.is_some_and(|claim| claim != Predicate::Order))
            .map(|entry| entry.binding_id)
            .collect();
        assert!(!carries_two.is_empty());
        let order = body
            .coverage
            .iter()
            .position(|entry| entry.predicate == Predicate::Order)
            .expect("it is owed");
        body.coverage[order].binding_ids = carries_two[..1].to_vec();
        body.coverage.sort();
    });
    assert!(
        matches!(for_another_claim, RecordError::Unqualified { .. }),
        "{for_another_claim}"
    );
    let uncovered = broken(|body| {
        let must = obligations::wire::v1::Class::MustPreserve;
        let entry = body
            .coverage
            .iter_mut()
            .find(|entry| entry.class == must)
            .expect("there is one");
        entry.binding_ids.clear();
        body.coverage.sort();
    });
    assert!(
        matches!(uncovered, RecordError::Unqualified { .. }),
        "{uncovered}"
    );
}

#[test]
fn a_decision_goes_with_the_revision_at_which_it_stood() {
    fn decided(body: &mut ResultBody) -> &mut PerceptualQualification {
        let mut entries = body.perceptual_qualifications.iter_mut();
        entries
            .find(|entry| entry.decision.is_some())
            .expect("production rests on decisions")
    }
    let sound = body();
    for entry in &sound.perceptual_qualifications {
        assert_eq!(entry.decision.is_some(), entry.decision_revision.is_some());
    }
    let spoils: [(&str, Spoil); 4] = [
        ("a decision without its revision", |body| {
            decided(body).decision_revision = None;
        }),
        ("a revision of no decision", |body| decided(body).decision = None),
        ("no decision", |body| {
            let entry = decided(body);
            (entry.decision, entry.decision_revision) = (None, None);
        }),
        ("a revision below zero", |body| {
            for entry in &mut body.perceptual_qualifications {
                entry.decision_revision = entry.decision_revision.and(SafeInteger::new(-1).ok());
            }
        }),
    ];
    for (due, spoil) in spoils {
        let error = broken(|body| {
            spoil(body);
            body.perceptual_qualifications.sort();
        });
        assert!(
            matches!(error, RecordError::Decision { found, .. } if found == due),
            "{due}: {error}"
        );
    }
    let twice = broken(|body| {
        decided(body).decision_revision = SafeInteger::new(7).ok();
        body.perceptual_qualifications.sort();
    });
    let what = "revisions of one decision";
    assert_eq!(twice, RecordError::Disagreement { what });
}

#[test]
fn what_is_said_twice_is_said_alike() {
    let other = World::of(&Spec {
        question: "Other?".to_owned(),
        ..Spec::flowers()
    });
    let foreign = other.obligations.id();
    let sets = broken(|body| body.fixed_obligation_set_id = foreign);
    assert_eq!(
        sets,
        RecordError::Disagreement {
            what: "obligation sets"
        }
    );
    let mut less = World::flowers();
    less.know(|shelf| shelf.remove("symlog@1.0.0"));
    let manifest = less.manifest.id();
    let manifests = broken(|body| body.knowledge_manifest_id = manifest);
    assert_eq!(
        manifests,
        RecordError::Disagreement {
            what: "knowledge manifests"
        }
    );
}

#[test]
fn use_and_authorization_belong_together() {
    let mut world = World::flowers();
    world.grant_study("study-7");
    let studied = world.admitted().record().body().clone();
    let authorized = broken(|body| {
        body.authorization_reference = Some("study-7".to_owned());
        body.study = studied.study.clone();
    });
    assert!(matches!(authorized, RecordError::Authorization(why) if why.contains("production")));
    let undocumented = broken(|body| body.authorization_reference = Some("study-7".to_owned()));
    assert!(matches!(undocumented, RecordError::Authorization(why) if why.contains("without its documents")));
    let unauthorized = broken(|body| {
        body.permitted_use = PermittedUse::StudyOnly;
        body.input_commitments.requested_use = PermittedUse::StudyOnly;
    });
    assert!(matches!(unauthorized, RecordError::Authorization(why) if why.contains("no authorization")));
    let promoted = broken(|body| body.input_commitments.requested_use = PermittedUse::StudyOnly);
    assert_eq!(
        promoted,
        RecordError::Disagreement {
            what: "requested and permitted use"
        }
    );
}

/// A study's record with its permitted use edited to production, and everything that hangs on it put right as well.
#[test]
fn an_edited_study_record_does_not_become_production() {
    let mut world = World::of(&Spec {
        recipe: "scatter_stereo",
        ..Spec::flowers()
    });
    world.grant_study("study-7");
    let admission = world.admitted();
    assert!(Sealed::seal(admission.record().body().clone()).is_ok());
    let mut body = admission.record().body().clone();
    body.permitted_use = PermittedUse::Production;
    body.input_commitments.requested_use = PermittedUse::Production;
    body.authorization_reference = None;
    body.study = None;
    match Sealed::seal(body) {
        Err(SealError::Invalid(RecordError::Unqualified { .. })) => {}
        other => panic!("{other:?}"),
    }
}
