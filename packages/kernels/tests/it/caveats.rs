//! The codes of limitations, as people find them.

use kernels::LimitationCode;

#[test]
fn the_page_explains_each_code_once() {
    let page = include_str!("../../../../README.md");
    let (_, section) = page.split_once("## Caveats").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let lines: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> = LimitationCode::ALL
        .iter()
        .map(|code| format!("| `{code}` | {} |", code.meaning()))
        .collect();
    assert_eq!(lines, expected);
}
