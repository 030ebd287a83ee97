//! The analytical port: who answers requests.

use dataset::Dataset;

use crate::analysis::{Analysis, analyze};
use crate::error::KernelError;
use crate::wire::v1::Request;

/// Answers requests about datasets. What it answers is an [`Analysis`], which this crate alone makes: a back end that
/// computes on other machines hands its [`Partial`](crate::Partial) states to the families' finish, and makes up no
/// number of its own.
pub trait AnalyticalPort {
    /// The answer to one request.
    ///
    /// # Errors
    /// As [`analyze`].
    fn analyze(&self, dataset: &Dataset, request: &Request) -> Result<Analysis, KernelError>;
}

/// Answers in this process, on the threads of the current pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl AnalyticalPort for InProcess {
    fn analyze(&self, dataset: &Dataset, request: &Request) -> Result<Analysis, KernelError> {
        analyze(dataset, request)
    }
}
