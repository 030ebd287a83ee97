//! Every obligation leads back to its rule, and what the perspective does not name stands outside.

use snapshot::SnapshotView as _;

use super::fixture::penguins;
use super::{POLICY, commit, derived, draft, policy};
use crate::predicate_word;

#[test]
fn an_obligation_names_its_rule_and_says_it() {
    let (_, fixed) = derived(&draft(), &penguins());
    assert_eq!(fixed.policy(), "nemosyne:policy/obligations@1");
    for obligation in fixed.obligations() {
        let origin = fixed.rule(obligation.id).unwrap();
        let word = predicate_word(obligation.requirement_predicate_ref.predicate);
        assert!(
            origin.rule.starts_with("nemosyne:policy/obligations@1 "),
            "{origin:?}"
        );
        assert!(origin.rule.ends_with(&format!("/{word}")), "{origin:?}");
        assert!(POLICY.contains(&origin.sentence), "{origin:?}");
    }
    let order = fixed
        .of_predicate(crate::wire::v1::Predicate::Order)
        .next()
        .unwrap();
    assert_eq!(
        fixed.rule(order.id).unwrap().rule,
        "nemosyne:policy/obligations@1 rows/quantitativeValues/foreground/ORDER"
    );
}

#[test]
fn what_the_perspective_names_stands_inside_and_the_rest_outside() {
    let snapshot = penguins().seal();
    let values = |column: &str| {
        let producer = format!("column:{column}");
        let node = snapshot
            .body()
            .nodes
            .iter()
            .find(|node| node.producer_semantic_id == producer && node.property_path == "values");
        node.unwrap().node_id
    };
    let with = crate::derive(&snapshot, &commit(&draft(), &snapshot), &policy()).unwrap();
    for column in ["flipper_length_mm", "species"] {
        assert_eq!(with.outside(values(column)), None, "{column}");
    }
    let ungrouped = draft().clear_foreground().foreground("flipper_length_mm");
    let without = crate::derive(&snapshot, &commit(&ungrouped, &snapshot), &policy()).unwrap();
    let outside = without.outside(values("species")).unwrap();
    assert!(
        outside
            .rule
            .starts_with("nemosyne:policy/obligations@1 rows/categoricalValues/"),
        "{outside:?}"
    );
    assert!(POLICY.contains(&outside.sentence), "{outside:?}");
    assert!(without.outside(values("body_mass_g")).is_some());
    assert_eq!(without.outside(values("flipper_length_mm")), None);
    assert!(snapshot.body().node(values("species")).is_some());
}
