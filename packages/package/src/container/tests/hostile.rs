//! One test an attack on the records. Each first shows that the same archive passes without the attack.

use super::forge::{Forged, Part};
use super::{Limits, Rule, judge, rule};

fn attack(change: impl FnOnce(&mut Forged)) -> Rule {
    let mut forged = Forged::honest();
    judge(&forged.bytes(), &Limits::PACKAGE).expect("the archive passes before the attack");
    change(&mut forged);
    rule(judge(&forged.bytes(), &Limits::PACKAGE))
}

macro_rules! attacks {
    ($($name:ident: $change:expr => $rule:pat),+ $(,)?) => {
        $(#[test]
        fn $name() {
            let found = attack($change);
            assert!(matches!(found, $rule), "{found:?}");
        })+
    };
}

attacks! {
    bytes_before_everything: |f| f.parts[0].before = b"#!/bin/sh\n".to_vec() => Rule::LeadingBytes { bytes: 10 },
    bytes_before_with_offsets_unmoved: |f| {
        let directory = f.bytes().len() as u32 - 22 - directory_len(f);
        f.parts[1].offset = Some(offset_of(f, 1));
        f.parts[2].offset = Some(offset_of(f, 2));
        f.parts[0].offset = Some(0);
        f.end.offset = Some(directory);
        f.parts[0].before = b"junk".to_vec();
    } => Rule::LeadingBytes { bytes: 4 },
    bytes_after_everything: |f| f.after = b"tail".to_vec() => Rule::TrailingBytes { bytes: 4 },
    zeros_after_everything: |f| f.after = vec![0; 4096] => Rule::TrailingBytes { bytes: 4096 },
    archive_comment: |f| f.end.comment = b"hello".to_vec() => Rule::ArchiveComment,
    gap_between_members: |f| f.parts[1].before = vec![0; 7] => Rule::Gap { bytes: 7 },
    gap_before_the_directory: |f| f.before_directory = vec![0; 9] => Rule::Gap { bytes: 9 },
    gap_before_the_end: |f| f.before_end = vec![0; 5] => Rule::Gap { bytes: 5 },
    a_hidden_member: |f| {
        let hidden = Part::stored("b/hidden.bin", b"not in the directory");
        let mut alone = Forged { parts: vec![hidden], ..Forged::honest() }.bytes();
        alone.truncate(30 + 12 + 20);
        f.parts[1].before = alone;
    } => Rule::Gap { bytes: 62 },
    two_entries_for_one_place: |f| f.parts[1].offset = Some(0) => Rule::Overlap,
    an_entry_inside_another_member: |f| f.parts[2].offset = Some(offset_of(f, 1) + 10) => Rule::Overlap,
    a_member_that_reaches_into_the_directory: |f| {
        f.parts[2].both(|head| { head.size += 40; head.stored += 40; });
    } => Rule::OutsideArchive,
    an_offset_past_the_end: |f| f.parts[2].offset = Some(1_000_000) => Rule::Gap { .. },
    a_directory_past_the_end: |f| f.end.offset = Some(1_000_000) => Rule::OutsideArchive,
    a_directory_of_the_wrong_size: |f| f.end.size = Some(directory_len(f) + 1) => Rule::OutsideArchive,
    a_directory_that_starts_late: |f| {
        f.end.offset = Some(f.bytes().len() as u32 - 22 - directory_len(f) + 1);
        f.end.size = Some(directory_len(f) - 1);
    } => Rule::Signature { record: "central entry" },

    split_over_disks: |f| f.end.this_disk = 1 => Rule::MultiDisk,
    directory_on_another_disk: |f| f.end.directory_disk = 1 => Rule::MultiDisk,
    fewer_members_on_this_disk: |f| f.end.here = Some(2) => Rule::MultiDisk,
    member_on_another_disk: |f| f.parts[0].central.disk = 1 => Rule::MultiDisk,
    one_member_too_few_counted: |f| { f.end.here = Some(2); f.end.members = Some(2); } => Rule::DirectoryCount,
    one_member_too_many_counted: |f| { f.end.here = Some(4); f.end.members = Some(4); } => Rule::DirectoryCount,
    no_members: |f| f.parts.clear() => Rule::NoMembers,
    members_but_none_counted: |f| { f.end.here = Some(0); f.end.members = Some(0); } => Rule::NoMembers,

    zip64_count: |f| { f.end.here = Some(u16::MAX); f.end.members = Some(u16::MAX); } => Rule::Zip64,
    zip64_directory_offset: |f| f.end.offset = Some(u32::MAX) => Rule::Zip64,
    zip64_locator: |f| f.before_end = [&0x0706_4b50_u32.to_le_bytes()[..], &[0; 16]].concat() => Rule::Zip64,
    zip64_size: |f| f.parts[0].both(|head| head.size = u32::MAX) => Rule::Zip64,
    zip64_stored_size: |f| f.parts[0].both(|head| head.stored = u32::MAX) => Rule::Zip64,
    zip64_extra_field: |f| f.parts[0].both(|head| head.extra = [&[1, 0, 8, 0][..], &[0; 8]].concat()) => Rule::ExtraField,
    extra_field_in_both: |f| f.parts[0].both(|head| head.extra = b"UT\x01\x00x".to_vec()) => Rule::ExtraField,
    extra_field_in_the_entry: |f| f.parts[0].central.extra = b"UT\x01\x00x".to_vec() => Rule::ExtraField,
    extra_field_in_the_local_header: |f| f.parts[0].local.extra = b"UT\x01\x00x".to_vec() => Rule::ExtraField,
    member_comment: |f| f.parts[0].central.comment = b"psst".to_vec() => Rule::MemberComment,

    encrypted: |f| f.parts[0].both(|head| head.flags |= 1) => Rule::Encrypted,
    strongly_encrypted: |f| f.parts[0].both(|head| head.flags |= 0x41) => Rule::Encrypted,
    masked_directory: |f| f.parts[0].both(|head| head.flags |= 0x2000) => Rule::Encrypted,
    data_descriptor: |f| f.parts[0].both(|head| head.flags |= 8) => Rule::DataDescriptor,
    data_descriptor_in_the_local_header: |f| f.parts[0].local.flags |= 8 => Rule::LocalDiffers { field: "flags" },
    name_not_marked_utf8: |f| f.parts[0].both(|head| head.flags = 0) => Rule::Constant { field: "flags", .. },
    deflate_level_flags: |f| f.parts[1].both(|head| head.flags |= 2) => Rule::Constant { field: "flags", .. },
    shrunk: |f| f.parts[0].both(|head| head.method = 1) => Rule::Method(1),
    deflate64: |f| f.parts[1].both(|head| head.method = 9) => Rule::Method(9),
    zstd: |f| f.parts[1].both(|head| head.method = 93) => Rule::Method(93),
    aes: |f| f.parts[1].both(|head| head.method = 99) => Rule::Method(99),

    symlink: |f| f.parts[0].central.external = 0o120_777 << 16 => Rule::Symlink,
    symlink_made_by_dos: |f| { f.parts[0].central.made_by = 20; f.parts[0].central.external = 0o120_777 << 16; } => Rule::Symlink,
    directory_by_mode: |f| f.parts[0].central.external = 0o040_755 << 16 => Rule::Directory,
    directory_by_attribute: |f| f.parts[0].central.external |= 0x10 => Rule::Directory,
    directory_by_name: |f| { f.parts[0] = Part::stored("a/first/", b""); } => Rule::Directory,
    pipe: |f| f.parts[0].central.external = 0o010_644 << 16 => Rule::SpecialFile,
    executable: |f| f.parts[0].central.external = 0o100_755 << 16 => Rule::Constant { field: "external attributes", .. },

    another_time: |f| f.parts[0].both(|head| head.time = 1) => Rule::Constant { field: "time", .. },
    another_date: |f| f.parts[0].both(|head| head.date += 1) => Rule::Constant { field: "date", .. },
    another_version_made_by: |f| f.parts[0].central.made_by = 0x031e => Rule::Constant { field: "version made by", .. },
    another_version_needed: |f| f.parts[0].both(|head| head.needed = 45) => Rule::Constant { field: "version needed", .. },
    marked_as_text: |f| f.parts[0].central.internal = 1 => Rule::Constant { field: "internal attributes", .. },

    local_name_differs: |f| f.parts[0].local.name = b"a/f1rst.bin".to_vec() => Rule::LocalDiffers { field: "name" },
    local_name_shorter: |f| f.parts[0].local.name = b"a/first.bi".to_vec() => Rule::LocalDiffers { field: "name length" },
    local_method_differs: |f| f.parts[0].local.method = 8 => Rule::LocalDiffers { field: "method" },
    local_checksum_differs: |f| f.parts[0].local.crc32 ^= 1 => Rule::LocalDiffers { field: "checksum" },
    local_size_differs: |f| f.parts[1].local.size += 1 => Rule::LocalDiffers { field: "size" },
    local_stored_size_differs: |f| f.parts[1].local.stored -= 1 => Rule::LocalDiffers { field: "stored size" },
    local_time_differs: |f| f.parts[0].local.time = 1 => Rule::LocalDiffers { field: "time" },
    no_local_header: |f| f.parts[1].local.signature ^= 1 => Rule::Signature { record: "local header" },
    no_central_entry: |f| f.parts[1].central.signature ^= 1 => Rule::Signature { record: "central entry" },

    checksum_wrong_in_both: |f| f.parts[0].both(|head| head.crc32 ^= 1) => Rule::Checksum,
    content_swapped: |f| f.parts[0].data = b"other content".to_vec() => Rule::Checksum,
    stored_sizes_that_differ: |f| f.parts[0].both(|head| head.size += 1) => Rule::StoredSize,
    inflates_past_its_size: |f| f.parts[1].both(|head| head.size -= 1) => Rule::InflatesLong,
    inflates_short_of_its_size: |f| f.parts[1].both(|head| head.size += 1) => Rule::InflatesShort { bytes: 280 },
    inflates_to_more_than_nothing: |f| f.parts[1].both(|head| head.size = 0) => Rule::InflatesLong,
    bytes_after_the_stream: |f| {
        f.parts[1].data.extend(b"rest");
        f.parts[1].both(|head| head.stored += 4);
    } => Rule::AfterDeflate,
    a_stream_cut_short: |f| {
        f.parts[1].data.pop();
        f.parts[1].both(|head| head.stored -= 1);
    } => Rule::InflatesShort { .. },
    a_stream_of_no_bytes: |f| {
        f.parts[1].data.clear();
        f.parts[1].both(|head| { head.stored = 0; head.size = 0; head.crc32 = 0; });
    } => Rule::InflatesShort { bytes: 0 },
    a_block_of_no_kind: |f| f.parts[1].data[0] |= 0b110 => Rule::Inflate,
}

fn offset_of(forged: &Forged, part: usize) -> u32 {
    forged.parts[..part]
        .iter()
        .map(|part| (part.before.len() + 30 + part.local.name.len() + part.data.len()) as u32)
        .sum()
}

fn directory_len(forged: &Forged) -> u32 {
    forged
        .parts
        .iter()
        .map(|part| 46 + part.central.name.len() as u32)
        .sum()
}

#[test]
fn what_is_no_archive_says_so() {
    let read = |bytes: &[u8]| rule(judge(bytes, &Limits::PACKAGE));
    assert_eq!(read(b""), Rule::EmptyFile);
    assert_eq!(read(b"P"), Rule::Truncated);
    assert_eq!(read(b"species,island\nAdelie,Torgersen\n"), Rule::NotAnArchive);
    assert_eq!(read(&[0; 100_000]), Rule::NotAnArchive);
    assert_eq!(read(b"x"), Rule::NotAnArchive);
    judge(&Forged::honest().bytes(), &Limits::PACKAGE).unwrap();
}
