//! The words of a snapshot: producers, properties, relation types, limitation codes. Closed and pinned by digest.

use evidence::wire::v1::PinnedRef;
use kernels::{LimitationCode, Shape};
use serde::Serialize;

pub(crate) const OBSERVED: &str = "OBSERVED";
pub(crate) const DERIVED: &str = "DERIVED";

/// The word in `epistemicStatus`.
pub(crate) const fn epistemic_status(observed: bool) -> &'static str {
    if observed { OBSERVED } else { DERIVED }
}

/// The one relation type: the i-th values belong to one row.
pub const ROW_ALIGNED: &str = "ROW_ALIGNED";

/// Version of vocabulary and normalizer.
const VERSION: &str = "1.1.0";

/// The properties of rows and statistics by name; those of the other families are named by [`kernels::FAMILIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Path {
    /// The values of a column in a projection, one a row.
    Values,
    /// The keys of a projection's rows.
    RowKeys,
    /// Rows in a projection.
    RowsUsed,
    /// Rows left out of a projection.
    RowsExcluded,
    /// Rows in the dataset.
    TotalRows,
    /// Values that entered a column's statistics.
    Count,
    /// Cells of a column without a value.
    Missing,
    /// Arithmetic mean.
    Mean,
    /// Confidence interval of the mean.
    MeanInterval,
    /// Sample standard deviation.
    StandardDeviation,
    /// Smallest value.
    Minimum,
    /// Largest value.
    Maximum,
}

impl Path {
    /// The word in `propertyPath`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Values => "values",
            Self::RowKeys => "rowKeys",
            Self::RowsUsed => "rowsUsed",
            Self::RowsExcluded => "rowsExcluded",
            Self::TotalRows => "totalRows",
            Self::Count => "count",
            Self::Missing => "missing",
            Self::Mean => "mean",
            Self::MeanInterval => "meanInterval",
            Self::StandardDeviation => "standardDeviation",
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
        }
    }
}

/// The closed vocabulary of limitation codes, by UTF-16 code units.
#[must_use]
pub fn limitation_codes() -> Vec<&'static str> {
    LimitationCode::ALL
        .into_iter()
        .map(LimitationCode::word)
        .collect()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VocabularyText {
    id: &'static str,
    version: &'static str,
    families: Vec<FamilyText>,
    value_types: [&'static str; 4],
    epistemic_statuses: [&'static str; 2],
    relation_types: [&'static str; 1],
    limitation_codes: Vec<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FamilyText {
    word: &'static str,
    producers: &'static [&'static str],
    property_paths: &'static [&'static str],
    has_leaf: bool,
    further_leaves: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NormalizerText {
    id: &'static str,
    version: &'static str,
    vocabulary: PinnedRef,
    rules: [&'static str; 4],
}

const VOCABULARY_ID: &str = "nemosyne:vocabulary/semantic";
const NORMALIZER_ID: &str = "nemosyne:normalizer/semantic";

/// The vocabulary that snapshots of this version are written in, pinned by the digest of its canonical text.
#[must_use]
pub fn vocabulary() -> PinnedRef {
    let families = kernels::FAMILIES.iter().map(|family| FamilyText {
        word: family.word,
        producers: family.producers,
        property_paths: family.paths,
        has_leaf: family.has_leaf,
        further_leaves: family.further_leaves,
    });
    pinned(
        VOCABULARY_ID,
        &VocabularyText {
            id: VOCABULARY_ID,
            version: VERSION,
            families: families.collect(),
            value_types: [Shape::Interval, Shape::Number, Shape::Text, Shape::Vector].map(Shape::word),
            epistemic_statuses: [DERIVED, OBSERVED],
            relation_types: [ROW_ALIGNED],
            limitation_codes: limitation_codes(),
        },
    )
}

/// The projection behind [`crate::normalize`], pinned by the digest of its rules.
#[must_use]
pub fn normalizer() -> PinnedRef {
    pinned(
        NORMALIZER_ID,
        &NormalizerText {
            id: NORMALIZER_ID,
            version: VERSION,
            vocabulary: vocabulary(),
            rules: [
                "one source a request; one node a property of the request's family; vectors stay in content or leaf",
                "consecutive columns of one projection are ROW_ALIGNED",
                "a quantity that does not exist is UNAVAILABLE with its reason",
                "limitations of one code and source are one limitation: each sentence after all its subjects, joined by semicolons",
            ],
        },
    )
}

fn pinned<T: Serialize>(id: &str, text: &T) -> PinnedRef {
    PinnedRef {
        id: id.to_owned(),
        version: VERSION.to_owned(),
        digest: identity::canonical::digest(text).expect("a vocabulary holds only texts"),
    }
}
