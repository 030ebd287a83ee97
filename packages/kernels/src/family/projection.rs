//! `projection`: principal components of NUMERIC columns: explained variance, loadings, scores.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::ProjectionRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "projection",
    answers: "principal components of NUMERIC columns: explained variance, loadings, scores",
    consumer: "nemosyne:consumer/forma-projection/v1",
    receipts: "projection:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<ProjectionRequest, KernelError> {
    Ok(ProjectionRequest { columns })
}

pub(crate) fn slots(_request: &ProjectionRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &ProjectionRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
