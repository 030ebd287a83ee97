//! The closed predicates, each with its mechanical checker: does this binding really carry that obligation?
//!
//! Mechanical coverage says that the meaning is in the picture. Whether people can read it is another question, and
//! [`crate::bindings`] asks it.

use std::collections::BTreeMap;

use identity::{Identity, SafeInteger};
use kernels::leaf::Columns;
use knowledge::wire::v1::DeviceCapability;
use obligations::wire::v1::{Obligation, Predicate};
use representation::wire::v2::{
    BindingRecord, Channel, Domain, Placement, Primitive, PrimitiveKind, Range, Semantic,
};
use representation::{BindingKind, TransformKind, ticks, volume};
use snapshot::wire::v1::{Node, Provenance, Source, Value};

use crate::FormaInput;
use crate::demand::demand;
use crate::said::{Said, as_written};

/// Verbs that have a working handler in this program; a promised detail needs one of them.
#[must_use]
pub fn supports_route(verb: &str) -> bool {
    verb == "EXPLAIN"
}

/// One binding offered for one obligation on one device.
pub(crate) struct Offer<'a> {
    pub(crate) input: &'a FormaInput<'a>,
    pub(crate) obligation: &'a Obligation,
    pub(crate) primitive: &'a Primitive,
    pub(crate) binding: &'a BindingRecord,
    pub(crate) device: &'a DeviceCapability,
    /// Least and greatest value of each column of numbers.
    pub(crate) spans: &'a Spans<'a>,
    /// What the compiled picture says; absent when there is none.
    pub(crate) said: Option<&'a Said<'a>>,
    /// The binding's identity.
    pub(crate) binding_id: Identity<BindingKind>,
}

/// Least and greatest value of each column of numbers.
pub(crate) type Spans<'a> = BTreeMap<&'a str, (f64, f64)>;

/// The least part of the volume's edge that values must take for their order to be seen.
const LEAST_PART: f64 = 0.1;

/// Least and greatest value of each column of numbers.
pub(crate) fn spans(leaf: &Columns) -> Spans<'_> {
    leaf.columns()
        .iter()
        .filter_map(|column| {
            let values = leaf.number(column.name())?;
            let (first, rest) = values.split_first()?;
            let ends = rest.iter().fold((*first, *first), |(min, max), value| {
                (min.min(*value), max.max(*value))
            });
            Some((column.name(), ends))
        })
        .collect()
}

/// Least and greatest value of a property, over all columns that hold it.
pub(crate) fn span_of(source: &Source, node: &Node, spans: &Spans<'_>) -> Option<(f64, f64)> {
    let drawn = kernels::in_leaf(&source.family, &node.producer_semantic_id, &node.property_path)?;
    let ends = drawn
        .columns
        .iter()
        .filter_map(|column| spans.get(column.as_str()));
    ends.copied()
        .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
}

/// The values themselves take a fair part of the volume's edge: an axis that is squashed, or drawn for values that do
/// not occur, shows no order. Values that are all alike, or nearly, have none to show.
pub(crate) fn spread(record: &BindingRecord, node: &Node, span: Option<(f64, f64)>) -> Result<(), String> {
    let Some((min, max)) = span else {
        return Ok(());
    };
    if matches!(ticks::domain(min, max, ticks::TARGET), Ok((_, Some(_)))) {
        return Ok(());
    }
    let place = |value: f64| {
        TransformKind::of(&record.transform)
            .and_then(|kind| kind.apply(&record.domain, &record.range, value))
            .map_err(|error| error.to_string())
    };
    let part = (place(max)? - place(min)?).abs() / volume::EDGE;
    if part < LEAST_PART {
        return Err(format!(
            "the values of {} take {part:.6} of the volume's edge; their order needs {LEAST_PART}",
            node.descriptor.label
        ));
    }
    Ok(())
}

/// How many rows a source left out.
fn left_out(provenance: &Provenance) -> SafeInteger {
    let rows = provenance
        .excluded
        .iter()
        .map(|exclusion| exclusion.row_count.get())
        .sum();
    SafeInteger::new(rows).unwrap_or(provenance.total_rows)
}

/// The numbers of an interval or an error, as they would have to be written.
fn ends(node: &Node) -> Vec<String> {
    match &node.value {
        Some(Value::Interval(lower, upper)) => vec![ticks::plain(lower.get()), ticks::plain(upper.get())],
        Some(Value::Number(number)) => vec![ticks::plain(number.get())],
        Some(Value::Text(_)) | None => Vec::new(),
    }
}

impl Offer<'_> {
    /// Whether the binding mechanically carries the obligation; the error says what is wrong.
    pub(crate) fn holds(&self) -> Result<(), String> {
        let node = self.node()?;
        let predicate = self.obligation.requirement_predicate_ref.predicate;
        match predicate {
            Predicate::Order | Predicate::Sequence => self
                .same_node(node)
                .and_then(|()| self.monotone())
                .and_then(|()| self.spread(node)),
            Predicate::Difference => self
                .same_node(node)
                .and_then(|()| self.linear_position())
                .and_then(|()| self.spread(node)),
            Predicate::Ratio => self.same_node(node).and_then(|()| self.starts_at_zero()),
            Predicate::Units => self.same_node(node).and_then(|()| self.states_unit(node)),
            Predicate::Support => self
                .says(node, predicate)
                .and_then(|()| self.written(&self.counts(node, |it| vec![it.rows_used, it.total_rows]))),
            Predicate::Missingness => self
                .says(node, predicate)
                .and_then(|()| self.written(&self.counts(node, |it| vec![left_out(it)]))),
            Predicate::Uncertainty => self
                .says(node, predicate)
                .and_then(|()| self.same_column(node))
                .and_then(|()| self.written(&ends(node))),
            Predicate::Approximation | Predicate::EpistemicStatus | Predicate::DetailAvailable => {
                self.says(node, predicate)
            }
            Predicate::Limitation => self
                .same_source(node)
                .and_then(|()| self.legible())
                .and_then(|()| self.limitations()),
            Predicate::Unavailability => self.says_what_is_not_there(node),
            Predicate::Identity => self.marks_rows(),
            Predicate::Membership => self.same_node(node).and_then(|()| self.marks_groups()),
            Predicate::Relation => self.same_source(node).and_then(|()| self.marks_rows()),
        }
    }

    fn node(&self) -> Result<&Node, String> {
        let Semantic::Grounded {
            node_id,
            property_path,
            source_id,
            status,
        } = &self.binding.semantic
        else {
            return Err("a conjectural binding carries no obligation".to_owned());
        };
        let node = self
            .input
            .snapshot
            .body()
            .nodes
            .iter()
            .find(|node| &node.node_id == node_id)
            .ok_or_else(|| format!("the binding points at {node_id}, which the snapshot does not hold"))?;
        if &node.source_id != source_id
            || &node.property_path != property_path
            || &node.epistemic_status != status
        {
            return Err(format!(
                "the binding describes {node_id} differently than the snapshot does"
            ));
        }
        Ok(node)
    }

    fn same_node(&self, node: &Node) -> Result<(), String> {
        match &self.obligation.semantic_source_ref.node_id {
            Some(meant) if meant == &node.node_id => Ok(()),
            Some(_) => Err(format!(
                "it shows {}, the obligation is about another property",
                node.descriptor.label
            )),
            None => self.same_source(node),
        }
    }

    fn same_source(&self, node: &Node) -> Result<(), String> {
        if node.source_id == self.obligation.semantic_source_ref.source_id {
            Ok(())
        } else {
            Err(format!("it shows {} of another analysis", node.descriptor.label))
        }
    }

    /// Position, length or luminance through a strictly increasing transform over a range that is not a point.
    fn monotone(&self) -> Result<(), String> {
        if !matches!(
            self.binding.channel,
            Channel::PositionX
                | Channel::PositionY
                | Channel::PositionZ
                | Channel::Length
                | Channel::Luminance
        ) {
            return Err(format!("channel {:?} has no order", self.binding.channel));
        }
        if self.binding.order_constraint != "INCREASING" && self.binding.order_constraint != "DECREASING" {
            return Err("the binding does not promise an order".to_owned());
        }
        let monotone = matches!(
            self.binding.transform.id.as_str(),
            "linear" | "log10" | "sqrt" | "symlog"
        );
        if !monotone {
            return Err(format!(
                "transform {} does not keep order",
                self.binding.transform.id
            ));
        }
        match (&self.binding.domain, &self.binding.range) {
            (Domain::Interval { min, max }, Range::Meters { from, to })
                if min.get() < max.get() && (from.get() - to.get()).abs() > 0.0 =>
            {
                Ok(())
            }
            _ => Err("its domain or range has no extent".to_owned()),
        }
    }

    /// The values themselves take a fair part of the volume's edge.
    fn spread(&self, node: &Node) -> Result<(), String> {
        let source = snapshot::source(self.input.snapshot, node.source_id);
        let span = source.and_then(|source| span_of(source, node, self.spans));
        spread(self.binding, node, span)
    }

    fn linear_position(&self) -> Result<(), String> {
        self.monotone()?;
        if self.binding.transform.id == "linear" {
            Ok(())
        } else {
            Err(format!(
                "transform {} does not keep differences",
                self.binding.transform.id
            ))
        }
    }

    fn starts_at_zero(&self) -> Result<(), String> {
        self.linear_position()?;
        match &self.binding.domain {
            Domain::Interval { min, .. } if self.binding.channel == Channel::Length && min.get() == 0.0 => {
                Ok(())
            }
            _ => Err("a ratio needs a length that starts at zero".to_owned()),
        }
    }

    fn states_unit(&self, node: &Node) -> Result<(), String> {
        self.legible()?;
        if self.binding.unit == node.descriptor.unit {
            let unit = node.descriptor.unit.as_deref();
            self.written(&[unit.unwrap_or("no unit stated").to_owned()])
        } else {
            Err(format!(
                "it states the unit {:?}, the data has {:?}",
                self.binding.unit, node.descriptor.unit
            ))
        }
    }

    /// Legible words bound to what the predicate asks for.
    fn says(&self, node: &Node, predicate: Predicate) -> Result<(), String> {
        self.same_source(node)?;
        self.legible()?;
        let paths = demand(predicate).paths;
        if paths.contains(&node.property_path.as_str()) {
            Ok(())
        } else {
            Err(format!(
                "it states {}, not {}",
                node.property_path,
                paths.join(" or ")
            ))
        }
    }

    /// What is said of a statistic is said of the same column.
    fn same_column(&self, node: &Node) -> Result<(), String> {
        let meant = self.obligation.semantic_source_ref.node_id;
        let meant = meant.and_then(|id| snapshot::node(self.input.snapshot, id));
        match meant {
            Some(meant) if meant.producer_semantic_id != node.producer_semantic_id => Err(format!(
                "it is about {}, the obligation about {}",
                node.descriptor.label, meant.descriptor.label
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Counts of the node's source, as they would have to be written.
    fn counts(&self, node: &Node, of: impl Fn(&Provenance) -> Vec<SafeInteger>) -> Vec<String> {
        let source = snapshot::source(self.input.snapshot, node.source_id);
        let provenance = source.and_then(|source| source.provenance.as_ref());
        let counts = provenance.map(of).unwrap_or_default();
        counts.into_iter().map(|count| count.get().to_string()).collect()
    }

    /// The words that show the binding in the compiled picture contain each text.
    fn written(&self, texts: &[String]) -> Result<(), String> {
        let Some(said) = self.said.filter(|said| said.shows(self.binding_id)) else {
            return Ok(());
        };
        match texts.iter().find(|text| !said.says(self.binding_id, text)) {
            Some(text) => Err(format!("the compiled picture does not say {text} there")),
            None => Ok(()),
        }
    }

    /// The compiled picture says each limitation that must be exposed, in its owner's words.
    fn limitations(&self) -> Result<(), String> {
        let Some(said) = self.said else { return Ok(()) };
        let snapshot = self.input.snapshot.body();
        let owed = snapshot.limitations.iter().filter(|limitation| {
            limitation.source_id == self.obligation.semantic_source_ref.source_id
                && self.obligation.limitations_to_expose.contains(&limitation.code)
        });
        for limitation in owed {
            if !said.says_anywhere(&as_written(&limitation.description, snapshot)) {
                return Err(format!(
                    "the compiled picture does not say \"{}\"",
                    limitation.description
                ));
            }
        }
        Ok(())
    }

    /// Text is carried when it is large enough to read on this device.
    fn legible(&self) -> Result<(), String> {
        let Range::Text { cap_height } = &self.binding.range else {
            return Err("it is not text".to_owned());
        };
        if self.binding.channel != Channel::Text {
            return Err(format!("channel {:?} is not text", self.binding.channel));
        }
        let least = self.device.min_cap_height.get();
        if cap_height.get() < least {
            return Err(format!(
                "its letters are {} m high, {:?} needs {} m",
                cap_height.get(),
                self.device.device,
                least
            ));
        }
        Ok(())
    }

    /// What is not there has no node of its own: the caveat board says it beside the keys of the rows that are there.
    fn says_what_is_not_there(&self, node: &Node) -> Result<(), String> {
        if self.primitive.placement == Placement::CaveatBoard && node.property_path == "rowKeys" {
            self.legible()
        } else {
            Err("only the caveat board says what is not there".to_owned())
        }
    }

    fn marks_rows(&self) -> Result<(), String> {
        let in_field = matches!(
            self.primitive.placement,
            Placement::Volume | Placement::WallXy | Placement::WallXz | Placement::WallZy
        );
        if self.primitive.kind == PrimitiveKind::PointIdentity && in_field {
            Ok(())
        } else {
            Err("it does not draw one mark a row".to_owned())
        }
    }

    fn marks_groups(&self) -> Result<(), String> {
        match (&self.binding.channel, &self.binding.domain) {
            (Channel::Hue | Channel::Shape, Domain::Categories { labels }) if labels.len() <= 8 => {
                self.marks_rows()
            }
            (Channel::Text, Domain::Categories { .. }) => self.legible(),
            _ => Err("it does not tell groups apart".to_owned()),
        }
    }
}
