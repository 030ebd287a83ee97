//! The claims that have an estimate as rows that a picture draws as one mark each.
//!
//! | claim | key | `first` | `second` | `term` | `count` |
//! |---|---|---|---|---|---|
//! | `pearson`, `spearman` | `pearson:<a>,<b>`, each pair once | a | b | `none` | rows used |
//! | `slope` | `slope:<response>,<term>` | the response | the term | `none` | rows used |
//! | `groupMean` | `groupMean:<response>,<column>,<group>` | the response | the group's name | `<response>~<column>` | rows in it |
//!
//! `estimate` stands between `lower` and `upper`. Where `interval` is `none` no interval is given, and both are the
//! estimate; else it is `given`. Estimates of different claims have different units: draw those of one claim together.
//! `about` names the rows that one picture can hold: those of one claim, and of one response and column of groups,
//! `<response>~<column>`. A claim without an estimate has no row here, and its output says why.

use identity::{Finite, SafeInteger};

use super::outputs;
use crate::error::KernelError;
use crate::leaf::{Columns, LeafColumn, LeafValues, RowKeys};
use crate::receipt::joined;
use crate::wire::v1::{DependencyClaim, DependencyContent, Interval};

const WORDS: [&str; 5] = ["claim", "first", "second", "term", "interval"];
const NUMBERS: [&str; 4] = ["estimate", "lower", "upper", "count"];
const NONE: &str = "none";

/// Rows on their way.
#[derive(Default)]
struct Rows {
    keys: Vec<String>,
    words: [Vec<String>; 6],
    numbers: [Vec<f64>; 4],
}

impl Rows {
    /// One claim with its names: first, second and, of the mean of a group, what the mean is of.
    fn add(
        &mut self,
        key: String,
        names: [&str; 4],
        estimate: Finite,
        interval: Option<&Interval>,
        count: SafeInteger,
    ) {
        self.keys.push(key);
        let [claim, first, second, term] = names;
        let given = if interval.is_some() { "given" } else { NONE };
        for (words, word) in self.words.iter_mut().zip([claim, first, second, term, given]) {
            words.push(word.to_owned());
        }
        let (lower, upper) =
            interval.map_or((estimate, estimate), |interval| (interval.lower, interval.upper));
        let numbers = [estimate.get(), lower.get(), upper.get(), count.get() as f64];
        for (numbers, number) in self.numbers.iter_mut().zip(numbers) {
            numbers.push(number + 0.0);
        }
    }
}

/// The leaf of an answer, in the order of the outputs.
pub(super) fn leaf(content: &DependencyContent) -> Result<Columns, KernelError> {
    let mut rows = Rows::default();
    for record in &content.correlations {
        let word = if record.claim == DependencyClaim::Pearson {
            "pearson"
        } else {
            "spearman"
        };
        if let Some(coefficient) = record.coefficient {
            let names = [record.first.as_str(), record.second.as_str()];
            rows.add(
                format!("{word}:{}", joined(&names)),
                [word, names[0], names[1], NONE],
                coefficient,
                record.interval.as_ref(),
                content.rows_used,
            );
        }
    }
    for record in &content.regressions {
        for slope in &record.slopes {
            let names = [record.response.as_str(), slope.term.as_str()];
            rows.add(
                format!("slope:{}", joined(&names)),
                ["slope", names[0], names[1], NONE],
                slope.estimate,
                slope.interval.as_ref(),
                content.rows_used,
            );
        }
    }
    for record in &content.variances {
        let term = outputs::term(&record.response, &record.group);
        for group in &record.groups {
            rows.add(
                format!(
                    "groupMean:{}",
                    joined(&[&record.response, &record.group, &group.name])
                ),
                ["groupMean", &record.response, &group.name, &term],
                group.mean,
                group.interval.as_ref(),
                group.count,
            );
        }
    }
    let words = WORDS.into_iter().zip(&rows.words);
    let words = words.map(|(name, words)| LeafColumn::new(name, LeafValues::of_words(words)));
    let numbers = NUMBERS.into_iter().zip(rows.numbers);
    let numbers = numbers.map(|(name, numbers)| LeafColumn::new(name, LeafValues::Numbers(numbers)));
    let columns = words.chain(numbers).collect();
    Ok(Columns::new(RowKeys::Keys(rows.keys), columns)?)
}
