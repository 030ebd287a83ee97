//! Accidents: no flipped byte anywhere leaves a package intact, and the damaged member is named.

use std::io::Cursor;

use package::container::{Archive, Limits as ContainerLimits};
use package::{Limits, Step, open_source};

use crate::road::road;

/// The step at which it fails, which must come before references: the package is not intact.
fn not_intact(bytes: Vec<u8>, what: &str) -> String {
    match open_source(Cursor::new(bytes), &Limits::DEFAULT) {
        Ok(_) => panic!("{what} passed"),
        Err(error) => {
            assert_ne!(error.step(), Step::References, "{what}: {error}");
            error.to_string()
        }
    }
}

#[test]
fn no_flipped_byte_of_any_member_passes() {
    let bytes = road().bytes();
    open_source(Cursor::new(bytes.clone()), &Limits::DEFAULT).unwrap();
    let archive = Archive::walk(Cursor::new(bytes.clone()), &ContainerLimits::PACKAGE).unwrap();
    for member in archive.members() {
        let (start, len) = (member.data_offset(), member.stored_bytes());
        for (at, mask) in [
            (start, 1),
            (start + len / 3, 0x20),
            (start + len / 2, 0xff),
            (start + len - 1, 0x80),
        ] {
            let mut flipped = bytes.clone();
            flipped[at as usize] ^= mask;
            let text = not_intact(flipped, &format!("{} at {at}", member.name()));
            assert!(text.contains(member.name()), "{}: {text}", member.name());
        }
    }
}

#[test]
fn two_hundred_random_flips_never_pass() {
    let bytes = road().bytes();
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..200 {
        let (at, mask) = (next(bytes.len()), next(255) as u8 + 1);
        let mut flipped = bytes.clone();
        flipped[at] ^= mask;
        not_intact(flipped, &format!("byte {at} xor {mask:#04x}"));
    }
}

#[test]
fn every_byte_of_the_manifest_counts() {
    let bytes = road().bytes();
    let archive = Archive::walk(Cursor::new(bytes.clone()), &ContainerLimits::PACKAGE).unwrap();
    let manifest = archive.member("manifest.json").unwrap();
    let start = manifest.data_offset() as usize;
    let mut flipped = bytes.clone();
    for at in (start..start + manifest.stored_bytes() as usize).step_by(7) {
        flipped[at] ^= 4;
        not_intact(flipped.clone(), &format!("byte {at}"));
        flipped[at] ^= 4;
    }
    open_source(Cursor::new(flipped), &Limits::DEFAULT).unwrap();
}

#[test]
fn a_file_that_changes_after_it_was_opened_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changing.nemosyne");
    let bytes = road().bytes();
    std::fs::write(&path, &bytes).unwrap();
    let opened = package::open(&path, &Limits::DEFAULT).unwrap();
    let archive = Archive::walk(Cursor::new(bytes.clone()), &ContainerLimits::PACKAGE).unwrap();
    let raw = archive.member("data/dataset.raw").unwrap();
    opened.dataset_raw(1 << 20).unwrap();
    let mut changed = bytes;
    changed[raw.data_offset() as usize] ^= 1;
    std::fs::write(&path, &changed).unwrap();
    assert_eq!(
        opened.dataset_raw(1 << 20).unwrap_err().step(),
        Step::MemberDigests
    );
}
