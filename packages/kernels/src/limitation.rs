//! What the numbers can't say: closed codes with the sentence people read.

use std::fmt;

/// The closed vocabulary of limitations that this kernel states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitationCode {
    /// A category of the column has no complete row, so it is absent from the projection.
    CategoryWithoutRows,
    /// The stored doubles carry fewer digits of the spread than of the values.
    ConditioningLossy,
    /// All values are equal.
    ConstantValues,
    /// The interval assumes independent rows, which the data can't show.
    IndependenceUntested,
    /// No interval is given, and why.
    IntervalNotGiven,
    /// Nobody stated how exactly the values were measured.
    MeasurementErrorUnstated,
    /// A quantity has no meaning on the column's scale, so it is not given.
    NotMeaningfulOnScale,
    /// A quantity is beyond the range of doubles, so it is not given.
    OutOfRange,
    /// Rows were left out for lack of a value.
    RowsExcludedMissing,
    /// Too few values for a quantity, which is not given.
    TooFewValues,
    /// A unit was read off a column name and not confirmed.
    UnitInferred,
}

impl LimitationCode {
    /// Every code, in the order of their words.
    pub const ALL: [Self; 11] = [
        Self::CategoryWithoutRows,
        Self::ConditioningLossy,
        Self::ConstantValues,
        Self::IndependenceUntested,
        Self::IntervalNotGiven,
        Self::MeasurementErrorUnstated,
        Self::NotMeaningfulOnScale,
        Self::OutOfRange,
        Self::RowsExcludedMissing,
        Self::TooFewValues,
        Self::UnitInferred,
    ];

    /// The word on every surface.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::CategoryWithoutRows => "CATEGORY_WITHOUT_ROWS",
            Self::ConditioningLossy => "CONDITIONING_LOSSY",
            Self::ConstantValues => "CONSTANT_VALUES",
            Self::IndependenceUntested => "INDEPENDENCE_UNTESTED",
            Self::IntervalNotGiven => "INTERVAL_NOT_GIVEN",
            Self::MeasurementErrorUnstated => "MEASUREMENT_ERROR_UNSTATED",
            Self::NotMeaningfulOnScale => "NOT_MEANINGFUL_ON_SCALE",
            Self::OutOfRange => "OUT_OF_RANGE",
            Self::RowsExcludedMissing => "ROWS_EXCLUDED_MISSING",
            Self::TooFewValues => "TOO_FEW_VALUES",
            Self::UnitInferred => "UNIT_INFERRED",
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
