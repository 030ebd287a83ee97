//! The encodings a text source may be in: UTF-8 and UTF-16 are recognized, every other one is stated.
//!
//! Names and decoders are those of the WHATWG Encoding Standard (<https://encoding.spec.whatwg.org>), by the crate
//! `encoding_rs`. That standard reads the label `ISO-8859-1` as windows-1252 and `ISO-8859-9` as windows-1254: they differ
//! in the bytes 0x80 to 0x9F alone, where the ISO parts hold control characters.

use crate::words::{Word as _, words};

words! {
    /// The encoding of the source.
    Encoding, "encoding";
    /// UTF-8 without a byte order mark.
    Utf8 = "UTF-8",
    /// UTF-8 behind a byte order mark, which is no part of the text.
    Utf8Bom = "UTF-8-BOM",
    /// UTF-16, low byte first; with a byte order mark or stated.
    Utf16Le = "UTF-16LE",
    /// UTF-16, high byte first; with a byte order mark or stated.
    Utf16Be = "UTF-16BE",
    /// Western European, Windows; also what the label ISO-8859-1 stands for.
    Windows1252 = "windows-1252",
    /// Central European, Windows.
    Windows1250 = "windows-1250",
    /// Cyrillic, Windows.
    Windows1251 = "windows-1251",
    /// Greek, Windows.
    Windows1253 = "windows-1253",
    /// Turkish, Windows.
    Windows1254 = "windows-1254",
    /// Hebrew, Windows.
    Windows1255 = "windows-1255",
    /// Arabic, Windows.
    Windows1256 = "windows-1256",
    /// Baltic, Windows.
    Windows1257 = "windows-1257",
    /// Vietnamese, Windows.
    Windows1258 = "windows-1258",
    /// Thai, Windows.
    Windows874 = "windows-874",
    /// Central European.
    Iso2 = "ISO-8859-2",
    /// South European.
    Iso3 = "ISO-8859-3",
    /// North European.
    Iso4 = "ISO-8859-4",
    /// Cyrillic.
    Iso5 = "ISO-8859-5",
    /// Arabic.
    Iso6 = "ISO-8859-6",
    /// Greek.
    Iso7 = "ISO-8859-7",
    /// Hebrew, in visual order.
    Iso8 = "ISO-8859-8",
    /// Hebrew, in logical order.
    Iso8I = "ISO-8859-8-I",
    /// Nordic.
    Iso10 = "ISO-8859-10",
    /// Baltic.
    Iso13 = "ISO-8859-13",
    /// Celtic.
    Iso14 = "ISO-8859-14",
    /// Western European with the euro sign.
    Iso15 = "ISO-8859-15",
    /// South-Eastern European.
    Iso16 = "ISO-8859-16",
    /// Western European, classic Macintosh.
    Macintosh = "macintosh",
    /// Cyrillic, classic Macintosh.
    MacCyrillic = "x-mac-cyrillic",
    /// Cyrillic, DOS.
    Ibm866 = "IBM866",
    /// Russian.
    Koi8R = "KOI8-R",
    /// Ukrainian.
    Koi8U = "KOI8-U",
    /// Simplified Chinese.
    Gbk = "GBK",
    /// Chinese, all of Unicode.
    Gb18030 = "gb18030",
    /// Traditional Chinese.
    Big5 = "Big5",
    /// Japanese, Windows.
    ShiftJis = "Shift_JIS",
    /// Japanese, Unix.
    EucJp = "EUC-JP",
    /// Japanese, mail.
    Iso2022Jp = "ISO-2022-JP",
    /// Korean.
    EucKr = "EUC-KR",
}

impl Encoding {
    /// The encoding a label names, in any case and with the labels of the WHATWG standard (`latin1`, `cp1252`, `sjis`).
    /// `None` for labels nobody knows.
    #[must_use]
    pub fn of_label(label: &str) -> Option<Self> {
        let folded = label.trim();
        let exact = Self::ALL
            .iter()
            .find(|known| known.word().eq_ignore_ascii_case(folded));
        exact
            .copied()
            .or_else(|| Self::parse(encoding_rs::Encoding::for_label(folded.as_bytes())?.name()))
    }

    /// The decoder.
    pub(crate) fn decoder(self) -> &'static encoding_rs::Encoding {
        match self {
            Self::Utf8 | Self::Utf8Bom => encoding_rs::UTF_8,
            other => encoding_rs::Encoding::for_label(other.word().as_bytes())
                .expect("every word but UTF-8-BOM is a name of the standard"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_a_name_of_the_standard_and_labels_find_it() {
        for encoding in Encoding::ALL
            .iter()
            .filter(|encoding| **encoding != Encoding::Utf8Bom)
        {
            assert_eq!(encoding.decoder().name(), encoding.word());
            assert_eq!(
                Encoding::of_label(&encoding.word().to_uppercase()),
                Some(*encoding)
            );
        }
        for (label, expected) in [
            ("latin1", Encoding::Windows1252),
            ("ISO-8859-1", Encoding::Windows1252),
            ("cp1251", Encoding::Windows1251),
            ("utf8", Encoding::Utf8),
            ("utf-8-bom", Encoding::Utf8Bom),
            ("sjis", Encoding::ShiftJis),
            ("mac", Encoding::Macintosh),
        ] {
            assert_eq!(Encoding::of_label(label), Some(expected), "{label}");
        }
        for unknown in ["", "ebcdic", "replacement", "x-user-defined", "utf-32"] {
            assert_eq!(Encoding::of_label(unknown), None, "{unknown}");
        }
    }
}
