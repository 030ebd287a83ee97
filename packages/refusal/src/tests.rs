use super::*;

fn example() -> Refusal {
    Refusal::new(
        Stage::BindingUse,
        Reason::NotQualified,
        "position in depth has no qualification on a monitor",
    )
    .about("marks.volume")
    .under("qualification-policy/v1")
    .at("/primitives/0")
    .next("use --use study with an authorization")
    .because(Refusal::new(
        Stage::EvidencePolicy,
        Reason::MissingRequired,
        "no decision covers it",
    ))
}

#[test]
fn wire_form_round_trips_and_is_closed() {
    let wire = example().to_wire();
    let text = serde_json::to_string(&wire).unwrap();
    let back: wire::v1::Refusal = serde_json::from_str(&text).unwrap();
    assert_eq!(Refusal::from_wire(back).unwrap(), example());
    let extra = text.replacen('{', r#"{"plan":{},"#, 1);
    let error = serde_json::from_str::<wire::v1::Refusal>(&extra).unwrap_err();
    assert!(error.to_string().contains("unknown field `plan`"), "{error}");
}

#[test]
fn a_reason_under_another_code_is_not_read_back() {
    let mut wire = example().to_wire();
    wire.code = "INVALID_INPUT".to_owned();
    let error = Refusal::from_wire(wire).unwrap_err();
    assert!(matches!(error, wire::RefusalWireError::Reason { .. }), "{error}");
}

#[test]
fn words_are_unique_and_every_code_has_a_reason() {
    for code in Code::ALL {
        let words: Vec<_> = Reason::ALL
            .iter()
            .filter(|r| r.code() == code)
            .map(|r| r.word())
            .collect();
        assert!(!words.is_empty(), "{code} has no reason");
        let mut unique = words.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), words.len(), "{code} repeats a reason");
    }
}

#[test]
fn the_first_failing_stage_is_primary_whatever_the_order_of_discovery() {
    let mut found = Diagnostics::new();
    found.push(Refusal::new(Stage::Budget, Reason::OverBudget, "late"));
    found.push(Refusal::new(Stage::ContextIdentity, Reason::Stale, "early"));
    found.push(Refusal::new(
        Stage::ContextIdentity,
        Reason::WrongSubject,
        "early, second",
    ));
    assert_eq!(found.primary().map(Refusal::reason), Some(Reason::Stale));
    assert_eq!(found.all().len(), 3);
}

#[test]
fn the_bound_counts_what_it_drops_and_never_drops_the_primary() {
    let mut found = Diagnostics::new();
    for _ in 0..MAX_DIAGNOSTICS {
        found.push(Refusal::new(Stage::Budget, Reason::OverBudget, "late"));
    }
    assert_eq!(found.dropped(), 0);
    found.push(Refusal::new(Stage::DecodeIntegrity, Reason::Integrity, "first"));
    assert_eq!(found.all().len(), MAX_DIAGNOSTICS);
    assert_eq!(found.dropped(), 1);
    assert_eq!(found.primary().map(Refusal::reason), Some(Reason::Integrity));
}

#[test]
fn a_person_reads_code_reason_why_and_next() {
    let text = example().to_string();
    for part in [
        "USE_NOT_PERMITTED / NOT_QUALIFIED",
        "why",
        "where    /primitives/0",
        "cause",
        "next",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}
