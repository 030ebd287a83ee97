//! The package taken apart, edited, and put together again so that it agrees with itself.

use refusal::{Code, Reason};
use serde_json::{Value, json};

use super::{folder, open, package};
use crate::forge::{self, COMMANDS, FORMA, Forge, GRAPH, MANIFEST};
use crate::program::{nemosyne, put};

/// The two members of a package that hold everything an attack here edits.
struct Parts {
    forma: Value,
    graph: Value,
}

impl Parts {
    fn binding(&mut self, element: &str, path: &str) -> &mut Value {
        let bindings = self.forma["graphs"][0]["body"]["bindings"]
            .as_array_mut()
            .expect("a list");
        let found = bindings
            .iter_mut()
            .map(|binding| &mut binding["record"])
            .find(|record| {
                record["semantic"]["elementId"] == element && record["semantic"]["propertyPath"] == path
            });
        found.expect("it is bound")
    }

    /// Everything the backend of each variant draws.
    fn elements(&mut self, change: impl Fn(&mut Vec<Value>)) {
        for variant in self.forma["plans"][0]["body"]["variants"]
            .as_array_mut()
            .expect("a list")
        {
            change(variant["backend"]["elements"].as_array_mut().expect("a list"));
            let count = variant["backend"]["elements"].as_array().expect("a list").len();
            variant["elementCount"] = json!(count);
        }
    }
}

/// The members that an identity may stand in, as one value: forma, graph, commands, manifest.
struct Members(Value);

impl Members {
    fn of(forge: &Forge, parts: Parts) -> Self {
        Self(json!([
            parts.forma,
            parts.graph,
            forge.json(COMMANDS),
            forge.json(MANIFEST)
        ]))
    }

    fn forma(&mut self) -> &mut Value {
        &mut self.0[0]
    }

    /// Puts the identity that each body now has in place of the one it had, wherever that stands.
    fn restamp(&mut self, seals: &[(String, String)]) {
        let mut text = self.0.to_string();
        for (old, new) in seals.iter().filter(|(old, new)| old != new) {
            text = text.replace(old, new);
        }
        self.0 = serde_json::from_str(&text).expect("it was JSON and is");
    }

    /// What the entries of a table claim and what they hash to.
    fn seals(table: &Value, tag: &str, member: &str, body: &str) -> Vec<(String, String)> {
        let entries = table.as_array().expect("a list").iter();
        entries
            .map(|entry| {
                let old = entry[member].as_str().expect("an identity").to_owned();
                (old, forge::identity(tag, &entry[body]))
            })
            .collect()
    }

    fn reseal(&mut self, table: &str, tag: &str, member: &str) {
        let seals = Self::seals(&self.0[0][table], tag, member, "body");
        self.restamp(&seals);
    }
}

fn sort(list: &mut Value, keys: &[&str]) {
    let key = |entry: &Value| -> Vec<String> {
        match keys {
            [] => vec![entry.to_string()],
            keys => keys.iter().map(|key| entry[*key].to_string()).collect(),
        }
    };
    list.as_array_mut().expect("a list").sort_by_key(key);
}

/// Takes the exploratory package apart, edits it, and makes every identity and every digest true again.
fn laundered(edit: impl FnOnce(&mut Parts)) -> Vec<u8> {
    let mut forge = Forge::of(package());
    let mut parts = Parts {
        forma: forge.json(FORMA),
        graph: forge.json(GRAPH),
    };
    edit(&mut parts);
    let mut all = Members::of(&forge, parts);
    let seals = Members::seals(
        &all.0[1]["contexts"],
        "investigation-context-v2",
        "contextId",
        "body",
    );
    all.restamp(&seals);
    all.reseal("proposals", "conjectural-proposal-v1", "proposalId");
    all.reseal("obligationSets", "semantic-obligations-v1", "obligationSetId");
    all.reseal("manifests", "forma-knowledge-manifest-v1", "manifestId");
    let bindings = &all.0[0]["graphs"][0]["body"]["bindings"];
    let seals = Members::seals(bindings, "perceptual-binding-v1", "bindingId", "record");
    all.restamp(&seals);
    let forma = all.forma();
    sort(&mut forma["graphs"][0]["body"]["bindings"], &["bindingId"]);
    forma["plans"][0]["body"]["bindings"] = forma["graphs"][0]["body"]["bindings"].clone();
    forma["epistemicBindingsRef"] = json!(forge::digest(&forma["plans"][0]["body"]["bindings"]));
    let result = &mut forma["results"][0]["body"];
    sort(&mut result["resolvedBindingIds"], &[]);
    sort(&mut result["perceptualQualifications"], &["variant", "bindingId"]);
    all.reseal("graphs", "representation-graph-v2", "graphId");
    let variants = all.0[0]["plans"][0]["body"]["variants"]
        .as_array()
        .expect("a list");
    let backends: Vec<(String, String)> = variants
        .iter()
        .map(|variant| {
            let old = variant["backendDigest"].as_str().expect("a digest").to_owned();
            (old, forge::digest(&variant["backend"]))
        })
        .collect();
    all.restamp(&backends);
    all.reseal("plans", "perceptual-plan-v1", "planId");
    all.reseal("results", "forma-result-v1", "resultId");
    for (at, name) in [FORMA, GRAPH, COMMANDS, MANIFEST].into_iter().enumerate() {
        forge.put(name, &all.0[at]);
    }
    forge.forge_session();
    forge.stamped()
}

/// An edit, and the code and reason with which the loader must answer.
type Attack = (&'static str, fn(&mut Parts), Code, Reason);

#[test]
fn an_archive_with_every_digest_made_true_again_launders_nothing() {
    let folder = folder();
    put(folder.path(), "same.nemosyne", &laundered(|_| ()));
    nemosyne(folder.path(), &["verify", "same.nemosyne"]).done();
    nemosyne(folder.path(), &["replay", "same.nemosyne"]).done();
    let claim = (Code::ClaimNotAdmissible, Reason::ConjectureAsClaim);
    let attacks: &[Attack] = &[
        (
            "the purpose of the recorded question",
            |parts| {
                let last = parts.graph["contexts"].as_array().expect("a list").len() - 1;
                parts.graph["contexts"][last]["body"]["epistemicPurpose"] = json!("CLAIM_BEARING");
            },
            claim.0,
            claim.1,
        ),
        (
            "the status in the bindings",
            |parts| {
                for path in ["value", "status", "label", "assumptions"] {
                    let record = parts.binding("divide", path);
                    record["semantic"]["status"] = json!("IMPUTED");
                    if path == "status" {
                        record["domain"]["labels"] = json!(["IMPUTED"]);
                    }
                }
                let index = parts.forma["plans"][0]["body"]["conjectureIndex"]
                    .as_array_mut()
                    .expect("a list");
                for entry in index
                    .iter_mut()
                    .filter(|entry| entry["supposed"]["elementId"] == "divide")
                {
                    entry["status"] = json!("IMPUTED");
                }
                parts.elements(|elements| {
                    for element in elements
                        .iter_mut()
                        .filter(|one| one["supposed"]["elementId"] == "divide")
                    {
                        if let Some(said) = element["parameters"]["text"].as_str() {
                            element["parameters"]["text"] = json!(said.replace("hypothesized", "imputed"));
                        }
                    }
                });
            },
            claim.0,
            claim.1,
        ),
        (
            "the status in the proposal alone",
            |parts| parts.forma["proposals"][0]["body"]["elements"][1]["status"] = json!("HYPOTHESIZED"),
            claim.0,
            claim.1,
        ),
        (
            "a grounded primitive that rests on it",
            |parts| {
                let edges = parts.forma["graphs"][0]["body"]["edges"]
                    .as_array_mut()
                    .expect("a list");
                edges.push(json!({ "from": "marks.volume", "relation": "DERIVES_FROM", "to": "conjecture" }));
                edges.sort_by_key(|edge| {
                    (
                        edge["from"].to_string(),
                        edge["to"].to_string(),
                        edge["relation"] == "COORDINATES_WITH",
                    )
                });
            },
            Code::InvalidInput,
            Reason::Malformed,
        ),
        (
            "its words taken away",
            |parts| {
                parts.elements(|elements| elements.retain(|one| one["id"] != "conjecture.divide.label"));
                let index = parts.forma["plans"][0]["body"]["conjectureIndex"]
                    .as_array_mut()
                    .expect("a list");
                index.retain(|entry| entry["elementId"] != "conjecture.divide.label");
            },
            Code::InvalidInput,
            Reason::Malformed,
        ),
        (
            "its words without the word conjecture",
            |parts| {
                parts.elements(|elements| {
                    for element in elements
                        .iter_mut()
                        .filter(|one| one["id"] == "conjecture.divide.label")
                    {
                        element["parameters"]["text"] = json!("a Gentoo divide");
                    }
                });
            },
            Code::InvalidInput,
            Reason::Malformed,
        ),
        (
            "a promotion where it stands",
            |parts| {
                let proposal = parts.forma["proposals"][0]["proposalId"].clone();
                parts.forma["generationRecordRef"]["promotedFrom"] =
                    json!({ "elementId": "divide", "proposalId": proposal });
                parts.forma["derivedFrom"] = json!({
                    "investigationDigest": format!("sha256-canonical-investigation-v4:{}", "0".repeat(64)),
                    "resultId": parts.forma["results"][0]["resultId"],
                    "differences": ["nothing"],
                });
            },
            claim.0,
            claim.1,
        ),
        (
            "a conjecture as the evidence of a qualification",
            |parts| {
                let proposal = parts.forma["proposals"][0]["proposalId"].clone();
                let entries = parts.forma["manifests"][0]["body"]["entries"]
                    .as_array_mut()
                    .expect("a list");
                let entry = entries.iter_mut().find(|entry| entry["kind"] == "QUALIFICATION");
                entry.expect("something is qualified")["evidenceRefs"] = json!([proposal]);
            },
            claim.0,
            claim.1,
        ),
        (
            "a list of proposals that leaves it out",
            |parts| parts.forma["conjecturalProposalRefs"] = json!([]),
            Code::InvalidInput,
            Reason::AmbiguousReference,
        ),
    ];
    let mut wrong = Vec::new();
    for (name, attack, code, reason) in attacks {
        let bytes = laundered(attack);
        match open(&bytes) {
            Ok(_) => wrong.push(format!("{name}: opened")),
            Err(error) => {
                let refusal = error.refusal();
                if (refusal.code(), refusal.reason()) != (*code, *reason) {
                    wrong.push(format!("{name}: {refusal}"));
                }
            }
        }
        put(folder.path(), "laundered.nemosyne", &bytes);
        for verb in ["verify", "replay", "explain"] {
            nemosyne(folder.path(), &[verb, "laundered.nemosyne"]).refused();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
