//! F01: two points of view on one analytical state are two points of view, and one state.
//!
//! **Attack**: put other variables in front, another purpose or another viewpoint, or propose another picture, and get
//! another truth: a snapshot that knows what it is looked at for, a context that is overwritten by the next, a return to
//! the first view that is almost the first view. Or use the perspective to choose rows, so that a point of view becomes
//! a population without receipts of its own.
//!
//! **Owner**: the snapshot, which is normalized before any context exists, and the investigation, which commits contexts
//! as nodes of a graph and never changes one.
//!
//! **Required**: over one package, every perspective and every candidate has the same snapshot identity; each perspective
//! has its own context, obligations and result; the package that was asked stays as it is, byte for byte, and the new one
//! holds the graph of both. Going back restores the first context and result exactly. What would narrow the population is
//! refused and says that it is a new analysis.
//!
//! **Control**: the same commands, with a perspective that only looks, are admitted; the same column, asked of the table
//! itself, is admitted as a new analysis with another snapshot.

use std::path::Path;

use serde_json::{Value, json};

use crate::program::{self, json as run, main_job, nemosyne};
use crate::proposal::{ASKING, context, has, recipe_graph, stamp, submit, text, walls};

const A: &str = "penguins.nemosyne";

fn admitted(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["admit"];
    all.extend(arguments);
    let (code, answer) = run(folder, &all);
    assert_eq!(code, 0, "{answer}");
    answer
}

fn refused(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["admit"];
    all.extend(arguments);
    let (code, answer) = run(folder, &all);
    assert_eq!(code, 1, "{answer}");
    answer
}

/// The members of an answer that name what a decision is.
fn ids(answer: &Value) -> [String; 4] {
    ["snapshotId", "contextId", "obligationSetId", "resultId"].map(|name| text(&answer[name]).to_owned())
}

fn lineage(folder: &Path, package: &str) -> Value {
    let bytes = std::fs::read(folder.join(package)).expect("it was written");
    crate::forge::Forge::of(&bytes).json("investigation/graph.json")
}

#[test]
fn perspectives_share_the_snapshot_and_nothing_else() {
    let folder = main_job();
    let folder = folder.path();
    let before = std::fs::read(folder.join(A)).expect("the package");
    let first = admitted(folder, &ASKING_AGAIN);
    let views: [&[&str]; 4] = [
        &[
            A,
            "--foreground",
            "bill_length_mm,flipper_length_mm,body_mass_g",
            "--out",
            "b.nemosyne",
        ],
        &[A, "--viewpoint", "locate", "--out", "c.nemosyne"],
        &[A, "--purpose", "exploratory", "--out", "d.nemosyne"],
        &[
            A,
            "--question",
            "Which of them is heaviest?",
            "--out",
            "e.nemosyne",
        ],
    ];
    let mut all = vec![ids(&first)];
    for view in views {
        let answer = admitted(folder, view);
        assert_eq!(answer["node"], "node:1", "{answer}");
        all.push(ids(&answer));
        run_done(folder, &["verify", view[view.len() - 1]]);
    }
    for (idx, one) in all.iter().enumerate() {
        assert_eq!(one[0], all[0][0], "one snapshot");
        for other in &all[..idx] {
            assert_ne!(one[1], other[1], "contexts");
            assert_ne!(one[2], other[2], "obligations");
            assert_ne!(one[3], other[3], "results");
        }
    }
    assert_eq!(
        std::fs::read(folder.join(A)).expect("the package"),
        before,
        "the old package is untouched"
    );
    let graph = lineage(folder, "b.nemosyne");
    assert_eq!(graph["contexts"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        graph["edges"],
        json!([{ "from": "node:0", "relationship": "REVISES", "to": "node:1" }])
    );
    assert_eq!(
        graph["contexts"][0],
        lineage(folder, A)["contexts"][0],
        "nothing that was committed changed"
    );
}

/// What the main job asked, once more, so that its answer is at hand.
const ASKING_AGAIN: [&str; 7] = [
    "penguins.csv",
    "--question",
    program::QUESTION,
    "--foreground",
    "flipper_length_mm,body_mass_g,bill_length_mm",
    "--purpose",
    "claim-bearing",
];

fn run_done(folder: &Path, arguments: &[&str]) {
    nemosyne(folder, arguments).done();
}

/// Which variable stands on which axis is no analysis: the table itself gives the same snapshot for every order.
#[test]
fn the_order_of_the_foreground_is_no_analysis() {
    let folder = program::with_penguins();
    let ask = |foreground: &'static str| {
        let mut asking = ASKING_AGAIN;
        asking[4] = foreground;
        ids(&admitted(folder.path(), &asking))
    };
    let one = ask("flipper_length_mm,body_mass_g,bill_length_mm");
    let other = ask("bill_length_mm,flipper_length_mm,body_mass_g");
    assert_eq!(one[0], other[0]);
    assert!(one[1] != other[1] && one[2] != other[2] && one[3] != other[3]);
    let deeper = ask("bill_depth_mm,flipper_length_mm,body_mass_g");
    assert_ne!(one[0], deeper[0], "another column is another analysis");
}

/// Candidates come after truth: whatever is proposed, admitted or refused, the snapshot is the same.
#[test]
fn candidates_do_not_change_what_is_known() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let fixed = context(folder, &ASKING);
    let recipe = recipe_graph(folder, &ASKING);
    let own = walls(&fixed);
    let mut weakened = own.clone();
    crate::proposal::keep(&mut weakened, |record| record["primitiveId"] != "axis.x");
    stamp(&mut weakened);
    let (code, by_recipe) = submit(folder, &ASKING, &recipe, &[]);
    assert_eq!(code, 0, "{by_recipe}");
    let (code, by_script) = submit(folder, &ASKING, &own, &[]);
    assert_eq!(code, 0, "{by_script}");
    assert_eq!(by_recipe["snapshotId"], by_script["snapshotId"]);
    assert_eq!(by_recipe["obligationSetId"], by_script["obligationSetId"]);
    assert_ne!(by_recipe["graphId"], by_script["graphId"]);
    assert_ne!(by_recipe["resultId"], by_script["resultId"]);
    let (code, answer) = submit(folder, &ASKING, &weakened, &[]);
    assert_eq!(code, 1, "{answer}");
    let again = context(folder, &ASKING);
    for member in ["snapshot", "context", "obligationSet", "obligations"] {
        assert_eq!(again[member], fixed[member], "{member}");
    }
}

/// A to B to A: the first context is restored exactly, under a new epoch, and so is everything that follows from it.
#[test]
fn going_back_restores_the_first_view_exactly() {
    let folder = main_job();
    let folder = folder.path();
    let a = admitted(folder, &[A, "--revisit", "node:0"]);
    let b = admitted(folder, &[A, "--question", "What else?", "--out", "b.nemosyne"]);
    let back = admitted(
        folder,
        &["b.nemosyne", "--revisit", "node:0", "--out", "back.nemosyne"],
    );
    assert_eq!(
        ids(&back),
        ids(&a),
        "context and result are those of the first visit"
    );
    assert_ne!(ids(&back)[1], ids(&b)[1]);
    assert!(back["activationEpoch"].as_u64() > Some(1), "{back}");
    assert_eq!(lineage(folder, "back.nemosyne")["activeNodeId"], "node:0");
    assert_eq!(
        lineage(folder, "back.nemosyne")["contexts"],
        lineage(folder, "b.nemosyne")["contexts"]
    );
    let branch = admitted(
        folder,
        &[
            "back.nemosyne",
            "--question",
            "And now?",
            "--out",
            "branch.nemosyne",
        ],
    );
    assert_eq!(branch["node"], "node:2");
    let edges = lineage(folder, "branch.nemosyne")["edges"].clone();
    assert_eq!(
        edges[1],
        json!({ "from": "node:0", "relationship": "BRANCHES_FROM", "to": "node:2" }),
        "an older node is never revised twice"
    );
    let asked = admitted(
        folder,
        &[
            "b.nemosyne",
            "--branch",
            "--question",
            "Aside?",
            "--out",
            "aside.nemosyne",
        ],
    );
    assert_eq!(asked["node"], "node:2");
    assert_eq!(
        lineage(folder, "aside.nemosyne")["edges"][1]["relationship"],
        "BRANCHES_FROM"
    );
    run_done(folder, &["verify", "branch.nemosyne"]);
    let answer = refused(folder, &["b.nemosyne", "--revisit", "node:7"]);
    assert!(
        has(
            &answer,
            "INVALID_INPUT",
            "AMBIGUOUS_REFERENCE",
            "no node `node:7`"
        ),
        "{answer}"
    );
    let answer = refused(
        folder,
        &["b.nemosyne", "--revisit", "node:0", "--question", "Other?"],
    );
    assert!(
        has(
            &answer,
            "INVALID_INPUT",
            "AMBIGUOUS_REFERENCE",
            "exactly as it was committed"
        ),
        "{answer}"
    );
    let answer = refused(folder, &["b.nemosyne"]);
    assert!(
        has(&answer, "INVALID_INPUT", "NOT_STATED", "Nothing is asked anew"),
        "{answer}"
    );
}

/// A perspective looks at rows; it does not choose them.
#[test]
fn a_perspective_that_chooses_rows_is_a_new_analysis() {
    let folder = main_job();
    let folder = folder.path();
    let fixed = context(folder, &[A, "--question", "What else?"]);
    let sound = fixed["context"]["body"]["perspective"].clone();
    let ask = |perspective: &Value| {
        std::fs::write(folder.join("view.json"), perspective.to_string()).expect("there is room");
        run(
            folder,
            &[
                "admit",
                A,
                "--question",
                "What else?",
                "--perspective",
                "view.json",
            ],
        )
    };
    let (code, answer) = ask(&sound);
    assert_eq!(code, 0, "the control: {answer}");
    for member in ["filter", "top_n", "timeRange", "where", "sampleSize"] {
        let mut narrowing = sound.clone();
        narrowing[member] = json!("island == 'Dream'");
        let (code, answer) = ask(&narrowing);
        assert_eq!(code, 1, "{member}: {answer}");
        assert!(
            has(
                &answer,
                "CONTEXT_INCOMPATIBLE",
                "NARROWS_POPULATION",
                "another population"
            ),
            "{answer}"
        );
        assert!(
            text(&answer["refusal"]["retryCondition"]).contains("new analysis"),
            "{answer}"
        );
    }
    let mut misspelled = sound.clone();
    misspelled["viewpointPurpos"] = json!("LOCATE");
    let (code, answer) = ask(&misspelled);
    assert_eq!(code, 1);
    assert!(
        has(&answer, "INVALID_INPUT", "UNKNOWN_SHAPE", "no member"),
        "{answer}"
    );
    let columns = "bill_depth_mm,flipper_length_mm,body_mass_g";
    let answer = refused(folder, &[A, "--foreground", columns]);
    assert!(
        has(
            &answer,
            "CONTEXT_INCOMPATIBLE",
            "UNRESOLVED_PERSPECTIVE",
            "is a new analysis"
        ),
        "{answer}"
    );
    let mut asking = ASKING_AGAIN;
    asking[4] = columns;
    let anew = admitted(folder, &asking);
    assert_ne!(
        anew["snapshotId"], fixed["graph"]["snapshotId"],
        "asked of the table it is one"
    );
}

/// A proposal answers one question. Under another it is refused before anything else is looked at.
#[test]
fn a_proposal_for_another_question_is_refused() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let graph = walls(&context(folder, &ASKING));
    let (code, answer) = submit(folder, &ASKING, &graph, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let mut other = ASKING;
    other[2] = "What else?";
    let (code, answer) = submit(folder, &other, &graph, &[]);
    assert_eq!(code, 1);
    assert_eq!(answer["refusal"]["code"], "CONTEXT_INCOMPATIBLE", "{answer}");
    assert_eq!(answer["refusal"]["stage"], "CONTEXT_IDENTITY");
    assert!(
        has(
            &answer,
            "CONTEXT_INCOMPATIBLE",
            "WRONG_SUBJECT",
            "another context"
        ),
        "{answer}"
    );
}
