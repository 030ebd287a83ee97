//! What was captured comes back, the same everywhere.

use std::io::Cursor;

use package::{Limits, open_source};

use crate::road::road;

#[test]
fn what_was_captured_comes_back() {
    let road = road();
    let bytes = road.bytes();
    let opened = open_source(Cursor::new(bytes), &Limits::DEFAULT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(opened.record(), road.admission.record());
    for m in &opened.manifest().members {
            "{} {} {:?}",
            m.name,
            m.bytes,
            m.deflated.as_ref().map(|d| d.bytes)
        );
    }
}
