use dataset::{Declaration, Scale};
use refusal::{Code, Reason};
use snapshot::SnapshotView as _;
use snapshot::wire::v1::State;

use super::fixture::{Build, labels, numbers, penguins, rows, table};
use super::{begun, commits, draft, refuses, scope};
use crate::perspective::{check_member, from_json};
use crate::wire::v2::Perspective;
use crate::{Draft, EpistemicPurpose, InvestigationError, VariableKind, Viewpoint, check_against};

/// The penguins with a column of identifiers, whose mean does not exist.
fn with_identifier() -> Build {
    let mut build = penguins();
    build
        .declarations
        .push(Declaration::of("year").scale(Scale::Identifier));
    build
}

fn asking(variables: &[&str]) -> Draft {
    let draft = Draft::new("penguins")
        .purpose(EpistemicPurpose::ClaimBearing)
        .scope(&scope());
    variables
        .iter()
        .fold(draft, |draft, variable| draft.foreground(*variable))
}

fn committed(draft: &Draft, build: &Build) -> Perspective {
    let mut investigation = begun();
    let context = draft.commit(&mut investigation, &build.seal()).unwrap();
    context.body().perspective.clone().unwrap()
}

#[test]
fn foreground_names_resolve_to_values_nodes_in_the_order_stated() {
    let snapshot = penguins().seal();
    let perspective = committed(&draft(), &penguins());
    let names: Vec<&str> = perspective
        .foreground
        .iter()
        .map(|variable| variable.variable.as_str())
        .collect();
    assert_eq!(names, ["flipper_length_mm", "body_mass_g", "bill_length_mm"]);
    for variable in perspective.foreground.iter().chain(&perspective.grouping) {
        let node = snapshot
            .find(&format!("column:{}", variable.variable), "values")
            .unwrap();
        assert_eq!(variable.node_id, node.node_id);
    }
    assert_eq!(perspective.grouping.unwrap().kind, "CATEGORICAL");
    assert_eq!(perspective.viewpoint_purpose, "COMPARE");
}

#[test]
fn perspectives_over_one_snapshot_are_contexts_of_their_own() {
    // F01: the snapshot does not know about them.
    let snapshot = penguins().seal();
    let mut investigation = begun();
    let one = draft().commit(&mut investigation, &snapshot).unwrap().clone();
    let other = asking(&["body_mass_g", "flipper_length_mm"])
        .commit(&mut investigation, &snapshot)
        .unwrap()
        .clone();
    assert_ne!(one.id(), other.id());
    assert_eq!(
        one.body().analytical_dataset_fingerprint,
        other.body().analytical_dataset_fingerprint
    );
    assert_eq!(penguins().seal().id(), snapshot.id());
    for context in [&one, &other] {
        check_against(context, &snapshot).unwrap();
    }
}

#[test]
fn an_unknown_name_gets_the_nearest() {
    let refusal = refuses(&asking(&["flipper_lenght_mm"]), &penguins()).refusal();
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::InvalidInput, Reason::AmbiguousReference)
    );
    assert!(
        refusal
            .cause()
            .text
            .contains("the nearest is `flipper_length_mm`"),
        "{refusal}"
    );
    assert_eq!(refusal.subjects(), ["flipper_lenght_mm"]);
    let far = refuses(&asking(&["zzz"]), &penguins()).refusal();
    assert!(
        far.cause()
            .text
            .contains("bill_length_mm, body_mass_g, flipper_length_mm, species"),
        "{far}"
    );
    commits(&asking(&["flipper_length_mm"]), &penguins());
}

#[test]
fn a_scale_carries_only_what_it_can() {
    let cases = [
        (numbers("v", Scale::Ratio), true, false),
        (numbers("v", Scale::Interval), true, false),
        (numbers("v", Scale::Count), true, false),
        (numbers("v", Scale::Proportion), true, false),
        (numbers("v", Scale::Temporal), true, false),
        (numbers("v", Scale::SpatialCoordinate), true, false),
        (numbers("v", Scale::Circular), false, false),
        (numbers("v", Scale::Identifier), false, false),
        (labels("v", Scale::Nominal), false, true),
        (labels("v", Scale::Ordinal), false, true),
        (labels("v", Scale::Unknown), false, false),
    ];
    for (column, quantitative, categorical) in cases {
        let build = table(&[column, numbers("w", Scale::Ratio)], &[&["v", "w"]]);
        let scale = build.declarations[0].scale.unwrap().word();
        for (asked, allowed, draft) in [
            (VariableKind::Quantitative, quantitative, asking(&["v"])),
            (
                VariableKind::Categorical,
                categorical,
                asking(&["w"]).grouping("v"),
            ),
        ] {
            if allowed {
                commits(&draft, &build);
                continue;
            }
            let error = refuses(&draft, &build);
            let expected = InvestigationError::Measurement {
                variable: "v".to_owned(),
                scale: scale.to_owned(),
                asked,
            };
            assert_eq!(error, expected, "{scale}");
            let refusal = error.refusal();
            let (code, reason) = (Code::SemanticsUnsupported, Reason::MeasurementUnsupported);
            assert_eq!((refusal.code(), refusal.reason()), (code, reason));
            let text = &refusal.cause().text;
            assert!(
                text.contains("`v`") && refusal.retry().unwrap().contains("`v`"),
                "{refusal}"
            );
        }
    }
}

#[test]
fn every_scale_is_judged() {
    use dataset::Word as _;

    for scale in Scale::ALL {
        let word = Some(scale.word());
        let both =
            VariableKind::Quantitative.supported_by(word) && VariableKind::Categorical.supported_by(word);
        assert!(!both, "{scale}");
    }
    assert!(!VariableKind::Quantitative.supported_by(None) && !VariableKind::Categorical.supported_by(None));
}

#[test]
fn variables_must_stand_in_one_row_projection() {
    let columns = || ["a", "b", "c"].map(|name| numbers(name, Scale::Ratio));
    let apart = table(&columns(), &[&["a"], &["b"]]);
    let refusal = refuses(&asking(&["a", "b"]), &apart).refusal();
    assert_eq!(refusal.reason(), Reason::UnresolvedPerspective);
    assert_eq!(refusal.subjects(), ["a", "b"]);
    commits(&asking(&["a"]), &apart);

    let several = table(&columns(), &[&["a", "b", "c"], &["a", "b"]]);
    let snapshot = several.seal();
    let narrow = committed(&asking(&["a", "b"]), &several).foreground[0].node_id;
    let source = snapshot.source(snapshot.node(narrow).unwrap().source_id).unwrap();
    assert_eq!(source.request, rows(&["a", "b"]));

    let tied = table(&columns(), &[&["a", "b"], &["a", "c"]]);
    let refusal = refuses(&asking(&["a"]), &tied).refusal();
    assert_eq!(refusal.reason(), Reason::AmbiguousReference);
    assert_eq!(refusal.subjects().len(), 3);
    // A node says which.
    let mut named = committed(&asking(&["a", "b"]), &tied);
    named.foreground.truncate(1);
    let by_node = asking(&[]).perspective(&named).unwrap();
    assert_eq!(committed(&by_node, &tied), named);
}

#[test]
fn what_is_not_there_is_said_to_be_not_there() {
    let state = State::Refused {
        owning_reason: "the column is text".to_owned(),
    };
    let build = Build {
        absent: vec![(rows(&["island"]), state)],
        ..penguins()
    };
    let error = refuses(&asking(&["island"]), &build);
    assert!(
        matches!(&error, InvestigationError::Unavailable { why, .. } if why == "the column is text"),
        "{error:?}"
    );
    commits(&asking(&["body_mass_g"]), &build);

    let summarized = Build {
        statistics: vec!["year", "body_mass_g"],
        ..penguins()
    };
    let error = refuses(&asking(&["year"]), &summarized);
    assert!(error.to_string().contains("but not its rows"), "{error}");
    commits(&asking(&["body_mass_g"]), &summarized);
}

#[test]
fn references_resolve_before_commit() {
    let here = Build {
        statistics: vec!["body_mass_g", "year"],
        ..with_identifier()
    }
    .seal();
    let build = Build {
        statistics: vec!["body_mass_g", "year"],
        ..with_identifier()
    };
    let known = here.find("column:body_mass_g", "mean").unwrap().node_id;
    let absent = here.find("column:year", "mean").unwrap().node_id;
    let foreign = table(&[numbers("other", Scale::Ratio)], &[&["other"]]).seal();
    let foreign = foreign.find("column:other", "values").unwrap().node_id;
    let places: [fn(Draft, identity::Identity<snapshot::NodeKind>) -> Draft; 3] = [
        Draft::hold_constant,
        Draft::comparison_frame,
        Draft::temporal_frame,
    ];
    for place in places {
        commits(&place(draft(), known), &build);
        for unusable in [absent, foreign] {
            let refusal = refuses(&place(draft(), unusable), &build).refusal();
            assert_eq!(refusal.reason(), Reason::UnresolvedPerspective);
        }
    }
    commits(&draft().hold_constant(known), &build);
    assert_eq!(
        refuses(&draft().hold_constant(known).hold_constant(known), &build),
        InvestigationError::HeldConstantOrder
    );
}

#[test]
fn nothing_stands_in_front_twice() {
    for twice in [
        asking(&["body_mass_g", "body_mass_g"]),
        draft().foreground_categorical("species"),
    ] {
        assert!(matches!(
            refuses(&twice, &penguins()),
            InvestigationError::NamedTwice { .. }
        ));
    }
    assert_eq!(
        refuses(&asking(&[]).grouping("species"), &penguins()),
        InvestigationError::NothingForeground
    );
    commits(&asking(&[]).foreground_categorical("species"), &penguins());
    commits(&asking(&[]), &penguins());
}

#[test]
fn words_that_narrow_the_population_point_to_a_new_analysis() {
    let words = [
        "filter",
        "filters",
        "predicate",
        "where",
        "subset",
        "sample",
        "selection",
        "rows",
        "rowLimit",
        "limit",
        "topN",
        "threshold",
        "cutoff",
        "quantile",
        "binCount",
        "score",
        "weight",
        "window",
        "timeRange",
        "dateRange",
        "top_n",
        "row-limit",
        "WHERE",
    ];
    for word in words {
        let refusal = check_member(word).unwrap_err().refusal();
        assert_eq!(
            (refusal.code(), refusal.reason()),
            (Code::ContextIncompatible, Reason::NarrowsPopulation),
            "{word}"
        );
        assert!(refusal.retry().unwrap().contains("new analysis"), "{word}");
        assert_eq!(refusal.subjects(), [word]);
    }
    for (word, nearest) in [("forground", Some("foreground")), ("color", None), ("mode", None)] {
        let error = check_member(word).unwrap_err();
        let expected = InvestigationError::UnknownMember {
            member: word.to_owned(),
            nearest: nearest.map(str::to_owned),
        };
        assert_eq!(error, expected);
        assert_eq!(error.refusal().reason(), Reason::UnknownShape);
    }
    check_member("foreground").unwrap();
    check_member("heldConstant").unwrap();
}

#[test]
fn a_written_perspective_is_read_closed() {
    let perspective = committed(&draft(), &penguins());
    let text = String::from_utf8(identity::canonical::to_vec(&perspective).unwrap()).unwrap();
    assert_eq!(from_json(text.as_bytes()).unwrap(), perspective);
    let cases: [(&str, &str, Reason); 9] = [
        (
            "{\"foreground\"",
            "{\"where\":\"x > 1\",\"foreground\"",
            Reason::NarrowsPopulation,
        ),
        ("{\"kind\"", "{\"topN\":5,\"kind\"", Reason::NarrowsPopulation),
        (
            "{\"foreground\"",
            "{\"mode\":\"foreground\",\"foreground\"",
            Reason::UnknownShape,
        ),
        ("\"schemaVersion\":1", "\"schemaVersion\":2", Reason::UnknownShape),
        ("\"COMPARE\"", "\"GLANCE\"", Reason::UnknownShape),
        ("\"QUANTITATIVE\"", "\"NUMERIC\"", Reason::UnknownShape),
        ("\"CATEGORICAL\"", "\"QUANTITATIVE\"", Reason::UnknownShape),
        ("\"foreground\":[", "\"foreground\":[3,", Reason::Malformed),
        (
            "\"variable\":\"body_mass_g\"",
            "\"variable\":\"flipper_length_mm\"",
            Reason::Malformed,
        ),
    ];
    for (from, to, reason) in cases {
        assert!(text.contains(from), "{from}");
        let error = from_json(text.replacen(from, to, 1).as_bytes()).unwrap_err();
        assert_eq!(error.refusal().reason(), reason, "{to}: {error}");
    }
}

#[test]
fn a_context_belongs_to_its_dataset_and_nodes() {
    let mut investigation = begun();
    let context = draft().commit(&mut investigation, &penguins().seal()).unwrap();
    check_against(context, &penguins().seal()).unwrap();
    let other_data = Build {
        name: "other",
        ..penguins()
    }
    .seal();
    let error = check_against(context, &other_data).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::WrongSubject);
    // Same data, other rows: other nodes.
    let mut columns = penguins().projections[0].clone();
    columns.push("sex");
    let other_rows = Build {
        projections: vec![columns],
        ..penguins()
    }
    .seal();
    let error = check_against(context, &other_rows).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::UnresolvedPerspective);
    // A snapshot that says more still holds these.
    let state = State::Unavailable {
        reason: "not asked in time".to_owned(),
    };
    check_against(
        context,
        &Build {
            absent: vec![(rows(&["island"]), state)],
            ..penguins()
        }
        .seal(),
    )
    .unwrap();
}

#[test]
fn viewpoints_are_four_words() {
    for viewpoint in Viewpoint::ALL {
        assert_eq!(Viewpoint::parse(viewpoint.word()), Some(viewpoint));
        assert_eq!(
            committed(&draft().viewpoint(viewpoint), &penguins()).viewpoint_purpose,
            viewpoint.word()
        );
    }
    assert_eq!(Viewpoint::parse("compare"), None);
}
