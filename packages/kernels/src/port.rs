//! The analytical port: who answers requests.
//!
//! What a back end on several machines could do for a family follows from its states. A [`Partial`](crate::Partial) is a
//! sum or a sketch of bounded size: each machine computes it from its own rows, and they are merged in any order, as an
//! aggregate of DataFusion or Ballista would be. What needs all rows at once is computed on one machine in a stated order.
//!
//! | family | mergeable states | what needs all rows, and its bound |
//! |---|---|---|
//! | `statistics` | count, exact sums and sums of squares, extremes | type 7 quantiles by selection |
//! | `rows` | none: the values themselves, joined by key | the order of keys |
//! | `distribution` | counts by bin and by category, exact moments, weights on the knots of a density | bin edges and bandwidth by quantiles |
//! | `dependency` | exact sums of products of columns; sums by group | ranks |
//! | `density` | counts by cell, given the axes | the axes by quantiles |
//! | `cluster` | none | neighbors of every row: 200,000 rows for k-means, fewer for the others |
//! | `graph` | links by their ends | shortest paths, communities, layout: 200,000 nodes, 2 million links |
//! | `temporal` | exact sums of products for a straight line | the order of time |
//! | `projection` | none | principal components, and intervals that leave out one row at a time |
//!
//! The tests have such a back end: it cuts rows into small chunks, computes them in a scrambled order and merges them in
//! another, and every family with mergeable states answers with the same bytes (`tests/apart.rs`).

use std::ops::ControlFlow;

use dataset::Dataset;

use crate::analysis::{Analysis, analyze_with};
use crate::error::KernelError;
use crate::watch::{Listener, Progress};
use crate::wire::v1::Request;

/// Answers requests about datasets. What it answers is an [`Analysis`], which this crate alone makes: a back end that
/// computes on other machines hands its [`Partial`](crate::Partial) states to the families' finish, and makes up no
/// number of its own.
pub trait AnalyticalPort {
    /// The answer to one request, telling `listener` how far it is; [`unheard`] when nobody waits.
    ///
    /// # Errors
    /// As [`analyze_with`].
    fn analyze(
        &self,
        dataset: &Dataset,
        request: &Request,
        listener: &mut Listener<'_>,
    ) -> Result<Analysis, KernelError>;
}

/// Answers in this process, on the threads of the current pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct InProcess;

impl AnalyticalPort for InProcess {
    fn analyze(
        &self,
        dataset: &Dataset,
        request: &Request,
        listener: &mut Listener<'_>,
    ) -> Result<Analysis, KernelError> {
        analyze_with(dataset, request, listener)
    }
}

/// The listener where nobody waits: it never stops anything.
pub fn unheard(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
