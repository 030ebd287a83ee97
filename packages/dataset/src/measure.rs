//! Measurement models: what a column's values mean, how anybody knows, and how firmly.
//!
//! The words are those of the evidence receipts (scale and observation structure), so a receipt can quote a model
//! without translating it.

use crate::words::words;

words! {
    /// The scale of measurement.
    Scale, "scale";
    /// Nobody said and nothing shows it.
    Unknown = "unknown",
    /// Values name individuals; neither order nor distance means anything.
    Identifier = "identifier",
    /// Values name groups.
    Nominal = "nominal",
    /// Values have an order and no distance.
    Ordinal = "ordinal",
    /// Differences mean something; zero is arbitrary.
    Interval = "interval",
    /// Differences and quotients mean something; zero is nothing.
    Ratio = "ratio",
    /// How many.
    Count = "count",
    /// A part of a whole.
    Proportion = "proportion",
    /// One part of several that sum to a whole.
    Compositional = "compositional",
    /// Values wrap around.
    Circular = "circular",
    /// A point in time.
    Temporal = "temporal",
    /// A coordinate of a place.
    SpatialCoordinate = "spatialCoordinate",
}

words! {
    /// How the rows depend on each other.
    ObservationStructure, "observation structure";
    /// Nobody said; import never guesses this one.
    Unknown = "unknown",
    /// Independent and identically distributed.
    Iid = "iid",
    /// Rows belong to groups.
    Grouped = "grouped",
    /// The same individual more than once.
    RepeatedMeasures = "repeatedMeasures",
    /// In order of time.
    TemporalSequence = "temporalSequence",
    /// Placed in space.
    Spatial = "spatial",
    /// Placed in space and time.
    Spatiotemporal = "spatiotemporal",
}

words! {
    /// How firmly a statement about measurement stands; the order is the strength.
    Status, "status";
    /// Read off names and values by a stated rule; may be wrong.
    Inferred = "inferred",
    /// Said by the person who imported.
    Declared = "declared",
    /// Said and checked against the origin of the data.
    Confirmed = "confirmed",
}

words! {
    /// Whose vocabulary a unit is written in.
    UnitSystem, "unit system";
    /// The case-sensitive codes of the Unified Code for Units of Measure.
    Ucum = "UCUM",
    /// As the file or the person wrote it.
    AsWritten = "AS_WRITTEN",
}

words! {
    /// What a statement about measurement rests on.
    BasisSource, "basis source";
    /// The column's name.
    ColumnName = "columnName",
    /// The column's values.
    CellValues = "cellValues",
    /// Somebody's statement.
    Declaration = "declaration",
}

/// One reason for a statement about measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    pub(crate) source: BasisSource,
    pub(crate) rationale: String,
}

impl Basis {
    pub(crate) fn new(source: BasisSource, rationale: impl Into<String>) -> Self {
        let rationale = rationale.into();
        Self { source, rationale }
    }

    /// What it rests on.
    #[must_use]
    pub fn source(&self) -> BasisSource {
        self.source
    }

    /// Why that leads to the statement, in a sentence.
    #[must_use]
    pub fn rationale(&self) -> &str {
        &self.rationale
    }
}

/// A unit of measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub(crate) text: String,
    pub(crate) system: UnitSystem,
    pub(crate) written: String,
    pub(crate) status: Status,
}

impl Unit {
    /// The unit's code: UCUM where [`Unit::system`] says so, else as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whose vocabulary [`Unit::text`] is in.
    #[must_use]
    pub fn system(&self) -> UnitSystem {
        self.system
    }

    /// How the file or the person wrote it; what an axis label shows.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// How firmly the unit stands, apart from the scale.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }
}

/// What a column's values mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasurementModel {
    pub(crate) scale: Scale,
    pub(crate) observation_structure: ObservationStructure,
    pub(crate) unit: Option<Unit>,
    pub(crate) status: Status,
    pub(crate) basis: Vec<Basis>,
}

impl MeasurementModel {
    /// The scale of measurement.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// How the rows depend on each other.
    #[must_use]
    pub fn observation_structure(&self) -> ObservationStructure {
        self.observation_structure
    }

    /// The unit; `None` when nobody named one, which is not the same as dimensionless.
    #[must_use]
    pub fn unit(&self) -> Option<&Unit> {
        self.unit.as_ref()
    }

    /// How firmly the model stands as a whole: the weaker of scale and unit.
    #[must_use]
    pub fn status(&self) -> Status {
        match &self.unit {
            Some(unit) => self.status.min(unit.status),
            None => self.status,
        }
    }

    /// How firmly the scale stands, apart from the unit.
    #[must_use]
    pub fn scale_status(&self) -> Status {
        self.status
    }

    /// The reasons, scale first.
    #[must_use]
    pub fn basis(&self) -> &[Basis] {
        &self.basis
    }
}
