//! Every rule over a tree that breaks it and a tree that keeps it: a rule that cannot fire checks nothing, and a rule
//! that always fires says nothing.

mod trees;

use tidy::tree::Kind;
use tidy::{RULES, Tree};
use trees::{doors, falsifiers, refusal_pages};

/// A rule, a tree that breaks it with the start of what is said about it, and a tree that keeps it.
struct Control {
    rule: &'static str,
    breaks: Vec<(Tree, &'static str)>,
    keeps: Tree,
}

fn tree() -> Tree {
    Tree::default()
}

fn package(source: &str) -> Tree {
    tree()
        .with_crate("packages/forma", &[])
        .with_file("packages/forma/src/lib.rs", source)
}

const MANIFEST: &str = "[package]\nname = \"forma\"\nversion.workspace = true\nedition.workspace = true\n\
    rust-version.workspace = true\nlicense.workspace = true\npublish.workspace = true\n\n[lints]\nworkspace = true\n";

const FRONT_DOOR: &str = "case $verb in\n  test) run ;;\n  nemosyne) run ;;\n  xr) say \"$verb does not exist yet\" ;;\n\
    \x20 *) usage ;;\nesac\n";

const README: &str = "| `verify PKG` | says whether it is intact |\n\n```sh\n./x test\n./x nemosyne verify \\\n  a.nemosyne\n```\n\
    ```text\nnot a command\n```\n";

fn structure() -> Vec<Control> {
    let through = |library: &str| {
        let mut tree = tree().with_crate("packages/forma", &["between"]);
        tree.linked
            .0
            .insert("between".into(), [library.to_owned()].into());
        tree
    };
    vec![
        Control {
            rule: "layers",
            breaks: vec![
                (
                    tree()
                        .with_crate("packages/plan", &["forma"])
                        .with_crate("packages/forma", &[]),
                    "plan imports forma",
                ),
                (
                    tree()
                        .with_crate("packages/plan", &["stage"])
                        .with_crate("plugins/stage", &[]),
                    "plan imports stage",
                ),
                (
                    tree()
                        .with_crate("plugins/stage", &["adoption_gate"])
                        .with_crate("plugins/adoption_gate", &[]),
                    "stage imports",
                ),
                (
                    tree()
                        .with_crate("app/nemosyne", &["harness"])
                        .with_crate("tests/harness", &[]),
                    "nemosyne uses harness",
                ),
                (
                    tree()
                        .with_crate("app/nemosyne", &["tidy"])
                        .with_crate("tests/tidy", &[]),
                    "nemosyne uses tidy",
                ),
                (
                    tree().with_crate("packages/surprise", &[]),
                    "surprise is not in the layer table",
                ),
                (
                    tree().with_crate("plugins/plan", &[]),
                    "plan lives in plugins/plan",
                ),
            ],
            keeps: tree()
                .with_crate_kinds(
                    "packages/plan",
                    &[("harness", Kind::Dev), ("serde", Kind::Normal)],
                )
                .with_crate("packages/forma", &["plan"])
                .with_crate("plugins/stage", &["forma"])
                .with_crate_kinds(
                    "app/nemosyne",
                    &[
                        ("stage", Kind::Normal),
                        ("forma", Kind::Normal),
                        ("harness", Kind::Dev),
                        ("tidy", Kind::Dev),
                    ],
                )
                .with_crate("tests/harness", &["plan"])
                .with_crate("tests/tidy", &["harness"]),
        },
        Control {
            rule: "cycles",
            breaks: vec![(
                tree()
                    .with_crate("packages/plan", &["forma"])
                    .with_crate_kinds("packages/forma", &[("plan", Kind::Dev)]),
                "forma reaches itself",
            )],
            keeps: tree()
                .with_crate_kinds("packages/plan", &[("harness", Kind::Dev)])
                .with_crate("tests/harness", &["plan"]),
        },
        Control {
            rule: "engine_free",
            breaks: vec![
                (through("bevy_ecs"), "forma links bevy_ecs"),
                (through("reqwest"), "forma links reqwest"),
            ],
            keeps: through("serde").with_crate("plugins/stage", &["bevy"]),
        },
        Control {
            rule: "sole_users",
            breaks: vec![
                (
                    tree().with_crate("plugins/stage", &["openxr"]),
                    "stage names openxr",
                ),
                (
                    tree().with_crate("plugins/stage", &["bevy_egui"]),
                    "stage names bevy_egui",
                ),
                (
                    tree().with_crate("app/nemosyne", &["openxr"]),
                    "nemosyne names openxr",
                ),
            ],
            keeps: tree()
                .with_crate("plugins/headset", &["openxr", "bevy_mod_openxr"])
                .with_crate("plugins/workbench", &["egui", "egui_plot"])
                .with_crate("app/nemosyne", &["bevy_egui"]),
        },
        Control {
            rule: "compiled_once",
            breaks: vec![
                (
                    tree().with_file("x", "cargo run -p nemosyne"),
                    "x: `cargo run -p nemosyne` builds",
                ),
                (
                    tree().with_file("x", "cargo build --workspace --bin nemosyne"),
                    "x: `cargo build --workspace --bin",
                ),
                (
                    tree().with_file("x", "# cargo build --workspace --bin nemosyne --test a"),
                    "x does not build",
                ),
            ],
            keeps: tree().with_file("x", "cargo build --workspace --bin nemosyne --test a"),
        },
        Control {
            rule: "inherits",
            breaks: vec![
                (
                    package("").with_file(
                        "packages/forma/Cargo.toml",
                        &MANIFEST.replace("[lints]", "[other]"),
                    ),
                    "packages/forma/Cargo.toml: [lints]",
                ),
                (
                    package("").with_file(
                        "packages/forma/Cargo.toml",
                        &MANIFEST.replace("edition.workspace = true", "edition = \"2021\""),
                    ),
                    "packages/forma/Cargo.toml: [package] lacks `edition",
                ),
                (package(""), "packages/forma/Cargo.toml is missing"),
            ],
            keeps: package("").with_file("packages/forma/Cargo.toml", MANIFEST),
        },
    ]
}

fn source() -> Vec<Control> {
    let in_test_module = |body: &str| format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{ {body} }}\n");
    vec![
        Control {
            rule: "opening",
            breaks: vec![
                (
                    package("//! Stub.\n//!\n//! **Never** knows the engine.\n"),
                    "packages/forma/src/lib.rs does not open",
                ),
                (
                    package("//! What it is, with no full stop\n//!\n//! **Never** more.\n"),
                    "packages/forma/src/lib.rs does not open",
                ),
                (
                    package("//! The one door of admission.\n"),
                    "packages/forma/src/lib.rs has no",
                ),
                (
                    package("use a;\n//! The one door of admission.\n"),
                    "packages/forma/src/lib.rs does not open",
                ),
            ],
            keeps: package(
                "//! The one door of admission,\n//! and no other.\n//!\n//! **Never** knows the engine.\n",
            ),
        },
        Control {
            rule: "ambient",
            breaks: vec![
                (
                    package("use std::fs::File;"),
                    "packages/forma/src/lib.rs uses std::fs",
                ),
                (
                    package("use std::{fs, io};"),
                    "packages/forma/src/lib.rs uses std::fs",
                ),
                (
                    package("fn a() { std :: fs::read(p); }"),
                    "packages/forma/src/lib.rs uses std::fs",
                ),
                (
                    package("use std::time::{Duration, Instant};"),
                    "packages/forma/src/lib.rs uses std::time::Instant",
                ),
                (
                    package("fn a() { ::std::env::var(n); }"),
                    "packages/forma/src/lib.rs uses std::env",
                ),
                (
                    tree()
                        .with_crate("plugins/stage", &[])
                        .with_file("plugins/stage/src/lib.rs", "use std::fs;"),
                    "plugins/stage/src/lib.rs uses std::fs",
                ),
                (
                    tree()
                        .with_crate("packages/package", &[])
                        .with_file("packages/package/src/lib.rs", "use std::env;"),
                    "packages/package/src/lib.rs uses std::env",
                ),
            ],
            keeps: package(&format!(
                "// std::fs\nuse std::time::Duration;\nconst T: &str = \"std::fs\";\n{}",
                in_test_module("use std::fs;")
            ))
            .with_file("packages/forma/tests/a.rs", "use std::fs;")
            .with_crate("packages/package", &[])
            .with_file("packages/package/src/lib.rs", "use std::fs;")
            .with_crate("app/nemosyne", &[])
            .with_file("app/nemosyne/src/main.rs", "use std::{env, fs};")
            .with_crate("plugins/stage", &[])
            .with_file("plugins/stage/src/lib.rs", "use std::time::Instant;"),
        },
        Control {
            rule: "hash_order",
            breaks: vec![(
                package("\nuse std::collections::HashMap;"),
                "packages/forma/src/lib.rs:2 holds a HashMap",
            )],
            keeps: package(&format!(
                "use std::collections::BTreeMap; // HashMap\n{}",
                in_test_module("HashSet::new()")
            ))
            .with_crate("plugins/stage", &[])
            .with_file("plugins/stage/src/lib.rs", "use std::collections::HashMap;"),
        },
        Control {
            rule: "finished",
            breaks: vec![
                (
                    package("fn a() { todo! () }"),
                    "packages/forma/src/lib.rs says todo!(",
                ),
                (
                    package("fn a() { unimplemented!(\"later\") }"),
                    "packages/forma/src/lib.rs says unimplemented!(",
                ),
                (
                    package("#[test]\n#[ignore = \"slow\"]\nfn a() { b(); }"),
                    "packages/forma/src/lib.rs says #[ignore",
                ),
                (
                    package("#[test]\nfn a() { // later\n}"),
                    "packages/forma/src/lib.rs: the test a is empty",
                ),
                (
                    package("#[test]\nfn a() { assert!( true ); }"),
                    "packages/forma/src/lib.rs says assert!(true)",
                ),
            ],
            keeps: package("// todo!()\n#[test]\nfn a() { assert!(truly); assert_eq!(\"todo!()\", b); }"),
        },
        Control {
            rule: "wire",
            breaks: vec![
                (
                    tree().with_file(
                        "packages/adoption/src/wire.rs",
                        "struct A { b: ExecutionAuthorization }",
                    ),
                    "packages/adoption/src/wire.rs names",
                ),
                (
                    tree().with_file("packages/replay/src/wire/v1.rs", "type A = HistoricalInspection;"),
                    "packages/replay/src/wire/v1.rs names",
                ),
                (
                    tree().with_file(
                        "packages/replay/src/lib.rs",
                        "mod wire { mod v1 { use crate::CurrentUse; } }",
                    ),
                    "packages/replay/src/lib.rs names",
                ),
            ],
            keeps: tree()
                .with_file(
                    "packages/adoption/src/wire.rs",
                    "/// Not an ExecutionAuthorization.\nstruct ExecutionAuthorizationRef;",
                )
                .with_file(
                    "packages/adoption/src/lib.rs",
                    "mod wire { struct A; } struct ExecutionAuthorization;",
                ),
        },
    ]
}

fn files() -> Vec<Control> {
    let lines = |count: usize| "a\n".repeat(count);
    let blob = "a".repeat(256 * 1024 + 1);
    let empty_digest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let origin = |digest: &str| format!("from: here\nfile: a.csv\nsha256: {digest}\n");
    let machine = concat!("cd /wo", "rk/main");
    let host = concat!("see static.crates", ".io");
    vec![
        Control {
            rule: "length",
            breaks: vec![
                (tree().with_file("a.rs", &lines(601)), "a.rs has 601 lines"),
                (
                    tree().with_file("assets/a.wgsl", &lines(601)),
                    "assets/a.wgsl has 601 lines",
                ),
            ],
            keeps: tree()
                .with_file("a.rs", &lines(600))
                .with_file("a.json", &lines(601)),
        },
        Control {
            rule: "blobs",
            breaks: vec![(
                tree().with_file("tests/a.png", &blob),
                "tests/a.png has 262145 bytes",
            )],
            keeps: tree()
                .with_file("assets/a.png", &blob)
                .with_file("tests/vectors/a/b", &blob)
                .with_file("c", &blob[1..]),
        },
        Control {
            rule: "origins",
            breaks: vec![
                (
                    tree().with_file("tests/vectors/a/b.json", ""),
                    "tests/vectors/a has no ORIGIN",
                ),
                (
                    tree()
                        .with_file("tests/vectors/a/b.json", "")
                        .with_file("tests/vectors/ORIGIN", "all"),
                    "tests/vectors/a has no ORIGIN",
                ),
                (
                    tree()
                        .with_file("assets/samples/a.csv", "")
                        .with_file("assets/samples/ORIGIN", " \n"),
                    "assets/samples has no ORIGIN",
                ),
                (
                    tree()
                        .with_file("assets/samples/a.csv", "1")
                        .with_file("assets/samples/ORIGIN", &origin(empty_digest)),
                    "assets/samples/a.csv does not have",
                ),
                (
                    tree()
                        .with_file("assets/samples/b.csv", "")
                        .with_file("assets/samples/ORIGIN", &origin(empty_digest)),
                    "assets/samples/ORIGIN speaks of assets/samples/a.csv",
                ),
            ],
            keeps: tree()
                .with_file("assets/samples/a.csv", "")
                .with_file("assets/samples/ORIGIN", &origin(empty_digest))
                .with_file("tests/vectors/b/ORIGIN", "made by hand")
                .with_file("tests/vectors/b/below/c.json", "{}")
                .with_file("assets/policies/a.json", ""),
        },
        Control {
            rule: "machine_paths",
            breaks: vec![(tree().with_file("a.md", machine), "a.md:1 names")],
            keeps: tree().with_file("a.md", "the work of others, a library, /tmp"),
        },
        Control {
            rule: "registry_hosts",
            breaks: vec![(tree().with_file("a.md", host), "a.md:1 names")],
            keeps: tree()
                .with_file("a.md", "the crate registry")
                .with_file("Cargo.lock", host),
        },
    ]
}

fn documents() -> Vec<Control> {
    let fired = "#[test]\nfn weakened_is_refused() { refused(Code::PolicyViolation) }\n#[test]\nfn kept_is_admitted() { b() }";
    let whole = || refusal_pages("`weakened_is_refused`", "`kept_is_admitted`");
    vec![
        Control {
            rule: "refusal_pages",
            breaks: vec![
                (tree(), "assets/refusals/INVALID_INPUT.md is missing"),
                (
                    whole().with_file("assets/refusals/OTHER.md", ""),
                    "assets/refusals/OTHER.md is the page of no code",
                ),
                (
                    tree().with_file(
                        "assets/refusals/INVALID_INPUT.md",
                        "# INVALID_INPUT\n## What it means\n",
                    ),
                    "assets/refusals/INVALID_INPUT.md lacks `## How",
                ),
            ],
            keeps: whole(),
        },
        Control {
            rule: "refusal_tests",
            breaks: vec![
                (
                    whole(),
                    "assets/refusals/INVALID_INPUT.md: `Fires:` names weakened_is_refused",
                ),
                (
                    refusal_pages("", "").with_file("tests/it/src/a.rs", fired),
                    "assets/refusals/POLICY_VIOLATION.md: tests speak",
                ),
            ],
            keeps: whole().with_file("tests/it/src/a.rs", fired),
        },
        Control {
            rule: "refusal_doors",
            breaks: vec![
                (whole(), "assets/refusals/README.md is missing"),
                (
                    doors("./x nemosyne import u", "WHY"),
                    "assets/refusals/README.md: `./x nemosyne import u` is not on the page of INVALID_INPUT",
                ),
                (
                    doors("./x nemosyne import t", "WHO"),
                    "assets/refusals/INVALID_INPUT.md does not list the reason WHO",
                ),
            ],
            keeps: doors("./x nemosyne import t", "WHY"),
        },
        Control {
            rule: "falsifiers",
            breaks: vec![
                (tree(), "tests/it/src/f01.rs is missing"),
                (
                    falsifiers("Attack Owner Control Required", "f{}::a", 17),
                    "tests/it/src/f17.rs does not open with its paragraphs",
                ),
                (
                    falsifiers("Attack Owner Required Control", "g{}::a", 17),
                    "tests/mutate/mutants.toml: no mutant is to be killed by f01",
                ),
                (
                    falsifiers("Attack Owner Required Control", "f{}::a", 1),
                    "tests/it/src/main.rs does not run f02",
                ),
            ],
            keeps: falsifiers("Attack Owner Required Control", "f{}::a", 17),
        },
        Control {
            rule: "readme",
            breaks: vec![
                (tree().with_file("x", FRONT_DOOR), "README.md is missing"),
                (
                    tree()
                        .with_file("x", FRONT_DOOR)
                        .with_file("README.md", &README.replace("./x test", "./x tset")),
                    "README.md: `./x tset` names a verb",
                ),
                (
                    tree()
                        .with_file("x", FRONT_DOOR)
                        .with_file("README.md", &README.replace("./x test", "")),
                    "README.md does not show ./x test",
                ),
                (
                    tree()
                        .with_file("x", FRONT_DOOR)
                        .with_file("README.md", &README.replace("./x test", "./x test\ncargo test")),
                    "README.md: `cargo test` does not go",
                ),
                (
                    tree()
                        .with_file("x", FRONT_DOOR)
                        .with_file("README.md", &README.replace("`verify PKG`", "`open PKG`")),
                    "README.md: `./x nemosyne verify",
                ),
                (
                    tree()
                        .with_file("x", FRONT_DOOR)
                        .with_file("README.md", &README.replace("./x test", "./x test\n./x xr")),
                    "README.md: `./x xr` names a verb",
                ),
            ],
            keeps: tree().with_file("x", FRONT_DOOR).with_file("README.md", README),
        },
    ]
}

fn check(controls: Vec<Control>) {
    for control in controls {
        let rule = RULES
            .iter()
            .find(|rule| rule.name == control.rule)
            .expect("the rule is in the list");
        for (broken, says) in &control.breaks {
            let found = (rule.violations)(broken);
            assert!(
                found.iter().any(|line| line.starts_with(says)),
                "{}: no `{says}…` in {found:#?}",
                control.rule
            );
        }
        assert_eq!(
            (rule.violations)(&control.keeps),
            Vec::<String>::new(),
            "{} fires on what keeps it",
            control.rule
        );
    }
}

#[test]
fn structure_rules_fire_and_only_then() {
    check(structure());
}

#[test]
fn source_rules_fire_and_only_then() {
    check(source());
}

#[test]
fn file_rules_fire_and_only_then() {
    check(files());
}

#[test]
fn document_rules_fire_and_only_then() {
    check(documents());
}

#[test]
fn every_rule_has_a_control() {
    let mut listed: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    let mut controlled: Vec<&str> = [structure(), source(), files(), documents()]
        .iter()
        .flatten()
        .map(|control| control.rule)
        .collect();
    listed.sort_unstable();
    controlled.sort_unstable();
    assert_eq!(listed, controlled);
}

#[test]
fn commands_are_read_as_a_shell_would() {
    assert_eq!(
        tidy::readme::commands(README),
        ["./x test", "./x nemosyne verify a.nemosyne"]
    );
}
