//! What each predicate asks of a binding that claims it, in words for whoever proposes. The checker is the rule; this
//! says it.

use obligations::wire::v1::Predicate;

/// What a binding needs to carry a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Property paths of the node that it shows; empty when the obligation's own node is meant.
    pub paths: &'static [&'static str],
    /// The rule in a sentence.
    pub sentence: &'static str,
}

/// What a predicate asks for.
#[must_use]
pub const fn demand(predicate: Predicate) -> Demand {
    const ORDERED: &str = "position along an axis by linear, log10, sqrt or symlog, over a domain that holds every value, \
        with the values taking at least a tenth of the volume's edge";
    let (paths, sentence): (&'static [&'static str], &'static str) = match predicate {
        Predicate::Order | Predicate::Sequence => (&[], ORDERED),
        Predicate::Difference => (&[], "as ORDER, by the linear transform"),
        Predicate::Ratio => (&[], "a length that starts at zero, by the linear transform"),
        Predicate::Units => (
            &[],
            "legible text at the variable's axis that states its unit, or that none is stated",
        ),
        Predicate::Support => (
            &["rowsUsed"],
            "legible text on the caveat board, bound to the count of rows that were used",
        ),
        Predicate::Missingness => (
            &["rowsExcluded"],
            "legible text on the caveat board, bound to the count of rows that were left out",
        ),
        Predicate::Uncertainty => (
            &["meanInterval", "interval", "standardError"],
            "legible text bound to an interval or standard error of the same column",
        ),
        Predicate::Approximation | Predicate::EpistemicStatus => (
            &["totalRows"],
            "legible text on the caveat board, bound to the count of all rows",
        ),
        Predicate::Limitation => (
            &[],
            "legible text on the caveat board, bound to a variable's values, under which the board says every limitation",
        ),
        Predicate::DetailAvailable | Predicate::Unavailability => (
            &["rowKeys"],
            "legible text on the caveat board, bound to the keys of the rows",
        ),
        Predicate::Identity => (
            &[],
            "one mark a row, of kind POINT_IDENTITY, in the volume or on a wall",
        ),
        Predicate::Membership => (
            &[],
            "hue with shape of one mark a row over at most eight categories, or legible text of the categories",
        ),
        Predicate::Relation => (
            &[],
            "one mark a row, of kind POINT_IDENTITY, in the volume or on a wall",
        ),
    };
    Demand { paths, sentence }
}
