//! The chain behind a mark or a property: property, binding, primitive, source, claim, receipt, profile.

use forma::FormaRecord;
use identity::Identity;
use kernels::leaf::Columns;
use kernels::wire::v1::ReceiptBundle;
use plan::Plan;
use plan::wire::v1::{Explanation, Variant};
use refusal::{Reason, Refusal, Stage};
use representation::wire::v2::{Binding, Channel, Domain, Range};
use serde_json::{Value, json};
use snapshot::Snapshot;
use snapshot::wire::v1::{Node, Source};

/// What is needed to explain anything a plan shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shown<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) record: &'a FormaRecord,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) receipts: &'a ReceiptBundle,
    pub(crate) leaf: &'a Columns,
    pub(crate) variant: &'a Variant,
}

/// One chain, from what is seen to what it rests on.
#[derive(Debug)]
pub(crate) struct Chain<'a> {
    pub(crate) explanation: &'a Explanation,
    pub(crate) binding: &'a Binding,
    pub(crate) node: &'a Node,
    pub(crate) source: &'a Source,
    /// The value of the row at hand with its unit, when a row is at hand.
    pub(crate) value: Option<String>,
}

impl<'a> Shown<'a> {
    /// Every chain of one row's marks.
    ///
    /// # Errors
    /// A [`Refusal`] when no mark has that row key.
    pub(crate) fn row(&self, key: &str) -> Result<Vec<Chain<'a>>, Refusal> {
        let Some(row_idx) = self
            .leaf
            .row_of_key(key)
            .or_else(|| self.leaf.row_of_key(&format!("row:{key}")))
        else {
            return Err(Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                format!("No mark has the row key {key}; the row may have been left out because a value is missing."),
            )
            .about(key)
            .next(format!("Keys look like {}; {} rows are drawn.", self.leaf.row_key(0), self.leaf.n_rows())));
        };
        Ok(self
            .explanations()
            .filter(|explanation| self.is_mark(explanation))
            .filter_map(|explanation| self.chain(explanation, Some(row_idx)))
            .collect())
    }

    /// Every chain of one property, named `element/channel` or by its primitive, element or channel alone.
    ///
    /// # Errors
    /// A [`Refusal`] when nothing has that name.
    pub(crate) fn property(&self, name: &str) -> Result<Vec<Chain<'a>>, Refusal> {
        let chains: Vec<Chain<'a>> = self
            .explanations()
            .filter(|explanation| {
                format!("{}/{}", explanation.element_id, explanation.property) == name
                    || explanation.element_id == name
                    || explanation.primitive_id == name
                    || explanation.binding_id.to_string() == name
            })
            .filter_map(|explanation| self.chain(explanation, None))
            .collect();
        if chains.is_empty() {
            let mut names: Vec<&str> = self
                .explanations()
                .map(|known| known.primitive_id.as_str())
                .collect();
            names.dedup();
            names.sort_unstable();
            names.dedup();
            return Err(Refusal::new(
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                format!("Nothing in variant {} is named {name}.", self.variant.name),
            )
            .about(name)
            .next(format!("Name an element/channel or one of {}.", names.join(", "))));
        }
        Ok(chains)
    }

    /// Everything the variant shows, one chain a property.
    pub(crate) fn all(&self) -> Vec<Chain<'a>> {
        self.explanations()
            .filter_map(|explanation| self.chain(explanation, None))
            .collect()
    }

    fn explanations(&self) -> impl Iterator<Item = &'a Explanation> + use<'a> {
        let (plan, variant) = (self.plan, self.variant);
        plan.body()
            .explanation_index
            .iter()
            .filter(move |entry| entry.variant == variant.name)
    }

    /// Whether it is about the marks of the rows; a legend shows categories, not this row.
    fn is_mark(&self, explanation: &Explanation) -> bool {
        self.variant
            .backend
            .elements
            .iter()
            .any(|element| element.primitive.draws_rows() && element.id == explanation.element_id)
    }

    fn chain(&self, explanation: &'a Explanation, row_idx: Option<usize>) -> Option<Chain<'a>> {
        let binding = self
            .plan
            .body()
            .bindings
            .iter()
            .find(|b| b.binding_id == explanation.binding_id)?;
        let node = snapshot::node(self.snapshot, explanation.node_id)?;
        let source = snapshot::source(self.snapshot, explanation.source_id)?;
        let value = row_idx.and_then(|row_idx| self.value(node, row_idx));
        Some(Chain {
            explanation,
            binding,
            node,
            source,
            value,
        })
    }

    fn value(&self, node: &Node, row_idx: usize) -> Option<String> {
        let column = node.producer_semantic_id.strip_prefix("column:")?;
        if let Some(values) = self.leaf.number(column) {
            let unit = node
                .descriptor
                .unit
                .as_deref()
                .map_or(String::new(), |unit| format!(" {unit}"));
            return Some(format!("{}{unit}", values.get(row_idx)?));
        }
        let (labels, codes) = self.leaf.categories(column)?;
        let code = usize::try_from(*codes.get(row_idx)?).ok()?;
        labels.get(code).cloned()
    }

    /// For the place of marks: how far a mark may lie from its row's value, at most, in the variable's unit.
    pub(crate) fn residual(&self, chain: &Chain<'_>) -> Option<f64> {
        let axis = match chain.binding.record.channel {
            Channel::PositionX => 0,
            Channel::PositionY => 1,
            Channel::PositionZ => 2,
            _ => return None,
        };
        let elements = &self.variant.backend.elements;
        let element = elements
            .iter()
            .find(|element| element.primitive.draws_rows() && element.id == chain.explanation.element_id)?;
        let points = plan::element::Points::read(element).ok()?;
        points.residuals(self.leaf).ok()?[axis]
    }

    /// The sentences of the obligations a chain carries.
    pub(crate) fn carried(&self, chain: &Chain<'_>) -> Vec<&'a str> {
        let record = self.record;
        record
            .body()
            .coverage
            .iter()
            .filter(|entry| {
                entry.variant == self.variant.name && chain.explanation.carries.contains(&entry.obligation_id)
            })
            .map(|entry| entry.sentence.as_str())
            .collect()
    }

    /// The lines people read.
    pub(crate) fn lines(&self, chain: &Chain<'_>) -> Vec<String> {
        let record = &chain.binding.record;
        let mut lines = Vec::new();
        let value = chain
            .value
            .as_ref()
            .map_or(String::new(), |value| format!(" = {value}"));
        lines.push(format!(
            "{}/{}  shows {}{value}",
            chain.explanation.element_id, chain.explanation.property, chain.node.descriptor.label
        ));
        lines.push(format!(
            "  binding    {} by {} from {} to {}",
            short(&chain.binding.binding_id),
            record.transform.id,
            domain_text(&record.domain, record.unit.as_deref()),
            range_text(&record.range)
        ));
        if let Some(residual) = self.residual(chain) {
            let unit = record
                .unit
                .as_deref()
                .map_or(String::new(), |unit| format!(" {unit}"));
            lines.push(format!(
                "  drawn      to within {}{unit} of its value, in single precision from the lower end of the domain",
                kernels::told_error(residual)
            ));
        }
        let carried = self.carried(chain);
        if carried.is_empty() {
            lines.push("  carries    nothing: it makes no claim".to_owned());
        }
        for sentence in carried {
            lines.push(format!("  carries    {sentence}"));
        }
        lines.push(format!(
            "  source     {} {} ({}), {} {}",
            chain.source.family,
            short(&chain.source.source_id),
            chain.node.epistemic_status.to_lowercase(),
            chain.node.producer_semantic_id,
            chain.node.property_path
        ));
        for evidence_use in &chain.explanation.evidence_uses {
            let receipt = self
                .receipts
                .receipts
                .iter()
                .find(|receipt| receipt.receipt_id == evidence_use.receipt_id);
            if let Some(receipt) = receipt {
                lines.push(format!("  claim      {}: {}", receipt.claim_id, receipt.estimand));
                lines.push(format!(
                    "  support    {} of {} rows",
                    receipt.sample_support.rows_used.get(),
                    receipt.sample_support.total_rows.get()
                ));
            }
            lines.push(format!(
                "  receipt    {} {}",
                evidence_use.receipt_id,
                &evidence_use.receipt_content_digest.to_string()[..19]
            ));
            lines.push(format!(
                "  profile    {} under {}",
                evidence_use.requirement_profile_id, evidence_use.admission_policy_id
            ));
        }
        lines
    }

    /// The object scripts read.
    pub(crate) fn json(&self, chain: &Chain<'_>) -> Value {
        json!({
            "explanation": serde_json::to_value(chain.explanation).unwrap_or(Value::Null),
            "binding": serde_json::to_value(&chain.binding.record).unwrap_or(Value::Null),
            "node": serde_json::to_value(chain.node).unwrap_or(Value::Null),
            "source": serde_json::to_value(chain.source).unwrap_or(Value::Null),
            "value": chain.value,
            "carries": self.carried(chain),
            "largestResidual": self.residual(chain),
        })
    }
}

/// An identity short enough for a line; the whole one is in `--json`.
pub(crate) fn short<K: identity::Kind>(id: &Identity<K>) -> String {
    id.short()
}

fn domain_text(domain: &Domain, unit: Option<&str>) -> String {
    match domain {
        Domain::Interval { min, max } => {
            format!(
                "{}–{}{}",
                min.get(),
                max.get(),
                unit.map_or(String::new(), |unit| format!(" {unit}"))
            )
        }
        Domain::Categories { labels } => labels.join(", "),
        Domain::Statement {} => "its value".to_owned(),
    }
}

fn range_text(range: &Range) -> String {
    match range {
        Range::Meters { from, to } => format!("{}–{} m", from.get(), to.get()),
        Range::Colors { values } => values.join(", "),
        Range::Shapes { values } => values.join(", "),
        Range::Lines { width } => format!("lines {} mm wide", width.get() * 1000.0),
        Range::Text { cap_height } => format!("words {} mm high", (cap_height.get() * 1000.0).round()),
    }
}
