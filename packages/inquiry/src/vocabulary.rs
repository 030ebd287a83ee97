//! The closed words of a submitted graph, looked at before the text is decoded: all that are unknown, each with its
//! place and the nearest known word, and the owner's code for it.

use investigation::nearest;
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::{TransformKind, channel, grammar};
use serde_json::Value;

/// Kinds of primitives.
pub(crate) const PRIMITIVE_KINDS: &[&str] = &[
    "POINT_IDENTITY",
    "UNCERTAINTY",
    "ANNOTATION",
    "DETAIL_EXPANSION",
    "CONJECTURE",
];
/// Where a primitive stands.
pub(crate) const PLACEMENTS: &[&str] = &[
    "VOLUME",
    "WALL_XY",
    "WALL_XZ",
    "WALL_ZY",
    "AXIS_X",
    "AXIS_Y",
    "AXIS_Z",
    "LEGEND",
    "CAVEAT_BOARD",
    "TITLE",
];
/// Relations between primitives.
pub(crate) const RELATIONS: &[&str] = &[
    "OVERLAY",
    "CONTAINS",
    "DERIVES_FROM",
    "COORDINATES_WITH",
    "DETAIL_OF",
    "COMPARES_WITH",
];
/// How close what is shown is to what is meant.
pub(crate) const FIDELITIES: &[&str] = &["DIRECT", "DERIVED", "SURROGATE", "EXPERIMENTAL"];
/// What a binding does to order.
pub(crate) const ORDERS: &[&str] = &["INCREASING", "DECREASING", "NONE"];
/// Kinds of proposers, as a proposal may call its own.
pub(crate) const PROPOSERS: &[&str] = &["RECIPE", "PERSON", "SCRIPT", "MODEL"];
/// Kinds of domains.
pub(crate) const DOMAINS: &[&str] = &["INTERVAL", "CATEGORIES", "STATEMENT"];
/// Kinds of ranges.
pub(crate) const RANGES: &[&str] = &["METERS", "COLORS", "SHAPES", "LINES", "TEXT"];
/// Kinds of meanings.
pub(crate) const SEMANTICS: &[&str] = &["GROUNDED", "CONJECTURAL"];

/// Every member of a graph, for the nearest name of an unknown one.
pub(crate) const MEMBERS: [&str; 49] = [
    "bindings",
    "contextId",
    "edges",
    "generatedBy",
    "obligationSetId",
    "primitives",
    "recipeRef",
    "snapshotId",
    "kind",
    "name",
    "version",
    "id",
    "placement",
    "routes",
    "limitations",
    "verb",
    "sentence",
    "from",
    "to",
    "relation",
    "bindingId",
    "record",
    "carries",
    "channel",
    "domain",
    "evidenceUses",
    "fallbackBindingIds",
    "fidelity",
    "orderConstraint",
    "primitiveId",
    "range",
    "semantic",
    "transform",
    "unit",
    "digest",
    "sourceId",
    "nodeId",
    "propertyPath",
    "status",
    "proposalId",
    "elementId",
    "min",
    "max",
    "labels",
    "values",
    "capHeight",
    "schemaVersion",
    "graphId",
    "body",
];

/// A closed vocabulary: what its words are, where they are owned, and how a stranger among them is refused.
struct Words<'a> {
    what: &'static str,
    known: &'a [&'a str],
    stage: Stage,
    reason: Reason,
}

/// Everything in the body that is outside a closed vocabulary or beyond a stated number.
pub(crate) fn check(body: &Value, base: &str) -> Diagnostics {
    let mut found = Diagnostics::new();
    let shape = |what, known| Words {
        what,
        known,
        stage: Stage::DecodeIntegrity,
        reason: Reason::UnknownShape,
    };
    let channels: Vec<&str> = channel::TABLE.iter().map(|row| row.word).collect();
    let transforms: Vec<&str> = TransformKind::ALL.iter().map(|kind| kind.id()).collect();
    let channel = Words {
        what: "channel",
        known: &channels,
        stage: Stage::BindingUse,
        reason: Reason::UnknownChannel,
    };
    let transform = Words {
        what: "transform",
        known: &transforms,
        stage: Stage::BindingUse,
        reason: Reason::UnknownTransform,
    };
    let relation = Words {
        what: "relation",
        known: RELATIONS,
        stage: Stage::FixedPolicy,
        reason: Reason::RelationUnsupported,
    };
    shape("kind of proposer", PROPOSERS).look(body, base, "/generatedBy/kind", &mut found);
    for (list, most) in [
        ("primitives", grammar::MOST_PRIMITIVES),
        ("edges", grammar::MOST_EDGES),
        ("bindings", grammar::MOST_BINDINGS),
    ] {
        let items = body
            .get(list)
            .and_then(Value::as_array)
            .map_or(&[][..], Vec::as_slice);
        if items.len() > most {
            let text = format!("The graph has {} {list}; the contract takes {most}.", items.len());
            let refusal = Refusal::new(Stage::DecodeIntegrity, Reason::Bounds, text)
                .at(format!("{base}/{list}/{most}"))
                .next("Propose a smaller graph.");
            found.push(refusal);
            continue;
        }
        for (idx, item) in items.iter().enumerate() {
            let at = format!("{base}/{list}/{idx}");
            match list {
                "primitives" => {
                    shape("kind of primitive", PRIMITIVE_KINDS).look(item, &at, "/kind", &mut found);
                    shape("placement", PLACEMENTS).look(item, &at, "/placement", &mut found);
                }
                "edges" => relation.look(item, &at, "/relation", &mut found),
                _ => {
                    let at = format!("{at}/record");
                    let Some(record) = item.get("record") else {
                        continue;
                    };
                    channel.look(record, &at, "/channel", &mut found);
                    transform.look(record, &at, "/transform/id", &mut found);
                    shape("fidelity", FIDELITIES).look(record, &at, "/fidelity", &mut found);
                    shape("order constraint", ORDERS).look(record, &at, "/orderConstraint", &mut found);
                    shape("kind of domain", DOMAINS).look(record, &at, "/domain/kind", &mut found);
                    shape("kind of range", RANGES).look(record, &at, "/range/kind", &mut found);
                    shape("kind of meaning", SEMANTICS).look(record, &at, "/semantic/kind", &mut found);
                }
            }
        }
    }
    found
}

impl Words<'_> {
    /// Looks at one word. What is no text is left to the closed decoding, which says so.
    fn look(&self, value: &Value, at: &str, pointer: &str, found: &mut Diagnostics) {
        let Some(word) = value.pointer(pointer).and_then(Value::as_str) else {
            return;
        };
        if self.known.contains(&word) {
            return;
        }
        let what = self.what;
        let next = match nearest(word, self.known.iter().copied()) {
            Some(name) => format!("The nearest {what} is `{name}`."),
            None => format!("There are: {}.", self.known.join(", ")),
        };
        let text = format!("`{word}` is no {what} of the closed table.");
        let refusal = Refusal::new(self.stage, self.reason, text)
            .about(word)
            .at(format!("{at}{pointer}"))
            .next(next);
        found.push(refusal);
    }
}

#[cfg(test)]
mod tests {
    use representation::wire::v2::{Domain, Fidelity, Placement, PrimitiveKind, Range, Relation, Semantic};
    use serde::de::DeserializeOwned;

    use super::*;

    /// The words that the type itself knows, from its own refusal of a word that it does not.
    fn known<T: DeserializeOwned>(stranger: Value) -> Vec<String> {
        let Err(error) = serde_json::from_value::<T>(stranger) else {
            panic!("no stranger");
        };
        let told = error.to_string();
        told.split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_words_are_those_of_the_types() {
        let word = || Value::from("?");
        let kind = || serde_json::json!({ "kind": "?" });
        assert_eq!(known::<PrimitiveKind>(word()), PRIMITIVE_KINDS);
        assert_eq!(known::<Placement>(word()), PLACEMENTS);
        assert_eq!(known::<Relation>(word()), RELATIONS);
        assert_eq!(known::<Fidelity>(word()), FIDELITIES);
        assert_eq!(known::<Domain>(kind()), DOMAINS);
        assert_eq!(known::<Range>(kind()), RANGES);
        assert_eq!(known::<Semantic>(kind()), SEMANTICS);
    }
}
