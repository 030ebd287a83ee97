//! Context and identity: does everything handed in speak about the same thing?

use refusal::{Diagnostics, Reason, Refusal, Stage};

use crate::{Answer, FormaInput};

const STAGE: Stage = Stage::ContextIdentity;

pub(crate) fn check(input: &FormaInput<'_>, found: &mut Diagnostics) {
    let dataset = &input.snapshot.body().analytical_dataset_fingerprint;
    let context = input.context.body();
    if &context.analytical_dataset_fingerprint != dataset {
        found.push(
            Refusal::new(
                STAGE,
                Reason::WrongSubject,
                "The question was committed for another dataset.",
            )
            .about(context.analytical_dataset_fingerprint.to_string())
            .about(dataset.to_string())
            .next("Commit the question again for the dataset at hand."),
        );
    }
    let fixed = input.obligations.set();
    let graph = input.graph.body();
    let subjects = [
        (
            fixed.body().snapshot_id == input.snapshot.id(),
            "The obligations were derived from another snapshot.",
            fixed.body().snapshot_id.to_string(),
        ),
        (
            fixed.body().context_id == input.context.id(),
            "The obligations were derived for another context.",
            fixed.body().context_id.to_string(),
        ),
        (
            graph.snapshot_id == input.snapshot.id(),
            "The graph was proposed for another snapshot.",
            graph.snapshot_id.to_string(),
        ),
        (
            graph.context_id == input.context.id(),
            "The graph was proposed for another context.",
            graph.context_id.to_string(),
        ),
        (
            graph.obligation_set_id == fixed.id(),
            "The graph was proposed under other obligations.",
            graph.obligation_set_id.to_string(),
        ),
    ];
    for (same, text, subject) in subjects {
        if !same {
            found.push(
                Refusal::new(STAGE, Reason::WrongSubject, text)
                    .about(subject)
                    .next("Propose again from the current snapshot, context and obligations."),
            );
        }
    }
    pinned(input, found);
    match input
        .table
        .capability(&input.manifest.body().capability_table_ref)
    {
        Ok(table) if table == input.capability => {}
        Ok(_) => found.push(
            Refusal::new(
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                "The capability table at hand is not the one that the manifest pins.",
            )
            .about(input.manifest.id().to_string())
            .next("Use the capability table this program ships."),
        ),
        Err(error) => found.push(error.refusal().during(Stage::FixedPolicy)),
    }
}

/// Each policy that took part is the one that the program pins.
fn pinned(input: &FormaInput<'_>, found: &mut Diagnostics) {
    let manifest = input.manifest.body();
    let policies = [
        &input.obligations.set().body().policy_ref,
        &input.context.body().policy_scope_ref,
        &manifest.qualification_policy_ref,
        &manifest.capability_table_ref,
    ];
    for policy in policies {
        let refusal = match input.authorities.policy(&policy.id) {
            Answer::Known(known) if &known == policy => continue,
            Answer::Known(known) => Refusal::new(
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                format!(
                    "Policy {} is pinned at version {} ({}), not at version {} ({}).",
                    policy.id, known.version, known.digest, policy.version, policy.digest
                ),
            ),
            Answer::Absent => Refusal::new(
                Stage::FixedPolicy,
                Reason::UnauthorizedPolicy,
                format!("This program pins no policy named {}.", policy.id),
            ),
            Answer::Tampered(why) => Refusal::new(
                Stage::DecodeIntegrity,
                Reason::Integrity,
                format!("The pinned policy {} is damaged: {why}", policy.id),
            ),
        };
        found.push(
            refusal
                .about(policy.id.clone())
                .under(format!("{}@{}", policy.id, policy.version))
                .next("Use the policies this program ships."),
        );
    }
}
