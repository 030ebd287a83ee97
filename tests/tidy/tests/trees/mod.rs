//! Trees of documents for the controls.

use tidy::Tree;
use tidy::refusals::{CODES, page};

pub(crate) fn refusal_pages(fires: &str, control: &str) -> Tree {
    CODES.iter().fold(Tree::default(), |tree, (code, _)| {
        let text = format!(
            "# {code}\n\n## What it means\n\n## How it arises\n\n## Reasons\n\n- `WHY`: so.\n\n## From the command line\n\n\
             ./x nemosyne \\\n  import t\n\n## What to do\n\n## Tests\n\nFires: {fires}\nControl: {control}\n"
        );
        tree.with_file(&page(code), &text)
    })
}

/// Pages, a table that names this command for each code, and one reason a code.
pub(crate) fn doors(command: &str, reason: &str) -> Tree {
    let rows: String = CODES
        .iter()
        .map(|(code, _)| format!("| [{code}]({code}.md) | `{command}` |\n"))
        .collect();
    let reasons: String = CODES
        .iter()
        .map(|(_, variant)| format!("    Why = {variant} \"{reason}\",\n"))
        .collect();
    refusal_pages("", "")
        .with_file(tidy::refusals::TABLE, &rows)
        .with_file(tidy::refusals::REASONS, &reasons)
}
