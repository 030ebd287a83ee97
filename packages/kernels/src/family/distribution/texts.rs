//! What is said in words about a column's distribution.

use dataset::{Column, ColumnKind, ObservationStructure, Scale};

use crate::limitation::{Limitation, LimitationCode, counted};
use crate::wire::v1::distribution::ColumnDistribution;

/// Why a property of a column is absent.
pub(super) fn absence(column: &Column, record: &ColumnDistribution) -> &'static str {
    if column.kind() == ColumnKind::Categorical {
        return "the column names groups; their counts are in its levels";
    }
    match record.count.get() {
        0 => "the column has no value",
        _ if record.levels.is_none() && record.histogram.is_some() && record.kernel_density.is_some() => {
            "the column holds numbers, not names of groups"
        }
        _ => "the limitations say why",
    }
}

/// Says how many values are missing.
pub(super) fn missing(column: &Column, n_used: usize) -> Option<Limitation> {
    let n_missing = column.n_rows() - n_used;
    (n_missing > 0).then(|| {
        let text = format!("{} missing", counted(n_missing, "value"));
        Limitation::new(LimitationCode::RowsExcludedMissing, text).about(column.name())
    })
}

/// Says that independence is assumed, unless somebody declared it.
pub(crate) fn independence(column: &Column, what: &str) -> Option<Limitation> {
    let declared = column.model().observation_structure() == ObservationStructure::Iid;
    (!declared).then(|| {
        let text = format!("{what} independent rows, which the data can't show");
        Limitation::new(LimitationCode::IndependenceUntested, text).about(column.name())
    })
}

/// Says that rows declared to depend on each other get no interval.
pub(super) fn no_interval(column: &Column) -> Limitation {
    let structure = column.model().observation_structure();
    let text = format!("the rows are declared {structure}, so no interval for independent rows is given");
    Limitation::new(LimitationCode::IntervalNotGiven, text).about(column.name())
}

/// Per unit of the column, where its unit is known.
pub(super) fn reciprocal_unit(column: &Column) -> Option<(String, String)> {
    let unit = column.model().unit()?;
    let status = unit.status().word().to_owned();
    let is_one = unit.text().chars().all(char::is_alphanumeric);
    let text = if is_one {
        format!("1/{}", unit.text())
    } else {
        format!("1/({})", unit.text())
    };
    Some((text, status))
}

/// Whether the order of the values means something.
pub(super) fn allows_order(scale: Scale) -> bool {
    allows_bins(scale) && scale != Scale::Circular
}

/// Whether sums and differences of the values mean something.
pub(super) fn allows_differences(scale: Scale) -> bool {
    allows_order(scale) && scale != Scale::Ordinal
}

/// Whether neighboring values are alike, so that counting them together means something.
pub(super) fn allows_bins(scale: Scale) -> bool {
    !matches!(scale, Scale::Identifier | Scale::Nominal)
}
