//! Study use: what the study's owner granted for exactly this picture, and which claims it covers.
//!
//! A study relaxes one thing alone: a claim that nobody is known to read may be executed when the grant names its mapping,
//! its claim and, where harm is known, that harm. Evidence, obligations, mechanical carriage and budgets are asked for as
//! ever, by the stages that ask for them in production.

use knowledge::wire::v1::{DeviceClass, Mapping};
use obligations::predicate_word;
use obligations::wire::v1::{Obligation, Predicate};
use refusal::{Diagnostics, Reason, Refusal, Stage};

use crate::bindings;
use crate::compile::{self, Drafted, variant_name};
use crate::coverage;
use crate::{
    Answer, Authorities, FormaInput, GrantedMapping, RequestedUse, StudyGrant, StudyStanding,
    WithheldBecause, compiler_ref,
};

const STAGE: Stage = Stage::BindingUse;
const RULE: &str = "nemosyne:policy/qualification";

/// Marks the identity of a study's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyProtocolKind {}

/// Marks the identity of a study's freeze.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyFreezeKind {}

/// Marks the identity of a study authorization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyAuthorizationKind {}

impl identity::Kind for StudyProtocolKind {
    const TAG: &'static str = "study-protocol-v1";
}

impl identity::Kind for StudyFreezeKind {
    const TAG: &'static str = "study-freeze-v2";
}

impl identity::Kind for StudyAuthorizationKind {
    const TAG: &'static str = "study-authorization-v1";
}

/// The running study of an authorization, by the study owner's present answer.
///
/// # Errors
/// A [`Refusal`] when the owner knows no such authorization, holds it and withholds it, or finds it damaged. Its stage is
/// the one of admission; adoption says its own.
pub fn running_study(
    authorities: &dyn Authorities,
    reference: &str,
) -> Result<Box<StudyGrant>, Box<Refusal>> {
    let refusal = match authorities.study(reference) {
        Answer::Known(StudyStanding::Runs(grant)) => return Ok(grant),
        Answer::Known(StudyStanding::Withheld(withheld)) => {
            let (reason, text) = match withheld.because {
                WithheldBecause::Expired => (Reason::AuthorizationExpired, "is past its end"),
                WithheldBecause::NotYet => (Reason::WrongAuthorization, "is not valid yet"),
                WithheldBecause::Ended => (Reason::WrongAuthorization, "was ended: the study is not running"),
                WithheldBecause::Unfounded => (Reason::WrongAuthorization, "does not count"),
            };
            let text = format!("The study authorization {reference} {text}: {}", withheld.why);
            Refusal::new(STAGE, reason, text)
        }
        Answer::Absent => Refusal::new(
            STAGE,
            Reason::NoStudyAuthorization,
            format!("The study owner knows no authorization {reference}."),
        ),
        Answer::Tampered(why) => Refusal::new(
            Stage::DecodeIntegrity,
            Reason::Integrity,
            format!("The study authorization {reference} is damaged: {why}"),
        ),
    };
    Err(Box::new(next(refusal.about(reference))))
}

fn next(refusal: Refusal) -> Refusal {
    refusal
        .under(RULE)
        .next("Ask the study's owner for an authorization of the frozen protocol, or use production.")
}

/// Study use needs the study owner's present answer for exactly this graph, question, knowledge and compiler.
pub(crate) fn check(input: &FormaInput<'_>, found: &mut Diagnostics) -> Option<Box<StudyGrant>> {
    let RequestedUse::Study { authorization } = input.requested_use else {
        return None;
    };
    let Some(reference) = authorization else {
        let text = "Study use was asked for without an authorization.";
        found.push(next(Refusal::new(STAGE, Reason::NoStudyAuthorization, text)));
        return None;
    };
    let grant = match running_study(input.authorities, reference) {
        Ok(grant) => grant,
        Err(refusal) => {
            found.push(*refusal);
            return None;
        }
    };
    let mut fits = true;
    for (same, text, subject) in elsewhere(input, &grant) {
        if !same {
            fits = false;
            found.push(next(
                Refusal::new(STAGE, Reason::WrongAuthorization, text).about(subject),
            ));
        }
    }
    fits.then_some(grant)
}

/// What the grant is bound to, compared with what is asked for.
fn elsewhere(input: &FormaInput<'_>, grant: &StudyGrant) -> [(bool, String, String); 4] {
    let reference = &grant.reference;
    let scope = &input.context.body().policy_scope_ref;
    let compiler = compiler_ref();
    [
        (
            grant.treatments.contains(&input.graph.id()),
            format!("The study authorization {reference} names other treatments than this graph."),
            input.graph.id().to_string(),
        ),
        (
            &grant.scope == scope,
            format!(
                "The study authorization {reference} is for the scope {}@{}; this question was committed under {}@{}.",
                grant.scope.id, grant.scope.version, scope.id, scope.version
            ),
            scope.id.clone(),
        ),
        (
            grant.knowledge == input.manifest.id(),
            format!("The study of {reference} was frozen under other knowledge than is at hand."),
            input.manifest.id().to_string(),
        ),
        (
            grant.compiler == compiler,
            format!(
                "The study of {reference} was frozen with compiler {}; this is {}.",
                grant.compiler.version, compiler.version
            ),
            compiler.id.clone(),
        ),
    ]
}

/// Why the grant is not for a device, if it is not.
pub(crate) fn device(grant: &StudyGrant, device: DeviceClass) -> Option<Refusal> {
    if grant.devices.contains(&device) {
        return None;
    }
    let refusal = Refusal::new(
        STAGE,
        Reason::WrongAuthorization,
        format!(
            "The study authorization {} is not for {device:?}; it is for {:?}.",
            grant.reference, grant.devices
        ),
    );
    Some(next(refusal.about(variant_name(device))))
}

/// A carrier that nobody is known to read, and what a study would have to name for it.
pub(crate) struct Lacking {
    pub(crate) control: GrantedMapping,
    /// Which qualification is missing.
    text: String,
}

impl Lacking {
    pub(crate) fn new(mapping: Mapping, claim: Predicate, harm: Option<&str>, text: String) -> Self {
        Self {
            control: GrantedMapping {
                mapping,
                claim,
                contraindication: harm.map(str::to_owned),
            },
            text,
        }
    }
}

/// A claim that must be kept, is carried, and that nobody is known to read.
pub(crate) struct Unread<'a> {
    pub(crate) variant: &'a str,
    pub(crate) obligation: &'a Obligation,
    pub(crate) sentence: &'a str,
    pub(crate) lacking: &'a [Lacking],
}

/// Whether an unread claim may be executed for the use asked for; what stands against it is pushed. In study use without
/// a grant the missing grant was pushed already.
pub(crate) fn permit(
    input: &FormaInput<'_>,
    grant: Option<&StudyGrant>,
    unread: &Unread<'_>,
    found: &mut Diagnostics,
) {
    match (input.requested_use, grant) {
        (RequestedUse::Production, _) => {
            // Of the device asked for alone: what is recorded of the other devices depends on no study at hand.
            if found.is_empty()
                && unread.variant == variant_name(input.device)
                && let Some(reference) = input.authorities.treatment(input.graph.id())
            {
                found.push(treatment(input, &reference));
            }
            found.push(unread.unqualified());
        }
        (RequestedUse::Study { .. }, Some(grant)) => {
            if let Some(refusal) = unread.ungranted(grant) {
                found.push(refusal);
            }
        }
        (RequestedUse::Study { .. }, None) => {}
    }
}

/// The picture is known to be a treatment, so its refusal says more than that a qualification is missing.
fn treatment(input: &FormaInput<'_>, reference: &str) -> Refusal {
    let text = format!(
        "This picture is a frozen treatment of the study of {reference}. What it shows is withheld from production until \
         the mapping is qualified by a decision of its own."
    );
    Refusal::new(STAGE, Reason::StudyOnly, text)
        .about(input.graph.id().to_string())
        .under(RULE)
        .next("Ask for study use with the authorization, or for production with a recipe of qualified mappings.")
}

impl Unread<'_> {
    fn unqualified(&self) -> Refusal {
        let lacking: Vec<&str> = self.lacking.iter().map(|one| one.text.as_str()).collect();
        self.not_qualified(format!(
            "On {}, nobody has shown that people read this correctly: {} Missing: {}",
            self.variant,
            self.sentence,
            lacking.join("; ")
        ))
        .next("Use a recipe with qualified mappings, or ask for study use with an authorization.")
    }

    /// Some carrier must be named for the claim, and every known harm among the carriers must be.
    fn ungranted(&self, grant: &StudyGrant) -> Option<Refusal> {
        let withheld = grant.withheld.contains(&self.predicate());
        let is_named = |lacking: &&Lacking| withheld && grant.mappings.contains(&lacking.control);
        let is_harm = |lacking: &&Lacking| lacking.control.contraindication.is_some();
        let harm = self.lacking.iter().find(|one| is_harm(one) && !is_named(one));
        if harm.is_none() && self.lacking.iter().any(|one| is_named(&one)) {
            return None;
        }
        let unnamed: Vec<String> = self
            .lacking
            .iter()
            .filter(|one| !is_named(one))
            .map(|one| one.control.word())
            .collect();
        let text = if withheld {
            format!(
                "On {}, the study of {} does not name what this rests on: {} Not named: {}",
                self.variant,
                grant.reference,
                self.sentence,
                unnamed.join("; ")
            )
        } else {
            format!(
                "On {}, the study of {} does not withhold {} from production, so its treatments may not claim it unqualified: {}",
                self.variant,
                grant.reference,
                predicate_word(self.predicate()),
                self.sentence
            )
        };
        Some(
            self.not_qualified(text)
                .next("Freeze the study with this mapping, claim and harm named, and have it accepted and authorized again."),
        )
    }

    fn predicate(&self) -> Predicate {
        self.obligation.requirement_predicate_ref.predicate
    }

    /// `NOT_QUALIFIED`, with a known harm as its cause.
    fn not_qualified(&self, text: String) -> Refusal {
        let refusal = Refusal::new(STAGE, Reason::NotQualified, text)
            .about(self.obligation.id.to_string())
            .under(RULE);
        let harm = self.lacking.iter().find_map(|one| {
            let decision = one.control.contraindication.as_ref()?;
            Some(Refusal::new(STAGE, Reason::Contraindicated, one.text.as_str()).about(decision))
        });
        match harm {
            Some(harm) => refusal.because(harm),
            None => refusal,
        }
    }
}

/// What a study has to name before this picture may be executed in it on the device asked for: for each claim that must be
/// kept and that nobody is known to read, its mappings and the harm that is known of each. Empty when all is qualified, or
/// when the picture is refused for another reason.
#[must_use]
pub fn controls(input: &FormaInput<'_>) -> Vec<GrantedMapping> {
    let device = input
        .capability
        .devices
        .iter()
        .find(|one| one.device == input.device);
    let (Some(device), Some(leaf)) = (device, compile::rows_leaf(input)) else {
        return Vec::new();
    };
    let spans = coverage::spans(leaf.1);
    let drafted = compile::variant(input, leaf, device);
    let said = drafted.as_ref().ok().map(Drafted::said);
    let name = variant_name(device.device);
    bindings::standing(input, None, name, device, &spans, said.as_ref()).controls
}
