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
    let (code, reason) = named(asked)?;
    let page = for_users(page(code));
    if let Some(reason) = reason {
        let says = says(page, reason);
        report.line(format!("{code} / {reason}: {says}"));
        report.line("");
        report.member("reason", reason.word());
        report.member("says", says);
    }
    report.lines(page.trim_end());
    let reasons: Vec<&str> = Reason::ALL
        .iter()
        .filter(|reason| reason.code() == code)
        .map(|reason| reason.word())
        .collect();
    report.member("code", code.word());
    report.member("page", page);
    report.member("reasons", reasons);
    Ok(report)
}

/// The code that was asked for, and the reason behind a stroke.
fn named(asked: &str) -> Result<(Code, Option<Reason>), Refusal> {
    let wanted = asked.to_uppercase().replace('-', "_");
    let (code, reason) = match wanted.split_once('/') {
        Some((code, reason)) => (code, Some(reason)),
        None => (wanted.as_str(), None),
    };
    let refuse = |text: String, next: &str| {
        Refusal::new(Stage::DecodeIntegrity, Reason::AmbiguousReference, text)
            .about(asked)
            .next(next)
    };
    let Some(code) = Code::ALL.into_iter().find(|known| known.word() == code) else {
        return Err(refuse(
            format!("{asked} is none of the ten refusal codes."),
            "Run explain-refusal without a code to list them.",
        ));
    };
    let Some(word) = reason else {
        return Ok((code, None));
    };
    match Reason::parse(code, word) {
        Some(reason) => Ok((code, Some(reason))),
        None => Err(refuse(
            format!("{word} is no reason of {code}."),
            "Run explain-refusal with the code alone; its page lists the reasons.",
        )),
    }
}

/// What the page says of a reason: its item in the list of reasons, as one line.
fn says(page: &str, reason: Reason) -> String {
    let start = format!("- `{reason}`: ");
    let item = page.lines().skip_while(|line| !line.starts_with(&start));
    let mut said = String::new();
    for (idx, line) in item.enumerate() {
        if idx > 0 && !line.starts_with("  ") {
            break;
        }
        said.push_str(if idx == 0 {
            &line[start.len()..]
        } else {
            line.trim_start()
        });
        said.push(' ');
    }
    said.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every reason of every code has its item on the page, and a page lists no other.
    #[test]
    fn every_reason_is_said() {
        for reason in Reason::ALL {
            let says = says(for_users(page(reason.code())), *reason);
            assert!(
                says.ends_with('.') && says.len() > 40,
                "{}/{reason}: {says}",
                reason.code()
            );
        }
        for code in Code::ALL {
            let items = for_users(page(code))
                .lines()
                .filter_map(|line| line.strip_prefix("- `"));
            for item in items {
                let word = item.split('`').next().unwrap_or_default();
                assert!(Reason::parse(code, word).is_some(), "{code} lists {word}");
            }
        }
    }

    #[test]
    fn a_code_is_named_with_or_without_its_reason() {
        assert_eq!(named("invalid-input").ok(), Some((Code::InvalidInput, None)));
        let both = named("EVIDENCE_UNAVAILABLE/retracted").ok();
        assert_eq!(both, Some((Code::EvidenceUnavailable, Some(Reason::Retracted))));
        for wrong in ["NO_SUCH_CODE", "INVALID_INPUT/RETRACTED", "INVALID_INPUT/"] {
            let refused = named(wrong).expect_err("it is none of ours");
            assert_eq!(refused.reason(), Reason::AmbiguousReference, "{wrong}");
        }
    }
}
