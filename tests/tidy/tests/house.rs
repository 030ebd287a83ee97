//! Every rule over this repository.

use std::sync::LazyLock;
use tidy::{RULES, Tree};

static TREE: LazyLock<Tree> =
    LazyLock::new(|| Tree::of_this_repository().expect("git and cargo read this repository"));

fn holds(name: &str) {
    let rule = RULES
        .iter()
        .find(|rule| rule.name == name)
        .expect("the rule is in the list");
    let found = (rule.violations)(&TREE);
    assert!(
        found.is_empty(),
        "{} Not so:\n  {}\n",
        rule.says,
        found.join("\n  ")
    );
}

macro_rules! rules {
    ($($name:ident)*) => {
        $(#[test] fn $name() { holds(stringify!($name)); })*

        #[test]
        fn every_rule_has_a_test_here() {
            let listed: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
            assert_eq!(listed, [$(stringify!($name)),*]);
        }
    };
}

rules! {
    layers cycles engine_free sole_users compiled_once inherits opening ambient hash_order finished wire length blobs
    origins machine_paths registry_hosts refusal_pages refusal_tests refusal_doors falsifiers readme
}

/// A tree that was read wrongly would keep every rule.
#[test]
fn the_repository_was_read() {
    for name in ["identity", "stage", "nemosyne", "tidy"] {
        assert!(TREE.is_member(name), "{name} is not among the members");
    }
    assert!(
        TREE.text("tests/tidy/src/lib.rs").is_some(),
        "this crate's own file is not among the files"
    );
    assert!(
        TREE.linked.below("stage").contains("wgpu"),
        "stage links wgpu through bevy"
    );
}
