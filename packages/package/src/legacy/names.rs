//! What an entry of a legacy archive is called once every disguise is off its name.
//!
//! The programs that read these formats decoded percent escapes up to three times, collapsed what was still escaped of
//! NUL, dot, slash, colon and backslash, and turned backslashes into slashes. Two names that come out alike are one
//! name, and an archive that has it twice is refused.

/// Why the name of an entry is refused, cleaned or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntryNameRule {
    /// No name at all.
    #[error("the name is empty")]
    Empty,
    /// A NUL, written out or escaped.
    #[error("the name holds a NUL")]
    Nul,
    /// Starts with a slash, and so for a network path.
    #[error("the name is an absolute path")]
    Absolute,
    /// Starts with a drive letter.
    #[error("the name starts with a drive letter")]
    Drive,
    /// A `.` or `..` segment.
    #[error("the name has a \".\" or \"..\" segment")]
    Dots,
}

/// The cleaned name.
pub(super) fn clean(raw: &str) -> Result<String, EntryNameRule> {
    if raw.is_empty() {
        return Err(EntryNameRule::Empty);
    }
    let mut name = raw.to_owned();
    for _ in 0..3 {
        match decode(&name) {
            Some(next) if next != name => name = next,
            _ => break,
        }
    }
    let name = collapse(&name).replace('\\', "/");
    if name.contains('\0') {
        return Err(EntryNameRule::Nul);
    }
    if name.starts_with('/') {
        return Err(EntryNameRule::Absolute);
    }
    let bytes = name.as_bytes();
    if bytes[0].is_ascii_alphabetic() && bytes.get(1) == Some(&b':') {
        return Err(EntryNameRule::Drive);
    }
    if name.split('/').any(|segment| matches!(segment, "." | "..")) {
        return Err(EntryNameRule::Dots);
    }
    Ok(name)
}

/// One round of percent decoding; none when an escape is no byte or the bytes are no UTF-8, as in a browser.
fn decode(name: &str) -> Option<String> {
    let bytes = name.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if *byte == b'%' {
            out.push(hex(bytes.get(at + 1..at + 3)?)?);
            at += 3;
        } else {
            out.push(*byte);
            at += 1;
        }
    }
    String::from_utf8(out).ok()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (high, low) = (digit(*digits.first()?)?, digit(*digits.get(1)?)?);
    u8::try_from(high * 16 + low).ok()
}

/// Replaces `%`, any number of `25`, and the code of a NUL, dot, slash, colon or backslash by that character.
fn collapse(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find('%') {
        let (before, escape) = rest.split_at(at);
        out.push_str(before);
        let mut code = &escape[1..];
        while let Some(inner) = code.strip_prefix("25") {
            code = inner;
        }
        let meant = code
            .get(..2)
            .and_then(|two| match two.to_ascii_lowercase().as_str() {
                "00" => Some('\0'),
                "2e" => Some('.'),
                "2f" => Some('/'),
                "3a" => Some(':'),
                "5c" => Some('\\'),
                _ => None,
            });
        match meant {
            Some(character) => {
                out.push(character);
                rest = &code[2..];
            }
            None => {
                out.push('%');
                rest = &escape[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::{EntryNameRule, clean};

    #[test]
    fn a_plain_name_stays_what_it_is() {
        for name in [
            "manifest.json",
            "data/dataset.raw",
            "extras/a b.txt",
            "extras/100%",
            "a..b/c",
            "extras/%zz",
        ] {
            assert_eq!(clean(name).as_deref(), Ok(name));
        }
    }

    #[test]
    fn escapes_come_off_however_deep() {
        for (raw, cleaned) in [
            ("manifest%2ejson", "manifest.json"),
            ("manifest%252Ejson", "manifest.json"),
            ("manifest%25252ejson", "manifest.json"),
            ("manifest%2525252525252ejson", "manifest.json"),
            ("data%5Cdataset.raw", "data/dataset.raw"),
            ("data\\dataset.raw", "data/dataset.raw"),
            ("%6danifest.json", "manifest.json"),
            ("extras/%C3%A4", "extras/\u{e4}"),
        ] {
            assert_eq!(clean(raw).as_deref(), Ok(cleaned), "{raw}");
        }
    }

    #[test]
    fn a_name_that_leaves_its_folder_is_refused_in_any_disguise() {
        for (raw, rule) in [
            ("", EntryNameRule::Empty),
            ("a\0b", EntryNameRule::Nul),
            ("a%2500b", EntryNameRule::Nul),
            ("/etc/passwd", EntryNameRule::Absolute),
            ("\\\\server\\share", EntryNameRule::Absolute),
            ("%2fetc", EntryNameRule::Absolute),
            ("C:/x", EntryNameRule::Drive),
            ("c%3Ax", EntryNameRule::Drive),
            ("../x", EntryNameRule::Dots),
            ("a/../x", EntryNameRule::Dots),
            ("a\\..\\x", EntryNameRule::Dots),
            ("%2e%2e/x", EntryNameRule::Dots),
            ("%252e%252e%252fx", EntryNameRule::Dots),
            ("a/%25252e%25252525252e/x", EntryNameRule::Dots),
            ("./x", EntryNameRule::Dots),
        ] {
            assert_eq!(clean(raw), Err(rule), "{raw}");
        }
    }
}
