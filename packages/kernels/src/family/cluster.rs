//! `cluster`: groups of rows that lie together in a space of NUMERIC columns.

use dataset::Dataset;

use super::{Family, Parts};
use crate::error::KernelError;
use crate::output::Slot;
use crate::settings::Settings;
use crate::wire::v1::ClusterRequest;

/// The family's row in the table.
pub(crate) const FAMILY: Family = Family {
    word: "cluster",
    answers: "groups of rows that lie together in a space of NUMERIC columns",
    consumer: "nemosyne:consumer/forma-cluster/v1",
    receipts: "cluster:<a>,<b>,…",
    needs_columns: true,
    has_leaf: true,
    producers: &[],
    paths: &[],
};

pub(crate) fn request(
    columns: Vec<String>,
    _settings: &mut Settings<'_>,
) -> Result<ClusterRequest, KernelError> {
    Ok(ClusterRequest { columns })
}

pub(crate) fn slots(_request: &ClusterRequest) -> Vec<Slot> {
    Vec::new()
}

pub(crate) fn answer(_dataset: &Dataset, _request: &ClusterRequest) -> Result<Parts, KernelError> {
    Err(KernelError::UnknownFamily {
        word: FAMILY.word.to_owned(),
    })
}
