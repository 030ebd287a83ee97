//! Which member names are one plain relative path on every system, and which two names would meet on one of them.

use std::collections::BTreeMap;

use identity::utf16_cmp;
use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::error::Rule;

/// Most bytes of a name.
pub(super) const MAX_NAME_BYTES: usize = 240;

/// Why a member's name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameRule {
    /// No name at all.
    #[error("the name is empty")]
    Empty,
    /// Longer than 240 bytes.
    #[error("the name is longer than {MAX_NAME_BYTES} bytes")]
    TooLong,
    /// Bytes that are not UTF-8.
    #[error("the name is not UTF-8")]
    NotUtf8,
    /// A NUL character.
    #[error("the name holds a NUL")]
    Nul,
    /// A control or invisible formatting character.
    #[error("the name holds a control or invisible character")]
    Control,
    /// `\\server\share` or `//server/share`.
    #[error("the name is a network path")]
    Unc,
    /// A backslash.
    #[error("the name holds a backslash")]
    Backslash,
    /// Starts with `/`.
    #[error("the name is an absolute path")]
    Absolute,
    /// Starts with a drive letter.
    #[error("the name starts with a drive letter")]
    Drive,
    /// `a//b`, or a slash at the end.
    #[error("the name has an empty segment")]
    EmptySegment,
    /// A `.` segment.
    #[error("the name has a \".\" segment")]
    DotSegment,
    /// A `..` segment.
    #[error("the name has a \"..\" segment")]
    ParentSegment,
    /// A segment that ends in a dot or a space, which some systems drop.
    #[error("a segment of the name ends in a dot or a space")]
    TrailingDotOrSpace,
    /// One of `< > : " | ? *`, or `%`, which other readers decode.
    #[error("the name holds one of < > : \" | ? * %")]
    Reserved,
    /// A device on some systems: `con`, `aux`, `nul`, `com1` and the like.
    #[error("a segment of the name is a device name")]
    Device,
    /// Not in Unicode normalization form C.
    #[error("the name is not in Unicode normalization form C")]
    NotNormalized,
}

/// Checks a name by itself, except its normalization.
pub(super) fn check_form(name: &str) -> Result<(), NameRule> {
    if name.is_empty() {
        return Err(NameRule::Empty);
    }
    if name.len() > MAX_NAME_BYTES {
        return Err(NameRule::TooLong);
    }
    if name.contains('\0') {
        return Err(NameRule::Nul);
    }
    if name.chars().any(is_unseen) {
        return Err(NameRule::Control);
    }
    if name.starts_with("\\\\") || name.starts_with("//") {
        return Err(NameRule::Unc);
    }
    if name.contains('\\') {
        return Err(NameRule::Backslash);
    }
    if name.starts_with('/') {
        return Err(NameRule::Absolute);
    }
    let bytes = name.as_bytes();
    if bytes[0].is_ascii_alphabetic() && bytes.get(1) == Some(&b':') {
        return Err(NameRule::Drive);
    }
    for segment in name.split('/') {
        check_segment(segment)?;
    }
    if name.contains(['<', '>', ':', '"', '|', '?', '*', '%']) {
        return Err(NameRule::Reserved);
    }
    Ok(())
}

fn check_segment(segment: &str) -> Result<(), NameRule> {
    match segment {
        "" => return Err(NameRule::EmptySegment),
        "." => return Err(NameRule::DotSegment),
        ".." => return Err(NameRule::ParentSegment),
        _ => {}
    }
    if segment.ends_with(['.', ' ']) {
        return Err(NameRule::TrailingDotOrSpace);
    }
    let stem = segment.split('.').next().unwrap_or_default().trim_end();
    if is_device(&stem.to_ascii_lowercase()) {
        return Err(NameRule::Device);
    }
    Ok(())
}

fn is_device(stem: &str) -> bool {
    if matches!(stem, "con" | "prn" | "aux" | "nul") {
        return true;
    }
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    numbered.is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit())
}

fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The names of one archive so far: each plain, none meeting another, all in order.
#[derive(Debug, Default)]
pub(super) struct NameSet {
    by_fold: BTreeMap<String, String>,
    last: Option<String>,
}

impl NameSet {
    /// Takes the next name, or says why not.
    pub(super) fn admit(&mut self, name: &str) -> Result<(), Rule> {
        check_form(name).map_err(Rule::Name)?;
        let fold = fold(name);
        if let Some(earlier) = self.by_fold.get(&fold) {
            return Err(if earlier == name {
                Rule::Duplicate
            } else {
                Rule::Collides {
                    with: earlier.clone(),
                }
            });
        }
        if !is_nfc(name) {
            return Err(Rule::Name(NameRule::NotNormalized));
        }
        if let Some(last) = &self.last
            && utf16_cmp(last, name).is_ge()
        {
            return Err(Rule::Order { after: last.clone() });
        }
        self.by_fold.insert(fold, name.to_owned());
        self.last = Some(name.to_owned());
        Ok(())
    }
}

/// Equal for names that differ only in case or normalization. Case goes down, up and down again, which brings together
/// what full case folding does (`ß` and `SS`, `ſ` and `S`).
fn fold(name: &str) -> String {
    let lower = name.nfd().collect::<String>().to_lowercase();
    lower.to_uppercase().to_lowercase().nfc().collect()
}
