//! A proposer who has nothing of this program but its JSON: it reads the decision context, writes a graph, and computes
//! identities by itself. Only `serde_json` and SHA-256 are used here, so that what this proposer can do, any script can.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::program;

/// The arguments that ask the question of the main job, without a verb.
pub(crate) const ASKING: [&str; 9] = [
    "penguins.csv",
    "--question",
    program::QUESTION,
    "--foreground",
    "flipper_length_mm,body_mass_g,bill_length_mm",
    "--group",
    "species",
    "--purpose",
    "claim-bearing",
];

/// The decision context of a question, as `context --json` prints it.
pub(crate) fn context(folder: &Path, asking: &[&str]) -> Value {
    let mut arguments = vec!["context"];
    arguments.extend(asking);
    let (code, answer) = program::json(folder, &arguments);
    assert_eq!(code, 0, "{answer}");
    answer
}

/// Submits a graph for a question; the exit status and the answer.
pub(crate) fn submit(folder: &Path, asking: &[&str], graph: &Value, more: &[&str]) -> (i32, Value) {
    submit_text(folder, asking, &graph.to_string(), more)
}

/// The same for a text that need not be a graph.
pub(crate) fn submit_text(folder: &Path, asking: &[&str], text: &str, more: &[&str]) -> (i32, Value) {
    std::fs::write(folder.join("graph.json"), text).expect("there is room for a graph");
    let mut arguments = vec!["admit"];
    arguments.extend(asking);
    arguments.extend(["--graph", "graph.json"]);
    arguments.extend(more);
    program::json(folder, &arguments)
}

/// The graph that the program's own recipe proposed for the main job, as a body: a sound one to spoil.
pub(crate) fn recipe_graph(folder: &Path, asking: &[&str]) -> Value {
    let mut arguments = vec!["admit"];
    arguments.extend(asking);
    arguments.extend(["--recipe", "scatter_volume", "--out", "recipe.nemosyne"]);
    program::nemosyne(folder, &arguments).done();
    let bytes = std::fs::read(folder.join("recipe.nemosyne")).expect("it was written");
    crate::forge::Forge::of(&bytes).json("investigation/forma.json")["graphs"][0]["body"].clone()
}

/// RFC 8785 for what occurs in graphs: ASCII member names, and numbers between a millionth and 10^21.
pub(crate) fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort();
            let members: Vec<String> = names
                .into_iter()
                .map(|name| format!("{}:{}", Value::from(name.as_str()), canonical(&members[name])))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Number(number) if number.is_f64() => number.as_f64().expect("it is one").to_string(),
        other => other.to_string(),
    }
}

/// `tag:` and the SHA-256 of the canonical text of body and tag.
pub(crate) fn identity(tag: &str, body: &Value) -> String {
    let text = canonical(&json!({ "body": body, "tag": tag }));
    let hex: String = Sha256::digest(text.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{tag}:{hex}")
}

/// Computes every binding's identity again, and puts bindings, edges and claims in order.
pub(crate) fn stamp(graph: &mut Value) {
    for binding in list(&mut graph["bindings"]) {
        sort(&mut binding["record"]["carries"]);
        binding["bindingId"] = identity("perceptual-binding-v1", &binding["record"]).into();
    }
    list(&mut graph["bindings"]).sort_by_key(|binding| text(&binding["bindingId"]).to_owned());
    list(&mut graph["edges"])
        .sort_by_key(|edge| (text(&edge["from"]).to_owned(), text(&edge["to"]).to_owned()));
}

/// Adds a binding; [`stamp`] gives it its identity.
pub(crate) fn bind(graph: &mut Value, record: Value) {
    list(&mut graph["bindings"]).push(json!({ "bindingId": "", "record": record }));
}

/// The record of a primitive's channel.
pub(crate) fn record<'a>(graph: &'a mut Value, primitive: &str, channel: &str) -> &'a mut Value {
    let bindings = graph["bindings"].as_array_mut().expect("bindings are a list");
    bindings
        .iter_mut()
        .map(|binding| &mut binding["record"])
        .find(|record| record["primitiveId"] == primitive && record["channel"] == channel)
        .unwrap_or_else(|| panic!("{primitive} has no {channel}"))
}

/// The record of a primitive's text about a property path.
pub(crate) fn says<'a>(graph: &'a mut Value, primitive: &str, path: &str) -> &'a mut Value {
    let bindings = graph["bindings"].as_array_mut().expect("bindings are a list");
    bindings
        .iter_mut()
        .map(|binding| &mut binding["record"])
        .find(|record| record["primitiveId"] == primitive && record["semantic"]["propertyPath"] == path)
        .unwrap_or_else(|| panic!("{primitive} does not say {path}"))
}

/// A primitive.
pub(crate) fn primitive<'a>(graph: &'a mut Value, id: &str) -> &'a mut Value {
    let primitives = graph["primitives"].as_array_mut().expect("primitives are a list");
    let mut primitives = primitives.iter_mut();
    primitives
        .find(|primitive| primitive["id"] == id)
        .unwrap_or_else(|| panic!("no primitive {id}"))
}

/// Keeps the bindings that a question is true of.
pub(crate) fn keep(graph: &mut Value, kept: impl Fn(&Value) -> bool) {
    list(&mut graph["bindings"]).retain(|binding| kept(&binding["record"]));
}

/// The obligations of a predicate about a variable; about anything when none is named.
pub(crate) fn owed(context: &Value, predicate: &str, variable: Option<&str>) -> Vec<String> {
    let node = variable.map(|variable| node_of(context, variable));
    context["obligations"]
        .as_array()
        .expect("obligations are a list")
        .iter()
        .filter(|owed| owed["predicate"] == predicate)
        .filter(|owed| node.as_ref().is_none_or(|node| owed["nodeId"] == **node))
        .map(|owed| text(&owed["obligationId"]).to_owned())
        .collect()
}

fn node_of(context: &Value, variable: &str) -> String {
    let mut axes = context["foreground"].as_array().expect("axes").iter();
    let axis = axes.find(|axis| axis["variable"] == variable);
    text(&axis.unwrap_or_else(|| panic!("{variable} is not in front"))["nodeId"]).to_owned()
}

/// A node of the snapshot by producer and path, with its source's evidence.
pub(crate) fn node<'a>(context: &'a Value, producer: &str, path: &str) -> (&'a Value, &'a Value) {
    let body = &context["snapshot"]["body"];
    let nodes = body["nodes"].as_array().expect("nodes are a list");
    let node = nodes
        .iter()
        .find(|node| node["producerSemanticId"] == producer && node["propertyPath"] == path)
        .unwrap_or_else(|| panic!("no {producer}/{path}"));
    let sources = body["sources"].as_array().expect("sources are a list");
    let source = sources
        .iter()
        .find(|source| source["sourceId"] == node["sourceId"])
        .expect("a node has a source");
    (node, &source["evidenceUses"])
}

/// What a record points at, described as the snapshot does.
pub(crate) fn semantic(node: &Value) -> Value {
    json!({
        "kind": "GROUNDED",
        "sourceId": node["sourceId"],
        "nodeId": node["nodeId"],
        "propertyPath": node["propertyPath"],
        "status": node["epistemicStatus"],
    })
}

/// A picture of three walls with axes, legend, caveats and title, from the decision context alone.
pub(crate) fn walls(context: &Value) -> Value {
    let mut graph = context["graph"].clone();
    graph["generatedBy"] = json!({ "kind": "SCRIPT", "name": "three walls", "version": "1" });
    let axes = context["foreground"].as_array().expect("axes are a list");
    let (volume, routes) = (&context["volume"], &context["routes"]);
    let source = axes[0]["sourceId"].clone();
    let codes: BTreeSet<&str> = context["snapshot"]["body"]["limitations"]
        .as_array()
        .expect("limitations are a list")
        .iter()
        .filter(|limitation| limitation["sourceId"] == source)
        .map(|limitation| text(&limitation["code"]))
        .collect();
    let mut primitives = Vec::new();
    let primitive = |id: &str, kind: &str, placement: &str, routes: &Value, limitations: Value| json!({ "id": id, "kind": kind, "placement": placement, "routes": routes, "limitations": limitations });
    let walls = [
        ("marks.xy", "WALL_XY", [0, 1]),
        ("marks.xz", "WALL_XZ", [0, 2]),
        ("marks.zy", "WALL_ZY", [2, 1]),
    ];
    for (id, placement, shown) in walls {
        primitives.push(primitive(id, "POINT_IDENTITY", placement, routes, json!([])));
        for axis in shown {
            let axis = &axes[axis];
            let ends = &volume[text(&axis["channel"]).trim_start_matches("position_")];
            let mut record = shows(context, id, axis, "linear");
            record["channel"] = axis["channel"].clone();
            record["domain"] =
                json!({ "kind": "INTERVAL", "min": axis["domain"][0], "max": axis["domain"][1] });
            record["range"] = json!({ "kind": "METERS", "from": ends[0], "to": ends[1] });
            record["orderConstraint"] = "INCREASING".into();
            record["carries"] = owed(context, "ORDER", Some(text(&axis["variable"]))).into();
            bind(&mut graph, record);
        }
        looks(context, &mut graph, id);
    }
    for (axis, name) in axes.iter().zip(["x", "y", "z"]) {
        let id = format!("axis.{name}");
        let placement = format!("AXIS_{}", name.to_uppercase());
        primitives.push(primitive(&id, "ANNOTATION", &placement, &json!([]), json!([])));
        let mut record = shows(context, &id, axis, "identity");
        record["domain"] = json!({ "kind": "INTERVAL", "min": axis["domain"][0], "max": axis["domain"][1] });
        record["carries"] = owed(context, "UNITS", Some(text(&axis["variable"]))).into();
        bind(&mut graph, record);
    }
    if let Some(grouping) = context.get("grouping") {
        primitives.push(primitive("legend", "ANNOTATION", "LEGEND", &json!([]), json!([])));
        let mut record = shows(context, "legend", grouping, "identity");
        record["domain"] = json!({ "kind": "CATEGORIES", "labels": grouping["labels"] });
        bind(&mut graph, record);
        looks(context, &mut graph, "legend");
    }
    primitives.push(primitive(
        "caveats",
        "ANNOTATION",
        "CAVEAT_BOARD",
        &json!([]),
        json!(codes),
    ));
    for (path, predicates) in [
        ("rowsUsed", &["SUPPORT"][..]),
        ("rowsExcluded", &["MISSINGNESS"]),
        ("totalRows", &["APPROXIMATION", "EPISTEMIC_STATUS"]),
        ("rowKeys", &["UNAVAILABILITY"]),
    ] {
        let (node, uses) = node(context, "projection", path);
        let mut record = written(context, "caveats", semantic(node), uses, "identity");
        let carries: Vec<String> = predicates
            .iter()
            .flat_map(|predicate| owed(context, predicate, None))
            .collect();
        record["carries"] = carries.into();
        bind(&mut graph, record);
    }
    let mut limits = shows(context, "caveats", &axes[0], "identity");
    limits["carries"] = owed(context, "LIMITATION", None).into();
    bind(&mut graph, limits);
    primitives.push(primitive("title", "ANNOTATION", "TITLE", &json!([]), json!([])));
    graph["primitives"] = primitives.into();
    graph["edges"] = json!([
        { "from": "axis.x", "to": "marks.xy", "relation": "COORDINATES_WITH" },
        { "from": "axis.y", "to": "marks.xy", "relation": "COORDINATES_WITH" },
    ]);
    stamp(&mut graph);
    graph
}

/// Hue with shape of the groups, where there are groups.
fn looks(context: &Value, graph: &mut Value, primitive: &str) {
    let Some(grouping) = context.get("grouping") else {
        return;
    };
    let count = grouping["labels"].as_array().expect("labels").len();
    for (channel, kind, values) in [("hue", "COLORS", "colors"), ("shape", "SHAPES", "shapes")] {
        let values = &context["palette"][values].as_array().expect("a palette")[..count];
        let mut record = shows(context, primitive, grouping, "categorical");
        record["channel"] = channel.into();
        record["domain"] = json!({ "kind": "CATEGORIES", "labels": grouping["labels"] });
        record["range"] = json!({ "kind": kind, "values": values });
        record["fidelity"] = "SURROGATE".into();
        bind(graph, record);
    }
}

/// A record in words about a foreground variable or the grouping, which claims nothing yet.
fn shows(context: &Value, primitive: &str, row: &Value, transform: &str) -> Value {
    let meant = json!({
        "kind": "GROUNDED",
        "sourceId": row["sourceId"],
        "nodeId": row["nodeId"],
        "propertyPath": row["propertyPath"],
        "status": row["status"],
    });
    let mut record = written(context, primitive, meant, &row["evidenceUses"], transform);
    if let Some(unit) = row.get("unit") {
        record["unit"] = unit.clone();
    }
    record
}

fn written(context: &Value, primitive: &str, meant: Value, uses: &Value, transform: &str) -> Value {
    let transforms = context["transforms"].as_array().expect("transforms are a list");
    let mut transforms = transforms.iter().map(|row| &row["pinned"]);
    let pinned = transforms.find(|pinned| pinned["id"] == transform);
    json!({
        "primitiveId": primitive,
        "semantic": meant,
        "evidenceUses": uses,
        "channel": "text",
        "transform": pinned.expect("it is in the table"),
        "domain": { "kind": "STATEMENT" },
        "range": { "kind": "TEXT", "capHeight": context["volume"]["capHeight"] },
        "orderConstraint": "NONE",
        "fidelity": "DIRECT",
        "carries": [],
        "limitations": [],
        "fallbackBindingIds": [],
    })
}

/// A text.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

/// A list.
pub(crate) fn list(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().expect("it is a list")
}

fn sort(value: &mut Value) {
    list(value).sort_by_key(|item| text(item).to_owned());
}

/// Every refusal of an answer.
pub(crate) fn refusals(answer: &Value) -> Vec<&Map<String, Value>> {
    let all = answer["diagnostics"].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().filter_map(Value::as_object).collect()
}

/// Whether some refusal has a code, a reason and these words.
pub(crate) fn has(answer: &Value, code: &str, reason: &str, says: &str) -> bool {
    refusals(answer).into_iter().any(|refusal| {
        refusal["code"] == code
            && refusal["reason"] == reason
            && refusal["cause"]["text"]
                .as_str()
                .is_some_and(|text| text.contains(says))
    })
}
