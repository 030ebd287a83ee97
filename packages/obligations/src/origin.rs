//! Where an obligation comes from: the rule of the policy, by a name that leads back to it.

use crate::Policy;
use crate::body::predicate_word;
use crate::fixed::Origin;
use crate::policy::{covers_family, covers_role};
use crate::subject::Subject;
use crate::wire::policy::v1::{PropertyKind, RoleFilter, Rule};

/// `nemosyne:policy/obligations@1 rows/quantitativeValues/foreground/ORDER`, with its sentence.
pub(crate) fn of_rule(policy: &Policy, rule: &Rule) -> Origin {
    Origin {
        rule: format!(
            "{} {}/{}/{}/{}",
            name(policy),
            rule.family,
            kind_word(rule.property_kind),
            filter_word(rule.role),
            predicate_word(rule.predicate)
        ),
        sentence: rule.sentence.clone(),
    }
}

/// The rule that would bind a background meaning if the perspective named it; the silence about it, when none would.
pub(crate) fn of_outside(policy: &Policy, subject: &Subject<'_>) -> Origin {
    let of_kind = |rule: &&Rule| {
        rule.property_kind == subject.kind && covers_family(&rule.family, &subject.source.family)
    };
    if let Some(rule) = policy.rules().iter().find(of_kind) {
        return of_rule(policy, rule);
    }
    let silence = policy.silences().iter().find(|silence| {
        silence.property_kinds.contains(&subject.kind)
            && covers_family(&silence.family, &subject.source.family)
            && covers_role(silence.role, subject.role)
    });
    Origin {
        rule: format!(
            "{} {}/{}/background",
            name(policy),
            subject.source.family,
            kind_word(subject.kind)
        ),
        sentence: silence.map_or_else(String::new, |silence| silence.reason.clone()),
    }
}

fn name(policy: &Policy) -> String {
    let pinned = policy.pinned();
    format!("{}@{}", pinned.id, pinned.version)
}

const fn filter_word(role: RoleFilter) -> &'static str {
    match role {
        RoleFilter::Foreground => "foreground",
        RoleFilter::Grouping => "grouping",
        RoleFilter::HeldConstant => "heldConstant",
        RoleFilter::ComparisonFrame => "comparisonFrame",
        RoleFilter::TemporalFrame => "temporalFrame",
        RoleFilter::Background => "background",
        RoleFilter::Any => "any",
    }
}

const fn kind_word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Output => "output",
        PropertyKind::Coverage => "coverage",
        PropertyKind::QuantitativeValues => "quantitativeValues",
        PropertyKind::CategoricalValues => "categoricalValues",
        PropertyKind::RowKeys => "rowKeys",
        PropertyKind::RowCounts => "rowCounts",
        PropertyKind::Relation => "relation",
        PropertyKind::Mean => "mean",
        PropertyKind::MeanInterval => "meanInterval",
        PropertyKind::StandardDeviation => "standardDeviation",
        PropertyKind::Count => "count",
        PropertyKind::Missing => "missing",
        PropertyKind::Extreme => "extreme",
        PropertyKind::Quantile => "quantile",
        PropertyKind::AbsentProperty => "absentProperty",
        PropertyKind::Finding => "finding",
        PropertyKind::FindingAmounts => "findingAmounts",
        PropertyKind::FindingGroups => "findingGroups",
        PropertyKind::FindingValues => "findingValues",
    }
}
