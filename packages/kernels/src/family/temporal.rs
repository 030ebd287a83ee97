//! `temporal`: a series in the order of time: order, gaps, trend.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::TemporalRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "temporal",
    answers: "a series in the order of time: order, gaps, trend",
    consumer: "nemosyne:consumer/forma-temporal/v1",
    receipts: "temporal:<column>",
    needs_columns: true,
    has_leaf: true,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<TemporalRequest, KernelError> {
    Ok(TemporalRequest { columns })
}

pub(crate) fn slots(_request: &TemporalRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &TemporalRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
