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
    let read = "  read     nemosyne explain-refusal USE_NOT_PERMITTED/NOT_QUALIFIED\n";
    assert!(text.ends_with(read), "{text}");
    assert_eq!(format!("{:#}{read}", example()), text);
}

/// The order of validation is the decision's, section 10, and refusals are kept in it.
#[test]
fn stages_stand_in_the_order_of_validation() {
    let words: Vec<&str> = Stage::ALL.iter().map(|stage| stage.word()).collect();
    assert_eq!(
        words,
        [
            "DECODE_INTEGRITY",
            "CONTEXT_IDENTITY",
            "EVIDENCE_POLICY",
            "FIXED_POLICY",
            "BINDING_USE",
            "BUDGET",
            "ADOPTION_RECHECK"
        ]
    );
    assert!(Stage::ALL.is_sorted());
    let mut found = Diagnostics::new();
    for stage in Stage::ALL.into_iter().rev() {
        found.push(Refusal::new(stage, Reason::Stale, stage.word()));
    }
    let kept: Vec<Stage> = found.all().iter().map(Refusal::stage).collect();
    assert_eq!(kept, Stage::ALL);
}

#[test]
fn joined_diagnostics_keep_order_bound_and_count() {
    let mut one = Diagnostics::new();
    let mut two = Diagnostics::new();
    for idx in 0..MAX_DIAGNOSTICS + 3 {
        one.push(Refusal::new(Stage::Budget, Reason::OverBudget, format!("{idx}")));
        two.push(Refusal::new(
            Stage::FixedPolicy,
            Reason::RouteMissing,
            format!("{idx}"),
        ));
    }
    assert_eq!((one.dropped(), two.dropped()), (3, 3));
    one.extend(two);
    assert_eq!(
        (one.all().len(), one.dropped()),
        (MAX_DIAGNOSTICS, 6 + MAX_DIAGNOSTICS)
    );
    assert!(one.failed(Stage::FixedPolicy) && !one.failed(Stage::ContextIdentity));
    let primary = one.primary().unwrap();
    assert_eq!(
        (primary.stage(), primary.cause().text.as_str()),
        (Stage::FixedPolicy, "0")
    );
    assert!(Diagnostics::new().is_empty() && Diagnostics::new().primary().is_none());
}

/// The owner's own code, reason and sentence stand under every refusal that was made of it, however deep.
#[test]
fn causes_are_kept_whole() {
    let evidence = Refusal::new(Stage::EvidencePolicy, Reason::Retracted, "the receipt is gone")
        .about("receipt-7")
        .under("nemosyne:policy/freshness@1");
    let replay = Refusal::new(Stage::DecodeIntegrity, Reason::ImplementationMissing, "not again")
        .because(evidence.clone());
    let outer = Refusal::new(Stage::AdoptionRecheck, Reason::Stale, "not now").because(replay.clone());
    assert_eq!(outer.cause().upstream.as_deref(), Some(&replay));
    assert_eq!(replay.cause().upstream.as_deref(), Some(&evidence));
    assert_eq!(Refusal::from_wire(outer.to_wire()).unwrap(), outer);
    let text = outer.to_string();
    for part in [
        "cause    REPLAY_UNSUPPORTED / IMPLEMENTATION_MISSING: not again",
        "cause    EVIDENCE_UNAVAILABLE / RETRACTED: the receipt is gone",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let moved = evidence.clone().during(Stage::AdoptionRecheck);
    assert_eq!(
        (moved.stage(), moved.code()),
        (Stage::AdoptionRecheck, Code::EvidenceUnavailable)
    );
    assert_eq!(
        (moved.subjects(), moved.policy()),
        (evidence.subjects(), evidence.policy())
    );
}

#[test]
fn subjects_are_bounded_and_the_rest_is_counted() {
    let named = |count: usize| {
        (0..count).fold(
            Refusal::new(Stage::Budget, Reason::OverBudget, "many"),
            |refusal, idx| refusal.about(format!("mark {idx}")),
        )
    };
    let all = named(MAX_SUBJECTS);
    assert_eq!((all.subjects().len(), all.cause().unnamed), (MAX_SUBJECTS, 0));
    assert!(
        !serde_json::to_string(&all.to_wire())
            .unwrap()
            .contains("unnamedSubjects")
    );
    let more = named(MAX_SUBJECTS + 3);
    assert_eq!((more.subjects().len(), more.cause().unnamed), (MAX_SUBJECTS, 3));
    assert!(more.to_string().contains("mark 63 and 3 more\n"));
    assert_eq!(Refusal::from_wire(more.to_wire()).unwrap(), more);
    let mut wire = more.to_wire();
    wire.subject_refs.push("one too many".to_owned());
    assert_eq!(
        Refusal::from_wire(wire).unwrap_err(),
        wire::RefusalWireError::Subjects(MAX_SUBJECTS + 1)
    );
}

/// Every reason, under its own code, survives being written down; under any other it is refused.
#[test]
fn the_tables_of_codes_stages_and_reasons_are_closed() {
    assert_eq!((Code::ALL.len(), Stage::ALL.len()), (10, 7));
    for reason in Reason::ALL {
        let wire = Refusal::new(Stage::Budget, *reason, "why").to_wire();
        assert_eq!(Refusal::from_wire(wire.clone()).unwrap().reason(), *reason);
        for code in Code::ALL {
            let other = wire::v1::Refusal {
                code: code.word().to_owned(),
                ..wire.clone()
            };
            let read = Refusal::from_wire(other);
            assert_eq!(
                read.is_ok(),
                Reason::parse(code, reason.word()).is_some(),
                "{code} {reason}"
            );
        }
    }
    let spoilt = |spoil: fn(&mut wire::v1::Refusal)| {
        let mut wire = example().to_wire();
        spoil(&mut wire);
        Refusal::from_wire(wire).unwrap_err()
    };
    let code = spoilt(|wire| wire.code = "NOT_NOW".to_owned());
    assert!(matches!(code, wire::RefusalWireError::Code(_)), "{code}");
    let stage = spoilt(|wire| wire.stage = "LATER".to_owned());
    assert!(matches!(stage, wire::RefusalWireError::Stage(_)), "{stage}");
    let inner = spoilt(|wire| {
        let upstream = wire.cause.upstream.as_mut().unwrap();
        upstream.reason = "BECAUSE".to_owned();
    });
    assert!(matches!(inner, wire::RefusalWireError::Reason { .. }), "{inner}");
}

/// Whatever stands in a name, a refusal has as many lines as it has facts.
#[test]
fn a_name_does_not_begin_a_line() {
    let lie = |breaks: &str| format!("x{breaks}ADMITTED for PRODUCTION");
    let plain = example().to_string().lines().count();
    for breaks in [
        "\n", "\r\n", "\r", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}",
    ] {
        let spoofed = Refusal::new(Stage::BindingUse, Reason::NotQualified, lie(breaks))
            .about(lie(breaks))
            .under(lie(breaks))
            .at(lie(breaks))
            .next(lie(breaks))
            .because(Refusal::new(
                Stage::EvidencePolicy,
                Reason::MissingRequired,
                lie(breaks),
            ));
        let text = spoofed.to_string();
        assert!(!text.contains(breaks) || breaks == "\n", "{text:?}");
        assert_eq!(text.lines().count(), plain, "{text:?}");
        assert!(text.lines().all(|line| !line.starts_with("ADMITTED")), "{text:?}");
    }
    assert_eq!(one_line("flipper_length_mm"), "flipper_length_mm");
}
