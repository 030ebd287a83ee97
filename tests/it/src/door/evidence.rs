//! Evidence: every receipt resolves, stands and supports its claim, and the values are the ones it names.

use dataset::{Declaration, ImportOptions, Scale};
use evidence::Disposition;
use harness::{Spec, World, tables};
use refusal::{Reason, Stage};

use super::{Case, each};

const STAGE: Stage = Stage::EvidencePolicy;

/// The receipt of the projection of rows.
fn rows_receipt(world: &World) -> String {
    let source = world.node("rows", "projection", "rowKeys").source_id;
    let source = snapshot::source(&world.snapshot, source).expect("its source");
    source.evidence_uses[0].receipt_id.clone()
}

fn stands(world: &mut World, disposition: Disposition) {
    let receipt = rows_receipt(world);
    world.told.receipt(&receipt, disposition);
}

#[test]
fn evidence_that_does_not_stand_is_refused() {
    let mut world = World::flowers();
    stands(&mut world, Disposition::Valid { revision: 12 });
    let admission = world.admitted();
    let told: Vec<i64> = admission
        .record()
        .body()
        .evidence_dispositions
        .iter()
        .filter(|standing| standing.evidence_use.receipt_id == rows_receipt(&world))
        .map(|standing| standing.revision.get())
        .collect();
    assert_eq!(told, [12], "the record says which revision said so");
    each(
        World::flowers,
        &[
            Case {
                name: "retracted",
                spoil: |world| stands(world, Disposition::Retracted { revision: 2 }),
                stage: STAGE,
                reason: Reason::Retracted,
                says: "was retracted at revision 2",
            },
            Case {
                name: "withdrawn",
                spoil: |world| stands(world, Disposition::Withdrawn { revision: 3 }),
                stage: STAGE,
                reason: Reason::Withdrawn,
                says: "was withdrawn at revision 3",
            },
            Case {
                name: "superseded",
                spoil: |world| {
                    stands(
                        world,
                        Disposition::Superseded {
                            revision: 4,
                            by: "rows:2".to_owned(),
                        },
                    );
                },
                stage: STAGE,
                reason: Reason::Superseded,
                says: "superseded by rows:2",
            },
            Case {
                name: "unknown",
                spoil: |world| {
                    stands(
                        world,
                        Disposition::Unknown {
                            why: "two feeds differ".to_owned(),
                        },
                    );
                },
                stage: STAGE,
                reason: Reason::DispositionUnknown,
                says: "two feeds differ",
            },
            Case {
                name: "a revision that no record can hold exactly",
                spoil: |world| stands(world, Disposition::Valid { revision: 1 << 53 }),
                stage: STAGE,
                reason: Reason::DispositionUnknown,
                says: "revision is out of range",
            },
        ],
    );
}

#[test]
fn evidence_that_does_not_resolve_is_refused() {
    each(
        World::flowers,
        &[
            Case {
                name: "the receipt is gone",
                spoil: |world| {
                    let gone = rows_receipt(world);
                    world
                        .receipts
                        .receipts
                        .retain(|receipt| receipt.receipt_id != gone);
                },
                stage: STAGE,
                reason: Reason::MissingRequired,
                says: "is not among the receipts",
            },
            Case {
                name: "the receipt has the same name and other content",
                spoil: |world| world.receipts.receipts[0].estimand.push('.'),
                stage: STAGE,
                reason: Reason::WrongReceipt,
                says: "has other content than was referenced",
            },
            Case {
                name: "the receipts are of another dataset",
                spoil: |world| {
                    let other = Spec::of("weeds", tables::WEEDS, tables::FLOWER_AXES, "kind");
                    world.receipts = World::of(&other).receipts;
                },
                stage: STAGE,
                reason: Reason::WrongDataset,
                says: "is about another dataset",
            },
            Case {
                name: "the receipts are of another kernel",
                spoil: |world| world.receipts.kernel_version.push_str("-other"),
                stage: STAGE,
                reason: Reason::WrongKernel,
                says: "was issued by kernel",
            },
        ],
    );
}

/// A table with a column of numbers that nobody says are amounts of anything.
fn with_codes(scale: Scale) -> World {
    let mut table = String::new();
    for (idx, line) in tables::FLOWERS.lines().enumerate() {
        let code = if idx == 0 {
            "plot".to_owned()
        } else {
            format!("{}", 100 + idx * 7 % 5)
        };
        table.push_str(&format!("{line},{code}\n"));
    }
    let options = ImportOptions::named("flowers").declare(Declaration::of("plot").scale(scale));
    World::of(&Spec {
        bytes: table.into_bytes(),
        options,
        more: vec![Spec::statistics(&["plot"])],
        ..Spec::flowers()
    })
}

#[test]
fn a_claim_that_does_not_hold_up_is_refused() {
    each(
        || with_codes(Scale::Ratio),
        &[Case {
            name: "statistics of numbers whose scale nobody knows",
            spoil: |world| *world = with_codes(Scale::Unknown),
            stage: STAGE,
            reason: Reason::MachineFalsificationOnly,
            says: "can only be recomputed",
        }],
    );
}

#[test]
fn the_values_are_the_ones_the_source_names() {
    each(
        World::flowers,
        &[
            Case {
                name: "no values",
                spoil: |world| world.leaves.clear(),
                stage: STAGE,
                reason: Reason::MissingRequired,
                says: "The values of the rows analysis are not here",
            },
            Case {
                name: "nothing to draw",
                spoil: |world| world.leaves.clear(),
                stage: STAGE,
                reason: Reason::MissingRequired,
                says: "draws no rows whose values are here",
            },
            Case {
                name: "other values under the same digest",
                spoil: |world| {
                    let other = Spec::of("weeds", tables::WEEDS, tables::FLOWER_AXES, "kind");
                    let other = World::of(&other).leaves.into_values().next().expect("rows");
                    for columns in world.leaves.values_mut() {
                        *columns = other.clone();
                    }
                },
                stage: Stage::DecodeIntegrity,
                reason: Reason::Integrity,
                says: "are not the ones its content names",
            },
        ],
    );
}
