//! What every member's manifest inherits.

use crate::tree::Tree;

/// Section, and the line that must stand in it.
const INHERITED: &[(&str, &str)] = &[
    ("[package]", "edition.workspace = true"),
    ("[package]", "license.workspace = true"),
    ("[package]", "publish.workspace = true"),
    ("[package]", "rust-version.workspace = true"),
    ("[package]", "version.workspace = true"),
    ("[lints]", "workspace = true"),
];

/// Manifests that lack an inherited line.
#[must_use]
pub fn inherits(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for member in &tree.crates {
        let path = format!("{}/Cargo.toml", member.folder);
        let Some(text) = tree.text(&path) else {
            found.push(format!("{path} is missing"));
            continue;
        };
        for (section, line) in INHERITED {
            if !section_lines(text, section).any(|own| own == *line) {
                found.push(format!("{path}: {section} lacks `{line}`"));
            }
        }
    }
    found
}

fn section_lines<'t>(text: &'t str, section: &'t str) -> impl Iterator<Item = &'t str> {
    text.lines()
        .map(str::trim)
        .skip_while(move |line| *line != section)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
}
