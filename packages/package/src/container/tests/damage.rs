//! Accidents: no flipped byte, cut, inserted or lost byte leaves a package intact.

use std::io::Cursor;

use super::super::ledger::{Ledger, MemberRecord};
use super::{Archive, Compression, HOLDER, Limits, Rule, intact, judge, package, rule};

fn sample() -> Vec<u8> {
    let text = r#"{"species":"Adelie","island":"Torgersen","year":2007},"#.repeat(12);
    package(&[
        ("artifacts/empty", b"", Compression::Fitting),
        (
            "data/dataset.raw",
            b"species,island\nAdelie,Torgersen\n",
            Compression::Stored,
        ),
        ("investigation/forma.json", text.as_bytes(), Compression::Fitting),
        (
            "investigation/graph.json",
            b"{\"nodes\":[1,2,3]}",
            Compression::Fitting,
        ),
    ])
}

#[test]
fn any_flip_of_any_byte_is_seen() {
    let mut bytes = sample();
    intact(&bytes).unwrap();
    for at in 0..bytes.len() {
        for mask in [1, 2, 4, 8, 16, 32, 64, 128, 0x55, 0xff] {
            bytes[at] ^= mask;
            assert!(intact(&bytes).is_err(), "byte {at} xor {mask:#04x} passed");
            bytes[at] ^= mask;
        }
    }
    intact(&bytes).unwrap();
}

#[test]
fn a_flip_that_inflates_to_the_same_content_is_seen_by_the_ledger_alone() {
    let mut bytes = sample();
    let mut silent = 0;
    for at in 0..bytes.len() {
        for bit in 0..8 {
            bytes[at] ^= 1 << bit;
            if judge(&bytes, &Limits::PACKAGE).is_ok() {
                silent += 1;
                let refusal = intact(&bytes).unwrap_err();
                assert!(
                    refusal.contains("recorded digest"),
                    "byte {at} bit {bit}: {refusal}"
                );
            }
            bytes[at] ^= 1 << bit;
        }
    }
    assert!(
        silent > 0,
        "the sample's deflate stream ends in unused bits, or this test shows nothing"
    );
}

#[test]
fn the_damaged_member_is_named() {
    let mut bytes = sample();
    let archive = Archive::walk(Cursor::new(bytes.clone()), &Limits::PACKAGE).unwrap();
    for member in archive
        .members()
        .iter()
        .filter(|member| member.stored_bytes() > 0)
    {
        let at = (member.data_offset() + member.stored_bytes() / 2) as usize;
        bytes[at] ^= 0x20;
        let text = intact(&bytes).unwrap_err();
        assert!(
            text.contains(member.name()) || member.name() == HOLDER,
            "{}: {text}",
            member.name()
        );
        bytes[at] ^= 0x20;
    }
}

#[test]
fn any_cut_is_seen() {
    let bytes = sample();
    for len in 0..bytes.len() {
        assert!(intact(&bytes[..len]).is_err(), "the first {len} bytes passed");
        assert!(
            intact(&bytes[bytes.len() - len..]).is_err(),
            "the last {len} bytes passed"
        );
    }
}

#[test]
fn any_inserted_or_lost_byte_is_seen() {
    let bytes = sample();
    for at in 0..=bytes.len() {
        for byte in [0, b'P', 0xff] {
            let mut longer = bytes.clone();
            longer.insert(at, byte);
            assert!(intact(&longer).is_err(), "{byte:#04x} inserted at {at} passed");
        }
        if at < bytes.len() {
            let mut shorter = bytes.clone();
            shorter.remove(at);
            assert!(intact(&shorter).is_err(), "losing byte {at} passed");
        }
    }
}

#[test]
fn random_damage_never_passes_and_never_panics() {
    let honest = sample();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..20_000 {
        let mut bytes = honest.clone();
        for _ in 0..=next(4) {
            let (from, to, len) = (next(bytes.len().max(1)), next(bytes.len().max(1)), next(40));
            match next(4) {
                0 if !bytes.is_empty() => bytes[from] = next(256) as u8,
                1 if !bytes.is_empty() => {
                    let len = len.min(bytes.len() - from.max(to));
                    bytes.copy_within(from..from + len, to);
                }
                2 => drop(bytes.drain(from..(from + len).min(bytes.len()))),
                _ => bytes
                    .splice(from..from, honest[to.min(honest.len() - 40)..][..len].to_vec())
                    .for_each(drop),
            }
        }
        assert_eq!(intact(&bytes).is_ok(), bytes == honest);
    }
}

fn archive_and_ledger() -> (Archive<Cursor<Vec<u8>>>, Vec<MemberRecord>) {
    let bytes = sample();
    let mut archive = Archive::walk(Cursor::new(bytes), &Limits::PACKAGE).unwrap();
    let (text, _) = archive.read_small(HOLDER, 1 << 20).unwrap();
    let decoded =
        identity::decode::<(identity::Digest, Vec<MemberRecord>)>(&text, &identity::Limits::default());
    (archive, decoded.unwrap().into_inner().1)
}

fn ledger_rule(change: impl FnOnce(&mut Vec<MemberRecord>)) -> Rule {
    let (mut archive, mut records) = archive_and_ledger();
    Ledger::new(records.clone())
        .unwrap()
        .check_contents(&mut archive, HOLDER)
        .unwrap();
    change(&mut records);
    rule(Ledger::new(records).and_then(|ledger| ledger.check_contents(&mut archive, HOLDER)))
}

#[test]
fn a_ledger_that_says_something_else_is_refused() {
    let other = identity::Digest::of(b"other");
    assert_eq!(ledger_rule(|r| r[1].sha256 = other), Rule::ContentDigest);
    assert_eq!(ledger_rule(|r| r[1].bytes += 1), Rule::RecordedLength);
    assert_eq!(
        ledger_rule(|r| r[2].deflated.as_mut().unwrap().sha256 = other),
        Rule::StoredDigest
    );
    assert_eq!(
        ledger_rule(|r| r[2].deflated.as_mut().unwrap().bytes += 1),
        Rule::StoredDigest
    );
    assert_eq!(ledger_rule(|r| r[2].deflated = None), Rule::StoredDigest);
    assert_eq!(ledger_rule(|r| drop(r.remove(1))), Rule::Unlisted);
    assert_eq!(ledger_rule(|r| r[1].name.push('x')), Rule::Absent);
    assert_eq!(ledger_rule(|r| r.insert(1, r[0].clone())), Rule::Duplicate);
    let after = "data/dataset.raw".to_owned();
    assert_eq!(ledger_rule(|r| r.swap(0, 1)), Rule::Order { after });
    let listed = MemberRecord::stored(HOLDER, 0, other);
    assert_eq!(ledger_rule(|r| r.push(listed)), Rule::Absent);
}

#[test]
fn the_holder_must_be_stored() {
    let (archive, records) = archive_and_ledger();
    let ledger = Ledger::new(records).unwrap();
    ledger.check_listing(&archive, HOLDER).unwrap();
    let refused = ledger.check_listing(&archive, "investigation/forma.json");
    assert_eq!(rule(refused), Rule::LedgerDeflated);
}
