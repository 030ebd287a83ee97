//! Obligations as people read them: what must stay readable, in the words of the data.

use snapshot::wire::v1::{Node, Source, State};
use snapshot::{Snapshot, SnapshotView as _};

use crate::wire::v1::{Class, Obligation, Predicate};

/// One obligation in a sentence, with the names, units and counts of the snapshot it is about.
#[must_use]
pub fn sentence(obligation: &Obligation, snapshot: &Snapshot) -> String {
    let meant = &obligation.semantic_source_ref;
    let node = meant.node_id.and_then(|node_id| snapshot.node(node_id));
    let source = snapshot.source(meant.source_id);
    let words = Words {
        node,
        source,
        property: &obligation.property_or_relation,
    };
    let meaning = words.meaning(obligation);
    match (obligation.class, &obligation.activation) {
        (Class::Progressive, Some(route)) => format!("{meaning} must be told on request. {}", route.sentence),
        (Class::MustPreserve | Class::Progressive, _) => format!("{meaning} must stay readable."),
        (Class::Optional, _) => format!("{meaning} may be left out, and then it is recorded as left out."),
    }
}

struct Words<'a> {
    node: Option<&'a Node>,
    source: Option<&'a Source>,
    property: &'a str,
}

impl Words<'_> {
    fn meaning(&self, obligation: &Obligation) -> String {
        let label = self.label();
        match obligation.requirement_predicate_ref.predicate {
            Predicate::Order => format!("Which of two rows has the greater {label}{}", self.in_unit()),
            Predicate::Ratio => format!("How many times greater one {label} is than another"),
            Predicate::Difference => format!("How far apart two values of {label} lie{}", self.in_unit()),
            Predicate::Identity => "Which row a mark stands for".to_owned(),
            Predicate::Membership => format!("Which {label} a row belongs to"),
            Predicate::Relation => format!("Which values of {} belong to one row", self.columns()),
            Predicate::Sequence => format!("What comes before what in {label}"),
            Predicate::Units => self.units(&label),
            Predicate::Support => self.support(&label),
            Predicate::Missingness => self.missingness(&label),
            Predicate::Uncertainty => format!("How uncertain {} of {label} is", self.property_words()),
            Predicate::Approximation => self.approximation(),
            Predicate::Limitation => format!(
                "What {} can't say ({})",
                self.whole(),
                obligation
                    .limitations_to_expose
                    .join(", ")
                    .to_lowercase()
                    .replace('_', " ")
            ),
            Predicate::Unavailability => self.unavailability(),
            Predicate::DetailAvailable => format!("That more can be asked about {label}"),
            Predicate::EpistemicStatus => match self.node {
                Some(node) => format!(
                    "That {label} is {}, not conjectured,",
                    node.epistemic_status.to_lowercase()
                ),
                None => format!("Whether {label} is observed, derived or conjectured"),
            },
        }
    }

    fn label(&self) -> String {
        self.node
            .map_or_else(|| self.whole(), |node| node.descriptor.label.clone())
    }

    fn unit(&self) -> Option<&str> {
        self.node.and_then(|node| node.descriptor.unit.as_deref())
    }

    fn in_unit(&self) -> String {
        self.unit()
            .map(|unit| format!(", in {unit},"))
            .unwrap_or_default()
    }

    fn units(&self, label: &str) -> String {
        let inferred = self
            .node
            .is_some_and(|node| node.descriptor.unit_status.as_deref() == Some("inferred"));
        match self.unit() {
            None => format!("That no unit is stated for {label}"),
            Some(unit) if inferred => {
                format!("That {label} is measured in {unit}, a unit inferred from its name,")
            }
            Some(unit) => format!("That {label} is measured in {unit}"),
        }
    }

    fn support(&self, label: &str) -> String {
        match self.source.and_then(|source| source.provenance.as_ref()) {
            Some(provenance) => {
                let (used, total) = (i64::from(provenance.rows_used), i64::from(provenance.total_rows));
                format!("That {used} of {} stand behind {label}", rows(total))
            }
            None => format!("How many rows stand behind {label}"),
        }
    }

    fn missingness(&self, label: &str) -> String {
        let Some(provenance) = self.source.and_then(|source| source.provenance.as_ref()) else {
            return format!("Which rows were left out of {label}");
        };
        let left_out: i64 = provenance
            .excluded
            .iter()
            .map(|exclusion| i64::from(exclusion.row_count))
            .sum();
        if left_out == 0 {
            return format!("That no row was left out of {label}");
        }
        let by_reason: Vec<String> = provenance
            .excluded
            .iter()
            .map(|exclusion| format!("{} {}", i64::from(exclusion.row_count), exclusion.reason))
            .collect();
        let verb = if left_out == 1 { "was" } else { "were" };
        format!(
            "That {} {verb} left out of {label} ({})",
            rows(left_out),
            by_reason.join(", ")
        )
    }

    fn property_words(&self) -> String {
        match self.property {
            "mean" => "the mean".to_owned(),
            other => format!("the {other}"),
        }
    }

    fn approximation(&self) -> String {
        let approximation = self.source.and_then(|source| source.provenance.as_ref());
        let how = approximation.map_or("", |provenance| provenance.approximation.as_str());
        match how {
            "EXACT" => format!(
                "That {} are exact, neither binned nor sampled nor estimated,",
                self.whole()
            ),
            "" => format!("Whether {} are exact", self.whole()),
            other => format!("That {} are {}, not exact,", self.whole(), other.to_lowercase()),
        }
    }

    fn unavailability(&self) -> String {
        let why = match self.source.map(|source| &source.state) {
            Some(State::Unavailable { reason }) => format!(" ({reason})"),
            Some(State::Refused { owning_reason }) => format!(" (refused: {owning_reason})"),
            Some(State::Available {}) | None => String::new(),
        };
        format!("That {} were asked for and are not there{why}", self.whole())
    }

    /// A source by what it is: `the rows of a, b`.
    fn whole(&self) -> String {
        let family = self.source.map_or("values", |source| source.family.as_str());
        format!("the {family} of {}", self.columns())
    }

    fn columns(&self) -> String {
        let named = self.source.map(|source| source.request.columns());
        match named {
            None => "the data".to_owned(),
            Some([]) => "the links".to_owned(),
            Some(columns) => columns.join(", "),
        }
    }
}

fn rows(count: i64) -> String {
    if count == 1 {
        "1 row".to_owned()
    } else {
        format!("{count} rows")
    }
}
