//! The bins and levels of all columns as rows that a picture draws as one mark each.
//!
//! | column | of a bin | of a level |
//! |---|---|---|
//! | key | `bin:<variable>,<i>`, from 0 | `level:<variable>,<level>` |
//! | `variable` | the column | the column |
//! | `kind` | `bin` | `level` |
//! | `level` | the interval, such as `[0, 5)` | the level |
//! | `lower`, `upper` | the edges | its place k from 0 in UTF-16 order, and k + 1 |
//! | `count`, `share` | of the rows with a value in the column | the same |
//! | `shareLower`, `shareUpper` | Wilson's interval, or the share twice | the same |
//! | `interval` | `given`, or `none` when rows are declared to depend on each other | the same |
//!
//! Bins are there when a histogram was asked and made, levels always. Without either the leaf has no row.

use dataset::Column;

use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use crate::receipt::joined;
use crate::summary::declared_dependent;
use crate::wilson::Wilson;
use crate::wire::v1::distribution::{ColumnDistribution, Histogram};

/// Rows on their way.
#[derive(Default)]
struct Rows {
    keys: Vec<String>,
    /// Variable, kind, level, interval.
    words: [Vec<String>; 4],
    /// Lower, upper, count, share and the ends of the share's interval.
    numbers: [Vec<f64>; 6],
}

const WORDS: [&str; 4] = ["variable", "kind", "level", "interval"];
const NUMBERS: [&str; 6] = ["lower", "upper", "count", "share", "shareLower", "shareUpper"];

/// The leaf of the records, column by column in the order of the request.
pub(super) fn leaf(
    columns: &[&Column],
    records: &[ColumnDistribution],
    level: f64,
) -> Result<Columns, KernelError> {
    let mut rows = Rows::default();
    for (column, record) in columns.iter().zip(records) {
        if let Some(histogram) = &record.histogram {
            rows.add_bins(column, histogram, level);
        }
        for (place, one) in record.levels.iter().flatten().enumerate() {
            let share = one.share.get();
            let interval = one.lower.zip(one.upper);
            let ends = interval.map_or((share, share), |(lower, upper)| (lower.get(), upper.get()));
            rows.add(
                format!("level:{}", joined(&[column.name(), &one.level])),
                [column.name(), "level", &one.level, given(interval.is_some())],
                [
                    place as f64,
                    place as f64 + 1.0,
                    one.count.get() as f64,
                    share,
                    ends.0,
                    ends.1,
                ],
            );
        }
    }
    let words = WORDS.into_iter().zip(&rows.words);
    let words = words.map(|(name, words)| LeafColumn::new(name, LeafValues::of_words(words)));
    let numbers = NUMBERS.into_iter().zip(rows.numbers);
    let numbers = numbers.map(|(name, numbers)| LeafColumn::new(name, LeafValues::Numbers(numbers)));
    let all = words.chain(numbers).collect();
    Ok(Columns::new(RowKeys::Keys(rows.keys), all)?)
}

const fn given(is_given: bool) -> &'static str {
    if is_given { "given" } else { "none" }
}

impl Rows {
    fn add(&mut self, key: String, words: [&str; 4], numbers: [f64; 6]) {
        self.keys.push(key);
        for (words, word) in self.words.iter_mut().zip(words) {
            words.push(word.to_owned());
        }
        for (numbers, number) in self.numbers.iter_mut().zip(numbers) {
            numbers.push(number + 0.0);
        }
    }

    fn add_bins(&mut self, column: &Column, histogram: &Histogram, level: f64) {
        let counts: Vec<usize> = histogram.counts.iter().map(|n| n.get() as usize).collect();
        let n: usize = counts.iter().sum();
        let is_independent = !declared_dependent(column.model().observation_structure());
        let wilson = is_independent.then(|| Wilson::new(n, level));
        for (bin, n_in_bin) in counts.iter().enumerate() {
            let (lower, upper) = (histogram.edges[bin], histogram.edges[bin + 1]);
            let close = if bin + 1 == counts.len() { ']' } else { ')' };
            let share = *n_in_bin as f64 / n as f64;
            let ends = wilson
                .as_ref()
                .map_or((share, share), |wilson| wilson.interval(*n_in_bin));
            self.add(
                format!("bin:{}", joined(&[column.name(), &bin.to_string()])),
                [
                    column.name(),
                    "bin",
                    &format!("[{lower}, {upper}{close}"),
                    given(wilson.is_some()),
                ],
                [lower.get(), upper.get(), *n_in_bin as f64, share, ends.0, ends.1],
            );
        }
    }
}
