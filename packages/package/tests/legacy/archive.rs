//! Archives that no honest encoder wrote: named by entry and byte. The control of each is the fixture as it is.

use std::io::{Cursor, Write as _};

use package::container::{ContainerError, Rule};
use package::legacy::{EntryNameRule, LegacyError, LegacyLimits, open_source};
use refusal::Reason;
use zip::write::SimpleFileOptions;

use crate::{FIXTURES, MANIFEST, by_name, bytes, contents, fixture, opened, packed};

fn at(bytes: &[u8], signature: &[u8]) -> Vec<usize> {
    let found = bytes
        .windows(4)
        .enumerate()
        .filter(|(_, four)| *four == signature);
    found.map(|(at, _)| at).collect()
}

fn rule(bytes: &[u8]) -> Rule {
    match opened(bytes).unwrap_err() {
        LegacyError::Container(ContainerError::Refused(fault)) => fault.rule,
        other => panic!("{other}"),
    }
}

fn number(bytes: &[u8], at: usize, width: usize) -> usize {
    let digits = bytes[at..at + width].iter().rev();
    digits.fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// Where each content stands: name and range.
fn places(bytes: &[u8]) -> Vec<(String, std::ops::Range<usize>)> {
    let mut found = Vec::new();
    for entry in at(bytes, b"PK\x01\x02") {
        let name = number(bytes, entry + 28, 2);
        let spelled = String::from_utf8(bytes[entry + 46..entry + 46 + name].to_vec()).unwrap();
        let (stored, local) = (number(bytes, entry + 20, 4), number(bytes, entry + 42, 4));
        let start = local + 30 + number(bytes, local + 26, 2) + number(bytes, local + 28, 2);
        found.push((spelled, start..start + stored));
    }
    found
}

#[test]
fn a_flipped_byte_in_each_member_is_found_and_named() {
    for name in FIXTURES {
        let whole = bytes(name);
        let members = places(&whole);
        assert!(members.len() >= 3, "{name}");
        for (member, range) in members {
            for at in [range.start, range.start + range.len() / 2, range.end - 1] {
                let mut changed = whole.clone();
                changed[at] ^= 1 << (at % 8);
                match opened(&changed) {
                    Ok(_) => assert_eq!(by_name(&changed), by_name(&whole), "{name} {member} byte {at}"),
                    Err(error) => {
                        let refusal = error.refusal();
                        assert_eq!(refusal.subjects().first(), Some(&member), "{name}: {refusal}");
                        assert!(refusal.cause().place.is_some(), "{name}: {refusal}");
                    }
                }
            }
        }
        fixture(name);
    }
}

#[test]
fn names_in_disguise_are_one_name() {
    for disguise in [
        "manifest%2ejson",
        "manifest%252Ejson",
        "%6danifest.json",
        "data\\dataset.raw",
        "data%2fdataset.raw",
        "investigation%5ccommands.log",
        "manifest%2525252525252ejson",
    ] {
        let mut members = contents(&bytes("v3-governed"));
        members.push((disguise.to_owned(), b"{}".to_vec()));
        let error = opened(&packed(&members)).unwrap_err();
        let LegacyError::Duplicate { first, second, .. } = &error else {
            panic!("{disguise}: {error}");
        };
        assert!([first, second].contains(&&disguise.to_owned()), "{error}");
        let refusal = error.refusal();
        assert_eq!(refusal.reason(), Reason::AmbiguousReference);
        assert!(refusal.cause().place.as_deref().unwrap().starts_with("byte "));
        assert_eq!(refusal.subjects().len(), 1);
    }
    let mut members = contents(&bytes("v3-governed"));
    members.push(("extras/manifest%2ejson".to_owned(), b"{}".to_vec()));
    opened(&packed(&members)).unwrap();
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    for (name, rule) in [
        ("../evil", EntryNameRule::Dots),
        ("extras/../../evil", EntryNameRule::Dots),
        ("extras/%2e%2e/evil", EntryNameRule::Dots),
        ("extras\\..\\evil", EntryNameRule::Dots),
        ("/etc/evil", EntryNameRule::Absolute),
        ("C:evil", EntryNameRule::Drive),
        ("extras/%00", EntryNameRule::Nul),
    ] {
        // The writer would make such a name harmless, so a harmless one of the same length is written over.
        let mut members = contents(&bytes("v3-governed"));
        let harmless = "x".repeat(name.len());
        members.push((harmless.clone(), b"evil".to_vec()));
        let mut archive = packed(&members);
        opened(&archive).unwrap();
        let spots: Vec<usize> = archive
            .windows(name.len())
            .enumerate()
            .filter(|(_, text)| *text == harmless.as_bytes())
            .map(|(at, _)| at)
            .collect();
        assert_eq!(spots.len(), 2);
        for spot in spots {
            archive[spot..spot + name.len()].copy_from_slice(name.as_bytes());
        }
        let error = opened(&archive).unwrap_err();
        let LegacyError::Name {
            entry, rule: broken, ..
        } = &error
        else {
            panic!("{name}: {error}");
        };
        assert_eq!((entry.as_str(), *broken), (name, rule));
        assert_eq!(error.refusal().reason(), Reason::Malformed);
        assert_eq!(error.refusal().subjects().len(), 1);
    }
}

#[test]
fn bombs_are_refused_before_they_go_off() {
    // Declared too large for an entry, and for all entries together, by an archive that deflates.
    let mut archive = bytes("v3-no-uses");
    let entry = at(&archive, b"PK\x01\x02")[1];
    archive[entry + 24..entry + 28].copy_from_slice(&(101_u32 << 20).to_le_bytes());
    let error = opened(&archive).unwrap_err();
    assert_eq!(error.refusal().reason(), Reason::Bounds, "{error}");
    assert_eq!(error.member(), Some("data/dataset.raw"));
    let mut archive = bytes("v3-no-uses");
    for entry in at(&archive, b"PK\x01\x02") {
        archive[entry + 24..entry + 28].copy_from_slice(&(99_u32 << 20).to_le_bytes());
    }
    assert!(matches!(rule(&archive), Rule::TotalBytes { .. }));

    // A stream that gives more than it declares, in both headers alike.
    let mut members = contents(&bytes("v3-governed"));
    members.push(("extras/bomb".to_owned(), vec![0; 3 << 20]));
    let mut archive = packed(&members);
    opened(&archive).unwrap();
    let (local, entry) = (at(&archive, b"PK\x03\x04"), at(&archive, b"PK\x01\x02"));
    for (record, field) in [(local[local.len() - 1], 22), (entry[entry.len() - 1], 24)] {
        archive[record + field..record + field + 4].copy_from_slice(&1000_u32.to_le_bytes());
    }
    assert_eq!(rule(&archive), Rule::InflatesLong);

    // A member that holds too much to be decoded.
    let tight = LegacyLimits {
        max_working_bytes: 1000,
        ..LegacyLimits::DEFAULT
    };
    let error = open_source(Cursor::new(bytes("v3-governed")), &tight).unwrap_err();
    assert!(matches!(error, LegacyError::TooLarge { .. }), "{error}");
    let tight = LegacyLimits {
        max_archive_bytes: 100,
        ..LegacyLimits::DEFAULT
    };
    let error = open_source(Cursor::new(bytes("v3-governed")), &tight).unwrap_err();
    assert!(matches!(error, LegacyError::TooLarge { .. }), "{error}");

    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in contents(&bytes("v3-governed")) {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(&content).unwrap();
    }
    for idx in 0..1000 {
        writer
            .start_file(format!("extras/{idx}"), SimpleFileOptions::default())
            .unwrap();
    }
    let crowd = writer.finish().unwrap().into_inner();
    assert!(matches!(
        rule(&crowd),
        Rule::Members {
            members: 1007,
            limit: 1000
        }
    ));
}

#[test]
fn every_byte_belongs_to_a_record() {
    let whole = bytes("v3-governed");
    let mut grown = whole.clone();
    grown.push(0);
    let mut before = vec![0];
    before.extend(&whole);
    let directory = at(&whole, b"PK\x01\x02")[0];
    let mut between = whole.clone();
    between.insert(directory, 0);
    for (what, archive) in [
        ("a byte behind", grown),
        ("a byte before", before),
        ("a byte between", between),
        ("cut by a byte", whole[..whole.len() - 1].to_vec()),
        ("cut in half", whole[..whole.len() / 2].to_vec()),
        ("empty", Vec::new()),
        ("text", b"manifest.json".to_vec()),
    ] {
        let error = opened(&archive).unwrap_err();
        assert!(matches!(error, LegacyError::Container(_)), "{what}: {error}");
    }
    // Directory and local header must say the same.
    for (field, width) in [(6, 1), (8, 1), (14, 4), (18, 4), (22, 4), (30, 1)] {
        let local = at(&whole, b"PK\x03\x04")[0];
        let mut changed = whole.clone();
        for byte in &mut changed[local + field..local + field + width] {
            *byte ^= 1;
        }
        let error = opened(&changed).unwrap_err();
        assert_eq!(error.member(), Some(MANIFEST), "{field}: {error}");
        assert!(
            matches!(rule(&changed), Rule::LocalDiffers { .. }),
            "{field}: {error}"
        );
    }
    // Encrypted, by another method, in two volumes, with the larger records.
    for (field, value, expected) in [(8, 1_u16, Rule::Encrypted), (10, 12, Rule::Method(12))] {
        let entry = at(&whole, b"PK\x01\x02")[0];
        let mut changed = whole.clone();
        changed[entry + field..entry + field + 2].copy_from_slice(&value.to_le_bytes());
        assert_eq!(rule(&changed), expected);
    }
    let end = at(&whole, b"PK\x05\x06")[0];
    let mut changed = whole.clone();
    changed[end + 4] = 1;
    assert_eq!(rule(&changed), Rule::MultiDisk);
    let mut changed = whole.clone();
    changed[end + 16..end + 20].fill(0xFF);
    assert_eq!(rule(&changed), Rule::Zip64);
}

/// A byte put in at `at`, with every offset behind it made good.
fn with_a_byte_at(bytes: &[u8], place: usize) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let fields: Vec<usize> = at(bytes, b"PK\x01\x02")
        .into_iter()
        .map(|entry| entry + 42)
        .chain(at(bytes, b"PK\x05\x06").into_iter().map(|end| end + 16))
        .collect();
    for field in fields {
        let offset = number(bytes, field, 4);
        if offset >= place {
            let moved = u32::try_from(offset + 1).unwrap();
            changed[field..field + 4].copy_from_slice(&moved.to_le_bytes());
        }
    }
    changed.insert(place, 0);
    changed
}

#[test]
fn nothing_hides_between_the_records() {
    let whole = bytes("v3-governed");
    let (locals, directory) = (at(&whole, b"PK\x03\x04"), at(&whole, b"PK\x01\x02")[0]);
    for place in [0, locals[1], locals[locals.len() - 1], directory] {
        assert_eq!(
            rule(&with_a_byte_at(&whole, place)),
            Rule::Gap { bytes: 1 },
            "byte {place}"
        );
    }
    // Two entries that claim one place.
    let mut shared = whole.clone();
    let second = at(&whole, b"PK\x01\x02")[1];
    shared[second + 42..second + 46].fill(0);
    assert_eq!(rule(&shared), Rule::Overlap);
    opened(&whole).unwrap();
}

#[test]
fn what_is_no_file_is_said_so() {
    let folder = tempfile::tempdir().unwrap();
    for path in [folder.path().to_owned(), folder.path().join("nothing")] {
        let error = package::legacy::open(&path, &LegacyLimits::DEFAULT).unwrap_err();
        assert_eq!(error.refusal().reason(), Reason::Unreachable, "{error}");
    }
}
