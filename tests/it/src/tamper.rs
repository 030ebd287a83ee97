//! One byte of a package.
//!
//! Attacked: the package file, one byte at a time: in every member its header, its name and its content, and two hundred
//! places drawn at random; and the file cut short, grown or emptied. Owner: the package reader. Required: never "intact",
//! whatever else is said; where the byte lies in a member's content, that member is named. Control: the file as written.

use std::path::Path;

use replay::{Judgment, judge};

use crate::program::{json, nemosyne, package, put};

fn judged(folder: &Path, bytes: &[u8]) -> Judgment {
    let custody = custody::Shipped::open().expect("it ships");
    judge(&put(folder, "one.nemosyne", bytes), &custody)
}

/// A member's place in the file.
#[derive(Debug)]
struct Member {
    name: String,
    header: usize,
    content: std::ops::Range<usize>,
}

/// Local headers as they follow each other from the start.
fn members(bytes: &[u8]) -> Vec<Member> {
    let number = |at: usize, width: usize| {
        bytes[at..at + width]
            .iter()
            .rev()
            .fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let mut found = Vec::new();
    let mut at = 0;
    while bytes[at..].starts_with(b"PK\x03\x04") {
        let (name, extra, packed) = (number(at + 26, 2), number(at + 28, 2), number(at + 18, 4));
        let start = at + 30 + name + extra;
        found.push(Member {
            name: String::from_utf8(bytes[at + 30..at + 30 + name].to_vec()).expect("names are text"),
            header: at,
            content: start..start + packed,
        });
        at = start + packed;
    }
    found
}

fn flipped(at: usize, bit: u8) -> Vec<u8> {
    let mut bytes = package().to_vec();
    bytes[at] ^= 1 << bit;
    bytes
}

#[test]
fn the_file_as_written_is_intact() {
    let folder = tempfile::tempdir().expect("a folder");
    let judgment = judged(folder.path(), package());
    assert!(judgment.intact.fact.holds() && judgment.complete.fact.holds());
}

#[test]
fn a_flipped_byte_in_any_member_is_found_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let members = members(package());
    assert!(members.len() > 8, "{members:?}");
    assert!(members.iter().any(|member| member.name == "manifest.json"));
    for member in &members {
        let mut places = vec![member.header, member.header + 8, member.header + 30];
        if !member.content.is_empty() {
            let middle = member.content.start + member.content.len() / 2;
            places.extend([member.content.start, middle, member.content.end - 1]);
        }
        for at in places {
            let judgment = judged(folder.path(), &flipped(at, (at % 8) as u8));
            let refusal = judgment
                .intact
                .fact
                .refusal()
                .unwrap_or_else(|| panic!("{}: byte {at}", member.name));
            let told = format!("{refusal}");
            if member.content.contains(&at) {
                assert!(
                    told.contains(&member.name),
                    "{} is not named: {told}",
                    member.name
                );
            }
            assert!(
                !judgment.executable_now.fact.holds(),
                "{}: byte {at}",
                member.name
            );
        }
    }
}

#[test]
fn a_flipped_byte_at_two_hundred_places_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    // xorshift64*: the same places on every machine.
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D)
    };
    for _ in 0..200 {
        let at = usize::try_from(next() % package().len() as u64).expect("it is a place in the file");
        let bit = (next() % 8) as u8;
        let judgment = judged(folder.path(), &flipped(at, bit));
        assert!(!judgment.intact.fact.holds(), "byte {at}, bit {bit}");
    }
}

#[test]
fn a_file_that_is_cut_grown_or_empty_is_not_intact() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = package();
    let mut grown = whole.to_vec();
    grown.push(0);
    let mut before = vec![0];
    before.extend(whole);
    let mut twice = whole.to_vec();
    twice.extend(whole);
    for (name, bytes) in [
        ("cut by a byte", whole[..whole.len() - 1].to_vec()),
        ("cut in half", whole[..whole.len() / 2].to_vec()),
        ("a byte behind", grown),
        ("a byte before", before),
        ("itself behind itself", twice),
        ("empty", Vec::new()),
    ] {
        assert!(!judged(folder.path(), &bytes).intact.fact.holds(), "{name}");
    }
}

/// The same through the program: exit status, word and object.
#[test]
fn the_program_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let content = members(package())
        .into_iter()
        .find(|member| member.name == "investigation/forma.json");
    let content = content.expect("it is a member").content;
    for at in [0, content.start + 5, package().len() - 1] {
        put(folder.path(), "one.nemosyne", &flipped(at, 0));
        let ran = nemosyne(folder.path(), &["verify", "one.nemosyne"]).refused();
        let line = ran
            .out
            .lines()
            .chain(ran.err.lines())
            .find(|line| line.contains("intact"));
        assert!(
            line.is_some_and(|line| line.trim_start().starts_with("no")),
            "{}{}",
            ran.out,
            ran.err
        );
        let (code, answer) = json(folder.path(), &["verify", "one.nemosyne"]);
        assert_eq!(
            (code, answer["intact"]["holds"].as_bool()),
            (1, Some(false)),
            "{answer}"
        );
        for verb in ["replay", "explain"] {
            assert_eq!(nemosyne(folder.path(), &[verb, "one.nemosyne"]).code, 1, "{verb}");
        }
    }
    put(folder.path(), "one.nemosyne", package());
    nemosyne(folder.path(), &["verify", "one.nemosyne"]).done();
}
