//! Why an analysis was not made.

use dataset::ColumnKind;
use identity::CanonicalError;
use refusal::{Reason, Refusal, Stage};

use crate::leaf::LeafError;

/// Why a request was not answered. Nothing partial is returned with it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum KernelError {
    /// A column is called as the answer's own column of labels. Way out: give it another name in the file.
    #[error(
        "`{column}` is the name of a column of the answers of {family}, so no column of the data can have it there"
    )]
    NameTaken {
        /// The name.
        column: &'static str,
        /// The family.
        family: &'static str,
    },
    /// A column the dataset does not have. Way out: use the name of a column; the nearest one is suggested.
    #[error("the dataset has no column `{name}`{}", suggestion(nearest.as_deref()))]
    UnknownColumn {
        /// The name asked for.
        name: String,
        /// The nearest name there is.
        nearest: Option<String>,
    },
    /// A request without columns. Way out: name one.
    #[error("the request names no column")]
    NoColumns,
    /// A column named twice. Way out: name it once.
    #[error("the request names column `{name}` twice")]
    RepeatedColumn {
        /// The name.
        name: String,
    },
    /// More columns than one request may name. Way out: ask in parts.
    #[error("the request names {found} columns; the most is {limit}")]
    TooManyColumns {
        /// How many were named.
        found: usize,
        /// How many may be.
        limit: usize,
    },
    /// Probabilities that are not strictly increasing in `[0, 1]`, or too many. Way out: sort them, name each once.
    #[error("quantile probabilities must increase strictly from 0 to 1, at most {limit} of them; {found}")]
    Probabilities {
        /// How many may be asked for.
        limit: usize,
        /// What was found instead.
        found: String,
    },
    /// A confidence level outside `(0, 1)`. Way out: 0.95 is usual.
    #[error("the confidence level must lie between 0 and 1, not {found}")]
    ConfidenceLevel {
        /// The level asked for.
        found: f64,
    },
    /// A column whose kind can't carry the analysis. Way out: choose another column, or declare its kind on import.
    #[error("column `{column}` is {kind}, and {family} needs {needed}{}", because(*kind))]
    KindUnsupported {
        /// The column.
        column: String,
        /// Its kind.
        kind: ColumnKind,
        /// The family asked for.
        family: &'static str,
        /// The kinds that would do.
        needed: &'static str,
    },
    /// No row has a value in every column. Way out: choose columns that were recorded together.
    #[error("none of the {total_rows} rows has a value in every one of {}", columns.join(", "))]
    NoCompleteRows {
        /// The columns.
        columns: Vec<String>,
        /// Rows in the dataset.
        total_rows: usize,
    },
    /// A family that is not in the table. Way out: use one that is.
    #[error("there is no family `{word}`; there are {}", families())]
    UnknownFamily {
        /// The word asked for.
        word: String,
    },
    /// A free parameter that is unknown or stated wrongly. Way out: as the problem says.
    #[error("the setting `{setting}` of {family} {problem}")]
    Setting {
        /// The family.
        family: &'static str,
        /// The setting's name as stated.
        setting: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Fewer cases than the method needs to say anything. Way out: choose columns with more values, or another family.
    #[error("{family} needs at least {needed} {what}, and {} have {found}", columns.join(", "))]
    TooFew {
        /// The family.
        family: &'static str,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
        /// The columns.
        columns: Vec<String>,
    },
    /// More cases than the method can take on one machine; nothing is sampled in silence. Way out: choose another method
    /// or family, or a table with fewer rows.
    #[error("{method} takes at most {limit} {what}, and there are {found}")]
    TooMany {
        /// The method.
        method: &'static str,
        /// What is counted.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many may be.
        limit: usize,
    },
    /// A column whose scale can't carry the analysis. Way out: declare the scale at import if it is another.
    #[error("column `{column}` is on the {scale} scale, and {family} needs {needed}")]
    ScaleUnsupported {
        /// The column.
        column: String,
        /// Its scale.
        scale: dataset::Scale,
        /// The family asked for.
        family: &'static str,
        /// The scales that would do.
        needed: &'static str,
    },
    /// A meaning that the data do not state. Way out: state it, as `missing` says.
    #[error("{family} needs {missing}")]
    MeaningMissing {
        /// The family.
        family: &'static str,
        /// What is missing, in a phrase.
        missing: String,
    },
    /// A number of columns the family can't take. Way out: name as many as it needs.
    #[error("{family} takes {needed}, not {found}")]
    ColumnCount {
        /// The family.
        family: &'static str,
        /// What it takes.
        needed: &'static str,
        /// How many columns were named.
        found: usize,
    },
    /// The numbers do not determine an answer, or it exceeds the range of doubles. Way out: as the problem says.
    #[error("{family} of {} has no answer: {problem}", columns.join(", "))]
    Undetermined {
        /// The family.
        family: &'static str,
        /// The columns.
        columns: Vec<String>,
        /// Why.
        problem: String,
    },
    /// A link that can't enter a graph: an end that is no node, or a weight that is no positive number. Way out: correct
    /// the link in the source and import again, or state another weight.
    #[error("the link {link} can't be used: {problem}")]
    LinkUnusable {
        /// Which link: its place from 1, or the row that states it.
        link: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The analysis was told to stop. Way out: none is needed; nothing of it is left. Ask again to have it.
    #[error("the analysis was canceled while {doing}")]
    Canceled {
        /// What it was doing.
        doing: &'static str,
    },
    /// An analysis of another dataset offered for a bundle. Way out: bundle what was made from one dataset.
    #[error("an analysis of dataset {found} does not belong to dataset {expected}")]
    WrongDataset {
        /// The dataset of the bundle.
        expected: String,
        /// The dataset of the analysis.
        found: String,
    },
    /// Two receipts with one name and different content, as when a column is summarized twice with different
    /// quantiles. Way out: put both analyses into one request.
    #[error("two different receipts are named `{receipt_id}`")]
    ReceiptConflict {
        /// The name.
        receipt_id: String,
    },
    /// The bulk values can't be written. Way out: as the inner error says.
    #[error("the projected values can't be written: {0}")]
    Leaf(#[from] LeafError),
    /// A result without canonical text. Cannot happen: every number in it is checked to be finite and safe.
    #[error("the result has no canonical text: {0}")]
    Canonical(#[from] CanonicalError),
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

fn families() -> String {
    let words: Vec<&str> = crate::FAMILIES.iter().map(|family| family.word).collect();
    words.join(", ")
}

fn because(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "; free text, names and mixed values are neither measured nor grouped",
        ColumnKind::Temporal => "; dates are kept as text",
        ColumnKind::Unknown => "; it has no value at all",
        ColumnKind::Categorical => "; its values are names of groups",
        ColumnKind::Numeric => "",
    }
}

impl KernelError {
    /// The refusal every surface shows.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let (stage, reason, next) = match self {
            Self::UnknownColumn { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "use the exact name of a column of the dataset",
            ),
            Self::NameTaken { .. } => (
                Stage::EvidencePolicy,
                Reason::AmbiguousReference,
                "give the column another name in the file, or leave it out",
            ),
            Self::NoColumns => (
                Stage::DecodeIntegrity,
                Reason::NotStated,
                "name at least one column",
            ),
            Self::RepeatedColumn { .. } => (
                Stage::DecodeIntegrity,
                Reason::AmbiguousReference,
                "name each column once",
            ),
            Self::TooManyColumns { .. } => (
                Stage::DecodeIntegrity,
                Reason::Bounds,
                "ask for fewer columns at once",
            ),
            Self::Probabilities { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "state increasing probabilities between 0 and 1",
            ),
            Self::ConfidenceLevel { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "state a level between 0 and 1, such as 0.95",
            ),
            Self::KindUnsupported { .. } => (
                Stage::EvidencePolicy,
                Reason::MeasurementUnsupported,
                "choose another column, or import again with --declare COLUMN:KIND for this one",
            ),
            Self::NoCompleteRows { .. } => (
                Stage::EvidencePolicy,
                Reason::ClaimInvalid,
                "choose columns that were recorded in the same rows",
            ),
            Self::UnknownFamily { .. } => (
                Stage::EvidencePolicy,
                Reason::FamilyUnsupported,
                "use one of the families that are named",
            ),
            Self::Setting { .. } | Self::ColumnCount { .. } => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "state it as the message says, or leave it out",
            ),
            Self::TooFew { .. } => (
                Stage::EvidencePolicy,
                Reason::ClaimInvalid,
                "choose columns with more values, or another family",
            ),
            Self::TooMany { .. } => (
                Stage::DecodeIntegrity,
                Reason::Bounds,
                "choose another method, or a table with fewer rows: nothing is sampled in silence",
            ),
            Self::ScaleUnsupported { .. } => (
                Stage::EvidencePolicy,
                Reason::MeasurementUnsupported,
                "choose another column, or import again with --declare COLUMN:SCALE for this one",
            ),
            Self::MeaningMissing { .. } => (
                Stage::EvidencePolicy,
                Reason::InventedMeaning,
                "state what is missing, or choose another family",
            ),
            Self::Undetermined { .. } => (
                Stage::EvidencePolicy,
                Reason::ClaimInvalid,
                "choose other columns or settings",
            ),
            Self::LinkUnusable { .. } => (
                Stage::EvidencePolicy,
                Reason::ClaimInvalid,
                "correct the link in the source and import it again, or choose another weight",
            ),
            Self::Canceled { .. } => (
                Stage::DecodeIntegrity,
                Reason::Unreachable,
                "ask again; nothing of the canceled analysis is left",
            ),
            Self::WrongDataset { .. } => (
                Stage::EvidencePolicy,
                Reason::WrongDataset,
                "bundle analyses of one dataset only",
            ),
            Self::ReceiptConflict { .. } => (
                Stage::EvidencePolicy,
                Reason::AmbiguousReference,
                "ask for everything about a column in one request",
            ),
            Self::Leaf(error) => return error.refusal(),
            Self::Canonical(_) => (
                Stage::DecodeIntegrity,
                Reason::Malformed,
                "report this as a defect of the kernel",
            ),
        };
        let refusal = Refusal::new(stage, reason, self.to_string()).next(next);
        match self {
            Self::UnknownColumn { name, .. } | Self::RepeatedColumn { name } => refusal.about(name),
            Self::KindUnsupported { column, .. } | Self::ScaleUnsupported { column, .. } => {
                refusal.about(column)
            }
            Self::NameTaken { column, .. } => refusal.about(*column),
            Self::UnknownFamily { word } => refusal.about(word),
            Self::Setting { family, setting, .. } => refusal.about(format!("{family}.{setting}")),
            Self::MeaningMissing { family, .. } | Self::ColumnCount { family, .. } => refusal.about(*family),
            Self::TooMany { method, .. } => refusal.about(*method),
            Self::NoCompleteRows { columns, .. }
            | Self::TooFew { columns, .. }
            | Self::Undetermined { columns, .. } => columns.iter().fold(refusal, Refusal::about),
            Self::ReceiptConflict { receipt_id } => refusal.about(receipt_id),
            Self::NoColumns
            | Self::TooManyColumns { .. }
            | Self::Probabilities { .. }
            | Self::ConfidenceLevel { .. }
            | Self::LinkUnusable { .. }
            | Self::Canceled { .. }
            | Self::WrongDataset { .. }
            | Self::Leaf(_)
            | Self::Canonical(_) => refusal,
        }
    }
}
