//! Whole columns at once give what cells give one by one.

use super::{column, imported};
use crate::Measured;

const TABLE: &str = "whole,half,gap,text\n1,0.5,1,a\n-2,1e300,NA,b\n3,-0.25,,c\n";

#[test]
fn numbers_are_those_of_the_cells() {
    let dataset = imported(TABLE).dataset;
    for name in ["whole", "half", "gap"] {
        let column = column(&dataset, name);
        let by_cell: Vec<Option<f64>> = (0..3).map(|row_idx| column.number(row_idx).known()).collect();
        assert_eq!(column.numbers().unwrap().collect::<Vec<_>>(), by_cell, "{name}");
        assert_eq!(
            column.numbers_in(1..3).unwrap().collect::<Vec<_>>(),
            by_cell[1..],
            "{name}"
        );
        assert_eq!(
            column.numbers_known().collect::<Vec<_>>(),
            by_cell.iter().flatten().copied().collect::<Vec<_>>()
        );
        let valid: Vec<bool> = by_cell.iter().map(Option::is_some).collect();
        assert_eq!(column.validity().collect::<Vec<_>>(), valid, "{name}");
        assert_eq!(column.is_complete(), valid.iter().all(|valid| *valid));
    }
}

#[test]
fn slices_are_given_only_where_no_row_is_missing() {
    let dataset = imported(TABLE).dataset;
    assert_eq!(
        column(&dataset, "whole").as_integers(),
        Some([1, -2, 3].as_slice())
    );
    assert_eq!(column(&dataset, "whole").as_decimals(), None);
    assert_eq!(
        column(&dataset, "half").as_decimals(),
        Some([0.5, 1e300, -0.25].as_slice())
    );
    assert_eq!(column(&dataset, "half").as_integers(), None);
    // A placeholder stands where the row is missing, so there is no slice to read it from.
    assert_eq!(column(&dataset, "gap").as_integers(), None);
    assert_eq!(column(&dataset, "gap").n_missing(), 2);
}

#[test]
fn text_is_not_read_as_numbers() {
    let dataset = imported(TABLE).dataset;
    let text = column(&dataset, "text");
    assert!(text.numbers().is_none());
    assert_eq!(text.numbers_known().count(), 0);
    assert!(matches!(text.number(0), Measured::Refused(_)));
    assert_eq!(text.as_decimals(), None);
}
