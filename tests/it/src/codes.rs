//! The ten codes: which of them a person meets at the command line of this version, and which only the running program does.
//!
//! Attacked: a code that exists on paper alone, and a page that names no test. Owner: the refusal vocabulary. Required: each
//! code is fired through a real door here, and its page is shown by `explain-refusal`. Control: beside each way to fire it,
//! the nearest way that does not.
//!
//! | code | door | how |
//! |---|---|---|
//! | INVALID_INPUT | command line | a table that is not there |
//! | SEMANTICS_UNSUPPORTED | command line | names of groups on an axis |
//! | EVIDENCE_UNAVAILABLE | command line | a receipt that was retracted in the custody folder |
//! | CLAIM_NOT_ADMISSIBLE | command line | no row has all values |
//! | CONTEXT_INCOMPATIBLE | command line | a package asked anew about a column that no recorded analysis covers |
//! | POLICY_VIOLATION | command line | a submitted graph that drops an obligation |
//! | BINDING_UNAVAILABLE | command line | two columns for three axes |
//! | RESOURCE_UNSATISFIABLE | command line | a window without a display |
//! | USE_NOT_PERMITTED | command line | study use without its owner |
//! | REPLAY_UNSUPPORTED | command line | a package of an earlier version |

use harness::{Spec, World, edit};
use obligations::wire::v1::Predicate;
use refusal::Code;
use serde_json::{Value, json};

use crate::custodian::{signs, told, with_custody};
use crate::program::{self, MAIN_JOB, nemosyne, package, put, with_table};
use crate::proposal;

/// A package of format version 3.
const OLDER: &[u8] = include_bytes!("../../vectors/legacy/v3-governed.nemosyne");
const TABLE: &str = "a,b,c,g\n1,2,3,x\n2,4,1,y\n3,1,2,x\n";

/// The code with which the command line refuses, when it does.
fn typed(table: &str, arguments: &[&str]) -> Option<String> {
    let folder = with_table("table.csv", table);
    put(folder.path(), "p.nemosyne", package());
    put(folder.path(), "older.nemosyne", OLDER);
    let ran = nemosyne(folder.path(), arguments);
    if ran.code == 0 {
        return None;
    }
    let said = ran.out + &ran.err;
    let line = said
        .lines()
        .find_map(|line| line.strip_prefix("REFUSED "))
        .unwrap_or_else(|| panic!("{said}"));
    Some(line.split(' ').next().unwrap_or_default().to_owned())
}

fn admit<'a>(foreground: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec![
        "admit",
        "table.csv",
        "--question",
        "Which?",
        "--purpose",
        "claim-bearing",
        "--foreground",
        foreground,
    ];
    arguments.extend(more);
    arguments
}

fn refused_with(code: Code, table: &str, fires: &[&str], control: &[&str]) {
    assert_eq!(typed(table, fires).as_deref(), Some(code.word()), "{fires:?}");
    assert_eq!(typed(TABLE, control), None, "{control:?}");
}

#[test]
fn invalid_input_is_met_at_the_command_line() {
    refused_with(
        Code::InvalidInput,
        TABLE,
        &["import", "tabel.csv"],
        &["import", "table.csv"],
    );
}

#[test]
fn semantics_unsupported_is_met_at_the_command_line() {
    refused_with(
        Code::SemanticsUnsupported,
        TABLE,
        &admit("a,b,g", &[]),
        &admit("a,b,c", &["--group", "g"]),
    );
}

#[test]
fn evidence_unavailable_is_met_at_the_command_line() {
    let folder = with_custody();
    put(folder.path(), "penguins.nemosyne", package());
    let admit = |out| {
        let mut arguments = MAIN_JOB.to_vec();
        arguments[11] = out;
        told(folder.path(), &arguments)
    };
    assert_eq!(admit("before.nemosyne").0, 0);
    let opened = package::open(
        &folder.path().join("penguins.nemosyne"),
        &package::Limits::DEFAULT,
    )
    .expect("it opens");
    let receipt = opened.record().body().evidence_dispositions[0]
        .evidence_use
        .receipt_content_digest;
    let receipt = receipt.to_string();
    signs(
        folder.path(),
        &["retract", "--receipt", &receipt, "--reason", "A test says so."],
    )
    .done();
    let (code, answer) = admit("after.nemosyne");
    assert_eq!(
        (code, &answer["refusal"]["code"]),
        (1, &json!(Code::EvidenceUnavailable.word())),
        "{answer}"
    );
}

#[test]
fn claim_not_admissible_is_met_at_the_command_line() {
    let no_row = "a,b,c\n1,2,\n,2,3\n1,,3\n";
    refused_with(
        Code::ClaimNotAdmissible,
        no_row,
        &admit("a,b,c", &[]),
        &admit("a,b,c", &[]),
    );
}

#[test]
fn context_incompatible_is_met_at_the_door() {
    let mut world = World::flowers();
    assert!(world.admit().is_ok());
    let other = World::of(&Spec {
        question: "What else?".to_owned(),
        ..Spec::flowers()
    });
    world.context = other.context;
    let refused = world.admit().expect_err("the proposal answers another question");
    assert_eq!(refused.primary().code(), Code::ContextIncompatible);
}

#[test]
fn context_incompatible_is_met_at_the_command_line() {
    let anew = |columns| ["admit", "p.nemosyne", "--foreground", columns];
    refused_with(
        Code::ContextIncompatible,
        TABLE,
        &anew("bill_depth_mm,body_mass_g,bill_length_mm"),
        &anew("body_mass_g,flipper_length_mm,bill_length_mm"),
    );
}

#[test]
fn policy_violation_is_met_at_the_command_line() {
    let folder = with_table("table.csv", TABLE);
    let asking = &admit("a,b,c", &[])[1..];
    let sound = proposal::recipe_graph(folder.path(), asking);
    let (code, answer) = proposal::submit(folder.path(), asking, &sound, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let mut weak = sound;
    for axis in ["position_x", "position_y"] {
        proposal::record(&mut weak, "marks.wall_xy", axis)["carries"] = json!([]);
    }
    for axis in ["position_x", "position_z"] {
        proposal::record(&mut weak, "marks.wall_xz", axis)["carries"] = json!([]);
    }
    proposal::stamp(&mut weak);
    let (code, answer) = proposal::submit(folder.path(), asking, &weak, &[]);
    assert_eq!(
        (code, &answer["refusal"]["code"]),
        (1, &json!("POLICY_VIOLATION")),
        "{answer}"
    );
}

#[test]
fn policy_violation_is_met_at_the_door() {
    let mut world = World::flowers();
    assert!(world.admit().is_ok());
    let order = world.owed(Predicate::Order, Some("mass_g"));
    world.regraph(|graph| edit::carriers(graph, order).for_each(|record| record.carries.clear()));
    let refused = world.admit().expect_err("an obligation was dropped");
    assert_eq!(refused.primary().code(), Code::PolicyViolation);
}

#[test]
fn binding_unavailable_is_met_at_the_command_line() {
    refused_with(
        Code::BindingUnavailable,
        TABLE,
        &admit("a,b", &[]),
        &admit("a,b,c", &[]),
    );
}

#[test]
fn resource_unsatisfiable_is_met_at_the_command_line() {
    refused_with(
        Code::ResourceUnsatisfiable,
        TABLE,
        &["open", "p.nemosyne"],
        &["verify", "p.nemosyne"],
    );
}

#[test]
fn use_not_permitted_is_met_at_the_command_line() {
    let study = admit("a,b,c", &["--use", "study"]);
    refused_with(
        Code::UseNotPermitted,
        TABLE,
        &study,
        &admit("a,b,c", &["--use", "production"]),
    );
}

#[test]
fn replay_unsupported_is_met_at_the_command_line() {
    refused_with(
        Code::ReplayUnsupported,
        TABLE,
        &["replay", "older.nemosyne"],
        &["replay", "p.nemosyne"],
    );
}

#[test]
fn every_code_has_a_page_that_says_what_to_do() {
    let folder = with_table("table.csv", TABLE);
    let (_, all) = program::json(folder.path(), &["explain-refusal"]);
    assert_eq!(all["codes"], json!(Code::ALL.map(Code::word)));
    for code in Code::ALL {
        let (status, answer) = program::json(folder.path(), &["explain-refusal", code.word()]);
        let page = answer["page"].as_str().unwrap_or_default();
        assert_eq!(status, 0, "{code}");
        for part in [
            &format!("# {code}"),
            "## What it means",
            "## How it arises",
            "## What to do",
        ] {
            assert!(page.contains(part), "{code}: {part}");
        }
        assert!(
            !page.contains("Fires:"),
            "{code}: the tests are for those who read the file"
        );
        assert!(
            !answer["reasons"].as_array().expect("a list").is_empty(),
            "{code}"
        );
    }
    let (status, answer) = program::json(folder.path(), &["explain-refusal", "NO_SUCH_CODE"]);
    assert_eq!(
        (status, &answer["refusal"]["code"]),
        (1, &Value::from("INVALID_INPUT"))
    );
}
