//! States that several workers compute apart and put together.

use std::ops::Range;

use rayon::prelude::*;

/// What is known of a part of the data, enough to answer for the whole once the parts are together.
///
/// [`Partial::merge`] is associative and commutative, and [`Partial::of`] of one chunk equals the merge over any split
/// of it, each bit for bit: so neither the number of workers nor the order in which they finish shows in an answer, and
/// a back end on several machines can run the family. Each family's documentation says which of its states are partials;
/// what needs all rows at once is computed in a stated order instead.
pub trait Partial: Sized {
    /// What it is computed from.
    type Chunk<'a>;
    /// What it gives once all of it is together.
    type Answer;

    /// Of one chunk of rows.
    fn of(chunk: Self::Chunk<'_>) -> Self;

    /// Of both chunks together.
    #[must_use]
    fn merge(self, other: Self) -> Self;

    /// The answer.
    fn finish(self) -> Self::Answer;
}

/// Rows in one chunk: 512 KiB of doubles, which a core's cache holds.
pub(crate) const CHUNK_ROWS: usize = 1 << 16;

/// Of all rows, in chunks on the threads of the current pool.
pub(crate) fn together<'a, T, P>(
    rows: &'a [T],
    chunk_rows: usize,
    of: impl Fn(&'a [T]) -> P + Send + Sync,
) -> P
where
    T: Sync,
    P: Partial + Send,
{
    together_over(rows.len(), chunk_rows, |range| of(&rows[range]))
}

/// The same of rows that are known by their places.
pub(crate) fn together_over<P>(
    n_rows: usize,
    chunk_rows: usize,
    of: impl Fn(Range<usize>) -> P + Send + Sync,
) -> P
where
    P: Partial + Send,
{
    #[cfg(test)]
    if let Some(apart) = apart::current() {
        return apart.together(n_rows, of);
    }
    let chunk_rows = chunk_rows.max(1);
    let chunk = |idx: usize| of(idx * chunk_rows..n_rows.min((idx + 1) * chunk_rows));
    let parts = (0..n_rows.div_ceil(chunk_rows)).into_par_iter().map(chunk);
    parts.reduce_with(P::merge).unwrap_or_else(|| of(0..0))
}

#[cfg(test)]
#[path = "tests/apart.rs"]
mod apart;
