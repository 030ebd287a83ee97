use refusal::{Reason, Stage};

use super::{begun, commits, draft, fixture, refuses, scope};
use crate::text::{canonical, is_canonical, is_trimmed};
use crate::wire::v2::{Intent, IntentValue};
use crate::{Draft, EpistemicPurpose, IntentText, InvestigationError, intent, parse_purpose};

#[test]
fn the_trimmed_set_is_that_of_ecmascript() {
    let differing: Vec<char> = (char::MIN..=char::MAX)
        .filter(|c| is_trimmed(*c) != c.is_whitespace())
        .collect();
    assert_eq!(differing, ['\u{85}', '\u{feff}']);
    assert!(is_trimmed('\u{feff}') && !is_trimmed('\u{85}'));
    assert_eq!((char::MIN..=char::MAX).filter(|c| is_trimmed(*c)).count(), 25);
}

#[test]
fn texts_are_composed_and_trimmed_and_nothing_else() {
    for (raw, expected) in [
        ("  a  b\t", Some("a  b")),
        ("e\u{301}te\u{301}", Some("été")),
        ("\u{feff}question\u{feff}\n", Some("question")),
        ("\u{85}kept\u{85}", Some("\u{85}kept\u{85}")),
        ("\u{212b}", Some("Å")),
        ("\u{fb01}", Some("\u{fb01}")),
        (" \u{301}", Some("\u{301}")),
        ("\u{2003}\u{3000}", None),
        ("", None),
    ] {
        let form = canonical(raw);
        assert_eq!(form.as_deref(), expected, "{raw:?}");
        if let Some(form) = form {
            assert!(is_canonical(&form), "{raw:?}");
            assert_eq!(canonical(&form).as_ref(), Some(&form), "{raw:?}");
        }
    }
}

#[test]
fn an_empty_list_is_not_an_absent_one_and_order_is_kept() {
    let of = |variables: Option<Vec<&str>>| {
        let variables_of_interest = variables.map(|items| items.into_iter().map(str::to_owned).collect());
        IntentText {
            variables_of_interest,
            ..IntentText::default()
        }
        .canonical()
    };
    let absent = of(None).unwrap();
    let empty = of(Some(vec![])).unwrap();
    assert_ne!(absent, empty);
    assert_ne!(
        identity::canonical::to_vec(&absent).unwrap(),
        identity::canonical::to_vec(&empty).unwrap()
    );
    let ordered = of(Some(vec![" b ", "a", "b"])).unwrap();
    assert_eq!(ordered.variables_of_interest.unwrap(), ["b", "a", "b"]);
    assert_eq!(
        of(Some(vec!["a", " \u{feff}"])),
        Err(InvestigationError::EmptyVariable { idx: 1 })
    );
}

#[test]
fn blank_text_becomes_absent() {
    let raw = IntentText {
        research_question: Some(" \t".to_owned()),
        hypothesis: Some(" h ".to_owned()),
        ..IntentText::default()
    };
    let value = raw.canonical().unwrap();
    assert_eq!(
        (value.research_question, value.hypothesis.as_deref()),
        (None, Some("h"))
    );
}

#[test]
fn an_intent_is_read_closed() {
    let read = |text: &str| intent::from_json(text.as_bytes());
    let value = read(r#"{"schemaVersion":1,"researchQuestion":" Why? ","variablesOfInterest":[]}"#).unwrap();
    assert_eq!(value.research_question.as_deref(), Some("Why?"));
    assert_eq!(value.variables_of_interest, Some(Vec::new()));
    for (text, reason) in [
        (r#"{"schemaVersion":1,"studyId":"s"}"#, Reason::UnknownShape),
        (r#"{"schemaVersion":2}"#, Reason::UnknownShape),
        (r#"{"researchQuestion":"Why?"}"#, Reason::Malformed),
        (r#"{"schemaVersion":1,"hypothesis":3}"#, Reason::Malformed),
        (
            r#"{"schemaVersion":1,"variablesOfInterest":[""]}"#,
            Reason::Malformed,
        ),
    ] {
        assert_eq!(read(text).unwrap_err().refusal().reason(), reason, "{text}");
    }
}

#[test]
fn two_spellings_of_one_question_are_one_context() {
    let build = fixture::penguins();
    let id = |question: &str| {
        draft()
            .question(question)
            .commit(&mut begun(), &build.seal())
            .map(|context| context.id())
            .unwrap()
    };
    assert_eq!(id("caf\u{e9}?"), id("  cafe\u{301}?\n"));
    assert_ne!(id("café?"), id("cafe?"));
}

#[test]
fn names_of_investigations_are_exact() {
    let ids: Vec<_> = ["caf\u{e9}", "cafe\u{301}", " caf\u{e9} "]
        .map(|name| {
            let mut investigation = crate::Investigation::new(name, "run").unwrap();
            let draft = Draft::new(name)
                .purpose(EpistemicPurpose::ClaimBearing)
                .scope(&scope());
            let context = draft
                .commit(&mut investigation, &fixture::penguins().seal())
                .unwrap();
            assert_eq!(context.body().investigation_id, name);
            context.id()
        })
        .into();
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2]);
}

#[test]
fn a_stored_intent_out_of_form_is_refused_and_never_repaired() {
    let mut investigation = begun();
    let context = draft()
        .commit(&mut investigation, &fixture::penguins().seal())
        .unwrap();
    let with = |question: &str| {
        let mut body = context.body().clone();
        let value = IntentValue {
            schema_version: super::int(1),
            research_question: Some(question.to_owned()),
            hypothesis: None,
            variables_of_interest: None,
            current_task: None,
        };
        body.intent = Intent::Present { value };
        identity::Sealed::seal(body).map_err(crate::draft::from_seal)
    };
    assert!(with("café").is_ok());
    for question in ["cafe\u{301}", " café", "", "\u{feff}x"] {
        let error = with(question).unwrap_err();
        assert_eq!(
            error,
            InvestigationError::NotCanonical {
                field: "researchQuestion"
            },
            "{question:?}"
        );
    }
}

#[test]
fn a_purpose_is_asked_for_and_never_assumed() {
    let build = fixture::penguins();
    let silent = Draft::new("penguins")
        .question("Why?")
        .foreground("body_mass_g")
        .scope(&scope());
    let refusal = refuses(&silent, &build).refusal();
    assert_eq!(
        (refusal.reason(), refusal.stage()),
        (Reason::NotStated, Stage::ContextIdentity)
    );
    let text = &refusal.cause().text;
    assert!(
        text.contains("CLAIM_BEARING carries claims") && text.contains("EXPLORATORY_ABDUCTION explores"),
        "{text}"
    );
    assert!(
        refusal
            .retry()
            .unwrap()
            .contains("`claim-bearing` or `exploratory`")
    );
    commits(
        &silent.clone().purpose(EpistemicPurpose::ExploratoryAbduction),
        &build,
    );

    // Neither does a legacy absence of intent imply one.
    let legacy = silent.without_recorded_intent();
    assert_eq!(refuses(&legacy, &build), InvestigationError::PurposeNotStated);
    commits(&legacy.purpose(EpistemicPurpose::ClaimBearing), &build);
}

#[test]
fn purposes_are_read_from_two_words() {
    assert_eq!(parse_purpose("claim-bearing"), Ok(EpistemicPurpose::ClaimBearing));
    assert_eq!(
        parse_purpose("exploratory"),
        Ok(EpistemicPurpose::ExploratoryAbduction)
    );
    for word in [
        EpistemicPurpose::ClaimBearing,
        EpistemicPurpose::ExploratoryAbduction,
    ] {
        assert_eq!(parse_purpose(crate::purpose_word(word)), Ok(word));
    }
    for text in ["", "Claim-bearing", "confirmatory"] {
        let error = parse_purpose(text).unwrap_err();
        assert_eq!(error.refusal().reason(), Reason::Malformed, "{text}");
    }
}

#[test]
fn a_scope_is_asked_for_and_must_cover_the_viewpoint() {
    use crate::{Scope, Viewpoint};

    let build = fixture::penguins();
    let silent = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .foreground("body_mass_g");
    assert_eq!(refuses(&silent, &build), InvestigationError::ScopeNotStated);
    let shipped = std::str::from_utf8(super::SCOPE).unwrap();
    let narrow: String = shipped
        .split_whitespace()
        .collect::<String>()
        .replace(r#""COMPARE","INSPECT","LOCATE","#, "");
    let narrow = Scope::from_bytes(narrow.as_bytes()).unwrap();
    assert_eq!(narrow.tasks(), [Viewpoint::Overview]);
    let asked = silent.scope(&narrow);
    let refusal = refuses(&asked, &build).refusal();
    assert_eq!(refusal.reason(), Reason::ScopeMismatch);
    commits(&asked.viewpoint(Viewpoint::Overview), &build);
}

#[test]
fn scopes_are_read_closed_and_pinned_by_their_bytes() {
    let shipped = std::str::from_utf8(super::SCOPE).unwrap();
    let scope = scope();
    assert_eq!(scope.pinned().digest, identity::Digest::of(super::SCOPE));
    assert!(!scope.statement().is_empty() && !scope.domain().is_empty() && !scope.reading_tasks().is_empty());
    for (from, to) in [
        ("\"kind\"", "\"kinds\""),
        ("\"SCOPE\"", "\"POLICY\""),
        ("\"schemaVersion\": 1", "\"schemaVersion\": 2"),
        ("\"COMPARE\"", "\"CONTRAST\""),
        ("\"id\": \"", "\"filter\": 1, \"id\": \""),
    ] {
        assert!(shipped.contains(from), "{from}");
        assert!(
            crate::Scope::from_bytes(shipped.replacen(from, to, 1).as_bytes()).is_err(),
            "{from}"
        );
    }
}
