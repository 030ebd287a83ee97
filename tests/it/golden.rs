//! The plan of the penguins, pinned.
//!
//! Attacked: a change that makes the same input another plan under the same compiler version, so that old packages no longer
//! replay and nobody said so. Owner: the compiler's version. Required: for one version the identities are these. Control:
//! another question has others.

use crate::program::{MAIN_JOB, json, with_penguins};

/// The version that the identities belong to. When they change: raise `COMPILER_VERSION` in `forma`, then paste what this
/// test prints. Only a version that no package was ever written with may keep its number.
const VERSION: &str = "1.0.0";
const PLAN: &str = "perceptual-plan-v1:050f7774923dd9b65e41be363114d45b0e57d8bd04162cf27a269561547da4e6";
const RESULT: &str = "forma-result-v1:7f4a699a8e93d6c38efa7af9c909016a3033c1b18c40e03025a5a9234ba89af9";

#[test]
fn the_compiler_still_writes_the_plan_of_its_version() {
    let folder = with_penguins();
    let (code, answer) = json(folder.path(), &MAIN_JOB);
    assert_eq!(code, 0, "{answer}");
    assert_eq!(
        (
            forma::COMPILER_VERSION,
            answer["planId"].as_str(),
            answer["resultId"].as_str()
        ),
        (VERSION, Some(PLAN), Some(RESULT)),
        "the plan of the penguins is another one: raise forma::COMPILER_VERSION, then pin it here"
    );
    let mut other = MAIN_JOB;
    other[3] = "What else?";
    let (_, answer) = json(folder.path(), &other);
    assert_ne!(answer["planId"].as_str(), Some(PLAN));
}
