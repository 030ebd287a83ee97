use refusal::Reason;
use serde_json::{Value as Json, json};

use super::POLICY;
use crate::body::PREDICATES;
use crate::wire::v1::Class;
use crate::{ObligationError, Policy};

fn file() -> Json {
    serde_json::from_str(POLICY).unwrap()
}

fn read(file: &Json) -> Result<Policy, ObligationError> {
    Policy::from_bytes(&serde_json::to_vec(file).unwrap())
}

#[test]
fn the_shipped_policy_names_every_predicate_and_pins_its_bytes() {
    let policy = Policy::from_bytes(POLICY.as_bytes()).unwrap();
    assert_eq!(policy.pinned().digest, identity::Digest::of(POLICY.as_bytes()));
    assert_eq!(policy.pinned().id, "nemosyne:policy/obligations");
    assert!(!policy.statement().is_empty());
    for predicate in PREDICATES {
        assert!(POLICY.contains(&format!("\"{}\"", crate::predicate_word(predicate))));
    }
    let must = policy
        .rules()
        .iter()
        .filter(|rule| rule.class == Class::MustPreserve)
        .count();
    assert!(must > policy.rules().len() / 2);
}

#[test]
fn the_shipped_policy_covers_the_shipped_scopes() {
    let policy = Policy::from_bytes(POLICY.as_bytes()).unwrap();
    let shipped: [&[u8]; 2] = [
        super::SCOPE,
        include_bytes!("../../../../assets/policies/scope-color-vision-v1.json"),
    ];
    for bytes in shipped {
        let scope = investigation::Scope::from_bytes(bytes).unwrap();
        assert!(policy.scopes().contains(scope.pinned()), "{:?}", scope.pinned());
    }
}

#[test]
fn the_table_of_profiles_knows_those_that_rules_ask_for() {
    let profiles = evidence::ProfileRegistry::forma_v1();
    let policy = Policy::from_bytes(POLICY.as_bytes()).unwrap();
    let asked: Vec<&str> = policy
        .rules()
        .iter()
        .filter_map(|rule| rule.required_profile.as_deref())
        .collect();
    assert!(asked.len() > 10);
    for profile in asked {
        assert!(profiles.get(profile).is_some(), "{profile}");
    }
}

#[test]
fn every_family_of_the_kernels_is_known_and_no_other() {
    for family in kernels::FAMILIES {
        assert!(
            POLICY.contains(&format!("\"family\": \"{}\"", family.word)),
            "{}",
            family.word
        );
        let mut known = file();
        known["rules"][0]["family"] = json!(family.word);
        if let Err(error) = read(&known) {
            assert!(!error.to_string().contains("is unknown"), "{error}");
        }
    }
}

#[test]
fn a_policy_that_says_something_impossible_is_refused() {
    type Fault = fn(&mut Json);
    let faults: [(&str, Fault); 27] = [
        ("schema version 2 is not known", |f| f["schemaVersion"] = json!(2)),
        ("name, version and statement", |f| f["id"] = json!(" ")),
        ("name, version and statement", |f| f["statement"] = json!("")),
        ("it must name the scopes", |f| f["scopes"] = json!([])),
        ("it must name the scopes", |f| {
            f["scopes"][1] = f["scopes"][0].clone();
        }),
        ("between 1 and 1024 rules", |f| f["rules"] = json!([])),
        ("family `weather` is unknown", |f| {
            f["rules"][0]["family"] = json!("weather");
        }),
        ("must not be blank", |f| f["rules"][0]["sentence"] = json!(" ")),
        ("must not be blank", |f| {
            f["rules"][0]["requiredProfile"] = json!("");
        }),
        ("names no route", |f| {
            f["rules"][0]["class"] = json!("PROGRESSIVE");
        }),
        ("only a PROGRESSIVE one has a route", |f| {
            f["rules"][0]["activation"] = json!({"verb": "EXPLAIN", "sentence": "Ask."});
        }),
        ("no verb of the interaction language", |f| {
            deferred(f)["verb"] = json!("TELEPORT");
        }),
        ("does not say what a person does", |f| {
            deferred(f)["sentence"] = json!(" ");
        }),
        ("blank or named twice", |f| {
            f["rules"][1]["limitationsToExpose"] = json!(["A", "A"]);
        }),
        ("blank or named twice", |f| {
            f["rules"][1]["limitationsToExpose"] = json!([""]);
        }),
        ("`*` stands alone", |f| {
            f["rules"][1]["limitationsToExpose"] = json!(["*", "A"]);
        }),
        ("can only be said to be unavailable", |f| {
            f["rules"][0]["propertyKind"] = json!("coverage");
        }),
        ("can only be said to be unavailable", |f| {
            coverage(f)["propertyKind"] = json!("output");
        }),
        ("has no evidence", |f| {
            coverage(f)["requiredProfile"] = json!("forma-row-projection/v1");
        }),
        ("both decide ORDER", |f| {
            let mut twin = f["rules"][0].clone();
            twin["class"] = json!("OPTIONAL");
            f["rules"].as_array_mut().unwrap().push(twin);
        }),
        ("both decide ORDER", |f| {
            let mut wider = f["rules"][0].clone();
            wider["family"] = json!("any");
            f["rules"].as_array_mut().unwrap().insert(0, wider);
        }),
        ("contradicts rule 0", |f| f["silences"][0]["role"] = json!("any")),
        ("names no known family", |f| {
            f["silences"][0]["propertyKinds"] = json!([]);
        }),
        ("gives no reason", |f| f["silences"][0]["reason"] = json!("")),
        ("RATIO is neither derived nor listed", |f| {
            drop(f["underived"].as_array_mut().unwrap().remove(0));
        }),
        ("RATIO is listed twice", |f| {
            let first = f["underived"][0].clone();
            f["underived"].as_array_mut().unwrap().push(first);
        }),
        ("ORDER is derived by a rule and listed", |f| {
            let more = json!({"predicate": "ORDER", "reason": "because"});
            f["underived"].as_array_mut().unwrap().push(more);
        }),
    ];
    read(&file()).unwrap();
    for (expected, fault) in faults {
        let mut faulty = file();
        fault(&mut faulty);
        let error = read(&faulty).unwrap_err();
        assert!(
            matches!(error, ObligationError::Policy { .. }),
            "{expected}: {error:?}"
        );
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        assert_eq!(error.refusal().reason(), Reason::Malformed);
    }
}

fn deferred(file: &mut Json) -> &mut Json {
    let rules = file["rules"].as_array_mut().unwrap();
    &mut rules
        .iter_mut()
        .find(|rule| rule["class"] == "PROGRESSIVE")
        .unwrap()["activation"]
}

fn coverage(file: &mut Json) -> &mut Json {
    let rules = file["rules"].as_array_mut().unwrap();
    rules
        .iter_mut()
        .find(|rule| rule["propertyKind"] == "coverage")
        .unwrap()
}

#[test]
fn a_policy_of_another_shape_is_refused_where_it_differs() {
    for (from, to, reason) in [
        (
            "\"schemaVersion\"",
            "\"script\": \"1\", \"schemaVersion\"",
            Reason::UnknownShape,
        ),
        (
            "\"condition\"",
            "\"threshold\": 0.5, \"condition\"",
            Reason::UnknownShape,
        ),
        ("\"ORDER\"", "\"BEAUTY\"", Reason::Malformed),
        ("\"foreground\"", "\"front\"", Reason::Malformed),
        ("\"MUST_PRESERVE\"", "\"SHOULD_PRESERVE\"", Reason::Malformed),
        ("\"always\"", "\"sometimes\"", Reason::Malformed),
        ("\"quantitativeValues\"", "\"values\"", Reason::Malformed),
    ] {
        assert!(POLICY.contains(from), "{from}");
        let error = Policy::from_bytes(POLICY.replacen(from, to, 1).as_bytes()).unwrap_err();
        let refusal = error.refusal();
        assert_eq!(refusal.reason(), reason, "{to}: {error}");
        assert!(
            refusal
                .cause()
                .place
                .as_ref()
                .is_some_and(|place| place.contains("at byte")),
            "{refusal}"
        );
    }
}
