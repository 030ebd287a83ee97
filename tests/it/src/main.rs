//! Journeys through the real doors, and what must be refused there.
//!
//! Each module says at its top what is attacked, who owns the rule, what must happen, and which control goes through the
//! same door and passes, so that refusing everything is no way to be green.

mod adoption;
mod bad_input;
mod codes;
mod custodian;
mod custody_folder;
mod door;
mod drawn_dirt;
mod drawn_findings;
mod f01;
mod f02;
mod f03;
mod f04;
mod f05;
mod f06;
mod f07;
mod f08;
mod f09;
mod f10;
mod f11;
mod f12;
mod f13;
mod f14;
mod f15;
mod f16;
mod f17;
mod families;
mod figures;
#[path = "../../../packages/package/tests/content/forge.rs"]
#[expect(
    dead_code,
    clippy::unwrap_used,
    reason = "the forger of the package's own tests, who can do more than is needed here"
)]
mod forge;
mod golden;
mod history;
mod import_flags;
mod main_job;
mod pixels;
mod program;
mod proposal;
mod proposals;
mod readme;
mod recompute;
mod refusal_pages;
#[path = "../../../plugins/adoption_gate/tests/gate/rig.rs"]
mod rig;
#[path = "../../../packages/package/tests/content/road.rs"]
#[expect(
    clippy::unwrap_used,
    reason = "the small road of the package's own tests, which stops where something fails"
)]
mod road;
mod tamper;
mod use_permitted;
