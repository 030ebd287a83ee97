//! Version 1: the import recipe that is hashed, and the import report that `--json` prints.

mod recipe;
mod report;

pub use recipe::{
    ColumnDecision, CsvStructure, LinkStructure, Measurement, MeasurementBasis, MeasurementUnit, RecipeBody,
    RecipeError,
};
pub use report::{ColumnSummary, CountedToken, GraphSummary, NoteText, ReportBody};
