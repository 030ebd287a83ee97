//! What the numbers can't say: closed codes with the sentence people read.

use std::fmt;

/// The closed vocabulary of limitations that this kernel states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitationCode {
    /// An association, which is no cause.
    AssociationOnly,
    /// Values near in time are alike, so an interval for independent values would be too narrow.
    AutocorrelationPresent,
    /// An estimate reaches beyond the values that were seen.
    BeyondRange,
    /// Values in one bin, or between listed steps, are not told apart.
    BinnedResolution,
    /// A category of the column has no complete row, so it is absent from the projection.
    CategoryWithoutRows,
    /// Columns determine each other nearly or wholly, so what each adds is not determined.
    Collinear,
    /// The stored doubles carry fewer digits of the spread than of the values.
    ConditioningLossy,
    /// All values are equal.
    ConstantValues,
    /// A test objects to the straight line that a fit assumes.
    CurvedRelation,
    /// Two components vary alike, so each may point anywhere in their plane.
    DirectionUndetermined,
    /// The nodes do not all hang together.
    Disconnected,
    /// The answer depends on a parameter that was chosen; the sensitivity says how much.
    FreeParameter,
    /// Steps in the order of time are missing or uneven.
    GapsPresent,
    /// The groups change when the rows are drawn again.
    GroupsUnstable,
    /// The interval assumes independent rows, which the data can't show.
    IndependenceUntested,
    /// One row decides the result.
    InfluentialRow,
    /// No interval is given, and why.
    IntervalNotGiven,
    /// Where a node stands is layout, and measures nothing.
    LayoutNotData,
    /// Several links between two nodes, or a link of a node with itself, are counted as stated.
    LinksMerged,
    /// A heuristic found the best of several starts, which need not be the best there is.
    LocalOptimum,
    /// Several claims are made at once, and no interval is widened for that.
    ManyComparisons,
    /// Nobody stated how exactly the values were measured.
    MeasurementErrorUnstated,
    /// Some rows belong to no group.
    NoisePoints,
    /// The interval assumes a normal distribution, which was not tested or is doubtful.
    NormalityUntested,
    /// A quantity has no meaning on the column's scale, so it is not given.
    NotMeaningfulOnScale,
    /// A quantity is beyond the range of doubles, so it is not given.
    OutOfRange,
    /// Rows were left out for lack of a value.
    RowsExcludedMissing,
    /// The answer was found from a seed.
    SeedDependent,
    /// The sign of a direction is a convention.
    SignArbitrary,
    /// Columns were put on one scale, so differences are in standard deviations and not in units.
    Standardized,
    /// Equal values share a rank.
    TiesPresent,
    /// Too few values for a quantity, which is not given.
    TooFewValues,
    /// The groups spread differently, which the method assumes they do not.
    UnequalVariances,
    /// A unit was read off a column name and not confirmed.
    UnitInferred,
}

impl LimitationCode {
    /// Every code, in the order of their words.
    pub const ALL: [Self; 34] = [
        Self::AssociationOnly,
        Self::AutocorrelationPresent,
        Self::BeyondRange,
        Self::BinnedResolution,
        Self::CategoryWithoutRows,
        Self::Collinear,
        Self::ConditioningLossy,
        Self::ConstantValues,
        Self::CurvedRelation,
        Self::DirectionUndetermined,
        Self::Disconnected,
        Self::FreeParameter,
        Self::GapsPresent,
        Self::GroupsUnstable,
        Self::IndependenceUntested,
        Self::InfluentialRow,
        Self::IntervalNotGiven,
        Self::LayoutNotData,
        Self::LinksMerged,
        Self::LocalOptimum,
        Self::ManyComparisons,
        Self::MeasurementErrorUnstated,
        Self::NoisePoints,
        Self::NormalityUntested,
        Self::NotMeaningfulOnScale,
        Self::OutOfRange,
        Self::RowsExcludedMissing,
        Self::SeedDependent,
        Self::SignArbitrary,
        Self::Standardized,
        Self::TiesPresent,
        Self::TooFewValues,
        Self::UnequalVariances,
        Self::UnitInferred,
    ];

    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::AssociationOnly => "ASSOCIATION_ONLY",
            Self::AutocorrelationPresent => "AUTOCORRELATION_PRESENT",
            Self::BeyondRange => "BEYOND_RANGE",
            Self::BinnedResolution => "BINNED_RESOLUTION",
            Self::CategoryWithoutRows => "CATEGORY_WITHOUT_ROWS",
            Self::Collinear => "COLLINEAR",
            Self::ConditioningLossy => "CONDITIONING_LOSSY",
            Self::ConstantValues => "CONSTANT_VALUES",
            Self::CurvedRelation => "CURVED_RELATION",
            Self::DirectionUndetermined => "DIRECTION_UNDETERMINED",
            Self::Disconnected => "DISCONNECTED",
            Self::FreeParameter => "FREE_PARAMETER",
            Self::GapsPresent => "GAPS_PRESENT",
            Self::GroupsUnstable => "GROUPS_UNSTABLE",
            Self::IndependenceUntested => "INDEPENDENCE_UNTESTED",
            Self::InfluentialRow => "INFLUENTIAL_ROW",
            Self::IntervalNotGiven => "INTERVAL_NOT_GIVEN",
            Self::LayoutNotData => "LAYOUT_NOT_DATA",
            Self::LinksMerged => "LINKS_MERGED",
            Self::LocalOptimum => "LOCAL_OPTIMUM",
            Self::ManyComparisons => "MANY_COMPARISONS",
            Self::MeasurementErrorUnstated => "MEASUREMENT_ERROR_UNSTATED",
            Self::NoisePoints => "NOISE_POINTS",
            Self::NormalityUntested => "NORMALITY_UNTESTED",
            Self::NotMeaningfulOnScale => "NOT_MEANINGFUL_ON_SCALE",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::RowsExcludedMissing => "ROWS_EXCLUDED_MISSING",
            Self::SeedDependent => "SEED_DEPENDENT",
            Self::SignArbitrary => "SIGN_ARBITRARY",
            Self::Standardized => "STANDARDIZED",
            Self::TiesPresent => "TIES_PRESENT",
            Self::TooFewValues => "TOO_FEW_VALUES",
            Self::UnequalVariances => "UNEQUAL_VARIANCES",
            Self::UnitInferred => "UNIT_INFERRED",
        }
    }

    /// What it means, in a sentence for people.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::AssociationOnly => "An association, which is no cause.",
            Self::AutocorrelationPresent => {
                "Values near in time are alike, so an interval for independent values would be too narrow."
            }
            Self::BeyondRange => "An estimate reaches beyond the values that were seen.",
            Self::BinnedResolution => "Values in one bin, or between listed steps, are not told apart.",
            Self::CategoryWithoutRows => {
                "A category of the column has no complete row, so it is absent from the projection."
            }
            Self::Collinear => {
                "Columns determine each other nearly or wholly, so what each adds is not determined."
            }
            Self::ConditioningLossy => {
                "The stored doubles carry fewer digits of the spread than of the values."
            }
            Self::ConstantValues => "All values are equal.",
            Self::CurvedRelation => "A test objects to the straight line that a fit assumes.",
            Self::DirectionUndetermined => {
                "Two components vary alike, so each may point anywhere in their plane."
            }
            Self::Disconnected => "The nodes do not all hang together.",
            Self::FreeParameter => {
                "The answer depends on a parameter that was chosen; the sensitivity says how much."
            }
            Self::GapsPresent => "Steps in the order of time are missing or uneven.",
            Self::GroupsUnstable => "The groups change when the rows are drawn again.",
            Self::IndependenceUntested => "The interval assumes independent rows, which the data can't show.",
            Self::InfluentialRow => "One row decides the result.",
            Self::IntervalNotGiven => "No interval is given, and why.",
            Self::LayoutNotData => "Where a node stands is layout, and measures nothing.",
            Self::LinksMerged => {
                "Several links between two nodes, or a link of a node with itself, are counted as stated."
            }
            Self::LocalOptimum => {
                "A heuristic found the best of several starts, which need not be the best there is."
            }
            Self::ManyComparisons => "Several claims are made at once, and no interval is widened for that.",
            Self::MeasurementErrorUnstated => "Nobody stated how exactly the values were measured.",
            Self::NoisePoints => "Some rows belong to no group.",
            Self::NormalityUntested => {
                "The interval assumes a normal distribution, which was not tested or is doubtful."
            }
            Self::NotMeaningfulOnScale => {
                "A quantity has no meaning on the column's scale, so it is not given."
            }
            Self::OutOfRange => "A quantity is beyond the range of doubles, so it is not given.",
            Self::RowsExcludedMissing => "Rows were left out for lack of a value.",
            Self::SeedDependent => "The answer was found from a seed.",
            Self::SignArbitrary => "The sign of a direction is a convention.",
            Self::Standardized => {
                "Columns were put on one scale, so differences are in standard deviations and not in units."
            }
            Self::TiesPresent => "Equal values share a rank.",
            Self::TooFewValues => "Too few values for a quantity, which is not given.",
            Self::UnequalVariances => "The groups spread differently, which the method assumes they do not.",
            Self::UnitInferred => "A unit was read off a column name and not confirmed.",
        }
    }
}

impl fmt::Display for LimitationCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// One limitation of one claim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limitation {
    code: LimitationCode,
    subject: Option<String>,
    sentence: String,
}

impl Limitation {
    /// Of the claim as a whole.
    pub(crate) fn new(code: LimitationCode, sentence: impl Into<String>) -> Self {
        Self {
            code,
            subject: None,
            sentence: sentence.into(),
        }
    }

    /// Of a column or several.
    pub(crate) fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// What kind of limitation.
    #[must_use]
    pub fn code(&self) -> LimitationCode {
        self.code
    }

    /// The column or columns it is about; `None` when it is about the claim as a whole.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// What it says of them.
    #[must_use]
    pub fn sentence(&self) -> &str {
        &self.sentence
    }

    /// What people read: subject and sentence.
    #[must_use]
    pub fn text(&self) -> String {
        match &self.subject {
            Some(subject) => format!("{subject}: {}", self.sentence),
            None => self.sentence.clone(),
        }
    }
}

/// `1 row`, `2 rows`.
pub(crate) fn counted(n: usize, what: &str) -> String {
    if n == 1 {
        format!("1 {what}")
    } else {
        format!("{n} {what}s")
    }
}
