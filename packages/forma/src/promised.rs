//! What is promised: caveats that must be stated where people read them, and details that are deferred behind a route.

use obligations::wire::v1::{Class, Obligation};
use refusal::{Diagnostics, Reason, Refusal, Stage};
use representation::wire::v2::{Placement, Primitive, PrimitiveKind};

use crate::coverage::supports_route;
use crate::{FormaInput, owner};

/// Everything promised by the fixed obligations, and nothing promised besides.
pub(crate) fn check(input: &FormaInput<'_>, found: &mut Diagnostics) {
    for obligation in &input.obligations.set().body().obligations {
        exposed(input, obligation, found);
        if obligation.class == Class::Progressive {
            route(input, obligation, found);
        }
    }
    for primitive in &input.graph.body().primitives {
        advertised(input, primitive, found);
    }
}

/// Limitations that must be shown are stated on the caveat board.
fn exposed(input: &FormaInput<'_>, obligation: &Obligation, found: &mut Diagnostics) {
    if obligation.class == Class::Optional {
        return;
    }
    for code in &obligation.limitations_to_expose {
        if !on_board(input, code) {
            let text =
                format!("The caveat {code} must be shown and no primitive of the caveat board states it.");
            found.push(
                owner::refuse(input, obligation.id, Reason::ObligationWeakened, &text)
                    .about(obligation.id.to_string())
                    .next("State the caveat on the caveat board."),
            );
        }
    }
}

/// Whether a primitive of the caveat board states a limitation.
pub(crate) fn on_board(input: &FormaInput<'_>, code: &str) -> bool {
    input.graph.body().primitives.iter().any(|primitive| {
        primitive.placement == Placement::CaveatBoard
            && primitive.limitations.iter().any(|stated| stated == code)
    })
}

/// A deferred detail has a route, the route works, and something that can be pointed at offers it.
fn route(input: &FormaInput<'_>, obligation: &Obligation, found: &mut Diagnostics) {
    let offered = obligation.activation.as_ref().is_some_and(|wanted| {
        supports_route(&wanted.verb)
            && input
                .graph
                .body()
                .primitives
                .iter()
                .any(|primitive| is_pointable(primitive) && primitive.routes.contains(wanted))
    });
    if offered {
        return;
    }
    let text = format!(
        "The detail {} is deferred, but nothing in the picture leads to it.",
        obligations::predicate_word(obligation.requirement_predicate_ref.predicate)
    );
    found.push(
        owner::refuse(input, obligation.id, Reason::RouteMissing, &text)
            .about(obligation.id.to_string())
            .next("Offer the route the obligation names on the marks."),
    );
}

fn is_pointable(primitive: &Primitive) -> bool {
    matches!(
        primitive.kind,
        PrimitiveKind::PointIdentity | PrimitiveKind::DetailExpansion
    )
}

/// A candidate offers the routes that the obligations name, word for word, and no others: a route is a promise to a
/// person, and a promise that nothing keeps is worse than none.
fn advertised(input: &FormaInput<'_>, primitive: &Primitive, found: &mut Diagnostics) {
    for route in &primitive.routes {
        let mut fixed = input.obligations.obligations().iter();
        let why = if !supports_route(&route.verb) {
            "no handler serves it"
        } else if !fixed.any(|obligation| obligation.activation.as_ref() == Some(route)) {
            "no obligation names it in these words"
        } else {
            continue;
        };
        let text = format!(
            "{} promises {} (\"{}\"), and {why}.",
            primitive.id, route.verb, route.sentence
        );
        found.push(
            Refusal::new(Stage::FixedPolicy, Reason::RouteMissing, text)
                .about(primitive.id.clone())
                .under(input.obligations.policy())
                .next("Offer only the routes that the fixed obligations name."),
        );
    }
}
