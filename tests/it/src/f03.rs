//! F03: a candidate that cheats is refused, however well it runs.
//!
//! **Attack**: hand in a graph that leaves out what must be kept, puts it behind a route, hangs it on a claim of its own
//! making, keeps it for a part of the values, squeezes it into a sliver of its axis, rests it on weaker evidence, drops or
//! hides the caveats, or names a policy that is kinder. Do so on a device for which the honest picture is dearer. Or weaken
//! the obligations in an archive and stamp every digest anew.
//!
//! **Owner**: the obligation policy, which fixed what must be kept before any candidate existed, and Forma, which holds
//! candidates to it.
//!
//! **Required**: POLICY_VIOLATION as the first answer, under the rule that was broken, with the rule's own sentence; on
//! every device alike. An archive whose obligations were demoted does not open, because what refers to them no longer
//! does; one that was made to agree with itself is whole, and the decision in it is not admitted.
//!
//! **Control**: the same graph before it was spoiled is admitted by the same command, and so is one that differs where
//! candidates are free.

use std::path::Path;

use serde_json::{Value, json};

use crate::forge::{FORMA, Forge};
use crate::program::{self, json as run, package, put};
use crate::proposal::{
    ASKING, context, has, keep, list, owed, primitive, recipe_graph, record, refusals, says, stamp, submit,
    text,
};

/// A way to cheat: what it does, the reason that is due, and words of the answer.
struct Cheat {
    name: &'static str,
    spoil: fn(&Value, &mut Value),
    reason: &'static str,
    says: &'static str,
}

const X: &str = "flipper_length_mm";

fn order_of(context: &Value) -> Vec<String> {
    owed(context, "ORDER", Some(X))
}

/// Changes every record that carries one of these obligations.
fn carriers(graph: &mut Value, obligations: &[String], change: impl Fn(&mut Value)) {
    for binding in list(&mut graph["bindings"]) {
        let record = &mut binding["record"];
        let carried = record["carries"].as_array().expect("a list");
        if carried.iter().any(|id| obligations.iter().any(|owed| id == owed)) {
            change(record);
        }
    }
}

fn dropped(record: &mut Value) {
    record["carries"] = json!([]);
}

const CHEATS: [Cheat; 14] = [
    Cheat {
        name: "an order is dropped",
        spoil: |context, graph| carriers(graph, &order_of(context), dropped),
        reason: "OBLIGATION_UNCOVERED",
        says: "Of two rows, the one with the greater value is seen to have it.",
    },
    Cheat {
        name: "a unit is left out with its axis",
        spoil: |_, graph| keep(graph, |record| record["primitiveId"] != "axis.x"),
        reason: "OBLIGATION_UNCOVERED",
        says: "The unit of each foreground variable is stated",
    },
    Cheat {
        name: "the count of missing rows is put behind a route",
        spoil: |context, graph| {
            carriers(graph, &owed(context, "MISSINGNESS", None), dropped);
            keep(graph, |record| {
                record["semantic"]["propertyPath"] != "rowsExcluded"
            });
        },
        reason: "OBLIGATION_UNCOVERED",
        says: "How many rows were left out, and why, is stated",
    },
    Cheat {
        name: "an obligation is replaced by one of the candidate's making",
        spoil: |context, graph| {
            let order = order_of(context);
            carriers(graph, &order, |record| {
                let made_up = format!("semantic-obligation-v1:{}", "0".repeat(64));
                record["carries"] = json!([made_up]);
            });
        },
        reason: "OBLIGATION_WEAKENED",
        says: "claims an obligation that was never fixed",
    },
    Cheat {
        name: "an order is kept for a part of the values",
        spoil: |context, graph| {
            carriers(graph, &order_of(context), |record| {
                record["domain"]["min"] = json!(190);
                record["domain"]["max"] = json!(200);
            });
        },
        reason: "OBLIGATION_WEAKENED",
        says: "keeps ORDER of flipper_length_mm from 190 to 200 only",
    },
    Cheat {
        name: "an order is squeezed into a sliver",
        spoil: |context, graph| {
            carriers(graph, &order_of(context), |record| {
                record["range"]["to"] = json!(-0.595);
            });
        },
        reason: "OBLIGATION_WEAKENED",
        says: "of the volume's edge",
    },
    Cheat {
        name: "an order is stretched beyond what occurs",
        spoil: |context, graph| {
            carriers(graph, &order_of(context), |record| {
                record["domain"]["max"] = json!(1_000_000);
            });
        },
        reason: "OBLIGATION_WEAKENED",
        says: "of the volume's edge",
    },
    Cheat {
        name: "evidence is dropped",
        spoil: |context, graph| {
            carriers(graph, &order_of(context), |record| {
                record["evidenceUses"] = json!([])
            });
        },
        reason: "EVIDENCE_WEAKENED",
        says: "rests on other evidence",
    },
    Cheat {
        name: "a weaker profile is enough",
        spoil: |context, graph| {
            carriers(graph, &order_of(context), |record| {
                record["evidenceUses"][0]["requirementProfileId"] = json!("forma-anything/v1");
            });
        },
        reason: "EVIDENCE_WEAKENED",
        says: "rests on other evidence",
    },
    Cheat {
        name: "a caveat is dropped",
        spoil: |_, graph| {
            let stated = list(&mut primitive(graph, "caveats")["limitations"]);
            stated.retain(|code| code != "ROWS_EXCLUDED_MISSING");
        },
        reason: "OBLIGATION_WEAKENED",
        says: "ROWS_EXCLUDED_MISSING must be shown",
    },
    Cheat {
        name: "the caveats are stated where nobody reads them",
        spoil: |_, graph| {
            let codes = primitive(graph, "caveats")["limitations"].take();
            primitive(graph, "caveats")["limitations"] = json!([]);
            primitive(graph, "marks.volume")["limitations"] = codes;
        },
        reason: "OBLIGATION_WEAKENED",
        says: "no primitive of the caveat board states it",
    },
    Cheat {
        name: "the caveats are claimed by the title of an axis and written nowhere",
        spoil: |context, graph| {
            keep(graph, |record| {
                record["primitiveId"] != "caveats" || record["semantic"]["propertyPath"] != "values"
            });
            let owed = owed(context, "LIMITATION", None);
            let carried = list(&mut record(graph, "axis.x", "text")["carries"]);
            carried.extend(owed.into_iter().map(Value::from));
        },
        reason: "OBLIGATION_WEAKENED",
        says: "the compiled picture does not say it",
    },
    Cheat {
        name: "a kinder recipe under a pinned name",
        spoil: |_, graph| {
            graph["recipeRef"]["digest"] = json!(format!("sha256:{}", "0".repeat(64)));
        },
        reason: "UNAUTHORIZED_POLICY",
        says: "is not the pinned recipe of that name",
    },
    Cheat {
        name: "a recipe that nobody pins",
        spoil: |_, graph| graph["recipeRef"]["id"] = json!("scatter_best"),
        reason: "UNAUTHORIZED_POLICY",
        says: "follows scatter_best@",
    },
];

fn asked(folder: &Path) -> (Value, Value) {
    (context(folder, &ASKING), recipe_graph(folder, &ASKING))
}

#[test]
fn a_candidate_that_cheats_violates_policy() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let (context, sound) = asked(folder);
    let (code, answer) = submit(folder, &ASKING, &sound, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    let mut wrong = Vec::new();
    for cheat in &CHEATS {
        let mut graph = sound.clone();
        (cheat.spoil)(&context, &mut graph);
        stamp(&mut graph);
        let (code, answer) = submit(folder, &ASKING, &graph, &[]);
        let primary = &answer["refusal"]["code"];
        if code != 1
            || primary != "POLICY_VIOLATION"
            || !has(&answer, "POLICY_VIOLATION", cheat.reason, cheat.says)
        {
            wrong.push(format!("{}: {code} {answer}", cheat.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A refusal leads to its rule: policy, version and rule by name, and the rule's sentence in the text.
#[test]
fn the_answer_names_the_rule_that_was_broken() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let (context, mut graph) = asked(folder);
    carriers(&mut graph, &order_of(&context), dropped);
    stamp(&mut graph);
    let (_, answer) = submit(folder, &ASKING, &graph, &[]);
    let rule = "nemosyne:policy/obligations@1 rows/quantitativeValues/foreground/ORDER";
    assert_eq!(answer["refusal"]["owningPolicyRef"], rule, "{answer}");
    let row = context["obligations"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|owed| owed["rule"] == rule);
    let sentence = text(&row.expect("the context names it, too")["ruleSentence"]).to_owned();
    assert!(
        text(&answer["refusal"]["cause"]["text"]).contains(&sentence),
        "{answer}"
    );
}

/// What is cheap to draw is still cheating, wherever it would be drawn.
#[test]
fn cheap_rendering_rescues_nobody() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let (context, sound) = asked(folder);
    let mut cheap = sound.clone();
    carriers(&mut cheap, &order_of(&context), dropped);
    keep(&mut cheap, |record| {
        record["primitiveId"] == "marks.volume" || record["channel"] == "text"
    });
    list(&mut cheap["primitives"]).retain(|primitive| !text(&primitive["id"]).starts_with("marks.wall"));
    list(&mut cheap["edges"]).retain(|edge| {
        !text(&edge["from"]).starts_with("marks.wall") && !text(&edge["to"]).starts_with("marks.wall")
    });
    stamp(&mut cheap);
    for device in ["desktop", "pcvr", "standalone"] {
        let (code, answer) = submit(folder, &ASKING, &cheap, &["--device", device]);
        assert_eq!(code, 1, "{device}: {answer}");
        assert_eq!(
            answer["refusal"]["code"], "POLICY_VIOLATION",
            "{device}: {answer}"
        );
        for use_ in ["production", "study"] {
            let (code, answer) = submit(folder, &ASKING, &cheap, &["--device", device, "--use", use_]);
            assert_eq!(
                (code, &answer["refusal"]["code"]),
                (1, &Value::from("POLICY_VIOLATION")),
                "{answer}"
            );
        }
    }
    let (code, answer) = submit(folder, &ASKING, &sound, &["--device", "desktop"]);
    assert_eq!(code, 0, "the control: {answer}");
}

/// The freedom of a candidate is what the obligations leave open.
#[test]
fn where_candidates_are_free_they_may_differ() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let (_, sound) = asked(folder);
    let mut free = sound.clone();
    free["generatedBy"] = json!({ "kind": "MODEL", "name": "a guess", "version": "0.1" });
    free.as_object_mut().expect("an object").remove("recipeRef");
    keep(&mut free, |record| {
        record["primitiveId"] != "marks.volume" || record["channel"] != "hue"
    });
    keep(&mut free, |record| {
        record["primitiveId"] != "marks.volume" || record["channel"] != "shape"
    });
    stamp(&mut free);
    let (code, answer) = submit(folder, &ASKING, &free, &[]);
    assert_eq!(code, 0, "{answer}");
    assert!(refusals(&answer).is_empty());
    says(&mut free, "caveats", "rowsUsed");
    record(&mut free, "marks.wall_xy", "position_x");
}

/// An archive that demotes an obligation and hashes it anew does not open: the graph and the result speak of another set.
#[test]
fn an_archive_that_demotes_an_obligation_does_not_open() {
    let folder = tempfile::tempdir().expect("a folder");
    put(folder.path(), "sound.nemosyne", package());
    let (code, answer) = run(
        folder.path(),
        &["admit", "sound.nemosyne", "--question", "What else?"],
    );
    assert_eq!(code, 0, "the control: {answer}");
    let mut forge = Forge::of(package());
    let mut forma = forge.json(FORMA);
    let set = &mut forma["obligationSets"][0]["body"];
    let obligations = list(&mut set["obligations"]);
    let order = obligations
        .iter_mut()
        .find(|owed| owed["requirementPredicateRef"]["predicate"] == "ORDER")
        .expect("an order is owed");
    order["class"] = json!("OPTIONAL");
    let mut bare = order.clone();
    bare.as_object_mut().expect("an object").remove("id");
    order["id"] = crate::forge::identity("semantic-obligation-v1", &bare).into();
    obligations.sort_by_key(|owed| text(&owed["id"]).to_owned());
    let id = crate::forge::identity("semantic-obligations-v1", set);
    forma["obligationSets"][0]["obligationSetId"] = id.into();
    forge.put(FORMA, &forma);
    put(folder.path(), "forged.nemosyne", &forge.stamped());
    let (code, answer) = run(
        folder.path(),
        &["admit", "forged.nemosyne", "--question", "What else?"],
    );
    assert_eq!(code, 1, "{answer}");
    assert_eq!(
        answer["refusal"]["code"], "INVALID_INPUT",
        "what refers to the set no longer does: {answer}"
    );
}

/// An archive that drops an obligation and makes everything else agree with that is whole, and the decision in it is not
/// the one that the policy asks for: it is not admitted now.
#[test]
fn an_archive_that_drops_an_obligation_throughout_is_not_admitted() {
    let folder = tempfile::tempdir().expect("a folder");
    let judged = |name: &str, bytes: &[u8]| {
        put(folder.path(), name, bytes);
        run(folder.path(), &["verify", name]).1
    };
    let honest = judged("sound.nemosyne", package());
    assert_eq!(honest["executableNow"]["holds"], true, "the control: {honest}");
    let mut forge = Forge::of(package());
    let mut forma = forge.json(FORMA);
    let before = text(&forma["obligationSets"][0]["obligationSetId"]).to_owned();
    let set = &mut forma["obligationSets"][0]["body"];
    let identity = |owed: &Value| owed["requirementPredicateRef"]["predicate"] == "IDENTITY";
    let all = list(&mut set["obligations"]);
    let dropped = all
        .iter()
        .find(|owed| identity(owed))
        .expect("rows can be told apart")["id"]
        .clone();
    all.retain(|owed| !identity(owed));
    let after = crate::forge::identity("semantic-obligations-v1", set);
    forge.put(FORMA, &forma);
    renamed(&mut forge, &before, &after);
    let graph = &forge.json(FORMA)["graphs"][0];
    let (before, after) = (
        text(&graph["graphId"]).to_owned(),
        crate::forge::identity("representation-graph-v2", &graph["body"]),
    );
    renamed(&mut forge, &before, &after);
    forge.forge_plan(|_| {});
    forge.forge_result(|result| {
        list(&mut result["coverage"]).retain(|entry| entry["obligationId"] != dropped)
    });
    let forged = judged("forged.nemosyne", &forge.stamped());
    assert_eq!(forged["intact"]["holds"], true, "{forged}");
    assert_eq!(forged["complete"]["holds"], true, "{forged}");
    assert_eq!(forged["executableNow"]["holds"], false, "{forged}");
    let refusal = &forged["executableNow"]["refusal"];
    assert_eq!(refusal["code"], "POLICY_VIOLATION", "{forged}");
    assert_eq!(refusal["reason"], "OBLIGATION_WEAKENED", "{forged}");
}

/// Writes another identity wherever one stands.
fn renamed(forge: &mut Forge, before: &str, after: &str) {
    for member in [FORMA, crate::forge::COMMANDS, crate::forge::MANIFEST] {
        let text = forge.json(member).to_string().replace(before, after);
        forge.put(member, &serde_json::from_str(&text).expect("it is JSON"));
    }
}
