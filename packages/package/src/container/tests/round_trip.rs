//! What is written comes back, always as the same bytes, and other people's readers agree.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use identity::Digest;
use refusal::{Code, Reason};

use super::super::{Access, DEFLATE_UP_TO, Method};
use super::{Archive, Compression, ContainerError, HOLDER, Limits, Rule, Writer, intact, package, rule};

fn noise(len: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let step = |_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..len).map(step).collect()
}

fn contents() -> Vec<(&'static str, Vec<u8>)> {
    let text = b"bill_length_mm,bill_depth_mm,flipper_length_mm\n39.1,18.7,181\n".repeat(200);
    vec![
        ("artifacts/empty", Vec::new()),
        ("artifacts/noise", noise(300_000)),
        ("artifacts/one", vec![b'x']),
        ("data/dataset.raw", text.repeat(100)),
        ("investigation/forma.json", text),
    ]
}

fn written() -> Vec<u8> {
    let contents = contents();
    let members: Vec<_> = contents
        .iter()
        .map(|(name, content)| (*name, content.as_slice(), Compression::Fitting))
        .collect();
    package(&members)
}

#[test]
fn what_is_written_comes_back() {
    let bytes = written();
    intact(&bytes).unwrap();
    let mut archive = Archive::walk(Cursor::new(&bytes), &Limits::PACKAGE).unwrap();
    for (name, content) in contents() {
        let (read, streamed) = archive.read_small(name, usize::MAX).unwrap();
        assert_eq!(read, content, "{name}");
        assert_eq!(streamed.content, Digest::of(&content), "{name}");
        let member = archive.member(name).unwrap();
        let start = member.data_offset() as usize;
        let stored = &bytes[start..start + member.stored_bytes() as usize];
        assert_eq!(streamed.stored, Digest::of(stored), "{name}");
        assert_eq!(
            (streamed.bytes, streamed.stored_bytes),
            (content.len() as u64, stored.len() as u64)
        );
    }
    let method = |name: &str| archive.member(name).unwrap().method();
    assert_eq!(method("artifacts/empty"), Method::Stored);
    assert_eq!(
        method("artifacts/noise"),
        Method::Stored,
        "noise does not get smaller"
    );
    assert_eq!(
        method("data/dataset.raw"),
        Method::Stored,
        "longer than {DEFLATE_UP_TO}"
    );
    assert_eq!(method("investigation/forma.json"), Method::Deflated);
    assert_eq!(method(HOLDER), Method::Stored);
}

#[test]
fn the_same_content_gives_the_same_bytes() {
    let bytes = written();
    assert_eq!(bytes, written());
    // Held so that a change of the deflate implementation is noticed: packages would stop being comparable by bytes.
    let digest = Digest::of(&bytes).to_string();
    assert_eq!(
        digest,
        "sha256:68db9593ee1d43bb2a05d4fa2e8092a357221f3fbb4bc08f3a8e74e791bc626f"
    );
}

#[test]
fn a_source_and_a_slice_give_the_same_bytes() {
    let content = noise(1_000_000);
    let mut from_slice = Writer::new(Vec::new());
    from_slice.add("a", &content, Compression::Stored).unwrap();
    let mut from_source = Writer::new(Vec::new());
    let mut source = Cursor::new(content);
    from_source.add_from("a", &mut source).unwrap();
    assert_eq!(from_slice.ledger(), from_source.ledger());
    assert_eq!(from_slice.finish().unwrap(), from_source.finish().unwrap());
}

#[test]
fn a_source_is_taken_from_where_it_stands() {
    let mut source = Cursor::new(b"skipped kept".to_vec());
    source.set_position(8);
    let mut writer = Writer::new(Vec::new());
    writer.add_from("a", &mut source).unwrap();
    let bytes = writer.finish().unwrap();
    let mut archive = Archive::walk(Cursor::new(bytes), &Limits::PACKAGE).unwrap();
    assert_eq!(archive.read_small("a", 10).unwrap().0, b"kept");
}

/// Gives other bytes, more or fewer, the second time it is read.
struct Changing {
    first: Cursor<Vec<u8>>,
    second: Cursor<Vec<u8>>,
    rewound: bool,
}

impl Read for Changing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rewound {
            self.second.read(buffer)
        } else {
            self.first.read(buffer)
        }
    }
}

impl Seek for Changing {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.rewound |= matches!(to, SeekFrom::Start(_));
        Ok(0)
    }
}

#[test]
fn a_source_that_changes_is_noticed() {
    let add = |second: &[u8]| {
        let mut source = Changing {
            first: Cursor::new(b"content".to_vec()),
            second: Cursor::new(second.to_vec()),
            rewound: false,
        };
        Writer::new(Vec::new()).add_from("a", &mut source)
    };
    add(b"content").unwrap();
    for second in [&b"c0ntent"[..], b"conten", b"content and more", b""] {
        assert_eq!(rule(add(second)), Rule::SourceChanged);
    }
}

#[test]
fn another_reader_agrees() {
    let bytes = written();
    let mut other = zip::ZipArchive::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(other.len(), contents().len() + 1);
    for (name, content) in contents() {
        let mut member = other.by_name(name).unwrap();
        assert_eq!(member.unix_mode(), Some(0o100_644));
        let mut read = Vec::new();
        member.read_to_end(&mut read).unwrap();
        assert_eq!(read, content, "{name}");
    }
}

#[test]
fn another_writers_archive_is_not_ours() {
    let mut other = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    other.start_file("data/dataset.raw", options).unwrap();
    other.write_all(b"a,b\n1,2\n").unwrap();
    let bytes = other.finish().unwrap().into_inner();
    let found = rule(super::judge(&bytes, &Limits::PACKAGE));
    assert!(
        matches!(
            found,
            Rule::Constant { .. } | Rule::ExtraField | Rule::DataDescriptor
        ),
        "{found:?}"
    );
}

#[test]
fn the_writer_refuses_names_out_of_order() {
    let mut writer = Writer::new(Vec::new());
    writer.add("b", b"", Compression::Stored).unwrap();
    let after = "b".to_owned();
    assert_eq!(
        rule(writer.add("a", b"", Compression::Stored)),
        Rule::Order { after }
    );
    assert_eq!(
        rule(writer.add("../c", b"", Compression::Stored)).reason(),
        Reason::Malformed
    );
    writer.add("c", b"", Compression::Stored).unwrap();
    assert_eq!(
        rule(Writer::new(Vec::new()).finish().map(|_| ())),
        Rule::NoMembers
    );
}

#[test]
fn a_file_opens_and_what_is_no_file_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nemosyne");
    let open = |path: &std::path::Path| {
        Archive::<File>::open(path, &Limits::PACKAGE).map(|archive| archive.members().len())
    };
    let access = |path: &std::path::Path| match open(path) {
        Err(error @ ContainerError::Open { access, .. }) => {
            assert_eq!(error.refusal().reason(), Reason::Unreachable);
            access
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(access(&path), Access::Missing);
    assert_eq!(access(folder.path()), Access::Folder);
    #[cfg(unix)]
    assert_eq!(access("/dev/null".as_ref()), Access::NotAFile);
    std::fs::write(&path, written()).unwrap();
    assert_eq!(open(&path).unwrap(), contents().len() + 1);
    assert_eq!(access(&path.join("inside")), Access::Missing);
}

#[test]
fn a_refusal_names_rule_member_byte_and_next_step() {
    let mut bytes = written();
    let archive = Archive::walk(Cursor::new(bytes.clone()), &Limits::PACKAGE).unwrap();
    let at = archive.member("data/dataset.raw").unwrap().data_offset();
    bytes[at as usize + 5] ^= 1;
    let refusal = super::judge(&bytes, &Limits::PACKAGE).unwrap_err().refusal();
    assert_eq!(
        (refusal.code(), refusal.reason()),
        (Code::InvalidInput, Reason::Integrity)
    );
    assert_eq!(refusal.subjects(), ["data/dataset.raw"]);
    assert_eq!(refusal.cause().place, Some(format!("byte {at}")));
    assert!(refusal.retry().unwrap().contains("intact copy"));
    assert!(
        refusal.cause().text.contains("checksum"),
        "{}",
        refusal.cause().text
    );
}

#[test]
fn the_receivers_own_failure_comes_back() {
    let bytes = written();
    let mut archive = Archive::walk(Cursor::new(bytes), &Limits::PACKAGE).unwrap();
    let stopped = archive.stream("artifacts/noise", &mut |_| Err(io::Error::other("enough")));
    assert!(matches!(stopped, Err(ContainerError::Sink { member, .. }) if member == "artifacts/noise"));
    archive.digest("artifacts/noise").unwrap();
}
