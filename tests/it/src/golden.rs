//! The plan of the penguins, pinned.
//!
//! Attacked: a change that makes the same input another plan under the same compiler version, so that old packages no longer
//! replay and nobody said so. Owner: the compiler's version. Required: for one version the identities are these. Control:
//! another question has others.

use crate::program::{MAIN_JOB, json, with_penguins};

/// The version that the identities belong to. When they change: raise `COMPILER_VERSION` in `forma`, then paste what this
/// test prints. Only a version that no package was ever written with may keep its number.
const VERSION: &str = "1.3.0";
const PLAN: &str = "perceptual-plan-v1:144465a6fa61df19041de0aadde1e0ddad8caf41a0a0d50a00605c4658ee4b5f";
const RESULT: &str = "forma-result-v1:614ab3b819cf2b8eb2e87726fc757612d3738fdfb80aa75cd4e64f9378ad9d95";

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
