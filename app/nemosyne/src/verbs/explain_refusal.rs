//! `nemosyne explain-refusal`: the page of a code.

use refusal::{Code, Reason, Refusal, Stage};

use crate::cli::ExplainRefusal;
use crate::output::{Report, Stop};

macro_rules! page {
    ($code:literal) => {
        include_str!(concat!("../../../../assets/refusals/", $code, ".md"))
    };
}

/// The page of a code, as it ships.
pub(crate) const fn page(code: Code) -> &'static str {
    match code {
        Code::InvalidInput => page!("INVALID_INPUT"),
        Code::SemanticsUnsupported => page!("SEMANTICS_UNSUPPORTED"),
        Code::EvidenceUnavailable => page!("EVIDENCE_UNAVAILABLE"),
        Code::ClaimNotAdmissible => page!("CLAIM_NOT_ADMISSIBLE"),
        Code::ContextIncompatible => page!("CONTEXT_INCOMPATIBLE"),
        Code::PolicyViolation => page!("POLICY_VIOLATION"),
        Code::BindingUnavailable => page!("BINDING_UNAVAILABLE"),
        Code::ResourceUnsatisfiable => page!("RESOURCE_UNSATISFIABLE"),
        Code::UseNotPermitted => page!("USE_NOT_PERMITTED"),
        Code::ReplayUnsupported => page!("REPLAY_UNSUPPORTED"),
    }
}

/// The part of a page for users: all but the names of the tests.
fn for_users(page: &'static str) -> &'static str {
    page.split_once("\n## Tests").map_or(page, |(before, _)| before)
}

pub(crate) fn run(arguments: &ExplainRefusal) -> Result<Report, Stop> {
    let mut report = Report::new();
    let Some(asked) = &arguments.code else {
        for code in Code::ALL {
            let meaning = page(code)
                .lines()
                .skip_while(|line| !line.starts_with("## What it means"))
                .nth(2);
            report.line(format!("{code:<22} {}", meaning.unwrap_or_default()));
        }
        report.member("codes", Code::ALL.map(Code::word).to_vec());
        return Ok(report);
    };
    let wanted = asked.to_uppercase().replace('-', "_");
    let Some(code) = Code::ALL.into_iter().find(|code| code.word() == wanted) else {
        return Err(Refusal::new(
            Stage::DecodeIntegrity,
            Reason::AmbiguousReference,
            format!("{asked} is none of the ten refusal codes."),
        )
        .about(asked.clone())
        .next("Run explain-refusal without a code to list them.")
        .into());
    };
    report.line(for_users(page(code)).trim_end());
    let reasons: Vec<&str> = Reason::ALL
        .iter()
        .filter(|reason| reason.code() == code)
        .map(|reason| reason.word())
        .collect();
    report.line(format!("\nReasons: {}", reasons.join(", ")));
    report.member("code", code.word());
    report.member("page", for_users(page(code)));
    report.member("reasons", reasons);
    Ok(report)
}
