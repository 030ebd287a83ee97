//! Rust source as the rules read it: without comments and literals, without test code, and its `use` trees spelled out.
//!
//! A scanner, not a parser: it knows where comments, literals and braces end, which is all that the rules ask.

use std::ops::Range;

/// The source with every comment and the inside of every literal turned to spaces. Lines and offsets stay.
#[must_use]
pub fn code_only(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let (end, is_code) = token(bytes, at);
        if !is_code {
            for byte in &mut out[at..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        at = end;
    }
    // Whole comments and literals were blanked byte by byte, so what is left is still UTF-8.
    String::from_utf8_lossy(&out).into_owned()
}

/// Where the comment, literal, word or single byte at `at` ends, and whether it is code.
fn token(bytes: &[u8], at: usize) -> (usize, bool) {
    match (bytes[at], bytes.get(at + 1)) {
        (b'/', Some(b'/')) => (find(bytes, at, b"\n").unwrap_or(bytes.len()), false),
        (b'/', Some(b'*')) => (block_comment_end(bytes, at), false),
        (b'"', _) => (string_end(bytes, at), false),
        (b'\'', _) => char_end(bytes, at).map_or((at + 1, true), |end| (end, false)),
        (byte, _) if is_word(byte) => {
            let end = bytes[at..]
                .iter()
                .position(|byte| !is_word(*byte))
                .map_or(bytes.len(), |length| at + length);
            raw_string_end(bytes, &bytes[at..end], end).map_or((end, true), |end| (end, false))
        }
        _ => (at + 1, true),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn find(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    bytes[from..]
        .windows(needle.len())
        .position(|window| window == needle)
        .map(|offset| from + offset)
}

fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = start;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The end of a raw string whose prefix is `word`, which ends at `after`.
fn raw_string_end(bytes: &[u8], word: &[u8], after: usize) -> Option<usize> {
    if !matches!(word, b"r" | b"br" | b"cr") {
        return None;
    }
    let hashes = bytes[after..].iter().take_while(|byte| **byte == b'#').count();
    if bytes.get(after + hashes) != Some(&b'"') {
        return None;
    }
    let closing = [b"\"".as_slice(), &b"#".repeat(hashes)].concat();
    Some(find(bytes, after + hashes + 1, &closing).map_or(bytes.len(), |at| at + closing.len()))
}

/// The end of a character literal; `None` where the quote opens a lifetime.
fn char_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start + 1) == Some(&b'\\') {
        return find(bytes, start + 3, b"'").map(|at| at + 1);
    }
    let width = match bytes.get(start + 1)? {
        0x00..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    };
    (bytes.get(start + 1 + width) == Some(&b'\'')).then_some(start + width + 2)
}

/// Whether a path holds tests only.
#[must_use]
pub fn is_test_path(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part, "tests" | "benches" | "tests.rs"))
        || path.ends_with("_tests.rs")
}

/// Code with each item under `#[cfg(test)]` turned to spaces. Takes what [`code_only`] gave.
#[must_use]
pub fn without_tests(code: &str) -> String {
    let mut out = code.as_bytes().to_vec();
    for (start, _) in code.match_indices("#[cfg(test)]") {
        for byte in &mut out[start..item_end(code, start)] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Where the item that starts at or after `from` ends: behind its semicolon or its closing brace.
fn item_end(code: &str, from: usize) -> usize {
    let rest = &code[from..];
    let semicolon = rest.find(';');
    match rest.find('{') {
        Some(brace) if semicolon.is_none_or(|semicolon| brace < semicolon) => braces(code, from + brace).end,
        _ => semicolon.map_or(code.len(), |semicolon| from + semicolon + 1),
    }
}

/// The range from an opening brace to behind its partner.
fn braces(code: &str, open: usize) -> Range<usize> {
    let mut depth = 0_usize;
    for (offset, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return open..offset + 1;
                }
            }
            _ => {}
        }
    }
    open..code.len()
}

/// The inside of each inline module with this name.
pub fn inline_modules<'c>(code: &'c str, name: &str) -> impl Iterator<Item = &'c str> {
    let head = format!("mod {name} {{");
    let starts: Vec<usize> = code
        .match_indices(&head)
        .map(|(at, found)| at + found.len() - 1)
        .collect();
    starts.into_iter().map(|open| &code[braces(code, open)])
}

/// A function under a `#[test]` attribute.
#[derive(Clone, Copy, Debug)]
pub struct TestFunction<'c> {
    /// Its name.
    pub name: &'c str,
    /// What stands between its braces.
    pub body: &'c str,
}

/// The test functions of a file. Takes what [`code_only`] gave.
#[must_use]
pub fn test_functions(code: &str) -> Vec<TestFunction<'_>> {
    let mut found = Vec::new();
    for (at, attribute) in code.match_indices("#[test]") {
        let rest = &code[at + attribute.len()..];
        let Some(head) = rest.find("fn ") else { continue };
        let name = rest[head + 3..]
            .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next();
        let Some(open) = rest.find('{') else { continue };
        let range = braces(rest, open);
        let body = rest
            .get(range.start + 1..range.end.saturating_sub(1))
            .unwrap_or_default();
        found.push(TestFunction {
            name: name.unwrap_or_default(),
            body,
        });
    }
    found
}

/// Every path that the file's `use` items name, trees spelled out: `use std::{fs, io::{self, Read}}` gives `std::fs`,
/// `std::io::self` and `std::io::Read`.
#[must_use]
pub fn used_paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for statement in code.split(';') {
        // What precedes the last `use` of a statement is another item.
        let Some(at) = words(statement)
            .filter(|(_, word)| *word == "use")
            .map(|(at, _)| at)
            .last()
        else {
            continue;
        };
        let tree: String = statement[at + 3..]
            .split_whitespace()
            .map(|word| format!("{word} "))
            .collect();
        spell_out("", &tree, &mut found);
    }
    found
}

fn spell_out(prefix: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree).replace(' ', "");
        if !path.is_empty() {
            found.push(format!("{prefix}{path}"));
        }
        return;
    };
    let prefix = format!("{prefix}{}", tree[..open].replace(' ', ""));
    let inside = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len()).max(open + 1)];
    let mut depth = 0_usize;
    for branch in inside.split(|letter| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    }) {
        spell_out(&prefix, branch, found);
    }
}

/// The words of the code, each with its offset.
pub fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = code.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() && !is_word(bytes[at]) {
            at += 1;
        }
        let start = at;
        while at < bytes.len() && is_word(bytes[at]) {
            at += 1;
        }
        (at > start).then(|| (start, &code[start..at]))
    })
}

/// The line, from 1, that an offset lies on.
#[must_use]
pub fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset]
        .iter()
        .filter(|byte| **byte == b'\n')
        .count()
        + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_blanked_and_code_is_kept() {
        let source = r###"let a = "todo!() \" x"; // todo!()
let b = r#"todo!() " "#; /* todo!() /* nested */ */ let c = '\''; let d: &'static str = b"todo!()"; e('"'); f('é', "g");"###;
        let code = code_only(source);
        assert!(!code.contains("todo"), "{code}");
        assert_eq!(code.len(), source.len());
        for kept in [
            "let a =",
            "let b =",
            "let c =",
            "let d: &'static str =",
            "e(",
            "f(",
        ] {
            assert!(code.contains(kept), "{kept} is gone from {code}");
        }
    }

    #[test]
    fn test_items_are_blanked_and_the_rest_is_kept() {
        let code = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { {} } }\nfn c() {}\n#[cfg(test)]\nmod more;\nfn d() {}";
        let kept = without_tests(code);
        assert!(!kept.contains("fn b") && !kept.contains("more"), "{kept}");
        assert!(
            kept.contains("fn a") && kept.contains("fn c") && kept.contains("fn d"),
            "{kept}"
        );
    }

    #[test]
    fn use_trees_are_spelled_out() {
        let code = "//x\nmod a;\npub use std::{fs, io::{self, Read as R}};\nuse b::c;\nfn f() { d(); }";
        assert_eq!(
            used_paths(code),
            ["std::fs", "std::io::self", "std::io::Read", "b::c"]
        );
    }

    #[test]
    fn test_functions_are_found_with_their_bodies() {
        let code =
            code_only("#[test]\nfn a() { /* nothing */ }\n#[test]\n#[should_panic]\nfn b() -> R { c() }");
        let found: Vec<_> = test_functions(&code)
            .iter()
            .map(|test| (test.name, test.body.trim()))
            .collect();
        assert_eq!(found, [("a", ""), ("b", "c()")]);
    }

    #[test]
    fn words_and_lines() {
        let found: Vec<_> = words("a_b::c2 (d)").collect();
        assert_eq!(found, [(0, "a_b"), (5, "c2"), (9, "d")]);
        assert_eq!(line_of("a\nb\nc", 4), 3);
    }

    #[test]
    fn inline_modules_are_cut_out() {
        let found: Vec<_> = inline_modules("mod wire { mod v1 { a } } mod other { b }", "wire").collect();
        assert_eq!(found, ["{ mod v1 { a } }"]);
    }
}
