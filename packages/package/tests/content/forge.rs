//! Rewriting packages: a forger who knows the format and shares no code with the reader beyond the container.
//!
//! Members are edited as plain JSON; [`Forge::stamped`] then makes every digest in the manifest true again.

use std::collections::BTreeMap;
use std::io::Cursor;

use identity::{Digest, canonical};
use package::container::{Archive, Compression, Limits, Writer};
use serde_json::{Value, json};

pub(crate) const MANIFEST: &str = "manifest.json";
pub(crate) const FORMA: &str = "investigation/forma.json";
pub(crate) const COMMANDS: &str = "investigation/commands.log";
pub(crate) const SESSION: &str = "investigation/session.json";
pub(crate) const GRAPH: &str = "investigation/graph.json";
pub(crate) const RECEIPTS: &str = "investigation/evidence-receipts.json";
pub(crate) const IMPORT: &str = "data/import.json";
pub(crate) const JSON_MEMBERS: [&str; 6] = [IMPORT, COMMANDS, RECEIPTS, FORMA, GRAPH, SESSION];

/// The members of a package, free to be edited. Every name is ASCII, so the map's order is the file's.
#[derive(Clone)]
pub(crate) struct Forge {
    pub(crate) members: BTreeMap<String, Vec<u8>>,
}

/// `H(tag, body)`, written out.
pub(crate) fn identity(tag: &str, body: &Value) -> String {
    let text = canonical::to_vec(&json!({ "body": body, "tag": tag })).unwrap();
    format!("{tag}:{}", Digest::of(&text).hex())
}

pub(crate) fn digest(value: &Value) -> String {
    Digest::of(&canonical::to_vec(value).unwrap()).to_string()
}

impl Forge {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut archive = Archive::walk(Cursor::new(bytes), &Limits::PACKAGE).unwrap();
        let names: Vec<String> = archive
            .members()
            .iter()
            .map(|member| member.name().to_owned())
            .collect();
        let read = |name: String| {
            let (content, _) = archive.read_small(&name, 64 << 20).unwrap();
            (name, content)
        };
        Self {
            members: names.into_iter().map(read).collect(),
        }
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.members[name]).unwrap()
    }

    pub(crate) fn put(&mut self, name: &str, value: &Value) {
        self.members
            .insert(name.to_owned(), canonical::to_vec(value).unwrap());
    }

    /// Edits one JSON member.
    pub(crate) fn edit(&mut self, name: &str, edit: impl FnOnce(&mut Value)) {
        let mut value = self.json(name);
        edit(&mut value);
        self.put(name, &value);
    }

    pub(crate) fn artifacts(&self) -> Vec<String> {
        self.members
            .keys()
            .filter(|name| name.starts_with("artifacts/"))
            .cloned()
            .collect()
    }

    /// The archive with the manifest as it stands.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new());
        for (name, content) in &self.members {
            let compression = if name == MANIFEST {
                Compression::Stored
            } else {
                Compression::Fitting
            };
            writer.add(name, content, compression).unwrap();
        }
        writer.finish().unwrap()
    }

    /// The archive with a manifest in which lengths, digests, the V4 digest and the manifest's identity are true.
    pub(crate) fn stamped(&self) -> Vec<u8> {
        self.stamped_with(|_| {})
    }

    /// As [`Forge::stamped`], with a last edit before the manifest's identity is computed.
    pub(crate) fn stamped_with(&self, last: impl FnOnce(&mut Value)) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new());
        for (name, content) in self.members.iter().filter(|(name, _)| *name != MANIFEST) {
            writer.add(name, content, Compression::Fitting).unwrap();
        }
        let mut manifest = self.json(MANIFEST);
        manifest["members"] = serde_json::to_value(writer.ledger().records()).unwrap();
        manifest["investigationDigest"] = Value::from(self.investigation_digest(&manifest));
        last(&mut manifest);
        let mut unsigned = manifest.clone();
        unsigned.as_object_mut().unwrap().remove("manifestId");
        manifest["manifestId"] = Value::from(identity("package-manifest-v4", &unsigned));
        writer
            .add(
                MANIFEST,
                &canonical::to_vec(&manifest).unwrap(),
                Compression::Stored,
            )
            .unwrap();
        writer.finish().unwrap()
    }

    fn investigation_digest(&self, manifest: &Value) -> String {
        let parsed = |name: &str| -> Value {
            self.members
                .get(name)
                .and_then(|text| serde_json::from_slice(text).ok())
                .unwrap_or_default()
        };
        let members: Vec<Value> = manifest["members"]
            .as_array()
            .unwrap()
            .iter()
            .map(|record| json!({ "name": record["name"], "bytes": record["bytes"], "sha256": record["sha256"] }))
            .collect();
        let body = json!({
            "schemaVersion": 4,
            "session": parsed(SESSION),
            "members": members,
            "importRecipeId": parsed(IMPORT)["recipeId"],
            "identities": manifest["identities"],
            "software": manifest["software"],
        });
        identity("sha256-canonical-investigation-v4", &body)
    }

    /// Edits the active plan and makes everything that rests on it true again: backend digests, plan and result
    /// identities, links, ledger, session projection, manifest. What comes out is consistent in itself.
    pub(crate) fn forge_plan(&mut self, edit: impl FnOnce(&mut Value)) {
        let mut forma = self.json(FORMA);
        let plan = &mut forma["plans"][0];
        edit(&mut plan["body"]);
        let mut digests = Vec::new();
        for variant in plan["body"]["variants"].as_array_mut().unwrap() {
            let found = digest(&variant["backend"]);
            variant["backendDigest"] = Value::from(found.clone());
            digests.push(json!({ "variant": variant["name"], "digest": found }));
        }
        digests.sort_by_key(|entry| entry["variant"].as_str().unwrap().to_owned());
        let plan_id = identity("perceptual-plan-v1", &plan["body"]);
        plan["planId"] = Value::from(plan_id.clone());
        let (bindings, index) = (
            plan["body"]["bindings"].clone(),
            plan["body"]["explanationIndex"].clone(),
        );
        let compiler = plan["body"]["compilerRef"].clone();
        forma["epistemicBindingsRef"] = Value::from(digest(&bindings));
        self.put(FORMA, &forma);
        self.edit(MANIFEST, |manifest| {
            manifest["identities"]["planId"] = Value::from(plan_id.clone());
            manifest["software"]["compiler"] = compiler.clone();
        });
        self.forge_result(|result| {
            result["planId"] = Value::from(plan_id);
            result["backendPlanDigests"] = Value::from(digests);
            result["explanationIndex"] = index;
            result["compilerAndTransformRefs"][0] = compiler;
        });
    }

    /// Edits the active result and makes everything that rests on it true again.
    pub(crate) fn forge_result(&mut self, edit: impl FnOnce(&mut Value)) {
        let mut forma = self.json(FORMA);
        let result = &mut forma["results"][0];
        edit(&mut result["body"]);
        let before = result["resultId"].clone();
        let after = Value::from(identity("forma-result-v1", &result["body"]));
        result["resultId"] = after.clone();
        forma["activeResultId"] = after.clone();
        self.put(FORMA, &forma);
        self.edit(MANIFEST, |manifest| {
            manifest["identities"]["resultId"] = after.clone();
        });
        self.edit(COMMANDS, |events| {
            for event in events.as_array_mut().unwrap() {
                if event["subject"] == before {
                    event["subject"] = after.clone();
                }
            }
        });
        self.forge_session();
    }

    /// Makes the session projection the one that ledger and receipts give.
    pub(crate) fn forge_session(&mut self) {
        let bare = |text: String| Value::from(text.replace("sha256:", ""));
        let (events, receipts) = (self.json(COMMANDS), self.json(RECEIPTS));
        let hashes: Vec<Value> = events
            .as_array()
            .unwrap()
            .iter()
            .map(|event| bare(digest(event)))
            .collect();
        self.edit(SESSION, |session| {
            session["eventHashes"] = Value::from(hashes);
            session["governedEvidence"]["envelope"] = receipts.clone();
            session["governedEvidence"]["memberDigest"] = bare(digest(&receipts));
        });
    }
}
