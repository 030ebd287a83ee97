//! The same conjecture in graphs from outside, through the binary.

use refusal::{Code, Reason};
use serde_json::{Value, json};

use super::{FILE, arguments, folder, package, refused};
use crate::forge::{self, FORMA, Forge};
use crate::program::{nemosyne, put};

/// The graph of the exploratory admission, edited and sealed again.
fn graph(edit: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut body = Forge::of(package()).json(FORMA)["graphs"][0]["body"].clone();
    edit(&mut body);
    let bindings = body["bindings"].as_array_mut().expect("a list");
    for binding in bindings.iter_mut() {
        binding["bindingId"] = json!(forge::identity("perceptual-binding-v1", &binding["record"]));
    }
    bindings.sort_by_key(|binding| binding["bindingId"].to_string());
    body.to_string().into_bytes()
}

fn drop_path(body: &mut Value, path: &str) {
    let bindings = body["bindings"].as_array_mut().expect("a list");
    let before = bindings.len();
    bindings.retain(|binding| {
        let semantic = &binding["record"]["semantic"];
        semantic["elementId"] != "divide" || semantic["propertyPath"] != path
    });
    assert_eq!(before - bindings.len(), 1, "{path}");
}

#[test]
fn a_submitted_graph_is_held_to_the_mark_and_to_the_line() {
    let folder = folder();
    let submit = |bytes: &[u8]| {
        put(folder.path(), "graph.json", bytes);
        arguments("penguins.csv", &[("--graph", "graph.json")])
    };
    nemosyne(folder.path(), &submit(&graph(|_| ()))).done();
    for path in ["status", "label", "assumptions"] {
        let said = refused(
            folder.path(),
            &submit(&graph(|body| drop_path(body, path))),
            Code::PolicyViolation,
            Reason::ObligationWeakened,
        );
        assert!(said.contains("nemosyne:rule/conjecture-is-marked@1"), "{said}");
    }
    let on_conjecture = graph(|body| {
        let edges = body["edges"].as_array_mut().expect("a list");
        edges.push(json!({ "from": "marks.volume", "relation": "DERIVES_FROM", "to": "conjecture" }));
        edges.sort_by_key(|edge| (edge["from"].to_string(), edge["to"].to_string()));
    });
    let said = refused(
        folder.path(),
        &submit(&on_conjecture),
        Code::ClaimNotAdmissible,
        Reason::ConjectureAsClaim,
    );
    assert!(said.contains("would rest on the conjecture"), "{said}");
    let claiming = graph(|body| {
        let bindings = body["bindings"].as_array_mut().expect("a list");
        let carried = bindings
            .iter()
            .map(|binding| binding["record"]["carries"].clone())
            .find(|carries| carries.as_array().is_some_and(|carries| !carries.is_empty()));
        let supposed = bindings
            .iter_mut()
            .find(|binding| binding["record"]["semantic"]["propertyPath"] == "values/0");
        supposed.expect("it is there")["record"]["carries"] = carried.expect("something is claimed");
    });
    refused(
        folder.path(),
        &submit(&claiming),
        Code::ClaimNotAdmissible,
        Reason::ConjectureAsClaim,
    );
    // The graph alone, without the proposal it shows.
    put(folder.path(), "graph.json", &graph(|_| ()));
    let mut alone = arguments("penguins.csv", &[("--graph", "graph.json")]);
    let at = alone.iter().position(|it| *it == FILE).expect("it is there");
    alone.drain(at - 1..=at);
    refused(
        folder.path(),
        &alone,
        Code::ClaimNotAdmissible,
        Reason::ConjectureAsClaim,
    );
}
