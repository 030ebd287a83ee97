//! One request answered: content, bulk values, receipts and how they were made.

use dataset::{Column, ColumnKind, Dataset, Status};
use identity::{Digest, Fingerprint, SafeInteger};

use crate::error::KernelError;
use crate::leaf::Columns;
use crate::limitation::{Limitation, LimitationCode};
use crate::receipt::{self, Method};
use crate::rows;
use crate::summary::{self, count};
use crate::wire::v1::{Content, Exclusion, Receipt, Request};

/// The family word of descriptive statistics.
pub const STATISTICS: &str = "statistics";
/// The family word of row projections.
pub const ROWS: &str = "rows";

/// The method behind `descriptive:<column>` receipts.
pub const STATISTICS_METHOD: &str = "descriptive/exact-moments";
/// The method behind `rows:<columns>` receipts.
pub const ROWS_METHOD: &str = "projection/complete-case";
/// The version of both methods.
pub const METHOD_VERSION: &str = "1.0.0";

/// The most columns in one request.
pub const MAX_COLUMNS: usize = 64;
/// The most quantiles in one request.
pub const MAX_QUANTILES: usize = 101;

/// A finished analysis; only [`analyze`] makes one.
///
/// ```compile_fail,E0451
/// # fn forge(other: kernels::Analysis) -> kernels::Analysis {
/// kernels::Analysis { content_bytes: Vec::new(), ..other }
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    request: Request,
    request_digest: Digest,
    dataset_fingerprint: Fingerprint,
    content: Content,
    content_bytes: Vec<u8>,
    leaf: Option<(Columns, Vec<u8>)>,
    receipts: Vec<Receipt>,
    provenance: Provenance,
    limitations: Vec<Limitation>,
}

/// How an analysis was made and what it keeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Provenance {
    /// Method name.
    pub method: &'static str,
    /// Method version.
    pub method_version: &'static str,
    /// Parameters in producer order.
    pub parameters: Vec<(String, String)>,
    /// Seed; `None`, since no family here is stochastic.
    pub seed: Option<SafeInteger>,
    /// Normalization contract.
    pub normalization: &'static str,
    /// Missing value contract.
    pub missingness: &'static str,
    /// Sampling contract.
    pub sampling: &'static str,
    /// `EXACT`, `BINNED`, `SAMPLED`, `ESTIMATED` or `BOUNDED`.
    pub approximation: &'static str,
    /// Rows in the dataset.
    pub total_rows: SafeInteger,
    /// Rows that entered: for statistics those with a value in at least one column; each column's own count is in the
    /// content.
    pub rows_used: SafeInteger,
    /// Rows left out, by reason; adds up to the difference.
    pub excluded: Vec<Exclusion>,
    /// What the output keeps.
    pub preserves: &'static [&'static str],
    /// What it gives up.
    pub loses: &'static [&'static str],
}

/// Answers a request from a dataset. Deterministic: equal inputs give equal bytes on every machine, and statistics do
/// not depend on the order of rows. Takes time in proportion to rows times columns.
///
/// # Errors
/// [`KernelError`] when a column is unknown, named twice, or of a kind the family can't take, when the request itself is
/// malformed, and when a projection has no complete row.
pub fn analyze(dataset: &Dataset, request: &Request) -> Result<Analysis, KernelError> {
    match request {
        Request::Statistics { columns, .. } | Request::Rows { columns } => check_names(columns)?,
    }
    let request_digest = identity::canonical::digest(request)?;
    let parts = match request {
        Request::Statistics {
            columns,
            quantiles,
            confidence_level,
        } => statistics(dataset, columns, quantiles, confidence_level.get())?,
        Request::Rows { columns } => projection(dataset, columns)?,
    };
    let content_bytes = identity::canonical::to_vec(&parts.content)?;
    Ok(Analysis {
        request: request.clone(),
        request_digest,
        dataset_fingerprint: dataset.fingerprint(),
        content: parts.content,
        content_bytes,
        leaf: parts.leaf.map(|leaf| {
            let bytes = leaf.to_bytes();
            (leaf, bytes)
        }),
        receipts: parts.receipts,
        provenance: parts.provenance,
        limitations: parts.limitations,
    })
}

struct Parts {
    content: Content,
    leaf: Option<Columns>,
    receipts: Vec<Receipt>,
    provenance: Provenance,
    limitations: Vec<Limitation>,
}

fn check_names(columns: &[String]) -> Result<(), KernelError> {
    if columns.is_empty() {
        return Err(KernelError::NoColumns);
    }
    if columns.len() > MAX_COLUMNS {
        return Err(KernelError::TooManyColumns {
            found: columns.len(),
            limit: MAX_COLUMNS,
        });
    }
    let repeated = columns
        .iter()
        .enumerate()
        .find(|(idx, name)| columns[..*idx].contains(name));
    match repeated {
        Some((_, name)) => Err(KernelError::RepeatedColumn { name: name.clone() }),
        None => Ok(()),
    }
}

fn resolve<'a>(dataset: &'a Dataset, names: &[String]) -> Result<Vec<&'a Column>, KernelError> {
    let column = |name: &String| {
        dataset.column(name).ok_or_else(|| KernelError::UnknownColumn {
            name: name.clone(),
            nearest: dataset.nearest_column_name(name).map(str::to_owned),
        })
    };
    names.iter().map(column).collect()
}

fn statistics(
    dataset: &Dataset,
    names: &[String],
    probabilities: &[identity::Finite],
    level: f64,
) -> Result<Parts, KernelError> {
    if !(level > 0.0 && level < 1.0) {
        return Err(KernelError::ConfidenceLevel { found: level });
    }
    check_probabilities(probabilities)?;
    let columns = resolve(dataset, names)?;
    if let Some(column) = columns.iter().find(|column| column.kind() != ColumnKind::Numeric) {
        return Err(KernelError::KindUnsupported {
            column: column.name().to_owned(),
            kind: column.kind(),
            family: STATISTICS,
            needed: "NUMERIC columns",
        });
    }
    let parameters = vec![
        (
            "confidenceLevel".to_owned(),
            identity::Finite::new(level).map_or_else(|_| String::new(), |x| x.to_string()),
        ),
        ("interval".to_owned(), summary::INTERVAL_METHOD.to_owned()),
        ("quantileType".to_owned(), "7".to_owned()),
        ("quantiles".to_owned(), receipt::numbers(probabilities)),
        ("standardDeviationDenominator".to_owned(), "n-1".to_owned()),
    ];
    let method = Method {
        name: STATISTICS_METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let (mut records, mut receipts, mut limitations) = (Vec::new(), Vec::new(), Vec::new());
    for column in &columns {
        let mut summary = summary::summarize(column, probabilities, level);
        summary.limitations.extend(unit_inferred(&[column]));
        receipts.push(receipt::of_statistics(dataset, column, &summary, &method));
        records.push(summary.statistics);
        limitations.extend(summary.limitations);
    }
    let n_rows = dataset.n_rows();
    let has_any = |row_idx: &usize| columns.iter().any(|column| column.missing(*row_idx).is_none());
    let n_used = if columns.iter().any(|column| column.n_missing() == 0) {
        n_rows
    } else {
        (0..n_rows).filter(has_any).count()
    };
    let excluded = (n_used < n_rows).then(|| Exclusion {
        reason: rows::MISSING.to_owned(),
        columns: names.to_vec(),
        row_count: count(n_rows - n_used),
    });
    let provenance = Provenance {
        method: STATISTICS_METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "each column by its own values",
        sampling: "none",
        approximation: "EXACT",
        total_rows: count(n_rows),
        rows_used: count(n_used),
        excluded: excluded.into_iter().collect(),
        preserves: &["location", "spread", "quantiles", "extremes"],
        loses: &[
            "row identity",
            "shape of the distribution",
            "relations between columns",
        ],
    };
    Ok(Parts {
        content: Content::Statistics { columns: records },
        leaf: None,
        receipts,
        provenance,
        limitations,
    })
}

fn check_probabilities(probabilities: &[identity::Finite]) -> Result<(), KernelError> {
    let wrong = |found: String| {
        Err(KernelError::Probabilities {
            limit: MAX_QUANTILES,
            found,
        })
    };
    if probabilities.len() > MAX_QUANTILES {
        return wrong(format!("there are {}", probabilities.len()));
    }
    if let Some(outside) = probabilities.iter().find(|p| !(0.0..=1.0).contains(&p.get())) {
        return wrong(format!("{outside} is outside"));
    }
    match probabilities.windows(2).find(|pair| pair[0] >= pair[1]) {
        Some(pair) => wrong(format!("{} does not follow {}", pair[1], pair[0])),
        None => Ok(()),
    }
}

fn projection(dataset: &Dataset, names: &[String]) -> Result<Parts, KernelError> {
    let columns = resolve(dataset, names)?;
    for column in &columns {
        rows::check_kind(column)?;
    }
    let projection = rows::project(dataset, &columns)?;
    let row_identity = match dataset.key_column() {
        Some(key) => format!("key:{}", key.name()),
        None => "ordinal".to_owned(),
    };
    let parameters = vec![
        ("columns".to_owned(), receipt::joined(names)),
        ("missingness".to_owned(), "complete-case".to_owned()),
        ("rowIdentity".to_owned(), row_identity),
    ];
    let method = Method {
        name: ROWS_METHOD,
        version: METHOD_VERSION,
        parameters: &parameters,
    };
    let mut limitations = projection.limitations.clone();
    limitations.extend(unit_inferred(&columns));
    if columns.iter().any(|column| column.kind() == ColumnKind::Numeric) {
        let text = "values as recorded; how exactly they were measured is not stated";
        limitations.push(Limitation::new(LimitationCode::MeasurementErrorUnstated, text));
    }
    let receipt = receipt::of_rows(dataset, &columns, &projection, &limitations, &method);
    let n_used = projection.leaf.n_rows();
    let provenance = Provenance {
        method: ROWS_METHOD,
        method_version: METHOD_VERSION,
        parameters,
        seed: None,
        normalization: "none",
        missingness: "complete-case",
        sampling: "none",
        approximation: "EXACT",
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: projection.excluded.clone(),
        preserves: &["row identity", "exact values", "alignment of values in a row"],
        loses: &[
            "rows without a value in every column",
            "columns that were not chosen",
        ],
    };
    let content = Content::Rows {
        columns: projection.columns,
        total_rows: count(dataset.n_rows()),
        rows_used: count(n_used),
        excluded: projection.excluded,
        leaf: projection.leaf.digest(),
    };
    Ok(Parts {
        content,
        leaf: Some(projection.leaf),
        receipts: vec![receipt],
        provenance,
        limitations,
    })
}

/// Says once which units were read off names.
fn unit_inferred(columns: &[&Column]) -> Option<Limitation> {
    let inferred = columns.iter().filter_map(|column| {
        let unit = column
            .model()
            .unit()
            .filter(|unit| unit.status() == Status::Inferred)?;
        Some(format!("{} of {}", unit.text(), column.name()))
    });
    let inferred: Vec<String> = inferred.collect();
    if inferred.is_empty() {
        return None;
    }
    let sentence = "as read off the name, not confirmed";
    Some(Limitation::new(LimitationCode::UnitInferred, sentence).about(inferred.join(", ")))
}

impl Analysis {
    /// What was asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The digest of the request's canonical text, its identity.
    #[must_use]
    pub fn request_digest(&self) -> Digest {
        self.request_digest
    }

    /// The dataset that was analyzed.
    #[must_use]
    pub fn dataset_fingerprint(&self) -> Fingerprint {
        self.dataset_fingerprint
    }

    /// The family word: `statistics` or `rows`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        self.request.family()
    }

    /// The answer.
    #[must_use]
    pub fn content(&self) -> &Content {
        &self.content
    }

    /// The answer's canonical text.
    #[must_use]
    pub fn content_bytes(&self) -> &[u8] {
        &self.content_bytes
    }

    /// The digest of [`Analysis::content_bytes`], the `analyticalContentRef` of a snapshot.
    #[must_use]
    pub fn content_digest(&self) -> Digest {
        Digest::of(&self.content_bytes)
    }

    /// The bulk values; only row projections have them.
    #[must_use]
    pub fn leaf(&self) -> Option<&Columns> {
        self.leaf.as_ref().map(|(leaf, _)| leaf)
    }

    /// The bytes of the bulk values, whose digest the content names.
    #[must_use]
    pub fn leaf_bytes(&self) -> Option<&[u8]> {
        self.leaf.as_ref().map(|(_, bytes)| bytes.as_slice())
    }

    /// One receipt a claim, in order of issue.
    #[must_use]
    pub fn receipts(&self) -> &[Receipt] {
        &self.receipts
    }

    /// How it was made.
    #[must_use]
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// What the answer can't say, as in the receipts but with codes.
    #[must_use]
    pub fn limitations(&self) -> &[Limitation] {
        &self.limitations
    }
}

impl Request {
    /// The family word: `statistics` or `rows`.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self {
            Self::Statistics { .. } => STATISTICS,
            Self::Rows { .. } => ROWS,
        }
    }

    /// The columns in the order asked for.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        match self {
            Self::Statistics { columns, .. } | Self::Rows { columns } => columns,
        }
    }
}
