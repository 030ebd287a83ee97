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

/// Falsifiers whose paragraphs start with these words, run up to the last, each to kill a mutant under this name.
pub(crate) fn falsifiers(words: &str, killer: &str, last: usize) -> Tree {
    use tidy::falsifiers::{FALSIFIERS, MODULES, MUTANTS, file};
    let page: String = words
        .split(' ')
        .map(|word| format!("//! **{word}.** It is so.\n//!\n"))
        .collect();
    let lines = |last: usize, line: &dyn Fn(String) -> String| -> String {
        (1..=last).map(|number| line(format!("{number:02}"))).collect()
    };
    let modules = lines(last, &|number| format!("mod f{number};\n"));
    let mutants = lines(FALSIFIERS, &|number| {
        format!("killed_by = '{}'\n", killer.replace("{}", &number))
    });
    let tree = (1..=FALSIFIERS).fold(Tree::default(), |tree, number| {
        tree.with_file(&file(number), &format!("//! F{number:02}: it.\n//!\n{page}"))
    });
    tree.with_file(MODULES, &modules).with_file(MUTANTS, &mutants)
}
