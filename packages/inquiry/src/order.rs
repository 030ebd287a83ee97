//! The stated order of candidates. Admitted ones: mandatory predicates on qualified channels, progressive ones covered,
//! fewer deferred, then recipe order; it ranks readability on record, not truth. Then refused ones, the one that came
//! furthest first; then those that were not proposed.

use std::cmp::Reverse;

use forma::Admission;
use knowledge::wire::v1::DeviceClass;
use obligations::wire::v1::Class;
use refusal::Reason;

use crate::{Candidate, Outcome};

pub(crate) fn sort(candidates: &mut [Candidate], device: DeviceClass) {
    candidates.sort_by_key(|candidate| match &candidate.outcome {
        Outcome::Admitted(_, admission) => (0, rank(admission, device)),
        Outcome::Refused(_, refused) => {
            let came_to = refused.primary().stage() as usize;
            (1, (Reverse(came_to), Reverse(0), 0))
        }
        // A recipe that draws the family at hand says more than one that draws another.
        Outcome::NotProposed(refusal) => {
            let is_of_another = usize::from(refusal.reason() == Reason::FamilyUnsupported);
            (2, (Reverse(0), Reverse(0), is_of_another))
        }
    });
}

/// Smaller is better.
type Rank = (Reverse<usize>, Reverse<usize>, usize);

fn rank(admission: &Admission, device: DeviceClass) -> Rank {
    let variant = admission
        .plan()
        .body()
        .variants
        .iter()
        .find(|variant| variant.device == device);
    let name = variant.map_or("", |variant| variant.name.as_str());
    let body = admission.record().body();
    let qualified = body
        .perceptual_qualifications
        .iter()
        .filter(|entry| entry.variant == name && entry.required && entry.qualification == "QUALIFIED")
        .count();
    let count = |class: Class, status: &str| {
        body.coverage
            .iter()
            .filter(|entry| entry.variant == name && entry.class == class && entry.status == status)
            .count()
    };
    (
        Reverse(qualified),
        Reverse(count(Class::Progressive, "COVERED")),
        count(Class::Progressive, "DEFERRED"),
    )
}
