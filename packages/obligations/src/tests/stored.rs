use identity::{Envelope, Limits, Sealed, canonical, decode};
use refusal::{Reason, Stage};

use super::fixture::{Build, penguins, rows};
use super::{POLICY, commit, draft, policy};
use crate::body::Preimage;
use crate::wire::v1::{Class, Obligation, ObligationSetBody};
use crate::{Difference, FixedObligations, ObligationError, ObligationSet, Policy, compare, derive, reopen};

/// Gives an edited obligation the identity of its new content.
fn renamed(mut obligation: Obligation) -> Obligation {
    obligation.id = Preimage::of(&obligation).identify().unwrap();
    obligation
}

fn resealed(mut body: ObligationSetBody) -> ObligationSet {
    body.obligations.sort_by_key(|obligation| obligation.id);
    Sealed::seal(body).unwrap()
}

type Edit = fn(&mut Vec<Obligation>);

/// A candidate's self-consistent set that says something else.
fn cheats() -> [(&'static str, Edit); 5] {
    fn first(obligations: &mut [Obligation], class: Class) -> &mut Obligation {
        obligations
            .iter_mut()
            .find(|obligation| obligation.class == class)
            .unwrap()
    }
    [
        ("dropped", |obligations| {
            obligations.remove(0);
        }),
        ("demoted", |obligations| {
            let slot = first(obligations, Class::MustPreserve);
            *slot = renamed(Obligation {
                class: Class::Optional,
                ..slot.clone()
            });
        }),
        ("altered", |obligations| {
            let slot = first(obligations, Class::MustPreserve);
            *slot = renamed(Obligation {
                evidence_use_refs: Vec::new(),
                ..slot.clone()
            });
        }),
        ("altered", |obligations| {
            let slot = first(obligations, Class::Optional);
            *slot = renamed(Obligation {
                limitations_to_expose: Vec::new(),
                ..slot.clone()
            });
        }),
        ("added", |obligations| {
            let more = Obligation {
                property_or_relation: "charm".to_owned(),
                ..obligations[0].clone()
            };
            obligations.push(renamed(more));
        }),
    ]
}

#[test]
fn a_stored_set_is_believed_when_it_is_derived_again() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();
    assert_eq!(
        reopen(fixed.set(), &snapshot, &context, &policy()).unwrap(),
        fixed
    );
    let stored = canonical::to_vec(&fixed.to_wire()).unwrap();
    let envelope = || {
        decode::<Envelope<ObligationSetBody>>(&stored, &Limits::default())
            .unwrap()
            .into_inner()
    };
    assert_eq!(
        FixedObligations::from_wire(envelope(), &snapshot, &context, &policy()).unwrap(),
        fixed
    );
    assert!(fixed.id().to_string().starts_with("semantic-obligations-v1:"));
    for obligation in fixed.obligations() {
        assert!(obligation.id.to_string().starts_with("semantic-obligation-v1:"));
        assert_eq!(fixed.get(obligation.id), Some(obligation));
    }
}

#[test]
fn a_candidate_can_not_weaken_what_is_fixed() {
    // F03: a set that is consistent in itself, and not what the policy fixes.
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();
    assert_eq!(compare(fixed.obligations(), &fixed), []);
    for (verb, cheat) in cheats() {
        let mut body = fixed.set().body().clone();
        cheat(&mut body.obligations);
        let claimed = resealed(body);
        let error = reopen(&claimed, &snapshot, &context, &policy()).unwrap_err();
        let refusal = error.refusal();
        assert_eq!(
            (refusal.reason(), refusal.stage()),
            (Reason::ObligationWeakened, Stage::FixedPolicy),
            "{verb}"
        );
        assert_eq!(refusal.subjects().len(), 1);
        assert!(refusal.subjects()[0].contains(verb), "{verb}: {refusal}");
    }
}

#[test]
fn a_raised_class_is_altered_not_demoted() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();
    let mut claimed = fixed.obligations().to_vec();
    let slot = claimed
        .iter_mut()
        .find(|obligation| obligation.class == Class::Optional)
        .unwrap();
    let before = slot.clone();
    *slot = renamed(Obligation {
        class: Class::MustPreserve,
        ..slot.clone()
    });
    assert_eq!(compare(&claimed, &fixed), [Difference::Altered(before)]);
}

#[test]
fn an_altered_envelope_is_found_before_it_is_compared() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();
    let stored = String::from_utf8(canonical::to_vec(&fixed.to_wire()).unwrap()).unwrap();
    let open = |text: &str| match decode::<Envelope<ObligationSetBody>>(text.as_bytes(), &Limits::default()) {
        Ok(envelope) => FixedObligations::from_wire(envelope.into_inner(), &snapshot, &context, &policy()),
        Err(error) => Err(error.into()),
    };
    open(&stored).unwrap();
    for (from, to, reason) in [
        ("MUST_PRESERVE", "OPTIONAL", Reason::Malformed),
        (
            "\"predicate\":\"ORDER\"",
            "\"predicate\":\"RATIO\"",
            Reason::Malformed,
        ),
        ("\"verb\":\"EXPLAIN\"", "\"verb\":\"IGNORE\"", Reason::Malformed),
        ("\"version\":1}", "\"version\":2}", Reason::Malformed),
        ("\"version\":\"1\"", "\"version\":\"2\"", Reason::Integrity),
        ("\"schemaVersion\":1", "\"schemaVersion\":2", Reason::Integrity),
        (
            "\"obligations\":[",
            "\"waivers\":[],\"obligations\":[",
            Reason::UnknownShape,
        ),
    ] {
        assert!(stored.contains(from), "{from}");
        let error = open(&stored.replacen(from, to, 1)).unwrap_err();
        assert_eq!(error.refusal().reason(), reason, "{from}: {error}");
    }
}

#[test]
fn a_set_stands_in_order_each_obligation_once_and_well_formed() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();
    let edits: [Edit; 6] = [
        |obligations| obligations.swap(0, 1),
        |obligations| obligations.insert(0, obligations[0].clone()),
        |obligations| {
            let slot = obligations
                .iter_mut()
                .find(|obligation| obligation.class == Class::Progressive)
                .unwrap();
            *slot = renamed(Obligation {
                activation: None,
                ..slot.clone()
            });
        },
        |obligations| {
            let route = obligations
                .iter()
                .find_map(|obligation| obligation.activation.clone());
            let slot = obligations
                .iter_mut()
                .find(|obligation| obligation.class == Class::Optional)
                .unwrap();
            *slot = renamed(Obligation {
                activation: route,
                ..slot.clone()
            });
        },
        |obligations| {
            let slot = &mut obligations[0];
            let twice = [slot.evidence_use_refs.clone(), slot.evidence_use_refs.clone()].concat();
            *slot = renamed(Obligation {
                evidence_use_refs: twice,
                ..slot.clone()
            });
        },
        |obligations| {
            let slot = &mut obligations[0];
            let unsorted = vec!["B".to_owned(), "A".to_owned()];
            *slot = renamed(Obligation {
                limitations_to_expose: unsorted,
                ..slot.clone()
            });
        },
    ];
    Sealed::seal(fixed.set().body().clone()).unwrap();
    for (idx, edit) in edits.into_iter().enumerate() {
        let mut body = fixed.set().body().clone();
        edit(&mut body.obligations);
        if idx > 1 {
            body.obligations.sort_by_key(|obligation| obligation.id);
        }
        let error = Sealed::seal(body).map_err(crate::derive::from_seal).unwrap_err();
        assert!(
            matches!(error, ObligationError::Malformed { .. }),
            "{idx}: {error:?}"
        );
    }
}

#[test]
fn a_set_belongs_to_its_snapshot_context_and_policy() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();

    let state = snapshot::wire::v1::State::Unavailable {
        reason: "cancelled".to_owned(),
    };
    let other_snapshot = Build {
        absent: vec![(rows(&["island"]), state)],
        ..penguins()
    }
    .seal();
    let error = reopen(fixed.set(), &other_snapshot, &context, &policy()).unwrap_err();
    assert!(
        matches!(error, ObligationError::WrongSubject { what: "snapshot", .. }),
        "{error:?}"
    );

    let other_context = commit(&draft().question("Another?"), &snapshot);
    let error = reopen(fixed.set(), &snapshot, &other_context, &policy()).unwrap_err();
    assert!(
        matches!(error, ObligationError::WrongSubject { what: "context", .. }),
        "{error:?}"
    );

    let other_policy = Policy::from_bytes(format!("{POLICY} ").as_bytes()).unwrap();
    let error = reopen(fixed.set(), &snapshot, &context, &other_policy).unwrap_err();
    let refusal = error.refusal();
    assert_eq!(
        (refusal.reason(), refusal.stage()),
        (Reason::UnauthorizedPolicy, Stage::FixedPolicy)
    );

    reopen(fixed.set(), &snapshot, &context, &policy()).unwrap();
}
