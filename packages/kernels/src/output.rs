//! What an analysis gives, one property at a time: enough for a reader who knows no family.
//!
//! A [`Slot`] follows from the request alone, so a record can be checked to be complete without running anything. An
//! [`Output`] fills a slot with a value, with a place where the values stand, or with the reason why there is none.

use dataset::{Column, Dataset, Scale};
use identity::{Finite, SafeInteger};

/// The producer of what is said about a row projection as a whole.
pub const PROJECTION: &str = "projection";

/// The producer of what is said about a column: `column:` and the name as written.
#[must_use]
pub fn column_producer(column: &str) -> String {
    format!("column:{column}")
}

/// What form a property has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A lower and an upper bound.
    Interval,
    /// One number.
    Number,
    /// One text.
    Text,
    /// Many values, in the content or in the leaf.
    Vector,
}

impl Shape {
    /// The word in a descriptor's `valueType`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Interval => "interval",
            Self::Number => "number",
            Self::Text => "string",
            Self::Vector => "vector",
        }
    }
}

/// A property that an answered request has, whatever its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot {
    /// Who says it: `column:<name>`, `projection` or another producer of the family's table.
    pub producer: String,
    /// What is said.
    pub path: String,
    /// In what form.
    pub shape: Shape,
    /// Whether it stands in the data as it is (`OBSERVED`) or was computed (`DERIVED`).
    pub observed: bool,
}

impl Slot {
    /// A computed property.
    pub(crate) fn derived(producer: impl Into<String>, path: impl Into<String>, shape: Shape) -> Self {
        Self {
            producer: producer.into(),
            path: path.into(),
            shape,
            observed: false,
        }
    }

    /// A property that stands in the data.
    pub(crate) fn observed(producer: impl Into<String>, path: impl Into<String>, shape: Shape) -> Self {
        Self {
            observed: true,
            ..Self::derived(producer, path, shape)
        }
    }
}

/// What an answer says of the rows of its leaf as a whole: their keys, and how many rows of the dataset stand behind them.
pub(crate) fn support_slots(producer: &str) -> [Slot; 4] {
    [
        Slot::derived(producer, "rowKeys", Shape::Vector),
        Slot::derived(producer, "rowsUsed", Shape::Number),
        Slot::derived(producer, "rowsExcluded", Shape::Number),
        Slot::derived(producer, "totalRows", Shape::Number),
    ]
}

/// Fills [`support_slots`].
pub(crate) fn support(producer: &str, used: SafeInteger, total: SafeInteger) -> [Output; 4] {
    let excluded = SafeInteger::new(total.get() - used.get()).unwrap_or(total);
    let counted = |label: &str, n| (Measure::counted(label), Filled::count(n));
    let filled = [
        (
            Measure::bare("keys of the marks", Scale::Identifier),
            Filled::InLeaf,
        ),
        counted("rows used", used),
        counted("rows excluded", excluded),
        counted("rows in the dataset", total),
    ];
    let mut filled = filled.into_iter();
    support_slots(producer).map(|slot| {
        let (measure, filled) = filled.next().expect("four of each");
        Output::new(slot, measure, filled)
    })
}

/// What a property is measured in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measure {
    /// The label people read; a column's name as written where the property is about a column.
    pub label: String,
    /// Unit text and its standing: `inferred`, `declared`, `confirmed`.
    pub unit: Option<(String, String)>,
    /// Scale of measurement.
    pub scale: Option<Scale>,
    /// Frame of reference, such as `layout`, when there is one.
    pub frame: Option<String>,
}

impl Measure {
    /// In a column's unit, on its scale.
    pub(crate) fn of(column: &Column) -> Self {
        let unit = column.model().unit();
        Self {
            label: column.name().to_owned(),
            unit: unit.map(|unit| (unit.text().to_owned(), unit.status().word().to_owned())),
            scale: Some(column.model().scale()),
            frame: None,
        }
    }

    /// As [`Measure::of`] for a column by name; without unit when there is no such column.
    #[must_use]
    pub fn of_named(dataset: &Dataset, column: &str) -> Self {
        dataset
            .column(column)
            .map_or_else(|| Self::bare(column, Scale::Unknown), Self::of)
    }

    /// Without a unit: counts, identifiers, quantities without dimension.
    pub(crate) fn bare(label: impl Into<String>, scale: Scale) -> Self {
        Self {
            label: label.into(),
            unit: None,
            scale: Some(scale),
            frame: None,
        }
    }

    /// A count of rows, which is a unit that nobody has to state.
    pub(crate) fn counted(label: impl Into<String>) -> Self {
        Self::bare(label, Scale::Count).in_unit(Some(("rows".to_owned(), "confirmed".to_owned())))
    }

    /// The same under another label.
    pub(crate) fn labeled(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same in a unit made from the column's, such as `mm/g`; nothing when a unit in it is unknown.
    pub(crate) fn in_unit(mut self, unit: Option<(String, String)>) -> Self {
        self.unit = unit;
        self
    }

    /// The same in a frame of reference.
    pub(crate) fn in_frame(mut self, frame: impl Into<String>) -> Self {
        self.frame = Some(frame.into());
        self
    }
}

/// What stands in a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Filled {
    /// A number in the measure's unit.
    Number(Finite),
    /// An interval in the measure's unit, lower first.
    Interval(Finite, Finite),
    /// A text.
    Text(String),
    /// Many values, in the content.
    InContent,
    /// Many values, in the leaf.
    InLeaf,
    /// Nothing, and why.
    Absent(&'static str),
}

impl Filled {
    /// The number, or the reason why there is none.
    pub(crate) fn number(value: Option<Finite>, otherwise: &'static str) -> Self {
        value.map_or(Self::Absent(otherwise), Self::Number)
    }

    /// A count.
    pub(crate) fn count(value: SafeInteger) -> Self {
        Self::Number(value.into())
    }
}

/// A filled slot.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Which property.
    pub slot: Slot,
    /// What it is measured in.
    pub measure: Measure,
    /// What stands there.
    pub filled: Filled,
}

impl Output {
    pub(crate) fn new(slot: Slot, measure: Measure, filled: Filled) -> Self {
        Self {
            slot,
            measure,
            filled,
        }
    }
}
