//! What an analysis found and on what it rests, as people and scripts read it.

use evidence::{INFERENTIAL_CLAIM, ProfileRegistry, Standing};
use kernels::wire::v1::{MeasurementContext, Receipt};
use kernels::{Filled, Measure, Output, Shape, Slot};
use serde_json::{Value, json};
use snapshot::wire::v1::{Node, State};

/// How a receipt stands under the profile of inferential claims, which no consumer is governed by.
pub(crate) fn inferential(receipt: &Receipt) -> Option<Standing> {
    let registry = ProfileRegistry::forma_v1();
    Some(evidence::standing(receipt, registry.get(INFERENTIAL_CLAIM)?))
}

/// The same for scripts.
pub(crate) fn standing_json(standing: &Standing) -> Value {
    let lacking = standing.lacking().iter();
    json!({
        "requirementProfileId": standing.profile_id(),
        "satisfied": standing.is_satisfied(),
        "claim": standing.claim().word(),
        "lacking": lacking
            .map(|lacking| json!({ "what": lacking.sentence(), "wayOut": lacking.way_out() }))
            .collect::<Vec<_>>(),
    })
}

/// Properties under their producers, each with the digits that it has.
pub(crate) fn output_lines(outputs: &[Output]) -> Vec<String> {
    let width = outputs
        .iter()
        .map(|output| output.slot.path.chars().count())
        .max();
    let width = width.unwrap_or(0).min(40);
    let mut lines = Vec::new();
    let mut producer = "";
    for output in outputs {
        if output.slot.producer != producer {
            producer = &output.slot.producer;
            lines.push(format!("  {producer}"));
        }
        let path = &output.slot.path;
        lines.push(format!("    {path:<width$}  {}", said(output, outputs)));
    }
    lines
}

/// A property's value with its unit, or where its values are.
pub(crate) fn said(output: &Output, all: &[Output]) -> String {
    let Some(told) = kernels::told(output, all) else {
        let place = match output.filled {
            Filled::InContent => "in the content (--json shows them)",
            Filled::InLeaf => "in the values by key (--json shows them)",
            Filled::Number(_) | Filled::Interval(..) | Filled::Text(_) | Filled::Absent(_) => "",
        };
        return format!("many values, {place}");
    };
    match (&output.filled, &output.measure.unit) {
        (Filled::Number(_) | Filled::Interval(..), Some((unit, standing))) if standing == "inferred" => {
            format!("{told} {unit} (unit inferred)")
        }
        (Filled::Number(_) | Filled::Interval(..), Some((unit, _))) => format!("{told} {unit}"),
        _ => told,
    }
}

/// A property for scripts: all digits.
pub(crate) fn output_json(output: &Output, all: &[Output]) -> Value {
    let value = match &output.filled {
        Filled::Number(number) => json!(number),
        Filled::Interval(lower, upper) => json!([lower, upper]),
        Filled::Text(text) => json!(text),
        Filled::InContent | Filled::InLeaf | Filled::Absent(_) => Value::Null,
    };
    let state = match &output.filled {
        Filled::InContent => "IN_CONTENT",
        Filled::InLeaf => "IN_LEAF",
        Filled::Absent(_) => "ABSENT",
        Filled::Number(_) | Filled::Interval(..) | Filled::Text(_) => "AVAILABLE",
    };
    json!({
        "producer": output.slot.producer,
        "property": output.slot.path,
        "label": output.measure.label,
        "unit": output.measure.unit.as_ref().map(|(unit, _)| unit),
        "unitStatus": output.measure.unit.as_ref().map(|(_, standing)| standing),
        "value": value,
        "state": state,
        "told": said(output, all),
    })
}

/// A node of a snapshot as the property that it came from, so that it is told with the same digits.
pub(crate) fn output_of(node: &Node) -> Output {
    let filled = match (&node.value, &node.state) {
        (Some(snapshot::wire::v1::Value::Number(number)), _) => Filled::Number(*number),
        (Some(snapshot::wire::v1::Value::Interval(lower, upper)), _) => Filled::Interval(*lower, *upper),
        (Some(snapshot::wire::v1::Value::Text(text)), _) => Filled::Text(text.clone()),
        (None, State::Available {}) => Filled::InLeaf,
        (None, State::Unavailable { .. } | State::Refused { .. }) => Filled::Absent("the analysis says why"),
    };
    let shape = [Shape::Interval, Shape::Number, Shape::Text, Shape::Vector]
        .into_iter()
        .find(|shape| shape.word() == node.descriptor.value_type);
    let scale = node.descriptor.scale.as_deref();
    let unit = node
        .descriptor
        .unit
        .clone()
        .zip(node.descriptor.unit_status.clone());
    Output {
        slot: Slot {
            producer: node.producer_semantic_id.clone(),
            path: node.property_path.clone(),
            shape: shape.unwrap_or(Shape::Text),
            observed: node.epistemic_status == "OBSERVED",
        },
        measure: Measure {
            label: node.descriptor.label.clone(),
            unit,
            scale: (scale == Some("count")).then_some(dataset::Scale::Count),
            frame: node.descriptor.frame.clone(),
        },
        filled,
    }
}

/// A receipt, line by line: what it says of whom, on what it rests, how it stands.
pub(crate) fn receipt_lines(receipt: &Receipt) -> Vec<String> {
    let mut lines = vec![receipt.receipt_id.clone()];
    let mut pair = |label: &str, text: String| lines.push(format!("  {label:<14} {text}"));
    pair("says", receipt.estimand.clone());
    let support = &receipt.sample_support;
    let left_out: Vec<String> = support
        .exclusion_reasons
        .iter()
        .map(|reason| format!("{} left out, {}", reason.row_count.get(), reason.reason))
        .collect();
    let left_out = if left_out.is_empty() {
        "none left out".to_owned()
    } else {
        left_out.join("; ")
    };
    pair(
        "support",
        format!(
            "{} of {} rows; {left_out}",
            support.rows_used.get(),
            support.total_rows.get()
        ),
    );
    pair(
        "measured",
        match &receipt.measurement_context {
            MeasurementContext::NotEstablished {} => "nobody said what the columns measure".to_owned(),
            MeasurementContext::Established { records, .. } => {
                let each = records.iter().map(|record| {
                    let model = &record.model;
                    format!(
                        "{} {} ({}; rows {})",
                        model.column, model.scale, record.status, model.observation_structure
                    )
                });
                each.collect::<Vec<_>>().join(", ")
            }
        },
    );
    if let Some(geometry) = &receipt.geometry {
        let how = if geometry.transformations.is_empty() {
            "untransformed".to_owned()
        } else {
            geometry.transformations.join(", ")
        };
        pair("metric", format!("{}, {how}", geometry.metric));
    }
    pair(
        "uncertainty",
        match &receipt.uncertainty {
            None => "none stated".to_owned(),
            Some(uncertainty) => {
                let (lower, upper) = (uncertainty.lower, uncertainty.upper);
                let interval = if lower.or(upper).is_none() {
                    String::new()
                } else {
                    let value = |one: identity::Finite| one.get();
                    format!(": {}", kernels::told_interval(lower.map(value), upper.map(value)))
                };
                let error = uncertainty.standard_error.map_or_else(String::new, |error| {
                    format!(", standard error {}", kernels::told_error(error.get()))
                });
                format!("{}{interval}{error}", uncertainty.method)
            }
        },
    );
    if let Some(stability) = &receipt.stability {
        pair(
            "stability",
            format!(
                "{} in {} repetitions of {}",
                kernels::told_error(stability.score.get()),
                stability.repetitions.get(),
                stability.method
            ),
        );
    }
    for sensitivity in &receipt.sensitivity {
        let changed = if sensitivity.materially_changed {
            "the answer changes"
        } else {
            "the answer does not change materially"
        };
        pair(
            "sensitivity",
            format!(
                "{} at {}: {changed}",
                sensitivity.factor,
                sensitivity.tested_values.join(", ")
            ),
        );
    }
    for assumption in &receipt.assumptions {
        pair(
            "assumption",
            format!(
                "{}: {} ({})",
                assumption.status, assumption.assumption, assumption.detail
            ),
        );
    }
    for limitation in &receipt.limitations {
        pair("limitation", limitation.clone());
    }
    let method = &receipt.method_provenance;
    let parameters: Vec<String> = method
        .parameters
        .iter()
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    pair(
        "method",
        format!(
            "{} {}, {}; {}",
            method.method,
            method.method_version,
            method.kernel_version,
            parameters.join(", ")
        ),
    );
    if let Some(standing) = inferential(receipt) {
        pair(
            "as inference",
            format!("{}: {}", standing.profile_id(), standing.sentence()),
        );
        if let Some(first) = standing.lacking().first() {
            pair("", first.way_out().to_owned());
        }
    }
    lines
}

/// A receipt for scripts, with how it stands.
pub(crate) fn receipt_json(receipt: &Receipt) -> Value {
    json!({
        "receipt": serde_json::to_value(receipt).unwrap_or(Value::Null),
        "digest": identity::canonical::digest(receipt).ok().map(|digest| digest.to_string()),
        "inferentialClaim": inferential(receipt).as_ref().map(standing_json),
    })
}
