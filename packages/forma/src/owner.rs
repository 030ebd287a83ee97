//! Which rule is behind a refusal: its name, and what it says.

use identity::Identity;
use obligations::ObligationKind;
use refusal::{Reason, Refusal, Stage};

use crate::FormaInput;

/// A refusal of fixed policy under the rule that fixed an obligation, with the rule's sentence.
pub(crate) fn refuse(
    input: &FormaInput<'_>,
    obligation: Identity<ObligationKind>,
    reason: Reason,
    text: &str,
) -> Refusal {
    refuse_at(Stage::FixedPolicy, input, obligation, reason, text)
}

/// The same at another stage.
pub(crate) fn refuse_at(
    stage: Stage,
    input: &FormaInput<'_>,
    obligation: Identity<ObligationKind>,
    reason: Reason,
    text: &str,
) -> Refusal {
    match input.obligations.rule(obligation) {
        Some(rule) => Refusal::new(stage, reason, format!("{text} The rule: {}", rule.sentence))
            .under(rule.rule.clone()),
        None => Refusal::new(stage, reason, text).under(input.obligations.policy()),
    }
}
