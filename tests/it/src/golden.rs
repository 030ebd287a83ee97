//! The plan of the penguins, pinned.
//!
//! Attacked: a change that makes the same input another plan under the same compiler version, so that old packages no longer
//! replay and nobody said so. Owner: the compiler's version. Required: for one version the identities are these. Control:
//! another question has others.

use crate::program::{MAIN_JOB, json, with_penguins};

/// The version that the identities belong to. When they change: raise `COMPILER_VERSION` in `forma`, then paste what this
/// test prints. Only a version that no package was ever written with may keep its number.
const VERSION: &str = "1.2.0";
const PLAN: &str = "perceptual-plan-v1:b8673155e7bbdd28baf820cf04626415b54bc59559b7dc3bc1a9dd42be7a90e5";
const RESULT: &str = "forma-result-v1:5ef5340e0f94069da2f10178bb92414cdfb2324b7dba06ebe33ffa96502657f6";

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
