//! `graph`: degree, components, communities and a layout of linked nodes.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::GraphRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "graph",
    answers: "degree, components, communities and a layout of linked nodes",
    consumer: "nemosyne:consumer/forma-graph/v1",
    receipts: "graph:<what>",
    needs_columns: false,
    has_leaf: true,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<GraphRequest, KernelError> {
    Ok(GraphRequest { columns })
}

pub(crate) fn slots(_request: &GraphRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &GraphRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
