//! The permission: every way in which two signed documents do not give one.

use forma::WithheldBecause;
use knowledge::wire::v1::DeviceClass;
use refusal::Reason;

use super::{
    acceptance, acceptance_body, authorization, authorization_body, day, exposure, freeze, freeze_body, pin,
};
use crate::rules::named;
use crate::wire::v1::AuthorizationBody;
use crate::{Acceptance, Authorization, Freeze, Signed, Signer, StudyError, grant};

const TODAY: &str = "2026-12-24";

fn hand(key: &str, owner: &str) -> Vec<Signer> {
    vec![Signer {
        key: key.to_owned(),
        owner: owner.to_owned(),
    }]
}

fn granted(
    authorization: &Authorization,
    authorizing: &[Signer],
    acceptance: &Acceptance,
    accepting: &[Signer],
    today: &str,
) -> Result<forma::StudyGrant, StudyError> {
    grant(
        Signed {
            document: authorization,
            signers: authorizing,
        },
        Signed {
            document: acceptance,
            signers: accepting,
        },
        day(today),
    )
}

/// The sound pair with one thing changed.
fn with(change: impl FnOnce(&mut AuthorizationBody)) -> Result<forma::StudyGrant, StudyError> {
    let mut body = authorization_body();
    change(&mut body);
    let changed = Authorization::seal(body).expect("it is whole");
    granted(
        &changed,
        &hand("k1", "lab"),
        &acceptance(),
        &hand("k2", "board"),
        TODAY,
    )
}

#[test]
fn two_hands_and_one_freeze_give_a_grant() {
    let grant = with(|_| {}).expect("the control");
    assert_eq!(grant.reference, "depth-1");
    let mut treatments: Vec<_> = freeze_body().treatments.iter().map(|it| it.graph_id).collect();
    treatments.sort_unstable();
    assert_eq!(grant.treatments, treatments);
    assert_eq!(
        grant.devices,
        [DeviceClass::DesktopMonitor],
        "the authorization's, not the freeze's"
    );
    assert_eq!(
        (grant.exposure.max_seconds, grant.exposure.max_exposures),
        (300, 2)
    );
    assert_eq!(grant.mappings.len(), 2);
    assert_eq!(grant.documents.freeze_id, named(&freeze()));
    assert_eq!(grant.knowledge, freeze_body().knowledge_manifest_id);
}

#[test]
fn a_study_does_not_say_yes_to_itself() {
    for (authorizing, accepting) in [
        (hand("k1", "lab"), hand("k1", "lab")),
        // Two keys of one owner.
        (hand("k1", "lab"), hand("k2", "lab")),
        // One key under two names.
        (hand("k1", "lab"), hand("k1", "board")),
        // One hand among several.
        (
            [hand("k1", "lab"), hand("k3", "dean")].concat(),
            [hand("k2", "board"), hand("k3", "dean")].concat(),
        ),
    ] {
        let error =
            granted(&authorization(), &authorizing, &acceptance(), &accepting, TODAY).expect_err("one hand");
        assert!(matches!(error, StudyError::OneHand { .. }), "{error}");
        assert_eq!(error.because(), WithheldBecause::Unfounded);
    }
    for (authorizing, accepting) in [(vec![], hand("k2", "board")), (hand("k1", "lab"), vec![])] {
        let error =
            granted(&authorization(), &authorizing, &acceptance(), &accepting, TODAY).expect_err("unsigned");
        assert!(matches!(error, StudyError::Unsigned { .. }), "{error}");
    }
}

#[test]
fn an_authorization_is_for_what_was_accepted() {
    let mut other = freeze_body();
    other.exposure = exposure(60, 1);
    let other = Freeze::seal(other).expect("it is whole");
    let error = with(|it| it.freeze_id = named(&other)).expect_err("another freeze");
    assert!(
        matches!(error, StudyError::Another { member: "freeze", .. }),
        "{error}"
    );
    let mut template = crate::template();
    template.title = "Another".to_owned();
    let other = crate::Protocol::seal(template).expect("it is whole");
    let error = with(|it| it.protocol_id = named(&other)).expect_err("another protocol");
    assert!(
        matches!(
            error,
            StudyError::Another {
                member: "protocol",
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn an_authorization_allows_no_more_than_was_frozen() {
    for error in [
        with(|it| it.scope = pin("other-scope")),
        with(|it| it.devices = vec![DeviceClass::StandaloneHeadset]),
        with(|it| it.exposure = exposure(601, 4)),
        with(|it| it.exposure = exposure(600, 5)),
    ] {
        let error = error.expect_err("more than was frozen");
        assert!(matches!(error, StudyError::Wider { .. }), "{error}");
        assert_eq!(error.refusal().reason(), Reason::WrongAuthorization);
    }
    assert!(
        with(|it| it.exposure = exposure(600, 4)).is_ok(),
        "as much as was frozen"
    );
}

#[test]
fn an_authorization_has_its_days() {
    let on = |today: &str| {
        granted(
            &authorization(),
            &hand("k1", "lab"),
            &acceptance(),
            &hand("k2", "board"),
            today,
        )
    };
    for inside in ["2026-12-01", TODAY, "2027-02-28"] {
        assert!(on(inside).is_ok(), "{inside}");
    }
    let early = on("2026-11-30").expect_err("too early");
    assert_eq!(early.because(), WithheldBecause::NotYet);
    let late = on("2027-03-01").expect_err("too late");
    assert_eq!(late.because(), WithheldBecause::Expired);
    assert_eq!(late.refusal().reason(), Reason::AuthorizationExpired);
    let error = with(|it| it.valid_from = day("2026-11-19")).expect_err("before the acceptance");
    assert!(matches!(error, StudyError::AcceptedLate { .. }), "{error}");
    let mut later = acceptance_body();
    later.accepted_on = day("2026-12-01");
    let later = Acceptance::seal(later).expect("it is whole");
    assert!(
        granted(
            &authorization(),
            &hand("k1", "lab"),
            &later,
            &hand("k2", "board"),
            TODAY
        )
        .is_ok()
    );
}
