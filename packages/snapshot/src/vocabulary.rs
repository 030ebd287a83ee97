//! The words of a snapshot: producers, properties, relation types, limitation codes. Closed and pinned by digest.

use evidence::wire::v1::PinnedRef;
use identity::Finite;
use kernels::LimitationCode;
use kernels::wire::v1::Request;
use serde::Serialize;

/// The producer of what is said about a row projection as a whole.
pub const PROJECTION: &str = "projection";

/// The one relation type: the i-th values belong to one row.
pub const ROW_ALIGNED: &str = "ROW_ALIGNED";

/// Version of vocabulary and normalizer.
const VERSION: &str = "1.0.0";

/// The producer of what is said about a column: `column:` and the name as written.
#[must_use]
pub fn column_producer(column: &str) -> String {
    format!("column:{column}")
}

/// The property of a quantile: `quantile:` and the probability as canonical JSON writes it.
#[must_use]
pub fn quantile_path(probability: Finite) -> String {
    format!("quantile:{probability}")
}

/// The properties with a fixed name; quantiles have [`quantile_path`].
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
    /// Of a row projection as a whole.
    pub(crate) const OF_PROJECTION: [Self; 4] =
        [Self::RowKeys, Self::RowsUsed, Self::RowsExcluded, Self::TotalRows];
    /// Of a column's statistics.
    pub(crate) const OF_STATISTICS: [Self; 7] = [
        Self::Count,
        Self::Missing,
        Self::Mean,
        Self::MeanInterval,
        Self::StandardDeviation,
        Self::Minimum,
        Self::Maximum,
    ];
    const ALL: [Self; 12] = [
        Self::Values,
        Self::RowKeys,
        Self::RowsUsed,
        Self::RowsExcluded,
        Self::TotalRows,
        Self::Count,
        Self::Missing,
        Self::Mean,
        Self::MeanInterval,
        Self::StandardDeviation,
        Self::Minimum,
        Self::Maximum,
    ];

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

    /// The word in the descriptor's `valueType`.
    #[must_use]
    pub const fn value_type(self) -> &'static str {
        match self {
            Self::Values | Self::RowKeys => VECTOR,
            Self::MeanInterval => INTERVAL,
            _ => NUMBER,
        }
    }

    /// The word in `epistemicStatus`.
    #[must_use]
    pub const fn epistemic_status(self) -> &'static str {
        match self {
            Self::Values | Self::RowKeys => OBSERVED,
            _ => DERIVED,
        }
    }
}

pub(crate) const VECTOR: &str = "vector";
pub(crate) const INTERVAL: &str = "interval";
pub(crate) const NUMBER: &str = "number";
pub(crate) const OBSERVED: &str = "OBSERVED";
pub(crate) const DERIVED: &str = "DERIVED";

/// A node that an answered request has, whatever its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) producer: String,
    pub(crate) path: String,
    pub(crate) value_type: &'static str,
    pub(crate) epistemic_status: &'static str,
}

impl Slot {
    pub(crate) fn new(producer: String, path: Path) -> Self {
        Self {
            producer,
            path: path.word().to_owned(),
            value_type: path.value_type(),
            epistemic_status: path.epistemic_status(),
        }
    }

    fn quantile(producer: String, probability: Finite) -> Self {
        Self {
            producer,
            path: quantile_path(probability),
            value_type: NUMBER,
            epistemic_status: DERIVED,
        }
    }
}

/// Every node that an answered request has, in the order of the request.
pub(crate) fn slots(request: &Request) -> Vec<Slot> {
    match request {
        Request::Rows { columns } => {
            let values = columns
                .iter()
                .map(|column| Slot::new(column_producer(column), Path::Values));
            let whole = Path::OF_PROJECTION
                .into_iter()
                .map(|path| Slot::new(PROJECTION.to_owned(), path));
            values.chain(whole).collect()
        }
        Request::Statistics {
            columns, quantiles, ..
        } => {
            let of_column = |column: &String| {
                let producer = column_producer(column);
                let mut slots: Vec<Slot> = Path::OF_STATISTICS
                    .into_iter()
                    .map(|path| Slot::new(producer.clone(), path))
                    .collect();
                slots.extend(quantiles.iter().map(|p| Slot::quantile(producer.clone(), *p)));
                slots
            };
            columns.iter().flat_map(of_column).collect()
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
    families: [&'static str; 2],
    producers: [&'static str; 2],
    property_paths: Vec<&'static str>,
    value_types: [&'static str; 3],
    epistemic_statuses: [&'static str; 2],
    relation_types: [&'static str; 1],
    limitation_codes: Vec<&'static str>,
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
    let mut property_paths: Vec<&str> = Path::ALL.into_iter().map(Path::word).collect();
    property_paths.push("quantile:<probability>");
    pinned(
        VOCABULARY_ID,
        &VocabularyText {
            id: VOCABULARY_ID,
            version: VERSION,
            families: [kernels::ROWS, kernels::STATISTICS],
            producers: ["column:<name>", PROJECTION],
            property_paths,
            value_types: [INTERVAL, NUMBER, VECTOR],
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
                "one source a request; one node a property of the request's family; vectors stay in the leaf",
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
