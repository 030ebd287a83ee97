//! `density`: how densely the cells of two or three NUMERIC columns are filled.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::DensityRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "density",
    answers: "how densely the cells of two or three NUMERIC columns are filled",
    consumer: "nemosyne:consumer/forma-density/v1",
    receipts: "density:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<DensityRequest, KernelError> {
    Ok(DensityRequest { columns })
}

pub(crate) fn slots(_request: &DensityRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &DensityRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
