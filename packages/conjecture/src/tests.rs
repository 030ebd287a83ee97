//! Rules of proposals, each with its control: the same draft with one thing changed.

use dataset::ImportOptions;
use investigation::{Context, Draft as Question, EpistemicPurpose, Investigation, Scope};
use kernels::leaf::Columns;
use kernels::wire::v1::Request;
use refusal::{Reason, Stage};
use serde_json::{Value, json};
use snapshot::Snapshot;

use crate::wire::v1::{Payload, ProposalBody, Status};
use crate::{ConjectureError, Proposal, check_against, check_rows, check_together, element, read};

const TABLE: &str = "height_cm,width_cm,mass_g\n12,3,20\n14,2.5,24\n31,7,81\n";
const OTHER: &str = "height_cm,width_cm,mass_g\n12,3,20\n14,2.5,24\n31,7,82\n";
const SCOPE: &[u8] = include_bytes!("../../../assets/policies/scope-v1.json");

struct Ground {
    snapshot: Snapshot,
    context: Context,
    leaf: Columns,
    receipts: Vec<String>,
}

fn ground(table: &str, question: &str) -> Ground {
    let dataset = dataset::import(table.as_bytes(), &ImportOptions::named("table"))
        .unwrap()
        .dataset;
    let columns = ["height_cm", "width_cm", "mass_g"].map(str::to_owned);
    let request = Request::Rows {
        columns: columns.to_vec(),
    };
    let analyses = [kernels::analyze(&dataset, &request).unwrap()];
    let (bundle, attestation) = kernels::bundle(&dataset, &analyses).unwrap();
    let (profiles, policy) = (
        evidence::ProfileRegistry::forma_v1(),
        evidence::admission_policy(),
    );
    let uses = evidence::uses(&bundle, &attestation, &profiles, &policy).unwrap();
    let snapshot = snapshot::normalize(&dataset, &analyses, &uses, &[]).unwrap();
    let mut investigation = Investigation::new("table", "run").unwrap();
    let mut draft = Question::new("table")
        .question(question)
        .purpose(EpistemicPurpose::ExploratoryAbduction)
        .scope(&Scope::from_bytes(SCOPE).unwrap());
    for column in &columns {
        draft = draft.foreground(column);
    }
    let context = draft.commit(&mut investigation, &snapshot).unwrap().clone();
    Ground {
        snapshot,
        context,
        leaf: analyses[0].leaf().unwrap().clone(),
        receipts: uses.into_keys().collect(),
    }
}

fn draft() -> Value {
    json!({
        "generator": { "kind": "MODEL", "name": "a model", "version": "2", "unavailable": ["its weights"] },
        "rationale": "because",
        "elements": [
            {
                "elementId": "tall", "label": "a tall one", "status": "HYPOTHESIZED",
                "payload": { "kind": "VALUE", "values": [
                    { "variable": "mass_g", "value": 50, "unit": "g" },
                    { "variable": "height_cm", "value": 20, "unit": "cm" },
                    { "variable": "width_cm", "value": 5, "unit": "cm" } ] },
                "assumptions": ["it grows"],
                "dependsOn": [{ "kind": "VARIABLE", "variable": "height_cm" }],
                "uncertainty": { "kind": "UNAVAILABLE", "reason": "not measured" }
            },
            {
                "elementId": "line", "label": "a line", "status": "COUNTERFACTUAL",
                "payload": { "kind": "LEVEL", "value": { "variable": "height_cm", "value": 25, "unit": "cm" } },
                "assumptions": ["it is straight"],
                "dependsOn": [{ "kind": "ELEMENT", "elementId": "tall" }],
                "uncertainty": { "kind": "STATED", "text": "by eye",
                    "ranges": [{ "variable": "height_cm", "lower": 24, "upper": 26 }] }
            },
            {
                "elementId": "kin", "label": "kin", "status": "HYPOTHESIZED",
                "payload": { "kind": "RELATION", "fromRow": "row:1", "toRow": "row:3" },
                "assumptions": ["they are"],
                "uncertainty": { "kind": "UNAVAILABLE", "reason": "not asked" }
            }
        ]
    })
}

fn proposed(ground: &Ground, draft: &Value) -> Result<Proposal, ConjectureError> {
    read(draft.to_string().as_bytes(), &ground.snapshot, &ground.context)
}

#[test]
fn a_draft_by_names_becomes_one_proposal_of_this_snapshot_and_context() {
    let ground = ground(TABLE, "What if?");
    let proposal = proposed(&ground, &draft()).unwrap();
    let body = proposal.body();
    assert_eq!(
        (body.snapshot_id, body.context_id),
        (ground.snapshot.id(), ground.context.id())
    );
    let ids: Vec<&str> = body.elements.iter().map(|one| one.element_id.as_str()).collect();
    assert_eq!(ids, ["kin", "line", "tall"], "sorted, whatever the draft's order");
    let tall = element(&proposal, "tall").unwrap();
    let Payload::Value { values } = &tall.payload else {
        panic!("a row")
    };
    let order: Vec<f64> = values.iter().map(|one| one.value.get()).collect();
    assert_eq!(order, [20.0, 5.0, 50.0], "in the foreground's order");
    assert_eq!(tall.mark_text(), "Conjecture: hypothesized, a tall one");
    assert_eq!(
        tall.board_text(),
        "Conjecture, not evidence: a tall one, assuming it grows"
    );
    assert!(tall.has("values/2") && !tall.has("values/3") && !tall.has("value"));
    check_rows(&proposal, &ground.leaf).unwrap();
    assert_eq!(
        proposed(&ground, &draft()).unwrap().id(),
        proposal.id(),
        "the same words, the same identity"
    );
    assert!(
        !format!("{:?}", ground.snapshot.body()).contains("a tall one"),
        "the snapshot never holds it"
    );
    assert!(crate::is_named_by(&format!("see {}", proposal.id())));
}

/// A sealed proposal is read as it is, and only where it belongs.
#[test]
fn a_sealed_proposal_is_read_where_it_belongs_and_nowhere_else() {
    let here = ground(TABLE, "What if?");
    let proposal = proposed(&here, &draft()).unwrap();
    let sealed = serde_json::to_value(proposal.to_wire()).unwrap();
    assert_eq!(proposed(&here, &sealed).unwrap(), proposal);
    for (other, what) in [
        (ground(OTHER, "What if?"), "snapshot"),
        (ground(TABLE, "What else?"), "context"),
    ] {
        let error = proposed(&other, &sealed).unwrap_err();
        assert!(
            matches!(&error, ConjectureError::Other { what: found, .. } if *found == what),
            "{error}"
        );
        assert_eq!(
            (error.refusal().stage(), error.refusal().reason()),
            (Stage::ContextIdentity, Reason::WrongSubject)
        );
    }
    let mut edited = sealed;
    edited["body"]["elements"][0]["label"] = json!("something else");
    let error = proposed(&here, &edited).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::Integrity, "{error}");
}

/// A change to the draft, and the reason with which it is refused.
type Spoiled = (&'static str, fn(&mut Value), Reason);

#[test]
fn what_does_not_hold_is_refused_by_name() {
    let ground = ground(TABLE, "What if?");
    let spoiled: &[Spoiled] = &[
        (
            "no elements",
            |draft| draft["elements"] = json!([]),
            Reason::NotStated,
        ),
        (
            "no assumption",
            |draft| draft["elements"][0]["assumptions"] = json!([]),
            Reason::NotStated,
        ),
        (
            "too many assumptions",
            |draft| draft["elements"][0]["assumptions"] = json!(["a", "b", "c", "d"]),
            Reason::Bounds,
        ),
        (
            "a long label",
            |draft| draft["elements"][0]["label"] = json!("x".repeat(41)),
            Reason::Bounds,
        ),
        (
            "text that turns",
            |draft| draft["elements"][0]["label"] = json!("a\u{202e}b"),
            Reason::Malformed,
        ),
        (
            "a control character",
            |draft| draft["rationale"] = json!("a\u{7}b"),
            Reason::Malformed,
        ),
        (
            "a name with blanks",
            |draft| draft["elements"][0]["elementId"] = json!("a b"),
            Reason::Malformed,
        ),
        (
            "a name twice",
            |draft| draft["elements"][2]["elementId"] = json!("tall"),
            Reason::AmbiguousReference,
        ),
        (
            "another unit",
            |draft| draft["elements"][1]["payload"]["value"]["unit"] = json!("m"),
            Reason::IncompatibleFrames,
        ),
        (
            "no unit",
            |draft| {
                draft["elements"][1]["payload"]["value"] = json!({ "variable": "height_cm", "value": 25 });
            },
            Reason::IncompatibleFrames,
        ),
        (
            "a variable nobody asked about",
            |draft| draft["elements"][1]["payload"]["value"]["variable"] = json!("depth_cm"),
            Reason::AmbiguousReference,
        ),
        (
            "a row of two values",
            |draft| {
                draft["elements"][0]["payload"]["values"]
                    .as_array_mut()
                    .unwrap()
                    .pop();
            },
            Reason::UnresolvedPerspective,
        ),
        (
            "a receipt that is not there",
            |draft| draft["elements"][0]["supporting"] = json!(["no such"]),
            Reason::AmbiguousReference,
        ),
        (
            "a range beside its value",
            |draft| draft["elements"][1]["uncertainty"]["ranges"][0]["lower"] = json!(25.5),
            Reason::Malformed,
        ),
        (
            "a dependency that is not there",
            |draft| draft["elements"][1]["dependsOn"][0]["elementId"] = json!("small"),
            Reason::AmbiguousReference,
        ),
        (
            "a circle",
            |draft| draft["elements"][0]["dependsOn"] = json!([{ "kind": "ELEMENT", "elementId": "line" }]),
            Reason::AmbiguousReference,
        ),
        (
            "nearer than its ground",
            |draft| draft["elements"][1]["status"] = json!("IMPUTED"),
            Reason::ConjectureAsClaim,
        ),
        (
            "nearer than what its ground rests on",
            |draft| {
                draft["elements"][0]["status"] = json!("COUNTERFACTUAL");
                draft["elements"][1]["status"] = json!("HYPOTHESIZED");
            },
            Reason::ConjectureAsClaim,
        ),
        (
            "imputed from nothing",
            |draft| draft["elements"][2]["status"] = json!("IMPUTED"),
            Reason::ConjectureAsClaim,
        ),
        (
            "a relation of a row to itself",
            |draft| draft["elements"][2]["payload"]["toRow"] = json!("row:1"),
            Reason::AmbiguousReference,
        ),
        (
            "a member nobody knows",
            |draft| draft["admitted"] = json!(true),
            Reason::Malformed,
        ),
        (
            "an unknown kind of payload",
            |draft| draft["elements"][2]["payload"]["kind"] = json!("PROOF"),
            Reason::Malformed,
        ),
    ];
    for (name, spoil, reason) in spoiled {
        let mut draft = draft();
        spoil(&mut draft);
        match proposed(&ground, &draft) {
            Ok(_) => panic!("{name}: accepted"),
            Err(error) => {
                assert_eq!(error.refusal().reason(), *reason, "{name}: {error}");
                assert!(error.refusal().retry().is_some(), "{name}");
            }
        }
    }
    assert!(proposed(&ground, &draft()).is_ok(), "the control");
}

/// Status propagates along the whole chain, not one step.
#[test]
fn what_depends_on_conjecture_is_at_least_as_far_from_the_data() {
    let ground = ground(TABLE, "What if?");
    let mut chain = draft();
    chain["elements"][2]["dependsOn"] = json!([{ "kind": "ELEMENT", "elementId": "line" }]);
    let error = proposed(&ground, &chain).unwrap_err();
    assert!(
        matches!(&error, ConjectureError::NearerThanItsGround { element, ground, .. }
        if element == "kin" && ground == "line"),
        "{error}"
    );
    chain["elements"][2]["status"] = json!("COUNTERFACTUAL");
    assert!(proposed(&ground, &chain).is_ok());
    assert!(Status::Imputed < Status::Hypothesized && Status::Hypothesized < Status::Counterfactual);
}

#[test]
fn one_receipt_does_not_speak_both_ways() {
    let ground = ground(TABLE, "What if?");
    let receipt = json!([ground.receipts[0]]);
    let mut both = draft();
    both["elements"][0]["supporting"] = receipt.clone();
    assert!(proposed(&ground, &both).is_ok());
    both["elements"][0]["contradicting"] = receipt;
    assert!(matches!(
        proposed(&ground, &both),
        Err(ConjectureError::BothWays { .. })
    ));
}

/// A body that names evidence of another snapshot is sealed, and fits nothing here.
#[test]
fn evidence_of_another_snapshot_is_not_its_own() {
    let (here, there) = (ground(TABLE, "What if?"), ground(OTHER, "What if?"));
    let with_receipt = |ground: &Ground| {
        let mut draft = draft();
        draft["elements"][0]["supporting"] = json!([ground.receipts[0]]);
        proposed(ground, &draft).unwrap()
    };
    let mut body: ProposalBody = with_receipt(&here).into_body();
    let foreign = with_receipt(&there).into_body();
    let of = |body: &ProposalBody| {
        body.elements
            .iter()
            .position(|one| one.element_id == "tall")
            .unwrap()
    };
    let at = of(&body);
    body.elements[at].supporting = foreign.elements[of(&foreign)].supporting.clone();
    let grafted = identity::Sealed::seal(body).unwrap();
    assert!(matches!(
        check_against(&grafted, &here.snapshot, &here.context),
        Err(ConjectureError::NoSuchEvidence { .. })
    ));
    assert!(check_against(&with_receipt(&here), &here.snapshot, &here.context).is_ok());
}

#[test]
fn relations_are_between_rows_that_are_there() {
    let ground = ground(TABLE, "What if?");
    let mut far = draft();
    far["elements"][2]["payload"]["toRow"] = json!("row:9");
    let proposal = proposed(&ground, &far).unwrap();
    let error = check_rows(&proposal, &ground.leaf).unwrap_err();
    assert!(
        matches!(&error, ConjectureError::NoSuchRow { key, .. } if key == "row:9"),
        "{error}"
    );
}

#[test]
fn proposals_that_are_shown_together_share_no_name() {
    let ground = ground(TABLE, "What if?");
    let one = proposed(&ground, &draft()).unwrap();
    let mut other = draft();
    other["rationale"] = json!("another");
    let two = proposed(&ground, &other).unwrap();
    assert!(check_together(std::slice::from_ref(&one)).is_ok());
    assert!(matches!(
        check_together(&[one, two]),
        Err(ConjectureError::Repeated { .. })
    ));
}
