//! F09: one receipt behind two things makes them neither comparable nor each other's cause.
//!
//! **Attack**: join two primitives whose values come from one receipt but differ in unit, or that share no quantity, by
//! COMPARES_WITH; say that one derives from the other; or invent a relation such as CAUSES, and point at the receipt that
//! both share.
//!
//! **Owner**: the claim's owner decides what may be compared; the grammar's closed pair table says which relations exist.
//!
//! **Required**: CLAIM_NOT_ADMISSIBLE / INCOMPATIBLE_FRAMES for what does not share unit, frame and support, as the first
//! answer; SEMANTICS_UNSUPPORTED / RELATION_UNSUPPORTED for a direction or relation that nobody has authority for.
//!
//! **Control**: the same edge between primitives that show the same variable, under the same receipt, is admitted.

use serde_json::{Value, json};

use crate::program;
use crate::proposal::{
    ASKING, context, has, list, node, primitive, recipe_graph, record, semantic, stamp, submit,
};

fn joined(graph: &Value, from: &str, to: &str, relation: &str) -> Value {
    let mut graph = graph.clone();
    list(&mut graph["edges"]).push(json!({ "from": from, "to": to, "relation": relation }));
    stamp(&mut graph);
    graph
}

#[test]
fn a_shared_receipt_compares_nothing() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let context = context(folder, &ASKING);
    let sound = recipe_graph(folder, &ASKING);
    // Both walls show body mass upward: the same variable of the same rows.
    let same = joined(&sound, "marks.wall_xy", "marks.wall_zy", "COMPARES_WITH");
    let (code, answer) = submit(folder, &ASKING, &same, &[]);
    assert_eq!(code, 0, "the control: {answer}");

    // One receipt, the projection of all rows, stands behind both; one is in grams, the other in millimeters.
    let (flipper, uses) = node(&context, "column:flipper_length_mm", "values");
    let mut other = same.clone();
    let across = record(&mut other, "marks.wall_xy", "position_x")["domain"].clone();
    let upward = record(&mut other, "marks.wall_zy", "position_y");
    assert_eq!(&upward["evidenceUses"], uses, "the receipt is the same");
    upward["semantic"] = semantic(flipper);
    upward["unit"] = flipper["descriptor"]["unit"].clone();
    upward["domain"] = across;
    upward["carries"] = json!([]);
    stamp(&mut other);
    let (code, answer) = submit(folder, &ASKING, &other, &[]);
    assert_eq!(code, 1, "{answer}");
    assert_eq!(answer["refusal"]["code"], "CLAIM_NOT_ADMISSIBLE", "{answer}");
    assert!(
        has(
            &answer,
            "CLAIM_NOT_ADMISSIBLE",
            "INCOMPATIBLE_FRAMES",
            "one is in g, the other in mm"
        ),
        "{answer}"
    );
    let mut without = other.clone();
    list(&mut without["edges"]).retain(|edge| edge["relation"] != "COMPARES_WITH");
    stamp(&mut without);
    let (_, answer) = submit(folder, &ASKING, &without, &[]);
    assert!(
        !has(&answer, "CLAIM_NOT_ADMISSIBLE", "INCOMPATIBLE_FRAMES", ""),
        "the edge alone makes it a comparison: {answer}"
    );
}

#[test]
fn what_shares_no_quantity_is_not_compared() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = recipe_graph(folder, &ASKING);
    let mut bare = joined(&sound, "marks.volume", "marks.wall_xy", "COMPARES_WITH");
    let (code, answer) = submit(folder, &ASKING, &bare, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    crate::proposal::keep(&mut bare, |record| {
        record["primitiveId"] != "marks.volume" || record["channel"] == "hue" || record["channel"] == "shape"
    });
    stamp(&mut bare);
    let (code, answer) = submit(folder, &ASKING, &bare, &[]);
    assert_eq!(code, 1, "{answer}");
    assert!(
        has(
            &answer,
            "CLAIM_NOT_ADMISSIBLE",
            "INCOMPATIBLE_FRAMES",
            "share no quantity"
        ),
        "{answer}"
    );
}

#[test]
fn nobody_has_authority_for_causes_and_directions() {
    let folder = program::with_penguins();
    let folder = folder.path();
    let sound = recipe_graph(folder, &ASKING);
    for (relation, says) in [
        ("CAUSES", "is no relation of the closed table"),
        ("DERIVES_FROM", "has no relation DerivesFrom"),
        ("CONTAINS", "has no relation Contains"),
    ] {
        let graph = joined(&sound, "marks.wall_xy", "marks.wall_zy", relation);
        let (code, answer) = submit(folder, &ASKING, &graph, &[]);
        assert_eq!(code, 1, "{relation}: {answer}");
        assert!(
            has(&answer, "SEMANTICS_UNSUPPORTED", "RELATION_UNSUPPORTED", says),
            "{relation}: {answer}"
        );
        let place = answer["refusal"]["cause"]["place"].as_str().unwrap_or_default();
        assert!(place.starts_with("/edges/"), "{relation}: {answer}");
    }
    let allowed = joined(&sound, "marks.wall_xy", "marks.wall_zy", "COORDINATES_WITH");
    let (code, answer) = submit(folder, &ASKING, &allowed, &[]);
    assert_eq!(code, 0, "the control: {answer}");
    assert!(primitive(&mut sound.clone(), "marks.wall_xy")["kind"] == "POINT_IDENTITY");
}
