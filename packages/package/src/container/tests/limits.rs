//! Each bound passes at its value and refuses one past it, in reader and writer, before anything is inflated.

use super::forge::{Forged, Part};
use super::{Compression, Limits, Rule, Writer, judge, rule};

const SMALL: Limits = Limits {
    max_members: 3,
    max_member_bytes: 1000,
    max_total_bytes: 2000,
    max_json_bytes: 300,
    max_ratio: 50,
};

fn of(parts: Vec<Part>) -> Vec<u8> {
    Forged {
        parts,
        ..Forged::honest()
    }
    .bytes()
}

fn read(parts: Vec<Part>) -> Result<(), super::ContainerError> {
    judge(&of(parts), &SMALL)
}

fn write(members: &[(&str, usize)]) -> Result<(), super::ContainerError> {
    let mut writer = Writer::with_limits(Vec::new(), SMALL);
    for (name, len) in members {
        writer.add(name, &vec![b'x'; *len], Compression::Stored)?;
    }
    writer.finish().map(|_| ())
}

/// The same shape through both doors: passes, or breaks the same rule.
fn both(members: &[(&str, usize)], expected: Option<Rule>) {
    let parts = members
        .iter()
        .map(|(name, len)| Part::stored(name, &vec![b'x'; *len]))
        .collect();
    for (door, judged) in [("reader", read(parts)), ("writer", write(members))] {
        match &expected {
            None => judged.unwrap_or_else(|error| panic!("{door}: {error}")),
            Some(expected) => assert_eq!(&rule(judged), expected, "{door}"),
        }
    }
}

#[test]
fn members() {
    both(&[("a", 1), ("b", 1), ("c", 1)], None);
    let rule = Rule::Members { members: 4, limit: 3 };
    both(&[("a", 1), ("b", 1), ("c", 1), ("d", 1)], Some(rule));
}

#[test]
fn bytes_of_a_member() {
    both(&[("a", 1000)], None);
    both(
        &[("a", 1001)],
        Some(Rule::MemberBytes {
            bytes: 1001,
            limit: 1000,
        }),
    );
}

#[test]
fn bytes_of_a_json_member() {
    both(&[("a.json", 300), ("b.log", 300), ("c.bin", 301)], None);
    both(
        &[("a.json", 301)],
        Some(Rule::JsonBytes {
            bytes: 301,
            limit: 300,
        }),
    );
    both(
        &[("a.log", 301)],
        Some(Rule::JsonBytes {
            bytes: 301,
            limit: 300,
        }),
    );
}

#[test]
fn bytes_in_all() {
    both(&[("a", 1000), ("b", 1000)], None);
    both(
        &[("a", 1000), ("b", 1000), ("c", 1)],
        Some(Rule::TotalBytes { limit: 2000 }),
    );
}

#[test]
fn ratio() {
    let streams = |len| vec![Part::deflated("a", &vec![0; len])];
    let stored = streams(900)[0].data.len();
    assert!(900 > stored * 50, "the sample inflates past the ratio");
    assert_eq!(rule(read(streams(900))), Rule::Ratio { limit: 50 });
    read(streams(stored * 50)).unwrap();
}

#[test]
fn a_ratio_is_refused_before_inflating() {
    // 2 GiB announced over a stream of a few bytes: the answer comes from the headers alone.
    let mut bomb = Part::deflated("bomb", &[0; 64]);
    bomb.both(|head| head.size = 1 << 31);
    assert_eq!(
        rule(judge(&of(vec![bomb]), &Limits::PACKAGE)),
        Rule::Ratio { limit: 1000 }
    );
    judge(&of(vec![Part::deflated("bomb", &[0; 64])]), &Limits::PACKAGE).unwrap();
}

#[test]
fn a_stream_that_lies_about_its_size_stops_at_the_declared_size() {
    // Ten million bytes in the stream, ten declared.
    let mut bomb = Part::deflated("bomb", &vec![0; 10_000_000]);
    judge(
        &of(vec![bomb.clone()]),
        &Limits {
            max_ratio: 2000,
            ..Limits::PACKAGE
        },
    )
    .unwrap();
    bomb.both(|head| head.size = 10);
    let bytes = of(vec![bomb]);
    let mut archive = super::Archive::walk(std::io::Cursor::new(&bytes), &Limits::PACKAGE).unwrap();
    let mut given = 0;
    let stopped = archive.stream("bomb", &mut |piece| {
        given += piece.len();
        Ok(())
    });
    assert_eq!(rule(stopped.map(|_| ())), Rule::InflatesLong);
    assert!(given <= 10, "{given} bytes were given");
}

#[test]
fn the_writer_stores_what_would_pass_the_ratio() {
    let zeros = vec![0; 1 << 20];
    let mut writer = Writer::new(Vec::new());
    writer.add("zeros", &zeros, Compression::Fitting).unwrap();
    let bytes = writer.finish().unwrap();
    judge(&bytes, &Limits::PACKAGE).unwrap();
    assert!(
        bytes.len() > zeros.len(),
        "a megabyte of zeros deflates past 1,000 to 1, so it is stored"
    );
}

#[test]
fn a_small_read_refuses_a_large_member() {
    let bytes = of(vec![Part::stored("a", &[7; 100])]);
    let mut archive = super::Archive::walk(std::io::Cursor::new(&bytes), &Limits::PACKAGE).unwrap();
    assert_eq!(archive.read_small("a", 100).unwrap().0, [7; 100]);
    let refused = archive.read_small("a", 99).map(|_| ());
    assert_eq!(
        rule(refused),
        Rule::ReadBytes {
            bytes: 100,
            limit: 99
        }
    );
    assert_eq!(rule(archive.read_small("b", 99).map(|_| ())), Rule::NoSuchMember);
}
