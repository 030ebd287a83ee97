//! `distribution`: histogram by a stated rule, empirical distribution function and kernel density of NUMERIC columns.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::DistributionRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "distribution",
    answers: "histogram by a stated rule, empirical distribution function and kernel density of NUMERIC columns",
    consumer: "nemosyne:consumer/forma-distribution/v1",
    receipts: "distribution:<column>",
    needs_columns: true,
    has_leaf: false,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<DistributionRequest, KernelError> {
    Ok(DistributionRequest { columns })
}

pub(crate) fn slots(_request: &DistributionRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &DistributionRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
