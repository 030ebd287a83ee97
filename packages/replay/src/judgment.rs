//! Five facts about a package, none of which implies another.

use std::path::Path;

use custody::Custody;
use evidence::Dispositions as _;
use forma::{Answer, Authorities as _};
use package::{Fact, Limits, Opened, Verdict};
use refusal::{Reason, Refusal, Stage};

use crate::Replay;
use crate::current::readmit_with;
use crate::exact::attempt;

/// One fact with the sentence that people read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is so, and why not.
    pub fact: Fact,
    /// In a sentence.
    pub sentence: String,
}

impl Finding {
    fn holds(sentence: impl Into<String>) -> Self {
        Self {
            fact: Fact::Holds,
            sentence: sentence.into(),
        }
    }

    fn fails(start: &str, refusal: Refusal) -> Self {
        let sentence = format!("{start}: {}", refusal.cause().text);
        Self {
            fact: Fact::Fails(Box::new(refusal)),
            sentence,
        }
    }
}

/// The five facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// Every byte is the one that was written.
    pub intact: Finding,
    /// Everything that the decision rests on is there.
    pub complete: Finding,
    /// The recorded decision is reproduced exactly.
    pub replayable: Finding,
    /// The recorded decision would be admitted now, here.
    pub executable_now: Finding,
    /// Who vouches for what it rests on; nobody vouches for its author.
    pub trusted_by: Finding,
    /// The replay behind `replayable`, when there was something to replay.
    pub replay: Option<Replay>,
}

/// Judges the package at `path`.
#[must_use]
pub fn judge(path: &Path, custody: &Custody) -> Judgment {
    let (verdict, opened) = package::examine(path, &Limits::DEFAULT);
    match opened {
        Some(opened) => judge_opened(&opened, custody),
        None => unopened(&verdict),
    }
}

/// Judges a package that was opened, hence is intact and complete.
#[must_use]
pub fn judge_opened(opened: &Opened, custody: &Custody) -> Judgment {
    let members = opened.manifest().members.len() + 1;
    let intact = Finding::holds(format!(
        "Intact: all {members} members and {} bytes are the recorded ones, under {}.",
        opened.archive_bytes(),
        opened.investigation_digest()
    ));
    let complete = Finding::holds(format!(
        "Complete: every reference resolves exactly once, among them {} artifacts.",
        opened.artifacts().len()
    ));
    let (replay, facts) = attempt(opened, custody);
    let replayable = match replay.outcome.refusal() {
        None => Finding::holds(format!(
            "Replayable: {} steps came out as recorded, and so did the plan, byte for byte.",
            replay.checks.len()
        )),
        Some(refusal) => Finding::fails("Not replayable", refusal.clone()),
    };
    let device = opened.record().body().input_commitments.device;
    let executable_now = match &facts {
        Err(error) => Finding::fails("Not executable now", error.refusal()),
        Ok(facts) => match readmit_with(opened, custody, device, facts) {
            Ok((admission, _)) => Finding::holds(format!(
                "Executable now: admitted again for {:?} on {device:?}, as {}.",
                admission.record().body().permitted_use,
                admission.record().id().short()
            )),
            Err(refused) => Finding::fails("Not executable now", refused.primary().clone()),
        },
    };
    Judgment {
        intact,
        complete,
        replayable,
        executable_now,
        trusted_by: trust(opened, custody),
        replay: Some(replay),
    }
}

fn unopened(verdict: &Verdict) -> Judgment {
    let finding = |fact: &Fact, yes: &str, no: &str| match fact {
        Fact::Holds => Finding::holds(yes),
        Fact::Fails(refusal) => Finding::fails(no, (**refusal).clone()),
    };
    let cause = verdict.intact.refusal().or_else(|| verdict.complete.refusal());
    let judged = |no: &str| {
        let text = "it was not judged, because the package does not open";
        let mut refusal = Refusal::new(Stage::DecodeIntegrity, Reason::Integrity, text)
            .next("fetch an intact copy, or build the package again from its data");
        if let Some(cause) = cause {
            refusal = Refusal::new(cause.stage(), cause.reason(), text)
                .next(cause.retry().unwrap_or("fetch an intact copy"))
                .because(cause.clone());
        }
        Finding::fails(no, refusal)
    };
    Judgment {
        intact: finding(
            &verdict.intact,
            "Intact: every byte is the recorded one.",
            "Not intact",
        ),
        complete: finding(
            &verdict.complete,
            "Complete: every reference resolves.",
            "Not complete",
        ),
        replayable: judged("Not replayable"),
        executable_now: judged("Not executable now"),
        trusted_by: judged("Trusted by nobody"),
        replay: None,
    }
}

/// Whether custody vouches for the policies, the knowledge and the evidence that the decision rests on.
fn trust(opened: &Opened, custody: &Custody) -> Finding {
    let record = opened.record().body();
    let doubt = |reason, text: String, subject: String| {
        let refusal = Refusal::new(Stage::AdoptionRecheck, reason, text)
            .about(subject)
            .next("adapt the package, or ask whoever holds the policy or evidence");
        Finding::fails("Trusted by nobody here", refusal)
    };
    for policy in &record.input_commitments.policy_refs {
        match custody.policy(&policy.id) {
            Answer::Known(known) if known == *policy => {}
            Answer::Known(_) | Answer::Absent | Answer::Tampered(_) => {
                let text = format!(
                    "the policy {}@{} is not one this program pins",
                    policy.id, policy.version
                );
                return doubt(Reason::UnauthorizedPolicy, text, policy.id.clone());
            }
        }
    }
    if let Err(refusal) = crate::held::manifest(opened, custody) {
        return Finding::fails("Trusted by nobody here", *refusal);
    }
    for entry in &record.evidence_dispositions {
        let standing = custody.disposition(&entry.evidence_use);
        if !matches!(standing, evidence::Disposition::Valid { .. }) {
            return Finding::fails("Trusted by nobody here", standing.refusal(&entry.evidence_use));
        }
    }
    Finding::holds(format!(
        "Trusted by {}. The package itself is not signed: who wrote it is not established.",
        custody.trust_statement()
    ))
}
