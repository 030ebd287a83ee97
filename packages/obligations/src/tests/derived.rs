use dataset::Scale;
use investigation::wire::v2::Perspective;
use investigation::{Draft, EpistemicPurpose, Scope};
use refusal::{Reason, Stage};
use serde_json::Value as Json;
use snapshot::SnapshotView as _;
use snapshot::wire::v1::{SnapshotBody, State};

use super::fixture::{Build, labels, numbers, penguins, rows, table};
use super::{POLICY, commit, derived, draft, line, lines, of, policy};
use crate::derive::obligations;
use crate::wire::v1::{Class, Predicate};
use crate::{ObligationError, Policy, derive, sentence};

#[test]
fn the_penguins_owe_exactly_this() {
    let (snapshot, fixed) = derived(&draft(), &penguins());
    assert_eq!(
        lines(&snapshot, &fixed),
        [
            "MUST APPROXIMATION rows/output []",
            "MUST LIMITATION rows/output [MEASUREMENT_ERROR_UNSTATED ROWS_EXCLUDED_MISSING UNIT_INFERRED]",
            "MUST MISSINGNESS column:bill_length_mm/values [ROWS_EXCLUDED_MISSING]",
            "MUST MISSINGNESS column:body_mass_g/values [ROWS_EXCLUDED_MISSING]",
            "MUST MISSINGNESS column:flipper_length_mm/values [ROWS_EXCLUDED_MISSING]",
            "MUST MISSINGNESS column:species/values [ROWS_EXCLUDED_MISSING]",
            "MUST ORDER column:bill_length_mm/values []",
            "MUST ORDER column:body_mass_g/values []",
            "MUST ORDER column:flipper_length_mm/values []",
            "MUST SUPPORT column:bill_length_mm/values []",
            "MUST SUPPORT column:body_mass_g/values []",
            "MUST SUPPORT column:flipper_length_mm/values []",
            "MUST SUPPORT column:species/values []",
            "MUST UNITS column:bill_length_mm/values [UNIT_INFERRED]",
            "MUST UNITS column:body_mass_g/values []",
            "MUST UNITS column:flipper_length_mm/values [UNIT_INFERRED]",
            "OPTIONAL UNCERTAINTY column:body_mass_g/mean [INDEPENDENCE_UNTESTED ROWS_EXCLUDED_MISSING]",
            "PROGRESSIVE IDENTITY projection/rowKeys []",
            "PROGRESSIVE MEMBERSHIP column:species/values []",
        ]
    );
}

#[test]
fn obligations_rest_on_the_evidence_of_their_own_claim() {
    let (snapshot, fixed) = derived(
        &draft(),
        &Build {
            statistics: vec!["year", "body_mass_g"],
            ..penguins()
        },
    );
    for obligation in fixed.obligations() {
        let receipts: Vec<&str> = obligation
            .evidence_use_refs
            .iter()
            .map(|evidence_use| evidence_use.receipt_id.as_str())
            .collect();
        let expected = match obligation.requirement_predicate_ref.predicate {
            Predicate::Uncertainty => "descriptive:body_mass_g",
            _ => "rows:flipper_length_mm,body_mass_g,bill_length_mm,species",
        };
        assert_eq!(receipts, [expected], "{}", line(obligation, &snapshot));
    }
}

#[test]
fn only_the_deferred_has_a_route() {
    let (_, fixed) = derived(&draft(), &penguins());
    assert_eq!(fixed.of_class(Class::Progressive).count(), 2);
    for obligation in fixed.obligations() {
        let verb = obligation.activation.as_ref().map(|route| route.verb.as_str());
        assert_eq!(
            verb,
            (obligation.class == Class::Progressive).then_some("EXPLAIN")
        );
    }
}

#[test]
fn exploration_adds_its_status_and_changes_nothing_else() {
    let (snapshot, claims) = derived(&draft(), &penguins());
    let (_, explores) = derived(
        &draft().purpose(EpistemicPurpose::ExploratoryAbduction),
        &penguins(),
    );
    assert_ne!(claims.id(), explores.id());
    let (before, after) = (lines(&snapshot, &claims), lines(&snapshot, &explores));
    let added: Vec<&String> = after.iter().filter(|line| !before.contains(line)).collect();
    assert_eq!(
        added,
        [
            "MUST EPISTEMIC_STATUS column:bill_length_mm/values []",
            "MUST EPISTEMIC_STATUS column:body_mass_g/values []",
            "MUST EPISTEMIC_STATUS column:flipper_length_mm/values []",
            "MUST EPISTEMIC_STATUS column:species/values []",
        ]
    );
    assert_eq!(after.len(), before.len() + added.len());
}

#[test]
fn the_order_of_rules_makes_no_difference() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let fixed = derive(&snapshot, &context, &policy()).unwrap();
    assert_eq!(derive(&snapshot, &context, &policy()).unwrap().id(), fixed.id());
    let mut file: Json = serde_json::from_str(POLICY).unwrap();
    let n_rules = file["rules"].as_array().unwrap().len();
    for turn in 1..=n_rules {
        for list in ["rules", "silences", "underived", "scopes"] {
            let items = file[list].as_array_mut().unwrap();
            if turn == n_rules {
                items.reverse();
            } else {
                items.rotate_left(1);
            }
        }
        let turned = Policy::from_bytes(&serde_json::to_vec(&file).unwrap()).unwrap();
        let same = derive(&snapshot, &context, &turned).unwrap();
        assert_eq!(same.obligations(), fixed.obligations());
        // The policy is another one, and the set says which it stands under.
        assert_ne!(same.id(), fixed.id());
    }
}

#[test]
fn a_categorical_foreground_owes_membership_at_once() {
    let scope = Scope::from_bytes(super::SCOPE).unwrap();
    let asked = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(&scope);
    let (snapshot, fixed) = derived(&asked.foreground_categorical("species"), &penguins());
    let membership = of(&fixed, Predicate::Membership);
    assert_eq!(membership.len(), 1);
    assert_eq!(
        line(membership[0], &snapshot),
        "MUST MEMBERSHIP column:species/values []"
    );
    assert!(of(&fixed, Predicate::Order).is_empty() && of(&fixed, Predicate::Units).is_empty());
}

#[test]
fn what_the_perspective_does_not_name_owes_nothing() {
    let scope = Scope::from_bytes(super::SCOPE).unwrap();
    let asked = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(&scope)
        .foreground("body_mass_g");
    let (snapshot, fixed) = derived(&asked, &penguins());
    let about: Vec<String> = lines(&snapshot, &fixed);
    assert!(
        about
            .iter()
            .all(|line| !line.contains("species") && !line.contains("flipper")),
        "{about:?}"
    );
    assert_eq!(of(&fixed, Predicate::Order).len(), 1);
}

#[test]
fn what_was_asked_for_and_is_not_there_must_be_said() {
    let (_, none) = derived(&draft(), &penguins());
    assert!(of(&none, Predicate::Unavailability).is_empty());
    let absent = vec![
        (
            rows(&["island"]),
            State::Unavailable {
                reason: "cancelled".to_owned(),
            },
        ),
        (
            rows(&["sex"]),
            State::Refused {
                owning_reason: "too few rows".to_owned(),
            },
        ),
    ];
    let (snapshot, fixed) = derived(&draft(), &Build { absent, ..penguins() });
    let owed = of(&fixed, Predicate::Unavailability);
    let mut said: Vec<String> = owed
        .iter()
        .map(|obligation| sentence(obligation, &snapshot))
        .collect();
    said.sort();
    assert_eq!(
        said,
        [
            "That the rows of island were asked for and are not there (cancelled) must stay readable.",
            "That the rows of sex were asked for and are not there (refused: too few rows) must stay readable.",
        ]
    );
    for obligation in owed {
        assert_eq!(obligation.class, Class::MustPreserve);
        assert!(obligation.evidence_use_refs.is_empty() && obligation.semantic_source_ref.node_id.is_none());
    }
}

#[test]
fn people_read_sentences() {
    let (snapshot, fixed) = derived(
        &draft().purpose(EpistemicPurpose::ExploratoryAbduction),
        &penguins(),
    );
    let mut sentences = fixed.sentences(&snapshot);
    sentences.retain(|sentence| !sentence.contains("bill_length_mm") || sentence.contains("rows of flipper"));
    sentences.sort();
    assert_eq!(
        sentences,
        [
            "How uncertain the mean of body_mass_g is may be left out, and then it is recorded as left out.",
            "That 2 rows were left out of body_mass_g (2 missing) must stay readable.",
            "That 2 rows were left out of flipper_length_mm (2 missing) must stay readable.",
            "That 2 rows were left out of species (2 missing) must stay readable.",
            "That 342 of 344 rows stand behind body_mass_g must stay readable.",
            "That 342 of 344 rows stand behind flipper_length_mm must stay readable.",
            "That 342 of 344 rows stand behind species must stay readable.",
            "That body_mass_g is measured in g must stay readable.",
            "That body_mass_g is observed, not conjectured, must stay readable.",
            "That flipper_length_mm is measured in mm, a unit inferred from its name, must stay readable.",
            "That flipper_length_mm is observed, not conjectured, must stay readable.",
            "That species is observed, not conjectured, must stay readable.",
            "That the rows of flipper_length_mm, body_mass_g, bill_length_mm, species are exact, neither binned nor sampled nor estimated, must stay readable.",
            "What the rows of flipper_length_mm, body_mass_g, bill_length_mm, species can't say (measurement error unstated, rows excluded missing, unit inferred) must stay readable.",
            "Which of two rows has the greater body_mass_g, in g, must stay readable.",
            "Which of two rows has the greater flipper_length_mm, in mm, must stay readable.",
            "Which row a mark stands for must be told on request. Point at a mark and explain it: the answer names its row.",
            "Which species a row belongs to must be told on request. Point at a mark and explain it: the answer names its group.",
        ]
    );
}

#[test]
fn a_missing_unit_and_no_missing_row_are_said_too() {
    let scope = Scope::from_bytes(super::SCOPE).unwrap();
    let asked = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(&scope)
        .foreground("v");
    let (snapshot, fixed) = derived(&asked, &table(&[numbers("v", Scale::Interval)], &[&["v"]]));
    let sentences = fixed.sentences(&snapshot);
    for expected in [
        "That no unit is stated for v must stay readable.",
        "That no row was left out of v must stay readable.",
        "Which of two rows has the greater v must stay readable.",
    ] {
        assert!(
            sentences.iter().any(|sentence| sentence == expected),
            "{sentences:?}"
        );
    }
}

#[test]
fn every_predicate_has_words_of_its_own() {
    let (snapshot, fixed) = derived(&draft(), &penguins());
    let mut template = of(&fixed, Predicate::Order)[0].clone();
    let mut seen = std::collections::BTreeSet::new();
    for predicate in crate::body::PREDICATES {
        template.requirement_predicate_ref.predicate = predicate;
        let words = sentence(&template, &snapshot);
        assert!(
            words.ends_with('.') && !words.contains("  ") && !words.contains(" ,"),
            "{words}"
        );
        assert!(seen.insert(words.clone()), "{words}");
    }
}

#[test]
fn a_role_without_a_rule_is_refused_not_assumed() {
    let snapshot = penguins().seal();
    let mass = snapshot.find("column:body_mass_g", "values").unwrap().node_id;
    let mean = snapshot.find("column:body_mass_g", "mean").unwrap().node_id;
    let refused = [
        (
            draft().hold_constant(mass),
            "values of column:body_mass_g (rows)",
            "something held constant",
        ),
        (
            draft().comparison_frame(mean),
            "mean of column:body_mass_g (statistics)",
            "the comparison frame",
        ),
        (
            draft().temporal_frame(mass),
            "values of column:body_mass_g (rows)",
            "the temporal frame",
        ),
    ];
    for (draft, subject, role) in refused {
        let error = derive(&snapshot, &commit(&draft, &snapshot), &policy()).unwrap_err();
        let refusal = error.refusal();
        assert_eq!(
            (refusal.reason(), refusal.stage()),
            (Reason::InventedMeaning, Stage::EvidencePolicy)
        );
        assert_eq!(refusal.subjects(), [subject]);
        assert!(refusal.cause().text.contains(role), "{refusal}");
        assert_eq!(refusal.policy(), Some("nemosyne:policy/obligations"));
    }
    derive(&snapshot, &commit(&draft(), &snapshot), &policy()).unwrap();
}

#[test]
fn a_silence_taken_away_is_a_refusal() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let whole: Json = serde_json::from_str(POLICY).unwrap();
    let n_silences = whole["silences"].as_array().unwrap().len();
    let mut n_refused = 0;
    for idx in 0..n_silences {
        let mut file = whole.clone();
        file["silences"].as_array_mut().unwrap().remove(idx);
        let poorer = Policy::from_bytes(&serde_json::to_vec(&file).unwrap()).unwrap();
        match derive(&snapshot, &context, &poorer) {
            Err(ObligationError::NoRule { .. }) => n_refused += 1,
            other => assert!(other.is_ok(), "{other:?}"),
        }
    }
    // Foreground counts and relations, background relation to the grouping, the foreground's summary, the statistics.
    assert_eq!(n_refused, 4);
}

/// The first node of a producer: identities decide the order of nodes, a test must not lean on it.
fn of_producer<'a>(body: &'a mut SnapshotBody, producer: &str) -> &'a mut snapshot::wire::v1::Node {
    body.nodes
        .iter_mut()
        .find(|node| node.producer_semantic_id.starts_with(producer))
        .unwrap()
}

#[test]
fn a_property_outside_the_table_is_refused() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let perspective = context.body().perspective.clone().unwrap();
    let derive_from = |edit: fn(&mut SnapshotBody)| {
        let mut body = snapshot.body().clone();
        edit(&mut body);
        obligations(&body, &perspective, EpistemicPurpose::ClaimBearing, &policy())
    };
    derive_from(|_| ()).unwrap();
    let edits: [fn(&mut SnapshotBody); 4] = [
        |body| body.nodes[0].property_path = "skewness".to_owned(),
        |body| of_producer(body, "projection").producer_semantic_id = "cluster:1".to_owned(),
        |body| of_producer(body, "column:").producer_semantic_id = "cluster:1".to_owned(),
        |body| {
            body.sources
                .iter_mut()
                .for_each(|source| source.family = "weather".to_owned());
        },
    ];
    for edit in edits {
        let error = derive_from(edit).unwrap_err();
        assert!(
            matches!(error, ObligationError::UnknownProperty { .. }),
            "{error:?}"
        );
        assert_eq!(error.refusal().reason(), Reason::FamilyUnsupported);
    }
    let error = derive_from(|body| body.sources.clear()).unwrap_err();
    assert!(matches!(error, ObligationError::Snapshot { .. }), "{error:?}");
    let error = derive_from(|body| body.coverage[0].status = "UNAVAILABLE".to_owned()).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::Integrity);
}

/// What other analyses found stays in the background: nothing is owed, whatever variable it is about. Named itself, it
/// owes what its family's rules say, and in a role that no rule knows it is refused.
#[test]
fn what_another_family_found_owes_nothing_until_it_is_named_itself() {
    let snapshot = penguins().seal();
    let perspective = commit(&draft(), &snapshot).body().perspective.clone().unwrap();
    for family in kernels::FAMILIES.iter().map(|family| family.word) {
        if family == kernels::ROWS || family == kernels::STATISTICS {
            continue;
        }
        let mut body = snapshot.body().clone();
        let found = body
            .sources
            .iter_mut()
            .find(|one| one.family == kernels::STATISTICS)
            .unwrap();
        found.family = family.to_owned();
        for evidence_use in &mut found.evidence_uses {
            evidence_use.requirement_profile_id = format!("forma-{family}/v1");
        }
        let source_id = found.source_id;
        body.coverage
            .iter_mut()
            .filter(|one| one.family == kernels::STATISTICS)
            .for_each(|one| one.family = family.to_owned());
        let owed = |perspective: &Perspective| {
            obligations(&body, perspective, EpistemicPurpose::ClaimBearing, &policy()).map(|owed| {
                let about = owed
                    .into_iter()
                    .filter(|one| one.semantic_source_ref.source_id == source_id);
                let mut words: Vec<&str> = about
                    .map(|one| crate::predicate_word(one.requirement_predicate_ref.predicate))
                    .collect();
                words.sort_unstable();
                words
            })
        };
        assert_eq!(owed(&perspective).unwrap(), [""; 0], "{family}");
        let mean = body
            .nodes
            .iter()
            .find(|node| node.source_id == source_id && node.property_path == "mean")
            .unwrap();
        let mut named = perspective.clone();
        named.foreground[0].node_id = mean.node_id;
        assert_eq!(
            owed(&named).unwrap(),
            ["APPROXIMATION", "LIMITATION", "MISSINGNESS", "SUPPORT"],
            "{family}"
        );
        let mut held = perspective.clone();
        held.held_constant = vec![mean.node_id];
        let error = owed(&held).unwrap_err();
        assert!(matches!(error, ObligationError::NoRule { .. }), "{error:?}");
        assert_eq!(error.refusal().reason(), Reason::InventedMeaning);
    }
}

#[test]
fn imputed_values_say_so_even_where_claims_are_made() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    let perspective: Perspective = context.body().perspective.clone().unwrap();
    let mut body = snapshot.body().clone();
    let mass = snapshot.find("column:body_mass_g", "values").unwrap().node_id;
    let owed = |body: &SnapshotBody| -> Vec<_> {
        obligations(body, &perspective, EpistemicPurpose::ClaimBearing, &policy())
            .unwrap()
            .into_iter()
            .filter(|obligation| obligation.requirement_predicate_ref.predicate == Predicate::EpistemicStatus)
            .map(|obligation| obligation.semantic_source_ref.node_id)
            .collect()
    };
    assert_eq!(owed(&body), []);
    let node = body.nodes.iter_mut().find(|node| node.node_id == mass).unwrap();
    node.epistemic_status = "IMPUTED".to_owned();
    assert_eq!(owed(&body), [Some(mass)]);
}

#[test]
fn evidence_under_another_profile_is_no_evidence() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    derive(&snapshot, &context, &policy()).unwrap();
    let strict = POLICY.replace("forma-row-projection/v1", "forma-row-projection/v2");
    assert_ne!(strict, POLICY);
    let error = derive(
        &snapshot,
        &context,
        &Policy::from_bytes(strict.as_bytes()).unwrap(),
    )
    .unwrap_err();
    let refusal = error.refusal();
    assert_eq!(refusal.reason(), Reason::MissingRequired);
    assert_eq!(refusal.policy(), Some("forma-row-projection/v2"));
    // The evidence of another claim of the same source does not count either.
    let mut body = Build {
        statistics: vec!["year", "body_mass_g"],
        ..penguins()
    }
    .seal()
    .body()
    .clone();
    let perspective = {
        let snapshot = Build {
            statistics: vec!["year", "body_mass_g"],
            ..penguins()
        }
        .seal();
        commit(&draft(), &snapshot).body().perspective.clone().unwrap()
    };
    let derive_from =
        |body: &SnapshotBody| obligations(body, &perspective, EpistemicPurpose::ClaimBearing, &policy());
    derive_from(&body).unwrap();
    let summary = body
        .sources
        .iter_mut()
        .find(|source| source.family == "statistics")
        .unwrap();
    summary
        .evidence_uses
        .retain(|evidence_use| evidence_use.receipt_id != "descriptive:body_mass_g");
    assert_eq!(summary.evidence_uses.len(), 1);
    assert!(matches!(
        derive_from(&body),
        Err(ObligationError::MissingEvidence { .. })
    ));
}

#[test]
fn a_context_must_belong_here() {
    let snapshot = penguins().seal();
    let context = commit(&draft(), &snapshot);
    derive(&snapshot, &context, &policy()).unwrap();

    let other = Build {
        name: "other",
        ..penguins()
    }
    .seal();
    assert_eq!(
        derive(&other, &context, &policy())
            .unwrap_err()
            .refusal()
            .reason(),
        Reason::WrongSubject
    );

    let bare = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(&Scope::from_bytes(super::SCOPE).unwrap());
    let error = derive(&snapshot, &commit(&bare, &snapshot), &policy()).unwrap_err();
    assert_eq!(error, ObligationError::NothingForeground);

    let widened = std::str::from_utf8(super::SCOPE)
        .unwrap()
        .replace("General use", "Any use");
    let foreign = Scope::from_bytes(widened.as_bytes()).unwrap();
    assert_ne!(
        foreign.pinned(),
        Scope::from_bytes(super::SCOPE).unwrap().pinned()
    );
    let error = derive(&snapshot, &commit(&draft().scope(&foreign), &snapshot), &policy()).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::ScopeMismatch);
}

#[test]
fn a_limitation_is_owed_where_there_is_one() {
    let build = table(
        &[numbers("v", Scale::Interval), labels("w", Scale::Nominal)],
        &[&["v", "w"]],
    );
    let snapshot = build.seal();
    let scope = Scope::from_bytes(super::SCOPE).unwrap();
    let asked = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(&scope)
        .foreground("v");
    let context = commit(&asked, &snapshot);
    let perspective = context.body().perspective.clone().unwrap();
    let owed = |body: &SnapshotBody| {
        obligations(body, &perspective, EpistemicPurpose::ClaimBearing, &policy())
            .unwrap()
            .into_iter()
            .filter(|obligation| obligation.requirement_predicate_ref.predicate == Predicate::Limitation)
            .count()
    };
    let mut body = snapshot.body().clone();
    assert!(!body.limitations.is_empty());
    assert_eq!(owed(&body), 1);
    body.limitations.clear();
    assert_eq!(owed(&body), 0);
}
