//! `dependency`: correlations, linear regression and analysis of variance between columns.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::DependencyRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "dependency",
    answers: "correlations, linear regression and analysis of variance between columns",
    consumer: "nemosyne:consumer/forma-dependency/v1",
    receipts: "dependency:<claim>",
    needs_columns: true,
    has_leaf: false,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<DependencyRequest, KernelError> {
    Ok(DependencyRequest { columns })
}

pub(crate) fn slots(_request: &DependencyRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &DependencyRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
