//! A graph from outside: read closed and bounded, every fault with its place and the nearest known name. Reading it
//! believes nothing that it says of itself.

use identity::{DecodeError, Digest, Envelope, Limits, Rule, SealError, Sealed};
use investigation::nearest;
use package::wire::v4::Origin;
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::wire::v2::GraphBody;
use representation::{Graph, GraphError};
use serde_json::Value;

use crate::place;
use crate::vocabulary::{self, MEMBERS};

/// The most bytes of a submitted graph: 4 MiB.
pub const MAX_GRAPH_BYTES: usize = 4 << 20;

/// How much a submitted graph may hold: 4 MiB, depth 32, strings of 64 KiB, 4,096 items a list, 256 members an object.
pub const LIMITS: Limits = Limits {
    max_bytes: MAX_GRAPH_BYTES,
    max_depth: 32,
    max_string: 64 << 10,
    max_items: 4096,
    max_members: 256,
};

/// A submitted graph that keeps the grammar. It is a proposal like any other, and Forma judges it like any other.
#[derive(Clone, Debug)]
pub struct Submitted {
    graph: Graph,
    digest: Digest,
    bytes: u64,
}

impl Submitted {
    /// The graph under the identity that was computed for it here.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// SHA-256 of the exact bytes.
    #[must_use]
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How it came to the door, for the record.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::Submitted {
            digest: self.digest,
            bytes: self.bytes,
        }
    }

    /// What it calls itself: `SCRIPT sketch 0.1`. A claim, nothing more; the kind `RECIPE` is one, too.
    #[must_use]
    pub fn claimed(&self) -> String {
        let by = &self.graph.body().generated_by;
        format!("{} {} {}", by.kind, by.name, by.version)
    }
}

/// Reads a submitted graph: the body of a `RepresentationGraph` 2.0.0, or the envelope with its identity.
///
/// # Errors
/// Every fault of vocabulary that is found, else the first fault of text, shape or grammar; each with a JSON pointer.
/// `INVALID_INPUT` for what is no graph, `BINDING_UNAVAILABLE` for a channel or transform outside the closed tables,
/// `SEMANTICS_UNSUPPORTED` for such a relation.
pub fn submit(bytes: &[u8]) -> Result<Submitted, Diagnostics> {
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if bytes.len() > MAX_GRAPH_BYTES {
        return Err(one(too_large(length)));
    }
    identity::scan(bytes, &LIMITS).map_err(|error| one(undecoded(&error)))?;
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        let text = format!("The graph is no JSON: {error}.");
        one(Refusal::new(Stage::DecodeIntegrity, Reason::Malformed, text).next("Correct the text."))
    })?;
    let is_envelope = value.get("body").is_some();
    if let Some(refusal) = other_version(&value) {
        return Err(one(refusal));
    }
    let (body, base) = match value.get("body") {
        Some(body) => (body, "/body"),
        None => (&value, ""),
    };
    let found = vocabulary::check(body, base);
    if !found.is_empty() {
        return Err(found);
    }
    let graph = if is_envelope {
        let envelope = identity::decode::<Envelope<GraphBody>>(bytes, &LIMITS)
            .map_err(|error| one(undecoded(&error)))?
            .into_inner();
        let body = body_of(bytes);
        envelope
            .open()
            .map_err(|error| one(unsealed(&error, body.as_ref(), base)))?
    } else {
        let body = identity::decode::<GraphBody>(bytes, &LIMITS)
            .map_err(|error| one(undecoded(&error)))?
            .into_inner();
        let kept = body.clone();
        Sealed::seal(body).map_err(|error| one(unsealed(&error, Some(&kept), base)))?
    };
    Ok(Submitted {
        graph,
        digest: Digest::of(bytes),
        bytes: length,
    })
}

/// The body of an envelope, unsealed, to say where in it a rule was broken.
fn body_of(bytes: &[u8]) -> Option<GraphBody> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    serde_json::from_value(value.get("body")?.clone()).ok()
}

fn one(refusal: Refusal) -> Diagnostics {
    let mut found = Diagnostics::new();
    found.push(refusal);
    found
}

/// The refusal of a file that is too large to be a graph.
#[must_use]
pub fn too_large(length: u64) -> Refusal {
    Refusal::new(
        Stage::DecodeIntegrity,
        Reason::Bounds,
        format!("The graph has {length} bytes; a submitted graph has at most {MAX_GRAPH_BYTES}."),
    )
    .next("Propose a smaller graph: at most 16 primitives, 32 edges and 128 bindings.")
}

/// Version 1 was another contract: loose visual encodings, policies as free text, no bindings.
fn other_version(value: &Value) -> Option<Refusal> {
    let legacy = [
        "visualEncoding",
        "semanticMappings",
        "layoutPolicy",
        "encodingPolicy",
    ];
    let names = |value: &Value| {
        value
            .as_object()
            .is_some_and(|members| legacy.iter().any(|name| members.contains_key(*name)))
    };
    let version = value.get("schemaVersion");
    let is_other = version.is_some_and(|version| version.as_u64() != Some(2));
    if !is_other && !names(value) {
        return None;
    }
    let stated = version.map_or_else(|| "none".to_owned(), ToString::to_string);
    Some(
        Refusal::new(
            Stage::DecodeIntegrity,
            Reason::UnknownShape,
            format!(
                "The door takes RepresentationGraph 2.0.0 (schemaVersion 2); this is another version (schemaVersion {stated})."
            ),
        )
        .at("/schemaVersion")
        .next("Propose under the skeleton that `nemosyne context --json` prints."),
    )
}

fn undecoded(error: &DecodeError) -> Refusal {
    let reason = match error.rule {
        Rule::UnknownMember => Reason::UnknownShape,
        Rule::Depth | Rule::Bytes | Rule::StringLength | Rule::Items | Rule::Members => Reason::Bounds,
        _ => Reason::Malformed,
    };
    let last = error.pointer.rsplit('/').next().unwrap_or_default();
    let next = match (&error.rule, nearest(last, MEMBERS)) {
        (Rule::UnknownMember, Some(name)) if name != last => {
            format!("The nearest member is `{name}`; leave out what the contract does not have.")
        }
        (Rule::UnknownMember, _) => "Leave out what the contract does not have.".to_owned(),
        _ => "Correct the text at the named place.".to_owned(),
    };
    Refusal::new(
        Stage::DecodeIntegrity,
        reason,
        format!("The graph can't be read: {}.", error.rule),
    )
    .at(format!("{} at byte {}", error.pointer, error.offset))
    .next(next)
}

fn unsealed(error: &SealError<GraphError>, body: Option<&GraphBody>, base: &str) -> Refusal {
    let (stage, next) = (
        Stage::DecodeIntegrity,
        "Take the identity away and submit the body, or compute it over the body as it is.",
    );
    match error {
        SealError::Invalid(error) => {
            let mut refusal = error.refusal();
            if let Some(body) = body {
                if let Some(pointer) = place::of(error, body) {
                    refusal = refusal.at(format!("{base}{pointer}"));
                }
                if let Some(next) = place::nearest_name(error, body) {
                    refusal = refusal.next(next);
                }
            }
            refusal
        }
        SealError::IdentityMismatch { claimed, computed } => Refusal::new(
            stage,
            Reason::Integrity,
            format!("The graph claims to be {claimed}, and its body is {computed}."),
        )
        .at("/graphId")
        .about(claimed.clone())
        .next(next),
        SealError::SchemaVersion { found, expected } => Refusal::new(
            stage,
            Reason::UnknownShape,
            format!("The graph has schema version {found}; the door takes {expected}."),
        )
        .at("/schemaVersion")
        .next(next),
        SealError::Canonical(error) => Refusal::new(
            stage,
            Reason::Malformed,
            format!("The graph has no canonical text: {error}."),
        )
        .next("Write numbers that are finite."),
    }
}
