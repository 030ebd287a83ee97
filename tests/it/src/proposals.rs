//! Proposals from outside: a graph is read closed and judged like a recipe's.
//!
//! Attacked: the door for submitted graphs: words outside the closed tables, more than the bounds, other versions, members
//! that do not exist, false identities, and a claim to be a recipe. Owner: the reader of submitted graphs, then Forma.
//! Required: each is refused under its owner's code with a JSON pointer and the nearest known name; where a graph came
//! from is recorded and believed by nobody. Control: a graph that was written from `context --json` alone, with nothing of
//! this program but its text, is admitted, packed and verified.

use serde_json::{Value, json};

use crate::forge::{FORMA, Forge};
use crate::program::{self, json as run, nemosyne};
use crate::proposal::{
    ASKING, bind, context, has, list, recipe_graph, record, stamp, submit, submit_text, text, walls,
};

#[test]
fn a_script_writes_a_graph_from_the_context_alone() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let graph = walls(&context(folder, &ASKING));
    let (code, answer) = submit(folder, &ASKING, &graph, &["--out", "p.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(answer["candidates"][0]["origin"]["kind"], "SUBMITTED");
    nemosyne(folder, &["verify", "p.nemosyne"]).done();
    nemosyne(folder, &["replay", "p.nemosyne"]).done();
    let bytes = std::fs::read(folder.join("p.nemosyne")).expect("it was written");
    let forma = Forge::of(&bytes).json(FORMA);
    let digest = program_digest(&graph);
    assert_eq!(forma["generationRecordRef"]["origin"]["kind"], "SUBMITTED");
    assert_eq!(
        forma["generationRecordRef"]["origin"]["digest"],
        digest.as_str(),
        "the exact bytes that were submitted"
    );
    assert_eq!(forma["generationRecordRef"]["generatedBy"]["name"], "three walls");
    // The same graph in its envelope is the same graph.
    let id = crate::proposal::identity("representation-graph-v2", &graph);
    let envelope = json!({ "schemaVersion": 2, "graphId": id, "body": graph });
    let (code, enveloped) = submit(folder, &ASKING, &envelope, &[]);
    assert_eq!(code, 0, "{enveloped}");
    assert_eq!(enveloped["graphId"], id.as_str());
    assert_eq!(enveloped["resultId"], answer["resultId"]);
    let checked = run(folder, &["check-graph", "graph.json"]);
    assert_eq!((checked.0, &checked.1["graphId"]), (0, &Value::from(id)));
}

fn program_digest(graph: &Value) -> String {
    identity::Digest::of(graph.to_string().as_bytes()).to_string()
}

/// What the script did without a grouping and in the other purpose, it can do, too.
#[test]
fn a_script_writes_graphs_for_other_questions() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let exploring = [
        "penguins.csv",
        "--question",
        "What goes with what?",
        "--foreground",
        "bill_depth_mm,bill_length_mm,flipper_length_mm",
        "--purpose",
        "exploratory",
    ];
    let graph = walls(&context(folder, &exploring));
    let (code, answer) = submit(folder, &exploring, &graph, &[]);
    assert_eq!(code, 0, "{answer}");
}

/// A graph may call itself a recipe's. It is recorded as its claim, and as submitted.
#[test]
fn to_be_a_recipe_is_a_claim() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let graph = recipe_graph(folder, &ASKING);
    assert_eq!(graph["generatedBy"]["kind"], "RECIPE");
    let (code, answer) = submit(folder, &ASKING, &graph, &["--out", "p.nemosyne"]);
    assert_eq!(code, 0, "{answer}");
    let bytes = std::fs::read(folder.join("p.nemosyne")).expect("it was written");
    let forge = Forge::of(&bytes);
    let record = &forge.json(FORMA)["generationRecordRef"];
    assert_eq!(record["generatedBy"]["kind"], "RECIPE", "as it says");
    assert_eq!(record["origin"]["kind"], "SUBMITTED", "as it was");
    let events = forge.json("investigation/commands.log");
    let proposed = events
        .as_array()
        .expect("a list")
        .iter()
        .find(|event| event["kind"] == "PROPOSE");
    assert!(text(&proposed.expect("it was proposed")["detail"]).starts_with("submitted sha256:"));
    let told = nemosyne(
        folder,
        &[&["admit"], &ASKING[..], &["--graph", "graph.json"]].concat(),
    )
    .done();
    assert!(
        told.out.contains("submitted, calls itself RECIPE scatter_volume"),
        "{}",
        told.out
    );
}

/// A spoiled text of the graph, and the refusal that is due: code, reason, words, place, next step.
type Case = (
    fn(&mut Value),
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

const STRANGERS: [Case; 10] = [
    (
        |graph| record(graph, "marks.xy", "position_x")["channel"] = json!("positon_x"),
        "BINDING_UNAVAILABLE",
        "UNKNOWN_CHANNEL",
        "`positon_x` is no channel",
        "/record/channel",
        "`position_x`",
    ),
    (
        |graph| record(graph, "marks.xy", "position_x")["transform"]["id"] = json!("lineal"),
        "BINDING_UNAVAILABLE",
        "UNKNOWN_TRANSFORM",
        "`lineal` is no transform",
        "/record/transform/id",
        "`linear`",
    ),
    (
        |graph| graph["edges"][0]["relation"] = json!("COORDINATE_WITH"),
        "SEMANTICS_UNSUPPORTED",
        "RELATION_UNSUPPORTED",
        "`COORDINATE_WITH` is no relation",
        "/edges/0/relation",
        "`COORDINATES_WITH`",
    ),
    (
        |graph| graph["primitives"][0]["kind"] = json!("POINT_IDENTTY"),
        "INVALID_INPUT",
        "UNKNOWN_SHAPE",
        "is no kind of primitive",
        "/primitives/0/kind",
        "`POINT_IDENTITY`",
    ),
    (
        |graph| graph["generatedBy"]["kind"] = json!("ORACLE"),
        "INVALID_INPUT",
        "UNKNOWN_SHAPE",
        "is no kind of proposer",
        "/generatedBy/kind",
        "RECIPE, PERSON, SCRIPT, MODEL",
    ),
    (
        |graph| graph["obligation"] = json!([]),
        "INVALID_INPUT",
        "UNKNOWN_SHAPE",
        "a member that the schema does not know",
        "/obligation at byte",
        "`obligationSetId`",
    ),
    (
        |graph| {
            for nth in 0..17 {
                let more = json!({ "id": format!("more.{nth}"), "kind": "ANNOTATION", "placement": "TITLE", "routes": [], "limitations": [] });
                list(&mut graph["primitives"]).push(more);
            }
        },
        "INVALID_INPUT",
        "BOUNDS",
        "the contract takes 16",
        "/primitives/16",
        "smaller",
    ),
    (
        |graph| {
            graph["edges"] = (0..33)
                .map(|nth| json!({ "from": format!("a{nth:02}"), "to": "marks.xy", "relation": "OVERLAY" }))
                .collect();
        },
        "INVALID_INPUT",
        "BOUNDS",
        "the contract takes 32",
        "/edges/32",
        "smaller",
    ),
    (
        |graph| {
            graph["edges"] = json!([{ "from": "marks.xy", "to": "marks.xy", "relation": "COORDINATES_WITH" }])
        },
        "INVALID_INPUT",
        "MALFORMED",
        "has an edge to itself",
        "/edges/0",
        "",
    ),
    (
        |graph| {
            graph["edges"] = json!([{ "from": "axis.x", "to": "mark.xy", "relation": "COORDINATES_WITH" }])
        },
        "INVALID_INPUT",
        "AMBIGUOUS_REFERENCE",
        "names `mark.xy`",
        "/edges/0",
        "`marks.xy`",
    ),
];

#[test]
fn a_stranger_is_named_with_its_place_and_its_neighbor() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = walls(&context(folder, &ASKING));
    for (spoil, code, reason, says, place, next) in STRANGERS {
        let mut graph = sound.clone();
        spoil(&mut graph);
        stamp(&mut graph);
        let (status, answer) = submit(folder, &ASKING, &graph, &[]);
        assert_eq!(status, 1, "{says}: {answer}");
        assert!(has(&answer, code, reason, says), "{says}: {answer}");
        let refusal = &answer["refusal"];
        assert!(
            text(&refusal["cause"]["place"]).contains(place),
            "{place}: {answer}"
        );
        assert!(
            text(&refusal["retryCondition"]).contains(next),
            "{next}: {answer}"
        );
    }
}

/// The picture has elements of its own; a primitive that takes the name of one is told so.
#[test]
fn a_name_that_the_picture_uses_is_taken() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = walls(&context(folder, &ASKING)).to_string();
    let (code, answer) = submit_text(folder, &ASKING, &sound, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let mut taken: Value = serde_json::from_str(&sound.replace("marks.xz", "wall.xz")).expect("it is JSON");
    stamp(&mut taken);
    let (code, answer) = submit(folder, &ASKING, &taken, &[]);
    assert_eq!(code, 1);
    assert!(
        has(&answer, "INVALID_INPUT", "AMBIGUOUS_REFERENCE", "`wall.xz`"),
        "{answer}"
    );
}

/// Every stranger is named, not the first alone.
#[test]
fn all_strangers_are_named_at_once() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let mut graph = walls(&context(folder, &ASKING));
    record(&mut graph, "marks.xy", "position_x")["channel"] = json!("smell");
    record(&mut graph, "marks.xz", "position_x")["transform"]["id"] = json!("wish");
    graph["edges"][1]["relation"] = json!("CAUSES");
    stamp(&mut graph);
    let (_, answer) = submit(folder, &ASKING, &graph, &[]);
    assert!(
        has(&answer, "BINDING_UNAVAILABLE", "UNKNOWN_CHANNEL", "`smell`"),
        "{answer}"
    );
    assert!(
        has(&answer, "BINDING_UNAVAILABLE", "UNKNOWN_TRANSFORM", "`wish`"),
        "{answer}"
    );
    assert!(
        has(
            &answer,
            "SEMANTICS_UNSUPPORTED",
            "RELATION_UNSUPPORTED",
            "`CAUSES`"
        ),
        "{answer}"
    );
}

#[test]
fn identities_are_computed_and_never_taken() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = walls(&context(folder, &ASKING));
    let mut renamed = sound.clone();
    renamed["bindings"][3]["record"]["fidelity"] = json!("EXPERIMENTAL");
    let (code, answer) = submit(folder, &ASKING, &renamed, &[]);
    assert_eq!(code, 1);
    assert!(
        has(
            &answer,
            "INVALID_INPUT",
            "INTEGRITY",
            "has a record that hashes to"
        ),
        "{answer}"
    );
    assert_eq!(answer["refusal"]["cause"]["place"], "/bindings/3/bindingId");
    let false_name = format!("representation-graph-v2:{}", "0".repeat(64));
    let envelope = json!({ "schemaVersion": 2, "graphId": false_name, "body": sound });
    let (code, answer) = submit(folder, &ASKING, &envelope, &[]);
    assert_eq!(code, 1);
    assert!(
        has(&answer, "INVALID_INPUT", "INTEGRITY", "and its body is"),
        "{answer}"
    );
}

/// What goes round in circles has no reading.
#[test]
fn directed_relations_end() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = walls(&context(folder, &ASKING));
    let mut round = sound.clone();
    let detail = json!({ "id": "detail", "kind": "DETAIL_EXPANSION", "placement": "VOLUME", "routes": [], "limitations": [] });
    list(&mut round["primitives"]).push(detail);
    round["edges"] = json!([
        { "from": "detail", "to": "marks.xy", "relation": "DETAIL_OF" },
        { "from": "marks.xy", "to": "detail", "relation": "DETAIL_OF" },
    ]);
    stamp(&mut round);
    std::fs::write(folder.join("graph.json"), round.to_string()).expect("there is room");
    let (code, answer) = run(folder, &["check-graph", "graph.json"]);
    assert_eq!(code, 1, "{answer}");
    assert!(
        has(&answer, "INVALID_INPUT", "MALFORMED", "lead back to"),
        "{answer}"
    );
    assert!(
        text(&answer["refusal"]["cause"]["place"]).starts_with("/edges/"),
        "{answer}"
    );
    list(&mut round["edges"]).pop();
    std::fs::write(folder.join("graph.json"), round.to_string()).expect("there is room");
    let (code, answer) = run(folder, &["check-graph", "graph.json"]);
    assert_eq!(code, 0, "the control keeps the grammar: {answer}");
}

#[test]
fn what_is_no_graph_of_this_version_is_said_to_be_none() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = walls(&context(folder, &ASKING));
    let texts: [(String, &str, &str); 7] = [
        (String::new(), "MALFORMED", "can't be read"),
        ("[]".to_owned(), "MALFORMED", "can't be read"),
        (
            sound.to_string().replace("\"edges\"", "\"edges\":[],\"edges\""),
            "MALFORMED",
            "occurs twice",
        ),
        (
            sound.to_string().replacen("-0.6", "1e999", 1),
            "MALFORMED",
            "not finite",
        ),
        (format!("{sound} x"), "MALFORMED", "after the value"),
        (
            json!({ "schemaVersion": "1.0.0", "graphId": "g", "primitives": [], "semanticMappings": {} })
                .to_string(),
            "UNKNOWN_SHAPE",
            "RepresentationGraph 2.0.0",
        ),
        (
            format!("{}{}", sound, " ".repeat(5 << 20)),
            "BOUNDS",
            "at most 4194304",
        ),
    ];
    for (spoiled, reason, says) in texts {
        let (code, answer) = submit_text(folder, &ASKING, &spoiled, &[]);
        assert_eq!(code, 1, "{says}: {answer}");
        assert!(has(&answer, "INVALID_INPUT", reason, says), "{says}: {answer}");
    }
    let (code, answer) = submit(folder, &ASKING, &sound, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let mut arguments = vec!["admit"];
    arguments.extend(ASKING);
    arguments.extend(["--graph", "nowhere.json"]);
    let (code, answer) = run(folder, &arguments);
    assert_eq!((code, &answer["refusal"]["reason"]), (1, &json!("UNREACHABLE")));
}

/// The context is fixed: asked twice it is the same, and a proposal changes nothing in it.
#[test]
fn the_context_is_the_same_for_every_proposer() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let first = context(folder, &ASKING);
    let mut graph = walls(&first);
    let again = context(folder, &ASKING);
    assert_eq!(first, again);
    let twice = record(&mut graph, "marks.xy", "position_x").clone();
    bind(&mut graph, twice);
    stamp(&mut graph);
    let (code, answer) = submit(folder, &ASKING, &graph, &[]);
    assert_eq!(code, 1, "one property twice on one channel: {answer}");
    for member in [
        "snapshot",
        "context",
        "obligationSet",
        "obligations",
        "policies",
        "knowledgeManifest",
        "devices",
        "channels",
        "transforms",
        "relations",
        "primitiveKinds",
        "bounds",
        "identities",
        "graph",
        "routes",
        "foreground",
    ] {
        assert!(!first[member].is_null(), "{member}");
    }
    for row in first["transforms"].as_array().expect("a list") {
        assert!(text(&row["pinned"]["digest"]).starts_with("sha256:"));
    }
    for row in first["channels"].as_array().expect("a list") {
        assert!(text(&row["digest"]).starts_with("sha256:"), "{row}");
    }
}
