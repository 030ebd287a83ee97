//! The ZIP container of a workbook, walked and unpacked once for its sizes alone, before anybody keeps what is inside.
//!
//! Sizes that headers state are believed by nobody: every member is inflated against the limit and thrown away. Source:
//! PKWARE APPNOTE 6.3.10, sections 4.3.12 and 4.3.16.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

use crate::error::{ImportError, Place};
use crate::limits::{Bound, Limits};
use crate::options::Format;

const CENTRAL: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const LOCAL: &[u8] = b"PK\x03\x04";
/// Bytes of the record at the end, without its comment.
const N_END: usize = 22;
/// Bytes of a member's central header, without its name and the rest.
const N_CENTRAL: usize = 46;
/// Bytes of a member's local header, likewise.
const N_LOCAL: usize = 30;
/// A workbook has a member that is called so.
const WORKBOOK: &[u8] = b"xl/workbook.xml";

fn damaged(what: &str, at: usize) -> ImportError {
    ImportError::Damaged {
        format: Format::Xlsx,
        place: Some(Place::Offset(at)),
        what: what.to_owned(),
    }
}

fn two(bytes: &[u8], at: usize) -> Option<usize> {
    let two = bytes.get(at..)?.first_chunk::<2>()?;
    Some(usize::from(u16::from_le_bytes(*two)))
}

fn four(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..)?.first_chunk::<4>()?;
    usize::try_from(u32::from_le_bytes(*four)).ok()
}

/// A member's data as it is stored, and whether it is deflated.
struct Member<'a> {
    name: &'a [u8],
    at: usize,
    stored: &'a [u8],
    deflated: bool,
}

/// The members, as the directory at the end lists them.
fn members(bytes: &[u8]) -> Result<Vec<Member<'_>>, ImportError> {
    let outside = || damaged("its list of members is cut short", bytes.len());
    // A comment of at most 65,535 bytes may stand behind the record.
    let from = bytes.len().saturating_sub(N_END + usize::from(u16::MAX));
    let end = bytes[from..].windows(END.len()).rposition(|window| window == END);
    let end = from + end.ok_or_else(outside)?;
    let (n, mut at) = (
        two(bytes, end + 10).ok_or_else(outside)?,
        four(bytes, end + 16).ok_or_else(outside)?,
    );
    let mut members = Vec::with_capacity(n);
    for _ in 0..n {
        let header = bytes
            .get(at..)
            .filter(|header| header.starts_with(CENTRAL))
            .ok_or_else(outside)?;
        let field = |offset| two(header, offset).ok_or_else(outside);
        let (method, n_name, n_extra, n_comment) = (field(10)?, field(28)?, field(30)?, field(32)?);
        let n_stored = four(header, 20).ok_or_else(outside)?;
        let local_at = four(header, 42).ok_or_else(outside)?;
        let name = header.get(N_CENTRAL..N_CENTRAL + n_name).ok_or_else(outside)?;
        let local = bytes.get(local_at..).filter(|local| local.starts_with(LOCAL));
        let data = local.and_then(|local| {
            let from = N_LOCAL + two(local, 26)? + two(local, 28)?;
            local.get(from..from.checked_add(n_stored)?)
        });
        members.push(Member {
            name,
            at: local_at,
            stored: data.ok_or_else(|| damaged("a member lies outside the file", at))?,
            deflated: match method {
                0 => false,
                8 => true,
                _ => return Err(damaged("a member is packed in a way that workbooks are not", at)),
            },
        });
        at += N_CENTRAL + n_name + n_extra + n_comment;
    }
    Ok(members)
}

/// Whether bytes are a ZIP container with a workbook inside.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL)
        && members(bytes).is_ok_and(|members| members.iter().any(|member| member.name == WORKBOOK))
}

/// Unpacks every member against the limit and keeps nothing.
pub(super) fn check(bytes: &[u8], limits: &Limits) -> Result<(), ImportError> {
    let mut n_bytes = 0_usize;
    let mut chunk = vec![0; 64 * 1024];
    for member in members(bytes)? {
        let mut names = CellNames::of(member.name);
        if !member.deflated {
            n_bytes = n_bytes.saturating_add(member.stored.len());
            check_total(n_bytes, limits)?;
            names.see(member.stored, member.at)?;
            continue;
        }
        let mut inflated = DeflateDecoder::new(member.stored);
        loop {
            match inflated.read(&mut chunk) {
                Ok(0) => break,
                Ok(n) => {
                    n_bytes = n_bytes.saturating_add(n);
                    names.see(chunk.get(..n).unwrap_or_default(), member.at)?;
                }
                Err(_) => return Err(damaged("a member can't be unpacked", member.at)),
            }
            check_total(n_bytes, limits)?;
        }
    }
    Ok(())
}

/// The names of cells, `A1` to `XFD1048576`, as attributes `r` of a sheet write them; the reader of cells multiplies
/// their letters and digits without asking how many there are.
struct CellNames {
    of_sheet: bool,
    /// How much of ` r="` was just seen; none inside a name.
    seen: Option<usize>,
    n_letters: usize,
    n_digits: usize,
}

impl CellNames {
    const OPENS: &[u8] = b" r=\"";
    /// As `XFD1048576` has.
    const MOST_LETTERS: usize = 3;
    const MOST_DIGITS: usize = 7;

    fn of(member: &[u8]) -> Self {
        Self {
            of_sheet: member.starts_with(b"xl/worksheets/"),
            seen: Some(0),
            n_letters: 0,
            n_digits: 0,
        }
    }

    /// Looks at the next bytes of the member.
    fn see(&mut self, bytes: &[u8], at: usize) -> Result<(), ImportError> {
        if !self.of_sheet {
            return Ok(());
        }
        for byte in bytes {
            match self.seen {
                Some(seen) if Self::OPENS.get(seen) == Some(byte) => {
                    self.seen = (seen + 1 < Self::OPENS.len()).then_some(seen + 1);
                    (self.n_letters, self.n_digits) = (0, 0);
                }
                Some(_) => self.seen = Some(usize::from(*byte == b' ')),
                None if *byte == b'"' => self.seen = Some(0),
                None => {
                    self.n_letters += usize::from(byte.is_ascii_alphabetic());
                    self.n_digits += usize::from(byte.is_ascii_digit());
                    if self.n_letters > Self::MOST_LETTERS || self.n_digits > Self::MOST_DIGITS {
                        return Err(damaged("a cell has a name that no cell can have", at));
                    }
                }
            }
        }
        Ok(())
    }
}

fn check_total(n_bytes: usize, limits: &Limits) -> Result<(), ImportError> {
    if n_bytes <= limits.max_bytes {
        return Ok(());
    }
    Err(ImportError::Limit {
        bound: Bound::Decompressed,
        limit: limits.max_bytes,
        place: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(xml: &str, size: usize) -> Result<(), ImportError> {
        let mut names = CellNames::of(b"xl/worksheets/sheet1.xml");
        xml.as_bytes()
            .chunks(size)
            .try_for_each(|chunk| names.see(chunk, 0))
    }

    #[test]
    fn a_name_beyond_the_last_cell_is_damage_wherever_it_is_cut() {
        for size in [1, 3, 64] {
            seen(
                r#"<row r="1048576"><c r="XFD1048576" t="n"><v>1</v></c></row>"#,
                size,
            )
            .unwrap();
            seen(r#"<c bar="ABCDEFGHIJ" r="A1"/>"#, size).unwrap();
            for name in ["ZZZZ1", "A12345678", "ZZZZZZZZZ99999999999"] {
                let error = seen(&format!(r#"<c t="n" r="{name}"/>"#), size).unwrap_err();
                assert!(matches!(error, ImportError::Damaged { .. }), "{name}");
            }
        }
    }
}
