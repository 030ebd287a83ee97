//! A protocol to start from.

use identity::SafeInteger;

use crate::wire::v1::{
    Arrangement, Condition, ConditionRole, Design, Hypothesis, HypothesisKind, Outcome, OutcomeRole,
    ProtocolBody, Task,
};

/// A protocol that is whole and says nothing yet: every text tells what belongs in its place.
#[must_use]
pub fn template() -> ProtocolBody {
    let own = str::to_owned;
    ProtocolBody {
        title: own("A title that says what is compared."),
        question: own("The question that the study is to answer, in a sentence."),
        hypotheses: vec![Hypothesis {
            id: own("H1"),
            kind: HypothesisKind::Confirmatory,
            statement: own("What is expected, so that it can turn out wrong."),
        }],
        design: Design {
            arrangement: Arrangement::WithinSubjects,
            conditions: vec![
                Condition {
                    id: own("stereo"),
                    role: ConditionRole::Treatment,
                    statement: own("What is studied: what participants see and on which device."),
                },
                Condition {
                    id: own("walls"),
                    role: ConditionRole::Control,
                    statement: own("What it is compared with."),
                },
            ],
            counterbalancing: own("How the order of conditions is balanced over participants."),
        },
        tasks: vec![Task {
            id: own("T1"),
            instruction: own("What a participant is told to do, word for word."),
            reading_task: own("COMPARE_RELATIVE"),
            max_seconds: SafeInteger::from(180),
        }],
        population: own("Who can take part, and how they are found."),
        exclusion: vec![own(
            "Who or what is left out of the analysis, decided before looking.",
        )],
        outcome_measures: vec![
            Outcome {
                id: own("accuracy"),
                role: OutcomeRole::Primary,
                statement: own("Share of correct answers, against the values that the kernel computed."),
                unit: None,
            },
            Outcome {
                id: own("time"),
                role: OutcomeRole::Secondary,
                statement: own("Time from the first frame to the answer."),
                unit: Some(own("s")),
            },
        ],
        planned_n: SafeInteger::from(24),
        stopping_rule: own("When the study ends."),
        analysis: own("How the answers are analyzed, and what would count against the hypothesis."),
        ethics_reference: own("The ethics application or waiver that the study stands under."),
    }
}
