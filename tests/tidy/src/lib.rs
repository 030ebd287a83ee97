//! The house rules as programs: each reads the tree and says what breaks it.
//!
//! **Never** knows what any crate is for; it sees names, edges, text and bytes.
//!
//! A rule is a function from a [`Tree`] to violations. [`RULES`] lists them all; `tests/house.rs` runs each over this
//! repository, `tests/controls.rs` runs each over a small tree that breaks it and one that does not.

pub mod dependencies;
pub mod falsifiers;
pub mod files;
pub mod layers;
pub mod manifests;
pub mod readme;
pub mod refusals;
pub mod rust_text;
pub mod source;
pub mod tree;

pub use tree::Tree;

/// One house rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Short name, as the tests call it.
    pub name: &'static str,
    /// The rule in one sentence.
    pub says: &'static str,
    /// What breaks it, one line each; empty when the tree keeps the rule.
    pub violations: fn(&Tree) -> Vec<String>,
}

const fn rule(name: &'static str, says: &'static str, violations: fn(&Tree) -> Vec<String>) -> Rule {
    Rule {
        name,
        says,
        violations,
    }
}

/// Every rule, in the order in which a reader meets them.
pub const RULES: &[Rule] = &[
    rule(
        "layers",
        "Data flows down the layer table; nothing imports upward.",
        layers::upward,
    ),
    rule("cycles", "No crate reaches itself.", layers::cycles),
    rule(
        "engine_free",
        "No package links an engine, a window, a headset or a network.",
        dependencies::engine_free,
    ),
    rule(
        "sole_users",
        "OpenXR and egui are named only by the crates that own them.",
        dependencies::sole_users,
    ),
    rule(
        "compiled_once",
        "The front door builds the program with the features that the tests need, so Bevy is compiled once.",
        dependencies::compiled_once,
    ),
    rule(
        "inherits",
        "Every crate inherits lints, edition, rust-version, license and publish.",
        manifests::inherits,
    ),
    rule(
        "opening",
        "Every lib.rs opens with one sentence, then a Never line.",
        source::opening,
    ),
    rule(
        "ambient",
        "Only the crates that may, touch files, clock, environment or network.",
        source::ambient,
    ),
    rule(
        "hash_order",
        "No package holds a HashMap or HashSet.",
        source::hash_order,
    ),
    rule(
        "finished",
        "No todo!, unimplemented!, #[ignore], empty test or assert!(true).",
        source::finished,
    ),
    rule(
        "wire",
        "No capability type is named in a wire module.",
        source::wire,
    ),
    rule("length", "No Rust or WGSL file is over 600 lines.", files::length),
    rule(
        "blobs",
        "No file over 256 KiB outside assets and tests/vectors.",
        files::blobs,
    ),
    rule(
        "origins",
        "Every folder of data has an ORIGIN, and its digests are true.",
        files::origins,
    ),
    rule(
        "machine_paths",
        "No file names a path of the machine it was written on.",
        files::machine_paths,
    ),
    rule(
        "registry_hosts",
        "No file names a package registry's host.",
        files::registry_hosts,
    ),
    rule(
        "refusal_pages",
        "Each refusal code has its page.",
        refusals::pages,
    ),
    rule(
        "refusal_tests",
        "A code that tests speak of names, on its page, a test that fires it and one that does not.",
        refusals::tests,
    ),
    rule(
        "refusal_doors",
        "A code's page lists its reasons, and the table of doors names a command of that page.",
        refusals::reached,
    ),
    rule(
        "falsifiers",
        "Each falsifier is there, says Attack, Owner, Required and Control, runs, and is to kill a mutant.",
        falsifiers::whole,
    ),
    rule(
        "readme",
        "Every command in the README is one that exists, and every verb is in it.",
        readme::commands_exist,
    ),
];
